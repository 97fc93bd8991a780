"""A position solved by many: those a few plies ahead are solved apart, and its value follows from theirs.

Positions that come about in several ways, or are the same under symmetry, are solved once. What cannot change the value
any more is not solved at all: each position is known to lie between two bounds, as in alpha-beta.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from plyground.errors import BadInput
from plyground.position import Position
from plyground.rules import MAX, ONGOING, Game
from plyground.score import INFINITY, Score, final
from plyground.search.exact import reach

ENOUGH = 24
"""Positions for each worker, at least, to be solved apart."""
MOST = 4_000
"""Positions to be solved apart, at most."""


@dataclass
class _Node:
    """A position, with what is known of it: from x's side, on the searches' scale."""

    state: Any
    turn: int
    low: int
    high: int
    children: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    is_given: bool = False
    """Whether it was handed out to be solved."""


class Ahead:
    """The positions between one and those that are solved apart."""

    def __init__(self, position: Position, *, hurry: bool = False, every_move: bool = True, workers: int = 1) -> None:
        """Look ahead until there is enough to do for so many workers.

        Raises:
            BadInput: states can come again, so there is nothing that could be solved apart.
        """
        if position.game.repetition:
            raise BadInput(
                f"In {type(position.game).__name__} states can come again: it is solved by listing them all, in one "
                "process, so leave out --jobs and --scheduler."
            )
        self.position, self.game, self.hurry, self.every_move = position, position.game, int(hurry), every_move
        self.nodes: dict[str, _Node] = {}
        self.root = self._add(position.state)
        layer, self.plies = [self.root], 0
        while layer and len(layer) < ENOUGH * workers:
            deeper = self._opened(layer)
            if len(deeper) > MOST:
                break
            layer, self.plies = deeper, self.plies + 1
        self._join()

    def _key(self, state: Any) -> str:
        return self.game.text(self.game.canonical(state))

    def _add(self, state: Any) -> str:
        key = self._key(state)
        if key not in self.nodes:
            game: Game[Any] = self.game
            turn, end = game.to_move(state), game.outcome(state)
            if end != ONGOING:
                low = high = final(end, 0)
            else:
                low, high = reach(game, state, self.hurry)
                low, high = (low, high) if turn == MAX else (-high, -low)
            self.nodes[key] = _Node(state, turn, low, high)
        return key

    def _opened(self, layer: list[str]) -> list[str]:
        """The unfinished positions after each of a layer; those that were met before are not in it again."""
        before = len(self.nodes)
        for key in layer:
            node = self.nodes[key]
            node.children = [self._add(self.game.play(node.state, move)) for move in self.game.moves(node.state)]
        return [key for key in [*self.nodes][before:] if self.game.outcome(self.nodes[key].state) == ONGOING]

    def _join(self) -> None:
        for key, node in self.nodes.items():
            for child in dict.fromkeys(node.children):
                self.nodes[child].parents.append(key)
        self._spread([key for key, node in self.nodes.items() if node.children])  # the deepest are looked at first

    def _before(self, value: int) -> int:
        """A value, seen a ply before."""
        return value - self.hurry * ((value > 0) - (value < 0))

    def _follow(self, key: str) -> bool:
        """Take over what is known of the positions after one; whether that is news."""
        node = self.nodes[key]
        best = max if node.turn == MAX else min
        low = max(node.low, best(self._before(self.nodes[child].low) for child in node.children))
        high = min(node.high, best(self._before(self.nodes[child].high) for child in node.children))
        news, node.low, node.high = (low, high) != (node.low, node.high), low, high
        return news

    # -- what is to be solved -----------------------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        """How many positions there are to be solved apart, at most."""
        return sum(not node.children and node.low < node.high for node in self.nodes.values())

    @property
    def is_known(self) -> bool:
        """Whether all that was asked for is known."""
        return all(self.nodes[key].low == self.nodes[key].high for key in self._asked)

    @property
    def _asked(self) -> list[str]:
        return [self.root, *(self.nodes[self.root].children if self.every_move else [])]

    def wanted(self) -> Iterator[str | None]:
        """The positions to be solved, in text, as long as they can change the answer; None while others are awaited."""
        while not self.is_known:
            found = next(filter(None, (self._first(key, -INFINITY, INFINITY) for key in self._asked)), None)
            if found:
                self.nodes[found].is_given = True
            else:
                assert any(node.is_given and node.low < node.high for node in self.nodes.values()), "nothing is awaited"
            yield found and self.game.text(self.nodes[found].state)

    def _first(self, key: str, alpha: int, beta: int) -> str | None:
        """The first position below one that may bring its value between two others, and was not handed out."""
        node = self.nodes[key]
        if node.low >= node.high or node.low >= beta or node.high <= alpha:
            return None
        if not node.children:
            return None if node.is_given else key
        values = [(self._before(self.nodes[each].low), self._before(self.nodes[each].high)) for each in node.children]
        if node.turn == MAX:
            alpha = max(alpha, max(low for low, _ in values))
        else:
            beta = min(beta, min(high for _, high in values))
        for child in node.children:
            if found := self._first(child, alpha - self.hurry, beta + self.hurry):
                return found
        return None

    def solved(self, text: str, score: Score) -> None:
        """Hear what a position is worth."""
        key = self._key(self.game.parse_state(text))
        node = self.nodes[key]
        node.is_given = True
        node.low = node.high = final(score.utility or 0, self.hurry * (score.plies or 0))
        self._spread([*node.parents])

    def _spread(self, waiting: list[str]) -> None:
        """Take over what is known after some positions, and go on with those before wherever it is news."""
        while waiting:
            key = waiting.pop()
            if self._follow(key):
                waiting += self.nodes[key].parents

    # -- the answer ---------------------------------------------------------------------------------------------------

    def _score(self, value: int) -> Score:
        return Score.of(value, hurry=bool(self.hurry)) if value else Score(0)

    def answer(self) -> tuple[Score, tuple[tuple[int, Score], ...], tuple[int, ...]]:
        """The position's score, that of each move (of the best alone, if no more was asked), and best play as far as it
        follows from the positions that were solved."""
        value = self.nodes[self.root].low
        line = self._line()
        moves = tuple(
            (move, self._score(worth)) for move, worth in self._values(self.position.state) if worth is not None
        )
        best = tuple((move, score) for move, score in moves if move in line[:1])
        return self._score(value), moves if self.every_move else best, line

    def _values(self, state: Any) -> list[tuple[int, int | None]]:
        found = []
        for move in self.game.moves(state):
            node = self.nodes.get(self._key(self.game.play(state, move)))
            found.append((move, self._before(node.low) if node and node.low == node.high else None))
        return found

    def _line(self) -> tuple[int, ...]:
        line: list[int] = []
        state = self.position.state
        while (node := self.nodes.get(self._key(state))) and node.children and node.low == node.high:
            best = next((move for move, worth in self._values(state) if worth == node.low), None)
            if best is None:
                break
            line.append(best)
            state = self.game.play(state, best)
        return tuple(line)
