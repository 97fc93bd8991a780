"""Three in a row, with two bits for each square; change BOARD_SIDE or IN_A_ROW_TO_WIN, and play again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import plyground as pg

BOARD_SIDE = 3
IN_A_ROW_TO_WIN = 3
ALL_SQUARES = BOARD_SIDE * BOARD_SIDE
LINE_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down, and both diagonals: rows and columns


def all_lines() -> tuple[int, ...]:
    """Sets of squares as ints, bit n for square n: every line that wins."""
    found = []
    for row in range(BOARD_SIDE):
        for column in range(BOARD_SIDE):
            for down, right in LINE_WAYS:
                squares = [(row + step * down, column + step * right) for step in range(IN_A_ROW_TO_WIN)]
                if all(0 <= y < BOARD_SIDE and 0 <= x < BOARD_SIDE for y, x in squares):
                    found.append(sum(1 << (y * BOARD_SIDE + x) for y, x in squares))
    return tuple(found)


ALL_LINES = all_lines()


class MarkState(NamedTuple):
    """The squares of each side."""

    x: int
    o: int


@dataclass(frozen=True)
class ThreeInARow(pg.Game[MarkState]):
    """Put your mark on an empty square; who first has a whole line wins."""

    def initial(self) -> MarkState:
        return MarkState(0, 0)

    def to_move(self, state: MarkState) -> int:
        return (state.x | state.o).bit_count() % 2

    def moves(self, state: MarkState) -> Iterator[int]:
        for square in range(ALL_SQUARES):
            if not (state.x | state.o) >> square & 1:
                yield square

    def play(self, state: MarkState, move: int) -> MarkState:
        if self.to_move(state) == 0:
            return MarkState(state.x | 1 << move, state.o)
        return MarkState(state.x, state.o | 1 << move)

    def outcome(self, state: MarkState) -> int:
        for line in ALL_LINES:
            if state.x & line == line:
                return 1
            if state.o & line == line:
                return -1
        return 0 if (state.x | state.o).bit_count() == ALL_SQUARES else pg.ONGOING

    def board(self) -> pg.Board:
        return pg.squares(BOARD_SIDE, BOARD_SIDE)

    def stands(self, state: MarkState) -> Iterator[int]:
        for square in range(ALL_SQUARES):
            yield (state.x >> square & 1) + 2 * (state.o >> square & 1)

    def path(self, state: MarkState, move: int) -> Iterator[int]:
        yield move
