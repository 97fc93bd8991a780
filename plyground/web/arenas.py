"""Arenas as the page sees them: which there are, how one stands, its games. They are read while they run as well.

A thread of its own reads, so nobody who stores a move waits for a thousand games. What takes long, the standings, is
worked out anew only when there are more games, and never for more than a tenth of the time.
"""

import asyncio
import math
import re
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Engine

from plyground.arena import wording
from plyground.arena.results import Arena as Kept
from plyground.arena.results import Judged, Played, Task
from plyground.arena.standings import standings
from plyground.arena.store import Stand, Store
from plyground.arena.tally import Row
from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.position import Position, moves_text
from plyground.web import contests as c
from plyground.web.kept import NotFound
from plyground.web.positions import SIDES, view

PAUSE = 1.0
"""Seconds after which whoever follows an arena is told what has changed."""
SHARE = 10
"""How many times as long as working standings out takes they stand, at least."""
ARENAS = 8
"""Arenas whose standings are held in memory."""
BOARDS = 12
"""Live games that are shown, at most."""
QUIET = 60.0
"""Seconds without a move or a result after which an arena that has no end is said to have stopped."""

UNNAMED = re.compile("[0-9a-f]{12}")
"""The id of an arena that was given no name."""

Answer = TypeVar("Answer")


@dataclass
class _Table:
    """Standings, and of what."""

    of: object
    until: float
    """When they may be worked out anew."""
    ranks: list[c.RankView]
    cross: c.Cross
    notes: list[str]


class KeptArenas:
    """All arenas of a database. Used from the server's event loop; what is read is read in a thread."""

    def __init__(self, engine: Engine) -> None:
        self._store = Store(engine)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="plyground arenas")
        self._tables: dict[str, _Table] = {}
        self._seen: dict[str, tuple[float, c.ArenaView]] = {}
        self.requires: Callable[[str], None] = lambda spec: None
        """Refuses a game whose code may not be run."""

    async def page(self, args: c.Arenas) -> c.ArenasView:
        """The arenas, newest first."""
        return await self._ask(lambda: self._page(args))

    async def open(self, args: c.Arena) -> c.ArenaView:
        """An arena as it stands."""
        return await self._ask(lambda: self.view(args.id))

    async def follow(self, args: c.Arena) -> AsyncGenerator[c.ArenaView, None]:
        """An arena as it stands, and again whenever it has changed, looked at every `PAUSE`."""
        told = None
        while True:
            now = await self.open(args)
            if now is not told:
                yield now
            told = now
            await asyncio.sleep(PAUSE)

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
        kept = self._store.arenas()
        chosen = kept[args.offset : args.offset + args.limit]
        lines = [c.ArenaLine(**_line(each, self._store.stands(each.id))) for each in chosen]
        return c.ArenasView(total=len(kept), arenas=lines)

    def _kept(self, number: str) -> Kept:
        kept = self._store.arena(number)
        if kept is None:
            raise NotFound(f"There is no arena {number!r}: it was deleted, or the link is not whole.")
        return kept

    def view(self, number: str) -> c.ArenaView:
        """An arena as it stands; what all who look at it share, as long as it is new."""
        at, seen = self._seen.get(number, (0.0, None))
        if seen and time.monotonic() < at + 0.9 * PAUSE:
            return seen
        kept = self._kept(number)
        stand = self._store.stands(number)
        table = self._table(kept, stand)
        game, missing = self._game(kept)
        made = c.ArenaView(
            **_line(kept, stand),
            format=kept.format,
            openings=kept.openings,
            limits=kept.limits,
            ranks=table.ranks,
            cross=table.cross,
            void=stand.void,
            notes=[*table.notes, *missing],
            drawn=game is not None,
            live=[_live(kept, game, *each) for each in self._store.live(number)[:BOARDS]],
        )
        if seen and seen.as_json() == made.as_json():
            made = seen  # nothing has changed for those who follow it
        _hold(self._seen, number, (time.monotonic(), made))
        return made

    def _table(self, kept: Kept, stand: Stand) -> _Table:
        table = self._tables.get(kept.id)
        of = stand.games, stand.judged, stand.void
        began = time.monotonic()
        if table and (table.of == of or began < table.until):
            return table
        ranks, cross, notes = tables([each.name for each in kept.entrants], self._store.games(kept.id))
        now = time.monotonic()
        made = _Table(of, now + SHARE * (now - began), ranks, cross, notes)
        _hold(self._tables, kept.id, made)
        return made

    def _game(self, kept: Kept) -> tuple[AnyGame | None, list[str]]:
        """The game, if it can be drawn here, else why not: the code in somebody's file is not run for whoever looks."""
        try:
            self.requires(kept.game)
            return game_named(kept.game), []
        except BadInput as fault:
            return None, [f"Its games cannot be opened here. {fault}"]

    def _games(self, args: c.ArenaGames) -> c.ArenaGamesView:
        game, _ = self._game(self._kept(args.id))
        found = self._store.newest(
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


def _hold(held: dict[str, Answer], number: str, what: Answer) -> None:
    """Hold what is known of an arena, and let go of the one that was held first."""
    held.pop(number, None)
    held[number] = what
    while len(held) > ARENAS:
        held.pop(next(iter(held)))


def _line(kept: Kept, stand: Stand) -> dict[str, Any]:
    """What a list tells of an arena."""
    quiet = (datetime.now(UTC) - timedelta(seconds=QUIET)).isoformat(timespec="milliseconds")
    return {
        "id": kept.id,
        "name": "" if UNNAMED.fullmatch(kept.id) else kept.id,
        "game": kept.game,
        "entrants": len(kept.entrants),
        "played": stand.games - stand.void,
        "planned": kept.planned,
        "state": "over" if kept.why is not None else "going" if max(stand.at, kept.created) > quiet else "resting",
        "why": kept.why,
        "created": kept.created,
    }


def _live(kept: Kept, game: AnyGame | None, task: Task, moves: tuple[str, ...]) -> c.LiveView:
    """A game under way."""
    position = None
    with suppress(BadInput):  # the rules are not those by which it is played
        if game:
            here = began(game, task.opening)
            for move in moves:
                here = here.play(move)
            position = view(kept.game, here)
    return c.LiveView(number=task.number, x=task.x, o=task.o, plies=len(moves), position=position)


@lru_cache(maxsize=4096)
def began(game: AnyGame, opening: str) -> Position:
    """The position of an opening."""
    return Position.parse(game, opening)


def _game_view(game: AnyGame | None, played: Played) -> c.ArenaGame:
    """A game with the moves of its opening."""
    start, first = "", list[str]()
    with suppress(BadInput):
        if game:
            here = began(game, played.task.opening)
            start = "" if here.start == here.game.initial() else here.game.text(here.start)
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
        words=played.words,
        blunders=[_blunder(each, len(first)) for each in played.judged or () if each.is_blunder],
    )


def _blunder(judged: Judged, opening: int) -> c.BlunderView:
    return c.BlunderView(
        ply=opening + judged.ply,
        side=SIDES[judged.mover],
        move=judged.move,
        before=judged.before,
        after=judged.after,
        exact=judged.exact,
        held=list(judged.held),
    )


# -- tables ------------------------------------------------------------------------------------------------------------


def tables(names: Sequence[str], games: Sequence[Played]) -> tuple[list[c.RankView], c.Cross, list[str]]:
    """The standings, who scored what against whom, and what is to be said of them."""
    found = standings(names, games)
    ranks = [_rank(row) for row in found.rows]
    met = {pair: (against.points, against.games) for pair, against in found.cross.items() if against.games}
    return ranks, _crossed(ranks, met), found.notes


def _rank(row: Row) -> c.RankView:
    def bounded(elo: float) -> float | None:
        return round(elo, 1) if row.games and math.isfinite(elo) else None

    return c.RankView(
        rank=row.rank,
        name=row.name,
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        points=row.points,
        elo=bounded(row.elo),
        low=bounded(row.low),
        high=bounded(row.high),
        rating=wording.elo_text(row),
        interval=wording.interval_text(row),
        superiority=wording.los_text(row.superiority),
        blunders=wording.blunders_text(row.blunders),
        faults=wording.faults_text(row.faults),
    )


def _crossed(ranks: Sequence[c.RankView], met: Mapping[tuple[str, str], tuple[float, int]]) -> c.Cross:
    return [[met.get((one.name, other.name)) for other in ranks] for one in ranks]
