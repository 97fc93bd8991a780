"""Threads for long work, so that the main thread can react to Ctrl-C."""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue

from plyground.compiler.backends.stack import DeepThread

NOTICE_SECONDS = 0.002
"""Seconds within which an event that stops a search is noticed; an event has no callbacks."""


def seconds_to_wait(until: float | None, stop: threading.Event | None) -> float:
    """Seconds to wait before the clock and the event are looked at again.

    Args:
        until: when the time is over, as `time.perf_counter` counts; None: never.
        stop: the event that may be set before.
    """
    left = float("inf") if until is None else until - time.perf_counter()
    # Never shorter than 2 ms, so that the wait does not spin; a tenth of a second where no event can come, which is the
    # pace of `on_wait`.
    return min(max(left, 0.002), NOTICE_SECONDS if stop else 0.1)


# A thread with a large stack holds its memory; deepening comes back for it within milliseconds.
IDLE_THREAD_SECONDS = 5.0
"""Seconds after which a thread without work ends."""


class Completion:
    """An event that one thread waits for, and that Ctrl-C there cannot leave locked.

    `threading.Event` enters its lock by Python code. Where the interrupt comes between that and what it guards, the
    lock stays taken, and the thread that would set the event waits for ever; a simple queue's lock is C's.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._wakes: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """Wake the thread that waits."""
        self._is_set = True
        self._wakes.put(None)

    def is_set(self) -> bool:
        return self._is_set

    def wait(self, seconds: float | None = None) -> bool:
        """Wait, at most some seconds. Returns whether it is set."""
        if not self._is_set:
            with suppress(Empty):
                self._wakes.get(timeout=seconds)
        return self._is_set


class ReusedThread:
    """A thread that is kept for the next piece of work: starting one for each depth costs more than a small search."""

    def __init__(self) -> None:
        self._works: SimpleQueue[Callable[[], None]] = SimpleQueue()
        DeepThread(target=self._serve, name="plyground search", daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                work: Callable[[], None] | None = self._works.get(timeout=IDLE_THREAD_SECONDS)
            except Empty:
                with suppress(ValueError):  # else it has just been taken, and its work is about to come
                    _idle.remove(self)
                    return
                continue
            assert work is not None
            work()
            work = None  # what it holds must not wait for the next one

    def run(self, work: Callable[[], None]) -> Completion:
        """Start work; it is complete when it has ended and the thread is free again."""
        ended = Completion()

        def body() -> None:
            try:
                work()
            finally:
                # Before `ended` is set: whoever waited may start the next work at once, and finds this thread free.
                _idle.append(self)
                ended.set()

        self._works.put(body)
        return ended


_idle: list[ReusedThread] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # the child has none of these threads


def run(work: Callable[[], None]) -> Completion:
    """Start work that raises nothing in a thread with room for deep recursion."""
    try:
        # `pop` and `append` of a list are atomic in CPython, so no lock is needed. The last one that became idle is
        # taken first, so that the others can end.
        kept = _idle.pop()
    except IndexError:
        kept = ReusedThread()
    return kept.run(work)
