"""Reading of untrusted files: regular files only, up to a size, with one sentence for each failure.

A folder, a pipe and a device are refused, for the latter two may never end; so is a file that is larger than any of its
kind, before it is read.
"""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

from plyground.errors import BadInput

FILE_MOST = 64 << 20
"""Most bytes of a file that a person or another program writes."""
WORK_MOST = 1 << 30
"""Most bytes of a file that plyground keeps its work in."""
OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
"""A pipe without a writer is opened at once, to be refused."""


def open_file(file: Path, most: int = FILE_MOST) -> BufferedReader:
    """Open a file for reading.

    Args:
        file: the file.
        most: most bytes that it may have.

    Raises:
        BadInput: it cannot be read, is none, or is larger.
    """
    try:
        number = os.open(file, OPEN_FLAGS)
    except (OSError, ValueError) as fault:  # the latter for a name that no file can have
        raise BadInput(f"{file} cannot be read: {getattr(fault, 'strerror', None) or fault}.") from None
    # The open file is asked, not its path, behind which another program may have put another file in between.
    about = os.fstat(number)
    if stat.S_ISREG(about.st_mode) and about.st_size <= most:
        return os.fdopen(number, "rb")
    os.close(number)
    if stat.S_ISREG(about.st_mode):
        raise BadInput(f"{file} is larger than {most >> 20:,} MiB, the most that is read of such a file.")
    raise BadInput(f"{file} cannot be read: it is {'a folder' if stat.S_ISDIR(about.st_mode) else 'no file'}.")


def require_file(file: Path) -> None:
    """Check that another library may open a file.

    Raises:
        BadInput: it cannot be read, or is none.
    """
    open_file(file, 1 << 62).close()


@contextmanager
def in_file(file: Path) -> Iterator[None]:
    """Context for parsing the content of a file: a `BadInput` raised within gets the file's name.

    Raises:
        BadInput: one was raised within; it is left as it is where it has the name already.
    """
    try:
        yield
    except BadInput as fault:
        if str(file) in str(fault):
            raise
        raise BadInput(f"{file}: {fault}") from None


def bytes_of_file(file: Path, most: int = FILE_MOST) -> bytes:
    """The content of a file.

    Raises:
        BadInput: it cannot be read, is none, or is larger than `most` bytes.
    """
    with open_file(file, most) as source:
        try:
            content = source.read(most + 1)
        except OSError as fault:
            raise BadInput(f"{file} cannot be read: {fault.strerror}.") from None
    return content[:most]  # it may grow


def text_of_file(file: Path, most: int = FILE_MOST, *, errors: str = "strict") -> str:
    """The text of a file in UTF-8, with or without the mark of it that Windows writes; lines end in newlines.

    Raises:
        BadInput: it cannot be read, is none, is larger than `most` bytes, or is no such text.
    """
    try:
        text = bytes_of_file(file, most).decode("utf-8-sig", errors)
    except UnicodeDecodeError:
        raise BadInput(f"{file} is no text in UTF-8.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_json_object(text: str | bytes) -> dict[str, Any]:
    """Parse a JSON object.

    Raises:
        ValueError: it is none, or one of too many brackets inside each other, or it has a number beyond every float.
    """
    try:
        # `NaN` and `Infinity` are no JSON, though Python reads them: no other language would read what is stored of
        # them.
        found = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it has too many brackets inside each other") from None
    if not isinstance(found, dict):
        raise ValueError("it is no object of JSON")
    return found


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")
