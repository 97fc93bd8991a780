"""The form: a typed intermediate representation, which the front end emits and the back end reads.

A function is a nested list of instructions. Control flow is structured as in WebAssembly: a `Block` is left by a jump
to its label, which leads behind it; in a `Loop` such a jump leads to its start again. A `Register` is set once, by the
instruction that names it; what changes is a `Cell`, set before control flow joins and read behind the join. So the form
is static single assignment with its phi functions written as cells, which LLVM makes registers again and WebAssembly
locals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from plyground.rules import Weights

TOO_DEEP: Final = 1
"""Number of the fault when recursion is too deep for the stack."""
FIRST_FAULT: Final = 2
"""Number of the first fault in the table."""
ENTRY_NAME: Final = "entry"
"""Name of the function that Python calls, with the addresses of its arguments and results (an int for each)."""


class RegisterKind(Enum):
    """Type of the value in a register."""

    INT = "int"
    """A signed int of 64 bits."""
    BOOL = "bool"
    FLOAT = "float"
    ADDRESS = "address"
    """Where ints lie: in the frame, among constant data, or in a `Memory` of Python's."""


RESULT_KINDS: dict[str, RegisterKind] = {
    **dict.fromkeys(("add", "sub", "mul", "and", "or", "xor", "shl", "shr", "ushr"), RegisterKind.INT),
    **dict.fromkeys(("quotient", "remainder"), RegisterKind.INT),
    **dict.fromkeys(("ones", "zeros_below", "zeros_above", "deposit"), RegisterKind.INT),
    **dict.fromkeys(
        ("int_of", "truncated", "load", "load_shared", "add_shared", "claim_half", "bits_of"), RegisterKind.INT
    ),
    **dict.fromkeys(("both", "either", "differ", "not"), RegisterKind.BOOL),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge", "below"), RegisterKind.BOOL),
    **dict.fromkeys(("feq", "fne", "flt", "fle", "fgt", "fge"), RegisterKind.BOOL),
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv", "float_of", "float_from", "sqrt", "log"), RegisterKind.FLOAT),
    **dict.fromkeys(("place", "half_place", "address_of"), RegisterKind.ADDRESS),
}
"""Operations with a result, and its kind. Beside them: `select`, whose result is of its operands' kind, and `store`,
`store_shared`, `store_half`, `copy` and `prefetch`, which have none.

`below` compares without signs, `ushr` shifts zeros in; `quotient` and `remainder` round towards zero; `ones` counts the
set bits, `zeros_below` and `zeros_above` those that are not set beyond the lowest and the highest; `deposit` puts the
low bits of one int where the other has its set bits. `add_shared` adds to an int in memory in one step for all threads
and gives what it was, as `claim_half` does, which sets a half of an int if it is 0.
"""


@dataclass(frozen=True, slots=True)
class _Numbered:
    number: int
    kind: RegisterKind

    def __hash__(self) -> int:
        # Numbers are unique within a function; the generated hash would hash the kind too, at each look-up of each
        # pass.
        return self.number


class Register(_Numbered):
    """A value that is set once."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"%{self.number}"


class Cell(_Numbered):
    """Variable that is written on the ways to a join and read behind it: the form's phi function."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"cell{self.number}"


@dataclass(frozen=True, slots=True)
class ConstantOperand:
    """A value that is known when compiling."""

    value: int | float
    kind: RegisterKind

    def __str__(self) -> str:
        return str(self.value)


Operand = Register | ConstantOperand


@dataclass(slots=True, eq=False)
class Op:
    """An operation on operands, with a result or without.

    `fault` is the number of the fault where the exact result has no room in 64 bits; 0 where it wraps.
    """

    name: str
    operands: tuple[Operand, ...] = ()
    result: Register | None = None
    fault: int = 0


@dataclass(slots=True, eq=False)
class ReadCell:
    """Read of a cell into a register."""

    result: Register
    cell: Cell


@dataclass(slots=True, eq=False)
class WriteCell:
    """Write of a value into a cell."""

    cell: Cell
    value: Operand


@dataclass(slots=True, eq=False)
class StackSlot:
    """Memory for `length` ints in the frame of the function; the same memory each time."""

    result: Register
    length: int


@dataclass(slots=True, eq=False)
class ConstantData:
    """Address of constant ints."""

    result: Register
    values: tuple[int, ...]


@dataclass(slots=True, eq=False)
class WeightsData:
    """Address of the weights of an evaluation, which are data: code for other weights of that length is the same."""

    result: Register
    weights: Weights


@dataclass(slots=True, eq=False)
class Call:
    """Call of a function. A fault in it ends the caller, too."""

    function: "FunctionForm"
    operands: tuple[Operand, ...]
    results: tuple[Register, ...]


@dataclass(slots=True, eq=False)
class If:
    """Conditional branch to two lists of instructions; control flow joins behind both."""

    condition: Operand
    then: list["Instruction"]
    otherwise: list["Instruction"]


@dataclass(slots=True, eq=False)
class Block:
    """Instructions of which a jump to the label leads behind the last one."""

    label: int
    body: list["Instruction"]


@dataclass(slots=True, eq=False)
class Loop:
    """Instructions of which a jump to the label leads to the first one; the end of the body leads behind the loop."""

    label: int
    body: list["Instruction"]


@dataclass(slots=True, eq=False)
class PhiMoves:
    """Writes of cells on an edge of control flow, emitted when all edges to the join are known."""

    body: list["Instruction"]


@dataclass(slots=True, eq=False)
class Jump:
    """Jump to a label."""

    label: int


@dataclass(slots=True, eq=False)
class Return:
    """End of the function with its results."""

    values: tuple[Operand, ...]


@dataclass(slots=True, eq=False)
class FaultExit:
    """Exit by an exception, which ends all callers too; number 0 where a callee has raised it already."""

    number: int


Instruction = (
    Op
    | ReadCell
    | WriteCell
    | StackSlot
    | ConstantData
    | WeightsData
    | Call
    | If
    | Block
    | Loop
    | PhiMoves
    | Jump
    | Return
    | FaultExit
)


@dataclass(slots=True, eq=False)
class FunctionForm:
    """A function compiled for one pattern of arguments."""

    name: str
    parameters: tuple[Register, ...]
    results: tuple[RegisterKind, ...] = ()
    body: list[Instruction] = field(default_factory=list)
    can_fault: bool = True
    """Whether it can end by an exception; true until its body is complete."""
    calls_itself: bool = False
    """Whether it can call itself, directly or through others, so that it tests the depth of the stack."""
    is_inlined: bool = False
    """Whether the back end shall inline it into all its callers."""


def walk_instructions(body: Sequence[Instruction]) -> list[Instruction]:
    """List all instructions of a body, nested ones included, in pre-order."""
    found: list[Instruction] = []

    def walk(body: Sequence[Instruction]) -> None:
        for each in body:
            found.append(each)
            for inner in nested_bodies(each):
                walk(inner)

    walk(body)
    return found


def nested_bodies(each: Instruction) -> tuple[list[Instruction], ...]:
    """Lists of instructions directly within an instruction."""
    kind = type(each)
    if kind is Op or kind is ReadCell or kind is WriteCell:  # as most are
        return ()
    if isinstance(each, If):
        return each.then, each.otherwise
    return (each.body,) if isinstance(each, Block | Loop | PhiMoves) else ()


def operands_of(each: Instruction) -> tuple[Operand, ...]:
    """Operands of an instruction, without those of nested ones."""
    match each:
        case Op() | Call():
            return each.operands
        case WriteCell():
            return (each.value,)
        case If():
            return (each.condition,)
        case Return():
            return each.values
    return ()


def results_of(each: Instruction) -> tuple[Register, ...]:
    """Registers that an instruction sets, without those of nested ones."""
    match each:
        case Op(result=Register() as result):
            return (result,)
        case ReadCell() | StackSlot() | ConstantData() | WeightsData():
            return (each.result,)
        case Call():
            return each.results
    return ()


def highest_number(function: FunctionForm) -> int:
    """The highest number of a register, cell or label."""
    found = [0, *(each.number for each in function.parameters)]
    for each in walk_instructions(function.body):
        found += [result.number for result in results_of(each)]
        # Registers, cells and labels share one counter, so that a copy of a body renumbers them all in the same way.
        if isinstance(each, WriteCell | ReadCell):
            found.append(each.cell.number)
        elif isinstance(each, Block | Loop):
            found.append(each.label)
    return max(found)


def reachable_functions(entry: FunctionForm) -> list[FunctionForm]:
    """The functions that an entry calls, directly or through others; itself first."""
    # The list grows while it is walked: breadth first, each function behind the one that calls it first.
    found = [entry]
    seen = {id(entry)}
    for function in found:
        for each in walk_instructions(function.body):
            if isinstance(each, Call) and id(each.function) not in seen:
                seen.add(id(each.function))
                found.append(each.function)
    return found


def may_fault(function: FunctionForm) -> bool:
    """Whether a complete function can end by an exception."""
    # Recursion tests the depth of the stack, which is the fault `TOO_DEEP`. Of a callee that is still being lowered
    # `can_fault` is true, so this errs towards yes: a caller tests a status that is never set.
    return function.calls_itself or any(
        isinstance(each, FaultExit)
        or (isinstance(each, Op) and each.fault != 0)
        or (isinstance(each, Call) and each.function.can_fault)
        for each in walk_instructions(function.body)
    )


def format_functions(functions: Sequence[FunctionForm]) -> str:
    """Format functions as text, for people."""
    return "\n\n".join("\n".join(_function_lines(function)) for function in functions) + "\n"


def _function_lines(function: FunctionForm) -> Iterator[str]:
    parameters = ", ".join(f"{each}: {each.kind.value}" for each in function.parameters)
    results = ", ".join(kind.value for kind in function.results)
    yield f"function {function.name}({parameters}) -> ({results}){'' if function.can_fault else ' without fault'}"
    yield from _format_body(function.body, "  ")


def _format_body(body: Sequence[Instruction], indent: str) -> Iterator[str]:
    for each in body:
        match each:
            case Op():
                made = f"{each.result}: {each.result.kind.value} = " if each.result else ""
                fault = f", else fault {each.fault}" if each.fault else ""
                yield f"{indent}{made}{each.name} {_join_texts(each.operands)}{fault}"
            case ReadCell():
                yield f"{indent}{each.result}: {each.result.kind.value} = {each.cell}"
            case WriteCell():
                yield f"{indent}{each.cell} = {each.value}"
            case StackSlot():
                yield f"{indent}{each.result}: address = room for {each.length}"
            case ConstantData():
                shown = _join_texts(each.values[:8]) + (", …" if len(each.values) > 8 else "")
                yield f"{indent}{each.result}: address = data of {len(each.values)}: {shown}"
            case WeightsData():
                yield f"{indent}{each.result}: address = weights, {len(each.weights)}"
            case Call():
                made = f"{_join_texts(each.results)} = " if each.results else ""
                yield f"{indent}{made}{each.function.name}({_join_texts(each.operands)})"
            case If():
                yield f"{indent}if {each.condition}"
                yield from _format_body(each.then, indent + "  ")
                if each.otherwise:
                    yield f"{indent}else"
                    yield from _format_body(each.otherwise, indent + "  ")
            case Block() | Loop():
                yield f"{indent}{'block' if isinstance(each, Block) else 'loop'} {each.label}"
                yield from _format_body(each.body, indent + "  ")
            case PhiMoves():
                yield from _format_body(each.body, indent)
            case Jump():
                yield f"{indent}jump {each.label}"
            case Return():
                yield f"{indent}return {_join_texts(each.values)}".rstrip()
            case FaultExit():
                yield f"{indent}fault {each.number}"


def _join_texts(each: Sequence[object]) -> str:
    return ", ".join(map(str, each))
