"""What a position is worth: an int inside the searches, a `Score` at the edge.

One scale for every game, from the first player's side (MAX, x): a finished game of utility u, n plies ahead, is worth
`u * FINAL - n` if u > 0 and `u * FINAL + n` if u < 0, so a larger margin beats a smaller one, a sooner win beats a
later one and a later loss a sooner one. A draw is 0. An opinion of an unfinished game is an int closer to 0 than
`ESTIMATES`, so every win is above every opinion and every loss below.

These ints stay in the searches. What people and programs are told is a `Score`, which says what it does not know: how
many plies away the end is, how large the margin gets, or who wins at all.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Final, Literal, TypeVar

FINAL: Final = 1 << 20
ESTIMATES: Final = FINAL // 2
INFINITY: Final = 1 << 40
"""Above every value: the window's edges before anything is known."""

PLAYERS: Final = ("x", "o")


def final(utility: int, plies: int) -> int:
    """The value of a finished game of this utility, this many plies ahead (0 plies: only who wins, not when)."""
    if utility > 0:
        return utility * FINAL - plies
    if utility < 0:
        return utility * FINAL + plies
    return 0


@dataclass(frozen=True)
class Score:
    """What a position or a move is worth, from the first player's (x's) side: an end, or an estimate of either kind.

    Exactly one of `utility`, `points` and `share` is told. Scores have no order of their own, because what is better
    depends on who asks: see `order`.

    >>> Score(1, plies=5).text(), Score(-4).text(), Score(2, bound=True).text(), Score(points=3).text()
    ('x wins in 5 plies', 'o wins by 4', 'x wins by 2 or more', '+3 (estimate)')
    """

    utility: int | None = None
    """The utility for x of the end that is foreseen; None for an estimate."""
    plies: int | None = None
    """In how many plies that end comes, 0 if the game is over. None: nobody knows when, and for draws and estimates."""
    bound: bool = False
    """Whether the winner is sure of this utility and may get a larger one."""
    points: int | None = None
    """An opinion in the game's own units, positive when good for x."""
    share: float | None = None
    """x's share of simulated games, 0 to 1, where a draw is a half to each."""

    def __post_init__(self) -> None:
        if [self.utility, self.points, self.share].count(None) != 2:
            raise ValueError(f"{self!r}: a score is a utility, points or a share, and only one of them.")
        if not self.utility and (self.plies or self.bound):
            raise ValueError(f"{self!r}: only a win has plies or is a bound.")

    @classmethod
    def of(cls, value: int, *, hurry: bool = True) -> "Score":
        """The end that a value on the scale above stands for, or the opinion. Without `hurry`, values tell no plies.

        >>> Score.of(final(-2, 3)), Score.of(0).utility, Score.of(-7).points
        (Score(utility=-2, plies=3, bound=False, points=None, share=None), None, -7)
        """
        if abs(value) < ESTIMATES:
            return cls(points=value)
        utility = (abs(value) + ESTIMATES) // FINAL * (1 if value > 0 else -1)
        return cls(utility, abs(utility) * FINAL - abs(value) if hurry else None)

    @classmethod
    def over(cls, utility: int) -> "Score":
        """Of a game that has ended."""
        return cls(utility, plies=0 if utility else None)

    @property
    def exact(self) -> bool:
        """Whether the game ends with just this utility if both play perfectly; it may be open in how many plies."""
        return self.utility is not None and not self.bound

    @property
    def certain(self) -> bool:
        """Whether nothing more can be found out: exact, and of a win also the plies."""
        return self.exact and (self.utility == 0 or self.plies is not None)

    @property
    def winner(self) -> int | None:
        """The player (0 or 1) who wins; None for a draw or an estimate."""
        return None if not self.utility else int(self.utility < 0)

    def order(self, player: int) -> tuple[float, ...]:
        """For sorting and comparing: the higher, the better for a player.

        Wins are above what is even or open, losses below; then the margin counts, and whether it may yet be larger;
        then a sooner win is better, and a later loss. An end that nobody knows the distance of counts as farther away
        than any other. Points are compared with points, shares with shares: they have no common measure.
        """
        won = 0 if self.winner is None else 1 if self.winner == player else -1
        distance = inf if self.plies is None else self.plies
        return (*self.worth(player), won * self.bound, -won * distance if won else 0)

    def worth(self, player: int) -> tuple[float, ...]:
        """As `order`, but for how soon it comes: equal for scores that are worth the same to a player."""
        side = 1 if player == 0 else -1
        won = 0 if self.winner is None else 1 if self.winner == player else -1
        amount = self.utility if self.utility is not None else self.points
        return won, side * (amount if amount is not None else 2 * (self.share or 0) - 1)

    def text(self, names: tuple[str, str] = PLAYERS) -> str:
        """In words: `x wins in 5 plies`, `x wins by 2 or more`, `draw`, `+3 (estimate)` (positive is good for x),
        `x scores 56 % of simulations`.
        """
        if self.points is not None:
            return f"{self.points:+d} (estimate)"
        if self.share is not None:
            return f"{names[0]} scores {100 * self.share:.0f} % of simulations"
        if self.winner is None:
            return "draw"
        when = "has won" if self.plies == 0 else "wins"
        distance = f" in {self.plies} {'ply' if self.plies == 1 else 'plies'}" if self.plies else ""
        return f"{names[self.winner]} {when}{self.margin}{distance}"

    @property
    def margin(self) -> str:
        """By how much is won, in words: ` by 2`, ` by 2 or more`; nothing where it is by 1."""
        if abs(self.utility or 0) < 2:
            return ""
        return f" by {abs(self.utility or 0)}{' or more' if self.bound else ''}"

    def brief(self, player: int) -> str:
        """For a player, so short that it fits a cell: `wins in 5`, `loses by 4`, `wins by 2+`, `draw`, `+3`, `56 %`.

        Estimates are that player's as well: the more, the better for them.
        """
        if self.points is not None:
            return f"{self.points if player == 0 else -self.points:+d}"
        if self.share is not None:
            return f"{100 * (self.share if player == 0 else 1 - self.share):.0f} %"
        if self.winner is None:
            return "draw"
        far = f" in {self.plies}" if self.plies else ""
        return ("wins" if self.winner == player else "loses") + (self.margin.replace(" or more", "+") or far)

    def data(self, names: tuple[str, str] = PLAYERS) -> dict[str, object]:
        """For programs: what is known, None for what is not, and the same in words."""
        return {
            "text": self.text(names),
            "exact": self.exact,
            "winner": None if self.winner is None else names[self.winner],
            "utility": self.utility,
            "plies": self.plies,
            "points": self.points,
            "share": self.share,
        }

    def _between(self, player: int) -> tuple[float, float]:
        """What the utility for a player is known to lie between."""
        if self.utility is None:
            return -inf, inf
        own = self.utility if player == 0 else -self.utility
        return (own, own) if not self.bound else (own, inf) if own > 0 else (-inf, own)


Each = TypeVar("Each")


def best_of(scores: Iterable[tuple[Each, Score]], player: int) -> list[Each]:
    """What no other is better than for a player: moves with their scores in, the best of them out."""
    ranked = [(score.order(player), each) for each, score in scores]
    most = max((order for order, _ in ranked), default=())
    return [each for order, each in ranked if order == most]


Gave = Literal["nothing", "margin", "draw", "win"]


@dataclass(frozen=True)
class Verdict:
    """What a move did to the value of a position, for who made it."""

    gave: Gave | None
    """What it gave away; None if the scores do not tell."""
    text: str
    """In words: `kept`, `unclear`, `gave away the draw`, `gave away 2: a win by 2, not by 4`."""


def judged(before: Score, after: Score, player: int) -> Verdict:
    """A player's move, by the score of the position before it (which is that of a best move) and that after it.

    Only what is certain is said: with a bound or an estimate it may remain unclear. A win that comes later is kept.

    >>> judged(Score(4), Score(2), player=0).text, judged(Score(1, plies=3), Score(0), player=0).text
    ('gave away 2: a win by 2, not by 4', 'gave away the win for a draw')
    >>> judged(Score(0), Score(1, plies=5), player=1).text, judged(Score(points=3), Score(0), player=0).text
    ('gave away the draw', 'unclear')
    """
    had, most_had = before._between(player)
    least_has, has = after._between(player)
    if has < had:
        sure = before.exact and after.exact
        if had > 0 >= has:
            return Verdict("win", f"gave away the {_end(had, before.exact)} for a {_end(has, after.exact)}")
        if had == 0:
            instead = f" for a {_end(has, after.exact)}" if has < -1 else ""
            return Verdict("draw", f"gave away the draw{instead}")
        if not sure:
            return Verdict("margin", "gave away part of the margin")
        end = "win" if had > 0 else "loss"
        return Verdict("margin", f"gave away {had - has}: a {end} by {abs(has)}, not by {abs(had)}")
    return Verdict("nothing", "kept") if least_has >= most_had else Verdict(None, "unclear")


def _end(own: float, exact: bool) -> str:
    """An end as the player sees it: `win by 4`, `draw`, `loss`."""
    word = "win" if own > 0 else "loss" if own < 0 else "draw"
    return f"{word} by {abs(own)}" if exact and abs(own) > 1 else word
