"""Entries of a gradebook: the points of each student for each item, and the one CSV form that holds them.

What belongs to an item is a part of it, an item of its own that is called `item: part`; its points are in the item's.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from plyground.errors import BadInput
from plyground.files import text_of_file
from plyground.text import csv_cell, csv_text, decimal_number, plain, plain_name

PART = ": "
"""Separator between the name of an item and that of its part."""


@dataclass(frozen=True)
class Entry:
    """Points of a student for an item; the fields are the columns of the CSV."""

    student: str
    """A name, or the path of the file handed in without its ending: `ann`, `b/bob`."""
    item: str
    points: float | None
    """None: not known, which is not 0."""
    possible: float | None
    """Most points of the item; None where that is not known."""
    reason: str = ""
    """Reason that these are not all points, or that there are none, in a sentence."""


BOOK_COLUMNS = tuple(each.name for each in fields(Entry))


def part_name(item: str, part: str) -> str:
    """Name of a part of an item."""
    return f"{item}{PART}{part}"


def totals(entries: Iterable[Entry], items: Sequence[str] = ()) -> list[Entry]:
    """Entries without those of parts; of some items, if any are named, one for each student with the sum of them.

    Raises:
        BadInput: no entry is of such an item, or several items are there and none is named.
    """
    # The points of parts are in their item's already: they would count twice.
    whole = [each for each in entries if PART not in each.item]
    known = list(dict.fromkeys(each.item for each in whole))
    if unknown := [each for each in items if each not in known]:
        raise BadInput(f"--item {unknown[0]}: there is no such item; there are {', '.join(known) or 'none'}.")
    if len(known) > 1 and not items:
        raise BadInput(f"There are several items, {', '.join(known)}: name those that count by --item.")
    found: dict[str, Entry] = {}
    for each in whole:
        if each.item in (items or known):
            before = found.get(each.student)
            found[each.student] = _sum(before, each) if before else each
    return [replace(each, item=" and ".join(items or known)) for each in found.values()]


def _sum(one: Entry, other: Entry) -> Entry:
    """Both as one entry; a number that is not known of one of them is not known of both."""
    # Unknown plus 3 is unknown, never 3: a sum without one of its items would look like a bad mark.
    points, possible = (
        None if a is None or b is None else a + b
        for a, b in ((one.points, other.points), (one.possible, other.possible))
    )
    return replace(one, points=points, possible=possible, reason=" ".join(filter(None, [one.reason, other.reason])))


def entries_csv(entries: Iterable[Entry]) -> str:
    """The gradebook as CSV: a line of column names, then a row for each entry. No text is taken for a formula."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(BOOK_COLUMNS)
    rows.writerows([csv_cell(_number(cell)) for cell in astuple(each)] for each in entries)
    return out.getvalue()


def _number(cell: object) -> object:
    """A number with a decimal at most where it has any."""
    return f"{round(cell, 1):g}" if isinstance(cell, float) and cell >= 0 else cell


def read_entries(file: Path) -> list[Entry]:
    """The entries of a gradebook that plyground wrote.

    Raises:
        BadInput: the file cannot be read, or is no such gradebook.
    """
    reader = csv.reader(io.StringIO(text_of_file(file)))
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as fault:
        raise BadInput(f"{file} is no CSV: {fault}.") from None
    if not rows or tuple(rows[0][1]) != BOOK_COLUMNS:
        raise BadInput(f"{file} is no gradebook of plyground: its first line is {','.join(BOOK_COLUMNS)}.")
    return [_entry(f"{file}, line {line}", row) for line, row in rows[1:] if row]


def _entry(where: str, row: Sequence[str]) -> Entry:
    if len(row) != len(BOOK_COLUMNS):
        raise BadInput(f"{where}: {len(row)} columns, where {len(BOOK_COLUMNS)} are meant.")
    student, item, points, possible, reason = row
    given, most = (decimal_number(text) if text else None for text in (points, possible))
    if (points and given is None) or (possible and most is None):
        raise BadInput(f"{where}: points are numbers, as in 85 or 0.5.")
    return Entry(plain_name(csv_text(student)), plain_name(csv_text(item)), given, most, plain(csv_text(reason)))
