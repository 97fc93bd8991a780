"""Any search ends soon when another thread says so, and with what it has found by then."""

import asyncio
import itertools
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

import pytest
from waiting import LIMIT

import plyground as pg
from plyground.compiled import threads

SOON = 20.0
"""Seconds after which a test says that a search was not stopped; the searches here would take years."""
EMPTY = pg.Position.initial(pg.Breakthrough())
CYCLIC = pg.Position.initial(pg.Draughts())


def stopped(work: Callable[[threading.Event], object]) -> threading.Thread:
    """Run work in a thread until it has begun; set its event; wait for its end."""
    stop = threading.Event()
    thread = threading.Thread(target=work, args=(stop,), daemon=True)
    thread.start()
    threading.Timer(0.05, stop.set).start()
    thread.join(SOON)
    return thread


def last_report(found: list[pg.Report]) -> Callable[[threading.Event], None]:
    """Work that thinks and keeps its reports."""
    return lambda stop: found.extend(pg.think(EMPTY, stop=stop))


@pytest.mark.usefixtures("speed")
def test_thinking_ends_and_its_last_report_stands() -> None:
    """A stop ends the search as a limit does."""
    found: list[pg.Report] = []
    assert not stopped(last_report(found)).is_alive()
    assert found and found[-1].move in EMPTY.legal_moves


def test_an_event_that_is_set_gives_a_legal_move_all_the_same() -> None:
    """However soon it comes."""
    stop = threading.Event()
    stop.set()
    for position in (EMPTY, CYCLIC):
        assert [*pg.think(position, stop=stop)][-1].move in position.legal_moves


@pytest.mark.usefixtures("speed")
@pytest.mark.parametrize(
    "work",
    [
        lambda stop: pg.search(EMPTY, "alphabeta", 50, stop=stop),
        lambda stop: pg.solve(EMPTY, stop=stop),
        lambda stop: pg.solve(CYCLIC, stop=stop),
    ],
    ids=["search", "solve", "solve a game with cycles"],
)
def test_a_search_without_an_answer_says_that_it_was_stopped(work: Callable[[threading.Event], object]) -> None:
    """It raises; it has nothing to return."""
    said: list[BaseException] = []

    def kept(stop: threading.Event) -> None:
        try:
            work(stop)
        except pg.Stopped as fault:
            said.append(fault)

    assert not stopped(kept).is_alive()
    assert "stopped" in str(said[0])


class StopsItself(pg.Breakthrough):
    """Breakthrough whose rules set an event at a move in the middle of a search."""

    stop, played = threading.Event(), [0]

    def play(self, state: Any, move: int) -> Any:
        self.played[0] += 1
        if self.played[0] == 2000:
            self.stop.set()
        return super().play(state, move)


@pytest.mark.parametrize(
    "work", [lambda at, stop: [*pg.think(at, stop=stop)], lambda at, stop: pg.solve(at, stop=stop)]
)
def test_plain_python_stops_at_the_next_node(work: Callable[[pg.Position, threading.Event], object]) -> None:
    """The search asks the event itself: another thread would let it play dozens of moves."""
    StopsItself.stop, StopsItself.played[0] = threading.Event(), 0
    with suppress(pg.Stopped):
        work(pg.Position.initial(StopsItself()), StopsItself.stop)
    assert 2000 <= StopsItself.played[0] <= 2005


def test_simulations_so_far_are_the_answer() -> None:
    """Monte Carlo search has an answer after any number of simulations."""
    found: list[pg.Report] = []
    stopped(lambda stop: found.append(pg.simulate(EMPTY, pg.Limit(nodes=1 << 40), stop=stop)))
    assert found[0].move in EMPTY.legal_moves


async def first_two() -> list[pg.Report]:
    """Two reports of a search that has many."""
    found = []
    async for report in pg.think_async(EMPTY):
        found.append(report)
        if len(found) == 2:
            break
    return found


def searching() -> set[str]:
    """Threads that think for asyncio."""
    return {thread.name for thread in threading.enumerate() if "think_async" in thread.name}


def ended() -> bool:
    """Whether these have ended, after a while."""
    for thread in threading.enumerate():
        if "think_async" in thread.name:
            thread.join(SOON)
    return not searching()


def test_reports_are_awaited_and_leaving_the_loop_ends_the_search() -> None:
    """The async form ends as `think` does."""
    one, two = asyncio.run(first_two())
    assert (one.depth, two.depth) == (1, 2)
    assert ended()


def test_a_wait_that_is_given_up_ends_its_search() -> None:
    """And not only the waiting."""

    async def all_of_them() -> list[pg.Report]:
        return [report async for report in pg.think_async(EMPTY)]

    async def impatient() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(all_of_them(), 0.1)
        assert await asyncio.to_thread(ended)

    asyncio.run(impatient())


def test_an_error_of_the_caller_reaches_who_awaits() -> None:
    """It is not lost in the thread."""

    async def wrong() -> None:
        async for _ in pg.think_async(EMPTY, threads=0):
            pass

    with pytest.raises(pg.BadInput, match="threads=0"):
        asyncio.run(wrong())


def is_interrupted_at(step: int, work: Callable[[], object]) -> bool:
    """Whether an interrupt came at the n-th line or return of the work, those of Python's own modules among them."""
    steps = itertools.count(1)

    def look(frame: FrameType, event: str, _: object) -> Any:
        if event in ("line", "return") and next(steps) == step:
            raise KeyboardInterrupt
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_ctrl_c_at_any_line_leaves_no_lock() -> None:
    """A thread that is to tell the main one of its end does so, wherever Ctrl-C met the waiting one."""

    def wait_for(completion: threads.Completion) -> None:
        while not completion.wait(0.001):
            pass

    step = 0
    is_going_on = True
    while is_going_on:
        step += 1
        completion = threads.Completion()
        timer = threading.Timer(0.004, completion.set)
        timer.start()
        is_going_on = is_interrupted_at(step, partial(wait_for, completion)) and step < 20
        timer.join(LIMIT)
        assert not timer.is_alive() and completion.is_set()
    assert step > 3
