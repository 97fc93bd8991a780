"""Evaluations that a game learns from self-play: patterns of its board, made, learned, kept in files and used."""
