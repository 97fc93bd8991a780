"""Pawns alone, on a small board; Martin Gardner's hexapawn has three rows and three columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import plyground as pg


class PawnState(NamedTuple):
    """What stands on each square, row by row from the top: 0 nothing, 1 a pawn of White, 2 one of Black."""

    cells: tuple[int, ...]
    turn: int


@dataclass(frozen=True)
class Pawns(pg.Game[PawnState]):
    """Pawns step straight ahead and take diagonally. Who reaches the other side wins, and who cannot move loses."""

    rows: int = 4
    columns: int = 4

    names = ("White", "Black")
    colours = ("white", "black")
    draws = False

    def initial(self) -> PawnState:
        row = (0,) * self.columns
        return PawnState((2,) * self.columns + row * (self.rows - 2) + (1,) * self.columns, 0)

    def to_move(self, state: PawnState) -> int:
        return state.turn

    def moves(self, state: PawnState) -> Iterator[int]:
        """Each move is three times the square it starts from, plus 0 to the left, 1 straight, 2 to the right."""
        ahead = -1 if state.turn == 0 else 1
        for square in range(self.rows * self.columns):
            row, column = square // self.columns + ahead, square % self.columns
            if state.cells[square] == 1 + state.turn and 0 <= row < self.rows:
                for side in range(3):
                    if 0 <= column + side - 1 < self.columns:
                        target = state.cells[row * self.columns + column + side - 1]
                        if target == (0 if side == 1 else 2 - state.turn):
                            yield 3 * square + side

    def goal(self, state: PawnState, move: int) -> int:
        """The square that a move leads to."""
        return move // 3 + move % 3 - 1 + (self.columns if state.turn else -self.columns)

    def play(self, state: PawnState, move: int) -> PawnState:
        cells = list(state.cells)
        cells[move // 3] = 0
        cells[self.goal(state, move)] = 1 + state.turn
        return PawnState(tuple(cells), 1 - state.turn)

    def outcome(self, state: PawnState) -> int:
        for column in range(self.columns):
            if state.cells[column] == 1:
                return 1
            if state.cells[column - self.columns] == 2:
                return -1
        if any(True for _ in self.moves(state)):
            return pg.ONGOING
        return 2 * state.turn - 1

    def evaluate(self, state: PawnState) -> int:
        return state.cells.count(1) - state.cells.count(2)

    def board(self) -> pg.Board:
        pawns = (pg.Piece("x", "pawn"), pg.Piece("o", "pawn"))
        return pg.squares(self.rows, self.columns, chequered=True, upward=True, pieces=pawns)

    def stands(self, state: PawnState) -> Iterator[int]:
        yield from state.cells

    def path(self, state: PawnState, move: int) -> Iterator[int]:
        yield move // 3
        yield self.goal(state, move)
