"""Work of a process on a task of an arena: play the game and judge its moves."""

import time
from collections.abc import Hashable
from dataclasses import dataclass, replace

from plyground.arena.adjudication import Adjudication
from plyground.arena.blunders import judge
from plyground.arena.playing import NONE_ADJUDICATED, Limits, play_task
from plyground.arena.results import Entrant, Judged, Played, Task
from plyground.errors import BadInput, clause_of
from plyground.games import AnyGame
from plyground.mapper import UnableHere, report
from plyground.play.ending import Ending
from plyground.position import Position, moves_text
from plyground.workers.mapping import WorkerDied

SHOW_AFTER_SECONDS, SHOW_EVERY_SECONDS = 0.5, 0.5
"""Seconds of a game until its position is first shown on the page, and between two updates."""


@dataclass(frozen=True)
class PlayGame:
    """Play the game of a task and, if asked for, judge its moves. Pickled: it runs in any process."""

    entrants: dict[str, Entrant]
    game: AnyGame | str
    limits: Limits
    seed: int
    arena: str
    judge: bool
    adjudication: Adjudication = NONE_ADJUDICATED

    def __call__(self, task: Task) -> Played:
        # A quick game is over before it is shown: a report costs a message, and a row.
        shown = time.monotonic() + SHOW_AFTER_SECONDS - SHOW_EVERY_SECONDS

        def on_move(position: Position) -> None:
            nonlocal shown
            if time.monotonic() - shown >= SHOW_EVERY_SECONDS:
                shown = time.monotonic()
                report((task, tuple(moves_text(Position(position.game, position.start), position.moves))))

        more = self.seed, self.arena, self.adjudication
        found = play_task(task, self.entrants, self.game, self.limits, on_move, *more)
        # Another process may have the program; if none has, `void_game` makes the result.
        if found.ending is Ending.NOT_STARTED:
            raise UnableHere(clause_of(found.why))
        # In the same process, whose compiled search is warm; the host only counts.
        if self.judge and not found.void:
            found = replace(found, judged=JudgeMoves(self.game)(found))
        return found


@dataclass(frozen=True)
class JudgeMoves:
    """Judge the moves of a game that is over."""

    game: AnyGame | str

    def __call__(self, played: Played) -> tuple[Judged, ...]:
        return judge(self.game, played.task.opening, played.moves)


def entrants_key(task: Task) -> Hashable:
    """The key of tasks that need the same programs: the two entrants."""
    return frozenset((task.x, task.o))


def void_game(task: Task, fault: BadInput) -> Played:
    """A void game, which no process could play: its players cannot be started there, or the processes died."""
    ending = Ending.VOID if isinstance(fault, WorkerDied) else Ending.NOT_STARTED
    return Played(task, (), None, str(fault), void=True, ending=ending)
