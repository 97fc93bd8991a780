"""What authors do wrong meets a sentence with the rule, its file and line; searches of their games end; games stay."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plyground as pg
from plyground.compiled import cache
from plyground.compiled.kernel import is_plain_wanted, kernel
from plyground.errors import GameFault
from plyground.faults import RuleFailed, game_fault
from plyground.laws import verdict
from plyground.laws.verdict import require_lawful
from plyground.players import First
from plyground.rules import LONGEST, MOST_MOVES
from plyground.score import INFINITY
from plyground.search import context, ordered, pvs
from plyground.search.limits import TooLong, TooManyMoves
from plyground.search.mcts import EXPLORATION, mcts, new_tree
from plyground.search.memory import new_memory
from plyground.search.observer import Counting, Stopped
from plyground.search.proof import NEVER, proof
from plyground.search.table import new_table
from plyground.terminal.human import Human

FILE = Path(__file__).name


class PileState(NamedTuple):
    """Stones left, and whose turn it is."""

    stones: int
    turn: int


@dataclass(frozen=True)
class Pile(pg.Game[PileState]):
    """Take one to `most`; who takes the last stone wins."""

    stones: int = 9
    most: int = 2

    def initial(self) -> PileState:
        return PileState(self.stones, 0)

    def to_move(self, state: PileState) -> int:
        return state.turn

    def moves(self, state: PileState) -> Iterator[int]:
        for move in range(self.most):
            yield move

    def play(self, state: PileState, move: int) -> PileState:
        return PileState(max(state.stones - 1 - move, 0), 1 - state.turn)

    def outcome(self, state: PileState) -> int:
        return pg.ONGOING if state.stones > 0 else 2 * state.turn - 1


class Round(Pile):
    """Never ends: the stones go round, from 11 to 1."""

    def play(self, state: PileState, move: int) -> PileState:
        return PileState((state.stones + move) % 11 + 1, 1 - state.turn)


class CellsState(NamedTuple):
    """A tuple, one within another, and whose turn it is."""

    cells: tuple[tuple[int, ...], ...]
    turn: int


class Cells(pg.Game[CellsState]):
    """Fill four cells; only its state matters."""

    def initial(self) -> CellsState:
        return CellsState(((0, 0), (0,), (0,)), 0)

    def to_move(self, state: CellsState) -> int:
        return state.turn

    def moves(self, state: CellsState) -> Iterator[int]:
        yield 12

    def play(self, state: CellsState, move: int) -> CellsState:
        return CellsState((state.cells[0], (move,), (-move,)), 1 - state.turn)

    def outcome(self, state: CellsState) -> int:
        return pg.ONGOING if state.turn == 0 else 0


# -- the first use ----------------------------------------------------------------------------------------------------


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with nothing in it."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    return tmp_path


def test_a_game_is_held_to_the_laws_once(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again while it is the same, with another option again, and each time if a law is broken."""
    held: list[object] = []
    whole = verdict._check

    def noted(ask: Any, *args: Any, **more: Any) -> pg.Verdict:
        held.append(ask.game)
        return whole(ask, *args, **more)

    monkeypatch.setattr(verdict, "_check", noted)
    for game in (Pile(), Pile(), Pile(8), Pile(8), Pile()):
        require_lawful(game)
    assert held == [Pile(), Pile(8)]
    for _ in range(2):
        with pytest.raises(pg.BadInput, match="come back to state"):
            require_lawful(Round())
    assert held[2:] == [Round(), Round()]


def test_the_laws_have_little_time_at_first_use(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow a rule is, no question is asked when the time is up, and what was not looked at is said."""
    now, asked = [0.0], []

    class Slow(Pile):
        def moves(self, state: PileState) -> Iterator[int]:
            asked.append(state)
            now[0] += verdict.SECONDS_AT_FIRST_USE / 4
            yield from super().moves(state)

    monkeypatch.setattr(verdict.time, "perf_counter", lambda: now[0])  # type: ignore[attr-defined]
    (note,) = require_lawful(Slow())
    assert "time" in note and "Slow" in note and len(asked) <= 6


def test_the_least_recently_used_files_leave(own_cache: Path) -> None:
    """What is read counts as used; files are deleted only beyond the bound."""
    for age, name in enumerate(("new", "middle", "old")):
        cache.write(name, bytes(1000))
        os.utime(own_cache / f"{name}.bin", (1e9 - age, 1e9 - age))
    assert cache.read("old") == bytes(1000)
    cache.prune(own_cache, 3000)
    assert len(list(own_cache.iterdir())) == 3
    cache.prune(own_cache, 2000)
    assert [cache.read(name) is None for name in ("old", "new", "middle")] == [False, False, True]


# -- what laws say ----------------------------------------------------------------------------------------------------


class Growing(NamedTuple):
    """A state that keeps every move."""

    played: tuple[int, ...]
    turn: int


@dataclass
class Mutable:
    """A state that can change."""

    stones: int
    turn: int


def _no_answer(*_: Any) -> Any:
    return None


MISTAKES: list[tuple[str, dict[str, Callable[..., Any]], str]] = [
    ("initial", {"initial": lambda _: Mutable(3, 0)}, "a state is a NamedTuple of ints"),
    ("initial", {"initial": lambda _: PileState([3], 0)}, "stones holds [3], a list"),  # type: ignore[arg-type]
    ("play", {"play": lambda _, state, move: PileState(state.stones - 1, True)}, "turn holds True, a bool"),
    ("play", {"play": lambda _, state, move: PileState(1 << 64, 0)}, "64 bits"),
    (
        "play",
        {
            "initial": lambda _: Growing((), 0),
            "play": lambda _, state, move: Growing((*state.played, 1), 0),
            "outcome": lambda _, state: pg.ONGOING,
        },
        "played has 1 items, and 0 in the first state: a tuple keeps its length",
    ),
    ("play", {"play": lambda _, state, move: Growing((), 0)}, "of kind Growing, and of kind PileState"),
    ("outcome", {"outcome": _no_answer}, "is there a return on every path?"),
    ("outcome", {"play": lambda _, state, move: PileState(state.stones, 1 - state.turn)}, "come back to state"),
    ("moves", {"moves": _no_answer}, "yield each move"),
    ("moves", {"moves": lambda _, state: iter(range(MOST_MOVES + 1))}, "more than 131,072 moves"),
    ("evaluate", {"evaluate": lambda _, state, seen=[0]: seen.append(0) or len(seen)}, "changes its answer"),
]  # fmt: skip


@pytest.mark.parametrize(("law", "rules", "said"), MISTAKES)
def test_a_mistake_meets_a_sentence(
    law: str, rules: dict[str, Callable[..., Any]], said: str, monkeypatch: Any
) -> None:
    """The sentence names the rule with its line and the correction, without the compiler."""
    monkeypatch.setenv("PLYGROUND_PLAIN", "1")
    faults = {fault.law: fault.sentence for fault in pg.check(type("Mistaken", (Pile,), rules)(), games=2).faults}
    assert law in faults, faults
    assert said in faults[law] and f"({FILE}, line " in faults[law] and law in faults[law]


def test_text_of_tuples_reads_back() -> None:
    """The default text of a state with tuples is one word, and means that state and no other."""
    game = Cells()
    state = game.play(game.initial(), 12)
    assert game.text(state) == "0,0,12,-12,1"
    assert game.parse_state(game.text(state)) == state
    assert game.parse_state("((0,0),(12),(-12)),1") == state  # as saved games and links of earlier have it
    assert pg.check(game, games=1).ok
    for wrong in ("", "1", "0,0,12,-12,1,1", "0,0,12,a,1", "0,0,12,-12"):
        with pytest.raises(pg.BadInput):
            game.parse_state(wrong)


# -- searches end -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["pvs", "ordered", "proof"])
def test_no_search_writes_beyond_its_notes(algorithm: str) -> None:
    """Where the last two thousand places are left, three thousand moves end the search, and nothing is overwritten."""
    game = Pile(9, 3000)
    observer, state = Counting.fresh(), game.initial()
    known = context.new_context(new_table(state, 1 << 10))
    head = list(known.table[:8])
    window = (-INFINITY, INFINITY, 0, 0)
    with pytest.raises(TooManyMoves, match="131,072 moves"):
        if algorithm == "pvs":
            kernel(pvs.pvs, game)(observer, known, state, 3, *window, context.SCRATCH - 2048)
        elif algorithm == "ordered":
            kernel(ordered.ordered, game)(
                observer, new_memory(ordered.SCRATCH), ordered.SCRATCH - 2048, state, 3, *window
            )
        else:
            kernel(proof, game)(observer, known, state, 0, NEVER, NEVER, 0, context.SCRATCH - 4096)
    assert list(known.table[:8]) == head


@pytest.mark.usefixtures("speed")
def test_every_search_of_a_game_without_end_ends() -> None:
    """With a sentence, at either speed."""
    here = pg.Position.initial(Round())
    with pytest.raises(TooLong, match="10,000 plies"):
        pg.simulate(here, pg.Limit(nodes=1))
    with pytest.raises(RecursionError if is_plain_wanted() else TooLong) as caught:
        pg.solve(here)
    said = game_fault(caught.value)
    assert isinstance(said, GameFault) and ("plain Python" in str(said)) == is_plain_wanted()


def test_a_limit_is_heeded_within_a_random_game() -> None:
    """A rule so slow that one game takes longer than the whole search may: the search ends at its limit."""
    played = []

    class Slow(Round):
        def play(self, state: PileState, move: int) -> PileState:
            played.append(move)
            observer.stop()
            return super().play(state, move)

    observer, game = Counting.fresh(), Slow()
    with pytest.raises(Stopped):
        mcts(game, observer, new_tree(100, 1), new_memory(LONGEST + 1), game.initial(), 1, EXPLORATION)
    assert len(played) < 10


# -- rules that fail --------------------------------------------------------------------------------------------------


class Failing(Pile):
    """Two rules with errors: a move's name, and what the last move of three leads to."""

    def play(self, state: PileState, move: int) -> PileState:
        return PileState(state.stones - (1, 2)[move], 1 - state.turn)

    def parse_move(self, state: PileState, text: str) -> int:
        return {"one": 0, "two": 1, "three": 2}[text]


def _line_of(text: str) -> int:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_a_rule_that_fails_costs_nobody_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person reads its file and line, and is asked again; between programs the game stays as it is, and is saved."""
    said: list[str] = []
    monkeypatch.setattr("plyground.terminal.human.out.print", lambda text, **_: said.append(str(text)))
    game = Failing(9, 3)
    lines = iter(["zwei", "three", "two", "quit"])
    result = pg.play_match(pg.Position.initial(game), (Human({0}, lambda _: next(lines)), First()))
    assert (result.position.words[0], result.why) == (game.move_text(game.initial(), 1), "left unfinished")
    names, play = _line_of('"three": 2}[text]'), _line_of("(1, 2)[move], 1")
    assert f"{FILE}, line {names}: parse_move fails: KeyError: 'zwei'." in said
    assert any(f"line {play}: play fails: IndexError" in line for line in said)

    class Last:
        name = "last"

        def choose(self, position: pg.Position, seconds: float | None) -> int:
            return position.legal_moves[-1]

    file = pg.GameFile.begin(tmp_path / "game.jsonl", "own", pg.Position.initial(game), ("first", "last"))
    with pytest.raises(RuleFailed, match=f"line {play}: play fails"):
        pg.play_match(pg.Position.initial(game), (First(), Last()), file=file)
    file.close()
    kept = (tmp_path / "game.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(kept) == 2 and '"ply": 1' in kept[1]


@pytest.mark.compiled
def test_a_rule_that_fails_compiled_is_named() -> None:
    """Compiled code knows no line of a division by zero; the sentence names it all the same."""

    class Divides(Pile):
        def evaluate(self, state: PileState) -> int:
            return 10 // (state.stones - 5)

    line = _line_of("10 // (state.stones")
    with pytest.raises(RuleFailed, match=f"line {line}: evaluate fails: ZeroDivisionError"):
        pg.search(pg.Position.initial(Divides()), "alphabeta", 3)
