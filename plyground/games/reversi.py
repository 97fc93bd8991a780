"""Reversi, or Othello: a disc turns every straight run of discs that it encloses; most discs win.

A move is the square of the disc, which must turn at least one. Who has no such square passes, which is a move of its
own; when neither player has one, the game is over, and the margin in discs is its utility. The rules are those of the
World Othello Federation, with its start: o, who moves second, on d4 and e5 of a board of 8 rows.

Where discs can be set, and what they turn, is found for all squares at once, by runs in eight directions
(`plyground/board/squares.py`).

The static evaluation is the margin to expect, from six terms with weights that change as the board fills.
`python scripts/reversi_weights.py` fits them to played games.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Final, NamedTuple

from plyground.board.bits import Words, common, elements, pick_member, size, some, union, with_member, without
from plyground.board.look import Colour, Surface
from plyground.board.signs import NUMBER, PLACE, PLAYER, SPACE, choose_text, signs
from plyground.board.squares import Squares
from plyground.errors import BadInput
from plyground.games.about import LAND, About, ShippedGame
from plyground.games.on_squares import OnSquares
from plyground.rules import ONGOING, place_names

CORNER = 8
"""Weight of a corner in the order of moves, in moves that the other player is left with."""
DISC: Final = 100
"""Points of the evaluation that are one disc."""
# In the order of `features`. scripts/reversi_weights.py fits them to the margins of played games and, with a weight of
# 30, to agree with themselves one ply later; bench/TRIED.md has the trials with weights from 4 to 90.
PATTERN_WEIGHTS: Final = ((-178, 93), (0, 107), (1900, 197), (-1451, 49), (213, 87), (-78, 28))
"""Points for one of each of `features` on an empty and on a full board."""
FULL_BOARD: Final = 64
"""Steps from the weights of an empty board to those of a full one."""
PASS = signs("pass")
REVERSI_NOTICES = signs("|must pass: no disc can be set")
DISCS, BETWEEN = signs("Discs: "), signs(", ")


class ReversiState(NamedTuple):
    """The discs of each side, seen by the player to move."""

    mine: Words
    theirs: Words
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class Reversi(OnSquares[ReversiState]):
    """An even number of rows and columns, `size` each; x begins. The utility is x's margin in discs.

    >>> import plyground as pg
    >>> pg.Position.initial(pg.Reversi()).legal_texts
    ['d3', 'c4', 'f5', 'e6']
    """

    size: Annotated[int, "Rows and columns"] = 8

    kind = "disc"
    names: ClassVar[tuple[str, str]] = ("Black", "White")
    colours: ClassVar[tuple[Colour, Colour]] = ("black", "white")
    surface: ClassVar[Surface] = "felt"
    unit: ClassVar[tuple[str, int]] = ("discs", DISC)
    late_move_reductions = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size not in range(4, 17, 2):
            raise BadInput(f"A board of {self.size} rows: reversi has an even number, 4 to 16.")

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def squares(self) -> Squares:
        return Squares(self.size, self.size)

    @cached_property
    def passing(self) -> int:
        """The move that sets no disc."""
        return self.squares.end

    def initial(self) -> ReversiState:
        # o's discs on d4 and e5 of 8 x 8, by the rules of the World Othello Federation.
        corner = (self.size // 2 - 1) * (self.squares.stride + 1)  # of the four squares in the middle
        right, below, across = corner + 1, corner + self.squares.stride, corner + self.squares.stride + 1
        return ReversiState(self.squares.of((right, below)), self.squares.of((corner, across)), 0)

    def open_squares(self, mine: Words, theirs: Words) -> Words:
        """Squares in which a side can set a disc: empty ones behind a run of the other's discs."""
        found = self.squares.none
        for index in range(8):
            step = self.squares.steps[index]
            # One step beyond each run of the other's discs that begins beside an own disc.
            found = union(found, self.squares.shift(self.squares.run(mine, theirs, step), step))
        return without(found, union(mine, theirs))

    def flips(self, disc: Words, mine: Words, theirs: Words) -> Words:
        """The discs that a new disc turns, in all directions."""
        found = self.squares.none
        for index in range(8):
            found = union(found, self.flips_in_direction(disc, mine, theirs, self.squares.steps[index]))
        return found

    def flips_in_direction(self, disc: Words, mine: Words, theirs: Words, step: int) -> Words:
        """In one direction: the run of the other's discs behind a new one, if an own disc stands at its end."""
        run = self.squares.run(disc, theirs, step)
        return run if some(common(self.squares.shift(run, step), mine)) else self.squares.none

    def moves(self, state: ReversiState) -> Iterator[int]:
        places = self.open_squares(state.mine, state.theirs)
        if not some(places):
            # A pass is a move of its own, so that turns alternate and a search needs no case for it.
            yield self.passing
        for move in elements(places):
            yield move

    def play(self, state: ReversiState, move: int) -> ReversiState:
        if move == self.passing:
            return ReversiState(state.theirs, state.mine, 1 - state.turn)
        turned = self.flips(with_member(self.squares.none, move), state.mine, state.theirs)
        mine = with_member(union(state.mine, turned), move)
        return ReversiState(without(state.theirs, turned), mine, 1 - state.turn)

    def outcome(self, state: ReversiState) -> int:
        # Two passes in a row end the game; they are not played, because no rule asks for a move where neither side has
        # one.
        if some(self.open_squares(state.mine, state.theirs)) or some(self.open_squares(state.theirs, state.mine)):
            return ONGOING
        return (size(state.mine) - size(state.theirs)) * (1 - 2 * state.turn)

    def caption(self, state: ReversiState) -> Iterator[int]:
        """How many discs each side has: `Discs: Black 12, White 9`."""
        x, o = self.sides(state)
        for sign in DISCS:
            yield sign
        yield PLAYER
        yield 0
        yield SPACE
        yield NUMBER
        yield size(x)
        for sign in BETWEEN:
            yield sign
        yield PLAYER
        yield 1
        yield SPACE
        yield NUMBER
        yield size(o)

    def notice(self, state: ReversiState) -> Iterator[int]:
        """A pass that is forced."""
        told = 0
        if self.outcome(state) == ONGOING and not some(self.open_squares(state.mine, state.theirs)):
            told = 1
        return choose_text(REVERSI_NOTICES, told)

    def tier(self, state: ReversiState) -> int:
        """Discs on the board."""
        return size(state.mine) + size(state.theirs)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    @cached_property
    def corners(self) -> Words:
        last = self.size - 1
        return self.squares.of(tuple(row * self.squares.stride + column for row in (0, last) for column in (0, last)))

    @cached_property
    def x_squares(self) -> Words:
        """The squares diagonally next to the corners, called X-squares."""
        last = self.size - 2
        return self.squares.of(tuple(row * self.squares.stride + column for row in (1, last) for column in (1, last)))

    @cached_property
    def sides_of_lines(self) -> tuple[Words, Words, Words]:
        """The squares at an end of their row, of their column, of a diagonal."""
        stride, last = self.squares.stride, self.size - 1
        rows = tuple(row * stride + column for row in range(self.size) for column in (0, last))
        columns = tuple(row * stride + column for row in (0, last) for column in range(self.size))
        return self.squares.of(rows), self.squares.of(columns), self.squares.of(tuple({*rows, *columns}))

    def risky_squares(self, free: Words) -> Words:
        """The squares diagonally next to a free corner: a disc there gives the corner away."""
        corners, found = common(free, self.corners), self.squares.none
        for index in range(4, 8):
            found = union(found, self.squares.shift(corners, self.squares.steps[index]))
        return common(found, self.x_squares)

    def stable(self, discs: Words) -> Words:
        """Discs of a side that are never turned again: in each line beside an edge or a stable disc, from corners on.

        Those that are stable because their lines are full are left out.
        """
        # A disc is never turned again if in each of the four lines through it one neighbour is the edge or a stable
        # disc of the same side. From the corners on, until none is added.
        found, steps = common(discs, self.corners), self.squares.steps
        grows = some(found)
        while grows:
            held = discs
            for line in range(4):
                # East, south, south-east and south-west of `Squares.steps`; the opposite of each is its minus.
                step = steps[line if line < 2 else line + 2]
                beside = union(self.squares.shift(found, step), self.squares.shift(found, -step))
                held = common(held, union(beside, self.sides_of_lines[min(line, 2)]))
            grows = some(without(held, found))
            found = held
        return found

    def features(self, state: ReversiState) -> tuple[int, int, int, int, int, int]:
        """Terms of the evaluation for the player to move: the move itself, then the difference between the players in
        squares where a disc can be set, corners, discs diagonally next to a free corner, stable discs, all discs.
        """
        mine, theirs = state.mine, state.theirs
        risked = self.risky_squares(without(self.squares.all, union(mine, theirs)))
        return (
            1,
            size(self.open_squares(mine, theirs)) - size(self.open_squares(theirs, mine)),
            size(common(mine, self.corners)) - size(common(theirs, self.corners)),
            size(common(mine, risked)) - size(common(theirs, risked)),
            size(self.stable(mine)) - size(self.stable(theirs)),
            size(mine) - size(theirs),
        )

    def fullness(self, state: ReversiState) -> int:
        """Share of squares with discs, in `FULL_BOARD`-ths: the place between the two sets of weights."""
        return (size(state.mine) + size(state.theirs)) * FULL_BOARD // (self.size * self.size)

    def weight(self, term: int, filled: int) -> int:
        """Points for one of a term."""
        return (PATTERN_WEIGHTS[term][0] * (FULL_BOARD - filled) + PATTERN_WEIGHTS[term][1] * filled) // FULL_BOARD

    def evaluate(self, state: ReversiState) -> int:
        """Expected margin of x in hundredths of a disc: the sum of `features`, each times its weight."""
        features, filled, mover = self.features(state), self.fullness(state), 0
        for term in range(6):
            mover += features[term] * self.weight(term, filled)
        return mover * (1 - 2 * state.turn)

    def is_noisy(self, state: ReversiState, move: int) -> bool:
        """A disc in a corner, which is never turned again and makes others stable."""
        return move != self.passing and some(common(with_member(self.squares.none, move), self.corners))

    def order(self, state: ReversiState, move: int) -> int:
        """Rank of a move: minus the moves that the other player is left with; a corner counts as `CORNER` moves."""
        after = self.play(state, move)
        return CORNER * size(common(after.theirs, self.corners)) - size(self.open_squares(after.mine, after.theirs))

    def bounds(self, state: ReversiState) -> tuple[int, int]:
        """Bounds of x's margin in discs: every square may be won, but a corner is never turned again."""
        squares = self.size * self.size
        # A margin counts each lost square twice: it is not one's own, and it is the other's.
        mine = squares - 2 * size(common(state.theirs, self.corners))
        theirs = squares - 2 * size(common(state.mine, self.corners))
        return (-theirs, mine) if state.turn == 0 else (-mine, theirs)

    def pick(self, state: ReversiState, chance: int) -> int:
        places = self.open_squares(state.mine, state.theirs)
        return pick_member(places, chance) if some(places) else self.passing

    # -- for people -------------------------------------------------------------------------------------------------

    def impossibility(self, state: ReversiState) -> str:
        middle = union(self.initial().mine, self.initial().theirs)
        return (
            "" if not some(without(middle, union(state.mine, state.theirs))) else "the four middle squares have discs"
        )

    def move_signs(self, state: ReversiState, move: int) -> Iterator[int]:
        if move == self.passing:
            for sign in PASS:
                yield sign
        else:
            yield PLACE
            yield self.squares.place(move)

    def parse_move(self, state: ReversiState, text: str) -> int:
        return self.passing if text.strip().lower() == "pass" else self.squares.parse_square(text)

    def refusal(self, state: ReversiState, path: tuple[int, ...]) -> str:
        if some(self.open_squares(state.mine, state.theirs)):
            free = without(self.squares.all, union(state.mine, state.theirs))
            here = with_member(self.squares.none, self.squares.bits[path[0]])
            if some(common(free, here)):
                return f"a disc on {place_names(self)[path[0]]} would turn over none"
            return super().refusal(state, path)
        return f"{self.names[state.turn]} must pass"

    def explain(self, state: ReversiState) -> tuple[tuple[str, int], ...]:
        words = (
            "the move",
            "squares where a disc can be set",
            "corners",
            "discs diagonally next to a free corner",
            "stable discs",
            "discs",
        )
        features, filled, sign = self.features(state), self.fullness(state), 1 - 2 * state.turn
        return tuple((name, sign * features[term] * self.weight(term, filled)) for term, name in enumerate(words))


REVERSI = ShippedGame(
    "reversi",
    Reversi,
    "enclosed discs turn, most discs win: reversi:size, an even one from 4",
    about=About(
        "Reversi",
        LAND,
        "Set a disc so that it encloses some of the other's in a line: they become yours. Most discs at the end win.",
        "e6 f4 c3 d6 e3 d3 c2 f6 c4 f3 g7 g6 f5",
        details=(
            "Two discs of each side stand in the middle; Black begins. Set a disc so that it encloses discs of the "
            "other side in a straight line between itself and another disc of yours. In every direction in which it "
            "does, they become yours. A disc that encloses none may not be set, and a side that can set none passes. "
            "When neither can, the game is over, and most discs win."
        ),
    ),
)
