"""What all players elsewhere share, programs that are started here and peers on the network alike."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, NoReturn

from plyground.errors import BadInput
from plyground.play.referee import Failed, Illegal, Resigned, Strayed, Unable, Unanswered
from plyground.play.time_control import TimeControl
from plyground.position import Position, moves_text
from plyground.wire import messages
from plyground.wire.codec import Codec
from plyground.wire.messages import General, Hello, Message, Move, Ping, Resign, Result, Unreadable
from plyground.wire.peer import Gone, Peer, Silent
from plyground.wire.protocols import codec

KNOWN_WITHIN = 5.0
"""Seconds in which a program that waits for a move says a position back, if it knows what that is."""
QUOTED = 200
"""Signs of a program's words that are quoted."""
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
    is_elsewhere: ClassVar[bool] = True
    anew: bool = field(default=False, init=False)
    """Whether it is begun anew for each game, also if it knows `position`."""
    moved: bool = field(default=False, init=False)
    """Whether it has been brought from one game into another without beginning anew."""
    _codec: Codec = field(init=False, repr=False, compare=False)
    """What the protocol has of its own; whoever is spoken to has one for itself."""
    _peer: Peer | None = field(default=None, repr=False)
    _seen: Position | None = field(default=None, repr=False)
    """The position that the peer has come to, its own last move included."""
    _grace: float = field(default=0.0, init=False, repr=False)
    """Seconds more that it has for its first move, for its start."""
    _answered: bool = field(default=False, init=False, repr=False)
    """Whether the peer has made a move since it is there."""
    _used: bool = field(default=False, init=False, repr=False)
    """Whether the peer that is there now has played in another game before."""
    _wire: list[tuple[str, bytes]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._codec = codec(self.protocol)
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
        most = self.timeout if self._answered else self.timeout + self._grace
        return self._ask(position, min(most, seconds or most))

    def timed(self, control: TimeControl) -> None:
        """Know the time control: what its start may take is in no timeout."""
        self._grace = control.grace

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
        parts = [self._excess or str(fault).rstrip(".")]
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
        return f"a move is {self._codec.example(position, position.legal_moves[0])}"

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
                    raise Strayed(stray(seen, made, move), len(seen.moves))
            else:
                assert self._peer is not None
                self._peer.send(Move(self._codec.move_text(seen, move)))
            seen = seen.play(move)
            self._seen = seen

    def _carried(self, position: Position) -> bool:
        """Whether the peer that is there could be brought from its game to this position."""
        if self._peer is None or self.anew or len(position.line) > 1:  # a state does not tell which ones came before
            return False
        self._used = self.placed(position, self.timeout if self.moved else min(KNOWN_WITHIN, self.timeout))
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
        if begins_elsewhere(beginning) and not self.placed(beginning, self.timeout):
            self.close()
            raise Unable(
                f"{self.name} cannot be told where the game starts: it did not say back the message position, with "
                f"{beginning.text!r}. Give the moves that lead there instead, as in --position "
                f"'{_some_moves(position)}', or let it answer position as docs/wire.md has it."
            )
        return beginning

    def placed(self, position: Position, seconds: float) -> bool:
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
                    move = position.legal(text)
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

    def ended(self, position: Position, utility: int | None, why: str) -> None:
        """Tell the peer how the game ended, unless it may know moves alone."""
        if self._peer and not self._codec.only_moves:
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

    @property
    def last_words(self) -> str:
        """The line of its standard error that says most, as far as it has one; also once it has ended."""
        return self._last_words(ended=False)

    def close(self) -> None:
        """End the connection, and the program with all that it started."""
        peer, self._peer, self._seen = self._peer, None, None  # another thread may close it too
        if peer:
            self._wire = peer.bytes
            peer.close()

    def _greeted(self, peer: Peer, position: Position) -> Peer:
        if not self._codec.only_moves:
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

    @property
    def _excess(self) -> str:
        """What it has taken too much of, so that it was ended."""
        return ""

    def _advice(self, fault: Exception) -> list[str]:
        """What to try where it never made a move."""
        return []


def begins_elsewhere(beginning: Position) -> bool:
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


def stray(seen: Position, made: int, move: int) -> str:
    """What one who does not make a move again has done, in a sentence."""
    played, before = moves_text(seen, (made,)) + moves_text(seen, (move,))
    after = " ".join(seen.words) or "the start"
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


def spec_of(maker: Callable[..., External], text: str, **options: object) -> str:
    """What makes such a player again: the options that are not the usual ones, in brackets."""
    usual = inspect.signature(maker).parameters
    words = [f"{key}={_word(value)}" for key, value in options.items() if value != usual[key].default]
    return f"{maker.__name__}{'[' + ','.join(words) + ']' if words else ''}:{text}"


def _word(value: object) -> str:
    if isinstance(value, float):
        return str(value).removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)
