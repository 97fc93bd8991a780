"""Calls: functions, methods, built-ins, and own forms of the helpers on words of `board/bits.py`."""

import ast
import math
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, FunctionType
from typing import Any

from plyground.board import bits
from plyground.compiler import library
from plyground.compiler.builder import Exit
from plyground.compiler.expressions import Overflow, Uncovered
from plyground.compiler.form import ConstantOperand, Operand, Register, RegisterKind
from plyground.compiler.iteration import ROOM, IterationWriter
from plyground.compiler.types import (
    Array,
    Closure,
    GrowingRow,
    KnownObject,
    Lazy,
    Method,
    Mismatch,
    Perhaps,
    Tuple,
    Type,
    Value,
    as_value,
    constant,
    joined,
    kinds_of,
    type_of,
    value_of,
)
from plyground.search import memory as memories

MOST_OUT = 2_000
"""Most steps that a built-in on known values may take when compiling."""


class CallWriter(IterationWriter):
    """Writer of calls."""

    def specialised(self, function: Any, args: list[Value], names: dict[str, Value]) -> Value:
        """Result of a call of a function compiled for these arguments."""
        raise NotImplementedError

    has_deposit = False
    """Whether the processor deposits bits in one instruction."""

    def is_lazy(self, function: FunctionType) -> bool:
        """Whether a call gives something to walk: a generator, or what a function returns that is one."""
        raise NotImplementedError

    def call(self, node: ast.Call) -> Value:
        function = self.expr(node.func)
        args: list[Value] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                args += self.items(self.listed(self.expr(each.value)))
            else:
                args.append(self.expr(each))
        if any(each.arg is None for each in node.keywords):
            self.refuse("passes arguments by **; write them out")
        names = {each.arg: self.expr(each.value) for each in node.keywords if each.arg}
        self.at(node)
        return self.call_value(function, args, names)

    def call_value(self, function: Value, args: list[Value], names: dict[str, Value]) -> Value:
        """Result of a call."""
        match function:
            case Method(function=str() as name, owner=owner):
                return self.method(owner, name, args, names)
            case Method(function=inner, owner=owner):
                return self.call_value(KnownObject(inner), [owner, *args], names)
            case Closure():
                return self.inline(function, args, names)
            case KnownObject(value=FunctionType() as plain):
                if (own := OWN.get(plain)) is not None and (result := own(self, args)) is not None:
                    return result
                if self.is_lazy(plain):
                    return self.lazy("generator", plain, args, names)
                if not all(map(_has_type, [*args, *names.values()])):
                    return self.inline(plain, args, names)
                return self.specialised(plain, args, names)
            case KnownObject(value=type() as cls):
                return self.construct(cls, args, names)
            case KnownObject(value=thing):
                if hasattr(thing, "__func__") and hasattr(thing, "__self__"):
                    return self.call_value(KnownObject(thing.__func__), [KnownObject(thing.__self__), *args], names)
                if thing in BUILT_IN:
                    return BUILT_IN[thing](self, args, names)
                if isinstance(thing, BuiltinFunctionType):
                    self.refuse(f"calls {thing.__name__}, which compiled rules do not have")
        self.refuse(f"calls {self.said(function)}, which is no function of plain rules")

    def inline(self, function: Any, args: list[Value], names: dict[str, Value]) -> Value:
        """Result of a function that is written in the place of its call."""
        frame, node = self.frame_of(function)
        key = self.temporary()

        def write(leave: Exit) -> None:
            def on_return(value: Value) -> None:
                self.names[key] = value
                self.jump(leave)

            frame.on_return = on_return
            self.bind_parameters(node, frame, args, names)
            self.function_body(node)

        self.within(frame, lambda: self.block(write))
        return self.names.pop(key)

    def bind_parameters(self, node: Any, frame: Any, args: list[Value], names: dict[str, Value]) -> None:
        """Give the parameters of a function their values, in its frame."""
        for name, value in self.arguments(node, frame.function, args, names, is_inner=frame.parent is not None).items():
            self.names[frame.number, name] = value

    def arguments(
        self, node: Any, function: Any, args: list[Value], names: dict[str, Value], is_inner: bool = False
    ) -> dict[str, Value]:
        """The arguments of a call by the names of the parameters."""
        spec = node.args
        name = getattr(node, "name", "lambda")
        parameters = [each.arg for each in [*spec.posonlyargs, *spec.args]]
        found = dict(zip(parameters, args, strict=False))
        if spec.vararg:
            found[spec.vararg.arg] = self.tuple_of(args[len(parameters) :])
        elif len(args) > len(parameters):
            self.refuse(f"calls {name} with {len(args)} arguments; it takes {len(parameters)}")
        found |= names
        known = [*parameters, *(each.arg for each in spec.kwonlyargs)]
        if unknown := [each for each in names if each not in known]:
            self.refuse(f"calls {name} with {unknown[0]}=, which it does not take")
        if is_inner:
            nodes = dict(zip(parameters[len(parameters) - len(spec.defaults) :], spec.defaults, strict=True))
            defaults = {each: self.expr(value) for each, value in nodes.items() if each not in found}
        else:
            values = function.__defaults__ or ()
            defaults = {
                each: KnownObject(value)
                for each, value in zip(parameters[len(parameters) - len(values) :], values, strict=True)
            }
            defaults |= {each: KnownObject(value) for each, value in (function.__kwdefaults__ or {}).items()}
        for each in known:
            if each not in found:
                if each not in defaults:
                    self.refuse(f"calls {name} without {each}")
                found[each] = defaults[each]
        return found

    # -- classes ------------------------------------------------------------------------------------------------------

    def construct(self, cls: type, args: list[Value], names: dict[str, Value]) -> Value:
        """Result of a call of a class."""
        if cls in BUILT_IN:
            return BUILT_IN[cls](self, args, names)
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            fields = list(cls._fields)
            found = dict(zip(fields, args, strict=False)) | names
            for field, default in cls._field_defaults.items():  # type: ignore[attr-defined]
                found.setdefault(field, KnownObject(default))
            if len(args) > len(fields) or set(found) != set(fields):
                self.refuse(f"makes a {cls.__name__} without all its fields, {', '.join(fields)}")
            return self.tuple_of([self.kept(found[field]) for field in fields], cls)
        if all(isinstance(each, KnownObject) for each in [*args, *names.values()]) and issubclass(cls, BaseException):
            return KnownObject(cls(*[each.value for each in args if isinstance(each, KnownObject)]))
        self.refuse(f"makes a {cls.__name__}, which compiled rules do not know")

    def kept(self, value: Value) -> Value:
        """A value as an item of a tuple: a list that changes later is not taken, a range or generator neither."""
        if isinstance(value, Lazy):
            self.refuse("puts a generator into a state; make a tuple of it")
        if isinstance(value, GrowingRow) and value.shape != "tuple":
            self.refuse(f"puts a {value.shape} into a state; make a tuple of it")
        return value

    # -- methods of tuples, lists and ints ----------------------------------------------------------------------------

    def method(self, owner: Value, name: str, args: list[Value], names: dict[str, Value]) -> Value:
        """Result of a method that Python itself defines."""
        owner = self.given(owner)
        if isinstance(owner, KnownObject) and all(isinstance(each, KnownObject) for each in args):
            is_plain = name != "_replace" and name not in library_changes
            if is_plain and isinstance(owner.value, int | str | tuple | dict | list):
                try:
                    result = getattr(owner.value, name)(*[each.value for each in args if isinstance(each, KnownObject)])
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    self.fault(type(error), *error.args)
                return KnownObject(
                    tuple(result) if isinstance(owner.value, dict) and name in ("items", "keys", "values") else result
                )
        if isinstance(owner, KnownObject) and isinstance(owner.value, dict) and name == "get":
            default = args[1] if len(args) > 1 else KnownObject(None)
            return self.pick(
                self.contains(args[0], owner), lambda: self.looked_up(owner.value, args[0]), lambda: default
            )
        if name == "_replace":
            cls = (
                owner.cls
                if isinstance(owner, Tuple)
                else type(owner.value)
                if isinstance(owner, KnownObject)
                else tuple
            )
            fields: Sequence[str] = getattr(cls, "_fields", ())
            if unknown := [each for each in names if each not in fields]:
                self.refuse(f"replaces {unknown[0]}, which a {cls.__name__} does not have")
            items = dict(zip(fields, self.items(owner), strict=True)) | {each: self.kept(names[each]) for each in names}
            return self.tuple_of([items[field] for field in fields], cls)
        if name == "bit_count" and self.is_int(owner):
            return self.ones(self.magnitude(self.operand(owner, RegisterKind.INT)))
        if name == "bit_length" and self.is_int(owner):
            above = self.op("zeros_above", RegisterKind.INT, self.magnitude(self.operand(owner, RegisterKind.INT)))
            return self.op("sub", RegisterKind.INT, constant(64), above)
        if isinstance(owner, Lazy) and owner.kind == "bin":
            if name == "count" and isinstance(args[0], KnownObject) and args[0].value == "1":
                return self.ones(self.magnitude(self.operand(owner.parts[0], RegisterKind.INT)))
            self.refuse("works with text; of bin(x) compiled rules know .count('1') only")
        if name in ("count", "index") and not isinstance(owner, GrowingRow) and self.is_sequence(owner):
            return self.counted_or_found(name, owner, args[0])
        if isinstance(owner, GrowingRow):
            return self.row_method(owner, name, args, names)
        self.refuse(f"uses .{name} of {self.said(owner)}, which has no compiled form")

    def counted_or_found(self, name: str, owner: Value, item: Value) -> Value:
        found: Value = KnownObject(0)
        if name == "count":
            for each in self.items(owner):
                same = self.compared(ast.Eq, item, each)
                found = self.operate(
                    ast.Add,
                    found,
                    same if isinstance(same, KnownObject) else as_value(self.operand(same, RegisterKind.INT)),
                )
            return found
        items = self.items(owner)

        def rest(place: int) -> Value:
            if place == len(items):
                self.fault(ValueError, "the value is not in the tuple")
            return self.pick(
                self.compared(ast.Eq, items[place], item), lambda: KnownObject(place), lambda: rest(place + 1)
            )

        return rest(0)

    def magnitude(self, operand: Operand) -> Operand:
        """The absolute value, as an int without a sign."""
        minus = self.op("sub", RegisterKind.INT, constant(0), operand)
        return self.op(
            "select", RegisterKind.INT, self.op("lt", RegisterKind.BOOL, operand, constant(0)), minus, operand
        )

    def ones(self, operand: Operand) -> Value:
        return self.op("ones", RegisterKind.INT, operand)

    def row_method(self, row: GrowingRow, name: str, args: list[Value], names: dict[str, Value]) -> Value:
        if row.shape == "tuple":
            self.refuse(f"uses .{name} of a tuple whose length is not known")
        if name == "append" or (name == "add" and row.shape == "set"):
            self.append(row, args[0]) if name == "append" else self.add_to_set(row, args[0])
            return KnownObject(None)
        if name == "extend" or name == "update":
            self.iterate(
                args[0], set(), lambda item: self.append(row, item) if name == "extend" else self.add_to_set(row, item)
            )
            return KnownObject(None)
        if name == "clear":
            self.store(row.address, 0, constant(0))
            return KnownObject(None)
        if name == "copy":
            return self.row_of(row, row.shape, row.length)
        if name == "pop" and not args and row.shape == "list" and row.length is None:
            count = self.load(row.address, 0)
            self.fault_if(self.op("eq", RegisterKind.BOOL, count, constant(0)), IndexError, "pop from empty list")
            item = self.load(row.address, count)
            self.store(row.address, 0, self.op("sub", RegisterKind.INT, count, constant(1)))
            return item
        if name == "sort" and names:
            self.sort(row, names)
            return KnownObject(None)
        found = {
            "insert": library.insert,
            "remove": library.remove,
            "discard": library.discard,
            "index": library.index,
            "count": library.occurrences,
            "reverse": library.reverse,
            "sort": library.sort,
            "pop": library.remove_at,
        }.get(name)
        if found is None or (name == "pop" and row.shape == "set"):
            self.refuse(f"uses .{name} of a {row.shape}, which has no compiled form")
        return self.specialised(found, [row, *args], {})

    def sort(self, row: GrowingRow, names: dict[str, Value]) -> None:
        key, is_reversed = names.get("key", KnownObject(None)), self.truth(names.get("reverse", KnownObject(False)))
        keys = row if isinstance(key, KnownObject) and key.value is None else None
        copied = GrowingRow(self.slot(row.room + 1), row.room, "list", row.length)
        self.store(copied.address, 0, constant(0))
        counter = GrowingRow(copied.address, row.room, "list")
        self.iterate(row, set(), lambda item: self.append(counter, item if keys else self.call_value(key, [item], {})))
        self.specialised(library.sort_by, [row, copied, is_reversed], {})


library_changes = {
    "append",
    "pop",
    "insert",
    "extend",
    "remove",
    "clear",
    "sort",
    "reverse",
    "add",
    "discard",
    "update",
}


def _has_type(value: Value) -> bool:
    try:
        type_of(value)
    except Mismatch:
        return False
    return True


# -- built-ins --------------------------------------------------------------------------------------------------------

BuiltIn = Callable[[CallWriter, list[Value], dict[str, Value]], Value]


def _len(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    return w.length(args[0])


def _abs(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    if isinstance(args[0], KnownObject):
        return KnownObject(abs(args[0].value))
    if w.is_float(args[0]):
        w.refuse("takes abs of a float")
    operand = w.operand(args[0], RegisterKind.INT)
    minus = w.int_operation(ast.Sub, constant(0), operand)
    return w.selected(w.op("lt", RegisterKind.BOOL, operand, constant(0)), minus, as_value(operand))


def _extreme(op: type[ast.cmpop]) -> BuiltIn:
    def extreme(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
        key_of = names.get("key", KnownObject(None))

        def rank(item: Value) -> Value:
            return (
                item if isinstance(key_of, KnownObject) and key_of.value is None else w.call_value(key_of, [item], {})
            )

        def better(item: Value, ranked: Value, best: Value, best_rank: Value) -> tuple[Value, Value]:
            test = w.compared(op, ranked, best_rank)
            if ranked is item and best_rank is best:
                chosen = w.selected(test, item, best)
                return chosen, chosen
            pair = w.pick(test, lambda: w.tuple_of((item, ranked)), lambda: w.tuple_of((best, best_rank)))
            chosen, rank_ = w.items(pair)
            return chosen, rank_

        if len(args) > 1:
            best, best_rank = args[0], rank(args[0])
            for item in args[1:]:
                best, best_rank = better(item, rank(item), best, best_rank)
            return best
        source = args[0]
        if isinstance(source, KnownObject | Tuple) and w.size_of(source):
            return extreme(w, w.items(source), names) if (w.size_of(source) or 0) > 1 else w.items(source)[0]
        found, ranked_as = w.temporary(), w.temporary()
        w.names[found] = w.names[ranked_as] = KnownObject(None)

        def turn(item: Value) -> None:
            ranked = rank(item)
            best, best_rank = w.names[found], w.names[ranked_as]

            def replace() -> None:
                w.names[found], w.names[ranked_as] = item, ranked

            def compare() -> None:
                def is_better() -> Value:
                    assert (
                        isinstance(best_rank, Perhaps)
                        or not isinstance(best_rank, KnownObject)
                        or best_rank.value is not None
                    )
                    return w.compared(op, ranked, best_rank.value if isinstance(best_rank, Perhaps) else best_rank)

                w.choose(is_better(), replace, lambda: None)

            w.choose(w.compared(ast.Is, best, KnownObject(None)), replace, compare)

        w.iterate(source, {found, ranked_as}, turn)
        w.names.pop(ranked_as)
        best = w.names.pop(found)
        if "default" in names:
            empty = w.compared(ast.Is, best, KnownObject(None))
            return w.pick(empty, lambda: names["default"], lambda: best.value if isinstance(best, Perhaps) else best)
        w.fault_if(w.compared(ast.Is, best, KnownObject(None)), ValueError, "min() or max() of nothing")
        return best.value if isinstance(best, Perhaps) else best

    return extreme


def _sum(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    key = w.temporary()
    w.names[key] = args[1] if len(args) > 1 else names.get("start", KnownObject(0))

    def turn(item: Value) -> None:
        w.names[key] = w.operate(ast.Add, w.names[key], item)

    w.iterate(args[0], {key}, turn)
    return w.names.pop(key)


def _quantified(is_any: bool) -> BuiltIn:
    def quantified(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
        key = w.temporary()
        w.names[key] = KnownObject(not is_any)

        def body(leave: Exit) -> None:
            def turn(item: Value) -> None:
                def stop() -> None:
                    w.names[key] = KnownObject(is_any)
                    w.jump(leave)

                test = w.truth(item)
                w.choose(test, *((stop, lambda: None) if is_any else (lambda: None, stop)))

            w.iterate(args[0], set(), turn)

        before, w.collecting = w.collecting, False
        w.block(body)
        w.collecting = before
        return w.names.pop(key)

    return quantified


def _range(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    numbers = [w.given(each) for each in args]
    if not 1 <= len(numbers) <= 3 or not all(w.is_int(each) for each in numbers):
        w.refuse("makes a range of what are no ints")
    if len(numbers) == 1:
        numbers = [KnownObject(0), *numbers]
    start, stop, step = [*numbers, KnownObject(1)][:3]
    if isinstance(start, KnownObject) and isinstance(stop, KnownObject) and isinstance(step, KnownObject):
        return KnownObject(range(start.value, stop.value, step.value))
    return w.lazy("range", start, stop, step)


def _tuple(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    return w.listed(args[0]) if args else KnownObject(())


def _list(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    return w.listed(args[0], list) if args else KnownObject([])


def _set(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    return w.row_of(args[0] if args else KnownObject(()), "set")


def _sorted(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    source = w.listed(args[0])
    row = w.row_of(source, "list", w.size_of(source))
    if names:
        w.sort(row, names)
    else:
        w.specialised(library.sort, [row], {})
    return row


def _int(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    value = w.given(args[0]) if args else KnownObject(0)
    if isinstance(value, KnownObject):
        return KnownObject(int(value.value))
    if w.is_float(value):
        low, high = ConstantOperand(-9.2e18, RegisterKind.FLOAT), ConstantOperand(9.2e18, RegisterKind.FLOAT)
        operand = w.operand(value)
        inside = w.op(
            "both",
            RegisterKind.BOOL,
            w.op("fgt", RegisterKind.BOOL, operand, low),
            w.op("flt", RegisterKind.BOOL, operand, high),
        )
        w.fault_if(w.op("not", RegisterKind.BOOL, inside), Overflow)
        return w.op("truncated", RegisterKind.INT, operand)
    return as_value(w.operand(value, RegisterKind.INT))


def _bool(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    return w.truth(args[0]) if args else KnownObject(False)


def _float(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    return args[0] if w.is_float(args[0]) else w.exact_float(args[0])


def _divmod(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    if isinstance(args[0], KnownObject) and isinstance(args[1], KnownObject):
        return w.tuple_of([w.operate(op, args[0], args[1]) for op in (ast.FloorDiv, ast.Mod)])
    a, b = (w.operand(each, RegisterKind.INT) for each in args)
    return w.tuple_of(w.divided(a, b))


def _pow(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    return w.operate(ast.Pow, args[0], args[1])


def _next(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    if not isinstance(args[0], Lazy):
        w.refuse(f"takes the next of {w.said(args[0])}")
    key = w.temporary()

    def body(leave: Exit) -> None:
        def turn(item: Value) -> None:
            w.names[key] = item
            w.jump(leave)

        w.iterate(args[0], set(), turn)
        if len(args) > 1:
            w.names[key] = args[1]
        else:
            w.fault(StopIteration)

    w.block(body)
    return w.names.pop(key)


def _isinstance(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
    value, cls = args
    if not isinstance(cls, KnownObject):
        w.refuse("asks isinstance of a class that is not known")
    if isinstance(value, KnownObject):
        return KnownObject(isinstance(value.value, cls.value))
    classes = cls.value if isinstance(cls.value, tuple) else (cls.value,)
    own = value.cls if isinstance(value, Tuple) else tuple if isinstance(value, Array) else None
    if isinstance(value, Register):
        own = {RegisterKind.INT: int, RegisterKind.BOOL: bool, RegisterKind.FLOAT: float}.get(value.kind)
    if own is None:
        w.refuse(f"asks isinstance of {w.said(value)}")
    return KnownObject(issubclass(own, classes))


def _math(op: str, plain: Callable[[float], float]) -> BuiltIn:
    def write(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
        if isinstance(args[0], KnownObject):
            return KnownObject(plain(args[0].value))
        operand = w.operand(args[0] if w.is_float(args[0]) else w.exact_float(args[0]), RegisterKind.FLOAT)
        zero = ConstantOperand(0.0, RegisterKind.FLOAT)
        w.fault_if(
            w.op("flt" if op == "sqrt" else "fle", RegisterKind.BOOL, operand, zero), ValueError, "math domain error"
        )
        return w.op(op, RegisterKind.FLOAT, operand)

    return write


def _plain(function: Callable[..., Any]) -> BuiltIn:
    """A built-in for known values only."""

    def write(w: CallWriter, args: list[Value], names: dict[str, Value]) -> Value:
        if not all(isinstance(each, KnownObject) for each in args):
            w.refuse(f"calls {function.__name__} with what is not known when compiling")
        return KnownObject(function(*[each.value for each in args if isinstance(each, KnownObject)]))

    return write


BUILT_IN: dict[Any, BuiltIn] = {
    len: _len,
    abs: _abs,
    min: _extreme(ast.Lt),
    max: _extreme(ast.Gt),
    sum: _sum,
    any: _quantified(True),
    all: _quantified(False),
    range: _range,
    tuple: _tuple,
    list: _list,
    set: _set,
    frozenset: _set,
    sorted: _sorted,
    int: _int,
    bool: _bool,
    float: _float,
    divmod: _divmod,
    pow: _pow,
    next: _next,
    iter: lambda w, args, names: args[0],
    isinstance: _isinstance,
    enumerate: lambda w, args, names: w.lazy(
        "enumerate", args[0], args[1] if len(args) > 1 else names.get("start", KnownObject(0))
    ),
    zip: lambda w, args, names: w.lazy("zip", args),
    reversed: lambda w, args, names: w.lazy("reversed", args[0]),
    map: lambda w, args, names: w.lazy("map", args[0], args[1:]),
    filter: lambda w, args, names: w.lazy("filter", args[0], args[1]),
    bin: lambda w, args, names: w.lazy("bin", args[0]),
    ord: _plain(ord),
    chr: _plain(chr),
    hash: _plain(hash),
    math.sqrt: _math("sqrt", math.sqrt),
    math.log: _math("log", math.log),
}


# -- own forms of helpers ---------------------------------------------------------------------------------------------

OwnForm = Callable[[CallWriter, list[Value]], Value | None]
"""Writes a call, or gives None where the plain function serves."""


def _words(w: CallWriter, value: Value) -> list[Operand]:
    return [w.operand(item, RegisterKind.INT) for item in w.items(value)]


def _lowest(w: CallWriter, args: list[Value]) -> Value | None:
    return (
        None
        if isinstance(args[0], KnownObject)
        else w.op("zeros_below", RegisterKind.INT, w.operand(args[0], RegisterKind.INT))
    )


def _count(w: CallWriter, args: list[Value]) -> Value | None:
    return (
        KnownObject(args[0].value.bit_count())
        if isinstance(args[0], KnownObject)
        else w.ones(w.operand(args[0], RegisterKind.INT))
    )


def _nth(w: CallWriter, args: list[Value]) -> Value | None:
    if not w.has_deposit:
        return None
    alone = w.op("shl", RegisterKind.INT, constant(1), w.operand(args[1], RegisterKind.INT))
    return w.op(
        "zeros_below", RegisterKind.INT, w.op("deposit", RegisterKind.INT, alone, w.operand(args[0], RegisterKind.INT))
    )


def _with_word(w: CallWriter, args: list[Value]) -> Value | None:
    container, index = w.given(args[0]), w.given(args[1])
    if isinstance(index, KnownObject):
        items = w.items(container)
        if not 0 <= index.value < len(items):
            return None
        items[index.value] = args[2]
        return w.tuple_of(items)
    if w.size_of(container) is None:
        return None
    at, length = w.operand(index, RegisterKind.INT), w.size_of(container) or 0
    inside = w.op("below", RegisterKind.BOOL, at, constant(length))
    w.fault_if(w.op("not", RegisterKind.BOOL, inside), Uncovered, "an item beyond the end of a tuple is replaced")
    return w.with_item(container, at, args[2])


def _by_word(op: str, inverts: bool = False) -> OwnForm:
    def write(w: CallWriter, args: list[Value]) -> Value | None:
        left, right = _words(w, args[0]), _words(w, args[1])
        if len(left) != len(right):
            return None
        results = []
        for a, b in zip(left, right, strict=True):
            second = w.op("xor", RegisterKind.INT, b, constant(-1)) if inverts else b
            results.append(w.op(op, RegisterKind.INT, a, second))
        return w.tuple_of(results)

    return write


def _shifted(upward: bool) -> OwnForm:
    """Each new word takes its parts from two old ones, chosen by the distance; of a known one nothing is left."""

    def write(w: CallWriter, args: list[Value]) -> Value | None:
        words = _words(w, args[0])
        mask: Operand = constant(bits.WORD_MASK)
        zero: Operand = constant(0)
        near = far = zero
        if len(words) == 1:
            by = args[1]
            if upward:
                moved = w.operate(ast.LShift, as_value(words[0]), by, low=bits.WORD)
                return w.tuple_of([w.op("and", RegisterKind.INT, w.operand(moved, RegisterKind.INT), mask)])
            return w.tuple_of([w.operate(ast.RShift, as_value(words[0]), by)])
        if isinstance(args[1], KnownObject):
            skip, rest = divmod(args[1].value, bits.WORD)
            if args[1].value < 0:
                return None

            def at_known(index: int) -> Operand:
                return words[index] if 0 <= index < len(words) else zero

            results: list[Value] = []
            for index in range(len(words)):
                near = at_known(index - skip if upward else index + skip)
                far = at_known(index - skip - 1 if upward else index + skip + 1)
                results.append(as_value(_joined_parts(w, near, far, constant(rest), upward, mask)))
            return w.tuple_of(results)
        by_operand = w.operand(args[1], RegisterKind.INT)
        w.fault_if(w.op("lt", RegisterKind.BOOL, by_operand, zero), ValueError, "negative shift count")
        skip_operand, rest_operand = (
            w.operand(each, RegisterKind.INT) for each in w.divided(by_operand, constant(bits.WORD))
        )
        row = list(words)
        near_words, far_words = [], []
        for index in range(len(words)):
            near = far = zero
            for skip in range(len(words) - 1, -1, -1):
                here = w.op("eq", RegisterKind.BOOL, skip_operand, constant(skip))
                source = index - skip if upward else index + skip
                beyond = source - 1 if upward else source + 1
                near = w.op("select", RegisterKind.INT, here, row[source] if 0 <= source < len(row) else zero, near)
                far = w.op("select", RegisterKind.INT, here, row[beyond] if 0 <= beyond < len(row) else zero, far)
            near_words.append(near)
            far_words.append(far)
        return w.tuple_of(
            [
                as_value(_joined_parts(w, near, far, rest_operand, upward, mask))
                for near, far in zip(near_words, far_words, strict=True)
            ]
        )

    return write


def _joined_parts(w: CallWriter, near: Operand, far: Operand, rest: Operand, upward: bool, mask: Operand) -> Operand:
    """A word from two: the near one shifted by the rest, and what the far one leaves; words have 63 bits."""
    back = (
        w.op("sub", RegisterKind.INT, constant(bits.WORD), rest)
        if isinstance(rest, Register)
        else constant(bits.WORD - int(rest.value))
    )
    whole = w.op("shl" if upward else "ushr", RegisterKind.INT, near, rest)
    part = w.op("ushr" if upward else "shl", RegisterKind.INT, far, back)
    return w.op("and", RegisterKind.INT, w.op("or", RegisterKind.INT, whole, part), mask)


def _with_member(w: CallWriter, args: list[Value]) -> Value | None:
    words, member = _words(w, args[0]), w.operand(args[1], RegisterKind.INT)
    results: list[Value] = []
    for index, word in enumerate(words):
        place = w.op("sub", RegisterKind.INT, member, constant(index * bits.WORD)) if index else member
        bit = w.op("shl", RegisterKind.INT, constant(1), w.op("and", RegisterKind.INT, place, constant(63)))
        here = w.op("below", RegisterKind.BOOL, place, constant(bits.WORD if len(words) > 1 else 63))
        results.append(w.op("or", RegisterKind.INT, word, w.op("select", RegisterKind.INT, here, bit, constant(0))))
    if len(words) == 1:
        inside = w.op("below", RegisterKind.BOOL, member, constant(63))
        w.fault_if(w.op("not", RegisterKind.BOOL, inside), Overflow)
    return w.tuple_of(results)


def _some(w: CallWriter, args: list[Value]) -> Value | None:
    words = _words(w, args[0])
    seen = words[0]
    for word in words[1:]:
        seen = w.op("or", RegisterKind.INT, seen, word)
    return w.op("ne", RegisterKind.BOOL, seen, constant(0))


def _size(w: CallWriter, args: list[Value]) -> Value | None:
    total: Operand = constant(0)
    for word in _words(w, args[0]):
        total = w.op("add", RegisterKind.INT, total, w.operand(w.ones(word)))
    return as_value(total)


def _mixed(w: CallWriter, args: list[Value]) -> Value | None:
    factor = 0x9E3779B97F4A7C15 - (1 << 64)
    product = w.op(
        "mul", RegisterKind.INT, w.op("xor", RegisterKind.INT, *(w.word(each, 64) for each in args)), constant(factor)
    )
    return w.op("xor", RegisterKind.INT, product, w.op("ushr", RegisterKind.INT, product, constant(32)))


def _flat(w: CallWriter, args: list[Value]) -> Value | None:
    def ints(value: Value) -> list[Value]:
        if isinstance(value, Tuple | Array) or (isinstance(value, KnownObject) and isinstance(value.value, tuple)):
            return [each for item in w.items(value) for each in ints(item)]
        return [value]

    return w.tuple_of(ints(args[0]))


def _filled_from(w: CallWriter, kind: Type, address: Operand, place: list[int]) -> Value:
    from plyground.compiler.types import ArrayType, KnownType, TupleType, widened

    kind = widened(kind)
    if isinstance(kind, TupleType):
        return w.tuple_of([_filled_from(w, item, address, place) for item in kind.items], kind.cls)
    if isinstance(kind, ArrayType):
        return w.tuple_of([_filled_from(w, RegisterKind.INT, address, place) for _ in range(kind.length)])
    assert not isinstance(kind, KnownType)
    place[0] += 1
    word = w.op("load_shared", RegisterKind.INT, w.place(address, place[0] - 1))
    return as_value(w.operand(word, RegisterKind.BOOL)) if kind is RegisterKind.BOOL else word


def _read_state(w: CallWriter, args: list[Value]) -> Value | None:
    address = w.place(w.operand(args[0], RegisterKind.ADDRESS), w.operand(args[1], RegisterKind.INT))
    return _filled_from(w, type_of(args[2]), address, [0])


def _prefetch(w: CallWriter, args: list[Value]) -> Value | None:
    w.act("prefetch", w.place(w.operand(args[0], RegisterKind.ADDRESS), w.operand(args[1], RegisterKind.INT)))
    return KnownObject(None)


OWN: dict[Any, OwnForm] = {
    bits.lowest: _lowest,
    bits.count: _count,
    bits.nth: _nth,
    bits.with_word: _with_word,
    bits.with_member: _with_member,
    bits.union: _by_word("or"),
    bits.common: _by_word("and"),
    bits.without: _by_word("and", inverts=True),
    bits.shifted_down: _shifted(upward=False),
    bits.shifted_up: _shifted(upward=True),
    bits.some: _some,
    bits.size: _size,
    bits.mixed: _mixed,
    bits.flat: _flat,
    memories.read_state: _read_state,
    memories.prefetch: _prefetch,
}
"""Own forms of plain functions: instructions of the processor, words without ints of any size, hashes that wrap."""

__all__ = ["BUILT_IN", "OWN", "ROOM", "CallWriter", "joined", "kinds_of", "value_of"]
