"""A pytest file that asks a student's search what `plyground grade` asks, and about one tree more."""

from plyground.microscope.tree import Tree


def pytest_file(tree: Tree, game: str) -> str:
    """A test of the function `search` in a file `student.py` beside it: one test for each criterion.

    Args:
        tree: a recorded search; its position is asked about too, to each depth up to its own.
        game: the game's name, as it is written on the command line.
    """
    exercise = "alphabeta" if tree.has_window else "minimax"
    return PYTEST.format(game=game, position=tree.root.text, depth=tree.depth, exercise=exercise)


# Filled by `format`: doubled braces are single ones in the file.
PYTEST = '''"""Does a search of your own find what minimax finds?

Put it beside this file as student.py, with a function

    search(game, observer, state, depth)

that gives two ints: the value for x (MAX) and the best move, pg.NO_MOVE where there is none. It calls
observer.enter(state) first for each node that it enters, the root included, and observer.leave(value, move) last.
Where no ply is left the value is the static evaluation, game.evaluate(state); where the game is over, by
game.outcome(state), it is final(utility, 0) of plyground.score. It may take alpha, beta, prefer_shorter and ply as
well: docs/add-an-algorithm.md. The same without pytest: plyground grade student.py
"""

from pathlib import Path

import plyground as pg
import pytest
from plyground.grading import CRITERIA, grade
from plyground.grading.forms import text
from plyground.grading.questions import of_position

SEARCH = f"{{Path(__file__).with_name('student.py')}}:search"
POSITION = pg.Position.parse(pg.game_named({game!r}), {position!r})


@pytest.fixture(scope="module")
def graded():
    return grade(SEARCH, exercise="{exercise}", more=of_position({game!r}, POSITION, {depth}))


@pytest.mark.parametrize("name", [criterion.name for criterion in CRITERIA])
def test_criterion(graded, name):
    missed = [mark for mark in graded.marks if mark.criterion.name == name and mark.failed]
    assert not missed, text(graded)
'''
