"""Real databases for tests: SQLite in a file, and a PostgreSQL server of the tests' own."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import free_port
from sqlalchemy import create_engine, text


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A real PostgreSQL server of the tests' own; its URL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed, and CI skips nothing")
        pytest.skip("PostgreSQL is not installed")
    port = free_port()
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to be run by root
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to other users
        if user:
            shutil.chown(folder, user)

        def run(program: str, *words: str) -> None:
            command = [str(found[-1].with_name(program)), "-D", f"{folder}/data", *words]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=user, cwd="/")

        run("initdb", "-A", "trust", "-U", "plyground", "--no-sync")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"  # no test cuts the power
        run("pg_ctl", "-w", "-o", options, "-l", f"{folder}/log", "start")
        try:
            yield f"postgresql+psycopg://plyground@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-w", "-m", "fast", "stop")


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
