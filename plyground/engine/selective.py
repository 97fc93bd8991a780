"""Selective deepening: forward pruning until an end is found, which is then searched without pruning."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from plyground.compiled.clock import Limit
from plyground.engine.report import Report
from plyground.engine.thinker import SearchSettings, Thinker
from plyground.exact.source import MoveRequest
from plyground.position import Position
from plyground.rules import MAX
from plyground.score import ESTIMATES, INFINITY, Score
from plyground.search.context import SELECTIVE
from plyground.search.limits import TooManyMoves
from plyground.search.observer import Stopped
from plyground.search.pvs import delay_end


class _FoundEnd(NamedTuple):
    """An end that a selective search has found."""

    value: int
    """Value for the player to move, which the winner can force: a bound, for a better end may be hidden."""
    line: tuple[int, ...]
    """Play that leads there, as far as it is known, the best move first."""


class SelectiveThinker(Thinker):
    """Iterative deepening of a position by a selective search, which leaves out moves by judgement (`pvs.py`).

    An end that it finds is true but may not be the best: the winner can force it, and might force a better one that was
    left out. So its distance is not reported, and the same depth is searched again by a new context that is not
    selective, with a new table, for the entries of the old one rest on judgements. That search asks only for an end
    that is better for the winner, by a window behind the known one, where every estimate is a cutoff. Its result, or
    that it finds nothing, is the result of a search of this depth without judgements, so an end is certain by the same
    rule (`score_value`). Best play of a certain end is found by the new context, too.
    """

    _is_selective = True
    """Whether moves are still left out."""
    _end: _FoundEnd | None = None
    """The best end that is known, once one was found."""

    def _make_contexts(self, *, is_small: bool) -> None:
        super()._make_contexts(is_small=is_small)
        # Set in memory, so both searches run the same compiled code.
        for context in self.contexts:
            context.scratch[SELECTIVE] = int(self._is_selective)

    def search_depth(self, depth: int, request: MoveRequest) -> Iterator[Report]:
        before = self.evaluations
        report = self.report_depth(depth, request)
        sees_all = self.evaluations == before  # so that only judgements may keep it from being certain
        if self._is_selective and (self._end or sees_all or report.certain):
            self._is_selective = False
            # A new table: entries of the old one rest on judgements.
            self._make_contexts(is_small=True)
            try:
                report = self.report_depth(depth, request)
            except (Stopped, TooManyMoves, RecursionError):
                yield report
                raise
        yield report

    def _is_quick(self) -> bool:
        return super()._is_quick() and not self._end

    def _report_depth(self, depth: int, request: MoveRequest) -> Report:
        if self._end:
            return self._report_better_end(depth, self._end)
        value, score, moves, lines = self._search_lines(depth, request)
        if self._is_selective and abs(value) >= ESTIMATES:
            self._end = _FoundEnd(value * self._sign(self.position), lines[0])
        return self._report(depth, score, moves, lines)

    def _report_better_end(self, depth: int, end: _FoundEnd) -> Report:
        """Search `depth` plies deep for an end that is better for the winner than the one that is known."""
        position, side = self.position, self._sign(self.position)
        # Behind the known end, on the side of the winner: a window in which every estimate fails at once, so this
        # search is far smaller than the one before.
        window = (end.value, INFINITY) if end.value > 0 else (-INFINITY, end.value + 1)
        value, choice, known = self.run(position.state, depth, 0, window)
        is_seen = end.value > 0 or side * value <= end.value  # else the loss is deeper than this search has looked
        if window[0] < side * value < window[1]:
            end = _FoundEnd(side * value, end.line if end.line[0] == choice else (choice,))
        score = self.score_value(depth if is_seen else 0, side * end.value, known and is_seen)
        move = end.line[0]
        if score.certain:
            child, ahead = position.after(move), Score.of(end.value).plies or 1
            end = _FoundEnd(
                end.value, (move, *self._variation(child, ahead - 1, self._value_after(position, child, end.value)))
            )
        self._end = end
        return self._report(depth, score, ((move, score),), (end.line,))

    @staticmethod
    def _sign(position: Position) -> int:
        """Sign that turns values for x into those for the player to move, and back."""
        return 1 if position.to_move == MAX else -1

    @staticmethod
    def _value_after(position: Position, child: Position, value: int) -> int:
        """Value of an end after a move that leads to it, for the player to move then."""
        nearer = delay_end(value, -1)
        return nearer if child.to_move == position.to_move else -nearer

    def score_value(self, depth: int, value: int, known: bool) -> Score:
        """Score of a value that a search to a depth has found; of an end it does not say how far it is."""
        # Depth 0 makes the distance unknown by `searched_score`: no end counts as seen within the depth.
        return super().score_value(0 if self._is_selective and abs(value) >= ESTIMATES else depth, value, known)

    def _variation(self, position: Position, depth: int, end: int) -> tuple[int, ...]:
        """Best play to an end that is exact, by searching for nothing else; cut short by the limit.

        Args:
            position: where it begins.
            depth: plies at most.
            end: the value for the player to move.
        """
        moves: list[int] = []
        with suppress(Stopped):
            while depth > 0 and position.outcome is None:
                if self._probed and self._tables and self._tables.score(position.state):
                    return (*moves, *self._tables.line(position.state))
                _, move, _ = self.run(position.state, depth, 0, (end - 1, end + 1))
                moves.append(move)
                child = position.after(move)
                end = self._value_after(position, child, end)
                position, depth = child, depth - 1
        return tuple(moves)


def new_thinker(
    position: Position, limit: Limit, settings: SearchSettings, stop: threading.Event | None = None
) -> Thinker:
    """Make the thinker of a position: a `SelectiveThinker` if the settings ask for one and the game has one."""
    is_selective = settings.selective and position.game.has_selective_search
    return (SelectiveThinker if is_selective else Thinker)(position, limit, settings, stop)
