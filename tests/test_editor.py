"""The page where rules are written: read, checked and compiled by Python in a real browser, and played there.

The files of Pyodide come from the public host that the page names, for which those of the tests' npm packages answer.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import PATIENCE, assert_fits_and_is_accessible
from commanding import ran
from pages import playwright
from playwright.sync_api import Browser, Frame, Page, Route, expect
from servers import serving

import plyground as pg
from plyground.errors import BadInput
from plyground.games import game_named
from plyground.laws.verdict import require_lawful
from plyground.publish import editor as made
from plyground.publish.page import page_data
from plyground.search import algorithm_named
from plyground.wasm import GameModule
from plyground.wasm.facts import facts_of
from plyground.web.views.game_facts import first_page, game_facts
from plyground.web.views.page_constants import constants

pytestmark = [pytest.mark.compiled, pytest.mark.process]
__all__ = ["playwright"]
PYODIDE = Path(__file__).parent.parent / "page" / "node_modules" / "pyodide"
EXAMPLES = Path(made.__file__).parent / "examples"
TAKE_AWAY = (EXAMPLES / "takeaway.py").read_text(encoding="utf-8")
OF_MODULES = ("faults", "memory")
"""Facts that depend on how a module was compiled."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page, on a disk."""
    if not PYODIDE.is_dir():
        pytest.skip("`npm ci` has not been run in page")
    found = tmp_path_factory.mktemp("editor") / "write.html"
    found.write_text(made.editor().text, encoding="utf-8")
    return found.as_uri()


def _send(route: Route) -> None:
    """Answer as the public host."""
    kind = "text/javascript" if route.request.url.endswith("mjs") else "application/octet-stream"
    headers = {"Access-Control-Allow-Origin": "*", "Content-Type": kind}
    route.fulfill(body=(PYODIDE / route.request.url.rpartition("/")[2]).read_bytes(), headers=headers)


def _reader(browser: Browser) -> Page:
    """Somebody with the page's public host within reach, and no other."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    context.route(re.compile("^https?://(?!127.0.0.1)"), lambda route: route.abort())
    context.route(f"{made.CDN}*", _send)
    return context.new_page()


@pytest.fixture(scope="module")
def page_of_all(browser: Browser, file: str) -> Iterator[Page]:
    """One page, for Python takes seconds to start."""
    shown, faults = _reader(browser), list[str]()
    shown.on("pageerror", lambda fault: faults.append(str(fault)))
    shown.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    shown.goto(file)
    yield shown
    shown.context.close()
    assert faults == []


@pytest.fixture
def page(page_of_all: Page) -> Page:
    """The page, with Python in it, and whatever was written last."""
    expect(page_of_all.get_by_role("status")).not_to_have_text(re.compile("…$"))
    return page_of_all


def write(page: Page, text: str) -> None:
    """Write rules in place of those that are there, and play them."""
    page.get_by_label("Rules in Python").fill(text)
    page.keyboard.press("Control+Enter")


def checked_frame(page: Page) -> Frame:
    """The frame of the game, once its laws are checked."""
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^Checked: every law holds"))
    return game_frame(page)


def game_frame(page: Page) -> Frame:
    """The frame of the game."""
    frame = page.locator("iframe").element_handle().content_frame()
    assert frame
    return frame


def fault(page: Page) -> str:
    """What is wrong."""
    expect(page.get_by_role("alert").locator("p")).to_have_count(1)
    return page.get_by_role("alert").locator("p").inner_text()


def test_an_example_is_played(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A level replies; the searches need as many nodes as here; what the page knows is what is known here."""
    page.get_by_label("Examples").select_option(label="Three in a row")
    frame = checked_frame(page)
    frame.get_by_role("gridcell", name=re.compile("^b2")).click()
    expect(frame.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(7)
    expect(frame.get_by_role("status").filter(has_text="Your turn")).to_be_visible()
    spec = f"{EXAMPLES / 'lines.py'}:ThreeInARow"
    start = pg.Position.initial(game_named(spec)).play("a1")
    frame.evaluate("location.hash = '#/race?moves=a1&depth=4'")
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    for name in ("minimax", "alphabeta"):
        algorithm = algorithm_named(name)
        nodes = pg.search(start, algorithm, 4).nodes
        expect(frame.get_by_text(f"{nodes:,} nodes").first).to_be_attached()
    told = json.loads(frame.locator("#facts").inner_text() or frame.locator("#facts").text_content() or "")
    built = GameModule(b"", facts_of(game_named(spec), ()))
    facts = game_facts(spec, game_named(spec), built) | {"constants": constants()}
    known = page_data(first_page(spec, game_named(spec)), facts, told["table"])
    for name in OF_MODULES:
        del told["facts"][name]
    known["facts"].pop("faults")
    assert told == json.loads(json.dumps(known))


def test_an_edit_changes_the_game(page: Page) -> None:
    """Other sizes are another board; the page of it can be saved, and plays by itself."""
    write(page, (EXAMPLES / "lines.py").read_text(encoding="utf-8").replace("SIDE = 3", "SIDE = 4"))
    expect(checked_frame(page).get_by_role("gridcell")).to_have_count(16)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save this page").click()
    alone = page.context.new_page()
    path = saved.value.path().with_suffix(".html")
    saved.value.save_as(path)
    alone.goto(path.as_uri())
    alone.get_by_role("gridcell", name=re.compile("^b2")).click()
    expect(alone.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(14)
    alone.close()


@pytest.mark.parametrize(
    "right, wrong, line",
    [
        ("return Stones(self.length, 0)", "return 'stones'", 24),
        ("            yield taken", "            yield [taken][1]", 33),
        ("return 1 if state.turn == 1 else -1", "return 0.5", 38),
        ("return Stones(state.stones - move, 1 - state.turn)", "state.turn = 1", 36),
    ],
)
def test_a_mistake(
    page: Page, right: str, wrong: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said in the sentence of the command line, beside its line; the game that was there stays."""
    assert right in TAKE_AWAY
    text = TAKE_AWAY.replace(right, wrong, 1)
    monkeypatch.chdir(tmp_path)
    Path("lines.py").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as told:
        require_lawful(game_named("lines.py:TakeAway"))
    write(page, text)
    said = fault(page).replace("takeaway.py", "lines.py")  # the file is that of the example that was there last
    assert said == f"Line {line}{told.value}"
    assert page.locator(".numbers .wrong").all_inner_texts() == [str(line)]
    expect(page.locator("iframe")).to_have_count(1)


@pytest.mark.parametrize(
    "text, said",
    [
        (
            TAKE_AWAY.replace("Stones(self.length, 0)", "Stones(self.length 0)"),
            r"Line 25.* line 25: SyntaxError: .*[.?]",
        ),
        (TAKE_AWAY.replace("return state.turn", "while True:\n            pass"), r"Line 2[89].*to_move has no answer"),
        ("while True:\n    pass\n", r"Line [12].*still not loaded"),
        ("print('hello')\n", r".*has no game.*"),
        (
            TAKE_AWAY.replace("            yield taken", "            print(taken)\n            yield taken"),
            r"Line 33moves: moves prints: .*",
        ),
    ],
)
def test_what_cannot_be_a_game(page: Page, text: str, said: str) -> None:
    """Of what is no Python, does not end, has no game or prints, a sentence tells the line; what it prints is shown."""
    write(page, text)
    assert re.match(said, fault(page))
    if "print" in text:
        expect(page.locator(".printed")).to_contain_text(re.compile("hello|1"))


def test_nothing_is_lost(page: Page, file: str) -> None:
    """What was typed is there after a reload; rules of a link are, once Play is pressed; those before come back."""
    write(page, TAKE_AWAY.replace("length: int = 15", "length: int = 8"))
    checked_frame(page)
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.get_by_label("Link to these rules")).to_have_value(re.compile("#"))
    link = page.get_by_label("Link to these rules").input_value()
    mine = TAKE_AWAY.replace("length: int = 15", "length: int = 7")
    page.get_by_label("Rules in Python").fill(mine)
    page.goto("about:blank")
    page.goto(file)
    expect(page.get_by_label("Rules in Python")).to_have_value(mine)
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_label("Rules in Python")).to_have_value(re.compile("length: int = 8"))
    expect(page.get_by_role("status")).to_have_text(re.compile("Python is there|These rules are from a link"))
    expect(page.locator("iframe")).to_have_count(0)
    assert "#" not in page.url
    page.get_by_role("button", name="Play", exact=True).click()
    expect(checked_frame(page).get_by_role("button", name=re.compile("^8"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^Bring .* back")).click()
    expect(page.get_by_label("Rules in Python")).to_have_value(mine)


def test_keys_and_looks(page: Page) -> None:
    """Tab indents, Enter goes on below; after Escape it leaves. It fits a phone; axe finds nothing, dark or light."""
    area = page.get_by_label("Rules in Python")
    area.fill("def f():")
    area.press("End")
    for key in ("Enter", "x", "Enter", "Tab", "y", "Shift+Tab"):
        area.press(key)
    expect(area).to_have_value("def f():\n    x\n    y")
    area.press("Escape")
    area.press("Tab")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()
    write(page, TAKE_AWAY)
    checked_frame(page)
    assert_fits_and_is_accessible(page)


def test_what_does_not_end_is_stopped(page: Page) -> None:
    """What never comes back to Python is stopped by hand; then Python starts again, and the next rules are played."""
    write(page, TAKE_AWAY.replace("return state.turn", "return 10**10**10"))
    expect(page.get_by_role("status")).to_have_text("Compiling…")
    page.get_by_role("button", name="Stop").click()
    assert fault(page) == "Stopped."
    write(page, TAKE_AWAY)
    checked_frame(page)


def test_what_does_not_answer_is_stopped(browser: Browser, file: str) -> None:
    """It is stopped after a time, too, and said so."""
    page = _reader(browser)
    page.clock.install()
    page.goto(file)
    expect(page.get_by_role("status")).to_have_text(re.compile("^Checked"))
    write(page, TAKE_AWAY.replace("return state.turn", "return 10**10**10"))
    expect(page.get_by_role("status")).to_have_text("Compiling…")
    page.clock.fast_forward("01:00")
    assert fault(page).startswith("These rules have not answered within 20 seconds")
    page.context.close()


@pytest.mark.parametrize("how", ["another file", "no network"])
def test_python_that_cannot_be_had(browser: Browser, file: str, how: str) -> None:
    """A file that is not the one that was tried is not run; where the host is out of reach, that is said."""
    page = _reader(browser)
    headers = {"Access-Control-Allow-Origin": "*"}
    page.route(
        "**/pyodide.asm.mjs",
        lambda route: route.fulfill(body="0", headers=headers) if how == "another file" else route.abort(),
    )
    page.goto(file)
    said = fault(page)
    assert said.startswith(f"Python cannot be loaded from {made.HOST}: ") and said.endswith("Play tries it again.")
    assert (how == "another file") == ("is another file" in said)
    page.unroute_all()
    page.get_by_role("button", name="Play", exact=True).click()
    checked_frame(page)
    page.context.close()


def test_served(browser: Browser, tmp_path: Path) -> None:
    """The playground leads to it, and serves the files of Python; rules in it reach nothing else of the server."""
    if not PYODIDE.is_dir():
        pytest.skip("`npm ci` has not been run in page")
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    with serving(f"sqlite:///{tmp_path / 'games.db'}", "--pyodide", str(PYODIDE)) as server:
        page.goto(server.address)
        page.get_by_role("link", name="Write a game").click()
        checked_frame(page)
        address = f"{server.address}/api/menu"
        asking = f"import js\nasked = js.XMLHttpRequest.new()\nasked.open('POST', '{address}', False)\n"
        write(page, f"{asking}asked.send('{{}}')\n")
        assert "NetworkError" in fault(page)
        context.close()


@pytest.mark.parametrize("name", made.EXAMPLES)
def test_examples(name: str) -> None:
    """Each keeps the laws, plain and compiled."""
    [kind] = [each for each in vars(__import__(f"plyground.publish.examples.{name}", fromlist=["*"])).values()
              if isinstance(each, type) and issubclass(each, pg.Game)]  # fmt: skip
    verdict = pg.check(kind(), games=3)
    assert verdict.ok and verdict.compiled and verdict.notes == ()


def test_written_by_a_command(tmp_path: Path) -> None:
    """With files of Pyodide beside it, or without; a folder that has others is refused before anything is written."""
    page = tmp_path / "write.html"
    done = ran(["publish", "--editor", "--out", str(page), "--pyodide", str(tmp_path)])
    assert isinstance(done.exception, BadInput) and "pyodide.mjs" in str(done.exception) and not page.exists()
    if PYODIDE.is_dir():
        assert ran(["publish", "--editor", "--out", str(page), "--pyodide", str(PYODIDE)]).exit_code == 0
        assert {each.name for each in (tmp_path / "pyodide").iterdir()} == {each.name for each in made.PYODIDE_FILES}
        (tmp_path / "pyodide" / "pyodide.mjs").write_text("0", encoding="utf-8")
        done = ran(["publish", "--editor", "--out", str(page), "--pyodide", str(tmp_path / "pyodide")])
        assert f"is not that of Pyodide {made.PYODIDE_VERSION}" in str(done.exception)
    assert ran(["publish", "--editor", "--out", str(page)]).exit_code == 0
    assert made.CDN in page.read_text(encoding="utf-8")


def test_a_check_has_its_time() -> None:
    """A check that has no time says how much it has looked at, and not what it would have."""
    verdict = pg.check("chess", games=2, seconds=0)
    assert verdict.ok and verdict.words == "every law holds (0 games, 0 states, plain)"
    assert any("there was time to hold 0 states" in note for note in verdict.notes)
