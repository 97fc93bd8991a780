"""Exercises of lessons: their grading, read from the teacher's answers."""

import re
from pathlib import Path

from plyground.web.lessons import lesson_models as d

HEADING = re.compile(r"^## Exercise (\d+)\b", re.MULTILINE)
ANSWER = re.compile(r"\*\*Answer:\*\* (?P<forms>`[^`]+`(?:\s+or\s+`[^`]+`)*)\.(?:\s+(?P<why>.+))?", re.DOTALL)
GRADED = re.compile(r"\*\*Graded by:\*\* `(?P<command>.+?)`")
BEGINNING = re.compile(r"[Bb]egin\s+with:\n\n```python\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\[([^]]+)\]\([^)]*\)")
FILE_NAME = re.compile(r"\b\w+\.py\b")
SKELETON = """import plyground as pg
from plyground.score import final


def search(game, observer, state, depth):
    observer.enter(state, depth)
    value, choice = 0, pg.NO_MOVE
    ...
    observer.leave(value, choice)
    return value, choice
"""
"""Beginning of a search that a reader writes."""
GAME_SKELETON = """import plyground as pg


class {name}(pg.MNK):
    def evaluate(self, state):
        value = 0
        ...
        return value

    def explain(self, state):
        return [("its parts in words", self.evaluate(state))]
"""
"""Beginning of a game with another evaluation that a reader writes."""
GAME_NAMED = re.compile(r"\b\w+\.py:([A-Z]\w*)")


def exercises(answers: Path, files: dict[str, str]) -> dict[int, d.ExerciseView]:
    """Exercises of a lesson by their numbers.

    Args:
        answers: the lesson's file among the teacher's answers; without it there are no exercises.
        files: files that the lesson has its reader write, by name.
    """
    found: dict[int, d.ExerciseView] = {}
    _, *parts = HEADING.split(answers.read_text(encoding="utf-8")) if answers.is_file() else [""]
    for number, text in zip(map(int, parts[::2]), parts[1::2], strict=True):
        first = text.partition("\n\n")[2].partition("\n\n")[0]
        answer, graded = ANSWER.match(first), GRADED.match(first)
        command = graded["command"] if graded else ""
        names = FILE_NAME.findall(command)
        found[number] = d.ExerciseView(
            exercise=number,
            # Answers are compared in the page, so it gets the right ones: exercises are for
            # learning, not for marks.
            accepted=re.findall("`(.+?)`", answer["forms"]) if answer else [],
            why=_plain(answer["why"] or "") if answer else "",
            command=command,
            code=_unchanged_file(names[0], files, text, command) if names else None,
        )
    return found


def _plain(text: str) -> str:
    """A sentence without Markdown: of a link its words, of code its text."""
    return " ".join(LINK.sub(r"\1", text).split()).replace("`", "")


def _unchanged_file(name: str, files: dict[str, str], answer: str, command: str) -> d.CodeView:
    """File that an exercise grades, unchanged: the lesson's, else the answer's beginning, else a skeleton."""
    begun, game = BEGINNING.search(answer), GAME_NAMED.search(command)
    search = SKELETON.replace("depth):", "depth, alpha, beta):") if "--exercise alphabeta" in command else SKELETON
    skeleton = GAME_SKELETON.format(name=game[1]) if game else search
    text = files.get(name) or (begun[1] if begun else skeleton)
    return d.CodeView(file=name, code=text, search="search" if name == "student.py" else "")


def with_exercises(body: list[d.Part], text: str, graded: dict[int, d.ExerciseView]) -> list[d.Part]:
    """Parts of a lesson, with the grading of each exercise at the exercise's end: before the next heading.

    Args:
        body: the lesson's parts.
        text: the lesson's Markdown, which has the numbers of the exercises.
        graded: the exercises by their numbers.
    """
    numbers = iter(int(number) for number in HEADING.findall(text))
    made: list[d.Part] = []
    waiting: d.ExerciseView | None = None
    for part in body:
        if isinstance(part, d.ElementView) and part.tag == "h2":
            made += [waiting] if waiting else []
            words = part.children[0]
            is_exercise = isinstance(words, str) and words.startswith("Exercise ")
            waiting = graded.get(next(numbers)) if is_exercise else None
        made.append(part)
    return [*made, *([waiting] if waiting else [])]
