"""A game as one web page that plays, analyses and solves it by itself, and a folder of games and lessons."""

TABLE = 16
"""Mebibytes of a search's table by default, which a phone can bear; three searches may be under way."""
INDEX = "index.html"
"""The page of a folder that leads to the others."""
LESSONS = "lessons.html"
"""The page of such a folder that leads to its lessons."""
