"""The compiled rules answer as the plain ones, are found again by a new process, and are never stale."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyground as pg
from plyground.compiled.kernel import is_plain_wanted, kernel
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.mcts import VISITS, field, mcts, new_tree
from plyground.search.memory import new_memory
from plyground.search.minimax import minimax
from plyground.search.pvs import STACK, new_mind, pvs
from plyground.search.table import new_table
from plyground.search.watch import Counting, Recording

GAMES = ["tictactoe", "mnk:4,3,3", "mnk:5,4,4", "mnk:8,8,5", "mnk:19,19,5", "ultimate", "ultimate:send=false"]
GAMES += ["connectfour", "connectfour:10,9,5", "kalah", "kalah:3,2,empty_capture=true"]


@st.composite
def positions(draw: st.DrawFn) -> pg.Position:
    """A position from random play of some game."""
    position = pg.Position.initial(pg.game_named(draw(st.sampled_from(GAMES))))
    for choice in draw(st.lists(st.integers(0, 360), max_size=40)):
        if position.outcome is None:
            position = position.play(position.legal_moves[choice % len(position.legal_moves)])
    return position


@settings(max_examples=10 if is_plain_wanted() else 60)
@given(positions(), st.integers(1, 3), st.integers(0, 1))
def test_both_speeds_and_both_searches_agree(position: pg.Position, depth: int, hurry: int) -> None:
    """Plain, recorded and compiled agree, node for node; alpha-beta has minimax's value and first best move."""
    game, state = position.game, position.state
    depth = 1 if len(position.legal_moves) > 30 else min(depth, 2 if len(position.legal_moves) > 9 else 3)
    answers: dict[str, Any] = {}
    for name, search in (("minimax", minimax), ("alphabeta", alphabeta)):
        window = (-INFINITY, INFINITY) if search is alphabeta else ()
        plain, fast, seen = Counting.fresh(), Counting.fresh(), Recording()
        args = (state, depth, *window, hurry, 0)
        answers[name] = search(game, plain, *args)
        assert kernel(search, game)(fast, *args) == answers[name] == search(game, seen, *args)
        assert list(plain.counts) == list(fast.counts) and len(seen.parent) == plain.nodes
    assert answers["minimax"] == answers["alphabeta"]
    assert (answers["minimax"][1] == pg.NO_MOVE) == (position.outcome is not None)


@pytest.mark.once
@pytest.mark.parametrize("name", ["kalah", "ultimate"])
def test_the_same_tree_grows_at_both_speeds(name: str) -> None:
    """After so many simulations every word of the tree is the same, also if the last of them found it full."""
    game, path = pg.game_named(name), new_memory(1 << 12)
    for room in (600, 60):
        plain, fast = new_tree(room, 1), new_tree(room, 1)
        assert mcts(game, Counting.fresh(), plain, path, game.initial(), 60) == 60
        assert kernel(mcts, game)(Counting.fresh(), fast, path, game.initial(), 60) == 60
        assert list(plain) == list(fast)
        assert field(fast, 0, VISITS) == 60


@pytest.mark.once
@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "kalah", "ultimate"])
def test_the_engine_runs_compiled(name: str) -> None:
    """Also where a game's moves and its candidates are listed by different loops."""
    game = pg.game_named(name)
    run, mind = kernel(pvs, game), new_mind(new_table(game.initial(), 1 << 10))
    run(Counting.fresh(), mind, game.initial(), 3, -INFINITY, INFINITY, 1, 0, STACK)
    assert run.why_plain is None


@settings(max_examples=100)
@given(positions())
def test_text_and_parse(position: pg.Position) -> None:
    """Every state, move and history reads back from its text."""
    game, state = position.game, position.state
    assert game.parse_state(game.text(state)) == state or position.outcome is not None
    for move in position.legal_moves:
        assert game.parse_move(state, game.move_text(state, move)) == move
    assert pg.Position.parse(game, position.history) == position


RULES = """
from typing import NamedTuple
import plyground as pg
from helper import worth
BONUS = 5
class PileState(NamedTuple):
    stones: int
    turn: int
class Pile(pg.Game):
    step = 1
    def __init__(self, pile=9): self.pile = pile
    def initial(self): return PileState(self.pile, 0)
    def to_move(self, state): return state.turn
    def moves(self, state):
        for move in range(1, min(2, state.stones) + 1): yield move
    def play(self, state, move): return PileState(state.stones - move, 1 - state.turn)
    def outcome(self, state): return pg.ONGOING if state.stones > 0 else 2 * state.turn - 1
    def evaluate(self, state): return worth(state.stones) + BONUS
"""
HELPER = "def worth(stones):\n    return stones * 10\n"
SEARCH = "def look(game, state):\n    return game.evaluate(state) * 1000 + game.pile\n"
ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from plyground.compiled.code import Compiled
from rules import Pile
from search import look
fast = Compiled(look, game := Pile(int(sys.argv[2])))
print(fast(game.initial()), fast.from_disk)
"""


@pytest.mark.once
def test_the_cache_hits_and_is_never_stale(tmp_path: Path) -> None:
    """A second process finds the code; after an edit of rule, constant, helper, search or option, the new answer."""
    files = {"rules.py": RULES, "helper.py": HELPER, "search.py": SEARCH}

    def ask(pile: int = 9) -> str:
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        environment = os.environ | {"PLYGROUND_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", ASK, str(tmp_path), str(pile)]
        return subprocess.run(
            command, env=environment, capture_output=True, encoding="utf-8", check=True
        ).stdout.strip()

    assert [ask(), ask()] == ["95009 False", "95009 True"]
    assert ask(pile=7) == "75007 False"
    files["rules.py"] = RULES.replace("BONUS = 5", "BONUS = 6")
    assert ask() == "96009 False"
    files["rules.py"] = RULES.replace("+ BONUS", "- BONUS")
    assert ask() == "85009 False"
    files["rules.py"], files["helper.py"] = RULES, HELPER.replace("10", "20")
    assert ask() == "185009 False"
    files["helper.py"], files["search.py"] = HELPER, SEARCH.replace("1000", "100")
    assert ask() == "9509 False"
    files["search.py"] = SEARCH
    assert ask() == "95009 True"


@pytest.mark.once
def test_a_rule_that_does_not_compile(tmp_path: Path) -> None:
    """A game with such a rule plays on as plain Python; the reason names the line, without a word of Numba's."""
    text = RULES.replace("from helper import worth", "def worth(stones): return stones").replace(
        "return PileState(state.stones - move, 1 - state.turn)",
        "return state._replace(stones=state.stones - move, turn=1 - state.turn)",
    )
    (tmp_path / "odd.py").write_text(text, encoding="utf-8")
    game = pg.game_named(f"{tmp_path / 'odd.py'}:Pile")
    line = next(number for number, words in enumerate(text.splitlines(), 1) if "_replace" in words)
    search = kernel(alphabeta, game)
    assert search(Counting.fresh(), game.initial(), 20, -INFINITY, INFINITY, 0, 0)[0] != 0
    assert search.why_plain is not None and f"odd.py, line {line}" in search.why_plain
    verdict = pg.check(game, games=2)
    notes = " ".join(verdict.notes)
    assert verdict.ok and f"odd.py, line {line}" in notes and "play" in notes
    assert not {"numba", "nopython", "traceback"} & set(notes.lower().replace(".", " ").split())


def test_importing_loads_no_numba() -> None:
    """Importing plyground loads neither Numba nor NumPy, and without Numba everything still answers."""
    code = "import sys, plyground; assert not {'numba', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    hidden = (
        "import importlib.util as u, sys; real = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name == 'numba' else real(name, package)\n"
        "import plyground as pg\n"
        "print(pg.search(pg.Position.initial(pg.MNK()), 'alphabeta', 6).nodes)\n"
        "print(pg.check(pg.MNK(), games=2).notes)"
    )
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, encoding="utf-8", check=True)
    assert int(done.stdout.split()[0]) > 0 and "no Numba" in done.stdout
