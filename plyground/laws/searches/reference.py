"""Reference values for the laws of a search: minimax with a table."""

from dataclasses import dataclass, field
from typing import Any

from plyground.rules import MAX, ONGOING, Game
from plyground.score import INFINITY, final

MOST_VALUED_STATES = 20_000
"""Most states that are valued for one question to the reference."""


class ReferenceTooLarge(Exception):
    """A question to the reference would take too long."""


@dataclass
class Reference:
    """Minimax with a table, which threads may share. Values are x's, on the scale of `score.py`, exact to depth."""

    game: Game[Any]
    prefer_shorter: bool
    _known: dict[tuple[Any, int, int], int] = field(default_factory=dict, repr=False)

    def __call__(self, state: Any, depth: int, ply: int) -> int | None:
        """Value of a state, by the plies left to search and those made; None where that takes too long."""
        try:
            # Without distances a value does not depend on the ply, so all plies share one entry.
            return self._value(state, depth, ply if self.prefer_shorter else 0, [MOST_VALUED_STATES])
        except ReferenceTooLarge:
            return None

    def _value(self, state: Any, depth: int, ply: int, left: list[int]) -> int:
        """Value of a state; `left` has the number of states that may still be valued."""
        key = (state, depth, ply)
        if key in self._known:
            return self._known[key]
        # A list of one, so that all calls of one question count down together.
        left[0] -= 1
        if left[0] < 0:
            raise ReferenceTooLarge
        utility = self.game.outcome(state)
        if utility != ONGOING:
            value = final(utility, ply)
        elif depth <= 0:
            value = self.game.evaluate(state)
        else:
            better = max if self.game.to_move(state) == MAX else min
            value = better(self._values_after(state, depth, ply, left).values())
        self._known[key] = value
        return value

    def _values_after(self, state: Any, depth: int, ply: int, left: list[int]) -> dict[int, int]:
        after = ply + 1 if self.prefer_shorter else 0
        moves = self.game.moves(state)
        return {move: self._value(self.game.play(state, move), depth - 1, after, left) for move in moves}

    def best(self, state: Any, depth: int) -> list[int]:
        """The moves whose value is the best, in generation order; none of a finished state."""
        if self.game.outcome(state) != ONGOING or depth <= 0:
            return []
        values = self._values_after(state, depth, 0, [1 << 60])
        best = (max if self.game.to_move(state) == MAX else min)(values.values())
        return [move for move, value in values.items() if value == best]


@dataclass(frozen=True)
class StrictAlphaBeta:
    """Alpha-beta that cuts only where alpha is above beta, as some courses ask, to count its nodes."""

    game: Game[Any]
    shorter: int

    def count_nodes(self, state: Any, depth: int) -> int:
        """Nodes that it enters with an open window, in generation order."""
        return self._search(state, depth, 0, -INFINITY, INFINITY)[1]

    def _search(self, state: Any, depth: int, ply: int, alpha: int, beta: int) -> tuple[int, int]:
        """Value for x, and number of nodes entered."""
        utility = self.game.outcome(state)
        if utility != ONGOING:
            return final(utility, self.shorter * ply), 1
        if depth <= 0:
            return self.game.evaluate(state), 1
        is_max, nodes = self.game.to_move(state) == MAX, 1
        best = -INFINITY if is_max else INFINITY
        for move in self.game.moves(state):
            value, below = self._search(self.game.play(state, move), depth - 1, ply + 1, alpha, beta)
            nodes += below
            best = max(best, value) if is_max else min(best, value)
            alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
            if alpha > beta:
                break
        return best, nodes
