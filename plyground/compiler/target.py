"""Targets: the machines for which code is made."""

from dataclasses import dataclass
from typing import Final


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
    speed_level: int = 3
    """LLVM's optimisation level for speed at the cost of size, 0 to 3."""


WEBASSEMBLY: Final = Target("wasm32-unknown-unknown", "generic", "")
"""Any engine of WebAssembly, and any browser; LLVM does not see it."""
