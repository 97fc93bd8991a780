"""Modules for browsers: entries and all that they call, as WebAssembly that LLVM has optimised, not linked yet.

An entry is a plain function of a game, a pattern of its states, and then of `Memory`, ints and floats, that answers
with an int or a float. Outside, an address is a 32-bit int and every number a float of 64 bits, which JavaScript knows
as numbers: 2**53 is enough for all that is asked. An exception returns a NaN, and its place in the list of all is in
`fault`, a global of the module's instance (LLVM's address space 1), for instances may share their memory. Code writes
only to memory that its caller hands over, so a later instance may write the same constants to a shared memory again.
"""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import binding

from plyground.compiler.form import RegisterKind, reachable_functions
from plyground.compiler.frontend import FIRST_FAULT, CompilationUnit, FaultSite, Specialisation
from plyground.compiler.llvm import TYPES, llvm_text, result_type
from plyground.compiler.machine import optimise
from plyground.compiler.runtime import argument_type
from plyground.compiler.target import BROWSER
from plyground.compiler.types import KnownType, Type
from plyground.constant import Constant
from plyground.search.memory import Memory

KINDS: dict[type, Type] = {Memory: RegisterKind.ADDRESS, int: RegisterKind.INT, float: RegisterKind.FLOAT}
FAULT = "fault"
"""Name of the global that has the last exception's place in the list of all."""
MOST_UNROLLED_IN_SMALL = 100
"""Instructions that an unrolled loop may have in what shall be small."""
_GLOBALS = f"@{FAULT} = addrspace(1) global i32 0"
_PRODUCT = """
define hidden void @__multi3(ptr %result, i64 %a, i64 %a.high, i64 %b, i64 %b.high) noinline optnone {
  %al = and i64 %a, 4294967295
  %ah = lshr i64 %a, 32
  %bl = and i64 %b, 4294967295
  %bh = lshr i64 %b, 32
  %ll = mul i64 %al, %bl
  %hl = mul i64 %ah, %bl
  %lh = mul i64 %al, %bh
  %hh = mul i64 %ah, %bh
  %ll.high = lshr i64 %ll, 32
  %hl.low = and i64 %hl, 4294967295
  %middle.part = add i64 %ll.high, %hl.low
  %lh.low = and i64 %lh, 4294967295
  %middle = add i64 %middle.part, %lh.low
  %low = mul i64 %a, %b
  %hl.high = lshr i64 %hl, 32
  %lh.high = lshr i64 %lh, 32
  %middle.high = lshr i64 %middle, 32
  %high.1 = add i64 %hh, %hl.high
  %high.2 = add i64 %high.1, %lh.high
  %high.3 = add i64 %high.2, %middle.high
  %cross.1 = mul i64 %a.high, %b
  %cross.2 = mul i64 %a, %b.high
  %high.4 = add i64 %high.3, %cross.1
  %high = add i64 %high.4, %cross.2
  store i64 %low, ptr %result
  %place = getelementptr i64, ptr %result, i32 1
  store i64 %high, ptr %place
  ret void
}
"""
"""Product of two ints of 128 bits, by which LLVM writes the sum of a loop in one step; other machines have it in their
libraries. LLVM calls it after its last pass, and would replace what it has optimised with a call of itself."""


@dataclass(frozen=True)
class ModuleObject:
    """A module, not linked yet."""

    code: bytes
    """Object file."""
    exports: tuple[str, ...]
    """Names of the functions and the global that are visible from outside."""
    faults: tuple[FaultSite, ...]
    """Exceptions, each at its place in `fault`."""


def compile_module(
    entries: Sequence[tuple[Callable[..., Any], Constant, Any]], small: Collection[str] = ()
) -> ModuleObject:
    """The object file of these entries, each with the game that it is for and a pattern of that game's states.

    Args:
        entries: functions, games and patterns.
        small: names of the entries that shall be small rather than fast.

    Raises:
        NotCompilable: a rule has no compiled form.
    """
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    unit = CompilationUnit(BROWSER, is_checked=False)
    made: dict[str, Specialisation] = {}
    for is_small in (False, True):  # what fast entries call shall be fast, whoever else calls it
        fast = {id(each.form) for each in unit.specialisations.values()}
        unit.most_unrolled = MOST_UNROLLED_IN_SMALL if is_small else unit.most_unrolled
        made |= {
            entry.__name__: _specialise(unit, entry, game, pattern)
            for entry, game, pattern in entries
            if is_small == (entry.__name__ in small)
        }
    forms = [each.form for each in made.values()]
    functions = list({id(each): each for form in forms for each in reachable_functions(form)}.values())
    doors = [_GLOBALS, _PRODUCT, *(_door_text(entry, made[entry.__name__]) for entry, *_ in entries)]
    text = llvm_text(functions, doors, BROWSER, [each for each in functions if id(each) not in fast])
    code = BROWSER.machine().emit_object(optimise(text, BROWSER))
    return ModuleObject(code, (FAULT, *made), tuple(unit.faults))


def _specialise(unit: CompilationUnit, entry: Callable[..., Any], game: Constant, pattern: Any) -> Specialisation:
    first, second, *others = inspect.signature(entry).parameters.values()
    types = {first.name: argument_type(game), second.name: argument_type(pattern)}
    types |= {each.name: KINDS[each.annotation] for each in others}
    return unit.specialise(entry, types)  # type: ignore[arg-type]  # entries are plain functions


def _door_text(entry: Callable[..., Any], made: Specialisation) -> str:
    """The text of an exported function around an entry; nothing is read of the pattern, so it is all zero."""
    form = made.form
    outside = [KINDS[each.annotation] for each in list(inspect.signature(entry).parameters.values())[2:]]
    pattern = form.parameters[: len(form.parameters) - len(outside)]
    operands = ["ptr null", *(f"{TYPES[each.kind]} {_ZEROS[each.kind]}" for each in pattern)]
    lines, parameters = [], []
    for place, kind in enumerate(outside):
        if kind is RegisterKind.INT:
            parameters.append(f"double %in.{place}")
            lines.append(f"%whole.{place} = fptosi double %in.{place} to i64")
            operands.append(f"i64 %whole.{place}")
        else:
            parameters.append(f"{TYPES[kind]} %in.{place}")  # type: ignore[index]  # it is a register's kind
            operands.append(parameters[-1])
    whole = result_type(form)
    call = f"call fastcc {whole} @{form.name}({', '.join(operands)})"
    lines.append(call if whole == "void" else f"%result = {call}")
    if form.can_fault:
        lines += [f"%status = extractvalue {whole} %result, 0", "%fine = icmp eq i64 %status, 0"]
        lines += ["br i1 %fine, label %good, label %bad", "bad:", f"%fault = sub i64 %status, {FIRST_FAULT}"]
        lines += ["%place = trunc i64 %fault to i32"]
        lines += [f"store i32 %place, ptr addrspace(1) @{FAULT}", "ret double 0x7FF8000000000000", "good:"]
    if isinstance(made.result, KnownType):
        lines.append(f"ret double {float(made.result.value or 0)}")
    else:
        lines.append(f"%value = extractvalue {whole} %result, {int(form.can_fault)}")
        if form.results[0] is not RegisterKind.FLOAT:
            to_double = "uitofp" if form.results[0] is RegisterKind.BOOL else "sitofp"
            lines.append(f"%number.out = {to_double} {TYPES[form.results[0]]} %value to double")
        lines.append(f"ret double {'%value' if form.results[0] is RegisterKind.FLOAT else '%number.out'}")
    body = "\n".join(f"  {line}" for line in lines)
    return f"define double @{entry.__name__}({', '.join(parameters)}) #0 {{\n{body}\n}}"


_ZEROS = {
    RegisterKind.INT: "0",
    RegisterKind.BOOL: "false",
    RegisterKind.FLOAT: "0.0",
    RegisterKind.ADDRESS: "null",
}
