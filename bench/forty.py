"""The processor's time of a class of forty programs: `python bench/forty.py`, some ten minutes.

Eight kinds of students' programs in each of five languages (`examples/class`): perfect, the first free square, illegal
moves, a crash, an endless loop, words between moves, no start, and one that waits for the end of its input. Writes its
own section of bench/COURSE.md. It needs gcc, a JDK, Node and SWI-Prolog.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from plyground.gradebook.entries import Entry, read_entries, totals

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "examples" / "class"
TITLE = "## A class of forty programs"
COMMANDS = {
    "python": "python3 player.py",
    "javascript": "node player.js",
    "c": "./player",
    "java": "java Player",
    "prolog": "swipl player.pl",
}
KINDS = ("perfect", "first", "illegal", "crash", "hang", "talk", "broken", "waits")


def roster(languages: list[str]) -> str:
    """The class's file."""
    rows = ["[program]\ntimeout = 5\n"]
    for language in languages:
        for kind in KINDS:
            spec = f"program:{COMMANDS[language]} {kind} {{side}} {{first}}"
            rows.append(f'[[player]]\nname = "{language}-{kind}"\nspec = "{spec}"\n')
    return "\n".join(rows)


def of_class(folder: Path) -> list[str]:
    """The section on a class that is marked in a folder."""
    for file in PROGRAMS.iterdir():
        shutil.copy(file, folder)
    subprocess.run(["gcc", "-O1", "-o", "player", "player.c"], cwd=folder, check=True)
    subprocess.run(["javac", "Player.java"], cwd=folder, check=True)
    (folder / "class.toml").write_text(roster(sys.argv[1:] or [*COMMANDS]), encoding="utf-8")
    before = os.times()
    command = (
        f"arena tictactoe --players class.toml --grades marks.csv --pages pages --database sqlite:///{folder}/a.db"
    )
    subprocess.run([sys.executable, "-m", "plyground", *command.split(), "--jobs", "2"], cwd=folder, check=True)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return section(totals(read_entries(folder / "marks.csv")), seconds)


def section(marks: Sequence[Entry], seconds: float) -> list[str]:
    """The section: seconds of the processor, of all processes, and the marks by kinds."""
    kinds = Counter[tuple[str, str]]()
    for each in marks:
        kinds[each.student.rpartition("-")[2], "–" if each.points is None else f"{each.points:g}"] += 1
    rows = [f"| {kind} | {mark} | {count} |" for (kind, mark), count in sorted(kinds.items())]
    return [
        TITLE,
        "",
        f"Written by `python bench/forty.py`. {len(marks)} programs, eight kinds in each of"
        f" {len(marks) // len(KINDS)} languages, `plyground arena --grades --pages`:"
        f" {seconds / 60:.1f} minutes of the processor, of all processes.",
        "",
        "| kind | mark | programs |",
        "|---|--:|--:|",
        *rows,
    ]


def write(lines: Sequence[str]) -> None:
    """Write the section over the one that is there."""
    file = HERE / "COURSE.md"
    before, _, rest = file.read_text(encoding="utf-8").partition(f"\n{TITLE}")
    _, is_more, after = rest.partition("\n## ")
    text = "\n".join(lines) + "\n" + (f"\n## {after}" if is_more else "")
    file.write_text(f"{before.rstrip()}\n\n{text}", encoding="utf-8")


def main() -> None:
    """Measure and write."""
    with tempfile.TemporaryDirectory() as folder:
        write(of_class(Path(folder)))


if __name__ == "__main__":
    main()
