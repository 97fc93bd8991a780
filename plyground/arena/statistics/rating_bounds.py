"""Bounds of ratings without a finite best fit, where one class of players took every point.

All ratings here are in natural units, logarithms of odds; one unit is 400 / ln 10 Elo.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from plyground.arena.statistics.numeric import root

Bound = Literal["", "≥", "≤", "?"]
"""Kind of a rating: an estimate (empty), a lower bound, an upper bound, or unknown relative to the rest."""
BOUND_PROBABILITY, SHOWN_PROBABILITY = 0.05, 0.5
"""Probability of winning every game at the bound of a rating, and at the rating that is shown for it."""
FARTHEST = 700.0
"""Largest difference of ratings that is computed with: beyond it exp overflows."""


def expected_share(ahead: float) -> float:
    """Expected share of the points, 0 to 1, of a player whose rating is higher by `ahead`."""
    if ahead < 0:
        # The exponent is never positive, so nothing overflows, and small shares keep all their digits.
        odds = math.exp(max(ahead, -FARTHEST))
        return odds / (1 + odds)
    return 1 / (1 + math.exp(-min(ahead, FARTHEST)))


def log_expected(ahead: float) -> float:
    """Logarithm of `expected_share`, exact also where the share itself would round to 0."""
    return min(ahead, 0.0) - math.log1p(math.exp(-abs(ahead)))


@dataclass(frozen=True)
class Meeting:
    """All games between two players."""

    one: int
    other: int
    units: tuple[tuple[int, float, int], ...]
    """Observations: the games in one, the first player's points in it, and how many such observations there are."""

    @cached_property
    def games(self) -> int:
        """Number of games."""
        return sum(games * times for games, _, times in self.units)

    @cached_property
    def points(self) -> float:
        """Points of the first player."""
        return sum(points * times for _, points, times in self.units)


@dataclass(frozen=True)
class Shift:
    """Shift to add to the ratings of a class of players, so that they can be compared with the other classes."""

    at: float = 0.0
    low: float = 0.0
    """Shift of the lower ends of their intervals; -inf where there is no lower bound."""
    high: float = 0.0
    """Shift of the upper ends; inf where there is no upper bound."""
    bound: Bound = ""


_Leads = list[tuple[float, int]]
"""Pairs of a difference of ratings before the shift and the number of games at it."""


@dataclass
class Placing:
    """Classes of players: within one, ratings are finite; of two classes that met, one took every point."""

    meetings: list[Meeting]
    classes: list[int]
    """Class of each player."""
    members: dict[int, list[int]]
    """Players of each class."""
    strengths: list[float]
    """Rating of each player within its class, whose mean is 0."""
    swept: Mapping[tuple[int, int], int]
    """Number of games in which the first class took every point from the second."""

    def place(self) -> dict[int, Shift]:
        """Shifts of all classes.

        The largest class of each connected component has shift 0. The others follow from the nearest to the farthest;
        each shift is estimated from the results against classes that have one already.
        """
        done: dict[int, Shift] = {}
        first = []
        while left := [found for found in self.members if found not in done]:
            # Only classes that met one already placed can be compared with it.
            near = [found for found in left if not done.keys().isdisjoint(self._above[found] | self._below[found])]
            if near:
                tops = {found for found in left if not done.keys().isdisjoint(self._below[found])}
                bottoms = {found for found in left if not done.keys().isdisjoint(self._above[found])}
                between = {one: len(self._below[one] & tops) + len(self._above[one] & bottoms) for one in near}
                nearest = min(near, key=lambda one: (between[one], one))
                done[nearest] = self._place_class(nearest, done)
            else:
                # The number breaks ties, so that equal results always give equal numbers.
                largest = max(left, key=lambda one: (len(self.members[one]), self._games[one], -one))
                done[largest] = Shift()
                first.append(largest)
        return done | {found: self._place_first(found, done) for found in first}

    @cached_property
    def _above(self) -> dict[int, set[int]]:
        """Classes that took every point from a class, by that class."""
        return {found: {one for one, other in self.swept if other == found} for found in self.members}

    @cached_property
    def _below(self) -> dict[int, set[int]]:
        """Classes from which a class took every point, by that class."""
        return {found: {other for one, other in self.swept if one == found} for found in self.members}

    @cached_property
    def _games(self) -> Counter[int]:
        games: Counter[int] = Counter()
        for each in self.meetings:
            for player in (each.one, each.other):
                games[self.classes[player]] += each.games
        return games

    def _place_first(self, found: int, done: Mapping[int, Shift]) -> Shift:
        """Shift of the class that was placed first; a class of one player has bounds, from its results."""
        if len(self.members[found]) > 1:
            return Shift()
        won, lost, _, _ = self._results(found, done)
        low = _sweep_shift(won) if won else -math.inf
        high = -_sweep_shift(_other_side(lost)) if lost else math.inf
        if not won and not lost:
            return Shift()
        return Shift(0.0, min(low, 0.0), max(high, 0.0), "" if won and lost else "≥" if won else "≤")

    def _place_class(self, found: int, done: Mapping[int, Shift]) -> Shift:
        """Shift of a class, from its results against the classes in `done`."""
        won, lost, below, above = self._results(found, done)
        # Results on both sides give an estimate; those on one side alone a bound, and a rating at which it is even
        # odds.
        at = (
            _even_shift(won, lost)
            if won and lost
            else _sweep_shift(won, SHOWN_PROBABILITY)
            if won
            else -_sweep_shift(_other_side(lost), SHOWN_PROBABILITY)
        )
        # a result against a class without a bound on that side gives none either
        low = _sweep_shift(won) if below - {"≤", "?"} else -math.inf
        high = -_sweep_shift(_other_side(lost)) if above - {"≥", "?"} else math.inf
        bound: Bound = "≥" if low > -math.inf else "≤"
        if math.isinf(low) == math.isinf(high):
            bound = "?" if math.isinf(low) else ""
        return Shift(at, min(low, at), max(high, at), bound)

    def _results(self, found: int, done: Mapping[int, Shift]) -> tuple[_Leads, _Leads, set[Bound], set[Bound]]:
        """Games that a class won and lost against the classes in `done`, and the bounds of those below and above it."""
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


def _other_side(lost: _Leads) -> _Leads:
    """The same games seen by the other side."""
    return [(-ahead, games) for ahead, games in lost]


def _sweep_shift(won: _Leads, probability: float = BOUND_PROBABILITY) -> float:
    """Shift at which all of these games are won with a given probability."""

    def beyond(offset: float) -> float:
        return sum(games * log_expected(offset + ahead) for ahead, games in won) - math.log(probability)

    # 50 natural units are 8,700 Elo: the sign has changed long before.
    reach = max(abs(ahead) for ahead, _ in won) + 50
    return root(beyond, -reach, reach)


def _even_shift(won: _Leads, lost: _Leads) -> float:
    """Shift at which the expected points equal the points taken."""

    def more(offset: float) -> float:
        should = sum(games * expected_share(offset + ahead) for ahead, games in (*won, *lost))
        return sum(games for _, games in won) - should

    reach = max(abs(ahead) for ahead, _ in (*won, *lost)) + 50
    return root(more, -reach, reach)
