"""Programs as players: in six languages, in Prolog as written for a Connector, and those that go wrong."""

import gc
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from programs import CALLING_PLAYER, EXAMPLES, TICTACTOE, installed, played
from waiting import LIMIT

import plyground as pg
from plyground.play.ending import Ending
from plyground.play.player import Unable
from plyground.wire.check import check
from plyground.wire.external import External
from plyground.wire.listener import listening_port
from plyground.wire.peer import Program

pytestmark = pytest.mark.process


LANGUAGES = [
    ("python", f"{sys.executable} {EXAMPLES / 'first.py'} {{side}} {{first}}"),
    ("sh", f"sh {EXAMPLES / 'first.sh'} {{side}} {{first}}"),
    ("node", f"node {EXAMPLES / 'minimax.js'} {{side}} {{first}}"),
    ("java", f"java {EXAMPLES / 'Minimax.java'} {{side}} {{first}}"),
    ("swipl", f"swipl {EXAMPLES / 'alphabeta.pl'} {{host}} {{port}} {{side}} {{first}}"),
    ("cc", "{minimax} {side} {first}"),
]


@pytest.mark.parametrize(("language", "command"), LANGUAGES)
def test_players_in_six_languages(language: str, command: str, tmp_path: Path) -> None:
    """Each example plays whole games as o and as x, and is short."""
    program = "python3" if language == "python" else language
    if language == "cc":
        subprocess.run([installed("cc"), "-O2", "-o", tmp_path / "minimax", EXAMPLES / "minimax.c"], check=True)
        command = command.replace("{minimax}", str(tmp_path / "minimax"))
    elif language != "python":
        installed(program)
    for x, o in (("random:seed=1", f"program:{command}"), (f"program:{command}", "random:seed=2")):
        result = played(x, o)
        assert result.fault is None, result.why
        assert "minimax" not in command.lower() or result.utility != (1 if o.startswith("program") else -1)
    assert all(len(file.read_text(encoding="utf-8").splitlines()) < 80 for file in EXAMPLES.iterdir())


def test_a_prolog_player_in_another_game() -> None:
    """Ultimate's [Board,Cell], over a socket, to the end."""
    installed("swipl")
    command = f"program:swipl {EXAMPLES / 'ultimate.pl'} {{host}} {{port}} {{side}} {{first}}"
    for x, o in (("random:seed=3", command), (command, "random:seed=3")):
        result = played(x, o, "ultimate:send=false")
        assert result.fault is None and result.utility is not None, result.why


def test_a_prolog_that_was_written_for_a_connector(tmp_path: Path) -> None:
    """Unchanged: it calls the machine's own name at a fixed port the moment it starts, and never again."""
    installed("swipl")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    file = tmp_path / "ttt.pl"
    file.write_text(CALLING_PLAYER.replace("PORT", str(port)), encoding="utf-8")
    result = played("random:seed=5", f"program[port={port}]:swipl {file}")
    assert result.fault is None, result.why


def test_games_in_a_row_leave_nothing() -> None:
    """No process, no socket and no thread is left behind by a program that starts another."""
    gc.collect()
    before = len(psutil.Process().children(recursive=True)), len(psutil.Process().net_connections())
    for _ in range(5):
        played("first", f"program:sh -c 'sleep 100 & exec sh {EXAMPLES / 'first.sh'} o x'")
        played("first", f"program:{sys.executable} {EXAMPLES / 'first.py'} o x")
    gc.collect()
    assert (len(psutil.Process().children(recursive=True)), len(psutil.Process().net_connections())) == before


BAD_PLAYERS = [
    ("sleep 100", "it said nothing for"),
    ("true", "it ended with exit code 0"),
    ("echo hello world.", "wrote 'hello world' where its move was due; only moves go"),
    ("echo thinking hard", "exit code 0 after it wrote 'thinking hard', which is no whole message; a move is a line"),
    ("sh -c 'echo thinking hard; sleep 100'", "but 'thinking hard', which is no whole message; a move is a line"),
    (
        "sh -c 'echo thinking hard; echo 1,1; sleep 100'",
        "but 'thinking hard', '1,1', which is no whole message: its first line, 'thinking hard', is no move; a move is",
    ),
    ("sh -c 'echo thinking hard; echo 1,1.'", "where its move was due: its first line, 'thinking hard', is no move;"),
    ("sh -c 'echo what a mess >&2; exit 3'", "it ended with exit code 3; its last words: what a mess"),
    ("sh -c 'kill -9 $$'", "it was ended by signal 9"),
    ("sh -c 'exec 1>&-; sleep 100'", "its output has ended, though it still runs"),
    ("sh -c 'echo thinking; sleep 0.2; echo 1,1; sleep 100'", "'thinking', is no move"),
    ("sh -c 'echo \"result(1,won).\"; sleep 100'", "it wrote the message result where its move was due"),
    ("sh -c 'echo \"hello(ann).\"; sleep 100'", "it said nothing for"),
    (f"{sys.executable} -c 'int(chr(120))'", "last words: ValueError: invalid literal"),
    ("head -c 1000000 /dev/zero", "bytes at most"),
]
"""What goes wrong, as a player's second move, and what is said of it."""


@pytest.mark.parametrize("command", ["sh -c 'exit 3'", "sh -c 'echo no >&2'", "sh -c 'exit 3' {port}"])
def test_a_port_is_guessed_only_where_nothing_else_is_known(command: str) -> None:
    """An exit code and last words say more; without either the program may call a Connector at a port of its own."""
    with pytest.raises(Unable, match=r"exit code 3|last words: no") as fault:
        played("first", f"program:{command}")
    assert "it calls" not in str(fault.value)
    with pytest.raises(Unable, match=r"exit code 0.*if it calls a Connector by itself"):
        played("first", "program:true")


@pytest.mark.skipif(sys.platform == "win32", reason="these commands are a POSIX system's")
@pytest.mark.parametrize(("command", "said"), BAD_PLAYERS)
def test_a_bad_program_loses(command: str, said: str, tmp_path: Path) -> None:
    """Silent, ended or unreadable: it loses at once, and the reason says what it did. Before its first move,
    nobody knows whether it was started as it should be, so nobody has lost.
    """
    hangs = "sleep" in command
    with pytest.raises(Unable) as fault:
        played("first", f"program[timeout={0.5 if hangs else LIMIT}]:{command}")
    assert said in str(fault.value), fault.value
    file = tmp_path / "player.sh"
    file.write_text(f"read move; echo 2,1; read move; exec {command}\n", encoding="utf-8")
    result = played("first", f"program[timeout={5 if hangs else LIMIT}]:sh {file}")
    assert (result.utility, result.fault) == (1, 1) and said in result.why, result.why


def test_an_illegal_move_loses() -> None:
    """Also the first one: it is a move, and its own."""
    result = played("first", "program:echo '(9,9).'")
    assert (result.utility, result.fault) == (1, 1) and "illegal move: " in result.why and "not a cell" in result.why


@pytest.mark.skipif(sys.platform == "win32", reason="these commands are a POSIX system's")
def test_what_was_written_too_early_or_too_late_is_told() -> None:
    """Two moves at once, of which the second is not legal; a line of prose beside a move, each line quoted by itself; a
    move that is written only when the input ends."""
    result = played("first", "program:sh -c 'read move; printf \"2,2\\n2,2\\n\"; sleep 100'")
    assert result.ending is Ending.ILLEGAL and "written two moves at once: this is the second" in result.why
    chatty = "read move; echo 2,2; echo fine; read move; echo 3,3; sleep 100"
    result = played("first", f"program[timeout=5]:sh -c '{chatty}'")
    assert result.ending is Ending.UNREADABLE and "but 'fine', '3,3', which is no whole message" in result.why
    with pytest.raises(Unable, match="when its input was closed it wrote '2,2': it is to read a line"):
        played("first", "program[timeout=0.5]:sh -c 'cat >/dev/null; echo 2,2'")


def test_what_a_java_said_last(tmp_path: Path) -> None:
    """The exception, not the last place of its trace."""
    file = tmp_path / "Bad.java"
    file.write_text(
        "class Bad { public static void main(String[] words) throws Exception {"
        ' System.in.read(); throw new IllegalStateException("no idea"); } }',
        encoding="utf-8",
    )
    with pytest.raises(Unable, match="IllegalStateException: no idea"):
        played("first", f"program:{installed('java')} {file}")


def test_what_is_no_players_fault_loses_no_game(tmp_path: Path) -> None:
    """A port that is taken, a program that is not there, one that never connects: raised, whoever sits where."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        busy = f"program[port={taken.getsockname()[1]}]:{sys.executable}"
        specs = [(busy, "cannot be listened on"), ("program:/nowhere/at/all", "cannot be started: No such file")]
        specs += [("program[start=0.2]:sleep 100 {port}", "did not connect"), ("program:false {port}", "exit code 1")]
        for spec, said in specs:
            for seats in ((spec, "first"), ("first", spec)):
                with pytest.raises(Unable, match=said):
                    played(*seats)


def test_a_clock_runs_for_a_program_too() -> None:
    """Silence until the clock is used up loses on time."""
    players = pg.player_named("program:sleep 100"), pg.player_named("first")
    result = pg.play_match(TICTACTOE, players, clock=0.2)
    assert result.fault == 0 and "loses on time" in result.why
    players[0].close()


@pytest.mark.parametrize(
    "spec",
    [
        "program:",
        "program:/nowhere/at/all",
        "connect:localhost",
        "listen:x",
        "program[speed=1]:true",
        "program[protocol=morse]:true",
    ],
)
def test_bad_specs(spec: str) -> None:
    """Refused in a sentence when named or when started; so is a peer that nobody answers for."""
    with pytest.raises(pg.BadInput):
        player = pg.player_named(spec)
        player.choose(TICTACTOE, None)
    with pytest.raises(Unable, match="no program listens"):
        played("connect[start=0.2]:localhost:1", "first")


CALLS = "import socket, sys; call = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); call.recv(1)"


def test_the_first_who_calls_is_not_taken_for_the_program() -> None:
    """A call of another process is left alone, also where one program is waited for."""
    with listening_port(["127.0.0.1"], 0) as opened, socket.create_connection(opened.address) as stranger:
        program = Program(f'{sys.executable} -c "{CALLS}" {opened.address[1]}', {}, piped=False)
        with closing(program), opened.await_program(program, LIMIT) as call:
            assert call.getpeername() != stranger.getsockname()


def test_wire_check_names_what_is_wrong() -> None:
    """A good player keeps every part; one that cannot read comments fails there, with the bytes both ways. Who does
    not know a position may play all the same.
    """
    good = pg.player_named(f"program[timeout=3]:{sys.executable} {EXAMPLES / 'first.py'} o x")
    assert isinstance(good, External)
    steps = {step.name: step for step in check(good, TICTACTOE)}
    assert steps["answers (1,1). and a new line"].ok and steps["plays a whole game"].ok
    split = steps["answers with blanks and lines inside the term"]  # it reads line by line
    assert not split.ok and {way for way, _ in split.wire} == {"→"}
    assert steps["knows position"].ok and steps["knows position"].said == "it played 1,1 in .../.../..x:o."
    deaf = pg.player_named(f"program[timeout=1]:sh {EXAMPLES / 'first.sh'} o x")
    assert isinstance(deaf, External)
    last = [*check(deaf, TICTACTOE)][-1]
    assert (last.name, last.ok, last.needed) == ("knows position", False, False) and "started anew" in last.said
