"""Audits of a class: for each side of a program the proof that it never loses, or a lost game."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plyground.arena.blunders import winner_with_best_play
from plyground.arena.playing import Limits, seat_entrant
from plyground.arena.results import Audited, Entrant, Side
from plyground.errors import BadInput, GameFault
from plyground.games import AnyGame, as_game
from plyground.mapper import report
from plyground.play.audit import audit, explain
from plyground.play.player import Player
from plyground.position import Position
from plyground.text import count_text
from plyground.workers.cluster import Cluster

AUDIT_REPORT_SECONDS = 0.5
"""Seconds between two progress reports of an audit."""
MOST_FAULTS = 1
"""Positions in which a program fails after which its audit ends: each may have cost all the time of a move, and with
one the criterion has no points."""


@dataclass(frozen=True)
class AuditSide:
    """Audit one side of an entrant. Pickled: it runs in any process."""

    game: AnyGame | str
    limits: Limits
    budget: int
    seconds: float

    def __call__(self, task: tuple[Entrant, Side]) -> Audited:
        entrant, side = task
        start, seat = Position.initial(as_game(self.game)), "xo".index(side)
        # Before the program is started: nothing that it does could be proved, and the audit would cost its whole
        # budget.
        if is_lost(start, seat):
            return Audited(
                entrant.name,
                side,
                None,
                f"{start.game.names[seat]} has lost from the first move on, so nothing is proved.",
            )

        def make() -> Player:
            player = seat_entrant(entrant, self.limits)
            player.set_time_control(self.limits)
            player.prepare(start)
            return player

        shown, asked = time.monotonic(), 0

        def on_reply(text: str, move: str) -> None:
            nonlocal shown, asked
            asked += 1
            if time.monotonic() - shown >= AUDIT_REPORT_SECONDS:
                shown = time.monotonic()
                report(f"{entrant.name} as {start.game.names[seat]}, {count_text(asked, 'position')}")

        most: dict[str, Any] = {"budget": self.budget, "seconds": self.seconds, "faults": MOST_FAULTS}
        try:
            # Not explained here: only one lost game is shown, and a search of two seconds a position for each would be
            # wasted.
            found = audit(str(self.game), start, seat, make, on_reply=on_reply, explained=False, **most)
        # A rule that fails is the teacher's to mend, and no student's loss.
        except GameFault:
            raise
        except BadInput as fault:
            return Audited(entrant.name, side, None, str(fault))
        found = replace(found, player=entrant.name, losses=found.losses[:1])
        return Audited(entrant.name, side, explain(found, start, seat))


def is_lost(start: Position, seat: int) -> bool:
    """Whether a side has certainly lost with every move; False where that is not known."""
    value = winner_with_best_play(start)
    return value.exact and value.sign == (-1 if seat == 0 else 1)


def missing_audits(entrants: Iterable[Entrant], known: Iterable[Audited]) -> list[tuple[Entrant, Side]]:
    """The audits that are not known yet, of each side that each entrant plays."""
    done = {(each.name, each.side) for each in known}
    sides: tuple[Side, ...] = ("x", "o")
    return [
        (entrant, side)
        for entrant in entrants
        for side in sides
        if entrant.side in ("", side) and (entrant.name, side) not in done
    ]


def run_audits(
    cluster: Cluster, work: AuditSide, tasks: Sequence[tuple[Entrant, Side]], told: Callable[[str], object]
) -> Iterator[Audited]:
    """Run audits on a cluster. Yields each result as it comes.

    Args:
        cluster: the processes.
        work: the audit of one side.
        tasks: the audits.
        told: called with the progress, in a few words.
    """
    done: list[Audited] = []

    def tell(more: str = "") -> None:
        told(f"{len(done)} of {len(tasks)} audits{more}")

    for _, found in cluster.map(work, tasks, on_report=lambda said: tell(f"; {said}")):
        done.append(found)
        tell()
        yield found
