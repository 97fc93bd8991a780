"""Tablebase of a game that may cycle: all its states, valued from their ends backward."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

from plyground.board.bits import flat
from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput
from plyground.exact.listing import Listing
from plyground.position import Position
from plyground.rules import MAX, ONGOING, Game, own_rules
from plyground.score import Score
from plyground.search.memory import new_memory, write_state
from plyground.search.observer import SILENT, Counting, Stopped
from plyground.search.retrograde import (
    ALL_LISTED,
    BEST_REPETITION,
    COUNT,
    DONE,
    EDGE_ROOM,
    NO_STATE_ROOM,
    STATE_ROOM,
    WORST_REPETITION,
    Backward,
    Graph,
    add_listed_state,
    census,
    explore,
    graph_room,
    grow_graph,
    index_of,
    mark_ends,
    new_backward,
    new_graph,
    retrograde,
    write_value,
)
from plyground.search.table import SOLVING

# A listing's memory is small at first, for most listings of positions in tests and lessons end within it; doubling
# costs a constant time for each state.
FIRST_STATE_ROOM = 1 << 10
SMALL_STATES = 6_000
"""Most states of a listing that is not worth saving."""


class TooManyStates(BadInput):
    """A game has more states than are allowed for."""


@dataclass(frozen=True)
class Census:
    """Counts of the states of a game by their values, each as the first state of a game."""

    states: int
    """Reachable states, with finished ones."""
    x: int
    """States won for x."""
    o: int
    """States won for o."""
    drawn: int
    longest: int
    """Plies of the longest win with best defence."""


class Sweep(Listing):
    """All states reachable from one, with their values. It can be stopped and continued."""

    title = ""
    """Empty: a sweep is made for its question and has no name."""

    def __init__(self, start: Position, *, reduced: bool = False, mebibytes: int = SOLVING) -> None:
        """Prepare; nothing is listed yet.

        Args:
            start: where to list from; no move need lead there.
            reduced: list one of the states that are the same under symmetry, and of each only what comes again.
                Their history is not known, so their values are those of games that begin with them, in which no
                counter ends the game.
            mebibytes: of memory at most.
        """
        self.game: Game[Any] = start.game
        self.pattern: Any = start.state
        self.reduced: bool = reduced
        self.mebibytes: int = mebibytes
        # Eight moves a state to begin with; each of both rooms grows when it is full.
        self.graph: Graph = new_graph(self.pattern, FIRST_STATE_ROOM, 8 * FIRST_STATE_ROOM)
        self.is_listed: bool = False
        self._back: Backward | None = None
        # The answers of compiled functions that return more than one int are written here (`write_value`, `census`).
        self._out = new_memory(3)
        self._ends: tuple[Any, ...] | None = None
        """Ends with which the last values were computed."""
        first = self._representative(self.pattern)
        add_listed_state(self.graph, -1 - index_of(self.graph, first), first)

    def _representative(self, state: Any) -> Any:
        return self.game.canonical(self.game.repetition_key(state)) if self.reduced else state

    @property
    def progress(self) -> float:
        """Part of the known states that is listed with its moves, 0 to 1."""
        return self.graph.head[DONE] / self.graph.head[COUNT]

    @property
    def nodes(self) -> int:
        """States that are listed with their moves."""
        return self.graph.head[DONE]

    @property
    def rooms(self) -> tuple[int, int]:
        """Numbers of states and moves for which there is room."""
        return self.graph.head[STATE_ROOM], self.graph.head[EDGE_ROOM]

    @property
    def is_small(self) -> bool:
        """Whether so little was done that it is not worth saving."""
        return self.graph.head[COUNT] <= SMALL_STATES

    # -- listing ----------------------------------------------------------------------------------------------------

    def list(self, clock: Clock | None = None, on_wait: Callable[[], None] | None = None) -> None:
        """List all states.

        Raises:
            TooManyStates: they do not fit the memory; those that do stay listed.
            Stopped: the clock's limit was reached first.
        """
        if self.is_listed:
            return
        clock = clock or Clock(Limit())
        run = kernel(explore, self.game)
        run.prepare(clock.observer, self.graph, self.pattern, 0)
        clock.run(lambda: self._list_states(run, clock.observer), on_wait=on_wait)

    def _list_states(self, run: Callable[..., int], observer: Counting) -> None:
        while (lacks := run(observer, self.graph, self.pattern, int(self.reduced))) != ALL_LISTED:
            states, edges = self.rooms
            # Doubled, so all copying together takes a constant time for a state; only what is full grows, for games
            # differ much in their moves a state.
            wanted = (2 * states, edges) if lacks == NO_STATE_ROOM else (states, 2 * edges)
            if graph_room(self.pattern, *wanted) > self.mebibytes << 20:
                raise TooManyStates(
                    f"From here {type(self.game).__name__} has more than {self.graph.head[COUNT]:,} states, which is "
                    f"what {self.mebibytes} MiB hold: allow more memory (--table), or solve a later position."
                )
            self.graph = grow_graph(self.graph, self.pattern, *wanted)
        self.is_listed = True

    # -- valuing ----------------------------------------------------------------------------------------------------

    def value(self, ends: tuple[Any, ...] = (), stop: threading.Event | None = None) -> None:
        """Value all states that are listed.

        Args:
            ends: states at which the game ends when they come once more (`Position.last_times`).
            stop: an event that ends the valuing.

        Raises:
            Stopped: the event was set first; the values are then found anew by the next call.
        """
        # Values depend on the history only by these ends, so another position of the same game asks for nothing new in
        # most cases.
        if self._ends == ends:
            return
        self._ends = None
        if self._back is None:
            self._back = new_backward(self.graph)
        self._mark_ends(ends, 1)
        # The sample's observer is of the kind of the clock's: compiled code is kept by the types of its arguments.
        args = Counting.fresh(), self.graph, self._back
        # `SILENT` in place of a game: the analysis asks the game nothing, so it is compiled once for all games.
        run = kernel(retrograde, SILENT)
        run.prepare(*args)
        clock = Clock(Limit(), stop=stop)
        try:
            clock.run(lambda: run(clock.observer, *args[1:]))
        except Stopped:
            self._back = None
            raise
        # The listing belongs to all histories; these ends are those of one game.
        finally:
            self._mark_ends(ends, 0)
        self._ends = ends

    def _mark_ends(self, ends: tuple[Any, ...], is_over: int) -> None:
        """Let the listed states that repeat one of some states count as ends, or again as unfinished."""
        # A state that repeats itself alone is found by its hash; for other games all listed states are compared by key.
        if type(self.game).repetition_key is Game.repetition_key:  # each state repeats itself alone
            about = self.graph.about
            for end in ends:
                if (place := index_of(self.graph, end)) >= 0:
                    utility = self.game.repetition_value(end) if is_over else ONGOING
                    about[place] = 2 * utility + (about[place] & 1)
        elif ends:
            width = len(flat(self.pattern))
            keys = new_memory(width * len(ends))
            for place, end in enumerate(ends):
                write_state(keys, width * place, end)
            args = self.graph, self.pattern, keys, len(ends), is_over
            kernel(mark_ends, self.game)(*args)

    def __contains__(self, state: Any) -> bool:
        """Whether a state is listed."""
        return index_of(self.graph, self._representative(state)) >= 0

    def score(self, state: Any) -> Score | None:
        """Score of a state; None where it depends on the moves before.

        Raises:
            KeyError: it is not listed.
        """
        place = index_of(self.graph, self._representative(state))
        if place < 0:
            raise KeyError(state)
        assert self._back is not None
        if not write_value(self.graph, self._back, place, self._out):
            return None
        utility, plies = self._out[:2]
        return Score(utility, plies=None if plies < 0 else plies)

    def census(self) -> Census:
        """Counts of won states, and the longest win."""
        assert self._back is not None
        count = census(self.graph, self._back, self._out)
        x, o, longest = self._out[:3]
        return Census(count, x, o, count - x - o, longest)

    # -- a position of it ---------------------------------------------------------------------------------------------

    def most(self, mover: int) -> int:
        """Best utility for x that a player may reach by a repetition."""
        return self.graph.head[BEST_REPETITION if mover == MAX else WORST_REPETITION]

    def is_again(self, position: Position) -> bool:
        """Whether a position has come before."""
        return position.line.count(position.line[-1]) > 1

    # -- keeping ------------------------------------------------------------------------------------------------------

    def write(self, file: BinaryIO) -> None:
        """Write the states listed so far."""
        for block in self.graph:
            file.write(block)

    def read(self, file: BinaryIO, states: int, edges: int) -> bool:
        """Read the states of a graph with this much room; return whether the file was complete."""
        self.graph = new_graph(self.pattern, states, edges)
        # The file is read straight into the memory of the graph: a sweep of gigabytes is not in memory twice.
        whole = all(file.readinto(block) == block.nbytes for block in self.graph)  # type: ignore[attr-defined]
        self.is_listed = whole and self.graph.head[DONE] == self.graph.head[COUNT]
        return whole


def merged_text(game: Game[Any], is_reduced: bool = False) -> str:
    """Which states a tablebase, or a reduced sweep, counts as one, in words; empty where none."""
    parts: list[str] = []
    if type(game).repetition_key is not Game.repetition_key:
        parts.append("without counters and what came before")
    if type(game).canonical is not Game.canonical and (game.canonical_is_complete or is_reduced):
        some = "" if game.canonical_is_complete else "some of "
        parts.append(f"{some}those that are the same under symmetry count once")
    return "; ".join(parts)


def is_reducible(game: Game[Any]) -> bool:
    """Whether a reduced sweep has fewer states."""
    return type(game).canonical is not Game.canonical or type(game).repetition_key is not Game.repetition_key


_sweeps: dict[tuple[Game[Any], bool], Sweep] = {}


def cached_sweep(position: Position, reduced: bool) -> Sweep | None:
    """Sweep kept from an earlier call that has this position."""
    sweep = _sweeps.get((position.game, reduced))
    # A listing from an earlier position has all later ones of the same game, so play goes on without listing again.
    return sweep if sweep and sweep.is_listed and position.state in sweep else None


def cache_sweep(sweep: Sweep) -> None:
    """Keep the last two sweeps of this process for later calls."""
    _sweeps[sweep.game, sweep.reduced] = sweep
    # Two: a reduced one and a whole one of a game, or those of two games that are compared.
    for key in list(_sweeps)[:-2]:
        del _sweeps[key]


THINKING_MEBIBYTES = 64
"""Mebibytes of states listed before a search of a game that may cycle."""
_too_large: set[Game[Any]] = set()
"""Games with more states than fit."""


def small_sweep(position: Position, seconds: float, stop: threading.Event | None = None) -> Sweep | None:
    """Valued sweep from a position, if its states are few or were listed before; else None, and it is not tried again.

    Args:
        position: the position to list from.
        seconds: the time for it.
        stop: an event that ends the listing; it is then tried again by the next caller.
    """
    game = own_rules(position.game)  # the same list for any evaluation
    position = position.under(game)
    sweep = cached_sweep(position, reduced=False)
    if sweep is None:
        if game in _too_large:
            return None
        sweep = Sweep(position, mebibytes=THINKING_MEBIBYTES)
        try:
            sweep.list(Clock(Limit(time=seconds), stop=stop))
        except (Stopped, TooManyStates):
            if not (stop and stop.is_set()):
                # A listing that was stopped from outside says nothing about the number of states; one that ran out of
                # time or room is not tried for each move again.
                _too_large.add(game)
            return None
        cache_sweep(sweep)
    with suppress(Stopped):
        sweep.value(position.last_times(), stop)
        return sweep
    return None
