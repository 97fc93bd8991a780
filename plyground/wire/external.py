"""Base class of external players: programs that are started here, and peers on the network."""

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn

from plyground.errors import BadInput, clause_of
from plyground.play.ending import Ending
from plyground.play.player import Failed, Illegal, NotStarted, Player, Resigned, Strayed, Unable, Unanswered
from plyground.play.time_control import TimeControl
from plyground.position import Position, moves_text
from plyground.programs.error_output import ErrorOutput
from plyground.wire.codec import Codec
from plyground.wire.messages import (
    NAME_BY_MESSAGE,
    General,
    Hello,
    Message,
    Move,
    Ping,
    PositionMessage,
    Resign,
    ResultMessage,
    Unreadable,
)
from plyground.wire.peer import QUOTED_CHARACTERS, Gone, Peer, PeerSilent, quote_bytes, wrong_line_words
from plyground.wire.protocols import codec

KNOWN_WITHIN = 5.0
"""Seconds within which a program must send a position back; one that does not is taken not to know that message."""
TWO_MOVES = " It had written two moves at once: this is the second."
# Only these errors lose a game. Bad input and errors of this machine pass through, and are no verdict.
_OWN_FAULTS = (PeerSilent, Gone, Unreadable, Illegal, Strayed)
"""Errors that count as the player's own."""


@dataclass
class External(Player):
    """Base class of external players: it sends the other side's moves, and reads the player's.

    A peer remembers the game. So another position is set by the message `position` if the peer knows that message and
    sends it back; else by a restart and a replay of the moves, in which the peer must make the same moves again.
    Nothing that a peer does can hang or harm the game: each fault becomes a sentence that says what the peer did.
    """

    name: str
    protocol: str = "terms"
    timeout: float = 10.0
    """Seconds for each move."""
    start: float = 10.0
    """Seconds within which the peer must be connected."""
    is_external = True
    anew: bool = field(default=False, init=False)
    """Whether the peer is restarted for each game, also if it knows `position`."""
    moved: bool = field(default=False, init=False)
    """Whether the peer has ever been set to another game without a restart."""
    _codec: Codec = field(init=False, repr=False, compare=False)
    """Codec for questions about the protocol; each peer has a codec of its own for its stream."""
    _peer: Peer | None = field(default=None, repr=False)
    _seen: Position | None = field(default=None, repr=False)
    """The peer's position, after its own last move."""
    _grace: float = field(default=0.0, init=False, repr=False)
    """Extra seconds for the first move after a start."""
    _by_cpu: bool = field(default=False, init=False, repr=False)
    """Whether the time of a move is the program's own (`program_clock.py`), not that of the wall."""
    _own_seconds: float | None = field(default=None, init=False, repr=False)
    _answered: bool = field(default=False, init=False, repr=False)
    """Whether the peer has made a move since it was connected."""
    _used: bool = field(default=False, init=False, repr=False)
    """Whether the connected peer has played in another game before."""
    _aside: str = field(default="", init=False, repr=False)
    """The last greeting or ping that came where a move was asked for, in words."""
    _wire: list[tuple[str, bytes]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._codec = codec(self.protocol)
        for name, seconds in (("timeout", self.timeout), ("start", self.start)):
            if not 0 < seconds < float("inf"):
                raise BadInput(f"{name}={seconds:g}: seconds are above 0.")

    def choose(self, position: Position, seconds: float | None) -> int:
        """Returns the peer's move.

        Raises:
            Failed: the peer is late, unreadable or gone.
            Illegal: the move is not legal.
            Unanswered: the peer failed before its first move.
            Resigned: the peer resigns.
            Unable: the peer cannot be reached or started, or cannot be set to this position.
        """
        try:
            return self._choose_move(position, seconds)
        except _OWN_FAULTS as fault:
            if not self._used:
                self._raise_fault(position, fault)
        # it has played another game before: perhaps it cannot play a second one, which the protocol does not require
        self.anew = True
        self.close()
        try:
            return self._choose_move(position, seconds)
        except _OWN_FAULTS as fault:
            self._raise_fault(position, fault)

    def _choose_move(self, position: Position, seconds: float | None) -> int:
        # A replay comes before the clock of the move: its own moves have `timeout` each.
        self._replay_to(position)
        most = self.timeout if self._answered else self.timeout + self._grace
        return self.ask(position, min(most, seconds or most))

    def set_time_control(self, control: TimeControl) -> None:
        """Set the time control: its seconds for the start, which no clock counts, extend the first move's timeout."""
        self._grace, self._by_cpu = control.grace, control.cpu is not None and self.tells_cpu

    def _raise_fault(self, position: Position, fault: PeerSilent | Gone | Unreadable | Illegal | Strayed) -> NoReturn:
        """Close the peer, and raise its fault as a `Failed` or `Unanswered` with a sentence."""
        if isinstance(fault, Illegal | Strayed):
            self.close()
            raise fault
        # A program that never moved may have been started wrongly, by the user's command.
        failed, sentence = Failed if self._answered else Unanswered, self._fault_sentence(position, fault)
        ending = Ending.CRASHED if self._excess else fault.ending
        self.close()
        raise failed(sentence, ending) from None

    def _fault_sentence(self, position: Position, fault: Exception) -> str:
        """Sentence about a fault: the peer's action, its error output, and advice if it never made a move."""
        parts = [self._excess or clause_of(fault)]
        if isinstance(fault, Unreadable) or (self._peer and self._peer.unread.strip()):
            parts.append(f"a move is {self._codec.example(position, position.legal_moves[0])}")
        if words := self._quote_errors(fault):
            parts.append(words)
        if not self._answered and self._peer:
            sent = [data for way, data in self._peer.bytes if way == "→"]
            parts.append(
                f"it was sent {quote_bytes(sent[-1])}" if sent else "it was to begin, so nothing was sent to it"
            )
            parts += self._advice(fault, words)
        return "; ".join(parts)

    def _replay_to(self, position: Position) -> None:
        """Send the peer every move up to this position."""
        # The usual case costs one message: the other side's last move.
        if self._peer is None or self._seen is None or not _follows(position, self._seen):
            self._seen = position if self._carry_over(position) else self._begin_game(position)
        seen, side = self._seen, position.to_move
        while len(seen.moves) < len(position.moves):
            move = position.moves[len(seen.moves)]
            if seen.to_move == side:
                # The program is not told its own moves; it has to find them again.
                made = self.ask(seen, self.timeout)
                if made != move:
                    raise Strayed(stray_sentence(seen, made, move), len(seen.moves))
            else:
                assert self._peer is not None
                self._peer.send(Move(self._codec.move_text(seen, move)))
            seen = seen.play(move)
            self._seen = seen

    def _carry_over(self, position: Position) -> bool:
        """Whether the connected peer accepted this position in place of its game."""
        if self._peer is None or self.anew or len(position.line) > 1:  # a state does not tell which ones came before
            return False
        # The first wait is short: most programs do not know the message, and each would cost a
        # whole timeout. One that has answered once may take as long as for a move.
        self._used = self.set_position(position, self.timeout if self.moved else min(KNOWN_WITHIN, self.timeout))
        self.moved |= self._used
        self.anew = not self._used
        return self._used

    def _begin_game(self, position: Position) -> Position:
        """Restart the peer. Returns the position at which it is then."""
        self.close()
        self._answered = self._used = False
        try:
            self._peer = self._open_peer(position)
        except (PeerSilent, Gone) as fault:
            parts = [f"{self.name} is not in the game: {fault}"]
            if words := self._quote_errors(fault):
                parts.append(words)
            raise NotStarted("; ".join([*parts, *self._advice(fault, words)]) + ".") from None
        # A program begins at the game's start and is sent the moves; only a start of another kind
        # has to be told.
        beginning = position.undo(len(position.moves))
        if begins_elsewhere(beginning) and not self.set_position(beginning, self.timeout):
            self.close()
            raise Unable(
                f"{self.name} cannot be told where the game starts: it did not say back the message position, with "
                f"{beginning.text!r}. Give the moves that lead there instead, as in --position "
                f"'{_some_moves(position)}', or let it answer position as docs/wire.md has it."
            )
        return beginning

    def set_position(self, position: Position, seconds: float) -> bool:
        """Send the peer a position. Returns whether it knows the message and sent it back."""
        assert self._peer is not None
        told = PositionMessage(position.text)
        self._peer.send(told)
        try:
            # The same text must come back: a move, or silence, means that it did not understand.
            return self._hear_message(seconds, (Hello, Ping, ResultMessage)) == told  # the result of the game before
        except (PeerSilent, Gone, Unreadable):
            return False

    @property
    def own_seconds(self) -> float | None:
        return self._own_seconds

    def _hear_reply(self, seconds: float) -> Message:
        """Returns the peer's next message that concerns the game, within `seconds`."""
        return self._hear_message(seconds)

    def ask(self, position: Position, seconds: float) -> int:
        """Returns the move of a peer that knows whose turn it is.

        Raises:
            PeerSilent, Gone, Unreadable: it sent no move.
            Illegal: the move is not legal.
            Resigned: it resigns.
        """
        self._aside = ""
        match self._hear_reply(seconds):
            case Move(text):
                # The move counts as an answer before it is known to be legal: what moves was
                # started rightly, so an illegal move is its own fault.
                self._answered = True
                try:
                    move = position.legal(text)
                except BadInput as fault:
                    raise Illegal(f"{fault}{TWO_MOVES if self._peer and self._peer.is_ahead else ''}") from None
                self._seen = position.play(move)
                return move
            case Resign():
                raise Resigned
            case other:
                raise Unreadable(_misplaced_sentence(other))

    def _hear_message(self, seconds: float, others: tuple[type[Message], ...] = (Hello, Ping)) -> Message:
        """Returns the peer's next message that is none of `others`; pings are answered.

        Raises:
            PeerSilent: none came within `seconds`.
            Gone, Unreadable: as `Peer.hear`.
        """
        assert self._peer is not None
        # All messages together have one limit: pings do not buy time.
        until = time.monotonic() + seconds
        while True:
            try:
                heard = self._peer.hear(max(until - time.monotonic(), 0.0))
            except PeerSilent:
                raise self._silence(f"{seconds:g} s") from None
            if not isinstance(heard, others):
                return heard
            self._aside = f"the message {NAME_BY_MESSAGE[type(heard)]}"
            if isinstance(heard, Ping) and not heard.answer:
                self._peer.send(Ping(heard.token, answer=True))

    def _silence(self, duration: str) -> PeerSilent:
        """Returns the fault of a peer that made no move for a duration in words."""
        assert self._peer is not None
        fault = self._peer.silence(duration)
        if self._aside and fault.ending is Ending.SILENT:
            return PeerSilent(f"{fault} but {self._aside}")
        return fault

    def take_back(self, position: Position, seat: int) -> None:
        """Go back to an earlier position of the game. A peer that does not know `position` is replaced by a fresh one.

        Raises:
            BadInput: the peer cannot take back; it stays connected, and its game is unchanged.
        """
        if self._peer and self._seen and not _follows(position, self._seen):
            self._restart(position, seat)

    def _restart(self, position: Position, seat: int) -> None:
        """Replace the peer by a fresh one that has replayed the game up to an earlier position."""
        raise NotImplementedError

    def open_peer(self, position: Position) -> Peer:
        """Returns a fresh peer to which nothing has been sent yet, for callers that send messages themselves.

        Raises:
            PeerSilent, Gone, BadInput: the peer cannot be reached or started.
        """
        self.close()
        self._peer = self._open_peer(position)
        return self._peer

    @property
    def wire(self) -> list[tuple[str, bytes]]:
        """The last messages on the wire: `→` to the peer, `←` from it."""
        return self._peer.bytes if self._peer else self._wire

    @property
    def is_reused(self) -> bool:
        return self.moved

    def restart_each_game(self) -> None:
        self.anew = True

    @property
    def last_words(self) -> str:
        words = self._errors(ended=False)
        return words.excerpt if words else ""

    def close(self) -> None:
        """Close the connection, and end the program with all its descendants."""
        peer, self._peer, self._seen = self._peer, None, None  # another thread may close it too
        if peer:
            self._wire = peer.bytes
            peer.close()

    def _greet(self, peer: Peer, position: Position) -> Peer:
        if not self._codec.only_moves:
            game = type(position.game).__name__
            peer.send(Hello(name="plyground", game=game, side="xo"[position.to_move]))
        return peer

    def _open_peer(self, position: Position) -> Peer:
        """Connect to the peer, or start it.

        Raises:
            PeerSilent, Gone: there is no peer.
            Unable: an error of this machine or of the player's spec.
        """
        raise NotImplementedError

    def _errors(self, *, ended: bool) -> ErrorOutput | None:
        """Standard error of a program that was started here, also after its end."""
        return None

    def _quote_errors(self, fault: Exception) -> str:
        """Part of a sentence that quotes the standard error; empty where there is none."""
        words = self._errors(ended=isinstance(fault, Gone))
        return words.quotation if words else ""

    @property
    def _excess(self) -> str:
        """The limit that the program exceeded, for which it was ended; empty if none."""
        return ""

    def _advice(self, fault: Exception, words: str) -> list[str]:
        """Advice for a peer that never made a move; `words` quotes its standard error."""
        return []


def begins_elsewhere(beginning: Position) -> bool:
    """Whether a game begins at a position that a peer cannot know unless it is sent."""
    # States are compared, not positions: moves that lead to the initial state change nothing for the peer.
    return bool(beginning.state != beginning.game.initial())


def _misplaced_sentence(message: Message) -> str:
    """Error sentence about a message that is no move, where a move was due."""
    quoted = f"the message {NAME_BY_MESSAGE[type(message)]}"
    if isinstance(message, General):
        quoted = f"{message.term[:QUOTED_CHARACTERS]!r}"
    odd = wrong_line_words(message.term) if isinstance(message, General) else ""
    where = "only moves go to where moves are read, all else, such as what helps to find errors, to standard error"
    return f"it wrote {quoted} where its move was due{odd}; {where}"


def stray_sentence(seen: Position, made: int, move: int) -> str:
    """Error sentence about a player that did not repeat its move in a replay."""
    played, before = moves_text(seen, (made,)) + moves_text(seen, (move,))
    after = " ".join(seen.words) or "the start"
    return f"It does not repeat itself: after {after} it played {played}, where the game has {before}."


def _some_moves(position: Position) -> str:
    """The first two moves of a game as they are written, for an example."""
    start = Position.initial(position.game)
    first = start.play(start.legal_moves[0])
    return " ".join(moves_text(start, (start.legal_moves[0], first.legal_moves[0])))


def _follows(position: Position, seen: Position) -> bool:
    """Whether `position` is `seen` or comes after it in the same game."""
    same = seen.game == position.game and seen.start == position.start
    return same and position.moves[: len(seen.moves)] == seen.moves and len(seen.moves) <= len(position.moves)


def spec_of(kind: str, maker: Callable[..., Player], text: str, /, **options: object) -> str:
    """Spec that makes such a player again; options that differ from their defaults stand in brackets."""
    usual = {key: each.default for key, each in inspect.signature(maker).parameters.items()}
    words = [f"{key}={_word(value)}" for key, value in options.items() if key not in usual or value != usual[key]]
    return f"{kind}{'[' + ','.join(words) + ']' if words else ''}:{text}"


def _word(value: object) -> str:
    if isinstance(value, float):
        return str(value).removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)
