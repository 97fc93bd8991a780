"""Compare the compiled searches with plain Python and with C: `python bench/run.py`, about a minute.

It prints a Markdown table and writes it to `bench/RESULTS.md`. Every speed is nodes by CPU time. C and compiled take
turns, round by round, so that whatever else the machine does disturbs both alike. Where C and ours disagree on a value
or on a number of nodes, it fails.
"""

import json
import os
import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, Final

from compiled import require_compiled

from plyground.compiled.kernel import kernel
from plyground.games import AnyGame, game_named
from plyground.rules import ONGOING
from plyground.score import INFINITY, final
from plyground.search.alphabeta import alphabeta
from plyground.search.mcts import EXPLORATION, SUM, clear_tree, mcts, new_tree, node_field
from plyground.search.memory import Memory, new_memory
from plyground.search.minimax import minimax
from plyground.search.observer import SILENT, Counting, Observer
from plyground.search.perft import perft

HERE: Final = Path(__file__).parent
ROUNDS: Final = 5
TURN: Final = 0.3
"""Seconds of CPU time that a search is repeated for in each round; its best repetition counts."""

Search = Callable[..., Any]


HALF: Final = 32


def perft_tested(game: AnyGame, observer: Observer, state: Any, depth: int, ply: int) -> int:
    """Perft that asks of each leaf too whether the game is over, as the C programs do.

    Finished leaves are counted `HALF` bits higher than the others, so that no compiler can leave the test out.
    """
    observer.enter(state, depth, ply, 0, 0)
    utility = game.outcome(state)
    if depth == 0:
        return 1 if utility == ONGOING else 1 << HALF
    sequences = 0
    if utility == ONGOING:
        for move in game.moves(state):
            sequences += perft_tested(game, observer, game.play(state, move), depth - 1, ply + 1)
    return sequences


TREE: Final = new_tree(1 << 20, 0)
PATH: Final = new_memory(1 << 10)


def simulations(game: AnyGame, observer: Observer, tree: Memory, path: Memory, state: Any, depth: int) -> int:
    """So many simulations from an empty tree: the sum of all results, which any difference would change."""
    clear_tree(tree, 0)
    mcts(game, observer, tree, path, state, depth, EXPLORATION)
    return node_field(tree, 0, SUM)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    game: str
    search: Search
    depth: int
    """Or, of simulations, how many."""
    plain_depth: int
    """For plain Python: shallower where it would take minutes."""
    limit: tuple[str, ...] = ()
    """The C program and the words before the depth; none: there is no C for this row."""
    prefer_shorter: int = 0

    def arguments(self, rules: AnyGame, observer: Observer, depth: int) -> tuple[Any, ...]:
        """What the search takes after the game."""
        if self.search is simulations:
            return (observer, TREE, PATH, rules.initial(), depth)
        if self.search in COUNTS:
            return (observer, rules.initial(), depth, 0)
        if self.search is minimax:
            return (observer, rules.initial(), depth, self.prefer_shorter, 0)
        return (observer, rules.initial(), depth, -INFINITY, INFINITY, self.prefer_shorter, 0)


BLIND: Final = "connectfour, no opinion"
COUNTS: Final = (perft, perft_tested, simulations)
"""The searches that answer with a number, not with a value."""
ROWS: Final = (
    Row("tictactoe", perft, 9, 9, ("mnk", "perft")),
    Row("tictactoe", perft_tested, 9, 9, ("mnk", "perft")),
    Row("tictactoe", minimax, 9, 9, ("mnk", "minimax")),
    Row("tictactoe", alphabeta, 9, 9, ("mnk", "alphabeta")),
    Row("mnk:4,4,4", perft, 6, 4),
    Row("connectfour", perft, 8, 6, ("connectfour", "perft")),
    Row("connectfour", perft_tested, 8, 6, ("connectfour", "perft")),
    Row(f"{HERE / 'blind.py'}:Blind", alphabeta, 12, 8, ("connectfour", "alphabeta")),
    Row("connectfour", simulations, 100_000, 1_000, ("connectfour", "mcts")),
    Row("kalah", perft, 9, 7, ("kalah", "perft")),
    Row("kalah", perft_tested, 9, 7, ("kalah", "perft")),
    Row("kalah", alphabeta, 12, 8, ("kalah", "alphabeta")),
    Row("kalah", simulations, 100_000, 1_000, ("kalah", "mcts")),
    Row("reversi", perft, 9, 5, ("reversi", "perft")),
    Row("reversi", perft_tested, 9, 5, ("reversi", "perft")),
    Row("draughts", perft, 9, 6, ("draughts", "perft")),
    Row("ultimate", perft, 5, 4, ("ultimate", "send", "perft")),
    Row("ultimate", perft_tested, 5, 4, ("ultimate", "send", "perft")),
    Row("ultimate", alphabeta, 8, 6, ("ultimate", "send", "alphabeta"), prefer_shorter=1),
    Row("ultimate", simulations, 100_000, 1_000, ("ultimate", "send", "mcts")),
    Row("ultimate:send=false", perft, 4, 3, ("ultimate", "free", "perft")),
    Row("ultimate:send=false", perft_tested, 4, 3, ("ultimate", "free", "perft")),
    Row("ultimate:send=false", alphabeta, 4, 3, ("ultimate", "free", "alphabeta"), prefer_shorter=1),
    Row("ultimate:send=false", simulations, 20_000, 1_000, ("ultimate", "free", "mcts")),
)


@dataclass(frozen=True)
class Answer:
    """What a search found, and the nodes it visited for it."""

    result: int
    nodes: int


def build_limit(compiler: str, folder: Path) -> None:
    """Compile the C programs into a folder."""
    for source in sorted((HERE / "limit").glob("*.c")):
        exact = "-ffp-contract=off"  # the same fractions to the last bit
        command = [compiler, "-O3", "-march=native", exact, "-o", str(folder / source.stem), str(source), "-lm"]
        subprocess.run(command, check=True)


def run_limit(row: Row, folder: Path) -> tuple[Answer, float]:
    """What a C program found, and its seconds."""
    program, *words = row.limit
    line = subprocess.run([folder / program, *words, str(row.depth)], check=True, capture_output=True, text=True).stdout
    said = json.loads(line)
    result = (
        final(said["result"], 0)
        if row.search not in COUNTS and row.prefer_shorter == 0 and abs(said["result"]) < 2
        else said["result"]
    )
    return Answer(result, said["nodes"]), said["seconds"]


def answer(row: Row, found: Any) -> int:
    """The count or value in what a search returns; its move is not compared."""
    if row.search is perft_tested:
        return int(found >> HALF) + int(found) % (1 << HALF)
    return int(found[0] if isinstance(found, tuple) else found)


def count(row: Row, rules: AnyGame, depth: int) -> Answer:
    """What the compiled search finds, with its nodes counted."""
    observer = Counting.fresh()
    found = kernel(row.search, rules)(*row.arguments(rules, observer, depth))
    return Answer(answer(row, found), observer.nodes)


def seconds(task: Callable[[], object], at_least: float = TURN) -> float:
    """The CPU time of a task's best repetition."""
    best, start = float("inf"), time.process_time()
    while True:
        before = time.process_time()
        task()
        after = time.process_time()
        best = min(best, after - before)
        if after - start >= at_least:
            return best


def plain_speed(row: Row, rules: AnyGame) -> float:
    """Nodes a second in plain Python, run once."""
    arguments = row.arguments(rules, SILENT, row.plain_depth)
    found: list[int] = []
    taken = seconds(lambda: found.append(answer(row, row.search(rules, *arguments))), at_least=0)
    expected = count(row, rules, row.plain_depth)
    if found[-1] != expected.result:
        raise SystemExit(f"{row.game} {row.search.__name__}: plain {found[-1]}, compiled {expected.result}.")
    return expected.nodes / taken


def measure(row: Row, folder: Path | None) -> str:
    """A row of the table."""
    rules = game_named(row.game)
    search = kernel(row.search, rules)
    arguments = row.arguments(rules, SILENT, row.depth)
    expected = count(row, rules, row.depth)
    if answer(row, search(*arguments)) != expected.result or search.why_plain:
        raise SystemExit(f"{row.game} {row.search.__name__}: {search.why_plain or 'counted and silent disagree'}")
    plain = plain_speed(row, rules)
    ours: list[float] = []
    limit: list[float] = []

    def take_turn_c() -> None:
        if folder and row.limit:
            found, taken = run_limit(row, folder)
            if found != expected:
                raise SystemExit(f"{row.game} {row.search.__name__}: C {found}, compiled {expected}.")
            limit.append(expected.nodes / taken)

    def take_turn_ours() -> None:
        ours.append(expected.nodes / seconds(lambda: search(*arguments)))

    for turn in range(ROUNDS):  # C, ours, ours, C, …
        for take_turn in (take_turn_c, take_turn_ours) if turn % 2 == 0 else (take_turn_ours, take_turn_c):
            take_turn()
    fast = median(ours)
    depth_note = f" (depth {row.plain_depth})" if row.plain_depth != row.depth else ""
    cells = [
        BLIND if row.game.endswith(":Blind") else row.game,
        row.search.__name__,
        str(row.depth),
        f"{expected.nodes:,}",
        millions(fast),
    ]
    cells += [f"{millions(plain)}{depth_note}", f"{fast / plain:.0f}"]
    cells += [millions(median(limit)), f"{fast / median(limit):.2f}"] if limit else ["–", "–"]
    return f"| {' | '.join(cells)} |"


def millions(number: float) -> str:
    """Millions, to three digits."""
    return f"{number / 1e6:.3g}"


def cpu_model() -> str:
    """The processor's name, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


def machine(compiler: str | None) -> str:
    """What the figures were measured on."""
    first_line = "no C compiler found, so the columns for C are empty"
    if compiler:
        said = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout
        first_line = f"C by {said.splitlines()[0]}, -O3 -march=native"
    return (
        f"{cpu_model()}, {os.cpu_count()} cores; {platform.system()} on {platform.machine()}; "
        f"Python {platform.python_version()}, llvmlite {version('llvmlite')}; {first_line}."
    )


def main() -> None:
    """Measure every row, print the table and write it."""
    require_compiled()
    compiler = shutil.which("cc")
    lines = [
        "# Results",
        "",
        "Written by `python bench/run.py`; what each number means is in [README.md](README.md). C tests every leaf for",
        "a finished game. `perft` leaves that out, `perft_tested` does it: only the latter compares like with like.",
        "",
        machine(compiler),
        "",
        "| game | task | depth | nodes | compiled, M nodes/s | plain Python, M nodes/s | compiled / plain "
        "| C, M nodes/s | compiled / C |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) if compiler else None
        if compiler and folder:
            build_limit(compiler, folder)
        for row in ROWS:
            lines.append(measure(row, folder))
            print(lines[-1], flush=True)
    (HERE / "RESULTS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
