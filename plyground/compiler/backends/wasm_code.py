"""WebAssembly code beside Python, run by wasmtime or by a browser's engine.

Calls write their arguments to memory and read the results from there, as native code's do.
"""

import ctypes
from array import array
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

from plyground.compiler.backends.backend import Backend, usual_backend
from plyground.compiler.backends.doors import memory_door
from plyground.compiler.backends.linear_memory import MOST_BYTES, LinearMemory, wasmtime_memory
from plyground.compiler.backends.module import FAULT_NAME, STACK_BYTES, STACK_POINTER
from plyground.compiler.backends.webassembly import MemoryPlan, encode_module
from plyground.compiler.errors import InvalidCode
from plyground.compiler.form import ENTRY_NAME, FIRST_FAULT, TOO_DEEP, FunctionForm
from plyground.compiler.optimisation.inlining import inline_small


class WebAssemblyCode:
    """A function and all that it calls, as WebAssembly."""

    def __init__(self, entry: FunctionForm) -> None:
        door = memory_door(ENTRY_NAME, entry)
        inline_small([door.form])
        self._host = _host()
        self.module = encode_module([door], self._host.plan).code
        self._run = self._host.instantiate(self.module)

    def buffer(self, words: int) -> tuple[Any, int]:
        """Memory for ints, all zero, which code can read and write, and its address."""
        return self._host.buffer(words)

    def address_of(self, block: memoryview) -> int | None:
        """The address of a block of memory that outlives the call; None if code cannot reach it."""
        return self._host.address_of(block)

    def run(self, arguments: int, results: int) -> int:
        """Call with the addresses of arguments and results; return the number of the fault, 0 for none."""
        return self._run(arguments, results)


class _Host(Protocol):
    """An engine that runs modules."""

    plan: MemoryPlan

    def instantiate(self, code: bytes) -> Callable[[int, int], int]: ...
    def buffer(self, words: int) -> tuple[Any, int]: ...
    def address_of(self, block: memoryview) -> int | None: ...


@lru_cache(maxsize=1)
def _host() -> _Host:
    return _Pyodide() if usual_backend() is Backend.PYODIDE else _Wasmtime(wasmtime_memory())


class _Wasmtime:
    def __init__(self, memory: LinearMemory) -> None:
        self._memory = memory
        self.plan = MemoryPlan(memory.take(STACK_BYTES), memory.take, most_pages=None)

    def instantiate(self, code: bytes) -> Callable[[int, int], int]:
        import wasmtime

        store, lock, top = self._memory.store, self._memory.lock, self.plan.top
        deep = (wasmtime.TrapCode.STACK_OVERFLOW, wasmtime.TrapCode.UNREACHABLE)  # of the machine's stack, of ours
        try:
            module = wasmtime.Module(store.engine, code)
        except wasmtime.WasmtimeError as fault:
            raise InvalidCode(str(fault)) from None
        with lock:
            exports = wasmtime.Instance(store, module, [self._memory.memory]).exports(store)
        entry, last_fault, stack = exports[ENTRY_NAME], exports[FAULT_NAME], exports[STACK_POINTER]
        assert isinstance(entry, wasmtime.Func) and isinstance(last_fault, wasmtime.Global)
        assert isinstance(stack, wasmtime.Global)

        def run(arguments: int, results: int) -> int:
            with lock:
                try:
                    entry(store, arguments, results)
                    return 0
                except wasmtime.Trap as trap:
                    # A trap ends all calls at once, so the globals are put back by hand: the last fault to none, the
                    # stack to its top.
                    number = int(last_fault.value(store))
                    last_fault.set_value(store, wasmtime.Val.i32(-1))
                    stack.set_value(store, wasmtime.Val.i32(top))
                    if number < 0 and trap.trap_code not in deep:
                        raise  # a fault of the compiler's, such as an address beyond the memory
                    return number + FIRST_FAULT if number >= 0 else TOO_DEEP

        return run

    def buffer(self, words: int) -> tuple[Any, int]:
        block = self._memory.allocate(8 * words)
        return block.cast("q"), ctypes.addressof((ctypes.c_char * 0).from_buffer(block)) - self._memory.base

    def address_of(self, block: memoryview) -> int | None:
        # `ctypes` takes no address of what may not be written; the caller copies it.
        if block.readonly:
            return None
        offset: int = ctypes.addressof((ctypes.c_char * 0).from_buffer(block)) - self._memory.base
        return offset if 0 <= offset < MOST_BYTES else None


class _Pyodide:
    """Python's own engine: its memory is the modules', and an address is an address of `ctypes`."""

    def __init__(self) -> None:
        self._stack = array("q", bytes(STACK_BYTES))
        self._data: list[Any] = []
        self.plan = MemoryPlan(self._stack.buffer_info()[0], self._place_data, most_pages=None)

    def _place_data(self, length: int) -> int:
        # Python's own memory, kept alive here: code has its address for good.
        self._data.append(array("q", bytes(length + 8)))
        address: int = self._data[-1].buffer_info()[0]
        return address

    def instantiate(self, code: bytes) -> Callable[[int, int], int]:
        import js  # type: ignore[import-not-found]
        import pyodide_js  # type: ignore[import-not-found]
        from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]

        memory = pyodide_js._module.memory
        imports = to_js({"env": {"memory": memory}}, dict_converter=js.Object.fromEntries)
        exports = js.WebAssembly.Instance.new(js.WebAssembly.Module.new(to_js(code)), imports).exports
        entry, fault, stack = exports.entry, exports.fault, getattr(exports, STACK_POINTER)

        def run(arguments: int, results: int) -> int:
            try:
                entry(arguments, results)
                return 0
            except JsException:
                number: int = fault.value
                fault.value, stack.value = -1, self.plan.top
                return number + FIRST_FAULT if number >= 0 else TOO_DEEP

        return run

    def buffer(self, words: int) -> tuple[Any, int]:
        block = array("q", bytes(8 * words))
        return block, block.buffer_info()[0]

    def address_of(self, block: memoryview) -> int | None:
        return ctypes.addressof((ctypes.c_char * 0).from_buffer(block))
