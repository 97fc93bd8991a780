"""Thinking: a position and a limit in, better and better answers out."""

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.engine.chances import reader
from plyground.engine.deepening import look
from plyground.engine.report import Report
from plyground.errors import BadInput, checked
from plyground.exact.book import book_of
from plyground.exact.probing import probe_ahead
from plyground.exact.source import MoveRequest, Source
from plyground.exact.sweep import small_sweep
from plyground.exact.tables.reading import Tables
from plyground.games import AnyGame
from plyground.position import Position
from plyground.rules import LONGEST, MAX
from plyground.score import ESTIMATES, INFINITY, Score
from plyground.search.algorithm import seen
from plyground.search.context import CHOICE, GUESSES, SELECTIVE, STACK, context_for
from plyground.search.limits import TooManyMoves
from plyground.search.observer import Counting, Stopped
from plyground.search.pvs import later, pvs
from plyground.search.table import PLAYING, entries_in, hash_of, keep, new_table, on_large_pages

Moves = tuple[tuple[int, Score], ...]
"""Moves with their scores."""
GLANCE = 0.2
"""Seconds in which moves are compared by the game's own order where there was no time for a ply."""


@checked
def think(
    position: Position,
    limit: Limit | None = None,
    *,
    every_move: bool = False,
    also: Collection[int] = (),
    lines: int = 1,
    threads: int = 1,
    table: int = PLAYING,
    selective: bool = False,
    stop: threading.Event | None = None,
) -> Iterator[Report]:
    """Look one ply ahead, then two, and so on; yield a report for each depth, the last one the best.

    Stops at the limit, when every line has been seen to its end, when nothing better can be found, or when a line has
    more moves than there is room to note (`MOST_MOVES`: `check` says so of the game). However tight
    the limit, there is at least one report, with a legal move unless the game is over. Leaving the loop stops the
    thinking, and so does `stop`, within 10 ms and from any thread.

    The search is compiled first, if it is not yet: some tenths of a second, which are in no limit.

    Where an opening book knows every move, it answers at once, unless plies or nodes are counted.

    >>> for report in think(Position.parse("tictactoe", "a1 b1 a2 b2")):
    ...     last = report
    >>> last.position.text_of(last.move), last.score.text()
    ('a3', 'x wins in 1 ply')

    Args:
        position: what to think about.
        limit: when to stop; by default only when all is known, which may be never.
        every_move: find the exact score of every move, not only of the best: slower.
        also: moves that get an exact score and a principal variation beside the best one, looked at as deeply.
        lines: with `every_move`, the number of moves that get a principal variation, the best first.
        threads: how many search at the same time. With one, the same nodes are visited every time.
        table: mebibytes for the transposition table.
        selective: leave out, or search less deep, what the static evaluation, a pass or the order of moves seems to
            refute, in games that say so, such as chess and Reversi. So a search looks farther in the same time, and its
            estimates may miss more. What is certain is searched again without, and is exact; of an end for which there
            is no time for that, the distance is not told. Without effect where more moves than the best are asked for.
        stop: an event; when it is set, the last report stands.

    Raises:
        BadInput: there are no threads or no room for a table; a `WrongType` of it: an argument of another kind.
        GameFault: a rule fails, or a line does not end.
    """
    limit = limit or Limit()
    if threads < 1 or table < 1:
        raise BadInput(f"threads={threads}, table={table}: there is at least one thread, and one mebibyte of table.")
    request = MoveRequest(every_move, frozenset(also), lines if every_move else 1)
    settings = SearchSettings(threads, table, selective and not every_move and not also)
    return _reports(position, limit, request, settings, stop)


def _reports(
    position: Position,
    limit: Limit,
    request: MoveRequest,
    settings: "SearchSettings",
    stop: threading.Event | None,
) -> Iterator[Report]:
    if position.outcome is not None:
        yield Report(position, 0, 1, 1, 0, 0.0, Score.over(position.outcome), (), ())
        return
    started = time.perf_counter()
    report = _report_known(position, limit, request, stop)
    if report is not None:
        yield report
        return
    search, before = kernel(pvs, position.game), time.perf_counter()
    search.prepare(*_sample(position.game))
    compile_seconds = time.perf_counter() - before
    if limit.time is not None:
        limit = replace(limit, time=max(limit.time - (before - started), LEAST))
    thinker = _Thinker(position, limit, settings, stop)
    for found in thinker.reports(limit.depth or LONGEST, request):
        report = replace(found, compile_seconds=compile_seconds)
        yield report
    if report is None:  # not even one ply could be searched: an honest opinion, and a move that is likely good
        opinion = thinker.read(Score(points=position.game.evaluate(position.state)))
        first = position.legal_moves[0] if limit.time is None else _likely(position)
        spent, moves = time.perf_counter() - before, ((first, opinion),)
        told = {"why_plain": search.why_plain, "compile_seconds": compile_seconds}
        nodes = thinker.clock.nodes
        yield Report(position, 0, nodes, 0, 0, spent, opinion, (first,), moves, **told)  # type: ignore[arg-type]


def _likely(position: Position) -> int:
    """The move that the game's own order tries first, of those that can be looked at in a moment.

    They are looked at from the middle on: on a large board the first legal moves are at its edge.
    """
    end, moves = time.perf_counter() + GLANCE, position.legal_moves
    middle = len(moves) // 2
    found, most = moves[0], position.game.order(position.state, moves[0])
    for move in [*moves[middle:], *moves[1:middle]]:
        if (order := position.game.order(position.state, move)) > most:
            found, most = move, order
        if time.perf_counter() > end:
            break
    return found


LATE = "Its search was late, so it looked one ply ahead as plain Python."


def glance(position: Position, seconds: float = GLANCE) -> Report:
    """One ply of plain Python: a value of each move that there is time for, at least of one.

    It needs no compiled code, no table and no other process, so it is there where a search is late.
    """
    started, read, game = time.perf_counter(), reader(position.game, position.state), position.game
    middle, legal = len(position.legal_moves) // 2, position.legal_moves
    moves: list[tuple[int, Score]] = []
    for move in (*legal[middle:], *legal[:middle]):  # as in `_likely`
        child = position.after(move)
        if (over := child.outcome) is None:
            moves.append((move, read(Score(points=game.evaluate(child.state)))))
        else:
            moves.append((move, Score(over, plies=1 if over else None)))
        if time.perf_counter() - started > seconds:
            break
    best, score = max(moves, key=lambda each: each[1].order(position.to_move))
    spent, count = time.perf_counter() - started, len(moves)
    return Report(position, 1, count + 1, count, 0, spent, score, (best,), tuple(moves), why_plain=LATE)


class SearchSettings(NamedTuple):
    """Settings of a search."""

    threads: int
    table: int
    """Mebibytes for the transposition table."""
    selective: bool
    """Whether moves may be left out by judgement, until an end is found."""


IN_LISTING = 0.25
"""The part of the time in which all states may be listed."""
AT_LEAST = 0.5
"""Seconds of which that part is taken where there are fewer."""
WITHOUT_LIMIT = 4.0
"""Seconds of which that part is taken where there is no limit."""


def _sources(position: Position, limit: Limit, stop: threading.Event | None) -> Iterator[Source]:
    """What may know the answer without a search, the quickest first: a book or tablebases; in a game that may cycle
    and has few states, a listing of them all, for no search sees to the end of such a game."""
    if is_search_alone(limit):
        return
    if book := book_of(position):
        yield book
    if position.game.repetition:
        seconds = IN_LISTING * max(AT_LEAST, limit.time or WITHOUT_LIMIT)
        if sweep := small_sweep(position, seconds, stop):
            yield sweep


def _report_known(
    position: Position, limit: Limit, request: MoveRequest, stop: threading.Event | None
) -> Report | None:
    """The report of the first source that knows the answer."""
    started = time.perf_counter()
    for source in _sources(position, limit, stop):
        if answer := source.answer(position, request):
            depth, score, moves, lines = answer
            spent, best = time.perf_counter() - started, tuple(map(tuple, lines))
            return Report(position, depth, source.nodes, 0, 0, spent, score, best[0], tuple(moves), best, source.title)
    return None


def is_search_alone(limit: Limit) -> bool:
    """Whether a limit asks for a search of a depth or a number of nodes: then no book and no table is asked."""
    return bool(limit.depth or limit.nodes)


@lru_cache(maxsize=256, typed=True)
def _sample(game: AnyGame) -> tuple[Any, ...]:
    """Arguments of the kinds that the search is called with."""
    state = game.initial()
    context = context_for(game, state, new_table(state, 1))
    return Counting.fresh(), context, state, 1, -INFINITY, INFINITY, 1, 0, STACK


FEW_HERE, GROWTH = 250, 32
"""Nodes of a depth after which the next one is searched by the caller's thread, and how many times as many it may have:
a millisecond of search. Handing work to another thread takes as long as a small one."""
FEW = 1 << 15
"""Nodes, a few milliseconds of search, after which a table on small pages is worth moving."""
LEAST = 1e-3
"""Seconds of a search whose time has gone by before it began."""


ENTRIES_A_SECOND = 1 << 22
"""More than a search can fill: room is made in the thinking time, so a short limit shall not pay for much."""
FEWEST_ENTRIES = 1 << 16
"""Entries of a table for which there is always time."""
ENTRIES_A_NODE = 16
"""More than a search fills at a node."""


def _fillable(limit: Limit, threads: int) -> int:
    """How many entries are filled within a limit at most."""
    by_time = 1 << 40 if limit.time is None else int(limit.time * ENTRIES_A_SECOND * threads)
    return FEWEST_ENTRIES + min(by_time, (1 << 40) if limit.nodes is None else ENTRIES_A_NODE * limit.nodes)


WHOLE = -INFINITY, INFINITY
"""The window before anything is known."""


class _End(NamedTuple):
    """An end that a selective search has found."""

    value: int
    """Value for the player to move: what the winner can force. A better one may be hidden."""
    line: tuple[int, ...]
    """Play that leads there, as far as it is known, the best move first."""


class _Thinker:
    """A position that is looked at ever more deeply, with all that was learned of it on the way.

    A selective search leaves out moves by judgement (`pvs.py`). What it says of an end is true but may not be all: who
    wins can force the end that was found, and might force a better one that was left out. So nothing is said of its
    distance, and the same depth is searched again by a new context that is not selective, with a new table, for what
    the old one holds rests on judgements. It is only asked for what would be better for the winner, by a window behind
    the end, where every estimate is a cutoff. What that finds, or that it finds nothing, is what a search of this depth
    without judgements says of ends, so it is called certain by the same rule (`scored`). Best play of what is certain
    is found by the new context, too.
    """

    def __init__(
        self,
        position: Position,
        limit: Limit,
        settings: SearchSettings,
        stop: threading.Event | None = None,
    ) -> None:
        self.position = position
        self.read = reader(position.game, position.state)
        """Gives an estimate its chance."""
        self.search = kernel(pvs, position.game)
        self.why_plain = self.search.why_plain
        self.is_done = False
        """Whether there is nothing left to find, as deep and with as many nodes as is allowed."""
        self._limit = limit
        self._settings = settings
        self.clock = Clock(limit, settings.threads, stop, is_plain=bool(self.why_plain))
        self._entries = min(entries_in(position.state, settings.table), _fillable(limit, settings.threads))
        self._last = 0
        """Nodes of the last depth."""
        self._end: _End | None = None
        """The best end that is known, once a selective search has found one."""
        book = None if is_search_alone(limit) else book_of(position)
        self._tables = book if isinstance(book, Tables) else None
        """Tablebases of the game, which lack the position or a move of it."""
        self._ahead = [*probe_ahead(position, self._tables, (limit.time or WITHOUT_LIMIT) / 20)] if self._tables else []
        """States a few plies on that the tables have, and their entries."""
        self._begin(
            is_small=limit.time is None, is_selective=settings.selective and bool(position.game.has_selective_search)
        )

    def _begin(self, *, is_small: bool, is_selective: bool) -> None:
        """Make the contexts, with a table of which nothing is filled."""
        game, state, ends = self.position.game, self.position.state, self.position.last_times()
        self._is_small, self._is_selective = is_small, is_selective
        shared, threads = new_table(state, self._entries, is_small=is_small), self._settings.threads
        self.contexts = [context_for(game, state, shared, ends, threads > 1) for _ in range(threads)]
        for state, data in self._ahead:
            keep(shared, state, hash_of(state), data)
        for context in self.contexts:
            context.scratch[SELECTIVE] = int(is_selective)

    def reports(self, deepest: int, request: MoveRequest) -> Iterator[Report]:
        """Of one ply, of two, and so on, until it is stopped or done."""
        report = None
        try:
            for depth in range(1, deepest + 1):
                before = self.evaluations
                report = self.look(depth, request)
                sees_all = self.evaluations == before  # so that only judgements may keep it from being certain
                if self._is_selective and (self._end or sees_all or report.certain):
                    self._begin(is_small=True, is_selective=False)
                    try:
                        report = self.look(depth, request)
                    except (Stopped, TooManyMoves, RecursionError):
                        yield report
                        raise
                yield report
                if report.certain:
                    break
                if self._is_small and self.clock.nodes > FEW:
                    self._is_small = False
                    table = on_large_pages(self.contexts[0].table, self.clock.poll)
                    self.contexts = [context._replace(table=table) for context in self.contexts]
            self.is_done = True
        except Stopped:
            self.is_done = self._limit.nodes is not None and self.clock.nodes >= self._limit.nodes
        except TooManyMoves:
            if report is None:
                raise
            self.is_done = True
        except RecursionError:
            if not self.why_plain:
                raise

    @property
    def evaluations(self) -> int:
        """Static evaluations that stood for a search so far, by all threads."""
        return sum(observer.evaluations for observer in self.clock.observers)

    def look(self, depth: int, request: MoveRequest) -> Report:
        """Search `depth` plies deep.

        Raises:
            Stopped: the limit was reached first.
        """
        if len(self.contexts) > 1:  # they part at each search of the root
            return self._look(depth, request)
        before, found = self.clock.nodes, None
        if self._last <= FEW_HERE and not self.why_plain and not self._end:
            found = self.clock.run_here(lambda: self._look(depth, request), GROWTH * FEW_HERE)
        found = found or self.clock.run(lambda: self._look(depth, request))
        self._last = self.clock.nodes - before
        return found

    def _look(self, depth: int, request: MoveRequest) -> Report:
        if self._end:
            return self._look_again(depth, self._end)
        value, score, moves, found = look(self, depth, request, not self._ahead)
        lines = [tuple(self._to_end(line, depth) if self._ahead else line) for line in found]
        if self._is_selective and abs(value) >= ESTIMATES:
            self._end = _End(value * self._side(self.position), lines[0])
        return self._report(depth, score, tuple(moves), tuple(lines))

    def _look_again(self, depth: int, end: _End) -> Report:
        """Search `depth` plies deep for an end that is better for the winner than the one that is known."""
        position, side = self.position, self._side(self.position)
        window = (end.value, INFINITY) if end.value > 0 else (-INFINITY, end.value + 1)
        value, choice, known = self.run(position.state, depth, 0, window)
        is_seen = end.value > 0 or side * value <= end.value  # else the loss is deeper than this search has looked
        if window[0] < side * value < window[1]:
            end = _End(side * value, end.line if end.line[0] == choice else (choice,))
        score = self.scored(depth if is_seen else 0, side * end.value, known and is_seen)
        move = end.line[0]
        if score.certain:
            child, ahead = position.after(move), Score.of(end.value).plies or 1
            end = _End(end.value, (move, *self._variation(child, ahead - 1, self._next(position, child, end.value))))
        self._end = end
        return self._report(depth, score, ((move, score),), (end.line,))

    def _report(self, depth: int, score: Score, moves: Moves, lines: tuple[tuple[int, ...], ...]) -> Report:
        observer = self.clock.observer
        counts = self.clock.nodes, observer.leaves, observer.cutoffs, self.clock.seconds
        return Report(self.position, depth, *counts, score, lines[0], moves, lines, why_plain=self.why_plain)

    @staticmethod
    def _side(position: Position) -> int:
        """Sign that turns values for x into those for the player to move, and back."""
        return 1 if position.to_move == MAX else -1

    @staticmethod
    def _next(position: Position, child: Position, value: int) -> int:
        """Value of an end after a move that leads there, for the player who moves then."""
        nearer = later(value, -1)
        return nearer if child.to_move == position.to_move else -nearer

    def scored(self, depth: int, value: int, known: bool) -> Score:
        """Score of a value that a search to a depth has found; a selective one does not say how far an end is."""
        plies = 0 if self._is_selective and abs(value) >= ESTIMATES else depth
        return self.read(seen(self.position.game, self.position.state, plies, value, known))

    @cached_property
    def children(self) -> list[tuple[int, Position]]:
        """Every move and the position after it."""
        return [*self.position.children()]

    def run(self, state: Any, depth: int, ply: int, window: tuple[int, int] = WHOLE) -> tuple[int, int, bool]:
        """As `_ask`, by all threads: the first answer counts."""
        if len(self.contexts) == 1:
            return self._ask(0, state, depth, self.clock.observer, ply, window)
        works = [
            partial(self._ask, thread, state, depth, observer, ply, window)
            for thread, observer in enumerate(self.clock.observers)
        ]
        return self.clock.run(*works)

    def _ask(
        self, thread: int, state: Any, depth: int, observer: Counting, ply: int, window: tuple[int, int]
    ) -> tuple[int, int, bool]:
        """The value from the first player's side, at ply 0 the best move, and whether no opinion entered the value."""
        scratch = self.contexts[thread].scratch
        guesses = scratch[GUESSES]
        value: int = self.search(observer, self.contexts[thread], state, depth, *window, 1, ply, STACK)
        side = 1 if self.position.game.to_move(state) == MAX else -1
        return side * value, scratch[CHOICE], scratch[GUESSES] == guesses

    def tried(self, position: Position, depth: int) -> int | None:
        """Best move of a position; None where there is no time for it, or the tables know it and all that follows."""
        if self._ahead and position is not self.position and self._tables and self._tables.score(position.state):
            return None
        try:
            return self.run(position.state, depth, 0)[1]
        except Stopped:
            return None

    def _to_end(self, line: Sequence[int], plies: int) -> Sequence[int]:
        """A line that ends where the tables know the position, with what they know."""
        position = self.position
        for move in line:
            position = position.after(move)
        is_cut_short = len(line) < plies and position.outcome is None
        if is_cut_short and self._tables and self._tables.score(position.state):
            return [*line, *self._tables.line(position.state)]
        return line

    def _variation(self, position: Position, depth: int, end: int) -> tuple[int, ...]:
        """Best play to an end that is exact, by searching for nothing else; cut short by the limit.

        Args:
            position: where it begins.
            depth: plies at most.
            end: the value for the player to move.
        """
        moves: list[int] = []
        with suppress(Stopped):
            while depth > 0 and position.outcome is None:
                if self._ahead and self._tables and self._tables.score(position.state):
                    return (*moves, *self._tables.line(position.state))
                _, move, _ = self.run(position.state, depth, 0, (end - 1, end + 1))
                moves.append(move)
                child = position.after(move)
                end = self._next(position, child, end)
                position, depth = child, depth - 1
        return tuple(moves)
