"""How large a search is, before it is recorded: plain Python would take minutes to find out that it is too large."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import perf_counter

from plyground.engine.clock import Clock, Limit
from plyground.engine.run import search
from plyground.position import Position
from plyground.rules import MAX, MIN, ONGOING
from plyground.search.algorithm import Algorithm, Query
from plyground.search.watch import Stopped

SEARCHED = 100_000
"""Nodes that a recorded search enters at most: a second or two of plain Python, ten where opinions are slow to form."""
PROBES = 100
"""Random lines of which the least size of a tree is estimated."""
SURELY = 4
"""Times `SEARCHED`; what is estimated to be larger is refused unseen."""
DOUBTFUL = 1 / 10
"""Times `SEARCHED`; what is estimated to be larger is counted at full speed before it is recorded."""
TRYING = 1.0
"""Seconds to find out which depth is small enough, for the sentence that says so."""

Counted = Callable[[int, float], int]
"""How many nodes a search enters to a depth; `Stopped` if they are too many, or more than the seconds suffice for."""


def too_large(position: Position, algorithm: Algorithm, query: Query) -> str:
    """Why a search cannot be recorded, in a sentence; empty where it can, as far as is known.

    A search of one's own may leave out what it likes, so nothing is known of it before.
    """
    if algorithm.is_own:
        return ""
    try:
        least = least_nodes(query, algorithm.has_window)
    except Exception:  # a rule fails: the search says which, and where
        return ""
    if least < SEARCHED * DOUBTFUL:
        return ""
    if least < SEARCHED * SURELY:
        try:
            count(position, algorithm, query.depth, SEARCHED)
        except Stopped:
            return refusal(algorithm, query, lambda depth, _: count(position, algorithm, depth, SEARCHED))
        return ""
    return refusal(algorithm, query)


def refusal(algorithm: Algorithm, query: Query, counted: Counted | None = None) -> str:
    """That a search is too large, and which depth is small enough, counted as plain Python unless told otherwise."""
    said = f"{algorithm.name} to depth {query.depth} enters more than {SEARCHED:,} nodes here, and at most so many can "
    found = _small_enough(query.depth, counted or partial(_counted_plain, algorithm, query))
    if not found:
        return f"{said}be recorded: record a smaller depth."
    depth, nodes = found
    return f"{said}be recorded. To depth {depth} it enters {nodes:,}: record that."


def _small_enough(depth: int, counted: Counted) -> tuple[int, int] | None:
    """The largest depth found in a moment that can be recorded, and how many nodes are entered; None for none."""
    found = None
    end = perf_counter() + TRYING
    with suppress(Stopped):
        for less in range(1, depth):
            left = end - perf_counter()
            if left <= 0:
                break
            found = less, counted(less, left)
    return found


def _counted_plain(algorithm: Algorithm, query: Query, depth: int, seconds: float) -> int:
    clock = Clock(Limit(nodes=SEARCHED, time=seconds))
    run = algorithm.asked(replace(query, depth=depth), clock.watch, partial(algorithm.search, query.game))
    clock.begin()
    clock.run(run)
    return int(clock.watch.nodes)


def least_nodes(query: Query, has_window: bool) -> float:
    """About how many nodes a search has to enter, estimated along random lines.

    After Knuth, "Estimating the efficiency of backtrack programs" (1975): a line whose nodes have b₁, b₂, … moves
    stands for b₁·b₂·… lines. With a window it is the least tree of Knuth and Moore (1975), with which alpha-beta proves
    its value: all moves of MIN's and one of MAX's, or the reverse, whichever is larger.
    """
    chance = random.Random(0)
    whole = [frozenset((MAX, MIN))] if not has_window else [frozenset((MAX,)), frozenset((MIN,))]
    return max(sum(_probed(query, sides, chance) for _ in range(PROBES)) / PROBES for sides in whole)


def _probed(query: Query, sides: frozenset[int], chance: random.Random) -> float:
    """What one random line stands for, where every move of these sides is entered, and one of the other's."""
    game, state = query.game, query.state
    total = lines = 1.0
    for _ in range(query.depth):
        if game.outcome(state) != ONGOING:
            break
        moves = list(game.moves(state))
        if game.to_move(state) in sides:
            lines *= len(moves)
        total += lines
        state = game.play(state, chance.choice(moves))
    return total


def count(position: Position, algorithm: Algorithm, depth: int, nodes: int) -> int:
    """How many nodes the compiled search enters.

    Raises:
        Stopped: more than `nodes`.
    """
    return search(position, algorithm, depth, nodes=max(nodes, 1), at_once=True).nodes
