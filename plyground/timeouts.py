"""Time limits for user code: stop a call after N CPU seconds, at the line where it is."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

Made = TypeVar("Made")
THREADS_ARE_THERE = sys.platform != "emscripten"
"""Whether threads can be started: not in a browser."""


class TimeExceeded(BaseException):
    """Raised in a call that exceeds its time limit; no `Exception`, so that the call does not catch it."""


def raise_in(thread: int, fault: type[BaseException]) -> None:
    """Raise an exception in a thread, by its `ident`, as soon as it is in Python again.

    No thread may be under way at that moment: until it runs, Python 3.11 has it under the `ident` of the thread that
    starts it. The exception would come before its first line, and the other would wait for its start forever.
    """
    while any(each.ident is None for each in threading.enumerate()):
        time.sleep(0.0002)
    # The only way into a thread that runs Python code; it takes effect at the next bytecode, so a call into C ends
    # first.
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(fault))


class TimeLimit:
    """Context in which each call is stopped after `seconds` of the process's CPU time, at any load of the machine.

    A watching thread raises the exception, so that a call costs next to nothing. Where no thread can be started, the
    clock is looked at where a loop begins anew (`_LoopWatch`). Code that never returns to Python, such as an endless
    call of a library, cannot be stopped.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        # Guards `_calls`, `_running` and `_stopped`: without it the watching thread might raise in a call that has just
        # ended, or in the next one.
        self._lock = threading.Lock()
        self._calls = 0
        """Number of calls so far."""
        self._running = False
        self._stopped = False
        """Whether the exception was raised in the running call."""
        self._begun = 0.0
        """CPU time at which the running call began, where no thread watches it."""
        self._exited = threading.Event()
        self._thread = threading.get_ident()

    def __enter__(self) -> "TimeLimit":
        self._thread = threading.get_ident()
        if THREADS_ARE_THERE:
            threading.Thread(target=self._watch_calls, name="plyground time limit", daemon=True).start()
        else:
            _loop_watch.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._exited.set()
        if not THREADS_ARE_THERE:
            _loop_watch.leave(self)

    def __call__(self, work: Callable[..., Made], *args: Any) -> Made:
        """Call `work(*args)`. Returns its result.

        Raises:
            TimeExceeded: the call took longer than `seconds`; the traceback shows the line where it was stopped.
        """
        with self._lock:
            self._calls += 1
            self._running, self._stopped = True, False
            self._begun = 0.0 if THREADS_ARE_THERE else time.process_time()
        try:
            made = work(*args)
        except TimeExceeded:
            self._running = False
            raise
        except BaseException:
            self._end_call()
            raise
        self._end_call()
        return made

    def _end_call(self) -> None:
        """End a call that finished by itself: wait here for an exception that may already be on its way."""
        with self._lock:
            self._running = False
        # In short pauses, for the exception comes between bytecodes of this thread: one long call of `sleep` would have
        # to end first.
        for _ in range(100 if self._stopped else 0):
            time.sleep(0.01)

    def _watch_calls(self) -> None:
        seen, since = 0, 0.0
        # CPU time raises no event, so it is looked at: a call is stopped up to two of these waits too late.
        while not self._exited.wait(min(self.seconds / 4, 0.1)):
            with self._lock:
                if not self._running:
                    continue
                if self._calls != seen:
                    seen, since = self._calls, time.process_time()
                elif time.process_time() - since > self.seconds:
                    self._stopped, since = True, time.process_time()
                    raise_in(self._thread, TimeExceeded)

    @property
    def is_over(self) -> bool:
        """Whether the running call has had its time, where no thread watches it."""
        return self._running and time.process_time() - self._begun > self.seconds


class _LoopWatch:
    """Stops calls where there are no threads: Python reports each jump to the beginning of a loop, and then the clock
    is looked at. Endless recursion ends by itself."""

    TOOL_ID = 3
    """A number that no debugger, profiler or measure of coverage has."""
    JUMPS_PER_CHECK = 64
    """Jumps after which the clock is looked at."""

    def __init__(self) -> None:
        self._limits: list[TimeLimit] = []
        self._jumps = 0

    def enter(self, limit: TimeLimit) -> None:
        """Watch the calls of a time limit."""
        self._limits.append(limit)
        if len(self._limits) == 1:
            _monitoring.use_tool_id(self.TOOL_ID, "plyground time limit")
            _monitoring.register_callback(self.TOOL_ID, _monitoring.events.JUMP, self._on_jump)
            # Jumps alone: each turn of a loop ends in one, and straight code is not slowed down.
            _monitoring.set_events(self.TOOL_ID, _monitoring.events.JUMP)

    def leave(self, limit: TimeLimit) -> None:
        """Stop watching the calls of a time limit."""
        self._limits.remove(limit)
        if not self._limits:
            _monitoring.free_tool_id(self.TOOL_ID)

    def _on_jump(self, code: CodeType, place: int, target: int) -> object:
        if target > place:
            return _monitoring.DISABLE  # no loop: it need not be reported again
        self._jumps += 1
        if self._jumps % self.JUMPS_PER_CHECK == 0 and any(limit.is_over for limit in self._limits):
            raise TimeExceeded
        return None


_monitoring: Any = getattr(sys, "monitoring", None)
"""`sys.monitoring`, which Python has from 3.12 on."""
_loop_watch = _LoopWatch()
