"""Tablebases: the exact value of every state of a game and the plies to its end, kept in a folder and looked up."""
