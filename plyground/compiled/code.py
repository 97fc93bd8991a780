"""A game and a search become machine code.

`constants.py` says what a game is there, `copies.py` how functions get there, with the globals they use, `twins.py` and
`memory.py` what stands for some of them, `reasons.py` why a rule cannot. Here is the front door, and the cache: each
compiled entry is a file named by the fingerprints of all it was made from, so that a new process finds it and a changed
rule, option, search or helper never does. (Numba's own cache watches only the file of the entry, and refuses to load at
all when one of its entries names a class that is gone.)
"""

import hashlib
import platform
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import FunctionType
from typing import Any, cast

import numba
from numba.core import types

from plyground.compiled import borrowed, cache
from plyground.compiled.constants import handed_over, type_of
from plyground.compiled.copies import compiled
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.reasons import AUTHORS, explain, rule_asked
from plyground.constant import Constant

# Numba is untyped; its own values are Any throughout this module.
Numba = Any


MOST_NUMBERS = 256
"""In a state: each is a value of its own to the compiler, which takes minutes for a few hundred of them."""


def load() -> None:
    """Load what Numba loads when it compiles for the first time: half a second, and half its memory."""
    numba.njit(lambda: 0)()


class CannotCompile(Exception):
    """A rule or search has no compiled form. The message is one plain sentence that names the line and the reason."""


class Compiled:
    """A search as machine code for one game: called with the search's arguments after the game.

    Compiled, or found on disk, at the first call. It releases Python's lock while it runs.

    Raises:
        CannotCompile: at the first call with arguments of their types, for a game or search that has no compiled form.
    """

    def __init__(self, function: Callable[..., Any], game: Constant) -> None:
        self._function, self._game = cast(FunctionType, function), game
        self._handed = handed_over(game)
        self._entry = compiled(self._function, from_python=True)
        self._cache = _Cache(fingerprint(function), function.__name__)
        borrowed.keep_on_disk(self._entry, self._cache)
        self._starts: dict[tuple[type, ...], Callable[..., Any]] = {}
        self._signatures: list[Numba] = []

    def __call__(self, *args: object) -> Any:
        self.prepare(*args)
        return self._starts[tuple(map(type, args))](self._handed, *args)

    def is_ready(self, *args: object) -> bool:
        """Whether it has been prepared for arguments like these."""
        return tuple(map(type, args)) in self._starts

    def prepare(self, *args: object) -> None:
        """Compile for arguments like these, without running anything; nothing is done twice."""
        if (kinds := tuple(map(type, args))) in self._starts:
            return
        if (numbers := max(map(_numbers, args), default=0)) > MOST_NUMBERS:
            raise CannotCompile(
                f"A state of {type(self._game).__name__} holds {numbers:,} numbers, and compiled rules have room for "
                f"{MOST_NUMBERS}: write sets of places as ints with a bit for each (plyground.board.bits)."
            )
        try:
            signature = (type_of(self._game), *map(numba.typeof, args))
        except ValueError:
            raise CannotCompile(
                f"A state of {type(self._game).__name__} holds what compiled rules do not know; "
                "they know ints below 2**63, tuples and NamedTuples of ints."
            ) from None
        try:
            # The code itself: Numba's dispatcher would look through every argument at each call, which takes as long
            # as a small search.
            with _held.locks:
                self._starts[kinds] = self._entry.compile(signature)
            self._signatures.append(signature)
        except AUTHORS as fault:
            raise CannotCompile(explain(fault, rule_asked(self._function, self._game))) from None

    @property
    def from_disk(self) -> bool:
        """Whether its code was found on disk rather than compiled by this process."""
        return all(borrowed.found_on_disk(self._entry, signature) for signature in self._signatures)

    @property
    def is_opened(self) -> bool:
        """Whether there is recursion in its code that was opened (`recursion.py`)."""
        return all(borrowed.is_opened(self._entry.overloads[signature]) for signature in self._signatures)

    @property
    def why_slow(self) -> str | None:
        """Why it is slower than it could be, or compiled again by every process, in a sentence; None if neither."""
        return borrowed.why_slow or borrowed.why_closed or _Cache.failed


# -- the cache -------------------------------------------------------------------------------------------------------

_CACHE_FORMAT = 4


class _Held(threading.local):
    """What a compiling thread holds: games share a search's dispatcher, so two threads may be at it for two games."""

    def __init__(self) -> None:
        self.locks = ExitStack()
        """They keep other processes from compiling the same, from the look that found nothing to the end."""


_held = _Held()


class _Cache:
    """Compiled entries as files, in the form Numba's dispatcher asks for. A file that cannot be used is no file."""

    failed: str | None = None
    """Why the last code could not be kept, in a sentence; None if it could."""

    def __init__(self, mark: str, name: str) -> None:
        self.mark, self.name = mark, name

    def _named(self, signature: Numba, target: Numba) -> str:
        kinds = signature.args if hasattr(signature, "args") else signature
        parts = [_CACHE_FORMAT, numba.__version__, platform.python_version(), borrowed.machine(target)]
        parts += [borrowed.why_slow, self.mark]
        parts += [(str(kind), [fingerprint(owner) for owner in _classes(kind)]) for kind in kinds]
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return f"{self.name}-{key}"

    def load_overload(self, signature: Numba, target: Numba) -> Numba:
        try:
            name = self._named(signature, target)
            code = cache.read(name)
            if not code:
                _held.locks.enter_context(cache.alone(name))
                code = cache.read(name)  # made while it was waited for
            return borrowed.read(target, code) if code else None
        except Exception:  # unreadable, half written, of another machine: compile afresh
            return None

    def save_overload(self, signature: Numba, result: Numba) -> None:
        try:
            if code := borrowed.written(result):
                cache.write(self._named(signature, result.target_context), code)
        except Exception as fault:  # the code is there and right: a full disk, or a change in Numba, costs speed only
            said = f"{type(fault).__name__}: {fault}".rstrip(": ")
            _Cache.failed = f"Compiled code cannot be kept in {cache.folder()} ({said}): every process compiles again."


def _numbers(value: object) -> int:
    """How many numbers an argument holds, if it is a tuple."""
    return sum(map(_numbers, value)) if isinstance(value, tuple) else 1


def _classes(kind: Numba) -> Iterator[type]:
    """The NamedTuple classes in a Numba type; their names and fields are in its text, their methods are not."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class
    for part in getattr(kind, "types", ()):
        yield from _classes(part)
