"""Faster forms that replace some plain functions in compiled code, with the same results."""

from collections.abc import Callable
from functools import reduce
from itertools import count
from typing import Any

import llvmlite.binding as llvm_binding
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from plyground.board import bits
from plyground.compiled import logarithm
from plyground.compiled.memory import MEMORY, fetch_and_add, prefetch, set_half, set_half_if_zero
from plyground.search import memory

# Numba is untyped; its own values are Any throughout this module.
Numba = Any


@intrinsic
def _trailing_zeros(typing: Numba, value: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), code


@intrinsic
def _ones(typing: Numba, value: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@intrinsic
def _nth(typing: Numba, value: Numba, place: Numba) -> Numba:
    """Without a branch, whose end no processor could foresee: first the byte, then the bit in it.

    Each is found as the number of those below it: sums from the lowest byte on are a multiplication by a one in each
    byte, and all eight are compared at once (Sebastiano Vigna, "Broadword Implementation of Rank/Select Queries",
    2008).
    """

    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word = ir.IntType(64)
        ones, tops, bits_apart = word(0x0101010101010101), word(0x8080808080808080), word(0x8040201008040201)

        def sums(each: Numba) -> Numba:
            return builder.mul(each, ones)

        def below(rank: Numba, summed: Numba) -> Numba:
            """Number of bytes in which the sum is at most the rank."""
            least = builder.or_(builder.mul(rank, ones), tops)
            return builder.ctpop(builder.and_(builder.sub(least, summed), tops))

        def halves(each: Numba, mask: int, by: int) -> Numba:
            return builder.add(builder.and_(each, word(mask)), builder.and_(builder.lshr(each, word(by)), word(mask)))

        value, rank = args
        pairs = builder.sub(value, builder.and_(builder.lshr(value, word(1)), word(0x5555555555555555)))
        fours = halves(pairs, 0x3333333333333333, 2)
        bytes_ = builder.and_(builder.add(fours, builder.lshr(fours, word(4))), word(0x0F0F0F0F0F0F0F0F))
        summed = sums(bytes_)
        first = builder.shl(below(rank, summed), word(3))
        before = builder.and_(builder.lshr(builder.shl(summed, word(8)), first), word(255))
        byte = builder.and_(builder.lshr(value, first), word(255))
        spread = builder.and_(builder.mul(byte, ones), bits_apart)
        marked = builder.and_(builder.lshr(builder.add(spread, word(0x7F7F7F7F7F7F7F7F)), word(7)), ones)
        return builder.add(first, below(builder.sub(rank, before), sums(marked)))

    return types.int64(types.int64, types.int64), code


@intrinsic
def _nth_deposited(typing: Numba, value: Numba, place: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word = ir.IntType(64)
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
        alone = builder.call(deposit, [builder.shl(ir.Constant(word, 1), args[1]), args[0]])
        return builder.cttz(alone, cgutils.true_bit)

    return types.int64(types.int64, types.int64), code


@intrinsic
def _parted(typing: Numba, value: Numba) -> Numba:
    parts = types.Tuple([types.float64, types.int64])

    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word = ir.IntType(64)
        written = builder.bitcast(args[0], word)
        power = builder.sub(builder.and_(builder.lshr(written, word(52)), word(0x7FF)), word(1022))
        kept = builder.and_(written, word(~(0x7FF << 52)))
        part = builder.bitcast(builder.or_(kept, word(1022 << 52)), ir.DoubleType())
        return context.make_tuple(builder, parts, [part, power])

    return parts(types.float64), code


@intrinsic
def _with_word(typing: Numba, words: Numba, index: Numba, word: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        room = cgutils.alloca_once_value(builder, args[0])
        builder.store(args[2], builder.gep(room, [args[1].type(0), args[1]], inbounds=True))
        return builder.load(room)

    return words(words, types.int64, words.dtype), code


def _word_by_word(instruction: Callable[[Numba, Numba, Numba], Numba]) -> Numba:
    """A function of two sets as one operation for each pair of words, written out without a loop."""

    @intrinsic
    def twin(typing: Numba, left: Numba, right: Numba) -> Numba:
        def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
            pairs = zip(*(cgutils.unpack_tuple(builder, words) for words in args), strict=True)
            return context.make_tuple(builder, left, [instruction(builder, *pair) for pair in pairs])

        return (left(left, right), code) if left == right else None

    return twin


def _shifted(upward: bool) -> Numba:
    """The words in a row of zeros, from which each new word takes its parts; of a constant shift nothing is left."""

    @intrinsic
    def twin(typing: Numba, words: Numba, by: Numba) -> Numba:
        length = len(words)

        def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
            word, by = ir.IntType(64), args[1]
            row = cgutils.alloca_once_value(builder, ir.Constant(ir.ArrayType(word, 3 * length + 1), None))
            offset = 0 if not upward else length + 1
            for index, value in enumerate(cgutils.unpack_tuple(builder, args[0])):
                builder.store(value, builder.gep(row, [word(0), word(offset + index)], inbounds=True))
            far = builder.icmp_signed(">", by, word(length * bits.WORD))
            by = builder.select(far, word(length * bits.WORD), by)
            skip, rest = builder.udiv(by, word(bits.WORD)), builder.urem(by, word(bits.WORD))
            back = builder.sub(word(bits.WORD), rest)

            def at(index: int) -> Numba:
                place = builder.sub(word(offset + index), skip) if upward else builder.add(word(index), skip)
                return builder.load(builder.gep(row, [word(0), place], inbounds=True))

            results = []
            for index in range(length):
                if upward:
                    whole, part = builder.shl(at(index), rest), builder.lshr(at(index - 1), back)
                else:
                    whole, part = builder.lshr(at(index), rest), builder.shl(at(index + 1), back)
                results.append(builder.and_(builder.or_(whole, part), word(bits.WORD_MASK)))
            return context.make_tuple(builder, words, results)

        return words(words, types.int64), code

    return twin


@intrinsic
def _with_member(typing: Numba, words: Numba, member: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word, results = ir.IntType(64), []
        for index, value in enumerate(cgutils.unpack_tuple(builder, args[0])):
            place = builder.sub(args[1], word(index * bits.WORD))
            bit = builder.shl(word(1), builder.and_(place, word(63)))
            here = builder.icmp_unsigned("<", place, word(bits.WORD if len(words) > 1 else 64))
            results.append(builder.or_(value, builder.select(here, bit, word(0))))
        return context.make_tuple(builder, words, results)

    return words(words, types.int64), code


@intrinsic
def _some(typing: Numba, words: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        seen = reduce(builder.or_, cgutils.unpack_tuple(builder, args[0]))
        return builder.icmp_unsigned("!=", seen, seen.type(0))

    return types.boolean(words), code


@intrinsic
def _size(typing: Numba, words: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return reduce(builder.add, map(builder.ctpop, cgutils.unpack_tuple(builder, args[0])))

    return types.int64(words), code


@intrinsic
def _mixed(typing: Numba, left: Numba, right: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word = ir.IntType(64)
        product = builder.mul(builder.xor(*args), ir.Constant(word, 0x9E3779B97F4A7C15))
        return builder.xor(product, builder.lshr(product, ir.Constant(word, 32)))

    return types.int64(types.int64, types.int64), code


@intrinsic
def _flat(typing: Numba, state: Numba) -> Numba:
    kind = types.UniTuple(types.int64, len(ints_of(state)))

    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        words = _values(context, builder, signature.args[0], args[0])
        return context.make_tuple(builder, kind, words)

    return kind(state), code


@intrinsic
def _read_state(typing: Numba, memory: Numba, place: Numba, pattern: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        first, places = builder.gep(args[0], [args[1]]), count()

        def word() -> Numba:
            return builder.load(builder.gep(first, [ir.IntType(64)(next(places))]))

        return _filled(context, builder, pattern, word)

    return pattern(memory, types.int64, pattern), code


def _filled(context: Numba, builder: Numba, kind: Numba, word: Callable[[], Numba]) -> Numba:
    """A value of a kind with the next words as its ints."""
    if not isinstance(kind, types.BaseTuple):
        return context.cast(builder, word(), types.int64, kind)
    return context.make_tuple(builder, kind, [_filled(context, builder, field, word) for field in kind.types])


def ints_of(kind: Numba) -> list[Numba]:
    """The types of the ints in a tuple, those of tuples in it as well."""
    if not isinstance(kind, types.BaseTuple):
        return [kind]
    return [part for field in kind.types for part in ints_of(field)]


def _values(context: Numba, builder: Numba, kind: Numba, value: Numba) -> list[Numba]:
    if not isinstance(kind, types.BaseTuple):
        return [context.cast(builder, value, kind, types.int64)]
    fields = zip(kind.types, cgutils.unpack_tuple(builder, value), strict=True)
    return [word for field, part in fields for word in _values(context, builder, field, part)]


@intrinsic
def _local_memory(typing: Numba, constant: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        builder.function.attributes.add("noinline")
        room = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), constant.object.local))
        return builder.bitcast(room, ir.IntType(64).as_pointer())

    return MEMORY(constant), code


TWINS: dict[object, Numba] = {
    bits.lowest: _trailing_zeros,
    bits.count: _ones,
    bits.nth: _nth,
    bits.with_word: _with_word,
    bits.with_member: _with_member,
    bits.union: _word_by_word(lambda builder, left, right: builder.or_(left, right)),
    bits.common: _word_by_word(lambda builder, left, right: builder.and_(left, right)),
    bits.without: _word_by_word(lambda builder, left, right: builder.and_(left, builder.not_(right))),
    bits.shifted_down: _shifted(upward=False),
    bits.shifted_up: _shifted(upward=True),
    bits.some: _some,
    bits.size: _size,
    bits.mixed: _mixed,
    logarithm.parted: _parted,
    bits.flat: _flat,
    memory.read_state: _read_state,
    memory.local_memory: _local_memory,
    memory.fetch_and_add: fetch_and_add,
    memory.set_half: set_half,
    memory.set_half_if_zero: set_half_if_zero,
}
OF_PROCESSORS: dict[object, Numba] = {memory.prefetch: prefetch}
"""Functions done by an instruction that not every machine has."""
if llvm_binding.get_host_cpu_features().get("bmi2"):
    OF_PROCESSORS[bits.nth] = _nth_deposited
