"""Iteration: what is walked is put into the loop that walks it.

A generator is never an object. Its body is written in the place of the loop, and each `yield` is the loop's body: so it
stays lazy, and costs no more than the loop by hand. A loop over few known items is written out, its variable then a
known one, if that makes it no larger than `LARGE`; a longer one, or one of unknown length, counts.
"""

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from plyground.compiler.builder import Exit, Frame, Key
from plyground.compiler.expressions import ExpressionWriter, Uncovered
from plyground.compiler.form import Operand, Register, RegisterKind
from plyground.compiler.source import Facts, FunctionNode, NoSource, facts_of, node_of
from plyground.compiler.types import (
    SHORT,
    Array,
    Closure,
    GrowingRow,
    KnownChoice,
    KnownObject,
    Lazy,
    Tuple,
    Value,
    as_value,
    constant,
)

WRITTEN_OUT: Final = 16
"""Most turns of a loop that is written out."""
LARGE: Final = 1_500
"""Instructions that a loop which is written out may have."""
ROOM: Final = 512
"""Ints for which a list has room."""
DEEPEST: Final = 40
"""Functions put into one another at most: a generator that walks itself would never end."""


class NotFixed(Exception):
    """How many items there are is not known when compiling."""


class IterationWriter(ExpressionWriter):
    """Writer of loops over anything that can be walked."""

    collecting = False

    def new_frame(self, facts: Facts | None, file: str, function: Any, parent: Frame | None = None) -> Frame:
        return Frame(self.number(), facts, file, function, parent)

    def bind_parameters(self, node: FunctionNode, frame: Frame, args: list[Value], names: dict[str, Value]) -> None:
        raise NotImplementedError

    def statements(self, body: list[ast.stmt]) -> None:
        raise NotImplementedError

    def bind(self, target: ast.expr, value: Value) -> None:
        raise NotImplementedError

    def lazy(self, kind: str, *parts: Any) -> Lazy:
        return Lazy(kind, parts, self.depth)

    # -- walking ------------------------------------------------------------------------------------------------------

    def iterate(self, value: Value, carried: set[Key], body: Callable[[Value], None]) -> None:
        """Write the body for each item of an iterable.

        Args:
            value: the iterable.
            carried: names that the body may set.
            body: writes one turn, given its item.
        """
        match self.given(value):
            case KnownObject(value=set() | frozenset()):
                self.refuse("walks a set, whose order is not told; walk a tuple")
            case KnownObject(value=tuple() | list() | dict() | range() as items):
                self.walk_known(list(items), carried, body)
            case Tuple(items=parts):
                self.walk_parts(list(parts), carried, body)
            case Array(address=address, length=length):
                if self.collecting:
                    self.walk_parts([self.load(address, index) for index in range(length)], carried, body)
                else:
                    self.walk_count(
                        KnownObject(0),
                        KnownObject(length),
                        1,
                        carried,
                        lambda i: body(self.load(address, self.operand(i))),
                    )
            case GrowingRow(shape="set"):
                self.refuse("walks a set, whose order is not told; walk a list or a tuple")
            case GrowingRow() as row:
                self.walk_row(row, carried, body)
            case KnownChoice() as chosen:
                self.walk_chosen(chosen, carried, body)
            case Lazy() as lazy:
                self.walk_lazy(lazy, carried, body)
            case other:
                self.refuse(f"walks {self.said(other)}, which is no tuple, list, range or generator")

    def walk_lazy(self, lazy: Lazy, carried: set[Key], body: Callable[[Value], None]) -> None:
        if lazy.kind != "range":
            if lazy.is_used or lazy.depth != self.depth:
                self.refuse("walks a generator that may have been walked before; make it anew where it is walked")
            lazy.is_used = True
            self.used.append(lazy)
        parts = lazy.parts
        match lazy.kind:
            case "range":
                start, stop, step = parts
                if all(isinstance(part, KnownObject) for part in parts):
                    self.walk_known_range(range(start.value, stop.value, step.value), carried, body)
                else:
                    self.walk_range(start, stop, step, carried, body)
            case "generator":
                self.generate(parts[0], parts[1], parts[2], carried, body)
            case "comprehension":
                node, frame = parts
                self.walk_comprehension(node, frame, carried, body)
            case "enumerate":
                self.walk_counted(parts[0], parts[1], carried, lambda at, item: body(self.tuple_of((at, item))))
            case "map":
                function, iterables = parts
                source = iterables[0] if len(iterables) == 1 else self.lazy("zip", iterables)

                def result(item: Value) -> Value:
                    args = [item] if len(iterables) == 1 else self.items(item)
                    return self.apart(lambda: self.call_value(function, args, {}))

                self.iterate(source, carried, lambda item: body(result(item)))
            case "filter":
                function, iterable = parts

                def some(item: Value) -> None:
                    is_bare = isinstance(function, KnownObject) and function.value is None
                    test = self.truth(item if is_bare else self.apart(lambda: self.call_value(function, [item], {})))
                    if self.collecting and not isinstance(test, KnownObject):
                        raise NotFixed
                    self.choose(test, lambda: body(item), lambda: None)

                self.iterate(iterable, carried, some)
            case "zip":
                self.walk_zip(parts[0], carried, body)
            case "reversed":
                self.walk_reversed(parts[0], carried, body)

    def walk_parts(self, parts: list[Value], carried: set[Key], body: Callable[[Value], None]) -> None:
        for part in parts:
            body(part)

    def walk_known(self, items: list[Any], carried: set[Key], body: Callable[[Value], None]) -> None:
        few = len(items) <= WRITTEN_OUT
        if self.collecting or (few and self.tried(items, body)):
            if self.collecting:
                self.walk_parts([KnownObject(item) for item in items], carried, body)
            return
        self.walk_count(
            KnownObject(0),
            KnownObject(len(items)),
            1,
            carried,
            lambda i: body(self.table(items, self.operand(i, RegisterKind.INT))),
        )

    def walk_known_range(self, items: range, carried: set[Key], body: Callable[[Value], None]) -> None:
        if self.collecting:
            if len(items) > ROOM:
                raise NotFixed
            self.walk_parts([KnownObject(item) for item in items], carried, body)
        elif len(items) > WRITTEN_OUT or not self.tried(list(items), body):
            self.walk_range(KnownObject(items.start), KnownObject(items.stop), KnownObject(items.step), carried, body)

    def tried(self, items: list[Any], body: Callable[[Value], None]) -> bool:
        """Write a loop out, turn by turn; take it back, and return False, if it gets too large."""
        mark, size = self.mark(), self.size
        turns = len(items)
        for item in items:
            try:
                body(KnownObject(item))
            except NotFixed:
                raise
            if self.env is None:
                break
            if self.size - size > LARGE:
                self.reset(mark)
                return False
        del turns
        return True

    def walk_range(
        self, start: Value, stop: Value, step: Value, carried: set[Key], body: Callable[[Value], None]
    ) -> None:
        if isinstance(step, KnownObject):
            if step.value == 0:
                self.fault(ValueError, "range() arg 3 must not be zero")
            self.walk_count(start, stop, step.value, carried, body)
            return
        self.fault_if(self.compared(ast.Eq, step, KnownObject(0)), ValueError, "range() arg 3 must not be zero")
        self.walk_count(start, stop, step, carried, body)

    def walk_count(
        self, start: Value, stop: Value, step: "int | Value", carried: set[Key], body: Callable[[Value], None]
    ) -> None:
        """Write a loop that counts."""
        if self.collecting:
            raise NotFixed
        key = self.temporary()
        self.names[key] = as_value(self.operand(start, RegisterKind.INT))
        end = self.operand(stop, RegisterKind.INT)
        width = constant(step) if isinstance(step, int) else self.operand(step, RegisterKind.INT)
        upward = None if isinstance(width, Register) else width.value > 0

        def turns(leave: Exit) -> None:
            def turn() -> None:
                at = self.operand(self.names[key], RegisterKind.INT)
                if upward is None:
                    is_up = self.op("gt", RegisterKind.BOOL, width, constant(0))
                    less, more = self.op("lt", RegisterKind.BOOL, at, end), self.op("gt", RegisterKind.BOOL, at, end)
                    goes_on = self.op("select", RegisterKind.BOOL, is_up, less, more)
                else:
                    goes_on = self.op("lt" if upward else "gt", RegisterKind.BOOL, at, end)
                self.choose(goes_on, lambda: None, lambda: self.jump(leave))
                body(as_value(at))
                if self.env is not None:
                    near = isinstance(width, Register) or abs(width.value) > 1
                    fault = self.fault_number(Uncovered, ("a range ends beyond 64 bits",)) if near else 0
                    self.names[key] = self.op("add", RegisterKind.INT, at, width, fault=fault)

            self.loop({*carried, key}, turn)

        self.block(turns)
        if self.env is not None:
            self.env.pop(key, None)

    def walk_row(self, row: GrowingRow, carried: set[Key], body: Callable[[Value], None]) -> None:
        """Walk a list, whose length is read anew each time: the body may change it."""
        if self.collecting:
            raise NotFixed
        key = self.temporary()
        self.names[key] = as_value(self.op("add", RegisterKind.INT, constant(0), constant(0)))

        def turns(leave: Exit) -> None:
            def turn() -> None:
                at = self.operand(self.names[key], RegisterKind.INT)
                goes_on = self.op("lt", RegisterKind.BOOL, at, self.load(row.address, 0))
                self.choose(goes_on, lambda: None, lambda: self.jump(leave))
                next_at = self.op("add", RegisterKind.INT, at, constant(1))
                body(self.load(row.address, next_at))
                if self.env is not None:
                    self.names[key] = next_at

            self.loop({*carried, key}, turn)

        self.block(turns)
        if self.env is not None:
            self.env.pop(key, None)

    def walk_chosen(self, chosen: KnownChoice, carried: set[Key], body: Callable[[Value], None]) -> None:
        """Walk one of several rows: a part of all of them behind each other."""
        rows = [list(option) for option in chosen.options]
        ends = [sum(map(len, rows[: place + 1])) for place in range(len(rows))]
        starts = [0, *ends[:-1]]
        flat = [item for row in rows for item in row]
        start, end = self.table(starts, chosen.at), self.table(ends, chosen.at)
        self.walk_count(start, end, 1, carried, lambda at: body(self.table(flat, self.operand(at, RegisterKind.INT))))

    def walk_counted(self, value: Value, start: Value, carried: set[Key], body: Callable[[Value, Value], None]) -> None:
        """Walk with a count that begins at `start`."""
        key = self.temporary()
        self.names[key] = start

        def each(item: Value) -> None:
            at = self.names[key]
            self.names[key] = self.operate(ast.Add, at, KnownObject(1))
            body(at, item)

        self.iterate(value, {*carried, key}, each)
        if self.env is not None:
            self.env.pop(key, None)

    def walk_zip(self, iterables: list[Value], carried: set[Key], body: Callable[[Value], None]) -> None:
        parts = [self.indexed(each) for each in iterables]
        if not parts:
            return
        lengths = [self.length(part) for part in parts]
        if all(isinstance(length, KnownObject) for length in lengths):
            least = min(length.value for length in lengths if isinstance(length, KnownObject))
            if least <= WRITTEN_OUT or self.collecting:
                for at in range(least):
                    body(self.tuple_of([self.item_of(part, KnownObject(at)) for part in parts]))
                return
        least_value = lengths[0]
        for length in lengths[1:]:
            least_value = self.selected(self.compared(ast.Lt, length, least_value), length, least_value)
        self.walk_count(
            KnownObject(0),
            least_value,
            1,
            carried,
            lambda at: body(self.tuple_of([self.item_of(each, at) for each in parts])),
        )

    def indexed(self, value: Value) -> Value:
        """An iterable in a form of which items are taken by place."""
        value = self.given(value)
        return (
            value
            if self.is_sequence(value) or (isinstance(value, Lazy) and value.kind == "range")
            else self.listed(value)
        )

    def item_of(self, value: Value, at: Value) -> Value:
        if isinstance(value, Lazy):
            start, _, step = value.parts
            return self.operate(ast.Add, start, self.operate(ast.Mult, at, step))
        return self.item(value, at)

    def walk_reversed(self, value: Value, carried: set[Key], body: Callable[[Value], None]) -> None:
        value = self.indexed(value)
        length = self.length(value)
        if isinstance(length, KnownObject) and length.value <= WRITTEN_OUT:
            for at in range(length.value - 1, -1, -1):
                body(self.item_of(value, KnownObject(at)))
            return
        last = self.operate(ast.Sub, length, KnownObject(1))
        self.walk_count(last, KnownObject(-1), -1, carried, lambda at: body(self.item_of(value, at)))

    def length(self, value: Value) -> Value:
        """How many items an iterable of known or stored length has."""
        value = self.given(value)
        match value:
            case KnownObject():
                try:
                    return KnownObject(len(value.value))
                except TypeError as error:
                    self.fault(TypeError, *error.args)
            case Tuple() | Array() | GrowingRow(length=int()):
                return KnownObject(self.size_of(value))
            case GrowingRow():
                return self.load(value.address, 0)
            case KnownChoice():
                return self.of_options(value, len)
            case Lazy(kind="range", parts=(start, stop, step)):
                if isinstance(start, KnownObject) and isinstance(stop, KnownObject) and isinstance(step, KnownObject):
                    return KnownObject(len(range(start.value, stop.value, step.value)))
                if isinstance(step, KnownObject):
                    sign = 1 if step.value > 0 else -1
                    apart = self.operate(ast.Sub, stop, start) if sign > 0 else self.operate(ast.Sub, start, stop)
                    rounded = self.operate(ast.Add, apart, KnownObject(abs(step.value) - 1))
                    turns = self.operate(ast.FloorDiv, rounded, KnownObject(abs(step.value)))
                    return self.selected(self.compared(ast.Gt, turns, KnownObject(0)), turns, KnownObject(0))
        if isinstance(value, Lazy) and value.kind in ("generator", "comprehension", "map", "filter"):
            self.refuse("takes the length of a generator, which has none; count its items, or make a list of it")
        self.refuse(f"takes the length of {self.said(value)}")

    def apart(self, make: Callable[[], Value]) -> Value:
        """A value within an item of what is collected, whose own loops are loops like any other."""
        before, self.collecting = self.collecting, False
        try:
            return make()
        finally:
            self.collecting = before

    # -- generators and comprehensions --------------------------------------------------------------------------------

    def generate(
        self,
        function: Any,
        args: list[Value],
        names: dict[str, Value],
        carried: set[Key],
        body: Callable[[Value], None],
    ) -> None:
        """Write the body of a generator with another body for each `yield`; what a plain function returns is walked."""
        if self.collecting:
            raise NotFixed
        frame, node = self.frame_of(function)
        consumer = self.frame

        def give(item: Value) -> None:
            inner, self.frame = self.frame, consumer
            try:
                body(item)
            finally:
                self.frame = inner

        frame.on_yield, frame.carried = give, set(carried)
        is_generator = frame.facts is not None and frame.facts.is_generator

        def write(leave: Exit) -> None:
            def on_return(value: Value) -> None:
                if not is_generator:
                    self.iterate(value, carried, give)
                self.jump(leave)

            frame.on_return = on_return
            self.bind_parameters(node, frame, args, names)
            self.function_body(node)

        self.within(frame, lambda: self.block(write))

    def frame_of(self, function: Any) -> tuple[Frame, FunctionNode]:
        """A new frame for a function, and its syntax."""
        if sum(frame.facts is not None for frame in self.frames) > DEEPEST:
            self.refuse("calls a generator, or a function within a function, that calls itself")
        if isinstance(function, Closure):
            node = function.node
            frame = self.new_frame(facts_of(node), function.frame.file, function.frame.function, function.frame)
            frame.own = {each.arg for each in [*node.args.args, *node.args.kwonlyargs]}
            frame.own |= frame.facts.assigned if frame.facts else set()
            return frame, node
        try:
            node = node_of(function)
        except NoSource:
            self.refuse(f"calls {getattr(function, '__name__', function)}, whose source is not to be had")
        frame = self.new_frame(facts_of(node), function.__code__.co_filename, function)
        frame.node = node
        return frame, node

    def function_body(self, node: FunctionNode) -> None:
        if isinstance(node, ast.Lambda):
            self.frame.on_return(self.expr(node.body))
        else:
            self.statements(node.body)
            if self.env is not None:
                self.frame.on_return(KnownObject(None))

    def within(self, frame: Frame, write: Callable[[], None]) -> None:
        """Write something in another frame."""
        outer, self.frame = self.frame, frame
        self.frames.append(frame)
        try:
            write()
        finally:
            self.frames.remove(frame)
            self.frame = outer
        if self.env is not None:
            for key in [key for key in self.env if key[0] == frame.number]:
                del self.env[key]

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Value:
        lazy = self.lazy("comprehension", node, self.frame)
        if isinstance(node, ast.ListComp):
            return self.listed(lazy, list)
        if isinstance(node, ast.SetComp):
            return self.row_of(lazy, "set")
        return lazy

    def walk_comprehension(
        self,
        node: ast.ListComp | ast.GeneratorExp | ast.SetComp,
        outer: Frame,
        carried: set[Key],
        body: Callable[[Value], None],
    ) -> None:
        frame = self.new_frame(None, outer.file, outer.function, outer)
        consumer = self.frame

        def clause(place: int) -> None:
            if place == len(node.generators):
                value = self.apart(lambda: self.expr(node.elt))
                inner, self.frame = self.frame, consumer
                try:
                    body(value)
                finally:
                    self.frame = inner
                return
            each = node.generators[place]
            if place == 0:
                self.frame = outer
                try:
                    iterable = self.apart(lambda: self.expr(each.iter))
                finally:
                    self.frame = frame
            else:
                iterable = self.apart(lambda: self.expr(each.iter))
            own = {name.id for name in ast.walk(each.target) if isinstance(name, ast.Name)}
            frame.own |= own

            def turn(item: Value) -> None:
                self.bind(each.target, item)
                conditions(0)
                if self.env is not None:  # the next item binds them anew, so that no join need carry them
                    for name in own:
                        self.env.pop((frame.number, name), None)

            def conditions(at: int) -> None:
                if at == len(each.ifs):
                    clause(place + 1)
                    return
                test = self.apart(lambda: self.test(each.ifs[at]))
                if self.collecting and not isinstance(test, KnownObject):
                    raise NotFixed
                self.choose(test, lambda: conditions(at + 1), lambda: None)

            self.iterate(iterable, carried, turn)

        frame.line = node.lineno
        self.within(frame, lambda: clause(0))

    # -- tuples and lists made of iterables ---------------------------------------------------------------------------

    def listed(self, value: Value, cls: type = tuple) -> Value:
        """An iterable as a tuple or list: of known length if it has one, else a row that grows."""
        value = self.given(value)
        if isinstance(value, GrowingRow):
            if value.length is not None:
                return self.tuple_of(self.items(value), cls)
            return self.row_of(value, cls.__name__)
        if not isinstance(value, Lazy):
            if isinstance(value, KnownObject):
                return KnownObject(cls(value.value))
            return value if isinstance(value, Array) else self.tuple_of(self.items(value), cls)
        if (fixed := self.fixed_items(value)) is not None:
            return self.tuple_of(fixed, cls)
        return self.row_of(value, cls.__name__)

    def fixed_items(self, lazy: Lazy) -> list[Value] | None:
        """The items of an iterable if their number is known, each written here."""
        if lazy.kind == "generator" or any(isinstance(part, Lazy) and part.kind == "generator" for part in lazy.parts):
            return None
        mark, before = self.mark(), self.collecting
        state = self.frame, list(self.frames), self.depth
        items: list[Value] = []
        self.collecting = True

        def take(item: Value) -> None:
            items.append(item)
            if len(items) > ROOM:
                raise NotFixed

        try:
            self.iterate(lazy, set(), take)
        except NotFixed:
            self.reset(mark)
            self.frame, self.frames, self.depth = state
            lazy.is_used = False
            return None
        finally:
            self.collecting = before
        return items

    def row_of(self, value: Value, shape: str = "list", length: int | None = None) -> GrowingRow:
        """An iterable of ints as a list in memory of its own."""
        if length is not None:
            address = self.slot(length + 1)
            self.store(address, 0, constant(length))
            source, _ = self.address_of(value)
            self.act("copy", self.place(address, 1), source, constant(8 * length))
            return GrowingRow(address, length, shape, length)
        row = GrowingRow(self.slot(ROOM + 1), ROOM, shape)
        before, self.collecting = self.collecting, False
        self.store(row.address, 0, constant(0))
        if shape == "set":
            self.iterate(value, set(), lambda item: self.add_to_set(row, item))
        else:
            self.iterate(value, set(), lambda item: self.append(row, item))
        self.collecting = before
        return row

    def add_to_set(self, row: GrowingRow, item: Value) -> None:
        found = self.contains(item, row)
        self.choose(found, lambda: None, lambda: self.append(row, item))

    def append(self, row: GrowingRow, item: Value) -> None:
        """Put an int behind a list."""
        if row.length is not None:
            self.refuse("appends to a list that was made elsewhere with a fixed length; make a new list of it first")
        if not self.is_int(item):
            self.refuse(f"puts {self.said(item)} into a list; lists hold ints")
        count: Operand = self.load(row.address, 0)
        full = self.op("ge", RegisterKind.BOOL, count, constant(row.room))
        self.fault_if(full, Uncovered, f"a list of more than {row.room} items")
        behind = self.op("add", RegisterKind.INT, count, constant(1))
        self.store(row.address, behind, self.operand(item, RegisterKind.INT))
        self.store(row.address, 0, behind)


__all__ = ["SHORT", "FunctionType", "IterationWriter"]
