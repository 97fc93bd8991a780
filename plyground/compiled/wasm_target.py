"""Compilation of a game and its searches to WebAssembly, for any browser.

Numba's text of every function that the entries call is linked into one module while it is still as Numba wrote it, with
the target that it is for from the beginning; then it is optimised as a whole and written out. So a function that
several entries call stands there once. Recursion is not opened: it was tried, and made modules two to three times as
large, and Connect Four and draughts no faster.

An entry is a plain function of a game, a pattern of its states, and then of `Memory`, ints and floats, that answers
with an int or a float. Outside, an address is a 32-bit int and every number a float of 64 bits, which JavaScript knows
as numbers: 2**53 is enough for all that is asked. An exception returns a NaN, and its number is in `fault`, a
global of the module's instance (LLVM's address space 1), for instances may share their memory. Code writes only to
memory that its caller hands over, so a later instance may write the same constants to a shared memory again.
"""

import inspect
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from pickle import loads
from typing import Any, cast

import numba
from llvmlite import binding as llvm

from plyground.compiled import numba_internals
from plyground.compiled.code import CannotCompile
from plyground.compiled.constants import handed_over, type_of
from plyground.compiled.fingerprint import code_fingerprint, weights_of
from plyground.compiled.intrinsics import ints_of
from plyground.compiled.memory import MEMORY
from plyground.compiled.reasons import OTHERWISE, why_not
from plyground.compiled.specialise import code_of, compiled, for_elsewhere
from plyground.constant import Constant
from plyground.faults import is_own
from plyground.search.memory import Memory

# Numba and llvmlite are untyped; their own values are Any throughout this module.
Numba = Any
Llvm = Any

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""WebAssembly features that every browser has had since 2021."""
KINDS: dict[type, Numba] = {Memory: MEMORY, int: numba.int64, float: numba.float64}


@dataclass(frozen=True)
class Written:
    """Result of writing a module."""

    code: bytes
    """Object file, not linked yet."""
    exports: tuple[str, ...]
    """Names of the exported functions."""
    faults: tuple[tuple[type[BaseException], tuple[Any, ...], str], ...]
    """Exceptions by their numbers, from 1: class, arguments, and line."""


def written_for_browsers(
    entries: Sequence[tuple[Callable[..., Any], Constant, Any]], small: Collection[str] = ()
) -> Written:
    """The object file of these entries, each with the game that it is for and a pattern of that game's states.

    Args:
        entries: functions, games and patterns.
        small: names of the entries to be small rather than fast.

    Raises:
        CannotCompile: a rule has no compiled form.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu="generic", features=FEATURES, opt=3)
    module = _Module(machine)
    for entry, game, pattern in entries:
        module.add(entry, game, pattern)
    return module.written(small)


class _Module:
    """The module, while it is built."""

    def __init__(self, machine: Llvm) -> None:
        self._machine = machine
        self._libraries: dict[Numba, str] = {}
        self._texts: list[str] = []
        self._exports: list[str] = []
        self._faults: dict[bytes, int] = {}

    def add(self, entry: Callable[..., Any], game: Constant, pattern: Any) -> None:
        """Compile an entry, with all that it calls."""
        parameters = list(inspect.signature(entry).parameters.values())[2:]
        kinds = [KINDS[parameter.annotation] for parameter in parameters]
        signature = (type_of(game), numba.typeof(pattern), *kinds)
        with for_elsewhere():
            dispatcher = compiled(cast(Any, entry), from_python=True)
            try:
                dispatcher.compile(signature)
            except Exception as fault:
                if why := why_not(fault, cast(Any, entry), game):
                    raise CannotCompile(why) from None
                raise
        result = dispatcher.overloads[signature]
        for library, text in numba_internals.texts(result.library).items():
            if library not in self._libraries:
                self._libraries[library] = text
                self._texts.append(self._without_python(text))
        if weights_of(game) and not any(each.startswith(_weights_name(game)) for each in self._texts):
            self._texts.append(_weights(game))
        self._exports.append(entry.__name__)
        self._texts.append(_door(entry.__name__, result, game, signature[1]))

    def _without_python(self, text: str) -> str:
        """LLVM text without calls of Python's runtime: an exception becomes its number."""
        numbers = {}
        for name, data in re.findall(r'^@\.const\.pickledata\.(\w+) = [^\n]*? c"(.*)"', text, re.MULTILINE):
            raised = bytes_of(data)
            numbers[name] = self._faults.setdefault(raised, len(self._faults) + 1)
        text = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)
        text = re.sub(r"^(@\.const\.picklebuf|target ).*\n", "", text, flags=re.MULTILINE)
        text = re.sub(
            r"@\.const\.picklebuf\.(\w+)(?:\.\d+)?", lambda one: f"inttoptr (i32 {numbers[one[1]]} to ptr)", text
        )
        return re.sub(r" = common (local_unnamed_addr )?global", " = internal global", text)

    def written(self, small: Collection[str]) -> Written:
        """The whole module, linked, optimised and written."""
        head = f'target datalayout = "{self._machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
        module = llvm.parse_assembly(head + "@fault = addrspace(1) global i32 0\n" + _RUNTIME)
        for text in self._texts:
            module.link_in(llvm.parse_assembly(head + text))
        place = re.escape(numba_internals.UNRESOLVED)
        named = re.sub(
            rf'^({place}(.*)") = external global ptr', r'\1 = internal constant ptr @"\2"', str(module), flags=re.M
        )
        module = llvm.parse_assembly(named)
        for function in module.functions:
            if not function.is_declaration and function.name not in (*self._exports, _KEPT):
                function.linkage = "internal"
        for function in self._only_of(small, module):
            function.add_function_attribute("optsize")
        self._optimise(module)
        if gone := [each.name for each in module.functions if each.is_declaration and "llvm." not in each.name]:
            raise CannotCompile(self._blamed(gone[0]))
        faults = tuple(_told(data) for data in self._faults)
        return Written(self._machine.emit_object(module), ("fault", *self._exports), faults)

    def _only_of(self, names: Collection[str], module: Llvm) -> list[Llvm]:
        """The functions that no entry but those of these names leads to."""
        functions = {each.name: each for each in module.functions if not each.is_declaration}
        called = {name: set(re.findall(r'@"?([\w.$:<>-]+)', str(each))) for name, each in functions.items()}
        found = set[str]()
        left = [*set(self._exports).difference(names), *re.findall(r"@(\w+)", _RUNTIME)]
        while left:
            if (name := left.pop()) in functions and name not in found:
                found.add(name)
                left += called[name]
        return [each for name, each in functions.items() if name not in found]

    def _blamed(self, symbol: str) -> str:
        """The rule that calls Numba's runtime, which allocates memory for text, lists, sets and dicts."""
        asking = re.compile(
            "@" + numba_internals.ALLOCATES.pattern if symbol.startswith("NRT_") else re.escape(symbol)
        ).search
        for library in reversed(self._libraries):
            code = code_of(library.name)
            if code and is_own(code.co_filename) and any(map(asking, numba_internals.texts_near(library))):
                return f"{Path(code.co_filename).name}, line {code.co_firstlineno} or below: {OTHERWISE}."
        return f"One of the rules: {OTHERWISE}."

    def _optimise(self, module: Llvm) -> None:
        module.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization = options.slp_vectorization = False
        builder = llvm.create_pass_builder(self._machine, options)
        for function in module.functions:
            if not function.is_declaration:  # a short loop of calls is opened before they are: each then has constants
                builder.getFunctionPassManager().run(function, builder)
        builder.getModulePassManager().run(module, builder)


_RUNTIME = """
define void @NRT_incref(ptr %0) { ret void }
define void @NRT_decref(ptr %0) { ret void }
declare double @llvm.sqrt.f64(double)
define double @sqrt(double %0) {
  %2 = call double @llvm.sqrt.f64(double %0)
  ret double %2
}
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
"""What is found beside the code on other machines: Numba's counts of references, which constant arrays do not have;
roots, an instruction here; the product of two ints of 128 bits, by which LLVM writes the sum of a loop in one step."""
_KEPT = "__multi3"
"""Those that LLVM may call after its last pass; not optimised, or LLVM would replace each with a call of itself."""


def _weights_name(game: Constant) -> str:
    """The global that has the weights of a game, for all entries."""
    return f'@"weights.{code_fingerprint(game)}"'


def _weights(game: Constant) -> str:
    """The text of that global."""
    words = ", ".join(f"i64 {word}" for word in cast(Memory, handed_over(game)))
    return f"{_weights_name(game)} = hidden constant [{words.count('i64')} x i64] [{words}]\n"


def _door(name: str, result: Numba, game: Constant, pattern: Numba) -> str:
    """The text of an exported function around a compiled entry."""
    inner = f'@"{result.fndesc.llvm_func_name}"'
    kinds = result.signature.args[2:]
    outside = ", ".join(f"{'ptr' if kind == MEMORY else 'double'} %in.{at}" for at, kind in enumerate(kinds))
    weights, handed = "", "ptr null"
    if weights_of(game):
        weights, handed = f"{_weights_name(game)} = external constant i64\n", f"ptr {_weights_name(game)}"
    given, lines = ["ptr %answer", "ptr %raised", handed, *["i64 0"] * len(ints_of(pattern))], []
    for at, kind in enumerate(kinds):
        if kind == numba.int64:
            lines.append(f"  %in.{at}t = fptosi double %in.{at} to i64")
        given.append(f"i64 %in.{at}t" if kind == numba.int64 else f"{'ptr' if kind == MEMORY else 'double'} %in.{at}")
    whole = "  %whole = load i64, ptr %answer\n  %told = sitofp i64 %whole to double"
    if result.signature.return_type == numba.float64:
        whole = "  %told = load double, ptr %answer"
    types = ", ".join(each.split()[0] for each in given)
    return f"""
{weights}@fault = external addrspace(1) global i32
declare i32 {inner}({types})
define double @{name}({outside}) {{
  %answer = alloca i64
  %raised = alloca ptr
{chr(10).join(lines)}
  %status = call i32 {inner}({", ".join(given)})
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %good, label %bad
good:
{whole}
  ret double %told
bad:
  %what = load ptr, ptr %raised
  %number = ptrtoint ptr %what to i32
  store i32 %number, ptr addrspace(1) @fault
  ret double 0x7FF8000000000000
}}
"""


def bytes_of(text: str) -> bytes:
    """Bytes of a constant in LLVM's text, where two digits or another backslash come after each backslash."""
    code = re.compile(rb"\\(\\|[0-9A-F]{2})")
    return code.sub(lambda one: one[1] if one[1] == b"\\" else bytes([int(one[1], 16)]), text.encode("latin-1"))


def _told(data: bytes) -> tuple[type[BaseException], tuple[Any, ...], str]:
    """An exception from Numba's record of it: class, arguments, and place where it is raised."""
    kind, args, place = loads(data)
    where = f"{place[1]}:{place[2]}" if place else ""
    return kind, tuple(args or ()), where
