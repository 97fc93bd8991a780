"""Notifications between the servers of one PostgreSQL (LISTEN, NOTIFY): which game has changed.

A notification is part of the transaction that stores the event, so it is sent if and only if that commits. A server
misses those sent while it does not listen: it learns that it did not listen, and reads again what it needs.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

CHANNEL = "plyground_games"
LISTEN_RETRY_SECONDS = 0.5
"""Seconds between two attempts to listen."""
POLL_SECONDS = 0.5
"""Seconds between two checks whether a listener is to end."""


@dataclass(frozen=True)
class Notification:
    """The number of events that a game has now; 0 if it was deleted."""

    game: str
    events: int


NotificationCallback = Callable[[Notification | bool], None]
"""Callback: gets a notification; True when the server begins to listen; False when it stops."""


def notify(connection: Connection, sender: str, game: str, events: int) -> None:
    """Notify the other servers of a game, once the transaction is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_notify(CHANNEL, f"{sender} {game} {events}")))


class Listener:
    """Listens in its own thread, and reconnects whenever the connection is lost."""

    def __init__(self, engine: Engine, sender: str, heard: NotificationCallback) -> None:
        """Begin to listen.

        Args:
            engine: a PostgreSQL, by psycopg.
            sender: this server's name; its own notifications are skipped.
            heard: called in the thread.
        """
        self._engine, self._sender, self._heard = engine, sender, heard
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="plyground notifications", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._ended.set()
        self._thread.join(2 * POLL_SECONDS)

    def _run(self) -> None:
        import psycopg  # here, because SQLite needs none

        while not self._ended.is_set():
            with suppress(psycopg.Error, SQLAlchemyError):
                self._listen()
            self._heard(False)
            self._ended.wait(LISTEN_RETRY_SECONDS)

    def _listen(self) -> None:
        pooled = self._engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()  # the pool makes another for others
        with connection:
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            self._heard(True)
            while not self._ended.is_set():
                for notification in connection.notifies(timeout=POLL_SECONDS):
                    sender, game, events = notification.payload.split()
                    if sender != self._sender:
                        self._heard(Notification(game, int(events)))
