"""Reasons why a rule does not compile, as sentences for its author: file, line, what to write instead."""

import re
from pathlib import Path
from types import FunctionType

from numba.core import errors

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


def rule_asked(function: FunctionType, game: Constant) -> str:
    """Place to name when Numba names none: the only rule that a function asks, if it asks one."""
    asked = (getattr(type(game), name, None) for name in names_in(function.__code__))
    rules = [rule for rule in asked if isinstance(rule, FunctionType)]
    if len(rules) != 1:
        return "One of the rules"
    return f"{Path(rules[0].__code__.co_filename).name}, line {rules[0].__code__.co_firstlineno} or below"


def explain(fault: BaseException, otherwise: str) -> str:
    """Reason why something does not compile, in one sentence with file and line, without Numba's own words.

    `otherwise` is the place to name when the exception names none.
    """
    message = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    places = [place for place in _PLACE.findall(message) if is_own(str(Path(place[0]).resolve()))]
    where = f"{Path(places[0][0]).name}, line {places[0][1]}" if places else otherwise
    for pattern, words in REASONS:
        if match := re.search(pattern, message):
            return f"{where}: {words.format(*(group for group in match.groups() if group))}."
    return f"{where}: {OTHERWISE}."
