"""Players that are peers, started elsewhere: one that listens is called, one that calls is waited for."""

from dataclasses import dataclass

from plyground.errors import BadInput
from plyground.position import Position
from plyground.wire.door import door
from plyground.wire.external import External, spec_of
from plyground.wire.peer import Peer, connected, over_socket
from plyground.wire.protocols import codec


@dataclass
class Elsewhere(External):
    """A peer that was not started here, so it cannot be started again."""

    restarts: bool = False
    """Whether it begins a new game with each connection, and so can be brought to an earlier position by a new one."""

    def _restart(self, position: Position, seat: int) -> None:
        if not self.restarts:
            head, _, rest = self.name.partition(":")
            option = f"{head[:-1]},restarts=true]" if head.endswith("]") else f"{head}[restarts=true]"
            raise BadInput(
                f"{self.name} cannot take back: it remembers the game, which stands as it was. A peer that begins a "
                f"new game with each connection can, if it is named so: {option}:{rest}."
            )
        self.close()


@dataclass
class Called(Elsewhere):
    """A peer that listens: it is connected to."""

    address: tuple[str, int] = ("localhost", 0)

    def _open(self, position: Position) -> Peer:
        return self._greeted(over_socket(codec(self.protocol), connected(self.address, self.start)), position)


@dataclass
class Caller(Elsewhere):
    """A peer that connects: it is waited for."""

    port: int = 0

    def _open(self, position: Position) -> Peer:
        with door(["127.0.0.1"], self.port) as opened:
            return self._greeted(over_socket(codec(self.protocol), opened.call(self.start)), position)


def connect(
    address: str, protocol: str = "terms", timeout: float = 10.0, start: float = 10.0, restarts: bool = False
) -> Called:
    """`connect:HOST:PORT`: a peer that listens."""
    name = spec_of(connect, address, protocol=protocol, timeout=timeout, start=start, restarts=restarts)
    return Called(name, protocol, timeout, start, restarts=restarts, address=host_and_port(address))


def listen(
    port: str, protocol: str = "terms", timeout: float = 10.0, start: float = 60.0, restarts: bool = False
) -> Caller:
    """`listen:PORT`: a peer that connects."""
    name = spec_of(listen, port, protocol=protocol, timeout=timeout, start=start, restarts=restarts)
    return Caller(name, protocol, timeout, start, restarts=restarts, port=host_and_port(f"localhost:{port}")[1])


def host_and_port(address: str) -> tuple[str, int]:
    """The parts of `HOST:PORT`.

    Raises:
        BadInput: it is not of that form.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 65_536:
        raise BadInput(f"{address!r} is no address: write HOST:PORT, as in localhost:54321.")
    return host, int(port)
