"""Boards as lines of text, from `Board` and `Look`: for a terminal, and for `print(position)`."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from textwrap import fill

from plyground.board.look import Board, Fate, Look, Piece, Place

Segment = tuple[str, str]
"""Characters and their style: a colour of a side, `dim`, `bold`, `italic`, or empty."""
Line = list[Segment]
FIGURES = {
    "king": "♔♚", "queen": "♕♛", "rook": "♖♜", "bishop": "♗♝", "knight": "♘♞", "pawn": "♙♟",
    "disc": "○●", "stone": "○●", "man": "○●", "crowned": "♔♚",
}  # fmt: skip
"""Pieces in a terminal that can show them: of the brighter side and of the darker one."""
DARK_COLOURS = ("black", "red", "blue")
"""Colours of the darker side of each pair."""


@dataclass(frozen=True)
class Scene:
    """Marks that a drawing shows beside the board and its pieces."""

    last: tuple[int, ...] = ()
    """Places that the last move touched."""
    paths: Collection[tuple[int, ...]] = ()
    """Places that each legal move touches."""
    where: str = ""
    """The only part of the board in which may be played, by its name."""
    has_figures: bool = False
    """Whether pieces are shown as figures; else as letters, which can be read again."""
    width: int | None = None
    """Characters of a line; places of a wider board stand closer, as far as they can be told apart."""


def lines_of(fixed: Board, look: Look, scene: Scene) -> list[Line]:
    """The lines of a board, with the last move and the winning line marked."""
    if not fixed.places:
        return _sentence(look.text, "", scene)
    # The form of the board chooses the drawing, never the game: squares in rows, two rows of pits with stores, and any
    # other board by the coordinates of its places.
    if fixed.grid:
        lines = _draw_grid(fixed, look, scene)
    elif sorted({place.y for place in fixed.places if place.shape == "pit"}) == [0, 0.5, 1]:
        lines = _draw_pits(fixed, look, scene, PIT)
        if _is_too_wide(lines, scene):
            lines = _draw_pits(fixed, look, scene, PIT - 1)
    else:
        lines = _draw_lines(fixed, look, scene, ACROSS)
        if _is_too_wide(lines, scene):
            lines = _draw_lines(fixed, look, scene, ACROSS // 2)
    return lines + _sentence(look.text, "", scene) if look.text else lines


def _sentence(words: str, style: str, scene: Scene) -> list[Line]:
    lines = words.split("\n")
    if scene.width:
        lines = [fill(line, scene.width, break_on_hyphens=False) for line in lines]
    return [[(line, style)] for line in "\n".join(lines).split("\n")]


def _is_too_wide(lines: list[Line], scene: Scene) -> bool:
    return scene.width is not None and any(
        len("".join(words for words, _ in line).rstrip()) > scene.width for line in lines
    )


def _share_blanks(line: Line) -> Line:
    """Places of a row, moved together by the blank, or the mark of a last move, that stands between two of them."""
    shared: Line = []
    for words, style in line:
        if shared and words:
            before, its_style = shared[-1]
            if before.endswith(" "):
                shared[-1] = before[:-1], its_style
            else:
                words = words[1:]
        shared += [(words, style)] if words else []
    return shared


def _draw_grid(fixed: Board, look: Look, scene: Scene) -> list[Line]:
    """Rows of squares, with the letters of the columns and the numbers of the rows round them."""
    rows, columns = fixed.grid or (0, 0)
    block, wide = fixed.block, _place_width(fixed, look, scene)
    numbers = [re.sub("^[a-z]+", "", fixed.places[row * columns].name) for row in range(rows)]
    letters = [re.sub("[0-9]+$", "", place.name) for place in fixed.places[:columns]]
    width = max(map(len, numbers))
    gaps = ["  " if block and column and column % block == 0 else "" for column in range(columns)]
    lines: list[Line] = [[(" " * (width + 1), "dim")]]
    for gap, letter in zip(gaps, letters, strict=True):
        lines[0] += [(gap, ""), (f"{letter:^{wide}}", "dim")]
    for row in range(rows):
        if block and row and row % block == 0:
            lines.append([])
        line: Line = [(f"{numbers[row]:>{width}} ", "dim")]
        for column in range(columns):
            line.append((gaps[column], ""))
            line.append(_place_segment(fixed, look, row * columns + column, scene, wide))
        lines.append(line)
    if _is_too_wide(lines, scene):
        lines = [_share_blanks(line) for line in lines]
    if look.fates and block:
        lines += _areas_note(look.fates, scene)
    return lines


def _place_width(fixed: Board, look: Look, scene: Scene) -> int:
    """Width of a place in characters: an odd number, so that a piece stands in the middle."""
    # One character on either side for the brackets of the last move and the stars of a line.
    return max((len(_piece_sign(fixed, piece, scene)) for piece in look.pieces if piece), default=1) // 2 * 2 + 3


def _piece_sign(fixed: Board, piece: Piece, scene: Scene) -> str:
    """Sign of a piece: a figure in a terminal that can show it; elsewhere a letter, which can be read again."""
    if piece.kind == "seeds":
        return str(piece.count)
    sign = piece.text or piece.owner or "#"
    if piece.kind in FIGURES and piece.owner in fixed.marks and scene.has_figures:
        sign = FIGURES[piece.kind][fixed.colours[fixed.marks.index(piece.owner)] in DARK_COLOURS]
    return f"{sign}{piece.count if piece.count != 1 else ''}"


def _style(fixed: Board, owner: str) -> str:
    """Style of a side's pieces, its colour; none for a neutral one."""
    return fixed.colours[fixed.marks.index(owner)] if owner in fixed.marks else ""


def _place_segment(fixed: Board, look: Look, number: int, scene: Scene, wide: int) -> tuple[str, str]:
    piece = look.pieces[number]
    if not piece:
        paths = scene.paths
        is_open = any(number in path or len(path) > 1 for path in paths)  # where pieces move, any square may matter
        return (f"{'·':^{wide}}", "") if is_open else (" " * wide, "dim")
    style = _style(fixed, piece.owner)
    letter = _piece_sign(fixed, piece, scene)
    if number in look.line:
        letter = f"*{letter}*"
    elif number in scene.last[-1:]:
        letter = f"({letter})"
    return f"{letter:^{wide}}", style


def _areas_note(fates: tuple[Fate, ...], scene: Scene) -> list[Line]:
    words = [f"{number} {fate.owner or 'full'}" for number, fate in enumerate(fates, 1) if not fate.open]
    active = [str(number) for number, fate in enumerate(fates, 1) if fate.active]
    said = [f"boards won: {', '.join(words)}"] if words else []
    if len(active) == 1:
        said.append(f"play in the {scene.where}, {active[0]} (boards are numbered 1 to 9, row by row)")
    return [[], *_sentence("; ".join(said), "italic", scene)] if said else [[]]


PIT = 5
"""Characters of a pit: two digits in the brackets of a last move, and a blank."""


def _draw_pits(fixed: Board, look: Look, scene: Scene, pit: int) -> list[Line]:
    """Two rows of numbered pits, each `pit` characters wide, and the stores between them at the ends."""
    by_place = sorted(range(len(fixed.places)), key=lambda number: fixed.places[number].x)
    heights = sorted({place.y for place in fixed.places})
    above, middle, below = ([number for number in by_place if fixed.places[number].y == y] for y in heights)
    stores = [piece.count for piece in (look.pieces[number] for number in middle) if piece]
    wide = " " * 8

    def numbers(row: list[int]) -> Line:
        return [(wide + "".join(f"{fixed.places[number].name.split()[-1]:^{pit}}" for number in row), "dim")]

    def seeds(row: list[int]) -> Line:
        owner = next((piece.owner for number in row if (piece := look.pieces[number])), "")
        style = _style(fixed, owner)
        name = fixed.names[fixed.marks.index(owner)] if owner in fixed.marks else owner
        line: Line = [(f" {name:<7}", style)]
        for number in row:
            count = piece.count if (piece := look.pieces[number]) else 0
            line.append((f"{f'({count})' if number in scene.last else count:^{pit}}", style))
        return line

    ends: Line = [(f"{stores[0]:>6}  " + " " * pit * len(above) + f"  {stores[-1]}", "bold")]
    return [numbers(above), seeds(above), ends, seeds(below), numbers(below)]


# A terminal's cell is about twice as high as wide, so that a step looks as long down as across.
ACROSS, DOWN = 4, 2
"""Characters and lines to a step of the board."""


def _draw_lines(fixed: Board, look: Look, scene: Scene, across: int) -> list[Line]:
    """Any other board: lines and places where they are, `across` characters a step, and round them the letters and
    numbers of their names, or the names of free places on them."""
    shown = [(number, place) for number, place in enumerate(fixed.places) if not place.is_beside]
    left, top = min(place.x for _, place in shown), min(place.y for _, place in shown)
    rows = round(DOWN * (max(place.y for _, place in shown) - top)) + 1
    columns = round(across * (max(place.x for _, place in shown) - left)) + 3
    canvas = [[(" ", "")] * columns for _ in range(rows)]

    def at(place: Place) -> tuple[int, int]:
        return round(DOWN * (place.y - top)), 1 + round(across * (place.x - left))

    def write(row: int, middle: int, words: str, style: str = "") -> None:
        for index, letter in enumerate(words, middle - len(words) // 2):
            if 0 <= index < columns:
                canvas[row][index] = (letter, style)

    for start, end in fixed.lines:
        (row, column), (to_row, to_column) = at(fixed.places[start]), at(fixed.places[end])
        steps = max(abs(to_row - row), abs(to_column - column))
        # Nearer to a diagonal than to either axis is drawn as one: text has no other slopes.
        stroke = "-" if row == to_row else "|" if column == to_column else "\\/"[(to_row > row) != (to_column > column)]
        for step in range(1, steps):
            aside, down = (to_column - column) * step / steps, (to_row - row) * step / steps
            canvas[row + round(down)][column + round(aside)] = (stroke, "dim")
    names_of = [re.fullmatch(r"([a-z])([0-9]+)", place.name) for _, place in shown]
    for number, place in shown:
        row, column = at(place)
        piece = look.pieces[number]
        style = _style(fixed, piece.owner) if piece else ""
        if place.shape in ("bar", "pole"):
            words = {"bar": "---", "pole": "|"}[place.shape] if piece else ""
        elif piece:
            words = _piece_sign(fixed, piece, scene)
        elif not all(names_of):  # no letters and numbers round the board: free places say what they are called
            words, style = place.name if len(place.name) < across else "", "dim"
        else:
            words = "+" if place.shape == "point" and not any(number in line for line in fixed.lines) else "·"
        if piece and number in look.line:
            words = f"*{words}*"
        elif piece and number in scene.last[-1:] and place.shape not in ("bar", "pole"):
            words = f"({words})"
        write(row, column, words, style)
    lines: list[Line] = canvas
    if not all(names_of):
        return lines
    head, numbers = [" "] * columns, dict[int, str]()
    named = [(*at(place), name[1], name[2]) for (_, place), name in zip(shown, names_of, strict=True) if name]
    is_upright = len({(column, letter) for _, column, letter, _ in named}) == len({letter for *_, letter, _ in named})
    for row, column, letter, numeral in named:
        if is_upright or row == 0:
            head[column] = letter
        numbers[row] = numeral
    width = max(map(len, numbers.values()))
    said: list[Line] = [[(f"{numbers.get(row, ''):>{width}} ", "dim"), *line] for row, line in enumerate(lines)]
    return [[(" " * (width + 1) + "".join(head).rstrip(), "dim")], *said]
