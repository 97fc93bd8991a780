"""Ints that find what compiled code cannot compute, for rules that are asked as plain Python.

The questions are called with ints that check each operation. Compiled ints wrap around at 2**63. That does no
harm in sums, products, left shifts and bitwise operations: a result that is small again is the right one. So an int
that has grown too large is a fault only in another operation, or as an answer.
"""

import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from inspect import getattr_static
from itertools import islice
from types import FrameType
from typing import Any, ClassVar

from plyground.faults import is_own
from plyground.rules import MOST_MOVES, Game

# In two's complement the lowest 64 bits of these depend on the lowest 64 bits of the operands alone.
WRAPPING_OPERATORS = ("add", "sub", "mul", "and", "or", "xor", "lshift", "pow")
"""Operators whose result has the right lowest 64 bits if its operands have."""
# These look at the highest bits, or at the value as a whole.
EXACT_OPERATORS = ("floordiv", "truediv", "mod", "divmod", "rshift", "lt", "le", "gt", "ge", "eq", "ne")
REFLECTED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
STATE_QUESTIONS = (
    "to_move",
    "outcome",
    "bounds",
    "split_settled",
    "canonical",
    "tier",
    "stands",
    "strokes",
    "caption",
    "notice",
    "state_signs",
)
UNFINISHED_QUESTIONS = (
    "moves", "evaluate", "is_forced", "pass_turn", "candidates", "repetition_value", "repetition_key",
)  # fmt: skip
MOVE_QUESTIONS = ("play", "order", "is_noisy", "path", "move_signs", "notation_signs")


class TooWide(Exception):
    """A rule computes with an int of more than 64 bits; the argument names the int in words."""

    def sentence(self, question: str, state: Any, args: tuple[Any, ...]) -> str:
        """The fault, the state and move at which it shows, and the right answer."""
        move = f", move {args[1]}" if len(args) > 1 else ""
        why = "compiled ints have 64 bits: keep ints below 2**63; plyground.board.bits has sets of any size"
        return f"{question} computes with {self.args[0]} in state {state}{move}, and {why}"


# A subclass of int: rules use `isinstance`, slices and `range`, and libraries of users see an int.
class Watched(int):
    """An int that computes like any other, and raises `TooWide` where compiled code would be wrong."""

    __slots__ = ()
    __hash__: ClassVar[Callable[["Watched"], int]] = int.__hash__

    def __neg__(self) -> "Watched":
        return Watched(int.__neg__(self))

    def __invert__(self) -> "Watched":
        return Watched(int.__invert__(self))

    def __pos__(self) -> "Watched":
        return self

    def __abs__(self) -> "Watched":
        return Watched(int.__abs__(_require_64_bits(self)))

    def __bool__(self) -> bool:
        return int.__bool__(_require_64_bits(self))

    def bit_count(self) -> int:
        return int.bit_count(_require_64_bits(self))

    def bit_length(self) -> int:
        return int.bit_length(_require_64_bits(self))


class Truth(Watched):
    """The answer of a comparison, True or False, with which rules may compute."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(int.__bool__(self))


def _fits_64_bits(value: int) -> bool:
    length = int.bit_length(value)
    # The smallest int of 64 bits is its own case: `bit_length` counts the magnitude.
    return length < 64 or (length == 64 and int.__eq__(value, -(1 << 63)) is True)


def _require_64_bits(value: int) -> int:
    if not _fits_64_bits(value):
        _raise_unless_helper(f"the int {int.__repr__(value)}")
    return value


def _raise_unless_helper(what: str) -> None:
    """Raise `TooWide` unless a helper of this package computes: those have intrinsics, which are right."""
    # Helpers of `board/bits.py` compute with ints of any size in plain Python and word by word when compiled, so a wide
    # int within them is right.
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    if frame is None or is_own(frame.f_code.co_filename):
        raise TooWide(what)


def _checked_operator(name: str, right_too: bool) -> Callable[[Any, Any], Any]:
    """Returns an operator of `Watched` ints; `right_too`: the right operand must always fit."""
    plain = getattr(int, f"__{name}__")
    base = name.removeprefix("r") if name in ("rlshift", "rrshift", "rpow") else name
    is_shift, is_power, length = base in ("lshift", "rshift"), base == "pow", int.bit_length

    def watching(self: Any, other: Any, *modulus: Any) -> Any:
        if not isinstance(other, int):
            return plain(self, other, *modulus)
        if length(other) > 63 and (right_too or type(other) is not Watched):
            _require_64_bits(other)
        if right_too and length(self) > 63:
            _require_64_bits(self)
        if is_shift or is_power:
            left, right = (other, self) if base != name else (self, other)
            _require_64_bits(right)
            # A power below 0 is a float: there the base counts as a whole.
            if is_power and int.__lt__(right, 0):
                _require_64_bits(left)
        made = plain(self, other, *modulus)
        return Watched(made) if type(made) is int else Truth(made) if type(made) is bool else made

    return watching


for _name in (*WRAPPING_OPERATORS, *EXACT_OPERATORS):
    setattr(Watched, f"__{_name}__", _checked_operator(_name, _name in EXACT_OPERATORS))
    if _name not in REFLECTED:
        setattr(Watched, f"__r{_name}__", _checked_operator(f"r{_name}", _name in EXACT_OPERATORS))


def watch(value: Any) -> Any:
    """Copy of a value, an int or tuples of ints, with `Watched` ints."""
    if type(value) is int:
        return Watched(value)
    if type(value) is tuple:
        return tuple(map(watch, value))
    return type(value)(*map(watch, value)) if isinstance(value, tuple) and hasattr(value, "_fields") else value


def watched_game(game: Game[Any]) -> Game[Any]:
    """Copy of a game whose options and properties are watched: compiled code has them as constants."""
    same, kind = copy.copy(game), type(game)
    made = {}
    for name in dir(kind):
        if isinstance(getattr_static(kind, name), property | cached_property):
            with suppress(Exception):  # its error is reported where the property is used, if it is
                made[name] = watch(getattr(game, name))
    options = {name: watch(value) for name, value in getattr(same, "__dict__", {}).items() if name not in made}
    # A class made for it, with the properties replaced: games are frozen, and a property of the class would be found
    # before a field of that name.
    object.__setattr__(same, "__class__", type(kind.__name__, (kind,), made))
    if options:
        same.__dict__.clear()
        same.__dict__.update(options)
    return same


def watched_calls(state: Any, moves: Sequence[int] | None) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Questions to ask in a state, with their watched arguments.

    Args:
        state: the state.
        moves: legal moves of it; None where the game is over.
    """
    here = watch(state)
    for name in STATE_QUESTIONS:
        yield name, (here,)
    if moves is None:
        return
    for name in UNFINISHED_QUESTIONS:
        yield name, (here,)
    for move in moves:
        for name in MOVE_QUESTIONS:
            yield name, (here, Watched(move))


def ask_watched(game: Game[Any], question: str, args: tuple[Any, ...]) -> None:
    """Ask a watched game a question.

    Raises:
        TooWide: it computes, or answers, with an int that compiled code cannot hold.
    """
    answer = getattr(game, question)(*args)
    is_listed = isinstance(answer, Iterable) and not isinstance(answer, tuple)
    found = tuple(islice(answer, MOST_MOVES)) if is_listed else answer
    if wide := [value for value in _all_ints(found) if not _fits_64_bits(value)]:
        raise TooWide(f"the int {int.__repr__(wide[0])}")


def _all_ints(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for item in value:
            yield from _all_ints(item)
    elif isinstance(value, int):
        yield value
