"""Lists of states that several threads work on, a chunk at a time."""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any, Final

from plyground.compiled import threads
from plyground.rules import MOST_TIERS
from plyground.search.memory import Memory, new_memory
from plyground.search.tiers import END, HEAD, NEXT, StateSet, close_gaps, new_pending, new_reserved

CHUNK_STATES: Final = 1 << 14
"""States of a chunk: some milliseconds of work, so that threads end at about the same time."""


class ThreadMemory:
    """Memory that a single thread writes to, while others are read and written by all."""

    def __init__(self, width: int, shards: int) -> None:
        """Nothing is done yet.

        Args:
            width: ints of a state.
            shards: number of shards of the set to which states are added.
        """
        self.cursor: Memory = new_memory(HEAD)
        self.pending: Memory = new_pending(width)
        # An int for each distance of tiers, not a set: compiled code marks it, and threads mark their own.
        self.others: Memory = new_memory(MOST_TIERS)
        self.reserved: Memory = new_reserved(shards)


class Chunks:
    """Chunks of a list of states, for threads that take one after the other."""

    def __init__(self, first: int, end: int, memories: list[ThreadMemory]) -> None:
        """Cut the states from the first one to the end.

        Args:
            first, end: indices.
            memories: memory of each thread.
        """
        self.memories = memories
        self.left: deque[tuple[int, int]] = deque(
            (place, min(place + CHUNK_STATES, end)) for place in range(first, end, CHUNK_STATES)
        )
        """Chunks that no thread has begun or ended, each as its first state and its end."""
        self._count = end - first

    def begin(self, local: ThreadMemory) -> bool:
        """Give the next chunk to a thread, if there is one."""
        try:
            local.cursor[NEXT], local.cursor[END] = self.left.popleft()
        except IndexError:
            return False
        return True

    def end(self, local: ThreadMemory) -> bool:
        """Take a chunk back; returns whether some of it is left."""
        if is_left := local.cursor[NEXT] < local.cursor[END]:
            # To the front: what was begun is done first.
            self.left.appendleft((local.cursor[NEXT], local.cursor[END]))
            local.cursor[NEXT] = local.cursor[END]
        return is_left

    @property
    def states_done(self) -> int:
        """States that were looked at."""
        left = sum(end - first for first, end in [*self.left])
        # An estimate: threads move their cursors while it is read, and a chunk may be counted on neither side for a
        # moment.
        return max(
            0, self._count - left - sum(max(0, local.cursor[END] - local.cursor[NEXT]) for local in self.memories)
        )

    @property
    def distances(self) -> set[int]:
        """Distances of the tiers to which moves were found to lead: indices of ones in `others`."""
        found = set[int]()
        for local in self.memories:
            # Ones in little endian: the first byte of each int of 8 bytes is the mark.
            data, at = local.others.tobytes(), -1
            while (at := data.find(b"\1", at + 1)) >= 0:
                found.add(at // 8)
        return found

    def sum(self, index: int) -> int:
        """Sum of a number in the threads' cursors."""
        return sum(local.cursor[index] for local in self.memories)

    def union_bits(self, index: int) -> int:
        """Bits that are set in one of the threads' cursors."""
        return reduce(or_, (local.cursor[index] for local in self.memories))

    def close_gaps(self, pattern: Any, states: StateSet) -> None:
        """Make a set whole to which the threads have added states."""
        close_gaps(pattern, states, [local.reserved for local in self.memories])


def run_all(works: Sequence[Callable[[], None]]) -> None:
    """Do each piece of work in a thread, the first in this one, and wait for all.

    Raises:
        BaseException: what the first one raised that failed.
    """
    faults: list[BaseException] = []

    def body(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as fault:
            faults.append(fault)

    # The caller is in a thread with a large stack already, and would only wait.
    running = [threads.run(partial(body, work)) for work in works[1:]]
    body(works[0])
    for ended in running:
        ended.wait()
    if faults:
        raise faults[0]
