"""What a call from Python costs beside the search itself, and beside other libraries. Writes bench/LIBRARY.md.

python bench/library.py
"""

import importlib.util
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import plyground as pg
from plyground.compiled.kernel import kernel
from plyground.score import INFINITY
from plyground.search.context import STACK, context_for
from plyground.search.observer import Counting
from plyground.search.pvs import pvs
from plyground.search.table import PLAYING, entries_in, new_table

COUNT, DEPTH = 1_000, 6
FILE = Path(__file__).with_name("LIBRARY.md")


def positions() -> list[pg.Position]:
    """Unfinished positions of random games of Connect Four, 4 to 19 plies old."""
    chance, found = random.Random(1), list[pg.Position]()
    while len(found) < COUNT:
        here = pg.Position.initial("connectfour")
        for _ in range(chance.randrange(4, 20)):
            here = here.play(chance.choice(here.legal_moves)) if here.outcome is None else here
        if here.outcome is None:
            found.append(pg.Position(here.game, here.state))
    return found


def seconds(work: Callable[[], object]) -> float:
    """Seconds of the processor that work takes, the least of three."""
    least = float("inf")
    for _ in range(3):
        before = time.process_time()
        work()
        least = min(least, time.process_time() - before)
    return least


def bare(given: list[pg.Position]) -> None:
    """The compiled search alone, one table for all."""
    game, state = given[0].game, given[0].state
    search, observer = kernel(pvs, game), Counting.fresh()
    context = context_for(game, state, new_table(state, entries_in(state, PLAYING)))
    for here in given:
        for depth in range(1, DEPTH + 1):
            search(observer, context, here.state, depth, -INFINITY, INFINITY, 1, 0, STACK)


def thought(given: list[pg.Position], depth: int) -> None:
    """A call of `think` for each."""
    for here in given:
        for _ in pg.think(here, pg.Limit(depth=depth)):
            pass


def import_seconds(code: str) -> float:
    """Seconds of the processor that this import takes, from bytecode, without Python's own start."""
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(code: str) -> float:
        before = os.times()
        subprocess.run([sys.executable, "-c", code], env=plain, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    return min(run(code) for _ in range(4)) - min(run("pass") for _ in range(4))


def beside() -> list[tuple[str, str, str]]:
    """The same work in python-chess, where it is installed."""
    if not importlib.util.find_spec("chess"):
        return []
    import chess

    def perft(board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += perft(board, depth - 1)
            board.pop()
        return total

    start = pg.Position.initial("chess")
    pg.perft(start, 1)
    theirs, ours = seconds(lambda: perft(chess.Board(), 3)), seconds(lambda: pg.perft(start, 4))
    counts = "perft of chess, million nodes a second: python-chess to 3 plies, `pg.perft` to 4"
    return [(counts, f"{8_902 / theirs / 1e6:.2f}", f"{197_281 / ours / 1e6:.1f}")]


def main() -> None:
    """Measure, and write the document."""
    given = positions()
    pg.warm("connectfour")
    pg.evaluate_many("connectfour", given[:2])
    thought(given[:5], DEPTH)
    kernel_alone = seconds(lambda: bare(given))
    many = seconds(lambda: pg.analyse_many(given, pg.Limit(depth=DEPTH)))
    one_by_one = seconds(lambda: thought(given, DEPTH))
    call = seconds(lambda: thought(given, 1))
    evaluated = seconds(lambda: pg.evaluate_many("connectfour", given))
    rows = [
        (f"{COUNT:,} positions of Connect Four, {DEPTH} plies: the compiled search alone", "", f"{kernel_alone:.3f} s"),
        (f"the same by `analyse_many`: {many / kernel_alone:.2f} times that", "", f"{many:.3f} s"),
        ("the same by `think`, one after another", "7.4 s", f"{one_by_one:.2f} s"),
        ("a call of `think` to one ply", "1.0 ms", f"{1000 * call / COUNT:.2f} ms"),
        (f"{COUNT:,} static evaluations by `evaluate_many`", "", f"{1000 * evaluated:.1f} ms"),
        ("`import plyground as pg; pg.think`", "0.18 s", f"{import_seconds('import plyground as pg; pg.think'):.2f} s"),
        ("`from plyground import *`", "0.18 s", f"{import_seconds('from plyground import *'):.2f} s"),
    ]
    lines = [f"| {what} | {before} | {now} |" for what, before, now in rows]
    others = [f"| {what} | {theirs} | {ours} |" for what, theirs, ours in beside()]
    FILE.write_text(
        "# From Python\n\n"
        "Seconds of the processor, written by `python bench/library.py`. Before: version 0.1 as it was when no\n"
        "thread, table or code was kept between calls, on the same machine.\n\n"
        "| what | before | now |\n|---|--:|--:|\n" + "\n".join(lines) + "\n\n"
        "| beside | python-chess | plyground |\n|---|--:|--:|\n" + "\n".join(others) + "\n",
        encoding="utf-8",
    )
    print(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
