"""Faster twins of functions that have one text for both speeds: what stands for them in compiled code."""

from collections.abc import Callable
from itertools import count
from typing import Any

import llvmlite.binding as llvm_binding
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from plyground.board import bits
from plyground.compiled.memory import prefetch
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
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word = ir.IntType(64)
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
        alone = builder.call(deposit, [builder.shl(ir.Constant(word, 1), args[1]), args[0]])
        return builder.cttz(alone, cgutils.true_bit)

    return types.int64(types.int64, types.int64), code


@intrinsic
def _with_word(typing: Numba, words: Numba, index: Numba, word: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        room = cgutils.alloca_once_value(builder, args[0])
        builder.store(args[2], builder.gep(room, [args[1].type(0), args[1]], inbounds=True))
        return builder.load(room)

    return words(words, types.int64, words.dtype), code


@intrinsic
def _mixed(typing: Numba, left: Numba, right: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        word = ir.IntType(64)
        product = builder.mul(builder.xor(*args), ir.Constant(word, 0x9E3779B97F4A7C15))
        return builder.xor(product, builder.lshr(product, ir.Constant(word, 32)))

    return types.int64(types.int64, types.int64), code


@intrinsic
def _flat(typing: Numba, state: Numba) -> Numba:
    kind = types.UniTuple(types.int64, len(_ints(state)))

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


def _ints(kind: Numba) -> list[Numba]:
    """The types of the ints in a tuple, those of tuples in it as well."""
    if not isinstance(kind, types.BaseTuple):
        return [kind]
    return [part for field in kind.types for part in _ints(field)]


def _values(context: Numba, builder: Numba, kind: Numba, value: Numba) -> list[Numba]:
    if not isinstance(kind, types.BaseTuple):
        return [context.cast(builder, value, kind, types.int64)]
    fields = zip(kind.types, cgutils.unpack_tuple(builder, value), strict=True)
    return [word for field, part in fields for word in _values(context, builder, field, part)]


TWINS: dict[object, Numba] = {
    bits.lowest: _trailing_zeros,
    bits.count: _ones,
    bits.with_word: _with_word,
    bits.mixed: _mixed,
    bits.flat: _flat,
    memory.prefetch: prefetch,
    memory.read_state: _read_state,
}
if llvm_binding.get_host_cpu_features().get("bmi2"):
    TWINS[bits.nth] = _nth  # elsewhere its loop is compiled, whose end no processor can foresee
