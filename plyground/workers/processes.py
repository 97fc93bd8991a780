"""Worker processes of this machine, each with a pipe to it and one from it; no port is opened.

The first process is started with the first batch, and more while batches wait: so a few short tasks cost one start. A
process that dies is replaced, and its batch is sent again. The end of its standard input ends a process, with all
programs that it has started: so does a power key, or kill -9 of this process.
"""

import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from plyground.sandbox.sandbox import OWN_GROUP, workers_environment
from plyground.workers.channel import DEATHS, BatchMessage, WorkersGone, next_message

MOST_FAILED_STARTS = 3
"""Processes that may fail to start, one after another, before an error is raised."""
CLOSE_SECONDS = 5.0
"""Seconds within which a process must end by itself: as long as it may take to end the programs that it plays with
(`sandbox.END_SECONDS`). Then it is killed.
"""


def processors() -> int:
    """Number of processors that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    # A container or taskset may leave this process fewer processors than the machine has.
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@dataclass(eq=False)
class _PendingBatch:
    """A batch that has no answer yet."""

    key: str
    message: bytes
    within: frozenset[str]
    replies: "queue.SimpleQueue[BatchMessage]"
    deaths: int = 0
    """Number of processes that died with it."""


@dataclass(eq=False)
class _Process:
    """A worker process."""

    popen: "subprocess.Popen[bytes]"
    name: str = field(init=False)
    has_begun: bool = False
    """Whether it has loaded the work of its first batch."""
    batch: _PendingBatch | None = None
    """The batch that it runs, also if that is cancelled."""

    def __post_init__(self) -> None:
        self.name = f"process {self.popen.pid}"

    def write(self, message: bytes) -> None:
        assert self.popen.stdin is not None
        with suppress(OSError):  # it has died, which its listener notices
            self.popen.stdin.write(message)
            self.popen.stdin.flush()

    def close(self) -> None:
        """Close its standard input, which ends it."""
        assert self.popen.stdin is not None
        with suppress(OSError):
            self.popen.stdin.close()


class Processes:
    """Up to `jobs` processes; each runs one batch at a time, and takes the next one as soon as it has answered."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._lock = threading.Lock()
        """Held while batches are handed out or taken back."""
        self._waiting: deque[_PendingBatch] = deque()
        self._processes: list[_Process] = []
        self._failed_starts = 0
        self._closed = False
        self._error_output = tempfile.TemporaryFile()  # noqa: SIM115  # messages of processes that start; `close` closes it

    def channel(self, name: str, *, reports: bool) -> "_LocalChannel":
        """Begin a mapping."""
        return _LocalChannel(self, reports)

    def workers(self) -> list[str]:
        """Names of the processes that have begun; starts one more for each batch that waits, once all have begun.

        Raises:
            WorkersGone: more than `MOST_FAILED_STARTS` processes, one after another, ended before they had begun.
        """
        with self._lock:
            if self._failed_starts > MOST_FAILED_STARTS:
                raise WorkersGone(f"Worker processes end as soon as they begin: {self._last_error_line()}.")
            # No second start before the first process has begun: a few quick games are over by then (0.72 s of CPU with
            # one process, 0.96 s with two, bench/ARENA.md), and a start that fails would fail as many times as there
            # are processors.
            if all(each.has_begun for each in self._processes):
                for _ in range(min(len(self._waiting), self._jobs - len(self._processes))):
                    self._start()
                self._assign_batches()
            return [each.name for each in self._processes if each.has_begun]

    def _start(self) -> None:
        """Start a process. It can import what this process can, and the current folder hides no module."""
        paths = os.pathsep.join(str(Path(path or ".").absolute()) for path in sys.path)
        try:
            popen = subprocess.Popen(
                # -P and an explicit path: a queue.py or random.py in the current folder must not become a module of
                # ours.
                [sys.executable, "-P", "-m", "plyground.workers.process_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._error_output,
                env=workers_environment() | {"PYTHONPATH": paths},
                **OWN_GROUP,
            )
        except OSError as fault:
            raise WorkersGone(f"A worker process cannot be started: {fault.strerror}.") from None
        process = _Process(popen)
        self._processes.append(process)
        threading.Thread(target=self._listen, args=(process,), name="plyground worker's ear", daemon=True).start()

    def _listen(self, process: _Process) -> None:
        """Reader thread: passes on the messages of a process, until it has ended."""
        assert process.popen.stdout is not None
        with suppress(EOFError, OSError, pickle.UnpicklingError):  # the last message may be cut short
            while True:
                kind, value = pickle.load(process.popen.stdout)
                with self._lock:
                    self._handle_message(process, kind, value)
        with self._lock:
            self._handle_death(process)
        process.close()
        process.popen.stdout.close()
        process.popen.wait()

    def _handle_message(self, process: _Process, kind: str, value: object) -> None:
        process.has_begun, self._failed_starts = True, 0
        if kind != "begun" and process.batch is not None:
            batch = process.batch
            if kind != "report":
                process.batch = None
            batch.replies.put(BatchMessage(kind, batch.key, value))  # type: ignore[arg-type]
        self._assign_batches()

    def _handle_death(self, process: _Process) -> None:
        """Give the batch of an ended process to another one, or report it as one that ends processes."""
        self._processes.remove(process)
        # Consecutive ones only: `_handle_message` sets it to 0 when any process begins.
        self._failed_starts += not process.has_begun
        batch = process.batch
        if batch is None or self._closed:
            return
        # A process that ends while it starts says nothing against the batch: it counts as a failed start instead.
        batch.deaths += process.has_begun
        if batch.deaths < DEATHS:
            # First in the queue: others may depend on its result.
            self._waiting.appendleft(batch)
            self._assign_batches()
        else:
            batch.replies.put(BatchMessage("died", batch.key))

    def _assign_batches(self) -> None:
        """Give each idle process the first waiting batch that it may run. Called with the lock held."""
        for process in self._processes:
            if process.batch is not None:
                continue
            for batch in self._waiting:
                if not batch.within or process.name in batch.within:
                    self._waiting.remove(batch)
                    process.batch = batch
                    process.write(batch.message)
                    break

    def send(self, batch: _PendingBatch) -> None:
        """Run a batch as soon as a process is idle."""
        with self._lock:
            self._waiting.append(batch)
            # After a failed start it is `workers`, called twice a second, that tries again: no busy loop of starts.
            if not self._processes and not self._failed_starts:
                self._start()
            self._assign_batches()

    def cancel(self, batches: Sequence[_PendingBatch]) -> None:
        """Stop batches."""
        with self._lock:
            for batch in batches:
                if batch in self._waiting:
                    self._waiting.remove(batch)
                batch.deaths = DEATHS  # if its process dies now, it is not sent again
                for process in self._processes:
                    if process.batch is batch:
                        process.write(pickle.dumps(("cancel", batch.key)))

    def _last_error_line(self) -> str:
        self._error_output.seek(0)
        lines = self._error_output.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "without a word")

    def close(self) -> None:
        """End all processes: each ends with its standard input, and ends the programs that it has started."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            processes = [*self._processes]
            # All inputs are closed before any process is waited for, so they end at the same time.
            for process in processes:
                process.close()
        for process in processes:
            try:
                process.popen.wait(CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                process.popen.kill()
                process.popen.wait()
        self._error_output.close()


class _LocalChannel:
    """The batches of one mapping."""

    def __init__(self, processes: Processes, reports: bool) -> None:
        self._processes, self._reports = processes, reports
        self._messages: queue.SimpleQueue[BatchMessage] = queue.SimpleQueue()
        self._sent: dict[str, _PendingBatch] = {}

    def send(self, key: str, load: bytes, tasks: bytes, within: frozenset[str]) -> None:
        message = pickle.dumps(("batch", key, load, tasks, self._reports))
        self._sent[key] = _PendingBatch(key, message, within, self._messages)
        self._processes.send(self._sent[key])

    def receive(self, timeout: float) -> BatchMessage | None:
        message = next_message(self._messages, timeout)
        if message is None or message.kind == "report":
            return message
        self._sent.pop(message.key, None)
        return message

    def cancel(self, keys: Sequence[str]) -> None:
        self._processes.cancel([self._sent.pop(key) for key in keys if key in self._sent])

    def close(self) -> None:
        pass
