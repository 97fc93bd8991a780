"""Lowering of statements: assignment, branches, loops, `return`, `yield`, `raise`."""

import ast
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from plyground.compiler.form import Register, RegisterKind
from plyground.compiler.liveness import NO_NAMES, Names, assigned_names, read_names
from plyground.compiler.lowering.builder import JumpTarget, Key
from plyground.compiler.lowering.calls import CallLowering
from plyground.compiler.lowering.iteration import MOST_UNROLLED_TURNS
from plyground.compiler.types import (
    Array,
    Closure,
    IntVector,
    KnownObject,
    LazyIterable,
    Value,
)


class StatementLowering(CallLowering):
    """Lowers statements, keeping the set of live names as it goes."""

    def lower_statements(self, body: list[ast.stmt]) -> None:
        for each in body:
            if self.env is None:
                return
            self.note_line(each)
            # Within a statement its own names count as live: a join in its midst, as of `a and b`, must keep what the
            # rest reads.
            self.frame.live = self.live_after(each) | read_names(each)
            self.lower_statement(each)
            self.frame.live = self.live_after(each)

    def live_after(self, each: ast.stmt) -> Names:
        return self.frame.facts.live_after.get(id(each), NO_NAMES) if self.frame.facts else NO_NAMES

    def lower_statement(self, each: ast.stmt) -> None:
        match each:
            case ast.Expr(value=ast.Yield(value=given)):
                self.yield_value(KnownObject(None) if given is None else self.lower_expr(given))
            case ast.Expr(value=ast.YieldFrom(value=walked)):
                iterable = self.lower_expr(walked)
                self.iterate(iterable, self.frame.carried, self.yield_value)
            case ast.Expr():
                self.lower_expr(each.value)
            case ast.Assign(targets=[ast.Tuple(elts=goals)], value=ast.Tuple(elts=parts)) if len(goals) == len(
                parts
            ) and (not any(isinstance(part, ast.Starred) for part in [*goals, *parts])):
                # `a, b = b, a`: all values first, then all names. No tuple is made for it.
                values = [self.lower_expr(part) for part in parts]
                for goal, part, value in zip(goals, parts, values, strict=True):
                    self.bind_target(goal, self.require_unshared(goal, part, value))
            case ast.Assign():
                value = self.lower_expr(each.value)
                for target in each.targets:
                    self.bind_target(target, self.require_unshared(target, each.value, value, len(each.targets) > 1))
            case ast.AnnAssign():
                if each.value is not None:
                    self.bind_target(
                        each.target, self.require_unshared(each.target, each.value, self.lower_expr(each.value))
                    )
            case ast.AugAssign():
                self.lower_augmented_assignment(each)
            case ast.If():
                test = self.lower_condition(each.test)
                self.emit_if(test, lambda: self.lower_statements(each.body), lambda: self.lower_else(each))
            case ast.For():
                self.lower_for(each)
            case ast.While():
                self.lower_while(each)
            case ast.Return():
                result = KnownObject(None) if each.value is None else self.lower_expr(each.value)
                # Behind a return no name of the function is read: the join at its end carries the result alone.
                self.frame.live = NO_NAMES
                self.frame.on_return(result)
            case ast.Break():
                self.emit_jump(self.frame.breaks[-1])
            case ast.Continue():
                self.emit_jump(self.frame.continues[-1])
            case ast.Raise():
                self.lower_raise(each)
            case ast.Assert():
                test = self.emit_truth(self.lower_condition(each.test))
                self.emit_if(test, lambda: None, lambda: self.emit_fault(AssertionError))
            case ast.Pass() | ast.Global():
                if isinstance(each, ast.Global):
                    self.refuse("sets a global; rules give the same answer every time")
            case ast.FunctionDef():
                if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(each)):
                    self.refuse("defines a generator in a function; put it beside the function")
                self.bindings[self.name_key(each.name)] = Closure(each, self.frame)
            case ast.Delete():
                self.lower_delete(each)
            case ast.Try():
                self.refuse("uses try; ask beforehand, with if")
            case ast.Import() | ast.ImportFrom():
                self.refuse("imports within a function; import at the top of the file")
            case _:
                self.refuse(f"uses a statement, {type(each).__name__}, that compiled rules do not have")

    def lower_else(self, each: ast.If) -> None:
        self.frame.live = self.live_after(each) | read_names(each)
        self.lower_statements(each.orelse)
        self.frame.live = self.live_after(each)

    def yield_value(self, value: Value) -> None:
        """Lower the body of the loop that walks this generator, for a value that it yields."""
        if self.frame.on_yield is None:
            self.refuse("yields where no one walks")
        self.frame.on_yield(value)

    # -- assignment ---------------------------------------------------------------------------------------------------

    def bind_target(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name():
                if self.frame.facts and target.id in self.frame.facts.mutated:
                    value = self.make_mutable(target.id, value)
                self.bindings[self.name_key(target.id)] = value
            case ast.Tuple() | ast.List():
                self.unpack_items(target.elts, value)
            case ast.Subscript():
                container, index = self.lower_expr(target.value), self.lower_expr(target.slice)
                self.set_item(self.require_value(container), self.require_value(index), value)
            case ast.Attribute():
                self.refuse("changes an attribute; games and states never change, play makes a new state")
            case _:
                self.refuse("assigns to what compiled rules cannot")

    def require_unshared(self, target: ast.expr, source: ast.expr, value: Value, is_shared: bool = False) -> Value:
        """Refuse to bind a list that is mutated to a second name: Python would share it, the compiler copies it."""
        if not isinstance(target, ast.Name) or not self.frame.facts or target.id not in self.frame.facts.mutated:
            return value
        # These expressions make their value themselves, so no other name holds it.
        made_here = (ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.BinOp)
        is_new = isinstance(source, made_here) or (
            isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Slice)
        )
        if isinstance(source, ast.Call):
            called = source.func.id if isinstance(source.func, ast.Name) else getattr(source.func, "attr", "")
            is_new = called in ("list", "sorted", "set", "copy")
        if (is_shared or not is_new) and not isinstance(value, IntVector | Register):
            self.refuse(
                f"changes {target.id}, which something else may hold, too; write list(…) around what it is made of"
            )
        return value

    def make_mutable(self, name: str, value: Value) -> Value:
        """Copy a value that the function mutates to a list of its own, so that no other name sees the change."""
        value = self.require_value(value)
        if isinstance(value, Register | IntVector) or (
            isinstance(value, KnownObject) and not isinstance(value.value, list | tuple)
        ):
            if isinstance(value, KnownObject):
                self.refuse(f"changes {name}, a {type(value.value).__name__}, which has no compiled form")
            return value
        length = self.known_length(value)
        # A list that keeps its length is a row of just that; one that may grow takes `LIST_CAPACITY`.
        if length is None or (self.frame.facts and name in self.frame.facts.resized):
            return self.make_vector(value)
        if not isinstance(value, Array) and not all(self.is_int(item) for item in self.items_of(value)):
            self.refuse("changes a list that holds other things than ints")
        return self.make_vector(value, "list", length)

    def unpack_items(self, targets: list[ast.expr], value: Value) -> None:
        value = self.require_value(value)
        if isinstance(value, LazyIterable):
            value = self.materialise(value)
        items = self.items_of(value)
        stars = [place for place, each in enumerate(targets) if isinstance(each, ast.Starred)]
        if stars:
            place, behind = stars[0], len(targets) - stars[0] - 1
            if len(items) < len(targets) - 1:
                self.emit_fault(ValueError, "not enough values to unpack")
            middle = self.make_tuple(items[place : len(items) - behind], list)
            items = [*items[:place], middle, *items[len(items) - behind :]]
            targets = [each.value if isinstance(each, ast.Starred) else each for each in targets]
        if len(items) != len(targets):
            self.emit_fault(ValueError, "not as many values as names to unpack")
        for target, item in zip(targets, items, strict=True):
            self.bind_target(target, item)

    def set_item(self, container: Value, index: Value, value: Value) -> None:
        if isinstance(container, Register) and container.kind is RegisterKind.ADDRESS:
            place = self.item_address(container, self.int_operand(index))
            self.emit_effect("store_shared", place, self.int_operand(value))
        elif isinstance(container, IntVector) and container.shape == "list":
            length = self.int_operand(self.emit_length(container))
            at = self.check_index(self.int_operand(index), length)
            if not self.is_int(value):
                self.refuse(f"puts {self.describe(value)} into a list; lists hold ints")
            self.emit_store(self.item_address(container.address, 1), at, self.int_operand(value))
        else:
            self.refuse(f"changes an item of {self.describe(container)}; make a list of it first")

    def lower_augmented_assignment(self, each: ast.AugAssign) -> None:
        operation = type(each.op)
        if isinstance(each.target, ast.Name):
            before = self.read_name(each.target.id)
            value = self.lower_expr(each.value)
            if isinstance(before, IntVector):
                if operation is not ast.Add:
                    self.refuse("uses an operator on a list that changes it")
                vector = before
                self.iterate(value, set(), lambda item: self.append_item(vector, item))
                return
            self.note_line(each)
            self.bindings[self.name_key(each.target.id)] = self.emit_binary(operation, before, value)
        elif isinstance(each.target, ast.Subscript):
            container = self.require_value(self.lower_expr(each.target.value))
            index = self.require_value(self.lower_expr(each.target.slice))
            before = self.read_item(container, index)
            value = self.lower_expr(each.value)
            self.note_line(each)
            self.set_item(container, index, self.emit_binary(operation, before, value))
        else:
            self.refuse("changes an attribute; games and states never change, play makes a new state")

    def lower_delete(self, each: ast.Delete) -> None:
        for target in each.targets:
            if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
                self.refuse("deletes what compiled rules cannot")
            row = self.require_value(self.lower_expr(target.value))
            if not isinstance(row, IntVector):
                self.refuse(f"deletes an item of {self.describe(row)}")
            self.call_vector_method(row, "pop", [self.lower_expr(target.slice)], {})

    # -- loops --------------------------------------------------------------------------------------------------------

    def carried_names(self, each: ast.For | ast.While) -> tuple[set[Key], Names]:
        """Names that a loop carries from turn to turn, and those that are live in it."""
        frame = self.frame
        head = (frame.facts.live_at_head.get(id(each), NO_NAMES) if frame.facts else NO_NAMES) | self.live_after(each)
        # A loop carries the names that a turn assigns and that the next turn, or the code after the loop, reads; a name
        # that is only read needs no cell.
        names = assigned_names([each]) & head
        carried: set[Key] = {self.name_key(name) for name in names} | frame.carried
        return carried, head

    def lower_for(self, each: ast.For) -> None:
        iterable = self.lower_expr(each.iter)
        carried, head = self.carried_names(each)
        frame = self.frame
        frame.live = head

        def turns(leave: JumpTarget) -> None:
            frame.breaks.append(leave)

            def turn(item: Value) -> None:
                def write(next_turn: JumpTarget) -> None:
                    frame.continues.append(next_turn)
                    try:
                        self.bind_target(each.target, item)
                        self.lower_statements(each.body)
                        frame.live = head
                    finally:
                        frame.continues.pop()

                self.emit_block(write)
                frame.live = head

            try:
                # `break` leads behind the block around this, so that `else` runs only where the walk came to its end.
                self.iterate(iterable, carried, turn)
            finally:
                frame.breaks.pop()
            if self.env is not None:
                self.lower_statements(each.orelse)
            frame.live = self.live_after(each)

        try:
            self.emit_block(turns)
        finally:
            frame.live = self.live_after(each)

    def lower_while(self, each: ast.While) -> None:
        carried, head = self.carried_names(each)
        frame = self.frame

        def lower_test() -> Value:
            frame.live = head | read_names(each.test)
            return self.lower_condition(each.test)

        def write_loop(leave: JumpTarget) -> None:
            def write_body(next_turn: JumpTarget) -> None:
                frame.breaks.append(leave)
                frame.continues.append(next_turn)
                try:
                    self.lower_statements(each.body)
                    frame.live = head
                finally:
                    frame.breaks.pop()
                    frame.continues.pop()

            def turns(done: JumpTarget) -> None:
                def turn() -> None:
                    self.emit_exit_unless(lower_test(), done)
                    self.emit_block(write_body)
                    frame.live = head

                if not self.unroll_while(each.test, lower_test, lambda: self.emit_block(write_body)):
                    self.emit_loop(carried, turn)

            self.emit_block(turns)
            if self.env is not None:
                self.lower_statements(each.orelse)
            frame.live = self.live_after(each)

        frame.live = head
        self.emit_block(write_loop)
        frame.live = self.live_after(each)

    def unroll_while(self, test: ast.expr, lower_test: Callable[[], Value], body: Callable[[], None]) -> bool:
        """Emit turn after turn of a loop whose test is known each time; return False, with nothing emitted, if it is
        not, or that is too large."""
        # `while True` is known each time, and never ends by its test.
        if not read_names(test):
            return False
        mark, size = self.checkpoint(), self.size
        for _ in range(MOST_UNROLLED_TURNS + 1):
            goes_on = lower_test()
            if not isinstance(goes_on, KnownObject) or self.size - size > self.most_unrolled:
                break
            if goes_on.value:
                body()
            if self.env is None or not goes_on.value:
                return True
        self.roll_back(mark)
        return False

    # -- exceptions ---------------------------------------------------------------------------------------------------

    def lower_raise(self, each: ast.Raise) -> None:
        if each.exc is None:
            self.refuse("raises again what is not caught")
        values: list[Any] = []
        if isinstance(each.exc, ast.Call):
            error = self.lower_expr(each.exc.func)
            for arg in each.exc.args:  # of the message, what is not known when compiling is left out
                with suppress(Exception):
                    value = self.lower_expr(arg)
                    values += [value.value] if isinstance(value, KnownObject) and value.value is not None else []
        else:
            error = self.lower_expr(each.exc)
        self.note_line(each)
        if isinstance(error, KnownObject) and isinstance(error.value, BaseException):
            self.emit_fault(type(error.value), *error.value.args)
        if not isinstance(error, KnownObject) or not (
            isinstance(error.value, type) and issubclass(error.value, BaseException)
        ):
            self.refuse("raises what is not an exception")
        self.emit_fault(error.value, *values)
