"""Three, Six and Nine Men's Morris: place men, then move them along lines; three in a line take a man.

The points are numbered ring by ring from the outside, clockwise from the top left, so a set of points is an int of 8
bits a ring. The board of three men has one ring and a centre, point 8.

    0 - - 1 - - 2        nine men: three rings, 0 to 23
    | 8 - 9 -10 |        six men: two rings, 0 to 15; the short lines between them are no mills
    | |       | |        three men: one ring and the centre, joined to all eight
    7-15     11-3
    | |       | |        men on d7, d6 and d5 (points 1, 9, 17): 1 << 1 | 1 << 9 | 1 << 17
    | 14-13-12  |
    6 - - 5 - - 4

Sides are seen by the player to move. A move is `to | from << 5 | taken << 10`, 31 where there is none: a man from the
hand comes from nowhere. Rules as in Gasser, "Solving Nine Men's Morris" (1996): who closes a mill, or two at once,
takes one man that is in no mill, or any if all are; who has two men left or no move has lost. With three men, a mill
wins. Where both have three men left and fly, all 56,922 positions up to symmetry are held against a slow twin in
`tests/test_games_morris.py`; `docs/engine.md` says how many of them are won.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise, permutations
from typing import Annotated, ClassVar, Final, NamedTuple

from plyground.board.bits import count, lowest, members
from plyground.board.look import END, STEP_WORDS, WON, Board, Colour, Piece, Place, Surface, Unseen
from plyground.board.signs import (
    COLON,
    COMMA,
    DASH,
    DOT,
    NUMBER,
    PLACE,
    PLAYER,
    SLASH,
    SPACE,
    choose_text,
    list_numbers,
    signs,
)
from plyground.errors import BadInput
from plyground.games.about import PIECES, About, ShippedGame
from plyground.rules import ONGOING, Game, place_names

# Five bits for each of the three parts of a move; 24 points leave 31 free.
NO_POINT = 31
NO_MAN = 1 << NO_POINT
"""Set of men taken by a move that takes none: the number of its bit is `NO_POINT`."""
ACROSS, DOWN = (0, 1, 2, 2, 2, 1, 0, 0), (0, 0, 0, 1, 2, 2, 2, 1)
"""Where the points of a ring lie on a square of three by three."""
RING_IMAGES = tuple(
    sum(1 << ((2 * turn + point if turn < 4 else 2 * turn - point) & 7) for point in range(8) if ring >> point & 1)
    for turn in range(8)
    for ring in range(256)
)
"""The points of a ring when it is turned, or mirrored and turned, at `256 * symmetry + points`."""
MAN_WORTH = 9
"""Weight of a man, in free points to move to."""
TAKES: Final = ord("x")
HAS, TO_PLACE = signs(" has "), signs(" to place, ")
MORRIS_NOTICES = signs("|a mill|leaving two men|a block")


class MorrisState(NamedTuple):
    """Points of the men, from the view of the player to move."""

    mine: int
    theirs: int
    my_hand: int
    """Men still to be placed."""
    their_hand: int
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class Morris(Game[MorrisState]):
    """`men` are 3 on one ring, 4 to 6 on two, 7 to 9 on three. With `flying`, a side with three men left moves one to
    any free point. `first` begins. A position that comes for the third time is a draw.
    """

    men: Annotated[int, "Men on each side"] = 9
    flying: Annotated[bool, "With three men left, move to any free point"] = True
    first: Annotated[str, "Who begins"] = "x"

    names: ClassVar[tuple[str, str]] = ("White", "Black")
    unit: ClassVar[tuple[str, int]] = ("men", MAN_WORTH)
    colours: ClassVar[tuple[Colour, Colour]] = ("white", "black")
    surface: ClassVar[Surface] = "wood"

    repetition = 3
    canonical_is_complete = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 3 <= self.men <= 9:
            raise BadInput(f"{self.men} men: there are boards for 3 to 9.")
        if self.first not in self.marks:
            raise BadInput(f"first={self.first}: x or o begins.")

    # -- the board --------------------------------------------------------------------------------------------------

    @cached_property
    def rings(self) -> int:
        return (self.men + 2) // 3

    @cached_property
    def points(self) -> int:
        return 8 * self.rings + (self.rings == 1)

    @cached_property
    def all_points(self) -> int:
        return (1 << self.points) - 1

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The lines of the board: the sides of the rings, and those that join the rings or cross the centre."""
        sides = [
            tuple(8 * ring + (corner + step) % 8 for step in range(3))
            for ring in range(self.rings)
            for corner in (0, 2, 4, 6)
        ]
        if self.rings == 1:
            return (*sides, *((end, 8, end + 4) for end in range(4)))
        return (*sides, *(tuple(range(middle, self.points, 8)) for middle in (1, 3, 5, 7)))

    @cached_property
    def mills(self) -> tuple[int, ...]:
        """The sets of three points that are a mill."""
        return tuple(sum(1 << point for point in line) for line in self.lines if len(line) == 3)

    @cached_property
    def mill_ends(self) -> tuple[tuple[int, int], ...]:
        """The points at which each mill begins and ends."""
        return tuple((line[0], line[-1]) for line in self.lines if len(line) == 3)

    @cached_property
    def mills_through(self) -> tuple[int, ...]:
        """The mills through a point without it, at `4 * point`; where there are fewer, a set that never occurs."""
        found = [[mill & ~(1 << point) for mill in self.mills if mill >> point & 1] for point in range(self.points)]
        # Four places a point, so that they are found without a table of beginnings; the centre of one ring has four
        # mills.
        return tuple(mill for mills in found for mill in (mills + [NO_MAN] * 4)[:4])

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """The points next to each point."""
        joined = {pair for line in self.lines for pair in pairwise(line)}
        return tuple(
            sum(1 << other for other in range(self.points) if joined & {(point, other), (other, point)})
            for point in range(self.points)
        )

    @cached_property
    def mill_ways(self) -> int:
        """The most mills through one point."""
        return 4 if self.rings == 1 else 2

    @cached_property
    def neighbours_by_eight(self) -> tuple[int, ...]:
        """The points next to any of a set of eight points, at `256 * set of eight + set`."""
        result = [0] * (256 * -(-self.points // 8))
        for start in range(0, self.points, 8):
            for eight in range(256):
                for point in members(eight & self.all_points >> start):
                    result[32 * start + eight] |= self.neighbours[start + point]
        return tuple(result)

    # -- the rules --------------------------------------------------------------------------------------------------

    def initial(self) -> MorrisState:
        return MorrisState(0, 0, self.men, self.men, self.marks.index(self.first))

    def to_move(self, state: MorrisState) -> int:
        return state.turn

    def moves(self, state: MorrisState) -> Iterator[int]:
        free = self.all_points & ~(state.mine | state.theirs)
        anywhere = self.goes_anywhere(state)
        prey = state.theirs & ~self.in_mills(state.theirs)
        # A set with a bit beyond the board stands for "none": the loops over men, ends and men taken then need no case
        # of their own.
        prey = NO_MAN if self.men == 3 else prey if prey else state.theirs
        men = state.mine if state.my_hand == 0 else NO_MAN
        while men:
            man = lowest(men)
            # The man that moves is taken off: it must not count in the mill that it leaves.
            left = state.mine & ~(1 << man)
            ends = free if anywhere else free & self.neighbours[man]
            while ends:
                end = lowest(ends)
                taken = prey if self.closes_mill(left, end) else NO_MAN
                while taken:
                    yield end | man << 5 | lowest(taken) << 10
                    taken &= taken - 1
                ends &= ends - 1
            men &= men - 1

    def goes_anywhere(self, state: MorrisState) -> bool:
        """Whether the player to move may go to any free point: from the hand, or flying."""
        return state.my_hand > 0 or (self.flying and count(state.mine) == 3)

    def closes_mill(self, men: int, point: int) -> bool:
        """Whether one more man on a point closes a mill."""
        for way in range(self.mill_ways):
            mill = self.mills_through[4 * point + way]
            if men & mill == mill:
                return True
        return False

    def in_mills(self, men: int) -> int:
        """The men that are in a mill."""
        found = 0
        for index in range(len(self.mills)):
            if men & self.mills[index] == self.mills[index]:
                found |= self.mills[index]
        return found

    def next_to(self, men: int) -> int:
        """The points next to any of these men."""
        found = 0
        # A look-up for each ring of eight points in place of a loop over men.
        for eight in range(len(self.neighbours_by_eight) // 256):
            found |= self.neighbours_by_eight[256 * eight + (men >> 8 * eight & 255)]
        return found

    def play(self, state: MorrisState, move: int) -> MorrisState:
        end, man, taken = move & 31, move >> 5 & 31, move >> 10
        mine = state.mine & ~(1 << man) | 1 << end
        hand = state.my_hand - (1 if man == NO_POINT else 0)
        return MorrisState(state.theirs & ~(1 << taken), mine, state.their_hand, hand, 1 - state.turn)

    def outcome(self, state: MorrisState) -> int:
        if self.men == 3 and self.in_mills(state.theirs):
            return 2 * state.turn - 1
        if state.my_hand > 0:
            return ONGOING
        men = count(state.mine)
        if men < 3:
            return 2 * state.turn - 1
        # A player who flies can go to any free point, and there always is one.
        if self.flying and men == 3:
            return ONGOING
        if self.next_to(state.mine) & ~(state.mine | state.theirs) == 0:
            return 2 * state.turn - 1
        return ONGOING

    def notice(self, state: MorrisState) -> Iterator[int]:
        """Notice of the way in which a game was won: a mill, too few men, or a block."""
        told = 0
        if self.men == 3 and self.in_mills(state.theirs):
            told = 1
        elif self.outcome(state) != ONGOING:
            told = 2 if count(state.mine) < 3 else 3
        return choose_text(MORRIS_NOTICES, told)

    def tier(self, state: MorrisState) -> int:
        """Men placed, and once more those that were taken."""
        # Placing and taking are never undone, and moving along lines changes neither: so tiers never fall.
        placed = 2 * self.men - state.my_hand - state.their_hand
        return 2 * placed - count(state.mine | state.theirs)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: MorrisState) -> int:
        """Lead of x in men, those in hand included, times `MAN_WORTH`, plus its lead in free neighbouring points."""
        men = count(state.mine) + state.my_hand - count(state.theirs) - state.their_hand
        return (
            MAN_WORTH * men + self.free_neighbours(state.mine, state) - self.free_neighbours(state.theirs, state)
        ) * (1 - 2 * state.turn)

    def free_neighbours(self, men: int, state: MorrisState) -> int:
        """Count the free points next to these men."""
        return count(self.next_to(men) & ~(state.mine | state.theirs))

    def order(self, state: MorrisState, move: int) -> int:
        """Rank of a move: 16 for closing a mill, 8 for blocking one, and 1 for each neighbour of the point."""
        end, man = move & 31, move >> 5 & 31
        worth = count(self.neighbours[end])
        if self.closes_mill(state.mine & ~(1 << man), end):
            worth += 16
        # A block: the other player would close a mill here.
        if self.closes_mill(state.theirs, end):
            worth += 8
        return worth

    @property
    def has_noise(self) -> int:
        """1, but with one ring 0: three men's first mill is the end, which every search sees."""
        return int(self.rings > 1)

    def is_noisy(self, state: MorrisState, move: int) -> bool:
        """Whether it closes a mill."""
        end, man = move & 31, move >> 5 & 31
        return self.closes_mill(state.mine & ~(1 << man), end) != 0

    @cached_property
    def ring_orders(self) -> tuple[int, ...]:
        """The rings in each of their orders, one after the other: as they are, from the inside out, then the others."""
        # Identity and reversal first: where rings keep their neighbours, `symmetries` counts these two alone.
        orders = [*permutations(range(self.rings))]
        return tuple(ring for order in dict.fromkeys([orders[0], orders[-1], *orders]) for ring in order)

    def symmetries(self, state: MorrisState) -> int:
        """How many images a state has: turns and mirrors of the board, and its rings from the inside out. Where all men
        fly, it does not matter which rings are joined, so they may come in any order."""
        # Lines between rings matter for steps alone, and mills across rings have one point on each whatever the order.
        if self.flying and state.my_hand + state.their_hand == 0 and max(count(state.mine), count(state.theirs)) <= 3:
            return 8 * (len(self.ring_orders) // self.rings)
        return 8 * min(2, self.rings)

    def canonical(self, state: MorrisState) -> MorrisState:
        """Of the images of a state the one with the smallest sets."""
        mine, theirs = state.mine, state.theirs
        # 0 is the identity; the low three bits turn and mirror, the others reorder rings.
        for symmetry in range(1, self.symmetries(state)):
            left, right = self.image(state.mine, symmetry), self.image(state.theirs, symmetry)
            if left < mine or (left == mine and right < theirs):
                mine, theirs = left, right
        return MorrisState(mine, theirs, state.my_hand, state.their_hand, state.turn)

    def image(self, men: int, symmetry: int) -> int:
        """A set when the board is turned or mirrored, by the lowest three bits, and its rings are in another order."""
        result = men >> 8 if self.rings == 1 else 0
        for ring in range(self.rings):
            source = self.ring_orders[(symmetry >> 3) * self.rings + ring]
            result = result << 8 | RING_IMAGES[(symmetry & 7) << 8 | men >> 8 * (self.rings - 1 - source) & 255]
        return result

    # -- for people -------------------------------------------------------------------------------------------------

    def board(self) -> Board:
        """The points, named by a letter for the column and a number for the row from the bottom: `d2`."""
        middle = self.rings
        points = [
            (middle + (ACROSS[corner] - 1) * (middle - ring), middle + (DOWN[corner] - 1) * (middle - ring))
            for ring in range(self.rings)
            for corner in range(8)
        ] + [(1, 1)] * (self.rings == 1)
        names = [f"{chr(ord('a') + x)}{2 * middle + 1 - y}" for x, y in points]
        places = (Place(name, x, y, "point") for name, (x, y) in zip(names, points, strict=True))
        lines = tuple(pair for line in self.lines for pair in pairwise(line))
        unseen = tuple(Unseen(f"{name}'s men to place", self.men) for name in self.names)
        return Board(
            tuple(places),
            lines,
            pieces=tuple(Piece(mark, "stone", name="man") for mark in self.marks),
            unseen=unseen,
            spoken=STEP_WORDS,
        )

    def unseen(self, state: MorrisState) -> tuple[int, ...]:
        """The men in hand, of x and of o."""
        (_, x_hand), (_, o_hand) = self.sides(state)
        return x_hand, o_hand

    def stands(self, state: MorrisState) -> Iterator[int]:
        """The men, and with three men the mills that won."""
        (x, _), (o, _) = self.sides(state)
        won = self.in_mills(state.theirs) if self.men == 3 else 0
        for point in range(self.points):
            yield (x >> point & 1) + (o >> point & 1) * 2 + (won >> point & 1) * WON

    def lay_pieces(self, pieces: Sequence[int], places: Sequence[int], count: int) -> Iterator[MorrisState]:
        x, o = 0, 0
        for index in range(count):
            x |= 1 << places[index] if pieces[index] == 1 else 0
            o |= 1 << places[index] if pieces[index] == 2 else 0
        for turn in range(2):
            mine, theirs = (o, x) if turn else (x, o)
            yield MorrisState(mine, theirs, 0, 0, turn)

    def material(self, name: str) -> tuple[tuple[int, ...], ...]:
        """Men of White and of Black on the board, with none in hand: `3-3`."""
        found = re.fullmatch("([0-9])-([0-9])", name)
        if found is None or not all(3 <= int(men) <= self.men for men in found.groups()):
            raise BadInput(f"{name!r} is no end game: write the men of both, 3 to {self.men} each, as in 3-3.")
        return ((*[1] * int(found[1]), *[2] * int(found[2])),)

    def strokes(self, state: MorrisState) -> Iterator[int]:
        """With three men each mill that won, from end to end."""
        for index in range(len(self.mills) if self.men == 3 else 0):
            if state.theirs & self.mills[index] == self.mills[index]:
                yield self.mill_ends[index][0]
                yield self.mill_ends[index][1]
                yield END

    def caption(self, state: MorrisState) -> Iterator[int]:
        """The men in hand: `White has 3 to place, Black 2`."""
        (_, x_hand), (_, o_hand) = self.sides(state)
        if x_hand + o_hand > 0:
            yield PLAYER
            yield 0
            for sign in HAS:
                yield sign
            yield NUMBER
            yield x_hand
            for sign in TO_PLACE:
                yield sign
            yield PLAYER
            yield 1
            yield SPACE
            yield NUMBER
            yield o_hand

    def path(self, state: MorrisState, move: int) -> Iterator[int]:
        """Places of a move: where a man comes from, if it is on the board, where it goes, which man is taken."""
        for point in (move >> 5 & 31, move & 31, move >> 10):
            if point != NO_POINT:
                yield point

    @cached_property
    def reading_order(self) -> tuple[int, ...]:
        """The points row by row from the top, as they are read, with `NONE` between two rows."""
        places = self.board().places
        order = sorted(range(self.points), key=lambda point: (places[point].y, places[point].x))
        rows = ([point for point in order if places[point].y == row] for row in range(2 * self.rings + 1))
        return tuple(point for row in rows for point in (*row, NO_POINT))[:-1]

    def sides(self, state: MorrisState) -> tuple[tuple[int, int], tuple[int, int]]:
        """The men on the board and in the hand, of x and of o."""
        mover, other = (state.mine, state.my_hand), (state.theirs, state.their_hand)
        return (mover, other) if state.turn == 0 else (other, mover)

    def state_signs(self, state: MorrisState) -> Iterator[int]:
        """Points row by row from the top, then the player to move and the men in hand: `x.o/.x./...:o:1,2`."""
        (x, x_hand), (o, o_hand) = self.sides(state)
        for point in self.reading_order:
            if point == NO_POINT:
                yield SLASH
            elif (x | o) >> point & 1:
                yield PLAYER
                yield o >> point & 1
            else:
                yield DOT
        yield COLON
        yield PLAYER
        yield state.turn
        yield COLON
        for sign in list_numbers((x_hand, o_hand), COMMA):
            yield sign

    def parse_state(self, text: str) -> MorrisState:
        rows, mover, hands = [*text.strip().lower().split(":"), "", ""][:3]
        if not re.fullmatch("".join("/" if point == NO_POINT else "[xo.]" for point in self.reading_order), rows):
            raise BadInput(
                f"{text!r} is not a position: write the points row by row from the top (x, o or .), who is to move "
                f"and the men in hand of x and o, as in {self.text(self.initial())!r}."
            )
        held = re.fullmatch(r"([0-9]),([0-9])", hands or "0,0")
        if mover not in self.marks or held is None or text.count(":") > 2:
            raise BadInput(f"{text!r} is not a position: after the points write :x or :o, then, as in :2,3, the hands.")
        marks = list(zip(self.reading_order, rows, strict=True))
        x, o = (sum(1 << point for point, mark in marks if mark == name) for name in self.marks)
        x_hand, o_hand, turn = int(held[1]), int(held[2]), self.marks.index(mover)
        # While men are placed the beginner has as many in hand as the other, or one less after moving.
        lead = (o_hand - x_hand) * (1 if self.first == "x" else -1)
        if lead not in ((0,) if mover == self.first else (1,)) and x_hand + o_hand > 0:
            raise BadInput(
                f"{text!r} cannot arise: {x_hand} and {o_hand} men in hand, {mover} to move; they take turns."
            )
        if count(x) + x_hand > self.men or count(o) + o_hand > self.men:
            raise BadInput(f"{text!r} cannot arise: each side has at most {self.men} men, on the board and in hand.")
        if turn == 0:
            return MorrisState(x, o, x_hand, o_hand, turn)
        return MorrisState(o, x, o_hand, x_hand, turn)

    def move_signs(self, state: MorrisState, move: int) -> Iterator[int]:
        """`d2` places a man, `d2-d3` moves one, and `xd7` after either names the man that is taken."""
        man, taken = move >> 5 & 31, move >> 10
        if man != NO_POINT:
            yield PLACE
            yield man
            yield DASH
        yield PLACE
        yield move & 31
        if taken != NO_POINT:
            yield TAKES
            yield PLACE
            yield taken

    def refusal(self, state: MorrisState, path: tuple[int, ...]) -> str:
        """The reason that a path is no legal move, by the rules of setting, moving and taking."""
        paths = [tuple(self.path(state, move)) for move in self.moves(state)]
        before = path[:-1]
        if before and any(each[:-1] == before for each in paths):
            if state.theirs >> path[-1] & 1:
                return "a man in a mill is not taken while another is free"
            return "a mill takes a man of the other side"
        if len(path) > 1 and path[:-1] in paths:
            return "a man is taken only when a mill is closed"
        if state.my_hand:
            taken = (state.mine | state.theirs) >> path[0] & 1
            return f"{place_names(self)[path[0]]} is occupied" if taken else "all men are set before one moves"
        if len(path) > 1 and state.mine >> path[0] & 1 and not (state.mine | state.theirs) >> path[1] & 1:
            return "a man goes along a line to the next point"
        return super().refusal(state, path)

    def parse_move(self, state: MorrisState, text: str) -> int:
        found = re.fullmatch(r"(?:([a-g][1-7])-)?([a-g][1-7])(?:x([a-g][1-7]))?", text.strip().lower())
        points = place_names(self)
        if found is None or not set(found.groups(points[0])) <= set(points):
            raise BadInput(
                f"{text!r} is not a move: d2 places a man, d2-d3 moves one, and x and a point after it take one, as in "
                f"d2xb4; points are {', '.join(sorted(points))}."
            )
        man, end, taken = (points.index(name) if name else NO_POINT for name in found.groups())
        return end | man << 5 | taken << 10


_MILLS = (
    "First the sides set their men, one at a time, on free points. Then the sides take turns to move one man along a "
    "line to the next free point. Three of your men on one line are a mill: as often as you close one, take a man of "
    "the other side, one that is in no mill if there is any. With flying, an option, a side with three men left may "
    "move one of them to any free point. A side with two men left, or without a move, has lost. A position that "
    "comes for the third time is a draw."
)
_MORRIS = "Set your men on free points, then slide them along the lines. Three in a line, a mill, take an enemy man."
MORRIS = ShippedGame(
    "morris",
    Morris,
    "Nine Men's Morris: mills on three rings; morris:flying=false never flies",
    about=About(
        "Nine Men's Morris",
        PIECES,
        f"{_MORRIS} Leave the other two men, or no move.",
        "b4 f4 d7 a4 d2 d3 d5 d6 g4 c4 e4 d1 f6 b2",
        details=_MILLS,
    ),
)
THREEMORRIS = ShippedGame(
    "threemorris",
    partial(Morris, 3, flying=False),
    "Three Men's Morris; threemorris:flying=true moves to any free point",
    about=About(
        "Three Men's Morris",
        PIECES,
        "Set three men each on free points, then move them along the lines. Three in a line win.",
        "b2 c3 b3 b1 c2 a2",
        details=(
            "The board has nine points, and lines along its sides and through its centre. Each side sets three men "
            "in turn on free points, and then moves one of them along a line to the next free point. Three of your "
            "men on one line win. A side without a move has lost, and a position that comes for the third time is a "
            "draw."
        ),
    ),
)
SIXMORRIS = ShippedGame(
    "sixmorris",
    partial(Morris, 6, flying=False),
    "Six Men's Morris, on two rings; sixmorris:flying=true",
    about=About(
        "Six Men's Morris",
        PIECES,
        f"{_MORRIS} Leave the other two men, or no move.",
        "c2 e3 c5 a3 c4 d2 b3 d4 d3 b4 a1 b2",
        details=_MILLS,
    ),
)
