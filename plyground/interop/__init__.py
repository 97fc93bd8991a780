"""Shared helpers of the adapters to other game libraries.

Those libraries need the number of actions beforehand, and a board as an array. Moves are ints here, so the number of
actions is one more than the largest move; unless the caller gives it, random games find it. A state is ints, so an
array of their bits describes it completely.
"""

import random
from typing import Any

from plyground.board.bits import flat
from plyground.errors import BadInput
from plyground.rules import ONGOING, Game

# A game of any kind of state.
AnyGame = Game[Any]

SAMPLE_GAMES = 50
"""Random games in which the largest move is searched."""


def count_actions(game: AnyGame) -> int:
    """A power of two above all moves of `SAMPLE_GAMES` random games: always the same, but not proved to be enough."""
    # A fixed seed: the number of actions is the shape of a learner's network, which must be the
    # same when it is loaded again.
    chance, largest = random.Random(0), 0
    for _ in range(SAMPLE_GAMES):
        state = game.initial()
        # Plies of one game: repetitions are not counted here, so a game with cycles could go on.
        for _ in range(1_000):
            if game.outcome(state) != ONGOING:
                break
            moves = list(game.moves(state))
            largest = max(largest, *moves)
            state = game.play(state, chance.choice(moves))
    return 1 << max(largest, 1).bit_length()


def check_moves(moves: list[int], actions: int) -> list[int]:
    """The moves in ascending order, checked to be below `actions`.

    Raises:
        BadInput: a move is `actions` or more.
    """
    if moves and max(moves) >= actions:
        raise BadInput(
            f"The move {max(moves)} is beyond the {actions} actions that random games showed: say actions=…."
        )
    return sorted(moves)


def state_bits(state: Any) -> list[int]:
    """The ints of a state as bits, 64 for each, the lowest first."""
    return [word >> place & 1 for word in flat(state) for place in range(64)]
