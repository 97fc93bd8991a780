"""The native back end: the form as LLVM's text, and that text as machine code.

Cells become `alloca`, which LLVM's first pass makes registers. LLVM leaves undefined what Python defines: a shift by 64
or more, division by 0 and of the least int by -1, a place beyond its tuple. The front end writes the tests for these;
here nothing may promise more: no `nsw`, no `inbounds` on Python's memory, no `noalias`.

A function that can fault returns a status before its results, 0 or the number of a fault; its callers test it and
return it as theirs.
"""

import struct
from collections.abc import Sequence

from plyground.compiler import form
from plyground.compiler.form import (
    ENTRY_NAME,
    TOO_DEEP,
    Cell,
    FunctionForm,
    Instruction,
    Operand,
    Register,
    RegisterKind,
    walk_instructions,
)
from plyground.compiler.target import Target
from plyground.rules import Weights

LLVM_TYPES = {
    RegisterKind.INT: "i64",
    RegisterKind.BOOL: "i1",
    RegisterKind.FLOAT: "double",
    RegisterKind.ADDRESS: "ptr",
}

_BINARY_INSTRUCTIONS = {
    "add": "add i64",
    "sub": "sub i64",
    "mul": "mul i64",
    "and": "and i64",
    "or": "or i64",
    "xor": "xor i64",
    "shl": "shl i64",
    "shr": "ashr i64",
    "ushr": "lshr i64",
    "quotient": "sdiv i64",
    "remainder": "srem i64",
    "both": "and i1",
    "either": "or i1",
    "differ": "xor i1",
    "eq": "icmp eq i64",
    "ne": "icmp ne i64",
    "lt": "icmp slt i64",
    "le": "icmp sle i64",
    "gt": "icmp sgt i64",
    "ge": "icmp sge i64",
    "below": "icmp ult i64",
    "fadd": "fadd double",
    "fsub": "fsub double",
    "fmul": "fmul double",
    "fdiv": "fdiv double",
    "feq": "fcmp oeq double",
    # Unordered: a NaN differs from everything in Python too, itself included.
    "fne": "fcmp une double",
    "flt": "fcmp olt double",
    "fle": "fcmp ole double",
    "fgt": "fcmp ogt double",
    "fge": "fcmp oge double",
}
"""Operations of two operands that are one instruction of LLVM's."""

_OTHER_INSTRUCTIONS = {
    "ones": "call i64 @llvm.ctpop.i64(i64 {0})",
    "zeros_below": "call i64 @llvm.cttz.i64(i64 {0}, i1 false)",
    "zeros_above": "call i64 @llvm.ctlz.i64(i64 {0}, i1 false)",
    "deposit": "call i64 @llvm.x86.bmi.pdep.64(i64 {0}, i64 {1})",
    "sqrt": "call double @llvm.sqrt.f64(double {0})",
    "log": "call double @log(double {0})",
    "bits_of": "bitcast double {0} to i64",
    "float_from": "bitcast i64 {0} to double",
    "int_of": "zext i1 {0} to i64",
    "float_of": "sitofp i64 {0} to double",
    # Undefined for a float that no int of 64 bits holds: `_lower_int` tests that before.
    "truncated": "fptosi double {0} to i64",
    "not": "xor i1 {0}, true",
    "address_of": "inttoptr i64 {0} to ptr",
    "place": "getelementptr i64, ptr {0}, i64 {1}",
    "half_place": "getelementptr i32, ptr {0}, i64 {1}",
    "add_shared": "atomicrmw add ptr {0}, i64 {1} monotonic, align 8",
    "load": "load i64, ptr {0}",
    "load_shared": "load atomic i64, ptr {0} monotonic, align 8",
    "store": "store i64 {1}, ptr {0}",
    "store_shared": "store atomic i64 {1}, ptr {0} monotonic, align 8",
    "copy": "call void @llvm.memmove.p0.p0.i64(ptr {0}, ptr {1}, i64 {2}, i1 false)",
    "prefetch": "call void @llvm.prefetch.p0(ptr {0}, i32 0, i32 3, i32 1)",
}
"""The other operations, with a place for each operand. Python's memory is read and written atomically, so that threads
may share it and a loop sees a stop."""

_DECLARATIONS = """
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)
declare double @log(double)
declare ptr @llvm.frameaddress.p0(i32)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
"""
WEIGHTS_NAME = "weights"
"""Prefix of the names of the globals that hold the addresses of weights."""


class _FunctionText:
    """Writer of one function as text."""

    def __init__(self, function: FunctionForm, data: dict[tuple[int, ...], str], weights: Sequence[Weights]) -> None:
        self.function, self.data = function, data
        self.weights = {id(each): f"@{WEIGHTS_NAME}.{number}" for number, each in enumerate(weights)}
        self.allocas: list[str] = []
        self.lines: list[str] = []
        self.cells: set[Cell] = set()
        self.name_count = 0
        self.label_blocks: dict[int, str] = {}
        self.is_open = True
        """Whether the current basic block has no terminator yet."""

    def new_name(self, what: str) -> str:
        self.name_count += 1
        return f"{what}.{self.name_count}"

    def write(self, line: str) -> None:
        if self.is_open:
            self.lines.append(f"  {line}")

    def write_terminator(self, line: str) -> None:
        self.write(line)
        self.is_open = False

    def begin_block(self, label: str) -> None:
        self.write_terminator(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.is_open = True

    def text(self, attributes: str) -> str:
        function = self.function
        if function.calls_itself:
            # The address of the frame is below the limit when too much of the stack is used: no counter is passed
            # along.
            self.write("%stack.here = call ptr @llvm.frameaddress.p0(i32 0)")
            self.write("%stack.low = icmp ult ptr %stack.here, %stack")
            self.write_guard("%stack.low", str(TOO_DEEP))
        self.write_body(function.body)
        self.write_terminator("unreachable")
        parameters = ", ".join(
            ["ptr %stack", *(f"{LLVM_TYPES[each.kind]} %r{each.number}" for each in function.parameters)]
        )
        head = f"define internal fastcc {result_type(function)} @{function.name}({parameters})"
        return "\n".join([f"{head} {attributes} {{", *self.allocas, *self.lines, "}"])

    def open_block(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.is_open = True

    def write_body(self, body: Sequence[Instruction]) -> None:
        for each in body:
            if not self.is_open:
                return
            self.write_instruction(each)

    def write_instruction(self, each: Instruction) -> None:
        match each:
            case form.Op():
                self.write_operation(each)
            case form.ReadCell():
                self.write(
                    f"%r{each.result.number} = load {LLVM_TYPES[each.cell.kind]}, ptr {self.cell_address(each.cell)}"
                )
            case form.WriteCell():
                self.write(f"store {_typed_operand(each.value)}, ptr {self.cell_address(each.cell)}")
            case form.StackSlot():
                # In the first block, where LLVM makes `alloca` registers; elsewhere it would grow the frame at run
                # time.
                self.allocas.append(f"  %r{each.result.number} = alloca [{each.length} x i64], align 8")
            case form.ConstantData():
                name = self.data.setdefault(each.values, f"@data.{len(self.data)}")
                self.write(f"%r{each.result.number} = getelementptr i64, ptr {name}, i64 0")
            case form.WeightsData():
                # Loaded from a global at each use, so that the code is the same for all weights of that length
                # (`MachineCode`).
                name = self.weights[id(each.weights)]
                self.write(f"%r{each.result.number} = load ptr, ptr {name}")
            case form.Call():
                self.write_call(each)
            case form.If():
                then, otherwise, after = self.new_name("then"), self.new_name("else"), self.new_name("after")
                self.write_terminator(f"br i1 {_operand_text(each.condition)}, label %{then}, label %{otherwise}")
                self.open_block(then)
                self.write_body(each.then)
                self.write_terminator(f"br label %{after}")
                self.open_block(otherwise)
                self.write_body(each.otherwise)
                self.write_terminator(f"br label %{after}")
                self.open_block(after)
            case form.Block():
                self.label_blocks[each.label] = after = self.new_name("end")
                self.write_body(each.body)
                self.begin_block(after)
            case form.Loop():
                self.label_blocks[each.label] = start = self.new_name("loop")
                self.begin_block(start)
                self.write_body(each.body)
            case form.PhiMoves():
                self.write_body(each.body)
            case form.Jump():
                self.write_terminator(f"br label %{self.label_blocks[each.label]}")
            case form.Return():
                self.write_return("0", each.values)
            case form.FaultExit():
                self.write_fault(str(each.number))

    def write_return(self, status: str, values: Sequence[Operand]) -> None:
        """Return a status and values as one."""
        # On a fault only the status is set: callers test it first and read nothing else.
        kind, so_far = result_type(self.function), "undef"
        if kind == "void":
            self.write_terminator("ret void")
            return
        parts = [f"i64 {status}"] if self.function.can_fault else []
        for place, part in enumerate([*parts, *map(_typed_operand, values)]):
            name = self.new_name("%result")
            self.write(f"{name} = insertvalue {kind} {so_far}, {part}, {place}")
            so_far = name
        self.write_terminator(f"ret {kind} {so_far}")

    def write_fault(self, status: str) -> None:
        self.write_return(status, ())

    def write_guard(self, is_wrong: str, status: str) -> None:
        """Return a fault's status where a condition holds, which is rare."""
        bad, good = self.new_name("bad"), self.new_name("good")
        # Marked as rare (`!prof`), so that the way without a fault is laid out straight.
        self.write_terminator(f"br i1 {is_wrong}, label %{bad}, label %{good}, !prof !0")
        self.open_block(bad)
        self.write_fault(status)
        self.open_block(good)

    def write_operation(self, each: form.Op) -> None:
        operands = [_operand_text(operand) for operand in each.operands]
        result = f"%r{each.result.number}" if each.result else ""
        if each.fault and each.name in ("add", "sub", "mul"):
            pair = self.new_name("%pair")
            with_overflow = f"@llvm.s{each.name}.with.overflow.i64(i64 {operands[0]}, i64 {operands[1]})"
            self.write(f"{pair} = call {{i64, i1}} {with_overflow}")
            self.write(f"{result} = extractvalue {{i64, i1}} {pair}, 0")
            over = self.new_name("%over")
            self.write(f"{over} = extractvalue {{i64, i1}} {pair}, 1")
            self.write_guard(over, str(each.fault))
        elif each.name in _BINARY_INSTRUCTIONS:
            self.write(f"{result} = {_BINARY_INSTRUCTIONS[each.name]} {operands[0]}, {operands[1]}")
        elif each.name in ("claim_half", "store_half"):
            half = self.new_name("%half")
            self.write(f"{half} = trunc i64 {operands[1]} to i32")
            if each.name == "store_half":
                self.write(f"store atomic i32 {half}, ptr {operands[0]} release, align 4")
            else:
                pair, before = self.new_name("%pair"), self.new_name("%before")
                self.write(f"{pair} = cmpxchg ptr {operands[0]}, i32 0, i32 {half} acq_rel acquire, align 4")
                self.write(f"{before} = extractvalue {{i32, i1}} {pair}, 0")
                self.write(f"{result} = zext i32 {before} to i64")
        elif each.name == "select":
            self.write(f"{result} = select i1 {operands[0]}, {', '.join(map(_typed_operand, each.operands[1:]))}")
        else:
            text = _OTHER_INSTRUCTIONS[each.name].format(*operands)
            self.write(f"{result} = {text}" if each.result else text)

    def write_call(self, each: form.Call) -> None:
        function, kind = each.function, result_type(each.function)
        operands = ", ".join(["ptr %stack", *map(_typed_operand, each.operands)])
        if kind == "void":
            self.write(f"call fastcc void @{function.name}({operands})")
            return
        whole = self.new_name("%call")
        self.write(f"{whole} = call fastcc {kind} @{function.name}({operands})")
        first = 0
        if function.can_fault:
            first = 1
            status, wrong = self.new_name("%status"), self.new_name("%wrong")
            self.write(f"{status} = extractvalue {kind} {whole}, 0")
            self.write(f"{wrong} = icmp ne i64 {status}, 0")
            self.write_guard(wrong, status)
        for place, result in enumerate(each.results, first):
            self.write(f"%r{result.number} = extractvalue {kind} {whole}, {place}")

    def cell_address(self, cell: Cell) -> str:
        if cell not in self.cells:
            self.cells.add(cell)
            self.allocas.append(f"  %c{cell.number} = alloca {LLVM_TYPES[cell.kind]}")
        return f"%c{cell.number}"


def result_type(function: FunctionForm) -> str:
    """Format LLVM's type of a function's status and results."""
    parts = ["i64"] if function.can_fault else []
    parts += [LLVM_TYPES[kind] for kind in function.results]
    return f"{{{', '.join(parts)}}}" if parts else "void"


def _operand_text(operand: Operand) -> str:
    if isinstance(operand, Register):
        return f"%r{operand.number}"
    if operand.kind is RegisterKind.BOOL:
        return "true" if operand.value else "false"
    if operand.kind is RegisterKind.FLOAT:
        return _float_text(float(operand.value))
    return "null" if operand.kind is RegisterKind.ADDRESS else str(operand.value)


def _float_text(value: float) -> str:
    """Format a float by its bits, because LLVM refuses decimal numbers that are not exact."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


def _typed_operand(operand: Operand) -> str:
    return f"{LLVM_TYPES[operand.kind]} {_operand_text(operand)}"


def llvm_text(functions: Sequence[FunctionForm], doors: Sequence[str], target: Target) -> str:
    """Format functions as LLVM's text, with their data and the doors by which they are called from outside.

    Args:
        functions: the functions.
        doors: text of the functions that are visible from outside.
        target: the machine.
    """
    data: dict[tuple[int, ...], str] = {}
    weights = weights_in(functions)
    parts = []
    for each in functions:
        attributes = "alwaysinline #0" if each.is_inlined else "#0"
        parts.append(_FunctionText(each, data, weights).text(attributes))
    # Functions are internal and `fastcc`: LLVM may change their form, drop them, and pass all in registers. Only doors
    # have C's.
    parts += doors
    parts += [f"@{WEIGHTS_NAME}.{number} = global ptr null" for number in range(len(weights))]
    parts += [_data_text(name, values) for values, name in data.items()]
    tail = f'attributes #0 = {{ nounwind "target-features"="{target.features}" }}'
    rare = '!0 = !{!"branch_weights", i32 1, i32 100000}'
    deposit = "declare i64 @llvm.x86.bmi.pdep.64(i64, i64)\n" if target.has_deposit else ""
    return "\n\n".join([f'target triple = "{target.triple}"', _DECLARATIONS + deposit, *parts, tail, rare]) + "\n"


def _data_text(name: str, values: Sequence[int]) -> str:
    items = ", ".join(f"i64 {value}" for value in values)
    return f"{name} = private unnamed_addr constant [{len(values)} x i64] [{items}], align 8"


def weights_in(functions: Sequence[FunctionForm]) -> list[Weights]:
    """List the weights that functions read, each once; the globals with their addresses are numbered in this order."""
    instructions = [each for function in functions for each in walk_instructions(function.body)]
    return list(
        {id(each.weights): each.weights for each in instructions if isinstance(each, form.WeightsData)}.values()
    )


def entry_text(door: FunctionForm) -> str:
    """Format the entry around its door. It also takes the bytes of stack that it may use, and returns the status."""
    kind = result_type(door)
    lines = ["%here = call ptr @llvm.frameaddress.p0(i32 0)", "%down = sub i64 0, %room"]
    lines += ["%stack = getelementptr i8, ptr %here, i64 %down"]
    call = f"call fastcc {kind} @{door.name}(ptr %stack, ptr %arguments, ptr %results)"
    if door.can_fault:
        lines += [f"%result = {call}", f"%status = extractvalue {kind} %result, 0", "ret i64 %status"]
    else:
        lines += [call, "ret i64 0"]
    body = "\n".join(f"  {line}" for line in lines)
    return f"define i64 @{ENTRY_NAME}(ptr %arguments, ptr %results, i64 %room) #0 {{\n{body}\n}}"
