"""Exact values for a file of positions: read, solved on a cluster, kept as they come, and written as a table."""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from plyground.arena.cluster import Cluster
from plyground.arena.exactly import Exactly
from plyground.arena.kept import Kept
from plyground.errors import BadInput
from plyground.play.notations import position_in
from plyground.position import Position


@dataclass(frozen=True)
class Label:
    """What a position is worth with perfect play."""

    position: str
    """As it stands in the file."""
    state: str
    """In the game's own notation."""
    to_move: str
    """Who is: `x` or `o`, or what the game calls them."""
    utility: int
    """For the first player."""
    outcome: str
    """For who is to move: win, draw or loss."""
    plies: int | None
    """In how many plies the end comes, if that was asked for; empty for draws."""
    moves: str | None = None
    """The utility of each move for the first player, as JSON, if that was asked for."""


ENDINGS = (".parquet", ".csv", ".jsonl")


class Labelling(Exactly):
    """Work that finds what a position is worth, and each of its moves if that is asked for."""

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
    """The positions of a file, one a line; empty lines and those that begin with # are left out.

    Raises:
        BadInput: the file or a position is unreadable, with its line.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"{file} cannot be read: {getattr(fault, 'strerror', None) or fault}.") from None
    found = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            found.append((text, position_in(game, text)))
        except BadInput as fault:
            raise BadInput(f"{file}, line {number}: {fault}") from None
    if not found:
        raise BadInput(f"{file} has no position: write one a line, moves or a state.")
    return found


def require_writable(out: Path) -> None:
    """See that a table can be written there, before any work.

    Raises:
        BadInput: its ending means nothing, it is there already, or what writes it is not installed.
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
    kept: Kept,
    on_start: Callable[[int], None] = lambda left: None,
    on_done: Callable[[int], None] = lambda nodes: None,
) -> Iterator[Label]:
    """Solve what is not kept yet, then yield a label for each position, in their order.

    What is the same position, also under symmetry, is solved once.

    Args:
        positions: as they were read.
        work: what finds the values.
        cluster: where.
        kept: what is known already, and where results are kept.
        on_start: hears how many are left to be solved.
        on_done: hears how many nodes each took.
    """
    keys = [_key(position, every_move=work.every_move) for _, position in positions]
    tasks = {key: key for key in keys if key not in kept.rows}
    on_start(len(tasks))
    for key, (*row, nodes) in cluster.map(work, tasks):
        kept.add(key, row)
        on_done(nodes)
    for key, (text, position) in zip(keys, positions, strict=True):
        utility, plies, moves = kept.rows[key]
        if work.every_move and moves is not None:
            moves = json.dumps(moves, ensure_ascii=False)
        outcome = "draw" if not utility else "win" if (utility > 0) == (position.to_move == 0) else "loss"
        yield Label(text, position.text, position.game.names[position.to_move], utility, outcome, plies, moves)


def _key(position: Position, *, every_move: bool) -> str:
    """What a position is solved by: its history where that counts; moves are not the same under symmetry."""
    if position.game.repetition:
        return position.history
    return position.text if every_move else position.game.text(position.game.canonical(position.state))


def write_labels(labels: list[Label], out: Path) -> None:
    """Write the table, whole or not at all."""
    part = out.with_name(out.name + ".tmp")
    names = [each.name for each in fields(Label)]
    rows = [{name: getattr(each, name) for name in names} for each in labels]
    if out.suffix == ".parquet":
        from pyarrow import Table, int64, parquet, schema, string  # here, because it takes long to import

        kinds = {"utility": int64(), "plies": int64()}
        shape = schema([(name, kinds.get(name, string())) for name in names])
        parquet.write_table(Table.from_pylist(rows, schema=shape), part)
    else:
        with part.open("w", encoding="utf-8", newline="") as file:
            if out.suffix == ".csv":
                writer = csv.DictWriter(file, names, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
            else:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    part.replace(out)
