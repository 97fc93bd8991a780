"""A watcher that writes a search down in memory, node by node: what `Recording` keeps, for compiled searches.

how many nodes | room for how many | the node that is searched, -1 for none | the move that is about to be searched
| node 0 | node 1 | …     `FIELDS` words each, in the order in which they were entered
"""

from typing import Any, Final

from plyground.rules import NO_MOVE
from plyground.score import INFINITY
from plyground.search.watch import Counting, Stopped

COUNT: Final = 0
ROOM: Final = 1
HERE: Final = 2
BRANCH: Final = 3
HEAD: Final = 4

PARENT: Final = 0
"""The node above; -1 for the root."""
LEVEL: Final = 1
MOVE: Final = 2
ALPHA: Final = 3
BETA: Final = 4
VALUE: Final = 5
BEST: Final = 6
KIND: Final = 7
"""`NODE`, `LEAF` or `HORIZON`."""
CUT: Final = 8
FIELDS: Final = 9

NODE: Final = 0
LEAF: Final = 1
AT_HORIZON: Final = 2


class Writing(Counting):
    """Writes down what a search does, and stops it when there is no more room."""

    __slots__ = ()

    def enter(self, state: Any, depth: int = 0, ply: int = 0, alpha: int = -INFINITY, beta: int = INFINITY) -> None:
        memory = self.counts
        node, parent = memory[COUNT], memory[HERE]
        if node >= memory[ROOM]:
            raise Stopped
        at = HEAD + FIELDS * node
        memory[at + PARENT] = parent
        memory[at + LEVEL] = 0 if parent < 0 else memory[HEAD + FIELDS * parent + LEVEL] + 1
        memory[at + MOVE] = memory[BRANCH]
        memory[at + ALPHA] = alpha
        memory[at + BETA] = beta
        memory[at + BEST] = NO_MOVE
        memory[at + KIND] = NODE
        memory[at + CUT] = NO_MOVE
        memory[COUNT] = node + 1
        memory[HERE] = node

    def heed(self) -> None:
        pass

    def branch(self, move: int) -> None:
        self.counts[BRANCH] = move

    def leaf(self, state: Any, value: int) -> None:
        self.counts[HEAD + FIELDS * self.counts[HERE] + KIND] = LEAF

    def horizon(self, state: Any, value: int) -> None:
        self.counts[HEAD + FIELDS * self.counts[HERE] + KIND] = AT_HORIZON

    def cut(self, move: int, value: int) -> None:
        self.counts[HEAD + FIELDS * self.counts[HERE] + CUT] = move

    def leave(self, value: int, move: int) -> None:
        memory = self.counts
        at = HEAD + FIELDS * memory[HERE]
        memory[at + VALUE] = value
        memory[at + BEST] = move
        memory[HERE] = memory[at + PARENT]
