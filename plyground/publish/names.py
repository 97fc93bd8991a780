"""Short names for a script's variables, so that a published page is smaller.

Each variable is renamed in its scope: a function, a block, a loop, or the whole script. Each scope takes the first
letters that nothing it uses from outside has, in the order in which its names come, so that functions of one shape read
alike: that is what compresses well. The script's own names begin at the capitals; those of a module of a joined script
are such, because its function is left out. The short form of a property, `{ name }`, gets its long form, `{ name: n }`.
This sees brackets and the neighbours of a token, not the grammar; a test compares the scopes of each page's scripts, as
a parser of the whole language finds them, before and after.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

_OUTSIDE = re.compile(r"=\w*\$\w*\$?;")
"""What a name at the top of a joined script is given to another one by."""
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_WORDS = frozenset(
    "arguments as async await break case catch class const continue default delete do else extends false finally for "  # noqa: SIM905
    "from function get if in instanceof let new null of return set static super switch this throw true try typeof "
    "undefined void while yield".split()
)
"""Names that are no variable's, or not to be renamed."""
_LETTERS = "etnsraiocldmupfhgbvywkxqzjTESACRINOLPDMBUGHFWVKXYQZJ"
"""Common ones first: in a compressed page they cost the fewest bits."""
_CAPITALS = 26
"""Number of the first capital among the letters."""
_TESTS = ("if", "for", "while", "switch")
_PATTERN = ("(", "[", "{", ",", ":", ".", "const", "let")
"""Tokens before a bracket that may be the pattern of a declaration: what stands after `=` is a value."""

Scope = tuple[int, int]
"""First and last token of a scope."""


class JoinedModule(NamedTuple):
    """A module of a joined script (`web/server/bundle.py`): a function that is called once."""

    scope: Scope
    names: dict[str, str]
    """Names at the top of the script of variables of its own: of what it gives, and of what it takes."""
    around: list[int]
    """Places of the tokens that it does not need where its statements are the script's: `const [a] = (() => {`,
    `const b = b$other;`, `return [a]; })();`."""


def modules_of(words: Sequence[str], closing: Mapping[int, int]) -> Iterator[JoinedModule]:
    """The modules of a script.

    Args:
        words: tokens of the script, without blanks.
        closing: place of the closing bracket of each opening one.
    """
    opening, at = {end: begin for begin, end in closing.items()}, 0
    while at < len(words):
        if words[at : at + 6] == ["(", "(", ")", "=", ">", "{"] and (end := closing[at + 5]) < len(words) - 4:
            given = opening.get(end - 2, 0)
            if words[end + 1 : end + 5] == [")", "(", ")", ";"] and words[given - 1 : given + 1] == ["return", "["]:
                first = opening[at - 2] - 1 if words[at - 2 : at] == ["]", "="] else at
                names = dict(zip(words[given + 1 : end - 2 : 2], words[first + 2 : at - 2 : 2], strict=True))
                around = [*range(first, at + 6), *range(given - 1, end + 5)]
                inside = at + 6
                while inside < given:
                    if words[inside] == "const" and _OUTSIDE.fullmatch("".join(words[inside + 2 : inside + 5])):
                        names[words[inside + 1]] = words[inside + 3]
                        around += range(inside, inside + 5)
                    inside = closing.get(inside, inside) + 1
                yield JoinedModule((at + 4, end + 3), names, around)
        at = closing.get(at, at) + 1


class _Variables:
    """Uses of variables, and the scopes that declare them."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = ["", "", "", *words, "", "", ""]
        self._closing: dict[int, int] = {}
        """Place of the closing bracket of each opening one."""
        self._opening: dict[int, int] = {}
        """Place of the opening bracket of each closing one."""
        self._open: list[int] = []
        self.uses: dict[str, list[int]] = defaultdict(list)
        """Places of the uses of each name."""
        self.brief: set[int] = set()
        """Places where a name is a property and a variable: `{ name }`."""
        self.declared: dict[Scope, dict[str, None]] = defaultdict(dict)
        """Names that each scope declares, in their order."""
        for is_first in (True, False):  # first only for the brackets
            for at, word in enumerate(self._words):
                if word in (")", "]", "}") or (word[:1] == "}" and word[-1:] in "`{"):
                    opening = self._open.pop()
                    self._closing[opening], self._opening[at] = at, opening
                if word in ("(", "[", "{") or word.endswith("${"):
                    self._open.append(at)
                elif not is_first and _NAME.fullmatch(word) and word not in _WORDS and self._is_variable(at):
                    self.uses[word].append(at)
                    if scope := self._declaring(at):
                        self.declared[scope].setdefault(word)

    def _is_variable(self, at: int) -> bool:
        """Whether a name is a variable's, not only a property's."""
        words, kind = self._words, self._kind(self._open[-1]) if self._open else ""
        before, after = words[at - 1], words[at + 1]
        if before == ".":
            return words[at - 2] == "."
        if kind in ("object", "class") and after == "(" and words[self._closing[at + 1] + 1] == "{":
            return before == "function"
        if kind == "object" and before in ("{", ","):
            if after in (",", "}", "="):
                self.brief.add(at)
            return after != ":"
        return kind != "class" or after not in ("=", ";") or before not in ("{", "}", ";", "static")

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

    def _declaring(self, at: int) -> Scope | None:
        """The scope in which a use of a name declares it; None where it declares nothing."""
        words = self._words
        if words[at - 1] in ("class", "function") or words[at - 2 : at] == ["function", "*"]:
            return self._block()
        if words[at - 1] in ("const", "let"):
            return self._block()
        if words[at + 1 : at + 3] == ["=", ">"]:
            return at, self._end(at + 3)
        for opening in reversed(self._open if words[at - 1] in "([{,.:" else ()):
            if words[opening - 1] in ("const", "let"):
                return self._block()
            if words[opening] == "(":
                closing = self._closing[opening]
                if words[closing + 1 : closing + 3] == ["=", ">"]:
                    return opening, self._end(closing + 3)
                if words[closing + 1] == "{" and words[opening - 1] not in _TESTS:
                    return opening, self._closing[closing + 1]
                return None
            is_pattern = self._kind(opening) in ("[", "object") and words[opening - 1] in _PATTERN
            if not is_pattern or (words[opening] == "[" and words[self._closing[opening] + 1] == ":"):
                return None  # a value, or the name of a property that is computed
        return None

    def _block(self) -> Scope:
        """The block, or the loop with its head, in which something is declared."""
        for opening in reversed(self._open):
            if self._words[opening] == "(" and self._words[opening - 1] == "for":
                return opening, self._end(self._closing[opening] + 1)
            if self._kind(opening) == "block":
                return self._function(opening), self._closing[opening]
        return 0, len(self._words) - 1

    def _function(self, opening: int) -> int:
        """First token of a function's parameters by that of its body, of another block its own: both are one scope."""
        words = self._words
        before = opening - 3 if words[opening - 2 : opening] == ["=", ">"] else opening - 1
        if words[before] == ")":
            parameters = self._opening[before]
            return opening if words[parameters - 1] in _TESTS else parameters
        return before if before < opening - 1 else opening

    def _end(self, at: int) -> int:
        """The last token of the expression, the block or the statement that begins somewhere."""
        if self._words[at] == "{" and self._kind(at) == "block":
            return self._closing[at]
        while self._words[at] not in (",", ";", ")", "]", "}", "") and self._words[at][0] != "}":
            at = self._closing.get(at, at)
            while self._words[at].endswith("${"):  # a template that goes on
                at = self._closing[at]
            at += 1
        return at


def shortened(words: Sequence[str], modules: Sequence[JoinedModule] = ()) -> list[str]:
    """The tokens of a script, without blanks, with short names.

    Args:
        words: the tokens.
        modules: those whose statements become the script's: a variable that has two names gets one.
    """
    found = _Variables(words)
    whole = 0, len(words) + 5
    inside = {each.scope: each.names for each in modules}
    scopes = sorted(found.declared, key=lambda scope: (scope[0], -scope[1]))
    owners: dict[tuple[Scope, str], list[int]] = defaultdict(list)
    """Uses of each variable, by its scope and name."""
    kept: dict[str, list[int]] = {}
    """Uses of the names that are not renamed."""
    for name, places in found.uses.items():
        declaring = [scope for scope in scopes if name in found.declared[scope]]
        for at in places:
            around = [scope for scope in declaring if scope[0] <= at <= scope[1]]
            if around:
                scope = around[-1]
                outside = inside.get(scope, {}).get(name)
                owners[(scope, name) if outside is None else (whole, outside)].append(at)
            else:
                kept.setdefault(name, []).append(at)
    taken: dict[str, list[int]] = defaultdict(list, {name: sorted(places) for name, places in kept.items()})
    """Places where each new name is used."""
    new: dict[int, str] = {}
    own = (each for each in map(letters, count(_CAPITALS)) if each not in _WORDS)
    for scope in sorted(scopes, key=lambda each: each not in inside):  # the names of modules first
        is_own = scope in inside or scope == whole
        for name in found.declared[scope]:
            outside = inside.get(scope, {}).get(name)
            places = sorted(owners.pop((scope, name) if outside is None else (whole, outside), ()))
            if not places:  # it has got its name as another module's
                continue
            if is_own:
                short = next(each for each in own if each not in taken)
            else:
                free = (each for each in map(letters, count()) if each not in _WORDS)
                short = next(each for each in free if _is_free(taken[each], scope))
            taken[short] = sorted([*taken[short], *places])
            new |= dict.fromkeys(places, short)
    result = list(words)
    for at, short in new.items():
        name = result[at - 3]
        result[at - 3] = f"{name}:{short}" if at in found.brief and short != name else short
    return result


def _is_free(places: list[int], scope: Scope) -> bool:
    """Whether a name is used nowhere in a scope."""
    at = bisect_left(places, scope[0])
    return at == len(places) or places[at] > scope[1]


def letters(number: int) -> str:
    """Make a short name from a number."""
    more, last = divmod(number, len(_LETTERS))
    return (letters(more - 1) if more else "") + _LETTERS[last]
