"""Binary format of a WebAssembly module: its sections, and the encoding of numbers and rows in them.

The format: https://webassembly.github.io/spec/core/binary/.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

STACK_BYTES: Final = 1 << 20
"""Bytes for what functions lay on a stack of their own; the calls themselves are on the engine's."""
MEMORY_PAGE_BYTES: Final = 1 << 16
"""Bytes of a page of memory, by the standard."""
MOST_PAGES: Final = (1 << 31) // MEMORY_PAGE_BYTES
"""Pages of memory at most: what every browser grants."""
STACK_POINTER: Final = "__stack_pointer"
HEAP_BASE: Final = "__heap_base"
"""Name of the global that has the address behind stack and data."""
FAULT_NAME: Final = "fault"
"""Name of the global that has the place of the last exception in the list of all, -1 before the first."""

MODULE_HEADER: Final = b"\0asm\1\0\0\0"
TYPE, IMPORT, FUNCTION, GLOBAL, EXPORT, CODE, DATA = 1, 2, 3, 6, 7, 10, 11
"""Numbers of sections."""
TO_FUNCTION, TO_MEMORY, TO_GLOBAL = b"\0", b"\2", b"\3"
"""Kinds of imports and exports."""
MUTABLE_I32, IMMUTABLE_I32 = b"\x7f\1", b"\x7f\0"
"""Types of globals: an int of 32 bits that may change, and one that may not."""
# Import of the memory: the names of module and field, each behind its length, then the kind.
_MEMORY_IMPORT = b"\3env\6memory" + TO_MEMORY


@dataclass(frozen=True)
class WebAssemblyModule:
    """A module. It imports its memory, as `env.memory`, and nothing else."""

    code: bytes
    first_pages: int
    """Pages of memory that it needs."""
    flags_place: int
    """Place in the code of the flags of its memory, whose bit 1 asks for one that several instances share."""


def assemble(
    functions: Sequence[tuple[bytes, bytes]],
    variables: Sequence[bytes],
    exports: Mapping[str, bytes],
    data: tuple[int, bytes],
    most_pages: int | None = MOST_PAGES,
) -> WebAssemblyModule:
    """Encode a module from its parts.

    Args:
        functions: type and body of each.
        variables: the globals; one more, `HEAP_BASE`, has the address behind the data.
        exports: kind and index of what is visible from outside.
        data: its address in bytes, and the data.
        most_pages: most pages of the memory that it imports; None: whatever that has.
    """
    types = list(dict.fromkeys(kind for kind, _ in functions))
    place, content = data
    # The heap behind the data begins at a multiple of 16 bytes.
    end = place + len(content) + -len(content) % 16
    first_pages = -(-end // MEMORY_PAGE_BYTES)
    limits = encode_unsigned(first_pages) + (b"" if most_pages is None else encode_unsigned(most_pages))
    doors = {**exports, HEAP_BASE: TO_GLOBAL + encode_unsigned(len(variables))}
    sections = {
        TYPE: types,
        # The flags: bit 0 says that a maximum follows. Bit 1, for a shared memory, is set by the page that has one.
        IMPORT: [_MEMORY_IMPORT + bytes([most_pages is not None]) + limits],
        FUNCTION: [encode_unsigned(types.index(kind)) for kind, _ in functions],
        GLOBAL: [*variables, IMMUTABLE_I32 + encode_const_expression(end)],
        EXPORT: [encode_row(name.encode()) + door for name, door in doors.items()],
        CODE: [encode_row(body) for _, body in functions],
        DATA: [b"\0" + encode_const_expression(place) + encode_row(content)] if content else [],
    }
    # In the order of their numbers, which the format asks for; sections without content are left out.
    code = MODULE_HEADER + b"".join(
        bytes([number]) + encode_row(encode_vector(items)) for number, items in sections.items() if items
    )
    return WebAssemblyModule(code, first_pages, code.index(_MEMORY_IMPORT) + len(_MEMORY_IMPORT))


def encode_unsigned(value: int) -> bytes:
    """Encode an int in LEB128: seven bits a byte, the lowest first; bit 7 is set in all bytes but the last."""
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + encode_unsigned(value // 128)


def encode_signed(value: int) -> bytes:
    """Encode a signed int in LEB128, in two's complement: bit 6 of the last byte is the sign."""
    return bytes([value % 128]) if -64 <= value < 64 else bytes([value % 128 + 128]) + encode_signed(value // 128)


def encode_const_expression(value: int) -> bytes:
    """Encode a constant expression of an int of 32 bits: `i32.const`, the value, `end`."""
    return b"\x41" + encode_signed(value) + b"\x0b"


def encode_row(data: bytes) -> bytes:
    """Encode bytes with their number before them."""
    return encode_unsigned(len(data)) + data


def encode_vector(items: Sequence[bytes]) -> bytes:
    """Encode items with their number before them."""
    return encode_unsigned(len(items)) + b"".join(items)
