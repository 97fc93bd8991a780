"""Programs under supervision: started, held to limits, and ended with everything they started.

On Linux and macOS a supervisor starts the program (`supervisor.py`); on Windows it is in a job object
(`windows_job.py`).
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

if sys.platform == "win32":
    from plyground.programs.windows_job import WindowsSupervisor as Supervisor

PROGRAM_MEMORY = 2048
"""Mebibytes that each process of a program may have for its data."""
NICENESS = 5
"""Niceness of long work: how far its priority on the processor is lowered, on systems that have it."""
PROCESSES = 64
"""Processes that a program may have at a time."""
WATCH_PAUSE = 1.0
"""Seconds between two checks of a program's memory and processes."""
STARTING = 60.0
"""Seconds within which a supervisor starts its program, on the busiest machine."""
END_SECONDS = 5.0
"""Seconds to wait for a supervisor to end everything; it goes on after that."""
OWN_GROUP: dict[str, Any] = {"start_new_session": True}
"""Options to start a process that Ctrl-C at the terminal does not reach."""
if sys.platform == "win32":
    OWN_GROUP = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}

_SUPERVISE = "import sys; sys.path.append(sys.argv.pop(1)); import supervisor; supervisor.main()"
"""Code of a supervisor process: imported, so that it is compiled once; last on the path, where it hides no other."""

if sys.platform != "win32":

    class Supervisor:
        """Control of a program and its descendants: they end with `end`, or with this process, however that ends.

        `command` and `options` start a process that starts the program, and `attach` must be called with its ID.
        """

        def __init__(
            self, command: Sequence[str], *, memory: int = 0, ends_all: bool = False, gentle: bool = False
        ) -> None:
            """Prepare a start.

            Args:
                command: the program and its arguments.
                memory: bytes that each of its processes may have for its data; 0: no limit.
                ends_all: whether everything it started ends when it does.
                gentle: whether it runs at low priority.
            """
            self._host, self._theirs = socket.socketpair()
            line, folder = self._theirs.fileno(), Path(__file__).parent
            words = [str(folder), str(line), str(memory), "with" if ends_all else "after", str(NICENESS * gentle)]
            self.command: list[str] = [sys.executable, "-I", "-S", "-c", _SUPERVISE, *words, *command]
            self.options: dict[str, Any] = OWN_GROUP | {"pass_fds": [line]}

        def attach(self, number: int) -> None:
            """Close this process's copy of the supervisor's end of the socket."""
            self._theirs.close()

        def wait_started(self) -> None:
            """Wait until the command has been started.

            Raises:
                OSError: it cannot be started.
            """
            self._host.settimeout(STARTING)
            number = self._number()
            if number != 0:
                raise OSError(number, "its supervisor has ended" if number is None else os.strerror(number))

        def report(self, process: subprocess.Popen[bytes], seconds: float) -> int | None:
            """The program's exit code, once; then None, when everything it started has ended, too.

            Raises:
                TimeoutError: neither has come within `seconds`.
            """
            self._host.settimeout(seconds)
            return self._number()

        def _number(self) -> int | None:
            data = self._host.recv(4)
            return int.from_bytes(data, "little", signed=True) if data else None

        def end(self) -> None:
            """Begin to end everything: `report` says when that is done."""
            with suppress(OSError):
                self._host.shutdown(socket.SHUT_WR)

        def close(self) -> None:
            """End everything, and close the socket."""
            self.end()
            self._theirs.close()
            self._host.close()


class Supervised:
    """A running program and its descendants.

    On Linux, resource limits bound the memory of each of its processes, and there are no core dumps. On every system a
    thread checks once a second, and ends a program that has more memory or processes than allowed.
    """

    def __init__(self, command: Sequence[str], memory: int, **options: Any) -> None:
        """Start it, with options of `subprocess.Popen`; each of its processes may have `memory` bytes.

        Raises:
            OSError: it cannot be started.
        """
        self._supervisor = Supervisor(command, memory=memory)
        try:
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                self._supervisor.command, bufsize=0, **options, **self._supervisor.options
            )
        except OSError:
            self._supervisor.close()
            raise
        try:
            self._supervisor.attach(self.process.pid)
            self._supervisor.wait_started()
        except BaseException:
            self._supervisor.close()
            with self.process:  # which closes its pipes and waits
                raise
        self.excess: str = ""
        """Why it was ended, if it took too much; a sentence without its full stop."""
        self.exit_code: int | None = None
        """Exit code of the program's own process, once it has ended; below 0: the signal that ended it."""
        self._memory, self._ended = memory, threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="plyground watch", daemon=True)
        self._watcher.start()
        _running.add(self)

    def _watch(self) -> None:
        """Wait until it ends, and end it if it takes too much."""
        code: int | None = 0
        while code is not None:
            try:
                code = self._supervisor.report(self.process, WATCH_PAUSE)
            except TimeoutError:
                self._look()
                continue
            except OSError:
                code = None
            if self.exit_code is None:  # a supervisor that was killed has reported none
                self.exit_code = self.process.wait() if code is None else code
            self._ended.set()

    def _look(self) -> None:
        self.excess = excess_of(self.tree(), self._memory)
        if self.excess:
            self.ask_end()

    def tree(self) -> list[psutil.Process]:
        """The program's processes, without its supervisor."""
        if self.process.returncode is not None:
            return []  # its ID may be another process's now
        tree = tree_of(self.process.pid)
        return tree if sys.platform == "win32" else tree[:-1]

    def wait(self, seconds: float) -> bool:
        """Wait for the program's own process. Returns whether it has ended."""
        return self._ended.wait(seconds)

    def ask_end(self) -> None:
        """Begin to end it with everything it started."""
        self._supervisor.end()
        if sys.platform != "win32":
            with suppress(OSError):
                self.process.send_signal(signal.SIGCONT)  # a program may have stopped its supervisor

    def end(self) -> None:
        """End it with everything it started, but for processes that the system does not let us kill."""
        self.ask_end()
        self._watcher.join(END_SECONDS)
        if self._watcher.is_alive():
            for each in self.tree():
                with suppress(psutil.Error):
                    each.kill()
        else:
            self._supervisor.close()
            self.process.wait()
        _running.discard(self)


_running: set[Supervised] = set()


def end_all() -> None:
    """End all programs of this process."""
    running = list(_running)
    for each in running:
        each.ask_end()
    for each in running:
        each.end()


def tree_of(number: int) -> list[psutil.Process]:
    """Descendants of a process, then the process itself, by its ID; empty if it has ended."""
    try:
        process = psutil.Process(number)
        return [*process.children(recursive=True), process]
    except psutil.Error:
        return []


def excess_of(processes: Sequence[psutil.Process], memory: int) -> str:
    """Why a program's processes are to be ended, a sentence without its full stop; empty if they keep the limits.

    Args:
        processes: all of the program.
        memory: bytes that each may have.
    """
    if len(processes) > PROCESSES:
        return f"it was ended, for it had more than {PROCESSES} processes"
    if any(_resident(each) > memory for each in processes):
        return f"it was ended, for it took more than {memory >> 20:,} MiB of memory"
    return ""


def processor_seconds(processes: Iterable[psutil.Process]) -> float:
    """Seconds of the processor that processes have used, with those of their children that have ended."""
    seconds = 0.0
    for each in processes:
        with suppress(psutil.Error):
            seconds += sum(each.cpu_times()[:4])  # of itself and of its ended children, as user and as system
    return seconds


PASSED_ON = {
    *("PATH", "PATHEXT", "HOME", "USER", "LOGNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "XDG_CACHE_HOME"),
    *("PLYGROUND_CACHE", "PLYGROUND_PLAIN", "PLYGROUND_TABLEBASES"),
}
"""Variables of the environment that code of readers and students has: what finds programs, modules, folders and
languages. No other is passed on, for any may be a secret, such as `PGPASSWORD`."""


def small_environment() -> dict[str, str]:
    """The variables `PASSED_ON` as they are here."""
    return {name: value for name, value in os.environ.items() if name.upper() in PASSED_ON}


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
