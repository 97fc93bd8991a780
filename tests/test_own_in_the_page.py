"""A game of one's own in the page: opened with all that the shipped ones have, and again whenever its file is saved."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import person
from own_game import LATER, PILE
from pages import at, playwright, says
from playwright.sync_api import Page, Playwright, expect
from servers import Server, serving

pytestmark = [pytest.mark.compiled, pytest.mark.process]
__all__ = ["playwright"]

UNFINISHED = PILE.replace("return Heap(self.stones, 0)", "return Heap(self.stones, 0")
LAWLESS = PILE.replace("1 - state.turn)", "state.turn + 1)")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The game's file."""
    found = tmp_path / "pile.py"
    found.write_text(PILE, encoding="utf-8")
    return found


@pytest.fixture
def server(file: Path) -> Iterator[Server]:
    """A server to which the command line has given the file's game and player."""
    words = ["--game", f"{file}:Pile", "--player", f"{file}:lowest"]
    with serving(f"sqlite:///{file.parent / 'games.db'}", *words) as started:
        yield started


@pytest.fixture
def page(playwright: Playwright, server: Server, tmp_path: Path) -> Iterator[Page]:
    """A browser."""
    with person(playwright, server.address) as shown:
        yield shown


def test_it_is_opened_again_when_it_is_saved(page: Page, server: Server, file: Path) -> None:
    """The open page shows the new rules; a fault is a sentence with its line, beside the game as it was."""
    spec = f"{file}:Pile"
    kept = server.ask("create", game=spec, x="human", o=f"{file}:lowest")
    assert server.ask("menu")["games"][0]["title"] == "Pile"
    page.goto(f"{server.address}/#/board?game={spec}&moves=0")
    page.get_by_role("button", name=re.compile("^2$")).wait_for()
    file.write_text(UNFINISHED, encoding="utf-8")
    expect(page.get_by_role("alert").filter(has_text="pile.py cannot be loaded: line 18: SyntaxError")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^2$"))).to_be_visible()
    assert "line 18" in server.ask("position", 400, game=spec)["error"]
    file.write_text(LAWLESS, encoding="utf-8")
    expect(page.get_by_role("alert").filter(has_text="breaks the law of to_move")).to_be_visible()
    file.write_text(LATER, encoding="utf-8")
    expect(page.get_by_role("button", name=re.compile("^2$"))).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^1$"))).to_be_visible()
    says(page, "Pile, lowest: as the file has been saved")
    page.goto(f"{server.address}/#/board?game={spec}&moves=0+1+1")
    says(page, "x wins")
    file.write_text(PILE.replace("min(3,", "min(1,"), encoding="utf-8")  # what is shown cannot arise any more
    expect(page.get_by_role("alert").filter(has_text="not a legal move")).to_be_visible()
    says(page, "x wins")
    assert server.ask("open", id=kept["id"])["position"]["legal"] == ["0"]


def test_it_has_all_that_the_shipped_ones_have(page: Page, server: Server, file: Path) -> None:
    """A level answers in it, its moves have values, its search is a tree and a quiz."""
    spec = f"{file}:Pile"
    kept = server.ask("create", game=spec, o="level:error=0")
    moved = server.ask("play", id=kept["id"], seat=kept["seats"]["x"], ply=1, move="1")
    asked = {"id": kept["id"], "game": spec, "moves": moved["position"]["moves"], "player": "level:error=0"}
    assert server.ask("reply", **asked)["move"] == "2"
    assert server.ask("analyse", game=spec)["moves"]["0"]["brief"] == "wins in 3"
    at(page, server, f"tree?game={spec}&depth=3", ready="treeitem")
    assert server.ask("quiz", game=spec)["questions"]


def test_a_lawless_one_says_so_at_the_game(tmp_path: Path, playwright: Playwright) -> None:
    """The server starts, and the law's sentence stands where the game is chosen; a file not named then is not run."""
    file = tmp_path / "pile.py"
    file.write_text(LAWLESS, encoding="utf-8")
    (tmp_path / "other.py").write_text(PILE, encoding="utf-8")
    with (
        serving(f"sqlite:///{tmp_path / 'games.db'}", "--game", f"{file}:Pile") as server,
        person(playwright, server.address) as page,
    ):
        expect(page.get_by_text("breaks the law of to_move")).to_be_visible()
        assert "--game" in server.ask("position", 400, game=f"{tmp_path / 'other.py'}:Pile")["error"]
