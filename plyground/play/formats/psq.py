"""Records of Gomoku in PSQ, the files of the program Piskvork: read.

The first line has the columns and rows, the levels of both players, 0 for a person, and which of the two begins. Then
comes a move in each line: column and row, from 1 at the top left, and its time in milliseconds. Files of tournaments
have the names of both players' programs after the moves; last comes a number for how the game ended. So
github.com/plastovicka/Piskvork writes and reads them; which rule the game was played by is not in it.
"""

import re
from collections.abc import Iterator

from plyground.play.record import Record, RecordedMove
from plyground.text import plain_name

PSQ_BEGINS = re.compile(
    r"\s*Piskvorky\s+(\d{1,3})\s?x\s?(\d{1,3})\b(?:[ ,]+\d{1,3} ?[:-] ?\d{1,3}(?: ?, ?([01])\b)?)?.*"
)
_HEAD = re.compile(r"^\s*(?=Piskvorky\s+\d)", re.MULTILINE)
_PSQ_MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})(?:\s*,\s*(-?\d{1,9}))?\s*")


def is_psq(text: str) -> bool:
    """Whether a text is PSQ."""
    return PSQ_BEGINS.match(text) is not None


def psq_records(text: str) -> Iterator[Record]:
    """The games of a text, one after each head, whose moves no rule has seen."""
    for part in _HEAD.split(text):
        if part.strip() and (head := PSQ_BEGINS.match(part)):
            yield _record(head, part[head.end() :].splitlines())


def _record(head: re.Match[str], lines: list[str]) -> Record:
    wide, high = int(head[1]), int(head[2])
    record = Record(game="gomoku" if wide == high == 15 else f"gomoku:{high},{wide}")
    rest = list[str]()
    for line in filter(str.strip, lines):
        found = None if rest else _PSQ_MOVE.fullmatch(line)
        if found is None:
            rest.append(plain_name(line))
            continue
        move = RecordedMove(f"{found[1]},{found[2]}", len(record.moves) - 1)
        move.comment = f"{int(found[3]) / 1000:g} s" if int(found[3] or 0) > 0 else ""
        record.moves.append(move)
    # Names are of the first and the second player of the program, and the head says which of them begins.
    if len(rest) >= 2 and not re.fullmatch(r"-?\d+", rest[0]):
        first, second = rest[:2] if head[3] != "1" else (rest[1], rest[0])
        record.tags = {"Black": first, "White": second}
    return record
