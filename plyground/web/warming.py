"""Searches are compiled before anybody asks, one game at a time, and the one that is asked for first and alone."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress

from plyground.errors import BadInput
from plyground.web import models, positions
from plyground.web.worker import Job
from plyground.web.workers import Ender, Unanswered, Workers

HEAD_START = 1.0
"""Seconds that the first answer has for itself before what was asked for is compiled."""
MOST = 20
"""Games that may wait to be compiled: whoever asks for more is served by the worker that plays."""


class Warming:
    """Compiles, or reads from disk, in a process of its own, which can be ended for what is more urgent."""

    def __init__(self, games: Sequence[str]) -> None:
        """`games` are compiled when nobody asks for others."""
        self._idle = list(games)
        self._asked: list[str] = []
        self._ready: set[str] = set()
        self.now = ""
        """What is being compiled."""
        self._news = asyncio.Event()
        self._workers = Workers(size=1, waiting=0, gentle=True)

    def ask(self, game: str) -> None:
        """Somebody plays or looks at a game: what nobody has asked for makes room for it."""
        if game in self._ready or game in self._asked or len(self._asked) >= MOST:
            return
        self._asked.append(game)
        self._news.set()
        if self.now and self.now not in self._asked:
            self._workers.kill()

    def first(self, games: Iterable[str]) -> None:
        """Compile these before the others that nobody has asked for, and again if they were ready."""
        for game in games:
            self._ready.discard(game)
            self._idle = [game, *(each for each in self._idle if each != game)]
        self._news.set()

    async def run(self, players: Workers, count: int) -> None:
        """Go on until cancelled. When a game is ready, `count` players' workers read it from disk."""
        while True:
            if self._asked:
                await asyncio.sleep(HEAD_START)
            waiting = [*self._asked, *self._idle]
            if not waiting:
                self._workers.close()
                self._news.clear()
                await self._news.wait()
                continue
            self.now = game = waiting[0]
            try:
                job = Job(positions.made_ready, models.At(game=game))
                await _done(self._workers, job)
                await asyncio.gather(*(_done(players, job) for _ in range(count)))
            except Unanswered:
                if game not in self._asked:  # it made room
                    continue
            except (BadInput, RuntimeError):  # whoever plays it is told
                pass
            finally:
                self.now = ""
            self._ready.add(game)
            for games in (self._asked, self._idle):
                with suppress(ValueError):
                    games.remove(game)

    def close(self) -> None:
        """End the process."""
        self._workers.close()


async def woken(workers: Workers, count: int) -> None:
    """Start so many of them, before anybody waits for them."""
    job = Job(positions.reply, models.Reply(game="tictactoe", player="first"))
    with suppress(BadInput, Unanswered):
        await asyncio.gather(*(_done(workers, job) for _ in range(count)))


async def _done(workers: Workers, job: Job) -> None:
    async for _ in workers.run(job, _never):
        pass


def _never(end: Ender) -> None:
    """Nobody ends it."""
