"""A walk through a hall; constants stand in the class, and helpers are its methods."""

from dataclasses import dataclass
from typing import NamedTuple

import plyground as pg


class HallState(NamedTuple):
    cells: tuple
    here: int
    turn: int


@dataclass(frozen=True)
class Hall(pg.Game):
    """Step to a place not visited before; a player who cannot loses."""

    STEPS = [-2, -1, 1, 2]
    PLACES = 6

    def initial(self):
        return HallState((1,) + (0,) * (self.PLACES - 1), 0, 0)

    def to_move(self, state):
        return state.turn

    def free(self, state):
        return [state.here + step for step in self.STEPS if self.inside(state, step)]

    def inside(self, state, step):
        return 0 <= state.here + step < self.PLACES and state.cells[state.here + step] == 0

    def moves(self, state):
        for place in self.free(state):
            yield place

    def play(self, state, move):
        cells = list(state.cells)
        cells[move] = 1
        return HallState(tuple(cells), move, 1 - state.turn)

    def outcome(self, state):
        if self.free(state):
            return pg.ONGOING
        return -1 if state.turn == 0 else 1

    def board(self):
        return pg.Board(pg.squares(1, self.PLACES).places, pieces=(pg.Piece("", "stone"),))

    def stands(self, state):
        for place in range(self.PLACES):
            yield 1 if state.cells[place] else 0

    def path(self, state, move):
        yield move
