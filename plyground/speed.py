"""Which of the two speeds a search runs at: compiled where that is possible, plain Python where not.

Numba takes half a second to import, so `compile.py` is loaded by the first search, not with the package.
"""

import os
import warnings
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from types import FunctionType
from typing import Any, cast

from plyground.rules import Constant


class Kernel:
    """A search bound to a game, called with the search's remaining arguments, at the best speed there is."""

    def __init__(self, search: Callable[..., Any], game: Constant) -> None:
        self._search, self._game = search, game
        self.compiled: Any = None
        """Its machine code, a `compile.Compiled`; None before it is prepared, and while it runs plain."""
        self.why_plain: str | None = None
        """Why it runs as plain Python, in one sentence; None while it runs compiled."""
        if not find_spec("numba"):
            self.why_plain = "Numba is not installed, so searches run as plain Python."
        elif is_plain_wanted():
            self.why_plain = "PLYGROUND_PLAIN is set, so searches run as plain Python."

    def __call__(self, *args: Any) -> Any:
        self.prepare(*args)
        return self._search(self._game, *args) if self.why_plain else self.compiled(*args)

    def prepare(self, *args: Any) -> None:
        """Do now what the first call with arguments like these would do before it starts: load, compile.

        A rule that cannot be compiled is named in `why_plain`. Any other failure is not the author's: the sentence then
        says whose it is, and is a warning as well.
        """
        if self.why_plain:
            return
        try:
            from plyground import compile as native  # here, because Numba takes half a second to import
        except Exception as fault:
            self._fail(f"Numba could not be loaded ({_words(fault)})")
            return
        try:
            if not self.compiled:
                self.compiled = native.Compiled(cast(FunctionType, self._search), self._game)
            self.compiled.prepare(*args)
        except native.CannotCompile as fault:
            self.compiled, self.why_plain = None, str(fault)
        except Exception as fault:
            self._fail(f"Compiling {self._search.__name__} failed by no fault of the rules ({_words(fault)})")

    def _fail(self, what: str) -> None:
        self.compiled, self.why_plain = None, f"{what}, so searches run as plain Python."
        warnings.warn(self.why_plain, RuntimeWarning, stacklevel=4)

    @property
    def why_slow(self) -> str | None:
        """Why it runs compiled, but slower than it could, or is compiled again by every process; None if neither."""
        return self.compiled.why_slow if self.compiled else None


def _words(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}".rstrip(": ")


def is_plain_wanted() -> bool:
    """Whether the environment asks for plain Python throughout: `PLYGROUND_PLAIN` set to anything but 0."""
    return os.environ.get("PLYGROUND_PLAIN", "0") not in ("", "0")


@lru_cache(maxsize=256)
def kernel(search: Callable[..., Any], game: Constant) -> Kernel:
    """A search for a game, ready to be called: `kernel(search, game)(*args)` answers as `search(game, *args)`."""
    return Kernel(search, game)
