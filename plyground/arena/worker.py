"""A worker process of this machine: it does what the scheduler at an address gives it, and ends with whoever began it.

It is run as `python -m plyground.arena.worker ADDRESS FOLDER`. Its standard input says how long it is wanted: whatever
ends the process at the other end, a power key or kill -9, ends this one and all programs that it has started.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import psutil


def main() -> None:
    """Work until nobody is at the other end of standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_host, daemon=True).start()
    address, folder = sys.argv[1:]
    asyncio.run(_work(address, folder))
    _end()


async def _work(address: str, folder: str) -> None:
    from distributed import Worker  # here, because it takes a second, in which the host may already be gone

    quiet: dict[str, Any] = {"silence_logs": logging.CRITICAL, "dashboard": False, "dashboard_address": "127.0.0.1:0"}
    worker = Worker(address, nthreads=1, memory_limit=0, local_directory=folder, **quiet)
    async with worker:
        (Path(folder) / str(os.getpid())).touch()  # it has begun
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # from now on only what it plays with speaks
        await worker.finished()


def _end_with_host() -> None:
    sys.stdin.buffer.read()
    _end()


def _end() -> None:
    """At once: a search of hours must not keep the process, nor a program that it plays with."""
    for child in psutil.Process().children(recursive=True):
        try:
            child.kill()
        except psutil.Error:
            continue
    os._exit(0)


if __name__ == "__main__":
    main()
