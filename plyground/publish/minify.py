"""Minifier for scripts and styles: no comments, no white space or separators without meaning.

Private names and those of variables become short (`names.py`), other names stay; `const` becomes `let`. The minifier
knows only the tokens of JavaScript: where a string, a template or a regular expression begins and ends. A test compares
its output with its input by a parser of the whole language.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from plyground.publish.names import letters, shortened

_SCRIPT_WORD = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<name>[\w$#]+)
    |(?P<mark>\+\+|--|.)""",
    re.S | re.X,
)
_EXPRESSION = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])+/\w*")
_TEMPLATE = re.compile(r"(?:\\.|(?!\$\{)[^`\\])*(?:`|\$\{)", re.S)
_BEFORE_VALUES = ("return", "typeof", "case", "of", "in")
"""Names after which a slash begins a regular expression."""
_CLOSE = (")", "]", "}")
"""Tokens before which a comma is left out; the page has no empty elements in arrays."""
_ENDS = (")", "]", "}", "++", "--")
"""Tokens after which a statement may end, so that a following line break counts."""
_CLASS = re.compile(r"\bclass \S+( extends \S+)?$")
_IN_BRACKETS = re.compile(r":[\w-]+\((?:[^()]|\([^()]*\))*\)")
"""A pseudo-class with an argument: what is in it may be one of several."""
_ONE_OF = re.compile(r":is\(([^()]*)\)")
_TEXT_OR_BLANK = re.compile(r"""("[^"]*")|/\*.*?\*/|\s*([{};,])\s*|(:)\s+|(\s)\s*""", re.S)


def script(text: str) -> str:
    """Minify JavaScript."""
    kept: list[str] = []
    private: dict[str, str] = {}
    words, gaps, gap = list[str](), list[str](), ""
    for word in _words(text):
        if word.isspace() or word.startswith(("//", "/*")):
            gap += "\n" if "\n" in word else " "
            continue
        words.append(word)
        gaps.append(gap)
        gap = ""
    before, ended, bare = "", _ended(words), _bare(words)
    gap = ""
    for at, (word, own) in enumerate(zip(shortened(words), gaps, strict=True)):
        gap += own
        if at in bare:
            continue
        # a semicolon is left out too: the page has no loop or condition with an empty body
        if (before == ";" and word == "}") or (before == "," and word in _CLOSE):
            kept.pop()
        elif gap:
            kept.append(_between(before, word, "\n" in gap and at - 1 not in ended))
        if word == "class" and words[at + 1] != ":":  # none is in another one
            private.clear()
        if word.startswith("#"):
            word = private.setdefault(word, f"#{letters(len(private))}")
        kept.append("let" if word == "const" and before != "." else word)
        before, gap = word, ""
    return "".join(kept)


def _bare(words: Sequence[str]) -> set[int]:
    """Brackets round the one parameter of an arrow function, `(each) => …`, that are left out."""
    found = set[int]()
    for at in range(len(words) - 4):
        is_one = words[at] == "(" and words[at + 2 : at + 5] == [")", "=", ">"]
        if is_one and words[at + 1] != "(" and words[at - 1] != "async":
            found |= {at, at + 2}
    return found


def _ended(words: Sequence[str]) -> set[int]:
    """Closing braces of blocks behind brackets, `if (…) {…}`, and of classes with a name: none ends an expression, so
    no line break is needed after it.
    """
    found = set[int]()
    opened: list[int] = []
    """Each open bracket; of a block behind brackets, the first of these."""
    last = 0
    """The bracket with which the pair began that has just been closed."""
    for at, word in enumerate(words):
        if word in ("(", "[", "{") or word.endswith("${"):
            opened.append(last if word == "{" and words[at - 1] == ")" else at)
        if word in _CLOSE or (word[:1] == "}" and word[-1:] in "`{"):
            last = opened.pop(-2 if word.endswith("${") else -1)
            named = next((place for place in range(last - 1, last - 4, -1) if words[place] == "function"), 0)
            if word == "}" and words[last] == "{" and _CLASS.search(" ".join(words[max(last - 4, 0) : last])):
                found.add(at)
            if word == "}" and words[last] == "(" and (not named or words[named - 1] in ("}", "{", ";", "async")):
                found.add(at)
    return found


def style(text: str) -> str:
    """Minify CSS. An empty value keeps its blank, without which old browsers ignore it.

    >>> style(":root { --dark: ; }")
    ':root{--dark: }'
    """

    def kept(found: re.Match[str]) -> str:
        said, mark, colon, blank = found.groups()
        return said or mark or colon or (" " if blank else "")

    return _TEXT_OR_BLANK.sub(kept, text).replace(":;", ": ;").replace(";}", "}")


def needed(text: str, named: str, without: Collection[str] = ()) -> str:
    """Minified CSS without the selectors that have a class, or the value of an attribute, which a text does not name,
    or which is one of `without`.

    A class may be named in parts, `lane-${number}`: then the part with the hyphen is enough.

    >>> needed('.a,.b-1 i{top:0}[role="c"]{top:0}@media print{.c{top:0}}', 'class: "a", `b-${place}`')
    '.a,.b-1 i{top:0}'
    >>> needed(".a:is(.b,.d){top:0}.a:is(.c,.d){top:0}", "a b d", without=["d"])
    '.a:is(.b){top:0}'
    """
    names = set(re.findall(r"[\w-]+", named))

    def is_named(each: str) -> bool:
        cuts = [place for place, sign in enumerate(each) if sign == "-"]
        is_there = each in names or any(each[: cut + 1] in names or each[cut:] in names for cut in cuts)
        return is_there and each not in without

    def is_needed(selector: str) -> bool:
        classes = re.findall(r"""(?:\.|=")([a-z][\w-]*)""", _IN_BRACKETS.sub("", selector))
        return ":is()" not in selector and all(map(is_named, classes))

    def one_of(found: re.Match[str]) -> str:
        return f":is({','.join(filter(is_needed, found[1].split(',')))})"

    def kept(rule: re.Match[str]) -> str:
        cut = _ONE_OF.sub(one_of, rule["selectors"])
        selectors = [each for each in re.split(r",(?![^()]*\))", cut) if is_needed(each)]
        return f"{','.join(selectors)}{{{rule['body']}}}" if selectors else ""

    rules = re.sub(r"(?P<selectors>[^{}@]+)\{(?P<body>[^{}]*)\}", kept, text)
    return re.sub(r"@media[^{}]*\{\}", "", rules)


@cache
def literals(text: str) -> str:
    """The strings and templates of a script."""
    return " ".join(word for word in _words(text) if word[-1] in "\"'`{" and len(word) > 1)


def _words(text: str) -> Iterator[str]:
    """Tokens of a script, with white space and comments."""
    at, before = 0, ""
    inside: list[int] = []  # for each open template, the number of open braces in its `${…}`
    while at < len(text):
        found = _SCRIPT_WORD.match(text, at)
        assert found
        if found["mark"] == "/" and _is_expected(before):
            found = _EXPRESSION.match(text, at)
            assert found, text[at : at + 40]
        elif found["mark"] == "`" or (found["mark"] == "}" and inside and inside[-1] == 0):
            if found["mark"] == "}":
                inside.pop()
            end = _TEMPLATE.match(text, at + 1)
            assert end, text[at : at + 40]
            if end[0].endswith("${"):
                inside.append(0)
            word, at = text[at : end.end()], end.end()
            yield word
            before = word
            continue
        elif inside and found["mark"] in ("{", "}"):
            inside[-1] += 1 if found["mark"] == "{" else -1
        word, at = found[0], found.end()
        yield word
        if found.lastgroup != "blank":
            before = word


def _is_expected(before: str) -> bool:
    """Whether a value is expected after a token, so that a slash does not divide; after a bracket it does."""
    if re.match(r"[\w$#\"'`]", before[-1:]):
        return before in _BEFORE_VALUES
    return before not in _ENDS


def _between(before: str, after: str, is_break: bool) -> str:
    """The white space that must stay between two tokens."""
    ends = before in _ENDS or bool(re.match(r"[\w$#\"'`/]", before[-1:]))
    if is_break and ends and after != "}":
        return "\n"
    both = before[-1:] + after[:1]
    return " " if re.fullmatch(r"[\w$#]{2}|\+\+|--|//|/\*|[0-9]\.", both) else ""
