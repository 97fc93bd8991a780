"""Formats of text that one kind of game has: their records name their game and its board.

PGN and SGF, which several kinds of game have, are read in `notations.py`.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from plyground.play.formats import hex_links, othello, psq
from plyground.play.record import Record


class NamingFormat(NamedTuple):
    """A format whose records say in `game` what they are of."""

    name: str
    is_in: Callable[[str], bool]
    """Whether a text, or the beginning of one, is in it."""
    records: Callable[[str], Iterator[Record]]
    """The games of a text, whose moves no rule has seen."""


NAMING_FORMATS = (
    NamingFormat("ggf", othello.is_ggf, othello.ggf_records),
    NamingFormat("obf", othello.is_board_line, othello.board_records),
    NamingFormat("link", hex_links.is_link, hex_links.link_records),
    NamingFormat("psq", psq.is_psq, psq.psq_records),
)


def naming_format(text: str) -> NamingFormat | None:
    """The format of this kind that a text is in; None for any other text."""
    return next((each for each in NAMING_FORMATS if each.is_in(text)), None)
