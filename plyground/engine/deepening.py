"""One depth of iterative deepening: score, best move, scores of moves, principal variations."""

from collections.abc import Collection
from typing import Any, Protocol

from plyground.exact.source import MoveRequest, rank_lines
from plyground.in_pages import in_pages
from plyground.position import Position
from plyground.rules import MAX
from plyground.score import Score, final

SearchedState = tuple[int, int, bool]
"""Value for x, the best move if the search began at ply 0, and whether no static evaluation entered the value."""
ScoredMoves = tuple[int, int, Score, list[tuple[int, Score]]]
"""Best move and its value for x, the score of the position, and the moves that were asked for with theirs."""
SearchedDepth = tuple[int, Score, list[tuple[int, Score]], list[list[int]]]
"""Value for x, the score, the moves that were asked for with theirs, and lines of best play, the best first."""


@in_pages
class Searcher(Protocol):
    """Protocol of the searches of a position and of its successors."""

    position: Position

    @property
    def children(self) -> list[tuple[int, Position]]:
        """Every move and the position after it."""

    def run(self, state: Any, depth: int, ply: int) -> SearchedState:
        """Search a state.

        Raises:
            Stopped: the limit was reached first.
        """

    def find_move(self, position: Position, depth: int) -> int | None:
        """Best move of a position; None where it cannot be told any more."""

    def score_value(self, depth: int, value: int, known: bool) -> Score:
        """Score of a value that a search to a depth has found."""


@in_pages
def search_to_depth(search: Searcher, depth: int, request: MoveRequest, is_far: bool = True) -> SearchedDepth:
    """Search to a depth: value for x, score, scores of moves and lines.

    Args:
        search: the searches of the position.
        depth: in plies.
        request: moves to be scored.
        is_far: whether lines go on to an end that was seen beyond the depth.
    """
    worths = _search_every_move(search, depth) if request.every_move else _search_best_move(search, depth, request.also)
    choice, value, score, moves = worths
    plies = Score.of(value).plies if is_far else None  # foresight may see an end beyond the depth
    ahead = max(depth, plies or 0)
    chosen = rank_lines(request, moves, search.position.to_move, choice)
    return (
        value,
        score,
        moves,
        [[move, *_principal_variation(search, search.position.after(move), ahead - 1)] for move in chosen],
    )


@in_pages
def _search_every_move(search: Searcher, depth: int) -> ScoredMoves:
    """Search each move to a depth of its own."""
    position, children = search.position, search.children
    side, mover = (1 if position.to_move == MAX else -1), position.to_move
    found = [_value_after(search, child, depth) for _, child in children]
    # Each move has a search with a whole window, so each score is exact for its depth and not only a bound.
    scores = [search.score_value(depth, value, known) for value, known in found]
    # The score ranks moves first: two values may differ in what no score tells, as in distances beyond the depth.
    ranks = [(score.order(mover), side * each[0]) for score, each in zip(scores, found, strict=True)]
    top = sorted(ranks)[-1]
    best = [place for place, rank in enumerate(ranks) if rank == top]
    choice, value = children[best[0]][0], found[best[0]][0]
    score = search.score_value(depth, value, all(known for _, known in found))
    if len(best) > 1:  # of equal moves the first by the game's order, which a search finds: the table has their values
        tried = search.find_move(position, depth)
        if tried is not None and tried in [children[place][0] for place in best]:
            choice = tried
    return choice, value, score, list(zip([move for move, _ in children], scores, strict=True))


@in_pages
def _search_best_move(search: Searcher, depth: int, also: Collection[int]) -> ScoredMoves:
    """Search a position, and some of its moves beside the best one."""
    value, choice, known = search.run(search.position.state, depth, 0)
    score = search.score_value(depth, value, known)
    moves = [(choice, score)]
    if also:
        for move, child in search.children:
            if move in also and move != choice:
                found = _value_after(search, child, depth)
                moves.append((move, search.score_value(depth, found[0], found[1])))
    return choice, value, score, moves


@in_pages
def _value_after(search: Searcher, child: Position, depth: int) -> tuple[int, bool]:
    """Value of a move, by the position after it, and whether no static evaluation entered it."""
    outcome = child.outcome
    if outcome is not None:
        return final(outcome, 1), True
    # The search begins at ply 1 and not 0: distances are then counted from the position.
    found = search.run(child.state, depth - 1, 1)
    return found[0], found[2]


@in_pages
def _principal_variation(search: Searcher, position: Position, depth: int) -> list[int]:
    """Principal variation from a position, by a search at each ply, mostly from the table; cut short by the limit."""
    line = list[int]()
    # Searched and not read from the table: entries of the line may have been replaced since.
    while depth > 0 and position.outcome is None and (move := search.find_move(position, depth)) is not None:
        line.append(move)
        position = position.after(move)
        depth -= 1
    return line
