"""The linear memory of wasmtime, from which Python takes the blocks that it shares with WebAssembly.

Native code has addresses of this process, and in a browser modules import the memory in which Python itself lies.
"""

import atexit
import ctypes
import sys
import threading
import weakref
from collections import deque
from functools import lru_cache
from typing import Final

from plyground.errors import BadInput

_PAGE: Final = 1 << 16
MOST_BYTES: Final = 1 << 31
"""Bytes of a linear memory at most."""
_LOWEST: Final = 1 << 20
"""Offset in bytes of the first block: code adds the constant part of an index last
(`simplification.MOST_CONSTANT_INDEX`), and an address without it, which may be lower, must not lead below 0."""
_ALIGNMENT: Final = 64
"""Bytes of which an address is a multiple: a cache line."""
MOST_STACK: Final = 2 << 20 if sys.platform == "linux" else 1 << 18
"""Bytes of a thread's stack for calls."""


class LinearMemory:
    """The memory of wasmtime, which grows in place and never moves."""

    def __init__(self) -> None:
        import wasmtime

        config = wasmtime.Config()
        # Python holds views of it by address, also while it grows.
        config.memory_may_move = False
        config.max_wasm_stack = MOST_STACK
        self.store = wasmtime.Store(wasmtime.Engine(config))
        self.memory = wasmtime.Memory(self.store, wasmtime.MemoryType(wasmtime.Limits(1, MOST_BYTES // _PAGE)))
        self.base: int = ctypes.addressof(self.memory.data_ptr(self.store).contents)
        atexit.register(self._free_engine)
        self.lock = threading.RLock()
        """Held during a call, and while the memory grows: a store of wasmtime is for one thread at a time."""
        self._free: dict[int, list[int]] = {}
        self._returned: deque[tuple[int, int]] = deque()
        """Returned blocks and their lengths, which `take` moves to the free lists."""
        self._end, self._pages = _LOWEST, 1
        self._guard = threading.Lock()

    def _free_engine(self) -> None:
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
            # Free lists are touched here alone, under the guard; finalisers only append to a deque, which needs no
            # lock.
            while self._returned:
                returned, size = self._returned.popleft()
                self._free.setdefault(size, []).append(returned)
            # Blocks are given out again by their exact length alone; they are neither split nor joined.
            if blocks := self._free.get(length):
                offset = blocks.pop()
                ctypes.memset(self.base + offset, 0, length)
                return offset
            # Memory that has never been given out is zero.
            offset, self._end = self._end, self._end + length
            pages = -(-self._end // _PAGE)
            if pages > self._pages:
                try:
                    with self.lock:
                        self.memory.grow(self.store, pages - self._pages)
                except Exception:
                    self._end = offset
                    said = f"{length >> 20:,} MiB of memory are not to be had in WebAssembly, which has 2 GiB"
                    raise BadInput(f"{said}: ask for a smaller table.") from None
                self._pages = pages
            return offset

    def give_back(self, offset: int, length: int) -> None:
        """Let a block be taken again. Waits for no lock: a finaliser runs at any moment, also within `take`."""
        self._returned.append((offset, length + -length % _ALIGNMENT))

    def allocate(self, length: int) -> memoryview:
        """A block of `length` bytes, all zero, which is given back when no longer used."""
        offset = self.take(length)
        block = (ctypes.c_char * length).from_address(self.base + offset)
        weakref.finalize(block, self.give_back, offset, length)
        return memoryview(block).cast("B")


@lru_cache(maxsize=1)
def wasmtime_memory() -> LinearMemory:
    """The memory of wasmtime."""
    return LinearMemory()
