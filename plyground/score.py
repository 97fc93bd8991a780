"""What a position is worth: an int inside the searches, a `Score` at the edge.

One scale for every game, from the first player's side (MAX, x): a finished game of utility u, n plies ahead, is worth
`u * FINAL - n` if u > 0 and `u * FINAL + n` if u < 0, so a larger margin beats a smaller one, a sooner win beats a
later one and a later loss a sooner one. A draw is 0. An opinion of an unfinished game is an int closer to 0 than
`ESTIMATES`, so every win is above every opinion and every loss below.
"""

from dataclasses import dataclass
from typing import Final

FINAL: Final = 1 << 20
ESTIMATES: Final = FINAL // 2
INFINITY: Final = 1 << 40
"""Above every value: the window's edges before anything is known."""


def final(utility: int, plies: int) -> int:
    """The value of a finished game of this utility, this many plies ahead (0 plies: only who wins, not when)."""
    if utility > 0:
        return utility * FINAL - plies
    if utility < 0:
        return utility * FINAL + plies
    return 0


@dataclass(frozen=True, order=True)
class Score:
    """What a position or move is worth, from the first player's (x's) side; a higher score is better for x.

    `value` is on the scale above, plies counted from the position that was searched. `exact` says that no opinion
    entered it: with perfect play on both sides the game ends so. A win or loss is known as soon as a line that forces
    it is; a draw, and how large a margin gets, only when the search has seen every line to its end.
    """

    value: int
    exact: bool

    @property
    def utility(self) -> int | None:
        """The utility for the first player of the end that is foreseen; None if the score is an estimate."""
        if abs(self.value) < ESTIMATES:
            return 0 if self.exact else None
        return (abs(self.value) + ESTIMATES) // FINAL * (1 if self.value > 0 else -1)

    @property
    def winner(self) -> int | None:
        """The player (0 or 1) who wins; None for a draw or an estimate."""
        return None if not self.utility else int(self.utility < 0)

    @property
    def plies(self) -> int | None:
        """In how many plies the win or loss comes; None for a draw or an estimate."""
        return None if not self.utility else abs(self.utility) * FINAL - abs(self.value)

    def later(self, plies: int) -> "Score":
        """The same end seen from this many plies earlier in the game."""
        away = 0 if self.winner is None else (-plies if self.winner == 0 else plies)
        return Score(self.value + away, self.exact)

    def text(self, names: tuple[str, str] = ("x", "o")) -> str:
        """In words: `x wins in 5 plies`, `draw`, or an estimate such as `+3`, positive when good for the first player.

        >>> Score(final(1, 5), exact=True).text()
        'x wins in 5 plies'
        >>> Score(3, exact=False).text()
        '+3'
        """
        if self.winner is None:
            return "draw" if self.exact else f"{self.value:+d}"
        assert self.utility is not None
        margin = f" by {abs(self.utility)}" if abs(self.utility) > 1 else ""
        when = "has won" if self.plies == 0 else "wins"
        distance = "" if self.plies == 0 else f" in {self.plies} {'ply' if self.plies == 1 else 'plies'}"
        return f"{names[self.winner]} {when}{margin}{distance}"
