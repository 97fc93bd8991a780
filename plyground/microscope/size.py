"""Size of a search, estimated before it is recorded: plain Python takes minutes for a large one."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import perf_counter

from plyground.compiled.clock import Clock, Limit
from plyground.engine.run import search
from plyground.in_pages import in_pages
from plyground.microscope.wording import WORDING
from plyground.position import Position
from plyground.rules import MAX, MIN, ONGOING
from plyground.search.algorithm import Algorithm, Query
from plyground.search.minimax import MINIMAX
from plyground.search.observer import Stopped

MOST_RECORDED_NODES = 100_000
"""Most nodes of a recorded search: one or two seconds of plain Python, ten where evaluation is slow."""
PROBES = 100
"""Number of random lines from which the least size of a tree is estimated."""
SURE_FACTOR = 4
"""Multiple of `MOST_RECORDED_NODES`; a search with a larger estimate is refused at once."""
DOUBTFUL_FACTOR = 1 / 10
"""Multiple of `MOST_RECORDED_NODES`; a search with a larger estimate is counted compiled before it is recorded."""
SMALLER_DEPTH_SECONDS = 1.0
"""Seconds to find a depth that is small enough, for the message."""

NodeCounter = Callable[[int, float], int]
"""Counts the nodes of a search to a depth; `Stopped` if they are too many, or take longer than the seconds."""


def size_refusal(position: Position, algorithm: Algorithm, query: Query) -> str:
    """Reason why a search cannot be recorded, in a sentence; empty where none is known.

    A user's search may leave out any moves, so its size is not known before.
    """
    if algorithm.is_own:
        return ""
    try:
        # In three steps, cheap first: an estimate decides what is clear, the compiled search counts
        # what is not, in a small part of the time that recording takes, as plain Python.
        least = least_nodes(query, algorithm.has_window)
    except Exception:  # a rule fails: the search says which, and where
        return ""
    if least < MOST_RECORDED_NODES * DOUBTFUL_FACTOR:
        return ""
    if least < MOST_RECORDED_NODES * SURE_FACTOR:
        try:
            count(position, algorithm, query.depth, MOST_RECORDED_NODES)
        except Stopped:
            return refusal(algorithm, query, lambda depth, _: count(position, algorithm, depth, MOST_RECORDED_NODES))
        return ""
    return refusal(algorithm, query)


def refusal(algorithm: Algorithm, query: Query, counted: NodeCounter | None = None) -> str:
    """Message that a search is too large, with a depth that is small enough, counted as plain Python by default."""
    found = _find_recordable_depth(query.depth, counted or partial(_count_plain, algorithm, query))
    instead = f". To depth {found[0]} it enters {found[1]:,}: record that." if found else WORDING.smaller
    return too_large_text(algorithm.name, query.depth, instead)


@in_pages
def too_large_text(name: str, depth: int, instead: str = WORDING.smaller) -> str:
    """Message that a search is too large to be recorded, and a smaller one to record instead."""
    return WORDING.too_large.format(name=name, depth=depth, most=f"{MOST_RECORDED_NODES:,}", instead=instead)


def _find_recordable_depth(depth: int, counted: NodeCounter) -> tuple[int, int] | None:
    """Largest depth found in `SMALLER_DEPTH_SECONDS` seconds that can be recorded, and its nodes; None for none."""
    # Depth by depth, since each costs a multiple of the one before: what is found in the time is
    # nearly the deepest.
    found = None
    end = perf_counter() + SMALLER_DEPTH_SECONDS
    with suppress(Stopped):
        for less in range(1, depth):
            left = end - perf_counter()
            if left <= 0:
                break
            found = less, counted(less, left)
    return found


def _count_plain(algorithm: Algorithm, query: Query, depth: int, seconds: float) -> int:
    clock = Clock(Limit(nodes=MOST_RECORDED_NODES, time=seconds))
    run = algorithm.prepare_run(replace(query, depth=depth), clock.observer, partial(algorithm.search, query.game))
    clock.begin()
    clock.run(run)
    return int(clock.observer.nodes)


def least_nodes(query: Query, has_window: bool) -> float:
    """Least number of nodes of a search, estimated along random lines.

    After Knuth, "Estimating the efficiency of backtrack programs" (1975): a line whose nodes have b₁, b₂, … moves
    stands for b₁·b₂·… lines. With a window it is the least tree of Knuth and Moore (1975), with which alpha-beta proves
    its value: all moves of MIN's and one of MAX's, or the reverse, whichever is larger.
    """
    # A fixed seed: the same search is refused, or not, each time.
    chance = random.Random(0)
    # The sides whose moves are all searched: both in minimax, in a proof one of them.
    whole = [frozenset((MAX, MIN))] if not has_window else [frozenset((MAX,)), frozenset((MIN,))]
    return max(sum(_probe_line(query, sides, chance) for _ in range(PROBES)) / PROBES for sides in whole)


def _probe_line(query: Query, sides: frozenset[int], chance: random.Random) -> float:
    """Estimate by one random line, where every move of these sides is entered, and one of the other's."""
    game, state = query.game, query.state
    total = lines = 1.0
    for _ in range(query.depth):
        if game.outcome(state) != ONGOING:
            break
        moves = list(game.moves(state))
        if game.to_move(state) in sides:
            # The other side's single move is drawn as the rest is: any of its moves may be the one
            # searched first.
            lines *= len(moves)
        total += lines
        state = game.play(state, chance.choice(moves))
    return total


def count(position: Position, algorithm: Algorithm, depth: int, nodes: int) -> int:
    """Number of nodes that the compiled search enters.

    Raises:
        Stopped: more than `nodes`.
    """
    return search(position, algorithm, depth, nodes=max(nodes, 1)).nodes


def minimax_size(position: Position, depth: int, most: int) -> int:
    """Number of nodes that minimax enters; more than `most` where there are more."""
    try:
        return count(position, MINIMAX, depth, most)
    except Stopped:
        return most + 1
