"""Machine code of this process, made of LLVM's text."""

import ctypes
import hashlib
from array import array
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Protocol

from llvmlite import binding

from plyground.compiler.llvm import ENTRY, WEIGHTS
from plyground.compiler.target import Target, native_target
from plyground.rules import Weights


class MachineCode:
    """Machine code, made of LLVM's text.

    Args:
        text: the program.
        weights: what its weights are, in the order of `weights_in`; they are kept with the code.
        objects: where the object code of programs is kept; None: nowhere.
    """

    def __init__(self, text: str, weights: Sequence[Weights] = (), objects: "ObjectCache | None" = None) -> None:
        machine = native_target().machine()
        mark = hashlib.sha256(repr((version("llvmlite"), native_target(), text)).encode()).hexdigest()[:32]
        code = objects.read(f"object-{mark}") if objects else None
        if code is None:
            code = machine.emit_object(optimise(text, native_target()))
            if objects:
                objects.write(f"object-{mark}", code)
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._engine.add_object_file(binding.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self.address: int = self._engine.get_function_address(ENTRY)
        self._weights = [array("q", each) for each in weights]
        for number, each in enumerate(self._weights):
            place = self._engine.get_global_value_address(f"{WEIGHTS}.{number}")
            ctypes.c_void_p.from_address(place).value = each.buffer_info()[0]


def optimise(text: str, target: Target) -> Any:
    """Parse a program and optimise it; return LLVM's module."""
    module = binding.parse_assembly(text)
    options = binding.create_pipeline_tuning_options(speed_level=target.speed_level)
    options.loop_vectorization = options.slp_vectorization = False  # seconds of compiling for nothing
    passes = binding.create_pass_builder(target.machine(), options)
    passes.getModulePassManager().run(module, passes)
    return module


class ObjectCache(Protocol):
    """A store of object code by name."""

    def read(self, name: str) -> bytes | None:
        """The bytes of a name; None if there are none."""

    def write(self, name: str, data: bytes) -> None:
        """Store bytes."""
