"""Where nothing is compiled yet: it is done once, in nobody's time, and never behind a person's back."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import aclosing
from pathlib import Path

import psutil
import pytest
from waiting import LIMIT, until

import plyground as pg
from plyground.compiled import kernel as speed
from plyground.play.referee import prepare
from plyground.web import positions, worker
from plyground.web.models import Analyse, Reply
from plyground.web.worker import Job
from plyground.web.workers import Ender, Unanswered, Workers

pytestmark = pytest.mark.once

# Runs the command line and then prints, as its last line, every function that this process has compiled.
COUNTED = """
import atexit, json, sys
from numba.core import event
from plyground.terminal.main import main
recording = event.install_recorder("numba:compile")
compiled = recording.__enter__()
made = lambda: [[str(e.data["dispatcher"]), str(e.data["args"])] for _, e in compiled.buffer if e.is_start]
atexit.register(lambda: print(json.dumps(made())))
main()
"""
# The same for processes that shall not even load Numba.
LOADED = """
import atexit, sys
from plyground.terminal.main import main
atexit.register(lambda: print("numba" in sys.modules))
main()
"""


def run(code: str, cache: Path, *words: str) -> list[str]:
    """The lines that a command prints where the compiled code lies in a folder of its own."""
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(
        command, env=os.environ | {"PLYGROUND_CACHE": str(cache)}, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """What a solver needs is compiled by the first process, each function once, and found on disk by the second."""
    first, second = (json.loads(run(COUNTED, tmp_path, "solve", "connectfour:4,4", "--json")[-1]) for _ in range(2))
    assert first and len({tuple(made) for made in first}) == len(first)
    assert second == []


def test_instant_is_instant(tmp_path: Path) -> None:
    """`verify` finds every instant result without compiling anything, or even loading the compiler."""
    *_, answer, loaded = run(LOADED, tmp_path, "verify", "--json")
    assert json.loads(answer)["differs"] == [] and json.loads(answer)["agreed"] > 80
    assert loaded == "False" and not list(tmp_path.iterdir())


PLAYERS = ["engine", "minimax:2", "minimax:2,seed=1", "alphabeta:2", "alphabeta:2,seed=1", "level", "mcts", "perfect"]


@pytest.mark.parametrize("spec", PLAYERS)
def test_who_is_ready_compiles_no_more(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After getting ready, which a match lets its players do before their clocks start, a move needs no compiler."""
    start = pg.Position.initial(pg.MNK())
    prepare(pg.player_named(spec), start)
    monkeypatch.setattr(speed, "waited_for", lambda _: pytest.fail("it compiles in its own time"))
    assert pg.player_named(spec).choose(start, 0.1) in start.legal_moves


class Slow:
    """A player that has to get ready first, and whose clock must not run then."""

    name = "slow"

    def __init__(self) -> None:
        self.did: list[str] = []

    def prepare(self, position: pg.Position) -> None:
        self.did.append("prepare")

    def choose(self, position: pg.Position, seconds: float | None) -> int:
        self.did.append("choose")
        raise pg.Resigned


def test_a_match_begins_when_both_are_ready() -> None:
    """Also the player who moves second is ready before the first move."""
    second = Slow()
    pg.play_match(pg.Position.initial(pg.MNK()), (pg.player_named("first"), second), clock=100)
    assert second.did == ["prepare", "choose"]
    second.did.clear()
    first = Slow()
    pg.play_match(pg.Position.initial(pg.MNK()), (first, second))
    assert (first.did, second.did) == (["prepare", "choose"], ["prepare"])


def is_compiling(process: int) -> bool:
    """Whether a process has got as far as to load the compiler."""
    return any("llvmlite" in part.path for part in psutil.Process(process).memory_maps())


needs_maps = pytest.mark.only_on("linux")  # others do not show what a process has loaded


@needs_maps
def test_a_search_stopped_while_it_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends in a sentence, plays no move that nobody thought of, and is ready for who asks next."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))

    async def story() -> None:
        house = Workers(size=1, waiting=1)

        async def ask(job: Job, *, stopped: bool) -> list[object]:
            def begins(end: Ender) -> None:
                if stopped:
                    process = house.processes[0]

                    def stop() -> None:
                        until(lambda: is_compiling(process))
                        end()

                    threading.Thread(target=stop).start()

            async with aclosing(house.run(job, begins)) as parts:
                return [part async for part in parts]

        try:
            game = "connectfour:4,4"
            for job in (
                Job(positions.reply, Reply(game=game, player="engine:time=1")),
                Job(positions.analyse, Analyse(game=game, seconds=1)),
            ):
                with pytest.raises(Unanswered, match="Stopped"):
                    await ask(job, stopped=True)
            assert await ask(Job(positions.analyse, Analyse(game=game, depth=2, seconds=50)), stopped=False)
        finally:
            house.close()

    asyncio.run(story())


def test_the_servers_limit_leaves_out_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """While all the time goes by in compiling, nothing is stopped; then the limit holds."""
    asked, stopped, compiled = threading.Semaphore(0), threading.Event(), threading.Event()
    frozen: list[float] = []

    def seconds() -> float:
        asked.release()
        if compiled.is_set():
            frozen[:] = frozen or [time.monotonic()]
            return frozen[0]
        return time.monotonic()

    monkeypatch.setattr(worker, "seconds_compiling", seconds)
    with worker._limited(0.01, stopped.set):
        for _ in range(4):  # at the start, and each time that the limit has gone by
            assert asked.acquire(timeout=LIMIT)
        assert not stopped.is_set()
        compiled.set()
        assert stopped.wait(LIMIT)


AWKWARD = [
    ["analyse", "connectfour:5,5"],
    ["search", "connectfour:5,5", "--algorithm", "mcts"],
    ["compare", "connectfour:5,5"],
    ["check", "connectfour:5,5"],
    ["perft", "connectfour:5,5", "9"],
    ["solve", "connectfour:5,5"],
    ["play", "connectfour:5,5", "--x", "engine", "--o", "engine", "--keep", "game.jsonl"],
    ["bench"],
]


@needs_maps
@pytest.mark.parametrize("words", AWKWARD, ids=lambda words: words[0])
def test_ctrl_c_is_heard_while_it_compiles(words: list[str], tmp_path: Path) -> None:
    """At once, with one sentence and code 130."""
    command = [sys.executable, "-m", "plyground", *words]
    environment = os.environ | {"PLYGROUND_CACHE": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path)}
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        until(lambda: is_compiling(process.pid))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=LIMIT)
    assert (process.returncode, said) == (130, "plyground: stopped.\n")
