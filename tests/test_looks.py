"""Stories of how boards look and move: discs fall, seeds are sown, lines are drawn, a board is chosen."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import assert_accessible, person
from pages import at, cell, plain_server, says
from playwright.sync_api import Page, Playwright, Route, expect
from servers import Server
from waiting import until

import plyground as pg

pytestmark = pytest.mark.compiled

SRC = Path(__file__).resolve().parent.parent / "page" / "src"
SHARED = {"table", "place-of-board", "side", "picture", "moves"}
"""What stands around boards on every page: each file styles it for what is its own."""
SHORT, SOWING = 350, 600
"""Milliseconds that what moves may take in all, and a sowing."""
MOVING = "document.getAnimations().map((each) => each.effect.getComputedTiming().endTime)"
NOTED = """(slower) => {
  window.noted = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.noted.push(timing.duration + (timing.delay ?? 0));
    return animate.call(this, frames, { ...timing, duration: timing.duration * slower });
  };
}"""
"""From now on the page notes when what moves will have arrived, and moves so many times slower."""


server = plain_server


@pytest.fixture(scope="module")
def page(playwright: Playwright, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser of somebody who has nothing against motion."""
    with person(playwright, server.address, reduced_motion="no-preference") as opened:
        yield opened


def choose(page: Page, name: str) -> None:
    """A click on a place that is no input: what moves goes on."""
    page.locator(f'ply-board [aria-label^="{name}"]:not([aria-disabled="true"])').evaluate("(node) => node.click()")


def moved(page: Page, name: str, slower: int = 1) -> list[float]:
    """When each thing that moves arrives, in milliseconds, after a place was chosen that moves something."""
    page.evaluate(NOTED, slower)
    choose(page, name)
    times: list[float] = until(lambda: page.evaluate("noted"))
    return times


def box(page: Page, selector: str) -> dict[str, float]:
    """Where something is."""
    found: dict[str, float] = page.locator(f"ply-board {selector}").first.evaluate(
        """(node) => {
          if (!node.getBBox) return node.getBoundingClientRect().toJSON();
          const [box, at] = [node.getBBox(), node.getScreenCTM()];  // without the stroke
          const [left, top] = [at.a * box.x + at.e, at.d * box.y + at.f];
          const [width, height] = [at.a * box.width, at.d * box.height];
          return { x: left, y: top, width, height, right: left + width, bottom: top + height };
        }"""
    )
    return found


def test_a_click_anywhere_in_a_column(page: Page, server: Server) -> None:
    """By mouse and by keyboard it drops a disc, and says where to; a full column is refused by a sentence."""
    at(page, server, "board?game=connectfour&moves=d+e+e")
    expect(cell(page, "d6")).to_have_accessible_name("d6, empty, falls to d2")
    cell(page, "d6").click()
    says(page, "Last move d. Red to move.")
    expect(cell(page, "d2")).to_have_accessible_name("d2, Yellow disc, last move")
    cell(page, "d1").click()
    expect(cell(page, "d3")).to_have_accessible_name("d3, Red disc, last move")
    page.keyboard.press("b")
    expect(cell(page, "d1")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(cell(page, "e3")).to_have_accessible_name("e3, Yellow disc, last move")
    at(page, server, "board?game=connectfour&moves=d+d+d+d+d+d")
    cell(page, "d3").click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("d3 is not a legal move here: column d is full.")


@pytest.mark.parametrize(
    ("link", "first", "most"),
    [
        ("tictactoe", "b2", SHORT),
        ("tictactoe&moves=a1+b1+a2+b2", "a3", SHORT),
        ("connectfour", "d6", SHORT),
        ("reversi", "d3", SHORT),
        ("nim", "heap 3, match 2", SHORT),
        ("kalah", "South's pit 3", SOWING),
    ],
)
def test_motion_is_short_and_ends_with_the_next_input(
    page: Page, server: Server, link: str, first: str, most: int
) -> None:
    """Marks are drawn, discs fall and turn, seeds are sown; any key ends it."""
    at(page, server, f"board?game={link}", ready="group" if link in ("kalah", "nim") else "grid")
    before = page.evaluate("location.href")
    assert 0 < max(moved(page, first, slower=10_000)) <= most
    until(lambda: page.evaluate("location.href") != before)  # the server's answer, which may move more, is here
    assert page.evaluate(MOVING)
    page.keyboard.press("Shift")
    assert page.evaluate(MOVING) == []


def test_pieces_glide_from_place_to_place(page: Page, server: Server) -> None:
    """Also when a move is taken back or shown again; what was carried by hand stays where it was let go."""
    at(page, server, "board?game=breakthrough:6,4&moves=a2-a3+b5-b4")
    cell(page, "a3").click()
    page.evaluate(NOTED, 1)
    cell(page, "b4").click()
    expect(cell(page, "b4")).to_have_accessible_name(re.compile("White man, last move"))
    assert len(page.evaluate("noted")) == 2, "one glides, one fades"
    page.evaluate("noted.length = 0")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowLeft")
    expect(cell(page, "b4")).to_have_accessible_name(re.compile("Black man, last move"))
    assert 0 < max(page.evaluate("noted")) <= SHORT
    at(page, server, "board?game=breakthrough:6,4")
    page.evaluate(NOTED, 1)
    cell(page, "a2").drag_to(cell(page, "a3"))
    says(page, "Black to move")
    assert page.evaluate("noted") == []


def test_what_is_said_comes_in_order(page: Page, server: Server) -> None:
    """What comes while something moves waits for it, and ends up as the server has it."""
    at(page, server, "board?game=kalah", ready="group")
    moved(page, "South's pit 3")
    choose(page, "South's pit 1")
    says(page, "North to move")
    expect(page.get_by_role("img", name="South's store: 1 seed")).to_be_visible()
    expect(page.locator("ply-board .leaving")).to_have_count(0)


def test_a_quarter_is_turned_by_its_arrow(page: Page, server: Server) -> None:
    """In Pentago the stone is seen before the turn is chosen; an arrow at a quarter turns it."""
    at(page, server, "board?game=pentago&mode=play")
    choose(page, "c4")
    expect(cell(page, "c4")).to_have_accessible_name(re.compile("White stone"))
    turns = page.get_by_role("group", name="Turns").get_by_role("button")
    expect(turns).to_have_count(8)
    expect(turns.first).to_be_focused()
    turns.and_(page.get_by_role("button", name="4>, a turn to the right")).click()
    says(page, "Last move c4-4>. Black to move")
    expect(cell(page, "c4")).to_have_accessible_name(re.compile("White stone"))


def test_a_move_is_heard_as_its_players_say_it(page: Page, server: Server) -> None:
    """The announcement of a move is in words, the visible text in the players' notation."""
    at(page, server, "board?game=chess&moves=e4+e5+Nf3&mode=play")
    says(page, "Last move Nf3. Black to move.")
    expect(page.locator(".standing .unseen")).to_have_text("Last move knight f3. Black to move.")
    expect(page.locator(".standing [aria-hidden]")).to_have_text("Last move Nf3. Black to move.")


def test_no_motion_where_it_is_unwanted(page: Page, server: Server) -> None:
    """By the system's setting and by the page's own, which is kept."""
    page.emulate_media(reduced_motion="reduce")
    at(page, server, "board?game=connectfour")
    choose(page, "d6")
    expect(cell(page, "d1")).to_have_accessible_name(re.compile("Red disc"))
    assert page.evaluate(MOVING) == []
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Pieces move").click()
    expect(page.get_by_role("button", name="Pieces move")).to_have_attribute("aria-pressed", "false")
    with page.expect_navigation():  # from within: what another page keeps is seen by this one only a moment later
        page.evaluate("history.replaceState(null, '', '#/board?game=connectfour'), location.reload()")
    page.get_by_role("grid").wait_for()
    choose(page, "d6")
    expect(cell(page, "d1")).to_have_accessible_name(re.compile("Red disc"))
    assert page.evaluate(MOVING) == []
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Pieces move").click()
    page.get_by_role("button", name="Close").click()


def test_seeds_are_there_to_be_counted(page: Page, server: Server) -> None:
    """As many as the number says."""
    at(page, server, "board?game=kalah&moves=3+6+2", ready="group")
    for node in page.locator("ply-board .pit").all():
        assert node.locator(".seed").count() == int(node.locator(".seeds").inner_text())


def test_the_winning_line_is_drawn_through(page: Page, server: Server) -> None:
    """From the middle of its first place to the middle of its last."""
    at(page, server, "board?game=connectfour&moves=a+b+a+b+a+b+a")
    line, top, bottom = box(page, ".through"), box(page, "[aria-label^=a4]"), box(page, "[aria-label^=a1]")
    assert line["y"] < top["bottom"] and line["bottom"] > bottom["y"]
    assert top["x"] < line["x"] and line["right"] < top["right"]


def test_a_board_of_ultimate_is_won_and_the_next_is_named(page: Page, server: Server) -> None:
    """A won board carries a mark of its size; where one must play is framed, and named before the move and after."""
    at(page, server, "board?game=ultimate&moves=e5+d4+b2+d5+b5+d6")
    mark, first, last = box(page, ".fate"), box(page, "[aria-label^=d4]"), box(page, "[aria-label^=f6]")
    assert first["x"] < mark["x"] and mark["right"] < last["right"] and first["y"] < mark["y"] < mark["bottom"]
    assert mark["height"] > 1.8 * first["height"]
    says(page, "x to move, in the bottom left board.")
    target, corner = box(page, ".target"), box(page, "[aria-label^=a7]")
    assert abs(target["x"] - corner["x"]) < 4 and abs(target["y"] - corner["y"]) < 4
    cell(page, "a8").focus()
    says(page, "a8 sends o to the left board.")
    sent, corner = box(page, ".sent"), box(page, "[aria-label^=a4]")
    assert abs(sent["x"] - corner["x"]) < 4 and abs(sent["y"] - corner["y"]) < 4
    cell(page, "b8").focus()
    says(page, "After b8, o may play in any of 8 boards.")
    cell(page, "a8").click()
    says(page, "o to move, in the left board.")


@pytest.mark.parametrize("game", ["ultimate", "mnk:15,15,5", "mnk:19,19,5", "chess"])
@pytest.mark.parametrize("width", [1100, 731, 390])
def test_places_fill_whole_pixels(page: Page, server: Server, game: str, width: int) -> None:
    """So there are no seams between them, however wide the window is."""
    page.set_viewport_size({"width": width, "height": 760})
    at(page, server, f"board?game={game}")
    sizes = page.evaluate(
        "[...document.querySelectorAll('ply-board .place')].map((each) => each.getBoundingClientRect().width)"
    )
    assert {abs(size - round(size)) < 0.02 for size in sizes} == {True}, sizes[:3]
    if width == 390:  # but for the page's margins
        assert sizes[0] > (390 - (8 if game == "mnk:19,19,5" else 50)) / len(sizes) ** 0.5 - 1
    page.set_viewport_size({"width": 1100, "height": 760})


def test_kalah_fills_the_screen(page: Page, server: Server) -> None:
    """Wide it has the whole width, on a phone it stands upright, and the arrows go where they point."""
    at(page, server, "board?game=kalah", ready="group")
    assert box(page, ".pit")["width"] > 100
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("ply-board .upright").wait_for()
    assert box(page, ".pit")["width"] > 60
    choose(page, "South's pit 1")
    page.keyboard.press("b")
    before = page.evaluate("document.activeElement.getBoundingClientRect().y")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getBoundingClientRect().y") > before
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1100, "height": 760})


def test_every_game_has_a_picture(page: Page, server: Server) -> None:
    """On the first page, drawn already; one request brings them all."""
    page.goto("about:blank")
    page.goto(server.address)
    page.locator(".tiles use").first.wait_for()
    games = [choice.name for choice in pg.GAMES.shipped]
    drawings = page.locator(".tiles use")
    expect(drawings).to_have_count(len(games))
    until(lambda: drawings.evaluate_all("(all) => all.every((each) => each.getBBox().width > 0)"))
    assert sorted(drawings.evaluate_all("(all) => all.map((each) => each.href.baseVal.split('#')[1])")) == sorted(games)


def test_boards_to_choose_from(page: Page, server: Server) -> None:
    """A choice is kept, and axe finds nothing on any of them."""
    page.emulate_media(reduced_motion="reduce")  # colours are there at once
    for board in ("Wood", "High contrast", "Paper"):
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("combobox", name="Board").select_option(label=board)
        page.get_by_role("button", name="Close").click()
        for game in ("ultimate&moves=e5+d4+b2+d5+b5+d6", "connectfour&moves=a+b+a+b+a+b+a", "kalah", "draughts"):
            at(page, server, f"board?game={game}", ready="group" if game in ("kalah", "draughts") else "grid")
            assert_accessible(page, (board, game))
        page.reload()
        page.get_by_role("button", name="Settings").click()
        expect(page.get_by_role("combobox", name="Board")).to_have_value(
            {"Wood": "wood", "Paper": "paper"}.get(board, "contrast")
        )
        page.get_by_role("button", name="Close").click()
    page.emulate_media(reduced_motion="no-preference")


NEW = {"light-dark(": "unknown(", "color-mix(": "unknown(", ":has(": ":unknown(", "1cqw": "1unknown"}
"""What browsers do not know in their style sheets that are older than 2022."""
SEEN = """() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const ink = (colour) => colour !== "none" && !/, 0\\)|\\/ 0\\)/.test(colour);
  return {
    page: style("body").color !== style("body").backgroundColor && ink(style("body").backgroundColor),
    places: ink(style("ply-board .place").backgroundColor),
    lines: [...document.querySelectorAll("ply-board .rule")].every((line) => ink(getComputedStyle(line).stroke)),
    marks: ink(style("ply-board .piece .stroke").stroke),
  };
}"""


def test_an_old_tablet_shows_the_board(page: Page, server: Server) -> None:
    """The page, the places, the lines between them and the marks have colours, by day and by night."""

    def older(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        for word, unknown in NEW.items():
            text = text.replace(word, unknown)
        route.fulfill(response=answer, body=text)

    page.route("**/*.css", older)
    for dark in (False, True):
        page.emulate_media(color_scheme="dark" if dark else "light")
        at(page, server, "board?game=tictactoe&moves=b2")
        assert set(page.evaluate(SEEN).values()) == {True}, (dark, page.evaluate(SEEN))
    page.emulate_media(color_scheme="light")
    page.unroute("**/*.css")


def test_one_name_for_one_thing() -> None:
    """A class that one file styles wherever it stands is no name of anything else in another file."""
    alone: dict[str, set[str]] = {}
    beside_others: dict[str, set[str]] = {}
    for file in SRC.rglob("*.css"):
        text = re.sub(r"/\*.*?\*/|@media print \{.*?\n\}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        for selectors in re.findall(r"([^{};]+)\{", text):
            for selector in re.sub(r":[a-z-]+(\((?:[^()]|\([^()]*\))*\))?", "", selectors).split(","):
                first = re.split(r"[\s>~+]+", selector.strip())[0]
                classes = re.findall(r"\.([a-z][a-z-]*)", first)
                kind = alone if [first] == [f".{name}" for name in classes] else beside_others
                for name in classes:
                    kind.setdefault(name, set()).add(file.name)
    assert {name for name, files in alone.items() if len(files | beside_others.get(name, set())) > 1} == SHARED


@pytest.mark.parametrize("width", [390, 320])
def test_numbers_beside_hexagons(page: Page, server: Server, width: int) -> None:
    """On a phone, too, each row's number stands left of its first cell, and nothing is wider than the screen."""
    page.set_viewport_size({"width": width, "height": 844})
    at(page, server, "board?game=hex:11", ready="group")
    boxes = "(of) => [...document.querySelectorAll(`ply-board ${of}`)].map((each) => each.getBoundingClientRect())"
    numbers, places = page.evaluate(boxes, ".coordinate.beside"), page.evaluate(boxes, ".place")
    assert len(numbers) == 11 and page.evaluate("document.documentElement.scrollWidth") <= width
    for number, first in zip(numbers, places[::11], strict=True):
        assert number["left"] >= 0 and number["right"] < first["left"]
