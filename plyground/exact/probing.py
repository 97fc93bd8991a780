"""Tablebase values of positions one and two plies ahead, for a search from a position without one."""

import time
from collections.abc import Iterator
from typing import Any, Final

from plyground.exact.tables.reading import Tables
from plyground.position import Position
from plyground.rules import MAX, ONGOING
from plyground.score import final
from plyground.search.table import ANY_DEPTH, EXACT, KNOWN_SCORE_NODES, NO_TAG, pack

# A look-up takes up to a millisecond from a local disk (bench/TABLEBASE.md), and longer from a store.
LOOKUP_SECONDS: Final = 0.05
"""Time limit of the lookups of a search, in seconds."""


def probe_two_plies(position: Position, tables: Tables, seconds: float) -> Iterator[tuple[Any, int]]:
    """States one and two plies on that tablebases have, each with its entry of a transposition table.

    A search takes these values as exact at any depth. The lookups end after `seconds`, and after `LOOKUP_SECONDS`.
    """
    until = time.perf_counter() + min(LOOKUP_SECONDS, seconds)
    game, states = position.game, [position.state]
    # With thirty moves in each state two plies are 900 look-ups; a third one would be thirty times as many.
    for _ in range(2):
        following = []
        for state in states:
            for move in game.moves(state):
                if time.perf_counter() > until:
                    return
                child = game.play(state, move)
                # In the form under which `pvs.py` stores it, or the entry would never be found.
                child = child if game.repetition else game.canonical(child)  # as the search stores it
                if game.outcome(child) != ONGOING:
                    continue
                # Only what no table has is looked into further: below a known state nothing need be searched.
                if (score := tables.score(child)) is None:
                    following.append(child)
                    continue
                side = 1 if game.to_move(child) == MAX else -1
                yield (
                    child,
                    pack(
                        side * final(score.utility or 0, score.plies or 0), EXACT, ANY_DEPTH, NO_TAG, KNOWN_SCORE_NODES
                    ),
                )
        states = following
