"""WebAssembly modules of games: rules and searches for any browser, from the functions that run natively."""

from plyground.wasm.building import GameModule, build_module

__all__ = ["GameModule", "build_module"]
