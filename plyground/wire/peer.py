"""One program at the other end: bytes to it, messages from it, over pipes or a socket. Blocking, with timeouts.

Reading goes on in a thread, so that a silent program hangs nobody; what it writes to its standard error is kept for the
sentence that says what went wrong.
"""

import contextlib
import glob
import itertools
import os
import queue
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from plyground.errors import BadInput
from plyground.play.referee import Unable
from plyground.text import plain_lines
from plyground.wire.codec import Codec
from plyground.wire.messages import Message, Unreadable
from plyground.wire.supervised import MEMORY, Supervised

REMEMBERED = 4_000
"""Bytes of standard error that are kept: the last ones."""
ASIDE = re.compile(
    r"\s|Node\.js v|% halt|For (?:online|built-in) help|Please run \?- license|Welcome to SWI|SWI-Prolog comes with"
    r"|(?:ERROR|Warning): *(?:In:|\[\d+\]|[^ ]*:\d+:$)"
)
"""Lines that say not what went wrong but where, and how a Prolog and a Node.js greet and take their leave."""
BACKLOG = 1_000
"""Messages that a program may write before any of them is heard."""
GRACE = 0.5
"""Seconds that a program has to end by itself once its input and socket are closed."""


class Silent(Exception):
    """Nothing came in time. The argument is a sentence."""


class Gone(Exception):
    """The program or the connection has ended. The argument is a sentence."""


class Peer:
    """A program that is spoken to. `close` ends it, whatever it does."""

    def __init__(
        self, codec: Codec, read: Callable[[], bytes], write: Callable[[bytes], None], done: Callable[[], None]
    ) -> None:
        self._codec, self._read, self._write, self._done = codec, read, write, done
        self._heard: queue.Queue[Message | Exception] = queue.Queue()
        self._endings: list[Callable[[], None]] = []
        self.bytes: list[tuple[str, bytes]] = []
        """What went over the wire: `→` to the program, `←` from it; the last hundred."""
        self.unread = b""
        """What came after the last whole message."""
        self._ear = threading.Thread(target=self._listen, name="plyground wire", daemon=True)
        self._ear.start()

    def _listen(self) -> None:
        """Hear all. Whoever reads also closes: a file closed by another may be the next program's, by its number."""
        try:
            while data := self._received():
                self._note("←", data)
                frames = self._codec.feed(data)
                rest = self._codec.pending
                self.unread = (self.unread + data).rstrip()[-rest:] if rest else b""
                for frame in frames:
                    if self._heard.qsize() >= BACKLOG:
                        raise Unreadable(f"it wrote more than {BACKLOG:,} messages that nobody had asked for")
                    self._heard.put(self._codec.read(frame))
            self._heard.put(Gone("it has ended"))
        except Unreadable as fault:
            self._heard.put(fault)
            while self._received():
                pass  # what follows means nothing; yet it may write, and be written to, until we close
        finally:
            self._done()

    def _received(self) -> bytes:
        try:
            return self._read()
        except OSError:
            return b""

    def _note(self, way: str, data: bytes) -> None:
        self.bytes.append((way, data))
        del self.bytes[:-100]

    def send(self, message: Message) -> None:
        """Write a message. If nobody reads any more, `hear` tells what was said before, and then that it has ended."""
        self.send_bytes(self._codec.write(message))

    def send_bytes(self, data: bytes) -> None:
        """Write bytes as they are."""
        self._note("→", data)
        with contextlib.suppress(OSError, ValueError):
            self._write(data)

    def hear(self, seconds: float) -> Message:
        """The next message.

        Raises:
            Silent: none came in `seconds`.
            Gone: the program or connection has ended.
            Unreadable: what came is no message.
        """
        try:
            heard = self._heard.get(timeout=seconds)
        except queue.Empty:
            raise Silent(f"it said nothing for {seconds:g} s") from None
        if isinstance(heard, Exception):
            self._heard.put(heard)  # it stays so
            raise heard
        return heard

    def also(self, end: Callable[[], None]) -> None:
        """What closing must end too, the last thing first."""
        self._endings.append(end)

    def close(self) -> None:
        """End the connection and the program with all that it started."""
        while self._endings:
            self._endings.pop()()
        self._ear.join(GRACE)


def over_pipes(codec: Codec, command: str, values: dict[str, str], memory: int = MEMORY) -> tuple[Peer, "Program"]:
    """Start a program and speak with it over its standard input and output.

    Raises:
        Unable: it cannot be started.
    """
    program = Program(command, values, piped=True, memory=memory)
    pipes = program.process
    assert pipes.stdin is not None and pipes.stdout is not None
    output, entry = pipes.stdout, pipes.stdin

    def write(data: bytes) -> None:
        entry.write(data)
        entry.flush()

    peer = Peer(codec, lambda: os.read(output.fileno(), 65_536), write, output.close)
    peer.also(program.close)
    return peer, program


def over_socket(codec: Codec, connection: socket.socket) -> Peer:
    """Speak over a connected socket."""
    connection.settimeout(None)

    def close() -> None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    peer = Peer(codec, lambda: connection.recv(65_536), connection.sendall, connection.close)
    peer.also(close)
    return peer


class Program(Supervised):
    """A program that somebody wrote. Whatever it writes to its standard error is read, and the last of it kept."""

    def __init__(self, command: str, values: dict[str, str], *, piped: bool, memory: int = MEMORY) -> None:
        words = [_filled(word, values) for word in _words(command)]
        if not words:
            raise BadInput("program: needs a command, as in program:swipl student.pl.")
        pipe = subprocess.PIPE if piped else subprocess.DEVNULL
        environment = os.environ | {f"PLYGROUND_{key.upper()}": value for key, value in values.items()}
        try:
            super().__init__(words, memory << 20, stdin=pipe, stdout=pipe, stderr=subprocess.PIPE, env=environment)
        except OSError as fault:
            raise Unable(f"{words[0]!r} cannot be started: {fault.strerror or fault}.") from None
        self._said = bytearray()
        self._ear = threading.Thread(target=self._listen, name="plyground stderr", daemon=True)
        self._ear.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as pipe, contextlib.suppress(OSError):
            while data := os.read(pipe.fileno(), 4_096):
                self._said += data
                del self._said[:-REMEMBERED]

    def last_words(self, *, ended: bool) -> str:
        """The line of its standard error that says most: the last one that is no place in a trace.

        A Python's or a Java's exception stands before or after the places it went through, which are indented.

        Args:
            ended: whether its output has ended, so that its end is near and all it says can be waited for.
        """
        if ended:
            self.wait(GRACE)
            self._ear.join(GRACE)
        lines = [line.rstrip() for line in self._errors.splitlines() if line.strip()]
        telling = [line for line in lines if not ASIDE.match(line)]
        return (telling or [line.strip() for line in lines] or [""])[-1][:300]

    @property
    def refused(self) -> str:
        """The line in which it says that nobody listens where it called; empty if it has not said so."""
        return next((line.strip() for line in self._errors.splitlines() if "refused" in line.lower()), "")

    @property
    def _errors(self) -> str:
        return plain_lines(self._said.decode("utf-8", "replace"))

    def close(self) -> None:
        """End it and all that it started: close its input, wait a moment, then kill."""
        if self.process.stdin:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        self.wait(GRACE)
        self.end()
        self._ear.join(GRACE)


def _words(command: str) -> list[str]:
    """The command's words. Windows' backslashes are no quotes."""
    try:
        words = shlex.split(command, posix=sys.platform != "win32")
    except ValueError as fault:
        raise BadInput(f"{command!r} is no command: {fault}.") from None
    return [word.strip('"') for word in words] if sys.platform == "win32" else words


def named_files(command: str) -> list[Path]:
    """The files that a command names, the program itself among them, each with its neighbours of the same ending.

    A word in quotes may be a command itself (`sh -c '…'`), Java and Python name a module without its ending, and of a
    folder its classes and archives count (`java -cp folder Player`).
    """
    found: set[Path] = set()
    words = _words(command)
    for word in {*words, *itertools.chain.from_iterable(map(_parts, words))}:
        # os.path, for Path raises for a word that is too long for a name
        file = next((Path(word + end) for end in ("", ".class", ".py") if os.path.isfile(word + end)), None)  # noqa: PTH113
        if file is None:
            found |= {Path(program) for program in filter(None, [shutil.which(word)])}
            if os.path.isdir(word):  # noqa: PTH112
                found |= {each for end in ("class", "jar") for each in Path(word).glob(f"*.{end}")}
        elif file.suffix:
            found |= {each for each in file.parent.glob(f"*{glob.escape(file.suffix)}") if each.is_file()}
        else:
            found.add(file)
    return sorted(found)


def _parts(word: str) -> list[str]:
    try:
        return shlex.split(word)
    except ValueError:
        return []


def _filled(word: str, values: dict[str, str]) -> str:
    for key, value in values.items():
        word = word.replace("{" + key + "}", value)
    return word


def connected(address: tuple[str, int], seconds: float) -> socket.socket:
    """A connection to somebody who listens, tried until the time is over.

    Raises:
        Silent: nobody listens there.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection(address, timeout=max(until - time.monotonic(), 0.01))
        except OSError as fault:
            if time.monotonic() >= until:
                raise Silent(f"nobody listens at {address[0]}:{address[1]} ({fault.strerror or fault})") from None
            time.sleep(0.05)
        except ValueError as fault:
            raise Silent(f"{address[0]!r} names no host ({fault})") from None
