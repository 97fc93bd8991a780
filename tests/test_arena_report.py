"""What an arena hands out: one file of HTML, tables for pandas and spreadsheets, marks for a class."""

import csv
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import browser_of
from playwright.sync_api import Browser, Page, expect, sync_playwright

from plyground.arena.marking.marks import MarkPart, StudentMark
from plyground.arena.report.export import csv as as_csv
from plyground.arena.report.export import parquet, to_frame
from plyground.arena.report.html import html
from plyground.arena.report.student_page import StudentPage
from plyground.arena.results import Arena, Audited, Entrant, Judged, Played, Task
from plyground.board.look import Colour
from plyground.board.svg import PRINTED
from plyground.errors import BadInput
from plyground.play.ending import Ending
from plyground.play.proof import Audit, Loss

ROOT = Path(__file__).resolve().parent.parent
ANN, BOB, CAT = "<img src=x onerror=alert(1)> \"Ann\" & 'co'", "bob 🦊", "=HYPERLINK(1)"
ARENA = Arena(
    "id",
    "2026-11-22T15:44:16+00:00",
    "tictactoe",
    tuple(Entrant(name, "program:./<b>x</b>") for name in (ANN, BOB, CAT)),
    "round-robin",
    "<i>all</i> after one ply",
    planned=6,
)


def judged(*told: tuple[str, str, str, tuple[str, ...]]) -> tuple[Judged, ...]:
    """Moves of x and o in turns: the move, the worth before and after to its mover, and what would have held."""
    return tuple(
        Judged(ply, (ply - 1) % 2, move, before, after, True, held)  # type: ignore[arg-type]
        for ply, (move, before, after, held) in enumerate(told, 1)
    )


HELD = ("a1", "a3", "c1", "c3")
SLIP = judged(
    ("b2", "draw", "draw", ()),
    ("b1", "draw", "loss", HELD),
    ("a1", "win", "win", ()),
    ("c3", "loss", "loss", ()),
    ("a3", "win", "win", ()),
    ("c1", "loss", "loss", ()),
    ("a2", "win", "win", ()),
)
GAMES = [
    Played(Task(0, 0, ANN, BOB, ""), ("b2", "b1", "a1", "c3", "a3", "c1", "a2"), 1, "x wins", judged=SLIP),
    Played(Task(1, 0, BOB, ANN, ""), ("b2", "b1", "a1", "c3", "a3", "c1", "a2"), 1, "x wins", judged=SLIP),
    Played(
        Task(2, 1, ANN, CAT, "b2"),
        ("a1",),
        -1,
        "x loses: it ended with exit code 1",
        0,
        words="</pre><b>oops",
        ending=Ending.CRASHED,
    ),
    Played(Task(3, 1, CAT, ANN, "b2"), (), 1, "o loses on time: its 1 s are used up", 1, ending=Ending.LATE),
    Played(
        *(Task(4, 2, BOB, CAT, ""), ("b2",), 1, "o loses by an illegal move: b2 is not legal here", 1),
        words="=b2",
        ending=Ending.ILLEGAL,
    ),
    Played(Task(5, 2, CAT, BOB, ""), (), None, "port 4242 is taken", void=True, ending=Ending.VOID),
]


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """A Chromium for all tests."""
    with sync_playwright() as playwright:
        yield browser_of(playwright)


@pytest.fixture
def page(chrome: Browser, tmp_path: Path) -> Iterator[Page]:
    """The report, opened from its file; it may ask nobody for anything, and no script of anybody runs."""
    file = tmp_path / "report.html"
    file.write_text(html(ARENA, GAMES, page="http://localhost:8000/#/arenas", said=["SPRT: H1 <accepted>."]), "utf-8")
    with chrome.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: asked.append(dialog.message))
        page.goto(file.as_uri())
        yield page
        assert asked == [file.as_uri()]


@pytest.mark.browser
def test_the_report_shows_all_and_runs_nothing(page: Page) -> None:
    """Names are text; the question's answer is hidden; why a fault was one, and last words."""
    expect(page.get_by_role("rowheader", name=ANN).first).to_be_visible()
    expect(page.get_by_text("SPRT: H1 <accepted>.")).to_be_visible()
    expect(page.locator(".whiskers")).to_have_count(3)
    assert page.locator("img, script, iframe, b").count() == 0
    cards = page.locator("section[aria-labelledby=find-the-move-that-holds] .card")
    expect(cards).to_have_count(1)  # the same slip by two players is one question
    expect(cards.locator(".held")).to_be_hidden()
    cards.get_by_text("Answer").click()
    expect(cards.locator(".held")).to_have_text("a1, a3, c1, c3")
    expect(cards.get_by_role("listitem")).to_have_count(2)
    address = cards.get_by_role("link", name="Open it in the playground").get_attribute("href")
    assert address == "http://localhost:8000/#/board?game=tictactoe&moves=b2"
    faults = page.locator("section[aria-labelledby=faults]")
    expect(faults.get_by_text("</pre><b>oops")).to_be_visible()
    expect(faults.get_by_role("listitem")).to_contain_text("port 4242 is taken. (game 5)")
    assert sorted(faults.locator("h3").all_inner_texts()) == sorted([ANN, ANN, CAT])


@pytest.mark.browser
def test_links_within_the_report_lead_to_games(page: Page) -> None:
    """A cell of the cross table opens the games of the two, a game's number the game; all links lead somewhere."""
    page.get_by_role("link", name="1/2").first.click()
    expect(page.get_by_text("b1?").first).to_be_visible()
    page.get_by_role("link", name="4", exact=True).click()
    expect(page.locator("#g4")).to_be_in_viewport()
    ends = page.locator("a[href^='#']").evaluate_all(
        "(all) => all.filter((each) => !document.getElementById(each.hash.slice(1))).map((each) => each.hash)"
    )
    assert ends == []


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_everybody_can_read_the_report(page: Page, scheme: str, width: int) -> None:
    """Nothing that axe finds, light and dark, wide and narrow; nothing wider than the screen."""
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.locator("details").evaluate_all("(all) => all.forEach((each) => (each.open = true))")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_everybody_can_read_a_students_page(chrome: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    """Nothing that axe finds, with faults, a blunder, a lost game and a proof; the shortest loss stands once."""
    lost = Loss(("b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"), "draw", 3, ("c1",))
    found = Audit("tictactoe", ANN, "x", "", "loses", 9, 40, 3, (lost,), {"": "b2"})
    proof = replace(found, side="o", verdict="never loses", lost=0, losses=())
    audits = [Audited(ANN, "x", found), Audited(ANN, "o", proof)]
    parts = tuple(MarkPart(key, 10.0, share, "why") for key, share in (("never_loses", 0.5), ("time", None)))
    own = [each for each in GAMES if ANN in (each.task.x, each.task.o)]
    text = StudentPage("tictactoe", StudentMark(ANN, 50.0, parts), own, audits, {"o": "proof.json"}).html()
    assert text.count(" ".join(lost.moves)) == 1 and "Loses 3 of 40 games." in text
    file = tmp_path / "student.html"
    file.write_text(text, "utf-8")
    with chrome.new_context(viewport={"width": width, "height": 844}) as context:
        page = context.new_page()
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.goto(file.as_uri())
        page.locator("details").evaluate_all("(all) => all.forEach((each) => (each.open = true))")
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=tmp_path / "student.png", full_page=True)


def test_a_report_is_small() -> None:
    """Of 1,560 games of forty players less than 2 MB; boards that are equal are drawn once."""
    names = [f"player {number}" for number in range(40)]
    pairs = [(x, o) for x in names for o in names if x != o]
    games = [
        Played(Task(number, number // 2, x, o, ""), GAMES[0].moves, 1, "x wins", judged=SLIP)
        for number, (x, o) in enumerate(pairs)
    ]
    arena = Arena("id", "", "tictactoe", tuple(Entrant(name, name) for name in names), "round-robin")
    told = html(arena, games)
    assert len(games) == 1560 and len(told) < 2_000_000
    assert len(re.findall('id="b[0-9]', told)) == 1 and all(f'id="g{number}"' in told for number in (0, 1559))


def test_a_report_without_blunders_or_games() -> None:
    """Shows what there is: no empty parts, no division by nothing."""
    told = html(ARENA, [])
    assert "Standings" in told and "Find the move" not in told and "<h2" in told
    two = Arena("id", "", "kalah", ARENA.entrants[:2], "round-robin")
    said = html(two, [Played(Task(0, 0, ANN, BOB, ""), (), 0, "draw")])
    assert "Pairs of games with 0, ½, 1, 1½ and 2 points: 0 0 0 0 0; games in no pair: 1" in said


def test_the_reports_colours_are_the_playgrounds() -> None:
    """There is one palette."""
    colour = re.compile(r"(--[\w-]+): (var\(--light, .*?\) var\(--dark, .*?\));")
    own = dict(colour.findall((ROOT / "plyground/arena/report/report.css").read_text("utf-8")))
    theirs: dict[str, str] = {}
    for file in ("board/board.css", "style.css"):
        for name, value in colour.findall((ROOT / "page/src" / file).read_text("utf-8")):
            theirs.setdefault(name, value)
    style = dict(colour.findall((ROOT / "page/src/style.css").read_text("utf-8")))
    assert own and own == {name: style.get(name, theirs.get(name)) for name in own}


@pytest.mark.parametrize("colour", get_args(Colour))
def test_a_side_has_one_colour(colour: str) -> None:
    """A printed board has the colours of the page by day."""
    told = "".join((ROOT / "page/src" / file).read_text("utf-8") for file in ("style.css", "board/board.css"))
    found = re.search(rf"--{colour}: (?:var\(--light, )?(#\w+)", told)
    assert found and found[1] == getattr(PRINTED, colour)


def test_a_page_that_is_none() -> None:
    """One sentence."""
    with pytest.raises(BadInput, match="'javascript:alert\\(1\\)' is no address of a playground"):
        html(ARENA, GAMES, page="javascript:alert(1)")


def test_tables_for_pandas(tmp_path: Path) -> None:
    """A row for each game, the same in a data frame, Parquet and CSV; no text is a formula in a spreadsheet."""
    file = tmp_path / "games.parquet"
    parquet(GAMES[::-1], file)
    read, frame = pd.read_parquet(file), to_frame(GAMES)
    assert read["number"].tolist() == frame["number"].tolist() == [0, 1, 2, 3, 4, 5]
    assert read["words"].tolist()[4] == "=b2" and read["score_x"].tolist()[:3] == [1, 1, 0]
    assert read["kind"].tolist()[1:] == ["unknown", "crashed", "late", "illegal", "void"] and read["void"].tolist()[5]
    assert read["blunders_o"].tolist()[0] == 1 and pd.isna(read["blunders_o"].tolist()[2])
    rows = list(csv.DictReader(io.StringIO(as_csv(GAMES))))
    assert list(rows[0]) == list(frame.columns) == list(read.columns)
    assert rows[4]["o"] == f"'{CAT}" and rows[4]["words"] == "'=b2" and rows[4]["x"] == BOB
    assert as_csv([]).startswith("number,pair,x,o,opening,moves,")
    with pytest.raises(BadInput, match=r"none/games\.parquet cannot be written"):
        parquet(GAMES, tmp_path / "none" / "games.parquet")


@pytest.mark.process
def test_the_command_hands_out_what_is_asked_for(tmp_path: Path) -> None:
    """All files at the end of `plyground arena`; one that could not be written is said before the first game."""
    names = {"--report": "out.html", "--csv": "games.csv", "--parquet": "games.parquet", "--grades": "grades.csv"}
    files = [word for option, name in names.items() for word in (option, str(tmp_path / name))]
    words = ["arena", "tictactoe", "first", "random", "--games", "2", "--jobs", "1"]
    words += ["--database", f"sqlite:///{tmp_path / 'games.db'}"]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "plyground", *words, *more]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)

    refused = run("--report", str(tmp_path / "none" / "out.html"))
    assert refused.returncode == 2 and refused.stderr.endswith("out.html cannot be written: no such folder.\n")
    assert not (tmp_path / "games.db").exists()
    done = run(*files)
    assert done.returncode == 0, done.stderr
    assert all((tmp_path / name).stat().st_size for name in names.values())
    assert done.stderr.count(" is written.") == 4 and "Standings" in (tmp_path / "out.html").read_text("utf-8")
