"""Exclusive locks on small files, which need no database but SQLite's own lock."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from plyground.errors import BadInput


@contextmanager
def file_lock(file: Path, refusal: Callable[[str], BadInput], said: str) -> Iterator[None]:
    """Hold SQLite's lock on a small file, which works alike on all systems; others can read `said` meanwhile."""
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)) as held:
        try:
            held.execute("BEGIN IMMEDIATE")
            held.execute("CREATE TABLE IF NOT EXISTS said (text TEXT)")
            held.execute("DELETE FROM said")
            held.execute("INSERT INTO said VALUES (?)", (said,))
            # Two transactions: the first publishes the words, the second holds the lock while others may still read
            # them.
            held.execute("COMMIT")
            held.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BadInput(f"{file} cannot be locked: {fault}.") from None
            with suppress(sqlite3.Error):
                said = str(held.execute("SELECT text FROM said").fetchone()[0])
            raise refusal(said) from None
        yield
    with suppress(OSError):
        file.unlink(missing_ok=True)
