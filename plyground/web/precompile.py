"""Precompile searches in the background, one game at a time; requested games come first.

When all are compiled, it builds the WebAssembly modules that pages request; pages work without them until then.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress

from pydantic import BaseModel

from plyground.errors import BadInput
from plyground.web.views import models, module_facts, positions
from plyground.workers.fair_queue import Ender
from plyground.workers.pool import WorkerPool, WorkerStopped
from plyground.workers.pool_worker import Job

REQUEST_HEAD_START = 1.0
"""Seconds between a request and the compilation of its game, so that the first answer has the processor."""
MOST_WAITING = 20
"""Most games in the queue; further ones are compiled by the worker that plays them."""
MODULES = 40
"""Most modules in memory or waited for; the least recently used one is dropped."""


class Precompiler:
    """Compiles searches, or reads them from disk, in a process of its own, which is ended for a more urgent game."""

    def __init__(self, games: Sequence[str]) -> None:
        """Set the games that are compiled when no others are requested."""
        self._idle = list(games)
        self._asked: list[str] = []
        self._ready: set[str] = set()
        self._modules: dict[str, asyncio.Future[module_facts.Module | BadInput]] = {}
        self.now: str = ""
        """The game being compiled."""
        self._building = ""
        """The game whose module is being built."""
        self._is_left = False
        """Whether the module being built is unwanted: an urgent game came, or its rules have changed."""
        self._news = asyncio.Event()
        self._workers = WorkerPool(size=1, waiting=0, gentle=True)

    def ask(self, game: str) -> None:
        """Request a game that is played or shown: compilation of unrequested games is interrupted for it."""
        if game in self._ready or game in self._asked or len(self._asked) >= MOST_WAITING:
            return
        self._asked.append(game)
        self._news.set()
        if (self.now and self.now not in self._asked) or self._building:
            self._make_room()

    def first(self, games: Iterable[str]) -> None:
        """Compile these games before other unrequested ones, and again if they were ready."""
        for game in games:
            self._ready.discard(game)
            self._idle = [game, *(each for each in self._idle if each != game)]
            for spec, module in self._modules.copy().items():
                if spec == game or spec.startswith(f"{game}:"):
                    if module.done():
                        del self._modules[spec]
                    elif spec == self._building:  # with the old rules
                        self._make_room()
        self._news.set()

    async def module(self, game: str) -> module_facts.Module:
        """Wait for the module of a game, which is built once.

        Raises:
            BadInput: it cannot be built, or too many modules are waited for.
        """
        wanted = self._modules.pop(game, None) or asyncio.Future[module_facts.Module | BadInput]()
        if len(self._modules) >= MODULES:
            oldest = next((spec for spec, module in self._modules.items() if module.done()), None)
            if oldest is None:
                raise BadInput("The server is busy: too many modules are waited for already; it answers all the same.")
            del self._modules[oldest]
        self._modules[game] = wanted
        self._news.set()
        found = await asyncio.shield(wanted)  # a cancelled request leaves it to the next
        if isinstance(found, BadInput):
            raise found
        return found

    def module_named(self, name: str) -> module_facts.Module | None:
        """The module of a name, if it is in memory."""
        found = (module.result() for module in self._modules.values() if module.done())
        return next(
            (module for module in found if isinstance(module, module_facts.Module) and module.name == name), None
        )

    async def run(self, players: WorkerPool, count: int) -> None:
        """Compile games until cancelled. When one is ready, `count` workers of `players` load it from disk."""
        while True:
            if self._asked:
                await asyncio.sleep(REQUEST_HEAD_START)
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
            except WorkerStopped:
                if game not in self._asked:  # it was interrupted for a requested game
                    continue
            except (BadInput, RuntimeError):  # the worker that plays it reports it
                pass
            finally:
                self.now = ""
            self._ready.add(game)
            for games in (self._asked, self._idle):
                with suppress(ValueError):
                    games.remove(game)

    async def _build(self, game: str) -> None:
        """Build the module of a game, or read it from disk; games requested meanwhile are compiled first."""
        self._building, self._is_left = game, False
        found: BaseModel | BadInput | None = None
        try:
            found = await _done(self._workers, Job(module_facts.module, models.Named(game=game)))
        except BadInput as fault:
            found = fault
        except (RuntimeError, WorkerStopped) as fault:
            found = BadInput(f"The module of {game} cannot be built: {fault}")
        finally:
            self._building = ""
        if self._is_left:
            return
        assert isinstance(found, module_facts.Module | BadInput)
        self._modules[game].set_result(found)

    def _make_room(self) -> None:
        """Interrupt the current compilation, which starts again when its turn comes."""
        self._is_left = True
        self._workers.kill()

    def close(self) -> None:
        """End the process."""
        self._workers.close()


async def woken(workers: WorkerPool, count: int) -> None:
    """Start `count` workers before a request needs them."""
    job = Job(positions.reply, models.Reply(game="tictactoe", player="first"))
    with suppress(BadInput, WorkerStopped):
        await asyncio.gather(*(_done(workers, job) for _ in range(count)))


async def _done(workers: WorkerPool, job: Job) -> BaseModel | None:
    """Returns the last part of a job's answer."""
    last = None
    async for part in workers.run(job, _never):
        last = part
    return last


def _never(end: Ender) -> None:
    """Take the function that would end the job; no caller ends it."""
