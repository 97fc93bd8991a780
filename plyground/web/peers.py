"""Players elsewhere that play kept games: programs and peers, which remember.

A search is asked in any process and forgets; a program or a peer is one, keeps its connection for as long as its game
goes on, and is sent only what is new. So they live here, in the server's own process, one for each seat of a kept game.
Each is asked in a thread, for it may take as long as it was given, whatever else is asked of the server.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar, cast
from weakref import WeakValueDictionary

from plyground.errors import BadInput
from plyground.play.referee import Failed, Player, close, take_back
from plyground.players import player_named
from plyground.position import Position
from plyground.web.limits import PROGRAMS, PROGRAMS_WAITING, SEATED
from plyground.web.queue import FairQueue
from plyground.web.shares import SERVER, Shares, TooMany, Visitor
from plyground.wire.external import External
from plyground.wire.remote import Elsewhere

WITHIN = 0.1
"""Seconds between two attempts to end a program that is being started."""
AWAY = 300.0
"""Seconds that a program stays in a game that nobody follows or asks it in: a page may be loaded again."""
LOOK = 10.0
"""Seconds between two looks at who is wanted."""
Seat = tuple[str, int]
"""A kept game and a side in it, 0 or 1."""
Answer = TypeVar("Answer")


@dataclass
class _Held:
    """One player, used by one thread at a time, and its last answer: two tabs ask the same."""

    spec: str
    player: Player
    visitor: Visitor
    wanted: float = field(default_factory=time.monotonic)
    """When somebody last asked it, or followed its game."""
    is_left: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: Position | None = None
    answer: int = 0

    def choose(self, position: Position) -> int:
        with self.lock:
            if self.is_left:
                raise Failed("nobody waits for its answer any more")
            if self.asked != position:
                self.answer, self.asked = position.legal(self.player.choose(position, None)), position
            return self.answer

    def take_back(self, position: Position, seat: int) -> None:
        with self.lock:
            take_back(self.player, position, seat)
            self.asked = None

    def close(self) -> None:
        with self.lock:
            self.is_left = True  # who asks now would start it again
            close(self.player)

    def end(self) -> None:
        """Close it also while it is asked."""
        self.is_left = True
        while not self.lock.acquire(timeout=WITHIN):
            close(self.player)  # who waits for its answer is told that it has gone
        close(self.player)
        self.lock.release()


class Peers:
    """The players elsewhere of all kept games. Used from the server's event loop.

    Args:
        is_watched: whether somebody follows a game that still goes on. What plays in another may be closed.
    """

    def __init__(self, is_watched: Callable[[str], bool]) -> None:
        self._is_watched = is_watched
        self._held: dict[Seat, _Held] = {}
        """Those who have a place."""
        self._sitting = WeakValueDictionary[Seat, asyncio.Lock]()
        """Who sits down at a seat; a second one who wants to waits."""
        self._seats = Shares[Seat](SEATED, 0, "programs")
        self._queue = FairQueue(PROGRAMS, PROGRAMS_WAITING, "questions to programs")

    async def reply(
        self, name: str, spec: str, position: Position, seat: Seat | None, visitor: Visitor = SERVER
    ) -> int:
        """A player's move: in a kept game by the one that plays there; else by one that is there for this answer alone.

        Args:
            name: what the page calls the player.
            spec: what makes it.
            position: where it is to move.
            seat: where it plays.
            visitor: who asks.

        Raises:
            Resigned: it gives up.
            BadInput: it fails, or cannot be brought to this position; asking again makes a new attempt. Or too many
                programs are asked already.
        """
        if seat is not None:
            return await self._answer(name, await self._seated(seat, spec, visitor), position)
        async with self._queue.place(visitor):
            held = _Held(spec, player_named(spec), visitor)
            try:
                return await self._answer(name, held, position)
            finally:
                await self._in_thread(held.end)

    async def _answer(self, name: str, held: _Held, position: Position) -> int:
        try:
            held.wanted = time.monotonic()
            return await self._in_thread(lambda: held.choose(position))
        except Failed as fault:
            others = sum(other.spec == held.spec and other is not held for other in self._held.values())
            busy = f"; it plays {others} more of the open games, and may speak with one at a time" if others else ""
            elsewhere = isinstance(held.player, Elsewhere)
            raise BadInput(f"{name} fails: {fault}{busy if elsewhere else ''}.") from None

    async def take_back(self, game: str, position: Position) -> None:
        """Bring whoever plays a game to an earlier position of it.

        Raises:
            BadInput: one cannot take back.
        """
        for side in (0, 1):
            if held := self._held.get((game, side)):
                await self._in_thread(lambda held=held, side=side: held.take_back(position, side))  # type: ignore[misc]

    async def leave(self, game: str) -> None:
        """End whoever plays a game."""
        for side in (0, 1):
            await self._end((game, side))

    async def watch(self) -> None:
        """End players, again and again, whom nobody has wanted for `AWAY` seconds."""
        while True:
            await asyncio.sleep(LOOK)
            now = time.monotonic()
            for seat, held in list(self._held.items()):
                if self._is_watched(seat[0]) or held.lock.locked():
                    held.wanted = now
                elif now - held.wanted >= AWAY and self._held.get(seat) is held:
                    await self._end(seat)

    async def _end(self, seat: Seat) -> None:
        if held := self._held.pop(seat, None):
            self._seats.done(held.visitor)
            await self._in_thread(held.close)

    def close(self) -> None:
        """End all players, all at the same time: each may take a while to end by itself."""
        threads = [threading.Thread(target=close, args=[held.player], daemon=True) for held in self._held.values()]
        for thread in threads:
            thread.start()  # a pending request for its move then fails
        for thread in threads:
            thread.join()

    async def _seated(self, seat: Seat, spec: str, visitor: Visitor) -> _Held:
        """Who plays there, from now on if nobody did."""
        sitting = self._sitting.setdefault(seat, asyncio.Lock())
        async with sitting:
            if seat not in self._held:
                player = player_named(spec)
                if isinstance(player, Elsewhere):  # it may speak with one at a time: games that nobody plays make room
                    for game in self._idle(seat[0], spec):
                        await self.leave(game)
                await self._take_place(seat, visitor)
                self._held[seat] = _Held(spec, player, visitor)
            return self._held[seat]

    async def _take_place(self, seat: Seat, visitor: Visitor) -> None:
        """Take one of the places; games that nobody plays make room.

        Raises:
            TooMany: there is none.
        """
        while True:
            try:
                self._seats.put(visitor, seat)
            except TooMany:
                if not (idle := self._idle(seat[0])):
                    raise TooMany(
                        f"Programs already play {self._seats.held} of at most {SEATED} games; one address may have "
                        "half of what is free, one page a quarter: finish a game, or close its page."
                    ) from None
                await self.leave(idle[0])
            else:
                assert self._seats.next() == seat  # nobody waits for a place
                return

    def _idle(self, game: str, spec: str | None = None) -> list[str]:
        """Other games that nobody follows; those that a player of this spec plays, if there is one."""
        return [
            each
            for (each, _), held in self._held.items()
            if each != game and spec in (None, held.spec) and not self._is_watched(each)
        ]

    async def _in_thread(self, work: Callable[[], Answer]) -> Answer:
        """What some work comes to, in a thread that holds up nobody, not even the server's end."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()

        def settle(result: Answer | None, fault: BaseException | None) -> None:
            if not answer.done():  # else nobody waits any more
                answer.set_exception(fault) if fault else answer.set_result(cast(Answer, result))

        def run() -> None:
            result, fault = None, None
            try:
                result = work()
            except BaseException as caught:
                fault = caught
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(settle, result, fault)

        threading.Thread(target=run, name="plyground peer", daemon=True).start()
        return await answer


def is_elsewhere(spec: str) -> bool:
    """Whether a player is a program or a peer, not a search of ours."""
    return isinstance(player_named(spec), External)
