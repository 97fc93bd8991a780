"""Verbs in which players compete: arena."""

import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground.arena.marking.marks import ClassMarks
from plyground.arena.marking.weights import weights_in
from plyground.arena.report.outputs import Handouts
from plyground.arena.report.standings import BRIEF_COLUMNS, Standings
from plyground.arena.report.wording import games_text
from plyground.arena.results import Played
from plyground.arena.schedule import FORMATS
from plyground.arena.settings import Settings
from plyground.errors import BadInput, clause_of
from plyground.play.ending import Ending
from plyground.programs.error_output import quotation
from plyground.terminal.arguments import (
    INTERRUPTED,
    AsJson,
    Jobs,
    Scheduler,
    complete_game,
    complete_player,
    named_game,
    print_json,
)
from plyground.terminal.board import err, out, plain_table, progress
from plyground.terminal.record_options import with_options
from plyground.workers.scheduler import SchedulerGone

if TYPE_CHECKING:
    from plyground.arena.tournament import Tournament

TEST_SECONDS = 0.5
"""Seconds between two looks at how a test stands, while it runs."""


@with_options(settings=Settings, handouts=Handouts)
def arena(
    *,
    game: Annotated[str, typer.Argument(help="the game; see plyground games", autocompletion=complete_game)],
    player: Annotated[
        list[str] | None,
        typer.Argument(
            help='two or more: alphabeta:depth=2, or with a name "ann=program:python ann.py"',
            autocompletion=complete_player,
        ),
    ] = None,
    players: Annotated[Path | None, typer.Option(help="a TOML file of players: [[player]] name, spec, options")] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", help=f"{', '.join(FORMATS)}; by default class with --grades or --pages, else round-robin"
        ),
    ] = "",
    settings: Callable[..., Settings],
    weights: Annotated[
        list[str] | None,
        typer.Option("--weight", help="weight of a criterion of marks, or of an opponent: never_loses=40"),
    ] = None,
    jobs: Jobs = 0,
    scheduler: Scheduler = "",
    handouts: Callable[..., Handouts],
    as_json: AsJson = False,
) -> None:
    """Play games between players and rate them, with statistical errors. The same command resumes an arena."""
    from plyground.arena.roster import roster_in  # here, like the next two: few commands need Pydantic or a database
    from plyground.arena.tournament import Tournament
    from plyground.database.connecting import default_url

    named_game(game)
    files = handouts()
    form = form or ("class" if files.grades or files.pages else "round-robin")
    roster = roster_in(players) if players else None
    marks = {**(roster.marks if roster else {}), **weights_in(weights or ())}
    made = settings(
        [*(roster.entrants if roster else ()), *(player or ())],
        game,
        format=form,
        weights=marks if weights or form == "class" else None,
        jobs=jobs,
        scheduler=scheduler,
    )
    # The default's address is asked for only now: it makes a folder.
    made = made if made.database else replace(made, database=default_url())
    # The tournament is closed in any case, with its workers.
    with closing(Tournament(made)) as tournament:
        try:
            stopped, lost = _play_arena(tournament, quiet=as_json), None
        except SchedulerGone as fault:
            stopped, lost = False, fault
        if as_json:
            _print_json(tournament)
        else:
            _print_arena(tournament)
        for file in files.write(
            tournament.stored_arena, tournament.games, tournament.marks, _stopped_sentences(tournament)
        ):
            err.print(f"plyground: {file} is written.", markup=False)
    # The standings are printed before this error: games played before the scheduler went are stored, and count.
    if lost:
        raise BadInput(f"{lost} Go on with: {shlex.join(['plyground', *sys.argv[1:]])}") from None
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _play_arena(tournament: "Tournament", *, quiet: bool) -> bool:
    """Play the arena's games. Returns whether Ctrl-C ended that."""
    from plyground.database.connecting import Unavailable

    if tournament.games_before and not quiet:
        err.print(f"plyground: {tournament.games_before:,} games were played before; it goes on.", markup=False)
    for note in tournament.notes:
        err.print(f"plyground: {note}", markup=False)
    with progress(
        " – ".join(each.name for each in tournament.entrants[:2]) + ("…" if len(tournament.entrants) > 2 else ""),
        tournament.planned_games,
    ) as bar:
        bar.update(bar.task_ids[0], completed=tournament.games_done)
        games, told, brief = iter(tournament), 0.0, ""
        tournament.on_audit = lambda sentence: bar.update(bar.task_ids[0], said=sentence)
        try:
            for _ in games:
                said = games_text(tournament.games_done, tournament.planned_games)
                # The test is computed twice a second at most, since it goes over all games so far.
                if tournament.sprt and (time.monotonic() - told > TEST_SECONDS or tournament.decision):
                    test, told = tournament.test, time.monotonic()
                    brief = f", {test.brief}" if test else ""
                said += brief
                bar.update(bar.task_ids[0], completed=tournament.games_done, said=said)
        except KeyboardInterrupt:
            return True
        except Unavailable as fault:
            raise BadInput(f"{fault} What was stored is kept; the same command goes on.") from None
        finally:
            games.close()  # type: ignore[attr-defined]  # a generator: what is under way ends here, not some time later
    return False


def _stopped_sentences(tournament: "Tournament") -> Iterable[str]:
    """Sentences on entrants that play no more in this run, with the reason."""
    for names, why in tournament.stops.items():
        who = f"{names[0]} takes" if len(names) == 1 else f"{names[0]} and {names[1]} take"
        more = "no further part" if len(names) == 1 else "no further part against each other"
        yield f"{who} {more} in this run: {why}"


def _print_arena(tournament: "Tournament") -> None:
    """Print the standings with notes, marks, faults and the test."""
    table = tournament.standings
    left = {column.heading for column in BRIEF_COLUMNS if column.is_left}
    out.print(plain_table([column.heading for column in BRIEF_COLUMNS], table.cells(), keys=2, left=left))
    for note in table.notes:
        out.print(note, markup=False)
    _print_marks(tournament.marks)
    for line in _fault_lines(tournament.games):
        out.print(line, markup=False)
    for line in _stopped_sentences(tournament):
        out.print(line, markup=False)
    for line in test.lines if (test := tournament.test) else ():
        out.print(line, markup=False)
    if tournament.sprt and tournament.is_over and tournament.stored_arena.why:
        out.print(f"{tournament.stored_arena.why}.", markup=False)
    again = "" if tournament.is_over else "; the same command goes on"
    out.print(
        f"Arena {tournament.id}: {games_text(tournament.games_done, tournament.planned_games)}{again}.", markup=False
    )


def _print_marks(marks: ClassMarks) -> None:
    """Print the marks of a class, with the points for each criterion."""
    if not marks.marks:
        return
    rows = []
    for mark in marks.marks:
        points = {part.criterion: mark.part_points(part) for part in mark.parts}
        cells = [points.get(name) for name in marks.weights]
        shown = ["–" if each is None else f"{each:.1f}" for each in (mark.points, *cells)]
        rows.append([mark.name, *shown])
    heads = ["name", "mark", *(f"{name} {weight:g}" for name, weight in marks.weights.items())]
    out.print(plain_table(heads, rows, keys=1, left={"name"}))
    for mark in marks.marks:
        if mark.why:
            has = "no mark" if mark.points is None else f"{mark.points:g} points"
            out.print(f"{mark.name} has {has}. {mark.why}", markup=False)


def _fault_lines(games: Iterable[Played]) -> list[str]:
    """A line for each entrant that lost by a fault of its own: the number of such games, and the last fault."""
    count, last = Counter[str](), dict[str, Played]()
    for each in games:
        if each.fault is not None and not each.void:
            name = each.task.o if each.fault else each.task.x
            count[name] += 1
            last[name] = each
    return [_fault_line(name, times, last[name]) for name, times in count.most_common()]


def _fault_line(name: str, times: int, last: Played) -> str:
    # The sentence on these endings quotes the error output already: it would stand there twice.
    is_quoted = last.ending in (Ending.SILENT, Ending.CRASHED, Ending.UNREADABLE)  # the sentence has its last words
    said = "" if is_quoted else quotation(last.words.splitlines())
    games = "a game" if times == 1 else f"{times:,} games"
    why = "; ".join(filter(None, [clause_of(last.why), said]))
    return f"{name} lost {games} by a fault; number {last.task.number}: {why}."


def _print_json(tournament: "Tournament") -> None:
    table: Standings = tournament.standings
    answer: dict[str, Any] = {
        "arena": tournament.id,
        "game": tournament.game,
        "format": tournament.schedule.format,
        "games": tournament.games_done,
        "planned": tournament.planned_games,
        "void": len([each for each in tournament.games if each.void]),
        "over": tournament.is_over,
        "why": tournament.stored_arena.why,
        "standings": table.records(digits=4),
        "notes": table.notes,
        "stopped": [{"players": list(names), "why": why} for names, why in tournament.stops.items()],
    }
    if tournament.weights:
        answer["marks"] = [
            {"name": mark.name, "mark": mark.points, "why": mark.why, "parts": [asdict(part) for part in mark.parts]}
            for mark in tournament.marks.marks
        ]
    if test := tournament.test:
        answer["sprt"] = test.record()
    print_json(answer)
