"""Words for boards: what a page, a terminal, a picture or a notebook needs to draw a position, as data.

A game says once what is fixed, `board()`, which is drawn and sent once. What depends on the state it tells in ints, so
that compiled rules can tell it too; `looked` makes a `Look` of them. Whoever draws knows these words and no game, and
whoever points at places of the board chooses moves by their `path`. Places are named as people of the game do.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final, Literal

from plyground.errors import BadInput

Shape = Literal["square", "hexagon", "point", "pit", "bar", "pole", "triangle", "choice"]
"""How a place is drawn: a `bar` and a `pole` are the edges between two dots, lying and upright; a `choice` is no place
of the board but a piece beside it, shown only while it can be chosen: what a pawn becomes, for instance.
"""


@dataclass(frozen=True)
class Place:
    """A place of a board."""

    name: str
    """Its own among the board's places, as people say it: `e4`."""
    x: float
    """Its centre, from the left; neighbours are about 1 apart."""
    y: float
    """The same from the top."""
    shape: Shape = "square"
    dark: bool = False
    """Whether it is shaded, as on a chequered board."""


@dataclass(frozen=True)
class Area:
    """Places that belong together: a board within the board, or what a player has in hand."""

    name: str
    places: tuple[int, ...]
    """By their numbers."""


@dataclass(frozen=True)
class Piece:
    """What stands on a place."""

    owner: str = ""
    """The name of the player it belongs to; empty where it is nobody's."""
    kind: str = "mark"
    """How it is drawn: the owner's `mark` (a cross, a ring, a disc with the letter), `disc`, `stone`, `seeds`, `wall`,
    `man` and `crowned` of draughts, `king` to `pawn` of chess; by its `text` where nobody draws this kind.
    """
    count: int = 1
    """Seeds in a pit, pieces in hand, the height of a stack."""
    text: str = ""
    """Its letter, where a board is written: `N`; by default the owner's name."""


@dataclass(frozen=True)
class Board:
    """What is fixed of a board. Without places, it is only written."""

    places: tuple[Place, ...] = ()
    """Numbered from 0; those of a grid row by row from the top left."""
    lines: tuple[tuple[int, int], ...] = ()
    """Drawn between two places."""
    areas: tuple[Area, ...] = ()
    falls: tuple[tuple[int, ...], ...] = ()
    """Places along which a piece falls, from where it is let in: what falls comes to rest on the last that is free.
    Whoever points at any of them means the move that begins in it; by law there is one at most.
    """
    pieces: tuple[Piece, ...] = (Piece("x"), Piece("o"))
    """Those that can stand on it, numbered from 1. Where a piece has a count of its own, as seeds have, it stands here
    with a count of 0.
    """

    @cached_property
    def grid(self) -> tuple[int, int] | None:
        """Rows and columns, if the places are squares that fill a rectangle row by row; a `choice` stands beside it."""
        squares = [place for place in self.places if place.shape != "choice"]
        columns = len({place.x for place in squares})
        rows = len({place.y for place in squares})
        fits = [(place.x, place.y) for place in squares] == [(x, y) for y in range(rows) for x in range(columns)]
        return (rows, columns) if squares and fits and {place.shape for place in squares} == {"square"} else None

    @cached_property
    def block(self) -> int:
        """The side of the square boards that a grid is cut into, its areas, row by row; 0 where it is not cut so."""
        side = round(len(self.areas[0].places) ** 0.5) if self.grid and self.areas else 0
        if not self.grid or not side or self.grid[0] % side or self.grid[1] % side:
            return 0
        rows, columns = self.grid
        blocks = [
            tuple((row + down) * columns + column + right for down in range(side) for right in range(side))
            for row in range(0, rows, side)
            for column in range(0, columns, side)
        ]
        return side if [area.places for area in self.areas] == blocks else 0


@dataclass(frozen=True)
class Fate:
    """What has become of an area."""

    owner: str = ""
    """The name of the player who has won it; empty while nobody has."""
    open: bool = True
    """Whether moves can still be made in it."""
    active: bool = True
    """Whether the player to move may play in it now."""


@dataclass(frozen=True)
class Look:
    """What depends on the state."""

    pieces: tuple[Piece | None, ...] = ()
    """By place; None where nothing stands."""
    line: tuple[int, ...] = ()
    """The places of what won the game."""
    fates: tuple[Fate, ...] = ()
    """By area, or none at all: nothing is to be said of them."""
    text: str = ""
    """What is written beside the board; all there is, if the board has no places."""
    through: tuple[tuple[int, ...], ...] = ()
    """The lines to draw through what won, each by the places at which it begins, turns and ends."""


# Of what a game tells in ints: added to the number of what stands on a place.
WON: Final = 1 << 8
"""The place is part of what won the game."""
COUNT: Final = 1 << 16
"""Once for each that the piece counts."""
# The same of an area: added to 0, or to 1 where x has won it and 2 where o has.
CLOSED: Final = 4
"""No move can be made in it any more."""
IDLE: Final = 8
"""The player to move may not play in it now."""
END: Final = -1
"""After each line that is drawn through what won."""


def looked(board: Board, players: Sequence[str], stands: Iterable[int], strokes: Iterable[int], text: str) -> Look:
    """What a game tells in ints, as a `Look`.

    Args:
        board: what is fixed.
        players: the names of the two.
        stands, strokes: as the game's questions of these names answer.
        text: what is written beside the board.

    Raises:
        IndexError: a piece or a player is none of those there are.
    """
    told = list(stands)
    here, areas = told[: len(board.places)], told[len(board.places) :]
    pieces = tuple(_piece(board, number) for number in here)
    line = tuple(place for place, number in enumerate(here) if number & WON)
    fates = tuple(
        Fate(("", *players)[number & 3], open=not number & CLOSED, active=not number & IDLE) for number in areas
    )
    lines = (tuple(places) for is_end, places in groupby(strokes, lambda place: place == END) if not is_end)
    return Look(pieces, line, fates, text, tuple(lines))


def _piece(board: Board, number: int) -> Piece | None:
    if not number & WON - 1:
        return None
    piece = board.pieces[(number & WON - 1) - 1]
    return replace(piece, count=piece.count + number // COUNT) if number >= COUNT else piece


def where(board: Board, look: Look) -> str:
    """The only area in which the player to move may play now, by its name; empty where it is not one."""
    active = [area.name for area, fate in zip(board.areas, look.fates, strict=False) if fate.active]
    return active[0] if len(active) == 1 else ""


NINE = [
    "top left board", "top middle board", "top right board",
    "left board", "middle board", "right board",
    "bottom left board", "bottom middle board", "bottom right board",
]  # fmt: skip
"""What nine boards in a square are called."""


def squares(
    rows: int,
    columns: int,
    *,
    block: int = 0,
    chequered: bool = False,
    upward: bool = False,
    extra: tuple[Place, ...] = (),
) -> Board:
    """A grid of squares: a letter for the column, from the left, and a number for the row.

    Args:
        rows, columns: how many.
        block: cut into boards of this side; 0 for not. Nine are named by where they are, others numbered from 1, row
            by row.
        chequered: every other square is dark, the lower left one among them.
        upward: rows are numbered from the bottom, as in chess; else from the top.
        extra: more places, after the squares.

    >>> [place.name for place in squares(2, 2).places], squares(2, 2, upward=True).places[0].name
    (['a1', 'b1', 'a2', 'b2'], 'a2')
    """
    places = tuple(
        Place(
            place_name(columns, (rows - 1 - row if upward else row) * columns + column),
            column,
            row,
            dark=chequered and (rows - 1 - row + column) % 2 == 0,
        )
        for row in range(rows)
        for column in range(columns)
    )
    blocks = [
        tuple((row + down) * columns + column + right for down in range(block) for right in range(block))
        for row in range(0, rows, block or rows)
        for column in range(0, columns, block or columns)
    ]
    names = NINE if len(blocks) == len(NINE) else [f"board {number}" for number in range(1, len(blocks) + 1)]
    areas = tuple(map(Area, names, blocks)) if block else ()
    return Board((*places, *extra), areas=areas)


def hexagons(rows: int, columns: int) -> Board:
    """A rhombus of hexagons, each row half a step farther right than the one above; named as squares are."""
    high = 3**0.5 / 2
    return Board(
        tuple(
            Place(place_name(columns, row * columns + column), column + row / 2, row * high, "hexagon")
            for row in range(rows)
            for column in range(columns)
        )
    )


def place_name(columns: int, index: int) -> str:
    """The name of a square by its number, row by row from 0: `b3`.

    >>> place_name(3, 7)
    'b3'
    """
    row, column = divmod(index, columns)
    return f"{chr(ord('a') + column)}{row + 1}"


def parse_place(text: str, rows: int, columns: int, *, upward: bool = False) -> int:
    """The number of a square, row by row from 0, from any of its three names: `b3`, `2,3` (column, row) or `8`.

    A pair and a number count from the top, and the name too, unless the rows are named `upward`.

    >>> parse_place("b3", 3, 3), parse_place("2,3", 3, 3), parse_place("8", 3, 3), parse_place("b1", 3, 3, upward=True)
    (7, 7, 7, 7)

    Raises:
        BadInput: the text names no square of this grid.
    """
    word = text.strip().lower()
    if match := re.fullmatch(r"([a-z])([0-9]{1,3})", word):
        column, row = ord(match[1]) - ord("a"), rows - int(match[2]) if upward else int(match[2]) - 1
    elif match := re.fullmatch(r"\(?\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)?", word):
        column, row = int(match[1]) - 1, int(match[2]) - 1
    elif re.fullmatch(r"[0-9]{1,6}", word) and 1 <= int(word) <= rows * columns:
        row, column = divmod(int(word) - 1, columns)
    else:
        row = column = -1
    if 0 <= row < rows and 0 <= column < columns:
        return row * columns + column
    last = place_name(columns, rows * columns - 1)
    raise BadInput(
        f"{text!r} is not a cell: name one a1 to {last}, or 1,1 to {columns},{rows} (column,row), "
        f"or 1 to {rows * columns}."
    )
