"""English draughts (checkers): men step diagonally forward, jump over other pieces, and are crowned.

x begins, from squares 1 to 12, and moves down. The squares, and their bits, are those of `dark_squares.py`. A chain of
jumps is one move: `start | jumps << 6 | directions << 10`, two bits for each step or jump, the first lowest. The rules
are those of the World Checkers and Draughts Federation: who can jump must, to the chain's end; a man that is crowned
stops; who has no move has lost; 80 plies without a jump or a man's move are a draw, and so is the third time of a
position.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from plyground.board.bits import lowest
from plyground.board.signs import choose_text, signs
from plyground.errors import BadInput
from plyground.games.about import PIECES, About, ShippedGame
from plyground.games.dark_squares import DarkSquares, DraughtsState, shift_bits
from plyground.rules import ONGOING

DRAUGHTS_NOTICES = signs("|must jump|the capture of all men|a block|lack of captures and moves of men")


@dataclass(frozen=True)
class Draughts(DarkSquares):
    """`first` begins. After `quiet` plies without a jump or a man's move it is a draw; 0: only repetition ends it."""

    quiet: Annotated[int, "Plies without a jump or a man's step that make a draw; 0: never"] = 80
    first: Annotated[str, "Who begins"] = "x"

    record_tags: ClassVar[tuple[tuple[str, str], ...]] = (("GameType", "21"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first not in self.marks:
            raise BadInput(f"first={self.first}: x or o begins.")

    # -- the rules --------------------------------------------------------------------------------------------------

    def initial(self) -> DraughtsState:
        turn = self.marks.index(self.first)
        return DraughtsState(self.camps[turn], self.camps[1 - turn], 0, 0, turn)

    def jumpers(self, state: DraughtsState, direction: int) -> int:
        free, step = self.whole & ~(state.mine | state.theirs), self.steps[direction]
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
            free = self.whole & ~(state.mine | state.theirs) | 1 << start
            is_king = state.kings >> start & 1
            place, jumps, path, left, direction, is_end = start, 0, 0, state.theirs, 0, False
            while jumps >= 0:  # along every chain from here: one jump on where there is one, else one back
                step = self.steps[direction & 3]
                can = direction < 4 and (is_king or direction >> 1 == state.turn)
                # No stack in compiled rules: the path itself, two bits a jump, says how to go back.
                if can and shift_bits(left, -step) & shift_bits(free, -2 * step) & 1 << place:
                    # A piece is taken off as soon as it is jumped, so that no chain jumps it again.
                    left &= ~shift_bits(1 << place, step)
                    place += 2 * step
                    path |= direction << 2 * jumps
                    jumps += 1
                    crowned = not is_king and self.last_rows[state.turn] >> place & 1
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
                        place -= 2 * self.steps[direction]
                        left |= shift_bits(1 << place, self.steps[direction])
                        direction, is_end = direction + 1, False
            jumping &= jumping - 1

    def play(self, state: DraughtsState, move: int) -> DraughtsState:
        start, jumps, path = move & 63, move >> 6 & 15, move >> 10
        place, theirs, kings = start, state.theirs, state.kings
        if jumps == 0:
            place += self.steps[path]
        for _ in range(jumps):
            step = self.steps[path & 3]
            theirs &= ~shift_bits(1 << place, step)
            place += 2 * step
            path >>= 2
        mine = state.mine & ~(1 << start) | 1 << place
        is_king = kings >> start & 1
        # Where no count ends the game it stays 0, so that states do not differ by it.
        quiet = state.quiet + 1 if is_king and jumps == 0 and self.quiet else 0
        kings = kings & ~(1 << start) & (mine | theirs)
        if is_king or self.last_rows[state.turn] >> place & 1:
            kings |= 1 << place
        return DraughtsState(theirs, mine, kings, quiet, 1 - state.turn)

    def notice(self, state: DraughtsState) -> Iterator[int]:
        """A jump that must be made; how a game ended."""
        outcome = self.outcome(state)
        told = 1 if self.is_forced(state) else 0
        if outcome == 0:
            told = 4
        elif outcome != ONGOING:
            told = 3 if state.mine else 2
        return choose_text(DRAUGHTS_NOTICES, told)

    # -- hints, and for people ----------------------------------------------------------------------------------------

    def order(self, state: DraughtsState, move: int) -> int:
        """The longest chain of jumps first."""
        return move >> 6 & 15

    def is_noisy(self, state: DraughtsState, move: int) -> bool:
        """Jumps, and a man's step to where it is crowned."""
        start, path = move & 63, move >> 10
        if move >> 6 & 15:
            return True
        end = shift_bits(1 << start, self.steps[path & 3])
        return state.kings >> start & 1 == 0 and end & self.last_rows[state.turn] != 0

    def path(self, state: DraughtsState, move: int) -> Iterator[int]:
        """Every square that the piece stands on, from the first to the last."""
        bit, jumps = move & 63, move >> 6 & 15
        yield self.squares[bit]
        for step in range(max(jumps, 1)):
            bit += self.steps[move >> 10 + 2 * step & 3] * (2 if jumps else 1)
            yield self.squares[bit]

    def takes(self, move: int) -> int:
        return move >> 6 & 15


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
