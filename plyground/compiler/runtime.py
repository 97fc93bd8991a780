"""Compiled functions as Python calls them: arguments in, results and exceptions out."""

import ctypes
from array import array
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final

from plyground.compiler.expressions import Overflow, Uncovered
from plyground.compiler.form import RegisterKind
from plyground.compiler.frontend import FIRST_FAULT, FaultSite, compiled_form
from plyground.compiler.llvm import TOO_DEEP, Machine, llvm_text
from plyground.compiler.opening import opened
from plyground.compiler.source import node_of
from plyground.compiler.types import (
    SHORT,
    ArrayType,
    KnownType,
    PerhapsType,
    RowType,
    TupleType,
    Type,
    kinds_of,
    known_type,
    parts_of,
    words_in,
)
from plyground.constant import Constant

STACK: Final = 5 << 20
"""Bytes of the stack that a call may use; most threads have 8 MiB."""

_call_type = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


def pattern_of(value: object) -> Type:
    """The type for which a function is compiled to be called with a value.

    Raises:
        TypeError: it is none that compiled code takes.
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
        return TupleType(type(value), tuple(map(pattern_of, value)))
    raise TypeError(f"{value!r} is nothing that compiled code takes: it takes ints, tuples of ints, games and memory")


class Native:
    """A function as machine code, for arguments like those given when it was made; called with any such."""

    def __init__(
        self,
        function: Callable[..., Any],
        *sample: object,
        is_checked: bool = True,
        stack: int = STACK,
        opens: bool = True,
    ) -> None:
        assert isinstance(function, FunctionType)
        names = [each.arg for each in node_of(function).args.args]
        self.types = {name: pattern_of(value) for name, value in zip(names, sample, strict=True)}
        program, made = compiled_form(function, self.types, is_checked)
        if opens:
            opened(made.form)
        self.faults: list[FaultSite] = program.faults
        self.form = program.functions(made.form)
        self.text = llvm_text(self.form, made.form)
        self.machine = Machine(self.text)
        assert made.result is not None
        self.result = made.result
        self._start = _call_type(self.machine.address)
        self._packers = [_packer(kind) for kind in self.types.values()]
        self._rows = [part for part in parts_of(self.result) if not isinstance(part, RegisterKind)]
        self._count = len(made.form.results)
        self._stack = stack

    def __call__(self, *args: object) -> Any:
        held: list[Any] = []
        words: list[int] = []
        for pack, value in zip(self._packers, args, strict=True):
            pack(value, words, held)
        rooms = [array("q", bytes(8 * words_in(part))) for part in self._rows]
        words += [room.buffer_info()[0] for room in rooms]
        given = array("q", words) if words else array("q", [0])
        results = array("q", bytes(8 * self._count + 8))
        here = given.buffer_info()[0]
        status = self._start(here, results.buffer_info()[0], stack_here() - self._stack)
        if status:
            self._raise(status)
        return _unpacked(self.result, iter(results), iter(rooms))

    def _raise(self, status: int) -> None:
        if status == TOO_DEEP:
            raise RecursionError("a line of calls is too deep for the stack of compiled code")
        site = self.faults[status - FIRST_FAULT]
        try:
            error = site.error(*site.args)
        except TypeError:  # it takes arguments that were not known when compiling
            error = site.error.__new__(site.error)
        error.compiled_at = site  # type: ignore[attr-defined]
        raise error


def stack_here() -> int:
    """An address near the top of this thread's stack."""
    return int(_frame_address()())


def _packer(kind: Type) -> Callable[[Any, list[int], list[Any]], None]:
    """A function that appends the words of a value of a type."""

    def nothing(value: Any, words: list[int], held: list[Any]) -> None:
        pass

    def number(value: Any, words: list[int], held: list[Any]) -> None:
        words.append(value)

    def real(value: Any, words: list[int], held: list[Any]) -> None:
        words.append(array("q", array("d", [value]).tobytes())[0])

    def address(value: Any, words: list[int], held: list[Any]) -> None:
        block = (ctypes.c_char * 0).from_buffer(value)
        held.append(block)
        words.append(ctypes.addressof(block))

    def row(value: Any, words: list[int], held: list[Any]) -> None:
        block = array("q", value)
        held.append(block)
        words.append(block.buffer_info()[0])

    match kind:
        case RegisterKind.INT | RegisterKind.BOOL:
            return number
        case RegisterKind.FLOAT:
            return real
        case RegisterKind.ADDRESS:
            return address
        case ArrayType():
            return row
        case TupleType():
            if all(item in (RegisterKind.INT, RegisterKind.BOOL) for item in kind.items):
                return lambda value, words, held: words.extend(value)
            parts = [_packer(item) for item in kind.items]

            def tuple_(value: Any, words: list[int], held: list[Any]) -> None:
                for part, item in zip(parts, value, strict=True):
                    part(item, words, held)

            return tuple_
    return nothing


def _unpacked(kind: Type, words: Iterator[int], rooms: Iterator[Any]) -> Any:
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
            return tuple(next(rooms))
        case RowType():
            room = next(rooms)
            items = room[1 : room[0] + 1]
            return tuple(items) if kind.shape == "tuple" else set(items) if kind.shape == "set" else list(items)
        case TupleType():
            items = [_unpacked(item, words, rooms) for item in kind.items]
            return kind.cls(*items) if hasattr(kind.cls, "_fields") else kind.cls(items)
        case PerhapsType():
            is_there, value = next(words), _unpacked(kind.inner, words, rooms)
            return value if is_there else None
    raise TypeError


_frame: list[Any] = []


def _frame_address() -> Any:
    if not _frame:
        text = """
        declare ptr @llvm.frameaddress.p0(i32)
        define i64 @entry() { %a = call ptr @llvm.frameaddress.p0(i32 0)
        %b = ptrtoint ptr %a to i64
        ret i64 %b }"""
        machine = Machine(text, level=0)
        _frame.extend([ctypes.CFUNCTYPE(ctypes.c_int64)(machine.address), machine])
    return _frame[0]


__all__ = ["Native", "Overflow", "Uncovered", "kinds_of"]
