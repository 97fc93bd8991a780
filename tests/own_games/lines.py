"""Lines of 3 x 3, for the game beside this file."""

from typing import NamedTuple

from plyground.board.bits import with_word

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class RowState(NamedTuple):
    cells: tuple[int, ...]
    ply: int


def with_mark(cells, place, mark):
    return with_word(cells, place, mark)


def has_line(cells):
    for one, two, three in LINES:
        if cells[one] != 0 and cells[one] == cells[two] and cells[two] == cells[three]:
            return True
    return False
