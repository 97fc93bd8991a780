"""A line of chess in SAN, read by one compiled call: 1 µs a ply, where word by word it takes 200.

A word is a pattern that says the same in every position (`pattern_of`): the piece, its destination, what of its origin
is named. `follow_words` looks for the one legal move of each pattern, plays it, and notes how SAN spells that move.
"""

import re
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

from plyground.board.rays import BITS, COLUMNS, ROWS
from plyground.compiled.kernel import kernel
from plyground.games import AnyGame
from plyground.games.chess_rules import PIECE_LETTERS, QUEEN, ChessRules, ChessState
from plyground.position import Position
from plyground.rules import ONGOING
from plyground.search.memory import Memory, new_memory
from plyground.search.table import hash_of

ANY: Final = 15
"""Value in a pattern for a file or a row that its word does not name."""
NEEDS_FILE: Final = 1
NEEDS_ROW: Final = 2
CAPTURES_PIECE: Final = 4
CHECKS: Final = 8
MATES: Final = 16
LINES_BEFORE = 20
"""Lines of a game that are read word by word, before the compiler's half second is worth it."""
WORDS: Final = 3
"""Ints of each ply: its pattern, which the move replaces; how it is spelled; the hash of the position before it. Behind
them: the outcome of the last position, nothing, its hash."""
_SAN = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)(x?)([a-h])([1-8])(?:=([NBRQ]))?([+#]?)")
_CASTLING = re.compile(r"(O-O(?:-O)?)([+#]?)")


class SanPattern(NamedTuple):
    """A word of SAN: the moves that it may mean, and how it spells them."""

    number: int
    """Destination, kind, promotion, file and row of the origin, castling, from the lowest bits on."""
    spelling: int
    """`NEEDS_FILE` and so on, as the word has them."""


@lru_cache(maxsize=1 << 14)
def pattern_of(word: str) -> SanPattern | None:
    """The pattern of a word; None for one that is no plain SAN."""
    if found := _CASTLING.fullmatch(word):
        short = found[1] == "O-O"
        return SanPattern(5 << 6 | ANY << 12 | ANY << 16 | (1 if short else 2) << 20, _marks(found[2]))
    if not (found := _SAN.fullmatch(word)):
        return None
    piece, file, row, takes, end_file, end_row, promoted, marks = found.groups()
    kind = PIECE_LETTERS.index((piece or "p").lower())
    end = ord(end_file) - ord("a") + 8 * int(end_row) - 8
    number = end | kind << 6 | (PIECE_LETTERS.index(promoted.lower()) if promoted else 0) << 9
    number |= (ord(file) - ord("a") if file else ANY) << 12 | (int(row) - 1 if row else ANY) << 16
    spelled = (NEEDS_FILE if file else 0) | (NEEDS_ROW if row else 0) | (CAPTURES_PIECE if takes else 0)
    return SanPattern(number, spelled | _marks(marks))


def _marks(text: str) -> int:
    return MATES if text == "#" else CHECKS if text else 0


def is_meant(game: ChessRules, state: ChessState, move: int, pattern: int) -> bool:
    """Whether a move is one of those that a pattern may mean."""
    start, end = move & 63, move >> 6 & 63
    castling, kind = pattern >> 20, game.kind_at(state, start)
    if castling:
        return kind == 5 and game.castling_side(state, start, end) == castling
    if end != pattern & 63 or kind != pattern >> 6 & 7 or move >> 12 != pattern >> 9 & 7:
        return False
    file, row = pattern >> 12 & 15, pattern >> 16 & 15
    return (file == ANY or file == start & 7) and (row == ANY or row == start >> 3)


def spelling(game: ChessRules, state: ChessState, move: int, rivals: int) -> int:
    """How SAN spells a move but for its marks; `rivals` are the squares of pieces of its kind that may go there too."""
    start, end = move & 63, move >> 6 & 63
    kind, steps, spelled = game.kind_at(state, start), end - start, 0
    if kind == 5 and game.castling_side(state, start, end):
        return 0
    captures = BITS[end] & state.theirs != 0 or (kind == 0 and steps % 8 != 0)
    if kind == 0 and captures:
        spelled |= NEEDS_FILE
    if 0 < kind <= QUEEN and rivals != 0:
        if rivals & COLUMNS[start] == 0 or rivals & ROWS[start] != 0:
            spelled |= NEEDS_FILE
        if rivals & COLUMNS[start] != 0:
            spelled |= NEEDS_ROW
    return spelled | (CAPTURES_PIECE if captures else 0)


def follow_words(game: ChessRules, state: ChessState, line: Memory, count: int) -> int:
    """Play the moves of `count` patterns, each `WORDS` ints of `line`. Returns the plies that were read.

    It ends where the game is over, also by a draw that could be claimed, and where a pattern means no move or several.
    A position counts as repeated where its hash comes for the third time: the caller reads such a line otherwise.
    """
    for ply in range(count):
        if game.outcome(state) != ONGOING:
            return ply
        mark, times = hash_of(game.repetition_key(state)), 1
        line[WORDS * ply + 2] = mark
        for back in range(4, (min(state.quiet, ply) if game.quiet else ply) + 1, 2):
            times += 1 if line[WORDS * (ply - back) + 2] == mark else 0
        if times > 2:
            return ply
        pattern, meant, number, rivals = line[WORDS * ply], 0, 0, 0
        for move in game.moves(state):
            if move >> 6 & 63 == pattern & 63 or pattern >> 20 != 0:
                if is_meant(game, state, move, pattern):
                    meant = move
                    number += 1
                if pattern >> 20 == 0 and game.kind_at(state, move & 63) == pattern >> 6 & 7:
                    rivals |= BITS[move & 63]
        if number != 1:
            return ply
        line[WORDS * ply] = meant
        spelled = spelling(game, state, meant, rivals & ~BITS[meant & 63])
        state = game.play(state, meant)
        king, taken = game.king_of(state), state.mine | state.theirs
        checkers = game.attackers(state, king, taken)
        if checkers:
            spelled |= CHECKS if game.can_move(state, king, taken, checkers) else MATES
        line[WORDS * ply + 1] = spelled
    line[WORDS * count] = game.outcome(state)
    line[WORDS * count + 2] = hash_of(game.repetition_key(state))
    return count


@dataclass(frozen=True)
class Followed:
    """A line that was read whole."""

    start: Position
    moves: tuple[int, ...]
    marks: tuple[int, ...]
    """Hash of the repetition key of each position, the first and the last one as well."""
    outcome: int
    """Outcome of the last position: `ONGOING`, or the utility for the first player."""

    @property
    def is_over(self) -> bool:
        """Whether the rules end the game with its last move."""
        return self.outcome != ONGOING

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The moves in the game's own text."""
        return tuple(_move_text(self.start.game, move) for move in self.moves)

    def position_after(self, plies: int) -> Position:
        """The position after some of its moves."""
        return self.start.after_all(self.moves[:plies], self._states[: plies + 1])

    @cached_property
    def _states(self) -> tuple[Any, ...]:
        return tuple(accumulate(self.moves, self.start.game.play, initial=self.start.state))


_lines_read = Counter[AnyGame]()


def follow(start: Position, words: Sequence[str]) -> Followed | None:
    """The moves of a line in SAN; None for a line that must be read word by word: short files, other games and
    notations, a move that is not legal or is spelled otherwise, a draw that could be claimed.
    """
    game = start.game
    if not isinstance(game, ChessRules) or not words:
        return None
    _lines_read[game] += 1
    if _lines_read[game] <= LINES_BEFORE:
        return None
    patterns = [pattern for pattern in map(pattern_of, words) if pattern]
    if len(patterns) < len(words):
        return None
    count, reader = len(words), kernel(follow_words, game)
    line = new_memory(WORDS * (count + 1))
    line[: WORDS * count : WORDS] = array("q", [pattern.number for pattern in patterns])
    reader.prepare(start.state, line, count)
    if reader.why_plain or reader(start.state, line, count) < count:
        return None
    if line[1 : WORDS * count : WORDS].tolist() != [pattern.spelling for pattern in patterns]:
        return None
    moves = tuple(line[: WORDS * count : WORDS].tolist())
    return Followed(start, moves, tuple(line[2::WORDS].tolist()), line[WORDS * count])


@lru_cache(maxsize=1 << 13)
def _move_text(game: AnyGame, move: int) -> str:
    return game.move_text(game.initial(), move)  # from and to, whatever the state
