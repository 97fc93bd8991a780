"""What an arena costs, and what it withstands: `python bench/arena.py [PART…]`.

The parts are start, overhead, fast, jobs, class and marks; without one all of them. Writes ARENA.md, a part for each;
what is not measured now stays in it as it was.
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from compiled import require_compiled
from variants import class_of, roster, sixteen_of

import plyground as pg
from plyground.arena.store import Store

TABLE = Path(__file__).with_name("ARENA.md")
GAME = "tictactoe"
KILLS = 10
ROUNDS = 9
CODE = str(Path(tempfile.gettempdir()) / "plyground-bench-code")
"""Folder of the package's byte code for the commands, which an installation has already."""
SIZE = 40
"""Players in the class."""


def seconds(work: Callable[[], object]) -> float:
    """What a work takes."""
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of a work, in this process and in those that it starts: other work on the machine adds little."""
    before = os.times()
    work()
    return sum(os.times()[:4]) - sum(before[:4])


def overhead() -> str:
    """What the arena adds to a game, in one process: beside a bare loop and the referee, without a database and with
    SQLite.
    """
    games, chance = 4_000, random.Random(1)
    start, players = pg.Position.initial(pg.MNK()), [pg.player_named(spec) for spec in ("random", "first")]

    def loop() -> None:
        for number in range(games):
            here = pg.Position(start.game, start.state)
            while here.outcome is None:
                moves = here.legal_moves
                here = here.play(chance.choice(moves) if (number + len(here.moves)) % 2 else moves[0])

    def referee() -> None:
        for number in range(games):
            x, o = players[number % 2], players[1 - number % 2]
            pg.play_match(pg.Position(start.game, start.state), (x, o))

    with tempfile.TemporaryDirectory() as folder:

        def whole(database: str = "") -> None:
            pg.arena(["random", "first"], GAME, games=games, database=database).play()

        whole()  # what is loaded once counts in no row
        works = {
            "a bare loop over the rules": loop,
            "the referee": referee,
            "the arena, in memory": whole,
            "the arena, each game a row in SQLite": lambda: whole(f"sqlite:///{folder}/{chance.random()}.db"),
        }
        rounds = [{words: 1000 * cpu_seconds(work) / games for words, work in works.items()} for _ in range(ROUNDS)]
        found = {words: min(each[words] for each in rounds) for words in works}
    bare = next(iter(found.values()))
    rows = [f"| {words} | {each:.3f} | {each - bare:.3f} |" for words, each in found.items()]
    said = (
        f"`random` against `first`, {games:,} games of tic-tac-toe in one process; CPU milliseconds a game, the best "
        f"of {ROUNDS} rounds in which they take turns."
    )
    return "\n".join([said, "", "| | a game | beyond the loop (goal: 0.2) |", "|---|--:|--:|", *rows])


def start() -> str:
    """CPU seconds of the command for two games that cost nothing, with the byte code of the package on disk."""
    rows = []
    for jobs in (1, 2):
        commanded(2, jobs, ("random", "first"))
        best = min(cpu_seconds(lambda jobs=jobs: commanded(2, jobs, ("random", "first"))) for _ in range(9))  # type: ignore[misc]
        rows.append(f"{best:.2f} s with {jobs} process{'es' if jobs > 1 else ''}")
    return (
        f"`plyground arena tictactoe random first --games 2`, CPU seconds of all processes, the best of nine: "
        f"{' and '.join(rows)} (goal: below 1)."
    )


def commanded(games: int, jobs: int, players: tuple[str, str], game: str = GAME) -> float:
    """Seconds that the command takes for so many games of two players, its start and its end included."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "plyground", "arena", game, *players, "--games", str(games)]
        command += ["--jobs", str(jobs), "--database", f"sqlite:///{folder}/games.db", "--json"]
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

        def run() -> None:
            env = kept | {"PYTHONPYCACHEPREFIX": CODE}
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
            assert json.loads(done.stdout)["games"] == games

        return seconds(run)


def fast() -> str:
    """10,000 games of a small search, as a person starts them."""
    took = commanded(10_000, 0, ("alphabeta:depth=2", "random"))
    return (
        f"`plyground arena tictactoe alphabeta:depth=2 random --games 10000`: {took:.1f} s in all on "
        f"{os.cpu_count()} processors, start, database and standings included (goal: below 20 on two)."
    )


def jobs() -> str:
    """One process against two, in games long enough that their start counts for little."""
    game, players, games = "connectfour", ("alphabeta:depth=8", "alphabeta:depth=7"), 800
    commanded(2, 1, players, game)  # what is compiled is on disk
    one, two = (commanded(games, jobs, players, game) for jobs in (1, 2))
    return (
        f"{games:,} games of {game}, `{players[0]}` against `{players[1]}`: {one:.1f} s in one process, "
        f"{two:.1f} s in two, {one / two:.2f} times as fast (goal: 1.8)."
    )


def of_a_class() -> str:
    """A round robin of forty programs, killed ten times on its way."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = f"sqlite:///{folder}/games.db"
        command = [sys.executable, "-m", "plyground", "arena", GAME, "--players", str(class_of(folder, SIZE))]
        command += ["--games", "2", "--name", "class", "--database", url, "--json"]
        store, planned = Store(url), SIZE * (SIZE - 1)
        before = time.perf_counter()
        for kill in range(1, KILLS + 1):
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                while process.poll() is None and store.count("class") < planned * kill // (KILLS + 1):
                    time.sleep(0.05)
                process.kill()
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        took = time.perf_counter() - before
        games = store.games("class")
        store.close()
    numbers = sorted(each.task.number for each in games)
    missing, double = planned - len(set(numbers)), len(numbers) - len(set(numbers))
    faults = sum(each.fault is not None and not each.void for each in games)
    assert not missing and not double, (missing, double)
    return (
        f"{SIZE} programs in one folder, the examples in Prolog, Java, C, shell, JavaScript and Python, and such as "
        f"hang, crash, move illegally, print rubbish, are slow, or take too much: {planned:,} games, killed {KILLS} "
        f"times on the way (kill -9), {took / 60:.0f} minutes. Missing: {missing}, double: {double}; void: "
        f"{answer['void']}, lost by a fault: {faults:,}."
    )


def marks() -> str:
    """The marks of sixteen programs, one of which comes late."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url, grades = f"sqlite:///{folder}/games.db", folder / "marks.csv"
        players = sixteen_of(folder)
        late = players[-1][0]

        def lines(count: int) -> dict[str, dict[str, str]]:
            """Gradebook of `count` players."""
            command = [
                sys.executable,
                "-m",
                "plyground",
                "arena",
                GAME,
                "--players",
                str(roster(folder, players[:count])),
            ]
            command += ["--grades", str(grades), "--name", "class", "--database", url]
            subprocess.run(command, check=True, capture_output=True)
            with grades.open(encoding="utf-8", newline="") as file:
                return {row["name"]: row for row in csv.DictReader(file)}

        store = Store(url)
        before = time.perf_counter()
        first = lines(len(players) - 1)
        earlier = {each.task.number: each for each in store.games("class") if not each.void}
        found = lines(len(players))
        took = time.perf_counter() - before
        games = store.games("class")
        store.close()
    new = [each for each in games if each.task.number not in earlier and not each.void]
    others = [each for each in new if late not in (each.task.x, each.task.o)]
    changed = [name for name, row in first.items() if found[name] != row]
    assert {late} == {*found} - {*first} and not others and not changed, (others, changed)
    assert [each for each in games if each.task.number in earlier] == [*earlier.values()]
    heads = [head for head in next(iter(found.values())) if head not in ("name", "mark", "why", "page")]
    ranked = sorted(found.values(), key=lambda row: -float(row["mark"] or -1))
    rows = [
        f"| {row['name']} | {row['mark'] or '–'} | {' | '.join(row[head] or '–' for head in heads)} | {row['why']} |"
        for row in ranked
    ]
    rows = [row.replace(Path(sys.executable).as_posix(), "python").replace(f"{folder.as_posix()}/", "") for row in rows]
    return "\n".join(
        [
            f"`plyground arena {GAME} --players class.toml --grades marks.csv`, programs in six languages, eight of "
            f"which break, each in its own way (*mute* says nothing at all); {took / 60:.0f} minutes. The "
            f"late one was added to the file after {len(earlier):,} games; the same command then played its {len(new)} "
            f"games and no others, and left the other marks as they were. Each column has what a criterion adds to the "
            f"mark.",
            "",
            f"| program | mark | {' | '.join(heads)} | left out, or why there is no mark |",
            f"|---|--:|{'--:|' * len(heads)}---|",
            *rows,
        ]
    )


PARTS = {"start": start, "overhead": overhead, "fast": fast, "jobs": jobs, "class": of_a_class, "marks": marks}
TITLES = {
    "start": "Its start",
    "overhead": "What the arena adds to a game",
    "fast": "Ten thousand games",
    "jobs": "Two processes",
    "class": "A class of forty",
    "marks": "A class of sixteen, and its marks",
}


def main(chosen: list[str]) -> None:
    """Measure, and write."""
    if wrong := set(chosen) - set(PARTS):
        sys.exit(f"{', '.join(wrong)}: there are {', '.join(PARTS)}.")
    require_compiled(GAME)
    found = dict[str, str]()
    for name in chosen or PARTS:
        found[TITLES[name]] = PARTS[name]()
        print(f"{TITLES[name]}\n\n{found[TITLES[name]]}\n", flush=True)
    kept = dict[str, str]()
    if TABLE.exists():  # read now, because another part may have been measured meanwhile
        for part in TABLE.read_text(encoding="utf-8").split("\n## ")[1:]:
            title, _, text = part.partition("\n")
            kept[title] = text.strip()
    kept |= found
    parts = [f"## {title}\n\n{kept[title]}\n" for title in TITLES.values() if title in kept]
    text = "# The arena, measured\n\n`python bench/arena.py` writes this page.\n\n" + "\n".join(parts)
    TABLE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
