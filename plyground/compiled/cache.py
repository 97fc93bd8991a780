"""What takes long to make and can be made again: files, each named by the fingerprints of all it was made from.

There is no other index: a file that is there is right, and one that is not is made. The least recently used ones leave.
"""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_cache_path

BYTES_AT_MOST = 1 << 28
"""A quarter of a gibibyte: the code of about a thousand games and options, each with the searches it was used with."""
SUFFIX = ".bin"


def folder() -> Path:
    """Where they are kept: `PLYGROUND_CACHE`, or the user's cache folder."""
    return Path(os.environ.get("PLYGROUND_CACHE") or user_cache_path("plyground"))


def read(name: str) -> bytes | None:
    """What is kept under a name, which is used by this; None if there is nothing."""
    file = folder() / f"{name}{SUFFIX}"
    try:
        data = file.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # of a folder that is not ours to write, nothing is deleted either
        os.utime(file)
    return data


def write(name: str, data: bytes) -> None:
    """Keep something under a name; no reader ever sees half of it.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    where = folder()
    where.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=where, suffix=".part", delete=False) as part:
        part.write(data)
    Path(part.name).replace(where / f"{name}{SUFFIX}")
    prune(where, BYTES_AT_MOST)


PATIENCE = 600.0
"""Seconds after which a file is made all the same, though another process seems to be making it."""


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Within it no other process is making the file of that name. The lock ends with its process, however that ends.

    It is SQLite's on an empty file: a lock that works alike on all systems. Without it, work is done twice, no more.
    """
    file = folder() / f"{name}.lock"
    lock = None
    try:
        with suppress(OSError, sqlite3.Error):
            file.parent.mkdir(parents=True, exist_ok=True)
            lock = sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)
            lock.execute("PRAGMA journal_mode = OFF")
            lock.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        if lock:
            lock.close()
        with suppress(OSError):  # on Windows, somebody waits for it
            file.unlink(missing_ok=True)


def prune(where: Path, most: int) -> None:
    """Delete the least recently used files beyond `most` bytes."""
    files = []
    for file in os.scandir(where):
        if file.name.endswith(SUFFIX):
            try:
                seen = file.stat()
            except OSError:  # another process has just deleted it
                continue
            files.append((seen.st_mtime, seen.st_size, file.path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= most:
            break
        Path(path).unlink(missing_ok=True)
        total -= size
