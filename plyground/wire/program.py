"""Players that are programs started here, over their standard input and output or over a socket."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace

from plyground.errors import BadInput, clause_of
from plyground.play.ending import Ending
from plyground.play.player import Failed, Resigned, Strayed
from plyground.position import Position
from plyground.programs.error_output import ErrorOutput
from plyground.sandbox.program_clock import CLOCK_SLICE, ProgramClock, could_run, cpu_seconds
from plyground.sandbox.sandbox import PROGRAM_MEMORY
from plyground.wire.codec import Codec
from plyground.wire.external import External, begins_elsewhere, spec_of, stray_sentence
from plyground.wire.hostnames import own_addresses
from plyground.wire.listener import ListeningPort, listening_port
from plyground.wire.messages import Message, Unreadable
from plyground.wire.peer import (
    Gone,
    Peer,
    PeerSilent,
    Program,
    late_advice,
    named_files,
    over_pipes,
    over_socket,
    quote_bytes,
)
from plyground.wire.protocols import codec


@dataclass
class Started(External):
    """A program started for the game: it plays over its standard input and output, or over a socket of its own if its
    command has `{port}` or a `port` is given for it to connect to.

    `{host}`, `{port}`, `{game}`, `{side}` and `{first}` in the command are filled in, and stand in the environment as
    PLYGROUND_HOST and so on.
    """

    port: int = 0
    command: str = ""
    memory: int = PROGRAM_MEMORY
    """Mebibytes for each of its processes."""
    _program: Program | None = field(default=None, repr=False)

    def _open_peer(self, position: Position) -> Peer:
        values = {
            "game": type(position.game).__name__.lower(),
            "side": position.game.marks[position.to_move],
            "first": position.game.marks[_first_side(position)],
        }
        # A program that calls is not read at its standard output, which may have anything.
        if self._connects_by_socket:
            return self._greet(self._start_and_await_call(values), position)
        peer, self._program = over_pipes(codec(self.protocol), self.command, values, self.memory)
        return self._greet(peer, position)

    @property
    def tells_cpu(self) -> bool:
        return True

    def _hear_reply(self, seconds: float) -> Message:
        """Returns the program's next message that concerns the game, within `seconds`, its own ones if they count."""
        self._own_seconds = None
        if not self._by_cpu or self._program is None:
            return self._hear_message(seconds)
        # The wait is cut in slices, since only our own look finds out how long the program itself has run.
        clock = ProgramClock(self._program)
        try:
            while True:
                with suppress(PeerSilent):
                    return self._hear_message(CLOCK_SLICE)
                if clock.total() >= seconds:
                    raise self._silence(f"{seconds:g} s of its own time")
        finally:
            self._own_seconds = clock.total()

    @property
    def _connects_by_socket(self) -> bool:
        """Whether the program connects over a socket, not over its standard input and output."""
        return bool(self.port) or "{port}" in self.command

    def _start_and_await_call(self, values: dict[str, str]) -> Peer:
        """Listen, start the program, and wait for its connection."""
        with listening_port(_listening_hosts(self.port), self.port) as opened:
            values |= {"host": opened.address[0], "port": str(opened.address[1])}
            self._program = Program(self.command, values, piped=False, memory=self.memory)
            return await_call(codec(self.protocol), opened, self._program, self.start, by_cpu=self._by_cpu)

    def _restart(self, position: Position, seat: int) -> None:
        """Start the program once more beside the current one, which it replaces if it makes the same moves again."""
        before = [step for step in position.steps() if step.to_move == seat and len(step.moves) < len(position.moves)]
        # The game goes on with the old one if the new one does not repeat itself, so it stays until
        # then.
        twin = replace(self, _program=None, _peer=None, _seen=None, _wire=[])
        if before:
            last = before[-1]
            try:
                made = twin.choose(last, None)
                if made != position.moves[len(last.moves)]:
                    raise Strayed(stray_sentence(last, made, position.moves[len(last.moves)]), len(last.moves))
            except (Failed, Resigned, BadInput) as fault:
                twin.close()
                said = clause_of(fault) or "started anew, it resigns"
                raise BadInput(f"{self.name} cannot take back: {said}. The game stands as it was.") from None
        self.close()
        # This object is the one that the game, its clock and its log hold; so it takes over all
        # that the fresh one has.
        for part in fields(self):
            setattr(self, part.name, getattr(twin, part.name))

    def file_hashes(self) -> dict[str, str]:
        """Hash by file, for the files that its command names and those beside them with the same suffix: a program may
        consist of several files, and only its language knows which.
        """
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in named_files(self.command)}

    @property
    def _excess(self) -> str:
        return self._program.excess if self._program else ""

    def _errors(self, *, ended: bool) -> ErrorOutput | None:
        return self._program.errors(ended=ended) if self._program else None

    def _advice(self, fault: Exception, words: str) -> list[str]:
        if self._connects_by_socket and self._peer is None:
            port = f"{self.port}" if self.port else "the one that {port} in its command stands for"
            is_known = words or (self._program and self._program.exit_code)
            return [] if is_known else [f"it is to connect to port {port}: if it calls another, name that"]
        own = f"program[port=54321]:{self.command}"
        calling = f"if it calls a Connector by itself, name the port it calls: {own}"
        wrote = self._peer is not None and any(way == "←" for way, _ in self._peer.bytes)
        guesses = [] if words or wrote or self._connects_by_socket else [calling]
        if isinstance(fault, Gone):
            return [] if self._program and self._program.exit_code != 0 else guesses
        if not isinstance(fault, PeerSilent):
            return []
        if fault.ending is Ending.UNREADABLE:
            advice = "only moves go there: what it prints to find its errors goes to its standard error"
            return [advice] if self._codec.only_moves else []
        # Causes of silence, the likeliest first: it computes; the machine is busy; it answers only
        # at the end of its input; its output is stuck in a buffer.
        tree = self._program.tree() if self._program else []
        used, more = cpu_seconds(tree), f"timeout={2 * self.timeout:g} gives more"
        if used > self.timeout / 2:
            return [f"it still computed, {used:.1f} s of CPU time: {more}"]
        if could_run(tree):
            return [f"it was ready to run, and had {used:.1f} s of CPU time of a busy machine: {more}"]
        if said := self._read_late():
            return [late_advice(said)]
        waits = "it waits: it may not send what it prints before its end (in Python, print(…, flush=True) does)"
        return [waits, *guesses]

    def _read_late(self) -> str:
        """Lines, in quotes, that a silent program writes when its input is closed; empty without any."""
        if self._connects_by_socket or not self._program or not self._peer:
            return ""
        self._program.end_input()
        with suppress(PeerSilent, Gone, Unreadable):
            self._peer.hear(CLOCK_SLICE)
        return quote_bytes(b"".join(data for way, data in self._peer.bytes if way == "←"))


def _first_side(position: Position) -> int:
    """The side that begins, for the program: if a start is sent to it, the other side, so that it waits for that."""
    beginning = position.undo(len(position.moves))
    # A program that believes to be first would move at once, from the game's own start.
    return 1 - position.to_move if begins_elsewhere(beginning) else beginning.to_move


def _listening_hosts(port: int) -> list[str]:
    """Hosts to listen on: at a port of the program's choice also the addresses of this machine's own name."""
    return sorted({"127.0.0.1", *own_addresses()}) if port else ["127.0.0.1"]


def await_call(codec: Codec, opened: ListeningPort, program: Program, seconds: float, *, by_cpu: bool = False) -> Peer:
    """Wait for a program's connection. The peer ends the program when it is closed.

    Args:
        codec: of the peer.
        opened: where it connects.
        program: the program.
        seconds: how long it may take.
        by_cpu: whether these are seconds of its own.

    Raises:
        PeerSilent, Gone: the program made none; it is ended.
    """
    clock = ProgramClock(program) if by_cpu else None
    try:
        while clock:
            with suppress(PeerSilent):
                peer = over_socket(codec, opened.await_program(program, CLOCK_SLICE), program)
                break
            if clock.total() >= seconds:
                clock = None
        else:
            # The last look, also of a clock that has run out: a connection may have come in the
            # last slice.
            peer = over_socket(codec, opened.await_program(program, 0.0 if by_cpu else seconds), program)
    except BaseException:
        program.close()
        raise
    # The program's end is called last: the socket is closed before it, so a program that reads its
    # end can exit by itself.
    peer._endings.insert(0, program.close)
    return peer


def program(
    command: str,
    protocol: str = "terms",
    timeout: float = 10.0,
    start: float = 10.0,
    port: int = 0,
    memory: int = PROGRAM_MEMORY,
) -> Started:
    """Make the player `program:COMMAND`: a program that is started here."""
    if not command.strip():
        raise BadInput("program: needs a command, as in program:swipl student.pl.")
    if memory < 1:
        raise BadInput(f"memory={memory}: mebibytes are 1 or more.")
    name = spec_of(
        "program", program, command, protocol=protocol, timeout=timeout, start=start, port=port, memory=memory
    )
    return Started(name, protocol, timeout, start, port=port, command=command, memory=memory)
