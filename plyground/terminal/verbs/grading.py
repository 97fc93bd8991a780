"""The verbs that grade: searches, and the gradebook of all that was graded."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plyground.errors import BadInput
from plyground.gradebook.entries import Entry, entries_csv, read_entries, totals
from plyground.gradebook.roster import ClassRoster, missing_text, read_roster
from plyground.grading import forms, gradescope, handed_in
from plyground.grading.grade import CUTS, EXERCISES, Scheme, read_points
from plyground.grading.node_limit import node_limit
from plyground.grading.program import GAME_ASKED, ProgramTask, is_program
from plyground.sandbox.bubblewrap import confining_programs, open_words
from plyground.terminal.arguments import AsJson
from plyground.terminal.board import err, progress
from plyground.terminal.verbs.looking import OutFile, write

RosterFile = Annotated[
    Path | None,
    typer.Option(help="a CSV that Moodle or Canvas exported: answer with it, the points in it, to be imported there"),
]


@confining_programs()
def grade(
    searches: Annotated[
        list[str],
        typer.Argument(
            help="student.py:function, a file, whose function is search, a folder of files, or program:COMMAND; "
            "several are a class"
        ),
    ],
    exercise: Annotated[
        str, typer.Option(help="minimax, alphabeta, quiescence or mcts; by default what the search's parameters say")
    ] = "",
    most_nodes: Annotated[
        str, typer.Option(help='a limit of nodes, as "connectfour 6 5000": the game, the depth and the nodes')
    ] = "",
    cut: Annotated[
        str, typer.Option(help="where cuts are due: strict (alpha above beta), equal (or equal to it), or any of both")
    ] = "any",
    weights: Annotated[
        Path | None, typer.Option(help='a file of points by criterion, in TOML: a line is "whole games" = 20')
    ] = None,
    game: Annotated[str, typer.Option(help="the game that a program is asked about")] = GAME_ASKED,
    to_the_end: Annotated[
        bool,
        typer.Option("--to-the-end", help="ask a program for exact values to the end of the game, without a depth"),
    ] = False,
    seed: Annotated[int, typer.Option(help="the seed of the random positions")] = 0,
    jobs: Annotated[int, typer.Option(help="searches of a class graded at once")] = 2,
    as_csv: Annotated[bool, typer.Option("--csv", help="a gradebook in CSV: student, item, points, reason")] = False,
    as_html: Annotated[bool, typer.Option("--html", help="one page, with the trees drawn")] = False,
    as_json: AsJson = False,
    roster: RosterFile = None,
    item: Annotated[str, typer.Option(help="name in a gradebook; by default the exercise, else search")] = "",
    results: Annotated[
        Path | None, typer.Option("--gradescope", help="write Gradescope's results.json of one student to this file")
    ] = None,
    autograder: Annotated[
        Path | None,
        typer.Option(help="grade nothing; write a zip with which Gradescope grades files of this name so"),
    ] = None,
    wheel: Annotated[Path | None, typer.Option(help="a wheel of plyground that the autograder installs")] = None,
    file: OutFile = None,
) -> None:
    """Grade searches: points for each criterion, the likely mistake, and the smallest position that shows it.

    A program of any language reads a line for each question, `STATE DEPTH`, and answers `VALUE MOVE`, or with a count
    of its nodes `VALUE MOVE NODES`.
    Exit code 1 if a search has not all points. It runs the code of the files, each in a sandbox.
    """
    if as_csv + as_html + as_json + bool(roster) + bool(results) + bool(autograder) > 1:
        raise BadInput("Ask for one form: --csv, --html, --json, --roster, --gradescope or --autograder.")
    chosen = EXERCISES.get(exercise)
    if chosen is None:
        raise BadInput(f"--exercise {exercise}: {', '.join(filter(None, EXERCISES))}.")
    limit = node_limit(most_nodes)
    due = CUTS.get(cut)
    if due is None:
        raise BadInput(f"--cut {cut}: {', '.join(CUTS)}.")
    scheme = Scheme(due, read_points(weights) if weights else {}, limit)
    if not 1 <= jobs <= 64:
        raise BadInput(f"--jobs {jobs}: 1 to 64.")
    if autograder:
        more = {"--exercise": exercise, "--most-nodes": most_nodes, "--seed": seed or ""}
        more["--game"] = "" if game == GAME_ASKED else game
        more["--cut"] = "" if cut == "any" else cut
        more["--weights"] = f"{gradescope.SOURCE}/{weights.name}" if weights else ""
        options = [word for option, value in more.items() if value for word in (option, f"{value}")]
        options += ["--to-the-end"] if to_the_end else []
        gradescope.write_autograder(autograder, [*searches, *options], [*filter(None, (wheel, weights))])
        err.print(f"plyground: {autograder} is written.", markup=False)
        return
    read = read_roster(roster) if roster else None
    if results:
        made = handed_in.report_of_one(searches, chosen, seed, ProgramTask(game, to_the_end), scheme)
        write(gradescope.results(made), results)
        raise typer.Exit(made.points != made.data.possible)
    named = handed_in.searches(searches)
    is_class = len(named) > 1 or any(Path(word).is_dir() for word in searches)
    if is_class and (said := open_words(programs=any(map(is_program, named)))):
        err.print(said, markup=False)
    with progress("grading", len(named)) as bar:

        def on_report(report: forms.GradeReport) -> None:
            bar.update(bar.task_ids[0], advance=1, said=f"{report.name}: {report.score}")

        reports = handed_in.reports(named, chosen, seed, jobs, on_report, ProgramTask(game, to_the_end), scheme)
    if not is_class and (refused := reports[0].data.refused):
        raise BadInput(refused)
    students = [handed_in.student_of(each, searches) for each in named]
    entries = forms.entries(reports, students, item or exercise or handed_in.FUNCTION)
    if as_csv:
        write(entries_csv(entries), file)
    elif read:
        _fill(read, totals(entries), file)
    elif as_json:
        write(forms.as_json(reports), file)
    elif as_html:
        write(forms.html(reports, title(searches)), file)
    else:
        write(reports[0].text if len(reports) == 1 else forms.table(reports), file)
    if any(report.data.points != report.data.possible for report in reports):
        raise typer.Exit(1)


def gradebook(
    files: Annotated[
        list[Path], typer.Argument(help="gradebooks: of grade --csv, of arena --grades, and of a room's page")
    ],
    roster: RosterFile = None,
    item: Annotated[
        list[str] | None, typer.Option(help="an item that counts, by default the only one; several are added up")
    ] = None,
    column: Annotated[str, typer.Option(help="name of the roster's column; by default the item's")] = "",
    file: OutFile = None,
) -> None:
    """Join gradebooks to one, or fill a roster of Moodle or Canvas from them.

    Exit code 1 if points of a student have no row in the roster.
    """
    entries = [each for name in files for each in read_entries(name)]
    if not roster:
        if item or column:
            raise BadInput("--item and --column are of a roster: name it by --roster.")
        write(entries_csv(entries), file)
        return
    whole = totals(entries, item or ())
    if not _fill(read_roster(roster), [replace(each, item=column or each.item) for each in whole], file):
        raise typer.Exit(1)


def _fill(roster: ClassRoster, entries: list[Entry], file: Path | None) -> bool:
    """Write a roster with points; True if those of all students have a row. Others are named on standard error."""
    filled = roster.fill(entries)
    for sentence in filter(None, [*filled.unmatched, missing_text(filled.missing)]):
        err.print(f"plyground: {sentence}", markup=False)
    write(filled.text, file)
    return not filled.unmatched


def title(words: list[str]) -> str:
    """Title of the page: the name of the one search or folder, else how many there are."""
    return f"Grades of {Path(words[0]).resolve().name}" if len(words) == 1 else f"Grades of {len(words)} searches"
