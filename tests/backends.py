"""Functions compiled by both back ends, which must agree to the last bit, exception and byte of memory."""

from collections.abc import Callable
from typing import Any

from random_programs import outcome

from plyground.compiler import runtime
from plyground.compiler.backends.backend import Backend


class CompiledFunction:
    """A function as machine code, held at each call to the same function as WebAssembly."""

    def __init__(self, function: Callable[..., Any], *sample: object, **options: Any) -> None:
        self._native = runtime.CompiledFunction(function, *sample, backend=Backend.LLVM, **options)
        self._wasm = runtime.CompiledFunction(function, *sample, backend=Backend.WASMTIME, **options)

    def __call__(self, *args: Any) -> Any:
        others = _copy(args)
        found = outcome(self._wasm, *others)
        if found is not RecursionError:  # its stack is smaller
            assert repr(outcome(self._native, *_copy(args))) == repr(found), args
        result = self._native(*args)
        assert repr(args) == repr(others) or found is RecursionError or _words(args) == _words(others)
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native, name)


def _copy(value: Any) -> Any:
    """A value with memory of its own."""
    if isinstance(value, memoryview):
        return memoryview(bytearray(value.cast("B"))).cast(value.format)  # type: ignore[call-overload]
    if isinstance(value, tuple):
        items = map(_copy, value)
        return value._make(items) if hasattr(value, "_make") else tuple(items)
    return value


def _words(value: Any) -> list[bytes]:
    if isinstance(value, memoryview):
        return [value.tobytes()]
    return [each for item in value for each in _words(item)] if isinstance(value, tuple) else []
