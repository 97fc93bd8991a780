"""Statements: assignment, ways, loops, `return`, `yield`, `raise`."""

import ast
from typing import Any

from plyground.compiler.builder import Exit, Key
from plyground.compiler.calls import CallWriter
from plyground.compiler.form import Register, RegisterKind
from plyground.compiler.source import NONE, Names, assigned, uses
from plyground.compiler.types import Array, Closure, GrowingRow, KnownObject, Lazy, Perhaps, Tuple, Value

RESIZERS = {"append", "pop", "insert", "extend", "remove", "clear", "add", "discard", "update"}


class StatementWriter(CallWriter):
    """Writer of statements."""

    def statements(self, body: list[ast.stmt]) -> None:
        for each in body:
            if self.env is None:
                return
            self.at(each)
            self.frame.live = self.after(each) | uses(each)
            self.statement(each)
            self.frame.live = self.after(each)

    def after(self, each: ast.stmt) -> Names:
        return self.frame.facts.after.get(id(each), NONE) if self.frame.facts else NONE

    def statement(self, each: ast.stmt) -> None:
        match each:
            case ast.Expr(value=ast.Yield(value=given)):
                self.give(KnownObject(None) if given is None else self.expr(given))
            case ast.Expr(value=ast.YieldFrom(value=walked)):
                iterable = self.expr(walked)
                self.iterate(iterable, self.frame.carried, self.give)
            case ast.Expr():
                self.expr(each.value)
            case ast.Assign(targets=[ast.Tuple(elts=goals)], value=ast.Tuple(elts=parts)) if len(goals) == len(
                parts
            ) and (not any(isinstance(part, ast.Starred) for part in [*goals, *parts])):
                values = [self.expr(part) for part in parts]
                for goal, part, value in zip(goals, parts, values, strict=True):
                    self.bind(goal, self.unshared(goal, part, value))
            case ast.Assign():
                value = self.expr(each.value)
                for target in each.targets:
                    self.bind(target, self.unshared(target, each.value, value, len(each.targets) > 1))
            case ast.AnnAssign():
                if each.value is not None:
                    self.bind(each.target, self.unshared(each.target, each.value, self.expr(each.value)))
            case ast.AugAssign():
                self.augmented(each)
            case ast.If():
                test = self.test(each.test)
                self.choose(test, lambda: self.statements(each.body), lambda: self.statements_or_pass(each))
            case ast.For():
                self.for_loop(each)
            case ast.While():
                self.while_loop(each)
            case ast.Return():
                result = KnownObject(None) if each.value is None else self.expr(each.value)
                self.frame.live = NONE
                self.frame.on_return(result)
            case ast.Break():
                self.jump(self.frame.breaks[-1])
            case ast.Continue():
                self.jump(self.frame.continues[-1])
            case ast.Raise():
                self.raised(each)
            case ast.Assert():
                test = self.truth(self.test(each.test))
                self.choose(test, lambda: None, lambda: self.fault(AssertionError))
            case ast.Pass() | ast.Global():
                if isinstance(each, ast.Global):
                    self.refuse("sets a global; rules give the same answer every time")
            case ast.FunctionDef():
                if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(each)):
                    self.refuse("defines a generator in a function; put it beside the function")
                self.names[self.key_of(each.name)] = Closure(each, self.frame)
            case ast.Delete():
                self.delete(each)
            case ast.Try():
                self.refuse("uses try; ask beforehand, with if")
            case ast.Import() | ast.ImportFrom():
                self.refuse("imports within a function; import at the top of the file")
            case _:
                self.refuse(f"uses a statement, {type(each).__name__}, that compiled rules do not have")

    def statements_or_pass(self, each: ast.If) -> None:
        self.frame.live = self.after(each) | uses(each)
        self.statements(each.orelse)
        self.frame.live = self.after(each)

    def give(self, value: Value) -> None:
        """Write what is done for a value that a generator yields."""
        if self.frame.on_yield is None:
            self.refuse("yields where no one walks")
        self.frame.on_yield(value)

    # -- assignment ---------------------------------------------------------------------------------------------------

    def bind(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name():
                if self.frame.facts and target.id in self.frame.facts.mutated:
                    value = self.changeable(target.id, value)
                self.names[self.key_of(target.id)] = value
            case ast.Tuple() | ast.List():
                self.unpack(target.elts, value)
            case ast.Subscript():
                container, index = self.expr(target.value), self.expr(target.slice)
                self.set_item(self.given(container), self.given(index), value)
            case ast.Attribute():
                self.refuse("changes an attribute; games and states never change, play makes a new state")
            case _:
                self.refuse("assigns to what compiled rules cannot")

    def unshared(self, target: ast.expr, source: ast.expr, value: Value, is_shared: bool = False) -> Value:
        """A value that is bound to a name: a list that changes must not be held by another name, too, unseen."""
        if not isinstance(target, ast.Name) or not self.frame.facts or target.id not in self.frame.facts.mutated:
            return value
        made_here = (ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.BinOp)
        is_new = isinstance(source, made_here) or (
            isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Slice)
        )
        if isinstance(source, ast.Call):
            called = source.func.id if isinstance(source.func, ast.Name) else getattr(source.func, "attr", "")
            is_new = called in ("list", "sorted", "set", "copy")
        if (is_shared or not is_new) and not isinstance(value, GrowingRow | Register):
            self.refuse(
                f"changes {target.id}, which something else may hold, too; write list(…) around what it is made of"
            )
        return value

    def changeable(self, name: str, value: Value) -> Value:
        """A new list that the function will change, in memory of its own."""
        value = self.given(value)
        if isinstance(value, Register | GrowingRow) or (
            isinstance(value, KnownObject) and not isinstance(value.value, list | tuple)
        ):
            if isinstance(value, KnownObject):
                self.refuse(f"changes {name}, a {type(value.value).__name__}, which has no compiled form")
            return value
        resized = self.resized_names()
        length = self.size_of(value)
        if length is None or name in resized:
            return self.row_of(value)
        if not isinstance(value, Array) and not all(self.is_int(item) for item in self.items(value)):
            self.refuse("changes a list that holds other things than ints")
        return self.row_of(value, "list", length)

    def resized_names(self) -> set[str]:
        """Names of lists whose length the function changes."""
        found: set[str] = set()
        for each in [node for statement in self.body_of_frame() for node in ast.walk(statement)]:
            parts: list[ast.expr] = []
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in RESIZERS:
                parts = [each.func.value]
            elif isinstance(each, ast.Delete):
                parts = [target.value for target in each.targets if isinstance(target, ast.Subscript)]
            found |= {part.id for part in parts if isinstance(part, ast.Name)}
        return found

    def body_of_frame(self) -> list[ast.stmt]:
        return self.frame.node.body if isinstance(self.frame.node, ast.FunctionDef) else []

    def unpack(self, targets: list[ast.expr], value: Value) -> None:
        value = self.given(value)
        if isinstance(value, Lazy):
            value = self.listed(value)
        items = self.items(value)
        stars = [place for place, each in enumerate(targets) if isinstance(each, ast.Starred)]
        if stars:
            place, behind = stars[0], len(targets) - stars[0] - 1
            if len(items) < len(targets) - 1:
                self.fault(ValueError, "not enough values to unpack")
            middle = self.tuple_of(items[place : len(items) - behind], list)
            items = [*items[:place], middle, *items[len(items) - behind :]]
            targets = [each.value if isinstance(each, ast.Starred) else each for each in targets]
        if len(items) != len(targets):
            self.fault(ValueError, "not as many values as names to unpack")
        for target, item in zip(targets, items, strict=True):
            self.bind(target, item)

    def set_item(self, container: Value, index: Value, value: Value) -> None:
        if isinstance(container, Register) and container.kind is RegisterKind.ADDRESS:
            place = self.place(container, self.operand(index, RegisterKind.INT))
            self.act("store_shared", place, self.operand(value, RegisterKind.INT))
        elif isinstance(container, GrowingRow) and container.shape == "list":
            length = self.operand(self.length(container), RegisterKind.INT)
            at = self.bounded(self.operand(index, RegisterKind.INT), length)
            if not self.is_int(value):
                self.refuse(f"puts {self.said(value)} into a list; lists hold ints")
            self.store(self.place(container.address, 1), at, self.operand(value, RegisterKind.INT))
        else:
            self.refuse(f"changes an item of {self.said(container)}; make a list of it first")

    def augmented(self, each: ast.AugAssign) -> None:
        operation = type(each.op)
        if isinstance(each.target, ast.Name):
            before = self.name(each.target.id)
            value = self.expr(each.value)
            if isinstance(before, GrowingRow):
                row = before
                if operation is not ast.Add:
                    self.refuse("uses an operator on a list that changes it")
                self.iterate(value, set(), lambda item: self.append(row, item))
                return
            self.at(each)
            self.names[self.key_of(each.target.id)] = self.operate(operation, before, value)
        elif isinstance(each.target, ast.Subscript):
            container = self.given(self.expr(each.target.value))
            index = self.given(self.expr(each.target.slice))
            before = self.item(container, index)
            value = self.expr(each.value)
            self.at(each)
            self.set_item(container, index, self.operate(operation, before, value))
        else:
            self.refuse("changes an attribute; games and states never change, play makes a new state")

    def delete(self, each: ast.Delete) -> None:
        for target in each.targets:
            if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
                self.refuse("deletes what compiled rules cannot")
            row = self.given(self.expr(target.value))
            if not isinstance(row, GrowingRow):
                self.refuse(f"deletes an item of {self.said(row)}")
            self.row_method(row, "pop", [self.expr(target.slice)], {})

    # -- loops --------------------------------------------------------------------------------------------------------

    def loop_names(self, each: ast.For | ast.While) -> tuple[set[Key], Names]:
        """The names that a loop carries from turn to turn, and those that are live in it."""
        frame = self.frame
        head = (frame.facts.head.get(id(each), NONE) if frame.facts else NONE) | self.after(each)
        names = assigned([each]) & head
        carried: set[Key] = {self.key_of(name) for name in names} | frame.carried
        return carried, head

    def for_loop(self, each: ast.For) -> None:
        iterable = self.expr(each.iter)
        carried, head = self.loop_names(each)
        frame = self.frame
        frame.live = head

        def turns(leave: Exit) -> None:
            frame.breaks.append(leave)

            def turn(item: Value) -> None:
                def write(next_turn: Exit) -> None:
                    frame.continues.append(next_turn)
                    try:
                        self.bind(each.target, item)
                        self.statements(each.body)
                        frame.live = head
                    finally:
                        frame.continues.pop()

                self.block(write)
                frame.live = head

            try:
                self.iterate(iterable, carried, turn)
            finally:
                frame.breaks.pop()
            if self.env is not None:
                self.statements(each.orelse)
            frame.live = self.after(each)

        try:
            self.block(turns)
        finally:
            frame.live = self.after(each)

    def while_loop(self, each: ast.While) -> None:
        carried, head = self.loop_names(each)
        frame = self.frame
        frame.live = head

        def whole(leave: Exit) -> None:
            def turns(done: Exit) -> None:
                def turn() -> None:
                    frame.live = head | uses(each.test)
                    test = self.test(each.test)
                    self.choose(test, lambda: None, lambda: self.jump(done))

                    def write(next_turn: Exit) -> None:
                        frame.breaks.append(leave)
                        frame.continues.append(next_turn)
                        try:
                            self.statements(each.body)
                            frame.live = head
                        finally:
                            frame.breaks.pop()
                            frame.continues.pop()

                    self.block(write)
                    frame.live = head

                self.loop(carried, turn)

            self.block(turns)
            if self.env is not None:
                self.statements(each.orelse)
            frame.live = self.after(each)

        self.block(whole)
        frame.live = self.after(each)

    # -- exceptions ---------------------------------------------------------------------------------------------------

    def raised(self, each: ast.Raise) -> None:
        if each.exc is None:
            self.refuse("raises again what is not caught")
        raised: Any = None
        match each.exc:
            case ast.Call(func=func, args=args):
                cls = self.expr(func)
                values: list[Any] = []
                for arg in args:  # what is not known when compiling is left out of the message
                    try:
                        value = KnownObject(None) if isinstance(arg, ast.JoinedStr | ast.Starred) else self.expr(arg)
                    except Exception:
                        value = KnownObject(None)
                    values += [value.value] if isinstance(value, KnownObject) and value.value is not None else []
                raised = cls
            case _:
                raised, values = self.expr(each.exc), []
        self.at(each)
        if isinstance(raised, KnownObject) and isinstance(raised.value, BaseException):
            self.fault(type(raised.value), *raised.value.args)
        if not isinstance(raised, KnownObject) or not (
            isinstance(raised.value, type) and issubclass(raised.value, BaseException)
        ):
            self.refuse("raises what is not an exception")
        self.fault(raised.value, *values)


__all__ = ["Perhaps", "StatementWriter", "Tuple"]
