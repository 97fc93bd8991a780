"""Limits of the server for unknown visitors: rates and sizes, as `docs/http.md` lists them."""

import asyncio
import os
import sys
import time
from collections import Counter, deque
from collections.abc import Coroutine, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import coroutine
from typing import Any, TypeVar

if sys.platform != "emscripten":  # which has none
    import psutil

Result = TypeVar("Result")

LARGEST_MESSAGE = 64 * 1024
"""Bytes of one request or one WebSocket message."""
PER_ADDRESS = 512
"""People behind one address, such as a class behind one router; `plyground web --per-address` changes it."""
CONNECTIONS_EACH = 8
"""Connections of a person: a WebSocket, six with which a browser fetches a page, and one to spare."""
REQUESTS_AT_ONCE = 32
"""Requests of one WebSocket that are under way."""
SEARCH_PLACES = max(8, 2 * (os.cpu_count() or 1))
"""Quick searches, and as many long ones, that run at once; half as many of the microscope."""
ALIVE_SECONDS = 1.0
"""Seconds between two signs of a connection that a page has asked for: it says when they stay away, and proxies, which
close a connection that is silent for a minute or so, leave it open."""
QUICK_SECONDS = 1.0
"""Seconds: a search that is known to take longer is a long one."""
QUICK_TURN_SECONDS = 1.5
"""Seconds that a quick search keeps its place while others wait for one."""
LEVEL_REPLY_SECONDS, LEVEL_MARGIN_SECONDS = 3.0, 2.0
"""Seconds in which a level's move is there, whatever its search is doing; one that was given more time has that, and
the margin."""
# Plain Python in threads of one interpreter: more at once would make none of them sooner.
LATE_MOVES_AT_ONCE, MOST_WAITING_LATE_MOVES = 4, 10_000
"""Late moves of levels that are found at once, and how many more may wait: one address has half of either at most."""
FIRST_LOOK_SECONDS = 0.5
"""Seconds of an analysis as a quick search, before it is a long one, while other long ones run."""
PLAYER_THREADS = os.cpu_count() or 1
"""Threads of a player."""
# The page in which rules are written imports this module in Pyodide, which has no psutil.
_MEMORY_MIB = psutil.virtual_memory().total // 2**20 if sys.platform != "emscripten" else 0
PLAYER_TABLE_MIB = max(64, min(1024, _MEMORY_MIB // (4 * SEARCH_PLACES)))
"""Mebibytes for a player's table or tree: those of all places together take half of the memory at most."""
MOST_WAITING_SEARCHES = 400
"""Searches that wait for a place."""
EXAMPLES_AT_ONCE, EXAMPLES_WAITING = 2 * SEARCH_PLACES, 600
"""Examples of lessons that run at once, and how many more may wait: one for each person in a room is half of those, as
many as one address may have."""
PROGRAMS_AT_ONCE, PROGRAMS_WAITING = 16, 100
"""Programs that answer outside a saved game at once, and how many more requests may wait for one."""
MOST_SEATED_PROGRAMS = 64
"""Programs and peers that play saved games."""
CLIENTS_REMEMBERED = 10_000
LONGEST_PERSON_NAME = 24
"""Characters of a person's name."""
LONGEST_LINK = 4_000
"""Characters of a link that a teacher shows to a room."""
LONGEST_QR = 500
"""Characters that are drawn as a QR code."""
MOST_PEOPLE = 300
"""People in a room."""
MOST_PEOPLE_OF_ADDRESS = 240
"""People from one address in a room, so that one machine does not fill it."""
MOST_EVENTS = 20_000
"""Most actions in a saved game: moves, takebacks, offers."""


@dataclass(frozen=True)
class RateLimit:
    """Limit of a token bucket: `rate` a second, `burst` at once."""

    rate: float
    burst: float

    def times(self, count: int, least: "RateLimit") -> "RateLimit":
        """The rate of `count` people, at least `least`."""
        return RateLimit(max(self.rate * count, least.rate), max(self.burst * count, least.burst))


REQUESTS = RateLimit(50, 200)
"""Requests of one connection."""
REQUESTS_EACH = RateLimit(1, 20)
"""Requests of one address, for each of its people: a page is about ten."""
FRAMES = RateLimit(100, 1_000)
"""Frames of one WebSocket, of any kind: twice as many as messages, which wait when there are too many."""
LOOP_TIME = RateLimit(0.25, 0.25)
"""Seconds of the event loop's processor that one address uses, while another one uses any."""
RECENT_SECONDS = 1.0
"""Seconds for which an address counts as one that uses the event loop."""
TURN_PAUSE = 0.01
"""Seconds after which it is looked again whether an address may use the event loop."""
GAMES_BEGUN = RateLimit(1, 120)
"""Games that one connection begins."""
GAMES_EACH = RateLimit(1 / 64, 2)
"""New games of one address, for each of its people."""


class Bucket:
    """A token bucket."""

    def __init__(self, rate: RateLimit) -> None:
        self._rate = rate
        self._left, self._seen = rate.burst, time.monotonic()

    def has(self, least: float = 1) -> bool:
        """Whether `least` more is within the rate."""
        now = time.monotonic()
        # The bucket is filled when it is looked at: no timer runs for thousands of addresses.
        self._left = min(self._rate.burst, self._left + (now - self._seen) * self._rate.rate)
        self._seen = now
        return self._left >= least

    def take(self, much: float = 1) -> None:
        """Use an amount; the debt beyond the rate is at most the burst."""
        # The debt is bounded: one dear request must not shut a whole class out for minutes.
        self._left = max(self._left - much, -self._rate.burst)

    @property
    def last_seen(self) -> float:
        """Time (`time.monotonic`) at which it was last looked at."""
        return self._seen


class Buckets:
    """A token bucket for each connection and each address; the oldest is forgotten when there are too many.

    Args:
        what: the word for what is counted, in the singular.
        one: the rate of a connection.
        whole: the rate of an address.
    """

    def __init__(self, what: str, one: RateLimit, whole: RateLimit) -> None:
        self._what, self._one, self._whole = what, one, whole
        self._of: dict[object, Bucket] = {}
        self._addresses: dict[str, Bucket] = {}

    def refusal(self, address: str, connection: object) -> str | None:
        """Use one of a connection and of its address. Returns why not, or None; `connection` is None if unknown."""
        one = _bucket(self._of, connection, self._one) if connection is not None else None
        whole = _bucket(self._addresses, address, self._whole)
        # Both buckets are asked before either is charged: a refused request costs nothing.
        if one and not one.has():
            return (
                f"More than {self._one.burst:g} {self._what}s at once, or {self._one.rate:g} a second: wait a little."
            )
        if not whole.has():
            return (
                f"More than {self._whole.rate:g} {self._what}s a second from one address: wait a little; "
                "plyground web --per-address allows more."
            )
        for bucket in (one, whole):
            if bucket:
                bucket.take()
        return None


def _bucket(of: dict[Any, Bucket], key: object, rate: RateLimit) -> Bucket:
    if key not in of:
        if len(of) >= CLIENTS_REMEMBERED:
            # Dicts keep their order of insertion, so the first is the oldest; its owner only has a
            # full bucket again.
            of.pop(next(iter(of)))
        of[key] = Bucket(rate)
    return of[key]


class LoopTime:
    """Shares of the event loop's time: all work for an address is charged to that address.

    Requests of an address that has used more than `LOOP_TIME` wait in a line. One of each address goes on in a turn of
    the loop: in each turn while no other address uses the loop, else when its time is earned.
    """

    def __init__(self) -> None:
        self._of: dict[str, Bucket] = {}
        """Bucket of each address, the one seen last at the end."""
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}

    def must_wait(self, address: str) -> bool:
        """Whether an address has to wait: it has used its time, or others of it wait."""
        return address in self._lines or not self._bucket(address).has(0)

    def wait(self, address: str) -> asyncio.Future[None]:
        """The end of an address's wait, after those of it that wait already."""
        loop = asyncio.get_running_loop()
        if not self._lines:
            loop.call_soon(self._release_turns)
        turn = loop.create_future()
        self._lines.setdefault(address, deque()).append(turn)
        return turn

    async def await_turn(self, address: str) -> None:
        """Wait until an address may use the loop."""
        if self.must_wait(address):
            await self.wait(address)

    @contextmanager
    def charging(self, address: str) -> Iterator[None]:
        """Charge the thread's processor time within the context to an address."""
        # Processor time of this thread, not of the wall: other work of the machine is not charged.
        began = time.thread_time()
        try:
            yield
        finally:
            self._bucket(address).take(time.thread_time() - began)

    async def charge_steps(self, address: str, work: Coroutine[Any, Any, Result]) -> Result:
        """Result of a coroutine, each step of which is charged to an address."""
        return await self._steps(address, work)

    @coroutine
    def _steps(self, address: str, work: Coroutine[Any, Any, Result]) -> Generator[Any, Any, Result]:
        # This loop does by hand what `await` does: between two steps of the coroutine the event
        # loop serves others, which must not be charged to this address.
        step, given = work.send, None
        while True:
            try:
                with self.charging(address):
                    waits_for = step(given)
            except StopIteration as end:
                result: Result = end.value
                return result
            try:
                step, given = work.send, (yield waits_for)
            except BaseException as fault:  # it is cancelled, or what it waited for failed
                # Errors and cancellation enter where the coroutine waits, so its own `finally` and
                # `except` run.
                step, given = work.throw, fault

    def _bucket(self, address: str) -> Bucket:
        found = self._of.pop(address, None) or Bucket(LOOP_TIME)
        self._of[address] = found
        if len(self._of) > CLIENTS_REMEMBERED:
            del self._of[next(iter(self._of))]
        return found

    def _is_alone(self, address: str) -> bool:
        """Whether no other address uses the loop."""
        if len(self._lines) > 1:
            return False
        # The last one seen is at the end, so the newest other address is found without a search.
        other = next((bucket for each, bucket in reversed(self._of.items()) if each != address), None)
        return other is None or time.monotonic() - other.last_seen > RECENT_SECONDS

    def _release_turns(self) -> None:
        """Let one of each address go on that may."""
        # A turn lets one request of each address go on: a thousand sockets of one machine wait for
        # each other, not others for them.
        may = [each for each in self._lines if self._is_alone(each) or self._bucket(each).has(0)]
        for address in may:
            line = self._lines[address]
            while line and (turn := line.popleft()).done():
                pass  # it waits no more
            if not turn.done():
                turn.set_result(None)
            if not line:
                del self._lines[address]
        if self._lines:
            loop = asyncio.get_running_loop()
            # The rest go on in the next turn of the loop, after all that waits there already.
            loop.call_later(0 if may else TURN_PAUSE, self._release_turns)


class Quotas:
    """Usage of a server by addresses and connections, and its limits.

    Args:
        people: people behind one address.
        sockets: WebSockets in all.
    """

    def __init__(self, people: int = PER_ADDRESS, sockets: int = 4 * PER_ADDRESS) -> None:
        self._people, self._most = people, sockets
        self._requests = Buckets("request", REQUESTS, REQUESTS_EACH.times(people, REQUESTS))
        self._games = Buckets("new game", GAMES_BEGUN, GAMES_EACH.times(people, GAMES_BEGUN))
        self._sockets: Counter[str] = Counter()
        self.time = LoopTime()
        """The event loop's time."""

    def request(self, address: str, connection: object) -> str | None:
        """Count a request. Returns why it is refused, or None."""
        return self._requests.refusal(address, connection)

    def game(self, address: str, connection: object) -> str | None:
        """Count a new game. Returns why it is refused, or None."""
        return self._games.refusal(address, connection)

    def open_socket(self, address: str) -> str | None:
        """Count a WebSocket until `close_socket`. Returns why it is refused, or None."""
        if self._sockets[address] >= self._people:
            return f"At most {self._people} pages from one address; plyground web --per-address allows more."
        # Below the limit of connections: pages that are loaded, and bots over HTTP, need some too.
        if self._sockets.total() >= self._most:
            return f"The server has {self._most} open pages and no room for more."
        self._sockets[address] += 1
        return None

    def close_socket(self, address: str) -> None:
        """No longer count a WebSocket."""
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]
