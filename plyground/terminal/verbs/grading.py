"""The verbs that grade: searches, and the gradebook of all that was graded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from plyground.errors import BadInput
from plyground.gradebook.entries import Entry, entries_csv, read_entries, totals
from plyground.gradebook.roster import ClassRoster, missing_text, read_roster
from plyground.grading import forms, gradescope, handed_in
from plyground.grading.grade_settings import GradeSettings
from plyground.grading.program import is_program
from plyground.sandbox.bubblewrap import confining_programs, unconfined_warning
from plyground.terminal.board import err, progress
from plyground.terminal.board import out as terminal
from plyground.terminal.record_options import with_options
from plyground.terminal.verbs.looking import OutFile, write

ROSTER_HELP = "a CSV that Moodle or Canvas exported: answer with it, the points in it, to be imported there"
RosterFile = Annotated[Path | None, typer.Option(help=ROSTER_HELP)]


@dataclass(frozen=True)
class GradeForms:
    """The form of a grade that is wanted; the fields are options of the command.

    Raises:
        BadInput: several are.
    """

    csv: Annotated[bool, "a gradebook in CSV: student, item, points, reason"] = False
    html: Annotated[bool, "one page, with the trees drawn"] = False
    json: Annotated[bool, "answer in JSON"] = False
    roster: Annotated[Path | None, ROSTER_HELP] = None
    item: Annotated[str, "name in a gradebook; by default the exercise, else search"] = ""
    gradescope: Annotated[Path | None, "write Gradescope's results.json of one student to this file"] = None
    autograder: Annotated[
        Path | None, "grade nothing; write a zip with which Gradescope grades files of this name so"
    ] = None
    wheel: Annotated[Path | None, "a wheel of plyground that the autograder installs"] = None
    out: Annotated[Path | None, "write to this file instead of the terminal"] = None

    def __post_init__(self) -> None:
        if sum(map(bool, (self.csv, self.html, self.json, self.roster, self.gradescope, self.autograder))) > 1:
            raise BadInput("Ask for one form: --csv, --html, --json, --roster, --gradescope or --autograder.")

    def write(self, reports: Sequence[forms.GradeReport], students: Sequence[str], item: str, title: str) -> None:
        """Write the grades of some students."""
        entries = forms.entries(reports, students, self.item or item)
        if self.csv:
            write(entries_csv(entries), self.out)
        elif self.roster:
            _fill_roster(read_roster(self.roster), totals(entries), self.out)
        elif self.json:
            write(forms.as_json(reports), self.out)
        elif self.html:
            write(forms.html(reports, title), self.out)
        elif self.out or len(reports) > 1:
            write(reports[0].text if len(reports) == 1 else forms.table(reports), self.out)
        else:
            terminal.print(reports[0].text, end="", markup=False)


@confining_programs()
@with_options(settings=GradeSettings, wanted=GradeForms)
def grade(
    *,
    searches: Annotated[
        list[str],
        typer.Argument(
            help="student.py:function, a file, whose function is search, a folder of files, or program:COMMAND; "
            "several are a class"
        ),
    ],
    settings: Callable[..., GradeSettings],
    jobs: Annotated[int, typer.Option(help="searches of a class graded at once")] = 2,
    wanted: Callable[..., GradeForms],
) -> None:
    """Grade searches: points for each criterion, the likely mistake, and the smallest position that shows it.

    A program of any language reads a line for each question, `STATE DEPTH`, and answers `VALUE MOVE`, or with a count
    of its nodes `VALUE MOVE NODES`.
    Exit code 1 if a search has not all points. It runs the code of the files, each in a sandbox.
    """
    form, asked = wanted(), settings()
    if not 1 <= jobs <= 64:
        raise BadInput(f"--jobs {jobs}: 1 to 64.")
    if form.autograder:
        words, brings = [*searches, *asked.words(gradescope.SOURCE)], [*filter(None, (form.wheel, asked.weights))]
        gradescope.write_autograder(form.autograder, words, brings)
        err.print(f"plyground: {form.autograder} is written.", markup=False)
        return
    if form.roster:
        read_roster(form.roster)  # a file that is none is said before anything is graded
    if form.gradescope:
        made = handed_in.report_of_one(searches, asked)
        write(gradescope.results(made), form.gradescope)
        raise typer.Exit(made.points != made.data.possible)
    named = handed_in.searches(searches)
    is_class = len(named) > 1 or any(Path(word).is_dir() for word in searches)
    if is_class and (said := unconfined_warning(programs=any(map(is_program, named)))):
        err.print(said, markup=False)
    with progress("grading", len(named)) as bar:

        def on_report(report: forms.GradeReport) -> None:
            bar.update(bar.task_ids[0], advance=1, said=f"{report.name}: {report.score}")

        reports = handed_in.reports(named, jobs, on_report, asked)
    if not is_class and (refused := reports[0].data.refused):
        raise BadInput(refused)
    students = [handed_in.student_of(each, searches) for each in named]
    form.write(reports, students, asked.exercise or handed_in.FUNCTION, title(searches))
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
    if not _fill_roster(read_roster(roster), [replace(each, item=column or each.item) for each in whole], file):
        raise typer.Exit(1)


def _fill_roster(roster: ClassRoster, entries: list[Entry], file: Path | None) -> bool:
    """Write a roster with points; True if those of all students have a row. Others are named on standard error."""
    filled = roster.fill(entries)
    for sentence in filter(None, [*filled.unmatched, missing_text(filled.missing)]):
        err.print(f"plyground: {sentence}", markup=False)
    write(filled.text, file)
    return not filled.unmatched


def title(words: list[str]) -> str:
    """Title of the page: the name of the one search or folder, else how many there are."""
    return f"Grades of {Path(words[0]).resolve().name}" if len(words) == 1 else f"Grades of {len(words)} searches"
