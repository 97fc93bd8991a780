"""Fair shares of places among visitors: which job is next, how many places a visitor may hold. No I/O.

Turns are round-robin by address, and within an address by connection: a class behind one router is many visitors, while
one machine with many connections is one address. An address gets a place only while more places are free than it holds
(the dynamic threshold of shared buffers: Choudhury and Hahne, 1998), so one address never holds more than half of
them, and a newcomer begins at once. The same rule limits an address's part of the queue.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from plyground.errors import BadInput

Job = TypeVar("Job")


class Visitor(NamedTuple):
    """An address and one of its connections."""

    address: str
    connection: str | None = None
    """None if it is not known; all such requests of an address count as one connection's."""


class TooMany(BadInput):
    """The limits allow no more requests of this visitor."""


SERVER = Visitor("", "")
"""The server itself."""


@dataclass
class _Share(Generic[Job]):
    """The places that one connection holds, and the jobs that it waits for."""

    since: int
    """The turn in which it last began a job or arrived."""
    held: int = 0
    jobs: deque[Job] = field(default_factory=deque)

    @property
    def is_empty(self) -> bool:
        return not self.held and not self.jobs


@dataclass
class _Address(Generic[Job]):
    """The places that an address holds, and its waiting jobs, over all its connections."""

    since: int
    connections: dict[str | None, _Share[Job]] = field(default_factory=dict)
    held: int = 0
    waiting: int = 0


class Shares(Generic[Job]):
    """Jobs that wait for a place, and the places that each visitor holds."""

    def __init__(self, places: int, waiting: int, what: str = "requests") -> None:
        """No places are taken yet.

        Args:
            places: how many jobs run at a time.
            waiting: how many more may wait.
            what: the word for the jobs in a refusal.
        """
        self._places, self._waiting, self._what = places, waiting, what
        self._addresses: dict[str, _Address[Job]] = {}
        self._turns = 0
        self.held: int = 0
        """Places that are taken."""
        self.waiting: int = 0
        """Jobs in the queue."""

    def put(self, visitor: Visitor, job: Job) -> None:
        """Add a job to the queue, after this connection's earlier ones.

        Raises:
            TooMany: it cannot begin now, and too many wait already.
        """
        self._turns += 1
        address = self._addresses.get(visitor.address) or _Address(self._turns)
        share = address.connections.get(visitor.connection) or _Share(self._turns)
        # A job that may begin at once is never refused, even while the queue is full of one address's jobs.
        begins = not address.waiting and self._may_begin(address, share)
        # The same dynamic threshold as for places: an address may hold as much of the queue as is still free.
        if not begins and address.waiting >= self._waiting - self.waiting:
            more = f", {address.waiting} of them from your address" if address.waiting else ""
            raise TooMany(f"The server is busy: {self.waiting} {self._what} wait already{more}; ask again in a moment.")
        self._addresses[visitor.address] = address
        address.connections[visitor.connection] = share
        share.jobs.append(job)
        address.waiting += 1
        self.waiting += 1

    def next(self) -> Job | None:
        """Begin the next job, by fewest places held, then longest wait. Returns None if no job may begin."""
        if (found := self._choose_job()) is None:
            return None
        address, share = found
        self._turns += 1
        address.since = share.since = self._turns
        address.waiting -= 1
        self.waiting -= 1
        self._add_held(address, share, 1)
        return share.jobs.popleft()

    def release(self, visitor: Visitor) -> None:
        """Free the place of a visitor's job that has ended."""
        address = self._addresses[visitor.address]
        self._add_held(address, address.connections[visitor.connection], -1)
        self._forget_if_empty(visitor)

    def drop(self, visitor: Visitor, job: Job) -> bool:
        """Remove a job from the queue. Returns whether it was there."""
        address = self._addresses.get(visitor.address)
        share = address.connections.get(visitor.connection) if address else None
        if address is None or share is None or job not in share.jobs:
            return False
        share.jobs.remove(job)
        address.waiting -= 1
        self.waiting -= 1
        self._forget_if_empty(visitor)
        return True

    def is_wanted(self, visitor: Visitor) -> bool:
        """Whether a waiting job would begin if a job of this visitor gave up its place."""
        address = self._addresses[visitor.address]
        share = address.connections[visitor.connection]
        # The place counts as free until a job is chosen; there is no await between, so that no other code sees it.
        self._add_held(address, share, -1)
        found = self._choose_job()
        self._add_held(address, share, 1)
        return found is not None

    def _choose_job(self) -> tuple[_Address[Job], _Share[Job]] | None:
        free = self._places - self.held
        candidates = [
            (address.held, address.since, share.held, share.since, address, share)
            for address in self._addresses.values()
            # Choudhury and Hahne's threshold with factor 1: a queue is served while it holds less than what is free.
            # With one address alone half the places stay free for a newcomer.
            if address.waiting and address.held < free
            for share in address.connections.values()
            if share.jobs and self._may_begin(address, share)
        ]
        # Only the first four values are compared: jobs have no order. `since` breaks ties by the longest wait, so no
        # one starves.
        return min(candidates, key=lambda each: each[:4])[4:] if candidates else None

    def _may_begin(self, address: _Address[Job], share: _Share[Job]) -> bool:
        """Whether a connection may have one more place: it holds fewer than its address could still get."""
        free = self._places - self.held
        return share.held < max(0, (free - address.held + 1) // 2)  # each that is begun leaves one place less

    def _add_held(self, address: _Address[Job], share: _Share[Job], more: int) -> None:
        share.held += more
        address.held += more
        self.held += more

    def _forget_if_empty(self, visitor: Visitor) -> None:
        """Forget a visitor that holds nothing and waits for nothing."""
        address = self._addresses[visitor.address]
        if address.connections[visitor.connection].is_empty:
            del address.connections[visitor.connection]
        if not address.connections:
            del self._addresses[visitor.address]
