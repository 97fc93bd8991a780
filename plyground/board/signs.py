"""Texts as ints, without strings, so that compiled rules and published pages can produce them.

A text is a row of signs. One of 0 or more is a character, by its code (`ord`). One below 0 says what the int after it
is: a number to be written out, a place of the board or a player, which are written by their names. So a game of marks
names a move by two ints, `PLACE` and the number of the place, and the board alone knows what that is called.

>>> spell([NUMBER, 2, *signs("-"), PLACE, 1], places=("a1", "b1"), players=("x", "o"))
'2-b1'
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from plyground.board.bits import Words, has_member
from plyground.in_pages import in_pages

# Below 0, where no character is: a reader knows at once whether a sign stands for itself.
NUMBER: Final = -1
"""The next int is written out, in digits."""
PLACE: Final = -2
"""The next int is a place of the board, written by its name."""
PLAYER: Final = -3
"""The next int is a player, 0 or 1, written by the name."""

SPACE: Final = ord(" ")
DASH: Final = ord("-")
COMMA: Final = ord(",")
SLASH: Final = ord("/")
COLON: Final = ord(":")
DOT: Final = ord(".")
WALL: Final = ord("#")
BAR: Final = ord("|")


def signs(text: str) -> tuple[int, ...]:
    """The signs of a text that never changes. For constants: compiled rules know no strings."""
    return tuple(map(ord, text))


def choose_text(texts: tuple[int, ...], number: int) -> Iterator[int]:
    """The signs of one of several texts, from 0, with a `|` between each two. Compiled rules may ask for it."""
    for sign in texts:
        if sign == BAR:
            number -= 1
        elif number == 0:
            yield sign


def list_numbers(numbers: tuple[int, ...], between: int) -> Iterator[int]:
    """The signs of numbers with one more between each two. Compiled rules may ask for it."""
    for index in range(len(numbers)):
        if index > 0:
            yield between
        yield NUMBER
        yield numbers[index]


def write_board(x: Words, o: Words, bits: tuple[int, ...], columns: int, turn: int) -> Iterator[int]:
    """Signs of a board of two sides: rows from the top, and the player to move, `x.o/.x./...:o`.

    A cell of neither side is a `.`, and one of both, where no piece can stand, a `#`.

    Args:
        x, o: the cells of each side.
        bits: the bit of each cell, row by row.
        columns: cells in a row.
        turn: the player to move.
    """
    for place in range(len(bits)):
        if place > 0 and place % columns == 0:
            yield SLASH
        is_x, is_o = has_member(x, bits[place]), has_member(o, bits[place])
        if is_x != is_o:
            yield PLAYER
            yield int(is_o)
        else:
            yield WALL if is_x else DOT
    yield COLON
    yield PLAYER
    yield turn


@in_pages
def spell(row: Iterable[int], places: Sequence[str], players: Sequence[str]) -> str:
    """The text that a row of signs means.

    Args:
        row: the signs.
        places, players: the names of the board's places and of the two players.

    Raises:
        ValueError: the row ends where a number is due, or a sign, a place or a player is none.
    """
    before, words = 0, ""
    for sign in row:
        if before < 0:
            words += _operand_text(before, sign, places, players)
            before = 0
        elif sign >= 0:
            words += chr(sign)
        else:
            before = sign
    if before < 0:
        # A fault of the rules, which the laws report: a text that was cut short would name another move.
        raise ValueError(f"nothing follows {before}")
    return words


@in_pages
def _operand_text(kind: int, what: int, places: Sequence[str], players: Sequence[str]) -> str:
    """Text of an int that follows a sign below 0: its digits, or the name of a place or player."""
    if kind == NUMBER:
        return str(what)
    if kind < PLAYER:
        raise ValueError(f"{kind} is followed by {what}")
    names = places if kind == PLACE else players
    if not 0 <= what < len(names):
        raise ValueError(f"{kind} is followed by {what}, and there are {len(names)} names")
    return names[what]
