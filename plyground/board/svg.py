"""Boards as SVG, drawn from `Board` and `Look`: for trees, notebooks, documents and the page's menu."""

from dataclasses import astuple, dataclass, fields
from functools import cached_property
from math import cos, hypot, pi, sin
from typing import TypeAlias

from plyground.board.look import Board, Look, Piece, Place
from plyground.markup import SVG, Markup, el, fragment

PAPER, QUIET = "#ffffff", "#565d66"
PIECE_GLYPHS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}
"""Chess pieces, which every font for text has, filled with the colour of their side."""
# Other pairs of colours differ in hue alone, which some people cannot see: one side then has a hollow disc, or both
# their marks.
LUMINOUS = ("white", "black", "red", "yellow")
"""Colours of clearly different brightness, which suffice where hue is not seen."""
DRAWN_SEEDS = 40
"""Most seeds drawn in a pit; a larger number is shown in digits only."""
BEVEL = "M14 14H86V86H14ZM-6-6L14 14M106-6L86 14M106 106L86 86M-6 106L14 86"
SKULL = (
    "M50 20C28 20 22 36 22 47c0 9 4 15 11 18v15h34V65c7-3 11-9 11-18C78 36 72 20 50 20ZM38 40a7 7 0 1 0 .1 0Z"
    "M62 40a7 7 0 1 0 .1 0ZM43 68h3v12h-3ZM54 68h3v12h-3Z"
)
ARROW = "M82 18L76 48L67 39L44 62V74L29 89V71H11L26 56H38L61 33L52 24Z"
"""Paths in a square of 100 by 100: the bevel of chocolate, a skull, an arrow that has hit its square."""
HALVES = "^>v<"
"""Halves of a domino by their texts, each a quarter turn from the one before."""
BESIDE, BEYOND = 0.62, 0.3
"""Distance of a border from the middle of its places, and its length beyond the first and the last, in steps."""
GOLDEN_ANGLE = pi * (3 - 5**0.5)
"""Angle from a seed to the next one in a pit, which packs them as in a sunflower."""
Marked = tuple[int, ...]
Lines: TypeAlias = dict[str, str | float]
"""SVG attributes of each form."""


@dataclass(frozen=True)
class Inks:
    """Colours of a picture, by their use."""

    blue: str = "#1a56b0"
    orange: str = "#b04a00"
    white: str = "#fdfdfb"
    black: str = "#22272e"
    red: str = "#c02c2c"
    yellow: str = "#f2c230"
    green: str = "#1d7a3c"
    outline: str = "#3a424d"
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


def svg(board: Board, look: Look, size: float = 180, last: Marked = ()) -> Markup:
    """SVG document of a board, `size` pixels wide; `last` are the places to mark."""
    inside, height = draw_board(board, look, size, last)
    sizes = {"width": f"{size:g}", "height": f"{height:g}", "viewBox": f"0 0 {size:g} {height:g}"}
    return el("svg", inside, xmlns=SVG, role="img", **sizes)


def draw_board(
    board: Board,
    look: Look,
    size: float = 180,
    last: Marked = (),
    inks: Inks = PRINTED,
) -> tuple[Markup, float]:
    """SVG elements of a board, its top left at 0,0; and its height."""
    if all(place.is_beside for place in board.places):
        font = min(14.0, size / max(len(look.text), 1) * 1.6)
        return _draw_text(look.text, size / 2, font * 1.1, font, inks.ink), font * 1.6
    drawing = _Drawing(board, look, size, inks)
    return fragment(drawing.parts(last)), drawing.height


class _Drawing:
    def __init__(self, board: Board, look: Look, size: float, inks: Inks) -> None:
        self.board, self.look, self.size, self.inks = board, look, size, inks
        self.places = [(number, place) for number, place in enumerate(board.places) if not place.is_beside]
        # A hexagon and a triangle reach 1/√3 = 0.58 steps up and down from their middles, a square 0.5.
        half = max(0.6 if place.shape in ("hexagon", "triangle") else 0.5 for _, place in self.places)
        around = 0.3 if board.borders else 0.0
        self.left, self.top = (
            min(place.x for _, place in self.places) - 0.5 - around,
            min(place.y for _, place in self.places) - half - around,
        )
        self.step = size / (max(place.x for _, place in self.places) + 0.5 + around - self.left)
        self.height = self.step * (max(place.y for _, place in self.places) + half + around - self.top)

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

    def parts(self, last: Marked) -> list[Markup | None]:
        board, look, inks, step = self.board, self.look, self.inks, self.step
        parts: list[Markup | None] = []
        shining = {*look.line, *last}
        sides = {"width": f"{self.size:g}", "height": f"{self.height:g}"}
        # Drawn from back to front: the sheet, borders, lines, places with their pieces, rings, rules, marks of areas,
        # winning lines.
        if board.falls:
            parts.append(el("rect", **sides, rx=f"{step * 0.2:.2f}", fill=inks.rack))
        elif board.grid:
            parts.append(el("rect", **sides, fill=inks.sheet, stroke=inks.edge))
        parts += [self._border(*border) for border in board.borders]
        if board.crossings and board.grid:
            rows, columns = board.grid
            parts += [self._grid_line(column + 0.5, self.height, upright=True) for column in range(columns)]
            parts += [self._grid_line(row + 0.5, self.size, upright=False) for row in range(rows)]
        for x, y in [self.at(board.places[star]) for star in board.stars]:
            parts.append(_circle(x, y, step * 0.1, fill=inks.edge))
        for pair in board.lines:
            parts.append(el("path", d=self._path_through(pair), stroke=inks.edge, stroke_width=1))
        for number, place in self.places:
            parts.append(self._draw_empty_place(number, place, number in shining))
            piece = look.pieces[number]
            if piece:
                parts.append(self._piece(piece, number, place))
        for number in look.attacked:
            x, y = self.at(board.places[number])
            ring: Lines = {"fill": "none", "stroke": inks.red, "stroke_width": f"{step * 0.06:.2f}"}
            parts.append(_circle(x, y, step * 0.44, **ring))
        if board.grid and not board.falls and not board.crossings:
            rows, columns = board.grid
            parts += [self._grid_line(column, self.height, upright=True) for column in range(1, columns)]
            parts += [self._grid_line(row, self.size, upright=False) for row in range(1, rows)]
        for area, fate in zip(board.areas, look.fates, strict=bool(look.fates)):
            if fate.owner:
                inside = [self.at(board.places[number]) for number in area.places]
                x, y = (sum(each) / len(inside) for each in zip(*inside, strict=True))
                parts.append(self._draw_mark(fate.owner, x, y, step * len(inside) ** 0.5))
        for ends in look.through:
            ends_of = {"stroke_linecap": "round", "stroke_linejoin": "round", "opacity": "0.75"}
            stroke: Lines = {"fill": "none", "stroke": inks.ink, "stroke_width": f"{max(step * 0.14, 1.5):.2f}"}
            parts.append(el("path", d=self._path_through(ends), **stroke, **ends_of))
        return parts

    def _path_through(self, ends: tuple[int, ...]) -> str:
        """A line from place to place."""
        points = [self.at(self.board.places[number]) for number in ends]
        return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)

    def _border(self, side: int, first: int, last: int) -> Markup:
        """A line in a side's colour along its places, on the left as one goes from the first to the last."""
        (x, y), (to_x, to_y) = self.at(self.board.places[first]), self.at(self.board.places[last])
        length = hypot(to_x - x, to_y - y) or 1.0
        right, down = (to_x - x) / length * self.step, (to_y - y) / length * self.step
        aside, under = BESIDE * down, -BESIDE * right
        start = f"{x + aside - BEYOND * right:.2f} {y + under - BEYOND * down:.2f}"
        end = f"{to_x + aside + BEYOND * right:.2f} {to_y + under + BEYOND * down:.2f}"
        return _stroke(f"M{start}L{end}", self.ink_of(self.board.marks[side]), self.step * 0.12, stroke_linecap="round")

    def _draw_empty_place(self, number: int, place: Place, shines: bool) -> Markup | None:
        """An empty place; a square between ruled lines is drawn as its shade only."""
        (x, y), step, inks = self.at(place), self.step, self.inks
        half = step / 2
        fill = inks.mark if shines else inks.shade if place.dark else inks.sheet
        look: Lines = {"fill": fill, "stroke": inks.edge, "stroke_width": 1}
        match place.shape:
            case "square" if self.board.falls:
                return _circle(x, y, step * 0.42, fill=fill)
            case "square" if self.board.grid and fill == inks.sheet:
                return None
            case "square":
                return _rect(x - half, y - half, step, step, **({"fill": fill} if self.board.grid else look))
            case "hexagon":
                return el("path", d=_polygon(x, y, step / 3**0.5, 6), **look)
            case "triangle":
                return el("path", d=_polygon(x, y, step / 3**0.5, 3), **look)
            case "point":
                return _circle(x, y, step * (0.36 if shines else 0.07), **look)
            case "pit" if number in self.stores:
                wide, high = step * 0.92, self.height - step * 0.08
                return _rect(x - step * 0.46, step * 0.04, wide, high, rx=f"{step * 0.3:.2f}", **look)
            case "pit":
                return _circle(x, y, step * 0.46, **look)
            case "bar" | "pole":
                ink = inks.mark if shines else inks.line
                return _stroke(_edge_path(place, x, y, step), ink, step * (0.2 if shines else 0.06))
        return None

    def ink_of(self, owner: str) -> str:
        """Colour of a side, or of a neutral piece."""
        if owner not in self.board.marks:
            return self.inks.quiet
        ink: str = getattr(self.inks, self.board.colours[self.board.marks.index(owner)])
        return ink

    def _piece(self, piece: Piece, number: int, place: Place) -> Markup:
        (x, y), step, ink = self.at(place), self.step, self.ink_of(piece.owner)
        if place.shape in ("bar", "pole"):
            return _stroke(_edge_path(place, x, y, step), ink, step * 0.12, stroke_linecap="round")
        count = str(piece.count) if piece.count != 1 or piece.kind == "seeds" else ""
        match piece.kind:
            case "mark":
                inside = self._draw_mark(piece.owner, x, y, step)
            case "seeds":
                return self._seeds(piece, x, y, 1.9 if number in self.stores else 1.0)
            case "wall":
                edge = step * 0.72
                round_ = {"rx": f"{step * 0.08:.2f}", "fill": self.inks.quiet}
                inside = _rect(x - edge / 2, y - edge / 2, edge, edge, **round_)
            case "chocolate" | "poison" | "arrow" | "match":
                scale = 0.84 * step / 100
                at = f"translate({x - 50 * scale:.2f} {y - 50 * scale:.2f}) scale({scale:.4f})"
                inside = el("g", self._neutral_piece(piece.kind), transform=at)
            case "domino":
                turn = f"rotate({HALVES.index(piece.text) * 90} {x:.2f} {y:.2f})"
                inside = el("path", d=_half_domino(x, y, step), fill=ink, transform=turn)
            case "box":
                edge = step * 0.84
                box = _rect(x - step * 0.42, y - step * 0.42, edge, edge, rx=f"{step * 0.05:.2f}", fill=ink)
                inside = fragment(box, self._draw_mark(piece.owner, x, y, step * 0.62, self.inks.sheet))
            case "disc" | "stone" | "man" | "crowned":
                inside = self._disc(piece, x, y, ink)
            case kind if kind in PIECE_GLYPHS:
                rim: Lines = {"stroke": self.inks.outline, "stroke_width": f"{step * 0.04:.2f}"}
                inside = _draw_text(
                    PIECE_GLYPHS[kind], x, y + step * 0.3, step * 0.86, ink, **rim, paint_order="stroke"
                )
            case _:
                inside = _draw_text(piece.text or piece.kind, x, y + step * 0.22, step * 0.6, ink)
        inked = _draw_text(count, x + step * 0.28, y + step * 0.38, step * 0.3, self.inks.ink) if count else None
        return fragment(inside, inked)

    def _neutral_piece(self, kind: str) -> Markup:
        """A neutral piece with a form of its own, in a square of 100 by 100."""
        inks = self.inks
        if kind == "match":
            stick = el("rect", x=41, y=14, width=18, height=86, rx=2, fill=inks.seed)
            return fragment(stick, el("ellipse", cx=50, cy=16, rx=13, ry=16, fill=inks.red))
        if kind == "arrow":
            tile = el("rect", x=2, y=2, width=96, height=96, rx=8, fill=inks.black)
            return fragment(tile, el("path", d=ARROW, fill=inks.white))
        return fragment(
            el("rect", x=-6, y=-6, width=112, height=112, rx=8, fill=inks.seed),
            el("path", d=BEVEL, fill="none", stroke=inks.sheet, stroke_width=2.5, opacity=0.55),
            el("path", d=SKULL, fill=inks.sheet, fill_rule="evenodd") if kind == "poison" else None,
        )

    def _disc(self, piece: Piece, x: float, y: float, ink: str) -> Markup:
        """A disc; where the sides differ only in hue, the second one's is hollow, or discs show their marks."""
        step, paper, board = self.step, self.inks.sheet, self.board
        by_brightness = set(board.colours) <= set(LUMINOUS)
        bears = piece.kind == "disc" and not by_brightness and piece.owner in ("x", "o")
        fill = ink if bears or by_brightness or piece.owner != board.marks[1] else paper
        ring: Lines = {"stroke": self.inks.outline if by_brightness else ink, "stroke_width": f"{step * 0.07:.2f}"}
        disc = _circle(x, y, step * (0.38 if piece.kind == "disc" else 0.34), fill=fill, **ring)
        if bears:
            return fragment(disc, self._draw_mark(piece.owner, x, y, step * 0.62, paper))
        dark = piece.owner == board.marks[board.colours.index("black")] if "black" in board.colours else fill == ink
        crown = paper if dark else self.inks.outline if by_brightness else ink
        is_crowned = piece.kind == "crowned"
        return fragment(disc, _draw_text("♛", x, y + step * 0.17, step * 0.48, crown) if is_crowned else None)

    def _seeds(self, piece: Piece, x: float, y: float, tall: float) -> Markup:
        """Seeds of a pit, and their number below."""
        step, count = self.step, piece.count
        # The distance of seed n is proportional to √n, so that each takes the same area (Vogel, "A better way to
        # construct the sunflower head", 1979).
        spread = min(0.12, 0.36 / (count + 1) ** 0.5) * step
        far = [spread * (seed + 0.6) ** 0.5 for seed in range(min(count, DRAWN_SEEDS))]
        dots = "".join(
            f"M{x + reach * cos(seed * GOLDEN_ANGLE):.2f} {y + tall * reach * sin(seed * GOLDEN_ANGLE):.2f}h0"
            for seed, reach in enumerate(far)
        )
        stroke: Lines = {"stroke": self.inks.seed, "stroke_width": f"{spread * 1.4:.2f}", "stroke_linecap": "round"}
        seeds = el("path", d=dots, fill="none", **stroke) if dots else None
        low = y + step * (0.43 if tall == 1 else 0.86)
        return fragment(seeds, _draw_text(str(count), x, low, step * 0.24, self.ink_of(piece.owner)))

    def _grid_line(self, place: float, length: float, *, upright: bool) -> Markup:
        """A line between rows or columns; with `crossings`, one through their middles, whose `place` is a half."""
        block, at = self.board.block, place * self.step
        start = self.step / 2 if self.board.crossings else 0
        ink, width = (self.inks.edge, 1.6) if block and place % block == 0 else (self.inks.line, 1.0)
        end = length - start
        ends = f"M{at:.2f} {start:.4g}V{end:.2f}" if upright else f"M{start:.4g} {at:.2f}H{end:.2f}"
        return el("path", d=ends, stroke=ink, stroke_width=width)

    def _draw_mark(self, mark: str, x: float, y: float, cell: float, ink: str = "") -> Markup:
        ink, reach = ink or self.ink_of(mark), cell * 0.28
        width = f"{max(cell * 0.1, 0.6):.2f}"
        stroke: Lines = {"fill": "none", "stroke": ink, "stroke_width": width, "stroke_linecap": "round"}
        if mark == "o":
            return _circle(x, y, reach * 1.05, **stroke)
        if mark == "x":
            low, high, left, right = y - reach, y + reach, x - reach, x + reach
            lines = f"M{left:.2f} {low:.2f}L{right:.2f} {high:.2f}M{right:.2f} {low:.2f}L{left:.2f} {high:.2f}"
            return el("path", d=lines, **stroke)
        return _draw_text(mark, x, y + cell * 0.22, cell * 0.6, ink)


def _circle(x: float, y: float, reach: float, **look: str | float) -> Markup:
    return el("circle", cx=f"{x:.2f}", cy=f"{y:.2f}", r=f"{reach:.2f}", **look)


def _rect(x: float, y: float, wide: float, high: float, **look: str | float) -> Markup:
    return el("rect", x=f"{x:.2f}", y=f"{y:.2f}", width=f"{wide:.2f}", height=f"{high:.2f}", **look)


def _stroke(way: str, ink: str, width: float, **look: str | float) -> Markup:
    return el("path", d=way, stroke=ink, stroke_width=f"{width:.2f}", **look)


def _edge_path(place: Place, x: float, y: float, step: float) -> str:
    """A line through a bar or a pole, from end to end."""
    right, down = (step / 2, 0.0) if place.shape == "bar" else (0.0, step / 2)
    return f"M{x - right:.2f} {y - down:.2f}L{x + right:.2f} {y + down:.2f}"


def _half_domino(x: float, y: float, step: float) -> str:
    """The upper half of a domino, down to the edge of its square."""
    left, right, top, low, round_ = x - step * 0.36, x + step * 0.36, y - step * 0.36, y + step / 2, step * 0.1
    corner = f"a{round_:.2f} {round_:.2f} 0 0 1 {round_:.2f}"
    over = f"V{top + round_:.2f}{corner} {-round_:.2f}H{right - round_:.2f}{corner} {round_:.2f}V{low:.2f}Z"
    return f"M{left:.2f} {low:.2f}{over}"


def _polygon(x: float, y: float, reach: float, corners: int) -> str:
    """A regular polygon with a corner on top."""
    turns = [2 * pi * corner / corners for corner in range(corners)]
    return "M" + "L".join(f"{x + reach * sin(turn):.2f} {y - reach * cos(turn):.2f}" for turn in turns) + "Z"


def _draw_text(words: str, x: float, y: float, size: float, ink: str, **look: str | float) -> Markup:
    place: Lines = {"x": f"{x:.2f}", "y": f"{y:.2f}", "font_size": f"{size:.1f}", "fill": ink}
    return el("text", words, **place, **look, text_anchor="middle", font_family="sans-serif")
