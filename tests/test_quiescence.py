"""Quiescence search: the engine's values against a slow twin, and positions whose values must not swing."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

import plyground as pg
from plyground.games import game_named
from plyground.rules import MAX, ONGOING, Game
from plyground.score import INFINITY, final
from plyground.search.context import STACK, new_search_context
from plyground.search.observer import Counting
from plyground.search.pvs import QUIESCENCE_PLIES, pvs
from plyground.search.table import new_table

ITALIAN = "e4 e5 Nf3 Nc6 Bc4"
EXCHANGES = [
    ("chess", ITALIAN, 2),
    ("chess", "e4 d5 exd5 Qxd5 Nc3", 2),
    ("chess", "e4 e5 Nf3 f6 Nxe5 fxe5 Qh5", 2),
    ("gardner", "c2c3 d4c3 b2c3 b4c3", 2),
    ("draughts", "11-15 23-19 8-11 22-17", 4),
]


def twin(game: Game[Any], state: Any, depth: int, ply: int = 0) -> int:
    """Value for the player to move by minimax without cutoffs, a table or an order; noisy moves beyond the depth."""
    side = 1 if game.to_move(state) == MAX else -1
    utility = game.outcome(state)
    if utility != ONGOING:
        return side * final(utility, ply)
    moves, best = list(game.moves(state)), -INFINITY
    if depth <= 0 and (depth == -QUIESCENCE_PLIES or not game.is_forced(state)):
        best = side * game.evaluate(state)
        moves = [move for move in moves if game.is_noisy(state, move)] if depth > -QUIESCENCE_PLIES else []
    return max([best, *(-twin(game, game.play(state, move), depth - 1, ply + 1) for move in moves)])


def engine(game: Game[Any], state: Any, depth: int) -> tuple[int, int]:
    """The engine's value for the player to move, as plain Python, and the nodes that it entered."""
    counting, context = Counting.fresh(), new_search_context(game, state, new_table(state, 1 << 12))
    value = partial(pvs, game)(counting, context, state, depth, -INFINITY, INFINITY, 1, 0, STACK)
    return value, counting.nodes


@pytest.mark.parametrize(("name", "line", "deepest"), EXCHANGES)
def test_the_engine_finds_the_value_of_its_slow_twin(name: str, line: str, deepest: int) -> None:
    """Cutoffs, the order of moves and the table change no value, however far captures go."""
    position = pg.Position.initial(game_named(name))
    for word in line.split():
        position = position.play(position.game.parse_move(position.state, word))
    for depth in range(1, deepest):
        assert engine(position.game, position.state, depth)[0] == twin(position.game, position.state, depth)


def test_a_quiet_position_does_not_swing() -> None:
    """In the Italian game nothing is won or lost, whichever side would have taken last at the horizon."""
    position = pg.Position.initial(game_named("chess"))
    for word in ITALIAN.split():
        position = position.play(position.game.parse_move(position.state, word))
    assert all(abs(engine(position.game, position.state, depth)[0]) < 100 for depth in (1, 2, 3))


@pytest.mark.parametrize(
    ("fen", "best", "value"),
    [
        ("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", "Qxd5", -1),  # the pawn is defended: it is left alone
        ("4k3/8/8/3p4/8/8/3Q4/4K3 w - - 0 1", "Qxd5", 1),  # it hangs
    ],
)
def test_only_what_is_not_taken_back_counts(fen: str, best: str, value: int) -> None:
    """At depth 1 the queen takes the pawn only where nothing takes back."""
    position = pg.Position.parse(game_named("chess"), fen)
    report = list(pg.think(position, pg.Limit(depth=1)))[-1]
    took = position.game.notation_text(position.state, report.move) == best
    assert took is (value > 0)


@dataclass(frozen=True)
class Bare(type(game_named("draughts"))):  # type: ignore[misc]
    """Draughts without noisy moves."""

    is_noisy = Game.is_noisy


def test_a_game_without_noise_is_searched_to_its_depth_alone() -> None:
    """It is asked for no noise, and its values are minimax's."""
    position = pg.Position.initial(Bare())
    assert not position.game.has_noise and game_named("draughts").has_noise
    for depth in (1, 2, 3):
        minimax = pg.search(position, "minimax", depth).score
        assert [*pg.think(position, pg.Limit(depth=depth))][-1].score == minimax
