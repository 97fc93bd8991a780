"""Boards as SVG, from a game's look alone: for trees, notebooks and documents."""

from html import escape

from plyground.board.look import Board, Grid, Pits

INKS = ("#1a56b0", "#b04a00")
"""Of the two players; the marks' shapes tell them apart without colour."""
LINE, EDGE, PAPER, QUIET, SHINE = "#cfd3d8", "#7d8693", "#ffffff", "#565d66", "#fff3c4"
NO_NAMES = ("x", "o")


def svg(board: Board, names: tuple[str, str] = NO_NAMES, size: float = 180, last: int | None = None) -> str:
    """A whole SVG document of a board, `size` pixels wide; `last` is the cell to mark."""
    inside, height = drawn(board, names, size, last)
    words = f'role="img" width="{size:g}" height="{height:g}" viewBox="0 0 {size:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {words}>{inside}</svg>'


def drawn(
    board: Board, names: tuple[str, str] = NO_NAMES, size: float = 180, last: int | None = None
) -> tuple[str, float]:
    """A board as SVG elements, its top left at 0,0; and how high it is."""
    if isinstance(board, Grid):
        return _grid(board, names, size, last)
    if isinstance(board, Pits):
        return _pits(board, size)
    font = min(14.0, size / max(len(board.text), 1) * 1.6)
    return _text(board.text, size / 2, font * 1.1, font), font * 1.6


def _grid(look: Grid, names: tuple[str, str], size: float, last: int | None) -> tuple[str, float]:
    cell = size / look.columns
    height = cell * look.rows
    parts = [f'<rect width="{size:g}" height="{height:g}" fill="{PAPER}" stroke="{EDGE}"/>']
    for index, each in enumerate(look.cells):
        row, column = divmod(index, look.columns)
        x, y = column * cell, row * cell
        if each.line or index == last:
            parts.append(f'<rect x="{x:.2f}" y="{y:.2f}" width="{cell:.2f}" height="{cell:.2f}" fill="{SHINE}"/>')
        if each.mark:
            parts.append(_mark(each.mark, names, x + cell / 2, y + cell / 2, cell))
    parts += [_rule(column, look.block, cell, height, upright=True) for column in range(1, look.columns)]
    parts += [_rule(row, look.block, cell, size, upright=False) for row in range(1, look.rows)]
    for number, block in enumerate(look.blocks):
        if block.mark:
            row, column = divmod(number, look.columns // look.block)
            side = cell * look.block
            parts.append(_mark(block.mark, names, (column + 0.5) * side, (row + 0.5) * side, side))
    return "".join(parts), height


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


def _pits(look: Pits, size: float) -> tuple[str, float]:
    step = size / (len(look.first) + 2)
    font = min(13.0, step * 1.25)
    high = font * 1.5
    ends = [(look.stores[1], step / 2), (look.stores[0], size - step / 2)]
    parts = [
        _text(str(seeds), x, high + font * 0.35, font, ink) for (seeds, x), ink in zip(ends, INKS[::-1], strict=True)
    ]
    for row, pits, ink in ((0, look.second[::-1], INKS[1]), (1, look.first, INKS[0])):
        for place, pit in enumerate(pits):
            parts.append(_text(str(pit.seeds), (place + 1.5) * step, (row + 0.5) * high + font * 0.35, font, ink))
    return "".join(parts), 2 * high


def _text(words: str, x: float, y: float, size: float, ink: str = "#1b1f24") -> str:
    place = f'x="{x:.2f}" y="{y:.2f}" font-size="{size:.1f}" fill="{ink}"'
    return f'<text {place} text-anchor="middle" font-family="sans-serif">{escape(words)}</text>'
