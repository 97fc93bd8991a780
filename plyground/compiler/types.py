"""Values as the compiler knows them, and their types, for which functions are specialised.

A `KnownObject` is known when compiling: the game, its options, functions, many an int. The rest are registers, and
tuples of both. A tuple is a value, as in Python: a short one is a register for each int; a long one, an `Array`, lies
in the frame, is written once and copied where a loop needs it in memory of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from plyground.compiler.form import ConstantOperand, Operand, Register, RegisterKind

MOST_ITEMS_IN_REGISTERS = 8
"""Most ints of a tuple that is held in registers: of a longer one an item is faster loaded than selected."""


# Values are compared by identity (`eq=False`): equal fields do not make two values one, for their registers may have
# been set on different ways. Whether a join needs a cell, `builder._is_same_value` decides.
@dataclass(frozen=True, slots=True, eq=False)
class KnownObject:
    """Python object that is known at compile time."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class TupleValue:
    """Tuple or NamedTuple, held as a value for each item."""

    cls: type
    items: "tuple[Value, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """Tuple of many ints, or the weights of an evaluation, held in memory."""

    address: Operand
    length: int


@dataclass(frozen=True, slots=True, eq=False)
class OptionalValue:
    """Value that is present where its flag is true."""

    flag: Operand
    value: "Value"
    is_none: bool
    """Whether an absent value is None; else its name has no value yet."""


@dataclass(frozen=True, slots=True, eq=False)
class IntVector:
    """Mutable list or set of ints, or a tuple of unknown length: in memory its length, then its items."""

    address: Operand
    capacity: int
    shape: str = "list"
    length: int | None = None
    """The length of a list that never grows or shrinks, else None."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownChoice:
    """One of several known objects, such as texts or rows of different lengths, selected by an index at run time."""

    options: tuple[Any, ...]
    index: Operand


@dataclass(slots=True, eq=False)
class LazyIterable:
    """Iterable whose items are computed in the loop that walks it: a generator, a range, `enumerate` or the like."""

    kind: str
    parts: tuple[Any, ...]
    loop_depth: int = 0
    """Loops around the place where it was made."""
    is_used: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """Bound method: its owner, and a function or the name of a method of a built-in type."""

    function: Any
    owner: "Value"


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """Function that is defined within another; each call of it is inlined."""

    node: Any
    frame: Any


Value = (
    KnownObject
    | Register
    | TupleValue
    | Array
    | OptionalValue
    | IntVector
    | KnownChoice
    | LazyIterable
    | Method
    | Closure
)


# -- types ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KnownType:
    """Type of one known value; two are equal if their keys are."""

    key: object
    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KnownType) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class TupleType:
    """The type of tuples whose items have these types."""

    cls: type
    items: "tuple[Type, ...]"


@dataclass(frozen=True, slots=True)
class ArrayType:
    """The type of tuples of `length` ints in memory."""

    length: int


@dataclass(frozen=True, slots=True)
class OptionalType:
    """The type of an optional value."""

    inner: "Type"
    is_none: bool


@dataclass(frozen=True, slots=True)
class VectorType:
    """The type of lists of at most `capacity` ints."""

    capacity: int
    shape: str
    length: int | None


@dataclass(frozen=True, slots=True)
class ChoiceType:
    """The type of a choice among known objects."""

    options: KnownType


Type = RegisterKind | KnownType | TupleType | ArrayType | OptionalType | VectorType | ChoiceType


class TypeMismatch(Exception):
    """No type can hold both values, or a value has no type."""


def known_type(value: Any) -> KnownType:
    """The type of a known value; numbers, texts and tuples of them are compared by kind and value."""
    return KnownType(_comparison_key(value), value)


def _comparison_key(value: Any) -> object:
    # The kind belongs to the key: 1, 1.0 and True are equal in Python, and compile to different code.
    if isinstance(value, int | float | str | bytes | None):
        return type(value), value
    if isinstance(value, tuple | list):
        return type(value), tuple(map(_comparison_key, value))
    try:
        return (type(value), value) if not isinstance(value, FunctionType) else (id(value),)
    except TypeError:
        # A value without a hash is compared by identity; the type keeps the value, so no other object gets its id.
        return (id(value),)


def type_of(value: Value) -> Type:
    """The type of a value."""
    match value:
        case KnownObject():
            return known_type(value.value)
        case Register():
            return value.kind
        case TupleValue():
            return TupleType(value.cls, tuple(map(type_of, value.items)))
        case Array():
            return ArrayType(value.length)
        case OptionalValue():
            return OptionalType(type_of(value.value), value.is_none)
        case KnownChoice():
            return ChoiceType(known_type(value.options))
        case IntVector():
            return VectorType(value.capacity, value.shape, value.length)
        case _:
            raise TypeMismatch


def storage_of(kind: Type) -> "Iterator[RegisterKind | ArrayType | VectorType]":
    """Types of the parts that store a value, in a fixed order: each register, and each row of ints in memory."""
    match kind:
        case RegisterKind() | ArrayType() | VectorType():
            yield kind
        case TupleType():
            for item in kind.items:
                yield from storage_of(item)
        case OptionalType():
            yield RegisterKind.BOOL
            yield from storage_of(kind.inner)
        case ChoiceType():
            yield RegisterKind.INT
        case KnownType():
            pass


def register_kinds(kind: Type) -> list[RegisterKind]:
    """Kinds of the registers that hold a value of a type; a row is held by its address."""
    return [part if isinstance(part, RegisterKind) else RegisterKind.ADDRESS for part in storage_of(kind)]


def word_count(kind: ArrayType | VectorType) -> int:
    """Ints that a row takes in memory, its length included if it may grow."""
    return kind.length if isinstance(kind, ArrayType) else kind.capacity + 1


def build_value(kind: Type, registers: Iterator[Operand]) -> Value:
    """Build a value of a type from its operands."""
    match kind:
        case RegisterKind():
            return as_value(next(registers))
        case KnownType():
            return KnownObject(kind.value)
        case TupleType():
            return TupleValue(kind.cls, tuple([build_value(item, registers) for item in kind.items]))
        case ArrayType():
            return Array(next(registers), kind.length)
        case ChoiceType():
            return KnownChoice(kind.options.value, next(registers))
        case VectorType():
            return IntVector(next(registers), kind.capacity, kind.shape, kind.length)
        # The order of the parts is that in which `build_value` takes them and `Builder.coerce` gives them: the flag
        # first.
        case OptionalType():
            return OptionalValue(next(registers), build_value(kind.inner, registers), kind.is_none)


def as_value(operand: Operand) -> Value:
    """Convert an operand to a value; a constant becomes a known object again, so that folding goes on."""
    if isinstance(operand, Register):
        return operand
    return KnownObject(bool(operand.value) if operand.kind is RegisterKind.BOOL else operand.value)


def is_long_row(items: tuple[Any, ...] | list[Any]) -> bool:
    """Whether a known tuple, of no class with names, is one of many ints, which lie in memory."""
    return (
        len(items) > MOST_ITEMS_IN_REGISTERS
        and not hasattr(items, "_fields")
        and all(isinstance(item, int) for item in items)
    )


def widen_type(kind: Type) -> Type:
    """Widen known numbers in a type to all of their kind, as needed for what changes in a loop or in recursion."""
    match kind:
        case KnownType(value=bool()):
            return RegisterKind.BOOL
        case KnownType(value=int()):
            return RegisterKind.INT
        case KnownType(value=float()):
            return RegisterKind.FLOAT
        case KnownType(value=tuple() | list() as items):
            if is_long_row(items):
                return ArrayType(len(items))
            return TupleType(type(items), tuple(widen_type(known_type(item)) for item in items))
        case TupleType():
            return TupleType(kind.cls, tuple(map(widen_type, kind.items)))
        case OptionalType():
            return OptionalType(widen_type(kind.inner), kind.is_none)
    return kind


def join_types(left: Type, right: Type) -> Type:
    """The least type that can hold values of both types.

    Raises:
        Mismatch: no type can.
    """
    if left == right:
        return left
    for one, other in ((left, right), (right, left)):
        if isinstance(one, KnownType) and one.value is None and not isinstance(other, OptionalType):
            return OptionalType(widen_type(other), True)
        if isinstance(one, OptionalType):
            if isinstance(other, OptionalType) and one.is_none == other.is_none:
                return OptionalType(join_types(one.inner, other.inner), one.is_none)
            # One may be None, the other not be set: a single flag cannot tell both, so no type holds the two.
            if isinstance(other, OptionalType):
                break
            if isinstance(other, KnownType) and other.value is None and one.is_none:
                return one
            return OptionalType(join_types(one.inner, other), one.is_none)
    # Known items that agree stay known: (1, x) and (1, y) join to a tuple whose first item is still the constant 1.
    left, right = _loosen_known(left), _loosen_known(right)
    if left == right:
        return left
    if isinstance(left, RegisterKind) and isinstance(right, RegisterKind):
        # A bool is an int in Python; an int is no float, though they compare equal: its digits beyond 53 bits would be
        # lost.
        if {left, right} == {RegisterKind.INT, RegisterKind.BOOL}:
            return RegisterKind.INT
        raise TypeMismatch
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        if left.cls is not right.cls or len(left.items) != len(right.items):
            raise TypeMismatch
        return TupleType(left.cls, tuple(map(join_types, left.items, right.items)))
    for one, other in ((left, right), (right, left)):
        is_alike = isinstance(one, ArrayType) and isinstance(other, TupleType) and other.cls is tuple
        if is_alike and len(other.items) == one.length:  # type: ignore[union-attr]
            return one
        if isinstance(one, VectorType) and isinstance(other, VectorType) and one.shape == other.shape:
            return VectorType(
                min(one.capacity, other.capacity), one.shape, one.length if one.length == other.length else None
            )
    raise TypeMismatch


def _loosen_known(kind: Type) -> Type:
    """Widen the type of a known number or tuple, but not those of the tuple's items."""
    match kind:
        case KnownType(value=tuple() | list() as items) if not is_long_row(items):
            return TupleType(type(items), tuple(map(known_type, items)))
    return widen_type(kind)


def describe_type(kind: Type) -> str:
    """Describe a type in a few words, for messages."""
    match kind:
        case RegisterKind():
            return {"int": "an int", "bool": "a bool", "float": "a float", "address": "a Memory"}[kind.value]
        case KnownType(value=None):
            return "None"
        case ChoiceType():
            return "one of several constants"
        case KnownType(value=int() | float() | tuple() | list()):
            return describe_type(widen_type(kind))
        case KnownType():
            return f"{type(kind.value).__name__} {getattr(kind.value, '__name__', '')}".strip()
        case TupleType():
            name = "tuple" if kind.cls is tuple else kind.cls.__name__
            return f"a {name} of {len(kind.items)}"
        case ArrayType():
            return f"a tuple of {kind.length}"
        case VectorType():
            return "a tuple whose length is not known" if kind.shape == "tuple" else f"a {kind.shape}"
        case OptionalType():
            return f"None or {describe_type(kind.inner)}" if kind.is_none else describe_type(kind.inner)


def as_operand(value: Operand | int | float) -> Operand:
    """Convert a number to a constant operand; operands stay as they are."""
    if isinstance(value, Register | ConstantOperand):
        return value
    number = RegisterKind.INT if isinstance(value, int) else RegisterKind.FLOAT
    return ConstantOperand(value, RegisterKind.BOOL if isinstance(value, bool) else number)
