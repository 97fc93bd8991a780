"""Fair queue for a limited number of places: `shares.py` in the server's event loop."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from plyground.workers.shares import SERVER, Shares, Visitor

Ender = Callable[[], None]
"""Ends one job with the best it has found; does nothing once it has ended."""


class Stop:
    """Ends one request's search with the best it has found."""

    def __init__(self) -> None:
        self.asked: bool = False
        """Whether the search is to stop."""
        self._end: Ender | None = None

    def __call__(self) -> None:
        """Stop the search now, or as soon as it begins."""
        self.asked = True
        # The order matters: a stop that comes before `begins` is only noted, and `begins` ends the search at once.
        if self._end:
            self._end()

    def begins(self, end: Ender) -> None:
        """Note the function that ends the search, which a worker has begun; called at once if a stop came before."""
        self._end = end
        if self.asked:
            end()


@dataclass
class Asker:
    """The source of a request: its visitor, and a means to stop its answer early."""

    visitor: Visitor = SERVER
    stop: Stop = field(default_factory=Stop)


ASKING: ContextVar[Asker] = ContextVar("ASKING")
"""The source of the request that a task answers: what the request waits for is shared among visitors."""


class FairQueue:
    """Places that visitors take in turns. Used from the server's event loop only."""

    def __init__(self, places: int, waiting: int, what: str = "requests") -> None:
        """Prepare a queue with the arguments of `Shares`."""
        self._shares = Shares[asyncio.Future[None]](places, waiting, what)

    @property
    def is_idle(self) -> bool:
        """Whether no place is taken."""
        return not self._shares.held

    def is_wanted(self, visitor: Visitor) -> bool:
        """Whether a waiting job would begin if a visitor's job gave up its place."""
        return self._shares.is_wanted(visitor)

    @asynccontextmanager
    async def place(self, visitor: Visitor, waits: Callable[[Ender], None] | None = None) -> AsyncIterator[bool]:
        """Hold a place, once it is the visitor's turn; yields False if the wait was ended.

        Args:
            visitor: holder of the place.
            waits: called with a function that ends the wait.

        Raises:
            TooMany: too many requests wait already.
        """
        turn = asyncio.get_running_loop().create_future()
        self._shares.put(visitor, turn)
        self._start_next()
        if waits:
            waits(partial(_cancel, turn))
        try:
            try:
                await turn
            except asyncio.CancelledError:
                # Two things cancel this wait. The ender of the wait cancels `turn` alone: yield False. A request that
                # has gone cancels the whole task, and that must reach its caller.
                if (task := asyncio.current_task()) and task.cancelling():
                    raise
            yield not turn.cancelled()
        finally:
            # Still in the queue, or a place is held: exactly one of the two, so places are never lost or freed twice.
            if not self._shares.drop(visitor, turn):
                self._shares.release(visitor)
            self._start_next()

    def _start_next(self) -> None:
        """Start all jobs that may begin."""
        while turn := self._shares.next():
            # A cancelled turn is chosen too, and frees its place in `place`.
            if not turn.done():
                turn.set_result(None)


def _cancel(task: "asyncio.Future[Any]") -> None:
    task.cancel()
