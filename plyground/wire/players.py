"""Players elsewhere: a program that is started here, or a peer on the network."""

import contextlib
import inspect
import select
import socket
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace

from plyground.errors import BadInput
from plyground.match import Failed, Resigned
from plyground.position import Position
from plyground.wire.here import own_addresses
from plyground.wire.messages import Hello, Move, Ping, Resign, Result, Unreadable
from plyground.wire.notation import from_wire, to_wire
from plyground.wire.peer import Gone, Peer, Program, Silent, connected, over_pipes, over_socket
from plyground.wire.protocols import codec


@dataclass
class External:
    """What all players elsewhere share: they are told the other side's moves, and asked for their own.

    A peer remembers the game, so it is brought to another position by beginning anew and replaying the moves; it must
    then make the same moves again. Nothing that it does can hang or harm the game: each fault is a sentence that says
    what it did.
    """

    name: str
    protocol: str = "terms"
    timeout: float = 10.0
    """Seconds for each move."""
    start: float = 10.0
    """Seconds until it must be there."""
    _peer: Peer | None = field(default=None, repr=False)
    _seen: Position | None = field(default=None, repr=False)
    """The position that the peer has come to, its own last move included."""
    _wire: list[tuple[str, bytes]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        codec(self.protocol)
        for name, seconds in (("timeout", self.timeout), ("start", self.start)):
            if not 0 < seconds < float("inf"):
                raise BadInput(f"{name}={seconds:g}: seconds are above 0.")

    def choose(self, position: Position, seconds: float | None) -> int:
        """Its move.

        Raises:
            Failed: it is late, unreadable, gone, or cannot be brought to this position.
            Resigned: it gives up.
            BadInput: its move is not legal.
        """
        try:
            self._bring_to(position)
            return self._ask(position, min(self.timeout, seconds or self.timeout))
        except (Silent, Gone, Unreadable) as fault:
            words = self._last_words()
            self.close()
            raise Failed(f"{fault}{f'; its last words: {words}' if words else ''}") from None

    def _bring_to(self, position: Position) -> None:
        """Let the peer know every move up to this position."""
        seen = self._seen
        if self._peer is None or seen is None or not _follows(position, seen):
            self.close()
            seen = position.undo(len(position.moves))
            self._peer = self._open(position)
            self._seen = seen
        side = position.to_move
        while len(seen.moves) < len(position.moves):
            move = position.moves[len(seen.moves)]
            if seen.to_move == side:
                made = self._ask(seen, self.timeout)
                if made != move:
                    played = seen.game.move_text(seen.state, made)
                    raise Gone(f"it does not repeat itself: it played {played} where it played otherwise before")
            else:
                self._peer.send(Move(self._written(seen, move)))
            seen = seen.play(move)
            self._seen = seen

    def _ask(self, position: Position, seconds: float) -> int:
        assert self._peer is not None
        while True:
            match self._peer.hear(seconds):
                case Move(text):
                    move = from_wire(position, text)
                    self._seen = position.play(move)
                    return move
                case Resign():
                    raise Resigned
                case Ping(token, answer=False):
                    self._peer.send(Ping(token, answer=True))
                case Hello() | Ping() | Result():
                    pass
                case other:
                    raise Unreadable(f"it sent {type(other).__name__.lower()} where a move was asked for")

    def _written(self, position: Position, move: int) -> str:
        return to_wire(position, move) if self.protocol == "terms" else position.game.move_text(position.state, move)

    def ended(self, position: Position, utility: int | None, why: str) -> None:
        """Tell the peer how the game ended, where its protocol has a word for it."""
        if self._peer and self.protocol != "terms":
            self._peer.send(Result(utility or 0, why))

    def take_back(self, position: Position, seat: int) -> None:
        """Come to an earlier position of the game; the peer that knows more than that is left for one that does not.

        Raises:
            BadInput: the peer cannot; it is still there, and its game stands as it was.
        """
        if self._peer and self._seen and not _follows(position, self._seen):
            self._restart(position, seat)

    def _restart(self, position: Position, seat: int) -> None:
        """Put a peer that has come to an earlier position in the place of this one."""
        raise NotImplementedError

    def opened(self, position: Position) -> Peer:
        """A fresh peer that has been told nothing yet, for whoever talks to it by hand.

        Raises:
            Silent, Gone, BadInput: it cannot be reached or started.
        """
        self.close()
        self._peer = self._open(position)
        return self._peer

    @property
    def wire(self) -> list[tuple[str, bytes]]:
        """What went over the wire last: `→` to the peer, `←` from it."""
        return self._peer.bytes if self._peer else self._wire

    def close(self) -> None:
        """End the connection, and the program with all that it started."""
        if self._peer:
            self._wire = self._peer.bytes
            self._peer.close()
        self._peer = self._seen = None

    def _greeted(self, peer: Peer, position: Position) -> Peer:
        if self.protocol != "terms":
            game = type(position.game).__name__
            peer.send(Hello(name="plyground", game=game, side="xo"[position.to_move]))
        return peer

    def _open(self, position: Position) -> Peer:
        raise NotImplementedError

    def _last_words(self) -> str:
        return ""


def _follows(position: Position, seen: Position) -> bool:
    """Whether the game has only gone on since."""
    same = seen.game == position.game and seen.start == position.start
    return same and position.moves[: len(seen.moves)] == seen.moves and len(seen.moves) <= len(position.moves)


@dataclass
class Started(External):
    """A program started for the game: it plays over its standard input and output, or over a socket of its own if its
    command has `{port}` or a `port` is given for it to connect to.

    `{host}`, `{port}`, `{game}`, `{side}` and `{first}` in the command are filled in, and stand in the environment as
    PLYGROUND_HOST and so on.
    """

    port: int = 0
    command: str = ""
    _program: Program | None = field(default=None, repr=False)

    def _open(self, position: Position) -> Peer:
        values = {
            "game": type(position.game).__name__.lower(),
            "side": position.game.names[position.to_move],
            "first": position.game.names[position.undo(len(position.moves)).to_move],
        }
        if self.port or "{port}" in self.command:
            return self._greeted(self._called_back(values), position)
        peer, self._program = over_pipes(codec(self.protocol), self.command, values)
        return self._greeted(peer, position)

    def _called_back(self, values: dict[str, str]) -> Peer:
        """Listen, start the program, wait until it connects."""
        with contextlib.ExitStack() as stack:
            listening = [stack.enter_context(_listen(host, self.port)) for host in _hosts(self.port)]
            values |= {"host": listening[0].getsockname()[0], "port": str(listening[0].getsockname()[1])}
            self._program = Program(self.command, values, piped=False)
            try:
                connection = _accepted(listening, self.start)
            except Silent:
                self._program.close()
                raise
        peer = over_socket(codec(self.protocol), connection)
        peer._endings.insert(0, self._program.close)
        return peer

    def _restart(self, position: Position, seat: int) -> None:
        """Start the program once more, beside the one that plays; it is taken if it makes the same moves again."""
        before = [step for step in position.steps() if step.to_move == seat and len(step.moves) < len(position.moves)]
        twin = replace(self, _program=None, _peer=None, _seen=None, _wire=[])
        if before:
            last = before[-1]
            try:
                made = twin.choose(last, None)
                if made != position.moves[len(last.moves)]:
                    raise Failed("it does not repeat itself: started anew, it plays otherwise")
            except (Failed, Resigned, BadInput) as fault:
                twin.close()
                said = str(fault).rstrip(".") or "started anew, it resigns"
                raise BadInput(f"{self.name} cannot take back: {said}. The game stands as it was.") from None
        self.close()
        for part in fields(self):
            setattr(self, part.name, getattr(twin, part.name))

    def _last_words(self) -> str:
        return self._program.last_words if self._program else ""


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
        with _listen("127.0.0.1", self.port) as listening:
            return self._greeted(over_socket(codec(self.protocol), _accepted([listening], self.start)), position)


def _hosts(port: int) -> list[str]:
    """Where a program may look for us: at a port of its own choice also where this machine's own name points to."""
    return sorted({"127.0.0.1", *own_addresses()}) if port else ["127.0.0.1"]


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1)
    except (OSError, OverflowError) as fault:
        listening.close()
        raise BadInput(f"{host}:{port} cannot be listened on: {getattr(fault, 'strerror', fault)}.") from None
    return listening


def _accepted(listening: list[socket.socket], seconds: float) -> socket.socket:
    """The first connection to any of these.

    Raises:
        Silent: nobody connects in so many seconds.
    """
    ready, _, _ = select.select(listening, [], [], seconds)
    if not ready:
        raise Silent(f"it did not connect within {seconds:g} s")
    return ready[0].accept()[0]


# -- by spec -----------------------------------------------------------------------------------------------------------


def program(
    command: str, protocol: str = "terms", timeout: float = 10.0, start: float = 10.0, port: int = 0
) -> Started:
    """`program:COMMAND`: a program that is started here."""
    if not command.strip():
        raise BadInput("program: needs a command, as in program:swipl student.pl.")
    name = _spec(program, command, protocol=protocol, timeout=timeout, start=start, port=port)
    return Started(name, protocol, timeout, start, port=port, command=command)


def connect(
    address: str, protocol: str = "terms", timeout: float = 10.0, start: float = 10.0, restarts: bool = False
) -> Called:
    """`connect:HOST:PORT`: a peer that listens."""
    name = _spec(connect, address, protocol=protocol, timeout=timeout, start=start, restarts=restarts)
    return Called(name, protocol, timeout, start, restarts=restarts, address=host_and_port(address))


def listen(
    port: str, protocol: str = "terms", timeout: float = 10.0, start: float = 60.0, restarts: bool = False
) -> Caller:
    """`listen:PORT`: a peer that connects."""
    name = _spec(listen, port, protocol=protocol, timeout=timeout, start=start, restarts=restarts)
    return Caller(name, protocol, timeout, start, restarts=restarts, port=host_and_port(f"localhost:{port}")[1])


def _spec(maker: Callable[..., External], text: str, **options: object) -> str:
    """What makes such a player again: the options that are not the usual ones, in brackets."""
    usual = inspect.signature(maker).parameters
    words = [f"{key}={_word(value)}" for key, value in options.items() if value != usual[key].default]
    return f"{maker.__name__}{'[' + ','.join(words) + ']' if words else ''}:{text}"


def _word(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


def host_and_port(address: str) -> tuple[str, int]:
    """The parts of `HOST:PORT`.

    Raises:
        BadInput: it is not of that form.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 65_536:
        raise BadInput(f"{address!r} is no address: write HOST:PORT, as in localhost:54321.")
    return host, int(port)
