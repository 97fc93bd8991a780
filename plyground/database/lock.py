"""Exclusive locks between processes, held by the database: a lock ends with its process in any case."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, text

from plyground.database.connecting import file_of, reading_connection
from plyground.errors import BadInput
from plyground.files.file_lock import file_lock


@contextmanager
def exclusive_lock(engine: Engine, name: str, refusal: Callable[[str], BadInput], said: str = "") -> Iterator[None]:
    """Hold an exclusive lock of a database, by name.

    Args:
        engine: the database.
        name: what is locked.
        refusal: makes the error from the text of the process that holds the lock; in PostgreSQL that is empty.
        said: the text that other processes can read meanwhile.

    Raises:
        BadInput: another process holds it.
        Unavailable: the database is down.
    """
    digest = hashlib.sha256(name.encode()).digest()
    file = file_of(engine)
    if engine.dialect.name == "postgresql":
        lock = int.from_bytes(digest[:8], "big", signed=True)
        with reading_connection(engine) as connection:
            if not connection.execute(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": lock}).scalar_one():
                raise refusal("")
            connection.commit()  # the lock is the connection's, not the transaction's
            try:
                yield
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": lock})
                connection.commit()
    elif file is None:
        yield
    else:
        with file_lock(Path(f"{file}.{digest.hex()[:16]}.lock"), refusal, said):
            yield
