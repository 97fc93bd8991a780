"""Programs and calls while this process has more than 1,024 files open, as a server with a thousand watchers has."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from waiting import LIMIT

from plyground.sandbox.sandbox import Sandbox
from plyground.wire.listener import ListeningPort

pytestmark = pytest.mark.only_on("linux", "darwin")
MOST = 1_100


@pytest.fixture
def many_files() -> Iterator[None]:
    """Files that are open while a test runs, and the limit that allows them."""
    assert sys.platform != "win32"
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MOST
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"a process may have {hard} files open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    try:
        with ExitStack() as stack:
            for _ in range(MOST):
                stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.process
@pytest.mark.usefixtures("many_files")
def test_a_program_starts_and_ends() -> None:
    """The socket to its supervisor has a number above 1,023."""
    program = Sandbox([sys.executable, "-I", "-S", "-c", "raise SystemExit(7)"])
    try:
        assert program.wait(LIMIT) and program.exit_code == 7
    finally:
        program.end()


@pytest.mark.usefixtures("many_files")
def test_a_door_hears_a_call() -> None:
    """The socket that listens has a number above 1,023."""
    door = ListeningPort(["127.0.0.1"], 0)
    try:
        with socket.create_connection(door.address, LIMIT) as caller, door.await_any(LIMIT) as call:
            assert call.getpeername() == caller.getsockname()
    finally:
        door.close()
