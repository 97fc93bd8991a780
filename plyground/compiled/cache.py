"""Cache on disk: files, each named by the fingerprints of everything it was made from.

There is no other index: a file that exists is valid, a missing one is made. The least recently used ones are deleted.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plyground.files.cache_folder import cache_folder
from plyground.files.whole_file import replacement

MOST_CACHE_BYTES = 1 << 28
"""A quarter of a gibibyte: the code of about a thousand games and options, each with the searches it was used with."""
CODE_SUFFIX = ".bin"


def read(name: str) -> bytes | None:
    """The bytes kept under a name, which counts as a use; None if there are none."""
    file = cache_folder() / f"{name}{CODE_SUFFIX}"
    try:
        data = file.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # of a folder that is not ours to write, nothing is deleted either
        os.utime(file)
    return data


def write(name: str, data: bytes) -> None:
    """Store data under a name in one step, so that no reader sees half of it.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    where = cache_folder()
    where.mkdir(parents=True, exist_ok=True)
    # Two processes may write the same name: each has a file of its own until it is whole, and as both made it of the
    # same parts, either may win.
    with replacement(where / f"{name}{CODE_SUFFIX}") as new:
        new.write_bytes(data)
    prune(where, MOST_CACHE_BYTES)


MOST_LOCKED_SECONDS = 600.0
"""Seconds to wait for another process that makes the same file."""


@contextmanager
def lock_entry(name: str) -> Iterator[None]:
    """Context in which no other process makes the file of that name. The lock ends with its process.

    SQLite locks an empty file, which works on all systems. Without the lock, the work is done twice.
    """
    file = cache_folder() / f"{name}.lock"
    lock = None
    try:
        with suppress(OSError, sqlite3.Error):
            file.parent.mkdir(parents=True, exist_ok=True)
            lock = sqlite3.connect(file, timeout=MOST_LOCKED_SECONDS, isolation_level=None)
            # No journal file, for nothing is written: the transaction is only its lock.
            lock.execute("PRAGMA journal_mode = OFF")
            lock.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        if lock:
            lock.close()
        with suppress(OSError):  # on Windows, another process may be waiting for it
            file.unlink(missing_ok=True)


def prune(where: Path, most: int) -> None:
    """Delete the least recently used files beyond `most` bytes."""
    files = []
    for file in os.scandir(where):
        if file.name.endswith(CODE_SUFFIX):
            try:
                seen = file.stat()
            except OSError:  # another process has just deleted it
                continue
            files.append((seen.st_mtime, seen.st_size, file.path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        # Files carry the time of their last reading (`os.utime` in `read`), so the order of times is that of use. A
        # file that another process has open stays readable to it on POSIX, and is made again by the next.
        if total <= most:
            break
        Path(path).unlink(missing_ok=True)
        total -= size
