"""Domineering (Göran Andersson): x places dominoes upright, o lying; who cannot place one loses.

A move is the upper or left square of the domino, a bit as in `plyground/board/squares.py`. Who wins on small boards:
Berlekamp, "Blockbusting and Domineering" (1988); Breuker, Uiterwijk and van den Herik, "Solving 8 x 8 Domineering"
(2000).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import (
    Words,
    common,
    elements,
    has_member,
    pick_member,
    size,
    some,
    union,
    with_member,
    without,
)
from plyground.board.look import Board, Piece
from plyground.board.signs import PLACE, PLAYER, signs
from plyground.board.squares import Squares
from plyground.errors import BadInput
from plyground.games.about import LAND, About, ShippedGame
from plyground.games.on_squares import OnSquares
from plyground.rules import ONGOING

LONGEST_RUN = 8
"""Most dominoes in a row or column: half of the 16 squares of the longest."""
GOAL_CAPTION = (PLAYER, 0, *signs(" sets upright dominoes, "), PLAYER, 1, *signs(" lying ones"))


class DomineeringState(NamedTuple):
    """Squares that the dominoes of each side cover, from the view of the player to move."""

    mine: Words
    theirs: Words
    turn: int
    """The player to move: 0 for x, who sets upright, 1 for o."""


@dataclass(frozen=True)
class Domineering(OnSquares[DomineeringState]):
    """A board of `rows` and `columns`; `first` begins."""

    rows: Annotated[int, "Rows"] = 6
    columns: Annotated[int, "Columns"] = 6
    first: Annotated[str, "Who begins"] = "x"

    draws = False
    names: ClassVar[tuple[str, str]] = ("Vertical", "Horizontal")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (1 <= self.rows <= 16 and 1 <= self.columns <= 16 and self.rows * self.columns > 1):
            raise BadInput(f"A board of {self.rows} rows and {self.columns} columns: each must be 1 to 16.")
        if self.first not in self.marks:
            raise BadInput(f"first={self.first}: x or o begins.")
        if (self.rows, self.columns)[self.marks.index(self.first)] < 2:
            raise BadInput(f"{self.first} has no room for a domino: there is no game to begin.")

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def squares(self) -> Squares:
        return Squares(self.rows, self.columns)

    def initial(self) -> DomineeringState:
        return DomineeringState(self.squares.none, self.squares.none, self.marks.index(self.first))

    def free(self, state: DomineeringState) -> Words:
        return without(self.squares.all, union(state.mine, state.theirs))

    def places_for(self, free: Words, player: int) -> Words:
        """Squares that can be the upper or left one of a player's next domino."""
        if player == 0:
            return common(free, self.squares.shift(free, -self.squares.stride))
        return common(free, self.squares.shift(free, -1))

    def moves(self, state: DomineeringState) -> Iterator[int]:
        return elements(self.places_for(self.free(state), state.turn))

    def play(self, state: DomineeringState, move: int) -> DomineeringState:
        other = move + (1 if state.turn else self.squares.stride)
        return DomineeringState(state.theirs, with_member(with_member(state.mine, move), other), 1 - state.turn)

    def outcome(self, state: DomineeringState) -> int:
        return ONGOING if some(self.places_for(self.free(state), state.turn)) else 2 * state.turn - 1

    def tier(self, state: DomineeringState) -> int:
        """Squares under dominoes."""
        return size(state.mine) + size(state.theirs)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def safe_places_for(self, free: Words, player: int) -> Words:
        """Squares for dominoes whose room the other can never take: no free square lies beside either half."""
        # The other's dominoes lie across: one needs a free square beside a half, so without these none can come.
        step = 1 if player == 0 else self.squares.stride
        beside = union(self.squares.shift(free, step), self.squares.shift(free, -step))
        return self.places_for(without(free, beside), player)

    def evaluate(self, state: DomineeringState) -> int:
        """Places for x's dominoes less places for o's; those that the other player cannot take away count twice."""
        free = self.free(state)
        x = size(self.places_for(free, 0)) + size(self.safe_places_for(free, 0))
        return x - size(self.places_for(free, 1)) - size(self.safe_places_for(free, 1))

    def order(self, state: DomineeringState, move: int) -> int:
        """Static evaluation of the state after the move."""
        return self.evaluate(self.play(state, move)) * (1 - 2 * state.turn)

    def split_settled(self, state: DomineeringState) -> tuple[DomineeringState, int]:
        """The free squares alone: whose dominoes cover the others has no effect."""
        # Owners matter for the picture only: states that differ in them alone share one entry of the table.
        return DomineeringState(union(state.mine, state.theirs), self.squares.none, state.turn), 0

    def pick(self, state: DomineeringState, chance: int) -> int:
        return pick_member(self.places_for(self.free(state), state.turn), chance)

    # -- for people -------------------------------------------------------------------------------------------------

    def board(self) -> Board:
        halves = tuple(Piece(self.marks[way in "<>"], "domino", text=way) for way in "^v<>")
        return replace(super().board(), pieces=halves)

    def stands(self, state: DomineeringState) -> Iterator[int]:
        """The half of a domino on each square that one covers: upper, lower, left or right."""
        x, o = self.sides(state)
        upper, left = self.heads(x, self.squares.stride), self.heads(o, 1)
        for bit in self.squares.bits:
            # Pieces 1 and 2 are x's upper and lower half, 3 and 4 o's left and right one.
            yield has_member(x, bit) * (2 - has_member(upper, bit)) + has_member(o, bit) * (4 - has_member(left, bit))

    def heads(self, covered: Words, step: int) -> Words:
        """Upper or left squares of one side's dominoes: every run of squares that they cover begins with one."""
        # Dominoes do not overlap, so that in a run of covered squares heads and tails alternate from its first square
        # on. On 16 squares that is 8 dominoes, one found with each turn.
        heads = without(covered, self.squares.shift(covered, step))
        for _ in range(LONGEST_RUN):
            second = common(covered, self.squares.shift(heads, step))
            heads = union(heads, common(covered, self.squares.shift(second, step)))
        return heads

    def impossibility(self, state: DomineeringState) -> str:
        return "dominoes cover two squares each" if any(size(side) % 2 for side in self.sides(state)) else ""

    def explain(self, state: DomineeringState) -> tuple[tuple[str, int], ...]:
        free = self.free(state)
        return tuple(
            (f"{word} for {name}'s dominoes", sign * size(found(free, player)))
            for player, (name, sign) in enumerate(zip(self.names, (1, -1), strict=True))
            for word, found in (("places", self.places_for), ("safe places", self.safe_places_for))
        )

    def caption(self, state: DomineeringState) -> Iterator[int]:
        for sign in GOAL_CAPTION:
            yield sign

    def path(self, state: DomineeringState, move: int) -> Iterator[int]:
        """Both squares of the domino."""
        yield self.squares.place(move)
        yield self.squares.place(move + (1 if state.turn else self.squares.stride))

    def refusal(self, state: DomineeringState, path: tuple[int, ...]) -> str:
        if has_member(self.free(state), self.squares.bits[path[0]]):
            way = ("upright", "lying")[state.turn]
            return f"{self.names[state.turn]}'s dominoes are {way} and need two free squares"
        return super().refusal(state, path)

    def move_signs(self, state: DomineeringState, move: int) -> Iterator[int]:
        """The upper or left square."""
        yield PLACE
        yield self.squares.place(move)


DOMINEERING = ShippedGame(
    "domineering",
    Domineering,
    "set dominoes, upright against lying: domineering:rows,columns",
    about=About(
        "Domineering",
        LAND,
        "Set a domino: Vertical upright, Horizontal lying. Who finds no room for one has lost.",
        "b7 g2 b5 e2 b3 c2 b1 g4 d3 c7 d5 g6 g7 e8 f4 e6 h7 c8",
        "8,8",
        details=(
            "The sides take turns to set a domino on two free squares that are next to each other: Vertical upright, "
            "Horizontal lying. Dominoes stay where they are. The side that finds no room for its next domino has "
            "lost, so there is no draw."
        ),
    ),
)
