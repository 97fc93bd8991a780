"""Changes of code that change a fingerprint, and changes that do not."""

from textwrap import indent
from types import FunctionType
from typing import Any

import pytest

import plyground as pg
from plyground.board.look import squares
from plyground.compiled.fingerprint import fingerprint, rules_fingerprint
from plyground.errors import check_arguments


def function(source: str) -> FunctionType:
    """The function `f` that a source defines."""
    names: dict[str, FunctionType] = {}
    exec(source, names)
    return names["f"]


def mark(source: str) -> str:
    """Fingerprint of the function `f` that a source defines."""
    return fingerprint(function(source))


NESTED = '''
def f(self):
    """{outer}"""
    def inner(x):
        """{inner}"""
        return x + {number}, "{text}"
    return inner
'''


def test_docstrings_do_not_count() -> None:
    """Those of nested functions neither; every constant and string used as a value does."""
    first = {"outer": "One.", "inner": "Two.", "number": 1000, "text": "a"}
    known = mark(NESTED.format(**first))
    for name in ("outer", "inner"):
        assert mark(NESTED.format(**first | {name: "Three."})) == known
    assert mark(NESTED.format(**first | {"number": 1001})) != known
    assert mark(NESTED.format(**first | {"text": "b"})) != known


@pytest.mark.parametrize(
    "source",
    [
        "def f(): return '{}'",
        "def f(): return ['{}' for _ in range(3)]",
        "def f(): return list('{}' for _ in range(3))",
        "f = lambda: '{}'",
        "def f():\n    def inner(): return '{}'\n    return inner",
        "def f():\n    '{}'\n    return '{}'",  # the docstring is the value too, one constant
        "def f():\n    'Docstring.'\n    return '{}'",
        "def f():\n    'Docstring.'\n    x = 1\n    '{}'.upper()",
    ],
)
def test_strings_used_as_values_count(source: str) -> None:
    """In every place in which a string may be the first constant."""
    assert mark(source.replace("{}", "one")) == mark(source.replace("{}", "one"))
    assert mark(source.replace("{}", "one")) != mark(source.replace("{}", "two"))


def test_a_docstring_is_told_from_a_value_among_many_constants() -> None:
    """With more than 256 constants the bytecode's arguments have several bytes, and 256 ends in a zero byte."""
    values = "\n".join(f"x = {number}.5" for number in range(600))
    source = "def f():\n    'DOC'\n" + indent(values, "    ")
    assert mark(source) == mark(source.replace("DOC", "Other."))
    assert mark(source) != mark(source.replace("255.5", "255.25"))


def test_a_class_and_its_methods_without_their_docstrings() -> None:
    """A class has the same fingerprint whatever its documentation says."""
    names: list[str] = []
    for words in ("one", "two"):
        found: dict[str, type] = {}
        text = f"class Rules:\n    '{words}'\n    size = 3\n    def play(self):\n        '{words}'\n        return 7"
        exec(text, found)
        names.append(fingerprint(found["Rules"]))
    assert names[0] == names[1]


def test_checks_of_arguments_do_not_count() -> None:
    """A function is the same with and without `check_arguments`, before and after its first call, and so is a game."""

    def ahead(depth: int) -> int:
        return depth + 1

    held, game = check_arguments(ahead), pg.MNK()
    before = fingerprint(game)
    assert fingerprint(held) == fingerprint(ahead)
    assert held(1) == 2 and fingerprint(held) == fingerprint(ahead)
    assert pg.squares(3, 3) and fingerprint(game) == before


TAKING = """
import plyground as pg
from plyground.board.look import squares

MOST = 3

def helped(heap):
    return heap - 1 + 0

class Taking(pg.Game[tuple[int, int]]):
    unit = ("stones", 1)

    def initial(self):
        return 11, pg.MAX

    def to_move(self, state):
        return state[1]

    def moves(self, state):
        for count in range(1, min(self.most, state[0]) + 1):
            yield count

    @property
    def most(self):
        return MOST

    def play(self, state, move):
        return helped(state[0]) + 1 - move, 1 - state[1]

    def outcome(self, state):
        if state[0]:
            return pg.ONGOING
        return -1 if state[1] == pg.MAX else 1

    def evaluate(self, state):
        return 5

    def text(self, state):
        return f"{state[0]} stones"

    def board(self):
        return squares(1, 11)
"""


def taking(old: str = "", new: str = "") -> pg.Game[tuple[int, int]]:
    """A game of taking stones, with a change of its source."""
    assert old in TAKING
    names: dict[str, Any] = {"__name__": "taking"}
    exec(TAKING.replace(old, new) if old else TAKING, names)
    found: pg.Game[tuple[int, int]] = names["Taking"]()
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return 5", "return 6"),
        (" stones", " matches"),
        ("(1, 11)", "(2, 11)"),
        ('"stones", 1', '"stones", 2'),
    ],
)
def test_looks_and_estimates_are_no_rules(old: str, new: str) -> None:
    """What is kept of a game's values outlives changes of its board, its texts, its unit and its evaluation."""
    assert rules_fingerprint(taking(old, new)) == rules_fingerprint(taking())
    assert fingerprint(taking(old, new)) != fingerprint(taking())


@pytest.mark.parametrize(
    ("old", "new"), [("11, pg", "12, pg"), ("MOST = 3", "MOST = 4"), ("1 + 0", "1 + 1"), ("return -1", "return 0")]
)
def test_rules_and_what_they_use(old: str, new: str) -> None:
    """The start, a constant behind a property, a function that a rule calls, an end."""
    assert rules_fingerprint(taking(old, new)) != rules_fingerprint(taking())


@pytest.mark.parametrize("name", ["connectfour", "draughts", "chess", "kalah", "morris"])
def test_no_shipped_rule_needs_a_board(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a shipped game is drawn, its tablebases and books are found."""
    game = pg.game_named(name)
    known = rules_fingerprint(game), fingerprint(game)
    monkeypatch.setattr(type(game), "board", lambda self: squares(1, 1))
    assert rules_fingerprint(game) == known[0]
    assert fingerprint(game) != known[1]
