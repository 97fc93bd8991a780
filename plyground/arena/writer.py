"""Writer thread: stores games while others are played."""

import threading
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue

from plyground.arena.results import Played
from plyground.arena.store import Store


class Writer:
    """Writes games in a thread: all that came while the last ones were being written go together.

    Both ways are queues whose locks are C's: Ctrl-C may come between the lock of a `threading.Condition`, which is
    entered by Python code, and what it guards, and would leave it locked.
    """

    def __init__(self, store: Store | None, arena: str) -> None:
        self._store, self._arena = store, arena
        self._given: SimpleQueue[Played | None] = SimpleQueue()
        self._written: SimpleQueue[Played | BaseException] = SimpleQueue()
        self._ready: deque[Played] = deque()
        """Games on disk that have not been handed out."""
        self._under_way = 0
        """Number of games that were given and are not known to be on disk."""
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._write, name="plyground arena", daemon=True)

    def __enter__(self) -> "Writer":
        if self._store:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Wait until all games that were given are written."""
        self._given.put(None)
        if self._store:
            self._thread.join()

    def put(self, played: Played) -> None:
        """Give the writer a game that is over."""
        self._under_way += 1
        # Without a database a game is "written" at once.
        (self._given if self._store else self._written).put(played)

    def take_written(self, *, wait: bool = False) -> list[Played]:
        """Games that are on disk now and have not been handed out; with `wait`, all that were given.

        Raises:
            Unstored: the database takes no more.
        """
        with suppress(Empty):
            while not self._fault:
                written = self._written.get(block=wait and self._under_way > 0)
                if isinstance(written, BaseException):
                    self._fault = written
                else:
                    self._under_way -= 1
                    self._ready.append(written)
        # Again at each call: nothing is written after the first fault.
        if self._fault:
            raise self._fault
        games = [*self._ready]
        self._ready.clear()
        return games

    def _write(self) -> None:
        assert self._store is not None
        goes_on = True
        while goes_on:
            # Group commit: one fsync for all games that came during the last one. A slow game is on disk at once, quick
            # ones share (0.05 ms a game, bench/ARENA.md).
            batch = [self._given.get()]
            with suppress(Empty):
                while True:
                    batch.append(self._given.get_nowait())
            games = [game for game in batch if game is not None]
            goes_on = len(games) == len(batch)
            try:
                if games:
                    self._store.add(self._arena, games)
            # Passed on to the thread that plays: it must stop, for what is not on disk does not count.
            except BaseException as fault:
                self._written.put(fault)
                return
            for game in games:
                self._written.put(game)
