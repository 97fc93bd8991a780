"""The compiler of our own: whatever it compiles gives what plain Python gives, to the last bit and exception."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import pytest
from backends import CompiledFunction
from form_laws import require_laws
from games import TABLE
from random_programs import EDGES, FILL, at_level, functions_of, hold_programs, outcome, require_same
from tries import tries

import plyground as pg
from plyground.compiler import runtime
from plyground.compiler.backends.backend import Backend
from plyground.compiler.backends.machine import native_target
from plyground.compiler.errors import NoSource, NotCompilable, Overflow, UnsupportedCase
from plyground.compiler.form import reachable_functions
from plyground.compiler.frontend import lower_function
from plyground.compiler.optimisation.inlining import inline_calls
from plyground.compiler.runtime import argument_type
from plyground.compiler.source import node_of
from plyground.games import game_named
from plyground.search.algorithm import Algorithm, Query
from plyground.search.alphabeta import ALPHABETA
from plyground.search.minimax import MINIMAX
from plyground.search.observer import Counting, Stopped
from plyground.search.ordered import ORDERED
from plyground.search.perft import PERFT
from plyground.search.pvs import principal_variation

pytestmark = [pytest.mark.compiled, pytest.mark.filterwarnings("ignore:Bitwise inversion")]  # from Python 3.12 on

OPERATIONS = {
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "floor": "a // b",
    "rest": "a % b",
    "both": "divmod(a, b)",
    "and": "a & b",
    "or": "a | b",
    "xor": "a ^ b",
    "left": "a << b",
    "right": "a >> b",
    "left_masked": "a << b % 90 & 1023",
    "inverse": "~a, ~(a < b), -a, not a",
    "compared": "a < b, a <= b, a == b, a != b, a > b, a >= b, a < b < 5",
    "tuples": "(a, 1) < (b, 1), (a, b) == (b, a), (a,) < (a, b), (a, b) >= (b, a), a in (b, 3, 0)",
    "least": "min(a, b), max(a, b, 3), abs(a), a.bit_count(), a.bit_length(), bin(b).count('1')",
    "places": "(5, 6, 7)[a], (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)[b]",
    "slices": "(a, b, 1, 2)[1:], (a, b, 1, 2)[::-1], (a, b, 1)[:-1], (a, b) + (1,), (a,) * 3",
    "replaced": "(1, 2, 3, 4)[:a % 4] + (b,) + (1, 2, 3, 4)[a % 4 + 1:]",
    "sums": "sum((a % 100, b % 100, 3)), sum(i * i for i in range(a % 30) if i % 3), len([i for i in range(b % 20)])",
    "some": "any(i == a for i in range(12)), all(i != b for i in range(3, -9, -2)), tuple(i + a % 9 for i in range(3))",
    "ordered": "tuple(sorted((a, b, 7, -7))), tuple(sorted((a, b, 0), reverse=True)), min((a, 1), (b, 0))",
    "starred": "max(*[x % 5 for x in sorted((a, b, 7))], 2), min(*map(abs, list((a % 9, b % 9))), 4)",
    "values": "a or b, a and b, 0 if a else b, (a if a > b else None) is None",
    "hash": "(a * 0x9E3779B97F4A7C15 ^ b) >> 3 & 0xFFFFFFFF, (a * 31 + b) & (1 << 63) - 1",
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operation(name: str) -> None:
    """An operation on every pair of edge values: Python's result, its exception, or `Overflow` for want of room."""
    plain, twin = functions_of(f"def main(a, b):\n    return {OPERATIONS[name]}\n", name)
    native = CompiledFunction(plain, 0, 0)
    for a in EDGES:
        for b in EDGES:
            if "<< b" in OPERATIONS[name] and b > 1 << 20:
                continue  # Python would make an int of that many bits
            require_same(native, plain, twin, a, b)


@pytest.mark.parametrize(("level", "backend"), [(0, Backend.LLVM), (3, Backend.LLVM), (5, Backend.WASMTIME)])
def test_random_programs(level: int, backend: Backend) -> None:
    """Random programs give what Python gives, and few are refused."""
    counts = hold_programs(range(1_000 * level, 1_000 * level + tries(400)), level, backend)
    assert counts["programs"] >= 0.9 * tries(400)


@pytest.mark.nightly
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("part", range(20))
def test_many_random_programs(part: int) -> None:
    """A hundred thousand of them, a hundred at a time, each tenth hundred optimised like searches."""
    for first in range(1_000_000 + part * 5_000, 1_000_000 + (part + 1) * 5_000, 100):
        hold_programs(range(first, first + 100), 3 if first % 1_000 == 0 else 0)


QUESTIONS = (
    "to_move",
    "outcome",
    "evaluate",
    "bounds",
    "canonical",
    "split_settled",
    "repetition_key",
    "is_forced",
    "pass_turn",
)


def listed(game: Any, state: Any) -> tuple[int, int, int]:
    """The legal moves: their number, and two sums that tell their order."""
    count = mixture = ordered = 0
    for move in game.moves(state):
        count += 1
        mixture = (mixture * 31 + move) & 0xFFFFFFFF
        ordered = (ordered * 31 + game.order(state, move)) & 0xFFFFFFFF
    return count, mixture, ordered


def candidates(game: Any, state: Any) -> tuple[int, int]:
    """The candidates likewise."""
    count = mixture = 0
    for move in game.candidates(state):
        count += 1
        mixture = (mixture * 31 + move) & 0xFFFFFFFF
    return count, mixture


def positions(game: Any, number: int, seed: int = 1) -> Iterator[Any]:
    """States of random games."""
    chance = random.Random(seed)
    state = game.initial()
    for _ in range(number):
        yield state
        moves = list(game.moves(state)) if game.outcome(state) == pg.ONGOING else []
        state = game.play(state, chance.choice(moves)) if moves else game.initial()


@pytest.mark.parametrize("name", [each for each in TABLE if each in ("chess", "draughts", "kalah", "mnk:8,8,5")])
def test_rules(name: str) -> None:
    """Every question about random positions, answered as by plain Python."""
    hold_rules(name, 40)


@pytest.mark.nightly
@pytest.mark.parametrize("name", TABLE)
def test_all_rules(name: str) -> None:
    """Of all shipped games."""
    hold_rules(name, 300)


def hold_rules(name: str, number: int) -> None:
    """Hold the compiled rules of a game to the plain ones on random positions."""
    game = game_named(name)
    start = game.initial()
    functions = {question: getattr(type(game), question) for question in QUESTIONS}
    functions |= {"moves": listed, "candidates": candidates}
    natives = {question: CompiledFunction(function, game, start) for question, function in functions.items()}
    play = CompiledFunction(type(game).play, game, start, 0)
    for state in positions(game, number):
        ongoing = game.outcome(state) == pg.ONGOING
        for question, native in natives.items():
            if ongoing or question in ("to_move", "outcome"):
                assert native(game, state) == functions[question](game, state), (question, state)
        for move in game.moves(state) if ongoing else ():
            assert play(game, state, move) == game.play(state, move), (state, move)


SEARCHES = (ALPHABETA, MINIMAX, ORDERED, PERFT, principal_variation(1))


@pytest.mark.parametrize("algorithm", SEARCHES, ids=lambda each: each.name)
@pytest.mark.parametrize("name", ["nim", "threemorris", "kalah:3,2", "connectfour:4,3,3"])
def test_search(algorithm: Algorithm, name: str) -> None:
    """The same value, move, counts and bytes of memory, node for node."""
    hold_search(algorithm, name, 4)


@pytest.mark.nightly
@pytest.mark.parametrize("algorithm", SEARCHES, ids=lambda each: each.name)
@pytest.mark.parametrize("name", TABLE)
def test_every_search(algorithm: Algorithm, name: str) -> None:
    """In all shipped games."""
    hold_search(algorithm, name, 3 if "wide" not in TABLE[name] else 1)


def hold_search(algorithm: Algorithm, name: str, depth: int) -> None:
    """Hold a compiled search to the plain one."""
    game = game_named(name)
    query = algorithm.seeing(Query(game, game.initial(), depth))
    runs = [algorithm.prepare_run(query, Counting.fresh(), partial(algorithm.search, query.game)) for _ in range(2)]
    native = CompiledFunction(algorithm.search, query.game, *runs[0].args)
    assert native(query.game, *runs[0].args) == algorithm.search(query.game, *runs[1].args)
    for own, plain in zip(words(runs[0].args), words(runs[1].args), strict=True):
        assert own == plain


def words(args: Any) -> Iterator[Any]:
    """The bytes of all memory among arguments."""
    for each in args:
        if isinstance(each, tuple):
            yield from words(each)
        elif isinstance(each, memoryview):
            yield each.tobytes()


class Pile(NamedTuple):
    """Counters in heaps, and whose turn it is."""

    heaps: tuple[int, ...]
    turn: int
    ply: int = 0


CHARGES = {"none": [], "one": [1], "two": [1, 2]}
NAMES = ["none", "one", "two", "two"]


@dataclass(frozen=True)
class Piles(pg.Game[Pile]):
    """Rules as users write them: lists, slices, `_replace`, sets, dicts of texts, generators in expressions."""

    heaps: int = 3

    def initial(self) -> Pile:
        return Pile(tuple(range(1, self.heaps + 1)), 0)

    def to_move(self, state: Pile) -> int:
        return state.turn

    def moves(self, state: Pile) -> Iterator[int]:
        yield from (10 * heap + take for heap, size in enumerate(state.heaps) for take in range(1, min(size, 3) + 1))

    def play(self, state: Pile, move: int) -> Pile:
        heap, take = divmod(move, 10)
        if state.ply % 2:
            heaps = list(state.heaps)
            heaps[heap] -= take
            return state._replace(heaps=tuple(heaps), turn=1 - state.turn, ply=state.ply + 1)
        rest = state.heaps[heap] - take
        return Pile((*state.heaps[:heap], rest, *state.heaps[heap + 1 :]), 1 - state.turn, state.ply + 1)

    def outcome(self, state: Pile) -> int:
        if any(size for size in state.heaps):
            return pg.ONGOING
        return -1 if state.turn == 0 else 1

    def evaluate(self, state: Pile) -> int:
        seen = {0}
        todo = [size for size in state.heaps if size % 2]
        todo.append(1)
        while todo:
            size = todo.pop()
            if size not in seen:
                seen.add(size)
                todo.extend(range(max(size - 2, 0), size))
        best = max(state.heaps, key=lambda size: size * 3 % 5)
        charge = sum(c for c in CHARGES[NAMES[state.ply % 4]])
        even, odd = sorted((sum(state.heaps[::2]), sum(state.heaps[1::2])))
        return len(seen) * 100 + best * 10 + charge + (even - odd) + bin(state.ply).count("1")


def test_rules_of_a_user() -> None:
    """What users write is compiled, and answers as in Python."""
    game = Piles()
    state = game.initial()
    runs = [
        ALPHABETA.prepare_run(Query(game, state, 5), Counting.fresh(), partial(ALPHABETA.search, game))
        for _ in range(2)
    ]
    native = CompiledFunction(ALPHABETA.search, game, *runs[0].args)
    assert native(game, *runs[0].args) == ALPHABETA.search(game, *runs[1].args)
    assert list(words(runs[0].args)) == list(words(runs[1].args))


@pytest.mark.parametrize("name", [each for each in TABLE if each in ("chess", "kalah", "nim", "ultimate")])
def test_form(name: str) -> None:
    """Every search's form keeps the laws of forms, before and after recursion is inlined."""
    hold_forms(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", TABLE)
def test_every_form(name: str) -> None:
    """In all shipped games."""
    hold_forms(name)


def hold_forms(name: str) -> None:
    """Hold the forms of all searches of a game to the laws."""
    game = game_named(name)
    for choice in pg.ALGORITHMS:
        if not (game.repetition and choice.name == "proof"):  # it refuses such games
            named = pg.algorithm_named(choice.name)
            query = named.seeing(Query(game, game.initial(), entries=1))
            run = named.prepare_run(query, Counting.fresh(), named.search)
            search = named.search
            assert isinstance(search, FunctionType)
            parameters = [each.arg for each in node_of(search).args.args]
            types = dict(zip(parameters, map(argument_type, (query.game, *run.args)), strict=True))
            _, made = lower_function(search, types, native_target())
            require_laws(reachable_functions(made.form))
            inline_calls(made.form)
            require_laws(reachable_functions(made.form), with_cells=False)


def test_what_stands_behind_an_exit_is_left_out() -> None:
    """No instruction is emitted where no way leads; LLVM refuses those that read what was left out."""
    text = (
        "def main(a, b):\n    for v in (a, b, a):\n        if v > 3:\n            return v\n"
        "        raise ValueError\n    return sum(v for v in (a, b))\n"
    )
    main, _ = functions_of(text, "left out")
    native = CompiledFunction(main, 1, 2)
    assert native(7, 1) == 7
    assert outcome(native, 1, 7) is ValueError
    require_laws(native.form)


def test_a_call_that_never_returns() -> None:
    """Control flow ends with it, so nothing behind reads what another way has set."""
    text = (
        "def never(a):\n    if a > 3:\n        raise ValueError\n    raise IndexError\n\n"
        "def main(a, b):\n    if a > b:\n        never(a)\n    else:\n        c = a * 3 + b\n"
        "    return max(c, b, key=lambda v: c * v)\n"
    )
    plain, _ = functions_of(text, "never")
    native = CompiledFunction(plain, 1, 2)
    assert [outcome(native, a, 5) for a in (1, 6)] == [outcome(plain, a, 5) for a in (1, 6)] == [8, ValueError]
    require_laws(native.form)


def test_a_name_that_a_turn_leaves_unread() -> None:
    """A name that is set in a loop, and again behind it before it is read, is carried by no turn."""
    text = (
        "def main(a, b):\n    n = 3\n    while n > 0:\n        n -= 1\n        for v in [v for v in range(b % 5)]:\n"
        "            b += v\n            if b ^ v:\n                a = v\n"
        "        else:\n            a = b + n\n    return a\n"
    )
    plain, _ = functions_of(text, "unread")
    native = CompiledFunction(plain, 1, 2)
    for b in range(12):
        assert native(5, b) == plain(5, b)


def test_a_set_that_a_loop_makes_when_the_stack_is_full_of_old_words() -> None:
    """A name that a loop sets is carried into its first turn as an empty row, whatever the stack held before."""
    text = (
        f"{FILL}\n"
        "def collect(turns):\n    total = 0\n    for turn in range(turns):\n        if turn:\n"
        "            total += len(seen)\n        seen = set()\n        seen.add(turn)\n    return total\n\n"
        "def main(word, turns):\n    return fill(word, 9) + collect(turns)\n"
    )
    plain, _ = functions_of(text, "old words")
    for backend in Backend.WASMTIME, Backend.LLVM:  # in this order: machine code that copies too much ends the process
        with at_level(0):
            native = runtime.CompiledFunction(plain, 0, 0, backend=backend)
        assert outcome(native, 1 << 28, 3) == plain(1 << 28, 3)


@pytest.mark.parametrize(
    "head", ["for v in (w ^ 1 for w in LATE if w > a)", "late = (w for w in LATE if w > a)\n    for v in late"]
)
def test_a_generator_reads_what_the_loop_around_it_sets(head: str) -> None:
    """A generator reads names as they are when it gives an item, not as they were when it was made."""
    text = f"LATE = (7, 10, 8, 92)\n\ndef main(a, b):\n    {head}:\n        a = v\n        b += 1\n    return b\n"
    plain, _ = functions_of(text, head)
    assert outcome(CompiledFunction(plain, 1, 2), 5, 0) == plain(5, 0) == 3


COUNTDOWNS = {
    "to 0": "if n == 0:\n        return a",
    "to 0, sometimes": "if n == 0 and a % 3:\n        return a",
    "below 1": "if n < 1:\n        return a",
    "with an end before": "if a % 7 == 0:\n        return 7\n    if n == 0:\n        return a",
}


@pytest.mark.parametrize("name", COUNTDOWNS)
@pytest.mark.parametrize("steps", ["n - 1, n - 1", "n - 1, n - 2"])
def test_recursion_that_counts_down(name: str, steps: str) -> None:
    """What is inlined for the last ply gives what the calls give, also for a count that never comes to its end."""
    first, second = steps.split(", ")
    text = (
        f"def main(a, n):\n    {COUNTDOWNS[name]}\n    if a > 40:\n        return -a\n"
        "    best = 0\n    for step in (3, 5):\n"
        f"        best = best * 3 + main(a + step, {first}) - main(a * 2 + 1, {second})\n"
        "    return best & 0xFFFFFFFF\n"
    )
    main, _ = functions_of(text, f"counts down {name} {steps}")
    native = CompiledFunction(main, 1, 2)
    require_laws(native.form, with_cells=False)
    for a in range(1, 30, 3):
        for n in range(-3, 7):
            assert native(a, n) == main(a, n), (a, n)


def test_more_of_tuples() -> None:
    """A record that is known is replaced like any other, and rows of different lengths are searched."""
    text = "def main(a, b):\n    return Pair(3)._replace(right=a), b in RAGGED[a % 4], 3 in RAGGED[b % 4]\n"
    main, _ = functions_of(text, "tuples")
    native = CompiledFunction(main, 1, 2)
    assert all(native(a, b) == main(a, b) for a in range(-5, 9) for b in range(-5, 9))


REFUSALS = {
    "a dict": ("return {a: b}", "makes a dict"),
    "a slice": ("return (1, 2, 3)[a:]", "takes a slice whose length"),
    "text": ("return f'{a}'", "works with text"),
    "try": ("try:\n        return a\n    except ValueError:\n        return b", "uses try"),
    "nothing": ("return missing", "the name missing, which is defined nowhere"),
    "two kinds": ("return (a, b) if a else b", "values of two kinds, a tuple of 2 and an int"),
    "endless": ("return main(a, b)", "calls itself in a way that never ends"),
    "attribute": ("a.x = b\n    return 1", "changes an attribute"),
    "a shared list": ("x = [a, b]\n    y = x\n    y.append(a)\n    return len(x)", "changes y, which something else"),
    "open": ("return open(a)", "calls open"),
    "a row": ("return max(*[x for x in (a, b) if x])", "whose length is not known for a tuple of known length; write"),
}


def test_items_changed_on_the_way_are_read_at_their_turn() -> None:
    """A row whose items are made arguments, one of which an earlier item has changed."""
    bump = "def bump(x):\n        row[1] = row[1] + x\n        return x"
    body = f"row = [a, b]\n\n    {bump}\n\n    return max(*[bump(x) for x in row])"
    plain, twin = functions_of(f"def main(a, b):\n    {body}\n", "changed on the way")
    native = CompiledFunction(plain, 0, 0)
    for a in range(-3, 9):
        require_same(native, plain, twin, a, 4)


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name: str) -> None:
    """What is not compiled is refused with file, line and what is wrong."""
    body, sentence = REFUSALS[name]
    main, _ = functions_of(f"def main(a, b):\n    {body}\n", f"refused {name}")
    with pytest.raises(NotCompilable) as refusal:
        CompiledFunction(main, 1, 2)
    assert sentence in str(refusal.value)
    assert str(refusal.value).startswith(f"<program refused {name}>, line ")


def test_refusal_in_a_generator() -> None:
    """It has the generator's line, not that of the loop into which it is put."""
    many = "def many(a):\n    yield a\n    print(a)\n\n"
    text = f"{many}def main(a, b):\n    for each in many(a):\n        b += each\n    return b\n"
    main, _ = functions_of(text, "walked")
    with pytest.raises(NotCompilable, match=r"^<program walked>, line 3: calls print"):
        CompiledFunction(main, 1, 2)


def test_fault_has_its_line() -> None:
    """An exception of compiled code is Python's, and knows where it arose."""
    text = (
        "def inner(a):\n    return (1, 2, 3)[a]\n\n"
        "def main(a, b):\n    if b:\n        raise ValueError('odd')\n    return inner(a)\n"
    )
    main, _ = functions_of(text, "faulty")
    native = CompiledFunction(main, 1, 2)
    with pytest.raises(IndexError) as error:
        native(3, 0)
    assert error.value.compiled_at.line == 2  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="odd"):
        native(0, 1)
    assert native(-1, 0) == 3


def test_changed_source_is_refused(tmp_path: Path) -> None:
    """A file that was changed after it was loaded is not compiled: that would be other rules."""
    file = tmp_path / "changing.py"
    file.write_text("def main(a, b):\n    return a + 3\n", encoding="utf-8")
    space: dict[str, Any] = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), space)
    file.write_text("def main(a, b):\n    return a + 4\n", encoding="utf-8")
    with pytest.raises(NoSource):
        CompiledFunction(space["main"], 1, 2)


def test_generator_expression_walks_what_it_was_given() -> None:
    """Its first iterable is asked for where it stands: before a default behind it, or another value of its name."""
    text = "def main(a, b):\n    t = (a, b)\n    all_of_t = (v for v in t)\n    t = (1,)\n    return sum(all_of_t)\n"
    main, _ = functions_of(text, "rebound")
    assert CompiledFunction(main, 1, 2)(30, 4) == main(30, 4) == 34
    main, _ = functions_of("def main(a, b):\n    return max((v for v in (7 // b,) if a), default=a * a)\n", "default")
    assert outcome(CompiledFunction(main, 1, 2), 1 << 40, 0) is outcome(main, 1 << 40, 0) is ZeroDivisionError


@pytest.mark.process
def test_form_is_the_same_in_every_process() -> None:
    """Python orders sets of texts anew in each process; no form depends on that."""
    words = [sys.executable, "-m", "plyground", "compile", "reversi", "--rule", "outcome"]
    forms = {
        subprocess.run(words, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in "12"
    }
    assert len(forms) == 1


def test_overflow_is_found() -> None:
    """An int that would leave 64 bits is a fault, or wraps where that is asked for."""
    main, _ = functions_of("def main(a, b):\n    return a * b\n", "product")
    with pytest.raises(Overflow):
        CompiledFunction(main, 1, 2)(1 << 40, 1 << 40)
    assert CompiledFunction(main, 1, 2, is_checked=False)((1 << 40) + 1, 1 << 40) == 1 << 40


def test_list_without_room() -> None:
    """A list that outgrows its room has an error of its own, not one of the program's."""
    main, _ = functions_of("def main(a, b):\n    return len([i for i in range(a) if i + 1])\n", "long")
    native = CompiledFunction(main, 1, 2)
    assert native(512, 0) == 512
    with pytest.raises(UnsupportedCase):
        native(513, 0)


def test_depth() -> None:
    """A line of calls too deep for the stack is a `RecursionError`, never a crash; one of ten thousand is none."""
    main, _ = functions_of("def main(a, b):\n    return 1 + main(a - 1, b) if a else b\n", "deep")
    native = CompiledFunction(main, 1, 2)
    assert native(10_000, 5) == 10_005
    assert outcome(native, 10_000_000, 5) in (10_000_005, RecursionError)  # LLVM may have made a loop of it
    tree, _ = functions_of(
        "def main(a, b):\n    return max(main(a - 1, b), main(a - 2, b)) + 1 if a > b else a\n", "tree"
    )
    assert outcome(CompiledFunction(tree, 1, 2), 10_000_000, 5) is RecursionError


def test_stop() -> None:
    """A budget of nodes ends a search where it ends the plain one."""
    game = game_named("kalah")
    for native in (None, CompiledFunction):
        observer = Counting.fresh(1000)
        run = ALPHABETA.prepare_run(Query(game, game.initial(), 20), observer, partial(ALPHABETA.search, game))
        search = native(ALPHABETA.search, game, *run.args) if native else ALPHABETA.search
        with pytest.raises(Stopped):
            search(game, *run.args)
        assert observer.nodes == 1000
