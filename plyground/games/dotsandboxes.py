"""Dots and Boxes: draw a line between two dots; who draws a box's fourth side owns it and draws again.

Lying lines (bars) and upright ones (poles) are a set each, an int. A line has the bit of the box below it or to its
right; each row has one bit more than boxes, for the last pole, so the four sides of box b are bars b and b + stride,
poles b and b + 1. For 1 row of 2 boxes (stride 3):

    +-0-+-1-+          bars  bits 0, 1, 3, 4
    0   1   2          poles bits 0, 1, 2
    +-3-+-4-+          a move is the bit of a bar, or 64 + that of a pole

Published values: Wilson, "Dots-and-Boxes Analysis Index" (2010); Barker and Korf, "Solving Dots-And-Boxes" (AAAI 2012).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar, Final, NamedTuple

from plyground.board.bits import WORD_BITS, count, lowest, members, nth
from plyground.board.look import Board, Piece, Place, parse_place, place_name, rows_text
from plyground.board.signs import COLON, DASH, DOT, PLAYER, SLASH
from plyground.errors import BadInput
from plyground.games.about import COUNTING, About, ShippedGame
from plyground.rules import ONGOING, Game

# A set has at most 63 bits, so a bar is below 64 and a pole from 64 on.
POLE = 64
UPRIGHT: Final = ord("|")


class DotsAndBoxesState(NamedTuple):
    """The lines drawn, the boxes that x owns, and whose turn it is; a closed box that is not x's is o's."""

    bars: int
    poles: int
    owned: int
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class DotsAndBoxes(Game[DotsAndBoxesState]):
    """Rows and columns of boxes; x begins. The utility is x's margin in boxes."""

    rows: Annotated[int, "Rows of boxes"] = 3
    columns: Annotated[int, "Columns of boxes"] = 3

    names: ClassVar[tuple[str, str]] = ("Blue", "Orange")
    unit: ClassVar[tuple[str, int]] = ("boxes", 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (1 <= self.rows <= 25 and 1 <= self.columns <= 25 and (self.rows + 1) * self.stride <= WORD_BITS):
            raise BadInput(
                f"{self.rows} rows and {self.columns} columns of boxes: there is room for {WORD_BITS} dots, each of "
                "which is one more than the boxes: 6 rows and 8 columns, for instance."
            )

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def stride(self) -> int:
        """Bits from a box to the one below."""
        return self.columns + 1

    @cached_property
    def boxes(self) -> int:
        return self.grid(self.rows, self.columns)

    @cached_property
    def all_bars(self) -> int:
        return self.grid(self.rows + 1, self.columns)

    @cached_property
    def all_poles(self) -> int:
        return self.grid(self.rows, self.columns + 1)

    def grid(self, rows: int, columns: int) -> int:
        """The bits of a grid of rows and columns."""
        return sum(1 << row * self.stride + column for row in range(rows) for column in range(columns))

    def initial(self) -> DotsAndBoxesState:
        return DotsAndBoxesState(0, 0, 0, 0)

    def to_move(self, state: DotsAndBoxesState) -> int:
        return state.turn

    def moves(self, state: DotsAndBoxesState) -> Iterator[int]:
        bars = self.all_bars & ~state.bars
        while bars:
            yield lowest(bars)
            bars &= bars - 1
        poles = self.all_poles & ~state.poles
        while poles:
            yield POLE + lowest(poles)
            poles &= poles - 1

    def closed_boxes(self, bars: int, poles: int) -> int:
        """The boxes that have all four sides."""
        # The bit of a box is that of its upper bar and its left pole; its lower bar is a row on, its right pole one
        # bit.
        return bars & bars >> self.stride & poles & poles >> 1 & self.boxes

    def play(self, state: DotsAndBoxesState, move: int) -> DotsAndBoxesState:
        bars, poles = state.bars, state.poles
        if move < POLE:
            bars |= 1 << move
        else:
            poles |= 1 << move - POLE
        # One line closes up to two boxes.
        gained = self.closed_boxes(bars, poles) & ~self.closed_boxes(state.bars, state.poles)
        if gained == 0:
            return DotsAndBoxesState(bars, poles, state.owned, 1 - state.turn)
        # Only x's boxes are kept: a closed box that is not x's is o's. Who closes a box moves again.
        return DotsAndBoxesState(bars, poles, state.owned | gained * (1 - state.turn), state.turn)

    def outcome(self, state: DotsAndBoxesState) -> int:
        if state.bars != self.all_bars or state.poles != self.all_poles:
            return ONGOING
        return 2 * count(state.owned) - self.rows * self.columns

    def tier(self, state: DotsAndBoxesState) -> int:
        """Lines drawn."""
        return count(state.bars) + count(state.poles)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def three_sided(self, state: DotsAndBoxesState) -> int:
        """Boxes with exactly three sides drawn."""
        # Two of one direction and one of the other: `^` leaves a box out whose fourth side is drawn.
        a, b, c, d = state.bars, state.bars >> self.stride, state.poles, state.poles >> 1
        return (a & b & (c ^ d) | c & d & (a ^ b)) & self.boxes

    def evaluate(self, state: DotsAndBoxesState) -> int:
        """x's boxes less o's, in boxes; each with three sides counts for the player to move, who can close it."""
        ahead = 2 * count(state.owned) - count(self.closed_boxes(state.bars, state.poles))
        return ahead + count(self.three_sided(state)) * (1 - 2 * state.turn)

    def order(self, state: DotsAndBoxesState, move: int) -> int:
        """Rank of a move: 4 for each box closed; where it closes none, minus the boxes that then have three sides."""
        after = self.play(state, move)
        gained = count(self.closed_boxes(after.bars, after.poles)) - count(self.closed_boxes(state.bars, state.poles))
        return 4 * gained - (count(self.three_sided(after)) if gained == 0 else 0)

    def is_noisy(self, state: DotsAndBoxesState, move: int) -> bool:
        """Whether a line closes a box."""
        after = self.play(state, move)
        return self.closed_boxes(after.bars, after.poles) != self.closed_boxes(state.bars, state.poles)

    def bounds(self, state: DotsAndBoxesState) -> tuple[int, int]:
        """Bounds of x's margin in boxes: each side keeps the boxes that it owns."""
        x, closed = count(state.owned), count(self.closed_boxes(state.bars, state.poles))
        # Boxes that are closed stay with their owners; each open one may go to either.
        left = self.rows * self.columns - closed
        return 2 * x - closed - left, 2 * x - closed + left

    def split_settled(self, state: DotsAndBoxesState) -> tuple[DotsAndBoxesState, int]:
        """The state without the owners of the boxes, which stay as they are."""
        return DotsAndBoxesState(state.bars, state.poles, 0, state.turn), 2 * count(state.owned)

    def pick(self, state: DotsAndBoxesState, chance: int) -> int:
        bars, poles = self.all_bars & ~state.bars, self.all_poles & ~state.poles
        # `chance` is a fraction of 2**32. Bars come before poles, as in `moves`.
        place = chance * (count(bars) + count(poles)) >> 32
        return nth(bars, place) if place < count(bars) else POLE + nth(poles, place - count(bars))

    # -- for people -------------------------------------------------------------------------------------------------

    def state_signs(self, state: DotsAndBoxesState) -> Iterator[int]:
        """Row by row: bars (`-`), then poles (`|`) with the owners of the boxes between them: `-./|x|./-.:x`."""
        closed = self.closed_boxes(state.bars, state.poles)
        for row in range(self.rows + 1):
            for bit in range(row * self.stride, row * self.stride + self.columns):
                yield DASH if state.bars >> bit & 1 else DOT
            if row < self.rows:
                yield SLASH
                for bit in range(row * self.stride, (row + 1) * self.stride):
                    yield UPRIGHT if state.poles >> bit & 1 else DOT
                    if closed >> bit & 1:
                        yield PLAYER
                        yield 1 - (state.owned >> bit & 1)
                    elif self.boxes >> bit & 1:
                        yield DOT
                yield SLASH
        yield COLON
        yield PLAYER
        yield state.turn

    def arrangement_text(self, numbers: Sequence[int], counts: Sequence[int], turn: int, unseen: Sequence[int]) -> str:
        """Rows of bars, and rows of poles with the owners of the boxes between them; the dots are left out."""
        board, dots = self.board(), (self.rows + 1) * self.stride
        drawn = replace(board, places=board.places[:-dots])
        lines = rows_text(drawn, numbers[:-dots]).split("/")
        return "/".join(line.replace("#", "-|"[row % 2]) for row, line in enumerate(lines)) + f":{self.marks[turn]}"

    def parse_state(self, text: str) -> DotsAndBoxesState:
        drawing, _, mover = text.strip().lower().partition(":")
        lines = drawing.split("/")
        fits = [len(line) for line in lines] == [self.columns, 2 * self.columns + 1] * self.rows + [self.columns]
        allowed = all(set(line) <= set("|xo." if row % 2 else "-.") for row, line in enumerate(lines))
        if not (fits and allowed and mover in self.marks):
            raise BadInput(f"{text!r} is not a position: write one as in {self.text(self.initial())!r}.")
        bars = poles = owned = owners = 0
        for row, line in enumerate(lines):
            for column, sign in enumerate(line):
                bit = 1 << row // 2 * self.stride + (column // 2 if row % 2 else column)
                bars |= bit * (sign == "-")
                poles |= bit * (sign == "|")
                owned |= bit * (sign == "x")
                owners |= bit * (sign in "xo")
        state = DotsAndBoxesState(bars, poles, owned, self.marks.index(mover))
        if self.text(state) != f"{drawing}:{mover}" or owners != self.closed_boxes(bars, poles):
            raise BadInput(f"{text!r} cannot arise: a box has an owner, x or o, if all its sides are drawn, else none.")
        return state

    def ends(self, move: int) -> tuple[int, int]:
        """The dots of a line, row by row from 0."""
        return (move, move + 1) if move < POLE else (move - POLE, move - POLE + self.stride)

    def parse_move(self, state: DotsAndBoxesState, text: str) -> int:
        found = re.fullmatch(r"([a-z][0-9]+)-?([a-z][0-9]+)", text.strip().lower())
        if not found:
            raise BadInput(f"{text!r} is not a line: name its two dots, as in a1b1.")
        dots = sorted(parse_place(dot, self.rows + 1, self.stride) for dot in found.groups())
        move = next((move for move in self.lines if list(self.ends(move)) == dots), None)
        if move is None:
            raise BadInput(f"{text!r} is not a line: its two dots stand beside or above each other.")
        return move

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The moves of all lines, in the order of their places on the board."""
        return tuple(self.moves(self.initial()))

    def refusal(self, state: DotsAndBoxesState, path: tuple[int, ...]) -> str:
        lines = len(self.lines)
        is_line = self.rows * self.columns <= path[0] < self.rows * self.columns + lines
        return "that line is drawn" if is_line else "a move is a line between two dots"

    def explain(self, state: DotsAndBoxesState) -> tuple[tuple[str, int], ...]:
        x = count(state.owned)
        closed, ready = count(self.closed_boxes(state.bars, state.poles)), count(self.three_sided(state))
        return (
            (f"boxes of {self.names[0]}", x),
            (f"boxes of {self.names[1]}", x - closed),
            (f"boxes with three sides, {self.names[state.turn]} to move", ready * (1 - 2 * state.turn)),
        )

    def board(self) -> Board:
        """The boxes, the lines, each named by its two dots as in `a1b1`, and the dots."""
        dots = [divmod(dot, self.stride) for dot in range((self.rows + 1) * self.stride)]
        boxes = [
            Place(f"box{row + 1}{chr(97 + column)}", column + 0.5, row + 0.5)
            for row in range(self.rows)
            for column in range(self.columns)
        ]
        lines = []
        for move in self.lines:
            row, column = dots[self.ends(move)[0]]
            name = "".join(place_name(self.stride, dot) for dot in self.ends(move))
            is_bar = move < POLE
            lines.append(Place(name, column + is_bar / 2, row + (not is_bar) / 2, "bar" if is_bar else "pole"))
        points = [
            Place(place_name(self.stride, row * self.stride + column), column, row, "point") for row, column in dots
        ]
        return Board(
            (*boxes, *lines, *points), pieces=(Piece("x", "box"), Piece("o", "box"), Piece(kind="wall", name="line"))
        )

    def stands(self, state: DotsAndBoxesState) -> Iterator[int]:
        """The owners of the boxes, and the lines that are drawn."""
        closed = self.closed_boxes(state.bars, state.poles)
        for bit in members(self.boxes):
            yield (closed >> bit & 1) * (2 - (state.owned >> bit & 1))
        for bit in members(self.all_bars):
            yield (state.bars >> bit & 1) * 3
        for bit in members(self.all_poles):
            yield (state.poles >> bit & 1) * 3
        for _ in range((self.rows + 1) * self.stride):
            yield 0

    def path(self, state: DotsAndBoxesState, move: int) -> Iterator[int]:
        """The line: after the boxes come the bars, then the poles."""
        if move < POLE:
            yield self.rows * self.columns + move - move // self.stride
        else:
            yield (2 * self.rows + 1) * self.columns + move - POLE


DOTSANDBOXES = ShippedGame(
    "dotsandboxes",
    DotsAndBoxes,
    "close boxes, and draw again: dotsandboxes:rows,columns of boxes",
    about=About(
        "Dots and boxes",
        COUNTING,
        "Draw a line between two dots. Who closes a box has it and draws again. Most boxes win.",
        "e5f5 a2a3 d1d2 b4b5 b1c1 b3b4 a1a2 a3b3 e4e5 e2e3 f3f4 c1d1 b3c3 f5f6 d6e6 d4e4 b4c4 c3c4 b6c6 a2b2 b2b3 "
        "c5c6 d3d4 e1f1 c5d5 d2e2 f2f3 a5b5 a6b6 f1f2 c2c3 b2c2 f4f5 e4f4 e5e6 e6f6 c3d3 c4d4 c2d2 c1c2",
        "5,5",
        details=(
            "The sides take turns to draw one line between two dots that are next to each other. The side that draws "
            "the fourth line of a box has the box, and must draw another line. When all lines are drawn, most boxes "
            "win."
        ),
    ),
)
