"""Static evaluations of many states in one loop."""

from plyground.board.bits import flat
from plyground.rules import Game, State
from plyground.search.memory import Memory, read_state
from plyground.search.observer import Observer


def evaluations(
    game: Game[State], observer: Observer, pattern: State, states: Memory, values: Memory, count: int
) -> int:
    """Write the static evaluation of each state, from the first player's side, to `values`.

    Args:
        game, observer: as for `minimax`; the observer is polled before each state.
        pattern: any state of the game.
        states: the words of all states, one after another.
        values: room for a value for each.
        count: how many there are.

    Returns:
        The count.
    """
    width = len(flat(pattern))
    for index in range(count):
        observer.poll()
        values[index] = game.evaluate(read_state(states, width * index, pattern))
    return count
