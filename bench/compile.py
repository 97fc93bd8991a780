"""Compiling and speed: this package's compiler beside Numba, in one run. `python bench/compile.py [GAME …] [SEARCH …]`.

Each game is a process of its own with an empty cache. CPU seconds from the source of rules to machine code, of the
first compilation in a process that has loaded the compilers; nodes for each second of CPU time from the first
position, the best of three runs in turns. All runs of a row must agree in value and nodes, else it ends. "Wrapping"
is code in which ints wrap at 64 bits, as Numba's do; the other finds it. With `--write` it writes bench/COMPILE.md.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from plyground.compiled.kernel import kernel
from plyground.compiler.runtime import NativeFunction
from plyground.games import game_named
from plyground.search.algorithm import Algorithm, Query, Run
from plyground.search.alphabeta import ALPHABETA
from plyground.search.minimax import MINIMAX
from plyground.search.observer import Counting
from plyground.search.ordered import ORDERED
from plyground.search.perft import PERFT
from plyground.search.pvs import principal_variation

HERE: Final = Path(__file__).resolve().parent
SEARCHES: Final = {
    "alphabeta": ALPHABETA,
    "minimax": MINIMAX,
    "ordered": ORDERED,
    "perft": PERFT,
    "pvs": principal_variation(16),
}
GAMES: Final = (
    *("tictactoe", "mnk:4,4,4", "mnk:5,5,4", "connectfour", "kalah", "ultimate", "gomoku", "pentago", "reversi", "hex"),
    *("breakthrough", "dotsandboxes", "nim", "chomp", "domineering", "morris", "threemorris", "sixmorris"),
    *("amazons", "draughts", "chess", "gardner"),
)
ENOUGH: Final = 0.15
"""Seconds that a run must last to be measured."""


def prepare_search(algorithm: Algorithm, name: str, depth: int) -> tuple[Run, Any]:
    """A search of a game to a depth with new memory, and the game as it sees it."""
    game = game_named(name)
    query = algorithm.seeing(Query(game, game.initial(), depth))
    return algorithm.asked(query, Counting.fresh(), partial(algorithm.search, query.game)), query.game


def measure_rates(
    algorithm: Algorithm, name: str, functions: dict[str, Callable[..., Any]], depth: int
) -> dict[str, Any]:
    """The best of three runs of each, in turns, in nodes for each second of the thread's CPU time; all must agree."""
    rates = dict.fromkeys(functions, 0.0)
    found = []
    for _ in range(3):
        for kind, function in functions.items():
            run, _game = prepare_search(algorithm, name, depth)
            start = time.thread_time()
            value = function(*run.args)
            seconds = time.thread_time() - start
            assert isinstance(run.observer, Counting)
            rates[kind] = max(rates[kind], run.observer.nodes / seconds)
            found.append((value, run.observer.nodes))
    if any(each != found[0] for each in found):
        raise SystemExit(f"{name} {algorithm.name}: {found}")
    return rates


def depth_for(algorithm: Algorithm, name: str, function: Callable[..., Any]) -> int:
    """The first depth at which a search lasts long enough."""
    for depth in range(1, 40):
        run, _ = prepare_search(algorithm, name, depth)
        start = time.perf_counter()
        function(*run.args)
        if time.perf_counter() - start > ENOUGH:
            return depth
    return depth


def row(name: str, search: str) -> dict[str, Any]:
    """Figures of a search for a game."""
    algorithm = SEARCHES[search]
    run, game = prepare_search(algorithm, name, 1)
    start = time.process_time()
    own = NativeFunction(algorithm.search, game, *run.args, is_checked=True)
    own_seconds = time.process_time() - start
    wrapping = NativeFunction(algorithm.search, game, *run.args, is_checked=False)
    numba = kernel(algorithm.search, game)
    start = time.process_time()
    numba.prepare(*run.args)
    numba_seconds = time.process_time() - start
    if numba.why_plain:
        raise SystemExit(numba.why_plain)
    functions: dict[str, Callable[..., Any]] = {
        "numba": numba,
        "own": partial(own, game),
        "wrapping": partial(wrapping, game),
    }
    depth = depth_for(algorithm, name, functions["own"])
    figures: dict[str, Any] = {"game": name, "search": search, "depth": depth}
    figures |= {"own compile": own_seconds, "numba compile": numba_seconds}
    figures |= measure_rates(algorithm, name, functions, depth)
    return figures


def in_process(name: str, searches: list[str]) -> list[dict[str, Any]]:
    """Rows of a game, from a process with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, __file__, "--row", name, *searches]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, env=os.environ | {"PLYGROUND_CACHE": cache}
        )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def warm_up() -> None:
    """Load both compilers, which counts for no game."""
    run, game = prepare_search(PERFT, "nim", 1)
    NativeFunction(PERFT.search, game, *run.args)
    kernel(PERFT.search, game).prepare(*run.args)


def main(words: list[str]) -> None:
    """Measure and print or write."""
    if words[:1] == ["--row"]:
        warm_up()
        for search in words[2:]:
            print(json.dumps(row(words[1], search)), flush=True)
        return
    writes, words = "--write" in words, [word for word in words if word != "--write"]
    searches = [word for word in words if word in SEARCHES] or list(SEARCHES)
    games = [word for word in words if word not in SEARCHES] or list(GAMES)
    rows = []
    lines = ["| game | search | depth | compile: Numba | own | M nodes/s: Numba | own | own, wrapping | own / Numba |"]
    lines.append("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for name in games:
        for each in in_process(name, searches):
            rows.append(each)
            cells = [f"{each['numba compile']:.2f}", f"{each['own compile']:.2f}"]
            cells += [f"{each[kind] / 1e6:.1f}" for kind in ("numba", "own", "wrapping")]
            cells.append(f"{each['own'] / each['numba']:.2f}")
            lines.append(f"| {name} | {each['search']} | {each['depth']} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    for search in searches:
        ratios = [each["own"] / each["numba"] for each in rows if each["search"] == search]
        own, numba = (
            sum(each[f"{kind} compile"] for each in rows if each["search"] == search) for kind in ("own", "numba")
        )
        lines.append("")
        lines.append(
            f"{search}: speed {min(ratios):.2f} to {max(ratios):.2f} of Numba's, "
            f"median {statistics.median(ratios):.2f}; "
            f"compiling, summed over the games, {own:.1f} CPU seconds against {numba:.1f}."
        )
        print(lines[-1], flush=True)
    if writes:
        head = (__doc__ or "").strip().split("\n\n", 1)[1].replace("\n", " ")
        (HERE / "COMPILE.md").write_text(
            f"# Compiling: this package's compiler beside Numba\n\n{head}\n\n" + "\n".join(lines) + "\n"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
