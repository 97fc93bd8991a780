"""The exact value of a state, by a few principal variation searches to the end of the game."""

from collections.abc import Callable

from plyground.rules import LONGEST, MAX, Game, State
from plyground.score import final
from plyground.search.mind import STACK, SURE_HIGH, SURE_LOW, Mind
from plyground.search.pvs import FOREVER
from plyground.search.watch import Watcher


def reach(game: Game[State], state: State, hurry: int) -> tuple[int, int]:
    """The lowest and highest value a state can have by its bounds alone, from the side of the player to move."""
    low, high = game.bounds(state)
    if game.to_move(state) != MAX:
        low, high = -high, -low
    return final(low, hurry * (LONGEST if low > 0 else 0)), final(high, hurry * (LONGEST if high < 0 else 0))


def decide(
    search: Callable[..., int], watch: Watcher, mind: Mind, state: State, hurry: int, low: int, high: int
) -> int:
    """The exact value of a state, from the side of the player to move, by a few searches with null windows.

    The value is asked for with windows that hold nothing: first whether the state is won, then whether it is lost, and
    from then on just beyond the last answer (MTD(f): Plaat, Schaeffer, Pijls and de Bruin, 1996). What is known already
    is kept in the notes, at `SURE_LOW` and `SURE_HIGH`.

    Args:
        search: `pvs` for the state's game, at either speed.
        watch, mind, state, hurry: as for `pvs`.
        low, high: what the value is known to lie between.
    """
    notes = mind.notes
    ask = max(min(0, high - 1), low)
    while low < high:
        notes[SURE_LOW], notes[SURE_HIGH] = low, high
        value = search(watch, mind, state, FOREVER, ask, ask + 1, hurry, 0, STACK)
        if value > ask:
            low = max(low, value)
        else:
            high = min(high, value)
        ask = low if value == low else high - 1
        if low <= 0 <= high:
            ask = 0 if high > 0 and low == 0 else -1
    notes[SURE_LOW], notes[SURE_HIGH] = low, high
    return low
