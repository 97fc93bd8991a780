"""Supervisor of one program: starts it, and ends it with all its descendants when a socket is closed.

Its arguments are SOCKET LIMITS ENDS NICENESS COMMAND…; it has its own session, and passes its standard streams and its
environment on to the program. It reports over SOCKET, four bytes a number: the error number of the start (0: started),
then the program's exit code. At the other end is the process that wants the program (`sandbox.py`): when that closes
the socket, or ends in any way, all descendants of this process are killed. On Linux orphans become children of this
process, which exits when it has no child left; on other systems it cannot find orphans.

It starts once for each program, so it imports little, and only from the standard library.
"""

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from select import select

assert sys.platform != "win32"  # which has job objects
# A process of its own sets these: PR_SET_PDEATHSIG on the program itself would follow the thread that started it, not
# the process; a subreaper in plyground's own process would change that of its library users; a cgroup needs
# permissions.
SUBREAPER, PARENT_DEATH = 36, 1
"""Options of Linux' prctl: PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG."""
RETRY_SECONDS = 0.1
"""Seconds between two attempts to kill processes that have not ended."""


def main() -> None:
    """Start the program, report, and exit with its exit code when everything has ended."""
    line, limits, ends, niceness, *command = sys.argv[1:]
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    host = os.dup(int(line))  # a low number, for `select` knows none above 1,023; and the program does not inherit it
    os.close(int(line))
    os.nice(int(niceness))  # before the program begins
    _set_option(SUBREAPER, 1)
    failure, fails = os.pipe()
    program = os.fork()
    if not program:
        _exec_program(command, limits, unblocked, fails)
    os.close(fails)
    number = int(os.read(failure, 8) or 0)
    _report(host, number)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # they are the program's: it alone opens and closes them
        os.dup2(null, stream)
    os._exit(_wait_for_all(program, host, ends_all=ends == "with") if not number else 127)


def _exec_program(command: list[str], limits: str, unblocked: Iterable[int], fails: int) -> None:
    """Replace this process by the program, or write the error number to `fails`."""
    try:
        os.setsid()  # what it sends to its process group reaches no supervisor
        _set_option(PARENT_DEATH, signal.SIGKILL)
        _limit(limits)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores these two
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        os.execvp(command[0], command)
    except OSError as fault:
        os.write(fails, b"%d" % (fault.errno or 0))
    finally:
        os._exit(127)


def _set_option(option: int, value: int) -> None:
    """Set a process option by prctl, which only Linux has."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0)))


def _limit(limits: str) -> None:
    """Set limits of the system for this process and its descendants: `data=2147483648,core=0`."""
    import resource

    for each in limits.split(","):
        name, _, most = each.partition("=")
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (int(most), int(most)))
        except (AttributeError, OSError, ValueError):  # the system has no such limit, or an even lower one
            continue


def _wait_for_all(program: int, host: int, *, ends_all: bool) -> int:
    """Wait until this process has no descendants left.

    Args:
        program: the program's process.
        host: the socket whose end ends everything.
        ends_all: whether the end of the program's own process ends everything, too.

    Returns:
        The program's exit code; 128 plus the signal that ended it, as in shells.
    """
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    code, ending = 0, False
    os.write(wakes, b"0")  # it may have ended before the signal was heard
    while True:
        ready, _, _ = select([woken] if ending else [woken, host], [], [], RETRY_SECONDS if ending else None)
        if woken in ready:
            os.read(woken, 4_096)
        ending = ending or host in ready
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == program:
                    code = os.waitstatus_to_exitcode(ended[1])
                    _report(host, code)
                    ending = ending or ends_all
        except ChildProcessError:
            return code if code >= 0 else 128 - code
        if ending:
            _kill(descendants())


def _report(host: int, number: int) -> None:
    try:
        os.write(host, number.to_bytes(4, "little", signed=True))
    except OSError:  # the host has ended
        return


def _kill(processes: Iterable[int]) -> None:
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            continue


def descendants() -> Iterator[int]:
    """IDs of all descendants of this process; children first, the newest first, since it may be gone in a moment."""
    own = os.getpid()
    parents: dict[int, int] = {}
    for process, parent in _processes_in_proc() if sys.platform == "linux" else _processes_by_ps():
        parents[process] = parent
        if parent == own:
            yield process
    nearest = {own}
    while nearest:
        nearest = {process for process, parent in parents.items() if parent in nearest}
        yield from nearest


def _processes_in_proc() -> Iterator[tuple[int, int]]:
    """Each process and its parent, the newest first."""
    for process in sorted(map(int, filter(str.isdecimal, os.listdir("/proc"))), reverse=True):  # noqa: PTH208
        try:
            with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123  # pathlib starts slower than this process
                yield process, int(file.read().rpartition(b")")[2].split()[1])
        except OSError:  # it has ended
            continue


def _processes_by_ps() -> Iterator[tuple[int, int]]:
    """Each process and its parent, wherever there is the ps of POSIX."""
    import subprocess

    table = subprocess.run(["/bin/ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, check=False).stdout
    for row in table.splitlines():
        process, parent = map(int, row.split())
        yield process, parent
