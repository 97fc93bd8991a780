"""Tree of a recorded search: the window and value of each node, and its cutoffs.

The searches are those of `search/`, run as plain Python with the observer `Recording`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import islice
from typing import Any, Protocol

from plyground.errors import BadInput, check_arguments
from plyground.in_pages import in_pages
from plyground.laws.searches.laws import SearchBreach
from plyground.microscope.columns import Columns, brief
from plyground.microscope.lawful import OnStart, run_recorded
from plyground.microscope.size import minimax_size, size_refusal
from plyground.microscope.values import bounds_of, children_of, principal_variation
from plyground.microscope.wording import WORDING
from plyground.position import Position
from plyground.rules import LONGEST, NO_MOVE, Game
from plyground.score import INFINITY
from plyground.search import ALGORITHMS, algorithm_named
from plyground.search.algorithm import Algorithm, Query
from plyground.search.observer import Entered, Recording

SHOWN_NODES = 10_000
"""Nodes kept by default: a page draws that many smoothly."""
MOST_COUNTED_NODES = 1 << 28
"""Most nodes that are counted to find the saving of a cutoff."""

Window = tuple[int, int]
"""Window (alpha, beta); ±`INFINITY` where there is no bound."""


@in_pages(without=("below", "broken", "columns", "evaluation", "node_at", "words"))
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

    @check_arguments
    def children(self, node: int) -> list[int]:
        """The kept nodes below a node, in the order of the search."""
        return self._children[node]

    @check_arguments
    def window(self, node: int) -> Window:
        """Window of a node on entry."""
        alpha, beta = self.alpha[node], self.beta[node]
        return -INFINITY if alpha is None else alpha, INFINITY if beta is None else beta

    @cached_property
    def level(self) -> list[int]:
        """Plies from the root to each node."""
        # Parents come before their children, so one pass finds all.
        levels = [0]
        for parent in self.parent[1:]:
            levels.append(levels[parent] + 1)
        return levels

    @check_arguments
    def plies_left(self, node: int) -> int:
        """Plies left to search at a node."""
        return self.depth - self.level[node]

    @check_arguments
    def path(self, node: int) -> list[int]:
        """The nodes from the root to a node."""
        nodes = [node]
        while self.parent[nodes[-1]] >= 0:
            nodes.append(self.parent[nodes[-1]])
        return nodes[::-1]

    @check_arguments
    def moves_to(self, node: int) -> list[str]:
        """The moves from the root to a node."""
        return [self.move[each] for each in self.path(node)[1:]]

    @check_arguments
    def position_at(self, node: int) -> Position:
        """Position of a node, with the moves that led to it."""
        position = self.root
        for move in self.moves_to(node):
            position = position.play(move)
        return position

    @check_arguments
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
        # The text is parsed and written again: a move may be typed in another notation than its
        # column's.
        move = self.root.game.move_text(self.state[node], self.position_at(node).legal(word))
        found = [child for child in self.children(node) if self.move[child] == move]
        if found:
            return found[0]
        there = ", ".join([self.move[child] for child in self.children(node)])
        if move in self.skipped[node]:
            raise BadInput(WORDING.cut_off.format(move=word, moves=there))
        raise BadInput(WORDING.not_there.format(move=word, moves=there))

    @check_arguments
    def evaluation(self, node: int) -> tuple[tuple[str, int], ...]:
        """Terms of the static evaluation of a node at the horizon, without those that are 0; empty for other nodes."""
        if self.kind[node] != "horizon":
            return ()
        parts = self.root.game.explain(self.state[node])
        return tuple(part for part in parts if part[1]) or parts[:1]

    @check_arguments
    def below(self, node: int, plies: int | None = None, shown: int = SHOWN_NODES) -> "Tree":
        """The part of the search below a node, with the nodes that this tree does not keep.

        Args:
            node: its root.
            plies: plies of it to keep; by default as many as `shown` allows.
            shown: most nodes to keep.
        """
        # The search has the window of the node's entry and the plies made so far: any other window would
        # search, and cut off, another part than the search did. Repetitions of the moves above
        # count, too.
        here, (alpha, beta) = self.position_at(node), self.window(node)
        ply = self.ply + self.level[node]
        query = Query(
            here.game,
            here.state,
            self.plies_left(node),
            self.prefer_shorter,
            ply,
            alpha,
            beta,
            ends=here.last_times(ply),
        )
        return _record(here, algorithm_named(self.algorithm), query, plies, shown)

    @check_arguments
    def saved_by_cut(self, node: int, limit: int = MOST_COUNTED_NODES) -> int:
        """Saving of a cutoff: nodes that minimax visits below the moves that were cut off, counted.

        Raises:
            BadInput: there are more than `limit`.
        """
        position, depth, total = self.position_at(node), self.plies_left(node) - 1, 0
        for move in self.skipped[node]:
            after = position.play(move)
            # Counted here, because a search asks for a ply at least and a game that goes on.
            is_leaf = depth == 0 or after.outcome is not None
            # The remaining budget bounds the next count, so that all counts together visit at most `limit` nodes.
            total += 1 if is_leaf else minimax_size(after, depth, limit - total)
            if total > limit:
                raise BadInput(WORDING.saved_more.format(most=f"{limit:,}"))
        return total


def recordable_algorithms() -> list[str]:
    """Names of the algorithms that can be recorded: those with one value at each node, from x's side."""
    # Searches that ask about a move more than once or take values from a table are left out: they have no tree
    # with one value at each node.
    return [choice.name for choice in ALGORITHMS if choice.maker().is_recorded]


def record(
    position: Position,
    algorithm: str | Algorithm = "alphabeta",
    depth: int = 2,
    *,
    prefer_shorter: bool = True,
    plies: int | None = None,
    shown: int = SHOWN_NODES,
    on_start: Callable[[Recording], None] | None = None,
) -> Tree:
    """Search as `search` does, and keep the tree.

    Args:
        position: where to search from.
        algorithm: one of `recordable_algorithms`, or a user's search.
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
        require_recorded(chosen.name, recordable_algorithms())
    require_searchable(position, depth, LONGEST)
    query = Query(position.game, position.state, depth, prefer_shorter, ends=position.last_times())
    # Refused before it runs: a depth-first search that is stopped has searched the first move
    # alone.
    refused = size_refusal(position, chosen, chosen.seeing(query))
    if refused:
        raise BadInput(refused)
    return _record(position, chosen, query, plies, shown, on_start)


@in_pages
def require_recorded(name: str, known: Sequence[str]) -> None:
    """Refuse an algorithm that is none of those that are recorded."""
    if name not in known:
        raise BadInput(WORDING.not_recorded.format(name=f"'{name}'", names=", ".join(known)))


@in_pages
def require_searchable(position: Position, depth: int, most: int) -> None:
    """Refuse a depth below 1 or above `most`, and a game that is over."""
    if not 1 <= depth <= most:
        raise BadInput(WORDING.depth.format(depth=depth, most=f"{most:,}"))
    if position.outcome is not None:
        raise BadInput(WORDING.nothing_to_search.format(result=position.result))


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
    # The whole search is recorded and then cut by plies. Cut by nodes, it would show the first
    # move's subtree and nothing of the others.
    nodes, broken = run_recorded(position, algorithm, algorithm.seeing(query), on_start)
    if plies is None:
        plies = plies_that_fit(nodes, shown)
    kept = sum(node.level <= plies for node in nodes)
    if plies > 1 and kept > shown:
        raise BadInput(f"{plies} plies of this tree have {kept:,} nodes; at most {shown:,} are kept: ask for fewer.")
    return build_tree(position, algorithm, query, nodes, plies, broken)


@in_pages
def plies_that_fit(whole: Sequence[Entered], shown: int = SHOWN_NODES) -> int:
    """Number of a recording's first plies that have at most `shown` nodes together; at least 1."""
    by_ply = dict[int, int]()
    for node in whole:
        by_ply[node.level] = by_ply.get(node.level, 0) + 1
    # One ply even if it alone has too many nodes: a tree without moves shows nothing.
    total, plies = 0, 1
    for level in range(len(by_ply)):
        total += by_ply[level]
        if total > shown:
            break
        plies = max(level, 1)
    return plies


def build_tree(
    position: Position,
    algorithm: Algorithm,
    query: Query,
    whole: list[Entered],
    plies: int,
    broken: Mapping[int, SearchBreach] = {},
) -> Tree:
    """The first plies of a recording as a tree; a move that is not legal has its number for its name."""
    game = position.game
    nodes, hidden = first_plies(whole, plies)
    columns = columns_of(position, algorithm, query, whole, nodes, hidden, _Rules(game))
    # Broken laws are numbered as recorded; the tree's numbers skip what is not kept.
    kept = [place for place, node in enumerate(whole) if node.level <= plies]
    here = {node: broken[place] for node, place in enumerate(kept) if place in broken}
    # The laws see the whole recording; `bounds_of` sees the kept nodes, below which a wrong value
    # may look right.
    bounds = ["≠" if _is_flagged(here.get(node)) else bound for node, bound in enumerate(columns.bound)]
    columns = replace(columns, bound=bounds, cutoffs=_cutoffs(game, whole))
    states = [node.state for node in nodes]
    return Tree(**vars(columns), root=position, prefer_shorter=query.prefer_shorter, state=states, broken=here)


@dataclass(frozen=True)
class _Rules:
    """A game's answers about the nodes of a search."""

    game: Game[Any]

    def to_move(self, state: Any) -> int:
        return self.game.to_move(state)

    def moves(self, state: Any) -> Sequence[int]:
        return [*self.game.moves(state)]

    def move_text(self, state: Any, move: int) -> str:
        try:
            return self.game.move_text(state, move)
        except Exception:  # a user's search may try anything
            return str(move)


@in_pages
class RuleAnswers(Protocol):
    """The words of a game in the columns of a tree."""

    def to_move(self, state: Any) -> int:
        """The player to move."""

    def moves(self, state: Any) -> Sequence[int]:
        """The legal moves."""

    def move_text(self, state: Any, move: int) -> str:
        """A move in text."""


@in_pages
class NamedSearch(Protocol):
    """Properties of an algorithm that the columns need."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def has_window(self) -> bool:
        """Whether it has a window."""

    @property
    def is_own(self) -> bool:
        """Whether it is a user's, which may leave out moves for any reason."""


@in_pages
class SearchDepth(Protocol):
    """Properties of a query that the columns need."""

    @property
    def depth(self) -> int:
        """Plies to look ahead."""

    @property
    def ply(self) -> int:
        """Plies made since the root."""


@in_pages
def columns_of(
    position: Position,
    search: NamedSearch,
    query: SearchDepth,
    whole: Sequence[Entered],
    nodes: Sequence[Entered],
    hidden: list[int],
    rules: RuleAnswers,
) -> Columns:
    """The columns of a recording.

    Args:
        position: the root.
        search: the algorithm.
        query: how far it looked.
        whole: the recording.
        nodes: its nodes that are kept, as of `first_plies`.
        hidden: how many nodes below each of them are not kept.
        rules: the game's answers.
    """
    names = position.game.names
    side = [rules.to_move(node.state) for node in nodes]
    # Moves are counted as tried by the kept nodes alone; below the last kept ply no move is known to be left out.
    tried = [[nodes[child].move for child in children] for children in children_of([node.parent for node in nodes])]
    skipped = [_skipped_moves(node, moves, rules) for node, moves in zip(nodes, tried, strict=True)]
    # Our searches report each cutoff. A user's may leave out moves in silence, so their number is
    # compared with the rules' there, which costs a generation of moves at each node.
    is_open = [
        len(left) > 0 or (search.is_own and _has_unsearched_moves(nodes[place], tried[place], rules))
        for place, left in enumerate(skipped)
    ]
    edges = [*[node.value for node in nodes], *[node.alpha for node in nodes], *[node.beta for node in nodes]]
    return Columns(
        position=position.text,
        algorithm=search.name,
        has_window=search.has_window,
        depth=query.depth,
        ply=query.ply,
        nodes=len(whole),
        leaves=len([node for node in whole if node.kind != "node"]),
        cutoffs=len([node for node in whole if node.cut != NO_MOVE]),
        names=names,
        # Each value once: thousands of nodes share a handful of values.
        words={value: brief(value, names) for value in sorted(set(edges))},
        line=principal_variation(nodes),
        parent=[node.parent for node in nodes],
        move=["" if node.parent < 0 else rules.move_text(nodes[node.parent].state, node.move) for node in nodes],
        side=side,
        # JSON has no infinity.
        alpha=[None if node.alpha <= -INFINITY else node.alpha for node in nodes],
        beta=[None if node.beta >= INFINITY else node.beta for node in nodes],
        value=[node.value for node in nodes],
        bound=bounds_of(nodes, hidden, side, is_open, is_own=search.is_own),
        kind=[node.kind for node in nodes],
        best=[None if node.best == NO_MOVE else rules.move_text(node.state, node.best) for node in nodes],
        cut=[None if node.cut == NO_MOVE else rules.move_text(node.state, node.cut) for node in nodes],
        skipped=skipped,
        hidden=hidden,
    )


@in_pages
def _has_unsearched_moves(node: Entered, tried: list[int], rules: RuleAnswers) -> bool:
    """Whether a node has been left with some of its moves searched, and some not."""
    return len(tried) > 0 and len(set(tried)) < len(set(rules.moves(node.state)))


@in_pages
def _skipped_moves(node: Entered, tried: list[int], rules: RuleAnswers) -> list[str]:
    """The moves that were cut off at a node."""
    if node.cut == NO_MOVE or not tried:
        return []
    return [rules.move_text(node.state, move) for move in rules.moves(node.state) if move not in tried]


def _is_flagged(found: SearchBreach | None) -> bool:
    """Whether a broken law makes the value of its node wrong."""
    # The other laws are about the window, the choice and the order: the value may be right all the
    # same.
    return found is not None and found.law in ("finished", "depth", "sign", "value") and found.mistake.is_wrong


def _cutoffs(game: Game[Any], whole: list[Entered]) -> int:
    """Number of nodes with moves left out; a user's search may call a bound that the last move meets a cutoff too."""
    tried = Counter(node.parent for node in whole)
    ended = ((place, node.state) for place, node in enumerate(whole) if node.cut != NO_MOVE)
    # One move beyond those that were tried proves that some were left out; the rest need not be
    # generated.
    return sum(next(islice(game.moves(state), tried[place], None), None) is not None for place, state in ended)


@in_pages
def first_plies(whole: Sequence[Entered], plies: int) -> tuple[list[Entered], list[int]]:
    """First plies of a recording, and for each of their nodes the number of nodes below it that are left out."""
    kept = [place for place, node in enumerate(whole) if node.level <= plies]
    following = [*kept[1:], len(whole)]
    hidden = [after - place - 1 for place, after in zip(kept, following, strict=True)]  # the search goes depth first
    places = {place: index for index, place in enumerate(kept)}
    return [replace(whole[place], parent=places.get(whole[place].parent, -1)) for place in kept], hidden
