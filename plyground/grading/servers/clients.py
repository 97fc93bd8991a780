"""Clients of a graded server, and the server itself: all that clients write and receive is recorded and judged."""

import re
import socket
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NoReturn

from plyground.errors import BadInput
from plyground.position import Position
from plyground.programs.error_output import ErrorOutput
from plyground.wire.codec import Codec
from plyground.wire.hostnames import own_addresses
from plyground.wire.messages import FaultMessage, Message, Move, Unreadable
from plyground.wire.peer import Program, quote_bytes
from plyground.wire.protocols import codec

GAME_PASSED: Final = "tictactoe"
"""Game of the moves that the clients write; a server knows nothing of it."""
GAME_MOVES: Final = "b1 b2 a1 c1 a3 a2 c2 b3 c3"
"""A whole game."""
ANSWER_SECONDS = 5.0
"""Seconds within which a message of one client must reach the other."""
START_SECONDS = 10.0
"""Seconds within which a started server listens."""
ACCEPT_SECONDS = 0.3, 2.0
"""Seconds for a server to accept clients before one of them writes, and those of a second try."""
SILENCE = 0.3
"""Seconds in which nothing more may come to a client."""
PART_PAUSE = 0.1
"""Seconds between the parts of a message, so that they come one by one."""
CHUNK = 65_536
PAGE, PROLOG, THIRD = "the page", "the Prolog player", "a third client"
"""The clients: the page writes `(2,1).` as a Prolog reads it, the Prolog player `2,1`; the third writes as the page."""
PIECES: Final = (
    re.compile(rb"[(\[]?\s*\d+\s*,\s*\d+\s*[)\]]?[ \t]*(?:\.\s|\r?\n)"),
    re.compile(rb"<message\b[^<>]*>(?:(?!<message\b).)*?</message\s*>", re.DOTALL),
    re.compile(rb"[^\n]+\n"),
)
"""Pieces of a stream that may be moves in one protocol or another: a pair of numbers, a document, a line."""


class CriterionMissed(Exception):
    """A criterion is missed. The argument is a sentence."""


class NothingCame(CriterionMissed):
    """Nothing at all has come to a client."""


@dataclass
class ServerClient:
    """A client of the server."""

    name: str
    connection: socket.socket
    words: Codec
    table: "ClientTable"
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
        """Wait for a move, which has to be the next message; an echo of its own is another criterion's.

        Args:
            move: the move.
            as_term: whether it has to come as a Prolog reads it, where a Prolog waits for it.

        Raises:
            CriterionMissed: it does not come, or something else does.
        """
        meant = self.table.message(move)
        while True:
            frame = self._next_frame(meant)
            try:
                message = self.words.read(frame)
            except Unreadable as fault:
                raise CriterionMissed(
                    f"What comes to {self.name}, {quote_bytes(frame)}, is no message: {fault}"
                ) from None
            if message == meant and not (as_term and self.is_prolog and self._is_short(frame, message)):
                return
            if message == meant:
                raise CriterionMissed(
                    f"To {self.name} comes {quote_bytes(frame)}, and a Prolog that reads waits for more: "
                    f"{self._quote_message(meant)} and a new line."
                )
            if isinstance(message, FaultMessage):
                raise CriterionMissed(f"It answers {self.name} that something was wrong: {message.sentence}")
            if message not in self.said and (isinstance(message, Move) or self.words.only_moves):
                raise CriterionMissed(
                    f"To {self.name} comes {quote_bytes(frame)}, where {self._quote_message(meant)} is due."
                )

    def find(self, move: int) -> None:
        """Wait for a move, among any other bytes.

        Raises:
            CriterionMissed: it does not come.
        """
        meant = self.table.message(move)
        until = time.monotonic() + self.table.seconds
        while not any(self._is_move(piece, meant) for piece in self._pieces()):
            if not self._receive(until):
                self._raise_missing(meant)
        self.seen = len(self.came)
        # Bytes before the move, such as garbage that was passed on, may have left the codec in the midst of a message.
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
        """Pieces of the bytes received that may be moves, with anything between them."""
        for pattern in PIECES:
            yield from (piece[0] for piece in pattern.finditer(self.came, self.seen))

    def expect_silence(self, whose: str) -> None:
        """Wait a little, in which nothing may come.

        Raises:
            CriterionMissed: something comes.
        """
        until = time.monotonic() + SILENCE
        while not self.frames and self._receive(until):
            pass
        if self.frames:
            raise CriterionMissed(f"To {self.name} comes {quote_bytes(self.frames[0])}, {whose}.")

    def leave(self) -> None:
        """Close the connection in order: read all that has come first, because the system else sends a reset."""
        self.table.note(self.name, "leaves", b"")
        until = time.monotonic() + SILENCE
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while self._receive(until):
                pass
        self.connection.close()

    def reset(self) -> None:
        """Reset the connection, as the system does for a killed program: unread bytes are lost."""
        self.table.note(self.name, "breaks", b"")
        # Linger for 0 seconds: `close` sends RST and not FIN.
        self.connection.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
        )
        self.connection.close()

    def _next_frame(self, meant: Message) -> bytes:
        until = time.monotonic() + self.table.seconds
        while not self.frames:
            if not self._receive(until):
                self._raise_missing(meant)
        return self.frames.pop(0)

    def _receive(self, until: float) -> bool:
        """Receive bytes until the time `until`. Returns False at its end, or at the end of the connection."""
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
            raise CriterionMissed(f"{ended}, and {self._quote_message(meant)} has not come to {self.name}.")
        rest = bytes(self.came[self.seen :]) if self.words.pending else b""
        if rest.strip():
            raise CriterionMissed(
                f"To {self.name} comes {quote_bytes(rest)} within {self.table.seconds:g} s, which is no whole message: "
                f"{self._quote_message(meant)} and a new line are due."
            )
        if self._is_closed:
            raise CriterionMissed(
                f"It has closed the connection of {self.name}, to which {self._quote_message(meant)} was to come."
            )
        # Nothing at all may mean that the server had not yet accepted this client: that is tried again.
        fault = CriterionMissed if self.came else NothingCame
        raise fault(
            f"{self._quote_message(meant)} does not come to {self.name} within {self.table.seconds:g} s"
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

    def _quote_message(self, meant: Message) -> str:
        """A move as another client wrote it, in quotes."""
        return quote_bytes(self.table.written.get(meant) or codec(self.table.server.protocol).write(meant))


@dataclass
class ClientTable:
    """Clients of one server, and their messages; the step of a criterion plays on it."""

    server: "StudentServer"
    seconds: float
    settled: float
    clients: list[ServerClient] = field(default_factory=list)
    notes: list[tuple[str, str, bytes]] = field(default_factory=list)
    """Messages by client, in their order: written by it (`→`), received by it (`←`), or its leaving."""
    written: dict[Message, bytes] = field(default_factory=dict)
    """Bytes that were written for each move."""
    position: Position = field(default_factory=lambda: Position.parse(GAME_PASSED, ""))

    def message(self, move: int) -> Move:
        """A move's message."""
        return Move(codec(self.server.protocol).move_text(self.position, move))

    def words(self, name: str) -> Codec:
        """A codec for a client."""
        made = codec(self.server.protocol)
        made.as_player = name == PROLOG
        return made

    def client(self, name: str) -> ServerClient:
        """A client that has connected.

        Raises:
            CriterionMissed: the server does not listen.
        """
        made = ServerClient(name, self.server.connect(), self.words(name), self)
        self.clients.append(made)
        return made

    def pair(self) -> tuple[ServerClient, ServerClient]:
        """The page and the Prolog player, connected."""
        found = self.client(PAGE), self.client(PROLOG)
        self.settle()
        return found

    def settle(self) -> None:
        """Wait until the server has accepted its clients, which no client can see."""
        time.sleep(self.settled)

    def note(self, name: str, way: str, data: bytes) -> None:
        """Remember a message."""
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
                # The side that closes first holds the port in TIME_WAIT; a reset leaves none, so the next start can
                # bind it.
                each.reset() if self.server.end_words or each._is_closed else each.leave()


@dataclass
class StudentServer:
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
        # Another program at this port would be graded in its place.
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
            CriterionMissed: it does not listen.
        """
        until = time.monotonic() + START_SECONDS
        while True:
            # Some servers listen at one address of the machine alone, such as IPv6's or its name's.
            for host in dict.fromkeys([self.address[0], *(own_addresses() if self.command else ())]):
                with suppress(OSError):
                    made = socket.create_connection((host, self.address[1]), timeout=START_SECONDS)
                    # Nagle's algorithm would join the parts of a message that are sent one by one on purpose.
                    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    return made
            if ended := self.end_words:
                raise CriterionMissed(f"{ended}.")
            if not self.command or time.monotonic() >= until:
                raise CriterionMissed(f"Nothing listens at {self.address[0]}:{self.address[1]}{self._last_words}.")
            time.sleep(0.05)

    @property
    def end_words(self) -> str:
        """End of its program in words; empty while it runs."""
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
