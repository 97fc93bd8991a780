# ruff: noqa: E501
"""What students do wrong in their first searches, and the sentence by which `plyground grade` names each mistake.

Each case is one of the right searches of `right_searches.py` with one change. Its likely mistake, which heads the
report, is the one that is named here; right searches of other styles have all points.
"""

from pathlib import Path

import pytest
from right_hands import HANDS, STRICT
from right_searches import ALPHABETA, MINIMAX, RIGHT
from wrong_hands import WRONG_HANDS
from wrong_searches import MAX_CUT, MAX_LINE, MIN_CUT, MIN_LINE, WRONG, changed

import plyground as pg
from plyground.errors import BadInput
from plyground.grading import SearchGrade, grade, handed_in
from plyground.grading.drawing import pair
from plyground.grading.forms import report, section, text
from plyground.grading.grade import CUTS, Exercise, Scheme, read_criterion_points, weigh
from plyground.grading.node_limit import node_limit
from plyground.laws.searches.mistakes import MISTAKES
from plyground.web.lessons.loader import lesson


def graded(folder: Path, program: str, changes: list[tuple[str, str]] = []) -> SearchGrade:  # noqa: B006
    """SearchGrade of a search after some changes."""
    (folder / "student.py").write_text(changed(program, changes), encoding="utf-8")
    return grade(pg.algorithm_named(f"{folder / 'student.py'}:search"))


@pytest.mark.parametrize(
    ("base", "changes", "key"), [pytest.param(*case[1:], id=case[0]) for case in (*WRONG, *WRONG_HANDS)]
)
def test_a_mistake_is_found_and_named(base: str, changes: list[tuple[str, str]], key: str, tmp_path: Path) -> None:
    """It costs points, heads the report by its name, and is shown at the smallest position that was found."""
    found = graded(tmp_path, base, changes)
    assert found.points < (found.possible or 0)
    shown = found.mistakes[0]
    assert shown.breach and shown.breach.key == key, (shown.breach, [each.breach for each in found.mistakes])
    assert shown.breach.law == MISTAKES[key].law


@pytest.mark.parametrize("name", RIGHT | HANDS)
def test_a_right_search_has_all_points(name: str, tmp_path: Path) -> None:
    """Whatever its style: nothing is named that is not there."""
    text = (RIGHT | HANDS)[name]
    found = graded(tmp_path, text)
    assert found.likely == "" and found.points == found.possible, [mark for mark in found.marks if mark.failed]
    assert found.possible == (75 if "alpha" not in text else 100)


QUIET = lesson("17-horizon").files["quiet.py"].replace("quiet(", "search(")
FORCED = "return calm(game, game.play(state, safe[0]), -side)[0], safe[0]"
ENTERED = f"observer.enter(state, 0)\n        value = {FORCED[7:-9]}\n        observer.leave(value, safe[0])\n        return value, safe[0]"


@pytest.mark.parametrize(
    ("changes", "exercise", "key"),
    [
        ([], "quiescence", ""),
        ([], "", "quiescence"),
        ([("def calm(game, ", "def calm(observer, game, "), ("calm(game, ", "calm(observer, game, "), (FORCED.replace("calm(game", "calm(observer, game"), ENTERED.replace("calm(game", "calm(observer, game"))], "quiescence", ""),
        ([(FORCED, "return game.evaluate(state), pg.NO_MOVE"), ("    if not safe:\n        return final(-side, 0), moves[0]\n", "")], "quiescence", ""),
        ([("best, choice = calm(game, state, side)", "best = game.evaluate(state)")], "quiescence", "noisy horizon"),
        ([("return final(side, 0), move", "return final(-side, 0), move")], "quiescence", "sign mixed"),
        ([("alpha >= beta", "alpha > beta - 2")], "quiescence", "early by one"),
        ([("depth <= 0", "depth <= 1")], "quiescence", "too shallow"),
    ],
    ids=["its own", "alpha-beta", "its nodes are entered", "wins alone", "none", "a win is a loss", "cut", "depth"],
)  # fmt: skip
def test_a_quiescence_search_is_held_against_its_own_kind(
    changes: list[tuple[str, str]], exercise: Exercise, key: str, tmp_path: Path
) -> None:
    """Its leaves are worth what noisy moves lead to; all else is alpha-beta's. As alpha-beta it is told what it is."""
    file = tmp_path / "student.py"
    file.write_text(changed(QUIET, changes), encoding="utf-8")
    found = grade(f"{file}:search", exercise=exercise)
    assert [each.breach and each.breach.key for each in found.mistakes[:1]] == ([key] if key else []), found.likely
    assert (found.points == found.possible == 100) is (not key), [mark for mark in found.marks if mark.failed]


@pytest.mark.parametrize("moves", ["[:2]", "[:3]", "[-2:]", "[:len([*game.moves(state)]) // 2 or 1]"])
@pytest.mark.parametrize("base", [MINIMAX, ALPHABETA], ids=["minimax", "alphabeta"])
def test_a_mistake_of_every_node_is_named_by_no_node_alone(base: str, moves: str, tmp_path: Path) -> None:
    """Of three moves the first two are all but the last; in a position of six they are not. A search that looks at some
    moves alone is said to leave moves out: neither its first nor its last one everywhere, and not by a cut."""
    lines = [
        (line, f"for move in [*game.moves(state)]{moves}:{line.partition(':')[2]}") for line in (MAX_LINE, MIN_LINE)
    ]
    found = graded(tmp_path, base, lines)
    keys = {each.breach.key for each in found.mistakes if each.breach}
    assert keys & {"moves left out", "beam"} and not keys & {"first left out", "last left out", "early cut"}
    assert "never" not in text(found)


def test_an_answer_is_shown_without_an_address(tmp_path: Path) -> None:
    """A search that gives an object, or fails with one in its message; its questions are without an answer."""
    for line, said in [
        ("game.moves(state)[0]", "list(game.moves(state))"),
        (
            "return object()",
            "The search gives <object object>: it should give its value for x and the best move, two ints.",
        ),
        ("raise TypeError(object())", "TypeError: <object object>"),
    ]:
        found = graded(tmp_path, MINIMAX, [("    observer.enter(state, depth)\n", f"    {line}\n")])
        assert said in found.likely and "0x" not in text(found)
        assert {mark.unanswered for mark in found.marks} == {mark.failed for mark in found.marks} and found.points == 0
        assert " wrong" not in text(found) and "3 of 3 without an answer" in text(found)


def test_a_value_that_no_game_has_is_no_end_before_it_began(tmp_path: Path) -> None:
    """With the plies' sign turned a win is above every value: it is shown as a number, and never `in -1`."""
    changes = next(case[2] for case in WRONG if case[0] == "the longer win")
    assert "in -" not in text(graded(tmp_path, ALPHABETA, changes))
    student, won = f"{tmp_path / 'student.py'}:search", pg.Position.parse("tictactoe", "b1 b2 a1 c2")
    assert pg.compare(won, [student], [2]).rows[0].value == f"{(1 << 20) + 1} (impossible)"
    assert pg.Score.of(10**9).text() == pg.Score.of(10**9).brief(0) == "1000000000 (impossible)"


def test_an_exercise_has_one_maximum(tmp_path: Path) -> None:
    """Minimax has 75 points, also of a search with a window; no window and no cut is missed then."""
    file = tmp_path / "student.py"
    file.write_text(changed(ALPHABETA, [(MAX_CUT, "if False:"), (MIN_CUT, "if False:")]), encoding="utf-8")
    found = grade(f"{file}:search", exercise="minimax")
    assert (found.points, found.possible, found.likely) == (75, 75, "")
    assert grade(f"{file}:search").possible == 100


def test_enough_of_both() -> None:
    """At least 100 wrong searches with different changes, forty right ones, and most mistakes have a case."""
    assert len(WRONG) + len(WRONG_HANDS) >= 100 and len({*(RIGHT | HANDS).values()}) >= 40
    assert len({str(case[1:3]) for case in WRONG}) == len(WRONG)
    unknown = MISTAKES.keys() - {case[3] for case in (*WRONG, *WRONG_HANDS)}
    assert len(unknown) < len(MISTAKES) / 3, unknown


def test_nodes_that_are_not_left_say_nothing_else(tmp_path: Path) -> None:
    """A search whose nodes stand below others than their parents breaks no other law, and no tree of it is drawn."""
    found = graded(tmp_path, MINIMAX, [("    observer.leave(best, choice)\n", "")])
    assert {each.breach.key for each in found.mistakes if each.breach} == {"not left"}
    assert pair(found.mistakes[0]) is None and "After" not in text(found)


@pytest.mark.parametrize(
    "case", ["no cuts at all", "the depth is asked before the outcome", "a win is worth 1", "plies are not counted"]
)
def test_one_mistake_is_not_named_twice(case: str, tmp_path: Path) -> None:
    """A mistake seen at another node is no further mistake: a search without cuts does not also cut too late."""
    _, base, changes, key = next(each for each in WRONG if each[0] == case)
    found = graded(tmp_path, base, changes)
    assert [each.breach.key for each in found.mistakes if each.breach] == [key]


def test_cuts_are_due_where_the_exercise_says(tmp_path: Path) -> None:
    """By default cuts beyond an equal value cost nothing, and are remarked on; else they are a mistake, or the rule."""
    for source, cut, key in [
        (STRICT, "any", ""),
        (STRICT, "strict", ""),
        (STRICT, "equal", "cut only beyond"),
        (ALPHABETA, "any", ""),
        (ALPHABETA, "equal", ""),
        (ALPHABETA, "strict", "cut when equal"),
    ]:
        file = tmp_path / "student.py"
        file.write_text(source, encoding="utf-8")
        found = grade(f"{file}:search", scheme=Scheme(CUTS[cut]))
        assert [each.breach.key for each in found.mistakes if each.breach] == [key] * bool(key)
        assert bool(found.remarks) == (source == STRICT and cut == "any")
        assert all(words in report(found).text for words in found.remarks)
        assert (found.points == 100) == (not key) and found.points >= 90


def test_one_mistake_costs_once(tmp_path: Path) -> None:
    """Its own criterion and the answers that it makes wrong; slow cuts cost less than illegal moves and lost games."""

    def points_lost(case: str) -> tuple[set[str], int]:
        _, base, changes, _ = next(each for each in (*WRONG, *WRONG_HANDS) if each[0] == case)
        found = graded(tmp_path, base, changes)
        return {mark.criterion.name for mark in found.marks if mark.failed}, (found.possible or 0) - found.points

    answers = {"x to move", "o to move"}
    assert points_lost("plies are not counted") == ({"finished positions", *answers}, 20)
    assert points_lost("MIN takes the largest")[0] <= {"sign", "whole games", *answers}
    assert points_lost("no flag is asked")[0] <= {"values of nodes", *answers}
    assert points_lost("no cuts at all") == ({"cuts", "node count"}, 10)
    assert points_lost("a killer need not be legal")[1] > 20 > points_lost("every child gets the whole window")[1]


def test_a_criterion_without_evidence_says_so(tmp_path: Path) -> None:
    """Where no node is reported, nothing is known of depths; an answer that is right has its points."""
    found = graded(
        tmp_path, *next((base, changes) for name, base, changes, _ in WRONG if name == "nothing is reported")
    )
    marks = {mark.criterion.name: mark for mark in found.marks}
    assert marks["depth"].unseen == marks["depth"].failed > 0 and marks["x to move"].points == 5
    assert f"{marks['depth'].failed} of {marks['depth'].asked} without evidence" in text(found)


@pytest.mark.process
def test_an_illegal_move_is_found_before_it_is_played(tmp_path: Path) -> None:
    """With the student's file and line, whatever the rules would make of it; also of a search in a folder's sandbox."""
    _, base, changes, _ = next(each for each in WRONG_HANDS if each[0] == "a killer need not be legal")
    found = graded(tmp_path, base, changes)
    line = next(n for n, each in enumerate(changed(base, changes).splitlines(), 1) if "game.play" in each)
    assert found.likely.startswith(f"student.py, line {line}: game.play is given move ")
    assert handed_in.grade_loaded(f"{tmp_path / 'student.py'}:search").likely == found.likely


def test_a_lecturer_weighs_criteria(tmp_path: Path) -> None:
    """By a file of points; a criterion with none is left out, and what is no criterion is refused."""
    points = tmp_path / "points.toml"
    points.write_text('"whole games" = 40\nsign = 0\n', encoding="utf-8")
    weights = read_criterion_points(points)
    (tmp_path / "student.py").write_text(MINIMAX, encoding="utf-8")
    found = weigh(graded(tmp_path, MINIMAX), weights)
    assert found.points == found.possible == 75 - 10 + 30 and "sign" not in {
        mark.criterion.name for mark in found.marks
    }
    for wrong in ("signs = 3", "sign = -1", 'sign = "5"', "sign = true", "sign"):
        points.write_text(wrong, encoding="utf-8")
        with pytest.raises(BadInput, match=r"points\.toml"):
            read_criterion_points(points)


def test_parameters_of_ones_own_need_a_default(tmp_path: Path) -> None:
    """Then the search has its own values for them, in whatever place they stand."""
    file = tmp_path / "student.py"
    start = pg.Position.parse("tictactoe", "b2 a1")
    right = pg.search(start, "minimax", 2)
    own = MINIMAX.replace("shorter, ply):", "shorter, ply, *_, level=0):")
    for source in (HANDS["a parameter with a default"], own):
        file.write_text(source, encoding="utf-8")
        found = pg.search(start, f"{file}:search", 2)
        assert (found.score.points, found.move, found.nodes) == (right.score.points, right.move, right.nodes)
    with pytest.raises(BadInput, match="cannot be given level"):
        file.write_text(MINIMAX.replace("shorter, ply):", "shorter, ply, level):"), encoding="utf-8")
        pg.algorithm_named(f"{file}:search")


def test_a_further_mistake_may_follow_from_the_first(tmp_path: Path) -> None:
    """In text and on the page: a search that passes no alpha on cuts less, without a mistake in its cuts."""
    changes = next(case[2] for case in WRONG if case[0] == "MAX keeps no alpha")
    found = graded(tmp_path, ALPHABETA, changes)
    assert len(found.mistakes) > 1
    said, page = text(found), section(report(found))
    assert said.count("Also, perhaps: ") == page.count("Also, perhaps: ") == len(found.mistakes) - 1
    assert "Also: " not in said
    made = report(found)
    assert [each.further for each in made.data.mistakes] == [False] + [True] * (len(found.mistakes) - 1)
    for mark, words in zip(made.data.criteria, made.mark_words, strict=True):
        if mark.example and mark.example.mistake:
            assert mark.example.further == (mark.example.mistake != "best not passed") == words.startswith("Perhaps: ")


def test_a_search_that_draws_lots_among_equal_moves_is_right(tmp_path: Path) -> None:
    """It is asked once in each position of a whole game."""
    moves = "for move in game.moves(state):"
    assert moves in MINIMAX
    shuffled = "for move in __import__('random').sample(found := list(game.moves(state)), len(found)):"
    found = graded(tmp_path, MINIMAX, [(moves, shuffled)])
    assert found.points == found.possible and not found.mistakes


def test_an_exercise_asks_for_its_own_search(tmp_path: Path) -> None:
    """Minimax is no alpha-beta, and a limit of nodes is one more criterion."""
    file = tmp_path / "student.py"
    file.write_text(MINIMAX, encoding="utf-8")
    found = grade(f"{file}:search", exercise="alphabeta")
    assert found.points < 100 == found.possible and found.likely == "The search takes no alpha and beta."
    file.write_text(ALPHABETA, encoding="utf-8")
    for most, points in ((3_000, 110), (300, 100)):
        found = grade(f"{file}:search", scheme=Scheme(most_nodes=node_limit(f"connectfour:4,4,3 6 {most}")))
        assert (found.points, found.possible) == (points, 110)
    assert found.likely == "It is not done after 300 nodes: connectfour:4,4,3 to depth 6, from the first position."
    assert pair(found.mistakes[0]) is None and text(found).endswith(f"{found.likely}\n")


@pytest.mark.parametrize("words", ["connectfour", "connectfour 6", "connectfour 6 0", "ludo 6 500", "tictactoe x 9"])
def test_a_limit_that_is_none_is_refused(words: str) -> None:
    """In one sentence."""
    with pytest.raises(BadInput):
        node_limit(words)
