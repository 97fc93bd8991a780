"""Constants that rules name, globals and attributes of the game, and why compiled code cannot use one.

Nothing here needs Numba.
"""

import dis
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from plyground.compiled.fingerprint import is_foreign, used_globals
from plyground.constant import Constant


def rule_functions(game: Constant, *others: FunctionType) -> Iterator[FunctionType]:
    """The functions in a game's classes, and all that they, and these others, call of users' code."""
    found, seen = [*others], set[FunctionType]()
    for owner in type(game).__mro__:
        found += [each for each in vars(owner).values() if isinstance(each, FunctionType) and not is_foreign(owner)]
    while found:
        function = found.pop()
        if function not in seen and not is_foreign(function):
            seen.add(function)
            yield function
            found += [each for _, each in used_globals(function) if isinstance(each, FunctionType)]


def constants_named(function: FunctionType, game: Constant, line: int | None = None) -> dict[str, Any]:
    """The globals and the game's attributes that a function names, with their values.

    Args:
        function: a rule, or a function that rules call.
        game: the game whose rule it is.
        line: only what stands in this line of the file.
    """
    found: dict[str, Any] = {}
    for is_global, name in _names(function.__code__, line, function.__code__.co_varnames[:1]):
        if is_global and name in function.__globals__:
            found[name] = function.__globals__[name]
        elif not is_global and (value := getattr(type(game), name, None)) is not None:
            found[f"self.{name}"] = value
    return found


def has_line(code: CodeType, line: int) -> bool:
    """Whether code, or code within it, has a line of its file."""
    return any(at == line for *_, at in code.co_lines()) or any(has_line(each, line) for each in _inner(code))


def _names(code: CodeType, line: int | None, itself: tuple[str, ...]) -> Iterator[tuple[bool, str]]:
    """Names of globals, and of attributes of the game `itself`, each with whether it is a global."""
    before: object = None
    for step in dis.get_instructions(code):
        if line is None or (step.positions and step.positions.lineno == line):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                yield True, step.argval
            elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and before == itself:
                yield False, step.argval
        values = step.argval if isinstance(step.argval, tuple) else (step.argval,)
        before = values[-1:] if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) else None
    for each in _inner(code):
        yield from _names(each, line, itself)


def _inner(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def what_is_wrong(value: object) -> str:
    """Why a constant has no compiled form, and what would be right; empty if it has one, or is no constant."""
    if isinstance(value, dict):
        return "is a dict: make it a tuple, in which the key is the place"
    if isinstance(value, set | frozenset):
        return "is a set: make it a tuple, or an int with a bit for each member"
    if isinstance(value, list):
        has_rows = any(isinstance(each, list | tuple) for each in value)
        return "is a list of rows: make it a tuple of tuples" if has_rows else "is a list: make it a tuple"
    if not isinstance(value, tuple) or hasattr(value, "_fields"):
        return ""
    if not value:
        return "is empty"
    kinds = {type(each) for each in value}
    inner = next((wrong for each in value if (wrong := what_is_wrong(each))), "")
    if inner:
        return f"has a row that {inner}"
    if kinds <= {tuple} and len({len(each) for each in value}) > 1:
        return "has rows of different lengths: make them equally long"
    if odd := next((each.__name__ for each in kinds if each in (str, float, bool)), ""):
        return f"holds a {odd}, and compiled rules know ints"
    return ""
