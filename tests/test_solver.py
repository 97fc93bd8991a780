"""Published values are found again; solving stops and goes on; the other searches say what is true."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import plyground as pg
from plyground.engine.run import search, simulate
from plyground.exact.known_values import KnownValue, compute_result, known_values
from plyground.exact.solver import Solver

COMPILED = ("mnk:4,4,4", "connectfour:6,4 value")
"""A size is a constant of the compiled code, so each costs seconds to compile; `plyground verify` finds all of them."""


def published() -> list[ParameterSet]:
    """Results that are found again at once, and a few that need compiled code."""
    named = {f"{known.game} {known.ask}": known for known in known_values()}
    fast = [name for name in named if name.startswith(COMPILED)]
    plain = [name for name, known in named.items() if known.cost == "instant" and name not in fast]
    return [
        *(pytest.param(named[name], id=name) for name in plain),
        *(pytest.param(named[name], id=name, marks=[pytest.mark.compiled, pytest.mark.nightly]) for name in fast),
    ]


@pytest.mark.parametrize("known", published())
def test_published_values(known: KnownValue) -> None:
    """The value, the value of each first move, or the number of sequences, as published."""
    assert compute_result(known, table=1) == known.value


def test_the_sources_are_kept() -> None:
    """Every known result names its game, its source and a known cost; what we alone say is not called published."""
    values = known_values()
    assert len(values) > 200
    for known in values:
        assert known.source and known.cost in ("instant", "seconds", "minutes", "hours", "infeasible")
        ours = re.fullmatch(r"A separate (solver|enumeration)( \(.*\))?", known.source)
        assert known.kind == ("reference" if ours and ";" not in known.source else "published"), known
        pg.game_named(known.game)


@pytest.mark.process
def test_verify_prints_the_two_kinds_apart() -> None:
    """Of tic-tac-toe the value is published, the number of games of each length a reference value of ours."""
    printed = terminal("verify", "--only", "tictactoe")
    assert [re.findall(r"\w+", line)[:2] for line in printed.splitlines() if "tictactoe" in line] == [
        ["tictactoe", "published"],
        ["tictactoe", "reference"],
    ]
    entries = json.loads(terminal("verify", "--only", "tictactoe", "--json"))["entries"]
    assert {entry["ask"]: entry["kind"] for entry in entries} == {"value": "published"}


def terminal(*words: str) -> str:
    """What the command prints."""
    command = [sys.executable, "-m", "plyground", *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


POSITION = pg.Position.parse(pg.MNK(4, 4, 4), "a1 b2 c1 d4 b4 c3")


class Other(pg.MNK):
    """The same game by its name and options, after somebody has changed a rule of it."""

    def evaluate(self, state: pg.games.mnk.MNKState) -> int:
        return 1


Other.__qualname__ = "MNK"


def test_solving_stops_and_goes_on(tmp_path: Path) -> None:
    """What was kept is taken up, for the same question and rules only; a file cut off is no file; the answer is
    the same."""
    file = tmp_path / "kept.bin"
    whole = Solver(POSITION, table=1)
    solution = whole.solve()
    assert solution.score.utility == 0 and len(solution.moves) == len(POSITION.legal_moves)
    whole.keep(file)
    again = Solver(POSITION, table=1)
    assert again.take_up(file)
    assert again.solve().moves == solution.moves and again.nodes < 2 * solution.nodes
    assert not Solver(POSITION, prefer_shorter=True, table=1).take_up(file)
    assert not Solver(POSITION.undo(), table=1).take_up(file)
    assert not Solver(pg.Position(Other(4, 4, 4), POSITION.state), table=1).take_up(file)
    assert whole.name == again.name != Solver(POSITION.undo(), table=1).name
    file.write_bytes(file.read_bytes()[:5000])
    assert not Solver(POSITION, table=1).take_up(file)
    several = Solver(POSITION, table=1, threads=2).solve()
    assert several.moves == solution.moves


def test_the_line_ends_as_it_says() -> None:
    """Best play by both sides leads to the value."""
    for solver in (Solver(POSITION, table=1), Solver(pg.Position.initial(pg.Kalah(2, 3)), table=1)):
        solution, end = solver.solve(), solver.position
        for move in solution.variation:
            end = end.play(move)
        assert end.outcome == solution.score.utility


def test_monte_carlo_tree_search() -> None:
    """It sees a win in one and a forced one, repeats itself with a seed, and answers a corner with the centre."""
    won = pg.Position.parse(pg.MNK(), "xx./oo./...:x")
    report = simulate(won, pg.Limit(nodes=100))
    assert won.game.move_text(won.state, report.move) == "c1" and report.score == pg.Score(1)
    start = pg.Position.initial(pg.MNK())
    first, again = (simulate(start, pg.Limit(nodes=500), seed=3) for _ in range(2))
    assert first.moves == again.moves and first.nodes == 500
    drawn = pg.Position.parse(pg.MNK(), "a1")
    assert drawn.game.move_text(drawn.state, simulate(drawn, pg.Limit(nodes=3_000)).move) == "b2"
    assert simulate(start, pg.Limit(time=1e-6)).move in start.legal_moves


def test_proof_search_agrees_with_alpha_beta() -> None:
    """Who wins, in each position after two plies of tic-tac-toe."""
    start = pg.Position.initial(pg.MNK())
    for x in start.legal_moves[:3]:
        for o in start.play(x).legal_moves[:3]:
            position = start.play(x).play(o)
            proved = search(position, "proof", 9)
            truth = search(position, "pvs", 9)
            assert proved.score.exact and proved.score.utility == truth.score.utility
            after = search(position.play(proved.move), "pvs", 9)
            assert after.score.utility == truth.score.utility


def test_perfect_players_draw_tic_tac_toe() -> None:
    """Two that are never wrong draw; against random play the perfect one does not lose."""
    players = pg.player_named("perfect:table=1"), pg.player_named("perfect:table=1")
    assert pg.play_match(pg.Position.initial(pg.MNK()), players).utility == 0
    x, o = pg.player_named("random:seed=5"), pg.player_named("perfect:table=1")
    result = pg.play_match(pg.Position.initial(pg.MNK()), (x, o)).utility
    assert result is not None and result <= 0
