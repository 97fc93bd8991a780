"""Our games as games of other libraries: what is common to all of them.

They want to know beforehand how many moves there are, and a board as an array. Moves are ints here, so their number is
one more than the largest; nobody says which that is, so random games find it, unless the caller says it. A state is
ints, so an array of their bits tells all of it.
"""

import random
from typing import Any

from plyground.board.bits import flat
from plyground.errors import BadInput
from plyground.rules import ONGOING, Game

# A game of any kind of state.
AnyGame = Game[Any]

LOOKED_AT = 50
"""Random games in which the largest move is looked for."""


def actions_of(game: AnyGame) -> int:
    """A power of two above every move of some random games: the same one each time, and no proof."""
    chance, largest = random.Random(0), 0
    for _ in range(LOOKED_AT):
        state = game.initial()
        for _ in range(1_000):
            if game.outcome(state) != ONGOING:
                break
            moves = list(game.moves(state))
            largest = max(largest, *moves)
            state = game.play(state, chance.choice(moves))
    return 1 << max(largest, 1).bit_length()


def within(moves: list[int], actions: int) -> list[int]:
    """The moves, in ascending order, if there is room for them.

    Raises:
        BadInput: one is beyond `actions`.
    """
    if moves and max(moves) >= actions:
        raise BadInput(
            f"The move {max(moves)} is beyond the {actions} actions that random games showed: say actions=…."
        )
    return sorted(moves)


def bits_of(state: Any) -> list[int]:
    """The ints of a state as bits, 64 for each, the lowest first."""
    return [word >> place & 1 for word in flat(state) for place in range(64)]
