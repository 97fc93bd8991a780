"""No number or sentence stands in Python and in the page's workers: what both have the page gets as data."""

import ast
import json
import re
from pathlib import Path

import pytest

import plyground
from plyground.play.level import LEVELS
from plyground.web.views.page_constants import constants

PACKAGE = Path(plyground.__file__).parent
SRC = Path(__file__).resolve().parent.parent / "page" / "src"
SMALL = {0.0, 0.5, 1.0, 2.0}
"""Numbers that mean nothing by themselves."""
UNITS = {1000, 2**20, 8}
"""Milliseconds of a second, bytes of a mebibyte and of a word."""
OWN: dict[str, set[float]] = {
    "answers/nearby.js": {400},  # a status of HTTP
    "worker/engine/graph.js": {20, 3, 8},  # a mebibyte, as a power; what a census counts
    "worker/play/levels.js": set(),
    "worker/operations.js": {8, 20_000, 404, 5, 30},  # what a worker remembers; a status of HTTP; seconds
    # where a question names none
    "worker/play/players.js": {31},  # bits of a seed
    "worker/microscope/racing.js": {
        17,
        1e-9,
        3,
        4,
        6,
    },  # nodes by which a speed is known, as a power; precision; digits; usual depth and seconds
    "worker/microscope/recording.js": set(),
    "worker/refused.js": {400},
    "worker/engine/simulating.js": {20, 4},
    "worker/engine/sweeping.js": {4096, 8},  # states between two looks at the clock; moves of a state at first
    "worker/engine/thinking.js": {10, 20},  # powers of two: the smallest table tried, a mebibyte
}
"""The page's own numbers: no other stands in these files. What Python has too is in `page_constants.py`."""
WORKER = sorted(file.relative_to(SRC).as_posix() for file in (SRC / "worker").rglob("*.js"))
ALSO_IN_PYTHON = {"best so far"}
"""Words of a model, which types check, and a fault of ours that no user sees."""


def bare(file: str) -> str:
    """A file's code without comments."""
    return re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", (SRC / file).read_text(encoding="utf-8"), flags=re.S)


def sentences(code: str) -> set[str]:
    """Strings and pieces of templates with two words or more."""
    found = re.findall(r'"((?:[^"\\\n]|\\.)*)"', code)
    for template in re.findall(r"`((?:[^`\\]|\\.)*)`", code):
        found += re.split(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", template)
    return {piece.strip() for piece in found if " " in piece.strip() and len(re.findall(r"[A-Za-z]{2,}", piece)) >= 2}


def texts() -> str:
    """All strings of the package's Python, docstrings left out."""
    found = []
    for file in PACKAGE.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        words = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words:
                found.append(node.value)
    return "\n".join(found)


@pytest.mark.parametrize("file", OWN)
def test_numbers(file: str) -> None:
    """A number of a worker is small, a unit, or the page's own, which is listed here."""
    code = re.sub(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`', "", bare(file))
    numbers = re.findall(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e-?\d+)?\b", code)
    assert {float(number.replace("_", "")) for number in numbers} <= SMALL | UNITS | OWN[file]


def test_sentences() -> None:
    """No sentence of a worker is one of Python's."""
    python = texts()
    for file in WORKER:
        twice = {sentence for sentence in sentences(bare(file)) if sentence in python and "/" not in sentence}
        assert twice <= ALSO_IN_PYTHON, file


def test_constants_are_python_s() -> None:
    """Constants of the page are equal to those of the Python modules."""
    found = constants()
    assert found["levels"] == {name: level.error for name, level in LEVELS.items()}
    assert found["players"]["level"].keys() == {"error", "time", "nodes", "seed"}
    assert json.loads(json.dumps(found)) == found
