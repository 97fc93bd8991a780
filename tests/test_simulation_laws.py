"""Monte Carlo searches that are graded: right ones of different hands, wrong ones with their mistakes named."""

from pathlib import Path

import pytest
from simulation_searches import EQUAL, LESSON, RIGHT, WRONG
from wrong_searches import changed

import plyground as pg
from plyground.errors import BadInput
from plyground.grading import SearchGrade
from plyground.grading.forms import html, report, text
from plyground.grading.grade_settings import GradeSettings
from plyground.grading.handed_in import grade_loaded as graded_apart
from plyground.grading.simulations.grade import grade_any_search
from plyground.laws.answering import AnsweringSearch
from plyground.laws.simulations.mistakes import SIMULATION_MISTAKES
from plyground.search import algorithm_named


def grade_program(folder: Path, program: str) -> SearchGrade:
    """Grade of a search, in this process."""
    file = folder / "student.py"
    file.write_text(program, encoding="utf-8")
    return grade_any_search(AnsweringSearch(algorithm_named(f"{file}:search")))


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_search_has_all_points(name: str, tmp_path: Path) -> None:
    """Whatever its hand, its constant, and whether it takes a seed."""
    found = grade_program(tmp_path, RIGHT[name])
    assert (found.points, found.possible, found.likely) == (100, 100, "")


@pytest.mark.parametrize("changes", [pytest.param(changes, id=name) for name, changes in EQUAL])
def test_a_change_without_effect_costs_nothing(changes: list[tuple[str, str]], tmp_path: Path) -> None:
    """It chooses as before, or by another constant."""
    assert grade_program(tmp_path, changed(LESSON, changes)).points == 100


@pytest.mark.parametrize(("changes", "key"), [pytest.param(*case[1:], id=case[0]) for case in WRONG])
def test_a_mistake_costs_points_and_is_named(changes: list[tuple[str, str]], key: str, tmp_path: Path) -> None:
    """The first mistake has its own name where that is sure, and else a sentence on what was seen."""
    found = grade_program(tmp_path, changed(LESSON, changes))
    assert found.points < (found.possible or 0)
    breach = found.mistakes[0].breach
    assert breach and breach.words == found.likely
    assert key in ("", breach.key), breach


def test_enough_of_both() -> None:
    """At least six right searches and 25 wrong ones, and most mistakes have a case."""
    assert len(RIGHT) >= 6 and len(WRONG) >= 25
    assert len({str(changes) for _, changes, _ in WRONG}) == len(WRONG)
    assert len(SIMULATION_MISTAKES.keys() - {case[2] for case in WRONG}) < len(SIMULATION_MISTAKES) / 4


def test_plyground_has_all_points() -> None:
    """Its own search draws otherwise, keeps errors in place of means, and proves what is certain."""
    assert grade_any_search(AnsweringSearch(algorithm_named("mcts"))).points == 100


def test_several_games_a_simulation_are_no_evidence(tmp_path: Path) -> None:
    """What is played then does not say what was chosen: these criteria are not asked."""
    double = LESSON.replace(
        "result = random_game(game, state, chance)",
        "result = random_game(game, state, chance)\n        result = random_game(game, state, chance)",
    )
    found = grade_program(tmp_path, double)
    assert found.points == found.possible == 30


@pytest.mark.process
def test_a_file_is_graded_apart(tmp_path: Path) -> None:
    """In a process of its own, in all forms, by its parameters or by the exercise."""
    file = tmp_path / "student.py"
    file.write_text(changed(LESSON, WRONG[0][1]), encoding="utf-8")
    found = graded_apart(f"{file}:search", GradeSettings("mcts"))
    assert found.likely == "Results are x's at every node: where o chooses, they are to be turned round."
    made = report(found)
    assert "plyground tree" not in text(found) and made.data.mistakes[0].mistake == "x's side"
    assert "Results are x" in html([made], "class")
    assert "is a Monte Carlo search" in graded_apart(f"{file}:search", GradeSettings("minimax")).refused
    assert graded_apart("minimax", GradeSettings("mcts")).refused.endswith(
        "is no Monte Carlo search: it takes no simulations."
    )
    file.write_text("import os\n\n\ndef search(game, state, simulations):\n    os._exit(3)\n", encoding="utf-8")
    assert "exit code 3" in graded_apart(f"{file}:search", GradeSettings("mcts")).refused
    file.write_text("class Carlo:\n    def choose(self, position, seconds):\n        return 0\n", encoding="utf-8")
    for name in ("search", "Carlo"):
        refused = graded_apart(f"{file}:{name}", GradeSettings("mcts")).refused
        assert "has the player Carlo" in refused and "search(game, state, simulations)" in refused


def test_a_file_plays_and_searches(tmp_path: Path) -> None:
    """By its name, with simulations and a seed; another form is refused in a sentence."""
    file = tmp_path / "student.py"
    file.write_text(LESSON, encoding="utf-8")
    here = pg.Position.parse("tictactoe", "xx./.o./...:o")
    found, again = (pg.search(here, f"{file}:search", nodes=200, seed=3) for _ in range(2))
    assert here.text_of(found.move) == "c1" and found.nodes == 200
    assert found.score == again.score and found.score.share is not None
    player = pg.player_named(f"{file}:search:simulations=200,seed=1")
    assert here.text_of(player.choose(here, None)) == "c1"
    file.write_text("def search(game, state, simulations, table):\n    return 0, 0\n", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be given table"):
        algorithm_named(f"{file}:search")
    file.write_text("def search(game, state, simulations):\n    return 3, 0\n", encoding="utf-8")
    with pytest.raises(BadInput, match="from 0 to 1, and the move"):
        pg.search(here, f"{file}:search", nodes=10)
