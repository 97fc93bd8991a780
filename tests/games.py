"""Games that tests play, in one table by kinds, and random positions of them."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from _pytest.mark import ParameterSet

import plyground as pg

TABLE = {
    "tictactoe": "small late compiled published",
    "tictactoe:first=o": "small late",
    "mnk:3,4,3": "late",
    "mnk:5,4,4": "late",
    "mnk:8,8,5": "wide compiled",
    "mnk:19,19,5": "wide compiled",
    "gomoku:exact=true": "wide compiled",
    "pentago": "wide compiled",
    "ultimate": "wide late published",
    "ultimate:send=false": "wide late compiled",
    "connectfour": "late published",
    "connectfour:3,4": "small late",
    "connectfour:4,3,3": "late",
    "connectfour:9,8,5,first=o": "late",
    "connectfour:10,9,5": "compiled",
    "kalah": "margins compiled published",
    "kalah:2,3,first=o": "margins late",
    "kalah:3,2": "margins small late",
    "kalah:3,2,empty_capture=true": "margins late compiled",
    "reversi:4": "margins late",
    "reversi:10": "margins compiled",
    "hex:3,swap=true": "late",
    "hex:5": "late",
    "hex:11,swap=true": "wide compiled",
    "breakthrough": "late",
    "breakthrough:4,4": "late",
    "breakthrough:12,12": "compiled",
    "dotsandboxes": "margins late compiled",
    "dotsandboxes:1,2": "margins small late",
    "dotsandboxes:2,2": "margins late",
    "nim": "late",
    "nim:1/2/3,misere=true": "late",
    "nim:3/4/5,misere=true": "compiled",
    "chomp": "compiled",
    "chomp:3,3": "small late",
    "domineering:4,4": "late",
    "domineering:10,10": "wide compiled",
    "amazons:10,10": "wide compiled",
    "morris": "cyclic compiled",
    "threemorris": "cyclic late compiled",
    "sixmorris:flying=true": "cyclic compiled",
    "draughts": "cyclic compiled",
    "international": "cyclic compiled",
    "russian": "cyclic compiled",
    "chess": "cyclic compiled",
    "chess:start=0": "cyclic compiled",
    "gardner": "cyclic compiled",
}
"""Games with their kinds:

- small: plain Python tries every line of play in a second;
- cyclic: a state can come again;
- margins: an outcome is more than won, drawn or lost;
- wide: more than 60 moves in the first position;
- late: near the end of a random game, few states are left;
- compiled: compiled by the nightly tests; of boards of one word and of more, those of more, which are the harder ones;
- published: on the pages that the tests publish.
"""
CANARIES = ("tictactoe", "kalah", "threemorris", "reversi")
"""Games that stand for all others where each takes minutes to compile: k in a row; extra turns and margins; states that
come again; passes, and a board of more than one word."""


def games(kind: str, without: str = "") -> list[str]:
    """The games of a kind, without those that are of another kind too."""
    return [game for game, kinds in TABLE.items() if kind in kinds.split() and without not in kinds.split()]


def is_canary(game: str) -> bool:
    """Whether a game stands for others."""
    return game.partition(":")[0] in CANARIES


def canaries(games: Iterable[str]) -> list[ParameterSet]:
    """These games as parameters of a test: the first form of each canary at each push, the others every night."""
    every = [*games]
    at_push = canary_names(every)
    nightly = [pytest.mark.nightly, pytest.mark.timeout(1_200)]
    return [pytest.param(game, marks=[] if game in at_push else nightly) for game in every]


def canary_names(games: Iterable[str]) -> list[str]:
    """The first form of each canary among these games."""
    first: dict[str, str] = {}
    for game in filter(is_canary, games):
        first.setdefault(game.partition(":")[0], game)
    return [*first.values()]


def random_position(game: pg.Game[Any], chance: random.Random, plies: int | None = None) -> pg.Position:
    """Position after `plies` random moves, or at the end of the game if that comes sooner; None: always at the end."""
    here = pg.Position.initial(game)
    while here.outcome is None and (plies is None or len(here.moves) < plies):
        here = here.play(chance.choice(here.legal_moves))
    return here


def random_positions(game: pg.Game[Any], number: int, chance: random.Random) -> Iterator[pg.Position]:
    """Positions of random games one after another, first and last positions too."""
    here = pg.Position.initial(game)
    for _ in range(number):
        yield here
        here = here.play(chance.choice(here.legal_moves)) if here.outcome is None else pg.Position.initial(game)


def random_states(game: pg.Game[Any], count: int) -> list[Any]:
    """Unfinished states of random games, the same ones each time."""
    chance, found = random.Random(9), list[Any]()
    while len(found) < count:
        state = game.initial()
        while game.outcome(state) == pg.ONGOING:
            found.append(state)
            state = game.play(state, chance.choice(list(game.moves(state))))
    return chance.sample(found, count)
