"""Base class of games won by k marks in a row: the lines of the board, its notation and pictures.

A subclass defines how its board lies in bits (`mnk.py` and `connectfour.py` draw it), how a move is made, and when the
game is over. Spare bits between its rows or columns are always clear, so that no line runs over the edge.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Protocol, TypeVar

from plyground.board.bits import (
    WORD_BITS,
    Words,
    common,
    elements,
    has_member,
    shifted_up,
    size,
    some,
    to_words,
    union,
    with_member,
    without,
)
from plyground.board.look import END, WON, Board, Piece, squares
from plyground.board.rows import line_starts
from plyground.board.signs import write_board
from plyground.errors import BadInput
from plyground.rules import MAX, Game

# The sides of a board of Go, on which Gomoku is played too; with its spare bits that is 7 words of 63.
LARGEST_BOARD = 19


class MarksState(Protocol):
    """State of such a game: the cells of each side, from the view of the player to move."""

    @property
    def mine(self) -> Words:
        """Cells of the player to move."""

    @property
    def theirs(self) -> Words:
        """Cells of the other player."""


State = TypeVar("State", bound=MarksState)


class InARow(Game[State]):
    """k marks in a row, column or diagonal win; a full board is a draw. `first` begins."""

    k: int
    first: str

    foresight = 2
    shortest = 1
    """The smallest k."""
    kind = "mark"
    """Kind of the pieces, as `look.Piece` has it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        rows, columns = self.shape
        if not (1 <= rows <= LARGEST_BOARD and 1 <= columns <= LARGEST_BOARD):
            raise BadInput(f"A board of {rows} rows and {columns} columns: each must be 1 to {LARGEST_BOARD}.")
        if not self.shortest <= self.k <= max(rows, columns):
            raise BadInput(
                f"{self.k} in a row do not fit {rows} rows and {columns} columns: "
                f"k must be {self.shortest} to the longer side."
            )
        if self.first not in self.marks:
            raise BadInput(f"first={self.first}: x or o begins.")

    # -- the board in bits, which each game lays out ----------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, as they are drawn."""
        raise NotImplementedError

    @cached_property
    def stride(self) -> int:
        """Bits from a cell to its neighbour in the next row or column, whichever is laid after the other."""
        raise NotImplementedError

    @cached_property
    def cell_bits(self) -> tuple[int, ...]:
        """The bit of each cell, row by row from the top."""
        raise NotImplementedError

    def promising_moves(self, state: State) -> Words:
        """Moves that `candidates` lists: one that wins, else the block of a threat, else what does not lose at once."""
        raise NotImplementedError

    @cached_property
    def length(self) -> int:
        """Words of 63 bits in a set of cells, with at least one spare bit after the last cell."""
        return -(-(self.highest + 2) // WORD_BITS)

    @cached_property
    def highest(self) -> int:
        """The highest bit of a cell."""
        return max(self.cell_bits)

    @cached_property
    def all_cells(self) -> Words:
        """Every cell."""
        return to_words(sum(1 << bit for bit in self.cell_bits), self.length)

    @cached_property
    def steps(self) -> tuple[int, int, int, int]:
        """Bits from a cell to the next one of a line, for each direction of lines."""
        return (1, self.stride - 1, self.stride, self.stride + 1)

    @cached_property
    def beginner(self) -> int:
        """The player who begins: 0 for x, 1 for o."""
        return self.marks.index(self.first)

    # -- lines ------------------------------------------------------------------------------------------------------

    def free(self, state: State) -> Words:
        """The cells without a mark."""
        return without(self.all_cells, union(state.mine, state.theirs))

    def lines(self, cells: Words) -> Words:
        """Cells at which a line of k of these cells begins, in any direction."""
        found = line_starts(cells, self.steps[0], self.k)
        for index in range(1, 4):
            found = union(found, line_starts(cells, self.steps[index], self.k))
        return found

    def has_line(self, cells: Words) -> bool:
        """Whether there is a line of k of these cells."""
        return some(self.lines(cells))

    def has_room(self, cells: Words) -> bool:
        """Whether these cells can hold a winning line; in a game that wants exactly k, some of them are enough."""
        return self.has_line(cells)

    def open_lines(self, others: Words) -> int:
        """Count the lines that are open to a player: those on which the other has no mark."""
        open_cells = without(self.all_cells, others)
        total = 0
        for index in range(4):
            total += size(line_starts(open_cells, self.steps[index], self.k))
        return total

    def tier(self, state: State) -> int:
        """Marks on the board."""
        return size(state.mine) + size(state.theirs)

    def bounds(self, state: State) -> tuple[int, int]:
        """Bounds of the utility: a player can win only if a line is left that has no mark of the other."""
        # Marks are never taken back, so a line that the other has crossed is lost for good: the bounds only get
        # narrower.
        mine = int(self.has_room(without(self.all_cells, state.theirs)))
        theirs = int(self.has_room(without(self.all_cells, state.mine)))
        if self.to_move(state) == MAX:
            return (-theirs, mine)
        return (-mine, theirs)

    def candidates(self, state: State) -> Iterator[int]:
        return elements(self.promising_moves(state))

    # -- for people -------------------------------------------------------------------------------------------------

    def sides(self, state: State) -> tuple[Words, Words]:
        """The cells of x and of o."""
        return (state.mine, state.theirs) if self.to_move(state) == MAX else (state.theirs, state.mine)

    def place(self, bit: int) -> int:
        """The number of a cell among the places of the board, row by row from the top left."""
        raise NotImplementedError

    def state_signs(self, state: State) -> Iterator[int]:
        """Rows from the top, with `.` for a free cell, then the player to move: `x.o/.x./...:o`."""
        x, o = self.sides(state)
        return write_board(x, o, self.cell_bits, self.shape[1], self.to_move(state))

    def read_cells(self, text: str) -> tuple[str, str]:
        """Read the cells of a text, row by row, and the mark of the player to move, empty where it has none.

        `_` and `#` are free cells, as `.` is.

        Raises:
            BadInput: it has too few or too many cells, or others than x, o and free ones.
        """
        rows, columns = self.shape
        board, _, mover = text.strip().lower().partition(":")
        cells = board.replace("/", "").replace("#", ".").replace("_", ".")
        if len(cells) != rows * columns or set(cells) - set("xo."):
            raise BadInput(
                f"{text!r} is not a position: write {rows} rows of {columns} cells (x, o or .), "
                f"as in {self.text(self.initial())!r}."
            )
        if "/" in board and [len(row) for row in board.split("/")] != [columns] * rows:
            raise BadInput(f"{text!r} is not a position: each of its {rows} rows has {columns} cells.")
        return cells, mover

    def read_sides(self, cells: str, turn: int, text: str) -> tuple[Words, Words]:
        """Make the sets of the player to move and of the other one from the cells of a text.

        Raises:
            BadInput: the player to move has won.
        """
        mover, other = self.marks[turn], self.marks[1 - turn]
        mine, theirs = (
            to_words(
                sum(1 << bit for bit, cell in zip(self.cell_bits, cells, strict=True) if cell == name), self.length
            )
            for name in (mover, other)
        )
        if self.has_line(mine):
            raise BadInput(f"{text!r} cannot arise: {mover} has won, so nobody is to move after {other}.")
        return mine, theirs

    def board(self) -> Board:
        return replace(squares(*self.shape), pieces=(Piece("x", self.kind), Piece("o", self.kind)))

    def stands(self, state: State) -> Iterator[int]:
        """The mark on each cell, with `WON` added along the lines that won."""
        x, o = self.sides(state)
        # Lines are those of the player who moved last: at the first line the game is over, so the other has none.
        won = common(x, o)  # none yet
        for index in range(4):
            for start in elements(self.line_heads(state.theirs, self.steps[index])):
                last = self.line_end(state.theirs, start, self.steps[index])
                for cell in range(start, last + 1, self.steps[index]):
                    won = with_member(won, cell)
        for place in range(len(self.cell_bits)):
            bit = self.cell_bits[place]
            yield has_member(x, bit) + 2 * has_member(o, bit) + WON * has_member(won, bit)

    def strokes(self, state: State) -> Iterator[int]:
        """Each line of k or more, from end to end."""
        for index in range(4):
            for start in elements(self.line_heads(state.theirs, self.steps[index])):
                yield self.place(start)
                yield self.place(self.line_end(state.theirs, start, self.steps[index]))
                yield END

    def path(self, state: State, move: int) -> Iterator[int]:
        """The cell of the mark."""
        yield self.place(move)

    def line_heads(self, cells: Words, step: int) -> Words:
        """The first cell of each line of k or more of these, in a direction."""
        found = line_starts(cells, step, self.k)
        # A run longer than k has several lines, each one step on; its first cell is the one that no other start
        # precedes.
        return without(found, shifted_up(found, step))

    def line_end(self, cells: Words, start: int, step: int) -> int:
        """The last of these cells in a row from one on, in a direction."""
        end = start
        while end + step <= self.highest and has_member(cells, end + step):
            end += step
        return end
