"""The verb that grades searches."""

from pathlib import Path
from typing import Annotated

import typer

from plyground.errors import BadInput
from plyground.grading import forms, handed_in
from plyground.grading.grade import EXERCISES
from plyground.grading.node_limit import node_limit
from plyground.grading.program import GAME_ASKED, is_program
from plyground.sandbox.bubblewrap import confining_programs, open_words
from plyground.terminal.arguments import AsJson
from plyground.terminal.board import err, progress
from plyground.terminal.verbs.looking import OutFile, write


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
        str, typer.Option(help="minimax, alphabeta or mcts; by default what the search's parameters say")
    ] = "",
    most_nodes: Annotated[
        str, typer.Option(help='a limit of nodes, as "connectfour 6 5000": the game, the depth and the nodes')
    ] = "",
    game: Annotated[str, typer.Option(help="the game that a program is asked about")] = GAME_ASKED,
    seed: Annotated[int, typer.Option(help="the seed of the random positions")] = 0,
    jobs: Annotated[int, typer.Option(help="searches of a class graded at once")] = 2,
    as_csv: Annotated[bool, typer.Option("--csv", help="a row for each search, in CSV")] = False,
    as_html: Annotated[bool, typer.Option("--html", help="one page, with the trees drawn")] = False,
    as_json: AsJson = False,
    file: OutFile = None,
) -> None:
    """Grade searches: points for each criterion, the likely mistake, and the smallest position that shows it.

    A program of any language reads a line for each question, `STATE DEPTH`, and answers `VALUE MOVE`.
    Exit code 1 if a search has not all points. It runs the code of the files, each in a sandbox.
    """
    if as_csv + as_html + as_json > 1:
        raise BadInput("Ask for one form: --csv, --html or --json.")
    chosen = EXERCISES.get(exercise)
    if chosen is None:
        raise BadInput(f"--exercise {exercise}: {', '.join(filter(None, EXERCISES))}.")
    node_limit(most_nodes)
    if not 1 <= jobs <= 64:
        raise BadInput(f"--jobs {jobs}: 1 to 64.")
    named = handed_in.searches(searches)
    is_class = len(named) > 1 or any(Path(word).is_dir() for word in searches)
    if is_class and (said := open_words(programs=any(map(is_program, named)))):
        err.print(said, markup=False)
    with progress("grading", len(named)) as bar:

        def on_report(report: forms.GradeReport) -> None:
            bar.update(bar.task_ids[0], advance=1, said=f"{report.name}: {report.score}")

        reports = handed_in.reports(named, chosen, seed, jobs, on_report, game, most_nodes)
    if not is_class and (refused := reports[0].data.refused):
        raise BadInput(refused)
    if as_csv:
        write(forms.as_csv(reports), file)
    elif as_json:
        write(forms.as_json(reports), file)
    elif as_html:
        write(forms.html(reports, title(searches)), file)
    else:
        write(reports[0].text if len(reports) == 1 else forms.table(reports), file)
    if any(report.data.points != report.data.possible for report in reports):
        raise typer.Exit(1)


def title(words: list[str]) -> str:
    """Title of the page: the name of the one search or folder, else how many there are."""
    return f"Grades of {Path(words[0]).resolve().name}" if len(words) == 1 else f"Grades of {len(words)} searches"
