"""Kernels: a search for one game, compiled where that is possible, plain Python otherwise.

Compiling takes some tenths of a second, in the thread that asks for it, before the search that it is for.
"""

import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from plyground.compiler.backends.backend import BACKEND_VARIABLE, usual_backend
from plyground.compiler.errors import Overflow, UnsupportedCase
from plyground.constant import Constant
from plyground.errors import BadInput, GameFault
from plyground.faults import RuleFailed, error_words, game_fault, own_fault
from plyground.rules import Game
from plyground.search.observer import Counting, Silent, Stopped

SAME_ANSWERS = "So searches run as plain Python: slower, with the same answers."
"""Consequence of a rule that cannot be compiled, for its author: no fault, and the same answers."""


class Kernel:
    """A search bound to a game, called with the search's remaining arguments, at the best speed available."""

    def __init__(self, search: Callable[..., Any], game: Constant) -> None:
        self._search, self._game = search, game
        self.compiled: Any = None
        """Machine code, a `code.Compiled`; None before it is prepared, and while the search runs as plain Python."""
        self._lock = threading.Lock()
        self.why_plain: str | None = None
        """Reason why the search runs as plain Python, in one sentence; None while it runs compiled."""
        if why := why_nothing_compiles() or getattr(game, "plain", ""):
            self.why_plain = f"{why[0].upper()}{why[1:]}, so searches run as plain Python."

    def __call__(self, *args: Any) -> Any:
        # Each call prepares the code, which is cheap once done: the types of the arguments may be new ones.
        self.prepare(*args)
        if (compiled := self.compiled) is None:  # or another thread has just made it plain
            return self._search(self._game, *args)
        # The counts before the run, 64 bytes: a run that is begun again as plain Python must not count its nodes twice.
        counts = bytes(args[0].counts) if args and isinstance(args[0], Counting) else b""
        try:
            return compiled(*args)
        except (UnsupportedCase, Overflow) as error:
            if counts:
                args[0].counts[:] = memoryview(counts).cast("q")
            self.compiled, self.why_plain = None, f"{_describe_case(error)}. {SAME_ANSWERS}"
            notify_listeners(self.why_plain)
            return self._search(self._game, *args)
        except Exception as error:
            # An exception that the search itself raises comes through as it is; any other is an error in a rule, of
            # which compiled code knows no line.
            if isinstance(error, GameFault | RecursionError) or type(error).__module__ == Stopped.__module__:
                raise
            raise game_fault(error) or self._explain_failure(error, *args) from None

    def prepare(self, *args: Any) -> None:
        """Load or compile for arguments of these types, as the first call would before it starts.

        A rule that cannot be compiled is named in `why_plain`. Any other failure is not the author's: the sentence then
        says whose it is, and is a warning as well.
        """
        if not self.why_plain and not (self.compiled and self.compiled.is_ready(*args)):
            failure = self._compile(*args)
            if failure and not _listeners:
                warnings.warn(failure, RuntimeWarning, stacklevel=3)
        if why := self.why_plain or self.why_slow:
            notify_listeners(why)

    def compare_with_plain(self, compare: Callable[[], str]) -> None:
        """Run as plain Python from now on if a comparison, whose result is a sentence, finds a difference."""
        if not self.why_plain and (said := compare()):
            self.compiled, self.why_plain = None, f"{said} {SAME_ANSWERS}"
            notify_listeners(self.why_plain)

    def _explain_failure(self, error: Exception, *args: Any) -> BadInput:
        """The fault of a rule, or of a search of one's own, by searching plain for a moment: of most errors compiled
        code knows no line."""
        try:
            self._search(self._game, _OneSecondObserver(), *args[1:])
        except Exception as again:
            if found := game_fault(again) or own_fault(again, self._search):
                return found
        name = type(self._game).__name__
        return RuleFailed(f"A rule of {name} fails, compiled: {error_words(error)}; plyground check finds out which.")

    def _compile(self, *args: Any) -> str | None:
        """Compile; return a failure that is no fault of the rules, in a sentence."""
        # One thread compiles: others wait here rather than do the same work, for tenths of a second.
        with self._lock:  # another thread may be at it
            try:
                from plyground.compiled import agreement, code  # here, because LLVM takes a moment to load
            except Exception as fault:
                return self._fault_sentence(f"The compiler could not be loaded ({error_words(fault)})")
            try:
                if isinstance(self._game, Game) and (said := agreement.find_difference(self._game)):
                    self.why_plain = f"{said} {SAME_ANSWERS}"
                    return None
                compiled = self.compiled or code.Compiled(self._search, self._game)
                compiled.prepare(*args)
                self.compiled = compiled
            # A refusal is expected of some rules, and no fault: the sentence names the line, and a search runs plain
            # with the same answers.
            except code.CannotCompile as fault:
                self.compiled, self.why_plain = None, f"{fault} {SAME_ANSWERS}"
            except Exception as fault:
                return self._fault_sentence(
                    f"Compiling {self._search.__name__} failed by no fault of the rules ({error_words(fault)})"
                )
        return None

    def _fault_sentence(self, what: str) -> str:
        self.compiled, self.why_plain = None, f"{what}, so searches run as plain Python."
        return self.why_plain

    @property
    def why_slow(self) -> str | None:
        """Reason why the code is compiled by every process; None where it is kept."""
        return self.compiled.why_slow if self.compiled else None


def _describe_case(error: Exception) -> str:
    """The case that only plain Python computes, in words, with file and line."""
    site, what = getattr(error, "compiled_at", None), str(error) or "an int has more than 64 bits"
    return f"{Path(site.file).name}, line {site.line}: {what}, which only plain Python computes" if site else what


# The search for a faulty line gets a second at most: the line is for a sentence, for which the caller waits.
class _OneSecondObserver(Silent):
    """Observer that stops a search after a second."""

    def __init__(self) -> None:
        self._end = time.monotonic() + 1.0

    def enter(self, state: Any, depth: int = 0, ply: int = 0, alpha: int = 0, beta: int = 0) -> None:
        self.poll()

    def poll(self) -> None:
        if time.monotonic() > self._end:
            raise Stopped


def is_plain_wanted() -> bool:
    """Whether the environment asks for plain Python throughout: `PLYGROUND_PLAIN` set to anything but 0."""
    return os.environ.get("PLYGROUND_PLAIN", "0") not in ("", "0")


def why_nothing_compiles() -> str | None:
    """Reason why this process compiles nothing, in a few words; None if it compiles."""
    if usual_backend() is None:
        wanted = os.environ.get(BACKEND_VARIABLE)
        if wanted:
            return f"{BACKEND_VARIABLE} is {wanted!r}, and no such back end is installed"
        return "neither llvmlite nor wasmtime is installed"
    return "PLYGROUND_PLAIN is set" if is_plain_wanted() else None


# The cache compares games by equality and not identity: two games of equal options share their code. It holds at most
# 256 kernels, so that a server that sees many boards does not hold the code of all.
@lru_cache(maxsize=256)
def kernel(search: Callable[..., Any], game: Constant) -> Kernel:
    """A search for a game, ready to be called: `kernel(search, game)(*args)` answers as `search(game, *args)`."""
    return Kernel(search, game)


# -- reasons for plain speed ------------------------------------------------------------------------------------------

_listeners: list[Callable[[str], None]] = []


def notify_listeners(why: str) -> None:
    """Call each listener with the sentence."""
    # The loop goes over a copy, for a listener may take itself out while it is called.
    for listener in list(_listeners):
        listener(why)


@contextmanager
def plain_speed_listener(listener: Callable[[str], None]) -> Iterator[None]:
    """Context in which the listener gets the reason whenever a search runs as plain Python, or slower than possible."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
