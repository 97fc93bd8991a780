"""Check an external player step by step: which parts of the protocol it keeps."""

from collections.abc import Iterator
from dataclasses import dataclass

from plyground.errors import BadInput, sentence_of
from plyground.play.player import Failed, Illegal, Resigned
from plyground.position import Position
from plyground.wire.external import KNOWN_WITHIN, External
from plyground.wire.messages import Unreadable
from plyground.wire.peer import Gone, PeerSilent
from plyground.wire.protocols import codec


@dataclass(frozen=True)
class Step:
    """Result for one part of the protocol: whether the player keeps it."""

    name: str
    ok: bool
    said: str
    wire: tuple[tuple[str, bytes], ...] = ()
    """Bytes on the wire if the step failed: `→` to the player, `←` from it."""
    needed: bool = True
    """Whether a player cannot play a game without it."""


def check(player: External, start: Position) -> Iterator[Step]:
    """Yields each step once it is done. The player is started anew for each, and has the second move.

    Args:
        player: the player to talk to.
        start: where the games begin.
    """
    for name, parts in codec(player.protocol).layouts(start, start.legal_moves[0]):
        yield _check_layout(player, start, name, parts)
    yield _check_game(player, start)
    yield _check_position(player, start)
    player.close()


def _check_layout(player: External, start: Position, name: str, parts: list[bytes]) -> Step:
    """Start the player, write a first move in parts, read its answer."""
    player.close()
    position = start.play(start.legal_moves[0])
    try:
        # Each layout has a fresh start: an answer to the one before may still be on its way.
        peer = player.open_peer(position)
    except (PeerSilent, Gone, BadInput) as fault:
        return Step(name, False, sentence_of(fault))
    try:
        for part in parts:
            peer.send_bytes(part)
        return Step(name, True, f"it played {_ask_move_text(player, position)}.")
    except (PeerSilent, Gone, Unreadable, Illegal) as fault:
        return Step(name, False, sentence_of(fault), tuple(peer.bytes))
    finally:
        player.close()


def _ask_move_text(player: External, position: Position) -> str:
    """Returns the player's move in a position, in words.

    Raises:
        PeerSilent, Gone, Unreadable: it sent no move.
        Illegal: its move is not legal.
    """
    try:
        return codec(player.protocol).move_text(position, player.ask(position, player.timeout))
    except Resigned:
        raise Unreadable("it sent resign, not a move") from None


def _check_game(player: External, position: Position) -> Step:
    """Play a game to its end; the other side plays the first legal move each time."""
    name, seat = "plays a whole game", 1 - position.to_move
    try:
        while position.outcome is None:
            if position.to_move == seat:
                position = position.play(player.choose(position, None))
            else:
                position = position.play(position.legal_moves[0])
        return Step(name, True, f"{position.result} after {len(position.moves)} plies.")
    except (Failed, BadInput) as fault:
        return Step(name, False, sentence_of(fault), tuple(player.wire))
    except Resigned:
        return Step(name, True, f"it resigned after {len(position.moves)} plies.")


def _check_position(player: External, start: Position) -> Step:
    """Whether the player accepts a position while it waits for a move: it sends it back, and moves there."""
    name, waiting = "knows position", start.play(start.legal_moves[0])
    # The position is another one than the player waits in, with the same side to move: otherwise it
    # could say it back without having understood it, or have nothing to answer.
    others = [start.play(move) for move in reversed(start.legal_moves)]
    told = next((other for other in others if other.to_move == waiting.to_move and other.outcome is None), waiting)
    try:
        player.open_peer(waiting)
        if not player.set_position(told, min(KNOWN_WITHIN, player.timeout)):
            return Step(name, False, "it does not say it back, so it is started anew for each game.", needed=False)
        return Step(name, True, f"it played {_ask_move_text(player, told)} in {told.text}.")
    except (PeerSilent, Gone, Unreadable, Illegal, BadInput) as fault:
        return Step(name, False, sentence_of(fault), tuple(player.wire))
    finally:
        player.close()
