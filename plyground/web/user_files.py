"""User files of a server: games, searches and players, checked at the start and after each change.

A changed file needs no restart, since it is loaded again each time that a spec names it. It is checked once, in a
process of its own; the fault found is then the answer to every request that names it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from pathlib import Path

from plyground.errors import BadInput
from plyground.faults import error_words
from plyground.games import GAMES, game_named
from plyground.laws.verdict import require_lawful
from plyground.players import PLAYERS
from plyground.search import ALGORITHMS
from plyground.spec import Choice, file_of_user_spec, name_in_user_file
from plyground.spec.user_modules import files_read
from plyground.web.views import menu_models
from plyground.web.views import models as m
from plyground.web.views.positions import game_choice
from plyground.workers.pool import WorkerPool, WorkerStopped
from plyground.workers.pool_worker import Job

FILE_CHECK_SECONDS = 0.2
"""Seconds between two checks of the files. A changed file that is the same at two checks is written completely."""


def check_object(args: m.Named) -> Iterator[menu_models.OwnView]:
    """Load the object that a spec names in a file, and check its laws if it is a game."""
    # This runs in a process of its own after the start: code of a file that was just saved may hang
    # or end its process.
    kind, game, fault = "", None, ""
    notes: tuple[str, ...] = ()
    try:
        if maker := GAMES.maker_in(args.game):
            kind, game = "game", game_choice(Choice(args.game, maker, "your own"))
            notes = require_lawful(game_named(args.game))
        elif ALGORITHMS.has_in(args.game):
            kind = "search"
        elif PLAYERS.has_in(args.game):
            kind = "player"
        else:
            file, name = file_of_user_spec(args.game), name_in_user_file(args.game)
            fault = f"{file} has no game, no search and no player {name}"
    except BadInput as wrong:
        fault = str(wrong)
    except Exception as wrong:  # its author's code may raise anything
        fault = f"{args.game} cannot be made: {error_words(wrong)}."
    yield menu_models.OwnView(
        spec=args.game,
        name=name_in_user_file(args.game),
        kind=kind,  # type: ignore[arg-type]
        saved=_stamp(file_of_user_spec(args.game)),
        fault=fault,
        notes=list(notes),
        game=game,
    )


class UserFiles:
    """The games, searches and players in user files, and their faults. Used from the server's event loop."""

    def __init__(self, specs: Sequence[str], renewed: Callable[[str], None]) -> None:
        """Check all of them; `renewed` is called with the spec of each that has changed and is sound."""
        self._on_renewed = renewed
        self.views: dict[str, menu_models.OwnView] = {spec: next(check_object(m.Named(game=spec))) for spec in specs}
        self._workers = WorkerPool(size=1, waiting=len(specs))
        self._followers: set[asyncio.Queue[menu_models.OwnsView]] = set()

    def require_sound(self, spec: str) -> None:
        """Refuse a spec whose file has a fault.

        Raises:
            BadInput: the file cannot be loaded, or its game breaks a law.
        """
        for own, view in self.views.items():
            # A spec with options counts, too: the fault is the file's.
            if view.fault and (spec == own or spec.startswith(f"{own}:")):
                raise BadInput(view.fault)

    async def watch(self) -> None:
        """Check the files for changes until cancelled."""
        known = {file_of_user_spec(spec): (view.saved, view.saved) for spec, view in self.views.items()}
        while known:
            await asyncio.sleep(FILE_CHECK_SECONDS)
            for file, (seen, before) in known.items():
                now = _stamp(file)
                # Editors write in several steps: only what is the same twice is loaded, or half a
                # file would be a fault.
                if now != seen and now == before:
                    seen = now
                    for spec in self.views:
                        if file_of_user_spec(spec) == file:
                            await self._check_again(spec)
                    # Queues without a bound: these are pages of the file's author, and changes are
                    # rare.
                    for queue in self._followers:
                        queue.put_nowait(self._all_views())
                known[file] = seen, now

    async def stream_user_files(self) -> AsyncGenerator[menu_models.OwnsView, None]:
        """Yields all user files with their faults, now and after each change."""
        queue: asyncio.Queue[menu_models.OwnsView] = asyncio.Queue()
        self._followers.add(queue)
        try:
            yield self._all_views()
            while True:
                yield await queue.get()
        finally:
            self._followers.discard(queue)

    def close(self) -> None:
        """End the process."""
        self._workers.close()

    async def _check_again(self, spec: str) -> None:
        try:
            async for found in self._workers.run(Job(check_object, m.Named(game=spec)), lambda end: None):
                assert isinstance(found, menu_models.OwnView)
                # a file that cannot be loaded keeps its kind and game
                old = self.views[spec]
                kept = {"kind": found.kind or old.kind, "game": found.game or old.game}
                self.views[spec] = found.model_copy(update=kept)
        except (WorkerStopped, RuntimeError, BadInput) as fault:
            self.views[spec] = self.views[spec].model_copy(update={"fault": f"{spec}: {fault}"})
        if not self.views[spec].fault:
            self._on_renewed(spec)

    def _all_views(self) -> menu_models.OwnsView:
        return menu_models.OwnsView(things=list(self.views.values()))


def _stamp(file: Path) -> str:
    """Times and sizes of a file and of those beside it that it imports: they change when one is saved."""
    return " ".join(map(_stamp_of_one, files_read(file)))


def _stamp_of_one(file: Path) -> str:
    try:
        found = file.stat()
    except OSError:
        return "missing"
    return f"{found.st_mtime_ns}-{found.st_size}"
