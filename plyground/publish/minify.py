"""Minifier for scripts and styles: without comments, blanks, brackets or separators that mean nothing.

Private names and those of variables become short (`names.py`), other names stay; `const` becomes `let`, and
declarations that follow each other become one. The minifier knows only the tokens of JavaScript: where a string, a
template or a regular expression begins and ends. A test compares its output with its input by a parser of the whole
language.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from plyground.publish.names import letters, modules_of, shortened

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
_BEFORE_BLOCKS = ("else", "try", "catch", "finally")
_GOES_ON = "})].,:;?=&|<>*%"
"""First signs of tokens with which no statement begins, so that a line break before them counts as a blank."""
_NONE, _BEGUN, _OVER = range(3)
"""States of a declaration: none before, still going on, just ended."""
_MEMBER = re.compile(r"#?[A-Za-z_$][\w$]*")
_NAMED = re.compile(r"(?!(?:async|await|class|delete|function|let|new|typeof|void|yield)$)[A-Za-z_$][\w$]*")
"""A name that no expression of several words begins with."""
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
    before, ended, closing = "", _ended(words), _closing(words)
    pairs = _bare(words) | _unneeded(words, closing)
    left_out = pairs | {closing[at] for at in pairs}
    modules = [*modules_of(words, closing)]
    left_out |= {at for each in modules for at in each.around}
    lets = [_NONE]
    """For each open bracket, whether a declaration has begun in it."""
    gap, last = "", 0
    for at, (word, own) in enumerate(zip(shortened(words, modules), gaps, strict=True)):
        is_inside = at - 1 in pairs or (at in left_out and at not in pairs)
        gap += own.replace("\n", " ") if is_inside else own
        if at in left_out or (word == "0" and words[at + 1] == "." and words[at + 2].isdigit()):
            gap = gap or " "
            continue
        # a semicolon is left out too: the page has no loop or condition with an empty body
        if (before == ";" and word == "}") or (before == "," and word in _CLOSE):
            kept.pop()
        elif gap:
            kept.append(_between(before, word, "\n" in gap and last not in ended))
        is_new_line = bool(kept) and kept[-1] == "\n"
        if word[:1] == "}" or word in _CLOSE:
            lets.pop()
        if word in ("const", "let") and before != "." and words[at + 1] not in (":", "("):
            if lets[-1] != _NONE:
                if is_new_line or kept[-1] in ("", ";"):
                    kept.pop()
                if kept[-1] == ";":
                    kept.pop()
                word = ","
            else:
                word = "let"
            lets[-1] = _BEGUN
        elif word == ";" and lets[-1] != _NONE:
            lets[-1] = _OVER
        elif lets[-1] == _OVER or is_new_line:
            lets[-1] = _NONE
        if word.endswith("${") or word in ("(", "[", "{"):
            lets.append(_NONE)
        if word == "class" and words[at + 1] != ":":  # none is in another one
            private.clear()
        if word.startswith("#"):
            word = private.setdefault(word, f"#{letters(len(private))}")
        if word[0].isdigit() and before != "." and words[at + 1 : at + 2] != ["."]:
            word = _number(word)
        kept.append(word)
        before, gap, last = word, "", at
    return "".join(kept)


def _number(word: str) -> str:
    """A whole number as short as it can be written."""
    try:
        whole = str(int(word.replace("_", ""), 0))
    except ValueError:
        return word
    digits = whole.rstrip("0")
    zeros = len(whole) - len(digits)
    return f"{digits}e{zeros}" if zeros > 2 else whole


def _closing(words: Sequence[str]) -> dict[int, int]:
    """The place of the bracket that closes each one."""
    found, opened = dict[int, int](), list[int]()
    for at, word in enumerate(words):
        if word in _CLOSE or (word[:1] == "}" and word[-1:] in "`{"):
            found[opened.pop()] = at
        if word in ("(", "[", "{") or word.endswith("${"):
            opened.append(at)
    return found


def _bare(words: Sequence[str]) -> set[int]:
    """Brackets round the one parameter of an arrow function, `(each) => …`, that are left out."""
    found = set[int]()
    for at in range(len(words) - 4):
        is_one = words[at] == "(" and words[at + 2 : at + 5] == [")", "=", ">"]
        if is_one and words[at + 1] != "(" and words[at - 1] != "async":
            found.add(at)
    return found


def _unneeded(words: Sequence[str], closing: Mapping[int, int]) -> set[int]:
    """Brackets that change nothing, as those of a cast, and those of `new Map()`."""
    found = set[int]()
    for at, end in closing.items():
        before, after = words[at - 2 : at], [*words[end + 1 : end + 3], "", ""]
        if words[at] != "(" or after[0] == "{" or after[:2] == ["=", ">"]:
            continue
        if end == at + 1:
            first = at - 1
            while words[first - 1] == ".":
                first -= 2
            if words[first - 1] == "new" and _NAMED.fullmatch(words[first]) and after[0][:1] not in tuple("([.?`"):
                found.add(at)
            continue
        is_arrow = before == ["=", ">"]
        is_set = before[1] == "=" and before[0] not in ("=", "!", "<", ">")
        is_begun = is_arrow or is_set or before[1] in ("(", "[", ",", ":", "return") or before[1].endswith("${")
        is_begun = is_begun or (before[1] == "?" and before[0] != "?")
        if is_arrow and words[at + 1] in ("{", "[", "function", "class"):
            continue
        if is_begun and (after[0] in (*_CLOSE, ",", ";", ":") or after[0][:1] == "}"):
            place = at + 1
            while place < end and words[place] not in (",", "in"):
                place = closing.get(place, place) + 1
            if place >= end:
                found.add(at)
                continue
        if (is_begun or before[1] in tuple("=&|?+-*/!<>%")) and _is_chain(words, closing, at + 1, end, after[0]):
            found.add(at)
    return found


def _is_chain(words: Sequence[str], closing: Mapping[int, int], at: int, end: int, after: str) -> bool:
    """Whether tokens are a name or a text with members and calls, `a.b(c)[d]`."""
    if not _NAMED.fullmatch(words[at]) and words[at][0] not in "\"'":
        return False
    at += 1
    while at < end:
        if words[at] == "?" and words[at + 1] == "." and after[:1] in tuple("([.`"):
            return False
        if words[at] in ("(", "["):
            at = closing[at] + 1
        elif words[at] == "." and _MEMBER.fullmatch(words[at + 1]):
            at += 2
        elif words[at] == "?" and words[at + 1] == ".":
            at += 1 if _MEMBER.fullmatch(words[at + 2]) else 2
        else:
            return False
    return True


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
            if word == "}" and words[last] == "{" and words[last - 1] in _BEFORE_BLOCKS:
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
    if is_break and ends and (after[0] not in _GOES_ON or before in _BEFORE_VALUES):
        return "\n"
    both = before[-1:] + after[:1]
    return " " if re.fullmatch(r"[\w$]{2}|\+\+|--|//|/\*|[0-9]\.", both) else ""
