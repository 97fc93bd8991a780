"""What listens: the operating system is asked, and SECURITY.md has it; who has no certificate gets into no worker."""

import re
import select
import socket
import ssl
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
from plyground.workers.cluster import Cluster

pytestmark = pytest.mark.process
TEXT = (Path(__file__).resolve().parent.parent / "SECURITY.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.*?) \| (.*?) \|", TEXT.partition("\n## What listens")[2].partition("\n## ")[0], re.MULTILINE)
PLACE = re.compile("`(.+?)`((?: if that is loopback)?)")
TABLE = {opener: set(PLACE.findall(row[1])) for row in ROWS for opener in re.findall("`(.+?)`", row[0])}
"""The addresses of each row, each with its condition, by each command or player that opens them."""
ASKED = "0.0.0.0"
"""What tests write for ADDRESS."""
JOBS = ["--jobs", "2"]
COMMANDS: dict[str, tuple[list[str], int]] = {
    "plyground connector": (["connector", "--port", "0"], 1),
    "plyground connector --host ADDRESS": (["connector", "--port", "0", "--host", ASKED], 1),
    "plyground arena": (["arena", "tictactoe", "a=random", "b=random", "--games", "100000", *JOBS], 3),
    "plyground label": (["label", "positions", "--game", "connectfour:5,5", "--out", "values.csv", *JOBS], 3),
    "plyground solve --jobs N": (["solve", "connectfour:5,5", *JOBS], 3),
    "plyground verify --jobs N": (["verify", "--cost", "minutes", *JOBS], 3),
    "listen:PORT": (["play", "tictactoe", "--o", "first", "--x", "listen:PORT"], 1),
    "listen[host=ADDRESS]:PORT": (["play", "tictactoe", "--o", "first", "--x", f"listen[host={ASKED}]:PORT"], 1),
    "plyground fleet FOLDER": (["fleet", ".", "--port", "PORT"], 1),
    "program:COMMAND {port}": (["play", "tictactoe", "--o", "first", "--x", "program:PYTHON waits.py {port}"], 1),
    "program[port=PORT]:COMMAND": (
        ["play", "tictactoe", "--o", "first", "--x", "program[port=PORT]:PYTHON waits.py"],
        1,
    ),
}
"""What opens ports, and how many at least; PORT and PYTHON are filled in."""
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
    [
        pytest.param(opener, marks=pytest.mark.cluster if "--jobs" in words else ())
        for opener, (words, _) in COMMANDS.items()
    ],
)
def test_a_command_listens_where_the_table_says(opener: str, tmp_path: Path) -> None:
    """As many ports as there should be, and all of them there."""
    words, number = COMMANDS[opener]
    with running(words, tmp_path) as process, watched(process.pid) as seen:
        until(lambda: len(seen) >= number or process.poll() is not None)
        assert process.poll() is None and len(seen) >= number
    assert {host for host, _ in seen} <= allowed(opener)
    if number > 1:
        assert len(seen) == number  # Dask would open another for HTTP in each process


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


# -- who gets in -------------------------------------------------------------------------------------------------------


def is_let_in(address: tuple[str, int], certificate: Path) -> bool:
    """Whether Dask accepts a client certificate: it sends the first message once the handshake has succeeded.

    Raises:
        ssl.SSLError: what listens there does not speak TLS.
    """
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.load_cert_chain(certificate)
    with socket.create_connection(address, LIMIT) as plain, context.wrap_socket(plain) as speaking:
        try:
            return bool(speaking.recv(1))
        except OSError:
            return False


@pytest.mark.cluster
def test_only_the_certificate_of_the_run_is_let_in(tmp_path: Path) -> None:
    """At the scheduler and each worker; its key is in no command, no environment and no file that others can read."""
    from distributed import Security

    me = psutil.Process().pid
    before = listening(me)
    with Cluster(jobs=1, here=False) as cluster:
        assert cluster._local and cluster._local.client
        until(cluster.workers)
        ours, other = cluster._local.client.security, Security.temporary()
        files = [tmp_path / "ours.pem", tmp_path / "other.pem"]
        for file, each in zip(files, (ours, other), strict=True):
            file.write_text(each.tls_client_key + each.tls_client_cert, encoding="utf-8")
        ports = listening(me) - before
        assert len(ports) == 2
        assert [[is_let_in(each, file) for file in files] for each in ports] == [[True, False]] * 2
        secret = ours.tls_client_key.splitlines()[1]
        for process in tree(me)[1:]:
            assert secret not in " ".join([*process.cmdline(), *process.environ().values()])
        folder = cluster._local._folder
        assert sys.platform == "win32" or folder.stat().st_mode & 0o777 == 0o700
        assert not any(secret in file.read_text("utf-8", "replace") for file in folder.rglob("*") if file.is_file())
