"""Opening of recursion: a pass over the form that makes a small search as fast as compiled C.

A search visits most of its nodes at the leaves, where a call costs more than the work. A function that calls itself is
cut in two where all these calls are ahead: its head, which finds out that a node is a leaf, is put into the callers;
only the rest, which searches the others, is called. Then the rest takes in itself once for each of its calls, so that
every other level of the tree needs no call. Opening twice gains nothing more, and of a large function the copies cost
more than they save, since they are read again and again from beyond the processor's nearest memory.
"""

from collections.abc import Sequence
from typing import Final

from plyground.compiler.form import (
    Block,
    Call,
    Cell,
    ConstantOperand,
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
    Return,
    Set,
    Slot,
    instructions,
)

LARGEST: Final = 400
"""Most instructions of a function that is cut."""
LARGEST_REST: Final = 1_500
"""Most instructions of the rest with its copies."""


def opened(function: FunctionForm) -> bool:
    """Open the recursion of a function in place; whether it was small enough and calls itself."""
    calls = [each for each in instructions(function.body) if _calls(each, function)]
    if not calls or sum(1 for _ in instructions(function.body)) > LARGEST:
        return False
    numbers = _Numbers(_highest(function))
    halves = _cut(function.body, function)
    rest = FunctionForm(f"{function.name}.rest", (), function.results, halves[1], calls_itself=True)
    given = _needed(function, rest, numbers)
    inside = {id(each) for each in instructions(rest.body)}
    outside = {each.cell for each in instructions(halves[0]) if isinstance(each, Set) and id(each) not in inside}
    cells = sorted(
        {each.cell for each in instructions(rest.body) if isinstance(each, Get)} & outside, key=lambda c: c.number
    )
    handed = tuple(Register(numbers.next(), cell.kind) for cell in cells)
    rest.parameters = (*given, *handed)
    rest.body[:0] = [Set(cell, register) for cell, register in zip(cells, handed, strict=True)]
    now = tuple(Register(numbers.next(), cell.kind) for cell in cells)
    results = tuple(Register(numbers.next(), kind) for kind in function.results)
    gets: list[Instruction] = [Get(register, cell) for register, cell in zip(now, cells, strict=True)]
    goes_on = [*gets, Call(rest, (*given, *now), results), Return(results)]
    function.body = _filled(halves[0], goes_on)
    function.calls_itself = False
    numbers = _Numbers(max(_highest(function), _highest(rest)))
    rest.body = _with_copies(rest.body, function, list(function.body), function.parameters, numbers)
    once, size = list(rest.body), sum(1 for _ in instructions(rest.body))
    if size * (1 + sum(_calls(each, rest) for each in instructions(once))) <= LARGEST_REST:
        rest.body = _with_copies(rest.body, rest, once, rest.parameters, numbers)
    return True


class _Numbers:
    def __init__(self, last: int) -> None:
        self.last = last

    def next(self) -> int:
        self.last += 1
        return self.last


def _calls(each: Instruction, function: FunctionForm) -> bool:
    return isinstance(each, Call) and each.function is function


def _contains(body: Sequence[Instruction], function: FunctionForm) -> bool:
    return any(_calls(each, function) for each in instructions(body))


_REST: Final = Moves([])
"""Stands in the head where the rest is called."""


def _cut(body: list[Instruction], function: FunctionForm) -> tuple[list[Instruction], list[Instruction]]:
    """The instructions as a head, with `_REST` where it goes on, and the rest, which has all calls of the function."""
    place = next(place for place, each in enumerate(body) if _contains([each], function))
    before, each, behind = body[:place], body[place], body[place + 1 :]
    match each:
        case _ if _contains(behind, function):
            pass
        case Block() | Moves():
            head, rest = _cut(each.body, function)
            if isinstance(each, Moves):
                return [*before, *head], [*rest, *behind]
            first = Block(each.label, head)
            return [*before, first, *(behind if _ends([first]) else [])], [Block(each.label, rest), *behind]
        case If() if _contains(each.then, function) != _contains(each.otherwise, function):
            is_then = _contains(each.then, function)
            head, rest = _cut(each.then if is_then else each.otherwise, function)
            ways = (head, each.otherwise) if is_then else (each.then, head)
            choice = If(each.condition, *ways)
            return [*before, choice, *(behind if _ends([choice]) else [])], [*rest, *behind]
    return [*before, _REST], [each, *behind]


def _ends(body: Sequence[Instruction]) -> bool:
    """Whether a way leads behind the last of these instructions; `_REST` returns."""
    if not body:
        return True
    match body[-1]:
        case Jump() | Return() | FaultExit() | Loop():
            return False
        case If(then=then, otherwise=otherwise):
            return _ends(then) or _ends(otherwise)
        case Block(label=label, body=inner):
            leaves = any(isinstance(each, Jump) and each.label == label for each in instructions(inner))
            return leaves or _ends(inner)
    return body[-1] is not _REST


def _filled(body: Sequence[Instruction], goes_on: list[Instruction]) -> list[Instruction]:
    """The head with the call of the rest in its place."""
    found: list[Instruction] = []
    for each in body:
        match each:
            case _ if each is _REST:
                found += goes_on
            case If():
                found.append(If(each.condition, _filled(each.then, goes_on), _filled(each.otherwise, goes_on)))
            case Block():
                found.append(Block(each.label, _filled(each.body, goes_on)))
            case _:
                found.append(each)
    return found


def _needed(function: FunctionForm, rest: FunctionForm, numbers: _Numbers) -> tuple[Register, ...]:
    """The registers that the rest reads and does not set."""
    set_there = {each.number for instruction in instructions(rest.body) for each in _results(instruction)}
    read = {each.number: each for instruction in instructions(rest.body) for each in _read(instruction)}
    return tuple(read[number] for number in sorted(read) if number not in set_there)


def _results(each: Instruction) -> tuple[Register, ...]:
    match each:
        case Op(result=Register() as result):
            return (result,)
        case Get() | Slot() | Data():
            return (each.result,)
        case Call():
            return each.results
    return ()


def _read(each: Instruction) -> list[Register]:
    match each:
        case Op() | Call():
            operands: tuple[Operand, ...] = each.operands
        case Set():
            operands = (each.value,)
        case If():
            operands = (each.condition,)
        case Return():
            operands = each.values
        case _:
            operands = ()
    return [operand for operand in operands if isinstance(operand, Register)]


def _highest(function: FunctionForm) -> int:
    """The highest number of a register, cell or label."""
    found = [0, *(each.number for each in function.parameters)]
    for each in instructions(function.body):
        found += [result.number for result in _results(each)]
        if isinstance(each, Set | Get):
            found.append(each.cell.number)
        elif isinstance(each, Block | Loop):
            found.append(each.label)
    return max(found)


def _with_copies(
    body: Sequence[Instruction],
    callee: FunctionForm,
    source: list[Instruction],
    parameters: tuple[Register, ...],
    numbers: _Numbers,
) -> list[Instruction]:
    """Instructions with a copy of a function's body in place of each call of it."""

    def change(each: Instruction) -> list[Instruction]:
        match each:
            case Call() if each.function is callee:
                return _copy_for(each, source, parameters, numbers)
            case If():
                return [If(each.condition, changed(each.then), changed(each.otherwise))]
            case Block() | Loop() | Moves():
                made = changed(each.body)
                return made if isinstance(each, Moves) else [type(each)(each.label, made)]
        return [each]

    def changed(part: Sequence[Instruction]) -> list[Instruction]:
        return [new for each in part for new in change(each)]

    return changed(body)


def _copy_for(
    call: Call, source: list[Instruction], parameters: tuple[Register, ...], numbers: _Numbers
) -> list[Instruction]:
    """A copy of a body for one call, with numbers of its own."""
    registers: dict[int, Operand] = {
        parameter.number: operand for parameter, operand in zip(parameters, call.operands, strict=True)
    }
    others: dict[int, int] = {}
    after, results = numbers.next(), [Cell(numbers.next(), each.kind) for each in call.results]

    def fresh(number: int) -> int:
        if number not in others:
            others[number] = numbers.next()
        return others[number]

    def new(operand: Operand) -> Operand:
        if isinstance(operand, ConstantOperand):
            return operand
        return registers.setdefault(operand.number, Register(fresh(operand.number), operand.kind))

    def result(register: Register) -> Register:
        made = new(register)
        assert isinstance(made, Register)
        return made

    def cell(old: Cell) -> Cell:
        return Cell(fresh(old.number), old.kind)

    def copy(each: Instruction) -> list[Instruction]:
        match each:
            case Op():
                operands = tuple(map(new, each.operands))
                return [Op(each.name, operands, result(each.result) if each.result else None, each.fault)]
            case Get():
                return [Get(result(each.result), cell(each.cell))]
            case Set():
                return [Set(cell(each.cell), new(each.value))]
            case Slot():
                return [Slot(result(each.result), each.length)]
            case Data():
                return [Data(result(each.result), each.values)]
            case Call():
                return [Call(each.function, tuple(map(new, each.operands)), tuple(map(result, each.results)))]
            case If():
                return [If(new(each.condition), copies(each.then), copies(each.otherwise))]
            case Block() | Loop():
                return [type(each)(fresh(each.label), copies(each.body))]
            case Moves():
                return copies(each.body)
            case Jump():
                return [Jump(fresh(each.label))]
            case Return():
                moves: list[Instruction] = [
                    Set(goal, new(value)) for goal, value in zip(results, each.values, strict=True)
                ]
                return [*moves, Jump(after)]
            case FaultExit():
                return [each]

    def copies(body: Sequence[Instruction]) -> list[Instruction]:
        return [made for each in body for made in copy(each)]

    gets = [Get(register, goal) for register, goal in zip(call.results, results, strict=True)]
    return [Block(after, copies(source)), *gets]
