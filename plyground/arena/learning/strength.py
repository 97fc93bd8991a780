"""Strength of a learned evaluation: against the game's own at equal time, and by exact values."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from plyground.arena.match import MatchResult, match
from plyground.compiled.clock import Limit
from plyground.engine.report import Report
from plyground.engine.run import prepare
from plyground.engine.think import think
from plyground.games import AnyGame
from plyground.learning.learned_rules import Learned
from plyground.learning.weights_file import LearnedWeights
from plyground.play.by_evaluation import EvaluationPlayer
from plyground.position import Position
from plyground.rules import MAX, ONGOING
from plyground.score import final

MOVE_SECONDS: Final = 0.01
"""CPU time of each move of a match."""
ELO: Final = (0.0, 20.0)
"""Hypotheses of the test, in normalised Elo."""
_MATCH_GAMES: Final = 2_000
_FIRST_NODES: Final = 20_000
"""Nodes of the search by which a player's speed is found at first."""
_TABLE: Final = 1
"""Mebibytes of a player's table: to make a larger one takes much of its time."""
_EXACT_LIMIT: Final = Limit(nodes=200_000)
"""Limit within which the values of all moves of a position must be found."""


class _TimeOver(Exception):
    """The time of a match is over."""


class PacedPlayer(EvaluationPlayer):
    """The engine with the evaluation of some rules, and a CPU time for each move: as many nodes as it has taken for
    that time so far.

    So other work of the machine and the system's scheduling change nothing.
    """

    def __init__(self, game: AnyGame, seconds: float = MOVE_SECONDS) -> None:
        super().__init__(game, Limit(nodes=_FIRST_NODES))
        self._seconds = seconds
        self._nodes = self._moves = 0
        self._cut = self._spent = 0.0  # of the moves that took all their nodes, and of all

    @property
    def seconds_a_move(self) -> float:
        """CPU time that a move has taken, on average."""
        return self._spent / max(1, self._moves)

    def prepare(self, position: Position) -> None:
        super().prepare(position)
        # One search before the first move: without a measured speed it would have a fixed number of nodes.
        if not self._moves and position.outcome is None:
            list(self.think(position, None))

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        if self._nodes:
            # From the mean speed of all moves so far that used up their nodes.
            self._limit = Limit(nodes=max(1, round(self._nodes / max(self._cut, 1e-6) * self._seconds)))
        before, is_cut = time.process_time(), True
        for report in think(position.under(self._game), self._limit, table=_TABLE, selective=True):
            is_cut = report.score.utility is None
            yield report
        spent = time.process_time() - before
        self._spent += spent
        self._moves += 1
        if is_cut:  # so it took all its nodes, also those after its last report
            self._nodes += self._limit.nodes or 0
            self._cut += spent


def strength_match(
    players: tuple[PacedPlayer, PacedPlayer],
    game: AnyGame,
    seconds: float,
    *,
    seed: int = 0,
    games: int = _MATCH_GAMES,
) -> MatchResult:
    """A match of the engine with a learned evaluation against itself with the game's own, at equal CPU time a move.

    It ends with the decision of an SPRT of `ELO`, or when its CPU seconds are over. Games are played one after the
    other in this process.
    """
    end, last = time.process_time() + seconds, list[MatchResult]()

    def on_pair(result: MatchResult) -> None:
        last[:] = [result]
        if time.process_time() > end:
            raise _TimeOver

    try:
        # In one process: a player's speed is the mean over its moves so far, which another process would not know.
        return match(*players, game=game, games=games, seed=seed, sprt=ELO, on_pair=on_pair)
    except _TimeOver:
        return last[0]


@dataclass(frozen=True)
class KeptCounts:
    """Positions in which a first choice keeps the exact value."""

    positions: int
    learned: int
    hand_written: int
    at_random: float
    """Expected number of a random choice."""


@dataclass(frozen=True)
class SolvedPosition:
    """A position whose moves all have exact values, which are not all equal."""

    position: Position
    good: frozenset[int]
    """The moves that keep its value."""

    def is_kept_by(self, game: AnyGame) -> bool:
        """Whether the move that looks best one ply on, by the evaluation of some rules, keeps the value."""
        return first_choice(game, self.position) in self.good

    @property
    def at_random(self) -> float:
        """Part of the moves that keep the value."""
        return len(self.good) / len(self.position.legal_moves)


def solved_positions(game: AnyGame, seconds: float, *, count: int = 200, seed: int = 0) -> list[SolvedPosition]:
    """Positions of random games that can be solved within a limit; most are near the end of a game.

    Args:
        game: the game.
        seconds: CPU time to look for them, at most.
        count: how many, at most.
        seed: of the random games.
    """
    prepare(Position.initial(game))  # so that the limit leaves out the compiler's time
    chance, end = random.Random(f"kept {seed}"), time.process_time() + seconds
    found = list[SolvedPosition]()
    while len(found) < count and time.process_time() < end:
        position = _random_position(game, chance)
        if position is None or not (values := _exact_signs(position)):
            continue
        best = max(values.values())
        good = frozenset(move for move, value in values.items() if value == best)
        # Where all moves are equal every choice is right, and the position measures nothing.
        if len(good) < len(values):
            found.append(SolvedPosition(position, good))
    return found


def kept_values(learned: AnyGame, game: AnyGame, seconds: float, *, count: int = 200, seed: int = 0) -> KeptCounts:
    """Count the positions in which the move that looks best one ply on keeps the value, by two evaluations."""
    found = solved_positions(game, seconds, count=count, seed=seed)
    by_learned, by_hand = (sum(each.is_kept_by(rules) for each in found) for rules in (learned, game))
    return KeptCounts(len(found), by_learned, by_hand, round(sum(each.at_random for each in found), 1))


def _random_position(game: AnyGame, chance: random.Random) -> Position | None:
    """A position of a random game, more than a ply before its end; None if the game is shorter."""
    line = [Position.initial(game)]
    while line[-1].outcome is None and len(line) < 500:
        line.append(line[-1].play(chance.choice(line[-1].legal_moves)))
    # The first third is left out, where hardly a position is solved within the limit.
    return chance.choice(line[len(line) // 3 : -2]) if len(line) > 4 else None


def _exact_signs(position: Position) -> dict[int, int]:
    """The sign of each move's value for the player to move; empty if one is not found."""
    *_, report = think(position, _EXACT_LIMIT, every_move=True, table=8)
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


def measure_strength(
    weights: LearnedWeights, game: AnyGame, seconds: float, seed: int = 0, *, values: bool = True
) -> dict[str, Any]:
    """The strength of weights in numbers, as their file keeps it.

    Args:
        weights: the weights.
        game: the game with its own evaluation.
        seconds: CPU time, at most; a quarter of it for exact values.
        seed: of openings and positions.
        values: whether kept values are counted, too.
    """
    learned: AnyGame = Learned(game, weights)
    players = PacedPlayer(learned), PacedPlayer(game)
    result = strength_match(players, game, (3 * seconds / 4) if values else seconds, seed=seed)
    low, high = result.interval
    found: dict[str, Any] = {"games": len(result.games), "points": result.points, "decision": result.decision}
    elo = None if result.statistics.bound else round(result.elo)
    found |= {"elo": elo, "interval": [_finite_elo(low), _finite_elo(high)], "los": round(result.los, 4)}
    found |= {"seconds_a_move": MOVE_SECONDS, "taken": [round(player.seconds_a_move, 4) for player in players]}
    found["sprt"] = list(ELO)
    if values and (kept := kept_values(learned, game, seconds / 4, seed=seed)).positions:
        found["kept"] = {"positions": kept.positions, "learned": kept.learned, "hand_written": kept.hand_written}
        found["kept"]["random"] = kept.at_random
    return found


def _finite_elo(elo: float) -> int | None:
    """An end of an interval in Elo as a whole number; None for an infinite one."""
    return round(elo) if abs(elo) < float("inf") else None
