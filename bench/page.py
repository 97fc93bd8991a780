"""What a person waits for in the page, and what the page weighs. `python bench/page.py [GAME …]`, some minutes for all.

A real Chromium and a real server on one machine, everything compiled before (warm). Writes bench/PAGE.md; with games
named it measures only those, and prints.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Literal

import psutil
from chromium import chromium
from cold import LOOKING, asking, until_compiled
from compiled import require_compiled
from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright
from websockets.sync.client import connect
from weight import weighed

from plyground.games import GAMES
from plyground.workers.pool import IDLE_SECONDS

HERE = Path(__file__).resolve().parent
RUNS = 12
REPLIES = 40
"""Replies of each game; the games they are of are played with the first legal move that a fixed walk comes to."""
COLD_REPLIES = 8
"""Replies measured of each game by a server whose cache of compiled code is empty."""
LARGE = ("mnk:rows=15,columns=15,k=5", "gomoku", "hex:size=11")
"""The largest boards that are to be drawn without a pause that is felt."""
WIDE = ("amazons:10,10",)
"""Games on larger boards than the default, measured with an empty cache too: moves take plain Python longest there."""
PORT = 8766
ADDRESS = f"http://localhost:{PORT}"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
LEVEL = "level:medium"
MODULES = "**/modules/*"
Way = Literal["server", "worker"]
WAYS: tuple[Way, Way] = ("server", "worker")
"""Who replies: the server does where the game's module cannot be fetched, or is not there yet."""
MOVING = ("connectfour", "kalah", "reversi")
"""Games in which a piece falls, seeds are sown and discs turn."""
MIB = 1 << 20

# In every page, before its own scripts: tasks that keep the page from answering for longer than 50 ms are noted, and
# it is known outside what its board is given to draw, and when a worker of its own has answered.
WATCH = """
window.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask", buffered: true });
customElements.whenDefined("ply-board").then(({ prototype }) => {
  const { show } = prototype;
  prototype.show = function (shown) {
    show.call(this, shown);
    if (shown.still) return;
    [window.board, window.given] = [this, shown];
    window.heard?.(shown);
  };
});
window.beside = new Promise((done) => {
  window.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => "ok" in data && done());
    }
  };
});
"""
# In the page: milliseconds from a click on a cell to the frame in which its mark stands there.
CLICK = """(name) => new Promise((done) => {
  const cell = [...document.querySelectorAll("ply-board [role=gridcell]")].find(
    (node) => node.getAttribute("aria-label").startsWith(name));
  const start = performance.now();
  cell.click();
  const look = () => cell.querySelector("svg") ? done(performance.now() - start) : requestAnimationFrame(look);
  look();
})"""
# In the page: a move is made, as by the last click of it. Milliseconds to the frame that shows the reply; null where
# the move has no reply, because it ends the game or gives another turn.
MOVE = """(number) => new Promise((done) => {
  const { legal, paths, moves, to_move: mover } = given.position, start = performance.now();
  const chosen = number % legal.length;
  window.heard = ({ position, pending }) => {
    const made = position.moves.length - moves.length;
    if (pending || !made) return;
    const isAnswered = made > 1, isOver = !position.legal.length;
    if (!isAnswered && !isOver && position.to_move !== mover) return;
    window.heard = null;
    requestAnimationFrame(() => done(isAnswered ? performance.now() - start : null));
  };
  board.dispatchEvent(new CustomEvent("move", { detail: { move: legal[chosen], path: paths[chosen] } }));
})"""
# In the page: waits for the own turn, or the end; whether a move can be made.
MINE = """() => new Promise((done) => {
  const look = () => {
    const { legal, to_move: mover } = window.given?.position ?? { to_move: "" };
    if (mover === "x" || legal?.length === 0) done(legal.length > 0);
    else requestAnimationFrame(look);
  };
  look();
})"""
# In the page: a move is made, and the milliseconds between frames in the second after it.
FRAMES = """(number) => new Promise((done) => {
  const { legal, paths } = given.position, chosen = number % legal.length, times = [];
  board.dispatchEvent(new CustomEvent("move", { detail: { move: legal[chosen], path: paths[chosen] } }));
  const frame = (now) => {
    times.push(now);
    if (now < times[0] + 1000) return requestAnimationFrame(frame);
    done(times.slice(1).map((time, index) => time - times[index]));
  };
  requestAnimationFrame(frame);
})"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@contextmanager
def serving(folder: str, **environment: str) -> Iterator[psutil.Process]:
    """Run a server, with further environment variables, until the block ends."""
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", str(PORT)]
    server = subprocess.Popen(
        [*command, "--database", f"sqlite:///{folder}/games.db"],
        stdout=subprocess.PIPE,
        env=os.environ | environment,
    )
    assert server.stdout is not None
    server.stdout.readline()
    try:
        yield psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


@contextmanager
def busy() -> Iterator[None]:
    """One processor has something else to do."""
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        other.kill()
        other.wait()


def browsing(
    playwright: Playwright, folder: str, motion: Literal["reduce", "no-preference"] = "reduce"
) -> BrowserContext:
    """A browser that has never been here; by default that of somebody who wants nothing to move."""
    return playwright.chromium.launch_persistent_context(
        f"{folder}/{motion}", executable_path=chromium(), args=FLAGS, reduced_motion=motion
    )


def open_first(page: Page) -> None:
    """The first page, as soon as the server listens."""
    for _ in range(500):
        try:
            page.goto(ADDRESS)
            break
        except Exception:  # it does not listen yet
            time.sleep(0.02)
    page.get_by_role("gridcell").first.wait_for()


def one_minute(playwright: Playwright, measured: dict[str, list[float]]) -> None:
    """A newcomer's: from the command to the first own move."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        with serving(folder):
            browser = browsing(playwright, folder)
            page = browser.pages[0]
            open_first(page)
            own = page.evaluate(CLICK, "b2")
            measured["from the command to the first own move, ms"].append((time.perf_counter() - started) * 1e3)
            measured["first paint, ms"].append(page.evaluate(PAINT))
            measured["own mark, ms"].append(own)
            browser.close()


def begin(page: Page, game: str) -> None:
    """A new game against a level, at the first move."""
    page.goto("about:blank")
    page.goto(f"{ADDRESS}/#/?game={game}&x=human&o={LEVEL}")
    page.evaluate(MINE)


def replies(page: Page, game: str, way: Way) -> list[float]:
    """How long the level takes to reply, from the click to the frame that shows it; of workers, once they are there."""
    times: list[float] = []
    number = 0
    page.unroute_all()
    if way == "server":
        page.route(MODULES, lambda route: route.abort())
    while len(times) < REPLIES:
        begin(page, game)
        if way == "worker":
            while page.evaluate(MINE) and page.evaluate(MOVE, number := number + 7) is None:
                pass  # it was a move after which one moves again: nobody has asked a player yet
            if not page.evaluate(MINE):
                continue  # the game is over
            page.evaluate("beside.then(() => null)")
        while len(times) < REPLIES and page.evaluate(MINE):
            took = page.evaluate(MOVE, number := number + 7)
            if took is not None:
                times.append(took)
    return times


def cold_replies(playwright: Playwright, game: str) -> list[float]:
    """Returns the milliseconds from click to frame of each of a server's first replies, with an empty cache."""
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder, serving(folder, PLYGROUND_CACHE=f"{folder}/cache"):
        browser = browsing(playwright, folder)
        browser.add_init_script(WATCH)
        page = browser.pages[0]
        open_first(page)
        begin(page, game)
        time.sleep(LOOKING)
        number = 0
        while len(times) < COLD_REPLIES:
            if not page.evaluate(MINE):
                begin(page, game)
                continue
            took = page.evaluate(MOVE, number := number + 7)
            if took is not None:
                times.append(took)
        browser.close()
    return times


def cold_lines(playwright: Playwright, games: Sequence[str]) -> Iterator[str]:
    """Returns the table of first replies with an empty cache, a line for each game, and the percentiles of all."""
    yield from ("", f"| the first {COLD_REPLIES} replies of `{LEVEL}`, nothing compiled, ms | first | longest |")
    yield "|---|--:|--:|"
    found = []
    for game in games:
        found.append(cold_replies(playwright, game))
        yield f"| {game} | {found[-1][0]:.0f} | {max(found[-1]):.0f} |"
    every = [*chain.from_iterable(found)]
    yield from (
        "",
        f"Of all {len(every)} of these replies the median is {statistics.median(every):.0f} ms, the 95th "
        f"percentile {statistics.quantiles(every, n=20)[18]:.0f} ms.",
    )


def frames(page: Page, game: str) -> list[float]:
    """Milliseconds between frames while the pieces of ten own moves are under way."""
    found: list[float] = []
    number = 0
    while number < 70:
        begin(page, game)
        while number < 70 and page.evaluate(MINE):
            found += page.evaluate(FRAMES, number := number + 7)
    return found


def long_tasks(page: Page, game: str) -> list[float]:
    """Tasks over 50 ms while a board is opened, played on, turned, and shows what every move is worth."""
    begin(page, game)
    for number in range(4):
        if page.evaluate(MINE):
            page.evaluate(MOVE, 29 * number)
    page.locator("h1").click()
    for key in ("f", "v"):
        page.keyboard.press(key)
    page.wait_for_timeout(3_000)
    page.keyboard.press("v")
    found: list[float] = page.evaluate("tasks")
    return found


def warm(games: Sequence[str]) -> None:
    """Every worker has played and analysed each of these games, and its module is built."""
    ask = asking(PORT)
    with ThreadPoolExecutor(6) as pool, connect(f"ws://localhost:{PORT}/api/socket") as socket:
        for game in games:
            until_compiled(ask, game=game)
            socket.send(json.dumps({"id": 1, "op": "module", "args": {"game": game}}))
            assert "ok" in (said := socket.recv()), said
            asked = [pool.submit(ask, "reply", game=game, player=LEVEL) for _ in range(2)]
            asked += [pool.submit(ask, "analyse", game=game, seconds=0.3) for _ in range(4)]
            for each in asked:
                each.result()


def processes(server: psutil.Process) -> list[psutil.Process]:
    """A server's, itself included."""
    return [each for each in [server, *server.children(recursive=True)] if each.status() != psutil.STATUS_ZOMBIE]


def running(server: psutil.Process) -> int:
    """How many processes a server has."""
    return len(processes(server))


def memory(server: psutil.Process) -> float:
    """Mebibytes of a server and all its processes, what they share counted once; where that is unknown, their own."""
    infos = [each.memory_full_info() for each in processes(server)]
    return sum(getattr(info, "pss", info.uss) for info in infos) / MIB


def row(name: str, *measured: Sequence[float]) -> str:
    """A line of a table: median and 95th percentile of each."""
    cells = (f"{statistics.median(times):.1f} | {statistics.quantiles(times, n=20)[18]:.1f}" for times in measured)
    return f"| {name} | {' | '.join(cells)} |"


def measured_lines(games: Sequence[str], runs: int) -> Iterator[str]:
    """The table, line by line."""
    names = ("from the command to the first own move, ms", "first paint, ms", "own mark, ms")
    minute: dict[str, list[float]] = {name: [] for name in names}
    with sync_playwright() as playwright:
        for _ in range(runs):
            one_minute(playwright, minute)
        yield from ("| | median | p95 |", "|---|--:|--:|")
        yield from (row(*each) for each in minute.items())
        with tempfile.TemporaryDirectory() as folder, serving(folder) as server:
            browser = browsing(playwright, folder)
            browser.add_init_script(WATCH)
            page = browser.pages[0]
            open_first(page)
            requests, size = weighed(page, ADDRESS)
            warm(games)
            yield from ("", f"First load: {len(requests)} requests, {size / 1e3:.1f} kB.", "")
            said = "server: median | p95 | worker: median | p95"
            yield f"| from the click to the reply of `{LEVEL}`, ms | {said} | one core busy, {said} |"
            yield "|---" + 8 * "|--:" + "|"
            for game in games:
                both = [replies(page, game, way) for way in WAYS]
                with busy():
                    yield row(game, *both, *(replies(page, game, way) for way in WAYS))
            page.unroute_all()
            yield from ("", "| tasks over 50 ms | number | longest, ms |", "|---|--:|--:|")
            for game in LARGE:
                tasks = long_tasks(page, game)
                yield f"| {game} | {len(tasks)} | {max(tasks, default=0):.0f} |"
            browser.close()
            browser = browsing(playwright, folder, "no-preference")
            browser.add_init_script(WATCH)
            page = browser.pages[0]
            yield from ("", "| frames while pieces move, ms apart | median | p95 | one core busy: median | p95 |")
            yield "|---|--:|--:|--:|--:|"
            for game in (each for each in MOVING if each in games):
                idle = frames(page, game)
                with busy():
                    yield row(game, idle, frames(page, game))
            browser.close()
            most, at_once = memory(server), running(server)
            time.sleep(IDLE_SECONDS + 10)
            yield from (
                "",
                f"Memory with {len(games)} games warm: {memory(server):.0f} MiB in {running(server)} processes, and "
                f"{most:.0f} in {at_once} while six people at a time played and analysed each of them.",
            )
        yield from cold_lines(playwright, [*games, *WIDE])


def main() -> None:
    """Measure, and write the table if it is of all games."""
    chosen = sys.argv[1:]
    games = chosen or [choice.name for choice in GAMES.shipped]
    require_compiled(*games)
    lines = [
        "# The page",
        "",
        f"Written by `python bench/page.py` on {psutil.cpu_count()} cores, the searches compiled before. First "
        f"{RUNS} runs, each with a fresh server and a fresh browser, the first row with the browser's own start; then "
        f"one server and one browser: {REPLIES} replies of each game, of the server, and of the page's own worker once "
        "the game's module has come. Nothing moves on the board (reduced motion), so "
        "a reply is drawn when it is there; in the rows of frames it does. Where it says so, another process keeps one "
        "core busy. Files are counted as they are sent, messages before compression. Memory is "
        "that of the server and its workers, what they share counted once, each having played or analysed every game.",
        "",
    ]
    print("\n".join(lines))
    for line in measured_lines(games, 2 if chosen else RUNS):
        print(line, flush=True)
        lines.append(line)
    if not chosen:
        (HERE / "PAGE.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
