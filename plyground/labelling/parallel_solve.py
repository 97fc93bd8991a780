"""Parallel solution of one position: solve the positions a few plies ahead, then combine their values.

Transpositions and positions that are the same under symmetry are solved once. A position that cannot change the value
any more is not solved: each value is known to lie between two bounds, as in alpha-beta.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from plyground.errors import BadInput
from plyground.position import Position
from plyground.rules import MAX, ONGOING, Game
from plyground.score import INFINITY, Score, final
from plyground.search.exact import value_bounds

FEWEST_LEAVES_PER_WORKER = 24
"""Fewest positions per worker to solve separately."""
MOST_LEAVES = 4_000
"""Most positions to solve separately."""


@dataclass
class _Node:
    """A position with its bounds, from x's side, on the searches' scale."""

    state: Any
    turn: int
    low: int
    high: int
    children: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    is_assigned: bool = False
    """Whether it was given to a worker."""


class ParallelSolve:
    """The game tree from one position to those that are solved separately."""

    def __init__(
        self, position: Position, *, prefer_shorter: bool = False, every_move: bool = True, workers: int = 1
    ) -> None:
        """Expand the tree until there is enough work for `workers` workers.

        Raises:
            BadInput: the game has repetition, so no position can be solved separately.
        """
        if position.game.repetition:
            raise BadInput(
                f"In {type(position.game).__name__} states can come again: it is solved by listing them all, in one "
                "process, so leave out --jobs and --scheduler."
            )
        self.position: Position = position
        self.game: Game[Any] = position.game
        self.prefer_shorter: int = int(prefer_shorter)
        self.every_move: bool = every_move
        self.nodes: dict[str, _Node] = {}
        self.root: str = self._add_node(position.state)
        self.plies: int = 0
        layer = [self.root]
        # Layer after layer, so that all positions to be solved are equally deep.
        while layer and len(layer) < FEWEST_LEAVES_PER_WORKER * workers:
            deeper = self._expand(layer)
            if len(deeper) > MOST_LEAVES:
                break
            layer, self.plies = deeper, self.plies + 1
        self._link_parents()

    def _state_key(self, state: Any) -> str:
        return self.game.text(self.game.canonical(state))

    def _add_node(self, state: Any) -> str:
        key = self._state_key(state)
        if key not in self.nodes:
            game: Game[Any] = self.game
            turn, end = game.to_move(state), game.outcome(state)
            if end != ONGOING:
                low = high = final(end, 0)
            else:
                low, high = value_bounds(game, state, self.prefer_shorter)
                low, high = (low, high) if turn == MAX else (-high, -low)
            self.nodes[key] = _Node(state, turn, low, high)
        return key

    def _expand(self, layer: list[str]) -> list[str]:
        """Expand a layer. Returns the unfinished positions after it, without those met before."""
        before = len(self.nodes)
        for key in layer:
            node = self.nodes[key]
            node.children = [self._add_node(self.game.play(node.state, move)) for move in self.game.moves(node.state)]
        return [key for key in [*self.nodes][before:] if self.game.outcome(self.nodes[key].state) == ONGOING]

    def _link_parents(self) -> None:
        for key, node in self.nodes.items():
            for child in dict.fromkeys(node.children):
                self.nodes[child].parents.append(key)
        # The deepest come first: the dictionary is in order of depth, and `_propagate` takes from the end.
        self._propagate([key for key, node in self.nodes.items() if node.children])

    def _earlier(self, value: int) -> int:
        """A value as it counts one ply earlier: a win is one less where the shorter one is preferred."""
        return value - self.prefer_shorter * ((value > 0) - (value < 0))

    def _update_bounds(self, key: str) -> bool:
        """Update a position's bounds from the positions after it. Returns whether they changed."""
        node = self.nodes[key]
        best = max if node.turn == MAX else min
        # Bounds only tighten: what was known of a node before stays true, whatever its children have.
        low = max(node.low, best(self._earlier(self.nodes[child].low) for child in node.children))
        high = min(node.high, best(self._earlier(self.nodes[child].high) for child in node.children))
        news, node.low, node.high = (low, high) != (node.low, node.high), low, high
        return news

    # -- what is to be solved -----------------------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        """Upper bound of the number of positions to solve separately."""
        return sum(not node.children and node.low < node.high for node in self.nodes.values())

    @property
    def is_known(self) -> bool:
        """Whether the requested values are all known."""
        return all(self.nodes[key].low == self.nodes[key].high for key in self._requested_keys)

    @property
    def _requested_keys(self) -> list[str]:
        return [self.root, *(self.nodes[self.root].children if self.every_move else [])]

    def wanted_positions(self) -> Iterator[str | None]:
        """Yields positions to solve, as text, while they can change the answer; None while results must be awaited."""
        while not self.is_known:
            found = next(
                filter(None, (self._first_open(key, -INFINITY, INFINITY) for key in self._requested_keys)), None
            )
            if found:
                self.nodes[found].is_assigned = True
            else:
                # None promises that a result will come; without one in flight the mapping would end without an answer.
                assert any(node.is_assigned and node.low < node.high for node in self.nodes.values()), (
                    "nothing is awaited"
                )
            yield found and self.game.text(self.nodes[found].state)

    def _first_open(self, key: str, alpha: int, beta: int) -> str | None:
        """Returns the first position below one that may change its value within (alpha, beta), and is not given out."""
        node = self.nodes[key]
        # Alpha-beta cuts off here: the value is known, or too good for one side or the other to change the root.
        if node.low >= node.high or node.low >= beta or node.high <= alpha:
            return None
        if not node.children:
            return None if node.is_assigned else key
        values = [(self._earlier(self.nodes[each].low), self._earlier(self.nodes[each].high)) for each in node.children]
        if node.turn == MAX:
            alpha = max(alpha, max(low for low, _ in values))
        else:
            beta = min(beta, min(high for _, high in values))
        for child in node.children:
            # A win is worth one less for each ply, so a child's value may lie one outside the window of its parent.
            if found := self._first_open(child, alpha - self.prefer_shorter, beta + self.prefer_shorter):
                return found
        return None

    def add_result(self, text: str, score: Score) -> None:
        """Add the result of a solved position."""
        key = self._state_key(self.game.parse_state(text))
        node = self.nodes[key]
        # Also a result that was stored by an earlier run, which no worker has been given.
        node.is_assigned = True
        node.low = node.high = final(score.utility or 0, self.prefer_shorter * (score.plies or 0))
        self._propagate([*node.parents])

    def _propagate(self, waiting: list[str]) -> None:
        """Update the bounds of some positions, and of those before them as long as bounds change."""
        while waiting:
            key = waiting.pop()
            if self._update_bounds(key):
                waiting += self.nodes[key].parents

    # -- the answer ---------------------------------------------------------------------------------------------------

    def _score(self, value: int) -> Score:
        return Score.of(value, prefer_shorter=bool(self.prefer_shorter)) if value else Score(0)

    def answer(self) -> tuple[Score, tuple[tuple[int, Score], ...], tuple[int, ...]]:
        """The position's score, the score of each move (or of the best alone), and best play as far as it follows from
        the solved positions."""
        value = self.nodes[self.root].low
        line = self._best_line()
        moves = tuple(
            (move, self._score(worth)) for move, worth in self._move_values(self.position.state) if worth is not None
        )
        best = tuple((move, score) for move, score in moves if move in line[:1])
        return self._score(value), moves if self.every_move else best, line

    def _move_values(self, state: Any) -> list[tuple[int, int | None]]:
        found = []
        for move in self.game.moves(state):
            node = self.nodes.get(self._state_key(self.game.play(state, move)))
            found.append((move, self._earlier(node.low) if node and node.low == node.high else None))
        return found

    def _best_line(self) -> tuple[int, ...]:
        line: list[int] = []
        state = self.position.state
        while (node := self.nodes.get(self._state_key(state))) and node.children and node.low == node.high:
            best = next((move for move, worth in self._move_values(state) if worth == node.low), None)
            # A best move whose value is not known exactly: bounds decided the root without it.
            if best is None:
                break
            line.append(best)
            state = self.game.play(state, best)
        return tuple(line)
