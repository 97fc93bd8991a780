"""The front end: functions compiled for patterns of arguments, and a program of them.

A function is written once for each pattern of arguments: known ones, such as the game, with their values, the rest with
their types. What a function gives back has a pattern, too. Of one that calls itself it is not known at first: the ways
that lead to such a call are left out, the others give a pattern, and the function is written again with it, until it
stays.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from plyground.compiler.builder import Refused, Unreachable
from plyground.compiler.form import (
    Call,
    FunctionForm,
    Instruction,
    Operand,
    Register,
    RegisterKind,
    Return,
    instructions,
    may_fault,
)
from plyground.compiler.llvm import has_deposit
from plyground.compiler.source import NoSource, facts_of, node_of
from plyground.compiler.statements import StatementWriter
from plyground.compiler.types import (
    ArrayType,
    KnownType,
    Lazy,
    Mismatch,
    RowType,
    Type,
    Value,
    joined,
    kinds_of,
    known_type,
    parts_of,
    type_of,
    value_of,
    widened,
    words_in,
)

FIRST_FAULT: Final = 2
"""Number of the first fault in the table; the back end reports those with lower numbers."""
PATTERNS: Final = 24
"""Patterns of known ints for which one function is compiled; more are taken as ints of any value."""
LARGEST: Final = 200_000
"""Instructions of a program, above which it is refused: a compiler that never ends helps no one."""


@dataclass(frozen=True)
class FaultSite:
    """An exception of compiled code: which one, and where."""

    error: type[BaseException]
    args: tuple[Any, ...]
    file: str
    line: int
    function: str


@dataclass(eq=False)
class Specialisation:
    """A function for one pattern of arguments."""

    function: FunctionType
    form: FunctionForm
    result: Type | None = None
    is_open: bool = True
    """Whether it is being written."""
    calls_itself: bool = False
    rests_on: "set[Specialisation]" = field(default_factory=set)
    """Those being written on whose assumed results it rests."""


class LazyResult(Exception):
    """A function gives something to walk: it is written where that is walked."""


Pattern = tuple[Any, ...]


class CompilationUnit:
    """Functions compiled together."""

    def __init__(self, is_checked: bool) -> None:
        self.is_checked = is_checked
        self.specialisations: dict[Pattern, Specialisation] = {}
        self.patterns: dict[FunctionType, int] = {}
        self.faults: list[FaultSite] = []
        self._fault_numbers: dict[FaultSite, int] = {}
        self.lazy: dict[FunctionType, bool] = {}
        self.open: list[Specialisation] = []
        self.size = 0

    def fault_number(self, site: FaultSite) -> int:
        try:
            number = self._fault_numbers.get(site)
        except TypeError:  # arguments that have no hash
            number = None
        if number is None:
            number = len(self.faults) + FIRST_FAULT
            self.faults.append(site)
            with suppress(TypeError):
                self._fault_numbers[site] = number
        return number

    def specialise(self, function: FunctionType, types: dict[str, Type]) -> Specialisation:
        """The function for arguments of these types, written if it is not yet.

        Raises:
            Refused: it has no compiled form.
            LazyResult: it gives something to walk.
        """
        inner = any(each.function is function for each in self.open)
        has_ints = any(_has_ints(kind) for kind in types.values())
        if has_ints and (inner or self.patterns.get(function, 0) >= PATTERNS):
            types = {name: _without_ints(kind) for name, kind in types.items()}
        key = (function, *types.items())
        if (there := self.specialisations.get(key)) is not None:
            if there.is_open:
                there.calls_itself = True
                for each in self.open[self.open.index(there) :]:
                    each.rests_on.add(there)
                    each.form.calls_itself = each.form.calls_itself or each is there
            else:
                for each in self.open:
                    each.rests_on |= there.rests_on & set(self.open)
            return there
        if has_ints:
            self.patterns[function] = self.patterns.get(function, 0) + 1
        name = f"{function.__name__.strip('<>')}.{len(self.specialisations)}"
        made = Specialisation(function, FunctionForm(name, ()))
        self.specialisations[key] = made
        self.open.append(made)
        before = set(self.specialisations)
        try:
            for _ in range(8):
                result = _Body(self, made).write(types)
                if not made.calls_itself:
                    break
                if result is None:
                    refusal = Refused("calls itself in a way that never ends, or before it has ever returned a value")
                    code = function.__code__
                    refusal.where = place_text(code.co_filename, code.co_firstlineno)
                    raise refusal
                result = widened(result)
                if made.result == result:
                    break
                made.result = result if made.result is None else joined(made.result, result)
                for other in set(self.specialisations) - before:
                    if made in self.specialisations[other].rests_on:
                        del self.specialisations[other]
            made.result = result if result is not None else KnownType("nothing", None)
        except BaseException:
            del self.specialisations[key]
            raise
        finally:
            self.open.remove(made)
        made.is_open = False
        made.rests_on.discard(made)
        made.form.can_fault = may_fault(made.form)
        return made

    def functions(self, entry: FunctionForm) -> list[FunctionForm]:
        """The functions that an entry needs, it first."""
        found = [entry]
        seen = {id(entry)}
        for function in found:
            for each in instructions(function.body):
                if isinstance(each, Call) and id(each.function) not in seen:
                    seen.add(id(each.function))
                    found.append(each.function)
        return found


def place_text(file: str, line: int) -> str:
    """A place in a source, to begin a sentence with."""
    return f"{Path(file).name}, line {line}: "


def _has_ints(kind: Type) -> bool:
    return widened(kind) != kind


def _without_ints(kind: Type) -> Type:
    return widened(kind)


class _Body(StatementWriter):
    """Writer of one function of a program."""

    def __init__(self, program: CompilationUnit, made: Specialisation) -> None:
        super().__init__(program.is_checked)
        self.program, self.made = program, made
        self.has_deposit = has_deposit()

    def fault_number(self, error: type[BaseException], args: tuple[Any, ...] = ()) -> int:
        frame = self.frame
        name = getattr(frame.function, "__name__", "")
        return self.program.fault_number(FaultSite(error, args, frame.file, frame.line, name))

    def write(self, types: dict[str, Type]) -> Type | None:
        """Write the function; return the type of its result, None if it never returns."""
        made, form = self.made, self.made.form
        frame, node = self.frame_of(made.function)
        self.frames, self.frame = [frame], frame
        frame.line = node.lineno
        try:
            return self._write(types, form, node)
        except Refused as refusal:
            if not refusal.where:
                refusal.where = place_text(self.frame.file, self.frame.line)
            raise

    def _write(self, types: dict[str, Type], form: FunctionForm, node: Any) -> Type | None:
        made = self.made
        parameters: list[Register] = []

        def registers(kind: Type) -> Iterator[Operand]:
            for each in kinds_of(kind):
                parameters.append(Register(self.number(), each))
                yield parameters[-1]

        for name, kind in types.items():
            self.names[self.frame.number, name] = value_of(kind, registers(kind))
        key = self.temporary()

        def body(leave: Any) -> None:
            def on_return(value: Value) -> None:
                if isinstance(value, Lazy):
                    raise LazyResult
                self.names[key] = value
                self.jump(leave)

            self.frame.on_return = on_return
            self.function_body(node)

        self.block(body)
        self.program.size += self.size
        if self.program.size > LARGEST:
            self.refuse("and what it calls would be too large, compiled")
        form.parameters, form.body = tuple(parameters), [*self.slots, *self.out]
        if self.env is None:
            form.results = ()
            return None
        value = self.env[key]
        try:
            kind = type_of(value)
        except Mismatch:
            raise LazyResult from None
        if made.calls_itself:
            kind = widened(kind) if made.result is None else joined(made.result, widened(kind))
        operands = self.coerce(value, kind)
        self.slots_to_out(form)
        results: list[Operand] = []
        outs: list[Register] = []
        for operand, part in zip(operands, parts_of(kind), strict=True):
            if isinstance(part, RegisterKind):
                results.append(operand)
            else:
                outs.append(Register(self.number(), RegisterKind.ADDRESS))
                self.copy(outs[-1], operand, part)
        self.emit(Return(tuple(results)))
        form.parameters = (*parameters, *outs)
        form.results = tuple(part for part in parts_of(kind) if isinstance(part, RegisterKind))
        self.slots_to_out(form)
        return kind

    def slots_to_out(self, form: FunctionForm) -> None:
        form.body = [*self.slots, *self.out]

    def is_lazy(self, function: FunctionType) -> bool:
        known = self.program.lazy.get(function)
        if known is None:
            try:
                known = facts_of(node_of(function)).is_generator
            except NoSource:
                self.refuse(f"calls {function.__name__}, whose source is not to be had")
            self.program.lazy[function] = known
        return known

    def specialised(self, function: Any, args: list[Value], names: dict[str, Value]) -> Value:
        node = node_of(function)
        found = self.arguments(node, function, args, names)
        types = {name: type_of(value) for name, value in found.items()}
        try:
            there = self.program.specialise(function, types)
        except LazyResult:
            self.program.lazy[function] = True
            return self.lazy("generator", function, args, names)
        if there.is_open and there.result is None:
            raise Unreachable  # until the other ways have told what it gives
        return self.called(there, found)

    def called(self, there: Specialisation, found: dict[str, Value]) -> Value:
        """Result of a call."""
        kind = there.result
        assert kind is not None
        types = next(key[1:] for key, each in self.program.specialisations.items() if each is there)
        operands: list[Operand] = []
        for name, argument in types:
            operands += self.coerce(found[name], argument)
        results: list[Operand] = []
        registers: list[Register] = []
        for part in parts_of(kind):
            if isinstance(part, RegisterKind):
                registers.append(Register(self.number(), part))
                results.append(registers[-1])
            else:
                room = self.slot(words_in(part))
                operands.append(room)
                results.append(room)
        self.emit(Call(there.form, tuple(operands), tuple(registers)))
        if isinstance(kind, KnownType) and kind.key == "nothing":
            self.env = None
            raise Unreachable
        return value_of(kind, iter(results))


def compiled_form(
    function: FunctionType, types: dict[str, Type], is_checked: bool = True
) -> tuple[CompilationUnit, Specialisation]:
    """A function and all that it calls, in the form, for arguments of these types.

    Raises:
        Refused: it has no compiled form.
    """
    program = CompilationUnit(is_checked)
    try:
        if facts_of(node_of(function)).is_generator:
            raise LazyResult
        return program, program.specialise(function, types)
    except LazyResult:
        refusal = Refused(
            "gives a generator, which is put into the loops that walk it; name a function with such a loop"
        )
        refusal.where = place_text(function.__code__.co_filename, function.__code__.co_firstlineno)
        raise refusal from None


__all__ = ["ArrayType", "Callable", "Instruction", "RowType", "compiled_form", "known_type"]
