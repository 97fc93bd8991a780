"""Tree of a recorded search: the window and value of each node, and its cutoffs.

The searches are those of `search/`, run as plain Python with the observer `Recording`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import accumulate, islice
from typing import Any

from plyground.errors import BadInput, checked
from plyground.laws.search_laws import SearchBreach
from plyground.microscope.columns import Columns, brief
from plyground.microscope.lawful import OnStart, run_recorded
from plyground.microscope.size import count, too_large
from plyground.microscope.values import bounds_of, children_of, line_of
from plyground.microscope.wording import WORDING
from plyground.position import Position
from plyground.rules import LONGEST, NO_MOVE, Game
from plyground.score import INFINITY
from plyground.search import ALGORITHMS, algorithm_named
from plyground.search.algorithm import Algorithm, Query
from plyground.search.minimax import MINIMAX
from plyground.search.observer import Entered, Recording, Stopped

SHOWN = 10_000
"""Nodes kept by default: a page draws that many smoothly."""
COUNTED = 1 << 28
"""Most nodes that are counted to find the saving of a cutoff."""

Window = tuple[int, int]
"""Window (alpha, beta); ±`INFINITY` where there is no bound."""


@dataclass(frozen=True)
class Tree(Columns):
    """A recorded search. Nodes are numbers in the order in which the search entered them; 0 is the root."""

    root: Position
    prefer_shorter: bool
    """Whether shorter wins were preferred."""
    state: list[Any] = field(repr=False)
    """The game's own state of each node."""
    broken: dict[int, SearchBreach] = field(default_factory=dict, repr=False)
    """Nodes at which a user's search breaks a law of searches, with the first that it breaks there."""

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def columns(self) -> Columns:
        """Columns, as they are sent."""
        return Columns(**{each.name: getattr(self, each.name) for each in fields(Columns)})

    @cached_property
    def _children(self) -> list[list[int]]:
        return children_of(self.parent)

    @checked
    def children(self, node: int) -> list[int]:
        """The kept nodes below a node, in the order of the search."""
        return self._children[node]

    @checked
    def window(self, node: int) -> Window:
        """Window of a node on entry."""
        alpha, beta = self.alpha[node], self.beta[node]
        return -INFINITY if alpha is None else alpha, INFINITY if beta is None else beta

    @cached_property
    def level(self) -> list[int]:
        """Plies from the root to each node."""
        levels = [0]
        for parent in self.parent[1:]:
            levels.append(levels[parent] + 1)
        return levels

    @checked
    def left(self, node: int) -> int:
        """Plies left to search at a node."""
        return self.depth - self.level[node]

    @checked
    def path(self, node: int) -> list[int]:
        """The nodes from the root to a node."""
        nodes = [node]
        while self.parent[nodes[-1]] >= 0:
            nodes.append(self.parent[nodes[-1]])
        return nodes[::-1]

    @checked
    def moves_to(self, node: int) -> list[str]:
        """The moves from the root to a node."""
        return [self.move[each] for each in self.path(node)[1:]]

    @checked
    def position_at(self, node: int) -> Position:
        """Position of a node, with the moves that led to it."""
        position = self.root
        for move in self.moves_to(node):
            position = position.play(move)
        return position

    @checked
    def node_at(self, moves: str | Sequence[str]) -> int:
        """Node to which moves in text lead from the root.

        Raises:
            BadInput: the search did not enter that node, or it is not kept.
        """
        node = 0
        for word in moves.split() if isinstance(moves, str) else moves:
            node = self.child_by(node, word)
        return node

    def child_by(self, node: int, word: str) -> int:
        """The node below a node to which a move in text leads.

        Raises:
            BadInput: as `node_at`.
        """
        move = self.root.game.move_text(self.state[node], self.position_at(node).legal(word))
        found = [child for child in self.children(node) if self.move[child] == move]
        if found:
            return found[0]
        there = ", ".join([self.move[child] for child in self.children(node)])
        if move in self.skipped[node]:
            raise BadInput(WORDING.cut_off.format(move=word, moves=there))
        raise BadInput(WORDING.not_there.format(move=word, moves=there))

    @checked
    def evaluation(self, node: int) -> tuple[tuple[str, int], ...]:
        """Terms of the static evaluation of a node at the horizon, without those that are 0; empty for other nodes."""
        if self.kind[node] != "horizon":
            return ()
        parts = self.root.game.explain(self.state[node])
        return tuple(part for part in parts if part[1]) or parts[:1]

    @checked
    def below(self, node: int, plies: int | None = None, shown: int = SHOWN) -> "Tree":
        """The part of the search below a node, with the nodes that this tree does not keep.

        Args:
            node: its root.
            plies: plies of it to keep; by default as many as `shown` allows.
            shown: most nodes to keep.
        """
        here, (alpha, beta) = self.position_at(node), self.window(node)
        ply = self.ply + self.level[node]
        query = Query(
            here.game, here.state, self.left(node), self.prefer_shorter, ply, alpha, beta, ends=here.last_times(ply)
        )
        return _record(here, algorithm_named(self.algorithm), query, plies, shown)

    @checked
    def saved_by_cut(self, node: int, limit: int = COUNTED) -> int:
        """Saving of a cutoff: nodes that minimax visits below the moves that were cut off, counted.

        Raises:
            BadInput: there are more than `limit`.
        """
        position, depth, total = self.position_at(node), self.left(node) - 1, 0
        for move in self.skipped[node]:
            after = position.play(move)
            try:
                total += 1 if depth == 0 or after.outcome is not None else count(after, MINIMAX, depth, limit - total)
            except Stopped:
                raise BadInput(WORDING.saved_more.format(most=f"{limit:,}")) from None
        return total


def recorded() -> list[str]:
    """Names of the algorithms that can be recorded: those with one value at each node, from x's side."""
    return [choice.name for choice in ALGORITHMS if choice.maker().is_recorded]


def record(
    position: Position,
    algorithm: str | Algorithm = "alphabeta",
    depth: int = 2,
    *,
    prefer_shorter: bool = True,
    plies: int | None = None,
    shown: int = SHOWN,
    on_start: Callable[[Recording], None] | None = None,
) -> Tree:
    """Search as `search` does, and keep the tree.

    Args:
        position: where to search from.
        algorithm: one of `recorded`, or a user's search.
        depth: plies to look ahead.
        prefer_shorter: as for `search`.
        plies: plies of the tree to keep; by default as many as `shown` allows, and at least one.
        shown: most nodes to keep.
        on_start: called with the observer before the search starts, so that another thread can `stop()` it.

    Raises:
        BadInput: no such algorithm; the game is over; the search or the tree asked for is too large, with its size; the
            game breaks its laws during the search, with the place.
        Stopped: the observer was stopped.
    """
    chosen = algorithm_named(algorithm) if isinstance(algorithm, str) else algorithm
    if not chosen.is_recorded:
        raise BadInput(WORDING.not_recorded.format(name=repr(chosen.name), names=", ".join(recorded())))
    if not 1 <= depth <= LONGEST:
        raise BadInput(WORDING.depth.format(depth=depth, most=f"{LONGEST:,}"))
    if position.outcome is not None:
        raise BadInput(WORDING.nothing_to_search.format(result=position.result))
    query = Query(position.game, position.state, depth, prefer_shorter, ends=position.last_times())
    refused = too_large(position, chosen, chosen.seeing(query))
    if refused:
        raise BadInput(refused)
    return _record(position, chosen, query, plies, shown, on_start)


def _record(
    position: Position,
    algorithm: Algorithm,
    query: Query,
    plies: int | None,
    shown: int,
    on_start: OnStart = None,
) -> Tree:
    """Tree of a search, with as many plies as are wanted or fit."""
    if plies is not None and plies < 0:
        raise BadInput(f"plies={plies}: keep 0 or more.")
    nodes, broken = run_recorded(position, algorithm, algorithm.seeing(query), on_start)
    if plies is None:
        by_ply = Counter(node.level for node in nodes)
        sums = list(accumulate(by_ply[level] for level in range(len(by_ply))))
        plies = max((level for level, total in enumerate(sums) if level and total <= shown), default=1)
    kept = sum(node.level <= plies for node in nodes)
    if plies > 1 and kept > shown:
        raise BadInput(f"{plies} plies of this tree have {kept:,} nodes; at most {shown:,} are kept: ask for fewer.")
    return tree_of(position, algorithm, query, nodes, plies, broken)


def tree_of(
    position: Position,
    algorithm: Algorithm,
    query: Query,
    whole: list[Entered],
    plies: int,
    broken: Mapping[int, SearchBreach] = {},
) -> Tree:
    """The first plies of a recording as a tree; a move that is not legal has its number for its name."""
    game = position.game
    nodes, hidden = _top(whole, plies)
    tried: list[set[int]] = [set() for _ in nodes]
    for node in nodes[1:]:
        tried[node.parent].add(node.move)
    side = [game.to_move(node.state) for node in nodes]

    def text(node: Entered, move: int) -> str:
        try:
            return game.move_text(node.state, move)
        except Exception:  # a user's search may try anything
            return str(move)

    def perhaps(node: Entered, move: int) -> str | None:
        return None if move == NO_MOVE else text(node, move)

    def skipped(node: Entered, tried: set[int]) -> list[str]:
        is_cut = node.cut != NO_MOVE and bool(tried)
        return [text(node, move) for move in game.moves(node.state) if move not in tried] if is_cut else []

    left_out = [skipped(node, moves) for node, moves in zip(nodes, tried, strict=True)]
    is_open = [
        bool(left) or (algorithm.is_own and 0 < len(moves) < len({*game.moves(node.state)}))
        for node, moves, left in zip(nodes, tried, left_out, strict=True)
    ]
    bounds = bounds_of(nodes, hidden, side, is_open, is_own=algorithm.is_own)
    kept = [place for place, node in enumerate(whole) if node.level <= plies]
    here = {node: broken[place] for node, place in enumerate(kept) if place in broken}
    values = {edge for node in nodes for edge in (node.value, node.alpha, node.beta)}
    return Tree(
        position=position.text,
        algorithm=algorithm.name,
        has_window=algorithm.has_window,
        depth=query.depth,
        ply=query.ply,
        nodes=len(whole),
        leaves=sum(node.kind != "node" for node in whole),
        cutoffs=_cutoffs(game, whole),
        names=game.names,
        words={value: brief(value, game.names) for value in sorted(values)},
        line=line_of(nodes),
        parent=[node.parent for node in nodes],
        move=["" if node.parent < 0 else text(nodes[node.parent], node.move) for node in nodes],
        side=side,
        alpha=[None if node.alpha <= -INFINITY else node.alpha for node in nodes],
        beta=[None if node.beta >= INFINITY else node.beta for node in nodes],
        value=[node.value for node in nodes],
        bound=["≠" if _is_flagged(here.get(node)) else bound for node, bound in enumerate(bounds)],
        kind=[node.kind for node in nodes],
        best=[perhaps(node, node.best) for node in nodes],
        cut=[perhaps(node, node.cut) for node in nodes],
        skipped=left_out,
        hidden=hidden,
        root=position,
        prefer_shorter=query.prefer_shorter,
        state=[node.state for node in nodes],
        broken=here,
    )


def _is_flagged(found: SearchBreach | None) -> bool:
    """Whether a broken law makes the value of its node wrong."""
    return found is not None and found.law in ("finished", "depth", "sign", "value") and found.mistake.is_wrong


def _cutoffs(game: Game[Any], whole: list[Entered]) -> int:
    """Number of nodes with moves left out; a user's search may call a bound that the last move meets a cutoff too."""
    tried = Counter(node.parent for node in whole)
    ended = ((place, node.state) for place, node in enumerate(whole) if node.cut != NO_MOVE)
    return sum(next(islice(game.moves(state), tried[place], None), None) is not None for place, state in ended)


def _top(whole: list[Entered], plies: int) -> tuple[list[Entered], list[int]]:
    """First plies of a recording, and for each of their nodes the number of nodes below it that are left out."""
    kept = [place for place, node in enumerate(whole) if node.level <= plies]
    following = [*kept[1:], len(whole)]
    hidden = [after - place - 1 for place, after in zip(kept, following, strict=True)]  # the search goes depth first
    new = {place: index for index, place in enumerate(kept)} | {-1: -1}
    return [replace(whole[place], parent=new[whole[place].parent]) for place in kept], hidden
