"""Verbs that look into a search: tree."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.words import AsJson, GameName, PositionText, named_position
from plyground.errors import BadInput
from plyground.microscope import forms, picture
from plyground.microscope.tree import RECORDED, SHOWN, Tree, record
from plyground.terminal import board, out, progress

Depth = Annotated[int, typer.Option(help="plies to look ahead")]
Hurry = Annotated[bool, typer.Option(help="prefer the sooner win; --no-hurry counts as the textbooks do")]
OutFile = Annotated[Path | None, typer.Option("--out", help="write to this file instead of the terminal")]


def add_to(app: typer.Typer) -> None:
    """Make these verbs part of a command."""
    app.command()(tree)


def tree(
    game: GameName,
    position: PositionText = "",
    algorithm: Annotated[str, typer.Option(help=" or ".join(RECORDED))] = "alphabeta",
    depth: Depth = 2,
    plies: Annotated[int | None, typer.Option(help="plies of the tree to keep; by default as many as fit")] = None,
    hurry: Hurry = True,
    why: Annotated[
        str | None, typer.Option(help="explain one node, by the moves to it, as in 'c1 a2'; '' is the root")
    ] = None,
    spy: Annotated[bool, typer.Option("--spy", help="only the leaves: who is to move, board, value")] = False,
    as_svg: Annotated[bool, typer.Option("--svg", help="draw it")] = False,
    as_dot: Annotated[bool, typer.Option("--dot", help="for Graphviz")] = False,
    as_html: Annotated[bool, typer.Option("--html", help="a page of its own")] = False,
    as_json: AsJson = False,
    file: OutFile = None,
) -> None:
    """The tree of a search: windows, values, and what was cut off and why."""
    here = named_position(game, position)
    asked = {forms.spy: spy, picture.svg: as_svg, forms.dot: as_dot, forms.html: as_html, forms.as_json: as_json}
    wanted: list[Callable[[Tree], str]] = [form for form, is_wanted in asked.items() if is_wanted]
    if len(wanted) > 1 or (wanted and why is not None):
        raise BadInput("Ask for one form: --spy, --svg, --dot, --html, --json or --why.")
    with progress(f"{algorithm}, depth {depth}", None):
        found = record(here, algorithm, depth, hurry=hurry, plies=plies, shown=SHOWN)
    if why is not None:
        _explain(found, found.node_at(why))
        return
    write(wanted[0](found) if wanted else forms.text(found), file)


def _explain(found: Tree, node: int) -> None:
    out.print(board(found.position_at(node)))
    out.print(forms.described(found, node).rstrip(), markup=False)
    if found.skipped[node]:
        out.print(f"Minimax would visit {found.saved_by_cut(node):,} nodes below the moves cut off.", markup=False)


def write(words: str, file: Path | None) -> None:
    """To a file, or to standard output as it is."""
    if file is None:
        typer.echo(words, nl=False)
        return
    try:
        file.write_text(words, encoding="utf-8", newline="\n")
    except OSError as fault:
        raise BadInput(f"{file} cannot be written: {fault.strerror}.") from None
