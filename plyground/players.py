"""The players that are part of plyground, and the one list of them."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from plyground.compiled.clock import Limit
from plyground.engine.report import Report
from plyground.engine.run import SIMULATIONS, best_moves, prepare, search, simulate
from plyground.engine.think import think
from plyground.errors import BadInput, WrongType, check_arguments
from plyground.exact.solver import Solver
from plyground.games import AnyGame
from plyground.learning.learned_rules import with_evaluation
from plyground.play.by_evaluation import BY_EVALUATION, EvaluationPlayer, with_eval_option
from plyground.play.game_file import GameFile
from plyground.play.level import LEVELS, Level
from plyground.play.player import Player
from plyground.play.referee import OnError, Result, referee_game
from plyground.play.time_control import TimeControl
from plyground.play.user_player import Chooser, UserFunction, as_player
from plyground.position import Position
from plyground.protocols.rows import DIALOGUES
from plyground.rules import LONGEST, Game
from plyground.search import ALGORITHMS
from plyground.search.algorithm import Algorithm
from plyground.search.mcts import EXPLORATION, TREE, monte_carlo
from plyground.search.table import PLAYING, SOLVING
from plyground.spec import Choice, Family


@dataclass
class First(Player):
    """The first move in generation order: on a board, the first free square."""

    name: str = field(init=False, default="first")

    def choose(self, position: Position, seconds: float | None) -> int:
        return position.legal_moves[0]


@dataclass
class Random(Player):
    """Uniformly random legal moves; a seed makes the same games again."""

    seed: int | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = "random" if self.seed is None else f"random:seed={self.seed}"
        self._chance = random.Random(self.seed)

    def reseed(self, seed: str) -> None:
        # Both seeds are used: an arena gives each game one, and two players of one game with different seeds must not
        # play alike.
        self._chance = random.Random(f"{self.seed} {seed}")

    def choose(self, position: Position, seconds: float | None) -> int:
        return self._chance.choice(position.legal_moves)


PlayerLike = Player | Chooser | Callable[..., Any] | AnyGame | str
"""Values that are accepted as a player; `player_of` makes a `Player` of each."""
NO_DEPTH = "depth={depth}: a player looks 1 to {most} plies ahead."


class Searching(Player):
    """A search to a fixed depth: the move it gives, the first of equal ones in most searches."""

    searches = answers_cold = True

    def __init__(self, algorithm: Algorithm, depth: int) -> None:
        if not 1 <= depth <= LONGEST:
            raise BadInput(NO_DEPTH.format(depth=depth, most=f"{LONGEST:,}"))
        self.algorithm: Algorithm = algorithm
        self.depth: int = depth
        self.name: str = f"{algorithm.name}:depth={depth}"

    def prepare(self, position: Position) -> None:
        prepare(position, self.algorithm)

    def choose(self, position: Position, seconds: float | None) -> int:
        return self._pick_move(search(position, self.algorithm, self.depth, verify=False))


class RandomBest(Searching):
    """A random one of the moves that are worth most, looking to a fixed depth."""

    def __init__(self, algorithm: Algorithm, depth: int, seed: int) -> None:
        super().__init__(algorithm, depth)
        self.name: str = f"{self.name},seed={seed}"
        self.seed: int = seed
        self._chance = random.Random(seed)

    def reseed(self, seed: str) -> None:
        self._chance = random.Random(f"{self.seed} {seed}")

    def prepare(self, position: Position) -> None:
        # Whichever search was named: `best_moves` values each move by alpha-beta with a whole window, of which
        # minimax's moves are the same.
        prepare(position, "alphabeta")

    def choose(self, position: Position, seconds: float | None) -> int:
        return self._chance.choice(best_moves(position, self.depth))


class Simulating(Player):
    """A user's Monte Carlo search with as many simulations for each move."""

    searches = answers_cold = True

    def __init__(self, algorithm: Algorithm, simulations: int = SIMULATIONS, seed: int = 0) -> None:
        self.algorithm: Algorithm = algorithm
        self.name: str = f"{algorithm.name}:simulations={simulations}" + (f",seed={seed}" if seed else "")
        self.seed: int = seed
        self._limit = Limit(nodes=simulations)
        # Far apart, so that the games of seeds 1 and 2 have no random numbers in common before the thousandth move.
        self._next = seed * 1000
        """The seed of the next move."""

    def reseed(self, seed: str) -> None:
        self._next = random.Random(f"{self.seed} {seed}").randrange(1 << 40)

    def prepare(self, position: Position) -> None:
        prepare(position, self.algorithm)

    def choose(self, position: Position, seconds: float | None) -> int:
        self._next += 1
        return self._pick_move(simulate(position, self._limit, seed=self._next, algorithm=self.algorithm))


def _search_player(algorithm: Algorithm, depth: int = 4, seed: int | None = None) -> Player:
    return Searching(algorithm, depth) if seed is None else RandomBest(algorithm, depth, seed)


@dataclass
class Engine(Player):
    """Deeper and deeper until the time, depth or nodes are used up, or all is known."""

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    threads: int = 1
    table: int = PLAYING
    name: str = field(init=False)
    selective: bool = field(init=False, default=True)
    """Whether it leaves out what a pass or the evaluation seems to refute (`think`)."""
    picks_evaluation: bool = field(init=False, default=True)
    searches = True

    def __post_init__(self) -> None:
        if self.time is self.depth is self.nodes is None:
            # A player without a limit would think for ever where nothing ends the search.
            self.time = 1.0
        if self.threads < 1 or self.table < 1:
            raise BadInput(f"threads={self.threads}, table={self.table}: each is at least 1.")
        self._limit = Limit(self.depth, self.nodes, self.time)
        self.move_time: float | None = self.time
        self.answers_cold: bool = self.time is not None
        options = {"time": self.time, "depth": self.depth, "nodes": self.nodes}
        # Defaults are left out, so that a player has one name however it was made: results are filed under it.
        options |= {"threads": self.threads if self.threads > 1 else None}
        options |= {"table": self.table if self.table != PLAYING else None}
        self.name = "engine:" + ",".join(f"{key}={value:g}" for key, value in options.items() if value is not None)
        self._pace = TimeControl()

    @property
    def resources(self) -> Mapping[str, int]:
        return {"threads": self.threads, "table": self.table}

    def _with_evaluation(self, position: Position) -> Position:
        """The position under the rules whose evaluation the search uses."""
        return position.under(with_evaluation(position.game)) if self.picks_evaluation else position

    def prepare(self, position: Position) -> None:
        prepare(self._with_evaluation(position))

    def set_time_control(self, control: TimeControl) -> None:
        self._pace = control

    def think(self, position: Position, seconds: float | None) -> Iterator[Report]:
        limit, seen = _share_time(self._limit, seconds, self._pace), self._with_evaluation(position)
        # Selective: a player wants a move, not a proof (`engine/selective.py`).
        return think(seen, limit, threads=self.threads, table=self.table, selective=self.selective)

    def choose(self, position: Position, seconds: float | None) -> int:
        return self._pick_last(self.think(position, seconds))


def _share_time(limit: Limit, seconds: float | None, pace: TimeControl) -> Limit:
    """Limit of a move: the player's own, and no more time than the clock's share for this move."""
    if seconds is None:
        return limit
    share = pace.share(seconds)
    # The shorter of both: the player's own time is a wish, the clock a law.
    return Limit(limit.depth, limit.nodes, share if limit.time is None else min(limit.time, share))


@dataclass
class MonteCarlo(Player):
    """Monte Carlo tree search until the time or the simulations are used up."""

    time: float | None = None
    simulations: int | None = None
    seed: int = 0
    exploration: float = EXPLORATION
    tree: int = TREE
    name: str = field(init=False)
    searches = True

    def __post_init__(self) -> None:
        if self.time is self.simulations is None:
            self.time = 1.0
        self._limit = Limit(None, self.simulations, self.time)
        self.move_time: float | None = self.time
        self.answers_cold: bool = self.time is not None
        self.algorithm: Algorithm = monte_carlo(self.exploration, self.tree)
        options = {"time": self.time, "simulations": self.simulations, "seed": self.seed or None}
        options |= {"exploration": None if self.exploration == EXPLORATION else self.exploration}
        options |= {"tree": None if self.tree == TREE else self.tree}
        self.name = "mcts:" + ",".join(f"{key}={value:g}" for key, value in options.items() if value is not None)
        self._first = self.seed * 1000
        """A number for the first move; each move has the next one for its seed."""
        self._pace = TimeControl()

    @property
    def resources(self) -> Mapping[str, int]:
        return {"tree": self.tree}

    def reseed(self, seed: str) -> None:
        self._first = random.Random(f"{self.seed} {seed}").randrange(1 << 40)

    def prepare(self, position: Position) -> None:
        prepare(position, self.algorithm)

    def set_time_control(self, control: TimeControl) -> None:
        self._pace = control

    def choose(self, position: Position, seconds: float | None) -> int:
        self._first += 1
        limit, seed = _share_time(self._limit, seconds, self._pace), self._first
        return self._pick_move(simulate(position, limit, seed=seed, algorithm=self.algorithm))


@dataclass
class Perfect(Player):
    """The best move by solving, however long it takes: a win as soon as can be where no margins count."""

    threads: int = 1
    table: int = SOLVING
    name: str = field(init=False, default="perfect")
    searches = True

    @property
    def resources(self) -> Mapping[str, int]:
        return {"threads": self.threads, "table": self.table}

    def prepare(self, position: Position) -> None:
        if not position.game.repetition:
            prepare(position)
        elif position.outcome is None:
            self.choose(position, None)  # all states are listed now, and looked up from then on

    def choose(self, position: Position, seconds: float | None) -> int:
        low, high = position.game.bounds(position.state)
        # Where margins count, the largest margin is perfect; the distance within a margin would need a search of its
        # own for each.
        prefer_shorter = -1 <= low <= high <= 1
        solver = Solver(
            position, prefer_shorter=prefer_shorter, every_move=False, threads=self.threads, table=self.table
        )
        return self._pick_move(solver.solve())


def _player_maker(found: object, name: str) -> Callable[..., Player] | None:
    """Maker of a player from a class with `choose`, a function of a position, or a search that plays its best move."""
    if isinstance(found, type):
        return found if hasattr(found, "choose") else None
    if search := ALGORITHMS.maker(found, name):
        algorithm = search()
        return partial(_search_player if algorithm.looks_ahead else Simulating, algorithm)
    return partial(UserFunction, found, name) if callable(found) else None


# Makers behind functions, imported when one is chosen: sockets, XML and dialogues take longer to import than most
# commands run.
def _import_program() -> Callable[..., Player]:
    from plyground.wire.program import program

    return program


def _import_connect() -> Callable[..., Player]:
    from plyground.wire.remote import connect

    return connect


def _import_listen() -> Callable[..., Player]:
    from plyground.wire.remote import listen

    return listen


def _import_engine_program(protocol: str) -> Callable[..., Player]:
    from plyground.protocols.driver import engine_program

    return partial(engine_program, protocol)


# The searches come from the record and from no list of names: one that is added to `ALGORITHMS` is a player at once.
_DEPTH_SEARCHES = [each for each in (choice.maker() for choice in ALGORITHMS.shipped) if each.looks_ahead]
_HARMLESS: tuple[Choice[Player], ...] = (
    Choice("first", First, "the first free square"),
    Choice("random", Random, "any legal move: random:seed=1 plays the same games again"),
    *(
        Choice(
            each.name,
            partial(_search_player, each),
            f"{each.title}, to a depth: {each.name}:4; {each.name}:4,seed=1 plays any of equal moves",
        )
        for each in _DEPTH_SEARCHES
    ),
    Choice("level", Level, f"errs like people: {', '.join(f'level:{name}' for name in LEVELS)}; or level:error=0.3"),
    Choice("engine", Engine, "as deep as the time allows: engine:time=1; also depth=, nodes=, threads=, eval=own"),
    Choice("mcts", MonteCarlo, "Monte Carlo tree search: mcts:time=1; also simulations=, seed=, exploration="),
    Choice("perfect", Perfect, "never wrong, and in no hurry to answer; for games that can be solved"),
)
_EVALUATING_NAMES = {*(each.name for each in _DEPTH_SEARCHES), "level", "engine"}
"""Players that ask the static evaluation: they take another one; on the command line and in Python, of any file."""


def _with_eval(*, has_files: bool) -> tuple[Choice[Player], ...]:
    return tuple(
        replace(each, make=with_eval_option(each.make, has_files=has_files)) if each.name in _EVALUATING_NAMES else each
        for each in _HARMLESS
    )


PLAYERS: Family[Player] = Family(
    "player",
    "plyground.players",
    (
        *_with_eval(has_files=True),
        Choice(
            "program",
            _import_program,
            "a program in any language: program:swipl player.pl; one that calls a port: "
            "program[port=54321]:swipl ttt.pl",
            raw=True,
            later=True,
        ),
        Choice(
            "connect",
            _import_connect,
            "a peer that listens: connect:HOST:PORT; connect[restarts=true]:… plays a new game with each connection",
            raw=True,
            later=True,
        ),
        Choice("listen", _import_listen, "a peer that connects: listen:PORT", raw=True, later=True),
        *(
            Choice(name, partial(_import_engine_program, name), dialogue.summary, raw=True, later=True)
            for name, dialogue in DIALOGUES.items()
        ),
    ),
    _player_maker,
    "a player: a function of a position, or a search",
    remembers=True,
    finish=as_player,
)
"""Every player, in the order in which they are offered. Sockets and XML are imported only when such a one is named."""
# The web's players: the same makers without files, so that no visitor reads or runs anything of the server.
HARMLESS: Family[Player] = replace(PLAYERS, shipped=_with_eval(has_files=False), has_own=False)
"""Players that start no program, open no connection and read no named file: safe choices for visitors of a server."""
OFFERED = {
    **{f"level:{name}": level.title for name, level in LEVELS.items()},
    "alphabeta:depth=2": "Looks two moves ahead",
    "random": "Plays at random",
}
"""The players worth offering by name, and what people call them: the levels first, from the weakest."""

OPPONENT = "level:easy"
"""Opponent of a person who names none, at a terminal and in the page."""


def player_named(text: str) -> Player:
    """Player by its spec: `alphabeta:depth=2`, or `path/to/file.py:function` of a user's file.

    >>> player_named("alphabeta:depth=2").name
    'alphabeta:depth=2'

    Raises:
        BadInput: no such player, or an option that it does not take.
    """
    return PLAYERS.make(text)


def player_of(user: PlayerLike, limit: Limit = BY_EVALUATION) -> Player:
    """A player, the one that a text names, a function of a position, an object with `choose`, or rules, as a player.

    Args:
        user: any of these; by rules the engine plays, with their evaluation.
        limit: of a move of that engine.

    Raises:
        BadInput: as `player_named`.
        WrongType: it is none of these, or takes other arguments.
    """
    if isinstance(user, Game):
        return EvaluationPlayer(user, limit)
    return player_named(user) if isinstance(user, str) else as_player(user)


@check_arguments
def play_match(
    position: Position,
    players: tuple[PlayerLike, PlayerLike],
    *,
    clock: float | TimeControl | None = None,
    file: GameFile | None = None,
    on_error: OnError = "raise",
    on_move: Callable[[Position], None] | None = None,
    on_refused: Callable[[str], None] | None = None,
) -> Result:
    """Referee a game to its end.

    >>> play_match(Position.initial("nim"), ("perfect", lambda position: position.legal_moves[0])).utility
    1

    Both players are prepared first, without a clock. Every move is checked and saved before the other side is asked. A
    program that fails or makes an illegal move loses the game, and so does a player whose time runs out; the result
    says whose fault it was. Where a player of this process fails, `on_error` says what happens.

    Args:
        position: where the game goes on from.
        players: x and o: names of players, players, functions of a position, other objects with `choose`, or games, by
            whose evaluation the engine plays.
        clock: seconds each side has for the whole game, or a finer time control; None: no clock.
        file: the file in which the game is saved, move by move.
        on_error: of a player in this process that raises an exception or makes an illegal move: `raise` it, and the
            game can be resumed, or let the player `lose` the game, as arenas do.
        on_move: called with the position after each move and each taking back.
        on_refused: called with the reason why a player cannot take moves back; the game goes on.

    Raises:
        WrongType: an argument is no player; no move was made.
        GameFault: a rule of the game fails, which is no player's fault. The game is kept as it was before.
        Unable: a player cannot be started, or (`Mute`) made no move since then; the game has no loser.
        BadInput: a player refuses the game, such as one too large for it.
        Exception: what a player raises.
    """
    if not isinstance(players, tuple | list) or len(players) != 2:
        raise WrongType(f"players={players!r}: give two, x and o.")
    # Made before the game begins: a name that is wrong costs no move.
    x, o = map(player_of, players)
    return referee_game(
        position, (x, o), clock=clock, file=file, on_error=on_error, on_move=on_move, on_refused=on_refused
    )
