"""Group commit: the writes of many callers share one transaction, and so one wait for the disk."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, IntegrityError

from plyground.database.connecting import Unavailable, Unstored, reason, writing_transaction

MOST_AT_ONCE = 500
"""Writes in one transaction, at most."""
Result = TypeVar("Result")


class Taken(Exception):
    """A row with this key exists already."""


class _Refused(Exception):
    """The database refuses a write of a group, which is rolled back."""


@dataclass
class _Write(Generic[Result]):
    """A write of one caller, and its result."""

    work: Callable[[Connection], Result]
    done: "Future[Result]" = field(default_factory=Future)
    result: Result | None = None
    fault: Exception | None = None

    def run(self, connection: Connection) -> None:
        """Write within a savepoint: a write that the database refuses fails alone."""
        try:
            with connection.begin_nested():
                self.result = self.work(connection)
        except IntegrityError:
            self.fault = Taken()
        except DataError as fault:
            self.fault = Unstored(f"It could not be stored, so nothing has changed: {reason(fault)}.")

    def settle(self, fault: Exception | None) -> None:
        """Set the caller's future."""
        if found := fault or self.fault:
            self.done.set_exception(found)
        else:
            self.done.set_result(self.result)  # type: ignore[arg-type]  # it has run


class GroupCommit:
    """The one thread of this process that writes to a database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: deque[_Write[Any]] = deque()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="plyground writes")

    def submit(self, work: Callable[[Connection], Result]) -> "Future[Result]":
        """Write, together with all that waits by then. The future is done once it is on disk.

        Args:
            work: executes the statements.

        Raises:
            Taken: (from the future) a row with this key exists already.
            Unstored: (from the future) the database refused the write.
            Uncertain: (from the future) the connection was lost while it was committed.
        """
        write = _Write(work)
        self._waiting.append(write)
        self._thread.submit(self._commit_waiting)
        return write.done

    def submit_alone(self, work: Callable[[], Result]) -> "Future[Result]":
        """Run work that has its own transactions, between two groups."""
        return self._thread.submit(work)

    def close(self) -> None:
        """Finish the writes that wait."""
        self._thread.shutdown()

    def _commit_waiting(self) -> None:
        taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_AT_ONCE))]
        group = [write for write in taken if write.done.set_running_or_notify_cancel()]
        if group:  # else an earlier group had all of them
            fault = self._commit_group(group)
            for write in group:
                write.settle(fault)

    def _commit_group(self, group: Sequence[_Write[Any]]) -> Exception | None:
        """Write and commit. Returns why nothing is stored, or None."""
        try:
            if not self._commit_without_savepoints(group):
                with writing_transaction(self._engine) as connection:
                    for write in group:
                        write.run(connection)
        except Unavailable as fault:
            return fault
        except Exception as fault:  # a fault of ours: callers must not wait for ever
            return fault
        return None

    def _commit_without_savepoints(self, group: Sequence[_Write[Any]]) -> bool:
        """Write and commit without savepoints, which are half of the work. Returns whether no write was refused."""
        with suppress(_Refused), writing_transaction(self._engine) as connection:
            for write in group:
                try:
                    write.result = write.work(connection)
                except (IntegrityError, DataError):
                    raise _Refused from None
            return True
        return False
