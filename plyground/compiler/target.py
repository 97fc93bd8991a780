"""Targets: the machines for which code is made."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Target:
    """Machine for which code is made: its name for LLVM, and the instructions and libraries that code may use."""

    triple: str
    processor: str
    features: str
    # An instruction that is not declared here is not used: a machine without it would end the program as illegal.
    has_deposit: bool = False
    """Whether the machine deposits bits in one instruction, `pdep` of BMI2: the n-th member of a set without a loop."""
    has_logarithm: bool = False
    """Whether a library of mathematical functions is at hand."""
    speed_level: int = 3
    """LLVM's optimisation level for speed at the cost of size, 0 to 3."""


WEBASSEMBLY: Final = Target("wasm32-unknown-unknown", "generic", "")
"""Any engine of WebAssembly, and any browser; LLVM does not see it."""
