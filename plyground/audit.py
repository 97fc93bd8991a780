"""A player held against every reply of its opponent: a certificate that it never loses, or every way to beat it.

The player is asked once in each position that it can meet; positions that come about in several ways are shared, so its
reply must depend on the position alone. One that draws lots is found out by being asked twice, and gets no certificate.
The replies are the whole proof: `verify` walks all games again with the replies alone.
"""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from plyground.clock import Limit
from plyground.engine import think
from plyground.errors import BadInput
from plyground.games import game_named
from plyground.levels import sorted_out
from plyground.match import Failed, Player, Resigned, close
from plyground.position import Position, moves_text

VERSION = 1
BUDGET = 100_000
"""Positions in which the player is asked, at most, by default."""
SOLVING = 2.0
"""Seconds to search a position of a lost game for the moves that would have held."""
LISTED = 1_000
"""Games listed that beat the player, the shortest first."""
ASKED_TWICE = 20
"""Positions in which the player is asked again, to find out whether it draws lots."""


@dataclass(frozen=True)
class Loss:
    """A game that the player loses."""

    moves: tuple[str, ...]
    why: str
    wrong: int | None = None
    """The ply (from 1) of the player's first move that gave value away; None where that was not searched."""
    held: tuple[str, ...] = ()
    """The moves that would have kept the value there."""


@dataclass(frozen=True)
class Audit:
    """What an audit found."""

    game: str
    player: str
    side: str
    start: str
    verdict: str
    """`never loses`, `loses`, `draws lots`, or `not refuted` (the budget was used up first)."""
    positions: int
    """Positions in which the player was asked."""
    games: int
    """Different games that its opponent can play against it, as far as they were seen."""
    lost: int
    """Those of them that it loses."""
    losses: tuple[Loss, ...]
    """Lost games, the shortest first."""
    replies: dict[str, str]
    """The player's move in each position, in text: the proof."""

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.verdict == "never loses":
            return f"never loses: {self.games:,} games, {self.positions:,} positions."
        if self.verdict == "loses":
            first = " ".join(self.losses[0].moves)
            return f"loses {self.lost:,} of {self.games:,} games; the shortest: {first}."
        if self.verdict == "draws lots":
            return "draws lots: asked twice in one position it moves differently, so nothing can be certified."
        return f"not refuted within {self.positions:,} positions; there are more."


Replies = dict[str, str]


def audit(
    game: str,
    start: Position,
    seat: int,
    make: Callable[[], Player],
    *,
    budget: int = BUDGET,
    jobs: int = 1,
    known: Replies | None = None,
    on_reply: Callable[[str, str], None] | None = None,
) -> Audit:
    """Play every reply of the opponent.

    Args:
        game: the game's spec, for the certificate.
        start: where the games begin.
        seat: the player's side, 0 or 1.
        make: makes the player; called once for each of `jobs`.
        budget: positions in which the player is asked, at most.
        jobs: players asked at once.
        known: replies from an audit that was stopped.
        on_reply: told each reply as it comes: the position and the move in text, for progress and to resume by.

    Raises:
        BadInput: the player cannot be started.
    """
    start = Position(start.game, start.state)
    replies: Replies = dict(known or {})
    faults: dict[str, str] = {}
    with _Crew(make, jobs) as crew:
        asked: set[str] = set()
        frontier, lots = [start], False
        while frontier and len(replies) < budget and not lots:
            turns = _turns(frontier, seat, asked)
            fresh = [turn for turn in turns if turn.text not in replies][: budget - len(replies)]
            for turn, (move, fault) in zip(fresh, crew.ask(fresh), strict=True):
                replies[turn.text] = move
                if fault:
                    faults[turn.text] = fault
                elif on_reply:
                    on_reply(turn.text, move)
            again = fresh[: max(0, ASKED_TWICE - crew.repeated)]
            lots = any(
                replies[turn.text] != move for turn, (move, _) in zip(again, crew.ask(again, again=True), strict=True)
            )
            frontier = [turn.play(replies[turn.text]) for turn in turns if replies.get(turn.text)]
    player = crew.name
    if lots:
        return Audit(game, player, "xo"[seat], start.text, "draws lots", len(replies), 0, 0, (), replies)
    return _judged(
        Audit(game, player, "xo"[seat], start.text, "", len(replies), 0, 0, (), replies), start, seat, faults
    )


def _turns(frontier: list[Position], seat: int, asked: set[str]) -> list[Position]:
    """The positions, not met before, in which the player is to move, after anything that its opponent may do."""
    turns: dict[str, Position] = {}
    waiting = list(frontier)
    while waiting:
        position = waiting.pop()
        if position.outcome is not None:
            continue
        if position.to_move != seat:
            waiting += [position.play(move) for move in position.legal_moves]
        elif position.text not in asked:
            asked.add(position.text)
            turns[position.text] = position
    return list(turns.values())


class _Crew:
    """As many copies of the player as are asked at once."""

    def __init__(self, make: Callable[[], Player], jobs: int) -> None:
        self._make, self._jobs = make, jobs
        self._players: dict[int, Player] = {}
        self._pool = ThreadPoolExecutor(jobs)
        self.repeated = 0
        self.name = self._mine().name

    def __enter__(self) -> "_Crew":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        for player in self._players.values():
            close(player)

    def _mine(self) -> Player:
        return self._players.setdefault(threading.get_ident(), self._make())

    def ask(self, turns: list[Position], *, again: bool = False) -> Iterator[tuple[str, str]]:
        """The player's move in each position, and what it did wrong if it made none."""
        self.repeated += len(turns) if again else 0
        # a pool of one would only hand the interpreter's lock back and forth: 2 ms a reply instead of 0.1
        return map(self._reply, turns) if self._jobs == 1 else self._pool.map(self._reply, turns)

    def _reply(self, position: Position) -> tuple[str, str]:
        player = self._mine()
        try:
            move = position.legal(player.choose(position, None))
        except Resigned:
            return "", "resigns"
        except (Failed, BadInput) as fault:
            return "", str(fault)
        return position.game.move_text(position.state, move), ""


# -- judging the replies -----------------------------------------------------------------------------------------------


def _judged(found: Audit, start: Position, seat: int, faults: dict[str, str]) -> Audit:
    games, lost, complete = _counted(start, seat, found.replies, {})
    losses = tuple(_losses(start, seat, found.replies, faults))
    right: dict[str, list[str] | None] = {}
    losses = tuple(_explained(start, seat, loss, right) for loss in losses)
    verdict = "loses" if lost else "never loses" if complete else "not refuted"
    return replace(found, verdict=verdict, games=games, lost=lost, losses=losses)


def _counted(
    position: Position, seat: int, replies: Replies, known: dict[str, tuple[int, int, bool]]
) -> tuple[int, int, bool]:
    """How many games there are from here, how many the player loses, and whether every reply is known."""
    if position.outcome is not None:
        return 1, int(position.outcome * (1 - 2 * seat) < 0), True
    if position.text not in known:
        if position.to_move == seat:
            reply = replies.get(position.text)
            after = [] if reply is None else [position.play(reply)] if reply else None
        else:
            after = [position.play(move) for move in position.legal_moves]
        if after is None:  # it resigned or failed
            known[position.text] = 1, 1, True
        else:
            parts = [_counted(each, seat, replies, known) for each in after]
            complete = bool(parts) and all(part[2] for part in parts)
            known[position.text] = sum(part[0] for part in parts), sum(part[1] for part in parts), complete
    return known[position.text]


def _losses(start: Position, seat: int, replies: Replies, faults: dict[str, str]) -> Iterator[Loss]:
    """Lost games, the shortest first."""
    known: dict[str, tuple[int, int, bool]] = {}
    found, level = 0, [start]
    while level and found < LISTED:
        following: list[Position] = []
        for position in level:
            if found < LISTED and _counted(position, seat, replies, known)[1]:
                ended = _end(position, seat, replies, faults)
                if ended:
                    found += 1
                    yield Loss(tuple(moves_text(start, position.moves)), ended)
                else:
                    following += _onward(position, seat, replies)
        level = following


def _end(position: Position, seat: int, replies: Replies, faults: dict[str, str]) -> str:
    """How a lost game ended here, in words; empty while it goes on."""
    if position.outcome is not None:
        return position.result
    if position.to_move == seat and replies.get(position.text) == "":
        return faults.get(position.text, "made no move")
    return ""


def _onward(position: Position, seat: int, replies: Replies) -> list[Position]:
    if position.to_move == seat:
        return [position.play(replies[position.text])]
    return [position.play(move) for move in position.legal_moves]


def _explained(start: Position, seat: int, loss: Loss, known: dict[str, list[str] | None]) -> Loss:
    """The loss with the player's first wrong move and those that would have held, where they can be found."""
    position = start
    for ply, word in enumerate(loss.moves, start=1):
        if position.to_move == seat:
            if position.text not in known:
                known[position.text] = _right(position)
            right = known[position.text]
            if right is None:
                return loss
            if word not in right:
                return replace(loss, wrong=ply, held=tuple(right))
        position = position.play(word)
    return loss


def _right(position: Position) -> list[str] | None:
    """The moves that give no value away; None if that is not found in time."""
    report = [*think(position, Limit(time=SOLVING), every_move=True)][-1]
    if not all(score.exact for _, score in report.moves):
        return None
    _, bad = sorted_out(position, report)
    return [position.game.move_text(position.state, move) for move in position.legal_moves if move not in bad]


# -- certificates ------------------------------------------------------------------------------------------------------


def write(found: Audit, file: Path) -> None:
    """Write an audit as JSON; the file is whole or not there.

    Raises:
        BadInput: it cannot be written.
    """
    part = file.with_name(file.name + ".part")
    try:
        part.write_text(
            json.dumps({"plyground audit": VERSION, **asdict(found)}, ensure_ascii=False, indent=1), "utf-8"
        )
        part.replace(file)
    except OSError as fault:
        raise BadInput(f"{file} cannot be written: {fault.strerror}.") from None


def verify(file: Path) -> Audit:
    """Check a certificate without its player: walk every game with the replies it holds.

    Raises:
        BadInput: it is no certificate, a reply is missing or illegal, or it does not prove what it says.
    """
    said = _read(file)
    start = Position.parse(game_named(said.game), said.start)
    seat = "xo".index(said.side)
    try:
        found = _judged(replace(said, losses=()), start, seat, {})
    except BadInput as fault:
        raise BadInput(f"{file} proves nothing: a reply of it is illegal: {fault}") from None
    for name in ("verdict", "games", "lost"):
        if getattr(found, name) != getattr(said, name):
            raise BadInput(
                f"{file} says {name} {getattr(said, name)!r}, but its replies show {getattr(found, name)!r}."
            )
    return found


def _read(file: Path) -> Audit:
    try:
        document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if document.pop("plyground audit") != VERSION:
            raise KeyError("plyground audit")
        losses = tuple(Loss(**{**loss, "moves": tuple(loss["moves"])}) for loss in document.pop("losses"))
        return Audit(**document, losses=losses)
    except OSError as fault:
        raise BadInput(f"{file} cannot be read: {fault.strerror}.") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadInput(f"{file} is no certificate of plyground audit.") from None
