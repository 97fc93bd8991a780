"""Kills without warning (SIGKILL), and full disks: what was acknowledged is there afterwards, once, nothing is left.

    python bench/kills.py [--kills 3] [--clients 8] [--only server] [--file bench/KILLS.md]

Each kind of work is begun, seen to do something, killed, and begun again, as often as asked for. A loss is what was
acknowledged, or seen in its database or file, before the kill and is not there after it; a double is there twice; a
process is left if it is alive 5 seconds after the kill. A disk that is full is filled while the work is under way;
when there is room again, the work goes on. Prints a table, and writes it if asked to. Needs Linux or macOS, for one row
a PostgreSQL, and for full disks root on Linux.
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

KILLS = {"SQLite": 20, "PostgreSQL": 10, "arena": 10, "fleet": 5, "play": 8, "learn": 5}
"""Kills of each row, by a word of it."""
DISK = 24
"""Mebibytes of the disk that is filled."""
LONGEST_END = 60.0
"""Seconds after which a command that goes on with a full disk is interrupted."""
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


def start_clients(
    clients: int, address: str, acknowledged: list[str], ending: threading.Event
) -> list[threading.Thread]:
    """Start clients, and wait until each has made some moves."""
    playing = [
        threading.Thread(target=client, args=(number, address, acknowledged, ending)) for number in range(clients)
    ]
    for each in playing:
        each.start()
    until(partial(has_more, acknowledged.__len__, 3 * clients))
    return playing


def server(tally: Tally, kills: int, clients: int, database: str) -> None:
    """Clients play games of two people each while their server is killed."""
    chance, port = random.Random(0), free_port()
    for _ in range(kills):
        acknowledged, ending = list[str](), threading.Event()
        begun = Server(database, port=port)

        playing = start_clients(clients, begun.address, acknowledged, ending)
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
    chance, words = random.Random(1), arena_words(folder)
    database = words[-1]
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
    for _ in range(kills):
        file.unlink(missing_ok=True)
        with kill_after(tally, play_words(folder), lambda: len(play_moves(folder)) > 4, chance):
            seen = play_moves(folder)
        tally.compare(seen, play_moves(folder))
        moves = len(pg.read_game(file).position.moves)
        tally.lost += max(len(seen) - moves, 0)


def learn(tally: Tally, kills: int, folder: Path) -> None:
    """Learning: the games that are kept."""
    chance, part = random.Random(3), folder / "t.weights.part"

    def games() -> int:
        return len(learn_games(folder))

    for _ in range(kills):
        before = games()
        with kill_after(tally, learn_words(folder), partial(has_more, games, before), chance):
            seen = games()
        after = games()
        tally.acknowledged += seen - before
        tally.lost += max(seen - after, 0)
    left = [each.name for each in folder.iterdir() if each.name != part.name]
    tally.notes += [f"files left: {', '.join(left)}"] if left else []


# -- full disks --------------------------------------------------------------------------------------------------------


@contextmanager
def small_disk() -> Iterator[Path]:
    """A disk of its own, in memory."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """In the context the disk is full."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 8, 1):
            with suppress(OSError):
                while file.write(bytes(size)):
                    pass
    yield
    filler.unlink()


def server_on_full_disk(tally: Tally, clients: int) -> None:
    """Clients play while the disk is filled: what is refused is said; then the same server stores games again."""
    with small_disk() as disk:
        begun, acknowledged, ending = Server(f"sqlite:///{disk / 'games.db'}"), list[str](), threading.Event()
        playing = start_clients(clients, begun.address, acknowledged, ending)
        with full(disk):
            for each in playing:
                each.join()  # each ends when it is refused
            refusal = begun.http.post("/api/create", json={"game": "tictactoe"})
            tally.notes.append(f"{refusal.status_code}: {refusal.json()['error']}")
        stored = []
        for game in {line.split()[0] for line in acknowledged}:
            words = begun.ask("open", id=game)["position"]["moves"]
            stored += [f"{game} {ply} {move}" for ply, move in enumerate(words, start=1)]
        tally.compare(acknowledged, stored)
        begun.ask("create", game="tictactoe")
        tally.kill(begun.process.pid)
        begun.end()


def command_on_full_disk(tally: Tally, words: Callable[[Path], list[str]], seen: Callable[[Path], list[str]]) -> None:
    """A command whose disk is filled says so and ends, or goes on without it; what was kept is there, and is gone on
    with."""
    with small_disk() as disk:

        def begin() -> "subprocess.Popen[str]":
            line = [sys.executable, "-m", "plyground", *words(disk)]
            return subprocess.Popen(
                line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )

        process = begin()
        until(lambda: len(seen(disk)) > 4)
        with full(disk):
            acknowledged = seen(disk)
            try:
                _, said = process.communicate(timeout=LONGEST_END)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                _, said = process.communicate()
            last_words = " ".join(said.replace(f"{disk}/", "").split())
            tally.notes.append(f"exit code {process.returncode}: {last_words[-200:]}")
            tally.left += sum(each.name.endswith(".new") for each in disk.iterdir())
        tally.compare(acknowledged, seen(disk))
        again = begin()
        until(lambda: len(seen(disk)) > len(acknowledged))
        tally.kill(again.pid)
        again.communicate()


def arena_words(folder: Path) -> list[str]:
    """A long arena, with its database in a folder."""
    words = ["arena", "mnk:5,5,4", "a=random:seed=1", "b=random", "--games", "1000000", "--jobs", "2"]
    return [*words, "--name", "t", "--database", f"sqlite:///{folder / 'games.db'}"]


def arena_games(folder: Path) -> list[str]:
    """Numbers of the games that the arena in a folder has stored."""
    if not (folder / "games.db").exists():
        return []
    with closing(Store(f"sqlite:///{folder / 'games.db'}")) as store:
        return [str(each.task.number) for each in store.games("t")]


def play_words(folder: Path) -> list[str]:
    """A game, kept in a folder."""
    words = ["play", "mnk:9,9,9", "--x", "mcts:time=0.05", "--o", "mcts:time=0.05"]
    return [*words, "--keep", str(folder / "game.jsonl")]


def play_moves(folder: Path) -> list[str]:
    """Lines of the moves of the game that is kept in a folder."""
    file = folder / "game.jsonl"
    return [line for line in file.read_text("utf-8").split("\n")[:-1] if '"ply"' in line] if file.exists() else []


def learn_words(folder: Path) -> list[str]:
    """Learning, with its weights in a folder."""
    return ["learn", "tictactoe", "--minutes", "60", "--jobs", "2", "--out", str(folder / "t.weights")]


def learn_games(folder: Path) -> list[str]:
    """Numbers of the games that learning in a folder keeps."""
    learner = Learner(pg.game_named("tictactoe"), "tictactoe", 0, False)
    return [str(number) for number in range(learner.games if learner.resume(folder / "t.weights.part") else 0)]


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=0, help="of each row; by default as in KILLS")
    parser.add_argument("--clients", type=int, default=50)
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

    def kills(word: str) -> int:
        return how.kills or KILLS[word]

    def postgres(tally: Tally) -> None:
        with databases.running() as running:
            server(tally, kills("PostgreSQL"), how.clients, running.url)

    row(
        "server, SQLite: moves",
        lambda tally, at: server(tally, kills("SQLite"), how.clients, f"sqlite:///{at}/games.db"),
    )
    row("server, PostgreSQL: moves", lambda tally, at: postgres(tally))
    row("arena: games", lambda tally, at: arena(tally, kills("arena"), at))
    row("fleet: games", lambda tally, at: arena(tally, kills("fleet"), at, is_fleet=True))
    row("play: moves", lambda tally, at: play(tally, kills("play"), at))
    row("learn: games", lambda tally, at: learn(tally, kills("learn"), at))
    row("full disk, server: moves", lambda tally, at: server_on_full_disk(tally, how.clients))
    row("full disk, arena: games", lambda tally, at: command_on_full_disk(tally, arena_words, arena_games))
    row("full disk, play: moves", lambda tally, at: command_on_full_disk(tally, play_words, play_moves))
    row("full disk, learn: games", lambda tally, at: command_on_full_disk(tally, learn_words, learn_games))
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
        head = f"# Kills\n\nWritten by `{' '.join(['python', 'bench/kills.py', *sys.argv[1:]])}`"
        says = "; what each column means is at the head of the script."
        how.file.write_text(f"{head}{says}\n\n" + "\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
