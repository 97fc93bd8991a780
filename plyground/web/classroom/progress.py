"""Progress of a class: the exercises of lessons that each person of a classroom has solved.

A browser keeps its own record and sends all of it with each change, so the one here may be dropped and comes again.
"""

from collections.abc import Container
from functools import cache

from plyground.gradebook.entries import Entry, entries_csv
from plyground.web.classroom import classroom_models as p
from plyground.web.lessons import loader
from plyground.web.limits import MOST_PEOPLE

GRADER = "plyground grade"
"""Beginning of the command of an exercise that has points."""


@cache
def lessons() -> dict[str, dict[int, bool]]:
    """Exercises of each lesson by their numbers: whether the grader gives points for them."""
    return {
        name: {number: each.command.startswith(GRADER) for number, each in loader.exercises_of(name).items()}
        for name in loader.pages()[1:]
    }


class ClassWork:
    """Records of solved exercises by the secrets of the people here. Neither names nor records are proved."""

    def __init__(self) -> None:
        self._records: dict[str, p.StudentView] = {}

    def note(self, me: str, name: str, given: dict[str, p.LessonWork], here: Container[str]) -> None:
        """Keep a person's record in place of an older one.

        Args:
            me: the person's secret.
            name: the person's name.
            given: solved exercises and points; what is no exercise of a lesson is left out.
            here: secrets of the people who are here: where there is no room left, the oldest record of another goes.
        """
        known = {
            # Only real exercises: a browser may send any names and numbers.
            lesson: _known_work(given[lesson], numbers)
            for lesson, numbers in lessons().items()
            if lesson in given
        }
        self._records.pop(me, None)
        gone = next((each for each in self._records if each not in here), None)
        if len(self._records) >= MOST_PEOPLE and gone is not None:
            del self._records[gone]
        self._records[me] = p.StudentView(name=name, lessons={lesson: work for lesson, work in known.items() if work})

    def forget(self, me: str) -> None:
        """Drop a person's record."""
        self._records.pop(me, None)

    @property
    def view(self) -> p.ClassView:
        """All records, by name, for the teacher."""
        students = sorted(self._records.values(), key=lambda each: each.name.casefold())
        return p.ClassView(
            lessons=[p.LessonCount(name=name, exercises=len(numbers)) for name, numbers in lessons().items()],
            students=students,
        )

    @property
    def csv(self) -> str:
        """The gradebook: for each person the number of solved exercises of each lesson, and the points of those that
        the grader gives points for, in percent.
        """
        none = p.LessonWork()
        found = []
        for each in self.view.students:
            for name, numbers in lessons().items():
                work, item = each.lessons.get(name, none), f"lesson {name.partition('-')[0]}"
                found.append(Entry(each.name, item, len(work.solved), len(numbers)))
                found += [
                    Entry(each.name, f"{item}, exercise {number}", work.points.get(number), 100)
                    for number, has_points in numbers.items()
                    if has_points
                ]
        return entries_csv(found)


def _known_work(work: p.LessonWork, numbers: dict[int, bool]) -> p.LessonWork | None:
    """The part of a record that is about exercises of the lesson; None if nothing is."""
    solved = sorted({*work.solved} & numbers.keys())
    points = {number: percent for number, percent in work.points.items() if numbers.get(number)}
    return p.LessonWork(solved=solved, points=points) if solved or points else None
