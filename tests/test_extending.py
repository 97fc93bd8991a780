"""Files that an addition takes, and measures of the house, are as `docs/architecture.md` says."""

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import plyground as pg

ROOT = Path(__file__).resolve().parent.parent
MOST_WIDE_FUNCTIONS, WIDEST_FUNCTION = 74, 17
"""Functions of more than six parameters, and parameters of the widest, as `scripts/measures.py` counts them."""
MOST_QUESTIONS, LEAST_COMMENTS = 8, 4.0
"""Docstrings that ask, and per cent of lines with a comment, as `scripts/english.py` counts them."""
LEAST_PAGE_COMMENTS = 0.69
"""Per cent of lines of the page's JavaScript with a comment that gives a reason, by `scripts/english.py`."""
SAME_IN_MEANING = {"GOAL_CAPTION", "LARGEST_BOARD", "PIECE_KINDS", "SQUARE_MASK"}
"""Constants that mean one thing in several games, each with its own value."""


def extending() -> Any:
    """The script that counts what an addition touches, as a module."""
    return script_module("extending")


def script_module(name: str) -> Any:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ROOT / "scripts"))  # scripts import each other
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    return module


def test_figures() -> None:
    """The document's table has the script's questions and figures; a view stays within its goal."""
    script = extending()
    document = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
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


def test_words_of_the_house_grow_no_worse() -> None:
    """At most one function of a hundred is named by a participle alone, no constant has two meanings, and neither the
    docstrings that ask nor the lines without a comment become more.
    """
    english = script_module("english")
    words, functions = english.participles(), english.functions()
    assert len(words) <= len(functions) / 100, f"name these by verb and object: {[*map(str, words)]}"
    assert english.ambiguous_constants().keys() <= SAME_IN_MEANING, "say in the name what is bounded, with its unit"
    assert len(english.questions()) <= MOST_QUESTIONS, "begin a docstring with a verb or a noun"
    marked, lines = (sum(each) for each in zip(*english.comments().values(), strict=True))
    assert 100 * marked >= LEAST_COMMENTS * lines, "say reasons, invariants and sources where the reader stands"


def test_words_of_the_page_grow_no_worse() -> None:
    """No function of the page is named by a participle alone, no head asks, and reasons become no fewer."""
    english = script_module("english")
    functions = english.page_functions()
    assert len(functions) > 1_000, "the functions of the page are not found any more"
    named = [str(word) for word in functions if english.is_participle(word.text)]
    assert named == [], "name these by verb and object"
    assert [*map(str, english.page_questions())] == [], "begin a head with a verb or a noun"
    marked, lines = english.page_comments()
    assert 100 * marked >= LEAST_PAGE_COMMENTS * lines, "say reasons, invariants and sources where the reader stands"


def test_functions_of_javascript_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Declarations, arrow functions, fields and methods are functions; values, calls and branches are not."""
    english = script_module("english")
    code = """// What this is.
export async function told(one) {}
const kept = ({ id = (1) }, /** @type {() => void} */ then) =>
  id;
const sum = (1 + 2) * 3;
class Board {
  #shown = async () => 1;
  /** How it is drawn. */
  get #drawn() {
    if (kept(this)) return told(1); // a reason
  }
}
"""
    (tmp_path / "board.js").write_text(code, encoding="utf-8")
    monkeypatch.setattr(english, "PAGE", tmp_path)
    assert [word.text for word in english.page_functions()] == ["told", "kept", "shown", "drawn"]
    assert [word.text for word in english.page_questions()] == ["What this is.", "How it is drawn. */"]
    assert english.page_comments() == (1, code.count("\n"))


PLACES = {
    "transposition.*clear": "engine/thinker.py",
    "drawn.by.repetition": "position.py",
    "arena": "arena/__init__.py",
    "move.?ordering": "search/ordered.py",
    "sprt": "arena/statistics/sprt.py",
    "null.?move.?(pruning|reduction)": "search/pvs.py",
    "zobrist": "search/table.py",
    "fen": "board/fen.py",
    "allot": "play/time_control.py",
    "ucb1": "search/mcts.py",
    "principal.?variation": "engine/deepening.py",
}
"""Questions of a newcomer by the field's word: where is the table cleared, a game drawn by repetition, an option of the
arena, the order of moves, the decision of the SPRT, the null move, the hash key, FEN read, time allotted to a move, a
child chosen by UCB1, the principal variation collected."""


@pytest.mark.parametrize("word", PLACES)
def test_the_word_of_the_field_leads_to_its_place(word: str) -> None:
    """Found is the first definition whose name has it, file by file by their paths; else the first line that has it."""
    package = Path(pg.__file__).parent
    files = sorted(package.rglob("*.py"), key=lambda file: file.relative_to(package).as_posix())
    for form in (rf"(def|class) \w*({word})\w*", word):
        hits = [file for file in files if re.search(form, file.read_text(encoding="utf-8"), re.IGNORECASE)]
        if hits:
            assert hits[0].relative_to(package).as_posix() == PLACES[word]
            return
    pytest.fail(f"no line has {word}")


@pytest.mark.parametrize(
    ("name", "is_one"), [("found", True), ("kept", True), ("_settled", True), ("read_book", False), ("speed", False)]
)
def test_participles_are_told_from_verbs(name: str, is_one: bool) -> None:
    """A word that is a verb too is none."""
    assert script_module("english").is_participle(name) == is_one


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
