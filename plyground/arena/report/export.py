"""The games of an arena for people with spreadsheets and pandas, and marks for a class."""

import csv as lines
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from plyground.arena.results import Arena, Played
from plyground.arena.statistics.tally import fault_kind
from plyground.errors import BadInput, extra

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
        None if played.fault is None else fault_kind(played.why),
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
    try:
        writing.write_table(pa.Table.from_pylist(records(games), schema=schema), file)
    except OSError as fault:
        raise BadInput(f"{file} cannot be written: {fault.strerror or fault}.") from None


def _written(names: Sequence[str], rows: Iterable[Record]) -> str:
    """Rows as CSV. No text is taken for a formula: what begins like one, such as a program's last words, gets a `'`."""
    told = io.StringIO()
    writer = lines.DictWriter(told, fieldnames=names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _harmless(value) for name, value in row.items()})
    return told.getvalue()


FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001
"""What a formula begins with; the last four are full-width, as a spreadsheet reads them in Chinese and Japanese."""


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


# -- marks -------------------------------------------------------------------------------------------------------------

Rule = Literal["never loses", "wins what is won", "answers in time", "no illegal move"]
RULE_POINTS: Mapping[Rule, float] = dict.fromkeys(
    ("never loses", "wins what is won", "answers in time", "no illegal move"), 25.0
)
"""The points of each rule by default."""


@dataclass(frozen=True)
class Grade:
    """The marks of an entrant."""

    name: str
    shares: Mapping[Rule, float | None]
    """The share of its games that keeps each rule, 0 to 1; None if no game shows it."""
    points: float | None
    """All points. A rule without a share is left out, and the others count for more; None if all are left out."""


def grades(arena: Arena, games: Sequence[Played], weights: Mapping[Rule, float] = RULE_POINTS) -> str:
    """The gradebook as CSV: for each entrant the points of each rule and their sum.

    A game that keeps a rule earns its share of the rule's points; void games do not count.

    - `never loses`: the game was not lost, or it was lost for certain before the player's first move.
    - `wins what is won`: of the judged games in which the player had a position that was won, those that it won.
    - `answers in time`: it did not lose by being late, dying, or printing rubbish.
    - `no illegal move`: it did not lose by one.

    Raises:
        BadInput: a weight is below 0, or all are 0.
    """
    marked = graded([entrant.name for entrant in arena.entrants], games, weights)
    rows: list[Record] = []
    for grade in marked:
        shares: Record = {
            rule: None if share is None else round(weights.get(rule, 0.0) * share, 2)
            for rule, share in grade.shares.items()
        }
        rows.append({"name": grade.name, **shares, "points": grade.points})
    return _written(["name", *RULE_POINTS, "points"], rows)


def graded(names: Sequence[str], games: Sequence[Played], weights: Mapping[Rule, float] = RULE_POINTS) -> list[Grade]:
    """The marks of some who take part, in their order; see `grades`.

    Raises:
        BadInput: a weight is below 0, or all are 0.
    """
    if min(weights.values(), default=0) < 0 or not any(weights.values()):
        raise BadInput(f"Points for rules are 0 or more, and not all 0; they are {dict(weights)}.")
    kept: dict[str, dict[Rule, list[bool]]] = {name: {rule: [] for rule in RULE_POINTS} for name in names}
    for played in games:
        if played.score(0) is None:
            continue
        for seat, name in enumerate((played.task.x, played.task.o)):
            for rule, holds in _CHECKS.items():
                told = holds(played, seat)
                if told is not None and name in kept:
                    kept[name][rule].append(told)
    marked = []
    for name, rules in kept.items():
        shares = {rule: sum(told) / len(told) if told else None for rule, told in rules.items()}
        counted = {rule: share for rule, share in shares.items() if share is not None and weights.get(rule)}
        whole = sum(weights[rule] for rule in counted)
        points = sum(weights[rule] * share for rule, share in counted.items()) / whole if whole else None
        total = None if points is None else round(points * sum(weights.values()), 2)
        marked.append(Grade(name, shares, total))
    return marked


def _never_loses(played: Played, seat: int) -> bool:
    if played.score(seat) != 0:
        return True
    first = next((judged for judged in played.judged or () if judged.mover == seat), None)
    return played.fault is None and first is not None and first.exact and first.before == "loss"


def _wins_what_is_won(played: Played, seat: int) -> bool | None:
    was_won = any(judged.mover == seat and judged.before == "win" for judged in played.judged or ())
    return played.score(seat) == 1 if was_won else None


def _answers(played: Played, seat: int) -> bool:
    return played.fault != seat or fault_kind(played.why) == "illegal"


def _is_legal(played: Played, seat: int) -> bool:
    return played.fault != seat or fault_kind(played.why) != "illegal"


_CHECKS: Mapping[Rule, Callable[[Played, int], bool | None]] = {
    "never loses": _never_loses,
    "wins what is won": _wins_what_is_won,
    "answers in time": _answers,
    "no illegal move": _is_legal,
}
