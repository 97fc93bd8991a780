"""Kept games in a database: SQLite in a file by default, PostgreSQL by URL.

A game is its first line and the events since: moves, takings back, who sits down, what is offered. Events are only ever
added, each with the next number, and the database refuses a number twice; so of two that claim the same ply one is told
that it lost. An event is on disk when `append` returns.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Engine, Row, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from plyground.database.connecting import Unstored, connected, now, reason
from plyground.database.schema import EVENT, GAME

Kind = Literal["move", "undo", "resign", "sit", "offer", "draw", "rematch"]


class Taken(Exception):
    """Another event has this number already."""


@dataclass(frozen=True)
class Event:
    """One thing that happened in a game, and its text.

    A move; the plies taken back; the side that resigned; the side and name of who sat down (`o Ann`); the side and what
    it offered (`x undo`; `x no` ends all offers); a draw that was agreed; the id of a rematch.
    """

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
    names: tuple[str, str] = ("", "")

    def seat_of(self, secret: str) -> int | None:
        """The side that a secret plays, 0 or 1; None for no seat's secret."""
        given = hashed(secret)
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
        self._engine = connected(url)

    def create(self, spec: str, start: str, moves: list[str], players: tuple[str, str]) -> tuple[str, tuple[str, str]]:
        """Keep a new game; its id and the secrets of x's and o's seats.

        Raises:
            Unstored: the database did not take it.
        """
        number, seats = new_id(), (secrets.token_urlsafe(16), secrets.token_urlsafe(16))
        hashes = hashed(seats[0]), hashed(seats[1])
        events = [
            {"game": number, "number": place, "kind": "move", "text": move, "at": now()}
            for place, move in enumerate(moves, start=1)
        ]
        game = Kept(number, now(), spec, start, players, hashes, len(moves), None)
        self._write(insert(GAME).values(_row(game)), *([insert(EVENT).values(events)] if events else []))
        return number, seats

    def append(self, after: Kept, rematch: Kept | None = None) -> None:
        """Add the last event of a game, with what it has made of the game, and maybe a new game that it has begun.

        Raises:
            Taken: the game has an event of that number already.
            Unstored: the database did not take it.
        """
        happened, row = after.events[-1], _row(after)
        added = {"game": after.id, "number": len(after.events), "kind": happened.kind, "text": happened.text}
        changed = {key: row[key] for key in ("plies", "why", "seat_x", "seat_o", "name_x", "name_o")}
        self._write(
            insert(EVENT).values(added | {"at": now()}),
            update(GAME).where(GAME.c.id == after.id).values(changed),
            *([insert(GAME).values(_row(rematch))] if rematch else []),
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
            raise Unstored(f"It could not be stored, so nothing has changed: {reason(fault)}.") from None


def _kept(row: Row[Any], events: tuple[Event, ...] = ()) -> Kept:
    players, seats, names = (row.player_x, row.player_o), (row.seat_x, row.seat_o), (row.name_x, row.name_o)
    return Kept(row.id, row.created, row.spec, row.start, players, seats, row.plies, row.why, events, names)


def _row(kept: Kept) -> dict[str, Any]:
    """A game's row."""
    row = {"id": kept.id, "created": kept.created, "spec": kept.spec, "start": kept.start, "plies": kept.plies}
    for side, player, seat, name in zip("xo", kept.players, kept.seats, kept.names, strict=True):
        row |= {f"player_{side}": player, f"seat_{side}": seat, f"name_{side}": name}
    return row | {"why": kept.why}


def new_id() -> str:
    """The id of a new game."""
    return secrets.token_urlsafe(9)


def hashed(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
