"""Watchers of a game and the views that they are sent: made once for all, only the newest, a few watchers at a time.

Sending to a thousand sockets takes a good part of a second. So a few listeners are woken in each iteration of the event
loop, and other requests are answered between two iterations. A slow reader gets the newest view when it has read the
last one, and none of those between.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field

from plyground.web import models as m
from plyground.web.live import Live

AT_A_TIME = 20
"""Listeners woken in one iteration of the event loop."""
Sides = frozenset[int]
"""Some of the sides 0 and 1."""


class Waking:
    """Wakes listeners, a few at a time, in the order in which they were named.

    Args:
        pause: seconds between some and the next; 0 is one turn of the event loop.
    """

    def __init__(self, pause: float = 0) -> None:
        self._pause = pause
        self._waiting: dict[asyncio.Event, None] = {}
        self._task: asyncio.Task[None] | None = None

    def wake(self, listeners: Iterable[asyncio.Event]) -> None:
        """Set these events soon, each once."""
        self._waiting |= dict.fromkeys(listeners)
        if self._waiting and (self._task is None or self._task.done()):
            self._wake_some()
            if self._waiting:
                self._task = asyncio.create_task(self._run())

    def _wake_some(self) -> None:
        for listener in [*self._waiting][:AT_A_TIME]:
            del self._waiting[listener]
            listener.set()

    async def _run(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._pause)
            self._wake_some()


@dataclass(eq=False)
class Watcher:
    """A client that follows a game."""

    secrets: Sequence[str]
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is something newer than it was sent."""

    def held(self, live: Live) -> Sides:
        """The sides whose secrets it has; another client may have taken the seat since."""
        return frozenset(side for secret in self.secrets if (side := live.kept.seat_of(secret)) is not None)


class Audience:
    """All watchers of one game."""

    def __init__(self, live: Live, waking: Waking) -> None:
        self.live = live
        """The newest state of the game."""
        self._waking = waking
        self._watchers: dict[Watcher, None] = {}
        self._seated: dict[Watcher, Sides] = {}
        """Watchers that hold a seat, and which."""
        self.here = Sides()
        """The sides whose people have the game open in a page."""
        self._views: dict[Sides, m.GameView] = {}
        """The view of a watcher that holds these sides."""
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
        """Send a game as it stands now to all watchers, unless they have a newer state."""
        if live is self.live or len(live.kept.events) < len(self.live.kept.events):
            return
        moved = live.kept.seats != self.live.kept.seats
        self.live, self._views = live, {}
        if moved:
            self._seat([watcher for watcher in self._watchers if watcher.secrets])
        self._waking.wake(each.changed for each in self._watchers)

    def view(self, held: Sides = frozenset()) -> m.GameView:
        """The view of a watcher that holds these sides."""
        if held not in self._views:
            self._views[held] = self.live.view(held, self.here)
        return self._views[held]

    def end(self) -> None:
        """End all streams: the game was deleted."""
        self._ended = True
        self._waking.wake(each.changed for each in self._watchers)

    def _seat(self, watchers: Iterable[Watcher]) -> None:
        """Note which seats these watchers hold, and send a new view if that changes who is here."""
        for watcher in watchers:
            if held := watcher.held(self.live):
                self._seated[watcher] = held
            else:
                self._seated.pop(watcher, None)
        here = Sides().union(*self._seated.values())
        if here != self.here:
            self.here, self._views = here, {}
            self._waking.wake(each.changed for each in self._watchers)
