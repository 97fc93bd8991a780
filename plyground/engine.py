"""Thinking: a position and a limit in, better and better answers out."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from plyground.errors import BadInput
from plyground.position import Position
from plyground.rules import NO_MOVE
from plyground.score import ESTIMATES, INFINITY, Score, final
from plyground.search.alphabeta import alphabeta
from plyground.search.minimax import minimax
from plyground.search.watch import Counting, Stopped
from plyground.speed import kernel

DEEPEST = 1000
"""More plies than any game here lasts."""

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Limit:
    """When to stop thinking: at a depth in plies, after so many nodes, after so many seconds. None: no such limit."""

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("depth", self.depth), ("nodes", self.nodes), ("time", self.time)):
            if value is not None and not 0 < value < float("inf"):
                raise BadInput(f"{name}={value}: a limit is above 0.")
        if self.depth is not None and self.depth > DEEPEST:
            raise BadInput(f"depth={self.depth}: at most {DEEPEST} plies.")


@dataclass(frozen=True)
class Report:
    """What a search knows of a position.

    `score` is from the first player's side. `moves` holds the score of each move where every move was asked for, else
    only that of the best one; in generation order.
    """

    depth: int
    """Plies looked ahead."""
    nodes: int
    """Nodes entered since the thinking began."""
    leaves: int
    cutoffs: int
    seconds: float
    score: Score
    variation: tuple[int, ...]
    """The principal variation: best play by both sides, as far as it was searched; empty when the game is over."""
    moves: tuple[tuple[int, Score], ...]

    @property
    def move(self) -> int:
        """The best move, the first in generation order of equal ones; `NO_MOVE` when the game is over."""
        return self.variation[0] if self.variation else NO_MOVE


class Clock:
    """Counts a search, and stops it: at a time, at a number of nodes, or when whoever waits for it goes away."""

    def __init__(self, limit: Limit) -> None:
        self.watch = Counting.fresh(limit.nodes or 1 << 62)
        self.started = time.perf_counter()
        self.deadline = None if limit.time is None else self.started + limit.time

    @property
    def seconds(self) -> float:
        """Since the thinking began."""
        return time.perf_counter() - self.started

    def run(self, work: Callable[[], Answer], on_wait: Callable[[], None] | None = None) -> Answer:
        """Do the work in a thread, so that Ctrl-C and the clock are heard while compiled code runs.

        Raises:
            Stopped: the limit was reached first.
        """
        answers: list[Answer] = []
        faults: list[BaseException] = []

        def body() -> None:
            try:
                answers.append(work())
            except BaseException as fault:
                faults.append(fault)

        thread = threading.Thread(target=body, name="plyground search", daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                left = float("inf") if self.deadline is None else self.deadline - time.perf_counter()
                if left <= 0:
                    self.watch.stop()
                thread.join(min(max(left, 0.005), 0.1))
                if on_wait and thread.is_alive():
                    on_wait()
        finally:
            if thread.is_alive():
                self.watch.stop()
                thread.join()
        if faults:
            raise faults[0]
        return answers[0]


def think(position: Position, limit: Limit | None = None, *, every_move: bool = False) -> Iterator[Report]:
    """Look one ply ahead, then two, and so on; yield a report for each depth, the last one the best.

    Stops at the limit, when every line has been seen to its end, or when nothing better can be found. However tight
    the limit, there is at least one report, with a legal move unless the game is over. Leaving the loop stops the
    thinking.

    Args:
        position: what to think about.
        limit: when to stop; by default only when all is known, which may be never.
        every_move: find the exact score of every move, not only of the best: slower.

    Raises:
        BadInput: the limit is not above 0.
    """
    limit = limit or Limit()
    if position.outcome is not None:
        yield Report(0, 1, 1, 0, 0.0, Score(final(position.outcome, 0), exact=True), (), ())
        return
    kernel(alphabeta, position.game).prepare(*_window(Counting.fresh(), position.state, 1))
    clock = Clock(limit)
    report = None
    for depth in range(1, (limit.depth or DEEPEST) + 1):
        try:
            report = clock.run(partial(_search, position, depth, clock, every_move))
        except Stopped:
            break
        yield report
        if report.score.exact and all(score.exact for _, score in report.moves):
            return
    if report is None:  # not even one ply could be searched: an honest opinion and the first legal move
        opinion = Score(position.game.evaluate(position.state), exact=False)
        first = position.legal_moves[0]
        watch = clock.watch
        yield Report(0, watch.nodes, watch.leaves, watch.cutoffs, clock.seconds, opinion, (first,), ((first, opinion),))


def _window(watch: Counting, state: Any, depth: int, ply: int = 0) -> tuple[Any, ...]:
    """Arguments of an alpha-beta with the whole window, preferring quick wins."""
    return watch, state, depth, -INFINITY, INFINITY, 1, ply


def _search(position: Position, depth: int, clock: Clock, every_move: bool) -> Report:
    search, watch = kernel(alphabeta, position.game), clock.watch
    opinions = watch.opinions
    if every_move:
        values = [_move_value(position, move, depth, watch) for move in position.legal_moves]
        best = (max if position.to_move == 0 else min)(value for value, _ in values)
        choice = position.legal_moves[next(index for index, (value, _) in enumerate(values) if value == best)]
        exact = all(known for _, known in values)
        moves = tuple(
            (move, _score(position, value, known))
            for move, (value, known) in zip(position.legal_moves, values, strict=True)
        )
        score = _score(position, best, exact)
    else:
        best, choice = search(*_window(watch, position.state, depth))
        score = _score(position, best, watch.opinions == opinions)
        moves = ((choice, score),)
    variation = (choice, *_variation(position.play(choice), depth - 1, watch))
    return Report(depth, watch.nodes, watch.leaves, watch.cutoffs, clock.seconds, score, variation, moves)


def _move_value(position: Position, move: int, depth: int, watch: Counting) -> tuple[int, bool]:
    """The value of a move, and whether no opinion entered it."""
    opinions = watch.opinions
    child = position.game.play(position.state, move)
    value, _ = kernel(alphabeta, position.game)(*_window(watch, child, depth - 1, ply=1))
    return int(value), watch.opinions == opinions


def _score(position: Position, value: int, seen_all: bool) -> Score:
    """A forced win or loss is exact whatever else was not seen, where there is nothing better than winning."""
    decided = abs(value) >= ESTIMATES and position.game.bounds(position.state) == (-1, 1)
    return Score(int(value), exact=seen_all or decided)


def _variation(position: Position, depth: int, watch: Counting) -> tuple[int, ...]:
    """Best play from here, by searching again what the search has already shown to be best."""
    moves: list[int] = []
    while depth > 0 and position.outcome is None:
        _, move = kernel(alphabeta, position.game)(*_window(watch, position.state, depth))
        moves.append(move)
        position = position.play(move)
        depth -= 1
    return tuple(moves)


def best_moves(position: Position, depth: int) -> tuple[int, ...]:
    """All moves that are worth as much as the best one, looking this many plies ahead; in generation order."""
    watch = Counting.fresh()
    values = [_move_value(position, move, depth, watch)[0] for move in position.legal_moves]
    best = (max if position.to_move == 0 else min)(values)
    return tuple(move for move, value in zip(position.legal_moves, values, strict=True) if value == best)


ALGORITHMS = ("minimax", "alphabeta")


def search(
    position: Position,
    algorithm: str,
    depth: int,
    *,
    hurry: bool = True,
    on_wait: Callable[[Counting], None] | None = None,
) -> Report:
    """One textbook search to a fixed depth, with its counts.

    Args:
        position: where to search from.
        algorithm: one of `ALGORITHMS`.
        depth: plies to look ahead, 1 or more.
        hurry: prefer the sooner win and the later loss; False tells only won, drawn and lost apart, as the textbooks
            do, and visits fewer nodes.
        on_wait: called about ten times a second with the counts so far.

    Raises:
        BadInput: no such algorithm, or a depth below 1.
    """
    if algorithm not in ALGORITHMS:
        raise BadInput(f"There is no algorithm {algorithm!r}: there are {', '.join(ALGORITHMS)}.")
    if not 1 <= depth <= DEEPEST:
        raise BadInput(f"depth={depth}: look 1 to {DEEPEST} plies ahead.")
    clock = Clock(Limit())
    watch, state = clock.watch, position.state
    if algorithm == "minimax":
        run, args = kernel(minimax, position.game), (watch, state, depth, int(hurry), 0)
    else:
        run, args = kernel(alphabeta, position.game), (*_window(watch, state, depth)[:-2], int(hurry), 0)
    run.prepare(*args)
    clock.started = time.perf_counter()
    value, move = clock.run(lambda: run(*args), (lambda: on_wait(watch)) if on_wait else None)
    score = _score(position, value, watch.opinions == 0)
    line = () if move == NO_MOVE else (move,)
    report = Report(depth, watch.nodes, watch.leaves, watch.cutoffs, clock.seconds, score, line, ((move, score),))
    return report if line else replace(report, moves=())
