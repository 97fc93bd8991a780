"""Dask cluster of this machine alone: scheduler and workers on loopback, by TLS, without HTTP ports.

Loopback keeps the network out. Certificates made for one run keep out the machine's other users: a Dask scheduler or
worker runs any function that it is sent. Dask's HTTP servers, which show tasks and logs, check no certificates.
"""

import json
import logging
from typing import Any

from distributed import Scheduler, Security, SpecCluster, Worker

HOST = "127.0.0.1"
"""The address that the scheduler and the workers listen on."""


class LocalScheduler(Scheduler):
    """A scheduler without its HTTP server."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Open no port."""


class LocalWorker(Worker):
    """A worker without its HTTP server."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Open no port."""


def local_cluster(security: Security, **options: Any) -> Any:
    """A cluster that has a scheduler in this process and no workers; what Dask returns has no types.

    Args:
        security: the certificates of this run.
        options: of the scheduler.
    """
    options |= {"host": HOST, "protocol": "tls://", "port": 0, "dashboard": False, "security": security}
    scheduler = {"cls": LocalScheduler, "options": options}
    return SpecCluster(scheduler=scheduler, security=security, silence_logs=logging.CRITICAL)


def local_worker(scheduler: str, folder: str, security: Security) -> Any:
    """A worker that does one task at a time, and whose files are in a folder; what Dask returns has no types."""
    options: dict[str, Any] = {"host": HOST, "nthreads": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL}
    return LocalWorker(scheduler, local_directory=folder, security=security, **options)


def written(security: Security) -> bytes:
    """Temporary certificates as one line, to be sent to a worker over its standard input."""
    role = security.get_tls_config_for_role("worker")
    return json.dumps([role["cert"], role["key"]]).encode() + b"\n"


def read(line: bytes) -> Security:
    """The certificates in such a line: `Security.temporary` makes one that all roles share."""
    certificate, key = json.loads(line)
    roles = ("client", "scheduler", "worker")
    pairs = {f"tls_{role}_cert": certificate for role in roles} | {f"tls_{role}_key": key for role in roles}
    return Security(require_encryption=True, tls_ca_file=certificate, **pairs)
