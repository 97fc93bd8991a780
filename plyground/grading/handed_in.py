"""Searches handed in by a class: files and folders, each search run in a sandbox of its own and judged here."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from plyground.errors import BadInput
from plyground.grading.file_uses import uses
from plyground.grading.forms import GradeReport, report
from plyground.grading.grade import WITHIN, Criterion, CriterionMark, Exercise, SearchGrade, criteria_of, grade
from plyground.grading.node_limit import node_limit
from plyground.grading.program import GAME_ASKED, criteria_asked, grade_program, is_program
from plyground.grading.questions import questions
from plyground.grading.search_process import SearchProcess
from plyground.spec import is_own, own_file

FUNCTION = "search"
"""Name of the function that is graded where none is named."""


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
) -> list[GradeReport]:
    """Grades of searches, each in a sandbox of its own, `jobs` at once.

    So one that ends its process, or never ends, leaves the others' grades as they are.
    """
    questions(seed)  # made once, for all threads
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(graded, search, exercise, seed, game, most_nodes) for search in named]
        done = []
        for each in waiting:
            done.append(report(each.result()))
            on_report(done[-1])
        return done


def graded_by_kind(search: str, exercise: Exercise, seed: int, game: str, most_nodes: str = "") -> SearchGrade:
    """Grade of a search in a Python file by its events, of a program by its answers about a game.

    Raises:
        BadInput: it cannot be loaded or started.
    """
    if is_program(search):
        return grade_program(search, game, seed)
    limit = node_limit(most_nodes)
    with closing(SearchProcess(search, [limit.game] if limit else [])) as process:
        return grade(process, exercise=exercise, most_nodes=limit, seed=seed)


def graded(
    search: str, exercise: Exercise = "", seed: int = 0, game: str = GAME_ASKED, most_nodes: str = ""
) -> SearchGrade:
    """Grade of a search; one that cannot be loaded, or ends its process, gets no points, and the reason."""
    try:
        found = graded_by_kind(search, exercise, seed, game, most_nodes)
    except BadInput as fault:
        found = refused(search, str(fault), criteria_known(search, exercise, seed, game, most_nodes))
    return replace(found, uses=uses(own_file(search)) if is_own(search) else ())


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
