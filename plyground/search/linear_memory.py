"""Linear memory: what WebAssembly reads and writes, shared by Python where that is run.

Natively, code has addresses of this process. In a browser, Python (Pyodide) itself lies in a linear memory, which its
code imports. Elsewhere wasmtime has one, of which blocks are taken here.
"""

import atexit
import ctypes
import os
import sys
import threading
import weakref
from enum import Enum
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Final

from plyground.errors import BadInput
from plyground.search.memory import allocators

_PAGE: Final = 1 << 16
MOST_BYTES: Final = 1 << 31
"""Bytes of a linear memory at most."""
_ALIGNMENT: Final = 64
"""Bytes of which an address is a multiple: a cache line."""


class Backend(Enum):
    """What compiled code is and runs in."""

    LLVM = "llvm"
    """Machine code of this process."""
    PYODIDE = "pyodide"
    """WebAssembly in the browser's engine, beside Python."""
    WASMTIME = "wasmtime"
    """WebAssembly in wasmtime, where llvmlite is not installed."""


@lru_cache(maxsize=1)
def usual_backend() -> Backend | None:
    """What compiled code runs in here; None if nothing can run it.

    `PLYGROUND_BACKEND` names another one than the usual, to try it.
    """
    if sys.platform == "emscripten":
        return Backend.PYODIDE
    usual = [each for each in (Backend.LLVM, Backend.WASMTIME) if find_spec(_MODULES[each])]
    wanted = os.environ.get("PLYGROUND_BACKEND", "")
    return next((each for each in usual if wanted in ("", each.value)), None)


_MODULES = {Backend.LLVM: "llvmlite", Backend.WASMTIME: "wasmtime"}


def backend_edition() -> str:
    """The backend with its version."""
    here = usual_backend()
    return f"{here.value} {version(_MODULES[here])}" if here in _MODULES else sys.version


class LinearMemory:
    """The memory of wasmtime, which grows in place and never moves."""

    def __init__(self) -> None:
        import wasmtime

        config = wasmtime.Config()
        config.memory_may_move = False
        config.max_wasm_stack = MOST_STACK
        self.store = wasmtime.Store(wasmtime.Engine(config))
        self.memory = wasmtime.Memory(self.store, wasmtime.MemoryType(wasmtime.Limits(1, MOST_BYTES // _PAGE)))
        self.base: int = ctypes.addressof(self.memory.data_ptr(self.store).contents)
        atexit.register(self._close)
        self.lock = threading.RLock()
        """Held by a call: wasmtime runs one at a time."""
        self._free: dict[int, list[int]] = {}
        self._end = _ALIGNMENT
        self._guard = threading.Lock()

    def _close(self) -> None:
        """Free the engine while Python still can."""
        engine = self.store.engine
        self.store.close()
        engine.close()

    def take(self, length: int) -> int:
        """Offset of a free block of `length` bytes, all zero.

        Raises:
            BadInput: there is none.
        """
        length += -length % _ALIGNMENT
        with self._guard:
            if blocks := self._free.get(length):
                offset = blocks.pop()
                ctypes.memset(self.base + offset, 0, length)
                return offset
            offset, self._end = self._end, self._end + length
            lacking = -(-self._end // _PAGE) - self.memory.size(self.store)
            if lacking > 0:
                try:
                    self.memory.grow(self.store, lacking)
                except Exception:
                    self._end = offset
                    said = f"{length >> 20:,} MiB of memory are not to be had in WebAssembly, which has 2 GiB"
                    raise BadInput(f"{said}: ask for a smaller table.") from None
            return offset

    def give_back(self, offset: int, length: int) -> None:
        """Let a block be taken again."""
        length += -length % _ALIGNMENT
        with self._guard:
            self._free.setdefault(length, []).append(offset)

    def allocate(self, length: int) -> memoryview:
        """A block of `length` bytes, all zero, which is given back when no longer used."""
        offset = self.take(length)
        block = (ctypes.c_char * length).from_address(self.base + offset)
        weakref.finalize(block, self.give_back, offset, length)
        return memoryview(block).cast("B")


MOST_STACK: Final = 2 << 20 if sys.platform == "linux" else 1 << 18
"""Bytes of a thread's stack for calls."""


@lru_cache(maxsize=1)
def wasmtime_memory() -> LinearMemory:
    """The memory of wasmtime."""
    return LinearMemory()


if usual_backend() is Backend.WASMTIME:
    allocators.append(lambda length: wasmtime_memory().allocate(length))
