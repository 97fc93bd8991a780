"""What it takes to add something is what `docs/design.md` says."""

import importlib.util
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def extending() -> Any:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("extending", ROOT / "scripts" / "extending.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_figures() -> None:
    """The document's table has the script's questions, goals and figures; what has reached its goal stays there."""
    document = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in document.splitlines() if line.startswith("|")]
    told = {row[0]: row[2:] for row in rows if len(row) == 4}
    for figure in extending().figures():
        assert told[figure.question] == [str(figure.now), str(figure.goal)], figure.places
    assert int(told["files a new page view with a question touches"][0]) <= 4


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
