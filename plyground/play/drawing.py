"""Boards drawn with characters, `x`, `o` and dots, with or without a frame: read, and written."""

import re

from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.position import Position
from plyground.rules import board_of

FREE = ".·_-+ "
"""Signs that may stand for a free cell in a drawing."""


def _drawn_rows(game: AnyGame, text: str) -> list[str] | None:
    """The rows of a drawn board, `x`, `o` or `.` for each cell; None if the text is no drawing."""
    # A grid of two lines at least: one line may be a word of any notation.
    lines = [line for line in text.splitlines() if line.strip()]
    grid = board_of(game).grid
    if grid is None or len(lines) < 2:
        return None
    first, second = game.marks
    # People write 0 for o, and either letter in either case.
    marks = {first.lower(): first, second.lower(): second, "0": second} | dict.fromkeys([*FREE, ""], ".")
    rows = []
    for line in lines:
        bare = re.sub(r"[()*]", " ", line)
        # A row of the frame, and not a row of free cells, which are hyphens with blanks between.
        if re.fullmatch(r"[\s+|┼│]*[-=─━][-=─━\s+|┼│]*", bare) and not re.fullmatch(r"\s*(?:-\s+)+-\s*", bare):
            continue
        if "|" in bare or "│" in bare:
            cells = [cell.strip() for cell in re.split(r"[|│]", bare)]
            if len(cells) > grid[1] and (not cells[0] or cells[0].isdigit()):  # what stands outside the frame
                cells = cells[1:]
            if len(cells) > grid[1] and not cells[-1]:
                cells = cells[:-1]
        else:
            cells = bare.split()
            # A row's number at its left; but 0 alone is a mark.
            cells = cells[1:] if len(cells) > 1 and cells[0].isdigit() and cells[0] != "0" else cells
            cells = list(cells[0]) if len(cells) == 1 else cells
        if all(cell.lower() in marks for cell in cells):
            rows.append("".join(marks[cell.lower()] for cell in cells))
    return rows or None


def position_in(game: AnyGame, text: str) -> Position | None:
    """The position of a drawn board; None if the text is no drawing.

    Raises:
        BadInput: the drawing does not fit the board, or cannot arise.
    """
    if (rows := _drawn_rows(game, text)) is None:
        return None
    high, wide = board_of(game).grid or (0, 0)
    if len(rows) != high or any(len(row) != wide for row in rows):
        widths = sorted({len(row) for row in rows})
        raise BadInput(
            f"The drawing has {len(rows)} rows of {' or '.join(map(str, widths))} cells; "
            f"this board has {high} rows of {wide}."
        )
    said = text.lower()
    sides = zip(game.names, game.marks, strict=True)
    movers = [
        mark
        for name, mark in sides
        if re.search(rf"(?<!\S)(?:{re.escape(name.lower())}|{re.escape(mark.lower())}) to move", said)
    ]
    faults = []
    # Where no one is named as to move, the rules decide by what stands there: the first side is tried first.
    for mover in movers or _likely_movers(game, "".join(rows)):
        try:
            return Position(game, game.parse_state(f"{'/'.join(rows)}:{mover}"))
        except BadInput as fault:
            faults.append(fault)
    raise faults[0]


def _likely_movers(game: AnyGame, cells: str) -> tuple[str, ...]:
    """Marks of the players, the one first who is to move where they have set their marks in turns on an empty board."""
    first, second = game.marks
    if any(game.stands(game.initial())):
        return first, second
    ahead = cells.count(first) - cells.count(second)
    turn = game.to_move(game.initial()) if ahead == 0 else int(ahead > 0)
    return (second, first) if turn else (first, second)


def draw_rows(position: Position) -> str:
    """Rows of marks, if they mean the position."""
    rows = position.text.split(":")[0].split("/")
    drawing = "\n".join(" ".join(row) for row in rows)
    # Read back before it is offered: in games whose state holds more than marks, rows would mean another position.
    try:
        read = position_in(position.game, drawing)
    except BadInput:
        return ""
    return drawing if read and read.state == position.state else ""
