"""What somebody else wrote, and may never come to an end, is stopped after a while, at the line where it is."""

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

Made = TypeVar("Made")


class Endless(BaseException):
    """Raised in work that took longer than one has patience for; no Exception, so that the work does not catch it."""


class Patience:
    """Within it, work is stopped that takes more than some seconds of the processor: a busy machine takes none of them.

    A thread of its own looks on, so that asking costs next to nothing. What never returns to Python, one endless call
    of a library, cannot be stopped so.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._piece = 0
        """How many pieces of work were begun."""
        self._running = False
        self._stopped = False
        """Whether the running piece was told to stop."""
        self._left = threading.Event()
        self._thread = threading.get_ident()

    def __enter__(self) -> "Patience":
        self._thread = threading.get_ident()
        threading.Thread(target=self._look_on, name="plyground patience", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()

    def __call__(self, work: Callable[..., Made], *args: Any) -> Made:
        """What the work gives.

        Raises:
            Endless: where the work was when it was stopped.
        """
        with self._lock:
            self._piece += 1
            self._running, self._stopped = True, False
        try:
            made = work(*args)
        except Endless:
            self._running = False
            raise
        except BaseException:
            self._settle()
            raise
        self._settle()
        return made

    def _settle(self) -> None:
        """The work has ended by itself; the exception that may be under way arrives here, and not later."""
        with self._lock:
            self._running = False
        for _ in range(100 if self._stopped else 0):
            time.sleep(0.01)

    def _look_on(self) -> None:
        seen, since = 0, 0.0
        while not self._left.wait(min(self.seconds / 4, 0.1)):
            with self._lock:
                if not self._running:
                    continue
                if self._piece != seen:
                    seen, since = self._piece, time.process_time()
                elif time.process_time() - since > self.seconds:
                    self._stopped, since = True, time.process_time()
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Endless))
