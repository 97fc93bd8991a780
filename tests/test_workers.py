"""Worker processes: how they end."""

import asyncio
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from processes import kill, started
from pydantic import BaseModel
from waiting import LIMIT, until

from plyground.web.views import positions
from plyground.web.views.models import Reply
from plyground.workers import pool
from plyground.workers.pool import WorkerPool
from plyground.workers.pool_worker import END, PART, SHORT_JOB_SECONDS, STOP, Job, _free_memory, serve
from plyground.workers.shares import Visitor

pytestmark = pytest.mark.process
FIRST = Job(positions.reply, Reply(game="tictactoe", player="first"))


class LongText(BaseModel):
    """A part that is written as a header and a body; a few of them fill a pipe."""

    text: str


def long_texts(args: BaseModel) -> Iterator[BaseModel]:
    """Yield long parts until it is stopped."""
    while True:
        yield LongText(text="x" * 20_000)


def shared_objects(args: BaseModel) -> Iterator[BaseModel]:
    """Number of the objects that no collection in this process looks at; takes long enough to free memory after it."""
    time.sleep(1.2 * SHORT_JOB_SECONDS)
    yield LongText(text=str(gc.get_freeze_count()))


@pytest.mark.only_on("linux")
def test_what_workers_share_is_never_collected() -> None:
    """A collection would write to each object, and so give each worker a copy of all that it was forked with."""

    async def shared(house: WorkerPool) -> list[int]:
        found = [part async for part in house.run(Job(shared_objects, FIRST.args), lambda end: None)]
        return [int(part.model_dump()["text"]) for part in found]

    async def story() -> None:
        house = WorkerPool(size=1, waiting=9)
        first, again = await shared(house), await shared(house)
        assert first == again
        assert first[0] > 10_000  # the compiler's modules alone have more
        house.close()

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_garbage_in_cycles_is_freed_at_rest() -> None:
    """A game of one's own is in cycles; when it is not needed any more, its memory comes back."""

    class Own:
        pass

    watched = weakref.ref(Own)
    del Own
    _free_memory()
    assert watched() is None


async def done(house: WorkerPool, job: Job, who: str = "") -> None:
    """Have a job done."""
    async for _ in house.run(job, lambda end: None, visitor=Visitor(who)):
        pass


def test_a_worker_that_takes_no_job_is_ended() -> None:
    """A new one as one that has worked before."""

    def nowhere(args: BaseModel) -> Iterator[BaseModel]:
        yield args

    async def story() -> None:
        house = WorkerPool(size=2, waiting=9)
        for first in ([], [FIRST]):
            for job in first:
                await done(house, job)
            with pytest.raises((AttributeError, TypeError), match="pickle"):
                await done(house, Job(nowhere, FIRST.args))  # it cannot be sent: the other process could not find it
            assert house.processes == []
        await done(house, FIRST)
        house.close()

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_stop_leaves_no_half_message() -> None:
    """A stop that comes while a message is written lets it be written to its end."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, 60.0, False, {}))
    child.start()
    theirs.close()
    with ours:
        for number in range(1, 6):
            ours.send((number, Job(long_texts, FIRST.args)))
            assert ours.poll(LIMIT)
            time.sleep(0.1)  # the pipe fills: mostly, the worker waits with a header
            ours.send((number, STOP))
            time.sleep(0.1)  # the interrupt comes
            said = None
            while said != END:
                assert ours.poll(LIMIT)
                job, said, *_ = ours.recv()
                assert (job, said) in ((number, PART), (number, END))
    child.join(LIMIT)
    assert child.exitcode == 0


@pytest.mark.only_on("linux", "darwin")
def test_hung_workers_end_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six take no longer to be ended than two one after the other."""
    assert sys.platform != "win32"
    monkeypatch.setattr(pool, "END_PAUSE", 1.0)

    async def seconds(count: int) -> float:
        house = WorkerPool(size=4 * count, waiting=9)
        await asyncio.gather(*(done(house, FIRST, str(number)) for number in range(count)))
        numbers = house.processes
        assert len(numbers) == count
        for number in numbers:
            os.kill(number, signal.SIGSTOP)
            until(lambda number=number: psutil.Process(number).status() == psutil.STATUS_STOPPED)  # type: ignore[misc]
        began = time.monotonic()
        house.close()
        assert not any(map(psutil.pid_exists, numbers))
        return time.monotonic() - began

    async def story() -> None:
        assert await seconds(6) < 2 * await seconds(1)

    asyncio.run(asyncio.wait_for(story(), LIMIT))


LOADS_FOR_LONG = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "plyground.compiled.code":
            print("loads", flush=True)
            time.sleep(1000)
sys.meta_path.insert(0, Slow())
import plyground.workers.preload
"""
LOADING = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {LOADS_FOR_LONG!r}]); time.sleep(1000)
"""


@pytest.mark.process
@pytest.mark.only_on("linux", "darwin")
def test_a_killed_server_leaves_no_process_that_still_loads() -> None:
    """The process from which workers are forked looks for its parent while it loads what they need."""
    with started([sys.executable, "-c", LOADING], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None and server.stdout.readline() == "loads\n"
        (loading,) = psutil.Process(server.pid).children()
        server.kill()
        try:
            until(lambda: not loading.is_running() or loading.status() == psutil.STATUS_ZOMBIE)
        finally:
            kill([loading])


STARTS = """
from plyground.workers.pool import _load_shared
if __name__ == "__main__":
    _load_shared()
"""


@pytest.mark.process
def test_workers_import_nothing_of_the_current_folder(tmp_path: Path) -> None:
    """A folder of students' files, in which a server is started, may have a queue.py."""
    (tmp_path / "here").mkdir()
    for name in ("queue", "socket", "json", "numpy", "plyground"):
        (tmp_path / "here" / f"{name}.py").write_text("open('ran', 'w').close()", encoding="utf-8")
    (tmp_path / "starts.py").write_text(STARTS, encoding="utf-8")
    subprocess.run([sys.executable, tmp_path / "starts.py"], cwd=tmp_path / "here", check=True)
    assert not (tmp_path / "here" / "ran").exists()
