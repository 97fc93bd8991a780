"""Numba's internals that plyground uses, each name once, with a fallback for each.

Numba promises its language and its extension API, which this package uses, and none of the names here. Each is looked
up when this module is imported. Without one, searches are still compiled and find the same values: by Numba's stock
pipeline, or again in every process. `why_slow` then says so in a sentence: the cause is ours, not the user's rules.
"""

import pickle
import re
from operator import attrgetter
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import numba
from llvmlite import binding as llvm
from numba.core import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from plyground.compiled.recursion import marked_loops, open_recursion

# Numba is untyped; its own values are Any throughout this module.
Numba = Any

TESTED = ("0.62", "0.68")
"""The first and the last minor version of Numba with which the tests of both speeds passed, as in pyproject.toml."""

PIPELINE = (
    "numba.core.codegen.JITCodeLibrary._optimize_final_module",
    "numba.core.codegen.JITCodeLibrary.add_linking_library",
    "numba.core.codegen.JITCodeLibrary.add_llvm_module",
    "numba.core.codegen.JITCodeLibrary._get_module_for_linking",
    "numba.core.codegen.JITCodeLibrary.get_pointer_to_function",
    "numba.core.codegen.JITCodeLibrary._finalize_final_module",
    "numba.core.codegen.JITCPUCodegen.set_env",
    "numba.core.compiler.CompilerBase.define_pipelines",
    "numba.core.compiler.DefaultPassBuilder.define_nopython_pipeline",
    "numba.core.typing.context.BaseContext.resolve_function_type",
    "numba.core.options.DefaultOptions.no_cfunc_wrapper",
    "numba.core.options.DefaultOptions.no_cpython_wrapper",
    "library._final_module.functions",
    "library._codegen._module_pass_manager",
    "library.enable_object_caching",
)
"""Names that `Library`, `Part` and `Pipeline` need."""
DISK = (
    "numba.core.compiler.CompileResult._reduce",
    "numba.core.compiler.CompileResult._rebuild",
    "library._codegen.magic_tuple",
    "numba.core.codegen.JITCodeLibrary.has_dynamic_globals",
    "dispatcher._cache",
    "dispatcher._cache_hits",
)
"""Names that the cache on disk needs."""


def _first_gone(names: tuple[str, ...]) -> str | None:
    """First of these names that this Numba does not have."""
    samples = {
        "library": cpu_target.target_context.codegen().create_library("sample"),
        "dispatcher": numba.njit(lambda: None),
        "numba": numba,
    }
    for name in names:
        sample, path = name.split(".", 1)
        try:
            attrgetter(path)(samples[sample])
        except AttributeError:
            return name
    return None


def _sentence(name: str, what_is_lost: str) -> str:
    tested = " to ".join(TESTED)
    return f"Numba {numba.__version__} has no {name}, so {what_is_lost}; plyground is tested with Numba {tested}."


_no_pipeline, _no_disk = _first_gone(PIPELINE), _first_gone(DISK)
why_slow: str | None = None
"""Reason why searches run slower than they could, or are compiled in each process; None while no name is missing."""
why_closed: str | None = None
"""Reason why recursion in the last such code was not opened, in a sentence; None if there was none."""
if _no_disk:
    why_slow = _sentence(_no_disk, "every new process compiles again what it searches")
if _no_pipeline:
    why_slow = _sentence(_no_pipeline, "searches run 1.4 to 2 times slower than they could")

ALLOCATES = re.compile(r"NRT_\w*(?:new|[Aa]lloc)")
"""Pattern of the functions of Numba's runtime that give memory."""
UNRESOLVED = '@".numba.unresolved$'
"""Prefix in LLVM's text of a place that gets a function's address before its first call."""

if not _no_pipeline:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder

    class Library(JITCodeLibrary):
        """A piece of compiled code: its private functions are free to change, and its recursion is opened once."""

        opened: bool = False
        """Whether recursion was opened in this code or in code that it calls."""
        allocates: bool = False
        """Whether this code, with all that it calls, takes memory from Numba's runtime."""

        def add_linking_library(self, library: Numba) -> None:
            super().add_linking_library(library)
            self.opened = self.opened or getattr(library, "opened", False)

        def add_llvm_module(self, module: Numba) -> None:
            super().add_llvm_module(llvm.parse_assembly(marked_loops(str(module))))

        def _optimize_final_module(self) -> None:
            for function in self._final_module.functions:
                if function.linkage == llvm.Linkage.linkonce_odr and not function.is_declaration:
                    function.linkage = llvm.Linkage.internal  # its callers are all here, so it can change
            super()._optimize_final_module()
            self.allocates = any(map(ALLOCATES.search, [each.name for each in self._final_module.functions]))
            try:
                opened = open_recursion(str(self._final_module))
                module = llvm.parse_assembly(opened) if opened else None
            except Exception as fault:  # a text of another form: the code is right as it is, and slower
                global why_closed
                why_closed = (
                    f"Recursion could not be opened ({type(fault).__name__}), so searches run 1.4 to 2 times slower; "
                    f"this is Numba {numba.__version__}, and plyground is tested with Numba {' to '.join(TESTED)}."
                )
                return
            if module:
                self.opened, self._final_module = True, module
                manager, builder = self._codegen._module_pass_manager()
                manager.run(module, builder)

    class Part(Library):
        """A function that only compiled code calls: linked into its callers, without machine code of its own."""

        def _finalize_final_module(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> Numba:
            """The receiver of the function's environment, which no machine code reads."""
            return Nowhere

    class Nowhere:
        """Ignores environments: a `Part` has no machine code."""

        @staticmethod
        def set_env(name: str, environment: Numba) -> None: ...

    class Text(Part):
        """A function for another machine: Numba's LLVM text, optimised when all parts are linked."""

        defining: ClassVar[WeakValueDictionary[str, "Text"]] = WeakValueDictionary()
        """Libraries by the names of the functions in them."""

        def __init__(self, codegen: Numba, name: str) -> None:
            super().__init__(codegen, name)
            self.text: str = ""
            self._calls: list[Numba] = []

        def add_linking_library(self, library: Numba) -> None:
            self._calls.append(library)

        def add_llvm_module(self, module: Numba) -> None:
            self.text = marked_loops(str(module))
            for function in module.functions:
                if not function.is_declaration:
                    self.defining[function.name] = self

        @property
        def calls(self) -> list[Numba]:
            """Libraries of the functions that this one calls; those that call it in turn are known by name only."""
            names = re.findall(rf'{re.escape(UNRESOLVED)}([^"]*)"', self.text)
            return [*self._calls, *(self.defining[name] for name in names)]

        def finalize(self) -> None:
            self._finalized = True

    class KnownCalls:
        """Numba's typing context while one function is compiled: it finds the type of a call once.

        Numba infers types in rounds, about eight for a search, and finds all of them again in each. A fifth of the
        time of compiling is saved. Methods are left out: inference may refine what they belong to.
        """

        def __init__(self, context: Numba) -> None:
            self._context = context
            self._known: dict[Numba, Numba] = {}

        def __getattr__(self, name: str) -> Numba:
            return getattr(self._context, name)

        def resolve_function_type(self, function: Numba, args: Numba, named: Numba) -> Numba:
            """Signature of a call of a function with arguments of these types; None if there is none."""
            if isinstance(function, types.Dispatcher) and _calls_itself(function.dispatcher):
                args = tuple(map(types.unliteral, args))
            key = (function, tuple(args), tuple(dict(named).items()))
            if key not in self._known:
                found = self._context.resolve_function_type(function, args, named)
                if found is None or isinstance(function, types.BoundFunction):
                    return found
                self._known[key] = found
            return self._known[key]

    class Pipeline(CompilerBase):
        """Numba's own passes, with a library of ours as their output."""

        library = Library

        def define_pipelines(self) -> list[Numba]:
            self.state.typingctx = KnownCalls(self.state.typingctx)
            if self.state.library is None:
                self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
                self.state.library.enable_object_caching()
            return [DefaultPassBuilder.define_nopython_pipeline(self.state)]

    class PartPipeline(Pipeline):
        """The same pipeline for parts."""

        library = Part

    class TextPipeline(Pipeline):
        """The same pipeline for other machines."""

        library = Text


def _calls_itself(dispatcher: Numba) -> bool:
    """Whether a function calls itself. Such a call has no constant for an argument that is one in the first call; as
    functions of two types they would be compiled twice, and the first would not find the second, which is a `Part`."""
    function = dispatcher.py_func
    return any(function.__globals__.get(name) is dispatcher for name in function.__code__.co_names)


def options(*, from_python: bool, is_elsewhere: bool = False) -> dict[str, Numba]:
    """Options for `numba.njit`: without Python's lock, and by our pipeline.

    A function that Python does not call needs no wrapper, and no machine code before its callers have it: this saves
    a fifth of the time that compiling takes.
    """
    if _no_pipeline:
        return {"nogil": True}
    if is_elsewhere:
        return {"nogil": True, "pipeline_class": TextPipeline, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if from_python:
        return {"nogil": True, "pipeline_class": Pipeline}
    return {"nogil": True, "pipeline_class": PartPipeline, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def texts(library: Numba) -> dict[Numba, str]:
    """LLVM text of a function for other machines, and of all functions that it calls, by their libraries.

    Numba's own functions are taken as compiled for this machine: arithmetic, which is the same on every machine.
    """
    found: dict[Numba, str] = {}
    open_ends = [library]
    with global_compiler_lock:
        while open_ends:
            here = open_ends.pop()
            if here not in found:
                is_ours = isinstance(here, Text)
                found[here] = here.text if is_ours else str(here._get_module_for_linking())
                open_ends += here.calls if is_ours else []
    return found


def texts_near(library: Numba) -> list[str]:
    """LLVM text of a function for other machines, and of the functions of Numba's that it calls."""
    return [text for each, text in texts(library).items() if each is library or each in library.calls]


# -- code on disk -----------------------------------------------------------------------------------------------------


def keep_on_disk(dispatcher: Numba, cache: Numba) -> None:
    """Make a dispatcher ask this cache before it compiles, and save to it afterwards."""
    if not _no_disk:
        dispatcher._cache = cache


def found_on_disk(dispatcher: Numba, signature: Numba) -> bool:
    """Whether a dispatcher's code for these types came from its cache."""
    return not _no_disk and dispatcher._cache_hits[signature] > 0


def machine(target: Numba) -> str:
    """Name and features of the processor that code is made for."""
    return repr(target.codegen().magic_tuple())


def is_opened(result: Numba) -> bool:
    """Whether recursion in compiled code was opened."""
    return getattr(result.library, "opened", False)


def allocates(result: Numba) -> bool:
    """Whether compiled code takes memory while it runs, as for a list, a set, a dict or a text."""
    return getattr(result.library, "allocates", False)


def written(result: Numba) -> bytes | None:
    """Compiled code as bytes; None if it holds an address of this process, which no other can use."""
    if result.library.has_dynamic_globals:
        return None
    known = is_opened(result), allocates(result)
    return pickle.dumps((*known, result._reduce()), pickle.HIGHEST_PROTOCOL)


def read(target: Numba, code: bytes) -> Numba:
    """Compiled code from bytes."""
    from numba.core.compiler import CompileResult

    target.refresh()
    opened, takes_memory, parts = pickle.loads(code)
    result = CompileResult._rebuild(target, *parts)
    result.library.opened, result.library.allocates = opened, takes_memory
    return result
