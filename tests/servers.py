"""A real server process for tests, and how to talk to it."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import psutil
from waiting import LIMIT, until
from websockets.sync.client import ClientConnection, connect

Answer = dict[str, Any]  # JSON


class Server:
    """A server process and how to talk to it."""

    def __init__(self, database: str, *words: str, port: int = 0) -> None:
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", str(self.port), "--database"]
        self.process = subprocess.Popen([*command, database, *words], stdout=subprocess.PIPE, encoding="utf-8")
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        """What the terminal says before it serves."""
        assert "playground is at" in self.said
        if "--room" in words:
            while "teacher=" not in self.said:
                self.said += self.process.stdout.readline()
        self.http = httpx.Client(base_url=self.address, timeout=LIMIT)
        until(self._answers)

    def _answers(self) -> bool:
        try:
            return self.http.get("/").status_code == 200
        except httpx.TransportError:
            return False

    def ask(self, op: str, status: int = 200, **args: object) -> Answer:
        """One operation over HTTP."""
        answer = self.http.post(f"/api/{op}", json=args)
        assert answer.status_code == status, (op, answer.status_code, answer.text)
        said: Answer = answer.json()
        return said

    def socket(self) -> ClientConnection:
        """A WebSocket."""
        return connect(f"ws://127.0.0.1:{self.port}/api/socket", open_timeout=LIMIT, ping_timeout=LIMIT)

    def workers(self) -> list[psutil.Process]:
        """The processes that think."""
        lines = dict[psutil.Process, str]()
        for child in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.Error):  # it has just ended, and may not have been waited for
                lines[child] = " ".join(child.cmdline())
        forking = [child for child, line in lines.items() if "multiprocessing.forkserver" in line]
        forked = [child for child in forking if child.parent() in forking]
        return forked or [child for child, line in lines.items() if "spawn_main" in line]

    def end(self) -> None:
        """Ctrl-C, and everything is gone."""
        workers = self.workers() if self.process.poll() is None else []
        self.http.close()
        if sys.platform == "win32":  # no Ctrl-C for one child there
            self.process.terminate()
        else:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(LIMIT)
        assert self.process.stdout is not None
        self.process.stdout.close()
        assert psutil.wait_procs(workers, timeout=LIMIT)[1] == []


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(database: str, *words: str) -> Iterator[Server]:
    """A server for a while."""
    server = Server(database, *words)
    try:
        yield server
    finally:
        server.end()


def play_a_game(server: Server) -> tuple[Answer, list[str]]:
    """A new tic-tac-toe between two people, three plies in."""
    game = server.ask("create", game="tictactoe")
    moves = ["b2", "a1", "c3"]
    for ply, move in enumerate(moves, start=1):
        server.ask("play", id=game["id"], seat=game["seats"]["xo"[(ply + 1) % 2]], ply=ply, move=move)
    return game, moves
