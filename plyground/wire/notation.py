"""Moves as Prolog programs write them, for any game: a cell of a grid is a pair, column first.

| game | a move | as |
|---|---|---|
| on a grid of cells | the cell | `2,1` (column, row), both from 1 |
| on boards within a board | the board and the cell in it | `[5,3]`, both from 1, row by row |
| any other | its text | the number itself, or `move('…')` |
"""

from plyground.board.look import Grid
from plyground.errors import BadInput
from plyground.position import Position


def to_wire(position: Position, move: int) -> str:
    """A legal move's text on the wire."""
    game, state, look = position.game, position.state, position.look()
    text = game.move_text(state, move)
    if not isinstance(look, Grid):
        return text
    index = next((place for place, cell in enumerate(look.cells) if cell.move == move), None)
    if index is None:
        return text
    row, column = divmod(index, look.columns)
    pair = f"{column + 1},{row + 1}"
    if look.block:
        across = look.columns // look.block
        board = row // look.block * across + column // look.block
        cell = row % look.block * look.block + column % look.block
        pair = f"[{board + 1},{cell + 1}]"
    return pair if _means(position, pair, move) else text


def _means(position: Position, text: str, move: int) -> bool:
    try:
        return position.game.parse_move(position.state, text) == move
    except BadInput:
        return False
