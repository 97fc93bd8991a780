"""Sandbox for code of others: started with bounds, a small environment and a folder, and ended with all it started.

On Linux and macOS a supervisor starts the code (`supervisor.py`); on Windows it is in a job object (`windows_job.py`).
Where bubblewrap is installed, confined code sees neither the files of its user nor the network (`bubblewrap.py`).
SECURITY.md has a table of what is bounded on which system.
"""

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import psutil

from plyground.files.cache_folder import cache_folder
from plyground.sandbox.bubblewrap import BWRAP, confine_command
from plyground.sandbox.folders import UnreadableFolder, remove_tree, sizes_in

if sys.platform == "win32":
    from plyground.sandbox.windows_job import WindowsSupervisor as Supervisor

PROGRAM_MEMORY = 2048
"""Mebibytes that the processes of a program may have together."""
NICENESS = 5
"""Niceness of long work: how far its priority on the processor is lowered, on systems that have it."""
CHECK_INTERVAL = 1.0
"""Seconds between two checks of a program's memory, processes and folder."""
DUMPABLE = 4
"""Option of Linux' prctl: PR_SET_DUMPABLE."""
SUPERVISOR_START_SECONDS = 60.0
"""Seconds within which a supervisor starts its program, on the busiest machine."""
END_SECONDS = 5.0
"""Seconds to wait for a supervisor to end everything; it goes on after that."""


@dataclass(frozen=True)
class Bounds:
    """Bounds of code of others; 0 means no bound."""

    memory: int = PROGRAM_MEMORY << 20
    """Bytes that its processes may have together; on Linux none may ask for more for its data."""
    processes: int = 64
    """Processes at a time."""
    threads: int = 1_024
    """Threads of its processes together, at a time."""
    seconds: int = 0
    """Seconds of the processor that each of its processes may use."""
    open_files: int = 4_096
    """Files that each of its processes may have open."""
    file_size: int = 2 << 30
    """Bytes of a file that it writes."""
    files: int = 0
    """Files in its folder."""
    written: int = 0
    """Bytes of the files in its folder together, and on Linux of those that have no name any more, or never had."""

    @property
    def limits(self) -> str:
        """Limits of the system (`resource`) for each process: `data=2147483648,core=0`."""
        # RLIMIT_DATA and not RLIMIT_AS: a Java or a JavaScript reserves far more addresses than it will ever use. No
        # RLIMIT_NPROC: it counts all processes of a user; our own count, once a second, is of the program's alone.
        has = {"data": self.memory, "cpu": self.seconds, "nofile": self.open_files, "fsize": self.file_size}
        return ",".join(["core=0", *(f"{name}={most}" for name, most in has.items() if most)])


PROGRAM_BOUNDS = Bounds()
"""Bounds of programs named on the command line."""
STRANGER_BOUNDS = Bounds(threads=256, seconds=300, open_files=256, file_size=64 << 20, files=5_000, written=256 << 20)
"""Bounds of code of strangers: of students and readers."""
UNBOUNDED = Bounds(0, 0, 0, 0, 0, 0)
"""No bounds: of processes of ours, which end with everything they started."""
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
            self,
            command: Sequence[str],
            bounds: Bounds = UNBOUNDED,
            *,
            ends_all: bool = False,
            gentle: bool = False,
        ) -> None:
            """Prepare a start.

            Args:
                command: the program and its arguments.
                bounds: bounds of each of its processes.
                ends_all: whether everything it started ends when it does.
                gentle: whether it runs at low priority.
            """
            self._host, self._theirs = socket.socketpair()
            line, folder = self._theirs.fileno(), Path(__file__).parent
            words = [str(folder), str(line), bounds.limits, "with" if ends_all else "after", str(NICENESS * gentle)]
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
            self._host.settimeout(SUPERVISOR_START_SECONDS)
            number = self._receive_number()
            if number != 0:
                raise OSError(number, "its supervisor has ended" if number is None else os.strerror(number))

        def report(self, process: subprocess.Popen[bytes], seconds: float) -> int | None:
            """The program's exit code, once; then None, when everything it started has ended, too.

            Raises:
                TimeoutError: neither has come within `seconds`.
            """
            self._host.settimeout(seconds)
            return self._receive_number()

        def _receive_number(self) -> int | None:
            data = self._host.recv(4)
            return int.from_bytes(data, "little", signed=True) if data else None

        def end(self) -> None:
            """Begin to end everything; `report` returns None once that is done."""
            with suppress(OSError):
                self._host.shutdown(socket.SHUT_WR)

        def close(self) -> None:
            """End everything, and close the socket."""
            self.end()
            self._theirs.close()
            self._host.close()


class Sandbox:
    """Running code of others and its descendants.

    Limits of the system bound each of its processes, on Linux their memory too, and there are no core dumps. On every
    system a thread checks once a second, and ends code that has more memory, processes or files than allowed. What it
    writes for a while goes into a folder of its own, which goes away with it.
    """

    def __init__(
        self,
        command: Sequence[str],
        bounds: Bounds = PROGRAM_BOUNDS,
        *,
        sees: Iterable[Path] | None = None,
        at: Path | None = None,
        network: bool = False,
        env: Mapping[str, str] = {},
        **options: Any,
    ) -> None:
        """Start it.

        Args:
            command: the program and its arguments.
            bounds: its bounds.
            sees: for code that is confined the files that it may read, beside Python and the system; where the system
                can, it sees no other file and no network. By default it works in the current folder, with the files and
                the network of its user.
            at: the folder in which confined code works, which it cannot change; by default its own.
            network: whether confined code has the network.
            env: further variables of its environment.
            options: options of `subprocess.Popen`.

        Raises:
            OSError: it cannot be started.
        """
        self._folder = folder = Path(tempfile.mkdtemp(prefix="plyground"))
        self._remove_folder = weakref.finalize(self, remove_tree, folder)
        if sees is not None:
            options["cwd"] = at or folder
            command = confine(command, folder, sees, at, network=network)
        self.is_confined: bool = command[0] == BWRAP
        """Whether it sees neither files of its user nor, unless it plays over a port, the network."""
        self._supervisor = Supervisor(command, bounds)
        try:
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                self._supervisor.command,
                bufsize=0,
                env=small_environment() | temporary_folder_variables(folder, at_home=sees is not None) | dict(env),
                **options,
                **self._supervisor.options,
            )
        except OSError:
            self._supervisor.close()
            self._remove_folder()
            raise
        try:
            self._supervisor.attach(self.process.pid)
            self._supervisor.wait_started()
        except BaseException:
            self._supervisor.close()
            self._remove_folder()
            with self.process:  # which closes its pipes and waits
                raise
        self.excess: str = ""
        """Why it was ended, if it took too much; a sentence without its full stop."""
        self.exit_code: int | None = None
        """Exit code of the program's own process, once it has ended; below 0: the signal that ended it."""
        self._bounds, self._ended = bounds, threading.Event()
        # The thread is a daemon: a program that does not end must not keep plyground from exiting;
        # the supervisor's socket closes with this process and ends it then.
        self._watcher = threading.Thread(target=self._watch, name="plyground watch", daemon=True)
        self._watcher.start()
        _running.add(self)

    def _watch(self) -> None:
        """Wait until it ends, and end it if it takes too much."""
        code: int | None = 0
        while code is not None:
            try:
                code = self._supervisor.report(self.process, CHECK_INTERVAL)
            except TimeoutError:
                self._check_bounds()
                continue
            except OSError:
                code = None
            if self.exit_code is None:  # a supervisor that was killed has reported none
                ended = self.process.wait() if code is None else code
                self.exit_code = 128 - ended if self.is_confined and ended > 128 else ended  # as bubblewrap tells it
            self._ended.set()

    def _check_bounds(self) -> None:
        try:
            self.excess = excess_of(self.tree(), self._bounds, self._folder)
        except Exception as fault:  # unwatched it would have no bounds
            self.excess = watch_failure(fault)
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
        self._remove_folder()
        _running.discard(self)


_running: set[Sandbox] = set()


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


def excess_of(processes: Sequence[psutil.Process], bounds: Bounds, folder: Path) -> str:
    """Why code of others is to be ended, a sentence without its full stop; empty if it keeps its bounds.

    Args:
        processes: all that it has.
        bounds: its bounds.
        folder: its folder.
    """
    if bounds.processes and len(processes) > bounds.processes:
        return f"it was ended, for it had more than {bounds.processes} processes"
    if bounds.threads and _threads(processes) > bounds.threads:
        return f"it was ended, for it had more than {bounds.threads:,} threads"
    if bounds.memory and _memory(processes, bounds.memory) > bounds.memory:
        return f"it was ended, for it took more than {bounds.memory >> 20:,} MiB of memory"
    if not bounds.files:
        return ""
    try:
        sizes = list(islice(sizes_in(folder), bounds.files + 1))
    except UnreadableFolder as fault:
        return f"it was ended, for it {fault}"
    if len(sizes) > bounds.files:
        return f"it was ended, for it wrote more than {bounds.files:,} files"
    if sum(sizes) + _unlinked_bytes(processes) > bounds.written:
        return f"it was ended, for it wrote more than {bounds.written >> 20:,} MiB"
    return ""


def watch_failure(fault: Exception) -> str:
    """Why code of others is ended that cannot be watched, through no fault of its own; a sentence as of `excess_of`."""
    return f"it was ended by a fault of plyground's, which could not watch it ({type(fault).__name__}: {fault})"


def _threads(processes: Iterable[psutil.Process]) -> int:
    """Number of the threads of all processes."""
    number = 0
    for each in processes:
        with suppress(psutil.Error):
            number += each.num_threads()
    return number


def _memory(processes: Iterable[psutil.Process], enough: int) -> int:
    """Bytes of memory of all processes.

    Where they seem to be more than `enough`, pages that several processes share are counted once on Linux, which takes
    longer to find out.
    """
    resident = sum(map(_resident, processes))
    return resident if resident <= enough or sys.platform != "linux" else sum(map(_proportional, processes))


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _proportional(process: psutil.Process) -> int:
    """Proportional set size of a process in bytes; its resident size where the system has no other."""
    try:
        return int(process.memory_full_info().pss)
    except (psutil.Error, AttributeError):
        return _resident(process)


def _unlinked_bytes(processes: Iterable[psutil.Process]) -> int:
    """Bytes of open files that no folder has, on Linux: deleted ones, and those of `memfd_create`, which are memory."""
    sizes: dict[tuple[int, int], int] = {}
    for each in processes if sys.platform == "linux" else ():
        with suppress(OSError), os.scandir(f"/proc/{each.pid}/fd") as entries:
            for entry in entries:
                with suppress(OSError):  # it may be closed
                    about = entry.stat()
                    if stat.S_ISREG(about.st_mode) and not about.st_nlink:
                        sizes[about.st_dev, about.st_ino] = about.st_blocks * 512
    return sum(sizes.values())


PASSED_ON = {
    *("PATH", "PATHEXT", "HOME", "USER", "LOGNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
    *("JAVA_HOME", "CLASSPATH", "NODE_PATH", "PERL5LIB", "RUBYLIB", "LUA_PATH", "GUILE_LOAD_PATH", "SWI_HOME_DIR"),
    *("DOTNET_ROOT", "JULIA_LOAD_PATH", "R_HOME", "ERL_LIBS", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS"),
    *("PLYGROUND_CACHE", "PLYGROUND_PLAIN", "PLYGROUND_TABLEBASES"),
}
"""Variables of the environment that code of others has: what finds programs, modules, folders and languages. No other
is passed on, for any may be a secret, such as `PGPASSWORD`; a command may set more: `env NAME=VALUE …`."""

WORKER_PREFIXES = ("PLYGROUND_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_", "COV_", "COVERAGE_", "PYTEST_")
"""Beginnings of the names of further variables that workers have: settings of libraries."""


def small_environment() -> dict[str, str]:
    """The variables in `PASSED_ON`, with this process's values."""
    return {name: value for name, value in os.environ.items() if name.upper() in PASSED_ON}


def temporary_folder_variables(folder: Path, *, at_home: bool) -> dict[str, str]:
    """Environment variables that name a folder for temporary files.

    Args:
        folder: the folder.
        at_home: whether it is the home folder, too; compiled code stands where it stood.
    """
    names = ("TMPDIR", "TEMP", "TMP", *(("HOME", "USERPROFILE") if at_home else ()))
    return dict.fromkeys(names, str(folder)) | ({"PLYGROUND_CACHE": str(cache_folder())} if at_home else {})


def workers_environment() -> dict[str, str]:
    """Variables for processes of ours that run users' files and programs: `PASSED_ON`, and all `WORKER_PREFIXES`."""
    also = {name: value for name, value in os.environ.items() if name.startswith(WORKER_PREFIXES)}
    return small_environment() | also | {"PYTHONSAFEPATH": "1"}  # the current folder hides no module


def confine(
    command: Sequence[str], folder: Path, sees: Iterable[Path], at: Path | None = None, *, network: bool = False
) -> list[str]:
    """The command that runs a command confined where the system can (`confine_command`).

    From then on no process of the same user can read the memory of this one, with the questions and secrets in it.
    """
    hide_memory()
    return confine_command(command, folder, sees, at, network=network)


def hide_memory() -> None:
    """Keep other processes of the same user from reading this one's memory (PR_SET_DUMPABLE; Linux alone)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(DUMPABLE, *map(ctypes.c_ulong, (0, 0, 0, 0)))
