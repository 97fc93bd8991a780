"""Proof by a player's recorded replies: every game that its opponent can play against them.

A certificate is an audit in a file.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from plyground.compiled.fingerprint import python_version, rules_fingerprint
from plyground.errors import BadInput, TooNew
from plyground.files import WORK_MOST, in_file, parse_json_object, text_of_file
from plyground.files.whole_file import write_whole
from plyground.games import game_named
from plyground.play.ending import Ending
from plyground.position import Position, moves_text
from plyground.text import count_text

CERTIFICATE = 2
"""Version of the form of a certificate. One of version 1 may lack its rules, as those of audits in a database do, and
the kinds of its endings.
"""
MOST_LISTED_LOSSES = 1_000
"""Games listed that beat the player, the shortest first."""
AT_RANDOM = "plays at random"
Replies = dict[str, str]
"""The player's move in each position, both in text; empty where it made none."""


class Failure(NamedTuple):
    """A player's failure to make a move."""

    ending: Ending
    """Its kind."""
    sentence: str
    """The player's fault in words, without a full stop, as a part of a sentence."""


@dataclass(frozen=True)
class Loss:
    """A game that the player loses."""

    moves: tuple[str, ...]
    why: str
    wrong: int | None = None
    """The ply (from 1) of the player's first move that gave the win or the draw away; None where there was none, or it
    was not searched."""
    held: tuple[str, ...] = ()
    """The moves that would have kept the win or the draw there."""
    ending: Ending = Ending.NORMAL
    """Kind of its end; unknown in an audit of an earlier version."""


@dataclass(frozen=True)
class Audit:
    """Result of an audit."""

    game: str
    player: str
    side: str
    start: str
    verdict: str
    """`never loses`, `loses`, `plays at random`, or `not refuted` (the budget was used up first)."""
    positions: int
    """Positions in which the player was asked."""
    games: int
    """Different games that its opponent can play against it, as far as they were seen."""
    lost: int
    """Number of these games that it loses."""
    losses: tuple[Loss, ...]
    """Lost games, the shortest first."""
    replies: dict[str, str]
    """The player's move in each position, in text: the proof."""
    is_whole: bool = True
    """Whether every game that its opponent can play was seen; False where a limit ended the audit first."""

    @property
    def lost_text(self) -> str:
        """Number of games that the player loses, in words."""
        seen = "" if self.is_whole else f" seen within {count_text(self.positions, 'position')}"
        return f"loses {self.lost:,} of {count_text(self.games, 'game')}{seen}"

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.verdict == "never loses":
            return f"never loses: {count_text(self.games, 'game')}, {count_text(self.positions, 'position')}."
        if self.verdict == "loses":
            shortest = "the shortest" if self.is_whole else "the shortest of these"
            return f"{self.lost_text}; {shortest}: {' '.join(self.losses[0].moves)}."
        if self.verdict == AT_RANDOM:
            return "plays at random: asked twice in one position it moved differently, so nothing can be certified."
        return f"not refuted within {count_text(self.positions, 'position')}; there are more."


def judge_replies(found: Audit, start: Position, seat: int, faults: Mapping[str, Failure]) -> Audit:
    """The verdict that the replies prove, with the positions asked in and the lost games; no search is needed for it.
    Replies in positions that no game comes to are left out.

    Raises:
        BadInput: a reply is illegal.
    """
    met: dict[str, tuple[int, int, bool]] = {}
    games, lost, complete = _count_games(start, seat, found.replies, met)
    replies = {text: reply for text, reply in found.replies.items() if text in met}
    losses = tuple(_losses(start, seat, replies, faults))
    verdict = "loses" if lost else "never loses" if complete else "not refuted"
    proved = replace(found, verdict=verdict, positions=len(replies), games=games, lost=lost, losses=losses)
    return replace(proved, replies=replies, is_whole=complete)


def _count_games(
    position: Position, seat: int, replies: Replies, known: dict[str, tuple[int, int, bool]]
) -> tuple[int, int, bool]:
    """Count the games from here, and those that the player loses. Returns both, and whether every reply is known."""
    if position.outcome is not None:
        return 1, int(position.outcome * (1 - 2 * seat) < 0), True
    # The text is the key: a position that comes about in several ways is walked once, and counts once for each way.
    # The recursion is as deep as a game is long.
    if position.text not in known:
        if position.to_move == seat:
            reply = replies.get(position.text)
            after = [] if reply is None else [position.play(reply)] if reply else None
        else:
            after = [position.play(move) for move in position.legal_moves]
        # An empty reply is a lost game; a missing one is a game whose end is not known.
        if after is None:  # it resigned or failed
            known[position.text] = 1, 1, True
        else:
            parts = [_count_games(each, seat, replies, known) for each in after]
            complete = bool(parts) and all(part[2] for part in parts)
            known[position.text] = sum(part[0] for part in parts), sum(part[1] for part in parts), complete
    return known[position.text]


def _losses(start: Position, seat: int, replies: Replies, faults: Mapping[str, Failure]) -> Iterator[Loss]:
    """Lost games, the shortest first."""
    known: dict[str, tuple[int, int, bool]] = {}
    found, level = 0, [start]
    # Ply by ply, so the shortest come first; positions are not merged, for each lost game is listed by its moves.
    while level and found < MOST_LISTED_LOSSES:
        following: list[Position] = []
        for position in level:
            if found < MOST_LISTED_LOSSES and _count_games(position, seat, replies, known)[1]:
                ended = _ending_at(position, seat, replies, faults)
                if ended:
                    found += 1
                    moves = tuple(moves_text(start, position.moves[len(start.moves) :]))
                    yield Loss(moves, ended.sentence, ending=ended.ending)
                else:
                    following += _next_positions(position, seat, replies)
        level = following


def _ending_at(position: Position, seat: int, replies: Replies, faults: Mapping[str, Failure]) -> Failure | None:
    """The end of a lost game in this position; None while it goes on."""
    if position.outcome is not None:
        return Failure(Ending.NORMAL, position.result)
    if position.to_move == seat and replies.get(position.text) == "":
        return faults.get(position.text, Failure(Ending.UNKNOWN, "made no move"))
    return None


def _next_positions(position: Position, seat: int, replies: Replies) -> list[Position]:
    if position.to_move == seat:
        return [position.play(replies[position.text])]
    return [position.play(move) for move in position.legal_moves]


def to_json(found: Audit, rules: Mapping[str, str] | None = None) -> str:
    """An audit as JSON; as a certificate with the rules that it holds for."""
    head = {"plyground audit": CERTIFICATE, **rules} if rules else {"plyground audit": 1}
    return json.dumps({**head, **asdict(found)}, ensure_ascii=False, indent=1)


def _rules_of(found: Audit) -> dict[str, str]:
    """Fingerprint of the rules of an audit's game, and the Python that made it."""
    return {"rules": rules_fingerprint(game_named(found.game)), "python": python_version()}


def from_json(text: str) -> Audit:
    """An audit from JSON, whatever its rules.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: it is none.
    """
    document: dict[str, Any] = json.loads(text)
    if not 1 <= document.pop("plyground audit") <= CERTIFICATE:
        raise KeyError("plyground audit")
    for name in ("rules", "python"):
        document.pop(name, None)
    losses = tuple(
        Loss(
            **loss
            | {"moves": tuple(loss["moves"]), "held": tuple(loss["held"])}
            | {"ending": Ending(str(loss.get("ending")))}
        )
        for loss in document.pop("losses")
    )
    return Audit(**document, losses=losses)


def write(found: Audit, file: Path) -> None:
    """Write an audit as JSON; the file is whole or not there.

    Raises:
        BadInput: it cannot be written.
    """
    write_whole(file, to_json(found, _rules_of(found)))


def read_certificate(file: Path) -> Audit:
    """The audit in a certificate, of which nothing is checked but its form.

    Raises:
        BadInput: it cannot be read, or is no certificate.
    """
    text = text_of_file(file, WORK_MOST)
    try:
        document = parse_json_object(text)
        # The version first: a later form may have other keys, and must not be called damaged.
        version = document["plyground audit"]
        if type(version) is int and version > CERTIFICATE:
            raise TooNew(f"The certificate {file}", version, CERTIFICATE)
        found = from_json(text)
        texts = [found.game, found.side, found.start, *found.replies, *found.replies.values()]
        if found.side not in ("x", "o") or not all(isinstance(each, str) for each in texts):
            raise TypeError(texts)
        made = {name: document[name] for name in ("rules", "python") if name in document}
        with in_file(file):
            here = _rules_of(found)
        # Fingerprints are hashes of bytecode: of another Python they differ for the same rules, and say nothing.
        if made.get("python") == here["python"] and made != here:
            raise BadInput(f"{file} is of {found.game} by other rules than it has here: audit the player again.")
        return found
    except BadInput:
        raise
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadInput(f"{file} is no certificate of plyground audit.") from None
