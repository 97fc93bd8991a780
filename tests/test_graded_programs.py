"""Searches in other languages are graded by their answers: right ones have all points, mistakes their names."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import psutil
import pytest
from commanding import ran
from wrong_searches import WRONG as WRONG_SEARCHES
from wrong_searches import changed

import plyground as pg
from plyground.gradebook.entries import totals
from plyground.grading import grade, handed_in
from plyground.grading.file_uses import SEARCH_MOST, file_with_imports, uses
from plyground.grading.forms import entries, html, report, section
from plyground.grading.grade import SearchGrade
from plyground.grading.grade_settings import GradeSettings
from plyground.grading.handed_in import reports, searches, student_of
from plyground.grading.program import ProgramTask, grade_program
from plyground.grading.questions import of_position, reference_of
from plyground.grading.search_process import SearchProcess
from plyground.grading.wrong_values import WRONG_VALUES, WrongMinimax
from plyground.laws.searches.mistakes import MISTAKES

EXAMPLE = Path(__file__).parent.parent / "examples" / "searches" / "minimax.pl"
pytestmark = pytest.mark.process
PROGRAM = """import sys

LINES = (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)


def wins(board, player):
    return any(all(board[i] == player for i in line) for line in LINES)


def opened(board, other):
    return sum(all(board[i] != other for i in line) for line in LINES)


def value(board, player, depth):
    if wins(board, "x"):
        return 1000, "-"
    if wins(board, "o"):
        return -1000, "-"
    if "." not in board:
        return 0, "-"
    if depth == 0:
        return opened(board, "o") - opened(board, "x"), "-"
    best = None
    for i in range(9):
        if board[i] == ".":
            worth, _ = value(board[:i] + player + board[i + 1:], "xo"[player == "x"], depth - 1)
            if best is None or (worth > best[0] if player == "x" else worth < best[0]):
                best = worth, "abc"[i % 3] + str(i // 3 + 1)
    return best


for line in sys.stdin:
    state, depth = line.split()
    worth, move = value(state[:-2].replace("/", ""), state[-1], int(depth))
    print({1000: "x", -1000: "o"}.get(worth, worth), move, flush=True)
"""
WRONG = [
    ("if depth == 0:", "if depth == 1:", "too shallow"),
    ("worth < best[0])", "worth > best[0])", "both largest"),
    ('opened(board, "o") - opened(board, "x")', 'opened(board, "x") - opened(board, "o")', "evaluation negated"),
    ("    print({", "    worth *= 1 if state[-1] == 'x' else -1\n    print({", "answer of the mover"),
    ('return opened(board, "o") - opened(board, "x")', "return 0", "horizon 0"),
]


def command(folder: Path, old: str = "", new: str = "", *more: tuple[str, str]) -> str:
    """Command of the program, with `new` in place of `old`, and `more` changes."""
    text = PROGRAM
    for was, now in [(old, new), *more] if old else ():
        assert was in text
        text = text.replace(was, now)
    (folder / "program.py").write_text(text, encoding="utf-8")
    return f"program:{shlex.quote(sys.executable)} -S {folder / 'program.py'}"


def test_a_right_program_has_all_points(tmp_path: Path) -> None:
    """Full marks on the criteria that answers can show: finished positions, sides and depths, moves, a game."""
    found = grade_program(command(tmp_path))
    assert found.points == found.possible == 45 and not found.likely, found.marks


@pytest.mark.parametrize(("old", "new", "key"), WRONG, ids=[key for _, _, key in WRONG])
def test_a_mistake_is_named_by_the_search_with_the_same_answers(old: str, new: str, key: str, tmp_path: Path) -> None:
    """The counterexample is at most two plies above the horizon."""
    found = grade_program(command(tmp_path, old, new))
    assert found.points < (found.possible or 0) and found.mistakes[0].breach
    assert found.mistakes[0].breach.key == key and found.mistakes[0].question.depth <= 2, found.mistakes
    reported = report(found)
    assert "\nright\n" in reported.text and "◀ here" in reported.text and section(reported).count("<img") == 1


def test_faults_of_a_program_are_sentences(tmp_path: Path) -> None:
    """A move that is not legal; an answer that is none; a program that ends: the last is asked no more."""
    illegal = grade_program(command(tmp_path, '"abc"[i % 3] + str(i // 3 + 1)', '"a1"'))
    assert "a move that is not legal" in illegal.likely or "is right" in illegal.likely
    assert "VALUE MOVE" in grade_program(command(tmp_path, "worth), move, flush", "worth), flush")).likely
    assert (
        "It has ended; its last words: ValueError"
        in grade_program(command(tmp_path, "int(depth)", "int(state)")).likely
    )
    with pytest.raises(pg.BadInput, match="cannot be started"):
        grade_program("program:no-such-program")


COUNTS = (
    ("def value(board, player, depth):", "def value(board, player, depth):\n    global nodes\n    nodes += 1"),
    ("    worth, move = value(", "    nodes = 0\n    worth, move = value("),
)
"""Changes by which the program counts its nodes."""


def test_a_programs_nodes_are_compared(tmp_path: Path) -> None:
    """Beside those of plyground's searches, with a sentence where its value is another; it has to count them."""
    said = ("worth), move, flush", "worth), move, nodes, flush")
    words = ["compare", "tictactoe", "b1 b2 a1", "minimax"]
    found = ran([*words, command(tmp_path, *said, *COUNTS), "--depth", "1..3", "--json"])
    rows = json.loads(found.stdout)["rows"]
    assert [row["nodes"] for row in rows] == 2 * [7, 37, 137], found.output
    assert [row["value"] for row in rows[:3]] == [row["value"] for row in rows[3:]] and rows[3]["leaves"] is None
    wrong = command(tmp_path, *said, *COUNTS, ("if depth == 0:", "if depth == 1:"))
    assert "differs from minimax at depth 2" in ran([*words, wrong, "--depth", "2..2"]).stdout
    silent = ran([*words, command(tmp_path), "--depth", "1"], standalone=False)
    assert isinstance(silent.exception, pg.BadInput) and "does not count" in str(silent.exception)


@pytest.mark.parametrize(
    ("said", "exercise", "points", "words"),
    [
        ("move, nodes, flush", "", 5, "100% of minimax's"),
        ("move, nodes, flush", "alphabeta", 0, "are enough for alpha-beta."),
        ("move, nodes - 1, flush", "minimax", 0, ": the root counts, too."),
        ("move, nodes + 9, flush", "", 0, "minimax enters "),
        ("move, min(nodes, 7), flush", "", 5, "alpha-beta enters "),
        ("move, 0, flush", "", 0, "It says that it enters 0 nodes"),
        ("move, 'nodes', flush", "", None, ""),
    ],
)
def test_a_count_of_nodes_is_compared(
    said: str, exercise: Literal["", "minimax", "alphabeta"], points: int | None, words: str, tmp_path: Path
) -> None:
    """A third word opens the node count: minimax's nodes exactly, or not many more than alpha-beta's; no criterion else
    depends on it."""
    found = grade_program(command(tmp_path, "move, flush", said, *COUNTS), exercise=exercise)
    marks = {mark.criterion.name: mark for mark in found.marks}
    assert all(not mark.failed for name, mark in marks.items() if name != "node count")
    assert (marks["node count"].points if "node count" in marks else None) == points
    assert words in f"{found.likely} {found.remarks}" and words in report(found).text
    assert bool(found.remarks) == (points is not None)


@pytest.mark.parametrize("line", ["state = line.strip()", "state, _ = line.split()"])
@pytest.mark.parametrize("win", ["x", "1"])
def test_a_search_without_a_depth(line: str, win: str, tmp_path: Path) -> None:
    """It is asked to the end of the game, by the position alone, or if it needs it with a depth; a number may be the
    value. Asked with a depth, it is told what it does."""
    whole = command(
        tmp_path, "int(depth)", "9", ("state, depth = line.split()", line), ('{1000: "x", -1000: "o"}', WINS[win])
    )
    found = grade_program(whole, ProgramTask(to_the_end=True))
    assert found.points == found.possible and found.marks[-1].asked, found.likely
    wrong = command(
        tmp_path, "int(depth)", "9", ("worth < best[0])", "worth > best[0])"), ('{1000: "x", -1000: "o"}', WINS[win])
    )
    found = grade_program(wrong, ProgramTask(to_the_end=True))
    assert found.points < (found.possible or 0) and found.mistakes[0].breach
    assert found.mistakes[0].breach.key == "both largest"
    unasked = command(tmp_path, "int(depth)", "9", ('{1000: "x", -1000: "o"}', WINS[win]))
    assert "--to-the-end" in grade_program(unasked).likely


def test_questions_to_the_end_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides move, and also finished games are asked about; a game that has no short end is refused."""
    for game in ("tictactoe", "dotsandboxes:1,2"):
        wanted = ProgramTask(game, to_the_end=True).questions(0)
        assert {each.position.to_move for each in wanted if not each.is_over} == {0, 1}
        texts = [each.position.text for each in wanted]
        assert any(each.is_over for each in wanted) and len({*texts}) == len(texts)
        assert texts == [each.position.text for each in ProgramTask(game, to_the_end=True).questions(0)]
    monkeypatch.setattr("plyground.grading.questions.MOST_TO_THE_END", 0)
    with pytest.raises(pg.BadInput, match="no position was found"):
        ProgramTask("tictactoe", to_the_end=True).questions(0)


WINS = {"x": '{1000: "x", -1000: "o"}', "1": "{1000: 1, -1000: -1}"}
"""Words of the program for a win of x and of o."""


def test_who_waits_for_the_end_of_its_input_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that reads everything first, and one that keeps back what it prints."""
    monkeypatch.setattr("plyground.grading.program.QUESTION_SECONDS", 1.0)
    for change in (("in sys.stdin:", "in sys.stdin.readlines():"), ("flush=True", "flush=False")):
        said = grade_program(command(tmp_path, *change)).likely
        assert re.match(r"It says nothing for 1 s; when its input was closed it wrote '\S+ \S+': it is to read", said)
    assert "closed" not in grade_program(command(tmp_path, "    print({", "    continue\n    print({")).likely


def test_a_line_too_many_is_no_answer_to_the_next_question(tmp_path: Path) -> None:
    """A program that writes several lines for a question gets a sentence of its own; none counts as a wrong answer."""
    found = grade_program(command(tmp_path, "    print({", "    print('searching', worth)\n    print({"))
    assert found.likely.startswith("It answers by several lines, 'searching ")
    assert re.search(
        r", where one is meant: 'searching \S+' is no answer, and belongs on standard error\.$", found.likely
    )
    asked = [mark for mark in found.marks if mark.criterion.name != "whole games"]
    assert all(mark.unanswered == mark.failed for mark in asked)


def test_a_class_has_programs_and_files(tmp_path: Path) -> None:
    """A program is one of the searches of a command."""
    named = searches([command(tmp_path), "minimax"])
    assert [each.score for each in reports(named, 2, lambda report: None)] == ["45 of 45", "75 of 75"]


def test_whole_games_without_an_answer_are_not_called_wrong(tmp_path: Path) -> None:
    """Unreadable lines of a program count as missing answers, not as wrong ones."""
    (tmp_path / "program.py").write_text("import sys\nfor line in sys.stdin:\n    print('hm', flush=True)\n")
    said = report(grade_program(f"program:{shlex.quote(sys.executable)} -S {tmp_path / 'program.py'}")).text
    assert "1 of 1 without an answer" in said and " wrong" not in said


def test_a_file_that_cannot_be_asked_has_its_exercise_s_points(tmp_path: Path) -> None:
    """No points of what the exercise asks for; where none is named nothing is known of the maximum. A program that
    cannot be started has that of its game."""
    files = {"syntax.py": "def search(:\n", "none.py": "x = 1\n", "ends.py": "import os\nos._exit(3)\n"}
    files |= {"waits.py": "async def search(game, observer, state, depth):\n    return 0, -1\n"}
    files |= {"yields.py": "def search(game, observer, state, depth):\n    yield 0, -1\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    named = [*searches([f"{tmp_path}"]), "program:no-such-program"]
    for exercise, most_nodes, score in [
        ("minimax", "", 75),
        ("alphabeta", "", 100),
        ("minimax", "tictactoe 6 900", 85),
    ]:
        made = reports(named, 2, lambda _: None, GradeSettings(exercise, most_nodes))
        assert {each.score for each in made} == {f"0 of {score}", "0 of 45"}
    made = reports(named, 2, lambda report: None)
    assert {each.score for each in made} == {"not graded", "0 of 45"}
    book = {
        each.student: each for each in totals(entries(made, [student_of(each, [f"{tmp_path}"]) for each in named], ""))
    }
    assert (book["none"].points, book["none"].possible) == (0, None)
    assert "it is an async function; write def" in book["waits"].reason
    assert "it yields" in book["yields"].reason and "not graded" in html(made, "class")


def test_a_wrong_answer_says_its_position(tmp_path: Path) -> None:
    """A criterion whose mistake has no name tells the question, as `plyground tree` takes it."""
    _, text, changes, _ = next(case for case in WRONG_SEARCHES if case[0] == "a win is worth 1000")
    (tmp_path / "ada.py").write_text(changed(text, changes), encoding="utf-8")
    (graded,) = reports(searches([f"{tmp_path / 'ada.py'}"]), 1, lambda report: None)
    assert re.search(r'It answers 1000; x in 1 is right\. \(tictactoe ".*" --depth 1\)', section(graded))
    assert "o wins, and it is given −1000" in graded.text and "1 node, 0 cutoffs" in graded.text


def test_the_example_in_prolog() -> None:
    """The example has full marks."""
    if not shutil.which("swipl"):
        pytest.skip("swipl is not installed")
    found = grade_program(f"program:swipl {EXAMPLE}")
    assert found.points == found.possible, found.marks
    document = (EXAMPLE.parents[2] / "docs" / "teaching.md").read_text(encoding="utf-8")
    (counting,) = re.findall(r"```prolog\n(.*?)```", document, re.DOTALL)
    assert counting in EXAMPLE.read_text(encoding="utf-8")
    assert found.remarks and found.remarks[0] in " ".join(document.split())


def test_minimax_without_a_mistake_is_the_reference() -> None:
    """Each wrong search differs from minimax by its mistake alone."""
    position = pg.Position.parse(pg.MNK(), "xx./.o./...:o")
    right = WrongMinimax()
    for question in of_position("tictactoe", position, 4):
        assert right(question) == reference_of(position.game, False)(position.state, question.depth, 0)
    assert WRONG_VALUES.keys() <= MISTAKES.keys()


FORGER = """
import os
from plyground.grading import forms
from plyground.grading.grade import CRITERIA, CriterionMark, SearchGrade
from pydantic import TypeAdapter

made = forms.report(SearchGrade("forger", tuple(CriterionMark(each, 10, 0) for each in CRITERIA), (), ""))
said = TypeAdapter(forms.GradeReport).dump_json(made)
print(said.decode(), flush=True)
for stream in range(1, 20):
    try:
        os.write(stream, b"\\n" + said)
    except OSError:
        pass
os._exit(0)
"""
DAEMON = """
import os
ours, theirs = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.write(theirs, b"x")
    os.execv("/bin/sleep", ["sleep", "98765.4321"])
os.read(ours, 1)
"""
FLOOD = """
import os
for _ in range(600):
    os.write(1, b"x" * (1 << 20))
    os.write(2, b"x" * (1 << 20))
"""
GREEDY = "held = bytearray(3 << 30)\n"
SECRETS = "import os\nassert 'PGPASSWORD' not in os.environ\n"
NO_MOVE = "\ndef search(game, observer, state, depth):\n    return 0, None\n"


@pytest.mark.skipif(sys.platform != "linux", reason="daemons and limits of Linux")
def test_a_class_is_graded_by_the_grader_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Printing a report gives no points; nothing outlives its grade; what is printed costs nothing; limits hold."""
    resource = pytest.importorskip("resource")
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    files = {"daemon": DAEMON, "flood": FLOOD, "forger": FORGER, "greedy": GREEDY, "secrets": SECRETS}
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text + NO_MOVE, encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    graded = dict(zip(files, reports(searches([str(tmp_path)]), 2, lambda report: None), strict=True))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10
    assert graded["forger"].data.points == 0 and "grade" in graded["forger"].data.refused
    assert "MemoryError" in graded["greedy"].data.refused or "memory" in graded["greedy"].data.refused
    assert not any(graded[name].data.refused for name in ("daemon", "flood", "secrets"))
    assert not any("98765.4321" in (each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"]))


GUESS = """
def search(game, observer, state, depth):
    observer.enter(state, depth)
    observer.leave(0, 0)
    return 0, 0
"""
CHEATS = {
    "prints": FORGER + NO_MOVE,
    "patches": """
import plyground.grading.grade as grade
grade.CRITERIA, grade.MORE_NODES = (), 1e9
grade._Grading._misses = lambda *_: False
"""
    + GUESS,
    "reads": """
import gc
def search(game, observer, state, depth):
    kinds = ("Reference", "SearchQuestion", "CheckedSearch")
    known = [each for each in gc.get_objects() if type(each).__name__ in kinds]
    observer.enter(state, depth)
    value = known[0](state, depth, 0) if known else 0
    observer.leave(value, 0)
    return value, 0
""",
    "exits": "import os\ndef search(game, observer, state, depth):\n    os._exit(0)\n",
    "writes ahead": """
import json, os, threading, time
def write():
    while True:
        for stream in range(3, 20):
            try:
                os.write(stream, json.dumps({"secret": "0" * 32, "answer": [0, 0]}).encode() + b"\\n")
            except OSError:
                pass
        time.sleep(0.01)
threading.Thread(target=write, daemon=True).start()
"""
    + GUESS,
    "atexit": "import atexit\natexit.register(print, 'forger.py,100,100')\n" + GUESS,
    "patches json": """
import json
real = json.dumps
json.dumps = lambda message, **options: real({**message, "points": 100, "answer": [1 << 20, 0]}, **options)
"""
    + GUESS,
    "equal to all": """
class Any(int):
    __eq__ = lambda self, other: True
    __lt__ = __gt__ = __le__ = __ge__ = __eq__
    __hash__ = int.__hash__
def search(game, observer, state, depth):
    observer.enter(state, depth)
    observer.leave(Any(0), Any(0))
    return Any(0), Any(0)
""",
    "reads the grader": """
import inspect, plyground.laws.searches.laws
text = inspect.getsource(plyground.laws.searches.laws)
"""
    + GUESS,
    "asks our engine": """
from plyground.search.minimax import minimax
def search(game, observer, state, depth):
    return minimax(game, observer, state, depth, 0, 0)
""",
}
"""Ten searches that mean to cheat, by what they do."""


def test_a_search_can_only_lie_about_its_answers(tmp_path: Path) -> None:
    """None has points by what it does to its own process; one that asks our engine is told."""
    for name, text in CHEATS.items():
        (tmp_path / f"{name.replace(' ', '_')}.py").write_text(text, encoding="utf-8")
    graded = {each.name: each for each in reports(searches([str(tmp_path)]), 2, lambda report: None)}
    found = {name: graded[f"{tmp_path / name.replace(' ', '_')}.py:search"] for name in CHEATS}
    (tmp_path / "guess.py").write_text(GUESS, encoding="utf-8")
    (plain,) = reports(searches([str(tmp_path / "guess.py")]), 1, lambda report: None)
    for name in CHEATS.keys() - {"asks our engine"}:
        assert found[name].data.points <= plain.data.points, (name, found[name].text)
    for name in ("prints", "exits", "writes ahead"):
        assert found[name].data.refused, found[name].text
    assert "unasked" in found["writes ahead"].data.refused
    assert not plain.look
    told = {name: found[name].look for name in CHEATS}
    assert "line 2 imports plyground.search.minimax" in told["asks our engine"]
    assert all(
        told[name] for name in told.keys() - {"prints", "exits", "writes ahead", "patches json", "equal to all"}
    ), told


def test_another_ones_file_is_told(tmp_path: Path) -> None:
    """A file that takes its search from the one beside it, directly or by a third, or is a link to it."""
    for name, text in {"ann": GUESS, "bob": "import math\nimport ann\nsearch = ann.search\n"}.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "cat.py").write_text("from bob import search\n", encoding="utf-8")
    assert uses(tmp_path / "ann.py") == ()
    assert uses(tmp_path / "bob.py") == ("line 2 imports ann, a file beside it",)
    assert uses(tmp_path / "cat.py") == (
        "line 1 imports bob, a file beside it",
        "bob.py, line 2 imports ann, a file beside it",
    )
    (tmp_path / "dan.py").symlink_to("ann.py")
    assert uses(tmp_path / "dan.py") == ("dan.py is a link to ann.py",)


def test_a_value_that_is_no_number_is_said(tmp_path: Path) -> None:
    """A search has the same grade in this process and in a sandbox."""
    file = tmp_path / "none.py"
    file.write_text(GUESS.replace("leave(0, 0)", "leave(None, 0)"), encoding="utf-8")
    (apart,) = reports(searches([str(file)]), 1, lambda report: None)
    assert "observer.leave is given None" in apart.likely and report(grade(f"{file}:search")).data == apart.data


def test_a_class_of_one_is_a_class(tmp_path: Path) -> None:
    """A search of a folder that ends its process has a row; named alone it gets a sentence. What it prints is lost."""
    (tmp_path / "forger.py").write_text(FORGER + NO_MOVE, encoding="utf-8")
    for words, code in ((["--csv", tmp_path], 1), ([tmp_path / "forger.py"], 2)):
        command = [sys.executable, "-m", "plyground", "grade", *map(str, words)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8")
        assert done.returncode == code, done
        assert not done.stdout if code == 2 else done.stdout.splitlines()[1].startswith("forger,search,0,")


def class_of(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """Likely mistakes, or why nothing was graded, of a class's files by their names."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    graded = reports(searches([str(folder)]), 2, lambda report: None)
    return {each.name.removeprefix(f"{folder}/").removesuffix(":search"): each.likely for each in graded}


def test_a_file_s_name_is_no_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in a folder, nor where a shell puts it into the command line for `*.py`."""
    monkeypatch.chdir(tmp_path)
    name = "program:touch ran ; .py"
    (tmp_path / name).write_text(GUESS, encoding="utf-8")
    for words in (["."], [name]):
        assert searches(words) == [f"./{name}:search"]
    assert searches(["program:touch ran ; x"]) == ["program:touch ran ; x"]


def test_no_file_of_a_class_changes_another_one_s_grade(tmp_path: Path) -> None:
    """Not by the name of this package, of an installed one, or of what another file imports; a folder in the class's
    is one person's, but for searches in it."""
    fails = "raise ValueError('mallory was here')\n"
    found = class_of(
        tmp_path,
        {
            "ann.py": f"import numpy\nimport plyground\nplyground.MAX + numpy.sign(9)\n{GUESS}",
            **dict.fromkeys(("plyground.py", "numpy.py", "helper.py"), fails),
            "bob.py": f"import helper\n{GUESS}",
            "group/cat.py": f"import tools\n{GUESS}",
            "group/tools.py": "",
            "group/dan.py": "from cat import search\n",
        },
    )
    assert found["ann.py"] == found["group/cat.py"] != "" and "No module named" not in found["ann.py"]
    assert "No module named 'helper'; a file that is graded imports none" in found["bob.py"]
    assert "No module named 'cat'" in found["group/dan.py"]
    (alone,) = reports(searches([str(tmp_path / "ann.py")]), 1, lambda report: None)
    assert alone.likely == found["ann.py"]


def test_a_link_beside_a_file_is_not_followed(tmp_path: Path) -> None:
    """A student's link may lead to a file of the grader's."""
    (tmp_path / "secret.txt").write_text("answer = 42\n", encoding="utf-8")
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "key.py").symlink_to("../secret.txt")
    (tmp_path / "class" / "eve.py").write_text(f"import key\n{GUESS}", encoding="utf-8")
    assert file_with_imports(tmp_path / "class" / "eve.py") == [tmp_path / "class" / "eve.py"]
    (graded,) = reports(searches([str(tmp_path / "class" / "eve.py")]), 1, lambda report: None)
    assert "No module named 'key'" in graded.data.refused and "is a link" in graded.look


@pytest.mark.skipif(sys.platform != "linux", reason="names of Linux")
def test_every_file_of_a_class_has_its_own_row(tmp_path: Path) -> None:
    """Names that look alike, or are no text; links to themselves, large files: a sentence each."""
    (tmp_path / "loop.py").symlink_to("loop.py")
    files = {
        "large.py": "x = 1\n" * (SEARCH_MOST // 6 + 1),
        "ann.py": GUESS,
        "a\u200bnn.py": GUESS,
        "b\udcffb.py": GUESS,
    }
    found = class_of(tmp_path, files)
    assert found["ann.py"] == found[r"a\u200bnn.py"] != ""
    assert found["large.py"].endswith("is larger than 1 MiB, the most that is read of such a file.")
    assert "cannot be read: " in found["loop.py"] and r"b\udcffb.py: its name is no" in found[r"b\udcffb.py"]


def test_a_fault_with_one_file_leaves_the_others_their_grades(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is; it is not blamed on the file."""
    real = grade

    def fails(search: SearchProcess, *_: Any, **options: Any) -> SearchGrade:
        if "bob" in search.name:
            raise RecursionError
        return real(search, **options)

    monkeypatch.setattr(handed_in, "grade_any_search", fails)
    found = class_of(tmp_path, {"ann.py": GUESS, "bob.py": GUESS})
    assert "fault of plyground's" in found["bob.py"] and found["ann.py"] and "fault" not in found["ann.py"]


WORDY = """
import json, sys
frame = sys._getframe()
while "answers" not in frame.f_locals:
    frame = frame.f_back
names = frame.f_locals
names["send"]({"secret": names["secret"], "takes": ["depth"]})
for line in names["questions"]:
    said = {"answer": None, "said": "s" * 10**6, "ended": "fails", "words": "w" * 10**6, "nodes": 1}
    names["send"](said | {"rows": [[], [], 0], "secret": json.loads(line)["secret"]})
"""


def test_the_words_of_an_answer_are_bounded(tmp_path: Path) -> None:
    """A search can make no report of any length."""
    (tmp_path / "wordy.py").write_text(WORDY, encoding="utf-8")
    made = reports(searches([str(tmp_path / "wordy.py")]), 1, lambda report: None)
    assert "www" in html(made, "class") and len(html(made, "class")) < 100_000


def test_the_command_of_a_report_is_quoted_and_says_what_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows the search outside the sandbox; a file's name runs nothing."""
    monkeypatch.chdir(tmp_path)
    _, text, changes, _ = next(case for case in WRONG_SEARCHES if case[0] == "a win is worth 1000")
    Path("$(id>ran).py").write_text(changed(text, changes), encoding="utf-8")
    (graded,) = reports(searches(["$(id>ran).py"]), 1, lambda report: None)
    assert "--algorithm '$(id>ran).py:search'\nThis runs the file with your rights" in graded.text
    assert "This runs the file with your rights" in section(graded)
