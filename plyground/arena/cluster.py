"""Many tasks on many processors: in this process, in processes of this machine, or on any cluster of Dask's.

It knows nothing of arenas: a task is any value that can be pickled, and what is done with it any function. Tasks that
take a millisecond travel together, so that none of them costs a message; those that take an hour travel alone.
"""

import logging
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from plyground.arena.batches import Elsewhere, here
from plyground.arena.extra import extra
from plyground.arena.mapping import STARTED, Mapping
from plyground.arena.processes import REACHED, Processes, processors, reached
from plyground.errors import BadInput

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
R = TypeVar("R")


class Cluster:
    """Processes that do tasks: `with Cluster(jobs=4) as cluster: for task, result in cluster.map(work, tasks): ...`.

    One job and no scheduler mean this process: then Dask is not even imported. Leaving it, also by Ctrl-C, ends the
    processes that it began at once, with all programs that these have started; on somebody's cluster it ends the tasks.
    """

    def __init__(self, jobs: int = 0, scheduler: str = "", *, here: bool = True) -> None:
        """Nothing is begun yet.

        Args:
            jobs: processes of this machine; 0 means as many as it has processors, or this one alone where Dask is not
                installed.
            here: whether one job is done in this process; else it has one of its own, to be measured.
            scheduler: the address of a Dask scheduler whose workers do it instead, `tls://host:8786`; Dask's own
                configuration names the certificates.

        Raises:
            BadInput: fewer than none, or Dask is needed and not installed.
        """
        if jobs < 0:
            raise BadInput(f"jobs={jobs}: 0 means one for each processor, 1 means this process alone.")
        self.jobs = jobs or (processors() if find_spec("distributed") else 1)
        self.scheduler = scheduler
        self.is_here = here and self.jobs == 1 and not scheduler
        """Whether all is done in this process."""
        self._client: Client | None = None
        self._local: Processes | None = None
        if not self.is_here:
            with extra("More than one process"):
                if not scheduler:
                    import cryptography  # noqa: F401  # makes the certificates of processes of this machine
                import distributed  # noqa: F401

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
        except Elsewhere as fault:
            if unable is None:
                raise BadInput(f"{fault}.") from None
            result = unable(task, f"{fault}.")
        finally:
            here.tell = before
        yield task, result
