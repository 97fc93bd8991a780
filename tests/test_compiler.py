"""Nothing is silently slow: what must be compiled is, and what cannot be says why, and whose fault it is."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from games import canaries, games
from right_searches import RIGHT

import plyground as pg
from plyground.compiled.kernel import Kernel
from plyground.search.algorithm import Query
from plyground.search.memory import new_memory
from plyground.search.observer import SILENT, Counting, Detailed
from plyground.search.perft import perft
from plyground.search.retrograde import (
    add_listed_state,
    explore,
    index_of,
    mark_ends,
    new_backward,
    new_graph,
    retrograde,
)
from plyground.spec.user_modules import module_of
from plyground.terminal.bench import BENCH_SEARCHES, nodes_of

pytestmark = [pytest.mark.compiled, pytest.mark.process]
HERE = Path(__file__).resolve().parent


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


def calls(game: Any) -> Iterator[tuple[Callable[..., Any], Any, tuple[Any, ...]]]:
    """Every search with each observer that it is ever given, as the package calls it: the search, its game, the rest
    of its arguments."""
    state, observers = game.initial(), (SILENT, Counting.fresh(), Detailed.fresh())
    for observer in observers:
        yield perft, game, (observer, state, 1, 0)
        for choice in pg.ALGORITHMS:
            if not (game.repetition and choice.name == "proof"):  # it refuses such games
                named = pg.algorithm_named(choice.name)
                query = named.seeing(Query(game, state, entries=1))
                yield named.search, query.game, named.prepare_run(query, observer, named.search).args
    if game.repetition:
        count, graph = Counting.fresh(), new_graph(state, 2, 2)
        add_listed_state(graph, -1 - index_of(graph, state), state)
        yield explore, game, (count, graph, state, 0)
        yield retrograde, SILENT, (count, graph, new_backward(graph))
        yield mark_ends, game, (graph, state, new_memory(8), 0, 0)


@pytest.mark.parametrize("game", canaries(games("compiled")))
def test_every_search_of_a_game_is_compiled(game: str) -> None:
    """None runs plain, whoever watches it."""
    for search, seen, args in calls(pg.game_named(game)):
        run = Kernel(search, seen)
        run.prepare(*args)
        assert run.why_plain is None, (search.__name__, args[0])


def test_what_is_compiled_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second compilation finds the object code on disk."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    for _ in range(2):
        run = Kernel(perft, pg.MNK())
        run.prepare(SILENT, pg.MNK().initial(), 1, 0)
        assert run.why_plain is None and run.why_slow is None
        monkeypatch.setattr(
            "plyground.compiler.backends.machine.optimise", lambda *_: pytest.fail("it is compiled again")
        )


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


NOTEBOOK = """
import linecache
for place, cell in enumerate(CELLS):
    linecache.cache[f"<cell {place}>"] = len(cell), None, cell.splitlines(True), f"<cell {place}>"
    exec(compile(cell, f"<cell {place}>", "exec"))
    count()
"""
"""Runs cells as notebooks do, which keep the text of each."""


def test_rules_are_read_again(leaves_plain: str, tmp_path: Path) -> None:
    """As in a notebook whose cell runs again, changed, and as it was: what has not changed makes tuples of the
    new classes, and is compiled for them."""
    changed = COUNT.replace("min(2,", "min(3,")
    cells = f"CELLS = {[COUNT, changed, COUNT]!r}\n{NOTEBOOK}"
    counts = {}
    for name, environment in (("compiled", {"PLYGROUND_CACHE": str(tmp_path)}), ("plain", {"PLYGROUND_PLAIN": "1"})):
        lines = python("-c", cells, **environment).stdout.splitlines()
        counts[name] = [line.split("|")[:2] for line in lines]
    assert [compiled for _, compiled in counts["compiled"]] == ["True"] * 3
    assert [leaves for leaves, _ in counts["compiled"]] == [leaves for leaves, _ in counts["plain"]]
    assert counts["plain"][0][0] == leaves_plain != counts["plain"][1][0]


def test_a_fault_of_ours_is_not_an_authors(tmp_path: Path) -> None:
    """A compiler that breaks is said to be broken, as a warning too; a disk that cannot be written costs no speed."""
    broken = "import plyground.compiled.code as c\nc.Compiled.prepare = lambda *_: [][1]\nimport warnings\n"
    done = counted(broken + "warnings.simplefilter('ignore')", tmp_path)
    assert done[1] == "False" and "by no fault of the rules (IndexError" in done[2]
    full = "import plyground.compiled.cache as c\ndef full(*_): raise OSError('No space left')\nc.write = full\n"
    done = counted(full, tmp_path)
    assert done[1:3] == ["True", "None"] and "No space left" in done[3]


def test_a_search_is_ready_for_each_watcher_it_is_prepared_for() -> None:
    """Preparing with one kind of observer leaves nothing to compile in the first search with it."""
    run, start = Kernel(perft, pg.MNK()), pg.MNK().initial()
    for observer in (SILENT, Counting.fresh()):
        run.prepare(observer, start, 1, 0)
        assert run.compiled.is_ready(observer, start, 2, 0)


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
