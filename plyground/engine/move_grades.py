"""Grades of moves by their losses, from the score of the best move and that of the move played.

Both scores must be of the same search, looked at to the same depth; then their difference is the move's, not the
horizon's. What is exact on both sides is said as a fact, everything else as an estimate.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import exp
from typing import Final, Literal

from plyground.in_pages import in_pages
from plyground.score import SCORE_WORDS, Score, counted_plies, judge_move, percent

Grade = Literal["only", "best", "good", "lost", "inaccuracy", "mistake", "blunder", "losing"]
"""`only`: there was no other move. `lost`: every move loses, which is proved; this one sooner than another, or it is
not known how soon. `losing`: the other side's win is proved after the move; what the other moves are worth is not known
well enough to say what it lost."""
Kind = Literal["", "gave", "allowed", "missed"]


@dataclass(frozen=True)
class GradeWords:
    """Templates of the sentences about a graded move."""

    best: str = "{move} is a best move."
    only: str = "{move} is the only move."
    only_move: str = "only move"
    seems_best: str = "{move} seems best ({how})."
    seems_good: str = "{move} seems good, {best} a little better ({how})."
    seems: str = "seems {grade}"
    later: str = "{move} wins too, later than {best}."
    keeps: str = "{move} keeps the win."
    sooner: str = "{move} loses sooner than {best}."
    loses: str = "{move} loses, as every move does."
    loses_sooner: str = "loses sooner"
    lost_anyway: str = "lost anyway"
    lost: str = "{move} loses in {plies}; {best} holds out longer."
    unsure: str = "{move} {lets}; the search was not deep enough to say whether there was something better."
    lets: str = "lets {name} win by force"
    bad: str = "{grade}: {kind}. Now {now} ({how}){reply}. Better {best}: {then} ({known}){line}."
    line: str = ", {moves}"
    allowed: str = "allowed a win"
    missed: str = "missed a win"
    falls: str = "{name}'s chance falls by {loss}"
    losses: tuple[tuple[float, Grade], ...] = ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
    """Least losses of chance that have a bad grade, as chess sites have them: a blunder costs a fifth of a point."""
    proved: str = "proved"
    searched: str = "searched to depth {depth}"


GRADE_WORDS: Final = GradeWords()


@in_pages
@dataclass(frozen=True)
class GradedMove:
    """A move with its grade."""

    grade: Grade
    kind: Kind
    """A move `gave` a win, a draw or part of the margin away, which is proved. It `allowed` a win of the other side, or
    `missed` its own: that win is proved, and an estimate that another move prevents it, or this one spoils it. Empty
    where only the chance fell, and where nothing was lost."""
    loss: float
    """Loss of the mover's expected result, 0 to 1; of a `losing` move, what it lost if the estimate of the best move
    were right: it orders moves and is not counted."""
    exact: bool
    """Whether it is proved what this move lost: the result with the best move, and with this one. Else it is an
    estimate."""

    @property
    def is_bad(self) -> bool:
        """Whether a better move is shown beside it."""
        return self.grade in ("inaccuracy", "mistake", "blunder")

    @property
    def is_turning_point(self) -> bool:
        """Whether the move lost something, or may have."""
        return self.is_bad or self.grade == "losing"


@in_pages
def grade_move(best: Score, played: Score, player: int) -> GradedMove:
    """The grade of a player's move.

    Args:
        best: score of the best move, equal to `played` if that is a best one.
        played: score of the move.
        player: the mover, 0 or 1.

    >>> grade_move(Score(1, plies=3), Score(-1, plies=2), player=0)
    GradedMove(grade='blunder', kind='gave', loss=1.0, exact=True)
    >>> grade_move(Score(points=0), Score(-1, plies=2), player=0).kind
    'allowed'
    >>> grade_move(Score(points=-999), Score(-1, plies=2), player=0).grade  # hopeless before, by an estimate
    'losing'
    >>> grade_move(Score(-1, plies=4), Score(-1, plies=2), player=0).grade
    'lost'
    """
    gave = judge_move(best, played, player).gave
    exact = gave is not None
    loss = max(0.0, best.expected_result(player) - played.expected_result(player))
    # Order of the cases: what is proved first, then praise, then blame by the loss of chance.
    is_kept = gave is None or gave == "nothing"
    is_as_good = played.order(player) >= best.order(player)
    if is_kept and best.winner is not None and best.winner == played.winner:  # else an unknown distance is compared
        is_best = is_as_good and best.certain and played.certain
        return GradedMove("best" if is_best else "good" if best.winner == player else "lost", "", 0.0, exact)
    if is_kept and is_as_good:
        return GradedMove("best", "", 0.0, exact)
    grade: Grade = next((grade for least, grade in GRADE_WORDS.losses if loss >= least), "good")
    kind: Kind = ""
    if exact:
        # A smaller win is a win: it is never worse than an inaccuracy.
        if gave == "margin":
            grade = "inaccuracy"
        kind = "" if is_kept else "gave"
    elif played.winner == 1 - player and best.winner != 1 - player:
        grade, kind = ("losing" if grade == "good" else grade), "allowed"
    elif best.winner == player:
        grade, kind = ("inaccuracy" if grade == "good" else grade), "missed"
    return GradedMove(grade, kind, loss, exact)


@in_pages
def accuracy(losses: Iterable[float]) -> float | None:
    """Accuracy of a side in percent, by the losses of its moves that had a choice; None without such a move."""
    total, count = 0.0, 0
    for loss in losses:
        total, count = total + accuracy_of(loss), count + 1
    return total / count if count else None


@in_pages
def accuracy_of(loss: float) -> float:
    """Accuracy of a single move in percent, 0 to 100, by the chance that it lost.

    The curve is the one that Lichess fitted to what players call accurate (https://lichess.org/page/accuracy).
    """
    # Lichess gives it for a loss in percent: 103.1668 × exp(−0.04354 × loss) − 3.1669; the loss is a share here.
    return min(100.0, max(0.0, 103.1668 * exp(-4.354 * loss) - 3.1669))


def how_known(score: Score, depth: int) -> str:
    """Whether a score is proved, or how deep the search was that found it."""
    if score.utility is not None:
        return GRADE_WORDS.proved
    return GRADE_WORDS.searched.format(depth=depth)


def standing_text(score: Score, player: int, names: tuple[str, str]) -> str:
    """A score beside a player's loss of chance: that player's chance, `Black 32 %`; in the usual words where it is no
    chance."""
    return f"{names[player]} {score.brief(player)}" if score.chance else score.text(names)


@in_pages
def lost_text(move: GradedMove, best: Score, played: Score, player: int, names: tuple[str, str]) -> str:
    """Loss of a bad move, in words: `gave away the draw`, `allowed a win in 2 plies (estimate)`, `White's chance falls
    by 12 %`."""
    if move.kind == "gave":
        return judge_move(best, played, player).text
    if not move.kind:
        return GRADE_WORDS.falls.format(name=names[player], loss=percent(move.loss))
    is_allowed = move.kind == "allowed"
    lost = GRADE_WORDS.allowed + score_after_move(played).distance if is_allowed else GRADE_WORDS.missed + best.distance
    return SCORE_WORDS.estimate.format(found=lost)


@in_pages
def lets_text(after: Score, names: tuple[str, str]) -> str:
    """The win that a move lets the other side force, by the score of the position after it: `lets White win by force in
    5 plies`. The number is enough to force it; a sooner win may exist unless the score tells the distance."""
    plies = after.plies or after.within
    distance = SCORE_WORDS.distance.format(plies=counted_plies(plies)) if plies else ""
    return GRADE_WORDS.lets.format(name=names[after.winner or 0]) + distance


@in_pages
def score_after_move(score: Score) -> Score:
    """The score of the position after a move, by that of the move: its end is one ply nearer."""
    if score.within:
        return replace(score, within=score.within - 1)
    return score if not score.plies else replace(score, plies=score.plies - 1)
