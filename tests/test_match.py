"""Experiments: a seed gives the same games, and who is stronger is found to be."""

from dataclasses import dataclass
from typing import Any

import pytest

import plyground as pg
from plyground.arena.match import MatchGame, MatchResult
from plyground.arena.report.wording import signed_text

SMALL = "connectfour:5,4,3"
ONE = pg.Weights((1,))


@dataclass(frozen=True)
class Weighted(pg.ConnectFour):
    """Connect Four with an evaluation that can be turned round."""

    weight: pg.Weights = ONE

    def evaluate(self, state: Any) -> int:
        return self.weight[0] * super().evaluate(state)


def last(position: pg.Position) -> int:
    """A player in a line."""
    return position.legal_moves[-1]


def test_the_same_seed_gives_the_same_games() -> None:
    """With players who choose at random as well; another seed gives others. Each opening is played twice."""
    options: dict[str, Any] = {"game": SMALL, "games": 8, "random_plies": 2}
    one, same, other = (pg.match("random", last, seed=seed, **options) for seed in (1, 1, 2))
    assert one.games == same.games != other.games
    assert [game.opening for game in one.games[::2]] == [game.opening for game in one.games[1::2]]
    assert [game.first_is_x for game in one.games] == [True, False] * 4


def test_two_evaluations_are_compared() -> None:
    """The right one beats the one turned round; the numbers are the other's negatives."""
    found = pg.match(
        Weighted(4, 4, 3),
        Weighted(4, 4, 3, weight=pg.Weights((-1,))),
        games=4,
        random_plies=2,
        limit=pg.Limit(nodes=12),
    )
    assert found.points > 2 and found.elo > 0 and found.los > 0.5
    frame = found.to_frame()
    assert frame["points"].sum() == 4 and frame["elo"].sum() == 0
    assert f"LOS {100 * found.los:.1f} %" in str(found)


def test_an_arena_takes_what_a_match_takes() -> None:
    """Functions, objects and games, by their names in a dict; each meets each, and the frame has what a match's has."""
    wrong = Weighted(4, 4, 3, weight=pg.Weights((-1,)))
    players: dict[str, Any] = {
        "wrong": wrong,
        "last": last,
        "ann": pg.player_named("alphabeta:2"),
        "right": Weighted(4, 4, 3),
    }
    league = pg.arena(players, games=20, random_plies=2, limit=pg.Limit(nodes=12), seed=1).play()
    frame = league.to_frame().set_index("name")
    assert set(frame.index) == {*players} and set(frame["games"]) == {60} and {"elo", "low", "high", "los"} < {*frame}
    assert frame["points"]["last"] < frame["points"]["ann"] and frame["crashed"].sum() == 0
    named: list[Any] = ["first", {"it": last}, [last, 3], [last, last], [last, type]]
    for these in named:
        with pytest.raises(pg.BadInput):
            pg.arena(these, SMALL)
    with pytest.raises(pg.BadInput, match="by name"):
        pg.arena([last, "first"], SMALL, database="sqlite://")
    with pytest.raises(pg.WrongType, match="name the game"):
        pg.arena([last, "first"])


def test_a_test_stops_when_it_is_decided() -> None:
    """Long before the last game, with pairs counted in their order."""
    found = pg.match("alphabeta:2", last, game="connectfour:4,4,3", random_plies=2, games=400, sprt=(0, 200))
    assert found.decision == "H1" and len(found.games) < 400


def test_a_mistake_is_raised_and_lost_only_if_told_to() -> None:
    """A typo in a player is no result."""

    def broken(position: pg.Position) -> int:
        raise KeyError("typo")

    with pytest.raises(KeyError):
        pg.match(broken, "first", game="tictactoe", games=2, random_plies=0)
    assert pg.match(broken, "first", game="tictactoe", games=2, random_plies=0, on_error="lose").points == 0
    wrongs: list[dict[str, Any]] = [{"games": 3}, {"openings": []}, {"game": None}]
    for wrong in wrongs:
        with pytest.raises(pg.BadInput):
            pg.match("first", "random", **({"game": "tictactoe"} | wrong))


def test_tuning_turns_a_wrong_weight_round() -> None:
    """From -2 it goes up; the history has the start and each step, and the same seed the same way."""
    options: dict[str, Any] = {"steps": 3, "games": 2, "size": 3.0, "check_games": 2, "random_plies": 2, "seed": 3}
    found, same = (
        pg.tune(lambda w: Weighted(4, 4, 3, weight=pg.Weights(w)), [-2], limit=pg.Limit(nodes=12), **options)
        for _ in range(2)
    )
    assert found.history == same.history and len(found.history) == 4 and found.history[0] == (-2.0,)
    assert found.best[0] > -2
    assert len(found.to_frame()) == 4


def test_a_level_with_nodes_and_a_seed_errs_the_same_way_again() -> None:
    """On any machine, however busy: no time is looked at."""
    level = "level:error=0.5,seed=4,nodes=60"
    one, same = (pg.match(level, "first", game="tictactoe", games=4, random_plies=1) for _ in range(2))
    assert one.games == same.games and one.names[0] == level.replace("error=0.5", "easy")
    with pytest.raises(pg.BadInput, match="not both"):
        pg.player_named("level:easy,nodes=5,time=1")


def test_a_match_says_what_an_arena_says() -> None:
    """A bound is no estimate, copies are no evidence with a test or without, and no likelihood is rounded to none."""
    options: dict[str, Any] = {"game": "tictactoe", "openings": [""]}
    found = pg.match("perfect", "first", games=40, **options)
    once = pg.match("perfect", "first", games=2, **options)
    tested = pg.match("perfect", "first", games=40, sprt=(0, 5), **options)
    said = [str(each) for each in (found, tested)]
    assert found.points == 40 and found.statistics == once.statistics == tested.statistics
    bound = f"Elo ≥ {signed_text(once.interval[0])}"
    assert "19 pairs repeat earlier ones move for move and are no evidence" in said[0]
    assert all("no evidence" in each and bound in each for each in said)
    assert found.to_frame()["bound"].tolist() == ["≥", "≤"]
    undecided = pg.match("first", "first", games=2, sprt=(0, 5), **options)
    assert "; SPRT: not decided" in str(undecided) and "SPRT" not in str(once)
    sure = MatchResult(("a", "b"), tuple(MatchGame(n, str(n // 2), "", True, 1.0, "") for n in range(40)))
    assert "LOS > 99.9 %" in str(sure)
