"""Storage of saved games in a database: SQLite in a file by default, PostgreSQL by URL.

A game is its first row and its events: moves, take-backs, seats taken, offers. Events are only added, each with the
next number, and the database refuses a number twice; so of two events for the same ply the second is refused. An event
is on disk when the future of `append` is done.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, Engine, Row, delete, func, insert, or_, select, update

from plyground.database.connecting import connect, file_of, hide_password, is_read_only, now, reading_connection
from plyground.database.group import GroupCommit, Taken
from plyground.database.lock import exclusive_lock
from plyground.database.notifications import Listener, NotificationCallback, notify
from plyground.database.schema import EVENT, GAME
from plyground.errors import BadInput
from plyground.web.games.game_clock import now_text

Kind = Literal["move", "undo", "resign", "sit", "offer", "draw", "help", "rematch", "clock", "flag"]
__all__ = ["Event", "GameStore", "Kind", "SavedGame", "Taken", "hash_secret", "new_id"]


@dataclass(frozen=True)
class Event:
    """An event of a game: its kind and text.

    A move; the plies taken back; the side that resigned; the side and name of who sat down (`o Ann`); the side and what
    it offered (`x undo`; `x no` ends all offers); a draw that was agreed; an engine's help that was
    agreed; the id of a rematch; the clock of the game
    (`5+3`), before its first move; the side whose time is up.
    """

    kind: Kind
    text: str
    at: str = field(default_factory=now_text, compare=False)
    """Time of the event, in UTC, as ISO 8601."""


@dataclass(frozen=True)
class SavedGame:
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
    """How the game ended, in words; None while it goes on."""
    events: tuple[Event, ...] = ()
    names: tuple[str, str] = ("", "")

    def seat_of(self, secret: str) -> int | None:
        """The side that a secret plays, 0 or 1; None for no seat's secret."""
        given = hash_secret(secret)
        # The comparison takes constant time, so that an answer's delay tells nothing of the hash.
        return next((side for side, seat in enumerate(self.seats) if hmac.compare_digest(seat, given)), None)


class GameStore:
    """Saved games in a database."""

    def __init__(self, url: str, serves: str = "") -> None:
        """Connect to the database; its tables are created, or migrated from an older version.

        Args:
            url: as SQLAlchemy writes it: `sqlite:///games.db`, `postgresql+psycopg://user@host/name`.
            serves: address of the server, which locks an SQLite file: SQLite sends no notifications to a second server.

        Raises:
            BadInput: there is no such database, or it cannot be reached, or a server has this file already.
            TooNew: a later version of plyground has made the tables.
        """
        self._engine = connect(url)
        self._locks = ExitStack()
        self._writes = GroupCommit(self._engine)
        self._sender = secrets.token_urlsafe(6)
        """This server's name in notifications to the other servers of a PostgreSQL."""
        self.is_alone: bool = self._engine.dialect.name == "sqlite" and not is_read_only(self._engine)
        """Whether no other server stores games here, so that a game need not be read twice."""
        if serves and self.is_alone and file_of(self._engine):
            try:
                self._locks.enter_context(
                    exclusive_lock(
                        self._engine, "server", lambda first: _already_served_fault(hide_password(url), first), serves
                    )
                )
            except BadInput:
                self._engine.dispose()
                raise

    def create(
        self, spec: str, start: str, events: Sequence[Event], players: tuple[str, str]
    ) -> "Future[tuple[SavedGame, tuple[str, str]]]":
        """Save a new game with the events that it begins with.

        The future has it and the secrets of x's and o's seats, once it is on disk.

        Raises:
            Unstored: (from the future) the database refused it.
            Uncertain: (from the future) the connection was lost while it was committed.
        """
        # 128 random bits each; only their hashes are stored, so a copy of the database holds no
        # seat.
        seats = (secrets.token_urlsafe(16), secrets.token_urlsafe(16))
        hashes = hash_secret(seats[0]), hash_secret(seats[1])
        plies = sum(each.kind == "move" for each in events)
        game = SavedGame(new_id(), now(), spec, start, players, hashes, plies, None, tuple(events))

        def write(connection: Connection) -> tuple[SavedGame, tuple[str, str]]:
            _insert(connection, game)
            return game, seats

        return self._writes.submit(write)

    def append(self, after: SavedGame, rematch: SavedGame | None = None) -> "Future[None]":
        """Add the last event of a game, with the game after it, and the rematch that begins by it, if any.

        Raises:
            Taken: (from the future) the game has an event of that number already, or was deleted.
            Unstored: (from the future) the database refused it.
            Uncertain: (from the future) the connection was lost while it was committed.
        """
        row = _row(after)
        # Events are numbered from 1 within their game: the primary key refuses a second event of
        # the same number.
        *_, added = _event_rows(after)
        changed = {key: row[key] for key in ("plies", "why", "seat_x", "seat_o", "name_x", "name_o")}

        def write(connection: Connection) -> None:
            connection.execute(insert(EVENT), added)
            connection.execute(update(GAME).where(GAME.c.id == after.id).values(changed))
            if rematch:
                _insert(connection, rematch)
            notify(connection, self._sender, after.id, len(after.events))

        return self._writes.submit(write)

    def load(self, game: str) -> SavedGame | None:
        """Returns a game with its events; None if there is none of that id."""
        with reading_connection(self._engine) as connection:
            row = connection.execute(select(GAME).where(GAME.c.id == game)).one_or_none()
            if row is None:
                return None
            rows = connection.execute(select(EVENT).where(EVENT.c.game == game).order_by(EVENT.c.number))
            return _read_game(row, tuple(Event(each.kind, each.text, each.at) for each in rows))

    def count(self, game: str) -> int | None:
        """Number of a game's events; None if there is none of that id."""
        # An outer join: a game without events has the count 0, a deleted one no row.
        events = select(func.count(EVENT.c.number)).select_from(GAME.outerjoin(EVENT)).where(GAME.c.id == game)
        with reading_connection(self._engine) as connection:
            return connection.execute(events.group_by(GAME.c.id)).scalar_one_or_none()

    def page(self, limit: int, offset: int) -> tuple[int, list[SavedGame]]:
        """The number of all games, and some of them, newest first, without their events."""
        # The id orders games of the same millisecond, which so keep their order from page to page.
        newest = select(GAME).order_by(GAME.c.created.desc(), GAME.c.id).limit(limit).offset(offset)
        with reading_connection(self._engine) as connection:
            total = connection.execute(select(func.count()).select_from(GAME)).scalar_one()
            return total, [_read_game(row) for row in connection.execute(newest)]

    def finished_ids(self, spec: str, limit: int) -> list[str]:
        """Ids of finished games of a spec in which a person played, newest first."""
        people = or_(GAME.c.player_x == "human", GAME.c.player_o == "human")
        over = select(GAME.c.id).where(GAME.c.spec == spec, GAME.c.why.is_not(None), people)
        with reading_connection(self._engine) as connection:
            return [row.id for row in connection.execute(over.order_by(GAME.c.created.desc()).limit(limit))]

    @property
    def engine(self) -> Engine:
        """The database, for other tables than those of games."""
        return self._engine

    def delete(self, game: str) -> "Future[None]":
        """Delete a game and its events.

        Raises:
            Unstored: (from the future) the database refused it.
            Uncertain: (from the future) the connection was lost while it was committed.
        """

        def write(connection: Connection) -> None:
            # Events are deleted first, since they refer to the game's row.
            connection.execute(delete(EVENT).where(EVENT.c.game == game))
            connection.execute(delete(GAME).where(GAME.c.id == game))
            notify(connection, self._sender, game, 0)

        return self._writes.submit(write)

    def beside(self, work: Callable[[], None]) -> "Future[None]":
        """Write to other tables, between two transactions of games."""
        return self._writes.submit_alone(work)

    def listen(self, heard: NotificationCallback) -> None:
        """Listen to other servers' notifications, if the database can have other servers."""
        if self._engine.dialect.driver == "psycopg":
            listener = Listener(self._engine, self._sender, heard)
            self._locks.callback(listener.close)

    def close(self) -> None:
        """Finish pending writes, and close all connections."""
        # Writes are finished first, since callers wait for their futures; connections are closed last.
        self._writes.close()
        self._locks.close()
        self._engine.dispose()


def _already_served_fault(database: str, first: str) -> BadInput:
    where = f" at {first}" if first else ""
    return BadInput(
        f"A playground with the database {database} runs already{where}: open that, or name another with --database."
    )


def _read_game(row: Row[Any], events: tuple[Event, ...] = ()) -> SavedGame:
    players, seats, names = (row.player_x, row.player_o), (row.seat_x, row.seat_o), (row.name_x, row.name_o)
    return SavedGame(row.id, row.created, row.spec, row.start, players, seats, row.plies, row.why, events, names)


def _insert(connection: Connection, game: SavedGame) -> None:
    connection.execute(insert(GAME), _row(game))
    if game.events:
        connection.execute(insert(EVENT), _event_rows(game))


def _event_rows(game: SavedGame) -> list[dict[str, Any]]:
    """Rows of a game's events in their table."""
    return [
        {"game": game.id, "number": number, "kind": each.kind, "text": each.text, "at": each.at}
        for number, each in enumerate(game.events, start=1)
    ]


def _row(saved: SavedGame) -> dict[str, Any]:
    """Row of a game in its table."""
    row = {"id": saved.id, "created": saved.created, "spec": saved.spec, "start": saved.start, "plies": saved.plies}
    for side, player, seat, name in zip("xo", saved.players, saved.seats, saved.names, strict=True):
        row |= {f"player_{side}": player, f"seat_{side}": seat, f"name_{side}": name}
    return row | {"why": saved.why}


def new_id() -> str:
    """Make the id of a new game."""
    # 72 random bits, so no two servers choose the same one.
    return secrets.token_urlsafe(9)


def hash_secret(secret: str) -> str:
    """Hash of a secret, which is stored in its place."""
    return hashlib.sha256(secret.encode()).hexdigest()
