"""Searches compiled for a game: the entry point of the compiler, and its cache.

`constants.py` says what a game is there, `specialise.py` how functions get there, with the globals they use,
`intrinsics.py` and `memory.py` what stands for some of them, `reasons.py` why a rule cannot. Here is the way in, and
the cache: each compiled entry is a file named by the fingerprints of all it was made from, so that a new process finds
it and a changed rule, option, search or helper never does. (Numba's own cache watches only the file of the entry, and
refuses to load at all when one of its entries names a class that is gone.)
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

from plyground.compiled import cache, numba_internals
from plyground.compiled.constants import handed_over, type_of
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.reasons import why_not
from plyground.compiled.specialise import compiled
from plyground.constant import Constant

# Numba is untyped; its own values are Any throughout this module.
Numba = Any


MOST_NUMBERS = 256
"""Most ints in a state: each is a value of its own to the compiler, which takes minutes for a few hundred of them."""


def load() -> None:
    """Load the parts of Numba that its first compilation loads: half a second, and half its memory."""
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
        numba_internals.keep_on_disk(self._entry, self._cache)
        self._starts: dict[tuple[type, ...], Callable[..., Any]] = {}
        self._signatures: list[Numba] = []

    def __call__(self, *args: object) -> Any:
        self.prepare(*args)
        return self._starts[tuple(map(type, args))](self._handed, *args)

    def is_ready(self, *args: object) -> bool:
        """Whether the search is compiled for arguments of these types."""
        return tuple(map(type, args)) in self._starts

    def prepare(self, *args: object) -> None:
        """Compile for arguments of these types, if not done yet, without running the search."""
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
        except Exception as fault:  # Numba's own kinds, and any other where Numba itself fails
            if why := why_not(fault, self._function, self._game):
                raise CannotCompile(why) from None
            raise

    @property
    def from_disk(self) -> bool:
        """Whether the code was found on disk rather than compiled by this process."""
        return all(numba_internals.found_on_disk(self._entry, signature) for signature in self._signatures)

    @property
    def allocates(self) -> bool:
        """Whether the code takes memory while it runs, as for a list, a set, a dict or a text: in a page there is none
        to be taken."""
        return any(numba_internals.allocates(self._entry.overloads[signature]) for signature in self._signatures)

    @property
    def is_opened(self) -> bool:
        """Whether recursion in the code was opened (`recursion.py`)."""
        return all(numba_internals.is_opened(self._entry.overloads[signature]) for signature in self._signatures)

    @property
    def why_slow(self) -> str | None:
        """Reason why the code is slower than possible, or compiled by every process, in a sentence; None if neither."""
        return numba_internals.why_slow or numba_internals.why_closed or _Cache.failed


# -- the cache -------------------------------------------------------------------------------------------------------

_CACHE_FORMAT = 6


class _Held(threading.local):
    """Locks of a compiling thread: games share a search's dispatcher, so two threads may use it for two games."""

    def __init__(self) -> None:
        self.locks = ExitStack()
        """Locks against other processes that would compile the same, from the look-up that found nothing to the end."""
        self.names: set[str] = set()
        """Cache names of these locks: recursion with other argument types looks up the same name again."""


_held = _Held()


class _Cache:
    """Compiled entries as files, in the form Numba's dispatcher asks for. An unusable file counts as missing."""

    failed: str | None = None
    """Reason why the last code could not be stored, in a sentence; None if it was."""

    def __init__(self, mark: str, name: str) -> None:
        self.mark, self.name = mark, name

    def _named(self, signature: Numba, target: Numba) -> str:
        kinds = signature.args if hasattr(signature, "args") else signature
        parts = [_CACHE_FORMAT, numba.__version__, platform.python_version(), numba_internals.machine(target)]
        parts += [numba_internals.why_slow, self.mark]
        parts += [(str(kind), [fingerprint(owner) for owner in _classes(kind)]) for kind in kinds]
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return f"{self.name}-{key}"

    def load_overload(self, signature: Numba, target: Numba) -> Numba:
        try:
            name = self._named(signature, target)
            code = cache.read(name)
            if not code and name not in _held.names:
                _held.locks.enter_context(cache.alone(name))
                _held.names.add(name)
                _held.locks.callback(_held.names.remove, name)
                code = cache.read(name)  # made while it was waited for
            return numba_internals.read(target, code) if code else None
        except Exception:  # unreadable, half written, of another machine: compile afresh
            return None

    def save_overload(self, signature: Numba, result: Numba) -> None:
        try:
            if code := numba_internals.written(result):
                cache.write(self._named(signature, result.target_context), code)
        except Exception as fault:  # the code is there and right: a full disk, or a change in Numba, costs speed only
            said = f"{type(fault).__name__}: {fault}".rstrip(": ")
            _Cache.failed = f"Compiled code cannot be kept in {cache.folder()} ({said}): every process compiles again."


def _numbers(value: object) -> int:
    """Number of ints in an argument that is a tuple."""
    return sum(map(_numbers, value)) if isinstance(value, tuple) else 1


def _classes(kind: Numba) -> Iterator[type]:
    """The NamedTuple classes in a Numba type; their names and fields are in its text, their methods are not."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class
    for part in getattr(kind, "types", ()):
        yield from _classes(part)
