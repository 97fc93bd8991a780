"""The native back end: the form as LLVM's text, and that text as machine code.

Cells become `alloca`, which LLVM's first pass makes registers. LLVM leaves undefined what Python defines: a shift by 64
or more, division by 0 and of the least int by -1, a place beyond its tuple. The front end writes the tests for these;
here nothing may assume more than it says: no `nsw`, no `inbounds` on Python's memory, no `noalias`.

A function returns a status before its results, 0 or the number of a fault; its callers test it and return it as theirs.
LLVM removes the status where none can come.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from llvmlite import binding

from plyground.compiler.form import (
    Block,
    Call,
    Cell,
    Data,
    FaultExit,
    FunctionForm,
    Get,
    If,
    Instruction,
    Jump,
    Loop,
    Moves,
    Op,
    Operand,
    Register,
    RegisterKind,
    Return,
    Set,
    Slot,
    instructions,
)

TYPES = {RegisterKind.INT: "i64", RegisterKind.BOOL: "i1", RegisterKind.FLOAT: "double", RegisterKind.ADDRESS: "ptr"}

_ALIKE = {
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
    "fne": "fcmp une double",
    "flt": "fcmp olt double",
    "fle": "fcmp ole double",
    "fgt": "fcmp ogt double",
    "fge": "fcmp oge double",
}
"""Operations of two operands that LLVM has as they are."""

_CALLED = {
    "ones": "call i64 @llvm.ctpop.i64(i64 {0})",
    "zeros_below": "call i64 @llvm.cttz.i64(i64 {0}, i1 false)",
    "zeros_above": "call i64 @llvm.ctlz.i64(i64 {0}, i1 false)",
    "deposit": "call i64 @llvm.x86.bmi.pdep.64(i64 {0}, i64 {1})",
    "sqrt": "call double @llvm.sqrt.f64(double {0})",
    "log": "call double @log(double {0})",
    "int_of": "zext i1 {0} to i64",
    "float_of": "sitofp i64 {0} to double",
    "truncated": "fptosi double {0} to i64",
    "not": "xor i1 {0}, true",
    "place": "getelementptr i64, ptr {0}, i64 {1}",
    "load": "load i64, ptr {0}",
    "load_shared": "load atomic i64, ptr {0} monotonic, align 8",
    "store": "store i64 {1}, ptr {0}",
    "store_shared": "store atomic i64 {1}, ptr {0} monotonic, align 8",
    "copy": "call void @llvm.memmove.p0.p0.i64(ptr {0}, ptr {1}, i64 {2}, i1 false)",
    "prefetch": "call void @llvm.prefetch.p0(ptr {0}, i32 0, i32 3, i32 1)",
}
"""The other operations; each place is an operand. Python's memory is read and written in one piece each time, so that
threads may share it and a stop is seen within a loop."""

_DECLARED = """
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
ENTRY = "entry"
"""Name of the function that Python calls: with the addresses of its arguments and its results, one int for each, and
that down to which the stack may be used; it gives the status."""
TOO_DEEP = 1
"""Number of the fault of a line of calls too deep for the stack."""


class _Writer:
    """Text of one function."""

    def __init__(self, function: FunctionForm, data: dict[tuple[int, ...], str]) -> None:
        self.function, self.data = function, data
        self.head: list[str] = []
        self.lines: list[str] = []
        self.cells: set[Cell] = set()
        self.fresh = 0
        self.goals: dict[int, str] = {}
        self.is_open = True
        """Whether the current place can be reached, so that its block has no end yet."""

    def name(self, what: str) -> str:
        self.fresh += 1
        return f"{what}.{self.fresh}"

    def write(self, line: str) -> None:
        if self.is_open:
            self.lines.append(f"  {line}")

    def end(self, line: str) -> None:
        self.write(line)
        self.is_open = False

    def begin(self, label: str) -> None:
        self.end(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.is_open = True

    def text(self) -> str:
        function = self.function
        if function.calls_itself:
            self.write("%stack.here = call ptr @llvm.frameaddress.p0(i32 0)")
            self.write("%stack.low = icmp ult ptr %stack.here, %stack")
            good, bad = self.name("room"), self.name("deep")
            self.end(f"br i1 %stack.low, label %{bad}, label %{good}, !prof !0")
            self._open(bad)
            self.fault(str(TOO_DEEP))
            self._open(good)
        self.body(function.body)
        self.end("unreachable")
        parameters = ", ".join(["ptr %stack", *(f"{TYPES[each.kind]} %r{each.number}" for each in function.parameters)])
        head = f"define internal fastcc {result_type(function)} @{function.name}({parameters})"
        return "\n".join([f"{head} #0 {{", *self.head, *self.lines, "}"])

    def _open(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.is_open = True

    def body(self, body: Sequence[Instruction]) -> None:
        for each in body:
            if not self.is_open:
                return
            self.instruction(each)

    def instruction(self, each: Instruction) -> None:
        match each:
            case Op():
                self.operation(each)
            case Get():
                self.write(f"%r{each.result.number} = load {TYPES[each.cell.kind]}, ptr {self.cell(each.cell)}")
            case Set():
                self.write(f"store {_typed(each.value)}, ptr {self.cell(each.cell)}")
            case Slot():
                self.head.append(f"  %r{each.result.number} = alloca [{each.length} x i64], align 8")
            case Data():
                name = self.data.setdefault(each.values, f"@data.{len(self.data)}")
                self.write(f"%r{each.result.number} = getelementptr i64, ptr {name}, i64 0")
            case Call():
                self.call(each)
            case If():
                then, otherwise, after = self.name("then"), self.name("else"), self.name("after")
                self.end(f"br i1 {_plain(each.condition)}, label %{then}, label %{otherwise}")
                self._open(then)
                self.body(each.then)
                self.end(f"br label %{after}")
                self._open(otherwise)
                self.body(each.otherwise)
                self.end(f"br label %{after}")
                self._open(after)
            case Block():
                self.goals[each.label] = after = self.name("end")
                self.body(each.body)
                self.begin(after)
            case Loop():
                self.goals[each.label] = start = self.name("loop")
                self.begin(start)
                self.body(each.body)
            case Moves():
                self.body(each.body)
            case Jump():
                self.end(f"br label %{self.goals[each.label]}")
            case Return():
                self.end_with("0", each.values)
            case FaultExit():
                self.fault(str(each.number))

    def end_with(self, status: str, values: Sequence[Operand]) -> None:
        """Return a status and values as one."""
        kind, so_far = result_type(self.function), "undef"
        if kind == "void":
            self.end("ret void")
            return
        parts = [f"i64 {status}"] if self.function.can_fault else []
        for place, part in enumerate([*parts, *map(_typed, values)]):
            name = self.name("%result")
            self.write(f"{name} = insertvalue {kind} {so_far}, {part}, {place}")
            so_far = name
        self.end(f"ret {kind} {so_far}")

    def fault(self, status: str) -> None:
        self.end_with(status, ())

    def guard(self, is_wrong: str, fault: int) -> None:
        """A fault where a condition holds, which it hardly ever does."""
        bad, good = self.name("bad"), self.name("good")
        self.end(f"br i1 {is_wrong}, label %{bad}, label %{good}, !prof !0")
        self._open(bad)
        self.fault(str(fault))
        self._open(good)

    def operation(self, each: Op) -> None:
        operands = [_plain(operand) for operand in each.operands]
        result = f"%r{each.result.number}" if each.result else ""
        if each.fault and each.name in ("add", "sub", "mul"):
            pair = self.name("%pair")
            with_overflow = f"@llvm.s{each.name}.with.overflow.i64(i64 {operands[0]}, i64 {operands[1]})"
            self.write(f"{pair} = call {{i64, i1}} {with_overflow}")
            self.write(f"{result} = extractvalue {{i64, i1}} {pair}, 0")
            over = self.name("%over")
            self.write(f"{over} = extractvalue {{i64, i1}} {pair}, 1")
            self.guard(over, each.fault)
        elif each.name in _ALIKE:
            self.write(f"{result} = {_ALIKE[each.name]} {operands[0]}, {operands[1]}")
        elif each.name == "select":
            self.write(f"{result} = select i1 {operands[0]}, {', '.join(map(_typed, each.operands[1:]))}")
        else:
            text = _CALLED[each.name].format(*operands)
            self.write(f"{result} = {text}" if each.result else text)

    def call(self, each: Call) -> None:
        function, kind = each.function, result_type(each.function)
        operands = ", ".join(["ptr %stack", *map(_typed, each.operands)])
        if kind == "void":
            self.write(f"call fastcc void @{function.name}({operands})")
            return
        whole = self.name("%call")
        self.write(f"{whole} = call fastcc {kind} @{function.name}({operands})")
        first = 0
        if function.can_fault:
            status, wrong, first = self.name("%status"), self.name("%wrong"), 1
            self.write(f"{status} = extractvalue {kind} {whole}, 0")
            self.write(f"{wrong} = icmp ne i64 {status}, 0")
            bad, good = self.name("bad"), self.name("good")
            self.end(f"br i1 {wrong}, label %{bad}, label %{good}, !prof !0")
            self._open(bad)
            self.fault(status)
            self._open(good)
        for place, result in enumerate(each.results, first):
            self.write(f"%r{result.number} = extractvalue {kind} {whole}, {place}")

    def cell(self, cell: Cell) -> str:
        if cell not in self.cells:
            self.cells.add(cell)
            self.head.append(f"  %c{cell.number} = alloca {TYPES[cell.kind]}")
        return f"%c{cell.number}"


def result_type(function: FunctionForm) -> str:
    """LLVM's type of what a function returns."""
    parts = ["i64"] if function.can_fault else []
    parts += [TYPES[kind] for kind in function.results]
    return f"{{{', '.join(parts)}}}" if parts else "void"


def _plain(operand: Operand) -> str:
    if isinstance(operand, Register):
        return f"%r{operand.number}"
    if operand.kind is RegisterKind.BOOL:
        return "true" if operand.value else "false"
    if operand.kind is RegisterKind.FLOAT:
        return _float(float(operand.value))
    return str(operand.value)


def _float(value: float) -> str:
    """A float by its bits, as LLVM writes what has no short decimal form."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


def _typed(operand: Operand) -> str:
    return f"{TYPES[operand.kind]} {_plain(operand)}"


def llvm_text(functions: Sequence[FunctionForm], entry: FunctionForm) -> str:
    """A program as LLVM's text, with the entry that Python calls."""
    data: dict[tuple[int, ...], str] = {}
    parts = [_Writer(function, data).text() for function in functions]
    parts += [_entry_text(entry)]
    for values, name in data.items():
        listed = ", ".join(f"i64 {value}" for value in values)
        parts.append(f"{name} = private unnamed_addr constant [{len(values)} x i64] [{listed}], align 8")
    deposits = any(
        isinstance(each, Op) and each.name == "deposit"
        for function in functions
        for each in instructions(function.body)
    )
    declared = _DECLARED + ("declare i64 @llvm.x86.bmi.pdep.64(i64, i64)\n" if deposits else "")
    features = _processor()[1]
    tail = (
        f'attributes #0 = {{ nounwind "target-features"="{features}" }}\n!0 = !{{!"branch_weights", i32 1, i32 100000}}'
    )
    return "\n\n".join([declared, *parts, tail]) + "\n"


def _entry_text(entry: FunctionForm) -> str:
    lines, operands = [], ["ptr %stack"]
    for place, each in enumerate(entry.parameters):
        lines.append(f"%a{place} = getelementptr i64, ptr %arguments, i64 {place}")
        if each.kind is RegisterKind.BOOL:
            lines += [f"%w{place} = load i64, ptr %a{place}", f"%v{place} = icmp ne i64 %w{place}, 0"]
        else:
            lines.append(f"%v{place} = load {TYPES[each.kind]}, ptr %a{place}")
        operands.append(f"{TYPES[each.kind]} %v{place}")
    kind = result_type(entry)
    called = f"call fastcc {kind} @{entry.name}({', '.join(operands)})"
    lines.append(called if kind == "void" else f"%result = {called}")
    first = int(entry.can_fault)
    for place, result in enumerate(entry.results):
        lines.append(f"%x{place} = extractvalue {kind} %result, {place + first}")
        value = f"{TYPES[result]} %x{place}"
        if result is RegisterKind.BOOL:
            lines.append(f"%z{place} = zext i1 %x{place} to i64")
            value = f"i64 %z{place}"
        lines += [f"%y{place} = getelementptr i64, ptr %results, i64 {place}", f"store {value}, ptr %y{place}"]
    if entry.can_fault:
        lines += [f"%status = extractvalue {kind} %result, 0", "ret i64 %status"]
    else:
        lines.append("ret i64 0")
    body = "\n".join(f"  {line}" for line in lines)
    return f"define i64 @{ENTRY}(ptr %arguments, ptr %results, ptr %stack) #0 {{\n{body}\n}}"


# -- machine code -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _processor() -> tuple[str, str]:
    """Name of the processor that this process runs on, and its features."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()


def _machine() -> Any:
    """A machine to compile for, which belongs to one program."""
    cpu, features = _processor()
    return binding.Target.from_default_triple().create_target_machine(cpu=cpu, features=features, opt=3, jit=True)


def has_deposit() -> bool:
    """Whether this processor deposits bits in one instruction (BMI2)."""
    return bool(binding.get_host_cpu_features().get("bmi2"))


class Machine:
    """Machine code of a program."""

    def __init__(self, text: str, level: int = 3) -> None:
        machine = _machine()
        module = binding.parse_assembly(text)
        options = binding.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization = options.slp_vectorization = False  # seconds of compiling for nothing
        passes = binding.create_pass_builder(machine, options)
        passes.getModulePassManager().run(module, passes)
        self.optimised = module
        self._engine = binding.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        self.address: int = self._engine.get_function_address(ENTRY)
