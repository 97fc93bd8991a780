"""Records of games in SGF, the Smart Game Format, for stones on a board: read, and written.

The format is FF[4], www.red-bean.com/sgf. Black of a record is the first of our players. A cell is two letters, column
and row from the top left, or in Hex (GM[11]) a letter and a number.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plyground.errors import BadInput
from plyground.play.pgn import Record, RecordedMove

HEX = "11"
GAMES = {HEX: "Hex", "4": "Gomoku"}
"""Games by their numbers, `GM`."""
COLOURS = ("B", "W")
SWAPS = {"swap-pieces": "swap", "swap": "swap"}
_SGF_TOKEN = re.compile(r"[();]|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*+)\]", re.DOTALL)


@dataclass
class _Tree:
    """A part of a record in parentheses: the line that it goes on, and where its parts begin."""

    line: list[RecordedMove]
    branch: int | None = None


def records(text: str) -> list[Record]:
    """The games of a text.

    Raises:
        BadInput: its parentheses do not match, or a value has no name.
    """
    found, trees, name = list[Record](), list[_Tree](), ""
    for token in _SGF_TOKEN.finditer(text):
        said = token[0]
        if said == "(":
            trees.append(_begun(found, trees))
        elif not trees:
            continue  # what stands before a record, and after it
        elif said == ")":
            trees.pop()
        elif said == ";":
            name = ""
        elif token["name"]:
            name = "".join(filter(str.isupper, said))  # older ones write Black for B
        else:
            _note(found[-1], trees[-1].line, name, re.sub(r"\\\n?", "", token["value"]))
    if trees or not found:
        raise BadInput("The record is not SGF: it begins with (; and has a ) for each (.")
    return found


def _begun(found: list[Record], trees: Sequence[_Tree]) -> _Tree:
    """A part that begins: a game, the main line going on, or a variation of the move that the main line has there."""
    if not trees:
        found.append(Record())
        return _Tree(found[-1].moves)
    last = trees[-1]
    if last.branch is None:
        last.branch = len(last.line)
        return _Tree(last.line)
    variation = list[RecordedMove]()
    if last.branch < len(last.line):
        last.line[last.branch].variations.append(variation)
    return _Tree(variation)


def _note(record: Record, line: list[RecordedMove], name: str, value: str) -> None:
    """Take down a value by its name: a move, a comment, or a tag of the whole record."""
    if name in COLOURS:
        line.append(RecordedMove(word_of(value), mover=COLOURS.index(name)))
    elif name == "C":
        (line[-1] if line else record).comments.append(value)
    elif not record.moves:
        known = record.tags.get(name)
        record.tags[name] = value if known is None else f"{known},{value}"


def word_of(value: str) -> str:
    """The move that a value means: `hh` and `h8` are h8, and a swap is `swap`."""
    value = value.strip().lower()
    if re.fullmatch("[a-z]{2}", value):
        return f"{value[0]}{ord(value[1]) - ord('a') + 1}"
    return SWAPS.get(value, value) or "pass"


def size_of(tags: Mapping[str, str]) -> tuple[int, int] | None:
    """Rows and columns of the board, if a record says them."""
    found = re.fullmatch(r"(\d{1,2})(?::(\d{1,2}))?", tags.get("SZ", ""))
    return (int(found[2] or found[1]), int(found[1])) if found else None


def stones_in(tags: Mapping[str, str], name: str) -> list[tuple[int, int]]:
    """Rows and columns, from 0, of the stones that are set before the first move, and of rectangles of them."""
    found = []
    for part in filter(None, tags.get(name, "").split(",")):
        corners = [re.fullmatch(r"([a-z])(\d{1,2})", word_of(corner)) for corner in part.split(":")]
        if not all(corners) or len(corners) > 2:
            raise BadInput(f"{name}[{part}] in the record is no cell of a board.")
        ends = [(int(corner[2]) - 1, ord(corner[1]) - ord("a")) for corner in corners if corner]
        (top, left), (bottom, right) = ends[0], ends[-1]
        found += [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]
    return found


# -- writing -----------------------------------------------------------------------------------------------------------


def value_of(word: str, is_hex: bool) -> str:
    """A move as a record has it."""
    if is_hex:
        return "swap-pieces" if word == "swap" else word
    return f"{word[0]}{chr(ord('a') + int(word[1:]) - 1)}"


def written(
    tags: Mapping[str, str], rows: Sequence[str], marks: tuple[str, str], turn: int, moves: Iterable[tuple[int, str]]
) -> str:
    """A record of one game.

    Args:
        tags: which game it is, and more.
        rows: the board where it begins, a mark or a `.` for each cell.
        marks: the marks of Black and of White.
        turn: who begins: 0 for Black, 1 for White.
        moves: who makes each move, and its word.
    """
    is_hex, (high, wide) = tags.get("GM") == HEX, (len(rows), len(rows[0]))
    head = {"FF": "4", **tags, "CA": "UTF-8", "SZ": f"{wide}" if wide == high else f"{wide}:{high}"}
    text = "".join(f"{name}[{value}]" for name, value in head.items())
    cells = [
        (f"{chr(ord('a') + column)}{row + 1}", cell)
        for row, line in enumerate(rows)
        for column, cell in enumerate(line)
    ]
    stones = [[value_of(name, is_hex) for name, cell in cells if cell == mark] for mark in marks]
    for colour, set_up in zip(COLOURS, stones, strict=True):
        text += f"A{colour}[{']['.join(set_up)}]" if set_up else ""
    if any(stones) or turn:
        text += f"PL[{COLOURS[turn]}]"
    line = "".join(f";{COLOURS[mover]}[{value_of(word, is_hex)}]" for mover, word in moves)
    return f"(;{text}{line})\n"
