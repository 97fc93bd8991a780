"""External players of saved games: programs and network peers, which remember their game.

A search runs in any worker and has no memory of the game. An external player has one connection for the whole game, and
is sent only new moves. So external players belong to the server's own process, one for each seat of a saved game. Each
is called in a thread, since its move may take all its time while the server answers other requests.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar, cast
from weakref import WeakValueDictionary

from plyground.errors import BadInput, clause_of
from plyground.play.player import Failed, Player
from plyground.players import player_named
from plyground.position import Position
from plyground.web.limits import MOST_SEATED_PROGRAMS, PROGRAMS_AT_ONCE, PROGRAMS_WAITING
from plyground.wire.remote import NetworkPlayer
from plyground.workers.fair_queue import FairQueue
from plyground.workers.shares import SERVER, Shares, TooMany, Visitor

START_CHECK = 0.1
"""Seconds between two attempts to end a program that is being started."""
IDLE_AFTER = 300.0
"""Seconds that a program stays in a game without watchers or requests: a page may be loaded again."""
IDLE_CHECK = 10.0
"""Seconds between two checks for idle players."""
Seat = tuple[str, int]
"""The id of a saved game, and a side in it, 0 or 1."""
Answer = TypeVar("Answer")


@dataclass
class _SeatedPlayer:
    """One player, used by one thread at a time, and its last answer, since two tabs ask the same."""

    spec: str
    player: Player
    visitor: Visitor
    wanted: float = field(default_factory=time.monotonic)
    """Time of the last request, or of the last check at which its game had a watcher."""
    is_left: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: Position | None = None
    answer: int = 0

    def choose(self, position: Position) -> int:
        with self.lock:
            if self.is_left:
                raise Failed("no request waits for its answer any more")
            if self.asked != position:
                # The move may have been found while no request waited any more; the next one has it
                # at once.
                self.answer, self.asked = position.legal(self.player.choose(position, None)), position
            return self.answer

    def take_back(self, position: Position, seat: int) -> None:
        with self.lock:
            self.player.take_back(position, seat)
            self.asked = None

    def close(self) -> None:
        with self.lock:
            self.is_left = True  # a request would start it again
            self.player.close()

    def end(self) -> None:
        """Close the player, also during a request."""
        self.is_left = True
        while not self.lock.acquire(timeout=START_CHECK):
            self.player.close()  # a request that waits for its answer fails
        self.player.close()
        self.lock.release()


class ExternalPlayers:
    """The external players of all saved games. Used from the server's event loop.

    Args:
        is_watched: whether an unfinished game has a watcher. Players of other games may be closed.
    """

    def __init__(self, is_watched: Callable[[str], bool]) -> None:
        self._is_watched = is_watched
        self._seated: dict[Seat, _SeatedPlayer] = {}
        """Players that have a place, by seat."""
        # References to locks are weak: a lock goes when no request holds it, so seats of old games leave nothing.
        self._seat_locks = WeakValueDictionary[Seat, asyncio.Lock]()
        """Locks of seats at which a player is being started; a second request waits."""
        self._seats = Shares[Seat](MOST_SEATED_PROGRAMS, 0, "programs")
        self._queue = FairQueue(PROGRAMS_AT_ONCE, PROGRAMS_WAITING, "questions to programs")

    async def reply(
        self, name: str, spec: str, position: Position, seat: Seat | None, visitor: Visitor = SERVER
    ) -> int:
        """Returns a player's move: in a saved game from the player at that seat; else from one started for this move.

        Args:
            name: the player's name in the page.
            spec: the player's spec.
            position: the position in which it is to move.
            seat: its seat; None outside of saved games.
            visitor: the visitor who asks.

        Raises:
            Resigned: the player resigns.
            BadInput: the player fails, or cannot be set to this position; another request tries again. Or too many
                programs are in use already.
        """
        if seat is not None:
            return await self._choose_move(name, await self._seat_player(seat, spec, visitor), position)
        async with self._queue.place(visitor):
            # The player is started for this one move: without a game there is nothing to remember.
            held = _SeatedPlayer(spec, player_named(spec), visitor)
            try:
                return await self._choose_move(name, held, position)
            finally:
                await self._in_thread(held.end)

    async def _choose_move(self, name: str, held: _SeatedPlayer, position: Position) -> int:
        try:
            held.wanted = time.monotonic()
            return await self._in_thread(lambda: held.choose(position))
        except Failed as fault:
            others = sum(other.spec == held.spec and other is not held for other in self._seated.values())
            busy = f"; it plays {others} more of the open games, and may speak with one at a time" if others else ""
            remote = isinstance(held.player, NetworkPlayer)
            raise BadInput(f"{name} fails: {clause_of(fault)}{busy if remote else ''}.") from None

    async def take_back(self, game: str, position: Position) -> None:
        """Set the players of a game to an earlier position of it.

        Raises:
            BadInput: one of them cannot take back.
        """
        for side in (0, 1):
            if held := self._seated.get((game, side)):
                await self._in_thread(lambda held=held, side=side: held.take_back(position, side))  # type: ignore[misc]

    async def leave(self, game: str) -> None:
        """End all players of a game."""
        for side in (0, 1):
            await self._end_player((game, side))

    async def watch(self) -> None:
        """End players without watchers or requests for `IDLE_AFTER` seconds; runs until cancelled."""
        while True:
            await asyncio.sleep(IDLE_CHECK)
            now = time.monotonic()
            for seat, held in list(self._seated.items()):
                if self._is_watched(seat[0]) or held.lock.locked():
                    held.wanted = now
                # The seat must still have this player: the loop has waited for the ends of others meanwhile.
                elif now - held.wanted >= IDLE_AFTER and self._seated.get(seat) is held:
                    await self._end_player(seat)

    async def _end_player(self, seat: Seat) -> None:
        if held := self._seated.pop(seat, None):
            self._seats.release(held.visitor)
            await self._in_thread(held.close)

    def close(self) -> None:
        """End all players in parallel, since each may take a while to end by itself."""
        threads = [threading.Thread(target=held.player.close, daemon=True) for held in self._seated.values()]
        for thread in threads:
            thread.start()  # a pending request for its move then fails
        for thread in threads:
            thread.join()

    async def _seat_player(self, seat: Seat, spec: str, visitor: Visitor) -> _SeatedPlayer:
        """Returns the player at a seat; starts it if there is none."""
        sitting = self._seat_locks.setdefault(seat, asyncio.Lock())
        async with sitting:
            # The seat is looked up inside the lock: the request before may have started its player.
            if seat not in self._seated:
                player = player_named(spec)
                if isinstance(player, NetworkPlayer):  # it may take one connection at a time: end its idle games
                    for game in self._idle_games(seat[0], spec):
                        await self.leave(game)
                await self._take_place(seat, visitor)
                self._seated[seat] = _SeatedPlayer(spec, player, visitor)
            return self._seated[seat]

    async def _take_place(self, seat: Seat, visitor: Visitor) -> None:
        """Take one of the places; idle games are ended to free one.

        Raises:
            TooMany: there is no free place.
        """
        while True:
            try:
                self._seats.put(visitor, seat)
            except TooMany:
                if not (idle := self._idle_games(seat[0])):
                    raise TooMany(
                        f"Programs already play {self._seats.held} of at most {MOST_SEATED_PROGRAMS} games; one "
                        "address may have half of what is free, one page a quarter: finish a game, or close its page."
                    ) from None
                await self.leave(idle[0])
            else:
                assert self._seats.next() == seat  # no request waits for a place
                return

    def _idle_games(self, game: str, spec: str | None = None) -> list[str]:
        """Other games without watchers; with `spec`, those in which a player of this spec plays."""
        return [
            each
            for (each, _), held in self._seated.items()
            if each != game and spec in (None, held.spec) and not self._is_watched(each)
        ]

    async def _in_thread(self, work: Callable[[], Answer]) -> Answer:
        """Run a function in a daemon thread, which delays no request, nor the server's end. Returns its result."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()

        def settle(result: Answer | None, fault: BaseException | None) -> None:
            if not answer.done():  # else the request was cancelled
                answer.set_exception(fault) if fault else answer.set_result(cast(Answer, result))

        def run() -> None:
            result, fault = None, None
            try:
                result = work()
            except BaseException as caught:
                fault = caught
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(settle, result, fault)

        # Each call has a thread, without a pool: a program that never answers would hold a pool's
        # thread for ever.
        threading.Thread(target=run, name="plyground peer", daemon=True).start()
        return await answer
