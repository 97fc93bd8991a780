"""The live Connector: its worst clients, where it is found, and whoever joins it."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from socket import SocketIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import TICTACTOE, played
from waiting import LIMIT

import plyground as pg
from plyground.wire import messages as m
from plyground.wire.connector import Connector, describe_addresses
from plyground.wire.hostnames import listening_hosts
from plyground.wire.join import join
from plyground.wire.protocols import PROTOCOLS, codec
from plyground.wire.session import SessionLimits


def with_connector(
    story: Callable[[int, list[str]], Awaitable[None]], limits: SessionLimits | None = None
) -> list[str]:
    """Run a story against a live Connector; its log."""
    log: list[str] = []

    async def run() -> None:
        server = Connector("terms", limits, log.append)
        port = await server.start(["127.0.0.1"], 0)
        serving = asyncio.create_task(server.serve())
        try:
            await asyncio.wait_for(story(port, log), LIMIT)
        finally:
            serving.cancel()
            await server.close()

    asyncio.run(run())
    return log


@settings(deadline=None, max_examples=8, derandomize=True)
@given(st.lists(st.binary(min_size=1, max_size=2_000), min_size=1, max_size=4))
def test_no_client_disturbs_another(garbage: list[bytes]) -> None:
    """Beside garbage, half messages, floods and deaths, two clients talk on: nothing lost, nothing out of order."""

    async def story(port: int, log: list[str]) -> None:
        room = b"room(ours).\n"
        ann, bob = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        for _, writer in (ann, bob):
            writer.write(room)
        here, first = b"(0,0).\n", b""
        while not first:  # until both are in the room
            ann[1].write(here)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.02):
                    first = await bob[0].readline()
        vandals = [await asyncio.open_connection("127.0.0.1", port) for _ in garbage]
        for number in range(50):
            ann[1].write(f"({number},1).\n".encode())
            vandal, data = vandals[number % len(vandals)][1], garbage[number % len(garbage)]
            with suppress(OSError):
                vandal.write(data)
                if number == 30:
                    vandal.transport.abort()  # it dies
        heard: list[bytes] = []
        while len(heard) < 50:
            said = await bob[0].readline()
            heard += [said] if said != here else []
        assert heard == [f"({number},1).\n".encode() for number in range(50)]
        for _, writer in (ann, bob, *vandals):
            writer.transport.abort()

    with_connector(story, SessionLimits(message=1_000))


def test_limits_on_the_wire() -> None:
    """A flood, silence, one client too many, a reader that never reads: each is closed alone, and the log says why."""

    async def silent(port: int, log: list[str]) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        await logged(log, "said nothing")
        writer.transport.abort()

    async def logged(log: list[str], *words: str) -> None:
        while not all(any(word in line for line in log) for word in words):
            await asyncio.sleep(0.02)

    async def story(port: int, log: list[str]) -> None:
        flood, reader = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        flood[1].write(b"room(flood).\n")
        with suppress(OSError):
            for _ in range(100):
                flood[1].write(b"x" * 10_000)
                await flood[1].drain()
        deaf = socket.create_connection(("127.0.0.1", port))  # it never reads
        with suppress(OSError):
            for _ in range(200):
                reader[1].write(b"'" + b"x" * 50_000 + b"'.\n")
                await reader[1].drain()
                await asyncio.sleep(0)
        extra = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
        await logged(log, "bytes at most", "reads too slowly", "are connected already")
        deaf.close()
        for _, writer in (flood, reader, *extra):
            writer.transport.abort()

    with_connector(story, SessionLimits(message=60_000, clients=3, unsent=100_000))
    with_connector(silent, SessionLimits(idle=0.1))


@pytest.mark.parametrize(
    ("own", "listens", "said"),
    [
        (["127.0.0.1"], ["127.0.0.1"], []),
        (["127.0.1.1"], ["127.0.0.1", "127.0.1.1"], []),  # Debian
        (["192.0.2.2"], ["127.0.0.1"], ["looks at 192.0.2.2", "let it call 127.0.0.1", "--host 0.0.0.0"]),  # Windows
        ([], ["127.0.0.1"], ["points nowhere", "127.0.0.1"]),
    ],
)
def test_where_a_prolog_looks(
    own: list[str], listens: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where this machine's own name points, if that is this machine alone; else it says how it is reached."""
    for module in ("hostnames", "connector"):
        monkeypatch.setattr(f"plyground.wire.{module}.own_addresses", lambda: own)
    hosts = listening_hosts("localhost")
    sentences = describe_addresses(hosts, 54321)
    assert hosts == listens and len(sentences) == (2 if said else 1)
    assert all(words in " ".join(sentences) for words in [*listens, "54321", *said])
    assert listening_hosts("0.0.0.0") == ["0.0.0.0"]
    assert "by the network" in describe_addresses(["0.0.0.0"], 54321)[-1]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one address on loopback")
def test_one_port_at_every_address() -> None:
    """A free port is the same one wherever it listens."""

    async def run() -> None:
        server = Connector(log=lambda sentence: None)
        port = await server.start(["127.0.0.1", "127.0.1.1"], 0)
        for host in ("127.0.0.1", "127.0.1.1"):
            (await asyncio.open_connection(host, port))[1].close()
        with pytest.raises(pg.BadInput, match="cannot be listened on"):
            await Connector(log=lambda sentence: None).start(["127.0.0.1"], port)
        await server.close()

    asyncio.run(run())


class Verb:
    """A verb in a process of its own, spoken to by pipes; it ends with its `with`."""

    def __init__(self, *words: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, "-m", "plyground", *words], stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT,
            encoding="utf-8", bufsize=1, env=os.environ | {"PYTHONUTF8": "1"},
        )  # fmt: skip
        self.seen = ""

    def __enter__(self) -> "Verb":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def types(self, words: str) -> None:
        """Type lines."""
        assert self._process.stdin is not None
        self._process.stdin.write(words)

    def until(self, words: str) -> str:
        """Read to the line with these words; that line."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.seen += line
            if words in line:
                return line
        raise AssertionError(f"it ended without {words!r}: {self.seen}")


@pytest.mark.process
def test_a_person_and_a_program_at_a_connector() -> None:
    """A person joins first and begins; the program comes later and hears it; who waits is told for what."""
    with Verb("connector", "--port", "0", "--show") as server:
        where = "localhost:" + server.until("listens on").split("port ")[1].split()[0]
        with Verb("join", where, "--player", "human", "--as", "x") as person:
            person.until("as x; x begins")
            person.types("undo\n2,1\n")
            person.until("Waiting for o's move")
            server.until("wait for the next client")
            with Verb("join", where, "--player", "first") as program:
                program.until("Waiting for x's move (3600 s at most; if it began before you joined")
                person.types("2,2\nundo\nresign\n")
                program.until("x resigns.")
            person.until("What was sent to the other side cannot be taken back.")
            person.until("x resigns.")
        server.until("says resign")
        assert all(words in server.seen for words in ("came", "says 2,1", "says 1,1", "says 2,2"))
        assert server.seen.count("wait for the next client") == 1


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_join_in_the_place_of_a_prolog(protocol: str) -> None:
    """One side waits for a caller, the other joins it: both see the same game, in every protocol."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    seen: list[pg.Position] = []
    pg.player_named("alphabeta:depth=2").prepare(TICTACTOE)  # whoever joins waits a few seconds only for a listener

    async def both() -> tuple[pg.Result, pg.Position]:
        host = asyncio.to_thread(played, "random:seed=4", f"listen[protocol={protocol}]:{port}")
        guest = asyncio.to_thread(
            join, ("127.0.0.1", port), TICTACTOE, 1, pg.player_named("first"), protocol=protocol, on_move=seen.append
        )
        result, _close_client = await asyncio.gather(host, guest, return_exceptions=True)
        assert isinstance(result, pg.Result), result
        return result, seen[-1]

    result, last = asyncio.run(both())
    assert result.fault is None and result.position.moves[: len(last.moves)] == last.moves
    assert len(last.moves) >= len(result.position.moves) - 1


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_whoever_joins_can_be_told_a_position(protocol: str) -> None:
    """It says the position back, and plays on from there; one that is none ends the game in a sentence."""
    told = pg.Position.parse(pg.MNK(), "xx./oo./...:x")
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor() as threads:
        words = codec(protocol)

        def joined() -> tuple[Future[str], socket.socket, SocketIO]:
            guest = threads.submit(
                join, listening.getsockname(), TICTACTOE, 0, pg.player_named("first"), protocol=protocol
            )
            called = listening.accept()[0]
            called.settimeout(LIMIT)
            return guest, called, called.makefile("rb", buffering=0)

        def heard(reader: SocketIO) -> m.Message:
            while not (frames := words.feed(reader.read(1))):
                pass
            return words.read(frames[0])

        guest, called, reader = joined()
        with called, reader:
            assert heard(reader) == m.Move(words.move_text(TICTACTOE, TICTACTOE.legal("a1")))
            called.sendall(words.write(m.PositionMessage(told.text)))
            assert heard(reader) == m.PositionMessage(told.text)
            assert heard(reader) == m.Move(words.move_text(told, told.legal("c1")))
            assert guest.result(LIMIT) == "x wins"
        guest, called, reader = joined()
        with called, reader:
            called.sendall(words.write(m.PositionMessage("nowhere")))
            with pytest.raises(pg.BadInput, match="o sent no legal position"):
                guest.result(LIMIT)
