"""The settings of an arena, one record for the command, Python and the tournament."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

from plyground.arena.adjudication import Adjudication
from plyground.arena.blunders import is_solved
from plyground.arena.entrants import Players, entrants
from plyground.arena.marking.weights import weights_with
from plyground.arena.openings import Openings, opening_count
from plyground.arena.playing import Limits
from plyground.arena.results import Entrant
from plyground.arena.statistics.sprt import MODELS, SPRT, Model
from plyground.compiled.clock import Limit
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
    """Settings of an arena; `plyground.arena` explains them. Fields with words are options of the command."""

    players: Players
    game: AnyGame | str | None = None
    _: KW_ONLY
    format: str = "round-robin"
    games: Annotated[int, "games of each pair of players; by default every opening with both sides"] = 0
    rounds: Annotated[int, "rounds of a Swiss tournament or a ladder; by default the format's usual number"] = 0
    plies: Annotated[int, "begin from all positions after this number of plies, one of each symmetry"] = 0
    random_plies: Annotated[int, "begin from some positions after this number of random plies"] = 0
    openings: Annotated[str | Path | None, "begin from this file: PGN, PDN, SGF, EPD, or lines"] = None
    shuffle: Annotated[bool, "take the openings of the file in an order by the seed"] = False
    balanced: Annotated[bool, "only openings in which no side is found to win"] = False
    seed: Annotated[int, "the seed of all random numbers"] = 0
    clock: Annotated[float | None, "seconds for each side's whole game"] = None
    increment: Annotated[float, "seconds added to the clock after each move"] = 0.0
    move_time: Annotated[float | None, "seconds for each move"] = None
    cpu: Annotated[float | None, "CPU seconds a game for each side; by default 60 with --format class"] = None
    grace: Annotated[float, "seconds for the start of a program, which no clock counts"] = 5.0
    sprt: Annotated[
        tuple[float, float] | None, "stop when a sequential test of two players, ELO0,ELO1, is decided", "0,5"
    ] = None
    alpha: Annotated[float, "how often the test says ELO1 at most, though ELO0 is true"] = 0.05
    beta: Annotated[float, "how often it says ELO0 at most, though ELO1 is true"] = 0.05
    model: Annotated[Model, f"what ELO0 and ELO1 are: {' or '.join(MODELS)} Elo"] = "normalised"
    judge: Annotated[bool, "judge every move: whether it gave a won or drawn game away"] = False
    draw: Annotated[
        tuple[int, int, int] | None,
        "PLIES,POINTS,FROM: a draw once both players' scores were so near to even for so long",
        "16,10,60",
    ] = None
    resign: Annotated[
        tuple[int, int] | None,
        "PLIES,POINTS: a win once both players' scores were so high for one side for so long",
        "6,400",
    ] = None
    solved: Annotated[bool, "end a game once a table or a search knows its value for certain"] = False
    weights: Mapping[str, float] | None = None
    audit_budget: Annotated[int, "positions in which the audit asks a student's program for each side, at most"] = (
        CLASS_BUDGET
    )
    audit_time: Annotated[float, "seconds of a program's own time that its audit takes for each side, at most"] = (
        CLASS_AUDIT_TIME
    )
    jobs: int = 1
    scheduler: str = ""
    database: Annotated[str, "where results are kept, by its URL; by default your own games.db"] = ""
    name: Annotated[str, "the name of the arena in the database; by default made from the settings"] = ""
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
        # An object has no name by which another process or a later run could make it again.
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
        """Weights of the criteria of marks, which name the fixed opponents too; empty in other formats than a class.

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
        """Source of the openings.

        Raises:
            BadInput: more than one way is given, or a number is below 0.
        """
        file, count = Path(self.openings) if self.openings else None, opening_count(self.games)
        is_test = bool(self.sprt)
        return Openings(self.plies, self.random_plies, count, self.seed, file, self.balanced, self.shuffle, is_test)

    @property
    def limits(self) -> Limits:
        """The time that each player has in each game.

        Raises:
            BadInput: a number of seconds is not above 0, or there is an increment without a clock.
        """
        # Without any limit one endless program would hold up the whole class.
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
        # Marks rest on how a game ends: a game that is cut short shows no mistake after the cut.
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
        # Said and not ignored: a test that was meant and does not run would be believed.
        if (self.alpha, self.beta, self.model) != (0.05, 0.05, "normalised"):
            raise BadInput("--alpha, --beta and --model are of a test: give its bounds, as in --sprt 0,5.")
        return None


def takes_fields_of(record: Callable[P, Record]) -> Callable[[Callable[[Record], Made]], Callable[P, Made]]:
    """Decorate a function of a record, so that it takes the record's arguments instead."""

    def decorate(function: Callable[[Record], Made]) -> Callable[P, Made]:
        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> Made:
            return function(record(*args, **options))

        # `help` and editors show this signature: the record's parameters and the function's return type.
        returned = inspect.signature(function).return_annotation
        call.__signature__ = inspect.signature(record).replace(return_annotation=returned)  # type: ignore[attr-defined]
        return call

    return decorate
