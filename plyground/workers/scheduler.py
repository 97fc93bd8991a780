"""The workers of a Dask scheduler: batches are sent to them, and answers fetched from them."""

import logging
import queue
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from plyground.errors import BadInput, extra
from plyground.workers.batches import required_versions, run_batch_on_dask
from plyground.workers.channel import BatchMessage, WorkersGone, next_message

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 5.0
"""Seconds within which a scheduler must answer, and must have a worker."""
FETCH_SECONDS = 1.0
"""Seconds to fetch the outcome of a batch; a result stays on its worker, which may have died since."""


class SchedulerGone(WorkersGone):
    """The scheduler was there, and does not answer any more."""


def is_encrypted(scheduler: str) -> bool:
    """Whether a scheduler at this address uses TLS, and so checks the certificates of all clients."""
    return scheduler.startswith(("tls://", "wss://"))


def _reach_scheduler(scheduler: str) -> "Client":
    """Connect to a scheduler.

    Raises:
        BadInput: Dask's configuration names no certificates for TLS (`WorkersGone`: it does not answer).
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
            # Not the default client: another library of the same process may use Dask with a scheduler of its own.
            return Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as fault:
        why = str(fault).partition("\n")[0] or type(fault).__name__
        raise WorkersGone(
            f"No scheduler answers at {scheduler}: start one with dask scheduler, and name the address that it prints, "
            f"as in tls://localhost:8786 ({why})."
        ) from None


class DaskWorkers:
    """The workers of a scheduler; they may come and go."""

    def __init__(self, scheduler: str) -> None:
        """Connect.

        Raises:
            BadInput: Dask is not installed, or the scheduler does not answer or has no workers.
        """
        with extra("A scheduler"):
            import distributed  # noqa: F401
        # we report errors ourselves, in a sentence; Dask gives its modules' loggers levels of their own
        for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
            if name.partition(".")[0] in ("distributed", "tornado"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
        self._scheduler = scheduler
        self.client = _reach_scheduler(scheduler)
        since = time.monotonic()
        try:
            while not self.workers():
                if time.monotonic() - since > CONNECT_SECONDS:
                    raise WorkersGone(
                        f"The scheduler at {scheduler} has no workers: start one with "
                        f"dask worker {scheduler} --nworkers auto --nthreads 1."
                    )
                time.sleep(0.05)
        except BaseException:
            self.close()
            raise

    def workers(self) -> list[str]:
        """Addresses of all workers.

        Raises:
            SchedulerGone: the scheduler does not answer any more.
        """
        if self.client.status not in ("running", "connecting"):
            raise self.gone_error()
        try:
            return sorted(self.client.scheduler_info(n_workers=-1)["workers"])
        except Exception:
            raise self.gone_error() from None

    def gone_error(self) -> SchedulerGone:
        """Error for a scheduler that is gone."""
        return SchedulerGone(f"The scheduler at {self._scheduler} is gone: what was done until then is kept.")

    def channel(self, name: str, *, reports: bool) -> "_DaskChannel":
        """Begin a mapping."""
        return _DaskChannel(self, name, reports)

    def close(self) -> None:
        """Disconnect; the scheduler and its workers, which may be shared, go on."""
        with suppress(Exception):
            self.client.close(timeout=2)


class _DaskChannel:
    """The batches of one mapping."""

    def __init__(self, cluster: DaskWorkers, name: str, reports: bool) -> None:
        self._cluster, self._client = cluster, cluster.client
        self._topic = name if reports else ""
        self._messages: queue.SimpleQueue[BatchMessage] = queue.SimpleQueue()  # from Dask's threads
        self._futures: dict[str, Future[bytes]] = {}
        if reports:
            self._client.subscribe_topic(name, lambda event: self._messages.put(BatchMessage("report", "", event[1])))

    def send(self, key: str, load: bytes, tasks: bytes, within: frozenset[str]) -> None:
        # `allow_other_workers` would turn the restriction into a wish, and a worker that lacks a program would be asked
        # again.
        where: dict[str, Any] = {"workers": sorted(within), "allow_other_workers": False} if within else {}
        given = load, tasks, required_versions(), self._topic
        self._add_future(self._client.submit(run_batch_on_dask, *given, key=key, pure=False, **where))

    def _add_future(self, future: "Future[bytes]") -> None:
        self._futures[str(future.key)] = future
        future.add_done_callback(lambda done: self._messages.put(BatchMessage("answer", str(done.key))))

    def receive(self, timeout: float) -> BatchMessage | None:
        from distributed.scheduler import KilledWorker

        message = next_message(self._messages, timeout)
        if message is None or message.kind == "report":
            return message
        if not (future := self._futures.pop(message.key, None)):  # it was cancelled
            return None
        try:
            return message._replace(value=future.result(timeout=FETCH_SECONDS))
        except TimeoutError:  # its worker died with it: it is sent again, while others are received
            self._add_future(future)
            return None
        # Dask has tried it on several workers by itself: `distributed.scheduler.allowed-failures`, 3 by default.
        except KilledWorker:
            return BatchMessage("died", message.key)
        except Exception as fault:
            if future.status == "error":
                return BatchMessage("failed", message.key, fault)
            if self._client.status != "running":
                raise self._cluster.gone_error() from None
            return BatchMessage("lost", message.key)  # with its worker

    def cancel(self, keys: Sequence[str]) -> None:
        futures = [self._futures.pop(key) for key in keys if key in self._futures]
        with suppress(Exception):
            self._client.cancel(futures, force=True)

    def close(self) -> None:
        with suppress(Exception):
            if self._topic:
                self._client.unsubscribe_topic(self._topic)
