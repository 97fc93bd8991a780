"""Chances: expected results by static evaluations, from curves that were fitted to played games.

The expected result of the first player is 1 / (1 + exp(-(lean + slope * points))), as in the rating of players
(Bradley and Terry 1952), with a lean and a slope for each phase of each game. A phase is a range of the part of the
board that is occupied, which every game can be asked. `arena/statistics/curves.py` fits the curves, and
`scripts/chances.py` writes `data/chances.json`; an estimate of a game without a curve stays a number of points.
"""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files
from math import exp
from typing import Any, Final, NamedTuple

from plyground.games import AnyGame, game_named
from plyground.in_pages import in_pages
from plyground.learning.learned_rules import LOGIT, Learned
from plyground.rules import board_of
from plyground.score import Chance, Score


class Phase(NamedTuple):
    """Phase of a game with its logistic curve, from the first player's side."""

    most: float
    """Occupied part of the board up to which the phase lasts, 0 to 1."""
    lean: float
    """Logit of the first player's chance at 0 points."""
    slope: float
    """Logit for each point."""

    def share(self, points: int) -> float:
        """Expected result of the first player, 0 to 1; four decimals, so that every platform says the same."""
        return share_of(self, points)


# Half a percent: percents are shown without decimals.
LEAST_SHOWN_LEAD: Final = 0.005
"""A lead of chance that no whole percent shows."""
Curve = tuple[Phase, ...]
"""The phases of a game by rising `most`."""


@in_pages
def share_of(phase: tuple[float, float, float], points: int) -> float:
    """Expected result of the first player in a phase, 0 to 1."""
    # The logit is kept within 30, where the chance is 1 to thirteen digits, so that `exp` does not overflow for a wild
    # estimate.
    return round(1 / (1 + exp(-max(-30.0, min(30.0, phase[1] + phase[2] * points)))), 4)


def occupancy(game: AnyGame, state: Any) -> float:
    """Part of the places of a board on which something stands, 0 to 1; 0 without a board."""
    return occupied_share_of_board([*game.stands(state)], len(board_of(game).places))


@in_pages
def occupied_share_of_board(stands: Sequence[int], places: int) -> float:
    """Occupied part of a board, 0 to 1, by `Game.stands`, whose ints after those of the places are left out."""
    return len([number for number in stands[:places] if number != 0]) / max(places, 1)


@in_pages
def phase_of(curve: Sequence[tuple[float, float, float]], part: float) -> tuple[float, float, float]:
    """The phase of a position, by the occupied part of its board."""
    return next((phase for phase in curve if part <= phase[0]), curve[-1])


@in_pages
def chance_of(
    curve: Sequence[tuple[float, float, float]], part: float, unit: tuple[str, int], points: int
) -> Chance | None:
    """Chance by an estimate; None without a curve. The amount is left out where it would seem to say another thing than
    the chance: in some phases the side that is to move, or has moved first, is ahead at 0 points."""
    if not curve:
        return None
    share = share_of(phase_of(curve, part), points)
    # Positive where the amount, as it is shown, and the chance favour the same side.
    ahead = round(points / unit[1], 1) * (share - 0.5)
    return Chance(share, amount_in_unit(unit, points) if ahead > 0 or abs(share - 0.5) < LEAST_SHOWN_LEAD else "")


@lru_cache(maxsize=256, typed=True)
def curve_of(game: AnyGame) -> Curve:
    """The curve of a game; that of the usual board for other options of the same game. Empty if none was fitted.

    A learned evaluation is a logit itself.
    """
    if isinstance(game, Learned):
        # A learned evaluation has 1 / (1 + exp(-2 × points / `LOGIT`)) as the chance of x in every phase.
        return (Phase(1.0, 0.0, 2 / LOGIT),)
    same_rules: Curve = ()
    for spec, curve in _curves().items():
        known = game_named(spec)
        if known == game:
            return curve
        if type(known) is type(game):
            # A curve of another size of the board is nearer to the truth than none.
            same_rules = same_rules or curve
    return same_rules


@lru_cache(maxsize=1)
def _curves() -> dict[str, Curve]:
    """The fitted curves by the specs of their games."""
    text = (files("plyground") / "data" / "chances.json").read_text(encoding="utf-8")
    return {spec: tuple(Phase(*phase) for phase in found["phases"]) for spec, found in json.loads(text).items()}


@in_pages
def amount_in_unit(unit: tuple[str, int], points: int) -> str:
    """Points in a game's own unit, positive when good for the first player: `+0.4 pawns`, `-3 seeds`, `0.0 pawns`."""
    name, size = unit
    if size == 1:
        return f"{points:+d} {name}" if points else f"0 {name}"
    value = round(points / size, 1)
    sign = "-" if value < 0 else "+" if value > 0 else ""
    return f"{sign}{abs(value):.1f} {name}"


def chance_adder(game: AnyGame, state: Any) -> Callable[[Score], Score]:
    """Function that adds chances to the estimates of a search from a state; other scores stay as they are."""
    if not (curve := curve_of(game)):
        return lambda score: score
    part, unit = occupancy(game, state), game.unit

    def read(score: Score) -> Score:
        if score.points is None:
            return score
        return Score(points=score.points, chance=chance_of(curve, part, unit, score.points))

    return read
