"""The command around its verbs: its version, its help, completion in shells, and Ctrl-C at its very start."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import pytest
from commanding import ran
from processes import started
from typer.core import TyperCommand
from typer.main import get_command

import plyground as pg
from plyground.players import PLAYERS
from plyground.terminal.board import UNBROKEN
from plyground.terminal.main import command_line, main

VERBS: dict[str, TyperCommand] = get_command(command_line()).commands  # type: ignore[attr-defined]
COMMAND = [sys.executable, "-c", "from plyground.__main__ import main; main()"]
"""What the installed script does."""


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a process."""
    environment = os.environ | {"PYTHONUTF8": "1", **environment}
    return subprocess.run([*COMMAND, *words], env=environment, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.process
def test_the_version() -> None:
    """It is the installed one, in one line."""
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"plyground {version('plyground')}\n")


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_h_is_help(verb: str) -> None:
    """For every verb."""
    short, long = (ran([*filter(None, [verb]), option]) for option in ("-h", "--help"))
    assert (short.exit_code, short.stdout) == (0, long.stdout) and "-h, --help" in short.stdout


@pytest.mark.process
def test_an_option_behind_the_verb_says_its_place() -> None:
    """--tablebase is of every verb, and stands before it."""
    found = run("solve", "tictactoe", "--tablebase", "folder")
    assert found.returncode == 2 and "--tablebase stands before the verb" in found.stderr


def completed(*words: str) -> set[str]:
    """What bash is told when the last of these words is to be completed."""
    line = " ".join(["plyground", *words])
    told = run(_PLYGROUND_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words)))
    assert told.returncode == 0, told.stderr
    return set(told.stdout.split())


@pytest.mark.process
def test_words_are_completed() -> None:
    """Verbs, options, games and players, by their beginnings."""
    assert completed("wi") == {"wire-check"}
    assert completed("bench", "--j") == {"--json"}
    assert completed("analyse", "k") == {"kalah"}
    games = {choice.name for choice in pg.GAMES if choice.name.startswith("m")}
    assert completed("play", "m") == completed("audit", "m") == games and len(games) > 1
    players = {choice.name for choice in PLAYERS if choice.name.startswith("m")}
    assert completed("play", "tictactoe", "--o", "m") == completed("audit", "tictactoe", "m") == players
    assert len(players) > 1 and {choice.name for choice in pg.GAMES} <= completed("solve", "")


@pytest.mark.process
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell", "pwsh"])
def test_each_shell_has_its_completion(shell: str) -> None:
    """A script to source, which asks the command."""
    done = run(_PLYGROUND_COMPLETE=f"source_{shell}")
    assert done.returncode == 0 and "plyground" in done.stdout and "_PLYGROUND_COMPLETE" in done.stdout


INTERRUPTED = """
import signal, sys
class Press:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Press())
sys.argv = ["plyground", "games"]
"""
AS_SCRIPT = "from plyground.__main__ import main; main()"
AS_MODULE = "import runpy; runpy.run_module('plyground', run_name='__main__', alter_sys=True)"


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "how"),
    [
        *(
            (module, AS_SCRIPT)
            for module in ("plyground.errors", "plyground.rules", "plyground.games.kalah", "plyground.players")
        ),
        *((module, how) for module in ("typer", "plyground.terminal.main") for how in (AS_SCRIPT, AS_MODULE)),
    ],
)
def test_ctrl_c_while_it_is_still_being_imported(module: str, how: str, tmp_path: Path) -> None:
    """The signal comes when a module is looked for: one line, code 130, no traceback, and nothing is done."""
    words = [sys.executable, "-c", INTERRUPTED.format(module=module) + how]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "plyground: stopped.\n")


@pytest.mark.parametrize("words", [["help"], ["help", "search"], ["help", "wire-check"]])
def test_help_is_a_verb(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`help VERB` prints the output of `VERB --help`."""
    said = []
    for each in (words, [*words[1:], "--help"]):
        monkeypatch.setattr(sys, "argv", ["plyground", *each])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != ""


@pytest.mark.parametrize("columns", [40, 80])
def test_help_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is wider, no sentence is cut and no word broken: not of the list of verbs, and of no verb's options."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for verb in ("", *VERBS):
        lines = ran([*filter(None, [verb]), "--help"]).stdout.splitlines()
        assert [line for line in lines if len(line) > columns] == [], verb
        said = " ".join(" ".join(lines).split())
        sentences = (
            [getattr(each, "help", None) for each in VERBS[verb].params]
            if verb
            else [each.help for each in VERBS.values()]
        )
        for sentence in filter(None, sentences):
            assert " ".join(sentence.partition("\n\n")[0].split()) in said, verb


SPOKEN = [
    ("games", ""),
    ("games ultimate", ""),
    ("base tictactoe --in nowhere", ""),
    ("play tictactoe", "b1\nfoo\nhint\nhelp\nquit\n"),
    ("play --resume", "quit\n"),
    ("play gomoku", "quit\n"),
    ("play hex:11", "quit\n"),
    ("play ultimate --position e5", "quit\n"),
    ("play kalah", "quit\n"),
    ("replay game.txt --game draughts", ""),
    ("analyse domineering:4,4", ""),
    ("search tictactoe --nodes 9000", ""),
    ("perft tictactoe 2", ""),
    ("review tictactoe 'b1 b2 a1 c1 a2 a3' --all", ""),
    ("review tictactoe 'b1 b2 a1 c1 a2 a3' --retry x", "a1\nb3\n"),
    ("tree tictactoe 'b2 a1' --depth 2 --why 'a2 b1'", ""),
    ("compare tictactoe 'b2 a1' --depth 1..2", ""),
    ("quiz tictactoe --count 1", "nonsense\n1\n"),
    ("solve tictactoe", ""),
    ("book tictactoe --plies 1 --out book", ""),
    ("verify --only nim", ""),
    ("tablebase nim --out tables", ""),
    ("label positions.txt --game tictactoe --out labels.csv", ""),
    ("learn tictactoe --games 2 --test 0 --out file.weights", ""),
    ("audit tictactoe first", ""),
    ("grade search.py", ""),
    ("gradebook marks.csv", ""),
    ("gradebook marks.csv --roster marks.csv", ""),
    ("arena nim first random --games 2 --database sqlite:///arena.db", ""),
    ("join 127.0.0.1:1", ""),
    ("wire-check nowhere", ""),
    ("check nim --games 1", ""),
    ("publish chess --list", ""),
    ("play chesss", ""),
    ("analyse chess 'e4 e9'", ""),
    ("search tictactoe --dept 3", ""),
    ("fleet nowhere", ""),
    ("web --port 99999999", ""),
    ("connector --port 99999999", ""),
    ("bot connectfour --time -1", ""),
]
"""Commands, and what a person answers: each verb that prints sentences for people, and wrong input."""
WITHOUT_SENTENCES = {"uci", "ugi", "gtp", "gomocup", "kgp", "compile", "bench"}
"""Verbs whose lines are of a protocol, or code; and one that takes minutes."""
TYPIST = """
import io, json, os, shlex, sys
from plyground.terminal.main import main
for line, typed in json.loads(sys.argv[1]):
    print("#", line, flush=True)
    sys.argv, sys.stdin = ["plyground", *shlex.split(line)], io.StringIO(typed)
    sys.stdin.isatty = lambda: True
    try:
        main()
    except SystemExit:
        pass
"""


def test_every_verb_is_spoken() -> None:
    """A new verb has a command below."""
    assert {line.split()[0] for line, _ in SPOKEN} | WITHOUT_SENTENCES == set(VERBS)


@pytest.mark.process
@pytest.mark.only_on("linux", "darwin")
@pytest.mark.parametrize("columns", [40, 80])
def test_sentences_fit_the_terminal(columns: int, tmp_path: Path) -> None:
    """In a terminal so wide no line is wider, but trees, commands to copy, and words longer than it."""
    (tmp_path / "game.txt").write_text("1. 11-15 23-19\n", encoding="utf-8")
    (tmp_path / "positions.txt").write_text("b2\n", encoding="utf-8")
    (tmp_path / "search.py").write_text(
        "def search(game, state, depth, observer):\n    return 0, -1\n", encoding="utf-8"
    )
    (tmp_path / "marks.csv").write_text("student,item,points,possible,reason\nann,search,9,10,late\n", encoding="utf-8")
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    environment |= {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    terminal, end = os.openpty()
    with started(
        [sys.executable, "-c", TYPIST, json.dumps(SPOKEN)], stdout=end, stderr=end, cwd=tmp_path, env=environment
    ):
        os.close(end)
        said = b""
        with suppress(OSError):  # Linux says so where the other end is closed
            while more := os.read(terminal, 1 << 16):
                said += more
        os.close(terminal)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[^\n]*\r(?!\n)", "", said.decode().replace("\r\n", "\n"))
    lines = [re.sub(r"^[\w ,]+> ", "", line) for line in shown.splitlines()]  # the answer to a prompt is not shown
    long = [line for line in lines if len(line.rstrip()) > columns and " " in line.strip()]
    wide = [line for line in long if not line.startswith("# ") and not UNBROKEN.match(line)]
    assert not wide, "\n".join(wide)
    assert "# bot" in shown and "Traceback" not in shown
