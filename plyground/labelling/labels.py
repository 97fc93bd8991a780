"""Labels for a file of positions: read, solved on a cluster, and written as a table of exact values."""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from plyground.errors import BadInput
from plyground.files.whole_file import whole_file
from plyground.labelling.exact_values import ExactValues
from plyground.labelling.results_file import ResultsFile
from plyground.play.record_file import ReadingOptions, Records
from plyground.position import Position
from plyground.workers.cluster import Cluster


@dataclass(frozen=True)
class Label:
    """Value of a position with perfect play."""

    position: str
    """The position as the input file has it."""
    state: str
    """The state in the game's own notation."""
    to_move: str
    """The player to move: `x` or `o`, or the game's own name."""
    utility: int
    """Utility for the first player."""
    outcome: str
    """Outcome for the player to move: win, draw or loss."""
    plies: int | None
    """Plies to the end; empty for draws, and where they were not requested."""
    moves: str | None = None
    """Utility of each move for the first player, as JSON; None where moves were not requested."""


ENDINGS = (".parquet", ".csv", ".jsonl")


class Labelling(ExactValues):
    """Work of a cluster that solves a position, and with `every_move` each of its moves."""

    every_move = False

    def __call__(self, text: str) -> Any:
        position = Position.parse(self.game, text)
        score, nodes = self.score(position)
        if not self.every_move:
            return score.utility, score.plies, None, nodes
        moves = {}
        for move in position.legal_moves:
            after, more = self.score(position.play(move))
            moves[position.game.move_text(position.state, move)] = after.utility
            nodes += more
        return score.utility, score.plies, moves, nodes


def read_positions(game: Any, file: Path) -> list[tuple[str, Position]]:
    """Read a file of positions, one a line, or of games, of each where it ends; what follows a # is skipped.

    Raises:
        BadInput: the file or a position is unreadable; names the line.
    """
    read = list[tuple[str, Position]]()
    for each in Records.of_file(file, options=ReadingOptions(game, by_lines=True)).games():
        try:
            read.append((each.text or each.title, each.end(game)))
        except BadInput as fault:
            raise BadInput(f"{file}, {fault}") from None
    return read


def require_writable(out: Path) -> None:
    """Check before any work that a table can be written to a file.

    Raises:
        BadInput: the suffix is unknown, the file exists already, or the library for its format is not installed.
    """
    if out.suffix not in ENDINGS:
        raise BadInput(f"--out {out}: end it with {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    if out.exists():
        raise BadInput(f"{out} is there already: delete it, or name another file.")
    if not out.parent.is_dir():
        raise BadInput(f"--out {out}: there is no folder {out.parent}.")
    if out.suffix == ".parquet" and not find_spec("pyarrow"):
        raise BadInput('Parquet needs pyarrow: pip install "plyground[arena]"; .csv and .jsonl need nothing.')


def label(
    positions: list[tuple[str, Position]],
    work: Labelling,
    cluster: Cluster,
    results: ResultsFile,
    on_start: Callable[[int], None] = lambda left: None,
    on_done: Callable[[int], None] = lambda nodes: None,
) -> Iterator[Label]:
    """Solve the positions without a stored result, then yield a label for each position, in order.

    Equal positions, also under symmetry, are solved once.

    Args:
        positions: the positions, from `read_positions`.
        work: the work for each position.
        cluster: the cluster that runs it.
        results: the file of results so far; new ones are added.
        on_start: called with the number of positions to solve.
        on_done: called with the number of nodes of each solved position.
    """
    keys = [_position_key(position, every_move=work.every_move) for _, position in positions]
    tasks = {key: key for key in keys if key not in results.rows}
    on_start(len(tasks))
    for key, (*row, nodes) in cluster.map(work, tasks):
        results.add(key, row)
        on_done(nodes)
    # Rows are in the order of the input, after all is solved: the table is written whole or not at all.
    for key, (text, position) in zip(keys, positions, strict=True):
        utility, plies, moves = results.rows[key]
        if work.every_move and moves is not None:
            moves = json.dumps(moves, ensure_ascii=False)
        outcome = "draw" if not utility else "win" if (utility > 0) == (position.to_move == 0) else "loss"
        yield Label(text, position.text, position.game.marks[position.to_move], utility, outcome, plies, moves)


def _position_key(position: Position, *, every_move: bool) -> str:
    """Key of a position: with its history if that counts; under symmetry unless its moves are wanted, which differ."""
    if position.game.repetition:
        return position.history
    # Symmetric positions have equal values, but other names of the moves.
    return position.text if every_move else position.game.text(position.game.canonical(position.state))


def write_labels(labels: list[Label], out: Path) -> None:
    """Write the table, whole or not at all.

    Raises:
        BadInput: the file cannot be written.
    """
    names = [each.name for each in fields(Label)]
    rows = [{name: getattr(each, name) for name in names} for each in labels]
    # A kill at any line below leaves no file of this name.
    with whole_file(out) as new:
        if out.suffix == ".parquet":
            from pyarrow import Table, int64, parquet, schema, string  # imported late, because it takes long

            kinds = {"utility": int64(), "plies": int64()}
            shape = schema([(name, kinds.get(name, string())) for name in names])
            parquet.write_table(Table.from_pylist(rows, schema=shape), new)
            return
        with new.open("w", encoding="utf-8", newline="") as file:
            if out.suffix == ".csv":
                writer = csv.DictWriter(file, names, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
            else:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
