"""Games of two players as evidence, for Elo, LOS and SPRT alike: copies of earlier games are none."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from plyground.arena.statistics.rating import Unit

PENTANOMIAL = (0.0, 0.5, 1.0, 1.5, 2.0)
"""The points of a pair of games, in the order of the counts."""

STALE_PAIRS = 20
"""Copies one after another, at least, before openings count as used up; a few come about by chance."""


@dataclass
class Evidence:
    """The games of two players that are news.

    While an opening has brought the same pair, move for move, each time, the players repeat themselves there, and the
    pair counts once. As soon as it brings another one, chance is at work, and all of its pairs count. A game in no pair
    is a copy of an equal half of such an only pair, and of an equal game in no pair.

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
    """Numbers of pairs, without copies, that brought the first player 0, 1/2, 1, 3/2 and 2 points."""
    copies: int = 0
    """Pairs that repeat earlier ones and do not count."""
    alone: Counter[float] = field(default_factory=Counter)
    """Numbers of single games, without copies, in which the first player scored 0, 1/2 and 1 points."""
    lone_copies: int = 0
    """Games in no pair that repeat earlier ones and do not count."""
    stale: int = 0
    """Pairs since the last one that was news."""
    _only_pairs: dict[Hashable, tuple[Sequence[Hashable], float, int] | None] = field(default_factory=dict, repr=False)
    """Moves, points and number of copies of an opening's only pair, by opening; None where its pairs differ."""
    _lone_games: set[Hashable] = field(default_factory=set, repr=False)

    @property
    def pairs(self) -> int:
        """Number of pairs, copies too."""
        return sum(self.pentanomial) + self.copies

    @property
    def units(self) -> Counter[Unit]:
        """Observations for `rating`, in which the first player is 0 and the other 1."""
        pairs = {(0, 1, 2, points): times for points, times in zip(PENTANOMIAL, self.pentanomial, strict=True) if times}
        return Counter(pairs | {(0, 1, 1, points): times for points, times in self.alone.items()})

    def is_used_up(self, openings: int) -> bool:
        """Whether a whole turn through the openings brought nothing new."""
        # A whole turn through the openings, since each may still have brought chance.
        return self.stale >= max(openings, STALE_PAIRS)

    def add(self, opening: Hashable, moves: Sequence[Hashable], points: float) -> None:
        """Add a pair of games.

        Args:
            opening: where both games began.
            moves: of both games; equal for pairs that are copies.
            points: of the first player, 0 to 2.
        """
        self.stale += 1
        # The first pair of an opening always counts; what it is worth is known when the opening comes again.
        if opening not in self._only_pairs:
            self._only_pairs[opening] = moves, points, 0
        elif (known := self._only_pairs[opening]) is not None:
            only, before, copies = known
            if (only, before) == (moves, points):
                self._only_pairs[opening] = moves, points, copies + 1
                self.copies += 1
                return
            # From here on the opening is played with chance, and pairs that look like copies are independent after all.
            self._only_pairs[opening] = None
            self.pentanomial[round(2 * before)] += copies
            self.copies -= copies
        self.pentanomial[round(2 * points)] += 1
        self.stale = 0

    def add_alone(self, opening: Hashable, seat: int, moves: Hashable, points: float) -> None:
        """Add a game in no pair, after all pairs.

        Args:
            opening: where it began.
            seat: of the first player, 0 for x; it is the game's place in a pair.
            moves: of the game.
            points: of the first player, 0 to 1.
        """
        only, game = self._only_pairs.get(opening), (opening, seat, moves)
        is_chance = opening in self._only_pairs and only is None
        if not is_chance and (game in self._lone_games or (only is not None and only[0][seat] == moves)):
            self.lone_copies += 1
            return
        self._lone_games.add(game)
        self.alone[points] += 1
