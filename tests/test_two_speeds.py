"""The compiled rules answer as the plain ones, are found again by a new process, and are never stale."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from games import games
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.requirements import Requirement

import plyground as pg
from plyground.compiled.kernel import kernel
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.context import STACK, new_context
from plyground.search.mcts import EXPLORATION, VISITS, mcts, new_tree, node_field
from plyground.search.memory import new_memory
from plyground.search.minimax import minimax
from plyground.search.observer import Counting, Recording
from plyground.search.pvs import pvs
from plyground.search.table import new_table

GAMES = ["tictactoe", "mnk:4,3,3", "mnk:5,4,4", "mnk:8,8,5", "mnk:19,19,5", "ultimate", "ultimate:send=false"]
GAMES += ["connectfour", "connectfour:10,9,5", "kalah", "kalah:3,2,empty_capture=true"]
FEW = ["tictactoe", "mnk:19,19,5", "ultimate", "kalah"]
"""Games of different kinds for each push, because each is compiled twice."""


@st.composite
def positions(draw: st.DrawFn, names: Sequence[str] = GAMES) -> pg.Position:
    """A position from random play of some game."""
    position = pg.Position.initial(pg.game_named(draw(st.sampled_from(names))))
    for choice in draw(st.lists(st.integers(0, 360), max_size=40)):
        if position.outcome is None:
            position = position.play(position.legal_moves[choice % len(position.legal_moves)])
    return position


@pytest.mark.compiled
@pytest.mark.parametrize("names", [FEW, pytest.param(GAMES, marks=[pytest.mark.nightly, pytest.mark.timeout(1_200)])])
@settings(max_examples=60)
@given(drawn=st.data(), depth=st.integers(1, 3), hurry=st.integers(0, 1))
def test_both_speeds_and_both_searches_agree(names: list[str], drawn: st.DataObject, depth: int, hurry: int) -> None:
    """Plain, recorded and compiled agree, node for node; alpha-beta has minimax's value and first best move."""
    position = drawn.draw(positions(names))
    game, state = position.game, position.state
    depth = 1 if len(position.legal_moves) > 30 else min(depth, 2 if len(position.legal_moves) > 9 else 3)
    answers: dict[str, Any] = {}
    for name, search in (("minimax", minimax), ("alphabeta", alphabeta)):
        window = (-INFINITY, INFINITY) if search is alphabeta else ()
        plain, fast, seen = Counting.fresh(), Counting.fresh(), Recording()
        args = (state, depth, *window, hurry, 0)
        answers[name] = search(game, plain, *args)
        assert kernel(search, game)(fast, *args) == answers[name] == search(game, seen, *args)
        assert list(plain.counts) == list(fast.counts) and len(seen.nodes) == plain.nodes
    assert answers["minimax"] == answers["alphabeta"]
    assert (answers["minimax"][1] == pg.NO_MOVE) == (position.outcome is not None)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["kalah", "ultimate"])
def test_the_same_tree_grows_at_both_speeds(name: str) -> None:
    """After so many simulations every word of the tree is the same, also if the last of them found it full."""
    game, path = pg.game_named(name), new_memory(1 << 12)
    for room in (600, 60):
        plain, fast = new_tree(room, 1), new_tree(room, 1)
        assert mcts(game, Counting.fresh(), plain, path, game.initial(), 60, EXPLORATION) == 60
        assert kernel(mcts, game)(Counting.fresh(), fast, path, game.initial(), 60, EXPLORATION) == 60
        assert list(plain) == list(fast)
        assert node_field(fast, 0, VISITS) == 60


@pytest.mark.compiled
@pytest.mark.parametrize("name", games("published"))
def test_the_engine_runs_compiled(name: str) -> None:
    """Also where a game's moves and its candidates are listed by different loops."""
    game = pg.game_named(name)
    run, context = kernel(pvs, game), new_context(new_table(game.initial(), 1 << 10))
    run(Counting.fresh(), context, game.initial(), 3, -INFINITY, INFINITY, 1, 0, STACK)
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
print(fast(game.initial()))
"""


@pytest.mark.compiled
@pytest.mark.process
def test_the_cache_hits_and_is_never_stale(tmp_path: Path) -> None:
    """A second process finds the code; after an edit of rule, constant, helper, search or option, the new answer."""
    files = {"rules.py": RULES, "helper.py": HELPER, "search.py": SEARCH}

    def ask(pile: int = 9) -> tuple[str, bool]:
        """The answer, and whether code was added to the cache."""
        before = {*(tmp_path / "cache").glob("object-*")}
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        environment = os.environ | {"PLYGROUND_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", ASK, str(tmp_path), str(pile)]
        done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)
        return done.stdout.strip(), {*(tmp_path / "cache").glob("object-*")} != before

    assert [ask(), ask()] == [("95009", True), ("95009", False)]
    assert ask(pile=7) == ("75007", True)
    files["rules.py"] = RULES.replace("BONUS = 5", "BONUS = 6")
    assert ask() == ("96009", True)
    files["rules.py"] = RULES.replace("+ BONUS", "- BONUS")
    assert ask() == ("85009", True)
    files["rules.py"], files["helper.py"] = RULES, HELPER.replace("10", "20")
    assert ask() == ("185009", True)
    files["helper.py"], files["search.py"] = HELPER, SEARCH.replace("1000", "100")
    assert ask() == ("9509", True)
    files["search.py"] = SEARCH
    assert ask() == ("95009", False)


@pytest.mark.compiled
def test_a_rule_that_does_not_compile(tmp_path: Path) -> None:
    """A game with such a rule plays on as plain Python; the reason names the line."""
    text = RULES.replace("from helper import worth", "def worth(stones): return stones").replace(
        "return PileState(state.stones - move, 1 - state.turn)",
        "return super().play(state, move) if move > 9 else PileState(state.stones - move, 1 - state.turn)",
    )
    (tmp_path / "odd.py").write_text(text, encoding="utf-8")
    game = pg.game_named(f"{tmp_path / 'odd.py'}:Pile")
    line = next(number for number, words in enumerate(text.splitlines(), 1) if "super" in words)
    search = kernel(alphabeta, game)
    assert search(Counting.fresh(), game.initial(), 20, -INFINITY, INFINITY, 0, 0)[0] != 0
    assert search.why_plain is not None and f"odd.py, line {line}" in search.why_plain
    assert search.why_plain.endswith(". So searches run as plain Python: slower, with the same answers.")
    verdict = pg.check(game, games=2)
    notes = " ".join(verdict.notes)
    assert verdict.ok and f"odd.py, line {line}" in notes and "play" in notes


@pytest.mark.compiled
def test_a_case_that_only_plain_python_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that meets such a case runs again as plain Python, with the same counts."""
    text = RULES.replace("from helper import worth", "def worth(stones): return stones")
    text = text.replace("class Pile(", "class Wide(", 1)
    text += "    def evaluate(self, state):\n        return int((state.stones + 2**60 * (state.stones == 5)) / 3) % 7\n"
    (tmp_path / "wide.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(
        "plyground.compiled.agreement.find_difference", lambda game: None
    )  # as if it had not come there
    game = pg.game_named(f"{tmp_path / 'wide.py'}:Wide")
    search, counts = kernel(alphabeta, game), (Counting.fresh(), Counting.fresh())
    args = game.initial(), 4, -INFINITY, INFINITY, 0, 0
    assert search(counts[0], *args) == alphabeta(game, counts[1], *args)
    assert bytes(counts[0].counts) == bytes(counts[1].counts)
    line = len(text.splitlines())
    said = "an int of more than 53 bits is divided or compared as a float, which only plain Python computes"
    assert (
        search.why_plain
        == f"wide.py, line {line}: {said}. So searches run as plain Python: slower, with the same answers."
    )


NOT_AT_IMPORT = {
    "altair",
    "asyncio",
    "fastapi",
    "llvmlite",
    "lxml",
    "markdown_it",
    "numpy",
    "psutil",
    "pydantic",
}
NOT_AT_IMPORT |= {
    "rich",
    "socketserver",
    "sqlalchemy",
    "ssl",
    "typer",
    "urllib.request",
    "uvicorn",
    "websockets",
    "xml",
}
"""What takes long to load, and what most programs that import plyground never use."""


@pytest.mark.process
def test_importing_plyground_loads_what_it_needs() -> None:
    """The package alone: nothing; a search: no arena, laws or protocols; all names: no LLVM, server or terminal."""
    code = "import sys, plyground; print(*sys.modules); plyground.think; print(*sys.modules)"
    code += "; from plyground import *; print(*sys.modules)"
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}  # which loads more
    done = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, encoding="utf-8", check=True)
    alone, to_think, with_all = map(str.split, done.stdout.splitlines())
    assert [name for name in alone if name.startswith("plyground")] == ["plyground"]
    unneeded = {"arena", "laws", "microscope", "play", "players", "protocols", "wire", "workers"}
    assert "plyground.engine.think" in to_think and not {f"plyground.{name}" for name in unneeded} & set(to_think)
    assert "plyground.arena" in with_all and not NOT_AT_IMPORT & set(with_all)


WITHOUT_LLVM = """
import sys
from importlib.machinery import PathFinder
class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        hidden = name.split(".")[0] in ("numpy", "llvmlite", "wasmtime")
        return None if hidden else super().find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(PathFinder)] = Without
"""
NO_LLVM = "Neither llvmlite nor wasmtime is installed, so searches run as plain Python."


@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("search tictactoe --depth 4", NO_LLVM),
        ("compare tictactoe --depth 2", NO_LLVM),
        ("solve tictactoe", NO_LLVM),
        ("analyse tictactoe", NO_LLVM),
        ("play tictactoe --x alphabeta --o random:1", NO_LLVM),
        ("check tictactoe --games 2", "only the plain rules were checked: neither llvmlite nor wasmtime is installed"),
    ],
)
def test_where_llvmlite_is_not_installed_everything_works_plain(command: str, said: str, tmp_path: Path) -> None:
    """Every verb does what it does, and says why it is slower."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_LLVM, encoding="utf-8")
    hidden = os.environ | {"PYTHONPATH": str(tmp_path), "PLYGROUND_PLAIN": "0"}
    words = [sys.executable, "-m", "plyground", *command.split()]
    done = subprocess.run(words, env=hidden, capture_output=True, encoding="utf-8")
    assert done.returncode == 0 and done.stdout, done.stderr
    assert said in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("system", "machine", "python", "has_wheels"),
    [
        ("linux", "x86_64", "3.11", True),
        ("linux", "aarch64", "3.15", True),
        ("win32", "AMD64", "3.14", True),
        ("win32", "ARM64", "3.14", True),
        ("darwin", "arm64", "3.14", True),
        ("darwin", "x86_64", "3.13", False),
        ("linux", "riscv64", "3.13", False),
        ("freebsd14", "x86_64", "3.13", False),
        ("linux", "x86_64", "3.16", False),
        ("emscripten", "wasm32", "3.14", False),
    ],
)
@pytest.mark.parametrize("kind", ["CPython", "PyPy"])
def test_llvmlite_is_asked_for_where_it_can_be_installed(
    system: str, machine: str, python: str, has_wheels: bool, kind: str
) -> None:
    """Everything else is asked for everywhere."""
    here = {"sys_platform": system, "platform_machine": machine, "python_version": python}
    here["platform_python_implementation"] = kind
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [Requirement(text) for text in project["dependencies"]]
    missing = {each.name for each in asked if each.marker and not each.marker.evaluate(here)}
    without = {"psutil"} if system == "emscripten" else set()  # a browser has no processes
    assert missing == without | (set() if has_wheels and kind == "CPython" else {"llvmlite"})
