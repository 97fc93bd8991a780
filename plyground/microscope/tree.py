"""A search as a tree to look at: what each node was asked, what it answered, and why branches were cut off.

The searches are those of `search/`, run plain under the watcher `Recording`; nothing is searched in another way here.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar

from plyground.blame import TooDeep, game_fault
from plyground.engine.think import search
from plyground.errors import BadInput
from plyground.position import Position, moves_text
from plyground.rules import LONGEST, MAX, MIN, NO_MOVE, ONGOING
from plyground.score import ESTIMATES, INFINITY, Score
from plyground.search.alphabeta import alphabeta
from plyground.search.memory import new_memory
from plyground.search.minimax import minimax
from plyground.search.ordered import NOTES, ordered
from plyground.search.watch import Counting, Recording, Stopped

RECORDED = ("minimax", "alphabeta", "ordered")
"""The algorithms that can be recorded: those whose every node has one value, seen by x."""
SHOWN = 10_000
"""Nodes kept, unless told otherwise: a page draws that many smoothly."""
SEARCHED = 100_000
"""Nodes that a recorded search enters at most: a second or two of plain Python, ten where opinions are slow to form."""
COUNTING = 2.0
"""Seconds to count a search that is too large, for the sentence that says so."""

Window = tuple[int, int]
WHOLE: Window = (-INFINITY, INFINITY)


@dataclass(frozen=True)
class Tree:
    """A recorded search: parallel lists with a place for each node, in the order in which they were entered.

    Values and windows are from x's side, on the scale of `score.py`, with plies counted from the root of the search.
    """

    position: Position
    """The root."""
    algorithm: str
    hurry: bool
    """Whether the sooner win was preferred."""
    ply: int
    """Plies from the root of the whole search to this tree's; 0 unless it is a part that was fetched."""
    nodes: int
    """Nodes entered, also those that are not kept."""
    leaves: int
    cutoffs: int
    parent: list[int]
    """The node above; -1 for the root."""
    move: list[int]
    """The move that led here; `NO_MOVE` for the root."""
    state: list[Any]
    side: list[int]
    """Who is to move: MAX (0, x) or MIN (1, o)."""
    depth: list[int]
    """Plies left to search."""
    window: list[Window]
    """(alpha, beta) on entry; beyond ±`INFINITY` nothing is known."""
    value: list[int]
    bound: list[str]
    """How the value that was found compares with minimax's: `=` it is the same, `≤` minimax's is at most it, `≥` at
    least. Derived from the children where they are kept, else from the window."""
    kind: list[str]
    """`node`, `leaf` (a finished game) or `horizon` (valued by opinion)."""
    best: list[int]
    """The move that gave the value; `NO_MOVE` at a leaf."""
    cut: list[int]
    """The move after which the others were cut off; `NO_MOVE` if none were."""
    skipped: list[tuple[int, ...]]
    """The moves that were cut off, in generation order."""
    hidden: list[int]
    """How many nodes below this one are not kept; `below` fetches them."""
    _children: list[list[int]] = field(repr=False)

    def __len__(self) -> int:
        return len(self.parent)

    def children(self, node: int) -> list[int]:
        """The kept nodes below a node, in the order of the search."""
        return self._children[node]

    @cached_property
    def line(self) -> list[int]:
        """The nodes of the principal variation, from the root on."""
        nodes = [0]
        while below := [child for child in self.children(nodes[-1]) if self.move[child] == self.best[nodes[-1]]]:
            nodes.append(below[0])
        return nodes

    @cached_property
    def level(self) -> list[int]:
        """Plies from the root to each node."""
        levels = [0]
        for parent in self.parent[1:]:
            levels.append(levels[parent] + 1)
        return levels

    def path(self, node: int) -> list[int]:
        """The nodes from the root to a node."""
        nodes = [node]
        while self.parent[nodes[-1]] >= 0:
            nodes.append(self.parent[nodes[-1]])
        return nodes[::-1]

    def move_text(self, node: int) -> str:
        """The move that led to a node, in text; empty for the root."""
        parent = self.parent[node]
        return "" if parent < 0 else self.position.game.move_text(self.state[parent], self.move[node])

    def position_at(self, node: int) -> Position:
        """The position of a node, with the moves that led to it."""
        position = self.position
        for each in self.path(node)[1:]:
            position = position.play(self.move[each])
        return position

    def node_at(self, moves: str | list[str]) -> int:
        """The node that moves in text lead to from the root.

        Raises:
            BadInput: the search did not go there, or that node is not kept.
        """
        node = 0
        words = moves.split() if isinstance(moves, str) else moves
        for word in words:
            move = self.position_at(node).legal(word)
            found = [child for child in self.children(node) if self.move[child] == move]
            if not found:
                said = "was cut off" if move in self.skipped[node] else "is not in this tree"
                raise BadInput(f"{word!r} {said}; there are {', '.join(map(self.move_text, self.children(node)))}.")
            node = found[0]
        return node

    def evaluation(self, node: int) -> tuple[tuple[str, int], ...]:
        """What the opinion of a node at the horizon is made of; empty for others."""
        return self.position.game.explain(self.state[node]) if self.kind[node] == "horizon" else ()

    def below(self, node: int, plies: int | None = None, shown: int = SHOWN) -> "Tree":
        """The part of the search below a node, as it ran there, with what this tree does not keep.

        Args:
            node: its root.
            plies: how many plies of it to keep; by default as many as `shown` allows.
            shown: nodes to keep at most.
        """
        ply = self.ply + self.level[node]
        question = _Question(self.algorithm, self.depth[node], self.hurry, ply, self.window[node])
        return _record(self.position_at(node), question, plies, shown)

    def saved_by_cut(self, node: int, limit: int = 1 << 28) -> int:
        """How many nodes minimax visits below the moves that were cut off here: what the cut saved, counted.

        Raises:
            BadInput: there are more than `limit`.
        """
        position, depth, total = self.position_at(node), self.depth[node] - 1, 0
        for move in self.skipped[node]:
            after = position.play(move)
            try:
                total += (
                    1 if depth == 0 or after.outcome is not None else _count(after, "minimax", depth, limit - total)
                )
            except Stopped:
                raise BadInput(f"The cut saved more than {limit:,} nodes.") from None
        return total


def record(
    position: Position,
    algorithm: str = "alphabeta",
    depth: int = 2,
    *,
    hurry: bool = True,
    plies: int | None = None,
    shown: int = SHOWN,
    watch: Callable[[Recording], None] | None = None,
) -> Tree:
    """Search as `search` does, and keep the tree.

    Args:
        position: where to search from.
        algorithm: one of `RECORDED`.
        depth: plies to look ahead.
        hurry: as for `search`.
        plies: how many plies of the tree to keep; by default as many as `shown` allows, and at least one.
        shown: nodes to keep at most.
        watch: told the watcher before the search starts, so that another thread can `stop()` it.

    Raises:
        BadInput: no such algorithm; the game is over; the search or the tree asked for is too large, with how large it
            is; the game breaks its laws in mid-search, with where.
        Stopped: the watcher was stopped.
    """
    if algorithm not in RECORDED:
        raise BadInput(f"{algorithm!r} cannot be recorded: there are {', '.join(RECORDED)}.")
    if not 1 <= depth <= LONGEST:
        raise BadInput(f"depth={depth}: look 1 to {LONGEST:,} plies ahead.")
    if position.outcome is not None:
        raise BadInput(f"The game is over: {position.result}; there is nothing to search.")
    return _record(position, _Question(algorithm, depth, hurry, 0, WHOLE), plies, shown, watch)


@dataclass(frozen=True)
class _Question:
    """What a search is asked."""

    algorithm: str
    depth: int
    hurry: bool
    ply: int
    window: Window


Watch = Callable[[Recording], None] | None


def _record(position: Position, question: _Question, plies: int | None, shown: int, watch: Watch = None) -> Tree:
    """The tree of a search, with as many plies as are wanted or fit."""
    if plies is not None and plies < 0:
        raise BadInput(f"plies={plies}: keep 0 or more.")
    recording = _run(position, question, watch)
    if plies is None:
        by_ply = Counter(recording.level)
        sums = list(accumulate(by_ply[level] for level in range(len(by_ply))))
        plies = max((level for level, total in enumerate(sums) if level and total <= shown), default=1)
    kept = sum(level <= plies for level in recording.level)
    if plies > 1 and kept > shown:
        raise BadInput(f"{plies} plies of this tree have {kept:,} nodes; at most {shown:,} are kept: ask for fewer.")
    return _tree(position, question, recording, plies)


def _run(position: Position, question: _Question, watch: Watch) -> Recording:
    recording = Recording(SEARCHED)
    if watch:
        watch(recording)
    try:
        _search(position, question, recording)
    except Stopped:
        if len(recording.parent) < SEARCHED:
            raise  # somebody stopped it
        raise BadInput(_too_large(position, question)) from None
    except (BadInput, KeyboardInterrupt):
        raise
    except Exception as fault:
        own = game_fault(fault)
        if own is None:
            raise
        if isinstance(own, TooDeep):
            raise own from None
        name, words = type(position.game).__name__, " ".join(_names(position, recording.line))
        where = f"after {words} from the root" if words else "at the root"
        raise BadInput(f"{name} fails in mid-search, {where}: {own}") from fault
    return recording


def _search(position: Position, question: _Question, watch: Recording) -> None:
    game, state, depth = position.game, position.state, question.depth
    hurry, ply = int(question.hurry), question.ply
    if question.algorithm == "minimax":
        minimax(game, watch, state, depth, hurry, ply)
    elif question.algorithm == "alphabeta":
        alphabeta(game, watch, state, depth, *question.window, hurry, ply)
    else:
        ordered(game, watch, new_memory(NOTES), 0, state, depth, *question.window, hurry, ply)


def _names(position: Position, moves: list[int]) -> list[str]:
    try:
        return moves_text(position, tuple(moves))
    except Exception:  # the game that fails may fail at this too; numbers name the moves
        return list(map(str, moves))


def _too_large(position: Position, question: _Question) -> str:
    try:
        count = f"{_count(position, question.algorithm, question.depth, 1 << 62, COUNTING):,}"
    except Stopped:
        count = "more nodes than can be counted in a moment, far more than"
        return f"{question.algorithm} to depth {question.depth} enters {count} {SEARCHED:,}: record a smaller depth."
    return (
        f"{question.algorithm} to depth {question.depth} enters {count} nodes here; at most {SEARCHED:,} can be "
        "recorded: record a smaller depth."
    )


def _count(position: Position, algorithm: str, depth: int, nodes: int, seconds: float | None = None) -> int:
    """How many nodes the compiled search enters.

    Raises:
        Stopped: more than `nodes`, or more than can be entered in `seconds`.
    """
    begun: list[float] = []

    def late(watch: Counting) -> None:
        begun.append(time.perf_counter())  # from the first call on: what was compiled before does not count
        if seconds is not None and begun[-1] - begun[0] > seconds:
            watch.stop()

    return search(position, algorithm, depth, nodes=max(nodes, 1), on_wait=late).nodes


def _tree(position: Position, question: _Question, whole: Recording, plies: int) -> Tree:
    """The first plies of a recording as a tree."""
    game = position.game
    recording, hidden = _top(whole, plies)
    children: list[list[int]] = [[] for _ in recording.parent]
    for node, parent in enumerate(recording.parent[1:], 1):
        children[parent].append(node)
    skipped: list[tuple[int, ...]] = []
    for node, cut in enumerate(recording.cut_by):
        tried = {recording.move[child] for child in children[node]}
        is_kept = bool(tried)
        skipped.append(
            tuple(move for move in game.moves(recording.state[node]) if move not in tried)
            if cut != NO_MOVE and is_kept
            else ()
        )
    side = [game.to_move(state) for state in recording.state]
    return Tree(
        position=position,
        algorithm=question.algorithm,
        hurry=question.hurry,
        ply=question.ply,
        nodes=len(whole.parent),
        leaves=sum(kind != "node" for kind in whole.kind),
        cutoffs=sum(cut != NO_MOVE for cut in whole.cut_by),
        parent=recording.parent,
        move=recording.move,
        state=recording.state,
        side=side,
        depth=recording.depth,
        window=recording.window,
        value=recording.value,
        bound=_bounds(recording, hidden, children, side, skipped),
        kind=recording.kind,
        best=recording.best,
        cut=recording.cut_by,
        skipped=skipped,
        hidden=hidden,
        _children=children,
    )


def _top(whole: Recording, plies: int) -> tuple[Recording, list[int]]:
    """The first plies of a recording, and for each of their nodes how many below it are left out."""
    kept = [node for node, level in enumerate(whole.level) if level <= plies]
    following = [*kept[1:], len(whole.level)]
    hidden = [after - node - 1 for node, after in zip(kept, following, strict=True)]  # the search goes depth first
    place = {node: index for index, node in enumerate(kept)} | {-1: -1}
    top = Recording()
    top.parent = [place[whole.parent[node]] for node in kept]
    top.level, top.move, top.state = _picked(whole.level, kept), _picked(whole.move, kept), _picked(whole.state, kept)
    top.depth, top.window = _picked(whole.depth, kept), _picked(whole.window, kept)
    top.value, top.best = _picked(whole.value, kept), _picked(whole.best, kept)
    top.kind, top.cut_by = _picked(whole.kind, kept), _picked(whole.cut_by, kept)
    return top, hidden


Each = TypeVar("Each")


def _picked(column: list[Each], nodes: list[int]) -> list[Each]:
    return [column[node] for node in nodes]


def _bounds(
    recording: Recording,
    hidden: list[int],
    children: list[list[int]],
    side: list[int],
    skipped: list[tuple[int, ...]],
) -> list[str]:
    """How each value compares with minimax's, from what is known of the children; children come after their parents."""
    count = len(children)
    low, high = list(recording.value), list(recording.value)
    for node in reversed(range(count)):
        value = recording.value[node]
        if hidden[node] and not children[node]:
            alpha, beta = recording.window[node]
            low[node] = -INFINITY if value <= alpha else value
            high[node] = INFINITY if value >= beta else value
        elif children[node]:
            better = max if side[node] == MAX else min
            low[node] = better(low[child] for child in children[node])
            high[node] = better(high[child] for child in children[node])
            if skipped[node]:
                low[node] = -INFINITY if side[node] == MIN else low[node]
                high[node] = INFINITY if side[node] == MAX else high[node]
    pairs = zip(low, high, recording.value, strict=True)
    return ["=" if under == over else "≥" if under == value else "≤" for under, over, value in pairs]


def brief(value: int, names: tuple[str, str] = ("x", "o")) -> str:
    """A value in a word or two: an opinion as a number, an end as who wins how many plies after the root, `x in 3`.

    >>> brief(-2), brief((1 << 20) - 3), brief(INFINITY)
    ('−2', 'x in 3', '∞')
    """
    if abs(value) >= INFINITY:
        return "∞" if value > 0 else "−∞"
    if abs(value) < ESTIMATES:
        return str(value).replace("-", "−")
    score = Score.of(value)
    assert score.winner is not None
    winner, margin = names[score.winner], score.margin
    return f"{winner}{margin} in {score.plies}" if score.plies else f"{winner} wins{margin}"


def is_over(tree: Tree, node: int) -> bool:
    """Whether the game has ended at a node."""
    return tree.position.game.outcome(tree.state[node]) != ONGOING
