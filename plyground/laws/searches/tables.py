"""Values that a search has computed before a node: its table may have kept them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from plyground.laws.searches.facts import OPEN, SearchFacts
from plyground.position import Position


class ValuedState(NamedTuple):
    """State with a value that a search has given it."""

    state: Any
    left: int | None
    """Plies left there."""
    ply: int
    """Plies since the root."""
    value: int
    bound: int
    """The side on which its value is beyond its window: 1 above, -1 below, 0 neither."""
    is_searched: bool
    """Whether a move of it was searched."""
    is_left_at: int
    """The node that was entered next after it; 0 for one of an earlier search."""


class KnownStates:
    """States of a recorded search and of those just before it, in the order of their events."""

    def __init__(self, search: SearchFacts, earlier: Sequence[SearchFacts]) -> None:
        self._game = search.game
        self._all = [
            *(each for before in earlier for each in _known_values(before, is_over=True)),
            *_known_values(search),
        ]
        self._by_state: dict[Any, list[ValuedState]] = {}
        for each in self._all:
            self._by_state.setdefault(each.state, []).append(each)

    def of(self, state: Any, place: int) -> Iterator[ValuedState]:
        """Yield the values of a state that were known when a node was entered."""
        return _known_until(self._by_state.get(state, ()), place)

    def until(self, place: int) -> Iterator[ValuedState]:
        """Yield all values that were known when a node was entered."""
        return _known_until(self._all, place)

    def has_twin(self, state: Any, left: int | None, place: int, value: int) -> bool:
        """Whether the same board with the other player to move was known, with a value to a depth."""
        board, mover = self._board_and_mover(state)
        return any(
            (each.value, each.left) == (value, left)
            and (words := self._board_and_mover(each.state))[0] == board
            and words[1] != mover
            for each in _known_until(self._all, place)
        )

    def _board_and_mover(self, state: Any) -> tuple[str, str]:
        board, _, mover = Position(self._game, state).text.rpartition(":")
        return board, mover

    @property
    def are_bounds_searched_again(self) -> bool:
        """Whether states were searched once more to the same depth after a bound: one above the window, and one below.

        The last value of each state counts: a table with one entry for it has no other."""
        # A search that takes a bound for a value would not have searched these again.
        last: dict[Any, ValuedState] = {}
        again: set[int] = set()
        for each in self._all:
            before = last.get(each.state)
            if each.is_searched and before and before.left == each.left:
                again.add(before.bound)
            last[each.state] = each
        return {-1, 1} <= again


def _known_until(known: Iterable[ValuedState], place: int) -> Iterator[ValuedState]:
    return (each for each in known if each.is_left_at <= place)


def _known_values(search: SearchFacts, *, is_over: bool = False) -> Iterator[ValuedState]:
    entered = 0
    for step in search.recording.steps:
        if step >= 0:
            entered = step + 1
            continue
        node, report = search.nodes[~step], search.reports[~step]
        low, high = search.windows[~step] or OPEN
        bound, is_searched = (node.value >= high) - (node.value <= low), bool(report.children or report.begun)
        # An entry that an earlier search has left was there from the first node on.
        ply, at = search.ply + node.level, 0 if is_over else entered
        yield ValuedState(node.state, search.depths[~step], ply, node.value, bound, is_searched, at)
