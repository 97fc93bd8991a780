"""Thinking for asyncio: reports that are awaited; the search ends with the task that waits."""

import threading
from collections.abc import AsyncIterator

from plyground.compiled.clock import Limit
from plyground.compiler.backends.stack import DeepThread
from plyground.engine.report import Report
from plyground.engine.think import think
from plyground.errors import check_arguments
from plyground.position import Position
from plyground.search.table import PLAYING


@check_arguments
async def think_async(
    position: Position,
    limit: Limit | None = None,
    *,
    every_move: bool = False,
    lines: int = 1,
    threads: int = 1,
    table: int = PLAYING,
) -> AsyncIterator[Report]:
    """Think as `think` does, for `async for`: the search runs in a thread of its own, and the event loop goes on.

    The search ends within 10 ms when the task that waits for a report is cancelled, as by `asyncio.wait_for` and
    `asyncio.timeout`, and when the loop is left. It does not wait for its reports to be taken.

    >>> import asyncio
    >>> async def last() -> str:
    ...     async for report in think_async(Position.parse("tictactoe", "a1 b1 a2 b2"), Limit(depth=3)):
    ...         score = report.score
    ...     return score.text()
    >>> asyncio.run(last())
    'x wins in 1 ply'

    The parameters and errors are those of `think`, of which `stop` is not needed: cancel the task.
    """
    import asyncio  # here, for it takes longer to import than a search

    loop, reports, halt = asyncio.get_running_loop(), asyncio.Queue[Report | BaseException | None](), threading.Event()

    def put(found: Report | BaseException | None) -> None:
        # A closed event loop raises RuntimeError at a call, and has no waiting reader.
        if not loop.is_closed():
            loop.call_soon_threadsafe(reports.put_nowait, found)

    def body() -> None:
        options = {"every_move": every_move, "lines": lines, "threads": threads, "table": table}
        try:
            for report in think(position, limit, stop=halt, **options):  # type: ignore[arg-type]
                put(report)
            put(None)
        except BaseException as fault:
            put(fault)

    DeepThread(target=body, name="plyground think_async", daemon=True).start()
    try:
        while (found := await reports.get()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        # Also where the task was cancelled: `finally` runs at the `await`, and the search ends at its next node.
        halt.set()
