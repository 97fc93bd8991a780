"""Review of a game: every move graded by what it lost, the end of the game first.

A position is searched for its best move and for the move that was played, both to the same depth. The first look takes
the last positions first, because what is proved near the end is known of the moves before; a second look spends the
time that is left on the moves that seem bad and are not proved so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Protocol

from plyground.engine.clock import Limit
from plyground.engine.move_grades import (
    GRADE_WORDS,
    GradedMove,
    accuracy,
    graded,
    how_known,
    later,
    loses_text,
    lost_text,
)
from plyground.engine.report import Report
from plyground.engine.think import is_cold, is_compiled, think
from plyground.position import Position, notation_of
from plyground.score import Score, counted_plies, earlier

SECONDS = 8.0
"""Seconds for a whole game by default."""
COMPILING = 10.0
"""Seconds that compiling may take on top; what it takes longer is taken from the looks after it."""
LEFT_AFTER_IT = 0.2
"""The part of the time that those looks have at least."""
FIRST_LOOK = 0.6
"""The part of the time that the first look takes."""
COLD_LOOK = 0.1
"""The part of the time for a look in plain Python while nothing is compiled."""
PATIENCE = 60.0
"""Seconds for which a review waits for the compiler, at most, which takes about ten; grades by two plies of plain
search would be worth little. What was found in plain Python must do then."""
DIFFERENT = 0.1
"""Chances that differ by this much are looked at again."""
AGAIN = 4
"""In the second look, a move gets this many times the nodes of the first, where nodes are the limit."""
TO_CONFIRM = 8
"""Shares of the second look for a move that is proved to lose, where the other moves were not looked at as far."""
SHOWN_PLIES = 6
"""Most plies of a line in a sentence."""


Found = tuple[Score, tuple[int, ...], int]
"""What is known of a position or a move: its score, best play after it, and how many plies were looked ahead."""


@dataclass(frozen=True)
class ReviewedMove:
    """A move under review: the position before it, and what was found of the best move and of this one."""

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
    else nothing is known of what should have been played."""

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
        return later(self.played)

    @property
    def verdict(self) -> GradedMove:
        """The grade of the move."""
        found = graded(self.best, self.played, self.mover)
        if self.is_forced or self.is_best:
            return replace(found, grade="best", kind="", loss=0.0)
        return found if self.is_confirmed else replace(found, grade="good", kind="", loss=0.0)

    @property
    def is_best(self) -> bool:
        """Whether the search would play it."""
        return self.line[:1] == (self.move,)

    @property
    def lost(self) -> str:
        """Loss of the move, in words; empty where the move is not bad."""
        if not self.verdict.is_bad:
            return ""
        return lost_text(self.verdict, self.best, self.played, self.mover, self.before.game.names)

    @property
    def short(self) -> str:
        """The grade in words, and what was lost."""
        if not self.is_confirmed:
            return loses_text(self.after)
        return f"{self.verdict.grade}: {self.lost}" if self.lost else self.verdict.grade

    @cached_property
    def sentence(self) -> str:
        """The grade in a sentence: what the move lost, what it leads to, and what would have been better, why."""
        words, names = GRADE_WORDS, self.before.game.names
        line = notation_of(self.before, self.line[:SHOWN_PLIES])
        move = self.before.game.notation_text(self.before.state, self.move)
        verdict = self.verdict
        if self.is_forced:
            return words.only.format(move=move)
        if verdict.grade == "best":
            return words.best.format(move=move)
        if not self.is_confirmed:
            return words.unsure.format(move=move, loses=loses_text(self.after))
        if not verdict.is_bad:
            winner = self.played.winner if self.best.winner == self.played.winner else None
            if winner is None and self.played.winner == 1 - self.mover and self.after.plies:
                return words.lost.format(move=move, plies=counted_plies(self.after.plies), best=line[0])
            said = words.good if winner is None else words.later if winner == self.mover else words.sooner
            return said.format(move=move, best=line[0])
        reply = notation_of(self.before.play(self.move), self.reply[: SHOWN_PLIES - 1])
        return words.bad.format(
            grade=verdict.grade.capitalize(),
            kind=self.lost,
            now=self.after.text(names),
            how=how_known(self.played, self.depth),
            reply=words.line.format(moves=" ".join(reply)) if reply else "",
            best=line[0],
            then=self.best.text(names),
            known=how_known(self.best, self.depth),
            line=words.line.format(moves=" ".join(line)),
        )


@dataclass(frozen=True)
class GameReview:
    """A game under review, as far as it has been looked at."""

    end: Position
    moves: Mapping[int, ReviewedMove]
    """The moves that have been looked at, by their plies."""
    done: bool = False
    """Whether nothing more will come."""

    def accuracy(self, player: int) -> float | None:
        """Accuracy of a player in percent, of the moves with a choice; None without one."""
        return accuracy(
            each.verdict.loss for each in self.moves.values() if each.mover == player and not each.is_forced
        )

    @property
    def turning_points(self) -> list[ReviewedMove]:
        """The moves that lost something, the greatest loss first."""
        bad = [each for _, each in sorted(self.moves.items()) if each.verdict.is_bad]
        return sorted(bad, key=lambda each: -each.verdict.loss)


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
        seconds: for the whole game, by default `SECONDS`; compiling the search, where it is not, comes on top, for
            `COMPILING` seconds and no more, if a fifth of the time is left after it.
        nodes: a node budget for each position instead, so that the review is the same every time.
        known: certain reports of positions, by how many plies led to them.

    Raises:
        BadInput: the limit is not above 0.
        GameFault: a rule fails.
    """
    begun, steps = perf_counter(), list(end.steps())
    looker = Looker(steps)
    search = _Search(looker, known or {})
    seconds = SECONDS if seconds is None else seconds
    allowed = seconds
    if nodes is None and steps[:-1] and is_cold(end):
        yield from search.first_look(Limit(time=seconds * COLD_LOOK), at_once=True)
        yield from search.look_again(Limit(time=seconds * COLD_LOOK), at_once=True)
        allowed += COMPILING
    if not looker.is_exact:
        at_once = nodes is None and not is_compiled(end, PATIENCE)
        seconds = max(LEFT_AFTER_IT * seconds, min(seconds, allowed - (perf_counter() - begun)))
        first = Limit(time=None if nodes else seconds * FIRST_LOOK, nodes=nodes)
        again = Limit(time=None if nodes else seconds * (1 - FIRST_LOOK), nodes=nodes)
        yield from search.first_look(first, at_once=at_once)
        yield from search.look_again(again, at_once=at_once)
    yield replace(looker.review, done=True)


class Looks(Protocol):
    """Looks at the positions of a game."""

    def report(self, plies: int, also: Sequence[int], shares: int, left: int) -> Report:
        """What is found of the position after some plies, and of some of its moves beside the best.

        Args:
            plies: from the start.
            also: those moves.
            shares: of what is left for all positions.
            left: how many shares that is.
        """
        raise NotImplementedError


@dataclass
class Looker:
    """The positions of a game, and what has been found of its moves."""

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
        """The moves that are not graded exactly yet, the last one first."""
        plies = reversed(range(1, len(self.steps)))
        return [ply for ply in plies if ply not in self.found or not self.found[ply].verdict.exact]

    def doubtful_plies(self) -> list[int]:
        """The moves that are bad by an estimate, and those of which the position after them tells something else: the
        last first, so that what is proved of a move is known of the one before it."""
        plies = [ply for ply in self.first_plies() if ply in self.found]
        return [ply for ply in plies if self.found[ply].verdict.is_bad or self._differs(ply)]

    def _differs(self, ply: int) -> bool:
        """Whether the end is known after a move but not before it, or the chance is another one."""
        after = self.after(ply)
        if after is None:
            return False
        score, played = after[0], self.found[ply].played
        return score.utility is not None or abs(score.expected(0) - played.expected(0)) >= DIFFERENT

    def after(self, ply: int) -> Found | None:
        """What is known of a move by the position after it; None if nothing is."""
        outcome = self.steps[ply].outcome
        if outcome is not None:
            return earlier(Score.over(outcome)), (), 0
        after = self.found.get(ply + 1)
        return None if after is None else (earlier(after.best), after.line, after.depth)

    def shares(self, ply: int) -> int:
        """Shares of the time that a move gets when it is looked at."""
        found = self.found.get(ply)
        return 1 if found is None or found.is_confirmed else TO_CONFIRM

    def looked(self, plies: Callable[[], list[int]], looks: Looks) -> Iterator[GameReview]:
        """The moves that `plies` tells, from the last to the first: what is found of one tells of those before it."""
        ply = len(self.steps)
        while left := [each for each in plies() if each < ply]:
            ply = left[0]
            self.keep(ply, self._look(ply, looks, sum(self.shares(each) for each in left)))
            yield self.review

    def _look(self, ply: int, looks: Looks, shares: int) -> ReviewedMove:
        """The move of a ply, looked at, with its part of all the shares that are left."""
        before, move = self.steps[ply - 1], self.steps[-1].moves[ply - 1]
        if len(before.legal_moves) > 1:
            return self.judged(ply, looks.report(ply - 1, [move], self.shares(ply), shares))
        after = self.after(ply)
        if after is None:
            reply = looks.report(ply, [], self.shares(ply), shares)
            after = earlier(reply.score), reply.variation, reply.depth
        return only_move(before, move, after)

    def keep(self, ply: int, found: ReviewedMove) -> None:
        """Keep what was found of a move, unless what is known was seen farther; the only moves that led to it are worth
        what is known of it now."""
        known = self.found.get(ply)
        if known is not None and not found.verdict.exact and found.depth < known.depth:
            return
        self.found[ply] = found
        at = ply - 1
        while (before := self.found.get(at)) is not None and before.is_forced:
            self.found[at] = only_move(before.before, before.move, (earlier(found.best), found.line, found.depth))
            found = self.found[at]
            at -= 1

    def judged(self, ply: int, report: Report) -> ReviewedMove:
        """The move of a ply, by a report of the position before it and by what is known of the one after it."""
        before, move = self.steps[ply - 1], self.steps[-1].moves[ply - 1]
        after, side, depth = self.after(ply), before.to_move, report.depth
        best = report.score
        line: tuple[int, ...] = report.variation
        played = next((score for each, score in report.moves if each == move), best)
        reply: tuple[int, ...] = next((each[1:] for each in report.lines if each[0] == move), line[:0])
        is_confirmed = True
        if after is not None and not played.certain:
            score = after[0]
            if score.utility is not None:
                is_seen = best.utility is not None or depth >= (score.plies or depth + 1)
                if score.winner == 1 - side and best.utility is None:
                    is_choice = line[:1] == (move,)
                    is_confirmed = not is_choice and (is_seen or graded(best, played, side).is_bad)
                    line = line[:0] if is_choice else line
                if is_seen or score.winner is not None:  # else a draw is out of sight of other moves
                    played, reply = score, after[1]
            elif after[2] >= depth and score.order(side) > played.order(side):
                played, reply = score, after[1]  # seen farther, it is better; that it is worse tells of the reply
        if played.order(side) > best.order(side):  # seen from one ply on, it is better than all that was seen from here
            best, line = played, (move, *reply)
        return ReviewedMove(before, move, best, played, line, reply, depth, is_confirmed)


def only_move(before: Position, move: int, after: Found) -> ReviewedMove:
    """The only move of a position, by what is known of it."""
    score, reply, depth = after
    return ReviewedMove(before, move, score, score, (move, *reply), reply, depth)


@dataclass(frozen=True)
class _Search:
    """Looks at the moves of a game within limits."""

    looker: Looker
    known: Mapping[int, Report]

    def first_look(self, limit: Limit, *, at_once: bool = False) -> Iterator[GameReview]:
        """Every move that is not graded exactly yet, each with its part of the time."""
        yield from self.looker.looked(self.looker.first_plies, _Looks(self, limit, at_once))

    def look_again(self, limit: Limit, *, at_once: bool = False) -> Iterator[GameReview]:
        """The doubtful moves."""
        again = replace(limit, nodes=limit.nodes * AGAIN if limit.nodes else None)
        yield from self.looker.looked(self.looker.doubtful_plies, _Looks(self, again, at_once))


class _Looks:
    """Looks within one limit, from now on."""

    def __init__(self, search: _Search, limit: Limit, at_once: bool) -> None:
        self._search, self._limit, self._at_once = search, limit, at_once
        self._end = None if limit.time is None else perf_counter() + limit.time

    def report(self, plies: int, also: Sequence[int], shares: int, left: int) -> Report:
        """Report that is known, or of a search with its part of the time, or with nodes by its shares."""
        if (known := self._search.known.get(plies)) is not None:
            return known
        limit = Limit(nodes=shares * self._limit.nodes) if self._limit.nodes else self._limit
        if self._end is not None:
            limit = Limit(time=max(self._end - perf_counter(), LEAST) * shares / left)
        return [*think(self._search.looker.steps[plies], limit, also=also, at_once=self._at_once)][-1]


LEAST = 0.02
"""Seconds for the moves that are left when the time is over."""
