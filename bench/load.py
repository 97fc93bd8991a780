"""The server under load: 200 people play on a real disk, alone and beside up to 1,000 watchers of one game.

    python bench/load.py [--clients 200] [--watchers 0 10 100 300 1000] [--seconds 600] [--only played watched shares]

Each client is one WebSocket from an address of its own. It follows its game, plays x at a person's pace, asks the
server for o's reply and plays it, in tic-tac-toe or Ultimate in turn; at the end of each game every acknowledged move
must be in the database. Watchers are a process of their own. Writes bench/LOAD.md, with the sections of
bench/shares.py; with --only it writes nothing, and prints these parts.
"""

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import shares
from compiled import require_compiled
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

HERE = Path(__file__).resolve().parent
GAMES = ("tictactoe", "ultimate")
PACE = (0.3, 1.2)
"""Seconds that a person thinks, at least and at most."""
PORT = 8765
ADDRESS = f"ws://127.0.0.1:{PORT}/api/socket"
HELD_IN_MEMORY = ("tmpfs", "ramfs", "overlay")
"""File systems on which a commit waits for no disk, or for one that cannot be told."""


Begun = Callable[[str], Awaitable[None]]
"""Lets the watchers of a game come in."""


@dataclass
class Tally:
    """What all clients saw."""

    acknowledged: list[float] = field(default_factory=list)
    """Seconds from sending an own move to its acknowledgement."""
    replies: list[float] = field(default_factory=list)
    """Seconds from asking for a reply to having it."""
    games: int = 0
    lost: int = 0
    errors: list[str] = field(default_factory=list)


class Client:
    """One person at one page."""

    def __init__(self, web: ClientConnection, tally: Tally, game: str, seed: int) -> None:
        self._web, self._tally, self._game = web, tally, game
        self._chance, self._numbers = random.Random(seed), itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}

    async def listen(self) -> None:
        """Hand every answer to who waits for it."""
        async for text in self._web:
            said = json.loads(text)
            waiting = self._waiting.get(said["id"])
            if "error" in said:
                self._tally.errors.append(said["error"])
            if waiting and not waiting.done() and "part" not in said:
                waiting.set_result(said.get("ok"))

    async def ask(self, op: str, **args: object) -> Any:
        """One operation's answer; of a game that is followed, the number by which that is cancelled."""
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._web.send(json.dumps({"id": number, "op": op, "args": args}))
        answer = number if op == "follow" else await self._waiting[number]
        del self._waiting[number]
        return answer

    async def play(self, until: float, begun: Begun | None = None) -> None:
        """Games, one after the other; the first one only, if it is watched.

        Args:
            until: when it ends, by the monotonic clock.
            begun: is awaited with the id of the game that is watched.
        """
        while time.monotonic() < until:
            made = await self.ask("create", game=self._game, o="level:error=0.5")
            if begun:
                await begun(made["id"])
            following = await self.ask("follow", id=made["id"])
            here, sent = (await self.ask("open", id=made["id"]))["position"], []
            while not here["over"] and time.monotonic() < until:
                move = await self._choose(here)
                sent.append(move)
                seat, ply = made["seats"][here["to_move"]], len(sent)
                asked = time.perf_counter()
                here = (await self.ask("play", id=made["id"], seat=seat, ply=ply, move=move))["position"]
                if ply % 2:
                    self._tally.acknowledged.append(time.perf_counter() - asked)
            kept = (await self.ask("open", id=made["id"]))["position"]["moves"]
            self._tally.lost += kept != sent
            self._tally.games += 1
            await self._web.send(json.dumps({"id": 0, "op": "cancel", "of": following}))  # as a page that is left does
            if begun:
                return

    async def _choose(self, here: Any) -> str:
        if here["to_move"] == "x":
            await asyncio.sleep(self._chance.uniform(*PACE))
            return str(self._chance.choice(here["legal"]))
        asked = time.perf_counter()
        reply = await self.ask("reply", game=self._game, moves=here["moves"], player="alphabeta:depth=2")
        self._tally.replies.append(time.perf_counter() - asked)
        return str(reply["move"])


def source(number: int) -> tuple[str, int]:
    """An address of a client's own: the server grants each so much."""
    return f"127.1.{number // 250}.{1 + number % 250}", 0


async def one(tally: Tally, number: int, game: str, until: float, begun: Begun | None = None) -> None:
    """One client from its first connection to its last move."""
    await asyncio.sleep(number / 100)
    async with connect(ADDRESS, max_size=None, local_addr=source(number)) as web:
        client = Client(web, tally, game, number)
        listening = asyncio.create_task(client.listen())
        try:
            await client.play(until, begun)
        finally:
            listening.cancel()


async def load(clients: int, seconds: float, process: psutil.Process) -> tuple[Tally, list[float]]:
    """Run all clients for `seconds` seconds; return their tally and the server's memory at each tenth of that time."""
    tally, until, memories = Tally(), time.monotonic() + seconds, list[float]()

    async def look() -> None:
        while len(memories) < 10:
            await asyncio.sleep(seconds / 10)
            memories.append(memory(process))

    looking = asyncio.create_task(look())
    await asyncio.gather(*(one(tally, number, GAMES[number % len(GAMES)], until) for number in range(clients)))
    looking.cancel()
    return tally, memories[1:]


# -- watchers ----------------------------------------------------------------------------------------------------------


def watch(game: str, watchers: int, seen: Any) -> None:
    """Follow a game with many clients, in a process of its own, until the server ends; how often each was told.

    Args:
        game: its id.
        watchers: how many.
        seen: a queue: takes a word once all follow it, and the numbers at the end.
    """

    following = 0

    async def follow(number: int) -> int:
        nonlocal following
        await asyncio.sleep(number / 200)
        told = 0
        async with connect(ADDRESS, max_size=None, local_addr=source(1_000 + number)) as web:
            await web.send(json.dumps({"id": 1, "op": "follow", "args": {"id": game}}))
            with suppress(ConnectionClosed):
                while await web.recv():
                    told += 1
                    if told == 1:
                        following += 1
                        if following == watchers:
                            seen.put("all follow")
        return told

    async def story() -> list[int]:
        return await asyncio.gather(*(follow(number) for number in range(watchers)))

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    seen.put(asyncio.run(story()))


async def load_watched(clients: int, begun: Begun) -> tuple[Tally, Tally]:
    """What the player of a watched game saw, and all others while it was watched."""
    others, watched = Tally(), Tally()

    async def begin(game: str) -> None:
        await begun(game)
        others.acknowledged.clear()

    playing = asyncio.gather(
        *(one(others, number, GAMES[number % len(GAMES)], time.monotonic() + 3_600) for number in range(clients))
    )
    with suppress(TimeoutError):
        await asyncio.wait_for(one(watched, clients, "reversi", time.monotonic() + 3_600, begin), 300)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    return watched, others


# -- sections ----------------------------------------------------------------------------------------------------------


def real_disk() -> tuple[Path, str]:
    """A folder on a real disk, and in words how long that takes to write.

    Raises:
        SystemExit: there is none.
    """
    mounts = sorted(psutil.disk_partitions(all=True), key=lambda each: len(each.mountpoint), reverse=True)
    for folder in (Path(tempfile.gettempdir()), Path.home()):
        mount = next(each for each in mounts if folder.resolve().is_relative_to(each.mountpoint))
        if mount.fstype not in HELD_IN_MEMORY:
            with tempfile.NamedTemporaryFile(dir=folder) as file:
                times = []
                for _ in range(50):
                    file.write(bytes(4096))
                    file.flush()
                    began = time.perf_counter()
                    os.fsync(file.fileno())
                    times.append(time.perf_counter() - began)
            return folder, f"{mount.fstype}, on which one fsync takes {1000 * statistics.median(times):.1f} ms"
    raise SystemExit("There is no real disk here: set TMPDIR to a folder that is on one.")


@contextmanager
def serving(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A server with a database on a real disk."""
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", str(PORT)]
        server = subprocess.Popen([*command, "--database", f"sqlite:///{inside}/games.db"], stdout=subprocess.DEVNULL)
        try:
            time.sleep(8)  # the background compilation is over
            yield server
        finally:
            server.terminate()
            server.wait(60)


def memory(server: psutil.Process) -> float:
    """MB that the server's own process holds; its workers do not grow with the clients."""
    return float(server.memory_info().rss) / 1e6


def row(name: str, seconds: Sequence[float]) -> str:
    """A row of a table: times in milliseconds."""
    ordered = sorted(1000 * each for each in seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    return f"| {name} | {len(ordered):,} | {statistics.median(ordered):.1f} | {p95:.1f} | {ordered[-1]:.0f} |"


def section(title: str, about: str, rows: Sequence[str], after: str) -> str:
    """A section with a table of times."""
    head = ["| | times | median, ms | p95, ms | longest, ms |", "|---|--:|--:|--:|--:|"]
    return "\n".join([f"## {title}", "", about, "", *head, *rows, "", after, ""])


def played(clients: int, seconds: float) -> str:
    """People who play, each a game of their own."""
    folder, disk = real_disk()
    with serving(folder) as server:
        process = psutil.Process(server.pid)
        before, began = memory(process), sum(process.cpu_times()[:2])
        tally, memories = asyncio.run(load(clients, seconds, process))
        grown, used = memory(process) - before, sum(process.cpu_times()[:2]) - began
    print(*sorted(set(tally.errors))[:5], sep="\n")
    return section(
        f"{clients} people play",
        f"For {seconds:g} s, on a real disk ({disk}). Every acknowledged move was looked for at the end of its game.",
        [
            row("own move acknowledged (it is on disk)", tally.acknowledged),
            row("reply of the other side (looks 2 plies ahead)", tally.replies),
        ],
        f"Games: {tally.games:,}. Errors: {len(tally.errors)}. Games with a lost move: {tally.lost}. The server's own "
        f"process used {500 * used / len(tally.acknowledged):.1f} ms of a processor for a move, with its views. "
        f"Memory: {grown / clients:.2f} MB a client ({before:.0f} MB without any); at each tenth of the time, MB: "
        f"{', '.join(f'{each:.0f}' for each in memories)}.",
    )


@dataclass
class Watched:
    """Latencies and CPU time of a game with many watchers."""

    watchers: int
    shown: Tally
    others: Tally
    views: float
    """Views that each watcher was sent, on average."""
    cores: float
    """Processors that the server used."""
    a_move: float
    """Milliseconds of the processor that the server used for a move, with its views."""
    memory: float
    ended: float
    """Seconds in which Ctrl-C, with all watchers there, ended it."""

    def row(self) -> str:
        """A row of the table."""
        times = []
        for tally in (self.shown, self.others):
            ordered = sorted(1000 * each for each in tally.acknowledged)
            times += [
                f"{statistics.median(ordered):.0f}",
                f"{ordered[int(len(ordered) * 0.95)]:.0f}",
                f"{ordered[-1]:.0f}",
            ]
        told = [
            *(f"{self.views:.0f}", f"{self.cores:.2f}", f"{self.a_move:.1f}"),
            *(f"{self.memory:.0f}", f"{self.ended:.1f}"),
        ]
        return f"| {' | '.join([f'{self.watchers:,}', *times, *told])} |"


def beside(clients: int, watchers: int, folder: Path) -> Watched:
    """One game that many watch, beside those that others play."""
    seen: Any = multiprocessing.get_context("spawn").Queue()
    process: list[Any] = []

    async def begin(game: str) -> None:
        if watchers:
            process.append(multiprocessing.get_context("spawn").Process(target=watch, args=(game, watchers, seen)))
            process[0].start()
            await asyncio.to_thread(seen.get, timeout=120)
        began.append((time.perf_counter(), sum(own.cpu_times()[:2])))

    began: list[tuple[float, float]] = []
    with serving(folder) as server:
        own = psutil.Process(server.pid)
        shown, others = asyncio.run(load_watched(clients, begin))
        took, used = time.perf_counter() - began[0][0], sum(own.cpu_times()[:2]) - began[0][1]
        moves = 2 * (len(shown.acknowledged) + len(others.acknowledged))  # x's and o's
        held = memory(own)
        stopped = time.perf_counter()
        server.send_signal(signal.SIGINT)
        server.wait(60)
        ended = time.perf_counter() - stopped
        told = seen.get(timeout=60) if watchers else [0]
        if watchers:
            process[0].join(60)
    print(*sorted({*shown.errors, *others.errors})[:5], sep="\n")
    return Watched(watchers, shown, others, statistics.mean(told), used / took, 1000 * used / moves, held, ended)


def measure_watchers(clients: int, counts: Sequence[int]) -> str:
    """A game that more and more watch."""
    folder, disk = real_disk()
    found = [beside(clients, count, folder) for count in counts]
    faults = sum(len(each.shown.errors) + len(each.others.errors) for each in found)
    lost = sum(each.shown.lost + each.others.lost for each in found)
    return "\n".join(
        [
            f"## Watchers of one game, {clients} play beside it",
            "",
            f"A game of Reversi, on a real disk ({disk}); the watchers are a process on the same cores. Milliseconds",
            "until a move is acknowledged, as its client sees it; views that each watcher was sent; processors, their",
            "milliseconds for a move, and MB of the server; seconds in which Ctrl-C ended it with all watchers there.",
            "",
            "| watchers | watched: p50 | p95 | longest | others: p50 | p95 | longest "
            "| views | cores | ms a move | MB | end, s |",
            "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
            *(each.row() for each in found),
            "",
            f"Errors: {faults}. Games with a lost move: {lost}.",
            "",
        ]
    )


def main() -> None:
    """Put the server under each load, and write the table."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--clients", type=int, default=200)
    words.add_argument("--watchers", type=int, nargs="+", default=[0, 10, 100, 300, 1_000])
    words.add_argument("--seconds", type=float, default=600)
    words.add_argument("--only", nargs="+", choices=["played", "watched", "shares"])
    asked = words.parse_args()
    if not asked.only:
        require_compiled()
    parts: dict[str, Callable[[], list[str]]] = {
        "played": lambda: [played(asked.clients, asked.seconds)],
        "watched": lambda: [measure_watchers(asked.clients, asked.watchers)],
        "shares": shares.sections,
    }
    sections = [
        "# The server under load\n",
        f"Written by `{' '.join(['python', 'bench/load.py', *sys.argv[1:]])}`: the clients and the server on the same\n"
        f"{psutil.cpu_count()} cores. Other work on them before it began: a load average of {os.getloadavg()[1]:.1f};\n"
        "the times grow with it.\n",
    ]
    for name in asked.only or parts:
        sections += parts[name]()
    print("\n".join(sections))
    if not asked.only:
        (HERE / "LOAD.md").write_text("\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
