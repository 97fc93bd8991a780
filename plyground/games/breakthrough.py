"""Breakthrough (Dan Troyka, 2000): bring a piece to the other's home row, or take all pieces, to win.

A piece moves one square towards the other side, straight or diagonally, to an empty square; diagonally it may also
take. x begins, on the two lower rows, and moves up. There is always a legal move: a player's foremost piece
has a diagonal square before it on which no piece of the same side stands.

A move is three times the square it goes to, plus 0 where it comes from the left of x's straight way, 1 straight, 2 from
the right; in text `b2-b3`, or `b2xc3` where it takes. A square is a bit, as in `plyground/board/squares.py`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import Words, common, elements, has_member, size, some, union, with_member, without
from plyground.board.look import STEP_WORDS, Board, Colour, Surface
from plyground.board.signs import DASH, PLACE
from plyground.board.squares import Squares
from plyground.errors import BadInput
from plyground.games.about import PIECES, About, ShippedGame
from plyground.games.on_squares import OnSquares
from plyground.rules import ONGOING

PIECE_WEIGHT = 8
"""Weight of a piece in the evaluation, in rows."""


class BreakthroughState(NamedTuple):
    """The pieces of each side, seen by the player to move."""

    mine: Words
    theirs: Words
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class Breakthrough(OnSquares[BreakthroughState]):
    """Each side has two full rows of pieces, one where there are fewer than four rows."""

    rows: Annotated[int, "Rows"] = 8
    columns: Annotated[int, "Columns"] = 8

    foresight = 2
    kind = "man"
    names: ClassVar[tuple[str, str]] = ("White", "Black")
    unit: ClassVar[tuple[str, int]] = ("pieces", PIECE_WEIGHT)
    colours: ClassVar[tuple[Colour, Colour]] = ("white", "black")
    surface: ClassVar[Surface] = "wood"
    chequered = True
    seat: ClassVar[int | None] = 0

    draws = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (3 <= self.rows <= 16 and 2 <= self.columns <= 16):
            raise BadInput(f"A board of {self.rows} rows and {self.columns} columns: 3 to 16 rows and 2 to 16 columns.")

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def squares(self) -> Squares:
        return Squares(self.rows, self.columns, upward=True)

    def row_squares(self, index: int) -> Words:
        """A row, counted from the top."""
        start = index * self.squares.stride
        return self.squares.of(tuple(range(start, start + self.columns)))

    @cached_property
    def first_row(self) -> Words:
        """The top row, where x wants to go."""
        return self.row_squares(0)

    @cached_property
    def last_row(self) -> Words:
        """The bottom row, where o wants to go."""
        return self.row_squares(self.rows - 1)

    @cached_property
    def second_row(self) -> Words:
        return self.row_squares(1)

    @cached_property
    def last_but_one(self) -> Words:
        return self.row_squares(self.rows - 2)

    def initial(self) -> BreakthroughState:
        o, x = self.first_row, self.last_row
        if self.rows > 3:
            o, x = union(o, self.second_row), union(x, self.last_but_one)
        return BreakthroughState(x, o, 0)

    def step(self, turn: int, way: int) -> int:
        """Bits from where a piece stands to where it goes, by each of three ways."""
        # The ways are numbered by x's view, so that `3 * end + way` names a move of either side.
        return (self.squares.stride if turn else -self.squares.stride) + 1 - way

    def squares_ahead(self, pieces: Words, turn: int, way: int) -> Words:
        """Squares to which pieces go by a way, whatever stands there."""
        if turn == 0:
            # A constant step in each branch: with a step that is not known a shift of several words selects among them.
            return self.squares.shift(pieces, self.step(0, way))
        return self.squares.shift(pieces, self.step(1, way))

    def moves(self, state: BreakthroughState) -> Iterator[int]:
        return self.moves_to(state, self.squares.all)

    def moves_to(self, state: BreakthroughState, goals: Words) -> Iterator[int]:
        """The moves that end on some of these squares."""
        goals = without(goals, state.mine)
        for end in elements(common(self.squares_ahead(state.mine, state.turn, 0), goals)):
            yield 3 * end
        for end in elements(common(self.squares_ahead(state.mine, state.turn, 1), without(goals, state.theirs))):
            yield 3 * end + 1
        for end in elements(common(self.squares_ahead(state.mine, state.turn, 2), goals)):
            yield 3 * end + 2

    def play(self, state: BreakthroughState, move: int) -> BreakthroughState:
        end = with_member(self.squares.none, move // 3)
        start = with_member(self.squares.none, move // 3 - self.step(state.turn, move % 3))
        return BreakthroughState(without(state.theirs, end), union(without(state.mine, start), end), 1 - state.turn)

    def outcome(self, state: BreakthroughState) -> int:
        goal = self.first_row if state.turn else self.last_row  # of the player who has just moved
        # The player who has just moved may have come home or taken the last piece; the one to move cannot have won.
        if some(common(state.theirs, goal)) or not some(state.mine):
            return 2 * state.turn - 1
        return ONGOING

    def tier(self, state: BreakthroughState) -> int:
        """Rows that all pieces have come together; a piece that was taken counts as if it had come all the way."""
        return self.all_rows - self.rows_left(state.mine, state.turn) - self.rows_left(state.theirs, 1 - state.turn)

    @cached_property
    def all_rows(self) -> int:
        """Rows that lie before all pieces at first."""
        start = self.initial()
        return self.rows_left(start.mine, 0) + self.rows_left(start.theirs, 1)

    def rows_left(self, pieces: Words, turn: int) -> int:
        """Rows that lie before a side's pieces, of each up to the other side's home row."""
        left = 0
        for bit in elements(pieces):
            row = bit // self.squares.stride
            left += self.rows - 1 - row if turn else row
        return left

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def worth(self, pieces: Words, turn: int) -> int:
        """Worth of a side's pieces in points: `PIECE_WEIGHT` each, and one for each row that it has advanced."""
        return (PIECE_WEIGHT + self.rows - 1) * size(pieces) - self.rows_left(pieces, turn)

    def evaluate(self, state: BreakthroughState) -> int:
        """Eight for each piece of x and one for each row it has come, less o's."""
        mine, theirs = self.worth(state.mine, state.turn), self.worth(state.theirs, 1 - state.turn)
        return (mine - theirs) * (1 - 2 * state.turn)

    def order(self, state: BreakthroughState, move: int) -> int:
        """Rank of a move: captures first, nearest to the own side first; then the piece that gets farthest."""
        # A board has at most 16 rows, so every capture, 64 less its distance, ranks above every step.
        row = move // 3 // self.squares.stride
        come = row if state.turn else self.rows - 1 - row
        return 64 - come if has_member(state.theirs, move // 3) else come

    def is_noisy(self, state: BreakthroughState, move: int) -> bool:
        """Whether the move captures, or reaches the far row."""
        goal = self.last_row if state.turn else self.first_row
        return has_member(state.theirs, move // 3) or has_member(goal, move // 3)

    def is_forced(self, state: BreakthroughState) -> bool:
        """Whether a piece of the other side is about to come home."""
        return some(common(state.theirs, self.second_row if state.turn else self.last_but_one))

    def attacks(self, pieces: Words, turn: int) -> Words:
        """The squares where pieces may take."""
        return union(self.squares_ahead(pieces, turn, 0), self.squares_ahead(pieces, turn, 2))

    def candidates(self, state: BreakthroughState) -> Iterator[int]:
        goals = self.winning_squares(state)
        if some(goals):
            for move in self.moves_to(state, goals):
                yield move
                break
        else:
            for move in self.moves_to(state, self.safe_squares(state)):
                yield move

    def winning_squares(self, state: BreakthroughState) -> Words:
        """Squares to which a move wins: the far row, if a piece stands before it, or that of the other's last piece."""
        row, brink = (self.last_row, self.last_but_one) if state.turn else (self.first_row, self.second_row)
        if some(common(state.mine, brink)):
            return row
        if size(state.theirs) == 1:
            return common(state.theirs, self.attacks(state.mine, state.turn))
        return self.squares.none

    def safe_squares(self, state: BreakthroughState) -> Words:
        """Squares to which a move does not lose at once: it takes a piece about to win, and risks no last piece."""
        brink = self.second_row if state.turn else self.last_but_one
        threats = common(state.theirs, brink)
        goals = threats if some(threats) else self.squares.all
        # One move captures one piece: with two pieces a step from the goal row every move loses.
        if size(threats) > 1:
            goals = self.squares.none
        # The last piece must not go where it is taken, for that loses at once too.
        if size(state.mine) == 1:
            goals = without(goals, self.attacks(state.theirs, 1 - state.turn))
        return goals

    # -- for people -------------------------------------------------------------------------------------------------

    def impossibility(self, state: BreakthroughState) -> str:
        x, o = self.sides(state)
        full = size(self.initial().mine)
        if size(x) > full or size(o) > full:
            return f"a side has {full} pieces at most"
        goal = self.last_row if state.turn else self.first_row
        over = some(common(state.mine, goal)) or not some(state.theirs)
        return f"{self.names[state.turn]} has won, so nobody is to move after that" if over else ""

    def ends(self, state: BreakthroughState, move: int) -> tuple[int, int]:
        """Squares at which a move begins and ends, as bits."""
        return move // 3 - self.step(state.turn, move % 3), move // 3

    def board(self) -> Board:
        return replace(super().board(), spoken=STEP_WORDS)

    def move_signs(self, state: BreakthroughState, move: int) -> Iterator[int]:
        start, end = self.ends(state, move)
        yield PLACE
        yield self.squares.place(start)
        yield ord("x") if has_member(state.theirs, end) else DASH
        yield PLACE
        yield self.squares.place(end)

    def parse_move(self, state: BreakthroughState, text: str) -> int:
        found = re.fullmatch(r"([a-z][0-9]+)[-x:]?([a-z][0-9]+)", text.strip().lower())
        if not found:
            raise BadInput(f"{text!r} is not a move: write where from and where to, as in a2-a3.")
        start, end = map(self.squares.parse_square, found.groups())
        way = self.step(state.turn, 0) - (end - start)
        if not 0 <= way <= 2:
            raise BadInput(f"{text!r} is not a move: a piece of {self.names[state.turn]} goes one square ahead.")
        return 3 * end + way

    def refusal(self, state: BreakthroughState, path: tuple[int, ...]) -> str:
        usual = super().refusal(state, path)
        if len(path) < 2 or "cannot go" not in usual:
            return usual
        return "a piece goes one square ahead, straight or slanting, and captures only slanting"

    def explain(self, state: BreakthroughState) -> tuple[tuple[str, int], ...]:
        parts = []
        for player, pieces in enumerate(self.sides(state)):
            sign, number = 1 - 2 * player, size(pieces)
            parts.append((f"{PIECE_WEIGHT} for each piece of {self.names[player]}", sign * PIECE_WEIGHT * number))
            rows = self.worth(pieces, player) - PIECE_WEIGHT * number
            parts.append((f"rows that {self.names[player]}'s pieces have come", sign * rows))
        return tuple(parts)

    def path(self, state: BreakthroughState, move: int) -> Iterator[int]:
        """From where, to where."""
        start, end = self.ends(state, move)
        yield self.squares.place(start)
        yield self.squares.place(end)


BREAKTHROUGH = ShippedGame(
    "breakthrough",
    Breakthrough,
    "bring a piece across: breakthrough:rows,columns",
    about=About(
        "Breakthrough",
        PIECES,
        "Move a piece one step ahead, straight or slanting; capture only slanting. Reach the other end first.",
        "f2-f3 e7-f6 a2-b3 f6-g5 b3-b4 c7-b6 g1-f2 a7-a6 b4-b5 a6xb5",
        details=(
            "Each side begins with two rows of pieces. A piece moves one square ahead, straight or slanting, to an "
            "empty square. It captures slanting only, and never has to. The first piece that reaches the other end "
            "of the board wins, and so does the capture of all pieces of the other side. There is always a move, and "
            "never a draw."
        ),
    ),
)
