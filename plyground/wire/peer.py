"""Connection to one program over pipes or a socket: bytes out, messages in. Blocking, with timeouts.

A thread reads, so that a silent program hangs no caller.
"""

import contextlib
import glob
import itertools
import os
import queue
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from errno import EACCES, ENOENT
from functools import partial
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_data_path

from plyground.errors import BadInput
from plyground.play.ending import Ending
from plyground.play.player import NotStarted
from plyground.programs.error_output import ErrorOutput
from plyground.sandbox.bubblewrap import PROGRAMS_VARIABLE, confines_programs
from plyground.sandbox.sandbox import PROGRAM_BOUNDS, PROGRAM_MEMORY, Sandbox
from plyground.wire.codec import Codec
from plyground.wire.messages import Message, Unreadable

BACKLOG = 1_000
"""Messages that a program may send before any of them is read."""
PROGRAM_END_GRACE = 0.5
"""Seconds for a program to end by itself after its input and socket are closed."""
EXIT_CODE_SECONDS = 2.0
"""Seconds after the end of a program's output within which its exit code comes, also on a busy machine."""
QUOTED_CHARACTERS = 200
"""Characters of a program's output that an error message quotes."""


class PeerSilent(Exception):
    """No message came in time. The argument is a sentence."""

    def __init__(self, sentence: str, ending: Ending = Ending.SILENT) -> None:
        super().__init__(sentence)
        self.ending = ending
        """`UNREADABLE` where something came that is no whole message."""


class Gone(Exception):
    """The program or the connection has ended. The argument is a sentence."""

    def __init__(self, sentence: str, ending: Ending = Ending.CRASHED) -> None:
        super().__init__(sentence)
        self.ending = ending
        """Another kind than `CRASHED` where the program itself still runs."""


class Peer:
    """Connection to a program, which `close` ends in any case."""

    def __init__(
        self,
        codec: Codec,
        read: Callable[[], bytes],
        write: Callable[[bytes], None],
        done: Callable[[], None],
        explain_end: Callable[[], Gone],
    ) -> None:
        self._codec, self._read, self._write, self._done = codec, read, write, done
        self._explain_end = explain_end
        self._heard: queue.SimpleQueue[Message | Exception | None] = queue.SimpleQueue()
        """Messages, and last a fault, or None: the end."""
        self._endings: list[Callable[[], None]] = []
        self.bytes: list[tuple[str, bytes]] = []
        """The last hundred messages on the wire: `→` to the program, `←` from it."""
        self.is_ahead = False
        """Whether another message of it was here already when the last one was sent to it."""
        self.unread: bytes = b""
        """Bytes after the last whole message, with white space at their end."""
        self._reader = threading.Thread(target=self._listen, name="plyground wire", daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        """Reader thread. Only it closes the descriptor: the system may give its number to the next program's file."""
        try:
            while data := self._receive():
                self._log_bytes("←", data)
                frames = self._codec.feed(data)
                rest = self._codec.pending
                came = self.unread + data
                self.unread = came[max(0, len(came.rstrip()) - rest) :] if rest else b""
                for frame in frames:
                    if self._heard.qsize() >= BACKLOG:
                        raise Unreadable(f"it wrote more than {BACKLOG:,} messages before one was read")
                    # Codecs run in this thread: a program that writes faster than it is read costs
                    # no caller's time, and beyond `BACKLOG` no memory.
                    self._heard.put(self._codec.read(frame))
            self._heard.put(None)
        except Unreadable as fault:
            self._heard.put(fault)
            while self._receive():
                pass  # the rest is ignored; yet the program may write, and be written to, until we close
        finally:
            self._done()

    def _receive(self) -> bytes:
        try:
            return self._read()
        except OSError:
            return b""

    def _log_bytes(self, way: str, data: bytes) -> None:
        self.bytes.append((way, data))
        # A game may last for days; sentences quote the end.
        del self.bytes[:-100]

    def send(self, message: Message) -> None:
        """Send a message. To a program that reads no more it is lost; `hear` raises `Gone` after its last message."""
        self.send_bytes(self._codec.write(message))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        # The queue is looked at before sending: what is here now cannot be an answer to it.
        self.is_ahead = not self._heard.empty()
        self._log_bytes("→", data)
        # A program may have moved, resigned, and closed its input: its messages count, and `hear`
        # tells its end.
        with contextlib.suppress(OSError, ValueError):
            self._write(data)

    def hear(self, seconds: float) -> Message:
        """Returns the next message.

        Raises:
            PeerSilent: none came within `seconds`.
            Gone: the program or connection has ended.
            Unreadable: what came is no message.
        """
        try:
            heard = self._heard.get(timeout=seconds)
        except queue.Empty:
            raise self.silence(f"{seconds:g} s") from None
        if heard is None:
            # The exit code is asked for now, not in the reader: it may come a moment after the end
            # of the output.
            heard = self._explain_end()
            if came := self._quote_unread():
                ending = Ending.UNREADABLE if heard.ending is Ending.SILENT else heard.ending
                heard = Gone(f"{heard} after it wrote {came}", ending)
        if isinstance(heard, Exception):
            self._heard.put(heard)  # the end stays in the queue for later calls
            raise heard
        return heard

    def silence(self, duration: str) -> PeerSilent:
        """Returns the fault of a peer from which no whole message came for a duration in words."""
        if came := self._quote_unread():
            return PeerSilent(f"it said nothing for {duration} but {came}", Ending.UNREADABLE)
        return PeerSilent(f"it said nothing for {duration}")

    def _quote_unread(self) -> str:
        """Quotation of the bytes after the last whole message, with the wrong line; empty without any."""
        came = quote_bytes(self.unread)
        odd = wrong_line_words(self.unread.decode("utf-8", "replace")) if self._codec.only_moves else ""
        return came and f"{came}, which is no whole message{odd}"

    def add_ending(self, end: Callable[[], None]) -> None:
        """Add a function that `close` calls, the last added first."""
        self._endings.append(end)

    def close(self) -> None:
        """Close the connection, and end the program with all its descendants."""
        while self._endings:
            self._endings.pop()()
        self._reader.join(PROGRAM_END_GRACE)


def over_pipes(
    codec: Codec, command: str, values: dict[str, str], memory: int = PROGRAM_MEMORY, reads: Iterable[str] = ()
) -> tuple[Peer, "Program"]:
    """Start a program, and connect to it over its standard input and output. The arguments are as `Program` has them.

    Raises:
        NotStarted: it cannot be started.
    """
    program = Program(command, values, piped=True, memory=memory, reads=reads)
    pipes = program.process
    assert pipes.stdin is not None and pipes.stdout is not None
    output, entry = pipes.stdout, pipes.stdin

    def write(data: bytes) -> None:
        entry.write(data)
        entry.flush()

    end = partial(program.explain_end, "its output")
    peer = Peer(codec, lambda: os.read(output.fileno(), 65_536), write, output.close, end)
    peer.add_ending(program.close)
    return peer, program


def over_socket(codec: Codec, connection: socket.socket, program: "Program | None" = None) -> Peer:
    """Returns the peer at the other end of a connected socket, which is `program` if that was started here."""
    connection.settimeout(None)

    def close() -> None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    def end() -> Gone:
        return program.explain_end("its connection") if program else Gone("its connection has ended")

    peer = Peer(codec, lambda: connection.recv(65_536), connection.sendall, connection.close, end)
    peer.add_ending(close)
    return peer


class Program(Sandbox):
    """A started program; its standard error is kept for sentences about it.

    Where programs are confined, it sees what `readable_files` says, and has the network if it plays over a port.
    """

    def __init__(
        self,
        command: str,
        values: dict[str, str],
        *,
        piped: bool,
        memory: int = PROGRAM_MEMORY,
        reads: Iterable[str] = (),
        network: bool = False,
    ) -> None:
        """Start it.

        Args:
            command: its command line, in which the names of `values` in braces are filled in.
            values: what stands in its environment, too.
            piped: whether it is asked over its standard input and output; else it connects to a port.
            memory: mebibytes for all its processes together.
            reads: texts beside the command that may name files: the options of a protocol.
            network: whether it has the network although it is piped, as a server has.
        """
        words = [_fill_in(word, values) for word in _split_command(command)]
        if not words:
            raise BadInput("program: needs a command, as in program:swipl student.pl.")
        pipe = subprocess.PIPE if piped else subprocess.DEVNULL
        environment = {f"PLYGROUND_{key.upper()}": value for key, value in values.items()}
        bounds = replace(PROGRAM_BOUNDS, memory=memory << 20)
        confined: dict[str, Any] = {}
        if confines_programs():
            confined = {"sees": readable_files(command, reads), "at": Path.cwd(), "network": network or not piped}
        try:
            if confined and not shutil.which(words[0]):  # else bubblewrap would start, and not find it
                raise OSError(missing := EACCES if os.path.exists(words[0]) else ENOENT, os.strerror(missing))  # noqa: PTH110
            super().__init__(
                words, bounds, stdin=pipe, stdout=pipe, stderr=subprocess.PIPE, env=environment, **confined
            )
        except OSError as fault:
            raise NotStarted(f"{words[0]!r} cannot be started: {fault.strerror or fault}.") from None
        assert self.process.stderr is not None
        self._errors = ErrorOutput(self.process.stderr)

    def explain_end(self, what: str) -> Gone:
        """Returns the fault of a program whose output or connection (`what`) has ended, with its exit code if any."""
        if self.wait(EXIT_CODE_SECONDS):
            return Gone(f"it {self.exit_words}")
        return Gone(f"{what} has ended, though it still runs", Ending.SILENT)

    @property
    def exit_words(self) -> str:
        """The program's end in words: `ended with exit code 3`."""
        code = self.exit_code or 0
        said = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return (
            f"{said}, confined ({PROGRAMS_VARIABLE}=open gives it all files and the network)"
            if code and self.is_confined
            else said
        )

    def end_input(self) -> None:
        """Close its standard input, if it has one, and wait `PROGRAM_END_GRACE` for its end."""
        if self.process.stdin:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        self.wait(PROGRAM_END_GRACE)

    def errors(self, *, ended: bool) -> ErrorOutput:
        """Its standard error.

        Args:
            ended: whether its output has ended; then it ends soon, and all its standard error can be waited for.
        """
        if ended:
            self.wait(PROGRAM_END_GRACE)
            self._errors.wait(PROGRAM_END_GRACE)
        return self._errors

    def close(self) -> None:
        """End it and its descendants: close its input, wait `PROGRAM_END_GRACE`, then kill."""
        self.end_input()
        self.end()
        self._errors.wait(PROGRAM_END_GRACE)


def _split_command(command: str) -> list[str]:
    """Split a command into words. On Windows a backslash is no quote."""
    try:
        # Commands are split without a shell: a file's name is never read as a command.
        words = shlex.split(command, posix=sys.platform != "win32")
    except ValueError as fault:
        raise BadInput(f"{command!r} is no command: {fault}.") from None
    return [word.strip('"') for word in words] if sys.platform == "win32" else words


def named_files(command: str) -> list[Path]:
    """Files that a command names, the program among them, each with all files of its folder that have the same suffix.

    A word in quotes may itself be a command (`sh -c '…'`). Java and Python name a module without its suffix. A folder
    stands for its classes and archives (`java -cp folder Player`).
    """
    # Verdicts are kept for these files' hashes: one too many asks a program again, one too few
    # would keep an old verdict.
    found: set[Path] = set()
    words = _split_command(command)
    for word in {*words, *itertools.chain.from_iterable(map(_split_quietly, words))}:
        # os.path, since Path raises for a word that is too long for a name
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


def readable_files(command: str, reads: Iterable[str] = ()) -> list[Path]:
    """Folders that a confined program reads beside the system: those of the files that its command names, or these
    files alone where the folder holds other things of its user, as home does. Of `X/bin`, it is X.

    Args:
        command: its command line.
        reads: further texts that may name files.
    """
    words = [
        part for word in [*_split_command(command), *reads] for part in (word, *_split_quietly(word), *word.split("="))
    ]
    named = [Path(word) for word in dict.fromkeys(words) if os.path.exists(word)]  # noqa: PTH110  see `named_files`
    found = dict[Path, None]()
    for path in itertools.chain.from_iterable(
        (each.absolute(), each.resolve()) for each in named + named_files(command)
    ):
        near = [path] if path.is_dir() else [path.parent, path]
        if near[0].name == "bin":
            near.insert(0, near[0].parent)
        if seen := next((each for each in near if not _is_private(each)), None):
            found[seen] = None
    return [*found]


def _is_private(folder: Path) -> bool:
    """Whether a folder is, or holds, one in which a user has all kinds of things."""
    # Keys and documents lie there; a temporary folder holds the files of other programs.
    private = (Path.home(), user_data_path(), user_config_path(), Path(tempfile.gettempdir()))
    return any(each.is_relative_to(folder) for each in private)


def _split_quietly(word: str) -> list[str]:
    try:
        return shlex.split(word)
    except ValueError:
        return []


def quote_bytes(data: bytes) -> str:
    """Quotation of bytes for a sentence, line by line; empty if they are white space only."""
    text = data.decode("utf-8", "replace").strip()
    cut = text if len(text) <= QUOTED_CHARACTERS else f"{text[:QUOTED_CHARACTERS]}…"
    return ", ".join(repr(line.strip()) for line in cut.split("\n") if line.strip())


def wrong_line_words(text: str) -> str:
    """Words that name the first of several lines where a move was due: `: its first line, 'thinking', is no move`;
    empty for a single line."""
    first, _, more = text.strip().partition("\n")
    return f": its first line, {first.strip()[:QUOTED_CHARACTERS]!r}, is no move" if more else ""


def late_advice(said: str) -> str:
    """Advice for a program that wrote its answer only after its input had ended."""
    return (
        f"when its input was closed it wrote {said}: it is to read a line and answer it at once, neither to wait for "
        "the end of its input nor to keep back what it prints (in Python, print(…, flush=True))"
    )


def _fill_in(word: str, values: dict[str, str]) -> str:
    for key, value in values.items():
        word = word.replace("{" + key + "}", value)
    return word


def connect_to(address: tuple[str, int], seconds: float) -> socket.socket:
    """Connect to a listening program; tries again until `seconds` are over.

    Raises:
        PeerSilent: no program listens there.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            # The call is tried until the time is over: a program that was started a moment ago does
            # not listen yet.
            return socket.create_connection(address, timeout=max(until - time.monotonic(), 0.01))
        except OSError as fault:
            if time.monotonic() >= until:
                raise PeerSilent(
                    f"no program listens at {address[0]}:{address[1]} ({fault.strerror or fault})"
                ) from None
            time.sleep(0.05)
        except ValueError as fault:
            raise PeerSilent(f"{address[0]!r} names no host ({fault})") from None
