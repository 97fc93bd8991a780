"""The typed intermediate form: what the front end writes and the back ends read.

A function is a nested list of instructions. Control flow is structured as in WebAssembly: a `Block` is left by a jump
to its label, which leads behind it; in a `Loop` such a jump leads to its start again. A `Register` is set once, by the
instruction that names it; what changes is a `Cell`, set before a join of ways and read behind it. So the form is static
single assignment with its phi functions written as cells, which LLVM makes registers again and WebAssembly locals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum


class RegisterKind(Enum):
    """Kind of what a register holds."""

    INT = "int"
    """A signed int of 64 bits."""
    BOOL = "bool"
    FLOAT = "float"
    ADDRESS = "address"
    """Where ints lie: in the frame, among constant data, or in a `Memory` of Python's."""


@dataclass(frozen=True, slots=True)
class Register:
    """A value that is set once."""

    number: int
    kind: RegisterKind

    def __str__(self) -> str:
        return f"%{self.number}"


@dataclass(frozen=True, slots=True)
class ConstantOperand:
    """A value that is known."""

    value: int | float
    kind: RegisterKind

    def __str__(self) -> str:
        return str(self.value)


Operand = Register | ConstantOperand


@dataclass(frozen=True, slots=True)
class Cell:
    """A variable."""

    number: int
    kind: RegisterKind

    def __str__(self) -> str:
        return f"cell{self.number}"


@dataclass(slots=True, eq=False)
class Op:
    """One instruction: an operation on operands, with a result or without.

    `fault` is the number of the fault where the exact result has no room in 64 bits; 0 where it wraps.
    """

    name: str
    operands: tuple[Operand, ...] = ()
    result: Register | None = None
    fault: int = 0


@dataclass(slots=True, eq=False)
class Get:
    """A cell is read."""

    result: Register
    cell: Cell


@dataclass(slots=True, eq=False)
class Set:
    """A cell is set."""

    cell: Cell
    value: Operand


@dataclass(slots=True, eq=False)
class Slot:
    """Room for `length` ints in the frame; the same room each time."""

    result: Register
    length: int


@dataclass(slots=True, eq=False)
class Data:
    """Address of constant ints."""

    result: Register
    values: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Call:
    """Call of a function. A fault in it ends this function, too."""

    function: "FunctionForm"
    operands: tuple[Operand, ...]
    results: tuple[Register, ...]


@dataclass(slots=True, eq=False)
class If:
    """Two ways."""

    condition: Operand
    then: list["Instruction"]
    otherwise: list["Instruction"]


@dataclass(slots=True, eq=False)
class Block:
    """Instructions that a jump to the label leaves."""

    label: int
    body: list["Instruction"]


@dataclass(slots=True, eq=False)
class Loop:
    """Instructions that a jump to the label begins again; behind their end it goes on."""

    label: int
    body: list["Instruction"]


@dataclass(slots=True, eq=False)
class Moves:
    """Instructions before a jump that are written once its goal knows all ways that lead there."""

    body: list["Instruction"]


@dataclass(slots=True, eq=False)
class Jump:
    """Jump to a label."""

    label: int


@dataclass(slots=True, eq=False)
class Return:
    """End of the function."""

    values: tuple[Operand, ...]


@dataclass(slots=True, eq=False)
class FaultExit:
    """End of the function by an exception, and of its callers."""

    number: int


Instruction = Op | Get | Set | Slot | Data | Call | If | Block | Loop | Moves | Jump | Return | FaultExit


@dataclass(slots=True, eq=False)
class FunctionForm:
    """A function for one pattern of arguments."""

    name: str
    parameters: tuple[Register, ...]
    results: tuple[RegisterKind, ...] = ()
    body: list[Instruction] = field(default_factory=list)
    can_fault: bool = True
    """Whether an exception can come out of it; taken for granted while it is written."""
    calls_itself: bool = False
    """Whether a line of calls leads back to it, so that the depth of the stack is looked at."""


def instructions(body: Sequence[Instruction]) -> Iterator[Instruction]:
    """All instructions, those within others as well."""
    for each in body:
        yield each
        for inner in inner_lists(each):
            yield from instructions(inner)


def inner_lists(each: Instruction) -> tuple[list[Instruction], ...]:
    """The lists of instructions within an instruction."""
    if isinstance(each, If):
        return each.then, each.otherwise
    return (each.body,) if isinstance(each, Block | Loop | Moves) else ()


def may_fault(function: FunctionForm) -> bool:
    """Whether an exception can come out of a function that is written."""
    return function.calls_itself or any(
        isinstance(each, FaultExit)
        or (isinstance(each, Op) and each.fault != 0)
        or (isinstance(each, Call) and each.function.can_fault)
        for each in instructions(function.body)
    )


def written(functions: Sequence[FunctionForm]) -> str:
    """The form as text, for people."""
    return "\n\n".join("\n".join(_function_lines(function)) for function in functions) + "\n"


def _function_lines(function: FunctionForm) -> Iterator[str]:
    parameters = ", ".join(f"{each}: {each.kind.value}" for each in function.parameters)
    results = ", ".join(kind.value for kind in function.results)
    yield f"function {function.name}({parameters}) -> ({results}){'' if function.can_fault else ' without fault'}"
    yield from _lines(function.body, "  ")


def _lines(body: Sequence[Instruction], indent: str) -> Iterator[str]:
    for each in body:
        match each:
            case Op():
                made = f"{each.result}: {each.result.kind.value} = " if each.result else ""
                fault = f", else fault {each.fault}" if each.fault else ""
                yield f"{indent}{made}{each.name} {_listed(each.operands)}{fault}"
            case Get():
                yield f"{indent}{each.result}: {each.result.kind.value} = {each.cell}"
            case Set():
                yield f"{indent}{each.cell} = {each.value}"
            case Slot():
                yield f"{indent}{each.result}: address = room for {each.length}"
            case Data():
                shown = _listed(each.values[:8]) + (", …" if len(each.values) > 8 else "")
                yield f"{indent}{each.result}: address = data of {len(each.values)}: {shown}"
            case Call():
                made = f"{_listed(each.results)} = " if each.results else ""
                yield f"{indent}{made}{each.function.name}({_listed(each.operands)})"
            case If():
                yield f"{indent}if {each.condition}"
                yield from _lines(each.then, indent + "  ")
                if each.otherwise:
                    yield f"{indent}else"
                    yield from _lines(each.otherwise, indent + "  ")
            case Block() | Loop():
                yield f"{indent}{'block' if isinstance(each, Block) else 'loop'} {each.label}"
                yield from _lines(each.body, indent + "  ")
            case Moves():
                yield from _lines(each.body, indent)
            case Jump():
                yield f"{indent}jump {each.label}"
            case Return():
                yield f"{indent}return {_listed(each.values)}".rstrip()
            case FaultExit():
                yield f"{indent}fault {each.number}"


def _listed(each: Sequence[object]) -> str:
    return ", ".join(map(str, each))
