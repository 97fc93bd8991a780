"""The server's front: what strangers and crowds may hold of it, and what every answer looks like."""

import asyncio
import json
import logging
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from pages import room_server
from servers import Server, free_port, serving
from starlette.responses import JSONResponse
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from waiting import LIMIT, until
from websockets.asyncio.client import connect as connected
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from plyground.errors import BadInput
from plyground.web import limits
from plyground.web.classroom.classroom import Classroom
from plyground.web.classroom.classroom_models import Enter, Remove, RoomView, Show
from plyground.web.games.saved_games import NotYours
from plyground.web.server import front
from plyground.web.server.compression import Compressed
from plyground.web.server.files import PageFiles
from plyground.web.server.guard import SERVER_FAULT, Guard, Receive, Scope, Send, network_of, visitor_of
from plyground.web.views.models import CreatedView, GameView
from plyground.workers.shares import Shares, Visitor

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: "


server = room_server


def ended(half: socket.socket) -> bytes:
    """What is said on a connection to its end."""
    half.settimeout(LIMIT)
    said = b""
    with suppress(ConnectionResetError):
        while more := half.recv(4096):
            said += more
    return said


def is_open(half: socket.socket) -> bool:
    """Whether the other side holds a connection."""
    half.setblocking(False)
    try:
        return half.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def answers(port: int) -> bool:
    """Whether a server answers there."""
    with suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}/", timeout=LIMIT).status_code == 200
    return False


# -- connections -------------------------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")
def test_half_requests_hold_up_nobody(tmp_path: Path) -> None:
    """More of them than the process may open files: a visitor is served, the oldest are closed, the log is short."""
    port, log = free_port(), tmp_path / "log"
    words = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", str(port)]
    words = ["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh", *words, "--database", f"sqlite:///{tmp_path / 'g.db'}"]
    with log.open("w") as writing, ExitStack() as stack:
        process = subprocess.Popen(words, stdout=writing, stderr=writing)
        stack.callback(process.wait, LIMIT)
        stack.callback(process.terminate)
        until(lambda: answers(port))
        halves = [stack.enter_context(socket.create_connection(("127.0.0.1", port), LIMIT)) for _ in range(300)]
        for half in halves:
            with suppress(OSError):  # closed already
                half.sendall(HALF)
        for _ in range(3):
            assert answers(port)
        until(lambda: sum(map(is_open, halves)) <= 128)
    assert len(log.read_text().splitlines()) < 20


@contextmanager
def fronted(**given: Any) -> Iterator[int]:
    """A server with a front of its own, in a thread, that answers as soon as a request is whole; its port."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while scope["path"] != "/early" and (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        if scope["path"] == "/wait":
            await send({"type": "http.response.body", "body": b"o", "more_body": True})
            await receive()
        await send({"type": "http.response.body", "body": b"ok"})

    own = front.OpenConnections(**given)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, lifespan="off", log_level="warning", **own.arguments())
    run = uvicorn.Server(config)
    thread = threading.Thread(target=run.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        run.should_exit = True
        thread.join(LIMIT)


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ([b""], b"408"),
        ([HALF], b"408"),
        ([b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"], b"408"),
        ([b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf", b"way"], b""),
        ([WHOLE, HALF], b"408"),
        ([b"GET /api/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"], b"408"),
    ],
)
def test_a_request_has_to_become_whole(monkeypatch: pytest.MonkeyPatch, sent: list[bytes], said: bytes) -> None:
    """A connection that sends nothing, half a head or half a body, first or later, is ended."""
    monkeypatch.setattr(front, "REQUEST_SECONDS", 0.1)
    with fronted(most=9) as port, socket.create_connection(("127.0.0.1", port)) as half:
        for part in sent[:-1]:
            half.sendall(part)
            assert b"HTTP/1.1 200" in half.recv(4096)
        half.sendall(sent[-1])
        last = ended(half)
    assert said in last and (b"arrive" in last and b"nosniff" in last) == (said != b"")


def test_there_is_room_for_who_asks() -> None:
    """Of as many connections as are allowed the oldest without a request gives way; one that is answered does not."""
    with fronted(most=4) as port, ExitStack() as stack:
        held = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(3)]
        held[0].sendall(WHOLE.replace(b"/", b"/wait", 1))
        while not held[0].recv(4096).endswith(b"o"):
            pass
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "ok"
        until(lambda: not all(map(is_open, held)))
        assert [is_open(each) for each in held] == [True, False, True]


def test_who_finds_no_room_reads_why() -> None:
    """Pages that are open do not give way: the next connection is refused; a proxy has no share of its own."""
    own = front.OpenConnections(most=8, proxies=["10.1.0.0/16"])

    def fill(host: str) -> int | None:
        while not (refusal := own.refusal(host)):
            own.enter(asyncio.Protocol(), host)
        return refusal[0]

    assert (fill("10.0.0.1"), own.refusal("10.1.0.1")) == (429, None)
    assert fill("10.1.0.1") == 503 == fill("10.0.0.2")
    assert front.OpenConnections(most=800, people=2).each == 2 * limits.CONNECTIONS_EACH


def trusted(proxy: str, host: str) -> bool:
    """Whether uvicorn believes what somebody at an address says of who asks."""
    seen: list[Scope] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    async def none(*_: Any) -> Any:
        raise AssertionError

    arguments = front.OpenConnections(most=8, proxies=[proxy]).arguments()
    assert arguments["timeout_keep_alive"] > 60  # a proxy closes an idle connection after a minute, and must be first
    given = arguments["forwarded_allow_ips"]
    headers = [(b"x-forwarded-for", b"192.0.2.1")]
    scope: Any = {"type": "http", "client": (host, 9), "headers": headers}
    asyncio.run(ProxyHeadersMiddleware(app, given)(scope, none, none))
    return visitor_of(seen[0]).address == "192.0.2.1"


@pytest.mark.parametrize(
    ("proxy", "host", "known"),
    [
        ("10.0.0.1/32", "10.0.0.1", True),
        ("10.0.0.1", "::ffff:10.0.0.1", True),
        ("10.0.0.0/8", "::ffff:10.9.9.9", True),
        ("10.0.0.1/32", "::ffff:10.0.0.2", False),
        ("2001:db8::1/128", "2001:db8::1", True),
        ("10.0.0.1/32", "::10.0.0.1", False),
    ],
)
def test_a_proxy_is_known_however_its_address_is_written(proxy: str, host: str, known: bool) -> None:
    """A server on `::` sees IPv4 as addresses of IPv6: a proxy has no share there either, and is believed."""
    own = front.OpenConnections(most=99, people=1, proxies=[proxy])
    for _ in range(limits.CONNECTIONS_EACH):
        own.enter(asyncio.Protocol(), host)
    assert ((own.refusal(host) is None), trusted(proxy, host)) == (known, known)


def test_who_asks_over_http() -> None:
    """The connection is known but behind a proxy, which does not tell; then all of an address share as one."""
    direct, *proxied = [visitor_of({"client": ("::ffff:10.0.0.1", port)}) for port in (7, 0, 0)]
    assert direct == Visitor("10.0.0.1", "::ffff:10.0.0.1 7")
    assert proxied == [Visitor("10.0.0.1", None)] * 2
    shares = Shares[int](places=8, waiting=8)
    for number, visitor in enumerate([*proxied, proxied[0]]):
        shares.put(visitor, number)
    assert [shares.next() for _ in range(3)] == [0, 1, None]  # one connection has a quarter


def test_one_line_a_second_for_one_fault() -> None:
    """A flood of one fault is a line and a count; another fault is not lost in it."""
    once, faults = front.OncePerSecond(), [OSError(24, "Too many open files")] * 1000 + [ValueError("other")]

    def record(fault: Exception) -> logging.LogRecord:
        return logging.LogRecord("asyncio", logging.ERROR, "", 0, "accept", (), (type(fault), fault, None))

    assert [type(fault) for fault in faults if once.filter(record(fault))] == [OSError, ValueError]


def test_addresses_of_one_network() -> None:
    """Who has one address of IPv6 has a network of them; IPv4 is one each, however it is written."""
    assert network_of("2001:db8::1") == network_of("2001:db8::2") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") != network_of("10.0.0.2")
    assert network_of("::ffff:127.0.0.1") == "127.0.0.1"
    assert network_of("?") == "?"


# -- a class behind one address ----------------------------------------------------------------------------------------


@pytest.mark.process
def test_a_class_behind_one_address(server: Server) -> None:
    """200 pages from one address: each begins a game at once and plays; nobody is refused."""

    async def pupil(ready: asyncio.Barrier) -> AsyncIterator[dict[str, Any]]:
        async with connected(f"ws://127.0.0.1:{server.port}/api/socket", open_timeout=LIMIT, ping_timeout=LIMIT) as web:

            async def ask(op: str, **args: object) -> dict[str, Any]:
                await web.send(json.dumps({"id": 1, "op": op, "args": args}))
                told: dict[str, Any] = json.loads(await web.recv())
                return told

            await ready.wait()
            made = await ask("create", game="tictactoe")
            yield made
            yield await ask("play", id=made["ok"]["id"], seat=made["ok"]["seats"]["x"], ply=1, move="b2")

    async def story() -> list[dict[str, Any]]:
        ready = asyncio.Barrier(200)

        async def all_of() -> list[dict[str, Any]]:
            return [told async for told in pupil(ready)]

        return [told for each in await asyncio.gather(*(all_of() for _ in range(200))) for told in each]

    told = asyncio.run(asyncio.wait_for(story(), LIMIT))
    assert len(told) == 400 and all("ok" in each for each in told)


def socket_from(server: Server, address: str = "") -> ClientConnection:
    """A WebSocket of somebody whom a proxy says to come from an address."""
    headers = {"X-Forwarded-For": address} if address else {}
    return connect(f"ws://127.0.0.1:{server.port}/api/socket", additional_headers=headers, open_timeout=LIMIT)


def answer(web: ClientConnection) -> str:
    """What is said to a question, or why there is no answer."""
    try:
        web.send('{"id": 1, "op": "board", "args": {"game": "tictactoe"}}')
        return str(web.recv(timeout=LIMIT))
    except ConnectionClosed as closed:
        assert closed.rcvd
        return closed.rcvd.reason


@pytest.mark.process
@pytest.mark.parametrize(("words", "believed"), [([], False), (["--proxy", "127.0.0.1"], True)])
def test_who_comes_from_where(tmp_path: Path, words: list[str], believed: bool) -> None:
    """What a header says of it is believed of a proxy that the command line names; who is refused reads why."""
    with serving(f"sqlite:///{tmp_path / 'games.db'}", "--per-address", "1", *words) as own, ExitStack() as stack:
        assert "ok" in answer(stack.enter_context(socket_from(own, "192.0.2.1")))
        assert ("ok" in answer(stack.enter_context(socket_from(own, "192.0.2.2")))) == believed
        assert (
            answer(stack.enter_context(socket_from(own, "192.0.2.1")))
            == "At most 1 pages from one address; plyground web --per-address allows more."
        )
        stack.close()
        until(lambda: "ok" in answer(stack.enter_context(socket_from(own, "192.0.2.1"))))


@pytest.mark.process
def test_a_proxy_is_an_address() -> None:
    """One sentence, exit code 2."""
    words = [sys.executable, "-m", "plyground", "web", "--no-browser", "--proxy", "10.0.0.1/8"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False, timeout=LIMIT)
    assert done.returncode == 2 and "--proxy" in done.stderr and len(done.stderr.splitlines()) == 1


# -- a room ------------------------------------------------------------------------------------------------------------


async def no_game(game: str, names: tuple[str, str]) -> CreatedView:
    """There are no games in these rooms."""
    raise AssertionError


async def no_view(number: str) -> GameView:
    """None is read."""
    raise AssertionError(number)


def test_one_visitor_does_not_fill_a_room() -> None:
    """A connection brings one person, an address no more than its part; in several tabs one is one person."""
    room = Classroom(no_game, no_view, "secret")
    with ExitStack() as stack:
        for number in range(limits.MOST_PEOPLE_OF_ADDRESS):
            stack.enter_context(room.place(Enter(me=f"m{number}", name="A"), "10.0.0.1", number))
        with room.place(Enter(me="m1", name="B"), "10.0.0.1", "another tab"), room.place(Enter(), "10.0.0.1", "looks"):
            pass
        with pytest.raises(BadInput, match="one person"), room.place(Enter(me="mine", name="A"), "10.0.0.1", 1):
            pass
        with pytest.raises(BadInput, match="one address"), room.place(Enter(me="mine", name="A"), "10.0.0.1", "new"):
            pass
        with room.place(Enter(me="mine", name="A"), "10.0.0.2", "other"):
            pass
    with room.place(Enter(me="mine", name="A"), "10.0.0.1", 1):
        pass


def test_a_teacher_removes_a_name() -> None:
    """Who is removed is told why, and comes in under another name only; nobody but the teacher removes."""

    async def story() -> None:
        room = Classroom(no_game, no_view, "secret")
        eve = room.stream_room(Enter(me="eve", name="Rude"))
        number = (await anext(eve)).you
        with pytest.raises(NotYours, match="teacher"):
            await room.remove(Remove(teacher="guess", number=number))
        await room.remove(Remove(teacher="secret", number=number))
        with pytest.raises(NotYours, match="'Rude'"):
            await anext(eve)
        with pytest.raises(NotYours, match="'Rude'"):
            await anext(room.stream_room(Enter(me="eve", name="Rude")))
        here = await anext(room.stream_room(Enter(me="eve", name="Eve")))
        assert [each.name for each in here.people] == ["Eve"]

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_room_goes_on_telling() -> None:
    """Also when what tells it has been ended half way."""

    async def story() -> None:
        room, seen = Classroom(no_game, no_view, "secret"), dict[int, str]()

        async def watch(number: int) -> None:
            async for view in room.stream_room(Enter()):
                seen[number] = view.look

        async def told(look: str) -> None:
            while list(seen.values()) != [look] * 50:
                await asyncio.sleep(0)

        watching = [asyncio.create_task(watch(number)) for number in range(50)]
        await told("")
        before = asyncio.all_tasks()
        await room.show(Show(teacher="secret", link="#/1"))
        for task in asyncio.all_tasks() - before:
            task.cancel()
        await asyncio.sleep(0)
        await room.show(Show(teacher="secret", link="#/2"))
        await told("#/2")
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_room_tells_the_newest() -> None:
    """Simultaneous changes of a room are sent once, and outdated views are not sent."""

    async def story() -> None:
        room, seen = Classroom(no_game, no_view, "secret"), list[RoomView]()

        async def watch() -> None:
            async for view in room.stream_room(Enter()):
                seen.append(view)
                if view.look == "#/99":
                    return

        watching = asyncio.create_task(watch())
        while not seen:
            await asyncio.sleep(0)
        for number in range(100):
            await room.show(Show(teacher="secret", link=f"#/{number}"))
        await watching
        assert [view.look for view in seen] == ["", "#/99"]

    asyncio.run(asyncio.wait_for(story(), LIMIT))


# -- every answer ------------------------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.parametrize(
    ("method", "path", "given", "status"),
    [
        ("POST", "/api/menu", {"headers": {"Origin": "http://["}, "json": {}}, 403),
        ("POST", "/api/menu", {"headers": {"Origin": "http://[::1"}, "json": {}}, 403),
        ("POST", "/api/menu", {"headers": {"Origin": "http://[x]:80"}, "json": {}}, 403),
        ("GET", "/", {"headers": {"Host": "["}}, 421),
        ("POST", "/api/menu", {"content": b"{"}, 422),
        ("POST", "/api/menu", {"content": b'"\xff"', "headers": {"Content-Type": "application/json"}}, 400),
        ("POST", "/api/edit", {"content": iter([b"x" * 60_000, b"x" * 60_000])}, 413),
        ("GET", "/nowhere", {}, 404),
        ("POST", "/api/nowhere", {"json": {}}, 404),
        ("GET", "/api/menu", {}, 405),
        ("DELETE", "/app.js", {}, 405),
        ("GET", "/modules/none.wasm", {}, 404),
    ],
)
def test_every_refusal_is_a_sentence(server: Server, method: str, path: str, given: Any, status: int) -> None:
    """With its status, as JSON, with the headers that every answer has."""
    said = server.http.request(method, path, **given)
    assert said.status_code == status, said.text
    assert said.json().keys() == {"error"} and said.json()["error"].endswith(".")
    assert said.headers["x-content-type-options"] == "nosniff"


@pytest.mark.process
def test_what_is_no_http(server: Server) -> None:
    """It is told so as anybody is told anything."""
    with socket.create_connection(("127.0.0.1", server.port)) as odd:
        odd.sendall(b"\x16\x03\x01 nothing of the sort\r\n\r\n")
        said = ended(odd)
    assert b"HTTP/1.1 400" in said and said.endswith(b'{"error": "This is not an HTTP request."}')


@pytest.mark.process
def test_odd_messages(server: Server) -> None:
    """A number that is none is refused in JSON; a binary message ends the socket in a sentence."""
    with server.socket() as web:
        web.send('{"id": true, "op": "menu"}')
        assert "A message is" in json.loads(web.recv(timeout=LIMIT))["error"]
        web.send(b"binary")
        with pytest.raises(ConnectionClosed, match="JSON, not binary"):
            web.recv(timeout=LIMIT)


def guarded(app: Any, count: int = 1) -> list[httpx.Response]:
    """The answers of an app behind the guard, on one connection."""

    async def ask() -> list[httpx.Response]:
        guard = httpx.ASGITransport(Guard(app, frozenset({"test"}), limits.Quotas()))
        async with httpx.AsyncClient(transport=guard, base_url="http://test") as client:
            return [await client.post("/x", json={}) for _ in range(count)]

    return asyncio.run(ask())


def test_one_connection_cannot_ask_for_everything() -> None:
    """Requests beyond the rate are refused in a sentence, and others are answered."""
    told = [(said.status_code, said.json()) for said in guarded(JSONResponse({}), 1_000)]
    assert told[: int(limits.REQUESTS.burst)] == [(200, {})] * int(limits.REQUESTS.burst)
    assert (429, {"error": "More than 200 requests at once, or 50 a second: wait a little."}) in told


def test_a_fault_of_the_servers_own(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 and a sentence that blames nobody, with all headers; the log has it once."""
    monkeypatch.setattr(logging.getLogger("uvicorn"), "propagate", True)  # a server of this process has turned it off

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError("a secret of the server")

    (said,) = guarded(app)
    assert (said.status_code, said.json()) == (500, {"error": SERVER_FAULT})
    assert said.headers["x-content-type-options"] == "nosniff"
    assert {record.exc_info[0] for record in caplog.records if record.exc_info} == {ZeroDivisionError}


def test_files_are_compressed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as they change; plain, compressed or not at all, as is asked."""
    (tmp_path / "app.js").write_text("const one = 1;\n", encoding="utf-8")
    made, of = list[bytes](), Compressed.of

    def noted(plain: bytes, media: str) -> Compressed:
        made.append(plain)
        return of(plain, media)

    monkeypatch.setattr(Compressed, "of", noted)

    async def story() -> None:
        files = httpx.ASGITransport(PageFiles(tmp_path))
        async with httpx.AsyncClient(transport=files, base_url="http://test") as client:
            first, again = [await client.get("/app.js") for _ in range(2)]
            plain = await client.get("/app.js", headers={"Accept-Encoding": "identity"})
            assert first.text == again.text == plain.text == "const one = 1;\n"
            assert (first.headers.get("content-encoding"), plain.headers.get("content-encoding")) == ("gzip", None)
            kept = {"If-None-Match": first.headers["etag"]}
            assert (await client.get("/app.js", headers=kept)).status_code == 304 and len(made) == 1
            (tmp_path / "app.js").write_text("const one = 11;\n", encoding="utf-8")
            assert "one = 11" in (await client.get("/app.js", headers=kept)).text and len(made) == 2

    asyncio.run(story())
