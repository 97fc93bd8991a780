"""Stories of the lessons of a site, from a disk and from a plain host of files: read, and what in them is a search run.

The twin of what a page prints is the lesson, of which `test_docs.py` shows that it is what the terminal prints.
"""

import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

import pytest
from browser import assert_accessible
from pages import says
from playwright.sync_api import Locator, Page, expect
from test_docs import as_shown
from test_published import _Quiet, reader

import plyground as pg
from plyground.games import GAMES
from plyground.publish.lessons import file_of
from plyground.publish.site import site
from plyground.web.lessons import loader
from plyground.web.lessons.examples import Command

__all__ = ["reader"]
pytestmark = [pytest.mark.compiled, pytest.mark.process]
SHOWN = ("tictactoe", "connectfour", "ultimate", "threemorris")
CHOICES = [choice for choice in GAMES.shipped if choice.name in SHOWN]
PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with the games of the lessons."""
    where = tmp_path_factory.mktemp("site")
    told = list(site(where, CHOICES))
    assert all(hasattr(made, "text") for _, made in told), told
    return where


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    """A plain host of files."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def example(shown: Page, command: str) -> Locator:
    """An example of a lesson."""
    return shown.get_by_role("group", name=command, exact=True)


def run(part: Locator) -> str:
    """What it prints when it is run."""
    part.get_by_role("button", name="Run").click()
    expect(part.get_by_role("status")).to_have_text("Done, in this page.")
    return part.get_by_role("log").inner_text().rstrip() + "\n"


def test_a_site(reader: Page, folder: Path, tmp_path: Path) -> None:
    """A page for each game and lesson, one that shows all; what is up to date is left, what is missing made again."""
    here = tmp_path / "site"
    shutil.copytree(folder, here)
    (here / "connectfour.html").unlink()
    (here / "lesson-1-rules.html").unlink()
    told = list(site(here, CHOICES))
    assert [name for name, made in told if made] == ["connectfour", "lesson-1-rules.html"]
    pages = {name if name.endswith(".html") else f"{name}.html" for name, _ in told}
    assert {file.name for file in here.iterdir()} == {"index.html", *pages} and len(pages) > 14
    reader.goto((here / "index.html").as_uri())
    assert_accessible(reader)
    reader.get_by_role("link", name="Connect Four").click()
    says(reader, "Red begins")
    reader.get_by_role("link", name="All games").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Games")


@pytest.mark.parametrize("name", loader.pages()[1:])
def test_what_is_run_prints_what_is_shown(reader: Page, folder: Path, name: str) -> None:
    """Each command that can be run in the page prints what the lesson shows of it; one on a reader's file cannot be."""
    reader.goto((folder / file_of(name)).as_uri())
    reader.get_by_role("article").wait_for()
    for each in loader.lesson(name).examples:
        if not isinstance(each, Command):
            continue
        part = example(reader, each.text)
        runs = part.get_by_role("button", name="Run").count()
        assert bool(runs) == (each.search is not None), each.text
        if runs:
            printed = run(part)
            assert re.fullmatch(as_shown(each.shown_lines), printed), (each.text, printed)


def test_from_a_host(reader: Page, host: str) -> None:
    """From the index to a lesson; a search enters the nodes that it enters in Python; and on to the game's page."""
    reader.goto(f"{host}/index.html")
    reader.get_by_role("link", name="Lessons").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Lessons")
    reader.get_by_role("link", name="A search of your own").click()
    command = 'plyground search tictactoe "o../x.x/.o.:x" --algorithm minimax --depth 4'
    report = pg.search(pg.Position.parse(pg.MNK(), "o../x.x/.o.:x"), "minimax", 4)
    printed = run(example(reader, command))
    assert f"value    {report.score.text()}\n" in printed
    assert f"nodes    {report.nodes:,}\nleaves   {report.leaves:,}\ncutoffs  0\n" in printed
    reader.get_by_role("link", name="9. A player of your own →").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("9. A player of your own")
    expect(reader.get_by_role("button", name="Run")).to_have_count(0)
    expect(reader.get_by_text("Type it in a terminal.")).to_have_count(3)
    expect(reader.get_by_text("Graded in a terminal, with Python, by")).to_be_visible()
    reader.goto(f"{host}/lesson-10-deepening.html")
    expect(reader.get_by_text("Type it in Python.")).to_have_count(1)
    reader.goto(f"{host}/lesson-4-expert.html")
    expect(reader.get_by_role("img", name=re.compile("^The search for o's move"))).to_be_visible()
    play = example(reader, 'plyground play tictactoe --position "xx./.o./...:o" --o alphabeta:depth=2')
    play.get_by_role("link", name="Play it").click()
    says(reader, "Last move c1. Your turn: x to move.")


def test_links(reader: Page, folder: Path) -> None:
    """Each leads to a file of the site, and where it names a position, the game's page shows it."""
    positions: set[str] = set()
    for file in sorted(folder.glob("*.html")):
        if file.name != "index.html" and "lesson" not in file.name:
            continue
        reader.goto(file.as_uri())
        reader.get_by_role("heading", level=1).wait_for()
        for link in reader.get_by_role("link").all():
            to = urlsplit(link.evaluate("link => link.href"))
            assert to.scheme == "file" and Path(unquote(to.path)).is_file(), (file.name, to)
            if to.fragment:
                positions.add(to.geturl())
    assert positions
    for address in sorted(positions):
        reader.goto("about:blank")
        reader.goto(address)
        expect(reader.get_by_role("grid")).to_be_visible()
        expect(reader.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_have_count(0)


@pytest.mark.parametrize("reader", [PHONE], indirect=True)
def test_on_a_phone(reader: Page, folder: Path) -> None:
    """Axe finds nothing, light and dark, with something printed; nothing is wider than the screen."""
    for name in ("README", "1-rules", "4-expert", "13-repetition"):
        reader.goto((folder / file_of(name)).as_uri())
        reader.get_by_role("article").wait_for()
        for part in reader.get_by_role("group").filter(has=reader.get_by_role("button", name="Run")).all()[:1]:
            run(part)
        assert_accessible(reader, name)
        assert reader.evaluate("document.documentElement.scrollWidth") <= 390, name


def test_a_run_is_stopped(reader: Page, folder: Path) -> None:
    """Whoever does not want to wait has what was printed by then, and can run it again."""
    reader.add_init_script("""
        const Real = Worker;
        let isFirst = true;
        globalThis.Worker = class extends Real {
          postMessage(message) {
            if (!isFirst) super.postMessage(message);
            isFirst = false;
          }
        };
    """)
    reader.goto((folder / "lesson-1-rules.html").as_uri())
    part = example(reader, "plyground perft tictactoe 3")
    part.get_by_role("button", name="Run").click()
    part.get_by_role("button", name="Stop").click()
    expect(part.get_by_role("status")).to_have_text("Stopped.")
    assert "504" in run(part)


@pytest.mark.parametrize("reader", [{"java_script_enabled": False}], indirect=True)
def test_without_javascript(reader: Page, folder: Path) -> None:
    """A sentence says what the page needs."""
    reader.goto((folder / "lesson-1-rules.html").as_uri())
    assert reader.locator("noscript").inner_text() == "This lesson is shown by JavaScript: allow it here."
    reader.get_by_role("link", name="All games").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Games")


def test_without_webassembly(reader: Page, folder: Path) -> None:
    """The lesson is there, a sentence says what is missing, and there is no button that could do nothing."""
    reader.add_init_script("delete globalThis.WebAssembly")
    reader.goto((folder / "lesson-1-rules.html").as_uri())
    expect(reader.get_by_role("alert").first).to_contain_text("This browser runs no WebAssembly")
    expect(reader.get_by_text("perft counts them by playing all")).to_be_visible()
    expect(reader.get_by_role("button", name="Run")).to_have_count(0)
