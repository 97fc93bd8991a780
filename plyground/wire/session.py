"""The Connector without its sockets: who is connected, in which room, and what is to be done when bytes come.

What one client writes goes to all others of its room, and never back. Nothing is kept for one who comes later, but for
one case: what is said while only one has spoken waits for whoever comes, so that who begins may also be there first. A
client's fault closes that client, with a sentence, and touches nobody else; a fault of ours closes nobody.
"""

from dataclasses import dataclass, field

from plyground.errors import BadInput
from plyground.wire.codec import LARGEST, Codec
from plyground.wire.messages import Fault, Hello, Message, Ping, Unreadable
from plyground.wire.protocols import codec


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


SHOWN = 200
"""Characters of a message that the log shows."""


@dataclass
class _Client:
    name: str
    codec: Codec
    room: str = ""
    faults: int = 0


@dataclass
class _Room:
    """Who is there, and what its one speaker has said while nobody else has said a word: who comes hears it."""

    members: dict[int, None] = field(default_factory=dict)
    speaker: int | None = None
    words: list[Message] = field(default_factory=list)
    bytes: int = 0
    is_talking: bool = False
    """Whether a second one has spoken, or more was said than is kept: from then on nothing is."""

    def heard(self, client: int, message: Message, size: int, most: int) -> None:
        """Keep what is said, as long as it is one who speaks, and to `most` bytes."""
        self.bytes += size
        self.is_talking |= self.speaker not in (None, client) or self.bytes > most
        self.speaker = client
        if self.is_talking:
            self.words.clear()
        else:
            self.words.append(message)

    def left(self, client: int) -> None:
        """One has gone; what it has said is not kept for those who come."""
        self.members.pop(client, None)
        if self.speaker == client and not self.is_talking:
            self.speaker, self.words, self.bytes = None, [], 0


@dataclass
class Sessions:
    """The table. Numbers name clients; the caller makes them up. With `show` the log tells all that happens."""

    protocol: str = "terms"
    limits: Limits = field(default_factory=Limits)
    show: bool = False
    _clients: dict[int, _Client] = field(default_factory=dict)
    _rooms: dict[str, _Room] = field(default_factory=dict)

    def connected(self, client: int, name: str) -> list[Action]:
        """Somebody has connected; `name` is for the log."""
        if len(self._clients) >= self.limits.clients:
            return [Log(f"{name} is refused: {self.limits.clients} clients are connected already."), Close(client)]
        self._clients[client] = _Client(name, codec(self.protocol, self.limits.message))
        return [*self._shown(f"{name} came."), *self._enter(client, "")]

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
            try:
                actions += self._handled(client, sender, frame)
            except Exception as fault:  # ours, whatever it is: it costs this message, and nobody his session
                actions += self._ours(client, sender, fault)
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
        if half:
            return [Log(f"{left.name} left in the middle of a message: {half} bytes are dropped.")]
        return self._shown(f"{left.name} left.")

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
        actions = self._shown(f"{sender.name} says {_on_a_line(frame)}")
        if isinstance(message, Hello):
            self._leave(client, sender.room)
            sender.room = message.room
            actions += self._enter(client, message.room)
            if message.room and not message.name:
                return actions  # it only named its room; nobody else need know
        if isinstance(message, Ping) and not message.answer:
            return [*actions, Send(client, sender.codec.write(Ping(message.token, answer=True)))]
        sender.codec.follow(frame, message)
        room = self._rooms[sender.room]
        room.heard(client, message, len(frame), self.limits.message)
        others = [other for other in room.members if other != client]
        if not others:
            kept = "what it says waits for whoever comes" if room.words else "nobody hears what it says"
            actions += self._shown(f"{sender.name} is alone in its room: {kept}.")
        return [*actions, *(Send(other, self._clients[other].codec.write(message)) for other in others)]

    def _ours(self, client: int, sender: _Client, fault: Exception) -> list[Action]:
        said = "This message could not be passed on: a fault of the server's own, not of yours."
        log = Log(f"A fault of the Connector's own, at a message of {sender.name}: {type(fault).__name__}: {fault}")
        return [log, Send(client, sender.codec.write(Fault("server", said)))]

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

    def _enter(self, client: int, name: str) -> list[Action]:
        """Into a room; it hears what waits there."""
        room = self._rooms.setdefault(name, _Room())
        room.members[client] = None
        entered = self._clients[client]
        said = self._shown(f"{entered.name} is in room {name!r}.") if name else []
        return [*said, *(Send(client, entered.codec.write(word)) for word in room.words)]

    def _leave(self, client: int, name: str) -> None:
        if room := self._rooms.get(name):
            room.left(client)
            if not room.members:
                del self._rooms[name]

    def _shown(self, sentence: str) -> list[Action]:
        return [Log(sentence)] if self.show else []


def _on_a_line(frame: bytes) -> str:
    """A message for the log: one line, whatever is in it."""
    text = frame.decode("utf-8", "replace").strip()
    shown = text[:SHOWN] + ("…" if len(text) > SHOWN else "")
    return shown if shown.isprintable() else repr(shown)
