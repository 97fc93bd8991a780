"""Games that stand for all others where each takes minutes to compile; every night all take part."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

CANARIES = ("tictactoe", "kalah", "threemorris", "reversi")
"""k in a row; extra turns and margins; states that come again; passes, and a board of more than one word."""


def canaries(games: Iterable[str]) -> list[ParameterSet]:
    """These games as parameters of a test: those of the canaries at each push, the others every night."""
    seen: set[str] = set()
    found = []
    for game in games:
        name = game.partition(":")[0]
        nightly = name not in CANARIES or name in seen
        seen.add(name)
        found.append(pytest.param(game, marks=[pytest.mark.nightly, pytest.mark.timeout(1_200)] if nightly else []))
    return found
