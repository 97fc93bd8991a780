"""Laws of a game's form: checks that need no play, and values that play must not change."""

import dis
import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import get_args

from plyground.board.look import Colour, Surface
from plyground.compiled.constants_of_rules import constants_named
from plyground.compiled.fingerprint import fingerprint, names_in, used_globals
from plyground.faults import is_own
from plyground.laws.asking import AnyGame, BrokenLaw
from plyground.rules import Game

RANDOM_MODULES = ("random", "secrets")
"""Modules that no rule may use."""
LEAST_SIMILARITY = 0.8
"""Similarity, 0 to 1, from which a name counts as a misspelt question."""
_FUNCTIONS = {name: value for name, value in vars(Game).items() if isinstance(value, FunctionType) and name[0] != "_"}
GAME_QUESTIONS = [name for name, value in _FUNCTIONS.items() if not hasattr(value, "__final__")]
QUESTION_BY_FINAL_METHOD = {
    "text": "state_signs(self, state)",
    "move_text": "move_signs(self, state, move)",
    "notation_text": "notation_signs(self, state, move)",
    "notice_text": "notice(self, state)",
    "look": "stands(self, state)",
}
"""Final methods of `Game` that authors may not define, and the question to define instead."""


def broken_forms(game: AnyGame) -> Iterator[BrokenLaw]:
    """Yield the broken laws of a game's form, before any question is called."""
    # The cheapest first. What is found here makes the rest of a check meaningless, so nothing is called before.
    yield from _overridden_finals(game)
    yield from _broken_sides(game)
    if (fault := _mutability_fault(game)) is not None:
        yield fault
    for name in GAME_QUESTIONS:
        if fault := _signature_fault(game, name):
            yield fault
    for name, function in functions_of(game):
        for line, op, used in _instructions(function):
            # Read from the bytecode, so that a global changed on a way that no game takes is found as well.
            if op == "STORE_GLOBAL":
                said = f"{name} changes the global {used}: all that changes in a game belongs in its state"
                yield BrokenLaw(name, said, f"{_file_name(function)}, line {line}")
        for used, value in used_globals(function):
            if (package := _package_of(value)) in RANDOM_MODULES:
                said = f"{name} uses {package}: a rule gives the same answer each time, and no game here has chance"
                yield BrokenLaw(name, said, _place_of_name(function, used.split(".")[0]))


def probable_slips(game: AnyGame) -> Iterator[str]:
    """Yield notes about probable slips: uncalled functions named almost like a question, and empty constants."""
    called = {function for _, function in functions_of(game)}
    for owner in type(game).__mro__:
        for name, value in vars(owner).items():
            # A helper that is called is no slip, whatever it is called; of those that nothing calls, a name like a
            # question's is one.
            own = isinstance(value, FunctionType) and is_own(value.__code__.co_filename)
            if own and value not in called and not hasattr(Game, name) and (like := near_question(name, game)):
                where = f"{_file_name(value)}, line {value.__code__.co_firstlineno}"
                yield f"{owner.__name__} defines {name}, and nothing asks for it: is {like} meant? ({where})"
    told = set[str]()
    for question, function in functions_of(game):
        for name, value in constants_named(function, game).items():
            if isinstance(value, tuple | list | set | dict) and not value and name not in told:
                told.add(name)
                place = _place_of_name(function, name.removeprefix("self."))
                yield f"{name} is empty, and {question} uses it ({place})"


def near_question(name: str, game: AnyGame) -> str | None:
    """The question that a name probably misspells: one that the game does not define."""
    left = [each for each in GAME_QUESTIONS if getattr(type(game), each, None) is getattr(Game, each)]
    match = re.fullmatch(r"(move|action|state|position)_(?:name|label|text|string|to_string)", name)
    like = match and ("move_signs" if match[1] in ("move", "action") else "state_signs")
    return like if like in left else next(iter(get_close_matches(name, left, 1, LEAST_SIMILARITY)), None)


def _overridden_finals(game: AnyGame) -> Iterator[BrokenLaw]:
    """Yield a broken law for each final method of `Game` that a game defines."""
    for name, told_by in QUESTION_BY_FINAL_METHOD.items():
        if (own := inspect.getattr_static(type(game), name)) is not _FUNCTIONS[name]:
            question = told_by.partition("(")[0]
            said = f"{name} is put together from what {question} tells, in ints: define {told_by} in its place"
            said += ", as docs/game-reference.md shows"
            at = f"{_file_name(own)}, line {own.__code__.co_firstlineno}" if isinstance(own, FunctionType) else None
            yield BrokenLaw(name, said, at)


def _broken_sides(game: AnyGame) -> Iterator[BrokenLaw]:
    """Yield the broken laws of a game's names, marks, colours and surface."""
    for name, right in (("names", "White and Black"), ("marks", "x and o")):
        told = getattr(game, name)
        if not (
            _are_different(told) and all(type(each) is str and each.strip() and each.isprintable() for each in told)
        ):
            yield BrokenLaw(name, f"{name} is {told!r}: two different texts of one line, such as {right}")
        elif name == "marks" and any(" " in mark for mark in told):
            yield BrokenLaw(name, f"marks is {told!r}: two words without blanks, as programs read them")
    if not (_are_different(game.colours) and all(colour in get_args(Colour) for colour in game.colours)):
        known = ", ".join(get_args(Colour))
        yield BrokenLaw("colours", f"colours is {game.colours!r}: two different ones of {known}")
    if game.surface not in get_args(Surface):
        yield BrokenLaw("surface", f"surface is {game.surface!r}: one of {', '.join(get_args(Surface))}")
    if type(game.state_words) is not int or game.state_words < 1:
        yield BrokenLaw("state_words", f"state_words is {game.state_words!r}: the number of words in a text, 1 or more")


def _are_different(told: object) -> bool:
    return isinstance(told, tuple) and len(told) == 2 and told[0] != told[1]


def _mutability_fault(game: AnyGame) -> BrokenLaw | None:
    """Broken law if a game's class or fields allow it to change; else None."""
    try:
        # A frozen dataclass of immutable fields has a hash; the game is a constant of compiled code and a key of caches
        # by it.
        hash(game)
        return None
    except TypeError:
        name = type(game).__name__
    if is_dataclass(game) and game.__dataclass_params__.frozen:
        for field, value in vars(game).items():
            try:
                hash(value)
            except TypeError:
                kind = type(value).__name__
                return BrokenLaw(
                    "game", f"{name} has the {kind} {value!r} as its {field}, which can change: write a tuple"
                )
    return BrokenLaw("game", f"{name} can change after it is made: declare it @dataclass(frozen=True)")


def _signature_fault(game: AnyGame, name: str) -> BrokenLaw | None:
    """Broken law if a question does not take its arguments; else None."""
    wanted = inspect.signature(getattr(Game, name))
    right = f"define {name}({', '.join(wanted.parameters)})"
    answer = getattr(game, name, None)
    if not callable(answer):
        return BrokenLaw(name, f"{name} is {answer!r}, and not a function: {right}")
    try:
        # Only that it can be called: names of parameters are free.
        inspect.signature(answer).bind(*list(wanted.parameters)[1:])
        return None
    except (TypeError, ValueError):
        function = inspect.getattr_static(type(game), name)
        if not isinstance(function, FunctionType):
            return None
        has = ", ".join(inspect.signature(function).parameters)
        return BrokenLaw(name, f"{name} is defined as {name}({has}): {right}")


# -- what the rules are made of ---------------------------------------------------------------------------------------


def functions_of(game: AnyGame) -> list[tuple[str, FunctionType]]:
    """The author's functions that may compute a question's answer, each with the question."""
    found: dict[FunctionType, str] = {}

    def follow(function: object, question: str) -> None:
        # Static and class methods and properties, down to the function in them.
        function = getattr(function, "__func__", None) or getattr(function, "fget", None) or function
        if not isinstance(function, FunctionType) or function in found or not is_own(function.__code__.co_filename):
            return
        found[function] = question
        for _, value in used_globals(function):
            follow(value, question)
        for name in names_in(function.__code__):
            follow(inspect.getattr_static(type(game), name, None), question)

    for question in GAME_QUESTIONS:
        follow(inspect.getattr_static(type(game), question, None), question)
    return [(question, function) for function, question in found.items()]


def values_in_rules(game: AnyGame) -> dict[str, tuple[str, str | None]]:
    """List the values that rules use and that could change: by name, a fingerprint now and the place of use."""
    parts: dict[str, tuple[str, str | None]] = {}
    for name, value in getattr(game, "__dict__", {}).items():
        # A cached property appears among the fields at its first use, and is no change.
        if not isinstance(inspect.getattr_static(type(game), name, None), cached_property):
            parts[name] = fingerprint(value), None
    for _, function in functions_of(game):
        for name, value in used_globals(function):
            if not isinstance(value, FunctionType | type | ModuleType) and not callable(value):
                parts.setdefault(name, (fingerprint(value), _place_of_name(function, name)))
    return parts


def changed_values(game: AnyGame, before: dict[str, tuple[str, str | None]]) -> Iterator[BrokenLaw]:
    """Yield a broken law for each value outside of states that has changed since `values_in_rules` was called."""
    now = values_in_rules(game)
    for name, (was, place) in before.items():
        if name in now and now[name][0] != was:
            said = f"{name} changes while the game is played: all that changes in a game belongs in its state"
            yield BrokenLaw("game", said, place)


def _instructions(function: FunctionType) -> Iterator[tuple[int, str, str]]:
    line = function.__code__.co_firstlineno
    for each in dis.get_instructions(function):
        line = (each.positions.lineno if each.positions else None) or line
        yield line, each.opname, str(each.argval)


def _place_of_name(function: FunctionType, name: str) -> str:
    lines = (line for line, _, used in _instructions(function) if used == name)
    return f"{_file_name(function)}, line {next(lines, function.__code__.co_firstlineno)}"


def _file_name(function: FunctionType) -> str:
    return Path(function.__code__.co_filename).name


def _package_of(value: object) -> str:
    """Name of the top-level package that defines a value; empty if it is not known."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0]
    owner = getattr(value, "__self__", None)
    module = getattr(value, "__module__", None) or type(owner).__module__
    return module.partition(".")[0] if isinstance(module, str) and callable(value) else ""
