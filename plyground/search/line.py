"""How long a line of play may get, and how many moves a search notes on it: one guard for all searches.

Compiled code does not check where it writes. So whoever notes a move asks `require_room` first, and whoever goes deeper
asks `require_end`: a game without end would else run out of the machine's stack.
"""

from plyground.errors import GameFault
from plyground.rules import LONGEST, MOST_MOVES


class TooManyMoves(GameFault):
    """The moves of one line of play do not fit a search's notes."""

    def __str__(self) -> str:
        return (
            f"The states of one line of this game have more than {MOST_MOVES:,} moves together, and a search has no "
            "room to note them: look fewer plies ahead, or use mcts."
        )


class TooLong(GameFault):
    """A line of play is longer than any game may be."""

    def __str__(self) -> str:
        return (
            f"A line of this game goes on for more than {LONGEST:,} plies: its rules must end it by then; "
            "plyground check finds out whether a state comes again."
        )


def require_room(end: int, notes: int) -> None:
    """That what is noted, up to the place `end`, has room in `notes` places.

    Raises:
        TooManyMoves: it does not.
    """
    if end > notes:
        raise TooManyMoves


def require_end(ply: int) -> None:
    """That a line of `ply` plies is no longer than a game may be.

    Raises:
        TooLong: it is.
    """
    if ply > LONGEST:
        raise TooLong
