"""Draughts with flying kings: international draughts on 10 × 10 squares, Russian draughts on 8 × 8.

x is White, begins, and moves up the board. A man steps ahead and jumps in all four directions; a king goes along a
diagonal as far as nothing stands there, and jumps over one piece from afar, to any free square before the next. A chain
of jumps is one move. What it takes is removed when it ends: until then a piece that was jumped stands in the way, and
cannot be jumped again. Chains with the same first and last square that take the same pieces are one move.

International draughts is played by the rules of the FMJD: the chain that takes most must be taken, and a man becomes a
king only where its move ends. In Russian draughts any chain may be taken, but to its end, and a man that comes to the
last row goes on as a king.

A move is `start | end << 6 | jumps << 12 | number << 17`: of the moves of one piece that jump, as they are found, the
number, by which `play` finds again what it takes. (Where that is one piece, it stands between start and end.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import count, lowest, with_word
from plyground.board.fen import FILE_LETTERS
from plyground.board.look import Colour
from plyground.board.signs import choose_text, signs
from plyground.games.about import PIECES, About, ShippedGame
from plyground.games.dark_squares import DarkSquares, DraughtsState, shift_bits
from plyground.rules import ONGOING

NOTICES = signs(
    "|must jump|the capture of all men|a block|lack of captures and moves of men|the 16-move rule|the 5-move rule"
)
NOWHERE = -1
THREE, TWO = 32, 10
"""Most plies of an end game with three pieces against a king, and with one or two."""


class Chain(NamedTuple):
    """Jumps of one piece that are one move."""

    end: int
    jumps: int
    left: int
    """The other player's pieces without those that were jumped."""
    flies: int
    """Whether the piece is a king at its end: 1 or 0."""
    stack: tuple[int, ...]
    """One int for each jump, `from | direction << 6 | over << 8 | flies << 14`."""


@dataclass(frozen=True)
class Flying(DarkSquares):
    """After `quiet` plies of kings alone, without a jump, it is a draw; 0: only repetition ends it."""

    quiet: Annotated[int, "Plies of kings alone, without a jump, that make a draw; 0: never"] = 50

    takes_most: ClassVar[bool] = True
    """Whether the chain that takes most must be taken."""
    crowns_in_passing: ClassVar[bool] = False
    """Whether a man that comes to the last row in a chain goes on as a king."""
    names: ClassVar[tuple[str, str]] = ("White", "Black")
    colours: ClassVar[tuple[Colour, Colour]] = ("white", "black")
    worths: ClassVar[tuple[int, int]] = (100, 300)
    unit: ClassVar[tuple[str, int]] = ("men", 100)

    # -- the board in bits --------------------------------------------------------------------------------------------

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """The bit next to each in each direction, at `direction << 6 | bit`; `NOWHERE` where no square is."""
        bits = self.square_bits
        return tuple(
            bit + step if bit in bits and bit + step in bits else NOWHERE for step in self.steps for bit in range(64)
        )

    @cached_property
    def no_jumps(self) -> tuple[int, ...]:
        """A stack without jumps: a chain has no more than the other side has pieces."""
        return (0,) * (self.half * (self.half - 1))

    # -- the rules ----------------------------------------------------------------------------------------------------

    def jumpers(self, state: DraughtsState, direction: int) -> int:
        free, step = self.whole & ~(state.mine | state.theirs), self.steps[direction]
        before = shift_bits(state.theirs & shift_bits(free, -step), -step)
        found, kings = before & state.mine, state.mine & state.kings
        line = before & free if kings else 0
        while line:
            line = shift_bits(line, -step)
            found |= line & kings
            line &= free
        return found

    def over(self, place: int, direction: int, left: int, free: int, flies: int) -> int:
        """Where the piece stands that is jumped from a place; `NOWHERE` if none can be."""
        at = self.neighbours[direction << 6 | place]
        while flies and at >= 0 and free >> at & 1:
            at = self.neighbours[direction << 6 | at]
        if at < 0 or left >> at & 1 == 0:
            return NOWHERE
        beyond = self.neighbours[direction << 6 | at]
        return at if beyond >= 0 and free >> beyond & 1 else NOWHERE

    def chains(self, state: DraughtsState, start: int, over: int) -> Iterator[Chain]:
        """Every chain of a piece over some of the other player's, to where it cannot go on."""
        free = self.whole & ~(state.mine | state.theirs) | 1 << start
        place, left, flies = start, over, state.kings >> start & 1
        stack, jumps, direction, is_end = self.no_jumps, 0, 0, False
        while jumps >= 0:  # one jump on where there is one, else one back
            at = self.over(place, direction, left, free, flies) if direction < 4 else NOWHERE
            if at >= 0:
                stack = with_word(stack, jumps, place | direction << 6 | at << 8 | flies << 14)
                jumps += 1
                left ^= 1 << at
                place = self.neighbours[direction << 6 | at]
                if self.crowns_in_passing and self.last_rows[state.turn] >> place & 1:
                    flies = 1
                direction, is_end = 0, True
            elif direction < 3:
                direction += 1
            else:
                if is_end:
                    yield Chain(place, jumps, left, flies, stack)
                jumps -= 1
                if jumps >= 0:
                    last = stack[jumps]
                    direction, at, flies = last >> 6 & 3, last >> 8 & 63, last >> 14
                    beyond = self.neighbours[direction << 6 | place]
                    if flies and beyond >= 0 and free >> beyond & 1:  # a king, which may come down farther on
                        place = beyond
                        jumps += 1
                        direction, is_end = 0, True
                    else:
                        place = last & 63
                        left |= 1 << at
                        direction, is_end = direction + 1, False

    def most_jumps(self, state: DraughtsState, jumping: int) -> int:
        """The most jumps of a chain of these pieces."""
        most = 0
        while jumping:
            for chain in self.chains(state, lowest(jumping), state.theirs):
                most = max(most, chain.jumps)
            jumping &= jumping - 1
        return most

    def is_whole(self, state: DraughtsState, start: int, chain: Chain) -> bool:
        """Whether a king could not have come down, after its last jump, where it can go on."""
        last = chain.stack[chain.jumps - 1]
        direction, at, flies = last >> 6 & 3, last >> 8 & 63, last >> 14
        free = self.whole & ~(state.mine | state.theirs) | 1 << start
        place = self.neighbours[direction << 6 | at]
        while flies and place >= 0 and free >> place & 1:
            for turned in range(4):
                if self.over(place, turned, chain.left, free, 1) >= 0:
                    return False
            place = self.neighbours[direction << 6 | place]
        return True

    def is_first(self, state: DraughtsState, start: int, chain: Chain) -> bool:
        """Whether a chain is the first of those that take the same pieces and end alike."""
        for other in self.chains(state, start, state.theirs & ~chain.left):
            if other.left == 0 and other.end == chain.end and other.flies == chain.flies:
                return all(other.stack[jump] == chain.stack[jump] for jump in range(chain.jumps))
        return True

    def moves_of(self, state: DraughtsState, start: int, most: int) -> Iterator[Chain]:
        """A chain for each move of a piece that jumps `most` times; if that is 0, for each move that jumps."""
        for chain in self.chains(state, start, state.theirs):
            is_legal = chain.jumps == most if most else self.is_whole(state, start, chain)
            if is_legal and (chain.jumps == 1 or self.is_first(state, start, chain)):
                yield chain

    def moves(self, state: DraughtsState) -> Iterator[int]:
        jumping = 0
        for direction in range(4):
            jumping |= self.jumpers(state, direction)
        if jumping:
            most = self.most_jumps(state, jumping) if self.takes_most else 0
            while jumping:
                start = lowest(jumping)
                for number, chain in enumerate(self.moves_of(state, start, most)):
                    yield start | chain.end << 6 | chain.jumps << 12 | number << 17
                jumping &= jumping - 1
        else:
            free = self.whole & ~(state.mine | state.theirs)
            for direction in range(4):
                stepping = self.steppers(state, direction)
                while stepping:
                    start = lowest(stepping)
                    end = self.neighbours[direction << 6 | start]
                    while end >= 0 and free >> end & 1:
                        yield start | end << 6
                        end = self.neighbours[direction << 6 | end] if state.kings >> start & 1 else NOWHERE
                    stepping &= stepping - 1

    def between(self, start: int, end: int) -> int:
        """The squares between two of one diagonal."""
        for direction in range(4):
            at, passed = self.neighbours[direction << 6 | start], 0
            while at >= 0 and at != end:
                passed |= 1 << at
                at = self.neighbours[direction << 6 | at]
            if at == end:
                return passed
        return 0

    def chain_of(self, state: DraughtsState, move: int) -> Chain:
        """The chain of a move that jumps."""
        start, jumps, number = move & 63, move >> 12 & 31, move >> 17
        for place, chain in enumerate(self.moves_of(state, start, jumps if self.takes_most else 0)):
            if place == number:
                return chain
        return Chain(move >> 6 & 63, 0, state.theirs, 0, self.no_jumps)

    def play(self, state: DraughtsState, move: int) -> DraughtsState:
        start, end, jumps = move & 63, move >> 6 & 63, move >> 12 & 31
        theirs, flies = state.theirs, state.kings >> start & 1
        if jumps == 1:
            theirs &= ~self.between(start, end)
        elif jumps > 1:
            chain = self.chain_of(state, move)
            theirs, flies = chain.left, chain.flies
        mine = state.mine & ~(1 << start) | 1 << end
        kings = state.kings & ~(1 << start) & (mine | theirs)
        if flies or self.last_rows[state.turn] >> end & 1:
            kings |= 1 << end
        quiet = 0
        if self.quiet:
            before = self.end_game(state.mine, state.theirs, state.kings)
            after = self.end_game(mine, theirs, kings)
            if jumps:  # the sixteen moves of three pieces go on where one of them is taken
                quiet = max(0, state.quiet + 1 - THREE + TWO) if before == THREE and after == TWO else 0
            elif state.kings >> start & 1 or (after and before == after):
                quiet = state.quiet + 1
        return DraughtsState(theirs, mine, kings, quiet, 1 - state.turn)

    def end_game(self, mine: int, theirs: int, kings: int) -> int:
        """Plies that an end game lasts at most: `TWO` or `THREE` where a king stands alone against as many pieces, a
        king among them; 0 in all other positions.
        """
        fewer, more = min(count(mine), count(theirs)), max(count(mine), count(theirs))
        if fewer != 1 or more > 3 or mine & kings == 0 or theirs & kings == 0:
            return 0
        return THREE if more == 3 else TWO

    def most_quiet(self, state: DraughtsState) -> int:
        plies = self.end_game(state.mine, state.theirs, state.kings)
        return plies if plies else self.quiet

    def notice(self, state: DraughtsState) -> Iterator[int]:
        """A jump that must be made; how a game ended."""
        outcome = self.outcome(state)
        told = 1 if self.is_forced(state) else 0
        if outcome == 0:
            plies = self.end_game(state.mine, state.theirs, state.kings)
            told = 6 if plies == TWO else 5 if plies else 4
        elif outcome != ONGOING:
            told = 3 if state.mine else 2
        return choose_text(NOTICES, told)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    @cached_property
    def middle(self) -> int:
        """The squares that are two or more from every edge."""
        last = 2 * self.half - 3
        places = zip(self.square_bits, self.board().places, strict=True)
        return sum(1 << bit for bit, place in places if 2 <= place.x <= last and 2 <= place.y <= last)

    def evaluate(self, state: DraughtsState) -> int:
        """Worth of x's pieces less that of o's, with a bonus for where men stand, in hundredths of a man."""
        worth = self.worth(state.mine, state.kings) - self.worth(state.theirs, state.kings)
        x, o = self.sides(state)
        bonus = self.placement_bonus(x & ~state.kings, 0) - self.placement_bonus(o & ~state.kings, 1)
        return worth * (1 - 2 * state.turn) + bonus

    def placement_bonus(self, men: int, player: int) -> int:
        """Bonus of a side's men in the middle, beyond it, and in their first row, where none is crowned behind them."""
        upper = (1 << self.square_bits[self.half**2]) - 1
        beyond = men & upper if player == 0 else men & ~upper
        return 4 * count(men & self.middle) + 2 * count(beyond) + 4 * count(men & self.last_rows[1 - player])

    def order(self, state: DraughtsState, move: int) -> int:
        """The longest chain of jumps first."""
        return move >> 12 & 31

    def is_noisy(self, state: DraughtsState, move: int) -> bool:
        """Jumps, and a man's step to where it is crowned."""
        if move >> 12:
            return True
        return state.kings >> (move & 63) & 1 == 0 and self.last_rows[state.turn] >> (move >> 6 & 63) & 1 != 0

    # -- for people ---------------------------------------------------------------------------------------------------

    def path(self, state: DraughtsState, move: int) -> Iterator[int]:
        """Every square that the piece stands on, from the first to the last."""
        start, jumps = move & 63, move >> 12 & 31
        yield self.squares[start]
        if jumps > 1:
            chain = self.chain_of(state, move)
            for jump in range(1, chain.jumps):
                yield self.squares[chain.stack[jump] & 63]
        yield self.squares[move >> 6 & 63]

    def takes(self, move: int) -> int:
        return move >> 12 & 31

    def ways(self, state: DraughtsState, move: int) -> Iterator[tuple[int, ...]]:
        meant = self.chain_of(state, move) if move >> 12 else None
        if meant is None:
            yield tuple(self.path(state, move))
            return
        start = move & 63
        for chain in self.chains(state, start, state.theirs):
            if (chain.end, chain.left, chain.flies) == (meant.end, meant.left, meant.flies):
                stops = [chain.stack[jump] & 63 for jump in range(chain.jumps)]
                yield tuple(self.squares[bit] for bit in (*stops, chain.end))


@dataclass(frozen=True)
class International(Flying):
    """International draughts: after `quiet` plies of kings alone, without a jump, it is a draw; 0: only repetition
    ends it.
    """

    half: ClassVar[int] = 5
    steps: ClassVar[tuple[int, int, int, int]] = (-6, -5, 5, 6)
    record_tags: ClassVar[tuple[tuple[str, str], ...]] = (("GameType", "20"),)


@dataclass(frozen=True)
class Russian(Flying):
    """Russian draughts: after `quiet` plies of kings alone, without a jump, it is a draw; 0: only by repetition."""

    quiet: Annotated[int, "Plies of kings alone, without a jump, that make a draw; 0: never"] = 30

    steps: ClassVar[tuple[int, int, int, int]] = (-5, -4, 4, 5)
    takes_most: ClassVar[bool] = False
    crowns_in_passing: ClassVar[bool] = True
    record_tags: ClassVar[tuple[tuple[str, str], ...]] = (("GameType", "25"),)

    def end_game(self, mine: int, theirs: int, kings: int) -> int:
        """`TWO` plies where two or three pieces are left and both sides have a king; 0 in all other positions."""
        return TWO if count(mine | theirs) <= 3 and mine & kings and theirs & kings else 0

    def square_name(self, row: int, column: int) -> str:
        """The name of a dark square, as in chess."""
        return f"{FILE_LETTERS[column]}{2 * self.half - row}"


INTERNATIONAL = ShippedGame(
    "international",
    International,
    "international draughts, on 10 x 10: flying kings, most pieces first",
    about=About(
        "International draughts",
        PIECES,
        "Men step ahead, slanting, and jump in all directions; kings fly. Who can jump must, and take as many as "
        "possible. Leave the other no move.",
        "32-28 19-23 28x19 14x23 37-32 10-14",
        details=(
            "International draughts is played on the 50 dark squares of 10 x 10; White begins. A man steps one square "
            "ahead, slanting. It jumps ahead or back over a piece of the other side to the free square behind it, and "
            "goes on jumping from there as long as it can. A king goes along a diagonal as far as it is free, and "
            "jumps over one piece from afar to any free square behind it. A side that can jump must, and must choose "
            "the way that takes most pieces. They are removed when the move ends, so that none is jumped twice. A man "
            "whose move ends in the last row becomes a king; one that only passes it stays a man. The side that "
            "cannot move has lost. A draw comes of the third time of a position, of 25 moves of each side with kings "
            "alone and no jump, of 16 moves with three pieces, a king among them, against a king, and of 5 with one or "
            "two."
        ),
    ),
)
RUSSIAN = ShippedGame(
    "russian",
    Russian,
    "Russian draughts, on 8 x 8: flying kings, any chain, crowned in passing",
    about=About(
        "Russian draughts",
        PIECES,
        "Men step ahead, slanting, and jump in all directions; kings fly. Who can jump must, to the end of a chain. "
        "Leave the other no move.",
        "c3-d4 d6-c5 b2-c3 f6-g5 c3-b4 g5-h4",
        details=(
            "Russian draughts is played on the dark squares of 8 x 8; White begins. A man steps one square ahead, "
            "slanting. It jumps ahead or back over a piece of the other side to the free square behind it, and goes on "
            "jumping from there as long as it can. A king goes along a diagonal as far as it is free, and jumps over "
            "one piece from afar to any free square behind it, but to one from which it can jump on where there is "
            "one. A side that can jump must, but may choose which jump. What is jumped is removed when the move ends, "
            "so that nothing is jumped twice. A man that comes to the last row becomes a king, and goes on jumping as "
            "one. The side that cannot move has lost. A draw comes of the third time of a position, of 15 moves of "
            "each side with kings alone and no jump, and of 5 where two or three pieces are left and both sides have "
            "a king. Counts of moves in larger end games are not kept."
        ),
    ),
)
