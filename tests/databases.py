"""Real databases for tests: SQLite in a file, and a PostgreSQL server of the tests' own."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from servers import free_port
from sqlalchemy import create_engine, text


class PostgreSQL:
    """A PostgreSQL server in a folder, which can be stopped and started."""

    def __init__(self, program: Path, folder: str) -> None:
        self.port = free_port()
        self.url = f"postgresql+psycopg://plyground@127.0.0.1:{self.port}/postgres"
        self._program, self._folder = program, folder
        self._user = "postgres" if os.geteuid() == 0 else None  # it refuses to be run by root
        if self._user:
            shutil.chown(folder, self._user)
        self._run("initdb", "-A", "trust", "-U", "plyground", "--no-sync")

    def start(self) -> None:
        """Start it; it accepts connections on return."""
        options = f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1 -c fsync=off"  # no power is cut
        self._run("pg_ctl", "-w", "-o", options, "-l", f"{self._folder}/log", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; `immediate` is as if it were killed."""
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._program.with_name(program)), "-D", f"{self._folder}/data", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=self._user, cwd="/")


@contextmanager
def running() -> Iterator[PostgreSQL]:
    """A real PostgreSQL server for a while."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed, and CI skips nothing")
        pytest.skip("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to other users
        server = PostgreSQL(found[-1], folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The URL of a real PostgreSQL server of the tests' own."""
    with running() as server:
        yield server.url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.process)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database with nothing in it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    server: str = request.getfixturevalue("postgres")
    name = f"d{os.urandom(4).hex()}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return f"{server.rpartition('/')[0]}/{name}"
