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
    has_large_stack: bool = False
    """Whether the call stack lies in addressable memory, so that code tests its depth; else the engine does."""
    speed_level: int = 3
    """LLVM's optimisation level for speed at the cost of size, 0 to 3."""
    is_here: bool = False
    """Whether the code will run in this process, so that data may be given by their addresses."""


BROWSER: Final = Target(
    "wasm32-unknown-unknown",
    "generic",
    "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals",
    speed_level=2,
)
"""Any browser: WebAssembly with the features that all have had since 2021. Level 3 would make modules up to a seventh
larger, and none faster."""
WEBASSEMBLY: Final = Target("wasm32-unknown-unknown", "generic", "")
"""Any engine of WebAssembly, for code that LLVM does not see."""
