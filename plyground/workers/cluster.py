"""Parallel map over many tasks: in this process, in processes of this machine, or on a Dask cluster.

A task is any value that can be pickled, and the work is any function. Tasks that take a millisecond are sent in
batches, so that not each costs a message; those that take an hour are sent alone.
"""

import logging
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from plyground.errors import BadInput, extra
from plyground.workers.batches import UnableHere, here
from plyground.workers.mapping import STARTED, Mapping
from plyground.workers.processes import REACHED, Processes, processors, reached

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
R = TypeVar("R")


class SchedulerGone(BadInput):
    """The scheduler was there, and does not answer any more."""


class Cluster:
    """Processes that run tasks: `with Cluster(jobs=4) as cluster: for task, result in cluster.map(work, tasks): ...`.

    One job and no scheduler mean this process: then Dask is not even imported. The end of the context, also by Ctrl-C,
    ends the started processes at once, with all programs that they have started; on a shared cluster it ends the tasks.
    """

    def __init__(self, jobs: int = 0, scheduler: str = "", *, here: bool = True) -> None:
        """Check the settings; no process is started yet.

        Args:
            jobs: processes of this machine; 0 means one per processor, or this process alone if Dask is not installed.
            here: whether a single job runs in this process; else in a process of its own, so that it can be measured.
            scheduler: address of a Dask scheduler whose workers are used instead, `tls://host:8786`; Dask's own
                configuration names the certificates.

        Raises:
            BadInput: `jobs` is negative, or Dask is needed and not installed.
        """
        if jobs < 0:
            raise BadInput(f"jobs={jobs}: 0 means one for each processor, 1 means this process alone.")
        self.jobs: int = jobs or (processors() if find_spec("distributed") else 1)
        self.scheduler = scheduler
        self.is_here: bool = here and self.jobs == 1 and not scheduler
        """Whether all tasks run in this process."""
        self._client: Client | None = None
        self._local: Processes | None = None
        if not self.is_here:
            with extra("More than one process"):
                if not scheduler:
                    import cryptography  # noqa: F401  # makes the certificates of processes of this machine
                import distributed  # noqa: F401

    def __enter__(self) -> "Cluster":
        """Start the processes, or connect to the scheduler.

        Raises:
            BadInput: the scheduler does not answer or has no workers, or no process can be started.
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
        # we report errors ourselves, in a sentence; Dask gives its modules' loggers levels of their own
        for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
            if name.partition(".")[0] in ("distributed", "tornado"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
        if self.scheduler:
            self._client = reached(self.scheduler)
        else:
            self._local = Processes(self.jobs)
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
        """End all started processes; further calls do nothing."""
        local, client = self._local, self._client
        self._local = self._client = None
        if local:
            local.close()
        elif client:
            with suppress(Exception):
                client.close(timeout=2)

    def workers(self) -> list[str]:
        """Addresses of all workers that exist now; empty if tasks run in this process.

        Raises:
            BadInput: the scheduler is gone, or processes of this machine cannot be started.
        """
        if self._client is None:
            return []
        if self._local:
            self._local.tend()
        try:
            return sorted(self._client.scheduler_info(n_workers=-1)["workers"])
        except Exception:
            raise self.gone() from None

    def gone(self) -> "SchedulerGone":
        """Error for a scheduler that is gone."""
        return SchedulerGone(
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
        """Apply the work to each task. Yields each task with its result, as results come.

        The next task is taken from `tasks` only when a worker will soon be idle, and after all results so far were
        yielded, so later tasks may depend on them. Each result comes once, also if a task ran twice because a worker
        died.

        Args:
            work: is pickled, and unpickled once in each process: what it stores there stays for its next task. One
                thread of a process works at a time. It may call `report`, and raise `UnableHere`.
            tasks: any number of tasks; None among them means that there is none now: ask again after the next result.
            on_report: called with each report of the work, in the thread that maps.
            needs: key of a task's requirements: after a process was unable to do a task, it gets no other with the same
                key; by default each task has its own.
            unable: makes a result for a task that no process can do, from the reason; by default the reason is raised.

        Raises:
            BadInput: no process can do a task (`WorkerDied` if all that tried it died), or the cluster is gone.
            Exception: what the work raises.
        """
        if self._client is None:
            yield from _done_here(work, tasks, on_report, unable)
            return
        with Mapping(self, self._client, work, iter(tasks), on_report, needs, unable) as mapping:
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
        before = getattr(here, "tell", None)
        here.tell = on_report
        try:
            result = work(task)
        except UnableHere as fault:
            if unable is None:
                raise BadInput(f"{fault}.") from None
            result = unable(task, f"{fault}.")
        finally:
            here.tell = before
        yield task, result
