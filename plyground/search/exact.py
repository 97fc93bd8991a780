"""The exact value of a state, by a few principal variation searches to the end of the game."""

from collections.abc import Callable

from plyground.rules import LONGEST, MAX, Game, State
from plyground.score import final
from plyground.search.context import STACK, SURE_HIGH, SURE_LOW, SearchContext
from plyground.search.observer import Observer
from plyground.search.pvs import FOREVER


def reach(game: Game[State], state: State, prefer_shorter: int) -> tuple[int, int]:
    """Lowest and highest value that the bounds of a state allow, from the side of the player to move."""
    low, high = game.bounds(state)
    if game.to_move(state) != MAX:
        low, high = -high, -low
    return final(low, prefer_shorter * (LONGEST if low > 0 else 0)), final(
        high, prefer_shorter * (LONGEST if high < 0 else 0)
    )


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

    The value is asked for with windows that hold nothing: first whether the state is won, then whether it is lost, and
    from then on just beyond the last answer (MTD(f): Plaat, Schaeffer, Pijls and de Bruin, 1996). What is known already
    is kept in the scratch, at `SURE_LOW` and `SURE_HIGH`.

    Args:
        search: `pvs` for the state's game, at either speed.
        observer, context, state, prefer_shorter: as for `pvs`.
        low, high: known bounds of the value.
    """
    scratch = context.scratch
    ask = max(min(0, high - 1), low)
    while low < high:
        scratch[SURE_LOW], scratch[SURE_HIGH] = low, high
        value = search(observer, context, state, FOREVER, ask, ask + 1, prefer_shorter, 0, STACK)
        if value > ask:
            low = max(low, value)
        else:
            high = min(high, value)
        ask = low if value == low else high - 1
        if low <= 0 <= high:
            ask = 0 if high > 0 and low == 0 else -1
    scratch[SURE_LOW], scratch[SURE_HIGH] = low, high
    return low
