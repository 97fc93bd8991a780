"""Notation of moves for Prolog programs, for any game: a cell of a grid is a pair, column first.

| game | a move | as |
|---|---|---|
| on a grid of cells | the cell | `2,1` (column, row), both from 1 |
| on boards within a board | the board and the cell in it | `[5,3]`, both from 1, row by row |
| any other | its text | the number itself, or `move('…')` |
"""

from plyground.errors import BadInput
from plyground.position import Position


def move_on_wire(position: Position, move: int) -> str:
    """Returns a legal move's text on the wire."""
    game, state, board = position.game, position.state, position.board
    text, path = game.move_text(state, move), tuple(game.path(state, move))
    # Only where a move is one cell does a pair name it: chess moves touch two, and Hex has no
    # square grid.
    if not board.grid or len(path) != 1:
        return text
    columns = board.grid[1]
    row, column = divmod(path[0], columns)
    pair = f"{column + 1},{row + 1}"
    if side := board.block:
        # Boards are numbered row by row, and so are the cells in each (docs/wire.md).
        number = row // side * (columns // side) + column // side
        cell = row % side * side + column % side
        pair = f"[{number + 1},{cell + 1}]"
    # The game has the last word: a pair that it would read as another move, or not at all, is not
    # sent.
    return pair if _reads_back(position, pair, move) else text


def _reads_back(position: Position, text: str, move: int) -> bool:
    try:
        return position.game.parse_move(position.state, text) == move
    except BadInput:
        return False
