"""Constants that rules name: globals and attributes of the game."""

import dis
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from plyground.constant import Constant


def constants_named(function: FunctionType, game: Constant) -> dict[str, Any]:
    """The globals and the game's attributes that a rule, or a function that rules call, names, with their values."""
    found: dict[str, Any] = {}
    for is_global, name in _names(function.__code__, function.__code__.co_varnames[:1]):
        if is_global and name in function.__globals__:
            found[name] = function.__globals__[name]
        elif not is_global and (value := getattr(type(game), name, None)) is not None:
            found[f"self.{name}"] = value
    return found


def _names(code: CodeType, itself: tuple[str, ...]) -> Iterator[tuple[bool, str]]:
    """Names of globals, and of attributes of the game `itself`, each with whether it is a global."""
    before: object = None
    for step in dis.get_instructions(code):
        # The names are read from bytecode, not source: rules typed into a notebook need the sentences about constants,
        # too.
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield True, step.argval
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and before == itself:
            yield False, step.argval
        # Since Python 3.13 one instruction may load two locals; the attribute belongs to the last one.
        values = step.argval if isinstance(step.argval, tuple) else (step.argval,)
        before = values[-1:] if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) else None
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each, itself)
