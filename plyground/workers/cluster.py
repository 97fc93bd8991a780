"""Parallel map over many tasks: in this process, in processes of this machine, or on a Dask cluster.

A task is any value that can be pickled, and the work is any function. Tasks that take a millisecond are sent in
batches, so that not each costs a message; those that take an hour are sent alone.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from plyground.errors import BadInput
from plyground.mapper import map_here
from plyground.workers.channel import Workers
from plyground.workers.mapping import Mapping
from plyground.workers.processes import Processes, processors
from plyground.workers.scheduler import DaskWorkers

T = TypeVar("T")
R = TypeVar("R")


class Cluster:
    """Processes that run tasks: `with Cluster(jobs=4) as cluster: for task, result in cluster.map(work, tasks): ...`.

    One job and no scheduler mean this process. The end of the context, also by Ctrl-C, ends the started processes at
    once, with all programs that they have started; on a shared cluster it ends the tasks. Dask is imported only for a
    scheduler.
    """

    def __init__(self, jobs: int = 0, scheduler: str = "", *, here: bool = True) -> None:
        """Check the settings; no process is started yet.

        Args:
            jobs: processes of this machine; 0 means one per processor.
            here: whether a single job runs in this process; else in a process of its own, so that it can be measured.
            scheduler: address of a Dask scheduler whose workers are used instead, `tls://host:8786`; Dask's own
                configuration names the certificates.

        Raises:
            BadInput: `jobs` is negative.
        """
        if jobs < 0:
            raise BadInput(f"jobs={jobs}: at least 1, or 0, which means one for each processor.")
        self.jobs: int = jobs or processors()
        self.scheduler = scheduler
        # To start one more process costs a quarter of a second of CPU time (bench/ARENA.md).
        self.is_here: bool = here and self.jobs == 1 and not scheduler
        """Whether all tasks run in this process."""
        self._workers: Workers | None = None

    def __enter__(self) -> "Cluster":
        """Connect to the scheduler; processes of this machine are started when there is work for them.

        Raises:
            BadInput: Dask is not installed, or the scheduler does not answer or has no workers.
        """
        if not self.is_here:
            self._workers = DaskWorkers(self.scheduler) if self.scheduler else Processes(self.jobs)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all started processes; further calls do nothing."""
        # Exchanged before it is closed: a second Ctrl-C within `close` must not close it twice.
        workers, self._workers = self._workers, None
        if workers:
            workers.close()

    def workers(self) -> list[str]:
        """Names of all workers that exist now; empty if tasks run in this process.

        Raises:
            BadInput: the scheduler is gone, or processes of this machine cannot be started.
        """
        return self._workers.workers() if self._workers else []

    @property
    def width(self) -> int:
        """Number of tasks that run at a time, once there are enough of them."""
        # Processes of this machine are started when needed, so their number now says nothing; Dask's come and go.
        return max(1, len(self.workers())) if self.scheduler else self.jobs

    def map(
        self,
        work: Callable[[T], R],
        tasks: Iterable[T | None],
        *,
        on_report: Callable[[Any], None] | None = None,
        needs: Callable[[T], Hashable] | None = None,
        unable: Callable[[T, BadInput], R] | None = None,
        alone: bool = False,
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
            alone: each task is sent alone: of a few tasks that others wait for, two may not go to one process.

        Raises:
            BadInput: no process can do a task (`WorkerDied` if all that tried it died), or the cluster is gone.
            Exception: what the work raises.
        """
        if self._workers is None:
            yield from map_here(work, tasks, on_report, unable)
            return
        with Mapping(self._workers, work, iter(tasks), on_report, needs, unable, alone) as mapping:
            yield from mapping.results()
