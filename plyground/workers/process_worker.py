"""Main function of a worker process of this machine: `python -m plyground.workers.process_worker`.

Standard input brings batches, one pickle after another, and standard output takes their answers. The end of the input
ends the process and all programs that it has started.
"""

import os
import pickle
import signal
import sys
import threading
from io import BufferedReader
from queue import SimpleQueue
from typing import Any

import psutil

from plyground.sandbox.sandbox import end_all
from plyground.workers.batches import Stoppable, pickle_answer, prepare_exception, run_batch, unpickle


def main() -> None:
    """Run batches until standard input ends."""
    # The host alone decides: on Ctrl-C it cancels batches and closes the input. An interrupt here as well would come
    # into a task, and look like its failure.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, answers = _take_stream(sys.stdin.fileno(), os.O_RDONLY), _take_stream(sys.stdout.fileno(), os.O_WRONLY)
    batches, cancelled = SimpleQueue[tuple[str, bytes, bytes, bool]](), set[str]()
    threading.Thread(target=_listen, args=(os.fdopen(asked, "rb"), batches, cancelled), daemon=True).start()

    def tell(kind: str, value: Any = None) -> None:
        left = memoryview(pickle.dumps((kind, value)))
        while left:  # a report is written in one call, which a stop of the task cannot cut in two
            left = left[os.write(answers, left) :]

    name, has_begun = f"process {os.getpid()}", False
    while True:
        key, load, tasks, reports = batches.get()
        report = (lambda message: tell("report", pickle.dumps(message))) if reports else None
        try:
            unpickle(load)  # what it imports belongs to the start of the process
            if not has_begun:
                tell("begun")
                _take_stream(
                    sys.stderr.fileno(), os.O_WRONLY
                )  # from now on only programs that it plays with write there
                has_begun = True
            # The default binds this batch's key: the closure outlives the iteration in the poller's thread.
            with Stoppable(lambda key=key: key not in cancelled) as wanted:  # type: ignore[misc]
                answer = pickle_answer(wanted(run_batch, load, tasks, name, report), name)
        except Exception as fault:
            tell("failed", prepare_exception(fault))
        else:
            tell("answer", answer)
        # Keys are never used again; without this the set would grow with every cancelled batch.
        cancelled.discard(key)


def _take_stream(number: int, mode: int) -> int:
    """Take over a standard stream: tasks, and the programs that they start, find an empty one in its place."""
    ours = os.dup(number)
    nothing = os.open(os.devnull, mode)
    os.dup2(nothing, number)
    os.close(nothing)
    return ours


def _listen(asked: BufferedReader, batches: "SimpleQueue[Any]", cancelled: set[str]) -> None:
    """Reader thread: a task may run for hours, and is stopped all the same."""
    try:
        while True:
            kind, *what = pickle.load(asked)
            if kind == "cancel":
                cancelled.add(what[0])
            else:
                batches.put(what)
    finally:  # the input has ended
        _end_process()


def _end_process() -> None:
    """End the process at once: neither a search of hours nor a program that it plays with may delay it."""
    end_all()  # first, since a killed supervisor could end nothing
    for child in psutil.Process().children(recursive=True):
        try:
            child.kill()
        except psutil.Error:
            continue
    # Not `sys.exit`: that would wait for the main thread, which may be in compiled code for hours.
    os._exit(0)


if __name__ == "__main__":
    main()
