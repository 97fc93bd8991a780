"""Pentago (Tomas Floden, 2003): set a marble, then turn a quarter of the board; five in a row win.

The board of 6 x 6 is four blocks of 3 x 3. Who has five in a row after the marble has won, and turns nothing. Else one
of the blocks, with the marble or another, is turned by a right angle; then five of one player win, and five of both,
or a full board, are a draw. So one can lose by a move of one's own.

That who begins wins is by Irving, "Pentago is a first player win: strongly solving a game using parallel in-core
retrograde analysis" (2014, arXiv 1404.0743), of 3,009,081,623,421,558 positions; these are its rules.

A move is the bit of the marble's square, as in `plyground/board/squares.py`, and the turn shifted by 6 bits: 1 to 8, or
0 for none. In text `c4-2<` turns the second block, at the upper right, to the left, and `c4` alone none. The nine
squares of a block are gathered into nine bits, which a table turns.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

from plyground.board.bits import Words, count, elements, shifted_up, size, some, union, with_member, with_word, without
from plyground.board.look import Board, Colour, Place, Shape, Surface, squares
from plyground.board.rows import line_starts
from plyground.board.signs import signs
from plyground.board.squares import Squares
from plyground.errors import BadInput
from plyground.games.about import IN_A_ROW, About, ShippedGame
from plyground.games.on_squares import OnSquares
from plyground.rules import ONGOING

SIZE, BLOCK, FIVE = 6, 3, 5
STRIDE = SIZE + 1
CORNERS = (0, BLOCK, BLOCK * STRIDE, BLOCK * STRIDE + BLOCK)
"""The upper left square of each block, as they are numbered."""
LINE_STEPS = (1, STRIDE - 1, STRIDE, STRIDE + 1)
"""Bits from a square to the next of a line, in each direction."""
SQUARE_MASK = 63
TURNS = tuple(f"{block}{way}" for block in (1, 2, 3, 4) for way in "<>")
LEFT: Shape = "turn-left"
RIGHT_TURN: Shape = "turn-right"
BLOCKS_CAPTION = signs("blocks 1 2 above, 3 4 below; < turns left, > right")


class PentagoState(NamedTuple):
    """The marbles of each side, seen by the player to move."""

    mine: Words
    theirs: Words
    turn: int
    """The player to move: 0 for x, 1 for o."""


def _turn_left(block: int) -> int:
    """Turn nine bits, row by row, to the left by a right angle: the last column becomes the first row."""
    return sum(1 << (BLOCK - 1 - bit % BLOCK) * BLOCK + bit // BLOCK for bit in range(BLOCK**2) if block >> bit & 1)


@dataclass(frozen=True)
class Pentago(OnSquares[PentagoState]):
    """Five in a row on 6 x 6 win; each move sets a stone and turns a quarter of the board. x begins."""

    kind = "stone"
    names: ClassVar[tuple[str, str]] = ("White", "Black")
    colours: ClassVar[tuple[Colour, Colour]] = ("white", "black")
    surface: ClassVar[Surface] = "wood"
    extra_places: ClassVar[int] = len(TURNS)

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def squares(self) -> Squares:
        return Squares(SIZE, SIZE)

    @cached_property
    def turn_table(self) -> tuple[int, ...]:
        """Every block turned to the left, then every block turned to the right."""
        left = [_turn_left(block) for block in range(1 << BLOCK**2)]
        # A turn to the right is three turns to the left.
        return (*left, *(_turn_left(left[left[block]]) for block in range(1 << BLOCK**2)))

    def initial(self) -> PentagoState:
        return PentagoState(self.squares.none, self.squares.none, 0)

    def free(self, state: PentagoState) -> Words:
        return without(without(self.squares.all, state.mine), state.theirs)

    def moves(self, state: PentagoState) -> Iterator[int]:
        for square in elements(self.free(state)):
            # A marble that makes five wins before a block is turned, so its move has no turn.
            if self.has_five(with_member(state.mine, square)):
                yield square
            else:
                for turn in range(1, 9):
                    yield square | turn << 6

    def play(self, state: PentagoState, move: int) -> PentagoState:
        mine, turn = with_member(state.mine, move & SQUARE_MASK), move >> 6
        if turn == 0:
            return PentagoState(state.theirs, mine, 1 - state.turn)
        # The table turns both sides' marbles of the block in the same way.
        return PentagoState(self.turn_block(state.theirs, turn), self.turn_block(mine, turn), 1 - state.turn)

    def turn_block(self, cells: Words, turn: int) -> Words:
        """The marbles of a side after a turn of a block."""
        corner, way = CORNERS[turn - 1 >> 1], turn - 1 & 1
        # 36 squares with spare bits are 42 bits, so the first word is all.
        rows, block = cells[0] >> corner, 0
        for row in range(BLOCK):
            block |= (rows >> row * STRIDE & 7) << row * BLOCK
        found, rest = self.turn_table[way << BLOCK**2 | block], cells[0]
        for row in range(BLOCK):
            place = corner + row * STRIDE
            rest = rest & ~(7 << place) | (found >> row * BLOCK & 7) << place
        return with_word(cells, 0, rest)

    def has_five(self, cells: Words) -> bool:
        """Whether there are five in a row of these marbles."""
        found = 0
        for index in range(4):
            found |= line_starts(cells, LINE_STEPS[index], FIVE)[0]
        return found != 0

    def outcome(self, state: PentagoState) -> int:
        mine, theirs = self.has_five(state.mine), self.has_five(state.theirs)
        # After a turn both may have five, which is a draw, and so may the other player alone: the mover has lost by the
        # own move.
        if mine != theirs:
            return 1 - 2 * state.turn if mine else 2 * state.turn - 1
        return 0 if mine or not some(self.free(state)) else ONGOING

    # -- evaluation ---------------------------------------------------------------------------------------------------

    def worth(self, mine: Words, theirs: Words) -> int:
        """Sum over lines of five without a marble of the other side: the square of the number of own marbles."""
        total = 0
        for line in self.fives:
            if theirs[0] & line == 0:
                # Squared, so that two marbles of one line are worth more than two alone.
                total += count(mine[0] & line) ** 2
        return total

    @cached_property
    def fives(self) -> tuple[int, ...]:
        """The 32 lines of five."""
        return tuple(
            sum(1 << start + place * step for place in range(FIVE))
            for step in LINE_STEPS
            for start in elements(line_starts(self.squares.all, step, FIVE))
        )

    def tier(self, state: PentagoState) -> int:
        """Stones on the board."""
        return size(state.mine) + size(state.theirs)

    def evaluate(self, state: PentagoState) -> int:
        """Worth of x's lines less that of o's, in points of `worth`."""
        return (self.worth(state.mine, state.theirs) - self.worth(state.theirs, state.mine)) * (1 - 2 * state.turn)

    # -- for people -------------------------------------------------------------------------------------------------

    def parse_move(self, state: PentagoState, text: str) -> int:
        words = re.fullmatch(r"([a-f][1-6])(?:-([1-4][<>]))?", text.strip().lower())
        if words is None:
            raise BadInput(f"{text!r} is not a move: write the square, then the turn of a block, as in c4-2< or c4-1>.")
        return self.squares.parse_square(words[1]) | (TURNS.index(words[2]) + 1 << 6 if words[2] else 0)

    def board(self) -> Board:
        """The four blocks, and above and below them the arrows of their turns."""
        turns = tuple(
            Place(f"{block + 1}{way}", block % 2 * BLOCK + right, SIZE - 0.15 if block > 1 else -0.85, shape)
            for block in range(4)
            for way, shape, right in (("<", LEFT, 0.4), (">", RIGHT_TURN, 1.6))
        )
        blocks = squares(SIZE, SIZE, block=BLOCK, extra=turns)
        return replace(super().board(), places=blocks.places, areas=blocks.areas)

    def winning_cells(self, state: PentagoState) -> Words:
        """Every five, of both players too."""
        found = self.squares.none
        for index in range(4):
            step = LINE_STEPS[index]
            begin = union(line_starts(state.mine, step, FIVE), line_starts(state.theirs, step, FIVE))
            for place in range(FIVE):
                found = union(found, shifted_up(begin, place * step))
        return found

    def caption(self, state: PentagoState) -> Iterator[int]:
        for sign in BLOCKS_CAPTION:
            yield sign

    def path(self, state: PentagoState, move: int) -> Iterator[int]:
        """The square of the marble, then the turn."""
        yield self.squares.place(move & SQUARE_MASK)
        if move >> 6:
            yield SIZE**2 + (move >> 6) - 1


PENTAGO = ShippedGame(
    "pentago",
    Pentago,
    "five in a row on 6 x 6, where each move turns a quarter of the board",
    about=About(
        "Pentago",
        IN_A_ROW,
        "Set a stone, then turn a quarter of the board by a right angle. Five of your stones in a row win.",
        "e3-2< f4-4> e6-4> b1-4< b6-4< d5-4< c2-4> a5-4< c1-3> b2-1< f1-3<",
        details=(
            "The board of six by six places is four quarters of three by three. In each turn you set a stone on a "
            "free place, and then turn one of the quarters, any of them, by a right angle to either side. Five of "
            "your stones in a row, a column or a diagonal win; where the stone makes them, nothing is turned any "
            "more. If the turn makes five of the other side, you have lost. Five of both sides, or a full board, are "
            "a draw."
        ),
    ),
)
