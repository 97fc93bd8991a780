"""Visitors ask for all they may: how long another waits for a level's reply and for an analysis' first report.

    python bench/shares.py [--rounds 20]

Each visitor has a loopback address of its own (127.0.0.2 and so on), which Linux has without being asked; elsewhere all
have one address, and a socket each. Prints the sections that bench/load.py writes to bench/LOAD.md.
"""

import argparse
import asyncio
import contextlib
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from compiled import require_compiled
from websockets.asyncio.client import ClientConnection, connect

ROUNDS = 20
"""How often the other visitor asks for each."""
SOCKETS, AT_ONCE = 4, 32
"""Sockets of a greedy visitor, and requests under way on each: the server allows no more."""
LATE = 25.0
"""Seconds that the other visitor waits for an answer."""
PATIENCE = 2.5
"""Seconds for a round, after which no other is begun: a server that answers nothing is not asked `ROUNDS` times."""
SETTLED = 4.0
"""Seconds until the greedy visitors have what they get."""
CUT = 2.0
"""Seconds after the greedy sockets are cut, when the programs that are left are counted."""
GAME, OPENING = "connectfour", 8
"""What the other visitor asks about: positions after so many random plies."""
SLOW = "import sys, time; sys.stdin.readline(); time.sleep(60)"
"""A program that never answers."""


@dataclass(frozen=True)
class Asked:
    """What the greedy visitors ask for, again and again."""

    title: str
    op: str
    args: dict[str, object]
    greedy: int = 1
    """How many they are."""


SLOW_REPLY: dict[str, object] = {"game": "ultimate", "player": "engine:time=60"}
SCENARIOS = [
    Asked("nothing", "", {}, 0),
    Asked("replies of `engine:time=60`", "reply", SLOW_REPLY),
    Asked("the same, three visitors", "reply", SLOW_REPLY, 3),
    Asked("replies of `alphabeta:depth=12`", "reply", {"game": "ultimate", "player": "alphabeta:depth=12"}),
    Asked("analyses of 60 s", "analyse", {"game": "ultimate", "seconds": 60}),
    Asked("the same, three visitors", "analyse", {"game": "ultimate", "seconds": 60}, 3),
    Asked("races of 60 s", "race", {"game": "ultimate", "seconds": 60, "depth": 12}),
    Asked("recorded searches", "tree", {"game": "connectfour", "algorithm": "ordered", "depth": 9}),
    Asked("runs of a lesson's example", "lesson_run", {"lesson": "3-alpha-beta", "number": 2}),
]
PROGRAMS = Asked("replies of a program that never answers", "reply", {"game": "tictactoe", "player": "slow"})


@dataclass
class Waits:
    """Seconds that the other visitor waited; `LATE` where there was no answer by then."""

    replies: list[float] = field(default_factory=list)
    reports: list[float] = field(default_factory=list)
    trees: list[float] = field(default_factory=list)
    runs: list[float] = field(default_factory=list)
    processes: int = 0
    """Processes of the server meanwhile, at most."""
    left: int = 0
    """Programs that were still there `CUT` seconds after the greedy sockets were cut."""


@contextlib.contextmanager
def _server() -> Iterator[tuple[psutil.Process, str]]:
    """A server's process and its socket's address."""
    with tempfile.TemporaryDirectory() as folder:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        slow = Path(folder, "slow.py")
        slow.write_text(SLOW, encoding="utf-8")
        words = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", str(port)]
        words += ["--database", f"sqlite:///{folder}/games.db"]
        words += ["--player", f"slow=program[timeout=60]:{sys.executable} {slow}"]
        server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(8)  # the background compilation is over
            yield psutil.Process(server.pid), f"ws://127.0.0.1:{port}/api/socket"
        finally:
            server.terminate()
            server.wait()


@contextlib.asynccontextmanager
async def _from(visitor: int, address: str) -> AsyncIterator[ClientConnection]:
    """A visitor's socket."""
    source = f"127.0.0.{visitor}" if sys.platform == "linux" else "127.0.0.1"
    async with connect(address, local_addr=(source, 0), max_size=None, ping_timeout=None) as web:
        yield web


async def _greedy(visitor: int, address: str, asked: Asked) -> None:
    """Ask for as much as one may on some sockets, and again when something is answered or refused."""

    async def one() -> None:
        async with _from(visitor, address) as web:
            for number in range(AT_ONCE):
                await web.send(json.dumps({"id": number, "op": asked.op, "args": asked.args}))
            async for text in web:
                if "part" not in (said := json.loads(text)):
                    await asyncio.sleep(0.2)
                    again = {"id": said["id"] + AT_ONCE, "op": asked.op, "args": asked.args}
                    await web.send(json.dumps(again))

    await asyncio.gather(*(one() for _ in range(SOCKETS)))


async def _first(web: ClientConnection, number: int, op: str, args: dict[str, object]) -> float | None:
    """Seconds until the first part or the answer; none for what is refused."""
    begun = time.perf_counter()
    await web.send(json.dumps({"id": number, "op": op, "args": args}))
    try:
        async with asyncio.timeout(LATE):
            while (said := json.loads(await web.recv()))["id"] != number:
                pass
    except TimeoutError:
        return LATE
    finally:
        await web.send(json.dumps({"id": 0, "op": "cancel", "of": number}))
    return None if "error" in said else time.perf_counter() - begun


async def _scenario(process: psutil.Process, address: str, asked: Asked, rounds: int) -> Waits:
    """What another visitor waits meanwhile."""
    chance, waits, number = random.Random(asked.title), Waits(), 1
    tasks = [asyncio.create_task(_greedy(2 + each, address, asked)) for each in range(asked.greedy)]
    try:
        await asyncio.sleep(SETTLED)
        async with _from(100, address) as web:
            until = time.monotonic() + rounds * PATIENCE
            while len(waits.replies) < rounds and time.monotonic() < until:
                here = {"game": GAME, "moves": [chance.choice("abcdefg") for _ in range(OPENING)]}
                kinds: list[tuple[list[float], str, dict[str, object]]] = [
                    (waits.replies, "reply", {**here, "player": "level:easy"}),
                    (waits.reports, "analyse", {**here, "seconds": 5}),
                    (waits.trees, "tree", {**here, "depth": 2}),
                ]
                if asked.op == "lesson_run" and len(waits.runs) < 3:
                    kinds.append((waits.runs, asked.op, asked.args))
                for times, op, args in kinds:
                    waited = await _first(web, number, op, args)
                    times += [] if waited is None else [waited]  # a full column: another position
                    number += 1
                waits.processes = max(waits.processes, len(process.children(recursive=True)))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(CUT)
    waits.left = sum(any("slow.py" in word for word in _words(each)) for each in process.children(recursive=True))
    return waits


def _words(process: psutil.Process) -> list[str]:
    with contextlib.suppress(psutil.Error):
        return process.cmdline()
    return []


def _cells(times: Sequence[float]) -> str:
    """The median and the 95th percentile, in milliseconds."""
    cuts = statistics.quantiles([*times, *times], n=100, method="inclusive")
    return "".join(f" {'> ' if cut >= LATE else ''}{cut * 1e3:,.0f} |" for cut in (cuts[49], cuts[94]))


def _table(found: Sequence[tuple[Asked, Waits]]) -> str:
    """A row for each scenario."""
    lines = [
        "| asked for | reply p50 | p95 | first report p50 | p95 | tree p50 | p95 | processes |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for asked, waits in found:
        cells = "".join(_cells(times) for times in (waits.replies, waits.reports, waits.trees))
        lines.append(f"| {asked.title} |{cells} {waits.processes} |")
    return "\n".join(lines)


def sections(rounds: int = ROUNDS) -> list[str]:
    """The sections "Shares of the workers" and "Programs", in Markdown."""
    with _server() as (process, address):
        asyncio.run(_scenario(process, address, SCENARIOS[0], 5))  # from now on all is read from disk
        found = [(asked, asyncio.run(_scenario(process, address, asked, rounds))) for asked in SCENARIOS]
        programs = asyncio.run(_scenario(process, address, PROGRAMS, rounds))
    runs = found[-1][1].runs
    return [
        "## Shares of the workers\n\n"
        f"A visitor, or three, each with {SOCKETS} sockets and {AT_ONCE} requests under way on each. Milliseconds that "
        f"another waits, at another address, {rounds} times: for a reply of `level:easy`, for the first report of an "
        f"analysis, for a recorded search of two plies, all of {GAME}; and the server's "
        f"processes.\n\n{_table(found)}\n\n"
        f"While examples run for one visitor, another's prints after {max(runs):.1f} s at most.\n",
        "## Programs\n\n"
        f"The same with a program that is allowed by name.\n\n{_table([(PROGRAMS, programs)])}\n\n"
        f"Of the programs {programs.left} were left {CUT:g} s after the sockets were cut.\n",
    ]


def main() -> None:
    """Measure, and print."""
    require_compiled()
    words = argparse.ArgumentParser()
    words.add_argument("--rounds", type=int, default=ROUNDS)
    print("\n\n".join(sections(words.parse_args().rounds)))


if __name__ == "__main__":
    main()
