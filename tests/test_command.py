"""The command around its verbs: its version, its help, completion in shells, and Ctrl-C at its very start."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from commanding import ran
from typer.core import TyperCommand
from typer.main import get_command

import plyground as pg
from plyground.players import PLAYERS
from plyground.terminal.main import command_line

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
