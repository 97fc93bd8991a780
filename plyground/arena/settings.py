"""The settings of an arena, one record for the command, Python and the tournament."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from plyground.arena.adjudication import Adjudication
from plyground.arena.blunders import is_solved
from plyground.arena.entrants import Players, entrants
from plyground.arena.marking.weights import weights_with
from plyground.arena.openings import Openings, random_count
from plyground.arena.playing import Limits
from plyground.arena.results import Entrant
from plyground.arena.statistics.sprt import SPRT, Model
from plyground.engine.clock import Limit
from plyground.errors import BadInput, WrongType, check_fields
from plyground.games import AnyGame
from plyground.play.by_evaluation import BY_EVALUATION
from plyground.rules import Game

NO_GAME = "game=None: name the game, as in game='connectfour', or give games as players."
CLASS_CPU = 60.0
"""Seconds of the processor for each side's game in a class without another limit."""
CLASS_BUDGET = 2_000
"""Positions in which an audit asks a student's program for each side, at most, by default."""
CLASS_AUDIT_TIME = 300.0
"""Seconds of a student's program for each side in an audit, at most, by default."""
P = ParamSpec("P")
Record = TypeVar("Record")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Settings:
    """What makes an arena, as `plyground.arena` takes and explains it."""

    players: Players
    game: AnyGame | str | None = None
    _: KW_ONLY
    games: int = 0
    rounds: int = 0
    format: str = "round-robin"
    plies: int = 0
    random_plies: int = 0
    openings: str | Path | None = None
    balanced: bool = False
    seed: int = 0
    clock: float | None = None
    increment: float = 0.0
    move_time: float | None = None
    cpu: float | None = None
    grace: float = 5.0
    database: str = ""
    name: str = ""
    jobs: int = 1
    scheduler: str = ""
    judge: bool = False
    draw: tuple[int, int, int] | None = None
    resign: tuple[int, int] | None = None
    solved: bool = False
    sprt: tuple[float, float] | None = None
    weights: Mapping[str, float] | None = None
    audit_budget: int = CLASS_BUDGET
    audit_time: float = CLASS_AUDIT_TIME
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalised"
    limit: Limit = BY_EVALUATION

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The players with their names.

        Raises:
            BadInput: there are fewer than two, there is no such player, or two have the same name.
        """
        found = entrants(self.players, self.limit, self.mark_weights)
        if self.sprt and (len(found) != 2 or self.format != "round-robin"):
            raise BadInput(
                f"--sprt compares two players in a round robin, and here are {len(found)} in a {self.format}."
            )
        if self.database and not (isinstance(self.game, str) and all(each.given is None for each in found)):
            raise BadInput(
                "An arena in a database takes its game and players by name, so that another run finds it again."
            )
        return found

    @property
    def rules(self) -> AnyGame | str:
        """The game, or its spec; by default the first game among the players.

        Raises:
            WrongType: there is none.
        """
        if self.game is not None:
            return self.game
        players = self.players.values() if isinstance(self.players, Mapping) else self.players
        for each in players:
            if isinstance(each, Game):
                return each
        raise WrongType(NO_GAME)

    @property
    def mark_weights(self) -> dict[str, float]:
        """How much each criterion of marks counts, and which opponents are met for it; none but in a class.

        `perfect` is an opponent by default only where it can answer soon.

        Raises:
            BadInput: a weight is below 0, or all are 0.
        """
        if self.format != "class":
            if self.weights is not None:
                raise BadInput(f"Weights are for marks, which --format class gives, and this is a {self.format}.")
            return {}
        given = self.weights or {}
        return weights_with(given if "perfect" in given or is_solved(self.rules) else {**given, "perfect": 0.0})

    @property
    def starts(self) -> Openings:
        """How the positions where games begin are found.

        Raises:
            BadInput: more than one way is given, or a number is below 0.
        """
        count = random_count(self.games, is_test=bool(self.sprt))
        file = Path(self.openings) if self.openings else None
        return Openings(self.plies, self.random_plies, count, self.seed, file, self.balanced)

    @property
    def limits(self) -> Limits:
        """The time that each player has in each game.

        Raises:
            BadInput: a number of seconds is not above 0, or there is an increment without a clock.
        """
        is_free = self.clock is self.move_time is self.cpu is None
        cpu = CLASS_CPU if self.format == "class" and is_free else self.cpu
        return Limits(self.clock, self.increment, self.move_time, cpu, self.grace)

    @property
    def adjudication(self) -> Adjudication:
        """Rules that end games before the game's own rules end them.

        Raises:
            BadInput: a rule makes none, or the arena is a class.
        """
        found = Adjudication(self.draw, self.resign, self.solved)
        if found and self.format == "class":
            raise BadInput("A class is marked by how games end: leave out --draw, --resign and --solved.")
        return found

    @property
    def test(self) -> SPRT | None:
        """The test that ends the arena; None if all games are played.

        Raises:
            BadInput: its first number is not below its second, or the probabilities or the model of a test make none.
        """
        if self.sprt:
            return SPRT(*self.sprt, self.alpha, self.beta, self.model)
        if (self.alpha, self.beta, self.model) != (0.05, 0.05, "normalised"):
            raise BadInput("--alpha, --beta and --model are of a test: give its bounds, as in --sprt 0,5.")
        return None


def taking(record: Callable[P, Record]) -> Callable[[Callable[[Record], Made]], Callable[P, Made]]:
    """Decorate a function of a record, so that it takes the record's arguments instead."""

    def decorated(function: Callable[[Record], Made]) -> Callable[P, Made]:
        @wraps(function)
        def called(*args: P.args, **options: P.kwargs) -> Made:
            return function(record(*args, **options))

        returned = inspect.signature(function).return_annotation
        called.__signature__ = inspect.signature(record).replace(return_annotation=returned)  # type: ignore[attr-defined]
        return called

    return decorated
