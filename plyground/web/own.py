"""What the command line named in files: held to the laws when the server starts, and again whenever a file is saved.

A saved file needs no restart, for a file is read anew whenever something in it is named. What is wrong with it is found
out once, in a process of its own, and then said to whoever names it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from pathlib import Path

from plyground.blame import in_words
from plyground.errors import BadInput
from plyground.games import GAMES, game_named
from plyground.laws import require_lawful
from plyground.players import PLAYERS
from plyground.search import ALGORITHMS
from plyground.spec import Choice, own_file, own_name
from plyground.web import choices
from plyground.web import models as m
from plyground.web.positions import game_choice
from plyground.web.worker import Job
from plyground.web.workers import Unanswered, Workers

LOOK = 0.2
"""Seconds between two looks at the files. One that is the same twice after a change has been written to its end."""


def looked_at(args: m.Named) -> Iterator[choices.OwnView]:
    """What a text names in a file, held to the laws if it is a game."""
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
            file, name = own_file(args.game), own_name(args.game)
            fault = f"{file} has no game, no search and no player {name}"
    except BadInput as wrong:
        fault = str(wrong)
    except Exception as wrong:  # its author's code may raise anything
        fault = f"{args.game} cannot be made: {in_words(wrong)}."
    yield choices.OwnView(
        spec=args.game,
        name=own_name(args.game),
        kind=kind,  # type: ignore[arg-type]
        saved=_stamp(own_file(args.game)),
        fault=fault,
        notes=list(notes),
        game=game,
    )


class Own:
    """The things in files that a page may choose, and how they stand. Used from the server's event loop."""

    def __init__(self, specs: Sequence[str], renewed: Callable[[str], None]) -> None:
        """Look at each of them; `renewed` is told of one whose file has been saved, and is in order."""
        self._renewed = renewed
        self.views = {spec: next(looked_at(m.Named(game=spec))) for spec in specs}
        self._workers = Workers(size=1, waiting=len(specs))
        self._followers: set[asyncio.Queue[choices.OwnsView]] = set()

    def require_sound(self, spec: str) -> None:
        """Refuse what is wrong, in the sentence that says why.

        Raises:
            BadInput: its file cannot be loaded, or it breaks a law.
        """
        for own, view in self.views.items():
            if view.fault and (spec == own or spec.startswith(f"{own}:")):
                raise BadInput(view.fault)

    async def watch(self) -> None:
        """Look at the files until cancelled."""
        known = {own_file(spec): (view.saved, view.saved) for spec, view in self.views.items()}
        while known:
            await asyncio.sleep(LOOK)
            for file, (seen, before) in known.items():
                now = _stamp(file)
                if now != seen and now == before:
                    seen = now
                    for spec in self.views:
                        if own_file(spec) == file:
                            await self._look_again(spec)
                    for queue in self._followers:
                        queue.put_nowait(self._all())
                known[file] = seen, now

    async def follow(self) -> AsyncGenerator[choices.OwnsView, None]:
        """How they stand, and again whenever a file has been saved."""
        queue: asyncio.Queue[choices.OwnsView] = asyncio.Queue()
        self._followers.add(queue)
        try:
            yield self._all()
            while True:
                yield await queue.get()
        finally:
            self._followers.discard(queue)

    def close(self) -> None:
        """End the process."""
        self._workers.close()

    async def _look_again(self, spec: str) -> None:
        try:
            async for found in self._workers.run(Job(looked_at, m.Named(game=spec)), lambda end: None):
                assert isinstance(found, choices.OwnView)
                # what cannot be loaded is what it was
                old = self.views[spec]
                kept = {"kind": found.kind or old.kind, "game": found.game or old.game}
                self.views[spec] = found.model_copy(update=kept)
        except (Unanswered, RuntimeError, BadInput) as fault:
            self.views[spec] = self.views[spec].model_copy(update={"fault": f"{spec}: {fault}"})
        if not self.views[spec].fault:
            self._renewed(spec)

    def _all(self) -> choices.OwnsView:
        return choices.OwnsView(things=list(self.views.values()))


def _stamp(file: Path) -> str:
    """What changes when a file is saved."""
    try:
        found = file.stat()
    except OSError:
        return "missing"
    return f"{found.st_mtime_ns}-{found.st_size}"
