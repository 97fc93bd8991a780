"""m,n,k-games: k marks in a row on a board of any size. Tic-tac-toe is 3,3,3.

Bits, for 3 rows and 3 columns. Each row has a spare bit at its end, always clear, so a line that would run over the
edge meets a free cell; `>> 1`, `>> 3`, `>> 4` and `>> 5` then move the board along a row, an anti-diagonal, a column
and a diagonal.

    bit  0  1  2 | 3         x | . | o          x = 0b0000_0010_0001   (bits 0 and 5)
         4  5  6 | 7         . | x | .          o = 0b0000_0000_0100   (bit 2)
         8  9 10 | 11        . | . | .

A board of more than 63 bits is several such words, lowest first; the helpers of `bits.py` make the text below one for
every size. A move is the bit of its cell.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, NamedTuple

from plyground.board.bits import (
    Words,
    common,
    elements,
    lowest,
    one,
    pick_member,
    shifted_down,
    shifted_up,
    size,
    some,
    to_words,
    union,
    with_member,
    with_word,
    without,
)
from plyground.board.look import parse_place
from plyground.board.rows import line_gaps, line_starts
from plyground.errors import BadInput
from plyground.games.about import IN_A_ROW, About, ShippedGame
from plyground.games.in_a_row import InARow
from plyground.rules import ONGOING

# 3 x 3 cells take 11 bits. Of C's speed, minimax of tic-tac-toe has 0.58 by the table and 0.46 by shifts, alpha-beta
# 0.51 and 0.40 (bench/TRIED.md).
MOST_TABLED_BITS = 12
"""Most bits of a board whose lines are looked up in a table of all sets of cells, 4,096 ints at most."""
MOST_MARKS_WITH_SYMMETRY = 6
"""Most marks with which states are looked up by symmetry: with more it finds too little for what it costs."""


class MNKState(NamedTuple):
    """Cells of each side, from the view of the player to move."""

    mine: Words
    """Cells of the player to move."""
    theirs: Words
    """Cells of the other player."""
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class MNK(InARow[MNKState]):
    """k marks in a row, column or diagonal win, more than k too; a full board is a draw. `first` begins.

    >>> import plyground as pg
    >>> start = pg.Position.initial(pg.MNK(rows=3, columns=4, k=3))
    >>> start.legal_texts[:5]
    ['a1', 'b1', 'c1', 'd1', 'a2']
    """

    rows: Annotated[int, "Rows"] = 3
    columns: Annotated[int, "Columns"] = 3
    k: Annotated[int, "In a row to win"] = 3
    first: Annotated[str, "Who begins"] = "x"

    # -- the rules --------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.columns

    @cached_property
    def stride(self) -> int:
        """Bits from a cell to the one below."""
        return self.columns + 1

    @cached_property
    def cell_bits(self) -> tuple[int, ...]:
        return tuple(row * self.stride + column for row in range(self.rows) for column in range(self.columns))

    def initial(self) -> MNKState:
        return MNKState(to_words(0, self.length), to_words(0, self.length), self.beginner)

    def to_move(self, state: MNKState) -> int:
        return state.turn

    def moves(self, state: MNKState) -> Iterator[int]:
        return elements(self.free(state))

    def play(self, state: MNKState, move: int) -> MNKState:
        return MNKState(state.theirs, with_member(state.mine, move), 1 - state.turn)

    def outcome(self, state: MNKState) -> int:
        if self.has_line(state.theirs):  # only who moved last can have made a line
            return 2 * state.turn - 1
        if not some(self.free(state)):
            return 0
        return ONGOING

    @cached_property
    def table_size(self) -> int:
        """Number of sets of cells in the table of lines: all those of a small board, 0 for a large one."""
        bits = self.rows * self.stride - 1
        # The spare bit of the last row is never set, so it doubles no table.
        return 1 << bits if bits <= MOST_TABLED_BITS else 0

    @cached_property
    def line_table(self) -> tuple[int, ...]:
        """For each of these sets, whether it holds a line."""
        lines = [
            sum(1 << start + index * step for index in range(self.k))
            for step in self.steps
            for start in elements(line_starts(self.all_cells, step, self.k))
        ]
        return tuple(int(any(cells & line == line for line in lines)) for cells in range(self.table_size)) or (0,)

    def has_line(self, cells: Words) -> bool:
        """Whether there is a line of k of these cells."""
        if self.table_size:
            return self.line_table[cells[0] & self.table_size - 1] != 0  # compiled: no negative index
        return some(self.lines(cells))

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: MNKState) -> int:
        """Open lines for x minus open lines for o."""
        mine, theirs = self.open_lines(state.theirs), self.open_lines(state.mine)
        return (mine - theirs) * (1 - 2 * state.turn)

    def completing(self, cells: Words) -> Words:
        """The places that would make a line of k with these cells; some may be taken or off the board."""
        found = line_gaps(cells, self.all_cells, 1, self.k)
        found = union(found, line_gaps(cells, self.all_cells, self.stride - 1, self.k))
        found = union(found, line_gaps(cells, self.all_cells, self.stride, self.k))
        return union(found, line_gaps(cells, self.all_cells, self.stride + 1, self.k))

    def pick(self, state: MNKState, chance: int) -> int:
        return pick_member(self.free(state), chance)

    def promising_moves(self, state: MNKState) -> Words:
        """A winning cell; else the one that stops a win, unless there are two to stop; else every free cell."""
        free = self.free(state)
        wins = common(self.completing(state.mine), free)
        if some(wins):
            return one(wins)
        threats = common(self.completing(state.theirs), free)
        # Two cells cannot both be stopped: an empty list says that the game is lost in two plies.
        if size(threats) > 1:
            return without(free, free)
        if some(threats):
            return threats
        return free

    def order(self, state: MNKState, move: int) -> int:
        return self.threat_rank(state, move)

    def threat_rank(self, state: MNKState, move: int) -> int:
        """Rank of a move: 64 for each free cell that would then complete a line, plus open lines through its cell."""
        free = self.free(state)
        mine = with_member(state.mine, move)
        threats = size(without(common(self.completing(mine), free), mine))
        return threats * 64 + self.open_lines_through(move, state.theirs) + self.open_lines_through(move, state.mine)

    def open_lines_through(self, cell: int, others: Words) -> int:
        """Count the lines through a cell that have no mark of the other player."""
        free = without(self.all_cells, others)
        total = 0
        for index in range(4):
            # The starts of lines over a cell lie one step apart, the last of them being the cell: the line from bit 0,
            # moved there. Starts beyond the board are none of `starts`.
            back = (self.k - 1) * self.steps[index] - cell
            line = self.first_line(index)
            beginnings = shifted_down(line, back) if back > 0 else shifted_up(line, -back)
            total += size(common(beginnings, line_starts(free, self.steps[index], self.k)))
        return total

    def first_line(self, index: int) -> Words:
        """The line from bit 0 in a direction: where the lines over the last of its cells begin."""
        line = without(self.all_cells, self.all_cells)
        for place in range(self.k):
            line = with_member(line, place * self.steps[index])
        return line

    def canonical(self, state: MNKState) -> MNKState:
        """Representative under symmetry: the image with the smallest sets. Late or on large boards the state itself."""
        if self.length > 1 or size(union(state.mine, state.theirs)) > MOST_MARKS_WITH_SYMMETRY:
            return state
        # An arbitrary total order of states serves: the images of one position all have the same least one.
        best_mine, best_theirs = state.mine[0], state.theirs[0]
        for symmetry in range(self.symmetries):
            mine, theirs = self.image(state.mine[0], symmetry), self.image(state.theirs[0], symmetry)
            if mine < best_mine or (mine == best_mine and theirs < best_theirs):
                best_mine, best_theirs = mine, theirs
        return MNKState(with_word(state.mine, 0, best_mine), with_word(state.theirs, 0, best_theirs), state.turn)

    @cached_property
    def symmetries(self) -> int:
        """Number of symmetries of the board but for the identity: 7 of a square, 3 of a rectangle."""
        return 7 if self.rows == self.columns else 3

    def image(self, cells: int, symmetry: int) -> int:
        """Map the cells of a board of one word by a symmetry: columns or rows reversed, rows and columns exchanged."""
        result = 0
        rest = cells
        while rest:
            bit = lowest(rest)
            row, column = bit // self.stride, bit % self.stride
            # Rows and columns exchanged first, on a square only; then columns and rows reversed by the other bits, so
            # that 0 to 2 are the reversals alone and 3 to 6 follow an exchange.
            if symmetry > 2:
                row, column = column, row
            if symmetry & 1 == 0:
                column = self.columns - 1 - column
            if 0 < symmetry < 3 or symmetry > 4:
                row = self.rows - 1 - row
            result |= 1 << row * self.stride + column
            rest &= rest - 1
        return result

    # -- for people -------------------------------------------------------------------------------------------------

    def parse_state(self, text: str) -> MNKState:
        """Read a text of `text`; the slashes and, where the marks tell it, the player to move may be left out.

        Positions that people set up have any number of marks. A side that has won has moved last.
        """
        cells, mover = self.read_cells(text)
        ahead = cells.count("x") - cells.count("o")
        mover = mover or (self.first if ahead == 0 else "o" if ahead > 0 else "x")
        if mover not in self.marks:
            raise BadInput(f"{text!r} is not a position: {mover!r} is to move, and x and o take turns.")
        turn = self.marks.index(mover)
        with suppress(BadInput):
            return MNKState(*self.read_sides(cells, turn, text), turn)
        return MNKState(*self.read_sides(cells, 1 - turn, text), 1 - turn)

    def place(self, bit: int) -> int:
        return bit - bit // self.stride

    def parse_move(self, state: MNKState, text: str) -> int:
        return self.cell_bits[parse_place(text, self.rows, self.columns)]

    def explain(self, state: MNKState) -> tuple[tuple[str, int], ...]:
        x, o = self.sides(state)
        return (("lines open to x", self.open_lines(o)), ("lines open to o", -self.open_lines(x)))


TICTACTOE = ShippedGame(
    "tictactoe",
    partial(MNK, 3, 3, 3),
    "three in a row on 3 x 3",
    about=About(
        "Tic-tac-toe",
        IN_A_ROW,
        "Take turns to mark a free square. Three of your marks in a row, across, down or slanting, win.",
        "b2 a1 c1 b1 a3",
        details=(
            "The board has three rows and three columns. x begins; the sides take turns to mark one free square "
            "each. Three of your marks in a row, a column or a diagonal win at once. A full board without such a "
            "line is a draw, and with good play of both sides every game is one."
        ),
    ),
)
K_IN_A_ROW = ShippedGame(
    "mnk",
    MNK,
    "k in a row on any board to 19 x 19: mnk:rows,columns,k",
    about=About(
        "{k} in a row",
        IN_A_ROW,
        "Take turns to mark a free square. {k} of your marks in a row, across, down or slanting, win.",
        "e5 e6 f6 d5 d4 g7 c3 f5 b2",
        "9,9,5",
        details=(
            "The board has {rows} rows and {columns} columns. The sides take turns to mark one free square each. {k} "
            "of your marks next to each other in a row, a column or a diagonal win at once, and so do more. A full "
            "board without such a line is a draw."
        ),
    ),
)
