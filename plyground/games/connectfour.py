"""Connect Four: marks dropped into columns; k in a row, column or diagonal win.

Bits, for 4 columns and 3 rows. Each column has a spare bit at its lower end, always clear, so a line that would run
over the edge meets a free cell. In bits, rows count from the top, so the cell below a bit is the next bit.

    bit  0  4  8 12         . | . | . | .          x = 0b0000_0010_0100_0000   (bits 6 and 9)
         1  5  9 13         . | . | x | .          o = 0b0000_0100_0000_0000   (bit 10)
         2  6 10 14         . | x | o | .
         3  7 11 15         (spare)

`>> 1`, `>> 4`, `>> 3` and `>> 5` then move the board along a column, a row and the two diagonals. A board of more than
63 bits is several such words, lowest first (`bits.py`). A move is the bit of the cell where the mark comes to rest.
The look ahead of `candidates` and the order by threats follow Pascal Pons, "Solving Connect 4" (2015).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import (
    Words,
    common,
    elements,
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
from plyground.board.look import Board, Colour, Surface, parse_place, squares
from plyground.board.rows import line_gaps, run_starts
from plyground.errors import BadInput
from plyground.games.about import IN_A_ROW, About, ShippedGame
from plyground.games.in_a_row import InARow
from plyground.rules import ONGOING
from plyground.text import count_text


class ConnectFourState(NamedTuple):
    """Cells of each side, from the view of the player to move; the number of marks tells who that is."""

    mine: Words
    """Cells of the player to move."""
    theirs: Words
    """Cells of the other player."""


@dataclass(frozen=True)
class ConnectFour(InARow[ConnectFourState]):
    """k marks in a row, column or diagonal win; a full board is a draw. `first` begins.

    >>> import plyground as pg
    >>> pg.Position.initial(pg.ConnectFour()).play("d").play("d").text
    '......./......./......./......./...o.../...x...:x'
    """

    width: Annotated[int, "Columns"] = 7
    height: Annotated[int, "Rows"] = 6
    k: Annotated[int, "In a row to win"] = 4
    first: Annotated[str, "Who begins"] = "x"

    shortest = 2
    kind = "disc"
    names: ClassVar[tuple[str, str]] = ("Red", "Yellow")
    colours: ClassVar[tuple[Colour, Colour]] = ("red", "yellow")
    surface: ClassVar[Surface] = "plastic"
    canonical_is_complete = True

    # -- the rules --------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        return self.height, self.width

    @cached_property
    def stride(self) -> int:
        """Bits from a cell to its neighbour on the right."""
        return self.height + 1

    @cached_property
    def cell_bits(self) -> tuple[int, ...]:
        return tuple(column * self.stride + row for row in range(self.height) for column in range(self.width))

    @cached_property
    def floor(self) -> Words:
        """The lowest cell of each column."""
        return to_words(sum(1 << bit for bit in self.cell_bits[-self.width :]), self.length)

    def initial(self) -> ConnectFourState:
        return ConnectFourState(to_words(0, self.length), to_words(0, self.length))

    def to_move(self, state: ConnectFourState) -> int:
        # Turns alternate from `beginner` on, so that the state needs no word for the player to move.
        return (size(union(state.mine, state.theirs)) + self.beginner) & 1

    def landings(self, state: ConnectFourState) -> Words:
        """Cells in which a mark can come to rest: free ones on the floor or on another mark."""
        marks = union(state.mine, state.theirs)
        return common(without(self.all_cells, marks), union(shifted_down(marks, 1), self.floor))

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

    def pick(self, state: ConnectFourState, chance: int) -> int:
        return pick_member(self.landings(state), chance)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def completing(self, cells: Words) -> Words:
        """The places that would make a line of k with these cells; some may be taken or off the board."""
        found = run_starts(cells, self.all_cells, 1, self.k - 1)  # in a column only the top of a line is ever missing
        found = union(found, line_gaps(cells, self.all_cells, self.stride, self.k))
        found = union(found, line_gaps(cells, self.all_cells, self.stride - 1, self.k))
        return union(found, line_gaps(cells, self.all_cells, self.stride + 1, self.k))

    def promising_moves(self, state: ConnectFourState) -> Words:
        """A winning cell; else the one that stops a win; never the cell below one where the other would win."""
        landings = self.landings(state)
        wins = common(self.completing(state.mine), landings)
        if some(wins):
            return one(wins)
        threats = common(self.completing(state.theirs), self.free(state))
        # A disc just below a threat lets the other player land on it, so such a cell is never safe; the next bit up is
        # the cell below.
        forced = common(threats, landings)
        safe = without(landings, shifted_up(threats, 1))
        if size(forced) == 1:
            return common(safe, forced)
        if some(forced):
            return without(forced, forced)
        return safe

    def order(self, state: ConnectFourState, move: int) -> int:
        """Rank of a move: 64 for each free cell that would then complete a line, less the distance from the middle."""
        mine = with_member(state.mine, move)
        # Nodes for twelve positions with 12 marks, solved: as it is 4.4 M; without the middle 9.3 M; lines through the
        # cell in place of the middle 6.0 M; a move that must be answered more 4.7 to 5.1 M; threats on rows of the
        # right parity, or above each other, more 4.3 to 4.4 M, and more text.
        threats = size(without(common(self.completing(mine), self.free(state)), mine))
        return threats * 64 - abs(2 * (move // self.stride) + 1 - self.width)

    def is_noisy(self, state: ConnectFourState, move: int) -> bool:
        """Whether the move threatens a line that the next disc could complete."""
        mine = with_member(state.mine, move)
        after = ConnectFourState(state.theirs, mine)
        return some(common(self.completing(mine), self.landings(after)))

    def is_forced(self, state: ConnectFourState) -> bool:
        """Whether the other player could complete a line next."""
        return some(common(self.completing(state.theirs), self.landings(state)))

    def evaluate(self, state: ConnectFourState) -> int:
        """Ten for each free cell that would make a line, and one for each line still open; x's minus o's."""
        free = self.free(state)
        threats = size(common(self.completing(state.mine), free)) - size(common(self.completing(state.theirs), free))
        lines = self.open_lines(state.theirs) - self.open_lines(state.mine)
        return (10 * threats + lines) * (1 - 2 * self.to_move(state))

    def canonical(self, state: ConnectFourState) -> ConnectFourState:
        """Of a state and its mirror image, the one with the smaller numbers; of a large board, the state itself."""
        if len(state.mine) > 1:
            return state
        mine, theirs = self.mirror(state.mine[0]), self.mirror(state.theirs[0])
        if mine > state.mine[0] or (mine == state.mine[0] and theirs >= state.theirs[0]):
            return state
        return ConnectFourState(with_word(state.mine, 0, mine), with_word(state.theirs, 0, theirs))

    def mirror(self, cells: int) -> int:
        """The cells of a board of one word, left and right exchanged."""
        # Column by column; spare bits are clear and stay so.
        column, result = (1 << self.height) - 1, 0
        for index in range(self.width):
            result |= (cells >> index * self.stride & column) << (self.width - 1 - index) * self.stride
        return result

    # -- for people -------------------------------------------------------------------------------------------------

    def parse_state(self, text: str) -> ConnectFourState:
        """Reads what `text` writes; the slashes and the player to move may be left out: the number of discs tells it.

        Positions that people set up have any discs of either side.
        """
        cells, mover = self.read_cells(text)
        for above, below in zip(cells, cells[self.width :], strict=False):
            if above != "." and below == ".":
                raise BadInput(f"{text!r} cannot arise: a mark hangs over a free cell.")
        count = len(cells) - cells.count(".")
        turn = (count + self.beginner) & 1
        if mover not in ("", self.marks[turn]):
            discs, other = count_text(count, "disc"), self.marks[1 - self.beginner]
            raise BadInput(
                f"{text!r} cannot arise: with {discs} {self.marks[turn]} is to move, as {self.first} begins; "
                f"with the option first={other} it is the other side."
            )
        return ConnectFourState(*self.read_sides(cells, turn, text))

    def place(self, bit: int) -> int:
        column, row = divmod(bit, self.stride)
        return row * self.width + column

    def move_signs(self, state: ConnectFourState, move: int) -> Iterator[int]:
        """The column, by its letter."""
        yield ord("a") + move // self.stride

    def parse_move(self, state: ConnectFourState, text: str) -> int:
        """A column by its letter or number, or the cell where the mark comes to rest."""
        word = text.strip().lower()
        if len(word) == 1 and "a" <= word <= "z":
            column = ord(word) - ord("a")
        elif word.isascii() and word.isdigit() and len(word) <= 3:
            column = int(word) - 1
        else:
            return self.cell_bits[parse_place(text, self.height, self.width, upward=True)]
        if not 0 <= column < self.width:
            last = chr(ord("a") + self.width - 1)
            raise BadInput(f"{text!r} is not a column: name one a to {last}, or 1 to {self.width}.")
        bits = [bit for bit in elements(self.landings(state)) if bit // self.stride == column]
        return bits[0] if bits else column * self.stride  # of a full column its top cell, which is no legal move

    def refusal(self, state: ConnectFourState, path: tuple[int, ...]) -> str:
        column = path[0] % self.width
        name = chr(ord("a") + column)
        is_open = any(bit // self.stride == column for bit in elements(self.landings(state)))
        return f"a disc in column {name} falls to a lower row" if is_open else f"column {name} is full"

    def board(self) -> Board:
        """Rows are numbered from the bottom, where the marks come to rest."""
        # Each column is a fall: a click on any place of it is the move of that column.
        columns = (range(column, self.width * self.height, self.width) for column in range(self.width))
        board = super().board()
        return replace(
            board, places=squares(self.height, self.width, upward=True).places, falls=tuple(map(tuple, columns))
        )

    def explain(self, state: ConnectFourState) -> tuple[tuple[str, int], ...]:
        x, o = self.sides(state)
        free = self.free(state)
        red, yellow = self.names
        return (
            (f"10 for each cell that would make {red} a line", 10 * size(common(self.completing(x), free))),
            (f"10 for each cell that would make {yellow} a line", -10 * size(common(self.completing(o), free))),
            (f"lines open to {red}", self.open_lines(o)),
            (f"lines open to {yellow}", -self.open_lines(x)),
        )


CONNECTFOUR = ShippedGame(
    "connectfour",
    ConnectFour,
    "four in a row, dropped into columns: connectfour:width,height,k",
    about=About(
        "Connect Four",
        IN_A_ROW,
        "Drop a disc into a column: it falls as far as it can. {k} of yours in a row, in any direction, win.",
        "c d d e f e e f f b f",
        details=(
            "The board stands upright and has {height} rows and {width} columns. The sides take turns to drop a disc "
            "into a column that is not full; it comes to rest on the lowest free place. {k} of your discs next to "
            "each other in a row, a column or a diagonal win at once. A full board without such a line is a draw."
        ),
    ),
)
