"""Who asks, and waiting for a place: `shares.py` in the server's event loop."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from plyground.web.shares import SERVER, Shares, Visitor

Ender = Callable[[], None]
"""Lets one job end with the best it has found; does nothing once it has ended."""


class Stop:
    """Ends one request's search with the best it has found."""

    def __init__(self) -> None:
        self.asked = False
        """Whether the search is to stop."""
        self._end: Ender | None = None

    def __call__(self) -> None:
        """Stop the search now, or as soon as it begins."""
        self.asked = True
        if self._end:
            self._end()

    def begins(self, end: Ender) -> None:
        """A worker has the search."""
        self._end = end
        if self.asked:
            end()


@dataclass
class Asker:
    """Who asks, and what ends the answer early."""

    visitor: Visitor = SERVER
    stop: Stop = field(default_factory=Stop)


class Line:
    """Places that visitors take turns at. Used from the server's event loop only."""

    def __init__(self, places: int, waiting: int, what: str = "requests") -> None:
        """As `Shares`."""
        self._shares = Shares[asyncio.Future[None]](places, waiting, what)

    @property
    def is_idle(self) -> bool:
        """Whether nobody has a place."""
        return not self._shares.held

    def is_wanted(self, visitor: Visitor) -> bool:
        """Whether somebody would begin if a visitor's job gave its place up."""
        return self._shares.is_wanted(visitor)

    @asynccontextmanager
    async def place(self, visitor: Visitor, waits: Callable[[Ender], None] | None = None) -> AsyncIterator[bool]:
        """A place, once it is the visitor's turn; false if the wait was ended.

        Args:
            visitor: who asks.
            waits: is given what ends the wait.

        Raises:
            TooMany: too many wait already.
        """
        turn = asyncio.get_running_loop().create_future()
        self._shares.put(visitor, turn)
        self._go_on()
        if waits:
            waits(partial(_cancel, turn))
        try:
            try:
                await turn
            except asyncio.CancelledError:
                if (task := asyncio.current_task()) and task.cancelling():
                    raise
            yield not turn.cancelled()
        finally:
            if not self._shares.drop(visitor, turn):
                self._shares.done(visitor)
            self._go_on()

    def _go_on(self) -> None:
        """Let all begin who may."""
        while turn := self._shares.next():
            if not turn.done():
                turn.set_result(None)


def _cancel(task: "asyncio.Future[Any]") -> None:
    task.cancel()
