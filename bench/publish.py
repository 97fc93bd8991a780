"""Published pages: how fast a game's module is, what a page weighs, and what one waits for. `python bench/publish.py
[GAME …]`, a quarter of an hour for all.

Every search is the same on both sides, node for node; the module's is timed when the browser has made its best of it.
Writes bench/PUBLISH.md; with games named it measures only those, and prints. `--weights` weighs all pages anew, and
leaves the other tables as they are.
"""

import base64
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from chromium import chromium
from compiled import require_compiled
from playwright.sync_api import Page, sync_playwright

import plyground as pg
from page import FLAGS, LEVEL, MINE, MODULES, MOVE, WATCH, serving
from plyground.compiled.kernel import kernel
from plyground.games import GAMES
from plyground.publish.page import page
from plyground.score import INFINITY
from plyground.search.context import STACK, new_search_context
from plyground.search.mcts import EXPLORATION, LINE, clear_tree, mcts, new_tree
from plyground.search.memory import new_memory
from plyground.search.observer import Counting
from plyground.search.pvs import pvs
from plyground.search.repetition import line_room, set_ends
from plyground.search.table import new_table
from plyground.web.views.module_facts import module_and_facts

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ENTRIES, NODES = 1 << 18, 1 << 17
LONG_ENOUGH = 0.25
"""Seconds of a native search, so that it can be timed."""
MOST_TIMES = 500
DEEPEST = 40
SIMULATIONS = 4_000
SMALL = ("tictactoe", "connectfour", "kalah", "ultimate")
"""Games whose pages are opened."""
REPLIES = 40
GLANCE = 1_000
"""Milliseconds before the first move of a game: nobody makes one before having seen the board."""
ENGINE = "engine:depth=8"
Searched = tuple[int, float]
"""Nodes or simulations, and milliseconds."""


def native(game: pg.Game[Any]) -> tuple[int, tuple[int, int], Searched, Searched]:
    """The depth that takes long enough, how often each search is repeated, and both searches as machine code."""
    run, simulate, start = kernel(pvs, game), kernel(mcts, game), pg.Position.initial(game)
    table, empty = new_table(start.state, ENTRIES), new_table(start.state, ENTRIES)
    tree, path = new_tree(NODES, 1), new_memory(LINE + (line_room(start.state) if game.repetition else 0))
    if game.repetition:
        set_ends(path, LINE, start.last_times())

    def looked(depths: int) -> tuple[Searched, int]:
        table[:] = empty
        observer, context = Counting.fresh(), new_search_context(game, start.state, table, start.last_times())
        run.prepare(observer, context, start.state, 1, -INFINITY, INFINITY, 1, 0, STACK)
        began, depth = time.perf_counter(), 0
        while depth < depths and (depths < DEEPEST or time.perf_counter() - began < LONG_ENOUGH):
            depth += 1
            run(observer, context, start.state, depth, -INFINITY, INFINITY, 1, 0, STACK)
        return (observer.nodes, 1e3 * (time.perf_counter() - began)), depth

    def simulated() -> Searched:
        clear_tree(tree, 1)
        observer = Counting.fresh()
        simulate.prepare(observer, tree, path, start.state, 1, EXPLORATION)
        began = time.perf_counter()
        done = simulate(observer, tree, path, start.state, SIMULATIONS, EXPLORATION)
        return done, 1e3 * (time.perf_counter() - began)

    (_, spent), depth = looked(DEEPEST)
    simulated()
    times = repeated(spent), repeated(simulated()[1])
    looks = [looked(depth)[0] for _ in range(times[0] + 1)][1:]
    runs = [simulated() for _ in range(times[1] + 1)][1:]
    return depth, times, summed(looks), summed(runs)


def repeated(spent: float) -> int:
    """How often a search of so many milliseconds is run, so that it can be timed."""
    return max(1, min(MOST_TIMES, round(1e3 * LONG_ENOUGH / spent)))


def summed(searches: Sequence[Searched]) -> Searched:
    """What each of them visited, and the time of all."""
    return searches[0][0], sum(spent for _, spent in searches)


def in_node(code: bytes, asked: dict[str, Any]) -> dict[str, list[float]]:
    """The same as a module, in Node."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.wasm")
        file.write_bytes(code)
        command = [shutil.which("node") or "node", str(HERE / "module.mjs"), str(file)]
        done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


IN_BROWSER = """async ({ code, asked }) => {
  const { measured } = await import("/bench/module.mjs");
  const { Module } = await import("/page/src/worker/module.js");
  return measured(Module, Uint8Array.from(atob(code), (sign) => sign.charCodeAt(0)), asked);
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}

    def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002  # the name is the library's


def speeds(games: Sequence[str], browser: Page) -> Iterator[str]:
    """Both searches of each game, native, in Node and in Chromium, turn by turn; the middle one of three ratios."""
    yield "| game | depth | nodes | engine: Node | Chromium | Monte Carlo: Node | Chromium |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name in games:
        game = pg.game_named(name)
        code, facts = module_and_facts(name)
        ratios: dict[tuple[str, str], list[float]] = {}
        for _ in range(3):
            depth, times, *own = native(game)
            asked = {"facts": facts, "depth": depth, "entries": ENTRIES, "nodes": NODES}
            asked |= {"simulations": SIMULATIONS, "times": times}
            given = {"code": base64.b64encode(code).decode(), "asked": asked}
            there = {"Node": in_node(code, asked), "Chromium": browser.evaluate(IN_BROWSER, given)}
            for where, found in there.items():
                for search, (count, spent) in zip(("pvs", "mcts"), own, strict=True):
                    if found[search][0] != count:
                        raise SystemExit(f"{name}: {search} {count} here, {found[search][0]} in {where}")
                    ratios.setdefault((search, where), []).append(spent / found[search][1])
        order = [("pvs", "Node"), ("pvs", "Chromium"), ("mcts", "Node"), ("mcts", "Chromium")]
        cells = " | ".join(f"{statistics.median(ratios[each]):.2f}" for each in order)
        yield f"| {name} | {depth} | {own[0][0]:,} | {cells} |"


def weights(games: Sequence[str]) -> Iterator[str]:
    """What the pages of games weigh: the file, and as a host sends it, of which the module and all the rest."""
    yield "| page | kB | compressed, bytes | module | the rest |"
    yield "|---|--:|--:|--:|--:|"
    for name in games:
        made, module = page(name), len(gzip.compress(module_and_facts(name)[0]))
        yield f"| {name} | {made.size / 1e3:.0f} | {made.sent_bytes:,} | {module:,} | {made.sent_bytes - module:,} |"


def pages(folder: Path, browser: Page) -> Iterator[str]:
    """How soon a board of some games' pages takes a move."""
    yield "| page | to a board that takes a move, ms |"
    yield "|---|--:|"
    for name in SMALL:
        file = folder / f"{name}.html"
        file.write_text(page(name).text, encoding="utf-8")
        times = []
        for _ in range(7):
            browser.goto("about:blank")
            began = time.perf_counter()
            browser.goto(file.as_uri())
            browser.locator("[data-place][aria-disabled=false]").first.wait_for()
            times.append(1e3 * (time.perf_counter() - began))
        yield f"| {name} | {statistics.median(times):.0f} |"


def answered(browser: Page, address: str, ask: str) -> list[float]:
    """Milliseconds from a move to the frame that shows the reply."""
    times: list[float] = []
    number = 0
    while len(times) < REPLIES:
        browser.goto("about:blank")
        browser.goto(f"{address}#/?game=connectfour&x=human&o={ask}")
        browser.evaluate(MINE)
        browser.wait_for_timeout(GLANCE)
        while len(times) < REPLIES and browser.evaluate(MINE):
            took = browser.evaluate(MOVE, number := number + 7)
            if took is not None:
                times.append(took)
    return times


def waited(folder: Path) -> Iterator[str]:
    """How long `plyground publish` takes, with everything in the cache and with nothing."""
    for said, cache in (("from a warm cache", None), ("cold", folder / "cache")):
        environment = os.environ | ({"PLYGROUND_CACHE": str(cache)} if cache else {})
        command = [sys.executable, "-m", "plyground", "publish", "connectfour", "--out", str(folder / "out.html")]
        began = time.perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        yield f"| `plyground publish connectfour`, {said} | {time.perf_counter() - began:.1f} s |"


def measured_lines(games: Sequence[str], *, everything: bool) -> Iterator[str]:
    """The tables, line by line."""
    web = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(ROOT)))
    threading.Thread(target=web.serve_forever, daemon=True).start()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        browser = started.new_context(reduced_motion="reduce").new_page()
        browser.add_init_script(WATCH)
        browser.goto(f"http://127.0.0.1:{web.server_port}/page/src/icon.svg")
        yield from speeds(games, browser)
        yield ""
        yield from weights(games)
        if everything:
            yield ""
            yield from pages(folder, browser)
            yield from ("", f"| reply of `{ENGINE}` to a move, Connect Four, ms | median | p95 |", "|---|--:|--:|")
            for ask in (ENGINE, LEVEL):
                here = answered(browser, (folder / "connectfour.html").as_uri(), ask)
                browser.route(MODULES, lambda route: route.abort())  # else the page's own worker replies there too
                with serving(name):
                    there = answered(browser, "http://localhost:8766/", ask)
                for where, times in (("published page", here), ("server", there)):
                    middle, most = statistics.median(times), statistics.quantiles(times, n=20)[18]
                    yield f"| {where}, `{ask}` | {middle:.0f} | {most:.0f} |"
            yield from ("", "| | |", "|---|--:|")
            yield from waited(folder)
        started.close()
    web.shutdown()


def weigh() -> None:
    """Replace the table of weights."""
    file = HERE / "PUBLISH.md"
    head, *lines = weights([choice.name for choice in GAMES.shipped])
    before, _, after = file.read_text(encoding="utf-8").partition(head)
    _, _, rest = after.partition("\n\n")
    file.write_text("\n".join([before + head, *lines, "", rest]), encoding="utf-8")


def main() -> None:
    """Measure, and write the tables if they are of all games."""
    chosen = sys.argv[1:]
    if chosen == ["--weights"]:
        weigh()
        return
    games = chosen or [choice.name for choice in GAMES.shipped]
    require_compiled(*games)
    lines = [
        "# Published pages",
        "",
        f"Written by `python bench/publish.py` on {os.cpu_count()} cores. Speed is that of this machine's code divided "
        "into the module's: 1 would be as fast. Small searches are repeated. "
        "The engine deepens from the first position, with a table of "
        f"{ENTRIES:,} entries; Monte Carlo search runs {SIMULATIONS:,} simulations. Each search visits the same nodes "
        "on both sides, or there is no table. Nothing moves on the board; the first move of a game "
        "is made a second after its page is there.",
        "",
    ]
    print("\n".join(lines))
    for line in measured_lines(games, everything=not chosen):
        print(line, flush=True)
        lines.append(line)
    if not chosen:
        (HERE / "PUBLISH.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
