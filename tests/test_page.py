"""Stories of the page, in a real browser; everything is found by its role and its name, as people find it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import assert_accessible, person
from pages import Person, at, begin, cell, choose, mode, says
from playwright.sync_api import Locator, Page, Playwright, WebSocketRoute, expect
from servers import Server, serving
from waiting import until

pytestmark = pytest.mark.compiled


def test_a_game_against_a_program(page: Page) -> None:
    """The own mark shows at once, the reply comes; its thoughts are shown when asked for; undo, redo, resign."""
    begin(page, o="Its best")
    choose(page, "b2")
    expect(cell(page, "b2, x")).to_be_visible()
    says(page, "Your turn: x to move")
    expect(page.get_by_text(re.compile("at depth"))).to_have_count(0)
    page.get_by_role("button", name="What it was thinking").click()
    expect(page.get_by_text(re.compile(r"at depth \d+, [\d,]+ positions searched"))).to_be_visible()
    expect(page.get_by_role("gridcell", name=re.compile(", o, last move"))).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(9)
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(7)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, give up").click()
    says(page, "You lost: x resigns")


def test_two_people_at_one_screen(page: Page) -> None:
    """They take turns to the end; the end, its reason and the winning line are said."""
    begin(page, game="mnk", Rows="4", Columns="3", In_a_row_to_win="3")
    for name in ("a1", "b1", "a2", "b2", "a3"):
        choose(page, name)
        expect(page.get_by_role("gridcell", name=re.compile(f"^{name}.*last move"))).to_be_visible()
    says(page, "x wins")
    expect(page.get_by_role("gridcell", name=re.compile("winning line"))).to_have_count(3)
    cell(page, "c4").click(force=True)  # it is marked as not to be played; a person may try all the same
    expect(page.get_by_role("alert")).to_contain_text("not a legal move")


def test_two_people_agree_on_a_draw(page: Page) -> None:
    """At one screen, from the question of giving up; it is taken back with a move, and gives way to the game's end."""
    begin(page, o="A person")
    choose(page, "b2")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Agree on a draw").click()
    says(page, "The game is over: a draw by agreement")
    page.get_by_role("button", name="Undo").click()
    says(page, "x to move")


def test_keyboard_alone(page: Page) -> None:
    """A whole game without a mouse: start, arrows, Enter, back and forth, flip."""
    page.goto(f"{page.url}#/?game=tictactoe")
    page.get_by_label("o is", exact=True).select_option(label="A person")
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("group", name="What to do").wait_for()
    expect(page.get_by_role("gridcell").and_(page.locator(":focus"))).to_have_count(1)
    for ply, key in enumerate(["Enter", "ArrowRight", "ArrowDown", "ArrowLeft"], start=1):
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        expect(page.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(9 - ply)
        says(page, f"{'xo'[ply % 2]} to move")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    says(page, "x wins")
    page.get_by_role("button", name="Flip").focus()
    page.keyboard.press("Home")
    says(page, "The first position")
    page.keyboard.press("ArrowRight")
    says(page, "After 1. ")
    page.keyboard.press("f")
    expect(page.get_by_role("gridcell").first).to_have_accessible_name(re.compile("^c3"))
    page.get_by_role("button", name="Settings").press("Enter")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    page.keyboard.press("Escape")


def test_values_stay_and_a_thinking_engine_stops(page: Page, server: Server) -> None:
    """Every move's value as text, kept on while moves are made; a search is stopped by its button."""
    at(page, server, "board?game=tictactoe&moves=b1+b2+a1")
    page.get_by_role("button", name="Engine").click()
    expect(page.get_by_role("gridcell", name=re.compile("^c1, empty, draw, best"))).to_be_visible()
    expect(page.get_by_role("gridcell", name=re.compile("x wins in 2 plies"))).to_have_count(5)
    choose(page, "c1")
    expect(page.get_by_role("gridcell", name=re.compile("^a3, empty, draw"))).to_be_visible()
    page.reload()  # the link says that values are shown
    expect(page.get_by_role("gridcell", name=re.compile("^a3, empty, draw"))).to_be_visible()
    at(page, server, "board?game=ultimate")
    page.get_by_role("button", name="Engine").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_the_page_shows_what_it_is_told(page: Page, server: Server) -> None:
    """Values, marks and verdicts of a game with margins are the server's, word for word; so is that nothing is sure."""
    told: dict[str, dict[str, Any]] = {}

    def hear(message: str | bytes) -> None:
        heard = json.loads(message)  # the page draws a part as soon as it comes, so the last part may be all it has
        answer = heard.get("part") or heard.get("ok") or {}
        told.update({kind: answer for kind in ("moves", "steps") if kind in answer})

    page.on("websocket", lambda web: web.on("framereceived", hear))
    at(page, server, "board?game=kalah:3,2&moves=1+2+1+3", ready="group")
    page.get_by_role("button", name="Engine").click()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)  # it ends by itself, when all is certain
    assert told["moves"]["certain"]
    marks = [view["best"] for view in told["moves"]["moves"].values()]
    assert "best" in marks and "" in marks
    for move, view in told["moves"]["moves"].items():
        pit = page.get_by_role("button", name=re.compile(rf"^North's pit {move}, "))
        said = ", ".join(filter(None, [view["score"]["text"], view["best"]]))
        expect(pit).to_have_accessible_name(re.compile(rf"seeds?, {said}$"))
        expect(pit.locator(".value")).to_have_text(view["brief"])
        expect(pit).to_have_class(re.compile(view["tone"]))
    mode(page, "Look back")
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_text("% accurate")).to_have_count(2)
    expect(page.get_by_role("progressbar")).to_have_count(0)  # it has looked at all
    bad = [step for step in told["steps"]["steps"] if step["grade"] in ("inaccuracy", "mistake", "blunder")]
    expect(page.get_by_role("link", name=re.compile(r"^\d+[.…] "))).to_have_count(len(bad))
    assert bad
    for step in bad:
        pair, second = divmod(step["ply"] - 1, 2)
        words = f"{pair + 1}{'…' if second else '.'} {step['move']}: {step['verdict']}, {step['score']['text']}"
        expect(page.get_by_role("link", name=words)).to_be_visible()
    for step in bad:
        expect(page.get_by_role("list", name="Moves")).to_contain_text(step["verdict"])
    at(page, server, "board?game=connectfour:8,7", ready="grid")  # of which no book knows
    page.get_by_role("button", name="Engine").click()
    expect(page.get_by_role("gridcell", name=re.compile("best so far"))).not_to_have_count(0)
    expect(page.get_by_text("Looking deeper")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped before the result was certain.")).to_be_visible()


def test_review_and_why_not(page: Page, server: Server) -> None:
    """The value graph marks the mistake and leads to it; why-not plays the refutation; try again goes on from there."""
    at(page, server, "board?game=tictactoe&moves=a1+b1+b2+c3+a2+a3+c2")
    mode(page, "Look back")
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("link", name="1… b1: blunder: gave away the draw, x wins in 5 plies").click()
    says(page, "After 1… b1.")
    expect(page.get_by_role("button", name="b1, blunder: gave away the draw")).to_be_visible()
    page.get_by_role("button", name="Previous move").click()
    mode(page, "Analyse")
    page.get_by_role("button", name="Why not…").click()
    choose(page, "c2")
    says(page, "After c2: x wins")
    page.get_by_role("button", name="Next move").click()
    says(page, "After 2. b2.")
    page.get_by_role("button", name="Play on from here").click()
    expect(page).to_have_url(re.compile("#/game/"))
    expect(page.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(6)


def test_editor_and_text(page: Page, server: Server) -> None:
    """Cells and text set up a position; one that cannot arise is refused in the server's words; links hold it all."""
    at(page, server, "edit?game=tictactoe")
    text = page.get_by_label("Position or game as text")
    for name in ("a1", "b1", "b3", "b3"):
        choose(page, name)
    page.get_by_role("button", name="o", exact=True).click()
    choose(page, "b2")
    expect(text).to_have_value("xx./.o./...:x")
    expect(page.get_by_role("alert")).to_have_count(0)
    for name in ("a2", "c2"):
        choose(page, name)
    page.get_by_role("button", name="x", exact=True).click()
    choose(page, "c1")
    expect(text).to_have_value("xxx/ooo/...:x")
    expect(page.get_by_role("alert")).to_contain_text("cannot arise")
    for name in ("c1", "a2", "a2", "c2", "c2"):
        choose(page, name)
    page.get_by_label("To move").select_option("o")
    expect(text).to_have_value("xx./.o./...:o")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Analyse it").click()
    expect(page).to_have_url(re.compile("board"))
    page.get_by_text("Position and game as text, links").click()
    expect(page.get_by_role("region", name="Game").get_by_label("Position", exact=True)).to_have_value("xx./.o./...:o")
    link = page.get_by_label("Link to this position").input_value()
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_role("gridcell", name=re.compile("^b2, o"))).to_be_visible()


def test_an_endgame_set_up_by_hand_is_played(page: Page, server: Server) -> None:
    """Pieces are dragged from the palette, over the board and off it; castling follows; then a level answers."""
    at(page, server, "edit?game=chess")
    text = page.get_by_label("Position or game as text")

    def square(name: str) -> Locator:
        return page.get_by_role("gridcell", name=re.compile(f"^{name},"))

    square("h1").drag_to(page.get_by_role("heading", level=1))
    expect(page.get_by_role("alert")).to_contain_text("K says that king and rook have not moved")
    named = page.get_by_role("checkbox", name=re.compile("can castle"))
    boxes = named.evaluate_all("boxes => boxes.map((box) => box.getBoundingClientRect().toJSON())")
    (left, right), (top, low) = ([*dict.fromkeys(box[side] for box in boxes)] for side in ("x", "y"))
    assert left < right and top < low, "two columns, a row for each side"
    page.get_by_label("White O-O: White can castle on the king's side").uncheck()
    expect(text).to_have_value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("alert")).to_contain_text("each side has one king")
    page.get_by_role("button", name="White king").drag_to(square("e5"))
    square("e5").drag_to(square("e6"))
    page.get_by_role("button", name="Black king").click()
    square("e8").click()
    page.get_by_role("button", name="White rook").click()
    square("h1").focus()
    page.keyboard.press("Enter")
    square("h1").press("ArrowLeft")
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    expect(text).to_have_value("4k3/8/4K3/8/8/8/8/7R w - - 0 1")
    page.get_by_role("button", name="Play it").click()
    expect(page.get_by_role("grid", name=re.compile("^Board: "))).to_be_visible()
    square("h1").click()
    square("h8").click()
    says(page, "White wins by checkmate")


def test_a_position_is_played_as_it_stood(anybody: Person, server: Server) -> None:
    """The button "Play it" waits for the answer to the last change; a later one is not played."""
    held: list[str | bytes] = []
    asked: list[int] = []
    sides: list[WebSocketRoute] = []

    def through(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def ask(message: str | bytes) -> None:
            if json.loads(message).get("args", {}).get("arranged"):
                asked.append(json.loads(message)["id"])
            server_side.send(message)

        def answer(message: str | bytes) -> None:
            if json.loads(message)["id"] in asked:
                held.append(message)
            else:
                page_side.send(message)

        page_side.on_message(ask)
        server_side.on_message(answer)
        sides.append(page_side)

    with anybody() as page:
        page.route_web_socket("**/api/socket", through)
        at(page, server, "edit?game=chess")
        page.get_by_label("White O-O: White can castle on the king's side").uncheck()
        until(lambda: page.evaluate("1") and held)
        page.get_by_role("button", name="Play it").click()
        page.get_by_label("White O-O-O: White can castle on the queen's side").uncheck()
        until(lambda: page.evaluate("1") and len(held) == 3)
        for message in held:
            sides[-1].send(message)
        page.wait_for_url(re.compile("start=.*_Qkq"))


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("morris", ["White man", "Black man"]),
        ("draughts", ["Black man", "Black king", "White man", "White king"]),
        ("chomp", ["square", "poison"]),
        ("dotsandboxes", ["Blue box", "Orange box", "line"]),
        ("amazons", ["White queen", "Black queen", "arrow"]),
    ],
)
def test_the_palette_has_the_players_words(page: Page, server: Server, game: str, names: list[str]) -> None:
    """Pieces have the names that reasons and players have for them, and are in view with the board."""
    page.goto("about:blank")
    page.goto(f"{server.address}/#/edit?game={game}")
    tools = page.get_by_role("group", name="Pieces").get_by_role("button")
    expect(tools).to_have_count(len(names) + 1)
    for tool, name in zip(tools.all(), [*names, "Erase"], strict=True):
        expect(tool).to_have_accessible_name(name)
    expect(tools.last).to_be_in_viewport(ratio=1)


def test_a_game_with_a_clock(anybody: Person) -> None:
    """Clocks are set before a game, run from the first move on, and end it, also by the server alone."""
    with anybody() as page:  # a browser remembers its last clock
        page.get_by_text("Clock", exact=True).click()
        page.get_by_role("button", name="3+2").click()
        expect(page.get_by_role("button", name="3+2")).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_label("Minutes for each side")).to_have_value("3")
        expect(page.get_by_label("Seconds added a move")).to_have_value("2")
        page.get_by_label("Seconds added a move").fill("0")
        page.get_by_label("Minutes for each side").fill("0.05")
        page.get_by_label("Minutes for each side").blur()
        expect(page.get_by_role("button", name="3+2")).to_have_attribute("aria-pressed", "false")
        page.get_by_label("o is", exact=True).select_option(label="A person")
        choose(page, "b2")
        clocks = page.get_by_role("group", name="Clocks")
        expect(clocks.get_by_role("timer", name="x's clock")).to_have_text("0:03.0")
        says(page, "The game is over: o's time is up")
        expect(clocks.get_by_role("timer", name="o's clock")).to_have_text("0:00.0")
        expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
        page.get_by_role("button", name="Play again").click()
        expect(clocks.get_by_role("timer")).to_have_text(["0:03.0", "0:03.0"])


def test_a_position_as_players_exchange_it(page: Page, server: Server) -> None:
    """FEN with blanks and the number of the move, also after the next move."""
    at(page, server, "board?game=chess&moves=e2e4&mode=play")
    page.get_by_text("Position and game as text, links").click()
    position = page.get_by_role("region", name="Game").get_by_label("Position", exact=True)
    expect(position).to_have_value("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    choose(page, "e7")
    choose(page, "e5")
    expect(position).to_have_value("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")


def test_the_number_of_a_pasted_position(page: Page, server: Server) -> None:
    """Moves go on from the number of the FEN in the link, in the list, in the FEN and in what is shared."""
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2"
    at(page, server, f"board?game=chess&start={fen} 14&mode=play")
    choose(page, "f1")
    choose(page, "b5")
    choose(page, "a7")
    choose(page, "a6")
    expect(page.locator(".moves .move-number")).to_have_text(["14."])
    page.get_by_text("Position and game as text, links").click()
    position = page.get_by_role("region", name="Game").get_by_label("Position", exact=True)
    expect(position).to_have_value("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 15")


@pytest.mark.parametrize("kept", ["here", "by the server, with a clock"])
def test_a_forced_pass(anybody: Person, kept: str) -> None:
    """It is said and made by itself, stands in the list of moves, and is taken back with the move before it."""
    with anybody() as page:
        page.get_by_text("Clock", exact=True).click()
        page.get_by_role("button", name="3+2" if kept != "here" else "No clock").click()
        begin(page, game="reversi:4")
        for square in ("b1", "c1", "d3", "a1"):
            choose(page, square)
        if kept == "here":
            says(page, "Last move a1. Black to move, must pass: no disc can be set.")
        says(page, "Last move pass. White to move.")
        moves = page.get_by_role("list", name="Moves").get_by_role("button")
        expect(moves).to_have_text(["start", "b1", "c1", "d3", "a1", "pass"])
        page.get_by_role("button", name="Undo").click()
        says(page, "Last move d3. White to move.")
        page.get_by_role("button", name="Redo").click()
        says(page, "Last move pass. White to move.")


def test_a_dragged_piece_that_cannot_move(page: Page, server: Server) -> None:
    """The reason is said, as after a click; a piece chosen later is not taken for it."""
    at(page, server, "board?game=draughts&moves=11-15+22-18", ready="group")
    alert = page.get_by_role("alert")

    def man(number: int) -> Locator:
        return page.locator(f'.places [aria-label^="{number},"]')

    man(9).drag_to(man(14), force=True)
    expect(alert).to_have_text("9 is not a legal move here: Black must jump.")
    man(15).drag_to(man(19), force=True)
    expect(alert).to_have_text("19 is not a legal move here: this piece must jump.")


def test_taken_pieces_stand_beside_the_board(page: Page, server: Server) -> None:
    """Of each side, and who has more; not in a game in which pieces come. The board is one stop of the keyboard."""
    at(page, server, "board?game=chess&moves=e2e4+d7d5+e4d5+d8d5+b1c3+d5d7")
    taken = page.get_by_text("has taken")
    expect(taken).to_have_text(["White has taken", "Black has taken"])
    expect(page.get_by_role("definition").filter(has_text="1 pawn")).to_have_count(2)
    page.get_by_role("button", name="exd5", exact=True).click()
    expect(page.get_by_role("definition").filter(has_text="nothing")).to_have_count(1)
    expect(page.get_by_label("1 more")).to_be_visible()
    expect(page.locator("ply-board button.place[tabindex='0']")).to_have_count(1)
    at(page, server, "board?game=connectfour&moves=d+d+c")
    says(page, "Last move c")
    expect(taken).to_have_count(0)


def test_where_one_must_play(page: Page, server: Server) -> None:
    """Of nested boards only the one a player is sent to is legal; pointing at a cell shows where it sends the other."""
    at(page, server, "board?game=ultimate&moves=e5")
    legal = page.locator("[role=gridcell][aria-disabled=false]")
    expect(legal).to_have_count(8)
    page.get_by_role("gridcell", name=re.compile("^d4")).hover()
    expect(page.locator(".sent")).to_have_count(1)
    says(page, "d4 sends x to the top left board.")


def test_columns_and_pits(page: Page, server: Server) -> None:
    """Other boards come from their look too: a mark drops into its column; pits are sown, and one may move again."""
    at(page, server, "board?game=connectfour&moves=d")
    choose(page, "d5")
    expect(page.get_by_role("gridcell", name=re.compile("^d2, Yellow disc, last move"))).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{server.address}/#/board?game=kalah")
    page.get_by_role("button", name=re.compile("^South's pit 3, 4 seeds")).click()
    says(page, "South to move")
    expect(page.get_by_role("img", name="South's store: 1")).to_be_visible()
    page.get_by_role("button", name=re.compile("^North's pit 1, 4 seeds")).click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("not a legal move")


def test_two_browsers(anybody: Person, server: Server) -> None:
    """A link for a seat and one to watch; each sees the other's moves; nobody plays for another; offline, it waits."""
    with anybody() as ann, anybody() as bob:
        begin(ann)
        ann.get_by_text("Links to this game").click()
        watch = ann.get_by_label("Link to watch the game").input_value()
        bob.goto(watch)
        bob.get_by_role("grid").wait_for()
        choose(bob, "a1")
        expect(bob.get_by_role("alert")).to_contain_text("not your turn")
        ann.get_by_role("button", name="Invite a person…").click()
        expect(ann.get_by_text("This link ends at this machine")).to_be_visible()
        seat = ann.get_by_label("Link", exact=True).input_value()
        bob.goto("about:blank")
        bob.goto(seat)
        bob.get_by_role("grid").wait_for()
        assert "o=" not in bob.url  # the secret does not stay in the address
        choose(ann, "b2")
        expect(bob.get_by_role("gridcell", name=re.compile("^b2, x"))).to_be_visible()
        bob.context.set_offline(True)
        choose(bob, "a1")
        bob.context.set_offline(False)
        expect(ann.get_by_role("gridcell", name=re.compile("^a1, o"))).to_be_visible()
        tab = ann.context.new_page()
        tab.goto(ann.url)
        choose(tab, "c3")
        expect(ann.get_by_role("gridcell", name=re.compile("^c3, x"))).to_be_visible()
        tab.close()


def test_a_killed_server(playwright: Playwright, tmp_path: Path) -> None:
    """kill -9 in mid-game: the page says that the connection is lost, and goes on when there is a server again."""
    database = f"sqlite:///{tmp_path / 'games.db'}"
    first = Server(database)
    with person(playwright, first.address) as page:
        begin(page)
        choose(page, "b2")
        says(page, "o to move")
        first.process.kill()
        first.end()
        says(page, "Connection lost")
        choose(page, "a1")
        second = Server(database, port=first.port)
        says(page, "x to move")
        assert second.ask("games")["games"][0]["plies"] == 2
    second.end()


def test_an_engine_is_stopped(page: Page) -> None:
    """A long search is stopped by its button, and plays the best move it has found."""
    page.goto(f"{page.url}#/?game=ultimate")
    expect(cell(page, "e5")).to_be_visible()  # tic-tac-toe's form has gone
    page.get_by_label("o is", exact=True).select_option(label="Another player…")
    page.get_by_label("o is: player").fill("engine:time=50,eval=own")
    choose(page, "e5")
    page.get_by_role("button", name="What it was thinking").click()
    expect(page.get_by_text(re.compile(r"at depth \d"))).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    says(page, "x to move")


def test_a_link_is_followed_while_a_page_changes(page: Page) -> None:
    """Neither a page that is being left nor one that was left before it was ready writes its link over another's."""
    begin(page, o="Its best", game="gomoku")
    first = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(f"{first}#/")
    expect(cell(page, "h8")).to_be_visible()
    page.get_by_label("White is", exact=True).evaluate(
        """select => {
            location.hash = "#/?game=ultimate";
            select.value = "human";
            select.dispatchEvent(new Event("change", { bubbles: true }));
        }"""
    )
    expect(page.get_by_label("o is", exact=True)).to_be_visible()
    expect(page).to_have_url(f"{first}#/?game=ultimate")
    page.evaluate(
        """async () => {
            const routed = () => new Promise((done) => addEventListener("hashchange", done, { once: true }));
            for (const game of ["gomoku", "tictactoe"]) {
                location.hash = `#/?game=${game}`;
                await routed();
            }
        }"""
    )
    expect(page.get_by_role("gridcell")).to_have_count(9)
    expect(page).to_have_url(f"{first}#/?game=tictactoe")


def test_past_games(page: Page) -> None:
    """A list with replay, a file, and delete for whoever has a seat; a link to a deleted game says so."""
    begin(page, x="My student", o="Plays at random")
    says(page, "The game is over")
    link = page.url
    page.get_by_text("Save or copy the game").click()
    expect(page.get_by_label("PGN", exact=True)).to_have_value(
        re.compile(r'\[X "My student"\]\n\[O "Plays at random"\]')
    )
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save JSON lines").click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["players"] == ["My student", "random"]
    page.get_by_role("link", name="My games", exact=True).click()
    row = page.get_by_role("row").filter(has_text="My student – Plays at random")
    row.get_by_role("link").click()
    page.get_by_role("button", name="First position").click()
    says(page, "The first position")
    page.get_by_role("link", name="My games", exact=True).click()
    page.on("dialog", lambda dialog: dialog.accept())
    row.get_by_role("button", name=re.compile("Delete")).click()
    expect(row).to_have_count(0)
    page.goto(link)
    expect(page.get_by_role("alert")).to_contain_text("There is no game")


def test_the_menu_has_five_words(page: Page) -> None:
    """Trees, race and other pages to learn from are with the lessons; a game from elsewhere is opened among games."""
    menu = page.get_by_role("navigation", name="Main").get_by_role("link")
    expect(menu).to_have_text(["Play", "Analyse", "Learn", "My games", "Arena"])
    parts = page.get_by_role("navigation", name="Learn").get_by_role("link")
    expect(parts).to_have_count(0)
    menu.get_by_text("Learn").click()
    expect(parts).to_have_text(["Lessons", "Search tree", "Race", "Quiz", "Tablebases", "Self-play"])
    parts.get_by_text("Race").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("A race on")
    expect(page.get_by_role("navigation", name="Main").locator("[aria-current=page]")).to_have_text("Learn")
    expect(parts.and_(page.locator("[aria-current=page]"))).to_have_text("Race")
    pages = {"Search tree": "A search of", "Race": "A race on", "Quiz": "Quiz", "Tablebases": "Tablebases"}
    pages["Self-play"] = "Learning from self-play"
    for title, heading in pages.items():
        menu.get_by_text("Learn").click()
        page.get_by_role("main").get_by_role("link", name=title, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
    for word in ("Analyse", "My games"):
        menu.get_by_text(word).click()
        page.get_by_role("link", name="Open a game or file").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Open a game or position")


def test_a_lesson_is_read_and_run(page: Page) -> None:
    """From the list to a lesson; a command and some Python print what they print; the page shows the same its way."""
    page.get_by_role("link", name="Learn").click()
    page.get_by_role("link", name="Alpha-beta").click()
    leaves = page.get_by_role("group", name=re.compile("--spy"))
    leaves.get_by_role("button", name="Run").click()
    expect(leaves.get_by_role("log")).to_contain_text("o xxo/.o./.x.:o −1")
    expect(leaves.get_by_role("status")).to_have_text("Done.")
    leaves.get_by_role("link", name="Open the tree").click()
    expect(page.get_by_role("heading", name="A search of Tic-tac-toe")).to_be_visible()
    expect(page.get_by_role("treeitem").first).to_be_visible()
    page.go_back()
    python = page.get_by_role("group", name="Python, example 1")
    python.get_by_role("button", name="Run").click()
    expect(python.get_by_role("log")).to_contain_text(re.compile("^\\(17, 5\\)"))
    page.get_by_role("link", name="4. An expert that looks two plies ahead →").click()
    expect(page.get_by_role("img", name=re.compile("^The search for o's move"))).to_be_visible()
    page.get_by_role("group", name=re.compile("play tictactoe --position")).get_by_role("button").click()
    expect(page.get_by_role("gridcell", name=re.compile("^c1, o, last move"))).to_be_visible()


def test_a_slow_search_says_why(playwright: Playwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where searches run as plain Python, the reason stands beside what the engine found."""
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    with (
        serving(f"sqlite:///{tmp_path / 'games.db'}") as slow,
        person(playwright, slow.address) as page,
    ):
        at(page, slow, "board?game=tictactoe&moves=b2+a1")
        page.get_by_role("button", name="Engine").click()
        expect(page.get_by_text("PLYGROUND_PLAIN is set, so searches run as plain Python.")).to_be_visible()
        page.goto(f"{slow.address}/#/race?game=tictactoe&depth=2")
        says(page, "All have run. They agree")
        says(page, "PLYGROUND_PLAIN is set")


def test_a_strangers_words_are_only_words(page: Page) -> None:
    """A name that looks like markup is shown as it is written."""
    begin(page, o="<i>Sly</i>")
    expect(page.get_by_text("<i>Sly</i>", exact=True)).to_be_visible()


def test_bad_choices_are_said(page: Page) -> None:
    """An impossible board and an unknown player: the server's sentence, and the form as it was."""
    page.goto(f"{page.url}#/?game=mnk")
    expect(page.get_by_label("In a row to win")).to_be_attached()  # tic-tac-toe's form has gone
    page.get_by_text("Board and rules").click()
    page.get_by_label("In a row to win").fill("9")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("9 in a row do not fit")
    page.get_by_label("In a row to win").fill("3")
    page.get_by_label("x is", exact=True).select_option(label="Another player…")
    page.get_by_label("x is: player").fill("program:rm -rf")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(re.compile("program"))


PAGES = [
    "",
    "board?game=ultimate&moves=e5+d4",
    "board?game=tictactoe&moves=a1+b2",
    "board?game=kalah",
    "board?game=tictactoe&moves=a1+b2+c3&mode=play",
    "board?game=ultimate&moves=e5+d4&mode=back",
    "tree?game=tictactoe&start=xx./.o./...:o",
    "tree?game=ultimate&moves=e5&depth=3&step=40",
    "race?game=tictactoe&depth=3",
    "quiz?game=tictactoe",
    "games",
    "arenas",
    "edit?game=tictactoe",
    "edit?game=kalah",
    "import",
    "lessons",
    "lessons/4-expert",
]


def test_accessibility(page: Page, server: Server) -> None:
    """Axe finds nothing on any page, light and dark, with values on the board; nothing is wider than 320 px."""
    begin(page)
    for link in [*PAGES, page.url.partition("#/")[2]]:
        page.goto("about:blank")
        page.goto(f"{server.address}/#/{link}")
        page.get_by_role("heading", level=1).wait_for()
        if link.startswith(("tree", "quiz")):
            page.get_by_role("treeitem").first.wait_for()
        if link.startswith("race"):
            page.get_by_role("table").wait_for()
        if link == "board?game=tictactoe&moves=a1+b2":
            page.get_by_role("button", name="Engine").click()
            page.get_by_role("gridcell", name=re.compile("draw")).first.wait_for()
        assert_accessible(page, link)
        assert page.evaluate("document.documentElement.scrollWidth") <= 1100, link
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, link
        page.set_viewport_size({"width": 1100, "height": 760})
