"""200 people play at once: how long an own move takes to be acknowledged, and what a client costs in memory.

    python bench/load.py [--clients 200] [--seconds 60]

Each client is one WebSocket that follows its game, plays x at a person's pace, asks the server for o's reply and
plays it, in tic-tac-toe or Ultimate in turn; at the end of each game every acknowledged move must be in the database.
Writes bench/LOAD.md.
"""

import argparse
import asyncio
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from compiled import require_compiled
from websockets.asyncio.client import ClientConnection, connect

HERE = Path(__file__).resolve().parent
GAMES = ("tictactoe", "ultimate")
PACE = (0.3, 1.2)
"""Seconds that a person thinks, at least and at most."""


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
        """One operation's answer."""
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._web.send(json.dumps({"id": number, "op": op, "args": args}))
        answer = None if op == "follow" else await self._waiting[number]
        del self._waiting[number]
        return answer

    async def play(self, until: float) -> None:
        """Games, one after the other."""
        while time.monotonic() < until:
            made = await self.ask("create", game=self._game, o="level:error=0.5")
            await self.ask("follow", id=made["id"])
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

    async def _choose(self, here: Any) -> str:
        if here["to_move"] == "x":
            await asyncio.sleep(self._chance.uniform(*PACE))
            return str(self._chance.choice(here["legal"]))
        asked = time.perf_counter()
        reply = await self.ask("reply", game=self._game, moves=here["moves"], player="alphabeta:depth=2")
        self._tally.replies.append(time.perf_counter() - asked)
        return str(reply["move"])


async def one(address: str, tally: Tally, number: int, until: float) -> None:
    """One client from its first connection to its last move."""
    await asyncio.sleep(number / 100)
    async with connect(address, max_size=None) as web:
        client = Client(web, tally, GAMES[number % len(GAMES)], number)
        listening = asyncio.create_task(client.listen())
        await client.play(until)
        listening.cancel()


async def load(address: str, clients: int, seconds: float) -> Tally:
    """All clients for `seconds` seconds."""
    tally, until = Tally(), time.monotonic() + seconds
    await asyncio.gather(*(one(address, tally, number, until) for number in range(clients)))
    return tally


def memory(server: psutil.Process) -> float:
    """MB that the server's own process holds; its workers do not grow with the clients."""
    return server.memory_info().rss / 1e6


def row(name: str, times: list[float]) -> str:
    """A line of the table, in milliseconds."""
    if not times:
        return f"| {name} | 0 | | | |"
    cuts = statistics.quantiles(times, n=100)
    return f"| {name} | {len(times):,} | {cuts[49] * 1e3:.1f} | {cuts[94] * 1e3:.1f} | {max(times) * 1e3:.0f} |"


def main() -> None:
    """Start a server, load it, write the table."""
    require_compiled()
    words = argparse.ArgumentParser()
    words.add_argument("--clients", type=int, default=200)
    words.add_argument("--seconds", type=float, default=60)
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", "8765"]
        server = subprocess.Popen([*command, "--database", f"sqlite:///{folder}/games.db"], stdout=subprocess.DEVNULL)
        time.sleep(8)  # the background compilation is over
        process = psutil.Process(server.pid)
        before = memory(process)
        tally = asyncio.run(load("ws://127.0.0.1:8765/api/socket", asked.clients, asked.seconds))
        grown = memory(process) - before
        server.terminate()
        server.wait()
    lines = [
        "# The server under load",
        "",
        f"Written by `python bench/load.py`: {asked.clients} clients for {asked.seconds:g} s, they and the server on "
        f"the same {psutil.cpu_count()} cores. Every acknowledged move was looked for at the end of its game.",
        "",
        "| | times | median, ms | p95, ms | longest, ms |",
        "|---|--:|--:|--:|--:|",
        row("own move acknowledged (it is on disk)", tally.acknowledged),
        row("reply of the other side (looks 2 plies ahead)", tally.replies),
        "",
        f"Games: {tally.games:,}. Errors: {len(tally.errors)}. Games with a lost move: {tally.lost}. "
        f"Memory: {grown / asked.clients:.2f} MB a client ({before:.0f} MB without any).",
        "",
    ]
    print("\n".join(lines), *sorted(set(tally.errors))[:5], sep="\n")
    (HERE / "LOAD.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
