"""Benchmark: the node counts of a fixed set of searches, and their compiled speed as a ratio."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from plyground.compiled.kernel import kernel
from plyground.games import game_named
from plyground.search import algorithm_named
from plyground.search.algorithm import Algorithm, Query, Run
from plyground.search.observer import SILENT, Counting, Observer
from plyground.search.perft import PERFT

# (game, algorithm, depth at compiled speed, depth at plain speed)
BENCH_SEARCHES: list[tuple[str, str, int, int]] = [
    ("tictactoe", "perft", 9, 6),
    ("tictactoe", "minimax", 9, 6),
    ("tictactoe", "alphabeta", 9, 9),
    ("mnk:5,5,4", "alphabeta", 5, 3),
    ("mnk:8,8,5", "alphabeta", 3, 2),
    ("ultimate", "perft", 5, 3),
    ("ultimate", "alphabeta", 7, 3),
    ("ultimate:send=false", "alphabeta", 4, 2),
    ("connectfour", "perft", 8, 5),
    ("connectfour", "alphabeta", 10, 5),
    ("connectfour", "pvs", 16, 7),
    ("kalah", "perft", 8, 5),
    ("kalah", "alphabeta", 10, 5),
    ("kalah", "pvs", 14, 7),
    ("mnk:5,5,4", "pvs", 7, 4),
    ("ultimate", "pvs", 9, 5),
    ("morris", "perft", 5, 3),
    ("morris", "alphabeta", 5, 3),
    ("draughts", "perft", 9, 5),
    ("draughts", "alphabeta", 9, 5),
    ("chess", "perft", 5, 3),
    ("chess", "alphabeta", 5, 3),
    ("gardner", "alphabeta", 7, 4),
]


def bench(on_row: Callable[[str], None] | None = None) -> dict[str, Any]:
    """Run every search at both speeds.

    Args:
        on_row: called before each search with what comes, for a progress bar.

    Returns:
        `nodes`: the sum of the nodes that the compiled searches visit: it changes only when a search, a game or a
        depth here does. `rows`: for each search its nodes, and nodes a second of CPU time, compiled and plain, each
        speed at its own depth, and their ratio.
    """
    rows = []
    for name, algorithm, depth, plain_depth in BENCH_SEARCHES:
        if on_row:
            on_row(f"{name}, {algorithm} {depth}")
        rows.append(_measure_search(name, _algorithm(algorithm), depth, plain_depth))
    return {"nodes": sum(row["nodes"] for row in rows), "rows": rows}


def nodes_of(name: str, algorithm: str, depth: int) -> int:
    """Number of nodes that a search of the list visits, compiled where that is possible."""
    observer, chosen = Counting.fresh(), _algorithm(algorithm)
    _prepare_run(name, chosen, depth, observer, kernel(chosen.search, game_named(name)))()
    return observer.nodes


def _algorithm(name: str) -> Algorithm:
    return PERFT if name == PERFT.name else algorithm_named(name)


def _measure_search(name: str, algorithm: Algorithm, depth: int, plain_depth: int) -> dict[str, Any]:
    game = game_named(name)
    fast, slow = kernel(algorithm.search, game), partial(algorithm.search, game)
    nodes, few = nodes_of(name, algorithm.name, depth), Counting.fresh()
    _prepare_run(name, algorithm, plain_depth, few, slow)()
    # The timed runs are without an observer's counts: those of the same search were taken before.
    compiled = nodes / _fastest_seconds(lambda: _prepare_run(name, algorithm, depth, SILENT, fast)())
    plain = few.nodes / _fastest_seconds(lambda: _prepare_run(name, algorithm, plain_depth, SILENT, slow)())
    row = {"game": name, "task": f"{algorithm.name} {depth}", "nodes": nodes}
    return row | {"compiled": compiled, "plain": plain, "ratio": compiled / plain}


BENCH_TABLE_ENTRIES = 1 << 12
"""Of the table, where there is one: small, so that a short search is not the time it takes to clear one."""


def _prepare_run(name: str, algorithm: Algorithm, depth: int, observer: Observer, function: Callable[..., Any]) -> Run:
    game = game_named(name)
    query = Query(game, game.initial(), depth, prefer_shorter=False, entries=BENCH_TABLE_ENTRIES)
    return algorithm.prepare_run(query, observer, function)


def _fastest_seconds(work: Callable[[], Any]) -> float:
    """CPU seconds of the fastest of several runs that take a tenth of a second together at least."""
    work()  # compiled, or found on disk, before the clock starts
    # The fastest run counts, since whatever disturbs a run only makes it longer.
    best, total = float("inf"), 0.0
    while total < 0.1:
        started = time.process_time()
        work()
        spent = time.process_time() - started
        best, total = min(best, spent), total + spent
    return max(best, 1e-9)
