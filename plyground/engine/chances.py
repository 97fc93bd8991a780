"""Chances: what an estimate means for the result, by a curve that was fitted to played games.

The expected result of the first player is 1 / (1 + exp(-(lean + slope * points))), as in the rating of players
(Bradley and Terry 1952), with a lean and a slope for each phase of each game. A phase is a range of the part of the
board that is occupied, which every game can be asked. `arena/statistics/curves.py` fits the curves, and
`scripts/chances.py` writes `data/chances.json`; an estimate of a game without a curve stays a number of points.
"""

import json
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from math import exp
from typing import Any, NamedTuple

from plyground.games import AnyGame, game_named
from plyground.learning.learned import LOGIT, Learned
from plyground.rules import board_of
from plyground.score import Chance, Score


class Phase(NamedTuple):
    """A part of a game in which one curve holds."""

    most: float
    """Occupied part of the board up to which the phase lasts, 0 to 1."""
    lean: float
    """Logit of the first player's chance at 0 points."""
    slope: float
    """Logit for each point."""

    def share(self, points: int) -> float:
        """Expected result of the first player, 0 to 1; four decimals, so that every platform says the same."""
        return round(1 / (1 + exp(-max(-30.0, min(30.0, self.lean + self.slope * points)))), 4)


Curve = tuple[Phase, ...]
"""The phases of a game by rising `most`."""


def occupied(game: AnyGame, state: Any) -> float:
    """Part of the places of a board on which something stands, 0 to 1; 0 without a board."""
    places = len(board_of(game).places)
    if not places:
        return 0.0
    standing = [number for number, _ in zip(game.stands(state), range(places), strict=False)]
    return sum(number != 0 for number in standing) / places


def phase_of(curve: Curve, part: float) -> Phase:
    """The phase of a position, by the occupied part of its board."""
    return next((phase for phase in curve if part <= phase.most), curve[-1])


@lru_cache(maxsize=256, typed=True)
def curve_of(game: AnyGame) -> Curve:
    """The curve of a game; that of the usual board for other options of the same game. Empty if none was fitted.

    A learned evaluation is a logit itself.
    """
    if isinstance(game, Learned):
        return (Phase(1.0, 0.0, 2 / LOGIT),)
    same_rules: Curve = ()
    for spec, curve in _curves().items():
        known = game_named(spec)
        if known == game:
            return curve
        if type(known) is type(game):
            same_rules = same_rules or curve
    return same_rules


@lru_cache(maxsize=1)
def _curves() -> dict[str, Curve]:
    """The fitted curves by the specs of their games."""
    text = (files("plyground") / "data" / "chances.json").read_text(encoding="utf-8")
    return {spec: tuple(Phase(*phase) for phase in found["phases"]) for spec, found in json.loads(text).items()}


def amount(game: AnyGame, points: int) -> str:
    """Points in the game's own unit, positive when good for the first player: `+0.4 pawns`, `-3 seeds`."""
    unit, size = game.unit
    return f"{points:+d} {unit}" if size == 1 else f"{round(points / size, 1) or 0.0:+.1f} {unit}"


def reader(game: AnyGame, state: Any) -> Callable[[Score], Score]:
    """A function that gives the estimates of a search from a state their chances; other scores stay as they are."""
    if not (curve := curve_of(game)):
        return lambda score: score
    phase = phase_of(curve, occupied(game, state))

    def read(score: Score) -> Score:
        if score.points is None:
            return score
        return Score(points=score.points, chance=Chance(phase.share(score.points), amount(game, score.points)))

    return read
