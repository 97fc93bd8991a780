"""A search or a player of one's own is used by its name wherever ours are; what it does wrong is said to be its own."""

import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from games import random_positions
from tries import tries

import plyground as pg
from plyground.compiled.kernel import is_plain_wanted
from plyground.microscope.tree import record
from plyground.microscope.why import why
from plyground.score import final
from plyground.search.algorithm import Algorithm, of_function

START = pg.Position.initial(pg.MNK())
FIGURE = pg.Position.parse(pg.MNK(), "xx./.o./...:o")
SEARCH = """
import plyground as pg
from plyground.score import final

def search(game, observer, state, depth, prefer_shorter, ply):
    observer.enter(state, depth, ply)
    utility = game.outcome(state)
    best, choice = 0, pg.NO_MOVE
    if utility != pg.ONGOING:
        best = final(utility, prefer_shorter * ply)
        observer.leaf(state, best)
    elif depth == 0:
        best = game.evaluate(state)
        observer.horizon(state, best)
    else:
        for move in game.moves(state):
            observer.branch(move)
            value, _ = search(game, observer, game.play(state, move), depth - 1, prefer_shorter, ply + 1)
            if choice == pg.NO_MOVE or (value > best if game.to_move(state) == SIDE else value < best):
                best, choice = value, move
    observer.leave(best, choice)
    return best, choice
"""
RIGHT, WRONG = SEARCH.replace("SIDE", "0"), SEARCH.replace("SIDE", "1")
PLAYERS = """
def last(position):
    return position.game.move_text(position.state, position.legal_moves[-1])

def hurried(position, seconds):
    return position.legal_moves[0]

def absent(position):
    return "z9"

class Patient:
    name = "patient"
    def __init__(self, place: int = 0): self.place = place
    def choose(self, position, seconds): return position.legal_moves[self.place]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file with minimax as somebody wrote it."""
    file = tmp_path / "mine.py"
    file.write_text(RIGHT, encoding="utf-8")
    return file


@pytest.mark.usefixtures("speed")
def test_a_search_of_ones_own_is_minimax(mine: Path) -> None:
    """Written as minimax is, it finds what minimax finds, in as many nodes, recorded and compared alike."""
    name = f"{mine}:search"
    report, twin = (pg.search(START, each, 4) for each in (name, "minimax"))
    assert (report.nodes, report.leaves, report.score, report.move) == (twin.nodes, twin.leaves, twin.score, twin.move)
    assert (report.why_plain is None) is not is_plain_wanted()
    tree, again = record(FIGURE, name, 3), record(FIGURE, "minimax", 3)
    assert (tree.value, tree.move, tree.bound, tree.has_window) == (again.value, again.move, again.bound, False)
    found = pg.compare(FIGURE, ["minimax", name], [2, 3])
    rows = [[(row.nodes, row.value) for row in found.rows if row.algorithm == each] for each in ("minimax", name)]
    assert rows[0] == rows[1] and len(rows[0]) == 2


def test_a_wrong_search_is_told_from_a_right_one(mine: Path) -> None:
    """With the sides exchanged it enters the same nodes, finds other values, and loses as a player."""
    right = record(FIGURE, f"{mine}:search", 3)
    mine.write_text(WRONG, encoding="utf-8")
    wrong = record(FIGURE, f"{mine}:search", 3)
    assert wrong.nodes == right.nodes and wrong.value != right.value
    assert set(right.bound) == {"="} and "≠" in wrong.bound
    (node, *_) = (node for node, bound in enumerate(wrong.bound) if bound == "≠")
    assert re.match(r"[xo] should take the (smallest|largest) value of its moves, .* by \w\w; this", why(wrong, node))
    assert pg.algorithm_named(f"{mine}:search").try_plain(pg.MNK(), FIGURE.state, 2)[0] != right.value[0]
    result = pg.play_match(START, (pg.player_named(f"{mine}:search:depth=3"), pg.player_named("alphabeta:3")))
    assert result.utility == -1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("return {}[state]", r"mine\.py, line 6: search fails: KeyError"),
        ("return None", "gives None: a search gives its value for x and the best move, two ints"),
        ("return 1", "gives 1: a search gives"),
        ("return 0, 77", "gives the move 77, which is none of"),
    ],
)
def test_what_a_search_does_wrong_is_said(line: str, said: str, mine: Path) -> None:
    """With its file and line, and never as the game's fault."""
    mine.write_text(RIGHT.replace("    observer.enter(state, depth, ply)", f"    {line}"), encoding="utf-8")
    with pytest.raises(pg.BadInput, match=said):
        pg.search(START, f"{mine}:search", 2)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("(game, observer, state)", "takes no depth"),
        ("(game, observer, state, depth, budget)", "cannot be given budget"),
        ("(board, depth)", "has no algorithm 'search'"),
    ],
)
def test_a_function_that_is_no_search(head: str, said: str, mine: Path) -> None:
    """The sentence says what a search takes."""
    mine.write_text(f"def search{head}: return 0, 0\n", encoding="utf-8")
    with pytest.raises(pg.BadInput, match=said):
        pg.search(START, f"{mine}:search", 2)
    with pytest.raises(pg.BadInput, match="There is no file"):
        pg.search(START, f"{mine.with_name('other.py')}:search", 2)


def beam(width: int) -> Callable[..., tuple[int, int]]:
    """A minimax that looks at the first moves only."""

    def search(game: Any, observer: Any, state: Any, depth: int, prefer_shorter: int, ply: int) -> tuple[int, int]:
        observer.enter(state, depth, ply)
        utility = game.outcome(state)
        if utility != pg.ONGOING or depth == 0:
            return (game.evaluate(state) if utility == pg.ONGOING else final(utility, prefer_shorter * ply)), pg.NO_MOVE
        found = [
            (search(game, observer, game.play(state, move), depth - 1, prefer_shorter, ply + 1)[0], move)
            for move in islice(game.moves(state), width)
        ]
        return (max if game.to_move(state) == pg.MAX else min)(found, key=lambda each: each[0])

    return search


@pytest.mark.parametrize("spec", ["tictactoe", "nim:2/3/2", "domineering:3,3"])
def test_what_a_selective_search_finds_is_no_proof(spec: str, seed: int) -> None:
    """Whether a search leaves moves out or not: what is told as exact is true, and an end that is not proved is told
    as an estimate, in words and in data; a record that leaves nothing out proves what it always did."""
    chance, told = random.Random(f"{spec} {seed}"), Counter[bool]()
    deepest = 20
    for here in random_positions(pg.game_named(spec), tries(20), chance):
        if here.outcome is not None:
            continue
        truth = pg.solve(here, prefer_shorter=True).score
        assert pg.search(here, "alphabeta", deepest).score == truth
        for width in (1, 2, 3, 99):
            algorithm = Algorithm(f"beam {width}", "beam", beam(width))
            score = pg.search(here, algorithm, chance.randint(2, deepest)).score
            assert score == truth if score.utility is not None else "(estimate)" in score.text(), (here.text, width)
            data = score.data()
            assert (data["exact"], data["winner"], data["plies"]) == (False, None, None) or score == truth
            alone = pg.search(here, algorithm, deepest, verify=False).score
            assert alone.utility is None and not alone.exact
            told[score.exact] += 1
    assert told[True] and told[False]


def test_a_search_that_tells_nothing_cannot_be_drawn() -> None:
    """It can be counted, as none; a tree needs to know of its nodes."""

    def silent(game, observer, state, depth):  # type: ignore[no-untyped-def]  # as a student writes it
        return game.evaluate(state), next(iter(game.moves(state)))

    assert pg.search(START, of_function(silent, "silent"), 2).nodes == 0
    with pytest.raises(pg.BadInput, match="does not report each node"):
        record(START, of_function(silent, "silent"), 2)


def test_players_of_ones_own(tmp_path: Path) -> None:
    """A function of a position, with or without the clock, answers in text or as an int; a class has options."""
    file = tmp_path / "mine.py"
    file.write_text(PLAYERS, encoding="utf-8")
    last, first, patient = (pg.player_named(f"{file}:{name}") for name in ("last", "hurried", "Patient:place=2"))
    moves = START.legal_moves
    assert [each.choose(START, 1.0) for each in (last, first, patient)] == [moves[-1], moves[0], moves[2]]
    assert pg.play_match(START, (last, first), clock=60).fault is None
    lost = pg.play_match(START, (pg.player_named(f"{file}:absent"), first), on_error="lose")
    assert lost.fault == 0 and "z9" in lost.why


# -- installed packages -----------------------------------------------------------------------------------------------

OFFERS = """
[plyground.searches]
mine = extra:search
gone = extra:nowhere
[plyground.games]
wide = extra:Wide
[plyground.players]
last = extra:last
"""
EXTRA = f"""
{RIGHT}
{PLAYERS}
from dataclasses import dataclass
@dataclass(frozen=True)
class Wide(pg.MNK):
    columns: int = 5
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package that offers a search, a game and a player, as pip would install it."""
    (tmp_path / "extra.py").write_text(EXTRA, encoding="utf-8")
    info = tmp_path / "extra-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: extra\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(OFFERS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")  # a search of ten nodes needs no compiler
    yield "extra"


@pytest.mark.process
def test_installed_packages_offer_games_searches_and_players(package: str) -> None:
    """They are found by their names as if they were plyground's own, and listed; a broken one hinders nobody else."""
    program = """
import plyground as pg
start = pg.Position.initial(pg.game_named("wide:rows=2"))
print(len(start.legal_moves), pg.search(start, "mine", 1).nodes,
      pg.player_named("last").choose(start, None) == start.legal_moves[-1])
print([c.name for c in pg.GAMES][-1], [c.name for c in pg.ALGORITHMS][-1], [c.name for c in pg.PLAYERS][-1])
print([row.algorithm for row in pg.compare(start, depths=[1]).rows])
try: pg.search(start, "gone", 1)
except pg.BadInput as fault: print(fault)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    made, listed, compared, fault = done.stdout.splitlines()
    assert made == "10 11 True" and listed == "wide mine last" and "'mine'" in compared
    assert "package extra" in fault and "extra:nowhere" in fault
