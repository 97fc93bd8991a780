"""The writing of the form: registers, the names in force, joins of ways, loops.

`env` has the value of each name, or is None where no way leads. Ways that join give each live name that differs among
them cells; a loop gives cells to the names that its body sets.
"""

import ast
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from plyground.compiler.form import (
    Block,
    Cell,
    ConstantOperand,
    Data,
    FaultExit,
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
    Set,
    Slot,
)
from plyground.compiler.source import NONE, Facts, Names
from plyground.compiler.types import (
    SHORT,
    Array,
    ArrayType,
    ChosenType,
    Closure,
    GrowingRow,
    KnownChoice,
    KnownObject,
    KnownType,
    Lazy,
    Method,
    Mismatch,
    Perhaps,
    PerhapsType,
    RowType,
    Tuple,
    TupleType,
    Type,
    Value,
    constant,
    in_words,
    joined,
    kinds_of,
    parts_of,
    type_of,
    value_of,
    widened,
    words_in,
)

Key = tuple[int, str]
Env = dict[Key, Value]


class Refused(Exception):
    """Something has no compiled form: what, and what would be right, in words that follow "file, line: "."""

    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}{self.args[0]}"


class Unreachable(Exception):
    """The place being written cannot be reached."""


class Frame:
    """A function whose body is being written: where its names are looked up, and where its `return` leads."""

    def __init__(
        self, number: int, facts: Facts | None, file: str, function: Any, parent: "Frame | None" = None
    ) -> None:
        self.number, self.facts, self.file, self.function, self.parent = number, facts, file, function, parent
        self.live: Names = NONE
        """Names that are needed behind the statement being written."""
        self.line = 0
        self.own: set[str] = set()
        """Names of a comprehension, or of a function in another; others are looked up around it."""
        self.on_return: Callable[[Value], None] = lambda value: None
        self.on_yield: Callable[[Value], None] | None = None
        self.carried: set[Key] = set()
        """Names of callers that a `yield` may set."""
        self.node: Any = None
        self.breaks: list[Exit] = []
        self.continues: list[Exit] = []


class Exit:
    """Goal of jumps forward, with the names in force at each."""

    def __init__(self, label: int) -> None:
        self.label = label
        self.ways: list[tuple[Env, Moves]] = []


TEMPORARY = 0
"""Number of the frame of names that the compiler makes."""


class Builder:
    """Writer of one function's instructions."""

    def __init__(self, is_checked: bool) -> None:
        self.is_checked = is_checked
        """Whether an int that would leave 64 bits is a fault; else it wraps."""
        self.out: list[Instruction] = []
        self.slots: list[Instruction] = []
        self.env: Env | None = {}
        self.frames: list[Frame] = []
        """Functions whose bodies are being written, one within the other."""
        self.frame: Frame = Frame(TEMPORARY, None, "", None)
        """That whose nodes are being read."""
        self.exits: list[Exit] = []
        self.used: list[Lazy] = []
        self.depth = 0
        self.count = 0
        self.size = 0
        """Instructions written so far."""

    # -- instructions -------------------------------------------------------------------------------------------------

    def number(self) -> int:
        self.count += 1
        return self.count

    def emit(self, each: Instruction) -> None:
        self.size += 1
        self.out.append(each)

    def op(self, name: str, kind: RegisterKind, *operands: Operand, fault: int = 0) -> Register:
        """An operation with a result."""
        result = Register(self.number(), kind)
        self.emit(Op(name, operands, result, fault))
        return result

    def act(self, name: str, *operands: Operand) -> None:
        """An operation without a result."""
        self.emit(Op(name, operands))

    def slot(self, length: int) -> Register:
        result = Register(self.number(), RegisterKind.ADDRESS)
        self.slots.append(Slot(result, max(length, 1)))
        return result

    def data(self, values: Iterable[int]) -> Register:
        """Address of constant ints."""
        result = Register(self.number(), RegisterKind.ADDRESS)
        words = tuple(map(int, values))
        if any(not -(1 << 63) <= word < 1 << 63 for word in words):
            self.refuse("uses an int of more than 64 bits; plyground.board.bits has sets of any size")
        self.emit(Data(result, words))
        return result

    def place(self, address: Operand, index: Operand | int) -> Operand:
        if isinstance(index, int):
            index = ConstantOperand(index, RegisterKind.INT)
        if isinstance(index, ConstantOperand) and index.value == 0:
            return address
        return self.op("place", RegisterKind.ADDRESS, address, index)

    def load(self, address: Operand, index: Operand | int) -> Register:
        return self.op("load", RegisterKind.INT, self.place(address, index))

    def store(self, address: Operand, index: Operand | int, value: Operand) -> None:
        self.act("store", self.place(address, index), value)

    # -- faults -------------------------------------------------------------------------------------------------------

    def fault_number(self, error: type[BaseException], args: tuple[Any, ...] = ()) -> int:
        """Number of an exception at the line being written."""
        raise NotImplementedError

    def fault(self, error: type[BaseException], *args: Any) -> NoReturn:
        """An exception, here in any case."""
        self.emit(FaultExit(self.fault_number(error, args)))
        self.env = None
        raise Unreachable

    def fault_if(self, wrong: Value, error: type[BaseException], *args: Any) -> None:
        """An exception where a condition holds."""
        if isinstance(wrong, KnownObject):
            if wrong.value:
                self.fault(error, *args)
            return
        assert isinstance(wrong, Register)
        self.emit(If(wrong, [FaultExit(self.fault_number(error, args))], []))

    def refuse(self, why: str) -> NoReturn:
        """Say that something has no compiled form, with the line being written."""
        raise Refused(why)

    # -- operands -----------------------------------------------------------------------------------------------------

    def operand(self, value: Value, kind: RegisterKind | None = None) -> Operand:
        """A number as an operand, of a kind if one is asked for."""
        if isinstance(value, Perhaps):
            value = self.given(value)
        if isinstance(value, KnownObject) and isinstance(value.value, int | float):
            number = value.value
            if kind is RegisterKind.INT and isinstance(number, int):
                number = int(number)
            elif kind is RegisterKind.BOOL:
                number = bool(number)
            elif kind is RegisterKind.FLOAT:
                number = float(number)
            if isinstance(number, int) and not -(1 << 63) <= number < 1 << 63:
                self.refuse("uses an int of more than 64 bits; plyground.board.bits has sets of any size")
            return constant(number)
        if not isinstance(value, Register):
            self.refuse(f"uses {self.said(value)} as a number")
        if kind in (None, value.kind):
            return value
        if value.kind is RegisterKind.BOOL and kind is RegisterKind.INT:
            return self.op("int_of", RegisterKind.INT, value)
        if kind is RegisterKind.FLOAT and value.kind in (RegisterKind.INT, RegisterKind.BOOL):
            return self.op("float_of", RegisterKind.FLOAT, self.operand(value, RegisterKind.INT))
        if kind is RegisterKind.BOOL and value.kind is RegisterKind.INT:
            return self.op("ne", RegisterKind.BOOL, value, ConstantOperand(0, RegisterKind.INT))
        self.refuse(f"uses {self.said(value)} as {in_words(kind or value.kind)}")

    def given(self, value: Value) -> Value:
        """A value that must be there: not None, and set."""
        if not isinstance(value, Perhaps):
            return value
        wrong = self.op("not", RegisterKind.BOOL, value.flag)
        if value.is_none:
            self.fault_if(wrong, TypeError, "None where a number is needed")
        else:
            self.fault_if(wrong, UnboundLocalError, "a name has no value yet")
        return value.value

    def said(self, value: Value) -> str:
        """A value in a few words, for messages."""
        try:
            return in_words(type_of(value))
        except Mismatch:
            return "a generator" if isinstance(value, Lazy) else "a function"

    def items(self, value: Value) -> list[Value]:
        """The items of a tuple of known length."""
        match self.given(value):
            case KnownObject(value=tuple() | list() as items):
                return [KnownObject(item) for item in items]
            case Tuple(items=parts):
                return list(parts)
            case Array(address=address, length=length):
                return [self.load(address, index) for index in range(length)]
            case GrowingRow(address=address, length=int() as length):
                return [self.load(address, index + 1) for index in range(length)]
        self.refuse(f"takes {self.said(value)} for a tuple of known length")

    def tuple_of(self, items: "Iterable[Value]", cls: type = tuple) -> Value:
        """A tuple of these items; a long one of ints is put into memory."""
        items = tuple(items)
        if all(isinstance(item, KnownObject) for item in items):
            values = [item.value for item in items if isinstance(item, KnownObject)]
            return KnownObject(cls(*values) if hasattr(cls, "_fields") else cls(values))
        is_long = len(items) > SHORT and cls in (tuple, list)
        if is_long and all(self.is_int(item) for item in items):
            address = self.slot(len(items))
            for index, item in enumerate(items):
                self.store(address, index, self.operand(item, RegisterKind.INT))
            return Array(address, len(items))
        return Tuple(cls, items)

    def is_int(self, value: Value) -> bool:
        if isinstance(value, KnownObject):
            return isinstance(value.value, int)
        return isinstance(value, Register) and value.kind in (RegisterKind.INT, RegisterKind.BOOL)

    def address_of(self, value: Value) -> tuple[Operand, int]:
        """Where the ints of a tuple lie in memory, and how many they are."""
        match value:
            case Array():
                return value.address, value.length
            case GrowingRow(length=int() as length):
                return self.place(value.address, 1), length
            case KnownObject(value=tuple() | list() as items):
                return self.data(items), len(items)
            case Tuple(items=parts):
                address = self.slot(len(parts))
                for index, item in enumerate(parts):
                    self.store(address, index, self.operand(item, RegisterKind.INT))
                return address, len(parts)
        self.refuse(f"takes {self.said(value)} for a tuple of ints")

    def coerce(self, value: Value, kind: Type) -> list[Operand]:
        """The registers of a value as one of a type that holds it."""
        match kind:
            case KnownType():
                return []
            case PerhapsType():
                if isinstance(value, Perhaps):
                    return [value.flag, *self.coerce(value.value, kind.inner)]
                if isinstance(value, KnownObject) and value.value is None and kind.is_none:
                    return [constant(False), *map(self.nothing, parts_of(kind.inner))]
                return [constant(True), *self.coerce(value, kind.inner)]
            case RegisterKind():
                return [self.operand(value, kind)]
            case TupleType():
                pairs = zip(self.items(value), kind.items, strict=True)
                return [operand for item, part in pairs for operand in self.coerce(item, part)]
            case ArrayType():
                return [self.address_of(value)[0]]
            case ChosenType():
                assert isinstance(value, KnownChoice)
                return [value.at]
            case RowType():
                assert isinstance(value, GrowingRow)
                return [value.address]

    def nothing(self, part: RegisterKind | ArrayType | RowType) -> Operand:
        """An operand in place of one that is not there."""
        if not isinstance(part, RegisterKind):
            return self.slot(words_in(part))
        if part is RegisterKind.ADDRESS:
            return self.slot(1)
        return ConstantOperand(0.0 if part is RegisterKind.FLOAT else 0, part)

    # -- names --------------------------------------------------------------------------------------------------------

    @property
    def names(self) -> Env:
        """The names in force at a place that can be reached."""
        if self.env is None:
            raise Unreachable
        return self.env

    def temporary(self) -> Key:
        return TEMPORARY, f"t{self.number()}"

    def is_live(self, key: Key) -> bool:
        if key[0] == TEMPORARY:
            return True
        frame = next((frame for frame in self.frames if frame.number == key[0]), None)
        return frame is not None and (key[1] in frame.live or frame.facts is None)

    # -- ways ---------------------------------------------------------------------------------------------------------

    def run(self, body: Callable[[], None]) -> None:
        """Write instructions until their end, or until no way leads further."""
        try:
            if self.env is not None:
                body()
        except Unreachable:
            self.env = None

    def choose(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Two ways that join; only one of them if the condition is known."""
        if isinstance(condition, KnownObject):
            (then if condition.value else otherwise)()
            return
        operand, before, out = self.operand(condition, RegisterKind.BOOL), dict(self.names), self.out
        lists: list[list[Instruction]] = []
        ways: list[tuple[Env, Moves]] = []
        for way in (then, otherwise):
            self.env, self.out = dict(before), []
            self.run(way)
            lists.append(self.out)
            if self.env is not None:
                moves = Moves([])
                self.out.append(moves)
                ways.append((self.env, moves))
        self.out = out
        self.emit(If(operand, *lists))
        self.join(ways)

    def pick(self, condition: Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
        """The value of one of two expressions, of which only one is reckoned."""
        if isinstance(condition, KnownObject):
            return then() if condition.value else otherwise()
        key = self.temporary()

        def way(make: Callable[[], Value]) -> Callable[[], None]:
            def write() -> None:
                value = make()
                self.names[key] = value

            return write

        self.choose(condition, way(then), way(otherwise))
        return self.names.pop(key)

    def block(self, body: Callable[[Exit], None]) -> None:
        """Instructions that jumps to an exit leave."""
        goal = Exit(self.number())
        out, self.out = self.out, []
        self.exits.append(goal)
        self.run(lambda: body(goal))
        self.exits.pop()
        inner, self.out = self.out, out
        if self.env is not None:
            moves = Moves([])
            inner.append(moves)
            goal.ways.append((self.env, moves))
        if len(goal.ways) == 1 and self.env is not None:  # nothing jumped
            self.out += inner
            return
        self.emit(Block(goal.label, inner))
        self.join(goal.ways)

    def jump(self, goal: Exit) -> NoReturn:
        """Jump to the end of a block."""
        moves = Moves([])
        goal.ways.append((self.names, moves))
        self.emit(moves)
        self.emit(Jump(goal.label))
        self.env = None
        raise Unreachable

    def join(self, ways: list[tuple[Env, Moves]]) -> None:
        """Go on from all of some ways."""
        if len(ways) < 2:
            self.env = dict(ways[0][0]) if ways else None
            return
        result: Env = {}
        out = self.out
        first = ways[0][0]
        keys = dict.fromkeys(key for env, _ in ways for key in env)
        for key in keys:
            values = [env.get(key) for env, _ in ways]
            if all(_same(value, values[0]) for value in values):
                result[key] = first[key]
            elif self.is_live(key):
                found = self._joined(key, values, ways)
                if found is not None:
                    result[key] = found
        self.out = out
        self.env = result

    def _joined(self, key: Key, values: "list[Value | None]", ways: list[tuple[Env, Moves]]) -> Value | None:
        there = [value for value in values if value is not None]
        try:
            kind = type_of(there[0])
            for value in there[1:]:
                kind = joined(kind, type_of(value))
            if len(there) < len(values) and not (isinstance(kind, PerhapsType) and not kind.is_none):
                kind = PerhapsType(widened(kind), False)
        except Mismatch:
            if len(there) < len(values) and key[0] != TEMPORARY and any(isinstance(each, Lazy) for each in there):
                return None
            names = " and ".join(dict.fromkeys(self.said(value) for value in there))
            what = "a value" if key[0] == TEMPORARY or key[1].startswith(".") else f"the name {key[1]}"
            self.refuse(f"gives {what} values of two kinds, {names}; give it one kind of value on all ways")
        cells = [Cell(self.number(), part) for part in kinds_of(kind)]
        out = self.out
        for each, (_, moves) in zip(values, ways, strict=True):
            self.out = moves.body
            if each is None:
                assert isinstance(kind, PerhapsType)
                operands: list[Operand] = [constant(False), *map(self.nothing, parts_of(kind.inner))]
            else:
                operands = self.coerce(each, kind)
            self.out += [Set(cell, operand) for cell, operand in zip(cells, operands, strict=True)]
        self.out = out
        return value_of(kind, iter([self.get(cell) for cell in cells]))

    def get(self, cell: Cell) -> Register:
        result = Register(self.number(), cell.kind)
        self.emit(Get(result, cell))
        return result

    # -- loops --------------------------------------------------------------------------------------------------------

    def loop(self, carried: Iterable[Key], body: Callable[[], None]) -> None:
        """Instructions again and again, until a jump leaves them.

        Args:
            carried: the names that the body may set and that are needed at its start or behind it.
            body: writes them; called anew where a name turns out to hold more kinds of values than at first.
        """
        types: dict[Key, Type] = {}
        for key in carried:
            if (value := self.names.get(key)) is not None and not isinstance(value, Lazy | Closure | Method):
                types[key] = widened(type_of(value))
        mark = self.mark()
        for _ in range(8):
            if (again := self._loop(types, set(carried), body)) is None:
                return
            types = again
            self.reset(mark)
        self.refuse("gives a name other kinds of values from turn to turn of a loop")

    def _loop(self, types: dict[Key, Type], carried: set[Key], body: Callable[[], None]) -> dict[Key, Type] | None:
        """Write a loop; return better types if these did not do."""
        holders = {key: [self._holder(part) for part in parts_of(kind)] for key, kind in types.items()}
        for key, kind in types.items():
            self._fill(holders[key], kind, self.names.get(key))
        loop = Loop(self.number(), [])
        self.emit(loop)
        out, self.out = self.out, loop.body
        for key, kind in types.items():
            self.names[key] = value_of(kind, iter([self._held(holder) for holder in holders[key]]))
        heads = {key: self.names[key] for key in types}
        self.depth += 1
        self.run(body)
        self.depth -= 1
        better = dict(types)
        if self.env is not None:
            for key in carried & self.env.keys():
                value = self.env[key]
                if isinstance(value, Lazy | Closure | Method):
                    continue
                kind = type_of(value)
                if key in types:
                    try:
                        better[key] = joined(types[key], kind)
                    except Mismatch:
                        what = f"{in_words(types[key])} and {self.said(value)}"
                        name = "a value" if key[0] == TEMPORARY else f"the name {key[1]}"
                        self.refuse(f"gives {name} values of two kinds in a loop, {what}; give it one kind of value")
                else:
                    better[key] = kind if isinstance(kind, PerhapsType) else PerhapsType(widened(kind), False)
            if better == types:
                changed = [key for key in types if not _same(self.env.get(key), heads[key])]
                values = [self.coerce(self.env[key], types[key]) for key in changed]
                places = [holder for key in changed for holder in holders[key]]
                self._move([operand for each in values for operand in each], places)
                self.emit(Jump(loop.label))
        self.out = out
        self.env = None
        return None if better == types else better

    def _holder(self, part: RegisterKind | ArrayType | RowType) -> "Cell | tuple[Register, ArrayType | RowType]":
        if isinstance(part, RegisterKind):
            return Cell(self.number(), part)
        return self.slot(words_in(part)), part

    def _held(self, holder: "Cell | tuple[Register, ArrayType | RowType]") -> Operand:
        return self.get(holder) if isinstance(holder, Cell) else holder[0]

    def _fill(
        self, holders: "list[Cell | tuple[Register, ArrayType | RowType]]", kind: Type, value: Value | None
    ) -> None:
        if value is None:
            assert isinstance(kind, PerhapsType)
            operands = [constant(False), *map(self.nothing, parts_of(kind.inner))]
        else:
            operands = self.coerce(value, kind)
        self._move(operands, holders)

    def _move(self, operands: list[Operand], holders: "list[Cell | tuple[Register, ArrayType | RowType]]") -> None:
        """Set all at once: rows that are in each other's place go by way of a third one."""
        rows = sum(not isinstance(holder, Cell) for holder in holders)
        for place, holder in enumerate(holders):
            if not isinstance(holder, Cell) and rows > 1:
                room = self.slot(words_in(holder[1]))
                self.copy(room, operands[place], holder[1])
                operands[place] = room
        for operand, holder in zip(operands, holders, strict=True):
            if isinstance(holder, Cell):
                self.emit(Set(holder, operand))
            else:
                self.copy(holder[0], operand, holder[1])

    def copy(self, goal: Operand, source: Operand, part: ArrayType | RowType) -> None:
        """Copy the ints of a row."""
        if isinstance(part, ArrayType):
            self.act("copy", goal, source, ConstantOperand(8 * part.length, RegisterKind.INT))
            return
        words = self.op("add", RegisterKind.INT, self.load(source, 0), ConstantOperand(1, RegisterKind.INT))
        self.act("copy", goal, source, self.op("shl", RegisterKind.INT, words, ConstantOperand(3, RegisterKind.INT)))

    # -- trying -------------------------------------------------------------------------------------------------------

    def mark(self) -> tuple[Any, ...]:
        """The state of the writing, for `reset`."""
        return (
            dict(self.names),
            self.out,
            len(self.out),
            [len(each.ways) for each in self.exits],
            len(self.used),
            self.size,
        )

    def reset(self, mark: tuple[Any, ...]) -> None:
        """Take back all that was written since the mark."""
        env, out, length, ways, used, self.size = mark
        del self.exits[len(ways) :]
        self.env, self.out = dict(env), out
        del out[length:]
        for goal, count in zip(self.exits, ways, strict=True):
            del goal.ways[count:]
        for each in self.used[used:]:
            each.is_used = False
        del self.used[used:]

    # -- where we are -------------------------------------------------------------------------------------------------

    def at(self, node: ast.AST) -> None:
        """Note the line being written."""
        self.frame.line = getattr(node, "lineno", self.frame.line)


def _same(left: Value | None, right: Value | None) -> bool:
    """Whether two values are one, so that ways that join need no cell for it."""
    if left is right:
        return True
    if isinstance(left, KnownObject) and isinstance(right, KnownObject):
        return left.value is right.value or type_of(left) == type_of(right)
    if isinstance(left, Register) or isinstance(right, Register):
        return left == right
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return (
            left.cls is right.cls and len(left.items) == len(right.items) and all(map(_same, left.items, right.items))
        )
    if isinstance(left, Array) and isinstance(right, Array):
        return left.address == right.address
    if isinstance(left, GrowingRow) and isinstance(right, GrowingRow):
        return left.address == right.address
    return False
