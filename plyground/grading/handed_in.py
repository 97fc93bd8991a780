"""Searches handed in by a class: files and folders, each search graded in a process of its own."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from subprocess import DEVNULL, PIPE
from threading import Thread

from pydantic import TypeAdapter

from plyground.errors import BadInput
from plyground.grading.forms import GradeReport, report
from plyground.grading.grade import (
    EXERCISES,
    WITHIN,
    Criterion,
    CriterionMark,
    Exercise,
    SearchGrade,
    criteria_of,
    grade,
)
from plyground.grading.node_limit import node_limit
from plyground.grading.program import GAME_ASKED, criteria_asked, grade_program, is_program
from plyground.programs.supervised import PROGRAM_MEMORY, Supervised, small_environment

FUNCTION = "search"
"""Name of the function that is graded where none is named."""
REPORT = TypeAdapter(GradeReport)
"""Check of a report that came from another process."""
SECRET, MOST_REPORT = 16, 1 << 24
"""Bytes of the secret that tells a report from what a search writes, and most bytes of a report."""
SECONDS_A_SEARCH = 120.0
"""Seconds after which the process of one search is ended."""


def searches(words: Sequence[str]) -> list[str]:
    """Searches that words name: `file.py:function`, a file, whose function is `search`, or a folder of such files.

    Raises:
        BadInput: there is no such file, or a folder has no Python file.
    """
    found: list[str] = []
    for word in words:
        if is_program(word):
            found.append(word)
            continue
        path = Path(word)
        if path.is_dir():
            inside = sorted(each for each in path.rglob("*.py") if not each.name.startswith(("_", ".", "test_")))
            if not inside:
                raise BadInput(f"{word} has no Python file: a folder holds a file for each search.")
            found += [f"{each}:{FUNCTION}" for each in inside]
        else:
            found.append(f"{word}:{FUNCTION}" if word.endswith(".py") else word)
    return found


def reports(
    named: Sequence[str],
    exercise: Exercise,
    seed: int,
    jobs: int,
    on_report: Callable[[GradeReport], None],
    game: str = GAME_ASKED,
    most_nodes: str = "",
    *,
    apart: bool = False,
) -> list[GradeReport]:
    """Grades of searches, each in a process of its own, `jobs` at once; one alone is graded here unless `apart`.

    So one that ends its process, or never ends, leaves the others' grades as they are.

    Raises:
        BadInput: there is one search alone, graded here, and it cannot be loaded.
    """
    if len(named) == 1 and not apart:
        found = report(graded_by_kind(named[0], exercise, seed, game, most_nodes))
        on_report(found)
        return [found]
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(_apart, search, exercise, seed, game, most_nodes) for search in named]
        done = []
        for each in waiting:
            done.append(each.result())
            on_report(done[-1])
        return done


def _apart(search: str, exercise: Exercise, seed: int, game: str, most_nodes: str) -> GradeReport:
    """Grade of a search, made by another process, with limits of time, memory, processes and output.

    The process gets a secret before it loads the search, and its report begins with that. What the search prints goes
    nowhere. So printing makes no grade; code that searches its process for the secret could.
    """
    command = [sys.executable, "-m", __name__, search, exercise, str(seed), game, most_nodes]
    environment = None if is_program(search) else small_environment()
    secret = token_hex(SECRET).encode()
    child = Supervised(command, PROGRAM_MEMORY << 20, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment)
    said = bytearray()
    reader = Thread(target=_read_report, args=(child, said), name="plyground grade", daemon=True)
    try:
        reader.start()
        assert child.process.stdin is not None
        with suppress(OSError), child.process.stdin as stdin:  # it may have ended
            stdin.write(secret)
        is_done = child.wait(SECONDS_A_SEARCH)
    finally:
        child.end()
    reader.join(SECONDS_A_SEARCH)
    if child.excess:
        why = f"{child.excess[0].upper()}{child.excess[1:]}."
    elif not is_done:
        why = f"It was not graded after {SECONDS_A_SEARCH:g} seconds: does it ever end?"
    else:
        with suppress(ValueError):
            return REPORT.validate_json(bytes(said).partition(secret)[2])
        why = f"It ended the process that graded it (exit code {child.exit_code})."
    return report(refused(search, why, criteria_known(search, exercise, seed, game, most_nodes)))


def _read_report(child: Supervised, said: bytearray) -> None:
    """Read what a process reports, till its end; one that writes more than a report is ended."""
    assert child.process.stdout is not None
    with child.process.stdout as stdout:
        while data := stdout.read(1 << 16):
            said += data
            if len(said) > MOST_REPORT:
                child.ask_end()
                return


def graded_by_kind(search: str, exercise: Exercise, seed: int, game: str, most_nodes: str = "") -> SearchGrade:
    """Grade of a search in a Python file by its events, of a program by its answers about a game.

    Raises:
        BadInput: it cannot be loaded or started.
    """
    if is_program(search):
        return grade_program(search, game, seed)
    return grade(search, exercise=exercise, most_nodes=node_limit(most_nodes), seed=seed)


def graded(
    search: str, exercise: Exercise = "", seed: int = 0, game: str = GAME_ASKED, most_nodes: str = ""
) -> SearchGrade:
    """Grade of a search; one that cannot be loaded gets no points, and the reason."""
    try:
        return graded_by_kind(search, exercise, seed, game, most_nodes)
    except BadInput as fault:
        return refused(search, str(fault), criteria_known(search, exercise, seed, game, most_nodes))


def refused(search: str, why: str, criteria: Sequence[Criterion]) -> SearchGrade:
    """Grade of a search that could not be asked anything: no points of these criteria."""
    return SearchGrade(search, tuple(CriterionMark(each, 1, 1, unanswered=1) for each in criteria), (), why)


def criteria_known(search: str, exercise: Exercise, seed: int, game: str, most_nodes: str) -> list[Criterion]:
    """Criteria of a search that cannot be asked, so that nothing is known of its parameters: those of the exercise,
    and of a program those of its game; none where no exercise is named."""
    if is_program(search):
        with suppress(BadInput):  # there is no such game
            return criteria_asked(game, seed)
        return []
    return [*criteria_of(exercise), *([WITHIN] if most_nodes.strip() else [])] if exercise else []


def main() -> None:
    """Grade the search that the command line names, and write the secret and its report where standard output was.

    The search's own standard streams lead nowhere.
    """
    search, exercise, seed, game, most_nodes = sys.argv[1:]
    secret, channel = os.read(0, 2 * SECRET), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    made = report(graded(search, EXERCISES[exercise], int(seed), game, most_nodes))
    with os.fdopen(channel, "wb") as out:
        out.write(secret + REPORT.dump_json(made))
    os._exit(0)  # waits for no thread of the search


if __name__ == "__main__":
    main()
