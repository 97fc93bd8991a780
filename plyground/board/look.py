"""Words for boards: what a terminal, a page or a notebook needs to draw a position, as data.

A game's `look` answers with one of these; whoever draws knows these words and no game. Cells of a grid are named as
players do: a letter for the column, from the left, and a number for the row, from the top, so `b3` is column 2, row 3.
"""

import re
from dataclasses import dataclass

from plyground.errors import BadInput


@dataclass(frozen=True)
class Cell:
    """One cell of a grid."""

    mark: str = ""
    """The name of the player whose mark stands here; empty for a free cell."""
    move: int | None = None
    """The legal move that pointing here means; None where there is none."""
    line: bool = False
    """Whether it is part of what won the game."""


@dataclass(frozen=True)
class Block:
    """A board within the board."""

    mark: str = ""
    """The name of the player who won it; empty while nobody has."""
    open: bool = True
    """Whether moves can still be made in it."""
    active: bool = True
    """Whether the player to move may play in it now."""


@dataclass(frozen=True)
class Grid:
    """A rectangle of cells, row by row from the top left; with `block` > 0, cut into squares of that side."""

    rows: int
    columns: int
    cells: tuple[Cell, ...]
    block: int = 0
    blocks: tuple[Block, ...] = ()
    """Row by row; empty when the grid is not cut."""


@dataclass(frozen=True)
class Pit:
    """One pit of a sowing game."""

    seeds: int
    mark: str
    """The name of the player it belongs to."""
    move: int | None = None
    """The legal move that sows it; None where there is none."""


@dataclass(frozen=True)
class Pits:
    """Two rows of pits with a store for each player, sown counter-clockwise.

    Each row is in sowing order, its store comes after its last pit. Drawn, the second player's row runs from right to
    left above the first player's, so that pit 1 of one is opposite the last pit of the other.
    """

    first: tuple[Pit, ...]
    second: tuple[Pit, ...]
    stores: tuple[int, int]
    """Seeds in the first and the second player's store."""


@dataclass(frozen=True)
class Text:
    """A board that is only written: the look of a game that says nothing of its looks."""

    text: str


Board = Grid | Pits | Text


def cell_name(columns: int, index: int) -> str:
    """The name of a cell by its place, row by row from 0: `b3`.

    >>> cell_name(3, 7)
    'b3'
    """
    row, column = divmod(index, columns)
    return f"{chr(ord('a') + column)}{row + 1}"


def parse_cell(text: str, rows: int, columns: int) -> int:
    """The place of a cell, row by row from 0, from any of its three names: `b3`, `2,3` (column, row) or `8`.

    >>> parse_cell("b3", 3, 3), parse_cell("2,3", 3, 3), parse_cell("8", 3, 3)
    (7, 7, 7)

    Raises:
        BadInput: the text names no cell of this grid.
    """
    word = text.strip().lower()
    if match := re.fullmatch(r"([a-z])([0-9]{1,3})", word):
        column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
    elif match := re.fullmatch(r"\(?\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)?", word):
        column, row = int(match[1]) - 1, int(match[2]) - 1
    elif re.fullmatch(r"[0-9]{1,6}", word) and 1 <= int(word) <= rows * columns:
        row, column = divmod(int(word) - 1, columns)
    else:
        row = column = -1
    if 0 <= row < rows and 0 <= column < columns:
        return row * columns + column
    last = cell_name(columns, rows * columns - 1)
    raise BadInput(
        f"{text!r} is not a cell: name one a1 to {last}, or 1,1 to {columns},{rows} (column,row), "
        f"or 1 to {rows * columns}."
    )
