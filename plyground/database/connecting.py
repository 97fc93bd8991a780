"""A database by its URL: SQLite in a file, PostgreSQL; with the tables of this version, or a sentence why not."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from plyground.database.schema import bring_up
from plyground.errors import BadInput, TooNew


class Unstored(Exception):
    """The database did not take it: nothing was changed. The argument is a sentence."""


def default_url() -> str:
    """The database that is used where none is named, in the user's own folder for data.

    Raises:
        BadInput: there can be no such folder.
    """
    folder: Path = user_data_path("plyground")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadInput(f"{folder} cannot be made: {fault.strerror}; --database names another place.") from None
    return f"sqlite:///{folder / 'games.db'}"


def connected(url: str) -> Engine:
    """A database with the tables of this version: made if there are none, and brought here from an older version.

    Args:
        url: as SQLAlchemy writes it: `sqlite:///games.db`, `postgresql+psycopg://user@host/name`.

    Raises:
        BadInput: there is no such database, or it cannot be reached.
        TooNew: a later plyground has made its tables.
    """
    engine = _engine(url)
    try:
        bring_up(engine, f"The database {_shown(url)}")
    except TooNew:
        engine.dispose()
        raise
    except SQLAlchemyError as fault:
        engine.dispose()
        raise BadInput(f"The database {_shown(url)} cannot be used: {reason(fault)}.") from None
    return engine


def _engine(url: str) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as fault:
        raise BadInput(
            f"{url!r} names no database: write sqlite:///games.db or postgresql+psycopg://user@host/name ({fault})."
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _safe_sqlite)
    return engine


def _safe_sqlite(connection: Any, _: object) -> None:
    """A commit is on disk when it returns; readers do not wait for writers."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _shown(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)


def reason(fault: SQLAlchemyError) -> str:
    """What a database has to say, in a line without a full stop."""
    said = str(getattr(fault, "orig", None) or fault)
    return said.strip().splitlines()[0].rstrip(".")


def now() -> str:
    """The time in UTC, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
