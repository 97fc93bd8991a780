"""Verbs that make files of games: publish, web pages; bot, a program for a contest."""

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyground.errors import BadInput
from plyground.files.whole_file import write_whole
from plyground.games import GAMES, describe_game, game_named
from plyground.publish import INDEX, TABLE_MEBIBYTES
from plyground.terminal.arguments import AsJson, complete_game, named_game, print_json
from plyground.terminal.board import err, out, plain_table, progress

if TYPE_CHECKING:
    from plyground.publish.page import Page

CONTEST_SECONDS = 0.08
"""Seconds for a move; a contest allows a tenth of a second."""


def publish(
    game: Annotated[
        str | None,
        typer.Argument(help="connectfour, mnk:5,5,4 or path/to/file.py:ClassName", autocompletion=complete_game),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--out", help="the file to write, by default GAME.html; of --all the folder")
    ] = None,
    learned: Annotated[
        str, typer.Option("--eval", metavar="FILE", help="learned weights its searches use; learned: those shipped")
    ] = "",
    embed: Annotated[
        bool, typer.Option("--embed", help="for a frame in another page: board, status line and buttons")
    ] = False,
    table: Annotated[
        int, typer.Option(metavar="MIB", help="mebibytes that each search may use for its table")
    ] = TABLE_MEBIBYTES,
    are_listed: Annotated[
        bool, typer.Option("--list", help="which shipped games can be published, and how large each page is")
    ] = False,
    are_all: Annotated[
        bool,
        typer.Option(
            "--all", help="a folder with a page for each shipped game and lesson; it goes on where it stopped"
        ),
    ] = False,
    is_editor: Annotated[
        bool,
        typer.Option("--editor", help="a page in which the rules of a game are written, and played at once"),
    ] = False,
    pyodide: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="of --editor: Pyodide's files, copied beside the page; else it fetches them from a public host",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """A game as one web page that plays, analyses and solves it in any browser, without a server or network."""
    if [game is not None, are_listed, are_all, is_editor].count(True) != 1:
        raise BadInput("Name a game to publish, or say --all, or --list, or --editor: one of these.")
    if pyodide and not is_editor:
        raise BadInput("--pyodide is for the page in which rules are written: say --editor.")
    if is_editor:
        _write_editor(file or Path("write.html"), pyodide, as_json)
        return
    if (embed or learned) and not game:
        raise BadInput("--embed and --eval are for the page of one game: name it.")
    if are_listed:
        _list_sizes(table, as_json)
    elif are_all:
        _publish_all(file or Path("site"), table, as_json)
    elif game:
        _publish_game(game, file, learned, embed, table, as_json)


def bot(
    game: Annotated[str, typer.Argument(help="ultimate, connectfour:9,7", autocompletion=complete_game)],
    codingame: Annotated[bool, typer.Option("--codingame", help="for CodinGame's contest of the game")] = False,
    seconds: Annotated[
        float | None, typer.Option("--time", help=f"seconds for each move [default: {CONTEST_SECONDS}]")
    ] = None,
    nodes: Annotated[int, typer.Option(help="nodes for each move, in place of a time")] = 0,
) -> None:
    """The engine as one Python file without dependencies, to paste into a contest's page."""
    # here, for it reads the engine's parts
    from plyground.publish.bot import bot as written

    if not codingame:
        raise BadInput("Say for which contest: --codingame.")
    if seconds is None:
        seconds = 0.0 if nodes else CONTEST_SECONDS
    print(written(game_named(game), describe_game(game).title, version("plyground"), nodes, seconds), end="")


def _publish_game(game: str, file: Path | None, learned: str, embed: bool, table: int, as_json: bool) -> None:
    # here, and below, for the other verbs need not wait for the web's models
    from plyground.publish.page import name_of, page
    from plyground.publish.page_table import table_for
    from plyground.publish.site import require_place

    named_game(game)
    file = file or Path(f"{name_of(game)}.html")
    require_place(file)
    with progress(f"publishing {game}", None):
        made = page(game, learned=learned, embed=embed, table=table, tablebase=table_for(game_named(game)))
        write_whole(file, made.text)
    if as_json:
        print_json({"file": str(file), **_page_facts(made)})
        return
    out.print(f"{file} has {made.title}, in {_sizes(made)}: open it in any browser.", markup=False)
    if held := made.tablebase:
        where = f"not in it: {held.why_not}" if held.why_not else "in it: all values are exact, and there at once"
        out.print(f"Its tablebase of {held.states:,} positions is {where}.", markup=False)


def _write_editor(file: Path, pyodide: Path | None, as_json: bool) -> None:
    from plyground.publish.editor import HOST, copy_pyodide, editor
    from plyground.publish.site import require_place

    require_place(file)
    if pyodide:
        copy_pyodide(pyodide, file.parent)
    made = editor(beside=pyodide is not None)
    write_whole(file, made.text)
    if as_json:
        print_json({"file": str(file), **_page_facts(made)})
        return
    out.print(f"{file} has a page in which rules are written and played, in {_sizes(made)}.", markup=False)
    if pyodide:
        out.print(f"{file.parent / 'pyodide'} has the Python that it runs: put both on any web host.", markup=False)
    else:
        out.print(f"It fetches the Python that it runs from {HOST}; --pyodide FOLDER brings it along.", markup=False)


def _publish_all(folder: Path, table: int, as_json: bool) -> None:
    from plyground.publish.site import names, site

    pages: dict[str, Page | None] = {}
    missing: dict[str, str] = {}
    coming = [*names(), ""]
    with progress("publishing", len(coming) - 1) as bar:
        bar.update(bar.task_ids[0], said=coming[0])
        for number, (name, made) in enumerate(site(folder, table=table), start=1):
            if isinstance(made, BadInput):
                missing[name] = str(made)
            else:
                pages[name] = made
            bar.update(bar.task_ids[0], advance=1, said=coming[number])
    new = [name for name, made in pages.items() if made]
    if as_json:
        print_json({"folder": str(folder), "written": new, "pages": list(pages), "missing": missing})
        return
    for sentence in missing.values():
        err.print(sentence, markup=False)
    out.print(
        f"{folder / INDEX} leads to {len(pages)} pages: {len(new)} written, {len(pages) - len(new)} up to date.",
        markup=False,
    )


def _list_sizes(table: int, as_json: bool) -> None:
    from plyground.publish.page import page

    rows: list[tuple[str, Page | None, str]] = []
    games = list(GAMES.shipped)
    with progress("making pages", len(games)) as bar:
        for choice in games:
            bar.update(bar.task_ids[0], said=choice.name)
            try:
                rows.append((choice.name, page(choice.name, table=table), ""))
            except BadInput as fault:
                rows.append((choice.name, None, str(fault)))
            bar.update(bar.task_ids[0], advance=1)
    if as_json:
        print_json(
            {"games": [{"game": name, **(_page_facts(made) if made else {"why": why})} for name, made, why in rows]}
        )
        return
    head = ("game", "title", "kB", "compressed")
    said = [
        [name, made.title, f"{made.size / 1000:.0f}", f"{made.sent_bytes / 1000:.0f}"]
        if made
        else [name, describe_game(name).title, "-", "-"]
        for name, made, _ in rows
    ]
    out.print(plain_table(head, said, keys=1, left=("game", "title")))
    for _, _, why in rows:
        if why:
            out.print(why, markup=False)


def _page_facts(made: "Page") -> dict[str, object]:
    told: dict[str, object] = {"title": made.title, "bytes": made.size, "compressed": made.sent_bytes}
    return told | ({"tablebase": made.tablebase._asdict()} if made.tablebase else {})


def _sizes(made: "Page") -> str:
    return f"{made.size / 1000:.0f} kB ({made.sent_bytes / 1000:.0f} kB compressed)"
