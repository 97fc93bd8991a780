"""Fixtures and gestures of stories in a real browser; everything is found by its role and its name."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from browser import browser_of, person
from playwright.sync_api import Browser, Locator, Page, Playwright, expect, sync_playwright
from servers import Server, serving

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "players"
Person = Callable[..., AbstractContextManager[Page]]


OWN = """
import plyground as pg

def careless(game, observer, state, depth):
    observer.enter(state)
    utility = game.outcome(state)
    best, choice = utility << 20, pg.NO_MOVE
    if utility != pg.ONGOING:
        observer.leaf(state, best)
    elif depth == 0:
        best = game.evaluate(state)
        observer.horizon(state, best)
    else:
        for move in game.moves(state):
            observer.branch(move)
            value, _ = careless(game, observer, game.play(state, move), depth - 1)
            if choice == pg.NO_MOVE or value > best:
                best, choice = value, move
    observer.leave(best, choice)
    return best, choice

def last(position):
    return position.legal_moves[-1]
"""
"""A search of somebody's own, minimax that forgets that o wants small values, and a player."""


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """What drives the browser."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Browser:
    """The browser for all stories of a module."""
    return browser_of(playwright)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all stories, with programs allowed."""
    database = f"sqlite:///{tmp_path_factory.mktemp('page') / 'games.db'}"
    own = tmp_path_factory.mktemp("own") / "mine.py"
    own.write_text(OWN, encoding="utf-8")
    student = f"{sys.executable} {EXAMPLES / 'first.py'} {{side}} {{first}}"
    allowed = "--algorithm", f"{own}:careless", "--player", f"{own}:last"
    with serving(
        database, *allowed, "--player", f"My student=program:{student}", "--player", "<i>Sly</i>=first"
    ) as started:
        yield started


@pytest.fixture(scope="module")
def plain_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that searches plain, for stories that need no more: `server = plain_server` in their module."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PLYGROUND_PLAIN", "1")
        with serving(f"sqlite:///{tmp_path_factory.mktemp('plain') / 'games.db'}") as started:
            yield started


@pytest.fixture(scope="module")
def room_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that searches plain, with a room, and reached from elsewhere: `server = room_server` in a module."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PLYGROUND_PLAIN", "1")
        with serving(f"sqlite:///{tmp_path_factory.mktemp('room') / 'games.db'}", "--room") as started:
            yield started


@pytest.fixture
def anybody(playwright: Playwright, server: Server) -> Person:
    """`with anybody() as page:` a person with cookies and storage of their own."""
    return partial(person, playwright, server.address)


@pytest.fixture(scope="module")
def page_of_all(playwright: Playwright, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One browser for the stories that need only one."""
    with person(playwright, server.address) as page:
        yield page


@pytest.fixture
def page(page_of_all: Page, server: Server) -> Page:
    """The first page, in that browser."""
    page_of_all.goto("about:blank")
    page_of_all.goto(server.address)
    return page_of_all


def cell(page: Page, name: str) -> Locator:
    """A cell by its name."""
    return page.get_by_role("gridcell", name=re.compile(rf"^{name}\b"))


def choose(page: Page, name: str) -> None:
    """Play on a cell."""
    cell(page, name).click()


def begin(page: Page, x: str = "A person", o: str = "A person", game: str = "tictactoe", **options: str) -> None:
    """Choose a game and who plays on the first page, and start; options are named as there."""
    first = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(f"{first}#/?game={game}")
    for side, player in enumerate((x, o)):
        page.get_by_label(re.compile(r"^\S+( \d)? is$")).nth(side).select_option(label=player)
    if options:
        page.get_by_text("Board and rules").click()
    for name, value in options.items():
        page.get_by_label(name.replace("_", " "), exact=True).fill(value)
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("group", name="What to do").wait_for()


def mode(page: Page, name: str) -> None:
    """Play, look back or analyse."""
    page.get_by_role("group", name="What to do").get_by_role("button", name=name).click()


def says(page: Page, words: str) -> None:
    """The standing, which is read aloud."""
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()


def at(page: Page, server: Server, link: str, ready: Literal["grid", "group", "treeitem", "textbox"] = "grid") -> None:
    """Go to a link, and wait for its heading and its board: pits are a group."""
    page.goto("about:blank")
    page.goto(f"{server.address}/#/{link}")
    page.get_by_role("heading", level=1).first.wait_for()
    (page.locator("ply-board") if ready == "group" else page).get_by_role(ready).first.wait_for()
