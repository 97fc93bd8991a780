"""The Connector without its sockets: who is connected, in which room, and what is to be done when bytes come.

What one client writes goes to all others of its room, never back, never to one who comes later. A client's fault closes
that client, with a sentence, and touches nobody else.
"""

from dataclasses import dataclass, field

from plyground.errors import BadInput
from plyground.wire.codec import LARGEST, Codec
from plyground.wire.messages import Fault, Hello, Move, Ping, Unreadable
from plyground.wire.protocols import codec
from plyground.wire.terms import SHORT, Terms


@dataclass(frozen=True)
class Limits:
    """What a client may use; crossing one closes it."""

    message: int = LARGEST
    """Bytes of one message."""
    clients: int = 1_000
    """Clients at once."""
    idle: float = 3_600.0
    """Seconds without a word."""
    unsent: int = 1 << 20
    """Bytes that wait for a client to read them."""
    faults: int = 10
    """Messages that cannot be read, where the stream can be read on."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise BadInput(f"--{name} {value:g}: a limit is above 0.")


@dataclass(frozen=True)
class Send:
    """Write these bytes to a client."""

    client: int
    data: bytes


@dataclass(frozen=True)
class Close:
    """Close a client, after what is to be sent to it."""

    client: int


@dataclass(frozen=True)
class Log:
    """Tell the operator."""

    sentence: str


Action = Send | Close | Log


@dataclass
class _Client:
    name: str
    codec: Codec
    room: str = ""
    faults: int = 0


@dataclass
class Sessions:
    """The table. Numbers name clients; the caller makes them up."""

    protocol: str = "terms"
    limits: Limits = field(default_factory=Limits)
    _clients: dict[int, _Client] = field(default_factory=dict)
    _rooms: dict[str, dict[int, None]] = field(default_factory=dict)

    def connected(self, client: int, name: str) -> list[Action]:
        """Somebody has connected; `name` is for the log."""
        if len(self._clients) >= self.limits.clients:
            return [Log(f"{name} is refused: {self.limits.clients} clients are connected already."), Close(client)]
        self._clients[client] = _Client(name, codec(self.protocol, self.limits.message))
        self._enter(client, "")
        return []

    def received(self, client: int, data: bytes) -> list[Action]:
        """Bytes have come from a client."""
        sender = self._clients.get(client)
        if sender is None:
            return []
        try:
            frames = sender.codec.feed(data)
        except Unreadable as fault:
            return self._closed(client, str(fault))
        actions: list[Action] = []
        for frame in frames:
            actions += self._handled(client, sender, frame)
            if client not in self._clients:
                break
        return actions

    def gone(self, client: int) -> list[Action]:
        """A client has closed, died or gone silent."""
        left = self._clients.pop(client, None)
        if left is None:
            return []
        self._leave(client, left.room)
        half = left.codec.pending
        return [Log(f"{left.name} left in the middle of a message: {half} bytes are dropped.")] if half else []

    def slow(self, client: int) -> list[Action]:
        """A client does not read what is written to it."""
        return self._closed(client, f"it reads too slowly: more than {self.limits.unsent} bytes wait for it.")

    def idle(self, client: int) -> list[Action]:
        """A client has said nothing for too long."""
        return self._closed(client, f"it has said nothing for {self.limits.idle:g} s.")

    def _handled(self, client: int, sender: _Client, frame: bytes) -> list[Action]:
        try:
            message = sender.codec.read(frame)
        except Unreadable as fault:
            return self._faulty(client, sender, str(fault))
        if isinstance(message, Hello):
            self._leave(client, sender.room)
            self._enter(client, message.room)
            sender.room = message.room
            if message.room and not message.name:
                return []  # it only named its room; nobody else need know
        if isinstance(message, Ping) and not message.answer:
            return [Send(client, sender.codec.write(Ping(message.token, answer=True)))]
        if isinstance(sender.codec, Terms) and isinstance(message, Move):
            sender.codec.short = not SHORT.fullmatch(frame)  # who writes (2,1). reads 2,1, and the other way round
        return [
            Send(other, self._clients[other].codec.write(message))
            for other in self._rooms[sender.room]
            if other != client
        ]

    def _faulty(self, client: int, sender: _Client, sentence: str) -> list[Action]:
        sender.faults += 1
        if sender.faults > self.limits.faults:
            return self._closed(client, f"more than {self.limits.faults} messages cannot be read: {sentence}")
        said = Send(client, sender.codec.write(Fault("client", sentence)))
        return [Log(f"{sender.name}: {sentence}"), said]

    def _closed(self, client: int, sentence: str) -> list[Action]:
        closed = self._clients.pop(client, None)
        if closed is None:
            return []
        self._leave(client, closed.room)
        said = Send(client, closed.codec.write(Fault("client", sentence)))
        return [Log(f"{closed.name} is closed: {sentence}"), said, Close(client)]

    def _enter(self, client: int, room: str) -> None:
        self._rooms.setdefault(room, {})[client] = None

    def _leave(self, client: int, room: str) -> None:
        members = self._rooms.get(room, {})
        members.pop(client, None)
        if not members:
            self._rooms.pop(room, None)
