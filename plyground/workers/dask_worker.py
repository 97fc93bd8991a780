"""Worker process of this machine: runs the tasks of a Dask scheduler, and ends with its host process.

It is run as `python -m plyground.workers.dask_worker ADDRESS FOLDER`. The first line of its standard input has the
cluster's certificates, which other users could read in its command or environment; the lines after it say how long the
worker is wanted. The end of the input ends the worker and all programs that it has started: so does a power key, or
kill -9 of its host process.
"""

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path

import psutil

from plyground.programs.supervised import end_all


def main() -> None:
    """Work until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    certificates = sys.stdin.buffer.readline()
    threading.Thread(target=_end_with_host, daemon=True).start()
    address, folder = sys.argv[1:]
    if certificates:  # else the host has gone
        asyncio.run(_work(address, folder, certificates))
    _end()


async def _work(address: str, folder: str, certificates: bytes) -> None:
    # here, because it takes a second, in which the host may already be gone
    from plyground.workers.local_cluster import local_worker, read

    worker = local_worker(address, folder, read(certificates))
    async with worker:
        (Path(folder) / str(os.getpid())).touch()  # it has begun
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno()
        )  # from now on only programs it plays with write there
        await worker.finished()


def _end_with_host() -> None:
    sys.stdin.buffer.read()
    _end()


def _end() -> None:
    """End the process at once: neither a search of hours nor a program that it plays with may delay it."""
    end_all()  # first, since a killed supervisor could end nothing
    for child in psutil.Process().children(recursive=True):
        try:
            child.kill()
        except psutil.Error:
            continue
    os._exit(0)


if __name__ == "__main__":
    main()
