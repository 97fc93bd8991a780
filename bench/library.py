"""What a call from Python costs beside the search itself, and beside other libraries. Writes bench/LIBRARY.md.

python bench/library.py
"""

import asyncio
import importlib.util
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ten import PROGRAMS, lines

import plyground as pg
from plyground.compiled.kernel import kernel
from plyground.engine.run import prepare
from plyground.score import INFINITY
from plyground.search.context import STACK, new_search_context
from plyground.search.observer import Counting
from plyground.search.pvs import pvs
from plyground.search.table import PLAYING, entries_in, new_table

COUNT, DEPTH = 1_000, 6
STOPPED = ("chess", "breakthrough")
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
    context = new_search_context(game, state, new_table(state, entries_in(state, PLAYING)))
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


def _stopped(stop: threading.Event, since: list[float]) -> None:
    since.append(time.process_time())
    stop.set()


def stop_seconds(game: str) -> float:
    """Seconds from a stop event to the end of a search, the longest of some.

    Of the processor: the search is busy until it ends, so an idle machine takes as long.
    """
    here, longest = pg.Position.initial(game), 0.0
    for number in range(20):
        stop, since = threading.Event(), list[float]()
        timer = threading.Timer(0.05 + 0.02 * number, _stopped, (stop, since))
        timer.start()
        for _ in pg.think(here, stop=stop):
            pass
        longest = max(longest, time.process_time() - since[0])
        timer.join()
    return longest


def given_up_seconds(game: str) -> float:
    """Seconds of the processor from the end of `asyncio.wait_for` to that of its search, the longest of some."""

    async def to_the_end(here: pg.Position) -> None:
        async for _ in pg.think_async(here):
            pass

    async def measure() -> float:
        here, longest = pg.Position.initial(game), 0.0
        for number in range(20):
            with suppress(TimeoutError):
                await asyncio.wait_for(to_the_end(here), 0.05 + 0.02 * number)
            since = time.process_time()
            for thread in threading.enumerate():
                if thread.name == "plyground think_async":
                    thread.join()
            longest = max(longest, time.process_time() - since)
        return longest

    return asyncio.run(measure())


COLD = """
import os, sys, time
import plyground as pg
here = pg.Position.initial(sys.argv[1])
since = time.perf_counter()
for report in pg.think(here, pg.Limit(time=1)):
    pass
print(time.perf_counter() - since, flush=True)
os._exit(0)  # Python else waits for the compiler
"""


def cold_seconds(game: str) -> float:
    """Seconds for an answer in a second where nothing is compiled yet."""
    with TemporaryDirectory() as folder:
        environment = os.environ | {"PLYGROUND_CACHE": folder}
        command = [sys.executable, "-c", COLD, game]
        return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


Beside = tuple[str, str, str]
"""A task that both libraries do, and the figures of the other one and of plyground."""


def beside_chess() -> list[Beside]:
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
    counts = "python-chess: perft of chess, million nodes a second, theirs to 3 plies, `pg.perft` to 4"
    return [(counts, f"{8_902 / theirs / 1e6:.2f}", f"{197_281 / ours / 1e6:.1f}")]


def beside_openspiel() -> list[Beside]:
    """The same work in OpenSpiel, where it is installed."""
    if not importlib.util.find_spec("pyspiel"):
        return []
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts, minimax

    four, three = pyspiel.load_game("connect_four"), pyspiel.load_game("tic_tac_toe")
    bots = [
        lambda: mcts.MCTSBot(four, 2, 1000, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))),
        lambda: pyspiel.MCTSBot(four, pyspiel.RandomRolloutEvaluator(1, 1), 2, 1000, 256, False, 1, False),
    ]
    in_python, in_c = (seconds(lambda make=make: make().step(four.new_initial_state())) for make in bots)  # type: ignore[misc]
    start, cells = pg.Position.initial("connectfour"), pg.Position.initial("tictactoe")
    pg.simulate(start, pg.Limit(nodes=10))
    ours = seconds(lambda: pg.simulate(start, pg.Limit(nodes=1000)))
    pg.search(cells, "alphabeta", 9)
    found = [
        ("OpenSpiel: 1,000 simulations of Connect Four, theirs in Python", f"{in_python:.3f} s", f"{ours:.4f} s"),
        ("the same, theirs in C++", f"{in_c:.4f} s", f"{ours:.4f} s"),
    ]
    theirs = seconds(lambda: minimax.alpha_beta_search(three))
    ours = seconds(lambda: pg.search(cells, "alphabeta", 9))
    found.append(("OpenSpiel: alpha-beta through tic-tac-toe, theirs in Python", f"{theirs:.3f} s", f"{ours:.4f} s"))

    def random_games(new: Callable[[], Any], step: Callable[[Any, random.Random], Any]) -> None:
        chance = random.Random(1)
        for _ in range(100):
            here = new()
            while here is not None:
                here = step(here, chance)

    def their_step(state: Any, chance: random.Random) -> Any:
        state.apply_action(chance.choice(state.legal_actions()))
        return None if state.is_terminal() else state

    def our_step(here: pg.Position, chance: random.Random) -> pg.Position | None:
        after = here.play(chance.choice(here.legal_moves))
        return None if after.outcome is not None else after

    theirs = seconds(lambda: random_games(four.new_initial_state, their_step))
    ours = seconds(lambda: random_games(lambda: start, our_step))
    played = "OpenSpiel: 100 random games of Connect Four, move by move from Python, theirs in C++"
    return [*found, (played, f"{theirs:.3f} s", f"{ours:.3f} s")]


def main() -> None:
    """Measure, and write the document."""
    given = positions()
    for game in ("connectfour", *STOPPED):
        prepare(pg.Position.initial(game))
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
        (
            f"from a stop event to the end of its search, the longest of 20, in {' and '.join(STOPPED)}",
            "never",
            " and ".join(f"{1000 * stop_seconds(game):.1f}" for game in STOPPED) + " ms",
        ),
        (
            "from the end of `asyncio.wait_for` to that of its search, in the same way",
            "never",
            " and ".join(f"{1000 * given_up_seconds(game):.1f}" for game in STOPPED) + " ms",
        ),
        (
            f"`Limit(time=1)` where nothing is compiled, in {' and '.join(STOPPED)}, by the wall",
            "14.9 s",
            " and ".join(f"{cold_seconds(game):.2f}" for game in STOPPED) + " s",
        ),
        ("`import plyground as pg; pg.think`", "0.18 s", f"{import_seconds('import plyground as pg; pg.think'):.2f} s"),
        ("`from plyground import *`", "0.18 s", f"{import_seconds('from plyground import *'):.2f} s"),
    ]
    table = [f"| {what} | {before} | {now} |" for what, before, now in rows]
    others = [f"| {what} | {theirs} | {ours} |" for what, theirs, ours in (*beside_chess(), *beside_openspiel())]
    written = [
        f"| {(program.__doc__ or '').rstrip('.')} | {before} | {lines(program)} |" for program, before in PROGRAMS
    ]
    FILE.write_text(
        "# From Python\n\n"
        "Seconds of the processor, written by `python bench/library.py`. Before: version 0.1 as it was when no\n"
        "thread, table or code was kept between calls, on the same machine. Now: on a day on which that machine was\n"
        "1.5 times as slow, python-chess and older versions of plyground included; a call of `think` took 0.16 ms\n"
        "before.\n\n"
        "| what | before | now |\n|---|--:|--:|\n" + "\n".join(table) + "\n\n"
        "| beside other libraries | theirs | plyground |\n|---|--:|--:|\n" + "\n".join(others) + "\n\n"
        "Lines of ten programs, which are in `bench/ten.py`, without imports:\n\n"
        "| program | before | now |\n|---|--:|--:|\n" + "\n".join(written) + "\n",
        encoding="utf-8",
    )
    print(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
