"""Lowering of expressions: syntax trees become values and instructions."""

import ast
import builtins
from types import FunctionType, ModuleType

from plyground.compiler.liveness import mutated_globals
from plyground.compiler.lowering.arithmetic import INT_BITS, OPERATORS
from plyground.compiler.lowering.builder import Frame, Key
from plyground.compiler.lowering.sequences import FALSE, SequenceLowering, is_list
from plyground.compiler.types import (
    Closure,
    IntVector,
    KnownObject,
    LazyIterable,
    Method,
    OptionalValue,
    TupleValue,
    Value,
)
from plyground.rules import Weights

Comprehension = ast.ListComp | ast.GeneratorExp | ast.SetComp
_WRAPPING = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
"""Operators whose low bits depend on the low bits of their operands alone."""


class ExpressionLowering(SequenceLowering):
    """Lowers expressions, names and attributes."""

    def lower_call(self, node: ast.Call) -> Value:
        raise NotImplementedError

    def call_value(self, function: Value, args: list[Value], names: dict[str, Value]) -> Value:
        raise NotImplementedError

    def lower_comprehension(self, node: Comprehension) -> Value:
        raise NotImplementedError

    def materialise(self, value: Value) -> Value:
        """Convert an iterable to a tuple or list: `iteration.py` has it."""
        raise NotImplementedError

    def make_vector(self, value: Value, shape: str = "list", length: int | None = None) -> IntVector:
        raise NotImplementedError

    def lower_expr(self, node: ast.expr, low: int | None = None) -> Value:
        """Lower an expression of which `low` bits are needed; None for all."""
        match node:
            case ast.Constant():
                return KnownObject(node.value)
            case ast.Name():
                return self.read_name(node.id)
            case ast.Attribute():
                return self.read_attribute(self.lower_expr(node.value), node.attr)
            case ast.BinOp():
                return self.lower_binary(node, low)
            case ast.UnaryOp():
                return self.lower_unary(node, low)
            case ast.Compare():
                return self.lower_comparison(node)
            case ast.BoolOp():
                return self.lower_short_circuit(node, keeps_value=True)
            case ast.IfExp():
                then, otherwise = node.body, node.orelse
                return self.emit_conditional(
                    self.emit_truth(self.lower_expr(node.test)),
                    lambda: self.lower_expr(then),
                    lambda: self.lower_expr(otherwise),
                )
            case ast.Tuple() | ast.List():
                if (replaced := self.lower_item_replacement(node)) is not None:
                    return replaced
                return self.make_tuple(self.lower_elements(node.elts), tuple if isinstance(node, ast.Tuple) else list)
            case ast.Subscript():
                return self.lower_subscript(node)
            case ast.Call():
                return self.lower_call(node)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return self.lower_comprehension(node)
            case ast.Set():
                return self.make_vector(self.make_tuple([self.lower_expr(each) for each in node.elts]), "set")
            case ast.Lambda():
                return Closure(node, self.frame)
            case ast.NamedExpr():
                value = self.lower_expr(node.value)
                self.bindings[self.name_key(node.target.id)] = value
                return value
        self.note_line(node)
        reason = {
            ast.Dict: "makes a dict; a constant one at the top of the file is taken, or a tuple for each key",
            ast.JoinedStr: "works with text, and compiled rules know only numbers and tuples of them",
            ast.DictComp: "makes a dict; a tuple with an item for each key does its work",
        }.get(type(node), f"uses {type(node).__name__}, which compiled rules do not have")
        self.refuse(reason)

    def lower_elements(self, nodes: list[ast.expr]) -> list[Value]:
        """Lower arguments or items, with those of each starred iterable in its place."""
        found: list[Value] = []
        for each in nodes:
            if isinstance(each, ast.Starred):
                found += self.items_of(self.materialise(self.lower_expr(each.value)))
            else:
                found.append(self.lower_expr(each))
        return found

    # -- names and attributes -----------------------------------------------------------------------------------------

    def name_key(self, name: str) -> Key:
        """The key in `env` of a name of the function being written."""
        frame: Frame | None = self.frame
        while frame is not None and frame.parent is not None and name not in frame.own:
            frame = frame.parent
        assert frame is not None
        return frame.number, name

    def read_name(self, name: str) -> Value:
        frame = self.frame
        while True:
            if (value := self.bindings.get((frame.number, name))) is not None:
                # The name is tested once: after the first read it has its value on every way that goes on.
                if isinstance(value, OptionalValue) and not value.is_none:
                    value = self.require_value(value)
                    self.bindings[frame.number, name] = value
                return value
            if frame.parent is None:
                break
            frame = frame.parent
        function: FunctionType = frame.function
        if frame.facts and name in frame.facts.assigned:
            self.emit_fault(UnboundLocalError, f"{name} has no value yet")
        if name in function.__code__.co_freevars:
            cells = function.__closure__ or ()
            return KnownObject(cells[function.__code__.co_freevars.index(name)].cell_contents)
        if name in function.__globals__:
            value = function.__globals__[name]
            # A global that is read while compiling is a constant of the code; a later change of it would not be seen.
            if name in mutated_globals(function) or isinstance(value, bytearray):
                self.refuse(f"reads {name}, which functions change; rules read only what never changes")
            return KnownObject(value)
        if hasattr(builtins, name):
            return KnownObject(getattr(builtins, name))
        self.refuse(f"uses the name {name}, which is defined nowhere")

    def read_attribute(self, base: Value, name: str) -> Value:
        base = self.require_value(base)
        match base:
            case KnownObject(value=thing):
                # Methods are looked up on the class: a bound method would hide the function that is to be compiled.
                member = getattr(type(thing), name, None) if not isinstance(thing, type | ModuleType) else None
                if isinstance(member, FunctionType) and name != "_replace":
                    return Method(member, base)
                if isinstance(thing, tuple | int | str | list | dict) and not hasattr(thing, "_fields"):
                    return Method(name, base)
                if hasattr(thing, "_fields") and name in ("_replace", "count", "index"):
                    return Method(name, base)
                try:
                    attribute = getattr(thing, name)
                    return self.emit_weights(attribute) if isinstance(attribute, Weights) else KnownObject(attribute)
                except AttributeError:
                    owner = "the module" if isinstance(thing, ModuleType) else "self"
                    self.refuse(f"uses {owner}.{name}, which there is not")
            case TupleValue(cls=cls) if hasattr(cls, "_fields"):
                fields: tuple[str, ...] = cls._fields
                if name in fields:
                    return base.items[fields.index(name)]
                member = getattr(cls, name, None)
                if isinstance(member, FunctionType) and name != "_replace":
                    return Method(member, base)
                if isinstance(member, property) and member.fget:
                    return self.call_value(KnownObject(member.fget), [base], {})
                if member is not None and name not in ("_replace", "_asdict", "count", "index"):
                    return KnownObject(member)
                return Method(name, base)
            case Closure() | LazyIterable() | Method() if not (isinstance(base, LazyIterable) and base.kind == "bin"):
                self.refuse(f"uses .{name} of {self.describe(base)}, which has no compiled form")
        return Method(name, base)

    # -- operators ----------------------------------------------------------------------------------------------------

    def fold_int(self, node: ast.expr) -> int | None:
        """Fold an expression to an int without emitting anything; None if its value is not known."""
        match node:
            case ast.Constant(value=int() as value):
                return value
            case ast.Name() | ast.Attribute():
                try:
                    if isinstance(node, ast.Name):
                        found = self.read_name(node.id)
                    elif isinstance(node.value, ast.Name):
                        base = self.read_name(node.value.id)
                        if not isinstance(base, KnownObject):
                            return None
                        found = KnownObject(getattr(base.value, node.attr, None))
                    else:
                        return None
                # Folding comes before the operands are lowered, and may neither emit nor refuse: lowering says what is
                # wrong with them.
                except Exception:
                    return None
                return found.value if isinstance(found, KnownObject) and isinstance(found.value, int) else None
            case ast.BinOp() if type(node.op) in OPERATORS:
                left, right = self.fold_int(node.left), self.fold_int(node.right)
                if (
                    left is None
                    or right is None
                    or (isinstance(node.op, ast.LShift | ast.Pow) and not 0 <= right < 256)
                ):
                    return None
                try:
                    found_int = OPERATORS[type(node.op)](left, right)
                except (ArithmeticError, ValueError):
                    return None
                return found_int if isinstance(found_int, int) else None
        return None

    def lower_binary(self, node: ast.BinOp, low: int | None) -> Value:
        if (replaced := self.lower_item_replacement(node)) is not None:
            return replaced
        # An operand whose high bits a mask clears matters only by its low bits; it may wrap then, and needs no test.
        left_low = right_low = None
        if isinstance(node.op, ast.BitAnd):
            right_mask, left_mask = self.fold_int(node.right), self.fold_int(node.left)
            left_low, right_low = _masked_bits(low, right_mask), _masked_bits(low, left_mask)
        elif isinstance(node.op, _WRAPPING):
            left_low = right_low = low
        elif isinstance(node.op, ast.LShift):
            left_low = low
        elif isinstance(node.op, ast.RShift) and low is not None:
            by = self.fold_int(node.right)
            # The result's low bits come from as many bits higher up. Beyond bit 63 a wrapped operand has copies of its
            # sign, and Python may have others.
            if by is not None and by >= 0 and low + by <= INT_BITS:
                left_low = low + by
        left = self.lower_expr(node.left, left_low)
        right = self.lower_expr(node.right, right_low)
        self.note_line(node)
        return self.emit_binary(type(node.op), left, right, low)

    def lower_unary(self, node: ast.UnaryOp, low: int | None) -> Value:
        if isinstance(node.op, ast.Not):
            return self.emit_not(self.emit_truth(self.lower_expr(node.operand)))
        value = self.lower_expr(node.operand, low)
        self.note_line(node)
        return self.emit_unary(type(node.op), value, low)

    def lower_short_circuit(self, node: ast.BoolOp, keeps_value: bool) -> Value:
        """Lower `and` or `or`: to the value of a part, or to its truth alone, so that parts may differ in type."""
        is_and = isinstance(node.op, ast.And)

        def lower_rest(values: list[ast.expr]) -> Value:
            first = self.lower_expr(values[0]) if keeps_value else self.lower_condition(values[0])
            if len(values) == 1:
                return first

            def stop() -> Value:
                return first if keeps_value else KnownObject(not is_and)

            def go_on() -> Value:
                return lower_rest(values[1:])

            return self.emit_conditional(self.emit_truth(first), *((go_on, stop) if is_and else (stop, go_on)))

        return lower_rest(node.values)

    def lower_condition(self, node: ast.expr) -> Value:
        """Lower an expression to whether it is true."""
        if isinstance(node, ast.BoolOp):
            return self.lower_short_circuit(node, keeps_value=False)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.emit_not(self.lower_condition(node.operand))
        return self.emit_truth(self.lower_expr(node))

    def lower_comparison(self, node: ast.Compare) -> Value:
        def lower_from(left: Value, place: int) -> Value:
            right = self.lower_expr(node.comparators[place])
            self.note_line(node)
            first = self.emit_comparison(type(node.ops[place]), left, right)
            if place + 1 == len(node.ops):
                return first
            return self.emit_conditional(self.emit_truth(first), lambda: lower_from(right, place + 1), lambda: FALSE)

        return lower_from(self.lower_expr(node.left), 0)

    # -- items --------------------------------------------------------------------------------------------------------

    def lower_subscript(self, node: ast.Subscript) -> Value:
        container = self.require_value(self.lower_expr(node.value))
        if isinstance(node.slice, ast.Slice):
            return self.lower_slice(container, node.slice)
        index = self.lower_expr(node.slice)
        self.note_line(node)
        return self.read_item(container, index)

    def lower_slice(self, container: Value, where: ast.Slice) -> Value:
        bounds = [None if each is None else self.lower_expr(each) for each in (where.lower, where.upper, where.step)]
        if (
            any(each is not None and not isinstance(each, KnownObject) for each in bounds)
            or self.known_length(container) is None
        ):
            self.refuse(
                "takes a slice whose length no one knows beforehand; "
                "cells[:place] + (value,) + cells[place + 1:] is taken as a whole, as is bits.with_word"
            )
        known = [each.value if isinstance(each, KnownObject) else None for each in bounds]
        if isinstance(container, KnownObject):
            return KnownObject(container.value[slice(*known)])
        return self.make_tuple(self.items_of(container)[slice(*known)], list if is_list(container) else tuple)

    def lower_item_replacement(self, node: ast.expr) -> Value | None:
        """Lower `cells[:place] + (value,) + cells[place + 1:]`, or the like with stars; None for other expressions."""
        match node:
            case ast.BinOp(
                op=ast.Add(),
                left=ast.BinOp(op=ast.Add(), left=ast.Subscript() as before, right=ast.Tuple(elts=[new])),
                right=ast.Subscript() as behind,
            ):
                pass
            case ast.Tuple(
                elts=[ast.Starred(value=ast.Subscript() as before), new, ast.Starred(value=ast.Subscript() as behind)]
            ):
                pass
            case _:
                return None
        match before.slice, behind.slice:
            case (
                ast.Slice(lower=None, upper=ast.expr() as place, step=None),
                ast.Slice(lower=ast.expr() as next_place, upper=None, step=None),
            ):
                # The two places are compared by their syntax: both slices have to leave out the one place, whatever its
                # value.
                is_next = _is_same_syntax(next_place, ast.BinOp(place, ast.Add(), ast.Constant(1)))
            case _:
                return None
        if not is_next or not _is_same_syntax(before.value, behind.value) or isinstance(new, ast.Starred):
            return None
        container, index = self.require_value(self.lower_expr(before.value)), self.require_value(self.lower_expr(place))
        # The general form has slices of lengths that are not known, which have no form; this one has a known length.
        if self.known_length(container) is None:
            return None
        value = self.lower_expr(new)
        self.note_line(node)
        return self.replace_item(container, index, value)


def _masked_bits(low: int | None, mask: int | None) -> int | None:
    """Low bits that are needed of an operand whose others a mask clears; None for all."""
    if mask is None or mask < 0:
        return low
    if low is None:
        return mask.bit_length() if mask.bit_length() < INT_BITS else None
    return min(low, mask.bit_length())


def _is_same_syntax(left: ast.expr, right: ast.expr) -> bool:
    return ast.dump(left) == ast.dump(right)
