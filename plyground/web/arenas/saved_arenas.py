"""Saved arenas for the page: lists, standings and games, also of arenas that are running.

A thread of its own reads them, so that no write of a move waits for a thousand games. Standings take long, so they are
computed again only when there are new games, and for at most a tenth of the time.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Engine

from plyground.arena.report.standings import BRIEF_COLUMNS, Standings, standings
from plyground.arena.report.testing import stand_of_test
from plyground.arena.results import Arena, Judged, Played, Task
from plyground.arena.store import ArenaCounts, Store
from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.position import Position, moves_text
from plyground.web.arenas import arena_models as c
from plyground.web.games.saved_games import NotFound
from plyground.web.views.positions import SIDES, view

if TYPE_CHECKING:
    from plyground.arena.fleet import FleetStand


CHANGE_PAUSE = 1.0
"""Seconds between two views sent to the followers of an arena."""
RECOMPUTE_FACTOR = 10
"""Standings stay for at least this multiple of the time that computing them took."""
ARENAS_IN_MEMORY = 64
"""Arenas whose standings are held in memory."""
LIVE_BOARDS = 12
"""Most games in progress that are shown."""
QUIET_AFTER = 60.0
"""Seconds without a move or a result after which an unfinished arena is shown as stopped."""

COLUMN_VIEWS = [
    c.ColumnView(
        key=column.key, heading=column.words, explanation=column.explanation, left=column.is_left or column.is_drawn
    )
    for column in BRIEF_COLUMNS
]
"""The columns that a page shows."""

UNNAMED = re.compile("[0-9a-f]{12}")
"""Id of an arena without a name."""

Answer = TypeVar("Answer")


@dataclass
class _Standings:
    """Computed standings, and the state of the arena that they are for."""

    of: object
    until: float
    """Time before which they are not computed again."""
    shown: dict[str, Any]
    """Fields of a view that come of them."""
    notes: list[str]


class SavedArenas:
    """All arenas of a database. Used from the server's event loop; a thread reads the database."""

    def __init__(self, engine: Engine) -> None:
        self._store = Store(engine)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="plyground arenas")
        self._tables: dict[str, _Standings] = {}
        self._recent_views: dict[str, tuple[float, c.ArenaView]] = {}
        self.requires: Callable[[str], None] = lambda spec: None
        """Refuses a game whose code may not be run."""
        self.fleet: Callable[[], FleetStand] | None = None
        """Tells how the fleet stands that this server shows, if it shows one."""

    async def page(self, args: c.Arenas) -> c.ArenasView:
        """The arenas, newest first."""
        return await self._ask(lambda: self._page(args))

    async def open(self, args: c.ArenaQuery) -> c.ArenaView:
        """Returns an arena's view."""
        return await self._ask(lambda: self.view(args.id))

    async def stream_arena(self, args: c.ArenaQuery) -> AsyncGenerator[c.ArenaView, None]:
        """Yields an arena's view now and after changes, read every `CHANGE_PAUSE` seconds."""
        told = None
        while True:
            now = await self.open(args)
            # The same object is the same view: nothing is compared, and nothing sent.
            if now is not told:
                yield now
            told = now
            await asyncio.sleep(CHANGE_PAUSE)

    async def games(self, args: c.ArenaGames) -> c.ArenaGamesView:
        """Some games of an arena, newest first."""
        return await self._ask(lambda: self._games(args))

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(cancel_futures=True)

    async def _ask(self, question: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, question)

    # -- in the thread -------------------------------------------------------------------------------------------------

    def _page(self, args: c.Arenas) -> c.ArenasView:
        arenas = self._store.arenas()
        chosen = arenas[args.offset : args.offset + args.limit]
        lines = [self._view_line(each, self._store.counts(each.id)) for each in chosen]
        fleet = self.fleet() if self.fleet else None
        shown = None if fleet is None else c.FleetView.model_validate(asdict(fleet))
        return c.ArenasView(total=len(arenas), arenas=lines, fleet=shown)

    def _view_line(self, arena: Arena, stand: ArenaCounts) -> c.ArenaLine:
        return c.ArenaLine(
            **_line_fields(arena, stand), test=self._table(arena, stand).shown["test"] if arena.test else ""
        )

    def _arena(self, number: str) -> Arena:
        arena = self._store.arena(number)
        if arena is None:
            raise NotFound(f"There is no arena {number!r}: it was deleted, or the link is incomplete.")
        return arena

    def view(self, number: str) -> c.ArenaView:
        """View of an arena, shared by all its followers while it is new."""
        at, seen = self._recent_views.get(number, (0.0, None))
        # A view is shared a little less long than the pause: followers come in step with it, and
        # must not find the old view by a hair.
        if seen and time.monotonic() < at + 0.9 * CHANGE_PAUSE:
            return seen
        arena = self._arena(number)
        stand = self._store.counts(number)
        table = self._table(arena, stand)
        game, missing = self._game(arena)
        made = c.ArenaView(
            **_line_fields(arena, stand),
            format=arena.format,
            openings=arena.openings,
            limits=arena.limits,
            **table.shown,
            void=stand.void,
            notes=[*table.notes, *missing],
            drawn=game is not None,
            live=[_live_view(arena, game, *each) for each in self._store.live(number)[:LIVE_BOARDS]],
        )
        if seen and seen.json_text == made.json_text:
            made = seen  # nothing has changed for its followers
        _store_bounded(self._recent_views, number, (time.monotonic(), made))
        return made

    def _table(self, arena: Arena, stand: ArenaCounts) -> _Standings:
        table = self._tables.get(arena.id)
        of = stand.games, stand.judged, stand.void
        opening_position = time.monotonic()
        if table and (table.of == of or opening_position < table.until):
            return table
        names = [each.name for each in arena.entrants]
        found = standings(names, self._store.games(arena.id))
        test = stand_of_test(arena.test, names[0], names[1], found) if arena.test else None
        shown = {
            "columns": COLUMN_VIEWS,
            "cells": found.cells(),
            "ranks": found.records(digits=4),
            "cross": _cross_table(found),
            "test": test.brief if test else "",
            "tested": test.lines if test else [],
        }
        now = time.monotonic()
        # Standings take at most a tenth of the time, however large the arena.
        made = _Standings(of, now + RECOMPUTE_FACTOR * (now - opening_position), shown, found.notes)
        _store_bounded(self._tables, arena.id, made)
        return made

    def _game(self, arena: Arena) -> tuple[AnyGame | None, list[str]]:
        """The game, or None and why it cannot be drawn: code of a user file runs only if the server was given it."""
        try:
            self.requires(arena.game)
            return game_named(arena.game), []
        except BadInput as fault:
            return None, [f"Its games cannot be opened here. {fault}"]

    def _games(self, args: c.ArenaGames) -> c.ArenaGamesView:
        game, _ = self._game(self._arena(args.id))
        # A row more than was asked for says whether there is a next page, without counting all.
        found = self._store.newest_games(
            args.id,
            args.limit + 1,
            before=args.before,
            of=[name for name in (args.entrant, args.against) if name],
            faults=args.only == "faults",
            blunders=args.only == "blunders",
        )
        shown = found[: args.limit]
        following = shown[-1].task.number if len(found) > args.limit else None
        return c.ArenaGamesView(games=[_game_view(game, each) for each in shown], next=following)


def _store_bounded(held: dict[str, Answer], number: str, what: Answer) -> None:
    """Store a result for an arena, and drop the oldest ones."""
    held.pop(number, None)
    held[number] = what
    while len(held) > ARENAS_IN_MEMORY:
        held.pop(next(iter(held)))


def _line_fields(arena: Arena, stand: ArenaCounts) -> dict[str, Any]:
    """Fields of an arena in a list."""
    quiet = (datetime.now(UTC) - timedelta(seconds=QUIET_AFTER)).isoformat(timespec="milliseconds")
    return {
        "id": arena.id,
        "name": "" if UNNAMED.fullmatch(arena.id) else arena.id,
        "game": arena.game,
        "entrants": len(arena.entrants),
        "played": stand.games - stand.void,
        "planned": arena.planned,
        "state": "over" if arena.why is not None else "going" if max(stand.at, arena.created) > quiet else "resting",
        "why": arena.why,
        "created": arena.created,
    }


def _live_view(arena: Arena, game: AnyGame | None, task: Task, moves: tuple[str, ...]) -> c.LiveView:
    """View of a game in progress."""
    position = None
    with suppress(BadInput):  # the game is played by other rules
        if game:
            here = opening_position(game, task.opening)
            for move in moves:
                here = here.play(move)
            position = view(arena.game, here)
    return c.LiveView(number=task.number, x=task.x, o=task.o, plies=len(moves), position=position)


@lru_cache(maxsize=4096)
def opening_position(game: AnyGame, opening: str) -> Position:
    """The position of an opening."""
    return Position.parse(game, opening)


def _game_view(game: AnyGame | None, played: Played) -> c.ArenaGame:
    """A game with the moves of its opening."""
    start, first = "", list[str]()
    with suppress(BadInput):
        if game:
            here = opening_position(game, played.task.opening)
            start = here.start_text
            first = moves_text(here.undo(len(here.moves)), here.moves)
    return c.ArenaGame(
        number=played.task.number,
        x=played.task.x,
        o=played.task.o,
        start=start,
        moves=[*first, *played.moves],
        opening=len(first),
        utility=None if played.void else played.utility,
        why=played.why,
        fault=None if played.fault is None else SIDES[played.fault],
        ending=played.ending,
        words=played.words,
        blunders=[_blunder_view(each, len(first)) for each in played.judged or () if each.is_blunder],
    )


def _blunder_view(judged: Judged, opening: int) -> c.BlunderView:
    return c.BlunderView(
        ply=opening + judged.ply,
        side=SIDES[judged.mover],
        move=judged.move,
        before=judged.before,
        after=judged.after,
        exact=judged.exact,
        held=list(judged.held),
    )


def _cross_table(found: Standings) -> c.Cross:
    met = {pair: (against.points, against.games) for pair, against in found.cross.items() if against.games}
    return [[met.get((one.name, other.name)) for other in found.rows] for one in found.rows]
