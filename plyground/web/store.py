"""Kept games in a database: SQLite in a file by default, PostgreSQL by URL.

A game is its first line and the events since: moves, takings back, a resignation. Events are only ever added, each with
the next number, and the database refuses a number twice; so of two that claim the same ply one is told that it lost.
An event is on disk when `append` returns.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Engine, Row, create_engine, delete, event, func, insert, or_, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from plyground.errors import BadInput, TooNew
from plyground.web.schema import EVENT, GAME, bring_up

Kind = Literal["move", "undo", "resign"]


class Unstored(Exception):
    """The database did not take it: nothing was changed. The argument is a sentence."""


class Taken(Exception):
    """Another event has this number already."""


@dataclass(frozen=True)
class Event:
    """One thing that happened in a game: a move in text, plies taken back, or the side that resigned."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Kept:
    """A game as the database holds it."""

    id: str
    created: str
    spec: str
    start: str
    players: tuple[str, str]
    seats: tuple[str, str]
    """Hashes of the seats' secrets."""
    plies: int
    why: str | None
    """How it ended, in words; None while it goes on."""
    events: tuple[Event, ...] = ()

    def seat_of(self, secret: str) -> int | None:
        """The side that a secret plays, 0 or 1; None for no seat's secret."""
        given = _hash(secret)
        return next((side for side, seat in enumerate(self.seats) if hmac.compare_digest(seat, given)), None)


class Store:
    """The database."""

    def __init__(self, url: str) -> None:
        """Open it, make its tables if there are none, and bring those of an older plyground to this one's.

        Args:
            url: as SQLAlchemy writes it: `sqlite:///games.db`, `postgresql+psycopg://user@host/name`.

        Raises:
            BadInput: there is no such database, or it cannot be reached.
            TooNew: a later plyground has made its tables.
        """
        self._engine = _engine(url)
        try:
            bring_up(self._engine, f"The database {_shown(url)}")
        except TooNew:
            self.close()
            raise
        except SQLAlchemyError as fault:
            self.close()
            raise BadInput(f"The database {_shown(url)} cannot be used: {_reason(fault)}.") from None

    def create(self, spec: str, start: str, moves: list[str], players: tuple[str, str]) -> tuple[str, tuple[str, str]]:
        """Keep a new game; its id and the secrets of x's and o's seats.

        Raises:
            Unstored: the database did not take it.
        """
        number, seats = secrets.token_urlsafe(9), (secrets.token_urlsafe(16), secrets.token_urlsafe(16))
        game = {
            "id": number,
            "created": _now(),
            "spec": spec,
            "start": start,
            "player_x": players[0],
            "player_o": players[1],
            "seat_x": _hash(seats[0]),
            "seat_o": _hash(seats[1]),
            "plies": len(moves),
        }
        events = [
            {"game": number, "number": place, "kind": "move", "text": move, "at": _now()}
            for place, move in enumerate(moves, start=1)
        ]
        self._write(insert(GAME).values(game), *([insert(EVENT).values(events)] if events else []))
        return number, seats

    def append(self, game: str, number: int, happened: Event, plies: int, why: str | None) -> None:
        """Add what happened to a game, as its event of that number (from 1), with the game's plies and end after it.

        Raises:
            Taken: the game has an event of that number already.
            Unstored: the database did not take it.
        """
        added = {"game": game, "number": number, "kind": happened.kind, "text": happened.text, "at": _now()}
        self._write(
            insert(EVENT).values(added),
            update(GAME).where(GAME.c.id == game).values(plies=plies, why=why),
        )

    def load(self, game: str) -> Kept | None:
        """A game with all that happened in it; None if there is none of that id."""
        with self._engine.connect() as connection:
            row = connection.execute(select(GAME).where(GAME.c.id == game)).one_or_none()
            if row is None:
                return None
            rows = connection.execute(select(EVENT).where(EVENT.c.game == game).order_by(EVENT.c.number))
            return _kept(row, tuple(Event(each.kind, each.text) for each in rows))

    def page(self, limit: int, offset: int) -> tuple[int, list[Kept]]:
        """How many games there are, and some of them, newest first, without their events."""
        newest = select(GAME).order_by(GAME.c.created.desc(), GAME.c.id).limit(limit).offset(offset)
        with self._engine.connect() as connection:
            total = connection.execute(select(func.count()).select_from(GAME)).scalar_one()
            return total, [_kept(row) for row in connection.execute(newest)]

    def finished(self, spec: str, limit: int) -> list[str]:
        """The games of a name that are over and that a person took part in, by their ids, newest first."""
        people = or_(GAME.c.player_x == "human", GAME.c.player_o == "human")
        over = select(GAME.c.id).where(GAME.c.spec == spec, GAME.c.why.is_not(None), people)
        with self._engine.connect() as connection:
            return [row.id for row in connection.execute(over.order_by(GAME.c.created.desc()).limit(limit))]

    @property
    def engine(self) -> Engine:
        """The database itself, for the tables beside those of games."""
        return self._engine

    def delete(self, game: str) -> None:
        """Delete a game and its events.

        Raises:
            Unstored: the database did not take it.
        """
        self._write(delete(EVENT).where(EVENT.c.game == game), delete(GAME).where(GAME.c.id == game))

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _write(self, *statements: Any) -> None:
        """All or none of them, on disk on return."""
        try:
            with self._engine.begin() as connection:
                for statement in statements:
                    connection.execute(statement)
        except IntegrityError:
            raise Taken from None
        except SQLAlchemyError as fault:
            raise Unstored(f"It could not be stored, so nothing has changed: {_reason(fault)}.") from None


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


def _kept(row: Row[Any], events: tuple[Event, ...] = ()) -> Kept:
    players, seats = (row.player_x, row.player_o), (row.seat_x, row.seat_o)
    return Kept(row.id, row.created, row.spec, row.start, players, seats, row.plies, row.why, events)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _shown(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)


def _reason(fault: SQLAlchemyError) -> str:
    said = str(getattr(fault, "orig", None) or fault)
    return said.strip().splitlines()[0].rstrip(".")
