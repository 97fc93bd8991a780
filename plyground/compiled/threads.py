"""Threads for long work, so that the main thread goes on hearing Ctrl-C."""

import threading

STACK_BYTES = 256 << 20
"""Address space for such a thread's calls; only what is used is taken. A line of play may have thousands."""


def start(*threads: threading.Thread) -> None:
    """Start threads with room for deep recursion, which some systems give to the main thread alone."""
    before = threading.stack_size(STACK_BYTES)
    try:
        for thread in threads:
            thread.start()
    finally:
        threading.stack_size(before)
