"""Bases of games: files of games by their positions, in Parquet: moves, results, ratings, games."""
