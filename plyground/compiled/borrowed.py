"""What is borrowed from Numba's inside, each name once, and what is done where one is gone.

Numba promises its language and its extension API, which this room uses, and nothing of what is named here. Each name
is looked up when this module is imported. If one is gone, searches are still compiled and find the same: by Numba's
stock pipeline, or anew in every process. Then `why_slow` says so in a sentence, for it is nobody's fault but ours.
"""

import pickle
import re
from operator import attrgetter
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import numba
from llvmlite import binding as llvm
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from plyground.compiled.recursion import marked_loops, open_recursion

# Numba is untyped; its own values are Any throughout this module.
Numba = Any

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
    "numba.core.options.DefaultOptions.no_cfunc_wrapper",
    "numba.core.options.DefaultOptions.no_cpython_wrapper",
    "library._final_module.functions",
    "library._codegen._module_pass_manager",
    "library.enable_object_caching",
)
"""What `Library`, `Part` and `Pipeline` stand on."""
DISK = (
    "numba.core.compiler.CompileResult._reduce",
    "numba.core.compiler.CompileResult._rebuild",
    "library._codegen.magic_tuple",
    "numba.core.codegen.JITCodeLibrary.has_dynamic_globals",
    "dispatcher._cache",
    "dispatcher._cache_hits",
)
"""What keeping code on disk stands on."""


def _first_gone(names: tuple[str, ...]) -> str | None:
    """The first of these that this Numba does not have."""
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
    return f"Numba {numba.__version__} has no {name}, so {what_is_lost}; plyground knows Numba 0.68."


_no_pipeline, _no_disk = _first_gone(PIPELINE), _first_gone(DISK)
why_slow: str | None = None
"""Why searches run slower than they could, or are compiled again in each process; None while nothing is gone."""
why_closed: str | None = None
"""Why the last code that could not be opened was not, in a sentence; None if there was none."""
if _no_disk:
    why_slow = _sentence(_no_disk, "every new process compiles again what it searches")
if _no_pipeline:
    why_slow = _sentence(_no_pipeline, "searches run 1.4 to 2 times slower than they could")

UNRESOLVED = '@".numba.unresolved$'
"""How the text names a place where the address of a function is written before it is called for the first time."""

if not _no_pipeline:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder

    class Library(JITCodeLibrary):
        """A piece of compiled code: its private functions are free to change, and its recursion is opened once."""

        opened = False
        """Whether there is recursion in it that was opened, here or in what it calls."""

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
            try:
                opened = open_recursion(str(self._final_module))
                module = llvm.parse_assembly(opened) if opened else None
            except Exception as fault:  # a text of another form: the code is right as it is, and slower
                global why_closed
                why_closed = (
                    f"Recursion could not be opened ({type(fault).__name__}), so searches run 1.4 to 2 times slower."
                )
                return
            if module:
                self.opened, self._final_module = True, module
                manager, builder = self._codegen._module_pass_manager()
                manager.run(module, builder)

    class Part(Library):
        """A function that only compiled code calls: it is linked into what calls it, and is no machine code itself."""

        def _finalize_final_module(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> Numba:
            """What is told where the function's environment lies, which no machine code asks for."""
            return Nowhere

    class Nowhere:
        """Where what has no machine code lies."""

        @staticmethod
        def set_env(name: str, environment: Numba) -> None: ...

    class Text(Part):
        """A function for other machines: its text as Numba writes it, which whoever links it all optimises."""

        defining: ClassVar[WeakValueDictionary[str, "Text"]] = WeakValueDictionary()
        """By the names of the functions in them."""

        def __init__(self, codegen: Numba, name: str) -> None:
            super().__init__(codegen, name)
            self.text = ""
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
            """The libraries of the functions that it calls; those that call it in turn it knows by their names only."""
            names = re.findall(rf'{re.escape(UNRESOLVED)}([^"]*)"', self.text)
            return [*self._calls, *(self.defining[name] for name in names)]

        def finalize(self) -> None:
            self._finalized = True

    class Pipeline(CompilerBase):
        """Numba's own passes, writing into a library of ours."""

        library = Library

        def define_pipelines(self) -> list[Numba]:
            if self.state.library is None:
                self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
                self.state.library.enable_object_caching()
            return [DefaultPassBuilder.define_nopython_pipeline(self.state)]

    class PartPipeline(Pipeline):
        """The same, for parts."""

        library = Part

    class TextPipeline(Pipeline):
        """The same, for other machines."""

        library = Text


def options(*, from_python: bool, is_elsewhere: bool = False) -> dict[str, Numba]:
    """How a function is to be compiled, for `numba.njit`: without Python's lock, and by our pipeline.

    What Python does not call needs no way in from there, nor to be machine code before its callers are: a fifth of the
    time that compiling takes.
    """
    if _no_pipeline:
        return {"nogil": True}
    if is_elsewhere:
        return {"nogil": True, "pipeline_class": TextPipeline, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if from_python:
        return {"nogil": True, "pipeline_class": Pipeline}
    return {"nogil": True, "pipeline_class": PartPipeline, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def texts(library: Numba) -> dict[Numba, str]:
    """The text of a function for other machines, and of all that it calls, by their libraries.

    Numba's own functions are as they are for this machine: numbers, of which every machine thinks alike.
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
    """The text of a function for other machines, and of what it calls of Numba's."""
    return [text for each, text in texts(library).items() if each is library or each in library.calls]


# -- code on disk -----------------------------------------------------------------------------------------------------


def keep_on_disk(dispatcher: Numba, cache: Numba) -> None:
    """Let a dispatcher ask this cache (`load_overload`, `save_overload`) before it compiles, and tell it afterwards."""
    if not _no_disk:
        dispatcher._cache = cache


def found_on_disk(dispatcher: Numba, signature: Numba) -> bool:
    """Whether its code for these types was found by its cache."""
    return not _no_disk and dispatcher._cache_hits[signature] > 0


def machine(target: Numba) -> str:
    """The processor that code is made for, and all that the code expects of it."""
    return repr(target.codegen().magic_tuple())


def is_opened(result: Numba) -> bool:
    """Whether there is recursion in compiled code that was opened."""
    return getattr(result.library, "opened", False)


def written(result: Numba) -> bytes | None:
    """Compiled code as bytes; None if it holds an address of this process, and so means nothing to another."""
    if result.library.has_dynamic_globals:
        return None
    return pickle.dumps((is_opened(result), result._reduce()), pickle.HIGHEST_PROTOCOL)


def read(target: Numba, code: bytes) -> Numba:
    """Compiled code from bytes."""
    from numba.core.compiler import CompileResult

    target.refresh()
    opened, parts = pickle.loads(code)
    result = CompileResult._rebuild(target, *parts)
    result.library.opened = opened
    return result
