"""Several servers on one PostgreSQL: one set of games, a database that goes and comes, answers that are lost."""

import asyncio
import random
import signal
import socket
import sys
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, closing, suppress
from typing import Any

import httpx
import pytest
from databases import PostgreSQL, running
from servers import Server, play_a_game, serving
from waiting import LIMIT, until

from plyground.database.connecting import Uncertain
from plyground.web.games.saved_games import NotFound, SavedGames, TooLate
from plyground.web.games.store import GameStore
from plyground.web.server.errors import sentence_of
from plyground.web.views import models as m

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL that these tests stop and start."""
    with running() as server:
        yield server


def told(story: Callable[[], Awaitable[None]]) -> None:
    """Run a story in an event loop."""
    asyncio.run(asyncio.wait_for(story(), LIMIT))


def play(made: m.CreatedView, ply: int, move: str) -> m.Play:
    """A move of a new game."""
    return m.Play(id=made.id, seat=made.seats["x" if ply % 2 else "o"], ply=ply, move=move)


async def eventually(views: AsyncGenerator[m.GameView, None], moves: list[str]) -> m.GameView:
    """The view in which a game has come to these moves."""
    async for view in views:
        if view.position.moves == moves:
            return view
    raise AssertionError("the stream has ended")


# -- one set of games --------------------------------------------------------------------------------------------------


def test_two_servers_serve_one_game(postgresql: PostgreSQL) -> None:
    """Whichever a page talks to: it sees what was stored by the other, is told of it, and may go on at once."""

    async def story() -> None:
        first, second = SavedGames(GameStore(postgresql.url)), SavedGames(GameStore(postgresql.url))
        made = await first.create(m.Create(game="tictactoe"))
        here = m.Follow(id=made.id)
        async with aclosing(first.stream_game(here)) as left, aclosing(second.stream_game(here)) as right:
            for ply, (games, move) in enumerate(
                [(first, "b2"), (second, "a1"), (second, "c3"), (first, "c1")], start=1
            ):
                await games.play(play(made, ply, move))
                assert (await games.play(play(made, ply, move))).version == ply  # sent again
                other = second if games is first else first
                assert (await other.open(m.Open(id=made.id))).version == ply
                assert (await other.play(play(made, ply, move))).version == ply
            for stream in (left, right):
                await eventually(stream, ["b2", "a1", "c3", "c1"])
            for games in (first, second):
                with pytest.raises(TooLate, match="made there already: c1"):
                    await games.play(play(made, 4, "a3"))
            await first.delete(m.Delete(id=made.id, seat=made.seats["x"]))
            assert [view.version async for view in right][-1:] in ([], [4])
        with pytest.raises(NotFound):
            await second.play(play(made, 5, "a3"))
        first.close()
        second.close()

    told(story)


def test_two_claim_one_ply(postgresql: PostgreSQL) -> None:
    """At two servers at once: one move counts, the other is refused by its name; the same sent to both is no error."""

    async def story() -> None:
        servers = [SavedGames(GameStore(postgresql.url)) for _ in range(2)]
        made = await servers[0].create(m.Create(game="tictactoe"))
        for games in servers:
            await games.open(m.Open(id=made.id))
        answers = await asyncio.gather(
            *(games.play(play(made, 1, move)) for games, move in zip(servers, ("a1", "b2"), strict=True)),
            return_exceptions=True,
        )
        (view,) = [each for each in answers if isinstance(each, m.GameView)]
        (refused,) = [each for each in answers if isinstance(each, TooLate)]
        assert str(refused) == f"Another move has been made there already: {view.position.moves[0]}."
        same = await asyncio.gather(*(games.play(play(made, 2, "c3")) for games in servers))
        assert [each.position.moves for each in same] == [[*view.position.moves, "c3"]] * 2
        for games in servers:
            games.close()

    told(story)


# -- a database that goes and comes ------------------------------------------------------------------------------------


def test_postgresql_is_restarted(postgresql: PostgreSQL) -> None:
    """While it is down every operation is 503 and a sentence; when it is back all goes on, watchers are told again."""
    with serving(postgresql.url) as server, serving(postgresql.url) as other:
        game, moves = play_a_game(server)
        ident, seats = game["id"], game["seats"]
        assert other.ask("open", id=ident)["position"]["moves"] == moves
        postgresql.stop("immediate")
        asked = {
            "open": {"id": ident},
            "games": {},
            "export": {"id": ident},
            "create": {"game": "tictactoe"},
            "play": {"id": ident, "seat": seats["o"], "ply": 4, "move": "c1"},
            "explore": {"game": "tictactoe"},
            "arenas": {},
            "arena": {"id": "none"},
        }
        for op, args in asked.items():
            said = server.ask(op, 503, **args)["error"]
            assert "cannot be read" in said or "nothing has changed" in said, (op, said)
        postgresql.start()
        after = until(lambda: answered(server, "play", **asked["play"]))
        assert after["position"]["moves"] == [*moves, "c1"]
        until(lambda: other.ask("open", id=ident)["position"]["moves"] == [*moves, "c1"])
        other.ask("play", id=ident, seat=seats["x"], ply=5, move="a3")
        assert server.ask("open", id=ident)["version"] == 5


def answered(server: Server, op: str, **args: object) -> dict[str, Any]:
    """An answer; empty while there is none."""
    answer = server.http.post(f"/api/{op}", json=args)
    found: dict[str, Any] = answer.json() if answer.status_code == 200 else {}
    return found


class Cutter:
    """Stands between a server and PostgreSQL, and cuts the connection at a commit: before or after it has arrived."""

    def __init__(self, port: int) -> None:
        self._port, self.cut = port, ""
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._port))
            lost = threading.Event()
            threading.Thread(target=self._ask, args=(near, far, lost), daemon=True).start()
            threading.Thread(target=self._answer, args=(near, far, lost), daemon=True).start()

    def _ask(self, near: socket.socket, far: socket.socket, lost: threading.Event) -> None:
        with near, far, suppress(OSError):
            while data := near.recv(65_536):
                if self.cut and b"COMMIT" in data:
                    if self.cut == "before":
                        self.cut = ""
                        break
                    self.cut = ""
                    lost.set()
                far.sendall(data)
            near.shutdown(socket.SHUT_RDWR)
            far.shutdown(socket.SHUT_RDWR)

    def _answer(self, near: socket.socket, far: socket.socket, lost: threading.Event) -> None:
        with suppress(OSError):
            while (data := far.recv(65_536)) and not lost.is_set():
                near.sendall(data)
            near.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Accept no more."""
        self._server.close()


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_commit_whose_answer_is_lost(cut: str, postgresql: PostgreSQL) -> None:
    """The sentence does not say that nothing has changed; what is stored is told to all who follow the game; the same
    move sent again is no error and counts once."""

    async def story() -> None:
        games = SavedGames(GameStore(f"postgresql+psycopg://plyground@127.0.0.1:{cutter.port}/postgres"))
        made = await games.create(m.Create(game="tictactoe"))
        await games.play(play(made, 1, "b2"))
        views = games.stream_game(m.Follow(id=made.id))
        assert (await anext(views)).version == 1
        cutter.cut = cut
        with pytest.raises(Uncertain) as lost:
            await games.play(play(made, 2, "a1"))
        if cut == "after":  # it was stored: whoever follows the game sees it at once
            assert (await anext(views)).version == 2
        await views.aclose()
        assert "nothing has changed" not in sentence_of(lost.value) and "Look whether it is before" in str(lost.value)
        view = await games.play(play(made, 2, "a1"))
        assert view.position.moves == ["b2", "a1"] and view.version == 2
        assert (await games.open(m.Open(id=made.id))).position.moves == ["b2", "a1"]
        games.close()

    with closing(Cutter(postgresql.port)) as cutter:
        told(story)


# -- a server that is killed -------------------------------------------------------------------------------------------


async def play_on(addresses: Sequence[str], clients: int, plies: int, killing: Callable[[], None]) -> list[list[str]]:
    """Clients who play, each both sides of a game, at whichever server answers; the ids and acknowledged moves.

    Args:
        addresses: of servers, or of a proxy before them.
        clients: how many.
        plies: of each game, at most.
        killing: is called when each game has three moves on average.
    """
    acknowledged = 0

    async def client(number: int) -> list[str]:
        nonlocal acknowledged
        chance = random.Random(number)
        transport = httpx.AsyncHTTPTransport(local_address=f"127.2.{number // 250}.{1 + number % 250}")
        async with httpx.AsyncClient(transport=transport, timeout=LIMIT) as web:

            async def ask(op: str, **args: object) -> dict[str, Any]:
                """Ask until there is an answer: the same again is no error."""
                while True:
                    try:
                        answer = await web.post(f"{chance.choice(addresses)}/api/{op}", json=args)
                    except httpx.TransportError:  # that server has gone
                        continue
                    if answer.status_code == 200:
                        found: dict[str, Any] = answer.json()
                        return found
                    assert answer.status_code in (429, 502, 503), answer.text
                    await asyncio.sleep(0.05)

            made = await ask("create", game="connectfour")
            view, moves = await ask("open", id=made["id"]), list[str]()
            for ply in range(1, plies + 1):
                if view["over"]:
                    break
                move = chance.choice(view["position"]["legal"])
                seat = made["seats"]["x" if ply % 2 else "o"]
                view = await ask("play", id=made["id"], seat=seat, ply=ply, move=move)
                moves.append(move)
                assert view["position"]["moves"] == moves and view["version"] == ply
                acknowledged += 1
                if acknowledged == clients * 3:
                    await asyncio.to_thread(killing)
            return [made["id"], *moves]

    return await asyncio.gather(*(client(number) for number in range(clients)))


@pytest.mark.skipif(sys.platform != "linux", reason="clients have addresses of their own in all of 127/8 only there")
def test_a_server_is_killed_while_many_play(postgresql: PostgreSQL) -> None:
    """No acknowledged move is lost or doubled: those who were at that server send their move again to the other."""
    with serving(postgresql.url) as server:
        other = Server(postgresql.url)

        def kill() -> None:
            other.process.send_signal(signal.SIGKILL)
            other.end()

        games = asyncio.run(asyncio.wait_for(play_on([server.address, other.address], 24, 6, kill), LIMIT))
        for number, *moves in games:
            kept = server.ask("open", id=number)
            assert kept["position"]["moves"] == moves and kept["version"] == len(moves)
