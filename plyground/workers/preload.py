"""Modules that all workers need, loaded once by the process from which they are forked.

So each worker uses a third of the memory. The process holds nothing else. Its objects are excluded from garbage
collection, in it and in the workers: a collection would copy their shared memory pages.
"""

import atexit
import gc
import os
import shutil
import signal
import time
from contextlib import suppress

from plyground.workers import SOCKET_FOLDER

SERVER_END_SECONDS = 1.0
"""Seconds to see whether a server that has closed its files ends: one that lives on has only closed its pool."""
_PARENT = os.getppid()


def _remove_folder() -> None:
    """Remove the folder of this process's socket if the server is gone: one that was killed has not done so itself."""
    server, _, folder = os.environ.get(SOCKET_FOLDER, "").partition(" ")
    if server != f"{_PARENT}":  # of another server, from which this one has its environment
        return
    until = time.monotonic() + SERVER_END_SECONDS
    # An orphan gets another parent at once, so a changed parent is the sure sign that the server has ended.
    while os.getppid() == _PARENT and time.monotonic() < until:
        time.sleep(0.02)
    if os.getppid() != _PARENT:
        shutil.rmtree(folder, ignore_errors=True)


def _end_without_parent(*_: object) -> None:
    if os.getppid() != _PARENT:
        _remove_folder()
        os._exit(1)


atexit.register(_remove_folder)  # it ends after its server and all workers, and these end without this
with suppress(AttributeError):  # on Windows, where nothing is forked
    # loading takes a moment, in which the process does not yet hear that the server has been killed
    signal.signal(signal.SIGALRM, _end_without_parent)
    signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)

from plyground.compiled import code  # noqa: E402
from plyground.workers import pool_worker  # noqa: E402

__all__ = ["code", "pool_worker"]

# Garbage must go first: what is frozen is never looked at again, so it would stay for ever in every worker.
gc.collect()
gc.freeze()

with suppress(AttributeError):
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
