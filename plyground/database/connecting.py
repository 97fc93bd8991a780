"""Connection to a database by URL, SQLite or PostgreSQL, with the tables of this version.

Every query goes through `reading_connection` and every transaction through `writing_transaction`, so an error of the
database is one sentence that says whether something may have been stored.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from sqlalchemy import Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from plyground.database.schema import ForeignDatabase, begin_writing, migrate_tables
from plyground.errors import BadInput, TooNew, clause_of
from plyground.files import require_file

LIBPQ: dict[str, int | str] = {
    "connect_timeout": 5,  # s
    "keepalives_idle": 10,  # s
    "keepalives_interval": 5,  # s
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # ms
    "options": "-c lock_timeout=5s -c idle_in_transaction_session_timeout=10s",
}
"""Timeouts by which a lost PostgreSQL is noticed, and a lost server by PostgreSQL: the defaults are hours."""


class Unavailable(Exception):
    """The database cannot be used just now. The argument is a sentence."""


class Unstored(Unavailable):
    """The database refused the write: nothing was changed."""


class Uncertain(Unavailable):
    """The connection was lost during a commit: it may be stored or not."""


def default_url() -> str:
    """URL of the default database, in the user's data folder.

    Raises:
        BadInput: the folder cannot be made.
    """
    folder: Path = user_data_path("plyground")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadInput(f"{folder} cannot be made: {fault.strerror}; --database names another place.") from None
    return f"sqlite:///{folder / 'games.db'}"


def connect(url: str) -> Engine:
    """Connect to a database. Its tables are created, or migrated from an older version.

    Args:
        url: as SQLAlchemy writes it: `sqlite:///games.db`, `postgresql+psycopg://user@host/name`.

    Raises:
        BadInput: there is no such database, or it cannot be reached, or it belongs to another program.
        TooNew: a later version of plyground has made its tables.
    """
    engine = _engine(url)
    if (name := _file_name(engine)) and os.path.lexists(name):
        require_file(Path(name))
    try:
        migrate_tables(engine, f"The database {hide_password(url)}")
    except (TooNew, ForeignDatabase):
        engine.dispose()
        raise
    except SQLAlchemyError as fault:
        engine.dispose()
        raise BadInput(_unusable_sentence(engine, url, fault)) from None
    _watch_file(engine)
    return engine


@contextmanager
def reading_connection(engine: Engine) -> Iterator[Connection]:
    """A connection for reading.

    Raises:
        Unavailable: the database is down or damaged.
    """
    try:
        with engine.connect() as connection:
            yield connection
    except SQLAlchemyError as fault:
        raise Unavailable(f"The database cannot be read just now: {reason(fault)}.") from None


@contextmanager
def writing_transaction(engine: Engine) -> Iterator[Connection]:
    """A transaction, which is on disk when the context ends.

    Raises:
        Unstored: the database refused it.
        Uncertain: the connection was lost while it was committed.
    """
    committing = False
    try:
        with engine.connect() as connection:
            begin_writing(connection)
            yield connection
            committing = True
            connection.commit()
    except SQLAlchemyError as fault:
        if committing and engine.dialect.name != "sqlite":  # SQLite has rolled back: it is in this process
            raise Uncertain(
                f"The database was lost during the commit, so this may be stored or not: {reason(fault)}. "
                "Look whether it is before you send it again."
            ) from None
        raise Unstored(f"It could not be stored, so nothing has changed: {reason(fault)}.") from None


def file_of(engine: Engine) -> Path | None:
    """The file of an SQLite database, with links resolved; None if it has none."""
    name = _file_name(engine)
    return Path(os.path.realpath(name)) if name else None


def _file_name(engine: Engine) -> str:
    """The name of an SQLite database's file; empty if it has none."""
    name = (engine.url.database or "").removeprefix("file:").partition("?")[0]
    return name if engine.dialect.name == "sqlite" and name != ":memory:" else ""


def is_read_only(engine: Engine) -> bool:
    """Whether the URL asks SQLite to write nothing."""
    return engine.url.query.get("mode") == "ro" or "immutable" in engine.url.query


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() != "sqlite":
            options: dict[str, Any] = {"pool_pre_ping": True}
            if parsed.get_driver_name() == "psycopg":
                options["connect_args"] = {key: LIBPQ[key] for key in LIBPQ.keys() - parsed.query.keys()}
        elif parsed.database in (None, "", ":memory:"):  # one connection, for another would have its own memory
            options = {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0}
            options["connect_args"] = {"check_same_thread": False}
        else:
            options = {}
        engine = create_engine(parsed, **options)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError) as fault:
        raise BadInput(
            f"{hide_password(url)!r} names no database: write sqlite:///games.db or "
            f"postgresql+psycopg://user@host/name ({hide_password(str(fault))})."
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _safe_sqlite)
    return engine


def _safe_sqlite(connection: Any, _: object) -> None:
    """A commit is on disk when it returns; readers do not wait for writers."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _watch_file(engine: Engine) -> None:
    """Refuse to use an SQLite file that was replaced: writes into a deleted file are lost."""
    file = file_of(engine)
    if file is None:
        return
    opened = _identity(file)

    def require_file(*_: object) -> None:
        if _identity(file) != opened:
            raise Unstored(
                f"The database file {file} was deleted or replaced while it was in use, so nothing has changed: put it "
                "back, or restart plyground."
            )

    event.listen(engine, "do_connect", require_file)  # before SQLite makes an empty one
    event.listen(engine, "checkout", require_file)


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _unusable_sentence(engine: Engine, url: str, fault: SQLAlchemyError) -> str:
    """Sentence about a database that cannot be used: the reason, and the remedy."""
    file = file_of(engine)
    if file and file.exists() and not is_read_only(engine) and not os.access(file.parent, os.W_OK):
        return (
            f"The database {hide_password(url)} is read-only: copy it, or look at it with --database "
            f'"sqlite:///file:{file}?immutable=1&uri=true".'
        )
    if file and not file.exists() and file.parent.is_dir() and not os.access(file.parent, os.W_OK):
        return f"The database {hide_password(url)} cannot be made: nothing can be written in {file.parent}."
    return f"The database {hide_password(url)} cannot be used: {reason(fault)}."


def hide_password(url: str) -> str:
    """A URL, or a text that holds one, without its password."""
    hidden = re.sub(r"(://[^:/?#\s]*):.*@", r"\1:***@", url)
    return re.sub(r"(?i)(password=)[^&\s']*", r"\1***", hidden)


def reason(fault: SQLAlchemyError) -> str:
    """A database's error message, in one line without a full stop."""
    said = str(getattr(fault, "orig", None) or fault)
    return hide_password(clause_of(said.strip().splitlines()[0]))


def now() -> str:
    """The time in UTC, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
