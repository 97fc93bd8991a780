"""The front end: functions specialised for patterns of arguments, and the compilation unit that they form.

A function is compiled once for each pattern of arguments: known ones, such as the game, with their values, the rest
with their types. Its result has a type, too. If it calls itself, this type is not known at first: branches that lead to
such a call are left out, the others give a type, and the function is compiled again with it, until it stays the same (a
least fixed point).
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final, NoReturn

from plyground.compiler import form
from plyground.compiler.errors import NoSource, NotCompilable
from plyground.compiler.form import FIRST_FAULT, FunctionForm, Operand, Register, RegisterKind
from plyground.compiler.liveness import facts_of
from plyground.compiler.lowering.builder import JumpTarget, Unreachable
from plyground.compiler.lowering.built_ins import BUILT_INS
from plyground.compiler.lowering.intrinsics import INTRINSICS
from plyground.compiler.lowering.iteration import MOST_UNROLLED_INSTRUCTIONS
from plyground.compiler.lowering.statements import StatementLowering
from plyground.compiler.source import FunctionNode, node_of
from plyground.compiler.target import Target
from plyground.compiler.types import (
    KnownType,
    LazyIterable,
    Type,
    TypeMismatch,
    Value,
    build_value,
    join_types,
    register_kinds,
    storage_of,
    type_of,
    widen_type,
    word_count,
)

MOST_SPECIALISATIONS: Final = 24
"""Patterns of known ints for which a function is specialised; in further ones they are ints of any value, so that a
helper that is called with hundreds of constants does not become hundreds of functions."""
MOST_INSTRUCTIONS_OF_A_FORM: Final = 200_000
"""Instructions of a compilation unit, above which it is refused, so that compiling ends."""
MOST_TYPE_PASSES: Final = 8
"""Times that a recursive function is lowered until the type of its result stays the same."""
NEVER_RETURNS: Final = KnownType("never", None)
"""Type of the result of a function that never returns."""


@dataclass(frozen=True)
class FaultSite:
    """An exception that compiled code can raise, and the place in the source."""

    error: type[BaseException]
    args: tuple[Any, ...]
    file: str
    line: int
    function: str

    def exception(self) -> BaseException:
        """The exception, with those of its arguments that were known when compiling."""
        try:
            return self.error(*self.args)
        except TypeError:  # its constructor needs the arguments that were not known: a user's class may have any
            return self.error.__new__(self.error)


@dataclass(eq=False)
class Specialisation:
    """A function specialised for one pattern of arguments."""

    function: FunctionType
    types: dict[str, Type]
    form: FunctionForm
    result: Type | None = None
    """Type of its result, or what is assumed of it while it is lowered; None at first."""
    is_in_progress: bool = True
    calls_itself: bool = False
    assumptions: "set[Specialisation]" = field(default_factory=set)
    """Specialisations in progress whose assumed results it uses."""


class LazyResult(Exception):
    """A function returns an iterable, so each call of it is inlined into the loop that walks the result."""


Pattern = tuple[Any, ...]


class CompilationUnit:
    """Functions that are compiled together, with the table of their faults."""

    def __init__(self, target: Target, is_checked: bool) -> None:
        self.target, self.is_checked = target, is_checked
        self.most_unrolled = MOST_UNROLLED_INSTRUCTIONS
        """Instructions that an unrolled loop may have, in functions that are lowered from now on."""
        self.specialisations: dict[Pattern, Specialisation] = {}
        self.pattern_counts: dict[FunctionType, int] = {}
        self.faults: list[FaultSite] = []
        self._fault_numbers: dict[FaultSite, int] = {}
        self.is_lazy_by_function: dict[FunctionType, bool] = {}
        self.in_progress: list[Specialisation] = []
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
        """The specialisation of a function for arguments of these types, lowered if it is new.

        Raises:
            NotCompilable: it has no compiled form.
            LazyResult: it returns an iterable.
        """
        # A known int that changes from call to call, as the depth of a search does, would give a new specialisation
        # each time, without an end: in recursion, and beyond a number of patterns, ints are ints of any value.
        is_recursive = any(each.function is function for each in self.in_progress)
        widened = {name: widen_type(kind) for name, kind in types.items()}
        has_ints = widened != types
        if has_ints and (is_recursive or self.pattern_counts.get(function, 0) >= MOST_SPECIALISATIONS):
            types = widened
        key = (function, *types.items())
        if (known := self.specialisations.get(key)) is not None:
            if known.is_in_progress:
                # All that is in progress since that function was begun rests on the result that is assumed of it.
                known.calls_itself = True
                for each in self.in_progress[self.in_progress.index(known) :]:
                    each.assumptions.add(known)
                    each.form.calls_itself = each.form.calls_itself or each is known
            else:
                for each in self.in_progress:
                    # A finished function may itself rest on the assumed result of one in progress.
                    each.assumptions |= known.assumptions & set(self.in_progress)
            return known
        if has_ints:
            self.pattern_counts[function] = self.pattern_counts.get(function, 0) + 1
        name = f"{function.__name__.strip('<>')}.{len(self.specialisations)}"
        made = Specialisation(function, types, FunctionForm(name, ()))
        self.specialisations[key] = made
        self.in_progress.append(made)
        before = set(self.specialisations)
        try:
            for _ in range(MOST_TYPE_PASSES):
                result = FunctionLowering(self, made).lower()
                if not made.calls_itself:
                    break
                if result is None:
                    refuse(function, "calls itself in a way that never ends, or before it has ever returned a value")
                # A known result, such as the 0 of a draw, is widened at once: of the ways that were left out nothing is
                # known.
                result = widen_type(result)
                if made.result == result:
                    break
                made.result = result if made.result is None else join_types(made.result, result)
                # The assumed result was too narrow: what was lowered with it is lowered again.
                for other in set(self.specialisations) - before:
                    if made in self.specialisations[other].assumptions:
                        del self.specialisations[other]
            made.result = NEVER_RETURNS if result is None else result
        except BaseException:
            del self.specialisations[key]
            raise
        finally:
            self.in_progress.remove(made)
        made.is_in_progress = False
        made.assumptions.discard(made)
        made.form.can_fault = form.may_fault(made.form)
        return made


def refuse(function: FunctionType, why: str) -> NoReturn:
    """Raise `NotCompilable` for a function as a whole."""
    refusal = NotCompilable(why)
    refusal.locate(function.__code__.co_filename, function.__code__.co_firstlineno)
    raise refusal


class FunctionLowering(StatementLowering):
    """Lowering of one function of a compilation unit."""

    built_ins = BUILT_INS
    intrinsics = INTRINSICS

    def __init__(self, unit: CompilationUnit, made: Specialisation) -> None:
        super().__init__(unit.is_checked, unit.most_unrolled)
        self.unit, self.made = unit, made
        self.target = unit.target

    def fault_number(self, error: type[BaseException], args: tuple[Any, ...] = ()) -> int:
        frame = self.frame
        name = getattr(frame.function, "__name__", "")
        return self.unit.fault_number(FaultSite(error, args, frame.file, frame.line, name))

    def lower(self) -> Type | None:
        """Lower the function. Returns the type of its result; None if no way that is known so far returns."""
        frame, node = self.new_function_frame(self.made.function)
        self.frames, self.frame = [frame], frame
        frame.line = node.lineno
        try:
            return self._lower_node(node)
        except NotCompilable as refusal:
            refusal.locate(self.frame.file, self.frame.line)
            raise

    def _lower_node(self, node: FunctionNode) -> Type | None:
        made = self.made
        parameters: list[Register] = []

        def new_parameters(kind: Type) -> Iterator[Operand]:
            for each in register_kinds(kind):
                parameters.append(Register(self.new_number(), each))
                yield parameters[-1]

        for name, argument in made.types.items():
            self.bindings[self.frame.number, name] = build_value(argument, new_parameters(argument))
        key = self.new_temporary()

        def write_body(leave: JumpTarget) -> None:
            def bind_result(value: Value) -> None:
                if isinstance(value, LazyIterable):
                    raise LazyResult
                self.bindings[key] = value
                self.emit_jump(leave)

            self.frame.on_return = bind_result
            self.lower_function_body(node)

        self.emit_block(write_body)
        self.unit.size += self.size
        if self.unit.size > MOST_INSTRUCTIONS_OF_A_FORM:
            self.refuse("and what it calls would be too large, compiled")
        kind: Type | None = None
        row_addresses: list[Register] = []
        made.form.results = ()
        if self.env is not None:
            kind, row_addresses = self._lower_return(self.env[key])
        # Slots stand before the body: one in a loop is then the same memory each turn, and the frame's size is known on
        # entry.
        made.form.parameters, made.form.body = (*parameters, *row_addresses), [*self.slots, *self.out]
        return kind

    def _lower_return(self, value: Value) -> tuple[Type, list[Register]]:
        """Emit the return; give the type of the result, and registers of the addresses to which its rows are copied."""
        try:
            kind = type_of(value)
        except TypeMismatch:
            raise LazyResult from None
        # The caller has assumed a type that is at least as wide, so both ends agree on the number of registers.
        if self.made.calls_itself:
            kind = widen_type(kind)
            kind = kind if self.made.result is None else join_types(self.made.result, kind)
        results: list[Operand] = []
        row_addresses: list[Register] = []
        for operand, part in zip(self.coerce(value, kind), storage_of(kind), strict=True):
            if isinstance(part, RegisterKind):
                results.append(operand)
            else:
                # A row cannot be returned in registers, nor by its address, for the frame it lies in ends: the caller
                # gives memory.
                row_addresses.append(Register(self.new_number(), RegisterKind.ADDRESS))
                self.emit_copy(row_addresses[-1], operand, part)
        self.emit(form.Return(tuple(results)))
        self.made.form.results = tuple(part for part in storage_of(kind) if isinstance(part, RegisterKind))
        return kind, row_addresses

    def is_lazy(self, function: FunctionType) -> bool:
        known = self.unit.is_lazy_by_function.get(function)
        if known is None:
            try:
                known = facts_of(node_of(function)).is_generator
            except NoSource:
                self.refuse(f"calls {function.__name__}, whose source is not to be had")
            self.unit.is_lazy_by_function[function] = known
        return known

    def call_specialisation(self, function: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        arguments = self.match_arguments(node_of(function), function, args, keywords)
        try:
            callee = self.unit.specialise(function, {name: type_of(value) for name, value in arguments.items()})
        except LazyResult:
            self.unit.is_lazy_by_function[function] = True
            return self.make_lazy("generator", function, args, keywords)
        if callee.result is None:
            raise Unreachable  # until the other branches have given the type of the result
        operands = [operand for name, kind in callee.types.items() for operand in self.coerce(arguments[name], kind)]
        results: list[Operand] = []
        registers: list[Register] = []
        for part in storage_of(callee.result):
            if isinstance(part, RegisterKind):
                registers.append(Register(self.new_number(), part))
                results.append(registers[-1])
            else:
                # Rows of the result: the caller's memory, whose addresses are the last arguments (`_lower_return`).
                results.append(self.allocate_slot(word_count(part)))
                operands.append(results[-1])
        self.emit(form.Call(callee.form, tuple(operands), tuple(registers)))
        if callee.result is NEVER_RETURNS:
            self.emit(form.FaultExit(0))  # it has ended by a fault of its own, and control flow ends with it
            self.env = None
            raise Unreachable
        return build_value(callee.result, iter(results))


def lower_function(
    function: FunctionType, types: dict[str, Type], target: Target, is_checked: bool = True
) -> tuple[CompilationUnit, Specialisation]:
    """Lower a function, for arguments of these types, and all that it calls.

    Raises:
        NotCompilable: it has no compiled form.
    """
    unit = CompilationUnit(target, is_checked)
    try:
        if facts_of(node_of(function)).is_generator:
            raise LazyResult
        return unit, unit.specialise(function, types)
    except LazyResult:
        why = "gives a generator, which is put into the loops that walk it; name a function with such a loop"
        refuse(function, why)
