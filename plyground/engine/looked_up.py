"""Best play in a position that a book or a tablebase knows."""

from plyground.engine.deepening import Wanted
from plyground.engine.listed import Known
from plyground.in_pages import in_pages
from plyground.position import Position
from plyground.score import best_first
from plyground.tables.lookup import Lookup


@in_pages
def looked_up(book: Lookup, position: Position, wanted: Wanted) -> Known | None:
    """All that a book or a tablebase knows of an unfinished position; None where it does not know every move."""
    moves = book.moves(position.state)
    if moves is None:
        return None
    ranked: list[int] = best_first(moves, position.to_move)
    depth = max([1, *[score.plies or 1 for _, score in moves]])
    lines = [[move, *book.line(position.game.play(position.state, move))] for move in wanted.told(ranked)]
    return depth, dict(moves)[ranked[0]], wanted.known(moves, ranked[0]), lines
