"""Doors: wrappers of compiled functions that convert arguments and results for callers from outside."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from plyground.compiler.form import (
    Call,
    ConstantOperand,
    FunctionForm,
    Instruction,
    Op,
    Operand,
    Register,
    RegisterKind,
    Return,
)

INT, BOOL, FLOAT, ADDRESS = RegisterKind.INT, RegisterKind.BOOL, RegisterKind.FLOAT, RegisterKind.ADDRESS
_FROM_INT: Final = {FLOAT: "float_from", ADDRESS: "address_of"}
"""Operations that read an argument from an int of memory."""
_TO_INT: Final = {BOOL: "int_of", FLOAT: "bits_of"}
"""Operations that make a result an int of memory."""


@dataclass(frozen=True)
class Door:
    """Function that is visible from outside, by its name there."""

    name: str
    form: FunctionForm


class _Body:
    """Instructions of a door, as they are written."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self._numbers: Iterator[int] = count(1)

    def new_register(self, kind: RegisterKind) -> Register:
        return Register(next(self._numbers), kind)

    def emit_op(self, name: str, kind: RegisterKind, *operands: Operand) -> Register:
        result = self.new_register(kind)
        self.instructions.append(Op(name, operands, result))
        return result

    def emit_call(self, function: FunctionForm, operands: Sequence[Operand]) -> tuple[Register, ...]:
        results = tuple(map(self.new_register, function.results))
        self.instructions.append(Call(function, tuple(operands), results))
        return results


def memory_door(name: str, inner: FunctionForm) -> Door:
    """The door for Python: it takes the addresses of arguments and results, an int for each."""
    body = _Body()
    arguments, results = body.new_register(ADDRESS), body.new_register(ADDRESS)

    def place(base: Register, number: int) -> Register:
        return body.emit_op("place", ADDRESS, base, ConstantOperand(number, INT))

    operands: list[Operand] = []
    for number, each in enumerate(inner.parameters):
        word = body.emit_op("load", INT, place(arguments, number))
        # Any int but 0 is true: Python packs True as 1, and memory may hold others.
        if each.kind is BOOL:
            word = body.emit_op("ne", BOOL, word, ConstantOperand(0, INT))
        elif each.kind in _FROM_INT:
            word = body.emit_op(_FROM_INT[each.kind], each.kind, word)
        operands.append(word)
    for number, value in enumerate(body.emit_call(inner, operands)):
        word = body.emit_op(_TO_INT[value.kind], INT, value) if value.kind in _TO_INT else value
        body.instructions.append(Op("store", (place(results, number), word)))
    body.instructions.append(Return(()))
    form = FunctionForm(f"door.{name}", (arguments, results), (), body.instructions, inner.can_fault)
    return Door(name, form)


def javascript_door(name: str, inner: FunctionForm, outside: Sequence[RegisterKind], known: float | None) -> Door:
    """The door for JavaScript: it takes addresses and floats, and returns a float.

    Args:
        name: the name of the export.
        inner: the function; its first parameters, those of a pattern of states, are not read and get zeros.
        outside: kinds of its other parameters.
        known: the result, if it is known when compiling.
    """
    body = _Body()
    parameters = [body.new_register(FLOAT if kind is INT else kind) for kind in outside]
    pattern = inner.parameters[: len(inner.parameters) - len(outside)]
    # The pattern only gives the types of a state's words, so its ints are parameters that no instruction reads.
    operands: list[Operand] = [ConstantOperand(0, each.kind) for each in pattern]
    for kind, parameter in zip(outside, parameters, strict=True):
        operands.append(body.emit_op("truncated", INT, parameter) if kind is INT else parameter)
    results = body.emit_call(inner, operands)
    answer: Operand = results[0] if known is None else ConstantOperand(known, FLOAT)
    if answer.kind is BOOL:
        answer = body.emit_op("int_of", INT, answer)
    # JavaScript would take 64-bit ints as BigInts, each an allocation; floats are exact to 2**53, which answers keep
    # to.
    if answer.kind is INT:
        answer = body.emit_op("float_of", FLOAT, answer)
    body.instructions.append(Return((answer,)))
    form = FunctionForm(f"door.{name}", tuple(parameters), (FLOAT,), body.instructions, inner.can_fault)
    return Door(name, form)
