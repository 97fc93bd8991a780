"""Collections of games in WTHOR, the format of the federations of Othello: read.

A file has a header and one entry for each game: the numbers of its tournament and players, the discs that Black ended
with, and at most 60 moves, a byte each: 10 times the row, from the top, and the column; 0 after the last one. Passes
are left out. Names are in files beside it, `.JOU` for players and `.TRN` for tournaments. The format is published by
the Fédération Française d'Othello, www.ffothello.org (Format de la base WThor).
"""

import struct

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.play.notations import result_word
from plyground.play.record import DISCS, Record, RecordedMove
from plyground.text import plain_name

RULES_OF = "reversi"
"""The game of all files."""
FILE_HEADER = struct.Struct("<4B I H H 4B")
"""Date of the file, four bytes; games; names; year of the games; rows, kind, depth, nothing."""
GAME_ENTRY = struct.Struct("<3H 2B 60s")
"""Tournament, Black, White; discs of Black, as it ended and by best play at the end; moves."""
NAMES = {"JOU": 20, "TRN": 26}
"""Bytes of a name by the ending of its file."""


def records(data: bytes, players: bytes = b"", tournaments: bytes = b"") -> list[Record]:
    """The games of a file, whose moves no rule has seen.

    Args:
        data: the file, `.WTB`.
        players, tournaments: the files of names beside it, `.JOU` and `.TRN`; empty where there are none.

    Raises:
        BadInput: the file is cut off, or its games are not of 8 rows.
    """
    if len(data) < FILE_HEADER.size:
        raise BadInput("The file is no WTHOR: it has no header.")
    *_, count, _, year, rows, _, _, _ = FILE_HEADER.unpack_from(data)
    if rows not in (0, 8):
        raise BadInput(f"The games of the file have boards of {rows} rows: those of 8 rows are read.")
    # Exactly: the format has no mark of its own, so its size is the only sign that this is one.
    if len(data) != FILE_HEADER.size + count * GAME_ENTRY.size:
        raise BadInput(
            f"The file is no WTHOR, or cut off: {count} games take {FILE_HEADER.size + count * GAME_ENTRY.size} bytes, "
            f"and it has {len(data)}."
        )
    people, events = _names(players, NAMES["JOU"]), _names(tournaments, NAMES["TRN"])
    found, rules = [], game_named(RULES_OF)
    for event, black, white, discs, _, played in GAME_ENTRY.iter_unpack(data[FILE_HEADER.size :]):
        words = [_word(byte) for byte in played.partition(b"\0")[0]]
        tags = {"Event": events.get(event, f"tournament {event}"), "Date": f"{year}.??.??"}
        tags |= {"Black": people.get(black, f"player {black}"), "White": people.get(white, f"player {white}")}
        tags |= dict(zip(DISCS, (f"{discs}", f"{64 - discs}"), strict=True))
        result = result_word(rules, discs - 32)
        moves = [RecordedMove(word, ply - 1) for ply, word in enumerate(words)]
        found.append(Record(tags, moves=moves, result=result))
    return found


def _word(byte: int) -> str:
    row, column = divmod(byte, 10)
    if not (1 <= row <= 8 and 1 <= column <= 8):
        raise BadInput(f"A move of the file is {byte}: moves are 11 to 88, a row and a column from 1 to 8.")
    return f"{'abcdefgh'[column - 1]}{row}"


def _names(data: bytes, size: int) -> dict[int, str]:
    """Names of a file by their numbers: bytes of one size each, in Latin-1, ended by 0."""
    entries = (data[start : start + size] for start in range(FILE_HEADER.size, len(data), size))
    return {number: plain_name(entry.partition(b"\0")[0].decode("latin-1")) for number, entry in enumerate(entries)}
