"""Talk to any player, step by step, and say which parts of the protocol it keeps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from plyground.errors import BadInput
from plyground.play.referee import Failed, Resigned
from plyground.position import Position
from plyground.wire.external import External
from plyground.wire.messages import Move, Unreadable
from plyground.wire.notation import from_wire, to_wire
from plyground.wire.peer import Gone, Peer, Silent


@dataclass(frozen=True)
class Step:
    """One part of the protocol, and whether the player keeps it."""

    name: str
    ok: bool
    said: str
    bytes: tuple[tuple[str, bytes], ...] = ()
    """What went over the wire, where it does not: `→` to the player, `←` from it."""


Written = Callable[[str], bytes]

LAYOUTS: list[tuple[str, Written]] = [
    ("answers (2,1). and a new line", lambda move: f"({move}).\n".encode()),
    ("answers with CR LF", lambda move: f"({move}).\r\n".encode()),
    (
        "answers with blanks and lines inside the term",
        lambda move: ("( " + move.replace(",", " ,\n ") + " ) .\n").encode(),
    ),
    ("answers with comments", lambda move: f"% a comment.\n({move}) /* another */ .\n".encode()),
    ("answers in two halves", lambda move: f"({move}).\n".encode()),
]
"""Ways to write the first move to a player that reads Prolog terms."""


def check(player: External, start: Position) -> Iterator[Step]:
    """Each step as it is done; the player is started anew for each, and has the second move.

    Args:
        player: the player to talk to.
        start: where the games begin.
    """
    first = start.legal_moves[0]
    for name, written in LAYOUTS if player.protocol == "terms" else []:
        data = written(to_wire(start, first))
        yield _one(player, start, name, partial(_write, data=data, halves="halves" in name))
    if player.protocol != "terms":
        text = start.game.move_text(start.state, first)
        yield _one(player, start, "answers a move", lambda peer: peer.send(Move(text)))
    yield _whole(player, start)
    player.close()


def _write(peer: Peer, data: bytes, halves: bool) -> None:
    """Write bytes, in two halves where the step is about that."""
    half = len(data) // 2 if halves else len(data)
    peer.send_bytes(data[:half])
    if data[half:]:
        peer.send_bytes(data[half:])


def _one(player: External, start: Position, name: str, begin: Callable[[Peer], None]) -> Step:
    """Start it, write a first move, read its answer."""
    player.close()
    position = start.play(start.legal_moves[0])
    try:
        peer = player.opened(position)
    except (Silent, Gone, BadInput) as fault:
        return Step(name, False, f"{fault}.")
    try:
        begin(peer)
        answer = peer.hear(player.timeout)
        if not isinstance(answer, Move):
            return Step(name, False, f"it sent {type(answer).__name__.lower()}, not a move.", tuple(peer.bytes))
        from_wire(position, answer.text)
        return Step(name, True, f"it played {answer.text}.")
    except (Silent, Gone, Unreadable, BadInput) as fault:
        return Step(name, False, f"{str(fault).rstrip('.')}.", tuple(peer.bytes))
    finally:
        player.close()


def _whole(player: External, position: Position) -> Step:
    """A game to its end against the first legal moves."""
    name, seat = "plays a whole game", 1 - position.to_move
    try:
        while position.outcome is None:
            if position.to_move == seat:
                position = position.play(player.choose(position, None))
            else:
                position = position.play(position.legal_moves[0])
        return Step(name, True, f"{position.result} after {len(position.moves)} plies.")
    except (Failed, BadInput) as fault:
        return Step(name, False, f"{str(fault).rstrip('.')}.", tuple(player.wire))
    except Resigned:
        return Step(name, True, f"it resigned after {len(position.moves)} plies.")
