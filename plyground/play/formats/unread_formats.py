"""Formats of files that are known by their bytes and not read: a sentence for each.

A library of RenLib begins with its name. A book of Polyglot, hgm.nubati.net/book_format.html, is a row of entries of 16
bytes, highest byte first: key of a position, move of 15 bits, weight, learning; the keys ascend.
"""

import struct
from itertools import pairwise

RENLIB = b"\xffRenLib\xff"
POLYGLOT_ENTRY = struct.Struct(">Q H H I")
ENTRIES_CHECKED = 100
NOT_READ = {
    "renlib": "This is a library of RenLib (.lib), which is not read; records of Gomoku are read in SGF and PSQ.",
    "polyglot": (
        "This is an opening book of Polyglot (.bin), which is not read: it has keys of positions, and the table that "
        "makes them is not part of plyground. Openings are read from PGN, from EPD, and from a line of moves each."
    ),
}


def unread_format(data: bytes) -> str:
    """The name in `NOT_READ` of the format that bytes are in; empty for all others."""
    return "renlib" if data.startswith(RENLIB) else "polyglot" if _is_polyglot(data) else ""


def _is_polyglot(data: bytes) -> bool:
    """Whether bytes are no text, and entries whose keys ascend."""
    count = min(len(data) // POLYGLOT_ENTRY.size, ENTRIES_CHECKED)
    if count < 2 or len(data) % POLYGLOT_ENTRY.size or b"\0" not in data:
        return False
    entries = [*POLYGLOT_ENTRY.iter_unpack(data[: count * POLYGLOT_ENTRY.size])]
    return all(move < 1 << 15 for _, move, _, _ in entries) and all(one[0] <= two[0] for one, two in pairwise(entries))
