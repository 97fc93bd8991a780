"""Kept games in memory: read from the database once, kept up to date, and sent to their watchers.

Memory is valid as long as this server is the only one that stores, or listens to what others store
(`database/notifications.py`). Otherwise the database is asked for a game's number of events before memory is used.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from plyground.database.connecting import Unavailable, Uncertain
from plyground.database.notifications import Notification
from plyground.errors import BadInput
from plyground.web import models as m
from plyground.web.audience import Audience, Waking
from plyground.web.live import Live
from plyground.web.store import Event, Kept, Store, Taken

REMEMBERED = 1_000
"""Games held in memory beside the database, so that a move need not read all before it."""
Answer = TypeVar("Answer")


class NotFound(BadInput):
    """There is no such game."""


class _Reading:
    """The readings of one game that are under way: right as long as nothing happens to it."""


class Memory:
    """The games of a server. Used from its event loop; the database is read in one thread of its own."""

    def __init__(self, store: Store, requires: Callable[[str], None], leave: Callable[[str], Awaitable[None]]) -> None:
        """Nothing is read yet.

        Args:
            store: the database.
            requires: refuses a game whose code may not be run.
            leave: ends whoever plays a game that is deleted.
        """
        self.store = store
        self._requires, self._players_leave = requires, leave
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="plyground database")
        self._live: dict[str, Live] = {}
        self._audiences: dict[str, Audience] = {}
        self._waking = Waking()
        self._tasks = set[asyncio.Task[None]]()
        self._listening: bool | None = None
        """Whether it listens to other servers; None before it has begun to."""
        self._readings = WeakValueDictionary[str, _Reading]()
        """What is being read, by game, and nothing has happened to since."""

    @property
    def is_sure(self) -> bool:
        """Whether what is in memory is what is stored, but for what is under way."""
        return self.store.is_alone or bool(self._listening)

    async def ask(self, question: Callable[[], Answer]) -> Answer:
        """What the database answers, when it is its turn.

        Raises:
            Unavailable: the database is down or damaged.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, question)

    async def load(self, game: str, newest: bool = False) -> Live:
        """A game as it stands.

        Args:
            game: its id.
            newest: whether another server's last event must not be missing, of which this one is about to hear.

        Raises:
            NotFound: there is no such game.
            Unavailable: the database is down or damaged.
        """
        self._listen()
        if newest or not self.is_sure:
            await self.is_behind(game)
        while game not in self._live:
            reading = self._readings.setdefault(game, _Reading())
            kept = await self.ask(lambda: self.store.load(game))
            if kept is None:
                self._drop(game)
                raise NotFound(f"There is no game {game!r}: it was deleted, or the link is not whole.")
            self._requires(kept.spec)
            if self._readings.get(game) is reading:
                there = self._live.get(game)
                if there is None or len(there.kept.events) < len(kept.events):
                    self._remember(Live.of(kept))
        return self._live[game]

    async def is_behind(self, game: str) -> bool:
        """Whether other servers have stored more than is in memory, which then is left."""
        if self.store.is_alone:
            return False
        live = self._live.get(game)
        if live is None:
            return True
        if await self.ask(lambda: self.store.count(game)) == len(live.kept.events):
            return False
        if self._live.get(game) is live:
            self._leave(game)
        return True

    async def add(
        self, live: Live, happened: Event, changed: Live | None = None, rematch: Kept | None = None
    ) -> m.GameView:
        """Store what happened, then remember it and tell the watchers.

        Args:
            live: the game before it.
            happened: what it was.
            changed: the game with other seats, where that is what happened.
            rematch: a game that begins by it.

        Raises:
            Taken: something else happened first: the game is read again.
            Unavailable: the database did not take it, or may not have taken it.
        """
        after = (changed or live).after(happened)
        await asyncio.shield(self._begin(self._add(live, after, rematch)))  # also if who asked has gone
        return self.seen(after)

    async def _add(self, live: Live, after: Live, rematch: Kept | None) -> None:
        game = live.kept.id
        try:
            await asyncio.wrap_future(self.store.append(after.kept, rematch))
        except Taken:
            self._leave(game)
            raise
        except Uncertain:
            self._renew(game)
            raise
        is_next = self._live.get(game) is live  # else it was left, or a newer event has overtaken this one
        self._leave(game)
        if is_next:
            self._remember(after)
        elif game in self._audiences:
            self._audiences[game].show(after)

    async def delete(self, game: str) -> None:
        """Delete a game; those who follow it are told by the stream's end, and whoever plays it elsewhere is ended.

        Raises:
            Unavailable: the database did not take it, or may not have taken it.
        """
        await asyncio.shield(self._begin(self._delete(game)))  # also if who asked has gone

    async def _delete(self, game: str) -> None:
        try:
            await asyncio.wrap_future(self.store.delete(game))
        except Uncertain:
            self._renew(game)
            raise
        self._drop(game)
        await self._players_leave(game)

    def forget(self, spec: str) -> None:
        """The rules of games have changed: they are read from the database again, and played by the new ones."""
        for game in [game for game, live in self._live.items() if live.kept.spec.startswith(spec)]:
            del self._live[game]

    async def follow(self, game: str, secrets: Sequence[str]) -> AsyncGenerator[m.GameView, None]:
        """A game as it stands, and again whenever it has changed; ends when it is deleted."""
        live = await self.load(game, newest=True)
        audience = self._audiences.setdefault(game, Audience(live, self._waking))
        audience.show(live)
        try:
            async with aclosing(audience.follow(secrets)) as views:
                async for view in views:
                    yield view
        finally:
            if not audience and self._audiences.get(game) is audience:
                del self._audiences[game]

    def seen(self, live: Live) -> m.GameView:
        """A game as one who holds no seat sees it."""
        audience = self._audiences.get(live.kept.id)
        if audience is None:
            return live.view()
        return audience.view() if audience.live is live else live.view(here=audience.here)

    def is_watched(self, game: str) -> bool:
        """Whether an unfinished game has at least one watcher."""
        return game in self._audiences and self._audiences[game].live.kept.why is None

    def close(self) -> None:
        """Finish what is being stored, and close the database."""
        self._thread.shutdown()
        self.store.close()

    def _remember(self, live: Live) -> None:
        game = live.kept.id
        self._live.pop(game, None)
        while len(self._live) >= REMEMBERED:
            self._live.pop(next(iter(self._live)))
        self._live[game] = live
        if game in self._audiences:
            self._audiences[game].show(live)

    def _leave(self, game: str) -> None:
        """What is in memory of a game, and what is being read, counts no more: something has happened since."""
        self._live.pop(game, None)
        self._readings.pop(game, None)

    def _renew(self, game: str) -> None:
        """The same, and those who follow it see what is stored."""
        self._leave(game)
        if game in self._audiences:
            self._begin(self._show_newest(game))

    def _drop(self, game: str) -> None:
        self._leave(game)
        if audience := self._audiences.pop(game, None):
            audience.end()

    # -- other servers -------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Hear of what other servers store, from the first game on."""
        if self._listening is None:
            self._listening = False
            loop = asyncio.get_running_loop()

            def heard(what: Notification | bool) -> None:
                with suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(self._hear, what)

            self.store.listen(heard)

    def _hear(self, what: Notification | bool) -> None:
        if isinstance(what, Notification):
            self._hear_of(what)
        elif what != self._listening:
            self._listening = what
            self._live.clear()  # something may have been missed
            self._readings.clear()
            for game in self._audiences if what else ():
                self._begin(self._show_newest(game))

    def _hear_of(self, notification: Notification) -> None:
        live = self._live.get(notification.game)
        if live is None or not 0 < notification.events <= len(live.kept.events):
            self._renew(notification.game)

    async def _show_newest(self, game: str) -> None:
        """Send watchers of a game what is stored."""
        with suppress(Unavailable, BadInput):  # it is told to whoever asks next
            await self.load(game)

    def _begin(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run something that goes on if its caller is cancelled."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
