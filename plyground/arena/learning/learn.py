"""Learning from Python: `learn` yields the evaluation after each round, with the curve so far."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from plyground.arena.learning.strength import SolvedPosition, solved_positions
from plyground.errors import BadInput, check_arguments
from plyground.games import AnyGame, as_game, game_text
from plyground.learning.learned_rules import Learned
from plyground.learning.rounds import USUAL_LEARNING, Learner
from plyground.learning.slimming import slim
from plyground.learning.weights_file import LearnedWeights, write_weights
from plyground.mapper import Mapper
from plyground.markup import Markup, el, fragment
from plyground.microscope.chart import share_chart
from plyground.rules import Game, own_rules

_POSITIONS, _POSITION_SECONDS = 60, 5.0
"""Most solved positions of a curve, and CPU seconds to find them, at most."""
_GROWTH: Final = 1.5
"""Games after which the curve has its next point, as a multiple of those before."""


@dataclass(frozen=True)
class Learning:
    """An evaluation after some games of self-play, with its curve so far; a notebook shows the curve.

    `positions` is how many positions the curve is measured in: random ones whose moves can all be solved. A share is
    the part of them in which the move that looks best one ply on keeps the exact value.
    """

    game: AnyGame
    """The game with the evaluation learned so far."""
    games: int
    plies: int
    seconds: float
    """CPU seconds of playing and learning, those of all processes together."""
    positions: int
    curve: tuple[tuple[int, float], ...]
    """Games learned from, and the share."""
    hand_written: float | None
    """The share of the game's own evaluation; None if it has none."""
    at_random: float
    """The expected share of a random choice."""
    weights: LearnedWeights = field(repr=False)

    def save(self, file: Path | str, *, whole: bool = True) -> None:
        """Write the weights; `pg.Learned(game, file)` reads them, as `engine:eval=FILE` does.

        Args:
            file: the file.
            whole: all weights; else those that games ask for most, at most 92,000 bytes of them, or 76,000 of a large
                network, as `plyground learn` writes without `--whole`.

        Raises:
            BadInput: the file cannot be written.
        """
        write_weights(self.weights if whole else slim(self.weights, own_rules(self.game)), Path(file))

    @property
    def svg(self) -> Markup:
        """The curve as a picture, with the share of the game's own evaluation and of a random choice."""
        ends = [self.curve[0][0], self.games] if self.curve else []
        lines = {"learned": list(self.curve)} if self.curve else {}
        if self.hand_written is not None:
            lines["its own"] = [(games, self.hand_written) for games in ends]
        lines["at random"] = [(games, self.at_random) for games in ends]
        title = f"{self.weights.game}: first choices that keep the value, in {self.positions} solved positions"
        return share_chart({name: points for name, points in lines.items() if points}, title, "games learned from")

    def _repr_html_(self) -> Markup:
        said = f"{self.games:,} games, {self.plies:,} plies, {self.seconds:.1f} s of CPU time"
        return fragment(self.svg, el("p", said)) if self.positions else el("p", f"{said}; no position could be solved")


@check_arguments
def learn(
    game: AnyGame | str,
    *,
    games: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    large: bool = False,
    cluster: Mapper | None = None,
) -> Iterator[Learning]:
    """Learn an evaluation by self-play: temporal-difference learning of n-tuples, as `plyground learn` does.

    Args:
        game: the game, or its spec.
        games: how many games to learn from.
        seconds: CPU seconds of learning, those of all processes together; 600 if neither is given.
        seed: of the random numbers: the same weights after the same number of games, in any number of processes.
        large: more and larger patterns, as `plyground learn --large` has: learning is slower, and better later.
        cluster: processes or machines that learn, a `plyground.workers.cluster.Cluster`; else this process.

    Yields:
        What has been learned, after each round: a few thousand plies at first, more in each later one.

    Raises:
        BadInput: the game cannot be learned, or a number is not above 0.
    """
    if (games is not None and games < 1) or (seconds is not None and not seconds > 0):
        raise BadInput("games and seconds are above 0.")
    rules: AnyGame = as_game(game)
    learner = Learner(rules, game_text(rules) or type(rules).__name__, seed, large)
    limits: dict[str, Any] = {"games": games, "seconds": seconds} if games or seconds else {"seconds": USUAL_LEARNING}
    # A generator of its own, so that bad arguments are said by this call and not at the first step.
    return _learn_in_steps(learner, {name: limit for name, limit in limits.items() if limit}, cluster)


def _learn_in_steps(learner: Learner, limits: dict[str, float], cluster: Mapper | None) -> Iterator[Learning]:
    game = learner.game
    solved = solved_positions(game, _POSITION_SECONDS, count=_POSITIONS)
    own = _share(solved, game) if type(game).evaluate is not Game.evaluate else None
    at_random = sum(each.at_random for each in solved) / max(1, len(solved))
    curve = list[tuple[int, float]]()
    from plyground.workers.cluster import Cluster  # here, because it loads asyncio and more

    with ExitStack() as stack:
        workers = cluster or stack.enter_context(Cluster(1))
        for _ in learner.learn(workers, **limits):
            weights = learner.learned_weights()
            learned: AnyGame = Learned(game, weights)
            # Geometric steps: early games change much, and a point costs a look at every solved position.
            if solved and learner.games >= _GROWTH * (curve[-1][0] if curve else 0):
                curve.append((learner.games, _share(solved, learned)))
            yield Learning(
                learned,
                learner.games,
                learner.plies,
                learner.seconds,
                len(solved),
                tuple(curve),
                own,
                at_random,
                weights,
            )


def _share(solved: list[SolvedPosition], game: AnyGame) -> float:
    """The part of positions in which the first choice by an evaluation keeps the value; 0 of none."""
    return sum(each.is_kept_by(game) for each in solved) / max(1, len(solved))
