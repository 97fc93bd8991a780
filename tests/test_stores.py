"""Tablebases in stores: made in them and looked up there, on servers of S3 and FTP; every failure is a sentence."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from processes import started
from servers import free_port
from waiting import until

import plyground as pg
from plyground.exact.book import _book_of
from plyground.exact.tables.folder import MANIFEST, Damaged, Progress
from plyground.exact.tables.place import folder_path
from plyground.exact.tables.reading import FOLDERS_VARIABLE, add_folder, asked_folders
from plyground.workers.cluster import Cluster

pytest.importorskip("upath")
pytest.importorskip("pyarrow")
pytestmark = pytest.mark.process
S3 = pytest.param("s3", marks=pytest.mark.nightly)
"""Its server takes three seconds to start."""

GAME = "mnk:2,3,2"
SETTINGS = {"AWS_ACCESS_KEY_ID": "somebody", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}


@dataclass(frozen=True)
class Store:
    """A server's folder, which has nothing in it."""

    url: str
    kind: str


@contextmanager
def serving(port: int, *words: str) -> Iterator[None]:
    """A server of this machine, once it listens."""

    def listens() -> bool:
        with socket.socket() as door:
            return door.connect_ex(("127.0.0.1", port)) == 0

    command = [sys.executable, "-m", *words]
    with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        until(listens)
        yield


@pytest.fixture(scope="module")
def s3() -> Iterator[int]:
    """The port of a server of S3."""
    pytest.importorskip("s3fs")
    port = free_port()
    with serving(port, "moto.server", "-H", "127.0.0.1", "-p", str(port)):
        yield port


@pytest.fixture(params=[S3, "ftp"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """An empty folder of each kind of store."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(FOLDERS_VARIABLE, "")
    if request.param == "s3":
        port = request.getfixturevalue("s3")
        for name, value in (SETTINGS | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}).items():
            monkeypatch.setenv(name, value)
        bucket = tmp_path.name.replace("_", "-").lower()[-60:].strip("-")
        folder_path(f"s3://{bucket}").mkdir()
        yield Store(f"s3://{bucket}/table", "s3")
    else:
        with ftp(tmp_path / "served", "-w") as url:
            yield Store(f"{url}/table", "ftp")


@contextmanager
def ftp(folder: Path, *options: str) -> Iterator[str]:
    """The URL of a folder that is served by FTP to one user."""
    folder.mkdir(exist_ok=True)
    port = free_port()
    words = ("-i", "127.0.0.1", "-p", str(port), "-d", str(folder), "-u", "somebody", "-P", "secret", *options)
    with serving(port, "pyftpdlib", *words):
        yield f"ftp://somebody:secret@127.0.0.1:{port}"


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by their names."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def after(steps: int) -> Callable[[Progress], None]:
    """Ctrl-C after so many reports."""
    left = [steps]

    def told(progress: Progress) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    return told


def test_a_table_in_a_store(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made in it, gone on with after Ctrl-C, it has the files of a folder, byte for byte, and nothing else; play and
    analysis ask it."""
    monkeypatch.setattr("plyground.exact.tabulating.making.MAKING_REPORT_SECONDS", 0.0)
    here = pg.tablebase(GAME, tmp_path / "here")
    with pytest.raises(KeyboardInterrupt):
        pg.tablebase(GAME, store.url, told=after(4))
    with pytest.raises(pg.BadInput, match="is not finished"):
        add_folder(store.url)
    there = pg.tablebase(GAME, store.url)
    assert files(there.path) == files(here.path)
    assert dict(there) == dict(here) and len(there) == len(here)
    add_folder(store.url)
    assert asked_folders() == (store.url,)
    game = pg.game_named(GAME)
    report = [*pg.think(pg.Position.initial(game), pg.Limit(time=5))][-1]
    assert report.source == "the tablebase" and report.score == here[pg.Position.initial(game)]
    _book_of.cache_clear()


@pytest.mark.cluster
@pytest.mark.parametrize("store", [S3], indirect=True)
def test_processes_share_a_store(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that see no common folder make the same files."""
    monkeypatch.setattr("plyground.exact.tabulating.making.LEAST_SHARED_STATES", 8)
    here = pg.tablebase(GAME, tmp_path / "here")
    with Cluster(2) as cluster:
        there = pg.tablebase(GAME, store.url, cluster=cluster)
    made, expected = files(there.path), files(here.path)
    assert made.keys() == expected.keys()
    assert {name for name in made if made[name] != expected[name]} <= {MANIFEST}  # it says how many shards there were


def command(*words: str) -> tuple[int, str]:
    """What a command prints, and its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "plyground", *words], capture_output=True, encoding="utf-8", check=False, env=os.environ
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("store", [S3], indirect=True)
def test_the_command(store: Store) -> None:
    """`--out` and `--tablebase` take a URL."""
    code, words = command("tablebase", "nim:1/2", "--out", store.url)
    assert code == 0 and f"{store.url}: " in words, words
    code, words = command("--tablebase", store.url, "solve", "nim:1/2")
    assert code == 0 and "from     the tablebase" in words, words


def test_what_is_damaged(store: Store, tmp_path: Path) -> None:
    """A table that was copied there is read; a file that was changed, cut short or taken away is found when it is."""
    game = pg.game_named("connectfour:3,3,3")
    here: Any = pg.tablebase(game, tmp_path / "here")
    there = folder_path(store.url)
    there.mkdir(exist_ok=True)
    for file in here.path.iterdir():
        (there / file.name).write_bytes(file.read_bytes())
    assert dict(pg.Tablebase(store.url, game)) == dict(here)
    largest = max(here.path.glob("*.parquet"), key=lambda file: file.stat().st_size)
    data, harmed = largest.read_bytes(), there / largest.name
    changed = bytearray(data)
    changed[len(data) // 8] ^= 16
    for harm in (bytes(changed), data[:200], None):
        harmed.write_bytes(harm) if harm else harmed.unlink()
        with pytest.raises(Damaged, match=f"{largest.name} is damaged or missing"):
            list(pg.Tablebase(store.url, game))


@pytest.mark.parametrize("store", [S3], indirect=True)
def test_stores_that_cannot_be_used(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence says what is wrong, and nothing is made: no bucket, no table, nobody there, no permission, no library,
    no such kind."""
    with pytest.raises(pg.BadInput, match=r"^s3://no-bucket/table.* cannot be (used|written): .*[Bb]ucket"):
        pg.tablebase("nim:1/2", "s3://no-bucket/table")
    with pytest.raises(pg.BadInput, match=rf"^{store.url} has no tablebase"):
        add_folder(store.url)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    folder_path(store.url).fs.clear_instance_cache()  # type: ignore[attr-defined]
    with pytest.raises(pg.BadInput, match=rf"^{store.url} cannot be used: Could not connect to the endpoint"):
        add_folder(store.url)
    with pytest.raises(pg.BadInput, match=r"^ftp://127\.0\.0\.1:\d+/x cannot be used: .*refused"):
        add_folder(f"ftp://127.0.0.1:{free_port()}/x")
    with ftp(tmp_path / "served") as url:  # read-only
        with pytest.raises(pg.BadInput, match=r"^ftp://.* cannot be used: 550 Not enough privileges"):
            pg.tablebase("nim:1/2", f"{url}/table")
        with pytest.raises(pg.BadInput, match=r"cannot be used: 530 Authentication failed"):
            add_folder(url.replace("secret", "guessed"))
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(pg.BadInput, match=r"^gs://bucket/x needs a library: Please install gcsfs"):
        add_folder("gs://bucket/x")
    with pytest.raises(pg.BadInput, match=r"^nothing://x cannot be used: "):
        add_folder("nothing://x")
    monkeypatch.setitem(sys.modules, "upath", None)
    with pytest.raises(pg.BadInput, match=r'^s3://bucket/x needs upath: pip install "plyground\[store\]"'):
        add_folder("s3://bucket/x")
