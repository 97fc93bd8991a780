"""Modules of games that pages ask for: built one at a time, in a process of low priority."""

import asyncio
from contextlib import suppress

from plyground.errors import BadInput
from plyground.web.views import models, module_facts, positions
from plyground.workers.fair_queue import Ender
from plyground.workers.pool import WorkerPool, WorkerStopped
from plyground.workers.pool_worker import Job

MOST_MODULES = 40
"""Most modules in memory or waited for; the least recently used one is dropped."""

GameModule = module_facts.Module | BadInput
"""A module, or why there is none."""


class GameModules:
    """Modules by the specs of their games."""

    # One at a time: a module takes a processor for a second or three, which searches of visitors need as well.
    def __init__(self) -> None:
        self._modules: dict[str, asyncio.Task[GameModule]] = {}
        self._workers = WorkerPool(size=1, waiting=MOST_MODULES, gentle=True)

    async def module(self, game: str) -> module_facts.Module:
        """Wait for the module of a game; pages work without it until then.

        Raises:
            BadInput: it cannot be built, or too many modules are waited for.
        """
        # The entry is taken out and put back: the order of the dict is that of use.
        task = self._modules.pop(game, None)
        if task is None:
            if len(self._modules) >= MOST_MODULES:
                # A module that is being built is kept: a page waits for it.
                oldest = next((spec for spec, each in self._modules.items() if each.done()), None)
                if oldest is None:
                    raise BadInput("The server is busy: too many modules are waited for; it answers all the same.")
                del self._modules[oldest]
            task = asyncio.create_task(self._build(game))
        self._modules[game] = task
        module = await asyncio.shield(task)  # a cancelled request leaves it to the next
        if isinstance(module, BadInput):
            raise module
        return module

    def forget_modules(self, game: str) -> None:
        """Forget the modules of a game whose rules have changed."""
        # Modules of specs with options go, too: every spec of the file's game has the old rules.
        self._modules = {spec: task for spec, task in self._modules.items() if spec.partition(":")[0] != game != spec}

    def module_named(self, name: str) -> module_facts.Module | None:
        """The module of a name, if it is in memory."""
        built = [task.result() for task in self._modules.values() if task.done() and not task.cancelled()]
        return next((each for each in built if isinstance(each, module_facts.Module) and each.name == name), None)

    async def _build(self, game: str) -> GameModule:
        """Build the module of a game, or read it from disk."""
        module: GameModule = BadInput(f"The module of {game} cannot be built.")
        try:
            async for part in self._workers.run(Job(module_facts.module, models.Named(game=game)), _ignore_end):
                assert isinstance(part, module_facts.Module)
                module = part
        except BadInput as fault:
            return fault
        except (RuntimeError, WorkerStopped) as fault:
            return BadInput(f"The module of {game} cannot be built: {fault}")
        return module

    def close(self) -> None:
        """End the process."""
        self._workers.close()


async def start_workers(workers: WorkerPool, count: int) -> None:
    """Start `count` workers before a request needs them."""
    # The smallest job that makes a worker import what replies need.
    job = Job(positions.reply, models.Reply(game="tictactoe", player="first"))

    async def answer() -> None:
        async for _ in workers.run(job, _ignore_end):
            pass

    with suppress(BadInput, WorkerStopped):
        await asyncio.gather(*(answer() for _ in range(count)))


def _ignore_end(end: Ender) -> None:
    """Take the function that would end the job; no caller ends it."""
