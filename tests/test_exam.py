"""In an exam nothing tells values: an operation answers only if its record says that it may."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from servers import serving
from waiting import LIMIT

from plyground.errors import BadInput
from plyground.players import HARMLESS
from plyground.web.house import House
from plyground.web.kept import KeptGames
from plyground.web.operations import BY_NAME, OPERATIONS, Operation
from plyground.web.queue import Asker
from plyground.web.store import Store

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
    "mcts:simulations=9",
    "alphabeta:depth=9",
]
"""Players that tell good moves."""


@pytest.fixture
def house() -> Iterator[House]:
    """What a server has, in an exam."""
    made = House(KeptGames(Store("sqlite://")), teacher="secret")
    made.room.exam = True
    yield made
    made.close()


async def answers(house: House, op: str, **args: object) -> list[Any]:
    """All parts of an operation's answer."""
    operation = BY_NAME[op]
    async with aclosing(operation.answers(house, operation.args.model_validate(args), Asker())) as parts:
        return [part async for part in parts]


@pytest.mark.parametrize("operation", BY_NAME.values(), ids=lambda each: each.name)
def test_an_operation_tells_no_values_or_is_refused(operation: Operation, house: House) -> None:
    """The answer of one that is allowed has no field for a value; another is refused in one sentence, unheard."""
    if operation.in_exam:
        told = json.dumps(operation.answer.model_json_schema())
        assert operation.name == "reply" or not any(f"/{name}" in told or f'"{name}"' in told for name in VALUES)
        return

    async def ask() -> None:
        async with aclosing(operation.answers(house, operation.args.model_construct(), Asker())) as parts:
            async for _ in parts:
                pass

    with pytest.raises(BadInput, match=r"^An exam is on in the room: [^.]*\.$"):
        asyncio.run(ask())


def test_games_are_played_in_an_exam() -> None:
    """What tells is refused; what playing needs is not."""
    allowed = {operation.name for operation in BY_NAME.values() if operation.in_exam}
    assert allowed >= PLAYED and len(OPERATIONS) > 30
    told = {"analyse", "study", "judge", "explore", "tree", "boards", "quiz", "mark", "sheet", "lesson_run", "module"}
    assert not told & allowed


@pytest.mark.parametrize("player", KNOWING)
def test_a_player_that_knows_the_best_move_does_not_reply(player: str, house: House) -> None:
    """Nor does it where it plays in a kept game."""
    assert HARMLESS.named(player)
    with pytest.raises(BadInput, match=r"An exam is on .* level:easy"):
        asyncio.run(answers(house, "reply", game="tictactoe", player=player))


@pytest.mark.parametrize(
    "player", ["engine:threads=1000", "engine:table=100000", "perfect:threads=1000", "mcts:tree=9999"]
)
def test_no_player_takes_the_whole_machine(player: str, house: House) -> None:
    """More threads or memory than there is for a search."""
    house.room.exam = False
    with pytest.raises(BadInput, match="of this server has"):
        asyncio.run(answers(house, "reply", game="tictactoe", player=player))


@pytest.mark.process
def test_an_exam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who errs replies without a word of what it thought; an analysis that was begun before ends with its beginning."""
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    with serving(f"sqlite:///{tmp_path / 'games.db'}", "--room") as server, server.socket() as web:
        teacher = re.search(r"teacher=([\w-]+)", server.said)
        assert teacher
        assert server.ask("reply", game="tictactoe", player="level:easy")["report"]
        web.send(json.dumps({"id": 1, "op": "study", "args": {"game": "ultimate"}}))
        assert "part" in json.loads(web.recv(timeout=LIMIT))
        server.ask("show", teacher=teacher[1], exam=True)
        while "part" in (said := json.loads(web.recv(timeout=LIMIT))):
            pass
        assert "An exam is on" in said["error"] and said["status"] == 400
        for player in ("level:easy", "random", "first"):
            assert server.ask("reply", game="tictactoe", player=player)["report"] is None
        assert "An exam is on" in server.ask("sheet", 400, game="tictactoe", form="json")["error"]
        server.ask("show", teacher=teacher[1], exam=False)
        assert server.ask("reply", game="tictactoe", player="perfect")["move"]
