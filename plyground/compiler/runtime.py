"""Compiled functions as Python calls them: arguments in, results and exceptions out."""

from array import array
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from plyground.compiler.backends.backend import Backend, usual_backend
from plyground.compiler.form import FIRST_FAULT, TOO_DEEP, FunctionForm, RegisterKind, reachable_functions
from plyground.compiler.frontend import FaultSite, lower_function
from plyground.compiler.optimisation.inlining import inline_calls
from plyground.compiler.source import node_of
from plyground.compiler.target import WEBASSEMBLY, Target
from plyground.compiler.types import (
    MOST_ITEMS_IN_REGISTERS,
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

if TYPE_CHECKING:
    from plyground.compiler.backends.machine import MachineCode, ObjectCache
    from plyground.compiler.backends.wasm_code import WebAssemblyCode

    Code = MachineCode | WebAssemblyCode


def argument_type(value: object) -> Type:
    """The type for which a function is specialised when it is called with a value.

    Raises:
        TypeError: compiled code takes no such values.
    """
    if isinstance(value, Constant) or value is None:
        return known_type(value)
    # Before int: a bool is one in Python.
    if isinstance(value, bool):
        return RegisterKind.BOOL
    if isinstance(value, int):
        return RegisterKind.INT
    if isinstance(value, float):
        return RegisterKind.FLOAT
    if isinstance(value, memoryview):
        return RegisterKind.ADDRESS
    if isinstance(value, tuple):
        if (
            type(value) is tuple
            and len(value) > MOST_ITEMS_IN_REGISTERS
            and all(isinstance(item, int) for item in value)
        ):
            return ArrayType(len(value))
        return TupleType(type(value), tuple(map(argument_type, value)))
    raise TypeError(f"{value!r} is nothing that compiled code takes: it takes ints, tuples of ints, games and memory")


class CompiledFunction:
    """A function as machine code or WebAssembly, for arguments of the types of a sample.

    Raises:
        NotCompilable: it has no compiled form.
        NoSource: its source cannot be read, or was changed.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *sample: object,
        is_checked: bool = True,
        objects: "ObjectCache | None" = None,
        backend: Backend | None = None,
    ) -> None:
        assert isinstance(function, FunctionType)
        backend = backend or usual_backend()
        names = [each.arg for each in node_of(function).args.args]
        self.types = {name: argument_type(value) for name, value in zip(names, sample, strict=True)}
        unit, made = lower_function(function, self.types, _target(backend), is_checked)
        inline_calls(made.form)
        self.faults: list[FaultSite] = unit.faults
        self.form = reachable_functions(made.form)
        self.code = _make_code(made.form, backend, objects)
        assert made.result is not None
        self.result = made.result
        self._packers = [_packer_for(kind) for kind in self.types.values()]
        self._result_rows = [part for part in storage_of(self.result) if not isinstance(part, RegisterKind)]
        self._result_count = len(made.form.results)

    def __call__(self, *args: object) -> Any:
        # Code gets addresses alone, so the owners of the memory are kept here until the call has returned.
        owners: list[Any] = []
        words: list[int] = []
        for pack, value in zip(self._packers, args, strict=True):
            pack(self.code, value, words, owners)
        rows = [self.code.buffer(word_count(part)) for part in self._result_rows]
        words += [address for _, address in rows]
        # At least one int each: a buffer of none would have no address. `array` raises OverflowError for an int that
        # does not fit 64 bits, before any code runs.
        arguments, start = self.code.buffer(len(words) or 1)
        arguments[: len(words)] = array("q", words)
        results, end = self.code.buffer(self._result_count + 1)
        status = self.code.run(start, end)
        for owner in owners:
            if isinstance(owner, tuple) and not owner[0].readonly:  # what compiled code read and wrote was a copy
                owner[0][:] = owner[1]
        if status:
            self._raise(status)
        return _unpack_result(self.result, iter(results), iter([row for row, _ in rows]))

    def _raise(self, status: int) -> None:
        if status == TOO_DEEP:
            raise RecursionError("a line of calls is too deep for the stack of compiled code")
        site = self.faults[status - FIRST_FAULT]
        error = site.exception()
        # `compiled/kernel.py` names the line of the rule by it: a compiled frame is in no traceback.
        error.compiled_at = site  # type: ignore[attr-defined]
        raise error


def _target(backend: Backend | None) -> Target:
    if backend is not Backend.LLVM:
        return WEBASSEMBLY
    from plyground.compiler.backends.machine import native_target

    return native_target()


def _make_code(entry: FunctionForm, backend: Backend | None, objects: "ObjectCache | None") -> "Code":
    if backend is Backend.LLVM:
        from plyground.compiler.backends.machine import MachineCode

        return MachineCode(entry, objects)
    from plyground.compiler.backends.wasm_code import WebAssemblyCode

    return WebAssemblyCode(entry)


Packer = Callable[["Code", Any, list[int], list[Any]], None]
"""Function that appends the words of a value for compiled code, and the owners of the memory to which they point."""


def _packer_for(kind: Type) -> Packer:
    """Select the packer for values of a type."""

    def pack_nothing(code: "Code", value: Any, words: list[int], owners: list[Any]) -> None:
        pass

    def pack_int(code: "Code", value: Any, words: list[int], owners: list[Any]) -> None:
        words.append(value)

    def pack_float(code: "Code", value: Any, words: list[int], owners: list[Any]) -> None:
        words.append(array("q", array("d", [value]).tobytes())[0])

    def pack_memory(code: "Code", value: Any, words: list[int], owners: list[Any]) -> None:
        address = code.address_of(value)
        # Memory beyond the reach of WebAssembly is copied there and, after the call, back.
        if address is None:
            copy, address = code.buffer(len(value))
            copy[:] = value
            owners.append((value, copy))
        else:
            owners.append(value)
        words.append(address)

    def pack_row(code: "Code", value: Any, words: list[int], owners: list[Any]) -> None:
        block, address = code.buffer(len(value))
        block[:] = array("q", value)
        owners.append(block)
        words.append(address)

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
            # Most states are such tuples, and are packed for each call: one `extend` in place of a call for each item.
            if all(item in (RegisterKind.INT, RegisterKind.BOOL) for item in kind.items):
                return lambda code, value, words, owners: words.extend(value)
            parts = [_packer_for(item) for item in kind.items]

            def pack_tuple(code: "Code", value: Any, words: list[int], owners: list[Any]) -> None:
                for part, item in zip(parts, value, strict=True):
                    part(code, item, words, owners)

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
            # The words of an absent value are read all the same, so that the next part begins at its own.
            is_there, value = next(words), _unpack_result(kind.inner, words, rows)
            return value if is_there else None
    raise TypeError
