"""Short names for a script's variables, so that a published page is smaller.

A name is shortened only where each of its uses is seen to be a variable: not a property, nor the short form of one
(`{ name }`), nor a browser's global. Then all its uses get the same new name, so no scopes need to be known: only that
a name in one module of a joined script, a function in brackets, is not the same name in another. This sees brackets and
the neighbours of a token, not the grammar; a test compares the scopes of each page's scripts, as a parser of the whole
language finds them, before and after.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import count

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_WORDS = frozenset(
    "arguments as async await break case catch class const continue default delete do else extends false finally for "  # noqa: SIM905
    "from function get if in instanceof let new null of return set static super switch this throw true try typeof "
    "undefined void while yield".split()
)
"""Names that are no variable's, or not to be renamed."""
_LETTERS = "etnsraiocldmupfhgbvywkxqzjTESACRINOLPDMBUGHFWVKXYQZJ"
"""Common ones first: in a compressed page they cost the fewest bits."""
_TESTS = ("if", "for", "while", "switch")
_TOP = -1
"""The room of what stands outside of functions in brackets."""


class _Rooms:
    """Uses of names, by the outermost function in brackets, `(() => …)()`, that they stand in."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = ["", "", "", *words, "", "", ""]
        self._closing: dict[int, int] = {}
        """Place of the closing bracket of each opening one."""
        self.places: dict[int, tuple[str, int]] = {}
        """Name and room of each use of a variable."""
        self.declared: dict[int, set[str]] = defaultdict(set)
        self.unclear: dict[int, set[str]] = defaultdict(set)
        """Names with a use that may be a property."""
        for is_first in (True, False):  # first only for the brackets
            self._open: list[int] = []
            for at, word in enumerate(self._words):
                if word in (")", "]", "}") or (word[:1] == "}" and word[-1:] in "`{"):
                    self._closing[self._open.pop()] = at
                if word in ("(", "[", "{") or word.endswith("${"):
                    self._open.append(at)
                elif not is_first and _NAME.fullmatch(word) and word not in _WORDS:
                    self._use(at, word)

    def _use(self, at: int, word: str) -> None:
        first = self._open[0] if self._open else 0
        room = first if self._words[first : first + 2] == ["(", "("] else _TOP
        is_variable = self._is_variable(at)
        if is_variable:
            self.places[at - 3] = word, room
            if self._is_declared(at):
                self.declared[room].add(word)
        elif is_variable is None:
            self.unclear[room].add(word)

    def _is_variable(self, at: int) -> bool | None:
        """Whether a name is a variable's, not a property's; None where that is not clear."""
        words, kind = self._words, self._kind(self._open[-1]) if self._open else ""
        before, after = words[at - 1], words[at + 1]
        if before == ".":
            return words[at - 2] == "."
        if kind in ("object", "class") and after == "(" and words[self._closing[at + 1] + 1] == "{":
            return before == "function"
        if kind == "object" and before in ("{", ","):
            return False if after == ":" else None
        return None if kind == "class" and after in ("=", ";") else True

    def _kind(self, opening: int) -> str:
        """Kind of a bracket: `object`, `class` or `block` for a brace, else the bracket itself."""
        words = self._words
        if words[opening] != "{":
            return words[opening]
        if "class" in (words[opening - 1], words[opening - 2]) or words[opening - 2] == "extends":
            return "class"
        is_arrow = words[opening - 2 : opening] == ["=", ">"]
        is_value = words[opening - 1] in "(,=:[?&|" or words[opening - 1] in ("const", "let", "return", "yield", "of")
        return "object" if is_value and not is_arrow else "block"

    def _is_declared(self, at: int) -> bool:
        words = self._words
        if words[at - 1] in ("const", "let", "class", "function") or words[at - 2 : at] == ["function", "*"]:
            return True
        if words[at + 1 : at + 3] == ["=", ">"]:
            return True
        for opening in reversed(self._open if words[at - 1] in "([{,.:" else ()):
            if words[opening - 1] in ("const", "let"):
                return True
            if words[opening] == "(":
                closing = self._closing[opening]
                is_body = words[closing + 1] == "{" and words[opening - 1] not in _TESTS
                return is_body or words[closing + 1 : closing + 3] == ["=", ">"]
            if self._kind(opening) not in ("[", "object"):
                return False
        return False


def shortened(words: Sequence[str]) -> list[str]:
    """The tokens of a script, without blanks, with short names."""
    rooms = _Rooms(words)
    uses: dict[int, Counter[str]] = defaultdict(Counter)
    for name, room in rooms.places.values():
        uses[room][name] += 1
    unclear = set().union(*rooms.unclear.values())
    top = rooms.declared[_TOP] - unclear
    local = {room: rooms.declared[room] - rooms.unclear[room] - set(uses.get(_TOP, ())) for room in uses}
    kept = set(_WORDS) | unclear
    for room, used in uses.items():
        kept |= used.keys() - top - local[room]
    free = (name for number in count() if (name := letters(number)) not in kept)
    most = max((len(names) for names in local.values()), default=0)
    short = [next(free) for _ in range(most)]
    new = {(_TOP, name): next(free) for name in sorted(top)}
    for room, names in local.items():
        often = sorted(names, key=lambda name: (-uses[room][name], name))
        new |= {(room, name): letter for name, letter in zip(often, short, strict=False)}
    found = list(words)
    for at, (name, room) in rooms.places.items():
        found[at] = new.get((_TOP, name)) or new.get((room, name), name)
    return found


def letters(number: int) -> str:
    """Make a short name from a number."""
    more, last = divmod(number, len(_LETTERS))
    return (letters(more - 1) if more else "") + _LETTERS[last]
