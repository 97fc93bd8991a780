"""Machine code for this process, compiled from LLVM's text and kept as object code on disk."""

import ctypes
import hashlib
import platform
from array import array
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Protocol

from llvmlite import binding

from plyground.compiler.backends.doors import memory_door
from plyground.compiler.backends.llvm import WEIGHTS_NAME, entry_text, llvm_text, weights_in
from plyground.compiler.backends.stack import stack_bytes
from plyground.compiler.errors import InvalidCode
from plyground.compiler.form import ENTRY_NAME, FunctionForm, reachable_functions
from plyground.compiler.target import Target


@lru_cache(maxsize=1)
def native_target() -> Target:
    """The machine on which this process runs."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    features = binding.get_host_cpu_features()
    return Target(
        binding.get_default_triple(),
        binding.get_host_cpu_name(),
        features.flatten(),
        has_deposit=bool(features.get("bmi2")) and platform.machine().lower() in ("x86_64", "amd64"),
        has_logarithm=True,
    )


def target_machine(target: Target) -> Any:
    """Make LLVM's target machine, a new one for each module."""
    known = binding.Target.from_triple(target.triple)
    return known.create_target_machine(cpu=target.processor, features=target.features, opt=3, jit=True)


class MachineCode:
    """A function and all that it calls, as machine code.

    Args:
        entry: the function.
        objects: where the object code of programs is kept; None: nowhere.
    """

    def __init__(self, entry: FunctionForm, objects: "ObjectCache | None" = None) -> None:
        door, target = memory_door(ENTRY_NAME, entry).form, native_target()
        functions = reachable_functions(door)
        self.text = llvm_text(functions, [entry_text(door)], target)
        machine = target_machine(target)
        # All that the object code depends on: LLVM, by the release of its binding, the machine, and the text. Weights
        # are not in it.
        mark = hashlib.sha256(repr((version("llvmlite"), target, self.text)).encode()).hexdigest()[:32]
        code = objects.read(f"object-{mark}") if objects else None
        if code is None:
            code = machine.emit_object(optimise(self.text, target))
            if objects:
                objects.write(f"object-{mark}", code)
        # The engine wants a module of its own; the code comes as an object file.
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._engine.add_object_file(binding.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._run = _call_type(self._engine.get_function_address(ENTRY_NAME))
        self._weights = [array("q", each) for each in weights_in(functions)]
        for number, each in enumerate(self._weights):
            place = self._engine.get_global_value_address(f"{WEIGHTS_NAME}.{number}")
            # The arrays live as long as this object, and code reads them from their place.
            ctypes.c_void_p.from_address(place).value = each.buffer_info()[0]

    def buffer(self, words: int) -> tuple[Any, int]:
        """Memory for ints, all zero, which code can read and write, and its address."""
        block = array("q", bytes(8 * words))
        return block, block.buffer_info()[0]

    def address_of(self, block: memoryview) -> int:
        """The address of a block of memory that outlives the call."""
        return ctypes.addressof((ctypes.c_char * 0).from_buffer(block))

    def run(self, arguments: int, results: int) -> int:
        """Call with the addresses of arguments and results; return the number of the fault, 0 for none."""
        status: int = self._run(arguments, results, stack_bytes())
        return status


_call_type = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


def optimise(text: str, target: Target) -> Any:
    """Parse a program and optimise it; return LLVM's module.

    Raises:
        InvalidCode: it is no program; LLVM's passes would end the process.
    """
    try:
        module = binding.parse_assembly(text)
        module.verify()
    except RuntimeError as fault:
        raise InvalidCode(str(fault)) from None
    options = binding.create_pipeline_tuning_options(speed_level=target.speed_level)
    options.loop_vectorization = options.slp_vectorization = False  # seconds of compiling for nothing
    passes = binding.create_pass_builder(target_machine(target), options)
    passes.getModulePassManager().run(module, passes)
    return module


class ObjectCache(Protocol):
    """A store of object code by name."""

    def read(self, name: str) -> bytes | None:
        """The bytes of a name; None if there are none."""

    def write(self, name: str, data: bytes) -> None:
        """Store bytes."""
