"""Selective search: reported ends are true, and those called certain are exact, whatever forward pruning hides."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from games import random_position
from test_engine import score_of
from tries import tries

import plyground as pg
from plyground.board.bits import mix
from plyground.compiled.kernel import kernel
from plyground.games import GAMES
from plyground.score import ESTIMATES, INFINITY, final
from plyground.search.context import SELECTIVE, STACK, SearchContext, new_search_context
from plyground.search.observer import Counting
from plyground.search.pvs import pvs
from plyground.search.table import new_table


class Node(NamedTuple):
    """A node of a tree: its number, where the root is 1 and child i of n is `n * WIDTH + i`; its height; whose turn."""

    number: int
    height: int
    turn: int


WIDTH = 5
"""Moves of a node, at most."""


@dataclass(frozen=True)
class RandomTree(pg.Game[Node]):
    """A tree whose ends and evaluations are hashes: judgements are as wrong as can be, and ends of all distances hide
    behind them. With margins, an end is worth 1 or 2."""

    seed: int = 0
    height: int = 5
    margins: int = 0
    width: int = 3

    def initial(self) -> Node:
        return Node(1, 0, 0)

    def to_move(self, state: Node) -> int:
        return state.turn

    def moves(self, state: Node) -> Iterator[int]:
        for move in range(self.width):
            yield move

    def play(self, state: Node, move: int) -> Node:
        return Node(state.number * WIDTH + move, state.height + 1, 1 - state.turn)

    def chance(self, state: Node) -> int:
        """A random number of the node."""
        return mix(mix(state.number, self.seed + 1), 77) & 0xFFFF

    def outcome(self, state: Node) -> int:
        chance = self.chance(state)
        if state.height < self.height and (chance % 4 or state.height == 0):
            return pg.ONGOING
        return (chance // 4 % 3 - 1) * (1 + self.margins * (chance // 12 % 2))

    def bounds(self, state: Node) -> tuple[int, int]:
        return (-2, 2) if self.margins else (-1, 1)

    def evaluate(self, state: Node) -> int:
        return self.chance(state) // 64 % 201 - 100


@dataclass(frozen=True)
class PassingTree(RandomTree):
    """A tree where a pass may always be tried."""

    def pass_turn(self, state: Node) -> Node:
        return Node(state.number, state.height, 1 - state.turn)


@dataclass(frozen=True)
class ReducedTree(RandomTree):
    """A tree without passes, where late moves are searched less deep."""

    late_move_reductions = True
    width: int = 5


def value_of(game: pg.Game[Any], state: Any, ply: int = 0) -> int:
    """Value for x by minimax over every line, without cutoffs or a table."""
    utility = game.outcome(state)
    if utility != pg.ONGOING:
        return final(utility, ply)
    values = [value_of(game, game.play(state, move), ply + 1) for move in game.moves(state)]
    return max(values) if game.to_move(state) == pg.MAX else min(values)


def selective_context(position: pg.Position, is_selective: int = 1) -> SearchContext:
    """A context as `think` makes it."""
    context = new_search_context(
        position.game, position.state, new_table(position.state, 1 << 12), position.last_times()
    )
    context.scratch[SELECTIVE] = is_selective
    return context


@pytest.mark.parametrize("tree", [PassingTree, ReducedTree])
@pytest.mark.parametrize("margins", [0, 1])
def test_nothing_false_is_called_exact(tree: type[RandomTree], margins: int) -> None:
    """In random trees a reported end has minimax's value at each depth, a reported distance is minimax's, the line
    leads to that end, and the last report is exact."""
    for seed in range(tries(100)):
        position = pg.Position.initial(tree(seed, margins=margins))
        value = value_of(position.game, position.state)
        truth, report = score_of(value), None
        for report in pg.think(position, table=1, selective=True):
            score = report.score
            if score.exact:
                assert (score.utility, score.plies) in ((truth.utility, truth.plies), (truth.utility, None))
            elif score.utility is not None:
                assert score.winner == truth.winner and abs(score.utility) <= abs(truth.utility or 0)
        assert report and report.score == truth
        end = position
        for move in report.variation:
            end = end.play(move)
        if not margins:
            assert end.outcome == truth.utility and len(report.variation) == (truth.plies or len(report.variation))


class HiddenWin(PassingTree):
    """A tree of three moves: the first is dull; the second wins in 3, and all looks good for o there; the third wins in
    5, and looks good for x whenever o is to move. Selective, the search does not see the second, and then the third.
    """

    def _path(self, state: Node) -> tuple[int, int]:
        """The first move and the last one."""
        return state.number // WIDTH ** max(state.height - 1, 0) % WIDTH, state.number % WIDTH

    def outcome(self, state: Node) -> int:
        first, last = self._path(state)
        if state.height == 2 * first + 1 > 1 and last == 0:
            return 1
        return 0 if state.height == 7 else pg.ONGOING

    def evaluate(self, state: Node) -> int:
        first, _ = self._path(state)
        return 0 if first == 0 or state.height == 0 else -50 if first == 1 or state.turn == 0 else 50


def test_a_sooner_win_that_was_hidden_is_found() -> None:
    """The selective search alone says 5 plies; the engine says 3, and without time to ask again no distance."""
    position = pg.Position.initial(HiddenWin())
    assert value_of(position.game, position.state) == final(1, 3)
    context, counting = selective_context(position), Counting.fresh()
    values = [
        pvs(position.game, counting, context, position.state, depth, -INFINITY, INFINITY, 1, 0, STACK)
        for depth in range(1, 6)
    ]
    assert max(values[:4]) < ESTIMATES and values[4] == final(1, 5)
    whole = [*pg.think(position, pg.Limit(depth=5), selective=True)]
    assert whole[-1].score == pg.Score(1, plies=3) and len(whole[-1].variation) == 3
    assert [report.depth for report in whole] == [1, 2, 3, 4, 5]
    allowed = range(counting.nodes, whole[-1].nodes + 1, 2)
    ends = {[*pg.think(position, pg.Limit(nodes=nodes), selective=True)][-1].score for nodes in allowed}
    assert {score for score in ends if score.exact} == {pg.Score(1), pg.Score(1, plies=3)}


MATES = [
    "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",  # in 1
    "k7/8/2K5/8/8/8/8/1Q6 b - - 0 1",
    "7k/8/5K2/8/8/8/8/6R1 w - - 0 1",  # in 2
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",  # Morphy's: a sacrifice, then zugzwang
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",  # in 3: each check must be answered
]


@pytest.mark.parametrize("fen", MATES)
def test_mates_are_as_soon_as_without(fen: str) -> None:
    """A mate that a pass would hide is found in the same number of plies as by the search without judgements."""
    position, limit = pg.Position.parse(pg.Chess(), fen), pg.Limit(depth=5)
    exact, found = ([*pg.think(position, limit, table=1, selective=each)][-1] for each in (False, True))
    assert found.certain and found.score == exact.score and len(found.variation) == found.score.plies


def test_only_what_players_ask_is_selective() -> None:
    """An analysis, which asks for every move, is the same search as without; a player's enters fewer nodes."""
    position = pg.Position.parse(pg.Chess(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1")
    limit = pg.Limit(depth=4)
    full, player = ([*pg.think(position, limit, selective=each)][-1] for each in (False, True))
    assert player.nodes < full.nodes
    endgame, shallow = pg.Position.parse(pg.Chess(), "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"), pg.Limit(depth=2)
    every = [[*pg.think(endgame, shallow, every_move=True, selective=each)][-1] for each in (False, True)]
    assert every[0].nodes == every[1].nodes and every[0].moves == every[1].moves


def test_what_the_engine_leaves_out_was_accepted() -> None:
    """A game has noisy moves, or is searched selectively, only where the last test of that was accepted by SPRT."""
    rows = Path(__file__).parents[1].joinpath("bench", "techniques.json").read_text(encoding="utf-8").splitlines()
    last = {(row["technique"], row["game"]): row["decision"] for row in map(json.loads, rows)}
    games = {choice.name: pg.game_named(choice.name) for choice in GAMES.shipped}
    kept = [("quiescence", name) for name, game in games.items() if game.has_noise]
    kept += [("selective", name) for name, game in games.items() if game.has_selective_search]
    kept += [("reductions", name) for name, game in games.items() if game.late_move_reductions]
    assert kept and [each for each in kept if last.get(each) != "H1"] == []


def test_late_moves_are_searched_less_deep() -> None:
    """In random trees a selective search enters fewer nodes."""

    def nodes(is_selective: int) -> int:
        found = 0
        for seed in range(6):
            position, counting = pg.Position.initial(ReducedTree(seed, height=8)), Counting.fresh()
            context = selective_context(position, is_selective)
            for depth in range(1, 6):
                pvs(position.game, counting, context, position.state, depth, -INFINITY, INFINITY, 1, 0, STACK)
            found += counting.nodes
        return found

    assert nodes(1) < nodes(0)


@pytest.mark.compiled
@pytest.mark.parametrize("game", [PassingTree(5, height=9), ReducedTree(5, height=7)])
def test_both_speeds_leave_out_the_same(game: RandomTree) -> None:
    """Plain Python and machine code: the same value, nodes, leaves and cutoffs."""
    for numbers in range(20):
        position = random_position(game, random.Random(numbers), 2)
        runs = []
        for search in (partial(pvs, game), kernel(pvs, game)):
            counting, context = Counting.fresh(), selective_context(position)
            args = (context, position.state)
            values = [search(counting, *args, depth, -INFINITY, INFINITY, 1, 0, STACK) for depth in range(1, 7)]
            runs.append((values, list(counting.counts)))
        assert runs[0] == runs[1]


def placed(game: pg.Game[Any], letters: str, chance: random.Random) -> pg.Position:
    """An unfinished position of chess with these men anywhere."""
    while True:
        squares = dict(zip(chance.sample(range(64), len(letters)), letters, strict=True))
        rows = "/".join("".join(squares.get(8 * row + column, "1") for column in range(8)) for row in range(8))
        with suppress(pg.BadInput):
            position = pg.Position.parse(game, f"{rows} w - - 0 1")
            if position.outcome is None:
                return position


@pytest.mark.compiled
@pytest.mark.nightly
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("men", ["KQRkrn", "KQBNPkrpp", "KQQNkqqr", "KQQRkqrn", ""])
def test_ends_of_chess_are_those_of_the_search_without(men: str) -> None:
    """In 1,000 positions, with random pieces or from games, a certain end equals that of the exact search, distance
    included; a winner without a distance is the exact search's winner."""
    game, chance = pg.Chess(), random.Random(men)
    ends = 0
    for _ in range(200):
        position = placed(game, men, chance) if men else random_position(game, chance).undo(chance.randrange(1, 6))
        for found in pg.think(position, pg.Limit(depth=6), table=8, selective=True):
            score = found.score
            if score.winner is None:
                continue
            *_, exact = pg.think(position, pg.Limit(depth=max(score.plies or 0, found.depth)), table=8)
            if found.certain:
                assert exact.certain and exact.score == score and len(found.variation) == score.plies, position.text
                ends += 1
            elif exact.certain:
                assert score.winner == exact.score.winner and score.plies is None, position.text
    assert ends > 20
