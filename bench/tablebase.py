"""What tablebases cost: `python bench/tablebase.py [GAME …]`, half an hour for all; writes bench/TABLEBASE.md.

Each row is a table made from nothing in a process of its own, with what is compiled at hand; its time is CPU, since it
is the work that counts. Lookups are of random states of the table: cold in the first second after it is opened, warm
where its parts were read before. The twin of the chess ending is retrograde analysis in plain Python over python-chess.
With games named it measures only those; the other rows stay.
`--two GAME …` makes tables with one thread and with two, one after the other, and compares the time on the wall.
`--check [GAME …]` solves random positions of each table again by the project's own search, without a table (those of
games with repetition by a list of all states that follow), or looks them up in what the twin of the chess ending found,
and counts those that have the same result in as many plies.
"""

import json
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import chess

import plyground as pg
from plyground.labelling.exact_values import ExactValues
from plyground.score import final
from plyground.tables.kept import AT_HAND, GROUP

HERE = Path(__file__).resolve().parent
ENDING = "8/8/8/4k3/8/8/8/3QK3 w - - 0 1"
ROWS = ("connectfour:4,4", "connectfour:5,4", "connectfour:5,5", "dotsandboxes:2,3", "kalah:3,3", "reversi:4", "hex:4",
        "threemorris", "chess KQK", "chess KBNK", "chess KQKR", "draughts 4")  # fmt: skip
SMALLER = {"chess": "KQK", "draughts": "2"}
"""End games that compile what a larger one needs."""
LOOKUPS = 300
CHECKED = ("connectfour:4,4", "connectfour:5,4", "connectfour:5,5", "threemorris", "dotsandboxes:2,3", "kalah:3,3",
           "reversi:4", "hex:4", "breakthrough:4,4", "chomp:4,5", "nim:5/6/7", "domineering:4,4",
           "chess KQK")  # fmt: skip
"""Tables whose positions are checked."""
POSITIONS = 10_000
"""Positions of each that are checked, at most."""
NO_MATE = -1
"""In place of plies to mate."""
PAGE = HERE / "TABLEBASE.md"
HEAD = "| game | states | longest | CPU, s | million a second | bytes each | memory, MiB | a lookup, ms | again, µs |"
TWO = "| game | one | two | times |"
CHECK = "| game | states | checked by | positions | the same | CPU, s |"


def made(words: str) -> dict[str, float]:
    """Figures of a table made in this process: seconds of CPU, states, bytes, seconds of lookups, peak memory."""
    spec, _, material = words.partition(" ")
    game = pg.game_named(spec)
    with tempfile.TemporaryDirectory() as folder:
        pg.tablebase(game, Path(folder) / "warm", material=SMALLER.get(spec, material))  # whatever must be compiled is
        began = time.process_time()
        table = pg.tablebase(game, Path(folder) / "table", material=material)
        seconds = time.process_time() - began
        states = [state for state, _ in table.sample(LOOKUPS)]
        random.Random(1).shuffle(states)
        spent: list[list[float]] = []
        table = pg.Tablebase(Path(folder) / "table", game)
        for _ in range(2):
            times = []
            for state in states:
                began = time.perf_counter()
                assert table.score(state) is not None
                times.append(time.perf_counter() - began)
            spent.append(times)
        size = sum(file.stat().st_size for file in table.path.iterdir())
        cold, warm = (statistics.median(times) for times in spent)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        plies = max(tier.longest for tier in table.tiers.values())
        row = {"states": len(table), "cpu": seconds, "bytes": size, "cold": cold, "warm": warm, "memory": memory}
        return row | {"plies": plies}


def checked(words: str) -> str:
    """Row of random positions of a table whose values are found again in another way."""
    spec, _, material = words.partition(" ")
    game, how = pg.game_named(spec), "python-chess" if material else "search"
    with tempfile.TemporaryDirectory() as folder:
        table = pg.tablebase(game, folder, material=material)
        drawn, began = table.sample(POSITIONS, seed=1), time.process_time()
    if material:
        assert isinstance(game, pg.Chess)
        boards, mates = [(chess.Board(game.fen(state)).epd(), score) for state, score in drawn], twin()
        pairs = [(mates[epd], NO_MATE if score.plies is None else score.plies) for epd, score in boards if epd in mates]
    else:
        search = ExactValues(spec, prefer_shorter=True, book=False)
        found = [search.score(pg.Position(game, state))[0] for state, _ in drawn]
        pairs = [(value_of(one), value_of(score)) for one, (_, score) in zip(found, drawn, strict=True)]
    same, seconds = sum(one == other for one, other in pairs), time.process_time() - began
    return f"| {words} | {len(table):,} | {how} | {len(pairs):,} | {same:,} | {seconds:.0f} |"


def value_of(score: pg.Score) -> int:
    """An exact score as a number, by which shorter wins are better."""
    assert score.utility is not None
    return final(score.utility, score.plies or 0)


def twin() -> dict[str, int]:
    """Plies to mate, or `NO_MATE`, of all positions that follow in the same ending, by retrograde analysis in plain
    Python over python-chess."""
    first = chess.Board(ENDING)
    fens, place, edges = [first.epd()], {first.epd(): 0}, []
    ended: list[bool | None] = []
    for fen in fens:
        board = chess.Board(f"{fen} 0 1")
        after = []
        for move in board.legal_moves:
            board.push(move)
            epd = board.epd()
            if epd not in place:
                place[epd] = len(fens)
                fens.append(epd)
            after.append(place[epd])
            board.pop()
        ended.append(board.is_check() if not after else None)
        edges.append(after)
    before: list[list[int]] = [[] for _ in fens]
    for source, after in enumerate(edges):
        for to in after:
            before[to].append(source)
    left, plies = [len(after) for after in edges], [0 if mate else NO_MATE for mate in ended]
    ready = [at for at, mate in enumerate(ended) if mate]
    lost = set(ready)
    for at in ready:
        for source in before[at]:
            left[source] -= 1
            if plies[source] < 0 and (at in lost or left[source] == 0):
                plies[source] = plies[at] + 1
                if at not in lost:
                    lost.add(source)
                ready.append(source)
    assert max(plies) == 20  # mate in ten
    return dict(zip(fens, plies, strict=True))


def two(words: str) -> str:
    """Row of a table made by one thread and by two, to the same bytes: seconds on the wall."""
    spec, _, material = words.partition(" ")
    seconds, files = list[float](), list[dict[str, bytes]]()
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            pg.tablebase(spec, Path(folder) / "warm", material=SMALLER.get(spec, material), jobs=jobs)
            began = time.perf_counter()
            table = pg.tablebase(spec, Path(folder) / "table", material=material, jobs=jobs)
            seconds.append(time.perf_counter() - began)
            files.append({file.name: file.read_bytes() for file in table.path.glob("*.parquet")})
    assert files[0] == files[1]
    return f"| {words} | {seconds[0]:.1f} | {seconds[1]:.1f} | {seconds[0] / seconds[1]:.2f} |"


def rows(start: str) -> dict[str, str]:
    """Rows of the page's table with a header, by their first cell."""
    lines = PAGE.read_text(encoding="utf-8").partition(start)[2].splitlines()[2:]
    return {line.split("|")[1].strip(): line for line in takewhile(lambda line: line.startswith("|"), lines)}


def by_itself(*words: str) -> str:
    """Run this script for one row in a process of its own, so that its peak memory is the row's; returns its output."""
    done = subprocess.run([sys.executable, __file__, *words], check=True, stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="", flush=True)
    return done.stdout.strip()


@dataclass
class Page:
    """Contents of `TABLEBASE.md`: the rows of its three tables by their first cell, and the sentence on the twin."""

    lines: dict[str, str]
    together: dict[str, str]
    agreed: dict[str, str]
    twin_said: str

    def write(self) -> None:
        """Write the file. This is called after each row, so that a run that is stopped keeps what it measured."""
        text = f"""# Tablebases

Written by `python bench/tablebase.py`, with Python {platform.python_version()}: whole games, one of the states that are
the same in a mirror where the game says so, on one thread. *Longest* is the longest win, in plies. Memory is the
process's peak, with all that Python loads. *A lookup* is the median of {LOOKUPS} states drawn at random, *again* that
of the same states. {AT_HAND} groups of {GROUP:,} states of each shard stay in memory; KBNK has more in one, so most are
read anew.

{HEAD}
|---|--:|--:|--:|--:|--:|--:|--:|--:|
{chr(10).join(self.lines[words] for words in ROWS if words in self.lines)}

By one thread and by two (`--two`), seconds on the wall; the files are the same, byte for byte:

{TWO}
|---|--:|--:|--:|
{chr(10).join(self.together.values())}

Random positions of these tables, {POSITIONS:,} or all if there are fewer, found again (`--check`): by the project's own
search without a table, or by the retrograde analysis over python-chess below. *The same* is the result, and the plies
to it:

{CHECK}
|---|--:|---|--:|--:|--:|
{chr(10).join(self.agreed[words] for words in CHECKED if words in self.agreed)}

The same chess{self.twin_said}"""
        PAGE.write_text(text, encoding="utf-8")


def main() -> None:
    """Measure, and write the page."""
    named = sys.argv[1:]
    if named[:1] == ["--row"]:
        print(json.dumps(made(named[1])))
        return
    if named[:1] == ["--check-row"]:
        print(checked(named[1]))
        return
    page = Page(rows(HEAD), rows(TWO), rows(CHECK), PAGE.read_text(encoding="utf-8").partition("The same chess")[2])
    if named[:1] == ["--two"]:
        for words in named[1:]:
            page.together[words] = two(words)
            page.write()
    elif named[:1] == ["--check"]:
        for words in named[1:] or CHECKED:
            page.agreed[words] = by_itself("--check-row", words)
            page.write()
    else:
        for words in named or ROWS:
            row = json.loads(by_itself("--row", words))
            page.lines[words] = (
                f"| {words} | {row['states']:,} | {row['plies']} | {row['cpu']:.1f} "
                f"| {row['states'] / row['cpu'] / 1e6:.2f} | {row['bytes'] / row['states']:.2f} "
                f"| {row['memory']:,.0f} | {row['cold'] * 1e3:.2f} | {row['warm'] * 1e6:.0f} |"
            )
            page.write()
    if not named:
        began = time.process_time()
        states, seconds = len(twin()), time.process_time() - began
        page.twin_said = f""" ending by retrograde analysis in plain Python over python-chess, without symmetry:
{states:,} states (those without a distance are drawn), {seconds:.0f} s of CPU.
"""
        page.write()


if __name__ == "__main__":
    main()
