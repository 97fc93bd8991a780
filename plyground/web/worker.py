"""What a worker's process does: one job after another, each stopped as Ctrl-C stops a search."""

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

from plyground.compiled.kernel import StillCompiling, seconds_compiling
from plyground.errors import BadInput
from plyground.play.referee import Unable
from plyground.web import positions
from plyground.wire.supervised import NICENESS

STOP, END, PART, REFUSED = "stop", "end", "part", "refused"
UNABLE, UNANSWERED, FAILED = "unable", "unanswered", "failed"
"""What goes through the pipe: a stop one way, and the other way parts of an answer, and how it ended."""


class Job(NamedTuple):
    """What a worker is to do."""

    run: Callable[[Any], Iterator[BaseModel]]
    """Of a module's top level: the other process is told where to find it."""
    args: BaseModel
    endless: bool = False
    """Whether it goes on until it is certain, or until whoever looks at it leaves."""


def serve(pipe: Connection, longest: float, gentle: bool, environment: Mapping[str, str]) -> None:
    """Do one job after another until the pipe closes, each for `longest` seconds at most.

    The main thread thinks; another one listens, and stops a search as Ctrl-C does, which every search heeds. The
    environment is that of whoever begins it: what it is forked from has the one of another time.
    """
    os.environ.update(environment)
    if gentle:
        be_gentle()
    jobs: queue.Queue[tuple[int, Job] | None] = queue.Queue()
    lock = threading.Lock()
    running = stopped = late = 0

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
        jobs.put(None)
        stop(running)

    threading.Thread(target=listen, daemon=True).start()
    with suppress(OSError):  # the server has gone
        while asked := jobs.get():
            number, job = asked
            ended: tuple[str, Any] = END, None
            with (
                suppress(KeyboardInterrupt),
                _limited(inf if job.endless else longest, partial(stop_late, number)),
            ):
                ended = _done(job, partial(runs, number), lambda *said, number=number: pipe.send((number, *said)))
                runs(0)  # a stop that comes when the job has just ended is suppressed
            if ended[0] == UNANSWERED and late == number:
                ended = REFUSED, f"This takes longer than {longest:g} seconds: ask for less, such as a smaller depth."
            pipe.send((number, *ended))
            _give_back()


def _give_back() -> None:
    """Let go of what the last job has left, for the next one may be hours away.

    A search that was stopped leaves its table in cycles; and the C library of Linux keeps what was freed.
    """
    gc.collect()
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library knows no such call
            ctypes.CDLL(None).malloc_trim(0)


def be_gentle() -> None:
    """Let this process leave the processor to others: what takes long shall slow no game down."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(NICENESS)


@contextmanager
def _limited(longest: float, stop: Callable[[], None]) -> Iterator[None]:
    """Stop what is done within it after `longest` seconds, without those in which it waits for compiled code."""
    ended, begun, before = threading.Event(), time.monotonic(), seconds_compiling()

    def watch() -> None:
        while (left := begun + longest + seconds_compiling() - before - time.monotonic()) > 0:
            if ended.wait(min(max(left, 0.05), 60)):
                return
        stop()

    threading.Thread(target=watch, name="plyground alarm", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _done(job: Job, begin: Callable[[], None], tell: Callable[[str, BaseModel], None]) -> tuple[str, Any]:
    """Tell the parts of the answer; how the job ended."""
    last: Any = None
    try:
        begin()
        for part in job.run(job.args):
            last = part
            tell(PART, part)
    except KeyboardInterrupt as stop:
        if last is None and isinstance(stop, StillCompiling):
            return UNANSWERED, "Stopped while this search was being compiled, which goes on: ask again in a moment."
        if final := positions.best_so_far(job.args, last):
            tell(PART, final)
        elif last is None:
            return UNANSWERED, "Stopped before there was an answer; ask again."
    except OSError:
        raise
    except Unable as fault:
        return UNABLE, str(fault)
    except BadInput as fault:
        return REFUSED, str(fault)
    except BaseException as fault:
        return FAILED, f"{type(fault).__name__}: {fault}"
    return END, None
