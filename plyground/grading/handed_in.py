"""Searches handed in by a class: files and folders, each search run in a sandbox of its own and judged here."""

import os.path
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from plyground.errors import BadInput
from plyground.faults import error_words
from plyground.grading.file_uses import has_search, others_files, uses
from plyground.grading.forms import GradeReport, report
from plyground.grading.grade import WITHIN, Criterion, CriterionMark, SearchGrade, criteria_of, weigh
from plyground.grading.grade_settings import USUAL_SETTINGS, GradeSettings
from plyground.grading.program import PROGRAM, criteria_asked, grade_program, is_program
from plyground.grading.questions import questions
from plyground.grading.search_process import SearchProcess
from plyground.grading.simulations.grade import SIMULATION_CRITERIA, grade_any_search
from plyground.spec import file_of_user_spec, is_own, name_in_user_file
from plyground.text import visible

FUNCTION = "search"
"""Name of the function that is graded where none is named."""


def searches(words: Sequence[str]) -> list[str]:
    """Searches that words name: `file.py:function`, a file, whose function is `search`, or a folder of such files.

    A word alone may name a program, and only if there is no file of that name: no file can choose to be a command.

    Raises:
        BadInput: there is no such file, or a folder has no Python file.
    """
    found: list[str] = []
    for word in words:
        path = Path(word)
        if is_program(word) and not os.path.lexists(path):
            found.append(word)
        elif path.is_dir():
            # Sorted: the order of a folder is the file system's, and rows of a class must not change places.
            inside = sorted(each for each in path.rglob("*.py") if not each.name.startswith(("_", ".", "test_")))
            if not inside:
                raise BadInput(f"{word} has no Python file: a folder holds a file for each search.")
            found += [_in_file(f"{each}") for each in inside]
        else:
            found.append(_in_file(word) if word.endswith(".py") else word)
    return found


def _in_file(name: str) -> str:
    """Name of the search in a file; a file called `program:…` is still a file."""
    return f"{f'./{name}' if is_program(name) else name}:{FUNCTION}"


def student_of(search: str, words: Sequence[str]) -> str:
    """Name of a search's student: its file as it stands in the folder that was named, without its ending; the file
    that a program's command names last, else the command.

    >>> student_of("class/ann.py:search", ["class/ann.py"]), student_of("class/ann.py:mine", ["class/ann.py:mine"])
    ('ann', 'ann:mine')
    """
    if is_program(search):
        files = [Path(word) for word in search.removeprefix(PROGRAM).split() if Path(word).suffix]
        return visible(next((each.stem for each in reversed(files) if each.is_file()), search))
    if not is_own(search):
        return visible(search)
    file, name = file_of_user_spec(search), name_in_user_file(search)
    inside = (file.relative_to(word) for word in words if Path(word).is_dir() and file.is_relative_to(word))
    stem = next(inside, Path(file.name)).with_suffix("").as_posix()
    return visible(stem if name == FUNCTION else f"{stem}:{name}")


def search_of_one(words: Sequence[str]) -> str:
    """The search of one student: in a folder the one file that has it, among any other files.

    Raises:
        BadInput: there is none, or more than one.
    """
    if len(words) == 1 and (folder := Path(words[0])).is_dir():
        files = sorted(each for each in folder.rglob("*") if each.is_file() and each.name[0] not in "._")
        python = [each for each in files if each.suffix == ".py"]
        found = python if len(python) == 1 else [each for each in python if has_search(each)]
        if len(found) == 1:
            return _in_file(f"{found[0]}")
        names = ", ".join(visible(each.relative_to(folder).as_posix()) for each in found or files) or "nothing"
        if found:
            raise BadInput(f"Several files have a function {FUNCTION}: {names}. Hand in one of them.")
        raise BadInput(f"No Python file has a function {FUNCTION}. Handed in: {names}.")
    found_searches = searches(words)
    if len(found_searches) != 1:
        raise BadInput(f"{len(found_searches)} searches are named, where those of one student are meant.")
    return found_searches[0]


def report_of_one(words: Sequence[str], settings: GradeSettings) -> GradeReport:
    """Grade one student's search, in all forms; a hand-in without a search gets no points, and the reason."""
    try:
        search = search_of_one(words)
    except BadInput as fault:
        found = refusal_grade(words[0], str(fault), criteria_known("", settings))
        return report(weigh(found, settings.scheme.weights))
    return report(grade_loaded(search, settings))


def reports(
    named: Sequence[str],
    jobs: int,
    on_report: Callable[[GradeReport], None],
    settings: GradeSettings = USUAL_SETTINGS,
) -> list[GradeReport]:
    """Grades of searches, each in a sandbox of its own, `jobs` at once.

    So one that ends its process, or never ends, leaves the others' grades as they are. None imports a file that is
    another person's (`others_files`).
    """
    questions(settings.seed)  # made once, for all threads
    files = [file_of_user_spec(each) for each in named if not is_program(each) and is_own(each)]
    others = others_files(files) if len(files) > 1 else ()

    def report_file(search: str) -> GradeReport:
        try:
            return report(grade_loaded(search, settings, others))
        except Exception as fault:  # one file costs the others nothing
            why = f"It could not be graded, by a fault of plyground's ({error_words(fault)}); please report it."
            found = refusal_grade(search, why, criteria_known(search, settings))
            return report(weigh(found, settings.scheme.weights))

    # One process judges all: 40 files take 16 s of the processor so, and 23 s in 40 processes that each asked, judged
    # and drew.
    with ThreadPoolExecutor(jobs) as pool:
        done = []
        for each in pool.map(report_file, named):
            done.append(each)
            on_report(each)
        return done


def graded_by_kind(search: str, settings: GradeSettings, others: Collection[Path] = ()) -> SearchGrade:
    """Grade of a search in a Python file by its events, of a program by its answers about a game.

    Raises:
        BadInput: it cannot be loaded or started.
    """
    if is_program(search):
        return grade_program(search, settings.task, settings.seed, settings.asked_for)
    limit = settings.scheme.most_nodes
    # A process for each search: what one file does to its process, no other file sees.
    with closing(SearchProcess(search, [limit.game] if limit else [], others)) as process:
        return grade_any_search(process, settings.asked_for, settings.scheme, settings.seed)


def grade_loaded(search: str, settings: GradeSettings = USUAL_SETTINGS, others: Collection[Path] = ()) -> SearchGrade:
    """Grade of a search; one that cannot be loaded, or ends its process, gets no points, and the reason.

    Args:
        search: its name.
        settings: the exercise that was set, and how it is graded.
        others: files of other people, which it may not import.
    """
    try:
        found = graded_by_kind(search, settings, others)
    except BadInput as fault:
        found = refusal_grade(search, str(fault), criteria_known(search, settings))
    found = weigh(found, settings.scheme.weights)
    return replace(found, uses=uses(file_of_user_spec(search)) if not is_program(search) and is_own(search) else ())


def refusal_grade(search: str, why: str, criteria: Sequence[Criterion]) -> SearchGrade:
    """Grade of a search that could not be asked anything: no points of these criteria."""
    return SearchGrade(search, tuple(CriterionMark(each, 1, 1, unanswered=1) for each in criteria), (), why)


def criteria_known(search: str, settings: GradeSettings) -> list[Criterion]:
    """Criteria of a search that cannot be asked, so that nothing is known of its parameters: those of the exercise,
    and of a program those of its game; none where no exercise is named."""
    exercise = settings.asked_for
    if is_program(search):
        with suppress(BadInput):  # there is no such game
            return criteria_asked(settings.task, settings.seed)
        return []
    if exercise == "mcts":
        return [*SIMULATION_CRITERIA]
    return [*criteria_of(exercise), *([WITHIN] if settings.scheme.most_nodes else [])] if exercise else []
