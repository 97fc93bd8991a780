"""Best moves of a position whose exact value is known."""

from typing import Any, Protocol

from plyground.in_pages import in_pages
from plyground.position import Position
from plyground.rules import MAX, NO_MOVE
from plyground.score import final


@in_pages
class NullWindows(Protocol):
    """Searches of states to the end of the game."""

    def search_null_window(self, state: Any, ask: int) -> int:
        """Value or bound by a search with the window from `ask` to `ask + 1`, for the player to move."""
        raise NotImplementedError


@in_pages
def find_best_move(search: NullWindows, position: Position, value: int, prefer_shorter: int) -> int:
    """The first move that is worth as much as the position, by the player to move; `NO_MOVE` for none."""
    for move in position.legal_moves:
        # Not more than the value either, as the position's value is the best of its moves: the first that reaches it is
        # a best one.
        if _keeps_value(search, position, position.after(move), value, prefer_shorter):
            return move
    return NO_MOVE


@in_pages
def _keeps_value(search: NullWindows, position: Position, child: Position, value: int, prefer_shorter: int) -> bool:
    """Whether a move, by the position after it, is worth a value to the player who makes it."""
    side = 1 if position.to_move == MAX else -1
    outcome = child.outcome
    if outcome is not None:
        return side * final(outcome, prefer_shorter) >= value
    # The child's values count plies from the child, one less than from here: a win is worth one more there, a loss one
    # less.
    wanted = value + prefer_shorter * ((value > 0) - (value < 0))
    if child.to_move == position.to_move:
        return search.search_null_window(child.state, wanted - 1) >= wanted
    # The other player is to move: at least `wanted` for this one is at most `-wanted` for that one.
    return -search.search_null_window(child.state, -wanted) >= wanted
