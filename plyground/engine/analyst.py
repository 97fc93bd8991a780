"""Analysis of many positions of one game: table, threads and code are kept between them."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from plyground.board.bits import flat
from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.engine.chances import chance_adder
from plyground.errors import BadInput, WrongType, check_arguments, extra
from plyground.games import AnyGame, as_game
from plyground.position import Position
from plyground.rules import LONGEST, MAX, NO_MOVE, ONGOING
from plyground.score import ESTIMATES, INFINITY, Score
from plyground.search.algorithm import Query, score_query
from plyground.search.context import GUESSES, ROOT_MOVE, STACK, SearchContext, new_search_context
from plyground.search.evaluations import evaluations
from plyground.search.memory import new_memory, write_state
from plyground.search.observer import Stopped
from plyground.search.pvs import pvs
from plyground.search.table import PLAYING, entries_in, new_table

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table as ArrowTable

Row = tuple[int, Score, int, int]
"""Best move, score, depth and nodes of a position."""


@dataclass(frozen=True)
class Analyses(Sequence[dict[str, object]]):
    """Results of many searches as columns; as a sequence, a dict for each position.

    >>> import plyground as pg
    >>> found = pg.analyse_many([pg.Position.initial("tictactoe")], pg.Limit(depth=1))
    >>> len(found), found[0]["depth"], found.columns["depth"]
    (1, 1, [1])
    """

    positions: tuple[Position, ...]
    moves: tuple[int, ...]
    """Best moves; `NO_MOVE` where the game is over."""
    scores: tuple[Score, ...]
    """From the first player's side, without chances, which take longer to find than a score and are in `columns`."""
    depths: tuple[int, ...]
    """Plies looked ahead; 0 where the limit allowed none, and the score is a static evaluation."""
    nodes: tuple[int, ...]

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """Plain values by the names that `Report.to_dict` gives them, in the order of the positions."""
        texts = (
            "" if move == NO_MOVE else here.game.move_text(here.state, move)
            for here, move in zip(self.positions, self.moves, strict=True)
        )
        scores = [
            chance_adder(here.game, here.state)(score) for here, score in zip(self.positions, self.scores, strict=True)
        ]
        return {
            "position": [here.text for here in self.positions],
            "move": [*texts],
            "score": [score.text(here.game.names) for here, score in zip(self.positions, scores, strict=True)],
            "utility": [score.utility for score in scores],
            "plies": [score.plies for score in scores],
            "points": [score.points for score in scores],
            "chance": [score.chance.share if score.chance else None for score in scores],
            "exact": [score.exact for score in scores],
            "depth": [*self.depths],
            "nodes": [*self.nodes],
        }

    def __repr__(self) -> str:
        of = f" of {self.positions[0].game!r}" if self.positions else ""
        return f"<Analyses: {len(self):,} {'position' if len(self) == 1 else 'positions'}{of}>"

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        return {name: column[place] for name, column in self.columns.items()}

    def to_frame(self) -> "DataFrame":
        """A table for pandas, in which a value that there is not is `<NA>`.

        Raises:
            BadInput: pandas is not installed.
        """
        with extra("A DataFrame"):
            import pandas as pd

        whole = dict.fromkeys(("utility", "plies", "points"), "Int64")
        return pd.DataFrame(self.columns).astype(whole | {"chance": "Float64"})

    def to_arrow(self) -> "ArrowTable":
        """A table for Arrow, as which it can be written to Parquet.

        Raises:
            BadInput: PyArrow is not installed.
        """
        with extra("An Arrow table"):
            import pyarrow as pa

        return pa.table(self.columns)


class Analyst:
    """Engine for many positions of one game, searched one after another; table, threads and code stay.

    The transposition table goes on from position to position, so a score may come of a deeper search than was asked
    for, and which one depends on the positions before. Where states can come again the table is new for each position.
    An analyst is for one thread at a time.

    >>> analyst = Analyst("tictactoe")
    >>> [score.text() for score in analyst.many(["a1 b1 a2 b2", "b2"], Limit(depth=9)).scores]
    ['x wins in 1 ply', 'draw']
    """

    @check_arguments
    def __init__(self, game: AnyGame | str, *, table: int = PLAYING, stop: threading.Event | None = None) -> None:
        """Compile the search, or find it on disk.

        Args:
            game: the game, or its name.
            table: mebibytes for the transposition table.
            stop: an event that ends every search, from any thread and within 10 ms.

        Raises:
            BadInput: no room for a table.
            Stopped: the event was set before the search was compiled.
        """
        if table < 1:
            raise BadInput(f"table={table}: at least one mebibyte.")
        self.game: AnyGame = as_game(game)
        self._pattern, self._mebibytes = self.game.initial(), table
        self._clock = Clock(Limit(), stop=stop)
        self._search = kernel(pvs, self.game)
        self._context = self._new_context(Position(self.game, self._pattern))
        # Compiled here, so that no limit of `many` counts it.
        self._search.prepare(*self._arguments(self._pattern, 1))

    @check_arguments
    def many(self, positions: Iterable[Position | str], limit: Limit) -> Analyses:
        """The best move and the score of each position.

        Args:
            positions: positions of the game, or their texts.
            limit: for each position: `depth`, `nodes`, `time`, or several of them.

        Raises:
            BadInput: a text is no position, or the limit has nothing.
            Stopped: the event was set.
        """
        if limit == Limit():
            raise BadInput(f"{limit}: give a depth, nodes or a time for each position.")
        found = tuple(self._position(each) for each in positions)
        if limit.time is None:
            # One piece of work for all positions: handing each to a thread by itself would take longer than a small
            # search. With a time each needs a clock of its own.
            rows = self._clock.run(lambda: [self._search_row(here, limit) for here in found]) if found else []
        else:
            rows = [self._timed_row(here, limit) for here in found]
        columns = zip(*rows, strict=True) if rows else ((), (), (), ())
        return Analyses(found, *columns)

    def _position(self, given: Position | str) -> Position:
        if isinstance(given, str):
            return Position.parse(self.game, given)
        if not isinstance(given, Position):
            raise WrongType(f"{given!r} is no position: give one, or its text.")
        if given.game != self.game:
            raise BadInput(f"A position of {given.game!r}: this analyst is for {self.game!r}.")
        return given

    def _new_context(self, position: Position) -> SearchContext:
        # One mebibyte where states can come again: entries are true for one history only, so the table is new for each
        # position.
        entries = entries_in(self._pattern, 1 if self.game.repetition else self._mebibytes)
        table = new_table(self._pattern, entries, is_small=bool(self.game.repetition))
        return new_search_context(self.game, position.state, table, position.last_times())

    def _arguments(self, state: Any, depth: int) -> tuple[Any, ...]:
        # Distances count (`prefer_shorter` 1), as in `think`, so the two agree.
        return self._clock.observer, self._context, state, depth, -INFINITY, INFINITY, 1, 0, STACK

    def _timed_row(self, position: Position, limit: Limit) -> Row:
        """Row of a position that is searched with a clock of its own."""
        self._clock = Clock(limit, stop=self._clock.stopping)
        return self._clock.run(lambda: self._search_row(position, limit))

    def _search_row(self, position: Position, limit: Limit) -> Row:
        """Row of a position by iterative deepening, as `think` does; in the clock's thread."""
        state, game, observer = position.state, self.game, self._clock.observer
        utility = position.outcome if game.repetition else game.outcome(state)
        if utility is not None and utility != ONGOING:
            return NO_MOVE, Score.over(utility), 0, 0
        if game.repetition:
            self._context = self._new_context(position)
        scratch, before = self._context.scratch, observer.nodes
        observer.allow(1 << 62 if limit.nodes is None else before + limit.nodes)
        if self._clock.is_stopped or self._clock.is_abandoned:  # after that: else the budget would outlive them
            raise Stopped
        side, deepest = 1 if game.to_move(state) == MAX else -1, limit.depth or LONGEST
        row: Row | None = None
        try:
            for depth in range(1, deepest + 1):
                guesses = scratch[GUESSES]
                value = side * self._search(*self._arguments(state, depth))
                known = scratch[GUESSES] == guesses
                # Without a limit inside the search only the last depth, or an end, needs a score: scores of all depths
                # would take longer than the shallow searches.
                if known or depth == deepest or limit.nodes or limit.time or abs(value) >= ESTIMATES:
                    score = score_query(Query(game, state, depth), value, known)
                    row = scratch[ROOT_MOVE], score, depth, observer.nodes - before
                    if score.certain:
                        break
        except Stopped:
            if self._clock.is_stopped or self._clock.is_abandoned:
                raise
        return row or (
            next(iter(game.moves(state))),
            Score(points=game.evaluate(state)),
            0,
            observer.nodes - before,
        )


@check_arguments
def analyse_many(
    positions: Iterable[Position | str],
    limit: Limit,
    *,
    game: AnyGame | str | None = None,
    jobs: int = 1,
    table: int = PLAYING,
    stop: threading.Event | None = None,
) -> Analyses:
    """The best move and the score of many positions of one game, as columns.

    >>> found = analyse_many(["b2", "b2 a1", "b2 a2"], Limit(depth=9), game="tictactoe")
    >>> found.columns["score"]
    ['draw', 'draw', 'x wins in 5 plies']

    Args:
        positions: positions, or their texts.
        limit: for each position, as for `Analyst.many`.
        game: the game of texts; by default that of the first position.
        jobs: threads that search at the same time, each with its share of the positions and of the table.
        table: mebibytes for the transposition tables.
        stop: an event that ends it, from any thread and within 10 ms.

    Raises:
        BadInput: a text is no position, positions are of two games, or the limit has nothing.
        Stopped: the event was set.
    """
    given = [*positions]
    if not given:
        return Analyses((), (), (), (), ())
    if game is None:
        if not isinstance(given[0], Position):
            raise WrongType("game=None: a text is of the game that is named, as in game='connectfour'.")
        game = given[0].game
    rules = as_game(game)
    if jobs < 1:
        raise BadInput(f"jobs={jobs}: at least one thread.")
    if jobs == 1:
        return Analyst(rules, table=table, stop=stop).many(given, limit)
    return _by_threads(given, limit, [Analyst(rules, table=max(1, table // jobs), stop=stop) for _ in range(jobs)])


def _by_threads(given: Sequence[Position | str], limit: Limit, analysts: Sequence[Analyst]) -> Analyses:
    """Analyses by several threads, the positions dealt out in turn: no answer depends on a thread's speed."""
    from concurrent.futures import ThreadPoolExecutor  # here, because few programs need it

    jobs = len(analysts)
    with ThreadPoolExecutor(jobs) as pool:
        parts = [pool.submit(analyst.many, given[place::jobs], limit) for place, analyst in enumerate(analysts)]
        found = [part.result() for part in parts]
    rows: list[Any] = [None] * len(given)
    for place, part in enumerate(found):
        # Interleaved, so that each thread gets positions of every part of the list.
        rows[place::jobs] = zip(part.positions, part.moves, part.scores, part.depths, part.nodes, strict=True)
    return Analyses(*zip(*rows, strict=True))


@check_arguments
def evaluate_many(
    game: AnyGame | str, positions: Iterable[Position | Any], *, stop: threading.Event | None = None
) -> list[int]:
    """Static evaluations of many positions, from the first player's side, in one compiled loop.

    >>> evaluate_many("tictactoe", [Position.initial("tictactoe"), Position.parse("tictactoe", "b2")])
    [0, 4]

    Args:
        game: the game, or its name.
        positions: positions, their texts, or bare states of the game.
        stop: an event that ends it.

    Raises:
        WrongType: one of them is no position of the game.
        Stopped: the event was set.
    """
    rules = as_game(game)
    pattern = rules.initial()
    found = [_state_of(rules, pattern, each) for each in positions]
    if not found:
        return []
    return [*_evaluate_states(rules, pattern, found, stop)]


def _state_of(game: AnyGame, pattern: Any, given: Position | Any) -> Any:
    # A game whose states are texts has no texts of positions here.
    if isinstance(given, str) and not isinstance(pattern, str):
        return Position.parse(game, given).state
    state = given.state if isinstance(given, Position) else given
    if not isinstance(state, type(pattern)):
        raise WrongType(f"{given!r} is no position of {game!r}: give one, its text, or its state.")
    return state


def _evaluate_states(game: AnyGame, pattern: Any, states: Sequence[Any], stop: threading.Event | None) -> Iterator[int]:
    width = len(flat(pattern))
    words, values = new_memory(width * len(states)), new_memory(len(states))
    for place, state in enumerate(states):
        write_state(words, width * place, state)
    clock, run = Clock(Limit(), stop=stop), kernel(evaluations, game)
    run.prepare(clock.observer, pattern, words, values, len(states))
    clock.run(lambda: run(clock.observer, pattern, words, values, len(states)))
    return iter(values[: len(states)])
