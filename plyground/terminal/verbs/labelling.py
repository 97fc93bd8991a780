"""The verb that finds exact values for many positions."""

from pathlib import Path
from typing import Annotated

import typer

from plyground.labelling import labels
from plyground.labelling.labels import Labelling, read_positions, require_writable, write_labels
from plyground.labelling.results_file import ResultsFile
from plyground.search.table import SOLVING
from plyground.terminal.arguments import AsJson, Jobs, Scheduler, complete_game, named_game, print_json
from plyground.terminal.board import out, progress
from plyground.terminal.resumable import saving_results
from plyground.workers.cluster import Cluster


def label(
    file: Annotated[Path, typer.Argument(help="positions, one a line: moves or a state")],
    game: Annotated[str, typer.Option(help="the game; see plyground games", autocompletion=complete_game)],
    target: Annotated[Path, typer.Option("--out", help="the table: .parquet, .csv or .jsonl")],
    hurry: Annotated[bool, typer.Option("--hurry", help="also in how many plies: slower")] = False,
    every_move: Annotated[bool, typer.Option("--moves", help="also the value of each move: slower")] = False,
    table: Annotated[int, typer.Option(help="mebibytes for the transposition table of each process")] = SOLVING,
    uses_book: Annotated[bool, typer.Option("--book/--no-book", help="ask the opening book first")] = True,
    jobs: Jobs = 0,
    scheduler: Scheduler = "",
    as_json: AsJson = False,
) -> None:
    """The exact value of each position in a file, as a table. Ctrl-C stops; the same command goes on."""
    rules = named_game(game)
    require_writable(target)
    positions = read_positions(rules, file)
    work = Labelling(game, prefer_shorter=hurry, table=table, book=uses_book)
    work.every_move = every_move
    # The file's first line holds these terms of the work: its rows are used only for the same terms.
    kept = ResultsFile(
        target.with_name(target.name + ".part"), {"game": work.mark, "hurry": hurry, "moves": every_move}
    )
    before, nodes = len(kept.rows), 0
    with saving_results(kept):
        with Cluster(jobs, scheduler) as cluster, progress("labelling", None) as bar:

            def on_start(left: int) -> None:
                bar.update(bar.task_ids[0], total=left)

            def on_done(more: int) -> None:
                nonlocal nodes
                nodes += more
                bar.advance(bar.task_ids[0])
                bar.update(bar.task_ids[0], said=f"{len(kept.rows):,} positions, {nodes:,} nodes")

            found = list(labels.label(positions, work, cluster, kept, on_start, on_done))
        write_labels(found, target)
    outcomes = {word: sum(each.outcome == word for each in found) for word in ("win", "draw", "loss")}
    if as_json:
        print_json({"file": str(target), "positions": len(found), "solved": len(kept.rows) - before} | outcomes)
        return
    words = ", ".join(
        f"{count:,} {word}{'' if count == 1 else 's' if word != 'loss' else 'es'}" for word, count in outcomes.items()
    )
    out.print(
        f"{target}: {len(found):,} position{'' if len(found) == 1 else 's'}; for who is to move {words}", markup=False
    )
