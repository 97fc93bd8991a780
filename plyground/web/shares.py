"""Shares of a few places among visitors: who begins next, and how much one may hold. Without I/O.

Turns go round by address, and within an address by connection, so that a class behind one router is many visitors,
while one machine with many connections is one. A place is taken only while more places are free than its address holds
(the dynamic threshold of shared buffers: Choudhury and Hahne, 1998), so one address never holds more than half of
them, and whoever comes next begins at once. The same holds for the line.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from plyground.errors import BadInput

Job = TypeVar("Job")


class Visitor(NamedTuple):
    """Who asks: an address, and which of its connections; all requests over HTTP are one connection."""

    address: str
    connection: str = "http"


class TooMany(BadInput):
    """More than one visitor may ask for."""


SERVER = Visitor("", "")
"""The server itself."""


@dataclass
class _Share(Generic[Job]):
    """What one connection holds, and what it waits for."""

    since: int
    """When it last began a job, or came: a count of both."""
    held: int = 0
    jobs: deque[Job] = field(default_factory=deque)

    @property
    def is_empty(self) -> bool:
        return not self.held and not self.jobs


@dataclass
class _Address(Generic[Job]):
    """The same of an address with all its connections."""

    since: int
    connections: dict[str, _Share[Job]] = field(default_factory=dict)
    held: int = 0
    waiting: int = 0


class Shares(Generic[Job]):
    """Jobs that wait for a place, and how many places each visitor holds."""

    def __init__(self, places: int, waiting: int, what: str = "requests") -> None:
        """Make room for jobs.

        Args:
            places: how many jobs run at a time.
            waiting: how many more may wait.
            what: the jobs' name, for a refusal.
        """
        self._places, self._waiting, self._what = places, waiting, what
        self._addresses: dict[str, _Address[Job]] = {}
        self._turns = 0

    @property
    def held(self) -> int:
        """Places that are taken."""
        return sum(each.held for each in self._addresses.values())

    @property
    def waiting(self) -> int:
        """Jobs in line."""
        return sum(each.waiting for each in self._addresses.values())

    def put(self, visitor: Visitor, job: Job) -> None:
        """Put a job in line, behind this connection's earlier ones.

        Raises:
            TooMany: it cannot begin now, and too many wait already.
        """
        self._turns += 1
        address = self._addresses.get(visitor.address) or _Address(self._turns)
        share = address.connections.get(visitor.connection) or _Share(self._turns)
        begins = not address.waiting and self._may_begin(address, share)
        if not begins and address.waiting >= self._waiting - self.waiting:
            more = f", {address.waiting} of them from your address" if address.waiting else ""
            raise TooMany(f"The server is busy: {self.waiting} {self._what} wait already{more}; ask again in a moment.")
        self._addresses[visitor.address] = address
        address.connections[visitor.connection] = share
        share.jobs.append(job)
        address.waiting += 1

    def next(self) -> Job | None:
        """Begin the next job whose visitor may have a place: who holds the fewest, then who has waited longest."""
        if (found := self._chosen()) is None:
            return None
        address, share = found
        self._turns += 1
        address.since = share.since = self._turns
        address.waiting -= 1
        self._hold(address, share, 1)
        return share.jobs.popleft()

    def done(self, visitor: Visitor) -> None:
        """A visitor's job has ended: its place is free."""
        address = self._addresses[visitor.address]
        self._hold(address, address.connections[visitor.connection], -1)
        self._forget(visitor)

    def drop(self, visitor: Visitor, job: Job) -> bool:
        """Take a job out of the line. Returns whether it was in it."""
        address = self._addresses.get(visitor.address)
        share = address.connections.get(visitor.connection) if address else None
        if address is None or share is None or job not in share.jobs:
            return False
        share.jobs.remove(job)
        address.waiting -= 1
        self._forget(visitor)
        return True

    def is_wanted(self, visitor: Visitor) -> bool:
        """Whether a job that waits would begin if a job of this visitor gave its place up."""
        address = self._addresses[visitor.address]
        share = address.connections[visitor.connection]
        self._hold(address, share, -1)
        found = self._chosen()
        self._hold(address, share, 1)
        return found is not None

    def _chosen(self) -> tuple[_Address[Job], _Share[Job]] | None:
        free = self._places - self.held
        candidates = [
            (address.held, address.since, share.held, share.since, address, share)
            for address in self._addresses.values()
            if address.waiting and address.held < free
            for share in address.connections.values()
            if share.jobs and self._may_begin(address, share)
        ]
        return min(candidates, key=lambda each: each[:4])[4:] if candidates else None

    def _may_begin(self, address: _Address[Job], share: _Share[Job]) -> bool:
        """Whether a connection may have one more place: while its address could have more than it holds itself."""
        free = self._places - self.held
        return share.held < max(0, (free - address.held + 1) // 2)  # each that is begun leaves one place less

    def _hold(self, address: _Address[Job], share: _Share[Job], more: int) -> None:
        share.held += more
        address.held += more

    def _forget(self, visitor: Visitor) -> None:
        """Let go of a visitor that holds nothing and waits for nothing."""
        address = self._addresses[visitor.address]
        if address.connections[visitor.connection].is_empty:
            del address.connections[visitor.connection]
        if not address.connections:
            del self._addresses[visitor.address]
