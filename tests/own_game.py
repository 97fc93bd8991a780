"""A file with a game of a user's own, and the same file saved again with another rule."""

PILE = '''"""A game for tests."""
from dataclasses import dataclass
from typing import Iterator, NamedTuple

import plyground as pg

class Heap(NamedTuple):
    stones: int
    turn: int

@dataclass(frozen=True)
class Pile(pg.Game[Heap]):
    """Take one to three stones; who takes the last one wins."""

    stones: int = 5

    def initial(self) -> Heap:
        return Heap(self.stones, 0)

    def to_move(self, state: Heap) -> int:
        return state.turn

    def moves(self, state: Heap) -> Iterator[int]:
        for take in range(min(3, state.stones)):
            yield take

    def play(self, state: Heap, move: int) -> Heap:
        return Heap(state.stones - move - 1, 1 - state.turn)

    def outcome(self, state: Heap) -> int:
        return pg.ONGOING if state.stones > 0 else 2 * state.turn - 1

def lowest(position):
    return position.legal_moves[0]
'''
LATER = PILE.replace("min(3,", "min(2,")
