"""Picture of a recorded search: SVG as in textbooks, with small boards at the nodes."""

from collections.abc import Iterable

from plyground.board.svg import PAPER, PRINTED, QUIET, draw_board
from plyground.markup import SVG, Markup, el, fragment
from plyground.microscope.layout import Layout, layout
from plyground.microscope.reasons import label, value_text, window_text
from plyground.microscope.tree import Tree

BOARDS_UP_TO = 60
"""Most nodes with boards: more boards are too small to read."""
UNIT, UNIT_WITH_BOARDS = 62.0, 92.0
"""Pixels of a node's width where the picture has room."""
WORDS_FROM = 34.0
"""Pixels of a node's width below which it is a dot without words."""
WIDEST_PIXELS = 4000.0
"""Most pixels; a wider picture is squeezed."""
ROW, TOP, BOARD = 96.0, 26.0, 58.0
CUT, BEST, INK = "#b3261e", "#1d7a3e", "#1b1f24"


def svg(
    tree: Tree,
    *,
    boards: bool | None = None,
    widest: float = WIDEST_PIXELS,
    bare: bool = False,
    marked: int | None = None,
    stepped: bool = False,
) -> Markup:
    """The tree as an SVG document.

    Args:
        tree: the tree.
        boards: whether to draw the board at each node; by default if there are at most `BOARDS_UP_TO`.
        widest: pixels; a wider tree is squeezed, and its nodes become dots.
        bare: with the values of its leaves alone, as a question.
        marked: a node with a ring round it.
        stepped: whether each part has the step of the search at which it comes about, as `data-step`, so that a page
            can show the search move.
    """
    has_boards = len(tree) <= BOARDS_UP_TO if boards is None else boards
    return _Picture(tree, has_boards, widest, bare, marked, stepped).svg()


def has_words(tree: Tree, widest: float) -> bool:
    """Whether a picture of this width, without boards, has room for words at its nodes."""
    return _Picture(tree, boards=False, widest=widest, bare=False).has_words


def steps(tree: Tree) -> tuple[list[int], list[int]]:
    """Steps of the search at which each node is entered, and left with its value."""
    entered, left = [0] * len(tree), [0] * len(tree)
    path: list[int] = []
    step = 0
    for node in range(len(tree)):
        # Nodes are numbered depth first: all on the path that are not the parent have been left by
        # now.
        while path and path[-1] != tree.parent[node]:
            step += 1
            left[path.pop()] = step
        step += 1
        entered[node] = step
        path.append(node)
    for node in reversed(path):
        step += 1
        left[node] = step
    return entered, left


class _Picture:
    def __init__(
        self, tree: Tree, boards: bool, widest: float, bare: bool, marked: int | None = None, stepped: bool = False
    ) -> None:
        self.bare, self.marked = bare, marked
        self.stepped = stepped
        self.entered, self.left = steps(tree) if stepped else ([], [])
        self.tree, self.places = tree, layout(tree)
        self.unit = min(UNIT_WITH_BOARDS if boards else UNIT, widest / self.places.width)
        self.has_words = self.unit >= WORDS_FROM
        # Three pixels on each side, so that boards of neighbours do not touch.
        self.board = min(BOARD, self.unit - 6) if boards and self.has_words else 0.0
        self.row = ROW + (self.board + 8 if self.board else 0)
        self.line = set() if bare else set(tree.line)

    def svg(self) -> Markup:
        tree, places = self.tree, self.places
        margin = 24.0
        width, height = f"{places.width * self.unit + 2 * margin:.0f}", f"{TOP + places.rows * self.row + 8:.0f}"
        counts = "" if self.bare else f": {tree.nodes:,} nodes, {tree.cutoffs:,} cutoffs"
        picture = el(
            "svg",
            el("title", f"{tree.algorithm} to depth {tree.depth}{counts}"),
            el("rect", x=f"{-margin:g}", width="100%", height="100%", fill=PAPER),
            self._draw_edges(places),
            map(self._draw_node, range(len(tree))),
            xmlns=SVG,
            width=width,
            height=height,
            viewBox=f"{-margin:g} 0 {width} {height}",
            role="img",
            font_family="sans-serif",
            font_size=12,
        )
        return fragment(picture, "\n")

    def _place_of(self, node: int) -> tuple[float, float]:
        """Middle of a node's triangle."""
        return self.places.x[node] * self.unit, TOP + self.tree.level[node] * self.row

    @property
    def _foot(self) -> float:
        """Distance from a node's middle down to the start of its branches."""
        return 30.0 + self.board if self.has_words else 4.0

    @property
    def _head(self) -> float:
        """Distance from a node's middle up to the end of its edge."""
        return 12.0 if self.has_words else 4.0

    def _draw_edges(self, places: Layout) -> Iterable[Markup | None]:
        for node in range(1, len(self.tree)):
            x, y = self._place_of(node)
            is_best = node in self.line
            parent, end = self.tree.parent[node], y - self._head
            # In a picture by steps the plain edge stays under the best one: it is there from the
            # node's entry, the green one once its parent has its value.
            found = self._draw_edge(parent, x, end, BEST, 2.5) if is_best else None
            name = self._draw_text(x, y - 15, self.tree.move[node], INK, "600" if is_best else "400")
            name = name if self.has_words else fragment()
            if self.stepped:
                begun = self._build_step(self.entered, node)
                yield el("g", self._draw_edge(parent, x, end, QUIET, 1.0), data_step=begun)
                yield el("g", found, data_step=self._build_step(self.left, parent)) if found else None
                yield el("g", name, data_step=begun)
            else:
                yield found or self._draw_edge(parent, x, end, QUIET, 1.0)
                yield name
        for node, ends in enumerate(places.cut):
            names = self.tree.skipped[node]
            for end, skipped in zip(ends, names, strict=True):
                yield self._draw_cut(node, end * self.unit, skipped)

    def _draw_edge(self, parent: int, x: float, y: float, ink: str, width: float, dashes: str | None = None) -> Markup:
        from_x, from_y = self._place_of(parent)
        path = f"M{from_x:.1f} {from_y + self._foot:.1f}L{x:.1f} {y:.1f}"
        return el("path", d=path, fill="none", stroke=ink, stroke_width=width, stroke_dasharray=dashes)

    def _draw_cut(self, node: int, x: float, name: str) -> Markup:
        """A dashed edge with two slashes, and the move that was not searched."""
        from_x, from_y = self._place_of(node)
        from_y += self._foot
        y = TOP + (self.tree.level[node] + 1) * self.row - self._head
        parts = [self._draw_edge(node, x, y, CUT, 1.0, "4 3")]
        if self.has_words:
            middle_x, middle_y = from_x + (x - from_x) * 0.62, from_y + (y - from_y) * 0.62
            for shift in (-2.5, 2.5):
                slash = f"M{middle_x + shift - 4:.1f} {middle_y + 4:.1f}l8 -8"
                parts.append(el("path", d=slash, stroke=CUT, stroke_width=1.4))
            parts += [_dot(x, y, CUT), self._draw_text(x, y + 13, name, CUT)]
        return el("g", parts, class_="cut", data_step=self._build_step(self.left, node))

    def _draw_node(self, node: int) -> Markup:
        return el("g", self._node_parts(node), class_="node", data_step=self._build_step(self.entered, node))

    def _node_parts(self, node: int) -> Iterable[Markup]:
        tree = self.tree
        x, y = self._place_of(node)
        ink = (PRINTED.blue, PRINTED.orange)[tree.side[node]]
        if not self.bare:
            # The title is read on hover, and by screen readers; a question would give its answer
            # away there.
            yield el("title", label(tree, node))
        if node == self.marked:
            ring = {"fill": "#fff2b3", "stroke": CUT, "stroke_width": "2.5"}
            yield el("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=19, **ring)
        if not self.has_words:
            yield _dot(x, y, ink)
            return
        # Triangles as in textbooks: MAX points up, MIN down.
        shape = {0: f"M{x:.1f} {y - 11:.1f}l12 20h-24z", 1: f"M{x:.1f} {y + 11:.1f}l12 -20h-24z"}[tree.side[node]]
        if tree.kind[node] != "node":
            shape = f"M{x - 12:.1f} {y - 9:.1f}h24v18h-24z"
        fill = "#e3f2e6" if node in self.line else PAPER
        yield el("path", d=shape, fill=fill, stroke=ink, stroke_width=1.5)
        is_asked = self.bare and bool(tree.children(node))
        value = self._draw_text(x, y + 24, "?" if is_asked else value_text(tree, node), INK, "700")
        yield el("g", value, data_step=self._build_step(self.left, node)) if self.stepped else value
        if tree.kind[node] == "node" and tree.has_window:
            yield self._draw_text(x + 17, y + 4, window_text(tree, tree.window(node)), QUIET, size=9, anchor="start")
        if self.board:
            board, _ = draw_board(tree.root.board, tree.root.game.look(tree.state[node]), self.board)
            yield el("g", board, transform=f"translate({x - self.board / 2:.1f} {y + 29:.1f})")
        if tree.hidden[node]:
            yield self._draw_text(x, y + self._foot + 14, f"+{tree.hidden[node]:,}", QUIET)

    def _build_step(self, steps: list[int], node: int) -> int | None:
        return steps[node] if self.stepped else None

    def _draw_text(
        self, x: float, y: float, words: str, ink: str, weight: str = "400", size: float = 11, anchor: str = "middle"
    ) -> Markup:
        """Text with a stroke in the paper's colour under it, readable where it crosses edges."""
        look = {"text_anchor": anchor, "font_size": f"{size:g}", "font_weight": weight, "fill": ink}
        halo = {"stroke": PAPER, "stroke_width": "3", "paint_order": "stroke"}
        return el("text", words, x=f"{x:.1f}", y=f"{y:.1f}", **look, **halo)


def _dot(x: float, y: float, ink: str) -> Markup:
    return el("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=2.5, fill=ink)
