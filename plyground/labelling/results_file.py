"""File of results, one JSON line each, so that the same command continues after Ctrl-C or a power cut."""

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from plyground.errors import BadInput
from plyground.files import WORK_MOST, text_of_file
from plyground.files.whole_file import append, open_lines

SYNC_SECONDS = 0.5
"""Most seconds of results that a power cut may lose."""


class ResultsFile:
    """Results by key, stored as they come. The first line holds the command that they belong to."""

    def __init__(self, file: Path, command: dict[str, Any]) -> None:
        """Read the file if it exists, and continue it.

        Raises:
            BadInput: the file belongs to another command, or cannot be read or written.
        """
        self.file = file
        self.rows: dict[str, Any] = {}
        try:
            lines = text_of_file(file, WORK_MOST).splitlines(keepends=True) if os.path.lexists(file) else []
            # Other rules or options have other values: results of one command are never taken for those of another.
            if lines and self._read(lines[0]) != command:
                raise BadInput(f"{file} keeps other work: delete it, or name another file.")
            for line in lines[1:]:
                match self._read(line):
                    # Any other line was being written when the power was cut: its position is solved again.
                    case [str(key), row]:
                        self.rows[key] = row
            file.parent.mkdir(parents=True, exist_ok=True)
            self._out = open_lines(file, json.dumps(command))
        except OSError as fault:
            raise BadInput(f"{file} cannot be used: {fault.strerror}.") from None
        self._synced_at = time.monotonic()

    def _read(self, line: str) -> Any:
        with suppress(ValueError, RecursionError):
            return json.loads(line)
        return None

    def add(self, key: str, row: Any) -> None:
        """Add a result.

        Raises:
            BadInput: it cannot be written.
        """
        # An fsync for each result would cost more than a small position; a power cut costs half a second of results.
        is_due = time.monotonic() - self._synced_at > SYNC_SECONDS
        try:
            append(self._out, f"{json.dumps([key, row], ensure_ascii=False)}\n".encode(), sync=is_due)
        except OSError as fault:
            raise BadInput(f"{self.file} cannot be written: {fault.strerror}.") from None
        self.rows[key] = row
        if is_due:
            self._synced_at = time.monotonic()

    def close(self, *, done: bool = False) -> None:
        """Close the file; delete it if all is done."""
        with suppress(OSError):
            os.fsync(self._out.fileno())
        self._out.close()
        if done:
            self.file.unlink(missing_ok=True)
