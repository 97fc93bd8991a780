"""Three in a row on 3 x 3, with its helpers in another file beside it."""

from dataclasses import dataclass

import lines
import plyground as pg
from lines import RowState, has_line


@dataclass(frozen=True)
class Row(pg.Game):
    """Fill three in a row."""

    def initial(self):
        return RowState((0,) * 9, 0)

    def to_move(self, state):
        return state.ply % 2

    def moves(self, state):
        if has_line(state.cells):
            return
        for cell in range(9):
            if state.cells[cell] == 0:
                yield cell

    def play(self, state, move):
        return RowState(lines.with_mark(state.cells, move, 1 + state.ply % 2), state.ply + 1)

    def outcome(self, state):
        if has_line(state.cells):
            return 1 if state.ply % 2 == 1 else -1
        return 0 if state.ply == 9 else pg.ONGOING

    def board(self):
        return pg.Board(pg.squares(3, 3).places, pieces=(pg.Piece("x", "mark"), pg.Piece("o", "mark")))

    def stands(self, state):
        for cell in range(9):
            yield state.cells[cell]

    def path(self, state, move):
        yield move
