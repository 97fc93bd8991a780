"""The time that a program takes itself: a busy machine takes nothing from it.

Its CPU seconds count, with those of all its processes; and the seconds in which none of them is ready to run, since a
program that waits for something that never comes shall not wait for ever. Seconds in which it could run and the
system ran others do not count.
"""

import os
import sys
import time
from contextlib import suppress

import psutil

from plyground.sandbox.sandbox import Sandbox

CLOCK_SLICE = 0.1
"""Seconds between two looks at a program that has not answered."""
IDLE_SHARE = 10
"""Seconds without CPU time that count as one, where readiness to run is unknown."""


class ProgramClock:
    """Seconds of a program's own, counted from when this is made."""

    def __init__(self, program: Sandbox) -> None:
        self._program = program
        # CPU time of the start is taken off: what is counted begins with the question.
        self._at, self._cpu = time.monotonic(), cpu_seconds(program.tree())
        self._total = 0.0

    def total(self) -> float:
        """The program's own seconds until now."""
        tree = self._program.tree()
        at, cpu = time.monotonic(), cpu_seconds(tree)
        # The sum may fall: a child that ends without being waited for takes its seconds away.
        passed, used = at - self._at, max(cpu - self._cpu, 0.0)
        if tree and not used and passed < CLOCK_SLICE / 2:
            return self._total  # too short an interval to sample the state of the program; the next call includes it
        self._at, self._cpu = at, cpu
        if used or not tree:
            self._total += used or passed
        # Windows does not say whether a thread could run, so part of the time without CPU counts: a
        # busy machine costs a program little, and one that waits for ever ends all the same.
        elif sys.platform == "win32":
            self._total += passed / IDLE_SHARE
        elif not could_run(tree):
            self._total += passed
        return self._total


def cpu_seconds(tree: list[psutil.Process]) -> float:
    """CPU seconds of some processes, with those of their children that have ended."""
    found = 0.0
    for process in tree:
        with suppress(psutil.Error):
            times = process.cpu_times()
            found += times.user + times.system
            # Windows has no such fields for children.
            found += getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
    return found


def could_run(tree: list[psutil.Process]) -> bool:
    """Whether one of some processes runs, could run, or waits for a disk; False on Windows, which does not tell it."""
    return sys.platform != "win32" and any(map(_is_runnable, tree))


def _is_runnable(process: psutil.Process) -> bool:
    """Whether a process runs, could run, or waits for a disk."""
    if sys.platform == "linux":  # where psutil tells the first thread's alone
        with suppress(OSError, IndexError):
            for thread in os.listdir(f"/proc/{process.pid}/task"):  # noqa: PTH208
                with open(f"/proc/{process.pid}/task/{thread}/stat", "rb") as file:  # noqa: PTH123
                    # The state stands behind the name in parentheses, which may hold any characters
                    # (proc_pid_stat(5)). R: runs or could run; D: waits for a disk.
                    if file.read().rpartition(b")")[2].split()[0] in (b"R", b"D"):
                        return True
        return False
    try:
        return process.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP, psutil.STATUS_WAKING)
    except psutil.Error:
        return False
