"""Compiled functions as Python calls them: arguments in, results and exceptions out."""

import ctypes
from array import array
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from plyground.compiler.form import RegisterKind, reachable_functions
from plyground.compiler.frontend import FIRST_FAULT, FaultSite, lower_function
from plyground.compiler.inlining import inline_calls
from plyground.compiler.llvm import TOO_DEEP, entry_text, llvm_text, weights_in
from plyground.compiler.machine import MachineCode, ObjectCache
from plyground.compiler.source import node_of
from plyground.compiler.stack import stack_bytes
from plyground.compiler.target import native_target
from plyground.compiler.types import (
    SHORT,
    ArrayType,
    KnownType,
    OptionalType,
    TupleType,
    Type,
    VectorType,
    known_type,
    storage_of,
    word_count,
)
from plyground.constant import Constant

_call_type = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


def argument_type(value: object) -> Type:
    """The type for which a function is specialised when it is called with a value.

    Raises:
        TypeError: compiled code takes no such values.
    """
    if isinstance(value, Constant) or value is None:
        return known_type(value)
    if isinstance(value, bool):
        return RegisterKind.BOOL
    if isinstance(value, int):
        return RegisterKind.INT
    if isinstance(value, float):
        return RegisterKind.FLOAT
    if isinstance(value, memoryview):
        return RegisterKind.ADDRESS
    if isinstance(value, tuple):
        if type(value) is tuple and len(value) > SHORT and all(isinstance(item, int) for item in value):
            return ArrayType(len(value))
        return TupleType(type(value), tuple(map(argument_type, value)))
    raise TypeError(f"{value!r} is nothing that compiled code takes: it takes ints, tuples of ints, games and memory")


class NativeFunction:
    """A function as machine code, for arguments of the types of a sample.

    Raises:
        NotCompilable: it has no compiled form.
        NoSource: its source cannot be read, or was changed.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *sample: object,
        is_checked: bool = True,
        objects: ObjectCache | None = None,
    ) -> None:
        assert isinstance(function, FunctionType)
        names = [each.arg for each in node_of(function).args.args]
        self.types = {name: argument_type(value) for name, value in zip(names, sample, strict=True)}
        target = native_target()
        unit, made = lower_function(function, self.types, target, is_checked)
        inline_calls(made.form)
        self.faults: list[FaultSite] = unit.faults
        self.form = reachable_functions(made.form)
        self.text = llvm_text(self.form, [entry_text(made.form)], target)
        self.machine = MachineCode(self.text, weights_in(self.form), objects)
        assert made.result is not None
        self.result = made.result
        self._start = _call_type(self.machine.address)
        self._packers = [_packer(kind) for kind in self.types.values()]
        self._rows = [part for part in storage_of(self.result) if not isinstance(part, RegisterKind)]
        self._count = len(made.form.results)

    def __call__(self, *args: object) -> Any:
        owners: list[Any] = []
        words: list[int] = []
        for pack, value in zip(self._packers, args, strict=True):
            pack(value, words, owners)
        rows = [array("q", bytes(8 * word_count(part))) for part in self._rows]
        words += [row.buffer_info()[0] for row in rows]
        arguments = array("q", words) if words else array("q", [0])
        results = array("q", bytes(8 * self._count + 8))
        start = arguments.buffer_info()[0]
        status = self._start(start, results.buffer_info()[0], stack_bytes())
        if status:
            self._raise(status)
        return _unpack_result(self.result, iter(results), iter(rows))

    def _raise(self, status: int) -> None:
        if status == TOO_DEEP:
            raise RecursionError("a line of calls is too deep for the stack of compiled code")
        site = self.faults[status - FIRST_FAULT]
        error = site.exception()
        error.compiled_at = site  # type: ignore[attr-defined]
        raise error


def _packer(kind: Type) -> Callable[[Any, list[int], list[Any]], None]:
    """A function that appends the words of a value of a type, and the owners of memory to which these point."""

    def pack_nothing(value: Any, words: list[int], owners: list[Any]) -> None:
        pass

    def pack_int(value: Any, words: list[int], owners: list[Any]) -> None:
        words.append(value)

    def pack_float(value: Any, words: list[int], owners: list[Any]) -> None:
        words.append(array("q", array("d", [value]).tobytes())[0])

    def pack_memory(value: Any, words: list[int], owners: list[Any]) -> None:
        block = (ctypes.c_char * 0).from_buffer(value)
        owners.append(block)
        words.append(ctypes.addressof(block))

    def pack_row(value: Any, words: list[int], owners: list[Any]) -> None:
        block = array("q", value)
        owners.append(block)
        words.append(block.buffer_info()[0])

    match kind:
        case RegisterKind.INT | RegisterKind.BOOL:
            return pack_int
        case RegisterKind.FLOAT:
            return pack_float
        case RegisterKind.ADDRESS:
            return pack_memory
        case ArrayType():
            return pack_row
        case TupleType():
            if all(item in (RegisterKind.INT, RegisterKind.BOOL) for item in kind.items):
                return lambda value, words, owners: words.extend(value)
            parts = [_packer(item) for item in kind.items]

            def pack_tuple(value: Any, words: list[int], owners: list[Any]) -> None:
                for part, item in zip(parts, value, strict=True):
                    part(item, words, owners)

            return pack_tuple
    return pack_nothing


def _unpack_result(kind: Type, words: Iterator[int], rows: Iterator[Any]) -> Any:
    match kind:
        case RegisterKind.INT:
            return next(words)
        case RegisterKind.BOOL:
            return bool(next(words))
        case RegisterKind.FLOAT:
            return array("d", array("q", [next(words)]).tobytes())[0]
        case KnownType():
            return kind.value
        case ArrayType():
            return tuple(next(rows))
        case VectorType():
            row = next(rows)
            items = row[1 : row[0] + 1]
            return tuple(items) if kind.shape == "tuple" else set(items) if kind.shape == "set" else list(items)
        case TupleType():
            items = [_unpack_result(item, words, rows) for item in kind.items]
            return kind.cls(*items) if hasattr(kind.cls, "_fields") else kind.cls(items)
        case OptionalType():
            is_there, value = next(words), _unpack_result(kind.inner, words, rows)
            return value if is_there else None
    raise TypeError
