"""Simplification of the form in one pass: leaves out instructions whose results are known or never read.

It follows control flow once and knows, at each place, which cells have which values, which results have been computed
before, and in which ranges ints lie (`ranges.py`). So it finds results that are constant, or that there are already,
and tests with only one outcome. What is read no more then goes, from the end to the beginning.

An address keeps the constant part of its index apart, `base + index` and then `+ 3`, because fields of a row lie at the
same `base + index`, and WebAssembly reads and writes at an address plus a constant.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Final

from plyground.compiler import form
from plyground.compiler.form import (
    Cell,
    ConstantOperand,
    FunctionForm,
    Instruction,
    Operand,
    Register,
    RegisterKind,
    operands_of,
    results_of,
    walk_instructions,
)
from plyground.compiler.optimisation.ranges import (
    ALL_BITS,
    ANY_INT,
    BOOL_RANGE,
    CONSTANT_RULES,
    INT_BITS,
    LEAST_INT,
    MOST_INT,
    RANGE_RULES,
    Range,
    ends_of_product,
    join_ranges,
    make_range,
    single_value,
)
from plyground.compiler.types import as_operand

MOST_CONSTANT_INDEX: Final = 1 << 16
"""Most ints that the constant part of an index adds to an address. Memory of Python lies higher, so the address
without that part is not below 0."""
NO_LABELS: Final = frozenset[int]()
_LARGEST_STEP: Final = 1 << 10
"""Largest step by which a cell counts up. From below 2**62 it wraps after 2**52 such steps, which take 52 days at a
billion a second."""
_OPPOSITES: Final = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}
_MIRRORED: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
_COMMUTATIVE: Final = ("add", "mul", "and", "or", "xor", "both", "either", "differ", "eq", "ne")
_SHIFTS: Final = ("shl", "shr", "ushr")
_NEUTRAL: Final = {
    **dict.fromkeys(("add", "sub", "or", "xor", *_SHIFTS, "place", "half_place"), 0),
    **dict.fromkeys(("mul", "quotient"), 1),
}
"""Second operands that leave the first as it is."""
# Operations that must stay where they are, though nothing reads a result of them.
_EFFECT_OPERATIONS: Final = ("store", "store_shared", "store_half", "copy", "prefetch", "add_shared", "claim_half")
# One instruction each that cannot fail, so that it may be computed where its result is then not used. No division: a
# divisor may be 0 on that way.
_CHEAP_OPERATIONS: Final = (*_COMMUTATIVE, *_OPPOSITES, *_SHIFTS, "sub", "not", "below", "ones", "int_of", "select")
_MEMORY_OPERATIONS: Final = (*_EFFECT_OPERATIONS, "load", "load_shared")
"""Operations that may give another result each time."""


@dataclass
class _State:
    """Facts that hold at a place of the code, on every way that leads there."""

    cells: dict[Cell, Operand | Range] = field(default_factory=dict)
    """Values of cells, or their ranges."""
    results: dict[Any, Operand] = field(default_factory=dict)
    """Results of operations on operands."""
    ranges: dict[Register, Range] = field(default_factory=dict)

    def copy(self) -> "_State":
        return _State(dict(self.cells), dict(self.results), dict(self.ranges))


def simplify(function: FunctionForm) -> None:
    """Simplify a function in place."""
    function.body = _remove_unread(_Simplification(function).simplify_body(function.body, _State()))


class _Simplification:
    """Walk through one function that follows control flow once and rewrites instructions by the facts at each."""

    def __init__(self, function: FunctionForm) -> None:
        self.state: _State | None = _State()
        """Facts at the instruction under work; None where it is unreachable."""
        self.replacements: dict[Register, Operand] = {}
        """Replacements of registers."""
        self.sources: dict[Register, Instruction] = {}
        """Instructions that set registers, as they are now."""
        self.jumps: dict[int, list[_State]] = {}
        """Facts at each jump to a label."""
        self.last_number = form.highest_number(function)
        for each in walk_instructions(function.body):
            self.sources.update(dict.fromkeys(results_of(each), each))

    def simplify_body(
        self, body: Sequence[Instruction], state: _State, ends: frozenset[int] = NO_LABELS
    ) -> list[Instruction]:
        """Simplify a list of instructions at whose beginning a state holds.

        Args:
            body: the instructions.
            state: what is known at their beginning.
            ends: labels to whose ends the end of the body leads, too.
        """
        self.state = state
        found: list[Instruction] = []
        # Empty moves at the end of a list do nothing, so the instruction before them is its last.
        last = next((each for each in reversed(body) if not isinstance(each, form.PhiMoves) or each.body), None)
        for each in body:
            if self.state is None:
                break
            found += self.simplify_instruction(each, self.state, ends if each is last else NO_LABELS)
        return found

    # -- facts --------------------------------------------------------------------------------------------------------

    def resolve_operand(self, operand: Operand) -> Operand:
        """Operand or constant that replaces an operand."""
        if isinstance(operand, ConstantOperand):
            return operand
        # One step is enough: a replacement is resolved when it is noted.
        operand = self.replacements.get(operand, operand)
        known = self.state.ranges.get(operand) if self.state and isinstance(operand, Register) else None
        return _constant(known.low, operand.kind) if known and known.low == known.high else operand

    def range_of(self, operand: Operand, state: _State | None = None) -> Range:
        if isinstance(operand, ConstantOperand):
            return single_value(int(operand.value)) if operand.kind in _INTEGER_KINDS else ANY_INT
        state = state or self.state
        assert state
        return state.ranges.get(operand, BOOL_RANGE if operand.kind is RegisterKind.BOOL else ANY_INT)

    def source_operands(self, operand: Operand, *names: str) -> tuple[Operand, ...] | None:
        """The operands of the operation that gives an operand, if it has one of these names."""
        each = self.sources.get(operand) if isinstance(operand, Register) else None
        return each.operands if isinstance(each, form.Op) and each.name in names else None

    def narrow_range(self, operand: Operand, low: int, high: int, has_zero: bool = True) -> None:
        """Note that an int is in a range."""
        if isinstance(operand, Register) and self.state:
            now = self.range_of(operand)
            low, high = max(now.low, low), min(now.high, high)
            # Contradicting facts mean that this place is never reached; nothing is noted then, and the code stays.
            if low <= high:
                self.state.ranges[operand] = make_range(low, high, now.bits, now.has_zero and has_zero)

    def assume(self, condition: Operand, truth: bool) -> None:
        """Note that a condition holds, or does not, and what follows."""
        if not isinstance(condition, Register):
            return
        self.narrow_range(condition, truth, truth)
        each = self.sources.get(condition)
        if not isinstance(each, form.Op):
            return
        if each.name == "not":
            self.assume(each.operands[0], not truth)
        # A `both` that holds means that both parts hold; an `either` that does not hold, that neither part does. The
        # other two cases say nothing of one part.
        elif each.name == ("both" if truth else "either"):
            for part in each.operands:
                self.assume(part, truth)
        elif each.name in _OPPOSITES:
            name, (left, right) = each.name if truth else _OPPOSITES[each.name], each.operands
            self.assume_order(name, left, right)
            self.assume_order(_MIRRORED[name], right, left)
        elif each.name == "below" and truth and (end := self.range_of(each.operands[1])).low >= 0:
            self.narrow_range(each.operands[0], 0, end.high - 1)

    def assume_order(self, name: str, left: Operand, right: Operand) -> None:
        """Note of the left operand what follows from a comparison that holds."""
        here, other = self.range_of(left), self.range_of(right)
        match name:
            case "lt":
                self.narrow_range(left, LEAST_INT, other.high - 1)
            case "le":
                self.narrow_range(left, LEAST_INT, other.high)
            case "gt":
                self.narrow_range(left, other.low + 1, MOST_INT)
            case "ge":
                self.narrow_range(left, other.low, MOST_INT)
            case "eq":
                self.narrow_range(left, other.low, other.high)
            # A value that is excluded narrows a range only at one of its ends, or if the value is 0.
            case "ne" if other.low == other.high:
                ends = here.low + (here.low == other.low), here.high - (here.high == other.low)
                self.narrow_range(left, *ends, has_zero=other.low != 0)

    def join_states(self, before: _State, ways: Sequence[_State | None]) -> _State | None:
        """Facts where ways join that began in one state."""
        states = [way for way in ways if way is not None]
        if len(states) < 2:
            return states[0] if states else None
        # Results and ranges that were known before the ways parted hold on all of them, as registers are set once;
        # those found on one way are dropped.
        result = _State({}, before.results, before.ranges)
        for cell in set.intersection(*(set(state.cells) for state in states)):
            contents = [state.cells[cell] for state in states]
            if all(each == contents[0] for each in contents):
                result.cells[cell] = contents[0]
            elif cell.kind in _INTEGER_KINDS:
                ranges = [self.range_in_cell(state, cell) for state in states]
                result.cells[cell] = reduce(join_ranges, ranges)
        return result

    def range_in_cell(self, state: _State, cell: Cell) -> Range:
        content = state.cells.get(cell, ANY_INT)
        return content if isinstance(content, Range) else self.range_of(content, state)

    # -- instructions -------------------------------------------------------------------------------------------------

    def simplify_instruction(
        self, each: Instruction, state: _State, ends: frozenset[int] = NO_LABELS
    ) -> list[Instruction]:
        match each:
            case form.Op():
                return self.simplify_operation(each, state)
            case form.ReadCell():
                content = state.cells.get(each.cell)
                if isinstance(content, Register | ConstantOperand):
                    self.replacements[each.result] = content
                    return []
                if content is not None:
                    state.ranges[each.result] = content
                # From now on the cell and the register are known to be the same, until the cell is written.
                state.cells[each.cell] = each.result
            case form.WriteCell():
                value = self.resolve_operand(each.value)
                if state.cells.get(each.cell) == value:
                    return []
                state.cells[each.cell] = value
                if _is_float(value):  # 0.0 and -0.0 are equal, and not the same
                    del state.cells[each.cell]
                return [form.WriteCell(each.cell, value)]
            case form.ConstantData() | form.WeightsData():
                key = each.values if isinstance(each, form.ConstantData) else id(each.weights)
                if self.reuse_result(key, each.result, state):
                    return []
            case form.Call():
                return [form.Call(each.function, tuple(map(self.resolve_operand, each.operands)), each.results)]
            case form.If():
                return self.simplify_branch(each, state, ends)
            case form.Block():
                self.jumps[each.label] = []
                inner = self.simplify_body(each.body, state.copy(), ends | {each.label})
                edges = self.jumps.pop(each.label)
                self.state = self.join_states(state, [*edges, self.state])
                return [form.Block(each.label, inner)] if edges else inner
            case form.Loop():
                return self.simplify_loop(each, state, ends)
            case form.PhiMoves():
                return self.simplify_body(each.body, state)
            # The end of the list leads there anyway.
            case form.Jump() if each.label in ends:
                return []
            case form.Jump():
                self.jumps[each.label].append(state)
                self.state = None
            case form.Return():
                values = tuple(map(self.resolve_operand, each.values))
                self.state = None
                return [form.Return(values)]
            case form.FaultExit():
                self.state = None
        return [each]

    def reuse_result(self, key: object, result: Register, state: _State) -> bool:
        """Reuse an equal result for a register, and return whether there is one; else note this one."""
        known = state.results.setdefault(key, result)
        if known is not result:
            self.replacements[result] = known
        return known is not result

    def simplify_branch(self, each: form.If, state: _State, ends: frozenset[int]) -> list[Instruction]:
        condition, ways = self.resolve_operand(each.condition), [each.then, each.otherwise]
        if isinstance(condition, ConstantOperand):
            return self.simplify_body(ways[not condition.value], state, ends)
        # A negation costs an instruction, exchanging the ways costs none.
        while inner := self.source_operands(condition, "not"):
            condition, ways = inner[0], ways[::-1]
        found, states = list[list[Instruction]](), list[_State | None]()
        for way, truth in zip(ways, (True, False), strict=True):
            self.state = supposed = state.copy()
            self.assume(condition, truth)
            found.append(self.simplify_body(way, supposed, ends))
            states.append(self.state)
        # Both ways come to their ends and are cheap: computed without a jump, which costs more when it is foreseen
        # wrongly.
        if (
            None not in states
            and all(map(_is_cheap, found))
            and (selected := self.convert_to_select(condition, found, state))
        ):
            return selected
        self.state = self.join_states(state, states)
        # With an empty first way the opposite comparison saves the negation.
        if not found[0] and found[1] and isinstance(opposite := self.simplify_unary("not", condition), tuple):
            condition, found = self.new_register(RegisterKind.BOOL), found[::-1]
            return [form.Op(*opposite, condition), form.If(condition, *found)]
        return [form.If(condition, *found)] if any(found) else []

    def convert_to_select(self, condition: Operand, ways: list[list[Instruction]], state: _State) -> list[Instruction]:
        """Compute both ways, which are cheap, and select their results; returns nothing where that is not possible."""
        writes = [{each.cell: each.value for each in way if isinstance(each, form.WriteCell)} for way in ways]
        cells = dict.fromkeys([*writes[0], *writes[1]])
        before = {cell: content for cell in cells if not isinstance(content := state.cells.get(cell), Range | None)}
        # A way that does not write a cell keeps what was in it, which has to be known to be selected.
        if any(cell not in each | before for cell in cells for each in writes):
            return []
        self.state = state
        found: list[Instruction] = [each for way in ways for each in way if not isinstance(each, form.WriteCell)]
        for cell in cells:
            chosen = self.new_register(cell.kind)
            values = [each.get(cell) or before[cell] for each in writes]
            found += self.simplify_operation(form.Op("select", (condition, *values), chosen), state)
            found += self.simplify_instruction(form.WriteCell(cell, chosen), state)
        return found

    def new_register(self, kind: RegisterKind) -> Register:
        self.last_number += 1
        return Register(self.last_number, kind)

    def simplify_loop(self, each: form.Loop, state: _State, ends: frozenset[int]) -> list[Instruction]:
        """Simplify a loop. At its head nothing is assumed of the cells that it writes, but for cells that only
        count up, whose least value is known, and sets that only lose bits."""
        writes: dict[Cell, list[Operand]] = {}
        for step in walk_instructions(each.body):
            if isinstance(step, form.WriteCell) and step.cell.kind is RegisterKind.INT:
                writes.setdefault(step.cell, []).append(step.value)
        # Read before all cells that the loop writes are forgotten: a later turn begins with what the one before has
        # left.
        starts = {cell: self.range_in_cell(state, cell) for cell in writes}
        for step in walk_instructions(each.body):
            if isinstance(step, form.WriteCell):
                state.cells.pop(step.cell, None)
        for cell, start in starts.items():
            lesser = self.constants_written_to(cell, writes, self.masked_operand)
            greater = self.constants_written_to(cell, writes, self.counted_up_operand)
            if lesser is not None and min([start.low, *lesser]) >= 0:
                bits = reduce(or_, lesser, start.bits)
                state.cells[cell] = make_range(0, bits, bits)
            elif greater is not None and start.low > LEAST_INT and start.high < MOST_INT >> 1:
                state.cells[cell] = make_range(min([start.low, *greater]), MOST_INT - _LARGEST_STEP)
        self.jumps[each.label] = []
        inner = self.simplify_body(each.body, state, ends)
        del self.jumps[each.label]
        return [form.Loop(each.label, inner)]

    def constants_written_to(
        self, cell: Cell, writes: dict[Cell, list[Operand]], step: Callable[[form.Op], Operand | None]
    ) -> list[int] | None:
        """The constants that are written to a cell that else only changes by steps; None for another cell.

        Args:
            cell: the cell.
            writes: what is written to cells.
            step: gives the operand that an operation changes by a step, if it does.
        """
        found, seen, left = list[int](), {cell}, [*writes[cell]]
        while left:
            value = left.pop()
            # Through other cells and selections back to where each written value comes from; a circle of cells is one
            # cell.
            each = None if isinstance(value, ConstantOperand) else self.sources.get(value)
            match each:
                case None if isinstance(value, ConstantOperand):
                    found.append(int(value.value))
                case form.ReadCell(cell=source) if source in seen:
                    pass
                case form.ReadCell(cell=source) if source in writes:
                    seen.add(source)
                    left += writes[source]
                case form.Op(name="select"):
                    left += each.operands[1:]
                case form.Op() if (before := step(each)) is not None:
                    left.append(before)
                case _:
                    return None
        return found

    def counted_up_operand(self, each: form.Op) -> Operand | None:
        """Operand that an operation counts up by at most `_LARGEST_STEP`; None if it does not."""
        is_step = each.name == "add" and isinstance(each.operands[1], ConstantOperand)
        return each.operands[0] if is_step and 0 < each.operands[1].value <= _LARGEST_STEP else None  # type: ignore[union-attr]

    def masked_operand(self, each: form.Op) -> Operand | None:
        """Operand from which an operation takes bits away, a cell if there is one; None if it takes none."""
        if each.name != "and":
            return None
        reads = [
            operand
            for operand in each.operands
            if isinstance(operand, Register) and isinstance(self.sources.get(operand), form.ReadCell)
        ]
        return next(iter(reads), each.operands[0])

    # -- operations ---------------------------------------------------------------------------------------------------

    def simplify_operation(self, each: form.Op, state: _State) -> list[Instruction]:
        name, operands, fault = each.name, tuple(map(self.resolve_operand, each.operands)), each.fault
        if each.result is None or name in _EFFECT_OPERATIONS:
            return [form.Op(name, operands, each.result, fault)]
        ranges = [self.range_of(operand) for operand in operands]
        if fault:
            # The rule counts in ints without bounds: where they fit 64 bits, there is no fault to test for.
            exact = _EXACT_RESULTS[name](*ranges)
            fault = 0 if exact[0] >= LEAST_INT and exact[1] <= MOST_INT else fault
        # A simpler form may have a simpler one again, until none is found.
        while not fault and (simpler := self.rewrite_operation(name, operands)):
            if not isinstance(simpler, tuple):
                self.replacements[each.result] = simpler
                return []
            name, operands = simpler
            ranges = [self.range_of(operand) for operand in operands]
        found: list[Instruction] = []
        if name == "place":
            operands = self.split_place(operands, found, state)
        # Constant data never changes, so a load of it is a result like any other. Floats stay apart: 0.0 and -0.0 are
        # equal.
        if (name not in _MEMORY_OPERATIONS or self.data_of(operands[0])) and not any(map(_is_float, operands)):
            if self.reuse_result((name, operands, fault != 0), each.result, state):
                return found
            state.results.setdefault((name, operands, False), each.result)
        if each.result.kind is RegisterKind.INT:
            known = self.result_range(name, operands, ranges, fault)
            if known is not ANY_INT:
                state.ranges[each.result] = known
        self.sources[each.result] = made = form.Op(name, operands, each.result, fault)
        return [*found, made]

    def result_range(self, name: str, operands: tuple[Operand, ...], ranges: list[Range], fault: int) -> Range:
        if fault:
            low, high = _EXACT_RESULTS[name](*ranges)
            return make_range(max(low, LEAST_INT), min(high, MOST_INT))
        if name == "load" and (values := self.data_of(operands[0])):
            return _range_of_data(values)
        return RANGE_RULES[name](*ranges) if name in RANGE_RULES else ANY_INT

    def data_of(self, address: Operand) -> tuple[int, ...] | None:
        """The constant ints among which an address lies."""
        while inner := self.source_operands(address, "place"):
            address = inner[0]
        each = self.sources.get(address) if isinstance(address, Register) else None
        return each.values if isinstance(each, form.ConstantData) else None

    def split_place(
        self, operands: tuple[Operand, ...], found: list[Instruction], state: _State
    ) -> tuple[Operand, ...]:
        """Separate the constant part of an index from the rest of an address."""
        base, index = operands
        parts = self.source_operands(index, "add")
        if parts and isinstance(parts[1], ConstantOperand) and 0 < parts[1].value < MOST_CONSTANT_INDEX:
            apart = self.new_register(RegisterKind.ADDRESS)
            found += self.simplify_operation(form.Op("place", (base, parts[0]), apart), state)
            base, index = self.resolve_operand(apart), parts[1]
        inner = self.source_operands(base, "place")
        if inner and isinstance(index, ConstantOperand) and isinstance(inner[1], ConstantOperand):
            return inner[0], as_operand(int(inner[1].value + index.value))
        return base, index

    def rewrite_operation(
        self, name: str, operands: tuple[Operand, ...]
    ) -> Operand | tuple[str, tuple[Operand, ...]] | None:
        """An operand that is the result of an operation, or an operation that gives the same; None for neither."""
        if name in CONSTANT_RULES and all(isinstance(each, ConstantOperand) for each in operands):
            values = [each.value for each in operands if isinstance(each, ConstantOperand)]
            # A larger distance is left to the tests that the front end has written before it.
            if name not in _SHIFTS or 0 <= values[1] < INT_BITS:
                return as_operand(CONSTANT_RULES[name](*values))
        ranges = [self.range_of(operand) for operand in operands]
        if name in RANGE_RULES and (exact := RANGE_RULES[name](*ranges)).low == exact.high:
            kind = operands[1].kind if name == "select" else RegisterKind.INT
            if kind in _INTEGER_KINDS:
                return _constant(exact.low, kind)
        if len(operands) == 1:
            return self.simplify_unary(name, operands[0])
        if name == "select":
            return self.simplify_select(*operands)
        if len(operands) != 2:
            return None
        a, b = operands
        if isinstance(a, ConstantOperand) and not isinstance(b, ConstantOperand):
            if name in _COMMUTATIVE:
                return name, (b, a)
            if name in _MIRRORED:
                return _MIRRORED[name], (b, a)
        if name in _OPPOSITES or name == "below":
            return self.simplify_comparison(name, a, b, *ranges)
        if not isinstance(b, ConstantOperand):
            if a == b and name in ("and", "or", "both", "either"):
                return a
            if name == "and":
                return self.drop_mask(a, b, ranges[1]) or self.drop_mask(b, a, ranges[0])
            return as_operand(0) if a == b and name in ("sub", "xor") else None
        if b.kind is RegisterKind.BOOL:
            if name == "differ":
                return ("not", (a,)) if b.value else a
            return a if b.value == (name == "both") else b
        if b.kind is RegisterKind.INT:
            return self.simplify_with_constant(name, a, int(b.value), ranges[0])
        return None

    def simplify_unary(self, name: str, a: Operand) -> Operand | tuple[str, tuple[Operand, ...]] | None:
        if name == "not":
            if (inner := self.source_operands(a, "not")) is not None:
                return inner[0]
            each = self.sources.get(a) if isinstance(a, Register) else None
            if isinstance(each, form.Op) and each.name in _OPPOSITES:
                return _OPPOSITES[each.name], each.operands
        return None

    def simplify_select(
        self, condition: Operand, then: Operand, otherwise: Operand
    ) -> Operand | tuple[str, tuple[Operand, ...]] | None:
        if isinstance(condition, ConstantOperand):
            return then if condition.value else otherwise
        if then == otherwise and not _is_float(then):
            return then
        if (inner := self.source_operands(condition, "not")) is not None:
            return "select", (inner[0], otherwise, then)
        if then.kind is RegisterKind.BOOL:
            for name, value, other in (("either", then, otherwise), ("both", otherwise, then)):
                if isinstance(value, ConstantOperand) and bool(value.value) == (name == "either"):
                    return name, (condition, other)
        if then.kind is RegisterKind.INT and (then, otherwise) == (as_operand(1), as_operand(0)):
            return "int_of", (condition,)
        return None

    def simplify_comparison(
        self, name: str, a: Operand, b: Operand, left: Range, right: Range
    ) -> Operand | tuple[str, tuple[Operand, ...]] | None:
        if (
            name in ("ne", "eq")
            and b in (as_operand(0), as_operand(1))
            and (inner := self.source_operands(a, "int_of"))
        ):
            return inner[0] if (b == as_operand(1)) == (name == "eq") else ("not", inner)
        if name == "below":
            # Without signs a negative int is a large one; of two that are not negative it is the usual order.
            if left.low < 0 or right.low < 0:
                return None
            name = "lt"
        if name in ("gt", "ge"):
            name, left, right = _MIRRORED[name], right, left
        if name in ("lt", "le"):
            is_less = name == "lt"
            if left.high + is_less <= right.low:
                return as_operand(True)
            return as_operand(False) if left.low + is_less > right.high else None
        is_apart = left.high < right.low or right.high < left.low or (b == as_operand(0) and not left.has_zero)
        if is_apart or a == b:
            return as_operand((name == "eq") == (not is_apart))
        return None

    def drop_mask(self, a: Operand, b: Operand, other: Range) -> tuple[str, tuple[Operand, ...]] | None:
        """The bits that two ints have in common, without a mask of the first that takes none of the second's bits."""
        inner = self.source_operands(a, "and")
        is_masked = inner and isinstance(inner[1], ConstantOperand) and other.bits & ~int(inner[1].value) == 0
        return ("and", (inner[0], b)) if inner and is_masked else None

    def simplify_with_constant(
        self, name: str, a: Operand, b: int, here: Range
    ) -> Operand | tuple[str, tuple[Operand, ...]] | None:
        if name in _NEUTRAL and b == _NEUTRAL[name]:
            return a
        if name == "and":
            if here.bits & ~b == 0:
                return a
            if (inner := self.source_operands(a, "and")) and isinstance(inner[1], ConstantOperand):
                return name, (inner[0], as_operand(int(inner[1].value) & b))
        if name in ("and", "shr", "ushr") and (parts := self.source_operands(a, "or")):
            for part, other in (parts, parts[::-1]):  # bits that are taken away anyway need not be there
                if self.range_of(other).bits & (b if name == "and" else ALL_BITS << b) == 0:
                    return name, (part, as_operand(b))
        if name in ("shr", "ushr", "quotient", "remainder"):
            return self.simplify_extraction(name, a, b)
        if name == "sub" and b > LEAST_INT:
            return "add", (a, as_operand(-b))
        if name == "mul" and b > 1 and b & b - 1 == 0:
            return "shl", (a, as_operand(b.bit_length() - 1))
        return None

    def simplify_extraction(self, name: str, a: Operand, b: int) -> Operand | tuple[str, tuple[Operand, ...]] | None:
        """The part of an int that a product was made of, as moves are made of squares."""
        is_shift = name in _SHIFTS
        product, rest = (None if is_shift else self.source_operands(a, "add")) or (a, as_operand(0))
        inner = self.source_operands(product, "shl" if is_shift else "mul")
        if not inner or inner[1] != as_operand(b):
            return None
        # a * factor + rest with 0 <= rest < factor, and no overflow: the quotient is a, the remainder the rest.
        factor, part, more = 1 << b if is_shift else b, self.range_of(inner[0]), self.range_of(rest)
        if part.low < 0 or more.low < 0 or more.high >= factor or part.high * factor + more.high > MOST_INT:
            return None
        return rest if name == "remainder" else inner[0]


_INTEGER_KINDS: Final = (RegisterKind.INT, RegisterKind.BOOL)
_EXACT_RESULTS: Final[dict[str, Callable[[Range, Range], tuple[int, int]]]] = {
    "add": lambda a, b: (a.low + b.low, a.high + b.high),
    "sub": lambda a, b: (a.low - b.high, a.high - b.low),
    "mul": lambda a, b: ends_of_product(a, b),
}
"""Least and greatest result in ints without bounds, of the operations that can have a fault."""


MOST_OPERATIONS_OF_A_CHEAP_WAY: Final = 3
"""Most operations of a way that is computed in any case rather than jumped over."""


def _is_cheap(way: list[Instruction]) -> bool:
    """Whether a way of a branch may be computed in any case, and costs no more than a jump that is foreseen wrongly."""
    operations = [each for each in way if not isinstance(each, form.WriteCell)]
    return len(operations) <= MOST_OPERATIONS_OF_A_CHEAP_WAY and all(
        isinstance(each, form.Op) and each.name in _CHEAP_OPERATIONS and not each.fault for each in operations
    )


def _is_float(operand: Operand) -> bool:
    return isinstance(operand, ConstantOperand) and operand.kind is RegisterKind.FLOAT


def _constant(value: int, kind: RegisterKind) -> ConstantOperand:
    return ConstantOperand(bool(value) if kind is RegisterKind.BOOL else value, kind)


@lru_cache(maxsize=256)
def _range_of_data(values: tuple[int, ...]) -> Range:
    return make_range(min(values), max(values), reduce(or_, values) & ALL_BITS)


def _remove_unread(body: list[Instruction]) -> list[Instruction]:
    """Instructions without those whose results are never read."""
    # Reads are counted, not marked: an instruction that goes takes its own along, so one pass removes whole chains.
    reads = Counter[Operand | Cell]()
    for each in walk_instructions(body):
        reads.update(operands_of(each))
        if isinstance(each, form.ReadCell):
            reads[each.cell] += 1

    def prune(body: Sequence[Instruction]) -> list[Instruction]:
        found: list[Instruction] = []
        for each in reversed(body):
            match each:
                case form.If():
                    each = form.If(each.condition, prune(each.then), prune(each.otherwise))
                    is_read = bool(each.then or each.otherwise)
                case form.Block() | form.Loop():
                    each = type(each)(each.label, prune(each.body))
                    is_read = bool(each.body)
                case form.WriteCell():
                    is_read = reads[each.cell] > 0
                # A fault is a result that the caller sees.
                case form.Op() if each.name in _EFFECT_OPERATIONS or each.fault:
                    is_read = True
                case form.Op() | form.ReadCell() | form.StackSlot() | form.ConstantData() | form.WeightsData():
                    is_read = any(reads[result] for result in results_of(each))
                case _:
                    is_read = True
            if is_read:
                found.append(each)
            else:
                reads.subtract(operands_of(each))
                if isinstance(each, form.ReadCell):
                    reads[each.cell] -= 1
        return found[::-1]

    return prune(body)
