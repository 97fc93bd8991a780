"""Exact values found by many processes: of a file of positions, of one solved ahead, of what is published."""

import csv
import json
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from games import games
from processes import started
from pyarrow import parquet
from waiting import LIMIT, until

from plyground.errors import BadInput
from plyground.exact.solver import Solver
from plyground.games import game_named
from plyground.labelling.exact_values import ExactValues
from plyground.labelling.parallel_solve import ParallelSolve
from plyground.labelling.results_file import ResultsFile
from plyground.position import Position
from plyground.rules import ONGOING

pytestmark = pytest.mark.cluster

COMMAND = [sys.executable, "-c", "from plyground.__main__ import main; main()"]


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """Run the command as a process."""
    return subprocess.run([*COMMAND, *map(str, words)], capture_output=True, encoding="utf-8", check=False)


@cache
def tried(game: Any, state: Any) -> int:
    """What a state is worth to x, by trying everything."""
    if (end := game.outcome(state)) != ONGOING:
        return int(end)
    values = [tried(game, game.play(state, move)) for move in game.moves(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


# -- a file of positions -----------------------------------------------------------------------------------------------

POSITIONS = ["b2", "b2 a1", "c3", "a1", "xo./.x./...:o", "a1 b1", "a1 b2 c1"]


@pytest.fixture
def positions(tmp_path: Path) -> Path:
    """A file of positions, with a remark and an empty line."""
    file = tmp_path / "positions.txt"
    file.write_text("\n".join(["# first moves", *POSITIONS[:3], "", *POSITIONS[3:]]), encoding="utf-8")
    return file


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_every_position_gets_the_value_that_trying_everything_finds(positions: Path, ending: str) -> None:
    """In each form of table, in the order of the file, as written there."""
    out = positions.with_name(f"values.{ending}")
    done = run("label", positions, "--game", "tictactoe", "--out", out, "--moves", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{out}: 7 positions; for who is to move 1 win, 5 draws, 1 loss\n"
    rows = table(out)
    assert [row["position"] for row in rows] == POSITIONS
    game = game_named("tictactoe")
    for row in rows:
        position = Position.parse(game, row["position"])
        value = tried(game, position.state)
        mine = value if position.to_move == 0 else -value
        assert int(row["utility"]) == value and row["outcome"] == ("loss", "draw", "win")[mine + 1]
        assert (row["state"], row["to_move"]) == (position.text, "xo"[position.to_move])
        moves = {
            game.move_text(position.state, move): tried(game, game.play(position.state, move))
            for move in position.legal_moves
        }
        assert json.loads(row["moves"]) == moves
    assert not [*positions.parent.glob("*.part"), *positions.parent.glob("*.tmp")]


def table(out: Path) -> list[dict[str, Any]]:
    """The rows of a table in any form."""
    if out.suffix == ".parquet":
        return list(parquet.read_table(out).to_pylist())
    text = out.read_text(encoding="utf-8")
    return [*csv.DictReader(text.splitlines())] if out.suffix == ".csv" else [*map(json.loads, text.splitlines())]


@pytest.mark.only_on("linux", "darwin")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_same_command_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    """After Ctrl-C and after kill -9; what was solved is not solved again, and nothing is missing."""
    file, out = tmp_path / "positions.txt", tmp_path / "values.csv"
    file.write_text("b2\na1\nb1\n", encoding="utf-8")
    game = tmp_path / "slow.py"
    game.write_text(SLOW, encoding="utf-8")
    words = ["label", file, "--game", f"{game}:Slow", "--out", out, "--jobs", 2, "--json"]
    part = tmp_path / "values.csv.part"
    with started([*COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as host:
        until(lambda: host.poll() is not None or (part.exists() and len(part.read_text().splitlines()) > 1))
        host.send_signal(how)
        said, faults = host.communicate(timeout=LIMIT)
    if how == signal.SIGINT:
        assert host.returncode == 130 and said == ""
        assert f"kept in {part}: the same command goes on with them." in faults and "Traceback" not in faults
    (tmp_path / "go").touch()
    kept = len(part.read_text().splitlines()) - 1
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) | {"why_plain": ""} == {
        "file": str(out), "positions": 3, "solved": 3 - kept, "win": 0, "draw": 3, "loss": 0, "why_plain": "",
    }  # fmt: skip
    assert len(table(out)) == 3 and not part.exists()


SLOW = '''
import time
from pathlib import Path
from plyground.games.mnk import MNK

class Slow(MNK):
    """Tic-tac-toe in which two of the first moves are thought about until somebody says go."""

    plain = "This game waits"

    def canonical(self, state):
        return state

    def outcome(self, state):
        import sys  # here, so that what it holds is no part of the rules
        waits = sys.argv[0].endswith("worker.py") and self.text(state) in ("x../.../...:o", ".x./.../...:o")
        while waits and not (Path(__file__).parent / "go").exists():
            time.sleep(0.02)
        return super().outcome(state)
'''


@pytest.mark.parametrize(
    ("text", "words", "sentence"),
    [
        ("b2\n\nb2 b2\n", (), r"positions.txt, line 3: .*b2 is not a legal move here"),
        ("# nothing\n", (), "no game or position in it: write moves or a state, one a line"),
        ("b2\n", ("--out", "values.foo"), r"--out values.foo: end it with .parquet, .csv or .jsonl\.$"),
        ("b2\n", ("--out", "nowhere/values.csv"), r"there is no folder nowhere\.$"),
        ("b2\n", ("--game", "tictactoo"), r"There is no game 'tictactoo'"),
        ("b2\n", ("--jobs", "-1"), r"jobs=-1: at least 1, or 0, which means one for each processor"),
        ("b2\n", ("--scheduler", "tcp://127.0.0.1:9"), r"No scheduler answers at tcp://127.0.0.1:9"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path, text: str, words: tuple[str, ...], sentence: str) -> None:
    """Before any work, and without leaving a file."""
    file = tmp_path / "positions.txt"
    file.write_text(text, encoding="utf-8")
    done = run("label", file, "--game", "tictactoe", "--out", tmp_path / "values.csv", *words)
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == (2 if "--scheduler" in words else 1)  # where nothing is encrypted, that too
    with pytest.raises(BadInput, match=sentence):
        raise BadInput(done.stderr.splitlines()[-1])
    assert [*tmp_path.iterdir()] == [file]


def test_a_table_that_is_there_is_not_overwritten(positions: Path) -> None:
    """It may have taken hours."""
    out = positions.with_name("values.csv")
    out.write_text("mine")
    done = run("label", positions, "--game", "tictactoe", "--out", out)
    assert (done.returncode, out.read_text()) == (2, "mine")
    assert done.stderr.endswith("values.csv is there already: delete it, or name another file.\n")


def test_what_was_kept_of_other_work_is_not_used(tmp_path: Path) -> None:
    """Nor lost; a line that a power cut left half written counts as not written."""
    file = tmp_path / "a.part"
    kept = ResultsFile(file, {"game": "a"})
    kept.add("b2", [0])
    kept.close()
    with file.open("a") as out:
        out.write('["a1", [')
    with pytest.raises(BadInput, match=r"a\.part keeps other work: delete it, or name another file\."):
        ResultsFile(file, {"game": "b"})
    again = ResultsFile(file, {"game": "a"})
    assert again.rows == {"b2": [0]}
    again.add("a1", [1])
    again.close()
    last = ResultsFile(file, {"game": "a"})
    assert last.rows == {"b2": [0], "a1": [1]}
    last.close(done=True)
    assert not file.exists()


# -- a position solved ahead -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", games("small"))
@pytest.mark.parametrize("hurry", [False, True])
def test_what_follows_from_positions_ahead_is_what_one_search_finds(spec: str, hurry: bool) -> None:
    """The value and that of each move; nothing is solved twice, and not everything is solved."""
    for text in ("", *first_moves(spec)):
        here = Position.parse(game_named(spec), text)
        alone = Solver(here, prefer_shorter=hurry, book=False).solve()
        work = ExactValues(spec, prefer_shorter=hurry, book=False)
        for every_move in (True, False):
            ahead, asked = ParallelSolve(here, prefer_shorter=hurry, every_move=every_move), list[str]()
            leaves = ahead.leaves
            for wanted in ahead.wanted_positions():
                assert wanted is not None
                asked.append(wanted)
                ahead.add_result(wanted, work(wanted)[0])
            score, moves, line = ahead.answer()
            assert score == alone.score and len(asked) == len(set(asked)) <= leaves
            assert moves == alone.moves if every_move else (set(moves) <= set(alone.moves) and len(moves) == 1)
            assert dict(alone.moves)[line[0]] == score


def first_moves(spec: str) -> list[str]:
    """Two positions after a move, none of them over."""
    start = Position.initial(game_named(spec))
    unfinished = [move for move in start.legal_moves if start.play(move).outcome is None]
    return [start.game.move_text(start.state, move) for move in unfinished[:2]]


def test_a_game_where_states_come_again_is_not_solved_ahead() -> None:
    """It is told what to leave out."""
    with pytest.raises(BadInput, match="leave out --jobs and --scheduler"):
        ParallelSolve(Position.initial(game_named("morris")))


@pytest.mark.compiled
def test_solve_and_verify_answer_the_same_on_two_processes() -> None:
    """But for what they took."""
    game = ("solve", "mnk:4,4,3", "--hurry", "--no-book", "--json")
    alone, apart = (json.loads(run(*game, *words).stdout) for words in ((), ("--jobs", 2)))
    assert {key: alone[key] for key in ("position", "value", "moves")} == {
        key: apart[key] for key in ("position", "value", "moves")
    }
    assert alone["variation"][0] == apart["variation"][0]
    known = ("verify", "--only", "tictactoe", "--json")
    alone, apart = (json.loads(run(*known, *words).stdout) for words in ((), ("--jobs", 2)))
    for found in (alone, apart):
        found.pop("seconds")
        found["entries"] = [entry | {"seconds": 0} for entry in found["entries"]]
    assert alone == apart and alone["agreed"] > 0
