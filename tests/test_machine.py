"""Faults of the machine: full and read-only disks, no memory. A sentence, nothing that was stored is lost, and it goes
on when there is room."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psutil
import pytest
from processes import started
from servers import play_a_game, serving
from waiting import LIMIT, until

import plyground as pg
from plyground.arena.store import Store
from plyground.compiled import cache
from plyground.files.whole_file import append, open_lines, write_whole

resource = pytest.importorskip("resource")  # not on Windows
ROOT = Path(pg.__file__).parent


class Disk:
    """A small disk: of its own where tests may mount one, else a limit on what processes write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        words = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
        self.is_mounted = os.geteuid() == 0 and not subprocess.run(words, capture_output=True, check=False).returncode

    def fill(self, room: int = 0, process: int = 0) -> None:
        """Leave so many bytes; of a process that writes there, none."""
        if self.is_mounted:
            about = os.statvfs(self.folder)
            with (self.folder / "ballast").open("wb") as ballast:
                os.posix_fallocate(ballast.fileno(), 0, about.f_bavail * about.f_bsize - room)
        else:
            limit = room if not process else 1
            for each in [psutil.Process(process or None), *psutil.Process(process or None).children(recursive=True)]:
                each.rlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    def clear(self, process: int = 0) -> None:
        """Make room again."""
        if self.is_mounted:
            (self.folder / "ballast").unlink()
        else:
            for each in [psutil.Process(process or None), *psutil.Process(process or None).children(recursive=True)]:
                each.rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def files(self) -> dict[str, int]:
        """Sizes of the files on it."""
        return {each.name: each.stat().st_size for each in self.folder.iterdir() if each.name != "ballast"}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """An empty disk."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = Disk(folder)
    try:
        yield made
    finally:
        if made.is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        else:
            made.clear()


def command(*words: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """A command that has ended."""
    line = [sys.executable, "-m", "plyground", *words]
    return subprocess.run(line, capture_output=True, encoding="utf-8", check=False, timeout=LIMIT, env=env)


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    """Also behind a link; its mode stays; a failure leaves no other file, and a pipe is written itself."""
    file, link = tmp_path / "page.html", tmp_path / "link.html"
    write_whole(file, "old")
    file.chmod(0o600)
    link.symlink_to(file)
    write_whole(link, b"new")
    assert link.is_symlink() and file.read_text() == "new" and file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(pg.BadInput, match=r"none/page\.html cannot be written: No such file or directory\.$"):
        write_whole(tmp_path / "none" / "page.html", "")
    with pytest.raises(pg.BadInput, match="cannot be written: Is a directory"):
        write_whole(tmp_path, "")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "\ud800")
    assert {each.name for each in tmp_path.iterdir()} == {"page.html", "link.html"} and file.read_text() == "new"
    read, write = os.pipe()
    write_whole(Path(f"/dev/fd/{write}"), "said")
    assert os.read(read, 9) == b"said"
    os.close(read)
    os.close(write)


@pytest.mark.only_on("linux", "darwin")
def test_a_line_is_whole_or_not_there(tmp_path: Path) -> None:
    """A last line that was cut short is ended; a file that cannot be begun is not begun."""
    file = tmp_path / "lines"
    with open_lines(file, "head") as out:
        append(out, b"one\n")
    with file.open("ab") as out:
        out.write(b"cut")
    with open_lines(file, "head") as out:
        room, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 2, most))
        try:
            with pytest.raises(OSError):
                append(out, b"two\n")
            resource.setrlimit(resource.RLIMIT_FSIZE, (2, most))
            with pytest.raises(OSError):
                open_lines(tmp_path / "other", "head")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        append(out, b"two\n")
    assert file.read_bytes() == b"head\none\ncut\ntwo\n" and not (tmp_path / "other").exists()


def test_files_of_users_are_written_in_one_place() -> None:
    """A module that opens a file to write it goes through `files`, but for files in a folder that is deleted soon."""
    passing = {"web/lessons/runner.py", "web/lessons/reader_code.py", "publish/typed_game.py"}
    for file in ROOT.rglob("*.py"):
        text, name = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
        if name in passing or name.startswith("files/"):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                modes = [each.value for each in node.args[:1] if isinstance(each, ast.Constant)]
                is_opened = node.func.attr == "open" and str(*modes)[:1] in ("w", "a", "x")
                if is_opened or node.func.attr in ("write_text", "write_bytes", "NamedTemporaryFile"):
                    assert "whole_file import" in text or "written_file(" in text, name


def test_the_cache_is_where_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder that a variable names; a file that cannot be written there leaves nothing."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    cache.write("name", b"data")
    assert cache.read("name") == b"data" and [*(tmp_path / "cache").iterdir()] == [tmp_path / "cache" / "name.bin"]
    (tmp_path / "cache" / "other.bin").mkdir()
    with pytest.raises(OSError):
        cache.write("other", b"data")
    assert len([*(tmp_path / "cache").iterdir()]) == 2


@pytest.mark.process
@pytest.mark.only_on("linux")
class TestFullDisks:
    """Commands whose disk is full for a while."""

    @pytest.mark.parametrize(
        ("words", "room"),
        [
            ("arena tictactoe a=random:seed=1 b=random --games 1500 --database sqlite:///{}/games.db", 400_000),
            ("tablebase mnk:3,3,3 --out {}/table", 150_000),
            ("label {positions} --game tictactoe --out {}/values.csv", 8_000),
            ("audit tictactoe engine:depth=9 --state {}/replies.jsonl", 8_000),
            ("book mnk:3,3,3 --plies 4 --out {}/mnk.book", 4_000),
        ],
        ids=lambda words: str(words).partition(" ")[0],
    )
    def test_the_same_command_goes_on(self, words: str, room: int, disk: Disk, tmp_path: Path) -> None:
        """Long work ends with a sentence; what was stored is used by the next run, whose result is the usual one."""
        if words.startswith("tablebase"):
            pytest.importorskip("pyarrow")
        positions = tmp_path / "positions.txt"
        start = pg.Position.initial(pg.MNK())
        two = [start.play(one).play(two) for one in start.legal_moves for two in start.play(one).legal_moves]
        positions.write_text("".join(f"{each.play(three).text}\n" for each in two for three in each.legal_moves))
        plain, line = tmp_path / "plain", words.format(disk.folder, positions=positions).split()
        plain.mkdir()
        disk.fill(room)
        full = command(*line)
        assert full.returncode == 2 and "Traceback" not in full.stderr, full.stderr
        assert re.search("No space left|File too large|disk is full|disk I/O error|more room", full.stderr), full.stderr
        left = disk.files()
        assert not [name for name, size in left.items() if not size or name.endswith(".unfinished")]
        disk.clear()
        usual = command(*words.format(plain, positions=positions).split())
        again = command(*line)
        assert (again.returncode, usual.returncode) == (0, 0), again.stderr
        if line[0] in ("label", "audit"):
            same = "values.csv" if line[0] == "label" else "replies.jsonl"
            mine, theirs = (sorted({*(each / same).read_text().splitlines()}) for each in (disk.folder, plain))
            assert mine == theirs
        if line[0] == "arena":
            with closing(Store(f"sqlite:///{disk.folder}/games.db")) as store:
                (arena,) = store.arenas()
                assert sorted(each.task.number for each in store.games(arena.id)) == [*range(1500)]

    def test_a_page_leaves_the_old_one(self, disk: Disk) -> None:
        """A page that cannot be written leaves no file, not even an empty one."""
        page = disk.folder / "quiz.html"
        words = ["quiz", "tictactoe", "--html", "--out", str(page)]
        assert command(*words).returncode == 0
        before = page.read_bytes()
        disk.fill()
        full = command(*words, "--seed", "1")
        assert full.returncode == 2 and f"{page} cannot be written: " in full.stderr and full.stderr.count("\n") <= 2
        disk.clear()
        assert page.read_bytes() == before and [*disk.files()] == ["quiz.html"]

    @pytest.mark.compiled
    def test_learning_goes_on(self, disk: Disk) -> None:
        """Learning says that it cannot save, and saves its weights when there is room again."""
        weights = disk.folder / "learned.weights"
        words = ["learn", "tictactoe", "--minutes", "0.3", "--test", "0", "--out", str(weights)]
        with started([sys.executable, "-m", "plyground", *words], stderr=subprocess.PIPE) as learning:
            until(weights.with_name("learned.weights.part").exists)
            disk.fill(process=learning.pid)
            said = learning.stderr
            assert said is not None
            until(lambda: "cannot be written" in said.readline())
            disk.clear(learning.pid)
            assert learning.wait(LIMIT) == 0
        assert [*disk.files()] == ["learned.weights"]

    def test_a_server_goes_on(self, disk: Disk) -> None:
        """A move that cannot be stored is refused with 503, and taken once there is room; none is lost."""
        with serving(f"sqlite:///{disk.folder}/games.db") as server:
            kept, moves = play_a_game(server)
            disk.fill(process=server.process.pid)
            refused = server.http.post("/api/create", json={"game": "tictactoe"})
            while refused.status_code == 200:  # SQLite may have room in what it has already
                refused = server.http.post("/api/create", json={"game": "tictactoe"})
            assert refused.status_code == 503 and "could not be stored, so nothing has changed" in refused.text
            assert server.ask("open", id=kept["id"])["position"]["moves"] == moves
            disk.clear(server.process.pid)
            more, _ = play_a_game(server)
            assert server.ask("open", id=more["id"])["position"]["moves"] == moves

    def test_a_game_is_played_on(self, disk: Disk) -> None:
        """A line says that it is not saved, another that it is again; the file has all moves."""
        file = disk.folder / "game.jsonl"
        words = ["play", "tictactoe", "--o", "human", "--keep", str(file)]
        with ExitStack() as stack:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            game = stack.enter_context(started([sys.executable, "-m", "plyground", *words], bufsize=0, **pipes))
            assert game.stdin is not None and game.stderr is not None
            until(file.exists)
            disk.fill(process=game.pid)
            game.stdin.write("a1\nundo\n" * 100)  # the last page of a file has room for some lines
            said = game.stderr.readline()
            assert "cannot be written" in said
            disk.clear(game.pid)
            game.stdin.write("b2\n")
            assert "can be written again" in game.stderr.readline()
            game.stdin.close()
            assert game.wait(LIMIT) == 0
        found = pg.read_game(file)
        assert found.position.words == ["b2"] and found.cut is None

    def test_a_full_disk_for_what_is_printed(self) -> None:
        """A sentence on the other stream, no traceback, also where the buffer is written at the end."""
        for words in (["games"], ["search", "tictactoe", "--depth", "2", "--json"]):
            with Path("/dev/full").open("w") as full:
                line = [sys.executable, "-m", "plyground", *words]
                done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False)
            assert done.returncode == 2 and "cannot be used: No space left on device." in done.stderr
            assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr

    def test_a_closed_input_leaves_a_game_unfinished(self, tmp_path: Path) -> None:
        """The game counts for no player, and is saved."""
        line = [sys.executable, "-m", "plyground", "play", "tictactoe", "--keep", str(tmp_path / "game.jsonl")]
        done = subprocess.run(
            ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *line], capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0 and "left unfinished." in done.stdout and "loses" not in done.stdout
        assert pg.read_game(tmp_path / "game.jsonl").why is None

    def test_without_memory(self) -> None:
        """Lack of memory ends in one sentence, with exit code 2."""
        for kibibytes in (300_000, 400_000):
            line = [sys.executable, "-m", "plyground", "search", "tictactoe", "--depth", "9"]
            done = subprocess.run(
                ["/bin/sh", "-c", f'ulimit -v {kibibytes}; exec "$@"', "sh", *line],
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert "Traceback" not in done.stderr
            assert done.returncode == 0 or (done.returncode == 2 and "memory" in done.stderr)
