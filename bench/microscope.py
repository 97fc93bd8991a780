"""What the microscope costs: recording a search, sending it, drawing it, moving the view. About a minute.

`python bench/microscope.py` records searches of about ten thousand nodes, asks a real server for them and draws them in
a real Chromium, every node open. Writes bench/MICROSCOPE.md.
"""

import json
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from chromium import chromium
from playwright.sync_api import Page, sync_playwright

import plyground as pg
from page import FLAGS, PORT, serving
from plyground.microscope.tree import record

HERE = Path(__file__).resolve().parent
RUNS = 3
SEARCHES = [("mnk:rows=3,columns=4,k=3", "a1", "alphabeta", 6), ("kalah:pits=4", "2", "minimax", 7)]

# In the page: ask for a tree that the worker has recorded already, then draw it with every node open.
SENT = """async (args) => {
  const { answers } = await import("/answers.js");
  await answers.ask("tree", args);
  const start = performance.now();
  window.view = await answers.ask("tree", args);
  return performance.now() - start;
}"""
DRAWN = """async () => {
  const { Recorded } = await import("/recorded.js");
  const { PlyTree } = await import("/tree.js");
  document.getElementById("page").replaceChildren(window.tree = new PlyTree());
  const start = performance.now();
  tree.show(new Recorded(view));
  tree.open(true);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}"""
FRAMES = """async (act) => {
  const surface = tree.querySelector("svg");
  const { left, top } = surface.getBoundingClientRect();
  const at = (type, x) => surface.dispatchEvent(
    new PointerEvent(type, { pointerId: 1, clientX: left + x, clientY: top + 90, bubbles: true }));
  tree.fit();
  tree.zoom(40);
  const times = [];
  let before = performance.now();
  at("pointerdown", 600);
  for (let frame = 0; frame < 60; frame++) {
    if (act === "pan") at("pointermove", 600 - frame * 4);
    else surface.dispatchEvent(new WheelEvent("wheel",
      { deltaY: frame < 30 ? 12 : -12, clientX: left + 500, clientY: top + 90, cancelable: true }));
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - before);
    before = now;
  }
  at("pointerup", 0);
  return times.slice(2);
}"""
HEAP = "performance.memory.usedJSHeapSize / 2 ** 20"


def seconds(work: Callable[[], Any]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measured(page: Page, game: str, move: str, algorithm: str, depth: int) -> list[str]:
    """The cells of a row."""
    position = pg.Position.parse(pg.game_named(game), move)
    tracemalloc.start()
    tree = record(position, algorithm, depth)
    held = tracemalloc.get_traced_memory()[0] / 2**20
    tracemalloc.stop()
    recorded = [seconds(lambda: record(position, algorithm, depth)) for _ in range(RUNS)]
    size = len(json.dumps(vars(tree.columns), ensure_ascii=False).encode()) / 1e3
    page.goto("about:blank")
    page.goto(f"http://localhost:{PORT}/#/games")
    page.get_by_role("heading", level=1).wait_for()
    args = {"game": game, "moves": [move], "algorithm": algorithm, "depth": depth}
    sent = [page.evaluate(SENT, args) for _ in range(RUNS)]
    empty = page.evaluate(HEAP)
    drawn = [page.evaluate(DRAWN) for _ in range(RUNS)]
    heap = page.evaluate(HEAP) - empty
    cells = [
        f"{game} after {move}, {algorithm}, depth {depth}",
        f"{len(tree):,}",
        f"{statistics.median(recorded):.2f} s",
    ]
    cells += [f"{size:.0f} kB", f"{statistics.median(sent):.0f} ms", f"{statistics.median(drawn):.0f} ms"]
    for act in ("pan", "zoom"):
        frames = page.evaluate(FRAMES, act)
        cells.append(f"{statistics.median(frames):.1f} / {statistics.quantiles(frames, n=20)[18]:.1f} ms")
    return [*cells, f"{held:.0f} MB", f"{max(heap, 0):.0f} MB"]


def main() -> None:
    """Measure and write the table."""
    flags = [*FLAGS, "--enable-precise-memory-info"]
    with tempfile.TemporaryDirectory() as folder, serving(folder), sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            f"{folder}/profile", executable_path=chromium(), args=flags
        )
        rows = [measured(browser.pages[0], *search) for search in SEARCHES]
        browser.close()
    head = ["search", "nodes", "recording", "message", "sending", "first drawing", "pan, frame", "zoom, frame"]
    head += ["in Python", "in the page"]
    lines = [
        "# The microscope",
        "",
        f"Written by `python bench/microscope.py`, medians of {RUNS} runs on {psutil.cpu_count()} cores without a",
        "graphics card. Recording runs the search in plain Python. Sending is from the page's question to its answer,",
        "for a tree that the worker has recorded. Drawing is with every node open, to the end of the frame. Frames are",
        "median / p95 of 60 while the view moves; a screen shows one every 16.7 ms. Memory is that of one tree.",
        "",
        "| " + " | ".join(head) + " |",
        "|---|" + "--:|" * (len(head) - 1),
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
    ]
    print("\n".join(lines))
    (HERE / "MICROSCOPE.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
