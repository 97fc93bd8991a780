"""The Connector's server on TCP: reads from sockets, and carries out the session table's actions."""

import asyncio
import itertools
from collections.abc import Callable

from plyground.errors import BadInput
from plyground.wire.hostnames import ALL_ADDRESSES, HOST_NAME, all_addresses, is_loopback, own_addresses
from plyground.wire.protocols import codec
from plyground.wire.session import Action, Close, Log, Send, SessionLimits, Sessions

# The port that students' Prolog players have in their text (docs/wire.md).
PORT = 54321
READ_BYTES = 64 * 1024


class Connector:
    """A server on TCP that forwards each client's messages to the other clients of its room."""

    def __init__(
        self,
        protocol: str = "terms",
        limits: SessionLimits | None = None,
        log: Callable[[str], None] = print,
        *,
        show: bool = False,
    ) -> None:
        codec(protocol)  # raises at once if there is no such protocol
        self._limits = limits or SessionLimits()
        self._table = Sessions(protocol, self._limits, show)
        self._log = log
        self._numbers = itertools.count()
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._servers: list[asyncio.Server] = []

    async def start(self, hosts: list[str], port: int) -> int:
        """Listen. Returns the port: a free one if `port` is 0, and the same at every host.

        Raises:
            BadInput: a host name or port cannot be listened on.
        """
        bound = port
        for host in hosts:
            try:
                server = await asyncio.start_server(self._serve, host, bound, limit=READ_BYTES)
            except (OSError, OverflowError, UnicodeError) as fault:
                await self.close()
                said = getattr(fault, "strerror", None) or str(fault)
                raise BadInput(f"{host} port {bound} cannot be listened on: {said}.") from None
            self._servers.append(server)
            # The free port that the system chose for the first host; the others take the same one.
            bound = int(server.sockets[0].getsockname()[1])
        return bound

    async def serve(self) -> None:
        """Serve until cancelled."""
        await asyncio.gather(*(server.serve_forever() for server in self._servers))

    async def close(self) -> None:
        """Close all clients and stop listening."""
        for server in self._servers:
            server.close()
        for writer in list(self._writers.values()):
            writer.transport.abort()
        # The event loop gets one turn, in which the aborted transports close their sockets.
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = next(self._numbers)
        host, port = (writer.get_extra_info("peername") or ("?", 0))[:2]
        self._writers[client] = writer
        try:
            self._carry_out(self._table.connect(client, f"Client {client} at {host}:{port}"))
            await self._listen(client, reader)
        except OSError:  # reset by the peer, or aborted by us
            pass
        finally:
            self._carry_out(self._table.remove_client(client))
            self._close_client(client)

    async def _listen(self, client: int, reader: asyncio.StreamReader) -> None:
        while client in self._writers:
            try:
                async with asyncio.timeout(self._limits.idle):
                    data = await reader.read(READ_BYTES)
            except TimeoutError:
                self._carry_out(self._table.close_idle(client))
                return
            if not data:
                return
            self._carry_out(self._table.receive(client, data))

    def _carry_out(self, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Log(sentence):
                    self._log(sentence)
                case Send(client, data):
                    self._send(client, data)
                case Close(client):
                    self._close_client(client)

    def _send(self, client: int, data: bytes) -> None:
        writer = self._writers.get(client)
        # A write to a closing transport would be buffered, and never sent.
        if writer is None or writer.is_closing():
            return
        writer.write(data)
        # The server never awaits `drain`: one client that does not read would hold up those who
        # send to it. Its last message is not sent: it would wait behind the bytes that it does not
        # read.
        if writer.transport.get_write_buffer_size() > self._limits.unsent:
            self._carry_out([action for action in self._table.close_slow(client) if not isinstance(action, Send)])
            writer.transport.abort()

    def _close_client(self, client: int) -> None:
        if writer := self._writers.pop(client, None):
            writer.close()


def describe_addresses(hosts: list[str], port: int) -> list[str]:
    """Sentences for the operator: which addresses reach a Connector at these hosts and this port."""
    said = [f"The Connector listens on {', '.join(hosts)} port {port} (Ctrl-C ends it)."]
    own = own_addresses()
    if ALL_ADDRESSES in hosts:
        network = [address for address in all_addresses() if not is_loopback(address)]
        said.append(f"Other machines reach it at {', '.join(network) or 'no address: there is no network'}.")
    elif not own:
        said.append(f"This machine's own name, {HOST_NAME}, points nowhere: a program here has to call {hosts[0]}.")
    elif away := [address for address in own if address not in hosts and HOST_NAME not in hosts]:
        said.append(
            f"A program that calls this machine by its own name, {HOST_NAME}, looks at {', '.join(away)} and does not "
            f"find it: let it call {hosts[0]}, or start with --host {ALL_ADDRESSES}, which opens the port to the "
            "network."
        )
    if not all(map(is_loopback, hosts)):
        said.append("Any program that reaches this machine by the network can connect to it.")
    return said
