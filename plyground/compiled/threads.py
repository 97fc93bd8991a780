"""Threads for long work, so that the main thread can react to Ctrl-C."""

import threading
import time

STACK_BYTES = 256 << 20
"""Address space of such a thread's stack; only pages in use take memory. A line of play may have thousands of calls."""


def start(*threads: threading.Thread) -> None:
    """Start threads with a stack for deep recursion, which some systems give to the main thread alone."""
    before = threading.stack_size(STACK_BYTES)
    try:
        for thread in threads:
            thread.start()
    finally:
        threading.stack_size(before)


NOTICED = 0.004
"""Seconds within which an event that stops a search is noticed; an event has no callbacks."""


def pause(until: float | None, stop: threading.Event | None) -> float:
    """Seconds to wait before the clock and the event are looked at again.

    Args:
        until: when the time is over, as `time.perf_counter` counts; None: never.
        stop: the event that may be set before.
    """
    left = float("inf") if until is None else until - time.perf_counter()
    return min(max(left, 0.002), NOTICED if stop else 0.1)
