"""Depths and times of commands that name none, in a terminal and in a lesson's page."""

from typing import Final

ALGORITHM: Final = "alphabeta"
SEARCHED_PLIES: Final = 4
"""Of one search."""
DRAWN_PLIES: Final = 2
"""Of a search whose tree is shown."""
COMPARED_PLIES: Final = "1..6"
COMPARED_SECONDS: Final = 10.0
"""For each of the searches that are compared, at most."""
THOUGHT_SECONDS: Final = 5.0
"""Of an analysis."""
