"""Grades of servers: a student's Connector, over which two clients play while others come, go and disturb.

A server passes what one client writes on to all the others, and never back. It is started once, and again after each
criterion that it misses, so that no fault costs what another criterion asks; one that was started elsewhere is taken
as it is.
"""

import re
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple, NoReturn

from plyground.errors import BadInput, sentence_of
from plyground.grading.forms import RIGHT, ExampleData, GradeData, GradeReport, MarkData, ShownMistake, mark_line
from plyground.position import Position
from plyground.programs.error_output import ErrorOutput
from plyground.wire.codec import Codec
from plyground.wire.connector import PORT
from plyground.wire.hostnames import own_addresses
from plyground.wire.messages import FaultMessage, Message, Move, Unreadable
from plyground.wire.peer import Program, quote_bytes
from plyground.wire.protocols import codec
from plyground.wire.remote import host_and_port

GAME_PASSED: Final = "tictactoe"
"""Game of the moves that the clients write; a server knows nothing of it."""
GAME_MOVES: Final = "b1 b2 a1 c1 a3 a2 c2 b3 c3"
"""A whole game."""
ANSWER_SECONDS = 5.0
"""Seconds within which what one client writes has reached the other."""
START_SECONDS = 10.0
"""Seconds within which a started server listens."""
SETTLED = 0.3, 2.0
"""Seconds for a server to accept clients before one of them writes, and those of a second try."""
SILENCE = 0.3
"""Seconds in which nothing more may come to a client."""
PART_PAUSE = 0.1
"""Seconds between the parts of a message, so that they come one by one."""
CHUNK = 65_536
PAGE, PROLOG, THIRD = "the page", "the Prolog player", "a third client"
"""The clients: the page writes `(2,1).` as a Prolog reads it, the Prolog player `2,1`; the third writes as the page."""
GARBAGE: Final = (
    b"\xff\xfe\x00\x80\n",
    b"')(. foo(bar.\n",
    b"halt. :- X is 1/0, abort.\n",
    b"}{ <message><message>\n",
    b"x" * 100_000 + b"\n",
)
"""What a client writes that has lost its senses."""
INVALID: Final = (
    b'<message><mvoe text="c1"/></message>\n',
    b"<message><move/></message>\n",
    b'<!DOCTYPE message [<!ENTITY m "c1">]><message><move text="&m;"/></message>\n',
)
"""Documents that the schema `plyground.xsd` does not allow, or that declare what no message may."""


PIECES: Final = (
    re.compile(rb"[(\[]?\s*\d+\s*,\s*\d+\s*[)\]]?[ \t]*(?:\.\s|\r?\n)"),
    re.compile(rb"<message\b[^<>]*>(?:(?!<message\b).)*?</message\s*>", re.DOTALL),
    re.compile(rb"[^\n]+\n"),
)
"""Pieces of a stream that may be moves in one protocol or another: a pair of numbers, a document, a line."""


class _Missed(Exception):
    """A criterion is missed. The argument is a sentence."""


class _Nothing(_Missed):
    """Nothing at all has come to a client."""


@dataclass
class _TestClient:
    """A client of the server."""

    name: str
    connection: socket.socket
    words: Codec
    table: "_Table"
    frames: list[bytes] = field(default_factory=list)
    """Messages that have come and are not read yet."""
    came: bytearray = field(default_factory=bytearray)
    """All bytes that have come."""
    seen: int = 0
    """Bytes of them that `find` has looked at."""
    said: list[Message] = field(default_factory=list)
    """Moves that it has written itself."""

    @property
    def is_prolog(self) -> bool:
        """Whether it reads terms that end with a full stop, and no others."""
        return self.words.as_player and self.words.only_moves

    def say(self, move: int) -> None:
        """Write a move."""
        message = self.table.message(move)
        self.said.append(message)
        self.table.written[message] = self.text(move)
        self.write(self.text(move))

    def text(self, move: int) -> bytes:
        """A move as it writes it."""
        return self.words.write(self.table.message(move))

    def write(self, data: bytes) -> None:
        """Write bytes as they are; a server that has closed the connection is seen where something is to come."""
        self.table.note(self.name, "→", data)
        with suppress(OSError):
            self.connection.sendall(data)

    def hear(self, move: int, *, as_term: bool = False) -> None:
        """Wait for a move, which has to be the next message that comes; what it wrote itself is another criterion's.

        Args:
            move: the move.
            as_term: whether it has to come as a Prolog reads it, where a Prolog waits for it.

        Raises:
            _Missed: it does not come, or something else does.
        """
        meant = self.table.message(move)
        while True:
            frame = self._next(meant)
            try:
                message = self.words.read(frame)
            except Unreadable as fault:
                raise _Missed(f"What comes to {self.name}, {quote_bytes(frame)}, is no message: {fault}") from None
            if message == meant and not (as_term and self.is_prolog and self._is_short(frame, message)):
                return
            if message == meant:
                raise _Missed(
                    f"To {self.name} comes {quote_bytes(frame)}, and a Prolog that reads waits for more: "
                    f"{self._quoted(meant)} and a new line."
                )
            if isinstance(message, FaultMessage):
                raise _Missed(f"It answers {self.name} that something was wrong: {message.sentence}")
            if message not in self.said and (isinstance(message, Move) or self.words.only_moves):
                raise _Missed(f"To {self.name} comes {quote_bytes(frame)}, where {self._quoted(meant)} is due.")

    def find(self, move: int) -> None:
        """Wait for a move among whatever else comes.

        Raises:
            _Missed: it does not come.
        """
        meant = self.table.message(move)
        until = time.monotonic() + self.table.seconds
        while not any(self._is_move(piece, meant) for piece in self._pieces()):
            if not self._receive(until):
                self._raise_missing(meant)
        self.seen = len(self.came)
        self.frames.clear()
        self.words = self.table.words(self.name)

    def _is_short(self, frame: bytes, message: Message) -> bool:
        """Whether a move has come in the form that a Prolog writes, and not in the one that it reads."""
        words = codec(self.table.server.protocol)
        words.follow(frame, message)
        return not words.as_player

    def _is_move(self, piece: bytes, meant: Message) -> bool:
        with suppress(Unreadable):
            return self.table.words(self.name).read(piece) == meant
        return False

    def _pieces(self) -> Iterator[bytes]:
        """Pieces of what has come that may be moves, whatever stands between them."""
        for pattern in PIECES:
            yield from (piece[0] for piece in pattern.finditer(self.came, self.seen))

    def expect_silence(self, whose: str) -> None:
        """Wait a little, in which nothing may come.

        Raises:
            _Missed: something comes.
        """
        until = time.monotonic() + SILENCE
        while not self.frames and self._receive(until):
            pass
        if self.frames:
            raise _Missed(f"To {self.name} comes {quote_bytes(self.frames[0])}, {whose}.")

    def leave(self) -> None:
        """Close the connection as a program does that ends well: it has read what has come, else the system resets."""
        self.table.note(self.name, "leaves", b"")
        until = time.monotonic() + SILENCE
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while self._receive(until):
                pass
        self.connection.close()

    def reset(self) -> None:
        """Close the connection as a program does that is killed: what it has not read is lost, and the server told."""
        self.table.note(self.name, "breaks", b"")
        self.connection.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
        )
        self.connection.close()

    def _next(self, meant: Message) -> bytes:
        until = time.monotonic() + self.table.seconds
        while not self.frames:
            if not self._receive(until):
                self._raise_missing(meant)
        return self.frames.pop(0)

    def _receive(self, until: float) -> bool:
        """Receive what comes. Returns False at the end of the time, or of the connection."""
        try:
            self.connection.settimeout(max(until - time.monotonic(), 0.001))
            data = self.connection.recv(CHUNK)
        except OSError:
            return False
        if not data:
            return False
        self.table.note(self.name, "←", data)
        self.came += data
        with suppress(Unreadable):
            self.frames += self.words.feed(data)
        return True

    def _raise_missing(self, meant: Message) -> NoReturn:
        """Say why a message has not come."""
        if ended := self.table.server.end_words:
            raise _Missed(f"{ended}, and {self._quoted(meant)} has not come to {self.name}.")
        rest = bytes(self.came[self.seen :]) if self.words.pending else b""
        if rest.strip():
            raise _Missed(
                f"To {self.name} comes {quote_bytes(rest)} within {self.table.seconds:g} s, which is no whole message: "
                f"{self._quoted(meant)} and a new line are due."
            )
        if self._is_closed:
            raise _Missed(f"It has closed the connection of {self.name}, to which {self._quoted(meant)} was to come.")
        fault = _Missed if self.came else _Nothing
        raise fault(
            f"{self._quoted(meant)} does not come to {self.name} within {self.table.seconds:g} s"
            + (f", but {quote_bytes(rest)}." if rest.strip() else ".")
        )

    @property
    def _is_closed(self) -> bool:
        try:
            self.connection.settimeout(0.001)
            return not self.connection.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return False
        except OSError:
            return True

    def _quoted(self, meant: Message) -> str:
        """A move as another client wrote it, in quotes."""
        return quote_bytes(self.table.written.get(meant) or codec(self.table.server.protocol).write(meant))


@dataclass
class _Table:
    """Clients of one server, and what is written; the step of a criterion plays on it."""

    server: "_Server"
    seconds: float
    settled: float
    clients: list[_TestClient] = field(default_factory=list)
    notes: list[tuple[str, str, bytes]] = field(default_factory=list)
    """Who wrote (`→`) or was sent (`←`) what, or left."""
    written: dict[Message, bytes] = field(default_factory=dict)
    """What was written for a move."""
    position: Position = field(default_factory=lambda: Position.parse(GAME_PASSED, ""))

    def message(self, move: int) -> Move:
        """A move's message."""
        return Move(codec(self.server.protocol).move_text(self.position, move))

    def words(self, name: str) -> Codec:
        """A codec for a client."""
        made = codec(self.server.protocol)
        made.as_player = name == PROLOG
        return made

    def client(self, name: str) -> _TestClient:
        """A client that has connected.

        Raises:
            _Missed: the server does not listen.
        """
        made = _TestClient(name, self.server.connect(), self.words(name), self)
        self.clients.append(made)
        return made

    def pair(self) -> tuple[_TestClient, _TestClient]:
        """The page and the Prolog player, connected."""
        found = self.client(PAGE), self.client(PROLOG)
        self.settle()
        return found

    def settle(self) -> None:
        """Wait until the server has accepted its clients, which no client can see."""
        time.sleep(self.settled)

    def note(self, name: str, way: str, data: bytes) -> None:
        """Remember what was written."""
        self.notes.append((name, way, data))

    @property
    def story(self) -> str:
        """The last that was written, in words: `the page → '(2,1).'; the Prolog player ← '(2,1).'`."""
        said = [f"{name} {way} {quote_bytes(data)}".strip() for name, way, data in self.notes[-12:]]
        return "; ".join(said)

    def close(self) -> None:
        """End all clients; where the server has closed first, so that its port is free for its next start."""
        for each in self.clients:
            if each.connection.fileno() >= 0:
                each.reset() if self.server.end_words or each._is_closed else each.leave()


@dataclass
class _Server:
    """The server: started here, or listening elsewhere."""

    protocol: str
    address: tuple[str, int]
    command: str = ""
    """Its command line; empty where it was started elsewhere."""
    _program: Program | None = None
    _output: ErrorOutput | None = None

    def start(self) -> bool:
        """Start it, unless it runs. Returns whether no client has met it before, or none can tell.

        Raises:
            BadInput: it cannot be started, or its port is taken.
        """
        if not self.command:
            return True
        if self._program and self._program.exit_code is None:
            return False
        self.close()
        with suppress(OSError), socket.create_connection(self.address, timeout=1.0):
            raise BadInput(
                f"Something listens at port {self.address[1]} already: end it, or check it there by "
                f"--server localhost:{self.address[1]}."
            )
        host, port = self.address
        self._program = Program(self.command, {"host": host, "port": f"{port}"}, piped=True, network=True)
        assert self._program.process.stdout is not None
        self._output = ErrorOutput(self._program.process.stdout)
        return True

    def connect(self) -> socket.socket:
        """A connection to it.

        Raises:
            _Missed: it does not listen.
        """
        until = time.monotonic() + START_SECONDS
        while True:
            for host in dict.fromkeys([self.address[0], *(own_addresses() if self.command else ())]):
                with suppress(OSError):
                    made = socket.create_connection((host, self.address[1]), timeout=START_SECONDS)
                    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    return made
            if ended := self.end_words:
                raise _Missed(f"{ended}.")
            if not self.command or time.monotonic() >= until:
                raise _Missed(f"Nothing listens at {self.address[0]}:{self.address[1]}{self._last_words}.")
            time.sleep(0.05)

    @property
    def end_words(self) -> str:
        """How its program has ended, in words; empty where it runs."""
        if self._program is None or self._program.exit_code is None:
            return ""
        return f"It {self._program.exit_words}{self._last_words}"

    @property
    def _last_words(self) -> str:
        if self._program is None:
            return ""
        said = self._program.errors(ended=self._program.exit_code is not None).quotation
        return f"; {said}" if said else ""

    def close(self) -> None:
        """End the program, if it was started here."""
        program, self._program = self._program, None
        if program:
            program.close()


Play = Callable[[_Table], None]


class ServerCriterion(NamedTuple):
    """One thing that a server is graded by."""

    name: str
    points: int
    play: Play
    protocol: str = ""
    """The protocol that alone has it; empty: all."""


def _moves() -> list[int]:
    """Moves of the game."""
    position, found = Position.parse(GAME_PASSED, ""), list[int]()
    for word in GAME_MOVES.split():
        found.append(position.legal(word))
        position = position.play(found[-1])
    return found


MOVES: Final = _moves()


def _exchange_moves(first: _TestClient, second: _TestClient, start: int = 0, *, as_term: bool = False) -> None:
    """Two moves: one that the first writes, and the second's answer."""
    first.say(MOVES[start])
    second.hear(MOVES[start], as_term=as_term)
    second.say(MOVES[start + 1])
    first.hear(MOVES[start + 1])


def _play_on(first: _TestClient, second: _TestClient) -> None:
    """Two moves more, among whatever else was passed on."""
    first.say(MOVES[7])
    second.find(MOVES[7])
    second.say(MOVES[8])
    first.find(MOVES[8])


def _begin_by_page(table: _Table) -> None:
    page, prolog = table.pair()
    _exchange_moves(page, prolog, as_term=True)


def _begin_by_prolog(table: _Table) -> None:
    page, prolog = table.pair()
    _exchange_moves(prolog, page)


def _expect_no_echo(table: _Table) -> None:
    page, prolog = table.pair()
    page.say(MOVES[0])
    prolog.find(MOVES[0])
    page.expect_silence("which it wrote itself")
    prolog.say(MOVES[1])
    page.find(MOVES[1])
    prolog.expect_silence("which it wrote itself")


def _play_whole_game(table: _Table) -> None:
    page, prolog = table.pair()
    for number, move in enumerate(MOVES):
        writer, reader = (prolog, page) if number % 2 else (page, prolog)
        writer.say(move)
        reader.hear(move)
    prolog.expect_silence("which was written once only")


def _send_in_parts(table: _Table) -> None:
    page, prolog = table.pair()
    whole = page.text(MOVES[0])
    half = len(whole) // 2
    page.write(whole[:half])
    time.sleep(PART_PAUSE)
    page.write(whole[half:])
    prolog.hear(MOVES[0])
    page.write(page.text(MOVES[1]) + page.text(MOVES[2]))
    prolog.hear(MOVES[1])
    prolog.hear(MOVES[2])
    page.write(page.text(MOVES[3]).replace(b"\n", b"\r\n"))
    prolog.hear(MOVES[3])


def _play_with_three(table: _Table) -> None:
    third = table.client(THIRD)
    page, prolog = table.pair()
    page.say(MOVES[0])
    prolog.hear(MOVES[0])
    third.hear(MOVES[0])
    third.say(MOVES[1])
    page.hear(MOVES[1])
    prolog.hear(MOVES[1])


def _play_three_games(table: _Table) -> None:
    for number in range(3):
        page, prolog = table.pair()
        if number:
            page.expect_silence("which is of the game before")
            prolog.expect_silence("which is of the game before")
        _exchange_moves(page, prolog, 2 * number)
        page.leave()
        prolog.leave()
        table.settle()


def _replace_one(table: _Table) -> None:
    page, prolog = table.pair()
    _exchange_moves(page, prolog)
    prolog.leave()
    table.settle()
    page.say(MOVES[2])
    time.sleep(PART_PAUSE)
    page.say(MOVES[4])
    other = table.client(PROLOG)
    table.settle()
    _play_on(page, other)


def _send_garbage(table: _Table) -> None:
    page, prolog = table.pair()
    _exchange_moves(page, prolog)
    for data in GARBAGE:
        third = table.client(THIRD)
        third.write(data)
        time.sleep(PART_PAUSE)
    _play_on(page, prolog)


def _cut_line(table: _Table, *, held: bool = False) -> None:
    page, prolog = table.pair()
    third = table.client(THIRD)
    table.settle()
    _exchange_moves(page, prolog)
    third.write(third.text(MOVES[5])[:-3])
    time.sleep(PART_PAUSE)
    third.leave()
    table.settle()
    if held:
        _exchange_moves(page, prolog, 2)
    else:
        _play_on(page, prolog)


def _cut_line_held(table: _Table) -> None:
    _cut_line(table, held=True)


def _reset_clients(table: _Table) -> None:
    page, prolog = table.pair()
    for told in (b"", b"", page.text(MOVES[5])):
        third = table.client(THIRD)
        table.settle()
        third.write(told)
        third.reset()
        page.say(MOVES[6])
    table.settle()
    _play_on(page, prolog)
    prolog.reset()
    page.say(MOVES[0])
    table.settle()
    page.say(MOVES[0])
    other = table.client(PROLOG)
    table.settle()
    _play_on(page, other)


def _send_invalid(table: _Table) -> None:
    page, prolog = table.pair()
    third = table.client(THIRD)
    table.settle()
    for document in INVALID:
        third.write(document)
        time.sleep(PART_PAUSE)
    prolog.expect_silence("which the schema does not allow")
    _exchange_moves(page, prolog)


SERVER_CRITERIA: Final = (
    ServerCriterion("to the other, the page begins", 15, _begin_by_page),
    ServerCriterion("to the other, Prolog begins", 10, _begin_by_prolog),
    ServerCriterion("never back to the sender", 10, _expect_no_echo),
    ServerCriterion("a whole game, in order", 5, _play_whole_game),
    ServerCriterion("in parts, two at once, CR LF", 5, _send_in_parts),
    ServerCriterion("three clients at once", 10, _play_with_three),
    ServerCriterion("one game after another", 10, _play_three_games),
    ServerCriterion("one leaves, another comes", 5, _replace_one),
    ServerCriterion("garbage disturbs nobody", 10, _send_garbage),
    ServerCriterion("a cut in mid-line", 10, _cut_line),
    ServerCriterion("half a line is kept back", 5, _cut_line_held),
    ServerCriterion("an abrupt close", 5, _reset_clients),
    ServerCriterion("invalid XML is not passed on", 20, _send_invalid, "xml"),
)
"""What a server is graded by, causes before consequences: 100 points, and 20 more where it speaks XML."""
FIRST: Final = 2
"""Number of criteria without which nothing else can be asked."""
UNASKED = "Not asked: first a move and its answer have to come to the other side."


class _Mark(NamedTuple):
    """What a server did for a criterion."""

    criterion: ServerCriterion
    sentence: str = ""
    """How it missed it; empty where it did not."""
    story: str = ""
    """What was written on the wire."""


def grade_server(
    server: str,
    *,
    port: int = 0,
    protocol: str,
    seconds: float = ANSWER_SECONDS,
    on_criterion: Callable[[str], None] = lambda name: None,
) -> GradeReport:
    """Grade a server.

    Args:
        server: `HOST:PORT` where it listens, or a command that starts it; that may have `{port}`.
        port: the port at which a command's server listens; 0: a free one if the command has `{port}`, else 54321.
        protocol: the name of the protocol in which its clients write.
        seconds: within which what one client writes has reached the other.
        on_criterion: called with the name of each criterion before it is asked.

    Raises:
        BadInput: there is no such protocol, the command cannot be started, or its port is taken.
    """
    codec(protocol)
    asked = [each for each in SERVER_CRITERIA if each.protocol in ("", protocol)]
    marks: list[_Mark] = []
    with _server_at(server, port, protocol) as served:
        for criterion in asked:
            on_criterion(criterion.name)
            is_deaf = len(marks) >= FIRST and all(mark.sentence for mark in marks[:FIRST])
            marks.append(_Mark(criterion, UNASKED) if is_deaf else _mark_criterion(served, criterion, seconds))
    return _report(server, marks)


@contextmanager
def _server_at(server: str, port: int, protocol: str) -> Iterator[_Server]:
    host, _, number = server.rpartition(":")
    if " " not in server.strip() and host and number.isdecimal():
        served = _Server(protocol, host_and_port(server))
    else:
        served = _Server(protocol, ("localhost", port or (_free_port() if "{port}" in server else PORT)), server)
    try:
        yield served
    finally:
        served.close()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _mark_criterion(server: _Server, criterion: ServerCriterion, seconds: float) -> _Mark:
    """What the server does for a criterion. It is tried once more by a server that was started for it; and where
    nothing came at all, for it may have been slow to accept its clients."""
    for settled in SETTLED:
        is_fresh = server.start()
        table = _Table(server, seconds, settled)
        try:
            criterion.play(table)
            return _Mark(criterion)
        except _Missed as missed:
            mark = _Mark(criterion, sentence_of(f"{missed}"), table.story)
            is_sure = is_fresh and not isinstance(missed, _Nothing)
        finally:
            table.close()
        server.close()
        if is_sure:
            break
    return mark


def _report(server: str, marks: list[_Mark]) -> GradeReport:
    """The grade in all forms."""
    missed = [mark for mark in marks if mark.sentence]
    points = sum(mark.criterion.points for mark in marks if not mark.sentence)
    possible = sum(mark.criterion.points for mark in marks)
    likely = missed[0].sentence if missed else ""
    criteria = [
        MarkData(
            name=name,
            points=0 if sentence else worth,
            possible=worth,
            asked=1,
            failed=int(bool(sentence)),
            unanswered=int(sentence == UNASKED),
            example=ExampleData(None, mark is not missed[0], sentence, mark.story, GAME_PASSED, "", None, None)
            if sentence
            else None,
        )
        for mark in marks
        for (name, worth, _, _), sentence in [(mark.criterion, mark.sentence)]
    ]
    lines = [
        mark_line(each.name, each.points, each.possible, mark.sentence, 30)
        for each, mark in zip(criteria, marks, strict=True)
    ]
    lines.append(f"{server}: {points} of {possible} points. {likely or RIGHT}")
    lines += [f"On the wire: {missed[0].story}"] if missed and missed[0].story else []
    data = GradeData(
        server, points, possible, likely, "", criteria, [each.example for each in criteria if each.example], []
    )
    shown = tuple(ShownMistake(mark.sentence, mark.story, "", ()) for mark in missed if mark.sentence != UNASKED)
    return GradeReport(data, "\n".join(lines) + "\n", tuple(mark.sentence for mark in marks), shown)
