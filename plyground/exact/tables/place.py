"""Folders of tablebases: on this machine, or in a store that fsspec knows, such as S3.

A store's folder is named by a URL, `s3://bucket/folder`. universal_pathlib makes it a path with the methods of `Path`,
so nothing else has to know which of the two it works with. Names and passwords are those of the URL, or of the store's
own settings, as of fsspec (`FSSPEC_S3_KEY`) or AWS.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from platformdirs import user_cache_path

from plyground.errors import BadInput, clause_of

SCHEME = "://"


def folder_path(folder: Path | str) -> Path:
    """The folder of a path or a URL.

    Raises:
        BadInput: a library for this kind of URL is not installed, or there is no such kind.
    """
    # No library of stores is imported for a folder of this machine.
    if isinstance(folder, Path) or SCHEME not in folder:
        return Path(folder)
    try:
        from upath import UPath
    except ModuleNotFoundError as missing:
        raise BadInput(f'{folder} needs {missing.name}: pip install "plyground[store]".') from None
    try:
        # Without fsspec's cache of listings, for other machines write into the same folder.
        found: Any = UPath(folder, use_listings_cache=False)  # others write there, too
        found.fs  # noqa: B018  # loads the library for it
    except ImportError as missing:
        raise BadInput(f"{folder} needs a library: {missing}.") from None
    except Exception as fault:
        raise BadInput(f"{folder} cannot be used: {first_line(fault)}.") from None
    return cast("Path", found)


def is_store(folder: Path) -> bool:
    """Whether a folder is in a store, not on this machine."""
    # A `UPath` of a store is no `pathlib.Path`; one of a local file is.
    return not isinstance(folder, Path)


def first_line(fault: BaseException) -> str:
    """The first line of an error's message, without a full stop."""
    return clause_of((str(fault).strip().splitlines() or [type(fault).__name__])[0])


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Context for the use of a path that may be in a store; errors about the file itself are left to the caller.

    Raises:
        BadInput: the store cannot be reached, or does not allow it.
    """
    try:
        yield
    except (BadInput, FileNotFoundError, ValueError):
        raise
    except Exception as fault:  # libraries of stores have classes of their own
        # Exactly `OSError` is about a file; its subclasses, such as `ConnectionError` and `PermissionError`, are about
        # the store.
        if not is_store(path) or type(fault) is OSError:
            raise
        raise BadInput(f"{path} cannot be used: {first_line(fault)}.") from None


def store_lock_file(folder: Path) -> Path:
    """File of this machine by which one process at a time works on a folder of a store."""
    locks = user_cache_path("plyground") / "locks"
    # Stores have no locks, so only processes of one machine are kept apart.
    locks.mkdir(parents=True, exist_ok=True)
    return locks / hashlib.sha256(str(folder).encode()).hexdigest()[:32]
