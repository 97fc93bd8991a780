"""Searches as machine code for one game, made by `plyground/compiler/`, with a cache of object code.

Object code is kept on disk under a hash of the program's text and the processor: a new process makes the text again,
which takes a tenth of a second, and finds the code; a changed rule, option, search or helper has another text.
"""

from collections.abc import Callable
from typing import Any

from plyground.compiled import cache
from plyground.compiler.errors import InvalidCode, NoSource, NotCompilable
from plyground.compiler.runtime import CompiledFunction
from plyground.constant import Constant
from plyground.files.cache_folder import cache_folder

# A state lies in registers and on the stack of compiled code, and each copy of it is written out int by int, so the
# code grows with it.
MOST_NUMBERS = 256
"""Most ints in a state."""


class CannotCompile(Exception):
    """A rule or search has no compiled form. The message is one plain sentence that names the line and the reason."""


class Compiled:
    """A search as machine code for one game: called with the search's arguments after the game.

    Compiled, or found on disk, at the first call. It releases Python's lock while it runs.

    Raises:
        CannotCompile: at the first call with arguments of their types, for a game or search that has no compiled form.
    """

    def __init__(self, function: Callable[..., Any], game: Constant) -> None:
        self._function, self._game = function, game
        self._functions: dict[tuple[object, ...], CompiledFunction] = {}

    def __call__(self, *args: object) -> Any:
        # A dict and no check of each argument: deepening calls the same search again and again.
        function = self._functions.get(_specialisation_key(args))
        if function is None:
            self.prepare(*args)
            function = self._functions[_specialisation_key(args)]
        return function(self._game, *args)

    def is_ready(self, *args: object) -> bool:
        """Whether the search is compiled for arguments of these types."""
        return _specialisation_key(args) in self._functions

    def prepare(self, *args: object) -> None:
        """Compile for arguments of these types, if not done yet, without running the search."""
        if (key := _specialisation_key(args)) in self._functions:
            return
        name = type(self._game).__name__
        if (numbers := max(map(_count_numbers, args), default=0)) > MOST_NUMBERS:
            raise CannotCompile(
                f"A state of {name} holds {numbers:,} numbers, and compiled rules have room for "
                f"{MOST_NUMBERS}: write sets of places as ints with a bit for each (plyground.board.bits)."
            )
        try:
            self._functions[key] = CompiledFunction(
                self._function, self._game, *args, is_checked=False, objects=_Objects
            )
        # Refusals come before LLVM: the compiler reads the source, so a rule without one, as in `exec`, is refused too.
        except (NotCompilable, NoSource) as refusal:
            raise CannotCompile(f"{refusal}.") from None
        except InvalidCode:
            # A fault of the compiler's, not of the rule: the sentence says so, and the search runs plain.
            raise CannotCompile(
                f"{name}: a rule is right Python, and the compiler fails at it; written in another way it may compile."
            ) from None
        # An argument that has no typed form, such as a list or a float in a state.
        except TypeError as error:
            raise CannotCompile(f"A state of {name} holds what compiled rules do not know: {error}.") from None

    @property
    def why_slow(self) -> str | None:
        """Reason why the code is compiled by every process, in a sentence; None where it is kept."""
        return _Objects.failure


class _Objects:
    """Object code in the cache. A disk that is full costs speed only."""

    failure: str | None = None
    """Reason why the last code could not be stored, in a sentence; None if it was."""

    @staticmethod
    def read(name: str) -> bytes | None:
        return cache.read(name)

    @classmethod
    def write(cls, name: str, data: bytes) -> None:
        try:
            cache.write(name, data)
        except OSError as error:
            cls.failure = f"Compiled code cannot be kept in {cache_folder()} ({error}): every process compiles again."


def _specialisation_key(args: tuple[object, ...]) -> tuple[object, ...]:
    """Constants among arguments, which code is made for, and the types of the others."""
    return tuple([each if isinstance(each, Constant) else type(each) for each in args])


def _count_numbers(value: object) -> int:
    """Number of ints in an argument that is a tuple."""
    return sum(map(_count_numbers, value)) if isinstance(value, tuple) else 1
