"""Kalah: seeds sown counter-clockwise round two rows of pits; more seeds in the own store win.

Each player's row is one word of equal fields, a pit in each, the pit farthest from the store lowest and the store
itself highest. Sowing from a pit adds a word from a table to each row, whatever the number of seeds.

    6 pits, 9 bits a field:      o:   store  5  4  3  2  1  0
                                 x:       0  1  2  3  4  5  store

    x's third pit holds 4 seeds, its store 1: mine = 4 << 9 * 2 | 1 << 9 * 6

Seen by the player to move. A move is the pit, from 0; its text is its number, from 1, in sowing order. Rules as in
Irving, Donkers and Uiterwijk, "Solving Kalah" (2000): the last seed in the own store moves again; in an own empty pit,
it captures itself and the pit opposite; the other's store is passed over; who has no seeds left in the pits ends the
game, and the seeds left belong to the side they are on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import count, nth
from plyground.board.look import COUNT, Board, Piece, Place, Surface
from plyground.board.signs import COLON, COMMA, NUMBER, PLAYER, SLASH
from plyground.errors import BadInput
from plyground.games.about import COUNTING, About, ShippedGame
from plyground.rules import MAX, ONGOING, Game

# Bits of a row, pits and store together: what a signed word holds beside its sign.
STORE_MASK = 63


class KalahState(NamedTuple):
    """The seeds of each side, seen by the player to move; the fields are drawn above."""

    mine: int
    theirs: int
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class Kalah(Game[KalahState]):
    """A capture needs seeds in the pit opposite; with `empty_capture`, it takes the last seed even if there are none.
    The utility is x's margin in seeds. `first` begins.

    >>> import plyground as pg
    >>> pg.Position.initial(pg.Kalah(pits=2, seeds=2)).play("1").text
    '0,3,1/2,2,0:x'
    """

    pits: Annotated[int, "Pits on each side"] = 6
    seeds: Annotated[int, "Seeds in each pit"] = 4
    empty_capture: Annotated[bool, "A last seed is captured though nothing is opposite"] = False
    first: Annotated[str, "Who begins"] = "x"

    names: ClassVar[tuple[str, str]] = ("South", "North")
    unit: ClassVar[tuple[str, int]] = ("seeds", 1)
    surface: ClassVar[Surface] = "wood"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.pits <= 8:
            raise BadInput(f"{self.pits} pits a side: there are 1 to 8.")
        # All seeds may come to lie in one store, which has to hold them in one field.
        most = ((1 << self.field) - 1) // (2 * self.pits)
        if not 1 <= self.seeds <= most:
            raise BadInput(f"{self.seeds} seeds a pit: with {self.pits} pits a side there are 1 to {most}.")
        if self.first not in self.marks:
            raise BadInput(f"first={self.first}: x or o begins.")

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def field(self) -> int:
        """Bits for the seeds of a pit."""
        return STORE_MASK // (self.pits + 1)

    @cached_property
    def field_mask(self) -> int:
        """The largest number of seeds in a field, and the mask of one."""
        return (1 << self.field) - 1

    @cached_property
    def row_mask(self) -> int:
        """The pits of a row, without the store."""
        return (1 << self.pits * self.field) - 1

    @cached_property
    def store(self) -> int:
        """Bits below the store."""
        return self.pits * self.field

    @cached_property
    def takes_itself(self) -> int:
        return int(self.empty_capture)

    @cached_property
    def total_seeds(self) -> int:
        return 2 * self.pits * self.seeds

    @cached_property
    def circle(self) -> int:
        """Places that a full lap sows: both rows and the own store."""
        return 2 * self.pits + 1

    @cached_property
    def sown_mine(self) -> tuple[int, ...]:
        """Word that sowing adds to the own row, at `pit * (total_seeds + 1) + seeds`."""
        return self._sowing_words(0)

    @cached_property
    def sown_theirs(self) -> tuple[int, ...]:
        """Word that sowing adds to the other row, likewise."""
        return self._sowing_words(1)

    @cached_property
    def last_places(self) -> tuple[int, ...]:
        return tuple((pit + seeds) % self.circle for pit in range(self.pits) for seeds in range(self.total_seeds + 1))

    def _sowing_words(self, side: int) -> tuple[int, ...]:
        # Places count round the board from the mover's first pit on, the own store among them and the other's not: it
        # is passed over. A place gets one seed for each lap that reaches it.
        first, last = (0, self.pits + 1) if side == 0 else (self.pits + 1, self.circle)
        return tuple(
            sum(
                (seeds + self.circle - 1 - (place - pit - 1) % self.circle) // self.circle
                << self.field * (place - first)
                for place in range(first, last)
            )
            for pit in range(self.pits)
            for seeds in range(self.total_seeds + 1)
        )

    def initial(self) -> KalahState:
        row = sum(self.seeds << self.field * pit for pit in range(self.pits))
        return KalahState(row, row, self.marks.index(self.first))

    def to_move(self, state: KalahState) -> int:
        return state.turn

    def moves(self, state: KalahState) -> Iterator[int]:
        for pit in range(self.pits):
            if state.mine >> self.field * pit & self.field_mask:
                yield pit

    def play(self, state: KalahState, move: int) -> KalahState:
        at = self.field * move
        seeds = state.mine >> at & self.field_mask
        place = move * (self.total_seeds + 1) + seeds
        mine = (state.mine & ~(self.field_mask << at)) + self.sown_mine[place]
        theirs = state.theirs + self.sown_theirs[place]
        last = self.last_places[place]
        # The pit holds just the seed that came last, so it was empty before; after a full lap the emptied pit counts,
        # too.
        if last < self.pits and mine >> self.field * last & self.field_mask == 1:
            across = self.field * (self.pits - 1 - last)
            captured = theirs >> across & self.field_mask
            if captured or self.takes_itself:
                mine += (captured + 1 << self.store) - (1 << self.field * last)
                theirs -= captured << across
        # Swept at once, so that a finished game is told by its empty pits, and its margin by the stores.
        if mine & self.row_mask == 0 or theirs & self.row_mask == 0:
            mine, theirs = self.sweep(mine), self.sweep(theirs)
        if last == self.pits:
            return KalahState(mine, theirs, state.turn)
        return KalahState(theirs, mine, 1 - state.turn)

    def sweep(self, side: int) -> int:
        """Move all seeds of a side into its store."""
        # The sum of all fields, as 2**field is 1 modulo 2**field - 1. All seeds together are an even number, at most
        # that odd modulus, and so below it.
        return (side >> self.store) + (side & self.row_mask) % self.field_mask << self.store

    def outcome(self, state: KalahState) -> int:
        if state.mine & self.row_mask and state.theirs & self.row_mask:
            return ONGOING
        return ((state.mine >> self.store) - (state.theirs >> self.store)) * (1 - 2 * state.turn)

    def tier(self, state: KalahState) -> int:
        """Seeds in both stores."""
        return (state.mine >> self.store) + (state.theirs >> self.store)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: KalahState) -> int:
        """Seeds in x's store less those in o's."""
        return ((state.mine >> self.store) - (state.theirs >> self.store)) * (1 - 2 * state.turn)

    def order(self, state: KalahState, move: int) -> int:
        """Rank of a move: moves again first, then by seeds gained for the store; of equals, the pit nearest to it."""
        seeds = state.mine >> self.field * move & self.field_mask
        # Above every gain of fewer than 256 seeds, for a free move costs nothing.
        if (move + seeds) % self.circle == self.pits:
            return 1 << 12 | move
        after = self.play(state, move)
        gained = (after.theirs >> self.store) - (state.mine >> self.store)
        return gained << 4 | move

    def is_noisy(self, state: KalahState, move: int) -> bool:
        """A capture, or a move after which the same side moves."""
        after = self.play(state, move)
        if after.turn == state.turn:
            return True
        mine = after.theirs
        # One seed in the own store is sowing; more is a capture, the last sweep, or a sowing of more than a lap.
        return (mine >> self.store) - (state.mine >> self.store) > 1

    def pick(self, state: KalahState, chance: int) -> int:
        """By the top bit of each field, set where the pit has seeds."""
        # Adding all lower bits carries into the top bit of a field if one of them is set; the top bit itself is or-ed
        # in. No carry leaves its field.
        filled = (((state.mine & self.below_top) + self.below_top) | state.mine) & self.top_bits
        return nth(filled, chance * count(filled) >> 32) // self.field

    @cached_property
    def top_bits(self) -> int:
        """The top bit of each pit."""
        return sum(1 << self.field * pit + self.field - 1 for pit in range(self.pits))

    @cached_property
    def below_top(self) -> int:
        """The other bits of each pit."""
        return self.row_mask & ~self.top_bits

    def bounds(self, state: KalahState) -> tuple[int, int]:
        """Bounds of x's margin in seeds: each side keeps the seeds in its store."""
        ahead = (state.mine >> self.store) - (state.theirs >> self.store)
        # Each seed that is still in a pit may come to either side.
        left = (state.mine & self.row_mask) % self.field_mask + (state.theirs & self.row_mask) % self.field_mask
        if state.turn == MAX:
            return (ahead - left, ahead + left)
        return (-ahead - left, left - ahead)

    def split_settled(self, state: KalahState) -> tuple[KalahState, int]:
        """The state without the seeds in the stores, which stay there."""
        ahead = (state.mine >> self.store) - (state.theirs >> self.store)
        bare = KalahState(state.mine & self.row_mask, state.theirs & self.row_mask, state.turn)
        return bare, ahead * (1 - 2 * state.turn)

    # -- for people -------------------------------------------------------------------------------------------------

    def seeds_in(self, state: KalahState, player: int, pit: int) -> int:
        """The seeds in one of a player's pits, in sowing order, or in the store, which comes last."""
        side = state.mine if state.turn == player else state.theirs
        return side >> self.field * pit & self.field_mask

    def state_signs(self, state: KalahState) -> Iterator[int]:
        """x's pits in sowing order and its store, o's likewise, then the mover: `4,4,4,4,4,4,0/4,4,4,4,4,4,0:x`."""
        for player in range(2):
            for pit in range(self.pits + 1):
                yield NUMBER
                yield self.seeds_in(state, player, pit)
                if pit < self.pits:
                    yield COMMA
            yield COLON if player else SLASH
        yield PLAYER
        yield state.turn

    def arrangement_text(self, numbers: Sequence[int], counts: Sequence[int], turn: int, unseen: Sequence[int]) -> str:
        x, o = (",".join(map(str, row)) for row in (counts[: self.pits + 1], counts[self.pits + 1 :]))
        return f"{x}/{o}:{self.marks[turn]}"

    def parse_state(self, text: str) -> KalahState:
        board, _, mover = text.strip().lower().partition(":")
        rows = [row.split(",") for row in board.split("/")]
        words = [word.strip() for row in rows for word in row]
        if [len(row) for row in rows] != [self.pits + 1] * 2 or not all(
            word.isascii() and word.isdigit() and len(word) < 5 for word in words
        ):
            raise BadInput(
                f"{text!r} is not a position: write x's {self.pits} pits in sowing order and its store, a slash, o's "
                f"likewise, and who is to move, as in {self.text(self.initial())!r}."
            )
        mover = mover or self.first
        if mover not in self.marks:
            raise BadInput(f"{text!r} is not a position: x or o is to move, not {mover!r}.")
        if sum(map(int, words)) != self.total_seeds:
            raise BadInput(f"{text!r} cannot arise: it has {sum(map(int, words))} seeds, not {self.total_seeds}.")
        x, o = (sum(int(word) << self.field * pit for pit, word in enumerate(row)) for row in rows)
        if (x & self.row_mask == 0) != (o & self.row_mask == 0):
            raise BadInput(f"{text!r} cannot arise: one side has no seeds in its pits, so the rest is in the stores.")
        turn = self.marks.index(mover)
        return KalahState(x, o, turn) if turn == MAX else KalahState(o, x, turn)

    def move_signs(self, state: KalahState, move: int) -> Iterator[int]:
        """The pit, numbered from 1."""
        yield NUMBER
        yield move + 1

    def parse_move(self, state: KalahState, text: str) -> int:
        word = text.strip().lower()
        # Others name a player's pits a to f, or A to F, in the same order.
        number = f"{ord(word) - ord('a') + 1}" if len(word) == 1 and "a" <= word <= "h" else word
        pit = int(number) if number.isascii() and number.isdigit() and len(number) < 3 else 0
        if not 1 <= pit <= self.pits:
            raise BadInput(
                f"{text!r} is not a pit: they are numbered 1 to {self.pits} in sowing order, towards the store."
            )
        return pit - 1

    def refusal(self, state: KalahState, path: tuple[int, ...]) -> str:
        player, pit = divmod(path[0], self.pits + 1)
        if pit == self.pits:
            return "seeds in a store stay there"
        return "that pit is empty" if player == state.turn else f"that pit is {self.names[player]}'s"

    def explain(self, state: KalahState) -> tuple[tuple[str, int], ...]:
        mine, theirs = state.mine >> self.store, state.theirs >> self.store
        x, o = (mine, theirs) if state.turn == MAX else (theirs, mine)
        south, north = self.names
        return ((f"seeds in {south}'s store", x), (f"seeds in {north}'s store", -o))

    def board(self) -> Board:
        """x's pits from left to right in sowing order and its store, then o's, so that the sowing goes round."""
        n, (south, north) = self.pits, self.names
        x = [Place(f"{south}'s pit {pit + 1}", pit + 1, 1, "pit") for pit in range(n)]
        o = [Place(f"{north}'s pit {pit + 1}", n - pit, 0, "pit") for pit in range(n)]
        places = (*x, Place(f"{south}'s store", n + 1, 0.5, "pit"), *o, Place(f"{north}'s store", 0, 0.5, "pit"))
        return Board(places, pieces=(Piece("x", "seeds", 0), Piece("o", "seeds", 0)), seat=0)

    def stands(self, state: KalahState) -> Iterator[int]:
        """The seeds of each pit and store."""
        for player in range(2):
            for pit in range(self.pits + 1):
                yield 1 + player + COUNT * self.seeds_in(state, player, pit)

    def path(self, state: KalahState, move: int) -> Iterator[int]:
        """The pit."""
        yield move + state.turn * (self.pits + 1)


KALAH = ShippedGame(
    "kalah",
    Kalah,
    "seeds sown round pits: kalah:pits,seeds; kalah:6,4,empty_capture=true",
    about=About(
        "Kalah",
        COUNTING,
        "Take all seeds of one of your pits and sow them one by one, round the board. A last seed in your store: "
        "move again. Most seeds in store win.",
        "3 4 2 3 5",
        details=(
            "Each side has a row of pits, with the same number of seeds in each, and a store at its right. Take all "
            "seeds of one of your pits and sow them counter-clockwise, one into each pit and into your own store, "
            "but not into the other's. If the last seed falls into your store, move again. If it falls into an empty "
            "pit of yours and there are seeds in the pit opposite, it captures them: all go into your store. The "
            "game is over when one side has no seeds in its pits; the seeds that are left belong to the side they "
            "are on. Most seeds win."
        ),
    ),
)
