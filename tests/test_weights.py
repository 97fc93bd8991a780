"""Weights of an evaluation are data: code compiled once serves them all, and nothing kept mixes two of them up."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pytest

import plyground as pg
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import kernel
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.observer import Counting

BONUS, WEIGHTS = pg.Weights((5,)), pg.Weights((1, 0, 0, 0))


class HeapsState(NamedTuple):
    """Stones in two heaps, and whose turn it is."""

    left: int
    right: int
    turn: int


@dataclass(frozen=True)
class Heaps(pg.Game[HeapsState]):
    """Take one to three stones of a heap; who takes the last one wins."""

    stones: int = 9
    bonus: pg.Weights = BONUS
    weights: pg.Weights = WEIGHTS

    def initial(self) -> HeapsState:
        return HeapsState(self.stones, self.stones + 1, 0)

    def to_move(self, state: HeapsState) -> int:
        return state.turn

    def moves(self, state: HeapsState) -> Iterator[int]:
        for taken in range(1, min(3, state.left) + 1):
            yield taken
        for taken in range(1, min(3, state.right) + 1):
            yield 3 + taken

    def play(self, state: HeapsState, move: int) -> HeapsState:
        if move <= 3:
            return HeapsState(state.left - move, state.right, 1 - state.turn)
        return HeapsState(state.left, state.right - move + 3, 1 - state.turn)

    def outcome(self, state: HeapsState) -> int:
        return pg.ONGOING if state.left + state.right > 0 else 2 * state.turn - 1

    def evaluate(self, state: HeapsState) -> int:
        total = self.bonus[0]
        for place in range(len(self.weights)):
            total += self.weights[place] * ((state.left * 7 + state.right * 3) >> place & 3)
        return total


def vectors(count: int) -> list[pg.Weights]:
    """Different vectors of four weights."""
    chance = random.Random(1)
    return [pg.Weights(chance.randint(-50, 50) for _ in range(4)) for _ in range(count)]


@pytest.mark.compiled
def test_many_weights_compile_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty vectors: the code of the first serves them all, and each search is the plain one's, node for node."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    found: list[tuple[int, int]] = []
    code: set[str] = set()
    for weights in vectors(20):
        game = Heaps(9, pg.Weights((len(found),)), weights)
        plain, fast = Counting.fresh(), Counting.fresh()
        args = (game.initial(), 6, -INFINITY, INFINITY, 1, 0)
        run = kernel(alphabeta, game)
        found.append(run(fast, *args))
        assert run.why_plain is None
        assert found[-1] == alphabeta(game, plain, *args)
        assert list(fast.counts) == list(plain.counts)
        files = {file.name for file in tmp_path.glob("object-*")}
        code = code or files
        assert code and files == code
    assert len(set(found)) > 10


def test_games_with_other_weights_are_other_games() -> None:
    """They differ, are kept apart, and answer for themselves."""
    one, other = (Heaps(weights=weights) for weights in vectors(2))
    assert pg.Position.initial(one) != pg.Position.initial(other)
    assert fingerprint(one) != fingerprint(other)
    assert pg.check(one, games=2).ok


class Doubled(Heaps):
    """What is made from the weights is a constant."""

    @cached_property
    def first(self) -> int:
        return 2 * self.weights[0]

    def evaluate(self, state: HeapsState) -> int:
        return self.first


@pytest.mark.compiled
def test_what_is_made_from_weights_is_never_stale() -> None:
    """A property is known when it is compiled, so games in which it differs have codes of their own."""
    for weights in vectors(3):
        game = Doubled(weights=weights)
        state = game.initial()
        value, _ = kernel(alphabeta, game)(Counting.fresh(), state, 1, -INFINITY, INFINITY, 1, 0)
        assert value == 2 * weights[0]


OWN = """
import plyground as pg
from tests.test_weights import Heaps
class Mine(Heaps): pass
"""


def test_weights_in_a_games_name(tmp_path: Path) -> None:
    """They are written with / between them; what is wrong is said in a sentence."""
    file = tmp_path / "mine.py"
    file.write_text(f"import sys\nsys.path.insert(0, {str(Path(__file__).parent.parent)!r})\n{OWN}", encoding="utf-8")
    game = pg.game_named(f"{file}:Mine:7,bonus=-4,weights=3/-1/2/0")
    assert (game.stones, game.bonus, game.weights) == (7, (-4,), (3, -1, 2, 0))  # type: ignore[attr-defined]
    for wrong in ("weights=3/x", "weights=", "weights=1.5", f"weights={1 << 63}"):
        with pytest.raises(pg.BadInput, match=r"Mine:weights: .* weight"):
            pg.game_named(f"{file}:Mine:{wrong}")
    for values in ([True], [1.5], ["1"]):
        with pytest.raises(pg.BadInput, match="is not a weight"):
            pg.Weights(values)  # type: ignore[arg-type]
