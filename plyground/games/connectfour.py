"""Connect Four: marks dropped into columns; k in a row, column or diagonal win.

Bits, for 4 columns and 3 rows. Each column has a spare bit at its lower end, always clear, so a line that would run
over the edge meets a free cell. Rows count from the top, as people read them, so the cell below a bit is the next bit.

    bit  0  4  8 12         . | . | . | .          x = 0b0000_0010_0100_0000   (bits 6 and 9)
         1  5  9 13         . | . | x | .          o = 0b0000_0100_0000_0000   (bit 10)
         2  6 10 14         . | x | o | .
         3  7 11 15         (spare)

`>> 1`, `>> 4`, `>> 3` and `>> 5` then move the board along a column, a row and the two diagonals. A board of more than
63 bits is several such words, lowest first (`bits.py`). A move is the bit of the cell where the mark comes to rest.
The look ahead of `candidates` and the order by threats follow Pascal Pons, "Solving Connect 4" (2015).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from plyground.board.bits import (
    WORD,
    Words,
    common,
    elements,
    has_member,
    one,
    picked,
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
from plyground.board.look import Cell, Grid, parse_cell
from plyground.board.rows import followed, gaps, starts
from plyground.errors import BadInput
from plyground.rules import MAX, ONGOING, Game

LARGEST = 19


class ConnectFourState(NamedTuple):
    """Where each side stands, seen by the player to move; how many marks there are tells who that is."""

    mine: Words
    """Cells of the player to move."""
    theirs: Words
    """Cells of the other player."""


@dataclass(frozen=True)
class ConnectFour(Game[ConnectFourState]):
    """k marks in a row, column or diagonal win; a full board is a draw. `first` begins."""

    width: int = 7
    height: int = 6
    k: int = 4
    first: str = "x"

    foresight = 2

    def __post_init__(self) -> None:
        if not (1 <= self.width <= LARGEST and 1 <= self.height <= LARGEST):
            raise BadInput(f"A board {self.width} wide and {self.height} high: each must be 1 to {LARGEST}.")
        if not 2 <= self.k <= max(self.width, self.height):
            raise BadInput(
                f"{self.k} in a row do not fit {self.width} x {self.height}: k must be 2 to the longer side."
            )
        if self.first not in self.names:
            raise BadInput(f"first={self.first}: x or o begins.")

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def stride(self) -> int:
        """Bits from a cell to its neighbour on the right."""
        return self.height + 1

    @cached_property
    def length(self) -> int:
        """Words in a set of cells."""
        return -(-self.width * self.stride // WORD)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit of each cell, row by row from the top."""
        return tuple(column * self.stride + row for row in range(self.height) for column in range(self.width))

    @cached_property
    def board(self) -> Words:
        """Every cell."""
        return to_words(sum(1 << bit for bit in self.bits), self.length)

    @cached_property
    def floor(self) -> Words:
        """The lowest cell of each column."""
        return to_words(sum(1 << bit for bit in self.bits[-self.width :]), self.length)

    @cached_property
    def steps(self) -> tuple[int, int, int, int]:
        """Bits from a cell to the next one of a line, for each direction of lines: the column first."""
        return (1, self.stride - 1, self.stride, self.stride + 1)

    @cached_property
    def beginner(self) -> int:
        return self.names.index(self.first)

    def initial(self) -> ConnectFourState:
        return ConnectFourState(to_words(0, self.length), to_words(0, self.length))

    def to_move(self, state: ConnectFourState) -> int:
        return (size(union(state.mine, state.theirs)) + self.beginner) & 1

    def free(self, state: ConnectFourState) -> Words:
        """The cells without a mark."""
        return without(self.board, union(state.mine, state.theirs))

    def landings(self, state: ConnectFourState) -> Words:
        """The cells where a mark can come to rest: free ones on the floor or on another mark."""
        marks = union(state.mine, state.theirs)
        return common(without(self.board, marks), union(shifted_down(marks, 1), self.floor))

    def moves(self, state: ConnectFourState) -> Iterator[int]:
        return elements(self.landings(state))

    def play(self, state: ConnectFourState, move: int) -> ConnectFourState:
        return ConnectFourState(state.theirs, with_member(state.mine, move))

    def outcome(self, state: ConnectFourState) -> int:
        if self.has_line(state.theirs):  # only who moved last can have made a line
            return 2 * self.to_move(state) - 1
        if not some(self.free(state)):
            return 0
        return ONGOING

    def has_line(self, cells: Words) -> bool:
        """Whether these cells hold a line of k."""
        found = starts(cells, self.steps[0], self.k)
        for index in range(1, 4):
            found = union(found, starts(cells, self.steps[index], self.k))
        return some(found)

    def pick(self, state: ConnectFourState, chance: int) -> int:
        return picked(self.landings(state), chance)

    # -- opinions and hints -----------------------------------------------------------------------------------------

    def completing(self, cells: Words) -> Words:
        """The places that would make a line of k with these cells; some may be taken or off the board."""
        found = followed(cells, self.board, 1, self.k - 1)  # in a column only the top of a line is ever missing
        found = union(found, gaps(cells, self.board, self.stride, self.k))
        found = union(found, gaps(cells, self.board, self.stride - 1, self.k))
        return union(found, gaps(cells, self.board, self.stride + 1, self.k))

    def candidates(self, state: ConnectFourState) -> Iterator[int]:
        return elements(self.hopeful(state))

    def hopeful(self, state: ConnectFourState) -> Words:
        """A winning cell; else the one that stops a win; never the cell below one where the other would win."""
        landings = self.landings(state)
        wins = common(self.completing(state.mine), landings)
        if some(wins):
            return one(wins)
        threats = common(self.completing(state.theirs), self.free(state))
        forced = common(threats, landings)
        safe = without(landings, shifted_up(threats, 1))
        if size(forced) == 1:
            return common(safe, forced)
        if some(forced):
            return without(forced, forced)
        return safe

    def order(self, state: ConnectFourState, move: int) -> int:
        """How many free cells would then make a line; of equals, the nearer to the middle."""
        mine = with_member(state.mine, move)
        threats = size(without(common(self.completing(mine), self.free(state)), mine))
        return threats * 64 - abs(2 * (move // self.stride) + 1 - self.width)

    def bounds(self, state: ConnectFourState) -> tuple[int, int]:
        """Nobody wins who has no line left without a mark of the other."""
        mine = int(self.has_line(without(self.board, state.theirs)))
        theirs = int(self.has_line(without(self.board, state.mine)))
        if self.to_move(state) == MAX:
            return (-theirs, mine)
        return (-mine, theirs)

    def evaluate(self, state: ConnectFourState) -> int:
        """Ten for each free cell that would make a line, and one for each line still open; x's minus o's."""
        free = self.free(state)
        threats = size(common(self.completing(state.mine), free)) - size(common(self.completing(state.theirs), free))
        lines = self.open_lines(state.theirs) - self.open_lines(state.mine)
        return (10 * threats + lines) * (1 - 2 * self.to_move(state))

    def open_lines(self, others: Words) -> int:
        """How many lines are open to a player: those on which the other has no mark."""
        open_cells = without(self.board, others)
        total = 0
        for index in range(4):
            total += size(starts(open_cells, self.steps[index], self.k))
        return total

    def canonical(self, state: ConnectFourState) -> ConnectFourState:
        """Of a state and its mirror image, the one with the smaller numbers; of a large board, the state itself."""
        if len(state.mine) > 1:
            return state
        mine, theirs = self.mirrored(state.mine[0]), self.mirrored(state.theirs[0])
        if mine > state.mine[0] or (mine == state.mine[0] and theirs >= state.theirs[0]):
            return state
        return ConnectFourState(with_word(state.mine, 0, mine), with_word(state.theirs, 0, theirs))

    def mirrored(self, cells: int) -> int:
        """The cells of a board of one word, left and right exchanged."""
        column, result = (1 << self.height) - 1, 0
        for index in range(self.width):
            result |= (cells >> index * self.stride & column) << (self.width - 1 - index) * self.stride
        return result

    # -- for people -------------------------------------------------------------------------------------------------

    def marks(self, state: ConnectFourState) -> list[str]:
        """Who stands on each cell, row by row from the top: x, o or nothing."""
        turn = self.to_move(state)
        me, other = self.names[turn], self.names[1 - turn]
        return [
            me if has_member(state.mine, bit) else other if has_member(state.theirs, bit) else "" for bit in self.bits
        ]

    def text(self, state: ConnectFourState) -> str:
        """Rows from the top with `.` for a free cell, and who is to move: `..../..x./.xo.:o`."""
        marks = [mark or "." for mark in self.marks(state)]
        rows = ("".join(marks[start : start + self.width]) for start in range(0, len(marks), self.width))
        return "/".join(rows) + ":" + self.names[self.to_move(state)]

    def parse_state(self, text: str) -> ConnectFourState:
        """As `text` writes it; the slashes and the player to move may be left out: the marks tell it."""
        board, _, mover = text.strip().lower().partition(":")
        cells = board.replace("/", "")
        if len(cells) != self.width * self.height or set(cells) - set("xo."):
            raise BadInput(
                f"{text!r} is not a position: write {self.height} rows of {self.width} cells (x, o or .), "
                f"as in {self.text(self.initial())!r}."
            )
        if board.count("/") and [len(row) for row in board.split("/")] != [self.width] * self.height:
            raise BadInput(f"{text!r} is not a position: each of its {self.height} rows has {self.width} cells.")
        for above, below in zip(cells, cells[self.width :], strict=False):
            if above != "." and below == ".":
                raise BadInput(f"{text!r} cannot arise: a mark hangs over a free cell.")
        turn = (len(cells) - cells.count(".") + self.beginner) & 1
        ahead = cells.count(self.first) - cells.count(self.names[1 - self.beginner])
        if ahead != (turn != self.beginner) or mover not in ("", self.names[turn]):
            raise BadInput(
                f"{text!r} cannot arise: {self.first} begins and the players take turns, but there are "
                f"{cells.count('x')} x and {cells.count('o')} o" + (f", {mover} to move." if mover else ".")
            )
        sets = dict.fromkeys("xo.", 0)
        for bit, cell in zip(self.bits, cells, strict=True):
            sets[cell] |= 1 << bit
        mine, theirs = (to_words(sets[self.names[player]], self.length) for player in (turn, 1 - turn))
        if self.has_line(mine):
            raise BadInput(
                f"{text!r} cannot arise: {self.names[turn]} has won, so nobody is to move after {self.names[1 - turn]}."
            )
        return ConnectFourState(mine, theirs)

    def move_text(self, state: ConnectFourState, move: int) -> str:
        return chr(ord("a") + move // self.stride)

    def parse_move(self, state: ConnectFourState, text: str) -> int:
        """A column by its letter or number, or the cell where the mark comes to rest."""
        word = text.strip().lower()
        if len(word) == 1 and "a" <= word <= "z":
            column = ord(word) - ord("a")
        elif word.isascii() and word.isdigit() and len(word) <= 3:
            column = int(word) - 1
        else:
            return self.bits[parse_cell(text, self.height, self.width)]
        if not 0 <= column < self.width:
            last = chr(ord("a") + self.width - 1)
            raise BadInput(f"{text!r} is not a column: name one a to {last}, or 1 to {self.width}.")
        bits = [bit for bit in elements(self.landings(state)) if bit // self.stride == column]
        return bits[0] if bits else column * self.stride  # of a full column its top cell, which is no legal move

    def explain(self, state: ConnectFourState) -> tuple[tuple[str, int], ...]:
        x, o = (state.mine, state.theirs) if self.to_move(state) == MAX else (state.theirs, state.mine)
        free = self.free(state)
        return (
            ("10 for each cell that would make x a line", 10 * size(common(self.completing(x), free))),
            ("10 for each cell that would make o a line", -10 * size(common(self.completing(o), free))),
            ("lines open to x", self.open_lines(o)),
            ("lines open to o", -self.open_lines(x)),
        )

    def look(self, state: ConnectFourState) -> Grid:
        legal = set(self.moves(state)) if self.outcome(state) == ONGOING else set()
        won = self.winning_cells(state.theirs)
        cells = (
            Cell(mark, bit if bit in legal else None, bit in won)
            for bit, mark in zip(self.bits, self.marks(state), strict=True)
        )
        return Grid(self.height, self.width, tuple(cells))

    def winning_cells(self, cells: Words) -> set[int]:
        """The cells of every line of k."""
        return {
            start + index * step
            for step in self.steps
            for start in elements(starts(cells, step, self.k))
            for index in range(self.k)
        }
