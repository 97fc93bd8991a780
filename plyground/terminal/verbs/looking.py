"""Verbs that look into a search: tree, compare, quiz."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plyground.engine import defaults
from plyground.errors import BadInput
from plyground.files.whole_file import write_whole
from plyground.grading.program import is_program
from plyground.grading.program_rows import program_rows
from plyground.grading.pytest_file import pytest_file
from plyground.microscope import forms, picture, worksheet
from plyground.microscope.compare import Comparison, Row, comparable_algorithms, depths_in
from plyground.microscope.compare import compare as run_compare
from plyground.microscope.quiz import Question
from plyground.microscope.quiz import quiz as make_quiz
from plyground.microscope.tree import SHOWN_NODES, Tree, record
from plyground.sandbox.bubblewrap import confining_programs
from plyground.search import is_algorithm
from plyground.terminal.arguments import (
    COMPARED_HELP,
    INTERRUPTED,
    RECORDED_HELP,
    AsJson,
    GameName,
    PositionText,
    Textbook,
    named_game,
    named_position,
)
from plyground.terminal.board import board, out, plain_table, progress
from plyground.terminal.lines import COMPARED_HEAD, FIRST_EXPLANATION, late_line, row_cells

Depth = Annotated[int, typer.Option(help="plies to look ahead")]
OutFile = Annotated[Path | None, typer.Option("--out", help="write to this file instead of the terminal")]


def tree(
    game: GameName,
    position: PositionText = "",
    algorithm: Annotated[str, typer.Option(help=RECORDED_HELP)] = defaults.ALGORITHM,
    depth: Depth = defaults.DRAWN_PLIES,
    plies: Annotated[int | None, typer.Option(help="plies of the tree to keep; by default as many as fit")] = None,
    textbook: Textbook = False,
    why: Annotated[
        str | None, typer.Option(help="explain one node, by the moves to it, as in 'c1 a2'; '' is the root")
    ] = None,
    spy: Annotated[bool, typer.Option("--spy", help="only the leaves: who is to move, board, value")] = False,
    as_svg: Annotated[bool, typer.Option("--svg", help="draw it as SVG")] = False,
    as_dot: Annotated[bool, typer.Option("--dot", help="write it in the language of Graphviz")] = False,
    as_html: Annotated[bool, typer.Option("--html", help="write it as an HTML page")] = False,
    as_pytest: Annotated[bool, typer.Option("--pytest", help="write a pytest test for your own search")] = False,
    as_json: AsJson = False,
    file: OutFile = None,
) -> None:
    """The tree of a search: windows, values, and what was cut off and why."""
    here = named_position(game, position)
    asked = {forms.spy: spy, picture.svg: as_svg, forms.dot: as_dot, forms.html: as_html, forms.as_json: as_json}
    wanted: list[Callable[[Tree], str]] = [form for form, is_wanted in asked.items() if is_wanted]
    if as_pytest:
        wanted.append(lambda found: pytest_file(found, game))
    if len(wanted) > 1 or (wanted and why is not None):
        raise BadInput("Ask for one form: --spy, --svg, --dot, --html, --pytest, --json or --why.")
    with progress(f"{algorithm}, depth {depth}", None):
        # A test for a search of textbooks counts as they do, without distances.
        found = record(
            here, algorithm, depth, prefer_shorter=not (textbook or as_pytest), plies=plies, shown=SHOWN_NODES
        )
    if why is not None:
        _print_explanation(found, found.node_at(why))
        return
    write(wanted[0](found) if wanted else forms.text(found), file)


def _print_explanation(found: Tree, node: int) -> None:
    out.print(board(found.position_at(node)))
    out.print(forms.describe_node(found, node).rstrip(), markup=False)
    if found.skipped[node]:
        out.print(f"Minimax would visit {found.saved_by_cut(node):,} nodes below the moves cut off.", markup=False)


@confining_programs()
def compare(
    game: GameName,
    words: Annotated[list[str] | None, typer.Argument(metavar="[POSITION] [ALGORITHM]…", help=COMPARED_HELP)] = None,
    depth: Annotated[str, typer.Option(help="plies to look ahead: a number or a range")] = defaults.COMPARED_PLIES,
    seconds: Annotated[
        float, typer.Option("--time", help="seconds for each search at most")
    ] = defaults.COMPARED_SECONDS,
    as_csv: Annotated[bool, typer.Option("--csv", help="answer in CSV")] = False,
    as_svg: Annotated[bool, typer.Option("--svg", help="a chart of nodes by depth")] = False,
    png: Annotated[
        Path | None, typer.Option(help="the chart as a picture in this file; needs the extra charts")
    ] = None,
    as_json: AsJson = False,
    file: OutFile = None,
) -> None:
    """Algorithms side by side on one position: nodes, cutoffs, branching, time."""
    # Position and algorithms are one list for Typer: the first word is a position unless it names
    # an algorithm.
    first, *rest = [*(words or []), ""]
    text, chosen = ("", [first, *rest]) if is_algorithm(first) or is_program(first) else (first, rest)
    here, named = named_position(game, text), [word for word in chosen if word] or comparable_algorithms()
    programs = [word for word in named if is_program(word)]
    if as_csv + as_svg + as_json > 1:
        raise BadInput("Ask for one form: --csv, --svg or --json.")
    depths = depths_in(depth)
    rows: list[Row] = []
    is_whole = True
    try:
        with progress("comparing", len(depths) * len(named)) as bar:

            def on_row(row: Row) -> None:
                rows.append(row)
                bar.update(bar.task_ids[0], advance=1, said=f"{row.algorithm} {row.depth}: {row.nodes:,} nodes")

            found = Comparison(here, (), ())
            if algorithms := [word for word in named if word not in programs]:
                found = run_compare(here, algorithms, depths, seconds=seconds, on_row=on_row)
            for program in programs:
                for row in program_rows(program, game, here, depths):
                    on_row(row)
            found = replace(found, rows=tuple(rows))
    except KeyboardInterrupt:  # it ends the searches, and not what they found
        if not rows:
            raise
        is_whole, found = False, Comparison(here, tuple(rows), ())
    if png:
        write_whole(png, found.png())
    elif as_csv or as_svg or as_json:
        write(found.csv if as_csv else found.svg if as_svg else found.json, file)
    else:
        _print_comparison(found)
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def _print_comparison(found: Comparison) -> None:
    rows = [row_cells(replace(row, value=_mark_value(row))) for row in found.rows]
    out.print(plain_table(COMPARED_HEAD, rows, keys=2, left=("algorithm", "value")))
    out.print(FIRST_EXPLANATION, style="italic")
    for sentence in found.different:
        out.print(f"≠ {sentence}", markup=False)
    for algorithm, depth in found.unfinished:
        out.print(late_line(algorithm, depth) + "; --time gives it more.", markup=False)


def _mark_value(row: Row) -> str:
    """A value, with ≠ before it where minimax has another one."""
    return row.value if row.right is None else f"≠ {row.value}"


def quiz(
    game: GameName,
    count: Annotated[int, typer.Option(help="how many questions")] = 5,
    seed: Annotated[int, typer.Option(help="the seed of the questions")] = 0,
    depth: Depth = 2,
    as_html: Annotated[bool, typer.Option("--html", help="a worksheet to print, with answers")] = False,
    as_json: AsJson = False,
    file: OutFile = None,
) -> None:
    """Questions about searches on real positions, marked and explained."""
    questions = make_quiz(named_game(game), count, seed, depth)
    if as_html or as_json:
        made = worksheet.html(questions, f"{game}, quiz {seed}") if as_html else worksheet.as_json(questions)
        write(made, file)
        return
    right = 0
    for number, question in enumerate(questions, 1):
        out.print(f"{number}. {question.words}", markup=False)
        out.print(forms.question_text(question.shown), markup=False)
        is_right = _ask_question(question)
        right += is_right
        word = "Right." if is_right else f"No: {question.answer}."
        out.print(f"{word} {question.solution}\n", markup=False)
    out.print(f"{right} of {len(questions)} right.")


def _ask_question(question: Question) -> bool:
    """Ask until the answer can be read."""
    while True:
        try:
            return question.is_right(input("answer> "))
        except EOFError:
            raise typer.Abort from None
        except BadInput as fault:
            out.print(str(fault), markup=False)


def write(words: str, file: Path | None) -> None:
    """Write a text to a file, or to standard output unchanged."""
    if file is None:
        # The text is printed without Rich, which would wrap SVG and JSON.
        typer.echo(words, nl=False)
        return
    write_whole(file, words)
