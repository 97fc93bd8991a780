"""Parts of translated code: modules, expressions with their types, constants, names."""

import ast
import inspect
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from translator.kinds import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ValueKind,
    kind_of_value,
)

RESERVED = frozenset(
    re.findall(
        r"\w+",
        "arguments await break case catch const continue debugger default delete do enum eval export extends function"
        " implements import instanceof interface let new null package private protected public static super switch this"
        " throw typeof var void Infinity Math Number Object RegExp undefined"
        " compare copyWith countOf countUp enumerate escapeForRegExp fixedText itemAt once placeOf roundHalfEven"
        " sortedBy withSign wordsOf zip",
    )
)
"""Keywords of JavaScript, and names of the helpers in `worker/python.js`."""
WHOLE, SIGNED, PRODUCT, SUM, ORDER, EQUAL, BITS, AND, OR, CHOICE = range(10)
"""How loosely operators of JavaScript bind, from names and calls to conditions."""
OPERATORS: Mapping[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", SUM),
    ast.Sub: ("-", SUM),
    ast.Mult: ("*", PRODUCT),
    ast.Div: ("/", PRODUCT),
}
ORDERS: Mapping[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
Found = TypeVar("Found")
LONG = 2**20
"""Least int that is written as a power of two, if it is one."""
LONGEST_MASK = 2**31
"""Least int of which JavaScript's `&` does not choose the bits that Python's does."""
EXACT = 2**53
"""Least int that a number of JavaScript need not hold exactly."""


class NotTranslated(Exception):
    """Python that the translator does not know, with its file and line."""


def camel(name: str) -> str:
    """A name as JavaScript writes it.

    >>> camel("counted_plies"), camel("_end"), camel("MOST_LINES")
    ('countedPlies', '_end', 'MOST_LINES')
    """
    return name if name.isupper() else re.sub(r"(?<=[a-z0-9])_([a-z0-9])", lambda found: found[1].upper(), name)


@dataclass(frozen=True)
class Translated:
    """Text of an expression, and the kind of its value."""

    text: str
    kind: ValueKind
    level: int = WHOLE
    """How loosely its outermost operator binds."""

    def within(self, level: int = WHOLE) -> str:
        """The text as a part of an expression: in brackets if it binds more loosely than the place allows."""
        return self.text if self.level <= level else f"({self.text})"

    def number(self, level: int) -> str:
        """The same beside an operator of arithmetic or order."""
        return f"Number({self.text})" if self.kind.name == "bool" else self.within(level)


def literal(value: Any) -> Translated:
    """A constant in JavaScript.

    Raises:
        TypeError: there is none like it.
    """
    if value is None:
        return Translated("null", NONE)
    if isinstance(value, bool):
        return Translated("true" if value else "false", BOOL)
    if isinstance(value, int) and LONG <= abs(value) < EXACT and abs(value).bit_count() == 1:
        power = f"2 ** {abs(value).bit_length() - 1}"
        return Translated(power, INT, PRODUCT) if value > 0 else Translated(f"-({power})", INT, SIGNED)
    if isinstance(value, int) and abs(value) < EXACT:
        return Translated(str(int(value)), INT, WHOLE if value >= 0 else SIGNED)
    if isinstance(value, float) and not math.isnan(value):
        text = repr(value).removesuffix(".0").replace("inf", "Infinity")
        return Translated(text, FLOAT, WHOLE if value >= 0 else SIGNED)
    if isinstance(value, str):
        return Translated(json.dumps(value, ensure_ascii=False), STR)
    if isinstance(value, tuple):
        return Translated(f"[{', '.join(literal(each).text for each in value)}]", kind_of_value(value))
    raise TypeError(f"{value!r} is no constant that is translated")


def function_of(member: Any) -> Any:
    """The function behind a member of a class."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    return inspect.unwrap(getattr(member, "__func__", member))


def member_of(of: Any, name: str) -> Any:
    """A member of a class or of what it derives from, as it is defined; None for none."""
    return inspect.getattr_static(of, name, None)


def dumped(node: ast.expr) -> str:
    """Returns a text that is the same for equal expressions."""
    return ast.dump(node)
