"""Tablebases: exact values of all states of a game, with plies, kept in a folder and looked up."""
