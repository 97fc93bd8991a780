"""Learning from self-play that pages start: one game at a time, in a process of low priority."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncGenerator, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.learning.levels import LATEST, RUN_FILE, level_file, read_run, run_folder, runs_root
from plyground.sandbox.sandbox import Supervisor, workers_environment
from plyground.spec import is_own
from plyground.web.views.learning import LearningView, RunView
from plyground.web.views.models import Named, Nothing

MATCH_NODES = 1_000
"""Nodes that an opponent searches for a move, at each level the same."""
LONGEST_PROGRESS_BYTES = 1 << 20
"""Bytes of a line in which the process says how it stands."""
NO_LEARNING = "Visitors of this server cannot start learning; those of plyground web --learn can."


class SelfPlay:
    """Runs of learning on this server, running or stopped. Used from the server's event loop."""

    def __init__(self, is_named: Callable[[str], bool], *, is_open: bool) -> None:
        """Read the runs of earlier processes.

        Args:
            is_named: whether a game in a file was named on the command line.
            is_open: whether pages may start learning.
        """
        self.is_open = is_open
        self.players = dict[str, str]()
        """Specs of opponents by their names."""
        self._is_named = is_named
        self._runs = dict[str, RunView]()
        self._running = ""
        self._supervisor: Supervisor | None = None
        self._task: asyncio.Task[None] | None = None
        self._followers = set[asyncio.Queue[LearningView]]()
        for file in sorted(runs_root().glob(f"*/{RUN_FILE}")):
            with suppress(ValueError, KeyError, TypeError):  # a sentence, or of another form
                self._read_run(file)

    def _read_run(self, file: Path) -> None:
        """Add the run of a folder, if its game is available here and its rules are the same now."""
        said = read_run(file)
        spec = str(said["game"])
        # The folder's name has the rules' fingerprint: weights learned by other rules would play
        # nonsense.
        if (not is_own(spec) or self._is_named(spec)) and run_folder(game_named(spec)) == file.parent:
            self._update_run(said, file.parent)

    def _update_run(self, said: dict[str, Any], folder: Path) -> None:
        """Update a run from a message of the process: its state, and its new opponents."""
        if "fault" in said:
            self._runs[self._running] = self._runs[self._running].model_copy(update=said | {"stage": "stopped"})
            return
        spec, players = said["game"], dict[str, str]()
        for level in (*said["levels"], LATEST) if said["bytes"] else ():
            name = f"{spec} after {int(level):,} games" if level != LATEST else f"{spec} as learned so far"
            self.players[name] = f"engine:nodes={MATCH_NODES},eval={level_file(folder, level)}"
            players[level] = name
        file = f"/learned/{folder.name}.weights" if said["bytes"] else ""
        self._runs[spec] = RunView.model_validate(said | {"players": players, "file": file})

    @property
    def view(self) -> LearningView:
        """State of all runs."""
        return LearningView(open=self.is_open, running=self._running, runs=list(self._runs.values()))

    async def stream_runs(self, args: Nothing) -> AsyncGenerator[LearningView, None]:
        """Yields the state of all runs, now and after changes; to a slow reader only the newest."""
        queue: asyncio.Queue[LearningView] = asyncio.Queue()
        self._followers.add(queue)
        try:
            yield self.view
            while True:
                view = await queue.get()
                # A reader that was slow gets the newest state alone.
                while not queue.empty():
                    view = queue.get_nowait()
                yield view
        finally:
            self._followers.discard(queue)

    def _notify_followers(self) -> None:
        view = self.view
        for queue in self._followers:
            queue.put_nowait(view)

    async def start(self, args: Named) -> LearningView:
        """Begin to learn a game, or go on.

        Raises:
            BadInput: this server does not, or another game is being learned, or there is no such game.
        """
        if not self.is_open:
            raise BadInput(NO_LEARNING)
        # Runs are one at a time: learning takes a processor for minutes, which visitors' searches
        # need as well.
        if self._task:
            raise BadInput(f"{self._running} is being learned here, and one game is at a time: stop that first.")
        game = game_named(args.game)
        folder = run_folder(game)
        empty = {"plies": 0, "seconds": 0.0, "has_own": True, "bytes": 0, "positions": 0, "own": 0.0, "at_random": 0.0}
        beginning: dict[str, Any] = {"game": args.game, "names": game.names, "stage": "beginning", "games": 0, **empty}
        old = self._runs.get(args.game)
        said = old.model_dump(exclude={"players", "file", "fault"}) if old else beginning
        self._running = args.game
        self._update_run({"kept": [], "matches": [], "levels": {}} | said | {"stage": "beginning"}, folder)
        self._task = asyncio.create_task(self._run(args.game, folder))
        self._notify_followers()
        return self.view

    async def stop(self, args: Nothing) -> LearningView:
        """End the process that learns; its saved state stays.

        Raises:
            BadInput: this server is closed to that.
        """
        if not self.is_open:
            raise BadInput(NO_LEARNING)
        if self._task and self._supervisor:
            self._supervisor.end()
            await asyncio.wait([self._task])
        return self.view

    def close(self) -> None:
        """End the process."""
        if self._supervisor:
            self._supervisor.end()
        if self._task:
            self._task.cancel()

    def weights(self, name: str) -> Path | None:
        """The newest file of weights of a folder; None if there is none."""
        for run in self._runs.values():
            if run.file == f"/learned/{name}.weights":
                return level_file(runs_root() / name, LATEST)
        return None

    async def _run(self, spec: str, folder: Path) -> None:
        """Run the process that learns, from its start to its end."""
        # A process of its own, at low priority, that ends with this one in any case.
        words = [sys.executable, "-m", "plyground.arena.learning.curve", spec, str(folder)]
        try:
            with closing(Supervisor(words, ends_all=True, gentle=True)) as self._supervisor:
                await self._read_messages(self._supervisor, folder)
        except OSError as fault:
            self._update_run({"fault": f"No process can be started: {fault.strerror or fault}."}, folder)
        finally:
            self._supervisor, self._task, self._running = None, None, ""
            stood = self._runs[spec]
            if stood.stage not in ("ended", "stopped"):
                self._runs[spec] = stood.model_copy(update={"stage": "stopped"})
            self._notify_followers()

    async def _read_messages(self, supervisor: Supervisor, folder: Path) -> None:
        """Start the supervised process, and read its messages to its end."""
        process = await asyncio.create_subprocess_exec(
            *supervisor.command,
            stdin=DEVNULL,
            stdout=PIPE,
            limit=LONGEST_PROGRESS_BYTES,
            env=workers_environment(),
            **supervisor.options,
        )
        supervisor.attach(process.pid)
        assert process.stdout is not None
        try:
            # Each line is the whole state, so one that is lost costs nothing.
            while line := await process.stdout.readline():
                self._update_run(json.loads(line), folder)
                self._notify_followers()
        finally:
            supervisor.end()
            await process.wait()
