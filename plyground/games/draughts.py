"""English draughts (checkers): men step diagonally forward, jump over other pieces, and are crowned.

Squares are numbered 1 to 32 by rows from the top. In an int a bit is left out after each second row, so that every
diagonal step is a shift by 4 or 5, and nothing steps over an edge:

      1   2   3   4            bits    0   1   2   3
    5   6   7   8                    4   5   6   7          8 is left out
      9  10  11  12                    9  10  11  12
    …                                …                      17 and 26 are left out

x begins, from squares 1 to 12, and moves down. Sides are seen by the player to move. A chain of jumps is one move:
`start | jumps << 6 | directions << 10`, two bits for each step or jump, the first lowest. The rules are those of the
World Checkers and Draughts Federation: who can jump must, to the chain's end; a man that is crowned stops; who has no
move has lost; 80 plies without a jump or a man's move are a draw, and so is the third time of a position.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, NamedTuple

from plyground.board.bits import count, lowest, members
from plyground.board.fen import read_draughts_fen
from plyground.board.look import STEP_WORDS, Board, Colour, Piece, Place, Surface
from plyground.board.signs import COLON, COMMA, DASH, NUMBER, PLACE, PLAYER, choose_text, signs
from plyground.errors import BadInput
from plyground.games.about import PIECES, About, ShippedGame
from plyground.rules import LONGEST, ONGOING, Game

SQUARE_BITS = tuple(square + square // 8 for square in range(32))
"""The bit of each square, from 0."""
# 0 at the three bits that are left out, which no set has.
SQUARES = tuple(SQUARE_BITS.index(bit) if bit in SQUARE_BITS else 0 for bit in range(35))
"""The square of each bit."""
BOARD = sum(1 << bit for bit in SQUARE_BITS)
STEPS = (4, 5, -5, -4)
"""Bits to the next square: down left, down right, up left, up right. The first two are x's forward ones."""
LAST_ROWS = (0b1111 << 31, 0b1111)
"""Rows on which x's and o's men are crowned."""
START = (sum(1 << bit for bit in SQUARE_BITS[:12]), sum(1 << bit for bit in SQUARE_BITS[20:]))
MAN, KING = 10, 14
"""Worth of a man and of a king in the evaluation, in tenths of a man."""
CROWN: Final = ord("K")
JUMP: Final = ord("x")
DRAUGHTS_NOTICES = signs("|must jump|the capture of all men|a block|lack of captures and moves of men")


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
    """Shift a set of squares by a step, up or down."""
    return bits << step if step > 0 else bits >> -step


@dataclass(frozen=True)
class Draughts(Game[DraughtsState]):
    """`first` begins. After `quiet` plies without a jump or a man's move it is a draw; 0: only repetition ends it."""

    quiet: Annotated[int, "Plies without a jump or a man's step that make a draw; 0: never"] = 80
    first: Annotated[str, "Who begins"] = "x"

    names: ClassVar[tuple[str, str]] = ("Black", "White")
    unit: ClassVar[tuple[str, int]] = ("men", MAN)
    colours: ClassVar[tuple[Colour, Colour]] = ("black", "white")
    surface: ClassVar[Surface] = "wood"

    record = "pdn"
    record_tags: ClassVar[tuple[tuple[str, str], ...]] = (("GameType", "21"),)
    repetition = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.quiet <= 999:
            raise BadInput(f"quiet={self.quiet}: 1 to 999 plies, or 0 for no such draw.")
        if self.first not in self.marks:
            raise BadInput(f"first={self.first}: x or o begins.")

    # -- the rules --------------------------------------------------------------------------------------------------

    def initial(self) -> DraughtsState:
        turn = self.marks.index(self.first)
        return DraughtsState(START[turn], START[1 - turn], 0, 0, turn)

    def to_move(self, state: DraughtsState) -> int:
        return state.turn

    def able(self, state: DraughtsState, direction: int) -> int:
        """The pieces of the player to move that may go in a direction: kings, and men forward."""
        # Directions 0 and 1 are x's forward ones, 2 and 3 o's.
        return state.mine if direction >> 1 == state.turn else state.mine & state.kings

    def steppers(self, state: DraughtsState, direction: int) -> int:
        """The pieces that can step in a direction."""
        free = BOARD & ~(state.mine | state.theirs)
        return self.able(state, direction) & shift_bits(free, -STEPS[direction])

    def jumpers(self, state: DraughtsState, direction: int) -> int:
        """The pieces that can jump in a direction."""
        free, step = BOARD & ~(state.mine | state.theirs), STEPS[direction]
        # From the free square back over an enemy to the piece; bits that are left out are in no set, so no jump leaves
        # the board.
        return self.able(state, direction) & shift_bits(state.theirs & shift_bits(free, -step), -step)

    def moves(self, state: DraughtsState) -> Iterator[int]:
        # Written out, the four directions are no faster than as a loop.
        jumping = 0
        for direction in range(4):
            jumping |= self.jumpers(state, direction)
        for direction in range(4):
            stepping = 0 if jumping else self.steppers(state, direction)
            while stepping:
                yield lowest(stepping) | direction << 10
                stepping &= stepping - 1
        while jumping:
            start = lowest(jumping)
            # The square that the piece has left is free, so that a chain may cross it.
            free = BOARD & ~(state.mine | state.theirs) | 1 << start
            is_king = state.kings >> start & 1
            place, jumps, path, left, direction, is_end = start, 0, 0, state.theirs, 0, False
            while jumps >= 0:  # along every chain from here: one jump on where there is one, else one back
                step = STEPS[direction & 3]
                can = direction < 4 and (is_king or direction >> 1 == state.turn)
                # No stack in compiled rules: the path itself, two bits a jump, says how to go back.
                if can and shift_bits(left, -step) & shift_bits(free, -2 * step) & 1 << place:
                    # A piece is taken off as soon as it is jumped, so that no chain jumps it again.
                    left &= ~shift_bits(1 << place, step)
                    place += 2 * step
                    path |= direction << 2 * jumps
                    jumps += 1
                    crowned = not is_king and LAST_ROWS[state.turn] >> place & 1
                    # A man that is crowned stops there: direction 4 is behind the last one.
                    direction, is_end = 4 if crowned else 0, True
                elif direction < 3:
                    direction += 1
                else:
                    if is_end:
                        yield start | jumps << 6 | path << 10
                    jumps -= 1
                    if jumps >= 0:
                        direction = path >> 2 * jumps
                        path &= (1 << 2 * jumps) - 1
                        place -= 2 * STEPS[direction]
                        left |= shift_bits(1 << place, STEPS[direction])
                        direction, is_end = direction + 1, False
            jumping &= jumping - 1

    def play(self, state: DraughtsState, move: int) -> DraughtsState:
        start, jumps, path = move & 63, move >> 6 & 15, move >> 10
        place, theirs, kings = start, state.theirs, state.kings
        if jumps == 0:
            place += STEPS[path]
        for _ in range(jumps):
            step = STEPS[path & 3]
            theirs &= ~shift_bits(1 << place, step)
            place += 2 * step
            path >>= 2
        mine = state.mine & ~(1 << start) | 1 << place
        is_king = kings >> start & 1
        # Where no count ends the game it stays 0, so that states do not differ by it.
        quiet = state.quiet + 1 if is_king and jumps == 0 and self.quiet else 0
        kings = kings & ~(1 << start) & (mine | theirs)
        if is_king or LAST_ROWS[state.turn] >> place & 1:
            kings |= 1 << place
        return DraughtsState(theirs, mine, kings, quiet, 1 - state.turn)

    def outcome(self, state: DraughtsState) -> int:
        if self.quiet and state.quiet >= self.quiet:
            return 0
        for direction in range(4):
            if self.steppers(state, direction) | self.jumpers(state, direction):
                return ONGOING
        return 2 * state.turn - 1

    def notice(self, state: DraughtsState) -> Iterator[int]:
        """A jump that must be made; how a game ended."""
        outcome = self.outcome(state)
        told = 1 if self.is_forced(state) else 0
        if outcome == 0:
            told = 4
        elif outcome != ONGOING:
            told = 3 if state.mine else 2
        return choose_text(DRAUGHTS_NOTICES, told)

    def repetition_key(self, state: DraughtsState) -> DraughtsState:
        """The position without its count of plies."""
        return DraughtsState(state.mine, state.theirs, state.kings, 0, state.turn)

    def drawn_after(self, state: DraughtsState) -> int:
        """Plies until the count is full."""
        return self.quiet - state.quiet if self.quiet else LONGEST

    def tier(self, state: DraughtsState) -> int:
        """Pieces taken, and men taken or crowned."""
        pieces = state.mine | state.theirs
        # Captures and crownings are never undone, so that no move lowers it. It begins at 16.
        return 64 - count(pieces) - count(pieces & ~state.kings)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    def evaluate(self, state: DraughtsState) -> int:
        """x's pieces less o's, by their worth."""
        worth = self.worth(state.mine, state.kings) - self.worth(state.theirs, state.kings)
        return worth * (1 - 2 * state.turn)

    def worth(self, side: int, kings: int) -> int:
        """Worth of a side's pieces."""
        return MAN * count(side) + (KING - MAN) * count(side & kings)

    def order(self, state: DraughtsState, move: int) -> int:
        """The longest chain of jumps first."""
        return move >> 6 & 15

    def is_noisy(self, state: DraughtsState, move: int) -> bool:
        """Jumps, and a man's step to where it is crowned."""
        start, path = move & 63, move >> 10
        if move >> 6 & 15:
            return True
        return state.kings >> start & 1 == 0 and shift_bits(1 << start, STEPS[path & 3]) & LAST_ROWS[state.turn] != 0

    def is_forced(self, state: DraughtsState) -> bool:
        """Whether there is a jump: then one must be made."""
        jumpers = 0
        for direction in range(4):
            jumpers |= self.jumpers(state, direction)
        return jumpers != 0

    # -- for people -------------------------------------------------------------------------------------------------

    def board(self) -> Board:
        """The dark squares; nothing ever stands on the others."""
        rows = ((square // 4, 2 * (square % 4) + (1 - square // 4 % 2)) for square in range(32))
        places = tuple(Place(f"{4 * row + column // 2 + 1}", column, row, dark=True) for row, column in rows)
        pieces = (
            piece
            for name in self.marks
            for piece in (Piece(name, "man"), Piece(name, "crowned", text=name.upper(), name="king"))
        )
        return Board(places, pieces=tuple(pieces), seat=1, spoken=STEP_WORDS, must_jump=True)

    def stands(self, state: DraughtsState) -> Iterator[int]:
        x, o = self.sides(state)
        for bit in SQUARE_BITS:
            yield (x >> bit & 1 | (o >> bit & 1) * 3) + (state.kings >> bit & 1)

    def lay_pieces(self, pieces: Sequence[int], places: Sequence[int], count: int) -> Iterator[DraughtsState]:
        x, o, men, kings = 0, 0, 0, 0
        for index in range(count):
            bit, piece = 1 << SQUARE_BITS[places[index]], pieces[index]
            x |= bit if piece <= 2 else 0
            o |= 0 if piece <= 2 else bit
            kings |= 0 if piece % 2 else bit
        # No man stands on the row where it is crowned.
        men = (x | o) & ~kings
        if men & (x & LAST_ROWS[0] | o & LAST_ROWS[1]) == 0:
            for turn in range(2):
                mine, theirs = (o, x) if turn else (x, o)
                yield DraughtsState(mine, theirs, kings, 0, turn)

    def path(self, state: DraughtsState, move: int) -> Iterator[int]:
        """Every square that the piece stands on, from the first to the last."""
        bit, jumps = move & 63, move >> 6 & 15
        yield SQUARES[bit]
        for step in range(max(jumps, 1)):
            bit += STEPS[move >> 10 + 2 * step & 3] * (2 if jumps else 1)
            yield SQUARES[bit]

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
                yield SQUARES[bit]
        yield COLON
        yield NUMBER
        yield state.quiet

    def fen(self, state: DraughtsState, number: int = 1) -> str:
        """FEN of PDN, without the quiet plies: `B:W21,K30:B1,2`."""
        sides = [
            ",".join(f"{'K' * (state.kings >> bit & 1)}{SQUARES[bit] + 1}" for bit in members(side))
            for side in self.sides(state)
        ]
        return f"{'BW'[state.turn]}:W{sides[1]}:B{sides[0]}"

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
        """FEN of PDN; the first two pieces of the board are x's, and the second of each two is a king."""
        x, o = (
            ",".join(
                f"{'K' * (1 - man % 2)}{square}" for square, man in enumerate(numbers, 1) if (man + 1) // 2 == side
            )
            for side in (1, 2)
        )
        return f"{'BW'[turn]}:W{o}:B{x}"

    def parse_state(self, text: str) -> DraughtsState:
        """A position as it is written, or as FEN of PDN, `B:W21,K30:B1-4`, in which B is x."""
        return self.state_of(read_draughts_fen(text, repr(text), self.quiet))

    def state_of(self, numbers: Sequence[int]) -> DraughtsState:
        """The state that `board/fen.py` tells in numbers."""
        x, o, kings = 0, 0, 0
        for square in range(32):
            bit, man = 1 << SQUARE_BITS[square], numbers[square]
            x |= bit if man == 1 or man == 2 else 0
            o |= bit if man >= 3 else 0
            kings |= bit if man == 2 or man == 4 else 0
        mine, theirs = (o, x) if numbers[32] else (x, o)
        return DraughtsState(mine, theirs, kings, numbers[33], numbers[32])

    def move_signs(self, state: DraughtsState, move: int) -> Iterator[int]:
        """`11-15` steps, `22x15` jumps, `1x10x19` jumps twice."""
        is_first = True
        for square in self.path(state, move):
            if not is_first:
                yield JUMP if move >> 6 & 15 else DASH
            yield PLACE
            yield square
            is_first = False

    def refusal(self, state: DraughtsState, path: tuple[int, ...]) -> str:
        """A jump that must be made, a chain that must go on, a man that goes back."""
        paths = [tuple(self.path(state, move)) for move in self.moves(state)]
        begun = [each for each in paths if each[0] == path[0]]
        mine = state.mine >> SQUARE_BITS[path[0]] & 1
        if mine and any(len(each) > len(path) and each[: len(path)] == path for each in paths):
            return "the chain of jumps must go on"
        if mine and self.is_forced(state):
            return f"{self.names[state.turn]} must jump" if not begun else "this piece must jump"
        usual = super().refusal(state, path)
        if (
            not mine
            or len(path) < 2
            or state.kings >> SQUARE_BITS[path[0]] & 1
            or (state.mine | state.theirs) >> SQUARE_BITS[path[1]] & 1
        ):
            return usual
        back = (path[1] // 4 - path[0] // 4) * (1 - 2 * state.turn) < 0
        return "a man goes ahead only" if back else usual

    def parse_move(self, state: DraughtsState, text: str) -> int:
        """As it is written; of a chain, the first and the last square are enough where one legal chain has them."""
        word = "".join(text.lower().split()).replace(":", "x")
        legal = list(self.moves(state)) if self.outcome(state) == ONGOING else []
        for move in legal:
            if self.move_text(state, move) == word:
                return move
        ends = [(path[0], path[-1]) for path in (tuple(self.path(state, move)) for move in legal)]
        asked = tuple(int(part) - 1 for part in re.findall("[0-9]{1,3}", word))
        if re.fullmatch("[0-9]{1,2}[-x][0-9]{1,2}", word) and asked in ends:
            meant = [move for move, each in zip(legal, ends, strict=True) if each == asked]
            if len(meant) == 1:
                return meant[0]
            both = " or ".join(self.move_text(state, move) for move in meant)
            raise BadInput(f"{text!r} is more than one move here: write {both}.")
        said = ", ".join(self.move_text(state, move) for move in legal[:6])
        path = tuple(square for square in asked if 0 <= square < 32)
        if legal and path and path == asked and re.fullmatch("[0-9]{1,2}([-x][0-9]{1,2})+", word):
            raise BadInput(f"{text!r} is not a move here, because {self.refusal(state, path)}. Legal moves: {said}.")
        raise BadInput(
            f"{text!r} is not a move here: write the squares with - between them, or x where it jumps, as in {said}."
        )


DRAUGHTS = ShippedGame(
    "draughts",
    Draughts,
    "English draughts (checkers): chains of jumps, men and kings",
    about=About(
        "Draughts",
        PIECES,
        "Men step ahead, slanting, and must jump over enemies, which takes them. At the far end they become kings. "
        "Leave the other no move.",
        "11-16 23-18 8-11 27-23 9-13 31-27 10-15 21-17",
        details=(
            "English draughts, or checkers, is played on the dark squares; Black begins. A man steps one square "
            "ahead, slanting. It jumps ahead over a piece of the other side to the free square behind it, which "
            "takes the piece, and goes on jumping from there as long as it can. A side that can jump must, but may "
            "choose which jump. A man that reaches the far end becomes a king and stops; a king steps and jumps "
            "backwards too. The side that cannot move has lost. A draw comes of the third time of a position, and of "
            "40 moves of each side without a jump or a man's move."
        ),
    ),
)
