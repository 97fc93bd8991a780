"""Bounds for ratings that have no finite best fit, because one group took every point from another.

Numbers only, in natural units: logarithms of odds, one of which is 400 / ln 10 Elo.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Bound = Literal["", "≥", "≤", "?"]
"""Whether a rating is one, a lower bound, an upper bound, or nothing is known of it beside those it met."""
CLEAN, EVEN = 0.05, 0.5
"""How probable a clean score is at the bound, and where the player is shown, which is as likely too low as too high."""
FARTHEST = 700.0
"""No difference is taken for larger: beyond it exp overflows."""


def expected(ahead: float) -> float:
    """The share of the points that a player is expected to take who is so much stronger."""
    if ahead < 0:
        odds = math.exp(max(ahead, -FARTHEST))
        return odds / (1 + odds)
    return 1 / (1 + math.exp(-min(ahead, FARTHEST)))


def log_expected(ahead: float) -> float:
    """Its logarithm, also where the share itself would round to 0."""
    return min(ahead, 0.0) - math.log1p(math.exp(-abs(ahead)))


@dataclass(frozen=True)
class Meeting:
    """All that two players played with each other."""

    one: int
    other: int
    units: tuple[tuple[int, float, int], ...]
    """What is one observation each: games, the first one's points, and how often that came."""

    @cached_property
    def games(self) -> int:
        """All games."""
        return sum(games * times for games, _, times in self.units)

    @cached_property
    def points(self) -> float:
        """Points of the first player."""
        return sum(points * times for _, points, times in self.units)


@dataclass(frozen=True)
class Shift:
    """The shift of a class of players from their strengths among themselves, in natural units."""

    at: float = 0.0
    low: float = 0.0
    """The same for where their intervals begin; -inf where those have no end on that side."""
    high: float = 0.0
    bound: Bound = ""


_Leads = list[tuple[float, int]]
"""How far ahead a player was before being moved, and in how many games."""


@dataclass
class Placing:
    """Classes of players, who have finite ratings among themselves. Of two that met, one took every point."""

    meetings: list[Meeting]
    classes: list[int]
    """Of each player."""
    members: dict[int, list[int]]
    strengths: list[float]
    """Of each player, the mean of each class being 0."""
    swept: Mapping[tuple[int, int], int]
    """In how many games the first class took every point from the second."""

    def placed(self) -> dict[int, Shift]:
        """A place for every class. The largest of those that are connected stays where it is; then, from the nearest to
        the farthest, each of the others is put where its results with those that have a place leave it.
        """
        done: dict[int, Shift] = {}
        first = []
        while left := [found for found in self.members if found not in done]:
            near = [found for found in left if not done.keys().isdisjoint(self._above[found] | self._below[found])]
            if near:
                tops = {found for found in left if not done.keys().isdisjoint(self._below[found])}
                bottoms = {found for found in left if not done.keys().isdisjoint(self._above[found])}
                between = {one: len(self._below[one] & tops) + len(self._above[one] & bottoms) for one in near}
                nearest = min(near, key=lambda one: (between[one], one))
                done[nearest] = self._put(nearest, done)
            else:
                largest = max(left, key=lambda one: (len(self.members[one]), self._games[one], -one))
                done[largest] = Shift()
                first.append(largest)
        return done | {found: self._first(found, done) for found in first}

    @cached_property
    def _above(self) -> dict[int, set[int]]:
        """Who took every point from a class."""
        return {found: {one for one, other in self.swept if other == found} for found in self.members}

    @cached_property
    def _below(self) -> dict[int, set[int]]:
        """From whom a class took every point."""
        return {found: {other for one, other in self.swept if one == found} for found in self.members}

    @cached_property
    def _games(self) -> Counter[int]:
        games: Counter[int] = Counter()
        for each in self.meetings:
            for player in (each.one, each.other):
                games[self.classes[player]] += each.games
        return games

    def _first(self, found: int, done: Mapping[int, Shift]) -> Shift:
        """The class from which others were measured. One player alone is no better known than those are."""
        if len(self.members[found]) > 1:
            return Shift()
        won, lost, _, _ = self._results(found, done)
        low = _clean(won) if won else -math.inf
        high = -_clean(_turned(lost)) if lost else math.inf
        if not won and not lost:
            return Shift()
        return Shift(0.0, min(low, 0.0), max(high, 0.0), "" if won and lost else "≥" if won else "≤")

    def _put(self, found: int, done: Mapping[int, Shift]) -> Shift:
        """Where a class stands, by its results with those that have a place."""
        won, lost, below, above = self._results(found, done)
        at = _level(won, lost) if won and lost else _clean(won, EVEN) if won else -_clean(_turned(lost), EVEN)
        # above one that may itself stand anywhere lower, or below one that may stand anywhere higher, is nowhere
        low = _clean(won) if below - {"≤", "?"} else -math.inf
        high = -_clean(_turned(lost)) if above - {"≥", "?"} else math.inf
        bound: Bound = "≥" if low > -math.inf else "≤"
        if math.isinf(low) == math.isinf(high):
            bound = "?" if math.isinf(low) else ""
        return Shift(at, min(low, at), max(high, at), bound)

    def _results(self, found: int, done: Mapping[int, Shift]) -> tuple[_Leads, _Leads, set[Bound], set[Bound]]:
        """What a class won and lost with those that have a place, and what these places are, below it and above it."""
        won: _Leads = []
        lost: _Leads = []
        below: set[Bound] = set()
        above: set[Bound] = set()
        for each in self.meetings:
            one, other, points = each.one, each.other, each.points
            if self.classes[other] == found:
                one, other, points = other, one, each.games - points
            if self.classes[one] != found or self.classes[other] == found or self.classes[other] not in done:
                continue
            place = done[self.classes[other]]
            (won if points else lost).append((self.strengths[one] - self.strengths[other] - place.at, each.games))
            (below if points else above).add(place.bound)
        return won, lost, below, above


def _turned(lost: _Leads) -> _Leads:
    """As the others see it."""
    return [(-ahead, games) for ahead, games in lost]


def _clean(won: _Leads, probability: float = CLEAN) -> float:
    """The offset at which games, each with a lead before it, are all won with a probability."""
    from scipy import optimize

    def beyond(offset: float) -> float:
        return sum(games * log_expected(offset + ahead) for ahead, games in won) - math.log(probability)

    reach = max(abs(ahead) for ahead, _ in won) + 50
    return float(optimize.brentq(beyond, -reach, reach))


def _level(won: _Leads, lost: _Leads) -> float:
    """The offset at which the points are those that are expected."""
    from scipy import optimize

    def more(offset: float) -> float:
        should = sum(games * expected(offset + ahead) for ahead, games in (*won, *lost))
        return sum(games for _, games in won) - should

    reach = max(abs(ahead) for ahead, _ in (*won, *lost)) + 50
    return float(optimize.brentq(more, -reach, reach))
