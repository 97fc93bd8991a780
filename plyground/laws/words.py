"""Law of 64 bits: no rule computes with an int that compiled code cannot hold.

The questions are called again with ints that check each operation. Compiled ints wrap around at 2**63. That does no
harm in sums, products, left shifts and bitwise operations: a result that is small again is the right one. So an int
that has grown too large is a fault only in another operation, or as an answer.
"""

import copy
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from inspect import getattr_static
from itertools import islice
from types import FrameType
from typing import Any, ClassVar

from plyground.faults import is_own, own_place
from plyground.laws.asking import LISTED_QUESTIONS, AnyGame, AnyState, BrokenLaw, CheckedGame
from plyground.rules import MOST_MOVES, ONGOING
from plyground.timeouts import TimeExceeded

GOES_ROUND = ("add", "sub", "mul", "and", "or", "xor", "lshift", "pow")
"""Operators whose result has the right lowest 64 bits if its operands have."""
NEEDS_ALL = ("floordiv", "truediv", "mod", "divmod", "rshift", "lt", "le", "gt", "ge", "eq", "ne")
REFLECTED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
STATE_QUESTIONS = (
    "to_move",
    "outcome",
    "bounds",
    "settled",
    "canonical",
    "tier",
    "stands",
    "strokes",
    "caption",
    "notice",
    "state_signs",
)
UNFINISHED_QUESTIONS = (
    "moves", "evaluate", "is_forced", "passed", "candidates", "repetition_value", "repetition_key",
)  # fmt: skip
MOVE_QUESTIONS = ("play", "order", "is_noisy", "path", "move_signs", "notation_signs")


class TooWide(Exception):
    """An int has more than 64 bits, or a shift moves it by more; the argument says which, in words."""


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
        return Watched(int.__abs__(_fitting(self)))

    def __bool__(self) -> bool:
        return int.__bool__(_fitting(self))

    def bit_count(self) -> int:
        return int.bit_count(_fitting(self))

    def bit_length(self) -> int:
        return int.bit_length(_fitting(self))


def _fits(value: int) -> bool:
    length = int.bit_length(value)
    return length < 64 or (length == 64 and int.__eq__(value, -(1 << 63)) is True)


def _fitting(value: int) -> int:
    if not _fits(value):
        _require_helper(f"the int {int.__repr__(value)}")
    return value


def _require_helper(what: str) -> None:
    """Raise `TooWide` unless a helper of this package computes: those have intrinsics, which are right."""
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    if frame is None or is_own(frame.f_code.co_filename):
        raise TooWide(what)


def _operator(name: str, right_too: bool) -> Callable[[Any, Any], Any]:
    """Returns an operator of `Watched` ints; `right_too`: the right operand must always fit."""
    plain = getattr(int, f"__{name}__")
    base = name.removeprefix("r") if name in ("rlshift", "rrshift", "rpow") else name
    is_shift, is_power, length = base in ("lshift", "rshift"), base == "pow", int.bit_length

    def watching(self: Any, other: Any, *modulus: Any) -> Any:
        if not isinstance(other, int):
            return plain(self, other, *modulus)
        if length(other) > 63 and (right_too or type(other) is not Watched):
            _fitting(other)
        if right_too and length(self) > 63:
            _fitting(self)
        if is_shift or is_power:
            left, right = (other, self) if base != name else (self, other)
            _fitting(right)
            if is_shift and int.__gt__(right, 63):
                _require_helper(f"a shift by {int.__repr__(right)} bits")
            if is_power and int.__lt__(right, 0):
                _fitting(left)
        made = plain(self, other, *modulus)
        return Watched(made) if type(made) is int else made

    return watching


for _name in (*GOES_ROUND, *NEEDS_ALL):
    setattr(Watched, f"__{_name}__", _operator(_name, _name in NEEDS_ALL))
    if _name not in REFLECTED:
        setattr(Watched, f"__r{_name}__", _operator(f"r{_name}", _name in NEEDS_ALL))


def watched(value: Any) -> Any:
    """Copy of a value, an int or tuples of ints, with `Watched` ints."""
    if type(value) is int:
        return Watched(value)
    if type(value) is tuple:
        return tuple(map(watched, value))
    return type(value)(*map(watched, value)) if isinstance(value, tuple) and hasattr(value, "_fields") else value


def watched_game(game: AnyGame) -> AnyGame:
    """Copy of a game whose options and properties are watched: compiled code has them as constants."""
    same, kind = copy.copy(game), type(game)
    made = {}
    for name in dir(kind):
        if isinstance(getattr_static(kind, name), property | cached_property):
            with suppress(Exception):  # its error is reported where the property is used, if it is
                made[name] = watched(getattr(game, name))
    options = {name: watched(value) for name, value in getattr(same, "__dict__", {}).items() if name not in made}
    object.__setattr__(same, "__class__", type(kind.__name__, (kind,), made))
    if options:
        same.__dict__.clear()
        same.__dict__.update(options)
    return same


def in_64_bits(ask: CheckedGame, state: AnyState, game: AnyGame) -> None:
    """Check the law in one state; `game` is the game with its options watched."""
    ongoing, moves = ask("outcome", state) == ONGOING, ask.some_legal(state)
    here = watched(state)
    questions: list[tuple[str, tuple[Any, ...]]] = [(name, (here,)) for name in STATE_QUESTIONS]
    if ongoing:
        questions += [(name, (here,)) for name in UNFINISHED_QUESTIONS]
        questions += [(name, (here, Watched(move))) for move in moves for name in MOVE_QUESTIONS]
    for question, args in questions:
        try:
            found = ask.time_limit(_answered, game, question, args)
            if wide := [value for value in _ints(found) if not _fits(value)]:
                raise TooWide(f"the int {int.__repr__(wide[0])}")
        except TooWide as error:
            move = f", move {args[1]}" if len(args) > 1 else ""
            said = f"{question} computes with {error} in state {state}{move}, and compiled ints have 64 bits"
            right = "keep ints below 2**63; plyground.board.bits has sets of any size"
            raise BrokenLaw(question, f"{said}: {right}", own_place(error)) from None
        except (Exception, TimeExceeded):  # reported by the question's own laws, or caused by the watched ints
            continue


def _answered(game: AnyGame, question: str, args: tuple[Any, ...]) -> Any:
    answer = getattr(game, question)(*args)
    return tuple(islice(answer, MOST_MOVES)) if question in LISTED_QUESTIONS else answer


def _ints(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for item in value:
            yield from _ints(item)
    elif isinstance(value, int):
        yield value
