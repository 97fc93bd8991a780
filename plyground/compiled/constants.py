"""Numba types of games (or any `Constant`): one for each, named after its fingerprint, without data.

Its methods resolve to functions compiled for that type, its int and tuple fields to constants. Methods of NamedTuples
resolve likewise. A game with `Weights` is in compiled code the address of its weights, one vector after the other; its
type is named by a fingerprint that leaves them out, so that games which differ in nothing else share their code.
"""

import inspect
from array import array
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

import numba
from llvmlite import ir
from numba.core import imputils, types
from numba.core.typing import templates
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from plyground.compiled.fingerprint import code_fingerprint, weights_of
from plyground.compiled.memory import MemoryModel, MemoryType, unbox_memory
from plyground.compiled.specialise import compiled, stand_in
from plyground.constant import Constant
from plyground.search.memory import Memory, new_memory

# Numba is untyped; its own values are Any throughout this module.
Numba = Any

_constants: dict[str, Constant] = {}


class ConstantType(types.Opaque):
    """The Numba type of one constant object: only the fingerprint; the object itself stays in this process."""

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        super().__init__(name=f"Constant<{fingerprint}>")

    @property
    def object(self) -> Constant:
        return _constants[self.fingerprint]

    @property
    def instance_class(self) -> type:
        return type(self.object)


register_model(ConstantType)(models.OpaqueModel)


class WeighingType(ConstantType):
    """The Numba type of a constant with weights: their address."""


register_model(WeighingType)(MemoryModel)
unbox(WeighingType)(unbox_memory)
_constant_types: dict[Constant, ConstantType] = {}


def type_of(constant: Constant) -> ConstantType:
    """The Numba type of a constant, the same one for equal constants."""
    if constant not in _constant_types:
        mark = code_fingerprint(constant)
        _constants[mark] = constant
        _constant_types[constant] = (WeighingType if weights_of(constant) else ConstantType)(mark)
    return _constant_types[constant]


def handed_over(constant: Constant) -> Constant | Memory:
    """Argument that compiled code gets for a constant: the constant, which is not read, or its weights."""
    weights = [weight for vector in weights_of(constant).values() for weight in vector]
    if not weights_of(constant):
        return constant
    memory = new_memory(max(len(weights), 1))
    memory[: len(weights)] = memoryview(array("q", weights))
    return memory


@typeof_impl.register(Constant)
def _typeof_constant(constant: Constant, context: Numba) -> ConstantType:
    return type_of(constant)


@unbox(ConstantType)
def _unbox_constant(kind: Numba, value: Numba, c: Numba) -> NativeValue:
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _ConstantAttributes(templates.AttributeTemplate):
    key = ConstantType

    def generic_resolve(self, kind: ConstantType, name: str) -> Numba:
        if method := _method(kind, name):
            return _bound(kind, name, method)
        if vector := _vector(kind, name):
            return WeightsType(vector[1])
        try:
            return numba.typeof(stand_in(getattr(kind.object, name)))
        except (AttributeError, ValueError):
            return None


@lower_getattr_generic(ConstantType)
def _lower_constant(context: Numba, builder: Numba, kind: ConstantType, value: Numba, name: str) -> Numba:
    if _method(kind, name):
        return context.get_dummy_value()
    if vector := _vector(kind, name):
        return builder.gep(value, [ir.IntType(64)(vector[0])])
    constant = stand_in(getattr(kind.object, name))
    return context.get_constant_generic(builder, numba.typeof(constant), constant)


def _vector(kind: ConstantType, name: str) -> tuple[int, int] | None:
    """Offset and length of a vector of weights; None for any other name."""
    start = 0
    for vector, weights in weights_of(kind.object).items() if isinstance(kind, WeighingType) else ():
        if vector == name:
            return start, len(weights)
        start += len(weights)
    return None


class WeightsType(MemoryType):
    """The Numba type of one vector of weights: its address, and its length for a constant."""

    def __init__(self, length: int) -> None:
        self.length = length
        types.Type.__init__(self, name=f"Weights<{length}>")


register_model(WeightsType)(MemoryModel)


@overload(len)
def _weights_len(weights):  # type: ignore[no-untyped-def]  # Numba compares signatures
    if isinstance(weights, WeightsType):
        length = weights.length
        return lambda weights: length
    return None


@infer_getattr
class _TupleMethods(templates.AttributeTemplate):
    key = types.BaseNamedTuple

    def generic_resolve(self, kind: Numba, name: str) -> Numba:
        method = _method(kind, name)
        return _bound(kind, name, method) if method else None


def _method(kind: Numba, name: str) -> FunctionType | None:
    """A method that can be compiled; those that every NamedTuple inherits (`_replace`) cannot."""
    member = inspect.getattr_static(kind.instance_class, name, None)
    return member if isinstance(member, FunctionType) and not hasattr(_BareTuple, name) else None


_lowered: set[tuple[type, str, Numba]] = set()


class _BareTuple(NamedTuple):
    """A NamedTuple without methods of its own."""


def _bound(kind: Numba, name: str, method: FunctionType) -> Numba:
    """The type of `object.method`: a call of the compiled method with the object put first."""
    dispatcher = types.Dispatcher(compiled(method))

    class Template(templates.AbstractTemplate):
        key = (type(kind), name, dispatcher)  # types of equal keys are one to Numba, and so are their functions

        def generic(self, args: Numba, kws: Numba) -> Numba:
            return dispatcher.get_call_type(self.context, (kind, *args), kws).as_method()

    if Template.key not in _lowered:
        _lowered.add(Template.key)
        family = ConstantType if isinstance(kind, ConstantType) else types.BaseNamedTuple
        lower_builtin(Template.key, family, types.VarArg(types.Any))(_lower_method(dispatcher))
    return types.BoundFunction(Template, kind)


def _lower_method(dispatcher: Numba) -> Callable[..., Numba]:
    def lower(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        call = context.get_function(dispatcher, signature)
        result = call(builder, args)
        context.add_linking_libs(getattr(call, "libs", ()))
        return imputils.impl_ret_new_ref(context, builder, signature.return_type, result)

    return lower
