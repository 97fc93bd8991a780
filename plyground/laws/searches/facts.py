"""Facts of a recorded search for the laws: its nodes, with values from x's side."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from plyground.laws.searches.recording import FullRecording, Reported, Window
from plyground.rules import MAX, MIN, NO_MOVE, ONGOING, Game
from plyground.score import ESTIMATES, INFINITY, final
from plyground.search.observer import Entered

OPEN: Window = (-INFINITY, INFINITY)
"""The window without bounds."""
Truth = Callable[[Any, int, int], int | None]
"""Minimax's value of a state, by the plies left and those made since the root; None if that is too dear."""


@dataclass
class SearchFacts:
    """Recorded search with facts of its nodes. Values and windows are x's: those of a negamax are converted."""

    game: Game[Any]
    recording: FullRecording
    depth: int
    """Depth that was asked for."""
    ply: int
    """Plies made before the root."""
    prefer_shorter: bool
    has_window: bool
    given: Window
    """Window that the search was given."""
    truth: Truth
    text: Callable[[int], str]
    """Text of a value."""
    negamax: bool | None = None
    """Whether the values reported are the mover's; None: what this recording shows."""
    mixes_extremes: bool | None = None
    """Whether the search takes the other player's extreme somewhere; None: what this recording shows."""
    root_is_max: bool = False
    """Whether the search takes the player to move at the root for MAX, so that its values are that player's."""
    leaks: bool | None = None
    """Whether a window is changed by what is searched below other moves; None: what this recording shows."""
    earlier: "tuple[SearchFacts, ...]" = ()
    """Searches just before, from which it may know values."""

    def __post_init__(self) -> None:
        # Copies, because moves, kinds and signs are mended here, and the recording stays as it was reported.
        self.nodes: list[Entered] = [replace(node) for node in self.recording.nodes]
        self.reports: list[Reported] = self.recording.reported
        self.windows: list[Window | None] = [report.window for report in self.reports]
        self.windows_as_shown: list[Window | None] = []
        """Windows as the search has them, but for edges far beyond every value."""
        for node in self.nodes:
            if node.parent >= 0 and node.move == NO_MOVE:
                node.move = self._move_to(node.parent, node.state)
        for place, node in enumerate(self.nodes):
            # Kinds first: whether values are the mover's is read from the ends among them.
            node.kind = self._kind(place)
        for place, node in enumerate(self.nodes):
            # From here on every value and window is x's, so that each law is stated once.
            if self.is_turned(place):
                node.value = -node.value
                if window := self.windows[place]:
                    self.windows[place] = -window[1], -window[0]
            window = self.windows[place]
            self.windows_as_shown.append(window and self._without_far(window))
            self.windows[place] = window and self._bounded_window(place, window)

    def _kind(self, place: int) -> Literal["node", "leaf", "horizon"]:
        """Classify a node; one without children that was not reported as a leaf is classified by outcome and depth."""
        node, report, left = self.nodes[place], self.reports[place], self.depths[place]
        if node.kind != "node" or report.children or report.begun:
            return node.kind
        if self.outcome(place) != ONGOING:
            return "leaf"
        return "horizon" if left is not None and left <= 0 else "node"

    def _bounded_window(self, place: int, window: Window) -> Window:
        """A window in which an edge that no value of the node is beyond, such as 10**9, is no bound."""
        (low, high), (least, most) = window, self.range_of(place)
        return (-INFINITY if low <= least else low, INFINITY if high >= most else high)

    def _without_far(self, window: Window) -> Window:
        """A window in which an edge far beyond every value, such as 10**9, is no bound."""
        low, high = window
        return (-INFINITY if low <= -self._far_edge else low, INFINITY if high >= self._far_edge else high)

    def range_of(self, place: int) -> Window:
        """The least and the largest value that a node can have."""
        node = self.nodes[place]
        low, high = self.game.bounds(node.state)
        plies = self.prefer_shorter * (self.ply + node.level)
        # At least as wide as static evaluations, which every game may have.
        return min(final(low, plies), -ESTIMATES), max(final(high, plies), ESTIMATES)

    @cached_property
    def _far_edge(self) -> int:
        # Twice the largest end: an edge out there is some "infinity" of the search's own.
        return 2 * final(max(map(abs, self.game.bounds(self.nodes[0].state))), 0)

    def _move_to(self, parent: int, state: Any) -> int:
        """The move that leads to a state, where the search did not say it; `NO_MOVE` if none does."""
        moves = self.legal(parent)
        taken = {self.nodes[child].move for child in self.reports[parent].children}
        found = [move for move in moves if self.game.play(self.nodes[parent].state, move) == state]
        return next((move for move in found if move not in taken), found[0] if found else NO_MOVE)

    # -- what is known of a node ----------------------------------------------------------------------------------

    def outcome(self, place: int) -> int:
        """Outcome of a node's state."""
        return self.game.outcome(self.nodes[place].state)

    def side(self, place: int) -> int:
        """Player to move at a node."""
        return self.game.to_move(self.nodes[place].state)

    def legal(self, place: int) -> list[int]:
        """Legal moves of a node; none where the game is over."""
        return list(self.game.moves(self.nodes[place].state)) if self.outcome(place) == ONGOING else []

    @cached_property
    def depths(self) -> list[int | None]:
        """Plies left at each node by its place below its root; None where the root's depth is not known."""
        depths: list[int | None] = []
        last = self.recording.last_pass
        for place, node in enumerate(self.nodes):
            if node.parent < 0:
                depths.append(self.depth if place == last else self.reports[place].depth)
            else:
                above = depths[node.parent]
                depths.append(None if above is None else above - 1)
        return depths

    def worth(self, place: int) -> int | None:
        """Value that a node without children must have; None where the search should go on."""
        node, left = self.nodes[place], self.depths[place]
        if (utility := self.outcome(place)) != ONGOING:
            return final(utility, self.prefer_shorter * (self.ply + node.level))
        return self.game.evaluate(node.state) if left is not None and left <= 0 else None

    def is_turned(self, place: int) -> bool:
        """Whether the value that is reported for a node is o's, and not x's."""
        if self.root_is_max:
            return self.side(0) == MIN
        return self.is_negamax and self.side(place) == MIN

    @property
    def root_evidence(self) -> Counter[tuple[int, int, str]]:
        """Ends that are worth something, by the sides to move at the root and there: with x's value, o's, or none."""
        found: Counter[tuple[int, int, str]] = Counter()
        for place, node in enumerate(self.recording.nodes):
            if self.reports[place].is_left and not self.reports[place].children and (worth := self.worth(place)):
                whose = "x" if node.value == worth else "o" if node.value == -worth else "none"
                found[self.side(0), self.side(place), whose] += 1
        return found

    @cached_property
    def is_negamax(self) -> bool:
        """Whether the values reported are the mover's."""
        return reports_the_mover(self.evidence) if self.negamax is None else self.negamax

    @property
    def evidence(self) -> Counter[tuple[str, str]]:
        """Nodes whose reported values fit x's side, or the mover's, or neither: ends and inner nodes apart."""
        found: Counter[tuple[str, str]] = Counter()
        for place, node in enumerate(self.recording.nodes):
            report = self.reports[place]
            if not report.is_left:
                continue
            side, below = self.side(place), self.child_values(place)
            if len({value for value, _ in below}) > 1:
                best = (max if side == MAX else min)(value for value, _ in below)
                turned = max(value if other == side else -value for value, other in below)
                # Only nodes at which the two readings differ tell which one is meant.
                if best != turned:
                    fits = "x" if node.value == best else "mover" if node.value == turned else "none"
                    found["inner" if side == MAX else "inner MIN", fits] += 1
            # Where x moves both readings agree, and 0 has no sign.
            elif not below and side == MIN and (worth := self.worth(place)):
                end = "finished" if self.outcome(place) != ONGOING else "horizon"
                found[end, "x" if node.value == worth else "mover" if node.value == -worth else "none"] += 1
        return found

    def child_values(self, place: int) -> list[tuple[int, int]]:
        """Values of a node's children as reported, each with its player to move."""
        below = [child for child in self.reports[place].children if self.reports[child].is_left]
        return [(self.recording.nodes[child].value, self.side(child)) for child in below]

    def before(self, place: int, until: int | None = None) -> dict[int, int]:
        """Values of the moves of a node that were searched before its child `until`; the last of each counts.

        A move that is searched again, after a null window, is not before itself.
        """
        found: dict[int, int] = {}
        for child in self.reports[place].children:
            if until is not None and child >= until:
                # Its own earlier value: a null window before, which asks the same move.
                found.pop(self.nodes[until].move, None)
                break
            if self.reports[child].is_left:
                found[self.nodes[child].move] = self.nodes[child].value
        return found

    def best(self, place: int, until: int | None = None) -> int:
        """Best value, of the children before `until`, for the player to move; the worst possible before the first."""
        side = self.side(place)
        return (max if side == MAX else min)(self.before(place, until).values(), default=OPEN[side])

    def truth_of(self, state: Any) -> int:
        """Minimax's value of the state that was asked about."""
        value = self.truth(state, self.depth, self.ply)
        assert value is not None
        return value

    def true_value(self, place: int) -> int | None:
        """Minimax's value of a node; None where that is too dear, or its depth is not known."""
        left = self.depths[place]
        if left is None or left < 0:
            return None
        return self.truth(self.nodes[place].state, left, self.ply + self.nodes[place].level)

    def holds(self, place: int, value: int) -> bool:
        """Whether a value is right for a node within its window: minimax's, or a bound of it beyond the window."""
        truth = self.true_value(place)
        return truth is None or self.is_closed(place) or is_right_within(value, truth, self.windows[place] or OPEN)

    def is_closed(self, place: int) -> bool:
        """Whether a node's window has no room at all, so that no value of it matters."""
        low, high = self.reports[place].window or OPEN
        return low >= high


def is_right_within(value: int, truth: int, window: Window) -> bool:
    """Whether a value is right for a window: the true value itself, or a bound of it at or beyond an edge."""
    return value == truth or truth <= value <= window[0] or truth >= value >= window[1]


def takes_root_for_max(evidence: Counter[tuple[int, int, str]]) -> bool:
    """Whether all ends have the value of the player who moves at the root."""
    # With o at the root, ends of both movers have to be seen with o's sign, and with x at the root x's; none otherwise.
    found = {key for key, count in evidence.items() if count}
    owned = {(root, side, "xo"[root]) for root in (MAX, MIN) for side in (MAX, MIN)}
    return {(MIN, MAX, "o"), (MIN, MIN, "o"), (MAX, MAX, "x")} <= found <= owned


def reports_the_mover(evidence: Counter[tuple[str, str]]) -> bool:
    """Whether values are the mover's, as in negamax: inner nodes say so, or where they say neither, all ends do."""
    inner = {fits: evidence["inner", fits] + evidence["inner MIN", fits] for fits in ("x", "mover", "none")}
    if inner["mover"] > max(inner["x"], inner["none"]):
        return True
    ends = {fits: evidence["finished", fits] + evidence["horizon", fits] for fits in ("x", "mover")}
    both = evidence["finished", "mover"] and evidence["horizon", "mover"]
    return bool(both and not ends["x"] and not evidence["inner MIN", "x"])


def reported_pair(recording: FullRecording) -> tuple[int, int] | None:
    """Value and move reported for the last root; None where it was not left."""
    if recording.last_pass < 0:
        return None
    node, report = recording.nodes[recording.last_pass], recording.reported[recording.last_pass]
    return (node.value, node.best) if report.is_left else None
