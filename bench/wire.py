"""The Connector under load, and audits: `python bench/wire.py`, about three minutes. Writes bench/WIRE.md.

1,000 clients in 500 rooms of two send 100,000 messages in all; every one must arrive, in its sender's order. Then one
client that never reads is written to until it is closed. Then what a program's supervisor costs, audits, with a Prolog
program if there is one, and 200 games in a row that must leave no process and no socket.
"""

import asyncio
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import psutil
from compiled import require_compiled

import plyground as pg
from plyground.play.audit import audit
from plyground.sandbox.sandbox import Sandbox
from plyground.wire.connector import Connector
from plyground.wire.session import SessionLimits

HERE = Path(__file__).resolve().parent
PLAYERS = HERE.parent / "examples" / "players"
CLIENTS, EACH, GAMES, STARTS = 1_000, 100, 200, 50
START = pg.Position.initial(pg.MNK())


def memory() -> float:
    """MB held by this process."""
    return psutil.Process().memory_info().rss / 1e6


async def pair(port: int, room: int) -> int:
    """Two clients of a room send at the same time; how many messages were lost or out of order."""
    ends = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
    for reader, writer in ends:
        writer.write(b"room(r%d).\nping(ready).\n" % room)
        await reader.readline()  # the answer: the room is entered
    await asyncio.sleep(1)
    for number in range(EACH):
        for _, writer in ends:
            writer.write(b"say(%d).\n" % number)
            await writer.drain()
    wrong = 0
    for reader, writer in ends:
        for number in range(EACH):
            wrong += await reader.readline() != b"say(%d).\n" % number
        writer.transport.abort()
    return wrong


async def crowd() -> tuple[int, float]:
    """All pairs at once: messages lost or out of order, and seconds."""
    server = Connector("terms", SessionLimits(clients=CLIENTS), lambda said: None)
    port = await server.start(["127.0.0.1"], 0)
    started = time.perf_counter()
    wrong = sum(await asyncio.gather(*(pair(port, room) for room in range(CLIENTS // 2))))
    seconds = time.perf_counter() - started - 1
    await server.close()
    return wrong, seconds


async def deaf() -> tuple[float, str]:
    """A reader that never reads: MB that it costs until it is closed, and what the log says."""
    log: list[str] = []
    server = Connector("terms", SessionLimits(), log.append)
    port = await server.start(["127.0.0.1"], 0)
    _, silent = await asyncio.open_connection("127.0.0.1", port, limit=1)
    _, loud = await asyncio.open_connection("127.0.0.1", port)
    before, most = memory(), 0.0
    while not log:
        loud.write(b"'" + b"x" * 60_000 + b"'.\n")
        await loud.drain()
        await asyncio.sleep(0)
        most = max(most, memory() - before)
    silent.transport.abort()
    loud.transport.abort()
    await server.close()
    return most, log[0]


def audited(player: str) -> str:
    """A line of the audits' table."""
    pg.check(START.game, games=1)  # loads what compiles, so that the audit alone is measured
    started = time.perf_counter()
    found = audit("tictactoe", START, 1, lambda: pg.player_named(player))
    seconds = time.perf_counter() - started
    shown = "program:swipl alphabeta.pl … 2" if "swipl" in player else player
    return f"| {shown} | {found.verdict} | {found.games:,} | {found.lost} | {seconds:.2f} |"


def many_games(command: str) -> tuple[int, int]:
    """Games in a row with one program: processes and sockets left behind."""
    process = psutil.Process()
    before = len(process.children(recursive=True)), len(process.net_connections())
    for seed in range(GAMES):
        player = pg.player_named(command)
        result = pg.play_match(START, (pg.player_named(f"random:seed={seed}"), player))
        player.close()
        assert result.fault is None, result.why
    return len(process.children(recursive=True)) - before[0], len(process.net_connections()) - before[1]


def start() -> tuple[float, float, float]:
    """Milliseconds until a program has started, alone and under its supervisor, and the supervisor's own MB."""
    alone, under = [], []
    for _ in range(STARTS):
        since = time.perf_counter()
        subprocess.run(["true"], check=True)
        alone.append(time.perf_counter() - since)
        since = time.perf_counter()
        Sandbox(["true"]).end()
        under.append(time.perf_counter() - since)
    program = Sandbox(["sleep", "60"])
    own = psutil.Process(program.process.pid).memory_full_info().uss / 1e6
    program.end()
    return median(alone) * 1e3, median(under) * 1e3, own


def line(write: Callable[[str], None], words: str) -> None:
    """Print a line and keep it."""
    print(words, flush=True)
    write(words)


def main() -> None:
    """Measure and write the page."""
    require_compiled()
    lines: list[str] = []

    def say(words: str) -> None:
        line(lines.append, words)

    say("# The wire\n")
    say(f"Written by `python bench/wire.py` on {psutil.cpu_count()} cores; clients and server in one process.\n")
    wrong, seconds = asyncio.run(crowd())
    sent = CLIENTS * EACH
    say(f"- {CLIENTS:,} clients at once, {sent:,} messages: {sent - wrong:,} delivered in order in {seconds:.1f} s.")
    most, said = asyncio.run(deaf())
    say(f"- A reader that never reads costs {most:.1f} MB until it is closed: “{said.partition(': ')[2]}”")
    alone, under, own = start()
    say(
        f"- A program that does nothing, started and ended: {alone:.1f} ms alone, {under:.1f} ms under its supervisor, "
        f"which has {own:.1f} MB of its own."
    )
    swipl = shutil.which("swipl")
    prolog = f"program:swipl {PLAYERS / 'alphabeta.pl'} {{host}} {{port}} {{side}} {{first}} 2"
    if swipl:
        version = subprocess.run([swipl, "--version"], capture_output=True, encoding="utf-8", check=True).stdout.strip()
        processes, sockets = many_games(prolog)
        say(f"- {GAMES} games in a row with {version}: {processes} processes and {sockets} sockets left behind.")
    say("\nAudits of players of o in tic-tac-toe:\n")
    say("| player | verdict | games | lost | seconds |\n|---|---|--:|--:|--:|")
    for player in ("alphabeta:depth=2", "alphabeta:depth=9", *([prolog] if swipl else [])):
        say(audited(player))
    (HERE / "WIRE.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
