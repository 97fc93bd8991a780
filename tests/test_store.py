"""Saved games in their database: nothing acknowledged is lost, on SQLite and PostgreSQL, whichever version made it."""

import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from servers import Server, play_a_game, serving
from sqlalchemy import Connection, create_engine, inspect, text
from test_server import test_seats_are_secret as seats_are_secret
from waiting import LIMIT

import plyground as pg
from plyground.database import schema
from plyground.web.games.store import Event, GameStore

pytestmark = pytest.mark.process


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_server_loses_no_move(tmp_path: Path) -> None:
    """kill -9 right after an acknowledged move: the next server has it, the game goes on, no worker is left."""
    database = f"sqlite:///{tmp_path / 'games.db'}"
    server = Server(database)
    game, moves = play_a_game(server)
    workers = server.workers()
    server.process.send_signal(signal.SIGKILL)
    server.end()
    assert psutil.wait_procs(workers, timeout=LIMIT)[1] == []
    with serving(database) as again:
        assert again.ask("open", id=game["id"])["position"]["moves"] == moves
        again.ask("play", id=game["id"], seat=game["seats"]["o"], ply=4, move="c1")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits a running process's files")
def test_a_full_disk(tmp_path: Path) -> None:
    """A move that does not fit is refused in a sentence; nothing acknowledged is lost, and with room it goes on."""
    with serving(f"sqlite:///{tmp_path / 'games.db'}") as server:
        game, moves = play_a_game(server)
        seats = list(game["seats"].values())
        process, size = psutil.Process(server.process.pid), (tmp_path / "games.db-wal").stat().st_size
        process.rlimit(psutil.RLIMIT_FSIZE, (size + 20_000, psutil.RLIM_INFINITY))
        play = {"id": game["id"], "seat": game["seats"]["o"], "ply": 4, "move": "c1"}
        for _ in range(100):
            answer = server.http.post("/api/play", json=play)
            if answer.status_code == 200:
                answer = server.http.post("/api/undo", json={"id": game["id"], "seats": seats})
            if answer.status_code != 200:
                break
        assert answer.status_code == 503 and "nothing has changed" in answer.json()["error"]
        kept = server.ask("open", id=game["id"])["position"]["moves"]
        assert kept in (moves, [*moves, "c1"])
        process.rlimit(psutil.RLIMIT_FSIZE, (psutil.RLIM_INFINITY, psutil.RLIM_INFINITY))
        assert server.ask("play", **play)["position"]["moves"] == [*moves, "c1"]


def test_a_read_only_database(tmp_path: Path) -> None:
    """Games can be seen; a move is refused in a sentence."""
    with serving(f"sqlite:///{tmp_path / 'games.db'}") as server:
        game, moves = play_a_game(server)
    with serving(f"sqlite:///file:{tmp_path / 'games.db'}?mode=ro&uri=true") as server:
        assert server.ask("open", id=game["id"])["position"]["moves"] == moves
        refused = server.ask("play", 503, id=game["id"], seat=game["seats"]["o"], ply=4, move="c1")
        assert "nothing has changed" in refused["error"]


def test_games_are_kept_in_postgresql(postgres: str) -> None:
    """The same story on PostgreSQL, over a restart."""
    with serving(postgres) as server:
        seats_are_secret(server)
        game, moves = play_a_game(server)
        seats = game["seats"]
        server.ask("sit", id=game["id"], seat=seats["o"], secret="s" * 32, name="Bob")
        server.ask("offer", id=game["id"], seat=seats["x"], what="undo")
    with serving(postgres) as server:
        kept = server.ask("open", id=game["id"])
        assert kept["position"]["moves"] == moves and kept["people"]["o"]["name"] == "Bob"
        assert kept["offer"] == {"side": "x", "what": "undo"}
        assert server.ask("offer", id=game["id"], seat="s" * 32, what="undo")["position"]["moves"] == moves[:2]
        (listed,) = server.ask("games")["games"]
        assert listed["names"] == {"x": "", "o": "Bob"}


# -- versions ----------------------------------------------------------------------------------------------------------

# What was made before there was a 0.1.0: the tables of version 1, which do not say so.
OLD = """
CREATE TABLE game (id VARCHAR(32) NOT NULL, created VARCHAR(32) NOT NULL, spec VARCHAR(200) NOT NULL,
    start VARCHAR(2000) NOT NULL, player_x VARCHAR(200) NOT NULL, player_o VARCHAR(200) NOT NULL,
    seat_x VARCHAR(64) NOT NULL, seat_o VARCHAR(64) NOT NULL, plies INTEGER NOT NULL, why VARCHAR(400),
    PRIMARY KEY (id));
CREATE INDEX ix_game_created ON game (created);
CREATE TABLE event (game VARCHAR(32) NOT NULL, number INTEGER NOT NULL, kind VARCHAR(8) NOT NULL,
    text VARCHAR(40) NOT NULL, at VARCHAR(32) NOT NULL, PRIMARY KEY (game, number),
    FOREIGN KEY(game) REFERENCES game (id) ON DELETE CASCADE);
INSERT INTO game VALUES ('an-old-game', '2026-01-01', 'tictactoe', '', 'human', 'first', 'x', 'o', 2, NULL);
INSERT INTO event VALUES ('an-old-game', 1, 'move', 'b2', '2026-01-01'), ('an-old-game', 2, 'move', 'a1', '2026-01-01')
"""


def told(url: str, sql: str) -> None:
    """Tell a database these statements."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in sql.split(";"):
            connection.execute(text(statement))
    engine.dispose()


def held(url: str) -> dict[str, list[tuple[object, ...]]]:
    """All that a database holds: its tables' columns and rows."""
    engine = create_engine(url)
    with engine.connect() as connection:
        columns = {
            name: tuple(column["name"] for column in inspect(connection).get_columns(name))
            for name in inspect(connection).get_table_names()
        }
        found = {
            name: [names, *sorted(tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}")))]
            for name, names in columns.items()
        }
    engine.dispose()
    return found


def opened(url: str) -> None:
    """A store for a moment: what it does when it is opened is done."""
    GameStore(url).close()


def test_an_older_database_is_brought_up_and_loses_nothing(database: str) -> None:
    """By whichever of several servers is first; and it is then as a new one is, but for what it holds."""
    told(database, OLD)
    before = held(database)
    with ThreadPoolExecutor(4) as servers:
        [*servers.map(opened, [database] * 4)]
    assert held(database) == before | {
        "game": [(*before["game"][0], "name_x", "name_o"), (*before["game"][1], "", "")],
        "solved": [("game", "state", "nodes", "report", "at")],
        "schema_version": [("version",), (schema.SCHEMA_VERSION,)],
        **{name: [tuple(table.c.keys())] for name, table in schema.METADATA.tables.items() if "arena" in name},
    }
    with closing(GameStore(database)) as store:
        game = store.load("an-old-game")
    assert game is not None and game.events == (Event("move", "b2"), Event("move", "a1"))


def test_a_new_database_has_the_columns_of_one_brought_up(database: str, tmp_path: Path) -> None:
    """Whoever makes the tables anew makes those that the steps lead to."""
    with ThreadPoolExecutor(4) as servers:
        [*servers.map(opened, [database] * 4)]
    older = f"sqlite:///{tmp_path / 'older.db'}"
    told(older, OLD)
    opened(older)
    assert {name: rows[0] for name, rows in held(database).items()} == {
        name: rows[0] for name, rows in held(older).items()
    }


def test_steps_are_all_done_or_none(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that fails leaves the database as it was, whatever it has done before; mended, it goes on from there."""
    told(database, OLD)
    before = held(database)

    def step(*statements: str) -> Callable[[Connection], None]:
        """What a later version may do."""

        def run(connection: Connection) -> None:
            for statement in statements:
                connection.execute(text(statement))

        return run

    noted = ["ALTER TABLE game ADD COLUMN note VARCHAR(9)", "UPDATE game SET note = 'kept'", "DELETE FROM event"]
    monkeypatch.setattr(schema, "SCHEMA_VERSION", 3)
    first = {0: schema.SCHEMA_MIGRATIONS[0]}
    monkeypatch.setattr(schema, "SCHEMA_MIGRATIONS", first | {1: step(*noted), 2: step("SELECT nothing")})
    with pytest.raises(pg.BadInput, match="cannot be used"):
        GameStore(database)
    assert held(database) == before
    monkeypatch.setitem(schema.SCHEMA_MIGRATIONS, 1, step(*noted[:2]))
    monkeypatch.setitem(schema.SCHEMA_MIGRATIONS, 2, step("UPDATE game SET note = note || ' on'"))
    opened(database)
    after = held(database)
    assert after["event"] == before["event"] and after["schema_version"][1] == (3,)
    assert after["game"] == [(*before["game"][0], "note"), (*before["game"][1], "kept on")]


def test_a_later_database_is_left_alone(database: str) -> None:
    """The server does not start: one sentence with the version, exit code 2, and nothing is changed."""
    opened(database)
    later = schema.SCHEMA_VERSION + 1
    told(database, f"UPDATE schema_version SET version = {later}")
    before = held(database)
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", "0", "--database", database]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=LIMIT)
    assert (
        done.returncode == 2
        and f"is of version {later}, and this plyground knows {schema.SCHEMA_VERSION} at most" in done.stderr
    )
    assert len(done.stderr.splitlines()) == 1 and held(database) == before
