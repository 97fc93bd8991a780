"""Curves of chances, fitted to played games: from an estimate to the expected result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log

from plyground.engine.chances import Phase

PHASE_COUNT = 3
"""Phases of a game, with as many samples in each."""
LEAN_PRIOR, SLOPE_PRIOR = 100.0, 4.0
"""Strengths of the priors: as many samples' worth of weight pull the lean and the slope towards 0, so that few games
make no even position lean to a side, and no steep curve. Points are counted in their standard deviation for this."""
NEWTON_STEPS = 50
"""Most steps of Newton's method; it takes about eight."""


@dataclass(frozen=True)
class Sample:
    """A position of a played game, with the estimate of a search and the result of the game."""

    part: float
    """Occupied part of its board, 0 to 1."""
    points: int
    """Estimate of the search, from the first player's side."""
    result: float
    """1 if the first player won, 1/2 for a draw, else 0."""


def curve(samples: Sequence[Sample]) -> tuple[Phase, ...]:
    """The phases of a game with their fitted curves; none without samples."""
    parts = sorted(sample.part for sample in samples)
    # Quantiles and not equal parts of the board: each phase needs samples for its fit.
    cuts = [len(parts) * phase // PHASE_COUNT for phase in range(1, PHASE_COUNT)]
    edges = sorted({round((parts[cut - 1] + parts[cut]) / 2, 3) for cut in cuts if 0 < cut < len(parts)})
    groups = [
        (most, [sample for sample in samples if least < sample.part <= most])
        for least, most in pairwise([-1.0, *edges, 2.0])
    ]
    phases = [_fit_phase(most, group) for most, group in groups if group]
    return (*phases[:-1], phases[-1]._replace(most=1.0)) if phases else ()


def _fit_phase(most: float, samples: Sequence[Sample]) -> Phase:
    """Maximum a posteriori of the logistic curve, by Newton's method."""
    # In units of their spread, so that one prior fits games whose points differ by a factor of a thousand.
    size = (sum(sample.points**2 for sample in samples) / len(samples)) ** 0.5 or 1.0
    lean = slope = 0.0
    for _ in range(NEWTON_STEPS):
        # A quarter is the curvature that one sample adds at an even chance, p (1 - p).
        gain = [-LEAN_PRIOR / 4 * lean, -SLOPE_PRIOR / 4 * slope]
        bend = [LEAN_PRIOR / 4, 0.0, SLOPE_PRIOR / 4]
        for sample in samples:
            x = sample.points / size
            share = _share(lean + slope * x)
            # Above 0, or a curve that explains everything would divide by 0.
            weight = max(share * (1 - share), 1e-9)
            gain[0] += sample.result - share
            gain[1] += (sample.result - share) * x
            bend[0] += weight
            bend[1] += weight * x
            bend[2] += weight * x * x
        scale = bend[0] * bend[2] - bend[1] ** 2
        steps = (bend[2] * gain[0] - bend[1] * gain[1]) / scale, (bend[0] * gain[1] - bend[1] * gain[0]) / scale
        lean, slope = lean + steps[0], slope + steps[1]
        if max(map(abs, steps)) < 1e-9:
            break
    # A negative slope would mean that good estimates lose: then the estimate tells nothing.
    return Phase(most, round(lean, 3), _round_digits(max(slope, 0.0) / size))


def _share(logit: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, logit))))


def _round_digits(number: float) -> float:
    """Three significant digits."""
    return float(f"{number:.3g}")


def log_loss(phases: Sequence[Phase], samples: Sequence[Sample]) -> float:
    """Mean log loss of a curve on samples, in nats: log 2, 0.693, for one that knows nothing."""
    losses = [*_losses(phases, samples)]
    return sum(losses) / len(losses)


def _losses(phases: Sequence[Phase], samples: Sequence[Sample]) -> Iterator[float]:
    for sample in samples:
        phase = next((phase for phase in phases if sample.part <= phase.most), phases[-1])
        # One wrong certainty would make the mean infinite.
        share = min(max(phase.share(sample.points), 1e-4), 1 - 1e-4)
        yield -sample.result * log(share) - (1 - sample.result) * log(1 - share)
