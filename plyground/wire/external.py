"""Players elsewhere: a program that is started here, or a peer on the network."""

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import NoReturn

from plyground.errors import BadInput
from plyground.play.referee import Failed, Illegal, Resigned, Strayed, Unable, Unanswered
from plyground.position import Position, moves_text
from plyground.wire import messages
from plyground.wire.door import door
from plyground.wire.here import own_addresses
from plyground.wire.messages import General, Hello, Message, Move, Ping, Resign, Result, Unreadable
from plyground.wire.notation import from_wire, to_wire
from plyground.wire.peer import Gone, Peer, Program, Silent, connected, named_files, over_pipes, over_socket
from plyground.wire.protocols import codec

KNOWN_WITHIN = 5.0
"""Seconds in which a program that waits for a move says a position back, if it knows what that is."""
QUOTED = 200
"""Signs of a program's words that are quoted."""
RIGHT = {
    "terms": "a line such as {term} or a term such as ({term}).",
    "xml": '<message><move text="{text}"/></message>',
    "json": '{{"move": {{"text": "{text}"}}}} on a line',
}
"""What a move looks like, by protocol."""


_OWN_FAULTS = (Silent, Gone, Unreadable, Illegal, Strayed)
"""What a player does wrong, or what looks like it."""


@dataclass
class External:
    """What all players elsewhere share: they are told the other side's moves, and asked for their own.

    A peer remembers the game, so it is brought to another position by the message `position`, if it shows that it knows
    that by saying it back; else by beginning anew and replaying the moves: it must then make the same moves again.
    Nothing that it does can hang or harm the game: each fault is a sentence that says what it did.
    """

    name: str
    protocol: str = "terms"
    timeout: float = 10.0
    """Seconds for each move."""
    start: float = 10.0
    """Seconds until it must be there."""
    anew: bool = field(default=False, init=False)
    """Whether it is begun anew for each game, also if it knows `position`."""
    moved: bool = field(default=False, init=False)
    """Whether it has been brought from one game into another without beginning anew."""
    _peer: Peer | None = field(default=None, repr=False)
    _seen: Position | None = field(default=None, repr=False)
    """The position that the peer has come to, its own last move included."""
    _answered: bool = field(default=False, init=False, repr=False)
    """Whether the peer has made a move since it is there."""
    _used: bool = field(default=False, init=False, repr=False)
    """Whether the peer that is there now has played in another game before."""
    _wire: list[tuple[str, bytes]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        codec(self.protocol)
        for name, seconds in (("timeout", self.timeout), ("start", self.start)):
            if not 0 < seconds < float("inf"):
                raise BadInput(f"{name}={seconds:g}: seconds are above 0.")

    def choose(self, position: Position, seconds: float | None) -> int:
        """Its move.

        Raises:
            Failed: it is late, unreadable or gone.
            Illegal: its move is not legal.
            Unanswered: it failed before its first move.
            Resigned: it gives up.
            Unable: it cannot be reached or started, or cannot be brought to this position.
        """
        try:
            return self._chosen(position, seconds)
        except _OWN_FAULTS as fault:
            if not self._used:
                self._blame(position, fault)
        # it has played another game before: perhaps it cannot play a second one, which nobody asked of it
        self.anew = True
        self.close()
        try:
            return self._chosen(position, seconds)
        except _OWN_FAULTS as fault:
            self._blame(position, fault)

    def _chosen(self, position: Position, seconds: float | None) -> int:
        self._bring_to(position)
        return self._ask(position, min(self.timeout, seconds or self.timeout))

    def _blame(self, position: Position, fault: Exception) -> NoReturn:
        """End it, and say what it did."""
        answered, sentence = self._answered, str(fault)
        if not isinstance(fault, Illegal | Strayed):
            sentence = self._complaint(position, fault)
        self.close()
        if isinstance(fault, Illegal | Strayed):
            raise fault
        raise (Failed if answered else Unanswered)(sentence) from None

    def _complaint(self, position: Position, fault: Exception) -> str:
        """What it did, in its own words where it had any; and what to try, if it never made a move."""
        parts = [str(fault).rstrip(".")]
        came = _quoted(self._peer.unread) if self._peer and isinstance(fault, Silent | Gone) else ""
        if came:
            but = "but" if isinstance(fault, Silent) else "after it wrote"
            parts = [f"{parts[0]} {but} {came}, which is no whole message", self._right(position)]
        elif isinstance(fault, Unreadable):
            parts.append(self._right(position))
        if words := self._last_words(ended=isinstance(fault, Gone)):
            parts.append(f"its last words: {words}")
        if not self._answered and self._peer:
            sent = [data for way, data in self._peer.bytes if way == "→"]
            parts.append(f"it was sent {_quoted(sent[-1])}" if sent else "it was to begin, so nothing was sent to it")
            parts += self._advice(fault)
        return "; ".join(parts)

    def _right(self, position: Position) -> str:
        move = position.legal_moves[0]
        text = position.game.move_text(position.state, move)
        return "a move is " + RIGHT[self.protocol].format(term=to_wire(position, move), text=text)

    def _bring_to(self, position: Position) -> None:
        """Let the peer know every move up to this position."""
        if self._peer is None or self._seen is None or not _follows(position, self._seen):
            self._seen = position if self._carried(position) else self._begun(position)
        seen, side = self._seen, position.to_move
        while len(seen.moves) < len(position.moves):
            move = position.moves[len(seen.moves)]
            if seen.to_move == side:
                made = self._ask(seen, self.timeout)
                if made != move:
                    raise Strayed(_stray(seen, made, move), len(seen.moves))
            else:
                assert self._peer is not None
                self._peer.send(Move(self._written(seen, move)))
            seen = seen.play(move)
            self._seen = seen

    def _carried(self, position: Position) -> bool:
        """Whether the peer that is there could be brought from its game to this position."""
        if self._peer is None or self.anew:
            return False
        self._used = self._placed(position, self.timeout if self.moved else min(KNOWN_WITHIN, self.timeout))
        self.moved |= self._used
        self.anew = not self._used
        return self._used

    def _begun(self, position: Position) -> Position:
        """Begin anew: the position that the peer is at then."""
        self.close()
        self._answered = self._used = False
        try:
            self._peer = self._open(position)
        except (Silent, Gone) as fault:
            parts = [f"{self.name} is not in the game: {fault}"]
            if words := self._last_words(ended=isinstance(fault, Gone)):
                parts.append(f"its last words: {words}")
            raise Unable("; ".join([*parts, *self._advice(fault)]) + ".") from None
        beginning = position.undo(len(position.moves))
        if _is_elsewhere(beginning) and not self._placed(beginning, self.timeout):
            self.close()
            raise Unable(
                f"{self.name} cannot be told where the game starts: it did not say back the message position, with "
                f"{beginning.text!r}. Give the moves that lead there instead, as in --position "
                f"'{_some_moves(position)}', or let it answer position as docs/wire.md has it."
            )
        return beginning

    def _placed(self, position: Position, seconds: float) -> bool:
        """Tell the peer a position; whether it knows what that is, and says it back."""
        assert self._peer is not None
        told = messages.Position(position.text)
        self._peer.send(told)
        try:
            return self._hear(seconds) == told
        except (Silent, Gone, Unreadable):
            return False

    def _ask(self, position: Position, seconds: float) -> int:
        match self._hear(seconds):
            case Move(text):
                self._answered = True
                try:
                    move = from_wire(position, text)
                except BadInput as fault:
                    raise Illegal(str(fault)) from None
                self._seen = position.play(move)
                return move
            case Resign():
                raise Resigned
            case other:
                raise Unreadable(_misplaced(other))

    def _hear(self, seconds: float) -> Message:
        """What it says next that is no mere courtesy."""
        assert self._peer is not None
        while True:
            match self._peer.hear(seconds):
                case Ping(token, answer=False):
                    self._peer.send(Ping(token, answer=True))
                case Hello() | Ping() | Result():
                    pass
                case other:
                    return other

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
        """Reach or start the peer.

        Raises:
            Silent, Gone: it is not there.
            Unable: a fault of this machine or of how it was named.
        """
        raise NotImplementedError

    def _last_words(self, *, ended: bool) -> str:
        return ""

    def _advice(self, fault: Exception) -> list[str]:
        """What to try where it never made a move."""
        return []


def _is_elsewhere(beginning: Position) -> bool:
    """Whether a game begins where nobody expects it without being told."""
    return bool(beginning.state != beginning.game.initial())


def _quoted(data: bytes) -> str:
    """Bytes of the wire for a sentence; empty if there are none but layout."""
    text = data.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}…") if text else ""


def _misplaced(message: Message) -> str:
    """What is wrong with a message that is no move where a move was due."""
    words = message.term if isinstance(message, General) else f"the message {type(message).__name__.lower()}"
    quoted = repr(words[:QUOTED]) if isinstance(message, General) else words
    where = "only moves go to where moves are read, all else, such as what helps to find errors, to standard error"
    return f"it wrote {quoted} where its move was due; {where}"


def _stray(seen: Position, made: int, move: int) -> str:
    played, before = moves_text(seen, (made,)) + moves_text(seen, (move,))
    after = " ".join(moves_text(seen.undo(len(seen.moves)), seen.moves)) or "the start"
    return f"It does not repeat itself: after {after} it played {played}, where the game has {before}."


def _some_moves(position: Position) -> str:
    """Moves as they are written, for an example: the first two of a game."""
    start = Position.initial(position.game)
    first = start.play(start.legal_moves[0])
    return " ".join(moves_text(start, (start.legal_moves[0], first.legal_moves[0])))


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
            "first": position.game.names[_first(position)],
        }
        if self._calls:
            return self._greeted(self._called_back(values), position)
        peer, self._program = over_pipes(codec(self.protocol), self.command, values)
        return self._greeted(peer, position)

    @property
    def _calls(self) -> bool:
        """Whether it plays over a socket, not over its standard input and output."""
        return bool(self.port) or "{port}" in self.command

    def _called_back(self, values: dict[str, str]) -> Peer:
        """Listen, start the program, wait until it connects."""
        with door(_hosts(self.port), self.port) as opened:
            values |= {"host": opened.address[0], "port": str(opened.address[1])}
            self._program = Program(self.command, values, piped=False)
            try:
                connection = opened.call_of(self._program, self.start)
            except BaseException:
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
                    raise Strayed(_stray(last, made, position.moves[len(last.moves)]), len(last.moves))
            except (Failed, Resigned, BadInput) as fault:
                twin.close()
                said = str(fault).rstrip(".") or "started anew, it resigns"
                raise BadInput(f"{self.name} cannot take back: {said}. The game stands as it was.") from None
        self.close()
        for part in fields(self):
            setattr(self, part.name, getattr(twin, part.name))

    def made_of(self) -> dict[str, str]:
        """A hash of each file that its command names, and of its neighbours of the same ending: a program may be in
        several files, and only its language knows in which.
        """
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in named_files(self.command)}

    def _last_words(self, *, ended: bool) -> str:
        return self._program.last_words(ended=ended) if self._program else ""

    def _advice(self, fault: Exception) -> list[str]:
        if self._calls:
            port = f"{self.port}" if self.port else "the one that {port} in its command stands for"
            return [f"it is to connect to port {port}: if it calls another, name that"]
        refused = self._program.refused if self._program else ""
        said = [f"nobody listens where it called ({refused})"] if refused else []
        if not refused and not isinstance(fault, Silent):
            return said
        own = f"program[port=54321]:{self.command}"
        return [*said, f"if it calls a Connector by itself, as the book's ttt.pl does, name the port it calls: {own}"]


def _first(position: Position) -> int:
    """Who begins, as far as the program knows: where it is told a start, the other side, so that it waits for that."""
    beginning = position.undo(len(position.moves))
    return 1 - position.to_move if _is_elsewhere(beginning) else beginning.to_move


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


def _hosts(port: int) -> list[str]:
    """Where a program may look for us: at a port of its own choice also where this machine's own name points to."""
    return sorted({"127.0.0.1", *own_addresses()}) if port else ["127.0.0.1"]


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
