"""The back end for WebAssembly: the form as the bytes of a module.

The form's control flow is WebAssembly's, so an instruction becomes one or a few. What is decided here is where values
are: a register that is read once, in the list of instructions that sets it, is left on the operand stack; the others
and the cells get locals, which are used again when their value is no longer needed, because an engine's first tier
gives each local a place on its stack.

An exception writes its number to the global `fault` and traps, which ends all calls at once: no caller tests a status.
"""

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from plyground.compiler import form
from plyground.compiler.backends.doors import Door
from plyground.compiler.backends.instructions import WASM_TYPES, Code, WasmOp, encode_step, format_steps, with_tees
from plyground.compiler.backends.module import (
    FAULT_NAME,
    MOST_PAGES,
    MUTABLE_I32,
    STACK_BYTES,
    STACK_POINTER,
    TO_FUNCTION,
    TO_GLOBAL,
    WebAssemblyModule,
    assemble,
    encode_const_expression,
    encode_unsigned,
    encode_vector,
)
from plyground.compiler.form import (
    FIRST_FAULT,
    Cell,
    ConstantOperand,
    FunctionForm,
    Instruction,
    Operand,
    Register,
    RegisterKind,
    nested_bodies,
    operands_of,
    reachable_functions,
    walk_instructions,
)

_STACK_INDEX, _FAULT_INDEX = 0, 1
"""Numbers of globals."""
_TYPE_NAMES = {
    RegisterKind.INT: "i64",
    RegisterKind.BOOL: "i32",
    RegisterKind.FLOAT: "f64",
    RegisterKind.ADDRESS: "i32",
}

_OPERATIONS: Final[dict[str, str]] = {
    "add": "i64.add",
    "sub": "i64.sub",
    "mul": "i64.mul",
    "quotient": "i64.div_s",
    "remainder": "i64.rem_s",
    "and": "i64.and",
    "or": "i64.or",
    "xor": "i64.xor",
    "shl": "i64.shl",
    "shr": "i64.shr_s",
    "ushr": "i64.shr_u",
    "zeros_above": "i64.clz",
    "zeros_below": "i64.ctz",
    "ones": "i64.popcnt",
    "both": "i32.and",
    "either": "i32.or",
    "differ": "i32.xor",
    "not": "i32.eqz",
    "eq": "i64.eq",
    "ne": "i64.ne",
    "lt": "i64.lt_s",
    "below": "i64.lt_u",
    "gt": "i64.gt_s",
    "le": "i64.le_s",
    "ge": "i64.ge_s",
    "feq": "f64.eq",
    "fne": "f64.ne",
    "flt": "f64.lt",
    "fgt": "f64.gt",
    "fle": "f64.le",
    "fge": "f64.ge",
    "sqrt": "f64.sqrt",
    "fadd": "f64.add",
    "fsub": "f64.sub",
    "fmul": "f64.mul",
    "fdiv": "f64.div",
    "int_of": "i64.extend_i32_u",
    "truncated": "i64.trunc_sat_f64_s",
    "float_of": "f64.convert_i64_s",
    "bits_of": "i64.reinterpret_f64",
    "float_from": "f64.reinterpret_i64",
    "address_of": "i32.wrap_i64",
}
"""Operations of the form that are one instruction on their operands."""


@dataclass(frozen=True)
class MemoryPlan:
    """Where a module's stack slots and constant data are in the memory that it imports; addresses in bytes."""

    low: int = 0
    """Lowest address of the stack."""
    place_data: Callable[[int], int] = lambda length: STACK_BYTES
    """The address for a number of bytes of data."""
    most_pages: int | None = MOST_PAGES
    """Most pages of the memory; None: whatever it has."""

    @property
    def top(self) -> int:
        """The address behind the stack, which grows downwards."""
        return self.low + STACK_BYTES


class _DataSegment:
    """Constant data of a module, the same ints once."""

    def __init__(self, functions: Sequence[FunctionForm], plan: MemoryPlan) -> None:
        self._offsets: dict[tuple[int, ...], int] = {}
        length = 0
        for function in functions:
            for each in walk_instructions(function.body):
                if (values := _constant_ints(each)) is not None and values not in self._offsets:
                    self._offsets[values] = length
                    length += 8 * len(values)
        self.bytes = b"".join(struct.pack(f"<{len(values)}q", *values) for values in self._offsets)
        self.place = plan.place_data(length)

    def address(self, values: Sequence[int]) -> int:
        """The address of constant ints."""
        return self.place + self._offsets[tuple(values)]


def _constant_ints(each: Instruction) -> tuple[int, ...] | None:
    match each:
        case form.ConstantData():
            return each.values
        case form.WeightsData():
            return tuple(each.weights)
    return None


@dataclass
class _Expression:
    """Code that leaves a value on the operand stack and changes nothing, with the state that it reads."""

    code: Code
    offset: int = 0
    """Bytes to be added, to an address."""
    reads_memory: bool = False
    cells: frozenset[Cell] = frozenset()


class _FunctionCode:
    """Writer of one function."""

    def __init__(self, function: FunctionForm, plan: MemoryPlan, data: _DataSegment, numbers: dict[int, int]) -> None:
        self.function, self.plan, self.data, self.numbers = function, plan, data, numbers
        self.code: Code = []
        self.loops: list[tuple[int, int]] = []
        """Places in the code of the first and last instruction of each loop."""
        self.labels: list[int] = []
        """Labels of the structures around, the innermost last; 0 for one without."""
        self.addresses: dict[Register, _Expression] = {}
        """Addresses that cost no more than a read of a local, so that they are computed where they are used."""
        self.pending: dict[Register, _Expression] = {}
        """Values that are still to be computed where they are used, which is once, in this list of instructions."""
        self.reads = Counter[Register]()
        self.readers: dict[Register, int] = {}
        """Identity of the list of instructions in which a register is read last."""
        # A value may wait on the operand stack only within one list of instructions: a stack does not reach into a
        # structure.
        for home in _instruction_lists(function.body):
            for each in home:
                for operand in operands_of(each):
                    if isinstance(operand, Register):
                        self.reads[operand] += 1
                        self.readers[operand] = id(home)
        slots = [each for each in walk_instructions(function.body) if isinstance(each, form.StackSlot)]
        self.frame_bytes = 8 * sum(each.length for each in slots)
        self.frame = Register(-1, RegisterKind.ADDRESS)
        self.next_slot = 0
        self.last_number = self.frame.number

    def write(self) -> None:
        """Write the function."""
        if self.frame_bytes:
            self.code += [
                WasmOp("global.get", _STACK_INDEX),
                WasmOp("i32.const", self.frame_bytes),
                WasmOp("i32.sub"),
            ]
            self.code += [WasmOp("local.tee", self.frame), WasmOp("global.set", _STACK_INDEX)]
            if self.plan.low:  # below address 0 is no memory, and a trap
                self.code += [
                    WasmOp("local.get", self.frame),
                    WasmOp("i32.const", self.plan.low),
                    WasmOp("i32.lt_u"),
                ]
                self.code += [WasmOp("if"), WasmOp("unreachable"), WasmOp("end")]
        # Every way ends by a return or a trap, so the end is not reached; the format asks for a typed one all the same.
        self.write_body(self.function.body)
        self.code += [WasmOp("unreachable"), WasmOp("end")]

    def encode(self) -> bytes:
        """The function as in the section of code: its locals, then its instructions."""
        self.write()
        parameters = self.function.parameters
        places = _allocate_locals(self.code, parameters, sorted(self.loops, key=lambda loop: loop[1] - loop[0]))
        kinds = {place: _TYPE_NAMES[owner.kind] for owner, place in places.items()}
        groups: list[tuple[int, str]] = []
        for place in range(len(parameters), len(kinds)):
            last = groups[-1] if groups and groups[-1][1] == kinds[place] else None
            # Locals of one type in a row are declared together, as a number and a type.
            groups[-1:] = [(last[0] + 1, last[1])] if last else [*groups[-1:], (1, kinds[place])]
        parts = [encode_vector([encode_unsigned(number) + WASM_TYPES[kind] for number, kind in groups])]
        return b"".join([*parts, *(encode_step(each, places) for each in with_tees(self.code))])

    # -- values -------------------------------------------------------------------------------------------------------

    def use_operand(self, operand: Operand) -> _Expression:
        """Expression of an operand at its use; a pending one is then used up."""
        if isinstance(operand, ConstantOperand):
            is_float = operand.kind is RegisterKind.FLOAT
            # `true` is 1: conditions are ints of 32 bits.
            value = float(operand.value) if is_float else int(operand.value)
            return _Expression([WasmOp(f"{_TYPE_NAMES[operand.kind]}.const", value)])
        if operand in self.addresses:
            return self.addresses[operand]
        return self.pending.pop(operand, None) or _Expression([WasmOp("local.get", operand)])

    def defer(self, result: Register, value: _Expression, body: Sequence[Instruction]) -> None:
        """Compute a value where it is used, or now if that is elsewhere or often; not at all if it is never used."""
        if self.reads[result] == 1 and self.readers[result] == id(body):
            self.pending[result] = value
        elif self.reads[result]:
            self.code += [*_code_with_offset(value), WasmOp("local.set", result)]

    def compute_pending(self, *, memory: bool = False, cell: Cell | None = None, everything: bool = False) -> None:
        """Compute those pending values now that read state which is about to change."""
        for result, value in list(self.pending.items()):
            if everything or (memory and value.reads_memory) or cell in value.cells:
                del self.pending[result]
                self.code += [*_code_with_offset(value), WasmOp("local.set", result)]

    # -- instructions -------------------------------------------------------------------------------------------------

    def write_body(self, body: Sequence[Instruction], home: Sequence[Instruction] | None = None) -> None:
        """Write a list of instructions, which may be a part of the list `home`."""
        for each in body:
            self.write_instruction(each, home or body)
            if isinstance(each, form.Jump | form.Return | form.FaultExit):
                self.pending.clear()
                return
        if home is None:
            self.compute_pending(everything=True)

    def write_instruction(self, each: Instruction, body: Sequence[Instruction]) -> None:
        match each:
            case form.Op():
                self.write_operation(each, body)
            case form.ReadCell():
                read = _Expression([WasmOp("local.get", each.cell)], cells=frozenset([each.cell]))
                self.defer(each.result, read, body)
            case form.WriteCell():
                value = self.use_operand(each.value)
                # After the value is taken: it may itself read the cell, and then must not be computed before.
                self.compute_pending(cell=each.cell)
                self.code += [*_code_with_offset(value), WasmOp("local.set", each.cell)]
            case form.StackSlot():
                self.addresses[each.result] = _Expression([WasmOp("local.get", self.frame)], 8 * self.next_slot)
                self.next_slot += each.length
            case form.ConstantData():
                self.addresses[each.result] = _Expression([WasmOp("i32.const", self.data.address(each.values))])
            case form.WeightsData():
                self.addresses[each.result] = _Expression([WasmOp("i32.const", self.data.address(each.weights))])
            case form.Call():
                # A call may write memory, but no cell: these are locals of their function.
                arguments = [step for operand in each.operands for step in _code_with_offset(self.use_operand(operand))]
                self.compute_pending(memory=True)
                self.code += [*arguments, WasmOp("call", self.numbers[id(each.function)])]
                # The last result lies on top of the stack.
                self.code += [WasmOp("local.set", result) for result in reversed(each.results)]
            case form.If():
                condition = _code_with_offset(self.use_operand(each.condition))
                self.compute_pending(everything=True)
                self.write_if(condition, each)
            case form.Block() | form.Loop():
                self.compute_pending(everything=True)
                start = len(self.code)
                self.code.append(WasmOp("loop" if isinstance(each, form.Loop) else "block"))
                self.write_nested(each.label, each.body)
                self.code.append(WasmOp("end"))
                if isinstance(each, form.Loop):
                    self.loops.append((start, len(self.code) - 1))
            case form.Jump():
                self.compute_pending(everything=True)
                self.code.append(WasmOp("br", self.depth_of(each.label)))
            case form.Return():
                values = [step for operand in each.values for step in _code_with_offset(self.use_operand(operand))]
                if self.frame_bytes:
                    self.code += [
                        WasmOp("local.get", self.frame),
                        WasmOp("i32.const", self.frame_bytes),
                    ]
                    self.code += [WasmOp("i32.add"), WasmOp("global.set", _STACK_INDEX)]
                self.code += [*values, WasmOp("return")]
            case form.FaultExit():
                self.write_fault(each.number)

    def write_nested(self, label: int, body: Sequence[Instruction]) -> None:
        self.labels.append(label)
        self.write_body(body)
        self.labels.pop()

    def write_if(self, condition: Code, each: form.If) -> None:
        """Write a branch; one that only jumps needs no structure."""
        negated = [*condition, WasmOp("i32.eqz")]
        # A conditional branch takes the place of `if`, `br` and `end`.
        for way, other, test in ((each.then, each.otherwise, condition), (each.otherwise, each.then, negated)):
            if len(way) == 1 and isinstance(way[0], form.Jump):
                self.code += [*test, WasmOp("br_if", self.depth_of(way[0].label))]
                self.write_body(other)
                return
        self.code += [*(condition if each.then else negated), WasmOp("if")]
        self.write_nested(0, each.then or each.otherwise)
        if each.then and each.otherwise:
            self.code.append(WasmOp("else"))
            self.write_nested(0, each.otherwise)
        self.code.append(WasmOp("end"))

    def write_fault(self, number: int) -> None:
        self.code += [
            WasmOp("i32.const", number - FIRST_FAULT),
            WasmOp("global.set", _FAULT_INDEX),
            WasmOp("unreachable"),
        ]

    def depth_of(self, label: int) -> int:
        """Structures between here and the one of a label."""
        return self.labels[::-1].index(label)

    def write_operation(self, each: form.Op, body: Sequence[Instruction]) -> None:
        operands = [self.use_operand(operand) for operand in each.operands]
        match each.name:
            # A hint that WebAssembly does not have.
            case "prefetch":
                return
            case "place" | "half_place":
                value = self.offset_address(each, operands)
                # A local, or a constant, plus an offset: each use may repeat it, so it gets no local of its own.
                is_simple = len(value.code) == 1 and not value.cells and not value.reads_memory
                if is_simple and isinstance(each.operands[1], ConstantOperand):
                    assert each.result
                    self.addresses[each.result] = value
                    return
            case "load" | "load_shared":  # a page has one thread
                address, offset = _address_and_offset(operands[0])
                value = _combine([*address, WasmOp("i64.load", offset)], operands)
                value.reads_memory = True
            case "store" | "store_shared" | "store_half":
                self.compute_pending(memory=True)
                address, offset = _address_and_offset(operands[0])
                name = "i64.store32" if each.name == "store_half" else "i64.store"
                self.code += [*address, *_code_with_offset(operands[1]), WasmOp(name, offset)]
                return
            case "copy":
                self.compute_pending(memory=True)
                goal, source, length = map(_code_with_offset, operands)
                self.code += [*goal, *source, *length, WasmOp("i32.wrap_i64"), WasmOp("memory.copy")]
                return
            case "add_shared" | "claim_half":
                self.compute_pending(everything=True)
                self.write_exchange(each, operands)
                return
            case "select":
                condition, first, second = map(_code_with_offset, operands)
                value = _combine([*first, *second, *condition, WasmOp("select")], operands)
            case _:
                code = [step for operand in operands for step in _code_with_offset(operand)]
                value = _combine([*code, WasmOp(_OPERATIONS[each.name])], operands)
        assert each.result
        if each.fault and each.name in ("add", "sub", "mul"):
            self.write_checked(each, operands)
        else:
            self.defer(each.result, value, body)

    def offset_address(self, each: form.Op, operands: list[_Expression]) -> _Expression:
        """Compute an address plus a number of ints, or of halves; a constant part stays an offset."""
        base, index = operands
        by_index = each.operands[1]
        shift = 3 if each.name == "place" else 2
        # Loads and stores add an offset for nothing, so a constant index is one.
        if isinstance(by_index, ConstantOperand):
            offset = base.offset + (int(by_index.value) << shift)
            return _Expression(base.code, offset, base.reads_memory, base.cells)
        scaled = [
            *_code_with_offset(index),
            WasmOp("i32.wrap_i64"),
            WasmOp("i32.const", shift),
            WasmOp("i32.shl"),
        ]
        joined = _combine([*base.code, *scaled, WasmOp("i32.add")], operands)
        joined.offset = base.offset
        return joined

    def write_exchange(self, each: form.Op, operands: list[_Expression]) -> None:
        """Write a change of memory whose result is the value before it."""
        assert each.result
        (address, offset), value = _address_and_offset(operands[0]), _code_with_offset(operands[1])
        before = WasmOp("local.get", each.result)
        if each.name == "add_shared":
            self.code += [*address, WasmOp("i64.load", offset), WasmOp("local.set", each.result)]
            self.code += [*address, before, *value, WasmOp("i64.add"), WasmOp("i64.store", offset)]
        else:
            self.code += [*address, WasmOp("i64.load32_u", offset), WasmOp("local.set", each.result)]
            self.code += [before, WasmOp("i64.eqz"), WasmOp("if")]
            self.code += [*address, *value, WasmOp("i64.store32", offset), WasmOp("end")]

    def write_checked(self, each: form.Op, operands: list[_Expression]) -> None:
        """Write a sum, difference or product that is an exception where it has no room in 64 bits."""
        assert each.result
        first, second = self.new_int_register(), self.new_int_register()
        a, b, result = (
            WasmOp("local.get", first),
            WasmOp("local.get", second),
            WasmOp("local.get", each.result),
        )
        self.code += [*_code_with_offset(operands[0]), WasmOp("local.set", first)]
        self.code += [*_code_with_offset(operands[1]), WasmOp("local.set", second)]
        self.code += [a, b, WasmOp(_OPERATIONS[each.name]), WasmOp("local.set", each.result)]
        differ = WasmOp("i64.xor")
        if each.name == "mul":  # right if a is 0, else if the result divided by a is b: but the least int by -1 traps
            is_least = [
                a,
                WasmOp("i64.const", -1),
                WasmOp("i64.eq"),
                b,
                WasmOp("i64.const", -(2**63)),
                WasmOp("i64.eq"),
            ]
            self.code += [WasmOp("block"), a, WasmOp("i64.eqz"), WasmOp("br_if", 0)]
            self.code += [WasmOp("block"), *is_least, WasmOp("i32.and"), WasmOp("br_if", 0)]
            self.code += [
                result,
                a,
                WasmOp("i64.div_s"),
                b,
                WasmOp("i64.eq"),
                WasmOp("br_if", 1),
                WasmOp("end"),
            ]
        else:  # wrong if the result's sign is neither that of the one operand nor that of the other
            other = [b, result, differ] if each.name == "add" else [a, b, differ]
            self.code += [
                a,
                result,
                differ,
                *other,
                WasmOp("i64.and"),
                WasmOp("i64.const", 0),
                WasmOp("i64.lt_s"),
            ]
            self.code.append(WasmOp("if"))
        self.write_fault(each.fault)
        self.code.append(WasmOp("end"))

    def new_int_register(self) -> Register:
        """Make a register for an int that the form does not have, with a negative number."""
        self.last_number -= 1
        return Register(self.last_number, RegisterKind.INT)


def _instruction_lists(body: list[Instruction]) -> Iterator[list[Instruction]]:
    """All lists of instructions of a function, which is simplified: each before those within it."""
    yield body
    for each in body:
        for inner in nested_bodies(each):
            yield from _instruction_lists(inner)


def _code_with_offset(value: _Expression) -> Code:
    """Add its offset to the code of a value."""
    return [*value.code, WasmOp("i32.const", value.offset), WasmOp("i32.add")] if value.offset else value.code


def _address_and_offset(value: _Expression) -> tuple[Code, int]:
    """Split an address into code and the constant that a load or store adds to it."""
    # Offsets of the format have no sign.
    return (value.code, value.offset) if value.offset >= 0 else (_code_with_offset(value), 0)


def _combine(code: Code, parts: Sequence[_Expression]) -> _Expression:
    """Combine expressions: the result reads whatever its parts read."""
    cells = frozenset(cell for part in parts for cell in part.cells)
    return _Expression(code, 0, any(part.reads_memory for part in parts), cells)


# -- locals -----------------------------------------------------------------------------------------------------------


def _allocate_locals(
    code: Code, parameters: Sequence[Register], loops: Iterable[tuple[int, int]]
) -> dict[Register | Cell, int]:
    """The local of each register and cell: one is used again where the value of the one before is never read again.

    Args:
        code: the code.
        parameters: the registers whose locals are the first ones.
        loops: places of the loops in the code, inner ones before those around them.
    """
    # Linear scan (Poletto and Sarkar, "Linear scan register allocation", 1999), without spilling: intervals from the
    # first use to the last, in the order of their beginnings; one that has ended gives its local to the next of its
    # type.
    first: dict[Register | Cell, int] = dict.fromkeys(parameters, -1)
    last = dict(first)
    begins_with_read = set[Register | Cell]()
    for place, each in enumerate(code):
        if isinstance(each.operand, Register | Cell):
            if each.operand not in first and each.name == "local.get":
                begins_with_read.add(each.operand)
            first.setdefault(each.operand, place)
            last[each.operand] = place
    # An interval that reaches into a loop must last as long as the turns do; inner loops first, because theirs may
    # reach into the next.
    for start, end in loops:
        for owner, begin in first.items():
            if begin > end or last[owner] < start:
                continue
            if isinstance(owner, Register):  # set once, so a loop that only reads it must leave it
                if begin < start and last[owner] <= end:
                    last[owner] = end
            # A cell keeps its value from turn to turn, if it is set before the loop, read behind it, or read before it
            # is set.
            elif begin < start or last[owner] > end or owner in begins_with_read:
                first[owner], last[owner] = min(begin, start), max(last[owner], end)
    places: dict[Register | Cell, int] = {}
    free: dict[str, list[int]] = {}
    ending: list[tuple[int, int, Register | Cell]] = []
    count = 0
    for owner in sorted(first, key=lambda owner: first[owner]):
        while ending and ending[0][0] < first[owner]:
            *_, ended = heappop(ending)
            free.setdefault(_TYPE_NAMES[ended.kind], []).append(places[ended])
        kind = _TYPE_NAMES[owner.kind]
        # Parameters have the first locals, in their order, whatever is free.
        if first[owner] >= 0 and free.get(kind):
            places[owner] = free[kind].pop()
        else:
            places[owner] = count
            count += 1
        heappush(ending, (last[owner], len(places), owner))
    return places


# -- modules ----------------------------------------------------------------------------------------------------------

PAGE_MEMORY: Final = MemoryPlan()
"""A page gives a module a memory of its own."""


def encode_module(doors: Sequence[Door], plan: MemoryPlan = PAGE_MEMORY) -> WebAssemblyModule:
    """Encode functions and all that they call as a module.

    Args:
        doors: functions that are visible from outside, as `STACK_POINTER`, `HEAP_BASE` and `FAULT` are.
        plan: where its memory is.
    """
    functions = _all_functions(doors)
    numbers = {id(each): number for number, each in enumerate(functions)}
    data = _DataSegment(functions, plan)
    encoded = [(_function_type(each), _FunctionCode(each, plan, data, numbers).encode()) for each in functions]
    exports = {
        STACK_POINTER: TO_GLOBAL + encode_unsigned(_STACK_INDEX),
        FAULT_NAME: TO_GLOBAL + encode_unsigned(_FAULT_INDEX),
    }
    exports |= {door.name: TO_FUNCTION + encode_unsigned(numbers[id(door.form)]) for door in doors}
    variables = [MUTABLE_I32 + encode_const_expression(plan.top), MUTABLE_I32 + encode_const_expression(-1)]
    return assemble(encoded, variables, exports, (data.place, data.bytes), plan.most_pages)


def _all_functions(doors: Sequence[Door]) -> list[FunctionForm]:
    return list({id(each): each for door in doors for each in reachable_functions(door.form)}.values())


def _function_type(function: FunctionForm) -> bytes:
    parameters = [WASM_TYPES[_TYPE_NAMES[each.kind]] for each in function.parameters]
    results = [WASM_TYPES[_TYPE_NAMES[kind]] for kind in function.results]
    return b"\x60" + encode_vector(parameters) + encode_vector(results)


def format_webassembly(entry: FunctionForm) -> str:
    """Format a function and all that it calls as WebAssembly's text, for people."""
    functions = _all_functions([Door(entry.name, entry)])
    data = _DataSegment(functions, PAGE_MEMORY)
    numbers = {id(each): number for number, each in enumerate(functions)}
    names = [each.name for each in functions]
    writers = [_FunctionCode(each, PAGE_MEMORY, data, numbers) for each in functions]
    return "\n\n".join("\n".join(_format_function(each, names)) for each in writers) + "\n"


def _format_function(writer: _FunctionCode, names: Sequence[str]) -> Iterator[str]:
    writer.write()
    function = writer.function
    parameters = " ".join(f"(param ${each.number} {_TYPE_NAMES[each.kind]})" for each in function.parameters)
    results = " ".join(_TYPE_NAMES[kind] for kind in function.results)
    yield " ".join(filter(None, [f"(func ${function.name}", parameters, f"(result {results})" if results else ""]))
    yield from format_steps(writer.code[:-1], names)
    yield ")"
