"""The games of an arena for people with spreadsheets and pandas, and marks for a class."""

import csv as lines
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from plyground.arena.marking.marks import StudentMark
from plyground.arena.results import Played
from plyground.errors import extra
from plyground.files.whole_file import whole_file
from plyground.text import csv_cell

if TYPE_CHECKING:
    from pandas import DataFrame

Record = dict[str, object]
COLUMNS: Mapping[str, type] = {
    "number": int,
    "pair": int,
    "x": str,
    "o": str,
    "opening": str,
    "moves": str,
    "utility": int,
    "score_x": float,
    "score_o": float,
    "why": str,
    "fault": str,
    "kind": str,
    "words": str,
    "void": bool,
    "seconds_x": float,
    "seconds_o": float,
    "judged": int,
    "blunders_x": int,
    "blunders_o": int,
}
"""The columns of every exported file with their types; an unknown value is empty."""


def records(games: Iterable[Played]) -> list[Record]:
    """A row for each game, in the order of their numbers, of `COLUMNS`."""
    return [_record(played) for played in sorted(games, key=lambda played: played.task.number)]


def _record(played: Played) -> Record:
    task = played.task
    values = (
        *(task.number, task.pair, task.x, task.o, task.opening, " ".join(played.moves)),
        *(played.utility, played.score(0), played.score(1), played.why),
        None if played.fault is None else "xo"[played.fault],
        played.ending.value,
        *(played.words, played.void, *played.seconds),
        None if played.judged is None else len(played.judged),
        *(_blunders(played, seat) for seat in (0, 1)),
    )
    return dict(zip(COLUMNS, values, strict=True))


def _blunders(played: Played, seat: int) -> int | None:
    if played.judged is None:
        return None
    return sum(judged.is_blunder for judged in played.judged if judged.mover == seat)


def to_frame(games: Iterable[Played]) -> "DataFrame":
    """The games for pandas, a row for each.

    Raises:
        BadInput: pandas is not installed.
    """
    with extra("A data frame"):
        from pandas import DataFrame
    return DataFrame(records(games), columns=list(COLUMNS))


def csv(games: Iterable[Played]) -> str:
    """The games as CSV with a line of names, a row for each."""
    return _written(list(COLUMNS), records(games))


def parquet(games: Iterable[Played], file: Path) -> None:
    """Write the games as Parquet, a row for each.

    Raises:
        BadInput: pyarrow is not installed, or the file cannot be written.
    """
    with extra("A Parquet file"):
        import pyarrow as pa
        from pyarrow import parquet as writing
    kinds = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    with whole_file(file) as new:
        writing.write_table(pa.Table.from_pylist(records(games), schema=schema), new)


def _written(names: Sequence[str], rows: Iterable[Record]) -> str:
    """Rows as CSV. No text is taken for a formula: what begins like one, such as a program's last words, gets a `'`."""
    told = io.StringIO()
    writer = lines.DictWriter(told, fieldnames=names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: csv_cell(value) for name, value in row.items()})
    return told.getvalue()


# -- marks -------------------------------------------------------------------------------------------------------------


def gradebook(
    marks: Sequence[StudentMark], weights: Mapping[str, float], pages: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The gradebook as CSV: a row for each student with its mark of 100 points, what each criterion adds to it, and why
    there is none, or why a criterion is left out.

    Args:
        marks: of the students, in the order of the rows.
        weights: how much each criterion counts.
        pages: the page of each student that has one, as a file's name.
    """
    rows: list[Record] = []
    for mark in marks:
        parts = {part.criterion: mark.part_points(part) for part in mark.parts}
        told = {name: None if parts.get(name) is None else round(parts[name] or 0.0, 1) for name in weights}
        row: Record = {"name": mark.name, "mark": mark.points, **told}
        left = [
            f"{part.criterion}: {part.why}" for part in mark.parts if part.share is None and mark.points is not None
        ]
        rows.append(row | {"why": mark.why or " ".join(left), "page": pages.get(mark.name)})
    return _written(["name", "mark", *weights, "why", "page"], rows)
