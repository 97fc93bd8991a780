"""Best play from a listing of all states of a game with their values."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from plyground.exact.source import ExactAnswer, MoveRequest, rank_lines
from plyground.in_pages import in_pages
from plyground.position import Position
from plyground.rules import MAX
from plyground.score import Score, best_of, earlier

# Best play from a drawn state goes on until a repetition, which may take as many plies as there are states.
LONGEST_LINE_PLIES = 500
"""Most plies of best play."""
ListedMoves = Sequence[tuple[int, Score | None]]
"""Moves with their scores; None where a score depends on the moves before."""


class Listing(ABC):
    """All states from one on, with their values."""

    @abstractmethod
    def score(self, state: Any) -> Score | None:
        """Score of a state; None where it depends on the moves before."""

    @abstractmethod
    def most(self, mover: int) -> int:
        """Best utility for x that a player may reach by a repetition."""

    @abstractmethod
    def is_again(self, position: Position) -> bool:
        """Whether a position has come before."""

    @in_pages
    def moves(self, position: Position) -> list[tuple[int, Score | None]]:
        """Score of each move; None where it depends on the moves before."""
        return [(move, self._score_before(position.after(move))) for move in position.legal_moves]

    @in_pages
    def _score_before(self, position: Position) -> Score | None:
        """Score of a position, from a ply before."""
        over = position.outcome
        score = self.score(position.state) if over is None else Score.over(over)
        return None if score is None else earlier(score)

    @in_pages
    def best(self, moves: ListedMoves, mover: int) -> tuple[int, Score] | None:
        """First best move and its score; None where it depends on the moves before."""
        known = _with_score(moves)
        if not known:
            return None
        # The first of equal best moves in generation order, so that all who ask get one answer.
        choice: int = best_of(known, mover)[0]
        best, most = next((pair for pair in known if pair[0] == choice), known[0]), self.most(mover)
        utility = best[1].utility or 0
        # A move of unknown score is one that depends on a repetition, and so is worth at most the best repetition: a
        # known move that reaches this is best all the same.
        is_best = utility >= most if mover == MAX else utility <= most
        return best if is_best or len(known) == len(moves) else None

    @in_pages
    def line(self, position: Position) -> list[int]:
        """Best play by both sides, up to a repetition or an unknown best move."""
        line = list[int]()
        while (
            position.outcome is None
            and len(line) < LONGEST_LINE_PLIES
            # Best play that returns goes round from there on.
            and not self.is_again(position)
            and (best := self.best(self.moves(position), position.to_move)) is not None
        ):
            line.append(best[0])
            position = position.after(best[0])
        return line

    @in_pages
    def answer(self, position: Position, request: MoveRequest) -> ExactAnswer | None:
        """Everything about a position; None where a score depends on the moves before."""
        moves = self.moves(position)
        best = self.best(moves, position.to_move)
        scores = _with_score(moves)
        if best is None or len(scores) < len(moves):
            return None
        chosen = rank_lines(request, scores, position.to_move, best[0])
        lines = [[move, *self.line(position.after(move))] for move in chosen]
        # At least 1: a report of depth 0 counts as one without a search.
        depth = max([1, *[score.plies or 1 for _, score in scores]])
        return depth, best[1], request.select_moves(scores, best[0]), lines


@in_pages
def _with_score(moves: ListedMoves) -> list[tuple[int, Score]]:
    known = list[tuple[int, Score]]()
    for move, score in moves:
        if score is not None:
            known.append((move, score))
    return known
