"""Test suites in EPD: what is right by the suite's own operations, and what a line without any is told."""

import json
from pathlib import Path

import pytest
from commanding import ran

import plyground as pg
from plyground.compiled.clock import Limit
from plyground.play.suite import read_exercise, read_suite, solve_exercise

SUITE = """# mates that are seen on the board: a back rank, and one smothered by its own men
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; dm 1; id "back rank; one move";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - am Ra8#; id "the other way round";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - hmvc 4; fmvn 30; ce 320; acd 12;

6rk/6pp/7N/8/8/8/8/6K1 b - - bm gxh6;
6rk/6pp/8/6N1/8/8/8/6K1 w - - dm 1;
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra9;
"""


def test_a_suite_says_what_is_right(tmp_path: Path) -> None:
    """A faulty line is left out with a sentence, and the others are searched."""
    file = tmp_path / "suite.epd"
    file.write_text(SUITE)
    done = ran(["bench", str(file), "--depth", "2", "--json"])
    said = json.loads(done.stdout)
    assert done.exit_code == 0 and (said["solved"], said["of"], said["positions"]) == (3, 4, 5)
    assert [row["solved"] for row in said["rows"]] == [True, False, None, True, True]
    assert [row["name"] for row in said["rows"]][::3] == ["back rank; one move", "line 6"]
    assert said["rows"][0]["move"] == "Ra8#" and said["rows"][2]["ce"] == 320 and said["rows"][2]["acd"] == 12
    (fault,) = said["faults"]
    assert f"{file}, line 8: 'Ra9'" in fault


def test_right_from_when_on() -> None:
    """A mate counts when it is proved, and from the depth on from which the answer stays right."""
    chess = pg.game_named("chess")
    two = read_exercise(chess, "7k/8/5K2/8/8/8/8/6R1 w - - dm 2;", "king and rook")
    solution = solve_exercise(two, Limit(depth=6))
    assert solution.first_right is not None and solution.first_right.depth == 3
    assert solve_exercise(two, Limit(depth=2)).is_solved is False
    after = read_exercise(chess, "6k1/8/8/8/8/8/8/R5K1 w - - dm 1;", "no mate")
    assert solve_exercise(after, Limit(depth=3)).is_solved is False


def test_a_suite_of_another_game() -> None:
    """A state as text, and the same operations."""
    game = pg.game_named("tictactoe")
    exercise = read_exercise(game, 'x.x/.o./o..:x bm b1; id "row"', "line 1")
    assert exercise.right_words == "bm b1" and solve_exercise(exercise, Limit(depth=1)).is_solved


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("8/8/8/8/8/8/8/8 w - - bm e4;", "king"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -", "write bm, am, dm or ce"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm soon;", "dm 3"),
        ("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - bm h6;", "the game is over there"),
        ("", "There is no position in the file."),
    ],
)
def test_a_line_that_is_no_exercise(line: str, said: str, tmp_path: Path) -> None:
    """A line that is no exercise is refused with the reason."""
    file = tmp_path / "suite.epd"
    file.write_text(f"{line}\n")
    with pytest.raises(pg.BadInput, match=said):
        read_suite(pg.game_named("chess"), file)
