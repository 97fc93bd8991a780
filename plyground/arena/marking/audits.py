"""Audits of a class: for each side of a program the proof that it never loses, or a lost game."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from plyground.arena.blunders import seen
from plyground.arena.playing import Limits, seated
from plyground.arena.results import Audited, Entrant, Side
from plyground.errors import BadInput, GameFault
from plyground.faults import game_fault
from plyground.games import AnyGame, as_game
from plyground.play.audit import audit, explain
from plyground.play.player import Failed, Illegal, Player, Resigned, Wrapper
from plyground.position import Position

MOST_FAULTS = 3
"""Positions in which a program fails after which its audit ends: each may have cost all the time of a move."""


@dataclass(frozen=True)
class AuditSide:
    """Audit one side of an entrant. Pickled: it runs in any process."""

    game: AnyGame | str
    limits: Limits
    budget: int

    def __call__(self, task: tuple[Entrant, Side]) -> Audited:
        entrant, side = task
        start, seat = Position.initial(as_game(self.game)), "xo".index(side)
        if is_lost(start, seat):
            return Audited(entrant.name, side, None, f"{side} has lost from the first move on, so nothing is proved.")

        def make() -> Player:
            player = _Judged(seated(entrant, self.limits))
            player.set_time_control(self.limits)
            player.prepare(start)
            return player

        try:
            found = audit(str(self.game), start, seat, make, budget=self.budget, faults=MOST_FAULTS, explained=False)
        except GameFault:
            raise
        except BadInput as fault:
            return Audited(entrant.name, side, None, str(fault))
        found = replace(found, player=entrant.name, losses=found.losses[:1])
        return Audited(entrant.name, side, explain(found, start, seat))


def is_lost(start: Position, seat: int) -> bool:
    """Whether a side has certainly lost, whatever it plays; False where that is not known."""
    value = seen(start)
    return value.exact and value.sign == (-1 if seat == 0 else 1)


def audits_of(entrants: Iterable[Entrant], known: Iterable[Audited]) -> list[tuple[Entrant, Side]]:
    """The audits that are not known yet, of each side that each entrant plays."""
    done = {(each.name, each.side) for each in known}
    sides: tuple[Side, ...] = ("x", "o")
    return [
        (entrant, side)
        for entrant in entrants
        for side in sides
        if entrant.side in ("", side) and (entrant.name, side) not in done
    ]


class _Judged(Wrapper):
    """A player whose every failure is its own, as in an arena's games."""

    def choose(self, position: Position, seconds: float | None) -> int:
        try:
            move = self.player.choose(position, seconds)
        except (Failed, Resigned, BadInput):
            raise
        except Exception as fault:
            if own := game_fault(fault):
                raise own from fault
            raise Failed(f"it fails: {type(fault).__name__}: {fault}") from fault
        try:
            return position.legal(move)
        except BadInput as fault:
            raise Illegal(str(fault)) from None
