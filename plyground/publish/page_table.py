"""Tablebase of a published page: sorted states, as one array for each byte, and their values.

`page/src/worker/engine/tabled.js` looks positions up in these bytes as they are, one byte of a state after another.
Most arrays hardly change from one state to the next, so packed they take about a byte a state.
"""

from typing import Any, NamedTuple

from plyground.board.bits import flat
from plyground.exact.tables.reading import Tablebase, asked_folders, tables_of
from plyground.games import AnyGame
from plyground.rules import Game

# A page without a table has 93 to 111 kB (docs/decisions/38-packing.md).
MOST_IN_A_PAGE = 200_000
"""Bytes of a table in a page, packed, as text, at most."""
LARGE = 4 * MOST_IN_A_PAGE
"""Bytes of a table's files from which it is too large for a page, whatever it packs to."""


class PackedTable(NamedTuple):
    """A table as a page has it."""

    facts: dict[str, Any]
    """Layout of the bytes and the values, as JSON takes them: `TableFacts` in `page/src/worker/game.js`."""
    data: bytes
    """The highest byte of all states in their order, then the next ones, then the numbers of their values."""


def table_for(game: AnyGame) -> Tablebase | None:
    """The tablebase that analyses of a game ask; if they ask several, that of the whole game."""
    tables = tables_of(game, asked_folders())
    # Tables of end games alone are no help at the beginning, where a page's reader starts.
    return next(filter(_is_whole, tables), next(iter(tables), None))


def why_left_out(table: Tablebase) -> str:
    """Reason that a table of any size cannot be in a page; empty if it can."""
    if not _is_whole(table):
        return f"it is that of {table.start}, not of the whole game"
    if type(table.game).drawn_after is not Game.drawn_after:
        return "a counter may draw this game before a win comes, which a page does not look up"
    return ""


def _is_whole(table: Tablebase) -> bool:
    """Whether a table has all positions of its game."""
    return table.score(table.game.initial()) is not None


def size_of_files(table: Tablebase) -> int:
    """Bytes of a table's files of states."""
    return sum(file.stat().st_size for file in table.path.glob("*.parquet"))


def packed_table(table: Tablebase) -> PackedTable:
    """The states and values of a table that is not `LARGE`.

    Raises:
        Damaged: a file was changed.
    """
    # The page finds a state by bisection, so the rows are in the order of their ints.
    rows = sorted((flat(state), score) for state, score in table)
    columns = list(zip(*(words for words, _ in rows), strict=True))
    # Each column is counted from its least value on: fewer bytes, and high bytes that hardly change.
    lows = [min(column) for column in columns]
    numbers = {score: number for number, score in enumerate(dict.fromkeys(score for _, score in rows))}
    sizes = [_bytes_of(max(column) - low) for column, low in zip(columns, lows, strict=True)]
    planes = [
        plane
        for column, low, size in zip(columns, lows, sizes, strict=True)
        for plane in _planes([word - low for word in column], size)
    ]
    planes += _planes([numbers[score] for _, score in rows], max(_bytes_of(len(numbers) - 1), 1))
    facts = {
        "states": len(rows),
        # JavaScript reads JSON's numbers as doubles, exact to 53 bits alone.
        "lows": [str(low) for low in lows],  # ints of 64 bits
        "sizes": sizes,
        "canonical": table.game.canonical_is_complete,
        "values": [(score.utility, score.plies) for score in numbers],
        "title": table.title,
    }
    return PackedTable(facts, b"".join(planes))


def _bytes_of(number: int) -> int:
    """Bytes that a number takes."""
    return (number.bit_length() + 7) // 8


def _planes(numbers: list[int], size: int) -> list[bytes]:
    """Numbers of a size in bytes, as an array of each of their bytes, the highest first."""
    return [bytes(number >> 8 * place & 255 for number in numbers) for place in reversed(range(size))]
