"""Ranges of ints: bounds of the value of a register, and a mask of the bits that may be set in it.

What is known of a result follows from what is known of the operands. So a test that can only have one outcome is none:
an index that is in its row, a distance of a shift that is not negative.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

INT_BITS: Final = 64
ALL_BITS: Final = (1 << INT_BITS) - 1
LEAST_INT: Final = -(1 << INT_BITS - 1)
MOST_INT: Final = (1 << INT_BITS - 1) - 1


@dataclass(frozen=True, slots=True)
class Range:
    """Ints from `low` to `high` that have none but some `bits` of their 64; make one by `make_range`."""

    low: int
    high: int
    bits: int
    has_zero: bool = True


def make_range(low: int, high: int, bits: int = ALL_BITS, has_zero: bool = True) -> Range:
    """Make the range of the ints from `low` to `high` with no bits but these; any int, if some do not fit 64 bits."""
    # An int beyond 64 bits may have wrapped, so its order is unknown; its bits are still those that the caller allows.
    if low < LEAST_INT or high > MOST_INT:
        low, high = LEAST_INT, MOST_INT
    # The sign bit is clear, so it is not negative, and no more than all the bits that may be set.
    if bits <= MOST_INT:
        low, high = max(low, 0), min(high, bits)
    if low == 0 and not has_zero:
        low = 1
    return Range(low, high, bits & (1 << high.bit_length()) - 1 if low >= 0 else bits, has_zero and low <= 0 <= high)


ANY_INT: Final = Range(LEAST_INT, MOST_INT, ALL_BITS)
BOOL_RANGE: Final = Range(0, 1, 1)


def single_value(value: int) -> Range:
    """Make the range of one int."""
    return Range(value, value, value & ALL_BITS, value == 0)


def join_ranges(one: Range, other: Range) -> Range:
    """Join two ranges to the least one that contains both."""
    has_zero = one.has_zero or other.has_zero
    return Range(min(one.low, other.low), max(one.high, other.high), one.bits | other.bits, has_zero)


def ends_of_product(a: Range, b: Range) -> tuple[int, int]:
    """Least and greatest exact product."""
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(ends), max(ends)


def _and_range(a: Range, b: Range) -> Range:
    # Bits in common with an int that is not negative are no more than it; the other may be anything.
    highs = [each.high for each in (a, b) if each.low >= 0]
    return make_range(0, min(highs), a.bits & b.bits) if highs else make_range(LEAST_INT, MOST_INT, a.bits & b.bits)


def _or_range(a: Range, b: Range) -> Range:
    bits = a.bits | b.bits
    # At least as large as either, at most all bits that may be set in one of them.
    return (
        make_range(max(a.low, b.low), bits, bits) if min(a.low, b.low) >= 0 else make_range(LEAST_INT, MOST_INT, bits)
    )


def _xor_range(a: Range, b: Range) -> Range:
    return make_range(LEAST_INT, MOST_INT, a.bits | b.bits)


def _shl_range(a: Range, b: Range) -> Range:
    # Only a known distance narrows the range: by any other the highest bit may go anywhere.
    if b.low != b.high or not 0 <= b.low < INT_BITS:
        return ANY_INT
    return make_range(a.low << b.low, a.high << b.low, a.bits << b.low & ALL_BITS)


def _shr_range(a: Range, b: Range) -> Range:
    if b.low < 0 or b.high >= INT_BITS:
        return ANY_INT
    if a.low < 0:
        # Shifted in are copies of the sign, so of the bits nothing is kept.
        return make_range(a.low >> b.low, max(a.high >> b.low, a.high >> b.high))
    return make_range(a.low >> b.high, a.high >> b.low, a.bits >> b.low if b.low == b.high else ALL_BITS)


def _ushr_range(a: Range, b: Range) -> Range:
    if a.low >= 0 or b.low != b.high or not 0 < b.low < INT_BITS:
        return _shr_range(a, b) if a.low >= 0 else ANY_INT
    return make_range(0, MOST_INT, a.bits >> b.low)


def _quotient_range(a: Range, b: Range) -> Range:
    return make_range(a.low // b.high, a.high // b.low) if a.low >= 0 and b.low > 0 else ANY_INT


def _remainder_range(a: Range, b: Range) -> Range:
    if b.low <= 0:
        return ANY_INT
    # The division rounds towards zero: the remainder has the sign of `a`, unlike Python's, and is below the divisor.
    return make_range(0 if a.low >= 0 else 1 - b.high, min(a.high, b.high - 1) if a.low >= 0 else b.high - 1)


def _zeros_below_range(a: Range) -> Range:
    # The int 0 has 64 zeros; in any other the lowest set bit is no higher than the highest that may be set.
    return make_range(0, INT_BITS if a.has_zero else a.bits.bit_length() - 1)


RANGE_RULES: Final[dict[str, Callable[..., Range]]] = {
    "add": lambda a, b: make_range(a.low + b.low, a.high + b.high),
    "sub": lambda a, b: make_range(a.low - b.high, a.high - b.low),
    "mul": lambda a, b: make_range(*ends_of_product(a, b)),
    "and": _and_range,
    "or": _or_range,
    "xor": _xor_range,
    "shl": _shl_range,
    "shr": _shr_range,
    "ushr": _ushr_range,
    "quotient": _quotient_range,
    "remainder": _remainder_range,
    "ones": lambda a: make_range(0, a.bits.bit_count()),
    "zeros_below": _zeros_below_range,
    "zeros_above": lambda a: make_range(INT_BITS - a.bits.bit_length(), INT_BITS),
    "int_of": lambda a: a,
    "select": lambda condition, a, b: join_ranges(a, b),
    "claim_half": lambda address, value: make_range(0, (1 << 32) - 1),
}
"""Range of a result from the ranges of the operands, by operation; any other int has `ANY_INT`."""


def wrap_int(value: int) -> int:
    """The signed int of 64 bits with the same low bits."""
    return (value - LEAST_INT & ALL_BITS) + LEAST_INT


CONSTANT_RULES: Final[dict[str, Callable[..., Any]]] = {
    "add": lambda a, b: wrap_int(a + b),
    "sub": lambda a, b: wrap_int(a - b),
    "mul": lambda a, b: wrap_int(a * b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: wrap_int(a << b),
    "shr": lambda a, b: a >> b,
    "ushr": lambda a, b: wrap_int((a & ALL_BITS) >> b),
    "ones": lambda a: (a & ALL_BITS).bit_count(),
    "int_of": int,
    "both": lambda a, b: a and b,
    "either": lambda a, b: a or b,
    "differ": lambda a, b: a != b,
    "not": lambda a: not a,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "below": lambda a, b: a & ALL_BITS < b & ALL_BITS,
}
