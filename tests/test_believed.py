"""Analysis that one believes: kept for the next visitor, explored, judged, and in other people's notations."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Server, serving

import plyground as pg
from plyground.web.games import solved_positions
from plyground.web.games.solved_positions import Solved
from plyground.web.games.store import GameStore
from plyground.web.views.models import At, ReportView
from plyground.web.views.positions import position_at, study

pytestmark = pytest.mark.compiled
DEEP: dict[str, Any] = {"game": "connectfour:4,4", "moves": []}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all of these."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('believed') / 'games.db'}") as started:
        yield started


def studied(server: Server, at: Mapping[str, object]) -> list[Answer]:
    """All reports of an analysis that goes on until it is certain."""
    reports = []
    with server.socket() as socket:
        socket.send(json.dumps({"id": 1, "op": "study", "args": at}))
        while "ok" not in (said := json.loads(socket.recv())):
            assert "part" in said, said
            reports.append(said["part"])
    return reports


def believed(server: Server) -> None:
    """What one visitor waits for, the next is told at once; the explorer has it too, of it."""
    first = studied(server, DEEP)
    assert first[-1]["certain"] and len(first) > 1
    again = studied(server, DEEP)
    assert again == [first[-1]]
    moves = server.ask("explore", **DEEP)["moves"]
    assert {each["move"]: each["worth"] for each in moves} == first[-1]["moves"]
    assert moves[0]["worth"]["best"] == "best"


def test_kept_for_the_next(server: Server) -> None:
    """In SQLite."""
    believed(server)


def test_kept_in_postgresql(postgres: str) -> None:
    """The same in PostgreSQL, over a restart."""
    with serving(postgres) as server:
        believed(server)
    with serving(postgres) as server:
        assert len(studied(server, DEEP)) == 1


def test_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what took work, the positions that took the most stay; what took little is not kept."""
    monkeypatch.setattr(solved_positions, "MOST_SOLVED", 2)
    store = GameStore(f"sqlite:///{tmp_path / 'games.db'}")
    table = Solved(store)
    report = [*study(At(game="tictactoe"))][-1]
    places = [position_at(At(game="tictactoe", moves=moves)) for moves in (["a1"], ["b1"], ["c1"], ["b2"])]
    for here, nodes in zip(places, (70_000, 90_000, 80_000, 10), strict=True):
        table.keep(here, report.model_copy(update={"nodes": nodes}))
    assert [table.find(here) is not None for here in places] == [False, True, True, False]
    store.close()


def test_several_lines(server: Server) -> None:
    """Best play after each of the three best moves, in their order; one's own estimates are for whoever is to move."""
    report = ReportView.model_validate(server.ask("analyse", game="connectfour:8,8", moves=["d"], depth=4, seconds=20))
    ranked = sorted(report.moves, key=lambda move: report.moves[move].better)
    assert report.lines[0] == report.variation
    assert {report.moves[line[0]].better for line in report.lines} <= {0, 1, 2}
    assert len(report.lines) == 3 and all(len(line) >= 2 for line in report.lines)
    best, chance = report.moves[ranked[0]], report.moves[ranked[0]].score.chance
    assert (
        chance is not None and best.brief == f"{100 - 100 * chance:.0f} %" and best.brief_x == f"{100 * chance:.0f} %"
    )
    assert "lines open to Red" in report.scale


def test_exercise(server: Server) -> None:
    """A move is judged by exact values, with a better one if it is wrong; an opinion is called one."""
    wrong = server.ask("judge", game="tictactoe", moves=["b2"], move="b1")
    assert (wrong["right"], wrong["certain"]) == (False, True)
    assert wrong["text"] == "No: it gave away the draw."  # the better move is to be found
    assert wrong["best"] == ["a1", "c1", "a3", "c3"]
    assert server.ask("judge", game="tictactoe", moves=["b2"], move="a1")["right"]
    opinion = server.ask("judge", game="connectfour:8,8", moves=["d"], move="a", seconds=0.3)
    assert not opinion["certain"] and "an opinion" in opinion["text"]
    assert "is not a legal move" in server.ask("judge", 400, game="tictactoe", moves=["b2"], move="b2")["error"]


def test_review_tells_the_better_line(server: Server) -> None:
    """Each position has its best line, and how many there are is known from the start."""
    review = server.ask("review", game="tictactoe", moves=["b2", "b1", "a1", "c3"])
    assert review["total"] == 5 and len(review["steps"]) == 5
    assert review["steps"][1]["best"] == review["steps"][1]["line"][0]
    assert review["steps"][2]["grade"] == "blunder" and review["done"]


def test_review_reads_what_is_kept(server: Server) -> None:
    """A position that was solved for good has that value in a review too small to find it."""
    first = studied(server, DEEP)[-1]
    assert first["certain"] and first["depth"] > 8
    game = {"game": DEEP["game"], "moves": first["variation"][:1]}
    began = server.ask("review", **game, seconds=0.01)["steps"][0]
    assert began["score"] == first["score"] and began["line"] == first["variation"]


def test_what_people_played(server: Server) -> None:
    """Moves of people in games that are over are counted by what became of them; a deleted game no more."""
    games = []
    for moves in (["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"], ["b2"]):
        made = server.ask("create", game="tictactoe", moves=moves)
        games.append(made)
        server.ask("resign", id=made["id"], seat=made["seats"]["o"]) if len(moves) == 1 else None
    server.ask("create", game="tictactoe", moves=["a1"])  # goes on
    played = {each["move"]: each for each in server.ask("explore", game="tictactoe")["moves"]}
    assert (played["b2"]["played"], played["b2"]["x"], played["a1"]["played"]) == (1, 1, 0)
    server.ask("delete", id=games[1]["id"], seat=games[1]["seats"]["x"])
    assert all(each["played"] == 0 for each in server.ask("explore", game="tictactoe")["moves"])


def test_notations(server: Server) -> None:
    """What people have is read, and what is written is read back; a saved game names its game, but no file."""
    read = server.ask("edit", game="connectfour", text="44435")
    assert read["moves"] == ["d", "d", "d", "c", "e"]
    forms = server.ask("notations", game="connectfour", moves=read["moves"])["forms"]
    assert {"numbered", "numbers", "drawing", "jsonl"} <= {form["name"] for form in forms}
    for form in forms:
        other = "tictactoe" if form["name"] == "jsonl" else "connectfour"
        assert server.ask("edit", game=other, text=form["text"])["text"] == read["text"], form
    evil = pg.Position.initial(pg.game_named("tictactoe"))
    line = json.dumps({"plyground": 1, "game": "/etc/x.py:G", "players": ["a", "b"], "start": evil.text})
    assert "plyground web" in server.ask("edit", 400, game="tictactoe", text=line)["error"]
