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
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field
from sqlalchemy import Engine

from plyground.arena import wording
from plyground.arena.results import Arena as Kept
from plyground.arena.results import Judged, Outcome, Played, Task
from plyground.arena.standings import standings
from plyground.arena.store import Stand, Store
from plyground.arena.tally import Row
from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.position import Position, moves_text
from plyground.web import models as m
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

ArenaId = Annotated[str, Field(min_length=1, max_length=64)]
EntrantName = Annotated[str, Field(max_length=200)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Cross = list[list[tuple[float, int] | None]]
Answer = TypeVar("Answer")


class Arenas(m.Model):
    """The arenas, newest first."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class ArenaLine(m.Model):
    """An arena in a list."""

    id: str
    name: str
    """As it was named on the command line; empty where it was not."""
    game: str
    entrants: int
    played: int
    planned: int | None
    """Games in all, where the schedule knows that."""
    state: Literal["going", "over", "resting"]
    """Whether games are played, all is over, or it has stopped, so that the same command would go on with it."""
    why: str | None
    """How it ended, in words."""
    created: str


class ArenasView(m.Model):
    """A page of arenas, and how many there are in all."""

    total: int
    arenas: list[ArenaLine]


class Arena(m.Model):
    """An arena to look at."""

    id: ArenaId


class RankView(m.Model):
    """How an entrant stands, in numbers to draw and in the words of every table."""

    rank: int
    name: str
    games: int
    """Without void ones."""
    wins: int
    draws: int
    losses: int
    points: float
    """A win is 1, a draw 1/2."""
    elo: float | None = None
    """The mean of all is 0; null where nothing tells it."""
    low: float | None = None
    """Where its interval of 95 % begins; null where it has no bound."""
    high: float | None = None
    rating: str = ""
    """Its Elo in words: `+55`, or a bound, `≥ +317`."""
    interval: str = ""
    superiority: str = ""
    """The likelihood that it is stronger than the next in the table."""
    blunders: str = ""
    """How many moves gave value away, of those that had some to give; empty where none is judged."""
    faults: str = ""
    """Games that a fault of theirs ended, by its kind."""


class LiveView(m.Model):
    """A game under way."""

    number: int
    x: str
    o: str
    plies: int
    """Since the opening."""
    position: m.PositionView | None
    """Null where the game cannot be drawn here."""


class ArenaView(ArenaLine):
    """An arena as it stands."""

    format: str
    openings: str
    """Where its games begin, in words; empty for the initial position."""
    limits: str
    """What time and room its players have, in words."""
    ranks: list[RankView]
    """The best first."""
    cross: Cross
    """By two places in `ranks`: the points of the first from games against the second, and how many those were."""
    void: int
    """Games that count for nobody; they are played again when the arena goes on."""
    notes: list[str]
    """Sentences that belong to the numbers: what they do not say, what is missing, and what would bring it."""
    drawn: bool
    """Whether the game can be drawn here: one in somebody's own file only if the server was started with it."""
    live: list[LiveView]


class ArenaGames(Arena):
    """Games of an arena, newest first."""

    entrant: EntrantName = ""
    """Only games that this one played; of anybody if empty."""
    against: EntrantName = ""
    """And that this one played as well."""
    only: Literal["", "blunders", "faults"] = ""
    """Only those in which a move gave value away, or that a fault ended."""
    before: Count | None = None
    """Only games of lower numbers: the `next` of the page before."""
    limit: Annotated[int, Field(ge=1, le=100)] = 25


class BlunderView(m.Model):
    """A move that gave value away."""

    ply: int
    """Which of the game's `moves` it is, from 1."""
    side: m.Side
    move: str
    before: Outcome
    """What the position was worth to them."""
    after: Outcome
    exact: bool
    """Whether that is certain; else a deep search says so."""
    held: list[str]
    """The moves that would have kept the value."""


class ArenaGame(m.Model):
    """A game of an arena that is over."""

    number: int
    x: str
    o: str
    start: str
    moves: list[str]
    """With those of the opening."""
    opening: int
    """How many of the moves are the opening's."""
    utility: int | None
    """For x; null in a game that counts for nobody."""
    why: str
    fault: m.Side | None
    """Whose fault ended it."""
    words: str
    """The last words of a program at fault."""
    blunders: list[BlunderView]


class ArenaGamesView(m.Model):
    """Some games of an arena."""

    games: list[ArenaGame]
    next: int | None
    """Before which number more are found; null if there are none."""


# -- reading -----------------------------------------------------------------------------------------------------------


@dataclass
class _Table:
    """Standings, and of what."""

    of: object
    until: float
    """When they may be worked out anew."""
    ranks: list[RankView]
    cross: Cross
    notes: list[str]


class KeptArenas:
    """All arenas of a database. Used from the server's event loop; what is read is read in a thread."""

    def __init__(self, engine: Engine) -> None:
        self._store = Store(engine)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="plyground arenas")
        self._tables: dict[str, _Table] = {}
        self._seen: dict[str, tuple[float, ArenaView]] = {}
        self.requires: Callable[[str], None] = lambda spec: None
        """Refuses a game whose code may not be run."""

    async def page(self, args: Arenas) -> ArenasView:
        """The arenas, newest first."""
        return await self._ask(lambda: self._page(args))

    async def open(self, args: Arena) -> ArenaView:
        """An arena as it stands."""
        return await self._ask(lambda: self.view(args.id))

    async def follow(self, args: Arena) -> AsyncGenerator[ArenaView, None]:
        """An arena as it stands, and again whenever it has changed, looked at every `PAUSE`."""
        told = None
        while True:
            now = await self.open(args)
            if now != told:
                yield now
            told = now
            await asyncio.sleep(PAUSE)

    async def games(self, args: ArenaGames) -> ArenaGamesView:
        """Some games of an arena, newest first."""
        return await self._ask(lambda: self._games(args))

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(cancel_futures=True)

    async def _ask(self, question: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, question)

    # -- in the thread -------------------------------------------------------------------------------------------------

    def _page(self, args: Arenas) -> ArenasView:
        kept = self._store.arenas()
        chosen = kept[args.offset : args.offset + args.limit]
        lines = [ArenaLine(**_line(each, self._store.stands(each.id))) for each in chosen]
        return ArenasView(total=len(kept), arenas=lines)

    def _kept(self, number: str) -> Kept:
        kept = self._store.arena(number)
        if kept is None:
            raise NotFound(f"There is no arena {number!r}: it was deleted, or the link is not whole.")
        return kept

    def view(self, number: str) -> ArenaView:
        """An arena as it stands; what all who look at it share, as long as it is new."""
        at, seen = self._seen.get(number, (0.0, None))
        if seen and time.monotonic() < at + 0.9 * PAUSE:
            return seen
        kept = self._kept(number)
        stand = self._store.stands(number)
        table = self._table(kept, stand)
        game = self._game(kept)
        made = ArenaView(
            **_line(kept, stand),
            format=kept.format,
            openings=kept.openings,
            limits=kept.limits,
            ranks=table.ranks,
            cross=table.cross,
            void=stand.void,
            notes=table.notes,
            drawn=game is not None,
            live=[_live(kept, game, *each) for each in self._store.live(number)[:BOARDS]],
        )
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

    def _game(self, kept: Kept) -> AnyGame | None:
        """The game, if it can be drawn here."""
        try:
            self.requires(kept.game)
            return game_named(kept.game)
        except BadInput:
            return None

    def _games(self, args: ArenaGames) -> ArenaGamesView:
        game = self._game(self._kept(args.id))
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
        return ArenaGamesView(games=[_game_view(game, each) for each in shown], next=following)


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


def _live(kept: Kept, game: AnyGame | None, task: Task, moves: tuple[str, ...]) -> LiveView:
    """A game under way."""
    position = None
    if game:
        here = began(game, task.opening)
        for move in moves:
            here = here.play(move)
        position = view(kept.game, here)
    return LiveView(number=task.number, x=task.x, o=task.o, plies=len(moves), position=position)


@lru_cache(maxsize=4096)
def began(game: AnyGame, opening: str) -> Position:
    """The position of an opening."""
    return Position.parse(game, opening)


def _game_view(game: AnyGame | None, played: Played) -> ArenaGame:
    """A game with the moves of its opening."""
    start, first = "", []
    if game:
        here = began(game, played.task.opening)
        start = "" if here.start == here.game.initial() else here.game.text(here.start)
        first = moves_text(here.undo(len(here.moves)), here.moves)
    return ArenaGame(
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


def _blunder(judged: Judged, opening: int) -> BlunderView:
    return BlunderView(
        ply=opening + judged.ply,
        side=SIDES[judged.mover],
        move=judged.move,
        before=judged.before,
        after=judged.after,
        exact=judged.exact,
        held=list(judged.held),
    )


# -- tables ------------------------------------------------------------------------------------------------------------


def tables(names: Sequence[str], games: Sequence[Played]) -> tuple[list[RankView], Cross, list[str]]:
    """The standings, who scored what against whom, and what is to be said of them. Without the library that ratings
    need, points alone, and a sentence that says so.
    """
    try:
        found = standings(names, games)
    except BadInput as missing:
        return *_counted(names, games), [f"Only points are told here. {missing}"]
    ranks = [_rank(row) for row in found.rows]
    met = {pair: (against.points, against.games) for pair, against in found.cross.items() if against.games}
    return ranks, _crossed(ranks, met), found.notes


def _rank(row: Row) -> RankView:
    def bounded(elo: float) -> float | None:
        return round(elo, 1) if row.games and math.isfinite(elo) else None

    return RankView(
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


def _counted(names: Sequence[str], games: Sequence[Played]) -> tuple[list[RankView], Cross]:
    """Points alone."""
    met: dict[tuple[str, str], list[float]] = {}
    for game in games:
        for seat, pair in enumerate(((game.task.x, game.task.o), (game.task.o, game.task.x))):
            score = game.score(seat)
            if score is not None:
                met.setdefault(pair, []).append(score)
    scores = {name: [score for (one, _), each in met.items() if one == name for score in each] for name in names}
    ordered = sorted(names, key=lambda name: -sum(scores[name]))
    ranks = [
        RankView(
            rank=1 + sum(sum(other) > sum(scores[name]) for other in scores.values()),
            name=name,
            games=len(scores[name]),
            wins=scores[name].count(1.0),
            draws=scores[name].count(0.5),
            losses=scores[name].count(0.0),
            points=sum(scores[name]),
        )
        for name in ordered
    ]
    return ranks, _crossed(ranks, {pair: (sum(each), len(each)) for pair, each in met.items()})


def _crossed(ranks: Sequence[RankView], met: Mapping[tuple[str, str], tuple[float, int]]) -> Cross:
    return [[met.get((one.name, other.name)) for other in ranks] for one in ranks]
