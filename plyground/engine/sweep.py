"""A game that may cycle, valued whole: all its states are listed and valued from their ends backward."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, BinaryIO

from plyground.board.bits import flat
from plyground.compiled.kernel import kernel
from plyground.engine.clock import Clock, Limit
from plyground.errors import BadInput
from plyground.position import Position
from plyground.rules import MAX, MIN, ONGOING, Game
from plyground.score import FINAL, Score, best_of, final
from plyground.search.memory import Memory, new_memory, read_state
from plyground.search.retrograde import (
    ALL_LISTED,
    BEST_AGAIN,
    COUNT,
    DONE,
    EDGE_ROOM,
    EDGES,
    NO_STATE_ROOM,
    OPEN,
    STATE_ROOM,
    WORST_AGAIN,
    Backward,
    add,
    explore,
    graph_room,
    moved,
    new_backward,
    new_graph,
    place_of,
    retrograde,
)
from plyground.search.table import SOLVING
from plyground.search.watch import SILENT, Counting, Stopped

FIRST_ROOM = 1 << 10
SMALL = 6_000
"""States that are listed as plain Python before the game is compiled for it."""
PLAIN_TIME = 1.0
"""Seconds for that, at most."""
LONGEST_LINE = 500
"""Plies of best play, at most."""
SMALL_EDGES = 20_000
"""Moves up to which they are also valued so."""


class TooManyStates(BadInput):
    """A game has more states than are allowed for."""


@dataclass(frozen=True)
class Census:
    """What the states of a game are worth, each taken for the first of a game."""

    states: int
    """All that can come about, finished ones included."""
    x: int
    """Won for x."""
    o: int
    """Won for o."""
    drawn: int
    longest: int
    """Plies of the longest win that the loser can hold out to."""


class Sweep:
    """All states that come about from one, with their values. It can be stopped, and goes on where it was."""

    def __init__(self, start: Position, *, reduced: bool = False, mebibytes: int = SOLVING) -> None:
        """Prepare; nothing is listed yet.

        Args:
            start: where to list from; no move need lead there.
            reduced: list one of the states that are the same under symmetry, and of each only what comes again.
                Which came before nobody can tell of these, so their values are those of games that begin with them,
                and that nothing that is counted ends.
            mebibytes: of memory at most.
        """
        self.game, self.pattern = start.game, start.state
        self.reduced, self.mebibytes = reduced, mebibytes
        self.graph = new_graph(self.pattern, FIRST_ROOM, 8 * FIRST_ROOM)
        self.is_listed = False
        self._back: Backward | None = None
        self._ends: tuple[int, ...] | None = None
        """The states that the last values took for ends, by their places."""
        first = self._same(self.pattern)
        add(self.graph, -1 - place_of(self.graph, first), first)

    def _same(self, state: Any) -> Any:
        return self.game.canonical(self.game.recurring(state)) if self.reduced else state

    @property
    def done(self) -> float:
        """Which part of the states that are known to be is listed with its moves, 0 to 1."""
        return self.graph.head[DONE] / self.graph.head[COUNT]

    @property
    def nodes(self) -> int:
        """States that are listed with their moves."""
        return self.graph.head[DONE]

    @property
    def rooms(self) -> tuple[int, int]:
        """For how many states and moves there is room."""
        return self.graph.head[STATE_ROOM], self.graph.head[EDGE_ROOM]

    @property
    def is_small(self) -> bool:
        """Whether so little was done that it is not worth keeping."""
        return self.graph.head[COUNT] <= SMALL

    # -- listing ----------------------------------------------------------------------------------------------------

    def list(self, clock: Clock | None = None, on_wait: Callable[[], None] | None = None) -> None:
        """List all states: a few as plain Python, the others compiled.

        Raises:
            TooManyStates: they do not fit the memory; those that do stay listed.
            Stopped: the clock's limit was reached first.
        """
        if self.is_listed:
            return
        clock = clock or Clock(Limit())
        run = kernel(explore, self.game)
        if self.is_small and run.is_cold(clock.watch, self.graph, self.pattern, 0):
            with suppress(Stopped):
                self.list_plain(SMALL, PLAIN_TIME)
        if not self.is_listed:
            run.prepare(clock.watch, self.graph, self.pattern, 0)
            clock.run(lambda: self._list(run, clock.watch), on_wait=on_wait)

    def list_plain(self, states: int, seconds: float | None = None) -> None:
        """List so many states as plain Python.

        Raises:
            Stopped: there are more, or there was no time for more.
        """
        clock = Clock(Limit(nodes=states, time=seconds))
        clock.run(lambda: self._list(partial(explore, self.game), clock.watch))

    def _list(self, run: Callable[..., int], watch: Counting) -> None:
        while (lacks := run(watch, self.graph, self.pattern, int(self.reduced))) != ALL_LISTED:
            states, edges = self.rooms
            wanted = (2 * states, edges) if lacks == NO_STATE_ROOM else (states, 2 * edges)
            if graph_room(self.pattern, *wanted) > self.mebibytes << 20:
                raise TooManyStates(
                    f"From here {type(self.game).__name__} has more than {self.graph.head[COUNT]:,} states, which is "
                    f"what {self.mebibytes} MiB hold: allow more memory (--table), or solve a later position."
                )
            self.graph = moved(self.graph, self.pattern, *wanted)
        self.is_listed = True

    # -- valuing ----------------------------------------------------------------------------------------------------

    def value(self, ends: tuple[Any, ...] = ()) -> None:
        """Value all states that are listed.

        Args:
            ends: states at which the game ends when they come once more (`Position.last_times`).
        """
        about = self.graph.about
        places = dict(self._recurring(ends))
        if self._ends == (*places,):
            return
        kept = {place: about[place] for place in places}
        for place, end in places.items():
            about[place] = 2 * self.game.again(end) + (about[place] & 1)
        if self._back is None:
            self._back = new_backward(self.graph)
        args = Counting.fresh(), self.graph, self._back, self._goals()
        run: Callable[..., int] = kernel(retrograde, SILENT)
        if self.graph.head[EDGES] <= SMALL_EDGES and not kernel(retrograde, SILENT).is_ready:
            run = partial(retrograde, SILENT)
        else:
            kernel(retrograde, SILENT).prepare(*args)
        clock = Clock(Limit())
        clock.run(lambda: run(clock.watch, *args[1:]))
        for place, known in kept.items():
            about[place] = known
        self._ends = (*places,)

    def _recurring(self, ends: tuple[Any, ...]) -> Iterator[tuple[int, Any]]:
        """The states that come again where these do, by their places."""
        if type(self.game).recurring is Game.recurring:
            places = ((place_of(self.graph, end), end) for end in ends)
            yield from (pair for pair in places if pair[0] >= 0)
        elif ends:
            width = len(flat(self.pattern))
            for place in range(self.graph.head[COUNT]):
                state = read_state(self.graph.states, place * width, self.pattern)
                if self.game.recurring(state) in ends and self.game.outcome(state) == ONGOING:
                    yield place, state

    @property
    def _again(self) -> tuple[int, int]:
        """The lowest and highest utility of a repetition."""
        return self.graph.head[WORST_AGAIN], self.graph.head[BEST_AGAIN]

    def _goals(self) -> Memory:
        """What a player can force rather than a repetition: for MAX utilities above all of these, for MIN below.

        The highest that a repetition can be worth is told too, where it differs from the lowest: who forces it without
        one gets no more with one.
        """
        (worst, best), head = self._again, self.graph.head
        ends = sorted({about >> 1 for about in set(self.graph.about[: head[COUNT]])} - {ONGOING})
        high = [2 * end + MAX for end in reversed(ends) if end > best or end == best != worst]
        low = [2 * end + MIN for end in ends if end < worst or end == worst != best]
        goals = new_memory(1 + len(high) + len(low))
        goals[0] = len(high) + len(low)
        for place, goal in enumerate(high + low, 1):
            goals[place] = goal
        return goals

    def __contains__(self, state: Any) -> bool:
        """Whether a state is listed."""
        return place_of(self.graph, self._same(state)) >= 0

    def score(self, state: Any) -> Score | None:
        """What a state is worth; None where that depends on how it came about.

        Raises:
            KeyError: it is not listed.
        """
        place, (worst, best) = place_of(self.graph, self._same(state)), self._again
        if place < 0:
            raise KeyError(state)
        assert self._back is not None
        value, utility = self._back.values[place], self.graph.about[place] >> 1
        if value == OPEN:
            return Score.over(utility) if utility != ONGOING else Score(worst) if worst == best else None
        score = Score.of(value) if value else Score(0)
        if worst != best and score.utility in (worst, best):  # a repetition may bring it sooner
            return Score(score.utility)
        return score

    def census(self) -> Census:
        """How many states are won, and the longest win."""
        assert self._back is not None
        worst, best = self._again
        count, rest = self.graph.head[COUNT], final(worst, 0) if worst == best else 0
        values = [rest if value == OPEN else value for value in self._back.values[:count]]
        x, o = sum(value > 0 for value in values), sum(value < 0 for value in values)
        told = (value for value in self._back.values[:count] if value != OPEN)
        longest = max((-value % FINAL if value > 0 else value % FINAL for value in told), default=0)
        return Census(count, x, o, count - x - o, longest)

    # -- a position of it ---------------------------------------------------------------------------------------------

    def moves(self, position: Position) -> tuple[tuple[int, Score | None], ...]:
        """What each move is worth; None where that depends on what came before."""
        return tuple((move, self._after(position.play(move))) for move in position.legal_moves)

    def _after(self, position: Position) -> Score | None:
        """The score of a position, seen a ply before."""
        over = position.outcome
        score = self.score(position.state) if over is None else Score(over, plies=0 if over else None)
        return score if score is None or score.plies is None else replace(score, plies=score.plies + 1)

    def best(self, moves: tuple[tuple[int, Score | None], ...], mover: int) -> tuple[int, Score] | None:
        """The first best move and what it is worth; None where that depends on what came before."""
        known = [(move, score) for move, score in moves if score is not None]
        if not known:
            return None
        move = best_of(known, mover)[0]
        score, most = dict(known)[move], self._again[1 - mover]
        assert score.utility is not None
        is_best = score.utility >= most if mover == MAX else score.utility <= most
        return (move, score) if is_best or len(known) == len(moves) else None

    def line(self, position: Position) -> tuple[int, ...]:
        """Best play by both sides, until it would repeat itself, or nobody knows what is best."""
        line: list[int] = []
        while position.outcome is None and position.line.count(position.line[-1]) < 2 and len(line) < LONGEST_LINE:
            if (found := self.best(self.moves(position), position.to_move)) is None:
                break
            line.append(found[0])
            position = position.play(found[0])
        return tuple(line)

    # -- keeping ------------------------------------------------------------------------------------------------------

    def write(self, file: BinaryIO) -> None:
        """Write what is listed so far."""
        for block in self.graph:
            file.write(block)

    def read(self, file: BinaryIO, states: int, edges: int) -> bool:
        """Read what was written of a graph with so much room; whether it was whole."""
        self.graph = new_graph(self.pattern, states, edges)
        whole = all(file.readinto(block) == block.nbytes for block in self.graph)  # type: ignore[attr-defined]
        self.is_listed = whole and self.graph.head[DONE] == self.graph.head[COUNT]
        return whole


def is_reducible(game: Game[Any]) -> bool:
    """Whether a reduced sweep has fewer states."""
    return type(game).canonical is not Game.canonical or type(game).recurring is not Game.recurring


_kept: dict[tuple[Game[Any], bool], Sweep] = {}


def kept_sweep(position: Position, reduced: bool) -> Sweep | None:
    """A sweep that was done before and has this position in it."""
    sweep = _kept.get((position.game, reduced))
    return sweep if sweep and sweep.is_listed and position.state in sweep else None


def keep_sweep(sweep: Sweep) -> None:
    """Keep a sweep for whoever asks next, in this process: the last two."""
    _kept[sweep.game, sweep.reduced] = sweep
    for key in list(_kept)[:-2]:
        del _kept[key]


LARGE = 0.25
"""Where of the states that are known to be no more than this part is listed after a moment, there are too many."""
AT_THINKING = 64
"""Mebibytes of states that are listed before a game that may cycle is searched."""
_larger: set[Game[Any]] = set()
"""Games with more."""
_begun: set[Game[Any]] = set()
"""Games with more than plain Python lists in a moment, whose listing is being compiled: it is not tried plain again."""


def small_sweep(position: Position, seconds: float, at_once: bool) -> Sweep | None:
    """All states from here, valued, if they are few, or were listed before; else None, and no more of it is tried.

    Args:
        position: what to know everything of.
        seconds: the time for it.
        at_once: wait for no compiler, which makes the listing ready for whoever asks next.
    """
    game = position.game
    sweep = kept_sweep(position, reduced=False)
    if sweep is None:
        if game in _larger:
            return None
        sweep = Sweep(position, mebibytes=AT_THINKING)
        run = kernel(explore, game)
        try:
            sample = Counting.fresh(), sweep.graph, sweep.pattern, 0
            if run.is_cold(*sample):
                if at_once and game in _begun:
                    return None
                with suppress(Stopped):
                    sweep.list_plain(SMALL, min(seconds, PLAIN_TIME))
                if sweep.done < LARGE:
                    raise TooManyStates
                if at_once and not sweep.is_listed:
                    _begun.add(game)
                    run.begin(*sample)
                    return None
            sweep.list(Clock(Limit(time=seconds)))
        except (Stopped, TooManyStates):
            _larger.add(game)
            return None
        keep_sweep(sweep)
    sweep.value(position.last_times())
    return sweep
