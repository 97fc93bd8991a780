"""Modules for browsers: entries and all that they call, as WebAssembly.

An entry is a plain function of a game, a pattern of its states, and then of `Memory`, ints and floats, that answers
with an int or a float. Outside, an address is a 32-bit int and every number a float of 64 bits, which JavaScript knows
as numbers: 2**53 is enough for all that is asked. An exception traps, and its place in the list of all is in `fault`, a
global of the module's instance, for instances may share their memory. Code writes only to memory that its caller hands
over, so a later instance may write the same constants to a shared memory again.
"""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from plyground.compiler.backends.doors import Door, javascript_door
from plyground.compiler.backends.module import WebAssemblyModule
from plyground.compiler.backends.webassembly import encode_module
from plyground.compiler.form import RegisterKind
from plyground.compiler.frontend import CompilationUnit, FaultSite, Specialisation
from plyground.compiler.optimisation.inlining import inline_small
from plyground.compiler.runtime import argument_type
from plyground.compiler.target import WEBASSEMBLY
from plyground.compiler.types import KnownType, Type
from plyground.constant import Constant
from plyground.search.memory import Memory

REGISTER_KINDS: dict[type, RegisterKind] = {
    Memory: RegisterKind.ADDRESS,
    int: RegisterKind.INT,
    float: RegisterKind.FLOAT,
}
MOST_UNROLLED_IN_SMALL: Final = 100
"""Instructions that an unrolled loop may have in entries that shall be small: a page asks these once a move."""
Entries = Sequence[tuple[Callable[..., Any], Constant, Any]]
"""Functions, the game that each is for, and a pattern of that game's states."""


@dataclass(frozen=True)
class PageModule:
    """A module for a page."""

    module: WebAssemblyModule
    faults: tuple[FaultSite, ...]
    """Exceptions, each at its place in `FAULT`."""


def compile_module(entries: Entries, small: Collection[str] = ()) -> PageModule:
    """Compile entries to one module.

    Args:
        entries: functions, games and patterns.
        small: names of the entries that shall be small rather than fast.

    Raises:
        NotCompilable: a rule has no compiled form.
    """
    # One unit for all entries, so that a function that several of them call stands in the module once.
    unit = CompilationUnit(WEBASSEMBLY, is_checked=False)
    made: dict[str, Specialisation] = {}
    for is_small in (False, True):  # what fast entries call shall be fast, whoever else calls it
        unit.most_unrolled = MOST_UNROLLED_IN_SMALL if is_small else unit.most_unrolled
        made |= {
            entry.__name__: _specialise(unit, entry, game, pattern)
            for entry, game, pattern in entries
            if is_small == (entry.__name__ in small)
        }
    doors = [_make_door(entry, made[entry.__name__]) for entry, *_ in entries]
    inline_small([each.form for each in doors])
    return PageModule(encode_module(doors), tuple(unit.faults))


def _specialise(unit: CompilationUnit, entry: Callable[..., Any], game: Constant, pattern: Any) -> Specialisation:
    # The game is known. Of the pattern only the type counts: its ints are parameters that no entry reads: see
    # `javascript_door`.
    first, second, *others = inspect.signature(entry).parameters.values()
    types: dict[str, Type] = {first.name: argument_type(game), second.name: argument_type(pattern)}
    types |= {each.name: REGISTER_KINDS[each.annotation] for each in others}
    return unit.specialise(entry, types)  # type: ignore[arg-type]  # entries are plain functions


def _make_door(entry: Callable[..., Any], made: Specialisation) -> Door:
    outside = [REGISTER_KINDS[each.annotation] for each in list(inspect.signature(entry).parameters.values())[2:]]
    known = float(made.result.value or 0) if isinstance(made.result, KnownType) else None
    return javascript_door(entry.__name__, made.form, outside, known)
