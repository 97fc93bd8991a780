"""The Connector's sockets: bytes in, actions of the session table out."""

import asyncio
import itertools
import socket
from collections.abc import Callable

from plyground.errors import BadInput
from plyground.wire.session import Action, Close, Limits, Log, Send, Sessions

PORT = 54321
CHUNK = 64 * 1024


class Connector:
    """A server on TCP that passes on what its clients write."""

    def __init__(
        self, protocol: str = "terms", limits: Limits | None = None, log: Callable[[str], None] = print
    ) -> None:
        self._limits = limits or Limits()
        self._table = Sessions(protocol, self._limits)
        self._table.received(-1, b"")  # says at once if there is no such protocol
        self._log = log
        self._numbers = itertools.count()
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._server: asyncio.Server | None = None

    async def start(self, hosts: list[str], port: int) -> int:
        """Listen; the port, which is a free one if 0 was asked for.

        Raises:
            BadInput: a host name or port cannot be listened on.
        """
        try:
            self._server = await asyncio.start_server(self._serve, hosts, port, limit=CHUNK)
        except (OSError, OverflowError) as fault:
            said = getattr(fault, "strerror", None) or str(fault)
            raise BadInput(f"{', '.join(hosts)} port {port} cannot be listened on: {said}.") from None
        bound: int = self._server.sockets[0].getsockname()[1]
        return bound

    async def serve(self) -> None:
        """Serve until cancelled."""
        assert self._server is not None
        await self._server.serve_forever()

    async def close(self) -> None:
        """Close all clients and stop listening."""
        if self._server:
            self._server.close()
        for writer in list(self._writers.values()):
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = next(self._numbers)
        host, port = (writer.get_extra_info("peername") or ("?", 0))[:2]
        self._writers[client] = writer
        try:
            self._act(self._table.connected(client, f"Client {client} at {host}:{port}"))
            await self._listen(client, reader)
        except OSError:  # reset by the peer, or aborted by us
            pass
        finally:
            self._act(self._table.gone(client))
            self._end(client)

    async def _listen(self, client: int, reader: asyncio.StreamReader) -> None:
        while client in self._writers:
            try:
                async with asyncio.timeout(self._limits.idle):
                    data = await reader.read(CHUNK)
            except TimeoutError:
                self._act(self._table.idle(client))
                return
            if not data:
                return
            self._act(self._table.received(client, data))

    def _act(self, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Log(sentence):
                    self._log(sentence)
                case Send(client, data):
                    self._send(client, data)
                case Close(client):
                    self._end(client)

    def _send(self, client: int, data: bytes) -> None:
        writer = self._writers.get(client)
        if writer is None or writer.is_closing():
            return
        writer.write(data)
        if writer.transport.get_write_buffer_size() > self._limits.unsent:
            self._act([action for action in self._table.slow(client) if not isinstance(action, Send)])
            writer.transport.abort()

    def _end(self, client: int) -> None:
        if writer := self._writers.pop(client, None):
            writer.close()


def listening_hosts(host: str) -> list[str]:
    """The addresses to listen on. `localhost` is joined by what this machine's own name resolves to, if that is a
    loopback address: the seeds' Prolog player connects to the host's name.
    """
    if host not in ("localhost", "127.0.0.1"):
        return [host]
    try:
        own = socket.gethostbyname(socket.gethostname())
    except OSError:
        return ["127.0.0.1"]
    return ["127.0.0.1", own] if own.startswith("127.") and own != "127.0.0.1" else ["127.0.0.1"]
