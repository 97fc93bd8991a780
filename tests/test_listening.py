"""What listens: the operating system is asked, and SECURITY.md has it."""

import re
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from servers import free_port, serving
from waiting import LIMIT, until

from plyground.wire.hostnames import is_loopback, listening_hosts, own_addresses

pytestmark = pytest.mark.process
TEXT = (Path(__file__).resolve().parent.parent / "SECURITY.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.*?) \| (.*?) \|", TEXT.partition("\n## What listens")[2].partition("\n## ")[0], re.MULTILINE)
PLACE = re.compile("`(.+?)`((?: if that is loopback)?)")
TABLE = {opener: set(PLACE.findall(row[1])) for row in ROWS for opener in re.findall("`(.+?)`", row[0])}
"""The addresses of each row, each with its condition, by each command or player that opens them."""
ASKED = "0.0.0.0"
"""What tests write for ADDRESS."""
COMMANDS: dict[str, list[str]] = {
    "plyground connector": ["connector", "--port", "0"],
    "plyground connector --host ADDRESS": ["connector", "--port", "0", "--host", ASKED],
    "listen:PORT": ["play", "tictactoe", "--o", "first", "--x", "listen:PORT"],
    "listen[host=ADDRESS]:PORT": ["play", "tictactoe", "--o", "first", "--x", f"listen[host={ASKED}]:PORT"],
    "plyground fleet FOLDER": ["fleet", ".", "--port", "PORT"],
    "program:COMMAND {port}": ["play", "tictactoe", "--o", "first", "--x", "program:PYTHON waits.py {port}"],
    "program[port=PORT]:COMMAND": ["play", "tictactoe", "--o", "first", "--x", "program[port=PORT]:PYTHON waits.py"],
}
"""Arguments of commands that open a port, by their names in the documents; PORT and PYTHON are filled in."""
WORKER = "plyground.workers.process_worker"
SERVERS = {
    "plyground web": [],
    "plyground web --host ADDRESS": ["--host", ASKED],
    "plyground web --room": ["--room"],
}
Sockets = set[tuple[str, int]]
"""Addresses and ports."""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is compiled, nothing kept; a file of positions, and a program that never connects."""
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    (tmp_path / "positions").write_text("3\n4\n", encoding="utf-8")
    (tmp_path / "waits.py").write_text("import time\ntime.sleep(60)\n", encoding="utf-8")


def tree(pid: int) -> list[psutil.Process]:
    """A process and all that it has started."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []


def listening(pid: int) -> Sockets:
    """Where a process and all that it has started wait for others, by TCP or UDP."""
    found: Sockets = set()
    for process in tree(pid):
        with suppress(psutil.Error):
            for each in process.net_connections("inet"):
                waits = each.status == psutil.CONN_LISTEN or each.type == socket.SOCK_DGRAM
                if waits and each.laddr and not each.raddr:
                    found.add((each.laddr.ip, each.laddr.port))
    return found


@contextmanager
def watched(pid: int) -> Iterator[Sockets]:
    """All that is seen to listen while this goes on."""
    seen: Sockets = set()
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.1):
            seen.update(listening(pid))

    watch = threading.Thread(target=look)
    watch.start()
    try:
        yield seen
    finally:
        over.set()
        watch.join()


@contextmanager
def running(words: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command for a while; then it is killed, with all that it has started."""
    port, python = str(free_port()), sys.executable.replace("\\", "/")
    words = [word.replace("PORT", port).replace("PYTHON", f'"{python}"') for word in words]
    silent = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", *words], cwd=folder, stdin=silent, stdout=silent, stderr=silent
    )
    try:
        yield process
    finally:
        below = tree(process.pid)
        for each in below:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        process.wait(LIMIT)
        assert psutil.wait_procs(below, timeout=LIMIT)[1] == []


def allowed(opener: str) -> set[str]:
    """The addresses that the table has for something that opens ports."""
    meant = {"ADDRESS": {ASKED}, "NAME": set(own_addresses())}
    return {
        each
        for address, condition in TABLE[opener]
        for each in meant.get(address, {address})
        if not condition or is_loopback(each)
    }


@pytest.mark.parametrize("opener", ["plyground connector", "listen:PORT"])
def test_a_name_of_this_machine_is_in_the_table(opener: str) -> None:
    """Where it is loopback, who connects may call this machine by it, so it is listened on."""
    assert set(listening_hosts("localhost")) <= allowed(opener)
    assert ("NAME", " if that is loopback") in TABLE[opener]


def test_the_table_has_what_is_tried() -> None:
    """Whatever is added to one is added to the other."""
    assert TABLE.keys() == COMMANDS.keys() | SERVERS.keys()


@pytest.mark.parametrize(
    "opener",
    COMMANDS,
)
def test_a_command_listens_where_the_table_says(opener: str, tmp_path: Path) -> None:
    """It opens a port, and all that it opens are there."""
    with running(COMMANDS[opener], tmp_path) as process, watched(process.pid) as seen:
        until(lambda: seen or process.poll() is not None)
        assert process.poll() is None and seen
    assert {host for host, _ in seen} <= allowed(opener)


@pytest.mark.parametrize("opener", SERVERS)
def test_the_server_listens_where_the_table_says(opener: str, tmp_path: Path) -> None:
    """One port; that of one server also while a worker replies and a lesson's example runs."""
    with serving(f"sqlite:///{tmp_path / 'games.db'}", *SERVERS[opener]) as server:
        with watched(server.process.pid) as seen:
            until(lambda: seen)
            if opener == "plyground web":
                server.ask("reply", game="tictactoe", player="alphabeta:depth=2")
                server.ask("lesson_run", lesson="2-minimax", number=1)
        assert {host for host, _ in seen} <= allowed(opener)
        assert {port for _, port in seen} == {server.port}


@pytest.mark.parametrize(
    "words",
    [
        ["join", "127.0.0.1:PORT", "--player", "first"],
        ["play", "tictactoe", "--x", "connect:127.0.0.1:PORT", "--o", "first"],
    ],
    ids=["join", "connect"],
)
def test_who_connects_listens_nowhere(words: list[str], tmp_path: Path) -> None:
    """From its start until it has connected and is left alone."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = [word.replace("PORT", str(server.getsockname()[1])) for word in words]
        with running(words, tmp_path) as process, watched(process.pid) as seen:
            until(lambda: select.select([server], [], [], 0)[0] or process.poll() is not None)
            assert process.poll() is None
            server.accept()[0].close()
            process.wait(LIMIT)
        assert not seen


@pytest.mark.cluster
@pytest.mark.parametrize(
    "words",
    [
        ["arena", "tictactoe", "a=random", "b=random", "--games", "100000"],
        ["label", "positions", "--game", "connectfour:5,5", "--out", "values.csv"],
        ["solve", "connectfour:5,5"],
        ["verify", "--cost", "minutes"],
    ],
    ids=lambda words: words[0],
)
def test_processes_of_this_machine_listen_nowhere(words: list[str], tmp_path: Path) -> None:
    """From the command's start until two processes are at work; what they are sent is in no command."""
    with running([*words, "--jobs", "2"], tmp_path) as process, watched(process.pid) as seen:
        until(lambda: len(busy(process.pid)) == 2 or process.poll() is not None)
        assert [each.cmdline()[1:] for each in busy(process.pid)] == 2 * [["-P", "-m", WORKER]]
    assert not seen


def busy(pid: int) -> list[psutil.Process]:
    """The worker processes of a command that have used a second of CPU time."""
    found = [each for each in tree(pid) if WORKER in each.cmdline()]
    return [each for each in found if sum(each.cpu_times()[:2]) > 1]
