"""What games share in which two sides stand on a board of squares: how it is told and drawn."""

from functools import cached_property
from typing import Any, Protocol, TypeVar

from plyground.board.bits import Words
from plyground.board.look import Board, Look, squares
from plyground.board.squares import Squares
from plyground.errors import BadInput
from plyground.rules import Game


class Sides(Protocol):
    """A state of such a game: where each side stands, seen by the player to move."""

    @property
    def mine(self) -> Words:
        """Squares of the player to move."""

    @property
    def theirs(self) -> Words:
        """Squares of the other player."""

    @property
    def turn(self) -> int:
        """The player to move: 0 for x, 1 for o."""


State = TypeVar("State", bound=Sides)


class OnSquares(Game[State]):
    """Two sides on a board of squares; x begins."""

    kind = "mark"
    """What stands on a square, as `look.Piece` has it."""

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

    def text(self, state: State) -> str:
        """Rows from the top with `.` for an empty square, and who is to move: `x.o/.x./...:o`."""
        return f"{self.squares.written(*self.sides(state))}:{self.names[state.turn]}"

    def parse_state(self, text: str) -> State:
        x, o, turn = self.squares.read(text)
        kind: Any = type(self.initial())
        state: State = kind(x, o, turn) if turn == 0 else kind(o, x, turn)
        if fault := self.fault(state):
            raise BadInput(f"{text!r} cannot arise: {fault}.")
        return state

    def fault(self, state: State) -> str:
        """Why no game comes to a state, in words; empty if nothing is known against it."""
        return ""

    def move_text(self, state: State, move: int) -> str:
        return self.squares.name(move)

    def parse_move(self, state: State, text: str) -> int:
        return self.squares.named(text)

    def board(self) -> Board:
        return squares(self.squares.rows, self.squares.columns, upward=self.squares.upward)

    def look(self, state: State) -> Look:
        return Look(self.squares.pieces(*self.sides(state), self.kind))

    def path(self, state: State, move: int) -> tuple[int, ...]:
        """The square of the mark."""
        return (self.squares.place(move),)
