"""Lowering of loops: generators and other iterables are inlined into the loops that walk them.

A generator is never an object. Its body is lowered in the place of the loop, and each `yield` is the loop's body: so it
stays lazy, and costs no more than the loop by hand. A loop over few known items is unrolled, its variable then a known
one, if that takes no more than `MOST_UNROLLED_INSTRUCTIONS`; a longer one, or one of unknown length, counts.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from plyground.compiler.errors import NoSource, NotCompilable, UnsupportedCase
from plyground.compiler.form import Operand, Register
from plyground.compiler.liveness import FunctionFacts, facts_of
from plyground.compiler.lowering.builder import Frame, JumpTarget, Key
from plyground.compiler.lowering.expressions import Comprehension, ExpressionLowering
from plyground.compiler.source import FunctionNode, node_of
from plyground.compiler.types import (
    Array,
    Closure,
    IntVector,
    KnownChoice,
    KnownObject,
    LazyIterable,
    TupleValue,
    Value,
    as_value,
)

Body = Callable[[Value], None]
"""Callback that lowers the body of a loop for one item."""

MOST_UNROLLED_TURNS: Final = 32
MOST_UNROLLED_INSTRUCTIONS: Final = 1_500
"""Instructions that an unrolled loop may have, where code shall be fast rather than small."""
LIST_CAPACITY: Final = 512
"""Most items of a list, a set, or a tuple of unknown length: each is 4 KiB of its function's frame, full or not."""
MOST_NESTED_BODIES: Final = 40
"""Most functions inlined into one another: a generator that walks itself would never end."""


class UnknownLength(Exception):
    """The number of items is not known when compiling."""


class IterationLowering(ExpressionLowering):
    """Emits loops over all kinds of iterables, unrolled or counted."""

    collecting = False
    """Whether each item is emitted for itself, in no loop, as an item of a tuple of known length."""

    def new_frame(self, facts: FunctionFacts | None, file: str, function: Any, parent: Frame | None = None) -> Frame:
        return Frame(self.new_number(), facts, file, function, parent)

    def bind_parameters(self, node: FunctionNode, frame: Frame, args: list[Value], keywords: dict[str, Value]) -> None:
        raise NotImplementedError

    def lower_statements(self, body: list[ast.stmt]) -> None:
        raise NotImplementedError

    def bind_target(self, target: ast.expr, value: Value) -> None:
        raise NotImplementedError

    def make_lazy(self, kind: str, *parts: Any) -> LazyIterable:
        return LazyIterable(kind, parts, self.loop_depth)

    @contextmanager
    def set_collecting(self, collecting: bool) -> Iterator[None]:
        """Set `collecting` for a while; an expression within an item has loops like any other."""
        before, self.collecting = self.collecting, collecting
        try:
            yield
        finally:
            self.collecting = before

    @contextmanager
    def enter_frame(self, frame: Frame) -> Iterator[None]:
        """Lower nodes of another frame for a while."""
        before, self.frame = self.frame, frame
        try:
            yield
        except NotCompilable as refusal:
            refusal.locate(frame.file, frame.line)
            raise
        finally:
            self.frame = before

    # -- iterables ----------------------------------------------------------------------------------------------------

    def iterate(self, value: Value, carried: set[Key], body: Body) -> None:
        """Emit a loop over an iterable, or its body for each item.

        Args:
            value: the iterable.
            carried: names that the body may set.
            body: lowers one turn.
        """
        match self.require_value(value):
            case KnownObject(value=set() | frozenset()):
                self.refuse("walks a set, whose order is not told; walk a tuple")
            case KnownObject(value=tuple() | list() | dict() | range() as items):
                self.walk_known(list(items), carried, body)
            case TupleValue(items=parts):
                for part in parts:
                    body(part)
            case Array() | IntVector(shape="list" | "tuple", length=int()) as row if self.collecting:
                for index in range(row.length or 0):  # each read at its turn: the body may set a later one
                    body(self.read_item(row, KnownObject(index)))
            case Array(address=address, length=length):
                self.walk_indices(length, carried, lambda i: body(self.emit_load(address, i)))
            case IntVector(shape="set"):
                self.refuse("walks a set, whose order is not told; walk a list or a tuple")
            case IntVector() as row:
                self.walk_vector(row, carried, body)
            case KnownChoice() as choice:
                self.walk_choice(choice, carried, body)
            case LazyIterable() as lazy:
                self.walk_lazy(lazy, carried, body)
            case other:
                self.refuse(f"walks {self.describe(other)}, which is no tuple, list, range or generator")

    def walk_lazy(self, lazy: LazyIterable, carried: set[Key], body: Body) -> None:
        if lazy.kind != "range":
            # In Python a second walk finds nothing, and so does the second turn of a loop around it; inlined anew it
            # would give all items again.
            if lazy.is_used or lazy.loop_depth != self.loop_depth:
                self.refuse("walks a generator that may have been walked before; make it anew where it is walked")
            lazy.is_used = True
            self.walked_iterables.append(lazy)
        parts = lazy.parts
        match lazy.kind:
            case "range":
                start, stop, step = parts
                if all(isinstance(part, KnownObject) for part in parts):
                    self.walk_known_range(range(start.value, stop.value, step.value), carried, body)
                else:
                    self.walk_range(start, stop, step, carried, body)
            case "generator":
                self.inline_generator(parts[0], parts[1], parts[2], carried, body)
            case "comprehension":
                node, frame, first = parts
                self.walk_comprehension(node, frame, first, carried, body)
            case "enumerate":
                self.walk_enumerate(parts[0], parts[1], carried, lambda at, item: body(self.make_tuple((at, item))))
            case "map":
                function, iterables = parts
                if len(iterables) == 1:
                    self.iterate(iterables[0], carried, lambda item: body(self.call_uncollected(function, [item])))
                else:
                    zipped = self.make_lazy("zip", iterables)
                    self.iterate(
                        zipped, carried, lambda args: body(self.call_uncollected(function, self.items_of(args)))
                    )
            case "filter":
                function, iterable = parts
                is_bare = isinstance(function, KnownObject) and function.value is None

                def filter_item(item: Value) -> None:
                    test = self.emit_truth(item if is_bare else self.call_uncollected(function, [item]))
                    self.emit_filter(test, lambda: body(item))

                self.iterate(iterable, carried, filter_item)
            case "zip":
                self.walk_zip(parts[0], carried, body)
            case "reversed":
                self.walk_reversed(parts[0], carried, body)

    def call_uncollected(self, function: Value, args: list[Value]) -> Value:
        with self.set_collecting(False):
            return self.call_value(function, args, {})

    def emit_filter(self, test: Value, body: Callable[[], None]) -> None:
        """Emit a body for items that pass a test."""
        # An item that may be left out makes the number of items unknown; the caller makes a list of them instead.
        if self.collecting and not isinstance(test, KnownObject):
            raise UnknownLength
        self.emit_if(test, body, lambda: None)

    def walk_known(self, items: list[Any], carried: set[Key], body: Body) -> None:
        if not self.walk_unrolled(items, body):
            self.walk_indices(len(items), carried, lambda at: body(self.read_table(items, at)))

    def walk_known_range(self, items: range, carried: set[Key], body: Body) -> None:
        if self.collecting and len(items) > LIST_CAPACITY:
            raise UnknownLength
        if not self.walk_unrolled(items, body):
            self.walk_range(KnownObject(items.start), KnownObject(items.stop), KnownObject(items.step), carried, body)

    def walk_unrolled(self, items: Sequence[Any], body: Body) -> bool:
        """Emit the body for each known item; return False, with nothing emitted, if that is too large."""
        if self.collecting:
            for item in items:
                body(KnownObject(item))
            return True
        if len(items) > MOST_UNROLLED_TURNS:
            return False
        mark, size = self.checkpoint(), self.size
        for item in items:
            body(KnownObject(item))
            if self.env is None:
                break
            if self.size - size > self.most_unrolled:
                # Too large: nothing of it stays, and the caller counts.
                self.roll_back(mark)
                return False
        return True

    def walk_range(self, start: Value, stop: Value, step: Value, carried: set[Key], body: Body) -> None:
        is_zero = self.emit_comparison(ast.Eq, step, KnownObject(0))
        self.emit_fault_if(is_zero, ValueError, "range() arg 3 must not be zero")
        self.walk_counter(start, stop, step, carried, body)

    def walk_indices(self, length: int, carried: set[Key], body: Callable[[Operand], None]) -> None:
        """Emit a loop over the indices of a sequence."""
        numbers = KnownObject(0), KnownObject(length), KnownObject(1)
        self.walk_counter(*numbers, carried, lambda index: body(self.int_operand(index)))

    def walk_counter(self, start: Value, stop: Value, step: Value, carried: set[Key], body: Body) -> None:
        """Emit a loop over a range."""
        if self.collecting:
            raise UnknownLength
        first = as_value(self.int_operand(start))
        end, width = self.int_operand(stop), self.int_operand(step)

        def turn(at: Operand, leave: JumpTarget) -> Operand | None:
            # The sign of a step that is not known decides in which direction the end is tested, turn by turn.
            if isinstance(width, Register):
                is_up = self.emit_op("gt", width, 0)
                less, more = self.emit_op("lt", at, end), self.emit_op("gt", at, end)
                goes_on = self.emit_op("select", is_up, less, more)
            else:
                goes_on = self.emit_op("lt" if width.value > 0 else "gt", at, end)
            self.emit_exit_unless(goes_on, leave)
            body(as_value(at))
            if self.env is None:
                return None
            # With a step of 1 the counter stops at the end, which is an int; with a larger one it may pass the greatest
            # int.
            may_pass = isinstance(width, Register) or abs(width.value) > 1
            fault = self.fault_number(UnsupportedCase, ("a range ends beyond 64 bits",)) if may_pass else 0
            return self.emit_op("add", at, width, fault=fault)

        self.emit_counting_loop(first, carried, turn)

    def emit_counting_loop(
        self, start: Value, carried: set[Key], turn: Callable[[Operand, JumpTarget], Operand | None]
    ) -> None:
        """Emit a loop with a counter.

        Args:
            start: the counter's first value.
            carried: names that the body may set.
            turn: lowers one turn, given the counter and the end of the loop; returns the next value.
        """
        key = self.new_temporary()
        self.bindings[key] = start

        def turns(leave: JumpTarget) -> None:
            def write_turn() -> None:
                following = turn(self.int_operand(self.bindings[key]), leave)
                if self.env is not None and following is not None:
                    self.bindings[key] = as_value(following)

            self.emit_loop({*carried, key}, write_turn)

        self.emit_block(turns)
        if self.env is not None:
            self.env.pop(key, None)

    def walk_vector(self, vector: IntVector, carried: set[Key], body: Body) -> None:
        """Emit a loop over a list, whose length is read anew each turn: the body may change it."""
        if self.collecting:
            raise UnknownLength

        def turn(at: Operand, leave: JumpTarget) -> Operand:
            self.emit_exit_unless(self.emit_op("lt", at, self.emit_load(vector.address, 0)), leave)
            following = self.emit_op("add", at, 1)
            body(self.emit_load(vector.address, following))
            return following

        self.emit_counting_loop(self.emit_op("add", 0, 0), carried, turn)

    def walk_choice(self, choice: KnownChoice, carried: set[Key], body: Body) -> None:
        """Emit a loop over one of several rows: over its part of all rows, one behind the other."""
        rows = [list(option) for option in choice.options]
        # All rows one behind the other, with a table of their ends: one loop for every choice.
        ends = [sum(map(len, rows[: place + 1])) for place in range(len(rows))]
        items = [item for row in rows for item in row]
        start, end = self.read_table([0, *ends[:-1]], choice.index), self.read_table(ends, choice.index)
        self.walk_counter(
            start, end, KnownObject(1), carried, lambda at: body(self.read_table(items, self.int_operand(at)))
        )

    def walk_enumerate(
        self, value: Value, start: Value, carried: set[Key], body: Callable[[Value, Value], None]
    ) -> None:
        """Emit a loop over an iterable, with a count that begins at `start`."""
        key = self.new_temporary()
        self.bindings[key] = start

        def turn(item: Value) -> None:
            at = self.bindings[key]
            self.bindings[key] = self.emit_binary(ast.Add, at, KnownObject(1))
            body(at, item)

        self.iterate(value, {*carried, key}, turn)
        if self.env is not None:
            self.env.pop(key, None)

    def walk_zip(self, iterables: list[Value], carried: set[Key], body: Body) -> None:
        # Items of several iterables are read by one index, so a generator among them is made a tuple first.
        parts = [self.make_indexable(each) for each in iterables]
        if not parts:
            return

        def item_at(index: Value) -> Value:
            return self.make_tuple([self.read_indexable(part, index) for part in parts])

        lengths = [self.emit_length(part) for part in parts]
        if all(isinstance(length, KnownObject) for length in lengths):
            least = min(length.value for length in lengths if isinstance(length, KnownObject))
            if least <= MOST_UNROLLED_TURNS or self.collecting:
                for at in range(least):
                    body(item_at(KnownObject(at)))
                return
        # The shortest ends the walk, as in Python.
        least_value = lengths[0]
        for length in lengths[1:]:
            least_value = self.emit_select(self.emit_comparison(ast.Lt, length, least_value), length, least_value)
        self.walk_counter(KnownObject(0), least_value, KnownObject(1), carried, lambda at: body(item_at(at)))

    def walk_reversed(self, value: Value, carried: set[Key], body: Body) -> None:
        value = self.make_indexable(value)
        length = self.emit_length(value)
        if isinstance(length, KnownObject) and length.value <= MOST_UNROLLED_TURNS:
            for at in range(length.value - 1, -1, -1):
                body(self.read_indexable(value, KnownObject(at)))
            return
        last = self.emit_binary(ast.Sub, length, KnownObject(1))
        self.walk_counter(
            last, KnownObject(-1), KnownObject(-1), carried, lambda at: body(self.read_indexable(value, at))
        )

    def make_indexable(self, value: Value) -> Value:
        """Convert an iterable to one whose items can be read by index."""
        value = self.require_value(value)
        is_range = isinstance(value, LazyIterable) and value.kind == "range"
        return value if is_range or self.is_sequence(value) else self.materialise(value)

    def read_indexable(self, value: Value, at: Value) -> Value:
        if isinstance(value, LazyIterable):
            start, _, step = value.parts
            return self.emit_binary(ast.Add, start, self.emit_binary(ast.Mult, at, step))
        return self.read_item(value, at)

    def emit_length(self, value: Value) -> Value:
        """The number of items of an iterable of known or stored length."""
        value = self.require_value(value)
        match value:
            case KnownObject():
                try:
                    return KnownObject(len(value.value))
                except TypeError as error:
                    self.emit_fault(TypeError, *error.args)
            case TupleValue() | Array() | IntVector(length=int()):
                return KnownObject(self.known_length(value))
            case IntVector():
                return self.emit_load(value.address, 0)
            case KnownChoice():
                return self.map_options(value, len)
            case LazyIterable(kind="range", parts=(start, stop, step)):
                if isinstance(start, KnownObject) and isinstance(stop, KnownObject) and isinstance(step, KnownObject):
                    return KnownObject(len(range(start.value, stop.value, step.value)))
                if isinstance(step, KnownObject):
                    # The number of turns, rounded up and at least 0, as `len(range(…))` has it.
                    sign = 1 if step.value > 0 else -1
                    apart = (
                        self.emit_binary(ast.Sub, stop, start) if sign > 0 else self.emit_binary(ast.Sub, start, stop)
                    )
                    rounded = self.emit_binary(ast.Add, apart, KnownObject(abs(step.value) - 1))
                    turns = self.emit_binary(ast.FloorDiv, rounded, KnownObject(abs(step.value)))
                    return self.emit_select(self.emit_comparison(ast.Gt, turns, KnownObject(0)), turns, KnownObject(0))
        if isinstance(value, LazyIterable) and value.kind in ("generator", "comprehension", "map", "filter"):
            self.refuse("takes the length of a generator, which has none; count its items, or make a list of it")
        self.refuse(f"takes the length of {self.describe(value)}")

    # -- generators and comprehensions --------------------------------------------------------------------------------

    def inline_generator(
        self, function: Any, args: list[Value], keywords: dict[str, Value], carried: set[Key], body: Body
    ) -> None:
        """Inline a generator, with the body in place of each `yield`; walk the iterable of a plain function."""
        if self.collecting:
            raise UnknownLength
        frame, node = self.new_function_frame(function)
        consumer = self.frame

        # The loop's body belongs to the function with the loop: its names are looked up there.
        def yield_item(item: Value) -> None:
            with self.enter_frame(consumer):
                body(item)

        frame.on_yield, frame.carried = yield_item, set(carried)
        is_generator = frame.facts is not None and frame.facts.is_generator

        def return_value(value: Value) -> None:
            if not is_generator:
                self.iterate(value, carried, yield_item)

        self.inline_body(frame, node, args, keywords, return_value)

    def inline_body(
        self, frame: Frame, node: FunctionNode, args: list[Value], keywords: dict[str, Value], on_return: Body
    ) -> None:
        """Inline the body of a function, as a block that each `return` leaves."""

        def write(leave: JumpTarget) -> None:
            def leave_with(value: Value) -> None:
                on_return(value)
                self.emit_jump(leave)

            frame.on_return = leave_with
            self.bind_parameters(node, frame, args, keywords)
            self.lower_function_body(node)

        self.write_in_frame(frame, lambda: self.emit_block(write))

    def new_function_frame(self, function: Any) -> tuple[Frame, FunctionNode]:
        """A new frame for a function that is inlined, and its syntax tree."""
        # A comprehension, which has no facts, counts as no function.
        if sum(frame.facts is not None for frame in self.frames) > MOST_NESTED_BODIES:
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
        return frame, node

    def lower_function_body(self, node: FunctionNode) -> None:
        if isinstance(node, ast.Lambda):
            self.frame.on_return(self.lower_expr(node.body))
        else:
            self.lower_statements(node.body)
            if self.env is not None:
                self.frame.on_return(KnownObject(None))

    def write_in_frame(self, frame: Frame, write: Callable[[], None]) -> None:
        """Emit code in a frame of its own, whose names end with it."""
        self.frames.append(frame)
        try:
            with self.enter_frame(frame):
                write()
        finally:
            self.frames.remove(frame)
        if self.env is not None:
            for key in [key for key in self.env if key[0] == frame.number]:
                del self.env[key]

    def lower_comprehension(self, node: Comprehension) -> Value:
        with self.set_collecting(False):
            first = self.lower_expr(node.generators[0].iter)  # which Python asks for here, not where it is walked
        lazy = self.make_lazy("comprehension", node, self.frame, first)
        if isinstance(node, ast.ListComp):
            return self.materialise(lazy, list)
        if isinstance(node, ast.SetComp):
            return self.make_vector(lazy, "set")
        return lazy

    def walk_comprehension(
        self, node: Comprehension, outer: Frame, first: Value, carried: set[Key], body: Body
    ) -> None:
        frame = self.new_frame(None, outer.file, outer.function, outer)
        consumer = self.frame

        def write_clause(place: int) -> None:
            if place == len(node.generators):
                with self.set_collecting(False):
                    value = self.lower_expr(node.elt)
                with self.enter_frame(consumer):
                    body(value)
                return
            clause = node.generators[place]
            iterable = first
            if place:
                with self.enter_frame(frame), self.set_collecting(False):
                    iterable = self.lower_expr(clause.iter)
            own = {name.id for name in ast.walk(clause.target) if isinstance(name, ast.Name)}
            frame.own |= own

            def turn(item: Value) -> None:
                self.bind_target(clause.target, item)
                write_conditions(clause.ifs)
                if self.env is not None:  # the next item binds them anew, so that no join need carry them
                    for name in own:
                        self.env.pop((frame.number, name), None)

            def write_conditions(tests: list[ast.expr]) -> None:
                if not tests:
                    write_clause(place + 1)
                    return
                with self.set_collecting(False):
                    test = self.lower_condition(tests[0])
                self.emit_filter(test, lambda: write_conditions(tests[1:]))

            self.iterate(iterable, carried, turn)

        frame.line = node.lineno
        self.write_in_frame(frame, lambda: write_clause(0))

    # -- tuples, lists and sets made of iterables ---------------------------------------------------------------------

    def materialise(self, value: Value, cls: type = tuple) -> Value:
        """Convert an iterable to a tuple or list: of known length if it has one, else a vector."""
        value = self.require_value(value)
        if isinstance(value, IntVector):
            if value.length is not None:
                return self.make_tuple(self.items_of(value), cls)
            return self.make_vector(value, cls.__name__)
        if not isinstance(value, LazyIterable):
            if isinstance(value, KnownObject):
                return KnownObject(cls(value.value))
            return value if isinstance(value, Array) else self.make_tuple(self.items_of(value), cls)
        if (unrolled := self.unroll_items(value)) is not None:
            return self.make_tuple(unrolled, cls)
        return self.make_vector(value, cls.__name__)

    def unroll_items(self, lazy: LazyIterable) -> list[Value] | None:
        """The items of an iterable, each emitted for itself; None if their number is not known."""
        # How many items a generator yields is in its body, which would have to be lowered to find out.
        if any(isinstance(each, LazyIterable) and each.kind == "generator" for each in (lazy, *lazy.parts)):
            return None
        # The attempt may fail in the midst of nested frames, so these are put back, too.
        mark, state = self.checkpoint(), (self.frame, list(self.frames), self.loop_depth)
        items: list[Value] = []

        def collect_item(item: Value) -> None:
            items.append(item)
            if len(items) > LIST_CAPACITY:
                raise UnknownLength

        try:
            with self.set_collecting(True):
                self.iterate(lazy, set(), collect_item)
        except UnknownLength:
            self.roll_back(mark)
            self.frame, self.frames, self.loop_depth = state
            lazy.is_used = False
            return None
        return items

    def make_vector(self, value: Value, shape: str = "list", length: int | None = None) -> IntVector:
        """Copy an iterable of ints to a new list or set; with `length`, a tuple to a list of fixed length."""
        if length is not None:
            address = self.allocate_slot(length + 1)
            self.emit_store(address, 0, length)
            source, _ = self.address_of(value)
            self.emit_effect("copy", self.item_address(address, 1), source, 8 * length)
            return IntVector(address, length, shape, length)
        vector = IntVector(self.allocate_slot(LIST_CAPACITY + 1), LIST_CAPACITY, shape)
        self.emit_store(vector.address, 0, 0)
        with self.set_collecting(False):
            self.iterate(value, set(), lambda item: self.add_item(vector, item))
        return vector

    def add_item(self, vector: IntVector, item: Value) -> None:
        """Add an int to a list, or to a set that does not contain it."""
        if vector.shape == "set":
            contained = self.emit_membership(item, vector)
            self.emit_if(contained, lambda: None, lambda: self.append_item(vector, item))
        else:
            self.append_item(vector, item)

    def append_item(self, vector: IntVector, item: Value) -> None:
        """Append an int to a list."""
        if vector.length is not None:
            self.refuse("appends to a list that was made elsewhere with a fixed length; make a new list of it first")
        if not self.is_int(item):
            self.refuse(f"puts {self.describe(item)} into a list; lists hold ints")
        count = self.emit_load(vector.address, 0)
        # Tested before the store: behind the row lies other memory of the frame.
        full = self.emit_op("ge", count, vector.capacity)
        self.emit_fault_if(full, UnsupportedCase, f"a list of more than {vector.capacity} items")
        behind = self.emit_op("add", count, 1)
        self.emit_store(vector.address, behind, self.int_operand(item))
        self.emit_store(vector.address, 0, behind)
