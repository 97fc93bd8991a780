"""Batches on the host's side: sends tasks to workers, and collects results, also if workers die."""

import itertools
import pickle
import time
import uuid
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Generic, TypeVar

import cloudpickle

from plyground.errors import BadInput
from plyground.spec.user_modules import sources
from plyground.workers.batches import BatchAnswer
from plyground.workers.channel import DEATHS, BatchMessage, Workers, WorkersGone

T = TypeVar("T")
R = TypeVar("R")

BATCH_TARGET_SECONDS = 0.3
"""Target seconds for a batch: long beside the few milliseconds that sending costs, short for a waiting person."""
MOST_BATCH_GROWTH = 4
"""Largest size of a batch, as a multiple of the largest that has come back."""
BATCHES_AHEAD = 2
"""Batches per worker at a time, so that it can begin one while the host receives another."""
NO_WORKERS_SECONDS = 60.0
"""Seconds to wait for a worker to connect, at the beginning and after all are gone."""
WORKER_CHECK_SECONDS = 0.5
"""Seconds between two checks of the workers."""


class WorkerDied(BadInput):
    """A task ended every process that began it."""


@dataclass(eq=False)
class _Item(Generic[T]):
    """A task that was sent, or is to be sent again."""

    task: T
    needs: Hashable
    deaths: int = 0
    """Number of batches with this task whose workers all died."""


@dataclass(eq=False)
class _Batch(Generic[T]):
    """Tasks that are sent together."""

    items: list[_Item[T]]
    within: frozenset[str]
    """Workers that may run the batch; empty: all."""


@dataclass
class Mapping(Generic[T, R]):
    """One run of `Cluster.map`: sends batches, and yields results."""

    cluster: Workers
    work: Callable[[T], R]
    source: Iterator[T | None]
    on_report: Callable[[Any], None] | None
    needs: Callable[[T], Hashable] | None
    unable: Callable[[T, BadInput], R] | None
    alone: bool = False
    """Whether each task is a batch."""
    to_resend: deque[_Item[T]] = field(default_factory=deque)
    """Tasks to send again, before any new one."""
    suspects: deque[_Item[T]] = field(default_factory=deque)
    """Tasks of batches whose workers died: sent again one at a time, to find the one that kills its worker."""
    in_flight: dict[str, _Batch[T]] = field(default_factory=dict)
    refusals: dict[Hashable, dict[str, str]] = field(default_factory=dict)
    """By requirement: the workers that lack it, each with its reason."""
    seconds: float = 0.0
    """Recent average seconds per task."""
    largest: int = 0
    """Tasks of the largest batch that came back whole."""

    def __enter__(self) -> "Mapping[T, R]":
        # Users' modules travel with the work, as source: their classes are pickled by name, and a worker has no such
        # file.
        self._load = pickle.dumps((sources(), cloudpickle.dumps(self.work)))
        self._name = f"plyground-{uuid.uuid4().hex}"
        self._numbers = itertools.count()
        self._workers: list[str] = []
        self._gone_since, self._checked_at = 0.0, 0.0
        self._channel = self.cluster.channel(self._name, reports=self.on_report is not None)
        return self

    def __exit__(self, *_: object) -> None:
        # Also when the caller leaves the loop early or presses Ctrl-C: a worker must not search on for no one.
        self._channel.cancel([*self.in_flight])
        self._channel.close()
        self.in_flight.clear()

    def results(self) -> Iterator[tuple[T, R]]:
        """Yield results as they come, until there are no more."""
        while True:
            self._check_workers()
            yield from self._send_batches()
            # None from the source with nothing in flight ends the mapping: no result is to come that could make a task
            # ready.
            if not self.in_flight and not self.to_resend and not self.suspects:
                return
            message = self._channel.receive(timeout=0.1)  # with a timeout Ctrl-C works on Windows too
            if message is None:
                continue
            if message.kind == "report":
                assert self.on_report is not None
                self.on_report(message.value)
            elif batch := self.in_flight.pop(message.key, None):
                yield from self._handle_message(batch, message)

    def _check_workers(self) -> None:
        """Check which workers exist. Batches that only gone workers may run are sent again."""
        if time.monotonic() - self._checked_at < WORKER_CHECK_SECONDS:
            return
        self._workers = self.cluster.workers()
        self._checked_at = time.monotonic()
        if self._workers or not self._gone_since:
            self._gone_since = 0.0 if self._workers else self._checked_at
        elif self._checked_at - self._gone_since > NO_WORKERS_SECONDS:
            raise WorkersGone(
                f"All workers have been gone for {NO_WORKERS_SECONDS:g} s: what was done until then is kept."
            )
        for key, batch in list(self.in_flight.items()):
            # No worker that is left may run it, so it would wait for ever: Dask keeps such a task without an error.
            if batch.within and not batch.within & {*self._workers}:
                del self.in_flight[key]
                self._resend(batch.items)
                self._channel.cancel([key])

    # -- out --------------------------------------------------------------------------------------------------------

    def _send_batches(self) -> Iterator[tuple[T, R]]:
        """Send batches until every worker has enough. Yields results for tasks that no worker can do."""
        while len(self.in_flight) < BATCHES_AHEAD * max(1, len(self._workers)):
            items: list[_Item[T]] = []
            barred: frozenset[str] = frozenset()
            while len(items) < self._batch_size and (item := self._next_item(alone=not items)):
                lacking = frozenset(self.refusals.get(item.needs, ())) & frozenset(self._workers)
                if self._workers and len(lacking) == len(self._workers):
                    reasons = dict.fromkeys(self.refusals[item.needs].values())
                    yield item.task, self._give_up(item, BadInput(f"{'; '.join(reasons)}."))
                    continue
                # `within` holds for a whole batch: tasks that different sets of workers refuse cannot share one.
                if items and lacking != barred:
                    self.to_resend.appendleft(item)  # it may be sent with others
                    break
                items.append(item)
                barred = lacking
                # A suspect is alone in its batch: if the worker dies again, it is known which task did it.
                if item.deaths:
                    break
            if not items:
                return
            self._send(items, frozenset(self._workers) - barred if barred else frozenset())

    def _next_item(self, alone: bool) -> _Item[T] | None:
        """Returns the next task to send, or None if there is none now; suspects are sent alone."""
        # One suspect at a time: a worker holds up to `BATCHES_AHEAD` batches, and its death counts against each of
        # them.
        if alone and self.suspects and not any(batch.items[0].deaths for batch in self.in_flight.values()):
            return self.suspects.popleft()
        if self.to_resend:
            return self.to_resend.popleft()
        task = next(self.source, None)
        if task is None:
            return None
        item = _Item(task, None)
        item.needs = item if self.needs is None else self.needs(task)
        return item

    @property
    def _batch_size(self) -> int:
        """Number of tasks for the next batch."""
        # The first batch is one task, as no time is known. Growth is bounded because a mean of few tasks may be wrong
        # by a lot, and a batch that is too long keeps other workers idle at the end.
        wanted = int(BATCH_TARGET_SECONDS / max(self.seconds, 1e-6)) if self.seconds else 1
        return 1 if self.alone else max(1, min(wanted, MOST_BATCH_GROWTH * self.largest))

    def _send(self, items: list[_Item[T]], within: frozenset[str]) -> None:
        key = f"{self._name}-{next(self._numbers)}"
        self.in_flight[key] = _Batch(items, within)
        self._channel.send(key, self._load, cloudpickle.dumps([item.task for item in items]), within)

    # -- back -------------------------------------------------------------------------------------------------------

    def _handle_message(self, batch: _Batch[T], message: BatchMessage) -> Iterator[tuple[T, R]]:
        if message.kind == "died":
            yield from self._retry_tasks(batch)
            return
        if message.kind == "lost":
            self._resend(batch.items)
            return
        if message.kind == "failed":
            raise self._unread_error(message.value) from message.value
        answer: BatchAnswer = pickle.loads(message.value)
        if answer.refused:
            raise BadInput(answer.refused)
        done = len(answer.outcomes)
        self._resend(batch.items[done:])
        if done:
            # Exponential moving average with weight 1/2: tasks of one mapping get longer or shorter together, as when
            # an arena goes from quick players to slow ones.
            self.seconds = answer.seconds / done if not self.seconds else (self.seconds + answer.seconds / done) / 2
            self.largest = max(self.largest, done)
        for item, (kind, what) in zip(batch.items, answer.outcomes, strict=False):
            if kind == "elsewhere":
                self.refusals.setdefault(item.needs, {})[answer.worker] = what
                self._resend([item])
        for item, (kind, what) in zip(batch.items, answer.outcomes, strict=False):
            if kind == "result":
                yield item.task, what
            elif kind == "raised":
                raise what

    def _resend(self, items: list[_Item[T]]) -> None:
        for item in items:
            (self.suspects if item.deaths else self.to_resend).append(item)

    def _retry_tasks(self, batch: _Batch[T]) -> Iterator[tuple[T, R]]:
        """Every worker that had the batch died: send each of its tasks alone, to find the one that kills workers."""
        for item in batch.items:
            item.deaths += 1
            if item.deaths >= DEATHS:
                sentence = f"Every process that began it has died, {DEATHS} times over: {_brief_text(item.task)}."
                yield item.task, self._give_up(item, WorkerDied(sentence))
            else:
                self.suspects.append(item)

    def _give_up(self, item: _Item[T], fault: BadInput) -> R:
        if self.unable is None:
            raise fault
        return self.unable(item.task, fault)

    def _unread_error(self, fault: Exception) -> Exception:
        """The error for a batch that a worker could not read: its plyground is of another version, or missing."""
        if not isinstance(fault, ImportError | AttributeError | pickle.UnpicklingError):
            return fault
        missing = (getattr(fault, "name", None) or "plyground").partition(".")[0]
        what = f"plyground {version('plyground')}" if missing == "plyground" else missing
        return BadInput(f"A worker cannot do this ({fault}): install {what} there.")


def _brief_text(task: object) -> str:
    text = repr(task)
    return text if len(text) <= 200 else f"{text[:200]}…"
