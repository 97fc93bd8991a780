"""Emission of the form: registers, bindings of names, joins of control flow, loops.

`env` binds each name to its value, or is None at a place that cannot be reached. Where edges join, each live name whose
values differ among them gets cells; a loop gives cells to the names that its body sets.
"""

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from plyground.compiler import form
from plyground.compiler.errors import NotCompilable
from plyground.compiler.form import Cell, Operand, Register, RegisterKind
from plyground.compiler.liveness import NO_NAMES, FunctionFacts, Names
from plyground.compiler.types import (
    MOST_ITEMS_IN_REGISTERS,
    Array,
    ArrayType,
    ChoiceType,
    Closure,
    IntVector,
    KnownChoice,
    KnownObject,
    KnownType,
    LazyIterable,
    Method,
    OptionalType,
    OptionalValue,
    TupleType,
    TupleValue,
    Type,
    TypeMismatch,
    Value,
    VectorType,
    as_operand,
    build_value,
    describe_type,
    join_types,
    register_kinds,
    storage_of,
    type_of,
    widen_type,
    word_count,
)
from plyground.rules import Weights

Key = tuple[int, str]
"""Number of a frame, and a name in it."""
Env = dict[Key, Value]
Edge = tuple[Env, form.PhiMoves]
"""Edge of control flow to a join: the bindings there, and the writes of cells that belong to it."""
Holder = Cell | tuple[Register, ArrayType | VectorType]
"""Storage of a part of a name's value from turn to turn of a loop: a cell, or memory for a row of ints."""

TOO_LARGE = "uses an int of more than 64 bits; plyground.board.bits has sets of any size"
MOST_LOOP_PASSES = 8
"""Times that a loop's body is lowered until the types of its names stay the same."""


class Unreachable(Exception):
    """Raised where no way leads to the code that would be emitted; the next join catches it."""


class Frame:
    """Scope of a function whose body is being lowered: its names, and the targets of its `return` and `yield`."""

    def __init__(
        self, number: int, facts: FunctionFacts | None, file: str, function: Any, parent: "Frame | None" = None
    ) -> None:
        self.number, self.facts, self.file, self.function, self.parent = number, facts, file, function, parent
        self.live: Names = NO_NAMES
        """Names that are live behind the statement being lowered."""
        self.line = 0
        self.own: set[str] = set()
        """Names of a comprehension, or of a function in another; others are looked up in the parent."""
        self.on_return: Callable[[Value], None] = lambda value: None
        self.on_yield: Callable[[Value], None] | None = None
        self.carried: set[Key] = set()
        """Names of callers that a `yield` may set."""
        self.breaks: list[JumpTarget] = []
        self.continues: list[JumpTarget] = []


class JumpTarget:
    """End of a block, with the edges of all jumps there."""

    def __init__(self, label: int) -> None:
        self.label = label
        self.edges: list[Edge] = []


TEMPORARY_FRAME = 0
"""Number of the frame of names that the compiler makes."""


class Builder:
    """Emitter of one function's instructions."""

    def __init__(self, is_checked: bool, most_unrolled: int) -> None:
        self.is_checked = is_checked
        """Whether an int that would leave 64 bits is a fault; else it wraps."""
        self.most_unrolled = most_unrolled
        """Instructions that an unrolled loop may have."""
        self.out: list[form.Instruction] = []
        # Apart from `out`, for they stand before the body: a slot within a loop would be new memory each turn.
        self.slots: list[form.Instruction] = []
        self.env: Env | None = {}
        self.frames: list[Frame] = []
        """Functions whose bodies are being lowered, each inlined into the one before it."""
        self.frame: Frame = Frame(TEMPORARY_FRAME, None, "", None)
        """The frame whose nodes are being lowered."""
        self.targets: list[JumpTarget] = []
        self.walked_iterables: list[LazyIterable] = []
        """Iterables that have been walked, in order."""
        self.loop_depth = 0
        """Loops around the place where code is emitted."""
        self.last_number = 0
        self.size = 0
        """Instructions emitted so far."""

    # -- instructions -------------------------------------------------------------------------------------------------

    def new_number(self) -> int:
        self.last_number += 1
        return self.last_number

    def emit(self, each: form.Instruction) -> None:
        """Emit an instruction; where no way leads here, none is emitted, and what follows is left out.

        Raises:
            Unreachable: no way leads here.
        """
        if self.env is None:
            raise Unreachable
        self.append(each)

    def append(self, each: form.Instruction) -> None:
        self.size += 1
        self.out.append(each)

    def emit_op(self, name: str, *operands: Operand | int | float, fault: int = 0) -> Register:
        """Emit an operation with a result."""
        words = tuple(map(as_operand, operands))
        result = Register(self.new_number(), words[1].kind if name == "select" else form.RESULT_KINDS[name])
        self.emit(form.Op(name, words, result, fault))
        return result

    def emit_effect(self, name: str, *operands: Operand | int) -> None:
        """Emit an operation without a result."""
        self.emit(form.Op(name, tuple(map(as_operand, operands))))

    def allocate_slot(self, length: int) -> Register:
        """Allocate memory for ints in the frame of the function; return its address."""
        result = Register(self.new_number(), RegisterKind.ADDRESS)
        # A tuple without items has an address, too.
        self.slots.append(form.StackSlot(result, max(length, 1)))
        return result

    def emit_data(self, values: Iterable[int]) -> Register:
        """Emit constant ints; return their address."""
        result = Register(self.new_number(), RegisterKind.ADDRESS)
        words = tuple(map(int, values))
        if any(not -(1 << 63) <= word < 1 << 63 for word in words):
            self.refuse(TOO_LARGE)
        self.emit(form.ConstantData(result, words))
        return result

    def emit_weights(self, weights: Weights) -> Array:
        """Emit the weights of an evaluation as a tuple in memory."""
        result = Register(self.new_number(), RegisterKind.ADDRESS)
        self.emit(form.WeightsData(result, weights))
        return Array(result, len(weights))

    def item_address(self, address: Operand, index: Operand | int) -> Operand:
        index = as_operand(index)
        if not isinstance(index, Register) and index.value == 0:
            return address
        return self.emit_op("place", address, index)

    def emit_load(self, address: Operand, index: Operand | int) -> Register:
        return self.emit_op("load", self.item_address(address, index))

    def emit_store(self, address: Operand, index: Operand | int, value: Operand | int) -> None:
        self.emit_effect("store", self.item_address(address, index), value)

    # -- faults -------------------------------------------------------------------------------------------------------

    def fault_number(self, error: type[BaseException], args: tuple[Any, ...] = ()) -> int:
        """Number of an exception at the line being lowered."""
        raise NotImplementedError

    def emit_fault(self, error: type[BaseException], *args: Any) -> NoReturn:
        """Emit an exception that is raised in any case."""
        # The code after the exception cannot be reached: `Unreachable` ends the lowering of it, up to the next join.
        self.emit(form.FaultExit(self.fault_number(error, args)))
        self.env = None
        raise Unreachable

    def emit_fault_if(self, wrong: Value, error: type[BaseException], *args: Any) -> None:
        """Emit an exception that is raised where a condition holds."""
        if isinstance(wrong, KnownObject):
            if wrong.value:
                self.emit_fault(error, *args)
            return
        assert isinstance(wrong, Register)
        self.emit(form.If(wrong, [form.FaultExit(self.fault_number(error, args))], []))

    def emit_fault_unless(self, condition: Operand, error: type[BaseException], *args: Any) -> None:
        self.emit_fault_if(self.emit_op("not", condition), error, *args)

    def refuse(self, why: str) -> NoReturn:
        """Raise `NotCompilable`; the line being lowered is added on the way out."""
        raise NotCompilable(why)

    # -- operands -----------------------------------------------------------------------------------------------------

    def operand(self, value: Value, kind: RegisterKind | None = None) -> Operand:
        """Convert a number to an operand, of a given kind if one is named."""
        if isinstance(value, OptionalValue):
            value = self.require_value(value)
        if isinstance(value, KnownObject) and isinstance(value.value, int | float):
            number = value.value
            # `int(True)` is 1: of a bool the number is meant where an int is wanted.
            if kind is RegisterKind.INT and isinstance(number, int):
                number = int(number)
            elif kind is RegisterKind.BOOL:
                number = bool(number)
            elif kind is RegisterKind.FLOAT:
                number = float(number)
            if isinstance(number, int) and not -(1 << 63) <= number < 1 << 63:
                self.refuse(TOO_LARGE)
            return as_operand(number)
        if not isinstance(value, Register):
            self.refuse(f"uses {self.describe(value)} as a number")
        if kind in (None, value.kind):
            return value
        if value.kind is RegisterKind.BOOL and kind is RegisterKind.INT:
            return self.emit_op("int_of", value)
        if kind is RegisterKind.FLOAT and value.kind in (RegisterKind.INT, RegisterKind.BOOL):
            return self.emit_op("float_of", self.int_operand(value))
        if kind is RegisterKind.BOOL and value.kind is RegisterKind.INT:
            return self.emit_op("ne", value, 0)
        self.refuse(f"uses {self.describe(value)} as {describe_type(kind or value.kind)}")

    def int_operand(self, value: Value) -> Operand:
        return self.operand(value, RegisterKind.INT)

    def bool_operand(self, value: Value) -> Operand:
        return self.operand(value, RegisterKind.BOOL)

    def require_value(self, value: Value) -> Value:
        """Unwrap an optional value; emits a fault where it is None, or where its name has no value yet."""
        if not isinstance(value, OptionalValue):
            return value
        if value.is_none:
            self.emit_fault_unless(value.flag, TypeError, "None where a number is needed")
        else:
            self.emit_fault_unless(value.flag, UnboundLocalError, "a name has no value yet")
        return value.value

    def describe(self, value: Value) -> str:
        """Describe a value in a few words, for messages."""
        try:
            return describe_type(type_of(value))
        except TypeMismatch:
            return "a generator" if isinstance(value, LazyIterable) else "a function"

    def items_of(self, value: Value) -> list[Value]:
        """The items of a tuple of known length."""
        match self.require_value(value):
            case KnownObject(value=tuple() | list() as items):
                return [KnownObject(item) for item in items]
            case TupleValue(items=parts):
                return list(parts)
            case Array(address=address, length=length):
                return [self.emit_load(address, index) for index in range(length)]
            case IntVector(address=address, length=int() as length):
                return [self.emit_load(address, index + 1) for index in range(length)]
        self.refuse(f"takes {self.describe(value)} for a tuple of known length; write its items out")

    def make_tuple(self, items: "Iterable[Value]", cls: type = tuple) -> Value:
        """Make a tuple of these items; a long one of ints is stored in memory."""
        items = tuple(items)
        if all(isinstance(item, KnownObject) for item in items):
            values = [item.value for item in items if isinstance(item, KnownObject)]
            return KnownObject(cls(*values) if hasattr(cls, "_fields") else cls(values))
        is_long = len(items) > MOST_ITEMS_IN_REGISTERS and cls in (tuple, list)
        if is_long and all(self.is_int(item) for item in items):
            return Array(self.store_items(items), len(items))
        return TupleValue(cls, items)

    def store_items(self, items: Sequence[Value]) -> Register:
        """Store ints in a row in the frame; return their address."""
        address = self.allocate_slot(len(items))
        for index, item in enumerate(items):
            self.emit_store(address, index, self.int_operand(item))
        return address

    def is_int(self, value: Value) -> bool:
        if isinstance(value, KnownObject):
            return isinstance(value.value, int)
        return isinstance(value, Register) and value.kind in (RegisterKind.INT, RegisterKind.BOOL)

    def address_of(self, value: Value) -> tuple[Operand, int]:
        """Address of the ints of a tuple, and their number; they are stored in memory if they are not there yet."""
        match value:
            case Array():
                return value.address, value.length
            case IntVector(length=int() as length):
                return self.item_address(value.address, 1), length
            case KnownObject(value=tuple() | list() as items):
                return self.emit_data(items), len(items)
            case TupleValue(items=parts):
                return self.store_items(parts), len(parts)
        self.refuse(f"takes {self.describe(value)} for a tuple of ints")

    def coerce(self, value: Value, kind: Type) -> list[Operand]:
        """Convert a value to a type that can hold it; return an operand for each part of the type's storage."""
        match kind:
            case KnownType():
                return []
            case OptionalType():
                if isinstance(value, OptionalValue):
                    return [value.flag, *self.coerce(value.value, kind.inner)]
                if isinstance(value, KnownObject) and value.value is None and kind.is_none:
                    return self.absent_operands(kind)
                return [as_operand(True), *self.coerce(value, kind.inner)]
            case RegisterKind():
                return [self.operand(value, kind)]
            case TupleType():
                pairs = zip(self.items_of(value), kind.items, strict=True)
                return [operand for item, part in pairs for operand in self.coerce(item, part)]
            case ArrayType():
                return [self.address_of(value)[0]]
            case ChoiceType():
                assert isinstance(value, KnownChoice)
                return [value.index]
            case VectorType():
                assert isinstance(value, IntVector)
                return [value.address]

    def placeholder(self, part: RegisterKind | ArrayType | VectorType) -> Operand:
        """An operand for a part of a value that is absent; nothing reads it but what copies it."""
        if not isinstance(part, RegisterKind):
            address = self.allocate_slot(word_count(part))
            if isinstance(part, VectorType):
                # Its length is 0, for a loop may carry it into the first turn by a copy, and a copy's length is read
                # from it: without this, as many words are copied as the stack happens to hold.
                self.emit_store(address, 0, 0)
            return address
        if part is RegisterKind.ADDRESS:
            return self.allocate_slot(1)
        return form.ConstantOperand(0.0 if part is RegisterKind.FLOAT else 0, part)

    def absent_operands(self, kind: OptionalType) -> list[Operand]:
        """The operands of an optional value that is absent."""
        return [as_operand(False), *map(self.placeholder, storage_of(kind.inner))]

    # -- names --------------------------------------------------------------------------------------------------------

    @property
    def bindings(self) -> Env:
        """The bindings in `env`, at a place that can be reached."""
        if self.env is None:
            raise Unreachable
        return self.env

    def new_temporary(self) -> Key:
        return TEMPORARY_FRAME, f"t{self.new_number()}"

    def is_live(self, key: Key) -> bool:
        if key[0] == TEMPORARY_FRAME:
            return True
        # A comprehension's frame has no facts: its names count as live until it ends, and are removed then.
        frame = next((frame for frame in self.frames if frame.number == key[0]), None)
        return frame is not None and (key[1] in frame.live or frame.facts is None)

    # -- branches and joins -------------------------------------------------------------------------------------------

    def write_reachable(self, body: Callable[[], None]) -> None:
        """Emit a body as far as control flow reaches."""
        try:
            if self.env is not None:
                body()
        except Unreachable:
            self.env = None

    def emit_if(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Emit two branches that join; only one of them if the condition is known."""
        if isinstance(condition, KnownObject):
            (then if condition.value else otherwise)()
            return
        operand, before, out = self.bool_operand(condition), dict(self.bindings), self.out
        lists: list[list[form.Instruction]] = []
        edges: list[Edge] = []
        for branch in (then, otherwise):
            # Each branch has bindings of its own: what one binds, the other does not see.
            self.env, self.out = dict(before), []
            self.write_reachable(branch)
            lists.append(self.out)
            if self.env is not None:
                moves = form.PhiMoves([])
                self.out.append(moves)
                edges.append((self.env, moves))
        self.out = out
        # `append` and not `emit`: both branches may have ended, and the branch itself is reached all the same.
        self.append(form.If(operand, *lists))
        self.join_edges(edges)

    def emit_conditional(self, condition: Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
        """Emit two expressions of which only one is evaluated; return its value."""
        if isinstance(condition, KnownObject):
            return then() if condition.value else otherwise()
        key = self.new_temporary()

        def bind_result(make: Callable[[], Value]) -> None:
            value = make()
            self.bindings[key] = value

        self.emit_if(condition, lambda: bind_result(then), lambda: bind_result(otherwise))
        return self.bindings.pop(key)

    def emit_block(self, body: Callable[[JumpTarget], None]) -> None:
        """Emit a block; its body may jump to its end, the target that it is given."""
        if self.env is None:
            raise Unreachable
        target = JumpTarget(self.new_number())
        out, self.out = self.out, []
        self.targets.append(target)
        self.write_reachable(lambda: body(target))
        self.targets.pop()
        inner, self.out = self.out, out
        if self.env is not None:
            moves = form.PhiMoves([])
            inner.append(moves)
            target.edges.append((self.env, moves))
        if len(target.edges) == 1 and self.env is not None:  # nothing jumped
            self.out += inner
            return
        self.append(form.Block(target.label, inner))
        self.join_edges(target.edges)

    def emit_jump(self, target: JumpTarget) -> NoReturn:
        """Emit a jump to the end of a block."""
        moves = form.PhiMoves([])
        target.edges.append((self.bindings, moves))
        self.emit(moves)
        self.emit(form.Jump(target.label))
        self.env = None
        raise Unreachable

    def emit_exit_unless(self, condition: Value, target: JumpTarget) -> None:
        self.emit_if(condition, lambda: None, lambda: self.emit_jump(target))

    def join_edges(self, edges: list[Edge]) -> None:
        """Bind the names behind a join of edges, with cells for live names whose values differ among the edges."""
        self.env = dict(edges[0][0]) if edges else None
        if len(edges) < 2:
            return
        result: Env = {}
        # In the order of the edges and not of a set, whose order differs from process to process: the text of the code
        # names the object code on disk, so the same program must have the same text.
        for key in dict.fromkeys(key for env, _ in edges for key in env):
            values = [env.get(key) for env, _ in edges]
            if all(_is_same_value(value, values[0]) for value in values):
                result[key] = edges[0][0][key]
            elif self.is_live(key) and (joined := self._join_values(key, values, edges)) is not None:
                result[key] = joined
        self.env = result

    def _join_values(self, key: Key, values: list[Value | None], edges: list[Edge]) -> Value | None:
        present = [value for value in values if value is not None]
        try:
            # The least type that holds the value of every edge; where an edge has none, an optional one, so that a read
            # of the name can fail as in Python.
            kind = type_of(present[0])
            for value in present[1:]:
                kind = join_types(kind, type_of(value))
            if len(present) < len(values) and not (isinstance(kind, OptionalType) and not kind.is_none):
                kind = OptionalType(widen_type(kind), False)
        except TypeMismatch:
            if (
                len(present) < len(values)
                and key[0] != TEMPORARY_FRAME
                and any(isinstance(each, LazyIterable) for each in present)
            ):
                return None
            kinds = " and ".join(dict.fromkeys(self.describe(value) for value in present))
            self.refuse(
                f"gives {_describe_key(key)} values of two kinds, {kinds}; give it one kind of value on all ways"
            )
        cells = [Cell(self.new_number(), part) for part in register_kinds(kind)]
        out = self.out
        # The moves of an edge were left empty when it was made; now that the type is known, they are filled in.
        for each, (_, moves) in zip(values, edges, strict=True):
            self.out = moves.body
            operands = self.optional_operands(each, kind)
            self.out += [form.WriteCell(cell, operand) for cell, operand in zip(cells, operands, strict=True)]
        self.out = out
        return build_value(kind, iter([self.read_cell(cell) for cell in cells]))

    def optional_operands(self, value: Value | None, kind: Type) -> list[Operand]:
        """Operands of a value converted to a type; a `value` of None is a name that is not set yet."""
        if value is None:
            assert isinstance(kind, OptionalType)
            return self.absent_operands(kind)
        return self.coerce(value, kind)

    def read_cell(self, cell: Cell) -> Register:
        result = Register(self.new_number(), cell.kind)
        self.emit(form.ReadCell(result, cell))
        return result

    # -- loops --------------------------------------------------------------------------------------------------------

    def emit_loop(self, carried: Iterable[Key], body: Callable[[], None]) -> None:
        """Emit a loop, which a jump out of it ends.

        Args:
            carried: names that the body may set and that are live at its start or behind it.
            body: lowers it; called anew where a name turns out to hold more kinds of values than at first.
        """
        types: dict[Key, Type] = {}
        for key in sorted(carried):  # so that the same program has the same form in every process
            if (value := self.bindings.get(key)) is not None and not isinstance(value, _WITHOUT_STORAGE):
                types[key] = widen_type(type_of(value))
        mark = self.checkpoint()
        for _ in range(MOST_LOOP_PASSES):
            if (wider := self._try_loop(types, set(carried), body)) is None:
                return
            types = wider
            # The body has set a name to more kinds of values than its head allows: with wider types all of it is
            # lowered again.
            self.roll_back(mark)
        self.refuse("gives a name other kinds of values from turn to turn of a loop")

    def _try_loop(self, types: dict[Key, Type], carried: set[Key], body: Callable[[], None]) -> dict[Key, Type] | None:
        """Emit a loop whose names have these types at its head; return wider types if the body sets others."""
        holders = {key: [self._new_holder(part) for part in storage_of(kind)] for key, kind in types.items()}
        for key, kind in types.items():
            self._set_holders(holders[key], self.optional_operands(self.bindings.get(key), kind))
        loop = form.Loop(self.new_number(), [])
        self.emit(loop)
        out, self.out = self.out, loop.body
        for key, kind in types.items():
            self.bindings[key] = build_value(kind, iter([self._read_holder(holder) for holder in holders[key]]))
        # A name that the turn leaves as it was needs no write at its end.
        heads = {key: self.bindings[key] for key in types}
        self.loop_depth += 1
        self.write_reachable(body)
        self.loop_depth -= 1
        wider = dict(types)
        if self.env is not None:
            for key in sorted(carried & self.env.keys()):
                if not isinstance(value := self.env[key], _WITHOUT_STORAGE):
                    wider[key] = self._join_turns(key, types.get(key), value)
            if wider == types:
                kept = [key for key in types if key in self.env]  # the others are read no more
                changed = [key for key in kept if not _is_same_value(self.env[key], heads[key])]
                operands = [operand for key in changed for operand in self.coerce(self.env[key], types[key])]
                self._set_holders([holder for key in changed for holder in holders[key]], operands)
                self.emit(form.Jump(loop.label))
        self.out = out
        self.env = None
        # A loop is left by jumps alone, which lead behind the block around it.
        return None if wider == types else wider

    def _join_turns(self, key: Key, head: Type | None, value: Value) -> Type:
        """Type of a name at the head of a loop that also holds its value at the end of a turn."""
        kind = type_of(value)
        if head is None:
            return kind if isinstance(kind, OptionalType) else OptionalType(widen_type(kind), False)
        try:
            return join_types(head, kind)
        except TypeMismatch:
            kinds = f"{describe_type(head)} and {self.describe(value)}"
            self.refuse(f"gives {_describe_key(key)} values of two kinds in a loop, {kinds}; give it one kind of value")

    def _new_holder(self, part: RegisterKind | ArrayType | VectorType) -> Holder:
        if isinstance(part, RegisterKind):
            return Cell(self.new_number(), part)
        return self.allocate_slot(word_count(part)), part

    def _read_holder(self, holder: Holder) -> Operand:
        return self.read_cell(holder) if isinstance(holder, Cell) else holder[0]

    def _set_holders(self, holders: list[Holder], operands: list[Operand]) -> None:
        """Set all at once: rows may lie in each other's memory, so several are copied to memory of their own first."""
        rows = sum(not isinstance(holder, Cell) for holder in holders)
        for place, holder in enumerate(holders):
            if not isinstance(holder, Cell) and rows > 1:
                copied = self.allocate_slot(word_count(holder[1]))
                self.emit_copy(copied, operands[place], holder[1])
                operands[place] = copied
        for operand, holder in zip(operands, holders, strict=True):
            if isinstance(holder, Cell):
                self.emit(form.WriteCell(holder, operand))
            else:
                self.emit_copy(holder[0], operand, holder[1])

    def emit_copy(self, goal: Operand, source: Operand, part: ArrayType | VectorType) -> None:
        """Copy the ints of a row."""
        if isinstance(part, ArrayType):
            # Lengths of copies are in bytes, 8 for an int.
            self.emit_effect("copy", goal, source, 8 * part.length)
            return
        # A copy of a list takes its length and the items that it has, not all that it has memory for.
        words = self.emit_op("add", self.emit_load(source, 0), 1)
        self.emit_effect("copy", goal, source, self.emit_op("shl", words, 3))

    # -- checkpoints --------------------------------------------------------------------------------------------------

    def checkpoint(self) -> tuple[Any, ...]:
        """The state of the emission, for `roll_back`."""
        edges = [len(each.edges) for each in self.targets]
        return dict(self.bindings), self.out, len(self.out), edges, len(self.walked_iterables), self.size

    def roll_back(self, mark: tuple[Any, ...]) -> None:
        """Undo all that was emitted since a checkpoint."""
        # Numbers and slots that were drawn stay drawn: a number must never mean two registers, and a slot without a
        # reader is left out by LLVM and by `simplification.py`.
        env, out, length, edges, used, self.size = mark
        del self.targets[len(edges) :]
        self.env, self.out = dict(env), out
        del out[length:]
        for target, count in zip(self.targets, edges, strict=True):
            del target.edges[count:]
        for each in self.walked_iterables[used:]:
            each.is_used = False
        del self.walked_iterables[used:]

    def note_line(self, node: ast.AST) -> None:
        """Note the line being lowered, for messages and faults."""
        self.frame.line = getattr(node, "lineno", self.frame.line)


_WITHOUT_STORAGE = LazyIterable | Closure | Method
"""Values that no cell can hold."""


def _describe_key(key: Key) -> str:
    return "a value" if key[0] == TEMPORARY_FRAME else f"the name {key[1]}"


def _is_same_value(left: Value | None, right: Value | None) -> bool:
    """Whether two values are the same, so that a join of them needs no cell."""
    if left is right:
        return True
    if isinstance(left, KnownObject) and isinstance(right, KnownObject):
        # Known objects are compared by their types as well, because 1 and True are equal and are not the same.
        return left.value is right.value or type_of(left) == type_of(right)
    if isinstance(left, Register) or isinstance(right, Register):
        return left == right
    if isinstance(left, TupleValue) and isinstance(right, TupleValue):
        return (
            left.cls is right.cls
            and len(left.items) == len(right.items)
            and all(map(_is_same_value, left.items, right.items))
        )
    if isinstance(left, Array) and isinstance(right, Array):
        return left.address == right.address
    if isinstance(left, IntVector) and isinstance(right, IntVector):
        return left.address == right.address
    return False
