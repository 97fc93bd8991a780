"""The recorded search: it is the search that runs compiled, and every window, bound and cut it states is so."""

import importlib.util
import itertools
import json
import random
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commanding import ran
from games import games
from hypothesis import given, settings
from hypothesis import strategies as st

import plyground as pg
from plyground.board import svg as drawing
from plyground.microscope import forms, reasons
from plyground.microscope.layout import COUSIN_GAP, layout
from plyground.microscope.size import least_nodes
from plyground.microscope.tree import Tree, record, recordable_algorithms
from plyground.rules import MAX
from plyground.score import INFINITY, final
from plyground.search.algorithm import Query
from plyground.search.observer import Recording, Stopped

ROOT = Path(__file__).resolve().parent.parent
SMALL = games("small")
FIGURE = "xx./.o./...:o"


def somewhere(name: str, seed: int) -> pg.Position:
    """An unfinished position from random play."""
    chance = random.Random(seed)
    position = pg.Position.initial(pg.game_named(name))
    for _ in range(chance.randrange(6)):
        after = position.play(chance.choice(position.legal_moves))
        if after.outcome is not None:
            break
        position = after
    return position


def worth(position: pg.Position, depth: int, ply: int) -> int:
    """Minimax, as the obvious twin: no window, no observer."""
    game, state = position.game, position.state
    if position.outcome is not None:
        return final(position.outcome, ply)
    if depth == 0:
        return game.evaluate(state)
    values = [worth(position.play(move), depth - 1, ply + 1) for move in position.legal_moves]
    return max(values) if position.to_move == MAX else min(values)


def window_again(tree: Tree, node: int) -> tuple[int, int]:
    """What both sides have elsewhere: the best of the earlier brothers of each node on the path."""
    alpha, beta = -INFINITY, INFINITY
    for above, below in zip(tree.path(node), tree.path(node)[1:], strict=False):
        earlier = [tree.value[child] for child in tree.children(above) if child < below]
        if tree.side[above] == MAX:
            alpha = max([alpha, *earlier])
        else:
            beta = min([beta, *earlier])
    return alpha, beta


@settings(max_examples=16)
@given(
    name=st.sampled_from([*SMALL, "ultimate"]),
    algorithm=st.sampled_from(recordable_algorithms()),
    depth=st.integers(1, 3),
    seed=st.integers(0, 99),
)
def test_a_recording_is_true(name: str, algorithm: str, depth: int, seed: int) -> None:
    """Its counts are those of the search that runs; each window, bound, cut and opinion holds when derived again."""
    position, depth = somewhere(name, seed), min(depth, 2) if name == "ultimate" else depth
    report = pg.search(position, algorithm, depth)
    tree = record(position, algorithm, depth)
    assert (tree.nodes, tree.leaves, tree.cutoffs) == (report.nodes, report.leaves, report.cutoffs)
    assert (len(tree), tree.best[0]) == (tree.nodes, position.game.move_text(position.state, report.move))
    value, score = pg.Score.of(tree.value[0]), report.score
    assert (value.utility or 0, value.points or 0) == (score.utility or 0, score.points or 0)
    chance = random.Random(seed)
    for node in [*chance.sample(range(len(tree)), min(len(tree), 40)), 0]:
        here = tree.position_at(node)
        assert here.state == tree.state[node] and here.to_move == tree.side[node]
        true = worth(here, tree.plies_left(node), tree.level[node])
        stated = tree.value[node]
        assert {"=": true == stated, "≤": true <= stated, "≥": true >= stated}[tree.bound[node]]
        if algorithm == "minimax":
            assert tree.window(node) == (-INFINITY, INFINITY) and tree.bound[node] == "=" and not tree.skipped[node]
        else:
            assert tree.window(node) == window_again(tree, node)
        tried = [tree.move[child] for child in tree.children(node)]
        moves = [here.game.move_text(here.state, move) for move in here.legal_moves]
        assert sorted([*tried, *tree.skipped[node]]) == sorted(moves if tree.plies_left(node) else [])
        if tree.skipped[node]:
            alpha, beta = tree.window(node)
            assert stated >= beta if tree.side[node] == MAX else stated <= alpha
            assert tree.move[tree.children(node)[-1]] == tree.cut[node]
        if tree.kind[node] == "horizon":
            assert sum(part for _, part in tree.evaluation(node)) == stated
    assert [tree.level[node] for node in tree.line] == list(range(len(tree.line)))
    assert {tree.value[node] for node in tree.line} == {tree.value[0]}


@settings(max_examples=12)
@given(name=st.sampled_from(SMALL), algorithm=st.sampled_from(recordable_algorithms()), seed=st.integers(0, 99))
def test_what_is_not_kept_can_be_fetched(name: str, algorithm: str, seed: int) -> None:
    """A tree cut short has every node of its plies; each hidden part, fetched, is that part of the whole tree."""
    position = somewhere(name, seed)
    whole, short = record(position, algorithm, 3), record(position, algorithm, 3, plies=1)
    assert len(short) == 1 + len(whole.children(0)) and short.nodes == whole.nodes
    assert sum(short.hidden) + len(short) == whole.nodes
    for node in short.children(0):
        part, twin = short.below(node), whole.node_at([short.move[node]])
        assert part.nodes == short.hidden[node] + 1
        inside = [each for each in range(len(whole)) if twin in whole.path(each)]
        for kept in ("move", "alpha", "beta", "value", "bound", "cut", "skipped"):
            assert getattr(part, kept)[1:] == [getattr(whole, kept)[each] for each in inside][1:]


def test_the_figure_of_section_5_3() -> None:
    """The first move is searched in full and backs up 0; each other is refuted by its first answer and cut off."""
    tree = record(pg.Position.parse(pg.MNK(), FIGURE), "alphabeta", 2)
    first, *others = tree.children(0)
    assert (tree.value[0], tree.move[first]) == (0, "c1")
    assert tree.value[first] == 0 and tree.bound[first] == "=" and not tree.skipped[first]
    assert len(tree.children(first)) == 5 and all(tree.kind[leaf] == "horizon" for leaf in tree.children(first))
    for node in others:
        (answer,) = tree.children(node)
        assert tree.value[node] == final(1, 2) and tree.bound[node] == "≥" and len(tree.skipped[node]) == 4
        assert tree.kind[answer] == "leaf" and reasons.is_over(tree, answer) and tree.move[answer] == "c1"
        assert tree.window(node) == (-INFINITY, 0)
        assert tree.saved_by_cut(node) == 4


def test_what_a_cut_saves_is_counted() -> None:
    """All that minimax visits and alpha-beta does not is below the cuts, and is counted there."""
    position = pg.Position.parse(pg.MNK(), FIGURE)
    tree = record(position, "alphabeta", 4)
    saved = sum(tree.saved_by_cut(node) for node in range(len(tree)))
    assert tree.nodes + saved == record(position, "minimax", 4).nodes


# -- bad input, and being stopped --------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_too_large() -> None:
    """A search that is too large is refused before it is recorded, with a depth that is not; so is a tree."""
    start = pg.Position.initial(pg.MNK())
    ultimate = pg.Position.initial(pg.Ultimate())
    for position, algorithm, depth in [(start, "minimax", 9), (ultimate, "alphabeta", 40)]:
        with pytest.raises(pg.BadInput, match=r"more than 100,000 nodes here.* To depth \d+ it enters") as refused:
            record(position, algorithm, depth, on_start=lambda _: pytest.fail("it was recorded"))
        smaller, nodes = re.findall(r"depth (\d+) it enters ([0-9,]+)", str(refused.value))[0]
        assert f"{record(position, algorithm, int(smaller)).nodes:,}" == nodes
    for depth in range(1, 8):  # what is estimated stays below what is entered, so nothing is refused that would fit
        for algorithm in ("minimax", "alphabeta", "ordered"):
            query = Query(start.game, start.state, depth)
            least = least_nodes(query, has_window=algorithm != "minimax")
            assert least <= 1.1 * pg.search(start, algorithm, depth).nodes, (algorithm, depth)
    with pytest.raises(pg.BadInput, match=r"6 plies of this tree have [0-9,]+ nodes"):
        record(start, "alphabeta", 6, plies=6, shown=1_000)
    assert len(record(start, "alphabeta", 6, shown=1_000)) <= 1_000


def test_cutoffs_that_cut_nothing() -> None:
    """Alpha reaches beta with the last move of four nodes, which leaves nothing out, and so is no cutoff."""
    position = pg.Position.parse(pg.MNK(), "b2 b1 a1")
    tree = record(position, "alphabeta", 2)
    assert tree.cutoffs == pg.search(position, "alphabeta", 2).cutoffs == 0 and not any(tree.skipped)
    for depth in (3, 5):
        tree = record(pg.Position.initial(pg.MNK()), "alphabeta", depth)
        counted = pg.search(pg.Position.initial(pg.MNK()), "alphabeta", depth).cutoffs
        assert tree.cutoffs == sum(bool(moves) for moves in tree.skipped) == counted


def test_families_are_apart() -> None:
    """The last child of one node and the first of the next stand farther apart than the children of one."""
    for depth in (2, 3):
        tree = record(pg.Position.parse(pg.MNK(), "b2 b1 a1"), "minimax", depth)
        places = layout(tree)
        for level in range(1, depth + 1):
            row = [node for node in range(len(tree)) if tree.level[node] == level]
            for before, node in pairwise(sorted(row, key=places.x.__getitem__)):
                room = 1 if tree.parent[before] == tree.parent[node] else 1 + COUSIN_GAP
                assert places.x[node] - places.x[before] >= room - 1e-9


def test_bad_questions() -> None:
    """A finished game, an unknown algorithm, an impossible depth, moves that were not searched."""
    start = pg.Position.initial(pg.MNK())
    over = pg.Position.parse(pg.MNK(), "a1 a2 b1 b2 c1")
    for position, algorithm, depth, said in [
        (over, "alphabeta", 2, "The game is over: x wins"),
        (start, "mcts", 2, "cannot be recorded"),
        (start, "minimax", 0, "depth=0"),
    ]:
        with pytest.raises(pg.BadInput, match=said):
            record(position, algorithm, depth)
    figure = record(pg.Position.parse(pg.MNK(), FIGURE), "alphabeta", 2)
    with pytest.raises(pg.BadInput, match="'b3' was cut off"):
        figure.node_at("a2 b3")


@dataclass(frozen=True)
class Broken(pg.MNK):
    """Fails in mid-search: after two marks in the top row."""

    def moves(self, state: object) -> Iterator[int]:
        if self.text(state).startswith("xo"):  # type: ignore[arg-type]
            raise ZeroDivisionError("no moves here")
        return super().moves(state)  # type: ignore[arg-type]


def test_a_game_that_fails_in_mid_search() -> None:
    """A sentence says after which moves, and what went wrong."""
    with pytest.raises(
        pg.BadInput, match=r"Broken fails in mid-search, after a1 b1 from the root: .*moves fails: ZeroDi"
    ):
        record(pg.Position.initial(Broken()), "minimax", 3)


def test_a_recording_is_stopped_at_once() -> None:
    """Another thread stops it at its next node."""

    def stop_soon(observer: Recording) -> None:
        threading.Timer(0.01, observer.stop).start()

    with pytest.raises(Stopped):
        record(pg.Position.initial(pg.MNK()), "alphabeta", 9, on_start=stop_soon)
    assert record(pg.Position.initial(pg.MNK()), "alphabeta", 9).nodes == 20_866  # not stopped, it is whole


# -- how it is shown ---------------------------------------------------------------------------------------------------


def test_the_forms_agree() -> None:
    """Every form of the figure's tree shows the same nodes, values and cuts; the spy trace has every leaf."""
    tree = pg.search_tree(pg.Position.parse(pg.MNK(), FIGURE))
    assert tree.text.count("─ ") == tree.nodes - 1 and tree.text.count("cut off:") == tree.cutoffs == 5
    assert len(forms.spy(tree).splitlines()) == tree.leaves
    root = ElementTree.fromstring(tree.svg)
    shapes = [group.get("class") for group in root.iter("{http://www.w3.org/2000/svg}g")]
    assert shapes.count("node") == tree.nodes and shapes.count("cut") == sum(map(len, tree.skipped))
    assert tree.dot.count("shape=box") == tree.leaves and tree.dot.count("dashed") == 20
    kept = json.loads(tree.json)
    assert kept["value"] == tree.value and kept["alpha"][0] is None and kept["beta"][tree.node_at("a2")] == 0
    assert "<script" not in tree.html and "http://" not in tree.html.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in tree.html
    assert tree._repr_html_() == tree.svg


def test_words_with_the_numbers_that_decided() -> None:
    """The sentence names the bound, who has it by which move, and what was not searched; a label says all in a line."""
    tree = pg.search_tree(pg.Position.parse(pg.MNK(), FIGURE))
    assert reasons.label(tree, tree.node_at("a2")) == "a2, max, value ≥ x in 2, window [−∞, 0], beta cutoff"
    said = tree.why("a2")
    assert (
        "this is worth at least x in 2" in said
        and "with c1 at the root o already has 0" in said
        and "c2, a3, b3, c3" in said
    )
    assert "0 = +2 (lines open to x) −2 (lines open to o)" in tree.why("c1 c2")
    assert tree.why("a2 c1") == "The game is over: x wins."


@given(seed=st.integers(0, 99), name=st.sampled_from(["tictactoe", "connectfour:4,3,3"]))
@settings(max_examples=10)
def test_the_layout_is_tidy(seed: int, name: str) -> None:
    """In a row nodes keep their distance and their order; a parent stands in the middle over its branches."""
    tree = record(somewhere(name, seed), "alphabeta", 3)
    places = layout(tree)
    rows: dict[int, list[float]] = {}
    for node in range(len(tree)):
        rows.setdefault(tree.level[node], []).append(places.x[node])
        below = [places.x[child] for child in tree.children(node)] + places.cut[node]
        if below:
            assert places.x[node] == pytest.approx((min(below) + max(below)) / 2)
    for row in rows.values():
        assert all(right - left > 0.999 for left, right in itertools.pairwise(row))
    assert min(places.x) >= 0.499 and max(places.x) <= places.width


def test_boards_are_drawn() -> None:
    """Every game's board is an SVG document that shows each piece, whose it is and how many; a name that looks like
    markup stays a name.
    """
    for name in [choice.name for choice in pg.GAMES]:
        position = somewhere(name, 7)
        ElementTree.fromstring(position._repr_html_())
        board, look, names = position.board, position.look(), position.game.marks
        shown = drawing.svg(board, look)
        pieces = [(place, piece) for place, piece in enumerate(look.pieces) if piece and piece.count]
        pieces = [each for each in pieces if board.places[each[0]].shape != "choice"]
        assert pieces, name
        for place, piece in pieces:
            others = [replace(piece, count=piece.count + 1)] if piece.kind != "wall" else []
            others += [replace(piece, owner=names[piece.owner == names[0]])] if piece.owner else []
            for other in (None, *others):
                pieces_then = (*look.pieces[:place], other, *look.pieces[place + 1 :])
                assert drawing.svg(board, replace(look, pieces=pieces_then)) != shown, (name, piece, other)
    assert "&lt;b&gt;" in drawing.svg(pg.Board(), pg.Look(text="<b>"))


def test_the_figures_are_as_drawn() -> None:
    """The documents' figures are what the script draws now."""
    spec = importlib.util.spec_from_file_location("figures", ROOT / "scripts" / "figures.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for file, drawn in module.figures().items():
        assert file.read_text(encoding="utf-8") == drawn, f"{file.name}: run scripts/figures.py"


@pytest.mark.parametrize("form", ["", "--spy", "--svg", "--dot", "--json", "--html"])
def test_the_verb_tree(form: str, tmp_path: Path) -> None:
    """Every form is printed, or written to a file; what was wrong is said in a sentence."""
    file = tmp_path / "tree"
    options = [form] if form else []
    done = ran(["tree", "tictactoe", FIGURE, *options])
    assert done.exit_code == 0 and done.stdout
    assert ran(["tree", "tictactoe", FIGURE, *options, "--out", str(file)]).exit_code == 0
    assert file.read_text(encoding="utf-8") == done.stdout
    wrong = ran(["tree", "tictactoe", FIGURE, *options, "--out", str(tmp_path)])
    assert isinstance(wrong.exception, pg.BadInput)
