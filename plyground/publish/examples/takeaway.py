"""A row of stones, from whose end one to three are taken."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import plyground as pg


class Stones(NamedTuple):
    """A state: ints alone, and it never changes."""

    stones: int
    turn: int  # 0 is x, who begins; 1 is o


@dataclass(frozen=True)
class TakeAway(pg.Game[Stones]):
    """Take one, two or three stones. Who takes the last wins."""

    length: int = 15
    most: int = 3

    def initial(self) -> Stones:
        return Stones(self.length, 0)

    def to_move(self, state: Stones) -> int:
        return state.turn

    def moves(self, state: Stones) -> Iterator[int]:
        most = min(self.most, state.stones)
        for taken in range(1, most + 1):
            yield taken

    def play(self, state: Stones, move: int) -> Stones:
        return Stones(state.stones - move, 1 - state.turn)

    def outcome(self, state: Stones) -> int:
        if state.stones > 0:
            return pg.ONGOING
        # who has just moved wins: 1 is a win of x, -1 one of o
        return 1 if state.turn == 1 else -1

    # The rest is for the eye: the places of the board, what
    # stands on each, and which ones a move touches.

    def board(self) -> pg.Board:
        all_places = range(self.length)
        places = [pg.Place(f"{n + 1}", n % 5, n // 5, "point") for n in all_places]
        return pg.Board(tuple(places), pieces=(pg.Piece("x", "stone"),))

    def stands(self, state: Stones) -> Iterator[int]:
        for number in range(self.length):
            yield 1 if number < state.stones else 0

    def path(self, state: Stones, move: int) -> Iterator[int]:
        yield state.stones - move
