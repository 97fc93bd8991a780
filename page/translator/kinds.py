"""Kinds of values that translated code may have, read from Python's type hints."""

import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin


@dataclass(frozen=True)
class ValueKind:
    """Kind of a value: what its operators mean, and how the type checker of JavaScript writes it."""

    name: Literal[
        "int", "float", "bool", "str", "list", "set", "dict", "map", "function", "pattern", "match", "object", "any"
    ]
    text: str
    """The type in JavaScript: `number`."""
    items: tuple["ValueKind", ...] = ()
    """Kinds of a tuple's items; one for all items of a list; the one of the values of a dict or map, and of what a
    function gives."""
    of: Any = None
    """The class of an object; of an int, whether it is an index from the beginning."""
    maybe: bool = False
    """Whether it may be None."""

    @property
    def said(self) -> str:
        """The type in JavaScript, null included."""
        return f"{self.text} | null" if self.maybe else self.text

    @property
    def is_number(self) -> bool:
        """Whether arithmetic applies."""
        return self.name in ("int", "float", "bool")

    @property
    def is_ordered(self) -> bool:
        """Whether it is a number, or a tuple or list of such: what `compare` orders as Python does."""
        return self.is_number or (
            self.name == "list" and all(each.is_ordered and not each.maybe for each in self.items)
        )

    @property
    def sure(self) -> "ValueKind":
        """The kind without None."""
        return replace(self, maybe=False)


SENT = "models"
"""Address of the types of what the server and the page send each other, as models of pydantic."""
INT, FLOAT = ValueKind("int", "number"), ValueKind("float", "number")
PLACE_NUMBER = ValueKind("int", "number", of="0 or more")
BOOL, STR, ANY = ValueKind("bool", "boolean"), ValueKind("str", "string"), ValueKind("any", "any")
NONE = ValueKind("any", "null", maybe=True)
PATTERN, MATCH = ValueKind("pattern", "RegExp"), ValueKind("match", "RegExpExecArray")
FOUND_GROUP = ValueKind("str", "string", of="group")
"""A regular expression; where it was found; a group there. One that took no part is empty, and not None."""


def list_of(each: ValueKind) -> ValueKind:
    """The kind of a list, or of a tuple of any length."""
    return ValueKind("list", f"({each.said})[]", (each,))


def tuple_of(items: Iterable[ValueKind]) -> ValueKind:
    """The kind of a tuple of these items."""
    each = tuple(items)
    return ValueKind("list", f"readonly [{', '.join(one.said for one in each)}]", each)


def dict_of(each: ValueKind) -> ValueKind:
    """The kind of a dict of texts: an object."""
    return ValueKind("dict", f"Record<string, {each.said}>", (each,))


def map_of(each: ValueKind) -> ValueKind:
    """The kind of a dict of ints: a Map."""
    return ValueKind("map", f"Map<number, {each.said}>", (each,))


def function_kind(given: Iterable[ValueKind], each: ValueKind) -> ValueKind:
    """The kind of a function of these arguments."""
    taken = ", ".join(f"{letter}: {one.said}" for letter, one in zip(ascii_lowercase, given, strict=False))
    return ValueKind("function", f"({taken}) => {each.said}", (each,))


def kind_of(hint: Any) -> ValueKind:
    """The kind that a type hint means.

    Raises:
        TypeError: values of this type are not translated.
    """
    plain = {int: INT, float: FLOAT, bool: BOOL, str: STR, type(None): NONE}
    if hint in plain:
        return plain[hint]
    if hint is Any:
        return ANY
    if isinstance(hint, TypeVar):
        return ValueKind("any", hint.__name__)
    origin, args = get_origin(hint), get_args(hint)
    if origin is ClassVar:
        return kind_of(args[0])
    if origin in (Union, types.UnionType):
        kinds = [kind_of(each) for each in args if each is not type(None)]
        if len(kinds) < len(args) and len(kinds) == 1:
            return replace(kinds[0], maybe=True)
        if any(get_origin(each) is Literal for each in args) and all(each.name == "str" for each in kinds):
            return ValueKind("str", " | ".join(each.text for each in kinds), maybe=len(kinds) < len(args))
    if origin is Literal and all(isinstance(each, str) for each in args):
        return ValueKind("str", " | ".join(f'"{each}"' for each in args))
    if origin is tuple and args[-1:] != (...,):
        return tuple_of(map(kind_of, args))
    if origin is list:
        return list_of(kind_of(args[0]))
    if origin in (dict, Mapping) and kind_of(args[0]).name == "str":
        return dict_of(kind_of(args[1]))
    if origin in (dict, Mapping) and args[0] is int:
        found = map_of(kind_of(args[1]))
        return found if origin is dict else replace(found, text=f"Readonly{found.text}")
    if origin is Iterator:
        each = kind_of(args[0])
        return ValueKind("list", f"Iterable<{each.said}>", (each,))
    if origin is Callable:
        return function_kind(map(kind_of, args[0]), kind_of(args[1]))
    if origin in (tuple, Sequence, Iterable, Collection):
        each = list_of(kind_of(args[0]))
        return replace(each, text=f"readonly {each.text}")
    made = origin or hint
    if isinstance(made, type) and made.__module__ != "builtins" and made.__module__ != "collections.abc":
        is_sent = hasattr(made, "model_fields")
        return ValueKind("object", f'import("{SENT}").{made.__name__}' if is_sent else made.__name__, of=made)
    raise TypeError(f"{hint} is no type of what is translated")


def kind_of_value(value: Any) -> ValueKind:
    """The kind of a constant.

    Raises:
        TypeError: such constants are not translated.
    """
    if isinstance(value, tuple):
        kinds = [kind_of_value(each) for each in value]
        return list_of(kinds[0]) if kinds and all(each == kinds[0] for each in kinds) else tuple_of(kinds)
    return kind_of(type(value))


def joined(one: ValueKind, other: ValueKind) -> ValueKind:
    """The kind of a value that is of either kind.

    Raises:
        TypeError: they have nothing in common.
    """
    maybe = one.maybe or other.maybe
    if NONE in (one, other):
        return replace(other if one == NONE else one, maybe=True)
    if one.sure == other.sure:
        return replace(one, maybe=maybe)
    if one.name == other.name == "int":
        return replace(INT, maybe=maybe)
    if {one.name, other.name} == {"int", "float"}:
        return replace(FLOAT, maybe=maybe)
    if one.name == other.name == "str":
        return replace(STR, maybe=maybe)
    if one.name == other.name == "list" and len(one.items) == len(other.items) == 1:
        return replace(list_of(joined(one.items[0], other.items[0])), maybe=maybe)
    if one.name == other.name == "list" and not (one.items and other.items):
        return replace(one if one.items else other, maybe=maybe)
    if one.name == other.name == "list" and len(one.items) == len(other.items):
        return replace(tuple_of(map(joined, one.items, other.items)), maybe=maybe)
    raise TypeError(f"{one.said} or {other.said}: no one kind")
