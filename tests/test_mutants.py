"""The grader under mutants: wrong ones lose points.

A few of those that `bench/mutants.py` makes, of each kind of change, and those that few questions tell from a right
search. That each is wrong is said by the slow truth of `bench/slow_truth.py`, in other games than the grader's.
"""

from collections.abc import Iterator

import pytest
from mutants import Naming, judge, known_mistakes
from mutations import Mutant, mutants_of, right_searches
from slow_truth import QUICK, SECONDS_EACH, find_fault

from plyground.timeouts import TimeLimit

AGAIN = "line 15: if not low < value < high and (low, high) != (alpha, beta): …"
NEGATED = "(-beta, -alpha) if game.to_move(after) != game.to_move(state) else (alpha, beta)"
SIDELESS = "(state, depth) -> (game.text(state).rpartition(':')[0], depth)"
WRONG = {
    "answer 2-minimax": ("line 8: (0, pg.NO_MOVE) -> (pg.NO_MOVE, 0)", "line 15: 1 -> 2"),
    "answer 3-alpha-beta": (
        "line 10: final(utility, 0) -> final(0, utility)",
        "line 15: for move in game.moves(state): … -> for move in list(game.moves(state))[:-1]: …",
        "line 16: beta -> alpha",
        "line 17: value > best -> value >= best",
        "line 22: beta -> alpha",
    ),
    "answer 8-your-search": ("line 10: prefer_shorter * ply -> ply",),
    "answer 11-table": (
        "line 11: (state, depth) -> state",
        f"line 11: {SIDELESS}",
        "line 12: least >= beta -> least <= beta",
    ),
    "lesson 15-windows": (
        f"{AGAIN} -> nothing",
        f"{AGAIN} comes first",
        "line 42: if alpha < value < beta: … -> nothing",
    ),
    "lesson 16-bits": (
        "line 23: LEAST -> MOST",
        "line 24: plies == depth and is_enough -> plies == depth",
        "line 24: plies == depth and is_enough -> is_enough",
        "line 47: if low < value < high: … -> nothing",
        "line 63: LEAST if best >= beta else MOST -> LEAST",
    ),
    "a table with distances": ("line 11: (state, depth) -> state", "line 15: kept + shift -> kept"),
    "minimax with a table that stays": ("line 10: (state, depth) -> state", f"line 10: {SIDELESS}"),
    "negamax": (f"line 29: {NEGATED} -> (-beta, -alpha)",),
    "fail-hard alpha-beta": ("line 22: value < beta -> value <= beta",),
}
"""Changes, by the search in which they are made."""


@pytest.fixture(scope="module", name="limit")
def start_limit() -> Iterator[TimeLimit]:
    """Limit of CPU time for each question."""
    with TimeLimit(SECONDS_EACH) as limit:
        yield limit


@pytest.mark.parametrize(("base", "change"), [(base, change) for base, some in WRONG.items() for change in some])
def test_a_wrong_mutant_loses_points(base: str, change: str, limit: TimeLimit) -> None:
    """It is wrong, and the grader says so."""
    mutant = next(each for each in mutants_of(base) if each.change == change)
    judged = judge(mutant, limit, [QUICK])
    assert judged.fault and judged.fault.is_answer
    assert judged.missed_criteria, f"all points, and {judged.fault.words}"


@pytest.mark.parametrize(("mutant", "keys"), [pytest.param(*each, id=each[0].change) for each in known_mistakes()])
def test_a_known_mistake_is_named(mutant: Mutant, keys: tuple[str, ...], limit: TimeLimit) -> None:
    """Those of the later lessons, at the head of the grade."""
    named = Naming(judge(mutant, limit, ()), keys)
    assert named.verdict == "right", (named.key, named.judgement.head)


def test_slow_truth_finds_no_fault_with_right_searches(limit: TimeLimit) -> None:
    """Whatever their style."""
    faults = {
        name: find_fault(source, limit, *QUICK, is_quiet=Mutant(name, "", "", source).is_quiet)
        for name, source in right_searches().items()
    }
    assert {name: fault.words for name, fault in faults.items() if fault} == {}
