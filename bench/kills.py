"""Kills without warning (SIGKILL): what was acknowledged is there afterwards, once, and no process is left.

    python bench/kills.py [--kills 3] [--clients 8] [--only server] [--file bench/KILLS.md]

Each kind of work is begun, seen to do something, killed, and begun again, as often as asked for. A loss is what was
acknowledged, or seen in its database or file, before the kill and is not there after it; a double is there twice; a
process is left if it is alive 5 seconds after the kill. Prints a table, and writes it if asked to. Needs Linux or
macOS, and for one row a PostgreSQL.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import psutil

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

import databases  # noqa: E402
from servers import Server, free_port  # noqa: E402
from waiting import until  # noqa: E402

import plyground as pg  # noqa: E402
from plyground.arena.store import Store  # noqa: E402
from plyground.learning.rounds import Learner  # noqa: E402
from plyground.sandbox.sandbox import tree_of  # noqa: E402

LEFT_AFTER = 5.0
"""Seconds after a kill at which a process that is alive counts as left."""


@dataclass
class Tally:
    """Counts of one kind of work over all its kills."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    more: int = 0
    """Stored records without an acknowledgement: their requests were in progress."""
    left: int = 0
    slowest: float = 0.0
    """Seconds until the last process had ended, at most."""
    notes: list[str] = field(default_factory=list)

    def kill(self, process: int) -> None:
        """Kill a process, and wait for all that it started."""
        everyone = tree_of(process)
        began = time.monotonic()
        os.kill(process, signal.SIGKILL)
        _, alive = psutil.wait_procs(everyone, timeout=LEFT_AFTER)
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.kills += 1
        for each in alive:
            with suppress(psutil.Error):
                if each.status() != psutil.STATUS_ZOMBIE:  # which has ended, and whose new parent has not asked for it
                    self.left += 1
                    self.notes.append(" ".join(each.cmdline())[:80])
                each.kill()

    def compare(self, acknowledged: list[str], stored: list[str]) -> None:
        """Count what is lost and what is there twice."""
        self.acknowledged += len(acknowledged)
        self.lost += sum((Counter(acknowledged) - Counter(stored)).values())
        self.doubled += sum(count - 1 for count in Counter(stored).values())
        self.more += len({*stored} - {*acknowledged})


def client(number: int, address: str, acknowledged: list[str], ending: threading.Event) -> None:
    """Games of both players, move by move; what the server has taken is noted."""
    with suppress(httpx.HTTPError), httpx.Client(base_url=address) as http:
        while not ending.is_set():
            made = http.post("/api/create", json={"game": "mnk:9,9,9"}).json()
            here = pg.Position.initial(pg.MNK(9, 9, 9))
            while here.outcome is None and not ending.is_set():
                move = here.legal_texts[(7 * len(here.moves) + number) % len(here.legal_texts)]
                ply = len(here.moves) + 1
                args = {"id": made["id"], "seat": made["seats"]["xo"[(ply + 1) % 2]], "ply": ply, "move": move}
                if http.post("/api/play", json=args).status_code != 200:
                    return
                acknowledged.append(f"{made['id']} {ply} {move}")
                here = here.play(move)


def has_more(count: Callable[[], int], number: int) -> bool:
    """Whether a count is above a number."""
    return count() > number


def server(tally: Tally, kills: int, clients: int, database: str) -> None:
    """Clients play games of two people each while their server is killed."""
    chance, port = random.Random(0), free_port()
    for _ in range(kills):
        acknowledged, ending = list[str](), threading.Event()
        begun = Server(database, port=port)

        playing = [
            threading.Thread(target=client, args=(number, begun.address, acknowledged, ending))
            for number in range(clients)
        ]
        for each in playing:
            each.start()
        until(partial(has_more, acknowledged.__len__, 3 * clients))
        time.sleep(chance.random())
        tally.kill(begun.process.pid)
        ending.set()
        for each in playing:
            each.join()
        begun.process.wait()
        after = Server(database, port=port)
        stored = []
        for game in {line.split()[0] for line in acknowledged}:
            words = after.ask("open", id=game)["position"]["moves"]
            stored += [f"{game} {ply} {move}" for ply, move in enumerate(words, start=1)]
        after.end()
        tally.compare(acknowledged, stored)


@contextmanager
def kill_after(tally: Tally, words: list[str], seen: Callable[[], object], chance: random.Random) -> Iterator[None]:
    """A command that is killed soon after something is seen; in the context it is at work."""
    line = [sys.executable, "-m", "plyground", *words]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(seen)
        time.sleep(chance.random())
        yield
    finally:
        tally.kill(process.pid)
        process.communicate()


def arena(tally: Tally, kills: int, folder: Path, *, is_fleet: bool = False) -> None:
    """An arena of two processes, or a fleet with it, goes on after each kill."""
    chance, database = random.Random(1), f"sqlite:///{folder / 'games.db'}"
    words = ["arena", "mnk:5,5,4", "a=random:seed=1", "b=random", "--games", "1000000", "--jobs", "2"]
    words += ["--name", "t", "--database", database]
    if is_fleet:
        test = "game = 'mnk:5,5,4'\nplayers = ['a=random', 'b=random']\ngames = 1000000\n"
        (folder / "t.toml").write_text(test, encoding="utf-8")
        words = ["fleet", str(folder), "--jobs", "2", "--port", str(free_port())]
    with closing(Store(database)) as store:

        def numbers() -> list[str]:
            return [str(each.task.number) for each in store.games("t")]

        for _ in range(kills):
            before = store.count("t")
            with kill_after(tally, words, partial(has_more, lambda: store.count("t"), before + 20), chance):
                seen = numbers()
            tally.compare(seen, numbers())


def play(tally: Tally, kills: int, folder: Path) -> None:
    """A game between programs of ours, at its moves."""
    chance, file = random.Random(2), folder / "game.jsonl"
    words = ["play", "mnk:9,9,9", "--x", "mcts:time=0.05", "--o", "mcts:time=0.05", "--keep", str(file)]

    def lines() -> list[str]:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        return [line for line in text.split("\n")[:-1] if '"ply"' in line]

    for _ in range(kills):
        file.unlink(missing_ok=True)
        with kill_after(tally, words, lambda: len(lines()) > 4, chance):
            seen = lines()
        tally.compare(seen, lines())
        moves = len(pg.read_game(file).position.moves)
        tally.lost += max(len(seen) - moves, 0)


def learn(tally: Tally, kills: int, folder: Path) -> None:
    """Learning: the games that are kept."""
    chance, file = random.Random(3), folder / "t.weights"
    part, words = (
        folder / "t.weights.part",
        ["learn", "tictactoe", "--minutes", "60", "--jobs", "2", "--out", str(file)],
    )

    def games() -> int:
        learner = Learner(pg.game_named("tictactoe"), "tictactoe", 0, False)
        return learner.games if learner.go_on(part) else 0

    for _ in range(kills):
        before = games()
        with kill_after(tally, words, partial(has_more, games, before), chance):
            seen = games()
        after = games()
        tally.acknowledged += seen - before
        tally.lost += max(seen - after, 0)
    left = [each.name for each in folder.iterdir() if each.name != part.name]
    tally.notes += [f"files left: {', '.join(left)}"] if left else []


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--only", default="", help="a word of the rows that are wanted")
    parser.add_argument("--file", type=Path)
    how = parser.parse_args()
    rows = dict[str, Tally]()

    def row(name: str, work: Callable[[Tally, Path], None]) -> None:
        if how.only in name:
            with tempfile.TemporaryDirectory() as folder:
                rows[name] = Tally()
                work(rows[name], Path(folder))
                print(name, json.dumps(vars(rows[name])), flush=True)

    def postgres(tally: Tally) -> None:
        with databases.running() as running:
            server(tally, how.kills, how.clients, running.url)

    row("server, SQLite: moves", lambda tally, at: server(tally, how.kills, how.clients, f"sqlite:///{at}/games.db"))
    row("server, PostgreSQL: moves", lambda tally, at: postgres(tally))
    row("arena: games", lambda tally, at: arena(tally, how.kills, at))
    row("fleet: games", lambda tally, at: arena(tally, how.kills, at, is_fleet=True))
    row("play: moves", lambda tally, at: play(tally, how.kills, at))
    row("learn: games", lambda tally, at: learn(tally, how.kills, at))
    table = [
        "| what is killed, and what counts | kills | acknowledged | lost | doubled | stored besides | processes left |"
        " the last ended after, s | notes |",
        "|---|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for name, each in rows.items():
        numbers = (each.kills, each.acknowledged, each.lost, each.doubled, each.more, each.left)
        cells = [name, *(f"{number:,}" for number in numbers), f"{each.slowest:.1f}", "; ".join(each.notes)]
        table.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    print("\n".join(table))
    if how.file:
        head = (
            f"# Kills\n\nWritten by `python bench/kills.py --kills {how.kills} --clients {how.clients} --file KILLS.md`"
        )
        says = "; what each column means is at the head of the script."
        how.file.write_text(f"{head}{says}\n\n" + "\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
