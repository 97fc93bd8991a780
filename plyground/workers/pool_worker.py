"""Main function of a pool's worker process: runs one job after another; a stop acts like Ctrl-C."""

import _thread
import ctypes
import gc
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import psutil
from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.play.player import Unable
from plyground.sandbox.sandbox import NICENESS, hide_memory

STOP, END, PART, REFUSED = "stop", "end", "part", "refused"
UNABLE, UNANSWERED, FAILED = "unable", "unanswered", "failed"
"""Messages of the pipe: the server sends stops; the worker sends parts of an answer, and the kind of the job's end."""
SHORT_JOB_SECONDS = 0.5
"""Seconds: a longer job's memory is freed at once, that of shorter ones when the worker has been idle for as long."""
FULL_COLLECTION_THRESHOLD = 200
"""Threshold of automatic full collections (`gc.set_threshold`), at Python's others after 1.4 million new objects: one
takes a tenth of a second, with games and their compiled code loaded, which no reply should wait for."""


class Job(NamedTuple):
    """A job for a worker."""

    run: Callable[[Any], Iterator[BaseModel]]
    """Function at a module's top level: it is pickled by its name."""
    args: BaseModel
    endless: bool = False
    """Whether the job runs until its answer is certain, or its client leaves."""
    final: Callable[[Any, Any], BaseModel | None] | None = None
    """Makes the last answer of a stopped job from its arguments and its last part, if that part is not one."""


def serve(pipe: Connection, longest: float, gentle: bool, environment: Mapping[str, str]) -> None:
    """Run one job after another until the pipe closes, each for `longest` seconds at most.

    The main thread searches; another thread reads the pipe, and stops a search by an interrupt, as Ctrl-C does.
    `environment` is the server's of this moment: the process from which this one was forked has an older one.
    """
    hide_memory()
    if sys.platform != "win32":
        os.setpgid(0, 0)  # Ctrl-C at the terminal is for the server, whose end ends this process by its pipe
    os.environ.clear()
    os.environ.update(environment)
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_THRESHOLD)
    if gentle:
        lower_priority()
    jobs: queue.Queue[tuple[int, Job] | None] = queue.Queue()
    lock = threading.Lock()
    """Held while a message is written, and while a job is stopped: an interrupt would cut a long message in two."""
    running = stopped = late = 0

    def send(*message: object) -> None:
        with lock:
            pipe.send(message)

    def set_running(number: int) -> None:
        """Set the job that a stop may interrupt from now on; 0 for none."""
        nonlocal running
        with lock:
            running = number
        # The stop came while the job was still in the queue of this process.
        if number and number <= stopped:
            raise KeyboardInterrupt

    def stop(number: int) -> None:
        """End a job now, or as soon as it begins."""
        nonlocal running, stopped
        with lock:
            # Numbers only grow, so one int says which jobs are stopped: all up to this one.
            stopped = max(stopped, number)
            if running and number == running:
                running = 0
                _thread.interrupt_main()

    def stop_late(number: int) -> None:
        nonlocal late
        late = number
        stop(number)

    def listen() -> None:
        with suppress(EOFError, OSError):
            while asked := pipe.recv():
                number, what = asked
                if what == STOP:
                    stop(number)
                else:
                    jobs.put(asked)
        # The pipe is closed, so the server has gone, by kill too: the running search is for no one.
        jobs.put(None)
        stop(running)

    threading.Thread(target=listen, daemon=True).start()
    with suppress(OSError):  # the server has gone
        while asked := _next_job(jobs):
            number, job = asked
            began = time.monotonic()
            ended: tuple[str, Any] = END, None
            with (
                suppress(KeyboardInterrupt),
                _limit_time(inf if job.endless else longest, partial(stop_late, number)),
            ):
                ended = _do_job(job, partial(set_running, number), partial(send, number))
                set_running(0)  # a stop that comes when the job has just ended is suppressed
            # Stopped by the time limit and not by a visitor: the request is refused, for it was too large.
            if ended[0] == UNANSWERED and late == number:
                ended = REFUSED, f"This takes longer than {longest:g} seconds: ask for less, such as a smaller depth."
            send(number, *ended)
            if time.monotonic() - began > SHORT_JOB_SECONDS:
                _free_memory()


def _next_job(jobs: "queue.Queue[tuple[int, Job] | None]") -> tuple[int, Job] | None:
    """Returns the next job; frees memory if none comes for a while."""
    try:
        return jobs.get(timeout=SHORT_JOB_SECONDS)
    except queue.Empty:
        _free_memory()
        return jobs.get()


def _free_memory() -> None:
    """Free the memory of earlier jobs. Takes up to a tenth of a second, with many games loaded.

    A stopped search leaves its transposition table in reference cycles; and the C library of Linux keeps freed memory.
    What was loaded before this process was forked is left alone (`preload`): a collection would copy it.
    """
    gc.collect()
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library knows no such call
            ctypes.CDLL(None).malloc_trim(0)


def lower_priority() -> None:
    """Lower this process's priority, so that long jobs slow no game down."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(NICENESS)


@contextmanager
def _limit_time(longest: float, stop: Callable[[], None]) -> Iterator[None]:
    """Context that calls `stop` after `longest` seconds."""
    alarm = threading.Timer(longest, stop)
    alarm.daemon = True
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()


def _do_job(job: Job, begin: Callable[[], None], tell: Callable[[str, BaseModel], None]) -> tuple[str, Any]:
    """Run a job, and send the parts of its answer. Returns the kind of its end, and a sentence or None."""
    last: Any = None
    try:
        begin()
        for part in job.run(job.args):
            last = part
            tell(PART, part)
    except KeyboardInterrupt:
        if job.final and (final := job.final(job.args, last)):
            tell(PART, final)
        elif last is None:
            return UNANSWERED, "Stopped before there was an answer; ask again."
    # The pipe to a server that has gone. A job's own OSError looks the same and ends this process too; the server then
    # starts another one.
    except OSError:
        raise
    except Unable as fault:
        return UNABLE, str(fault)
    except BadInput as fault:
        return REFUSED, str(fault)
    except BaseException as fault:
        return FAILED, f"{type(fault).__name__}: {fault}"
    return END, None
