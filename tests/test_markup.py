"""The writer of HTML: nobody makes any elsewhere, and nothing from outside is an element, an attribute or a script."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from browser import browser_of
from lxml.html.defs import tags
from playwright.sync_api import Browser, Page, sync_playwright
from test_grade_forms import fill_fields

import plyground
import plyground as pg
from plyground.arena.learning.learn import Learning
from plyground.arena.marking.marks import ClassMarks, MarkPart, StudentMark
from plyground.arena.report.class_pages import write_pages
from plyground.arena.report.html import html as arena_page
from plyground.arena.report.standings import standings
from plyground.arena.results import Arena, Audited, Entrant, Judged, Played, Task
from plyground.games import GAMES
from plyground.grading import forms as grades
from plyground.markup import Markup, document, el, fragment, join
from plyground.microscope import forms, worksheet
from plyground.play.ending import Ending
from plyground.play.proof import Audit, Loss
from plyground.position import Position
from plyground.publish.lessons import _BODY
from plyground.publish.page import _assemble, make_lesson_page, pack_text
from plyground.publish.site import _index

PACKAGE = Path(plyground.__file__).parent
SVG = ["circle", "ellipse", "path", "rect", "svg", "symbol", "text", "tspan", "use", "foreignobject", "animate", "set"]
TAG = re.compile(rf"<(?:!doctype|/?(?:{'|'.join(sorted((tags - {'u'}) | {*SVG}))}))\b", re.IGNORECASE)
"""The beginning of an element; `<u` begins names of NumPy's types."""
FRAMES = {"markup.py", "publish/page.py"}
"""Modules that take text as elements: the writer, and what puts the playground's own frame into a page."""

EVIL = (
    "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'><svg onload='window.ran = 3'></svg>"
    "\"'><a href=\"javascript:window.ran=4\" onfocus='window.ran=5' autofocus>&lt;b&gt;</a></title></style></svg>"
    "</script><!--\x1b[2J\x1b]0;title\x07\x9b31m\u202eb--><meta http-equiv=refresh content='0;url=x'>"
)
"""Hostile texts from people, programs and files."""


def makers() -> Iterator[tuple[str, ast.Module]]:
    """Each module of the package, by its path, and what is in it."""
    for file in sorted(PACKAGE.rglob("*.py")):
        yield file.relative_to(PACKAGE).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def strings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The texts in a module but documentation, and patterns that read a text."""
    left = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Call) and ast.unparse(each.func).startswith("re."):
            left |= {id(part) for part in ast.walk(each.args[0])} if each.args else set()
    return (
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in left
    )


def test_no_module_but_the_writer_makes_elements() -> None:
    """No text in the package begins an element, and none is called one but the playground's own frame."""
    made = [f"{name}:{each.lineno}: {each.value!r}" for name, tree in makers() for each in strings(tree)
            if name != "markup.py" and TAG.search(str(each.value))]  # fmt: skip
    assert made == []
    named = {name for name, tree in makers() for each in ast.walk(tree)
             if isinstance(each, ast.Call) and ast.unparse(each.func).rpartition(".")[2] == "Markup"}  # fmt: skip
    assert named == FRAMES
    escaping = {name for name, tree in makers() for each in ast.walk(tree)
                if isinstance(each, ast.Import | ast.ImportFrom) and "html" in ast.unparse(each).split()}  # fmt: skip
    assert escaping == {"markup.py"}


def test_what_is_not_an_element_is_text() -> None:
    """In elements and in attributes; also a text that was put together from elements."""
    bold = el("b", EVIL)
    assert bold.count("<") == 2 and "\x1b" not in bold and "\u202e" not in bold and "\x9b" not in bold
    assert el("p", title=EVIL).count('"') == 2 and el("p", title=EVIL).count("<") == 2
    assert el("p", bold) == f"<p>{bold}</p>" and el("p", f"{bold}").count("<") == 2
    assert type(bold + bold) is str and el("p", bold[:9]).count("<") == 2
    assert join("<", ["a<", el("br"), 3]) == "a&lt;&lt;<br/>&lt;3" and fragment(None, [1, ["<"]]) == "1&lt;"
    assert el("td", data_step=0, hidden=False, id=None) == '<td data-step="0"></td>'
    for ends in ("</script >", "</STYLE>", "<!--"):
        with pytest.raises(ValueError, match="stands in what is put into a page"):
            el("style", ends)


@dataclass(frozen=True)
class Pile(pg.Game[tuple[int, int]]):
    """Take one or two."""

    names = (EVIL, EVIL + "2")
    marks = ("<b>", '"')
    draws = False

    def initial(self) -> tuple[int, int]:
        return 4, 0

    def to_move(self, state: tuple[int, int]) -> int:
        return state[1]

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        yield from range(min(2, state[0]))

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] - move - 1, 1 - state[1]

    def outcome(self, state: tuple[int, int]) -> int:
        return pg.ONGOING if state[0] > 0 else 2 * state[1] - 1

    def evaluate(self, state: tuple[int, int]) -> int:
        return state[0] % 3

    def move_signs(self, state: tuple[int, int], move: int) -> Iterator[int]:
        yield from map(ord, f"{move}{EVIL}".replace(" ", ""))

    def state_signs(self, state: tuple[int, int]) -> Iterator[int]:
        yield from map(ord, f"{state}{EVIL}")


ARENA = Arena("id", "<b>2026", "tictactoe", tuple(Entrant(f"{who}{EVIL}", f"program:{EVIL}") for who in "abc"), EVIL,
              openings=EVIL, limits=EVIL, why=EVIL)  # fmt: skip
A, B, C = (each.name for each in ARENA.entrants)
SLIP = Judged(2, 1, f"b1{EVIL}", "draw", "loss", True, (EVIL,))
PLAYED = [
    Played(Task(0, 0, A, B, "b2"), ("a1", "c3"), 1, EVIL, words=EVIL, judged=(SLIP,), ending=Ending.CRASHED, fault=1),
    Played(Task(1, 0, B, A, ""), ("b2", "b1", "a1", "c3"), 1, EVIL, words=EVIL, judged=(SLIP,)),
    Played(Task(2, 1, A, C, ""), (), None, EVIL, void=True, words=EVIL, ending=Ending.VOID),
    Played(Task(3, 1, C, A, ""), (), 1, EVIL, 1, words=EVIL, ending=Ending.LATE),
]
LOST = Audit("tictactoe", A, "x", EVIL, "loses", 9, 40, 3,
             (Loss(("b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"), EVIL, 3, (EVIL,)),), {"": "b2"})  # fmt: skip
MARKS = ClassMarks(
    {f"{EVIL}": 10.0},
    [StudentMark(A, 5.0, (MarkPart("time", 10.0, 0.5, EVIL),)), StudentMark(B, None, (), EVIL)],
    [Audited(A, "x", replace(LOST, start="")), Audited(A, "o", None, EVIL)],
)


def arena_pages(folder: Path) -> list[str]:
    """The report of an arena, the pages of a class, and the table of a notebook."""
    write_pages(folder, ARENA, PLAYED, MARKS)
    of_class = [file.read_text(encoding="utf-8") for file in folder.glob("*.html")]
    report = arena_page(ARENA, PLAYED, page=f"https://playground/{EVIL}", said=[EVIL])
    return [report, *of_class, notebook(standings([A, B, C], PLAYED))]


def search_pages(_: Path) -> list[str]:
    """Pages made of a user's game: trees, worksheets, comparisons, and results in notebooks."""
    here = Position.initial(Pile())
    tree = pg.search_tree(here, depth=3)
    asked = [replace(each, words=EVIL, answer=EVIL, solution=EVIL) for each in pg.quiz("tictactoe", 3)]
    learned = Learning(Pile(), 3, 3, 1.0, 1, ((1, 0.5), (3, 0.5)), 0.5, 0.5, weights=SimpleNamespace(game=EVIL))  # type: ignore[arg-type]
    shown = (here, tree, pg.search(here, "minimax", 3), pg.compare(here, ["minimax"], [2]), learned)
    return [forms.html(tree), worksheet.html(asked, EVIL), *map(notebook, shown)]


def grade_pages(_: Path) -> list[str]:
    """Grades of a class, in which all is a student's own."""
    return [grades.html([fill_fields(grades.GradeReport, EVIL)] * 2, EVIL)]


def published_pages(_: Path) -> list[str]:
    """Pages of a game, a lesson and a site, whose titles and rules are those of a file."""
    place = {"shape": "square"}
    board = {"places": [place], "grid": [1, 1], "surface": EVIL} | dict.fromkeys(
        ("falls", "borders", "crossings", "areas")
    )
    data = {"game": EVIL, "facts": {"board": board}, "known": {"menu": {"games": [{"name": EVIL, "title": EVIL}]}}}
    return [
        _assemble(EVIL, data, pack_text(b"none"), embed=False, stamp=EVIL),
        make_lesson_page(EVIL, [EVIL, _BODY], "lesson", {"lesson": {"title": EVIL}}, {EVIL: pack_text(b"none")}, EVIL),
        _index({choice.name: EVIL for choice in GAMES.shipped}),
    ]


def notebook(shown: Any) -> str:
    """A page that shows what a notebook shows."""
    found = shown._repr_html_()
    assert isinstance(found, Markup)
    return document("", "", found)


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """A Chromium for all pages."""
    with sync_playwright() as playwright:
        yield browser_of(playwright)


FOREIGN = (
    "script:not([type='text/plain'], [type='module']), iframe, object, [onerror], [onload], [onfocus], "
    "[http-equiv=refresh], [href^='javascript:']"
)


@pytest.mark.browser
@pytest.mark.parametrize("make", [arena_pages, search_pages, grade_pages, published_pages])
def test_nothing_from_outside_runs_in_a_page(
    make: Callable[[Path], list[str]], chrome: Browser, tmp_path: Path
) -> None:
    """With its policy and without: no script runs, no element is made, no address is asked; and each has the policy."""
    pages = make(tmp_path)
    for number, text in enumerate(pages):
        file = tmp_path / f"page{number}.html"
        file.write_text(text, encoding="utf-8")
        assert "default-src 'none'" in text and text.index("Content-Security-Policy") < 200
        assert not re.search("[\x1b\x9b\u202e]", text)
        for is_lawless in (False, True):
            with chrome.new_context(bypass_csp=is_lawless) as context:
                opened, asked = context.new_page(), list[str]()
                listen(opened, asked)
                opened.goto(file.as_uri())
                assert opened.evaluate("window.ran") is None, number
                assert opened.locator(FOREIGN).count() == 0, number
                assert [each for each in asked if not each.startswith(("data:", "blob:"))] == [file.as_uri()]


def listen(opened: Page, asked: list[str]) -> None:
    """Note the addresses that a page asks."""
    opened.on("request", lambda request: asked.append(request.url))
