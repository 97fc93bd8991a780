"""Modules for browsers: entries and all that they call, as WebAssembly.

An entry is a plain function of a game, a pattern of its states, and then of `Memory`, ints and floats, that answers
with an int or a float. Outside, an address is a 32-bit int and every number a float of 64 bits, which JavaScript knows
as numbers: 2**53 is enough for all that is asked. An exception traps, and its place in the list of all is in `fault`, a
global of the module's instance (LLVM's address space 1), for instances may share their memory. Code writes only to
memory that its caller hands over, so a later instance may write the same constants to a shared memory again.

Where LLVM is, it optimises the module, which is then smaller and up to many times as fast (bench/COMPILE.md); where it
is not, the form is written as it stands.
"""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from plyground.compiler.backend import Backend, usual_backend
from plyground.compiler.doors import Door, page_door
from plyground.compiler.form import FIRST_FAULT, RegisterKind, reachable_functions
from plyground.compiler.frontend import CompilationUnit, FaultSite, Specialisation
from plyground.compiler.inlining import inline_small
from plyground.compiler.linking import link
from plyground.compiler.llvm import TYPES, llvm_text, result_type
from plyground.compiler.module import FAULT, WebAssemblyModule
from plyground.compiler.runtime import argument_type
from plyground.compiler.target import BROWSER
from plyground.compiler.types import KnownType, Type
from plyground.compiler.webassembly import encode_module
from plyground.constant import Constant
from plyground.search.memory import Memory

KINDS: dict[type, RegisterKind] = {Memory: RegisterKind.ADDRESS, int: RegisterKind.INT, float: RegisterKind.FLOAT}
MOST_UNROLLED_IN_SMALL: Final = 100
"""Instructions that an unrolled loop may have in what shall be small."""
Entries = Sequence[tuple[Callable[..., Any], Constant, Any]]
"""Functions, the game that each is for, and a pattern of that game's states."""


@dataclass(frozen=True)
class PageModule:
    """A module for a page."""

    module: WebAssemblyModule
    faults: tuple[FaultSite, ...]
    """Exceptions, each at its place in `FAULT`."""


def compile_module(entries: Entries, small: Collection[str] = (), backend: Backend | None = None) -> PageModule:
    """The module of these entries.

    Args:
        entries: functions, games and patterns.
        small: names of the entries that shall be small rather than fast.
        backend: what makes it; the usual one if None.

    Raises:
        NotCompilable: a rule has no compiled form.
    """
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
    doors = [_door(entry, made[entry.__name__]) for entry, *_ in entries]
    if (backend or usual_backend()) is Backend.LLVM:
        module = _optimised_module(doors, fast)
    else:
        inline_small([each.form for each in doors])
        module = encode_module(doors)
    return PageModule(module, tuple(unit.faults))


def _specialise(unit: CompilationUnit, entry: Callable[..., Any], game: Constant, pattern: Any) -> Specialisation:
    first, second, *others = inspect.signature(entry).parameters.values()
    types: dict[str, Type] = {first.name: argument_type(game), second.name: argument_type(pattern)}
    types |= {each.name: KINDS[each.annotation] for each in others}
    return unit.specialise(entry, types)  # type: ignore[arg-type]  # entries are plain functions


def _door(entry: Callable[..., Any], made: Specialisation) -> Door:
    outside = [KINDS[each.annotation] for each in list(inspect.signature(entry).parameters.values())[2:]]
    known = float(made.result.value or 0) if isinstance(made.result, KnownType) else None
    return page_door(entry.__name__, made.form, outside, known)


def _optimised_module(doors: Sequence[Door], fast: Collection[int]) -> WebAssemblyModule:
    """The module as LLVM writes it, linked.

    Args:
        doors: the functions that are visible from outside.
        fast: the forms, by their ids, that shall be fast; others shall be small.
    """
    from llvmlite import binding

    from plyground.compiler.machine import optimise, target_machine

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    functions = list({id(each): each for door in doors for each in reachable_functions(door.form)}.values())
    text = llvm_text(
        functions,
        [_GLOBALS, _PRODUCT, *map(_export_text, doors)],
        BROWSER,
        [each for each in functions if id(each) not in fast],
    )
    code: bytes = target_machine(BROWSER).emit_object(optimise(text, BROWSER))
    return link(code, (FAULT, *(door.name for door in doors)))


def _export_text(door: Door) -> str:
    """LLVM's text of an exported function, which traps at a fault."""
    form, kind = door.form, result_type(door.form)
    parameters = ", ".join(f"{TYPES[each.kind]} %in.{place}" for place, each in enumerate(form.parameters))
    operands = ", ".join(["ptr null", parameters]) if parameters else "ptr null"
    lines = [f"%whole = call fastcc {kind} @{form.name}({operands})"]
    if form.can_fault:
        lines += [f"%status = extractvalue {kind} %whole, 0", "%fine = icmp eq i64 %status, 0"]
        lines += ["br i1 %fine, label %good, label %bad", "bad:", f"%fault = sub i64 %status, {FIRST_FAULT}"]
        lines += ["%place = trunc i64 %fault to i32", f"store i32 %place, ptr addrspace(1) @{FAULT}"]
        lines += ["call void @llvm.trap()", "unreachable", "good:"]
    lines += [f"%result = extractvalue {kind} %whole, {int(form.can_fault)}", "ret double %result"]
    body = "\n".join(f"  {line}" for line in lines)
    return f"define double @{door.name}({parameters}) #0 {{\n{body}\n}}"


_GLOBALS: Final = f"@{FAULT} = addrspace(1) global i32 -1\ndeclare void @llvm.trap()"
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
