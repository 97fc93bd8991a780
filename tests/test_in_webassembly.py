"""Compiled searches where there is no LLVM: in wasmtime, and in Pyodide, which is Python in a browser's engine."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import platformdirs
import pytest

import plyground as pg
from plyground.compiler.backends.backend import Backend
from plyground.compiler.backends.linear_memory import wasmtime_memory
from plyground.compiler.backends.webassembly import format_webassembly
from plyground.compiler.optimisation.inlining import inline_small
from plyground.compiler.runtime import CompiledFunction

pytestmark = [pytest.mark.compiled, pytest.mark.process]
HERE = Path(__file__).parent
SEARCHES: list[tuple[str, str, dict[str, Any]]] = [
    ("connectfour", "alphabeta", {"depth": 6}),
    ("kalah", "pvs", {"depth": 7}),
    ("threemorris", "minimax", {"depth": 5}),
    ("reversi", "mcts", {"nodes": 300, "seed": 5}),
    ("nim", "proof", {"nodes": 2_000}),
]
SCRIPT = """
import json, warnings
warnings.simplefilter("error")
import plyground as pg
from plyground.compiler.backends.backend import usual_backend

def answer(game, algorithm, asked):
    report = pg.search(pg.Position.parse(game, ""), algorithm, **asked)
    return [str(report.score), report.move, report.nodes, report.why_plain]

def think(game):
    *_, found = pg.think(pg.Position.parse(game, ""), pg.Limit(time=0.5))
    return found.depth > 2

def depth():
    try:
        pg.search(pg.Position.parse("connectfour", ""), "alphabeta", depth=30, nodes=10_000)
    except pg.Stopped:
        return "stopped"

print(json.dumps([usual_backend().value, [answer(*each) for each in SEARCHES], think("kalah"), depth()]))
"""


def native_answers() -> list[Any]:
    """Each search as it is here."""
    found = []
    for game, algorithm, asked in SEARCHES:
        report = pg.search(pg.Position.parse(game, ""), algorithm, **asked)
        found.append([str(report.score), report.move, report.nodes, None])
    return found


def answers(*command: str, environment: dict[str, str] | None = None) -> Any:
    """The line that the script prints, run by a program that reads it."""
    done = subprocess.run(
        command,
        input=SCRIPT.replace("SEARCHES", repr(SEARCHES)),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **(environment or {})},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_in_wasmtime() -> None:
    """The same answers, nodes and stops, and nothing runs as plain Python."""
    found = answers(sys.executable, "-", environment={"PLYGROUND_BACKEND": "wasmtime"})
    assert found == ["wasmtime", native_answers(), True, "stopped"]


def test_a_back_end_that_is_not_there() -> None:
    """The variable is named, and the search runs plain."""
    words = [sys.executable, "-m", "plyground", "search", "tictactoe", "--depth", "3"]
    hidden = {**os.environ, "PLYGROUND_BACKEND": "cranelift", "PLYGROUND_PLAIN": "0"}
    done = subprocess.run(words, env=hidden, capture_output=True, encoding="utf-8", check=True)
    said = "PLYGROUND_BACKEND is 'cranelift', and no such back end is installed, so searches run as plain Python."
    assert said in done.stderr + done.stdout


def test_in_pyodide() -> None:
    """The same in a browser's engine, where there are no threads and no LLVM."""
    node = shutil.which("node")
    if not node or not (HERE.parent / "page" / "node_modules" / "pyodide").is_dir():
        pytest.skip("node is not installed, or `npm ci` has not been run in page")
    libraries = Path(platformdirs.__file__).parent.parent
    found = answers(node, str(HERE.parent / "page" / "tests" / "python.mjs"), str(HERE.parent), str(libraries))
    assert found == ["pyodide", native_answers(), True, "stopped"]


def test_memory_of_elsewhere() -> None:
    """Memory that WebAssembly cannot reach is copied in and out."""
    memory = memoryview(bytearray(80)).cast("q")
    native = CompiledFunction(_fill, memory, 7, backend=Backend.WASMTIME)
    assert native(memory, 7) == 0 and list(memory) == [7] + 9 * [0]


def _fill(memory: memoryview, value: int) -> int:
    before = memory[0]
    memory[0] = value
    return before


def test_a_block_is_given_back_while_another_is_taken() -> None:
    """A finaliser may run within `take`, by a collection: it waits for nothing, and the block comes again."""
    memory = wasmtime_memory()
    offset = memory.take(1_000)
    with memory._guard:
        memory.give_back(offset, 1_000)
    assert memory.take(1_000) == offset


def test_a_constant_row_of_nothing() -> None:
    """Constant data may be empty."""
    native = CompiledFunction(_sum_of_nothing, 1, 2, is_checked=False, backend=Backend.WASMTIME)
    assert native(1, 2) == _sum_of_nothing(1, 2)


def _sum_of_nothing(a: int, b: int) -> int:
    return a + b + sum(sorted([]))


def _least(a: int, b: int) -> int:
    return a if a < b else b


def test_the_text() -> None:
    """WebAssembly's text has functions by their names, structures indented, and ends with each."""
    native = CompiledFunction(_least, 1, 2, is_checked=False)
    inline_small(native.form[:1])
    lines = format_webassembly(native.form[0]).splitlines()
    assert re.fullmatch(r"\(func \$_least\.0 \(param \$\d+ i64\) \(param \$\d+ i64\) \(result i64\)", lines[0])
    assert lines[-1] == ")" and "i64.lt_s" in "".join(lines)
    depth = 1
    for line in lines[1:-1]:
        depth -= line.split()[0] in ("end", "else")
        assert line.startswith("  " * depth) and line[2 * depth] != " "
        depth += line.split()[0] in ("block", "loop", "if", "else")
    assert depth == 1
