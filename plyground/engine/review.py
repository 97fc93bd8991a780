"""Review of a game: every move graded by its loss, the end of the game first.

A position is searched for its best move and for the move that was played, both to the same depth. The first look takes
the last positions first, because what is proved near the end is known of the moves before; a second look spends the
time that is left on the moves that seem bad and are not proved so, first on those with which a proved loss begins.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Protocol

from plyground.compiled.clock import Limit
from plyground.engine.move_grades import (
    GRADE_WORDS,
    GradedMove,
    accuracy,
    grade_move,
    how_known,
    lets_text,
    lost_text,
    score_after_move,
    standing_text,
)
from plyground.engine.report import Report
from plyground.engine.think import think
from plyground.in_pages import in_pages
from plyground.position import Position, notation_of
from plyground.rules import LONGEST
from plyground.score import FINAL, Chance, Score, counted_plies, earlier

REVIEW_SECONDS = 8.0
"""Seconds for a whole game by default."""
FIRST_LOOK_SHARE = 0.6
"""The part of the time that the first look takes."""
LEAST_DIFFERENCE = 0.1
"""Chances that differ by this much are looked at again."""
SECOND_LOOK_FACTOR = 4
"""In the second look, a move gets this many times the nodes of the first, where nodes are the limit."""
CONFIRMING_SHARES = 8
"""Shares of the second look for a move that is proved to lose, where the other moves were not looked at as far."""
SHOWN_PLIES = 6
"""Most plies of a line in a sentence."""
SHALLOW_PLIES = 4
"""Plies: where half the estimates look less far ahead, grades by chance follow the depth as much as the moves."""


@dataclass(frozen=True)
class ReviewWords:
    """Templates of the sentences about the gaps of a review."""

    unseen: str = "{seen} of {total} moves were looked at: the limit allowed no more."
    rough: str = "Grades by chance are rough here: half were searched to depth {depth} or less."
    losing: str = "Accuracy leaves out the losing moves: whether another move was better is not known."


REVIEW_WORDS = ReviewWords()


Finding = tuple[Score, tuple[int, ...], int]
"""Finding about a position or a move: its score for x, best play after it, and the search's depth in plies."""


@in_pages(without=("ply", "sentence"))
@dataclass(frozen=True)
class ReviewedMove:
    """A move under review: the position before it, and score and line of the best move and of this one."""

    before: Position
    move: int
    best: Score
    """Score of the position before it: that of its best move."""
    played: Score
    """Score of the move."""
    line: tuple[int, ...]
    """Best play from the position before it."""
    reply: tuple[int, ...]
    """Best play from the position after it."""
    depth: int
    """Plies that both were looked ahead; 0 where both were looked up."""
    is_confirmed: bool = True
    """Whether the other moves were looked at as far as the move is proved to lose, or it seems bad without that proof:
    else it is not known whether another one was better, and the move is `losing`."""

    @property
    def mover(self) -> int:
        """The player who made it, 0 or 1."""
        return self.before.to_move

    @property
    def ply(self) -> int:
        """Number of the move in its game, from 1."""
        return len(self.before.moves) + 1

    @property
    def is_forced(self) -> bool:
        """Whether there was no other move."""
        return len(self.before.legal_moves) == 1

    @property
    def after(self) -> Score:
        """Score of the position after it."""
        return score_after_move(self.played)

    @property
    def verdict(self) -> GradedMove:
        """The grade of the move."""
        found = grade_move(self.best, self.played, self.mover)
        if self.is_forced or (self.is_best and self.best.winner is None):
            return replace(found, grade="only" if self.is_forced else "best", kind="", loss=0.0)
        return found if self.is_confirmed else replace(found, grade="losing", kind="allowed")

    @property
    def is_best(self) -> bool:
        """Whether the search would play it."""
        return self.line[:1] == (self.move,)

    @property
    def is_compared(self) -> bool:
        """Whether the best move is known or estimated to be another one; not where both win, or lose, and it is open by
        how much or when."""
        is_same = self.best.winner is not None and self.best.winner == self.played.winner
        return not is_same or self.verdict.is_bad or (self.best.certain and self.played.certain)

    @property
    def loss_text(self) -> str:
        """Loss of the move, in words; empty where the move is not bad."""
        if not self.verdict.is_bad:
            return ""
        return lost_text(self.verdict, self.best, self.played, self.mover, self.before.game.names)

    @property
    def grade_text(self) -> str:
        """The grade in words, with what praise rests on: `best`, `seems best`, `loses sooner`, `blunder`; of a
        move without another one, `only move`."""
        verdict = self.verdict
        if verdict.grade == "only":
            return GRADE_WORDS.only_move
        if verdict.grade == "lost":
            return GRADE_WORDS.loses_sooner if self.is_compared else GRADE_WORDS.lost_anyway
        is_known = verdict.exact or verdict.is_turning_point or self.best.utility is not None
        return verdict.grade if is_known else GRADE_WORDS.seems.format(grade=verdict.grade)

    @property
    def short(self) -> str:
        """Grade and loss in words."""
        if self.verdict.grade == "losing":
            return lets_text(self.after, self.before.game.names)
        return f"{self.grade_text}: {self.loss_text}" if self.loss_text else self.grade_text

    @cached_property
    def sentence(self) -> str:
        """Grade in a sentence: the loss, the reply, the better move with its line, and how surely each is known."""
        words, names = GRADE_WORDS, self.before.game.names
        line = notation_of(self.before, self.line[:SHOWN_PLIES])
        move = self.before.game.notation_text(self.before.state, self.move)
        verdict, how = self.verdict, how_known(self.best, self.depth)
        if verdict.grade == "only":
            return words.only.format(move=move)
        if verdict.grade == "best":
            return words.best.format(move=move) if verdict.exact else words.seems_best.format(move=move, how=how)
        if verdict.grade == "losing":
            if self.is_confirmed and self.after.plies and self.depth > self.after.plies:
                return words.lost.format(move=move, plies=counted_plies(self.after.plies), best=line[0])
            return words.unsure.format(move=move, lets=lets_text(self.after, names))
        if not verdict.is_bad:
            if self.played.winner is None or self.best.winner is None:
                return words.seems_good.format(move=move, best=line[0], how=how)
            is_won = self.played.winner == self.mover
            compared = words.later if is_won else words.sooner
            said = compared if self.is_compared else words.keeps if is_won else words.loses
            return said.format(move=move, best=line[0])
        reply = notation_of(self.before.play(self.move), self.reply[: SHOWN_PLIES - 1])
        return words.bad.format(
            grade=verdict.grade.capitalize(),
            kind=self.loss_text,
            now=standing_text(self.after, self.mover, names),
            how=how_known(self.played, self.depth),
            reply=words.line.format(moves=" ".join(reply)) if reply else "",
            best=line[0],
            then=standing_text(self.best, self.mover, names),
            known=how_known(self.best, self.depth),
            line=words.line.format(moves=" ".join(line)),
        )


@in_pages(without=("turning_points",))
@dataclass(frozen=True)
class GameReview:
    """A game under review, as far as it has been looked at."""

    end: Position
    moves: Mapping[int, ReviewedMove]
    """The moves that have been looked at, by their plies."""
    done: bool = False
    """Whether nothing more will come."""

    def accuracy(self, player: int) -> float | None:
        """Accuracy of a player in percent, of the moves with a choice but the `losing` ones, of which nothing is known
        to count. None without such a move, and before all moves have been looked at for good."""
        if not self.done or len(self.moves) < len(self.end.moves):
            return None
        own = [each for each in self.moves.values() if each.mover == player and not each.is_forced]
        return accuracy(each.verdict.loss for each in own if each.verdict.grade != "losing")

    @property
    def note(self) -> str:
        """Gaps of the review, in sentences; empty before its end, and where nothing of that kind is left."""
        if not self.done:
            return ""
        said: list[str] = []
        seen, total = len(self.moves), len(self.end.moves)
        if seen < total:
            said.append(REVIEW_WORDS.unseen.format(seen=str(seen), total=str(total)))
        open_moves = [each for each in self.moves.values() if not (each.verdict.exact or each.is_forced)]
        depths = sorted([each.depth for each in open_moves])
        middle = depths[len(depths) // 2] if depths else SHALLOW_PLIES
        if middle < SHALLOW_PLIES:
            said.append(REVIEW_WORDS.rough.format(depth=middle))
        if any(each.verdict.grade == "losing" for each in open_moves):
            said.append(REVIEW_WORDS.losing)
        return " ".join(said)

    @property
    def turning_points(self) -> list[ReviewedMove]:
        """The moves that lost something or may have, the greatest loss first."""
        turning = [each for _, each in sorted(self.moves.items()) if each.verdict.is_turning_point]
        return sorted(turning, key=lambda each: -each.verdict.loss)


def review(
    end: Position,
    seconds: float | None = None,
    *,
    nodes: int | None = None,
    known: Mapping[int, Report] | None = None,
) -> Iterator[GameReview]:
    """Review a game: a better review with each move that is looked at, the last one `done`.

    Args:
        end: the position at the end of the game, with its moves.
        seconds: for the whole game, by default `REVIEW_SECONDS`, whatever the compiler takes of them: moves that are
            not looked at by then are not in `moves`.
        nodes: a node budget for each position instead, so that the review is the same every time.
        known: certain reports of positions, by how many plies led to them.

    Raises:
        BadInput: the limit is not above 0.
        GameFault: a rule fails.
    """
    steps = list(end.steps())
    looker = Looker(steps)
    search = _Search(looker, known or {})
    limit = Limit(nodes=nodes) if nodes is not None else Limit(time=REVIEW_SECONDS if seconds is None else seconds)
    until = perf_counter() + (limit.time or 0.0)

    def part_left(part: float) -> Limit:
        return replace(limit, time=max(LEAST_LOOK_SECONDS, until - perf_counter()) * part) if limit.time else limit

    if not looker.is_exact:
        yield from search.first_look(part_left(FIRST_LOOK_SHARE))
        yield from search.look_again(part_left(1.0))
    yield replace(looker.review, done=True)


@in_pages
class Looks(Protocol):
    """Looks at the positions of a game."""

    def report(self, plies: int, also: Sequence[int], shares: int, left: int) -> Report | None:
        """Report of the position after some plies, and of some of its moves beside the best; None where there is
        no time for it.

        Args:
            plies: from the start.
            also: those moves.
            shares: of what is left for all positions.
            left: how many shares that is.
        """
        raise NotImplementedError


@in_pages(without=("is_exact",))
@dataclass
class Looker:
    """Judge of a game's moves: its positions, and the moves judged so far."""

    steps: list[Position]
    """From the start to the end."""
    found: dict[int, ReviewedMove] = field(default_factory=dict)
    """Moves that are judged so far, by ply from 1."""

    @property
    def review(self) -> GameReview:
        """The review so far."""
        return GameReview(self.steps[-1], dict(self.found))

    @property
    def is_exact(self) -> bool:
        """Whether every grade is proved."""
        return not self.first_plies()

    def first_plies(self) -> list[int]:
        """The moves that have not been looked at, then those that are not graded exactly yet; each the last first."""
        plies = [*reversed(range(1, len(self.steps)))]
        unseen = [ply for ply in plies if ply not in self.found]
        return [*unseen, *[ply for ply in plies if ply in self.found and not self.found[ply].verdict.exact]]

    def doubtful_plies(self) -> list[int]:
        """The moves that have not been looked at, those with which a proved loss begins, then those that are bad by an
        estimate, and those of which the position after them tells something else: the last first, so that what is
        proved of a move is known of the one before it."""
        plies = self.first_plies()
        unseen = [ply for ply in plies if ply not in self.found]
        losing = [ply for ply in plies if ply in self.found and not self.found[ply].is_confirmed]
        rest = [ply for ply in plies if ply in self.found and self.found[ply].is_confirmed]
        doubtful = [ply for ply in rest if self.found[ply].verdict.is_turning_point or self._differs(ply)]
        return [*unseen, *losing, *doubtful]

    def _differs(self, ply: int) -> bool:
        """Whether the end is known after a move but not before it, or the chance is another one."""
        after = self.after(ply)
        if after is None:
            return False
        score, played = after[0], self.found[ply].played
        return (
            score.utility is not None or abs(score.expected_result(0) - played.expected_result(0)) >= LEAST_DIFFERENCE
        )

    def after(self, ply: int) -> Finding | None:
        """Score of a move by the position after it; None if unknown."""
        outcome = self.steps[ply].outcome
        if outcome is not None:
            return earlier(Score.over(outcome)), (), 0
        after = self.found.get(ply + 1)
        return None if after is None else (earlier(after.best), after.line, after.depth)

    def shares(self, ply: int) -> int:
        """Shares of the time that a move gets when it is looked at."""
        found = self.found.get(ply)
        return 1 if found is None or found.is_confirmed else CONFIRMING_SHARES

    def look_at_moves(self, plies: Callable[[], list[int]], looks: Looks) -> Iterator[GameReview]:
        """Look at each move of `plies` once; it is called anew after each, for a proof counts for moves before it."""
        tried: list[int] = []
        while left := [each for each in plies() if each not in tried]:
            tried.append(left[0])
            found = self._review_ply(left[0], looks, sum(self.shares(each) for each in left))
            if found is not None:
                self.keep(left[0], found)
                yield self.review

    def _review_ply(self, ply: int, looks: Looks, shares: int) -> ReviewedMove | None:
        """The move of a ply, looked at, with its part of all the shares that are left; None without time."""
        before, move = self.steps[ply - 1], self.steps[-1].moves[ply - 1]
        if len(before.legal_moves) > 1:
            report = looks.report(ply - 1, [move], self.shares(ply), shares)
            return self.judge_move(ply, report) if report is not None and compares_moves(report) else None
        after = self.after(ply)
        if after is None:
            reply = looks.report(ply, [], self.shares(ply), shares)
            if reply is None or not compares_moves(reply):
                return None
            after = earlier(reply.score), reply.variation, reply.depth
        return review_only_move(before, move, after)

    def keep(self, ply: int, found: ReviewedMove) -> None:
        """Store a judged move unless the stored one was searched deeper; then judge the moves before it again by it."""
        known = self.found.get(ply)
        if known is not None and not found.verdict.exact and found.depth < known.depth:
            return
        self.found[ply] = found
        at = ply - 1
        while (before := self.found.get(at)) is not None:
            self.found[at] = self.merge_proof(at, before)
            at -= 1

    def judge_move(self, ply: int, report: Report) -> ReviewedMove:
        """Judge the move of a ply by a report of the position before it and by the score after it."""
        before, move = self.steps[ply - 1], self.steps[-1].moves[ply - 1]
        best = report.score
        line: tuple[int, ...] = report.variation
        played = next((score for each, score in report.moves if each == move), best)
        reply: tuple[int, ...] = next((each[1:] for each in report.lines if each[0] == move), line[:0])
        return self.merge_proof(ply, ReviewedMove(before, move, best, played, line, reply, report.depth))

    def merge_proof(self, ply: int, found: ReviewedMove) -> ReviewedMove:
        """Merge a move's score by a search with that of the position after it: proofs count in both directions."""
        after, side, depth = self.after(ply), found.mover, found.depth
        if after is not None and found.is_forced:
            return review_only_move(found.before, found.move, after)
        best, played, line, reply = found.best, found.played, found.line, found.reply
        is_confirmed = found.is_confirmed
        low, high = found.before.game.bounds(found.before.state)
        if after is not None and not played.certain:
            score = after[0]
            if score.utility is not None:
                plies = score.plies or score.within
                is_seen = best.utility is not None or depth >= (plies or depth + 1)
                if score.winner == 1 - side and best.utility is None and played.winner is None:
                    is_choice = line[:1] == (found.move,)
                    is_confirmed = not is_choice and (is_seen or grade_move(best, played, side).is_bad)
                    line = line[:0] if is_choice else line
                if is_seen or score.winner is not None:  # else a draw is out of sight of other moves
                    played, reply = more_certain(settle_distance(score, depth), played), after[1]
            elif played.utility is None and after[2] >= depth and score.order(side) > played.order(side):
                played, reply = score, after[1]  # seen farther, it is better; that it is worse tells of the reply
        if best.winner == 1 - side and played.utility is None:  # all moves lose, and this one perhaps by more
            played = Score(best.utility, bound=best.utility != low and best.utility != high)
        if not best.certain and played.winner == side:  # so much is sure of the position; another move may be better
            is_largest = played.utility == low or played.utility == high
            within = (played.plies or played.within) if is_largest else None
            known = settle_distance(Score(played.utility, bound=not is_largest, within=within), depth)
            if best.utility is None or abs(best.utility) < abs(known.utility or 0):
                line = (found.move, *reply)
            best = more_certain(known, best)
        elif best.utility is None and played.winner is None and played.order(side) > best.order(side):
            # Seen from one ply on, it is better than all that was seen from here; a draw may yet be no best move.
            best, line = played if played.utility is None else draw_estimate(best), (found.move, *reply)
        return ReviewedMove(found.before, found.move, best, played, line, reply, depth, is_confirmed)


@in_pages
def settle_distance(score: Score, depth: int) -> Score:
    """Score with `within` as its exact distance, where a search of `depth` plies saw no sooner end."""
    is_known = score.within is not None and score.within <= depth + 1
    return replace(score, plies=score.within, within=None) if is_known else score


@in_pages
def more_certain(one: Score, other: Score) -> Score:
    """The more certain of two scores of the same position or move; the first if they are equally so."""
    return other if certainty_rank(other) > certainty_rank(one) else one


@in_pages
def certainty_rank(score: Score) -> int:
    """Rank of a score's certainty, higher for more certain: exact with distance, exact, bound, estimate."""
    if score.utility is None or score.bound:
        return abs(score.utility or 0)
    return FINAL if score.certain else FINAL - (score.within or LONGEST)


@in_pages
def draw_estimate(score: Score) -> Score:
    """Estimate of a draw in the unit of another estimate: with a chance if that has one."""
    return Score(points=0, chance=score.chance and Chance(0.5, ""))


@in_pages
def compares_moves(report: Report) -> bool:
    """Whether a report of `think` is more than a static evaluation of its position, which compares no moves."""
    return report.depth > 0 or report.score.utility is not None


@in_pages
def review_only_move(before: Position, move: int, after: Finding) -> ReviewedMove:
    """Judged move that had no alternative, by the score after it."""
    score, reply, depth = after
    return ReviewedMove(before, move, score, score, (move, *reply), reply, depth)


@dataclass(frozen=True)
class _Search:
    """Looks at the moves of a game within limits."""

    looker: Looker
    known: Mapping[int, Report]

    def first_look(self, limit: Limit) -> Iterator[GameReview]:
        """Every move that is not graded exactly yet, each with its part of the time."""
        yield from self.looker.look_at_moves(self.looker.first_plies, _Looks(self, limit))

    def look_again(self, limit: Limit) -> Iterator[GameReview]:
        """The doubtful moves."""
        again = replace(limit, nodes=limit.nodes * SECOND_LOOK_FACTOR if limit.nodes else None)
        yield from self.looker.look_at_moves(self.looker.doubtful_plies, _Looks(self, again))


class _Looks:
    """Looks within one limit, from now on."""

    def __init__(self, search: _Search, limit: Limit) -> None:
        self._search, self._limit = search, limit
        self._end = None if limit.time is None else perf_counter() + limit.time

    def report(self, plies: int, also: Sequence[int], shares: int, left: int) -> Report | None:
        """Report that is known, or of a search with its part of the time, or with nodes by its shares."""
        if (known := self._search.known.get(plies)) is not None:
            return known
        limit = Limit(nodes=shares * self._limit.nodes) if self._limit.nodes else self._limit
        if self._end is not None:
            if (time := self._end - perf_counter()) < LEAST_LOOK_SECONDS:
                return None
            limit = Limit(time=time * shares / left)
        return [*think(self._search.looker.steps[plies], limit, also=also)][-1]


LEAST_LOOK_SECONDS = 0.02
"""Seconds that a look needs at least."""
