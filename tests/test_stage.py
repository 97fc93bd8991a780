"""Stories of how the microscope's pages look: on one screen, for a room, on a phone, on paper; and of its choosers."""

import re

import pytest
from pages import Person, says
from playwright.sync_api import Locator, Page, expect
from servers import Server

pytestmark = pytest.mark.compiled
FIGURE = "tree?game=tictactoe&start=xx./.o./...:o"
SCREENS = [(1280, 800), (1024, 768)]


def go(page: Page, server: Server, link: str) -> None:
    """Go to a link; a search has been drawn."""
    page.goto("about:blank")
    page.goto(f"{server.address}/#/{link}")
    page.get_by_role("treeitem" if link.startswith(("tree", "quiz")) else "table").first.wait_for()


def box(part: Locator) -> tuple[float, float, float, float]:
    """Where something is: left, top, right, bottom."""
    found = part.bounding_box()
    assert found
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


@pytest.mark.parametrize("screen", SCREENS)
def test_all_on_one_screen(anybody: Person, server: Server, screen: tuple[int, int]) -> None:
    """Tree, sentence, code, board and every button of the player are in view together, and none covers another."""
    with anybody(viewport={"width": screen[0], "height": screen[1]}) as page:
        go(page, server, f"{FIGURE}&node=a2")
        page.get_by_text(re.compile("no need to search")).wait_for()
        parts = [
            page.get_by_role("tree"),
            page.get_by_role("region", name="What happens here"),
            page.get_by_role("list", name="What the algorithm does"),
            page.locator("ply-board:not([inert] *) .frame"),
            page.get_by_role("group", name="Go through the search"),
            page.get_by_role("group", name="View of the tree"),
        ]
        boxes = [box(part) for part in parts]
        for left, top, right, bottom in boxes:
            assert left >= 0 and top >= 0 and right <= screen[0] and bottom <= screen[1]
        for place, (left, top, right, bottom) in enumerate(boxes):
            for other in boxes[:place]:
                assert right <= other[0] + 1 or left >= other[2] - 1 or bottom <= other[1] + 1 or top >= other[3] - 1
        assert page.evaluate("document.documentElement.scrollHeight") <= screen[1]
        if screen[0] == 1280:
            expect(page.locator("[inert] ply-board").first).to_be_visible()  # boards at the nodes


def test_every_move_of_the_root_is_named(page: Page, server: Server) -> None:
    """Ultimate's 81, at once; and a dot that is pointed at says which it is, and is chosen by a click."""
    go(page, server, "tree?game=ultimate")
    named = page.locator("ply-tree .names text")
    expect(named).to_have_count(81)
    assert len(set(named.all_text_contents())) == 81
    left, _, right, bottom = box(page.locator("ply-tree .names text").first)
    x, y = (left + right) / 2, bottom + 5
    page.mouse.move(x, y)
    expect(page.locator("ply-tree .tip")).to_have_text(re.compile(r"^[a-i][1-9]: "))
    told = page.locator("ply-tree .tip").inner_text().partition(":")[0]
    page.mouse.click(x, y)
    expect(page.get_by_role("heading", name=f"After {told}", exact=True)).to_be_visible()


def test_cutoffs_that_cut_nothing(page: Page, server: Server) -> None:
    """The summary does not promise what is not there, and there is no next cut to jump to."""
    go(page, server, "tree?game=tictactoe&moves=b2+b1+a1")
    expect(page.get_by_text(re.compile(r"\b0 cutoffs"))).to_be_visible()
    expect(page.get_by_role("button", name="Jump to the next cut")).to_be_disabled()
    go(page, server, FIGURE)
    page.locator(".stub", has_text="c2").first.click()
    expect(page.get_by_text(re.compile("no need to search c2, a3, b3, c3"))).to_be_visible()
    page.get_by_role("navigation", name="Best play").get_by_role("button", name="c2").click()
    expect(page.get_by_role("heading", name="After c1 c2")).to_be_visible()


def test_another_game(page: Page, server: Server) -> None:
    """Tree, race and quiz have a chooser: of all games, with options and a position, which the server reads."""
    go(page, server, FIGURE)
    games = {each["name"] for each in server.ask("menu")["games"]}
    for link in (FIGURE, "race?game=tictactoe&depth=1", "quiz?game=tictactoe"):
        go(page, server, link)
        offered = page.get_by_label("Game", exact=True).locator("option")
        expect(offered).to_have_count(len(games))
        assert {each.get_attribute("value") for each in offered.all()} == games
    go(page, server, FIGURE)
    page.get_by_label("Game", exact=True).select_option("connectfour")
    page.get_by_label("Options").fill("width=5")
    page.get_by_label("Position").fill("q")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="q")).to_be_visible()
    page.get_by_label("Position").fill("c c")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("heading", name="A search of Connect Four")).to_be_visible()
    expect(page.get_by_label("Options")).to_have_value("width=5")
    expect(page).to_have_url(re.compile(r"moves=c\+c"))


def test_full_screen(page: Page, server: Server) -> None:
    """For a room: a key, the whole screen, larger text; and back."""
    go(page, server, FIGURE)
    size = "parseFloat(getComputedStyle(document.querySelector('.standing')).fontSize)"
    before = page.evaluate(size)
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Full screen")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(size) > before
    expect(page.get_by_role("banner")).to_be_hidden()
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Full screen")).to_have_attribute("aria-pressed", "false")


def test_a_race_on_a_phone(anybody: Person, server: Server) -> None:
    """The lanes are as wide as the phone, each says how many nodes; on a screen the whole table is in view."""
    with anybody(viewport={"width": 390, "height": 844}) as page:
        go(page, server, "race?game=tictactoe&depth=3")
        for lane in page.locator(".lane").all():
            left, _, right, _ = box(lane)
            assert right - left > 300
        for count in page.locator(".lanes .entered").all():
            expect(count).to_have_text(re.compile("nodes, home$"))
            left, _, right, _ = box(count)
            assert left > 0 and right <= 390
        expect(page.get_by_text(re.compile("negamax.*transposition table.*iterative deepening"))).to_be_visible()
        page.set_viewport_size({"width": 1280, "height": 800})
        assert box(page.get_by_role("columnheader", name="Value"))[2] <= box(page.get_by_role("main"))[2]


def test_on_paper(page: Page, server: Server) -> None:
    """The whole tree with its words, and whole lines of code, whatever part of it was in view."""
    go(page, server, "tree?game=tictactoe&moves=b2+b1&depth=2")
    page.get_by_role("button", name="Open all").click()
    for _ in range(5):
        page.get_by_role("button", name="Wider").click()
    items = page.get_by_role("treeitem")
    (nodes,) = re.findall(r"^(\d+) nodes", page.get_by_text(re.compile(r"^\d+ nodes")).inner_text())
    expect(items).not_to_have_count(int(nodes))
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print")
    expect(items).to_have_count(int(nodes))
    width = page.evaluate("document.documentElement.clientWidth")
    for part in (page.get_by_role("tree"), page.get_by_role("list", name="What the algorithm does")):
        assert box(part)[2] <= width
    assert all(box(item)[2] <= width for item in items.all()[:40])
    expect(page.get_by_role("button", name="Next step")).to_be_hidden()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1100, "height": 760})
    expect(page.get_by_role("button", name="Next step")).to_be_visible()


def test_a_quiz_gives_nothing_away(page: Page, server: Server) -> None:
    """An empty answer is none, and shows none; what is chosen in the tree is written into the field."""
    go(page, server, "quiz?game=tictactoe&seed=4&count=3")
    asked = page.get_by_role("region", name="Question 2")
    asked.get_by_role("button", name="Mark it").click()
    expect(asked.get_by_role("status")).to_have_text(
        "There is no answer yet: answer with the moves, as in a1 b2, or none."
    )
    first = page.get_by_role("region", name="Question 1")
    leaf = first.locator('[role="treeitem"][aria-level="3"]').first
    (value,) = re.findall("value (.*?), window", leaf.get_attribute("aria-label") or "")
    leaf.click()  # it is drawn last from now on
    expect(first.get_by_role("textbox")).to_have_value(value)
    says(page, "3 questions")
