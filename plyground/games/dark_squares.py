"""Draughts of all kinds: the dark squares of a board, men and kings on them, and how they are written.

Squares are numbered by rows from the top. In an int a bit is left out after each second row, so that every diagonal
step is a shift by one of two numbers, and nothing steps over an edge. On 8 × 8 squares, with shifts by 4 and 5:

      1   2   3   4            bits    0   1   2   3
    5   6   7   8                    4   5   6   7          8 is left out
      9  10  11  12                    9  10  11  12
    …                                …                      17 and 26 are left out

Sides are seen by the player to move. What a move is, and how pieces jump, is each game's own.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple

from plyground.board.bits import count, lowest, members
from plyground.board.fen import read_draughts_fen
from plyground.board.look import STEP_WORDS, Board, Colour, Piece, Place, Surface
from plyground.board.signs import COLON, COMMA, DASH, NUMBER, PLACE, PLAYER
from plyground.errors import BadInput
from plyground.rules import LONGEST, ONGOING, Game

CROWN: Final = ord("K")
JUMP: Final = ord("x")


class DraughtsState(NamedTuple):
    """The pieces, seen by the player to move; the bits are drawn above."""

    mine: int
    theirs: int
    kings: int
    """Kings of both sides."""
    quiet: int
    """Plies since the last jump or man's move."""
    turn: int
    """The player to move: 0 for x, 1 for o."""


def shift_bits(bits: int, step: int) -> int:
    """Every bit moved by a step."""
    return bits << step if step > 0 else bits >> -step


class DarkSquares(Game[DraughtsState]):
    """A game of draughts: a subclass says how pieces go, in `moves`, `play` and `path`."""

    quiet: int
    """Plies without a jump or a man's step that make a draw; 0: never. A field of each game."""
    half: ClassVar[int] = 4
    """Squares in a row."""
    steps: ClassVar[tuple[int, int, int, int]] = (4, 5, -5, -4)
    """Bits to the next square in each direction. The first two are x's forward ones: down or up the board."""
    worths: ClassVar[tuple[int, int]] = (10, 14)
    """Worth of a man and of a king; `unit` says how much of it makes a man."""

    names: ClassVar[tuple[str, str]] = ("Black", "White")
    unit: ClassVar[tuple[str, int]] = ("men", 10)
    colours: ClassVar[tuple[Colour, Colour]] = ("black", "white")
    surface: ClassVar[Surface] = "wood"

    record = "pdn"
    repetition = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.quiet <= 999:
            raise BadInput(f"quiet={self.quiet}: 1 to 999 plies, or 0 for no such draw.")

    # -- the board in bits --------------------------------------------------------------------------------------------

    @cached_property
    def square_bits(self) -> tuple[int, ...]:
        """The bit of each square, from 0."""
        return tuple(square + square // (2 * self.half) for square in range(2 * self.half**2))

    @cached_property
    def squares(self) -> tuple[int, ...]:
        """The square of each bit."""
        bits = self.square_bits
        return tuple(bits.index(bit) if bit in bits else 0 for bit in range(bits[-1] + 1))

    @cached_property
    def whole(self) -> int:
        """Every square of the board."""
        return sum(1 << bit for bit in self.square_bits)

    @cached_property
    def last_rows(self) -> tuple[int, int]:
        """Where x's and o's men are crowned."""
        top = (1 << self.half) - 1
        bottom = top << self.square_bits[-self.half]
        return (bottom, top) if self.steps[0] > 0 else (top, bottom)

    @cached_property
    def camps(self) -> tuple[int, int]:
        """Where x's and o's men begin: all rows of their half but the last."""
        men = self.half * (self.half - 1)
        upper = sum(1 << bit for bit in self.square_bits[:men])
        lower = sum(1 << bit for bit in self.square_bits[-men:])
        return (upper, lower) if self.steps[0] > 0 else (lower, upper)

    # -- rules that all have ------------------------------------------------------------------------------------------

    def initial(self) -> DraughtsState:
        return DraughtsState(self.camps[0], self.camps[1], 0, 0, 0)

    def to_move(self, state: DraughtsState) -> int:
        return state.turn

    def able(self, state: DraughtsState, direction: int) -> int:
        """The pieces of the player to move that may step in a direction: kings, and men forward."""
        return state.mine if direction >> 1 == state.turn else state.mine & state.kings

    def steppers(self, state: DraughtsState, direction: int) -> int:
        """The pieces that can step in a direction."""
        free = self.whole & ~(state.mine | state.theirs)
        return self.able(state, direction) & shift_bits(free, -self.steps[direction])

    def jumpers(self, state: DraughtsState, direction: int) -> int:
        """The pieces that can jump in a direction."""
        raise NotImplementedError(f"{type(self).__name__} does not say how pieces jump: define jumpers.")

    def most_quiet(self, state: DraughtsState) -> int:
        """Quiet plies that make a draw here; 0: none do."""
        return self.quiet

    def outcome(self, state: DraughtsState) -> int:
        if self.quiet and state.quiet >= self.most_quiet(state):
            return 0
        for direction in range(4):
            if self.steppers(state, direction) | self.jumpers(state, direction):
                return ONGOING
        return 2 * state.turn - 1

    def repetition_key(self, state: DraughtsState) -> DraughtsState:
        """The position without its count of plies."""
        return DraughtsState(state.mine, state.theirs, state.kings, 0, state.turn)

    def drawn_after(self, state: DraughtsState) -> int:
        """Plies until the count is full."""
        return self.most_quiet(state) - state.quiet if self.quiet else LONGEST

    def tier(self, state: DraughtsState) -> int:
        """Pieces taken, and men taken or crowned."""
        pieces = state.mine | state.theirs
        return 4 * self.half**2 - count(pieces) - count(pieces & ~state.kings)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: DraughtsState) -> int:
        """x's pieces less o's, by their worth."""
        worth = self.worth(state.mine, state.kings) - self.worth(state.theirs, state.kings)
        return worth * (1 - 2 * state.turn)

    def worth(self, side: int, kings: int) -> int:
        """Worth of a side's pieces."""
        return self.worths[0] * count(side) + (self.worths[1] - self.worths[0]) * count(side & kings)

    def is_forced(self, state: DraughtsState) -> bool:
        """Whether there is a jump: then one must be made."""
        jumpers = 0
        for direction in range(4):
            jumpers |= self.jumpers(state, direction)
        return jumpers != 0

    # -- for people ---------------------------------------------------------------------------------------------------

    def square_name(self, row: int, column: int) -> str:
        """The name of a dark square: its number."""
        return f"{self.half * row + column // 2 + 1}"

    @cached_property
    def square_names(self) -> list[str]:
        """The names of all squares."""
        return [place.name for place in self.board().places]

    def board(self) -> Board:
        """The dark squares; nothing ever stands on the others."""
        rows = ((n // self.half, 2 * (n % self.half) + (1 - n // self.half % 2)) for n in range(2 * self.half**2))
        places = tuple(Place(self.square_name(row, column), column, row, dark=True) for row, column in rows)
        pieces = (
            piece
            for name in self.marks
            for piece in (Piece(name, "man"), Piece(name, "crowned", text=name.upper(), name="king"))
        )
        seat = self.names.index("White")
        return Board(places, pieces=tuple(pieces), seat=seat, spoken=STEP_WORDS, must_jump=True)

    def stands(self, state: DraughtsState) -> Iterator[int]:
        x, o = self.sides(state)
        for bit in self.square_bits:
            yield (x >> bit & 1 | (o >> bit & 1) * 3) + (state.kings >> bit & 1)

    def lay_pieces(self, pieces: Sequence[int], places: Sequence[int], count: int) -> Iterator[DraughtsState]:
        x, o, men, kings = 0, 0, 0, 0
        for index in range(count):
            bit, piece = 1 << self.square_bits[places[index]], pieces[index]
            x |= bit if piece <= 2 else 0
            o |= 0 if piece <= 2 else bit
            kings |= 0 if piece % 2 else bit
        men = (x | o) & ~kings
        if men & (x & self.last_rows[0] | o & self.last_rows[1]) == 0:
            for turn in range(2):
                mine, theirs = (o, x) if turn else (x, o)
                yield DraughtsState(mine, theirs, kings, 0, turn)

    def sides(self, state: DraughtsState) -> tuple[int, int]:
        """The pieces of x and of o."""
        return (state.mine, state.theirs) if state.turn == 0 else (state.theirs, state.mine)

    def state_signs(self, state: DraughtsState) -> Iterator[int]:
        """The player to move, the squares of x and of o, K before a king's, and the quiet plies: `x:x1,2,K30:o21:0`."""
        sides = self.sides(state)
        yield PLAYER
        yield state.turn
        for player in range(2):
            yield COLON
            yield PLAYER
            yield player
            for bit in members(sides[player]):
                if bit > lowest(sides[player]):
                    yield COMMA
                if state.kings >> bit & 1:
                    yield CROWN
                yield PLACE
                yield self.squares[bit]
        yield COLON
        yield NUMBER
        yield state.quiet

    def fen(self, state: DraughtsState, number: int = 1) -> str:
        """FEN of PDN, without the quiet plies: `B:W21,K30:B1,2`."""
        numbers = list(self.stands(state))
        return self._fen(numbers, state.turn)

    def _fen(self, numbers: Sequence[int], turn: int) -> str:
        """FEN of what stands on the squares; of each side's two pieces the second is a king."""
        x, o = (
            ",".join(
                f"{'K' * (1 - man % 2)}{name}"
                for name, man in zip(self.square_names, numbers, strict=True)
                if (man + 1) // 2 == side
            )
            for side in (1, 2)
        )
        white, black = (x, o) if self.names[0] == "White" else (o, x)
        return f"{self.names[turn][0]}:W{white}:B{black}"

    def material(self, name: str) -> tuple[tuple[int, ...], ...]:
        """Pieces of x and of o, men or kings: `2-1`; or the most pieces in all: `4`."""
        found = re.fullmatch("([1-9])(?:-([1-9]))?", name)
        if found is None:
            raise BadInput(f"{name!r} is no end game: write how many pieces x and o have, as in 2-1, or both, as in 3.")
        most = int(found[1])
        sides = [(x, pieces - x) for pieces in range(2, most + 1) for x in range(1, pieces)]
        if found[2]:
            sides = [(most, int(found[2]))]
        return tuple(
            (*[1] * (x - x_kings), *[2] * x_kings, *[3] * (o - o_kings), *[4] * o_kings)
            for x, o in sides
            for x_kings in range(x + 1)
            for o_kings in range(o + 1)
        )

    def arrangement_text(self, numbers: Sequence[int], counts: Sequence[int], turn: int, unseen: Sequence[int]) -> str:
        """FEN of PDN."""
        return self._fen(numbers, turn)

    def parse_state(self, text: str) -> DraughtsState:
        """A position as it is written, or as FEN of PDN, `B:W21,K30:B1-4`."""
        return self.state_of(read_draughts_fen(text, repr(text), self.quiet, self.square_names, self.names[0][0]))

    def state_of(self, numbers: Sequence[int]) -> DraughtsState:
        """The state that `board/fen.py` tells in numbers."""
        x, o, kings = 0, 0, 0
        for square in range(len(self.square_bits)):
            bit, man = 1 << self.square_bits[square], numbers[square]
            x |= bit if man == 1 or man == 2 else 0
            o |= bit if man >= 3 else 0
            kings |= bit if man == 2 or man == 4 else 0
        turn, quiet = numbers[len(self.square_bits)], numbers[len(self.square_bits) + 1]
        mine, theirs = (o, x) if turn else (x, o)
        return DraughtsState(mine, theirs, kings, quiet, turn)

    def takes(self, move: int) -> int:
        """Pieces that a move takes."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a move takes: define takes.")

    def move_signs(self, state: DraughtsState, move: int) -> Iterator[int]:
        """`11-15` steps, `22x15` jumps, `1x10x19` jumps twice."""
        is_first = True
        for square in self.path(state, move):
            if not is_first:
                yield JUMP if self.takes(move) else DASH
            yield PLACE
            yield square
            is_first = False

    def is_back(self, state: DraughtsState, start: int, end: int) -> bool:
        """Whether a step from one square to another leads back for the player to move."""
        is_down = (self.steps[0] > 0) == (state.turn == 0)
        return (end // self.half < start // self.half) == is_down and end // self.half != start // self.half

    def refusal(self, state: DraughtsState, path: tuple[int, ...]) -> str:
        """A jump that must be made, a chain that must go on, a man that goes back."""
        paths = [tuple(self.path(state, move)) for move in self.moves(state)]
        begun = [each for each in paths if each[0] == path[0]]
        mine = state.mine >> self.square_bits[path[0]] & 1
        if mine and any(len(each) > len(path) and each[: len(path)] == path for each in paths):
            return "the chain of jumps must go on"
        if mine and self.is_forced(state):
            return f"{self.names[state.turn]} must jump" if not begun else "this piece must jump"
        usual = super().refusal(state, path)
        if (
            not mine
            or len(path) < 2
            or state.kings >> self.square_bits[path[0]] & 1
            or (state.mine | state.theirs) >> self.square_bits[path[1]] & 1
        ):
            return usual
        return "a man goes ahead only" if self.is_back(state, path[0], path[1]) else usual

    def ways(self, state: DraughtsState, move: int) -> Iterator[tuple[int, ...]]:
        """The squares of a move from the first to the last, in every way that it can be gone."""
        yield tuple(self.path(state, move))

    def parse_move(self, state: DraughtsState, text: str) -> int:
        """Reads a move as it is written. A chain's first and last square are enough where one legal chain has them;
        elsewhere squares between them must tell it from others.
        """
        word, names = "".join(text.lower().split()).replace(":", "x"), self.square_names
        legal = list(self.moves(state)) if self.outcome(state) == ONGOING else []
        for move in legal:
            if self.move_text(state, move) == word:
                return move
        said = ", ".join(self.move_text(state, move) for move in legal[:6])
        parts = re.split("[-x]", word)
        path = tuple(names.index(part) for part in parts if part in names)
        if len(parts) < 2 or len(path) < len(parts) or not legal:
            asked = "write the squares with - between them, or x where it jumps"
            raise BadInput(f"{text!r} is not a move here: {asked}, as in {said}.")
        meant = [move for move in legal if any(_goes_by(way, path) for way in self.ways(state, move))]
        if len(meant) == 1:
            return meant[0]
        if meant:
            both = " or ".join(self.move_text(state, move) for move in meant)
            raise BadInput(f"{text!r} is more than one move here: write {both}.")
        raise BadInput(f"{text!r} is not a move here, because {self.refusal(state, path)}. Legal moves: {said}.")


def _goes_by(way: Sequence[Any], path: Sequence[Any]) -> bool:
    """Whether a way begins and ends as a path does, and comes to all its squares in their order."""
    later = iter(way[1:-1])
    return (way[0], way[-1]) == (path[0], path[-1]) and all(square in later for square in path[1:-1])
