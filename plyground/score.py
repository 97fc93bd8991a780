"""Values of positions: an int inside the searches, a `Score` at the edge.

One scale for every game, from the first player's side (MAX, x): a finished game of utility u, n plies ahead, is worth
`u * FINAL - n` if u > 0 and `u * FINAL + n` if u < 0, so a larger margin beats a smaller one, a sooner win beats a
later one and a later loss a sooner one. A draw is 0. A static evaluation is an int closer to 0 than
`ESTIMATES`, so every win is above every evaluation and every loss below.

These ints stay in the searches. People and programs get a `Score`, which also says what is not known: how many plies
away the end is, how large the margin gets, or who wins at all.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, Literal, TypeVar

from plyground.errors import BadInput, check_arguments, check_fields
from plyground.in_pages import in_pages

# Large enough that no distance (`MOST_PLIES`) nor estimate reaches half of it, small enough that the largest utility,
# 2**16, stays below 2**37 (`search/table.py`).
FINAL: Final = 1 << 20
ESTIMATES: Final = FINAL // 2
# And below 2**53: in a page scores are floats.
INFINITY: Final = 1 << 40
"""Above every value: the window's edges before anything is known."""

MOST_PLIES: Final = 10_000
"""Most plies of an end that a value may tell; a value farther from every end is a wrong search's."""

SIDES: Final = ("x", "o")
HALF_BAR_POINTS: Final = 20
"""Points at which an estimate without a curve stands half way to the end of an evaluation bar."""


@in_pages
def final(utility: int, plies: int) -> int:
    """The value of a finished game of this utility, this many plies ahead (0 plies: only who wins, not when).

    >>> final(1, 5) > final(1, 7) > 0 > final(-1, 9) > final(-1, 3)
    True
    """
    if utility > 0:
        return utility * FINAL - plies
    if utility < 0:
        return utility * FINAL + plies
    return 0


@in_pages
def utility_of(value: int) -> int:
    """Utility of the end that a value stands for, from the first player's side; 0 for a static evaluation.

    >>> utility_of(final(-2, 3)), utility_of(-7)
    (-2, 0)
    """
    # Rounded to the nearest multiple: a distance moves a value by less than half of `FINAL`, either way.
    utility = (abs(value) + ESTIMATES) // FINAL
    return utility if value > 0 else -utility


@in_pages
def plies_of(value: int) -> int:
    """Plies to the end that a value stands for; meaningless for a static evaluation.

    >>> plies_of(final(-2, 3))
    3
    """
    return abs(utility_of(value)) * FINAL - abs(value)


@in_pages
def is_end(value: int) -> bool:
    """Whether a value stands for an end that a game can have; others are static evaluations, or a wrong search's.

    >>> is_end(final(1, 3)), is_end(final(1, -1)), is_end(7)
    (True, False, False)
    """
    plies = plies_of(value)
    return abs(value) >= ESTIMATES and 0 <= plies <= MOST_PLIES


# Data and not literals: a page's workers fill the same templates.
@dataclass(frozen=True)
class ScoreWords:
    """Words and templates of the sentences about a score or a verdict."""

    estimate: str = "{found} (estimate)"
    impossible: str = "{value} (impossible)"
    chance: str = "{name} {share}"
    amount: str = " ({amount})"
    simulations: str = "{name} scores {share} of simulations"
    draw: str = "draw"
    win: str = "win"
    loss: str = "loss"
    wins: str = "wins"
    loses: str = "loses"
    has_won: str = "has won"
    margin: str = " by {most}"
    or_more: str = " or more"
    distance: str = " in {plies}"
    at_most: str = " within {plies}"
    ply: str = "ply"
    plies: str = "plies"
    kept: str = "kept"
    unclear: str = "unclear"
    gave_away: str = "gave away the {end}"
    instead: str = " for a {end}"
    part: str = "gave away part of the margin"
    less: str = "gave away {less}: a {end} by {has}, not by {had}"


SCORE_WORDS: Final = ScoreWords()


@in_pages
@dataclass(frozen=True)
class Chance:
    """Reading of an estimate, from the first player's side, by games that were played (`engine/chances.py`)."""

    share: float
    """Expected result of the game for x, 0 to 1, where a draw is a half."""
    amount: str
    """The estimate in the game's own unit: `+0.4 pawns`; empty where that would not agree with the share."""


@in_pages(without=("data", "as_estimate", "proved_by"))
@dataclass(frozen=True)
class Score:
    """Value of a position or a move, from the first player's (x's) side: an end, or an estimate of either kind.

    Exactly one of `utility`, `points` and `share` is set. Scores have no order of their own, because what is better
    depends on who asks: see `order`.

    >>> Score(1, plies=5).text(), Score(-4).text(), Score(2, bound=True).text(), Score(points=3).text()
    ('x wins in 5 plies', 'o wins by 4', 'x wins by 2 or more', '+3 (estimate)')
    >>> Score.of(FINAL + 3).text(), Score(points=-FINAL - 1).text()
    ('1048579 (impossible)', '-1048577 (impossible)')
    """

    utility: int | None = None
    """The utility for x of the end that is foreseen; None for an estimate."""
    plies: int | None = None
    """Plies to that end, 0 if the game is over. None: not known; also for draws and estimates. Negative
    or more than `MOST_PLIES` where a wrong search gives a value that no game has."""
    bound: bool = False
    """Whether the winner is sure of this utility and may get a larger one."""
    points: int | None = None
    """Static evaluation in the game's own units, positive when good for x. From `ESTIMATES` on, either
    way, an end on the scale of values: found by a search that may have left out what prevents it, so not proved."""
    share: float | None = None
    """x's share of simulated games, 0 to 1, where a draw is a half to each."""
    chance: Chance | None = field(default=None, compare=False, repr=False)
    """Beside `points`: what they mean for the result. None where no curve was fitted for the game."""
    within: int | None = field(default=None, repr=False)
    """Upper bound in plies for an end at an unknown distance: the winner can force it within them. None: not known."""

    def __post_init__(self) -> None:
        check_fields(self)
        # Three fields and no tag: which one is set says the kind, and a score with two would have two truths.
        if [self.utility, self.points, self.share].count(None) != 2:
            raise BadInput(f"{self!r}: a score is a utility, points or a share, and only one of them.")
        if not self.utility and (self.plies or self.bound or self.within):
            raise BadInput(f"{self!r}: only a win has plies or is a bound.")

    @classmethod
    def of(cls, value: int, *, prefer_shorter: bool = True) -> "Score":
        """Score of a value on the scale above: a win, or a static evaluation. Without `prefer_shorter` it has no plies.

        >>> Score.of(final(-2, 3)), Score.of(0).utility, Score.of(-7).points
        (Score(utility=-2, plies=3, bound=False, points=None, share=None), None, -7)
        """
        # 0 among the estimates as well: whether a draw is proved, only the caller knows (`searched_score`).
        if abs(value) < ESTIMATES:
            return cls(points=value)
        return cls(utility_of(value), plies_of(value) if prefer_shorter else None)

    @classmethod
    def over(cls, utility: int) -> "Score":
        """Score of a finished game, by its utility for x."""
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

    @property
    def foreseen(self) -> "Score | None":
        """The end that an estimate tells of without a proof; None for all other scores."""
        if self.points is None or abs(self.points) < ESTIMATES:
            return None
        return Score(utility_of(self.points), plies_of(self.points) or None)

    @property
    def as_estimate(self) -> "Score":
        """Estimate of the same value: an end without its proof.

        >>> Score(1, plies=5).as_estimate.text(), Score(0).as_estimate.text(), Score(-2, bound=True).as_estimate.text()
        ('x wins in 5 plies (estimate)', '+0 (estimate)', 'o wins by 2 (estimate)')
        """
        return self if self.utility is None else Score(points=final(self.utility, self.plies or 0))

    def proved_by(self, proof: "Score") -> "Score":
        """The score of a search that left nothing out, where it proves what this estimate tells; else the estimate.

        >>> Score(1, plies=5).as_estimate.proved_by(Score(1, plies=5)).text()
        'x wins in 5 plies'
        >>> Score(1, plies=5).as_estimate.proved_by(Score(1, plies=7)).text()
        'x wins in 5 plies (estimate)'
        """
        if self.points is None or proof.utility is None:
            return self
        told = self.foreseen or Score(0)
        # A draw is the same as an estimate of 0 points and no other.
        is_same = told.utility == proof.utility and (told.utility != 0 or self.points == 0)
        return proof if is_same and told.plies in (None, proof.plies) else self

    def order(self, player: int) -> tuple[float, ...]:
        """Sort key, higher for a better score for the player.

        Wins are above what is even or open, losses below; then the margin counts, and whether it may yet be larger;
        then a sooner win is better, and a later loss. An end at an unknown distance counts as farther away
        than any other. Points are compared with points, shares with shares: they have no common measure.
        """
        won = 0 if self.winner is None else 1 if self.winner == player else -1
        # Unknown is farther than known, so that a win with a known distance is preferred to one that may take long.
        distance = inf if self.plies is None else self.plies
        return (*self.worth(player), won * self.bound, -won * distance if won else 0)

    def worth(self, player: int) -> tuple[float, ...]:
        """Sort key without distances: equal for scores that are worth the same to a player."""
        side = 1 if player == 0 else -1
        won = 0 if self.winner is None else 1 if self.winner == player else -1
        amount = self.utility if self.utility is not None else self.points
        # A share is stretched to -1 … 1, so that a half is even for both players.
        return won, side * (amount if amount is not None else 2 * (self.share or 0) - 1)

    @check_arguments
    def text(self, names: tuple[str, str] = SIDES) -> str:
        """In words: `x wins in 5 plies`, `x wins by 2 or more`, `draw`, `+3 (estimate)` (positive is good for x),
        `x scores 56 % of simulations`; where a curve was fitted, x's chance: `White 62 % (+0.4 pawns)`.
        """
        if self.impossible:
            return self.impossible
        if self.chance is not None:
            amount = SCORE_WORDS.amount.format(amount=self.chance.amount) if self.chance.amount else ""
            return SCORE_WORDS.chance.format(name=names[0], share=percent(self.chance.share)) + amount
        if self.points is not None:
            found = f"{self.points:+d}" if self.foreseen is None else self.foreseen.text(names)
            return SCORE_WORDS.estimate.format(found=found)
        if self.share is not None:
            return SCORE_WORDS.simulations.format(name=names[0], share=percent(self.share))
        if self.winner is None:
            return SCORE_WORDS.draw
        when = SCORE_WORDS.has_won if self.plies == 0 else SCORE_WORDS.wins
        return f"{names[self.winner]} {when}{self.margin}{self.distance}"

    @property
    def impossible(self) -> str:
        """The value as a number with a word, where no game has it; empty for all others."""
        value = final(self.utility or 0, self.plies or 0) if self.points is None else self.points
        is_possible = abs(value) < ESTIMATES or is_end(value)
        return "" if is_possible else SCORE_WORDS.impossible.format(value=value)

    @property
    def distance(self) -> str:
        """Distance of the end in words: ` in 5 plies`, ` within 5 plies`; empty if it is unknown, or the game over."""
        if self.plies:
            return SCORE_WORDS.distance.format(plies=counted_plies(self.plies))
        return SCORE_WORDS.at_most.format(plies=counted_plies(self.within)) if self.within else ""

    @property
    def margin(self) -> str:
        """Margin of a win in words: ` by 2`, ` by 2 or more`; empty for a margin of 1."""
        if abs(self.utility or 0) < 2:
            return ""
        return SCORE_WORDS.margin.format(most=abs(self.utility or 0)) + (SCORE_WORDS.or_more if self.bound else "")

    def brief(self, player: int) -> str:
        """For a player, so short that it fits a cell: `wins in 5`, `loses by 4`, `wins by 2+`, `draw`, `+3`, `56 %`.

        Estimates are that player's as well: the more, the better for them.
        """
        if self.impossible:
            return self.impossible
        if self.foreseen is not None:
            return SCORE_WORDS.estimate.format(found=self.foreseen.brief(player))
        if self.points is not None and self.chance is None:
            return f"{self.points if player == 0 else -self.points:+d}"
        share = self.chance.share if self.chance else self.share
        if share is not None:
            return percent(share if player == 0 else 1 - share)
        if self.winner is None:
            return SCORE_WORDS.draw
        far = SCORE_WORDS.distance.format(plies=self.plies) if self.plies else ""
        ends = SCORE_WORDS.wins if self.winner == player else SCORE_WORDS.loses
        return ends + (self.margin.replace(SCORE_WORDS.or_more, "+") or far)

    @check_arguments
    def data(self, names: tuple[str, str] = SIDES) -> dict[str, object]:
        """Score as plain data for JSON; None for unknown values; `text` has it in words."""
        return {
            "text": self.text(names),
            "exact": self.exact,
            "winner": None if self.winner is None else SIDES[self.winner],
            "utility": self.utility,
            "plies": self.plies,
            "points": self.points,
            "share": self.share,
            "chance": None if self.chance is None else self.chance.share,
        }

    def expected_result(self, player: int) -> float:
        """Expected result for a player, 0 to 1: 1, 1/2 or 0 where the winner is known; else a chance, or a share.

        Points without a curve approach 0 and 1 and reach neither; then it is only an order.
        """
        if self.winner is not None:
            x = 1.0 - self.winner
        elif self.chance is not None:
            x = self.chance.share
        elif self.share is not None:
            x = self.share
        else:
            points = self.points or 0
            # A curve for bars alone: monotone, and symmetric in the players; it is fitted to nothing.
            x = 0.5 + 0.5 * points / (abs(points) + HALF_BAR_POINTS)
        return x if player == 0 else 1 - x

    def _utility_bounds(self, player: int) -> tuple[int, int]:
        """Bounds of the utility for a player."""
        if self.utility is None:
            return -INFINITY, INFINITY
        own = self.utility if player == 0 else -self.utility
        # The winner has at least this utility and perhaps more; the loser has at most this utility.
        return (own, own) if not self.bound else (own, INFINITY) if own > 0 else (-INFINITY, own)


@in_pages
def percent(share: float) -> str:
    """A share in words: `62 %`."""
    return f"{100 * share:.0f} %"


@in_pages
def counted_plies(plies: int) -> str:
    """A number of plies in words: `1 ply`, `5 plies`."""
    return f"{plies} {SCORE_WORDS.ply if plies == 1 else SCORE_WORDS.plies}"


Each = TypeVar("Each")


@in_pages
def best_of(scores: Iterable[tuple[Each, Score]], player: int) -> list[Each]:
    """All best of some scored moves for a player: those of the highest `order`, in their order."""
    ranked = [(score.order(player), each) for each, score in scores]
    best = sorted(ranked, key=lambda pair: pair[0], reverse=True)
    # All of equal order, in the order in which they came.
    return [each for order, each in ranked if order == best[0][0]]


@in_pages
def best_first(scores: Iterable[tuple[Each, Score]], player: int) -> list[Each]:
    """Scored moves from the best to the worst for a player; equal ones stay in their order."""
    ranked = [(score.order(player), each) for each, score in scores]
    return [each for _, each in sorted(ranked, key=lambda pair: pair[0], reverse=True)]


Gave = Literal["nothing", "margin", "draw", "win"]


@in_pages
@dataclass(frozen=True)
class MoveVerdict:
    """Loss by a move, from the scores before and after it, for the player who made it."""

    gave: Gave | None
    """Part that the move gave away; None if the scores do not decide."""
    text: str
    """In words: `kept`, `unclear`, `gave away the draw`, `gave away 2: a win by 2, not by 4`."""


@in_pages
def earlier(score: Score) -> Score:
    """The score of a move, by that of the position after it: its end is one ply farther away."""
    if score.within is not None:
        return replace(score, within=score.within + 1)
    return score if score.plies is None else replace(score, plies=score.plies + 1)


@in_pages
def judge_move(before: Score, after: Score, player: int) -> MoveVerdict:
    """Judge a player's move by the score of the position before it (that of a best move) and that after it.

    Only what is certain is said: with a bound or an estimate it may remain unclear. A win that comes later is kept.

    >>> judge_move(Score(4), Score(2), player=0).text, judge_move(Score(1, plies=3), Score(0), player=0).text
    ('gave away 2: a win by 2, not by 4', 'gave away the win for a draw')
    >>> judge_move(Score(0), Score(1, plies=5), player=1).text, judge_move(Score(points=3), Score(0), player=0).text
    ('gave away the draw', 'unclear')
    """
    # The least that the player surely had, and the most that may be left: only if the one is above the other was
    # something given away for certain.
    had, most_had = before._utility_bounds(player)
    least_has, has = after._utility_bounds(player)
    if has < had:
        sure = before.exact and after.exact
        if had > 0 >= has:
            instead = SCORE_WORDS.instead.format(end=_end_text(has, after.exact))
            return MoveVerdict("win", SCORE_WORDS.gave_away.format(end=_end_text(had, before.exact)) + instead)
        if had == 0:
            instead = SCORE_WORDS.instead.format(end=_end_text(has, after.exact)) if has < -1 else ""
            return MoveVerdict("draw", SCORE_WORDS.gave_away.format(end=SCORE_WORDS.draw) + instead)
        if not sure:
            return MoveVerdict("margin", SCORE_WORDS.part)
        end = SCORE_WORDS.win if had > 0 else SCORE_WORDS.loss
        return MoveVerdict("margin", SCORE_WORDS.less.format(less=had - has, end=end, has=abs(has), had=abs(had)))
    return MoveVerdict("nothing", SCORE_WORDS.kept) if least_has >= most_had else MoveVerdict(None, SCORE_WORDS.unclear)


@in_pages
def _end_text(own: int, exact: bool) -> str:
    """An end as the player sees it: `win by 4`, `draw`, `loss`."""
    word = SCORE_WORDS.win if own > 0 else SCORE_WORDS.loss if own < 0 else SCORE_WORDS.draw
    return word + SCORE_WORDS.margin.format(most=abs(own)) if exact and abs(own) > 1 else word
