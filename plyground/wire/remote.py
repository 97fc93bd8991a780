"""Players over the network: `Called` connects to a peer, `Caller` waits for its connection."""

from dataclasses import dataclass

from plyground.errors import BadInput
from plyground.position import Position
from plyground.text import whole_number
from plyground.wire.external import External, spec_of
from plyground.wire.hostnames import is_loopback, listening_hosts
from plyground.wire.listener import listening_port
from plyground.wire.peer import Peer, connect_to, over_socket
from plyground.wire.protocols import codec


@dataclass
class NetworkPlayer(External):
    """An external player that was not started here, so it cannot be started again."""

    restarts: bool = False
    """Whether the peer begins a new game with each connection, so that a new one can replay to an earlier position."""

    def _restart(self, position: Position, seat: int) -> None:
        if not self.restarts:
            # The name as the user typed it, with the option added: the advice can be copied.
            head, _, rest = self.name.partition(":")
            option = f"{head[:-1]},restarts=true]" if head.endswith("]") else f"{head}[restarts=true]"
            raise BadInput(
                f"{self.name} cannot take back: it remembers the game, which stands as it was. A peer that begins a "
                f"new game with each connection can, if it is named so: {option}:{rest}."
            )
        self.close()


@dataclass
class Called(NetworkPlayer):
    """A peer that listens: plyground connects to it."""

    address: tuple[str, int] = ("localhost", 0)

    def _open_peer(self, position: Position) -> Peer:
        return self._greet(over_socket(codec(self.protocol), connect_to(self.address, self.start)), position)


@dataclass
class Caller(NetworkPlayer):
    """A peer that connects: plyground waits for it."""

    port: int = 0
    host: str = "localhost"

    @property
    def waits_at(self) -> str:
        """Sentence about the address to which the peer must connect."""
        hosts = listening_hosts(self.host)
        network = (
            ""
            if all(map(is_loopback, hosts))
            else " Any program that reaches this machine by the network can connect to it."
        )
        return f"{self.name} listens on {', '.join(hosts)} port {self.port} for its player.{network}"

    def _open_peer(self, position: Position) -> Peer:
        with listening_port(listening_hosts(self.host), self.port) as opened:
            return self._greet(over_socket(codec(self.protocol), opened.await_any(self.start)), position)


def connect(
    address: str, protocol: str = "terms", timeout: float = 10.0, start: float = 10.0, restarts: bool = False
) -> Called:
    """Make the player `connect:HOST:PORT`: a peer that listens."""
    name = spec_of("connect", connect, address, protocol=protocol, timeout=timeout, start=start, restarts=restarts)
    return Called(name, protocol, timeout, start, restarts=restarts, address=host_and_port(address))


def listen(
    port: str,
    protocol: str = "terms",
    timeout: float = 10.0,
    start: float = 60.0,
    restarts: bool = False,
    host: str = "localhost",
) -> Caller:
    """Make the player `listen:PORT`: a peer that connects. `host`: where to listen, as for `plyground connector`."""
    name = spec_of(
        "listen", listen, port, protocol=protocol, timeout=timeout, start=start, restarts=restarts, host=host
    )
    return Caller(name, protocol, timeout, start, restarts=restarts, port=port_number(port), host=host)


def host_and_port(address: str) -> tuple[str, int]:
    """Split `HOST:PORT`.

    Raises:
        BadInput: the text is not of that form.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not host:
        raise BadInput(f"{address!r} is no address: write HOST:PORT, as in localhost:54321.")
    return host, port_number(port)


def port_number(text: str) -> int:
    """Parse a port, 1 to 65535.

    Raises:
        BadInput: the text is no port.
    """
    port = whole_number(text)
    if port is None or not 0 < port < 65_536:
        raise BadInput(f"{text[:40]!r} is no port: write a number from 1 to 65535, as in 54321.")
    return port
