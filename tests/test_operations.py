"""Workers of the page keep to the record of each operation."""

import asyncio
import pickle
import re
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from largest import LARGEST, long_game, move_questions, text_questions
from pydantic import BaseModel
from waiting import LIMIT

import plyground as pg
from plyground.errors import BadInput
from plyground.play.record_file import Records
from plyground.position import Position
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.operations import BY_NAME, OPERATIONS, PUBLISHED
from plyground.web.services import Services
from plyground.web.views import positions
from plyground.web.views.models import At, Create, Follow, Open
from plyground.web.views.positions import MOST_REPLAYED_IN_LOOP, page_players
from plyground.workers.fair_queue import Asker, Ender
from plyground.workers.pool import WorkerPool
from plyground.workers.pool_worker import Job
from plyground.workers.shares import SERVER, Visitor

WORKER = Path(__file__).resolve().parent.parent / "page" / "src" / "worker"


def test_published_operations_are_those_of_the_worker() -> None:
    """Each has a function in the worker, but for the menu, which the page holds; the worker has no other."""
    text = (
        (WORKER / "operations.js")
        .read_text(encoding="utf-8")
        .partition("  operations = {\n")[2]
        .partition("\n  };\n")[0]
    )
    answered = set(re.findall(r"^    (\w+):", text, re.MULTILINE))
    assert answered | {"menu"} == {view.name for view in PUBLISHED}


def test_flags() -> None:
    """What is near or swift is published; a secret of an exam is never near, except a reply, which a page withholds."""
    for operation in BY_NAME.values():
        assert operation.published or not (operation.nearby or operation.swift), operation.name
        assert operation.in_exam or not operation.nearby, operation.name
        assert operation.stream or operation.socket_only or operation in OPERATIONS
    assert [name for name, operation in BY_NAME.items() if operation.nearby] == ["position", "reply"]


def test_players_near() -> None:
    """Each player of a worker beside the server is one of `players.js` or a recorded search."""
    kinds = set(
        re.findall(r"^  (\w+): \(.*=> ", (WORKER / "play" / "players.js").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert set(page_players()) - {"minimax", "alphabeta", "ordered"} == kinds - {"perfect"}


class _Threads(WorkerPool):
    """Workers that are threads: each begins its job, and what it is sent and sends can be pickled."""

    async def run(
        self,
        job: Job,
        begins: Callable[[Ender], None],
        waits: Callable[[Ender], None] | None = None,
        visitor: Visitor = SERVER,
    ) -> AsyncGenerator[BaseModel, None]:
        sent: Job = pickle.loads(pickle.dumps(job))
        begins(lambda: None)
        yield pickle.loads(pickle.dumps(await asyncio.to_thread(next, sent.run(sent.args))))


class _LoopLines(positions._HeldPositions):
    """Positions that the event loop holds in memory; a worker has others."""

    def get(self, line: Any) -> Position | None:
        return super().get(line) if threading.current_thread() is threading.main_thread() else None

    def put(self, line: Any, here: Position) -> None:
        if threading.current_thread() is threading.main_thread():
            super().put(line, here)


@contextmanager
def _serve_in_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Services, list[str]]]:
    """A server without processes, and the moves that its event loop plays."""
    played, after = list[str](), Position.after

    def count(position: Position, move: int) -> Position:
        if threading.current_thread() is threading.main_thread():
            played.append(str(move))
        return after(position, move)

    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    monkeypatch.setattr(Position, "after", count)
    quick, long, looks = (_Threads(4, 99) for _ in range(3))
    with closing(Services(SavedGames(GameStore("sqlite://")), quick=quick, long=long, microscope=looks)) as services:
        yield services, played


def _is_large(schema: dict[str, Any], kinds: dict[str, Any]) -> bool:
    """Whether arguments of a schema may have thousands of characters or members."""
    if "$ref" in schema:
        return _is_large(kinds[schema["$ref"].rpartition("/")[2]], kinds)
    if schema.get("maxLength", 0) > 20_000 or schema.get("maxItems", 0) > 200:
        return True
    inside = [*schema.get("anyOf", []), *schema.get("properties", {}).values(), schema.get("items", {})]
    return any(_is_large(each, kinds) for each in inside if each)


def test_every_large_question_is_asked_below() -> None:
    """An operation that takes moves or a text has its largest question in `largest.py`."""
    schemas = {name: operation.args.model_json_schema() for name, operation in BY_NAME.items()}
    large = {name for name, schema in schemas.items() if _is_large(schema, schema.get("$defs", {}))}
    here = long_game("tictactoe", 4)
    asked = {op for _, (op, _) in [*move_questions("tictactoe", here), *text_questions("tictactoe", here, 100)]}
    assert large == asked


@pytest.mark.parametrize("name", [choice.name for choice in pg.GAMES])
def test_no_more_than_a_few_moves_are_played_in_the_event_loop(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop plays one move of a question at most, however long, in each game; the next question of the
    game finds its moves in memory."""
    spec = LARGEST.get(name, name)
    here = long_game(spec, 30)
    while len(here.moves) <= MOST_REPLAYED_IN_LOOP:  # a short game
        here = next(each for move, each in here.children() if each.outcome is None)
    questions = [each for _, each in [*move_questions(spec, here), *text_questions(spec, here, 400)]]
    with _serve_in_threads(monkeypatch) as (services, played):

        async def ask(op: str, args: dict[str, Any]) -> BaseModel | None:
            operation = BY_NAME[op]
            try:
                return await operation.last(services, operation.args.model_validate(args), Asker())
            except BadInput:  # of nonsense
                return None

        async def story() -> None:
            for op, args in questions:
                monkeypatch.setattr(positions, "_HELD_POSITIONS", _LoopLines())
                services.games.memory._states.clear()
                played.clear()
                answer = await ask(op, args)
                assert "text" in args or isinstance(answer, BY_NAME[op].answer) or op in ("judge", "node", "saved"), op
                assert len(played) <= (0 if "text" in args else MOST_REPLAYED_IN_LOOP), op
            shown = positions.position_at(At(game=spec, moves=here.words))
            assert (shown.words, shown.notation, shown.line) == (here.words, here.notation, here.line)
            assert shown.legal_texts == here.legal_texts
            played.clear()
            await ask("position", {"game": spec, "moves": [*here.words, here.legal_texts[0]]})
            assert len(played) == 1

        asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_stored_game_is_played_by_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions on a game that is not in memory have the same answers as on one that is."""
    here = long_game("chess", 40)
    with _serve_in_threads(monkeypatch) as (services, played):

        async def story() -> None:
            visitor = Visitor("someone", "page")

            async def ask(op: str, **args: object) -> Any:
                operation = BY_NAME[op]
                services.games.memory._states.clear()
                monkeypatch.setattr(positions, "_HELD_POSITIONS", _LoopLines())
                played.clear()
                answer = await operation.last(services, operation.args.model_validate(args), Asker(visitor))
                assert len(played) <= MOST_REPLAYED_IN_LOOP, op
                return answer

            made = await ask("create", game="chess", moves=here.words, clock="5+3")
            one, seat = {"id": made.id}, made.seats["x" if here.to_move == 0 else "o"]
            assert (await ask("open", **one)).position == made.game.position == positions.view("chess", here)
            assert "[White" in (await ask("export", **one)).record
            after = await ask("play", **one, seat=seat, ply=len(here.moves) + 1, move=here.legal_texts[0])
            assert after.clock and after.position.moves[:-1] == here.words
            undone = await ask("undo", **one, seats=list(made.seats.values()), plies=1)
            assert undone.position == made.game.position
            follows = BY_NAME["follow"].answers(services, Follow(id=made.id), Asker(visitor))
            services.games.memory._states.clear()
            async with aclosing(follows):
                assert (await anext(follows)).position == made.game.position  # type: ignore[attr-defined]
                with pytest.raises(BadInput, match="Two people play this game"):
                    await ask("analyse", game="chess", moves=[*here.words, here.legal_texts[0]])

        asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_game_is_read_once_for_all_who_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of visitors who open one game share one read and one replay, also if one of them leaves."""
    here = long_game("chess", 20)
    with _serve_in_threads(monkeypatch) as (services, _):

        async def story() -> None:
            made = await services.games.create(Create(game="chess", moves=here.words))
            services.games.memory._states.clear()
            worked, work = list[object](), services.replays.work

            async def count_work(run: Any, args: Any) -> Any:
                worked.append(run)
                return await work(run, args)

            services.replays.work = count_work
            asked = [asyncio.create_task(services.games.open(Open(id=made.id))) for _ in range(300)]
            await asyncio.sleep(0)
            asked[0].cancel()
            views = await asyncio.gather(*asked[1:])
            assert {len(view.position.moves) for view in views} == {len(here.moves)} and len(worked) == 1

        asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_a_text_of_many_lines_is_no_game_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thousands of lines with a game each a few are played, and the others when they are asked for."""
    plays, play = list[str](), Position.play_without_claim

    def count_play(position: Position, move: Any) -> Position:
        plays.append(str(move))
        return play(position, move)

    monkeypatch.setattr(Position, "play_without_claim", count_play)
    found = Records.of_text(" ".join(["d3c5"] * 3_000), "reversi")
    assert len(found) == 3_000 and len(plays) < 200
    assert found[2_999].words() == found[0].words() == ["d3", "c5"]
