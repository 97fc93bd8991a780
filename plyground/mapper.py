"""Interface of a parallel map over tasks, and the map within this process; tasks may report their progress."""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar, runtime_checkable

from plyground.errors import BadInput, set_kind_words

T = TypeVar("T")
R = TypeVar("R")


class UnableHere(Exception):
    """Raised in a task that this process cannot do, such as a game with a program that it lacks; another process may.

    The argument is a sentence without its full stop about what is missing.
    """


def report(message: object) -> None:
    """Send a progress report from a running task to the caller of `map`; dropped if that has no `on_report`.

    Each report costs a message to the host, so send a few per second at most.
    """
    if tell := getattr(here, "tell", None):
        tell(message)


# Each thread has its own data: several tasks of one process may run at a time, each with a host of its own.
here: threading.local = threading.local()
"""Data of the thread that runs a task: its attribute `tell` sends a report to the host."""


@runtime_checkable
class Mapper(Protocol):
    """The part of `workers.cluster.Cluster` that learning and tablebases need."""

    @property
    def width(self) -> int:
        """Number of tasks that run at a time."""
        ...

    def map(
        self,
        work: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_report: Callable[[Any], None] | None = None,
        alone: bool = False,
    ) -> Iterator[tuple[Any, Any]]:
        """Apply work to tasks, in any order and in any process; yields each task with its result.

        None among the tasks means that there is none now: ask again after the next result. `alone`: tasks are not sent
        to a process in batches.
        """
        ...


set_kind_words(Mapper, "a Cluster, as in plyground.workers.cluster.Cluster(jobs=2)")


def map_here(
    work: Callable[[T], R],
    tasks: Iterable[T | None],
    on_report: Callable[[Any], None] | None = None,
    unable: Callable[[T, BadInput], R] | None = None,
) -> Iterator[tuple[T, R]]:
    """Apply work to tasks in this process, one after the other, with the arguments of `Cluster.map`."""
    for task in tasks:
        if task is None:  # every result has been yielded, so the next question is the one after it
            continue
        # A task may map over tasks of its own: their reports must not go to its host, and its own go there again
        # afterwards.
        before = getattr(here, "tell", None)
        here.tell = on_report
        try:
            result = work(task)
        except UnableHere as fault:
            missing = BadInput(f"{fault}.")
            if unable is None:
                raise missing from None
            result = unable(task, missing)
        finally:
            here.tell = before
        yield task, result
