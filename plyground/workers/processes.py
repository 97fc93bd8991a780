"""Processes for a cluster's tasks: workers of this machine, or those of an existing Dask scheduler."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.errors import BadInput
from plyground.programs.supervised import OWN_GROUP

if TYPE_CHECKING:
    from distributed import Client

DEATHS = 2
"""Times that all workers of a batch with a task die until the task is given up; for Dask, `allowed_failures`."""
FUTILE = 3
"""Worker processes of this machine that may fail to start, one after another, before the cluster fails."""
REACHED = 5.0
"""Seconds within which a scheduler must answer."""


def processors() -> int:
    """Number of processors that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def is_encrypted(scheduler: str) -> bool:
    """Whether a scheduler at this address uses TLS, and so checks the certificates of all clients."""
    return scheduler.startswith(("tls://", "wss://"))


def reached(scheduler: str) -> "Client":
    """Connect to an existing cluster.

    Raises:
        BadInput: it does not answer, or Dask's configuration names no certificates for TLS.
    """
    import warnings

    from distributed import Client, Security
    from distributed.versions import VersionMismatchWarning

    if is_encrypted(scheduler):
        try:
            certified = Security().get_connection_args("client")["ssl_context"]
        except (OSError, ValueError) as fault:  # ssl.SSLError is an OSError
            raise BadInput(f"The certificates that Dask's configuration names cannot be used: {fault}.") from None
        if certified is None:
            raise BadInput(
                f"{scheduler} needs certificates, and Dask's configuration names none: set "
                f"distributed.comm.tls.ca-file and distributed.comm.tls.client.cert."
            )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # each worker checks the versions that matter
            return Client(scheduler, timeout=REACHED, set_as_default=False)
    except Exception as fault:
        why = str(fault).partition("\n")[0] or type(fault).__name__
        raise BadInput(
            f"No scheduler answers at {scheduler}: start one with dask scheduler, and name the address that it prints, "
            f"as in tls://localhost:8786 ({why})."
        ) from None


class Processes:
    """A scheduler in this process, and worker processes of this machine; one that dies is replaced."""

    def __init__(self, jobs: int) -> None:
        from distributed import Client, Security

        from plyground.workers.local_cluster import local_cluster, written

        self._folder = Path(tempfile.mkdtemp(prefix="plyground-"))
        self._workers: list[subprocess.Popen[bytes]] = []
        self._futile = 0
        self._cluster: Any = None  # Dask's cluster has no types
        self.client: Client | None = None
        atexit.register(self.close)  # for callers that never close the cluster
        try:
            security = Security.temporary()
            self._certificates = written(security)
            self._cluster = local_cluster(security, allowed_failures=DEATHS)
            self._workers = [self._started() for _ in range(jobs)]
            self.client = Client(self._cluster, set_as_default=False)
        except BaseException:
            self.close()
            raise

    def _started(self) -> subprocess.Popen[bytes]:
        """Start a worker process. It can import what this process can, and the current folder hides no module."""
        paths = os.pathsep.join(str(Path(path or ".").absolute()) for path in sys.path)
        command = [sys.executable, "-P", "-m", "plyground.workers.dask_worker", self._cluster.scheduler_address]
        try:
            with self._words.open("ab") as words:
                worker = subprocess.Popen(
                    [*command, str(self._folder)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=words,
                    env=os.environ | {"PYTHONPATH": paths},
                    **OWN_GROUP,
                )
        except OSError as fault:
            raise BadInput(f"A worker process cannot be started: {fault.strerror}.") from None
        assert worker.stdin is not None
        with suppress(OSError):  # one that has ended already is replaced or reported as any other
            worker.stdin.write(self._certificates)
            worker.stdin.flush()
        return worker

    def tend(self) -> None:
        """Replace the workers that have died.

        Raises:
            BadInput: more than `FUTILE` of them, one after another, ended before they had started.
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
        """File of the workers' messages while they start."""
        return self._folder / "words"

    def _let_go(self, worker: subprocess.Popen[bytes]) -> None:
        assert worker.stdin is not None
        with suppress(OSError):
            worker.stdin.close()

    def close(self) -> None:
        """End all workers: each ends with its standard input, and ends the programs that it has started."""
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
