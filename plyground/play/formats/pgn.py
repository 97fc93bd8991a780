"""Records of games in PGN, and in PDN, which is PGN for draughts: read, and written.

A record has tags, numbered moves, comments and variations, as in Steven J. Edwards, "Portable Game Notation
Specification and Implementation Guide" (1994), sections 7 and 8. The moves are of any game: it alone reads the words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from textwrap import fill

from plyground.in_pages import in_pages
from plyground.play.record import ROOT, Record, RecordedMove
from plyground.text import plain, plain_name, visible

RESULT_WORDS = ("1-0", "0-1", "1/2-1/2", "½-½", "1/2", "½", "*")
"""Result words, the last word of a record."""
RESULTS_OF_PDN = (*RESULT_WORDS, "2-0", "1-1", "0-2")
"""Result words of draughts, which also count two points for a win."""
RESULT_UTILITIES = {"1-0": 1, "2-0": 1, "0-1": -1, "0-2": -1, "1/2-1/2": 0, "½-½": 0, "1/2": 0, "½": 0, "1-1": 0}
"""Results that say who has won: 1 for the player named first, -1 for the other one, 0 for a draw."""
ANNOTATION_GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Numeric annotation glyphs (NAGs) that are written behind a move."""
EVALUATION_GLYPHS = {
    "*": 7, "□": 7, "=": 10, "∞": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15, "±": 16, "+/-": 16,
    "∓": 17, "-/+": 17, "+-": 18, "-+": 19, "N": 146,
}  # fmt: skip
"""Glyphs of signs that other programs and books write: of a forced move, of who stands better, of a new move."""
CLOCK = re.compile(r"\[%clk\s+(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)\s*\]")
"""Time left on the mover's clock, in a comment."""
LINE_LENGTH = 79
"""Characters of a line, at most."""
LOOKALIKES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | {"×": "x", "†": "+"}
    | dict(zip("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", strict=True))
    | dict.fromkeys("♙♟\ufe0e\ufe0f", "")
)
"""Signs of print, dashes and figurines, and what PGN has for them."""
_PGN_TOKEN = re.compile(
    r"""(?P<tag>\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\\n]|\\.|"(?!\s*\])){0,999})"\s*\])
    | (?P<skipped>^[ \t]*\[[^\]\n]*+\][ \t]*$ | ^%[^\n]* | (?<!\S)e\.?p\.?(?!\S))
    | \{(?P<nested>(?:[^{}]++|\{[^{}]*+\}){1,40}+)\}
    | \{(?P<comment>[^}]*)(?P<closed>\}?)
    | ;(?P<line>[^\n]*)
    | \((?P<mark>[!?]{1,2}|\*)\)
    | (?P<begun>\() | (?P<ended>\))
    | \$(?P<glyph>\d{1,3})
    | (?P<number>\d+(?:\.+|…) | \.+ | …)
    | (?P<spaced>\d{1,2}(?:[ \t]+[-–x×:][ \t]*|[-–x×:][ \t]+)\d{1,2}(?:[ \t]*[-–x×:][ \t]*\d{1,2}){0,12}(?![\w./-]))
    | (?P<word>(?:(?!\[\w+\s+")[^\s(){};$])+)""",
    re.VERBOSE | re.MULTILINE,
)
"""Tokens of PGN. Braces in a comment that has as many of either kind are part of it, as pgn-extract's option has it."""
_SIGNED = re.compile(r"(.+?)([!?]{1,2}|[□∞⩲⩱±∓*]|\+/[-=]|[-=]/\+|\+-|-\+)")
_GLUED = re.compile(
    r"((?:[KQRBN]?[a-h]?[1-8]?[x:]?[a-h][1-8](?:=?[QRBN])?|O-O(?:-O)?|\d{1,2}(?:[-x:]\d{1,2})+)[+#]*[!?]{0,2})"
    r"(1-0|0-1|1/2-1/2|½-½|\*)"
)
"""A move and the result without a blank between them."""
_SAN_WORD = r"(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?)[+#]?(?=\s|\Z)"
_SAN_RUN = re.compile(rf"(?:\s*(?:(?!1\.)[0-9]{{1,3}}\.(?:\.\.)?\s*)?{_SAN_WORD})+")
"""Moves in plain SAN and their numbers, but for the first, with which a game may begin: most of what files hold."""
_SAN_WORDS = re.compile(rf"(?<![^\s.]){_SAN_WORD}")
_PASSING = re.compile(r"(?<=[a-h][36])/?(?:ep|e\.p\.)")
_TAGS_FOLLOW = re.compile(r'(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)\s*(?=\[[ \t]*\w+[ \t]+")')
_ONLY_TAGS = re.compile(r"(?:\[[^\n]*\]\s*)*+")
FIRST_TAG = re.compile(r'^\s*\[\s*\w+\s+"', re.MULTILINE)
FIRST_TAGS = ("Event", "Game")
"""Tags with which a record begins."""


def sections(chunks: Iterable[str]) -> Iterator[str]:
    """Parts of a text that each hold whole games: a part ends where a blank line is followed by tags.

    So a bracket that is not closed, and bytes in another encoding, reach no farther than their own game.
    """
    rest, waiting = "", ""
    for chunk in chain(chunks, [None]):
        parts = _TAGS_FOLLOW.split(rest + (chunk or ""))
        rest = "" if chunk is None else parts.pop()
        for part in parts:
            if waiting and _ONLY_TAGS.fullmatch(waiting.strip()) and not part.lstrip(" \t[").startswith(FIRST_TAGS):
                waiting += f"\n\n{part}"
                continue
            if waiting:
                yield waiting
            waiting = part
    if waiting:
        yield waiting


def records(text: str, results: tuple[str, ...] = RESULT_WORDS) -> Iterator[Record]:
    """The games of a text, one after the other, each with its faults.

    Args:
        text: tags and moves, or moves alone.
        results: the words that end a game.
    """
    here, result, at = _PGNReader(), "", 0
    while True:
        if not result and (run := _SAN_RUN.match(text, at)):
            here.plain_moves(_SAN_WORDS.findall(run[0]), is_numbered="." in run[0])
            at = run.end()
            continue
        if not (token := _PGN_TOKEN.search(text, at)):
            break
        at = token.end()
        kind, said = str(token.lastgroup), token[0]
        if kind in ("nested", "comment", "closed", "line"):
            here.comment(token[kind] if kind != "closed" else token["comment"])
            if kind == "closed" and not token["closed"]:
                here.fault("a comment begins with { and does not end with }")
            continue
        if kind == "skipped":
            continue
        if kind in ("spaced", "word"):
            said = said.translate(LOOKALIKES)
            said = "".join(said.split())
        begins = kind == "number" and said.rstrip(".…") == "1"
        if result and (kind == "tag" or begins):
            yield here.close(result)
            here, result = _PGNReader(), ""
        elif result:  # a word that is also a move
            here.move(result)
            result = ""
        if kind == "tag":
            is_first = token["name"] in FIRST_TAGS and token["name"] in here.record.tags
            if here.record.moves or is_first:
                yield here.close("")
                here = _PGNReader()
            here.record.tags[token["name"]] = plain(re.sub(r'\\(["\\])', r"\1", token["value"]))
        elif kind == "number":
            if said == "1." and here.record.is_numbered and here.record.moves and not here.above:
                yield here.close("")  # a game without a result before it
                here = _PGNReader()
            here.record.is_numbered = True
        elif kind == "begun":
            here.begin_variation()
        elif kind == "ended":
            here.end()
        elif kind == "glyph":
            here.glyph(int(token["glyph"]))
        elif kind == "mark":
            here.glyph(ANNOTATION_GLYPHS.get(token["mark"]) or EVALUATION_GLYPHS[token["mark"]])
        elif said in results:
            here.last_result = said
            result = "" if here.above else said
        elif said in EVALUATION_GLYPHS and here.last != here.base:
            here.glyph(EVALUATION_GLYPHS[said])
        elif glued := _GLUED.fullmatch(said):
            here.move(glued[1])
            if glued[2] == "*":
                here.glyph(EVALUATION_GLYPHS["*"])
            else:
                result = "" if here.above else glued[2]
        else:
            here.move(said)
    yield here.close(result)


class _PGNReader:
    """Reader of one record: the row that the next move follows, and the lines that enclose the present variation."""

    def __init__(self) -> None:
        self.record = Record()
        self.base = self.last = ROOT
        """The rows that this line begins after, and has come to."""
        self.before = self.last_result = ""
        self.above: list[tuple[int, int]] = []

    def move(self, word: str) -> None:
        signs = list[str]()
        while found := _SIGNED.fullmatch(word):
            word = found[1]
            signs.insert(0, found[2])
        word = _PASSING.sub("", visible(word))
        if word.strip("!?"):
            self.record.moves.append(RecordedMove(word, self.last, before=self.before))
            self.last, self.before, self.last_result = len(self.record.moves) - 1, "", ""
        else:
            signs.insert(0, word)
        for sign in signs:
            if glyph := ANNOTATION_GLYPHS.get(sign) or EVALUATION_GLYPHS.get(sign):
                self.glyph(glyph)

    def plain_moves(self, words: list[str], *, is_numbered: bool) -> None:
        """Moves one after another, as `move` takes them one by one."""
        moves = self.record.moves
        for word in words:
            moves.append(RecordedMove(word, self.last, "", self.before))
            self.last, self.before = len(moves) - 1, ""
        self.last_result = ""
        self.record.is_numbered |= is_numbered

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

    def begin_variation(self) -> None:
        self.above.append((self.base, self.last))
        # A variation replaces the last move, so it follows the move before that one.
        if self.last != self.base:
            self.base = self.last = self.record.moves[self.last].after
        self.before = ""

    def end(self) -> None:
        if not self.above:
            many = len(self.record.main_line())
            self.record.faults.append(f"After move {many}: a variation ends with ) that did not begin with (.")
            return
        words, self.before = self.before, ""
        self.base, self.last = self.above.pop()
        self.comment(words)

    def fault(self, words: str) -> None:
        self.record.faults.append(f"After move {len(self.record.line_to(self.last))}: {words}.")

    def close(self, result: str) -> Record:
        """The record, at its end."""
        if self.above:
            many = len(self.record.line_to(self.above[0][1]))
            self.record.faults.append(f"Move {many}: a variation begins with ( and does not end with ).")
            result = result or self.last_result  # what stands last is the game's
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
