"""No program outlives what it was started for, however plyground ends and whatever the program does."""

import asyncio
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from programs import EXAMPLES, played
from servers import Server, free_port
from waiting import LIMIT, until

from plyground.play.game_file import read_game
from plyground.sandbox.bubblewrap import PROGRAMS_VARIABLE
from plyground.sandbox.sandbox import NICENESS, Sandbox, Supervisor
from plyground.web.lessons.examples import Command
from plyground.web.lessons.runner import LessonRunner
from plyground.workers.fair_queue import Asker

pytestmark = [pytest.mark.process, pytest.mark.only_on("linux")]  # elsewhere orphans are out of reach

STUBBORN = """
import os, signal, sys, time
folder, then = sys.argv[1], sys.argv[2:]

def tell(name):
    with open(f"{folder}/{name}.new", "w") as file:
        file.write(str(os.getpid()))
    os.rename(f"{folder}/{name}.new", f"{folder}/{name}")

tell("program")
for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(each, signal.SIG_IGN)
if not os.fork():  # a daemon: its parent and its session have gone, its environment is empty, it holds the output
    os.setsid()
    if os.fork():
        os._exit(0)
    tell("daemon")
    os.execve("/bin/sleep", ["sleep", "600"], {})
while not os.path.exists(f"{folder}/daemon"):
    time.sleep(0.01)
if then:
    os.execv(sys.executable, [sys.executable, *then])
time.sleep(600)
"""
"""A program that starts a daemon, and then either becomes a player or hangs, and ends by no signal but SIGKILL."""


class Stubborn:
    """A program that starts a daemon, and the processes that they are, by the numbers that they write down."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._script = folder, folder / "stubborn.py"
        self._script.write_text(STUBBORN, encoding="utf-8")

    def spec(self, *then: object) -> str:
        """The player that it is."""
        return f"program[timeout=300,start=300]:{' '.join(map(str, self.words(*then)))}"

    def words(self, *then: object) -> list[str]:
        """Its command."""
        return [sys.executable, str(self._script), str(self._folder), *map(str, then)]

    def began(self) -> list[int]:
        """Both processes, once they have begun."""
        files = [self._folder / name for name in ("program", "daemon")]
        return [int(file.read_text()) for file in files] if all(file.exists() for file in files) else []

    def is_gone(self) -> bool:
        """Whether nothing of it is left."""
        return not any(map(is_alive, self.began()))


def is_alive(number: int) -> bool:
    """Whether a process runs: one that has ended may still wait to be seen by its parent."""
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def stubborn(tmp_path: Path) -> Iterator[Stubborn]:
    """A stubborn program."""
    program = Stubborn(tmp_path)
    yield program
    for number in filter(is_alive, program.began()):
        psutil.Process(number).kill()


def command(*words: object, start_new_session: bool = False) -> subprocess.Popen[str]:
    """A command of ours."""
    return subprocess.Popen(
        [sys.executable, "-m", "plyground", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=start_new_session,
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda each: each.name)
def test_a_game_that_is_killed_leaves_no_program(number: signal.Signals, stubborn: Stubborn, tmp_path: Path) -> None:
    """Neither a hung one nor its daemon; and what can end in order says so, and keeps the game."""
    kept = tmp_path / "game.jsonl"
    with command("play", "tictactoe", "--x", "first", "--o", stubborn.spec(), "--keep", kept) as game:
        try:
            until(stubborn.began)
        finally:
            game.send_signal(number)
        said = game.communicate(timeout=LIMIT)[1]
    until(stubborn.is_gone)
    assert len(read_game(kept).position.moves) == 1
    if number != signal.SIGKILL:
        assert (game.returncode, said.splitlines()[-1:]) == (128 + number, [f"plyground: stopped by {number.name}."])


def test_closing_the_terminal_ends_a_game_and_its_program(stubborn: Stubborn) -> None:
    """Also where it can be told no more."""
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "plyground", "play", "tictactoe", "--x", "first", "--o", stubborn.spec()]
    alone = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", alone, *words], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as game:
        os.close(theirs)
        try:
            until(stubborn.began)
        finally:
            os.close(ours)
        assert game.wait(LIMIT) == 128 + signal.SIGHUP
    until(stubborn.is_gone)


def test_the_end_of_a_game_ends_a_daemon(stubborn: Stubborn) -> None:
    """It is gone when the players are closed, though it holds the program's output; and the game is an ordinary one."""
    result = played("first", stubborn.spec(EXAMPLES / "first.py", "o", "x"))
    assert result.fault is None and result.utility is not None, result.why
    assert stubborn.began() and stubborn.is_gone()


def test_an_arena_that_is_killed_leaves_no_program(stubborn: Stubborn, tmp_path: Path) -> None:
    """Its worker processes start them, and go with the process that wanted them."""
    database = f"sqlite:///{tmp_path / 'arena.db'}"
    words = ("--games", 2, "--jobs", 1, "--database", database)
    with command("arena", "tictactoe", "first", f"stubborn={stubborn.spec()}", *words) as arena:
        try:
            until(stubborn.began)
        finally:
            arena.kill()
    until(stubborn.is_gone)


def test_a_server_that_is_killed_leaves_no_program(
    stubborn: Stubborn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that a page has asked goes with the server, also one that is not confined, and may write anywhere; and
    so does the folder of the workers' socket."""
    monkeypatch.setenv(PROGRAMS_VARIABLE, "open")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    server = Server(f"sqlite:///{tmp_path / 'games.db'}", "--player", f"student={stubborn.spec()}")

    def ask() -> None:
        with suppress(httpx.HTTPError):
            server.ask("reply", game="tictactoe", moves=["b2"], player="student")

    page = threading.Thread(target=ask)
    page.start()
    try:
        until(stubborn.began)
    finally:
        server.process.kill()
        page.join(LIMIT)
        server.end()
    until(stubborn.is_gone)
    until(lambda: not [*temporary.glob("pymp-*")])


def test_a_server_that_is_ended_by_ctrl_c_says_so_alone(tmp_path: Path) -> None:
    """A terminal sends the interrupt to all its processes; none of them prints a traceback."""
    port = free_port()
    words = ("web", "--no-browser", "--port", port, "--database", f"sqlite:///{tmp_path / 'games.db'}")
    with command(*words, start_new_session=True) as server:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LIMIT) as http:

                def replies() -> bool:
                    with suppress(httpx.TransportError):
                        asked = {"game": "tictactoe", "moves": ["b2"], "player": "first"}
                        return http.post("/api/reply", json=asked).status_code == 200
                    return False

                until(replies)
            os.killpg(server.pid, signal.SIGINT)
            said = server.communicate(timeout=LIMIT)
        finally:
            server.kill()
    assert "stopped" in said[1] and "Traceback" not in said[1]


def test_a_lessons_example_leaves_nothing_and_waits_for_no_daemon(stubborn: Stubborn) -> None:
    """It is done when its own process is."""

    class Script(Command):
        run = stubborn.words("-c", "print(1)")[1:]

    async def run() -> list[str]:
        return [part.standing async for part in LessonRunner().run(Script(1, "plyground script", ()), {}, Asker())]

    assert asyncio.run(asyncio.wait_for(run(), LIMIT))[-1] == "Done."
    assert stubborn.began() and stubborn.is_gone()


def test_a_gentle_program_is_gentle_from_its_first_moment_on() -> None:
    """Nobody has to change that when it may have begun already."""
    said = []
    for gentle in (False, True):
        supervisor = Supervisor([sys.executable, "-c", "import os; print(os.nice(0))"], gentle=gentle)
        started = partial(subprocess.Popen, supervisor.command, stdout=subprocess.PIPE, **supervisor.options)
        with closing(supervisor), started() as process:
            said.append(int(process.communicate(timeout=LIMIT)[0]))
    assert said == [os.nice(0), min(os.nice(0) + NICENESS, 19)]


@pytest.fixture
def supervised() -> Iterator[Callable[..., Sandbox]]:
    """Starts programs, which end with the test."""
    begun: list[Sandbox] = []

    def start(*words: str, **options: Any) -> Sandbox:
        begun.append(Sandbox(words, **options))
        return begun[-1]

    yield start
    for each in begun:
        each.end()


SIGNALS = "TERM HUP INT QUIT USR1 ALRM CHLD"


def test_a_supervisor_cannot_be_ended_by_signals(supervised: Callable[..., Sandbox]) -> None:
    """Its program's exit code comes through, and what that leaves behind ends."""
    kills = "".join(f"kill -{name} $PPID; " for name in SIGNALS.split())
    program = supervised("sh", "-c", f"{kills} sleep 600 & exit 3")
    assert program.wait(LIMIT) and program.exit_code == 3
    (left,) = until(program.tree)
    program.end()
    assert not is_alive(left.pid)


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL], ids=lambda each: each.name)
def test_a_program_that_stops_or_kills_its_supervisor_ends(
    number: signal.Signals, supervised: Callable[..., Sandbox]
) -> None:
    """With it, or when it is asked to."""
    program = supervised("sh", "-c", "read line; kill -$line $PPID; exec sleep 600", stdin=subprocess.PIPE)
    (process,) = program.tree()
    assert program.process.stdin
    with program.process.stdin as entry:
        entry.write(number.name.removeprefix("SIG").encode() + b"\n")
    until(lambda: not is_alive(process.pid) if number == signal.SIGKILL else is_stopped(program))
    program.end()
    assert not is_alive(process.pid) and program.exit_code == -signal.SIGKILL


def is_stopped(program: Sandbox) -> bool:
    """Whether its supervisor is."""
    stopped: bool = psutil.Process(program.process.pid).status() == psutil.STATUS_STOPPED
    return stopped


COMET = """
import os
while True:
    if os.fork():
        os._exit(0)
    os.setsid()
"""


def test_a_daemon_that_is_never_the_same_process_ends(supervised: Callable[..., Sandbox]) -> None:
    """Each lives only to start the next one."""
    program = supervised(sys.executable, "-I", "-S", "-c", COMET)
    assert program.wait(LIMIT) and program.exit_code == 0
    assert is_alive(program.process.pid)  # the supervisor, for there is something left
    program.end()
    assert not is_alive(program.process.pid)


def test_a_program_has_three_files_open_and_leads_its_session(supervised: Callable[..., Sandbox]) -> None:
    """What it sends to its process group reaches itself alone, and no socket of ours is left to it."""
    program = supervised("sh", "-c", "ls /proc/$$/fd; kill -KILL 0", stdout=subprocess.PIPE)
    assert program.process.stdout
    with program.process.stdout as output:
        assert output.read().split() == [b"0", b"1", b"2"]
    assert program.wait(LIMIT) and program.exit_code == -signal.SIGKILL
