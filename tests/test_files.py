"""Files that are read: whatever is wrong with one is a sentence with its name, and nothing is changed.

Each reader is tried with each damage; a module that reads files and is not among them fails here.
"""

import ast
import json
import os
import random
import shutil
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest
from own_game import PILE

import plyground
import plyground as pg
from plyground.arena.openings import Openings
from plyground.arena.roster import roster_in
from plyground.arena.store import Store
from plyground.database.connecting import Unavailable
from plyground.errors import BadInput
from plyground.exact.book import Book, Head, read_book
from plyground.exact.book_writer import Author
from plyground.exact.solver import Solver
from plyground.exact.tables.folder import MANIFEST, read_manifest
from plyground.gamebase.base import GameBase
from plyground.games import game_named
from plyground.games.prolog import Prolog
from plyground.gradebook.entries import Entry, entries_csv, read_entries
from plyground.gradebook.roster import read_roster
from plyground.grading.file_uses import uses
from plyground.grading.grade import read_criterion_points
from plyground.grading.gradescope import read_brought
from plyground.labelling.labels import read_positions
from plyground.labelling.results_file import ResultsFile
from plyground.learning.levels import read_run
from plyground.learning.rounds import Learner
from plyground.learning.shipped_weights import shipped_file
from plyground.learning.weights_file import read_weights
from plyground.play.game_file import read_game
from plyground.play.proof import Audit, read_certificate, write
from plyground.play.record_file import read_records
from plyground.play.suite import read_suite
from plyground.position import Position
from plyground.protocols.gtp import GtpEngine
from plyground.publish.editor import PYODIDE_FILES, local_files
from plyground.score import Score
from plyground.spec.user_modules import module_of
from plyground.terminal.verbs.auditing import _SavedReplies
from plyground.terminal.verbs.reviewing import _game

PACKAGE = Path(plyground.__file__).parent
NIM = "nim"
PYODIDE = PACKAGE.parent / "page" / "node_modules" / "pyodide"


class Reader(NamedTuple):
    """A reader of files of one kind."""

    module: str
    name: str
    """The file's name."""
    make: Callable[[Path], object]
    """Writes a whole file there."""
    read: Callable[[Path], object]
    newer: str = ""
    """Content of a file of a later version; empty where the format has no version."""


def write_text(text: str) -> Callable[[Path], object]:
    """A function that writes a text into a file."""
    return lambda file: file.write_text(text, encoding="utf-8")


def kept_game(file: Path) -> object:
    """A finished game, as `play` keeps it."""
    head = {"plyground": 1, "game": NIM, "players": ["Ann", "Bob"], "start": Position.initial(game_named(NIM)).text}
    first = Position.initial(game_named(NIM)).legal_texts[0]
    lines = (head, {"move": first}, {"why": "x resigns", "utility": -1})
    return file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def certificate(file: Path) -> None:
    """A proof of one reply."""
    write(Audit("tictactoe", "p", "x", "", "never loses", 1, 1, 0, (), {".../.../...:x": "b2"}), file)


def book(file: Path) -> None:
    """A book of the first ply."""
    game = game_named("tictactoe")
    state = game.play(game.initial(), 4)
    Book(game, Head("tictactoe", 1, 1), {game.text(game.canonical(state)): Score(0)}).write(file)


def part_of_book(file: Path) -> None:
    """A book that is not whole yet."""
    writer = Author("tictactoe", game_named("tictactoe"), 1, file.with_suffix(""))
    next(writer.write())


def saved_table(file: Path) -> None:
    """Saved table of a stopped solver."""
    Solver(Position.initial(game_named("mnk:4,4,3")), table=1).keep(file)


def take_up(file: Path) -> object:
    """Go on with it; what cannot be used is told apart, and named by the verb."""
    if not Solver(Position.initial(game_named("mnk:4,4,3")), table=1).take_up(file):
        raise BadInput(f"{file} keeps other work")
    return None


def learner() -> Learner:
    """A learner of a small game."""
    return Learner(game_named("tictactoe"), "tictactoe")


def tablebase(file: Path) -> object:
    """A tablebase, beside which the file is put."""
    return pg.tablebase("tictactoe", file.parent)


def ask_all(file: Path) -> object:
    """Read the states of all shards."""
    return list(pg.Tablebase(file.parent, game_named("tictactoe")))


def database(file: Path) -> None:
    """A database without arenas."""
    Store(f"sqlite:///{file}").close()


def arenas_in(file: Path) -> object:
    """Read all arenas of a database."""
    with closing(Store(f"sqlite:///{file}")) as store:
        try:
            return store.arenas()
        except Unavailable as fault:
            raise BadInput(f"{file}: {fault}") from None


def weights(file: Path) -> object:
    """Weights that are shipped."""
    return file.write_bytes(shipped_file("kalah").read_bytes())


def wthor(file: Path) -> object:
    """A game of Reversi of one move, as the published format has it."""
    head = struct.pack("<4BihhBBBB", 20, 26, 1, 1, 1, 0, 2026, 8, 0, 0, 0)
    return file.write_bytes(head + struct.pack("<hhhBB", 0, 0, 0, 32, 32) + bytes([56]) + bytes(59))


RUN = {"game": "nim", "stage": "stopped", "games": 1, "plies": 1, "seconds": 0.5, "bytes": 0, "kept": [],
       "matches": [], "levels": {}}  # fmt: skip
REPLY = '{"game": "nim"}\n["3/4/5:x", "1"]\n["3/4/4:x", "1"]\n'


def load(file: Path) -> object:
    """A record of a game, as a program asks for it."""
    said: list[str] = []
    engine = GtpEngine(game_named("hex"), None, said.append)  # type: ignore[arg-type]  # it does not think
    return engine._load([str(file)])


def of_game(read: Callable[[Any, Path], object], spec: str) -> Callable[[Path], object]:
    """A reader of files that takes a game."""
    return lambda file: read(game_named(spec), file)


def read_games(file: Path, spec: str = "") -> object:
    """All games of a file, in each of which nothing is wrong."""
    return list(read_records(file, spec, strict=True))


def epd(file: Path) -> object:
    """Openings of an arena."""
    return Openings(file=file).read(game_named("tictactoe"))


def write_wheel(file: Path) -> None:
    """A wheel of nothing."""
    with ZipFile(file, "w") as made:
        made.writestr("plyground/__init__.py", "")


def head_of_table(file: Path) -> object:
    """The manifest beside a file of a tablebase."""
    return read_manifest(file.parent)


def pyodide(file: Path) -> None:
    """The files of Python for browsers, all in a folder."""
    for each in PYODIDE_FILES:
        shutil.copy(PYODIDE / each.name, file.parent)


def write_game_base(file: Path) -> None:
    """A base of one game, in the file's folder."""
    record = file.with_name("games.txt")
    record.write_text("b2 a1 b1 b3 a3 c1\n", encoding="utf-8")
    GameBase(file.parent, "tictactoe").add([record])


READERS = (
    Reader("publish/editor.py", "pyodide.mjs", pyodide, lambda file: local_files(file.parent)),
    Reader("play/record_file.py", "game.pgn", write_text('[White "Ann"]\n\n1. e4 e5 *\n'), read_games),
    Reader("play/record_file.py", "game.sgf", write_text("(;GM[11]SZ[5];B[a1];W[b2])"),
           lambda file: read_games(file, "hex:5")),
    Reader("play/record_file.py", "games.wtb", wthor, read_games),
    Reader("play/record_file.py", "book.epd", write_text("b2\na1\n"), epd),
    Reader("play/record_file.py", "positions.txt", write_text("b2\na1\n"), of_game(read_positions, "tictactoe")),
    Reader("play/record_file.py", "game.txt", write_text("b2 a1"),
           lambda file: _game("tictactoe", [str(file)], is_strict=True)),
    Reader("play/game_file.py", "game.jsonl", kept_game, read_game, '{"plyground": 99}\n'),
    Reader("play/proof.py", "proof.json", certificate, read_certificate, '{"plyground audit": 99}'),
    Reader("exact/book.py", "own.book", book, lambda file: read_book(file, game_named("tictactoe"))),
    Reader("exact/book_writer.py", "own.book.part", part_of_book, part_of_book),
    Reader("exact/solver.py", "kept.bin", saved_table, take_up, '{"plyground": 99}\n'),
    Reader("learning/weights_file.py", "own.weights", weights, lambda file: read_weights(file, game_named("kalah")),
           "plyground weights 99\n{}\n"),
    Reader("learning/rounds.py", "own.part", lambda file: learner().keep(file), lambda file: learner().resume(file)),
    Reader("learning/levels.py", "run.json", write_text(json.dumps(RUN)), read_run),
    Reader("arena/toml_file.py", "class.toml", write_text('[[player]]\nname = "Ann"\nspec = "first"\n'), roster_in),
    Reader("labelling/results_file.py", "results.jsonl", write_text('{"a": 1}\n["b2", [0, 1]]\n'),
           lambda file: ResultsFile(file, {"a": 1}).close()),
    Reader("terminal/verbs/auditing.py", "replies.jsonl", write_text(REPLY),
           lambda file: _SavedReplies(file, {"game": "nim"}).close()),
    Reader("database/connecting.py", "arenas.db", database, arenas_in, "SQL"),
    Reader("exact/tables/folder.py", MANIFEST, tablebase, head_of_table, '{"plyground table": 99}'),
    Reader("exact/tables/table_files.py", "tier-*.npy", tablebase, ask_all),
    Reader("exact/tables/table_files.py", "tier-*.parquet", tablebase, ask_all),
    Reader("games/prolog.py", "rules.pl", write_text("start(a, 0).\n"), lambda file: Prolog(str(file))),
    Reader("grading/grade.py", "points.toml", write_text('"cuts" = 40\n'), read_criterion_points),
    Reader("grading/gradescope.py", "plyground-9-py3-none-any.whl", write_wheel, read_brought),
    Reader("gradebook/entries.py", "grades.csv", write_text(entries_csv([Entry("ann", "search", 85, 100, "")])),
           read_entries),
    Reader("gradebook/roster.py", "roster.csv", write_text("Full name,Email address\nAnn Ray,ann@uni.example\n"),
           read_roster),
    Reader("grading/file_uses.py", "own.py", write_text(PILE), lambda file: (uses(file), module_of(file))),
    Reader("gamebase/base.py", "base.json", write_game_base, lambda file: len(GameBase(file.parent, "tictactoe")),
           newer='{"base": 99, "game": "tictactoe", "start": "0", "parts": []}'),
    Reader("play/suite.py", "suite.epd", write_text("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n"),
           lambda file: read_suite(game_named("chess"), file)),
    Reader("spec/user_modules.py", "own.py", write_text(PILE), module_of),
    Reader("protocols/gtp.py", "game.sgf", write_text("(;GM[11]SZ[11];B[a1];W[b2])"), load),
)  # fmt: skip
READ_APART = {
    "arena/entrants.py", "arena/tournament.py", "games/openspiel.py", "laws/answering.py",
    "sandbox/folders.py", "sandbox/supervisor.py", "protocols/driver.py", "exact/tables/work_files.py",
    "terminal/main.py", "wire/program.py", "sandbox/program_clock.py", "workers/process_worker.py",
}  # fmt: skip
"""Modules that read what is no file of others: processes, hashes of the files that a command names, work under way."""
OURS = {"arena/report/frame.py", "compiled/cache.py", "engine/chances.py", "exact/known_values.py", "files/__init__.py",
        "files/whole_file.py", "learning/shipped_weights.py", "wasm/building.py"}  # fmt: skip
"""Modules that read files of the package, or of its cache, which is trusted (SECURITY.md)."""


def reads(tree: ast.Module) -> Iterator[str]:
    """Calls in a module that open or read a file for reading."""
    for each in ast.walk(tree):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute | ast.Name):
            name = ast.unparse(each.func).rpartition(".")[2]
            mode = next((part.value for part in each.args if isinstance(part, ast.Constant)), "r")
            if name in ("read_text", "read_bytes") or (name == "open" and "r" in str(mode) and len(str(mode)) < 4):
                yield ast.unparse(each)


def test_files_are_read_in_one_place() -> None:
    """A module that reads a file does it by `plyground.files`, and is tried with each damage."""
    alone, by_files = set(), set()
    for file in sorted(PACKAGE.rglob("*.py")):
        name, tree = file.relative_to(PACKAGE).as_posix(), ast.parse(file.read_text(encoding="utf-8"))
        if [*reads(tree)]:
            alone.add(name)
        if any(isinstance(each, ast.ImportFrom) and each.module == "plyground.files" for each in ast.walk(tree)):
            by_files.add(name)
    by_files.remove("grading/search_process.py")  # it reads to see whether another process can
    assert by_files == {reader.module for reader in READERS}
    assert {name for name in alone if not name.startswith(("publish/", "web/"))} - by_files == READ_APART | OURS


# -- damages -----------------------------------------------------------------------------------------------------------


def foreign(file: Path, reader: Reader) -> None:
    """Something else, in bytes that are no text."""
    file.write_bytes(random.Random(1).randbytes(3_000))


def foreign_json(file: Path, reader: Reader) -> None:
    """JSON of another program."""
    file.write_text('{"plyground": {}, "game": [], "network": 5, "tiers": [1], "moves": null}\n', encoding="utf-8")


def deep(file: Path, reader: Reader) -> None:
    """Brackets inside each other."""
    file.write_text("[" * 100_000, encoding="utf-8")


def empty(file: Path, reader: Reader) -> None:
    """Do nothing."""
    file.write_bytes(b"")


def huge(file: Path, reader: Reader) -> None:
    """More than memory holds, and nothing on the disk."""
    with file.open("r+b") as out:
        out.truncate(1 << 41)


def loop(file: Path, reader: Reader) -> None:
    """A link to itself."""
    file.unlink()
    file.symlink_to(file)


def folder(file: Path, reader: Reader) -> None:
    """A folder of that name."""
    file.unlink()
    file.mkdir()


def pipe(file: Path, reader: Reader) -> None:
    """A pipe that nobody writes into."""
    file.unlink()
    os.mkfifo(file)


def device(file: Path, reader: Reader) -> None:
    """A device that never ends."""
    file.unlink()
    file.symlink_to("/dev/zero")


def newer(file: Path, reader: Reader) -> None:
    """Replace a file by one of a later version."""
    if reader.newer == "SQL":
        with closing(sqlite3.connect(file)) as changed:
            changed.execute("UPDATE schema_version SET version = 99")
            changed.commit()
    else:
        file.write_text(reader.newer, encoding="utf-8")


def folder_content(folder: Path) -> dict[str, object]:
    """Content of all files in a folder, except SQLite's journals."""
    found: dict[str, object] = {}
    for each in sorted(folder.rglob("*")):
        if not each.name.endswith(("-wal", "-shm")) and not each.name.startswith("__pycache__"):
            is_file = each.is_file() and not each.is_symlink() and each.stat().st_size < 1 << 30
            found[each.name] = each.read_bytes() if is_file else os.lstat(each).st_mode
    return found


CHECKED = {"own.book", "kept.bin", "own.weights", "tier-*.npy"}
"""Files whose end, behind what tells what they are, has a checksum."""


def names(reader: Reader) -> str:
    """The name of a reader's trials."""
    return f"{reader.module}:{reader.name}"


def make_whole(reader: Reader, folder: Path) -> Path:
    """A whole file, which is read without a complaint."""
    file = folder / reader.name
    if "*" in reader.name or reader.name == MANIFEST:
        folder = folder / "table"
        file = folder / reader.name
    file.parent.mkdir(exist_ok=True)
    reader.make(file)
    return next(file.parent.glob(reader.name)) if "*" in reader.name else file


def refusal(reader: Reader, file: Path) -> str:
    """The sentence with which a file is refused; empty where it is read."""
    try:
        reader.read(file)
    except BadInput as fault:
        said = str(fault)
        assert (file.name in said or str(file.parent) in said) and "\n" not in said, said
        return said
    return ""


@pytest.mark.parametrize("damage", [foreign, foreign_json, deep, empty, huge, loop, folder, pipe, device, newer])
@pytest.mark.parametrize("reader", READERS, ids=names)
def test_what_is_no_such_file_is_refused(
    reader: Reader, damage: Callable[[Path, Reader], None], tmp_path: Path
) -> None:
    """In a sentence with its name, at once; nothing is changed."""
    file = make_whole(reader, tmp_path)
    if damage is newer and not reader.newer:
        return
    damage(file, reader)
    before = folder_content(tmp_path)
    is_meant = reader.name in MEANT.get(damage.__name__, ()) or reader.name == "rules.pl"  # SWI-Prolog reads it
    assert refusal(reader, file) or is_meant, "it was read"
    assert reader.name in MEANT["empty"] or folder_content(tmp_path) == before


MEANT = {
    "empty": {
        "results.jsonl",
        "replies.jsonl",
        "game.txt",
        "game.sgf",
        "arenas.db",
        "own.py",
        "game.pgn",
        "points.toml",
    },  # nothing is there yet
    "huge": {"arenas.db"},  # SQLite reads as far as its pages go
}
"""Files that can be meant after a damage: nothing is there yet, or it does not reach what is read."""


@pytest.mark.parametrize("reader", READERS, ids=names)
def test_what_may_not_be_read_is_refused(reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's reason stands in the sentence; a test that runs as root could read all."""
    file = make_whole(reader, tmp_path)
    opened = os.open

    def refuse(path: Any, *rest: Any) -> int:
        if str(path) == str(file):
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    monkeypatch.setattr("plyground.files.os.open", refuse)
    assert refusal(reader, file)


@pytest.mark.parametrize("reader", READERS, ids=names)
def test_a_changed_file_is_read_or_refused(reader: Reader, tmp_path: Path) -> None:
    """Cut anywhere, or with one bit changed: what has a checksum is refused, and other texts are never a traceback."""
    file = make_whole(reader, tmp_path)
    whole, chance = file.read_bytes(), random.Random(reader.name)
    for turn in range(60):
        place = chance.randrange(len(whole)) if whole else 0
        if is_checked := turn % 2 == 0 and reader.name in CHECKED:
            place = len(whole) - 1 - place // 16
        file.write_bytes(whole[:place])
        refusal(reader, file)
        changed = bytearray(whole or b"0")
        changed[place] ^= 1 << chance.randrange(8)
        file.write_bytes(changed)
        assert refusal(reader, file) or not is_checked
