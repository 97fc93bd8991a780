"""Runner of the lessons' examples: each in a process and a folder of its own, with limits."""

import asyncio
import codecs
import os
import stat
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing, closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp

import psutil

from plyground.errors import BadInput
from plyground.sandbox.folders import remove_tree
from plyground.sandbox.program_clock import cpu_seconds
from plyground.sandbox.sandbox import (
    CHECK_INTERVAL,
    STRANGER_BOUNDS,
    Supervisor,
    confine,
    excess_of,
    small_environment,
    temporary_folder_variables,
    tree_of,
    watch_failure,
)
from plyground.web.lessons.examples import Code, Example
from plyground.web.lessons.lesson_models import OutputView
from plyground.web.limits import EXAMPLES_AT_ONCE, EXAMPLES_WAITING
from plyground.workers.fair_queue import Asker, FairQueue, Stop
from plyground.workers.shares import Visitor

RUN_SECONDS = 300.0
"""Seconds: a lesson's longest command takes about ten, and minutes if searches are compiled for the first time."""
SHORT_CPU_SECONDS, LONG_NICENESS = 1.0, 15
"""Seconds of the processor after which a run is a long one, and its niceness then: short ones go before it."""
READER_CPU_SECONDS = 60.0
"""Seconds of the processor after which code of a reader's is ended: grading the slowest right search takes a tenth."""
TURN_CPU_SECONDS, TURN_SECONDS = 10.0, 30.0
"""Seconds of the processor, and seconds in all, after which a run is ended if another waits for its place."""
MOST_OUTPUT = 100_000
"""Most characters of output, and most bytes of a file."""
MOST_FILES, MOST_BYTES = 20, 400_000
"""Most files of a run's folder that are shown, and most bytes of them together."""
MOST_NAMES = 2_000
"""Most files of a run's folder that are looked at."""
UNIFORM = {"PYTHONUTF8": "1", "NO_COLOR": "1", "COLUMNS": "80"}
"""Environment that makes the output the same on every system."""


class LessonRunner:
    """Runs examples, a few at a time."""

    def __init__(self) -> None:
        self._queue = FairQueue(EXAMPLES_AT_ONCE, EXAMPLES_WAITING, "examples")

    async def run(
        self,
        example: Example | Code,
        files: Mapping[str, str],
        asker: Asker,
        turn: Visitor | None = None,
        *,
        by_reader: bool = False,
    ) -> AsyncGenerator[OutputView, None]:
        """Yields the example's output so far, at last with its ending. Closing the generator ends the example.

        Args:
            example: the example.
            files: content by name of files in its folder.
            asker: the visitor, and the means to stop the run.
            turn: who asks, as turns count people; the visitor if None.
            by_reader: whether a reader has written some of its code, so that it is confined where the system can.

        Raises:
            BadInput: the example reads input, or too many wait already.
        """
        if example.reads_input:
            raise BadInput(f"It asks questions, so type it in a terminal: {example.text}")
        stop, turn = asker.stop, turn or asker.visitor
        # A place first, then the folder: runs that wait take no disk.
        async with self._queue.place(turn, stop.begins) as has_place:
            if not has_place:
                yield OutputView(output="", standing="Stopped.")
                return
            folder = Path(mkdtemp(prefix="plyground"))
            try:
                is_wanted = partial(self._queue.is_wanted, turn)
                output = _run_example(example.run, files, folder, stop, is_wanted, by_reader=by_reader)
                async with aclosing(output) as parts:
                    async for part in parts:
                        yield part
            finally:
                await asyncio.to_thread(remove_tree, folder)  # there may be many files


async def _run_example(
    words: Sequence[str],
    files: Mapping[str, str],
    folder: Path,
    stop: Stop,
    is_wanted: Callable[[], bool],
    *,
    by_reader: bool,
) -> AsyncGenerator[OutputView, None]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, *words]
    if by_reader:
        # The call is in a thread, since the first one tries bubblewrap; the run sees nothing but
        # Python and its folder.
        command = await asyncio.to_thread(confine, command, folder, ())
    with closing(Supervisor(command, STRANGER_BOUNDS, ends_all=True, gentle=True)) as supervisor:
        process = await asyncio.create_subprocess_exec(
            *supervisor.command, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT,
            env=small_environment() | temporary_folder_variables(folder, at_home=by_reader) | UNIFORM,
            **supervisor.options,
        )  # fmt: skip
        supervisor.attach(process.pid)
        assert process.stdout is not None
        reasons: list[str] = []

        def end(reason: str) -> None:
            reasons.append(reason)
            supervisor.end()

        most_work = READER_CPU_SECONDS if by_reader else RUN_SECONDS
        watch = asyncio.create_task(_watch_run(process.pid, folder, end, is_wanted, most_work))
        timer = asyncio.get_running_loop().call_later(RUN_SECONDS, end, f"Ended after {RUN_SECONDS:g} seconds.")
        stop.begins(partial(end, "Stopped."))
        # A character may be cut by the read; bytes that are no UTF-8 become replacement characters.
        decoder, output = codecs.getincrementaldecoder("utf-8")("replace"), ""
        try:
            while data := await process.stdout.read(65_536):
                output += decoder.decode(data)
                if len(output) > MOST_OUTPUT:
                    end(f"Ended: it printed more than {MOST_OUTPUT:,} characters.")
                    break
                yield OutputView(output=output, standing="Running…")
            code = await process.wait()
            usual = "Done." if code == 0 else f"Done, with exit code {code}."
            left, rest = await asyncio.to_thread(_read_left_files, folder, files)
            standing = " ".join(filter(None, [next(iter(reasons), usual), rest]))
            yield OutputView(output=output[:MOST_OUTPUT], standing=standing, files=left)
        finally:
            timer.cancel()
            watch.cancel()
            # The run ends also when the generator is closed, as by a page that goes away.
            end("No client waits for it.")
            await process.wait()


async def _watch_run(
    number: int, folder: Path, end: Callable[[str], None], is_wanted: Callable[[], bool], most_work: float
) -> None:
    """End a run that takes too much or works too long, or has had its turn while another waits. Looked at in a thread.

    Args:
        number: ID of the process that supervises the run.
        folder: the run's folder.
        end: ends it, with a sentence.
        is_wanted: whether another run would begin if this one gave up its place.
        most_work: seconds of the processor after which it is ended in any case.
    """
    began = time.monotonic()
    while True:
        await asyncio.sleep(CHECK_INTERVAL)
        try:
            excess, worked = await asyncio.to_thread(_usage, number, folder)
        except Exception as fault:  # unwatched it would have no bounds
            excess, worked = watch_failure(fault), 0.0
        if excess:
            end(f"{excess[0].upper()}{excess[1:]}.")
        elif worked > most_work:
            end(f"Ended after {most_work:g} seconds of work. Does it ever end?")
        elif (worked > TURN_CPU_SECONDS or time.monotonic() - began > TURN_SECONDS) and is_wanted():
            end(f"Ended after {max(worked, TURN_CPU_SECONDS):.0f} seconds of work, for others wait. Does it ever end?")


def _usage(number: int, folder: Path) -> tuple[str, float]:
    """Reason to end a run, empty for none, and its CPU seconds. Lowers the priority of a long one."""
    tree = tree_of(number)
    run, worked = tree if sys.platform == "win32" else tree[:-1], cpu_seconds(tree)
    if worked > SHORT_CPU_SECONDS and sys.platform != "win32":
        for each in run:
            with suppress(psutil.Error):
                # The priority is never raised again: on Unix only root may.
                each.nice(LONG_NICENESS)
    return excess_of(run, STRANGER_BOUNDS, folder), worked


def _read_left_files(folder: Path, without: Collection[str]) -> tuple[dict[str, str], str]:
    """Texts of the files that a run has left, by name, and a sentence on those that are left out.

    Links are not followed, and of many or large files only so much is read as is shown.
    """
    texts: dict[str, str] = {}
    try:
        with os.scandir(folder) as entries:
            seen = [each.name for each in islice(entries, MOST_NAMES) if not each.is_dir(follow_symlinks=False)]
    except OSError as fault:  # the run has removed it, or let nobody read it
        return {}, f"Its folder cannot be read: {fault.strerror}."
    names = sorted(name for name in seen if name not in without)
    room = MOST_BYTES
    for name in names:
        data = _read_bounded(folder / name, min(MOST_OUTPUT, room)) if len(texts) < MOST_FILES else None
        if data is not None and name.isprintable():
            texts[name] = data.decode("utf-8", "replace")
            room -= len(data)
    if not (out := len(names) - len(texts)):
        return texts, ""
    count = f"{out:,} or more files are" if len(seen) >= MOST_NAMES else f"{out:,} file{' is' if out == 1 else 's are'}"
    bounds = f"{MOST_FILES} are at most, without links, {MOST_OUTPUT:,} bytes of one and {MOST_BYTES:,} of all"
    return texts, f"{count} not shown: {bounds}."


def _read_bounded(path: Path, most: int) -> bytes | None:
    """Content of a file of at most `most` bytes; None for a larger one, a link or a pipe."""
    try:
        # The file is opened without following or waiting: the run may have made a link to a file of
        # ours, or a pipe without a writer.
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(file, "rb") as opened:
            found = os.fstat(file)
            # The open file is asked, which the run can no longer exchange; a second link may be to
            # a file elsewhere.
            if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1 or found.st_size > most:
                return None
            return opened.read(most)
    except OSError:
        return None
