"""Stories of the first page and of a game's manners, in a real browser: a first game, and what must not annoy."""

import json
import re
from functools import partial

import pytest
from pages import Person, at, begin, cell, choose, mode, says
from playwright.sync_api import Page, WebSocketRoute, expect
from servers import Server
from waiting import until

from plyground.games import GAMES

pytestmark = pytest.mark.compiled
FORBIDDEN = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('No', 'SecurityError'); } })"
)
EMPTY = re.compile(", empty")
IN_VIEW = """() => {
  const outer = document.querySelector(".moves").getBoundingClientRect();
  const shown = document.querySelector(".moves [aria-current]").getBoundingClientRect();
  return outer.top <= shown.top && shown.bottom <= outer.bottom + 1;
}"""
"""Whether the shown move is within the list of moves."""


def button(page: Page, name: str) -> None:
    """Press a button."""
    page.get_by_role("button", name=name, exact=True).click()


def test_a_first_click(anybody: Person, server: Server) -> None:
    """The board that is there first can be played on; the game is kept, and is the one that is there the next time."""
    with anybody(viewport={"width": 390, "height": 844}) as page:
        says(page, "x begins: choose a place on the board")
        header = page.locator("header").bounding_box()
        assert header and header["height"] <= 56
        choose(page, "b2")
        expect(cell(page, "b2, x")).to_be_visible()
        expect(page).to_have_url(re.compile("#/game/"))
        says(page, "Your turn: x to move")
        button(page, "Undo")
        expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(9)
        page.goto(f"{server.address}/#/?game=connectfour:5,4&o=level:learning")
        choose(page, "c4")
        expect(page).to_have_url(re.compile("#/game/"))
        page.get_by_role("link", name="Play", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Connect Four")
        expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(20)
        expect(page.get_by_label("Yellow is", exact=True)).to_have_value("level:learning")
        page.go_back()
        expect(page.get_by_role("gridcell", name=re.compile("^c1, Red"))).to_be_visible()


def test_a_rule_to_be_agreed_on_is_in_view(page: Page) -> None:
    """Hex is offered with the swap rule: the choice is seen before the game begins, in chess nothing is unfolded."""
    swap = page.get_by_label("The second player may take over the first stone")
    page.get_by_role("navigation", name="Games").get_by_role("link", name="Hex").click()
    expect(swap).to_be_visible()
    expect(swap).to_be_checked()
    page.get_by_role("navigation", name="Games").get_by_role("link", name="Chess", exact=True).click()
    expect(page.get_by_text("Board and rules")).to_be_visible()
    expect(page.get_by_label("Plies without")).to_be_hidden()


def test_all_games_as_pictures(page: Page) -> None:
    """Each game has a tile with a picture; one that is chosen has its rules and can be begun."""
    games = page.get_by_role("navigation", name="Games")
    expect(games.get_by_role("link")).to_have_count(len(list(GAMES)))
    drawn = page.locator(".tile .picture use").all()
    assert len(drawn) == len(list(GAMES))
    for use in drawn:
        until(partial(use.evaluate, "(use) => use.getBBox().width"))
    games.get_by_role("link", name="5 in a row").click()
    expect(page.get_by_text("5 of your marks in a row")).to_be_visible()
    page.get_by_text("Board and rules").click()
    page.get_by_label("In a row to win").fill("4")
    page.keyboard.press("Tab")
    expect(page.get_by_text("4 of your marks in a row")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("4 in a row")
    choose(page, "e5")
    expect(page.get_by_role("gridcell", name=re.compile("^e5, x"))).to_be_visible()


def test_after_a_game(page: Page, server: Server) -> None:
    """It is said who won, as one says it to a person; again, from the other side, and harder; what went wrong."""
    page.goto(f"{server.address}/#/?game=tictactoe&x=human&o=first")
    for own, then in (("a2", "Last move a1"), ("b2", "Last move b1"), ("c2", "You won: x wins. Last move c2")):
        choose(page, own)
        says(page, then)
    button(page, "What went wrong")
    expect(page.get_by_role("button", name="Look back")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("% accurate")).to_have_count(2)
    mode(page, "Play")
    button(page, "Play again")
    expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(9)
    button(page, "Resign")
    button(page, "No, go on")
    button(page, "Resign")
    button(page, "Yes, give up")
    says(page, "You lost: x resigns.")
    button(page, "The other side")
    says(page, "Your turn: o to move")
    page.goto(f"{server.address}/#/?game=tictactoe&x=human&o=level:learning")
    button(page, "Play")
    expect(page.get_by_role("definition").filter(has_text="Just learning")).to_be_visible()
    button(page, "Resign")
    button(page, "Yes, give up")
    button(page, "Harder")
    expect(page.get_by_role("definition").filter(has_text="Easy")).to_be_visible()


def test_a_review_ends_with_its_game(anybody: Person, server: Server) -> None:
    """What is still found of a game that was left is told of no other one."""
    asked: list[int] = []
    held: list[str] = []

    def through(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def heard(message: str | bytes) -> None:
            if json.loads(message).get("op") == "review":
                asked.append(json.loads(message)["id"])
            server_side.send(message)

        def told(message: str | bytes) -> None:
            if json.loads(message)["id"] in asked and isinstance(message, str):
                held.append(message)
            else:
                page_side.send(message)

        page_side.on_message(heard)
        server_side.on_message(told)
        sides.append(page_side)

    sides: list[WebSocketRoute] = []
    with anybody() as page:
        page.route_web_socket("**/api/socket", through)
        page.goto("about:blank")
        page.goto(f"{server.address}/#/?game=tictactoe&x=human&o=first")
        for own, then in (("a2", "Last move a1"), ("b2", "Last move b1"), ("c2", "You won")):
            choose(page, own)
            says(page, then)
        button(page, "What went wrong")
        until(lambda: page.evaluate("1") and held)
        mode(page, "Play")
        button(page, "Play again")
        expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(9)
        for message in held:
            sides[-1].send(message)
        mode(page, "Look back")
        expect(page.locator(".graph")).to_have_count(0)


def test_a_hint(page: Page) -> None:
    """One good move is marked and said, and nothing of its value; it is gone with the next move."""
    begin(page, o="Plays at random")
    choose(page, "a1")
    expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(7)
    button(page, "Hint")
    says(page, "Try ")
    expect(page.get_by_role("gridcell", name=re.compile("hint"))).to_have_count(1)
    expect(page.get_by_text(re.compile("wins in|at depth"))).to_have_count(0)
    page.get_by_role("gridcell", name=re.compile("hint")).click()
    expect(page.get_by_role("gridcell", name=re.compile("hint"))).to_have_count(0)


def test_a_hint_marks_all_places_of_a_move(page: Page) -> None:
    """Where a man goes, and whence; once a man is chosen, where it goes alone. The word covers no man."""
    begin(page, game="breakthrough:4,4")
    button(page, "Hint")
    says(page, "Try ")
    hinted = page.get_by_role("gridcell", name=re.compile("hint"))
    expect(hinted).to_have_count(2)
    expect(hinted).to_have_text(["", ""])  # a man takes a man
    page.get_by_role("gridcell", name=re.compile("can move, hint")).click()
    expect(hinted).to_have_count(1)
    expect(hinted).to_have_accessible_name(re.compile("can go here"))


def test_nothing_may_be_kept(anybody: Person, server: Server) -> None:
    """Where the browser forbids storage, or holds what nobody can read, a game begins all the same."""
    with anybody() as page:
        page.evaluate("localStorage.setItem('plyground seats', '{'); localStorage.setItem('plyground sound', 'loud')")
        page.goto(f"{server.address}/#/?game=tictactoe")
        choose(page, "b2")
        says(page, "Your turn")
        page.context.add_init_script(FORBIDDEN)
        page.goto("about:blank")
        page.goto(server.address)
        choose(page, "b2")
        says(page, "Your turn")
        button(page, "Undo")
        expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(9)
        button(page, "Settings")
        button(page, "Sound on a move")
        expect(page.get_by_role("button", name="Sound on a move")).to_have_attribute("aria-pressed", "true")


def test_a_double_click_is_one_move(page: Page) -> None:
    """Also where the second click could be the other side's move; it makes no reproach."""
    begin(page, game="connectfour")
    cell(page, "d6").dblclick()
    expect(page.get_by_role("gridcell", name=re.compile("^d1, Red.*last move"))).to_be_visible()
    choose(page, "c6")
    expect(page.get_by_role("gridcell", name=re.compile("^c1, Yellow.*last move"))).to_be_visible()
    cell(page, "b6").dblclick()
    expect(page.get_by_role("gridcell", name=re.compile("^b1, Red.*last move"))).to_be_visible()
    expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(39)
    expect(page.get_by_role("alert")).to_have_count(0)  # one that is empty is not there


def test_the_menu_leads_anew(page: Page, server: Server) -> None:
    """The link with which a page was opened opens it again, though it has changed its address since."""
    at(page, server, "board")
    choose(page, "b2")
    expect(page).to_have_url(re.compile("moves=b2"))
    page.get_by_role("link", name="Analyse", exact=True).click()
    expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(9)


def test_the_keyboard_keeps_its_place(page: Page, server: Server) -> None:
    """After each press the focus is where it was, also in a field while a move arrives; what was opened stays open."""
    at(page, server, "board?game=tictactoe&moves=b2+a1+c3")
    for name, then in (
        ("Undo", "Last move a1"),
        ("Redo", "Last move c3"),
        ("Previous move", "After 1… a1."),
        ("Next move", "Last move c3"),
        ("First position", "The first position"),
        ("Engine", "The first position"),
        ("Flip", "The first position"),
        ("Look back", "The first position"),
        ("Analyse", "The first position"),
        ("Last position", "Last move c3"),
    ):
        pressed = page.get_by_role("button", name=name, exact=True)
        pressed.focus()
        page.keyboard.press("Enter")
        says(page, then)
        expect(pressed).to_be_focused()
    begin(page)
    expect(page.get_by_role("gridcell", name=re.compile("^a1"))).to_be_focused()
    for summary in ("Position and game as text, links", "Links to this game"):
        page.get_by_text(summary).click()
    field = page.get_by_label("Link to watch the game")
    field.focus()
    page.evaluate("document.querySelector('[role=gridcell]').click()")
    says(page, "Last move a1")
    expect(field).to_be_focused()
    expect(page.get_by_label("Position", exact=True)).to_be_visible()


def test_a_way_past_the_menu(page: Page) -> None:
    """The first stop of the keyboard leads to the board."""
    page.get_by_role("grid").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the board")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("gridcell", name=re.compile("^a1"))).to_be_focused()


def test_a_score_is_of_its_position(page: Page) -> None:
    """What an engine found before its move is said to be of the position before it, and is no value of this one."""
    begin(page, o="Its best")
    button(page, "What it was thinking")
    choose(page, "b2")
    expect(page.get_by_role("gridcell", name=EMPTY)).to_have_count(7)
    reply = page.get_by_role("button", name=re.compile("^[a-c][1-3]$")).last.inner_text()
    expect(page.get_by_text(f"Before {reply}:")).to_be_visible()
    expect(page.get_by_role("img", name="Not evaluated")).to_be_visible()


@pytest.mark.parametrize("ply", ["abc", "-5", "1.5", "1e0", "99"])
def test_a_ply_that_is_none(page: Page, server: Server, ply: str) -> None:
    """A link's ply that is no number of a position means the last one."""
    at(page, server, f"board?game=tictactoe&moves=b2+a1&ply={ply}")
    says(page, "Last move a1. x to move.")


def test_broken_addresses(page: Page, server: Server) -> None:
    """A broken escape is a page all the same; a game that cannot be is said in a sentence."""
    page.goto(f"{server.address}/#/%E0%A4%A")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto(f"{server.address}/#/game/abc")
    expect(page.get_by_role("alert")).to_have_text("There is no game abc: the link is incomplete.")


def test_the_list_follows_the_game(page: Page, server: Server) -> None:
    """The shown move is in view, in a long list and in the graph, and the page itself stays where it is."""
    cells = [f"{column}{row}" for row in (1, 3, 5, 2, 4, 6) for column in "abcdefghi"]
    at(page, server, f"board?game=mnk:9,9,9&moves={'+'.join(cells)}&mode=back")
    current = page.locator(".moves [aria-current]")
    expect(current).to_be_in_viewport()
    page.get_by_role("button", name="First position").dispatch_event("click")  # no hand that scrolls the page to it
    says(page, "The first position")
    expect(page.get_by_role("button", name="start", exact=True)).to_be_in_viewport()
    page.get_by_role("button", name="Last position").dispatch_event("click")
    says(page, "Last move")
    until(lambda: page.evaluate(IN_VIEW))
    assert page.evaluate("scrollY") == 0


def test_the_board_to_play_in_is_named(page: Page, server: Server) -> None:
    """Where one must play is said in words, as one sees it: a reader of the screen hears it."""
    at(page, server, "board?game=ultimate&moves=e5+d4")
    says(page, "x to move, in the top left board.")
    page.get_by_role("button", name="Flip").click()
    says(page, "x to move, in the bottom right board.")
    at(page, server, "board?game=ultimate&moves=e5")
    says(page, "o to move, in the middle board.")
