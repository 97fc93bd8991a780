"""The exact value of a state, by a few principal variation searches to the end of the game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from plyground.in_pages import in_pages
from plyground.rules import LONGEST, MAX, Game, State
from plyground.score import final
from plyground.search.context import STACK, SearchContext
from plyground.search.observer import Observer
from plyground.search.pvs import FOREVER


@in_pages
def value_bounds(game: Game[Any], state: Any, prefer_shorter: int) -> tuple[int, int]:
    """Lowest and highest value that `Game.bounds` allows, positive when good for the player to move."""
    least, most = game.bounds(state)
    low, high = (least, most) if game.to_move(state) == MAX else (-most, -least)
    # The winner wants the end soon: at the low end of what may happen a certain win is as late as a game can be, at the
    # high end a certain loss is. Without distances both collapse to the utility.
    far = prefer_shorter * LONGEST
    return final(low, far if low > 0 else 0), final(high, far if high < 0 else 0)


@in_pages
class AskedState(Protocol):
    """Protocol of a state that is searched with null windows."""

    def search_null_window(self, ask: int) -> int:
        """Value or bound by a search with the window from `ask` to `ask + 1`, for the player to move."""
        raise NotImplementedError


@in_pages
def decide_value(asked: AskedState, low: int, high: int) -> int:
    """Exact value between two bounds, from the side of the player to move.

    The value is asked for with windows that hold nothing: first whether the state is won, then whether it is lost, and
    from then on just beyond the last answer (MTD(f): Plaat, Schaeffer, Pijls and de Bruin, 1996).
    """
    # Most games end in a few utilities, so the sign decides most: is it won (above 0)? is it at least a draw (above
    # -1)? The questions about margins and distances then begin at the answer.
    ask = max(min(0, high - 1), low)
    while low < high:
        value = asked.search_null_window(ask)
        if value > ask:
            low = max(low, value)
        else:
            high = min(high, value)
        ask = low if value == low else high - 1
        # Before the sign is known, a question about the distance would be wasted on the side that may not win.
        if low <= 0 <= high:
            ask = 0 if high > 0 and low == 0 else -1
    return low


@dataclass(frozen=True)
class _SearchedState:
    """A state that `pvs` searches to the end of the game with null windows."""

    search: Callable[..., int]
    observer: Observer
    context: SearchContext
    state: Any
    prefer_shorter: int

    def search_null_window(self, ask: int) -> int:
        window = ask, ask + 1
        return self.search(self.observer, self.context, self.state, FOREVER, *window, self.prefer_shorter, 0, STACK)


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
    return decide_value(_SearchedState(search, observer, context, state, prefer_shorter), low, high)
