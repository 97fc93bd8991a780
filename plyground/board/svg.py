"""Boards as SVG, from what a game says of its board alone: for trees, notebooks and documents."""

from html import escape
from math import cos, pi, sin

from plyground.board.look import Board, Look, Piece, Place

INKS = ("#1a56b0", "#b04a00")
"""Of the two players; the marks' shapes tell them apart without colour."""
LINE, EDGE, PAPER, SHADE, QUIET, SHINE = "#cfd3d8", "#7d8693", "#ffffff", "#e3e6ea", "#565d66", "#fff3c4"
NO_NAMES = ("x", "o")
GLYPHS = {"king": "♚♔", "queen": "♛♕", "rook": "♜♖", "bishop": "♝♗", "knight": "♞♘", "pawn": "♟♙"}
"""Chess pieces, which every font for text has: filled for the first player, hollow for the second."""
Marked = tuple[int, ...]


def svg(board: Board, look: Look, names: tuple[str, str] = NO_NAMES, size: float = 180, last: Marked = ()) -> str:
    """A whole SVG document of a board, `size` pixels wide; `last` are the places to mark."""
    inside, height = drawn(board, look, names, size, last)
    words = f'role="img" width="{size:g}" height="{height:g}" viewBox="0 0 {size:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {words}>{inside}</svg>'


def drawn(
    board: Board, look: Look, names: tuple[str, str] = NO_NAMES, size: float = 180, last: Marked = ()
) -> tuple[str, float]:
    """A board as SVG elements, its top left at 0,0; and how high it is."""
    places = [(number, place) for number, place in enumerate(board.places) if place.shape != "choice"]
    if not places:
        font = min(14.0, size / max(len(look.text), 1) * 1.6)
        return _text(look.text, size / 2, font * 1.1, font), font * 1.6
    half = max(0.6 if place.shape in ("hexagon", "triangle") else 0.5 for _, place in places)
    left, top = min(place.x for _, place in places) - 0.5, min(place.y for _, place in places) - half
    step = size / (max(place.x for _, place in places) + 0.5 - left)
    height = step * (max(place.y for _, place in places) + half - top)

    def at(place: Place) -> tuple[float, float]:
        return (place.x - left) * step, (place.y - top) * step

    parts = []
    if board.grid:
        parts.append(f'<rect width="{size:g}" height="{height:g}" fill="{PAPER}" stroke="{EDGE}"/>')
    for start, end in board.lines:
        (x, y), (to_x, to_y) = at(board.places[start]), at(board.places[end])
        parts.append(f'<path d="M{x:.2f} {y:.2f}L{to_x:.2f} {to_y:.2f}" stroke="{EDGE}" stroke-width="1"/>')
    shining = {*look.line, *last}
    for number, place in places:
        parts.append(_place(place, *at(place), step, number in shining, bool(board.grid)))
        piece = look.pieces[number]
        if piece:
            parts.append(_piece(piece, place, names, *at(place), step))
    if board.grid:
        rows, columns = board.grid
        parts += [_rule(column, board.block, step, height, upright=True) for column in range(1, columns)]
        parts += [_rule(row, board.block, step, size, upright=False) for row in range(1, rows)]
    for area, fate in zip(board.areas, look.fates, strict=bool(look.fates)):
        if fate.owner:
            inside = [at(board.places[number]) for number in area.places]
            x, y = (sum(each) / len(inside) for each in zip(*inside, strict=True))
            parts.append(_mark(fate.owner, names, x, y, step * len(inside) ** 0.5))
    return "".join(parts), height


def _place(place: Place, x: float, y: float, step: float, shines: bool, is_ruled: bool) -> str:
    """What is seen of a place with nothing on it: of a grid's square only its shade, for the rules are drawn after."""
    half = step / 2
    fill = SHINE if shines else SHADE if place.dark else PAPER
    look = f'fill="{fill}" stroke="{EDGE}" stroke-width="1"'
    match place.shape:
        case "square" if is_ruled and fill == PAPER:
            return ""
        case "square":
            edge = f'fill="{fill}"' if is_ruled else look
            return f'<rect x="{x - half:.2f}" y="{y - half:.2f}" width="{step:.2f}" height="{step:.2f}" {edge}/>'
        case "hexagon":
            return f'<path d="{_corners(x, y, step / 3**0.5, 6)}" {look}/>'
        case "triangle":
            return f'<path d="{_corners(x, y, step / 3**0.5, 3)}" {look}/>'
        case "point":
            return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{step * (0.36 if shines else 0.07):.2f}" {look}/>'
        case "pit":
            return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{step * 0.46:.2f}" {look}/>'
        case "bar" | "pole":
            right, down = (half, 0.0) if place.shape == "bar" else (0.0, half)
            ends = f"M{x - right:.2f} {y - down:.2f}L{x + right:.2f} {y + down:.2f}"
            ink = SHINE if shines else LINE
            return f'<path d="{ends}" stroke="{ink}" stroke-width="{step * (0.2 if shines else 0.06):.2f}"/>'
    return ""


def _corners(x: float, y: float, reach: float, corners: int) -> str:
    """A regular polygon with a corner on top."""
    turns = [2 * pi * corner / corners for corner in range(corners)]
    return "M" + "L".join(f"{x + reach * sin(turn):.2f} {y - reach * cos(turn):.2f}" for turn in turns) + "Z"


def _piece(piece: Piece, place: Place, names: tuple[str, str], x: float, y: float, step: float) -> str:
    ink = INKS[names.index(piece.owner)] if piece.owner in names else QUIET
    if place.shape in ("bar", "pole"):
        right, down = (step / 2, 0.0) if place.shape == "bar" else (0.0, step / 2)
        ends = f"M{x - right:.2f} {y - down:.2f}L{x + right:.2f} {y + down:.2f}"
        return f'<path d="{ends}" stroke="{ink}" stroke-width="{step * 0.12:.2f}" stroke-linecap="round"/>'
    count = str(piece.count) if piece.count != 1 or piece.kind == "seeds" else ""
    match piece.kind:
        case "mark":
            inside = _mark(piece.owner, names, x, y, step)
        case "seeds":
            return _text(count, x, y + step * 0.14, step * 0.42, ink)
        case "wall":
            inside = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{step * 0.3:.2f}" fill="{QUIET}"/>'
        case "disc" | "stone" | "man" | "crowned":
            inside = _disc(piece, names, x, y, step, ink)
        case kind if kind in GLYPHS:
            inside = _text(GLYPHS[kind][piece.owner == names[1]], x, y + step * 0.3, step * 0.86, ink)
        case _:
            inside = _text(piece.text or piece.kind, x, y + step * 0.22, step * 0.6, ink)
    return inside + (_text(count, x + step * 0.28, y + step * 0.38, step * 0.3) if count else "")


def _disc(piece: Piece, names: tuple[str, str], x: float, y: float, step: float, ink: str) -> str:
    """The second player's is hollow, so that they are told apart without colour."""
    fill = PAPER if piece.owner == names[1] else ink
    reach = step * (0.38 if piece.kind == "disc" else 0.34)
    ring = f'stroke="{ink}" stroke-width="{step * 0.07:.2f}"'
    disc = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{reach:.2f}" fill="{fill}" {ring}/>'
    crown = PAPER if fill == ink else ink
    return disc + (_text("♛", x, y + step * 0.17, step * 0.48, crown) if piece.kind == "crowned" else "")


def _rule(place: int, block: int, cell: float, length: float, *, upright: bool) -> str:
    at, ink, width = place * cell, *((EDGE, 1.6) if block and place % block == 0 else (LINE, 1.0))
    ends = f"M{at:.2f} 0V{length:.2f}" if upright else f"M0 {at:.2f}H{length:.2f}"
    return f'<path d="{ends}" stroke="{ink}" stroke-width="{width}"/>'


def _mark(mark: str, names: tuple[str, str], x: float, y: float, cell: float) -> str:
    ink = INKS[names.index(mark)] if mark in names else QUIET
    reach = cell * 0.28
    stroke = f'fill="none" stroke="{ink}" stroke-width="{max(cell * 0.1, 0.6):.2f}" stroke-linecap="round"'
    if mark == "o":
        return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{reach * 1.05:.2f}" {stroke}/>'
    if mark == "x":
        low, high, left, right = y - reach, y + reach, x - reach, x + reach
        lines = f"M{left:.2f} {low:.2f}L{right:.2f} {high:.2f}M{right:.2f} {low:.2f}L{left:.2f} {high:.2f}"
        return f'<path d="{lines}" {stroke}/>'
    return _text(mark, x, y + cell * 0.22, cell * 0.6, ink)


def _text(words: str, x: float, y: float, size: float, ink: str = "#1b1f24") -> str:
    place = f'x="{x:.2f}" y="{y:.2f}" font-size="{size:.1f}" fill="{ink}"'
    return f'<text {place} text-anchor="middle" font-family="sans-serif">{escape(words)}</text>'
