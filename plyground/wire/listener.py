"""Listening ports for programs that connect to us.

Several programs may connect to the same fixed port at once: one socket listens for all of them, and each connection is
given to the player whose program's process made it.
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

from plyground.play.player import Unable
from plyground.wire.hostnames import is_own_address
from plyground.wire.peer import Gone, PeerSilent, Program

PORT_RETRY = 1.0
"""Seconds for which a taken port is tried again: another process of ours may release it within them."""
CALL_CHECK = 0.02
"""Seconds between two checks for a connection, and of whether the program still runs."""


class ListeningPort:
    """Sockets that listen at one port, and connections that no player has taken yet."""

    def __init__(self, hosts: list[str], port: int) -> None:
        self._listening: list[socket.socket] = []
        try:
            for host in hosts:
                self._listening.append(_bind_port(host, port))
        except Unable:
            self.close()
            raise
        self.address: tuple[str, int] = self._listening[0].getsockname()
        """Address to connect to."""
        self.users = 0
        self._calls: list[socket.socket] = []
        self._lock = threading.Lock()

    def await_program(self, program: Program, seconds: float) -> socket.socket:
        """Waits for the connection of one program.

        Raises:
            PeerSilent: the program made none within `seconds`.
            Gone: the program ended before it made one.
        """
        return self._await_connection(program, seconds)

    def await_any(self, seconds: float) -> socket.socket:
        """Waits for a connection of any program.

        Raises:
            PeerSilent: no program connected within `seconds`.
        """
        return self._await_connection(None, seconds)

    def _await_connection(self, program: Program | None, seconds: float) -> socket.socket:
        until = time.monotonic() + seconds
        while True:
            with self._lock:
                self._accept_connections()
                if call := self._claim(program):
                    return call
            if program and program.exit_code:  # one that ends well may have left another that connects
                raise Gone(f"it {program.exit_words} before it connected to {self.where}")
            if time.monotonic() >= until:
                raise PeerSilent(f"it did not connect to {self.where} within {seconds:g} s")

    @property
    def where(self) -> str:
        """The address, in words."""
        return " or ".join(":".join(map(str, listening.getsockname()[:2])) for listening in self._listening)

    def _accept_connections(self) -> None:
        with selectors.DefaultSelector() as selector:  # not `select`, which takes no descriptor above 1,023
            # The lock is held for `CALL_CHECK` at most: others who wait at the same port get their turn.
            for listening in self._listening:
                selector.register(listening, selectors.EVENT_READ, listening)
            self._calls += [key.data.accept()[0] for key, _ in selector.select(CALL_CHECK)]

    def _claim(self, program: Program | None) -> socket.socket | None:
        """Take the connection of this program; any one if `program` is None or the system does not show its owner."""
        # Several programs of an audit may call one port: a connection is given to the program whose
        # process owns its other end. The system shows that only to the same user, hence None.
        made = _local_addresses(program) if program and self._calls else None
        for call in list(self._calls):
            origin = _origin(call)
            if program and not is_own_address(origin[0]):  # a program calls from the machine that it was started on
                self._calls.remove(call)
                call.close()
            elif made is None or origin in made:
                self._calls.remove(call)
                return call
        return None

    def close(self) -> None:
        """Stop listening."""
        for each in [*self._listening, *getattr(self, "_calls", [])]:
            each.close()


_open_ports: dict[tuple[str, ...], ListeningPort] = {}
_ports_lock = threading.Lock()


@contextlib.contextmanager
def listening_port(hosts: list[str], port: int) -> Iterator[ListeningPort]:
    """Context with the sockets of a port, shared by all that wait there; port 0 gets a free port of its own.

    Raises:
        Unable: the port is taken, or may not be listened on.
    """
    # Port 0 is never shared: each program is told a free one of its own.
    key = (*hosts, str(port))
    with _ports_lock:
        opened = _open_ports[key] if port and key in _open_ports else ListeningPort(hosts, port)
        opened.users += 1
        if port:
            _open_ports[key] = opened
    try:
        yield opened
    finally:
        with _ports_lock:
            opened.users -= 1
            if not opened.users:
                _open_ports.pop(key, None)
                opened.close()


def _local_addresses(program: Program) -> set[tuple[str, int]] | None:
    """Local addresses of the connections of a program and its descendants; None if the system does not show them."""
    try:
        return {
            (connection.laddr.ip.removeprefix("::ffff:"), connection.laddr.port)  # Java connects by IPv6
            for process in program.tree()
            for connection in process.net_connections("tcp")
            if connection.laddr
        }
    except psutil.NoSuchProcess:
        return set()
    except psutil.Error:
        return None


def _origin(call: socket.socket) -> tuple[str, int]:
    """Address of a connection's other end; one of no machine if the connection is closed already."""
    try:
        host, port = call.getpeername()[:2]
    except OSError:
        return "", 0
    return str(host), int(port)


def _bind_port(host: str, port: int) -> socket.socket:
    until = time.monotonic() + PORT_RETRY
    while True:
        listening = socket.socket()
        if sys.platform == "win32":  # there two programs could listen at one port without this option
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            # Without this option a port stays taken for a minute after its last game (TIME_WAIT).
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen(64)
            return listening
        except (OSError, OverflowError, ValueError) as fault:
            listening.close()
            # The game before may have ended a moment ago, in a process of ours that still holds the
            # port; any other error stays as it is.
            if getattr(fault, "errno", None) != errno.EADDRINUSE or time.monotonic() >= until:
                said = getattr(fault, "strerror", None) or str(fault)
                raise Unable(f"{host}:{port} cannot be listened on: {said}. {_port_advice(port)}") from None
            time.sleep(CALL_CHECK)


def _port_advice(port: int) -> str:
    return f"End the program that listens at port {port}, such as a Connector, or choose another port."
