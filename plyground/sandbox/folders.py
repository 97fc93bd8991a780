"""Folders that code of others has filled: their sizes and their removal, without following links or recursion."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

DEEPEST_FOLDER = 64
"""Most folders inside each other in which code of others may write."""
_OPEN_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


class UnreadableFolder(Exception):
    """Code of others wrote to a folder that cannot be examined; the message goes on after "it was ended, for it "."""


def sizes_in(folder: Path) -> Iterator[int]:
    """Bytes of each file and folder in a folder and those in it; links are not followed.

    Raises:
        UnreadableFolder: a folder is too deep, or cannot be read.
    """
    waiting = [(str(folder), 0)]
    while waiting:
        path, depth = waiting.pop()
        if depth > DEEPEST_FOLDER:
            raise UnreadableFolder(f"made more than {DEEPEST_FOLDER} folders inside each other")
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):  # it may be gone
                        yield entry.stat(follow_symlinks=False).st_size
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append((entry.path, depth + 1))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as fault:
            if sys.platform != "win32":  # where a file that is being deleted is refused, too
                raise UnreadableFolder(f"made a folder that cannot be read ({fault.strerror})") from None


def remove_tree(folder: Path) -> None:
    """Delete a folder with its content, of any depth; entries that the system refuses to delete stay.

    No link is followed, and no file's mode is changed. Each folder is moved to the top before it is emptied, so that
    neither recursion, nor open files, nor the length of a path limits the depth.
    """
    if sys.platform == "win32":  # it has no folders opened as files; its links need rights that few have
        with suppress(RecursionError):
            shutil.rmtree(folder, ignore_errors=True)
        return
    with suppress(OSError):
        _give_owner_access(str(folder), None)
        top = os.open(folder, _OPEN_FOLDER)
        try:
            waiting = _empty_folder(top, top)
            while waiting:
                name = waiting.pop()
                with suppress(OSError):
                    inner = os.open(name, _OPEN_FOLDER, dir_fd=top)
                    try:
                        waiting += _empty_folder(inner, top)
                    finally:
                        os.close(inner)
                    os.rmdir(name, dir_fd=top)
        finally:
            os.close(top)
        folder.rmdir()


def _empty_folder(folder: int, top: int) -> list[str]:
    """Delete the files in an open folder, and move the folders in it to the top. Returns their names there."""
    moved = []
    with os.scandir(folder) as entries:
        inside = list(entries)
    for entry in inside:
        with suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                # A directory of mode 0 can neither be listed nor moved by its owner.
                _give_owner_access(entry.name, folder)
                name = token_hex(16)
                os.rename(entry.name, name, src_dir_fd=folder, dst_dir_fd=top)
                moved.append(name)
            else:
                os.unlink(entry.name, dir_fd=folder)
    return moved


def _give_owner_access(name: str, folder: int | None) -> None:
    """Let the owner read and change a folder, whose mode its writer chose; never by a link."""
    if sys.platform != "linux":
        os.chmod(name, 0o700, dir_fd=folder, follow_symlinks=False)
        return
    number = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY, dir_fd=folder)
    try:
        os.chmod(f"/proc/self/fd/{number}", 0o700)  # noqa: PTH101  Linux changes no mode by a name that may be a link
    finally:
        os.close(number)
