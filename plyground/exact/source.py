"""Sources of exact values: the question that each is asked, and its answer."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from plyground.in_pages import in_pages
from plyground.position import Position
from plyground.score import Score, best_first

ExactAnswer = tuple[int, Score, list[tuple[int, Score]], list[list[int]]]
"""Plies to the farthest end, the score, the moves that were asked for with theirs, and lines of best play, the best
first."""


@in_pages
@dataclass(frozen=True)
class MoveRequest:
    """Which moves get a score and a principal variation."""

    every_move: bool = False
    also: Collection[int] = ()
    lines: int = 1

    def select_lines(self, ranked: Sequence[int]) -> list[int]:
        """The moves that get a principal variation, of all from the best to the worst."""
        return [move for rank, move in enumerate(ranked) if rank < self.lines or move in self.also]

    def select_moves(self, moves: Sequence[tuple[int, Score]], best: int) -> list[tuple[int, Score]]:
        """The moves that are reported, of all with their scores."""
        return [pair for pair in moves if self.every_move or pair[0] == best or pair[0] in self.also]


@in_pages
def rank_lines(request: MoveRequest, moves: Sequence[tuple[int, Score]], mover: int, choice: int) -> list[int]:
    """The moves that get a principal variation, the one that is chosen first, then from the best to the worst."""
    # The chosen move comes first even where another is worth as much, as a report's variation is its first line.
    ranked: list[int] = best_first(moves, mover)
    return request.select_lines([choice, *[move for move in ranked if move != choice]])


# A protocol and not a base class: the listing of a sweep and the look-up in a table have nothing else in common.
class Source(Protocol):
    """A book, a tablebase, a listing of all states."""

    @property
    def title(self) -> str:
        """Its name for people, as in `by the opening book of 4 plies`; empty if it was made for the question."""

    @property
    def nodes(self) -> int:
        """States that were listed for the question."""

    def answer(self, position: Position, request: MoveRequest) -> ExactAnswer | None:
        """Everything about an unfinished position; None where a move's score is not known."""
