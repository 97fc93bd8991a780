"""Code that readers write in a lesson's page: where it is run, how it is graded and drawn."""

import asyncio
import os
import re
import socket
import sys
import threading
from collections.abc import Coroutine, Iterator
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any, NoReturn

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import person
from playwright.sync_api import Playwright, expect
from right_searches import ALPHABETA, MINIMAX
from servers import serving
from waiting import LIMIT

from plyground.errors import BadInput
from plyground.sandbox.bubblewrap import unconfined_warning
from plyground.web.classroom.classroom import Classroom
from plyground.web.classroom.classroom_models import Enter
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.lessons import loader, runner
from plyground.web.lessons.examples import Command
from plyground.web.lessons.lesson_models import OutputView
from plyground.web.lessons.runner import LessonRunner
from plyground.web.operations import BY_NAME
from plyground.web.services import Services
from plyground.workers.fair_queue import Asker
from plyground.workers.shares import SERVER, TooMany, Visitor

WRONG = ALPHABETA.replace("beta = min(beta, value)", "alpha = min(alpha, value)")


@pytest.fixture
def services() -> Iterator[Services]:
    """The services of a server that may run code of lessons."""
    with closing(Services(SavedGames(GameStore("sqlite://")), code=True)) as made:
        yield made


def last(services: Services, op: str, **args: object) -> Any:
    """The last answer of an operation."""

    async def ask() -> Any:
        operation = BY_NAME[op]
        async with aclosing(operation.answers(services, operation.args.model_validate(args), Asker())) as parts:
            return [part async for part in parts][-1]

    return asyncio.run(asyncio.wait_for(ask(), LIMIT))


def test_code_runs_only_where_it_is_allowed(services: Services) -> None:
    """A page learns from the lesson whether it can be changed; the operations refuse it in one sentence."""
    assert last(services, "lesson", lesson="2-minimax").changes
    services.code = False
    assert not last(services, "lesson", lesson="2-minimax").changes
    code = {"lesson": "3-alpha-beta", "file": "student.py", "code": "import os", "exercise": 1}
    with pytest.raises(BadInput, match="plyground web --code"):
        last(services, "lesson_code", **code)
    with pytest.raises(BadInput, match="plyground web --code"):
        last(services, "lesson_run", lesson="8-your-search", number=1, files={"greedy.py": ""})


def test_only_files_of_the_lesson_are_graded(services: Services) -> None:
    """The exercise's command grades it; without an exercise, the lesson's search of that file is graded."""
    for args in ({"file": "other.py"}, {"file": "greedy.py", "exercise": 3}, {"file": "student.py", "exercise": 1}):
        with pytest.raises(loader.NoLesson):
            last(services, "lesson_code", lesson="8-your-search", code="", **args)


def test_exercises_begin_with_what_they_ask_for() -> None:
    """A game where an evaluation is asked for; reasons of answers are without Markdown."""
    begun = loader.exercises_of("18-better")[3].code
    assert begun and "class Learned(pg.MNK):" in begun.code and "def search" not in begun.code
    begun = loader.exercises_of("3-alpha-beta")[1].code
    assert begun and "def search(game, observer, state, depth, alpha, beta):" in begun.code
    reasons = [each.why for name in loader.pages()[1:] for each in loader.exercises_of(name).values()]
    assert not [why for why in reasons if "](" in why]


@pytest.mark.process
def test_a_file_is_graded_with_its_counterexample_drawn(services: Services) -> None:
    """The mistake by its name, and the two trees, whose parts have their steps; a right one ends without a fault."""
    code = {"lesson": "3-alpha-beta", "file": "student.py", "exercise": 1}
    found = last(services, "lesson_code", **code, code=WRONG)
    assert found.standing == "Done, with exit code 1." and "of 100 points" in found.output
    assert found.files.keys() == {"yours.svg", "right.svg"} and "data-step" in found.files["yours.svg"]
    assert last(services, "lesson_code", **code, code=ALPHABETA).standing == "Done."
    assert "takes no alpha and beta" in last(services, "lesson_code", **code, code=MINIMAX).output
    found = last(services, "lesson_code", lesson="11-table", file="student.py", exercise=2, code=ALPHABETA)
    assert found.output.startswith("100 of 110 points. It is not done after 3,000 nodes") and not found.files


@pytest.mark.process
def test_a_changed_file_is_run_and_drawn(services: Services) -> None:
    """The lesson's example runs what stands in the page; other exercises are graded by their commands."""
    changed = loader.lesson("8-your-search").files["greedy.py"].replace("    observer.enter(state, depth, ply)\n", "")
    done = last(services, "lesson_run", lesson="8-your-search", number=4, files={"greedy.py": changed})
    assert "\nnodes    0" in done.output or "never calls observer.enter" in done.output, done.output
    greedy = loader.lesson("8-your-search").files["greedy.py"]
    drawn = last(services, "lesson_code", lesson="8-your-search", file="greedy.py", code=greedy, draw=True)
    assert drawn.files.keys() == {"tree.svg"} and "nodes" in drawn.output, drawn
    answer = (loader.FOLDER / "answers" / "7-your-game.md").read_text("utf-8")
    normal = answer.partition("Append to `last.py`:\n\n```python\n")[2].partition("```")[0]
    code = loader.lesson("7-your-game").files["last.py"] + normal
    told = last(services, "lesson_code", lesson="7-your-game", file="last.py", code=code, exercise=3)
    assert told.standing == "Done." and "every law holds" in told.output


def run_of(
    code: str, visitor: Visitor = SERVER, runs: LessonRunner | None = None, *, by_reader: bool = False
) -> Coroutine[Any, Any, OutputView]:
    """The last answer of a run of Python."""

    class Script(Command):
        run = property(lambda script: ["-c", code])

    async def ask() -> OutputView:
        async with aclosing(
            (runs or LessonRunner()).run(Script(1, "plyground script", ()), {}, Asker(visitor), by_reader=by_reader)
        ) as parts:
            return [part async for part in parts][-1]

    return asyncio.wait_for(ask(), LIMIT)


LEAVES = """
import os
for number in range(3_000):
    with open(f"f{number}", "wb") as file:
        file.truncate(50_000)
os.symlink(SECRET, "a link")
os.link(SECRET, "a hard link")
os.mkfifo("a pipe")
with open("a large file", "wb") as file:
    file.truncate(1 << 25)
open("a name\\n", "w").close()
open("a", "w").write("good")
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="it has other links")
def test_what_a_run_leaves_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few files and few bytes are read, in a thread, no link is followed, and a sentence says that there are more."""
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    readers = set[int]()
    content = runner._read_bounded

    def read_content(*args: Any) -> bytes | None:
        readers.add(threading.get_ident())
        return content(*args)

    monkeypatch.setattr(runner, "_read_bounded", read_content)
    left = asyncio.run(run_of(LEAVES.replace("SECRET", repr(str(tmp_path / "secret")))))
    assert left.standing.startswith("Done. 1,9") and "or more files are not shown: 20 are at most" in left.standing
    assert len(left.files) <= runner.MOST_FILES and sum(map(len, left.files.values())) <= runner.MOST_BYTES
    assert "secret" not in left.files.values() and not {"a large file", "a pipe", "a name\n"} & left.files.keys()
    assert readers and threading.get_ident() not in readers
    few = asyncio.run(run_of("open('a', 'w').write('good')"))
    assert (few.standing, few.files) == ("Done.", {"a": "good"})
    gone = asyncio.run(run_of("import os\nos.rmdir(os.getcwd())"))
    assert gone.standing == "Done. Its folder cannot be read: No such file or directory." and not gone.files


@pytest.mark.process
@pytest.mark.only_on("linux", "darwin")
def test_a_run_that_cannot_be_watched_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it has done to its folder; a fault of the watcher is not blamed on it."""
    nested = "import os, time\nfor _ in range(1500): os.mkdir('in'); os.chdir('in')\ntime.sleep(600)"
    assert "64 folders inside each other" in asyncio.run(run_of(nested)).standing

    def fails(*_: object) -> NoReturn:
        raise RecursionError

    monkeypatch.setattr(runner, "_usage", fails)
    assert "by a fault of plyground's" in asyncio.run(run_of("import time; time.sleep(600)")).standing


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="resource limits are of Linux")
def test_a_run_has_limits_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory and processes as a program; of the server's environment only what is named."""
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    monkeypatch.setenv("SOME_TOKEN", "hunter2")
    told = asyncio.run(run_of("import os; print(dict(os.environ))"))
    assert "PATH" in told.output and "hunter2" not in told.output
    assert "MemoryError" in asyncio.run(run_of("bytearray(3 << 30)")).output
    children = "import subprocess, time\nfor _ in range(100): subprocess.Popen(['sleep', '600'])\ntime.sleep(600)"
    assert asyncio.run(run_of(children)).standing == "It was ended, for it had more than 64 processes."


CURIOUS = """
import os, pathlib, socket
def tried(act):
    try:
        return bool(act())
    except OSError:
        return False
print(tried(pathlib.Path(SECRET).read_text), tried(lambda: socket.create_connection(PORT)))
print(tried(lambda: os.listdir("/proc/SERVER")))
print(os.environ["HOME"] == os.getcwd(), tried(lambda: open("own", "w").write("x")))
"""


@pytest.mark.process
@pytest.mark.only_on("linux")
def test_a_readers_code_is_confined_where_the_system_can(tmp_path: Path) -> None:
    """Readers' code has its own folder, and neither the user's files nor the network, or a sentence says so."""
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as door:
        code = CURIOUS.replace("SECRET", repr(str(secret))).replace("PORT", repr(door.getsockname()))
        code = code.replace("SERVER", str(os.getpid()))
        found = asyncio.run(run_of(code, by_reader=True))
    is_open = bool(unconfined_warning())
    assert found.output == f"{is_open} {is_open}\n{is_open}\nTrue True\n" and found.files == {"own": "x"}
    assert not is_open or "read your files and use the network" in unconfined_warning()


@pytest.mark.process
def test_endless_runs_lock_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a class behind one address, loops that hold all its places give them up to those who wait."""
    monkeypatch.setattr(runner, "EXAMPLES_AT_ONCE", 8)
    monkeypatch.setattr(runner, "TURN_CPU_SECONDS", 0.1)
    greeted, loops = asyncio.run(class_of(16))
    assert greeted == ["hello\n"] * 12
    ended = [each for each in loops if each]
    assert ended and all("for others wait" in each for each in ended)


@pytest.mark.process
def test_four_loops_of_forty_pupils_keep_four_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other pupils' runs end while the loops are still running."""
    monkeypatch.setattr(runner, "TURN_CPU_SECONDS", LIMIT)
    monkeypatch.setattr(runner, "TURN_SECONDS", LIMIT)
    greeted, loops = asyncio.run(class_of(40))
    assert greeted == ["hello\n"] * 36 and loops == ["", "", "", ""]


@pytest.mark.process
def test_code_of_a_reader_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sentence, also where no other run waits; what it printed before is shown. A lesson's own has longer."""
    monkeypatch.setattr(runner, "READER_CPU_SECONDS", 0.5)
    code = "print('here', flush=True)\nwhile True: pass"
    ended = asyncio.run(run_of(code, by_reader=True))
    assert (ended.output, ended.standing) == ("here\n", "Ended after 0.5 seconds of work. Does it ever end?")
    longer = "import time\nwhile time.process_time() < 1.5: pass\nprint('done')"
    assert asyncio.run(run_of(longer)).output == "done\n"


@pytest.mark.process
def test_one_address_leaves_places_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many connections it has: another visitor's run ends while all those that it has begun go on."""
    monkeypatch.setattr(runner, "EXAMPLES_AT_ONCE", 4)
    monkeypatch.setattr(runner, "EXAMPLES_WAITING", 20)
    monkeypatch.setattr(runner, "TURN_CPU_SECONDS", LIMIT)
    monkeypatch.setattr(runner, "TURN_SECONDS", LIMIT)

    async def story() -> None:
        runs, many = LessonRunner(), [Visitor("flood", f"flood {port}") for port in range(40)]
        loops = [asyncio.create_task(run_of("import time; time.sleep(600)", each, runs)) for each in many]
        while sum(each.done() for each in loops) < len(loops) - 2 - 10:  # half of the places, and half of the line
            await asyncio.sleep(0.01)
        assert all(isinstance(each.exception(), TooMany) for each in loops if each.done())
        assert (await run_of("print('hello')", Visitor("visitor", "visitor 1"), runs)).output == "hello\n"
        assert (runs._queue._shares.held, runs._queue._shares.waiting) == (2, 10)
        for each in loops:
            each.cancel()
        await asyncio.gather(*loops, return_exceptions=True)

    asyncio.run(asyncio.wait_for(story(), LIMIT))


async def class_of(pupils: int) -> tuple[list[str], list[str]]:
    """Outputs of a class behind one router, of whom the first four run endless loops, and the states of the loops."""
    runs = LessonRunner()
    people = [Visitor("router", f"router {port}") for port in range(pupils)]
    endless = ["while True: pass", "import time; time.sleep(600)"]
    loops = [asyncio.create_task(run_of(endless[at % 2], people[at], runs)) for at in range(4)]
    while runs._queue._shares.held < 4 and not any(each.done() for each in loops):  # until each has a place
        await asyncio.sleep(0.01)
    hellos = [asyncio.create_task(run_of("print('hello')", each, runs)) for each in people[4:]]
    greeted = await asyncio.gather(*hellos)
    ended = [each.result().standing if each.done() else "" for each in loops]
    for each in loops:
        each.cancel()
    await asyncio.gather(*loops, return_exceptions=True)
    return [each.output for each in greeted], ended


def test_a_person_in_the_room_has_one_turn(services: Services) -> None:
    """Two connections of one person share a turn of their address; connections without a name have one each."""
    services.room = Classroom(services._begin_room_game, services._read_game, "teacher")
    here, there, elsewhere = (Visitor("router", f"router {port}") for port in range(3))
    enter = Enter(me="a" * 16, name="Ada")
    with services.room.place(enter, *here), services.room.place(enter, *there):
        assert services.turn_of(here) == services.turn_of(there) != here
        assert services.turn_of(here).address == "router"
        assert services.turn_of(elsewhere) == elsewhere


@pytest.mark.process
def test_exercises_are_solved_in_the_page(playwright: Playwright, tmp_path: Path) -> None:
    """An answer is checked, a search is graded with its trees drawn step by step; the browser keeps what is solved."""
    with (
        serving(f"sqlite:///{tmp_path / 'games.db'}", "--code") as server,
        person(playwright, server.address) as page,
    ):
        page.goto(f"{server.address}/#/lessons/2-minimax")
        asked = page.get_by_role("group", name="Exercise 1", exact=True)
        for answer, said in (("15", "Not yet: there is a hint"), ("16", "✓ Right.")):
            asked.get_by_role("textbox").fill(answer)
            asked.get_by_role("button", name="Check").click()
            expect(asked.get_by_role("status")).to_contain_text(said)
        written = page.get_by_role("group", name="Exercise 3", exact=True)
        file = written.get_by_role("textbox", name="student.py")
        file.fill(MINIMAX.replace("depth - 1", "depth - 2").replace("depth == 0", "depth <= 0"))
        written.get_by_role("button", name="Grade").click()
        expect(written.get_by_role("log").first).to_contain_text("The depth of a child is not one less")
        yours = written.get_by_role("group", name="Your search")
        yours.get_by_role("button", name="Step back").click()
        expect(yours.get_by_role("status")).to_have_text(re.compile(r"Step (\d+) of \d+"))
        file.fill(MINIMAX)
        written.get_by_role("button", name="Grade").click()
        expect(written.get_by_text("✓ Right.")).to_be_visible()
        assert Axe().run(page).violations_count == 0
        page.goto(f"{server.address}/#/lessons")
        expect(page.get_by_text("2 of 60 exercises are solved")).to_be_visible()
        page.goto(f"{server.address}/#/lessons/3-alpha-beta")
        expect(page.get_by_role("textbox", name="student.py")).to_have_value(MINIMAX)
