"""The pages of a class: one for each student, and the teacher's, which links them all."""

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from plyground.arena.entrants import hash_files
from plyground.arena.marking.marks import ClassMarks, StudentMark
from plyground.arena.marking.weights import criterion_text
from plyground.arena.report.frame import page, paragraphs, row_name, table
from plyground.arena.report.student_page import StudentPage
from plyground.arena.results import Arena, Played
from plyground.errors import BadInput
from plyground.files.whole_file import write_whole
from plyground.gradebook.roster import ClassRoster
from plyground.markup import Markup, el
from plyground.play.proof import write


def page_names(marks: Sequence[StudentMark]) -> dict[str, str]:
    """The file of each student's page, by names that every system takes and no two of which are the same."""
    found: dict[str, str] = {}
    for mark in marks:
        plain = unicodedata.normalize("NFKD", mark.name).encode("ascii", "ignore").decode().lower()
        # ASCII letters and digits alone: the files are mailed, zipped and served, each of which spoils some other sign.
        stem = "-".join(["student", *re.findall("[a-z0-9]+", plain)])[:60]
        file, number = f"{stem}.html", 1
        # Two names may be one without accents: the second gets a number.
        while file in found.values():
            number += 1
            file = f"{stem}-{number}.html"
        found[mark.name] = file
    return found


def write_pages(
    folder: Path, arena: Arena, games: Sequence[Played], marks: ClassMarks, roster: ClassRoster | None = None
) -> Path:
    """Write all pages and certificates of a class. Returns the path of the teacher's page.

    Args:
        folder: where they go; it is made if it is missing.
        arena: the arena.
        games: its games.
        marks: the marks that they bring.
        roster: a roster of the class, for the students' numbers.

    Raises:
        BadInput: they cannot be written.
    """
    names = page_names(marks.marks)
    try:
        folder.mkdir(exist_ok=True)
        for mark in marks.marks:
            student = _student(folder, arena.game, games, marks, mark, names[mark.name])
            write_whole(folder / names[mark.name], replace(student, facts=_facts(mark, arena, roster)).html())
        index = folder / "index.html"
        write_whole(index, _class_page(arena, marks, names))
    except OSError as fault:
        raise BadInput(f"{folder} cannot be written: {fault.strerror or fault}.") from None
    return index


def _student(
    folder: Path, game: str, games: Sequence[Played], marks: ClassMarks, mark: StudentMark, file: str
) -> StudentPage:
    """Make the page of a student, and write the certificates beside it."""
    own = sorted((each for each in games if mark.name in (each.task.x, each.task.o)), key=lambda each: each.task.number)
    audits = sorted((each for each in marks.audits if each.name == mark.name), key=lambda each: "xo".index(each.side))
    certificates: dict[str, str] = {}
    for each in audits:
        if each.found and each.found.verdict == "never loses":
            certificates[each.side] = f"{Path(file).stem}-as-{each.side}.json"
            write(each.found, folder / certificates[each.side])
    return StudentPage(game, mark, own, audits, certificates)


def _facts(mark: StudentMark, arena: Arena, roster: ClassRoster | None) -> list[str]:
    """Number and points by the roster, and the time of the newest file, for the head of a student's page."""
    facts = []
    # One match alone: a page must never show another student's number.
    if roster and len(found := roster.find_students(mark.name)) == 1:
        facts = [f"number {number}" for number in sorted(found[0].ids)]
        if mark.points is not None and (text := roster.points_text(found[0], mark.points, 100, arena.game)):
            facts.append(f"{text} points")
    entrant = next((each for each in arena.entrants if each.name == mark.name), None)
    with suppress(BadInput, OSError):  # a file that is gone has no time
        times = [
            Path(name).stat().st_mtime for name in (hash_files(entrant) if entrant else {}) if Path(name).is_file()
        ]
        if times:
            facts.append(f"files of {datetime.fromtimestamp(max(times), UTC):%Y-%m-%d %H:%M} UTC")
    return facts


def _class_page(arena: Arena, marks: ClassMarks, names: dict[str, str]) -> Markup:
    """The teacher's page."""
    is_any_missing = any(mark.why for mark in marks.marks)
    criteria_heads = ([name, el("br"), f"{weight:g}"] for name, weight in marks.weights.items())
    heads = ("student", "mark", *criteria_heads, *(["reason"] if is_any_missing else []))
    rows = [_row(mark, marks, names[mark.name], is_any_missing) for mark in marks.marks]
    shown = table("Marks", heads, rows, lefts=(0, *([len(heads) - 1] if is_any_missing else [])))
    title = f"Class: {arena.game}"
    criteria = [f"{name}: {criterion_text(name).lower()}." for name in marks.weights]
    facts = f"{len(marks.marks)} students · {arena.limits or 'no time limits'} · begun {arena.created[:10]}"
    top = el("header", el("h1", title), el("p", facts, class_="quiet"))
    return page(title, top, el("main", shown, paragraphs(criteria, "quiet")))


def _row(mark: StudentMark, marks: ClassMarks, file: str, is_any_missing: bool) -> Markup:
    points = {part.criterion: mark.part_points(part) for part in mark.parts}
    told = [points.get(name) for name in marks.weights]
    return el(
        "tr",
        row_name(el("a", mark.name, href=file)),
        el("td", "–" if mark.points is None else el("strong", f"{mark.points:g}")),
        (el("td", "–" if each is None else f"{each:.1f}") for each in told),
        el("td", mark.why, class_="left why") if is_any_missing else None,
    )
