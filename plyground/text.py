"""Untrusted text: strip control characters where it enters; read numbers in ASCII digits only.

Text from programs, files and other people reaches terminals, reports and tables. An escape sequence in it would rewrite
a terminal's screen, and a bidirectional override reverses the text beside it.
"""

import math
import re
import unicodedata

from plyground.in_pages import in_pages

SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # strings: a window's title
    r"|\x1b[ -/]*[0-~]"
)
"""An escape sequence of a terminal, whole (ECMA-48)."""
# Python's `int` reads other digits, blanks and underscores too, and takes a time that grows with the square of the
# length.
WHOLE_NUMBER_TEXT = re.compile(r"[+-]?[0-9]{1,20}")
NUMBER_TEXT = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,3})?")


def plain(text: str, kept: str = "") -> str:
    """Text without control characters, invisible characters and terminal escape sequences.

    Args:
        text: what was written outside.
        kept: control characters that stay, such as `"\\n\\t"` where several lines are meant; other control
            characters that are white space become a blank.

    >>> plain("\\x1b[2Jwhite\\tto move")
    'white to move'
    """
    # Nearly all texts: the regular expression and the loop over signs are for the others.
    if text.isprintable():
        return text
    return "".join(_plain(sign, kept) for sign in SEQUENCE.sub("", text))


def _plain(sign: str, kept: str) -> str:
    if sign.isprintable() or sign in kept or unicodedata.category(sign) == "Zs":  # blanks of any width
        return sign
    return " " if sign.isspace() else ""


def visible(text: str) -> str:
    """A name with escapes in place of invisible signs: names that look the same are the same, but for like letters.

    >>> visible("a\u200bnn.py")
    'a\\\\u200bnn.py'
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001
"""Characters that begin a formula; the last four are full-width, as spreadsheets read them in Chinese and Japanese."""


def csv_cell(value: object) -> object:
    """A cell of CSV that no spreadsheet takes for a formula: a text that begins like one gets a `'`."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def csv_text(cell: str) -> str:
    """The text of a cell that `csv_cell` made."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def plain_lines(text: str) -> str:
    """Text of several lines as `plain` makes it: newlines and tabs stay."""
    return plain(text.replace("\r\n", "\n"), "\n\t")


def count_text(number: int, noun: str) -> str:
    """A number of things in words: `1 game`, `1,200 games`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def plain_name(text: str) -> str:
    """A name as it is kept: `plain`, without blanks at its ends, and one between words."""
    return " ".join(plain(text).split())


def whole_number(text: str) -> int | None:
    """The whole number that a text of ASCII digits writes, signed or not; None for any other text, and beyond 20
    digits, which no option, port or count here has.

    >>> whole_number("12"), whole_number("²"), whole_number("1_0"), whole_number("9" * 5_000)
    (12, None, None, None)
    """
    return int(text) if WHOLE_NUMBER_TEXT.fullmatch(text) else None


def decimal_number(text: str) -> float | None:
    """The number that a text writes in ASCII digits, as `1`, `0.5` or `1e6`; None for any other text, and beyond every
    float.
    """
    value = float(text) if NUMBER_TEXT.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


_MOVE_NUMBER = re.compile(r"^[0-9]+\.+")
_SIGNS = re.compile(r"[0-9]+|[A-Za-z]+")
_CELLS = re.compile(r"(?:[A-Za-z]+[0-9]+){2,}")
_CELL = re.compile(r"[A-Za-z]+[0-9]+")


@in_pages
def moves_in(word: str) -> list[str]:
    """A word without blanks as moves: signs, or letters with a number each; a number before a move is left out.

    >>> moves_in("4435"), moves_in("b2a1c3"), moves_in("2...Nf6"), moves_in("1.")
    (['4', '4', '3', '5'], ['b2', 'a1', 'c3'], ['Nf6'], [])
    """
    word = _MOVE_NUMBER.sub("", word)
    if _SIGNS.fullmatch(word):
        return list(word)
    if _CELLS.fullmatch(word):
        return _CELL.findall(word)
    return [word] if word else []
