"""Worker processes that think, so that the server never waits for a search.

Each worker is one process, started by spawn (a forked one would share the server's sockets and threads), and does one
job at a time. A job is a generator of `ops.py` or `microscope.py` and its arguments; parts come back as they are found.
A worker that dies takes its one job with it, and another is started. Leaving the server closes the pipes, and that ends
the workers, also when the server was killed.
"""

import _thread
import asyncio
import multiprocessing
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.match import Unable
from plyground.web import microscope, ops

JOBS: dict[str, Callable[[Any], Iterator[BaseModel]]] = {
    job.__name__: job
    for job in (
        ops.reply,
        ops.analyse,
        ops.review,
        microscope.tree,
        microscope.node,
        microscope.saved,
        microscope.tree_file,
        microscope.race,
        microscope.quiz,
        microscope.mark,
        microscope.sheet,
    )
}
GRACE = 2.0
"""Seconds a search has to heed a stop."""
STOP, END, PART, REFUSED, UNABLE, FAILED = "stop", "end", "part", "refused", "unable", "failed"
Ender = Callable[[], None]
"""Lets one job end with the best it has found; does nothing once it has ended."""


class Job(NamedTuple):
    """What a worker is to do."""

    name: str
    args: BaseModel


class WorkerDied(Exception):
    """The process that did the job has ended; asking again is safe."""


class Worker:
    """One process and the pipe to it. Used from the server's event loop only."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), name="plyground worker", daemon=True)
        self.process.start()
        theirs.close()
        self._loop = asyncio.get_running_loop()
        self._heard: asyncio.Queue[tuple[int, str, Any] | None] = asyncio.Queue()
        self._jobs = 0
        self.usable = True
        """Whether it can take another job: its process has not ended."""
        threading.Thread(target=self._listen, name="plyground worker's ear", daemon=True).start()

    def _listen(self) -> None:
        """Hand what the process says to the event loop, until it says no more."""
        heard: tuple[int, str, Any] | None = 0, END, None
        while heard:
            try:
                heard = self._pipe.recv()
            except (EOFError, OSError):
                heard, self.usable = None, False
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(self._heard.put_nowait, heard)
        self._pipe.close()

    async def run(self, job: Job, begins: Callable[[Ender], None]) -> AsyncGenerator[BaseModel, None]:
        """The parts of a job's answer. Leaving early stops the search.

        Jobs are numbered: whoever leaves twice (a request is cancelled, then its socket is lost) waits no more for the
        job's last words, and they must not be taken for the next one's.

        Raises:
            BadInput: the arguments are wrong.
            Unable: the player cannot be started, or cannot be brought to the position.
            WorkerDied: the process ended before the job.
        """
        self._jobs += 1
        number = self._jobs
        self._send((number, job))
        begins(partial(self._stop, number))
        ended = False
        try:
            while not ended:
                kind, said = await self._hear(number)
                ended = kind != PART
                if kind == PART:
                    yield said
                elif kind == REFUSED:
                    raise BadInput(said)
                elif kind == UNABLE:
                    raise Unable(said)
                elif kind == FAILED:
                    raise RuntimeError(said)
        except WorkerDied:
            ended = True
            raise
        finally:
            if not ended:
                self._stop(number)
                await self._quiet(number)

    async def _hear(self, number: int) -> tuple[str, Any]:
        """What the process says of a job."""
        while heard := await self._heard.get():
            if heard[0] == number:
                return heard[1:]
        raise WorkerDied("The search was ended from outside; ask again.")

    async def _quiet(self, number: int) -> None:
        """Wait for the job's end; a search that does not heed the stop loses its process."""
        try:
            with suppress(WorkerDied):
                async with asyncio.timeout(GRACE):
                    while (await self._hear(number))[0] == PART:
                        pass
        except TimeoutError:
            self.close()

    def _stop(self, number: int) -> None:
        with suppress(WorkerDied):
            self._send((number, STOP))

    def _send(self, what: object) -> None:
        try:
            self._pipe.send(what)
        except OSError:
            self.usable = False
            raise WorkerDied("The search could not be started; ask again.") from None

    def close(self) -> None:
        """End the process."""
        with suppress(WorkerDied):
            self._send(None)
        self.usable = False
        self.process.join(0.2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class Workers:
    """Some workers, each for one job at a time; jobs beyond that wait in line."""

    def __init__(self, size: int, waiting: int) -> None:
        self._free: asyncio.Queue[Worker | None] = asyncio.Queue()
        for _ in range(size):
            self._free.put_nowait(None)  # started when first needed
        self._all: set[Worker] = set()
        self._room = size + waiting

    async def run(self, job: Job, begins: Callable[[Ender], None]) -> AsyncGenerator[BaseModel, None]:
        """The parts of a job's answer.

        Args:
            job: what to do.
            begins: told what ends the job, once a worker has it.

        Raises:
            BadInput: the arguments are wrong, or too many jobs wait already.
            WorkerDied: the worker's process ended before the job; asking again is safe.
        """
        if self._room <= 0:
            raise BadInput("The server is busy: too many searches wait already; try again in a moment.")
        self._room -= 1
        worker: Worker | None = None
        got = False
        try:
            worker = await self._free.get()
            got = True
            if worker is None or not worker.usable:
                worker = self._renewed(worker)
            async with aclosing(worker.run(job, begins)) as parts:
                async for part in parts:
                    yield part
        finally:
            self._room += 1
            if got:
                self._free.put_nowait(worker)

    def _renewed(self, old: Worker | None) -> Worker:
        if old:
            self._all.discard(old)
            old.close()
        worker = Worker()
        self._all.add(worker)
        return worker

    @property
    def processes(self) -> list[int]:
        """The processes' numbers."""
        return [worker.process.pid for worker in self._all if worker.process.pid]

    def close(self) -> None:
        """End all processes."""
        for worker in self._all:
            worker.close()


# -- in the worker's process -------------------------------------------------------------------------------------------


def _serve(pipe: Connection) -> None:
    """Do one job after another until the pipe closes.

    The main thread thinks; another one listens, and stops a search as Ctrl-C does, which every search heeds.
    """
    jobs: queue.Queue[tuple[int, Job] | None] = queue.Queue()
    lock = threading.Lock()
    running = stopped = 0

    def runs(number: int) -> None:
        """The job that a stop may interrupt from now on; 0 for none."""
        nonlocal running
        with lock:
            running = number
        if number and number <= stopped:
            raise KeyboardInterrupt

    def stop(number: int) -> None:
        """End a job now, or as soon as it begins."""
        nonlocal running, stopped
        with lock:
            stopped = max(stopped, number)
            if running and number == running:
                running = 0
                _thread.interrupt_main()

    def listen() -> None:
        with suppress(EOFError, OSError):
            while asked := pipe.recv():
                number, what = asked
                if what == STOP:
                    stop(number)
                else:
                    jobs.put(asked)
        jobs.put(None)
        stop(running)

    threading.Thread(target=listen, daemon=True).start()
    with suppress(OSError):  # the server has gone
        while asked := jobs.get():
            number, job = asked
            ended: tuple[str, Any] = END, None
            with suppress(KeyboardInterrupt):  # one that came when the job had just ended
                ended = _done(job, partial(runs, number), lambda *said, number=number: pipe.send((number, *said)))
                runs(0)
            pipe.send((number, *ended))


def _done(job: Job, begin: Callable[[], None], tell: Callable[[str, BaseModel], None]) -> tuple[str, Any]:
    """Tell the parts of the answer; how the job ended."""
    last: Any = None
    try:
        begin()
        for part in JOBS[job.name](job.args):
            last = part
            tell(PART, part)
    except KeyboardInterrupt:
        if final := ops.best_so_far(job.args, last):
            tell(PART, final)
    except OSError:
        raise
    except Unable as fault:
        return UNABLE, str(fault)
    except BadInput as fault:
        return REFUSED, str(fault)
    except BaseException as fault:
        return FAILED, f"{type(fault).__name__}: {fault}"
    return END, None
