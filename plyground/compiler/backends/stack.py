"""Stacks: threads with room for deep recursion, and how much of a thread's stack compiled code may use."""

import sys
import threading
from typing import Final

DEEP_BYTES: Final = 256 << 20
"""Address space of the stack of a deep thread; only pages in use take memory. A line of play may have thousands of
calls."""
USUAL_BYTES: Final = 5 << 20 if sys.platform == "linux" else 1 << 18
"""Bytes of any other thread's stack that compiled code may use: most have 8 MiB on Linux, 512 KiB on macOS."""


class DeepThread(threading.Thread):
    """A thread with a stack for deep recursion, which some systems give to the main thread alone."""

    def start(self) -> None:
        # A setting of the process for all threads that begin, so it is put back at once; a thread takes its size at
        # `start`.
        before = threading.stack_size(DEEP_BYTES)
        try:
            super().start()
        finally:
            threading.stack_size(before)


def stack_bytes() -> int:
    """Bytes of this thread's stack that a call of compiled code may use."""
    return DEEP_BYTES // 4 * 3 if isinstance(threading.current_thread(), DeepThread) else USUAL_BYTES
