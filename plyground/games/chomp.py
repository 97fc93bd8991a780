"""Chomp: bite a square off a bar of chocolate, with all below and to its right; the corner is poison.

Who has to take the poison, at the top left, loses. Gale (1974): on every bar of more than one square the player who
begins wins, for either biting off the lower right square alone wins, or the answer to it could have come first. Which
bite wins is known of bars of two rows and of square ones only.

A state is the squares left in each row, never more than in the row above. A move is the square, row by row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import Words, with_word
from plyground.board.look import Board, Piece, parse_place, squares
from plyground.board.signs import COLON, PLAYER, SLASH, list_numbers
from plyground.errors import BadInput
from plyground.games.about import COUNTING, About, ShippedGame
from plyground.rules import ONGOING, Game

LARGEST_BOARD = 12


class ChompState(NamedTuple):
    """Number of squares left in each row, from the top, and the player to move."""

    rows: Words
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class Chomp(Game[ChompState]):
    """A bar of `rows` by `columns` squares; x begins."""

    rows: Annotated[int, "Rows"] = 4
    columns: Annotated[int, "Columns"] = 5

    draws = False
    names: ClassVar[tuple[str, str]] = ("Player 1", "Player 2")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (1 <= self.rows <= LARGEST_BOARD and 1 <= self.columns <= LARGEST_BOARD):
            raise BadInput(f"A bar of {self.rows} rows and {self.columns} columns: each must be 1 to {LARGEST_BOARD}.")

    # -- the rules --------------------------------------------------------------------------------------------------

    def initial(self) -> ChompState:
        return ChompState((self.columns,) * self.rows, 0)

    def to_move(self, state: ChompState) -> int:
        return state.turn

    def moves(self, state: ChompState) -> Iterator[int]:
        for row in range(self.rows):
            for column in range(state.rows[row]):
                yield row * self.columns + column

    def play(self, state: ChompState, move: int) -> ChompState:
        rows, column = state.rows, move % self.columns
        # Rows below are at most as long, so after the bite each has at most `column` squares.
        for row in range(move // self.columns, self.rows):
            if rows[row] > column:
                rows = with_word(rows, row, column)
        return ChompState(rows, 1 - state.turn)

    def outcome(self, state: ChompState) -> int:
        return ONGOING if state.rows[0] > 0 else 1 - 2 * state.turn  # who has just moved took the poison

    def tier(self, state: ChompState) -> int:
        """The negative of the pieces left."""
        left = 0
        for row in range(len(state.rows)):
            left += state.rows[row]
        return -left

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def order(self, state: ChompState, move: int) -> int:
        """Rank of a move: its square, so that small bites, which leave positions searched before, come first."""
        return move

    # -- for people -------------------------------------------------------------------------------------------------

    def state_signs(self, state: ChompState) -> Iterator[int]:
        """Squares left in each row, then the player to move: `5/5/3/0:x`."""
        for sign in list_numbers(state.rows, SLASH):
            yield sign
        yield COLON
        yield PLAYER
        yield state.turn

    def arrangement_text(self, numbers: Sequence[int], counts: Sequence[int], turn: int, unseen: Sequence[int]) -> str:
        """Text of a board that was set up by hand: each row has as many squares as pieces stand on it."""
        rows = (numbers[row * self.columns : (row + 1) * self.columns] for row in range(self.rows))
        return f"{'/'.join(str(sum(map(bool, row))) for row in rows)}:{self.marks[turn]}"

    def parse_state(self, text: str) -> ChompState:
        board, _, mover = text.strip().lower().partition(":")
        words = board.split("/")
        fits = len(words) == self.rows and mover in self.marks
        if not (fits and all(word.isascii() and word.isdigit() and len(word) < 3 for word in words)):
            example = self.text(self.initial())
            raise BadInput(
                f"{text!r} is not a position: write the squares of each row and who moves, as in {example!r}."
            )
        # A bite takes all below it, so a row longer than the one above cannot come about.
        rows = tuple(map(int, words))
        if any(below > above for above, below in zip((self.columns, *rows), rows, strict=False)):
            raise BadInput(f"{text!r} cannot arise: a row has at most as many squares as the one above.")
        return ChompState(rows, self.marks.index(mover))

    def parse_move(self, state: ChompState, text: str) -> int:
        return parse_place(text, self.rows, self.columns)

    def refusal(self, state: ChompState, path: tuple[int, ...]) -> str:
        return "that square has been eaten"

    def board(self) -> Board:
        """Squares of chocolate, and the poisoned one."""
        return replace(
            squares(self.rows, self.columns),
            pieces=(Piece(kind="chocolate", name="square"), Piece(kind="poison", text="P")),
        )

    def stands(self, state: ChompState) -> Iterator[int]:
        """The squares that are left."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield int(column < state.rows[row]) * (2 if row + column == 0 else 1)

    def path(self, state: ChompState, move: int) -> Iterator[int]:
        """The square that is bitten."""
        yield move


CHOMP = ShippedGame(
    "chomp",
    Chomp,
    "bite squares off a bar, leave the poison: chomp:rows,columns",
    about=About(
        "Chomp",
        COUNTING,
        "Bite a square off the bar, and all that is right of it and below it. The first square is poison: leave it to "
        "the other.",
        "d3",
        details=(
            "The bar of chocolate has {rows} rows and {columns} columns. In its turn, a side bites off a square with "
            "all that is left to the right of it, below it, and both. The square at the top left is poison: the side "
            "that has to take it loses."
        ),
    ),
)
