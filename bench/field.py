"""Every shipped game at both speeds, and what its compiling costs: `python bench/field.py`, some minutes.

It prints a Markdown table and writes it to `bench/FIELD.md`; with names of games after it, it prints those alone. Every
speed is nodes by CPU time, at the first depth that takes half a second, or the one before where that would take long;
compiling is CPU time from an empty cache.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from compiled import require_compiled

import plyground as pg
from plyground.compiled.kernel import kernel
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.observer import Counting
from plyground.search.perft import perft

HERE: Final = Path(__file__).parent
ENOUGH: Final = 0.5
"""Seconds after which no deeper search is tried: the next one would take several times as long."""
PATIENCE: Final = 5.0
"""Seconds that the next depth may take, as the last one has grown; on a board of 15 x 15 it takes 200 times as long."""
DEEPEST: Final = 60
COMPILE: Final = """
import json, sys, time
from compiled import calls
from plyground.compiled.kernel import kernel
import plyground as pg
game = pg.game_named(sys.argv[1])
spent = {}
for search, arguments in calls(game.initial()).items():
    begun = time.process_time()
    kernel(search, game).prepare(*arguments)
    spent[search.__name__] = time.process_time() - begun
print(json.dumps(spent))
"""


def arguments(search: Callable[..., Any], observer: Counting, state: Any, depth: int) -> tuple[Any, ...]:
    """What a search takes after the game."""
    return (observer, state, depth, 0) if search is perft else (observer, state, depth, -INFINITY, INFINITY, 1, 0)


def speed(run: Callable[..., Any], search: Callable[..., Any], state: Any) -> tuple[int, int, float]:
    """The depth that takes long enough, the nodes of it, and how many of them a second."""
    depth, nodes, seconds = 0, 0, 0.0
    while seconds < ENOUGH and depth < DEEPEST:
        observer, begun = Counting.fresh(), time.process_time()
        run(*arguments(search, observer, state, depth + 1))
        if observer.nodes == nodes:  # all of it was seen before
            break
        growth = observer.nodes / max(nodes, 1)
        depth, nodes, seconds = depth + 1, observer.nodes, time.process_time() - begun
        if depth > 1 and seconds * growth > PATIENCE:
            break
    rounds = 1
    while seconds < ENOUGH / 5:  # a small game is searched to its end again and again
        begun = time.process_time()
        for _ in range(rounds):
            run(*arguments(search, Counting.fresh(), state, depth))
        seconds = (time.process_time() - begun) / rounds
        if seconds * rounds > ENOUGH / 5:
            break
        rounds *= 4
    return depth, nodes, nodes / seconds


def compiling(name: str) -> dict[str, float]:
    """CPU seconds of compiling each search, in a new process with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", COMPILE, name],
            env=os.environ | {"PLYGROUND_CACHE": folder},
            cwd=HERE,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def row(name: str) -> list[str]:
    """One line of the table."""
    game = pg.game_named(name)
    state, cells = game.initial(), [name]
    for search in (perft, alphabeta):
        fast = kernel(search, game)
        fast.prepare(*arguments(search, Counting.fresh(), state, 1))
        depth, nodes, compiled = speed(fast, search, state)
        _, _, plain = speed(lambda *args, search=search: search(game, *args), search, state)
        cells += [f"{depth}", f"{nodes:,}", f"{compiled / 1e6:.3g}", f"{compiled / plain:,.0f}"]
    spent = compiling(name)
    return [*cells, f"{spent['pvs']:.1f}", f"{sum(spent.values()):.1f}"]


def main() -> None:
    """Print the table, and write it if it is of all games."""
    names = sys.argv[1:] or [choice.name for choice in pg.GAMES]
    require_compiled(*names)
    head = ["game", "perft to", "nodes", "M nodes/s", "× plain", "alpha-beta to", "nodes", "M nodes/s", "× plain"]
    head += ["engine compiles in, s", "all searches, s"]
    lines = [f"| {' | '.join(head)} |", "|---" + "|--:" * (len(head) - 1) + "|"]
    print("\n".join(lines))
    for name in names:
        lines.append(f"| {' | '.join(row(name))} |")
        print(lines[-1], flush=True)
    if not sys.argv[1:]:
        said = "Written by `python bench/field.py`: every shipped game as it is by default, at both speeds, and"
        said += "\nwhat compiling costs, in seconds of CPU time from an empty cache."
        where = f"{platform.system()} on {platform.machine()}; Python {platform.python_version()}."
        (HERE / "FIELD.md").write_text(f"# The field\n\n{said} {where}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
