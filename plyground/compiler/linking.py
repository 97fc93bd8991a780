"""The linker: an object file of LLVM's becomes a WebAssembly module.

An object file is a module that does not know yet which of its functions are needed, nor where in memory its data will
lie. So each index and address in its code stands in five bytes, as a number that may still change, and a list of
relocations tells where these are and which symbol each means. Linking is: follow the relocations from what is exported,
and number the functions that are reached; lay out the data; write each number into its place, in as few bytes as it
takes.

Only what LLVM makes of our own text is known here: one file, functions called by their names, data without addresses.
Both formats stand in the standard and in https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from plyground.compiler.module import (
    CODE,
    DATA,
    FUNCTION,
    GLOBAL,
    HEADER,
    IMPORT,
    STACK,
    STACK_POINTER,
    TO_FUNCTION,
    TO_GLOBAL,
    TYPE,
    VARIABLE,
    WebAssemblyModule,
    assemble,
    encode_address,
    encode_row,
    encode_signed,
    encode_unsigned,
)

_CUSTOM = 0
"""Number of a section that has a name."""
_SYMBOLS = 8
"""Number of the part of the section `linking` that has the symbols."""
_LINKING, _CODE_RELOCATIONS = "linking", "reloc.CODE"
_OF_FUNCTION, _OF_DATA, _OF_GLOBAL = 0, 1, 2
"""Kinds of symbols."""
_IS_UNDEFINED, _HAS_NAME = 0x10, 0x40
"""Flags of symbols."""
_FUNCTION_INDEX, _ADDRESS, _SIGNED_ADDRESS, _GLOBAL_INDEX = 0, 3, 4, 7
"""Kinds of relocations."""
_WIDTH, _ALIGNMENT = 5, 16
"""Bytes of a number that is encode_relocation; bytes of which the address of data is a multiple."""
Item = TypeVar("Item")


class LinkingFailed(Exception):
    """An object file has what this linker does not know; the message, which is part of a sentence, says what."""


@dataclass(frozen=True)
class _Symbol:
    kind: int
    name: str
    index: int
    """Number of the function or global, or of the segment of data."""
    offset: int = 0
    """Offset of data in its segment, in bytes."""


@dataclass(frozen=True)
class _Relocation:
    kind: int
    place: int
    """Bytes from the beginning of the code section."""
    symbol: int
    addend: int


class _ByteReader:
    """Sequential reader of bytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def take_bytes(self, length: int) -> bytes:
        self.place += length
        return self.data[self.place - length : self.place]

    def read_byte(self) -> int:
        return self.take_bytes(1)[0]

    def read_unsigned(self) -> int:
        """An int in LEB128: seven bits a byte, the lowest first; bit 7 is set in all bytes but the last."""
        byte = self.read_byte()
        return byte if byte < 128 else byte - 128 + (self.read_unsigned() << 7)

    def read_signed(self) -> int:
        """A signed int in LEB128, in two's complement."""
        byte = self.read_byte()
        return byte - 128 + (self.read_signed() << 7) if byte >= 128 else byte - 128 if byte >= 64 else byte

    def read_row(self) -> bytes:
        """Bytes, with their number before them."""
        return self.take_bytes(self.read_unsigned())

    def vector(self, read: Callable[["_ByteReader"], Item]) -> list[Item]:
        """Items, with their number before them."""
        return [read(self) for _ in range(self.read_unsigned())]

    def constant(self) -> bytes:
        """An expression of one instruction, which gives an int."""
        start = self.place
        self.take_bytes(1)
        self.read_signed()
        self.take_bytes(1)
        return self.data[start : self.place]

    def sections(self) -> Iterator[tuple[int, "_ByteReader"]]:
        """The numbered parts of what is left."""
        while self.place < len(self.data):
            yield self.read_byte(), _ByteReader(self.read_row())


class _Object:
    """An object file, read."""

    def __init__(self, file: bytes) -> None:
        sections: dict[object, _ByteReader] = {}
        for number, section in _ByteReader(file[len(HEADER) :]).sections():
            sections[section.read_row().decode() if number == _CUSTOM else number] = section

        def vector(key: object, read: Callable[[_ByteReader], Item]) -> list[Item]:
            return sections[key].vector(read) if key in sections else []

        if addresses := [key for key in sections if str(key).startswith("reloc.") and key != _CODE_RELOCATIONS]:
            raise LinkingFailed(f"there are {addresses[0]}, and only code has a place for addresses")
        for part in (_LINKING, _CODE_RELOCATIONS):
            if part in sections:
                sections[part].read_unsigned()  # the version; the number of the code section
        self.types = vector(TYPE, _read_type)
        self.imports = vector(IMPORT, _read_import)
        self.function_types = vector(FUNCTION, _ByteReader.read_unsigned)
        self.globals = vector(GLOBAL, lambda each: each.take_bytes(2) + each.constant())
        self.code = sections[CODE].data
        self.bodies = vector(CODE, _read_place)
        self.segments = vector(DATA, _read_segment)
        self.symbols = dict(sections[_LINKING].sections())[_SYMBOLS].vector(_read_symbol)
        self.relocations = vector(_CODE_RELOCATIONS, _read_relocation)

    def relocations_of(self, function: int) -> Iterator[_Relocation]:
        return (each for each in self.relocations if each.place in self.bodies[function])

    def functions_from(self, names: Iterable[str]) -> list[int]:
        """Numbers of the functions of these names, and of all that they call."""
        found = {each.index for each in self.symbols if each.kind == _OF_FUNCTION and each.name in names}
        left = [*found]
        while left:
            for each in self.relocations_of(left.pop()):
                called = self.symbols[each.symbol]
                if each.kind == _FUNCTION_INDEX and called.index not in found:
                    found.add(called.index)
                    left.append(called.index)
        return sorted(found)


def _read_type(section: _ByteReader) -> bytes:
    return section.take_bytes(1) + encode_row(section.read_row()) + encode_row(section.read_row())


def _read_import(section: _ByteReader) -> str:
    """An import's name; the stack pointer and the memory are known."""
    section.read_row()
    name = section.read_row().decode()
    if name == STACK_POINTER:
        section.take_bytes(3)
    elif name == "__linear_memory":
        section.take_bytes(2)
        section.read_unsigned()
    else:
        raise LinkingFailed(f"LLVM uses {name}, which nothing defines")
    return name


def _read_place(section: _ByteReader) -> range:
    """The place of a function's body in the section."""
    length = section.read_unsigned()
    section.take_bytes(length)
    return range(section.place - length, section.place)


def _read_segment(section: _ByteReader) -> bytes:
    section.read_unsigned()
    section.constant()
    return section.read_row()


def _read_symbol(section: _ByteReader) -> _Symbol:
    kind, flags = section.read_byte(), section.read_unsigned()
    is_defined = not flags & _IS_UNDEFINED
    if kind == _OF_DATA and is_defined:
        name, index, offset, _ = (
            section.read_row().decode(),
            section.read_unsigned(),
            section.read_unsigned(),
            section.read_unsigned(),
        )
        return _Symbol(kind, name, index, offset)
    if kind not in (_OF_FUNCTION, _OF_GLOBAL):
        raise LinkingFailed(f"there is a symbol of kind {kind}")
    index = section.read_unsigned()
    return _Symbol(kind, section.read_row().decode() if is_defined or flags & _HAS_NAME else "", index)


def _read_relocation(section: _ByteReader) -> _Relocation:
    kind, place, symbol = section.read_byte(), section.read_unsigned(), section.read_unsigned()
    if kind not in (_FUNCTION_INDEX, _ADDRESS, _SIGNED_ADDRESS, _GLOBAL_INDEX):
        raise LinkingFailed(f"there is a relocation of kind {kind}")
    return _Relocation(kind, place, symbol, section.read_signed() if kind in (_ADDRESS, _SIGNED_ADDRESS) else 0)


def link(file: bytes, exports: Sequence[str]) -> WebAssemblyModule:
    """The module of an object file.

    Args:
        file: the object file.
        exports: names of functions and globals that are visible from outside. `STACK_POINTER` and `HEAP_BASE` are, too.

    Raises:
        LinkingFailed: there is something in it that is not known here.
    """
    found = _Object(file)
    functions = found.functions_from(exports)
    numbers = {function: number for number, function in enumerate(functions)}
    data, addresses = b"", list[int]()
    for segment in found.segments:
        data += bytes(-len(data) % _ALIGNMENT)
        addresses.append(STACK + len(data))
        data += segment
    first_global = 1 - found.imports.count(STACK_POINTER)  # the stack pointer is number 0, imported or not

    def encode_relocation(each: _Relocation) -> bytes:
        symbol = found.symbols[each.symbol]
        if each.kind == _FUNCTION_INDEX:
            return encode_unsigned(numbers[symbol.index])
        if each.kind == _GLOBAL_INDEX:
            return encode_unsigned(symbol.index + first_global)
        address = addresses[symbol.index] + symbol.offset + each.addend
        return encode_unsigned(address) if each.kind == _ADDRESS else encode_signed(address)

    def body(function: int) -> bytes:
        parts, place = list[bytes](), found.bodies[function].start
        for each in found.relocations_of(function):
            parts += found.code[place : each.place], encode_relocation(each)
            place = each.place + _WIDTH
        return b"".join([*parts, found.code[place : found.bodies[function].stop]])

    doors = {STACK_POINTER: TO_GLOBAL + encode_unsigned(0)}
    for each in found.symbols:
        if each.name in exports:
            is_function = each.kind == _OF_FUNCTION
            number = numbers[each.index] if is_function else each.index + first_global
            doors[each.name] = (TO_FUNCTION if is_function else TO_GLOBAL) + encode_unsigned(number)
    encoded = [(found.types[found.function_types[each]], body(each)) for each in functions]
    return assemble(encoded, [VARIABLE + encode_address(STACK), *found.globals], doors, (STACK, data))
