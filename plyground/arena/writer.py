"""Games are written while others are played."""

import threading
from collections import deque

from plyground.arena.results import Played
from plyground.arena.store import Store


class Writer:
    """Writes games in a thread: all that came while the last ones were being written go together."""

    def __init__(self, store: Store | None, arena: str) -> None:
        self._store, self._arena = store, arena
        self._given: deque[Played] = deque()
        self._kept: deque[Played] = deque()
        self._changed = threading.Condition()
        self._is_busy = self._is_over = False
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._write, name="plyground arena", daemon=True)

    def __enter__(self) -> "Writer":
        if self._store:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """All that was given is written."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        if self._store:
            self._thread.join()

    def put(self, played: Played) -> None:
        """A game that is over."""
        with self._changed:
            (self._given if self._store else self._kept).append(played)
            self._changed.notify_all()

    def kept(self, *, wait: bool = False) -> list[Played]:
        """Games that are on disk now and have not been handed out; those that are not yet are waited for if told to.

        Raises:
            Unstored: the database takes no more.
        """
        with self._changed:
            while wait and (self._given or self._is_busy) and not self._fault:
                self._changed.wait()
            if self._fault:
                raise self._fault
            found = [*self._kept]
            self._kept.clear()
            return found

    def _write(self) -> None:
        assert self._store is not None
        while True:
            with self._changed:
                while not self._given and not self._is_over:
                    self._changed.wait()
                if not self._given:
                    return
                batch = [*self._given]
                self._given.clear()
                self._is_busy = True
            try:
                self._store.add(self._arena, batch)
            except BaseException as fault:
                with self._changed:
                    self._fault, self._is_busy, self._is_over = fault, False, True
                    self._given.clear()
                    self._changed.notify_all()
                return
            with self._changed:
                self._kept.extend(batch)
                self._is_busy = False
                self._changed.notify_all()
