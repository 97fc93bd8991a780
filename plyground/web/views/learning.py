"""Operations on learning from self-play: the state of runs, and the patterns of a learned evaluation."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field

from plyground.compiled.clock import Limit
from plyground.games import AnyGame, game_named
from plyground.learning.learned_rules import LOGIT, Learned
from plyground.learning.levels import learned_game
from plyground.learning.parts import EvaluationParts, chance_of
from plyground.play.by_evaluation import EvaluationPlayer
from plyground.position import Position
from plyground.web.views import positions
from plyground.web.views.models import GameSpec, Model, PositionView, Shared

PATTERNS = 8
"""Patterns of a position that are shown."""
_RANDOM_PLIES, _NODES = 2, 200
"""Random plies of a game whose position is looked at, and nodes of each move after these."""
_POSITION_PLIES = (4, 16)
"""Plies of the position, from and to."""

Stage = Literal["beginning", "learning", "measuring", "stopped", "ended"]
"""Stage of learning; `stopped` and `ended` go on when it is started again."""
Share = Annotated[float, Field(ge=0, le=1)]


class RunView(Model):
    """A game that is or was learned on the server's machine."""

    game: str
    names: tuple[str, str]
    stage: Stage
    games: int
    plies: int
    seconds: float
    """CPU seconds of playing and learning."""
    has_own: bool
    """Whether the game has an evaluation of its own."""
    bytes: int
    """Size of the file of weights; 0 before the first one."""
    positions: int
    """Positions that were solved, in which the first choice is compared with the exact values."""
    own: Share
    """How often the first choice by the game's own evaluation keeps the value of these, and a random one."""
    at_random: Share
    kept: list[tuple[int, Share]]
    """The same by the learned evaluation, after a number of games."""
    matches: list[tuple[int, int, Share, Share, Share]]
    """After a number of games, a match against the game's own evaluation: its games, the share of points that was won,
    and its interval of 95 %."""
    levels: dict[str, int]
    """Opponents that were kept, by nominal numbers of games, and after how many games each was."""
    players: Annotated[dict[str, str], Field(default_factory=dict)]
    """Names of the same and of the newest (`now`) as players."""
    file: str = ""
    """Path on the server from which the newest file of weights is fetched."""
    fault: str = ""
    """Why it cannot be learned, in a sentence."""


class LearningView(Shared):
    """All that is learned on the server's machine."""

    open: bool
    """Whether pages may start learning here."""
    running: str
    """The game that is being learned; empty if none is."""
    runs: list[RunView]


class LookedAt(Model):
    """A learned evaluation by its level: `1000`, `10000` or `100000` games, `now`, or `learned`, the shipped one."""

    game: GameSpec
    level: Annotated[str, Field(pattern="^(1000|10000|100000|now|learned)$")] = "now"
    seed: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Seed of the position: each has another one."""


class PatternView(Model):
    """A group of places of a position, and its learned weight as a chance."""

    position: PositionView
    """The position with these places marked."""
    chance: Share
    """The first player's chance, if all else were even."""
    words: str


class LooksView(Model):
    """A position as a learned evaluation sees it."""

    position: PositionView
    chance: Share
    """The first player's chance by the whole evaluation."""
    words: str
    patterns: list[PatternView]
    """The weightiest patterns first."""


def looks(args: LookedAt) -> Iterator[LooksView]:
    """A position of a game between two that know this evaluation, and its weightiest patterns.

    Raises:
        BadInput: there are no such weights.
    """
    game = game_named(args.game)
    learned = learned_game(game, args.level)
    here = _sample_position(game, learned, args.seed)
    fixed = positions.view(args.game, here)
    chance = chance_of(learned.evaluate(here.state) / LOGIT)
    found = [
        PatternView(
            # The places are marked as a last move is, which every board can show.
            position=fixed.model_copy(update={"last": each.places, "look": replace(fixed.look, attacked=())}),
            chance=round(each.chance, 3),
            words=_chance_text(each.chance, game),
        )
        for each in _evaluation_parts(learned).patterns(here.state)[:PATTERNS]
    ]
    words = f"{round(100 * max(chance, 1 - chance))} % for {game.names[chance < 0.5]}"
    yield LooksView(position=fixed, chance=round(chance, 3), words=words, patterns=found)


def _chance_text(chance: float, game: AnyGame) -> str:
    """A chance against an even one."""
    return f"+{100 * abs(chance - 0.5):.0f} % for {game.names[chance < 0.5]}"


@lru_cache(maxsize=4)
def _evaluation_parts(learned: Learned[Any]) -> EvaluationParts:
    """The parts of an evaluation, which takes a moment to make."""
    return EvaluationParts(learned)


def _sample_position(game: AnyGame, learned: AnyGame, seed: int) -> Position:
    """A position of a game that begins with random moves, before its end."""
    # The position depends on the seed alone: the same question shows the same position.
    chance, player = random.Random(f"looks {seed}"), EvaluationPlayer(learned, Limit(nodes=_NODES))
    here = before = Position.initial(game)
    for ply in range(chance.randint(*_POSITION_PLIES)):
        if here.outcome is not None:
            return before
        before = here
        move = chance.choice(here.legal_moves) if ply < _RANDOM_PLIES else player.choose(here, None)
        here = here.play(move)
    return before if here.outcome is not None else here
