"""Answer of a Monte Carlo tree: the best move and the scores, from the statistics of the root's moves."""

from collections.abc import Sequence

from plyground.in_pages import in_pages
from plyground.rules import MAX, ONGOING
from plyground.score import Score

RootMove = tuple[int, int, int, int]
"""A move, its visits, the sum of their results for x, and its certain utility or `ONGOING`."""
Simulated = tuple[int, Score, list[tuple[int, Score]]]
"""Best move, its score, and each move with its score."""


@in_pages
def simulation_answer(found: Sequence[RootMove], mover: int, is_open: bool, is_bound: bool) -> Simulated:
    """Best move, its score and the score of each move; scores are for x.

    Args:
        found: the moves of the root with their statistics.
        mover: the player to move, 0 or 1.
        is_open: whether the root has no certain utility.
        is_bound: whether a certain win may be by more than its utility.
    """
    side = 1 if mover == MAX else -1
    scores = [_root_move_score(each, is_bound) for each in found]
    # Certain moves first, by their result; among open ones the most visited (the robust child of Chaslot et al., 2008),
    # because a mean of few visits is noise; the share breaks ties. A certain loss ranks below every open move and a
    # certain win above, a certain draw level with open moves, by its visits.
    merits = [
        (side * each[3], each[1], side * (0.5 + each[3] / 2))
        if each[3] != ONGOING
        else (0, each[1], side * (score.share or 0.0))
        for each, score in zip(found, scores, strict=True)
    ]
    # The first of equal merits in generation order, so that a seed gives one move.
    best = merits.index(sorted(merits)[-1])
    score = scores[best]
    if score.utility == 0 and is_open:  # a draw is sure, and another move may be better
        score = Score(share=0.5)
    return found[best][0], score, list(zip([each[0] for each in found], scores, strict=True))


@in_pages
def _root_move_score(found: RootMove, is_bound: bool) -> Score:
    _, visits, total, certain = found
    if certain != ONGOING:
        return Score(certain, bound=certain != 0 and is_bound)
    # Four decimals, as of all shares (`engine/chances.py`), so that every platform says the same.
    return Score(share=round(0.5 + total / max(visits, 1) / 2, 4))
