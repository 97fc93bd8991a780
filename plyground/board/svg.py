"""Boards as SVG, drawn from `Board` and `Look`: for trees, notebooks, documents and the page's menu."""

from dataclasses import astuple, dataclass, fields
from functools import cached_property
from html import escape
from math import cos, pi, sin

from plyground.board.look import Board, Look, Piece, Place

PLAYER_INKS = ("#1a56b0", "#b04a00")
"""Colours of the two players, whose marks also differ in shape."""
PAPER, QUIET = "#ffffff", "#565d66"
NO_NAMES = ("x", "o")
GLYPHS = {"king": "♚♔", "queen": "♛♕", "rook": "♜♖", "bishop": "♝♗", "knight": "♞♘", "pawn": "♟♙"}
"""Chess pieces, which every font for text has: filled for the first player, hollow for the second."""
DRAWN_SEEDS = 40
"""Most seeds drawn in a pit; a larger number is shown in digits only."""
GOLDEN_ANGLE = pi * (3 - 5**0.5)
"""Angle from a seed to the next one in a pit, which packs them as in a sunflower."""
Marked = tuple[int, ...]


@dataclass(frozen=True)
class Inks:
    """Colours of a picture, by their use."""

    x: str = PLAYER_INKS[0]
    o: str = PLAYER_INKS[1]
    ink: str = "#1b1f24"
    quiet: str = QUIET
    line: str = "#cfd3d8"
    edge: str = "#7d8693"
    sheet: str = PAPER
    shade: str = "#e3e6ea"
    mark: str = "#fff3c4"
    rack: str = "#c3cddb"
    hollow: str = "#eceae4"
    seed: str = "#7a5a3a"


PRINTED = Inks()
THEMED = Inks(*(f"var(--{field.name},{ink})" for field, ink in zip(fields(Inks), astuple(PRINTED), strict=True)))
"""Colours of the page, which follow its theme."""


def svg(board: Board, look: Look, names: tuple[str, str] = NO_NAMES, size: float = 180, last: Marked = ()) -> str:
    """SVG document of a board, `size` pixels wide; `last` are the places to mark."""
    inside, height = drawn(board, look, names, size, last)
    words = f'role="img" width="{size:g}" height="{height:g}" viewBox="0 0 {size:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {words}>{inside}</svg>'


def drawn(
    board: Board,
    look: Look,
    names: tuple[str, str] = NO_NAMES,
    size: float = 180,
    last: Marked = (),
    inks: Inks = PRINTED,
) -> tuple[str, float]:
    """SVG elements of a board, its top left at 0,0; and its height."""
    if all(place.shape == "choice" for place in board.places):
        font = min(14.0, size / max(len(look.text), 1) * 1.6)
        return _text(look.text, size / 2, font * 1.1, font, inks.ink), font * 1.6
    drawing = _Drawing(board, look, names, size, inks)
    return "".join(drawing.parts(last)), drawing.height


class _Drawing:
    def __init__(self, board: Board, look: Look, names: tuple[str, str], size: float, inks: Inks) -> None:
        self.board, self.look, self.names, self.size, self.inks = board, look, names, size, inks
        self.places = [(number, place) for number, place in enumerate(board.places) if place.shape != "choice"]
        half = max(0.6 if place.shape in ("hexagon", "triangle") else 0.5 for _, place in self.places)
        self.left, self.top = (
            min(place.x for _, place in self.places) - 0.5,
            min(place.y for _, place in self.places) - half,
        )
        self.step = size / (max(place.x for _, place in self.places) + 0.5 - self.left)
        self.height = self.step * (max(place.y for _, place in self.places) + half - self.top)

    def at(self, place: Place) -> tuple[float, float]:
        """Centre of a place."""
        return (place.x - self.left) * self.step, (place.y - self.top) * self.step

    @cached_property
    def stores(self) -> set[int]:
        """Pits that stand alone beside the rows of others, and are as high as the board."""
        pits = [(number, place) for number, place in self.places if place.shape == "pit"]
        alone = {n for n, place in pits if all(n == other or place.x != found.x for other, found in pits)}
        rows = {place.y for number, place in pits if number not in alone}
        return {number for number in alone if rows and self.board.places[number].y not in rows}

    def parts(self, last: Marked) -> list[str]:
        board, look, inks, step = self.board, self.look, self.inks, self.step
        parts = []
        shining = {*look.line, *last}
        if board.falls:
            parts.append(
                f'<rect width="{self.size:g}" height="{self.height:g}" rx="{step * 0.2:.2f}" fill="{inks.rack}"/>'
            )
        elif board.grid:
            parts.append(
                f'<rect width="{self.size:g}" height="{self.height:g}" fill="{inks.sheet}" stroke="{inks.edge}"/>'
            )
        for pair in board.lines:
            parts.append(f'<path d="{self._line(pair)}" stroke="{inks.edge}" stroke-width="1"/>')
        for number, place in self.places:
            parts.append(self._place(number, place, number in shining))
            piece = look.pieces[number]
            if piece:
                parts.append(self._piece(piece, number, place))
        if board.grid and not board.falls:
            rows, columns = board.grid
            parts += [self._rule(column, self.height, upright=True) for column in range(1, columns)]
            parts += [self._rule(row, self.size, upright=False) for row in range(1, rows)]
        for area, fate in zip(board.areas, look.fates, strict=bool(look.fates)):
            if fate.owner:
                inside = [self.at(board.places[number]) for number in area.places]
                x, y = (sum(each) / len(inside) for each in zip(*inside, strict=True))
                parts.append(self._mark(fate.owner, x, y, step * len(inside) ** 0.5))
        for ends in look.through:
            stroke = f'stroke-width="{max(step * 0.14, 1.5):.2f}" stroke-linecap="round" stroke-linejoin="round"'
            way = f'd="{self._line(ends)}" fill="none" stroke="{inks.ink}"'
            parts.append(f'<path {way} {stroke} opacity="0.75"/>')
        return parts

    def _line(self, ends: tuple[int, ...]) -> str:
        """A line from place to place."""
        points = [self.at(self.board.places[number]) for number in ends]
        return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)

    def _place(self, number: int, place: Place, shines: bool) -> str:
        """An empty place; a square between ruled lines is drawn as its shade only."""
        (x, y), step, inks = self.at(place), self.step, self.inks
        half = step / 2
        fill = inks.mark if shines else inks.shade if place.dark else inks.sheet
        look = f'fill="{fill}" stroke="{inks.edge}" stroke-width="1"'
        match place.shape:
            case "square" if self.board.falls:
                return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{step * 0.42:.2f}" fill="{fill}"/>'
            case "square" if self.board.grid and fill == inks.sheet:
                return ""
            case "square":
                edge = f'fill="{fill}"' if self.board.grid else look
                return f'<rect x="{x - half:.2f}" y="{y - half:.2f}" width="{step:.2f}" height="{step:.2f}" {edge}/>'
            case "hexagon":
                return f'<path d="{_corners(x, y, step / 3**0.5, 6)}" {look}/>'
            case "triangle":
                return f'<path d="{_corners(x, y, step / 3**0.5, 3)}" {look}/>'
            case "point":
                return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{step * (0.36 if shines else 0.07):.2f}" {look}/>'
            case "pit" if number in self.stores:
                side = f'width="{step * 0.92:.2f}" height="{self.height - step * 0.08:.2f}" rx="{step * 0.3:.2f}"'
                return f'<rect x="{x - step * 0.46:.2f}" y="{step * 0.04:.2f}" {side} {look}/>'
            case "pit":
                return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{step * 0.46:.2f}" {look}/>'
            case "bar" | "pole":
                right, down = (half, 0.0) if place.shape == "bar" else (0.0, half)
                ends = f"M{x - right:.2f} {y - down:.2f}L{x + right:.2f} {y + down:.2f}"
                ink = inks.mark if shines else inks.line
                return f'<path d="{ends}" stroke="{ink}" stroke-width="{step * (0.2 if shines else 0.06):.2f}"/>'
        return ""

    def ink_of(self, owner: str) -> str:
        """Colour of a player, or of a neutral piece."""
        if owner not in self.names:
            return self.inks.quiet
        return (self.inks.x, self.inks.o)[self.names.index(owner)]

    def _piece(self, piece: Piece, number: int, place: Place) -> str:
        (x, y), step, ink = self.at(place), self.step, self.ink_of(piece.owner)
        if place.shape in ("bar", "pole"):
            right, down = (step / 2, 0.0) if place.shape == "bar" else (0.0, step / 2)
            ends = f"M{x - right:.2f} {y - down:.2f}L{x + right:.2f} {y + down:.2f}"
            return f'<path d="{ends}" stroke="{ink}" stroke-width="{step * 0.12:.2f}" stroke-linecap="round"/>'
        count = str(piece.count) if piece.count != 1 or piece.kind == "seeds" else ""
        match piece.kind:
            case "mark":
                inside = self._mark(piece.owner, x, y, step)
            case "seeds":
                return self._seeds(piece, x, y, 1.9 if number in self.stores else 1.0)
            case "wall":
                edge = step * 0.72
                side = f'width="{edge:.2f}" height="{edge:.2f}" rx="{step * 0.08:.2f}" fill="{self.inks.quiet}"'
                inside = f'<rect x="{x - edge / 2:.2f}" y="{y - edge / 2:.2f}" {side}/>'
            case "disc" | "stone" | "man" | "crowned":
                inside = self._disc(piece, x, y, ink)
            case kind if kind in GLYPHS:
                glyph = GLYPHS[kind][piece.owner == self.names[1]]
                inside = _text(glyph, x, y + step * 0.3, step * 0.86, ink)
            case _:
                inside = _text(piece.text or piece.kind, x, y + step * 0.22, step * 0.6, ink)
        inked = _text(count, x + step * 0.28, y + step * 0.38, step * 0.3, self.inks.ink) if count else ""
        return inside + inked

    def _disc(self, piece: Piece, x: float, y: float, ink: str) -> str:
        """A disc; the second player's is hollow, or shows its mark, so that players also differ without colour."""
        step, paper = self.step, self.inks.sheet
        bears = piece.kind == "disc" and piece.owner in NO_NAMES
        fill = ink if bears or piece.owner != self.names[1] else paper
        reach = step * (0.38 if piece.kind == "disc" else 0.34)
        ring = f'stroke="{ink}" stroke-width="{step * 0.07:.2f}"'
        disc = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{reach:.2f}" fill="{fill}" {ring}/>'
        if bears:
            return disc + self._mark(piece.owner, x, y, step * 0.62, paper)
        crown = paper if fill == ink else ink
        return disc + (_text("♛", x, y + step * 0.17, step * 0.48, crown) if piece.kind == "crowned" else "")

    def _seeds(self, piece: Piece, x: float, y: float, tall: float) -> str:
        """Seeds of a pit, and their number below."""
        step, count = self.step, piece.count
        spread = min(0.12, 0.36 / (count + 1) ** 0.5) * step
        far = [spread * (seed + 0.6) ** 0.5 for seed in range(min(count, DRAWN_SEEDS))]
        dots = "".join(
            f"M{x + reach * cos(seed * GOLDEN_ANGLE):.2f} {y + tall * reach * sin(seed * GOLDEN_ANGLE):.2f}h0"
            for seed, reach in enumerate(far)
        )
        stroke = f'stroke="{self.inks.seed}" stroke-width="{spread * 1.4:.2f}" stroke-linecap="round"'
        seeds = f'<path d="{dots}" fill="none" {stroke}/>' if dots else ""
        low = y + step * (0.43 if tall == 1 else 0.86)
        return seeds + _text(str(count), x, low, step * 0.24, self.ink_of(piece.owner))

    def _rule(self, place: int, length: float, *, upright: bool) -> str:
        block, at = self.board.block, place * self.step
        ink, width = (self.inks.edge, 1.6) if block and place % block == 0 else (self.inks.line, 1.0)
        ends = f"M{at:.2f} 0V{length:.2f}" if upright else f"M0 {at:.2f}H{length:.2f}"
        return f'<path d="{ends}" stroke="{ink}" stroke-width="{width}"/>'

    def _mark(self, mark: str, x: float, y: float, cell: float, ink: str = "") -> str:
        ink, reach = ink or self.ink_of(mark), cell * 0.28
        stroke = f'fill="none" stroke="{ink}" stroke-width="{max(cell * 0.1, 0.6):.2f}" stroke-linecap="round"'
        if mark == "o":
            return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{reach * 1.05:.2f}" {stroke}/>'
        if mark == "x":
            low, high, left, right = y - reach, y + reach, x - reach, x + reach
            lines = f"M{left:.2f} {low:.2f}L{right:.2f} {high:.2f}M{right:.2f} {low:.2f}L{left:.2f} {high:.2f}"
            return f'<path d="{lines}" {stroke}/>'
        return _text(mark, x, y + cell * 0.22, cell * 0.6, ink)


def _corners(x: float, y: float, reach: float, corners: int) -> str:
    """A regular polygon with a corner on top."""
    turns = [2 * pi * corner / corners for corner in range(corners)]
    return "M" + "L".join(f"{x + reach * sin(turn):.2f} {y - reach * cos(turn):.2f}" for turn in turns) + "Z"


def _text(words: str, x: float, y: float, size: float, ink: str) -> str:
    place = f'x="{x:.2f}" y="{y:.2f}" font-size="{size:.1f}" fill="{ink}"'
    return f'<text {place} text-anchor="middle" font-family="sans-serif">{escape(words)}</text>'
