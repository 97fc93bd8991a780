"""Worker processes that think, so that the server never waits for a search.

Each worker is one process, and does one job at a time. On Linux it is forked from a process that has loaded what all
of them need, so that they share its memory (`shared.py`), and nothing of the server's sockets and threads; elsewhere,
where a fork is not safe, it is started by spawn.

A job is a function that yields better and better answers, and its arguments; parts come back as they are found. A
worker that dies takes its one job with it, and another is started. Leaving the server closes the pipes, and that ends
the workers, also when the server was killed.
"""

import asyncio
import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from functools import cache, partial
from multiprocessing.process import BaseProcess
from typing import Any

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.play.referee import Unable
from plyground.web.worker import END, FAILED, PART, REFUSED, STOP, UNABLE, UNANSWERED, Job, serve

LONGEST = 60.0
"""Seconds after which any job is stopped that is not endless; those in which a search is compiled do not count."""
GRACE = 2.0
"""Seconds a search has to heed a stop."""
IDLE = 60.0
"""Seconds without a job after which a process that need not stay is ended: each holds a hundred megabytes."""
Ender = Callable[[], None]
"""Lets one job end with the best it has found; does nothing once it has ended."""


class Stop:
    """Ends one request's search with the best it has found."""

    def __init__(self) -> None:
        self.asked = False
        """Whether the search is to stop."""
        self._end: Ender | None = None

    def __call__(self) -> None:
        """Stop the search now, or as soon as it begins."""
        self.asked = True
        if self._end:
            self._end()

    def begins(self, end: Ender) -> None:
        """A worker has the search."""
        self._end = end
        if self.asked:
            end()


class Unanswered(Exception):
    """The job ended before it had an answer: it was stopped, or its process has ended. Asking again is safe."""


def _process(run: Callable[..., object], *args: object) -> BaseProcess:
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn").Process(target=run, args=args, daemon=True)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["plyground.web.shared"])
    return context.Process(target=run, args=args, daemon=True)


@cache
def _load_shared() -> None:
    """Wait until the process that workers are forked from has loaded what they share: a second or two."""
    process = _process(gc.collect)  # anything that does nothing
    process.start()
    process.join()


class Worker:
    """One process and the pipe to it. Used from the server's event loop only."""

    def __init__(self, longest: float, gentle: bool) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self.process = _process(serve, theirs, longest, gentle, dict(os.environ))
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
            BadInput: the arguments are wrong, or it takes too long.
            Unable: the player cannot be started, or cannot be brought to the position.
            Unanswered: it was stopped before it had an answer, or its process ended.
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
                elif kind == UNANSWERED:
                    raise Unanswered(said)
                elif kind == UNABLE:
                    raise Unable(said)
                elif kind == FAILED:
                    raise RuntimeError(said)
        except Unanswered:
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
        raise Unanswered("The search was ended from outside; ask again.")

    async def _quiet(self, number: int) -> None:
        """Wait for the job's end; a search that does not heed the stop loses its process."""
        try:
            with suppress(Unanswered):
                async with asyncio.timeout(GRACE):
                    while (await self._hear(number))[0] == PART:
                        pass
        except TimeoutError:
            self.close()

    def ends_idle(self, idle: float, may_end: Callable[[], bool]) -> None:
        """End the process after `idle` seconds, if it may end then and has had no other job."""
        self._loop.call_later(idle, self._end_idle, self._jobs, may_end)

    def _end_idle(self, jobs: int, may_end: Callable[[], bool]) -> None:
        if jobs == self._jobs and self.usable and may_end():
            self.usable = False
            with suppress(Unanswered):
                self._send(None)
            self._loop.call_later(GRACE, self.process.join, 0)  # the system keeps what nobody has seen the end of

    def _stop(self, number: int) -> None:
        with suppress(Unanswered):
            self._send((number, STOP))

    def _send(self, what: object) -> None:
        try:
            self._pipe.send(what)
        except OSError:
            self.usable = False
            raise Unanswered("The search could not be started; ask again.") from None

    def close(self) -> None:
        """End the process."""
        with suppress(Unanswered):
            self._send(None)
        self.usable = False
        self.process.join(0.2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class Workers:
    """Some workers, each for one job at a time; jobs beyond that wait in line.

    The one that was used last is used next: it has read what is played, and so there are no more processes than were
    ever needed at a time.
    """

    def __init__(
        self,
        size: int,
        waiting: int,
        longest: float = LONGEST,
        gentle: bool = False,
        stay: int | None = None,
        idle: float = IDLE,
    ) -> None:
        """Make room for them; a process is started when it is first needed.

        Args:
            size: how many work at a time.
            waiting: how many more jobs may wait.
            longest: seconds for a job at most, but for an endless one.
            gentle: whether they leave the processor to others who want it.
            stay: how many processes stay when there is nothing to do; by default all.
            idle: seconds after which the others end.
        """
        self._longest, self._gentle, self._idle = longest, gentle, idle
        self._stay = size if stay is None else stay
        self._in_line = 0
        self._free: asyncio.LifoQueue[Worker | None] = asyncio.LifoQueue()
        for _ in range(size):
            self._free.put_nowait(None)  # started when first needed
        self._all: set[Worker] = set()
        self._room = size + waiting

    async def run(
        self, job: Job, begins: Callable[[Ender], None], waits: Callable[[Ender], None] | None = None
    ) -> AsyncGenerator[BaseModel, None]:
        """The parts of a job's answer.

        Args:
            job: what to do.
            begins: told what ends the job, once a worker has it.
            waits: told what ends it while it waits for one; by default it waits to be ended by a worker, which may
                have something to say.

        Raises:
            BadInput: the arguments are wrong, it takes too long, or too many jobs wait already.
            Unanswered: it was stopped before it had an answer, or the worker's process ended; asking again is safe.
        """
        if self._room <= 0:
            raise BadInput("The server is busy: too many searches wait already; try again in a moment.")
        self._room -= 1
        worker: Worker | None = None
        self._in_line += 1
        getting = asyncio.ensure_future(self._free.get())
        if waits:
            waits(partial(_cancel, getting))
        try:
            try:
                worker = await getting
            except asyncio.CancelledError:
                if (task := asyncio.current_task()) and task.cancelling():
                    raise
                return
            finally:
                self._in_line -= 1
            if worker is None or not worker.usable:
                worker = await self._renewed(worker)
            async with aclosing(worker.run(job, begins)) as parts:
                async for part in parts:
                    yield part
        finally:
            self._room += 1
            getting.cancel()
            if getting.done() and not getting.cancelled():
                self._free.put_nowait(worker or getting.result())
            if worker:
                worker.ends_idle(self._idle, self._may_end)

    def _may_end(self) -> bool:
        """Whether there are more processes than stay."""
        return sum(worker.usable for worker in self._all) > self._stay

    async def run_on(self, job: Job, begins: Callable[[Ender], None], turn: float) -> AsyncGenerator[BaseModel, None]:
        """As `run`, for a job that may never end by itself: it takes turns with all who wait.

        After `turn` seconds it leaves its worker to the next in line, if there is one, and begins again behind the
        last: it finds anew what it had found, so its parts are worse for a while. Ended in line, it ends at once.
        """
        loop = asyncio.get_running_loop()
        timer: asyncio.TimerHandle | None = None
        stopped = makes_room = told = answered = False

        def stop(end: Ender) -> None:
            nonlocal stopped
            stopped = True
            end()

        def make_room(end: Ender) -> None:
            nonlocal timer, makes_room
            if self._in_line and told:  # one that is not yet compiled would never come to tell anything
                makes_room = True
                end()
            else:
                timer = loop.call_later(turn / 10, make_room, end)

        def begun(end: Ender) -> None:
            nonlocal timer
            timer = loop.call_later(turn, make_room, end)
            begins(partial(stop, end))

        while True:
            makes_room = told = False
            try:
                async with aclosing(self.run(job, begun, lambda end: begins(partial(stop, end)))) as parts:
                    async for part in parts:
                        told = answered = True
                        yield part
            except Unanswered:  # in this turn; in an earlier one it had an answer
                if not (stopped and answered):
                    raise
            finally:
                if timer:
                    timer.cancel()
            if stopped or not makes_room:
                return

    async def _renewed(self, old: Worker | None) -> Worker:
        if old:
            self._all.discard(old)
            old.close()
        await asyncio.to_thread(_load_shared)
        worker = Worker(self._longest, self._gentle)
        self._all.add(worker)
        return worker

    @property
    def processes(self) -> list[int]:
        """The processes' numbers."""
        return [worker.process.pid for worker in self._all if worker.process.pid]

    def kill(self) -> None:
        """End all processes at once, whatever they do; who waits for them is told (`Unanswered`)."""
        for worker in self._all:
            worker.process.kill()

    def close(self) -> None:
        """End all processes."""
        for worker in self._all:
            worker.close()


def _cancel(task: "asyncio.Future[Any]") -> None:
    task.cancel()
