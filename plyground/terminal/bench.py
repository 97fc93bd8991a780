"""A fixed set of searches: how many nodes they visit, which is their fingerprint, and how fast, as a ratio."""

import time
from collections.abc import Callable
from typing import Any

from plyground.compiled.kernel import kernel
from plyground.games import game_named
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.minimax import minimax
from plyground.search.perft import perft
from plyground.search.pvs import STACK, new_mind, pvs
from plyground.search.table import new_table
from plyground.search.watch import SILENT, Counting

# (game, search, depth at compiled speed, depth at plain speed)
SEARCHES: list[tuple[str, Callable[..., Any], int, int]] = [
    ("tictactoe", perft, 9, 6),
    ("tictactoe", minimax, 9, 6),
    ("tictactoe", alphabeta, 9, 9),
    ("mnk:5,5,4", alphabeta, 5, 3),
    ("mnk:8,8,5", alphabeta, 3, 2),
    ("ultimate", perft, 5, 3),
    ("ultimate", alphabeta, 7, 3),
    ("ultimate:send=false", alphabeta, 4, 2),
    ("connectfour", perft, 8, 5),
    ("connectfour", alphabeta, 10, 5),
    ("connectfour", pvs, 16, 7),
    ("kalah", perft, 8, 5),
    ("kalah", alphabeta, 10, 5),
    ("kalah", pvs, 14, 7),
    ("mnk:5,5,4", pvs, 7, 4),
    ("ultimate", pvs, 9, 5),
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
    for name, search, depth, plain_depth in SEARCHES:
        if on_row:
            on_row(f"{name}, {search.__name__} {depth}")
        rows.append(_row(name, search, depth, plain_depth))
    return {"nodes": sum(row["nodes"] for row in rows), "rows": rows}


def nodes_of(name: str, search: Callable[..., Any], depth: int) -> int:
    """How many nodes a search of the list visits, at the best speed there is."""
    game, watch = game_named(name), Counting.fresh()
    kernel(search, game)(*_arguments(search, watch, game.initial(), depth))
    return watch.nodes


def _row(name: str, search: Callable[..., Any], depth: int, plain_depth: int) -> dict[str, Any]:
    game = game_named(name)
    run = kernel(search, game)
    nodes = nodes_of(name, search, depth)
    few = Counting.fresh()
    search(game, *_arguments(search, few, game.initial(), plain_depth))
    compiled = nodes / _seconds(lambda: run(*_arguments(search, SILENT, game.initial(), depth)))
    plain = few.nodes / _seconds(lambda: search(game, *_arguments(search, SILENT, game.initial(), plain_depth)))
    row = {"game": name, "task": f"{search.__name__} {depth}", "nodes": nodes}
    return row | {"compiled": compiled, "plain": plain, "ratio": compiled / plain}


def _arguments(search: Callable[..., Any], watch: Any, state: Any, depth: int) -> tuple[Any, ...]:
    if search is pvs:
        mind = new_mind(new_table(state, 1 << 12))
        return watch, mind, state, depth, -INFINITY, INFINITY, 0, 0, STACK
    if search is perft:
        return watch, state, depth, 0
    window = (-INFINITY, INFINITY) if search is alphabeta else ()
    return (watch, state, depth, *window, 0, 0)


def _seconds(work: Callable[[], Any]) -> float:
    """CPU seconds of the fastest of a few runs, at least a tenth of a second in all."""
    work()  # compiled, or found on disk, before the clock starts
    best, total = float("inf"), 0.0
    while total < 0.1:
        started = time.process_time()
        work()
        spent = time.process_time() - started
        best, total = min(best, spent), total + spent
    return max(best, 1e-9)
