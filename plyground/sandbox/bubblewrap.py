"""Confinement of code of others by bubblewrap (`bwrap`), where it is installed: files, network, other processes.

The code sees Python, this package, the system's programs and libraries, and the files that it is given, all of them
read-only; it can write in its folder and in a small `/tmp`. It has no network, no user's files, and no process but its
own, which the system ends together.

Strangers are always confined. Programs are while `confining_programs` says so, or their user: `PLYGROUND_PROGRAMS`.
"""

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from pathlib import Path

from platformdirs import user_data_path

from plyground.errors import BadInput
from plyground.files.cache_folder import cache_folder

THIS_PACKAGE = Path(__file__).parent.parent
SYSTEM_PATHS = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    # /etc is shown only as far as it finds programs and names: other files there may hold secrets of services.
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/passwd",
    "/etc/nsswitch.conf",
    "/etc/hosts",
    *map(
        str, chain.from_iterable(Path("/etc").glob(name) for name in ("java*", "perl", "python*", "mono", "R", "php"))
    ),
    "/nix/store",
    "/gnu/store",
)
"""Folders and files of the system that programs need; none has secrets."""
BWRAP = "bwrap"
TMP_BYTES, SHARED_BYTES = 256 << 20, 64 << 20
"""Bytes of `/tmp` and of `/dev/shm`, which are the machine's memory."""
TRIAL_SECONDS = 60.0
"""Seconds in which a first confined program has to end: many, or who keeps the machine busy would open the cage."""
NOT_LINUX = "only Linux has bubblewrap"
NO_BUBBLEWRAP = "bubblewrap (bwrap) is not installed"
NOT_ALLOWED = "bubblewrap is installed, but starts no Python here"
CONFINED_VARIABLE = "PLYGROUND_CONFINED"
"""Environment variable of confined processes; their children are confined with them."""
PROGRAMS_VARIABLE = "PLYGROUND_PROGRAMS"
"""Environment variable that says whether programs are `confined` or `open`, whatever the command."""


@contextmanager
def confining_programs() -> Iterator[None]:
    """Context in which programs are confined, in worker processes too, unless `PROGRAMS_VARIABLE` is set."""
    said = os.environ.get(PROGRAMS_VARIABLE)
    os.environ[PROGRAMS_VARIABLE] = said or "confined"
    try:
        yield
    finally:
        if said is None:
            del os.environ[PROGRAMS_VARIABLE]


def confines_programs() -> bool:
    """Whether programs are confined here.

    Raises:
        BadInput: `PROGRAMS_VARIABLE` is neither of its words.
    """
    if (said := os.environ.get(PROGRAMS_VARIABLE) or "open") not in ("confined", "open"):
        raise BadInput(f"{PROGRAMS_VARIABLE}={said}: confined or open.")
    return said == "confined" and not unconfined_reason()


def confine_command(
    command: Sequence[str], folder: Path, sees: Iterable[Path], at: Path | None = None, *, network: bool = False
) -> list[str]:
    """The command that runs a command confined; the same one where that cannot be (`unconfined_reason`).

    Args:
        command: a program and its arguments.
        folder: the folder that it may write in.
        sees: files and folders that it may read, beside Python and the system.
        at: the folder that it works in, by default the same; it is empty unless it sees it.
        network: whether it has the network, in which it calls a port of this machine.
    """
    if CONFINED_VARIABLE in os.environ or unconfined_reason():
        return [*command]
    return [*_bwrap_arguments(folder, sees, at or folder, network=network), *command]


@cache
def unconfined_reason() -> str:
    """The reason that code cannot be confined here, without a full stop; empty where it can, or is already."""
    if CONFINED_VARIABLE in os.environ:
        return ""
    if sys.platform != "linux":
        return NOT_LINUX
    if shutil.which(BWRAP) is None:
        return NO_BUBBLEWRAP
    try:
        python = [*_bwrap_arguments(Path("/tmp"), (), Path("/tmp")), sys.executable, "-P", "-c", "import plyground"]
        done = subprocess.run(python, capture_output=True, timeout=TRIAL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return NOT_ALLOWED
    return "" if done.returncode == 0 else NOT_ALLOWED


def unconfined_warning(*, programs: bool = False) -> str:
    """Warning about the rights of code that is not confined here; empty where it is confined.

    Args:
        programs: whether there are programs among it.
    """
    why = unconfined_reason() or (f"{PROGRAMS_VARIABLE}=open" if programs and not confines_programs() else "")
    if not why:
        return ""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    can = "read and change every file of this machine, for you are root," if is_root else "read your files"
    return f"The code can {can} and use the network: {why}."


def _bwrap_arguments(folder: Path, sees: Iterable[Path], at: Path, *, network: bool = False) -> Iterator[str]:
    # The cage has a session of its own: code with the terminal could push keystrokes into it
    # (TIOCSTI), which the user's shell would run. `--die-with-parent` ends the cage with its
    # supervisor.
    yield from (BWRAP, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
    yield from ["--share-net"] * network
    yield from ("--proc", "/proc", "--dev", "/dev", "--size", str(SHARED_BYTES), "--tmpfs", "/dev/shm")
    yield from ("--size", str(TMP_BYTES), "--tmpfs", "/tmp")
    seen = [*SYSTEM_PATHS, *dict.fromkeys(map(str, [*_python_folders(), *sees]))]
    for place in seen:
        if Path(place).is_symlink() and Path(place).parent == Path("/"):
            yield from ("--symlink", str(Path(place).readlink()), place)
        else:
            yield from ("--ro-bind-try", place, place)
    if any(map((data := user_data_path("plyground")).is_relative_to, seen)):  # of a Python in ~/.local
        yield from ("--tmpfs", str(data), "--remount-ro", str(data))
    yield from ("--bind", str(folder), str(folder), "--dir", str(at), "--chdir", str(at))
    # the root and /dev, which bubblewrap has made, are memory without a bound; and /proc/sys has the kernel's settings,
    # which are root's in the cage, too
    yield from chain.from_iterable(("--remount-ro", place) for place in ("/proc", "/dev", "/"))
    yield from ("--setenv", CONFINED_VARIABLE, "1", "--")


def _python_folders() -> Iterator[Path]:
    """Folders of Python, its packages, this package, its documents and compiled code."""
    yield from (Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent.parent)
    yield from map(Path, [*site.getsitepackages(), site.getusersitepackages()])
    yield from (THIS_PACKAGE, THIS_PACKAGE.parent / "docs", cache_folder())
