"""A game's WebAssembly module, asked in Node, answers as the game does in Python, and searches node for node alike."""

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from answering import WORKER
from games import random_positions
from test_learned import at_random
from waiting import until

import plyground as pg
from plyground.board.bits import flat
from plyground.compiled.kernel import kernel
from plyground.score import INFINITY, final
from plyground.search import ALGORITHMS
from plyground.search.algorithm import Algorithm, Query
from plyground.search.alphabeta import ALPHABETA
from plyground.search.context import ROOT_MOVE, STACK, new_search_context
from plyground.search.mcts import EXPLORATION, LINE, mcts, new_tree
from plyground.search.memory import Memory, new_memory
from plyground.search.minimax import MINIMAX, minimax
from plyground.search.observer import Counting, Entered, Observer, Recording
from plyground.search.ordered import ORDERED
from plyground.search.pvs import delay_end, pvs
from plyground.search.repetition import line_room, set_ends
from plyground.search.table import new_table
from plyground.spec import Choice
from plyground.wasm import GameModule, build_module
from plyground.wasm.recorder import FIELDS
from plyground.wasm.textbook import recorded_algorithms

pytestmark = [pytest.mark.compiled, pytest.mark.process]
DRIVER = Path(__file__).parent.parent / "page" / "tests" / "modules.mjs"
GAMES = [
    "tictactoe",
    "connectfour",
    "threemorris",
    *(pytest.param(name, marks=pytest.mark.nightly) for name in ("nim", "morris")),
]
LATE = 24
"""Plies after which the engine solves a position of Connect Four at once."""


def ask_module(folder: Path, module: GameModule, questions: dict[str, Any]) -> Any:
    """What the driver in Node answers of a module."""
    (folder / "game.wasm").write_bytes(module.code)
    given = {"facts": module.facts, **questions}
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, str(DRIVER), str(folder / "game.wasm"), str(WORKER)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def walked(game: pg.Game[Any], number: int, seed: int) -> Iterator[pg.Position]:
    """Positions of random games, the last ones too."""
    return random_positions(game, number, random.Random(seed))


def answers(game: pg.Game[Any], state: Any) -> dict[str, Any]:
    """All that Python answers of a state, as the driver writes it."""
    outcome = game.outcome(state)
    told: dict[str, Any] = {
        "toMove": game.to_move(state),
        "outcome": outcome,
        "stands": list(game.stands(state)),
        "strokes": list(game.strokes(state)),
        "caption": list(game.caption(state)),
        "stateSigns": [str(sign) for sign in game.state_signs(state)],
        "bounds": list(game.bounds(state)),
        "repetition_key": words(game.repetition_key(state)),
        "canonical": words(game.canonical(state)),
    }
    if outcome == pg.ONGOING:
        moves = list(game.moves(state))
        smaller, worth = game.split_settled(state)
        told |= {
            "moves": moves,
            "evaluate": game.evaluate(state),
            "repetition_value": game.repetition_value(state),
            "split_settled": [words(smaller), worth],
            "play": [words(game.play(state, move)) for move in moves],
            "path": [list(game.path(state, move)) for move in moves],
            "moveSigns": [[str(sign) for sign in game.move_signs(state, move)] for move in moves],
            "notationSigns": [[str(sign) for sign in game.notation_signs(state, move)] for move in moves],
        }
    return told


def words(state: Any) -> list[str]:
    """A state as the driver reads and writes it."""
    return [str(word) for word in flat(state)]


@pytest.mark.parametrize("name", GAMES)
def test_questions(name: str, tmp_path: Path, seed: int) -> None:
    """Every question, along random games."""
    game = pg.game_named(name)
    states = [position.state for position in walked(game, 80, seed)]
    found = ask_module(tmp_path, build_module(game), {"states": [words(state) for state in states]})
    assert found["initial"] == words(game.initial())
    for state, told in zip(states, found["answers"], strict=True):
        assert told == answers(game, state), game.text(state)


def unfinished(game: pg.Game[Any], number: int, seed: int) -> list[pg.Position]:
    """Positions to search."""
    return [each for each in walked(game, number, seed) if each.outcome is None]


def given(positions: list[pg.Position]) -> list[dict[str, Any]]:
    """Positions as the driver reads them."""
    ends = [each.last_times() if each.game.repetition else () for each in positions]
    return [
        {"state": words(each.state), "ends": [words(end) for end in last]}
        for each, last in zip(positions, ends, strict=True)
    ]


def counted(observer: Counting) -> list[int]:
    """All that is counted."""
    return [observer.nodes, observer.leaves, observer.evaluations, observer.cutoffs, observer.root_moves_begun]


@pytest.mark.parametrize("name", [*GAMES, pytest.param("learned", marks=pytest.mark.nightly)])
def test_pvs(name: str, tmp_path: Path, seed: int) -> None:
    """The engine's search has the same values, moves and counts, depth by depth, with a table of the same size; with a
    learned evaluation, too."""
    game = pg.Learned("tictactoe", at_random("tictactoe")) if name == "learned" else pg.game_named(name)
    run, entries, depths = kernel(pvs, game), 1 << 12, 4
    positions, expected = unfinished(game, 20, seed), []
    for position in positions:
        ends = position.last_times() if game.repetition else ()
        observer, state = Counting.fresh(), position.state
        context = new_search_context(game, state, new_table(state, entries), ends)
        for depth in range(1, depths + 1):
            value = run(observer, context, state, depth, -INFINITY, INFINITY, 1, 0, STACK)
            expected.append([value, context.scratch[ROOT_MOVE], *counted(observer)])
    count_uses = {"positions": given(positions), "entries": entries, "depths": depths}
    assert ask_module(tmp_path, build_module(game), {"pvs": count_uses})["pvs"] == expected


def test_workers_together(tmp_path: Path, seed: int) -> None:
    """Three with one small table find the values that one finds natively, and moves worth them; all of them search."""
    game = pg.game_named("connectfour")
    run, entries, depth = kernel(pvs, game), 1 << 10, 42
    positions = [each for each in unfinished(game, 900, seed) if len(each.moves) == LATE][:10]

    def value(state: Any) -> Any:
        context = new_search_context(game, state, new_table(state, 1 << 12))
        return run(Counting.fresh(), context, state, depth, -INFINITY, INFINITY, 1, 0, STACK)

    count_uses = {"positions": given(positions), "entries": entries, "depth": depth, "helpers": 2}

    def all_search() -> bool:
        told = ask_module(tmp_path, build_module(game), {"together": count_uses})["together"]
        for position, (found, move, _) in zip(positions, told, strict=True):
            assert found == value(position.state), position.words
            child = position.play(move)
            after = delay_end(-value(child.state), 1) if child.outcome is None else abs(final(child.outcome, 1))
            assert found == after, position.words
        return all(sum(nodes) > 0 for nodes in zip(*(nodes for _, _, nodes in told), strict=True))

    until(all_search)  # a busy processor may give a helper no time before the others are done


@pytest.mark.parametrize("name", GAMES)
def test_mcts(name: str, tmp_path: Path, seed: int) -> None:
    """The tree of a Monte Carlo search is the same in every word, also where it is full."""
    game, nodes, simulations = pg.game_named(name), 2000, 300
    run, positions, expected = kernel(mcts, game), unfinished(game, 12, seed), []
    for position in positions:
        observer, tree = Counting.fresh(), new_tree(nodes, 1)
        path = new_memory(LINE + (line_room(position.state) if game.repetition else 0))
        if game.repetition:
            set_ends(path, LINE, position.last_times())
        done = run(observer, tree, path, position.state, simulations, EXPLORATION)
        expected.append([done, observer.nodes, [str(word) for word in tree]])
    count_uses = {"positions": given(positions), "nodes": nodes, "simulations": simulations}
    assert ask_module(tmp_path, build_module(game), {"grown": count_uses})["grown"] == expected


@pytest.mark.parametrize("name", GAMES)
def test_textbook(name: str, tmp_path: Path, seed: int) -> None:
    """The textbook searches count the same, and what is written down of them is what a recording keeps."""
    assert_same_searches(pg.game_named(name), [MINIMAX, ALPHABETA, ORDERED], tmp_path, seed)


def assert_same_searches(game: pg.Game[Any], algorithms: list[Algorithm], folder: Path, seed: int) -> None:
    """A module has these searches, in this order, and each finds, counts and writes down the same as in Python."""
    depth = 2
    positions, expected = unfinished(game, 8, seed), []
    for position in positions:
        ends = position.last_times() if game.repetition else ()
        for algorithm in algorithms:
            observer, recording = Counting.fresh(), Recording()
            query = algorithm.seeing(Query(game, position.state, depth, ends=ends))
            search = partial(algorithm.search, query.game)
            value, move = algorithm.prepare_run(query, observer, search)()
            algorithm.prepare_run(query, recording, search)()
            expected.append([value, move, *counted(observer)])
            expected.append([True, FIELDS, [str(word) for node in recording.nodes for word in row(node)]])
    told = ask_module(folder, build_module(game), {"textbook": {"positions": given(positions), "depth": depth}})[
        "textbook"
    ]
    assert told == expected


def noting(
    game: pg.Game[Any],
    observer: Observer,
    scratch: Memory,
    top: int,
    state: Any,
    depth: int,
    prefer_shorter: int,
    ply: int,
) -> tuple[int, int]:
    """Minimax, its move by way of the scratch memory."""
    value, scratch[top + ROOM - 1] = minimax(game, observer, state, depth, prefer_shorter, ply)
    return value, scratch[ROOM - 1]


ROOM = 3
NOTING = Algorithm(
    "noting", "noting", noting, (), is_recorded=True, room=lambda query: {"scratch": new_memory(ROOM), "top": 0}
)


def listed(monkeypatch: pytest.MonkeyPatch, more: Algorithm) -> None:
    """Put an algorithm at the end of the list of them."""
    shipped = (*ALGORITHMS.shipped, Choice(more.name, lambda: more, ""))
    monkeypatch.setattr("plyground.wasm.textbook.ALGORITHMS", replace(ALGORITHMS, shipped=shipped))


@pytest.mark.nightly
def test_a_new_search(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in the list of algorithms is in every module, with the notes that it asks for."""
    listed(monkeypatch, NOTING)
    assert_same_searches(pg.game_named("tictactoe"), [MINIMAX, ALPHABETA, ORDERED, NOTING], tmp_path, seed)


def test_a_new_search_of_another_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that a page has nothing to give to is not left out in silence."""
    listed(monkeypatch, replace(NOTING, search=lambda game, observer, state, depth, luck: (0, 0)))
    with pytest.raises(LookupError, match="noting takes observer, state, depth, luck"):
        build_module(pg.game_named("tictactoe"))


def row(node: Entered) -> list[int]:
    """A recorded node as it is written down in a module."""
    kind = ("node", "leaf", "horizon").index(node.kind)
    about = [node.parent, node.level, node.move, node.alpha, node.beta]
    return [*about, node.value, node.best, kind, node.cut]


def test_stopped(tmp_path: Path) -> None:
    """A search whose budget is spent says so."""
    told = ask_module(tmp_path, build_module(pg.game_named("tictactoe")), {"stopped": [0, 7, 1 << 40]})
    assert told["stopped"] == [["Stopped", 0], ["Stopped", 7], 0]


@pytest.mark.parametrize("name", GAMES)
def test_a_search_stands_once(name: str) -> None:
    """The entry of a search that calls itself is a call of it: with the search in it, it would be a second copy."""
    sizes = sizes_of_exports(build_module(pg.game_named(name)).code)
    assert sum(sizes.values()) > 2_000
    for search in ("pvs", *(each.name for each in recorded_algorithms())):
        assert sizes[search] < 1_000, (search, sizes[search])


def sizes_of_exports(code: bytes) -> dict[str, int]:
    """Bytes of each exported function of a module."""
    sections = dict(parts(code))
    bodies = []
    count, at = number(sections[CODE], 0)
    for _ in range(count):
        size, at = number(sections[CODE], at)
        bodies.append(size)
        at += size
    sizes, (count, at) = {}, number(sections[EXPORTS], 0)
    for _ in range(count):
        length, at = number(sections[EXPORTS], at)
        name, kind = sections[EXPORTS][at : at + length].decode(), sections[EXPORTS][at + length]
        index, at = number(sections[EXPORTS], at + length + 1)
        if kind == FUNCTION:  # of functions none is imported, so the first body is number 0
            sizes[name] = bodies[index]
    return sizes


def test_it_imports_its_memory(tmp_path: Path) -> None:
    """A module is found again in the cache, and asks for nothing else from outside; nothing runs when it is made."""
    game = pg.game_named("tictactoe")
    (first, again) = build_module(game), build_module(game)
    assert first == again
    assert first.code[:8] == b"\0asm\1\0\0\0"
    sections = dict(parts(first.code))
    assert START not in sections and sections[IMPORTS].startswith(b"\1\3env\6memory\2\1")


IMPORTS, EXPORTS, START, CODE = 2, 7, 8, 10
FUNCTION = 0


def parts(code: bytes) -> Iterator[tuple[int, bytes]]:
    """The number and contents of each section of a module."""
    at = 8
    while at < len(code):
        section = code[at]
        length, at = number(code, at + 1)
        yield section, code[at : at + length]
        at += length


def number(code: bytes, at: int) -> tuple[int, int]:
    """An int in LEB128, and the place behind it."""
    found = shift = 0
    while True:
        found, shift, at = found | (code[at] & 127) << shift, shift + 7, at + 1
        if code[at - 1] < 128:
            return found, at


class Worded(pg.MNK):
    """Its opinion is looked up by words."""

    def evaluate(self, state: Any) -> int:
        return {"x": 1, "o": -1}[self.marks[self.to_move(state)]]


def test_what_runs_plain_cannot_be_built() -> None:
    """The sentence names the file and the line."""
    with pytest.raises(pg.BadInput, match=r"Worded cannot be published.* test_wasm\.py, line \d+: "):
        build_module(Worded())
