"""Choice of the back end: machine code where LLVM is installed, else WebAssembly in wasmtime or in a browser."""

import os
import sys
from enum import Enum
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Final

from plyground.search.memory import allocators


class Backend(Enum):
    """The kind of compiled code, and the engine that runs it."""

    LLVM = "llvm"
    """Machine code of this process."""
    PYODIDE = "pyodide"
    """WebAssembly in the browser's engine, beside Python."""
    WASMTIME = "wasmtime"
    """WebAssembly in wasmtime, where llvmlite is not installed."""


BACKEND_VARIABLE: Final = "PLYGROUND_BACKEND"
"""Environment variable that names another back end than the usual one, to try it: llvm or wasmtime."""
_LIBRARIES: Final = {Backend.LLVM: "llvmlite", Backend.WASMTIME: "wasmtime"}


@lru_cache(maxsize=1)
def usual_backend() -> Backend | None:
    """The back end of this process; None if no library for it is installed."""
    # Before the libraries: a browser has neither, and its own engine is always there.
    if sys.platform == "emscripten":
        return Backend.PYODIDE
    installed = [backend for backend, library in _LIBRARIES.items() if find_spec(library)]
    wanted = os.environ.get(BACKEND_VARIABLE, "")
    return next((each for each in installed if wanted in ("", each.value)), None)


def backend_edition() -> str:
    """The back end of this process with its version."""
    here = usual_backend()
    return f"{here.value} {version(_LIBRARIES[here])}" if here in _LIBRARIES else sys.version


def _allocate(length: int) -> memoryview:
    from plyground.compiler.backends.linear_memory import (
        wasmtime_memory,  # here, because wasmtime takes a moment to load
    )

    return wasmtime_memory().allocate(length)


# Memory that searches share with code has to lie in the engine's, or each call would copy a table in and out.
if usual_backend() is Backend.WASMTIME:
    allocators.append(_allocate)
