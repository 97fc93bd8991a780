"""At a worker: tasks that came together are done in turn, and what they have come to goes back together."""

import ctypes
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

from plyground.blame import game_fault
from plyground.errors import BadInput

R = TypeVar("R")

LONGEST = 1.0
"""Seconds after which a batch begins no further task: what is left of it is sent again."""
LOOKED = 0.5
"""Seconds between looking whether somebody still waits for what is done."""


class Elsewhere(Exception):
    """Raised in work that this process cannot do, such as playing with a program that is not there; another may.

    The argument says what is missing, as a sentence without its full stop.
    """


def report(message: object) -> None:
    """Tell whoever maps this work something of it while it goes on; nobody hears it where no one asked.

    Each costs a message to the host, so tell no more than a few in a second.
    """
    if tell := getattr(here, "tell", None):
        tell(message)


here = threading.local()
"""What a thread that does a task has: `tell`, which brings a report to whoever asked for them."""


@dataclass
class Answer:
    """What a batch has come to."""

    worker: str
    told: list[tuple[str, Any]]
    """For the first tasks, in their order: `result`, `elsewhere` or `raised`, and what."""
    seconds: float
    refused: str = ""
    """Why nothing was done at all, in a sentence."""


def mark() -> tuple[str, str]:
    """What must be the same on both sides: compiled code and fingerprints depend on it."""
    return version("plyground"), ".".join(platform.python_version_tuple()[:2])


_alone = threading.Lock()
"""One batch of a process at a time, however many threads its worker has: players are not made for two."""


def done_together(load: bytes, tasks: bytes, host: tuple[str, str], topic: str) -> bytes:
    """Do the tasks of a batch in turn, for `LONGEST` seconds."""
    from distributed import get_worker

    worker = get_worker()
    if mark() != host:
        (ours, python), (theirs, their_python) = mark(), host
        return pickle.dumps(
            Answer(
                worker.address,
                [],
                0.0,
                f"The worker at {worker.address} has plyground {ours} on Python {python}, and here it is {theirs} on "
                f"{their_python}: install the same there.",
            )
        )
    key = worker.get_current_task()
    with _alone, _Wanted(lambda: _is_wanted(worker, str(key))) as wanted:
        answer = wanted(_done, load, tasks, worker, topic) or Answer(worker.address, [], 0.0)
    return _pickled(answer)


def _done(load: bytes, tasks: bytes, worker: Any, topic: str) -> Answer:
    work = _unpickled(load)
    here.tell = (lambda message: worker.log_event(topic, pickle.dumps(message))) if topic else None
    started, told = time.monotonic(), list[tuple[str, Any]]()
    for task in pickle.loads(tasks):
        try:
            told.append(("result", work(task)))
        except Elsewhere as fault:
            told.append(("elsewhere", str(fault)))
        except Exception as fault:
            told.append(("raised", _sent(fault)))
            break
        if time.monotonic() - started > LONGEST:
            break
    return Answer(worker.address, told, time.monotonic() - started)


@lru_cache(maxsize=4)
def _unpickled(load: bytes) -> Callable[[Any], Any]:
    work: Callable[[Any], Any] = pickle.loads(load)
    return work


def _sent(fault: Exception) -> Exception:
    """An exception as it can travel: whose fault it is, which its calls tell, is found out here."""
    fault = game_fault(fault) or fault
    try:
        pickle.loads(pickle.dumps(fault))
    except Exception:
        return BadInput(str(fault)) if isinstance(fault, BadInput) else RuntimeError(repr(fault))
    if not isinstance(fault, BadInput):
        fault.add_note("".join(traceback.format_exception(fault)))  # where it was, for that does not travel
    return fault


def _pickled(answer: Answer) -> bytes:
    import cloudpickle

    return bytes(cloudpickle.dumps(answer))


def _is_wanted(worker: Any, key: str) -> bool:
    """Whether somebody still waits for a task: its host may have left, or been killed."""
    task = worker.state.tasks.get(key)
    return task is not None and task.state != "cancelled"


class _Wanted:
    """Ends work that nobody waits for any more, as Ctrl-C would, in the thread that does it."""

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted
        self._lock = threading.Lock()
        self._left = threading.Event()
        self._running = self._told = False

    def __enter__(self) -> "_Wanted":
        self._thread = threading.get_ident()
        threading.Thread(target=self._look_on, name="plyground wanted", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()

    def __call__(self, work: Callable[..., R], *args: Any) -> R | None:
        """What the work gives; None if it was ended."""
        try:
            self._running = True
            try:
                return work(*args)
            except KeyboardInterrupt:
                self._told = False
                return None
            finally:
                with self._lock:
                    self._running = False
                for _ in range(100 if self._told else 0):  # what is under way arrives here, and not later
                    time.sleep(0.01)
        except KeyboardInterrupt:
            return None

    def _look_on(self) -> None:
        while not self._left.wait(LOOKED):
            with self._lock:
                if self._running and not self._is_wanted():
                    self._told = True
                    ended = ctypes.py_object(KeyboardInterrupt)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ended)
                    return
