"""Elo ratings with intervals and likelihoods of superiority. Numbers only: no games, no names.

**The model** is Elo's own, which is Bradley and Terry's (1952): a player who is d Elo stronger is expected to take 1 /
(1 + 10^(-d/400)) of the points. A draw is half a point: that is the model of draws by Davidson (1970, "On extending the
Bradley-Terry model to accommodate ties in paired comparison experiments", JASA 65) with its tie parameter at 2, where a
game is worth two half games. With that parameter free, as in BayesElo with its `drawelo`, the meaning of one Elo would
change with how often games are drawn, and all pairs of players would be presumed to draw equally often; where a game
can be solved, the perfect draw every game with each other and win the others. Ratings are the maximum of the likelihood
over all pairings at once, where what the model expects each player to have scored is what it has scored.

**The intervals** do not believe the model where the results contradict it. Two games of one opening with the sides
swapped are not independent, and draws scatter less than wins and losses, so the covariance is the sandwich A⁻¹BA⁻¹
(White 1982; Liang and Zeger 1986), in which a pair of games is one observation: for two players that is the variance of
fishtest's pentanomial. A is Fisher's information. B is the sum of what each pair is off, squared. The fit has come near
each pair, so one with leverage h seems to be less off than it is: it gets h times the model's own variance on top. That
makes B right on average where the model holds, and leaves no interval empty where all pairs ended alike. By simulation
94 to 99 of 100 such intervals hold the truth, from three pairs on; without that addition it is 76 to 94.

**Without one point lost, or taken,** there is no maximum: any larger difference explains it better. Such a player, or a
group that took every point from all others (Ford 1957), has a bound instead: the Elo at which so clean a score would
come with a probability of 5 %, were the opponents as strong as shown, which is not known of those that have bounds
themselves; it is stronger than that (≥), or weaker (≤). It stands where that probability is a half, which is as likely
too low as too high.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plyground.arena.statistics.numeric import Laplacian, Matrix, laplacian, normal, product, strong_components
from plyground.arena.statistics.rating_bounds import Bound, Meeting, Placing, expected_share, log_expected

Unit = tuple[int, int, int, float]
"""One observation: two players, its number of games (2 of one opening, sides swapped, or 1), and the first one's
points.
"""
NATURAL = 400 / math.log(10)
"""Elo in one unit of the logarithm of odds."""
NORMALISED = 2 * NATURAL
"""Normalised Elo in one standard deviation of a game's score, by Van den Bergh; see `sprt`."""
Z95 = 1.959963984540054
"""Standard deviations that hold 95 % of a normal distribution on both sides."""
FIT_STEPS = 100
FIT_CLOSE = 1e-10
"""Points off, as a share of the most games of two players, at which a fit is good."""
FIT_REACH = 5.0
"""Longest step of a rating, in natural units: where most points go one way, Newton's parabola reaches too far."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of some players, in their order."""

    elo: tuple[float, ...]
    """Maximum likelihood estimates; where there is no maximum, the rating at which a clean score has probability 1/2.
    The mean of a group is 0.
    """
    low: tuple[float, ...]
    """Lower ends of the intervals of 95 %; -inf where there is none."""
    high: tuple[float, ...]
    bound: tuple[Bound, ...]
    """Kinds of the ratings: empty with a maximum; else a rating is at least `low` (≥), or at most `high` (≤)."""
    group: tuple[int, ...]
    """Number of each player's group: no games connect two groups, so their ratings cannot be compared."""
    classes: tuple[int, ...]
    """Players of one class have taken points from each other, maybe by way of others: their differences are finite."""
    covariance: Mapping[tuple[int, int], float]
    """Covariances in square Elo, by two players of one class, of ratings whose mean in that class is 0."""
    swept: Mapping[tuple[int, int], int]
    """Number of games in which the first class took every point from the second, by two classes."""

    def deviation(self, one: int, other: int) -> float:
        """The standard deviation of the difference of two players in Elo; infinite where only a bound is known."""
        if self.classes[one] != self.classes[other]:
            return math.inf
        found = self.covariance
        return math.sqrt(max(0.0, found[one, one] + found[other, other] - 2 * found[one, other]))

    def superiority(self, one: int, other: int) -> float | None:
        """The likelihood that one player is stronger than another (LOS), 0 to 1; None where nothing tells.

        Where one has taken every point of n games it is 1 - 2^-(n+1): what is left of a uniform prior on the expected
        score above 1/2.
        """
        if self.classes[one] == self.classes[other]:
            deviation = self.deviation(one, other)
            return normal((self.elo[one] - self.elo[other]) / deviation) if deviation else 0.5
        won = self.swept.get((self.classes[one], self.classes[other]), 0)
        lost = self.swept.get((self.classes[other], self.classes[one]), 0)
        if won or lost:
            return 1 - 0.5 ** (won + 1) if won else 0.5 ** (lost + 1)
        return None


def ratings(players: int, results: Mapping[Unit, int] | Iterable[Unit]) -> Ratings:
    """The ratings of some players.

    >>> found = ratings(2, {(0, 1, 2, 2.0): 10, (0, 1, 2, 1.0): 20, (0, 1, 2, 0.0): 5})
    >>> [round(each) for each in found.elo], round(found.superiority(0, 1), 2)
    ([25, -25], 0.9)

    Args:
        players: how many there are; they are numbers from 0.
        results: the observations, and how often each came.
    """
    return _Fit(players, Counter(results)).ratings()


@dataclass(frozen=True)
class Duel:
    """Statistics of two players by their games with each other alone, for the first against the second."""

    games: int
    points: float
    elo: float
    """Lead of the first in Elo; see `Ratings.elo`."""
    low: float
    """Lower end of the interval of 95 %."""
    high: float
    bound: Bound
    superiority: float
    """The likelihood that the first is stronger, 0 to 1."""
    normalised: float | None
    """Normalised Elo (see `sprt`); None where all pairs brought the same."""
    margin: float
    """Half the width of the 95 % interval of the normalised Elo."""


def duel(results: Mapping[Unit, int]) -> Duel | None:
    """The lead of player 0 over player 1; None without a game.

    >>> counts = {(0, 1, 2, 2.0): 75, (0, 1, 2, 1.5): 64, (0, 1, 2, 1.0): 63, (0, 1, 2, 0.5): 54, (0, 1, 2, 0.0): 34}
    >>> found = duel(counts)
    >>> f"{found.elo:.2f} ± {found.high - found.elo:.2f}, normalised {found.normalised:.2f} ± {found.margin:.2f}"
    '55.58 ± 27.64, normalised 57.94 ± 28.28'
    """
    scores = [
        (games, points if one == 0 else games - points, times) for (one, _, games, points), times in results.items()
    ]
    games = sum(games * times for games, _, times in scores)
    if not games:
        return None
    found = ratings(2, results)
    total = sum(points * times for _, points, times in scores)
    elo, wide, bound = found.elo[0] - found.elo[1], Z95 * found.deviation(0, 1), found.bound[0]
    low, high = (found.low[0] - found.elo[1], found.high[0] - found.elo[1]) if bound else (elo - wide, elo + wide)
    share = total / games
    # The variance of a game as pairs show it: half of what a pair varies, so dependent sides are in it.
    scatter = sum(times * (points - games * share) ** 2 for games, points, times in scores) / games
    return Duel(
        games,
        total,
        elo,
        low,
        high,
        bound,
        found.superiority(0, 1) or 0.0,
        NORMALISED * (share - 0.5) / math.sqrt(scatter) if scatter else None,
        Z95 * NORMALISED / math.sqrt(games),
    )


class _Fit:
    """The fit of ratings to the scores of players."""

    def __init__(self, players: int, results: Mapping[Unit, int]) -> None:
        self.players = players
        met: dict[tuple[int, int], list[tuple[int, float, int]]] = {}
        for (one, other, games, points), times in results.items():
            if one < other:
                met.setdefault((one, other), []).append((games, points, times))
            else:
                met.setdefault((other, one), []).append((games, games - points, times))
        self.meetings = [Meeting(*pair, tuple(units)) for pair, units in met.items()]

    def ratings(self) -> Ratings:
        took = [(each.one, each.other) for each in self.meetings if each.points > 0]
        # An edge is "took a point from". Within a strong component every difference is finite (Ford 1957).
        took += [(each.other, each.one) for each in self.meetings if each.points < each.games]
        classes = strong_components(self.players, took)
        group = strong_components(self.players, [*took, *((other, one) for one, other in took)])
        members: dict[int, list[int]] = {}
        for player, found in enumerate(classes):
            members.setdefault(found, []).append(player)
        natural, covariance = [0.0] * self.players, dict[tuple[int, int], float]()
        for inside in members.values():
            strengths, matrix = self._fit_ratings(inside)
            for one, strength, row in zip(inside, strengths, matrix, strict=True):
                natural[one] = strength
                covariance |= {(one, other): NATURAL**2 * each for other, each in zip(inside, row, strict=True)}
        swept = self._swept(classes)
        bound: list[Bound] = [""] * self.players
        elo, low, high = ([0.0] * self.players for _ in range(3))
        for found, place in Placing(self.meetings, classes, members, natural, swept).place().items():
            for player in members[found]:
                wide = Z95 * math.sqrt(max(0.0, covariance[player, player]))
                elo[player] = NATURAL * (natural[player] + place.at)
                low[player] = NATURAL * (natural[player] + place.low) - wide
                # Both uncertainties add: that within the class, and that of the class among the others.
                high[player] = NATURAL * (natural[player] + place.high) + wide
                bound[player] = place.bound
        # Mean 0 in each group, because nothing says how two groups compare.
        for number in set(group):
            inside = [player for player in range(self.players) if group[player] == number]
            middle = sum(elo[player] for player in inside) / len(inside)
            for each in (elo, low, high):
                for player in inside:
                    each[player] -= middle
        return Ratings(
            tuple(elo), tuple(low), tuple(high), tuple(bound), tuple(group), tuple(classes), covariance, swept
        )

    def _swept(self, classes: list[int]) -> dict[tuple[int, int], int]:
        swept: Counter[tuple[int, int]] = Counter()
        for each in self.meetings:
            one, other = classes[each.one], classes[each.other]
            if one != other:
                swept[(one, other) if each.points else (other, one)] += each.games
        return dict(swept)

    def _fit_ratings(self, inside: list[int]) -> tuple[list[float], Matrix]:
        """The ratings of a class, of mean 0 in natural units, and their covariance."""
        if len(inside) == 1:
            return [0.0], [[0.0]]
        number = {player: at for at, player in enumerate(inside)}
        meetings = [
            (number[each.one], number[each.other], each)
            for each in self.meetings
            if each.one in number and each.other in number
        ]
        size = len(inside)
        strengths = _likeliest(size, meetings)
        # A⁻¹ of the sandwich. The information is singular, as ratings have no origin: hence the pseudo-inverse.
        bread = Laplacian(_information(strengths, meetings)).pseudo_inverse()

        def scatter(one: int, other: int, met: Meeting) -> float:
            """Squared residuals of the meeting's pairs, each with the share that the fit has absorbed."""
            at = expected_share(strengths[one] - strengths[other])
            reach = bread[one][one] + bread[other][other] - 2 * bread[one][other]
            total = 0.0
            for games, points, times in met.units:
                variance = games * at * (1 - at)
                # The leverage h of a pair is variance times reach; h times the variance is what its residual lacks on
                # average.
                total += times * ((points - games * at) ** 2 + variance * reach * variance)
            return total

        filling = laplacian(size, ((one, other, scatter(one, other, met)) for one, other, met in meetings))
        return strengths, product(product(bread, filling), bread)


_Meetings = Sequence[tuple[int, int, Meeting]]
"""Meetings of a class, each with the numbers of its two players in that class."""


def _likeliest(size: int, meetings: _Meetings) -> list[float]:
    """The ratings of mean 0 under which the results are likeliest, by Newton's method: the likelihood is concave, and
    within a class it has a maximum.
    """
    here = [0.0] * size
    most = max(met.games for _, _, met in meetings)
    for _ in range(FIT_STEPS):
        slope = [0.0] * size
        for one, other, met in meetings:
            more = met.points - met.games * expected_share(here[one] - here[other])
            slope[one] += more
            slope[other] -= more
        if max(map(abs, slope)) <= FIT_CLOSE * most:
            break
        # Newton's step. Elo's information is a graph's Laplacian: no general solver is needed.
        step = Laplacian(_information(here, meetings)).solve(slope)
        reach = min(1.0, FIT_REACH / max(map(abs, step)))
        before, gain = _log_likelihood(here, meetings), sum(map(float.__mul__, step, slope))
        while True:  # half as far, until it gains what a concave function must
            there = [each + reach * more for each, more in zip(here, step, strict=True)]
            # Armijo's rule (1966) with c = 1e-4.
            if _log_likelihood(there, meetings) >= before + 1e-4 * reach * gain or reach < FIT_CLOSE:
                break
            reach /= 2
        here = there
    return here


def _log_likelihood(strengths: Sequence[float], meetings: _Meetings) -> float:
    total = 0.0
    for one, other, met in meetings:
        ahead = strengths[one] - strengths[other]
        total += met.points * log_expected(ahead) + (met.games - met.points) * log_expected(-ahead)
    return total


def _information(strengths: Sequence[float], meetings: _Meetings) -> Matrix:
    """Fisher's information of the ratings."""
    shares = (
        (one, other, met.games, expected_share(strengths[one] - strengths[other])) for one, other, met in meetings
    )
    return laplacian(len(strengths), ((one, other, games * at * (1 - at)) for one, other, games, at in shares))
