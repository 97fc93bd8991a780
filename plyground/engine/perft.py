"""Perft of any position: the number of sequences of moves, at the best speed there is."""

from collections.abc import Callable
from functools import partial

from plyground.compiled.clock import Clock, Limit
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput, check_arguments
from plyground.position import Position
from plyground.rules import LONGEST
from plyground.search.observer import Counting
from plyground.search.perft import perft as count_sequences


@check_arguments
def perft(position: Position, depth: int, *, on_move: Callable[[int, int], None] | None = None) -> int:
    """The number of sequences of exactly `depth` moves from a position; a finished game goes no further.

    By the rules of a state alone: a repetition ends no sequence, as in all published counts.

    >>> from plyground.games.mnk import MNK
    >>> perft(Position.initial(MNK()), 4)
    3024

    Args:
        position: where to count from.
        depth: number of moves, 0 or more.
        on_move: called after each first move with their number and the sequences so far, for a progress bar.

    Raises:
        BadInput: the depth is below 0, or beyond the longest game.
        GameFault: a rule fails.
    """
    require_depth(depth)
    if depth == 0 or position.outcome is not None:
        return int(depth == 0)
    run, sample = kernel(count_sequences, position.game), (Counting.fresh(), position.state, 1, 0)
    run.prepare(*sample)
    total = 0
    for done, move in enumerate(position.legal_moves, 1):
        # One run for each first move, so that the progress can be told between them.
        clock, child = Clock(Limit()), position.game.play(position.state, move)
        total += clock.run(partial(run, clock.observer, child, depth - 1, 1))
        if on_move:
            on_move(done, total)
    return total


def require_depth(depth: int) -> None:
    """Raise `BadInput` unless sequences of this length can be counted."""
    if not 0 <= depth <= LONGEST:
        raise BadInput(f"depth={depth}: count 0 to {LONGEST:,} plies.")
