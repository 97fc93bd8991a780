"""The grader under mutants: wrong ones lose points.

A few of those that `bench/mutants.py` makes, of each kind of change, and those that few questions tell from a right
search. That each is wrong is said by the slow truth of `bench/slow_truth.py`, in other games than the grader's.
"""

from collections.abc import Iterator

import pytest
from mutants import tried
from mutations import mutants_of, right_searches
from slow_truth import QUICK, SECONDS_EACH, find_fault

from plyground.timeouts import TimeLimit

WRONG = {
    "answer 3-alpha-beta": (
        "line 17: value > best -> value >= best",
        "line 17: value < best -> value <= best",
        "line 22: beta -> alpha",
        "line 20: max -> min",
        "line 23: if alpha >= beta: … comes first",
        "line 15: for move in game.moves(state): … -> for move in list(game.moves(state))[:-1]: …",
    ),
    "answer 8-your-search": (
        "line 19: choice != pg.NO_MOVE and side * best >= side * most -> side * best >= side * most",
    ),
    "answer 11-table": (
        "line 11: (state, depth) -> state",
        "line 12: least >= beta -> least <= beta",
        "line 14: most <= alpha -> most >= alpha",
        "line 41: best > alpha or is_end -> is_end",
        "line 42: best < beta -> best > beta",
        "line 43: (least, most, choice) -> (most, least, choice)",
    ),
    "a table with bounds": ("line 41: best <= alpha -> best < alpha",),
    "lesson 10-deepening": (
        "line 7: for plies in range(1, depth + 1): … -> for plies in list(range(1, depth + 1))[:-1]: …",
    ),
    "lesson 15-windows": ("line 42: if alpha < value < beta: … -> nothing",),
    "lesson 16-bits": ("line 47: low < value < high -> low < value",),
    "negamax": (
        "line 29: (-beta, -alpha) if game.to_move(after) != game.to_move(state) else (alpha, beta) -> (-beta, -alpha)",
    ),
    "fail-hard alpha-beta": ("line 20: value > alpha -> value >= alpha",),
}
"""Changes by the search in which they are made."""


@pytest.fixture(scope="module")
def limit() -> Iterator[TimeLimit]:
    with TimeLimit(SECONDS_EACH) as found:
        yield found


@pytest.mark.parametrize(("base", "change"), [(base, change) for base, some in WRONG.items() for change in some])
def test_a_wrong_mutant_loses_points(base: str, change: str, limit: TimeLimit) -> None:
    """It is wrong, and the grader says so."""
    (mutant,) = (each for each in mutants_of(base) if each.change == change)
    judged = tried(mutant, limit, [QUICK])
    assert judged.fault and judged.fault.is_answer
    assert not judged.is_survivor, judged.fault.words


def test_slow_truth_finds_no_fault_with_right_searches(limit: TimeLimit) -> None:
    """Whatever their style."""
    found = {name: find_fault(source, limit, *QUICK) for name, source in right_searches().items()}
    assert {name: fault.words for name, fault in found.items() if fault} == {}
