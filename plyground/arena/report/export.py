"""The games of an arena for people with spreadsheets and pandas, and marks for a class."""

import csv as lines
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.arena.marking.marks import StudentMark
from plyground.arena.results import Played
from plyground.errors import extra
from plyground.files.whole_file import whole_file
from plyground.gradebook.entries import Entry, part_name
from plyground.text import csv_cell

if TYPE_CHECKING:
    from pandas import DataFrame

Record = dict[str, object]


def _blunders(played: Played, seat: int) -> int | None:
    if played.judged is None:
        return None
    return sum(judged.is_blunder for judged in played.judged if judged.mover == seat)


GAME_COLUMNS: Mapping[str, tuple[type, Callable[[Played], object]]] = {
    "number": (int, lambda played: played.task.number),
    "pair": (int, lambda played: played.task.pair),
    "x": (str, lambda played: played.task.x),
    "o": (str, lambda played: played.task.o),
    "opening": (str, lambda played: played.task.opening),
    "moves": (str, lambda played: " ".join(played.moves)),
    "utility": (int, lambda played: played.utility),
    "score_x": (float, lambda played: played.score(0)),
    "score_o": (float, lambda played: played.score(1)),
    "why": (str, lambda played: played.why),
    "fault": (str, lambda played: None if played.fault is None else "xo"[played.fault]),
    "kind": (str, lambda played: played.ending.value),
    "words": (str, lambda played: played.words),
    "void": (bool, lambda played: played.void),
    "seconds_x": (float, lambda played: played.seconds[0]),
    "seconds_o": (float, lambda played: played.seconds[1]),
    "judged": (int, lambda played: None if played.judged is None else len(played.judged)),
    "blunders_x": (int, lambda played: _blunders(played, 0)),
    "blunders_o": (int, lambda played: _blunders(played, 1)),
}
"""The columns of every exported file: a column's type, and its value for a game; an unknown value is empty."""


def records(games: Iterable[Played]) -> list[Record]:
    """A row for each game, in the order of their numbers, of `GAME_COLUMNS`."""
    # Rows are sorted by number and not by their end, so that two exports of one arena can be compared line by line.
    by_number = sorted(games, key=lambda played: played.task.number)
    return [{name: value(played) for name, (_, value) in GAME_COLUMNS.items()} for played in by_number]


def to_frame(games: Iterable[Played]) -> "DataFrame":
    """The games for pandas, a row for each.

    Raises:
        BadInput: pandas is not installed.
    """
    with extra("A data frame"):
        from pandas import DataFrame
    return DataFrame(records(games), columns=list(GAME_COLUMNS))


def csv(games: Iterable[Played]) -> str:
    """The games as CSV with a line of names, a row for each."""
    return _csv_text(list(GAME_COLUMNS), records(games))


def parquet(games: Iterable[Played], file: Path) -> None:
    """Write the games as Parquet, a row for each.

    Raises:
        BadInput: pyarrow is not installed, or the file cannot be written.
    """
    with extra("A Parquet file"):
        import pyarrow as pa
        from pyarrow import parquet as writing
    # Types are given: guessed from the rows, a column of nothing but empty cells would have another one.
    kinds = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
    schema = pa.schema([(name, kinds[kind]) for name, (kind, _) in GAME_COLUMNS.items()])
    with whole_file(file) as new:
        writing.write_table(pa.Table.from_pylist(records(games), schema=schema), new)


def _csv_text(names: Sequence[str], rows: Iterable[Record]) -> str:
    """Rows as CSV. No text is taken for a formula: what begins like one, such as a program's last words, gets a `'`."""
    told = io.StringIO()
    writer = lines.DictWriter(told, fieldnames=names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: csv_cell(value) for name, value in row.items()})
    return told.getvalue()


# -- marks -------------------------------------------------------------------------------------------------------------


def entries(marks: Sequence[StudentMark], game: str) -> list[Entry]:
    """Entries of a gradebook: for each student the mark, of 100 points, then what each criterion adds to it.

    Args:
        marks: of the students, in the order of the rows.
        game: the arena's game, whose name the item has.
    """
    found = []
    for mark in marks:
        left = [
            f"{part.criterion}: {part.why}" for part in mark.parts if part.share is None and mark.points is not None
        ]
        found.append(Entry(mark.name, game, mark.points, 100, mark.why or " ".join(left)))
        for part in mark.parts:
            # The most of a criterion depends on which others are left out, so it is computed for each student.
            most = mark.part_points(replace(part, share=1.0))
            points = mark.part_points(part)
            found.append(
                Entry(mark.name, part_name(game, part.criterion), points, None if points is None else most, part.why)
            )
    return found
