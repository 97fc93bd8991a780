"""The workers of a mapping as it sees them: processes of this machine, or those of a Dask scheduler."""

import pickle
import queue
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol

from plyground.errors import BadInput

DEATHS = 2
"""Times that a batch may lose its workers before a task in it is given up. One death may be the machine's doing (no
memory, a power key, a node of a cluster that is taken away); a task that kills twice is blamed.
"""


class WorkersGone(BadInput):
    """No workers are left for any task: the scheduler is gone, or no process starts. No task is at fault."""


class BatchMessage(NamedTuple):
    """A message about a batch."""

    kind: Literal["report", "answer", "failed", "died", "lost"]
    """A report of a running task; a pickled `BatchAnswer`; an exception outside the tasks; all workers that had the
    batch died; its answer was lost on the way.
    """
    key: str
    value: Any = None
    """The report, the answer, or the exception."""


def next_message(messages: "queue.SimpleQueue[BatchMessage]", timeout: float) -> BatchMessage | None:
    """Returns the next message, a report unpickled; None if there is none within `timeout` seconds."""
    try:
        message = messages.get(timeout=timeout)
    except queue.Empty:
        return None
    return message._replace(value=pickle.loads(message.value)) if message.kind == "report" else message


class Channel(Protocol):
    """Sends the batches of one mapping, and receives messages about them."""

    def send(self, key: str, load: bytes, tasks: bytes, within: frozenset[str]) -> None:
        """Send a batch.

        Args:
            key: the batch's name.
            load: the work, pickled, with the users' files that it needs.
            tasks: the tasks, pickled.
            within: the workers that may run it; empty: all.
        """
        ...

    def receive(self, timeout: float) -> BatchMessage | None:
        """Returns the next message; None if there is none within `timeout` seconds."""
        ...

    def cancel(self, keys: Sequence[str]) -> None:
        """Stop batches that were sent and not answered."""
        ...

    def close(self) -> None:
        """Receive no more; batches without an answer have been cancelled."""
        ...


class Workers(Protocol):
    """Processes that run batches."""

    def workers(self) -> list[str]:
        """Names of all workers that exist now.

        Raises:
            WorkersGone: there will be none any more.
        """
        ...

    def channel(self, name: str, *, reports: bool) -> Channel:
        """Begin a mapping.

        Args:
            name: the beginning of its batches' keys.
            reports: whether reports of running tasks are sent.
        """
        ...

    def close(self) -> None:
        """Let go of the workers; further calls do nothing."""
        ...
