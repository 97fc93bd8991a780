"""Exact values and moves without a search: an opening book, a tablebase."""

from abc import ABC, abstractmethod
from typing import Any, Final

from plyground.in_pages import in_pages
from plyground.rules import ONGOING, Game
from plyground.score import Score, best_of, earlier

DRAWN_LINE: Final = 8
"""Most plies of best play that are shown from a draw, where states can come again and no line need end."""


class Lookup(ABC):
    """Exact scores of states of a game, for the first player."""

    game: Game[Any]

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
            score = self.score(self.game.play(state, move))
            if score is None:
                return None
            found.append((move, earlier(score)))
        return tuple(found)

    @in_pages
    def line(self, state: Any) -> tuple[int, ...]:
        """Best play by both sides, as far as it is known; where states can come again, a few plies of a draw."""
        line = list[int]()
        while self.game.outcome(state) == ONGOING and (moves := self.moves(state)) is not None:
            best: int = best_of(moves, self.game.to_move(state))[0]
            if self.game.repetition > 0 and not dict(moves)[best].utility and len(line) >= DRAWN_LINE:
                break
            line.append(best)
            state = self.game.play(state, best)
        return tuple(line)
