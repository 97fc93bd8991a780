"""Many tasks on many processors: in this process, in processes of this machine, or on any cluster of Dask's.

It knows nothing of arenas: a task is any value that can be pickled, and what is done with it any function. Tasks that
take a millisecond travel together, so that none of them costs a message; those that take an hour travel alone.
"""

import atexit
import ctypes
import itertools
import logging
import os
import pickle
import platform
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import uuid
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from plyground.blame import game_fault
from plyground.errors import BadInput
from plyground.wire.peer import OWN_GROUP

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
R = TypeVar("R")

SPAN = 0.3
"""Seconds that a batch shall take: long beside the few milliseconds that it costs, short beside a person's patience."""
LONGEST = 1.0
"""Seconds after which a batch begins no further task: what is left of it is sent again."""
GROWTH = 4
"""A batch is at most so many times as large as the largest that came back before it."""
AHEAD = 2
"""Batches that each worker has at a time, so that it has one to begin while the host hears of another."""
DEATHS = 2
"""How often a task alone may be among those that were given up because their workers died, before it is given up."""
FUTILE = 3
"""Worker processes of this machine that may end before they have begun, one after another."""
REACHED = 5.0
"""Seconds in which a scheduler must answer."""
STARTED = 60.0
"""Seconds in which a worker must be there, at the beginning and once all are gone."""
FETCHED = 1.0
"""Seconds in which what a batch has come to must be fetched."""
TENDED = 0.5
"""Seconds between looking after the workers."""


class Elsewhere(Exception):
    """Raised in work that this process cannot do, such as playing with a program that is not there; another may.

    The argument says what is missing, as a sentence without its full stop.
    """


class WorkerDied(BadInput):
    """A task ended every process that began it."""


def report(message: object) -> None:
    """Tell whoever maps this work something of it while it goes on; nobody hears it where no one asked.

    Each costs a message to the host, so tell no more than a few in a second.
    """
    if tell := getattr(_here, "tell", None):
        tell(message)


_here = threading.local()


def processors() -> int:
    """How many this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class Cluster:
    """Processes that do tasks: `with Cluster(jobs=4) as cluster: for task, result in cluster.map(work, tasks): ...`.

    One job and no scheduler mean this process: then Dask is not even imported. Leaving it, also by Ctrl-C, ends the
    processes that it began at once, with all programs that these have started; on somebody's cluster it ends the tasks.
    """

    def __init__(self, jobs: int = 0, scheduler: str = "", *, here: bool = True) -> None:
        """Nothing is begun yet.

        Args:
            jobs: processes of this machine; 0 means as many as it has processors.
            here: whether one job is done in this process; else it has one of its own, to be measured.
            scheduler: the address of a Dask scheduler whose workers do it instead, `tcp://host:8786`.

        Raises:
            BadInput: fewer than none, or Dask is needed and not installed.
        """
        if jobs < 0:
            raise BadInput(f"jobs={jobs}: 0 means one for each processor, 1 means this process alone.")
        self.jobs = jobs or processors()
        self.scheduler = scheduler
        self.is_here = here and self.jobs == 1 and not scheduler
        """Whether all is done in this process."""
        self._client: Client | None = None
        self._local: _Local | None = None
        if not self.is_here:
            _need_dask()

    def __enter__(self) -> "Cluster":
        """Begin the processes, or reach the scheduler.

        Raises:
            BadInput: the scheduler does not answer or has no workers, or no process can be begun.
        """
        if not self.is_here:
            try:
                self._begin()
            except BaseException:
                self.close()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self) -> None:
        for name in ("distributed", "tornado"):  # faults are told by us, in a sentence
            logging.getLogger(name).setLevel(logging.CRITICAL)
        if self.scheduler:
            self._client = _reached(self.scheduler)
        else:
            self._local = _Local(self.jobs)
            self._client = self._local.client
        since = time.monotonic()
        while not self.workers():
            waited = time.monotonic() - since
            if self.scheduler and waited > REACHED:
                raise BadInput(
                    f"The scheduler at {self.scheduler} has no workers: start one with "
                    f"dask worker {self.scheduler} --nworkers auto --nthreads 1."
                )
            if waited > STARTED:
                raise BadInput(f"No worker process was there within {STARTED:g} s.")
            time.sleep(0.05)

    def close(self) -> None:
        """End all that was begun; once is enough."""
        local, client = self._local, self._client
        self._local = self._client = None
        if local:
            local.close()
        elif client:
            with suppress(Exception):
                client.close(timeout=2)

    def workers(self) -> list[str]:
        """The addresses of all that are there now; none where all is done in this process.

        Raises:
            BadInput: the scheduler is gone, or processes of this machine cannot be begun.
        """
        if self._client is None:
            return []
        if self._local:
            self._local.tend()
        try:
            return sorted(self._client.scheduler_info(n_workers=-1)["workers"])
        except Exception:
            raise self.gone() from None

    def gone(self) -> BadInput:
        """That the scheduler is, in a sentence."""
        return BadInput(
            f"The scheduler at {self.scheduler or 'this machine'} is gone: what was done until then is kept."
        )

    def map(
        self,
        work: Callable[[T], R],
        tasks: Iterable[T | None],
        *,
        on_report: Callable[[Any], None] | None = None,
        needs: Callable[[T], Hashable] | None = None,
        unable: Callable[[T, str], R] | None = None,
    ) -> Iterator[tuple[T, R]]:
        """Do a work with each task; yield the task and what came of it, as it comes.

        Tasks are asked for only when a worker will soon have nothing to do, and after all results at hand were yielded,
        so what comes next may depend on them. No result comes twice, whatever was done twice because a worker died.

        Args:
            work: is pickled, and unpickled once in each process: what it keeps there it has for its next task. One
                thread of a process works at a time. It may call `report`, and raise `Elsewhere`.
            tasks: any number; None among them means that there are none now, and to ask again after the next result.
            on_report: hears what the work reports, in the thread that maps.
            needs: tasks for which this is the same need the same things of a process, so that where one of them
                could not be done the others are not tried; by default each has its own needs.
            unable: makes a result of a task that no process can do, and why; by default that is raised.

        Raises:
            BadInput: no process can do a task (`WorkerDied` if all that tried it died), or the cluster is gone.
            Exception: what the work raises.
        """
        if self._client is None:
            yield from _done_here(work, tasks, on_report, unable)
            return
        with _Mapping(self, self._client, work, iter(tasks), on_report, needs, unable) as mapping:
            yield from mapping.results()


def _done_here(
    work: Callable[[T], R],
    tasks: Iterable[T | None],
    on_report: Callable[[Any], None] | None,
    unable: Callable[[T, str], R] | None,
) -> Iterator[tuple[T, R]]:
    for task in tasks:
        if task is None:  # every result has been yielded, so the next question is the one after it
            continue
        before = getattr(_here, "tell", None)
        _here.tell = on_report
        try:
            result = work(task)
        except Elsewhere as fault:
            if unable is None:
                raise BadInput(f"{fault}.") from None
            result = unable(task, f"{fault}.")
        finally:
            _here.tell = before
        yield task, result


# -- where it is done --------------------------------------------------------------------------------------------------


def _need_dask() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise BadInput('More than one process needs Dask: pip install "plyground[arena]".') from None


def _reached(scheduler: str) -> "Client":
    """A client of somebody's cluster.

    Raises:
        BadInput: it does not answer.
    """
    import warnings

    from distributed import Client
    from distributed.versions import VersionMismatchWarning

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # what matters of it, each worker tells itself
            return Client(scheduler, timeout=REACHED, set_as_default=False)
    except Exception as fault:
        why = str(fault).partition("\n")[0] or type(fault).__name__
        raise BadInput(
            f"No scheduler answers at {scheduler}: start one with dask scheduler, and name the address that it prints, "
            f"as in tcp://localhost:8786 ({why})."
        ) from None


class _Local:
    """A scheduler in this process, and worker processes of this machine; one that dies is replaced."""

    def __init__(self, jobs: int) -> None:
        from distributed import Client, LocalCluster

        self._folder = Path(tempfile.mkdtemp(prefix="plyground-"))
        self._workers: list[subprocess.Popen[bytes]] = []
        self._futile = 0
        self._cluster: Any = None  # a LocalCluster, which has no types
        self.client: Client | None = None
        atexit.register(self.close)  # whoever never leaves the cluster
        try:
            kinds = {"allowed_failures": DEATHS, "dashboard": False, "dashboard_address": "127.0.0.1:0"}
            quiet: dict[str, Any] = {"silence_logs": logging.CRITICAL, "dashboard_address": None}
            self._cluster = LocalCluster(n_workers=0, scheduler_kwargs=kinds, **quiet)
            self._workers = [self._started() for _ in range(jobs)]
            self.client = Client(self._cluster, set_as_default=False)
        except BaseException:
            self.close()
            raise

    def _started(self) -> subprocess.Popen[bytes]:
        """A worker process. What can be imported here can be imported there, and the current folder hides no module."""
        paths = os.pathsep.join(str(Path(path or ".").absolute()) for path in sys.path)
        command = [sys.executable, "-P", "-m", "plyground.arena.worker", self._cluster.scheduler_address]
        try:
            with self._words.open("ab") as words:
                return subprocess.Popen(
                    [*command, str(self._folder)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=words,
                    env=os.environ | {"PYTHONPATH": paths},
                    **OWN_GROUP,
                )
        except OSError as fault:
            raise BadInput(f"A worker process cannot be started: {fault.strerror}.") from None

    def tend(self) -> None:
        """Replace the workers that have died.

        Raises:
            BadInput: they end before they have begun.
        """
        for place, worker in enumerate(self._workers):
            if worker.poll() is None:
                continue
            self._futile = 0 if (self._folder / str(worker.pid)).exists() else self._futile + 1
            if self._futile > FUTILE:
                words = self._words.read_text(encoding="utf-8", errors="replace").split("\n")
                last = next((line for line in reversed(words) if line.strip()), f"exit code {worker.returncode}")
                raise BadInput(f"Worker processes end as soon as they begin: {last.strip()}.")
            self._let_go(worker)
            self._workers[place] = self._started()

    @property
    def _words(self) -> Path:
        """What workers say while they begin."""
        return self._folder / "words"

    def _let_go(self, worker: subprocess.Popen[bytes]) -> None:
        assert worker.stdin is not None
        with suppress(OSError):
            worker.stdin.close()

    def close(self) -> None:
        """End all. Workers go by themselves when their standard input ends, and take what they have started along."""
        atexit.unregister(self.close)
        workers, self._workers = self._workers, []
        for worker in workers:
            self._let_go(worker)
        for worker in workers:
            try:
                worker.wait(5)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
        for each in (self.client, self._cluster):
            if each is not None:
                with suppress(Exception):
                    each.close(timeout=5)
        self.client = self._cluster = None
        shutil.rmtree(self._folder, ignore_errors=True)


# -- on the host -------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Item(Generic[T]):
    """A task on its way."""

    task: T
    needs: Hashable
    deaths: int = 0
    """How often all workers that a batch with it was given died."""


@dataclass(eq=False)
class _Batch(Generic[T]):
    """Tasks that travel together."""

    items: list[_Item[T]]
    future: "Future[bytes]"
    within: frozenset[str]
    """The workers that may do it; all, if empty."""


@dataclass
class _Mapping(Generic[T, R]):
    """Tasks that are sent out, and what comes back of them."""

    cluster: Cluster
    client: "Client"
    work: Callable[[T], R]
    source: Iterator[T | None]
    on_report: Callable[[Any], None] | None
    needs: Callable[[T], Hashable] | None
    unable: Callable[[T, str], R] | None
    again: deque[_Item[T]] = field(default_factory=deque)
    """To be sent again, before any new one."""
    suspects: deque[_Item[T]] = field(default_factory=deque)
    """Of batches whose workers died: sent again one at a time, for who is beside the one that does it dies as well."""
    flying: dict[str, _Batch[T]] = field(default_factory=dict)
    refusals: dict[Hashable, dict[str, str]] = field(default_factory=dict)
    """Of each need, the workers that lack it, and what they say."""
    heard: "queue.SimpleQueue[tuple[str, Any]]" = field(default_factory=queue.SimpleQueue)
    """What Dask's threads have heard: the key of a batch that is done, or a report."""
    seconds: float = 0.0
    """What a task takes, lately."""
    largest: int = 0
    """Tasks of a batch that came back whole."""

    def __enter__(self) -> "_Mapping[T, R]":
        import cloudpickle  # here, as Dask is; it also pickles what was typed into a notebook

        self._load = cloudpickle.dumps(self.work)
        self._name = f"plyground-{uuid.uuid4().hex}"
        self._numbers = itertools.count()
        self._workers: list[str] = []
        self._gone, self._tended = 0.0, 0.0
        if self.on_report:
            self.client.subscribe_topic(self._name, lambda event: self.heard.put(("report", event[1])))
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):
            if self.on_report:
                self.client.unsubscribe_topic(self._name)
            if self.flying:
                self.client.cancel([batch.future for batch in self.flying.values()], force=True)
        self.flying.clear()

    def results(self) -> Iterator[tuple[T, R]]:
        """As they come, until there are no more."""
        while True:
            self._tend()
            yield from self._fill()
            if not self.flying and not self.again and not self.suspects:
                return
            try:
                kind, what = self.heard.get(timeout=0.1)  # a wait that ends by itself hears Ctrl-C on Windows too
            except queue.Empty:
                continue
            if kind == "report":
                assert self.on_report is not None
                self.on_report(pickle.loads(what))
            elif batch := self.flying.pop(what, None):
                yield from self._come(batch)

    def _tend(self) -> None:
        """Look which workers are there. What only workers that have gone may do is sent again."""
        if time.monotonic() - self._tended < TENDED:
            return
        self._workers = self.cluster.workers()
        self._tended = time.monotonic()
        if self._workers or not self._gone:
            self._gone = 0.0 if self._workers else self._tended
        elif self._tended - self._gone > STARTED:
            raise BadInput(f"All workers have been gone for {STARTED:g} s: what was done until then is kept.")
        if self.client.status not in ("running", "connecting"):
            raise self.cluster.gone()
        for key, batch in list(self.flying.items()):
            if batch.within and not batch.within & {*self._workers}:
                del self.flying[key]
                self._send_again(batch.items)
                self.client.cancel([batch.future], force=True)

    # -- out --------------------------------------------------------------------------------------------------------

    def _fill(self) -> Iterator[tuple[T, R]]:
        """Send batches until every worker has enough; yield what no worker can do."""
        while len(self.flying) < AHEAD * max(1, len(self._workers)):
            items: list[_Item[T]] = []
            barred: frozenset[str] = frozenset()
            while len(items) < self._size and (item := self._next(alone=not items)):
                lacking = frozenset(self.refusals.get(item.needs, ())) & frozenset(self._workers)
                if self._workers and len(lacking) == len(self._workers):
                    reasons = dict.fromkeys(self.refusals[item.needs].values())
                    yield item.task, self._given_up(item, BadInput(f"{'; '.join(reasons)}."))
                    continue
                if items and lacking != barred:
                    self.again.appendleft(item)  # it travels with others
                    break
                items.append(item)
                barred = lacking
                if item.deaths:
                    break
            if not items:
                return
            self._send(items, frozenset(self._workers) - barred if barred else frozenset())

    def _next(self, alone: bool) -> _Item[T] | None:
        """The next task to be sent, one under suspicion only alone; None if there is none now."""
        if alone and self.suspects and not any(batch.items[0].deaths for batch in self.flying.values()):
            return self.suspects.popleft()
        if self.again:
            return self.again.popleft()
        task = next(self.source, None)
        if task is None:
            return None
        item = _Item(task, None)
        item.needs = item if self.needs is None else self.needs(task)
        return item

    @property
    def _size(self) -> int:
        """How many tasks the next batch shall have."""
        wanted = int(SPAN / max(self.seconds, 1e-6)) if self.seconds else 1
        return max(1, min(wanted, GROWTH * self.largest))

    def _send(self, items: list[_Item[T]], within: frozenset[str]) -> None:
        import cloudpickle

        key = f"{self._name}-{next(self._numbers)}"
        tasks = cloudpickle.dumps([item.task for item in items])
        topic = self._name if self.on_report else ""
        where: dict[str, Any] = {"workers": sorted(within), "allow_other_workers": False} if within else {}
        future = self.client.submit(_batch, self._load, tasks, _mark(), topic, key=key, pure=False, **where)
        self._await(_Batch(items, future, within))

    def _await(self, batch: _Batch[T]) -> None:
        self.flying[str(batch.future.key)] = batch
        batch.future.add_done_callback(lambda done: self.heard.put(("done", done.key)))

    # -- back -------------------------------------------------------------------------------------------------------

    def _come(self, batch: _Batch[T]) -> Iterator[tuple[T, R]]:
        from distributed.scheduler import KilledWorker

        try:
            answer: _Answer = pickle.loads(batch.future.result(timeout=FETCHED))
        except TimeoutError:  # its worker died with it: it is done again, while others are heard
            self._await(batch)
            return
        except KilledWorker:
            yield from self._died(batch)
            return
        except Exception as fault:
            if batch.future.status == "error":
                raise self._unread(fault) from fault
            if self.client.status != "running":
                raise self.cluster.gone() from None
            self._send_again(batch.items)  # its answer went with the worker that had it
            return
        if answer.refused:
            raise BadInput(answer.refused)
        done = len(answer.told)
        self._send_again(batch.items[done:])
        if done:
            self.seconds = answer.seconds / done if not self.seconds else (self.seconds + answer.seconds / done) / 2
            self.largest = max(self.largest, done)
        for item, (kind, what) in zip(batch.items, answer.told, strict=False):
            if kind == "elsewhere":
                self.refusals.setdefault(item.needs, {})[answer.worker] = what
                self._send_again([item])
        for item, (kind, what) in zip(batch.items, answer.told, strict=False):
            if kind == "result":
                yield item.task, what
            elif kind == "raised":
                raise what

    def _send_again(self, items: list[_Item[T]]) -> None:
        for item in items:
            (self.suspects if item.deaths else self.again).append(item)

    def _died(self, batch: _Batch[T]) -> Iterator[tuple[T, R]]:
        """Every worker that had the batch died: each of its tasks is tried alone, to find the one that did it."""
        for item in batch.items:
            item.deaths += 1
            if item.deaths >= DEATHS:
                sentence = f"Every process that began it has died, {DEATHS} times over: {_brief(item.task)}."
                yield item.task, self._given_up(item, WorkerDied(sentence))
            else:
                self.suspects.append(item)

    def _given_up(self, item: _Item[T], fault: BadInput) -> R:
        if self.unable is None:
            raise fault
        return self.unable(item.task, str(fault))

    def _unread(self, fault: Exception) -> Exception:
        """What a worker could not even begin: it has another plyground, or none."""
        if not isinstance(fault, ImportError | AttributeError | pickle.UnpicklingError):
            return fault
        missing = (getattr(fault, "name", None) or "plyground").partition(".")[0]
        what = f"plyground {version('plyground')}" if missing == "plyground" else missing
        return BadInput(f"A worker cannot do this ({fault}): install {what} there.")


def _brief(task: object) -> str:
    text = repr(task)
    return text if len(text) <= 200 else f"{text[:200]}…"


# -- at a worker -------------------------------------------------------------------------------------------------------


@dataclass
class _Answer:
    """What a batch has come to."""

    worker: str
    told: list[tuple[str, Any]]
    """For the first tasks, in their order: `result`, `elsewhere` or `raised`, and what."""
    seconds: float
    refused: str = ""
    """Why nothing was done at all, in a sentence."""


def _mark() -> tuple[str, str]:
    """What must be the same on both sides: compiled code and fingerprints depend on it."""
    return version("plyground"), ".".join(platform.python_version_tuple()[:2])


_alone = threading.Lock()
"""One batch of a process at a time, however many threads its worker has: players are not made for two."""


def _batch(load: bytes, tasks: bytes, mark: tuple[str, str], topic: str) -> bytes:
    """Do the tasks of a batch in turn, for `LONGEST` seconds."""
    from distributed import get_worker

    worker = get_worker()
    if _mark() != mark:
        (ours, python), (theirs, their_python) = _mark(), mark
        return pickle.dumps(
            _Answer(
                worker.address,
                [],
                0.0,
                f"The worker at {worker.address} has plyground {ours} on Python {python}, and here it is {theirs} on "
                f"{their_python}: install the same there.",
            )
        )
    key = worker.get_current_task()
    with _alone, _Wanted(lambda: _is_wanted(worker, str(key))) as wanted:
        answer = wanted(_done, load, tasks, worker, topic) or _Answer(worker.address, [], 0.0)
    return _pickled(answer)


def _done(load: bytes, tasks: bytes, worker: Any, topic: str) -> _Answer:
    work = _unpickled(load)
    _here.tell = (lambda message: worker.log_event(topic, pickle.dumps(message))) if topic else None
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
    return _Answer(worker.address, told, time.monotonic() - started)


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


def _pickled(answer: _Answer) -> bytes:
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
        while not self._left.wait(TENDED):
            with self._lock:
                if self._running and not self._is_wanted():
                    self._told = True
                    ended = ctypes.py_object(KeyboardInterrupt)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ended)
                    return
