"""The engine finds the values that trying everything finds, whatever its table, threads and windows."""

import gc
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import pytest
from games import games, random_position
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tries import tries

import plyground as pg
from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.engine.run import search
from plyground.exact.solver import solve
from plyground.score import final
from plyground.search.context import SearchContext, new_context
from plyground.search.exact import decide, value_bounds
from plyground.search.observer import Counting, Stopped
from plyground.search.pvs import pvs
from plyground.search.table import new_table

LATE = games("late", without="cyclic")
GAMES = ["mnk:4,4,3", "connectfour", "connectfour:9,8,5,first=o", "kalah", "kalah:3,2,empty_capture=true", "ultimate"]
MOST_STATES = 200
MOST_ASKED = 10
"""Of the states of a position's tree, how many the engine is asked for."""


class TooMany(Exception):
    """The position is not late enough."""


def everything(position: pg.Position, hurry: int) -> dict[Any, int]:
    """The slow, obvious twin: the value of every state that can follow, by minimax over every line."""
    game = position.game
    known: dict[Any, int] = {}

    def value(state: Any) -> int:
        if state not in known:
            if len(known) > MOST_STATES:
                raise TooMany
            utility = game.outcome(state)
            if utility != pg.ONGOING:
                known[state] = final(utility, 0)
            else:
                values = [value(game.play(state, move)) for move in game.moves(state)]
                best = max(values) if game.to_move(state) == pg.MAX else min(values)
                known[state] = best - hurry * ((best > 0) - (best < 0))
        return known[state]

    value(position.state)
    return known


def score_of(value: int) -> pg.Score:
    """What people are told of a known value."""
    return pg.Score.of(value) if value else pg.Score(0)


@st.composite
def late_positions(draw: st.DrawFn, games: Sequence[str] = LATE) -> pg.Position:
    """A position of some game near its end: a random game, less as many plies as leave few states."""
    game = pg.game_named(draw(st.sampled_from(games)))
    position = random_position(game, draw(st.randoms(use_true_random=False)))
    late = None
    for plies in range(1, len(position.moves) + 1):
        try:
            everything(position.undo(plies), 0)
            late = position.undo(plies)
        except TooMany:
            break
    assume(late is not None)
    assert late is not None
    return late


def decided(
    game: Any, state: Any, hurry: int, context: SearchContext, observer: Counting | None = None, *, plain: bool = False
) -> int:
    """The value by the engine's null windows, from x's side."""
    side = 1 if game.to_move(state) == pg.MAX else -1
    search = partial(pvs, game) if plain else kernel(pvs, game)
    return side * decide(search, observer or Counting.fresh(), context, state, hurry, *value_bounds(game, state, hurry))


@settings(max_examples=tries(40))
@given(late_positions(), st.sampled_from([1, 2, 16, 1 << 14]), st.integers(0, 1))
def test_the_engine_finds_what_trying_everything_finds(position: pg.Position, entries: int, hurry: int) -> None:
    """Who wins, by how much and how soon, of every state of the tree; a table of one entry says the same."""
    context = new_context(new_table(position.state, entries))
    known = everything(position, hurry)
    for state in list(known)[:: max(1, len(known) // MOST_ASKED)]:
        if position.game.outcome(state) == pg.ONGOING:
            assert decided(position.game, state, hurry, context) == known[state]


@pytest.mark.parametrize(("spec", "depth", "middle"), [("hex:5", 1, "c3"), ("tictactoe", 9, "b2")])
def test_of_equal_moves_the_first_by_the_order_of_the_game_is_named(spec: str, depth: int, middle: str) -> None:
    """Not the first legal one, in a corner: the same move as where only the best one is asked for."""
    here = pg.Position.initial(spec)
    report, alone = ([*pg.think(here, pg.Limit(depth=depth), every_move=each)][-1] for each in (True, False))
    assert [score for _, score in report.moves].count(report.score) > 1
    assert report.move == alone.move == here.game.parse_move(here.state, middle)


@settings(max_examples=10)
@given(late_positions(), st.integers(1, 2), st.booleans())
def test_thinking_to_the_end(position: pg.Position, threads: int, every_move: bool) -> None:
    """The last report is exact and right, for each move if asked; its line is legal and ends so."""
    report = [*pg.think(position, every_move=every_move, threads=threads, table=1)][-1]
    known = everything(position, 1)
    value = known[position.state]
    assert report.score == score_of(value)
    for move, score in report.moves:
        after = position.play(move)
        ahead = known[after.state]
        assert score == score_of(ahead - ((ahead > 0) - (ahead < 0)))
        assert score.order(position.to_move) <= report.score.order(position.to_move)
    end = position
    for move in report.variation:
        end = end.play(move)
    low, high = position.game.bounds(position.state)
    if -1 <= low <= high <= 1:
        assert end.outcome == report.score.utility or (end.outcome is None and value == 0)  # sure before it is over


@settings(max_examples=10)
@given(late_positions(), st.integers(1, 8))
def test_depth_by_depth_nothing_false_is_called_exact(position: pg.Position, depth: int) -> None:
    """However few plies are looked ahead: what is said to be exact is the value."""
    for report in pg.think(position, pg.Limit(depth=depth), table=1):
        score, truth = report.score, score_of(everything(position, 1)[position.state])
        if score.exact:
            assert score.utility == truth.utility and score.plies in (None, truth.plies)
        elif score.utility is not None:
            assert truth.winner == score.winner and abs(truth.utility or 0) >= abs(score.utility)


@pytest.mark.compiled
@settings(max_examples=tries(40))
@given(late_positions(GAMES), st.integers(0, 1))
def test_both_speeds_visit_the_same_nodes(position: pg.Position, hurry: int) -> None:
    """Plain Python and machine code: the same value, nodes, leaves and cutoffs, in a small table."""
    fast, plain = Counting.fresh(), Counting.fresh()
    game, state = position.game, position.state
    values = [
        decided(game, state, hurry, new_context(new_table(state, 8)), observer, plain=observer is plain)
        for observer in (fast, plain)
    ]
    assert values[0] == values[1] and list(fast.counts) == list(plain.counts)


class Heap(NamedTuple):
    """Stones that are left, and whose turn it is."""

    left: int
    turn: int


@dataclass(frozen=True)
class LastStones(pg.Game[Heap]):
    """Take one or two stones; who takes the last wins, by 3 or, where the take counts, by as many as were taken.

    A lawful game with margins and foresight: whoever is left with two stones can win by as much as can be.
    """

    stones: int = 6
    take_counts: int = 0

    def initial(self) -> Heap:
        return Heap(self.stones, 0)

    def to_move(self, state: Heap) -> int:
        return state.turn & 1

    def moves(self, state: Heap) -> Iterator[int]:
        for move in range(1, min(2, state.left) + 1):
            yield move

    def play(self, state: Heap, move: int) -> Heap:
        return Heap(state.left - move, move << 1 | 1 - self.to_move(state))

    def outcome(self, state: Heap) -> int:
        if state.left > 0:
            return pg.ONGOING
        return (state.turn >> 1 if self.take_counts else 3) * (2 * self.to_move(state) - 1)

    def bounds(self, state: Heap) -> tuple[int, int]:
        return (-2, 2) if self.take_counts else (-3, 3)

    foresight = 2

    def wins(self, left: int) -> int:
        """The move that wins by as much as can be; 0 for none."""
        return left if left == 2 or (left == 1 and not self.take_counts) else 0

    def candidates(self, state: Heap) -> Iterator[int]:
        for move in range(1, min(2, state.left) + 1):
            if move == self.wins(state.left) or not (self.wins(state.left) or self.wins(state.left - move)):
                yield move


@pytest.mark.parametrize("take_counts", [0, 1])
def test_foresight_sees_margins(take_counts: int) -> None:
    """A lawful game with both: whoever looks ahead by them says what minimax says, who wins, by how much, how soon."""
    assert pg.check(LastStones(7, take_counts), games=5).faults == ()
    for stones in range(1, 12):
        position = pg.Position(LastStones(7, take_counts), Heap(stones, 0))
        truth = search(position, "minimax", 20).score
        assert truth.certain
        assert search(position, "pvs", 20).score == [*pg.think(position, table=1)][-1].score == truth
        assert solve(position, prefer_shorter=True).score == truth
        assert solve(position).score.utility == truth.utility


def test_foresight_needs_turns_that_alternate() -> None:
    """Who moves twice could win in between: the law says so."""

    class Twice(LastStones):
        def play(self, state: Heap, move: int) -> Heap:
            return Heap(state.left - move, move << 1 | (self.to_move(state) if move == 1 else 1 - self.to_move(state)))

    faults = {fault.law: fault.sentence for fault in pg.check(Twice(), games=5).faults}
    assert "does not pass the turn" in faults["candidates"]


def test_a_search_that_is_stopped_lets_go_of_its_table() -> None:
    """As soon as it has ended: nothing waits for Python's collection of what holds itself."""

    class Table:
        pass

    def search(table: Table) -> None:
        raise Stopped

    table = Table()
    held, clock = weakref.ref(table), Clock(Limit(nodes=1), 1)
    gc.disable()
    try:
        with suppress(Stopped):
            clock.run(partial(search, table))
        del table
        assert held() is None
    finally:
        gc.enable()
