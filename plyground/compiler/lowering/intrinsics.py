"""Intrinsics: helpers on words (`board/bits.py`) and on memory (`search/memory.py`) as instructions of their own."""

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from plyground.board import bits
from plyground.compiler import logarithm
from plyground.compiler.errors import Overflow
from plyground.compiler.form import Operand, Register, RegisterKind
from plyground.compiler.lowering import arithmetic
from plyground.compiler.lowering.calls import CallLowering, Intrinsic
from plyground.compiler.types import (
    Array,
    ArrayType,
    KnownObject,
    KnownType,
    TupleType,
    TupleValue,
    Type,
    Value,
    as_operand,
    as_value,
    type_of,
    widen_type,
)
from plyground.search import memory


def _word_operands(builder: CallLowering, value: Value) -> list[Operand]:
    return [builder.int_operand(item) for item in builder.items_of(value)]


# Each takes a builder and the arguments, and returns None to have the plain function compiled, or folded, instead.
def _lower_lowest(builder: CallLowering, args: list[Value]) -> Value | None:
    return None if isinstance(args[0], KnownObject) else builder.emit_op("zeros_below", builder.int_operand(args[0]))


def _lower_count(builder: CallLowering, args: list[Value]) -> Value | None:
    if isinstance(args[0], KnownObject):
        return KnownObject(args[0].value.bit_count())
    return builder.emit_op("ones", builder.int_operand(args[0]))


def _lower_nth(builder: CallLowering, args: list[Value]) -> Value | None:
    if not builder.target.has_deposit:
        return None
    # `pdep` puts bit `place` of the first operand where the second has its set bit of that rank; the others stay clear.
    single_bit = builder.emit_op("shl", 1, builder.int_operand(args[1]))
    return builder.emit_op("zeros_below", builder.emit_op("deposit", single_bit, builder.int_operand(args[0])))


def _lower_with_word(builder: CallLowering, args: list[Value]) -> Value | None:
    container, index = builder.require_value(args[0]), builder.require_value(args[1])
    length = builder.known_length(container)
    # Beyond both ends the slices of the plain function give a longer tuple: left to it.
    if length is None or (isinstance(index, KnownObject) and not 0 <= index.value < length):
        return None
    return builder.replace_item(container, index, args[2])


def _lower_word_by_word(op: str, inverts: bool = False) -> Intrinsic:
    """Make the intrinsic of an operation on the words of two sets, such as their union."""

    def lower(builder: CallLowering, args: list[Value]) -> Value | None:
        left, right = _word_operands(builder, args[0]), _word_operands(builder, args[1])
        if len(left) != len(right):
            return None
        results = []
        for a, b in zip(left, right, strict=True):
            second = builder.emit_op("xor", b, -1) if inverts else b
            results.append(builder.emit_op(op, a, second))
        return builder.make_tuple(results)

    return lower


def _lower_shift(upward: bool) -> Intrinsic:
    """Make the intrinsic of a shift of a set: each new word joins parts of two old ones, selected by the distance."""
    sign = -1 if upward else 1

    def lower(builder: CallLowering, args: list[Value]) -> Value | None:
        words = _word_operands(builder, args[0])
        if len(words) == 1:
            if not upward:
                return builder.make_tuple([builder.emit_binary(ast.RShift, as_value(words[0]), args[1])])
            # The mask drops what has no room, so the shift may wrap.
            moved = builder.emit_binary(ast.LShift, as_value(words[0]), args[1], low=bits.WORD_BITS)
            return builder.make_tuple([builder.emit_op("and", builder.int_operand(moved), bits.WORD_MASK)])

        def word_at(index: int) -> Operand:
            return words[index] if 0 <= index < len(words) else as_operand(0)

        rest: Operand
        if isinstance(args[1], KnownObject):
            if args[1].value < 0:
                return None
            # A distance is whole words and a rest; with both known, each new word is two shifts of registers.
            skip, known_rest = divmod(args[1].value, bits.WORD_BITS)
            rest = as_operand(known_rest)
            pairs = [(word_at(i + sign * skip), word_at(i + sign * (skip + 1))) for i in range(len(words))]
            return builder.make_tuple([as_value(_join_words(builder, near, far, rest, upward)) for near, far in pairs])
        distance = builder.int_operand(args[1])
        builder.emit_fault_if(builder.emit_op("lt", distance, 0), ValueError, "negative shift count")
        skip_operand, rest = (
            builder.int_operand(each) for each in builder.emit_division(distance, as_operand(bits.WORD_BITS))
        )
        pairs = []
        # A tuple in registers has no address, so the words are selected by the number of whole words.
        for i in range(len(words)):
            near = far = as_operand(0)
            for skip in range(len(words) - 1, -1, -1):
                is_here = builder.emit_op("eq", skip_operand, skip)
                near = builder.emit_op("select", is_here, word_at(i + sign * skip), near)
                far = builder.emit_op("select", is_here, word_at(i + sign * (skip + 1)), far)
            pairs.append((near, far))
        return builder.make_tuple([as_value(_join_words(builder, near, far, rest, upward)) for near, far in pairs])

    return lower


def _join_words(builder: CallLowering, near: Operand, far: Operand, rest: Operand, upward: bool) -> Operand:
    """Join a word of 63 bits from two: the near one, shifted by the rest, and the bits that the far one shifts in."""
    back = (
        builder.emit_op("sub", bits.WORD_BITS, rest)
        if isinstance(rest, Register)
        else as_operand(bits.WORD_BITS - int(rest.value))
    )
    # With a rest of 0 the far word is shifted by 63, which leaves none of its 63 bits below the mask: no case of its
    # own.
    whole = builder.emit_op("shl" if upward else "ushr", near, rest)
    part = builder.emit_op("ushr" if upward else "shl", far, back)
    return builder.emit_op("and", builder.emit_op("or", whole, part), bits.WORD_MASK)


def _lower_with_member(builder: CallLowering, args: list[Value]) -> Value | None:
    words, member = _word_operands(builder, args[0]), builder.int_operand(args[1])
    results: list[Value] = []
    for index, word in enumerate(words):
        place = builder.emit_op("sub", member, index * bits.WORD_BITS) if index else member
        bit = builder.emit_op("shl", 1, builder.emit_op("and", place, 63))
        # Without signs, so that a number below this word, whose place is negative, is not in it. Exactly one word gets
        # the bit.
        here = builder.emit_op("below", place, as_operand(bits.WORD_BITS if len(words) > 1 else 63))
        results.append(builder.emit_op("or", word, builder.emit_op("select", here, bit, 0)))
    if len(words) == 1:
        # A single word may be an int of its own, and bit 63 is its sign.
        inside = builder.emit_op("below", member, 63)
        builder.emit_fault_unless(inside, Overflow)
    return builder.make_tuple(results)


def _lower_some(builder: CallLowering, args: list[Value]) -> Value | None:
    words = _word_operands(builder, args[0])
    union = words[0]
    for word in words[1:]:
        union = builder.emit_op("or", union, word)
    return builder.emit_op("ne", union, 0)


def _lower_size(builder: CallLowering, args: list[Value]) -> Value | None:
    total: Operand = as_operand(0)
    for word in _word_operands(builder, args[0]):
        total = builder.emit_op("add", total, builder.operand(builder.emit_op("ones", word)))
    return as_value(total)


def _lower_mixed(builder: CallLowering, args: list[Value]) -> Value | None:
    # 2**64 divided by the golden ratio, as in `bits.mix`; the product wraps, so no mask is needed.
    factor = arithmetic.wrap_int(0x9E3779B97F4A7C15)
    product = builder.emit_op(
        "mul", builder.emit_op("xor", *(builder.low_bits_operand(each, 64) for each in args)), factor
    )
    return builder.emit_op("xor", product, builder.emit_op("ushr", product, 32))


def _lower_flat(builder: CallLowering, args: list[Value]) -> Value | None:
    def flatten(value: Value) -> list[Value]:
        if isinstance(value, TupleValue | Array) or (isinstance(value, KnownObject) and isinstance(value.value, tuple)):
            return [each for item in builder.items_of(value) for each in flatten(item)]
        return [value]

    return builder.make_tuple(flatten(args[0]))


def _load_value(builder: CallLowering, kind: Type, address: Operand, places: Iterator[int]) -> Value:
    """Load a value of a type from ints in shared memory, at the next places."""
    # The pattern is a state of which the ints are known; from memory comes any state of that form.
    kind = widen_type(kind)
    if isinstance(kind, TupleType):
        return builder.make_tuple([_load_value(builder, item, address, places) for item in kind.items], kind.cls)
    if isinstance(kind, ArrayType):
        return builder.make_tuple([_load_value(builder, RegisterKind.INT, address, places) for _ in range(kind.length)])
    assert not isinstance(kind, KnownType)
    word = builder.emit_op("load_shared", builder.item_address(address, next(places)))
    return as_value(builder.bool_operand(word)) if kind is RegisterKind.BOOL else word


def _lower_read_state(builder: CallLowering, args: list[Value]) -> Value | None:
    address = _item_in_memory(builder, args)
    return _load_value(builder, type_of(args[2]), address, itertools.count())


def _lower_prefetch(builder: CallLowering, args: list[Value]) -> Value | None:
    builder.emit_effect("prefetch", _item_in_memory(builder, args))
    return KnownObject(None)


def _item_in_memory(builder: CallLowering, args: list[Value]) -> Operand:
    return builder.item_address(builder.operand(args[0], RegisterKind.ADDRESS), builder.int_operand(args[1]))


def _half_in_memory(builder: CallLowering, args: list[Value]) -> Operand:
    return builder.emit_op("half_place", builder.operand(args[0], RegisterKind.ADDRESS), builder.int_operand(args[1]))


def _lower_fetch_and_add(builder: CallLowering, args: list[Value]) -> Value | None:
    return builder.emit_op("add_shared", _item_in_memory(builder, args), builder.int_operand(args[2]))


def _lower_set_half_if_zero(builder: CallLowering, args: list[Value]) -> Value | None:
    return builder.emit_op("claim_half", _half_in_memory(builder, args), builder.int_operand(args[2]))


def _lower_set_half(builder: CallLowering, args: list[Value]) -> Value | None:
    builder.emit_effect("store_half", _half_in_memory(builder, args), builder.int_operand(args[2]))
    return KnownObject(None)


def _lower_local_memory(builder: CallLowering, args: list[Value]) -> Value | None:
    assert isinstance(args[0], KnownObject)
    return builder.allocate_slot(args[0].value.local)


def _lower_split_float(builder: CallLowering, args: list[Value]) -> Value | None:
    # A double of IEEE 754: an exponent in 11 bits, which 1022 makes one of 2 for a mantissa from 0.5 on, then 52 bits.
    # The sign is clear and the number normal, for it is at least 1.
    bits_of = builder.emit_op("bits_of", builder.float_operand(args[0]))
    power = builder.emit_op("sub", builder.emit_op("ushr", bits_of, 52), 1022)
    mantissa = builder.emit_op("or", builder.emit_op("and", bits_of, (1 << 52) - 1), 1022 << 52)
    return builder.make_tuple([builder.emit_op("float_from", mantissa), power])


INTRINSICS: dict[Any, Intrinsic] = {
    bits.lowest: _lower_lowest,
    bits.count: _lower_count,
    bits.nth: _lower_nth,
    bits.with_word: _lower_with_word,
    bits.with_member: _lower_with_member,
    bits.union: _lower_word_by_word("or"),
    bits.common: _lower_word_by_word("and"),
    bits.without: _lower_word_by_word("and", inverts=True),
    bits.shifted_down: _lower_shift(upward=False),
    bits.shifted_up: _lower_shift(upward=True),
    bits.some: _lower_some,
    bits.size: _lower_size,
    bits.mix: _lower_mixed,
    bits.flat: _lower_flat,
    memory.read_state: _lower_read_state,
    memory.prefetch: _lower_prefetch,
    memory.local_memory: _lower_local_memory,
    memory.fetch_and_add: _lower_fetch_and_add,
    logarithm.split_float: _lower_split_float,
    memory.set_half: _lower_set_half,
    memory.set_half_if_zero: _lower_set_half_if_zero,
}
"""Plain functions in place of which instructions are emitted: words as registers, hashes that wrap."""
