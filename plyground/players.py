"""The players that are part of plyground, and the one list of them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from plyground.engine.clock import Limit
from plyground.engine.solver import Solver
from plyground.engine.think import Report, best_moves, prepare, search, simulate, think
from plyground.errors import BadInput
from plyground.play.level import Level
from plyground.play.referee import Player
from plyground.position import Position
from plyground.rules import LONGEST
from plyground.spec import Choice, build


@runtime_checkable
class Thinker(Protocol):
    """A player that tells what it thinks while it thinks; the last report's move is its choice."""

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        """Better and better reports, as `engine.think` gives them."""
        ...


@dataclass
class First:
    """The first move in generation order: on a board, the first free square."""

    name: str = field(init=False, default="first")

    def choose(self, position: Position, seconds: float | None) -> int:
        return position.legal_moves[0]


@dataclass
class Random:
    """Any legal move; the same ones for the same seed."""

    seed: int | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = "random" if self.seed is None else f"random:seed={self.seed}"
        self._chance = random.Random(self.seed)

    def choose(self, position: Position, seconds: float | None) -> int:
        return self._chance.choice(position.legal_moves)


@dataclass
class _Textbook:
    """A textbook search to a fixed depth: the first of equal moves, or with a seed a random one of them."""

    depth: int = 4
    seed: int | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= LONGEST:
            raise BadInput(f"depth={self.depth}: a player looks 1 to {LONGEST:,} plies ahead.")
        seed = "" if self.seed is None else f",seed={self.seed}"
        self.name = f"{self._algorithm()}:depth={self.depth}{seed}"
        self._chance = random.Random(self.seed)

    def _algorithm(self) -> str:
        return type(self).__name__.lower()

    def prepare(self, position: Position) -> None:
        prepare(position, self._algorithm() if self.seed is None else "alphabeta")

    def choose(self, position: Position, seconds: float | None) -> int:
        if self.seed is None:
            return search(position, self._algorithm(), self.depth).move
        return self._chance.choice(best_moves(position, self.depth))


class Minimax(_Textbook):
    """Minimax to a fixed depth."""


class AlphaBeta(_Textbook):
    """Alpha-beta to a fixed depth."""


@dataclass
class Engine:
    """Deeper and deeper until the time, depth or nodes are used up, or all is known."""

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    threads: int = 1
    table: int = 64
    name: str = field(init=False)

    def __post_init__(self) -> None:
        if self.time is self.depth is self.nodes is None:
            self.time = 1.0
        if self.threads < 1 or self.table < 1:
            raise BadInput(f"threads={self.threads}, table={self.table}: each is at least 1.")
        self.limit = Limit(self.depth, self.nodes, self.time)
        options = {"time": self.time, "depth": self.depth, "nodes": self.nodes}
        options |= {"threads": self.threads if self.threads > 1 else None}
        self.name = "engine:" + ",".join(f"{key}={value:g}" for key, value in options.items() if value is not None)

    def prepare(self, position: Position) -> None:
        prepare(position)

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        return think(position, _shared(self.limit, seconds), threads=self.threads, table=self.table)

    def choose(self, position: Position, seconds: float | None) -> int:
        return [report.move for report in self.think(position, seconds)][-1]


def _shared(limit: Limit, seconds: float | None) -> Limit:
    """The limit, but no more time than a thirtieth of what is left, as if the game had thirty moves to go."""
    if seconds is None:
        return limit
    share = max(seconds / 30, 0.001)
    return Limit(limit.depth, limit.nodes, share if limit.time is None else min(limit.time, share))


@dataclass
class MonteCarlo:
    """Monte Carlo tree search until the time or the simulations are used up."""

    time: float | None = None
    simulations: int | None = None
    seed: int = 0
    name: str = field(init=False)

    def __post_init__(self) -> None:
        if self.time is self.simulations is None:
            self.time = 1.0
        self.limit = Limit(None, self.simulations, self.time)
        options = {"time": self.time, "simulations": self.simulations, "seed": self.seed or None}
        self.name = "mcts:" + ",".join(f"{key}={value:g}" for key, value in options.items() if value is not None)
        self._moves = 0

    def prepare(self, position: Position) -> None:
        prepare(position, "mcts")

    def choose(self, position: Position, seconds: float | None) -> int:
        self._moves += 1
        return simulate(position, _shared(self.limit, seconds), seed=self.seed * 1000 + self._moves).move


@dataclass
class Perfect:
    """The best move by solving, however long it takes: a win as soon as can be where no margins count."""

    threads: int = 1
    table: int = 256
    name: str = field(init=False, default="perfect")

    def prepare(self, position: Position) -> None:
        prepare(position)

    def choose(self, position: Position, seconds: float | None) -> int:
        low, high = position.game.bounds(position.state)
        hurry = -1 <= low <= high <= 1
        solver = Solver(position, hurry=hurry, every_move=False, threads=self.threads, table=self.table)
        return solver.solve().moves[0][0]


# the last three are imported when they are named: import plyground stays quick without sockets and XML
PLAYERS: list[Choice[Player]] = [
    Choice("first", First, "the first free square"),
    Choice("random", Random, "any legal move: random:seed=1 repeats itself"),
    Choice("minimax", Minimax, "minimax to a depth: minimax:depth=4"),
    Choice(
        "alphabeta", AlphaBeta, "alpha-beta to a depth; with a seed, a random one of equal moves: alphabeta:4,seed=1"
    ),
    Choice("level", Level, "errs like people: level:error=0.25; 0 is its best"),
    Choice("engine", Engine, "as deep as the time allows: engine:time=1; also depth=, nodes=, threads="),
    Choice("mcts", MonteCarlo, "Monte Carlo tree search: mcts:time=1; also simulations=, seed="),
    Choice("perfect", Perfect, "never wrong, and in no hurry to answer; for games that can be solved"),
    Choice(
        "program",
        "plyground.wire.program:program",
        "a program in any language: program:swipl player.pl; one that calls a port: program[port=54321]:swipl ttt.pl",
        raw=True,
    ),
    Choice(
        "connect",
        "plyground.wire.remote:connect",
        "a peer that listens: connect:HOST:PORT; connect[restarts=true]:… plays a new game with each connection",
        raw=True,
    ),
    Choice("listen", "plyground.wire.remote:listen", "a peer that connects: listen:PORT", raw=True),
]
"""Every player, in the order in which they are offered."""
HARMLESS = [choice for choice in PLAYERS if not choice.raw]
"""Those that start no program and open no connection: what a stranger may choose."""


def player_named(text: str) -> Player:
    """The player that a text names: `alphabeta:depth=2`.

    Raises:
        BadInput: no such player, or an option that it does not take.
    """
    return build(text, PLAYERS, "player")
