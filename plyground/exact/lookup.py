"""Exact values and moves without a search: an opening book, a tablebase."""

from abc import ABC, abstractmethod
from typing import Any, Final

from plyground.exact.source import ExactAnswer, MoveRequest
from plyground.in_pages import in_pages
from plyground.position import Position
from plyground.rules import ONGOING, Game
from plyground.score import Score, best_first, best_of, earlier

DRAWN_LINE: Final = 8
"""Most plies of best play that are shown from a draw, where states can come again and no line need end."""


class Lookup(ABC):
    """Exact scores of states of a game, for the first player."""

    game: Game[Any]
    nodes = 0
    """States that were listed for a question: none."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Its name for people, as in `by the opening book of 4 plies`."""

    @abstractmethod
    def score(self, state: Any) -> Score | None:
        """Score of a state; None if it is not known."""

    @in_pages
    def moves(self, state: Any) -> tuple[tuple[int, Score], ...] | None:
        """Every move of an unfinished state with its score, in generation order; None if one is not known."""
        found = list[tuple[int, Score]]()
        for move in self.game.moves(state):
            # Each successor is looked up: a file of values has no moves, which are quicker to make than to read.
            score = self.score(self.game.play(state, move))
            if score is None:
                return None
            # The moves are given all or not at all: a missing move may be the best one.
            found.append((move, earlier(score)))
        return tuple(found)

    @in_pages
    def line(self, state: Any) -> tuple[int, ...]:
        """Best play by both sides, as far as it is known; where states can come again, a few plies of a draw."""
        line = list[int]()
        while self.game.outcome(state) == ONGOING and (moves := self.moves(state)) is not None:
            best: int = best_of(moves, self.game.to_move(state))[0]
            # Nothing in a table of values tells progress from a walk in circles where the value is a draw.
            if self.game.repetition > 0 and not dict(moves)[best].utility and len(line) >= DRAWN_LINE:
                break
            line.append(best)
            state = self.game.play(state, best)
        return tuple(line)

    @in_pages
    def answer(self, position: Position, request: MoveRequest) -> ExactAnswer | None:
        """Everything about an unfinished position; None where the score of a move is not known."""
        moves = self.moves(position.state)
        if moves is None:
            return None
        ranked: list[int] = best_first(moves, position.to_move)
        depth = max([1, *[score.plies or 1 for _, score in moves]])
        chosen = request.select_lines(ranked)
        lines = [[move, *self.line(self.game.play(position.state, move))] for move in chosen]
        return depth, dict(moves)[ranked[0]], request.select_moves(moves, ranked[0]), lines
