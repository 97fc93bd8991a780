"""Files written whole or not at all: a full disk, Ctrl-C or a kill leaves the old file."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from plyground.errors import BadInput

UNFINISHED = ".unfinished"
"""Ends the name of a file that is being written. Only a kill leaves one behind, which may be deleted."""


@contextmanager
def replacement(file: Path) -> Iterator[Path]:
    """Temporary name of a file, which is renamed at the end of the context; a failure leaves the old file.

    The name is new each time, since several processes may write the same file. A device or a pipe is written itself.

    Raises:
        OSError: the file cannot be written.
    """
    is_here = isinstance(file, Path)  # else it is in a store, which knows neither links nor modes
    if is_here and file.exists():
        if not file.is_file():
            yield file
            return
        # A link stays one: what it leads to is replaced.
        file = file.resolve()
    # In the same folder: a rename is atomic only within a file system.
    new = file.with_name(f"{file.name}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        yield new
        if is_here:
            with suppress(OSError):
                new.chmod(file.stat().st_mode & 0o7777)
            new.replace(file)
        else:
            new.rename(file)
    except BaseException:
        with suppress(Exception):  # libraries of stores have errors of their own
            new.unlink(missing_ok=True)
        raise


@contextmanager
def whole_file(file: Path, consequence: str = "") -> Iterator[Path]:
    """`replacement` for a file of a user.

    Args:
        file: the file.
        consequence: end of the sentence when it cannot be written.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        with replacement(file) as new:
            yield new
    except OSError as fault:
        raise BadInput(f"{file} cannot be written: {fault.strerror or fault}{consequence}.") from None


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; it is on disk when this returns.

    Args:
        file: the file.
        content: text, written in UTF-8 with its line ends as they are, or bytes.

    Raises:
        BadInput: the file cannot be written.
    """
    with whole_file(file) as new, new.open("wb") as out:
        out.write(content if isinstance(content, bytes) else content.encode())
        out.flush()
        if new != file:  # a device or a pipe has no disk
            # Before the rename: else a power cut may leave the new name with no content.
            os.fsync(out.fileno())


def append(file: FileIO, data: bytes, *, sync: bool = False) -> None:
    """Write to the end of a file, all or nothing.

    Args:
        file: opened unbuffered, so that nothing of what failed is written later.
        data: its new content.
        sync: wait until it is on disk.

    Raises:
        OSError: it cannot be written.
    """
    number = file.fileno()
    size = os.fstat(number).st_size
    try:
        while data:
            # A write may take a part alone, as when a disk becomes full.
            data = data[os.write(number, data) :]
        if sync:
            os.fsync(number)
    except OSError:
        with suppress(OSError):
            os.ftruncate(number, size)
        raise


def open_lines(file: Path, head: str) -> FileIO:
    """Open a file of lines to `append` to it. A new one begins with a line; a last line that was cut short is ended.

    Raises:
        OSError: it cannot be written. No new file is left then.
    """
    size = file.stat().st_size if file.exists() else 0
    out = file.open("ab", buffering=0)
    try:
        if not size:
            append(out, f"{head}\n".encode())
        elif not _last_line_is_whole(file):
            append(out, b"\n")
    except OSError:
        out.close()
        if not size:
            file.unlink(missing_ok=True)
        raise
    return out


def _last_line_is_whole(file: Path) -> bool:
    with file.open("rb") as there:
        there.seek(-1, os.SEEK_END)
        return there.read() == b"\n"
