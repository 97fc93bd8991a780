"""Counts of an arena: standings of the entrants, and scores of pairs of entrants."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from plyground.arena.statistics.evidence import Evidence
from plyground.arena.statistics.unbounded import Bound
from plyground.play.ending import Ending


@dataclass(frozen=True)
class Blunders:
    """Counts of a player's moves that gave value away, among moves in won and drawn positions."""

    moves: int = 0
    """Judged moves in positions that were won or drawn."""
    given: int = 0
    """Blunders: those of `moves` that gave value away."""
    opinions: int = 0
    """Those of `moves` that are judged by the estimate of a deep search; the others are judged exactly."""
    opined: int = 0
    """Those of `given` that are judged by an estimate."""
    lost: int = 0
    """Judged moves in lost positions, where no move can be a blunder."""

    @property
    def rate(self) -> float | None:
        """Blunders per move of `moves`, 0 to 1; None where no move is judged."""
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
    """Number of games, without void ones."""
    wins: int
    draws: int
    losses: int
    points: float
    elo: float
    """Rating; the mean of the arena is 0 (`rating.py`)."""
    low: float
    """Lower end of the interval of 95 %; -inf where there is no bound."""
    high: float
    """Upper end; inf where there is no bound."""
    bound: Bound
    """Kind of the rating: where a player took every point, or none, Elo is at least `low`, or at most `high`."""
    group: int
    """Number of its group; Elo of two groups cannot be compared, because no games connect them."""
    superiority: float | None
    """Likelihood of superiority over the next entrant of the table, 0 to 1; None for the last, or where unknown."""
    faults: Mapping[Ending, int]
    """Number of games lost by a fault, by its kind."""
    void: int
    """Number of void games, which do not count."""
    seconds: float
    """Seconds used in all games."""
    blunders: Blunders
    by_ply: Mapping[int, Blunders]
    """Blunders by ply of the game after the opening, from 1."""

    @property
    def share(self) -> float:
        """Points per game, 0 to 1."""
        return self.points / self.games if self.games else 0.0


@dataclass
class Against:
    """Games of one entrant against another, seen by the first."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    void: int = 0
    evidence: Evidence = field(default_factory=Evidence, repr=False)
    """The games that are news: what Elo, LOS and an SPRT rest on."""

    @property
    def games(self) -> int:
        """Without void ones."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points of the first entrant."""
        return self.wins + self.draws / 2

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """Numbers of pairs of games that brought 0, 1/2, 1, 3/2 and 2 points, without copies of earlier pairs."""
        zero, half, one, more, two = self.evidence.pentanomial
        return zero, half, one, more, two

    @property
    def alone(self) -> int:
        """Number of games in no pair, because the other game is void or not played yet; each counts by itself. Copies
        of earlier games are left out.
        """
        return self.evidence.alone.total()
