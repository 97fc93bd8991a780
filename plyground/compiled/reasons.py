"""Reasons why a rule does not compile, as sentences for its author: file, line, what to write instead."""

import linecache
import os.path
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

from numba.core import errors
from numba.core.ir import Loc

from plyground.compiled.constants_of_rules import constants_named, has_line, rule_functions, what_is_wrong
from plyground.compiled.fingerprint import names_in
from plyground.constant import Constant
from plyground.faults import is_own

AUTHORS = (errors.NumbaError, errors.UnsupportedBytecodeError, NotImplementedError)
"""Exceptions that Numba raises for code that it cannot type or lower. Any other is a fault of Numba's or ours."""

_PLACE = re.compile(r'(?:File "|\b(?:at|from) )([^"\n]+?\.py)(?:", line | \()(\d+)')
"""Pattern of a file and line in Numba's message, which goes from the innermost call outward."""

REASONS = (
    (r"global name 'super'", "uses super(); put what both classes do into a function beside them, and call that"),
    (r"YIELD_FROM", "uses yield from; write for move in …: yield move"),
    (
        r"getitem\([^\n]*slice<",
        "takes a slice whose length no one knows beforehand; plyground.board.bits.with_word(cells, place, value) "
        "gives one with another value at a place",
    ),
    (r"yield in a closure", "uses a generator within an expression; write a for loop"),
    (r"re-entrant|runaway recursion", "calls itself in a way that never ends, or before it has ever returned a value"),
    (
        r"Cannot resolve setattr|No definition for lowering [^\n]+ = ",
        "changes an attribute; games and states never change, play makes a new state",
    ),
    (r"exception_match|Exception matching", "uses except; ask beforehand, with if"),
    (
        r"No implementation of function Function\(<class 'tuple'>\)",
        "makes a tuple whose length no one knows beforehand; plyground.board.bits.with_word(cells, place, value) "
        "gives one with another value at a place",
    ),
    (r"_replace|_make|_asdict", "uses _replace or the like; make a new state with all its fields instead"),
    (
        r"Untyped global name '([^']+)'",
        "uses {0}, which is neither an int, a tuple of ints, nor a function of plain rules",
    ),
    (r"NameError: name '([^']+)'|Variable '([^']+)' is not defined", "uses the name {0}, which is defined nowhere"),
    (
        r"Unknown attribute '([^']+)' of type Constant",
        "uses self.{0}, which is neither an int, a tuple of ints nor a method",
    ),
    (r"Unknown attribute '([^']+)'", "uses .{0}, which ints, tuples and states do not have"),
    (r"unicode_type|Literal\[str\]", "works with text, and compiled rules know only ints and tuples of ints"),
    (r"build_map|DictType|\bdict\b|Dict\(", "uses a dict, and compiled rules know only ints and tuples of ints"),
    (r"build_set|reflected set|\bset\(", "uses a set; a bitboard (an int with a bit for each member) does its work"),
    (r"Can't unify (?:return|yield) type", "returns or yields values of two kinds"),
    (r"Cannot unify", "gives one name values of two kinds"),
    (r">>> \w+\([^\n]*float64", "makes a fraction; // divides ints without one"),
    (
        r"No implementation of function Function\(<[^>]*?([\w.]+)(?: at [^>]*)?>\)",
        "calls {0} with values it does not take here",
    ),
    (r"imprecise type: list", "uses an empty list; a state's tuples of ints keep their length"),
    (r"Int value is too large", "uses an int of more than 64 bits; plyground.board.bits has sets of any size"),
    (r"unsupported opcode|context manager|Illegal IR", "uses a statement that compiled rules do not have"),
)
"""Patterns of Numba's messages and the sentence that replaces each; the first match counts."""
OTHERWISE = "does what compiled rules cannot do; they know ints, tuples and NamedTuples of ints"


_OF_PAGES = (
    r"unfit for linking",
    "hands the moves, or another generator, to a function such as list or sum; write a for loop",
)
"""The pattern and sentence of what compiles natively, and not for browsers."""
_LINES = (
    (r"\benumerate\(.*\bstart *=", "gives enumerate its start by name; write enumerate(row, 1)"),
    (r"\w\(.*\*\w", "hands a row over as arguments, by *; write each argument"),
)
"""Patterns of lines at which Numba itself fails, and the sentence for each; the first match counts."""
_FAILS = "is right Python, and the compiler fails at it; written in another way it may compile"


def why_not(fault: BaseException, function: FunctionType, game: Constant) -> str | None:
    """Reason why a function of a game does not compile, in one sentence with file and line, without Numba's own words.

    None if nothing in the failure points to what a user wrote: it is a fault of Numba's, or ours.
    """
    message = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    is_told = isinstance(fault, AUTHORS)
    told = ((Path(os.path.abspath(file)), int(line)) for file, line in _PLACE.findall(message))  # noqa: PTH100  told relative to here, with ..
    places = [(file, line) for file, line in told if is_own(str(file.resolve()))]
    if not (places := places or _places_of(fault)) and not is_told:
        return None
    place = places[0] if places else None
    where = f"{place[0].name}, line {place[1]}" if place else _rule_asked(function, game)
    rules = [each for each in rule_functions(game, function) if _is_at(each, place)]
    if words := next(_wrong_constants(rules, game, place), ""):
        return f"{where}: {words}."
    for pattern, words in (*REASONS, _OF_PAGES):
        if match := re.search(pattern, message):
            return f"{where}: {words.format(*(group for group in match.groups() if group))}."
    if words := next(_wrong_constants(rules, game, None), ""):
        return f"{where}: {words}."
    text = linecache.getline(str(place[0]), place[1]) if place else ""
    words = next((words for pattern, words in _LINES if not is_told and re.search(pattern, text)), "")
    return f"{where}: {words or (OTHERWISE if is_told else _FAILS)}."


def _wrong_constants(rules: list[FunctionType], game: Constant, place: tuple[Path, int] | None) -> Iterator[str]:
    """What is wrong with the constants that rules name, at one place or anywhere."""
    for rule in rules:
        for name, value in constants_named(rule, game, place[1] if place else None).items():
            if wrong := what_is_wrong(value):
                yield f"{name} {wrong}"


def _is_at(function: FunctionType, place: tuple[Path, int] | None) -> bool:
    code = function.__code__
    return place is not None and Path(code.co_filename) == place[0] and has_line(code, place[1])


def _places_of(fault: BaseException) -> list[tuple[Path, int]]:
    """Places in users' files that the compiler was at when it failed, the innermost first: a failure of its own names
    none, but what it holds there, a statement for instance, knows its place."""
    found, trace = list[tuple[Path, int]](), fault.__traceback__
    while trace:
        held = (getattr(each, "loc", None) for each in list(trace.tb_frame.f_locals.values()))
        at = [(each.line, each.filename) for each in held if isinstance(each, Loc) and is_own(each.filename)]
        found += [(Path(file), line) for line, file in sorted(at)[-1:]]
        trace = trace.tb_next
    return found[::-1]


def _rule_asked(function: FunctionType, game: Constant) -> str:
    """Place to name when Numba names none: the only rule that a function asks, if it asks one."""
    asked = (getattr(type(game), name, None) for name in names_in(function.__code__))
    rules = [rule for rule in asked if isinstance(rule, FunctionType)]
    if len(rules) != 1:
        return "One of the rules"
    return f"{Path(rules[0].__code__.co_filename).name}, line {rules[0].__code__.co_firstlineno} or below"
