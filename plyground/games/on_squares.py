"""Base class of games of two sides on a board of squares: notation and pictures."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeVar

from plyground.board.bits import Words, has_member
from plyground.board.look import WON, Board, Piece, squares
from plyground.board.signs import write_board
from plyground.board.squares import Squares
from plyground.errors import BadInput
from plyground.rules import Game


class SquaresState(Protocol):
    """State of such a game: the squares of each side, from the view of the player to move."""

    @property
    def mine(self) -> Words:
        """Squares of the player to move."""

    @property
    def theirs(self) -> Words:
        """Squares of the other player."""

    @property
    def turn(self) -> int:
        """The player to move: 0 for x, 1 for o."""


State = TypeVar("State", bound=SquaresState)


class OnSquares(Game[State]):
    """Game of two sides on a board of squares; x begins."""

    kind = "mark"
    """Kind of the pieces, as `look.Piece` has it."""
    chequered = False
    seat: ClassVar[int | None] = None
    """Side that sits at the bottom, as `look.Board` has it."""
    extra_places: ClassVar[int] = 0
    """Places that the board has after its squares, on which nothing stands."""

    @cached_property
    def squares(self) -> Squares:
        """The board in bits."""
        raise NotImplementedError

    def to_move(self, state: State) -> int:
        return state.turn

    def sides(self, state: State) -> tuple[Words, Words]:
        """The squares of x and of o."""
        return (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)

    # -- for people -------------------------------------------------------------------------------------------------

    def state_signs(self, state: State) -> Iterator[int]:
        """Rows from the top, with `.` for an empty square, then the player to move: `x.o/.x./...:o`."""
        x, o = self.sides(state)
        return write_board(x, o, self.squares.bits, self.squares.columns, state.turn)

    def parse_state(self, text: str) -> State:
        x, o, turn = self.squares.read(text)
        # The fields of a state are the mover's first, those of a text x's.
        kind: Any = type(self.initial())
        state: State = kind(x, o, turn) if turn == 0 else kind(o, x, turn)
        if fault := self.impossibility(state):
            raise BadInput(f"{text!r} cannot arise: {fault}.")
        return state

    def impossibility(self, state: State) -> str:
        """Reason why no game comes to a state, as a clause; empty if none is known, which proves nothing."""
        return ""

    def board(self) -> Board:
        form = self.squares
        board = squares(form.rows, form.columns, upward=form.upward, chequered=self.chequered)
        return replace(board, pieces=(Piece("x", self.kind), Piece("o", self.kind)), seat=self.seat)

    def stands(self, state: State) -> Iterator[int]:
        """The piece on each square, with `WON` added where it is part of the winning line."""
        x, o = self.sides(state)
        won = self.winning_cells(state)
        for bit in self.squares.bits:
            yield has_member(x, bit) + 2 * has_member(o, bit) + WON * has_member(won, bit)
        # `stands` gives a number for every place of the board, those beside the squares included.
        for _ in range(self.extra_places):
            yield 0

    def winning_cells(self, state: State) -> Words:
        """Squares of the line or chain that won the game; none while it goes on."""
        return self.squares.none

    def path(self, state: State, move: int) -> Iterator[int]:
        """The square of the mark; a move that sets none is a button."""
        if move < self.squares.end:
            yield self.squares.place(move)

    def parse_move(self, state: State, text: str) -> int:
        return self.squares.parse_square(text)
