"""Sequential probability ratio test (SPRT) of two players: a lead of elo1 against one of elo0.

It stops as soon as one is decided. It is the generalised test of fishtest, on pairs of games (pentanomial), with the
bounds in normalised Elo: M. Van den Bergh, "Comments on normalized Elo" (normalized_elo_practical.pdf at
www.cantate.be/Fishtest), and "The generalized maximum likelihood ratio for the expectation value of a distribution"
(support_MLE_multinomial.pdf). With `model="logistic"` the bounds are in Elo's own units instead, as in fishtest before
2021 and as fastchess has it by that name: then only the mean of a game's score is given, and the distribution follows
from section 1 of the second paper.

Normalised Elo is 347.4 = 800 / ln 10 times the mean lead of a game's score above 1/2 in standard deviations of that
score, as pairs show them. So a test with the same bounds takes about as many games however often games are drawn.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from plyground.arena.statistics.numeric import root
from plyground.arena.statistics.rating import NATURAL, NORMALISED
from plyground.errors import BadInput

Pentanomial = Sequence[int]
"""Numbers of pairs of games that brought 0, 1/2, 1, 3/2 and 2 points."""
Decision = Literal["H0", "H1"]
Model = Literal["normalised", "logistic"]
MODELS: tuple[Model, ...] = get_args(Model)
"""Units of the bounds of a test: normalised Elo, or (logistic) Elo."""
UNSEEN_COUNT = 1e-3
"""Count of a result that no pair has had yet, as in fishtest, so that no result has the probability 0."""
CONVERGED = 1e-9
"""Probabilities that differ by less count as equal."""
MOST_ITERATIONS = 100
MOST_NORMALISED = 200
"""Largest normalised Elo of a bound: from some 250 on, the turns in which `_likeliest` goes no longer come together."""


@dataclass(frozen=True)
class SPRT:
    """A test of H0, the first player is stronger by elo0, against H1, it is by elo1.

    >>> test = SPRT(0, 2)
    >>> round(test.llr([365, 16618, 36229, 16974, 390]), 2), test.decision([365, 16618, 36229, 16974, 390])
    (2.25, None)

    Raises:
        BadInput: elo0 is not below elo1, one is too large, a probability is not between 0 and 1/2, or there is no such
            model.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """Most probability that H1 is accepted though elo0 is the truth."""
    beta: float = 0.05
    """Most probability that H0 is accepted though elo1 is the truth."""
    model: Model = "normalised"
    """Unit of elo0 and elo1: `normalised` Elo, or `logistic`, which is Elo."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1 or math.isinf(self.elo1 - self.elo0):
            raise BadInput(f"SPRT from {self.elo0:g} to {self.elo1:g} Elo: the first is below the second, as in 0,5.")
        if self.model == "normalised" and max(-self.elo0, self.elo1) > MOST_NORMALISED:
            raise BadInput(
                f"SPRT from {self.elo0:g} to {self.elo1:g}: normalised Elo of a test is {MOST_NORMALISED} at most; "
                "--model logistic takes any Elo."
            )
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise BadInput(f"{name}={error:g}: the probability of a false decision is above 0 and below 0.5.")
        if self.model not in MODELS:
            raise BadInput(f"There is no model {self.model!r} of an SPRT: there are {' and '.join(MODELS)}.")

    @property
    def units(self) -> str:
        """The unit of elo0 and elo1, in words."""
        return "normalised Elo" if self.model == "normalised" else "Elo"

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio: H0 is accepted at the first, H1 at the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial: Pentanomial) -> float:
        """Log-likelihood ratio of the results, H1 against H0; 0 without results.

        Args:
            pentanomial: how many pairs brought the first player 0, 1/2, 1, 3/2 and 2 points.
        """
        if not any(pentanomial):
            return 0.0
        # Without it a result that no pair has had would have probability 0 under both hypotheses, and no logarithm.
        seen = [float(count or UNSEEN_COUNT) for count in pentanomial]
        pairs = sum(seen)
        found = [count / pairs for count in seen]
        if self.model == "logistic":
            zero, one = (_of_mean(found, 1 / (1 + math.exp(-elo / NATURAL))) for elo in (self.elo0, self.elo1))
        else:  # a pair's score has half a game's variance, so its lead in deviations is √2 times as large
            zero, one = (_likeliest(found, elo / NORMALISED * math.sqrt(2)) for elo in (self.elo0, self.elo1))
        return math.fsum(count * math.log(b / a) for count, a, b in zip(seen, zero, one, strict=True))

    def decision(self, pentanomial: Pentanomial) -> Decision | None:
        """The hypothesis accepted after these results; None while the test goes on."""
        low, high = self.bounds
        ratio = self.llr(pentanomial)
        return "H0" if ratio <= low else "H1" if ratio >= high else None


SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores of a pair, from 0 to 1."""


def _likeliest(found: list[float], lead: float) -> list[float]:
    """Maximum likelihood distribution of SCORES for `found` whose mean is `lead` deviations above 1/2.

    At the maximum each probability is found / (1 + θ·slope), with the slope of mean - 1/2 - lead·deviation in that
    probability; the slope depends on the distribution, so the two are found in turns (section 4.1 of the paper).
    """
    here = [1 / len(SCORES)] * len(SCORES)
    for _ in range(MOST_ITERATIONS):
        mean = sum(p * score for p, score in zip(here, SCORES, strict=True))
        deviation = math.sqrt(sum(p * (score - mean) ** 2 for p, score in zip(here, SCORES, strict=True)))
        # The derivative of mean - 1/2 - lead times deviation in each probability.
        slopes = [score - 0.5 - lead * deviation * (1 + ((score - mean) / deviation) ** 2) / 2 for score in SCORES]
        before, here = here, _tilt(found, slopes)
        if max(abs(one - other) for one, other in zip(before, here, strict=True)) < CONVERGED:
            break
    return here


def _of_mean(found: list[float], mean: float) -> list[float]:
    """Maximum likelihood distribution of SCORES for `found` with this mean (proposition 1.1)."""
    return _tilt(found, [score - mean for score in SCORES])


def _tilt(found: list[float], slopes: list[float]) -> list[float]:
    """The probabilities found / (1 + θ·slope) under which the mean slope is 0."""
    # 1 + θ·slope is above 0 for all, so θ lies between the poles of the first and the last
    nearest = CONVERGED / max(*slopes, *(-slope for slope in slopes))
    # The sum falls strictly between the poles, from plus to minus infinity: there is exactly one root.
    theta = root(
        lambda theta: sum(p * slope / (1 + theta * slope) for p, slope in zip(found, slopes, strict=True)),
        -1 / max(slopes) + nearest,
        -1 / min(slopes) - nearest,
    )
    return [p / (1 + theta * slope) for p, slope in zip(found, slopes, strict=True)]
