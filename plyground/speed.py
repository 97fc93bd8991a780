"""Which of the two speeds a search runs at: compiled where that is possible, plain Python where not.

Numba takes half a second to import, so `compile.py` is loaded by the first search, not with the package.
"""

import importlib
import os
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from plyground.rules import Constant


class Kernel:
    """A search bound to a game, called with the search's remaining arguments, at the best speed there is."""

    def __init__(self, search: Callable[..., Any], game: Constant) -> None:
        self._search, self._game = search, game
        self._fast: Any = None
        self.why_plain: str | None = None
        """Why it runs as plain Python, in one sentence; None while it runs compiled."""
        if not find_spec("numba"):
            self.why_plain = "Numba is not installed, so searches run as plain Python."
        elif is_plain_wanted():
            self.why_plain = "PLYGROUND_PLAIN is set, so searches run as plain Python."

    def __call__(self, *args: Any) -> Any:
        self.prepare(*args)
        return self._search(self._game, *args) if self.why_plain else self._fast(*args)

    def prepare(self, *args: Any) -> None:
        """Do now what the first call with arguments like these would do before it starts: load, compile."""
        if self._fast or self.why_plain:
            return
        native = importlib.import_module("plyground.compile")
        fast = native.Compiled(self._search, self._game)
        try:
            fast.prepare(*args)
            self._fast = fast
        except native.CannotCompile as fault:
            self.why_plain = str(fault)


def is_plain_wanted() -> bool:
    """Whether the environment asks for plain Python throughout: `PLYGROUND_PLAIN` set to anything but 0."""
    return os.environ.get("PLYGROUND_PLAIN", "0") not in ("", "0")


@lru_cache(maxsize=256)
def kernel(search: Callable[..., Any], game: Constant) -> Kernel:
    """A search for a game, ready to be called: `kernel(search, game)(*args)` answers as `search(game, *args)`."""
    return Kernel(search, game)
