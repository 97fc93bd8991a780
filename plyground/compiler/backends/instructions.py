"""Instructions of WebAssembly, encoded as bytes and formatted as text.

The format: https://webassembly.github.io/spec/core/binary/instructions.html.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from plyground.compiler.backends.module import encode_signed, encode_unsigned
from plyground.compiler.form import Cell, Register

WASM_TYPES: Final = {"i32": b"\x7f", "i64": b"\x7e", "f64": b"\x7c"}
"""Types of values, by their names."""
OPCODES: Final[dict[str, bytes]] = {
    "unreachable": b"\x00",
    "block": b"\x02\x40",
    "loop": b"\x03\x40",
    "if": b"\x04\x40",
    "else": b"\x05",
    "end": b"\x0b",
    "br": b"\x0c",
    "br_if": b"\x0d",
    "return": b"\x0f",
    "call": b"\x10",
    "select": b"\x1b",
    "local.get": b"\x20",
    "local.set": b"\x21",
    "local.tee": b"\x22",
    "global.get": b"\x23",
    "global.set": b"\x24",
    # The byte behind the opcode is the alignment as a power of 2, a hint: 3 for 8 bytes, 2 for 4. The offset follows.
    "i64.load": b"\x29\x03",
    "i64.load32_u": b"\x35\x02",
    "i64.store": b"\x37\x03",
    "i64.store32": b"\x3e\x02",
    "i32.const": b"\x41",
    "i64.const": b"\x42",
    "f64.const": b"\x44",
    "i32.eqz": b"\x45",
    "i32.lt_u": b"\x49",
    "i64.eqz": b"\x50",
    "i64.eq": b"\x51",
    "i64.ne": b"\x52",
    "i64.lt_s": b"\x53",
    "i64.lt_u": b"\x54",
    "i64.gt_s": b"\x55",
    "i64.le_s": b"\x57",
    "i64.ge_s": b"\x59",
    "f64.eq": b"\x61",
    "f64.ne": b"\x62",
    "f64.lt": b"\x63",
    "f64.gt": b"\x64",
    "f64.le": b"\x65",
    "f64.ge": b"\x66",
    "i32.add": b"\x6a",
    "i32.sub": b"\x6b",
    "i32.and": b"\x71",
    "i32.or": b"\x72",
    "i32.xor": b"\x73",
    "i32.shl": b"\x74",
    "i64.clz": b"\x79",
    "i64.ctz": b"\x7a",
    "i64.popcnt": b"\x7b",
    "i64.add": b"\x7c",
    "i64.sub": b"\x7d",
    "i64.mul": b"\x7e",
    "i64.div_s": b"\x7f",
    "i64.rem_s": b"\x81",
    "i64.and": b"\x83",
    "i64.or": b"\x84",
    "i64.xor": b"\x85",
    "i64.shl": b"\x86",
    "i64.shr_s": b"\x87",
    "i64.shr_u": b"\x88",
    "f64.sqrt": b"\x9f",
    "f64.add": b"\xa0",
    "f64.sub": b"\xa1",
    "f64.mul": b"\xa2",
    "f64.div": b"\xa3",
    "i32.wrap_i64": b"\xa7",
    "i64.extend_i32_u": b"\xad",
    "f64.convert_i64_s": b"\xb9",
    "i64.reinterpret_f64": b"\xbd",
    "f64.reinterpret_i64": b"\xbf",
    "i64.trunc_sat_f64_s": b"\xfc\x06",
    "memory.copy": b"\xfc\x0a\x00\x00",
}
"""Bytes of each instruction before its operand. Structures have no result; memory is read and written at its natural
alignment."""


@dataclass(frozen=True, slots=True)
class WasmOp:
    """An instruction with its operand; a register or cell as operand stands for its local."""

    name: str
    operand: int | float | Register | Cell | None = None


Code = list[WasmOp]


def with_tees(code: Code) -> Iterator[WasmOp]:
    """Code in which a local that is set and read at once is read by the instruction that sets it."""
    steps = iter(zip(code, [*code[1:], None], strict=True))
    for each, after in steps:
        # `local.tee` leaves on the stack what it sets: one byte less and no read.
        if each.name == "local.set" and after == WasmOp("local.get", each.operand):
            yield WasmOp("local.tee", each.operand)
            next(steps)
        else:
            yield each


def encode_step(each: WasmOp, places: Mapping[Register | Cell, int]) -> bytes:
    """Encode an instruction, given the local of each register and cell."""
    opcode, operand = OPCODES[each.name], each.operand
    match operand:
        case None:
            return opcode
        case Register() | Cell():
            return opcode + encode_unsigned(places[operand])
        case float():
            return opcode + struct.pack("<d", operand)
    return opcode + (encode_signed(operand) if each.name.endswith(".const") else encode_unsigned(operand))


def format_steps(code: Code, names: Sequence[str]) -> Iterator[str]:
    """Format instructions as lines of text, structures indented; locals have the numbers of their registers and cells.

    Args:
        code: the instructions.
        names: names of the functions that they call.
    """
    depth = 1
    for each in with_tees(code):
        # `else` stands as far left as its `if`, and what follows it one step in again.
        depth -= each.name in ("end", "else")
        match each.operand:
            case int(number) if each.name == "call":
                shown = f"${names[number]}"
            case Register() | Cell() as owner:
                shown = f"${owner.number}"
            case other:
                shown = "" if other is None else str(other)
        yield f"{'  ' * depth}{each.name} {shown}".rstrip()
        depth += each.name in ("block", "loop", "if", "else")
