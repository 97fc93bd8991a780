"""Batches on the worker's side: runs the tasks of a batch in turn, and returns their results together."""

import pickle
import platform
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any, TypeVar

import cloudpickle

from plyground.errors import BadInput
from plyground.faults import game_fault
from plyground.mapper import UnableHere, here
from plyground.spec.user_modules import adopt
from plyground.timeouts import raise_in

R = TypeVar("R")

BATCH_SECONDS = 1.0
"""Seconds after which a batch begins no further task: what is left of it is sent again."""
WANTED_POLL_SECONDS = 0.5
"""Seconds between two checks whether a host still waits for the task."""


@dataclass
class BatchAnswer:
    """Outcome of a batch."""

    worker: str
    outcomes: list[tuple[str, Any]]
    """One outcome per completed task, in order: a kind (`result`, `elsewhere` or `raised`) and its value."""
    seconds: float
    refused: str = ""
    """Why no task was run, in a sentence; empty if any was."""


def required_versions() -> tuple[str, str]:
    """Versions of plyground and Python, which must be equal on host and worker: compiled code and fingerprints depend
    on them.
    """
    # A patch release of Python changes neither bytecode nor what is pickled, so its third number is left out.
    return version("plyground"), ".".join(platform.python_version_tuple()[:2])


_one_batch_lock = threading.Lock()
"""Lets a process run one batch at a time, whatever number of threads Dask gave its worker: players are not
thread-safe.
"""


def run_batch_on_dask(load: bytes, tasks: bytes, host: tuple[str, str], topic: str) -> bytes:
    """Run the tasks of a batch in a worker of Dask. Reports go to a topic, if it has a name."""
    from distributed import get_worker

    worker = get_worker()
    name = worker.address
    if required_versions() != host:
        (ours, python), (theirs, their_python) = required_versions(), host
        why = (
            f"The worker at {name} has plyground {ours} on Python {python}, and here it is {theirs} on "
            f"{their_python}: install the same there."
        )
        return pickle.dumps(BatchAnswer(name, [], 0.0, why))
    key = str(worker.get_current_task())
    tell = (lambda message: worker.log_event(topic, pickle.dumps(message))) if topic else None
    # The lock is taken first: `Stoppable` notes the thread that it interrupts, and a batch that waits for another one
    # must not be interrupted in that one's place.
    with _one_batch_lock, Stoppable(lambda: _is_wanted(worker, key)) as wanted:
        answer = wanted(run_batch, load, tasks, name, tell)
    return pickle_answer(answer, name)


def run_batch(load: bytes, tasks: bytes, worker: str, tell: Callable[[Any], object] | None) -> BatchAnswer:
    """Run the tasks of a batch in turn, for `BATCH_SECONDS` at most.

    Args:
        load: the work, pickled, with the users' files that it needs.
        tasks: the tasks, pickled.
        worker: the name of this process.
        tell: sends reports of the tasks; None drops them.
    """
    work = unpickle(load)
    here.tell = tell
    started, outcomes = time.monotonic(), list[tuple[str, Any]]()
    for task in pickle.loads(tasks):
        try:
            outcomes.append(("result", work(task)))
        except UnableHere as fault:
            outcomes.append(("elsewhere", str(fault)))
        except Exception as fault:
            # The host raises at the first of these and throws the rest of the batch away: no further task is begun.
            outcomes.append(("raised", prepare_exception(fault)))
            break
        # After each task, never before the first: a batch makes progress however long one task takes.
        if time.monotonic() - started > BATCH_SECONDS:
            break
    return BatchAnswer(worker, outcomes, time.monotonic() - started)


@lru_cache(maxsize=4)
def unpickle(load: bytes) -> Callable[[Any], Any]:
    """Make the work of a batch; it stays for the next batch."""
    files, pickled_work = pickle.loads(load)
    adopt(files)  # classes of users' files are pickled by their names
    work: Callable[[Any], Any] = pickle.loads(pickled_work)
    return work


def prepare_exception(fault: Exception) -> Exception:
    """Prepare an exception for pickling: it is classified here, where its traceback still exists."""
    fault = game_fault(fault) or fault
    try:
        # An exception whose constructor takes other arguments than `args` pickles well and fails when it is unpickled:
        # that must be seen here, where its sentence can still be saved, and not on the host.
        pickle.loads(pickle.dumps(fault))
    except Exception:
        return BadInput(str(fault)) if isinstance(fault, BadInput) else RuntimeError(repr(fault))
    if not isinstance(fault, BadInput):
        fault.add_note("".join(traceback.format_exception(fault)))  # its traceback, which is not pickled
    return fault


def pickle_answer(answer: BatchAnswer | None, worker: str) -> bytes:
    """Pickle the answer of a worker; None stands for a batch that was stopped."""
    return bytes(cloudpickle.dumps(answer or BatchAnswer(worker, [], 0.0)))


def _is_wanted(worker: Any, key: str) -> bool:
    """Whether a host still waits for a task: it may have left, or been killed."""
    task = worker.state.tasks.get(key)
    return task is not None and task.state != "cancelled"


class Stoppable:
    """Stops a task for which no host waits any more, by a `KeyboardInterrupt` in its thread."""

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted
        self._lock = threading.Lock()
        self._has_left = threading.Event()
        self._is_running = self._is_interrupted = False

    def __enter__(self) -> "Stoppable":
        self._thread = threading.get_ident()
        threading.Thread(target=self._poll_wanted, name="plyground wanted", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._has_left.set()

    def __call__(self, work: Callable[..., R], *args: Any) -> R | None:
        """Returns the result of the work; None if it was stopped."""
        try:
            self._is_running = True
            try:
                return work(*args)
            except KeyboardInterrupt:
                self._is_interrupted = False
                return None
            finally:
                # After this the poller raises nothing: it checks the flag under the same lock.
                with self._lock:
                    self._is_running = False
                # The exception was set for this thread and comes at one of its next instructions. It must come within
                # the outer `try`; in the caller it would end the worker. A second is far more than it takes.
                for _ in range(100 if self._is_interrupted else 0):
                    time.sleep(0.01)
        except KeyboardInterrupt:
            return None

    def _poll_wanted(self) -> None:
        while not self._has_left.wait(WANTED_POLL_SECONDS):
            with self._lock:
                if self._is_running and not self._is_wanted():
                    self._is_interrupted = True
                    raise_in(self._thread, KeyboardInterrupt)
                    return
