"""Targets: the machines for which code is made."""

import platform
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from llvmlite import binding


@dataclass(frozen=True)
class Target:
    """A machine, and what code for it may use."""

    triple: str
    processor: str
    features: str
    has_deposit: bool = False
    """Whether it deposits bits in one instruction (BMI2)."""
    has_logarithm: bool = False
    """Whether a library of mathematical functions is at hand."""
    has_large_stack: bool = False
    """Whether the call stack lies in addressable memory, so that code tests its depth; else the engine does."""
    speed_level: int = 3
    """LLVM's optimisation level for speed at the cost of size, 0 to 3."""
    is_here: bool = False
    """Whether the code will run in this process, so that data may be given by their addresses."""

    def machine(self) -> Any:
        """LLVM's target machine, a new one for each module."""
        found = binding.Target.from_triple(self.triple)
        return found.create_target_machine(cpu=self.processor, features=self.features, opt=3, jit=self.is_here)


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
        has_large_stack=True,
        is_here=True,
    )


BROWSER: Final = Target(
    "wasm32-unknown-unknown",
    "generic",
    "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals",
    speed_level=2,
)
"""Any browser: WebAssembly with the features that all have had since 2021. Level 3 would make modules up to a seventh
larger, and none faster."""
