"""The shipped book of Connect Four held against another program's. `python bench/book.py [FILE]`, a second.

bitbully has a book of twelve plies with distances, which it looks ahead to from any earlier position.
"""

import sys
from pathlib import Path

from bitbully import BitBully, Board

import plyground as pg
from plyground.exact.book import book_of, read_book

GAME = pg.ConnectFour()
CELLS = 42


def pons(score: pg.Score, position: pg.Position) -> int:
    """A score as Pascal Pons counts it: how many marks the winner has left, and one more; below 0 for a loss."""
    if not score.utility:
        return 0
    left = CELLS - len(position.moves) - (score.plies or 0)
    return (left // 2 + 1) * (1 if (score.utility > 0) == (position.to_move == pg.MAX) else -1)


def main() -> None:
    """Compare every position of the book."""
    book = read_book(Path(sys.argv[1]), GAME) if sys.argv[1:] else book_of(pg.Position.initial(GAME))
    assert book is not None
    solver, seen = BitBully(), dict[str, bool]()
    places = [pg.Position.initial(GAME)]
    while places:
        position = places.pop()
        name = GAME.text(GAME.canonical(position.state))
        if name in seen or (score := book.score(position.state)) is None:
            continue
        theirs = solver.mtdf(Board([move // GAME.stride for move in position.moves]))
        seen[name] = pons(score, position) == theirs
        if not seen[name]:
            print(f"{' '.join(position.words)}: {pons(score, position)} here, {theirs} there")
        places += [position.play(move) for move in position.legal_moves]
    print(f"{book.title}: {len(seen)} positions, of which {sum(seen.values())} agree")


if __name__ == "__main__":
    main()
