"""What is counted in an arena: of one who takes part, and of two who met."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from plyground.arena.statistics.rating import Unit
from plyground.arena.statistics.unbounded import Bound

Fault = Literal["illegal", "late", "failed"]
"""An illegal move; no move in time; died, printed rubbish, raised an error."""
FAULTS: tuple[Fault, ...] = ("illegal", "late", "failed")
_SAID: tuple[tuple[Fault, re.Pattern[str]], ...] = (
    ("illegal", re.compile(r"illegal move")),
    ("late", re.compile(r"\bon time\b|said nothing|\blate\b|used up|CPU")),
)
PENTANOMIAL = (0.0, 0.5, 1.0, 1.5, 2.0)
"""The points of a pair of games, in the order of the counts."""


def fault_kind(why: str) -> Fault:
    """What kind of fault ended a game, by the referee's sentence."""
    return next((kind for kind, words in _SAID if words.search(why)), "failed")


@dataclass(frozen=True)
class Blunders:
    """How often a player gave value away. Only moves count that had some to lose: those in won and drawn positions."""

    moves: int = 0
    """Judged moves that had something to lose."""
    given: int = 0
    """Those of them that gave it away."""
    opinions: int = 0
    """Of `moves`, how many are judged by the opinion of a deep search; the others for certain."""
    opined: int = 0
    """Of `given`, how many are."""
    lost: int = 0
    """Judged moves in lost positions, of which none can be a blunder."""

    @property
    def rate(self) -> float | None:
        """Blunders in a move that had something to lose, 0 to 1; None where no move is judged."""
        return self.given / self.moves if self.moves else None

    def __add__(self, other: "Blunders") -> "Blunders":
        return Blunders(*(mine + its for mine, its in zip(self._counts, other._counts, strict=True)))

    @property
    def _counts(self) -> tuple[int, ...]:
        return self.moves, self.given, self.opinions, self.opined, self.lost


@dataclass(frozen=True)
class Standing:
    """A row of the standings: one entrant's games, points, rating and blunders."""

    rank: int
    """From 1; equal numbers share a rank."""
    name: str
    games: int
    """Without void ones."""
    wins: int
    draws: int
    losses: int
    points: float
    elo: float
    """The mean of the arena is 0; see `rating`."""
    low: float
    """Where its interval of 95 % begins; -inf where there is no bound."""
    high: float
    bound: Bound
    """Where a player took every point, or none: its Elo is `low` at least, or `high` at most."""
    group: int
    """The number of its group; Elo of two groups cannot be compared, because no games connect them."""
    superiority: float | None
    """The likelihood that this one is stronger than the next in the table; None for the last, or if nothing tells."""
    faults: Mapping[Fault, int]
    """Games lost by a fault, by its kind."""
    void: int
    """Void games, which do not count."""
    seconds: float
    """Time used in all games."""
    blunders: Blunders
    by_ply: Mapping[int, Blunders]
    """By the number of the move in its game, after the opening, from 1."""

    @property
    def share(self) -> float:
        """Points per game, 0 to 1."""
        return self.points / self.games if self.games else 0.0


@dataclass
class Against:
    """The games of one with another, seen by the first."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    void: int = 0
    units: Counter[Unit] = field(default_factory=Counter, repr=False)
    """As `rating` takes them, this one being 0 and the other 1."""

    @property
    def games(self) -> int:
        """Without void ones."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """This one's."""
        return self.wins + self.draws / 2

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """How many pairs of games brought 0, 1/2, 1, 3/2 and 2 points."""
        zero, half, one, more, two = (self.units[(0, 1, 2, points)] for points in PENTANOMIAL)
        return zero, half, one, more, two

    @property
    def alone(self) -> int:
        """Games that are in no pair: the other one is void, or not played yet. They count one by one."""
        return sum(times for (_, _, games, _), times in self.units.items() if games == 1)
