"""Strength of a learned evaluation: against the game's own at equal time, and by exact values."""

import random
import time
from dataclasses import dataclass
from typing import Any, Final

from plyground.arena.match import MatchResult, match
from plyground.engine.clock import Limit
from plyground.engine.think import think
from plyground.games import AnyGame
from plyground.learning.learned import Learned
from plyground.learning.weights_file import LearnedWeights
from plyground.position import Position
from plyground.rules import MAX, ONGOING
from plyground.score import final

MOVE_SECONDS: Final = 0.03
"""Time of each move of a match."""
ELO: Final = (0.0, 20.0)
"""Hypotheses of the test, in normalised Elo."""
_MATCH_GAMES: Final = 2_000
_EXACT: Final = Limit(nodes=200_000)
"""Limit within which the values of all moves of a position must be found."""


class _Enough(Exception):
    """The time of a match is over."""


def strength(
    learned: AnyGame, game: AnyGame, seconds: float, *, seed: int = 0, games: int = _MATCH_GAMES
) -> MatchResult:
    """A match of the engine with a learned evaluation against itself with the game's own, at equal time a move.

    It ends with the decision of an SPRT of `ELO`, or when its seconds are over. Games are played one after the other in
    this process, so that what else the machine does slows both sides alike.
    """
    end, last = time.monotonic() + seconds, list[MatchResult]()

    def on_pair(result: MatchResult) -> None:
        last[:] = [result]
        if time.monotonic() > end:
            raise _Enough

    try:
        return match(
            learned, game, game=game, games=games, limit=Limit(time=MOVE_SECONDS), seed=seed, sprt=ELO, on_pair=on_pair
        )
    except _Enough:
        return last[0]


@dataclass(frozen=True)
class Kept:
    """Positions in which a first choice keeps the exact value."""

    positions: int
    learned: int
    hand_written: int
    at_random: float
    """Expected number of a random choice."""


def kept_values(learned: AnyGame, game: AnyGame, seconds: float, *, count: int = 200, seed: int = 0) -> Kept:
    """How often the move that looks best one ply on keeps the value of a position, by two evaluations.

    Positions are from random games. Only those are counted whose moves all have exact values within a limit and are not
    all equal; so most are near the end of a game.
    """
    chance, end = random.Random(f"kept {seed}"), time.monotonic() + seconds
    found = by_learned = by_hand = 0
    at_random = 0.0
    while found < count and time.monotonic() < end:
        position = _random_position(game, chance)
        if position is None or not (values := _exact(position)):
            continue
        best = max(values.values())
        good = {move for move, value in values.items() if value == best}
        if len(good) == len(values):
            continue
        found += 1
        at_random += len(good) / len(values)
        by_learned += first_choice(learned, position) in good
        by_hand += first_choice(game, position) in good
    return Kept(found, by_learned, by_hand, round(at_random, 1))


def _random_position(game: AnyGame, chance: random.Random) -> Position | None:
    """A position of a random game, more than a ply before its end; None if the game is shorter."""
    line = [Position.initial(game)]
    while line[-1].outcome is None and len(line) < 500:
        line.append(line[-1].play(chance.choice(line[-1].legal_moves)))
    return chance.choice(line[len(line) // 3 : -2]) if len(line) > 4 else None


def _exact(position: Position) -> dict[int, int]:
    """The sign of each move's value for the player to move; empty if one is not found."""
    *_, report = think(position, _EXACT, every_move=True, table=8)
    side = 1 if position.to_move == MAX else -1
    if any(score.utility is None or score.bound for _, score in report.moves):
        return {}
    return {move: side * ((score.utility or 0) > 0) - side * ((score.utility or 0) < 0) for move, score in report.moves}


def first_choice(game: AnyGame, position: Position) -> int:
    """The move that looks best one ply on, the first of equal ones."""
    side, state = (1 if position.to_move == MAX else -1), position.state

    def worth(move: int) -> int:
        after = game.play(state, move)
        utility = game.outcome(after)
        return side * (game.evaluate(after) if utility == ONGOING else final(utility, 0))

    return max(position.legal_moves, key=worth)


def measured(weights: LearnedWeights, game: AnyGame, seconds: float, seed: int = 0) -> dict[str, Any]:
    """The strength of weights in numbers, as their file keeps it; a quarter of the seconds is for exact values."""
    learned: AnyGame = Learned(game, weights)
    kept = kept_values(learned, game, seconds / 4, seed=seed)
    result = strength(learned, game, 3 * seconds / 4, seed=seed)
    found: dict[str, Any] = {"games": len(result.games), "points": result.points, "decision": result.decision}
    found |= {"seconds_a_move": MOVE_SECONDS, "sprt": list(ELO)}
    if kept.positions:
        found["kept"] = {"positions": kept.positions, "learned": kept.learned, "hand_written": kept.hand_written}
        found["kept"]["random"] = kept.at_random
    low, high = result.interval
    return found | {"elo": _finite(result.elo), "interval": [_finite(low), _finite(high)], "los": round(result.los, 4)}


def _finite(elo: float) -> int | None:
    """Elo as a whole number; None where one side has every point."""
    return round(elo) if abs(elo) < 1e6 else None
