"""One WebSocket of the server: how fast it is heard, and what a fault of ours is."""

import asyncio
import json
import time
from collections.abc import Coroutine, Iterable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from servers import serving
from starlette.applications import Starlette
from starlette.websockets import WebSocket
from waiting import LIMIT

from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.limits import REQUESTS
from plyground.web.server.socket import Connection, socket
from plyground.web.services import House

Message = MutableMapping[str, Any]
CANCEL = '{"id": 1, "op": "cancel", "of": 5}'


class Client:
    """Who has sent all that it will ever send, and what it has been told.

    Args:
        house: the server's.
        messages: texts, and bytes, which are no messages.
    """

    def __init__(self, house: House, messages: Iterable[str | bytes]) -> None:
        self.heard = 0
        self.told: list[Message] = []
        self._messages = iter(messages)
        app = Starlette()
        app.state.services = house
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
def house() -> Iterator[House]:
    """A server's."""
    made = House(SavedGames(GameStore("sqlite://")))
    yield made
    made.close()


@pytest.mark.parametrize("message", [CANCEL, '{"id": 1, "op": "nothing"}', "[", '{"id": 1, "op": "stop", "of": []}'])
def test_whatever_one_sends_others_have_their_turns(message: str, house: House) -> None:
    """Messages that have come already are heard one a turn, and beyond the rate the rest waits."""
    most = int(REQUESTS.burst)

    async def story() -> None:
        client = Client(house, [message] * 1_000 * most)
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


def test_nothing_that_came_is_lost(house: House) -> None:
    """What is beyond the rate is answered later."""
    count = int(REQUESTS.burst) + 5
    client = Client(house, ['{"id": 1, "op": "nothing"}'] * count)
    asyncio.run(asyncio.wait_for(client.served(), 60))
    said = [message["text"] for message in client.told if message["type"] == "websocket.send"]
    assert len(said) == count and all("There is no operation" in text for text in said)


def test_a_fault_of_ours_is_no_binary_message(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is raised, for the log; what is binary is refused in a sentence."""
    client = Client(house, [b"binary", CANCEL])
    asyncio.run(client.served())
    closed = client.told[-1]
    assert (closed["type"], closed["reason"]) == ("websocket.close", "A message is text: JSON, not binary.")
    assert client.heard == 1

    def fails(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(Connection, "_end", fails)
    with pytest.raises(KeyError, match="ours"):
        asyncio.run(Client(house, [CANCEL]).served())


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
