"""Algorithms side by side: published counts, laws of the figures, and every form."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from commanding import ran

import plyground as pg
from plyground.microscope.compare import branching, comparable_algorithms, depths_in
from plyground.microscope.tree import record
from plyground.search.observer import Detailed
from plyground.terminal.lines import row_cells

START = pg.Position.initial("tictactoe")
CONNECTFOUR = pg.Position.initial(pg.ConnectFour())


def test_the_figures() -> None:
    """Minimax visits every node of a regular tree; the better the order, the fewer nodes and the more first cutoffs."""
    deepest = 3
    found = pg.compare(CONNECTFOUR, depths=range(1, deepest + 1))
    rows = {(row.algorithm, row.depth): row for row in found.rows}
    assert len(rows) == len(comparable_algorithms()) * deepest and found.unfinished == ()
    for depth in range(1, deepest + 1):
        full, cut, best = (rows[name, depth] for name in ("minimax", "alphabeta", "ordered"))
        assert full.nodes == sum(7**ply for ply in range(depth + 1)) and full.branching == 7 and full.first is None
        assert best.nodes <= cut.nodes <= full.nodes
        assert best.branching and cut.branching and best.branching <= cut.branching
        assert len({rows[name, depth].value for name in comparable_algorithms()}) == 1
    first = rows["ordered", deepest].first, rows["alphabeta", deepest].first
    assert first[0] is not None and first[1] is not None and first[0] > first[1]


def test_first_cutoffs_are_those_of_the_tree() -> None:
    """The share of cutoffs by the first move, counted again on the recorded tree."""
    tree, observer = record(CONNECTFOUR, "alphabeta", 4), Detailed.fresh()
    report = pg.search(CONNECTFOUR, "alphabeta", 4, observer=observer)
    cuts = [node for node in range(len(tree)) if tree.cut[node] is not None]
    assert (report.nodes, len(cuts)) == (tree.nodes, observer.cutoffs)
    assert observer.first == sum(len(tree.children(node)) == 1 for node in cuts) > 0


@pytest.mark.parametrize(("base", "depth"), [(1, 5), (2, 10), (9, 4)])
def test_the_branching_factor_of_a_regular_tree(base: int, depth: int) -> None:
    """A regular tree's effective branching factor is its branching factor."""
    assert branching(sum(base**ply for ply in range(depth + 1)), depth) == pytest.approx(base)


@pytest.mark.compiled
def test_bounded_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """An algorithm that needs too long is left at that depth; the others go on. Only that search takes time."""
    endless = 30
    now = {"depth": 0, "seconds": 0.0}

    def searched(position: pg.Position, algorithm: pg.Algorithm, depth: int, **settings: Any) -> pg.Report:
        now["depth"] = depth
        return pg.search(position, algorithm, depth, **settings)

    def clock() -> float:
        now["seconds"] += now["depth"] == endless
        return now["seconds"]

    monkeypatch.setattr("plyground.microscope.compare.search", searched)
    monkeypatch.setattr("plyground.microscope.compare.time", SimpleNamespace(perf_counter=clock))
    found = pg.compare(pg.Position.initial(pg.Ultimate()), ["minimax", "pvs"], [1, 2, endless], seconds=3)
    assert found.unfinished == (("minimax", endless), ("pvs", endless)) and len(found.rows) == 4


def test_a_shorter_tree_has_the_branching_of_its_plies() -> None:
    """With one legal move, any search enters one node a ply; a search that leaves no node has no known depth."""
    forced = pg.Position.parse("tictactoe", "b2 a1 c1 a3 a2 c2 b1 b3")
    assert {row.branching for row in pg.compare(forced).rows} == {1.0}
    observer = Detailed.fresh()
    observer.enter(forced.state)
    assert observer.plies is None


def test_what_is_not_counted_is_not_0(tmp_path: Path) -> None:
    """A search that tells no leaf has no count of them, nor of cutoffs: in the rows, CSV, JSON and the table."""
    file = tmp_path / "mine.py"
    file.write_text(BARE)
    found = pg.compare(START, [f"{file}:search"], depths=[2])
    (row,) = found.rows
    assert (row.nodes, row.leaves, row.cutoffs, row.first) == (82, None, None, None)
    assert next(csv.DictReader(io.StringIO(found.csv)))["leaves"] == ""
    assert json.loads(found.json)["rows"][0]["cutoffs"] is None
    assert row_cells(row)[3:5] == ["not counted", "not counted"]
    minimax = pg.compare(START, ["minimax"], depths=[2]).rows[0]
    assert (minimax.cutoffs, minimax.branching) == (0, row.branching)


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "ordered", "pvs"])
def test_a_value_has_the_words_of_the_search(name: str) -> None:
    """`compare` says of an estimate, a draw and a win what `search` says of them."""
    for moves, depth in [("", 1), ("", 2), ("b2 b1", 7), ("b2 a1 c1 a3 a2 c2 b1 b3", 1)]:
        here = pg.Position.parse("tictactoe", moves)
        found = pg.search(here, name, depth).score.text(here.game.names)
        assert pg.compare(here, [name], [depth]).rows[0].value == found
    assert "(estimate)" in pg.compare(START, [name], [2]).rows[0].value


def test_bad_comparisons() -> None:
    """An unknown algorithm, a depth or a range that makes no sense, a finished game: a sentence."""
    over = pg.Position.parse(pg.MNK(), "a1 a2 b1 b2 c1")
    bad: list[tuple[Callable[[], object], str]] = [
        (lambda: pg.compare(CONNECTFOUR, ["mcts"]), "cannot be compared"),
        (lambda: pg.compare(CONNECTFOUR, depths=[0]), "look 1 to"),
        (lambda: pg.compare(CONNECTFOUR, seconds=0), "above 0"),
        (lambda: pg.compare(over), "The game is over"),
        (lambda: depths_in("9..1"), "a range goes up"),
        (lambda: depths_in("few"), "as in 1..9"),
    ]
    for call, said in bad:
        with pytest.raises(pg.BadInput, match=said):
            call()


def test_the_verb_compare(tmp_path: Path) -> None:
    """A table, CSV, JSON and a chart; PNG by the charts extra."""

    def run(*words: str) -> str:
        done = ran(["compare", "tictactoe", *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    rows = list(csv.DictReader(io.StringIO(run("b2", "--depth", "1..3", "--csv"))))
    assert [int(row["nodes"]) for row in rows if row["algorithm"] == "minimax"] == [9, 65, 401]
    kept = json.loads(run("alphabeta", "--depth", "3", "--json"))
    assert [(row["algorithm"], row["depth"]) for row in kept["rows"]] == [("alphabeta", 3)]
    chart = ElementTree.fromstring(run("--depth", "1..3", "--svg"))
    assert set(comparable_algorithms()) <= {each.text for each in chart.iter()}
    assert "minimax" in run("minimax", "--depth", "2")
    run("--depth", "1..2", "--png", str(tmp_path / "chart.png"))
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_entries_are_told_apart_by_their_options() -> None:
    """Rows have the text that named their algorithm, options and all; records of one name get numbers."""
    here = pg.Position.initial("tictactoe")
    found = pg.compare(here, ["pvs:table=1", "pvs:table=2", "pvs"], depths=[2])
    assert [row.algorithm for row in found.rows] == ["pvs:table=1", "pvs:table=2", "pvs"]
    twice = pg.compare(here, [pg.algorithm_named("minimax"), pg.algorithm_named("minimax")], depths=[1, 2])
    assert [row.algorithm for row in twice.rows] == ["minimax", "minimax", "minimax (2)", "minimax (2)"]


def test_a_row_tells_a_proof_from_an_estimate(tmp_path: Path) -> None:
    """An end found by a user's search is shown as proved if minimax finds it too, else as an estimate."""
    file = tmp_path / "mine.py"
    file.write_text(BEAM)
    here = pg.Position.parse("tictactoe", "b2 b1")
    proved = pg.compare(here, [f"{file}:whole"], depths=[7]).rows[0]
    assert (proved.value, proved.right) == ("x wins in 5 plies", None)
    estimate = pg.compare(START, [f"{file}:narrow"], depths=[9]).rows[0]
    assert (estimate.value, estimate.right) == ("o wins in 6 plies (estimate)", "draw")
    assert pg.compare(here, ["minimax"], depths=[7]).rows[0].value == "x wins in 5 plies"


BEAM = """
import plyground as pg
from plyground.score import final

def beam(game, observer, state, depth, prefer_shorter, ply, width):
    observer.enter(state, depth, ply)
    utility = game.outcome(state)
    if utility != pg.ONGOING:
        return final(utility, prefer_shorter * ply), pg.NO_MOVE
    if depth == 0:
        return game.evaluate(state), pg.NO_MOVE
    best, choice, count = 0, pg.NO_MOVE, 0
    for move in game.moves(state):
        if count == width:
            break
        count += 1
        value, _ = beam(game, observer, game.play(state, move), depth - 1, prefer_shorter, ply + 1, width)
        if choice == pg.NO_MOVE or (value > best if game.to_move(state) == pg.MAX else value < best):
            best, choice = value, move
    return best, choice

def whole(game, observer, state, depth, prefer_shorter, ply):
    return beam(game, observer, state, depth, prefer_shorter, ply, 99)

def narrow(game, observer, state, depth, prefer_shorter, ply):
    return beam(game, observer, state, depth, prefer_shorter, ply, 2)
"""


BARE = """
import plyground as pg
from plyground.score import final

def search(game, observer, state, depth, prefer_shorter, ply):
    observer.enter(state, depth, ply)
    utility = game.outcome(state)
    if utility != pg.ONGOING:
        observer.leave(final(utility, prefer_shorter * ply), pg.NO_MOVE)
        return final(utility, prefer_shorter * ply), pg.NO_MOVE
    if depth == 0:
        observer.leave(game.evaluate(state), pg.NO_MOVE)
        return game.evaluate(state), pg.NO_MOVE
    best, choice = 0, pg.NO_MOVE
    for move in game.moves(state):
        value, _ = search(game, observer, game.play(state, move), depth - 1, prefer_shorter, ply + 1)
        if choice == pg.NO_MOVE or (value > best if game.to_move(state) == pg.MAX else value < best):
            best, choice = value, move
    observer.leave(best, choice)
    return best, choice
"""
