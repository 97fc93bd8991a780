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
from plyground.workers.channel import DEATHS, Heard, WorkersGone, next_heard

FUTILE = 3
"""Processes that may fail to start, one after another, before an error is raised."""
CLOSE_SECONDS = 5.0
"""Seconds within which a process must end by itself."""


def processors() -> int:
    """Number of processors that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@dataclass(eq=False)
class _Sent:
    """A batch that has no answer yet."""

    key: str
    message: bytes
    within: frozenset[str]
    heard: "queue.SimpleQueue[Heard]"
    deaths: int = 0
    """Number of processes that died with it."""


@dataclass(eq=False)
class _Process:
    """A worker process."""

    popen: "subprocess.Popen[bytes]"
    name: str = field(init=False)
    is_up: bool = False
    """Whether it has loaded the work of its first batch."""
    batch: _Sent | None = None
    """The batch that it runs, also if that is cancelled."""

    def __post_init__(self) -> None:
        self.name = f"process {self.popen.pid}"

    def write(self, message: bytes) -> None:
        assert self.popen.stdin is not None
        with suppress(OSError):  # it has died, which its listener notices
            self.popen.stdin.write(message)
            self.popen.stdin.flush()

    def close(self) -> None:
        """Let it end."""
        assert self.popen.stdin is not None
        with suppress(OSError):
            self.popen.stdin.close()


class Processes:
    """Up to `jobs` processes; each runs one batch at a time, and takes the next one as soon as it has answered."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._lock = threading.Lock()
        """Held while batches are handed out or taken back."""
        self._waiting: deque[_Sent] = deque()
        self._processes: list[_Process] = []
        self._futile = 0
        self._closed = False
        self._words = tempfile.TemporaryFile()  # noqa: SIM115  # messages of processes that start; `close` closes it

    def channel(self, name: str, *, reports: bool) -> "_LocalChannel":
        """Begin a mapping."""
        return _LocalChannel(self, reports)

    def workers(self) -> list[str]:
        """Names of the processes that have begun; starts one more for each batch that waits, once all have begun.

        Raises:
            WorkersGone: more than `FUTILE` processes, one after another, ended before they had begun.
        """
        with self._lock:
            if self._futile > FUTILE:
                raise WorkersGone(f"Worker processes end as soon as they begin: {self._last_words()}.")
            if all(each.is_up for each in self._processes):
                for _ in range(min(len(self._waiting), self._jobs - len(self._processes))):
                    self._start()
                self._hand_out()
            return [each.name for each in self._processes if each.is_up]

    def _start(self) -> None:
        """Start a process. It can import what this process can, and the current folder hides no module."""
        paths = os.pathsep.join(str(Path(path or ".").absolute()) for path in sys.path)
        try:
            popen = subprocess.Popen(
                [sys.executable, "-P", "-m", "plyground.workers.process_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._words,
                env=workers_environment() | {"PYTHONPATH": paths},
                **OWN_GROUP,
            )
        except OSError as fault:
            raise WorkersGone(f"A worker process cannot be started: {fault.strerror}.") from None
        process = _Process(popen)
        self._processes.append(process)
        threading.Thread(target=self._listen, args=(process,), name="plyground worker's ear", daemon=True).start()

    def _listen(self, process: _Process) -> None:
        """Reader thread: passes on what a process says, until it has ended."""
        assert process.popen.stdout is not None
        with suppress(EOFError, OSError, pickle.UnpicklingError):  # the last message may be cut short
            while True:
                kind, value = pickle.load(process.popen.stdout)
                with self._lock:
                    self._hear(process, kind, value)
        with self._lock:
            self._lose(process)
        process.close()
        process.popen.stdout.close()
        process.popen.wait()

    def _hear(self, process: _Process, kind: str, value: object) -> None:
        process.is_up, self._futile = True, 0
        if kind != "begun" and process.batch is not None:
            batch = process.batch
            if kind != "report":
                process.batch = None
            batch.heard.put(Heard(kind, batch.key, value))  # type: ignore[arg-type]
        self._hand_out()

    def _lose(self, process: _Process) -> None:
        """A process has ended: its batch is sent to another one, or reported as one that ends processes."""
        self._processes.remove(process)
        self._futile += not process.is_up
        batch = process.batch
        if batch is None or self._closed:
            return
        batch.deaths += process.is_up
        if batch.deaths < DEATHS:
            self._waiting.appendleft(batch)
            self._hand_out()
        else:
            batch.heard.put(Heard("died", batch.key))

    def _hand_out(self) -> None:
        """Give each idle process a batch that waits, if there is one for it."""
        for process in self._processes:
            if process.batch is not None:
                continue
            for batch in self._waiting:
                if not batch.within or process.name in batch.within:
                    self._waiting.remove(batch)
                    process.batch = batch
                    process.write(batch.message)
                    break

    def send(self, batch: _Sent) -> None:
        """Run a batch as soon as a process is idle."""
        with self._lock:
            self._waiting.append(batch)
            if not self._processes and not self._futile:
                self._start()
            self._hand_out()

    def cancel(self, batches: Sequence[_Sent]) -> None:
        """Stop batches."""
        with self._lock:
            for batch in batches:
                if batch in self._waiting:
                    self._waiting.remove(batch)
                batch.deaths = DEATHS  # if its process dies now, it is not sent again
                for process in self._processes:
                    if process.batch is batch:
                        process.write(pickle.dumps(("cancel", batch.key)))

    def _last_words(self) -> str:
        self._words.seek(0)
        lines = self._words.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "without a word")

    def close(self) -> None:
        """End all processes: each ends with its standard input, and ends the programs that it has started."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            processes = [*self._processes]
            for process in processes:
                process.close()
        for process in processes:
            try:
                process.popen.wait(CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                process.popen.kill()
                process.popen.wait()
        self._words.close()


class _LocalChannel:
    """The batches of one mapping."""

    def __init__(self, processes: Processes, reports: bool) -> None:
        self._processes, self._reports = processes, reports
        self._heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        self._sent: dict[str, _Sent] = {}

    def send(self, key: str, load: bytes, tasks: bytes, within: frozenset[str]) -> None:
        message = pickle.dumps(("batch", key, load, tasks, self._reports))
        self._sent[key] = _Sent(key, message, within, self._heard)
        self._processes.send(self._sent[key])

    def receive(self, timeout: float) -> Heard | None:
        heard = next_heard(self._heard, timeout)
        if heard is None or heard.kind == "report":
            return heard
        self._sent.pop(heard.key, None)
        return heard

    def cancel(self, keys: Sequence[str]) -> None:
        self._processes.cancel([self._sent.pop(key) for key in keys if key in self._sent])

    def close(self) -> None:
        pass
