"""Players that are programs of the field: start, dialogue, time limits, end.

Processes, sockets and the reading of lines are those of `plyground/wire`; what is said is a `Dialogue`.
"""

import hashlib
import time
from collections.abc import Mapping
from typing import NoReturn, TypeVar

from plyground.errors import BadInput, clause_of
from plyground.play.ending import Ending
from plyground.play.player import Failed, Illegal, NotStarted, Player, Strayed, Unanswered
from plyground.play.time_control import TimeControl
from plyground.position import Position
from plyground.protocols.dialogue import Budget, Dialogue, Talk, TimeUp, follows, quote_line
from plyground.protocols.rows import DIALOGUES
from plyground.sandbox.program_clock import CLOCK_SLICE, ProgramClock
from plyground.sandbox.sandbox import PROGRAM_MEMORY
from plyground.wire.codec import Codec, decode
from plyground.wire.external import spec_of, stray_sentence
from plyground.wire.listener import listening_port
from plyground.wire.messages import General, Message, Unreadable
from plyground.wire.peer import Gone, Peer, PeerSilent, Program, named_files, over_pipes
from plyground.wire.program import await_call

Returned = TypeVar("Returned")
DEFAULT_MOVE_SECONDS = 1.0
"""Seconds for a move where there is no other limit."""
GRACE_SECONDS = 2.0
"""Seconds at most that a program has once more after it was told to stop; no more than its `timeout`."""


class LineCodec(Codec):
    """Codec of lines that are messages of their own application."""

    def _end(self, held: bytearray, start: int) -> int | None:
        return held.find(b"\n", start) + 1 or None

    def read(self, frame: bytes) -> General:
        return General("line", decode(frame).strip())

    def _write(self, message: Message) -> bytes:
        return f"{message.term}\n".encode() if isinstance(message, General) else b""


class EngineProgram(Player):
    """A program that speaks a protocol of the field. It is started before the first move, and kept for the next game.

    Nothing that it does can hang or harm the game: each fault becomes a sentence that says what the program did.
    """

    is_external = True

    def __init__(
        self,
        name: str,
        protocol: type[Dialogue],
        command: str,
        options: Mapping[str, str],
        budget: Budget,
        *,
        timeout: float,
        start: float,
        memory: int,
    ) -> None:
        self.name = name
        self._protocol, self._command, self._options, self._budget = protocol, command, options, budget
        self._timeout, self._start, self._memory = timeout, start, memory
        self._dialogue = protocol(options)
        self._peer: Peer | None = None
        self._program: Program | None = None
        self._program_position: Position | None = None
        """The position with which the program was greeted, or after its last move."""
        self._answered = False
        """Whether the program has made a move since it was started."""
        self._pace = TimeControl()
        self._own_seconds: float | None = None

    def set_time_control(self, control: TimeControl) -> None:
        self._pace = control

    @property
    def tells_cpu(self) -> bool:
        return True

    @property
    def own_seconds(self) -> float | None:
        return self._own_seconds

    def prepare(self, position: Position) -> None:
        """Start the program and greet it."""
        self._protocol.dialect(position.game)
        # A program is kept from game to game, which saves its start; a new game is begun within the
        # protocol, unless the program alone knows the game.
        if (
            self._peer is None
            or self._program_position is None
            or self._program_position.game != position.game
            or self._is_out_of_step(position)
        ):
            self._greet(position)

    def choose(self, position: Position, seconds: float | None) -> int:
        """The program's move.

        Raises:
            Failed: the program is late, unreadable or gone; `Unanswered` before its first move.
            Illegal: the move is not legal.
            Resigned: the program resigns.
            Unable: the program cannot be started, or cannot play this game from this position.
        """
        self._own_seconds = None
        self.prepare(position)
        try:
            if self._protocol.remembers:
                self._replay(position)
            move = self._ask_move(position, seconds)
        except (PeerSilent, Gone, Unreadable, Illegal) as fault:
            self._raise_fault(fault)
        except BadInput:
            self.close()
            raise
        self._program_position, self._move_evaluation = position.play(move), self._dialogue.move_evaluation
        return move

    def _is_out_of_step(self, position: Position) -> bool:
        """Whether the program alone knows its game, and that does not lead to the position."""
        return (
            self._protocol.remembers
            and self._program_position is not None
            and not follows(position, self._program_position)
        )

    def _greet(self, position: Position) -> None:
        """Start the program anew.

        Raises:
            Unable: it cannot be started, or does not greet.
        """
        self.close()
        # The dialogue remembers what the program has been told, so a fresh program gets a fresh
        # one.
        self._dialogue, self._answered = self._protocol(self._options), False
        try:
            self._start_program()
            self._run_talk(self._dialogue.greet(position), self._start, self._start)
        except (PeerSilent, Gone, Unreadable) as fault:
            told = self._fault_sentence(fault)
            self.close()
            raise NotStarted(
                f"{self.name} is not in the game: {told}. Is it a program that speaks {self._protocol.protocol}?"
            ) from None
        except BadInput:
            self.close()
            raise
        self._program_position = position.undo(len(position.moves))

    def _start_program(self) -> None:
        reads = self._options.values()
        if "{port}" not in self._command:
            self._peer, self._program = over_pipes(LineCodec(), self._command, {}, self._memory, reads)
            return
        # The program calls on loopback, at a port of its own: nothing else on the network can call there.
        with listening_port(["127.0.0.1"], 0) as opened:
            values = {"host": opened.address[0], "port": str(opened.address[1])}
            self._program = Program(self._command, values, piped=False, memory=self._memory, reads=reads)
            self._peer = await_call(LineCodec(), opened, self._program, self._start)

    def _replay(self, position: Position) -> None:
        """Let a program that alone knows its game make its earlier moves again.

        Raises:
            Strayed: it makes others.
        """
        assert self._program_position is not None
        for step in position.steps():
            known = len(self._program_position.moves) <= len(step.moves) < len(position.moves)
            if known and step.to_move == position.to_move:
                made, move = self._ask_move(step, None), position.moves[len(step.moves)]
                if made != move:
                    self.close()
                    raise Strayed(stray_sentence(step, made, move), len(step.moves))

    def _ask_move(self, position: Position, seconds: float | None) -> int:
        """The program's move, within its budget."""
        budget = self._share_budget(seconds)
        limit = budget.move if budget.move is not None else budget.clock
        # Three ways to be late: the protocol stops the turn itself; the game's clock falls; the
        # program is given its own limit and `timeout` on top of that, since most exceed a limit by
        # a little.
        if self._protocol.ends_turns and limit is not None:
            most = limit
        elif budget.clock is not None:
            most = budget.clock
        else:
            most = min((limit or 0.0) + self._timeout, seconds or float("inf"))
        if not (self._answered or self._protocol.ends_turns):
            most += self._start  # it may still load what it needs; a clock of the game is the referee's
        # Unasked answers are refused before the question: a move that came unasked would be taken for the answer.
        self._refuse_unasked()
        clock = ProgramClock(self._program) if self._program and self._pace.cpu is not None else None
        try:
            move = self._run_talk(self._dialogue.move(position, budget), most, min(GRACE_SECONDS, self._timeout), clock)
        finally:
            self._own_seconds = clock.total() if clock else None
        self._answered = True
        return move

    def _share_budget(self, seconds: float | None) -> Budget:
        """Budget of this move, by the player's own limits and the game's clock."""
        own, pace = self._budget, self._pace
        if seconds is None:
            # Without any limit most programs would think until they are stopped.
            free = own.move is own.depth is own.nodes is None
            return Budget(DEFAULT_MOVE_SECONDS) if free else own
        shared = pace.share(seconds)
        # A clock for the game goes on to the program, which shares it out better than we can from
        # outside.
        if own.move is None and pace.game is not None and pace.move is None and not self._protocol.ends_turns:
            return Budget(None, seconds, pace.increment, pace.game, own.depth, own.nodes)
        return Budget(shared if own.move is None else min(own.move, shared), depth=own.depth, nodes=own.nodes)

    def _refuse_unasked(self) -> None:
        """Read the lines that came since the last move, and refuse answers among them.

        Raises:
            Unreadable: there is an answer among it.
            Gone: the program has ended.
        """
        assert self._peer is not None
        try:
            while True:
                self._dialogue.refuse_answers(_line_of_message(self._peer.hear(0)))
        except PeerSilent:
            return

    def _run_talk(
        self, talk: Talk[Returned], seconds: float, more: float, clock: ProgramClock | None = None
    ) -> Returned:
        """Carry out a talk.

        Args:
            talk: what to say and to wait for.
            seconds: the longest wait in all, until time is up and the talk is sent that.
            more: seconds that it may wait after that.
            clock: counts these seconds as the program's own; by default they are of the wall.

        Raises:
            PeerSilent: nothing came in time.
            Gone: the program has ended.
            Unreadable: what came is not text, or not what the talk takes.
        """
        assert self._peer is not None
        peer, began, until, is_up = self._peer, time.monotonic(), seconds, False

        def seconds_spent() -> float:
            return clock.total() if clock else time.monotonic() - began

        try:
            step = next(talk)
            while True:
                if isinstance(step, str):
                    peer.send(General("line", step))
                    step = next(talk)
                    continue
                left = max(until - seconds_spent(), 0.0)
                # A talk may wait for less than is left, for a silence that means something; only
                # the end of the whole wait means that time is up.
                is_whole = step.seconds is None or step.seconds >= left
                wait = left if is_whole else step.seconds or 0.0
                try:
                    line = _line_of_message(peer.hear(min(wait, CLOCK_SLICE) if clock and is_whole else wait))
                except PeerSilent:
                    if clock and is_whole and seconds_spent() < until:
                        continue
                    if is_up and is_whole:
                        raise PeerSilent(f"it did not answer within {seconds:g} s") from None
                    if is_whole:
                        # `TimeUp` is thrown once; a talk that goes on, such as after `stop`, has
                        # this much more.
                        is_up, until = True, seconds_spent() + more
                    step = talk.throw(TimeUp())
                else:
                    step = talk.send(line)
        except StopIteration as done:
            returned: Returned = done.value
            return returned
        # A talk that knows no way to stop the program lets it pass.
        except TimeUp:
            raise PeerSilent(f"it did not answer within {seconds:g} s") from None

    def _raise_fault(self, fault: PeerSilent | Gone | Unreadable | Illegal) -> NoReturn:
        """Close the program, and raise its fault as a `Failed` or `Unanswered` with a sentence."""
        if isinstance(fault, Illegal):
            self.close()
            raise fault
        failed, sentence = Failed if self._answered else Unanswered, self._fault_sentence(fault)
        ending = Ending.CRASHED if self._program and self._program.excess else fault.ending
        self.close()
        raise failed(sentence, ending) from None

    def _fault_sentence(self, fault: Exception) -> str:
        """Sentence about a fault: the program's action, its error output, and the last line sent to it."""
        excess = self._program.excess if self._program else ""
        parts = [excess or clause_of(fault)]
        errors = self._program.errors(ended=isinstance(fault, Gone)) if self._program else None
        if errors and errors.quotation:
            parts.append(errors.quotation)
        elif isinstance(fault, Gone) and (line := self._last_line("←")):
            parts.append(f"its last line: {line}")
        if not isinstance(fault, Unreadable) and (line := self._last_line("→")):
            parts.append(f"it was sent {line}")
        return "; ".join(parts)

    def _last_line(self, way: str) -> str:
        said = [data for each, data in self.wire if each == way]
        lines = said[-1].decode("utf-8", "replace").strip().splitlines() if said else []
        return quote_line(lines[-1]) if lines else ""

    @property
    def wire(self) -> list[tuple[str, bytes]]:
        """The last lines: `→` to the program, `←` from it."""
        return self._peer.bytes if self._peer else []

    @property
    def last_words(self) -> str:
        return self._program.errors(ended=False).excerpt if self._program else ""

    @property
    def is_reused(self) -> bool:
        return False

    def restart_each_game(self) -> None:
        self.close()

    def file_hashes(self) -> dict[str, str]:
        """Hash by file, for the files that its command names."""
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in named_files(self._command)}

    def close(self) -> None:
        """Send the protocol's last command, and end the program with all its descendants."""
        peer, self._peer, self._program_position = self._peer, None, None  # another thread may close it too
        if peer:
            if self._dialogue.farewell:
                # The protocol's own end comes first: a program may save what it learned before it
                # is killed.
                peer.send(General("line", self._dialogue.farewell))
            peer.close()


def _line_of_message(message: Message) -> str:
    assert isinstance(message, General)  # the codec reads nothing else
    return message.term


def engine_program(
    protocol: str,
    command: str,
    /,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    timeout: float = 10.0,
    start: float = 10.0,
    memory: int = PROGRAM_MEMORY,
    **others: str,
) -> EngineProgram:
    """Make the player `uci:COMMAND`, and those of the other protocols.

    Args:
        protocol: the protocol, by name.
        command: what starts the program.
        time: seconds for each move at most.
        depth: plies that it looks ahead, in its own count.
        nodes: nodes for each move.
        timeout: seconds that it may take beyond its time.
        start: seconds within which it must greet.
        memory: mebibytes for each of its processes.
        others: options of the program's own.
    """
    if not command.strip():
        raise BadInput(f"{protocol}: needs a command, as in {protocol}:./program.")
    for name, value in (("time", time), ("timeout", timeout), ("start", start)):
        if value is not None and not 0 < value < float("inf"):
            raise BadInput(f"{name}={value:g}: seconds are above 0.")
    for name, count in (("depth", depth), ("nodes", nodes), ("memory", memory)):
        if count is not None and count < 1:
            raise BadInput(f"{name}={count}: it is 1 or more.")
    given = {"time": time, "depth": depth, "nodes": nodes, "timeout": timeout, "start": start, "memory": memory}
    name = spec_of(protocol, engine_program, command, **given, **others)
    return EngineProgram(
        name,
        DIALOGUES[protocol],
        command,
        others,
        Budget(time, depth=depth, nodes=nodes),
        timeout=timeout,
        start=start,
        memory=memory,
    )
