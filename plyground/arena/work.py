"""What a process does with a task of an arena: it plays the game and judges its moves."""

import time
from collections.abc import Hashable
from dataclasses import dataclass, replace

from plyground.arena.batches import Elsewhere, report
from plyground.arena.blunders import judge
from plyground.arena.playing import Limits, played
from plyground.arena.results import Entrant, Judged, Played, Task
from plyground.position import Position, moves_text

SEEN_AFTER, SEEN_EVERY = 0.5, 0.5
"""Seconds that a game lasts before the page is told of it, and between its being told."""


@dataclass(frozen=True)
class Play:
    """Plays a game, in whichever process."""

    entrants: dict[str, Entrant]
    game: str
    limits: Limits
    seed: int
    arena: str
    judge: bool

    def __call__(self, task: Task) -> Played:
        shown = time.monotonic() + SEEN_AFTER - SEEN_EVERY

        def on_move(position: Position) -> None:
            nonlocal shown
            if time.monotonic() - shown >= SEEN_EVERY:
                shown = time.monotonic()
                report((task, tuple(moves_text(Position(position.game, position.start), position.moves))))

        found = played(task, self.entrants, self.game, self.limits, on_move, self.seed, self.arena)
        if found.void and found.fault is None:
            raise Elsewhere(found.why.removesuffix("."))
        if self.judge and not found.void:
            found = replace(found, judged=Judge(self.game)(found))
        return found


@dataclass(frozen=True)
class Judge:
    """Judges the moves of a game that is over."""

    game: str

    def __call__(self, played: Played) -> tuple[Judged, ...]:
        return judge(self.game, played.task.opening, played.moves)


def needs(task: Task) -> Hashable:
    """Games of the same two need the same programs."""
    return frozenset((task.x, task.o))


def unable(task: Task, why: str) -> Played:
    """A game that could be played nowhere."""
    return Played(task, (), None, why, void=True)
