"""Counts of an arena: blunders of an entrant, and scores of pairs of entrants."""

from dataclasses import dataclass, field

from plyground.arena.statistics.evidence import Evidence


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
    """Number of blunders among `given` that are judged by an estimate."""
    lost: int = 0
    """Judged moves in lost positions, where no move can be a blunder."""

    @property
    def rate(self) -> float | None:
        """Blunders per move of `moves`, 0 to 1; None where no move is judged."""
        return self.given / self.moves if self.moves else None


@dataclass
class Against:
    """Games of one entrant against another, seen by the first."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    void: int = 0
    evidence: Evidence = field(default_factory=Evidence, repr=False)
    """Games without copies, on which Elo, LOS and an SPRT rest."""

    @property
    def games(self) -> int:
        """Number of games, without void ones."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points of the first entrant."""
        return self.wins + self.draws / 2

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """Numbers of pairs of games that brought 0, 1/2, 1, 3/2 and 2 points, without copies of earlier pairs."""
        # A tuple: the counts of evidence go on changing.
        zero, half, one, more, two = self.evidence.pentanomial
        return zero, half, one, more, two

    @property
    def alone(self) -> int:
        """Number of games in no pair, because the other game is void or not played yet; each counts by itself. Copies
        of earlier games are left out.
        """
        return self.evidence.alone.total()
