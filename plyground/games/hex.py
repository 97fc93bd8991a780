"""Hex: join your two sides of a rhombus of hexagons by a chain of stones to win. There are no draws.

x joins top and bottom, o left and right. A cell has six neighbours: of the eight directions of a board of squares all
but the two along one diagonal (`plyground/board/squares.py`), for each row lies half a cell farther right than the one
above. A move is the cell of the stone, or `swap`.

The player who begins wins (Nash, "Some games and machines for playing them", RAND D-1164, 1952); with the swap rule,
it is the other one. Winning first moves of the smaller boards: Hayward et al., "Solving 7 x 7 Hex with domination,
fill-in, and virtual connections" (2005).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import (
    Words,
    common,
    element,
    elements,
    one,
    pick_member,
    size,
    some,
    union,
    with_member,
    without,
)
from plyground.board.look import END, Board, Colour, hexagons
from plyground.board.signs import PLACE, PLAYER, choose_text, signs
from plyground.board.squares import Squares
from plyground.errors import BadInput
from plyground.games.about import LAND, About, ShippedGame
from plyground.games.on_squares import OnSquares
from plyground.rules import ONGOING

LARGEST_BOARD = 15
STONE = 4
"""Weight in the evaluation of each stone that a chain lacks."""
SWAP = signs("swap")
HEX_NOTICES = signs("|may swap")
GOAL_CAPTION = (PLAYER, 0, *signs(" joins top and bottom, "), PLAYER, 1, *signs(" left and right"))


class HexState(NamedTuple):
    """The stones of each side, seen by the player to move."""

    mine: Words
    theirs: Words
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class Hex(OnSquares[HexState]):
    """As many rows as columns, `size`; x begins. With `swap`, o may take over x's first stone instead of answering it:
    it becomes o's, on the cell that has row and column exchanged.

    >>> import plyground as pg
    >>> pg.Position.initial(pg.Hex(3, swap=True)).play("b2").legal_texts
    ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3', 'swap']
    """

    size: Annotated[int, "Rows and columns"] = 5
    swap: Annotated[bool, "The second player may take over the first stone"] = False

    foresight = 2
    kind = "stone"
    record = "sgf"
    record_tags: ClassVar[tuple[tuple[str, str], ...]] = (("GM", "11"),)
    names: ClassVar[tuple[str, str]] = ("Red", "Blue")
    unit: ClassVar[tuple[str, int]] = ("stones", STONE)
    colours: ClassVar[tuple[Colour, Colour]] = ("red", "blue")

    draws = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.size <= LARGEST_BOARD:
            raise BadInput(f"A board of {self.size} rows: hex has 1 to {LARGEST_BOARD}.")

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def squares(self) -> Squares:
        return Squares(self.size, self.size)

    @cached_property
    def swaps(self) -> int:
        return int(self.swap)

    @cached_property
    def swapping(self) -> int:
        """The move that takes over the first stone."""
        return self.squares.end

    @cached_property
    def top(self) -> Words:
        return self.squares.of(tuple(range(self.size)))

    @cached_property
    def bottom(self) -> Words:
        return self.squares.of(tuple(range(self.squares.end - self.squares.stride, self.squares.end - 1)))

    @cached_property
    def left(self) -> Words:
        return self.squares.of(tuple(range(0, self.squares.end, self.squares.stride)))

    @cached_property
    def right(self) -> Words:
        return self.squares.of(tuple(range(self.size - 1, self.squares.end, self.squares.stride)))

    def borders_of(self, player: int) -> tuple[Words, Words]:
        """The two sides that a player joins."""
        return (self.top, self.bottom) if player == 0 else (self.left, self.right)

    def initial(self) -> HexState:
        return HexState(self.squares.none, self.squares.none, 0)

    def free(self, state: HexState) -> Words:
        return without(self.squares.all, union(state.mine, state.theirs))

    def may_swap(self, state: HexState) -> bool:
        """Whether this is the answer to the first stone, in a game with the swap rule."""
        return self.swaps != 0 and state.turn == 1 and not some(state.mine) and size(state.theirs) == 1

    def moves(self, state: HexState) -> Iterator[int]:
        for move in elements(self.free(state)):
            yield move
        if self.may_swap(state):
            yield self.swapping

    def play(self, state: HexState, move: int) -> HexState:
        if move == self.swapping:
            stone = 0
            for bit in elements(state.theirs):
                # Mirrored on the long diagonal, because o's borders are x's mirrored there: the stone keeps its worth.
                stone = bit % self.squares.stride * self.squares.stride + bit // self.squares.stride
            return HexState(self.squares.none, with_member(self.squares.none, stone), 0)
        return HexState(state.theirs, with_member(state.mine, move), 1 - state.turn)

    def outcome(self, state: HexState) -> int:
        # A chain across the board has a stone in every row, or in every column: with fewer none is looked for.
        if size(state.theirs) < self.size:
            return ONGOING
        start, goal = self.borders_of(1 - state.turn)  # of who has just moved, the only one to have joined sides
        if not some(common(self.chains(common(start, state.theirs), state.theirs), goal)):
            return ONGOING
        return 2 * state.turn - 1

    # -- chains -----------------------------------------------------------------------------------------------------

    def around(self, cells: Words) -> Words:
        """These cells and their neighbours."""
        down = self.squares.stride
        beside = union(cells, union(self.squares.shift(cells, 1), self.squares.shift(cells, -1)))
        above = union(self.squares.shift(cells, -down), self.squares.shift(cells, 1 - down))
        below = union(self.squares.shift(cells, down), self.squares.shift(cells, down - 1))
        return union(beside, union(above, below))

    def chains(self, cells: Words, stones: Words) -> Words:
        """Stones that are joined to some of them by neighbours; `cells` is a part of `stones`."""
        found = cells
        # A flood fill for whole sets; only what the last step has added can reach anything new.
        more = without(common(self.around(found), stones), found)
        while some(more):
            found = union(found, more)
            more = without(common(self.around(more), stones), found)
        return found

    def cells_joined_to(self, start: Words, stones: Words, free: Words) -> Words:
        """Free cells in which one stone would be joined to a side."""
        joined = self.chains(common(start, stones), stones)
        return common(union(start, self.around(joined)), free)

    def winning(self, stones: Words, free: Words, player: int) -> Words:
        """Free cells in which one stone would win for a player."""
        start, goal = self.borders_of(player)
        return common(self.cells_joined_to(start, stones, free), self.cells_joined_to(goal, stones, free))

    def stones_missing(self, stones: Words, free: Words, player: int) -> int:
        """Least number of stones that a player needs to join the own sides; above the number of cells if it cannot."""
        start, goal = self.borders_of(player)
        joined = self.chains(common(start, stones), stones)
        edge = common(union(start, self.around(joined)), free)
        number = 0
        while not some(common(joined, goal)):
            if not some(edge):
                # The other player's chain is in between.
                return self.size * self.size + 1
            number += 1
            # All cells that one more stone can reach at once, with the own chains that they touch: breadth first, so
            # that the number of rounds is the least number of stones.
            joined = union(joined, edge)
            joined = self.chains(joined, union(stones, joined))
            edge = without(common(self.around(joined), free), joined)
        return number

    def tier(self, state: HexState) -> int:
        """Stones on the board."""
        return size(state.mine) + size(state.theirs)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: HexState) -> int:
        """Four points for each stone that o's shortest chain lacks more than x's, and two for the player to move."""
        x, o = state.mine, state.theirs
        if state.turn == 1:
            x, o = o, x
        free = self.free(state)
        ahead = self.stones_missing(o, free, 1) - self.stones_missing(x, free, 0)
        # To move is worth half of the stone that it sets.
        return STONE * ahead + STONE // 2 * (1 - 2 * state.turn)

    def order(self, state: HexState, move: int) -> int:
        """Rank of a move: 64 for each stone that the other then lacks more, less the distance from the middle."""
        if move == self.swapping:
            return 0
        mine, player = with_member(state.mine, move), state.turn
        free = without(self.squares.all, union(mine, state.theirs))
        ahead = self.stones_missing(state.theirs, free, 1 - player) - self.stones_missing(mine, free, player)
        row, column = move // self.squares.stride, move % self.squares.stride
        return 64 * ahead - abs(2 * row + 1 - self.size) - abs(2 * column + 1 - self.size)

    def promising_moves(self, state: HexState) -> Words:
        """A winning cell; else the one that stops a win, unless there are two to stop; else every free cell."""
        free = self.free(state)
        wins = self.winning(state.mine, free, state.turn)
        if some(wins):
            return one(wins)
        threats = self.winning(state.theirs, free, 1 - state.turn)
        # Two winning cells of the other player: one stone stops one of them.
        if size(threats) > 1:
            return self.squares.none
        if some(threats):
            return threats
        return free

    def candidates(self, state: HexState) -> Iterator[int]:
        for move in elements(self.promising_moves(state)):
            yield move
        if self.may_swap(state):  # on a board of two or more rows, no player wins at once after that
            yield self.swapping

    def pick(self, state: HexState, chance: int) -> int:
        free = self.free(state)
        if self.may_swap(state):
            place = chance * (size(free) + 1) >> 32
            return self.swapping if place == size(free) else element(free, place)
        return pick_member(free, chance)

    # -- for people -------------------------------------------------------------------------------------------------

    def parse_state(self, text: str) -> HexState:
        """A position as `text` writes it, of any stones that people set up; a side that has won has moved last."""
        state = super().parse_state(text)
        before = HexState(state.theirs, state.mine, 1 - state.turn)
        return before if self.outcome(before) != ONGOING else state

    def move_signs(self, state: HexState, move: int) -> Iterator[int]:
        if move == self.swapping:
            for sign in SWAP:
                yield sign
        else:
            yield PLACE
            yield self.squares.place(move)

    def parse_move(self, state: HexState, text: str) -> int:
        return self.swapping if text.strip().lower() == "swap" else self.squares.parse_square(text)

    def explain(self, state: HexState) -> tuple[tuple[str, int], ...]:
        (x, o), free = self.sides(state), self.free(state)
        return (
            (f"{STONE} for each stone that {self.names[1]}'s chain lacks", STONE * self.stones_missing(o, free, 1)),
            (f"{STONE} for each stone that {self.names[0]}'s chain lacks", -STONE * self.stones_missing(x, free, 0)),
            (f"{STONE // 2} for the move", STONE // 2 * (1 - 2 * state.turn)),
        )

    def board(self) -> Board:
        """Red's borders are above and below, Blue's left and right."""
        last = self.size**2 - 1
        above, below = (0, 0, self.size - 1), (0, last, last - self.size + 1)
        left, right = (1, last - self.size + 1, 0), (1, self.size - 1, last)
        places = hexagons(self.size, self.size).places
        return replace(super().board(), places=places, borders=(above, right, below, left))

    def caption(self, state: HexState) -> Iterator[int]:
        for sign in GOAL_CAPTION:
            yield sign

    def notice(self, state: HexState) -> Iterator[int]:
        return choose_text(HEX_NOTICES, 1 if self.may_swap(state) else 0)

    def winning_cells(self, state: HexState) -> Words:
        """The chain that won."""
        if self.outcome(state) == ONGOING:
            return self.squares.none
        start, _ = self.borders_of(1 - state.turn)
        return self.chains(common(start, state.theirs), state.theirs)

    def strokes(self, state: HexState) -> Iterator[int]:
        """A shortest way through the chain that won, back from where it ends."""
        if self.outcome(state) != ONGOING:
            start, here = self.borders_of(1 - state.turn)
            steps = 0
            # No memory for predecessors in a rule: the length of the shortest way first, then back, a stone nearer each
            # time.
            while not some(common(self.stones_within(start, state.theirs, steps), here)):
                steps += 1
            while steps >= 0:
                here = one(common(self.stones_within(start, state.theirs, steps), here))
                yield self.squares.place(element(here, 0))
                here = self.around(here)
                steps -= 1
            yield END

    def stones_within(self, cells: Words, stones: Words, steps: int) -> Words:
        """The stones on these cells, and those that are joined to them by at most this many steps."""
        found = common(cells, stones)
        for _ in range(steps):
            found = common(self.around(found), stones)
        return found


HEX = ShippedGame(
    "hex",
    Hex,
    "join two sides of a rhombus: hex:size; hex:size,swap=true",
    about=About(
        "Hex",
        LAND,
        "Set a stone on any free place. Red joins top and bottom, Blue left and right; one of them must.",
        "c11 h5 e3 c6 e5 e4 g1 a7 d6 d5 f4 f3 g3 g2 h2 k2 h1 g6 d7 b9 c9 c10 d8 f7 b10 h11 b11",
        "11,swap=true",
        details=(
            "Red has the borders at the top and the bottom, Blue those at the left and the right. The sides take "
            "turns to set one stone each on any free place, where it stays. A chain of your stones that joins your "
            "two borders wins. A full board always has such a chain of one side, so there is no draw. With the swap "
            "rule, an option, Blue may take over Red's first stone instead of answering it."
        ),
    ),
)
