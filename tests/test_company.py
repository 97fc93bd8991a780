"""Two people on two devices, and a room full of them: in real browsers, and over the wire."""

import itertools
import json
import re
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import person
from pages import Person, begin, cell, choose, playwright, room_server, says
from playwright.sync_api import Page, Playwright, expect
from servers import Answer, Server, serving
from waiting import LIMIT, until
from websockets.sync.client import ClientConnection

from plyground.web import limits
from plyground.web.operations import BY_NAME
from plyground.web.server import addresses
from plyground.web.views.models import At

__all__ = ["playwright"]


server = room_server


@pytest.fixture
def anybody(playwright: Playwright, server: Server) -> Person:
    """`with anybody() as page:` a person with cookies and storage of their own."""
    return partial(person, playwright, server.address)


def told(server: Server, op: str, status: int = 200, **args: object) -> Answer:
    """An operation's answer."""
    return server.ask(op, status, **args)


# -- two people --------------------------------------------------------------------------------------------------------


def fair(page: Page) -> None:
    """Nothing that axe finds, light and dark, wide and narrow; nothing wider than the screen."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for width in (390, 1100):
            page.set_viewport_size({"width": width, "height": 760})
            results = Axe().run(page)
            assert results.violations_count == 0, results.generate_report()
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_friend_is_invited(anybody: Person) -> None:
    """By a link that gives the seat away; names; take-back and draw by consent; a rematch with sides changed."""
    with anybody() as ann, anybody() as bob:
        begin(ann)
        ann.get_by_role("button", name="Invite a person…").click()
        ann.get_by_label("Your name").fill("Ann <b>")
        ann.get_by_label("Your name").blur()
        ann.get_by_role("img", name="The link as a QR code").wait_for()
        fair(ann)
        link = ann.get_by_label("Link", exact=True).input_value()
        assert urlsplit(link).hostname not in ("localhost", "127.0.0.1")
        local = link.replace(urlsplit(link).netloc, urlsplit(ann.url).netloc)
        bob.goto(local)
        bob.get_by_role("grid").wait_for()
        expect(bob.get_by_text("Ann <b>, here")).to_be_visible()
        says(ann, "o is here.")
        expect(ann.get_by_role("dialog")).to_have_count(0)
        bob.get_by_role("button", name="Your name…").click()
        bob.get_by_label("Your name").fill("Bob")
        bob.get_by_role("button", name="Close").click()
        expect(ann.get_by_text("Bob, here")).to_be_visible()
        choose(ann, "b2")
        expect(cell(bob, "b2, x")).to_be_visible()
        choose(ann, "a1")  # it was her seat once
        expect(ann.get_by_role("alert")).to_contain_text("not your turn")
        ann.get_by_role("button", name="Ask to take back").click()
        says(bob, "Ann <b> asks to take the last move back.")
        bob.get_by_role("button", name="Decline").click()
        says(ann, "That is declined.")
        ann.get_by_role("button", name="Ask to take back").click()
        bob.get_by_role("button", name="Accept").click()
        expect(ann.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(9)
        bob.get_by_role("button", name="Offer a draw").click()
        fair(ann)
        ann.get_by_role("button", name="Accept").click()
        says(bob, "A draw: by agreement.")
        bob.get_by_role("button", name="Rematch").click()
        ann.get_by_role("button", name="Accept").click()
        says(bob, "Your turn: x to move")
        choose(bob, "c3")  # sides are changed
        expect(cell(ann, "c3, x")).to_be_visible()
        assert ann.url == bob.url
        with anybody() as eve:
            eve.goto(local)
            expect(eve.get_by_role("alert")).to_contain_text("This invitation has been used")
        bob.goto("about:blank")
        says(ann, "Bob has left")
        bob.go_back()
        says(ann, "Bob is here")


def test_what_two_people_may(server: Server) -> None:
    """A seat is passed on once, and its old secret is worth nothing; only the other person agrees; Nim has no draws."""
    game = told(server, "create", game="nim")
    ident, seats = game["id"], game["seats"]
    mine = {"id": ident, "seat": seats["o"], "secret": "b" * 32, "name": " Bob\u202e\n the\tgreat "}
    for _ in range(2):  # an answer that was lost is asked for again
        assert told(server, "sit", **mine)["people"]["o"] == {"name": "Bob the great", "here": False}
    assert "has been used" in told(server, "sit", 403, **mine | {"secret": "e" * 32})["error"]
    assert "no seat" in told(server, "resign", 403, id=ident, seat=seats["o"])["error"]
    told(server, "sit", 422, **mine | {"name": "n" * 25})
    assert "cannot end in a draw" in told(server, "offer", 400, id=ident, seat=seats["x"], what="draw")["error"]
    assert "over" in told(server, "offer", 400, id=ident, seat=seats["x"], what="rematch")["error"]
    told(server, "resign", id=ident, seat="b" * 32)
    for seat in (seats["x"], seats["x"]):  # one who asks twice agrees with nobody
        assert told(server, "offer", id=ident, seat=seat, what="rematch")["next"] is None
    following = told(server, "offer", id=ident, seat="b" * 32, what="rematch")["next"]
    assert (
        told(server, "play", id=following, seat="b" * 32, ply=1, move="1-1")["people"]["x"]["name"] == "Bob the great"
    )
    alone = told(server, "create", game="tictactoe", o="first")
    assert "two people" in told(server, "offer", 400, id=alone["id"], seat=alone["seats"]["x"], what="draw")["error"]


def two(server: Server, ann: Page, bob: Page, clock: str) -> Answer:
    """A game of two people, each on a device."""
    made = told(server, "create", game="tictactoe", clock=clock)
    for page, side in ((ann, "x"), (bob, "o")):
        page.goto("about:blank")
        page.goto(f"{server.address}/#/game/{made['id']}?{side}={made['seats'][side]}&values=1&mode=analyse")
        page.get_by_role("button", name="Your name…").wait_for()
    return made


HELPS = re.compile("Engine|Why not|Hint|Analyse|Look back|Review|Watch a search|Play on")
UNHELPED = "no engine helps"


def assert_unhelped(page: Page) -> None:
    """No button of an engine's help is there, no key gives it, and no link has asked for it."""
    expect(page).to_have_url(re.compile(r"/game/[\w-]+$"))
    expect(page.get_by_role("button", name=HELPS)).to_have_count(0)
    page.keyboard.press("v")
    expect(page.get_by_role("alert")).to_contain_text(UNHELPED)
    expect(page.get_by_role("img", name=re.compile("^Value"))).to_have_count(0)


def test_no_engine_helps_two_people(anybody: Person, server: Server) -> None:
    """Neither them nor who watches, before the end, unless both agree; a rematch is a new page."""
    with anybody() as ann, anybody() as bob, anybody() as eve:
        two(server, ann, bob, clock="5+0")
        eve.goto("about:blank")
        eve.goto(f"{ann.url}?values=1")
        choose(ann, "b2")
        says(bob, "Your turn")
        for page in (ann, bob, eve):
            assert_unhelped(page)
        ann.get_by_role("button", name="Ask for an engine's help").click()
        says(bob, "would like an engine's help for both")
        bob.get_by_role("button", name="Decline").click()
        says(ann, "That is declined.")
        assert_unhelped(ann)
        bob.get_by_role("button", name="Ask for an engine's help").click()
        ann.get_by_role("button", name="Accept").click()
        for page in (ann, bob, eve):
            page.get_by_role("button", name="Analyse").click()
            page.get_by_role("button", name="Engine").click()
            expect(page.get_by_role("img", name="Value: draw")).to_be_visible()
        bob.get_by_role("button", name="Flip").click()
        ann.get_by_role("button", name="Play", exact=True).click()
        ann.get_by_role("button", name="Resign").click()
        ann.get_by_role("button", name="Yes, give up").click()
        expect(eve.get_by_role("button", name="Engine")).to_be_visible()
        bob.get_by_role("button", name="Rematch").click()
        ann.get_by_role("button", name="Accept").click()
        for page in (ann, bob):
            says(page, "x to move")
            assert_unhelped(page)
            for words in ("agreed", "seconds left"):
                expect(page.get_by_text(words)).to_have_count(0)


def test_a_game_that_is_joined(anybody: Person, server: Server) -> None:
    """One who plays both sides may have help; it ends when another person sits down."""
    with anybody() as ann, anybody() as bob:
        begin(ann)
        choose(ann, "b2")
        ann.keyboard.press("v")
        expect(ann.get_by_role("img", name="Value: draw")).to_be_visible()
        ann.get_by_role("button", name="Invite a person…").click()
        link = ann.get_by_label("Link", exact=True).input_value()
        ann.get_by_role("button", name="Close").click()
        bob.goto(link.replace(urlsplit(link).netloc, urlsplit(server.address).netloc))
        says(bob, "Your turn")
        assert_unhelped(ann)


AT: Answer = {"game": "tictactoe", "moves": ["b2"]}
MORE: dict[str, Answer] = {
    "reply": {"player": "level:easy"},
    "judge": {"move": "a1"},
    "node": {"path": []},
    "boards": {"nodes": []},
    "saved": {"path": []},
    "tree_file": {"form": "svg"},
}
"""What these operations need beside a position."""
VALUING = [
    operation
    for operation in BY_NAME.values()
    if issubclass(operation.args, At) and (operation.name == "reply" or not operation.in_exam)
]
"""The operations that tell values or good moves of a position."""


def test_the_server_helps_nobody_who_follows(server: Server) -> None:
    """On the connection of a player, or of who watches, each operation is refused that tells a value in the game, for a
    position before it and one after it, until both agree, or the game is over."""

    numbers = itertools.count(1)

    def ask(web: ClientConnection, op: str, **args: object) -> Answer:
        number = next(numbers)
        web.send(json.dumps({"id": number, "op": op, "args": args}))
        while (heard := json.loads(web.recv(timeout=LIMIT)))["id"] != number:
            pass  # an earlier request's
        found: Answer = heard
        return found

    made = told(server, "create", game="tictactoe")
    ident, seats = made["id"], made["seats"]
    told(server, "play", id=ident, seat=seats["x"], ply=1, move="b2")
    sides: list[list[str]] = [[seats["x"]], [], [seats["x"], seats["o"]]]
    assert {"study", "analyse", "review", "explore", "tree", "race"} <= {each.name for each in VALUING}
    with ExitStack() as open_ones:
        player, watcher, both = (open_ones.enter_context(server.socket()) for _ in sides)
        for web, secrets in zip((player, watcher, both), sides, strict=True):
            ask(web, "follow", id=ident, seats=secrets)
        for web in (player, watcher):
            for operation in VALUING:
                refused = ask(web, operation.name, **AT, **MORE.get(operation.name, {}))
                assert UNHELPED in refused["error"], operation.name
            for moves in ([], ["b2", "a1"]):
                assert UNHELPED in ask(web, "analyse", **AT | {"moves": moves})["error"]
            assert UNHELPED in ask(web, "analyse", game="mnk:3,3,3", start=made_text(server))["error"]
            assert "error" not in ask(web, "analyse", **AT | {"moves": ["a1"]}, depth=1)
            assert "error" not in ask(web, "position", **AT)
        assert "error" not in ask(both, "analyse", **AT, depth=1)
        for seat in (seats["x"], seats["o"]):
            told(server, "offer", id=ident, seat=seat, what="help")
        assert "agreed" in told(server, "offer", 400, id=ident, seat=seats["x"], what="help")["error"]
        assert "error" not in ask(watcher, "analyse", **AT, depth=1)
        told(server, "resign", id=ident, seat=seats["x"])
        for seat in (seats["x"], seats["o"]):
            following = told(server, "offer", id=ident, seat=seat, what="rematch")["next"]
        ask(player, "follow", id=following, seats=[seats["x"]])
        assert UNHELPED in ask(player, "analyse", game="tictactoe")["error"]
        told(server, "resign", id=following, seat=seats["x"])
        assert "error" not in ask(player, "analyse", game="tictactoe", depth=1)


def made_text(server: Server) -> str:
    """The text of that position."""
    text: str = told(server, "position", **AT)["text"]
    return text


def test_a_lost_connection(anybody: Person, server: Server) -> None:
    """It is said soon, with no guess about the other's clock and presence; and when it is there again, with what has
    happened since."""
    with anybody() as ann, anybody() as bob:
        made = two(server, ann, bob, clock="5+0")
        choose(ann, "b2")
        says(bob, "Your turn")
        clock = bob.get_by_role("timer", name="x's clock")
        expect(clock).to_have_text(re.compile("^[45]:"))
        choose(bob, "a1")
        says(ann, "Your turn")
        bob.context.set_offline(True)
        says(bob, "Connection lost, trying again")
        expect(clock).to_have_text("?")
        expect(bob.get_by_text("not known whether here")).to_be_visible()
        told(server, "play", id=made["id"], seat=held_by(ann, made["id"]), ply=3, move="c3")
        bob.context.set_offline(False)
        says(bob, "Connected again.")
        expect(cell(bob, "c3, x")).to_be_visible()
        expect(clock).to_have_text(re.compile("^[45]:"))
        expect(bob.get_by_text("here", exact=False).filter(has_text="another person, here")).to_be_visible()


def held_by(page: Page, game: str) -> str:
    """The secret of the seat that a browser holds as x."""
    secret: str = page.evaluate(
        "(id) => Object.values(localStorage).map((text) => JSON.parse(text)).find((kept) => kept?.[id])[id].x", game
    )
    return secret


# -- a room ------------------------------------------------------------------------------------------------------------


def enter(page: Page, name: str) -> None:
    """Come into the room."""
    page.get_by_role("link", name="Room", exact=True).click()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your name").blur()
    expect(page.get_by_text(f"{name} (you)")).to_be_visible()


def test_a_room(anybody: Person, server: Server) -> None:
    """Who is here; a challenge that leads both to the game; the teacher shows a page to all, and lets them go."""
    teacher = re.search(r"teacher=(\S+)", server.said)
    assert teacher
    with anybody() as ann, anybody() as bob, anybody() as chief:
        enter(ann, "Ann")
        enter(bob, "Bob")
        expect(ann.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
        fair(bob)
        bob.get_by_label("Clock").select_option("5+3")
        bob.get_by_role("button", name="I want to play").click()
        ann.get_by_role("button", name=re.compile("^Play .* with Bob")).click()
        for page in (ann, bob):
            expect(page.get_by_role("group", name="Clocks").get_by_role("timer")).to_have_text(["5:00", "5:00"])
        assert ann.url == bob.url
        expect(ann.get_by_text("Bob, here")).to_be_visible()
        chief.goto(f"{server.address}/#/room?teacher={teacher[1]}")
        chief.get_by_role("group", name="Teacher").wait_for()
        chief.goto(f"{server.address}/#/board?game=tictactoe&moves=b2+a1")
        before = ann.url
        chief.get_by_role("button", name="Everybody look here").click()
        expect(cell(ann, "b2, x")).to_be_visible()
        says(bob, "Everybody looks at this.")
        chief.get_by_role("button", name="Exam: hide values").click()
        says(ann, "values are hidden")
        assert "exam" in told(server, "analyse", 400, game="tictactoe")["error"]
        fair(chief)
        chief.get_by_role("button", name="Exam: hide values").click()
        chief.get_by_role("button", name="Let them go").click()
        expect(ann).to_have_url(before)
        ann.get_by_role("link", name="Room", exact=True).click()
        ann.get_by_role("button", name="Ask Bob for a game").click()
        expect(bob.get_by_text("Ann asks you for a game")).to_be_visible()
        bob.get_by_role("button", name="Decline").click()
        expect(ann.get_by_role("button", name="Ask Bob for a game")).to_be_visible()
    assert "Only the teacher" in told(server, "show", 403, teacher="guess", link="#/quiz")["error"]
    told(server, "show", 422, teacher=teacher[1], link="https://elsewhere.example")


def test_a_teacher_pairs_a_class(anybody: Person, server: Server) -> None:
    """A round opens its games at both; the teacher sees small boards, byes and points; the next round waits for them.

    A page that is loaded again is the same person, and a game of a person who has left is lost.
    """
    teacher = re.search(r"teacher=(\S+)", server.said)
    assert teacher
    with anybody() as ann, anybody() as bob, anybody() as cem, anybody() as chief:
        for page, name in ((ann, "Ann"), (bob, "Bob"), (cem, "Cem")):
            enter(page, name)
            expect(page.get_by_text("Say your name")).to_have_count(0)
        chief.goto(f"{server.address}/#/room?teacher={teacher[1]}")
        expect(chief.get_by_role("button", name="Remove Cem from the room")).to_be_visible()
        chief.get_by_label("Game", exact=True).select_option(label="Tic-tac-toe")
        chief.get_by_label("Clock").select_option("30+0")
        chief.get_by_role("button", name="Begin round 1").click()
        for page in (ann, bob):
            expect(page.get_by_role("group", name="Clocks").get_by_role("timer")).to_have_text(["30:00", "30:00"])
        says(cem, "Round 1: you have a bye, which counts 1 point.")
        games = chief.get_by_role("region", name="Games of the room")
        expect(games.get_by_role("listitem").first).to_contain_text("Ann – Bob Round 1: x to move", use_inner_text=True)
        chief.get_by_role("button", name="Begin round 2").click()
        expect(chief.get_by_role("alert").filter(has_text="Round 1 goes on: 1 game is open.")).to_be_visible()
        choose(ann, "b2")
        expect(games.get_by_role("listitem").first).to_contain_text("o to move")
        bob.get_by_role("button", name="Resign").click()
        bob.get_by_role("button", name="Yes, give up").click()
        expect(games.get_by_role("row", name="Ann 1 1")).to_be_visible()
        expect(games.get_by_role("row", name="Cem 1 0")).to_be_visible()
        expect(games.get_by_text("Round 1: Cem has a bye, which counts 1 point.")).to_be_visible()
        fair(chief)
        cem.reload()
        expect(cem.get_by_text("Cem (you)")).to_be_visible()
        chief.get_by_role("button", name="Begin round 2").click()
        expect(games.get_by_role("listitem").first).to_contain_text("Cem – Ann Round 2", use_inner_text=True)
        says(bob, "Round 2: you have a bye")
        cem.goto("about:blank")
        expect(chief.get_by_role("button", name="Remove Cem from the room")).to_have_count(0)
        chief.get_by_role("button", name="Begin round 3").click()
        expect(games.get_by_role("row", name="Ann 2 2")).to_be_visible()
        chief.get_by_role("button", name="A new tournament").click()
        expect(chief.get_by_role("alert").filter(has_text="goes on")).to_have_count(0)
        expect(games.get_by_role("table")).to_have_count(0)
        chief.get_by_label("Who meets whom").select_option("ladder")
        chief.get_by_role("button", name="A new tournament").click()
        expect(games.get_by_role("row").nth(1)).to_have_accessible_name("1 Ann 0 0")
        ann.get_by_role("button", name="Resign").click()
        ann.get_by_role("button", name="Yes, give up").click()
        expect(games.get_by_role("row").nth(1)).to_have_accessible_name("1 Bob 1 1")
        expect(games.get_by_role("row").nth(2)).to_have_accessible_name("2 Ann 0 1")
    assert "Only the teacher" in told(server, "pair", 403, teacher="guess", game="tictactoe")["error"]


def test_a_teacher_removes_a_name(anybody: Person, server: Server) -> None:
    """By a button at every name but the teacher's own; the other page says so, and comes in under another name."""
    teacher = re.search(r"teacher=(\S+)", server.said)
    assert teacher
    with anybody() as eve, anybody() as chief:
        enter(eve, "Rude")
        expect(eve.get_by_role("button", name="Remove")).to_have_count(0)
        chief.goto(f"{server.address}/#/room?teacher={teacher[1]}")
        remove = chief.get_by_role("button", name="Remove Rude from the room")
        expect(remove).to_be_visible()
        fair(chief)
        remove.click()
        expect(chief.get_by_text("Nobody has said a name yet.")).to_be_visible()
        says(eve, "The teacher has removed the name 'Rude' from the room: come in under another.")
        fair(eve)
        enter(eve, "Eve")
        expect(eve.get_by_text("has removed")).to_have_count(0)


# -- who is let in -----------------------------------------------------------------------------------------------------


def test_it_is_reached_by_this_machines_addresses(server: Server) -> None:
    """Those that it prints, and no others by name: a name is what an attacker can let point here."""
    found = addresses.reached_at("0.0.0.0", server.port)
    own = {each.address for several in psutil.net_if_addrs().values() for each in several}
    if not found:
        pytest.skip("this machine has no address but its own")
    assert all(urlsplit(each).hostname in own and each in server.said for each in found)
    assert found == told(server, "menu")["addresses"] and "0.0.0.0" not in server.said
    assert httpx.post(f"{found[0]}/api/menu", json={}).status_code == 200
    assert httpx.get(found[0], headers={"Host": "rebound.example"}).status_code == 421
    assert addresses.reached_at("127.0.0.1", 80) == addresses.reached_at("localhost", 80) == []
    assert addresses.reached_at("::1", 80) == [] and addresses.reached_at("10.1.2.3", 80) == ["http://10.1.2.3:80"]


def test_limits_for_strangers(server: Server) -> None:
    """A rate and a size each: games begun, codes."""
    until(lambda: server.http.post("/api/create", json={"game": "tictactoe"}).status_code == 429)
    until(lambda: server.http.post("/api/create", json={"game": "tictactoe"}).status_code == 200)
    told(server, "qr", 422, text="x" * (limits.LONGEST_QR + 1))
    assert told(server, "qr", text="http://192.168.1.7:8000")["size"] == 33


def test_a_page_that_is_refused_says_why(playwright: Playwright, tmp_path: Path) -> None:
    """It shows the sentence with which it is refused, and begins once there is room."""
    with serving(f"sqlite:///{tmp_path / 'games.db'}", "--per-address", "1") as narrow, ExitStack() as stack:
        stack.enter_context(narrow.socket())
        with person(playwright, narrow.address) as page:
            refused = page.get_by_role("status").filter(has_text="pages from one address")
            expect(refused).to_be_visible()
            stack.close()
            expect(page.get_by_role("grid")).to_be_visible()
            expect(refused).to_have_count(0)


@pytest.mark.process
def test_without_a_room(tmp_path: Path) -> None:
    """A server for its own machine has no room, no address for others, and says so."""
    with serving(f"sqlite:///{tmp_path / 'games.db'}") as alone:
        menu = told(alone, "menu")
        assert (menu["room"], menu["addresses"]) == (False, [])
        assert "no classroom" in told(alone, "challenge", 400, me="a", game="tictactoe")["error"]


@pytest.mark.process
def test_bad_names_of_files() -> None:
    """What a file has is said when something else is named."""
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--game", "nowhere.py:Nim"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=LIMIT)
    assert done.returncode == 2 and "no file nowhere.py" in done.stderr and len(done.stderr.splitlines()) == 1
