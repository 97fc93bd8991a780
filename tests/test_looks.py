"""Stories of how boards look and move: discs fall, seeds are sown, lines are drawn, a board is chosen."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import person
from pages import at, cell, says
from playwright.sync_api import Page, Playwright, expect
from servers import Server, serving

pytestmark = pytest.mark.once

SHORT, SOWING = 350, 600
"""Milliseconds that what moves may take in all, and a sowing."""
MOVING = "document.getAnimations().map((each) => each.effect.getComputedTiming().endTime)"


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """What drives the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that searches plain."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PLYGROUND_PLAIN", "1")
        with serving(f"sqlite:///{tmp_path_factory.mktemp('looks') / 'games.db'}") as started:
            yield started


@pytest.fixture(scope="module")
def page(playwright: Playwright, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser of somebody who has nothing against motion."""
    folder = tmp_path_factory.mktemp("profile")
    with person(playwright, folder, server.address, reduced_motion="no-preference") as opened:
        yield opened


def choose(page: Page, name: str) -> None:
    """A click on a place that is no input: what moves goes on."""
    page.locator(f'ply-board [aria-label^="{name}"]').evaluate("(node) => node.click()")


def moved(page: Page, name: str) -> list[float]:
    """When each thing that moves arrives, in milliseconds, right after a place was chosen that moves something."""
    choose(page, name)
    page.wait_for_function(f"{MOVING}.length > 0")
    times: list[float] = page.evaluate(MOVING)
    return times


def box(page: Page, selector: str) -> dict[str, float]:
    """Where something is."""
    found = page.locator(f"ply-board {selector}").first.bounding_box()
    assert found
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


def test_a_click_anywhere_in_a_column(page: Page, server: Server) -> None:
    """By mouse and by keyboard it drops a disc, and says where to; a full column is refused by a sentence."""
    at(page, server, "board?game=connectfour&moves=d+e+e")
    expect(cell(page, "d6")).to_have_accessible_name("d6, empty, falls to d2")
    cell(page, "d6").click()
    says(page, "Last move d. x to move.")
    expect(cell(page, "d2")).to_have_accessible_name("d2, o disc, last move")
    cell(page, "d1").click()
    expect(cell(page, "d3")).to_have_accessible_name("d3, x disc, last move")
    page.keyboard.press("b")
    expect(cell(page, "d1")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(cell(page, "e3")).to_have_accessible_name("e3, o disc, last move")
    at(page, server, "board?game=connectfour&moves=d+d+d+d+d+d")
    cell(page, "d3").click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("d3 is not a legal move here.")


@pytest.mark.parametrize(
    ("link", "first", "most"),
    [
        ("tictactoe", "b2", SHORT),
        ("tictactoe&moves=a1+b1+a2+b2", "a3", SHORT),
        ("connectfour", "d6", SHORT),
        ("reversi", "d3", SHORT),
        ("nim", "c2", SHORT),
        ("kalah", "x's pit 3", SOWING),
    ],
)
def test_motion_is_short_and_ends_with_the_next_input(
    page: Page, server: Server, link: str, first: str, most: int
) -> None:
    """Marks are drawn, discs fall and turn, seeds are sown; any key ends it."""
    at(page, server, f"board?game={link}", ready="group" if link in ("kalah", "nim") else "grid")
    assert 0 < max(moved(page, first)) <= most
    page.keyboard.press("Shift")
    assert page.evaluate(MOVING) == []


def test_pieces_glide_from_place_to_place(page: Page, server: Server) -> None:
    """From where it stood, and back there when the move is taken back; what was carried by hand stays where it is."""
    at(page, server, "board?game=breakthrough:4,4&moves=a2-a3+b3xa2")
    expect(cell(page, "a2")).to_have_accessible_name(re.compile("o man"))
    gliding = "document.getAnimations().map((each) => each.effect.target.closest('.place')?.ariaLabel ?? '')"
    for key, name in (("ArrowLeft", "b3, o man"), ("ArrowRight", "a2, o man")):
        page.keyboard.press(key)
        page.wait_for_function(f"{gliding}.some((label) => label.startsWith('{name}'))")
    page.keyboard.press("Shift")
    at(page, server, "board?game=breakthrough:4,4")
    cell(page, "a2").drag_to(cell(page, "a3"))
    says(page, "o to move")
    assert page.evaluate(MOVING) == []


def test_what_is_said_comes_in_order(page: Page, server: Server) -> None:
    """What comes while something moves waits for it, and ends up as the server has it."""
    at(page, server, "board?game=kalah", ready="group")
    moved(page, "x's pit 3")
    choose(page, "x's pit 1")
    says(page, "o to move")
    expect(page.get_by_role("img", name="x's store: 1 seed")).to_be_visible()
    expect(page.locator("ply-board .leaving")).to_have_count(0)


def test_no_motion_where_it_is_unwanted(page: Page, server: Server) -> None:
    """By the system's setting and by the page's own, which is kept."""
    page.emulate_media(reduced_motion="reduce")
    at(page, server, "board?game=connectfour")
    choose(page, "d6")
    expect(cell(page, "d1")).to_have_accessible_name(re.compile("x disc"))
    assert page.evaluate(MOVING) == []
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Keys").click()
    page.get_by_role("button", name="Pieces move").click()
    at(page, server, "board?game=connectfour")
    choose(page, "d6")
    expect(cell(page, "d1")).to_have_accessible_name(re.compile("x disc"))
    assert page.evaluate(MOVING) == []
    page.get_by_role("button", name="Keys").click()
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


@pytest.mark.parametrize("game", ["tictactoe", "ultimate", "connectfour", "mnk:15,15,5", "mnk:19,19,5", "chess"])
@pytest.mark.parametrize("width", [1100, 731, 390])
def test_places_fill_whole_pixels(page: Page, server: Server, game: str, width: int) -> None:
    """So there are no seams between them, however wide the window is."""
    page.set_viewport_size({"width": width, "height": 760})
    at(page, server, f"board?game={game}")
    sizes = page.evaluate(
        "[...document.querySelectorAll('ply-board .place')].map((each) => each.getBoundingClientRect().width)"
    )
    assert {abs(size - round(size)) < 0.02 for size in sizes} == {True}, sizes[:3]
    if width == 390:
        assert sizes[0] >= min(390 / (int(len(sizes) ** 0.5) + 1.2) - 1, 44), sizes[0]
    page.set_viewport_size({"width": 1100, "height": 760})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boards_to_choose_from(page: Page, server: Server, scheme: str) -> None:
    """A choice is kept, and axe finds nothing on any of them."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for board in ("Wood", "High contrast", "Paper"):
        page.get_by_role("button", name="Keys").click()
        page.get_by_label("Board", exact=True).select_option(label=board)
        page.get_by_role("button", name="Close").click()
        for game in ("ultimate&moves=e5+d4+b2+d5+b5+d6", "connectfour&moves=a+b+a+b+a+b+a", "kalah", "draughts"):
            at(page, server, f"board?game={game}", ready="group" if game in ("kalah", "draughts") else "grid")
            results = Axe().run(page)
            assert results.violations_count == 0, (board, game, results.generate_report())
        page.reload()
        page.get_by_role("button", name="Keys").click()
        expect(page.get_by_label("Board", exact=True)).to_have_value(
            {"Wood": "wood", "Paper": "paper"}.get(board, "contrast")
        )
        page.get_by_role("button", name="Close").click()
    page.emulate_media(color_scheme="light")
