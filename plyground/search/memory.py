"""Memory shared by Python and a running compiled search."""

import mmap
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from plyground.board.bits import fill_pattern, flat
from plyground.errors import BadInput

if TYPE_CHECKING:
    Memory = memoryview[int]
else:  # Python 3.11 has no memoryview[int] at run time
    Memory = memoryview

_LARGE: Final = 4 << 20
"""Bytes from which a block gets large pages: reads of a table are scattered, and most would miss a small page."""
_SMALL: Final = 1 << 16
"""Bytes of a block that comes from Python's own memory: to map pages and to leave them takes some 10 µs."""
_LINE: Final = 64
"""Bytes of a cache line: two threads that write into one wait for each other."""
_PRIVATE: Any = {} if sys.platform == "win32" else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}

allocators: list[Callable[[int], memoryview]] = []
"""Function that gives memory of a number of bytes, where compiled code reaches no other
(`compiler/backends/backend.py`)."""


def new_memory(length: int, *, is_small: bool = False) -> Memory:
    """A block of `length` signed 64-bit ints, all zero, in cache lines of its own; only used pages of it take memory.

    Compiled code reads and writes it in place, without the reference counts of a NumPy array (which make a search that
    passes one along three to five times slower; `bench/TRIED.md`). So another thread can watch a search count, and
    stop it. Indices are not checked in compiled code; the caller of a search keeps the memory alive until it ends.
    Large pages are zeroed whole at their first use, which takes milliseconds for a table: `is_small` is for one of
    which little will be used.
    """
    # At most one allocator is registered, by the WebAssembly back end: its code sees the linear memory of its own
    # instance alone.
    for allocate in allocators:
        return allocate(8 * length).cast("q")
    # A cache line is left free on either side, because a bytearray is aligned to 16 bytes only: counters of two threads
    # would share a line.
    if 8 * length <= _SMALL:
        return memoryview(bytearray(8 * length + 2 * _LINE))[_LINE : 8 * length + _LINE].cast("q")
    try:
        block = mmap.mmap(-1, 8 * length, **_PRIVATE)
    # `OverflowError` for more bytes than an address has. Linux promises more than it has; what it then cannot give ends
    # the process at its first use, which no code can catch.
    except (OSError, OverflowError):
        said = f"{length >> 17:,} MiB of memory are not to be had here"
        raise BadInput(f"{said}: ask for a smaller table, or fewer processes.") from None
    if sys.platform == "linux" and len(block) >= _LARGE and not is_small:
        # The pages come on first touch. `MADV_HUGEPAGE` saves a tenth of the time of a search with a large table, for
        # fewer misses of the address cache.
        block.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(block).cast("q")


def local_memory(constant: Any) -> Memory:
    """Memory of `constant.local` ints for one call of the function that asks for it; not cleared in compiled code.

    Compiled, it is on the stack, and that function is not put into its callers, which may be deep in a recursion.
    """
    return memoryview(bytearray(8 * constant.local)).cast("q")


# The functions from here on have intrinsics in compiled code (`compiler/lowering/intrinsics.py`), where the steps that
# are atomic by their docstrings are so; plain Python searches in one thread at a time and needs no atomicity.
def prefetch(memory: Memory, index: int) -> None:
    """Hint to the processor that an int is read soon; plain Python does nothing."""


def fetch_and_add(memory: Memory, index: int, value: int) -> int:
    """Add to an int, atomically for all threads; returns its value before."""
    before = memory[index]
    memory[index] = before + value
    return before


def halves(memory: Memory) -> Memory:
    """The halves of the ints of a block, each an int from 0 to 2³² - 1, in place."""
    return memoryview(memory).cast("B").cast("I")


def half_of(memory: Memory, at: int) -> int:
    """A half of an int, from 0 to 2³² - 1; even numbers are the lower halves."""
    return (memory[at >> 1] >> ((at & 1) << 5)) & 0xFFFFFFFF


def set_half_if_zero(memory: Memory, at: int, value: int) -> int:
    """Set a half of an int to a value below 2³¹ if it is 0, atomically for all threads; returns its value before."""
    before = half_of(memory, at)
    if before == 0:
        set_half(memory, at, value)
    return before


# Sets of states number theirs in halves: 31 bits suffice for a shard (`tiers.py`), and half the memory means half the
# cache misses. The highest bit stays clear, so that no half is mistaken for a negative int.
def set_half(memory: Memory, at: int, value: int) -> None:
    """Set a half of an int to a value below 2³¹ (release): a thread that reads it sees all earlier writes as well."""
    shift = (at & 1) << 5
    memory[at >> 1] = (memory[at >> 1] & ~(0xFFFFFFFF << shift)) | value << shift


def write_state(memory: Memory, place: int, state: Any) -> None:
    """Write the words of a state to memory, from a place on."""
    words = flat(state)
    for index in range(len(words)):
        memory[place + index] = words[index]


def read_state(memory: Memory, place: int, pattern: Any) -> Any:
    """Read a state from memory, with the form of the pattern."""
    return fill_pattern(pattern, iter(memory[place : place + len(flat(pattern))]))
