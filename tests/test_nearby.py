"""The game's module in the playground: where it is, the page's own workers reply; where it is not, the server does."""

import hashlib
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import person
from own_game import LATER, PILE
from pages import begin, choose, plain_server, says
from playwright.sync_api import Page, Playwright, Route, WebSocket, expect
from servers import Server, serving
from waiting import LIMIT, until

import plyground as pg
from plyground.web.views.module_facts import module_and_facts

pytestmark = [pytest.mark.compiled, pytest.mark.process]
__all__ = ["plain_server"]
EASY = "Easy"
COUNTING = """
globalThis.heard = [];
globalThis.theirs = [];
globalThis.Worker = class extends Worker {
  constructor(...args) {
    super(...args);
    theirs.push(this);
    this.addEventListener("message", ({ data }) => "ok" in data && heard.push(data.ok));
  }
  terminate() {
    super.terminate();
    theirs.splice(theirs.indexOf(this), 1);
  }
};
"""
"""In every page: its workers that live, and what they have answered; once one has, they are there."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of somebody's own."""
    found = tmp_path_factory.mktemp("own") / "pile.py"
    found.write_text(PILE, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def server(file: Path) -> Iterator[Server]:
    """A server with a room and that game; what is played in these stories is compiled and built before."""
    for name in ("tictactoe", "connectfour"):
        next(pg.think(pg.Position.initial(pg.game_named(name)), pg.Limit(depth=1), every_move=True))
        module_and_facts(name)
    with serving(f"sqlite:///{file.parent / 'games.db'}", "--room", "--game", f"{file}:Pile") as started:
        yield started


class Story:
    """A page, and what it has asked the server."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        """The operations, in order."""
        self.plies = 0
        page.add_init_script(COUNTING)
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.asked.append(json.loads(frame)["op"]))

    def begin(self) -> None:
        """A game of Connect Four against a level, up to the second own move."""
        begin(self.page, game="connectfour", o=EASY)
        self.move("d6")

    def move(self, place: str) -> None:
        """An own move, and the reply."""
        choose(self.page, place)
        self.shows(self.plies + 2)

    def shows(self, plies: int) -> None:
        """So many moves stand on the board, and it is the person's turn."""
        self.plies = plies
        expect(self.page.get_by_role("gridcell", name=re.compile(", empty"))).to_have_count(6 * 7 - plies)
        says(self.page, "Your turn: Red to move")

    def takes_back(self) -> None:
        """An own move and its reply are taken back: with three stones a side no game has ended."""
        self.page.get_by_role("button", name="Undo", exact=True).click()
        self.shows(self.plies - 2)

    def until_they_are_there(self) -> None:
        """The workers have the module."""
        until(lambda: self.page.evaluate("heard.length"))

    def meanwhile(self, place: str) -> list[str]:
        """What the server is asked in the course of a move and its reply, beside positions; drawing takes its time."""
        before = len(self.asked)
        self.move(place)
        return [operation for operation in self.asked[before:] if operation != "position"]


@pytest.fixture
def story(playwright: Playwright, server: Server, tmp_path: Path) -> Iterator[Story]:
    """Somebody with a browser."""
    with person(playwright, server.address) as page:
        yield Story(page)


def module_of(server: Server, game: str) -> Any:
    """What the server says of a game's module, on a socket."""
    with server.socket() as web:
        web.send(json.dumps({"id": 1, "op": "module", "args": {"game": game}}))
        return json.loads(web.recv(timeout=LIMIT))


def test_a_reply_without_the_server(story: Story) -> None:
    """After the module has come the server keeps the moves, and is not asked for one; nor when one is taken back."""
    story.begin()
    assert story.asked.count("reply") == story.asked.count("module") == 1
    story.until_they_are_there()
    assert story.meanwhile("c6") == ["play", "play"]
    story.takes_back()
    assert story.meanwhile("b6") == ["play", "play"]
    before = len(story.asked)
    story.page.get_by_role("button", name="Hint", exact=True).click()
    says(story.page, "Try ")
    assert story.asked[before:] == ["analyse"]
    story.page.reload()
    story.shows(4)
    assert "reply" in story.meanwhile("c6")
    story.until_they_are_there()
    story.takes_back()
    assert "reply" not in story.meanwhile("e6")


@pytest.mark.parametrize("sent", [None, b"", b"\0asm junk", "text"])
def test_a_module_that_cannot_be_had(sent: bytes | str | None, story: Story) -> None:
    """The server makes the replies, nothing is said of it, and the module is not asked for again."""

    def answered(route: Route) -> None:
        if sent is None:
            route.abort()
        else:
            route.fulfill(body=sent, content_type="application/wasm" if isinstance(sent, bytes) else "text/plain")

    story.page.route("**/modules/*", answered)
    with story.page.expect_request("**/modules/*"):
        story.begin()
    assert story.meanwhile("c6") == ["play", "reply"]
    assert story.meanwhile("b6") == ["play", "reply"]
    expect(story.page.get_by_role("alert")).to_have_count(0)


def test_a_worker_that_dies(story: Story) -> None:
    """What it was asked the server is asked, and from then on all."""
    story.begin()
    story.until_they_are_there()
    story.page.evaluate("""() => {
      for (const worker of theirs) worker.postMessage = () => worker.dispatchEvent(new ErrorEvent("error"));
    }""")
    assert story.meanwhile("c6") == ["play", "reply"]
    assert story.page.evaluate("theirs.length") == 0
    assert story.meanwhile("b6") == ["play", "reply"]
    expect(story.page.get_by_role("alert")).to_have_count(0)


def test_workers_that_say_nothing(story: Story) -> None:
    """A level replies all the same: by the worker that waits for no search, or, without that, by the server."""
    story.begin()
    story.until_they_are_there()
    story.page.evaluate("""() => {
      for (const worker of theirs) {
        const post = worker.postMessage.bind(worker);
        worker.postMessage = (message) => message.args?.player?.includes("time=0.001") && post(message);
      }
    }""")
    assert story.meanwhile("c6") == ["play", "play"]
    story.page.evaluate("for (const worker of theirs) worker.postMessage = () => {};")
    assert story.meanwhile("b6") == ["play", "reply"]
    expect(story.page.get_by_role("alert")).to_have_count(0)


def test_an_exam(story: Story, server: Server) -> None:
    """While it is on there is no module, and the page's workers end; after it they come again."""
    teacher = re.search(r"teacher=([\w-]+)", server.said)
    assert teacher
    story.begin()
    story.until_they_are_there()
    server.ask("show", teacher=teacher[1], link="", exam=True)
    says(story.page, "An exam is on")
    until(lambda: story.page.evaluate("theirs.length == 0"))
    assert "exam" in module_of(server, "tictactoe")["error"]
    assert story.meanwhile("c6") == ["play", "reply"]
    story.takes_back()
    server.ask("show", teacher=teacher[1], link="", exam=False)
    expect(story.page.get_by_text("An exam is on")).to_have_count(0)
    story.page.evaluate("heard.length = 0")
    before = len(story.asked)
    assert story.meanwhile("c6")[:2] == ["play", "reply"]
    until(lambda: story.page.evaluate("true") and "module" in story.asked[before:])  # asked once the reply is drawn
    story.until_they_are_there()
    story.takes_back()
    assert story.meanwhile("c6") == ["play", "play"]


def test_where_a_module_is(server: Server) -> None:
    """It is fetched once and for all, by the hash of what it is; one that is not there is a sentence."""
    path = module_of(server, "tictactoe")["ok"]["path"]
    found = server.http.get(path)
    assert found.status_code == 200 and found.headers["content-type"] == "application/wasm"
    assert found.headers["content-encoding"] == "gzip" and "immutable" in found.headers["cache-control"]
    assert path == f"/modules/{hashlib.sha256(found.content).hexdigest()[:32]}.wasm"
    code, facts = module_and_facts("tictactoe")
    assert found.content.startswith(code) and found.content.endswith(json.dumps(facts, ensure_ascii=False).encode())
    missing = server.http.get("/modules/no.wasm")
    assert missing.status_code == 404 and "There is no such module" in missing.json()["error"]
    assert "no game" in module_of(server, "nowhere")["error"]


def test_facts_stand_in_the_module(server: Server, tmp_path: Path) -> None:
    """A module is what its name is taken from, and no less a module: WebAssembly finds its section of facts."""
    kept = tmp_path / "game.wasm"
    kept.write_bytes(server.http.get(module_of(server, "connectfour")["ok"]["path"]).content)
    read = "const m = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));"
    read += "process.stdout.write(Buffer.from(WebAssembly.Module.customSections(m, 'facts')[0]));"
    done = subprocess.run(["node", "-e", read, str(kept)], capture_output=True, check=True)
    assert json.loads(done.stdout) == json.loads(json.dumps(module_and_facts("connectfour")[1]))


def test_a_game_of_ones_own_that_is_saved(story: Story, server: Server, file: Path) -> None:
    """Its new rules are another module, and the page's workers of the old one end."""
    spec = f"{file}:Pile"
    old = module_of(server, spec)["ok"]["path"]
    story.page.goto("about:blank")
    story.page.goto(f"{server.address}/#/?game={spec}&o=first")
    take = story.page.locator("ply-board").get_by_role("button", name="0", exact=True)
    take.click()
    says(story.page, "Your turn: x to move")
    story.until_they_are_there()
    file.write_text(LATER, encoding="utf-8")
    says(story.page, "as the file has been saved")
    assert story.page.evaluate("theirs.length") == 0
    assert module_of(server, spec)["ok"]["path"] != old
    assert server.http.get(old).status_code == 404


def test_where_none_can_be_built(plain_server: Server) -> None:
    """It is said why, and nothing else changes."""
    assert "compiled rules" in module_of(plain_server, "tictactoe")["error"]
    assert plain_server.ask("reply", game="tictactoe", player="level:easy")["move"]
