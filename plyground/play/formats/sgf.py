"""Records of games in SGF, the Smart Game Format, for stones on a board: read, and written.

The format is FF[4], www.red-bean.com/sgf. Black of a record is the first of our players. A cell is two letters, column
and row from the top left, or in Hex (GM[11]) a letter and a number.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from plyground.errors import BadInput
from plyground.play.record import ROOT, Record, RecordedMove
from plyground.text import plain_lines

SGF_HEX = "11"
"""Number of Hex, `GM`."""
Colours = tuple[str, str]
GOLEM_HEX = "hex."
"""Prefix of the event's name in records of Hex from Little Golem, which name no game."""
COLOURS: Colours = ("B", "W")
WINNERS = {"B": 1, "W": -1, "0": 0, "D": 0}
"""Winner, for Black, by the first letter of a result: `B+R`, `0` or `Draw`; `?` and `Void` say nothing."""
NAME_TAGS = "Black", "White"
"""Tags of a record with the names of the players."""
SWAPS = {"swap-pieces": "swap", "swap": "swap"}
SIDES_SWAPPED = "swap-sides"
"""Word in place of a move: the players exchange their sides, and the stone stays; the same side is to move."""
GIVEN_UP = ("resign", "forfeit")
"""Words in place of a move by which its player gives up."""
TAGS = {
    "PB": "Black", "PW": "White", "BR": "BlackElo", "WR": "WhiteElo", "EV": "Event", "RO": "Round", "PC": "Site",
    "DT": "Date", "AN": "Annotator", "ON": "Opening", "TM": "TimeControl", "SO": "Source", "GN": "Title",
}  # fmt: skip
"""Tags of a record by the names that SGF has for them."""
MARKED = {("TE", "1"): 1, ("BM", "1"): 2, ("TE", "2"): 3, ("BM", "2"): 4, ("IT", ""): 5, ("DO", ""): 6}
"""Numeric annotation glyphs (NAGs) by what SGF says of a move: tesuji, bad, interesting, doubtful."""
SET_UP = ("AB", "AW", "AE")
# Possessive, so that an unclosed `[` in a long text costs linear time.
_SGF_TOKEN = re.compile(r"[();]|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*+)\]", re.DOTALL)
SGF_BEGINS = re.compile(r"\(\s*;\s*(?:[A-Za-z]+\s*\[|[();]|\Z)")
"""Where a record begins, after whatever stands before it."""
_ROOT_NODE = re.compile(r"\(\s*;\s*(?:(?:CA|AP|ST|US|SO)\s*\[[^\]]*\]\s*)*(?:FF|GM|SZ)\s*\[", re.IGNORECASE)
"""The first node of a record, where the one before it was not closed."""
_Node = dict[str, list[str]]


def records(text: str) -> Iterator[Record]:
    """The games of a text, one after the other, each with its faults.

    Raises:
        BadInput: there is none.
    """
    begins = SGF_BEGINS.search(text)
    if begins is None:
        raise BadInput("The record is not SGF: it begins with (; and has a ) for each (.")
    here, lines, name, colours = Record(), list[int](), "", COLOURS
    node: _Node | None = None
    # Without recursion: a text of parentheses alone may be nested deeper than Python goes.
    for token in _SGF_TOKEN.finditer(text, begins.start()):
        said = token[0]
        if said in ("(", ")", ";"):
            if node is not None and lines:
                colours = colours if here.moves else _colours(here, node)
                lines[-1] = _add_sgf_node(here, node, lines[-1], colours)
            node, name = ({} if said == ";" else None), ""
        if said == "(":
            if lines and _ROOT_NODE.match(text, token.start()):
                yield _cut_off(here, lines)
                lines = []
            if not lines:
                here, colours = Record(), COLOURS
            lines.append(lines[-1] if lines else ROOT)
        elif not lines:
            continue  # what stands before a record, and after it
        elif said == ")":
            lines.pop()
            if not lines:
                yield here
        elif token["name"]:
            name = "".join(filter(str.isupper, said)) or said.upper()  # older ones write Black for B
        elif said != ";" and node is not None:
            value = re.sub(r"\\(\r\n|.)", _unescape, token["value"], flags=re.DOTALL)
            node.setdefault(name, []).append(plain_lines(value))
    if lines:
        if node is not None:
            lines[-1] = _add_sgf_node(here, node, lines[-1], colours if here.moves else _colours(here, node))
        yield _cut_off(here, lines)


def _cut_off(record: Record, lines: list[int]) -> Record:
    """A record whose brackets are not closed."""
    many = "1 ) is" if len(lines) == 1 else f"{len(lines)} ) are"
    record.faults.append(
        f"The record is cut off after move {len(record.line_to(lines[-1]))}: {many} missing at its end."
    )
    return record


def _colours(record: Record, node: _Node) -> Colours:
    """Letters of the moves of the first and the second player, by the node of the first move.

    Little Golem writes W for those of the player who begins, the one whose name is in PB and whose win is RE[B].
    """
    is_golems = "littlegolem" in record.tags.get("Source", "") or record.tags.get("Event", "").startswith(GOLEM_HEX)
    return ("W", "B") if is_golems and "W" in node else COLOURS


def _unescape(found: re.Match[str]) -> str:
    return "" if found[1] in ("\n", "\r\n", "\r") else found[1]


def _add_sgf_node(record: Record, node: _Node, after: int, colours: Colours) -> int:
    """Add a node after a row: its moves, or its properties of that row or of the whole game. Returns the last row."""
    moves = [(mover, value) for mover, colour in enumerate(colours) for value in node.pop(colour, [])]
    for mover, value in moves:
        if value.strip().lower() in GIVEN_UP:
            record.result = record.result or f"{COLOURS[1 - mover]}+Resign"
            continue
        # The stone stays and the same side is to move, so it is no move here: only the names change their colours.
        if value.strip().lower() == SIDES_SWAPPED:
            names = [record.tags.pop(name, "") for name in NAME_TAGS]
            record.tags |= {side: name for side, name in zip(NAME_TAGS, reversed(names), strict=True) if name}
            record.remarks.append(f"{value.strip()} is left out: the names are of the sides after it.")
            continue
        record.moves.append(RecordedMove(word_of(value), after, mover=mover))
        after = len(record.moves) - 1
    comment = "\n".join(node.pop("C", []))
    # Before the first move a node speaks of the whole game.
    if after == ROOT:
        record.comment = "\n".join(filter(None, (record.comment, comment)))
        record.result = "".join(node.pop("RE", [])) or record.result
        for name in [name for name in node if name in TAGS]:
            record.tags[TAGS[name]] = ",".join(node.pop(name))
        # Several nodes may set stones, and the last one that names a cell counts.
        for name in SET_UP:
            for other in SET_UP:
                if name in node and other in record.other:
                    record.other[other] = [cell for cell in record.other[other] if cell not in node[name]]
            if name in node:
                record.other[name] = record.other.get(name, []) + node.pop(name)
        record.other |= node
        return after
    move = record.moves[after]
    move.comment = "\n".join(filter(None, (move.comment, comment)))
    for (name, value), glyph in MARKED.items():
        if node.get(name) == [value]:
            move.glyphs.append(glyph)
            del node[name]
    for mover, colour in enumerate(colours):
        name = f"{colour}L"
        if move.mover == mover and re.fullmatch(r"\d{1,6}(\.\d{1,9})?", "".join(node.get(name, []))):
            move.clock = float(node.pop(name)[0])
    for name in SET_UP:
        if name in node:
            record.remarks.append(f"Stones that the record sets by {name} after a move are left out.")
    move.other |= node
    return after


def word_of(value: str) -> str:
    """The move that a value means: `hh` and `h8` are h8, and a swap is `swap`."""
    value = value.strip().lower()
    if re.fullmatch("[a-z]{2}", value):
        return f"{value[0]}{ord(value[1]) - ord('a') + 1}"
    return SWAPS.get(value, value) or "pass"


def size_of(record: Record) -> tuple[int, int] | None:
    """Rows and columns of the board, if a record says them."""
    found = re.fullmatch(r"(\d{1,2})(?::(\d{1,2}))?", "".join(record.other.get("SZ", [])))
    return (int(found[2] or found[1]), int(found[1])) if found else None


def game_of(record: Record) -> str:
    """The number of the record's game, `GM`; empty where it says none. Little Golem names it in the event alone."""
    said = "".join(record.other.get("GM", []))
    return SGF_HEX if not said and record.tags.get("Event", "").startswith(GOLEM_HEX) else said


def stones_in(record: Record, name: str) -> list[tuple[int, int]]:
    """Rows and columns, from 0, of the stones that are set before the first move, and of rectangles of them."""
    found = []
    for part in filter(None, record.other.get(name, [])):
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


def write_sgf(
    record: Record, tags: Mapping[str, str], rows: Sequence[str], marks: tuple[str, str], turn: int, result: str
) -> str:
    """A record as a text of SGF.

    Args:
        record: a checked one.
        tags: which game it is: `GM`.
        rows: the board where it begins, a mark or a `.` for each cell.
        marks: the marks of Black and of White.
        turn: who begins: 0 for Black, 1 for White.
        result: as SGF writes it, `B+`; empty where the game goes on.
    """
    is_hex, (high, wide) = tags.get("GM") == SGF_HEX, (len(rows), len(rows[0]))
    names = {name: tag for tag, name in TAGS.items()}
    # CA is needed: without it a reader takes the text for Latin-1 (FF[4], property CA).
    head: _Node = {"FF": ["4"], **{name: [value] for name, value in tags.items()}, "CA": ["UTF-8"]}
    head["SZ"] = [f"{wide}" if wide == high else f"{wide}:{high}"]
    cells = [
        (f"{chr(ord('a') + column)}{row + 1}", cell)
        for row, line in enumerate(rows)
        for column, cell in enumerate(line)
    ]
    stones = [[value_of(name, is_hex) for name, cell in cells if cell == mark] for mark in marks]
    head |= {f"A{colour}": set_up for colour, set_up in zip(COLOURS, stones, strict=True) if set_up}
    if any(stones) or turn:
        head["PL"] = [COLOURS[turn]]
    told = {name: _date(value) if name == "Date" else value for name, value in record.tags.items() if name in names}
    head |= {names[name]: [value] for name, value in told.items() if value}
    head |= {"RE": [result]} if result else {}
    head |= {"C": [record.comment]} if record.comment else {}
    head |= {name: values for name, values in record.other.items() if name not in (*head, *SET_UP, "PL")}
    return f"({_node(head)}{''.join(_branches(record, is_hex))})\n"


def _date(said: str) -> str:
    """A date as SGF has it, with hyphens and without unknown parts: `2026-05` of PGN's `2026.05.??`."""
    if not re.fullmatch(r"[\d?]{4}\.[\d?]{2}\.[\d?]{2}", said):
        return said
    return "-".join(part for part in said.split(".") if "?" not in part)


def _branches(record: Record, is_hex: bool) -> Iterable[str]:
    """The nodes of the moves, each line of several that follow one move in parentheses."""
    children = record.children()
    left: list[int | str] = [*reversed(_open_rows(children.get(ROOT, [])))]
    while left:
        here = left.pop()
        if isinstance(here, str):
            yield here
            continue
        move = record.moves[here]
        node: _Node = {COLOURS[move.mover or 0]: [value_of(move.word, is_hex)]}
        for (name, value), glyph in MARKED.items():
            if glyph in move.glyphs:
                node[name] = [value]
        if move.clock is not None:
            node["BW"[move.mover or 0] + "L"] = [f"{move.clock:g}"]
        if comment := "\n".join(filter(None, (move.before, move.comment))):
            node["C"] = [comment]
        yield _node(node | {name: values for name, values in move.other.items() if name not in node})
        left += reversed(_open_rows(children.get(here, [])))


def _open_rows(rows: Sequence[int]) -> list[int | str]:
    return list(rows) if len(rows) < 2 else [part for row in rows for part in ("(", row, ")")]


def _node(properties: _Node) -> str:
    return ";" + "".join(
        name + "".join("[" + re.sub(r"([\]\\])", r"\\\1", value) + "]" for value in values)
        for name, values in properties.items()
    )
