"""Limits of a search, and the clock that enforces them."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from plyground.compiled import threads
from plyground.errors import BadInput, check_fields, set_kind_words
from plyground.rules import LONGEST
from plyground.search.observer import Counting, Interruptible, Stopped
from plyground.timeouts import THREADS_ARE_THERE

Answer = TypeVar("Answer")


ABOVE_0 = "{name}={value}: a limit is above 0."


@dataclass(frozen=True)
class Limit:
    """When to stop thinking: at a `depth` in plies, after `nodes` nodes, after `time` seconds. None: no such limit.

    >>> Limit(depth=6, time=1.5)
    Limit(depth=6, nodes=None, time=1.5)
    >>> Limit(nodes=0)
    Traceback (most recent call last):
    plyground.errors.BadInput: nodes=0: a limit is above 0.
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        for name, value in (("depth", self.depth), ("nodes", self.nodes), ("time", self.time)):
            if value is not None and not 0 < value < float("inf"):
                raise BadInput(ABOVE_0.format(name=name, value=value))
        if self.depth is not None and self.depth > LONGEST:
            raise BadInput(f"depth={self.depth}: at most {LONGEST:,} plies.")


set_kind_words(Limit, "a Limit, as in Limit(depth=6) or Limit(time=1)")


# Below them a speed measured so far would be that of the first calls, compilation of the browser included.
FIRST_NODES: Final = 1_000
FIRST_RATE: Final = 200_000
"""Nodes a second that are taken for granted where threads are missing, up to `FIRST_NODES` nodes."""


class Clock:
    """Counts the nodes of a search, and stops it at a time, at a number of nodes, at an event, or when its caller stops
    waiting.

    Each thread has an observer of its own; the nodes allowed are divided among them.
    """

    def __init__(
        self, limit: Limit, threads: int = 1, stop: threading.Event | None = None, *, is_plain: bool = False
    ) -> None:
        """Prepare, and begin.

        Args:
            limit: when the search ends.
            threads: the number of threads that search.
            stop: an event that ends it.
            is_plain: whether the search runs as plain Python, where observers can ask the event themselves.
        """
        budget = limit.nodes or 1 << 62
        # Fixed shares and no common counter: threads that count in one place would wait for its cache line at every
        # node.
        shares = [max(1, budget // threads)] * threads if budget >= threads else [budget] + [0] * (threads - 1)
        self.observers: list[Counting] = [Counting.fresh(share) for share in shares]
        if is_plain and stop:
            self.observers = [Interruptible.by(stop, observer) for observer in self.observers]
        self._time = limit.time
        self.stopping: threading.Event | None = stop
        self.is_abandoned: bool = False
        """Whether the caller waits no longer for work that has given no answer."""
        self.begin()

    def begin(self) -> None:
        """Start the time now: work done before, such as compiling, does not count."""
        self.started: float = time.perf_counter()
        self.deadline: float | None = None if self._time is None else self.started + self._time

    @property
    def observer(self) -> Counting:
        """Observer of the first thread."""
        return self.observers[0]

    @property
    def nodes(self) -> int:
        """Nodes entered by all threads."""
        return sum(observer.nodes for observer in self.observers)

    @property
    def seconds(self) -> float:
        """Seconds since `begin`."""
        return time.perf_counter() - self.started

    @property
    def is_over(self) -> bool:
        """Whether the time is over, or the search was stopped from outside."""
        return self.is_stopped or (self.deadline is not None and time.perf_counter() >= self.deadline)

    @property
    def is_stopped(self) -> bool:
        """Whether the search was stopped from outside."""
        return self.stopping is not None and self.stopping.is_set()

    def run_here(self, work: Callable[[], Answer], nodes: int) -> Answer | None:
        """Run a small piece of work in this thread; None if it takes more than some nodes.

        Raises:
            Stopped: the limit was reached, or the event set, first.
        """
        # Over already: the observer stops at its first node, so the work is still begun and ends as any other that is
        # late.
        if self.is_over:
            self.stop()
        budget = self.observer.stop()
        self.observer.allow(min(budget, self.observer.nodes + nodes))
        try:
            return work()
        except Stopped:
            if self.observer.nodes >= budget:
                raise
            return None
        finally:
            self.observer.allow(budget)

    def run(self, *works: Callable[[], Answer], on_wait: Callable[[], None] | None = None) -> Answer:
        """Run each piece of work in a thread, so that Ctrl-C and the clock can stop compiled code.

        The first result is returned; the other threads, which help by the table they share, are then stopped.

        Raises:
            Stopped: the limit was reached, or the event set, first.
        """
        if not THREADS_ARE_THERE:
            return self._run_alone(works[0])
        answers: list[Answer] = []
        faults: list[BaseException] = []
        done = threads.Completion()

        def body(work: Callable[[], Answer]) -> None:
            try:
                answers.append(work())
                done.set()
            except BaseException as fault:
                faults.append(fault)
                # A helper that ran out of its share is no end of the search; any other fault is, at once.
                if len(faults) == len(works) or not isinstance(fault, Stopped):
                    done.set()

        running: list[threads.Completion] = []
        try:
            for work in works:
                running.append(threads.run(partial(body, work)))
            while not done.is_set():
                if self.is_over:
                    self.stop()
                # Woken by the answer, or to look at the clock: compiled code never asks the time, this thread does.
                done.wait(threads.seconds_to_wait(self.deadline, self.stopping))
                if on_wait and not done.is_set():
                    on_wait()
        finally:
            self.is_abandoned = not answers
            # Helpers are stopped, and waited for: they write into the table and contexts, which may be used again at
            # once. Their budgets are given back after an answer, so the next depth goes on with what is left.
            held = [observer.stop() for observer in self.observers]
            for ended in running:
                ended.wait()
            if answers:
                for observer, budget in zip(self.observers, held, strict=True):
                    observer.allow(budget)
        if not answers:
            # A fault of a rule before `Stopped`: the others were stopped only because of it.
            fault = next((fault for fault in faults if not isinstance(fault, Stopped)), faults[0])
            faults.clear()
            try:
                raise fault
            finally:
                del fault  # held where it passes, it would hold itself, and the search's table with it
        return answers[0]

    def _run_alone(self, work: Callable[[], Answer]) -> Answer:
        """Run work in this thread, where there is no other one that could stop it: it gets as many nodes as the rest of
        the time has room for, at the speed so far."""
        if self.is_over:
            self.stop()
        budget = self.observer.stop()
        nodes = 1 << 62
        if self.deadline is not None:
            rate = self.nodes / self.seconds if self.nodes > FIRST_NODES else FIRST_RATE
            # The budget is of all nodes so far and those to come, as the observer counts on from the last search.
            nodes = self.nodes + int(rate * max(0.0, self.deadline - time.perf_counter()))
        self.observer.allow(min(budget, nodes))
        try:
            return work()
        finally:
            self.observer.allow(budget)

    def poll(self) -> None:
        """Raise `Stopped` if the limit in time was reached, or the event set: for work beside the search."""
        if self.is_over:
            raise Stopped

    def stop(self) -> None:
        """Stop every thread at its next node."""
        for observer in self.observers:
            observer.stop()
