"""Play one game as a client of a Connector, in the place of the Prolog player."""

from collections.abc import Callable

from plyground.errors import BadInput, clause_of
from plyground.play.player import Failed, Player, Quit, Resigned, TakeBack, ask
from plyground.position import Position
from plyground.wire.codec import Codec
from plyground.wire.messages import (
    NAME_BY_MESSAGE,
    FaultMessage,
    Hello,
    Message,
    Move,
    Ping,
    PositionMessage,
    Resign,
    ResultMessage,
    Unreadable,
)
from plyground.wire.peer import Gone, Peer, PeerSilent, connect_to, over_socket
from plyground.wire.protocols import codec

Say = Callable[[str], None]


def join(
    address: tuple[str, int],
    position: Position,
    side: int,
    player: Player,
    *,
    protocol: str = "terms",
    room: str = "",
    timeout: float = 3_600.0,
    on_move: Callable[[Position], None] = lambda position: None,
    say: Say = lambda sentence: None,
) -> str:
    """Play one game. Returns its ending in words.

    Args:
        address: host and port of the server.
        position: where the game begins.
        side: the player's, 0 or 1.
        player: the player here.
        protocol: the codec's name.
        room: room of the server; empty for the unnamed one.
        timeout: seconds for each move of the other side.
        on_move: called with the position after each move.
        say: called with a sentence about what the player waits for.

    Raises:
        BadInput: no server listens there, the player here fails, or the other side is silent, unreadable or plays an
            illegal move.
    """
    writer = codec(protocol)
    # Moves are written as the Prolog player writes them, `2,1`: the Connector's other client is a page, which reads
    # that.
    writer.as_player = True
    try:
        peer = over_socket(writer, connect_to(address, seconds=5.0))
    except PeerSilent as fault:
        raise BadInput(f"Cannot join: {clause_of(fault)}.") from None
    names = position.game.names
    first, other = names[position.to_move], names[1 - side]
    say(f"Joined {address[0]}:{address[1]}{f', room {room}' if room else ''} as {names[side]}; {first} begins.")
    try:
        # Without a room no greeting is sent: a server of a student's own may know no message but moves.
        if room:
            peer.send(Hello(room=room))
        return _JoinedGame(peer, writer, side, player, timeout, on_move, say).play(position)
    except (PeerSilent, Gone, Unreadable) as fault:
        raise BadInput(f"The game cannot go on; of {other}: {clause_of(fault)}.") from None
    except Failed as fault:
        raise BadInput(f"The game cannot go on; {player.name} fails: {clause_of(fault)}.") from None
    finally:
        peer.close()


class _JoinedGame:
    """One game over the wire, from the player's side."""

    def __init__(
        self,
        peer: Peer,
        words: Codec,
        side: int,
        player: Player,
        timeout: float,
        on_move: Callable[[Position], None],
        say: Say,
    ) -> None:
        self._peer, self._words, self._side, self._player = peer, words, side, player
        self._timeout, self._on_move, self._say = timeout, on_move, say

    def play(self, position: Position) -> str:
        """Play to the end. Returns how the game ended."""
        while position.outcome is None:
            mover = position.game.names[position.to_move]
            try:
                position = (
                    self._make_own_move(position) if position.to_move == self._side else self._read_other_move(position)
                )
            except Quit:
                return "left unfinished"
            except Resigned:
                if position.to_move == self._side:
                    self._peer.send(Resign())
                return f"{mover} resigns"
            self._on_move(position)
        return position.result

    def _make_own_move(self, position: Position) -> Position:
        while True:
            try:
                after = ask(self._player, position, None).after
                break
            except TakeBack:
                self._say("What was sent to the other side cannot be taken back.")
        self._peer.send(Move(self._words.move_text(position, after.moves[-1])))
        return after

    def _read_other_move(self, position: Position) -> Position:
        """Returns the position after the other side's move, or the one from which it continues the game."""
        mover = position.game.names[position.to_move]
        begins = " if it began before you joined, it has to begin again;" if not position.moves else ""
        self._say(f"Waiting for {mover}'s move ({self._timeout:g} s at most;{begins} Ctrl-C leaves).")
        heard = self._hear_move()
        try:
            if isinstance(heard, Move):
                return position.play(heard.text)
            told = Position.parse(position.game, heard.text)
        except BadInput as fault:
            if not self._words.only_moves:
                self._peer.send(FaultMessage("client", str(fault)))
            raise BadInput(
                f"The game cannot go on; {mover} sent no legal {NAME_BY_MESSAGE[type(heard)]}: {fault}"
            ) from None
        self._peer.send(heard)  # sent back: the position is known
        self._say(f"{mover} says that the game goes on at {told.text}.")
        return told

    def _hear_move(self) -> Move | PositionMessage:
        """Returns the other side's next move, or the position from which it continues the game.

        Raises:
            Resigned: the other side resigns.
            Unreadable: the other side, or the server, reports a fault.
        """
        while True:
            heard: Message = self._peer.hear(self._timeout)
            match heard:
                case Move() | PositionMessage():
                    return heard
                case Resign():
                    raise Resigned
                case Ping(token, answer=False):
                    self._peer.send(Ping(token, answer=True))
                case FaultMessage(_, sentence):
                    raise Unreadable(f"it says that something was wrong: {clause_of(sentence)}")
                case ResultMessage(_, why):
                    raise Gone(f"it says that the game is over: {clause_of(why)}")
                case _:
                    pass
