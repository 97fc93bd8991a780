"""Values of wrong searches, by the names of their mistakes: a program with the same answers has the same mistake."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from plyground.grading.questions import SearchQuestion
from plyground.rules import ONGOING
from plyground.score import final


@dataclass(frozen=True)
class WrongMinimax:
    """Minimax with a mistake; without one it is minimax."""

    more: int = 0
    """Plies that it looks further than it should."""
    outcome: tuple[int, int] = (1, 1)
    """Factor of a finished game's value where x and where o is to move."""
    evaluation: tuple[int, int] = (1, 1)
    """Factor of the static evaluation where x and where o is to move."""
    answer: tuple[int, int] = (1, 1)
    """Factor of the answer where x and where o is to move."""
    largest: tuple[bool, bool] = (True, False)
    """Whether x and whether o takes the largest value."""
    stops: bool = True
    """Whether a finished game is left."""
    depth_first: bool = False
    """Whether the depth is asked before the outcome."""

    def __call__(self, question: SearchQuestion) -> int:
        """Value that it gives at the root."""
        position = question.position
        value = self._value(position.game, position.state, max(question.depth + self.more, 0))
        return value * self.answer[position.to_move]

    def _value(self, game: Any, state: Any, depth: int) -> int:
        side = game.to_move(state)
        outcome = game.outcome(state)
        moves = list(game.moves(state)) if outcome == ONGOING or not self.stops else []
        # A search that does not stop still ends where the rules list no moves.
        is_over = outcome != ONGOING and (self.stops or not moves)
        if is_over and not (self.depth_first and depth == 0):
            return final(outcome, 0) * self.outcome[side]
        if depth == 0:
            return int(game.evaluate(state)) * self.evaluation[side]
        # Without a memory: a question is small (`MOST_ASKED`), and a memory would be one more place for a mistake.
        values = [self._value(game, game.play(state, move), depth - 1) for move in moves]
        return max(values) if self.largest[side] else min(values)


WRONG_VALUES: Final[Mapping[str, Callable[[SearchQuestion], int]]] = {
    "too shallow": WrongMinimax(more=-1),
    "too deep": WrongMinimax(more=1),
    "answer negated": WrongMinimax(answer=(-1, -1)),
    "answer of the mover": WrongMinimax(answer=(1, -1)),
    "evaluation negated": WrongMinimax(evaluation=(-1, -1)),
    "evaluation of the mover": WrongMinimax(evaluation=(1, -1)),
    "horizon 0": WrongMinimax(evaluation=(0, 0)),
    "outcome negated": WrongMinimax(outcome=(-1, -1)),
    "outcome of the mover": WrongMinimax(outcome=(1, -1)),
    "both largest": WrongMinimax(largest=(True, True)),
    "both smallest": WrongMinimax(largest=(False, False)),
    "extremes swapped": WrongMinimax(largest=(False, True)),
    "evaluates an end": WrongMinimax(depth_first=True),
    "goes on": WrongMinimax(stops=False),
}
"""Wrong searches by the key of their mistake in `MISTAKES`."""
