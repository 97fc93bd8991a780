"""Best play in a game of which all states are listed with their values."""

from collections.abc import Sequence
from typing import Any, Protocol

from plyground.engine.deepening import Wanted, told_first
from plyground.in_pages import in_pages
from plyground.position import Position
from plyground.rules import MAX
from plyground.score import Score, best_of, earlier

LONGEST_LINE = 500
"""Most plies of best play."""
Worths = Sequence[tuple[int, Score | None]]
"""Moves with their scores; None where a score depends on the moves before."""
Known = tuple[int, Score, list[tuple[int, Score]], list[list[int]]]
"""Plies to the farthest end, the score, the moves that were asked for with theirs, and lines of best play."""


@in_pages
class Listing(Protocol):
    """All states from one on, with their values."""

    def score(self, state: Any) -> Score | None:
        """Score of a state; None where it depends on the moves before."""

    def most(self, mover: int) -> int:
        """Best utility for x that a player may reach by a repetition."""

    def is_again(self, position: Position) -> bool:
        """Whether a position has come before."""


@in_pages
def moves_listed(listing: Listing, position: Position) -> list[tuple[int, Score | None]]:
    """Score of each move; None where it depends on the moves before."""
    return [(move, _before(listing, position.after(move))) for move in position.legal_moves]


@in_pages
def _before(listing: Listing, position: Position) -> Score | None:
    """Score of a position, from a ply before."""
    over = position.outcome
    score = listing.score(position.state) if over is None else Score.over(over)
    return None if score is None else earlier(score)


@in_pages
def _with_score(moves: Worths) -> list[tuple[int, Score]]:
    known = list[tuple[int, Score]]()
    for move, score in moves:
        if score is not None:
            known.append((move, score))
    return known


@in_pages
def best_listed(listing: Listing, moves: Worths, mover: int) -> tuple[int, Score] | None:
    """First best move and its score; None where it depends on the moves before."""
    known = _with_score(moves)
    if not known:
        return None
    choice: int = best_of(known, mover)[0]
    best, most = next((pair for pair in known if pair[0] == choice), known[0]), listing.most(mover)
    utility = best[1].utility or 0
    is_best = utility >= most if mover == MAX else utility <= most
    return best if is_best or len(known) == len(moves) else None


@in_pages
def line_listed(listing: Listing, position: Position) -> list[int]:
    """Best play by both sides, up to a repetition or an unknown best move."""
    line = list[int]()
    while (
        position.outcome is None
        and len(line) < LONGEST_LINE
        and not listing.is_again(position)
        and (found := best_listed(listing, moves_listed(listing, position), position.to_move)) is not None
    ):
        line.append(found[0])
        position = position.after(found[0])
    return line


@in_pages
def known_listed(listing: Listing, position: Position, wanted: Wanted) -> Known | None:
    """All there is to know of a position; None where a score depends on the moves before."""
    moves = moves_listed(listing, position)
    best = best_listed(listing, moves, position.to_move)
    scores = _with_score(moves)
    if best is None or len(scores) < len(moves):
        return None
    told = told_first(wanted, scores, position.to_move, best[0])
    lines = [[move, *line_listed(listing, position.after(move))] for move in told]
    depth = max([1, *[score.plies or 1 for _, score in scores]])
    return depth, best[1], wanted.known(scores, best[0]), lines
