"""The rules of chess, on 8 × 8 squares or fewer; `chess.py` says how people read and write it.

A set of squares is a word with a1 lowest and h8 highest (`board/rays.py`). Each side is a set, seen by the player to
move; the kinds of both sides are four: pawns, knights, and what sees along diagonals and along rows and columns, a
queen both. A king is what is none of them. x is White. A move is `from | to << 6 | promoted << 12`, promoted 1 to 4
for a knight, a bishop, a rook, a queen; castling is the king's two steps.

Every move that is listed is legal: what gives check and what is pinned is found once for a state, then each piece's
squares are cut down to what stops the check, or stays on the line of the pin.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from plyground.board.bits import flat, lowest
from plyground.board.look import Colour, Surface
from plyground.board.rays import (
    BITS,
    COLUMNS,
    FALLING,
    KING,
    KNIGHT,
    RISING,
    ROWS,
    as_signed,
    between,
    bishop_attacks,
    count_squares,
    line_through,
    rook_attacks,
)
from plyground.board.signs import choose_text, signs
from plyground.errors import BadInput
from plyground.rules import LONGEST, ONGOING, Game

QUEEN = 4
PIECE_LETTERS = "pnbrqk"
PIECE_KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
PAWN_SEES = tuple(
    as_signed(sum(1 << square + step for step, edge in ((7, 0), (9, 7)) if square % 8 != edge and square < 56))
    if turn == 0
    else as_signed(sum(1 << square - step for step, edge in ((7, 7), (9, 0)) if square % 8 != edge and square > 7))
    for turn in range(2)
    for square in range(64)
)
"""Squares that a pawn attacks, at `64 * turn + square`."""
BELOW = (1 << 55) - 1
"""The squares from which a step up is none to h8, the sign."""
CASTLES = "KQkq"
USUAL_FILES = (4, 7, 0)
"""Where the king and the rooks stand with which it castles short and long, as files from 0."""
TRADED = (1, 3, 3, 5, 9, 0)
"""Value of each kind of piece in an exchange, in pawns; a king is not given for anything."""
CHESS_NOTICES = signs(
    "|in check|checkmate|stalemate|lack of captures and pawn moves|lack of material|the fifty-move rule"
)


class ChessState(NamedTuple):
    """Squares of the pieces, in the sets that the module's docstring explains."""

    mine: int
    theirs: int
    pawns: int
    knights: int
    diagonals: int
    straights: int
    rights: int
    """To castle: x short and long, o short and long; from bit 4 on, the square where a pawn may be taken in passing."""
    quiet: int
    """Plies since a pawn was moved or something was taken."""
    turn: int
    """The player to move: 0 for x, White, and 1 for o, Black."""


@dataclass(frozen=True)
class ChessRules(Game[ChessState]):
    """A draw by stalemate, by the third time of a position, after `quiet` plies without a pawn's move or a capture (0:
    never), and where only kings and one bishop or knight are left.
    """

    quiet: Annotated[int, "Plies without a capture or a pawn's step that make a draw; 0: never"] = 100

    names: ClassVar[tuple[str, str]] = ("White", "Black")
    unit: ClassVar[tuple[str, int]] = ("pawns", 100)
    colours: ClassVar[tuple[Colour, Colour]] = ("white", "black")
    surface: ClassVar[Surface] = "wood"

    repetition = 3
    canonical_is_complete = True
    side = 8
    home_files: ClassVar[tuple[int, int, int]] = USUAL_FILES
    """Files of the king and of the rooks to the right and left of it from which it castles, in Chess960 others."""
    first_text: ClassVar[str] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.quiet <= 999:
            raise BadInput(f"quiet={self.quiet}: 1 to 999 plies, or 0 for no such draw.")

    # -- the rules --------------------------------------------------------------------------------------------------

    @cached_property
    def whole(self) -> int:
        """Every square of the board."""
        return as_signed(sum(1 << 8 * row + column for row in range(self.side) for column in range(self.side)))

    @cached_property
    def far_rows(self) -> int:
        """The first row and the last."""
        return self.whole & (ROWS[0] | BITS[0] | as_signed((ROWS[0] | BITS[0]) << 8 * (self.side - 1)))

    @cached_property
    def _first(self) -> ChessState:
        return self.parse_state(self.first_text)

    @cached_property
    def is_usual(self) -> bool:
        """Whether king and rooks begin where they do in chess, so that castling is the king's two steps; else a move
        of castling goes from the king to the rook.
        """
        return self.home_files == USUAL_FILES

    @cached_property
    def rights_kept(self) -> tuple[int, ...]:
        """The rights to castle that are left when something leaves a square, or comes to it."""
        king, short, long = self.home_files
        lost = {king: 3, short: 1, long: 2, 56 + king: 12, 56 + short: 4, 56 + long: 8}
        return tuple(15 - lost.get(square, 0) for square in range(64))

    def initial(self) -> ChessState:
        return self._first

    def to_move(self, state: ChessState) -> int:
        return state.turn

    def king_of(self, state: ChessState) -> int:
        """The square of the king of the player to move."""
        return lowest(state.mine & ~(state.pawns | state.knights | state.diagonals | state.straights))

    def attackers(self, state: ChessState, square: int, taken: int) -> int:
        """The other player's pieces, but for the king, that see a square of the player to move."""
        found = KNIGHT[square] & state.knights | PAWN_SEES[state.turn << 6 | square] & state.pawns
        found |= bishop_attacks(square, taken) & state.diagonals | rook_attacks(square, taken) & state.straights
        return found & state.theirs

    def is_safe(self, state: ChessState, square: int, taken: int) -> bool:
        """Whether the king may stand on a square."""
        other = state.theirs & ~(state.pawns | state.knights | state.diagonals | state.straights)
        return KING[square] & other == 0 and self.attackers(state, square, taken) & ~BITS[square] == 0

    def moves(self, state: ChessState) -> Iterator[int]:
        taken, king = state.mine | state.theirs, self.king_of(state)
        checkers, pinned, goal = self.attackers(state, king, taken), 0, self.whole & ~state.mine
        pieces = state.mine
        if checkers:
            checker = lowest(checkers)
            # A single check is stopped by a piece in between, or by taking the checker; nothing lies between a knight
            # and the king.
            goal &= between(king, checker) | BITS[checker]
            if checkers != BITS[checker]:  # a double check
                pieces = BITS[king]
        # Seen from the king through its own men alone: sliders with exactly one own man in the way pin it to their
        # line.
        snipers = (
            bishop_attacks(king, state.theirs) & state.diagonals | rook_attacks(king, state.theirs) & state.straights
        )
        snipers &= state.theirs & ~checkers
        while snipers:
            sniper = lowest(snipers)
            shield = between(king, sniper) & state.mine
            # More than one own man in between: none of them is pinned.
            if shield == BITS[lowest(shield)]:
                pinned |= shield
            snipers ^= BITS[sniper]
        while pieces:
            piece = lowest(pieces)
            if piece == king:
                ends = self.king_destinations(state, king, taken, checkers)
            else:
                ends = self.destinations(state, piece, taken) & goal
                if pinned & BITS[piece]:
                    ends &= line_through(king, piece)
                # Added after the cuts by check and pin, because it takes a man that is not where it goes: `passing`
                # looks anew.
                if state.rights >> 4:
                    ends |= self.passing(state, piece, king, taken)
            # The row on which the mover's pawns become pieces; from the one before it every step of a pawn is four
            # moves, the queen first.
            last = 7 - 7 * state.turn if self.side == 8 else 4 - 4 * state.turn
            promoted = QUEEN if state.pawns & BITS[piece] and piece >> 3 == last - 1 + 2 * state.turn else 0
            while ends:
                end = lowest(ends)
                kind = promoted
                while kind >= 0:
                    yield piece | end << 6 | kind << 12
                    kind = kind - 1 if kind > 1 else -1
                ends ^= BITS[end]
            pieces ^= BITS[piece]

    def destinations(self, state: ChessState, piece: int, taken: int) -> int:
        """Squares to which a piece other than the king could go, were there no check."""
        bit = BITS[piece]
        if bit & state.pawns:
            step = 8 - 16 * state.turn
            found = PAWN_SEES[state.turn << 6 | piece] & state.theirs
            if BITS[piece + step] & taken == 0:
                found |= BITS[piece + step]
                if self.side == 8 and piece >> 3 == 1 + 5 * state.turn and BITS[piece + 2 * step] & taken == 0:
                    found |= BITS[piece + 2 * step]
            return found
        if bit & state.knights:
            return KNIGHT[piece]
        found = 0
        if bit & state.diagonals:
            found |= bishop_attacks(piece, taken)
        if bit & state.straights:
            found |= rook_attacks(piece, taken)
        return found

    def king_destinations(self, state: ChessState, king: int, taken: int, checkers: int) -> int:
        """Squares to which the king may go, those of castling included."""
        near = KING[king] & self.whole & ~state.mine
        # The king is taken off: it must not shield the squares behind it from a slider.
        found, without = 0, taken ^ BITS[king]
        while near:
            end = lowest(near)
            if self.is_safe(state, end, without):
                found |= BITS[end]
            near ^= BITS[end]
        may = state.rights >> 2 * state.turn & 3
        if may and checkers == 0 and not self.is_usual:
            for side in range(2):
                if may >> side & 1 and self.can_castle(state, king, side, taken):
                    found |= BITS[king & 56 | self.home_files[1 + side]]
        elif may and checkers == 0:
            home = 56 * state.turn
            short, long = (
                BITS[home + 5] | BITS[home + 6],
                BITS[home + 1] | BITS[home + 2] | BITS[home + 3],
            )
            # `found & short`: the square that the king crosses is safe, as it is among its steps. FIDE's Laws, article
            # 3.8.2.
            if may & 1 and short & taken == 0 and found & short and self.is_safe(state, home + 6, taken):
                found |= BITS[home + 6]
            if may & 2 and long & taken == 0 and found & long and self.is_safe(state, home + 2, taken):
                found |= BITS[home + 2]
        return found

    def way_free(self, king: int, side: int, taken: int) -> bool:
        """Whether nothing stands where king and rook go when the king castles on a side, 0 for short, in Chess960."""
        rook, end, rook_end = self.castling_squares(king, side)
        way = between(king, end) | BITS[end] | between(rook, rook_end) | BITS[rook_end]
        return way & taken & ~(BITS[king] | BITS[rook]) == 0

    def castling_squares(self, king: int, side: int) -> tuple[int, int, int]:
        """The square of the rook with which the king castles on a side, and the squares where king and rook come."""
        home = king & 56
        return home + self.home_files[1 + side], home + 6 - 4 * side, home + 5 - 2 * side

    def can_castle(self, state: ChessState, king: int, side: int, taken: int) -> bool:
        """Whether a king that is not in check may castle on a side in Chess960, where it has the right."""
        if not self.way_free(king, side, taken):
            return False
        rook, end, rook_end = self.castling_squares(king, side)
        crossed = between(king, end)
        while crossed:
            square = lowest(crossed)
            if not self.is_safe(state, square, taken):
                return False
            crossed ^= BITS[square]
        after = taken & ~(BITS[king] | BITS[rook]) | BITS[end] | BITS[rook_end]
        return self.is_safe(state, end, after)

    def castling_side(self, state: ChessState, start: int, end: int) -> int:
        """1 if the king castles short by going from one square to another, 2 if long; 0 if it does not."""
        if self.is_usual:
            castles = end - start == 2 or start - end == 2
        else:
            castles = BITS[end] & state.mine != 0 and start != end
        return (1 if end > start else 2) if castles else 0

    def passing(self, state: ChessState, piece: int, king: int, taken: int) -> int:
        """The square where a pawn takes in passing, if it can: two pawns leave a row, so the king is looked at anew."""
        end = state.rights >> 4
        if state.pawns & BITS[piece] == 0 or PAWN_SEES[state.turn << 6 | piece] & BITS[end] == 0:
            return 0
        caught = BITS[end - 8 + 16 * state.turn]
        after = taken & ~(BITS[piece] | caught) | BITS[end]
        return BITS[end] if self.attackers(state, king, after) & ~caught == 0 else 0

    def play(self, state: ChessState, move: int) -> ChessState:
        start, end, promoted = move & 63, move >> 6 & 63, move >> 12
        start_bit, end_bit = BITS[start], BITS[end]
        gone, theirs = start_bit | end_bit, state.theirs & ~end_bit
        mine = state.mine & ~start_bit | end_bit
        pawns, knights, diagonals = state.pawns & ~gone, state.knights & ~gone, state.diagonals & ~gone
        straights, passing = state.straights & ~gone, 0
        # Where no count ends the game it stays 0, so that states do not differ by it.
        quiet = state.quiet + 1 if self.quiet and theirs == state.theirs else 0
        if state.pawns & start_bit:
            quiet = 0
            if promoted:
                knights |= end_bit if promoted == 1 else 0
                diagonals |= end_bit if promoted == 2 or promoted == QUEEN else 0
                straights |= end_bit if promoted >= 3 else 0
            else:
                pawns |= end_bit
                back = end - 8 + 16 * state.turn
                if end == state.rights >> 4 and end:
                    pawns &= ~BITS[back]
                    theirs &= ~BITS[back]
                # Noted only where a pawn of the other side stands beside: else equal positions would differ, and so
                # count as no repetition (FIDE's Laws, article 9.2.3).
                elif start + end == 2 * back and PAWN_SEES[state.turn << 6 | back] & theirs & pawns:
                    passing = back << 4
        elif state.knights & start_bit:
            knights |= end_bit
        elif (state.diagonals | state.straights) & start_bit:
            if state.diagonals & start_bit:
                diagonals |= end_bit
            if state.straights & start_bit:
                straights |= end_bit
        elif not self.is_usual and state.mine & end_bit:
            rook, king_end, rook_end = self.castling_squares(start, 0 if end > start else 1)
            mine = mine & ~end_bit | BITS[king_end] | BITS[rook_end]
            straights |= BITS[rook_end]
        elif self.is_usual and (start - end == 2 or end - start == 2):
            rook = BITS[end + 1] | BITS[end - 1] if end > start else BITS[end - 2] | BITS[end + 1]
            mine ^= rook
            straights ^= rook
        rights = state.rights & self.rights_kept[start] & self.rights_kept[end] & 15 | passing
        return ChessState(theirs, mine, pawns, knights, diagonals, straights, rights, quiet, 1 - state.turn)

    def outcome(self, state: ChessState) -> int:
        king, taken = self.king_of(state), state.mine | state.theirs
        checkers = self.attackers(state, king, taken)
        if not self.can_move(state, king, taken, checkers):
            return 2 * state.turn - 1 if checkers else 0
        if self.quiet and state.quiet >= self.quiet:
            return 0
        return 0 if self.is_bare(state) else ONGOING

    def is_bare(self, state: ChessState) -> bool:
        """Whether only kings and one bishop or knight are left."""
        return state.pawns | state.straights == 0 and count_squares(state.knights | state.diagonals) < 2

    def notice(self, state: ChessState) -> Iterator[int]:
        """Check; how a game ended."""
        outcome, told = self.outcome(state), 0
        if outcome == ONGOING:
            told = 1 if self.attackers(state, self.king_of(state), state.mine | state.theirs) else 0
        elif outcome != 0:
            told = 2
        elif self.is_bare(state):
            told = 5
        else:
            told = (6 if self.quiet == 100 else 4) if self.quiet and state.quiet >= self.quiet else 3
        return choose_text(CHESS_NOTICES, told)

    def can_move(self, state: ChessState, king: int, taken: int, checkers: int) -> bool:
        """Whether there is a legal move: mostly the step of a pawn on no line with the king; else they are listed."""
        # To ask for a first move alone makes alpha-beta 0.64 times as fast as without the question, and with this 0.80
        # times; from Kiwipete 0.62 and 0.72.
        # On no line with the king, so not pinned: its step ahead is legal, if there is no check.
        loose = state.mine & state.pawns & ~(ROWS[king] | COLUMNS[king] | RISING[king] | FALLING[king])
        ahead = (loose & BELOW) << 8 if state.turn == 0 else loose >> 8
        if checkers == 0 and ahead & ~taken:
            return True
        for _ in self.moves(state):
            return True
        return False

    def repetition_key(self, state: ChessState) -> ChessState:
        """The position without its count of plies."""
        sides = (state.mine, state.theirs, state.pawns, state.knights, state.diagonals, state.straights)
        return ChessState(sides[0], sides[1], sides[2], sides[3], sides[4], sides[5], state.rights, 0, state.turn)

    def canonical(self, state: ChessState) -> ChessState:
        """Without castling, the king of the player to move on the left; without pawns, in the triangle a1, d1, d4."""
        if self.side != 8 or state.rights & 15:
            return state
        king = self.king_of(state)
        # XOR with 7 mirrors the columns, with 56 the rows. Pawns have a direction, so with them only columns are
        # mirrored; castling ties to columns, too.
        turned = 7 if king & 4 else 0
        if state.pawns == 0 and king & 32:
            turned |= 56
        king ^= turned
        row, column = king >> 3, king & 7
        first = self.image(state, turned, 1 if state.pawns == 0 and row > column else 0)
        if state.pawns == 0 and row == column:  # on the diagonal: the smaller of the two images
            other, is_less, is_same = self.image(state, turned, 1), False, True
            left, right = flat(other), flat(first)
            for index in range(len(left)):
                is_less = is_less or (is_same and left[index] < right[index])
                is_same = is_same and left[index] == right[index]
            return other if is_less else first
        return first

    def image(self, state: ChessState, turned: int, across: int) -> ChessState:
        """The state with the bits of its squares' numbers turned, and then mirrored at the diagonal from a1."""
        passing = state.rights >> 4
        return ChessState(
            self.mirror(state.mine, turned, across),
            self.mirror(state.theirs, turned, across),
            self.mirror(state.pawns, turned, across),
            self.mirror(state.knights, turned, across),
            self.mirror(state.diagonals, turned, across),
            self.mirror(state.straights, turned, across),
            (passing ^ turned if passing else 0) << 4,
            state.quiet,
            state.turn,
        )

    def mirror(self, squares: int, turned: int, across: int) -> int:
        """The squares of an image."""
        found = 0
        while squares:
            square = lowest(squares)
            squares ^= BITS[square]
            square ^= turned
            found |= BITS[square >> 3 | (square & 7) << 3 if across else square]
        return found

    def drawn_after(self, state: ChessState) -> int:
        """Plies until the count is full."""
        return self.quiet - state.quiet if self.quiet else LONGEST

    def tier(self, state: ChessState) -> int:
        """Men taken, and pawns taken or promoted."""
        # Captures and promotions cannot be taken back, so that no move lowers it. In chess it begins at 80.
        return 128 - count_squares(state.mine | state.theirs) - count_squares(state.pawns)

    # -- evaluation and hints -----------------------------------------------------------------------------------------

    @cached_property
    def middle(self) -> tuple[int, int]:
        """The squares at the centre, and those with the ones round them."""
        low, high = self.side // 2 - 1 + self.side % 2, self.side // 2
        return tuple(
            as_signed(
                sum(
                    1 << 8 * row + column
                    for row in range(low - more, high + more + 1)
                    for column in range(low - more, high + more + 1)
                )
            )
            for more in (0, 1)
        )  # type: ignore[return-value]

    def evaluate(self, state: ChessState) -> int:
        """Worth of x's pieces and of their places less that of o's, in hundredths of a pawn."""
        value = self.worth(state, state.mine) - self.worth(state, state.theirs)
        return (value + self.placement_bonus(state, state.mine) - self.placement_bonus(state, state.theirs)) * (
            1 - 2 * state.turn
        )

    def worth(self, state: ChessState, side: int) -> int:
        """Worth of a side's pieces."""
        bishops, rooks = count_squares(side & state.diagonals), count_squares(side & state.straights)
        minor = 100 * count_squares(side & state.pawns) + 320 * count_squares(side & state.knights)
        queens = count_squares(side & state.diagonals & state.straights)
        # A queen is among the bishops and among the rooks, so what these count for it is taken off.
        return minor + 330 * bishops + 500 * rooks + (900 - 330 - 500) * queens

    def placement_bonus(self, state: ChessState, side: int) -> int:
        """Bonus of a side's pawns, knights and bishops that stand in the middle."""
        light = side & (state.pawns | state.knights | state.diagonals & ~state.straights)
        return 12 * (count_squares(light & self.middle[0]) + count_squares(light & self.middle[1]))

    def kind_at(self, state: ChessState, square: int) -> int:
        """The number of the kind that stands on a square: 0 for a pawn to 5 for a king."""
        bit = BITS[square]
        if bit & state.pawns:
            return 0
        if bit & state.knights:
            return 1
        if bit & state.diagonals:
            return QUEEN if bit & state.straights else 2
        return 3 if bit & state.straights else 5

    def order(self, state: ChessState, move: int) -> int:
        """Rank of a move: most valuable piece taken by the least valuable one first; then the piece of a promotion."""
        start, end, promoted = move & 63, move >> 6 & 63, move >> 12
        if BITS[end] & state.theirs == 0:
            return promoted
        # Most valuable victim, least valuable attacker: kinds 0 to 5 in steps of 8, so that the victim decides.
        return 8 + 8 * self.kind_at(state, end) - self.kind_at(state, start) + promoted

    def is_noisy(self, state: ChessState, move: int) -> bool:
        """Promotions to a queen and captures, but for those of a lesser piece that is defended: they lose material."""
        start, end, promoted = move & 63, move >> 6 & 63, move >> 12
        if promoted:
            return promoted == QUEEN
        if BITS[end] & state.theirs == 0:
            return False
        taken = state.mine | state.theirs
        return TRADED[self.kind_at(state, start)] <= TRADED[self.kind_at(state, end)] or self.is_safe(state, end, taken)

    def is_forced(self, state: ChessState) -> bool:
        """Check."""
        return self.attackers(state, self.king_of(state), state.mine | state.theirs) != 0

    def pass_turn(self, state: ChessState) -> ChessState:
        """No pass in check, nor with king and pawns alone, where to have to move is often a disadvantage."""
        mine, theirs = state.mine, state.theirs
        pawns, knights, diagonals, straights = state.pawns, state.knights, state.diagonals, state.straights
        if mine & (knights | diagonals | straights) == 0 or self.is_forced(state):
            return state
        turn = 1 - state.turn
        return ChessState(theirs, mine, pawns, knights, diagonals, straights, state.rights & 15, state.quiet, turn)
