"""Many positions in one call are what each of them is alone, at both speeds."""

import random
import threading

import pytest

import plyground as pg
from plyground.compiled.kernel import kernel
from plyground.search.evaluations import evaluations

GAMES = ["connectfour:4,4,3", "threemorris"]


def positions(game: str, count: int = 12) -> list[pg.Position]:
    """Positions of random games, a finished one among them."""
    chance, found = random.Random(3), list[pg.Position]()
    here = pg.Position.initial(game)
    while len(found) < count:
        here = here.play(chance.choice(here.legal_moves)) if here.outcome is None else pg.Position.initial(game)
        found.append(here)
    return found


@pytest.mark.usefixtures("speed")
@pytest.mark.parametrize("game", GAMES)
def test_what_is_found_to_a_depth_is_what_thinking_finds(game: str) -> None:
    """Or better: the kept table may hold the end. Two threads agree with one on all that is certain."""
    given = positions(game)
    together = pg.analyse_many(given, pg.Limit(depth=3))
    shared = pg.analyse_many(given, pg.Limit(depth=3), jobs=2)
    for here, score, move, other in zip(given, together.scores, together.moves, shared.scores, strict=True):
        alone = [*pg.think(here, pg.Limit(depth=3))][-1]
        assert move in here.legal_moves or here.outcome is not None
        if alone.score.exact:
            assert score.exact and score.utility == alone.score.utility
        if score.exact and other.exact:
            assert score.utility == other.utility


@pytest.mark.usefixtures("speed")
@pytest.mark.parametrize("game", GAMES)
def test_evaluations_of_many_are_those_of_each(game: str) -> None:
    """And compiled code is what runs where there is some."""
    given = positions(game)
    assert pg.evaluate_many(game, given) == [here.game.evaluate(here.state) for here in given]
    assert kernel(evaluations, given[0].game).why_plain in (
        None,
        "PLYGROUND_PLAIN is set, so searches run as plain Python.",
    )


def test_columns_are_plain_and_become_tables() -> None:
    """Columns are fit for pandas and Arrow; a cell without a value is empty there."""
    found = pg.analyse_many(["b2", "b2 a2", "b2 a2 b1 b3 a1 c3 c1"], pg.Limit(depth=9), game="tictactoe")
    assert found.columns["score"] == ["draw", "x wins in 5 plies", "x has won"] and len(found) == 3
    assert found[1]["plies"] == 5 and [row["move"] for row in found][2] == ""
    frame = found.to_frame()
    assert frame["plies"].isna().tolist() == [True, False, False] and frame["utility"].tolist() == [0, 1, 1]
    points = pg.analyse_many(["d"], pg.Limit(depth=1), game="connectfour").to_frame()
    assert points["plies"].isna().all() and points["chance"].between(0, 1).all()  # beside points, in people's terms
    assert found.to_arrow().column_names == [*found.columns]
    assert pg.analyse_many([], pg.Limit(depth=1)).columns["move"] == []


@pytest.mark.parametrize("game", ["tictactoe", "threemorris"])
def test_nodes_are_a_limit_for_each_position(game: str) -> None:
    """However few, there is a move."""
    found = pg.analyse_many(positions(game), pg.Limit(nodes=5))
    assert max(found.nodes) <= 5 and min(found.depths) == 0
    assert all(
        move != pg.NO_MOVE or here.outcome is not None for here, move in zip(found.positions, found.moves, strict=True)
    )


def test_seconds_are_a_limit_for_each_position() -> None:
    """Each is searched anew: as deep as there is time, or until all is known."""
    start = pg.Position.initial("breakthrough")
    found = pg.analyse_many([start, start.play(start.legal_moves[0])], pg.Limit(time=0.02))
    assert min(found.nodes) > 0 and all(move != pg.NO_MOVE for move in found.moves)
    assert pg.analyse_many(["b2 a2"], pg.Limit(time=30), game="tictactoe").columns["score"] == ["x wins in 5 plies"]


def test_what_cannot_be_many_positions_is_said() -> None:
    """Positions of two games, no limit, and texts of no game are refused."""
    start = pg.Position.initial("tictactoe")
    for given, limit in (
        ([start, pg.Position.initial("nim")], pg.Limit(depth=1)),
        ([start], pg.Limit()),
        (["b2"], pg.Limit(depth=1)),
    ):
        with pytest.raises(pg.BadInput):
            pg.analyse_many(given, limit)


def test_many_positions_are_stopped_by_an_event() -> None:
    """Before and while they are searched."""
    stop = threading.Event()
    analyst = pg.Analyst("breakthrough", stop=stop)
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(pg.Stopped):
        analyst.many([pg.Position.initial("breakthrough")] * 3, pg.Limit(depth=60))
    with pytest.raises(pg.Stopped):
        analyst.many([pg.Position.initial("breakthrough")], pg.Limit(depth=60))
