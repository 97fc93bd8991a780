"""Tables of saved games, solved positions and arenas, and the migrations from older versions.

A change of the tables is one more version and one more step. A step is written once and speaks SQL for the tables as
they were then: it must not use the tables below, which change. All steps that a database needs are one transaction, in
SQLite as in PostgreSQL, so it has its old version or the new one and nothing between.
"""

from collections.abc import Callable

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    delete,
    insert,
    inspect,
    select,
    text,
)

from plyground.errors import BadInput, TooNew

SCHEMA_VERSION = 7
METADATA = MetaData()
GAME = Table(
    "game",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("created", String(32), nullable=False, index=True),
    Column("spec", String(200), nullable=False),
    Column("start", String(2_000), nullable=False),
    Column("player_x", String(200), nullable=False),
    Column("player_o", String(200), nullable=False),
    Column("seat_x", String(64), nullable=False),  # hashes: a reader of the database cannot play for a person
    Column("seat_o", String(64), nullable=False),
    Column("plies", Integer, nullable=False),
    Column("why", String(400)),
    Column("name_x", String(24), nullable=False, server_default=""),
    Column("name_o", String(24), nullable=False, server_default=""),
)
EVENT = Table(
    "event",
    METADATA,
    Column("game", ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("text", String(40), nullable=False),
    Column("at", String(32), nullable=False),
)
SOLVED = Table(
    "solved",
    METADATA,
    Column("game", String(32), primary_key=True),  # a fingerprint of the rules
    Column("state", String(2_000), primary_key=True),
    Column("nodes", BigInteger, nullable=False, index=True),
    Column("report", Text, nullable=False),
    Column("at", String(32), nullable=False),
)
ARENA = Table(
    "arena",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("created", String(32), nullable=False, index=True),
    Column("settings", Text, nullable=False),  # JSON: all settings of the arena
    Column("planned", Integer),  # games in all, if the schedule knows their number
    Column("why", String(400)),  # how it ended, in words; NULL while it goes on
)
ARENA_GAME = Table(
    "arena_game",
    METADATA,
    Column("arena", ForeignKey("arena.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("x", String(200), nullable=False),  # names of entrants
    Column("o", String(200), nullable=False),
    Column("opening", String(2_000), nullable=False),
    Column("pair", Integer, nullable=False),  # two games of one opening, sides swapped
    Column("moves", Text, nullable=False),
    Column("utility", Integer),  # for x; NULL in a void game
    Column("why", Text, nullable=False),
    Column("fault", Integer),
    Column("seconds_x", Float, nullable=False),
    Column("seconds_o", Float, nullable=False),
    Column("words", Text, nullable=False),
    Column("void", Boolean, nullable=False),
    Column("judged", Text),  # JSON: what each move gave away; NULL until it is judged
    Column("at", String(32), nullable=False),
    Column("notes", Text),  # beside each move: seconds, clock, score, depth; NULL in games of earlier versions
    Column("ending", String(16), nullable=False, server_default="unknown"),  # how it ended, of `Ending`
)
ARENA_LIVE = Table(
    "arena_live",
    METADATA,
    Column("arena", ForeignKey("arena.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("x", String(200), nullable=False),
    Column("o", String(200), nullable=False),
    Column("opening", String(2_000), nullable=False),
    Column("moves", Text, nullable=False),
    Column("at", String(32), nullable=False),
)
"""Games in progress, as they were a moment ago; for display only."""
ARENA_AUDIT = Table(
    "arena_audit",
    METADATA,
    Column("arena", ForeignKey("arena.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(200), primary_key=True),  # an entrant
    Column("side", String(1), primary_key=True),
    Column("found", Text),  # JSON: the audit; NULL where there is none
    Column("why", Text, nullable=False),  # why there is none
)
SCHEMA = Table("schema_version", METADATA, Column("version", Integer, primary_key=True))
"""One row: the version of the tables beside it."""
FIRST_COLUMNS = {"id", "created", "spec", "start", "player_x", "player_o", "seat_x", "seat_o", "plies", "why"}
"""The columns of `game` in the first version, which has no `schema_version`."""
MIGRATION_LOCK = 54321
"""Number of the PostgreSQL lock that lets only one process change the tables at a time."""


def _add_version(connection: Connection) -> None:
    """Until 0.1.0 the tables were the same and had no version."""
    connection.execute(text("CREATE TABLE schema_version (version INTEGER NOT NULL PRIMARY KEY)"))


def _add_person_names(connection: Connection) -> None:
    """Version 2 stores the names of the people at the seats."""
    for side in "xo":
        connection.execute(text(f"ALTER TABLE game ADD COLUMN name_{side} VARCHAR(24) DEFAULT '' NOT NULL"))


def _add_solved(connection: Connection) -> None:
    """Version 3 stores solved positions."""
    connection.execute(
        text(
            "CREATE TABLE solved (game VARCHAR(32) NOT NULL, state VARCHAR(2000) NOT NULL, nodes BIGINT NOT NULL, "
            "report TEXT NOT NULL, at VARCHAR(32) NOT NULL, PRIMARY KEY (game, state))"
        )
    )
    connection.execute(text("CREATE INDEX ix_solved_nodes ON solved (nodes)"))


def _add_arenas(connection: Connection) -> None:
    """Version 4 has arenas."""
    game = "number INTEGER NOT NULL, x VARCHAR(200) NOT NULL, o VARCHAR(200) NOT NULL, opening VARCHAR(2000) NOT NULL, "
    whole = "FOREIGN KEY(arena) REFERENCES arena (id) ON DELETE CASCADE, PRIMARY KEY (arena, number)"
    for statement in (
        "CREATE TABLE arena (id VARCHAR(64) NOT NULL PRIMARY KEY, created VARCHAR(32) NOT NULL, "
        "settings TEXT NOT NULL, planned INTEGER, why VARCHAR(400))",
        "CREATE INDEX ix_arena_created ON arena (created)",
        f"CREATE TABLE arena_game (arena VARCHAR(64) NOT NULL, {game}pair INTEGER NOT NULL, moves TEXT NOT NULL, "
        "utility INTEGER, why TEXT NOT NULL, fault INTEGER, seconds_x FLOAT NOT NULL, seconds_o FLOAT NOT NULL, "
        f"words TEXT NOT NULL, void BOOLEAN NOT NULL, judged TEXT, at VARCHAR(32) NOT NULL, {whole})",
        f"CREATE TABLE arena_live (arena VARCHAR(64) NOT NULL, {game}moves TEXT NOT NULL, at VARCHAR(32) NOT NULL, "
        f"{whole})",
    ):
        connection.execute(text(statement))


def _add_audits(connection: Connection) -> None:
    """Version 5 has audits of an arena's entrants."""
    connection.execute(
        text(
            "CREATE TABLE arena_audit (arena VARCHAR(64) NOT NULL, name VARCHAR(200) NOT NULL, "
            "side VARCHAR(1) NOT NULL, found TEXT, why TEXT NOT NULL, "
            "FOREIGN KEY(arena) REFERENCES arena (id) ON DELETE CASCADE, PRIMARY KEY (arena, name, side))"
        )
    )


def _add_notes(connection: Connection) -> None:
    """Version 6 has notes beside the moves of an arena's games."""
    connection.execute(text("ALTER TABLE arena_game ADD COLUMN notes TEXT"))


def _add_endings(connection: Connection) -> None:
    """Version 7 has how each game of an arena ended; of earlier games only void ones are known."""
    connection.execute(text("ALTER TABLE arena_game ADD COLUMN ending VARCHAR(16) DEFAULT 'unknown' NOT NULL"))
    connection.execute(text("UPDATE arena_game SET ending = 'void' WHERE void AND fault IS NULL"))


SCHEMA_MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    0: _add_version,
    1: _add_person_names,
    2: _add_solved,
    3: _add_arenas,
    4: _add_audits,
    5: _add_notes,
    6: _add_endings,
}
"""Migration from each version to the next."""


class ForeignDatabase(BadInput):
    """A database with tables that plyground did not make."""


def migrate_tables(engine: Engine, what: str) -> None:
    """Create the tables of this version, or migrate those of an older one; does nothing if they are there.

    Args:
        engine: the database.
        what: the database's name in a sentence.

    Raises:
        TooNew: a later version of plyground has made the tables; nothing is changed.
        ForeignDatabase: another program has made them, or they are damaged; nothing is changed.
        SQLAlchemyError: the database refuses the change; nothing is changed.
    """
    with engine.connect() as connection:  # only looks: it may be read-only
        if _version(connection, what) == SCHEMA_VERSION:
            return
    with engine.connect() as connection:
        begin_writing(connection)
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
        found = _version(connection, what)  # another process may have been first
        if found is None:
            METADATA.create_all(connection)
        elif found > SCHEMA_VERSION:
            raise TooNew(what, found, SCHEMA_VERSION)
        else:
            for older in range(found, SCHEMA_VERSION):
                SCHEMA_MIGRATIONS[older](connection)
        connection.execute(delete(SCHEMA))
        connection.execute(insert(SCHEMA).values(version=SCHEMA_VERSION))
        connection.commit()


def begin_writing(connection: Connection) -> None:
    """Begin a transaction that writes; in SQLite it waits here, once, until no other process writes."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("BEGIN IMMEDIATE"))  # Python's module would begin none for SAVEPOINT or CREATE TABLE


def _version(connection: Connection, what: str) -> int | None:
    """Version of the tables; 0 if they have none, None if there are no tables."""
    inspector = inspect(connection)
    tables = set(inspector.get_table_names())
    if SCHEMA.name in tables:
        rows = connection.execute(select(SCHEMA.c.version)).scalars().all()
        if len(rows) != 1 or not isinstance(rows[0], int):
            raise ForeignDatabase(f"{what} has a table {SCHEMA.name} that does not hold one version: it is damaged.")
        return rows[0]
    if {GAME.name, EVENT.name} <= tables and {
        each["name"] for each in inspector.get_columns(GAME.name)
    } >= FIRST_COLUMNS:
        return 0
    ours = tables & METADATA.tables.keys()
    if ours or (tables and connection.dialect.name == "sqlite"):  # others may share a PostgreSQL, not a file
        has = ", ".join(sorted(ours or tables)[:3])
        raise ForeignDatabase(f"{what} belongs to another program: it has tables that plyground did not make ({has}).")
    return None
