"""Numba type of `Memory`: a block of ints shared with Python, an address in compiled code."""

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import NativeValue, intrinsic, models, overload, register_model, typeof_impl, unbox

from plyground.search.memory import Memory

# Numba is untyped; its own values are Any throughout this module.
Numba = Any


class MemoryType(types.Type):
    """The Numba type of a `Memory`: its address."""

    def __init__(self) -> None:
        super().__init__(name="Memory")


MEMORY = MemoryType()


@register_model(MemoryType)
class MemoryModel(models.PrimitiveModel):
    """An address of ints."""

    def __init__(self, manager: Numba, kind: Numba) -> None:
        super().__init__(manager, kind, ir.IntType(64).as_pointer())


@typeof_impl.register(memoryview)
def _typeof_memory(memory: Memory, context: Numba) -> MemoryType:
    return MEMORY


@unbox(MemoryType)
def unbox_memory(kind: Numba, value: Numba, c: Numba) -> NativeValue:
    """The address of the ints in an object with a buffer, which is held while they are used."""
    buffer = c.pyapi.alloca_buffer()
    failed = cgutils.is_not_null(c.builder, c.pyapi.get_buffer(value, buffer))
    first = c.builder.bitcast(buffer, ir.IntType(64).as_pointer().as_pointer())  # of a Py_buffer: where its data lie
    return NativeValue(c.builder.load(first), is_error=failed, cleanup=lambda: c.pyapi.release_buffer(buffer))


@intrinsic
def _read(typing: Numba, memory: Numba, index: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.load(builder.gep(args[0], [args[1]]))

    return types.int64(memory, types.int64), code


@intrinsic
def _write(typing: Numba, memory: Numba, index: Numba, value: Numba) -> Numba:
    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        builder.store(args[2], builder.gep(args[0], [args[1]]))
        return context.get_dummy_value()

    return types.none(MEMORY, types.int64, types.int64), code


@intrinsic
def prefetch(typing: Numba, memory: Numba, index: Numba) -> Numba:
    """Prefetch instruction: a hint to the processor that this place is read soon."""

    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64).as_pointer(), flag, flag, flag])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(hint, [builder.gep(args[0], [args[1]]), flag(0), flag(3), flag(1)])  # to read; keep; data
        return context.get_dummy_value()

    return types.none(MEMORY, types.int64), code


@intrinsic
def fetch_and_add(typing: Numba, memory: Numba, index: Numba, value: Numba) -> Numba:
    """One instruction of the processor for all threads."""

    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.atomic_rmw("add", builder.gep(args[0], [args[1]]), args[2], "monotonic")

    return types.int64(MEMORY, types.int64, types.int64), code


def _half_at(builder: Numba, memory: Numba, at: Numba) -> Numba:
    """Address of a half of an int, on processors that have the lower half first, as all that Numba compiles for."""
    return builder.gep(builder.bitcast(memory, ir.IntType(32).as_pointer()), [at])


@intrinsic
def set_half_if_zero(typing: Numba, memory: Numba, at: Numba, value: Numba) -> Numba:
    """Compare-and-swap; who finds the value reads what was written before it."""

    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        half = ir.IntType(32)
        place, value = _half_at(builder, args[0], args[1]), builder.trunc(args[2], half)
        found = builder.cmpxchg(place, half(0), value, "acq_rel", "acquire")
        return builder.zext(builder.extract_value(found, 0), ir.IntType(64))

    return types.int64(MEMORY, types.int64, types.int64), code


@intrinsic
def set_half(typing: Numba, memory: Numba, at: Numba, value: Numba) -> Numba:
    """Store that other threads see after all stores before it."""

    def code(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        value = builder.trunc(args[2], ir.IntType(32))
        builder.store_atomic(value, _half_at(builder, args[0], args[1]), "release", 4)
        return context.get_dummy_value()

    return types.none(MEMORY, types.int64, types.int64), code


@overload(operator.getitem)
def _memory_getitem(memory, index):  # type: ignore[no-untyped-def]  # Numba compares signatures
    return (lambda memory, index: _read(memory, index)) if isinstance(memory, MemoryType) else None


@overload(operator.setitem)
def _memory_setitem(memory, index, value):  # type: ignore[no-untyped-def]  # as above
    return (lambda memory, index, value: _write(memory, index, value)) if memory == MEMORY else None
