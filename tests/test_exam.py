"""In an exam nothing tells values: an operation answers only if its record says that it may."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from servers import serving
from waiting import LIMIT

from plyground.errors import BadInput
from plyground.play.level import Level
from plyground.players import HARMLESS, player_named
from plyground.web import limits, searching
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.operation import Operation
from plyground.web.operations import BY_NAME, OPERATIONS
from plyground.web.searching import _representative, exam_answer, exam_question, may_reply_in_exam
from plyground.web.server.app import IMMUTABLE_HEADERS, make_app
from plyground.web.services import Services
from plyground.web.views import models
from plyground.web.views.positions import position_at
from plyground.workers.fair_queue import Asker

PLAYED = {"menu", "board", "position", "create", "open", "play", "undo", "sit", "offer", "resign", "games", "room"}
"""Without these nobody plays in an exam."""
VALUES = {"ReportView", "ScoreView", "MoveView", "JudgeView", "ExploredView", "StepView", "MarkView", "Columns"}
"""Models that tell what something is worth."""
KNOWING = [
    "perfect",
    "engine:time=0.1",
    "level:best",
    "level:error=0",
    "level:error=0.01",
    "level:medium",
    "level:hard,time=60",
    "level:easy,time=0.1",
    "level:error=0.51",
    "mcts:simulations=9",
    "alphabeta:depth=9",
]
"""Players that tell good moves."""


@pytest.fixture
def services() -> Iterator[Services]:
    """What a server has, in an exam."""
    made = Services(SavedGames(GameStore("sqlite://")), teacher="secret")
    made.room.exam = True
    yield made
    made.close()


async def answers(services: Services, op: str, **args: object) -> list[Any]:
    """All parts of an operation's answer."""
    operation = BY_NAME[op]
    async with aclosing(operation.answers(services, operation.args.model_validate(args), Asker())) as parts:
        return [part async for part in parts]


@pytest.mark.parametrize("operation", BY_NAME.values(), ids=lambda each: each.name)
def test_an_operation_tells_no_values_or_is_refused(operation: Operation[Any], services: Services) -> None:
    """The answer of one that is allowed has no field for a value; another is refused in one sentence, unheard."""
    if operation.in_exam:
        told = json.dumps(operation.answer.model_json_schema())
        assert operation.name == "reply" or not any(f"/{name}" in told or f'"{name}"' in told for name in VALUES)
        return

    async def ask() -> None:
        async with aclosing(operation.answers(services, operation.args.model_construct(), Asker())) as parts:
            async for _ in parts:
                pass

    with pytest.raises(BadInput, match=r"^An exam is on in the room: [^.]*\.$"):
        asyncio.run(ask())


WORTH = {
    "score", "scores", "report", "utility", "worth", "brief", "tone", "best", "better", "certain", "variation", "nodes",
    "bar", "ahead", "verdict", "grade", "moved", "counts",
}  # fmt: skip
"""Keys of what tells values."""


def keys(told: object) -> set[str]:
    """All keys in some JSON."""
    if isinstance(told, list):
        return set().union(*map(keys, told))
    return told.keys() | keys([*told.values()]) if isinstance(told, dict) else set()


def test_what_is_told_in_an_exam(services: Services) -> None:
    """Every operation that is allowed and needs no other process, run: nothing in its answer tells a value."""
    told = dict[str, Any]()

    async def ask(op: str, **args: object) -> Any:
        operation = BY_NAME[op]
        async with aclosing(operation.answers(services, operation.args.model_validate(args), Asker())) as parts:
            told[op] = (await anext(parts)).model_dump(mode="json")
        return told[op]

    async def story() -> None:
        at = {"game": "tictactoe", "moves": ["b2", "a1"]}
        for op in ("position", "notations"):
            await ask(op, **at)
        texts = {"edit": {"text": "b2 a1"}, "record": {"text": "b2 a1"}, "arrange": {"text": "b2 a1"}}
        await ask("why_not", **at, path=[4])
        for op, args in (texts | {"board": {}, "create": {}, "record_file": {}}).items():
            await ask(op, game="tictactoe", **args)
        for op in ("menu", "games", "own", "lesson", "alive"):
            await ask(op)
        made = told["create"]
        me = {"id": made["id"], "seat": made["seats"]["x"]}
        other = me | {"seat": made["seats"]["o"]}
        await ask("sit", **me, name="Ann")
        await ask("play", **me, ply=1, move="b2")
        await ask("offer", **other, what="draw")
        with pytest.raises(BadInput, match="no engine helps"):
            await ask("offer", **other, what="help")
        await ask("undo", id=me["id"], seats=[me["seat"], other["seat"]])
        await ask("resign", **me)
        for op in ("open", "follow", "export"):
            await ask(op, id=me["id"])
        await ask("delete", **me)
        await ask("qr", text="b2")
        await ask("show", teacher="secret", exam=True)
        room = BY_NAME["room"]
        views = room.answers(services, room.args(me="a" * 20, name="Ann"), Asker())
        told["room"] = (await anext(views)).model_dump(mode="json")
        await ask("challenge", me="a" * 20, game="tictactoe")
        await ask("work", me="a" * 20, lessons={"2-minimax": {"solved": [1], "points": {}}})
        await ask("class", teacher="secret")
        await ask("class_file", teacher="secret")
        await ask("remove", teacher="secret", number=1)
        await views.aclose()

    asyncio.run(asyncio.wait_for(story(), LIMIT))
    del told["arrange"]["arranged"]["counts"]  # of pieces, not of nodes
    says_done = "pair"
    assert told.keys() == {each.name for each in BY_NAME.values() if each.in_exam} - {"reply", says_done}
    assert not {op: found for op, answer in told.items() if (found := keys(answer) & WORTH)}


def test_no_module_is_fetched_in_an_exam(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of a module is refused in an exam as the operation is, and shared caches do not store it."""
    monkeypatch.setattr("plyground.web.server.app.GameStore", lambda *_: None)
    app = make_app("sqlite://", frozenset({"test"}))
    app.state.services = services

    async def fetch() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
            return await client.get("/modules/any.wasm")

    said = asyncio.run(fetch())
    assert said.status_code == 400 and "An exam is on" in said.json()["error"]
    services.room.exam = False
    assert asyncio.run(fetch()).status_code == 404
    assert IMMUTABLE_HEADERS["Cache-Control"].startswith("private")


def test_a_level_is_asked_one_question_in_an_exam(services: Services) -> None:
    """However it is asked for, and by whatever moves the position came about; another server has another chance."""
    asked = [
        models.Reply(game="tictactoe", moves=moves.split(), start=start, player=player)
        for player in ("level:easy", "level:easy,seed=3", "level:error=0.5,time=0.01")
        for start, moves in (("", "b2 a1 c3"), ("", "c3 a1 b2"), ("o../.x./..x:o", ""))
    ]

    def question(services: Services, args: models.Reply) -> models.Reply:
        level = player_named(args.player)
        assert isinstance(level, Level) and may_reply_in_exam(level)
        return exam_question(services, args, position_at(args), level)

    first, *others = [question(services, args) for args in asked]
    assert first == others[0] and len({each.model_dump_json() for each in others}) == 1
    with closing(Services(SavedGames(GameStore("sqlite://")))) as another:
        assert question(another, asked[0]) != first


@pytest.mark.parametrize(
    ("game", "starts"),
    [
        ("chess", [f"6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - {clock} 40" for clock in range(0, 90, 9)]),
        ("tictactoe", ["o../.x./...:o", "..o/.x./...:o", ".../.x./o..:o", ".../.x./..o:o"]),
    ],
)
def test_a_board_has_one_answer_in_an_exam(game: str, starts: list[str], services: Services) -> None:
    """Whatever its counters say and however it is turned: the same question, and a move to the same board."""
    asked = [models.Reply(game=game, start=start, player="level:easy") for start in starts]
    level, there = player_named("level:easy"), set[str]()
    assert isinstance(level, Level)
    questions = [exam_question(services, args, position_at(args), level) for args in asked]
    assert len({each.start for each in questions}) == 1
    board = position_at(questions[0])
    for move in board.legal_moves:
        answer = models.ReplyView(move=board.game.move_text(board.state, move), report=None)
        for args, question in zip(asked, questions, strict=True):
            here = position_at(args)
            told = exam_answer(here, question, answer).move
            assert told is not None
            there.add(f"{_representative(here.game, here.after(here.legal(told)).state)}")
    assert len(there) == len({f"{_representative(board.game, board.after(move).state)}" for move in board.legal_moves})


def test_games_are_played_in_an_exam() -> None:
    """What tells is refused; what playing needs is not."""
    allowed = {operation.name for operation in BY_NAME.values() if operation.in_exam}
    assert allowed >= PLAYED and len(OPERATIONS) > 30
    told = {"analyse", "study", "judge", "explore", "tree", "boards", "quiz", "mark", "sheet", "lesson_run", "module"}
    assert not told & allowed


@pytest.mark.parametrize("player", KNOWING)
def test_a_player_that_knows_the_best_move_does_not_reply(player: str, services: Services) -> None:
    """Nor does it where it plays in a saved game."""
    assert HARMLESS.make(player)
    with pytest.raises(BadInput, match=r"An exam is on .* level:easy"):
        asyncio.run(answers(services, "reply", game="tictactoe", player=player))


@pytest.mark.parametrize(
    "player", ["engine:threads=1000", "engine:table=100000", "perfect:threads=1000", "mcts:tree=9999"]
)
def test_no_player_takes_the_whole_machine(player: str, services: Services) -> None:
    """More threads or memory than there is for a search."""
    services.room.exam = False
    with pytest.raises(BadInput, match="of this server has"):
        asyncio.run(answers(services, "reply", game="tictactoe", player=player))


def test_a_usual_table_is_no_larger_than_there_is_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches in all places have half of it at most; where that is less than a player's usual table, it has less."""
    memory = psutil.virtual_memory().total / 2**20
    assert limits.PLAYER_TABLE_MIB == 64 or memory / 2 >= 2 * limits.SEARCH_PLACES * limits.PLAYER_TABLE_MIB
    monkeypatch.setattr(searching, "PLAYER_TABLE_MIB", 64)
    given = ["perfect", "perfect:threads=1", "mcts:simulations=9", "engine:time=1", "level:easy"]
    assert [searching.limit_resources(spec, player_named(spec)) for spec in given] == [
        "perfect:table=64",
        "perfect:threads=1,table=64",
        "mcts:simulations=9,tree=64",
        *given[3:],
    ]
    with pytest.raises(BadInput, match="table=65: a player of this server has 64 at most"):
        searching.limit_resources("perfect:table=65", player_named("perfect:table=65"))


@pytest.mark.process
def test_an_exam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who errs replies without a word of what it thought; an analysis that was begun before ends with its beginning."""
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    with serving(f"sqlite:///{tmp_path / 'games.db'}", "--room") as server, server.socket() as web:
        teacher = re.search(r"teacher=([\w-]+)", server.said)
        assert teacher
        assert server.ask("reply", game="tictactoe", player="level:easy")["report"]
        begun: dict[str, dict[str, object]] = {"study": {}, "reply": {"player": "engine:time=60"}}
        for number, (op, args) in enumerate(begun.items()):
            web.send(json.dumps({"id": number, "op": op, "args": {"game": "ultimate"} | args}))
        telling = set[int]()
        while len(telling) < len(begun):
            telling.add(json.loads(web.recv(timeout=LIMIT))["id"])
        server.ask("show", teacher=teacher[1], exam=True)
        ended = dict[int, Any]()
        while len(ended) < len(begun):
            said = json.loads(web.recv(timeout=LIMIT))
            if "part" not in said:
                ended[said["id"]] = said
        assert [said.get("status") for said in ended.values()] == [400, 400], ended
        assert all("An exam is on" in said["error"] for said in ended.values())
        for player in ("level:easy", "random", "first"):
            assert server.ask("reply", game="tictactoe", player=player)["report"] is None
        ways = ["b2 a1 c3 c1 b1 b3", "b1 c1 c3 b3 b2 a1"]  # three places are free: all is known at once
        told = [server.ask("reply", game="tictactoe", moves=way.split(), player="level:easy") for way in ways * 8]
        assert len({reply["move"] for reply in told}) == 1
        assert "An exam is on" in server.ask("sheet", 400, game="tictactoe", form="json")["error"]
        server.ask("show", teacher=teacher[1], exam=False)
        assert server.ask("reply", game="tictactoe", player="perfect")["move"]
