"""Notices between the servers of one PostgreSQL: which game has changed, as LISTEN and NOTIFY have it.

A notice is part of the transaction that stores the event, so it is sent if and only if that is committed. What is sent
while a server does not listen is lost to it: it learns that it did not listen, and reads again what it needs.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

CHANNEL = "plyground_games"
RETRY = 0.5
"""Seconds between two attempts to listen."""
AWAKE = 0.5
"""Seconds after which a listener looks whether it is to end."""


@dataclass(frozen=True)
class Notice:
    """A game has so many events now; 0 if it was deleted."""

    game: str
    events: int


Heard = Callable[[Notice | bool], None]
"""Takes a notice; True when from now on all are heard; False when none are."""


def notify(connection: Connection, sender: str, game: str, events: int) -> None:
    """Let the other servers hear of a game, once the transaction is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_notify(CHANNEL, f"{sender} {game} {events}")))


class Notices:
    """Listens in a thread of its own, and again whenever the connection was lost."""

    def __init__(self, engine: Engine, sender: str, heard: Heard) -> None:
        """Begin to listen.

        Args:
            engine: a PostgreSQL, by psycopg.
            sender: whose notices are not heard: one's own.
            heard: is called in the thread.
        """
        self._engine, self._sender, self._heard = engine, sender, heard
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="plyground notices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Listen no more."""
        self._ended.set()
        self._thread.join(2 * AWAKE)

    def _run(self) -> None:
        import psycopg  # here, because SQLite needs none

        while not self._ended.is_set():
            with suppress(psycopg.Error, SQLAlchemyError):
                self._listen()
            self._heard(False)
            self._ended.wait(RETRY)

    def _listen(self) -> None:
        pooled = self._engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()  # the pool makes another for others
        with connection:
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            self._heard(True)
            while not self._ended.is_set():
                for notice in connection.notifies(timeout=AWAKE):
                    sender, game, events = notice.payload.split()
                    if sender != self._sender:
                        self._heard(Notice(game, int(events)))
