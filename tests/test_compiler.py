"""Nothing is silently slow: what must be compiled is, and what cannot be says why, and whose fault it is."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from games import canaries, games, is_canary
from right_searches import RIGHT

import plyground as pg
from plyground.compiled.kernel import Kernel
from plyground.compiled.numba_internals import DISK, PIPELINE
from plyground.search.observer import SILENT, Counting
from plyground.search.perft import perft
from plyground.spec.user_modules import module_of
from plyground.terminal.bench import BENCH_SEARCHES, nodes_of

pytestmark = [pytest.mark.compiled, pytest.mark.process]
HERE = Path(__file__).resolve().parent

NOT_RECURSIVE = {"mcts", "explore", "retrograde", "mark_ends"}
LARGE = {(game, search) for game in ("chess", "gardner") for search in ("ordered", "pvs")}
"""Games and searches whose code is too large to be opened."""


def python(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A new process of Python, which must end well."""
    done = subprocess.run(
        [sys.executable, *words], env=os.environ | environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def test_a_search_calls_itself_also_where_its_module_is_gone(tmp_path: Path) -> None:
    """A file of a player is read for that player alone, and its module is not kept."""
    source = (HERE.parent / "plyground" / "search" / "minimax.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    search = module_of(tmp_path / "mine.py", anew=True).minimax
    assert search.__module__ not in sys.modules
    compiled, position, counting = Kernel(search, pg.MNK()), pg.Position.parse("tictactoe", "b2 a1"), Counting.fresh()
    plain = Counting.fresh()
    args = position.state, 5, False, 0
    assert compiled(counting, *args) == search(pg.MNK(), plain, *args)
    assert compiled.why_plain is None and bytes(counting.counts) == bytes(plain.counts)


@pytest.mark.parametrize("game", canaries(games("compiled")))
def test_every_search_of_a_game_is_compiled_kept_and_opened(game: str, seed: int) -> None:
    """The second process finds all on disk. Each pair of game and search is seconds of compiling, and what an observer
    counts depends on neither: so each search has one observer, and another one with another seed. Of canaries it is the
    one that the other tests have, so that they find the code.
    """
    words = [str(HERE / "canary.py"), game, str(seed if is_canary(game) else games("compiled").index(game) + seed)]
    python(*words)
    for pair, found in json.loads(python(*words).stdout).items():
        assert found["why_plain"] is None, f"{pair} runs plain for {game}: {found['why_plain']}"
        assert found["from_disk"], f"{pair} for {game} was not found on disk"
        search = pair.split()[0]
        opens = search not in NOT_RECURSIVE and (game, search) not in LARGE
        assert found["opened"] == opens, f"{pair} for {game}: recursion was {'not ' if opens else ''}opened"


PILE = """
from typing import NamedTuple
import plyground as pg
class PileState(NamedTuple):
    stones: int
    turn: int
class Pile(pg.Game):
    def initial(self): return PileState(20, 0)
    def to_move(self, state): return state.turn
    def moves(self, state):
        for move in range(1, min(2, state.stones) + 1): yield move
    def play(self, state, move): return PileState(state.stones - move, 1 - state.turn)
    def outcome(self, state): return pg.ONGOING if state.stones > 0 else 2 * state.turn - 1
"""
COUNT = (
    PILE
    + """
from plyground.search.perft import perft
from plyground.search.observer import Counting
from plyground.compiled.kernel import kernel
def count():
    run = kernel(perft, Pile())
    leaves = run(Counting.fresh(), Pile().initial(), 12, 0)
    print(leaves, run.compiled is not None, run.why_plain, run.why_slow, sep="|")
"""
)


def counted(setup: str, tmp_path: Path, **environment: str) -> list[str]:
    """What `count()` prints after this setup, in a new process with no compiled code."""
    (tmp_path / "pile.py").write_text(COUNT, encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{setup}\nfrom pile import count\ncount()"
    return python("-c", code, PLYGROUND_CACHE=str(tmp_path / "cache"), **environment).stdout.strip().split("|")


@pytest.fixture(scope="module")
def leaves_plain(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What plain Python counts."""
    return counted("", tmp_path_factory.mktemp("plain"), PLYGROUND_PLAIN="1")[0]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if number == 0 else pytest.mark.nightly)
        for names in (PIPELINE, DISK)
        for number, name in enumerate(names)
    ],
)
def test_a_name_of_numbas_that_is_gone_costs_speed_only_and_says_so(
    name: str, leaves_plain: str, tmp_path: Path
) -> None:
    """Searches are still compiled and find the same; nobody's rules are blamed."""
    setup = (
        "import operator; real = operator.attrgetter\n"
        f"gone = {name.split('.', 1)[1]!r}\n"
        "operator.attrgetter = lambda path: real(path + '_gone' if path == gone else path)\n"
    )
    leaves, compiled, why_plain, why_slow = counted(setup, tmp_path)
    assert (leaves, compiled, why_plain) == (leaves_plain, "True", "None")
    assert f"has no {name}" in why_slow


def test_rules_are_read_again(leaves_plain: str, tmp_path: Path) -> None:
    """As in a notebook whose cell runs again, changed, and as it was: what has not changed makes tuples of the
    new classes, and is compiled for them."""
    changed = COUNT.replace("min(2,", "min(3,")
    cells = f"import builtins\nfor cell in {[COUNT, changed, COUNT]!r}:\n    builtins.exec(cell)\n    count()"
    counts = {}
    for name, environment in (("compiled", {"PLYGROUND_CACHE": str(tmp_path)}), ("plain", {"PLYGROUND_PLAIN": "1"})):
        lines = python("-c", cells, **environment).stdout.splitlines()
        counts[name] = [line.split("|")[:2] for line in lines]
    assert [compiled for _, compiled in counts["compiled"]] == ["True"] * 3
    assert [leaves for leaves, _ in counts["compiled"]] == [leaves for leaves, _ in counts["plain"]]
    assert counts["plain"][0][0] == leaves_plain != counts["plain"][1][0]


def test_whoever_switches_numba_off_is_told(leaves_plain: str, tmp_path: Path) -> None:
    """`NUMBA_DISABLE_JIT=1`, the usual way to debug, plays on as plain Python."""
    leaves, compiled, why_plain, _ = counted("", tmp_path, NUMBA_DISABLE_JIT="1")
    assert (leaves, compiled) == (leaves_plain, "False")
    assert why_plain == "NUMBA_DISABLE_JIT is set, so searches run as plain Python."
    told = python("-m", "plyground", "check", "tictactoe", "--games", "2", NUMBA_DISABLE_JIT="1").stdout
    assert told.startswith("note: only the plain rules were checked: NUMBA_DISABLE_JIT is set\n")


def test_a_fault_of_ours_is_not_an_authors(tmp_path: Path) -> None:
    """A compiler that breaks is said to be broken, as a warning too; a disk that cannot be written costs no speed."""
    broken = "import plyground.compiled.code as c\nc.Compiled.prepare = lambda *_: [][1]\nimport warnings\n"
    done = counted(broken + "warnings.simplefilter('ignore')", tmp_path)
    assert done[1] == "False" and "by no fault of the rules (IndexError" in done[2]
    full = "import plyground.compiled.cache as c\ndef full(*_): raise OSError('No space left')\nc.write = full\n"
    done = counted(full, tmp_path)
    assert done[1:3] == ["True", "None"] and "No space left" in done[3]
    other = "import plyground.compiled.numba_internals as b\ndef other(_): raise ValueError\nb.open_recursion = other\n"
    done = counted(other, tmp_path)
    assert done[1:3] == ["True", "None"] and "could not be opened (ValueError)" in done[3]


OTHERS = r"""
import re, numba
def compiled():
    def total(numbers, n):
        found = 0
        for place in range(n):
            found = (found ^ numbers) * 31 + (found >> 3)
        return found
    code = numba.njit("int64(int64, int64)")(total)
    return re.findall(r"^  .* = (\w+ \w+|\w+) ", next(iter(code.inspect_llvm().values())), re.MULTILINE)
before = compiled()
import plyground as pg
pg.search(pg.Position.initial(pg.MNK()), "alphabeta", 3)
print(len(before) > 20, before == compiled())
"""


def test_loading_a_game_leaves_other_peoples_functions_alone() -> None:
    """A user's own compiled function is made of the same instructions before and after a search."""
    assert python("-c", OTHERS).stdout.split() == ["True", "True"]


def test_a_search_is_ready_for_each_watcher_it_is_prepared_for() -> None:
    """Preparing with one kind of observer leaves nothing to compile in the first search with it."""
    run, start = Kernel(perft, pg.MNK()), pg.MNK().initial()
    for observer in (SILENT, Counting.fresh()):
        run.prepare(observer, start, 1, 0)
        ready = len(run.compiled._signatures)
        run(observer, start, 2, 0)
        assert len(run.compiled._signatures) == ready


def test_a_function_that_calls_itself_may_begin_with_a_constant(tmp_path: Path) -> None:
    """A search that calls it with 0 plies is compiled, though its own calls have another type there."""
    file = tmp_path / "student.py"
    file.write_text(RIGHT["iterative deepening"], encoding="utf-8")
    position = pg.Position.initial("tictactoe")
    found, known = (pg.search(position, search, depth=3) for search in (f"{file}:search", "alphabeta"))
    assert found.why_plain is None and found.score == known.score


def bench_row(name: str, search: str, depth: int) -> str:
    """A line of the table: a search of `plyground bench`, compiled, and the nodes that it visits."""
    return f"{name:<20} {search + f' {depth}':<14} {nodes_of(name, search, depth):>12,}\n"


@pytest.mark.nightly
def test_the_nodes_of_the_bench(golden: Callable[[str, str], None]) -> None:
    """Each search of `plyground bench` visits the nodes that the table says; a change of them is meant."""
    rows = [bench_row(*row[:3]) for row in BENCH_SEARCHES]
    total = sum(int(row.split()[-1].replace(",", "")) for row in rows)
    golden("nodes.txt", "".join(rows) + f"Nodes: {total}\n")


def test_the_nodes_of_some_of_the_bench() -> None:
    """Node counts of tic-tac-toe, Connect Four and Kalah, which other tests compile too, are those of the golden table;
    the total in its last line is the sum of its rows."""
    *table, total = (HERE / "golden" / "nodes.txt").read_text("utf-8").splitlines(keepends=True)
    assert total == f"Nodes: {sum(int(row.split()[-1].replace(',', '')) for row in table)}\n"
    rows = [bench_row(*row[:3]) for row in BENCH_SEARCHES if row[0] in ("tictactoe", "connectfour", "kalah")]
    assert len(rows) > 5 and set(rows) <= {*table}


@pytest.mark.parametrize("script", ["run.py", "growth.py", "verify.py"])
def test_no_table_is_written_of_a_game_that_runs_plain(script: str) -> None:
    """The program ends with a sentence that names the search and the game; nothing is measured."""
    bench = HERE.parent / "bench" / script
    done = subprocess.run(
        [sys.executable, str(bench)], env=os.environ | {"PLYGROUND_PLAIN": "1"}, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.startswith("No table is written: alphabeta of ") and "PLYGROUND_PLAIN" in done.stderr
