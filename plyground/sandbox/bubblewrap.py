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

from plyground.files.cache_folder import cache_folder

THIS_PACKAGE = Path(__file__).parent.parent
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
    "/nix/store",
    "/gnu/store",
)
"""Folders and files of the system that programs need; none has secrets."""
TMP_BYTES = 256 << 20
"""Bytes of `/tmp`."""
FIRST_START = 10.0
"""Seconds in which a first confined program has to end."""
NOT_LINUX = "only Linux has bubblewrap"
NO_BUBBLEWRAP = "bubblewrap (bwrap) is not installed"
NOT_ALLOWED = "bubblewrap is installed, but starts no Python here"
IS_CONFINED = "PLYGROUND_CONFINED"
"""Environment variable of confined processes; their children are confined with them."""


def confine_command(command: Sequence[str], folder: Path, sees: Iterable[Path]) -> list[str]:
    """The command that runs a command confined; the same one where that cannot be (`why_open`).

    Args:
        command: a program and its arguments.
        folder: the folder that it works in.
        sees: files and folders that it may read, beside Python and the system.
    """
    return [*command] if IS_CONFINED in os.environ or why_open() else [*_prefix(folder, sees), *command]


@cache
def why_open() -> str:
    """The reason that code cannot be confined here, without a full stop; empty where it can, or is already."""
    if IS_CONFINED in os.environ:
        return ""
    if sys.platform != "linux":
        return NOT_LINUX
    if shutil.which("bwrap") is None:
        return NO_BUBBLEWRAP
    try:
        python = [*_prefix(Path("/tmp"), ()), sys.executable, "-P", "-c", "import plyground"]
        done = subprocess.run(python, capture_output=True, timeout=FIRST_START, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return NOT_ALLOWED
    return "" if done.returncode == 0 else NOT_ALLOWED


def open_words() -> str:
    """Sentence on what code of strangers can do here that it could not do everywhere; empty where it is confined."""
    return f"The code can read your files and use the network: {why_open()}." if why_open() else ""


def _prefix(folder: Path, sees: Iterable[Path]) -> Iterator[str]:
    yield from ("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
    yield from ("--proc", "/proc", "--dev", "/dev", "--size", str(TMP_BYTES), "--tmpfs", "/tmp")
    for place in dict.fromkeys([*SYSTEM, *map(str, _python()), *map(str, sees)]):
        if Path(place).is_symlink() and Path(place).parent == Path("/"):
            yield from ("--symlink", str(Path(place).readlink()), place)
        else:
            yield from ("--ro-bind-try", place, place)
    yield from ("--bind", str(folder), str(folder), "--chdir", str(folder), "--setenv", IS_CONFINED, "1", "--")


def _python() -> Iterator[Path]:
    """Folders of Python, its packages, this package, its documents and compiled code."""
    yield from (Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent.parent)
    yield from map(Path, [*site.getsitepackages(), site.getusersitepackages()])
    yield from (THIS_PACKAGE, THIS_PACKAGE.parent / "docs", cache_folder())
