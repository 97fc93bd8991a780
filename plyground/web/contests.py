"""What the page and bots send and receive about arenas: which there are, how one stands, its games."""

from typing import Annotated, Literal

from pydantic import Field

from plyground.arena.results import Outcome
from plyground.web.models import Model, PositionView, Shared, Side

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
    """As it was named on the command line; empty where it was not."""
    game: str
    entrants: int
    played: int
    planned: int | None
    """Games in all, where the schedule knows that."""
    state: Literal["going", "over", "resting"]
    """Whether games are played, all is over, or it has stopped, so that the same command would go on with it."""
    why: str | None
    """How it ended, in words."""
    created: str


class ArenasView(Model):
    """A page of arenas, and how many there are in all."""

    total: int
    arenas: list[ArenaLine]


class Arena(Model):
    """An arena to look at."""

    id: ArenaId


class RankView(Model):
    """How an entrant stands, in numbers to draw and in the words of every table."""

    rank: int
    name: str
    games: int
    """Without void ones."""
    wins: int
    draws: int
    losses: int
    points: float
    """A win is 1, a draw 1/2."""
    elo: float | None = None
    """The mean of all is 0; null where nothing tells it."""
    low: float | None = None
    """Where its interval of 95 % begins; null where it has no bound."""
    high: float | None = None
    rating: str = ""
    """Its Elo in words: `+55`, or a bound, `≥ +317`."""
    interval: str = ""
    superiority: str = ""
    """The likelihood that it is stronger than the next in the table."""
    blunders: str = ""
    """How many moves gave value away, of those that had some to give; empty where none is judged."""
    faults: str = ""
    """Games that a fault of theirs ended, by its kind."""


class LiveView(Model):
    """A game under way."""

    number: int
    x: str
    o: str
    plies: int
    """Since the opening."""
    position: PositionView | None
    """Null where the game cannot be drawn here."""


class ArenaView(ArenaLine, Shared):
    """An arena as it stands."""

    format: str
    openings: str
    """Where its games begin, in words; empty for the initial position."""
    limits: str
    """What time and room its players have, in words."""
    ranks: list[RankView]
    """The best first."""
    cross: Cross
    """By two places in `ranks`: the points of the first from games against the second, and how many those were."""
    void: int
    """Games that count for nobody; they are played again when the arena goes on."""
    notes: list[str]
    """Sentences that belong to the numbers: what they do not say, what is missing, and what would bring it."""
    drawn: bool
    """Whether the game can be drawn here: one in somebody's own file only if the server was started with it."""
    live: list[LiveView]


class ArenaGames(Arena):
    """Games of an arena, newest first."""

    entrant: EntrantName = ""
    """Only games that this one played; of anybody if empty."""
    against: EntrantName = ""
    """And that this one played as well."""
    only: Literal["", "blunders", "faults"] = ""
    """Only those in which a move gave value away, or that a fault ended."""
    before: Count | None = None
    """Only games of lower numbers: the `next` of the page before."""
    limit: Annotated[int, Field(ge=1, le=100)] = 25


class BlunderView(Model):
    """A move that gave value away."""

    ply: int
    """Which of the game's `moves` it is, from 1."""
    side: Side
    move: str
    before: Outcome
    """What the position was worth to the"""
    after: Outcome
    exact: bool
    """Whether that is certain; else a deep search says so."""
    held: list[str]
    """The moves that would have kept the value."""


class ArenaGame(Model):
    """A game of an arena that is over."""

    number: int
    x: str
    o: str
    start: str
    moves: list[str]
    """With those of the opening."""
    opening: int
    """How many of the moves are the opening's."""
    utility: int | None
    """For x; null in a game that counts for nobody."""
    why: str
    fault: Side | None
    """Whose fault ended it."""
    words: str
    """The last words of a program at fault."""
    blunders: list[BlunderView]


class ArenaGamesView(Model):
    """Some games of an arena."""

    games: list[ArenaGame]
    next: int | None
    """Before which number more are found; null if there are none."""
