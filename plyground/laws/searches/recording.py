"""Recording of all that a search reports: also depths, and moves that it only began."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from types import CodeType, FrameType
from typing import Any, Final

from plyground.errors import BadInput
from plyground.rules import NO_MOVE, Game
from plyground.score import INFINITY
from plyground.search.observer import AnyState, Entered, Recording

Window = tuple[int, int]
"""Window (alpha, beta); ±`INFINITY` where there is no bound."""
EdgeNames = dict[CodeType, tuple[str, str]]
"""Names of the variables for alpha and beta, by the function that has them."""
LARGEST_TRIED = 1 << 16
"""Largest number of a move that is tried in a state that has no such move."""
LEFT_OUT: Final[Any] = None
"""Default of an argument that a search leaves out."""


class Misreported(BadInput):
    """A search reports something other than a state or a value; the message quotes it."""


@dataclass(slots=True)
class Reported:
    """Reports of a search about one node, beyond the fields of `Entered`."""

    depth: int | None = None
    """Plies left to search, as the search said or its variable `depth` has it; None: neither."""
    window: Window | None = None
    """Window on entry, as the search said or its variables have it; None: neither."""
    begun: list[int] = field(default_factory=list)
    """Moves reported by `branch`, in their order."""
    children: list[int] = field(default_factory=list)
    """Nodes entered below it, in their order; a move that was searched twice has two."""
    is_left: bool = False
    """Whether its value came back."""


class FullRecording(Recording):
    """Recording for the laws of a search (`laws.py`).

    Args:
        budget: nodes after which the search is stopped with `Stopped`.
        file: file of the search: where it leaves out depth and window in `enter`, they are read from the variables of
            that name in the function of this file that called it.
        kind: type of the game's states.
        edges: names of the window's edges in functions without `alpha` and `beta`, such as `lo` and `hi`: what enters a
            root with an open window adds those of its arguments that have it.
    """

    def __init__(
        self, budget: int = 1 << 62, file: str = "", kind: type = object, edges: EdgeNames | None = None
    ) -> None:
        super().__init__(budget)
        self._kind = kind
        self._edges: EdgeNames = {} if edges is None else edges
        self.reported: list[Reported] = []
        self.steps: list[int] = []
        """Nodes in the order of events: `n` where node n is entered, `~n` where it is left."""
        self.surplus = 0
        """Number of calls of `leave` where no node was entered."""
        self._file = file

    def enter(
        self,
        state: AnyState,
        depth: int = LEFT_OUT,
        ply: int = LEFT_OUT,
        alpha: int = LEFT_OUT,
        beta: int = LEFT_OUT,
    ) -> None:
        if not isinstance(state, self._kind):
            raise Misreported(f"observer.enter is given {state!r:.60}, which is no state of the game.")
        # Students' searches leave depth and window out: they are read from variables of the function that calls.
        caller = sys._getframe(1)
        depth = _argument_of(depth, "depth", caller, self._file)
        low_name, high_name = self._edge_names(caller)
        alpha = _argument_of(alpha, low_name, caller, self._file, -INFINITY)
        beta = _argument_of(beta, high_name, caller, self._file, INFINITY)
        # Edges beyond ours, such as `float('inf')` or 10**18, are cut to `INFINITY`.
        window = None if alpha is None or beta is None else (max(alpha, -INFINITY), min(beta, INFINITY))
        place, (low, high) = len(self.nodes), window or (-INFINITY, INFINITY)
        super().enter(state, depth or 0, ply or 0, low, high)
        self.reported.append(Reported(depth, window))
        self.steps.append(place)
        if self.nodes[place].parent >= 0:
            self.reported[self.nodes[place].parent].children.append(place)
        self._branch = NO_MOVE

    def _edge_names(self, caller: FrameType) -> tuple[str, str]:
        """Names of the edges of the window in a function: alpha and beta, or those that were found at a root."""
        code, known = caller.f_code, ("alpha", "beta")
        if code.co_filename != self._file or "alpha" in caller.f_locals or "beta" in caller.f_locals:
            return known
        # At a root with an open window the edges are known by their values, whatever their names; remembered by
        # function.
        if code not in self._edges and not self._path:
            values = [(caller.f_locals.get(name), name) for name in code.co_varnames[: code.co_argcount]]
            names = {value: name for value, name in values if isinstance(value, int)}
            if -INFINITY in names and INFINITY in names:
                self._edges[code] = names[-INFINITY], names[INFINITY]
        return self._edges.get(code, known)

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

    def resume(self, path: list[int]) -> None:
        """Take over the nodes that were entered and not left, from the root down."""
        self._path = path

    @property
    def path(self) -> list[int]:
        """The nodes that were entered and not left, from the root down."""
        return self._path

    @property
    def current(self) -> int:
        """The node that was entered last and not left; -1 for none."""
        return self._path[-1] if self._path else -1

    @property
    def is_balanced(self) -> bool:
        """Whether each node that was entered was left once. Else nodes stand below others than their parents."""
        return not self.is_open and not self.surplus

    @property
    def last_pass(self) -> int:
        """The root entered last: of a search that deepens, its last pass; -1 if no node was entered."""
        return max((place for place, node in enumerate(self.nodes) if node.parent < 0), default=-1)


def above_horizon(recording: FullRecording, depth: int) -> FullRecording:
    """A recording to a depth without the nodes below its horizon, which quiescence enters."""
    kept, new = FullRecording(), dict[int, int]()
    left: list[int | None] = []
    for place, (node, told) in enumerate(zip(recording.nodes, recording.reported, strict=True)):
        above = left[node.parent] if node.parent >= 0 else None
        root = depth if place == recording.last_pass else told.depth
        left.append(root if node.parent < 0 else None if above is None else above - 1)
        plies = left[place]
        if (plies is None or plies >= 0) and (node.parent < 0 or node.parent in new):
            new[place] = len(new)
            kept.nodes.append(replace(node, parent=new.get(node.parent, -1)))
            kept.reported.append(replace(told, children=[], begun=[] if plies == 0 else told.begun))
            if node.parent >= 0:
                kept.reported[new[node.parent]].children.append(new[place])
    kept.steps = [new[step] if step >= 0 else ~new[~step] for step in recording.steps if max(step, ~step) in new]
    kept.surplus = recording.surplus
    kept.resume([new[place] for place in recording.path if place in new])
    return kept


Row = tuple[Any, int, int | None, Window | None, Any, Any, Any, int, str, int, list[int]]
"""A node for another process: state, move, depth, window, alpha, beta, value, best, kind, cut and moves begun."""


def rows_of(recording: FullRecording) -> tuple[list[Row], list[int], int]:
    """Convert a recording to JSON's kinds of values: its nodes, the order of its events, the number of surplus ends."""
    rows: list[Row] = []
    for node, told in zip(recording.nodes, recording.reported, strict=True):
        window = told.window, node.alpha, node.beta
        rows.append(
            (node.state, node.move, told.depth, *window, node.value, node.best, node.kind, node.cut, told.begun)
        )
    return rows, recording.steps, recording.surplus


class ForeignState(Exception):
    """A recording has a state to which no move leads. Arguments: the recording up to there, and the parent's index."""


class MalformedRows(Exception):
    """The rows are not those of a recording: the process that sent them is broken, or forges them."""


def recording_of(sent: Any, game: Game[Any], root: AnyState) -> FullRecording:
    """Rebuild a recording from rows that another process sent; its states are replaced by those of `game`.

    Raises:
        ForeignState: a node's state is not the root's, nor one that moves lead to from a node before it.
        MalformedRows: the rows are those of no recording.
    """
    recording, path = FullRecording(), list[int]()
    # States are taken from the grader's own rules alone, by equality: no rule is asked about one that a student made up
    # (decision 46).
    known: dict[Any, AnyState] = {root: root} | _states_after(game, root)
    try:
        rows, steps, recording.surplus = sent
        for step in steps:
            if step < 0:
                if path.pop() != ~step:
                    raise MalformedRows
                recording.reported[~step].is_left = True
            else:
                place, above = len(recording.nodes), path[-1] if path else -1
                state, *numbers = rows[place]
                if step != place:
                    raise MalformedRows
                told_state = _make_tuples(state)
                # The move may be none that the rules list; played all the same, where rules allow it, so that the
                # mistake can be named.
                if told_state not in known and above >= 0:
                    known.update(_states_after(game, recording.nodes[above].state, [numbers[0]]))
                if told_state not in known:
                    raise ForeignState(recording, above)
                state = known[told_state]
                known.update(_states_after(game, state))
                node, told = _node_from_row(above, len(path), state, numbers)
                recording.nodes.append(node)
                recording.reported.append(told)
                if above >= 0:
                    recording.reported[above].children.append(place)
                path.append(place)
            recording.steps.append(step)
    except (TypeError, ValueError, IndexError, RecursionError):
        raise MalformedRows from None
    recording.resume(path)
    return recording


def _node_from_row(parent: int, level: int, state: AnyState, numbers: Sequence[Any]) -> tuple[Entered, Reported]:
    """Build a node and its report from a row without its state; moves are not checked.

    Raises:
        TypeError, ValueError: the row has lists for values, or no numbers for depth and window.
    """
    move, depth, window, alpha, beta, value, best, kind, cut, begun = numbers
    low, high = window or (alpha, beta)
    if kind not in ("node", "leaf", "horizon") or not isinstance(begun, list):
        raise ValueError(kind)
    for each in (0 if depth is None else depth, low, high, alpha, beta):
        if not isinstance(each, int):
            raise TypeError(each)
    # NaN is unequal to itself, and would make every comparison false.
    if type(value) not in (int, float, bool) or value != value:
        raise TypeError(value)
    for each in (move, best, cut, *begun):
        if isinstance(each, list | dict):
            raise TypeError(each)
    told = Reported(depth, (low, high) if window else None, begun)
    return Entered(parent, level, move, state, alpha, beta, value, best, kind, cut), told


def _states_after(game: Game[Any], state: AnyState, moves: Sequence[int] | None = None) -> dict[Any, AnyState]:
    """States after one of some moves, or of all; also where the game is over, for a wrong search goes on there."""
    try:
        tried = game.moves(state) if moves is None else [move for move in moves if 0 <= move <= LARGEST_TRIED]
        return {after: after for after in (game.play(state, move) for move in tried)}
    except Exception:  # rules need not know what follows an end
        return {}


def _make_tuples(value: Any) -> Any:
    """Convert lists to the tuples that JSON made them of. A tuple equals a NamedTuple of the same values."""
    return tuple(map(_make_tuples, value)) if isinstance(value, list) else value


def _argument_of(said: Any, name: str, caller: FrameType, file: str, unbounded: int | None = None) -> Any:
    """An argument of `enter`, or where it is left out the caller's variable of that name, if that is an int.

    A variable that is None says that there is no bound: `unbounded`.
    """
    if said is None and file and caller.f_code.co_filename == file and name in caller.f_locals:
        said = caller.f_locals[name]
        said = unbounded if said is None else said
    if isinstance(said, float) and abs(said) == float("inf"):
        return INFINITY if said > 0 else -INFINITY
    return said if isinstance(said, int) else None
