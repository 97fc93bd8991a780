"""One WebSocket of the server: how fast it is heard, and what a fault of ours is."""

import asyncio
import json
import time
from collections.abc import Coroutine, Iterable, Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from servers import serving
from starlette.applications import Starlette
from starlette.websockets import WebSocket
from uvicorn import Config
from uvicorn.server import ServerState
from waiting import LIMIT
from websockets.exceptions import ConnectionClosed

from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.limits import FRAMES, LOOP_TIME, REQUESTS, LoopTime, RateLimit
from plyground.web.operations import BY_NAME
from plyground.web.server.front import BYTES_AT_ONCE, OpenConnections, Socket
from plyground.web.server.socket import Connection, socket
from plyground.web.services import Services
from plyground.web.views.models import Shared
from plyground.workers.fair_queue import Asker

Message = MutableMapping[str, Any]
CANCEL = '{"id": 1, "op": "cancel", "of": 5}'


class Client:
    """Who has sent all that it will ever send, and what it has been told.

    Args:
        house: the server's.
        messages: texts, and bytes, which are no messages.
    """

    def __init__(self, services: Services, messages: Iterable[str | bytes]) -> None:
        self.heard = 0
        self.told: list[Message] = []
        self._messages = iter(messages)
        app = Starlette()
        app.state.services = services
        scope = {"type": "websocket", "app": app, "client": ("192.0.2.1", 1), "path": "/", "headers": []}
        self._web = WebSocket(scope, self._receive, self._send)
        self._came = self._all()

    def _all(self) -> Iterator[Message]:
        yield {"type": "websocket.connect"}
        for message in self._messages:
            self.heard += 1
            yield {"type": "websocket.receive", "text" if isinstance(message, str) else "bytes": message}
        yield {"type": "websocket.disconnect", "code": 1000}

    async def _receive(self) -> Message:
        return next(self._came)

    async def _send(self, message: Message) -> None:
        self.told.append(message)

    def served(self) -> Coroutine[Any, Any, None]:
        """Serve it until it has gone."""
        return socket(self._web)


@pytest.fixture
def services() -> Iterator[Services]:
    """A server's."""
    made = Services(SavedGames(GameStore("sqlite://")))
    yield made
    made.close()


@pytest.mark.parametrize("message", [CANCEL, '{"id": 1, "op": "nothing"}', "[", '{"id": 1, "op": "stop", "of": []}'])
def test_whatever_one_sends_others_have_their_turns(message: str, services: Services) -> None:
    """Messages that have come already are heard one a turn, and beyond the rate the rest waits."""
    most = int(REQUESTS.burst)

    async def story() -> None:
        client = Client(services, [message] * 1_000 * most)
        began = time.monotonic()
        serving = asyncio.ensure_future(client.served())
        for turn in range(1, 2 * most):
            await asyncio.sleep(0)
            assert client.heard <= turn
        while client.heard < most + 3:
            await asyncio.sleep(0.01)
        assert client.heard <= most + REQUESTS.rate * (time.monotonic() - began) + 1
        serving.cancel()
        await asyncio.wait([serving])

    asyncio.run(asyncio.wait_for(story(), 60))


def test_nothing_that_came_is_lost(services: Services) -> None:
    """What is beyond the rate is answered later."""
    count = int(REQUESTS.burst) + 5
    client = Client(services, ['{"id": 1, "op": "nothing"}'] * count)
    asyncio.run(asyncio.wait_for(client.served(), 60))
    said = [message["text"] for message in client.told if message["type"] == "websocket.send"]
    assert len(said) == count and all("There is no operation" in text for text in said)


def test_a_fault_of_ours_is_no_binary_message(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is raised, for the log; what is binary is refused in a sentence."""
    client = Client(services, [b"binary", CANCEL])
    asyncio.run(client.served())
    closed = client.told[-1]
    assert (closed["type"], closed["reason"]) == ("websocket.close", "A message is text: JSON, not binary.")
    assert client.heard == 1

    def fails(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(Connection, "_end_request", fails)
    with pytest.raises(KeyError, match="ours"):
        asyncio.run(Client(services, [CANCEL]).served())


@pytest.mark.process
def test_what_nobody_has_heard_holds_up_no_end(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The server ends quietly, whatever has been sent beyond the rate."""
    text = CANCEL.encode()
    frame = bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text  # a text, with a mask that changes nothing
    with serving(f"sqlite:///{tmp_path / 'games.db'}") as server, server.socket() as web:
        web.socket.sendall(frame * 20 * int(REQUESTS.burst))
        with server.socket() as other:  # which is answered when the first messages have been heard
            other.send('{"id": 1, "op": "menu"}')
            assert "ok" in json.loads(other.recv(timeout=LIMIT))
        server.end()
        assert "Traceback" not in capfd.readouterr().err


def frames(opcode: int, data: bytes, count: int = 1, first: int = 0) -> bytes:
    """Frames of a client, with a mask that changes nothing; `first` is the first bit and those that are reserved."""
    return (bytes([first | opcode, 0x80 | len(data), 0, 0, 0, 0]) + data) * count


@pytest.mark.process
@pytest.mark.parametrize("many", [frames(10, b"", 1, 0x80), frames(9, b"x", 1, 0x80), frames(0, b"")])
def test_frames_beyond_the_rate_close_a_socket(many: bytes, tmp_path: Path) -> None:
    """Pongs, pings and fragments count as well, with a code and a reason; as many as are allowed do no harm."""
    with serving(f"sqlite:///{tmp_path / 'games.db'}") as server, server.socket() as web:
        begin = frames(1, b"{") if many[0] == 0 else b""
        web.socket.sendall(begin + many * (int(FRAMES.burst) // 2))
        end = frames(0, b"}", 1, 0x80) if begin else frames(1, b"{}", 1, 0x80)
        web.socket.sendall(end)
        assert json.loads(web.recv(timeout=LIMIT))["error"]
        with suppress(OSError):  # it is closed before all is sent
            web.socket.sendall(begin + many * 4 * int(FRAMES.burst))
        with pytest.raises(ConnectionClosed) as closed:
            web.recv(timeout=LIMIT)
        assert closed.value.rcvd is None or (closed.value.rcvd.code, closed.value.rcvd.reason[:9]) == (
            1008,
            "More than",
        )
        assert server.ask("menu")["games"]


def test_a_socket_is_read_a_little_at_a_time() -> None:
    """No turn of the loop has more of it than its buffer, and no extension makes more of that than was sent."""

    async def make_socket() -> Socket:
        own = OpenConnections(most=8)
        return Socket(own, config=Config(Starlette(), **own.arguments()), server_state=ServerState(), app_state={})

    protocol = asyncio.run(make_socket())
    assert isinstance(protocol, asyncio.BufferedProtocol)
    assert len(protocol.get_buffer(-1)) == BYTES_AT_ONCE and not protocol.conn.available_extensions


@pytest.fixture
def hardly_earned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time of the loop that is used up is not earned again while a test runs, however slow the machine is."""
    monkeypatch.setattr("plyground.web.limits.LOOP_TIME", RateLimit(1e-9, LOOP_TIME.burst))


@pytest.mark.usefixtures("hardly_earned")
def test_who_has_used_the_loop_waits_for_others() -> None:
    """Of two addresses the one that has used all of its time goes on after the other, and alone at once."""

    async def story() -> None:
        shared, order = LoopTime(), list[str]()

        def use_loop(address: str) -> None:
            with shared.charging(address):
                began = time.thread_time()
                while time.thread_time() - began < 2 * LOOP_TIME.burst:
                    pass

        async def asks(address: str, name: str) -> None:
            await shared.await_turn(address)
            order.append(name)

        use_loop("flood")
        await asks("flood", "alone")
        use_loop("flood")
        floods = [asyncio.create_task(asks("flood", f"flood {number}")) for number in range(3)]
        await asyncio.gather(*(asyncio.create_task(asks("visitor", "visitor")) for _ in range(5)), *floods)
        assert order == ["alone", *["visitor"] * 5, *[f"flood {number}" for number in range(3)]]
        assert not shared._lines

    asyncio.run(asyncio.wait_for(story(), LIMIT))


@pytest.mark.usefixtures("hardly_earned")
def test_every_step_is_charged_and_passes_on_what_happens() -> None:
    """A result, a fault and a cancellation go through; a wait costs nothing, and work does."""

    async def story() -> None:
        shared = LoopTime()

        async def work(seconds: float, fault: bool = False) -> str:
            await asyncio.sleep(0)
            began = time.thread_time()
            while time.thread_time() - began < seconds:
                pass
            if fault:
                raise KeyError("ours")
            await asyncio.sleep(0)
            return "result"

        assert await shared.charge_steps("one", work(0)) == "result" and not shared.must_wait("one")
        with pytest.raises(KeyError, match="ours"):
            await shared.charge_steps("one", work(2 * LOOP_TIME.burst, fault=True))
        assert shared.must_wait("one") and not shared.must_wait("two")
        waiting = asyncio.create_task(shared.charge_steps("two", asyncio.sleep(LIMIT)))
        await asyncio.sleep(0)
        waiting.cancel()
        assert await asyncio.wait([waiting]) and waiting.cancelled()

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_one_sign_of_life_for_a_connection(services: Services) -> None:
    """The second `alive` is refused in a sentence."""

    async def story() -> None:
        client = Client(services, ['{"id": 1, "op": "alive"}', '{"id": 2, "op": "alive"}'])
        await client.served()
        said = [json.loads(message["text"]) for message in client.told if message["type"] == "websocket.send"]
        assert [each["error"] for each in said if each["id"] == 2] == ["alive is under way on this connection already."]

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_lesson_is_read_and_written_once(services: Services) -> None:
    """Its answer is the same object, and a QR code is drawn elsewhere."""
    lesson = BY_NAME["lesson"]
    answers = [lesson.run(services, lesson.args(lesson="arena"), Asker()) for _ in range(2)]
    assert answers[0] is answers[1] and isinstance(answers[0], Shared)
    drawn = BY_NAME["qr"].run(services, BY_NAME["qr"].args(text="x"), Asker())
    assert isinstance(drawn, Coroutine)
    drawn.close()
