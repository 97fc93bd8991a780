"""Iterative deepening for callers: a position and a limit in, better and better reports out."""

import threading
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from plyground.compiled.clock import Limit
from plyground.compiled.kernel import kernel
from plyground.engine.chances import chance_adder
from plyground.engine.report import Report
from plyground.engine.selective import new_thinker
from plyground.engine.thinker import UNLIMITED_SECONDS, SearchSettings, is_search_alone
from plyground.errors import BadInput, check_arguments
from plyground.exact.book import book_of
from plyground.exact.source import MoveRequest, Source
from plyground.exact.sweep import small_sweep
from plyground.games import AnyGame
from plyground.position import Position
from plyground.rules import LONGEST
from plyground.score import INFINITY, Score
from plyground.search.context import STACK, new_search_context
from plyground.search.observer import Counting
from plyground.search.pvs import pvs
from plyground.search.table import PLAYING, new_table

LEAST_SEARCH_SECONDS = 1e-3
"""Seconds of a search whose time has gone by before it began."""
# A rule in plain Python may take milliseconds; on 19 × 19 there are 361 moves to look at.
GLANCE_SECONDS = 0.2
"""Seconds in which moves are compared by the game's own order where there was no time for a ply."""


@check_arguments
def think(
    position: Position,
    limit: Limit | None = None,
    *,
    every_move: bool = False,
    also: Collection[int] = (),
    lines: int = 1,
    threads: int = 1,
    table: int = PLAYING,
    selective: bool = False,
    stop: threading.Event | None = None,
) -> Iterator[Report]:
    """Look one ply ahead, then two, and so on; yield a report for each depth, the last one the best.

    Stops at the limit, when every line has been seen to its end, when nothing better can be found, or when a line has
    more moves than there is room to note (`MOST_MOVES`: `check` says so of the game). However tight
    the limit, there is at least one report, with a legal move unless the game is over. Leaving the loop stops the
    thinking, and so does `stop`, within 10 ms and from any thread.

    The search is compiled first, if it is not yet: some tenths of a second, which are in no limit.

    Where an opening book knows every move, it answers at once, unless plies or nodes are counted.

    >>> for report in think(Position.parse("tictactoe", "a1 b1 a2 b2")):
    ...     last = report
    >>> last.position.text_of(last.move), last.score.text()
    ('a3', 'x wins in 1 ply')

    Args:
        position: what to think about.
        limit: when to stop; by default only when all is known, which may be never.
        every_move: find the exact score of every move, not only of the best: slower.
        also: moves that get an exact score and a principal variation beside the best one, looked at as deeply.
        lines: with `every_move`, the number of moves that get a principal variation, the best first.
        threads: how many search at the same time. With one, the same nodes are visited every time.
        table: mebibytes for the transposition table.
        selective: leave out, or search less deep, what the static evaluation, a pass or the order of moves seems to
            refute, in games that say so, such as chess and Reversi. So a search looks farther in the same time, and its
            estimates may miss more. What is certain is searched again without, and is exact; of an end for which there
            is no time for that, the distance is not told. Without effect where more moves than the best are asked for.
        stop: an event; when it is set, the last report stands.

    Raises:
        BadInput: there are no threads or no room for a table; a `WrongType` of it: an argument of another kind.
        GameFault: a rule fails, or a line does not end.
    """
    limit = limit or Limit()
    if threads < 1 or table < 1:
        raise BadInput(f"threads={threads}, table={table}: there is at least one thread, and one mebibyte of table.")
    request = MoveRequest(every_move, frozenset(also), lines if every_move else 1)
    settings = SearchSettings(threads, table, selective and not every_move and not also)
    return _reports(position, limit, request, settings, stop)


def _reports(
    position: Position,
    limit: Limit,
    request: MoveRequest,
    settings: SearchSettings,
    stop: threading.Event | None,
) -> Iterator[Report]:
    if position.outcome is not None:
        yield Report(position, 0, 1, 1, 0, 0.0, Score.over(position.outcome), (), ())
        return
    started = time.perf_counter()
    report = _report_exact_answer(position, limit, request, stop)
    if report is not None:
        yield report
        return
    search, before = kernel(pvs, position.game), time.perf_counter()
    # Before the thinker is made: its clock starts when it is made, and compiling is in no limit.
    search.prepare(*_sample_arguments(position.game))
    compile_seconds = time.perf_counter() - before
    if limit.time is not None:
        # The time that the exact sources took is thinking time; the time of compiling is not.
        limit = replace(limit, time=max(limit.time - (before - started), LEAST_SEARCH_SECONDS))
    thinker = new_thinker(position, limit, settings, stop)
    for found in thinker.reports(limit.depth or LONGEST, request):
        report = replace(found, compile_seconds=compile_seconds)
        yield report
    if report is None:  # not even one ply could be searched: an honest opinion, and a move that is likely good
        opinion = thinker.read(Score(points=position.game.evaluate(position.state)))
        # With a number of nodes as the limit the answer is the same every time, so no clock may choose the move.
        first = position.legal_moves[0] if limit.time is None else _likely_best_move(position)
        spent, moves = time.perf_counter() - before, ((first, opinion),)
        told = {"why_plain": search.why_plain, "compile_seconds": compile_seconds}
        nodes = thinker.clock.nodes
        yield Report(position, 0, nodes, 0, 0, spent, opinion, (first,), moves, **told)  # type: ignore[arg-type]


def _likely_best_move(position: Position) -> int:
    """Move with the highest `Game.order` among those that can be ranked within `GLANCE_SECONDS` seconds.

    They are looked at from the middle on: on a large board the first legal moves are at its edge.
    """
    end, moves = time.perf_counter() + GLANCE_SECONDS, position.legal_moves
    middle = len(moves) // 2
    found, most = moves[0], position.game.order(position.state, moves[0])
    # Moves are tried in generation order from the middle, then from the beginning: a game lists its moves row by row.
    for move in [*moves[middle:], *moves[1:middle]]:
        if (order := position.game.order(position.state, move)) > most:
            found, most = move, order
        if time.perf_counter() > end:
            break
    return found


LATE_SENTENCE = "The engine was slow to start, so it looked only one move ahead."


def glance(position: Position, seconds: float = GLANCE_SECONDS) -> Report:
    """Report of one ply in plain Python: a value of each move that there is time for, at least of one.

    It needs no compiled code, no table and no other process, so it is there where a search is late.
    """
    started, read, game = time.perf_counter(), chance_adder(position.game, position.state), position.game
    middle, legal = len(position.legal_moves) // 2, position.legal_moves
    moves: list[tuple[int, Score]] = []
    for move in (*legal[middle:], *legal[:middle]):  # as in `_likely_best_move`
        child = position.after(move)
        if (over := child.outcome) is None:
            moves.append((move, read(Score(points=game.evaluate(child.state)))))
        else:
            moves.append((move, Score(over, plies=1 if over else None)))
        if time.perf_counter() - started > seconds:
            break
    best, score = max(moves, key=lambda each: each[1].order(position.to_move))
    spent, count = time.perf_counter() - started, len(moves)
    return Report(position, 1, count + 1, count, 0, spent, score, (best,), tuple(moves), why_plain=LATE_SENTENCE)


LISTING_SHARE = 0.25
"""The part of the time in which all states may be listed."""
LEAST_SHARED_SECONDS = 0.5
"""Seconds of which that part is taken where there are fewer."""


def _exact_sources(position: Position, limit: Limit, stop: threading.Event | None) -> Iterator[Source]:
    """Sources of exact values, the quickest first: a book or tablebases; in a game that may cycle and has few states, a
    listing of them all, for no search sees to the end of such a game."""
    if is_search_alone(limit):
        return
    # Before a listing, which takes a part of the time even where it fails.
    if book := book_of(position):
        yield book
    if position.game.repetition:
        seconds = LISTING_SHARE * max(LEAST_SHARED_SECONDS, limit.time or UNLIMITED_SECONDS)
        if sweep := small_sweep(position, seconds, stop):
            yield sweep


def _report_exact_answer(
    position: Position, limit: Limit, request: MoveRequest, stop: threading.Event | None
) -> Report | None:
    """The report of the first source that knows the answer."""
    started = time.perf_counter()
    for source in _exact_sources(position, limit, stop):
        if answer := source.answer(position, request):
            depth, score, moves, lines = answer
            spent, best = time.perf_counter() - started, tuple(map(tuple, lines))
            # Nothing was searched: leaves and cutoffs are 0.
            return Report(position, depth, source.nodes, 0, 0, spent, score, best[0], tuple(moves), best, source.title)
    return None


@lru_cache(maxsize=256, typed=True)
def _sample_arguments(game: AnyGame) -> tuple[Any, ...]:
    """Arguments of the types that the search is called with, for its compilation."""
    state = game.initial()
    context = new_search_context(game, state, new_table(state, 1))
    return Counting.fresh(), context, state, 1, -INFINITY, INFINITY, 1, 0, STACK
