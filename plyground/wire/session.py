"""The Connector's session table, without sockets: clients, their rooms, actions for received bytes.

A client's message goes to all other clients of its room, never back to the sender. Messages are stored for later
clients in one case only: while a single client has sent any. So the side that begins may also be the first to connect.
A client's fault closes that client, with a sentence, and no other; an error of the Connector's own closes no client.
"""

from dataclasses import dataclass, field

from plyground.errors import BadInput
from plyground.wire.codec import LARGEST_FRAME, Codec
from plyground.wire.messages import FaultMessage, Hello, Message, Ping, Unreadable
from plyground.wire.protocols import codec


@dataclass(frozen=True)
class SessionLimits:
    """Limits of one client; a client that exceeds one is closed."""

    message: int = LARGEST_FRAME
    """Bytes of one message."""
    clients: int = 1_000
    """Clients at once."""
    idle: float = 3_600.0
    """Seconds without a message from the client."""
    unsent: int = 1 << 20
    """Bytes that the client has not read yet."""
    faults: int = 10
    """Unreadable messages after which the stream can still be read."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise BadInput(f"--{name} {value:g}: a limit is above 0.")


@dataclass(frozen=True)
class Send:
    """Action: write these bytes to a client."""

    client: int
    data: bytes


@dataclass(frozen=True)
class Close:
    """Action: close a client, after pending bytes are sent."""

    client: int


@dataclass(frozen=True)
class Log:
    """Action: write a line to the operator's log."""

    sentence: str


Action = Send | Close | Log


SHOWN_CHARACTERS = 200
"""Characters of a message that the log shows."""


@dataclass
class _Client:
    name: str
    codec: Codec
    room: str = ""
    faults: int = 0


@dataclass
class _Room:
    """The clients of a room, and the stored messages while a single client has sent any: new clients get them."""

    members: dict[int, None] = field(default_factory=dict)
    speaker: int | None = None
    stored: list[Message] = field(default_factory=list)
    bytes: int = 0
    stores_nothing: bool = False
    """Whether a second client has sent a message, or the stored ones grew too large: then nothing is stored."""

    def store(self, client: int, message: Message, size: int, most: int) -> None:
        """Store a message while a single client sends, up to `most` bytes in all."""
        self.bytes += size
        # Nothing is stored from the second speaker on: a stored opening would be replayed into a game that goes on.
        self.stores_nothing |= self.speaker not in (None, client) or self.bytes > most
        self.speaker = client
        if self.stores_nothing:
            self.stored.clear()
        else:
            self.stored.append(message)

    def remove(self, client: int) -> None:
        """Remove a client, and its stored messages."""
        self.members.pop(client, None)
        # A new client in the room begins a new game, not the one that its speaker has left.
        if self.speaker == client and not self.stores_nothing:
            self.speaker, self.stored, self.bytes = None, [], 0


@dataclass
class Sessions:
    """The session table. The caller gives each client a number. With `show` the log has every message."""

    protocol: str = "terms"
    limits: SessionLimits = field(default_factory=SessionLimits)
    show: bool = False
    _clients: dict[int, _Client] = field(default_factory=dict)
    _rooms: dict[str, _Room] = field(default_factory=dict)

    def connect(self, client: int, name: str) -> list[Action]:
        """Add a client; `name` is for the log."""
        if len(self._clients) >= self.limits.clients:
            return [Log(f"{name} is refused: {self.limits.clients} clients are connected already."), Close(client)]
        self._clients[client] = _Client(name, codec(self.protocol, self.limits.message))
        return [*self._show_sentence(f"{name} came."), *self._enter(client, "")]

    def receive(self, client: int, data: bytes) -> list[Action]:
        """Handle bytes from a client."""
        sender = self._clients.get(client)
        if sender is None:
            return []
        try:
            # Bytes beyond the largest message: where the next one begins is unknown, so the stream
            # is lost.
            frames = sender.codec.feed(data)
        except Unreadable as fault:
            return self._close_client(client, str(fault))
        actions: list[Action] = []
        for frame in frames:
            try:
                actions += self._handle(client, sender, frame)
            except Exception as fault:  # an error of ours: this message is lost, and no client is closed
                actions += self._report_own_fault(client, sender, fault)
            # The client was closed by one of these messages: what it sent after that is dropped.
            if client not in self._clients:
                break
        return actions

    def remove_client(self, client: int) -> list[Action]:
        """Remove a client whose connection has ended."""
        left = self._clients.pop(client, None)
        if left is None:
            return []
        self._leave(client, left.room)
        half = left.codec.pending
        if half:
            return [Log(f"{left.name} left in the middle of a message: {half} bytes are dropped.")]
        return self._show_sentence(f"{left.name} left.")

    def close_slow(self, client: int) -> list[Action]:
        """Close a client that leaves too many bytes unread."""
        return self._close_client(client, f"it reads too slowly: more than {self.limits.unsent} bytes wait for it.")

    def close_idle(self, client: int) -> list[Action]:
        """Close a client that has sent nothing for too long."""
        return self._close_client(client, f"it has said nothing for {self.limits.idle:g} s.")

    def _handle(self, client: int, sender: _Client, frame: bytes) -> list[Action]:
        try:
            message = sender.codec.read(frame)
        except Unreadable as fault:
            return self._report_client_fault(client, sender, str(fault))
        actions = self._show_sentence(f"{sender.name} says {_one_line(frame)}")
        if isinstance(message, Hello):
            self._leave(client, sender.room)
            sender.room = message.room
            actions += self._enter(client, message.room)
            # `room(…)` of a Prolog client comes as such a greeting.
            if message.room and not message.name:
                return actions  # it only named its room, which concerns no other client
        if isinstance(message, Ping) and not message.answer:
            return [*actions, Send(client, sender.codec.write(Ping(message.token, answer=True)))]
        # A client's form is known only from messages that it sent itself, not from those stored for
        # it.
        sender.codec.follow(frame, message)
        room = self._rooms[sender.room]
        room.store(client, message, len(frame), self.limits.message)
        others = [other for other in room.members if other != client]
        if not others:
            kept = "its messages wait for the next client" if room.stored else "no client gets its messages"
            actions += self._show_sentence(f"{sender.name} is alone in its room: {kept}.")
        return [*actions, *(Send(other, self._clients[other].codec.write(message)) for other in others)]

    def _report_own_fault(self, client: int, sender: _Client, fault: Exception) -> list[Action]:
        said = "This message could not be passed on: a fault of the server's own, not of yours."
        log = Log(f"A fault of the Connector's own, at a message of {sender.name}: {type(fault).__name__}: {fault}")
        return [log, Send(client, sender.codec.write(FaultMessage("server", said)))]

    def _report_client_fault(self, client: int, sender: _Client, sentence: str) -> list[Action]:
        sender.faults += 1
        if sender.faults > self.limits.faults:
            return self._close_client(client, f"more than {self.limits.faults} messages cannot be read: {sentence}")
        said = Send(client, sender.codec.write(FaultMessage("client", sentence)))
        return [Log(f"{sender.name}: {sentence}"), said]

    def _close_client(self, client: int, sentence: str) -> list[Action]:
        closed = self._clients.pop(client, None)
        if closed is None:
            return []
        # The client leaves its room first, so that no message of this turn is sent to it any more.
        self._leave(client, closed.room)
        said = Send(client, closed.codec.write(FaultMessage("client", sentence)))
        return [Log(f"{closed.name} is closed: {sentence}"), said, Close(client)]

    def _enter(self, client: int, name: str) -> list[Action]:
        """Put a client into a room, and send it the messages stored there."""
        room = self._rooms.setdefault(name, _Room())
        room.members[client] = None
        entered = self._clients[client]
        said = self._show_sentence(f"{entered.name} is in room {name!r}.") if name else []
        return [*said, *(Send(client, entered.codec.write(word)) for word in room.stored)]

    def _leave(self, client: int, name: str) -> None:
        if room := self._rooms.get(name):
            room.remove(client)
            # Rooms are named by clients: an empty one must not stay in memory.
            if not room.members:
                del self._rooms[name]

    def _show_sentence(self, sentence: str) -> list[Action]:
        return [Log(sentence)] if self.show else []


def _one_line(frame: bytes) -> str:
    """A message as one printable line for the log."""
    text = frame.decode("utf-8", "replace").strip()
    shown = text[:SHOWN_CHARACTERS] + ("…" if len(text) > SHOWN_CHARACTERS else "")
    return shown if shown.isprintable() else repr(shown)
