"""A worker process of this machine: it runs the tasks of the scheduler at an address, and ends with its host process.

It is run as `python -m plyground.arena.worker ADDRESS FOLDER`. The first line of its standard input has the cluster's
certificates, which other users could read in its command or environment. Then that says how long it is wanted: whatever
ends the process at the other end, a power key or kill -9, ends this one and all programs that it has started.
"""

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path

import psutil

from plyground.wire.supervised import end_all


def main() -> None:
    """Work until nobody is at the other end of standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    certificates = sys.stdin.buffer.readline()
    threading.Thread(target=_end_with_host, daemon=True).start()
    address, folder = sys.argv[1:]
    if certificates:  # else the host has gone
        asyncio.run(_work(address, folder, certificates))
    _end()


async def _work(address: str, folder: str, certificates: bytes) -> None:
    # here, because it takes a second, in which the host may already be gone
    from plyground.arena.local import local_worker, read

    worker = local_worker(address, folder, read(certificates))
    async with worker:
        (Path(folder) / str(os.getpid())).touch()  # it has begun
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # from now on only what it plays with speaks
        await worker.finished()


def _end_with_host() -> None:
    sys.stdin.buffer.read()
    _end()


def _end() -> None:
    """At once: a search of hours must not keep the process, nor a program that it plays with."""
    end_all()  # first, for a supervisor that is killed could end nothing any more
    for child in psutil.Process().children(recursive=True):
        try:
            child.kill()
        except psutil.Error:
            continue
    os._exit(0)


if __name__ == "__main__":
    main()
