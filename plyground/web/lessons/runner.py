"""Runner of the lessons' examples: each in a process and a folder of its own, with limits."""

import asyncio
import codecs
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing, closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from plyground.errors import BadInput
from plyground.programs.supervised import Supervisor
from plyground.web.lessons.examples import Code, Example
from plyground.web.lessons.lesson_models import OutputView
from plyground.web.limits import EXAMPLES, EXAMPLES_WAITING
from plyground.workers.fair_queue import Asker, FairQueue, Stop

RUN_SECONDS = 300.0
"""Seconds: a lesson's longest command takes about ten, and minutes if searches are compiled for the first time."""
MOST_OUTPUT = 100_000
"""Most characters of output, and most bytes of a file."""
UNIFORM = {"PYTHONUTF8": "1", "NO_COLOR": "1", "COLUMNS": "80"}
"""Environment that makes the output the same on every system."""


class LessonRunner:
    """Runs examples, a few at a time."""

    def __init__(self) -> None:
        self._queue = FairQueue(EXAMPLES, EXAMPLES_WAITING, "examples")

    async def run(
        self, example: Example | Code, files: Mapping[str, str], asker: Asker
    ) -> AsyncGenerator[OutputView, None]:
        """Yields the example's output so far, then how it ended. Closing the generator ends the example.

        Args:
            example: the example.
            files: content by name of files in its folder.
            asker: the visitor, and the means to stop the run.

        Raises:
            BadInput: the example reads input, or too many wait already.
        """
        if example.asks:
            raise BadInput(f"It asks questions, so type it in a terminal: {example.text}")
        stop = asker.stop
        async with self._queue.place(asker.visitor, stop.begins) as has_place:
            if not has_place:
                yield OutputView(output="", standing="Stopped.")
                return
            with TemporaryDirectory(prefix="plyground", ignore_cleanup_errors=True) as folder:
                async with aclosing(_output(example.run, files, Path(folder), stop)) as parts:
                    async for part in parts:
                        yield part


async def _output(
    words: Sequence[str], files: Mapping[str, str], folder: Path, stop: Stop
) -> AsyncGenerator[OutputView, None]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    with closing(Supervisor([sys.executable, *words], ends_all=True, gentle=True)) as supervisor:
        process = await asyncio.create_subprocess_exec(
            *supervisor.command, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT,
            env=os.environ | UNIFORM, **supervisor.options,
        )  # fmt: skip
        supervisor.attach(process.pid)
        assert process.stdout is not None
        reasons: list[str] = []

        def end(reason: str) -> None:
            reasons.append(reason)
            supervisor.end()

        timer = asyncio.get_running_loop().call_later(RUN_SECONDS, end, f"Ended after {RUN_SECONDS:g} seconds.")
        stop.begins(partial(end, "Stopped."))
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
            yield OutputView(
                output=output[:MOST_OUTPUT], standing=next(iter(reasons), usual), files=_texts(folder, files)
            )
        finally:
            timer.cancel()
            end("No client waits for it.")
            await process.wait()


def _texts(folder: Path, without: Collection[str]) -> dict[str, str]:
    """Texts of the files of a folder, by name."""
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name not in without]
    return {file.name: file.read_text("utf-8", "replace") for file in files if file.stat().st_size <= MOST_OUTPUT}
