"""Recording of all that a search reports: also depths, and moves that it only began."""

import sys
from dataclasses import dataclass, field
from numbers import Real
from types import FrameType
from typing import Any, Final

from plyground.errors import BadInput
from plyground.rules import NO_MOVE
from plyground.score import INFINITY
from plyground.search.observer import AnyState, Recording

Window = tuple[int, int]
"""Window (alpha, beta); ±`INFINITY` where there is no bound."""
UNTOLD: Final[Any] = None
"""Default of an argument that a search leaves out."""


class Misreported(BadInput):
    """A search reports something else than a state or a value; the sentence says what it reports."""


@dataclass(slots=True)
class Reported:
    """Reports of a search about one node, beyond the fields of `Entered`."""

    depth: int | None = None
    """Plies left to search, as the search said or its variable `depth` has it; None: neither."""
    window: Window | None = None
    """Window on entry, as the search said or its variables `alpha` and `beta` have it; None: neither."""
    begun: list[int] = field(default_factory=list)
    """Moves reported by `branch`, in their order."""
    children: list[int] = field(default_factory=list)
    """Nodes entered below it, in their order; a move that was searched twice has two."""
    is_left: bool = False
    """Whether its value came back."""


class FullRecording(Recording):
    """Recording for the laws of a search (`search_laws.py`).

    Args:
        budget: nodes after which the search is stopped with `Stopped`.
        file: file of the search: where it leaves out depth and window in `enter`, they are read from the variables of
            that name in the function of this file that called it.
        kind: type of the game's states.
    """

    def __init__(self, budget: int = 1 << 62, file: str = "", kind: type = object) -> None:
        super().__init__(budget)
        self._kind = kind
        self.reported: list[Reported] = []
        self.steps: list[int] = []
        """Nodes in the order of events: `n` where node n is entered, `~n` where it is left."""
        self.surplus = 0
        """Number of calls of `leave` where no node was entered."""
        self._file = file

    def enter(
        self,
        state: AnyState,
        depth: int = UNTOLD,
        ply: int = UNTOLD,
        alpha: int = UNTOLD,
        beta: int = UNTOLD,
    ) -> None:
        if not isinstance(state, self._kind):
            raise Misreported(f"observer.enter is given {state!r:.60}, which is no state of the game.")
        caller = sys._getframe(1)
        depth = _told(depth, "depth", caller, self._file)
        alpha = _told(alpha, "alpha", caller, self._file, -INFINITY)
        beta = _told(beta, "beta", caller, self._file, INFINITY)
        window = None if alpha is None or beta is None else (max(alpha, -INFINITY), min(beta, INFINITY))
        place, (low, high) = len(self.nodes), window or (-INFINITY, INFINITY)
        super().enter(state, depth or 0, ply or 0, low, high)
        self.reported.append(Reported(depth, window))
        self.steps.append(place)
        if self.nodes[place].parent >= 0:
            self.reported[self.nodes[place].parent].children.append(place)
        self._branch = NO_MOVE

    def branch(self, move: int) -> None:
        super().branch(move)
        if self._path:
            self.reported[self._path[-1]].begun.append(move)

    def leave(self, value: int, move: int) -> None:
        if not isinstance(value, Real) or value != value:
            raise Misreported(f"observer.leave is given {value!r:.60} for the value, which is no number.")
        if not self._path:
            self.surplus += 1
            return  # a value of no node: the search reports too little, and that is said of it
        place = self._path[-1]
        super().leave(value, move)
        self.reported[place].is_left = True
        self.steps.append(~place)

    @property
    def is_balanced(self) -> bool:
        """Whether each node that was entered was left once. Else nodes stand below others than their parents."""
        return not self.is_open and not self.surplus

    @property
    def last_pass(self) -> int:
        """The root entered last: of a search that deepens, its last pass; -1 if no node was entered."""
        return max((place for place, node in enumerate(self.nodes) if node.parent < 0), default=-1)


def _told(said: Any, name: str, caller: FrameType, file: str, unbounded: int | None = None) -> Any:
    """An argument of `enter`, or where it is left out the caller's variable of that name, if that is an int.

    A variable that is None says that there is no bound: `unbounded`.
    """
    if said is None and file and caller.f_code.co_filename == file and name in caller.f_locals:
        said = caller.f_locals[name]
        said = unbounded if said is None else said
    if isinstance(said, float) and abs(said) == float("inf"):
        return INFINITY if said > 0 else -INFINITY
    return said if isinstance(said, int) else None
