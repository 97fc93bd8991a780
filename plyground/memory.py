"""Numbers that Python and a running compiled search see at the same time."""

from array import array
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    Ints = array[int]
else:  # Python 3.11 has no array[int] at run time
    Ints = array


class Memory(Ints):
    """A fixed block of signed 64-bit ints, all zero at first.

    Compiled code reads and writes it in place, without the reference counts of a NumPy array (which make a search that
    passes one along three to five times slower; `bench/README.md`). So another thread can watch a search count, and
    stop it. Indices are not checked in compiled code; whoever starts a search keeps the memory alive until it ends.
    """

    def __new__(cls, length: int) -> "Memory":
        memory = cast(Memory, super().__new__(cls, "q", bytes(8)))
        memory *= length  # in place, so that a large block is made once
        return memory

    def address(self) -> int:
        """Where the block lies, for `compile.py`."""
        return self.buffer_info()[0]
