"""Elo, intervals and sequential tests from the scores of games: numbers only."""
