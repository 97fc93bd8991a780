"""Figures of the course: the growing program of Connect Four, and searches of students graded by each tool.

`python bench/course.py` writes COURSE.md; about two minutes of an idle machine.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ["PLYGROUND_PLAIN"] = "1"

import plyground as pg
from plyground.grading import grade
from plyground.microscope.forms import broken_lines
from plyground.microscope.tree import record
from plyground.play.audit import audit
from plyground.web.lessons import loader

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from right_searches import RIGHT  # noqa: E402
from wrong_searches import WRONG, changed  # noqa: E402

STAGES = (
    ("2", "minimax", ""),
    ("3", "alphabeta", ""),
    ("10", "deepening", "10-deepening"),
    ("14", "killers", "14-order"),
    ("15", "scout", "15-windows"),
    ("16", "keyed", "16-bits"),
)
"""Lesson, search and, of one that the lesson has its reader write, the lesson's file."""
DEPTH = 6
THREADS = """
import time
import plyground as pg
start = pg.Position.initial(pg.ConnectFour())
def searched(threads):
    begun = time.perf_counter()
    *_, last = pg.think(start, pg.Limit(depth=16), threads=threads)
    return time.perf_counter() - begun, last.nodes
searched(1), searched(2)
for threads in (1, 2):
    seconds, nodes = min(searched(threads) for _ in range(5))
    print(threads, nodes, seconds)
"""
"""A program that searches by one thread and by two, once everything is compiled."""
FIGURE = pg.Position.parse(pg.MNK(), "xx./.o./...:o")
AUDITED = "b2 a1 c3"
"""Start of the audited games: plain Python takes hours for minimax from the empty board."""
BEFORE = {
    "no terminal test": "failed",
    "off by one": "failed",
    "the depth is not decremented": "failed",
    "the evaluation negated for o": "**passed**",
    "MIN raises alpha": "failed, by nodes",
    "MIN takes the largest": "failed",
    "alpha and beta swapped": "failed",
    "the window of negamax in minimax": "failed, by nodes",
    "cuts at alpha + 1": "**passed**",
    "always move 0": "**passed**",
    ">= keeps the last tie": "**passed**",
}
"""Outcome of lesson 3's exported tests before there was a grader, as a review of the course recorded it."""


def growing() -> list[str]:
    """Rows of the program's stages, all in plain Python."""
    start = pg.Position.initial(pg.ConnectFour())
    rows = ["| lesson | search | nodes | positions a second | seconds |", "|---|---|--:|--:|--:|"]
    for lesson, name, file in STAGES:
        with tempfile.TemporaryDirectory() as folder:
            search = name
            if file:
                path = Path(folder) / f"{name}.py"
                path.write_text(loader.lesson(file).files[path.name], encoding="utf-8")
                search = f"{path}:{name}"
            begun = time.process_time()
            nodes = pg.search(start, search, DEPTH, verify=False).nodes  # the engine's proof is no part of the lesson's
            spent = time.process_time() - begun
        rows.append(f"| {lesson} | {name} | {nodes:,} | {nodes / spent:,.0f} | {spent:.2f} |")
    space = bits()
    begun = time.process_time()
    nodes = space["perft"](0, 0, 7)
    spent = time.process_time() - begun
    rows.append(f"| 16 | perft of the two ints, to depth 7 | {nodes:,} | {nodes / spent:,.0f} | {spent:.2f} |")
    return rows


def by_threads() -> list[str]:
    """Rows of the engine, compiled, to a depth by one thread and by two: the fastest of five each, by the clock."""
    done = subprocess.run(
        [sys.executable, "-c", THREADS],
        env={name: value for name, value in os.environ.items() if name != "PLYGROUND_PLAIN"},
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    rows = ["| lesson | the engine, compiled | nodes | positions a second | seconds |", "|---|---|--:|--:|--:|"]
    for line in done.stdout.splitlines():
        threads, nodes, seconds = line.split()
        each = f"{int(nodes):,} | {int(nodes) / float(seconds):,.0f} | {float(seconds):.2f}"
        rows.append(f"| 17 | {'one thread' if threads == '1' else 'two threads'} | {each} |")
    return rows


def bits() -> dict[str, Any]:
    """Functions of lesson 16 on a board of two ints."""
    space: dict[str, Any] = {}
    for source in getattr(loader.lesson("16-bits").examples[0], "sources", [])[:-1]:
        exec(source, space)
    return space


def found(search: str) -> list[str]:
    """A search by each tool: points and mistake, and what tree, compare and audit say of it."""
    graded = grade(search)
    if "while True" in Path(search.removesuffix(":search")).read_text("utf-8"):  # the other tools wait for it
        return [f"{graded.points} of {graded.possible}", graded.likely.partition(":")[0], "waits", "waits", "waits"]
    try:
        broken = broken_lines(record(FIGURE, search, 3))
        tree = "says so" if broken else "silent"
    except pg.BadInput:
        tree = "a sentence"
    try:
        compared = "≠" if pg.compare(FIGURE, [search], range(1, 5)).different else "same"
    except pg.BadInput:
        compared = "a sentence"
    try:
        start = pg.Position.parse(pg.MNK(), AUDITED)
        held = audit("tictactoe", start, 1, lambda: pg.player_named(f"{search}:depth=6"), explained=False)
        audited = f"loses {held.lost:,} of {held.games:,}" if held.losses else held.verdict
    except pg.BadInput:
        audited = "a sentence"
    return [f"{graded.points} of {graded.possible}", graded.likely.partition(":")[0] or "none", tree, compared, audited]


def of_class() -> list[str]:
    """A class of twelve, graded by one command: every sixth wrong search, and two right ones."""
    with tempfile.TemporaryDirectory() as folder:
        wrong = [changed(base, changes) for _, base, changes, _ in WRONG[::6]][:10]
        for number, text in enumerate([*wrong, *list(RIGHT.values())[: 12 - len(wrong)]], start=1):
            (Path(folder) / f"student{number:02}.py").write_text(text, encoding="utf-8")
        begun = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "plyground", "grade", folder], capture_output=True, encoding="utf-8", check=False
        )
        spent = time.perf_counter() - begun
    table = done.stdout.rstrip()
    said = f"A class of twelve, `plyground grade FOLDER`, two at once: {spent:.0f} seconds."
    return [said, "", "```", *table.splitlines(), "```"]


def main() -> None:
    """Write the tables."""
    lines = [
        "# The course in figures",
        "",
        *INTRODUCTION,
        "",
        *growing(),
        "",
        *SHARED,
        "",
        *by_threads(),
        "",
        *GRADED,
        "",
    ]
    lines += [
        "| done wrong | test before | points | likely mistake | tree | compare | audit |",
        "|---|---|--:|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "student.py"
        cases = [(name, changed(base, changes)) for name, base, changes, _ in WRONG]
        for name, text in [*cases, *((f"(right) {name}", text) for name, text in RIGHT.items())]:
            file.write_text(text, encoding="utf-8")
            row = found(f"{file}:search")
            lines.append(f"| {name} | {BEFORE.get(name, '')} | {' | '.join(row)} |")
            print(name, row, flush=True)
    lines += ["", *of_class()]
    file = HERE / "COURSE.md"
    _, is_more, others = file.read_text(encoding="utf-8").partition("\n## ")  # sections of other scripts
    file.write_text("\n".join(lines) + "\n" + is_more + others, encoding="utf-8")


INTRODUCTION = [
    "Written by `python bench/course.py`, in CPU time of one process, all as plain Python.",
    "",
    "One program for Connect Four through the lessons: from the empty board to depth 6. From lesson 10 on each search",
    "deepens, so its nodes are those of six searches.",
]
SHARED = [
    "The same position to depth 16 by the engine, which is compiled and selective: the fastest of five by the clock.",
]
GRADED = [
    "Wrong searches of the kinds that students write, and right ones of different style: the points of",
    "`plyground grade` with the mistake that it names, whether `tree --depth 3` and `compare --depth 1..4` of the",
    "expert's position object, and what `audit` as o at depth 6 finds after b2 a1 c3. *Test before* is what lesson",
    "3's exported tests said before there was a grader, where a review of the course had tried it.",
]

if __name__ == "__main__":
    main()
