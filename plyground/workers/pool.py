"""Pool of worker processes for searches, so that the server's event loop never waits for one.

Each worker is one process, and runs one job at a time. On Linux it is forked from a process that has loaded what all
workers need, so that they share its memory (`preload.py`), but none of the server's sockets and threads; on other
systems, where a fork is not safe, it is started by spawn.

A job is a function that yields better and better answers, and its arguments; each part is sent when it is found. If a
worker dies, its one job is lost, and another worker is started. The end of the server closes the pipes, which ends the
workers, also if the server was killed.
"""

import asyncio
import gc
import multiprocessing
import multiprocessing.util
import os
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from functools import cache, partial
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from typing import Any

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.play.player import Unable
from plyground.sandbox.sandbox import workers_environment
from plyground.workers import SOCKET_FOLDER
from plyground.workers.fair_queue import Ender, FairQueue, Stop
from plyground.workers.pool_worker import END, FAILED, PART, REFUSED, STOP, UNABLE, UNANSWERED, Job, serve
from plyground.workers.shares import SERVER, Visitor

JOB_SECONDS = 60.0
"""Seconds after which a job is stopped unless it is endless; time in which a search is compiled does not count."""
SEARCH_END_GRACE = 2.0
"""Seconds within which a search must end after a stop; then its process is killed. An interrupt takes effect when the
process is in Python again, and LLVM does not return to Python while it compiles.
"""
END_PAUSE = 0.2
"""Seconds for all processes together to end by themselves at the server's end: people wait for Ctrl-C."""
IDLE_SECONDS = 60.0
"""Seconds without a job after which a process that need not stay is ended: each uses 100 megabytes."""


SAFE_PATH = "PYTHONSAFEPATH"
"""Environment variable by which Python leaves the current folder out of `sys.path`."""
_environment_lock = threading.Lock()
"""Held while `SAFE_PATH` is set: the environment is one for all threads of the server."""


class WorkerStopped(Exception):
    """The job ended without an answer: it was stopped, or its process has ended. Asking again is safe."""


def _make_process(run: Callable[..., object], *args: object) -> BaseProcess:
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn").Process(target=run, args=args, daemon=True)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["plyground.workers.preload"])
    # `preload.py` removes this folder if the server is killed, which then cannot.
    os.environ[SOCKET_FOLDER] = f"{os.getpid()} {multiprocessing.util.get_temp_dir()}"
    with _environment_lock:
        before = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"  # else the process that forks would take a queue.py of the current folder
        try:
            forkserver.ensure_running()
        finally:  # what else is started here keeps its own folder on its path
            del os.environ[SAFE_PATH]
            if before is not None:
                os.environ[SAFE_PATH] = before
    return context.Process(target=run, args=args, daemon=True)


@cache
def _load_shared() -> None:
    """Wait until the process from which workers are forked has loaded the shared modules: a second or two."""
    process = _make_process(gc.collect)  # anything that does nothing
    process.start()
    process.join()


class Worker:
    """One process and the pipe to it. Used from the server's event loop only."""

    def __init__(self, longest: float, gentle: bool, loop: asyncio.AbstractEventLoop) -> None:
        """Start the process. That may take long where the machine is busy, so it is done in a thread."""
        self._pipe, theirs = multiprocessing.Pipe()
        self.process: BaseProcess = _make_process(serve, theirs, longest, gentle, workers_environment())
        self.process.start()
        # While this process has its copy of the other end open, the death of the worker would never end `recv`.
        theirs.close()
        self._loop = loop
        self._heard: asyncio.Queue[tuple[int, str, Any] | None] = asyncio.Queue()
        self._jobs = 0
        self.visitor = SERVER
        """The visitor of its last job."""
        self.usable: bool = True
        """Whether it can take another job: its process has not ended."""
        threading.Thread(target=self._listen, name="plyground worker's ear", daemon=True).start()

    def _listen(self) -> None:
        """Reader thread: passes messages of the process to the event loop, until the pipe closes."""
        # A thread: not on every system can an event loop wait for a connection of `multiprocessing`.
        heard: tuple[int, str, Any] | None = 0, END, None
        while heard:
            try:
                heard = self._pipe.recv()
            except (EOFError, OSError):
                heard, self.usable = None, False  # before None is heard, so that no job is given to it
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._heard.put_nowait, heard)
        self._pipe.close()

    def take(self, job: Job) -> int:
        """Send the process a job. Returns the job's number.

        Raises:
            WorkerStopped: the process has ended.
        """
        self._jobs += 1
        self._send_to_worker((self._jobs, job))
        return self._jobs

    async def run(self, number: int, begins: Callable[[Ender], None]) -> AsyncGenerator[BaseModel, None]:
        """Yields the parts of the answer to the job of a number. Closing the generator early stops the search.

        Jobs are numbered because a caller that is cancelled twice (its request, then its socket) does not wait for the
        job's last message, which must not be taken for one of the next job.

        Raises:
            BadInput: the arguments are wrong, or the job takes too long.
            Unable: the player cannot be started, or cannot be set to the position.
            WorkerStopped: the job was stopped before it had an answer, or the process ended.
        """
        begins(partial(self._stop, number))
        ended = False
        try:
            while not ended:
                kind, said = await self._next_message(number)
                ended = kind != PART
                if kind == PART:
                    yield said
                elif kind == REFUSED:
                    raise BadInput(said)
                elif kind == UNANSWERED:
                    raise WorkerStopped(said)
                elif kind == UNABLE:
                    raise Unable(said)
                elif kind == FAILED:
                    raise RuntimeError(said)
        except WorkerStopped:
            ended = True
            raise
        finally:
            if not ended:
                self._stop(number)
                # The worker is handed on only when its search has ended: it takes one job at a time.
                await self._drain(number)

    async def _next_message(self, number: int) -> tuple[str, Any]:
        """Returns the next message of the process about a job."""
        while heard := await self._heard.get():
            if heard[0] == number:
                return heard[1:]
        raise WorkerStopped("The search was ended from outside; ask again.")

    async def _drain(self, number: int) -> None:
        """Wait for the job's end; the process is ended if the search does not stop."""
        try:
            with suppress(WorkerStopped):
                async with asyncio.timeout(SEARCH_END_GRACE):
                    while (await self._next_message(number))[0] == PART:
                        pass
        except TimeoutError:
            self.end()

    def end(self) -> None:
        """End the process in a thread: it may be stopped, and so may that which forked it, which knows of its end."""
        self.ask_end()
        self._loop.run_in_executor(None, self.close)

    def end_when_idle(self, idle: float, may_end: Callable[[], bool]) -> None:
        """End the process after `idle` seconds, if it may end then and has had no other job."""
        self._loop.call_later(idle, self._end_idle, self._jobs, may_end)

    def _end_idle(self, jobs: int, may_end: Callable[[], bool]) -> None:
        # The same number of jobs means that it was idle since: no timer has to be cancelled when it takes one.
        if jobs == self._jobs and self.usable and may_end():
            self.ask_end()
            # the system keeps an ended process until it is joined
            self._loop.call_later(SEARCH_END_GRACE, self.process.join, 0)

    def _stop(self, number: int) -> None:
        with suppress(WorkerStopped):
            self._send_to_worker((number, STOP))

    def _send_to_worker(self, what: object) -> None:
        try:
            self._pipe.send(what)
        except OSError:
            self.usable = False
            raise WorkerStopped("The search could not be started; ask again.") from None

    def ask_end(self) -> None:
        """Begin to end the process."""
        self.usable = False
        with suppress(WorkerStopped):
            self._send_to_worker(None)

    def close(self, until: float | None = None) -> None:
        """End the process: it may end by itself until the time `until`, or else for a moment."""
        self.ask_end()
        self.process.join(END_PAUSE if until is None else max(0.0, until - time.monotonic()))
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class Preempted(Exception):
    """Raised when a search has given its place to another job."""


class WorkerPool:
    """Worker processes, each for one job at a time; further jobs wait in a queue, and visitors take turns.

    A visitor gets the same worker as before if that is free, since it may hold the visitor's tree; else the one used
    last, which has loaded the game. So there are never more processes than jobs at one time.
    """

    def __init__(
        self,
        size: int,
        waiting: int,
        longest: float = JOB_SECONDS,
        gentle: bool = False,
        stay: int | None = None,
        idle: float = IDLE_SECONDS,
    ) -> None:
        """Prepare the pool; each process is started when it is first needed.

        Args:
            size: most processes at a time; one visitor has half of them at most (`shares.py`).
            waiting: most jobs in the queue.
            longest: most seconds for a job, unless it is endless.
            gentle: whether they run at low priority.
            stay: number of processes that stay when there is no job; by default all.
            idle: seconds without a job after which the others are ended.
        """
        self._longest, self._gentle, self._idle = longest, gentle, idle
        self._stay = size if stay is None else stay
        self._queue = FairQueue(size, waiting, "searches")
        self._free: list[Worker] = []
        self._all: set[Worker] = set()

    @property
    def is_idle(self) -> bool:
        """Whether no job is running."""
        return self._queue.is_idle

    async def run(
        self,
        job: Job,
        begins: Callable[[Ender], None],
        waits: Callable[[Ender], None] | None = None,
        visitor: Visitor = SERVER,
    ) -> AsyncGenerator[BaseModel, None]:
        """Yields the parts of a job's answer.

        Args:
            job: the job.
            begins: called with a function that ends the job, once a worker has it.
            waits: called with a function that ends the job while it waits for a worker. By default a stop takes effect
                in the worker, whose search may have an answer then.
            visitor: source of the job.

        Raises:
            BadInput: the arguments are wrong, it takes too long, or too many jobs wait already.
            WorkerStopped: it was stopped before it had an answer, or the worker's process ended; asking again is safe.
        """
        async with self._queue.place(visitor, waits) as has_place:
            if not has_place:
                return
            worker, number = await self._begin_job(job, visitor)
            try:
                async with aclosing(worker.run(number, begins)) as parts:
                    async for part in parts:
                        yield part
            finally:
                worker.visitor = visitor
                self._free.append(worker)
                worker.end_when_idle(self._idle, self._may_end)

    async def _begin_job(self, job: Job, visitor: Visitor) -> tuple[Worker, int]:
        """Give the job to a free or a new worker. Returns the worker and the job's number."""
        while worker := self._take_worker(visitor):
            with suppress(WorkerStopped):
                return worker, self._give_job(worker, job)
        await asyncio.to_thread(_load_shared)
        loop = asyncio.get_running_loop()
        starting = asyncio.ensure_future(asyncio.to_thread(Worker, self._longest, self._gentle, loop))
        try:
            # A thread cannot be cancelled: without the shield, the process that it starts would belong to no one and
            # stay.
            worker = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._add_late_worker)
            raise
        self._all.add(worker)
        return worker, self._give_job(worker, job)

    def _add_late_worker(self, starting: "asyncio.Future[Worker]") -> None:
        """Add a worker whose job was cancelled while it started: it takes the next job."""
        if not starting.cancelled() and not starting.exception():
            worker = starting.result()
            self._all.add(worker)
            self._free.append(worker)
            worker.end_when_idle(self._idle, self._may_end)

    def _give_job(self, worker: Worker, job: Job) -> int:
        """Give a worker a job. Returns the job's number. A worker that does not take it is ended.

        Raises:
            WorkerStopped: its process has ended unheard.
        """
        try:
            return worker.take(job)
        except BaseException:
            self._all.discard(worker)
            worker.end()
            raise

    def _take_worker(self, visitor: Visitor) -> Worker | None:
        """Take a free worker out of the list, this visitor's last one if possible; None if there is none."""
        for worker in [each for each in self._free if not each.usable]:
            self._free.remove(worker)
            self._all.discard(worker)
            worker.end()
        # From the end: the most recently used one has its game loaded, and those at the front become idle and end.
        found = next((each for each in reversed(self._free) if each.visitor == visitor), None)
        found = found or next(reversed(self._free), None)
        if found:
            self._free.remove(found)
        return found

    def _may_end(self) -> bool:
        """Whether there are more processes than stay."""
        return sum(worker.usable for worker in self._all) > self._stay

    async def run_turn(
        self,
        job: Job,
        stop: Stop,
        turn: float,
        visitor: Visitor = SERVER,
        *,
        has_answer: bool = False,
        leaves: bool = False,
        tells: bool = False,
    ) -> AsyncGenerator[BaseModel, None]:
        """As `run`, but after `turn` seconds the job gives up its worker to the next one in the queue, if there is one.

        Args:
            job: the job.
            stop: ends the job.
            turn: seconds that the job may keep its worker.
            visitor: source of the job.
            has_answer: whether there is an answer already, so that the job may be ended in the queue.
            leaves: whether the job gives up the worker after its turn even if no job waits.
            tells: whether the job stays until its first answer: a search that is being compiled would never have one.

        Raises:
            Preempted: it has given up its worker before its end.
            BadInput: as `run`.
            WorkerStopped: as `run`.
        """
        loop = asyncio.get_running_loop()
        timer: asyncio.TimerHandle | None = None
        has_given_up = told = False

        def give_up_turn(end: Ender) -> None:
            nonlocal timer, has_given_up
            if (leaves or self._queue.is_wanted(visitor)) and (told or not tells):
                has_given_up = True
                end()
            else:
                # No one waits now; asked again soon, so that a newcomer waits a tenth of a turn at most.
                timer = loop.call_later(turn / 10, give_up_turn, end)

        def begin(end: Ender) -> None:
            nonlocal timer
            timer = loop.call_later(turn, give_up_turn, end)
            stop.begins(end)

        try:
            async with aclosing(self.run(job, begin, stop.begins if has_answer else None, visitor)) as parts:
                async for part in parts:
                    if stop.asked or not has_given_up:  # else it is the last part of a search that begins again
                        told = True
                        yield part
        # A turn that ended before the first part is no failure: the search begins again.
        except WorkerStopped:
            if stop.asked or not has_given_up:
                raise
        finally:
            if timer:
                timer.cancel()
        if has_given_up and not stop.asked:
            raise Preempted

    async def run_on(
        self, job: Job, stop: Stop, turn: float, visitor: Visitor = SERVER
    ) -> AsyncGenerator[BaseModel, None]:
        """As `run`, for a job that may never end by itself: it takes turns with waiting jobs.

        After `turn` seconds it gives up its worker to the next job in the queue, if there is one, and starts again at
        the end: it repeats its search, so its parts are worse for a while. Ended in the queue, it ends at once. On a
        busy machine a turn may be over before the first part; the next one is then twice as long, so that one comes.
        """
        goes_on, told = True, False
        while goes_on:
            goes_on = has_part = False
            try:
                turns = self.run_turn(job, stop, turn, visitor, has_answer=True, tells=True)
                async with aclosing(turns) as parts:
                    async for part in parts:
                        told = has_part = True
                        yield part
            except Preempted:
                # Doubled until a part comes: on a busy machine a fixed turn could end before the first part each time,
                # for ever.
                goes_on, turn = True, turn if has_part else 2 * turn
            except WorkerStopped:  # in this turn; in an earlier one it had an answer
                if not (told and stop.asked):
                    raise

    @property
    def processes(self) -> list[int]:
        """IDs of the processes."""
        return [worker.process.pid for worker in self._all if worker.process.pid]

    def kill(self) -> None:
        """End all processes at once, whatever they do; waiting callers get `WorkerStopped`."""
        for worker in self._all:
            worker.process.kill()

    def close(self) -> None:
        """End all processes."""
        # All are asked before any is waited for, and share one deadline: the end takes `END_PAUSE`, not a multiple.
        for worker in self._all:
            worker.ask_end()
        until = time.monotonic() + END_PAUSE
        for worker in self._all:
            worker.close(until)
