"""Records of games in PGN, and in PDN, which is PGN for draughts: read, and written.

A record has tags, numbered moves, comments and variations, as in Steven J. Edwards, "Portable Game Notation
Specification and Implementation Guide" (1994), sections 7 and 8. The moves are of any game: it alone reads the words.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from textwrap import fill

from plyground.errors import BadInput

RESULTS = ("1-0", "0-1", "1/2-1/2", "½-½", "*")
"""Result words, the last word of a record."""
GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Numeric annotation glyphs (NAGs) that are written behind a move."""
LINE_LENGTH = 79
"""Characters of a line, at most."""
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


@dataclass
class RecordedMove:
    """A move of a record, with what is written about it."""

    word: str
    glyphs: list[int] = field(default_factory=list)
    """Numeric annotation glyphs (NAGs)."""
    comments: list[str] = field(default_factory=list)
    variations: list[list["RecordedMove"]] = field(default_factory=list)
    """Moves that could have been played instead of this one, and on."""
    mover: int | None = None
    """The player who makes it, where the record says so: 0 or 1."""


@dataclass
class Record:
    """A game as a file has it; its moves may not be legal."""

    tags: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    """Comments before the first move."""
    moves: list[RecordedMove] = field(default_factory=list)
    """The main line."""
    result: str = ""
    is_numbered: bool = False
    """Whether moves have their numbers in it."""


def records(text: str, results: tuple[str, ...] = RESULTS) -> list[Record]:
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
            found.append(here.closed(result))
            here, result = _PGNReader(), ""
        elif result:  # a word that is also a move
            here.move(result)
            result = ""
        if kind == "tag":
            if here.record.moves:
                found.append(here.closed(""))
                here = _PGNReader()
            here.record.tags[token["name"]] = re.sub(r'\\(["\\])', r"\1", token["value"])
        elif kind == "number":
            here.record.is_numbered = True
        elif kind == "begun":
            here.begin()
        elif kind == "ended":
            here.end()
        elif kind == "glyph":
            here.glyph(int(token["glyph"]))
        elif said in results:
            result = "" if here.above else said
        else:
            here.move(said)
    return [*found, here.closed(result)]


class _PGNReader:
    """A record that is being read: the line to which the next move belongs, and those that it is a variation of."""

    def __init__(self) -> None:
        self.record = Record()
        self.line = self.record.moves
        self.above: list[list[RecordedMove]] = []

    def move(self, word: str) -> None:
        bare = word.rstrip("!?")
        if bare:
            self.line.append(RecordedMove(bare))
        if glyph := GLYPHS.get(word[len(bare) :]):
            self.glyph(glyph)

    def glyph(self, number: int) -> None:
        if self.line:
            self.line[-1].glyphs.append(number)

    def comment(self, words: str) -> None:
        if words := " ".join(words.split()):
            (self.line[-1] if self.line else self.record).comments.append(words)

    def begin(self) -> None:
        variation = list[RecordedMove]()
        if self.line:
            self.line[-1].variations.append(variation)
        self.above.append(self.line)
        self.line = variation

    def end(self) -> None:
        if not self.above:
            raise BadInput(f"After move {len(self.line)}: a variation ends with ) that did not begin with (.")
        self.line = self.above.pop()

    def closed(self, result: str) -> Record:
        """The record, at its end."""
        if self.above:
            raise BadInput(f"Move {len(self.above[0])}: a variation begins with ( and does not end with ).")
        self.record.result = result or self.record.tags.get("Result", "")
        return self.record


# -- writing -----------------------------------------------------------------------------------------------------------


def numbered(words: Iterable[str], first: int = 0) -> list[str]:
    """Words of moves in pairs, each with its number: `1. e4`, `e5`, `2. Nf3`.

    Args:
        words: the moves.
        first: 1 where the second player of a pair begins: `1... e5`.
    """
    pairs = [(*divmod(place, 2), word) for place, word in enumerate(words, first)]
    return [
        f"{pair + 1}{'...' if second else '.'} {word}" if not second or (pair == 0 and first) else word
        for pair, second, word in pairs
    ]


def written(tags: Mapping[str, str], words: Iterable[str], result: str, first: int = 0) -> str:
    """A record of one game.

    Args:
        tags: its tags, in their order.
        words, first: the moves, as `numbered` has them.
        result: `1-0`, `0-1`, `1/2-1/2`, or `*` where it goes on.
    """
    escaped = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags.items()}
    head = "".join(f'[{name} "{value}"]\n' for name, value in escaped.items())
    moves = " ".join([*numbered(words, first), result])
    return f"{head}\n{fill(moves, LINE_LENGTH, break_long_words=False, break_on_hyphens=False)}\n"
