"""Files in which an arena is handed out, written together: at its end, or when it is interrupted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from plyground.arena.marking.marks import ClassMarks
from plyground.arena.report import export
from plyground.arena.report.class_pages import write_pages
from plyground.arena.report.game_records import game_records
from plyground.arena.report.html import html, page_at
from plyground.arena.results import Arena, Played
from plyground.errors import BadInput, extra
from plyground.files.whole_file import write_whole
from plyground.gradebook.entries import entries_csv
from plyground.gradebook.roster import read_roster


@dataclass(frozen=True)
class Handouts:
    """Files to write; the fields are options of the command.

    Raises:
        BadInput: a file is in no folder, an address is none, or what a file needs is not installed; said before the
            first game.
    """

    report: Annotated[Path | None, "write a report to hand out: one file of HTML"] = None
    csv: Annotated[Path | None, "write the games as CSV, a row for each"] = None
    parquet: Annotated[Path | None, "write the games as Parquet"] = None
    records: Annotated[Path | None, "write the games in their notation: PGN, PDN or SGF"] = None
    grades: Annotated[Path | None, "write a gradebook as CSV: marks, and what each criterion adds"] = None
    pages: Annotated[Path | None, "write pages for a class in this folder: the teacher's, and one each"] = None
    roster: Annotated[Path | None, "a CSV of Moodle or Canvas: its numbers of the students are on their pages"] = None
    playground: Annotated[str, "the address of a playground, for the report's links"] = ""

    def __post_init__(self) -> None:
        # Before the first game: an arena of a night must not end with a folder that does not exist.
        for file in (self.report, self.csv, self.parquet, self.grades, self.records):
            if file and (file.is_dir() or not file.absolute().parent.is_dir()):
                raise BadInput(f"{file} cannot be written: {'it is a folder' if file.is_dir() else 'no such folder'}.")
        if self.pages and (self.pages.is_file() or not self.pages.absolute().parent.is_dir()):
            raise BadInput(
                f"{self.pages} cannot be written: {'it is a file' if self.pages.is_file() else 'no such folder'}."
            )
        if self.roster:
            read_roster(self.roster)
        page_at(self.playground)
        if self.parquet:
            with extra("A Parquet file"):
                import pyarrow  # noqa: F401

    def write(self, arena: Arena, games: Sequence[Played], marks: ClassMarks, said: Iterable[str] = ()) -> list[Path]:
        """Write the files. Returns their paths.

        Args:
            arena: the arena.
            games: its games so far.
            marks: the marks that they bring.
            said: more sentences for the report's head.

        Raises:
            BadInput: a file cannot be written.
        """
        if self.report:
            write_whole(self.report, html(arena, games, page=self.playground, said=said))
        if self.csv:
            write_whole(self.csv, export.csv(games))
        if self.parquet:
            export.parquet(games, self.parquet)
        if self.grades:
            write_whole(self.grades, entries_csv(export.entries(marks.marks, arena.game)))
        if self.records:
            write_whole(self.records, game_records(arena, games))
        roster = read_roster(self.roster) if self.roster else None
        index = write_pages(self.pages, arena, games, marks, roster) if self.pages else None
        written = self.report, self.csv, self.parquet, self.grades, self.records, index
        return [file for file in written if file]
