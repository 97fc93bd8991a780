"""Rosters of a learning platform, filled with points so that it can take the file back.

A roster is a CSV that Moodle or Canvas exports: a list of participants, a gradebook, or Moodle's worksheet for grading
offline. What is written has its form, its columns and its rows, and points in one column.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from plyground.errors import BadInput
from plyground.files import bytes_of_file, text_of_file
from plyground.gradebook.entries import Entry
from plyground.text import count_text, csv_cell, decimal_number, plain_name

ROSTER_HEADERS: Mapping[str, tuple[str, ...]] = {
    "name": ("full name", "student", "name", "vollständiger name"),
    "first": ("first name", "vorname"),
    "last": ("last name", "surname", "nachname"),
    "id": (
        *("identifier", "id", "id number", "username", "sis user id", "sis login id", "integration id"),
        *("id-nummer", "anmeldename"),
    ),
    "mail": ("email address", "email", "e-mail-adresse", "e-mail"),
    "grade": ("grade", "bewertung"),
    "maximum": ("maximum grade", "bestwertung"),
    "reason": ("feedback comments", "feedback als kommentar"),
}
"""Headers of Moodle's exports, in English and German, and of Canvas's, in lower case, by the kind of their column."""
DELIMITERS = ",;\t"
POSSIBLE = "points possible"
"""First cell of the row in a gradebook of Canvas that holds the most points of each column."""
NUMBERED = re.compile(r"^(?:[^:]*: )?(.*?)(?: \([^()]*\))?$")
"""A header of points, as `Quiz (123)` or `Assignment: Quiz (Real)`, with the item's name inside."""
SHORTEST_ID = 4
"""Signs of an id that is taken for one also in a part of a label: `2` in `search (2)` is none."""
MOST_OF_A_LABEL = 300
"""Characters of a label that are read."""
PARTICIPANT = re.compile(r"^\D*[ /]\D*(?=\d+$)")
"""Words before the number of a participant in Moodle's worksheet."""
NAME_WORD = re.compile(r"[^\W_]+")
"""Letters and digits of any script."""
NO_DECOMPOSITION = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"})
TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
"""Letters that a file's name may have written as two."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Student:
    """A student of a roster."""

    row: int
    """Place among the rows."""
    name: str
    ids: frozenset[str]
    mails: frozenset[str]
    """Addresses, and their parts before the @."""
    names: frozenset[str]
    """The name without blanks, in the orders in which it may be written."""


@dataclass(frozen=True)
class FilledRoster:
    """A roster with points, and the students that only the gradebook or only the roster has."""

    text: str
    """The roster's file."""
    unmatched: list[str] = field(default_factory=list)
    """A sentence for each student of the gradebook whose points are in no row."""
    missing: list[str] = field(default_factory=list)
    """Names of the roster's students without an entry in the gradebook."""


@dataclass(frozen=True)
class ClassRoster:
    """A roster as it was read."""

    rows: list[list[str]]
    """All rows, the one of headers first."""
    delimiter: str
    start: str = ""
    """A byte order mark, where the file begins with one, as spreadsheets want it."""
    line_end: str = "\n"

    @cached_property
    def columns(self) -> dict[str, list[int]]:
        """Places of the columns of each kind in `ROSTER_HEADERS`."""
        heads = [head.strip().casefold() for head in self.rows[0]]
        return {
            kind: [place for place, head in enumerate(heads) if head in ROSTER_HEADERS[kind]] for kind in ROSTER_HEADERS
        }

    @cached_property
    def possible_row(self) -> int:
        """Place of the row with the most points of each column, as Canvas has it; 0 for none."""
        return next((place for place, row in enumerate(self.rows) if row and row[0].strip().lower() == POSSIBLE), 0)

    @cached_property
    def students(self) -> list[Student]:
        """The students of all rows that have a name, an id or an address."""
        found = [self._student(place) for place in range(1, len(self.rows)) if place != self.possible_row]
        return [each for each in found if each.names or each.ids or each.mails]

    def _student(self, row: int) -> Student:
        texts = {kind: list(filter(None, self._cells(row, kind))) for kind in ("name", "first", "last", "id", "mail")}
        first, last = " ".join(texts["first"]), " ".join(texts["last"])
        names = [*texts["name"], *([f"{last}, {first}"] if first and last else [])]
        mails = {_fold_name(mail) for mail in texts["mail"]} | {_fold_name(one) for one in texts["id"] if "@" in one}
        shown = " ".join(filter(None, [first, last])) or next(iter([*texts["name"], *texts["mail"], *texts["id"]]), "")
        return Student(
            row,
            shown,
            frozenset(_fold_name(PARTICIPANT.sub("", text)) for text in texts["id"]),
            frozenset([*mails, *(mail.partition("@")[0] for mail in mails)]),
            frozenset(order for name in names for order in _name_orders(name)),
        )

    def _cells(self, row: int, kind: str) -> Iterator[str]:
        for place in self.columns[kind]:
            if place < len(self.rows[row]):
                yield plain_name(self.rows[row][place])

    # -- who it is ----------------------------------------------------------------------------------------------------

    def find_students(self, label: str) -> list[Student]:
        """Students whom a label may mean: by id, address and name, each of which it may have and none may contradict.

        Args:
            label: such as `Lee, Ann_123456_assignsubmission_file/search` or `ann.lee`.
        """
        text = _fold_name(label[:MOST_OF_A_LABEL])
        words = NAME_WORD.findall(_without_accents(text))
        # All runs of words, because a platform puts a name anywhere in a file's name. Their number is quadratic in the
        # words, which `MOST_OF_A_LABEL` bounds.
        runs = {"".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)}
        inside = [*NAME_WORD.findall(text), *re.findall(r"\d+", text), *text.split("_")]
        ids = {text, *text.split("/"), *(each for each in inside if len(each) >= SHORTEST_ID)}
        ways = [
            {each for each in self.students if each.ids & ids},
            {each for each in self.students if any(_has_word(text, mail) for mail in each.mails)},
            {each for each in self.students if each.names & runs},
        ]
        found = [way for way in ways if way]
        # All ways that find anyone must agree. If they contradict each other, every candidate is returned: several are
        # refused, and points never reach the wrong student.
        agreed = set.intersection(*found) if found else set()
        return sorted(agreed or set().union(*found), key=lambda each: each.row)

    # -- points -------------------------------------------------------------------------------------------------------

    def fill(self, entries: Sequence[Entry]) -> FilledRoster:
        """The roster with the points of one item, in its column if it has one, else in a new one.

        Points are scaled to the maximum that the roster states. A row without an entry stays as it is, and so does one
        whose entry has no points.
        """
        rows = [[*row] for row in self.rows]
        unmatched = []
        by_row: dict[int, list[Entry]] = {}
        who = {each.row: each for each in self.students}
        for entry in entries:
            match self.find_students(entry.student):
                case [student]:
                    by_row.setdefault(student.row, []).append(entry)
                case []:
                    unmatched.append(f"{entry.student} has no id, address or name of the roster.")
                case several:
                    names = " or ".join(each.name for each in several)
                    unmatched.append(f"{entry.student} may be {names}: none is taken.")
        item = entries[0].item if entries else ""
        column = self._column(item)
        if column == len(rows[0]) and item:
            for place, row in enumerate(rows):
                row.append(item if not place else "")
        for place, given in by_row.items():
            # Two files of one student: to choose one of them is the teacher's decision.
            if len(given) > 1:
                files = " and ".join(each.student for each in given)
                unmatched.append(f"{files} are all of {who[place].name}: none is taken.")
            # No points are not 0 points: the teacher's cell stays as it is.
            elif given[0].points is not None:
                self._write_points(rows, place, column, given[0])
        missing = [each.name for each in self.students if each.row not in by_row]
        return FilledRoster(self._file_text(rows), unmatched, missing)

    def _column(self, item: str) -> int:
        """Place of an item's column; one past the last for a new one."""
        if self.columns["grade"]:
            return self.columns["grade"][0]
        named = [place for place, head in enumerate(self.rows[0]) if item and item_name(head) == item.casefold()]
        return named[0] if named else len(self.rows[0])

    def _write_points(self, rows: list[list[str]], place: int, column: int, entry: Entry) -> None:
        assert entry.points is not None
        row = rows[place]
        row += [""] * (max(column + 1, len(self.rows[0])) - len(row))
        if self.possible_row:
            most = rows[self.possible_row]
            most += [""] * (column + 1 - len(most))
            # A maximum that the teacher has set stays: points are scaled to it.
            if not most[column] and entry.possible is not None:
                most[column] = self._number(entry.possible)
        row[column] = self._number(entry.points * self._scale(place, column, entry.possible))
        for place in self.columns["reason"]:
            row[place] = f"{csv_cell(entry.reason)}" or row[place]

    def _maximum(self, place: int, column: int) -> float | None:
        """Most points in a column that the roster states for a row."""
        below = self.rows[self.possible_row][column : column + 1] if self.possible_row else []
        stated = [*self._cells(place, "maximum"), *below]
        return decimal_number(stated[0].strip().replace(",", ".")) if stated else None

    def _scale(self, place: int, column: int, possible: float | None) -> float:
        """Points of the roster for one point of an item."""
        maximum = self._maximum(place, column)
        return maximum / possible if maximum is not None and possible else 1

    def points_text(self, student: Student, points: float, possible: float, item: str) -> str:
        """Points of a student as they stand in the roster, `17 of 20`; empty where it states no maximum."""
        column = self._column(item)
        maximum = self._maximum(student.row, column)
        if maximum is None:
            return ""
        return f"{self._number(points * self._scale(student.row, column, possible))} of {self._number(maximum)}"

    def _number(self, value: float) -> str:
        """A number with two decimals at most, behind a comma where the roster has them so."""
        text = f"{value:.2f}".rstrip("0").rstrip(".")
        return text.replace(".", ",") if self._has_commas else text

    @cached_property
    def _has_commas(self) -> bool:
        cells = [cell.strip() for row in self.rows for cell in row]
        commas, points = (sum(bool(re.fullmatch(rf"\d+{sign}\d+", cell)) for cell in cells) for sign in (",", r"\."))
        # Decided by the file as a whole: 1,234 alone may be either. Excel writes semicolons where the comma is a
        # decimal sign.
        return commas > points or (self.delimiter == ";" and not points)

    def _file_text(self, rows: Iterable[Sequence[str]]) -> str:
        """The file; no name is taken for a formula."""
        named = {place for kind in ("name", "first", "last") for place in self.columns[kind]}
        out = io.StringIO()
        csv.writer(out, delimiter=self.delimiter, lineterminator=self.line_end).writerows(
            # Only names: an apostrophe before a cell of points or of an id would make it text that the platform
            # refuses.
            [csv_cell(cell) if place in named else cell for place, cell in enumerate(row)]
            for row in rows
        )
        return self.start + out.getvalue()


def item_name(head: str) -> str:
    """The item that a column of points is headed with, in lower case.

    >>> item_name("Assignment: Minimax (Real)"), item_name("Minimax (123)"), item_name("minimax")
    ('minimax', 'minimax', 'minimax')
    """
    found = NUMBERED.match(head.strip())
    return (found[1] if found else head).casefold()


def read_roster(file: Path) -> ClassRoster:
    """Read a roster.

    Raises:
        BadInput: the file cannot be read, is no CSV in UTF-8, or has no column of names, ids or addresses.
    """
    text, content = text_of_file(file), bytes_of_file(file)
    # The delimiter is the one by which known headers appear: a count of signs would be misled by commas in names.
    best = max((_rows(file, text, sign) for sign in DELIMITERS), key=lambda read: _count_student_columns(read.rows))
    if not _count_student_columns(best.rows):
        raise BadInput(
            f"{file} is no roster: its first line has no header of Moodle's or Canvas's exports, such as "
            "Email address, ID number or Student."
        )
    # Without this mark Excel takes UTF-8 for the code page of its system: a file that had it keeps it.
    start = "\ufeff" if content.startswith(BYTE_ORDER_MARK) else ""
    return replace(best, start=start, line_end="\r\n" if b"\r\n" in content else "\n")


def _rows(file: Path, text: str, delimiter: str) -> ClassRoster:
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(row)]
    except csv.Error as fault:
        raise BadInput(f"{file} is no CSV: {fault}.") from None
    return ClassRoster(rows or [[]], delimiter)


def _count_student_columns(rows: list[list[str]]) -> int:
    """Number of columns by which a student is found."""
    heads = [head.strip().casefold() for head in rows[0]]
    return sum(head in ROSTER_HEADERS[kind] for head in heads for kind in ("name", "first", "last", "id", "mail"))


def _fold_name(text: str) -> str:
    """A text in lower case, its letters with their accents in one form."""
    # macOS writes file names decomposed (NFD), platforms composed: one form for both.
    return unicodedata.normalize("NFC", text).casefold().strip()


def _without_accents(text: str) -> str:
    """A text in lower case whose letters have no accents."""
    letters = unicodedata.normalize("NFKD", text.translate(NO_DECOMPOSITION))
    return "".join(sign for sign in letters if not unicodedata.combining(sign))


def _name_orders(name: str) -> Iterator[str]:
    """A name without blanks: as it is written, and with the last name first or last; umlauts also as two letters."""
    last, comma, first = name.partition(",")
    words = [*first.split(), *last.split()]
    tail = len(last.split()) if comma else 1
    # Without a comma it is not known which word is the last name: the whole name as it stands, and its last word first.
    for order in (words if comma else last.split(), [*words[-tail:], *words[:-tail]]):
        text = _fold_name(" ".join(order))
        for written in (text, text.translate(TWO_LETTERS)):
            if plain := "".join(NAME_WORD.findall(_without_accents(written))):
                yield plain


def _has_word(text: str, word: str) -> bool:
    """True if a text has a word that is not a part of a longer one, or of another address."""
    return re.search(rf"(?<![^\W_])(?<![.+-]){re.escape(word)}(?![^\W_])(?![@+-])(?!\.[^\W_])", text) is not None


def missing_text(missing: Sequence[str]) -> str:
    """Sentence on the roster's students without an entry; empty where there are none."""
    if not missing:
        return ""
    shown = ", ".join(missing[:10]) + (", …" if len(missing) > 10 else "")
    return f"Of {count_text(len(missing), 'student')} of the roster there is nothing: {shown}."
