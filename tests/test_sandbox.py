"""Code of others in its sandbox: bounds, environment, and a folder that goes away."""

import json
import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from waiting import LIMIT

from plyground.errors import BadInput
from plyground.sandbox.bubblewrap import PROGRAMS_VARIABLE, confines_programs, confining_programs, unconfined_reason
from plyground.sandbox.folders import remove_tree
from plyground.sandbox.sandbox import STRANGER_BOUNDS, Bounds, Sandbox, hide_memory
from plyground.wire.peer import Program

pytestmark = [pytest.mark.process, pytest.mark.only_on("linux", "darwin")]

TRIES = """
import json, os, tempfile
def error_of(act):
    try:
        act()
    except (OSError, MemoryError) as fault:
        return type(fault).__name__
def large():
    with open("large", "wb") as file:
        for _ in range(65):
            file.write(bytes(1 << 20))
files = []
def many():
    for _ in range(300):
        files.append(open(os.devnull))
opened = error_of(many)
files.clear()
print(json.dumps({
    "opened": opened,
    "large": error_of(large),
    "secret": "PGPASSWORD" in os.environ,
    "own": tempfile.gettempdir() == os.getcwd() == os.environ["HOME"],
    "folder": os.getcwd(),
}))
"""


def output_of(code: str, bounds: Bounds = STRANGER_BOUNDS) -> str:
    """Output of code of a stranger, after its end."""
    sandbox = Sandbox([sys.executable, "-c", code], bounds, sees=(), stdout=subprocess.PIPE)
    try:
        assert sandbox.process.stdout
        with sandbox.process.stdout as output:
            return output.read().decode()
    finally:
        sandbox.end()


def test_code_of_a_stranger_has_bounds_and_its_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files open, the size of a file, the environment; the folder is gone afterwards."""
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    found = json.loads(output_of(TRIES))
    folder = Path(found.pop("folder"))
    assert found == {"opened": "OSError", "large": "OSError", "secret": False, "own": True} and not folder.exists()


def test_code_that_writes_too_much_is_ended() -> None:
    """Many files, also in folders; a sentence says so."""
    code = "import os, time\nos.mkdir('in')\nfor at in range(30): open(f'in/{at}', 'w').close()\ntime.sleep(600)"
    sandbox = Sandbox([sys.executable, "-c", code], Bounds(files=20, written=1 << 20), sees=())
    try:
        assert sandbox.wait(LIMIT) and sandbox.excess == "it was ended, for it wrote more than 20 files"
    finally:
        sandbox.end()


NESTED = """
import os
for _ in range(1500):
    os.mkdir("in")
    os.chdir("in")
"""
TAKES = {
    "folders inside each other": NESTED,
    "cannot be read": "import os\nos.mkdir('in')\nos.chmod('in', 0)\n",
    "more than 16 threads": """
import threading
threading.stack_size(1 << 16)
for _ in range(20):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
""",
    "more than 64 MiB of memory": """
import os
for _ in range(3):
    if not os.fork():
        held = bytearray(b"x") * (30 << 20)
        break
""",
    "more than 1 MiB": """
import os
files = [os.memfd_create("x"), os.open("deleted", os.O_RDWR | os.O_CREAT)]
os.unlink("deleted")
for file in files:
    os.write(file, b"x" * (600 << 10))
""",
}


@pytest.mark.only_on("linux")
@pytest.mark.parametrize("takes", TAKES)
def test_code_that_takes_too_much_is_ended(takes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders where no look reaches; threads; memory of all processes, and of files that no folder has."""
    if os.geteuid() == 0:  # who reads every folder: it is refused here as by the system to others
        scandir = os.scandir

        def refuse(path: Any) -> Any:
            if takes == "cannot be read" and str(path).endswith("/in"):
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr("plyground.sandbox.folders.os.scandir", refuse)
    bounds = Bounds(64 << 20, threads=16, files=5_000, written=1 << 20)
    sandbox = Sandbox([sys.executable, "-c", f"{TAKES[takes]}\nimport time\ntime.sleep(600)"], bounds, sees=())
    try:
        assert sandbox.wait(LIMIT) and takes in sandbox.excess
    finally:
        sandbox.end()


@pytest.mark.only_on("linux")
def test_a_fault_of_the_watcher_ends_code_and_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be watched has no bounds; the sentence blames no one else."""

    def fails(*_: object) -> str:
        raise RecursionError

    monkeypatch.setattr("plyground.sandbox.sandbox.excess_of", fails)
    sandbox = Sandbox(["sleep", "600"], sees=())
    try:
        assert sandbox.wait(LIMIT) and "a fault of plyground's" in sandbox.excess
    finally:
        sandbox.end()


def test_a_folder_goes_away_whatever_is_in_it(tmp_path: Path) -> None:
    """Folders inside each other beyond every recursion and path; folders without rights; links, whose targets stay."""
    folder, kept = tmp_path / "run", tmp_path / "kept"
    folder.mkdir()
    kept.write_text("kept", encoding="utf-8")
    kept.chmod(0o400)
    code = f"{NESTED * 2}\nopen('file', 'w').close()\nos.chmod('.', 0)"
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
    (folder / "locked").mkdir()
    (folder / "locked" / "link").symlink_to(kept)
    (folder / "folders").symlink_to(tmp_path)
    (folder / "locked").chmod(0)
    remove_tree(folder)
    assert not folder.exists() and kept.read_text("utf-8") == "kept" and kept.stat().st_mode & 0o777 == 0o400


def test_a_program_has_the_users_folder_and_a_small_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program named by the user keeps the user's environment, with another folder for temporary files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    with (tmp_path / "said").open("wb") as said:
        sandbox = Sandbox(
            ["sh", "-c", 'pwd; echo "$HOME"; echo "$PGPASSWORD$OWN"; echo "$TMPDIR"'], env={"OWN": "1"}, stdout=said
        )
        assert sandbox.wait(LIMIT)
    sandbox.end()
    where, home, secret, temporary = (tmp_path / "said").read_text("utf-8").splitlines()
    assert Path(where).samefile(tmp_path) and home == os.environ["HOME"] and secret == "1"
    assert temporary != os.environ.get("TMPDIR") and not Path(temporary).exists()


@pytest.mark.only_on("linux")
def test_memory_is_hidden_from_other_processes() -> None:
    """A process that has hidden its memory cannot be traced by another one of its user, but by root."""
    hides = f"from {hide_memory.__module__} import hide_memory; hide_memory()"
    assert output_of(f"{hides}; import ctypes; print(ctypes.CDLL(None).prctl(3))") == "0\n"


CONFINED = """
import json, os, socket, sys
def error_of(act):
    try:
        act()
    except OSError as fault:
        return type(fault).__name__
print(json.dumps({
    "sees": [each for each in ("secret", "engines/book", "nets/net", "books/book") if os.path.exists(each)],
    "beside": error_of(lambda: open(__file__ + "x", "w")),
    "root": error_of(lambda: open("/large", "w")),
    "devices": error_of(lambda: open("/dev/large", "w")),
    "kernel": error_of(lambda: os.close(os.open("/proc/self/comm", os.O_WRONLY))),
    "own": error_of(lambda: open(os.path.join(os.environ["TMPDIR"], "x"), "w")),
    "network": error_of(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)),
    "here": os.getcwd(),
}), file=sys.stderr)
sys.stderr.flush()
os.kill(os.getpid(), 11)
"""


@pytest.mark.only_on("linux")
@pytest.mark.parametrize("calls", [False, True], ids=["pipes", "port"])
def test_a_confined_program_sees_its_own_files(calls: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It sees the folder of each file that is named, and no other of its user; it can write in its own folder alone,
    and has the network only if it plays over a port."""
    if why := unconfined_reason():
        pytest.skip(why)
    for each in ("secret", "engines/book", "nets/net", "books/book"):
        (tmp_path / each).parent.mkdir(exist_ok=True)
        (tmp_path / each).touch()
    (tmp_path / "engines" / "engine.py").write_text(CONFINED, encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listening, confining_programs():
        command = shlex.join([sys.executable, "engines/engine.py", f"{listening.getsockname()[1]}"])
        program = Program(command, {}, piped=not calls, reads=["nets/net"])
        assert program.wait(LIMIT)
    said = program.errors(ended=True).quotation
    program.close()
    if program.process.stdout:
        program.process.stdout.close()
    assert program.exit_code == -11, said
    assert json.loads(said[said.index("{") : said.rindex("}") + 1]) == {
        "sees": ["engines/book", "nets/net"],
        "beside": "OSError",
        "root": "OSError",
        "devices": "OSError",
        "kernel": "OSError",
        "own": None,
        "network": None if calls else "ConnectionRefusedError",
        "here": str(tmp_path),
    }


@pytest.mark.only_on("linux")
def test_the_data_folder_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept games are not seen, also where the folder around them is, as ~/.local may be."""
    if why := unconfined_reason():
        pytest.skip(why)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    (tmp_path / "share" / "plyground").mkdir(parents=True)
    (tmp_path / "share" / "plyground" / "games.db").touch()
    code = f"import os; print([each for _, *names in os.walk({str(tmp_path)!r}) for each in names])"
    sandbox = Sandbox([sys.executable, "-c", code], sees=[tmp_path], stdout=subprocess.PIPE)
    assert sandbox.process.stdout
    with sandbox.process.stdout as output:
        assert output.read().decode() == "[['share'], [], ['plyground'], [], [], []]\n"
    sandbox.end()


def test_a_user_opens_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """By one variable of the environment, which wins over what a command does; another word is refused."""
    assert not confines_programs()
    monkeypatch.setenv(PROGRAMS_VARIABLE, "open")
    with confining_programs():
        assert not confines_programs()
    monkeypatch.setenv(PROGRAMS_VARIABLE, "closed")
    with pytest.raises(BadInput, match="confined or open"):
        confines_programs()
