"""A fleet: tests in a folder, workers that come and go, a server that is restarted."""

import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from processes import started
from programs import EXAMPLES
from servers import free_port
from waiting import LIMIT, until

import plyground as pg
from plyground.arena.fleet import Fleet, fleet_test
from plyground.arena.settings import Settings
from plyground.arena.store import Store
from plyground.arena.toml_file import toml_in
from plyground.web.operations import BY_NAME

TEST = """
game = "tictactoe"
players = ["new=random", "base=random"]
sprt = [{low}, 10]
random_plies = 2
"""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"game =", "is no TOML"),
        (b"game = '\xff'", "is no text in UTF-8"),
        (b"share = " + b"9" * 5_000, "has a number of thousands of digits"),
        (b"game = " + b"[" * 100_000, "has too many brackets inside each other"),
    ],
)
def test_a_file_that_is_no_toml(data: bytes, words: str, tmp_path: Path) -> None:
    """One sentence, with the file's name."""
    (tmp_path / "t.toml").write_bytes(data)
    with pytest.raises(pg.BadInput, match=rf"t\.toml {words}"):
        toml_in(tmp_path / "t.toml")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("colour = 'red'", "colour: a test has alpha, "),
        ("balanced = 1", "balanced=1: give True or False"),
        ("draw = [1, 2]", "draw=[1, 2]: give (a whole number, a whole number, a whole number) or None"),
        ("share = 0", "share=0: give a number above 0"),
        ("share = 'a'", "share='a': give a number"),
        ("jobs = 1", "jobs: a test has "),
    ],
)
def test_what_is_wrong_with_a_setting(lines: str, words: str, tmp_path: Path) -> None:
    """Its name, and what would be right; a test has the settings of an arena but for those of its fleet."""
    file = tmp_path / "t.toml"
    file.write_text(TEST.format(low=5) + lines)
    with pytest.raises(pg.BadInput, match=re.escape(f"t.toml, {words}")):
        fleet_test(file)
    file.write_text(TEST.format(low=5) + "grace = 2\npaused = true\n")
    test = fleet_test(file)
    assert test.paused and test.settings("t", "") == Settings(
        ["new=random", "base=random"],
        "tictactoe",
        sprt=[5, 10],  # type: ignore[arg-type]
        random_plies=2,
        grace=2,
        name="t",
    )


def test_what_is_wrong_with_a_test_is_said_once_and_ends_no_other(tmp_path: Path) -> None:
    """One sentence for each file; a paused test rests, and a mended file is taken."""
    said: list[str] = []
    with pytest.raises(pg.BadInput, match="is no folder"):
        Fleet(tmp_path / "none", "")
    (tmp_path / "bad.toml").write_text("game =")
    (tmp_path / "odd.toml").write_text(TEST.format(low=5) + "colour = 'red'\n")
    (tmp_path / "rests.toml").write_text(TEST.format(low=5) + "paused = true\n")
    (tmp_path / "good.toml").write_text(TEST.format(low=5) + "share = 2\n")
    fleet = Fleet(tmp_path, "", say=said.append)
    assert [*fleet.waiting()] == [*fleet.waiting()] == ["good"]
    assert len(said) == 2 and "bad.toml is no TOML" in said[0] and "odd.toml, colour" in said[1]
    stand = fleet.stand()
    assert stand.workers == () and [(each.name, each.share) for each in stand.tests[1::2]] == [
        ("good", 2.0),
        ("rests", 1.0),
    ]
    assert [each.state for each in stand.tests] == [said[0], "waiting", said[1], "paused"]
    (tmp_path / "rests.toml").write_text(TEST.format(low=5))
    assert [*fleet.waiting()] == ["good", "rests"]


@pytest.mark.cluster
def test_a_bad_test_is_put_aside_before_any_worker_has_started(tmp_path: Path) -> None:
    """Its reason is in the log and on the page, the others are played, and it is played once its file is mended."""
    said: list[str] = []
    bad = tmp_path / "a.toml"  # its turn comes first
    bad.write_text('game = "tictactoe"\nplayers = ["nosuch", "random"]\ngames = 10\n')
    (tmp_path / "b.toml").write_text('game = "tictactoe"\nplayers = ["first", "random"]\ngames = 10\n')
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    fleet = Fleet(tmp_path, f"sqlite:///{tmp_path / 'games.db'}", jobs=1, say=said.append)
    playing = threading.Thread(target=fleet.run, daemon=True)
    playing.start()
    try:
        until(lambda: store.count("b") == 10)
        until(lambda: [each.name for each in fleet.stand().tests] == ["a"])
        (test,) = fleet.stand().tests
        assert "no player 'nosuch'" in test.state and f"a: {test.state}" in said
        bad.write_text(bad.read_text().replace("nosuch", "first"))
        os.utime(bad, (0, 0))  # another time of change, on any clock
        until(lambda: store.count("a") == 10)
    finally:
        fleet.stop()
        playing.join(LIMIT)
        store.close()


@pytest.mark.cluster
def test_a_player_whose_file_is_deleted_loses_no_game_by_it(tmp_path: Path) -> None:
    """Its test is put aside with the file's name, the others are played, and it goes on once both files are there."""
    program, said = tmp_path / "first.py", list[str]()
    example = EXAMPLES / "first.py"
    program.write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    folder = tmp_path / "tests"
    folder.mkdir()
    test = folder / "a.toml"
    spec = f"program:{sys.executable} {program} {{side}} {{first}}"
    test.write_text(f"game = 'tictactoe'\nplayers = ['p={spec}', 'random']\ngames = 100000\n")
    database = f"sqlite:///{folder / 'games.db'}"
    store = Store(database)
    fleet = Fleet(folder, database, jobs=1, say=said.append)
    playing = threading.Thread(target=fleet.run, daemon=True)
    playing.start()
    try:
        until(lambda: store.count("a") > 2)
        program.unlink()
        until(lambda: said)
        assert said == [f"a: p cannot be started: {program} is gone"]
        (stand,) = fleet.stand().tests
        assert stand.state == "p cannot be started: " + f"{program} is gone"
        assert all(each.void or each.fault is None for each in store.games("a"))
        (folder / "b.toml").write_text("game = 'tictactoe'\nplayers = ['first', 'random']\ngames = 10\n")
        until(lambda: store.count("b") == 10)
        os.utime(test, (0, 0))
        until(lambda: len(said) > 2)
        assert said[-1] == f"a: Arena 'a' cannot go on: {program} is gone."
        program.write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
        before = store.count("a")
        os.utime(test, (1, 1))
        until(lambda: store.count("a") > before)
    finally:
        fleet.stop()
        playing.join(LIMIT)
        store.close()


@pytest.mark.process
def test_the_server_of_a_fleet_looks_and_analyses_alone(tmp_path: Path) -> None:
    """Each operation that acts is refused with 4xx, whatever it is asked; and none else is refused for that."""
    port = free_port()
    command = [sys.executable, "-m", "plyground", "fleet", str(tmp_path), "--port", str(port), "--jobs", "1"]
    game, position = {"game": "tictactoe"}, {"game": "tictactoe", "moves": ["b2"]}
    acting = {name for name, operation in BY_NAME.items() if operation.acts}
    writing = {"create", "play", "undo", "sit", "offer", "resign", "delete", "reply", "learn", "learn_stop"}
    room = {"lesson_run", "lesson_code", "challenge", "show", "pair", "remove", "work", "class_file", "room", "class"}
    assert acting == writing | room
    with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        until(lambda: is_listening(port))
        schema = httpx.get(f"http://127.0.0.1:{port}/openapi.json", timeout=LIMIT).json()
        for path in schema["paths"]:
            name = path.rpartition("/")[2]
            args = {"create": game, "reply": position | {"player": "first"}, "learn": game}
            args |= {"learn_stop": {}, "lesson_run": {"name": "1-play", "example": 0}}
            answer = httpx.post(f"http://127.0.0.1:{port}{path}", json=args.get(name, {}), timeout=LIMIT)
            is_refused = "shows a fleet" in answer.text
            assert not (acting >= {name} and not 400 <= answer.status_code < 500), (name, answer.text)
            assert is_refused == (name in acting and answer.status_code != 422), (name, answer.text)
        looked = httpx.post(f"http://127.0.0.1:{port}/api/analyse", json=position | {"depth": 2}, timeout=LIMIT)
        assert looked.status_code == 200, looked.text
    assert not BY_NAME["arenas"].acts


def is_listening(port: int) -> bool:
    """Whether a server answers."""
    try:
        return httpx.get(f"http://127.0.0.1:{port}/").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.cluster
@pytest.mark.only_on("linux", "darwin")
def test_a_fleet_that_is_killed_while_workers_compile_leaves_no_process(tmp_path: Path) -> None:
    """The workers see that it has gone, also in the middle of machine code for a search."""
    (tmp_path / "t.toml").write_text('game = "chess"\nplayers = ["engine:time=60", "random"]\ngames = 8\n')
    environment = {name: value for name, value in os.environ.items() if name != "PLYGROUND_PLAIN"}
    environment["PLYGROUND_CACHE"] = str(tmp_path / "cache")  # with nothing in it
    command = [sys.executable, "-m", "plyground", "fleet", str(tmp_path), "--port", str(free_port()), "--jobs", "2"]
    with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as fleet:
        until(lambda: [*(tmp_path / "cache").glob("*")])  # a compiler is at work
        everyone = psutil.Process(fleet.pid).children(recursive=True)
        assert everyone
        fleet.kill()
        _, alive = psutil.wait_procs(everyone, timeout=LIMIT)
        assert alive == []


def asked(port: int) -> Any:
    """The list of arenas, as the page asks for it."""
    return httpx.post(f"http://127.0.0.1:{port}/api/arenas", json={}).json()


@pytest.mark.cluster
@pytest.mark.only_on("linux", "darwin")
def test_two_tests_three_workers_two_killed_and_a_restart(tmp_path: Path) -> None:
    """Both are decided, no game is lost or double, and the page's operations have what engine authors read."""
    folder, at, port = tmp_path / "tests", free_port(), free_port()
    folder.mkdir()
    for name, low in (("one", -10), ("two", -15)):
        (folder / f"{name}.toml").write_text(TEST.format(low=low))
    address, quiet = f"tcp://127.0.0.1:{at}", {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-m", "plyground", "fleet", str(folder), "--scheduler", address, "--port", str(port)]
    dask = [sys.executable, "-m", "distributed.cli"]
    store = Store(f"sqlite:///{folder / 'games.db'}")
    with ExitStack() as stack:
        stack.enter_context(closing(store))
        here = ["--host", "127.0.0.1", "--no-dashboard"]
        scheduler = [*dask[:2], "distributed.cli.dask_scheduler", *here, "--port", str(at)]
        stack.enter_context(started(scheduler, **quiet))
        worker = [*dask[:2], "distributed.cli.dask_worker", address, *here, "--nthreads", "1", "--no-nanny"]
        worker += ["--local-directory", str(tmp_path)]
        workers = [stack.enter_context(started(worker, **quiet)) for _ in range(3)]
        with started(command, **quiet) as first:
            until(lambda: store.count("one") > 0)
            until(lambda: len(asked(port)["fleet"]["workers"]) == 3)
            states = {each["name"]: each["state"] for each in asked(port)["fleet"]["tests"]}
            assert states == {"one": "playing", "two": "waiting"}
            workers[0].kill()
            workers[1].kill()
            first.send_signal(signal.SIGINT)
            first.wait(LIMIT)
        before = store.count("one")
        with started(command, **quiet) as again:
            until(lambda: all((arena := store.arena(name)) and arena.why for name in ("one", "two")))
            arenas = asked(port)["arenas"]
            until(lambda: asked(port)["fleet"]["tests"] == [])
            again.send_signal(signal.SIGINT)
            again.wait(LIMIT)
        for name in ("one", "two"):
            numbers = [each.task.number for each in store.games(name)]
            assert len({*numbers}) == len(numbers) > 500
            # what is missing was under way when the test was decided; nothing is that was under way at the kill
            missing = {*range(max(numbers))} - {*numbers}
            assert not missing or min(missing) > before
        assert 0 < before < store.count("one")
    lines = {line["name"]: line for line in arenas}
    assert {*lines} == {"one", "two"}
    for line in lines.values():
        assert line["state"] == "over" and "accepted" in line["why"]
        assert re.match(r"LLR [+−]\d+\.\d\d \(−2\.94, 2\.94\) \[−1[05], 10\], Elo ", line["test"])
