"""Expressions: Python's operators on values, exact to the last bit.

What is known is reckoned by Python itself. Of an int whose high bits are masked away, as in `x * factor & mask`, only
the low ones are asked for (`low`), and it may wrap: the low bits of sums, products and shifts to the left depend on
those of their operands alone. Else an int that leaves 64 bits is a fault.
"""

import ast
import builtins
import operator
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final

from plyground.compiler.builder import Builder, Frame
from plyground.compiler.form import ConstantOperand, Operand, Register, RegisterKind
from plyground.compiler.source import changed_globals
from plyground.compiler.types import (
    SHORT,
    Array,
    Closure,
    GrowingRow,
    KnownChoice,
    KnownObject,
    Lazy,
    Method,
    Perhaps,
    Tuple,
    Value,
    as_value,
    constant,
)

BITS: Final = 64
LEAST: Final = -(1 << 63)
MOST: Final = (1 << 63) - 1


class Overflow(ArithmeticError):
    """An int would leave 64 bits."""


class Uncovered(Exception):
    """Something that plain Python does and compiled code has no form for; the message says what."""


OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
    ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le),
    ast.Gt: ("gt", operator.gt),
    ast.GtE: ("ge", operator.ge),
}
_FLOATS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_WRAPPING = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
TRUE, FALSE = KnownObject(True), KnownObject(False)


def wrapped(value: int) -> int:
    """The signed int of 64 bits with the same low bits."""
    return (value + (1 << 63) & (1 << 64) - 1) - (1 << 63)


class ExpressionWriter(Builder):
    """Writer of expressions."""

    def call(self, node: ast.Call) -> Value:
        raise NotImplementedError

    def call_value(self, function: Value, args: list[Value], names: dict[str, Value]) -> Value:
        raise NotImplementedError

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Value:
        raise NotImplementedError

    def listed(self, value: Value) -> Value:
        """An iterable as a tuple."""
        raise NotImplementedError

    def row_of(self, value: Value, shape: str = "list", length: int | None = None) -> GrowingRow:
        raise NotImplementedError

    def iterate(self, value: Value, carried: set[tuple[int, str]], body: Callable[[Value], None]) -> None:
        raise NotImplementedError

    # -- by kind of node ----------------------------------------------------------------------------------------------

    def expr(self, node: ast.expr, low: int | None = None) -> Value:
        """The value of an expression, of which `low` bits are asked for; None for all."""
        match node:
            case ast.Constant():
                return KnownObject(node.value)
            case ast.Name():
                return self.name(node.id)
            case ast.Attribute():
                return self.attribute(self.expr(node.value), node.attr)
            case ast.BinOp():
                return self.binary(node, low)
            case ast.UnaryOp():
                return self.unary(node, low)
            case ast.Compare():
                return self.compare(node)
            case ast.BoolOp():
                return self.bool_op(node)
            case ast.IfExp():
                then, otherwise = node.body, node.orelse
                return self.pick(
                    self.truth(self.expr(node.test)), lambda: self.expr(then), lambda: self.expr(otherwise)
                )
            case ast.Tuple() | ast.List():
                if (replaced := self.item_replaced(node)) is not None:
                    return replaced
                parts: list[Value] = []
                for each in node.elts:
                    if isinstance(each, ast.Starred):
                        parts += self.items(self.listed(self.expr(each.value)))
                    else:
                        parts.append(self.expr(each))
                return self.tuple_of(parts, tuple if isinstance(node, ast.Tuple) else list)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Call():
                return self.call(node)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return self.comprehension(node)
            case ast.Set():
                return self.row_of(self.tuple_of([self.expr(each) for each in node.elts]), "set")
            case ast.Lambda():
                return Closure(node, self.frame)
            case ast.NamedExpr():
                value = self.expr(node.value)
                self.names[self.key_of(node.target.id)] = value
                return value
        self.at(node)
        what = {
            ast.Dict: "makes a dict; a constant one at the top of the file is taken, or a tuple for each key",
            ast.JoinedStr: "works with text, and compiled rules know only numbers and tuples of them",
            ast.DictComp: "makes a dict; a tuple with an item for each key does its work",
        }.get(type(node), f"uses {type(node).__name__}, which compiled rules do not have")
        self.refuse(what)

    def key_of(self, name: str) -> tuple[int, str]:
        """The key in `env` of a name of the function being written."""
        frame: Frame | None = self.frame
        while frame is not None and frame.parent is not None and name not in frame.own:
            frame = frame.parent
        assert frame is not None
        return frame.number, name

    def name(self, name: str) -> Value:
        frame = self.frame
        while True:
            if (value := self.names.get((frame.number, name))) is not None:
                if isinstance(value, Perhaps) and not value.is_none:
                    value = self.given(value)
                    self.names[frame.number, name] = value
                return value
            if frame.parent is None:
                break
            frame = frame.parent
        function: FunctionType = frame.function
        if frame.facts and name in frame.facts.assigned:
            self.fault(UnboundLocalError, f"{name} has no value yet")
        if name in function.__code__.co_freevars:
            cells = function.__closure__ or ()
            return self.checked_known(cells[function.__code__.co_freevars.index(name)].cell_contents, name)
        if name in function.__globals__:
            value = function.__globals__[name]
            if name in changed_globals(function) or isinstance(value, bytearray):
                self.refuse(f"reads {name}, which functions change; rules read only what never changes")
            return self.checked_known(value, name)
        if hasattr(builtins, name):
            return KnownObject(getattr(builtins, name))
        self.refuse(f"uses the name {name}, which is defined nowhere")

    def checked_known(self, value: object, name: str) -> Value:
        return KnownObject(value)

    def attribute(self, base: Value, name: str) -> Value:
        base = self.given(base)
        match base:
            case KnownObject(value=thing):
                member = getattr(type(thing), name, None) if not isinstance(thing, type | ModuleType) else None
                if isinstance(member, FunctionType):
                    return Method(member, base)
                if isinstance(thing, tuple | int | str | list | dict) and not hasattr(thing, "_fields"):
                    return Method(name, base)
                if hasattr(thing, "_fields") and name in ("_replace", "count", "index"):
                    return Method(name, base)
                try:
                    return KnownObject(getattr(thing, name))
                except AttributeError:
                    what = (
                        "self" if isinstance(base, KnownObject) and not isinstance(thing, ModuleType) else "the module"
                    )
                    self.refuse(f"uses {what}.{name}, which there is not")
            case Tuple(cls=cls) if hasattr(cls, "_fields"):
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
            case Closure() | Lazy() | Method() if not (isinstance(base, Lazy) and base.kind == "bin"):
                self.refuse(f"uses .{name} of {self.said(base)}, which has no compiled form")
        return Method(name, base)

    # -- operators ----------------------------------------------------------------------------------------------------

    def known_int(self, node: ast.expr) -> int | None:
        """An int that an expression is known to be, without writing anything."""
        match node:
            case ast.Constant(value=int() as value):
                return value
            case ast.Name() | ast.Attribute():
                try:
                    if isinstance(node, ast.Name):
                        found = self.name(node.id)
                    elif isinstance(node.value, ast.Name):
                        base = self.name(node.value.id)
                        if not isinstance(base, KnownObject):
                            return None
                        found = KnownObject(getattr(base.value, node.attr, None))
                    else:
                        return None
                except Exception:
                    return None
                return found.value if isinstance(found, KnownObject) and isinstance(found.value, int) else None
            case ast.BinOp() if type(node.op) in OPERATORS:
                left, right = self.known_int(node.left), self.known_int(node.right)
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

    def binary(self, node: ast.BinOp, low: int | None) -> Value:
        if (replaced := self.item_replaced(node)) is not None:
            return replaced
        left_low = right_low = None
        if isinstance(node.op, ast.BitAnd):
            right_mask, left_mask = self.known_int(node.right), self.known_int(node.left)
            left_low = _less(low, right_mask)
            right_low = _less(low, left_mask)
            if low is None and left_low is not None and left_low > 63:
                left_low = None
            if low is None and right_low is not None and right_low > 63:
                right_low = None
        elif isinstance(node.op, _WRAPPING):
            left_low = right_low = low
        elif isinstance(node.op, ast.LShift):
            left_low = low
        elif isinstance(node.op, ast.RShift) and low is not None:
            by = self.known_int(node.right)
            if by is not None and by >= 0 and low + by <= BITS:
                left_low = low + by
        left = self.expr(node.left, left_low)
        right = self.expr(node.right, right_low)
        self.at(node)
        return self.operate(type(node.op), left, right, low)

    def operate(self, op: type[ast.operator], left: Value, right: Value, low: int | None = None) -> Value:
        """The value of an operation on two values."""
        left, right = self.given(left), self.given(right)
        if isinstance(left, KnownObject) and isinstance(right, KnownObject) and op in OPERATORS:
            if op in (ast.LShift, ast.Pow) and isinstance(right.value, int) and right.value > 4096:
                self.refuse("makes an int of thousands of bits")
            try:
                return KnownObject(OPERATORS[op](left.value, right.value))
            except (ArithmeticError, ValueError, TypeError) as error:
                self.fault(type(error), *error.args)
        if self.is_sequence(left) or self.is_sequence(right):
            return self.sequence_operation(op, left, right)
        if self.is_float(left) or self.is_float(right):
            return self.float_operation(op, left, right)
        if op is ast.Div:
            return self.float_operation(op, self.exact_float(left), self.exact_float(right))
        both = [each for each in (left, right) if isinstance(each, Register) and each.kind is RegisterKind.BOOL]
        if op in (ast.BitAnd, ast.BitOr, ast.BitXor) and len(both) + sum(map(_is_known_bool, (left, right))) == 2:
            name = {ast.BitAnd: "both", ast.BitOr: "either", ast.BitXor: "differ"}[op]
            return self.op(
                name, RegisterKind.BOOL, self.operand(left, RegisterKind.BOOL), self.operand(right, RegisterKind.BOOL)
            )
        if op is ast.Pow:
            return self.power(left, right)
        a, b = self.word(left, low), self.word(right, low if op is not ast.LShift and op is not ast.RShift else None)
        return self.int_operation(op, a, b, low)

    def word(self, value: Value, low: int | None) -> Operand:
        """An int as an operand; of a known one that is too large only the low bits, where these are enough."""
        if isinstance(value, KnownObject) and isinstance(value.value, int) and low is not None:
            return ConstantOperand(wrapped(value.value), RegisterKind.INT)
        return self.operand(value, RegisterKind.INT)

    def int_operation(self, op: type[ast.operator], a: Operand, b: Operand, low: int | None = None) -> Value:
        wraps = low is not None or not self.is_checked
        known = b.value if isinstance(b, ConstantOperand) else None
        if op in (ast.Add, ast.Sub, ast.Mult):
            if op is ast.Mult and 0 in (known, a.value if isinstance(a, ConstantOperand) else None):
                return KnownObject(0)
            if known == (1 if op is ast.Mult else 0):
                return as_value(a)
            fault = 0 if wraps else self.fault_number(Overflow)
            name = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}[op]
            return self.op(name, RegisterKind.INT, a, b, fault=fault)
        if op in (ast.BitAnd, ast.BitOr, ast.BitXor):
            if op is ast.BitAnd and 0 in (known, a.value if isinstance(a, ConstantOperand) else None):
                return KnownObject(0)
            return self.op({ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}[op], RegisterKind.INT, a, b)
        if op is ast.LShift:
            return self.shifted_left(a, b, wraps)
        if op is ast.RShift:
            if isinstance(b, Register):
                self.fault_if(self.op("lt", RegisterKind.BOOL, b, _int(0)), ValueError, "negative shift count")
                far = self.op("gt", RegisterKind.BOOL, b, _int(63))
                b = self.op("select", RegisterKind.INT, far, _int(63), b)
            elif b.value < 0:
                self.fault(ValueError, "negative shift count")
            else:
                b = _int(min(int(b.value), 63))
            return self.op("shr", RegisterKind.INT, a, b)
        if op in (ast.FloorDiv, ast.Mod):
            return self.divided(a, b, op)[op is ast.Mod]
        self.refuse(f"uses the operator {op.__name__}, which compiled rules do not have")

    def shifted_left(self, a: Operand, b: Operand, wraps: bool) -> Value:
        if isinstance(b, ConstantOperand):
            if b.value < 0:
                self.fault(ValueError, "negative shift count")
            if b.value >= BITS:
                result: Operand = _int(0)
            else:
                result = self.op("shl", RegisterKind.INT, a, b)
            back: Operand = b if b.value < BITS else _int(0)
        else:
            self.fault_if(self.op("lt", RegisterKind.BOOL, b, _int(0)), ValueError, "negative shift count")
            near = self.op("lt", RegisterKind.BOOL, b, _int(BITS))
            back = self.op("and", RegisterKind.INT, b, _int(63))
            moved = self.op("shl", RegisterKind.INT, a, back)
            result = self.op("select", RegisterKind.INT, near, moved, _int(0))
        if not wraps:
            again = self.op("shr", RegisterKind.INT, result, back)
            self.fault_if(self.op("ne", RegisterKind.BOOL, again, a), Overflow)
        return as_value(result)

    def divided(self, a: Operand, b: Operand, op: type[ast.operator] | None = None) -> tuple[Value, Value]:
        """Floor division and its rest; with `op` only one of them is asked for, and a rest never leaves 64 bits."""
        if isinstance(b, ConstantOperand):
            if b.value == 0:
                self.fault(ZeroDivisionError, "integer division or modulo by zero")
            if b.value == -1:
                if op is ast.Mod:
                    return KnownObject(0), KnownObject(0)
                fault = self.fault_number(Overflow)
                return self.op("sub", RegisterKind.INT, _int(0), a, fault=fault), KnownObject(0)
            if b.value > 0 and int(b.value) & (int(b.value) - 1) == 0:
                bits = int(b.value).bit_length() - 1
                return self.op("shr", RegisterKind.INT, a, _int(bits)), self.op(
                    "and", RegisterKind.INT, a, _int(int(b.value) - 1)
                )
        else:
            self.fault_if(
                self.op("eq", RegisterKind.BOOL, b, _int(0)), ZeroDivisionError, "integer division or modulo by zero"
            )
            least, minus = (
                self.op("eq", RegisterKind.BOOL, a, _int(LEAST)),
                self.op("eq", RegisterKind.BOOL, b, _int(-1)),
            )
            if op is ast.Mod:
                b = self.op("select", RegisterKind.INT, minus, _int(1), b)
            else:
                self.fault_if(self.op("both", RegisterKind.BOOL, least, minus), Overflow)
        quotient = self.op("quotient", RegisterKind.INT, a, b)
        rest = self.op("remainder", RegisterKind.INT, a, b)
        some = self.op("ne", RegisterKind.BOOL, rest, _int(0))
        apart = self.op("lt", RegisterKind.BOOL, self.op("xor", RegisterKind.INT, rest, b), _int(0))
        is_below = self.op("both", RegisterKind.BOOL, some, apart)
        floor = self.op("sub", RegisterKind.INT, quotient, self.op("int_of", RegisterKind.INT, is_below))
        return floor, self.op("add", RegisterKind.INT, rest, self.op("select", RegisterKind.INT, is_below, b, _int(0)))

    def power(self, left: Value, right: Value) -> Value:
        if not isinstance(right, KnownObject) or not isinstance(right.value, int) or not 0 <= right.value <= 64:
            self.refuse("raises to a power that is not known; multiply in a loop, or shift for powers of two")
        result: Value = KnownObject(1)
        for _ in range(right.value):
            result = self.operate(ast.Mult, result, left)
        return result

    def is_float(self, value: Value) -> bool:
        return (isinstance(value, KnownObject) and isinstance(value.value, float)) or (
            isinstance(value, Register) and value.kind is RegisterKind.FLOAT
        )

    def exact_float(self, value: Value) -> Value:
        """An int as a float; a fault where it has more bits than a float keeps."""
        operand = self.operand(value, RegisterKind.INT)
        if isinstance(operand, Register):
            moved = self.op("add", RegisterKind.INT, operand, _int(1 << 53))
            near = self.op("below", RegisterKind.BOOL, moved, _int((1 << 54) + 1))
            self.fault_if(
                self.op("not", RegisterKind.BOOL, near), Uncovered, "an int of more than 53 bits is made a float"
            )
        return as_value(self.operand(value, RegisterKind.FLOAT))

    def float_operation(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        if op not in _FLOATS:
            self.refuse(f"uses the operator {op.__name__} on floats")
        a = self.operand(left if self.is_float(left) else self.exact_float(left), RegisterKind.FLOAT)
        b = self.operand(right if self.is_float(right) else self.exact_float(right), RegisterKind.FLOAT)
        if op is ast.Div:
            if isinstance(b, ConstantOperand):
                if b.value == 0:
                    self.fault(ZeroDivisionError, "float division by zero")
            else:
                self.fault_if(
                    self.op("feq", RegisterKind.BOOL, b, ConstantOperand(0.0, RegisterKind.FLOAT)),
                    ZeroDivisionError,
                    "division by zero",
                )
        return self.op(_FLOATS[op], RegisterKind.FLOAT, a, b)

    def unary(self, node: ast.UnaryOp, low: int | None) -> Value:
        if isinstance(node.op, ast.Not):
            return self.inverse(self.truth(self.expr(node.operand)))
        value = self.given(self.expr(node.operand, low))
        self.at(node)
        if isinstance(value, KnownObject):
            try:
                return KnownObject(
                    -value.value
                    if isinstance(node.op, ast.USub)
                    else ~int(value.value)
                    if isinstance(node.op, ast.Invert)
                    else +value.value
                )
            except TypeError as error:
                self.fault(TypeError, *error.args)
        if self.is_float(value):
            if isinstance(node.op, ast.USub):
                return self.op(
                    "fmul", RegisterKind.FLOAT, self.operand(value), ConstantOperand(-1.0, RegisterKind.FLOAT)
                )
            return value
        operand = self.operand(value, RegisterKind.INT)
        if isinstance(node.op, ast.USub):
            return self.int_operation(ast.Sub, _int(0), operand, low)
        if isinstance(node.op, ast.Invert):
            return self.op("xor", RegisterKind.INT, operand, _int(-1))
        return as_value(operand)

    def inverse(self, value: Value) -> Value:
        if isinstance(value, KnownObject):
            return KnownObject(not value.value)
        return self.op("not", RegisterKind.BOOL, self.operand(value, RegisterKind.BOOL))

    # -- truth --------------------------------------------------------------------------------------------------------

    def truth(self, value: Value) -> Value:
        """Whether a value counts as true."""
        match value:
            case KnownObject():
                return KnownObject(bool(value.value))
            case Register():
                if value.kind is RegisterKind.FLOAT:
                    return self.op("fne", RegisterKind.BOOL, value, ConstantOperand(0.0, RegisterKind.FLOAT))
                return as_value(self.operand(value, RegisterKind.BOOL))
            case Tuple():
                return KnownObject(bool(value.items))
            case Array():
                return KnownObject(value.length > 0)
            case GrowingRow():
                return self.op("ne", RegisterKind.BOOL, self.load(value.address, 0), _int(0))
            case Perhaps():
                inner = value.value
                return self.pick(as_value(value.flag), lambda: self.truth(inner), lambda: FALSE)
            case Lazy(kind="range"):
                return self.compared(ast.Gt, self.length(value), KnownObject(0))
        return TRUE

    def length(self, value: Value) -> Value:
        raise NotImplementedError

    def bool_op(self, node: ast.BoolOp) -> Value:
        is_and = isinstance(node.op, ast.And)

        def rest(values: list[ast.expr]) -> Value:
            first = self.expr(values[0])
            if len(values) == 1:
                return first
            test = self.truth(first)
            if is_and:
                return self.pick(test, lambda: rest(values[1:]), lambda: first)
            return self.pick(test, lambda: first, lambda: rest(values[1:]))

        return rest(node.values)

    def test(self, node: ast.expr) -> Value:
        """Whether an expression is true; its value is not needed, so `and` and `or` may join parts of two kinds."""
        if isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)

            def rest(values: list[ast.expr]) -> Value:
                first = self.test(values[0])
                if len(values) == 1:
                    return first
                if is_and:
                    return self.pick(first, lambda: rest(values[1:]), lambda: FALSE)
                return self.pick(first, lambda: TRUE, lambda: rest(values[1:]))

            return rest(node.values)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.inverse(self.test(node.operand))
        return self.truth(self.expr(node))

    # -- comparisons --------------------------------------------------------------------------------------------------

    def compare(self, node: ast.Compare) -> Value:
        def rest(left: Value, place: int) -> Value:
            right = self.expr(node.comparators[place])
            self.at(node)
            first = self.compared(type(node.ops[place]), left, right)
            if place + 1 == len(node.ops):
                return first
            return self.pick(self.truth(first), lambda: rest(right, place + 1), lambda: FALSE)

        return rest(self.expr(node.left), 0)

    def compared(self, op: type[ast.cmpop], left: Value, right: Value) -> Value:
        """Whether a comparison holds."""
        if op in (ast.Is, ast.IsNot, ast.Eq, ast.NotEq) and (_is_none(left) or _is_none(right)):
            other = left if _is_none(right) else right
            if _is_none(other):
                same: Value = TRUE
            elif isinstance(other, Perhaps) and other.is_none:
                same = self.inverse(as_value(other.flag))
            else:
                same = FALSE
            return same if op in (ast.Is, ast.Eq) else self.inverse(same)
        if op in (ast.In, ast.NotIn):
            found = self.contains(left, right)
            return found if op is ast.In else self.inverse(found)
        if op in (ast.Is, ast.IsNot):
            if isinstance(left, KnownObject) and isinstance(right, KnownObject):
                return KnownObject((left.value is right.value) == (op is ast.Is))
            if all(self.is_bool(each) for each in (left, right)):
                op = ast.Eq if op is ast.Is else ast.NotEq
            else:
                self.refuse("compares numbers by is; write ==")
        left, right = self.given(left), self.given(right)
        name, plain = COMPARISONS[op]
        if isinstance(left, KnownChoice) and isinstance(right, KnownObject):
            return self.of_options(left, lambda option: plain(option, right.value))
        if isinstance(left, KnownObject) and isinstance(right, KnownObject):
            try:
                return KnownObject(plain(left.value, right.value))
            except TypeError as error:
                self.fault(TypeError, *error.args)
        if self.is_sequence(left) or self.is_sequence(right):
            return self.sequences_compared(op, left, right)
        if self.is_float(left) or self.is_float(right):
            a = self.operand(left if self.is_float(left) else self.exact_float(left), RegisterKind.FLOAT)
            b = self.operand(right if self.is_float(right) else self.exact_float(right), RegisterKind.FLOAT)
            return self.op("f" + name, RegisterKind.BOOL, a, b)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, KnownObject) and not isinstance(one.value, int):
                if op in (ast.Eq, ast.NotEq):
                    return KnownObject(op is ast.NotEq)
                self.refuse(f"compares {self.said(other)} with {self.said(one)}")
            if isinstance(one, KnownObject) and not LEAST <= one.value <= MOST:
                sample = 0
                return KnownObject(plain(one.value, sample) if one is left else plain(sample, one.value))
        return self.op(
            name, RegisterKind.BOOL, self.operand(left, RegisterKind.INT), self.operand(right, RegisterKind.INT)
        )

    def is_bool(self, value: Value) -> bool:
        if isinstance(value, KnownObject):
            return isinstance(value.value, bool)
        return isinstance(value, Register) and value.kind is RegisterKind.BOOL

    def is_sequence(self, value: Value) -> bool:
        return isinstance(value, Tuple | Array | GrowingRow) or (
            isinstance(value, KnownObject)
            and isinstance(value.value, tuple | list | str | dict | set | frozenset | range)
        )

    def size_of(self, value: Value) -> int | None:
        """Length of a tuple, where it is known."""
        match value:
            case KnownObject(value=tuple() | list() | str() as items):
                return len(items)
            case Tuple():
                return len(value.items)
            case Array() | GrowingRow():
                return value.length
        return None

    def sequences_compared(self, op: type[ast.cmpop], left: Value, right: Value) -> Value:
        if not (self.is_sequence(left) and self.is_sequence(right)) or _is_list(left) != _is_list(right):
            if op in (ast.Eq, ast.NotEq):
                return KnownObject(op is ast.NotEq)
            self.refuse(f"compares {self.said(left)} with {self.said(right)}")
        lengths = self.size_of(left), self.size_of(right)
        if None in lengths:
            left, right = self.as_known_length(left), self.as_known_length(right)
            lengths = self.size_of(left), self.size_of(right)
        if op in (ast.Eq, ast.NotEq):
            same: Value = KnownObject(lengths[0] == lengths[1])
            if lengths[0] == lengths[1]:
                for a, b in zip(self.items(left), self.items(right), strict=True):
                    each = self.compared(ast.Eq, a, b)
                    if isinstance(each, KnownObject):
                        same = same if each.value else FALSE
                    elif isinstance(same, KnownObject):
                        same = each if same.value else FALSE
                    else:
                        same = self.op("both", RegisterKind.BOOL, self.operand(same), self.operand(each))
            return same if op is ast.Eq else self.inverse(same)
        pairs = list(zip(self.items(left), self.items(right), strict=False))
        short = KnownObject(COMPARISONS[op][1](lengths[0], lengths[1]))

        def rest(place: int) -> Value:
            if place == len(pairs):
                return short
            a, b = pairs[place]
            strict = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}.get(op, op)
            return self.pick(self.compared(ast.Eq, a, b), lambda: rest(place + 1), lambda: self.compared(strict, a, b))

        return rest(0)

    def as_known_length(self, value: Value) -> Value:
        if isinstance(value, GrowingRow) and value.length is None:
            self.refuse("compares a list whose length is not known; compare its items")
        return value

    def contains(self, item: Value, container: Value) -> Value:
        container = self.given(container)
        if isinstance(container, KnownObject) and isinstance(item, KnownObject):
            return KnownObject(item.value in container.value)
        if isinstance(container, KnownObject) and isinstance(container.value, set | frozenset | dict | range):
            container = KnownObject(tuple(container.value))
        if (isinstance(container, KnownObject) and len(container.value) > SHORT) or isinstance(
            container, Array | GrowingRow | Lazy
        ):
            return self.contains_by_loop(item, container)
        found: Value = FALSE
        for each in self.items(container):
            same = self.compared(ast.Eq, item, each)
            if isinstance(same, KnownObject):
                found = TRUE if same.value else found
            elif isinstance(found, KnownObject):
                found = TRUE if found.value else same
            else:
                found = self.op("either", RegisterKind.BOOL, self.operand(found), self.operand(same))
        return found

    def contains_by_loop(self, item: Value, container: Value) -> Value:
        if isinstance(container, GrowingRow):
            container = GrowingRow(container.address, container.room)
        key = self.temporary()
        self.names[key] = FALSE

        def body(leave: Any) -> None:
            def look(each: Value) -> None:
                def stop() -> None:
                    self.names[key] = TRUE
                    self.jump(leave)

                self.choose(self.compared(ast.Eq, item, each), stop, lambda: None)

            self.iterate(container, set(), look)

        self.block(body)
        return self.names.pop(key)

    # -- sequences ----------------------------------------------------------------------------------------------------

    def sequence_operation(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        sizes = self.size_of(left), self.size_of(right)
        if op is ast.Add and _is_list(left) == _is_list(right) and None not in sizes:
            return self.tuple_of([*self.items(left), *self.items(right)], list if _is_list(left) else tuple)
        if op is ast.Mult:
            times, sequence = (left, right) if self.is_sequence(right) else (right, left)
            if isinstance(times, KnownObject) and isinstance(times.value, int):
                return self.tuple_of(self.items(sequence) * times.value, list if _is_list(sequence) else tuple)
        self.refuse(
            f"uses an operator on {self.said(left)} and {self.said(right)} whose result has no known length; "
            "plyground.board.bits.with_word(cells, place, value) gives a tuple with another value at a place"
        )

    def subscript(self, node: ast.Subscript) -> Value:
        container = self.given(self.expr(node.value))
        if isinstance(node.slice, ast.Slice):
            return self.sliced(container, node.slice)
        index = self.expr(node.slice)
        self.at(node)
        return self.item(container, index)

    def item(self, container: Value, index: Value) -> Value:
        """The item of a tuple, a list, a constant dict or a `Memory` at an index."""
        index = self.given(index)
        if isinstance(container, Register) and container.kind is RegisterKind.ADDRESS:
            return self.op(
                "load_shared", RegisterKind.INT, self.place(container, self.operand(index, RegisterKind.INT))
            )
        if isinstance(index, KnownChoice) and isinstance(container, KnownObject):
            return self.of_options(index, lambda key: container.value[key])
        if isinstance(container, KnownChoice) and isinstance(index, KnownObject):
            return self.of_options(container, lambda row: row[index.value])
        if isinstance(container, KnownObject) and isinstance(container.value, dict):
            return self.looked_up(container.value, index)
        if isinstance(index, KnownObject):
            if isinstance(container, KnownObject):
                try:
                    return KnownObject(container.value[index.value])
                except (IndexError, KeyError, TypeError) as error:
                    self.fault(type(error), *error.args)
            if isinstance(container, Tuple | Array):
                known_length = self.size_of(container) or 0
                if not isinstance(index.value, int):
                    self.refuse(f"uses {self.said(index)} for a place in a tuple")
                if not -known_length <= index.value < known_length:
                    self.fault(IndexError, "tuple index out of range")
                place = index.value % known_length
                return container.items[place] if isinstance(container, Tuple) else self.load(container.address, place)
        if isinstance(container, GrowingRow):
            length_now = self.load(container.address, 0)
            at = self.bounded(self.operand(index, RegisterKind.INT), length_now)
            return self.load(self.place(container.address, 1), at)
        length: int | None = self.size_of(container)
        if length is None:
            self.refuse(f"takes an item of {self.said(container)}")
        if length == 0:
            self.fault(IndexError, "tuple index out of range")
        at = self.bounded(self.operand(index, RegisterKind.INT), _int(length))
        if isinstance(container, Array):
            return self.load(container.address, at)
        if isinstance(container, KnownObject):
            return self.table(list(container.value), at)
        items = self.items(container)
        result = items[-1]
        for place in range(length - 2, -1, -1):
            result = self.selected(self.op("eq", RegisterKind.BOOL, at, _int(place)), items[place], result)
        return result

    def bounded(self, index: Operand, length: Operand) -> Operand:
        """The place of an index that may count from the end; a fault beyond both ends."""
        behind = self.op("add", RegisterKind.INT, index, length)
        place = self.op("select", RegisterKind.INT, self.op("lt", RegisterKind.BOOL, index, _int(0)), behind, index)
        inside = self.op("below", RegisterKind.BOOL, place, length)
        self.fault_if(self.op("not", RegisterKind.BOOL, inside), IndexError, "index out of range")
        return place

    def table(self, rows: list[Any], at: Operand) -> Value:
        """The row of a constant table at a place."""
        if all(isinstance(row, bool) for row in rows):
            return as_value(self.operand(self.load(self.data(rows), at), RegisterKind.BOOL))
        if all(isinstance(row, int) for row in rows):
            if len(rows) <= 2:
                return self.selected(
                    self.op("eq", RegisterKind.BOOL, at, _int(0)), KnownObject(rows[0]), KnownObject(rows[-1])
                )
            return self.load(self.data(rows), at)
        if all(isinstance(row, float) for row in rows):
            self.refuse("looks up a float in a table")
        if all(isinstance(row, tuple | list) for row in rows):
            if len({(type(row), len(row)) for row in rows}) == 1:
                columns = [self.table([row[column] for row in rows], at) for column in range(len(rows[0]))]
                return self.tuple_of(columns, type(rows[0]))
            if all(isinstance(row, tuple) and isinstance(item, int) for row in rows for item in row):
                room = max(map(len, rows))
                words = [word for row in rows for word in (len(row), *row, *[0] * (room - len(row)))]
                start = self.op("mul", RegisterKind.INT, at, _int(room + 1))
                return GrowingRow(self.place(self.data(words), start), room, "tuple")
        return KnownObject(rows[0]) if len(rows) == 1 else KnownChoice(tuple(rows), at)

    def of_options(self, chosen: KnownChoice, function: Callable[[Any], Any]) -> Value:
        """What a function makes of one of several known objects."""
        try:
            return self.table([function(option) for option in chosen.options], chosen.at)
        except (LookupError, TypeError):
            self.refuse("looks up, of one of several constants, what not all of them have")

    def looked_up(self, items: dict[Any, Any], key: Value) -> Value:
        """The value of a constant dict for a key."""
        if isinstance(key, KnownObject):
            if key.value not in items:
                self.fault(KeyError, key.value)
            return KnownObject(items[key.value])
        keys = list(items)

        def rest(place: int) -> Value:
            if place == len(keys):
                self.fault(KeyError, "no such key")
            same = self.compared(ast.Eq, key, KnownObject(keys[place]))
            return self.pick(same, lambda: KnownObject(items[keys[place]]), lambda: rest(place + 1))

        return rest(0)

    def selected(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """One of two values that are both there."""
        if isinstance(condition, KnownObject):
            return then if condition.value else otherwise
        if self.is_int(then) and self.is_int(otherwise):
            kind = RegisterKind.BOOL if self.is_bool(then) and self.is_bool(otherwise) else RegisterKind.INT
            a, b = self.operand(then, kind), self.operand(otherwise, kind)
            return self.op("select", kind, self.operand(condition, RegisterKind.BOOL), a, b)
        return self.pick(condition, lambda: then, lambda: otherwise)

    def sliced(self, container: Value, where: ast.Slice) -> Value:
        bounds = [None if each is None else self.expr(each) for each in (where.lower, where.upper, where.step)]
        if (
            any(each is not None and not isinstance(each, KnownObject) for each in bounds)
            or self.size_of(container) is None
        ):
            self.refuse(
                "takes a slice whose length no one knows beforehand; "
                "cells[:place] + (value,) + cells[place + 1:] is taken as a whole, as is bits.with_word"
            )
        known = [each.value if isinstance(each, KnownObject) else None for each in bounds]
        if isinstance(container, KnownObject):
            return KnownObject(container.value[slice(*known)])
        return self.tuple_of(self.items(container)[slice(*known)], list if _is_list(container) else tuple)

    def item_replaced(self, node: ast.expr) -> Value | None:
        """`cells[:place] + (value,) + cells[place + 1:]`, and the like with stars: a tuple with another item."""
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
                is_next = _alike(next_place, ast.BinOp(place, ast.Add(), ast.Constant(1)))
            case _:
                return None
        if not is_next or not _alike(before.value, behind.value) or isinstance(new, ast.Starred):
            return None
        container, index = self.given(self.expr(before.value)), self.given(self.expr(place))
        if self.size_of(container) is None:
            return None
        value = self.expr(new)
        self.at(node)
        if isinstance(index, KnownObject):
            items = self.items(container)
            if not isinstance(index.value, int) or not 0 <= index.value < len(items):
                self.fault(Uncovered, "an item beyond the end of a tuple is replaced")
            return self.tuple_of([*items[: index.value], value, *items[index.value + 1 :]])
        at, length = self.operand(index, RegisterKind.INT), self.size_of(container) or 0
        inside = self.op("below", RegisterKind.BOOL, at, _int(length))
        self.fault_if(
            self.op("not", RegisterKind.BOOL, inside), Uncovered, "an item beyond the end of a tuple is replaced"
        )
        return self.with_item(container, at, value)

    def with_item(self, container: Value, at: Operand, value: Value) -> Value:
        """A tuple with another item at a place that is in it."""
        if isinstance(container, Array) or (isinstance(container, KnownObject) and len(container.value) > SHORT):
            source, length = self.address_of(container)
            address = self.slot(length)
            self.act("copy", address, source, _int(8 * length))
            self.store(address, at, self.operand(value, RegisterKind.INT))
            return Array(address, length)
        items = self.items(container)
        changed = [
            self.selected(self.op("eq", RegisterKind.BOOL, at, _int(place)), value, item)
            for place, item in enumerate(items)
        ]
        return self.tuple_of(changed)


def _int(value: int) -> ConstantOperand:
    return ConstantOperand(value, RegisterKind.INT)


def _less(low: int | None, mask: int | None) -> int | None:
    """Bits asked for of what is masked."""
    if mask is None or mask < 0:
        return low
    return mask.bit_length() if low is None else min(low, mask.bit_length())


def _is_none(value: Value) -> bool:
    return isinstance(value, KnownObject) and value.value is None


def _is_known_bool(value: Value) -> bool:
    return isinstance(value, KnownObject) and isinstance(value.value, bool)


def _is_list(value: Value) -> bool:
    if isinstance(value, KnownObject):
        return isinstance(value.value, list)
    return (isinstance(value, Tuple) and value.cls is list) or (isinstance(value, GrowingRow) and value.shape == "list")


def _alike(left: ast.expr, right: ast.expr) -> bool:
    return ast.dump(left) == ast.dump(right)


__all__ = ["ExpressionWriter", "Overflow", "Uncovered", "constant", "wrapped"]
