"""The exact value of a state, by a few principal variation searches to the end of the game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from plyground.in_pages import in_pages
from plyground.rules import LONGEST, MAX, Game, State
from plyground.score import final
from plyground.search.context import STACK, SURE_HIGH, SURE_LOW, SearchContext
from plyground.search.observer import Observer
from plyground.search.pvs import FOREVER


@in_pages
def reach(game: Game[Any], state: Any, prefer_shorter: int) -> tuple[int, int]:
    """Lowest and highest value that the bounds of a state allow, from the side of the player to move."""
    least, most = game.bounds(state)
    low, high = (least, most) if game.to_move(state) == MAX else (-most, -least)
    far = prefer_shorter * LONGEST
    return final(low, far if low > 0 else 0), final(high, far if high < 0 else 0)


@in_pages
class AskedState(Protocol):
    """A state that is searched with null windows."""

    def above(self, ask: int, low: int, high: int) -> int:
        """Search with the window from `ask` to `ask + 1`.

        Args:
            ask: the value that is asked about.
            low, high: known bounds of the value.
        """
        raise NotImplementedError


@in_pages
def decide_value(asked: AskedState, low: int, high: int) -> int:
    """Exact value between two bounds, from the side of the player to move.

    The value is asked for with windows that hold nothing: first whether the state is won, then whether it is lost, and
    from then on just beyond the last answer (MTD(f): Plaat, Schaeffer, Pijls and de Bruin, 1996).
    """
    ask = max(min(0, high - 1), low)
    while low < high:
        value = asked.above(ask, low, high)
        if value > ask:
            low = max(low, value)
        else:
            high = min(high, value)
        ask = low if value == low else high - 1
        if low <= 0 <= high:
            ask = 0 if high > 0 and low == 0 else -1
    return low


@dataclass(frozen=True)
class _SearchedState:
    """A state whose known bounds are kept in the scratch, at `SURE_LOW` and `SURE_HIGH`."""

    search: Callable[..., int]
    observer: Observer
    context: SearchContext
    state: Any
    prefer_shorter: int

    def above(self, ask: int, low: int, high: int) -> int:
        """Search with a null window."""
        self.keep(low, high)
        window = ask, ask + 1
        return self.search(self.observer, self.context, self.state, FOREVER, *window, self.prefer_shorter, 0, STACK)

    def keep(self, low: int, high: int) -> None:
        """Keep the bounds."""
        self.context.scratch[SURE_LOW], self.context.scratch[SURE_HIGH] = low, high


def decide(
    search: Callable[..., int],
    observer: Observer,
    context: SearchContext,
    state: State,
    prefer_shorter: int,
    low: int,
    high: int,
) -> int:
    """Exact value of a state, from the side of the player to move, by a few searches with null windows.

    Args:
        search: `pvs` for the state's game, at either speed.
        observer, context, state, prefer_shorter: as for `pvs`.
        low, high: known bounds of the value.
    """
    asked = _SearchedState(search, observer, context, state, prefer_shorter)
    value = decide_value(asked, low, high)
    asked.keep(value, value)
    return value
