"""What students do wrong in their first searches, and the sentence by which `plyground grade` names each mistake.

Each case is one of the right searches of `right_searches.py` with one change. Its likely mistake, which heads the
report, is the one that is named here; right searches of other styles have all points.
"""

from pathlib import Path

import pytest
from right_searches import RIGHT
from wrong_searches import WRONG, changed

import plyground as pg
from plyground.grading import SearchGrade, grade
from plyground.laws.search_mistakes import MISTAKES


def graded(folder: Path, text: str, changes: list[tuple[str, str]] = []) -> SearchGrade:  # noqa: B006
    """SearchGrade of a search after some changes."""
    (folder / "student.py").write_text(changed(text, changes), encoding="utf-8")
    return grade(pg.algorithm_named(f"{folder / 'student.py'}:search"))


@pytest.mark.parametrize(("base", "changes", "key"), [pytest.param(*case[1:], id=case[0]) for case in WRONG])
def test_a_mistake_is_found_and_named(base: str, changes: list[tuple[str, str]], key: str, tmp_path: Path) -> None:
    """It costs points, heads the report by its name, and is shown at the smallest position that was found."""
    found = graded(tmp_path, base, changes)
    assert found.points < found.possible
    shown = found.mistakes[0]
    assert shown.breach and shown.breach.key == key, (shown.breach, [each.breach for each in found.mistakes])
    assert shown.breach.law == MISTAKES[key].law


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_search_has_all_points(name: str, tmp_path: Path) -> None:
    """Whatever its style: nothing is named that is not there."""
    found = graded(tmp_path, RIGHT[name])
    assert found.likely == "" and found.points == found.possible, [mark for mark in found.marks if mark.failed]
    assert found.possible == (75 if "alpha" not in RIGHT[name] else 100)


def test_enough_of_both() -> None:
    """At least 40 wrong searches with different changes, ten right ones, and most mistakes have a case."""
    assert len(WRONG) >= 40 and len(RIGHT) >= 10
    assert len({str(case[1:3]) for case in WRONG}) == len(WRONG)
    unknown = MISTAKES.keys() - {case[3] for case in WRONG}
    assert len(unknown) < len(MISTAKES) / 3, unknown
