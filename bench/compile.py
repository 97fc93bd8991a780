"""Compiling and speed of searches. `python bench/compile.py [GAME …] [SEARCH …]`.

Each game is a process of its own, which has compiled something before. CPU seconds from the source of rules to machine
code, without object code on disk; then nodes for each second of CPU time from the first position, the best of three
runs in turns. "Checked" is code that finds an int of more than 64 bits; in the other, which searches run, it wraps.
"wasm" is the same as WebAssembly, written from the form and run by wasmtime. All must agree in value and nodes, else it
ends. The second table has modules of pages; how fast they are in Node and Chromium, bench/PUBLISH.md tells. With
`--write` it writes all but the last parts of bench/COMPILE.md; `--pages` measures the modules alone.
"""

import gzip
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from plyground.compiler.backends.backend import Backend
from plyground.compiler.browser import compile_module
from plyground.compiler.runtime import CompiledFunction
from plyground.games import game_named
from plyground.search.algorithm import Algorithm, Query, Run
from plyground.search.alphabeta import ALPHABETA
from plyground.search.minimax import MINIMAX
from plyground.search.observer import Counting
from plyground.search.ordered import ORDERED
from plyground.search.perft import PERFT
from plyground.search.pvs import principal_variation
from plyground.wasm.entries import SMALL_ENTRIES, entries_of

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
BEFORE: Final = "## Beside Numba\n"
"""Heading of the part that is kept: figures of the compiler that this one has replaced."""
ENOUGH: Final = 0.15
"""Seconds that a run must last to be measured."""


def prepare_search(algorithm: Algorithm, name: str, depth: int) -> tuple[Run, Any]:
    """A search of a game to a depth with new memory, and the game as it sees it."""
    game = game_named(name)
    query = algorithm.seeing(Query(game, game.initial(), depth))
    return algorithm.prepare_run(query, Counting.fresh(), partial(algorithm.search, query.game)), query.game


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
    wrapping = CompiledFunction(algorithm.search, game, *run.args, is_checked=False)
    seconds = time.process_time() - start
    checked = CompiledFunction(algorithm.search, game, *run.args, is_checked=True)
    start = time.process_time()
    wasm = CompiledFunction(algorithm.search, game, *run.args, is_checked=False, backend=Backend.WASMTIME)
    wasm_seconds = time.process_time() - start
    functions: dict[str, Callable[..., Any]] = {"wrapping": partial(wrapping, game), "checked": partial(checked, game)}
    functions["wasm"] = partial(wasm, game)
    depth = depth_for(algorithm, name, functions["wrapping"])
    figures = {"game": name, "search": search, "depth": depth, "compile": seconds, "compile wasm": wasm_seconds}
    return figures | measure_rates(algorithm, name, functions, depth)


def page_row(name: str) -> str:
    """The module of a game: CPU seconds of compiling, bytes, and bytes compressed."""
    game, start = game_named(name), time.process_time()
    code = compile_module(entries_of(game), [entry.__name__ for entry in SMALL_ENTRIES]).module.code
    seconds = time.process_time() - start
    return f"| {name} | {seconds:.2f} | {len(code):,} | {len(gzip.compress(code)):,} |"


def page_table(games: list[str]) -> list[str]:
    """The table of pages' modules."""
    lines = ["| game | CPU s | bytes | gzip |", "|---|--:|--:|--:|"]
    for name in games:
        lines.append(page_row(name))
        print(lines[-1], flush=True)
    return lines


def in_process(name: str, searches: list[str]) -> list[dict[str, Any]]:
    """Rows of a game, from a process of its own."""
    command = [sys.executable, __file__, "--row", name, *searches]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def warm_up() -> None:
    """Load the compiler, which counts for no game."""
    run, game = prepare_search(PERFT, "nim", 1)
    CompiledFunction(PERFT.search, game, *run.args)


def main(words: list[str]) -> None:
    """Measure and print or write."""
    if words[:1] == ["--row"]:
        warm_up()
        for search in words[2:]:
            print(json.dumps(row(words[1], search)), flush=True)
        return
    if words[:1] == ["--pages"]:
        page_table(words[1:] or list(GAMES))
        return
    writes, words = "--write" in words, [word for word in words if word != "--write"]
    searches = [word for word in words if word in SEARCHES] or list(SEARCHES)
    games = [word for word in words if word not in SEARCHES] or list(GAMES)
    rows = []
    lines = ["| game | search | depth | compile, CPU s | wasm | M nodes/s | checked | wasm | wasm / native |"]
    lines.append("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for name in games:
        for each in in_process(name, searches):
            rows.append(each)
            cells = [f"{each['compile']:.2f}", f"{each['compile wasm']:.2f}"]
            cells += [f"{each[kind] / 1e6:.1f}" for kind in ("wrapping", "checked", "wasm")]
            cells.append(f"{each['wasm'] / each['wrapping']:.2f}")
            lines.append(f"| {name} | {each['search']} | {each['depth']} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    for search in searches:
        of_search = [each for each in rows if each["search"] == search]
        seconds = sorted(each["compile"] for each in of_search)
        ratio = statistics.median(each["checked"] / each["wrapping"] for each in of_search)
        lines.append("")
        lines.append(
            f"{search}: compiled in {seconds[0]:.2f} to {seconds[-1]:.2f} CPU seconds, median "
            f"{statistics.median(seconds):.2f}; checked code has {ratio:.2f} of the speed in the median, WebAssembly "
            f"{statistics.median(each['wasm'] / each['wrapping'] for each in of_search):.2f}."
        )
        print(lines[-1], flush=True)
    if writes:
        head = (__doc__ or "").strip().split("\n\n", 1)[1].replace("\n", " ")
        file = HERE / "COMPILE.md"
        before = file.read_text(encoding="utf-8").partition(BEFORE)[2]
        pages = "\n".join(page_table(games))
        text = f"# Compiling\n\n{head}\n\n" + "\n".join(lines) + f"\n\n## In a page\n\n{pages}\n\n{BEFORE}{before}"
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
