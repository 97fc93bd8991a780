"""A player that errs like a person: mostly right, sometimes wrong, and stubborn when it is losing.

Its strength is one number, the error rate: how often it plays a move that gives value away although another keeps it.
Values are exact where the search sees to the end, else those of the deepest search. At error 0 it never gives away a
value that it can see, so it is perfect where the game is solved within its time.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import NamedTuple, Protocol

from plyground.compiled.clock import Limit
from plyground.engine.report import Report
from plyground.engine.run import prepare
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.in_pages import in_pages
from plyground.play.player import Player
from plyground.play.time_control import TimeControl
from plyground.position import Position
from plyground.score import best_first, best_of
from plyground.text import decimal_number

# Its mistakes need no more: with 60 ms it won 73 and drew 4 of 160 games of Connect Four against the one with 45.
ERRING_SECONDS, BEST_SECONDS = 0.045, 1.0
"""Seconds for a move of a level that errs, where people wait for each reply, and of one that is at its best."""
VALUES_SHARE = 0.7
"""Share of its time in which a level searches the moves' values; the rest is for traps among equal moves."""
TRAP_SECONDS, MOST_TRAP_NODES = 0.2, 4_000
"""Seconds and nodes, at most, to look at each of several equal moves for the one that is hardest to answer."""
LEVEL_TABLE = 8
"""Mebibytes for a search's table: a larger one takes longer to make than such a search to run."""
NEARER = 2
"""A mistake is this many times as likely as the next worse one: people rather slip than blunder."""


class Strength(NamedTuple):
    """A level that has a name."""

    title: str
    """Name on the page, in words for children too."""
    error: float
    """Error rate: share of the positions in which it gives value away, of those where it can."""


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
    """Error rate of a level, 0 to 1, from a number or the name of a level."""

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
    """Seconds for each move, at most; by default `ERRING_SECONDS` for a level that errs, which needs no more, and
    `BEST_SECONDS` for one that does not."""
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
        self._budget = self.time if self.time is not None else seconds_for(self.error)
        self.move_time: float | None = self._budget
        self._pace, self._chance = TimeControl(), "" if self.seed is None else f"{self.seed}"
        seed = "" if self.seed is None else f",seed={self.seed}"
        named = next((name for name, known in LEVELS.items() if known.error == self.error), f"error={self.error:g}")
        self.name = f"level:{named}{seed}{'' if self.nodes is None else f',nodes={self.nodes}'}"

    def prepare(self, position: Position) -> None:
        prepare(position)

    def reseed(self, seed: str) -> None:
        # The level's own seed stays in: with another one the same game of an arena goes another way.
        self._chance = f"{self.seed} {seed}"

    def set_time_control(self, control: TimeControl) -> None:
        self._pace = control

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        if self.nodes is not None:
            yield from self._think_reports(position, None)
            return
        budget = self._budget if seconds is None else min(self._budget, self._pace.share(seconds))
        self.prepare(position)
        yield from self._think_reports(position, budget)

    def settle(self, position: Position, known: Report) -> Report:
        """Report of its choice by scores that are known, without a search; equal moves are chosen among by chance."""
        *_, settled = think_as_level(position, self.error, 0.0, None, _KnownScores(known), self._seed_chance(position))
        return settled

    def _think_reports(self, position: Position, seconds: float | None) -> Iterator[Report]:
        return think_as_level(position, self.error, seconds, self.nodes, _EngineScores(), self._seed_chance(position))

    def _seed_chance(self, position: Position) -> "_SeededChance":
        # With the moves that led here: the same position met again in one game may get another move, the same game
        # never.
        return _SeededChance(f"{self._chance} {position.history}" if self._chance else None)

    def choose(self, position: Position, seconds: float | None) -> int:
        return [report.move for report in self.think(position, seconds)][-1]


@dataclass
class _KnownScores:
    """A `LevelSearch` that searches nothing: it gives a report that is known."""

    report: Report

    def looks(self, position: Position, seconds: float | None, nodes: int | None, table: int) -> Iterator[Report]:
        yield self.report


class _EngineScores:
    """The `LevelSearch` of the engine."""

    def looks(self, position: Position, seconds: float | None, nodes: int | None, table: int) -> Iterator[Report]:
        return think(position, Limit(nodes=nodes, time=seconds), every_move=True, table=table)


class _SeededChance(random.Random):
    """The `LevelChance` of Python's generator."""

    def reorder(self, moves: Sequence[int]) -> list[int]:
        return self.sample(moves, len(moves))


# -- how a level chooses; the page's worker has the same -------------------------------------------------------------


@in_pages
class LevelSearch(Protocol):
    """The search that a level looks with."""

    def looks(self, position: Position, seconds: float | None, nodes: int | None, table: int) -> Iterator[Report]:
        """Deeper and deeper looks at every move, within seconds, nodes and mebibytes for a table; at least one."""
        raise NotImplementedError


@in_pages
class LevelChance(Protocol):
    """Chance; the same again for the same seed and position."""

    def random(self) -> float:
        """A number from 0 below 1."""
        raise NotImplementedError

    def reorder(self, moves: Sequence[int]) -> list[int]:
        """The same moves in another order."""
        raise NotImplementedError


@in_pages
def seconds_for(error: float) -> float:
    """Default seconds for each move of a level."""
    return ERRING_SECONDS if error > 0 else BEST_SECONDS


@in_pages
def think_as_level(
    position: Position,
    error: float,
    seconds: float | None,
    nodes: int | None,
    search: LevelSearch,
    chance: LevelChance,
) -> Iterator[Report]:
    """Reports of a level as it thinks, the last one with its choice.

    Args:
        position: what to think about.
        error: how often it errs.
        seconds: for all of that; None where nodes are the limit.
        nodes: for the values of the moves, and about as many to tell equal ones apart.
        search: what it looks with.
        chance: what it errs by.
    """
    began, least = perf_counter(), 0.0
    last: list[Report] = []
    # Two parts of the time: values first, for a mistake must be one; then the trap, for which any time will do.
    for found in search.looks(position, None if seconds is None else seconds * VALUES_SHARE, nodes, LEVEL_TABLE):
        # Seconds to the first report: `_pick_hardest` begins no look for which less is left.
        least = least or perf_counter() - began
        last = [found]
        yield found
    report = last[0]
    good, bad = split_moves(position, report)
    # The rate is of positions in which a mistake is possible at all; where all moves are equal none is made.
    if len(bad) > 0 and chance.random() < error:
        choice = _pick_mistake(bad, chance)
    elif len(good) == 1:
        choice = good[0]
    else:
        end = None if seconds is None else began + seconds
        choice = _pick_hardest(position, chance.reorder(good), end, nodes, least, search)
    # The variation of the search begins with its best move; after another choice it would be false.
    line = report.variation if report.variation[:1] == (choice,) else (choice,)
    yield replace(report, score=dict(report.moves)[choice], variation=line)


@in_pages
def _pick_mistake(moves: Sequence[int], chance: LevelChance) -> int:
    """Draw one of several mistakes, the slightest first: each is `NEARER` times as likely as the next worse one."""
    # Weights 1, 1/2, 1/4 and so on; the same additions in the same order in Python and in a page.
    sums, weight = [0.0], 1.0
    while len(sums) <= len(moves):
        sums.append(sums[-1] + weight)
        weight = weight / NEARER
    drawn, place = chance.random() * sums[-1], 0
    while drawn >= sums[place + 1] and place + 1 < len(moves):
        place += 1
    return moves[place]


@in_pages
def split_moves(position: Position, report: Report) -> tuple[list[int], list[int]]:
    """The best moves, equal in value and distance, and those that give value away, the slightest mistake first.

    A win that takes longer is neither: it keeps the value, and is not as good.
    """
    mover = position.to_move
    good, scores = best_of(report.moves, mover), dict(report.moves)
    most = scores[good[0]].worth(mover)
    return good, [move for move in best_first(report.moves, mover) if scores[move].worth(mover) < most]


@in_pages
def _pick_hardest(
    position: Position, moves: Sequence[int], end: float | None, nodes: int | None, least: float, search: LevelSearch
) -> int:
    """Of equal moves the one that is hardest to answer, as far as they can be looked at in turn until the end, or each
    with its share of the nodes.

    No look begins that would end late: the first one takes `least` seconds, a further one as long as that before it.
    """
    # About as many nodes for all traps as for the values, so a level in nodes takes about twice its nodes.
    most = MOST_TRAP_NODES if nodes is None else min(MOST_TRAP_NODES, max(nodes // len(moves), 1))
    # 2 is above every share: the first look always decides; without time for one, the first of the shuffled moves.
    choice, safest = moves[0], 2.0
    for move in moves:
        began = perf_counter()
        if end is not None and end - began <= least:
            break
        safety = _share_of_right_replies(
            position.after(move), None if end is None else min(end - began, TRAP_SECONDS), most, search
        )
        if safety < safest:
            choice, safest = move, safety
        least = perf_counter() - began
    return choice


@in_pages
def _share_of_right_replies(after: Position, seconds: float | None, nodes: int, search: LevelSearch) -> float:
    """The share of the opponent's replies that are right after a move: the lower, the more easily they go wrong."""
    if after.outcome is not None:
        return 0.0
    report = [*search.looks(after, seconds, nodes, 1)][-1]
    return 1 - len(split_moves(after, report)[1]) / len(report.moves)
