"""Iterative deepening of one position, with one context and table for all depths."""

import threading
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.engine.chances import chance_adder
from plyground.engine.deepening import search_to_depth
from plyground.engine.report import Report
from plyground.exact.book import book_of
from plyground.exact.probing import probe_two_plies
from plyground.exact.source import MoveRequest
from plyground.exact.tables.reading import Tables
from plyground.position import Position
from plyground.rules import MAX
from plyground.score import INFINITY, Score
from plyground.search.algorithm import searched_score
from plyground.search.context import GUESSES, ROOT_MOVE, STACK, new_search_context
from plyground.search.limits import TooManyMoves
from plyground.search.observer import Counting, Stopped
from plyground.search.pvs import pvs
from plyground.search.table import copy_to_large_pages, entries_in, hash_of, new_table, store

Moves = tuple[tuple[int, Score], ...]
"""Moves with their scores."""
# A twentieth of the time, since a look-up in a store is slow and most positions have none at hand.
PROBING_SHARE = 0.05
"""Part of the time in which tablebases are asked of positions ahead."""
UNLIMITED_SECONDS = 4.0
"""Seconds of which parts are taken where there is no limit."""
QUICK_NODES, MOST_NODE_GROWTH = 250, 32
"""Nodes of a depth after which the next one is searched by the caller's thread, and how many times as many it may have:
a millisecond of search. Handing work to another thread takes as long as a small one."""
MOVED_TABLE_NODES = 1 << 15
"""Nodes, a few milliseconds of search, after which a table on small pages is worth moving."""

ENTRIES_A_SECOND = 1 << 22
"""More than a search can fill: room is made in the thinking time, so a short limit shall not pay for much."""
FEWEST_ENTRIES = 1 << 16
"""Entries of a table for which there is always time."""
ENTRIES_A_NODE = 16
"""More than a search fills at a node."""


def _most_entries(limit: Limit, threads: int) -> int:
    """Upper bound of the table entries that a search fills within a limit."""
    # 2**40 stands for no bound: more than any table has.
    by_time = 1 << 40 if limit.time is None else int(limit.time * ENTRIES_A_SECOND * threads)
    return FEWEST_ENTRIES + min(by_time, (1 << 40) if limit.nodes is None else ENTRIES_A_NODE * limit.nodes)


# No aspiration window: one of 16 or 64 around the last depth's value changes less than 1 % of the nodes in six games;
# of 4 it saves 11 % at best (Connect Four 9 x 8) and costs 40 % at worst (Ultimate). After the first move the search
# has null windows, with nothing to narrow.
WHOLE_WINDOW = -INFINITY, INFINITY
"""The window before anything is known."""


class SearchSettings(NamedTuple):
    """Settings of a search."""

    threads: int
    table: int
    """Mebibytes for the transposition table."""
    selective: bool
    """Whether moves may be left out by judgement, until an end is found."""


def is_search_alone(limit: Limit) -> bool:
    """Whether a limit asks for a search of a depth or a number of nodes: then no book and no table is asked."""
    return bool(limit.depth or limit.nodes)


class Thinker:
    """Iterative deepening of a position: all depths share the contexts, the table and the clock."""

    def __init__(
        self,
        position: Position,
        limit: Limit,
        settings: SearchSettings,
        stop: threading.Event | None = None,
    ) -> None:
        self.position = position
        self.read = chance_adder(position.game, position.state)
        """Gives an estimate its chance."""
        self.search = kernel(pvs, position.game)
        self.why_plain = self.search.why_plain
        self.is_done = False
        """Whether there is nothing left to find, as deep and with as many nodes as is allowed."""
        self._limit = limit
        self._settings = settings
        self.clock = Clock(limit, settings.threads, stop, is_plain=bool(self.why_plain))
        self._entries = min(entries_in(position.state, settings.table), _most_entries(limit, settings.threads))
        self._last_nodes = 0
        """Nodes of the last depth."""
        book = None if is_search_alone(limit) else book_of(position)
        self._tables = book if isinstance(book, Tables) else None
        """Tablebases of the game, which lack the position or a move of it."""
        probing = PROBING_SHARE * (limit.time or UNLIMITED_SECONDS)
        self._probed = [*probe_two_plies(position, self._tables, probing)] if self._tables else []
        """States a few plies on that the tables have, and their entries."""
        # With a time the whole table is laid out at once, on large pages; without one it is moved there after
        # `MOVED_TABLE_NODES` nodes.
        self._make_contexts(is_small=limit.time is None)

    def _make_contexts(self, *, is_small: bool) -> None:
        """Make the contexts, with a transposition table that is clear."""
        game, state, ends = self.position.game, self.position.state, self.position.last_times()
        self._is_small = is_small
        shared, threads = new_table(state, self._entries, is_small=is_small), self._settings.threads
        self.contexts = [new_search_context(game, state, shared, ends, threads > 1) for _ in range(threads)]
        for state, data in self._probed:
            store(shared, state, hash_of(state), data)

    def reports(self, deepest: int, request: MoveRequest) -> Iterator[Report]:
        """Reports of one ply, of two, and so on, until it is stopped or done."""
        report = None
        try:
            for depth in range(1, deepest + 1):
                for report in self.search_depth(depth, request):
                    yield report
                if report and report.certain:
                    break
                if self._is_small and self.clock.nodes > MOVED_TABLE_NODES:
                    self._is_small = False
                    table = copy_to_large_pages(self.contexts[0].table, self.clock.poll)
                    self.contexts = [context._replace(table=table) for context in self.contexts]
            self.is_done = True
        except Stopped:
            # Done, and not only stopped: the same limit would end at the same node again.
            self.is_done = self._limit.nodes is not None and self.clock.nodes >= self._limit.nodes
        # The deepest report that there is stands; a first depth that does not fit is the game's fault.
        except TooManyMoves:
            if report is None:
                raise
            self.is_done = True
        except RecursionError:
            if not self.why_plain:
                raise

    def search_depth(self, depth: int, request: MoveRequest) -> Iterator[Report]:
        """The report of a depth.

        Raises:
            Stopped: the limit was reached first.
        """
        yield self.report_depth(depth, request)

    @property
    def evaluations(self) -> int:
        """Static evaluations that stood for a search so far, by all threads."""
        return sum(observer.evaluations for observer in self.clock.observers)

    def report_depth(self, depth: int, request: MoveRequest) -> Report:
        """Search `depth` plies deep.

        Raises:
            Stopped: the limit was reached first.
        """
        # Several threads are started for each search by `run` itself, which needs this one free to wait.
        if len(self.contexts) > 1:  # they part at each search of the root
            return self._report_depth(depth, request)
        before, found = self.clock.nodes, None
        if self._is_quick():
            # In the caller's thread with a bound of 8,000 nodes, about a millisecond, after which Ctrl-C is heard.
            found = self.clock.run_here(lambda: self._report_depth(depth, request), MOST_NODE_GROWTH * QUICK_NODES)
        found = found or self.clock.run(lambda: self._report_depth(depth, request))
        self._last_nodes = self.clock.nodes - before
        return found

    def _is_quick(self) -> bool:
        """Whether the next depth is likely to take a moment."""
        return self._last_nodes <= QUICK_NODES and not self.why_plain

    def _report_depth(self, depth: int, request: MoveRequest) -> Report:
        return self._report(depth, *self._search_lines(depth, request)[1:])

    def _search_lines(self, depth: int, request: MoveRequest) -> tuple[int, Score, Moves, tuple[tuple[int, ...], ...]]:
        """Value for the first player, score, moves and lines of best play."""
        value, score, moves, found = search_to_depth(self, depth, request, not self._probed)
        lines = [tuple(self._extend_line(line, depth) if self._probed else line) for line in found]
        return value, score, tuple(moves), tuple(lines)

    def _report(self, depth: int, score: Score, moves: Moves, lines: tuple[tuple[int, ...], ...]) -> Report:
        observer = self.clock.observer
        counts = self.clock.nodes, observer.leaves, observer.cutoffs, self.clock.seconds
        return Report(self.position, depth, *counts, score, lines[0], moves, lines, why_plain=self.why_plain)

    def score_value(self, depth: int, value: int, known: bool) -> Score:
        """Score of a value that a search to a depth has found."""
        return self.read(searched_score(self.position.game, self.position.state, depth, value, known))

    @cached_property
    def children(self) -> list[tuple[int, Position]]:
        """Every move and the position after it."""
        return [*self.position.children()]

    def run(self, state: Any, depth: int, ply: int, window: tuple[int, int] = WHOLE_WINDOW) -> tuple[int, int, bool]:
        """Search by all threads, as `_search_state` does by one; the first answer counts."""
        if len(self.contexts) == 1:
            return self._search_state(0, state, depth, self.clock.observer, ply, window)
        works = [
            partial(self._search_state, thread, state, depth, observer, ply, window)
            for thread, observer in enumerate(self.clock.observers)
        ]
        return self.clock.run(*works)

    def _search_state(
        self, thread: int, state: Any, depth: int, observer: Counting, ply: int, window: tuple[int, int]
    ) -> tuple[int, int, bool]:
        """Value for the first player, best move at ply 0, and whether no static evaluation entered the value."""
        # Each thread has its own scratch, so counts of evaluations are of its own search.
        scratch = self.contexts[thread].scratch
        guesses = scratch[GUESSES]
        value: int = self.search(observer, self.contexts[thread], state, depth, *window, 1, ply, STACK)
        side = 1 if self.position.game.to_move(state) == MAX else -1
        return side * value, scratch[ROOT_MOVE], scratch[GUESSES] == guesses

    def find_move(self, position: Position, depth: int) -> int | None:
        """Best move of a position; None where there is no time for it, or the tables know it and all that follows."""
        if self._probed and position is not self.position and self._tables and self._tables.score(position.state):
            return None
        try:
            return self.run(position.state, depth, 0)[1]
        except Stopped:
            return None

    def _extend_line(self, line: Sequence[int], plies: int) -> Sequence[int]:
        """A line, continued by the tablebases' best play if they have its last position."""
        position = self.position
        for move in line:
            position = position.after(move)
        is_cut_short = len(line) < plies and position.outcome is None
        if is_cut_short and self._tables and self._tables.score(position.state):
            return [*line, *self._tables.line(position.state)]
        return line
