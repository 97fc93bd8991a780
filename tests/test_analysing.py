"""Stories of analysing and looking back: lines, the side that values are told for, mistakes as exercises, notations."""

import re

import pytest
from pages import anybody as anybody
from pages import at, choose, says
from pages import page as page
from pages import page_of_all as page_of_all
from pages import playwright as playwright
from pages import server as server
from playwright.sync_api import Page, expect
from servers import Server

pytestmark = pytest.mark.once


def press(page: Page, name: str) -> None:
    """A button."""
    page.get_by_role("button", name=name, exact=True).click()


def test_lines_and_explorer(page: Page, server: Server) -> None:
    """Three best lines with who is ahead, each move a link; numbers for whoever is to move, or for x."""
    at(page, server, "board?game=tictactoe&moves=b2+b1&values=1")
    lines = page.get_by_role("region", name="Best lines")
    expect(lines.get_by_role("listitem")).to_have_count(3)
    expect(lines.get_by_role("listitem").first).to_contain_text(re.compile("x wins in 5 plies, best"))
    explorer = page.get_by_role("group").filter(has_text="Explorer")
    expect(explorer).to_have_count(0)  # nothing is known of it without a search: nothing is shown
    lines.get_by_role("link").first.click()
    says(page, "o to move")
    at(page, server, "board?game=mnk:rows=4&moves=b2&values=1")
    first = page.get_by_role("region", name="Best lines").get_by_role("listitem").first
    expect(first).to_contain_text(re.compile(r"[+]\d|wins|draw"))
    page.get_by_text("Numbers are for o, who is to move").click()
    press(page, "Tell them for x")
    expect(page.get_by_text("Numbers are for x", exact=True)).to_be_visible()


def test_mistakes_become_exercises(page: Page, server: Server) -> None:
    """A review says what was right, and each mistake is an exercise that is judged without giving the answer away."""
    at(page, server, "board?game=tictactoe&moves=b2+b1+a1+c3&mode=back")
    press(page, "Review the game")
    mistakes = page.get_by_role("region", name="Mistakes")
    expect(mistakes).to_contain_text("Ply 2, b1: gave away the draw. Better: a1")
    expect(mistakes.get_by_role("progressbar")).to_have_count(0)
    mistakes.get_by_role("link", name="Find the better move, ply 2").click()
    page.get_by_role("heading", name="Find the better move").wait_for()
    choose(page, "b3")
    says(page, "b3: No: it gave away the draw.")
    choose(page, "c3")
    says(page, "c3: Right.")
    expect(page.get_by_text("Best: a1, c1, a3, c3")).to_be_visible()


def test_open_what_people_have(page: Page, server: Server) -> None:
    """A pasted game of another site is opened, written in other notations, and bad input gets a sentence."""
    page.goto(f"{server.address}/#/import?game=connectfour")
    page.get_by_label("Paste it, or drop a file here").fill("44835")
    press(page, "Open")
    expect(page.get_by_role("alert").filter(has_text="move 3: '8' is not a column")).to_be_visible()
    page.get_by_label("Paste it, or drop a file here").fill("44435")
    press(page, "Open")
    says(page, "Last move e. o to move.")
    page.get_by_text("In other notations").click()
    expect(page.get_by_label("Numbered moves")).to_have_value("1. d d 2. d c 3. e")
    expect(page.get_by_label("Numbers, as Pascal Pons writes them")).to_have_value("44435")
