"""Lowering of Python's built-in functions."""

import ast
import math
from collections.abc import Callable
from typing import Any

from plyground.compiler import logarithm
from plyground.compiler.errors import Overflow
from plyground.compiler.form import Register, RegisterKind
from plyground.compiler.lowering import library
from plyground.compiler.lowering.builder import JumpTarget
from plyground.compiler.lowering.calls import BuiltIn, CallLowering
from plyground.compiler.types import (
    Array,
    KnownObject,
    LazyIterable,
    OptionalValue,
    TupleValue,
    Value,
    as_operand,
    as_value,
)


def _lower_abs(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
    if isinstance(args[0], KnownObject):
        return KnownObject(abs(args[0].value))
    if builder.is_float(args[0]):
        builder.refuse("takes abs of a float")
    operand = builder.int_operand(args[0])
    minus = builder.emit_int_binary(ast.Sub, as_operand(0), operand)
    return builder.emit_select(builder.emit_op("lt", operand, 0), minus, as_value(operand))


def _lower_extreme(op: type[ast.cmpop]) -> BuiltIn:
    """Make the lowering of `min` or `max`, by the comparison that a better item passes."""

    def lower(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
        key_function = keywords.get("key", KnownObject(None))
        is_bare = isinstance(key_function, KnownObject) and key_function.value is None

        def rank(item: Value) -> Value:
            return item if is_bare else builder.call_value(key_function, [item], {})

        def choose(item: Value, item_rank: Value, best: Value, best_rank: Value) -> tuple[Value, Value]:
            test = builder.emit_comparison(op, item_rank, best_rank)
            if is_bare:
                return (chosen := builder.emit_select(test, item, best)), chosen
            # The item and its rank change together, so one branch binds both.
            pair = builder.emit_conditional(
                test, lambda: builder.make_tuple((item, item_rank)), lambda: builder.make_tuple((best, best_rank))
            )
            chosen, chosen_rank = builder.items_of(pair)
            return chosen, chosen_rank

        items = args
        if len(args) == 1:
            # Few known items are compared one after the other; others in a loop that keeps the best so far.
            if not isinstance(args[0], KnownObject | TupleValue) or not builder.known_length(args[0]):
                return _find_extreme(builder, args[0], op, rank, keywords.get("default"))
            items = builder.items_of(args[0])
            if len(items) == 1:
                return items[0]
        best, best_rank = items[0], rank(items[0])
        for item in items[1:]:
            best, best_rank = choose(item, rank(item), best, best_rank)
        return best

    return lower


def _find_extreme(
    builder: CallLowering, iterable: Value, op: type[ast.cmpop], rank: Callable[[Value], Value], default: Value | None
) -> Value:
    """Emit a loop that finds the first item of extreme rank in an iterable."""
    # The best is None until the first item: the loop cannot know its first turn. The first of equals stays, as in
    # Python.
    best_key, rank_key = builder.new_temporary(), builder.new_temporary()
    builder.bindings[best_key] = builder.bindings[rank_key] = KnownObject(None)

    def turn(item: Value) -> None:
        item_rank = rank(item)
        best_rank = builder.bindings[rank_key]

        def replace() -> None:
            builder.bindings[best_key], builder.bindings[rank_key] = item, item_rank

        def compare() -> None:
            there = best_rank.value if isinstance(best_rank, OptionalValue) else best_rank
            builder.emit_if(builder.emit_comparison(op, item_rank, there), replace, lambda: None)

        builder.emit_if(
            builder.emit_comparison(ast.Is, builder.bindings[best_key], KnownObject(None)), replace, compare
        )

    builder.iterate(iterable, {best_key, rank_key}, turn)
    builder.bindings.pop(rank_key)
    best = builder.bindings.pop(best_key)
    is_empty = builder.emit_comparison(ast.Is, best, KnownObject(None))
    present = best.value if isinstance(best, OptionalValue) else best
    if default is not None:
        return builder.emit_conditional(is_empty, lambda: default, lambda: present)
    builder.emit_fault_if(is_empty, ValueError, "min() or max() of nothing")
    return present


def _lower_sum(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
    key = builder.new_temporary()
    builder.bindings[key] = args[1] if len(args) > 1 else keywords.get("start", KnownObject(0))

    def turn(item: Value) -> None:
        builder.bindings[key] = builder.emit_binary(ast.Add, builder.bindings[key], item)

    builder.iterate(args[0], {key}, turn)
    return builder.bindings.pop(key)


def _lower_any_or_all(is_any: bool) -> BuiltIn:
    def lower(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
        key = builder.new_temporary()
        builder.bindings[key] = KnownObject(not is_any)

        def search(leave: JumpTarget) -> None:
            def stop() -> None:
                builder.bindings[key] = KnownObject(is_any)
                builder.emit_jump(leave)

            def turn(item: Value) -> None:
                builder.emit_if(builder.emit_truth(item), *((stop, lambda: None) if is_any else (lambda: None, stop)))

            builder.iterate(args[0], set(), turn)

        # `any` and `all` end at the first hit, so the items are turns of a loop, also within a tuple whose items are
        # emitted one by one.
        with builder.set_collecting(False):
            builder.emit_block(search)
        return builder.bindings.pop(key)

    return lower


def _lower_range(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
    numbers = [builder.require_value(each) for each in args]
    if not 1 <= len(numbers) <= 3 or not all(builder.is_int(each) for each in numbers):
        builder.refuse("makes a range of what are no ints")
    if len(numbers) == 1:
        numbers = [KnownObject(0), *numbers]
    start, stop, step = [*numbers, KnownObject(1)][:3]
    if isinstance(start, KnownObject) and isinstance(stop, KnownObject) and isinstance(step, KnownObject):
        return KnownObject(range(start.value, stop.value, step.value))
    return builder.make_lazy("range", start, stop, step)


def _lower_sorted(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
    source = builder.materialise(args[0])
    vector = builder.make_vector(source, "list", builder.known_length(source))
    if keywords:
        builder.sort_by_key(vector, keywords)
    else:
        builder.call_specialisation(library.sort, [vector], {})
    return vector


def _lower_int(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = builder.require_value(args[0]) if args else KnownObject(0)
    if isinstance(value, KnownObject):
        return KnownObject(int(value.value))
    if builder.is_float(value):
        operand = builder.operand(value)
        # Somewhat within 2**63, 9.22e18, because the conversion of what has no room is undefined in LLVM.
        inside = builder.emit_op(
            "both", builder.emit_op("fgt", operand, -9.2e18), builder.emit_op("flt", operand, 9.2e18)
        )
        builder.emit_fault_unless(inside, Overflow)
        return builder.emit_op("truncated", operand)
    return as_value(builder.int_operand(value))


def _lower_divmod(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
    if isinstance(args[0], KnownObject) and isinstance(args[1], KnownObject):
        return builder.make_tuple([builder.emit_binary(op, args[0], args[1]) for op in (ast.FloorDiv, ast.Mod)])
    a, b = (builder.int_operand(each) for each in args)
    return builder.make_tuple(builder.emit_division(a, b))


def _lower_next(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not isinstance(args[0], LazyIterable):
        builder.refuse(f"takes the next of {builder.describe(args[0])}")
    key = builder.new_temporary()

    def take_first(leave: JumpTarget) -> None:
        def turn(item: Value) -> None:
            builder.bindings[key] = item
            builder.emit_jump(leave)

        builder.iterate(args[0], set(), turn)
        if len(args) > 1:
            builder.bindings[key] = args[1]
        else:
            builder.emit_fault(StopIteration)

    builder.emit_block(take_first)
    return builder.bindings.pop(key)


def _lower_isinstance(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
    value, cls = args
    if not isinstance(cls, KnownObject):
        builder.refuse("asks isinstance of a class that is not known")
    if isinstance(value, KnownObject):
        return KnownObject(isinstance(value.value, cls.value))
    classes = cls.value if isinstance(cls.value, tuple) else (cls.value,)
    known = value.cls if isinstance(value, TupleValue) else tuple if isinstance(value, Array) else None
    if isinstance(value, Register):
        known = {RegisterKind.INT: int, RegisterKind.BOOL: bool, RegisterKind.FLOAT: float}.get(value.kind)
    if known is None:
        builder.refuse(f"asks isinstance of {builder.describe(value)}")
    return KnownObject(issubclass(known, classes))


def _lower_math(op: str, plain: Callable[[float], float]) -> BuiltIn:
    def lower(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
        if isinstance(args[0], KnownObject):
            return KnownObject(plain(args[0].value))
        operand = builder.float_operand(args[0])
        # The root of 0 is 0, its logarithm is an error, as in `math`.
        is_wrong = builder.emit_op("flt" if op == "sqrt" else "fle", operand, 0.0)
        builder.emit_fault_if(is_wrong, ValueError, "math domain error")
        # WebAssembly has a square root and no logarithm.
        if op == "log" and not builder.target.has_logarithm:
            return builder.call_specialisation(logarithm.logarithm, [as_value(operand)], {})
        return builder.emit_op(op, operand)

    return lower


def _lower_constant_call(function: Callable[..., Any]) -> BuiltIn:
    """Make the lowering of a built-in that is computed at compile time and refuses values that are not known."""

    def lower(builder: CallLowering, args: list[Value], keywords: dict[str, Value]) -> Value:
        if not all(isinstance(each, KnownObject) for each in args):
            builder.refuse(f"calls {function.__name__} with what is not known when compiling")
        return KnownObject(function(*[each.value for each in args if isinstance(each, KnownObject)]))

    return lower


BUILT_INS: dict[Any, BuiltIn] = {
    len: lambda builder, args, keywords: builder.emit_length(args[0]),
    abs: _lower_abs,
    min: _lower_extreme(ast.Lt),
    max: _lower_extreme(ast.Gt),
    sum: _lower_sum,
    any: _lower_any_or_all(True),
    all: _lower_any_or_all(False),
    range: _lower_range,
    tuple: lambda builder, args, keywords: builder.materialise(args[0]) if args else KnownObject(()),
    list: lambda builder, args, keywords: builder.materialise(args[0], list) if args else KnownObject([]),
    set: lambda builder, args, keywords: builder.make_vector(args[0] if args else KnownObject(()), "set"),
    frozenset: lambda builder, args, keywords: builder.make_vector(args[0] if args else KnownObject(()), "set"),
    sorted: _lower_sorted,
    int: _lower_int,
    bool: lambda builder, args, keywords: builder.emit_truth(args[0]) if args else KnownObject(False),
    float: lambda builder, args, keywords: args[0] if builder.is_float(args[0]) else builder.convert_to_float(args[0]),
    divmod: _lower_divmod,
    pow: lambda builder, args, keywords: builder.emit_binary(ast.Pow, args[0], args[1]),
    next: _lower_next,
    iter: lambda builder, args, keywords: args[0],
    isinstance: _lower_isinstance,
    enumerate: lambda builder, args, keywords: builder.make_lazy(
        "enumerate", args[0], args[1] if len(args) > 1 else keywords.get("start", KnownObject(0))
    ),
    zip: lambda builder, args, keywords: builder.make_lazy("zip", args),
    reversed: lambda builder, args, keywords: builder.make_lazy("reversed", args[0]),
    map: lambda builder, args, keywords: builder.make_lazy("map", args[0], args[1:]),
    filter: lambda builder, args, keywords: builder.make_lazy("filter", args[0], args[1]),
    bin: lambda builder, args, keywords: builder.make_lazy("bin", args[0]),
    ord: _lower_constant_call(ord),
    chr: _lower_constant_call(chr),
    hash: _lower_constant_call(hash),
    math.sqrt: _lower_math("sqrt", math.sqrt),
    math.log: _lower_math("log", math.log),
}
