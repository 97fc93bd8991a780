"""A player that errs like a person: mostly right, sometimes wrong, and stubborn when it is losing.

Its strength is one number, the error rate: how often it plays a move that gives value away although another keeps it.
Values are exact where the search sees to the end, else those of the deepest search. At error 0 it never gives away a
value that it can see, so it is perfect where the game is solved within its time.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import NamedTuple

from plyground.engine.clock import Limit
from plyground.engine.report import Report
from plyground.engine.run import prepare
from plyground.engine.think import AT_ONCE, is_cold, think
from plyground.errors import BadInput
from plyground.play.player import Player
from plyground.play.time_control import TimeControl
from plyground.position import Position
from plyground.score import best_first, best_of
from plyground.text import decimal_number

QUICKLY, CAREFULLY = 0.045, 1.0
"""Seconds for a move of a level that errs, where people wait for each reply, and of one that is at its best."""
VALUES = 0.7
"""The share of its time in which it looks for the moves' values; the rest tells equal ones apart."""
TRAP, TRAP_NODES = 0.2, 4_000
"""Seconds and nodes, at most, to look at each of several equal moves for the one that is hardest to answer."""
LEVEL_TABLE = 8
"""Mebibytes for a search's table: a larger one takes longer to make than such a search to run."""
NEARER = 2
"""A mistake is this many times as likely as the next worse one: people rather slip than blunder."""


class Strength(NamedTuple):
    """A level that has a name."""

    title: str
    """What people call it, children too."""
    error: float
    """How often it errs."""


LEVELS = {
    "learning": Strength("Just learning", 0.8),
    "easy": Strength("Easy", 0.5),
    "medium": Strength("Medium", 0.25),
    "hard": Strength("Hard", 0.08),
    "best": Strength("Its best", 0.0),
}
"""The levels that have a name, `level:easy`, the weakest first."""
NO_LEVEL = "{text} is no level: write {levels}, or how often it errs, 0 to 1."


class Rate(float):
    """How often a level errs, 0 to 1: a number, or the name of a level."""

    @classmethod
    def from_text(cls, text: str) -> "Rate":
        """Read `0.25` or `easy`."""
        error = LEVELS[text.lower()].error if text.lower() in LEVELS else decimal_number(text)
        if error is None:
            raise BadInput(NO_LEVEL.format(text=repr(text), levels=", ".join(LEVELS)))
        return cls(error)


@dataclass
class Level(Player):
    """Errs at a rate of `error`, 0 to 1; the same way again for the same seed and position."""

    error: Rate | float = LEVELS["medium"].error
    time: float | None = None
    """Seconds for each move, at most; by default `QUICKLY` for a level that errs, which needs no more, and `CAREFULLY`
    for one that does not."""
    seed: int | None = None
    nodes: int | None = None
    """Nodes for each move, in place of a time: with a seed the same moves on any machine, however busy it is."""
    name: str = field(init=False)
    searches = answers_cold = True

    def __post_init__(self) -> None:
        if not 0 <= self.error <= 1:
            raise BadInput(f"error={self.error:g}: how often a level errs is 0 to 1.")
        if self.nodes is not None and (self.nodes < 1 or self.time is not None):
            raise BadInput(f"nodes={self.nodes}, time={self.time}: a level has nodes, 1 or more, or a time, not both.")
        self._budget = self.time if self.time is not None else QUICKLY if self.error else CAREFULLY
        self.move_time: float | None = self._budget
        self._pace, self._chance = TimeControl(), "" if self.seed is None else f"{self.seed}"
        seed = "" if self.seed is None else f",seed={self.seed}"
        named = next((name for name, known in LEVELS.items() if known.error == self.error), f"error={self.error:g}")
        self.name = f"level:{named}{seed}{'' if self.nodes is None else f',nodes={self.nodes}'}"

    def prepare(self, position: Position) -> None:
        prepare(position)

    def reseed(self, seed: str) -> None:
        self._chance = f"{self.seed} {seed}"

    def set_time_control(self, control: TimeControl) -> None:
        self._pace = control

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        if self.nodes is not None:
            yield from self._thought(position, Limit(nodes=self.nodes), None)
            return
        budget = self._budget if seconds is None else min(self._budget, self._pace.share(seconds))
        if is_cold(position):
            budget = AT_ONCE if self.time is None else min(budget, AT_ONCE)
        else:
            self.prepare(position)
        yield from self._thought(position, Limit(time=budget * VALUES), perf_counter() + budget)

    def _thought(self, position: Position, limit: Limit, end: float | None) -> Iterator[Report]:
        """The reports within a limit, and at last one with the choice, found until the end, if there is one."""
        report, began, least = None, perf_counter(), 0.0
        for report in think(position, limit, every_move=True, table=LEVEL_TABLE, at_once=True):
            least = least or perf_counter() - began
            yield report
        assert report is not None
        choice = self._choice(position, report, end, least)
        line = report.variation if report.variation[:1] == (choice,) else (choice,)
        yield replace(report, score=dict(report.moves)[choice], variation=line)

    def choose(self, position: Position, seconds: float | None) -> int:
        return [report.move for report in self.think(position, seconds)][-1]

    def _choice(self, position: Position, report: Report, end: float | None, least: float) -> int:
        chance = random.Random(f"{self._chance} {position.history}" if self._chance else None)
        good, bad = sorted_out(position, report)
        if bad and chance.random() < self.error:
            weights = [NEARER**-rank for rank in range(len(bad))]
            return chance.choices(bad, weights)[0]
        return good[0] if len(good) == 1 else _hardest(position, chance.sample(good, len(good)), end, self.nodes, least)


def sorted_out(position: Position, report: Report) -> tuple[list[int], list[int]]:
    """The best moves, equal in value and distance, and those that give value away, the slightest mistake first.

    A win that takes longer is neither: it keeps the value, and is not as good.
    """
    mover = position.to_move
    good, scores = best_of(report.moves, mover), dict(report.moves)
    most = scores[good[0]].worth(mover)
    return good, [move for move in best_first(report.moves, mover) if scores[move].worth(mover) < most]


def _hardest(position: Position, moves: list[int], end: float | None, nodes: int | None, least: float) -> int:
    """Of equal moves the one that is hardest to answer, as far as they can be looked at in turn until the end, or each
    with its share of the nodes.

    No look begins that would end late: the first one takes `least` seconds, a further one as long as that before it.
    """
    most = TRAP_NODES if nodes is None else min(TRAP_NODES, max(nodes // len(moves), 1))
    found: list[tuple[float, int]] = []
    for place, move in enumerate(moves):
        began = perf_counter()
        left = None if end is None else end - began
        if left is not None and left <= least:
            break
        limit = Limit(nodes=most) if left is None else Limit(time=min(left, TRAP), nodes=most)
        found.append((_safety(position, move, limit), place))
        least = perf_counter() - began
    return moves[min(found)[1]] if found else moves[0]


def _safety(position: Position, move: int, limit: Limit) -> float:
    """The share of the opponent's replies that are right after a move: the lower, the more easily they go wrong."""
    after = position.play(move)
    if after.outcome is not None:
        return 0.0
    report = [*think(after, limit, every_move=True, table=1, at_once=True)][-1]
    _, bad = sorted_out(after, report)
    return 1 - len(bad) / len(report.moves)
