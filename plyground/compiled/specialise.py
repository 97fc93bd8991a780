"""Specialisation: a plain function is copied with its globals and closure, and the copy is compiled.

Functions among them become compiled copies too, tuples of ints constant arrays. Nothing that a game or a search
defines is decorated or changed.
"""

import builtins
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import log
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any, cast

import numba
import numpy as np

from plyground.compiled import numba_internals
from plyground.compiled.fingerprint import FOREIGN, fingerprint_and_tuples, is_foreign, names_in, used_globals
from plyground.compiled.intrinsics import OF_PROCESSORS, TWINS
from plyground.compiled.logarithm import logarithm
from plyground.rules import Weights

# Numba is untyped; its own values are Any throughout this module.
Numba = Any

_WORDS_AT_MOST = 8
"""A tuple of at most this many ints stays a tuple in compiled code (a board of 19 x 19 needs seven words); a longer one
becomes an array, because Numba indexes tuples by trying each index in turn."""

_copies: dict[tuple[str, tuple[type, ...], bool, bool], Numba] = {}


class _Aim(threading.local):
    """Target of a compiling thread."""

    is_elsewhere = False
    """Whether the target is another machine."""


_aim = _Aim()


@contextmanager
def for_elsewhere() -> Iterator[None]:
    """Context in which this thread's copies are for any machine: kept as LLVM text, without machine code."""
    _aim.is_elsewhere = True
    try:
        yield
    finally:
        _aim.is_elsewhere = False


def is_for_elsewhere() -> bool:
    """Whether this thread compiles for other machines."""
    return _aim.is_elsewhere


def compiled(function: FunctionType, *, from_python: bool = False) -> Numba:
    """The compiled copy of a plain function, the same one for the same code that makes tuples of the same classes.

    Python, compiled code and other machines each have a copy of their own.
    """
    mark, tuples = fingerprint_and_tuples(function)
    key = mark, tuples, from_python, _aim.is_elsewhere
    if key not in _copies:
        # Numba links recursion by the module's name, and finds it only while the module is loaded; a user's file may be
        # read again, and its first module be gone.
        is_ours = function.__module__.startswith("plyground.")
        names: dict[str, object] = {"__builtins__": builtins, "__name__": function.__module__ if is_ours else __name__}
        cells = tuple(CellType() for _ in function.__code__.co_freevars)
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__qualname__ = f"{function.__name__}_{mark[:12]}"  # in the symbol: same name, same code
        options = numba_internals.options(from_python=from_python, is_elsewhere=_aim.is_elsewhere)
        _copies[key] = numba.njit(**options)(copy)  # before its names: it may call itself
        used = names_in(function.__code__)
        for name, value in used_globals(function):
            if "." not in name:
                names[name] = _copies[key] if value is function else stand_in(value, used)
        for cell, own in zip(cells, function.__closure__ or (), strict=True):
            value = own.cell_contents
            cell.cell_contents = _copies[key] if value is function else stand_in(value, used)
    return _copies[key]


def code_of(name: str) -> CodeType | None:
    """The code of the function whose copy has this name."""
    found = (copy.py_func.__code__ for copy in list(_copies.values()) if copy.py_func.__qualname__ == name)
    return next(found, None)


def stand_in(value: object, used: set[str] = frozenset()) -> object:  # type: ignore[assignment]
    """Replacement of a global or a field in compiled code."""
    match value:
        case FunctionType() if value in OF_PROCESSORS and not _aim.is_elsewhere:
            return OF_PROCESSORS[value]
        case FunctionType() if value in TWINS:
            return TWINS[value]
        case FunctionType() if not is_foreign(value):
            return compiled(value)
        case BuiltinFunctionType() if value is log and _aim.is_elsewhere:
            return compiled(cast(FunctionType, logarithm))
        case ModuleType() if value.__name__.split(".")[0] not in FOREIGN:
            module = ModuleType(value.__name__)
            for name in used:
                if hasattr(value, name):
                    setattr(module, name, stand_in(getattr(value, name), used))
            return module
        case tuple() if type(value) in (tuple, Weights) and value and _is_table(value):
            return np.array(value)
    return value


def _is_table(value: tuple[object, ...]) -> bool:
    """Whether a tuple of ints, or of rows of ints, is a look-up table, not the few words of a board."""
    rows = [item if isinstance(item, tuple) else (item,) for item in value]
    alike = len({len(row) for row in rows}) == 1 and all(type(item) is int for row in rows for item in row)
    return alike and sum(map(len, rows)) > _WORDS_AT_MOST
