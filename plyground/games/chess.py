"""Chess by its rules, and Gardner's minichess on 5 × 5: how they are drawn, read and written.

The rules, and what a state and a move are, stand in `chess_rules.py`. Positions are FEN with _ for a blank, and are
read with blanks too. Moves are kept in the notation of UCI, `e2e4` and `e7e8q`, are shown in standard algebraic
notation (SAN), `Nf3` and `O-O`, and are read in both, and in long algebraic notation, `Ng1-f3`.

The rules are FIDE's Laws of Chess. A rook goes along rows and columns, a bishop along diagonals, a queen either way,
each as far as nothing stands there; a knight two squares along a row or column and one aside; a king one step. A pawn
goes one step ahead, two from where it begins, and captures one step slanting, also a pawn that has just gone past it
by two (en passant); at the far end it becomes a queen, rook, bishop or knight. A king castles with a rook if neither
has moved, nothing stands between them, and no square that the king is on or crosses is attacked. Who must move and
cannot get the king out of attack has lost.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, product
from typing import Annotated, ClassVar, Final

from plyground.board.fen import FILE_LETTERS, fullmove_number, other_turn, read_chess_fen, require_safe
from plyground.board.look import ATTACKED, STEP_WORDS, Board, Piece, Place, Unseen, rows_text, squares
from plyground.board.rays import BITS, COLUMNS, KING, ROWS, bishop_attacks, rook_attacks
from plyground.board.refusing import REFUSAL_WORDS
from plyground.board.signs import DASH, NUMBER, PLACE, SLASH, signs
from plyground.errors import BadInput
from plyground.games.about import PIECES, About, ShippedGame
from plyground.games.chess_rules import CASTLES, PAWN_SEES, PIECE_KINDS, PIECE_LETTERS, QUEEN, ChessRules, ChessState

MEN = PIECE_LETTERS.upper() + PIECE_LETTERS
"""The letters of White's pieces and of Black's: in this order they are numbered, from 1."""
MEN_SIGNS, LETTER_SIGNS, TURNS = signs(MEN), signs(PIECE_LETTERS), signs("wb")
NAME_SEPARATOR: Final = ord("_")
CASTLING = tuple(
    Unseen(f"{name} can castle on the {side}'s side", brief=f"{name} {move}")
    for name in ("White", "Black")
    for side, move in (("king", "O-O"), ("queen", "O-O-O"))
)
EMPTY_BOARD = ChessState(0, 0, 0, 0, 0, 0, 0, 0, 0)
"""A board without men, seen by White."""
FIRST_FILE: Final = ord("a")
CASTLED: Final = ord("O")
CAPTURES: Final = ord("x")
BECOMES: Final = ord("=")
CHECK_SIGN: Final = ord("+")
MATE: Final = ord("#")


@dataclass(frozen=True)
class WrittenChess(ChessRules):
    """Chess as people read and write it."""

    state_words = 6
    record = "pgn"

    @cached_property
    def right_letters(self) -> str:
        """The letters of the rights to castle: KQkq, or in Chess960 those of the rooks' files, as Shredder has them."""
        short, long = (FILE_LETTERS[file] for file in self.home_files[1:])
        return CASTLES if self.is_usual else f"{short}{long}".upper() + short + long

    @cached_property
    def right_signs(self) -> tuple[int, ...]:
        """The signs of these letters."""
        return signs(self.right_letters)

    def board(self) -> Board:
        """Squares from the top left, and after them a place for each piece that a pawn can become."""
        choices = tuple(Place(kind, self.side + 0.5, row, "choice") for row, kind in enumerate(PIECE_KINDS[1:5]))
        men = [Piece(*man, text=letter) for man, letter in zip(product(self.marks, PIECE_KINDS), MEN, strict=True)]
        chosen = [Piece(*man) for man in product(self.marks, PIECE_KINDS[1:5])]
        board = squares(self.side, self.side, chequered=True, upward=True, extra=choices)
        return replace(board, pieces=(*men, *chosen), seat=0, unseen=CASTLING if self.side == 8 else (), spoken=_SPOKEN)

    def place(self, square: int) -> int:
        """The number of a square's place."""
        return (self.side - 1 - square // 8) * self.side + square % 8

    def man_at(self, state: ChessState, square: int) -> int:
        """The number of the piece that stands on a square; 0 for none."""
        if BITS[square] & (state.mine | state.theirs) == 0:
            return 0
        owner = state.turn if BITS[square] & state.mine else 1 - state.turn
        return 1 + len(LETTER_SIGNS) * owner + self.kind_at(state, square)

    def stands(self, state: ChessState) -> Iterator[int]:
        """Pieces, with a king in check marked, then those that a pawn of the player to move can become."""
        king = self.king_of(state)
        checked = ATTACKED if self.attackers(state, king, state.mine | state.theirs) else 0
        for row in range(self.side - 1, -1, -1):
            for square in range(8 * row, 8 * row + self.side):
                yield self.man_at(state, square) + (checked if square == king else 0)
        for promoted in range(1, QUEEN + 1):
            yield len(MEN_SIGNS) + QUEEN * state.turn + promoted

    def lay_pieces(self, pieces: Sequence[int], places: Sequence[int], count: int) -> Iterator[ChessState]:
        state = EMPTY_BOARD
        for index in range(count):
            state = self._with_man(state, self.square(places[index]), pieces[index])
        if state.pawns & self.far_rows == 0:
            for turn in range(2):
                # A state in which the player who is not to move stands in check cannot arise.
                other = self._seen_by(state, 1 - turn, 0, 0)
                if self.is_safe(other, self.king_of(other), other.mine | other.theirs):
                    yield self._seen_by(state, turn, 0, 0)

    def _with_man(self, state: ChessState, square: int, man: int) -> ChessState:
        """The men of a state seen by White, with another one, by its number."""
        bit, kind = BITS[square], (man - 1) % len(LETTER_SIGNS)
        return ChessState(
            state.mine | (bit if man - 1 == kind else 0),
            state.theirs | (0 if man - 1 == kind else bit),
            state.pawns | (bit if kind == 0 else 0),
            state.knights | (bit if kind == 1 else 0),
            state.diagonals | (bit if kind == 2 or kind == QUEEN else 0),
            state.straights | (bit if kind == 3 or kind == QUEEN else 0),
            0,
            0,
            0,
        )

    def _seen_by(self, state: ChessState, turn: int, rights: int, quiet: int) -> ChessState:
        """The men of a state that is seen by White, as a player to move sees them."""
        mine, theirs = (state.theirs, state.mine) if turn else (state.mine, state.theirs)
        return ChessState(
            mine, theirs, state.pawns, state.knights, state.diagonals, state.straights, rights, quiet, turn
        )

    def state_of(self, numbers: Sequence[int]) -> ChessState:
        """The state that `board/fen.py` tells in numbers."""
        state, end = EMPTY_BOARD, self.side**2
        for place in range(end):
            if numbers[place]:
                state = self._with_man(state, self.square(place), numbers[place])
        passed = numbers[end + 2]
        rights = numbers[end + 1] | (self.square(passed) << 4 if passed >= 0 else 0)
        return self._seen_by(state, numbers[end], rights, numbers[end + 3])

    def path(self, state: ChessState, move: int) -> Iterator[int]:
        """Places of a move: from, to, and that of the piece of a promotion."""
        yield self.place(move & 63)
        yield self.place(move >> 6 & 63)
        if move >> 12:
            yield self.side**2 + (move >> 12) - 1

    def state_signs(self, state: ChessState) -> Iterator[int]:
        """FEN with _ for a blank, without the number of the move."""
        for row in range(self.side - 1, -1, -1):
            empty, end = 0, 8 * row + self.side
            for square in range(8 * row, end):
                man = self.man_at(state, square)
                empty = 0 if man else empty + 1
                if man:
                    yield MEN_SIGNS[man - 1]
                elif square + 1 == end or self.man_at(state, square + 1):
                    yield NUMBER
                    yield empty
            yield SLASH if row > 0 else NAME_SEPARATOR
        yield TURNS[state.turn]
        yield NAME_SEPARATOR
        for index in range(4):
            if state.rights >> index & 1:
                yield self.right_signs[index]
        if state.rights & 15 == 0:
            yield DASH
        yield NAME_SEPARATOR
        if state.rights >> 4:
            yield PLACE
            yield self.place(state.rights >> 4)
        else:
            yield DASH
        yield NAME_SEPARATOR
        yield NUMBER
        yield state.quiet

    def fen(self, state: ChessState, number: int = 1) -> str:
        """FEN; in Chess960 as X-FEN has it, where K and Q are the right to castle with the outermost rook."""
        squares, turn, _, passed, quiet = self.text(state).split("_")
        rights = "".join(self._x_letter(state, index) for index in range(4) if state.rights >> index & 1)
        return f"{squares} {turn} {rights or '-'} {passed} {quiet} {number}"

    def _x_letter(self, state: ChessState, index: int) -> str:
        """The letter of a right to castle in X-FEN."""
        owner, side = divmod(index, 2)
        mine = state.mine if owner == state.turn else state.theirs
        rooks = [file for file in range(8) if mine & state.straights & ~state.diagonals & BITS[56 * owner + file]]
        is_outermost = self.home_files[1 + side] == (rooks[0] if side else rooks[-1])
        return (CASTLES if is_outermost else self.right_letters)[index]

    def fullmove_number(self, text: str) -> int:
        return fullmove_number(text)

    def name(self, square: int) -> str:
        return f"{chr(ord('a') + square % 8)}{square // 8 + 1}"

    def material(self, name: str) -> tuple[tuple[int, ...], ...]:
        """White's men and Black's, each side from its king on: `KQK`, `KBNK`, `KQKR`."""
        found = re.fullmatch("(K[QRBNP]*)V?(K[QRBNP]*)", name.upper())
        if found is None or len(name) > 9:
            raise BadInput(f"{name!r} is no end game: write White's men and Black's, the kings first, as in KQK.")
        return (tuple(sorted([1 + MEN.index(man) for man in found[1] + found[2].lower()])),)

    def unseen(self, state: ChessState) -> tuple[int, ...]:
        return tuple(state.rights >> index & 1 for index in range(len(self.board().unseen)))

    def arrangement_text(self, numbers: Sequence[int], counts: Sequence[int], turn: int, unseen: Sequence[int]) -> str:
        """FEN; where a pawn could be taken in passing is not told."""
        rows = rows_text(self.board(), numbers, lambda piece: piece.text)
        squares = re.sub(r"\.+", lambda empty: str(len(empty[0])), rows)
        rights = "".join(letter for letter, has in zip(self.right_letters, unseen, strict=False) if has)
        return f"{squares} {'wb'[turn]} {rights or '-'} - 0 1"

    def parse_state(self, text: str) -> ChessState:
        """FEN, with blanks or _; what follows the squares may be left out. `fullmove_number` reads the last number."""
        said = repr(text)
        numbers = read_chess_fen(text, said, MEN, self.side, self.quiet, self.first_text)
        state, other = self.state_of(numbers), self.state_of(other_turn(numbers, self.side**2))
        require_safe(said, self.is_safe(other, self.king_of(other), other.mine | other.theirs))
        return state

    def move_signs(self, state: ChessState, move: int) -> Iterator[int]:
        """Squares from and to, then the piece of a promotion, as UCI writes them: `e2e4`, `e7e8q`."""
        yield PLACE
        yield self.place(move & 63)
        yield PLACE
        yield self.place(move >> 6 & 63)
        if move >> 12:
            yield LETTER_SIGNS[move >> 12]

    def notation_signs(self, state: ChessState, move: int) -> Iterator[int]:
        """SAN: `Nf3`, `Nbd7`, `exd5`, `e8=Q+`, `O-O-O`, `Qxf7#`."""
        start, end, promoted = move & 63, move >> 6 & 63, move >> 12
        kind, steps = self.kind_at(state, start), end - start
        after = self.play(state, move)
        side = self.castling_side(state, start, end) if kind > QUEEN else 0
        if side:
            for index in range(3 if side == 1 else 5):
                yield DASH if index % 2 else CASTLED
        else:
            captures = BITS[end] & state.theirs != 0 or (kind == 0 and steps % 8 != 0)
            # SAN names no more than it must: the column if that tells the rivals apart, else the row, else both.
            rivals = self.rivals(state, move) if 0 < kind <= QUEEN else 0
            if kind > 0:
                yield MEN_SIGNS[kind]
            if (kind == 0 and captures) or (rivals and (rivals & COLUMNS[start] == 0 or rivals & ROWS[start])):
                yield FIRST_FILE + start % 8
            if rivals & COLUMNS[start]:
                yield NUMBER
                yield start // 8 + 1
            if captures:
                yield CAPTURES
            yield PLACE
            yield self.place(end)
            if promoted:
                yield BECOMES
                yield MEN_SIGNS[promoted]
        king, taken = self.king_of(after), after.mine | after.theirs
        checkers = self.attackers(after, king, taken)
        if checkers:
            yield CHECK_SIGN if self.can_move(after, king, taken, checkers) else MATE

    def word_to_rook(self, state: ChessState, move: int) -> str:
        """A move as UCI has it in Chess960, where castling is a move of the king to its rook."""
        start, end = move & 63, move >> 6 & 63
        side = self.castling_side(state, start, end) if start == self.king_of(state) else 0
        rook = self.castling_squares(start, side - 1)[0] if side else 0
        return self.name(start) + self.name(rook) if side else self.move_text(state, move)

    def rivals(self, state: ChessState, move: int) -> int:
        """The other pieces of the same kind that may go to the same square."""
        start, end, found = move & 63, move >> 6 & 63, 0
        kind = self.kind_at(state, start)
        for other in self.moves(state):
            if other >> 6 & 63 == end and other & 63 != start and self.kind_at(state, other & 63) == kind:
                found |= BITS[other & 63]
        return found

    def refusal(self, state: ChessState, path: tuple[int, ...]) -> str:
        """The king that would be in check, the way that is blocked, a pawn's rules, the rules of castling."""
        if path[0] >= self.side**2:
            return "a move begins with the square of a piece"
        usual = super().refusal(state, path)
        squares = [self.square(place) for place in path[:2] if place < self.side**2]
        taken, king = state.mine | state.theirs, self.king_of(state)
        if not self.is_usual and squares[0] == king:
            for side in range(2):
                if squares[1:] == [self.castling_squares(king, side)[0]]:
                    return self.no_castling(state, side + 1)
        if len(squares) < 2 or not BITS[squares[0]] & state.mine or BITS[squares[1]] & state.mine:
            return usual
        start, end = squares
        kind, checked = self.kind_at(state, start), self.attackers(state, king, taken)
        if start == king:
            if KING[king] & BITS[end]:
                return f"the king would be in check on {self.name(end)}"
            side = self.castling_side(state, start, end)
            return self.no_castling(state, side) if side else "a king goes one step"
        if (self.destinations(state, start, taken) | self.en_passant_square(state, start)) & BITS[end]:
            return "the king is in check" if checked else REFUSAL_WORDS.opens
        if kind == 0:
            ahead = 8 - 16 * state.turn
            if end - start == ahead or (end - start == 2 * ahead and start >> 3 == 1 + 5 * state.turn):
                return "a pawn needs a free way ahead"
            if end - start == 2 * ahead:
                return "a pawn goes two steps only from where it begins"
            return "a pawn goes straight ahead, and captures one step slanting"
        goal = BITS[end]
        lines = bishop_attacks(start, 0) & -int(kind in (2, QUEEN)) | rook_attacks(start, 0) & -int(kind >= 3)
        return f"something stands between {self.name(start)} and {self.name(end)}" if lines & goal else usual

    def en_passant_square(self, state: ChessState, piece: int) -> int:
        """The square where a pawn may take in passing, were there no check."""
        sees = PAWN_SEES[state.turn << 6 | piece] if state.pawns & BITS[piece] else 0
        return sees & BITS[state.rights >> 4] if state.rights >> 4 else 0

    def no_castling(self, state: ChessState, side: int) -> str:
        """The reason that the king cannot castle, short if `side` is 1, long if it is 2."""
        king, taken = self.king_of(state), state.mine | state.theirs
        if not state.rights >> 2 * state.turn & side:
            return "the king or that rook has moved" if self.side == 8 else "there is no castling"
        if self.attackers(state, king, taken):
            return "a king in check cannot castle"
        if not self.way_free(king, side - 1, taken):
            return "something stands between king and rook" if self.is_usual else "something stands in the way"
        return "the king would cross an attacked square, or come to one"

    def square(self, place: int) -> int:
        """The square of a place."""
        return 8 * (self.side - 1 - place // self.side) + place % self.side

    def parse_move(self, state: ChessState, text: str) -> int:
        """A move in UCI's notation, `e2e4` and `e7e8q`, in SAN, `Nf3` and `O-O`, or in LAN, `e2-e4` and `Ng1-f3`."""
        word = text.strip().rstrip("+#!?")
        last = self.side
        square = f"([a-{chr(ord('a') + last - 1)}])([1-{last}])"
        if found := re.fullmatch(f"{square}[-x]?{square}=?([nbrqNBRQ]?)", word):
            start, end = (ord(found[at]) - ord("a") + 8 * int(found[at + 1]) - 8 for at in (1, 3))
            if self.is_usual and start == self.king_of(state) and BITS[end] & state.mine and start >> 3 == end >> 3:
                end = start + (2 if end > start else -2)  # castling as UCI has it in Chess960, to the rook
            return start | end << 6 | (PIECE_LETTERS.index(found[5].lower()) << 12 if found[5] else 0)
        castling = {"O-O": 1, "O-O-O": 2}.get(word.upper().replace("0", "O"))
        shape = re.fullmatch("([NBRQK]?)([a-h]?)([1-8]?)[-x]?([a-h])([1-8])(?:=?\\(?([NBRQ])\\)?)?", word)
        legal = list(self.moves(state)) if castling or shape else []
        if castling:
            king = self.king_of(state)
            legal = [
                move
                for move in legal
                if move & 63 == king and self.castling_side(state, king, move >> 6 & 63) == castling
            ]
        elif shape:
            kind, promoted = (
                PIECE_LETTERS.index((shape[1] or "p").lower()),
                PIECE_LETTERS.index((shape[6] or "p").lower()),
            )
            legal = [
                move
                for move in legal
                if self.kind_at(state, move & 63) == kind and move >> 12 == promoted
                if self.name(move >> 6 & 63) == shape[4] + shape[5]
                if shape[2] in self.name(move & 63) and shape[3] in self.name(move & 63)
            ]
        if len(legal) == 1:
            return legal[0]
        if legal:
            both = " or ".join(self.notation_text(state, move) for move in legal)
            raise BadInput(f"{text!r} is more than one move here: write {both}.")
        if castling:
            raise BadInput(f"{text!r} is not a move here: {self.no_castling(state, castling)}.")
        if shape:
            raise BadInput(f"{text!r} is not a move here: {self._no_move(state, shape)}.")
        raise BadInput(f"{text!r} is not a move here: write it as in Nf3, exd5, O-O and e8=Q, or as in e2e4 and e7e8q.")

    def _no_move(self, state: ChessState, shape: re.Match[str]) -> str:
        """The reason that none of the pieces that SAN may mean can go to its square."""
        kind, end = PIECE_LETTERS.index((shape[1] or "p").lower()), 8 * int(shape[5]) - 8 + ord(shape[4]) - ord("a")
        if not BITS[end] & self.whole:
            return f"there is no square {shape[4]}{shape[5]}"
        if BITS[end] & state.mine:
            return f"a {PIECE_KINDS[self.kind_at(state, end)]} of {self.names[state.turn]} stands on {self.name(end)}"
        taken = state.mine | state.theirs
        meant = [square for square in range(64) if BITS[square] & state.mine and self.kind_at(state, square) == kind]
        meant = [square for square in meant if shape[2] in self.name(square) and shape[3] in self.name(square)]
        for square in meant:
            sees = (
                KING[square]
                if kind > QUEEN
                else self.destinations(state, square, taken) | self.en_passant_square(state, square)
            )
            if sees & BITS[end]:
                if kind == 0 and end >> 3 in (0, self.side - 1) and not shape[6]:
                    return f"say what the pawn becomes, as in {shape[0]}=Q"
                return self.refusal(state, (self.place(square), self.place(end)))
        if not meant:
            return f"{self.names[state.turn]} has no such {PIECE_KINDS[kind]}"
        return f"no {PIECE_KINDS[kind]} of {self.names[state.turn]} can go to {self.name(end)}"


def back_row(number: int) -> str:
    """The pieces of a start position of Chess960 by its number, as Reinhard Scharnagl numbers them.

    >>> back_row(518)
    'RNBQKBNR'
    """
    row, (number, light) = [""] * 8, divmod(number, 4)
    (number, dark), empty = divmod(number, 4), range(8)
    row[2 * light + 1] = row[2 * dark] = "B"
    number, queen = divmod(number, 6)
    row[[file for file in empty if not row[file]][queen]] = "Q"
    free = [file for file in empty if not row[file]]
    for knight in [*combinations(free, 2)][number]:
        row[knight] = "N"
    letters = iter("RKR")
    return "".join(piece or next(letters) for piece in row)


USUAL_START = 518
"""Number of the usual start position among those of Chess960."""


@dataclass(frozen=True)
class Chess(WrittenChess):
    """A draw by stalemate, by the third time of a position, after `quiet` plies without a pawn's move or a capture (0:
    never), and where only kings and one bishop or knight are left. `start` other than 518 is Chess960.
    """

    start: Annotated[int, "Start position of Chess960, 0 to 959; 518 is that of chess", range(960)] = USUAL_START

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.start < 960:
            raise BadInput(f"start={self.start}: the start positions of Chess960 have the numbers 0 to 959.")

    @cached_property
    def home_files(self) -> tuple[int, int, int]:  # type: ignore[override]
        row = back_row(self.start)
        return row.index("K"), row.rindex("R"), row.index("R")

    @cached_property
    def first_text(self) -> str:  # type: ignore[override]
        row = back_row(self.start)
        return f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row}_w_{self.right_letters}_-_0"

    @cached_property
    def tells_start(self) -> bool:  # type: ignore[override]
        return self.start != USUAL_START

    @cached_property
    def record_tags(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        return () if self.start == USUAL_START else (("Variant", "Chess960"),)


@cache
def _starts_by_files() -> dict[tuple[int, int, int], int]:
    """The first start position of each set of files from which is castled; of the usual ones, the usual."""
    rows = {number: back_row(number) for number in (USUAL_START, *range(960))}
    files = {number: (row.index("K"), row.rindex("R"), row.index("R")) for number, row in rows.items()}
    return {files[number]: number for number in reversed(rows)}


def start_number(text: str) -> int:
    """The number of a start position of Chess960 by whose rules a position in FEN is played: the one that it is, or one
    whose king and rooks begin where the rights to castle say; the usual one where they say nothing else.
    """
    words = [*text.replace("_", " ").split(), "", "", ""]
    rows = re.sub("[1-8]", lambda digit: "." * int(digit[0]), words[0]).split("/")
    known = [number for number in range(960) if back_row(number) == rows[-1] == rows[0].upper()]
    if known and words[2] not in ("", "-"):
        return known[0]
    wanted = set[tuple[int, bool, int]]()
    for right in words[2].replace("-", ""):
        row = rows[-1] if right.isupper() else rows[0].upper()
        rooks = [file for file, piece in enumerate(row) if piece == "R"]
        if right in "KQkq":
            file = (rooks[-1] if right in "Kk" else rooks[0]) if rooks else -1
        else:
            file = FILE_LETTERS.find(right.lower())
        if "K" not in row:
            return USUAL_START
        wanted.add((row.index("K"), file > row.index("K"), file))
    fits = (
        number
        for (king, short, long), number in _starts_by_files().items()
        if all((at, file) == (king, short if is_short else long) for at, is_short, file in wanted)
    )
    return next(iter(sorted(fits, key=lambda number: number != USUAL_START)), USUAL_START)


@dataclass(frozen=True)
class Gardner(WrittenChess):
    """Chess on 5 × 5, by Martin Gardner, with AISE's later rules: no castling, pawns take one step at a time."""

    side = 5
    record_tags: ClassVar[tuple[tuple[str, str], ...]] = (("Variant", "Gardner"),)
    first_text: ClassVar[str] = "rnbqk/ppppp/5/PPPPP/RNBQK_w_-_-_0"


_KINDS = (
    "A rook moves along rows and columns, a bishop along diagonals, a queen either way, each as far as nothing "
    "stands there. A knight jumps two squares along a row or column and one aside, and a king moves one step. "
)
_SPOKEN = (
    ("O-O-O", "castles long"),
    ("O-O", "castles short"),
    *((letter.upper(), f"{kind} ") for letter, kind in zip(PIECE_LETTERS, PIECE_KINDS, strict=True)),
    ("=", ", becomes "),
    ("+", ", check"),
    ("#", ", checkmate"),
    *STEP_WORDS,
)
_ENDS = (
    "A king that is attacked is in check and must be saved at once; if it cannot be, that is checkmate, and lost. A "
    "side that is not in check and has no move is stalemated, which is a draw. So are the third time of a position, "
    "fifty moves of each side without a capture or a pawn's move, and too few pieces to mate."
)
_CHESS = "Each piece moves in its own way. Attack the enemy king so that it cannot get away: checkmate."
CHESS = ShippedGame(
    "chess",
    Chess,
    "chess by its rules; positions are FEN, moves SAN or UCI; Chess960: chess:start=0 to 959",
    about=About(
        "Chess",
        PIECES,
        _CHESS,
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
        details=(
            f"{_KINDS}"
            "A pawn moves one step ahead, two from where it begins, and captures one step slanting, also a pawn that "
            "has just gone past it by two steps. At the far end it becomes a queen, rook, bishop or knight. A king "
            "castles by going two steps towards a rook, which jumps over it, if neither has moved, nothing stands "
            "between them and no square on the king's way is attacked. "
            f"{_ENDS}"
        ),
    ),
)
GARDNER = ShippedGame(
    "gardner",
    Gardner,
    "Gardner's minichess, on 5 x 5",
    about=About(
        "Minichess",
        PIECES,
        f"{_CHESS} A whole game on 5 x 5 squares.",
        "c2c3 d4c3 b2c3 b4c3",
        details=(
            f"{_KINDS}"
            "A pawn moves one step ahead and captures one step slanting; at the far end it becomes a queen, rook, "
            "bishop or knight. There is no castling, and no pawn's double step. "
            f"{_ENDS}"
        ),
    ),
)
