"""Inlining of calls: a pass over the form that makes a small search as fast as compiled C.

A search visits most of its nodes at the leaves, where a call costs more than the work. A function whose recursive calls
stand behind a test is split in two: its head, which finds out that a node is a leaf, is inlined into the callers
(partial inlining); only the rest, which searches other nodes, is called. Where a parameter counts down to the leaves,
there are two of the rest: one for the last ply, whose children are leaves and call nothing, and one for the others, so
that no work for leaves is moved out of loops that never come to them. Then the rest is inlined once into each of its
own calls, so that every other level of the tree needs no call. Inlining it twice gains nothing more, and of a large
function the copies cost more than they save, since they are read again and again from beyond the processor's nearest
memory.

Small functions that call nothing of their callers, as most rules are, are marked: LLVM inlines them before it looks at
anything else, where its own measure would leave some of them for the sake of size.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from plyground.compiler import form
from plyground.compiler.form import (
    Cell,
    FunctionForm,
    Instruction,
    Operand,
    Register,
    RegisterKind,
    operands_of,
    reachable_functions,
    results_of,
    walk_instructions,
)
from plyground.compiler.optimisation.simplification import simplify
from plyground.compiler.types import MOST_ITEMS_IN_REGISTERS, as_operand

MOST_INSTRUCTIONS_INLINED: Final = 700
"""Most instructions of a recursive function that is split. Above it copies cost more than they save: the engine's
search in chess was 0.87 and 0.93 times as fast inlined, and took twice the time to compile (bench/TRIED.md)."""
MOST_INSTRUCTIONS_WITH_COPIES: Final = 1_500
"""Most instructions of the rest with the copies of itself in it."""
MOST_INLINED: Final = 150
"""Most instructions of a function that is inlined into all its callers."""
MOST_INLINED_IN_ALL: Final = 1_000
"""Most instructions of all its copies together."""
MOST_INLINED_WITH_CALLEES: Final = 3_000
"""Most instructions of all its copies, with those of the functions inlined into them. Without this bound copies of
copies multiply: LLVM took minutes for Reversi on 10 x 10."""


def inline_calls(entry: FunctionForm) -> None:
    """Inline recursive calls of a function in place, if it is small enough, and mark small ones that it calls."""
    # Only the entry itself is split, for it is the search. A rule that recurses on its own stays as it is.
    if _contains_call(entry.body, entry) and _count_instructions(entry.body) <= MOST_INSTRUCTIONS_INLINED:
        _inline_recursion(entry)
    functions = reachable_functions(entry)
    calls = _count_calls(functions)
    inlined_sizes: dict[int, int] = {}

    def measure(function: FunctionForm) -> int:
        """Count the instructions of a function and of its inlined callees; sets `is_inlined` on the way."""
        if id(function) not in inlined_sizes:
            inlined_sizes[id(function)] = size = _count_instructions(function.body)
            called = [each.function for each in walk_instructions(function.body) if isinstance(each, form.Call)]
            inner = sum(measure(each) for each in called if not each.calls_itself and each is not function)
            copies = calls[id(function)]
            # Three bounds: on its own size, on that of its copies, and on that of its copies with all that is inlined
            # there.
            is_small = size <= MOST_INLINED and size * copies <= MOST_INLINED_IN_ALL
            is_small = is_small and (size + inner) * copies <= MOST_INLINED_WITH_CALLEES
            function.is_inlined = is_small and not function.calls_itself and not _has_long_slot(function)
            inlined_sizes[id(function)] = size + inner
        return inlined_sizes[id(function)] if function.is_inlined else 0

    for function in functions[1:]:
        measure(function)


def _has_long_slot(function: FunctionForm) -> bool:
    """Whether a function has a long row in its frame, which a caller that calls itself would have at every ply."""
    return any(
        isinstance(each, form.StackSlot) and each.length > 2 * MOST_ITEMS_IN_REGISTERS
        for each in walk_instructions(function.body)
    )


def _inline_recursion(function: FunctionForm) -> None:
    """Split a function that calls itself, and inline the parts."""
    numbers = _NumberSupply(form.highest_number(function))
    head, rest_body = _split_at_recursion(function.body, function)
    rest = FunctionForm(f"{function.name}.rest", (), function.results, rest_body, calls_itself=True)
    # A register that the head has computed and the rest reads becomes a parameter of the rest; cells travel as
    # registers and are written again on entry, for a cell belongs to one function.
    live_in = _live_in_registers(rest)
    cells = _live_in_cells(head, rest)
    passed = tuple(Register(numbers.next(), cell.kind) for cell in cells)
    rest.parameters = (*live_in, *passed)
    rest.body[:0] = [form.WriteCell(cell, register) for cell, register in zip(cells, passed, strict=True)]
    arguments = tuple(Register(numbers.next(), cell.kind) for cell in cells)
    reads = [form.ReadCell(register, cell) for register, cell in zip(arguments, cells, strict=True)]

    def call_rest(rest: FunctionForm) -> list[Instruction]:
        results = tuple(Register(numbers.next(), kind) for kind in function.results)
        return [form.Call(rest, (*live_in, *arguments), results), form.Return(results)]

    once = list(rest.body)
    # With a countdown the head is inlined twice, once folded for 0 plies left below, once for more: neither copy tests
    # it.
    if (countdown := _find_countdown(function, head, rest)) is None:
        function.body = inner = _insert_call(head, [*reads, *call_rest(rest)])
    else:
        parameter, test = countdown
        last = FunctionForm(f"{function.name}.last", rest.parameters, function.results)
        is_last = Register(numbers.next(), RegisterKind.BOOL)
        test_last = form.Op("eq", (parameter, as_operand(1)), is_last)
        function.body = _insert_call(head, [*reads, test_last, form.If(is_last, call_rest(last), call_rest(rest))])
        numbers = _NumberSupply(max(form.highest_number(function), form.highest_number(rest)))
        last.body = _inline_calls(once, function, _fold_test(function.body, test, True), numbers)
        inner = _fold_test(function.body, test, False)
    # The function is now the head and a call; the depth of the stack is tested by the rest alone.
    function.calls_itself = False
    numbers = _NumberSupply(max(form.highest_number(function), form.highest_number(rest)))
    rest.body = once = _inline_calls(once, function, inner, numbers)
    # Each call of the rest in the rest becomes a copy of it: one level of the tree without a call. A second time gains
    # nothing more (bench/TRIED.md).
    calls = sum(_is_call_of(each, rest) for each in walk_instructions(once))
    if _count_instructions(once) * (1 + calls) <= MOST_INSTRUCTIONS_WITH_COPIES:
        rest.body = _inline_calls(once, rest, once, numbers)


class _NumberSupply:
    def __init__(self, last: int) -> None:
        self.last = last

    def next(self) -> int:
        self.last += 1
        return self.last


def _is_call_of(each: Instruction, function: FunctionForm) -> bool:
    return isinstance(each, form.Call) and each.function is function


def _count_instructions(body: Sequence[Instruction]) -> int:
    return sum(1 for _ in walk_instructions(body))


def _contains_call(body: Sequence[Instruction], function: FunctionForm) -> bool:
    return any(_is_call_of(each, function) for each in walk_instructions(body))


_REST_CALL: Final = form.PhiMoves([])
"""Placeholder in the head for the call of the rest."""


def _split_at_recursion(body: list[Instruction], function: FunctionForm) -> tuple[list[Instruction], list[Instruction]]:
    """Split instructions into a head, with `_REST_CALL` where it goes on, and a rest, which has all recursive calls."""
    place = next(place for place, each in enumerate(body) if _contains_call([each], function))
    before, each, behind = body[:place], body[place], body[place + 1 :]
    match each:
        # Recursive calls in two places: no place before both but this one, so the head ends here.
        case _ if _contains_call(behind, function):
            pass
        case form.Block() | form.PhiMoves():
            head, rest = _split_at_recursion(each.body, function)
            if isinstance(each, form.PhiMoves):
                return [*before, *head], [*rest, *behind]
            first = form.Block(each.label, head)
            return [*before, first, *(behind if _falls_through([first]) else [])], [
                form.Block(each.label, rest),
                *behind,
            ]
        case form.If() if _contains_call(each.then, function) != _contains_call(each.otherwise, function):
            is_then = _contains_call(each.then, function)
            head, rest = _split_at_recursion(each.then if is_then else each.otherwise, function)
            ways = (head, each.otherwise) if is_then else (each.then, head)
            choice = form.If(each.condition, *ways)
            return [*before, choice, *(behind if _falls_through([choice]) else [])], [*rest, *behind]
    return [*before, _REST_CALL], [each, *behind]


def _falls_through(body: Sequence[Instruction]) -> bool:
    """Whether control flow can reach the end of these instructions; `_REST_CALL` returns."""
    if not body:
        return True
    match body[-1]:
        case form.Jump() | form.Return() | form.FaultExit() | form.Loop():
            return False
        case form.If(then=then, otherwise=otherwise):
            return _falls_through(then) or _falls_through(otherwise)
        case form.Block(label=label, body=inner):
            leaves = any(isinstance(each, form.Jump) and each.label == label for each in walk_instructions(inner))
            return leaves or _falls_through(inner)
    return body[-1] is not _REST_CALL


def _find_countdown(
    function: FunctionForm, head: list[Instruction], rest: FunctionForm
) -> tuple[Register, Register] | None:
    """A parameter that each recursive call takes one down, and the test of it for 0 with which recursion ends."""
    zero, one = as_operand(0), as_operand(1)
    tests: dict[Operand, Register | None] = {
        each.operands[0]: each.result
        for each in walk_instructions(head)
        if isinstance(each, form.Op) and each.name == "eq" and each.operands[1] == zero
    }
    steps: dict[Operand | None, Operand] = {
        each.result: each.operands[0]
        for each in walk_instructions(rest.body)
        if isinstance(each, form.Op) and each.name == "sub" and each.operands[1] == one
    }
    calls = [each for each in walk_instructions(rest.body) if isinstance(each, form.Call) and each.function is function]
    for place, parameter in enumerate(function.parameters):
        test = tests.get(parameter)
        if test and all(steps.get(call.operands[place]) == parameter for call in calls):
            # With no ply left the head has to return by itself, else the last ply would search on.
            ends = _fold_test(head, test, True)
            if all(each is not _REST_CALL for each in walk_instructions(ends)):
                return parameter, test
    return None


def _fold_test(body: Sequence[Instruction], test: Register, value: bool) -> list[Instruction]:
    """Instructions where a test is known to have a value."""
    found: list[Instruction] = []
    for each in body:
        match each:
            case form.If() if each.condition == test:
                found += _fold_test(each.then if value else each.otherwise, test, value)
                if not _falls_through(found):
                    break
            case form.If():
                ways = (_fold_test(way, test, value) for way in (each.then, each.otherwise))
                found.append(form.If(each.condition, *ways))
            case form.Block():
                found.append(form.Block(each.label, _fold_test(each.body, test, value)))
            case _:
                found.append(each)
    return found


def _insert_call(body: Sequence[Instruction], call_rest: list[Instruction]) -> list[Instruction]:
    """Insert the call of the rest into a head, in the place of `_REST_CALL`."""
    found: list[Instruction] = []
    for each in body:
        match each:
            case _ if each is _REST_CALL:
                found += call_rest
            case form.If():
                found.append(
                    form.If(each.condition, _insert_call(each.then, call_rest), _insert_call(each.otherwise, call_rest))
                )
            case form.Block():
                found.append(form.Block(each.label, _insert_call(each.body, call_rest)))
            case _:
                found.append(each)
    return found


def _live_in_registers(rest: FunctionForm) -> tuple[Register, ...]:
    """Registers that the rest reads and does not set."""
    set_there = {each.number for instruction in walk_instructions(rest.body) for each in results_of(instruction)}
    read = {
        each.number: each
        for instruction in walk_instructions(rest.body)
        for each in operands_of(instruction)
        if isinstance(each, Register)
    }
    return tuple(read[number] for number in sorted(read) if number not in set_there)


def _live_in_cells(head: list[Instruction], rest: FunctionForm) -> list[Cell]:
    """Cells that the head sets and the rest reads."""
    # Instructions are compared by identity: the split puts the same objects into both parts, and a write that the rest
    # repeats needs no passing.
    in_rest = {id(each) for each in walk_instructions(rest.body)}
    written = {
        each.cell for each in walk_instructions(head) if isinstance(each, form.WriteCell) and id(each) not in in_rest
    }
    read = {each.cell for each in walk_instructions(rest.body) if isinstance(each, form.ReadCell)}
    return sorted(read & written, key=lambda cell: cell.number)


def _inline_calls(
    body: Sequence[Instruction], callee: FunctionForm, source: list[Instruction], numbers: _NumberSupply
) -> list[Instruction]:
    """Inline a function's body, as it is in `source`, into each call of it."""

    def inline(each: Instruction) -> list[Instruction]:
        match each:
            case form.Call() if each.function is callee:
                return _copy_for(each, source, callee.parameters, numbers)
            case form.If():
                return [form.If(each.condition, inline_all(each.then), inline_all(each.otherwise))]
            case form.PhiMoves():
                return inline_all(each.body)
            case form.Block() | form.Loop():
                return [replace(each, body=inline_all(each.body))]
        return [each]

    def inline_all(part: Sequence[Instruction]) -> list[Instruction]:
        return [new for each in part for new in inline(each)]

    return inline_all(body)


def _copy_for(
    call: form.Call, source: list[Instruction], parameters: tuple[Register, ...], numbers: _NumberSupply
) -> list[Instruction]:
    """Copy a body for one call, with registers, cells and labels of its own."""
    registers: dict[int, Operand] = {
        parameter.number: operand for parameter, operand in zip(parameters, call.operands, strict=True)
    }
    new_numbers: dict[int, int] = {}
    after, results = numbers.next(), [Cell(numbers.next(), each.kind) for each in call.results]

    def map_number(number: int) -> int:
        if number not in new_numbers:
            new_numbers[number] = numbers.next()
        return new_numbers[number]

    def map_operand(operand: Operand) -> Operand:
        if not isinstance(operand, Register):
            return operand
        # A register that is met for the first time belongs to the copied body and gets a number of its own; parameters
        # are the operands of the call already.
        return registers.setdefault(operand.number, Register(map_number(operand.number), operand.kind))

    def map_result(register: Register) -> Register:
        made = map_operand(register)
        assert isinstance(made, Register)
        return made

    def map_cell(old: Cell) -> Cell:
        return Cell(map_number(old.number), old.kind)

    def copy_instruction(each: Instruction) -> list[Instruction]:
        match each:
            case form.Op():
                operands = tuple(map(map_operand, each.operands))
                return [form.Op(each.name, operands, map_result(each.result) if each.result else None, each.fault)]
            case form.ReadCell():
                return [form.ReadCell(map_result(each.result), map_cell(each.cell))]
            case form.WriteCell():
                return [form.WriteCell(map_cell(each.cell), map_operand(each.value))]
            case form.StackSlot() | form.ConstantData() | form.WeightsData():
                return [replace(each, result=map_result(each.result))]
            case form.Call():
                return [
                    form.Call(
                        each.function, tuple(map(map_operand, each.operands)), tuple(map(map_result, each.results))
                    )
                ]
            case form.If():
                return [form.If(map_operand(each.condition), copy_body(each.then), copy_body(each.otherwise))]
            case form.Block() | form.Loop():
                return [type(each)(map_number(each.label), copy_body(each.body))]
            case form.PhiMoves():
                return copy_body(each.body)
            case form.Jump():
                return [form.Jump(map_number(each.label))]
            # A return of the copied body writes the results to cells and leaves the block that the copy is.
            case form.Return():
                moves: list[Instruction] = [
                    form.WriteCell(goal, map_operand(value)) for goal, value in zip(results, each.values, strict=True)
                ]
                return [*moves, form.Jump(after)]
            case form.FaultExit():
                return [each]

    def copy_body(body: Sequence[Instruction]) -> list[Instruction]:
        return [made for each in body for made in copy_instruction(each)]

    result_reads = [form.ReadCell(register, goal) for register, goal in zip(call.results, results, strict=True)]
    return [form.Block(after, copy_body(source)), *result_reads]


MOST_INLINED_ANYWHERE: Final = 80
"""Most instructions of a function that is inlined wherever it is called."""
MOST_INLINED_ONCE: Final = 600
"""Most instructions of a function that is inlined because it is called in one place only."""
MOST_AFTER_INLINING: Final = 4_000
"""Most instructions of a function after others were inlined into it."""


def inline_small(entries: Sequence[FunctionForm]) -> None:
    """Inline small functions, and those that are called once, and simplify all: for engines that do neither."""
    order: dict[int, FunctionForm] = {}
    """Functions, each behind those that it calls."""

    def visit(function: FunctionForm, callers: tuple[FunctionForm, ...]) -> None:
        for callee in _callees(function):
            if callee not in callers and id(callee) not in order:
                visit(callee, (*callers, callee))
        order.setdefault(id(function), function)

    for entry in entries:
        visit(entry, (entry,))
    # Callees before callers, so that a callee is measured with what was inlined into it, and simplified only once.
    in_all = _count_calls(list(order.values()))
    measured: dict[int, _Measure] = {}
    for function in order.values():
        here = _Measure.of(function)
        for callee in _callees(function):
            # Recursion stays a call here: inlined, modules were two to three times as large, and Connect Four and
            # draughts no faster (bench/TRIED.md).
            if callee.calls_itself or callee is function:
                continue
            there, copies = measured[id(callee)], here.calls[id(callee)]
            grown = here.size + there.size * copies
            # Called in one place only, a function costs no more bytes inlined, and saves its call.
            most = MOST_INLINED_ONCE if in_all[id(callee)] == 1 else MOST_INLINED_ANYWHERE
            if there.size <= most and grown <= MOST_AFTER_INLINING and not there.has_long_slot:
                numbers = _NumberSupply(max(here.highest, there.highest))
                function.body = _inline_calls(function.body, callee, list(callee.body), numbers)
                here.size, here.highest = grown, numbers.last
                here.calls.update({called: count * copies for called, count in there.calls.items()})
        simplify(function)
        measured[id(function)] = _Measure.of(function)


@dataclass
class _Measure:
    """Sizes of a function that decide on inlining, from one walk through its instructions."""

    size: int
    """Number of its instructions."""
    highest: int
    """The highest number of a register, cell or label."""
    calls: Counter[int]
    """Numbers of calls of each function, by its id."""
    has_long_slot: bool

    @classmethod
    def of(cls, function: FunctionForm) -> "_Measure":
        """The measure of a function as it is now."""
        return cls(
            _count_instructions(function.body),
            form.highest_number(function),
            _count_calls([function]),
            _has_long_slot(function),
        )


def _callees(function: FunctionForm) -> list[FunctionForm]:
    """Functions that a function calls directly, each once."""
    calls = [each for each in walk_instructions(function.body) if isinstance(each, form.Call)]
    return list({id(each.function): each.function for each in calls}.values())


def _count_calls(functions: Sequence[FunctionForm]) -> Counter[int]:
    """Numbers of calls of each function, by its id."""
    return Counter(
        id(each.function)
        for function in functions
        for each in walk_instructions(function.body)
        if isinstance(each, form.Call)
    )
