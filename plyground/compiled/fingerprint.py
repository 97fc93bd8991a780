"""Fingerprint of a game or a search: a hash of all that its answers depend on.

That is the bytecode of its methods, its fields, and, followed through globals, every function and constant they use.
A changed comment or docstring leaves the fingerprint, and a class typed into a notebook has one too. Files and database
rows of a game are named by its fingerprint, so changed rules do not find those of the old ones.
"""

import dis
import hashlib
import inspect
import sys
from array import array
from collections.abc import Container, Iterable, Iterator
from functools import cached_property, lru_cache
from types import CodeType, FunctionType, ModuleType

from plyground.constant import Constant
from plyground.errors import check_arguments
from plyground.rules import Weights

FOREIGN = {*sys.stdlib_module_names, "numpy"} - {"__main__"}
"""Modules whose code is not a game's or a search's, and not followed."""

_CHECKED = check_arguments(lambda: None).__code__
"""Code that checks a function's arguments before it calls it: no answer depends on it."""
_HAS_DOCSTRING = 0x4000000
"""Flag of code whose first constant is its docstring, from Python 3.14 on (`inspect.CO_HAS_DOCSTRING`)."""


def fingerprint(thing: object) -> str:
    """A hash of everything that the answers of a function or a `Constant` depend on."""
    return _hash(_describe(thing, {}))


def _hash(lines: Iterable[str]) -> str:
    # 32 hexadecimal digits, 128 bits: no two games share a file by chance.
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]


RULE_NAMES = {
    *("initial", "to_move", "moves", "play", "outcome"),
    *("repetition", "repetition_value", "repetition_key", "drawn_after"),
    *("split_settled", "canonical", "canonical_is_complete", "tier", "material", "lay_pieces"),
}
"""The members of a game on which the values of its states, and how they are listed, depend."""


def rules_fingerprint(game: Constant) -> str:
    """A hash of everything that the values of a game's states depend on: its fields, the members in `RULE_NAMES`, and
    all that these use. The board, notation and static evaluation are left out."""
    # Which members the rules use is only seen in their bytecode, and those use others: until no name is new.
    names = RULE_NAMES
    while True:
        seen: dict[int, tuple[int, object]] = {}
        lines = list(_describe_rules(game, names, seen))
        used = names.union(*(names_in(code) for _, code in seen.values() if isinstance(code, CodeType)))
        if used == names:
            return _hash(lines)
        names = used


def python_version() -> str:
    """Version of Python, `3.11`, on whose bytecode fingerprints depend: those of two versions cannot be compared."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _describe_rules(game: Constant, names: set[str], seen: dict[int, tuple[int, object]]) -> Iterator[str]:
    # In the order of inheritance, with the base class `Game`: an answer may come from a default there.
    owners = [owner for owner in type(game).__mro__ if not is_foreign(owner)]
    # A reference to the class itself, as by super(), adds none of its other members.
    seen |= {id(owner): (place, owner) for place, owner in enumerate(owners)}
    for owner in owners:
        yield f"class {owner.__qualname__}"
        yield from _describe_members(owner, seen, names)
    yield from _describe_fields(game, seen)


def _fields(constant: Constant) -> list[tuple[str, object]]:
    """The fields of a constant, in the order of their names, without cached properties."""
    slots = [name for owner in type(constant).__mro__ for name in getattr(owner, "__slots__", ())]
    fields = getattr(constant, "__dict__", {}) | {name: getattr(constant, name) for name in slots}
    # Without running descriptors: `getattr` would compute a property of a user's game here.
    kinds = {name: inspect.getattr_static(type(constant), name, None) for name in fields}
    return [(name, value) for name, value in sorted(fields.items()) if not isinstance(kinds[name], cached_property)]


def _describe_fields(constant: Constant, seen: dict[int, tuple[int, object]]) -> Iterator[str]:
    for name, value in _fields(constant):
        yield f"field {name}"
        yield from _describe(value, seen)


def _describe(thing: object, seen: dict[int, tuple[int, object]]) -> Iterator[str]:
    """Lines that differ whenever two things would compile differently.

    `seen` cuts cycles: the place of each thing by its id, and the thing itself, so that no id is used twice.
    """
    if isinstance(thing, bool | int | float | complex | str | bytes | None):
        # Before `seen`: small ints and texts are shared objects in CPython, by chance of the interpreter, so a
        # reference to them must not depend on where they came up first.
        yield repr(thing)
        return
    if id(thing) in seen:
        yield f"seen {seen[id(thing)][0]}"
        return
    seen[id(thing)] = len(seen), thing
    if isinstance(thing, FunctionType) and thing.__code__ is _CHECKED:
        thing = vars(thing)["__wrapped__"]
    match thing:
        case Weights():
            # Weights are data of compiled code, but values depend on them.
            yield f"weights {hashlib.sha256(array('q', thing)).hexdigest()}"
        case tuple() | list():
            yield f"{type(thing).__qualname__} {len(thing)}"
            for item in thing:
                yield from _describe(item, seen)
        case set() | frozenset():
            # The order of a set differs from process to process, with the hashes of texts.
            yield f"{type(thing).__qualname__} {sorted(map(repr, thing))}"
        case dict():
            yield from _describe(tuple(thing.items()), seen)
        case CodeType():
            # `co_code` and not the adaptive bytecode, which CPython specialises while the function runs; neither line
            # numbers nor names of files are in it.
            yield f"code {thing.co_code.hex()} {thing.co_names} {thing.co_varnames}"
            yield f"{thing.co_freevars} {thing.co_cellvars}"
            yield from _describe(_constants(thing), seen)
        case FunctionType() | type() if is_foreign(thing):
            yield f"{thing.__module__}.{thing.__qualname__}"
        case FunctionType():
            yield f"function {thing.__qualname__}"
            yield from _describe((thing.__code__, thing.__defaults__, thing.__kwdefaults__), seen)
            for cell in thing.__closure__ or ():
                yield from _describe(cell.cell_contents, seen)
            # The values too: a constant of a module changes the answers as its code does.
            for name, value in used_globals(thing):
                yield f"global {name}"
                yield from _describe(value, seen)
        case type():
            yield f"class {thing.__qualname__} {getattr(thing, '_fields', '')}"
            yield from _describe(thing.__bases__, seen)
            yield from _describe_members(thing, seen)
        case Constant():
            yield from _describe(type(thing), seen)
            yield from _describe_fields(thing, seen)
        case _ if type(thing).__module__ == "numpy" and hasattr(thing, "tobytes"):  # an array, without importing NumPy
            yield f"array {getattr(thing, 'dtype', '')} {getattr(thing, 'shape', '')} {thing.tobytes().hex()}"
        case _:
            yield f"{type(thing).__module__}.{type(thing).__qualname__} {getattr(thing, '__name__', '')}"


def _constants(code: CodeType) -> tuple[object, ...]:
    """The constants of code, with None in place of a docstring that is nothing else."""
    if not _has_docstring(code) or _loads_first_constant(code.co_code):
        return code.co_consts
    return None, *code.co_consts[1:]


def _has_docstring(code: CodeType) -> bool:
    """Whether the first constant is a docstring. Before Python 3.14 it is None in a `def` without one."""
    if sys.version_info >= (3, 14):
        return bool(code.co_flags & _HAS_DOCSTRING)
    is_def = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")  # no class body, lambda, genexpr
    return bool(is_def) and isinstance(code.co_consts[0], str)


@lru_cache(maxsize=4096)
def _loads_first_constant(code: bytes) -> bool:
    """Whether bytecode uses constant 0 as a value, which may equal the docstring."""
    for at in range(0, len(code), 2):
        # `EXTENDED_ARG` before an instruction makes its argument a larger one, of which this byte is only the lowest.
        is_extended = at > 0 and code[at - 2] == dis.EXTENDED_ARG
        if code[at] in dis.hasconst and code[at + 1] == 0 and not is_extended:
            return True
    return False


def _describe_members(
    owner: type, seen: dict[int, tuple[int, object]], names: Container[str] | None = None
) -> Iterator[str]:
    """Describe the members of a class, or only those with the given names."""
    for name, value in sorted(vars(owner).items()):
        if names is not None and name not in names:
            continue
        code = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", None) or value
        if isinstance(code, FunctionType) or not name.startswith("__"):
            yield f"member {name}"
            yield from _describe(code, seen)


def is_foreign(thing: FunctionType | type) -> bool:
    """Whether something comes from Python, its libraries for numbers or the checks of arguments, not from a game."""
    root = (thing.__module__ or "").split(".")[0]
    return root in FOREIGN or thing.__module__ == check_arguments.__module__


def used_globals(function: FunctionType) -> Iterator[tuple[str, object]]:
    """The globals that a function names, and of a module named among them the members used, as `module.member`."""
    for name in sorted(names_in(function.__code__)):
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, ModuleType):
                for member in sorted(names_in(function.__code__)):
                    if hasattr(value, member):
                        yield f"{name}.{member}", getattr(value, member)


def names_in(code: CodeType) -> set[str]:
    """The names of globals and attributes that code uses, the functions in it as well."""
    inner = [names_in(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*inner)
