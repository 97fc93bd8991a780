"""Collections of games in WTHOR, the format of the federations of Othello: read.

A file has a header and one entry for each game: the numbers of its tournament and players, the discs that Black ended
with, and at most 60 moves, a byte each: 10 times the row, from the top, and the column; 0 after the last one. Passes
are left out. Names are in files beside it, `.JOU` for players and `.TRN` for tournaments. The format is published by
the Fédération Française d'Othello, www.ffothello.org (Format de la base WThor).
"""

import struct
from collections.abc import Iterator

from plyground.errors import BadInput
from plyground.games import game_named
from plyground.play.notations import result_word
from plyground.play.record import DISCS, Record, RecordedMove
from plyground.text import plain_name

RULES_OF = "reversi"
"""The game of all files."""
FILE_HEADER = struct.Struct("<4B I H H 4B")
"""Date of the file, four bytes; games; names; year of the games; rows, kind, depth, nothing."""
PLIES_OF_ENTRY = 60
GAME_ENTRY = struct.Struct(f"<3H 2B {PLIES_OF_ENTRY}s")
"""Tournament, Black, White; discs of Black, as it ended and by best play at the end; moves."""
END_MARKS = b"\x1a\0\r\n"
"""Bytes that older systems write behind a file."""
NAMES = {"JOU": 20, "TRN": 26}
"""Bytes of a name by the ending of its file."""


def is_wthor(data: bytes) -> bool:
    """Whether a file is one of WTHOR: it begins with its date, in bytes that no text has."""
    if len(data) < FILE_HEADER.size:
        return False
    century, year, month, day, *_, rows, _, _, _ = FILE_HEADER.unpack_from(data)
    return century in (19, 20, 21) and year < 100 and month <= 12 and day <= 31 and rows in (0, 8, 10)


def records(data: bytes, players: bytes = b"", tournaments: bytes = b"") -> Iterator[Record]:
    """The games of a file, whose moves no rule has seen, each with its faults.

    Args:
        data: the file, `.WTB`, also with the end mark of DOS.
        players, tournaments: the files of names beside it, `.JOU` and `.TRN`; empty where there are none.

    Raises:
        BadInput: it has no header, or its games are not of 8 rows.
    """
    if len(data) < FILE_HEADER.size:
        raise BadInput("The file is no WTHOR: it has no header.")
    *_, count, _, year, rows, _, _, _ = FILE_HEADER.unpack_from(data)
    if rows not in (0, 8):
        raise BadInput(f"The games of the file have boards of {rows} rows: those of 8 rows are read.")
    whole = FILE_HEADER.size + count * GAME_ENTRY.size
    people, events = _names(players, NAMES["JOU"]), _names(tournaments, NAMES["TRN"])
    rules, after = game_named(RULES_OF), data[whole:].rstrip(END_MARKS)
    for start in range(FILE_HEADER.size, min(len(data), whole), GAME_ENTRY.size):
        entry = data[start : min(start + GAME_ENTRY.size, whole)]
        event, black, white, discs, _, played = GAME_ENTRY.unpack(entry.ljust(GAME_ENTRY.size, b"\0"))
        record = Record()
        if len(entry) > GAME_ENTRY.size - PLIES_OF_ENTRY:  # it is not cut off within its numbers
            record.result = result_word(rules, discs - 32)
            record.tags = {"Event": events.get(event, f"tournament {event}"), "Date": f"{year}.??.??"}
            record.tags |= {
                "Black": people.get(black, f"player {black}"),
                "White": people.get(white, f"player {white}"),
            }
            record.tags |= dict(zip(DISCS, (f"{discs}", f"{64 - discs}"), strict=True))
        for ply, byte in enumerate(played.partition(b"\0")[0]):
            row, column = divmod(byte, 10)
            if not (1 <= row <= 8 and 1 <= column <= 8):
                said = f"Move {ply + 1} of the file is {byte}: moves are 11 to 88, a row and a column from 1 to 8."
                record.faults.append(said)
                break
            record.moves.append(RecordedMove(f"{'abcdefgh'[column - 1]}{row}", ply - 1))
        is_last = start + GAME_ENTRY.size >= min(len(data), whole)
        if is_last and (len(data) < whole or after):
            cut = "cut off" if len(data) < whole else "longer than its games"
            record.faults.append(f"The file is {cut}: {count} games take {whole} bytes, and it has {len(data)}.")
        yield record


def _names(data: bytes, size: int) -> dict[int, str]:
    """Names of a file by their numbers: bytes of one size each, in Latin-1, ended by 0."""
    entries = (data[start : start + size] for start in range(FILE_HEADER.size, len(data), size))
    return {number: plain_name(entry.partition(b"\0")[0].decode("latin-1")) for number, entry in enumerate(entries)}
