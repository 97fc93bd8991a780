"""Kernels: a search for one game, compiled where that is possible, plain Python otherwise.

Numba takes half a second to import, so `code.py` is loaded by the first search, not with the package. Compiling takes
seconds, so it is never done within a limit, never twice, and never delays Ctrl-C: it runs in a thread of its own, which
goes on when its caller stops waiting, and its result is kept.
"""

import atexit
import hashlib
import os
import platform
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

from plyground.compiled import cache
from plyground.compiled.fingerprint import code_fingerprint, fingerprint
from plyground.compiled.threads import pause, start
from plyground.constant import Constant
from plyground.errors import BadInput, GameFault
from plyground.faults import RuleFailed, game_fault, in_words, own_fault
from plyground.rules import Game
from plyground.search.observer import Silent, Stopped

Made = TypeVar("Made")


NOT_YET = "This was searched as plain Python, without waiting for the compiler."
"""Why an immediate or a small answer is not compiled; nothing is said of the compiler, which may not be needed."""
BEFORE_COMPILING = 0.5
"""Seconds before the compiler begins in the background: in the same process it slows down the plain answer that is
being made; the first reply in Amazons 10 × 10 took half as long again, on a busy machine."""
ALL_THE_SAME = "So searches run as plain Python: slower, with the same answers."
"""Consequence of a rule that cannot be compiled, for its author: no fault, and the same answers."""


class Kernel:
    """A search bound to a game, called with the search's remaining arguments, at the best speed available."""

    def __init__(self, search: Callable[..., Any], game: Constant) -> None:
        self._search, self._game = search, game
        self.compiled: Any = None
        """Machine code, a `code.Compiled`; None before it is prepared, and while the search runs as plain Python."""
        self._lock = threading.Lock()
        self._begun: threading.Thread | None = None
        self._marks: dict[tuple[type, ...], str] = {}
        self.why_plain: str | None = None
        """Reason why the search runs as plain Python, in one sentence; None while it runs compiled."""
        if why := why_nothing_compiles() or getattr(game, "plain", ""):
            self.why_plain = f"{why}, so searches run as plain Python."

    def __call__(self, *args: Any) -> Any:
        self.prepare(*args)
        if self.why_plain:
            return self._search(self._game, *args)
        try:
            return self.compiled(*args)
        except Exception as error:
            if isinstance(error, GameFault) or type(error).__module__ == Stopped.__module__:
                raise
            raise game_fault(error) or self._found_again(error, *args) from None

    @property
    def is_ready(self) -> bool:
        """Whether the code has been compiled, or found on disk."""
        return self.compiled is not None

    def is_cold(self, *args: Any) -> bool:
        """Whether the first call with arguments like these would have to wait for the compiler, for all that is known
        without loading it: a note on disk says what was compiled before, and is then soon read."""
        return not self.is_loaded(*args) and cache.read(self._mark(args)) is None

    def is_loaded(self, *args: Any) -> bool:
        """Whether the first call with arguments like these has nothing to wait for, not even for code on disk."""
        return bool(self.why_plain or (self.compiled and self.compiled.is_ready(*args)))

    def _mark(self, args: tuple[Any, ...]) -> str:
        """Name of the cache file that marks code for arguments of these types as made."""
        kinds = tuple(map(type, args))
        if kinds not in self._marks:
            parts = [version("numba"), platform.python_version(), fingerprint(self._search)]
            parts += [code_fingerprint(self._game), *(kind.__qualname__ for kind in kinds)]
            self._marks[kinds] = f"made-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"
        return self._marks[kinds]

    def begin(self, *args: Any) -> None:
        """Prepare in the background, after `BEFORE_COMPILING`, without waiting."""
        if not (self._begun and self._begun.is_alive()) and not self.is_loaded(*args):
            self._begun = _Work(lambda: self._compile_later(*args)).thread

    def prepare(self, *args: Any, stop: threading.Event | None = None, until: float | None = None) -> None:
        """Load or compile for arguments of these types, as the first call would before it starts.

        A rule that cannot be compiled is named in `why_plain`. Any other failure is not the author's: the sentence then
        says whose it is, and is a warning as well.

        Args:
            args: as for a call.
            stop: ends the waiting when it is set; compiling goes on for the next caller.
            until: when the waiting ends at the latest, as `time.perf_counter` counts.

        Raises:
            Stopped: the waiting has ended before the code was there.
        """
        if not self.why_plain and not (self.compiled and self.compiled.is_ready(*args)):
            failure = waited_for(lambda: self._compile(*args), stop, until)
            if failure and not _listeners:
                warnings.warn(failure, RuntimeWarning, stacklevel=3)
        if why := self.why_plain or self.why_slow:
            tell(why)

    def hold(self, compare: Callable[[], str]) -> None:
        """Run as plain Python from now on if a comparison, whose result is a sentence, finds a difference."""
        if not self.why_plain and (said := waited_for(compare)):
            self.compiled, self.why_plain = None, f"{said} {ALL_THE_SAME}"
            tell(self.why_plain)

    def _found_again(self, error: Exception, *args: Any) -> BadInput:
        """What a rule, or a search of one's own, did wrong, by searching plain for a moment: of most errors compiled
        code knows no line."""
        try:
            self._search(self._game, _Briefly(), *args[1:])
        except Exception as again:
            if found := game_fault(again) or own_fault(again, self._search):
                return found
        name = type(self._game).__name__
        return RuleFailed(f"A rule of {name} fails, compiled: {in_words(error)}; plyground check finds out which.")

    def _compile_later(self, *args: Any) -> None:
        time.sleep(BEFORE_COMPILING)
        self._compile(*args)

    def _compile(self, *args: Any) -> str | None:
        """Compile; return a failure that is no fault of the rules, in a sentence."""
        with self._lock:  # another thread may be at it, whose waiter has gone
            try:
                from plyground.compiled import agreement  # here, because Numba takes half a second to import
                from plyground.compiled import code as native
            except Exception as fault:
                return self._failed(f"Numba could not be loaded ({in_words(fault)})")
            try:
                if isinstance(self._game, Game) and (said := agreement.why_unlike(self._game)):
                    self.why_plain = f"{said} {ALL_THE_SAME}"
                    return None
                compiled = self.compiled or native.Compiled(self._search, self._game)
                compiled.prepare(*args)
                self.compiled = compiled
                with suppress(OSError):
                    cache.write(self._mark(args), b"")
            except native.CannotCompile as fault:
                self.compiled, self.why_plain = None, f"{fault} {ALL_THE_SAME}"
            except Exception as fault:
                return self._failed(
                    f"Compiling {self._search.__name__} failed by no fault of the rules ({in_words(fault)})"
                )
        return None

    def _failed(self, what: str) -> str:
        self.compiled, self.why_plain = None, f"{what}, so searches run as plain Python."
        return self.why_plain

    @property
    def why_slow(self) -> str | None:
        """Reason why compiled code is slower than it could be, or compiled by every process; None if neither."""
        return self.compiled.why_slow if self.compiled else None


class _Briefly(Silent):
    """Observer that stops a search after a second."""

    def __init__(self) -> None:
        self._end = time.monotonic() + 1.0

    def enter(self, state: Any, depth: int = 0, ply: int = 0, alpha: int = 0, beta: int = 0) -> None:
        self.heed()

    def heed(self) -> None:
        if time.monotonic() > self._end:
            raise Stopped


def load_compiler() -> None:
    """Load all modules of the compiler now, if it will be used; the first search reports a failure."""
    if not why_nothing_compiles():
        with suppress(Exception):
            from plyground.compiled import code as native

            native.load()


def is_plain_wanted() -> bool:
    """Whether the environment asks for plain Python throughout: `PLYGROUND_PLAIN` set to anything but 0."""
    return _is_set("PLYGROUND_PLAIN")


def _is_set(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


def why_nothing_compiles() -> str | None:
    """Reason why this process compiles nothing, in a few words; None if it compiles."""
    if not find_spec("numba"):
        return "Numba is not installed"
    if is_plain_wanted():
        return "PLYGROUND_PLAIN is set"
    return "NUMBA_DISABLE_JIT is set" if _is_set("NUMBA_DISABLE_JIT") else None


@lru_cache(maxsize=256)
def kernel(search: Callable[..., Any], game: Constant) -> Kernel:
    """A search for a game, ready to be called: `kernel(search, game)(*args)` answers as `search(game, *args)`."""
    return Kernel(search, game)


# -- compiling is waited for ------------------------------------------------------------------------------------------

_at_work: set[threading.Thread] = set()
_waits: dict[int, float] = {}
"""Time since which each thread waits, by its identifier."""
_waited = 0.0


class StillCompiling(KeyboardInterrupt):
    """Ctrl-C while waiting for compiled code; compilation continues for the next caller."""


def is_compiling() -> bool:
    """Whether a compilation runs, with or without a caller that waits for it."""
    return any(thread.is_alive() for thread in _at_work)


def seconds_compiling() -> float:
    """Seconds that this process has waited for compiled code so far, which count as no player's thinking time."""
    now = time.perf_counter()
    return _waited + sum(now - since for since in list(_waits.values()))


class _Work(Generic[Made]):
    """Work in a thread of its own, started at once."""

    def __init__(self, work: Callable[[], Made]) -> None:
        self._work = work
        self.made: list[Made] = []
        self.faults: list[BaseException] = []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._run, name="plyground compiler", daemon=True)
        _at_work.add(self.thread)
        start(self.thread)

    def _run(self) -> None:
        try:
            self.made.append(self._work())
        except BaseException as fault:
            self.faults.append(fault)
        finally:
            _at_work.discard(self.thread)
            self.done.set()


def waited_for(work: Callable[[], Made], stop: threading.Event | None = None, until: float | None = None) -> Made:
    """Result of work in a thread of its own, so that Ctrl-C ends the waiting and not the work.

    Numba and LLVM call back into Python, and an interrupt that arrives there would be printed and forgotten.

    Raises:
        Stopped: the event was set, or the time has come, as `time.perf_counter` counts; the work goes on.
    """
    global _waited
    waiter, since = threading.get_ident(), time.perf_counter()
    try:
        _waits[waiter] = since
        begun = _Work(work)
        while not begun.done.wait(pause(until, stop)):  # on Windows, only a wait that ends by itself hears Ctrl-C
            if (stop and stop.is_set()) or (until is not None and time.perf_counter() >= until):
                raise Stopped
    except KeyboardInterrupt:
        raise StillCompiling from None
    finally:
        _waits.pop(waiter, None)
        _waited += time.perf_counter() - since
    if begun.faults:
        raise begun.faults[0]
    return begun.made[0]


@atexit.register
def _end() -> None:
    """Wait for running compilations at exit: a process must not end during one. The code is stored for next time."""
    try:
        for thread in list(_at_work):
            while thread.is_alive():
                thread.join(0.1)
    except KeyboardInterrupt:
        os._exit(130)


# -- reasons for plain speed ------------------------------------------------------------------------------------------

_listeners: list[Callable[[str], None]] = []


def tell(why: str) -> None:
    """Call each listener with the sentence."""
    for listener in list(_listeners):
        listener(why)


@contextmanager
def plain_speed_told(listener: Callable[[str], None]) -> Iterator[None]:
    """Context in which the listener gets the reason whenever a search runs as plain Python, or slower than possible."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
