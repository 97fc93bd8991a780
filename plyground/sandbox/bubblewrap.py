"""Confinement of code of strangers by bubblewrap (`bwrap`), where it is installed: files, network, other processes.

The code sees Python, this package, the system's programs and libraries, and the files that it is given, all of them
read-only; it can write in its folder and in a small `/tmp`. It has no network, no user's files, and no process but its
own, which the system ends together.
"""

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

PACKAGE = Path(__file__).parent.parent
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
)
"""Folders and files of the system that programs need; none has secrets."""
TMP_BYTES = 256 << 20
"""Bytes of `/tmp`."""
TRIES = 10.0
"""Seconds in which a first confined program has to end."""
NOT_LINUX = "only Linux has bubblewrap"
NOT_INSTALLED = "bubblewrap (bwrap) is not installed"
NOT_ALLOWED = "bubblewrap is installed, but the system lets it make no namespaces"


def confined(command: Sequence[str], folder: Path, sees: Iterable[Path]) -> list[str]:
    """The command that runs a command confined; the same one where that cannot be (`why_open`).

    Args:
        command: a program and its arguments.
        folder: the folder that it works in.
        sees: files and folders that it may read, beside Python and the system.
    """
    return [*_prefix(folder, sees), *command] if not why_open() else [*command]


@cache
def why_open() -> str:
    """The reason that code cannot be confined here, without a full stop; empty where it can."""
    if sys.platform != "linux":
        return NOT_LINUX
    if shutil.which("bwrap") is None:
        return NOT_INSTALLED
    try:
        done = subprocess.run([*_prefix(Path("/tmp"), ()), "true"], capture_output=True, timeout=TRIES, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return NOT_ALLOWED
    return "" if done.returncode == 0 else NOT_ALLOWED


def open_words() -> str:
    """Sentence on what code of strangers can do here that it could not do everywhere; empty where it is confined."""
    return f"The code can read your files and use the network: {why_open()}." if why_open() else ""


def cache_folder() -> Path:
    """Folder of compiled code: `PLYGROUND_CACHE`, or the user's cache folder."""
    return Path(os.environ.get("PLYGROUND_CACHE") or user_cache_path("plyground"))


def _prefix(folder: Path, sees: Iterable[Path]) -> Iterator[str]:
    yield from ("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
    yield from ("--proc", "/proc", "--dev", "/dev", "--size", str(TMP_BYTES), "--tmpfs", "/tmp")
    for place in dict.fromkeys([*SYSTEM, *map(str, _python()), *map(str, sees)]):
        if Path(place).is_symlink() and Path(place).parent == Path("/"):
            yield from ("--symlink", str(Path(place).readlink()), place)
        else:
            yield from ("--ro-bind-try", place, place)
    yield from ("--bind", str(folder), str(folder), "--chdir", str(folder), "--")


def _python() -> Iterator[Path]:
    """Folders of Python, its packages, this package, its documents and compiled code."""
    yield from (Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent.parent)
    yield from map(Path, [*site.getsitepackages(), site.getusersitepackages()])
    yield from (PACKAGE, PACKAGE.parent / "docs", cache_folder())
