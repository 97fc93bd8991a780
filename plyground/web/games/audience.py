"""Watchers of a game, and the views sent to them: one view for all, only the newest, in small groups.

Sending to a thousand sockets takes 50 ms and more. So a few listeners are woken at a time, with a pause before the next
ones: a request takes about ten iterations of the event loop, and none of these waits for more than a few views. A slow
reader gets the newest view when it has read the last one, and none of those between.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from plyground.web.games.game_state import GameState
from plyground.web.views import models as m

AT_A_TIME = 20
"""Listeners woken in one iteration of the event loop."""
SLICE_PAUSE = 0.002
"""Seconds between some listeners and the next: a thousand are woken in a sixth of a second."""
CLOCKS_HOLD = 0.1
"""Seconds for which clocks in a view are exact enough."""
HeldSides = frozenset[int]
"""Some of the sides 0 and 1."""


class Waker:
    """Wakes listeners, a few at a time, in the order in which they were named.

    Args:
        pause: seconds between some and the next.
    """

    def __init__(self, pause: float = SLICE_PAUSE) -> None:
        self._pause = pause
        self._waiting: dict[asyncio.Event, None] = {}
        self._task: asyncio.Task[None] | None = None

    def wake(self, listeners: Iterable[asyncio.Event]) -> None:
        """Set these events soon, each once."""
        # The events are in a dict, not a list: who waits already is woken once for two changes, and
        # keeps its place.
        self._waiting |= dict.fromkeys(listeners)
        # The first events are set at once: a game with a few watchers has no pause.
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


# Watchers are compared by identity: two tabs of one person are two watchers.
@dataclass(eq=False)
class Watcher:
    """A client that follows a game."""

    secrets: Sequence[str]
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is a newer view than the last one sent."""

    def held_sides(self, state: GameState) -> HeldSides:
        """The sides whose secrets this client has; another client may have taken the seat since."""
        return state.sides_of(self.secrets)


class Audience:
    """All watchers of one game."""

    def __init__(self, state: GameState, waking: Waker) -> None:
        self.state: GameState = state
        """The newest state of the game."""
        self._waking = waking
        self._watchers: dict[Watcher, None] = {}
        self._seated: dict[Watcher, HeldSides] = {}
        """Watchers that hold a seat, and which."""
        self.here: HeldSides = HeldSides()
        """Sides whose players have the game open in a page."""
        self._views: dict[HeldSides, m.GameView] = {}
        """The view of a watcher that holds these sides."""
        self._oldest_view_at = 0.0
        """Earliest time at which one of these views may have been made, where there are clocks."""
        self._ended = False

    def __len__(self) -> int:
        return len(self._watchers)

    async def stream_views(self, secrets: Sequence[str]) -> AsyncGenerator[m.GameView, None]:
        """Yields the game's view now and after each change; ends when the game is deleted."""
        watcher = Watcher(secrets)
        watcher.changed.set()
        self._watchers[watcher] = None
        self._update_seats([watcher])
        try:
            while True:
                await watcher.changed.wait()
                # The event is cleared before the view is made: a change that comes while it is sent is not lost.
                watcher.changed.clear()
                if self._ended:
                    return
                yield self.view(self._seated.get(watcher, HeldSides()))
        finally:
            del self._watchers[watcher]
            if self._seated.pop(watcher, None):
                self._update_seats([])

    def show(self, state: GameState) -> None:
        """Send a game's current state to all watchers, unless they have a newer one."""
        # Events are only ever added, so a state with fewer of them is older, whatever order they
        # came in.
        if state is self.state or len(state.saved.events) < len(self.state.saved.events):
            return
        moved = state.saved.seats != self.state.saved.seats
        self.state, self._views, self._oldest_view_at = state, {}, monotonic()
        if moved:
            self._update_seats([watcher for watcher in self._watchers if watcher.secrets])
        self._waking.wake(each.changed for each in self._watchers)

    def view(self, held: HeldSides = frozenset()) -> m.GameView:
        """The view of a watcher that holds these sides."""
        if self.state.clock and monotonic() - self._oldest_view_at > CLOCKS_HOLD:
            self._views, self._oldest_view_at = {}, monotonic()  # its clocks have run on
        # A game has four views at most, one for each set of sides, however many watch.
        if held not in self._views:
            self._views[held] = self.state.view(held, self.here)
        return self._views[held]

    def end(self) -> None:
        """End all streams: the game was deleted."""
        self._ended = True
        self._waking.wake(each.changed for each in self._watchers)

    def _update_seats(self, watchers: Iterable[Watcher]) -> None:
        """Update the seats that these watchers hold, and send a new view if that changes the sides present."""
        for watcher in watchers:
            if held := watcher.held_sides(self.state):
                self._seated[watcher] = held
            else:
                self._seated.pop(watcher, None)
        here = HeldSides().union(*self._seated.values())
        if here != self.here:
            self.here, self._views = here, {}
            self._waking.wake(each.changed for each in self._watchers)
