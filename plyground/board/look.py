"""Board descriptions: data from which a page, a terminal, a picture or a notebook draws a position.

`board()` of a game returns the fixed part, which is drawn and sent once. What depends on the state is answered in ints,
so that compiled rules can answer it too; `make_look` makes a `Look` from them. Code that draws uses these classes and
no game; code that reads clicks chooses moves by their `path`. Places have the names that players of the game use.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final, Literal

from plyground.errors import BadInput, WrongType, check_arguments, check_fields
from plyground.in_pages import in_pages

Shape = Literal["square", "hexagon", "point", "pit", "bar", "pole", "triangle", "choice", "turn-left", "turn-right"]
"""Form of a place: a `bar` and a `pole` are the edges between two dots, lying and upright. Three are no places of the
board but beside it: a `choice` is a piece that is shown only while it can be chosen, such as a pawn's promotion; a
`turn-left` and a `turn-right` are arrows that turn a part of the board.
"""
Colour = Literal["blue", "orange", "white", "black", "red", "yellow", "green"]
"""Colour of a side; drawings have an ink for each, in light and in dark."""
Surface = Literal["paper", "wood", "felt", "plastic"]
"""Material of a board, by which a page colours it: brown squares, green cloth, a blue rack."""


STEP_WORDS = (("x", " takes "), ("-", " to "))
"""Spoken words for the signs in moves such as a1-a4 and a1xa4."""


# Boards are written by authors of games: a wrong kind of field is told where it was given, not when it is drawn.
class _Checked:
    """A part of a board whose fields are of the kinds that their annotations say.

    Raises:
        WrongType: a field is of another kind.
    """

    def __post_init__(self) -> None:
        check_fields(self)


@in_pages(sent_as="Place")
@dataclass(frozen=True)
class Place(_Checked):
    """A place of a board."""

    name: str
    """Name, unique on the board, as players use it: `e4`."""
    x: float
    """Centre of the place, from the left; neighbours are about 1 apart."""
    y: float
    """Centre of the place, from the top."""
    shape: Shape = "square"
    dark: bool = False
    """Whether the place is shaded, as on a chequered board."""

    @property
    def is_beside(self) -> bool:
        """Whether the place is no place of the board but beside it."""
        return self.shape in ("choice", "turn-left", "turn-right")


@in_pages(sent_as="Area")
@dataclass(frozen=True)
class Area(_Checked):
    """Group of places: a board within the board, or the pieces in a player's hand."""

    name: str
    places: tuple[int, ...]
    """Numbers of the places."""


@in_pages(sent_as="Piece")
@dataclass(frozen=True)
class Piece(_Checked):
    """A piece on a place."""

    owner: str = ""
    """Mark of the side that owns it (`Game.marks`); empty if neutral."""
    kind: str = "mark"
    """Its form: the owner's `mark` (a cross, a ring, a disc with the letter), `disc`, `stone`, `seeds`, `wall`,
    `arrow`, `match`, `chocolate` and its `poison`, `man` and `crowned` of draughts, `king` to `pawn` of chess, a `box`,
    a half of a `domino` whose other half is where its text points away from, `^`, `v`, `<` or `>`; other kinds are
    drawn as their `text`.
    """
    count: int = 1
    """Seeds in a pit, pieces in hand, the height of a stack."""
    text: str = ""
    """Letter of the piece in a board as text: `N`; by default the owner's name."""
    name: str = ""
    """Word for people where its kind is none: a `stone` may be a man, a `wall` a line."""


DEFAULT_PIECES = (Piece("x"), Piece("o"))
"""Pieces of a board that names none: a mark of each side."""


@dataclass(frozen=True)
class Unseen(_Checked):
    """Part of a position that no place of the board shows, as a number: a right to castle, men in hand."""

    words: str
    """A name for people: `White can castle on the king's side`."""
    most: int = 1
    """Largest number, from 0; where it is 1, it is a yes or a no."""
    brief: str = ""
    """A shorter name, to be seen beside those of its like: `White O-O`; empty for none."""


@in_pages(sent_as="BoardView")
@dataclass(frozen=True)
class Board(_Checked):
    """Fixed part of a board. A board without places is shown as text only.

    >>> board = Board((Place("left", 0, 0), Place("right", 1, 0)), pieces=(Piece("x", "stone"), Piece("o", "stone")))
    >>> [place.name for place in board.places], board.pieces[1].kind
    (['left', 'right'], 'stone')
    """

    places: tuple[Place, ...] = ()
    """All places, numbered from 0; those of a grid row by row from the top left."""
    lines: tuple[tuple[int, int], ...] = ()
    """Lines that are drawn between two places."""
    areas: tuple[Area, ...] = ()
    falls: tuple[tuple[int, ...], ...] = ()
    """Columns along which a piece falls, from its entry: it comes to rest on the last free place.
    A click on any place of a column means the move that begins in the column; by law there is one at most.
    """
    pieces: tuple[Piece, ...] = DEFAULT_PIECES
    """Pieces that can stand on the board, numbered from 1. A piece whose count varies, such as seeds, is listed with
    a count of 0.
    """
    names: tuple[str, str] = ("x", "o")
    """Names, marks and colours of the two sides, and the surface; `rules.board_of` takes them from the game."""
    marks: tuple[str, str] = ("x", "o")
    colours: tuple[Colour, Colour] = ("blue", "orange")
    surface: Surface = "paper"
    borders: tuple[tuple[int, int, int], ...] = ()
    """Borders in the colour of a side, such as those that it joins: the side, and the first and the last place."""
    crossings: bool = False
    """Whether pieces stand where the lines of a grid cross, as in Gomoku; else between them."""
    stars: tuple[int, ...] = ()
    """Places with a dot by which players find their way on a large board: the star points of Gomoku."""
    spoken: tuple[tuple[str, str], ...] = ()
    """Signs of the players' notation and the words for them, those that contain others first: `("+", ", check")`.
    Who hears a move, such as by a screen reader, hears these words.
    """
    seat: int | None = None
    """Side that sits at the bottom, 0 or 1; for the other one the board is turned. None: sides have no edge."""
    unseen: tuple[Unseen, ...] = ()
    """Parts of a position besides its pieces and the side to move, for those who set one up by hand."""
    must_jump: bool = False
    """Whether a piece that can jump must jump, as in draughts: a reason of illegal moves."""

    def __post_init__(self) -> None:
        if isinstance(self.places, Board):
            raise WrongType("places is a whole Board: give its .places, or its pieces to squares or hexagons.")
        super().__post_init__()

    @cached_property
    def grid(self) -> tuple[int, int] | None:
        """Rows and columns, if the places are squares that fill a rectangle row by row, apart from those beside it."""
        squares = [place for place in self.places if not place.is_beside]
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


@in_pages(sent_as="Fate")
@dataclass(frozen=True)
class Fate:
    """State of an area."""

    owner: str = ""
    """Mark of the side that has won it; empty if none has."""
    open: bool = True
    """Whether moves can still be made in it."""
    active: bool = True
    """Whether the player to move may play in it now."""


@in_pages(sent_as="Look")
@dataclass(frozen=True)
class Look:
    """Picture of a state: the part of a board that depends on it."""

    pieces: tuple[Piece | None, ...] = ()
    """Piece by place; None for an empty place."""
    line: tuple[int, ...] = ()
    """Places of the winning line or group."""
    fates: tuple[Fate, ...] = ()
    """State by area; empty if areas have none."""
    text: str = ""
    """Text beside the board; the whole position if the board has no places."""
    through: tuple[tuple[int, ...], ...] = ()
    """Lines to draw through the winning places, each by the places at which it begins, turns and ends."""
    attacked: tuple[int, ...] = ()
    """Places of pieces that must be saved, such as a king in check."""


# Flags in a game's ints, added to the number of the piece on a place.
# The number of a piece, its flags and its count share one int, which compiled rules can yield: bits 0 to 7 the piece, 8
# and 9 flags, from 16 on the count.
WON: Final = 1 << 8
"""The place is part of the winning line or group."""
PIECE_MASK: Final = WON - 1
"""All that numbers of pieces may be."""
ATTACKED: Final = 1 << 9
"""The piece is attacked and must be saved, as a king in check."""
COUNT: Final = 1 << 16
"""Added once for each unit of the piece's count."""
# Flags of an area, added to 0, or to 1 where x has won it and 2 where o has.
SIDE_MASK: Final = 3
"""All that these numbers of sides may be."""
CLOSED: Final = 4
"""No move can be made in it any more."""
IDLE: Final = 8
"""The player to move may not play in it now."""
END: Final = -1
"""Ends each line that is drawn through the winning places."""


def piece_letter(piece: Piece) -> str:
    """Letter of a piece in a board as text: the mark of its owner, `#` for a piece of neither side."""
    return piece.owner or "#"


def rows_text(board: Board, numbers: Sequence[int], letter: Callable[[Piece], str] = piece_letter) -> str:
    """Pieces as text: rows of places from the top with slashes between, a letter for each piece, `.` for no piece.

    Args:
        board: the fixed part; a `choice` is in no row.
        numbers: the number of the piece on each place, 0 for none.
        letter: the letter of a piece.

    >>> rows_text(squares(2, 2), [1, 0, 0, 2])
    'x./.o'
    """
    standing = [(place.y, place.x, n) for place, n in zip(board.places, numbers, strict=True) if not place.is_beside]
    letters = [(y, letter(board.pieces[number - 1]) if number else ".") for y, _, number in sorted(standing)]
    return "/".join("".join(each for _, each in row) for _, row in groupby(letters, lambda pair: pair[0]))


@in_pages
def make_look(board: Board, stands: Iterable[int], strokes: Iterable[int], text: str) -> Look:
    """Make a `Look` from a game's answers in ints.

    Args:
        board: the fixed part.
        stands, strokes: as the game's questions of these names answer.
        text: text beside the board.

    Raises:
        IndexError: a piece or a player has no such number.
    """
    told = list(stands)
    here, areas = told[: len(board.places)], told[len(board.places) :]
    # A row ends at each `END`; the list after the last one stays empty and is left out below.
    through: list[list[int]] = [[]]
    for stroke in strokes:
        if stroke == END:
            through.append([])
        else:
            through[-1].append(stroke)
    return Look(
        pieces=tuple(_piece(board, number) for number in here),
        line=tuple(place for place, number in enumerate(here) if number & WON),
        fates=tuple(
            Fate(("", *board.marks)[number & SIDE_MASK], open=not number & CLOSED, active=not number & IDLE)
            for number in areas
        ),
        text=text,
        through=tuple(tuple(places) for places in through if places),
        attacked=tuple(place for place, number in enumerate(here) if number & ATTACKED),
    )


def count_pieces(board: Board, stands: Iterable[int]) -> tuple[list[int], list[int]]:
    """The number of the piece on each place, 0 for none, and the units of its count, in a game's `stands`."""
    here = list(stands)[: len(board.places)]
    return [number & PIECE_MASK for number in here], [number // COUNT for number in here]


@in_pages
def _piece(board: Board, number: int) -> Piece | None:
    # Flags alone mark an empty place, as a square where a line was won.
    if not number & PIECE_MASK:
        return None
    piece = board.pieces[(number & PIECE_MASK) - 1]
    return replace(piece, count=piece.count + number // COUNT) if number >= COUNT else piece


@in_pages
def only_open_area(board: Board, look: Look) -> str:
    """The only area in which the player to move may play now, by its name; empty where it is not one."""
    active = [board.areas[number].name for number, fate in enumerate(look.fates) if fate.active]
    return active[0] if len(active) == 1 else ""


NINE_BOARD_NAMES = [
    "top left board", "top middle board", "top right board",
    "left board", "middle board", "right board",
    "bottom left board", "bottom middle board", "bottom right board",
]  # fmt: skip
"""Names of nine boards in a square."""


@check_arguments
def squares(
    rows: int,
    columns: int,
    *,
    block: int = 0,
    chequered: bool = False,
    upward: bool = False,
    extra: tuple[Place, ...] = (),
    pieces: tuple[Piece, ...] = DEFAULT_PIECES,
) -> Board:
    """A grid of squares: a letter for the column, from the left, and a number for the row.

    Args:
        rows, columns: how many.
        block: cut into boards of this side; 0 for not. Nine are named by where they are, others numbered from 1, row
            by row.
        chequered: every other square is dark, the lower left one among them.
        upward: rows are numbered from the bottom, as in chess; else from the top.
        extra: more places, after the squares.
        pieces: pieces that can stand on it, numbered from 1; by default a mark of each side.

    Raises:
        BadInput: it would have no square; a `WrongType` of it: an argument is of another kind.

    >>> [place.name for place in squares(2, 2).places], squares(2, 2, upward=True).places[0].name
    (['a1', 'b1', 'a2', 'b2'], 'a2')
    """
    _require_size(rows, columns)
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
    names = (
        NINE_BOARD_NAMES
        if len(blocks) == len(NINE_BOARD_NAMES)
        else [f"board {number}" for number in range(1, len(blocks) + 1)]
    )
    areas = tuple(map(Area, names, blocks)) if block else ()
    return Board((*places, *extra), areas=areas, pieces=pieces)


@check_arguments
def hexagons(rows: int, columns: int, *, pieces: tuple[Piece, ...] = DEFAULT_PIECES) -> Board:
    """A rhombus of hexagons, each row half a step farther right than the one above; named as squares are.

    Args:
        rows, columns: how many.
        pieces: pieces that can stand on it, numbered from 1; by default a mark of each side.

    >>> board = hexagons(2, 2, pieces=(Piece("x", "stone"), Piece("o", "stone")))
    >>> [place.name for place in board.places], board.pieces[1].kind
    (['a1', 'b1', 'a2', 'b2'], 'stone')
    """
    _require_size(rows, columns)
    # Height of an equilateral triangle with the side 1: centres of neighbours are 1 apart in all six directions.
    high = 3**0.5 / 2
    return Board(
        tuple(
            Place(place_name(columns, row * columns + column), column + row / 2, row * high, "hexagon")
            for row in range(rows)
            for column in range(columns)
        ),
        pieces=pieces,
    )


def _require_size(rows: int, columns: int) -> None:
    if rows < 1 or columns < 1:
        raise BadInput(f"A board of {rows} rows and {columns} columns: each is 1 or more.")


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
    # A name first, since it cannot be read in another way; a pair and a number have no letters.
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
