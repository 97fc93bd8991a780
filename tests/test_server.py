"""The server as pages and bots meet it: real processes, real databases, faults included."""

import asyncio
import json
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import ExitStack, aclosing, suppress
from pathlib import Path

import psutil
import pytest
from servers import Answer, Server, play_a_game, serving
from waiting import LIMIT, until
from websockets.sync.client import ClientConnection

import plyground as pg
from plyground.web import operations, turns
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.limits import REQUESTS
from plyground.web.services import Services
from plyground.web.views import positions
from plyground.web.views.models import At, Reply, ReplyView, ReportView
from plyground.workers.fair_queue import Asker, Stop
from plyground.workers.pool import Preempted, WorkerPool, WorkerStopped
from plyground.workers.pool_worker import Job
from plyground.workers.shares import Visitor

ROOT = Path(__file__).resolve().parent.parent
pytestmark = [pytest.mark.compiled, pytest.mark.process]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests that do it no harm."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('web') / 'games.db'}") as started:
        yield started


def test_the_bot_of_the_document(server: Server) -> None:
    """The example plays a whole game; the document names every operation."""
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "bot.py", server.address],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.split()[-1] in ("wins", "draw")
    document = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    paths = server.http.get("/openapi.json").json()["paths"]
    assert all(f"| `{path.removeprefix('/api/')}` |" in document for path in paths)


def test_seats_are_secret(server: Server) -> None:
    """Nobody plays for another; a ply is played once; the same move again is no error; taking back needs both."""
    game, moves = play_a_game(server)
    x, o = game["seats"]["x"], game["seats"]["o"]
    assert "secret" not in json.dumps(server.ask("open", id=game["id"])) and x not in json.dumps(server.ask("games"))
    ply = {"id": game["id"], "ply": 4}
    assert "turn" in server.ask("play", 403, seat=x, move="a3", **ply)["error"]
    assert "watched" in server.ask("play", 403, seat="guess", move="a3", **ply)["error"]
    assert "made there already" in server.ask("play", 409, id=game["id"], seat=x, ply=1, move="a3")["error"]
    assert server.ask("play", id=game["id"], seat=x, ply=1, move="b2")["position"]["moves"] == moves
    assert "not a legal move" in server.ask("play", 400, seat=o, move="b2", **ply)["error"]
    assert "both" in server.ask("undo", 403, id=game["id"], seats=[x])["error"]
    assert server.ask("undo", id=game["id"], seats=[x, o])["position"]["moves"] == moves[:2]
    assert server.ask("resign", id=game["id"], seat=o)["why"] == "o resigns"
    assert "is over" in server.ask("play", 409, id=game["id"], seat=x, ply=3, move="c3")["error"]
    lines = server.ask("export", id=game["id"])["jsonl"].splitlines()
    assert json.loads(lines[-1]) == {"utility": 1, "why": "o resigns", "fault": None, "ending": "resignation"}
    server.ask("delete", 403, id=game["id"], seat="guess")
    server.ask("delete", id=game["id"], seat=x)
    assert "no game" in server.ask("open", 404, id=game["id"])["error"]


def test_a_reply_is_made_in_its_game(server: Server) -> None:
    """With the seat's secret, once; without it nothing is made; another side's secret makes nothing.

    No part tells a move that is not made yet.
    """
    game = server.ask("create", game="tictactoe", x="human", o="first")
    assert game["game"] == server.ask("open", id=game["id"])
    at = {"id": game["id"], "game": "tictactoe", "player": "first"}
    server.ask("play", id=game["id"], seat=game["seats"]["x"], ply=1, move="b2")
    told = server.ask("reply", moves=["b2"], **at)
    assert told["move"] == "a1" and told["saved"] is None
    assert "turn" in server.ask("reply", 403, moves=["b2"], seat=game["seats"]["x"], **at)["error"]
    assert server.ask("open", id=game["id"])["version"] == 1
    with server.socket() as web:
        web.send(json.dumps({"id": 1, "op": "follow", "args": {"id": game["id"]}}))
        assert json.loads(web.recv(timeout=LIMIT))["part"]["version"] == 1
        made = server.ask("reply", moves=["b2"], seat=game["seats"]["o"], **at)
        assert made["move"] == "a1" and made["saved"]["position"]["moves"] == ["b2", "a1"]
        assert json.loads(web.recv(timeout=LIMIT))["part"] == made["saved"]
    with server.socket() as web:
        other = server.ask("create", game="tictactoe", moves=["b2"], x="human", o="level:learning")
        asked = {"game": "tictactoe", "moves": ["b2"], "player": "level:learning"}
        seat = {"id": other["id"], "seat": other["seats"]["o"]}
        web.send(json.dumps({"id": 1, "op": "reply", "args": asked | seat}))
        parts = [said["part"] for said in heard(web, 1) if "part" in said]
        assert [part["saved"]["version"] for part in parts if part["move"]] == [2]
    server.ask("reply", 409, moves=["b2"], seat=game["seats"]["o"], **at)
    assert server.ask("open", id=game["id"]) == made["saved"]


def test_an_exported_game_is_replayed(server: Server, tmp_path: Path) -> None:
    """The terminal reads what the page saves."""
    game, moves = play_a_game(server)
    file = tmp_path / "game.jsonl"
    file.write_text(server.ask("export", id=game["id"])["jsonl"], encoding="utf-8")
    words = [sys.executable, "-m", "plyground", "replay", str(file), "--json"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout)["moves"] == moves


def heard(web: ClientConnection, number: int) -> Iterator[Answer]:
    """The messages about one request, to its last."""
    while True:
        said: Answer = json.loads(web.recv(timeout=LIMIT))
        if said["id"] == number:
            yield said
            if "part" not in said:
                return


def test_a_search_is_seen_and_stopped(server: Server) -> None:
    """Deeper and deeper parts; stopped, it answers with the best so far; the socket goes on after nonsense."""
    until(lambda: not server.ask("reply", game="ultimate", player="engine:time=0.1,eval=own")["report"]["why_plain"])
    with server.socket() as web:
        for nonsense in ("{", "[]", '{"id": 1}', '{"id": "x", "op": "menu"}', "[" * 30_000):
            web.send(nonsense)
            assert "A message is" in json.loads(web.recv())["error"]
        web.send('{"id": 1, "op": "dance"}')
        assert "no operation" in next(heard(web, 1))["error"]
        args = {"game": "ultimate", "player": "engine:time=50,eval=own"}
        web.send(json.dumps({"id": 2, "op": "reply", "args": args}))
        answers = heard(web, 2)
        depths = [next(answers)["part"]["report"]["depth"] for _ in range(3)]
        assert depths == sorted(set(depths))
        web.send('{"id": 3, "op": "stop", "of": 2}')
        assert list(answers)[-1]["ok"]["move"]
        web.send(json.dumps({"id": 4, "op": "review", "args": {"game": "tictactoe", "moves": ["a1", "b1"]}}))
        steps = list(heard(web, 4))[-1]["ok"]["steps"]
        assert [step["verdict"] for step in steps] == ["", "best", "blunder: gave away the draw"]


def test_watchers_see_every_move_in_order(server: Server) -> None:
    """One who follows a game gets it as it stands and after each move; deleting it ends the stream."""
    game = server.ask("create", game="tictactoe")
    with server.socket() as web:
        web.send(json.dumps({"id": 1, "op": "follow", "args": {"id": game["id"]}}))
        seen = heard(web, 1)
        assert next(seen)["part"]["position"]["moves"] == []
        for ply, move in enumerate(["a1", "b2", "c3"], start=1):
            server.ask("play", id=game["id"], seat=game["seats"]["xo"[(ply + 1) % 2]], ply=ply, move=move)
            part = next(seen)["part"]
            assert (part["version"], part["position"]["moves"][-1]) == (ply, move)
        server.ask("delete", id=game["id"], seat=game["seats"]["x"])
        assert "ok" in next(seen)


def test_lessons(server: Server) -> None:
    """One after another to the last; what they link to is there; a run prints what is shown; the rest is refused."""
    lesson = server.ask("lesson")
    examples: dict[tuple[str, int], Answer] = {}
    while lesson["after"]:
        lesson = server.ask("lesson", lesson=lesson["after"]["name"])
        examples |= {(lesson["name"], part["number"]): part for part in lesson["body"] if "number" in part}
    assert len(examples) > 30
    for place in [example["link"]["values"] for example in examples.values() if example["link"]]:
        server.ask("position", game=place["game"], start=place.get("start", ""), moves=place.get("moves", "").split())
    assert server.http.get("/lessons/expert.svg").headers["content-type"].startswith("image/svg")
    done = server.ask("lesson_run", lesson="2-minimax", number=2)
    shown = [line for line in examples["2-minimax", 2]["shown"].splitlines() if "…" not in line]
    assert shown and all(line in done["output"] for line in shown)
    assert (done["standing"], done["files"]) == ("Done.", {})
    assert "def test" in server.ask("lesson_run", lesson="3-alpha-beta", number=3)["files"]["test_mine.py"]
    assert "no lesson" in server.ask("lesson", 404, lesson="../architecture")["error"]
    assert "none is number 99" in server.ask("lesson_run", 404, lesson="1-rules", number=99)["error"]
    assert "terminal" in server.ask("lesson_run", 400, lesson="4-expert", number=3)["error"]


def test_a_lessons_run_ends_when_nobody_waits(server: Server) -> None:
    """A long one is stopped by its button, or when its page has gone; nothing that it started is left."""
    audit = {"id": 1, "op": "lesson_run", "args": {"lesson": "9-your-player", "number": 2}}

    def players() -> list[psutil.Process]:
        found = []
        for child in psutil.Process(server.process.pid).children(recursive=True):
            with suppress(psutil.Error):  # it has ended
                found += [child] if "player.py" in child.cmdline() else []
        return found

    def begin(web: ClientConnection) -> list[psutil.Process]:
        web.send(json.dumps(audit))
        return until(players)

    with server.socket() as web:
        begun = begin(web)
        web.send('{"id": 2, "op": "stop", "of": 1}')
        assert list(heard(web, 1))[-1]["ok"]["standing"] == "Stopped."
        begun += begin(web)
    assert psutil.wait_procs(begun, timeout=LIMIT)[1] == []
    until(lambda: not players())


def test_a_cut_socket_ends_its_searches(server: Server) -> None:
    """A laptop is closed while every worker analyses without end for it: they are free again for the next who asks."""
    with server.socket() as web:
        for number in range(4):
            web.send(json.dumps({"id": number, "op": "study", "args": {"game": "ultimate"}}))
        for number in range(4):
            next(heard(web, number))
        web.socket.shutdown(socket.SHUT_RDWR)
    with server.socket() as web:
        web.send(json.dumps({"id": 2, "op": "analyse", "args": {"game": "tictactoe", "depth": 2}}))
        assert list(heard(web, 2))[-1]["ok"]["depth"] == 2


def test_undo_goes_back_to_a_persons_last_decision(server: Server) -> None:
    """However often either side has moved since; nothing to take back is said."""
    game = server.ask("create", game="kalah", o="first")
    ident, seats = game["id"], game["seats"]

    def play(*moves: str) -> None:
        for move in moves:
            position = server.ask("open", id=ident)["position"]
            seat = seats[position["to_move"]]
            server.ask("play", id=ident, seat=seat, ply=len(position["moves"]) + 1, move=move)

    def undone() -> list[str]:
        moves: list[str] = server.ask("undo", id=ident, seats=list(seats.values()))["position"]["moves"]
        return moves

    play("3")
    assert undone() == []
    play("3", "6")
    assert undone() == ["3"]
    assert undone() == []
    play("1", "3", "1")
    assert undone() == []
    assert "no move" in server.ask("undo", 400, id=ident, seats=list(seats.values()))["error"]


def test_an_analysis_goes_on_and_takes_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Far beyond the limit of other searches. Of three with one worker each gets its turns, again and again, and tells
    nothing worse than before; one that is ended while it waits ends at once.
    """
    monkeypatch.setattr(turns, "ENDLESS_TURN_SECONDS", 0.3)
    services = Services(SavedGames(GameStore("sqlite://")), long=WorkerPool(size=1, waiting=9, longest=0.001))
    begun: list[int] = []

    class Noted(Stop):
        """Notes each turn."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

        def begins(self, end: Callable[[], None]) -> None:
            begun.append(self.number)
            super().begins(end)

    async def looks(number: int, stop: Stop, depths: list[int]) -> None:
        async for report in operations.BY_NAME["study"].answers(services, At(game="ultimate"), Asker(stop=stop)):
            assert isinstance(report, ReportView) and not report.certain
            depths.append(report.depth)

    async def story() -> None:
        stops, depths = [Noted(number) for number in range(3)], [list[int]() for _ in range(3)]
        tasks = [asyncio.create_task(looks(number, stops[number], depths[number])) for number in range(3)]
        while min(map(begun.count, range(3))) < 6 or not all(depths):
            await asyncio.sleep(0.02)
            assert not any(task.done() for task in tasks)
        assert all(found == sorted(found) for found in depths)
        for stop in stops:  # one has the worker, two wait
            stop()
        await asyncio.gather(*tasks)

    try:
        asyncio.run(asyncio.wait_for(story(), LIMIT))
    finally:
        services.long.close()
        services.quick.close()


def test_no_more_processes_than_are_needed() -> None:
    """One after another is done by one process, two at a time by two; then all end but those that stay."""

    others = set(multiprocessing.active_children())

    async def story() -> None:
        workers = WorkerPool(size=3, waiting=9, stay=1, idle=0.0)

        async def done(who: str = "") -> None:
            job = Job(positions.reply, Reply(game="tictactoe", player="first"))
            async for _ in workers.run(job, lambda end: None, visitor=Visitor(who)):
                pass

        for _ in range(3):
            await done()
        assert len(workers.processes) == 1
        await asyncio.gather(done("a"), done("b"))
        assert len(workers.processes) == 2
        while len({*multiprocessing.active_children()} - others) > 1:  # which lets go of what has ended
            await asyncio.sleep(0.01)
        await done()  # by the one that has stayed
        assert len(workers.processes) == len({*multiprocessing.active_children()} - others) == 1
        workers.close()

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_recording_is_cancelled_at_once(server: Server) -> None:
    """The process that was recording heeds it, and records the next tree."""
    with server.socket() as web:
        for number, (game, depth) in enumerate([("tictactoe", 1), ("connectfour", 9)], 1):
            args = {"game": game, "algorithm": "ordered", "depth": depth}
            web.send(json.dumps({"id": number, "op": "tree", "args": args}))
        assert "ok" in next(heard(web, 1))
        before = {worker.pid for worker in server.workers()}
        web.send('{"id": 3, "op": "cancel", "of": 2}')
        web.send(json.dumps({"id": 4, "op": "tree", "args": {"game": "tictactoe", "depth": 2}}))
        assert next(heard(web, 4))["ok"]["nodes"] == pg.search(pg.Position.initial(pg.MNK()), "alphabeta", 2).nodes
        assert before <= {worker.pid for worker in server.workers()}


def test_one_socket_cannot_ask_for_everything(server: Server) -> None:
    """Requests beyond the rate are answered later, each once, and meanwhile others are."""
    most = 2 * int(REQUESTS.burst)
    with server.socket() as web, server.socket() as other:
        for number in range(most):
            web.send(json.dumps({"id": number, "op": "dance"}))
        other.send(json.dumps({"id": 1, "op": "menu"}))
        assert "ok" in next(heard(other, 1))
        assert [json.loads(web.recv(timeout=LIMIT))["id"] for _ in range(most)] == [*range(most)]


def test_no_answer_is_taken_for_anothers() -> None:
    """Who leaves twice, as when a request is cancelled and then its socket is lost, leaves last words behind."""

    quick = Reply(game="tictactoe", moves=["a1", "b1", "a2"], player="alphabeta:depth=2")
    slow = Reply(game="connectfour", player="engine:time=3600,eval=own")

    async def moves(workers: WorkerPool, stop: Stop, args: Reply) -> list[str]:
        parts = workers.run(Job(positions.reply, args, final=positions.best_so_far), stop.begins)
        return [part.move async for part in parts if isinstance(part, ReplyView) and part.move]

    async def story() -> list[str]:
        workers, begun = WorkerPool(size=1, waiting=1, longest=3600), asyncio.Event()

        async def think() -> None:
            async with aclosing(workers.run(Job(positions.reply, slow), Stop().begins)) as parts:
                async for _ in parts:
                    begun.set()

        thinking = asyncio.create_task(think())
        await begun.wait()
        for _ in range(2):
            thinking.cancel()
            await asyncio.sleep(0)
        await asyncio.wait([thinking])
        ended = Stop()
        first = await moves(workers, ended, quick)
        ended()  # too late to mean anything to the next one
        asked = Stop()
        asked()  # before it begins
        found = [*first, *await moves(workers, Stop(), quick), *await moves(workers, asked, slow)]
        workers.close()
        return found

    found = asyncio.run(asyncio.wait_for(story(), LIMIT))
    assert found[:2] == ["a3", "a3"] and len(found) == 3


def test_a_killed_worker_costs_one_answer(server: Server) -> None:
    """Its search ends in a sentence; the next one has a new worker."""
    with server.socket() as web:
        web.send(json.dumps({"id": 1, "op": "analyse", "args": {"game": "ultimate", "seconds": 50}}))
        answers = heard(web, 1)
        next(answers)
        killed = server.workers()
        for worker in killed:
            worker.kill()
        last = list(answers)[-1]
        assert last["status"] == 503 and "ask again" in last["error"]
        assert psutil.wait_procs(killed, timeout=LIMIT)[1] == []
        web.send(json.dumps({"id": 2, "op": "analyse", "args": {"game": "tictactoe", "depth": 1}}))
        assert list(heard(web, 2))[-1]["ok"]["depth"] == 1


def test_strangers_are_kept_out(server: Server) -> None:
    """Another site's page, another name for this machine, a body too large: each refused."""

    def status(op: str, host: str = "", origin: str = "", **args: object) -> int:
        given = {key: value for key, value in {"Host": host, "Origin": origin}.items() if value}
        return server.http.post(f"/api/{op}", json=args, headers=given).status_code

    assert status("menu", origin="https://elsewhere.example") == 403
    assert status("menu", host="elsewhere.example") == 421
    assert status("menu", origin=server.address) == 200
    assert status("edit", game="tictactoe", text="x" * 70_000) == 413
    assert "default-src 'none'" in server.http.get("/").headers["content-security-policy"]
    assert server.http.get("/../../pyproject.toml").status_code == 404
    assert {server.http.get(path).status_code for path in ("/docs", "/redoc")} == {404}  # their scripts are forbidden
    for spec in ("program:true", "connect:localhost:1", "/etc/passwd.py:Game"):
        assert status("reply", game="tictactoe", player=spec) == 400
    for spec in ("/etc/passwd.py:Game", "prolog:/etc/passwd", " gdl[seconds=1]:/etc/passwd"):
        assert status("position", game=spec) == 400


def test_no_input_makes_the_server_fail(server: Server) -> None:
    """Schemathesis, on the schema that the server publishes: no answer is a 500, and each is of its form."""
    folder = Path(sys.executable).parent
    program = shutil.which("schemathesis", path=str(folder))
    assert program
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    options = ["--phases", "examples,fuzzing", "--max-examples", "15", "--checks", checks, "--seed", "1"]
    words = [program, "run", f"{server.address}/openapi.json", *options]
    words += ["--rate-limit", "45/s", "--workers", "1", "--request-timeout", str(LIMIT)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False, env=os.environ | {"NO_COLOR": "1"})
    assert done.returncode == 0, done.stdout[-3_000:]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "99999"], "0 to 65535"),
        (["--database", "nonsense"], "names no database"),
        (["--database", "sqlite:////nowhere/at/all.db"], "cannot be used"),
        (["--player", "student"], "NAME=SPEC"),
        (["--player", "a=nobody"], "no player"),
        (["--host", "elsewhere.invalid"], "cannot be listened on"),
    ],
)
def test_bad_options(words: list[str], said: str) -> None:
    """One sentence, exit code 2."""
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", "0", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=LIMIT)
    assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr


def test_a_program_is_brought_to_a_position_or_says_why_not(tmp_path: Path) -> None:
    """Opened in the page: the program that knows `position` plays there as its twin does; others are refused."""
    players = Path(__file__).resolve().parent.parent / "examples" / "players"
    programs = {
        "first": f"program:{sys.executable} {players / 'first.py'} {{side}} {{first}}",
        "deaf": f"program[timeout=1]:sh {players / 'first.sh'} {{side}} {{first}}",
        "nowhere": "program:/nowhere/at/all",
    }
    named = [word for name, spec in programs.items() for word in ("--player", f"{name}={spec}")]
    with serving(f"sqlite:///{tmp_path / 'games.db'}", *named) as server:
        for start, moves in (("", []), ("xo./.../...:x", []), ("xo./.../...:x", ["c1"])):
            here: Answer = {"game": "tictactoe", "start": start, "moves": moves}
            assert server.ask("reply", **here, player="first")["move"] == (
                "a1" if not start else "a2" if moves else "c1"
            )
        for name, said in (("deaf", "cannot be told where the game starts"), ("nowhere", "cannot be started")):
            refused = server.ask("reply", 503, game="tictactoe", start="xo./.../...:x", moves=[], player=name)
            assert said in refused["error"]


def test_a_level_answers_while_everything_else_is_held_up(tmp_path: Path) -> None:
    """All processes of the server that search or start a search are stopped, and another visitor's studies fill the
    queue: a level moves, in a game that a person plays too; once they go on, so does it."""
    with serving(f"sqlite:///{tmp_path}/games.db") as server, ExitStack() as visitors:
        server.ask("reply", game="draughts", player="level:easy")  # it has a worker
        for number in range(3):
            visitor = visitors.enter_context(server.socket())
            visitor.send(json.dumps({"id": number, "op": "study", "args": {"game": "chess"}}))
        held = psutil.Process(server.process.pid).children(recursive=True)
        made = server.ask("create", game="draughts", o="level:easy")
        played = server.ask("play", id=made["id"], seat=made["seats"]["x"], ply=1, move="9-13")
        for process in held:
            process.suspend()
        try:
            moves = played["position"]["moves"]
            asked = {"game": "draughts", "moves": moves, "id": made["id"], "seat": made["seats"]["o"]}
            assert len(server.ask("reply", player="level:easy", **asked)["saved"]["position"]["moves"]) == 2
            assert server.ask("reply", game="chess", player="level:best")["move"]
            ended = (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)  # a late one has been killed
            assert all(process.status() in ended for process in held if process.is_running())
        finally:
            for process in held:
                with suppress(psutil.Error):
                    process.resume()
        assert until(
            lambda: (
                "late" not in (server.ask("reply", game="draughts", player="level:easy")["report"]["why_plain"] or "")
            )
        )


def test_what_was_told_before_a_stop_is_the_answer() -> None:
    """A search that begins again elsewhere and is stopped there at once has had an answer, which counts."""

    class Left:
        async def run_turn(self, *_: object, **__: object) -> AsyncGenerator[ReplyView, None]:
            yield ReplyView(move="b2", report=None)
            raise Preempted

    class Stopped:
        async def run(self, *_: object) -> AsyncGenerator[ReplyView, None]:
            raise WorkerStopped("Stopped before there was an answer; ask again.")
            yield

    async def answers(stop: Stop) -> list[str | None]:
        job = Job(positions.reply, Reply(game="tictactoe", player="first"))
        found = turns.run_with_handover(Left(), Stopped(), job, Asker(stop=stop))  # type: ignore[arg-type]
        return [each.move async for each in found if isinstance(each, ReplyView)]

    stop = Stop()
    with pytest.raises(WorkerStopped):
        asyncio.run(answers(stop))
    stop()
    assert asyncio.run(answers(stop)) == ["b2"]
