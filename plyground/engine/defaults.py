"""Depths and times of commands that name none, in a terminal and in a lesson's page."""

from typing import Final

ALGORITHM: Final = "alphabeta"
SEARCHED_PLIES: Final = 4
"""Depth of one search, in plies."""
DRAWN_PLIES: Final = 2
"""Depth of a search whose tree is drawn, in plies."""
COMPARED_PLIES: Final = "1..6"
COMPARED_SECONDS: Final = 10.0
"""Time limit of each compared search, in seconds."""
THOUGHT_SECONDS: Final = 5.0
"""Time limit of an analysis, in seconds."""
