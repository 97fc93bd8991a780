"""Lowering of operators, comparisons and items of tuples, lists and constant tables; known operands are folded."""

import ast
from collections.abc import Callable
from typing import Any

from plyground.compiler.errors import UnsupportedCase
from plyground.compiler.form import Operand, Register, RegisterKind
from plyground.compiler.lowering.arithmetic import COMPARISONS, OPERATORS, ArithmeticLowering
from plyground.compiler.lowering.builder import JumpTarget, Key
from plyground.compiler.types import (
    MOST_ITEMS_IN_REGISTERS,
    Array,
    IntVector,
    KnownChoice,
    KnownObject,
    LazyIterable,
    OptionalValue,
    TupleValue,
    Value,
    as_operand,
    as_value,
)

TRUE, FALSE = KnownObject(True), KnownObject(False)


class SequenceLowering(ArithmeticLowering):
    """Emits operators, comparisons and look-ups on values of any type."""

    def iterate(self, value: Value, carried: set[Key], body: Callable[[Value], None]) -> None:
        raise NotImplementedError

    def emit_length(self, value: Value) -> Value:
        raise NotImplementedError

    def is_sequence(self, value: Value) -> bool:
        return isinstance(value, TupleValue | Array | IntVector) or (
            isinstance(value, KnownObject)
            and isinstance(value.value, tuple | list | str | dict | set | frozenset | range)
        )

    def known_length(self, value: Value) -> int | None:
        """Length of a sequence, if it is known at compile time; else None."""
        match value:
            case KnownObject(value=tuple() | list() | str() as items):
                return len(items)
            case TupleValue():
                return len(value.items)
            case Array() | IntVector():
                return value.length
        return None

    def emit_binary(self, op: type[ast.operator], left: Value, right: Value, low: int | None = None) -> Value:
        """Emit an operation on two values; Python itself computes it if both are known.

        Args:
            low: number of low bits that are needed of the result; None for all.
        """
        left, right = self.require_value(left), self.require_value(right)
        if isinstance(left, KnownObject) and isinstance(right, KnownObject) and op in OPERATORS:
            # Python computes it while compiling, and one that large takes seconds and memory.
            if op in (ast.LShift, ast.Pow) and isinstance(right.value, int) and right.value > 4096:
                self.refuse("makes an int of thousands of bits")
            try:
                return KnownObject(OPERATORS[op](left.value, right.value))
            except (ArithmeticError, ValueError, TypeError) as error:
                self.emit_fault(type(error), *error.args)
        if self.is_sequence(left) or self.is_sequence(right):
            return self.combine_sequences(op, left, right)
        return self.emit_number_binary(op, left, right, low)

    def combine_sequences(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        lengths = self.known_length(left), self.known_length(right)
        if op is ast.Add and is_list(left) == is_list(right) and None not in lengths:
            return self.make_tuple([*self.items_of(left), *self.items_of(right)], list if is_list(left) else tuple)
        if op is ast.Mult:
            times, sequence = (left, right) if self.is_sequence(right) else (right, left)
            if isinstance(times, KnownObject) and isinstance(times.value, int):
                return self.make_tuple(self.items_of(sequence) * times.value, list if is_list(sequence) else tuple)
        self.refuse(
            f"uses an operator on {self.describe(left)} and {self.describe(right)} whose result has no known length; "
            "plyground.board.bits.with_word(cells, place, value) gives a tuple with another value at a place"
        )

    def emit_truth(self, value: Value) -> Value:
        """Whether a value counts as true."""
        match value:
            case KnownObject():
                return KnownObject(bool(value.value))
            case Register():
                if value.kind is RegisterKind.FLOAT:
                    return self.emit_op("fne", value, 0.0)
                return as_value(self.bool_operand(value))
            case TupleValue():
                return KnownObject(bool(value.items))
            case Array():
                return KnownObject(value.length > 0)
            case IntVector():
                return self.emit_op("ne", self.emit_load(value.address, 0), 0)
            case OptionalValue():
                inner = value.value
                return self.emit_conditional(as_value(value.flag), lambda: self.emit_truth(inner), lambda: FALSE)
            case LazyIterable(kind="range"):
                return self.emit_comparison(ast.Gt, self.emit_length(value), KnownObject(0))
        return TRUE

    # -- comparisons --------------------------------------------------------------------------------------------------

    def emit_comparison(self, op: type[ast.cmpop], left: Value, right: Value) -> Value:
        """Emit a comparison."""
        if op in (ast.Is, ast.IsNot, ast.Eq, ast.NotEq) and (_is_none(left) or _is_none(right)):
            other = left if _is_none(right) else right
            if _is_none(other):
                same: Value = TRUE
            elif isinstance(other, OptionalValue) and other.is_none:
                same = self.emit_not(as_value(other.flag))
            else:
                same = FALSE
            return same if op in (ast.Is, ast.Eq) else self.emit_not(same)
        if op in (ast.In, ast.NotIn):
            found = self.emit_membership(left, right)
            return found if op is ast.In else self.emit_not(found)
        if op in (ast.Is, ast.IsNot):
            if isinstance(left, KnownObject) and isinstance(right, KnownObject):
                return KnownObject((left.value is right.value) == (op is ast.Is))
            # True and False are one object each; of equal ints it is left open whether they are.
            if all(self.is_bool(each) for each in (left, right)):
                op = ast.Eq if op is ast.Is else ast.NotEq
            else:
                self.refuse("compares numbers by is; write ==")
        left, right = self.require_value(left), self.require_value(right)
        plain = COMPARISONS[op][1]
        if isinstance(left, KnownChoice) and isinstance(right, KnownObject):
            return self.map_options(left, lambda option: plain(option, right.value))
        if isinstance(left, KnownObject) and isinstance(right, KnownObject):
            try:
                return KnownObject(plain(left.value, right.value))
            except TypeError as error:
                self.emit_fault(TypeError, *error.args)
        if self.is_sequence(left) or self.is_sequence(right):
            return self.emit_sequence_comparison(op, left, right)
        return self.emit_number_comparison(op, left, right)

    def emit_sequence_comparison(self, op: type[ast.cmpop], left: Value, right: Value) -> Value:
        if not (self.is_sequence(left) and self.is_sequence(right)) or is_list(left) != is_list(right):
            if op in (ast.Eq, ast.NotEq):
                return KnownObject(op is ast.NotEq)
            self.refuse(f"compares {self.describe(left)} with {self.describe(right)}")
        lengths = self.known_length(left), self.known_length(right)
        if any(isinstance(each, IntVector) and each.length is None for each in (left, right)):
            self.refuse("compares a list whose length is not known; compare its items")
        if op in (ast.Eq, ast.NotEq):
            same: Value = KnownObject(lengths[0] == lengths[1])
            if lengths[0] == lengths[1]:
                for a, b in zip(self.items_of(left), self.items_of(right), strict=True):
                    same = self.emit_logic("both", same, self.emit_comparison(ast.Eq, a, b))
            return same if op is ast.Eq else self.emit_not(same)
        # Sequences are ordered as words in a dictionary, as in Python: the first pair that differs decides, and where
        # none does, the lengths.
        pairs = list(zip(self.items_of(left), self.items_of(right), strict=False))
        value_if_equal = KnownObject(COMPARISONS[op][1](lengths[0], lengths[1]))

        def emit_from_place(place: int) -> Value:
            if place == len(pairs):
                return value_if_equal
            a, b = pairs[place]
            # Two items that differ here decide the order, and for them `<=` is the same as `<`, and `>=` as `>`.
            strict = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}.get(op, op)
            return self.emit_conditional(
                self.emit_comparison(ast.Eq, a, b),
                lambda: emit_from_place(place + 1),
                lambda: self.emit_comparison(strict, a, b),
            )

        return emit_from_place(0)

    def emit_membership(self, item: Value, container: Value) -> Value:
        container = self.require_value(container)
        if isinstance(container, KnownObject) and isinstance(item, KnownObject):
            return KnownObject(item.value in container.value)
        if isinstance(container, KnownObject) and isinstance(container.value, set | frozenset | dict | range):
            container = KnownObject(tuple(container.value))
        # A short tuple is compared item by item without a branch, a long one in a loop that ends at the first hit.
        if (isinstance(container, KnownObject) and len(container.value) > MOST_ITEMS_IN_REGISTERS) or isinstance(
            container, Array | IntVector | KnownChoice | LazyIterable
        ):
            return self.emit_membership_loop(item, container)
        found: Value = FALSE
        for each in self.items_of(container):
            found = self.emit_logic("either", found, self.emit_comparison(ast.Eq, item, each))
        return found

    def emit_membership_loop(self, item: Value, container: Value) -> Value:
        if isinstance(container, IntVector):
            container = IntVector(container.address, container.capacity)
        key = self.new_temporary()
        self.bindings[key] = FALSE

        def search(leave: JumpTarget) -> None:
            def stop() -> None:
                self.bindings[key] = TRUE
                self.emit_jump(leave)

            def compare(each: Value) -> None:
                self.emit_if(self.emit_comparison(ast.Eq, item, each), stop, lambda: None)

            self.iterate(container, set(), compare)

        self.emit_block(search)
        return self.bindings.pop(key)

    # -- items --------------------------------------------------------------------------------------------------------

    def read_item(self, container: Value, index: Value) -> Value:
        """The item of a tuple, a list, a constant dict or a `Memory` at an index."""
        index = self.require_value(index)
        if isinstance(container, Register) and container.kind is RegisterKind.ADDRESS:
            return self.emit_op("load_shared", self.item_address(container, self.int_operand(index)))
        if isinstance(index, KnownChoice) and isinstance(container, KnownObject):
            return self.map_options(index, lambda key: container.value[key])
        if isinstance(container, KnownChoice) and isinstance(index, KnownObject):
            return self.map_options(container, lambda row: row[index.value])
        if isinstance(container, KnownObject) and isinstance(container.value, dict):
            return self.look_up_key(container.value, index)
        if isinstance(index, KnownObject):
            if isinstance(container, KnownObject):
                try:
                    return KnownObject(container.value[index.value])
                except (IndexError, KeyError, TypeError) as error:
                    self.emit_fault(type(error), *error.args)
            if (known_length := self.known_length(container)) is not None:
                if not isinstance(index.value, int):
                    self.refuse(f"uses {self.describe(index)} for a place in a tuple")
                if not -known_length <= index.value < known_length:
                    self.emit_fault(IndexError, f"{'list' if is_list(container) else 'tuple'} index out of range")
                place = index.value % known_length
                if isinstance(container, Array | IntVector):
                    return self.emit_load(container.address, place + isinstance(container, IntVector))
                return self.items_of(container)[place]
        if isinstance(container, IntVector):
            length_now = as_operand(container.length) if container.length else self.emit_load(container.address, 0)
            at = self.check_index(self.int_operand(index), length_now)
            return self.emit_load(self.item_address(container.address, 1), at)
        length: int | None = self.known_length(container)
        if length is None:
            self.refuse(f"takes an item of {self.describe(container)}")
        if length == 0:
            self.emit_fault(IndexError, "tuple index out of range")
        at = self.check_index(self.int_operand(index), as_operand(length))
        if isinstance(container, Array):
            return self.emit_load(container.address, at)
        if isinstance(container, KnownObject):
            return self.read_table(list(container.value), at)
        items = self.items_of(container)
        result = items[-1]
        # Registers have no address: an item is selected by comparing the index, a few times at most.
        for place in range(length - 2, -1, -1):
            result = self.emit_select(self.emit_op("eq", at, place), items[place], result)
        return result

    def check_index(self, index: Operand, length: Operand) -> Operand:
        """Convert an index that may count from the end to one from the start; emits a fault beyond both ends."""
        # One comparison without signs tests both ends: a place below 0 is a large number then.
        behind = self.emit_op("add", index, length)
        place = self.emit_op("select", self.emit_op("lt", index, 0), behind, index)
        inside = self.emit_op("below", place, length)
        self.emit_fault_unless(inside, IndexError, "index out of range")
        return place

    def read_table(self, rows: list[Any], at: Operand) -> Value:
        """Read a constant table at an index that the caller has tested to be in it."""
        # From the narrowest form to the widest: numbers, rows of one length by columns, rows of ints, at last the index
        # alone.
        if all(isinstance(row, bool) for row in rows):
            return as_value(self.bool_operand(self.emit_load(self.emit_data(rows), at)))
        if all(isinstance(row, int) for row in rows):
            if len(rows) <= 2:
                return self.emit_select(self.emit_op("eq", at, 0), KnownObject(rows[0]), KnownObject(rows[-1]))
            return self.emit_load(self.emit_data(rows), at)
        if all(isinstance(row, float) for row in rows):
            self.refuse("looks up a float in a table")
        if all(isinstance(row, tuple | list) for row in rows):
            if len({(type(row), len(row)) for row in rows}) == 1:
                columns = [self.read_table([row[column] for row in rows], at) for column in range(len(rows[0]))]
                return self.make_tuple(columns, type(rows[0]))
            if all(isinstance(row, tuple) and isinstance(item, int) for row in rows for item in row):
                # Rows of different lengths: each has its length first and is filled up, so that a row begins at a
                # multiple.
                capacity = max(map(len, rows))
                words = [word for row in rows for word in (len(row), *row, *[0] * (capacity - len(row)))]
                start = self.emit_op("mul", at, capacity + 1)
                return IntVector(self.item_address(self.emit_data(words), start), capacity, "tuple")
        return KnownObject(rows[0]) if len(rows) == 1 else KnownChoice(tuple(rows), at)

    def map_options(self, chosen: KnownChoice, function: Callable[[Any], Any]) -> Value:
        """Apply a function to one of several known objects: computed for each at compile time, selected at run time."""
        try:
            return self.read_table([function(option) for option in chosen.options], chosen.index)
        except (LookupError, TypeError):
            self.refuse("looks up, of one of several constants, what not all of them have")

    def look_up_key(self, items: dict[Any, Any], key: Value) -> Value:
        """Look a key up in a constant dict; emits a fault where it is missing."""
        if isinstance(key, KnownObject):
            if key.value not in items:
                self.emit_fault(KeyError, key.value)
            return KnownObject(items[key.value])
        # Keys are compared one after the other: dicts of rules are small. The order is that of the dict, so that the
        # form is the same each time.
        keys = list(items)

        def emit_from_place(place: int) -> Value:
            if place == len(keys):
                self.emit_fault(KeyError, "no such key")
            same = self.emit_comparison(ast.Eq, key, KnownObject(keys[place]))
            return self.emit_conditional(
                same, lambda: KnownObject(items[keys[place]]), lambda: emit_from_place(place + 1)
            )

        return emit_from_place(0)

    def replace_item(self, container: Value, index: Value, value: Value) -> Value:
        """Copy a tuple with one item replaced; emits a fault where the index is below 0, or not below the length."""
        if isinstance(index, KnownObject):
            items = self.items_of(container)
            if not isinstance(index.value, int) or not 0 <= index.value < len(items):
                self.emit_fault(UnsupportedCase, "an item beyond the end of a tuple is replaced")
            return self.make_tuple([*items[: index.value], value, *items[index.value + 1 :]])
        at = self.int_operand(index)
        inside = self.emit_op("below", at, self.known_length(container) or 0)
        self.emit_fault_unless(inside, UnsupportedCase, "an item beyond the end of a tuple is replaced")
        if isinstance(container, Array) or (
            isinstance(container, KnownObject) and len(container.value) > MOST_ITEMS_IN_REGISTERS
        ):
            source, length = self.address_of(container)
            address = self.allocate_slot(length)
            self.emit_effect("copy", address, source, 8 * length)
            self.emit_store(address, at, self.int_operand(value))
            return Array(address, length)
        items = self.items_of(container)
        changed = [self.emit_select(self.emit_op("eq", at, place), value, item) for place, item in enumerate(items)]
        return self.make_tuple(changed)


def _is_none(value: Value) -> bool:
    return isinstance(value, KnownObject) and value.value is None


def is_list(value: Value) -> bool:
    """Whether a value is a list, known or not."""
    if isinstance(value, KnownObject):
        return isinstance(value.value, list)
    return (isinstance(value, TupleValue) and value.cls is list) or (
        isinstance(value, IntVector) and value.shape == "list"
    )
