"""Records of games in PGN, and in PDN, which is PGN for draughts: read, and written.

A record has tags, numbered moves, comments and variations, as in Steven J. Edwards, "Portable Game Notation
Specification and Implementation Guide" (1994), sections 7 and 8. The moves are of any game: it alone reads the words.
"""

import re
from collections.abc import Mapping, Sequence
from textwrap import fill

from plyground.errors import BadInput
from plyground.in_pages import in_pages
from plyground.play.record import ROOT, Record, RecordedMove
from plyground.text import plain, plain_name

RESULT_WORDS = ("1-0", "0-1", "1/2-1/2", "½-½", "*")
"""Result words, the last word of a record."""
RESULTS_OF_PDN = (*RESULT_WORDS, "2-0", "1-1", "0-2")
"""Result words of draughts, which also count two points for a win."""
RESULT_UTILITIES = {"1-0": 1, "2-0": 1, "0-1": -1, "0-2": -1, "1/2-1/2": 0, "½-½": 0, "1-1": 0}
"""Utility by result word: 1 for the player named first, -1 for the other one, 0 for a draw."""
ANNOTATION_GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Numeric annotation glyphs (NAGs) that are written behind a move."""
CLOCK = re.compile(r"\[%clk\s+(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)\s*\]")
"""Time left on the mover's clock, in a comment."""
LINE_LENGTH = 79
"""Characters of a line, at most."""
# Possessive and bounded repetitions keep the time linear in the text. A quotation mark within a tag's value ends it
# only before `]`, as some programs do not escape theirs.
_PGN_TOKEN = re.compile(
    r"""(?P<tag>\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\\n]|\\.|"(?!\s*\])){0,999})"\s*\])
    | (?P<skipped>^[ \t]*\[[^\]\n]*+\][ \t]*$ | ^%[^\n]* | \be\.p\.)
    | \{(?P<comment>[^}]*)\}?
    | ;(?P<line>[^\n]*)
    | (?P<begun>\() | (?P<ended>\))
    | \$(?P<glyph>\d{1,3})
    | (?P<number>\d+\.+ | \.+)
    | (?P<word>[^\s(){};$]+)""",
    re.VERBOSE | re.MULTILINE,
)


def records(text: str, results: tuple[str, ...] = RESULT_WORDS) -> list[Record]:
    """The games of a text, one after the other.

    Args:
        text: tags and moves, or moves alone.
        results: the words that end a game.

    Raises:
        BadInput: a variation begins and does not end, or ends and did not begin.
    """
    found, here, result = list[Record](), _PGNReader(), ""
    for token in _PGN_TOKEN.finditer(text):
        kind, said = str(token.lastgroup), token[0]
        if kind in ("comment", "line", "skipped"):
            here.comment("" if kind == "skipped" else token[kind])
            continue
        if result and (kind == "tag" or (kind == "number" and said.rstrip(".") == "1")):
            found.append(here.close(result))
            here, result = _PGNReader(), ""
        elif result:  # a word that is also a move
            here.move(result)
            result = ""
        if kind == "tag":
            if here.record.moves:
                found.append(here.close(""))
                here = _PGNReader()
            here.record.tags[token["name"]] = plain(re.sub(r'\\(["\\])', r"\1", token["value"]))
        elif kind == "number":
            here.record.is_numbered = True
        elif kind == "begun":
            here.begin()
        elif kind == "ended":
            here.end()
        elif kind == "glyph":
            here.glyph(int(token["glyph"]))
        elif said in results:
            # Within a variation a result word ends nothing.
            result = "" if here.above else said
        else:
            here.move(said)
    return [*found, here.close(result)]


class _PGNReader:
    """Reader of one record: the row that the next move follows, and the lines that enclose the present variation."""

    def __init__(self) -> None:
        self.record = Record()
        self.base = self.last = ROOT
        """The rows that this line begins after, and has come to."""
        self.before = ""
        self.above: list[tuple[int, int]] = []

    def move(self, word: str) -> None:
        bare = word.rstrip("!?")
        if bare:
            self.record.moves.append(RecordedMove(bare, self.last, before=self.before))
            self.last, self.before = len(self.record.moves) - 1, ""
        if glyph := ANNOTATION_GLYPHS.get(word[len(bare) :]):
            self.glyph(glyph)

    def glyph(self, number: int) -> None:
        if self.last != self.base:
            self.record.moves[self.last].glyphs.append(number)

    def comment(self, words: str) -> None:
        moves, made = self.record.moves, self.last != self.base
        if made and (found := CLOCK.search(words)):
            hours, minutes, seconds = found.groups()
            moves[self.last].clock = round(3_600 * int(hours) + 60 * int(minutes) + float(seconds), 3)
            words = words[: found.start()] + words[found.end() :]
        if words := plain_name(words):
            if made:
                moves[self.last].comment = _join_words(moves[self.last].comment, words)
            elif self.above:
                self.before = _join_words(self.before, words)
            else:
                self.record.comment = _join_words(self.record.comment, words)

    def begin(self) -> None:
        self.above.append((self.base, self.last))
        # A variation replaces the last move, so it follows the move before that one.
        if self.last != self.base:
            self.base = self.last = self.record.moves[self.last].after
        self.before = ""

    def end(self) -> None:
        if not self.above:
            many = len(self.record.main_line())
            raise BadInput(f"After move {many}: a variation ends with ) that did not begin with (.")
        words, self.before = self.before, ""
        self.base, self.last = self.above.pop()
        self.comment(words)

    def close(self, result: str) -> Record:
        """The record, at its end."""
        if self.above:
            many = len(self.record.line_to(self.above[0][1]))
            raise BadInput(f"Move {many}: a variation begins with ( and does not end with ).")
        self.record.result = result or self.record.tags.get("Result", "")
        return self.record


def _join_words(*parts: str) -> str:
    return " ".join(filter(None, parts))


# -- writing -----------------------------------------------------------------------------------------------------------


@in_pages
def numbered_moves(words: Sequence[str], first: int = 0) -> list[str]:
    """Words of moves in pairs, each with its number: `1. e4`, `e5`, `2. Nf3`.

    Args:
        words: the moves.
        first: plies that the numbers count before the first word; odd, where the second player begins: `1... e5`.
    """
    return [
        word
        if ply > 0 and (first + ply) & 1
        else f"{(first + ply) // 2 + 1}{'...' if (first + ply) & 1 else '.'} {word}"
        for ply, word in enumerate(words)
    ]


def write_pgn(record: Record, tags: Mapping[str, str], first: int = 0) -> str:
    """A record as a text of PGN; a comment's `}`, which PGN cannot have, is written `)`.

    Args:
        record: a checked one.
        tags: its tags, in their order.
        first: plies that the numbers count before the first move, as of `numbered_moves`.
    """
    escaped = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags.items()}
    head = "".join(f'[{name} "{value}"]\n' for name, value in escaped.items())
    words = [f"{{{_comment(record.comment)}}}"] if record.comment else []
    words += _move_words(record, first)
    words.append(tags.get("Result") or record.result or "*")
    return f"{head}\n{fill(' '.join(words), LINE_LENGTH, break_long_words=False, break_on_hyphens=False)}\n"


def _move_words(record: Record, ply: int) -> list[str]:
    """Moves with their numbers, glyphs, comments and variations, as a record has them from `ply` on."""
    words, children = list[str](), record.children()
    # A stack of our own: variations may be nested deeper than Python's recursion goes.
    left: list[tuple[int, int, bool, bool]] = [(ROOT, ply, True, False)]
    """Stack of the rows to write, the next at the end: a row to go on after, or one that begins a variation."""
    while left:
        row, ply, is_begun, is_variation = left.pop()
        if row < ROOT:
            words[-1] += ")"
            continue
        rows = [row] if is_variation else children.get(row, [])
        if not rows:
            continue
        move = record.moves[rows[0]]
        said = [f"{{{_comment(move.before)}}}"] if move.before else []
        # The standard wants Black's number only after a comment, after a variation, and at a beginning (8.2.2.2).
        if ply % 2 == 0 or is_begun:
            said.append(f"{ply // 2 + 1}{'...' if ply % 2 else '.'}")
        said += [move.notation or move.word, *(f"${glyph}" for glyph in move.glyphs)]
        clock = "" if move.clock is None else f"[%clk {clock_text(move.clock)}]"
        if comment := _join_words(clock, _comment(move.comment)):
            said.append(f"{{{comment}}}")
        if is_variation:
            said[0] = f"({said[0]}"
            left.append((ROOT - 1, 0, False, False))
        words += said
        left.append((rows[0], ply + 1, bool(comment or rows[1:]), False))
        left += [(other, ply, True, True) for other in reversed(rows[1:])]
    return words


def _comment(words: str) -> str:
    return plain_name(words).replace("}", ")")


def clock_text(seconds: float) -> str:
    """Seconds as `[%clk]` and `[%emt]` have them.

    >>> clock_text(3_661.5)
    '1:01:01.5'
    """
    minutes, rest = divmod(round(seconds, 3), 60)
    hours, minutes = divmod(int(minutes), 60)
    whole = f"{rest:06.3f}".rstrip("0").rstrip(".")
    return f"{hours}:{minutes:02}:{whole:0>2}"
