"""What takes long to make and can be made again: files, each named by the fingerprints of all it was made from.

There is no other index: a file that is there is right, and one that is not is made. The least recently used ones leave.
"""

import os
import tempfile
from contextlib import suppress
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
