"""Observers of a search's events. They never change its result.

Every search calls its observer at the same places, so the search that students read is the one that runs, is counted
and is drawn. `Silent` vanishes when compiled; `Counting` costs a few instructions a node and can stop a search;
`Recording` keeps everything and runs plain.

| call | when | arguments |
|---|---|---|
| `enter` | a node is entered | its state, the plies left to search and those made, its window |
| `poll` | within a node that takes long, so that it can be stopped there | |
| `branch` | a move is about to be searched | the move |
| `leaf` | a node is a finished game | its state and value |
| `horizon` | a node is unfinished and no ply is left | its state and static evaluation |
| `cut` | moves of a node are left out: they need no search | the move that showed it, and its value |
| `leave` | a node's value is known | its value and best move |

States are the game's own; values are on the scale of `score.py`, from the first player's side.
"""

import threading
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from plyground.constant import Constant
from plyground.in_pages import in_pages
from plyground.rules import NO_MOVE
from plyground.score import INFINITY
from plyground.search.memory import Memory, new_memory

# A state's type is the game's affair; an observer takes any.
AnyState = Any


class Stopped(Exception):
    """A search was stopped, by its limit or its caller, before it knew its answer.

    >>> import plyground as pg
    >>> pg.search(pg.Position.initial("tictactoe"), "minimax", 9, nodes=100)
    Traceback (most recent call last):
      ...
    plyground.search.observer.Stopped: The search was stopped before it knew its answer.
    """

    def __str__(self) -> str:
        return "The search was stopped before it knew its answer."


# Observers are structural, without an abstract base: compiled code needs each call resolved to one function, and a
# class of its own for `Silent` lets the compiler drop the calls altogether.
class Silent(Constant):
    """Observer that does nothing and costs nothing."""

    def enter(
        self, state: AnyState, depth: int = 0, ply: int = 0, alpha: int = -INFINITY, beta: int = INFINITY
    ) -> None:
        pass

    def poll(self) -> None:
        pass

    def branch(self, move: int) -> None:
        pass

    def leaf(self, state: AnyState, value: int) -> None:
        pass

    def horizon(self, state: AnyState, value: int) -> None:
        pass

    def cut(self, move: int, value: int) -> None:
        pass

    def leave(self, value: int, move: int) -> None:
        pass

    # Equal by class: a constant is a part of the key under which compiled code is found, and all silent observers
    # compile alike.
    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


# Layout of `Counting.counts`, eight ints in cache lines of their own, so that two threads that count do not wait for
# each other. Places 6 and 7 are free for `Detailed`.
NODES: Final = 0
LEAVES: Final = 1
HORIZON: Final = 2
CUTOFFS: Final = 3
TRIED: Final = 4
BUDGET: Final = 5


class Counting(NamedTuple):
    """Counts a search's events in memory that another thread may read, and stops it when its budget is spent."""

    counts: Memory

    @classmethod
    def fresh(cls, budget: int = 1 << 62) -> "Counting":
        """All counts at 0, to be stopped before it enters more nodes than `budget`."""
        # A budget of 2**62 stands for no limit: no search enters so many nodes, and a sum with it still fits 63 bits.
        counts = new_memory(8)
        counts[BUDGET] = budget
        return cls(counts)

    def enter(
        self, state: AnyState, depth: int = 0, ply: int = 0, alpha: int = -INFINITY, beta: int = INFINITY
    ) -> None:
        nodes = self.counts[NODES]
        # Compared before the count, so `nodes` never exceeds the budget, and a budget of 0, which `stop` sets, ends the
        # search at its next node. The read is not atomic with the write below: only the searching thread writes
        # `NODES`, and a stop that comes between is seen one node later.
        if nodes >= self.counts[BUDGET]:
            raise Stopped
        self.counts[NODES] = nodes + 1
        if ply == 1:
            self.counts[TRIED] += 1

    def poll(self) -> None:
        # Not compared with `nodes`: a poll marks time within a node that was paid for when it was entered.
        if self.counts[BUDGET] <= 0:
            raise Stopped

    def branch(self, move: int) -> None:
        pass

    def leaf(self, state: AnyState, value: int) -> None:
        self.counts[LEAVES] += 1

    def horizon(self, state: AnyState, value: int) -> None:
        self.counts[LEAVES] += 1
        self.counts[HORIZON] += 1

    def cut(self, move: int, value: int) -> None:
        self.counts[CUTOFFS] += 1

    def leave(self, value: int, move: int) -> None:
        pass

    # Safe from any thread: one aligned write of 64 bits. The old budget goes back to the caller, who may let the search
    # go on (`Clock.run_here`).
    def stop(self) -> int:
        """End the search at its next node with `Stopped`, from another thread; return the budget before."""
        budget = self.counts[BUDGET]
        self.counts[BUDGET] = 0
        return budget

    def allow(self, budget: int) -> None:
        """Set the budget: nodes that may be entered in all."""
        self.counts[BUDGET] = budget

    @property
    def nodes(self) -> int:
        """Nodes entered, the first and finished ones included."""
        return int(self.counts[NODES])

    @property
    def leaves(self) -> int:
        """Nodes without children: finished games and those at the depth limit."""
        return int(self.counts[LEAVES])

    @property
    def evaluations(self) -> int:
        """Leaves with a static evaluation, because the depth was used up; 0 after a search that saw every end."""
        return int(self.counts[HORIZON])

    @property
    def cutoffs(self) -> int:
        """Nodes left before all their moves were searched; a bound that the last move meets leaves none out."""
        return int(self.counts[CUTOFFS])

    @property
    def root_moves_begun(self) -> int:
        """Moves at the root that the search has begun."""
        return int(self.counts[TRIED])


# A thread that runs plain Python holds the interpreter's lock for 5 ms at a time (`sys.getswitchinterval`), so the
# thread with the clock may come late; an event that the search itself looks at is seen at once.
class Interruptible(Counting):
    """Counting observer that also ends a search at the first node after an event was set.

    For plain Python, where a search makes other threads wait for milliseconds before one of them can call `stop`.
    """

    event: threading.Event

    @classmethod
    def by(cls, event: threading.Event, observer: Counting) -> "Interruptible":
        """An observer that shares the counts and the budget of another one."""
        result = cls(observer.counts)
        result.event = event
        return result

    def enter(
        self, state: AnyState, depth: int = 0, ply: int = 0, alpha: int = -INFINITY, beta: int = INFINITY
    ) -> None:
        if self.event.is_set():
            raise Stopped
        super().enter(state, depth, ply, alpha, beta)

    def poll(self) -> None:
        if self.event.is_set():
            raise Stopped
        super().poll()


# Behind the eight ints of `Counting`: from `BRANCHES` on, for each ply of the current line, the moves begun there.
FIRST_CUTOFFS: Final = 6
PLY: Final = 7
DEEPEST: Final = 11
"""Among the counts: most nodes on a line from the root, both ends included."""
BRANCHES: Final = 16
PLIES: Final = 2048


class Detailed(Counting):
    """Counts also the cutoffs by the first move, whose share says how good the order of moves is, and the plies of the
    longest line."""

    __slots__ = ()

    @classmethod
    def fresh(cls, budget: int = 1 << 62) -> "Detailed":
        """All counts at 0, to be stopped before it enters more nodes than `budget`."""
        counts = new_memory(BRANCHES + PLIES)
        counts[BUDGET] = budget
        return cls(counts)

    def enter(
        self, state: AnyState, depth: int = 0, ply: int = 0, alpha: int = -INFINITY, beta: int = INFINITY
    ) -> None:
        nodes = self.counts[NODES]
        if nodes >= self.counts[BUDGET]:
            raise Stopped
        self.counts[NODES] = nodes + 1
        if ply == 1:
            self.counts[TRIED] += 1
        self.counts[PLY] += 1
        self.counts[DEEPEST] = max(self.counts[DEEPEST], self.counts[PLY])
        # Lines beyond 2,048 plies share places: a count of cutoffs by the first move is then off by a few, and nothing
        # is written out of bounds.
        self.counts[BRANCHES + self.counts[PLY] % PLIES] = 0

    def branch(self, move: int) -> None:
        self.counts[BRANCHES + self.counts[PLY] % PLIES] += 1

    def cut(self, move: int, value: int) -> None:
        self.counts[CUTOFFS] += 1
        if self.counts[BRANCHES + self.counts[PLY] % PLIES] == 1:
            self.counts[FIRST_CUTOFFS] += 1

    def leave(self, value: int, move: int) -> None:
        self.counts[PLY] -= 1

    @property
    def first(self) -> int:
        """Cutoffs by the first move that was searched."""
        return int(self.counts[FIRST_CUTOFFS])

    @property
    def plies(self) -> int | None:
        """Plies of the longest line; None where not each node that was entered was left."""
        # A search that ends by an exception leaves its nodes open, so the ply does not return to 0 and the deepest one
        # is not its answer.
        return None if self.counts[PLY] or not self.counts[DEEPEST] else int(self.counts[DEEPEST]) - 1


@in_pages
@dataclass(slots=True)
class Entered:
    """A node of a recorded search."""

    parent: int
    """Parent, as its index in the recording; -1 for the root."""
    level: int
    """Plies below the root."""
    move: int
    """Move that led to the node; `NO_MOVE` for the root."""
    state: AnyState
    alpha: int
    beta: int
    """The window on entry."""
    value: int = 0
    best: int = NO_MOVE
    """The move that gave the value; `NO_MOVE` at a leaf."""
    kind: Literal["node", "leaf", "horizon"] = "node"
    """Kind of node: a leaf is a finished game; one at the horizon has a static evaluation."""
    cut: int = NO_MOVE
    """The move after which the others were not searched; `NO_MOVE` if all were."""


class Recording:
    """Record of a search: its nodes in the order in which they were entered."""

    def __init__(self, budget: int = 1 << 62) -> None:
        self.nodes: list[Entered] = []
        self._budget = budget
        self._path: list[int] = []
        """Nodes from the root to the current one."""
        self._branch = NO_MOVE

    @property
    def is_open(self) -> bool:
        """Whether a node is entered and not yet left."""
        return bool(self._path)

    @property
    def line(self) -> list[int]:
        """Moves from the root to the current node."""
        return [self.nodes[place].move for place in self._path[1:]]

    def stop(self) -> None:
        """End the search at its next node with `Stopped`, from another thread."""
        self._budget = 0

    def enter(
        self, state: AnyState, depth: int = 0, ply: int = 0, alpha: int = -INFINITY, beta: int = INFINITY
    ) -> None:
        if self._budget <= 0:
            raise Stopped
        # Counted down, not compared with `len(self.nodes)`: `stop` is then the same single assignment as in `Counting`.
        self._budget -= 1
        parent = self._path[-1] if self._path else -1
        self._path.append(len(self.nodes))
        self.nodes.append(Entered(parent, len(self._path) - 1, self._branch, state, alpha, beta))

    def poll(self) -> None:
        if self._budget <= 0:
            raise Stopped

    def branch(self, move: int) -> None:
        self._branch = move

    def leaf(self, state: AnyState, value: int) -> None:
        self.nodes[self._path[-1]].kind = "leaf"

    def horizon(self, state: AnyState, value: int) -> None:
        self.nodes[self._path[-1]].kind = "horizon"

    def cut(self, move: int, value: int) -> None:
        self.nodes[self._path[-1]].cut = move

    def leave(self, value: int, move: int) -> None:
        node = self.nodes[self._path.pop()]
        node.value, node.best = value, move


Observer = Silent | Counting | Recording
SILENT = Silent()
