"""Pairs of games as evidence for an SPRT: copies of earlier pairs are none."""

from collections.abc import Hashable
from dataclasses import dataclass, field

STALE_PAIRS = 20
"""Copies one after another, at least, before openings count as used up; a few come about by chance."""


@dataclass
class Evidence:
    """The pairs of games of two players that are news.

    While an opening has brought the same pair, move for move, each time, the players repeat themselves there, and the
    pair counts once. As soon as it brings another one, chance is at work, and all of its pairs count.

    >>> evidence = Evidence()
    >>> for moves in ("a", "a", "a"):
    ...     evidence.add("opening", moves, 2)
    >>> evidence.pentanomial, evidence.copies
    ([0, 0, 0, 0, 1], 2)
    >>> evidence.add("opening", "b", 1)
    >>> evidence.pentanomial, evidence.copies
    ([0, 0, 1, 0, 3], 0)
    """

    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)
    """How many pairs that are news brought the first player 0, 1/2, 1, 3/2 and 2 points."""
    copies: int = 0
    """Pairs that repeat earlier ones and do not count."""
    stale: int = 0
    """Pairs since the last one that was news."""
    _only: dict[Hashable, tuple[Hashable, float, int] | None] = field(default_factory=dict, repr=False)
    """By opening: the moves and points of its only pair, and the number of its copies; None where pairs differ."""

    @property
    def pairs(self) -> int:
        """Number of pairs, copies too."""
        return sum(self.pentanomial) + self.copies

    def is_used_up(self, openings: int) -> bool:
        """Whether a whole turn through the openings brought nothing new."""
        return self.stale >= max(openings, STALE_PAIRS)

    def add(self, opening: Hashable, moves: Hashable, points: float) -> None:
        """Add a pair of games.

        Args:
            opening: where both games began.
            moves: of both games; equal for pairs that are copies.
            points: of the first player, 0 to 2.
        """
        self.stale += 1
        if opening not in self._only:
            self._only[opening] = moves, points, 0
        elif (known := self._only[opening]) is not None:
            only, before, copies = known
            if (only, before) == (moves, points):
                self._only[opening] = moves, points, copies + 1
                self.copies += 1
                return
            self._only[opening] = None
            self.pentanomial[round(2 * before)] += copies
            self.copies -= copies
        self.pentanomial[round(2 * points)] += 1
        self.stale = 0
