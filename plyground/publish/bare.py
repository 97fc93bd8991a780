"""Scripts and styles without what is only for readers: comments, indentation, and blanks that mean nothing.

Names stay, so what a browser says of a fault can be found in the files, but for private ones, which are a letter or
two; a constant is a variable that nobody changes. Of JavaScript no more is known here than its words: where a text, a
template or a regular expression begins and ends. A test holds what comes out to what went in, by a parser of the whole
language.
"""

import re
from collections.abc import Iterator
from string import ascii_letters

_WORD = re.compile(
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
_ENDS = (")", "]", "}", "++", "--")
"""Marks after which a statement may be over, so that the next line's break counts."""
_TEXT_OR_BLANK = re.compile(r"""("[^"]*")|/\*.*?\*/|\s*([{};,])\s*|(:)\s+|(\s)\s*""", re.S)


def script(text: str) -> str:
    """JavaScript that does the same, shorter."""
    kept: list[str] = []
    private: dict[str, str] = {}
    before, gap = "", ""
    for word in _words(text):
        if word.isspace() or (word.startswith(("//", "/*")) and len(word) > 1):
            gap += "\n" if "\n" in word else " "
            continue
        if gap:
            kept.append(_between(before, word, "\n" in gap))
        if word.startswith("#"):
            word = private.setdefault(word, f"#{_letters(len(private))}")
        kept.append("let" if word == "const" and before != "." else word)
        before, gap = word, ""
    return "".join(kept)


def _letters(number: int) -> str:
    """A name that no other number has."""
    more, last = divmod(number, len(ascii_letters))
    return (_letters(more - 1) if more else "") + ascii_letters[last]


def style(text: str) -> str:
    """CSS that says the same, shorter. An empty value keeps its blank, without which old browsers take it for none.

    >>> style(":root { --dark: ; }")
    ':root{--dark: }'
    """

    def kept(found: re.Match[str]) -> str:
        said, mark, colon, blank = found.groups()
        return said or mark or colon or (" " if blank else "")

    return _TEXT_OR_BLANK.sub(kept, text).replace(":;", ": ;").replace(";}", "}")


def _words(text: str) -> Iterator[str]:
    """The words of a script, blanks and comments among them."""
    at, before = 0, ""
    inside: list[int] = []  # for each template that is open, how many braces are open in the value that it takes
    while at < len(text):
        found = _WORD.match(text, at)
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
    """Whether a value is expected after a word, so that a slash does not divide; behind a bracket it always does."""
    if re.match(r"[\w$#\"'`]", before[-1:]):
        return before in _BEFORE_VALUES
    return before not in _ENDS


def _between(before: str, after: str, is_break: bool) -> str:
    """What is left of blanks between two words."""
    ends = before in _ENDS or bool(re.match(r"[\w$#\"'`/]", before[-1:]))
    if is_break and ends and after != "}":
        return "\n"
    both = before[-1:] + after[:1]
    return " " if re.fullmatch(r"[\w$#]{2}|\+\+|--|//|/\*|[0-9]\.", both) else ""
