"""Time of a review: `python bench/reviews.py` writes the last table of `bench/ANALYSIS.md`.

The games have 60 plies and come from the engine playing against itself, with random moves among its own. Each is
reviewed by the command, once with an empty cache of compiled code and twice with the code kept.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from typing import Final

from analysis import ERRS
from sections import write

import plyground as pg

GAMES: Final = ("chess", "draughts", "reversi")
PLIES: Final = 60
SAID: Final = """\
**Reviews.** Written by `python bench/reviews.py`: `plyground review` of a game of {plies} plies, on {cores} cores, from
its start to its end: with an empty cache of compiled code, and with the code kept (the faster of two runs). A review
has 8 s by default; what it cannot search again in that time keeps the grade of the first look.

| game | cold, s | of it CPU, s | again, s | of it CPU, s |
|---|--:|--:|--:|--:|
"""


def played(name: str) -> str:
    """The moves of a game of `PLIES` plies."""
    chance = random.Random(5)
    while True:
        position = pg.Position.initial(name)
        while position.outcome is None and len(position.moves) < PLIES:
            if chance.random() < ERRS:
                position = position.play(chance.choice(position.legal_moves))
            else:
                position = position.play([*pg.think(position, pg.Limit(depth=3), table=1)][-1].move)
        if len(position.moves) == PLIES:
            return position.history


def reviewed(name: str, moves: str, cache: str) -> tuple[float, float]:
    """Seconds on the clock and of CPU that a review takes."""
    before, begun = os.times(), time.perf_counter()
    command = [sys.executable, "-m", "plyground", "review", name, moves]
    subprocess.run(command, env=os.environ | {"PLYGROUND_CACHE": cache}, capture_output=True, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begun, used


def main() -> None:
    """Measure, and write the table."""
    text = SAID.format(plies=PLIES, cores=os.cpu_count())
    for name in GAMES:
        moves = played(name)
        with tempfile.TemporaryDirectory() as cache:
            cold = reviewed(name, moves, cache)
            again = min(reviewed(name, moves, cache) for _ in range(2))
        text += f"| {name} | {cold[0]:.1f} | {cold[1]:.1f} | {again[0]:.1f} | {again[1]:.1f} |\n"
    write(text)


if __name__ == "__main__":
    main()
