"""Gomoku: five in a row on a board of Go; free-style, where more than five win too, or exactly five.

Free-style is the m,n,k-game of `mnk.py` by the name it is played under. With `exact`, which is called standard gomoku,
a row of six or more (an overline) is no row, and the game goes on. Who begins wins both on 15 x 15: Allis, van den
Herik and Huntjens, "Go-Moku solved by new search techniques" (1993). Renju, whose forbidden moves bind one player
alone, and openings by swapping or away from the middle are not here.

A line of exactly k is a line of k that is part of none of k + 1.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar

from plyground.board.bits import Words, common, shifted_down, shifted_up, some, union, with_member, without
from plyground.board.look import Board, Colour, Surface
from plyground.board.rows import line_gaps, line_starts
from plyground.games.about import IN_A_ROW, About, ShippedGame
from plyground.games.mnk import MNK, MNKState

SMALLEST_WITH_STARS, SMALLEST_WITH_FOURTH_LINE_STARS = 9, 12
"""Rows or columns of the smallest board with star points, and of the smallest on which they are a line farther in."""


@dataclass(frozen=True)
class Gomoku(MNK):
    """k marks in a row win; with `exact`, no more than k. A full board is a draw. `first` begins."""

    rows: Annotated[int, "Rows"] = 15
    columns: Annotated[int, "Columns"] = 15
    k: Annotated[int, "In a row to win"] = 5
    first: Annotated[str, "Who begins"] = "x"
    exact: Annotated[bool, "More than that in a row does not win"] = False

    names: ClassVar[tuple[str, str]] = ("Black", "White")
    record = "sgf"
    record_tags: ClassVar[tuple[tuple[str, str], ...]] = (("GM", "4"),)
    colours: ClassVar[tuple[Colour, Colour]] = ("black", "white")
    surface: ClassVar[Surface] = "wood"
    kind = "stone"

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def table_size(self) -> int:
        """0, no table: that of `mnk.py` counts lines that are longer than k."""
        return 0

    def winning_heads(self, cells: Words, step: int) -> Words:
        """Cells at which a winning line of these cells begins, in the direction of a step."""
        found = line_starts(cells, step, self.k)
        if self.exact:
            # A line of k + 1 has two of k in it, one from its own start and one from the next cell: neither wins.
            longer = line_starts(cells, step, self.k + 1)
            found = without(found, union(longer, shifted_up(longer, step)))
        return found

    def has_line(self, cells: Words) -> bool:
        found = self.winning_heads(cells, self.steps[0])
        for index in range(1, 4):
            found = union(found, self.winning_heads(cells, self.steps[index]))
        return some(found)

    def has_room(self, cells: Words) -> bool:
        # In a longer run some cells may stay free, so room for k is room for exactly k; a longer run that is filled has
        # no such room and counts nevertheless: the answer is a bound.
        return some(self.lines(cells))

    def line_heads(self, cells: Words, step: int) -> Words:
        found = self.winning_heads(cells, step)
        return without(found, shifted_up(found, step))

    def board(self) -> Board:
        return replace(super().board(), crossings=True, stars=self._stars())

    def _stars(self) -> tuple[int, ...]:
        """The star points, as on a board of Go: on the fourth lines from the edge, on smaller boards the third; and
        the middle."""
        smaller = min(self.rows, self.columns)
        if smaller < SMALLEST_WITH_STARS:
            return ()
        inside = 3 if smaller >= SMALLEST_WITH_FOURTH_LINE_STARS else 2
        down, across = [(inside, size - 1 - inside) for size in (self.rows, self.columns)]
        points = [(row, column) for row in down for column in across]
        if self.rows % 2 and self.columns % 2:
            points.append((self.rows // 2, self.columns // 2))
        return tuple(sorted(row * self.columns + column for row, column in points))

    # -- hints ------------------------------------------------------------------------------------------------------

    def order(self, state: MNKState, move: int) -> int:
        """Rank as in `mnk.py`, with moves beside a stone before others: on a large board most lines are still open."""
        point = with_member(without(self.all_cells, self.all_cells), move)
        around = point
        for index in range(4):
            step = self.steps[index]
            around = union(around, union(shifted_up(point, step), shifted_down(point, step)))
        # Less than the 64 of one more threat in `threat_rank`, so that threats come first.
        beside = 63 if some(common(around, union(state.mine, state.theirs))) else 0
        return self.threat_rank(state, move) + beside

    def is_noisy(self, state: MNKState, move: int) -> bool:
        """Whether the move threatens a line: one more cell would complete it."""
        mine = with_member(state.mine, move)
        return some(without(common(self.completing(mine), self.free(state)), mine))

    def is_forced(self, state: MNKState) -> bool:
        """Whether the other player threatens to complete a line in one move."""
        return some(common(self.completing(state.theirs), self.free(state)))

    def completing(self, cells: Words) -> Words:
        found = without(cells, cells)
        for index in range(4):
            found = union(found, self.filling(cells, self.steps[index]))
        return found

    def filling(self, cells: Words, step: int) -> Words:
        """The places that would make a line that wins with these cells, in the direction of a step and back."""
        found = line_gaps(cells, self.all_cells, step, self.k)
        if self.exact:
            # A cell that would make more than k makes a line that does not win.
            found = without(found, line_gaps(cells, self.all_cells, step, self.k + 1))
        return found


GOMOKU = ShippedGame(
    "gomoku",
    Gomoku,
    "five in a row on 15 x 15; gomoku:exact=true: no more than five; gomoku:rows,columns,k",
    about=About(
        "Gomoku",
        IN_A_ROW,
        "Take turns to set a stone on a free point. {k} of your stones in a row, in any direction, win.",
        "h8 i9 i8 g8 h9 h7 g10 j7 h10 h11 f10 i10 e11",
        details=(
            "Black begins. The sides take turns to set one stone each on a free crossing, where it stays. {k} of "
            "your stones next to each other in a row, a column or a diagonal win at once, and so do more, unless the "
            "option asks for exactly {k}. A full board without such a line is a draw."
        ),
    ),
)
