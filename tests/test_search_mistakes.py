# ruff: noqa: E501
"""What students do wrong in their first searches, and the sentence by which `plyground grade` names each mistake.

Each case is one of the right searches of `right_searches.py` with one change. Its likely mistake, which heads the
report, is the one that is named here; right searches of other styles have all points.
"""

from pathlib import Path

import pytest
from right_searches import ALPHABETA, MINIMAX, NEGAMAX, RIGHT, TABLE

import plyground as pg
from plyground.grading import SearchGrade, grade
from plyground.laws.search_mistakes import MISTAKES

OUT = "utility = game.outcome(state)"
OVER = "final(utility, hurry * ply)"
HORIZON = "best = game.evaluate(state)"
DEEP = "elif depth == 0:"
MAX_LOOP = "alpha = max(alpha, value)"
MIN_LOOP = "beta = min(beta, value)"
CALL = "search(game, observer, game.play(state, move), depth - 1, alpha, beta, prefer_shorter, ply + 1)"
MAX_CALL = f"value, _ = {CALL}  # MAX"
MIN_CALL = f"value, _ = {CALL}  # MIN"
MAX_CUT = "if alpha >= beta:  # MAX"
MIN_CUT = "if alpha >= beta:  # MIN"
MAX_LINE = "for move in game.moves(state):  # MAX"
MIN_LINE = "for move in game.moves(state):  # MIN"
LEAVE = "    observer.leave(best, choice)\n    return best, choice"

# What is done wrong; the search that is changed; what stands there, and what is written; the mistake's name.
Case = tuple[str, str, list[tuple[str, str]], str]
WRONG: list[Case] = [
    # -- finished positions
    ("no terminal test", ALPHABETA, [("utility != pg.ONGOING", "False"), (MAX_LINE, "for move in list(game.moves(state))[:9] or [0]:"), (MIN_LINE, "for move in list(game.moves(state))[:9] or [0]:")], "goes on"),
    ("the depth is asked before the outcome", MINIMAX, [("if utility != pg.ONGOING:", "if depth > 0 and utility != pg.ONGOING:")], "evaluates an end"),
    ("a win is worth 1", ALPHABETA, [(OVER, "utility")], "scale"),
    ("a win is worth 1000", ALPHABETA, [(OVER, "utility * 1000")], "scale"),
    ("a draw is a small win", ALPHABETA, [(f"best = {OVER}", f"best = {OVER} or 7")], "draw"),
    ("the longer win", ALPHABETA, [(OVER, "final(utility, -prefer_shorter * ply)")], "longer win"),
    ("plies are not counted", ALPHABETA, [(OVER, "final(utility, 0)")], "no distance"),
    ("a move at the end", MINIMAX, [("choice = pg.NO_MOVE", "choice = 0"), ("best = -INFINITY", "best, choice = -INFINITY, pg.NO_MOVE"), ("best = INFINITY", "best, choice = INFINITY, pg.NO_MOVE"), (HORIZON, "best, choice = game.evaluate(state), pg.NO_MOVE")], "move at the end"),
    # -- depth
    ("off by one", ALPHABETA, [(DEEP, "elif depth <= 1 < ply + 2:")], "too shallow"),
    ("one ply too deep", ALPHABETA, [(DEEP, "elif depth < 0:")], "too deep"),
    ("the depth is not decremented", ALPHABETA, [("depth - 1", "depth")], "depth kept"),
    ("the depth is kept for MIN alone", ALPHABETA, [(MIN_CALL, MIN_CALL.replace("depth - 1", "depth"))], "depth kept"),
    ("two plies at once", ALPHABETA, [("depth - 1", "depth - 2"), (DEEP, "elif depth <= 0:")], "depth step"),
    ("without end", "def search(game, observer, state, depth):\n    return search(game, observer, state, depth)\n", [], "without end"),
    # -- signs and sides
    ("the outcome negated for o", ALPHABETA, [(OUT, "utility = game.outcome(state)\n    if utility != pg.ONGOING and game.to_move(state) == pg.MIN:\n        utility = -utility")], "outcome of the mover"),
    ("the outcome negated", ALPHABETA, [(OVER, f"-{OVER}")], "outcome negated"),
    ("the evaluation negated for o", ALPHABETA, [(HORIZON, "best = game.evaluate(state) * (1 if game.to_move(state) == pg.MAX else -1)")], "evaluation of the mover"),
    ("the evaluation negated", ALPHABETA, [(HORIZON, "best = -game.evaluate(state)")], "evaluation negated"),
    ("MIN takes the largest", MINIMAX, [("best = INFINITY", "best = -INFINITY"), ("value < best", "value > best")], "both largest"),
    ("MAX takes the smallest", MINIMAX, [("best = -INFINITY", "best = INFINITY"), ("value > best", "value < best")], "both smallest"),
    ("MAX and MIN swapped", MINIMAX, [("game.to_move(state) == pg.MAX", "game.to_move(state) != pg.MAX")], "extremes swapped"),
    ("turns are taken to alternate", NEGAMAX, [("if game.to_move(after) != game.to_move(state):", "if True:")], "alternation"),
    ("negamax forgets to negate", NEGAMAX, [("        if game.to_move(after) != game.to_move(state):\n            value = -value\n", "")], "not turned"),
    ("negamax answers the mover's value", NEGAMAX, [("return sign * value, move", "return value, move")], "answer of the mover"),
    ("the answer negated", MINIMAX, [(LEAVE, "    observer.leave(best, choice)\n    return (best if ply else -best), choice")], "answer negated"),
    # -- values
    ("nothing is evaluated", ALPHABETA, [(HORIZON, "best = 0")], "horizon 0"),
    ("MAX starts at 0", ALPHABETA, [("best = -INFINITY", "best = 0")], "starts at 0"),
    ("the return is in the loop", MINIMAX, [("                best, choice = value, move  # MAX\n", "                best, choice = value, move\n            observer.leave(best, choice)\n            return best, choice\n")], "moves left out"),
    ("the last move's value", MINIMAX, [("if value > best:", "if True:")], "last move"),
    ("values are added up", MINIMAX, [("            if value > best:\n                best, choice = value, move  # MAX", "            best, choice = value + (0 if choice == pg.NO_MOVE else best), move")], "sum"),
    ("a bound from the table is a value", TABLE, [("if flag == EXACT or", "if True or")], "table bound"),
    ("the table forgets the depth", TABLE, [("key = state, depth", "key = state"), ("    return look(game, observer, state, depth, alpha, beta, {})", "    table = {}\n    for plies in range(1, depth + 1):\n        answer = look(game, observer, state, plies, alpha, beta, table)\n    return answer")], "table depth"),
    ("a table that outlives the search", MINIMAX, [(OUT, "utility = game.outcome(state)\n    SEEN.append(1)\n    best = len(SEEN)"), (HORIZON, "best = game.evaluate(state) + 1"), ("import plyground as pg\n", "import plyground as pg\nSEEN = []\n")], "horizon"),
    # -- windows
    ("the window given is ignored", ALPHABETA, [('    observer.enter', '    if ply == 0:\n        alpha, beta = -INFINITY, INFINITY\n    observer.enter')], "window ignored"),
    ("every child gets the whole window", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, -INFINITY, INFINITY")], "full window"),
    ("MAX keeps no alpha", ALPHABETA, [(MAX_LOOP, "pass")], "best not passed"),
    ("MIN keeps no beta", ALPHABETA, [(MIN_LOOP, "pass")], "best not passed"),
    ("MAX narrows beta", ALPHABETA, [(MAX_LOOP, "beta = min(beta, value)")], "wrong edge"),
    ("MIN raises alpha", ALPHABETA, [(MIN_LOOP, "alpha = max(alpha, value)")], "wrong edge"),
    ("alpha and beta swapped", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, beta, alpha")], "edges swapped"),
    ("the window of negamax in minimax", ALPHABETA, [("depth - 1, alpha, beta", "depth - 1, -beta, -alpha")], "window turned"),
    ("negamax does not turn the window", NEGAMAX, [("-beta, -alpha", "alpha, beta")], "window not turned"),
    ("MIN passes alpha on for beta", ALPHABETA, [(MIN_CALL, MIN_CALL.replace("alpha, beta", "alpha, alpha"))], "edge for edge"),
    ("alpha is lost on the way", ALPHABETA, [(MIN_CALL, MIN_CALL.replace("alpha, beta", "-INFINITY, beta"))], "edge lost"),
    ("alpha may sink", ALPHABETA, [(MAX_LOOP, "alpha = value")], "edge moved back"),
    ("alpha is one too high", ALPHABETA, [(MAX_LOOP, "alpha = max(alpha, value + 1)")], "window off by one"),
    # -- cuts
    ("no cuts at all", ALPHABETA, [(MAX_CUT, "if False:"), (MIN_CUT, "if False:")], "no cut"),
    ("cuts only beyond", ALPHABETA, [(MAX_CUT, "if alpha > beta:"), (MIN_CUT, "if alpha > beta:")], "cut only beyond"),
    ("cuts at alpha + 1", ALPHABETA, [(MAX_CUT, "if alpha + 1 >= beta:"), (MIN_CUT, "if alpha + 1 >= beta:")], "early by one"),
    ("MAX cuts at alpha", ALPHABETA, [(MAX_CUT, "if value < alpha:")], "cut on the wrong side"),
    ("cuts at any good move", ALPHABETA, [(MAX_CUT, "if value > 0:")], "early cut"),
    ("the first move is left out", MINIMAX, [(MAX_LINE, "for move in list(game.moves(state))[1:] or game.moves(state):")], "first left out"),
    ("the last move is left out", MINIMAX, [(MAX_LINE, "for move in list(game.moves(state))[:-1] or game.moves(state):")], "last left out"),
    # -- moves
    ("always move 0", ALPHABETA, [(LEAVE, "    observer.leave(best, 0)\n    return best, 0")], "illegal"),
    ("always the first legal move", ALPHABETA, [(LEAVE, "    choice = next(game.moves(state)) if choice >= 0 else choice\n" + LEAVE)], "always first"),
    ("the last move tried", MINIMAX, [("best, choice = value, move  # MAX", "best = value\n            choice = move")], "always last"),
    ("no move", ALPHABETA, [(LEAVE, "    observer.leave(best, pg.NO_MOVE)\n    return best, pg.NO_MOVE")], "no move"),
    (">= keeps the last tie", ALPHABETA, [("if value > best:", "if value >= best:")], "late tie"),
    ("<= keeps MIN's last tie", ALPHABETA, [("if value < best:", "if value <= best:")], "late tie"),
    ("plays twice", ALPHABETA, [(MAX_CALL, MAX_CALL.replace("game.play(state, move)", "game.play(state, next(game.moves(state)))"))], "other position"),
    # -- runs
    ("a name that is nowhere", ALPHABETA, [(MAX_LOOP, "alpha = maximum")], "fails"),
    ("a loop without end", MINIMAX, [(MAX_LINE, "while True:\n            move = next(game.moves(state))")], "without end"),
    ("nothing is returned", MINIMAX, [("    return best, choice", "    return best if ply else None, choice")], "no answer"),
    ("nothing is reported", MINIMAX, [("    observer.enter(state, depth)\n", ""), ("    observer.leave(best, choice)\n", "")], "not reported"),
    ("each answer is another", MINIMAX, [(LEAVE, "    observer.leave(best, choice)\n    return best + (len(SEEN) and not ply), choice"), ("import plyground as pg\n", "import plyground as pg\nSEEN = [1]\n")], "two answers"),
]  # fmt: skip


def graded(folder: Path, text: str, changes: list[tuple[str, str]] = []) -> SearchGrade:  # noqa: B006
    """SearchGrade of a search after some changes."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "student.py").write_text(text, encoding="utf-8")
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
