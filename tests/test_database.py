"""The database itself: writes in groups, files that are gone, foreign or damaged, and what is never printed."""

import asyncio
import multiprocessing
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from servers import serving
from sqlalchemy import event
from waiting import LIMIT

from plyground.arena.store import Store as ArenaStore
from plyground.database.connecting import Unavailable, Unstored, connect
from plyground.errors import BadInput
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.solved_positions import Solved
from plyground.web.games.store import Event, GameStore, SavedGame, Taken
from plyground.web.server.errors import sentence_of, status_of
from plyground.web.views import models as m
from plyground.web.views.positions import position_at

HUMANS = ("human", "human")


def new_game(store: GameStore) -> SavedGame:
    """A stored tic-tac-toe."""
    made, _ = store.create("tictactoe", "", [], HUMANS).result(LIMIT)
    game = store.load(made.id)
    assert game == made
    return game


def moved(game: SavedGame, *moves: str) -> SavedGame:
    """A game with these moves, the last of which is to be stored."""
    events = tuple(Event("move", move) for move in moves)
    return SavedGame(game.id, game.created, game.spec, "", HUMANS, game.seats, len(moves), None, events)


@pytest.mark.process
def test_writes_are_committed_in_groups(database: str) -> None:
    """What waits is one transaction; of two that claim a number one fails, and nothing else does."""
    commits: list[object] = []
    with closing(GameStore(database)) as store:
        games, gate = [new_game(store) for _ in range(20)], threading.Event()
        event.listen(store.engine, "commit", commits.append)
        held = store.beside(lambda: [gate.wait(LIMIT)].clear())
        first = [store.append(moved(game, "b2")) for game in games]
        second = [store.append(moved(game, "a1")) for game in games[:3]]
        unwanted = store.append(moved(games[3], "b2", "c3"))
        assert unwanted.cancel()  # who asked has gone before its turn
        gate.set()
        held.result(LIMIT)
        assert [each.exception(LIMIT) for each in first] == [None] * 20
        assert {type(each.exception(LIMIT)) for each in second} == {Taken}
        assert len(commits) == 1
        assert [store.load(game.id) for game in games] == [moved(game, "b2") for game in games]
        assert store.count(games[0].id) == 1 and store.count("no-such-game") is None


def test_a_commit_that_fails_fails_all(tmp_path: Path) -> None:
    """Nothing of a group is acknowledged that is not stored; the next group is."""
    with closing(GameStore(f"sqlite:///{tmp_path / 'games.db'}")) as store:
        games, gate = [new_game(store) for _ in range(3)], threading.Event()
        held = store.beside(lambda: [gate.wait(LIMIT)].clear())
        writes = [store.append(moved(game, "b2")) for game in games]
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
            other.execute("ALTER TABLE game RENAME COLUMN plies TO moves")
            gate.set()
            held.result(LIMIT)
            assert ["nothing has changed" in str(each.exception(LIMIT)) for each in writes] == [True] * 3
            other.execute("ALTER TABLE game RENAME COLUMN moves TO plies")
        assert [store.count(game.id) for game in games] == [0] * 3
        store.append(moved(games[0], "b2")).result(LIMIT)
        assert store.count(games[0].id) == 1


def test_a_database_in_memory() -> None:
    """All threads of a server see the same games."""

    async def story() -> None:
        games = SavedGames(GameStore("sqlite://"))
        made = await games.create(m.Create(game="tictactoe"))
        assert (await games.open(m.Open(id=made.id))).version == 0
        assert (await games.page(m.Games())).total == 1
        games.close()

    asyncio.run(asyncio.wait_for(story(), LIMIT))


# -- reading what is broken --------------------------------------------------------------------------------------------

BROKEN = {
    "a table is gone": ("ALTER TABLE event RENAME TO gone", "ALTER TABLE gone RENAME TO event"),
    "a column is gone": ("ALTER TABLE game RENAME COLUMN spec TO gone", "ALTER TABLE game RENAME COLUMN gone TO spec"),
}


@pytest.mark.process
@pytest.mark.parametrize("what", BROKEN)
def test_reads_of_a_broken_database(what: str, database: str) -> None:
    """503 and a sentence, as for writes; mended, it goes on by itself."""

    async def refused(games: SavedGames, number: str) -> list[str]:
        said = []
        for question in (games.open(m.Open(id=number)), games.export(m.Open(id=number)), games.page(m.Games())):
            try:
                await question
            except Exception as fault:
                assert status_of(fault) == 503
                said.append(sentence_of(fault))
        return said

    async def story() -> None:
        store = GameStore(database)
        made, games = new_game(store), SavedGames(store)  # which has read nothing yet
        changes = connect(database)
        for statement, broken in zip(BROKEN[what], (True, False), strict=True):
            with changes.begin() as connection:
                connection.exec_driver_sql(statement)
            said = await refused(games, made.id)
            assert bool(said) == broken and all("cannot be read just now" in each for each in said)
        changes.dispose()
        games.close()

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_damaged_page(tmp_path: Path) -> None:
    """Games, arenas: a sentence. What was solved before is found anew."""
    file = tmp_path / "games.db"
    with closing(GameStore(f"sqlite:///{file}")) as store:
        game = new_game(store)
    with closing(sqlite3.connect(file)) as raw:
        pages = [row[0] for row in raw.execute("SELECT rootpage FROM sqlite_master WHERE name NOT LIKE 'schema%'")]
        size = raw.execute("PRAGMA page_size").fetchone()[0]
    with file.open("r+b") as damaged:
        for page in pages:
            damaged.seek((page - 1) * size)
            damaged.write(bytes(size))
    with closing(GameStore(f"sqlite:///{file}")) as store:
        for question in (lambda: store.load(game.id), lambda: store.page(9, 0), ArenaStore(store.engine).arenas):
            with pytest.raises(Unavailable, match="malformed"):
                question()
        assert Solved(store).find(position_at(m.At(game="tictactoe"))) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no file that is open")
def test_a_database_file_that_is_gone(tmp_path: Path) -> None:
    """Nothing is acknowledged into a deleted file, and no empty one is made; put back, it goes on."""
    file, aside = tmp_path / "games.db", tmp_path / "aside.db"
    with closing(GameStore(f"sqlite:///{file}")) as store:
        game = new_game(store)
        file.rename(aside)
        with pytest.raises(Unstored, match="deleted or replaced"):
            store.append(moved(game, "b2")).result(LIMIT)
        with pytest.raises(Unavailable, match="deleted or replaced"):
            store.load(game.id)
        assert not file.exists()
        shutil.copy(aside, file)  # not the one that is open
        with pytest.raises(Unstored, match="deleted or replaced"):
            store.create("tictactoe", "", [], HUMANS).result(LIMIT)
        aside.replace(file)
        store.append(moved(game, "b2")).result(LIMIT)
        assert store.count(game.id) == 1


# -- what is not ours, or not to be written ----------------------------------------------------------------------------

FOREIGN = {
    "CREATE TABLE game (a)": r"belongs to another program: .* \(game\)",
    "CREATE TABLE cookies (a)": r"belongs to another program: .* \(cookies\)",
    "CREATE TABLE schema_version (version INTEGER)": "schema_version that does not hold one version: it is damaged",
    "CREATE TABLE schema_version (version); INSERT INTO schema_version VALUES ('x')": "it is damaged",
    "CREATE TABLE schema_version (rank)": "no such column",
}


@pytest.mark.parametrize("sql", FOREIGN)
def test_a_foreign_file_is_left_alone(sql: str, tmp_path: Path) -> None:
    """One sentence; not a table is made."""
    file = tmp_path / "games.db"
    with closing(sqlite3.connect(file)) as raw:
        raw.executescript(sql)
        before = [*raw.iterdump()]
    with pytest.raises(BadInput, match=FOREIGN[sql]) as refused:
        GameStore(f"sqlite:///{file}")
    assert str(file) in str(refused.value)
    with closing(sqlite3.connect(file)) as raw:
        assert [*raw.iterdump()] == before


@pytest.mark.process
def test_a_postgresql_may_hold_other_tables(postgres: str) -> None:
    """But none of the same names."""
    engine = connect(postgres)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE cookies (a INTEGER)")
        connection.exec_driver_sql("DROP TABLE schema_version")
        connection.exec_driver_sql("ALTER TABLE game DROP COLUMN why")
    with pytest.raises(BadInput, match=r"belongs to another program: .* \(arena, arena_audit, arena_game\)"):
        connect(postgres)
    with engine.begin() as connection:
        for table in ("event", "game", "arena_audit", "arena_live", "arena_game", "arena", "solved"):
            connection.exec_driver_sql(f"DROP TABLE {table}")
    connect(postgres).dispose()
    engine.dispose()


@pytest.mark.parametrize(
    "url",
    [
        "mysql://root:s3cret@h/x",
        "mysql://root:s3cret@@h/x",
        "nonsense://:s3cret@h",
        "postgresql+psycopg://u:s3cret@127.0.0.1:1/x",
        "postgresql+psycopg://127.0.0.1:1/x?user=u&password=s3cret",
        "postgresql+psycopg://u:s3cret@127.0.0.1:port/x",
    ],
)
def test_a_password_is_never_printed(url: str) -> None:
    """Not of a driver that there is not, nor of a server that does not answer, nor of a URL that cannot be read."""
    with pytest.raises(BadInput) as refused:
        connect(url)
    assert "s3cret" not in str(refused.value) and "***" in str(refused.value)
    assert refused.value.__suppress_context__


def refusal_of(url: str, said: Any) -> None:
    """Open a database as a user who may not write everywhere, as root may."""
    if os.geteuid() == 0:
        os.setuid(65534)
    try:
        GameStore(url)
    except BadInput as fault:
        said.send(str(fault))
    said.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no folder that is read-only for its owner")
@pytest.mark.process
def test_a_read_only_folder(tmp_path: Path) -> None:
    """A sentence says how it can be looked at; so it can."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    file = folder / "games.db"
    with closing(GameStore(f"sqlite:///{file}")) as store:
        game = moved(new_game(store), "b2")
        store.append(game).result(LIMIT)
    file.chmod(0o444)
    folder.chmod(0o555)
    for each in (tmp_path, *tmp_path.parents):
        if each.stat().st_uid == os.geteuid() and each.name.startswith(("pytest-", "popen-", tmp_path.name)):
            each.chmod(0o755)  # the other user has to get here
    fork = multiprocessing.get_context("fork")
    heard, said = fork.Pipe(duplex=False)
    process = fork.Process(target=refusal_of, args=(f"sqlite:///{file}", said))
    process.start()
    said.close()
    found = re.search(r'is read-only: .* --database "(\S+)"', heard.recv())
    process.join(LIMIT)
    folder.chmod(0o755)
    assert found
    with closing(GameStore(found[1])) as store:
        assert store.load(game.id) == game and not store.is_alone
        with pytest.raises(Unstored, match="readonly"):
            store.append(moved(game, "b2", "a1")).result(LIMIT)


# -- one server a file -------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_a_second_server_on_the_same_file(tmp_path: Path) -> None:
    """Says where the first is, exit code 2; an arena plays beside it, and a server may follow."""
    database = f"sqlite:///{tmp_path / 'games.db'}"
    command = [sys.executable, "-m", "plyground"]

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*command, *words, "--database", database],
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=LIMIT,
        )

    with serving(database) as server:
        second = run("web", "--no-browser", "--port", "0")
        assert second.returncode == 2 and len(second.stderr.splitlines()) == 1
        assert f"runs already at http://localhost:{server.port} (process {server.process.pid})" in second.stderr
        played = run("arena", "tictactoe", "first", "random", "--games", "2")
        assert played.returncode == 0, played.stderr
        assert server.ask("arenas")["total"] == 1
        server.ask("create", game="tictactoe")
    with serving(database) as server:
        assert server.ask("games")["total"] == 1
    assert sorted(path.suffix for path in tmp_path.iterdir() if path.suffix == ".lock") == []
