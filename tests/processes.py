"""Processes that tests start: they end with their test, however it ends."""

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psutil
from waiting import LIMIT

from plyground.sandbox.sandbox import tree_of


def kill(processes: Iterable[psutil.Process]) -> None:
    """End processes at once; some may have ended already."""
    for process in processes:
        with suppress(psutil.Error):
            process.kill()


@contextmanager
def started(words: Sequence[str], **options: Any) -> Iterator["subprocess.Popen[str]"]:
    """A process whose text can be read and written. `with Popen(...)` would wait for it without a limit."""
    process = subprocess.Popen(words, encoding="utf-8", **options)
    try:
        yield process
    finally:
        kill(tree_of(process.pid))
        process.wait(LIMIT)
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            pipe.close()
