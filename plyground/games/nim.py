"""Nim: take any number of matches from one heap; who takes the last match wins, in misère play loses.

The player to move wins if the heaps' sizes, written in binary and added without carrying (XOR), do not sum to 0; in
misère play likewise, as long as some heap has more than one match, and else if the number of heaps is even. Bouton,
"Nim, a game with a complete mathematical theory" (1901).

A move is the place of the first match taken, 32 times its heap and the matches before it; those after go with it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import Words, with_word
from plyground.board.look import Board, Piece, Place, Surface
from plyground.board.signs import COLON, DASH, PLAYER, SLASH, list_numbers
from plyground.errors import BadInput
from plyground.games.about import COUNTING, About, ShippedGame
from plyground.rules import ONGOING, Game

# A move has the heap above the matches that stay, 5 bits of which are enough: at most 31 stay of 32.
MOST_MATCHES = 32
MOST_HEAPS = 8


class NimState(NamedTuple):
    """Number of matches in each heap, and the player to move."""

    heaps: Words
    turn: int
    """The player to move: 0 for x, 1 for o."""


@dataclass(frozen=True)
class Nim(Game[NimState]):
    """Heaps of matches: their sizes, with slashes between; x begins. With `misere`, who takes the last match loses.

    >>> import plyground as pg
    >>> end = pg.Position.initial(pg.Nim("1/2", misere=True)).play("2-2").play("1-1")
    >>> end.result
    'Player 1 wins'
    """

    heaps: Annotated[str, "Stones in each heap"] = "3/4/5"
    misere: Annotated[bool, "The last match loses"] = False

    draws = False
    canonical_is_complete = True
    names: ClassVar[tuple[str, str]] = ("Player 1", "Player 2")
    surface: ClassVar[Surface] = "wood"

    def __post_init__(self) -> None:
        super().__post_init__()
        words = self.heaps.split("/")
        if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
            raise BadInput(f"heaps={self.heaps}: write how many matches are in each heap, as in 3/4/5.")
        if not (len(words) <= MOST_HEAPS and all(1 <= int(word) <= MOST_MATCHES for word in words)):
            raise BadInput(
                f"heaps={self.heaps}: there are 1 to {MOST_HEAPS} heaps, with 1 to {MOST_MATCHES} matches each."
            )

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def sizes(self) -> Words:
        return tuple(int(word) for word in self.heaps.split("/"))

    @cached_property
    def last_loses(self) -> int:
        return int(self.misere)

    def initial(self) -> NimState:
        return NimState(self.sizes, 0)

    def to_move(self, state: NimState) -> int:
        return state.turn

    def moves(self, state: NimState) -> Iterator[int]:
        for heap in range(len(state.heaps)):
            for left in range(state.heaps[heap]):
                yield heap * MOST_MATCHES + left

    def play(self, state: NimState, move: int) -> NimState:
        return NimState(with_word(state.heaps, move // MOST_MATCHES, move % MOST_MATCHES), 1 - state.turn)

    def outcome(self, state: NimState) -> int:
        for heap in range(len(state.heaps)):
            if state.heaps[heap] != 0:
                return ONGOING
        winner = state.turn if self.last_loses else 1 - state.turn
        return 1 - 2 * winner

    def tier(self, state: NimState) -> int:
        """The negative of the matches left."""
        left = 0
        for heap in range(len(state.heaps)):
            left += state.heaps[heap]
        return -left

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: NimState) -> int:
        """Exact value by Bouton's rule: 1 if x wins, -1 if o does."""
        total, large = 0, 0
        for heap in range(len(state.heaps)):
            total ^= state.heaps[heap]
            large |= state.heaps[heap] >> 1
        # Misère Nim is played as normal Nim until no heap has more than one match (Bouton 1901): `large` is 0 then.
        wins = total != 0
        if self.last_loses and large == 0:  # the last bit of the sum tells whether the number of heaps is odd
            wins = total == 0
        return (1 if wins else -1) * (1 - 2 * state.turn)

    def order(self, state: NimState, move: int) -> int:
        """Rank of a move: 1 if the other player has lost after it, else -1."""
        return self.evaluate(self.play(state, move)) * (1 - 2 * state.turn)

    def canonical(self, state: NimState) -> NimState:
        """The heaps sorted, the smallest first."""
        heaps = state.heaps
        # Bubble sort: at most 8 heaps, whose places are constants once the loops are unrolled.
        for end in range(len(heaps) - 1, 0, -1):
            for place in range(end):
                if heaps[place] > heaps[place + 1]:
                    larger = heaps[place]
                    heaps = with_word(with_word(heaps, place, heaps[place + 1]), place + 1, larger)
        return NimState(heaps, state.turn)

    # -- for people -------------------------------------------------------------------------------------------------

    def state_signs(self, state: NimState) -> Iterator[int]:
        """Sizes of the heaps, then the player to move: `3/4/5:x`."""
        for sign in list_numbers(state.heaps, SLASH):
            yield sign
        yield COLON
        yield PLAYER
        yield state.turn

    def arrangement_text(self, numbers: Sequence[int], counts: Sequence[int], turn: int, unseen: Sequence[int]) -> str:
        """Text of a board that was set up by hand: each heap has as many matches as stand on its places."""
        # The places of the board are the matches of all heaps one after the other, as `board` lists them.
        ends = [sum(self.sizes[: heap + 1]) for heap in range(len(self.sizes))]
        heaps = (sum(numbers[end - size : end]) for end, size in zip(ends, self.sizes, strict=True))
        return f"{'/'.join(map(str, heaps))}:{self.marks[turn]}"

    def parse_state(self, text: str) -> NimState:
        board, _, mover = text.strip().lower().partition(":")
        words = board.split("/")
        fits = len(words) == len(self.sizes) and mover in self.marks
        if not (fits and all(word.isascii() and word.isdigit() and len(word) < 3 for word in words)):
            raise BadInput(f"{text!r} is not a position: write heaps and who is to move, as {self.heaps}:x.")
        heaps = tuple(map(int, words))
        if any(heap > most for heap, most in zip(heaps, self.sizes, strict=True)):
            raise BadInput(f"{text!r} cannot arise: the game begins with {self.heaps}, and heaps never grow.")
        return NimState(heaps, self.marks.index(mover))

    def move_signs(self, state: NimState, move: int) -> Iterator[int]:
        """The heap, and how many matches are taken: `2-3`."""
        heap = move // MOST_MATCHES
        return list_numbers((heap + 1, state.heaps[heap] - move % MOST_MATCHES), DASH)

    def parse_move(self, state: NimState, text: str) -> int:
        heap, dash, taken = text.strip().partition("-")
        if not (dash and all(word.isascii() and word.isdigit() and len(word) < 3 for word in (heap, taken))):
            raise BadInput(f"{text!r} is not a move: write the heap and how many matches to take, as in 1-2.")
        if not 1 <= int(heap) <= len(state.heaps) or not 1 <= int(taken) <= state.heaps[int(heap) - 1]:
            heaps = ", ".join(map(str, state.heaps))
            raise BadInput(f"{text!r} is not a move: the heaps have {heaps} matches, and one at least is taken.")
        return (int(heap) - 1) * MOST_MATCHES + state.heaps[int(heap) - 1] - int(taken)

    def refusal(self, state: NimState, path: tuple[int, ...]) -> str:
        return "that match has been taken"

    def explain(self, state: NimState) -> tuple[tuple[str, int], ...]:
        return (("Bouton's rule: the XOR of the heaps", self.evaluate(state)),)

    def board(self) -> Board:
        """A row of matches for each heap; a click on a match takes it and those on its right."""
        places = (
            Place(f"heap {heap + 1}, match {match + 1}", match, heap, "point")
            for heap, size in enumerate(self.sizes)
            for match in range(size)
        )
        return Board(tuple(places), pieces=(Piece(kind="match"),))

    def stands(self, state: NimState) -> Iterator[int]:
        """The matches that are left, heap by heap from the first."""
        for heap in range(len(self.sizes)):
            for match in range(self.sizes[heap]):
                yield int(match < state.heaps[heap])

    def path(self, state: NimState, move: int) -> Iterator[int]:
        """The first match that is taken."""
        place = move % MOST_MATCHES
        for heap in range(move // MOST_MATCHES):
            place += self.sizes[heap]
        yield place


NIM = ShippedGame(
    "nim",
    Nim,
    "take from one heap, the last match wins: nim:3/4/5; nim:3/4/5,misere=true",
    about=About(
        "Nim",
        COUNTING,
        "Take one match or more from one heap. Who takes the last match of all wins, or loses if you choose so.",
        "1-2",
        details=(
            "The matches lie in heaps. The sides take turns to take one match or more, as many as they like, but only "
            "from one heap at a time. The side that takes the last match of all wins; in the misère game, an option, "
            "it loses."
        ),
    ),
)
