"""Values as the compiler knows them, and their types: what a function is compiled for once.

What is known when compiling is `Known`: the game, its options, functions, many an int. The rest are registers, and
tuples of both. A tuple is a value, as in Python: a short one is a register for each int; a long one, an `Array`, lies
in the frame, is written once and copied where a loop needs it in a place of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from plyground.compiler.form import ConstantOperand, Operand, Register, RegisterKind

SHORT = 8
"""Most ints of a tuple that are held in registers; of a longer one the item at a place is sooner read than chosen."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownObject:
    """A Python object that is known when compiling."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Tuple:
    """A tuple, or NamedTuple, of values."""

    cls: type
    items: "tuple[Value, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """A tuple of many ints, which lie in a row in memory."""

    address: Operand
    length: int


@dataclass(frozen=True, slots=True, eq=False)
class Perhaps:
    """A value that is None, or not there yet, where its flag is false."""

    flag: Operand
    value: "Value"
    is_none: bool
    """Whether it is then None; else its name has no value yet."""


@dataclass(frozen=True, slots=True, eq=False)
class GrowingRow:
    """A list of ints that changes, a set, or a tuple made of one: a place in memory with its length, then its items."""

    address: Operand
    room: int
    shape: str = "list"
    length: int | None = None
    """The length of a list that never grows, else None."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownChoice:
    """One of several known objects, such as rows of different lengths or texts, told apart by a place."""

    options: tuple[Any, ...]
    at: Operand


@dataclass(slots=True, eq=False)
class Lazy:
    """An iterable whose items are made where it is walked: a generator, a range, `enumerate`, `zip` and the like."""

    kind: str
    parts: tuple[Any, ...]
    depth: int = 0
    """Number of loops around the place where it was made."""
    is_used: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """A function with its first argument."""

    function: Any
    owner: "Value"


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function that is defined in another: put where it is called."""

    node: Any
    frame: Any


Value = KnownObject | Register | Tuple | Array | Perhaps | GrowingRow | KnownChoice | Lazy | Method | Closure


# -- types ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KnownType:
    """The type of one known value."""

    key: object
    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KnownType) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class TupleType:
    """The type of tuples of these types."""

    cls: type
    items: "tuple[Type, ...]"


@dataclass(frozen=True, slots=True)
class ArrayType:
    """The type of tuples of so many ints in memory."""

    length: int


@dataclass(frozen=True, slots=True)
class PerhapsType:
    """The type of a value that may be None, or not be there."""

    inner: "Type"
    is_none: bool


@dataclass(frozen=True, slots=True)
class RowType:
    """Type of a list with room for `room` ints."""

    room: int
    shape: str
    length: int | None


@dataclass(frozen=True, slots=True)
class ChosenType:
    """The type of one of several known objects."""

    options: KnownType


Type = RegisterKind | KnownType | TupleType | ArrayType | PerhapsType | RowType | ChosenType


class Mismatch(Exception):
    """Two values have no type in common."""


def known_type(value: Any) -> KnownType:
    """The type of a known value: by equality and kind for ints and tuples of them, else by what it is."""
    return KnownType(_key(value), value)


def _key(value: Any) -> object:
    if isinstance(value, int | float | str | bytes | None):
        return type(value), value
    if isinstance(value, tuple | list):
        return type(value), tuple(map(_key, value))
    try:
        return (type(value), value) if not isinstance(value, FunctionType) else (id(value),)
    except TypeError:
        return (id(value),)


def type_of(value: Value) -> Type:
    """The type of a value."""
    match value:
        case KnownObject():
            return known_type(value.value)
        case Register():
            return value.kind
        case Tuple():
            return TupleType(value.cls, tuple(map(type_of, value.items)))
        case Array():
            return ArrayType(value.length)
        case Perhaps():
            return PerhapsType(type_of(value.value), value.is_none)
        case KnownChoice():
            return ChosenType(known_type(value.options))
        case GrowingRow():
            return RowType(value.room, value.shape, value.length)
        case _:
            raise Mismatch


def parts_of(kind: Type) -> "Iterator[RegisterKind | ArrayType | RowType]":
    """The types of what holds a value of a type: of each register, and of each row of ints in memory."""
    match kind:
        case RegisterKind() | ArrayType() | RowType():
            yield kind
        case TupleType():
            for item in kind.items:
                yield from parts_of(item)
        case PerhapsType():
            yield RegisterKind.BOOL
            yield from parts_of(kind.inner)
        case ChosenType():
            yield RegisterKind.INT
        case KnownType():
            pass


def kinds_of(kind: Type) -> list[RegisterKind]:
    """The kinds of the registers that hold a value of a type."""
    return [part if isinstance(part, RegisterKind) else RegisterKind.ADDRESS for part in parts_of(kind)]


def words_in(kind: ArrayType | RowType) -> int:
    """Ints that a row takes in memory."""
    return kind.length if isinstance(kind, ArrayType) else kind.room + 1


def value_of(kind: Type, registers: Iterator[Operand]) -> Value:
    """A value of a type in these registers."""
    match kind:
        case RegisterKind():
            return as_value(next(registers))
        case KnownType():
            return KnownObject(kind.value)
        case TupleType():
            return Tuple(kind.cls, tuple([value_of(item, registers) for item in kind.items]))
        case ArrayType():
            return Array(next(registers), kind.length)
        case ChosenType():
            return KnownChoice(kind.options.value, next(registers))
        case RowType():
            return GrowingRow(next(registers), kind.room, kind.shape, kind.length)
        case PerhapsType():
            return Perhaps(next(registers), value_of(kind.inner, registers), kind.is_none)


def as_value(operand: Operand) -> Value:
    """An operand as a value."""
    if isinstance(operand, Register):
        return operand
    return KnownObject(bool(operand.value) if operand.kind is RegisterKind.BOOL else operand.value)


def widened(kind: Type) -> Type:
    """The type without known ints: what changes in a loop, or in calls of itself."""
    match kind:
        case KnownType(value=bool()):
            return RegisterKind.BOOL
        case KnownType(value=int()):
            return RegisterKind.INT
        case KnownType(value=float()):
            return RegisterKind.FLOAT
        case KnownType(value=tuple() | list() as items):
            if len(items) > SHORT and all(isinstance(item, int) for item in items):
                return ArrayType(len(items))
            return TupleType(type(items), tuple(widened(known_type(item)) for item in items))
        case TupleType():
            return TupleType(kind.cls, tuple(map(widened, kind.items)))
        case PerhapsType():
            return PerhapsType(widened(kind.inner), kind.is_none)
    return kind


def joined(left: Type, right: Type) -> Type:
    """The least type that holds values of both.

    Raises:
        Mismatch: there is none.
    """
    if left == right:
        return left
    for one, other in ((left, right), (right, left)):
        if isinstance(one, KnownType) and one.value is None and not isinstance(other, PerhapsType):
            return PerhapsType(widened(other), True)
        if isinstance(one, PerhapsType):
            if isinstance(other, PerhapsType) and one.is_none == other.is_none:
                return PerhapsType(joined(one.inner, other.inner), one.is_none)
            if isinstance(other, PerhapsType):
                break
            if isinstance(other, KnownType) and other.value is None and one.is_none:
                return one
            return PerhapsType(joined(one.inner, other), one.is_none)
    left, right = _opened(left), _opened(right)
    if left == right:
        return left
    if isinstance(left, RegisterKind) and isinstance(right, RegisterKind):
        if {left, right} == {RegisterKind.INT, RegisterKind.BOOL}:
            return RegisterKind.INT
        raise Mismatch
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        if left.cls is not right.cls or len(left.items) != len(right.items):
            raise Mismatch
        return TupleType(left.cls, tuple(map(joined, left.items, right.items)))
    for one, other in ((left, right), (right, left)):
        is_alike = isinstance(one, ArrayType) and isinstance(other, TupleType) and other.cls is tuple
        if is_alike and len(other.items) == one.length:  # type: ignore[union-attr]
            return one
        if isinstance(one, RowType) and isinstance(other, RowType) and one.shape == other.shape:
            return RowType(min(one.room, other.room), one.shape, one.length if one.length == other.length else None)
    raise Mismatch


def _opened(kind: Type) -> Type:
    """A known int or tuple as a type that others may have, too; its items stay known."""
    match kind:
        case KnownType(value=tuple() | list() as items) if not (
            len(items) > SHORT and all(isinstance(item, int) for item in items)
        ):
            return TupleType(type(items), tuple(map(known_type, items)))
    return widened(kind)


def in_words(kind: Type) -> str:
    """A type in a few words, for messages."""
    match kind:
        case RegisterKind():
            return {"int": "an int", "bool": "a bool", "float": "a float", "address": "a Memory"}[kind.value]
        case KnownType(value=None):
            return "None"
        case ChosenType():
            return "one of several constants"
        case KnownType(value=int() | float() | tuple() | list()):
            return in_words(widened(kind))
        case KnownType():
            return f"{type(kind.value).__name__} {getattr(kind.value, '__name__', '')}".strip()
        case TupleType():
            name = "tuple" if kind.cls is tuple else kind.cls.__name__
            return f"a {name} of {len(kind.items)}"
        case ArrayType():
            return f"a tuple of {kind.length}"
        case RowType():
            return "a tuple whose length is not known" if kind.shape == "tuple" else f"a {kind.shape}"
        case PerhapsType():
            return f"None or {in_words(kind.inner)}" if kind.is_none else in_words(kind.inner)


def constant(value: int | float) -> ConstantOperand:
    """A number as an operand."""
    kind = (
        RegisterKind.BOOL
        if isinstance(value, bool)
        else RegisterKind.INT
        if isinstance(value, int)
        else RegisterKind.FLOAT
    )
    return ConstantOperand(value, kind)


def leaves(value: Value, fetch: Callable[[Array], Sequence[Value]]) -> Iterator[Value]:
    """The ints of a tuple and of the tuples in it, in their order."""
    match value:
        case Tuple():
            for item in value.items:
                yield from leaves(item, fetch)
        case Array():
            yield from fetch(value)
        case KnownObject(value=tuple() as items):
            for item in items:
                yield from leaves(KnownObject(item), fetch)
        case _:
            yield value
