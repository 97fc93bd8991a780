"""Play as a client of somebody else's Connector, in the place of the Prolog player."""

from collections.abc import Callable

from plyground.errors import BadInput
from plyground.match import Player
from plyground.position import Position
from plyground.wire.messages import Hello, Move, Ping, Resign, Unreadable
from plyground.wire.notation import from_wire, to_wire
from plyground.wire.peer import Gone, Peer, Silent, connected, over_socket
from plyground.wire.protocols import codec
from plyground.wire.terms import Terms


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
) -> Position:
    """Play one game; the position it ended in.

    Raises:
        BadInput: nobody listens there, or the other side is silent, unreadable or plays an illegal move.
    """
    writer = codec(protocol)
    if isinstance(writer, Terms):
        writer.short = True  # as the Prolog player writes
    try:
        peer = over_socket(writer, connected(address, seconds=5.0))
    except Silent as fault:
        raise BadInput(f"Cannot join: {fault}.") from None
    try:
        if room:
            peer.send(Hello(room=room))
        return _played(peer, position, side, player, protocol == "terms", timeout, on_move)
    except (Silent, Gone, Unreadable) as fault:
        raise BadInput(f"The game cannot go on: {fault}.") from None
    finally:
        peer.close()


def _played(
    peer: Peer,
    position: Position,
    side: int,
    player: Player,
    in_terms: bool,
    timeout: float,
    on_move: Callable[[Position], None],
) -> Position:
    while position.outcome is None:
        if position.to_move == side:
            move = position.legal(player.choose(position, None))
            text = to_wire(position, move) if in_terms else position.game.move_text(position.state, move)
            peer.send(Move(text))
        else:
            answer = _move(peer, timeout)
            if answer is None:
                return position
            move = from_wire(position, answer)
        position = position.play(move)
        on_move(position)
    return position


def _move(peer: Peer, timeout: float) -> str | None:
    """The other side's next move; None if it resigns."""
    while True:
        match peer.hear(timeout):
            case Move(text):
                return text
            case Resign():
                return None
            case Ping(token, answer=False):
                peer.send(Ping(token, answer=True))
            case _:
                pass
