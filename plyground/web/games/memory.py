"""Cache of saved games: read from the database once, updated by each event, and sent to watchers.

The cache is valid while this server is the only one that stores games, or gets notifications from the others
(`database/notifications.py`). Otherwise a game's number of events is read from the database before the cache is used.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from plyground.database.connecting import Unavailable, Uncertain
from plyground.database.notifications import Notification
from plyground.errors import BadInput
from plyground.web.games.audience import Audience, Waker
from plyground.web.games.game_state import GameState
from plyground.web.games.replays import Replays
from plyground.web.games.store import Event, GameStore, SavedGame, Taken
from plyground.web.views import models as m
from plyground.web.views.positions import hold_position
from plyground.workers.fair_queue import ASKING, Asker, FairQueue
from plyground.workers.shares import SERVER, Visitor

QUESTIONS_WAITING = 10_000
"""Questions to the database that wait: one address has half of them at most."""
GAMES_IN_MEMORY = 1_000
"""Games held in memory, so that a move need not read all moves before it."""
Answer = TypeVar("Answer")


class NotFound(BadInput):
    """There is no such game."""


class Memory:
    """The games of a server. Used from its event loop; the database is read in one thread of its own."""

    def __init__(
        self,
        store: GameStore,
        requires: Callable[[str], None],
        leave: Callable[[str], Awaitable[None]],
        remembered: Callable[[GameState], None],
    ) -> None:
        """Nothing is read yet.

        Args:
            store: the database.
            requires: refuses a game whose code may not be run.
            leave: ends the external players of a game that is deleted.
            remembered: called with each newest state of a game.
        """
        self.store = store
        self.replays: Replays = Replays()
        self._remembered = remembered
        self._requires, self._players_leave = requires, leave
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="plyground database")
        self._states: dict[str, GameState] = {}
        self._audiences: dict[str, Audience] = {}
        self._followed: dict[Visitor, list[tuple[Audience, Sequence[str]]]] = {}
        """Games that each connection follows, with the secrets of its seats."""
        self._waking = Waker()
        self._tasks = set[asyncio.Task[None]]()
        self._listening: bool | None = None
        """Whether it gets notifications from other servers; None before it has begun to listen."""
        self._readings: dict[str, asyncio.Task[None]] = {}
        """Reads in progress, by game; an entry is removed by any event of its game."""
        self._questions = FairQueue(1, QUESTIONS_WAITING, "questions to the database")

    @property
    def is_cache_valid(self) -> bool:
        """Whether the cache equals the database, except for writes in progress."""
        return self.store.is_alone or bool(self._listening)

    async def ask(self, question: Callable[[], Answer]) -> Answer:
        """Run a query in the database's thread, in turn with those of other visitors. Returns its result.

        Raises:
            Unavailable: the database is down or damaged.
        """
        async with self._questions.place(ASKING.get(Asker()).visitor):
            return await asyncio.get_running_loop().run_in_executor(self._thread, question)

    async def load(self, game: str, newest: bool = False) -> GameState:
        """Returns the current state of a game.

        Args:
            game: the game's id.
            newest: whether to include another server's last event although its notification has not come yet.

        Raises:
            NotFound: there is no such game.
            Unavailable: the database is down or damaged.
        """
        self._listen()
        # A count of events is read, not the game: most games have not changed.
        if newest or not self.is_cache_valid:
            await self.is_behind(game)
        while game not in self._states:
            # One read serves all who wait: after a restart a whole class asks for the same game.
            reading = self._readings.get(game)
            if reading is None:
                reading = self._readings[game] = asyncio.create_task(self._read_game(game))
                reading.add_done_callback(_retrieve_exception)
            await asyncio.shield(reading)  # others may wait for it
        return self._states[game]

    async def _read_game(self, game: str) -> None:
        """Read a game into the cache, once for all requests that wait, unless an event of the game comes first."""
        try:
            saved = await self.ask(lambda: self.store.load(game))
            if saved is None:
                self._end_deleted(game)
                raise NotFound(f"There is no game {game!r}: it was deleted, or the link is incomplete.")
            self._requires(saved.spec)
            state = await self.replays.state(saved)
            # An event that came meanwhile has removed this entry: what was read is older than that,
            # and is left; `load` reads again.
            if self._readings.get(game) is asyncio.current_task():
                there = self._states.get(game)
                if there is None or len(there.saved.events) < len(saved.events):
                    self._remember(state)
        finally:
            if self._readings.get(game) is asyncio.current_task():
                del self._readings[game]

    async def begin_game(self, saved: SavedGame) -> m.GameView:
        """Take a game into the cache that has just been stored. Returns its view for a client without a seat."""
        self._listen()
        state = await self.replays.state(saved)
        if saved.id not in self._states:
            self._remember(state)
        return self.spectator_view(self._states[saved.id])

    async def is_behind(self, game: str) -> bool:
        """Whether other servers have stored newer events than the cache has; the cached game is then dropped."""
        if self.store.is_alone:
            return False
        state = self._states.get(game)
        if state is None:
            return True
        # The database is asked before a refusal counts: another server may have stored a move a moment ago.
        if await self.ask(lambda: self.store.count(game)) == len(state.saved.events):
            return False
        if self._states.get(game) is state:
            self._drop_cached_game(game)
        return True

    async def add(
        self, state: GameState, happened: Event, changed: GameState | None = None, rematch: SavedGame | None = None
    ) -> m.GameView:
        """Store an event, then update the cache and send the new state to the watchers.

        Args:
            state: the game before the event.
            happened: the event.
            changed: the game with other seats, if the event changes seats.
            rematch: a game that begins by the event.

        Raises:
            Taken: another event came first; the game is read again.
            Unavailable: the database refused the event, or may not have stored it.
        """
        after = (changed or state).after(happened)
        await asyncio.shield(self.begin(self._store_after(state, after, rematch)))  # also if the caller is cancelled
        return self.spectator_view(after)

    async def _store_after(self, state: GameState, after: GameState, rematch: SavedGame | None) -> None:
        game = state.saved.id
        try:
            await asyncio.wrap_future(self.store.append(after.saved, rematch))
        except Taken:
            self._drop_cached_game(game)
            raise
        # The event may be stored or not: memory must not guess, so the game is read again before
        # anything else is decided.
        except Uncertain:
            self._reload_for_watchers(game)
            raise
        is_next = self._states.get(game) is state  # else it was dropped, or a newer event was first
        self._drop_cached_game(game)
        if is_next:
            self._remember(after)
        # A newer state may be shown already, which `show` finds out by the number of events.
        elif game in self._audiences:
            self._audiences[game].show(after)

    async def delete(self, game: str) -> None:
        """Delete a game. Its streams end, and so do its external players.

        Raises:
            Unavailable: the database refused it, or may not have stored it.
        """
        await asyncio.shield(self.begin(self._delete(game)))  # also if the caller is cancelled

    async def _delete(self, game: str) -> None:
        try:
            await asyncio.wrap_future(self.store.delete(game))
        except Uncertain:
            self._reload_for_watchers(game)
            raise
        self._end_deleted(game)
        await self._players_leave(game)

    def forget(self, spec: str) -> None:
        """Drop cached games whose rules have changed, so that they are read again and replayed by the new rules."""
        for game in [game for game, state in self._states.items() if state.saved.spec.startswith(spec)]:
            del self._states[game]

    async def stream_game(
        self, game: str, secrets: Sequence[str], visitor: Visitor = SERVER
    ) -> AsyncGenerator[m.GameView, None]:
        """Yields a game's view to a visitor now and after each change; ends when the game is deleted."""
        state = await self.load(game, newest=True)
        # Watchers get the newest state from the start: a page that comes back must not see an older one than it had.
        audience = self._audiences.setdefault(game, Audience(state, self._waking))
        audience.show(state)
        followed = self._followed.setdefault(visitor, [])
        followed.append(here := (audience, secrets))
        try:
            async with aclosing(audience.stream_views(secrets)) as views:
                async for view in views:
                    yield view
        finally:
            followed.remove(here)
            if not followed:
                self._followed.pop(visitor, None)
            if not audience and self._audiences.get(game) is audience:
                del self._audiences[game]

    def list_followed_games(self, visitor: Visitor) -> Iterator[tuple[GameState, frozenset[int]]]:
        """The games that a visitor's connection follows, and the sides that it holds there."""
        for audience, secrets in self._followed.get(visitor, ()):
            yield audience.state, audience.state.sides_of(secrets)

    def spectator_view(self, state: GameState) -> m.GameView:
        """View of a game for a client without a seat."""
        audience = self._audiences.get(state.saved.id)
        if audience is None:
            return state.view()
        return audience.view() if audience.state is state else state.view(here=audience.here)

    def is_watched(self, game: str) -> bool:
        """Whether an unfinished game has at least one watcher."""
        return game in self._audiences and self._audiences[game].state.saved.why is None

    def close(self) -> None:
        """Finish pending writes, and close the database."""
        self._thread.shutdown()
        self.store.close()

    def _remember(self, state: GameState) -> None:
        game = state.saved.id
        self._states.pop(game, None)
        # The first in the dict is the one used least recently; a game that is asked for again is
        # read again.
        while len(self._states) >= GAMES_IN_MEMORY:
            self._states.pop(next(iter(self._states)))
        self._states[game] = state
        here = state.position
        hold_position(m.At(game=state.saved.spec, start=state.saved.start, moves=here.words), here)
        self._remembered(state)
        if game in self._audiences:
            self._audiences[game].show(state)

    def _drop_cached_game(self, game: str) -> None:
        """Drop a game from the cache, with reads in progress, since it has changed."""
        self._states.pop(game, None)
        self._readings.pop(game, None)

    def _reload_for_watchers(self, game: str) -> None:
        """Drop a game from the cache, and send its watchers the stored state."""
        self._drop_cached_game(game)
        if game in self._audiences:
            self.begin(self._show_newest(game))

    def _end_deleted(self, game: str) -> None:
        self._drop_cached_game(game)
        if audience := self._audiences.pop(game, None):
            audience.end()

    # -- other servers -------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Begin to listen to other servers' notifications, at the first game."""
        if self._listening is None:
            self._listening = False
            loop = asyncio.get_running_loop()

            def hear(what: Notification | bool) -> None:
                with suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(self._on_notification, what)

            self.store.listen(hear)

    def _on_notification(self, what: Notification | bool) -> None:
        if isinstance(what, Notification):
            self._on_changed_game(what)
        elif what != self._listening:
            self._listening = what
            self._states.clear()  # notifications may have been missed
            self._readings.clear()
            for game in self._audiences if what else ():
                self.begin(self._show_newest(game))

    def _on_changed_game(self, notification: Notification) -> None:
        state = self._states.get(notification.game)
        # A number 0 says that the game was deleted. A number that is here already brings nothing new.
        if state is None or not 0 < notification.events <= len(state.saved.events):
            self._reload_for_watchers(notification.game)

    async def _show_newest(self, game: str) -> None:
        """Send the watchers of a game its stored state."""
        with suppress(Unavailable, BadInput):  # the next request reports it
            await self.load(game)

    def begin(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run a coroutine as a task that continues if its caller is cancelled."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _retrieve_exception(reading: "asyncio.Task[None]") -> None:
    """Retrieve the exception of a read whose callers have gone, so that asyncio does not log it."""
    if not reading.cancelled():
        reading.exception()
