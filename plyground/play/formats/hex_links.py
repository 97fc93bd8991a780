"""Games of Hex in links to boards on the web, of HexWorld and of trmph: read.

HexWorld's are `hexworld.org/board/#11c1,a1:sb2,c3`: rows, how the board is shown, the moves before the reader's
place, and those after it. `:s` is a swap, `:S` an exchange of sides, `:p` a pass; `:rb` and `:rw` give up for the
player who begins and for the other one, `:fb` and `:fw` lose by forfeit. Those of trmph are
`trmph.com/hex/board#13,a1b2c3`. In both the player who begins joins top and bottom, and a cell is the letter of its
column and the number of its row, from the top left.
"""

import re
from collections.abc import Iterator

from plyground.play.formats.sgf import COLOURS, SIDES_SWAPPED
from plyground.play.record import UNREADABLE, Record, RecordedMove
from plyground.text import plain

_LINK = re.compile(
    r"(?:https?://)?(?:www\.)?(?P<site>hexworld\.org/board/?|trmph\.com/hex/board/?)\#(?P<said>[^\s<>\"')]*)",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"(?P<wide>\d{1,3})(?:x(?P<high>\d{1,3}))?(?:r\d{1,3}|c\d{1,3}|m|n)*+", re.IGNORECASE)
"""The size of a board, and flags of how it is shown: turned, its colours, mirrored, with numbers of moves."""
_HEX_TOKEN = re.compile(r"[a-z]{1,2}[1-9]\d{0,2}|:(?:s|S|p|[rf][bw])")


def is_link(text: str) -> bool:
    """Whether a text begins with a link to a board of Hex."""
    return _LINK.match(text.lstrip()) is not None


def link_records(text: str) -> Iterator[Record]:
    """The games of the links of a text, one each, whose moves no rule has seen; moves that were taken back go on."""
    for found in _LINK.finditer(text):
        yield _record(found["site"].lower(), found["said"].replace("%2C", ",").replace("%3A", ":"))


def _record(site: str, said: str) -> Record:
    board, *parts = said.split(",")
    record = Record(game="hex", tags={"Site": site.rstrip("/")})
    if (shown := _SHOWN.fullmatch(board)) is None or len(parts) > 2:
        return _refuse_record(
            record, f"The link {plain(said)[:40]!r} is no board: write the rows, a comma, and moves, as 11,a1b2."
        )
    if shown["high"] not in (None, shown["wide"]):
        return _refuse_record(
            record, f"The link is of a board of {shown['wide']} by {shown['high']}: hex has as many rows as columns."
        )
    moves = "".join(parts)
    at, is_swapped = 0, False
    while at < len(moves):
        if (token := _HEX_TOKEN.match(moves, at)) is None:
            record.faults.append(
                f"After move {len(record.moves)} of the link stands {plain(moves[at : at + 10])!r}, which is no move."
            )
            break
        at, word = token.end(), token[0]
        if word == ":S":
            record.remarks.append(f"{SIDES_SWAPPED} is left out: it changes who plays a side, and no stone.")
        elif word[0] == ":" and word[1] in "rf":
            # The result is written as in SGF of Hex, where Black, the letter b, is the player who begins.
            record.result = f"{COLOURS['wb'.index(word[2])]}+{'Resign' if word[1] == 'r' else 'Forfeit'}"
        else:
            if word == ":p":
                record.faults.append(
                    f"After move {len(record.moves)} of the link stands a pass (:p), which hex here has not."
                )
                break
            is_swapped |= word == ":s"
            word = "swap" if word == ":s" else word
            record.moves.append(RecordedMove(word, len(record.moves) - 1))
    record.game = f"hex:{shown['wide']}{',swap=true' if is_swapped else ''}"
    return record


def _refuse_record(record: Record, sentence: str) -> Record:
    record.start, record.faults = UNREADABLE, [sentence]
    return record
