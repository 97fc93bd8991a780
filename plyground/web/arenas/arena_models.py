"""Messages of the arenas' operations: lists of arenas, standings, and games."""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from plyground.arena.report.columns import Number
from plyground.arena.results import Outcome
from plyground.play.ending import Ending
from plyground.web.views.models import Model, PositionView, Shared, Side

ArenaId = Annotated[str, Field(max_length=64, pattern=r"^[^\x00]+$")]
EntrantName = Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Cross = list[list[tuple[float, int] | None]]


class Arenas(Model):
    """The arenas, newest first."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class ArenaLine(Model):
    """An arena in a list."""

    id: str
    name: str
    """Name given on the command line; empty if none."""
    game: str
    entrants: int
    played: int
    planned: int | None
    """Games in all; null if the schedule does not know."""
    state: Literal["going", "over", "resting"]
    """Whether games are played, all is over, or it has stopped, so that the same command would continue it."""
    why: str | None
    """How the arena ended, in words."""
    created: str
    test: str
    """State of its sequential test, in one line; empty without one."""


class FleetTestLine(Model):
    """A test of a fleet that is not over."""

    name: str
    state: str
    """`playing`, `waiting`, `paused`, or why it cannot be played."""
    share: float


class FleetView(Model):
    """State of the fleet that this server shows."""

    workers: list[str]
    """Addresses of the workers."""
    tests: list[FleetTestLine]
    said: str
    """The reason that nothing can be played, in a sentence; empty while games can be played."""


class ArenasView(Model):
    """A page of arenas, and how many there are in all."""

    total: int
    arenas: list[ArenaLine]
    fleet: FleetView | None
    """Null where the server shows no fleet."""


class ArenaQuery(Model):
    """Request for an arena."""

    id: ArenaId


class ColumnView(Model):
    """A column of the standings."""

    key: str
    heading: str
    explanation: str
    """Explanation of its numbers in a phrase; empty where the heading suffices."""
    left: bool
    """Whether its cells are aligned at the left."""


class RankView(Model):
    """An entrant's row of the standings: the record that `plyground arena --json` prints, with all its numbers.

    The ones below are drawn and linked by the page; what is infinite is null.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Number]
    rank: int
    name: str
    elo: float | None
    """Elo; the mean of all is 0. Null if no game determines it."""
    low: float | None
    """Lower end of the 95 % interval; null if unbounded."""
    high: float | None


class LiveView(Model):
    """A game in progress."""

    number: int
    x: str
    o: str
    plies: int
    """Plies since the opening."""
    position: PositionView | None
    """The position; null if the game cannot be drawn here."""


class ArenaView(ArenaLine, Shared):
    """An arena as it stands."""

    format: str
    openings: str
    """Openings of its games, in words; empty for the initial position."""
    limits: str
    """Limits of time and memory for the players, in words."""
    columns: list[ColumnView]
    """The columns of the standings."""
    cells: list[list[str]]
    """Text of each of `columns`, for each of `ranks`."""
    ranks: list[RankView]
    """The standings, best first."""
    tested: list[str]
    """The same in sentences; empty without a test."""
    cross: Cross
    """By two indices of `ranks`: points of the first in games against the second, and the number of these games."""
    void: int
    """Void games, which no result counts; they are played again when the arena continues."""
    notes: list[str]
    """Notes on the numbers: their limits, what is missing, and how to get it."""
    drawn: bool
    """Whether the game can be drawn here: one from a user file only if the server was started with it."""
    live: list[LiveView]


class ArenaGames(ArenaQuery):
    """Games of an arena, newest first."""

    entrant: EntrantName = ""
    """Only games of this entrant; empty: of all."""
    against: EntrantName = ""
    """Only games against this entrant; empty: against all."""
    only: Literal["", "blunders", "faults"] = ""
    """Only games in which a move gave value away, or that a fault ended."""
    before: Count | None = None
    """Only games of lower numbers: the `next` of the page before."""
    limit: Annotated[int, Field(ge=1, le=100)] = 25


class BlunderView(Model):
    """A move that gave value away."""

    ply: int
    """Number of the move in the game's `moves`, from 1."""
    side: Side
    move: str
    before: Outcome
    """What the position was worth to the"""
    after: Outcome
    exact: bool
    """Whether this is proven; else a deep search found it."""
    held: list[str]
    """Moves that would have kept the value."""


class ArenaGame(Model):
    """A finished game of an arena."""

    number: int
    x: str
    o: str
    start: str
    moves: list[str]
    """All moves, with those of the opening."""
    opening: int
    """Number of moves that belong to the opening."""
    utility: int | None
    """Utility for x; null in a void game."""
    why: str
    fault: Side | None
    """The side whose fault ended the game."""
    ending: Ending
    """How it ended, and by which kind of fault; `unknown` in games of earlier versions."""
    words: str
    """The first and the last lines of the error output of a program at fault."""
    blunders: list[BlunderView]


class ArenaGamesView(Model):
    """Some games of an arena."""

    games: list[ArenaGame]
    next: int | None
    """Value of `before` for the next page; null if there is none."""
