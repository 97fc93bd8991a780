"""Lowering of Python's operators on numbers, exact to the last bit.

Of an int whose high bits are masked away, as in `x * factor & mask`, only the `low` ones are needed, and it may wrap:
the low bits of sums, products and shifts to the left depend on those of their operands alone. Else an int that leaves
64 bits is a fault.
"""

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from plyground.compiler.errors import Overflow, UnsupportedCase
from plyground.compiler.form import ConstantOperand, Operand, Register, RegisterKind
from plyground.compiler.lowering.builder import Builder
from plyground.compiler.types import KnownObject, Value, as_operand, as_value

INT_BITS: Final = 64
LEAST_INT: Final = -(1 << 63)
MOST_INT: Final = (1 << 63) - 1

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
_FLOAT_OPERATIONS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_COMMUTATIVE_OPERATORS = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_BOOL_OPERATIONS: dict[type[ast.operator], str] = {ast.BitAnd: "both", ast.BitOr: "either", ast.BitXor: "differ"}
_UNARY_OPERATORS: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    # `~` of a bool warns since Python 3.12.
    ast.Invert: lambda value: ~int(value),
}


def wrap_int(value: int) -> int:
    """The signed int of 64 bits with the same low bits."""
    return (value + (1 << 63) & (1 << 64) - 1) - (1 << 63)


class ArithmeticLowering(Builder):
    """Emits operators on numbers, with a fault wherever 64 bits or a float cannot hold Python's result."""

    def is_bool(self, value: Value) -> bool:
        if isinstance(value, KnownObject):
            return isinstance(value.value, bool)
        return isinstance(value, Register) and value.kind is RegisterKind.BOOL

    def is_float(self, value: Value) -> bool:
        return (isinstance(value, KnownObject) and isinstance(value.value, float)) or (
            isinstance(value, Register) and value.kind is RegisterKind.FLOAT
        )

    def float_operand(self, value: Value) -> Operand:
        return self.operand(value if self.is_float(value) else self.convert_to_float(value), RegisterKind.FLOAT)

    def low_bits_operand(self, value: Value, low: int | None) -> Operand:
        """Convert an int to an operand; where only `low` bits are needed, a constant of more than 64 is cut."""
        if isinstance(value, KnownObject) and isinstance(value.value, int) and low is not None:
            return as_operand(wrap_int(value.value))
        return self.int_operand(value)

    def convert_to_float(self, value: Value) -> Value:
        """Convert an int to the nearest float, as Python does."""
        return as_value(self.operand(as_value(self.int_operand(value)), RegisterKind.FLOAT))

    def require_exact_float(self, value: Value) -> None:
        """Emit a fault where an int has more bits than a float keeps: Python divides and compares such ints exactly."""
        if self.is_float(value):
            return
        operand = self.int_operand(value)
        # |x| <= 2**53 by one comparison without signs: x + 2**53 lies between 0 and 2**54, and a smaller x wraps to a
        # large number.
        moved = self.emit_op("add", operand, 1 << 53)
        in_range = self.emit_op("below", moved, (1 << 54) + 1)
        self.emit_fault_unless(
            in_range, UnsupportedCase, "an int of more than 53 bits is divided or compared as a float"
        )

    def emit_number_binary(self, op: type[ast.operator], left: Value, right: Value, low: int | None = None) -> Value:
        """Emit an operation on two numbers of which not both are known, as `emit_binary`."""
        if op is ast.Div or self.is_float(left) or self.is_float(right):
            return self.emit_float_binary(op, left, right)
        if op in _BOOL_OPERATIONS and self.is_bool(left) and self.is_bool(right):
            return self.emit_op(_BOOL_OPERATIONS[op], self.bool_operand(left), self.bool_operand(right))
        if op is ast.Pow:
            return self.emit_power(left, right)
        low_right = None if op in (ast.LShift, ast.RShift) else low
        return self.emit_int_binary(op, self.low_bits_operand(left, low), self.low_bits_operand(right, low_right), low)

    def emit_int_binary(self, op: type[ast.operator], a: Operand, b: Operand, low: int | None = None) -> Value:
        wraps = low is not None or not self.is_checked
        # A constant stands second: the cases below, and those of `simplification.py`, look for it there.
        if isinstance(a, ConstantOperand) and op in _COMMUTATIVE_OPERATORS:
            a, b = b, a
        known = b.value if isinstance(b, ConstantOperand) else None
        if op in (ast.Add, ast.Sub, ast.Mult):
            # Results that are known stay known here, where a loop over them may still be unrolled; LLVM would find them
            # too late.
            if op is ast.Mult and known == 0:
                return KnownObject(0)
            if known == (1 if op is ast.Mult else 0):
                return as_value(a)
            fault = 0 if wraps else self.fault_number(Overflow)
            return self.emit_op({ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}[op], a, b, fault=fault)
        if op in (ast.BitAnd, ast.BitOr, ast.BitXor):
            if known == 0:
                return KnownObject(0) if op is ast.BitAnd else as_value(a)
            return self.emit_op({ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}[op], a, b)
        if op is ast.LShift:
            return self.emit_left_shift(a, b, wraps)
        if op is ast.RShift:
            return self.emit_right_shift(a, b)
        if op in (ast.FloorDiv, ast.Mod):
            return self.emit_division(a, b, op)[op is ast.Mod]
        self.refuse(f"uses the operator {op.__name__}, which compiled rules do not have")

    def emit_left_shift(self, a: Operand, b: Operand, wraps: bool) -> Value:
        # The processor takes a distance modulo 64 and LLVM leaves a larger one undefined; of Python's result no low bit
        # is set then, so it is 0 in 64 bits.
        result: Operand
        back: Operand
        if isinstance(b, ConstantOperand):
            if b.value < 0:
                self.emit_fault(ValueError, "negative shift count")
            is_near = b.value < INT_BITS
            result, back = (self.emit_op("shl", a, b), b) if is_near else (as_operand(0), as_operand(0))
        else:
            self.emit_fault_if(self.emit_op("lt", b, 0), ValueError, "negative shift count")
            in_range = self.emit_op("lt", b, INT_BITS)
            back = self.emit_op("and", b, 63)
            result = self.emit_op("select", in_range, self.emit_op("shl", a, back), 0)
        if not wraps:
            # No bit was lost if shifting back gives the operand.
            shifted_back = self.emit_op("shr", result, back)
            self.emit_fault_if(self.emit_op("ne", shifted_back, a), Overflow)
        return as_value(result)

    def emit_right_shift(self, a: Operand, b: Operand) -> Value:
        if isinstance(b, Register):
            self.emit_fault_if(self.emit_op("lt", b, 0), ValueError, "negative shift count")
            # All larger distances leave the sign alone, as 63 does.
            is_beyond = self.emit_op("gt", b, 63)
            b = self.emit_op("select", is_beyond, 63, b)
        elif b.value < 0:
            self.emit_fault(ValueError, "negative shift count")
        else:
            b = as_operand(min(int(b.value), 63))
        return self.emit_op("shr", a, b)

    def emit_division(self, a: Operand, b: Operand, op: type[ast.operator] | None = None) -> tuple[Value, Value]:
        """Emit a floor division; return quotient and remainder.

        With `op` the result is one of them, so that of a remainder no overflow is tested, which it never has.
        """
        if isinstance(b, ConstantOperand):
            if b.value == 0:
                self.emit_fault(ZeroDivisionError, "integer division or modulo by zero")
            if b.value == -1:
                if op is ast.Mod:
                    return KnownObject(0), KnownObject(0)
                fault = self.fault_number(Overflow)
                return self.emit_op("sub", 0, a, fault=fault), KnownObject(0)
            # An arithmetic shift rounds down, as Python's division does, and a mask is its remainder, also of a
            # negative int.
            if b.value > 0 and int(b.value) & int(b.value) - 1 == 0:
                bits = int(b.value).bit_length() - 1
                return self.emit_op("shr", a, bits), self.emit_op("and", a, int(b.value) - 1)
        else:
            self.emit_fault_if(self.emit_op("eq", b, 0), ZeroDivisionError, "integer division or modulo by zero")
            # The least int by -1 has no room in 64 bits, and the instruction ends the process on x86, for the remainder
            # too. A remainder by -1 is 0, as is that by 1.
            is_least, is_minus_one = self.emit_op("eq", a, LEAST_INT), self.emit_op("eq", b, -1)
            if op is ast.Mod:
                b = self.emit_op("select", is_minus_one, 1, b)
            else:
                self.emit_fault_if(self.emit_op("both", is_least, is_minus_one), Overflow)
        # The instruction rounds towards zero, Python down: one less where there is a rest whose sign is not the
        # divisor's; the remainder then gets the divisor added.
        quotient = self.emit_op("quotient", a, b)
        rest = self.emit_op("remainder", a, b)
        has_rest = self.emit_op("ne", rest, 0)
        signs_differ = self.emit_op("lt", self.emit_op("xor", rest, b), 0)
        is_below = self.emit_op("both", has_rest, signs_differ)
        floor = self.emit_op("sub", quotient, self.emit_op("int_of", is_below))
        return floor, self.emit_op("add", rest, self.emit_op("select", is_below, b, 0))

    def emit_power(self, left: Value, right: Value) -> Value:
        if not isinstance(right, KnownObject) or not isinstance(right.value, int) or not 0 <= right.value <= 64:
            self.refuse("raises to a power that is not known; multiply in a loop, or shift for powers of two")
        result: Value = KnownObject(1)
        for _ in range(right.value):
            result = self.emit_number_binary(ast.Mult, result, left)
        return result

    def emit_float_binary(self, op: type[ast.operator], left: Value, right: Value) -> Value:
        if op not in _FLOAT_OPERATIONS:
            self.refuse(f"uses the operator {op.__name__} on floats")
        # Python rounds the exact quotient of two ints once. A division of floats gives the same only if both are exact
        # as floats.
        if op is ast.Div and not (self.is_float(left) or self.is_float(right)):
            self.require_exact_float(left)
            self.require_exact_float(right)
        a, b = self.float_operand(left), self.float_operand(right)
        if op is ast.Div:
            if isinstance(b, ConstantOperand):
                if b.value == 0:
                    self.emit_fault(ZeroDivisionError, "float division by zero")
            else:
                self.emit_fault_if(self.emit_op("feq", b, 0.0), ZeroDivisionError, "division by zero")
        return self.emit_op(_FLOAT_OPERATIONS[op], a, b)

    def emit_unary(self, op: type[ast.unaryop], value: Value, low: int | None = None) -> Value:
        """Emit a minus, a plus or an inversion of bits."""
        value = self.require_value(value)
        if isinstance(value, KnownObject):
            try:
                return KnownObject(_UNARY_OPERATORS[op](value.value))
            except TypeError as error:
                self.emit_fault(TypeError, *error.args)
        if self.is_float(value):
            # Not 0.0 - x, which of 0.0 is 0.0, where Python has -0.0.
            return self.emit_op("fmul", self.operand(value), -1.0) if op is ast.USub else value
        operand = self.int_operand(value)
        if op is ast.USub:
            return self.emit_int_binary(ast.Sub, as_operand(0), operand, low)
        return self.emit_op("xor", operand, -1) if op is ast.Invert else as_value(operand)

    def emit_not(self, value: Value) -> Value:
        if isinstance(value, KnownObject):
            return KnownObject(not value.value)
        return self.emit_op("not", self.bool_operand(value))

    def emit_logic(self, name: str, left: Value, right: Value) -> Value:
        """Emit `both` or `either` of two bools that are both evaluated."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, KnownObject):
                return one if bool(one.value) is (name == "either") else other
        return self.emit_op(name, self.operand(left), self.operand(right))

    def emit_select(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """Select one of two values that are both evaluated."""
        if isinstance(condition, KnownObject):
            return then if condition.value else otherwise
        if self.is_int(then) and self.is_int(otherwise):
            kind = RegisterKind.BOOL if self.is_bool(then) and self.is_bool(otherwise) else RegisterKind.INT
            a, b = self.operand(then, kind), self.operand(otherwise, kind)
            return self.emit_op("select", self.bool_operand(condition), a, b)
        return self.emit_conditional(condition, lambda: then, lambda: otherwise)

    def emit_number_comparison(self, op: type[ast.cmpop], left: Value, right: Value) -> Value:
        """Emit a comparison of two values that are no sequences and not both known."""
        name, plain = COMPARISONS[op]
        if self.is_float(left) or self.is_float(right):
            self.require_exact_float(left)
            self.require_exact_float(right)
            return self.emit_op("f" + name, self.float_operand(left), self.float_operand(right))
        for one, other in ((left, right), (right, left)):
            # An int equals no text and no function, and Python refuses to order them.
            if isinstance(one, KnownObject) and not isinstance(one.value, int):
                if op in (ast.Eq, ast.NotEq):
                    return KnownObject(op is ast.NotEq)
                self.refuse(f"compares {self.describe(other)} with {self.describe(one)}")
            if isinstance(one, KnownObject) and not LEAST_INT <= one.value <= MOST_INT:
                return KnownObject(plain(one.value, 0) if one is left else plain(0, one.value))  # as any of 64 bits
        return self.emit_op(name, self.int_operand(left), self.int_operand(right))
