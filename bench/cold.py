"""What a newcomer waits for where nothing was ever compiled. `python bench/cold.py [GAME …]`, ten minutes for all.

Each row is a fresh cache: a real server, a game that is asked for once, and then again until its answers come from
compiled code. Writes bench/COLD.md; with games named (`own` is one of one's own) it measures only those, and prints.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import psutil

HERE = Path(__file__).resolve().parent
PORT = 8767
GAMES = ("tictactoe", "connectfour", "kalah", "ultimate", "chess", "own")
BEYOND = {"connectfour": ["d", "d", "d", "d"]}
"""Moves that lead out of a game's opening book, which answers without a search."""
VERBS = (
    ("analyse", "connectfour", "--time", "2"),
    ("search", "kalah", "--depth", "5"),
    ("search", "connectfour", "--algorithm", "mcts", "--nodes", "300"),
    ("perft", "chess", "3"),
    ("solve", "tictactoe"),
)


@contextmanager
def serving(cache: str, *words: str) -> Iterator[psutil.Process]:
    """A server with a cache of its own, for a while."""
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", str(PORT), *words]
    server = subprocess.Popen(
        [*command, "--database", f"sqlite:///{cache}/games.db"],
        stdout=subprocess.PIPE,
        env=os.environ | {"PLYGROUND_CACHE": cache},
    )
    assert server.stdout is not None
    server.stdout.readline()
    try:
        yield psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def asking(port: int) -> Callable[..., Any]:
    """What asks the server at a port one operation, and gives its last answer."""

    def asked(operation: str, **args: Any) -> Any:
        request = urllib.request.Request(
            f"http://localhost:{port}/api/{operation}", json.dumps(args).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    return asked


asked = asking(PORT)


def until_compiled(asked: Callable[..., Any], **at: Any) -> None:
    """Ask until compiled code answers, or all is certain: of what plain Python knows at once, nothing is compiled."""
    while (report := asked("reply", **at, player="engine:time=0.05")["report"])["why_plain"] and not report["certain"]:
        time.sleep(0.5)


def cpu(process: psutil.Process) -> float:
    """CPU seconds of a process and all that it has started and that still live."""
    total = 0.0
    for each in [process, *process.children(recursive=True)]:
        times = each.cpu_times()
        total += times.user + times.system
    return total


LOOKING = 3.0
"""Seconds that a person looks at the page before the first click."""


def first_answers(game: str, *words: str) -> tuple[float, float, float, float]:
    """Seconds to the first reply, its CPU seconds, and both until replies come from compiled code."""
    with tempfile.TemporaryDirectory() as cache, serving(cache, *words) as server:
        while True:
            try:
                asked("menu")
                break
            except OSError:
                time.sleep(0.02)
        time.sleep(LOOKING)
        before, start = cpu(server), time.perf_counter()
        at = {"game": game, "moves": BEYOND.get(game, [])}
        asked("reply", **at, player="level:error=0.25")
        first, first_cpu = time.perf_counter() - start, cpu(server) - before
        until_compiled(asked, **at)
        return first, first_cpu, time.perf_counter() - start, cpu(server) - before


def in_terminal(*words: str) -> tuple[float, float]:
    """Seconds a command takes with an empty cache, and again."""
    took = []
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "plyground", *words],
                env=os.environ | {"PLYGROUND_CACHE": cache},
                check=True,
                capture_output=True,
            )
            took.append(time.perf_counter() - start)
    return took[0], took[1]


def own_game(folder: str) -> str:
    """The game that docs/add-a-game.md begins with, in a file."""
    text = (HERE.parent / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    file = Path(folder) / "takeaway.py"
    file.write_text(text.split("```python\n")[1].split("```")[0], encoding="utf-8")
    return f"{file}:TakeAway"


def by_game(games: Sequence[str]) -> Iterator[str]:
    """A table of what is waited for in the page, line by line."""
    yield "| game | first reply, s | of it CPU, s | replies from compiled code, s | CPU until then, s |"
    yield "|---|--:|--:|--:|--:|"
    with tempfile.TemporaryDirectory() as folder:
        own = own_game(folder)
        for game in games:
            row = first_answers(own, "--game", own) if game == "own" else first_answers(game)
            name = "a game of one's own" if game == "own" else game
            yield f"| {name} | " + " | ".join(f"{figure:.2f}" for figure in row) + " |"


def by_command() -> Iterator[str]:
    """The same of the terminal."""
    yield from ("", "| command | with an empty cache, s | again, s |", "|---|--:|--:|")
    for verb in VERBS:
        yield f"| `plyground {' '.join(verb)}` | " + " | ".join(f"{took:.2f}" for took in in_terminal(*verb)) + " |"


def main() -> None:
    """Measure, and write the tables if they are of all games."""
    chosen = sys.argv[1:]
    lines = [
        "# With nothing compiled",
        "",
        f"Written by `python bench/cold.py`, on {psutil.cpu_count()} cores with Python {platform.python_version()}: "
        "each row begins with an empty cache and a server just started, whose page is open for 3 s. "
        "First a reply of the level that errs in a quarter of its moves, then of the engine; CPU is that of the server "
        "and all its processes from the first question on.",
        "",
    ]
    for line in by_game(chosen) if chosen else chain(by_game(GAMES), by_command()):
        lines.append(line)
        print(line, flush=True)
    if not chosen:
        (HERE / "COLD.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
