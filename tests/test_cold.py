"""Where nothing is compiled yet: it is done once, in nobody's time, and never behind a person's back."""

import asyncio
import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE

import psutil
import pytest
from processes import started
from waiting import LIMIT, until

import plyground as pg
from plyground.compiled import cache
from plyground.compiled import kernel as speed
from plyground.compiled.kernel import NOT_YET, Kernel, kernel
from plyground.errors import BadInput, TooNew
from plyground.play.player import Mute
from plyground.search.proof import Cycles
from plyground.terminal.verbs import warming
from plyground.web.precompile import Precompiler
from plyground.web.views import positions
from plyground.web.views.models import Analyse, Reply, ReplyView
from plyground.workers import pool_worker
from plyground.workers.fair_queue import Ender
from plyground.workers.pool import WorkerPool, WorkerStopped
from plyground.workers.pool_worker import Job

pytestmark = [pytest.mark.compiled, pytest.mark.process]

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


@pytest.mark.nightly
def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """What a solver needs is compiled by the first process, each function once, and found on disk by the second."""
    first, second = (json.loads(run(COUNTED, tmp_path, "solve", "connectfour:4,4", "--json")[-1]) for _ in range(2))
    assert first and len({tuple(made) for made in first}) == len(first)
    assert second == []


@pytest.mark.parametrize("is_empty", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_what_is_warmed_needs_no_compiler(is_empty: bool, tmp_path: Path) -> None:
    """After `warm`, no search of the game is compiled again; at each push most of them have been there before."""
    cache, game = (tmp_path, "nim:1/2") if is_empty else (Path(os.environ["PLYGROUND_CACHE"]), "tictactoe")
    assert run(COUNTED, cache, "warm", game, "--jobs", "1")[0].endswith("searches of 1 game are ready.")
    for verb in (
        ["compare", "--json", "--depth", "3"],
        ["search", "--algorithm=mcts", "--nodes=100"],
        ["search", "--algorithm=proof"],
        ["perft", "2"],
    ):
        assert json.loads(run(COUNTED, cache, verb[0], game, *verb[1:])[-1]) == []


def test_a_search_that_a_game_cannot_have_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Proof-number search knows no games whose states can come again: the others are compiled all the same."""
    monkeypatch.setattr(warming, "WATCHED", {"": ("proof", "minimax")})
    warming.warm(["threemorris"], jobs=1)
    assert capsys.readouterr().out.strip() == "2 searches of 1 game are ready."


@pytest.mark.parametrize("fault", [Cycles(), TooNew("A game", 3, 2), Mute("It said nothing.", 1)])
def test_a_fault_goes_from_process_to_process(fault: BadInput) -> None:
    """As it is, whatever it was made of."""
    again = pickle.loads(pickle.dumps(fault))
    assert (type(again), str(again), vars(again)) == (type(fault), str(fault), vars(fault))


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
    pg.player_named(spec).prepare(start)
    monkeypatch.setattr(speed, "waited_for", lambda _: pytest.fail("it compiles in its own time"))
    assert pg.player_named(spec).choose(start, 0.1) in start.legal_moves


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Nothing is known to be compiled, and the compiler waits for this event."""
    event, compile_now, read = threading.Event(), Kernel._compile, cache.read

    def compile_late(self: Kernel, *args: object) -> str | None:
        assert event.wait(LIMIT)
        return compile_now(self, *args)

    kernel.cache_clear()
    monkeypatch.setattr(Kernel, "_compile", compile_late)
    monkeypatch.setattr(cache, "read", lambda name: None if name.startswith("made-") else read(name))
    yield event
    event.set()
    until(lambda: not speed.is_compiling())
    kernel.cache_clear()


@pytest.mark.parametrize(
    "spec", ["engine:time=1", "level", "level:error=0", "mcts:time=1", "alphabeta:2", "alphabeta:2,seed=1"]
)
def test_a_player_waits_for_no_compiler(spec: str, held: threading.Event) -> None:
    """It answers while the compiler is held back, and later compiled, in the same way."""
    start = pg.Position.initial(pg.Kalah())
    assert pg.player_named(spec).choose(start, None) in start.legal_moves
    assert not held.is_set()


def test_a_player_goes_over_to_compiled_code(held: threading.Event) -> None:
    """What the first answer has begun in the background is what a later one is searched by."""
    start, engine = pg.Position.initial(pg.Kalah()), pg.player_named("engine:time=0.3")
    assert {report.why_plain for report in engine.think(start, None)} == {NOT_YET}
    held.set()
    until(lambda: not speed.is_compiling())
    assert {report.why_plain for report in engine.think(start, None)} == {None}


def test_a_large_board_is_begun_in_the_middle(tmp_path: Path) -> None:
    """Plain search cannot look at one ply of it in time: the move is the one that the game's order has first. What is
    being compiled by then is not waited for."""
    script = (
        "import os, plyground as pg; here = pg.Position.initial(pg.Hex(11))\n"
        "reports = pg.think(here, pg.Limit(time=0.06), at_once=True)\n"
        "print([here.game.move_text(here.state, report.move) for report in reports], flush=True); os._exit(0)"
    )
    environment = os.environ | {"PLYGROUND_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, timeout=LIMIT, check=True
    )
    assert done.stdout.decode().split() == ["['f6']"]


def test_whoever_looks_on_is_told_at_once_and_then_more(held: threading.Event) -> None:
    """Reports come while the compiler is held back; then they go on, node for node as compiled code alone has them."""
    start, limit = pg.Position.initial(pg.Kalah()), pg.Limit(depth=11)
    found = []
    for report in pg.think(start, limit, every_move=True):
        found.append(report)
        held.set()
    alone = [*pg.think(start, limit, every_move=True)]
    assert found[0].why_plain == NOT_YET and found[-1].why_plain is alone[0].why_plain is None
    assert [replace(each, seconds=0, why_plain=None) for each in found] == [replace(each, seconds=0) for each in alone]


@pytest.mark.parametrize("seconds", [0.1, 1.1])
def test_a_limit_in_time_is_one_for_the_compiler_too(seconds: float, held: threading.Event) -> None:
    """The answer comes while the compiler is held back, also where that was waited for."""
    start = pg.Position.initial(pg.Kalah())
    report = [*pg.think(start, pg.Limit(time=seconds))][-1]
    assert not held.is_set() and report.why_plain == NOT_YET and report.move in start.legal_moves


def test_a_hint_waits_for_no_compiler(held: threading.Event) -> None:
    """Nor does any other analysis of the page that has a limit in time."""
    report = [*positions.analyse(Analyse(game="kalah", seconds=0.1))][-1]
    assert not held.is_set() and report.variation[0] in report.moves


@pytest.mark.parametrize("limit", [pg.Limit(depth=2), pg.Limit(nodes=50)])
def test_a_small_limit_needs_no_compiler(limit: pg.Limit, held: threading.Event) -> None:
    """And gives the same nodes and move as with one."""
    start = pg.Position.initial(pg.Kalah())
    plain = [*pg.think(start, limit)][-1]
    assert not held.is_set()
    held.set()
    pg.player_named("engine:eval=own").prepare(start)
    compiled = [*pg.think(start, limit)][-1]
    assert compiled.why_plain is None
    assert replace(plain, seconds=0, why_plain=None) == replace(compiled, seconds=0)


def test_a_search_is_never_cut_short(held: threading.Event) -> None:
    """What plain Python does not finish soon is compiled and searched whole."""
    held.set()
    assert pg.search(pg.Position.initial(pg.Kalah()), "mcts", nodes=20_000, at_once=True).nodes == 20_000


def test_what_is_small_does_not_even_load_the_compiler(tmp_path: Path) -> None:
    """A question that plain Python answers at once."""
    answer, loaded = run(LOADED, tmp_path, "analyse", "tictactoe", "xox/oxo/...:x", "--json")
    assert json.loads(answer)["value"]["winner"] == "x" and "why_plain" not in json.loads(answer)
    assert loaded == "False" and not list(tmp_path.iterdir())


def test_a_process_ends_when_what_it_compiles_is_kept(tmp_path: Path) -> None:
    """A script that wants one move gets it, ends well, and the next one finds compiled code."""
    start = "import plyground as pg; start = pg.Position.initial(pg.MNK(4, 4, 4))"
    script = f"{start}; print(pg.player_named('engine:time=0.1').choose(start, None))"
    told = [run(script, tmp_path) for _ in range(2)]
    assert all(int(line) in range(16) for [line] in told)
    assert {file.name.partition("-")[0] for file in tmp_path.iterdir()} == {"made", "pvs"}


def test_one_process_compiles_and_the_others_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes a file keeps the others out till it has ended, and leaves nothing behind."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    code = "from plyground.compiled.cache import alone\nwith alone('a'): print('in', flush=True); input()"
    with started([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == "in\n"
        monkeypatch.setattr(cache, "PATIENCE", 0.0)
        with sqlite3.connect(tmp_path / "a.lock", timeout=0) as outside, pytest.raises(sqlite3.OperationalError):
            outside.execute("BEGIN EXCLUSIVE")
        outside.close()
        monkeypatch.setattr(cache, "PATIENCE", LIMIT)
        other.communicate("")
        with cache.alone("a"):
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


def test_a_search_stopped_while_it_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends in a sentence, plays no move that nobody thought of, and is ready for who asks next."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))

    async def story() -> None:
        house = WorkerPool(size=1, waiting=1)

        async def ask(job: Job, *, stopped: bool) -> list[object]:
            def begins(end: Ender) -> None:
                if stopped:

                    def stop() -> None:
                        until(lambda: [*tmp_path.glob("*.lock")])  # of what is being compiled
                        end()

                    threading.Thread(target=stop).start()

            async with aclosing(house.run(job, begins)) as parts:
                return [part async for part in parts]

        try:
            game = "connectfour:4,4"
            with pytest.raises(WorkerStopped, match="Stopped"):
                await ask(
                    Job(positions.reply, Reply(game=game, player="perfect"), final=positions.best_so_far), stopped=True
                )
            assert await ask(
                Job(positions.reply, Reply(game=game, player="perfect"), final=positions.best_so_far), stopped=False
            )
        finally:
            house.close()

    asyncio.run(story())


def test_a_worker_answers_at_once_and_then_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an empty cache: first as plain Python, and some time later, without anybody asking for it, compiled."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    job = Job(positions.reply, Reply(game="connectfour:4,4", player="level:error=0.25"))

    async def story() -> None:
        house, seen = WorkerPool(size=1, waiting=0), []
        try:
            while None not in seen:
                last = [part async for part in house.run(job, lambda end: None)][-1]
                assert isinstance(last, ReplyView) and last.move and last.report
                seen.append(last.report.why_plain)
            assert set(seen) == {NOT_YET, None} and seen[0] == NOT_YET
        finally:
            house.close()

    asyncio.run(story())


def test_what_nobody_asked_for_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that warms one game turns to another as soon as that is asked for, and not the other way round."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))

    async def becomes(look: Callable[[], bool]) -> None:
        async with asyncio.timeout(LIMIT):
            while not look():
                await asyncio.sleep(0.01)

    async def story() -> None:
        warming, players = Precompiler(["connectfour:4,5"]), WorkerPool(size=1, waiting=0)
        task = asyncio.create_task(warming.run(players, 1))
        try:
            await becomes(lambda: warming.now == "connectfour:4,5")
            warming.ask("connectfour:4,4")
            await becomes(lambda: warming.now == "connectfour:4,4")
            warming.ask("connectfour:5,4")
            await becomes(lambda: warming.now != "connectfour:4,4")
            assert any(file.name.startswith("made-") for file in tmp_path.iterdir())
        finally:
            task.cancel()
            warming.close()
            players.close()

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

    monkeypatch.setattr(pool_worker, "seconds_compiling", seconds)
    with pool_worker._limited(0.01, stopped.set):
        for _ in range(4):  # at the start, and each time that the limit has gone by
            assert asked.acquire(timeout=LIMIT)
        assert not stopped.is_set()
        compiled.set()
        assert stopped.wait(LIMIT)


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
