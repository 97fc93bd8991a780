"""Workers of the page keep to the record of each operation."""

import asyncio
import random
import re
from contextlib import closing
from typing import Any

import pytest
from waiting import LIMIT

import plyground as pg
from plyground.play.notations import games_in, read_record
from plyground.play.record import ROOT
from plyground.position import Position
from plyground.web.games.saved_games import SavedGames
from plyground.web.games.store import GameStore
from plyground.web.operations import BY_NAME, OPERATIONS, PUBLISHED
from plyground.web.server.bundle import STATIC
from plyground.web.services import House
from plyground.web.views.models import Edit
from plyground.web.views.positions import nearby
from plyground.web.views.records import RecordText
from plyground.workers.fair_queue import Asker

WORKER = STATIC / "worker" / "operations.js"


def test_published_operations_are_those_of_the_worker() -> None:
    """Each has a function in the worker, but for the menu, which the page holds; the worker has no other."""
    text = WORKER.read_text(encoding="utf-8").partition("  operations = {\n")[2].partition("\n  };\n")[0]
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
        re.findall(
            r"^  (\w+): \(.*=> ", (STATIC / "worker" / "play" / "players.js").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    assert set(nearby()) - {"minimax", "alphabeta", "ordered"} == kinds - {"perfect"}


def _long_game() -> list[str]:
    """A legal game of chess of 300 plies."""
    chosen, here = random.Random(1), pg.Position.initial("chess")
    while len(here.moves) < 300:
        here = here.play(chosen.choice(here.legal_texts))
    return here.words


def _questions() -> dict[str, dict[str, Any]]:
    """The largest question, or nearly so, for each operation that replays moves."""
    moves = _long_game()
    numbered = " ".join(f"{at // 2 + 1}. {move}" if at % 2 == 0 else move for at, move in enumerate(moves))
    varied = numbered.replace("2. ", "(1. e2e4 e7e5) " * 3_000 + "2. ", 1)
    lines = " ".join(["d3c5"] * 3_000)
    at = {"game": "chess", "moves": moves}
    return {
        "position": at,
        "notations": at,
        "why_not": at | {"path": [0, 1]},
        "record": {"game": "reversi", "text": lines},
        "edit": {"game": "chess", "text": varied},
        "arrange": {"game": "chess", "text": varied},
        "record_file": {"game": "reversi", "moves": [{"move": "d3", "after": ROOT} for _ in range(3_000)]},
    }


@pytest.mark.process
def test_no_large_question_is_played_in_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker plays it, so no move is made in the server's own process; those of a small one are made at once."""
    questions = _questions()
    texts = {each.name for each in OPERATIONS if not each.stream and issubclass(each.args, (Edit, RecordText))}
    assert texts <= questions.keys()
    plays, play = list[str](), Position.play

    def count_play(position: Position, move: Any) -> Position:
        plays.append(str(move))
        return play(position, move)

    async def ask(house: House) -> None:
        for name, question in questions.items():
            operation = BY_NAME[name]
            plays.clear()
            answer = await operation.last(house, operation.args.model_validate(question), Asker())
            assert isinstance(answer, operation.answer) and not plays, (name, len(plays))
        small = BY_NAME["edit"].args.model_validate({"game": "chess", "text": "e2e4 e7e5"})
        assert await BY_NAME["edit"].last(house, small, Asker()) and plays

    monkeypatch.setattr(Position, "play", count_play)
    with closing(House(SavedGames(GameStore("sqlite://")))) as house:
        asyncio.run(asyncio.wait_for(ask(house), LIMIT))


def test_a_text_of_many_lines_is_no_game_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thousands of lines with a game each a few are played, and the others when they are asked for."""
    plays, play = list[str](), Position.play

    def count_play(position: Position, move: Any) -> Position:
        plays.append(str(move))
        return play(position, move)

    monkeypatch.setattr(Position, "play", count_play)
    _, game, found = games_in("reversi", " ".join(["d3c5"] * 3_000))
    assert len(found) == 3_000 and len(plays) < 200
    assert read_record(game, found[-1]).words() == read_record(game, found[0]).words() == ["d3", "c5"]
