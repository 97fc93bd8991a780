"""Guards of all searches: the longest line of play, and the most moves noted on it.

Compiled code does not check where it writes. So a search calls `require_room` before it notes a move, and `require_end`
before it goes a ply deeper: a game without end would otherwise overflow the stack.
"""

from plyground.errors import GameFault
from plyground.rules import LONGEST, MOST_MOVES


class TooManyMoves(GameFault):
    """The moves of one line of play do not fit a search's scratch memory."""

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


# Both guards are functions with a raise of a constant class: compiled, each is one comparison and a branch that is
# never taken, which no measurement tells from a search without them.
def require_room(end: int, places: int) -> None:
    """Check that places below `end` exist in scratch memory of `places` places.

    Raises:
        TooManyMoves: they do not.
    """
    if end > places:
        raise TooManyMoves


def require_end(ply: int) -> None:
    """Check that a line of `ply` plies is no longer than a game may be.

    Raises:
        TooLong: it is.
    """
    # `LONGEST` is a law of games, so whoever gets here has rules without an end, not a deep search: the sentence is
    # about the rules.
    if ply > LONGEST:
        raise TooLong
