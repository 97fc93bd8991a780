"""How long a base of games takes to make and to answer: `python bench/base.py`, about a minute.

It makes a file of `PLIES` plies of random chess, reads it, makes a base of it, and asks for positions of `ASKED` plies.
CPU seconds for reading and adding, wall milliseconds for answers, in one process that has loaded all.
"""

import random
import tempfile
import time
from pathlib import Path
from statistics import median

from compiled import require_compiled

import plyground as pg
from plyground.play.notations import record_form
from plyground.play.record import of_position
from plyground.play.record_file import Records

PLIES, LENGTH, ASKED, QUESTIONS = 1_000_000, 80, 4, 40
"""Plies of the file and of each game; plies of the positions that are asked for, at most; how many of them."""
UNLIKE = 1_000
"""Games that differ: the others repeat them, which reading and adding do not know."""


def random_game(chance: random.Random) -> pg.Position:
    """The end of a game of chess."""
    here = pg.Position.initial("chess")
    while len(here.moves) < LENGTH and here.outcome is None:
        here = here.play(chance.choice(here.legal_moves))
    return here


def measure(folder: Path) -> None:
    """Print a table."""
    chance, file = random.Random("base"), folder / "games.pgn"
    ends = [random_game(chance) for _ in range(UNLIKE)]
    games = [record_form("chess", end, of_position(end)).text for end in ends]
    file.write_text("\n".join(games * (PLIES // LENGTH // UNLIKE + 1)))
    for _ in Records.of_text("\n".join(games[:40]), "chess"):  # compiles the reader of lines
        pass
    begun = time.process_time()
    plies = sum(len(record.moves) for record in Records.of_file(file, "chess"))
    read, begun = time.process_time() - begun, time.process_time()
    base = pg.GameBase(folder / "base", "chess")
    added = base.add([file])
    assert added.plies == plies, added
    spent, size = time.process_time() - begun, sum(each.stat().st_size for each in base.folder.iterdir())
    print(f"{added.games:,} games, {plies:,} plies: read as records in {read:.1f} s, added in {spent:.1f} s")
    print(f"{size:,} bytes, {size / plies:.1f} a ply; of PGN {file.stat().st_size / plies:.1f}")
    asked = [[*end.steps()][chance.randint(1, ASKED)] for end in ends[:QUESTIONS]]
    for name, ask in (("moves_at", base.moves_at), ("games_at", base.games_at)):
        times = list[float]()
        for here in (pg.Position.initial("chess"), *asked):
            begun = time.perf_counter()
            ask(here)
            times.append(1_000 * (time.perf_counter() - begun))
        print(f"{name}: {times[0]:.0f} ms at the start, {median(times):.1f} ms in the middle, at most {max(times):.0f}")


if __name__ == "__main__":
    require_compiled()
    with tempfile.TemporaryDirectory() as made:
        measure(Path(made))
