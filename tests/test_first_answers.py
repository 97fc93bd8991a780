"""First answers on a machine with an empty cache: compiled, and outside of every limit of time."""

import asyncio
import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path
from subprocess import PIPE

import psutil
import pytest
from processes import started
from waiting import LIMIT, until

import plyground as pg
from plyground.compiled import cache, code
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput, TooNew
from plyground.play.player import Mute
from plyground.search.proof import Cycles
from plyground.web.views import positions
from plyground.web.views.models import Reply, ReplyView
from plyground.workers.pool import WorkerPool
from plyground.workers.pool_worker import Job

pytestmark = [pytest.mark.compiled, pytest.mark.process]


def run_command(folder: Path, *words: str) -> list[str]:
    """The lines that a command prints where the compiled code lies in a folder of its own."""
    command = [sys.executable, "-m", "plyground", *words]
    done = subprocess.run(
        command, env=os.environ | {"PLYGROUND_CACHE": str(folder)}, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_second_process_finds_the_code(tmp_path: Path) -> None:
    """The second process finds the object code of the first, and adds no file."""
    kept = []
    for _ in range(2):
        assert json.loads(run_command(tmp_path, "solve", "connectfour:4,4", "--json")[0])["value"]["winner"] is None
        kept.append({file.name: file.stat().st_mtime_ns // 10**18 for file in tmp_path.iterdir()})
    assert kept[0] and kept[0] == kept[1]


@pytest.mark.parametrize("fault", [Cycles(), TooNew("A game", 3, 2), Mute("It said nothing.", 1)])
def test_a_fault_goes_from_process_to_process(fault: BadInput) -> None:
    """Exceptions are pickled with their fields."""
    again = pickle.loads(pickle.dumps(fault))
    assert (type(again), str(again), vars(again)) == (type(fault), str(fault), vars(fault))


PLAYERS = ["engine", "minimax:2", "minimax:2,seed=1", "alphabeta:2", "alphabeta:2,seed=1", "level", "mcts", "perfect"]


@pytest.mark.parametrize("spec", PLAYERS)
def test_who_is_ready_compiles_no_more(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After getting ready, which a match lets its players do before their clocks start, a move needs no compiler."""
    start = pg.Position.initial(pg.MNK())
    pg.player_named(spec).prepare(start)
    monkeypatch.setattr(code, "CompiledFunction", lambda *_, **__: pytest.fail("it compiles in its own time"))
    assert pg.player_named(spec).choose(start, 0.1) in start.legal_moves


def test_every_first_answer_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an empty cache: the first report of each kind of search says nothing of plain Python."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    kernel.cache_clear()
    start = pg.Position.initial(pg.Kalah())
    reports = [next(iter(pg.think(start, pg.Limit(time=0.1)))), pg.search(start, "minimax", 2)]
    reports += [pg.simulate(start, pg.Limit(time=0.1))]
    reports += [next(iter(pg.player_named("level").think(start, None)))]
    assert [each.why_plain for each in reports] == [None] * 4


def test_one_process_compiles_and_the_others_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock of a file keeps other processes out, and leaves no file."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    code = "from plyground.compiled.cache import lock_entry\nwith lock_entry('a'): print('in', flush=True); input()"
    with started([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == "in\n"
        monkeypatch.setattr(cache, "MOST_LOCKED_SECONDS", 0.0)
        with sqlite3.connect(tmp_path / "a.lock", timeout=0) as outside, pytest.raises(sqlite3.OperationalError):
            outside.execute("BEGIN EXCLUSIVE")
        outside.close()
        monkeypatch.setattr(cache, "MOST_LOCKED_SECONDS", LIMIT)
        other.communicate("")
        with cache.lock_entry("a"):
            assert other.wait() is not None
    assert not list(tmp_path.iterdir())


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


def test_a_worker_answers_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an empty cache, a server's first reply is one of compiled code."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    job = Job(positions.reply, Reply(game="connectfour:4,4", player="level:error=0.25"))

    async def story() -> None:
        house = WorkerPool(size=1, waiting=0)
        try:
            async with aclosing(house.run(job, lambda end: None)) as parts:
                last = [part async for part in parts][-1]
            assert isinstance(last, ReplyView) and last.move and last.report and last.report.why_plain is None
        finally:
            house.close()

    asyncio.run(story())


EXEC_STOPPED = """
from plyground.terminal import main
def raise_interrupt(*verbs):
    exec("raise KeyboardInterrupt")
main.command_line = raise_interrupt
main.main()
"""


@pytest.mark.process
def test_ctrl_c_within_a_text_that_is_run_ends_with_our_code(tmp_path: Path) -> None:
    """Ctrl-C can come while a dataclass is made, as a module is loaded: CPython would end by the signal."""
    (tmp_path / "stopped.py").write_text(EXEC_STOPPED, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "stopped", "games"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (130, "plyground: stopped.\n")


AWKWARD = [
    ["analyse", "connectfour:5,5"],
    ["search", "connectfour:5,5", "--algorithm", "mcts", "--nodes", "1000000000"],
    ["compare", "connectfour:5,5"],
    ["check", "nim:1/2"],
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
    with started(command, env=environment, cwd=tmp_path, stdout=PIPE, stderr=PIPE) as process:
        until(lambda: is_compiling(process.pid))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=LIMIT)
    assert (process.returncode, said) == (130, "plyground: stopped.\n")
