"""Grades or draws a search in a reader's file, for the page.

`python -m plyground.web.lessons.reader_code grade student.py:search` prints the grade, with the options `--exercise`
and `--most-nodes` of `plyground grade`; pictures are files beside the search. It runs the file's code.
"""

import sys
from pathlib import Path

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.grading.drawing import pair
from plyground.grading.forms import RIGHT, seen_words
from plyground.grading.grade import EXERCISES, Exercise, Scheme, SearchGrade
from plyground.grading.node_limit import node_limit
from plyground.grading.simulations.grade import grade_any_search
from plyground.laws.answering import AnsweringSearch
from plyground.microscope.forms import broken_lines
from plyground.microscope.picture import svg
from plyground.microscope.tree import record
from plyground.position import Position
from plyground.search import algorithm_named

DRAWN = ("xx./.o./...:o", 2)
"""Position and depth of the search that is drawn."""


def grade_search(search: str, exercise: Exercise, most_nodes: str) -> int:
    """Print the grade of a search, and draw its counterexample beside the right tree. Returns the exit code."""
    scheme = Scheme(most_nodes=node_limit(most_nodes))
    found = grade_any_search(AnsweringSearch(algorithm_named(search)), exercise, scheme)
    for line in lines(found):
        print(line)
    trees = pair(found.mistakes[0]) if found.mistakes else None
    if trees:
        # Files in the run's folder: the runner sends what a run has left there.
        _write_picture("yours.svg", svg(trees.yours, boards=False, marked=trees.node, stepped=True))
        _write_picture("right.svg", svg(trees.right, boards=False, marked=trees.twin, stepped=True))
    return 0 if found.points == found.possible else 1


def lines(found: SearchGrade) -> list[str]:
    """A grade in lines: points, criteria, and the likeliest mistake with its smallest position."""
    if found.refused:
        return [found.refused]
    said = [f"{found.points} of {found.possible} points. {found.likely or RIGHT}"]
    for example in found.mistakes[:1] if found.mistakes and found.mistakes[0].is_drawn else ():
        question, seen = example.question, seen_words(example)
        said += [seen] if seen and seen != found.likely else []
        said += [f"{question.name}, {question.position.text}, depth {question.depth}"]
    said += ["", *(f"{'✗' if mark.failed else '✓'} {mark.criterion.name}" for mark in found.marks)]
    return said


def draw_search(search: str) -> int:
    """Draw the tree of a search, and print the laws that it breaks. Returns the exit code."""
    text, depth = DRAWN
    tree = record(Position.parse(game_named("tictactoe"), text), search, depth)
    print(f"{tree.nodes:,} nodes, {tree.cutoffs:,} cutoffs: tic-tac-toe, {text}, depth {depth}")
    for line in broken_lines(tree):
        print(line)
    _write_picture("tree.svg", svg(tree, boards=False, stepped=True))
    return 0


def _write_picture(name: str, picture: str) -> None:
    Path(name).write_text(picture, encoding="utf-8")


def main() -> int:
    """Grade or draw the command line's search; print a fault of its file. Returns the exit code."""
    form, search, *rest = sys.argv[1:]
    options = dict(zip(rest[::2], rest[1::2], strict=True))
    exercise, most_nodes = EXERCISES[options.get("--exercise", "")], options.get("--most-nodes", "")
    try:
        return grade_search(search, exercise, most_nodes) if form == "grade" else draw_search(search)
    except BadInput as fault:
        print(fault)
        return 2


if __name__ == "__main__":
    sys.exit(main())
