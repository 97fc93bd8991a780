"""Solver: the exact value of a position and of each move, and best play; can be saved and continued."""

import hashlib
import json
import threading
import time
from collections.abc import Callable
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

from plyground.compiled.clock import Clock, Limit
from plyground.compiled.fingerprint import fingerprint
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput, check_arguments
from plyground.exact.book import book_of
from plyground.exact.null_windows import find_best_move
from plyground.exact.solution import Solution
from plyground.exact.source import MoveRequest
from plyground.exact.sweep import Sweep, TooManyStates, cache_sweep, cached_sweep, is_reducible
from plyground.files import open_file, parse_json_object
from plyground.files.whole_file import whole_file
from plyground.position import Position
from plyground.rules import MAX, NO_MOVE
from plyground.score import Score, final
from plyground.search.context import STACK, TRAIL, TRAIL_PLIES, new_context
from plyground.search.exact import decide, value_bounds
from plyground.search.observer import Counting, Stopped
from plyground.search.pvs import FOREVER, pvs
from plyground.search.table import SOLVING, entries_in, new_table

Answer = TypeVar("Answer")
# A table of 256 MiB takes milliseconds to lay out, for large pages are zeroed whole (`search/memory.py`).
SMALL_NODES = 6_000
"""Nodes searched first, by one thread with a small table: few enough to be searched again with the whole one, which
takes longer to lay out than a small question takes."""


def checksum(*blocks: Any) -> int:
    """CRC-32 of arrays, one after the other."""
    return reduce(lambda before, block: crc32(block, before), blocks, 0)


class _SolverWindows(NamedTuple):
    """Null windows of a solver's search."""

    search_null_window: Callable[[Any, int], int]


class Solver:
    """Solves one position. Its progress can be saved to a file, from which another process continues.

    A game where states can come again is solved by retrograde analysis (`sweep.py`), which tells the plies as well.

    >>> Solver(Position.parse("tictactoe", "b2 a1")).solve().score.text()
    'draw'
    """

    clock: Clock
    """Counts the nodes and stops the search."""

    @check_arguments
    def __init__(
        self,
        position: Position,
        *,
        prefer_shorter: bool = False,
        every_move: bool = True,
        threads: int = 1,
        table: int = SOLVING,
        book: bool = True,
        stop: threading.Event | None = None,
    ) -> None:
        """Prepare; nothing is searched yet.

        Args:
            position: what to solve.
            prefer_shorter: also in how many plies a win comes: slower, where margins count much slower.
            every_move: solve each move, not only find a best one.
            threads: how many search at the same time.
            table: mebibytes for the transposition table, or for all states where states can come again.
            book: ask an opening book first, if there is one.
            stop: an event that ends `solve` with `Stopped`, from any thread and within 10 ms.

        Raises:
            BadInput: no threads, or no room for a table.
        """
        if threads < 1 or table < 1:
            raise BadInput(f"threads={threads}, table={table}: at least one thread, and one mebibyte of table.")
        self.position: Position = position
        self.prefer_shorter: int = int(prefer_shorter)
        self.every_move: bool = every_move
        self.spent: float = 0.0
        self.nodes_before: int = 0
        self.compile_seconds: float = 0.0
        self._stop = stop
        self.known: dict[str, int] = {}
        """Values found so far: of the position at `""`, and of each move by its text; from the mover's side."""
        # The position is looked up before a search is made ready: one that a book knows needs no table and no compiler.
        self._book = book_of(position) if book else None
        self._sweep: Sweep | None = None
        if position.game.repetition:
            self.clock = Clock(Limit(), stop=stop)
            self._sweep = self._new_sweep(reduced=False, mebibytes=table)
            return
        self._threads, self._entries = threads, entries_in(position.state, table)
        self._start_search(is_small=True)

    def _start_search(self, *, is_small: bool) -> None:
        """Solve from the start: with a small table for the first nodes, with the whole one if they do not suffice."""
        here, search = self.position, kernel(pvs, self.position.game)
        # A few thousand nodes are too few to be shared out among threads.
        threads = 1 if is_small else self._threads
        # Four entries a node, so that hardly any is lost; a search of 6,000 nodes cannot fill more.
        table = new_table(here.state, min(self._entries, 4 * SMALL_NODES) if is_small else self._entries)
        contexts = [new_context(table, threads > 1) for _ in range(threads)]
        before = time.perf_counter()
        search.prepare(Counting.fresh(), contexts[0], here.state, FOREVER, 0, 1, self.prefer_shorter, 0, STACK)
        self.compile_seconds += time.perf_counter() - before
        self._is_small = is_small
        # Values of the small try are dropped with its table, so that a saved file holds what one table has found.
        self.known = {}
        self._table, self._contexts = table, contexts
        self._pvs = search
        limit = Limit(nodes=SMALL_NODES) if is_small else Limit()
        self.clock = Clock(limit, threads, self._stop, is_plain=bool(search.why_plain))

    def _find_answer(self, find: Callable[[], Answer]) -> Answer:
        """Result of `find`, with the small table first; with the whole one if that takes more than `SMALL_NODES`."""
        if self._is_small:
            try:
                return find()
            except (Stopped, RecursionError):
                # Stopped from outside, not by the small try's own limit of nodes.
                if self.clock.is_stopped:
                    raise
            self._start_search(is_small=False)
        return find()

    def solve(self, on_wait: Callable[[float], None] | None = None) -> Solution:
        """Solve the position.

        Args:
            on_wait: called about ten times a second with the part of the current question that is done, 0 to 1.

        Raises:
            Stopped: the event was set first.
        """
        here = self.position
        if here.outcome is not None:
            return Solution(here, Score.over(here.outcome), (), (), 1, 0.0)
        if known := self._look_up():
            return known
        # A sweep where states can come again: `pvs` to the end has no depth there at which all lines are over.
        return (
            self._solve_by_sweep(self._sweep, on_wait)
            if self._sweep
            else self._find_answer(lambda: self._solve_by_search(on_wait))
        )

    def _look_up(self) -> Solution | None:
        """Solution from a book or tablebases that have every move; None without them."""
        here, book = self.position, self._book
        if book is None or (answer := book.answer(here, MoveRequest(self.every_move))) is None:
            return None
        _, score, moves, lines = answer
        return Solution(here, score, tuple(moves), tuple(lines[0]), 0, self.seconds, source=book.title)

    # -- where states can come again --------------------------------------------------------------------------------

    def _new_sweep(self, reduced: bool, mebibytes: int) -> Sweep:
        return cached_sweep(self.position, reduced) or Sweep(self.position, reduced=reduced, mebibytes=mebibytes)

    def _solve_by_sweep(self, sweep: Sweep, on_wait: Callable[[float], None] | None) -> Solution:
        here = self.position
        try:
            sweep.list(self.clock, on_wait=(lambda: on_wait(sweep.progress)) if on_wait else None)
        except TooManyStates:
            if sweep.reduced or not is_reducible(here.game):
                raise
            # The seconds of the listing that did not fit count, too.
            self.spent = self.seconds
            self.clock = Clock(Limit(), stop=self._stop)
            self._sweep = self._new_sweep(True, sweep.mebibytes)
            return self._solve_by_sweep(self._sweep, on_wait)
        cache_sweep(sweep)
        sweep.value(stop=self._stop)
        census = sweep.census()
        # The counts are of states as firsts of a game; the answer is for this game, with the repetitions that it has
        # had. A reduced listing does not know the counters, so it has no history to take into account.
        if not sweep.reduced:
            sweep.value(here.last_times(), self._stop)
        moves = sweep.moves(here)
        if (best := sweep.best(moves, here.to_move)) is None:
            raise BadInput(
                f"Neither side can force an end here, and what a repetition is worth in {type(here.game).__name__} "
                "depends on how it comes about, which a list of states does not show: analyse searches each line."
            )
        every = tuple((move, score) for move, score in moves if score) if self.every_move else (best,)
        return Solution(here, best[1], every, tuple(sweep.line(here)), self.nodes, self.seconds, census, sweep.reduced)

    # -- where none can ---------------------------------------------------------------------------------------------

    def _solve_by_search(self, on_wait: Callable[[float], None] | None) -> Solution:
        here = self.position
        value = self._solve_state("", here.state, *value_bounds(here.game, here.state, self.prefer_shorter), on_wait)
        if self.every_move:
            moves = [(move, self._move_value(move, on_wait)) for move in here.legal_moves]
            # There is one by law: the position's value is that of its best move. The first in generation order, as
            # everywhere.
            best = next(move for move, worth in moves if worth == value)
        else:
            best = self._find_best_move(here, value)
            moves = [(best, value)]
        scores = tuple((move, self._score_value(worth)) for move, worth in moves)
        # The value goes along the line unchanged but for its distance, so that each further move needs one null window
        # for each candidate and no search for its value.
        line = (best, *self._find_best_line(here.play(best), value))
        return Solution(here, self._score_value(value), scores, line, self.nodes, self.seconds)

    def value(self, on_wait: Callable[[float], None] | None = None) -> int:
        """The utility for the first player with perfect play."""
        here = self.position
        if here.outcome is not None:
            return here.outcome
        if self._book and (score := self._book.score(here.state)):
            return score.utility or 0
        if self._sweep:
            return self.solve(on_wait).score.utility or 0
        bounds = value_bounds(here.game, here.state, self.prefer_shorter)
        return (
            self._score_value(self._find_answer(lambda: self._solve_state("", here.state, *bounds, on_wait))).utility
            or 0
        )

    @property
    def is_small(self) -> bool:
        """Whether so little was searched that it is not worth saving."""
        return self._sweep.is_small if self._sweep else self._is_small

    @property
    def nodes(self) -> int:
        """Nodes entered so far, in this and earlier processes; of a sweep, listed states."""
        return self._sweep.nodes if self._sweep else self.nodes_before + self.clock.nodes

    @property
    def seconds(self) -> float:
        """Seconds spent so far, in this and earlier processes."""
        return self.spent + self.clock.seconds

    def _score_value(self, value: int) -> Score:
        """Score of a value from the side of the player to move."""
        return (
            Score.of(value if self.position.to_move == MAX else -value, prefer_shorter=bool(self.prefer_shorter))
            if value
            else Score(0)
        )

    def _move_value(self, move: int, on_wait: Callable[[float], None] | None) -> int:
        """Value of a move, from the side of the player who makes it; a win in n plies is one in n + 1 before."""
        game, child = self.position.game, self.position.play(move)
        passes = -1 if child.to_move != self.position.to_move else 1
        if child.outcome is not None:
            side = 1 if self.position.to_move == MAX else -1
            return side * final(child.outcome, self.prefer_shorter)
        name = game.move_text(self.position.state, move)
        # Searched with its own bounds and not those of the position: `known` keeps it under the move's name for a
        # continued solve.
        value = passes * self._solve_state(
            name, child.state, *value_bounds(game, child.state, self.prefer_shorter), on_wait
        )
        return value - self.prefer_shorter * ((value > 0) - (value < 0))

    def _solve_state(self, name: str, state: Any, low: int, high: int, on_wait: Callable[[float], None] | None) -> int:
        if name not in self.known:
            # The same question for each thread: they share the table and put off what another one is at (ABDADA,
            # `pvs.py`).
            works = [
                partial(decide, self._pvs, observer, context, state, self.prefer_shorter, low, high)
                for context, observer in zip(self._contexts, self.clock.observers, strict=True)
            ]
            wait = (lambda: on_wait(self.progress)) if on_wait else None
            self.known[name] = int(self.clock.run(*works, on_wait=wait))
        return self.known[name]

    @property
    def progress(self) -> float:
        """Part of the current question that is searched, 0 to 1, estimated from the indexes of the first moves."""
        if self._sweep:
            return self._sweep.progress
        # Read while the search writes: an index and its count lie in one int, so they belong together; the result is an
        # estimate for a progress bar.
        scratch, part, width = self._contexts[0].scratch, 0.0, 1.0
        for ply in range(TRAIL_PLIES):
            index, count = scratch[TRAIL + ply] >> 32, max(scratch[TRAIL + ply] & 0xFFFFFFFF, 1)
            part += width * index / count
            width /= count
        return part

    def _search_null_window(self, state: Any, ask: int) -> int:
        """Value or bound by a search with the window from `ask` to `ask + 1`, for the player to move."""
        window = ask, ask + 1
        args = (self.clock.observer, self._contexts[0], state, FOREVER, *window, self.prefer_shorter, 0, STACK)
        answer: int = self.clock.run(lambda: self._pvs(*args))
        return answer

    def _find_best_move(self, position: Position, value: int) -> int:
        return find_best_move(_SolverWindows(self._search_null_window), position, value, self.prefer_shorter)

    def _find_best_line(self, position: Position, value: int) -> tuple[int, ...]:
        """Best play from here on, each move shown to keep the value by a search of its own."""
        moves: list[int] = []
        # The line may take as many nodes again as the solution took, and a million more for small ones: beyond that it
        # breaks off, as `Solution.variation` says.
        budget = self.clock.nodes * 2 + 1_000_000
        while position.outcome is None and self.clock.nodes < budget:
            # The value stays, but the side that sees it changes, and what is settled is part of the state.
            value += self.prefer_shorter * ((value > 0) - (value < 0))
            side = value if position.to_move == self.position.to_move else -value
            move = self._find_best_move(position, side)
            if move == NO_MOVE:
                break
            moves.append(move)
            position = position.play(move)
        return tuple(moves)

    # -- keeping ----------------------------------------------------------------------------------------------------

    @check_arguments
    def keep(self, file: Path) -> None:
        """Save all results with the table to a file, whole or not at all.

        Raises:
            BadInput: the file cannot be written.
        """
        head = self._question_key() | {"known": self.known, "nodes": self.nodes, "seconds": self.seconds}
        head |= {"small": self.is_small, "check": self._checksum()}
        if self._sweep:
            head |= {"reduced": self._sweep.reduced, "rooms": self._sweep.rooms}
        # A line of JSON, then the blocks of memory as they are, so that saving takes no longer than writing.
        with whole_file(file) as new:
            file.parent.mkdir(parents=True, exist_ok=True)
            with new.open("wb") as out:
                out.write(json.dumps(head).encode() + b"\n")
                if self._sweep:
                    self._sweep.write(out)
                else:
                    out.write(self._table)

    @check_arguments
    def take_up(self, file: Path) -> bool:
        """Read a saved file; return whether it belongs to this position and question."""
        try:
            with open_file(file, MOST_SAVED_BYTES) as kept:
                head = parse_json_object(kept.readline(HEAD_BYTES))
                # A file of another position, game or version is no fault: the solution begins from nothing.
                if {key: head.get(key) for key in self._question_key()} != self._question_key():
                    return False
                rest = file.stat().st_size - kept.tell()
                if self._sweep:
                    # Before memory is reserved by a number from a file, which may be damaged.
                    if not all(type(room) is int and 0 <= room <= rest for room in head["rooms"]):
                        return False
                    fresh = Sweep(self.position, reduced=head["reduced"], mebibytes=self._sweep.mebibytes)
                    if not fresh.read(kept, *head["rooms"]) or checksum(*fresh.graph) != head["check"]:
                        return False
                    self._sweep, self.spent = fresh, head["seconds"]
                    return True
                self._start_search(is_small=head["small"])
                if rest != self._table.nbytes:
                    return False
                kept.readinto(self._table)
                # The table was read into place, so it is made anew where it does not match.
                if self._checksum() != head["check"]:
                    self._start_search(is_small=head["small"])
                    return False
        except (OSError, ValueError, KeyError, TypeError):
            return False
        self.known, self.nodes_before, self.spent = head["known"], head["nodes"], head["seconds"]
        return True

    def _checksum(self) -> int:
        """Checksum of the values found so far."""
        return checksum(*(self._sweep.graph if self._sweep else (self._table,)))

    @property
    def name(self) -> str:
        """File name of this question: changes with the position and with the game's rules."""
        return hashlib.sha256(json.dumps(self._question_key()).encode()).hexdigest()[:16]

    def _question_key(self) -> dict[str, object]:
        here = self.position
        mark = fingerprint(here.game)
        return {
            "plyground": 3,
            "game": mark,
            "position": here.text,
            "hurry": self.prefer_shorter,
            "rules": SAVED_EDITION,
        }


MOST_SAVED_BYTES = 1 << 40
"""Most bytes of a saved table."""
HEAD_BYTES = 1 << 16
"""Most bytes of its first line."""
SAVED_EDITION = 2
"""Version of the meaning of saved tables."""


@check_arguments
def solve(
    position: Position,
    *,
    prefer_shorter: bool = False,
    every_move: bool = True,
    threads: int = 1,
    table: int = SOLVING,
    book: bool = True,
    on_wait: Callable[[float], None] | None = None,
    stop: threading.Event | None = None,
) -> Solution:
    """The exact value of a position, of each move, and best play. It may take seconds or years.

    The parameters are those of `Solver` and `Solver.solve`.

    Raises:
        BadInput: no threads, or no room for a table.
        Stopped: the event was set first.

    >>> from plyground.games.mnk import MNK
    >>> solution = solve(Position.initial(MNK(4, 4, 3)))
    >>> solution.score.text()
    'x wins'
    """
    return Solver(
        position,
        prefer_shorter=prefer_shorter,
        every_move=every_move,
        threads=threads,
        table=table,
        book=book,
        stop=stop,
    ).solve(on_wait)
