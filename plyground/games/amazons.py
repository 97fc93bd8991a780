"""The Game of the Amazons (Walter Zamkauskas, 1988): move a queen, shoot an arrow; who cannot loses.

In one turn an amazon of the player to move goes as a queen of chess does, then shoots an arrow the same way from where
it stands. The square that is hit is closed for good, so every game ends. x begins, from the lower rows.

A move is the square it comes from, the one it goes to shifted by 8 bits, and the one it shoots at by 16; in text
`d1-d7/g7`. A square is a bit, as in `plyground/board/squares.py`; what an amazon reaches is found by runs of free
squares in eight directions.

A turn of two actions is one move here: the states after the first action alone would have no useful evaluation. On
10 x 10, the board it is mostly played on, there are 2,176 first moves, on 6 x 6 there are 544.

Small boards are solved: Müller, "Solving 5x5 Amazons" (2001); Song and Müller, "An enhanced solver for the game of
Amazons" (2015), whose boards are named by their columns and then their rows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import Words, common, elements, one, size, some, union, with_member, without
from plyground.board.look import STEP_WORDS, Board, Colour, Piece, Surface
from plyground.board.signs import DASH, PLACE, SLASH
from plyground.board.squares import Squares
from plyground.errors import BadInput
from plyground.games.about import LAND, About, ShippedGame
from plyground.games.on_squares import OnSquares
from plyground.rules import ONGOING

LARGEST_BOARD = 12
# 12 rows of 13 bits are 156 bits, so a square has room in 8.
SQUARE_MASK = 255


class AmazonsState(NamedTuple):
    """Squares of the amazons, from the view of the player to move, and of the arrows."""

    mine: Words
    theirs: Words
    arrows: Words
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class Amazons(OnSquares[AmazonsState]):
    """A board of `rows` and `columns`. Each side has four amazons: x's on a4, d1, g1 and j4 of 10 x 10, nearer to the
    corners of a smaller board; o's opposite.
    """

    rows: Annotated[int, "Rows"] = 6
    columns: Annotated[int, "Columns"] = 6

    kind = "queen"
    names: ClassVar[tuple[str, str]] = ("White", "Black")
    colours: ClassVar[tuple[Colour, Colour]] = ("white", "black")
    surface: ClassVar[Surface] = "wood"
    chequered = True
    seat: ClassVar[int | None] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (4 <= self.rows <= LARGEST_BOARD and 4 <= self.columns <= LARGEST_BOARD):
            raise BadInput(
                f"A board of {self.rows} rows and {self.columns} columns: amazons has 4 to {LARGEST_BOARD} of each."
            )

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def squares(self) -> Squares:
        return Squares(self.rows, self.columns, upward=True)

    def initial(self) -> AmazonsState:
        return AmazonsState(self.initial_squares(True), self.initial_squares(False), self.squares.none, 0)

    def initial_squares(self, below: bool) -> Words:
        """Initial squares of a side: two amazons on its last row, two at the edges."""
        up, beside = (max(1, length * 4 // 10 - 1) for length in (self.rows, self.columns))  # from the corners
        last = self.columns - 1
        places = ((0, beside), (0, last - beside), (up, 0), (up, last))
        rows = [(self.rows - 1 - row if below else row, column) for row, column in places]
        return self.squares.of(tuple(row * self.squares.stride + column for row, column in rows))

    def free(self, state: AmazonsState) -> Words:
        """The squares with nothing on them."""
        return without(self.squares.all, union(state.arrows, union(state.mine, state.theirs)))

    def reach(self, cells: Words, free: Words) -> Words:
        """Squares that a queen on any of these squares can reach in one move."""
        found = self.squares.none
        for index in range(8):
            found = union(found, self.squares.run(cells, free, self.squares.steps[index]))
        return found

    def moves(self, state: AmazonsState) -> Iterator[int]:
        free, queens = self.free(state), state.mine
        while some(queens):
            queen = one(queens)
            left, ends = union(free, queen), self.reach(queen, free)
            while some(ends):
                end = one(ends)
                start = self.bit_of(queen) | self.bit_of(end) << 8
                # The square that the queen has left is free to the arrow, the one where she stands is not.
                for shot in elements(self.reach(end, without(left, end))):
                    yield start | shot << 16
                ends = without(ends, end)
            queens = without(queens, queen)

    def bit_of(self, square: Words) -> int:
        """The bit of the one square of a set."""
        for bit in elements(square):
            return bit
        return SQUARE_MASK

    def play(self, state: AmazonsState, move: int) -> AmazonsState:
        start = with_member(self.squares.none, move & SQUARE_MASK)
        mine = with_member(without(state.mine, start), move >> 8 & SQUARE_MASK)
        return AmazonsState(state.theirs, mine, with_member(state.arrows, move >> 16), 1 - state.turn)

    def outcome(self, state: AmazonsState) -> int:
        free = self.free(state)
        for index in range(8):
            step = self.squares.steps[index]
            # A queen that can go one step can also shoot back at the square it left, so a step is a move.
            if some(without(self.squares.shift(state.mine, step), without(self.squares.all, free))):
                return ONGOING
        return 2 * state.turn - 1

    def tier(self, state: AmazonsState) -> int:
        """Arrows on the board."""
        return size(state.arrows)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: AmazonsState) -> int:
        """Ten for each square that x alone reaches in one move, and one for each that x reaches at all, less o's."""
        free = self.free(state)
        mine, theirs = self.reach(state.mine, free), self.reach(state.theirs, free)
        worth = 10 * (size(without(mine, theirs)) - size(without(theirs, mine))) + size(mine) - size(theirs)
        return worth * (1 - 2 * state.turn)

    def order(self, state: AmazonsState, move: int) -> int:
        """Rank of a move: 1 where the arrow stands beside an amazon of the other side, else 0."""
        # No finer order: thousands of moves are sorted in each node.
        shot = with_member(self.squares.none, move >> 16)
        for index in range(8):
            if some(common(self.squares.shift(shot, self.squares.steps[index]), state.theirs)):
                return 1
        return 0

    # -- for people -------------------------------------------------------------------------------------------------

    def sides(self, state: AmazonsState) -> tuple[Words, Words]:
        """The squares of x and of o; a closed one is both's, so it is written `#`, and the third piece stands on it."""
        mine, theirs = union(state.mine, state.arrows), union(state.theirs, state.arrows)
        return (mine, theirs) if state.turn == 0 else (theirs, mine)

    def board(self) -> Board:
        board = super().board()
        return replace(board, pieces=(*board.pieces, Piece(kind="arrow")), spoken=(*STEP_WORDS, ("/", ", arrow ")))

    def parse_state(self, text: str) -> AmazonsState:
        x, o, turn = self.squares.read(text.replace("#", "."))
        cells = text.strip().replace("/", "")
        arrows = self.squares.of(tuple(bit for bit, cell in zip(self.squares.bits, cells, strict=False) if cell == "#"))
        if (size(x), size(o)) != (4, 4):
            raise BadInput(f"{text!r} cannot arise: x and o have four amazons each.")
        # Each move shoots one arrow and x begins, so their number tells whose turn it is.
        if size(arrows) % 2 != turn:
            raise BadInput(f"{text!r} cannot arise: after {size(arrows)} arrows it is the other player's turn.")
        return AmazonsState(x, o, arrows, turn) if turn == 0 else AmazonsState(o, x, arrows, turn)

    def path(self, state: AmazonsState, move: int) -> Iterator[int]:
        """Where the amazon comes from, where it goes, and where its arrow does."""
        yield self.squares.place(move & SQUARE_MASK)
        yield self.squares.place(move >> 8 & SQUARE_MASK)
        yield self.squares.place(move >> 16)

    def move_signs(self, state: AmazonsState, move: int) -> Iterator[int]:
        yield PLACE
        yield self.squares.place(move & SQUARE_MASK)
        yield DASH
        yield PLACE
        yield self.squares.place(move >> 8 & SQUARE_MASK)
        yield SLASH
        yield PLACE
        yield self.squares.place(move >> 16)

    def parse_move(self, state: AmazonsState, text: str) -> int:
        words = re.fullmatch(r"([a-z]\d+)-([a-z]\d+)/([a-z]\d+)", text.strip().lower())
        if words is None:
            raise BadInput(f"{text!r} is not a move: write from, to and the arrow's square, as in d1-d7/g7.")
        start, end, shot = map(self.squares.parse_square, words.groups())
        return start | end << 8 | shot << 16


AMAZONS = ShippedGame(
    "amazons",
    Amazons,
    "queens move and shoot arrows, who is stuck loses: amazons:rows,columns; amazons:10,10",
    about=About(
        "Amazons",
        LAND,
        "Move a queen, then let her shoot an arrow at a square, which is closed for good. Who cannot move has lost.",
        "d1-d7/i7 g10-g2/f1 g1-b6/f2 g2-e4/e6 d7-d9/e10 d10-f8/e9 d9-h5/d5 e4-g4/b4 b6-c7/g7 f8-d6/c6 c7-d8/e7",
        "10,10",
        details=(
            "Each side has four queens, which move as in chess: any number of free squares in a straight or slanting "
            "line. Where she has arrived, the queen shoots an arrow, which flies in the same way; the square it hits "
            "is closed for good, to queens and to arrows. Nothing is captured. The side that cannot move has lost, "
            "so there is no draw."
        ),
    ),
)
