"""How a game ended is a value that is set where it is seen: no word in a message decides it, and a program's real last
words are quoted.
"""

import csv
import io
import os
import sqlite3
import sys
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from commanding import ran
from waiting import LIMIT

import plyground as pg
from plyground.arena import playing
from plyground.arena.marking.marks import mark_student
from plyground.arena.report.export import csv as as_csv
from plyground.arena.report.game_records import game_records
from plyground.arena.report.html import html
from plyground.arena.results import Played, Task
from plyground.arena.store import Store
from plyground.arena.tournament import Tournament
from plyground.database import schema
from plyground.play.audit import audit
from plyground.play.ending import TERMINATIONS, Ending
from plyground.play.game_file import GameFile, read_game
from plyground.play.player import Failed
from plyground.programs.error_output import ErrorOutput
from plyground.timeouts import TimeExceeded, raise_in

HOSTILE = "CPU late used up on time; illegal move; said nothing; did not answer; void; could not start, adjudicated: "
"""Words by which the kind of a fault might be guessed."""
OWN = f"""
import sys
HOSTILE = {HOSTILE!r}
def raises(position):
    raise RuntimeError(HOSTILE)
def asks(position):
    return position.play("z9 illegal move").moves[-1]
def exits(position):
    sys.exit(HOSTILE)
def memory(position):
    raise MemoryError(HOSTILE)
def deep(position):
    position.game.outcome(position.state)
    return deep(position)
def rules(position):
    return position.game.play((HOSTILE,), 0)
def illegal(position):
    return "CPU"
def endless(position):
    while True:
        pass
"""
KINDS = {
    "raises": Ending.CRASHED,
    "asks": Ending.CRASHED,
    "exits": Ending.CRASHED,
    "memory": Ending.CRASHED,
    "deep": Ending.CRASHED,
    "rules": Ending.CRASHED,
    "illegal": Ending.ILLEGAL,
    "endless": Ending.SILENT,
}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file of functions of which each fails in another way."""
    file = tmp_path / "own.py"
    file.write_text(OWN, encoding="utf-8")
    return file


def ends(arena: Tournament) -> dict[str, set[Ending]]:
    """The endings of the games of each entrant but `first`, against which all play."""
    found: dict[str, set[Ending]] = {}
    for each in arena.games:
        found.setdefault(({each.task.x, each.task.o} - {"first"}).pop(), set()).add(each.ending)
    return found


def test_no_word_of_a_message_decides(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind is the same everywhere: games, standings, marks, CSV, PGN; only lateness costs points for time."""
    monkeypatch.setattr(playing, "USER_MOVE_TIME", 0.3)
    players = ["first", *(f"{name}={own}:{name}" for name in KINDS)]
    arena = pg.arena(players, "tictactoe", format="gauntlet").play()
    assert ends(arena) == {name: {kind} for name, kind in KINDS.items()}
    assert not any(each.void or each.fault is None for each in arena.games)
    for name, kind in KINDS.items():
        assert arena.standings.row(name).faults == {kind: 2}
        games = [each for each in arena.games if name in (each.task.x, each.task.o)]
        parts = {
            part.criterion: part.share for part in mark_student(name, games, [], {"time": 1.0, "conduct": 1.0}).parts
        }
        late = kind in (Ending.LATE, Ending.SILENT)
        assert parts == {"time": float(not late), "conduct": float(late)}, name
        rows = list(csv.DictReader(io.StringIO(as_csv(games))))
        assert [row["kind"] for row in rows] == [kind.value] * 2
        assert game_records(arena.stored_arena, games).count(f'[Termination "{TERMINATIONS[kind]}"]') == 2
    shown = html(arena.stored_arena, arena.games)
    assert shown.count(": no answer.") == 1 and shown.count(": an illegal move.") == 1


@pytest.mark.parametrize("limit", [{"move_time": 0.3}, {"cpu": 0.3}])
def test_an_endless_loop_is_late_by_either_clock(own: Path, limit: dict[str, Any]) -> None:
    """The wall's, and the processor's; a crash under the same clock is a crash."""
    players = ["first", f"endless={own}:endless", f"raises={own}:raises"]
    arena = pg.arena(players, "tictactoe", format="gauntlet", **limit).play()
    assert ends(arena) == {"endless": {Ending.LATE}, "raises": {Ending.CRASHED}}


def test_an_exception_comes_in_the_thread_that_it_is_meant_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while that thread starts others: none of them is ended before its first line, nor waited for."""
    stray: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", stray.append)
    for _ in range(200):
        begun, ended = threading.Event(), threading.Event()

        def work(begun: threading.Event = begun, ended: threading.Event = ended) -> None:
            with suppress(TimeExceeded):
                while True:
                    begun.set()
                    threading.Thread(target=int).start()
            ended.set()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        assert begun.wait(LIMIT) and thread.ident
        raise_in(thread.ident, TimeExceeded)
        assert ended.wait(LIMIT) and not stray


PROGRAM = f"""
import os, sys, time
kind, side, first = sys.argv[1:]
def move(line, has_moved):
    if kind == "never":
        time.sleep(60)
    if has_moved:
        print({HOSTILE!r}, file=sys.stderr, flush=True)
        if kind == "crash":
            raise RuntimeError("CPU\\x1b[2J late")
        if kind == "end":
            sys.exit()
        if kind == "closes":
            os.close(1)
        if kind == "says":
            print("result(1,'I win').", flush=True)
        if kind == "mutters":
            print("a" + chr(10) + "b", flush=True)
        if kind in ("hang", "closes", "says", "mutters"):
            time.sleep(60)
        print("(1,1)." if kind == "illegal" else "CPU time used up.", flush=True)
    else:
        print("(3,3)." if "(3,3)" not in line else "(3,2).", flush=True)
if side == first:
    move("", False)
for count, line in enumerate(sys.stdin):
    move(line, count or side == first)
"""


@pytest.mark.process
def test_programs_end_in_the_way_that_was_seen(tmp_path: Path) -> None:
    """Over the wire: each kind, what never said anything and what could not start are void; words are whole lines."""
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    kinds = ("crash", "end", "closes", "hang", "illegal", "rubbish", "says", "mutters", "never")
    players = [f"{kind}=program[timeout=1]:{sys.executable} {file} {kind} {{side}} {{first}}" for kind in kinds]
    arena = pg.arena(
        ["first", *players, "gone=program:/nowhere/late"],
        "tictactoe",
        format="gauntlet",
        database=f"sqlite:///{tmp_path / 'games.db'}",
    )
    void = {({each.task.x, each.task.o} - {"first"}).pop(): each for each in arena if each.void}
    assert {name: each.ending for name, each in void.items()} == {
        "never": Ending.SILENT,
        "gone": Ending.NOT_STARTED,
    }
    counted = {name: kind for name, kind in ends(arena).items() if name not in void}
    assert counted == {
        "crash": {Ending.CRASHED},
        "end": {Ending.CRASHED},
        "closes": {Ending.SILENT},
        "hang": {Ending.SILENT},
        "illegal": {Ending.ILLEGAL},
        "rubbish": {Ending.UNREADABLE},
        "says": {Ending.UNREADABLE},
        "mutters": {Ending.UNREADABLE},
    }
    said = {({each.task.x, each.task.o} - {"first"}).pop(): each for each in arena.games if not each.void}
    assert said["crash"].words.splitlines()[0] == HOSTILE.strip() and "RuntimeError: CPU late" in said["crash"].why
    assert HOSTILE.strip() in said["hang"].why and said["illegal"].words == HOSTILE.strip()
    with closing(Store(f"sqlite:///{tmp_path / 'games.db'}")) as store:
        assert {each.ending for each in store.games(arena.id)} == {each.ending for each in arena.games}


def test_games_of_an_earlier_version_are_readable_and_unknown(tmp_path: Path) -> None:
    """Nothing is guessed from their sentences: a fault is of unknown kind, a finished game is normal by its moves."""
    file = tmp_path / "games.db"
    url = f"sqlite:///{file}"
    tasks = [Task(number, number // 2, "a", "b", "") for number in range(3)]
    won = ("a1", "b1", "a2", "b2", "a3")
    games = [
        Played(tasks[0], ("b2",), 1, "o loses on time: its 1 s are used up", 1),
        Played(tasks[1], won, 1, "x wins"),
        Played(tasks[2], (), None, "port 4 is taken", void=True),
    ]
    settings = {"entrants": [["a", "first"], ["b", "first"]], "game": "tictactoe", "format": "round-robin"}
    with closing(Store(url)) as store:
        store.begin("old", settings, 3, games)
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("ALTER TABLE arena_game DROP COLUMN ending")
        old.execute("UPDATE schema_version SET version = 6")
    with closing(Store(url)) as store:
        read, arena = store.games("old"), store.arena("old")
    assert schema.SCHEMA_VERSION >= 7 and arena is not None
    assert [each.ending for each in read] == [Ending.UNKNOWN, Ending.UNKNOWN, Ending.VOID]
    record = game_records(arena, read)
    assert '[Termination "unknown"]' in record and '[Termination "normal"]' in record


def test_a_game_file_keeps_the_kind(tmp_path: Path) -> None:
    """Also one of a version that did not note it is read."""
    start = pg.Position.initial("tictactoe")
    file = GameFile.begin(tmp_path / "game.jsonl", "tictactoe", start, ("a", "b"))
    pg.play_match(start, (lambda position: "z9", "first"), file=file, on_error="lose")
    file.close()
    assert read_game(tmp_path / "game.jsonl").ending is Ending.ILLEGAL
    text = (tmp_path / "game.jsonl").read_text("utf-8").replace(', "ending": "illegal"', "")
    (tmp_path / "game.jsonl").write_text(text, "utf-8")
    assert read_game(tmp_path / "game.jsonl").ending is Ending.UNKNOWN


def test_an_audit_says_of_which_kind_a_failure_is() -> None:
    """A lost game of an audit has the kind, too."""

    class Late:
        def choose(self, position: pg.Position, seconds: float | None) -> int:
            if position.moves:
                raise Failed(HOSTILE)
            return position.legal_moves[0]

    found = audit("tictactoe", pg.Position.initial("tictactoe"), 0, Late)
    assert found.verdict == "loses" and {loss.ending for loss in found.losses} == {Ending.CRASHED}


# -- last words --------------------------------------------------------------------------------------------------------

OVERFLOW = """ERROR: /tmp/deep.pl:2: Initialization goal raised exception:
ERROR: Stack limit (64.0Mb) exceeded
ERROR:   Stack sizes: local: 44.2Mb, global: 17.0Mb, trail: 0Kb
ERROR:   In:
ERROR:     [445,162] user:other(o, _232)
ERROR:     [445,161] user:best([length:445,142], o, _254)
ERROR:
ERROR: Use the --stack_limit=size[KMG] command line option or
ERROR: ?- set_prolog_flag(stack_limit, 134_217_728). to double the limit.
"""
JAVA = 'Exception in thread "main" java.lang.StackOverflowError\n' + "\tat Main.best(Main.java:3)\n" * 1024
PYTHON = (
    'Traceback (most recent call last):\n  File "p.py", line 1, in f\n    f()\n' * 1
    + "  [Previous line repeated 990 more times]\nRecursionError: maximum recursion depth exceeded\n"
)
WARNED = "Warning: /tmp/a.pl:1:\nWarning:    Singleton variables: [X,Y]\nERROR: foo/1 is unknown\n"


def error_output(text: bytes) -> ErrorOutput:
    """A program's standard error, as far as it is kept."""
    ear, mouth = os.pipe()
    output = ErrorOutput(os.fdopen(ear, "rb", buffering=0))
    with os.fdopen(mouth, "wb") as pipe:
        pipe.write(text)
    output.wait(10)
    return output


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", ""),
        ("what a mess\n", "its last words: what a mess"),
        (
            OVERFLOW,
            "its error output: ERROR: /tmp/deep.pl:2: Initialization goal raised exception: / "
            "ERROR: Stack limit (64.0Mb) exceeded … "
            "ERROR: ?- set_prolog_flag(stack_limit, 134_217_728). to double the limit.",
        ),
        (JAVA, 'its last words: Exception in thread "main" java.lang.StackOverflowError'),
        (PYTHON, "its last words: RecursionError: maximum recursion depth exceeded"),
        (WARNED, "its last words: ERROR: foo/1 is unknown"),
        ("\x1b[31mred\x1b[0m\a\n", "its last words: red"),
        ("one\ntwo\nthree\n", "its error output: one / two / three"),
        ("x" * 50_000 + "\nend\n", f"its error output: {'x' * 299}x… / end"),
    ],
)
def test_the_first_and_the_last_lines_are_quoted_whole(text: str, quoted: str) -> None:
    """Of what tells most; a line that is too long is cut with a mark; nothing reaches a terminal's controls."""
    assert error_output(text.encode()).quotation == quoted


def test_what_is_between_is_left_out_with_a_mark() -> None:
    """However much a program writes: no line is cut in the middle."""
    lines = [f"line {number} of many" for number in range(9_999)]
    shown = error_output("\n".join(lines).encode()).excerpt.splitlines()
    assert shown == [*lines[:6], "…", *lines[-6:]]


@pytest.mark.process
def test_a_silent_program_is_graded_with_its_last_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that has ended is."""
    monkeypatch.setattr("plyground.grading.program.QUESTION_SECONDS", 2.0)
    file = tmp_path / "hangs.py"
    file.write_text("import sys, time\nprint('out of stack', file=sys.stderr, flush=True)\ntime.sleep(60)\n")
    done = ran(["grade", f"program:{sys.executable} {file}"])
    assert "It says nothing for 2 s; its last words: out of stack." in done.output
