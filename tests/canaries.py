"""Games that stand for all others where each takes minutes to compile; every night all take part."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

CANARIES = ("tictactoe", "kalah", "threemorris", "reversi")
"""k in a row; extra turns and margins; states that come again; passes, and a board of more than one word."""

SHIPPED = ["tictactoe", "mnk:19,19,5", "ultimate:send=false", "connectfour:10,9,5", "kalah:3,2,empty_capture=true"]
SHIPPED += ["morris", "threemorris", "sixmorris:flying=true", "draughts", "chess", "gardner", "reversi:10"]
SHIPPED += ["hex:11,swap=true", "breakthrough:12,12", "dotsandboxes", "nim:3/4/5,misere=true", "chomp"]
SHIPPED += ["domineering:10,10", "amazons:10,10", "gomoku:exact=true", "pentago", "mnk:8,8,5"]
"""Every game; of boards of one word and of more, those of more, which are the harder ones to compile."""


def is_canary(game: str) -> bool:
    """Whether a game stands for others."""
    return game.partition(":")[0] in CANARIES


def canaries(games: Iterable[str]) -> list[ParameterSet]:
    """These games as parameters of a test: those of the canaries at each push, the others every night."""
    seen: set[str] = set()
    found = []
    for game in games:
        name = game.partition(":")[0]
        nightly = not is_canary(game) or name in seen
        seen.add(name)
        found.append(pytest.param(game, marks=[pytest.mark.nightly, pytest.mark.timeout(1_200)] if nightly else []))
    return found
