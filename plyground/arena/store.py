"""Arenas in the database: the recipe of each, its games as they end, and those under way.

A game is a row, and a row is on disk before the game counts; a number is in an arena once, which the database sees to.
Void games are rows too, so that they are seen; they make room when the arena goes on.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from sqlalchemy import Engine, Row, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from plyground.arena.results import Arena, Audited, Entrant, Judged, Played, Task, missing_files_text
from plyground.arena.statistics.sprt import SPRT
from plyground.database.connecting import Unstored, connect, now, reading_connection, reason
from plyground.database.lock import exclusive_lock
from plyground.database.schema import ARENA, ARENA_AUDIT, ARENA_GAME, ARENA_LIVE
from plyground.errors import BadInput
from plyground.play.ending import Ending
from plyground.play.move_note import note_of
from plyground.play.proof import from_json, to_json

Recipe = Mapping[str, Any]
"""Settings that identify an arena, as JSON has them: rules, entrants and their files, openings, limits, seed."""


@dataclass(frozen=True)
class ArenaCounts:
    """Numbers of an arena's games."""

    games: int
    judged: int
    void: int
    at: str
    """Time of the last change, in UTC, as ISO 8601; empty if there was none."""


class Store:
    """The arenas of a database."""

    def __init__(self, database: str | Engine) -> None:
        """Open it; its tables are made, or brought to this version.

        Args:
            database: by its URL, or as it is.

        Raises:
            BadInput: there is no such database, or it cannot be reached.
            TooNew: a later plyground has made its tables.
        """
        self._engine = connect(database) if isinstance(database, str) else database

    @property
    def engine(self) -> Engine:
        """The database itself."""
        return self._engine

    # -- looking -------------------------------------------------------------------------------------------------------

    def arenas(self) -> list[Arena]:
        """All arenas, newest first."""
        with reading_connection(self._engine) as connection:
            rows = connection.execute(select(ARENA).order_by(ARENA.c.created.desc(), ARENA.c.id))
            return [_arena(row) for row in rows]

    def audits(self, arena: str) -> list[Audited]:
        """The audits of an arena's entrants."""
        rows = select(ARENA_AUDIT).where(ARENA_AUDIT.c.arena == arena).order_by(ARENA_AUDIT.c.name, ARENA_AUDIT.c.side)
        with reading_connection(self._engine) as connection:
            return [
                Audited(row.name, row.side, None if row.found is None else from_json(row.found), row.why)
                for row in connection.execute(rows)
            ]

    def arena(self, arena: str) -> Arena | None:
        """An arena; None if there is none of that id."""
        with reading_connection(self._engine) as connection:
            row = connection.execute(select(ARENA).where(ARENA.c.id == arena)).one_or_none()
        return None if row is None else _arena(row)

    def settings(self, arena: str) -> dict[str, Any] | None:
        """The recipe of an arena; None if there is none of that id."""
        with reading_connection(self._engine) as connection:
            found = connection.execute(select(ARENA.c.settings).where(ARENA.c.id == arena)).scalar_one_or_none()
        return None if found is None else dict(json.loads(found))

    def every_setting(self) -> list[tuple[str, dict[str, Any]]]:
        """Ids and recipes of all arenas, newest first."""
        rows = select(ARENA.c.id, ARENA.c.settings).order_by(ARENA.c.created.desc())
        with reading_connection(self._engine) as connection:
            return [(row.id, dict(json.loads(row.settings))) for row in connection.execute(rows)]

    def games(self, arena: str, after: int = 0) -> list[Played]:
        """An arena's games in the order in which they were written, without the first `after` of them."""
        games = select(ARENA_GAME).where(ARENA_GAME.c.arena == arena).order_by(ARENA_GAME.c.at, ARENA_GAME.c.number)
        with reading_connection(self._engine) as connection:
            return [_read_played(row) for row in connection.execute(games.offset(after))]

    def game(self, arena: str, number: int) -> Played | None:
        """A game by its number; None if it has not been played."""
        wanted = select(ARENA_GAME).where(ARENA_GAME.c.arena == arena, ARENA_GAME.c.number == number)
        with reading_connection(self._engine) as connection:
            row = connection.execute(wanted).one_or_none()
        return None if row is None else _read_played(row)

    def count(self, arena: str) -> int:
        """Number of games of an arena."""
        games = select(func.count()).select_from(ARENA_GAME).where(ARENA_GAME.c.arena == arena)
        with reading_connection(self._engine) as connection:
            return int(connection.execute(games).scalar_one())

    def live(self, arena: str) -> list[tuple[Task, tuple[str, ...]]]:
        """The games under way that have lasted a moment, and their moves so far."""
        rows = select(ARENA_LIVE).where(ARENA_LIVE.c.arena == arena).order_by(ARENA_LIVE.c.number)
        with reading_connection(self._engine) as connection:
            return [(_task(row), tuple(row.moves.split())) for row in connection.execute(rows)]

    def counts(self, arena: str) -> ArenaCounts:
        """Numbers of an arena's games, and the time of its last change."""
        games = select(
            func.count(),
            func.count(ARENA_GAME.c.judged),
            func.count().filter(ARENA_GAME.c.void),
            func.max(ARENA_GAME.c.at),
        ).where(ARENA_GAME.c.arena == arena)
        live = select(func.max(ARENA_LIVE.c.at)).where(ARENA_LIVE.c.arena == arena)
        with reading_connection(self._engine) as connection:
            count, judged, void, at = connection.execute(games).one()
            return ArenaCounts(count, judged, void, max(at or "", connection.execute(live).scalar_one() or ""))

    def newest_games(
        self,
        arena: str,
        limit: int,
        *,
        before: int | None = None,
        of: Sequence[str] = (),
        faults: bool = False,
        blunders: bool = False,
    ) -> list[Played]:
        """Some games of an arena, those of the highest numbers first.

        Args:
            arena: its id.
            limit: how many.
            before: only games of lower numbers.
            of: only games that all of these played, one or two.
            faults: only games that a fault ended.
            blunders: only games in which a move gave value away.
        """
        wanted = [ARENA_GAME.c.arena == arena, *(or_(ARENA_GAME.c.x == name, ARENA_GAME.c.o == name) for name in of)]
        if before is not None:
            wanted.append(ARENA_GAME.c.number < before)
        if faults:
            wanted.append(ARENA_GAME.c.fault.is_not(None))
        if blunders:  # of these alone it is told what would have held
            wanted.append(ARENA_GAME.c.judged.contains('"held": ["', autoescape=True))
        with reading_connection(self._engine) as connection:
            rows = connection.execute(
                select(ARENA_GAME).where(*wanted).order_by(ARENA_GAME.c.number.desc()).limit(limit)
            )
            return [_read_played(row) for row in rows]

    # -- writing -------------------------------------------------------------------------------------------------------

    def begin(
        self,
        arena: str,
        settings: Recipe,
        planned: int | None,
        games: Sequence[Played] = (),
        audits: Sequence[Audited] = (),
    ) -> None:
        """Begin an arena, or go on with it: void games and those under way are removed.

        Args:
            arena: its id.
            settings: its recipe; one that goes on may have more entrants than before.
            planned: games in all, where that is known.
            games: games with which a new one begins.
            audits: and audits.

        Raises:
            BadInput: there is an arena of this name with other settings.
            Unstored: the database does not take it.
        """
        kept = self.settings(arena)
        if kept is not None:
            _require_same(arena, kept, settings)
        statements: list[Any] = [
            delete(ARENA_LIVE).where(ARENA_LIVE.c.arena == arena),
            # A void game has a number, and its row would refuse the game that is played in its place.
            delete(ARENA_GAME).where(ARENA_GAME.c.arena == arena, ARENA_GAME.c.void),
            update(ARENA).where(ARENA.c.id == arena).values(planned=planned, why=None, settings=json.dumps(settings)),
        ]
        if kept is None:
            at = now()
            row = {"id": arena, "created": at, "settings": json.dumps(settings), "planned": planned, "why": None}
            statements.append(insert(ARENA).values(row))
            if games:
                statements.append((insert(ARENA_GAME), [_game_row(arena, each, at) for each in games]))
            if audits:
                statements.append((insert(ARENA_AUDIT), [_audit_row(arena, each) for each in audits]))
        self._write(*statements)

    def add(self, arena: str, games: Sequence[Played]) -> None:
        """Store games that are over; they are on disk on return.

        Raises:
            Unstored: the database does not take them, none of them.
        """
        numbers = [each.task.number for each in games]
        under_way = delete(ARENA_LIVE).where(ARENA_LIVE.c.arena == arena, ARENA_LIVE.c.number.in_(numbers))
        # One time for the batch: rows of one commit are read in the order of their numbers.
        at = now()
        self._write((insert(ARENA_GAME), [_game_row(arena, each, at) for each in games]), under_way)

    def add_audit(self, arena: str, audited: Audited) -> None:
        """Store an audit; it is on disk on return.

        Raises:
            Unstored: the database does not take it.
        """
        self._write(insert(ARENA_AUDIT).values(_audit_row(arena, audited)))

    def judge(self, arena: str, number: int, judged: Sequence[Judged]) -> None:
        """Store the judgement of a game's moves.

        Raises:
            Unstored: the database does not take it.
        """
        game = update(ARENA_GAME).where(ARENA_GAME.c.arena == arena, ARENA_GAME.c.number == number)
        self._write(game.values(judged=_judged_text(judged)))

    def show(self, arena: str, task: Task, moves: Sequence[str]) -> None:
        """Store the moves so far of a game under way, for the page. A failure is ignored, for nothing rests on them."""
        this = (ARENA_LIVE.c.arena == arena, ARENA_LIVE.c.number == task.number)
        row = {"arena": arena, "number": task.number, "x": task.x, "o": task.o, "opening": task.opening}
        row |= {"moves": " ".join(moves), "at": now()}
        # The row is replaced in one transaction, so the page never misses a game.
        with suppress(Unstored):
            self._write(delete(ARENA_LIVE).where(*this), insert(ARENA_LIVE).values(row))

    def end(self, arena: str, why: str | None) -> None:
        """End an arena, or (None) leave it to go on later; nothing of it is under way.

        Raises:
            Unstored: the database does not take it.
        """
        ended = update(ARENA).where(ARENA.c.id == arena).values(why=why and why[:400])
        self._write(ended, delete(ARENA_LIVE).where(ARENA_LIVE.c.arena == arena))

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _write(self, *statements: Any) -> None:
        """Execute all statements or none, on disk on return."""
        try:
            with self._engine.begin() as connection:
                for statement in statements:
                    connection.execute(*(statement if isinstance(statement, tuple) else (statement,)))
        # The primary key is arena and number: a second process that slipped through the lock cannot count a game twice.
        except IntegrityError as fault:
            raise Unstored(f"Another process has played these games: {reason(fault)}.") from None
        except SQLAlchemyError as fault:
            raise Unstored(f"It could not be stored: {reason(fault)}.") from None

    # -- one at a time -------------------------------------------------------------------------------------------------

    def exclusive(self, arena: str) -> AbstractContextManager[None]:
        """Context in which no other process plays this arena; the lock ends with the process, also by a kill.

        Raises:
            BadInput: one does.
        """
        taken = BadInput(
            f"The arena {arena} is being played by another process: wait for it, or look at it in plyground web."
        )
        return exclusive_lock(self._engine, arena, lambda said: taken)


def differing_keys(kept: Recipe, settings: Recipe) -> list[str]:
    """Keys of the settings that differ between two arenas, except those of the entrants."""
    # Through JSON, as the stored one went: a tuple would differ from its list.
    told = json.loads(json.dumps(settings))
    keys = (kept.keys() | told.keys()) - {"entrants", "files"}
    return sorted(key for key in keys if kept.get(key) != told.get(key))


def shared_players(kept: Recipe, settings: Recipe) -> tuple[set[str], list[str]]:
    """Entrants of both of two arenas with the same spec: names of those whose files are equal, and of those whose files
    differ.
    """
    told = json.loads(json.dumps(settings))
    names = [name for name, *spec in told["entrants"] if [name, *spec] in kept["entrants"]]
    before = kept.get("files", {})
    changed = [name for name in names if before.get(name) != told["files"].get(name)]
    return {*names} - {*changed}, changed


def _require_same(arena: str, kept: Recipe, settings: Recipe) -> None:
    """Check that an arena goes on as it was, but for more entrants.

    Raises:
        BadInput: it does not.
    """
    differ = differing_keys(kept, settings)
    same, changed = shared_players(kept, settings)
    missing = [name for name, *_ in kept["entrants"] if name not in same]
    if gone := [said for name in changed if (said := missing_files_text(kept.get("files", {}).get(name, {})))]:
        raise BadInput(f"Arena {arena!r} cannot go on: {', '.join(gone)}.")
    if not differ and changed:
        differ = [f"the files of {', '.join(changed)}"]
    elif not differ and missing:
        differ = [f"{', '.join(missing)}, for players may be added and not left out or changed,"]
    elif "games" in kept and len(same) < len(settings["entrants"]):  # who meets whom depends on who takes part
        differ = ["entrants"]
    if differ:
        raise BadInput(
            f"There is an arena {arena!r} already, and not the same: {', '.join(differ)} differ. Take another --name."
        )


Made = TypeVar("Made")


def _checked_row(read: Callable[[Row[Any]], Made]) -> Callable[[Row[Any]], Made]:
    """A function that reads a row, with a sentence where another program has changed it."""

    def read_row(row: Row[Any]) -> Made:
        try:
            return read(row)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise BadInput(f"The database has an arena that plyground did not write so: {tuple(row)[:2]}.") from None

    return read_row


@_checked_row
def _arena(row: Row[Any]) -> Arena:
    settings = json.loads(row.settings)
    entrants = tuple(Entrant(*told) for told in settings["entrants"])
    words = settings.get("openings_text", ""), settings.get("limits_text", "")
    test = SPRT(*settings["sprt"]) if "sprt" in settings else None
    rest = *words, row.planned, row.why, test
    return Arena(row.id, row.created, settings["game"], entrants, settings["format"], *rest)


def _task(row: Row[Any]) -> Task:
    # Rows of games under way have no pair.
    pair = row.pair if "pair" in row._fields else row.number // 2
    return Task(row.number, pair, row.x, row.o, row.opening)


@_checked_row
def _read_played(row: Row[Any]) -> Played:
    judged = None if row.judged is None else tuple(_read_judged(each) for each in json.loads(row.judged))
    seconds = row.seconds_x, row.seconds_o
    moves = tuple(row.moves.split())
    notes = tuple(map(note_of, (row.notes or "").split()))
    ended = row.utility, row.why, row.fault
    return Played(_task(row), moves, *ended, seconds, row.words, bool(row.void), judged, notes, Ending(row.ending))


def _game_row(arena: str, played: Played, at: str) -> dict[str, Any]:
    task, judged = played.task, played.judged
    row = {"arena": arena, "number": task.number, "x": task.x, "o": task.o, "opening": task.opening, "pair": task.pair}
    row |= {"moves": " ".join(played.moves), "utility": played.utility, "why": played.why, "fault": played.fault}
    row |= {"seconds_x": round(played.seconds[0], 6), "seconds_o": round(played.seconds[1], 6), "words": played.words}
    row["ending"] = played.ending.value
    row["notes"] = " ".join(note.text() for note in played.notes) or None
    return row | {"void": played.void, "judged": None if judged is None else _judged_text(judged), "at": at}


def _audit_row(arena: str, audited: Audited) -> dict[str, Any]:
    found = None if audited.found is None else to_json(audited.found)
    return {"arena": arena, "name": audited.name, "side": audited.side, "found": found, "why": audited.why}


def _judged_text(judged: Sequence[Judged]) -> str:
    return json.dumps([asdict(each) for each in judged])


def _read_judged(row: dict[str, Any]) -> Judged:
    return Judged(**row | {"held": tuple(row["held"])})
