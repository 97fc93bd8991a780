"""What tablebases cost: `python bench/tablebase.py [GAME …]`, half an hour for all; writes bench/TABLEBASE.md.

Each row is a table made from nothing in a process of its own, with what is compiled at hand; its time is CPU, since it
is the work that counts. Lookups are of random states of the table: cold in the first second after it is opened, warm
where its parts were read before. The twin of the chess ending is retrograde analysis in plain Python over python-chess.
With games named it measures only those; the other rows stay.
`--two GAME …` makes tables with one thread and with two, one after the other, and compares the time on the wall.
`--check [GAME …]` finds the values of random positions of each table again, and counts those that have the same result
in as many plies: by the project's own search without a table; in games with repetition by retrograde analysis in plain
Python over their rules, and in chess over python-chess, of all legal positions. With `--tables FOLDER` after it the
tables are made there and stay, so that one that takes long can be made by `plyground tablebase` before.
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
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import permutations, takewhile
from pathlib import Path
from typing import Any

import chess

import plyground as pg
from plyground.exact.tables.table_files import CACHED_BYTES, GROUP_STATES
from plyground.labelling.exact_values import ExactValues
from plyground.score import final

HERE = Path(__file__).resolve().parent
ROWS = ("connectfour:4,4", "connectfour:5,4", "connectfour:5,5", "dotsandboxes:2,3", "kalah:3,3", "reversi:4", "hex:4",
        "threemorris", "chess KQK", "chess KBNK", "chess KQKR", "draughts 4")  # fmt: skip
SMALLER = {"chess": "KQK", "draughts": "2"}
"""End games that compile what a larger one needs."""
LOOKUPS = 300
CHECKED = ("connectfour:4,4", "connectfour:5,4", "connectfour:5,5", "threemorris", "sixmorris", "morris 3-3",
           "draughts 3", "draughts 4", "dotsandboxes:2,3", "dotsandboxes:3,3", "kalah:3,3", "reversi:4", "hex:4",
           "breakthrough:4,4", "breakthrough:5,4", "chomp:4,5", "nim:5/6/7", "domineering:4,4", "chess KQK",
           "chess KRK", "chess KPK")  # fmt: skip
"""Tables whose positions are checked."""
POSITIONS = 10_000
"""Positions of each that are checked, at most."""
DRAWN = -1
"""In place of plies to the end."""
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


def checked(words: str, tables: str = "") -> str:
    """Row of random positions of a table whose values are found again in another way; each of them is compared.

    Args:
        words: the table.
        tables: folder with the table, or to make it in; it is made anew and not kept if there is none.
    """
    spec, _, material = words.partition(" ")
    game = pg.game_named(spec)
    with tempfile.TemporaryDirectory() as folder:
        table = pg.tablebase(game, Path(tables or folder) / words, material=material)
        drawn, began = table.sample(POSITIONS, seed=1), time.process_time()
    how, again = other_way(spec, material, [state for state, _ in drawn])
    same = sum(value_of(again(state)) == value_of(score) for state, score in drawn)
    return f"| {words} | {len(table):,} | {how} | {len(drawn):,} | {same:,} | {time.process_time() - began:.0f} |"


def other_way(spec: str, material: str, states: list[Any]) -> tuple[str, Callable[[Any], pg.Score]]:
    """How the values of some states are found without a table, and what finds them."""
    game = pg.game_named(spec)
    if isinstance(game, pg.Chess):
        mates = twin(material)
        return "python-chess", lambda state: score_in(mates[chess.Board(game.fen(state)).epd()], game.to_move(state))
    if game.repetition:
        same = images_of(game) if isinstance(game, pg.Morris) else game.repetition_key
        plies = listed(game, {same(state) for state in states}, same)
        return "retrograde", lambda state: score_in(plies[same(state)], game.to_move(state))
    search = ExactValues(spec, prefer_shorter=True, book=False)
    return "search", lambda state: search.score(pg.Position(game, state))[0]


def score_in(plies: int, mover: int) -> pg.Score:
    """The score of a state that its mover loses in an even number of plies, or wins in an odd one."""
    if plies == DRAWN:
        return pg.Score(0)
    wins = (plies % 2 == 1) == (mover == pg.MAX)
    return pg.Score(1 if wins else -1, plies=plies)


def value_of(score: pg.Score) -> int:
    """An exact score as a number, by which shorter wins are better."""
    assert score.utility is not None
    return final(score.utility, score.plies or 0)


def listed(game: pg.Game[Any], states: Iterable[Any], same: Callable[[Any], Any]) -> dict[Any, int]:
    """Plies to the end, or `DRAWN`, of states and all that follow, by the rules as plain Python.

    The end of a game is a loss of its mover. `same` has one state for all that have the same value.
    """

    def after(state: Any) -> list[Any] | None:
        utility = game.outcome(state)
        if utility == pg.ONGOING:
            return [same(game.play(state, move)) for move in game.moves(state)]
        assert utility == (-1 if game.to_move(state) == pg.MAX else 1)
        return None

    return backward(states, after)


def images_of(game: pg.Morris) -> Callable[[Any], Any]:
    """A function from a state to the least of its images: turned, mirrored, the rings inside out."""
    images = cache(lambda men: [game.image(men, symmetry) for symmetry in range(8 * min(2, game.rings))])

    def same(state: Any) -> Any:
        mine, theirs = min(zip(images(state.mine), images(state.theirs), strict=True))
        return state._replace(mine=mine, theirs=theirs)

    return same


def twin(material: str) -> dict[str, int]:
    """Plies to mate, or `DRAWN`, of every legal position of White's king and man against a king, of what a pawn may
    become, and of the kings alone, by python-chess; without symmetry."""
    assert len(material) == 3
    man, states = material[1], list[str]()
    for kind in ("", man, *("QRBN" if man == "P" else "")):
        for squares in permutations(chess.SQUARES, 2 + len(kind)):
            board = chess.Board(None)
            for square, symbol in zip(squares, f"Kk{kind}", strict=True):
                board.set_piece_at(square, chess.Piece.from_symbol(symbol))
            for turn in chess.COLORS:
                board.turn = turn
                if board.is_valid():
                    states.append(board.epd())

    def after(epd: str) -> list[str] | None:
        board, following = chess.Board(f"{epd} 0 1"), list[str]()
        if board.is_insufficient_material():
            return []
        for move in board.legal_moves:
            board.push(move)
            following.append(board.epd())
            board.pop()
        return following or (None if board.is_check() else [])

    return backward(states, after)


def backward(states: Iterable[Any], after: Callable[[Any], list[Any] | None]) -> dict[Any, int]:
    """Plies to the end of states and all that follow: even where the mover loses, odd where it wins, and `DRAWN`.

    This is retrograde analysis in plain Python.

    Args:
        states: what is listed first.
        after: the states that follow one, each as often as moves lead there: none where the game is drawn, and None
            where its mover has lost.
    """
    place = {state: at for at, state in enumerate(states)}
    waiting, left = list(place), list[int]()
    before: list[list[int]] = [[] for _ in waiting]
    plies = list[int]()
    for at, state in enumerate(waiting):  # it grows
        following = after(state)
        plies.append(0 if following is None else DRAWN)
        left.append(len(following or ()))
        for each in following or ():
            if each not in place:
                place[each] = len(waiting)
                waiting.append(each)
                before.append([])
            before[place[each]].append(at)
    ready = [at for at, number in enumerate(plies) if number == 0]
    for at in ready:  # it grows
        for source in before[at]:
            left[source] -= 1
            if plies[source] == DRAWN and (plies[at] % 2 == 0 or left[source] == 0):
                plies[source] = plies[at] + 1
                ready.append(source)
    return dict(zip(waiting, plies, strict=True))


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
of the same states: groups of {GROUP_STATES:,} states stay in memory, {CACHED_BYTES >> 20} MiB of them.

{HEAD}
|---|--:|--:|--:|--:|--:|--:|--:|--:|
{chr(10).join(self.lines[words] for words in ROWS if words in self.lines)}

By one thread and by two (`--two`), seconds on the wall; the files are the same, byte for byte:

{TWO}
|---|--:|--:|--:|
{chr(10).join(self.together.values())}

Random positions of these tables, {POSITIONS:,} or all if there are fewer, found again (`--check`): by the project's own
*search* without a table, or by *retrograde* analysis in plain Python, over the game's rules or over *python-chess*.
*The same* is the result, and the plies to it:

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
        print(checked(*named[1:]))
        return
    page = Page(rows(HEAD), rows(TWO), rows(CHECK), PAGE.read_text(encoding="utf-8").partition("The same chess")[2])
    if named[:1] == ["--two"]:
        for words in named[1:]:
            page.together[words] = two(words)
            page.write()
    elif named[:1] == ["--check"]:
        tables = [named.pop(1), named.pop(1)][1:] if named[1:2] == ["--tables"] else []
        for words in named[1:] or CHECKED:
            page.agreed[words] = by_itself("--check-row", words, *tables)
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
        states, seconds = len(twin("KQK")), time.process_time() - began
        page.twin_said = f""" ending by retrograde analysis in plain Python over python-chess, without symmetry:
{states:,} states (those without a distance are drawn), {seconds:.0f} s of CPU.
"""
        page.write()


if __name__ == "__main__":
    main()
