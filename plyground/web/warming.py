"""Searches are compiled before anybody asks, one game at a time, and the one that is asked for first and alone.

When nothing is left to compile, the modules are built that pages ask for: they can do without them.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.web import brought, models, positions
from plyground.web.queue import Ender
from plyground.web.worker import Job
from plyground.web.workers import Unanswered, Workers

HEAD_START = 1.0
"""Seconds that the first answer has for itself before what was asked for is compiled."""
MOST = 20
"""Games that may wait to be compiled: whoever asks for more is served by the worker that plays."""
MODULES = 40
"""Modules that are at hand, or waited for: the one that was wanted longest ago makes room."""


class Warming:
    """Compiles, or reads from disk, in a process of its own, which can be ended for what is more urgent."""

    def __init__(self, games: Sequence[str]) -> None:
        """`games` are compiled when nobody asks for others."""
        self._idle = list(games)
        self._asked: list[str] = []
        self._ready: set[str] = set()
        self._modules: dict[str, asyncio.Future[brought.Module | BadInput]] = {}
        self.now = ""
        """What is being compiled."""
        self._building = ""
        """The game whose module is being built."""
        self._is_left = False
        """Whether what is built is not wanted: it made room, or its rules are other ones by now."""
        self._news = asyncio.Event()
        self._workers = Workers(size=1, waiting=0, gentle=True)

    def ask(self, game: str) -> None:
        """Somebody plays or looks at a game: what nobody has asked for makes room for it."""
        if game in self._ready or game in self._asked or len(self._asked) >= MOST:
            return
        self._asked.append(game)
        self._news.set()
        if (self.now and self.now not in self._asked) or self._building:
            self._make_room()

    def first(self, games: Iterable[str]) -> None:
        """Compile these before the others that nobody has asked for, and again if they were ready."""
        for game in games:
            self._ready.discard(game)
            self._idle = [game, *(each for each in self._idle if each != game)]
            for spec, module in self._modules.copy().items():
                if spec == game or spec.startswith(f"{game}:"):
                    if module.done():
                        del self._modules[spec]
                    elif spec == self._building:  # by the old rules
                        self._make_room()
        self._news.set()

    async def module(self, game: str) -> brought.Module:
        """The module of a game, once it is built; a second time it is at hand.

        Raises:
            BadInput: it cannot be built, or too many are waited for.
        """
        wanted = self._modules.pop(game, None) or asyncio.Future[brought.Module | BadInput]()
        if len(self._modules) >= MODULES:
            oldest = next((spec for spec, module in self._modules.items() if module.done()), None)
            if oldest is None:
                raise BadInput("The server is busy: too many modules are waited for already; it answers all the same.")
            del self._modules[oldest]
        self._modules[game] = wanted
        self._news.set()
        found = await asyncio.shield(wanted)  # whoever leaves leaves it to the next
        if isinstance(found, BadInput):
            raise found
        return found

    def module_named(self, name: str) -> brought.Module | None:
        """The module of a name, if it is at hand."""
        found = (module.result() for module in self._modules.values() if module.done())
        return next((module for module in found if isinstance(module, brought.Module) and module.name == name), None)

    async def run(self, players: Workers, count: int) -> None:
        """Go on until cancelled. When a game is ready, `count` players' workers read it from disk."""
        while True:
            if self._asked:
                await asyncio.sleep(HEAD_START)
            waiting = [*self._asked, *self._idle]
            if not waiting:
                if wanted := next((game for game, module in self._modules.items() if not module.done()), None):
                    await self._build(wanted)
                    continue
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

    async def _build(self, game: str) -> None:
        """Build the module of a game, or read it from disk; whatever is asked for meanwhile is compiled first."""
        self._building, self._is_left = game, False
        found: BaseModel | BadInput | None = None
        try:
            found = await _done(self._workers, Job(brought.module, models.Named(game=game)))
        except BadInput as fault:
            found = fault
        except (RuntimeError, Unanswered) as fault:
            found = BadInput(f"The module of {game} cannot be built: {fault}")
        finally:
            self._building = ""
        if self._is_left:
            return
        assert isinstance(found, brought.Module | BadInput)
        self._modules[game].set_result(found)

    def _make_room(self) -> None:
        """What is under way is begun again when its turn comes."""
        self._is_left = True
        self._workers.kill()

    def close(self) -> None:
        """End the process."""
        self._workers.close()


async def woken(workers: Workers, count: int) -> None:
    """Start so many of them, before anybody waits for them."""
    job = Job(positions.reply, models.Reply(game="tictactoe", player="first"))
    with suppress(BadInput, Unanswered):
        await asyncio.gather(*(_done(workers, job) for _ in range(count)))


async def _done(workers: Workers, job: Job) -> BaseModel | None:
    """The last part of a job's answer."""
    last = None
    async for part in workers.run(job, _never):
        last = part
    return last


def _never(end: Ender) -> None:
    """Nobody ends it."""
