"""Standard error of a program: its first lines and its last ones, whole, for sentences and pages.

A cause may stand first or last. Java and Node.js write it before the places of a trace, Python after them; a Prolog
whose stack overflows writes it first, and advice last.
"""

import os
import re
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from plyground.text import plain_lines

FIRST_BYTES, LAST_BYTES = 2_000, 4_000
"""Bytes that are kept: the first and the last."""
FIRST_LINES, LAST_LINES = 6, 6
"""Lines that a page shows."""
FIRST_QUOTED, LAST_QUOTED = 2, 1
"""Lines that a sentence quotes, of those that tell more than a place in a trace."""
MOST_QUOTED_CHARACTERS = 300
"""Characters of a line; of a longer one, the rest is left out, and marked."""
ELLIPSIS = "…"
UNINFORMATIVE_LINE = re.compile(
    r"\s|Traceback \(|Node\.js v|% halt|For (?:online|built-in) help|Please run \?- license|Welcome to SWI"
    r"|SWI-Prolog comes with|Warning:|ERROR: *(?:(?:In:|[^ ]*:\d+:)?$|\[[\d,]+\])"
)
"""Lines that are quoted only where there are no others: places in a trace, warnings, greetings."""


class ErrorOutput:
    """The standard error of a running program, read by a thread until it ends."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._first, self._last, self._is_cut = bytearray(), bytearray(), False
        self._reader = threading.Thread(target=self._listen, name="plyground stderr", daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        with self._pipe, suppress(OSError):
            # Read for as long as the program runs, also what is thrown away: a program whose pipe
            # is full stops in its next write, which would look like a slow move.
            while data := os.read(self._pipe.fileno(), 4_096):
                room = FIRST_BYTES - len(self._first)
                self._first += data[:room]
                self._last += data[room:]
                self._is_cut |= len(self._last) > LAST_BYTES
                del self._last[:-LAST_BYTES]

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, `seconds` at most."""
        self._reader.join(seconds)

    @property
    def lines(self) -> list[str]:
        """The lines that are not blank, without control characters; `…` stands for those that were not kept."""
        if not self._is_cut:
            return _error_lines(bytes(self._first + self._last))
        start, end = bytes(self._first), bytes(self._last)
        # The cut may lie inside a line, or inside a character of several bytes: both broken lines
        # go.
        first, last = start.rpartition(b"\n")[0], end.partition(b"\n")[2]
        return [*(_error_lines(first) or [_shorten(_decode_output(start) + ELLIPSIS)]), ELLIPSIS, *_error_lines(last)]

    @property
    def excerpt(self) -> str:
        """The first lines and the last ones, each on a line of its own."""
        return "\n".join(_first_and_last(self.lines, FIRST_LINES, LAST_LINES))

    @property
    def quotation(self) -> str:
        """Part of a sentence that quotes the first and the last lines that tell most; empty where there are none."""
        return quotation(self.lines)


def quotation(lines: Sequence[str]) -> str:
    """Part of a sentence that quotes the first and the last of the lines that tell most; empty where there are none."""
    telling = [line for line in lines if not UNINFORMATIVE_LINE.match(line) and line != ELLIPSIS]
    ends = [line.strip() for line in _first_and_last(telling or lines, FIRST_QUOTED, LAST_QUOTED)]
    if len(ends) < 2:
        return f"its last words: {ends[0]}" if ends else ""
    return f"its error output: {' / '.join(ends)}".replace(f" / {ELLIPSIS} / ", f" {ELLIPSIS} ")


def _first_and_last(lines: Sequence[str], first: int, last: int) -> list[str]:
    """The first and the last of some lines, with a mark for those between."""
    if len(lines) <= first + last:
        return [*lines]
    return [*lines[:first], ELLIPSIS, *lines[-last:]]


def _error_lines(data: bytes) -> list[str]:
    return [_shorten(line.rstrip()) for line in _decode_output(data).splitlines() if line.strip()]


def _decode_output(data: bytes) -> str:
    return plain_lines(data.decode("utf-8", "replace"))


def _shorten(line: str) -> str:
    return (
        line
        if len(line) <= MOST_QUOTED_CHARACTERS
        else f"{line[:MOST_QUOTED_CHARACTERS].removesuffix(ELLIPSIS)}{ELLIPSIS}"
    )
