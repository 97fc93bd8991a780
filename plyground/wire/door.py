"""A port of ours that programs call. Several may call the same fixed port at once: one socket listens for all of them,
and each call is handed to the program whose process made it.
"""

import contextlib
import errno
import selectors
import socket
import sys
import threading
import time
from collections.abc import Iterator

import psutil

from plyground.play.referee import Unable
from plyground.wire.here import is_here
from plyground.wire.peer import Gone, Program, Silent

PATIENCE = 1.0
"""Seconds that a taken port is tried again: another of our own processes may be done with it by then."""
LOOK = 0.02
"""Seconds between looks at who has called, and whether the program still runs."""


class Door:
    """Sockets that listen at one port, and the calls that nobody has taken yet."""

    def __init__(self, hosts: list[str], port: int) -> None:
        self._listening: list[socket.socket] = []
        try:
            for host in hosts:
                self._listening.append(_listen(host, port))
        except Unable:
            self.close()
            raise
        self.address: tuple[str, int] = self._listening[0].getsockname()
        """Where to call."""
        self.users = 0
        self._calls: list[socket.socket] = []
        self._lock = threading.Lock()

    def call_of(self, program: Program, seconds: float) -> socket.socket:
        """The connection that a program makes.

        Raises:
            Silent: it makes none in `seconds`.
            Gone: it ended before it made one.
        """
        return self._call(program, seconds)

    def call(self, seconds: float) -> socket.socket:
        """The connection that anybody makes.

        Raises:
            Silent: nobody connects in `seconds`.
        """
        return self._call(None, seconds)

    def _call(self, program: Program | None, seconds: float) -> socket.socket:
        until = time.monotonic() + seconds
        while True:
            with self._lock:
                self._answer()
                if call := self._claimed(program):
                    return call
            if program and program.exit_code:  # one that ends well may have left another that connects
                raise Gone(f"it ended with exit code {program.exit_code} before it connected to {self.where}")
            if time.monotonic() >= until:
                raise Silent(f"it did not connect to {self.where} within {seconds:g} s")

    @property
    def where(self) -> str:
        """The address in words."""
        return " or ".join(":".join(map(str, listening.getsockname()[:2])) for listening in self._listening)

    def _answer(self) -> None:
        with selectors.DefaultSelector() as selector:  # not `select`, which knows no file above number 1,023
            for listening in self._listening:
                selector.register(listening, selectors.EVENT_READ, listening)
            self._calls += [key.data.accept()[0] for key, _ in selector.select(LOOK)]

    def _claimed(self, program: Program | None) -> socket.socket | None:
        """The call that this program made; any call, if no program is meant or the system does not say whose it is."""
        made = _calls_of(program) if program and self._calls else None
        for call in list(self._calls):
            origin = _origin(call)
            if program and not is_here(origin[0]):  # a program calls from the machine that it was started on
                self._calls.remove(call)
                call.close()
            elif made is None or origin in made:
                self._calls.remove(call)
                return call
        return None

    def close(self) -> None:
        """Listen no more."""
        for each in [*self._listening, *getattr(self, "_calls", [])]:
            each.close()


_doors: dict[tuple[str, ...], Door] = {}
_registry = threading.Lock()


@contextlib.contextmanager
def door(hosts: list[str], port: int) -> Iterator[Door]:
    """The door at a port, for as long as one waits for a call; at port 0 one of its own.

    Raises:
        Unable: the port is taken, or may not be listened on.
    """
    key = (*hosts, str(port))
    with _registry:
        opened = _doors[key] if port and key in _doors else Door(hosts, port)
        opened.users += 1
        if port:
            _doors[key] = opened
    try:
        yield opened
    finally:
        with _registry:
            opened.users -= 1
            if not opened.users:
                _doors.pop(key, None)
                opened.close()


def _calls_of(program: Program) -> set[tuple[str, int]] | None:
    """The addresses from which a program and all that it started have called; None if the system does not say."""
    try:
        return {
            (connection.laddr.ip.removeprefix("::ffff:"), connection.laddr.port)  # Java calls by IPv6
            for process in program.tree()
            for connection in process.net_connections("tcp")
            if connection.laddr
        }
    except psutil.NoSuchProcess:
        return set()
    except psutil.Error:
        return None


def _origin(call: socket.socket) -> tuple[str, int]:
    """The address from which somebody calls; none of this machine's if they have gone already."""
    try:
        host, port = call.getpeername()[:2]
    except OSError:
        return "", 0
    return str(host), int(port)


def _listen(host: str, port: int) -> socket.socket:
    until = time.monotonic() + PATIENCE
    while True:
        listening = socket.socket()
        if sys.platform == "win32":  # there two programs may listen at one port if this is not said
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen(64)
            return listening
        except (OSError, OverflowError, ValueError) as fault:
            listening.close()
            if getattr(fault, "errno", None) != errno.EADDRINUSE or time.monotonic() >= until:
                said = getattr(fault, "strerror", None) or str(fault)
                raise Unable(f"{host}:{port} cannot be listened on: {said}. {_free(port)}") from None
            time.sleep(LOOK)


def _free(port: int) -> str:
    return f"End the program that listens at port {port}, such as a Connector, or choose another port."
