"""Observer that counts a search in detail and, if `IS_WRITTEN` is set, records its nodes in memory.

counts of `Detailed` | node 0 | node 1 | …     `FIELDS` words a node, in the order in which they were entered

`Recording` keeps the same as Python objects. A budget of nodes is their room: beyond it the search is stopped.
"""

from typing import Any, Final

from plyground.rules import NO_MOVE
from plyground.score import INFINITY
from plyground.search.observer import (
    BRANCHES,
    BUDGET,
    CUTOFFS,
    DEEPEST,
    FIRST_CUTOFFS,
    HORIZON,
    LEAVES,
    NODES,
    PLIES,
    PLY,
    TRIED,
    Detailed,
    Stopped,
)

IS_WRITTEN: Final = 8
"""Among the counts: 1 where nodes are written down, 0 where they are counted alone."""
HERE: Final = 9
"""The node that is searched, -1 for none."""
BRANCH: Final = 10
"""The move that is about to be searched."""
# Nodes begin behind the counts of `Detailed`, the last of which are a counter for each ply.
HEAD: Final = BRANCHES + PLIES

# Places of the words of a node, from 0 to below `FIELDS`.
PARENT: Final = 0
"""The node above; -1 for the root."""
LEVEL: Final = 1
MOVE: Final = 2
ALPHA: Final = 3
BETA: Final = 4
VALUE: Final = 5
BEST: Final = 6
KIND: Final = 7
"""`NODE`, `LEAF` or `AT_HORIZON`."""
CUT: Final = 8
FIELDS: Final = 9

NODE: Final = 0
LEAF: Final = 1
AT_HORIZON: Final = 2


# One class for both uses, switched at run time: a second copy of each search for recording made Ultimate's module 16.9
# kB and not 15.1 (bench/TRIED.md).
class MemoryRecorder(Detailed):
    """Observer that counts in detail, and records each node if `IS_WRITTEN` is set."""

    __slots__ = ()

    def enter(self, state: Any, depth: int = 0, ply: int = 0, alpha: int = -INFINITY, beta: int = INFINITY) -> None:
        memory = self.counts
        node = memory[NODES]
        if node >= memory[BUDGET]:
            raise Stopped
        memory[NODES] = node + 1
        if ply == 1:
            memory[TRIED] += 1
        memory[PLY] += 1
        memory[DEEPEST] = max(memory[DEEPEST], memory[PLY])
        # Moves tried at this ply so far; plies share the counters modulo `PLIES`.
        memory[BRANCHES + memory[PLY] % PLIES] = 0
        if memory[IS_WRITTEN]:
            # Nodes are numbered by the count of all, so that their places need no counter of their own.
            parent, at = memory[HERE], HEAD + FIELDS * node
            memory[at + PARENT] = parent
            memory[at + LEVEL] = 0 if parent < 0 else memory[HEAD + FIELDS * parent + LEVEL] + 1
            memory[at + MOVE] = memory[BRANCH]
            memory[at + ALPHA] = alpha
            memory[at + BETA] = beta
            memory[at + BEST] = NO_MOVE
            memory[at + KIND] = NODE
            memory[at + CUT] = NO_MOVE
            memory[HERE] = node

    def branch(self, move: int) -> None:
        self.counts[BRANCHES + self.counts[PLY] % PLIES] += 1
        self.counts[BRANCH] = move

    def leaf(self, state: Any, value: int) -> None:
        self.counts[LEAVES] += 1
        self._write_field(KIND, LEAF)

    def horizon(self, state: Any, value: int) -> None:
        self.counts[LEAVES] += 1
        self.counts[HORIZON] += 1
        self._write_field(KIND, AT_HORIZON)

    def cut(self, move: int, value: int) -> None:
        self.counts[CUTOFFS] += 1
        if self.counts[BRANCHES + self.counts[PLY] % PLIES] == 1:
            self.counts[FIRST_CUTOFFS] += 1
        self._write_field(CUT, move)

    def leave(self, value: int, move: int) -> None:
        self.counts[PLY] -= 1
        self._write_field(VALUE, value)
        self._write_field(BEST, move)
        if self.counts[IS_WRITTEN]:
            # Back to the node above, after the fields of this one are written.
            self.counts[HERE] = self.counts[HEAD + FIELDS * self.counts[HERE] + PARENT]

    def _write_field(self, field: int, value: int) -> None:
        """Write a field of the current node, if nodes are recorded."""
        if self.counts[IS_WRITTEN]:
            self.counts[HEAD + FIELDS * self.counts[HERE] + field] = value
