"""Everyone who follows a game, and what they are sent: made once for all, the newest only, a few at a time.

Sending to a thousand sockets takes a good part of a second. So listeners are woken a few in each turn of the event
loop, and between two turns whoever plays elsewhere is answered. A listener who reads slowly is sent what is newest when
it has read, not all that was before.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field

from plyground.web import models as m
from plyground.web.live import Live

AT_A_TIME = 20
"""Listeners woken in one turn of the event loop."""
Sides = frozenset[int]
"""Some of the sides 0 and 1."""


class Waking:
    """Wakes listeners, a few at a time, in the order in which they were named."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Event, None] = {}
        self._task: asyncio.Task[None] | None = None

    def wake(self, listeners: Iterable[asyncio.Event]) -> None:
        """Set these events soon, each once."""
        self._waiting |= dict.fromkeys(listeners)
        if self._waiting and self._task is None:
            self._wake_some()
            if self._waiting:
                self._task = asyncio.create_task(self._run())

    def _wake_some(self) -> None:
        for listener in [*self._waiting][:AT_A_TIME]:
            del self._waiting[listener]
            listener.set()

    async def _run(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(0)
                self._wake_some()
        finally:
            self._task = None


@dataclass(eq=False)
class Watcher:
    """A client that follows a game."""

    secrets: Sequence[str]
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is something newer than it was sent."""

    def held(self, live: Live) -> Sides:
        """The sides whose secrets it has, which somebody else may have taken since."""
        return frozenset(side for secret in self.secrets if (side := live.kept.seat_of(secret)) is not None)


class Audience:
    """All watchers of one game."""

    def __init__(self, live: Live, waking: Waking) -> None:
        self.live = live
        """The newest that there is to see."""
        self._waking = waking
        self._watchers: dict[Watcher, None] = {}
        self._seated: dict[Watcher, Sides] = {}
        """Those who hold a seat, and which."""
        self.here = Sides()
        """The sides whose people have a page open somewhere."""
        self._views: dict[Sides, m.GameView] = {}
        """What is seen by whoever holds these sides."""
        self._ended = False

    def __len__(self) -> int:
        return len(self._watchers)

    async def follow(self, secrets: Sequence[str]) -> AsyncGenerator[m.GameView, None]:
        """The game as it stands, and again whenever it has changed; ends when it is deleted."""
        watcher = Watcher(secrets)
        watcher.changed.set()
        self._watchers[watcher] = None
        self._seat([watcher])
        try:
            while True:
                await watcher.changed.wait()
                watcher.changed.clear()
                if self._ended:
                    return
                yield self.view(self._seated.get(watcher, Sides()))
        finally:
            del self._watchers[watcher]
            if self._seated.pop(watcher, None):
                self._seat([])

    def show(self, live: Live) -> None:
        """Let all see a game as it stands now, unless they have seen a newer one."""
        if live is self.live or len(live.kept.events) < len(self.live.kept.events):
            return
        moved = live.kept.seats != self.live.kept.seats
        self.live, self._views = live, {}
        if moved:
            self._seat([watcher for watcher in self._watchers if watcher.secrets])
        self._waking.wake(each.changed for each in self._watchers)

    def view(self, held: Sides = frozenset()) -> m.GameView:
        """What is seen by whoever holds these sides."""
        if held not in self._views:
            self._views[held] = self.live.view(held, self.here)
        return self._views[held]

    def end(self) -> None:
        """The game is no more."""
        self._ended = True
        self._waking.wake(each.changed for each in self._watchers)

    def _seat(self, watchers: Iterable[Watcher]) -> None:
        """Note which seats these hold, and tell all if that changes who is here."""
        for watcher in watchers:
            if held := watcher.held(self.live):
                self._seated[watcher] = held
            else:
                self._seated.pop(watcher, None)
        here = Sides().union(*self._seated.values())
        if here != self.here:
            self.here, self._views = here, {}
            self._waking.wake(each.changed for each in self._watchers)
