"""What a person waits for: the first page, the own mark, the reply. `python bench/page.py`, about a minute.

A real Chromium and a real server on one machine, everything compiled before (warm). Writes bench/PAGE.md.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from compiled import require_compiled
from playwright.sync_api import Page, Playwright, sync_playwright

HERE = Path(__file__).resolve().parent
RUNS = 12
PORT = 8766
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]

# In the page: milliseconds from a click on a cell to the frame in which its mark stands there.
CLICK = """(name) => new Promise((done) => {
  const find = (start) => [...document.querySelectorAll(".place-of-board [role=gridcell]")].find(
    (node) => node.getAttribute("aria-label").startsWith(start));
  const cell = find(name), start = performance.now();
  cell.click();
  const look = () => cell.querySelector(".piece") ? done(performance.now() - start) : requestAnimationFrame(look);
  look();
})"""
REPLIED = """() => new Promise((done) => {
  const start = performance.now();
  const look = () => document.querySelectorAll(".place-of-board .piece").length >= 2
    ? done(performance.now() - start) : requestAnimationFrame(look);
  look();
})"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@contextmanager
def serving(folder: str) -> Iterator[float]:
    """A server for a while; when it was started."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", str(PORT)]
    server = subprocess.Popen([*command, "--database", f"sqlite:///{folder}/games.db"], stdout=subprocess.PIPE)
    assert server.stdout is not None
    server.stdout.readline()
    try:
        yield started
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def one_minute(playwright: Playwright, measured: dict[str, list[float]]) -> None:
    """A newcomer's: from the command to the first own move, and its reply."""
    with tempfile.TemporaryDirectory() as folder, serving(folder) as started:
        browser = playwright.chromium.launch_persistent_context(
            f"{folder}/profile", executable_path=shutil.which("chromium"), args=FLAGS
        )
        page = browser.pages[0]
        for _ in range(100):
            try:
                page.goto(f"http://localhost:{PORT}/")
                break
            except Exception:  # it does not listen yet
                time.sleep(0.02)
        page.get_by_role("gridcell").first.wait_for()
        own = page.evaluate(CLICK, "b2")
        measured["from the command to the first own move, ms"].append((time.perf_counter() - started) * 1e3)
        measured["first paint, ms"].append(page.evaluate(PAINT))
        measured["own mark, ms"].append(own)
        page.evaluate(REPLIED)
        replies(page, measured["reply of tic-tac-toe, ms"])
        browser.close()


def replies(page: Page, times: list[float]) -> None:
    """How long the perfect player takes, from the click, once its search is loaded."""
    page.goto("about:blank")
    page.goto(f"http://localhost:{PORT}/#/?game=tictactoe&x=human&o=level:best")
    page.get_by_role("gridcell").first.wait_for()
    start = time.perf_counter()
    page.evaluate(CLICK, "a1")
    page.evaluate(REPLIED)
    times.append((time.perf_counter() - start) * 1e3)


def main() -> None:
    """Measure and write the table."""
    require_compiled()
    names = [
        "from the command to the first own move, ms",
        "first paint, ms",
        "own mark, ms",
        "reply of tic-tac-toe, ms",
    ]
    measured: dict[str, list[float]] = {name: [] for name in names}
    with sync_playwright() as playwright:
        for _ in range(RUNS):
            one_minute(playwright, measured)
    lines = [
        "# The page",
        "",
        f"Written by `python bench/page.py`: {RUNS} runs, each with a fresh server and a fresh browser, on "
        f"{psutil.cpu_count()} cores, the searches compiled before. The first row includes the browser's own start.",
        "",
        "| | median | p95 |",
        "|---|--:|--:|",
        *(
            f"| {name} | {statistics.median(times):.1f} | {statistics.quantiles(times, n=20)[18]:.1f} |"
            for name, times in measured.items()
        ),
        "",
    ]
    print("\n".join(lines))
    (HERE / "PAGE.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
