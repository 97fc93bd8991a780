"""Threads for long work, so that the main thread can react to Ctrl-C."""

import threading

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
