"""What it takes to add something is what `docs/design.md` says."""

import importlib.util
from pathlib import Path
from typing import Any

import plyground as pg

ROOT = Path(__file__).resolve().parent.parent
MOST_WIDE_FUNCTIONS, WIDEST_FUNCTION = 75, 17
"""Functions of more than six parameters, and parameters of the widest, as `scripts/measures.py` counts them."""


def extending() -> Any:
    """The script that counts what an addition touches, as a module."""
    return script_module("extending")


def script_module(name: str) -> Any:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_figures() -> None:
    """The document's table has the script's questions and figures; a view stays within its goal."""
    script = extending()
    document = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in document.splitlines() if line.startswith("|")]
    told = {row[0]: row[1:] for row in rows if len(row) == 4}
    for figure in script.figures():
        least, most = script.amount(figure.least), script.amount(figure.most)
        assert told[figure.question] == [str(least), str(most), str(figure.goal)], (figure.least, figure.most)
    assert int(told["files a new page view with a question touches"][0]) <= 4


def test_measures_of_the_house_grow_no_worse() -> None:
    """No import runs in a circle or upward, also within functions; wide functions are not more than they were."""
    measures = script_module("measures")
    assert measures.circles() == [] and measures.upward_imports() == []
    wide = measures.wide_functions()
    assert len(wide) <= MOST_WIDE_FUNCTIONS and wide[0][0] <= WIDEST_FUNCTION, wide[0]


def test_a_way_has_each_function_once() -> None:
    """In the order of their first calls: this test's own are none of the package."""
    measures = script_module("measures")
    way = measures.follow("perft", lambda: pg.Position.parse("tictactoe", "a1").play("b2"))
    assert way.functions[0].startswith("position.py:Position.") and len(set(way.functions)) == len(way.functions)
    assert way.files[0] == "position.py" and set(way.rooms) >= {"position", "games", "score", "rules"} - {"score"}


def test_columns_are_counted_in_both_languages() -> None:
    """A property that is written counts; one that is read, or a type, does not."""
    handed = extending()._handed_in_javascript
    assert handed("return {\n  hidden: 3,\n  hidden,\n};\nthis.hidden = [];", "hidden") == [2, 3, 5]
    assert not handed(
        "const { hidden } = node;\nif (tree.hidden[2]) return;\n/** @type {{ hidden: number }} */", "hidden"
    )


def test_counting(tmp_path: Path) -> None:
    """Code that names a thing counts; a comment, a docstring or a sentence about it does not."""
    naming = {
        "one.py": 'OPERATIONS = ["race"]',
        "two.py": "from plyground.web import race",
        "three.js": 'const rows = [{ path: "race" }];',
        "four.js": 'import { race } from "./other.js";',
    }
    telling = {
        "five.py": '"""A race."""\n# race',
        "six.js": '// race\nel(`A race on ${game}`, "Which race");',
        "seven.js": "/** race */",
        "eight.py": 'words = "a race of two"',
    }
    for name, text in {**naming, **telling}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    names = extending()._names
    assert {name for name in {**naming, **telling} if "race" in names(tmp_path / name)} == set(naming)
