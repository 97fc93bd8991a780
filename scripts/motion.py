"""Animated pictures of the lessons other than search trees: boards in a row, bars, a walk, a growing Monte Carlo tree.

Each part has the step at which it comes about, as `data-step`, as the trees of `plyground.microscope.picture` have.
All that is drawn is recorded from a run.
"""

from collections.abc import Sequence
from html import escape
from itertools import count, pairwise

import plyground as pg
from plyground.board.svg import PAPER, PRINTED, QUIET, draw_board
from plyground.microscope.picture import BEST, CUT, INK
from plyground.search.mcts import CHILD, CHILDREN, EXPLORATION, LINE, MOVE, VISITS, mcts, new_tree, node_field
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import Silent

ACROSS = 3
"""Boards in a line of the picture: as many as a phone has room for."""
BOARD, GAP, WORDS = 92.0, 10.0, 32.0
LOW, HIGH = 20.0, 170.0
"""Pixels of a chart: its top and its bottom."""


def document(title: str, wide: float, high: float, parts: Sequence[str]) -> str:
    """An SVG document on paper."""
    size = f'width="{wide:.0f}" height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}"'
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="sans-serif" font-size="12">',
            f'<title>{escape(title)}</title><rect width="100%" height="100%" fill="{PAPER}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, ink: str = INK, size: float = 12) -> str:
    """Words in the middle of a place."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{size:g}" fill="{ink}">{escape(words)}</text>'
    )


def boards(title: str, shown: Sequence[tuple[str, str]], high: float = BOARD) -> str:
    """Boards in lines, each a step: SVG elements `BOARD` wide, and the words below."""
    parts = []
    for number, (board, words) in enumerate(shown):
        x, y = GAP + number % ACROSS * (BOARD + 2 * GAP), GAP + number // ACROSS * (high + WORDS)
        said = text(BOARD / 2, high + 15, words, size=11)
        parts.append(f'<g data-step="{number + 1}" transform="translate({x:.1f} {y:.1f})">{board}{said}</g>')
    lines = -(-len(shown) // ACROSS)
    return document(title, ACROSS * (BOARD + 2 * GAP), GAP + lines * (high + WORDS), parts)


def game_in_boards(title: str, positions: Sequence[tuple[pg.Position, str]]) -> str:
    """Positions of a game, each with its last move marked, and words."""
    made = [draw_board(each.board, each.look(), BOARD, each.last) for each, _ in positions]
    shown = [(board, words) for (board, _), (_, words) in zip(made, positions, strict=True)]
    return boards(title, shown, made[0][1])


def bits(title: str, shown: Sequence[tuple[int, str]], columns: int, rows: int) -> str:
    """Boards of bits, numbered column by column from below, each with one spare row on top."""
    step = BOARD / columns

    def cells(found: int) -> str:
        each = [(column, row) for column in range(columns) for row in range(rows + 1)]
        return "".join(
            f'<rect x="{column * step:.1f}" y="{(rows - row) * step:.1f}" width="{step - 1:.1f}" '
            f'height="{step - 1:.1f}" fill="{BEST if found >> column * (rows + 1) + row & 1 else "#e9ebee"}"/>'
            for column, row in each
        )

    return boards(title, [(cells(found), words) for found, words in shown], (rows + 1) * step)


def bars(title: str, found: Sequence[tuple[str, int, str]]) -> str:
    """A bar for each step: words below it, its number, and words above it."""
    most = max(number for _, number, _ in found)
    parts = []
    for place, (below, number, above) in enumerate(found):
        x, high = 34.0 + 58 * place, (HIGH - LOW - 20) * number / most
        bar = f'<rect x="{x - 18:.1f}" y="{HIGH - high:.1f}" width="36" height="{high:.1f}" fill="{PRINTED.blue}"/>'
        words = text(x, HIGH - high - 6, above) + text(x, HIGH + 16, below)
        parts.append(f'<g data-step="{place + 1}">{bar}{words}</g>')
    return document(title, 10 + 58.0 * len(found), HIGH + 28, parts)


def walk(title: str, found: Sequence[float], bound: float, ends: tuple[str, str]) -> str:
    """A line from 0 whose every piece is a step, between two bounds."""
    middle, unit = (LOW + HIGH) / 2, (HIGH - LOW - 30) / 2 / bound
    across = min(12.0, 420 / len(found))
    at = [(40 + across * place, middle - unit * each) for place, each in enumerate([0.0, *found])]
    wide = at[-1][0] + 30
    parts = [
        f'<path d="M30 {y:.1f}H{wide - 10:.1f}" stroke="{ink}" stroke-dasharray="4 3"/>'
        f'<text x="32" y="{y + shift:.1f}" font-size="11" fill="{ink}">{escape(words)}</text>'
        for y, ink, words, shift in (
            (middle - unit * bound, BEST, ends[1], -5),
            (middle + unit * bound, CUT, ends[0], 14),
        )
    ]
    parts.append(f'<path d="M30 {middle:.1f}H{wide - 10:.1f}" stroke="{QUIET}" stroke-width="0.5"/>')
    for step, ((x, y), (to_x, to_y)) in enumerate(pairwise(at), start=1):
        line = f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{PRINTED.blue}" stroke-width="2"/>'
        parts.append(f'<g data-step="{step}">{line}<circle cx="{to_x:.1f}" cy="{to_y:.1f}" r="2.5"/></g>')
    return document(title, max(wide, 300.0), HIGH + 20, parts)


def children(tree: Memory, node: int) -> list[int]:
    """Nodes below a node of a Monte Carlo tree that a simulation has reached."""
    first, number = node_field(tree, node, CHILD), node_field(tree, node, CHILDREN)
    return [child for child in range(first, first + number) if node_field(tree, child, VISITS)]


def reached(tree: Memory, node: int) -> list[int]:
    """A node and all below it that a simulation has reached."""
    return [node, *(each for child in children(tree, node) for each in reached(tree, child))]


def growing(position: pg.Position, simulations: int) -> str:
    """The tree of a Monte Carlo search: a node comes about with the simulation that first reaches it."""
    game, state = position.game, position.state
    tree, path = new_tree(2_000, 0), new_memory(LINE)
    born: dict[int, int] = {}
    for number in range(1, simulations + 1):
        mcts(game, Silent(), tree, path, state, 1, EXPLORATION)
        for node in reached(tree, 0):
            born.setdefault(node, number)
    places: list[tuple[float, float]] = []
    parts: list[str] = []
    leaves = count()

    def place(node: int, level: int, here: pg.Position) -> float:
        below = children(tree, node)
        after = [here.play(node_field(tree, child, MOVE)) for child in below]
        xs = [place(child, level + 1, next_one) for child, next_one in zip(below, after, strict=True)]
        x = sum(xs) / len(xs) if xs else 24 + 34.0 * next(leaves)
        y = LOW + 62 * level
        places.append((x, y))
        for child, to_x in zip(below, xs, strict=True):
            name = here.game.move_text(here.state, node_field(tree, child, MOVE))
            line = f'<path d="M{x:.1f} {y + 24:.1f}L{to_x:.1f} {y + 50:.1f}" stroke="{QUIET}"/>'
            parts.append(f'<g data-step="{born[child]}">{line}{text(to_x, y + 46, name, size=10)}</g>')
        seen = node_field(tree, node, VISITS)
        ink = (PRINTED.blue, PRINTED.orange)[here.to_move]
        circle = f'<circle cx="{x:.1f}" cy="{y + 8:.1f}" r="13" fill="{PAPER}" stroke="{ink}" stroke-width="1.5"/>'
        parts.append(f'<g data-step="{born[node]}">{circle}{text(x, y + 12, str(seen))}</g>')
        return x

    place(0, 0, position)
    wide, high = (max(each[axis] for each in places) for axis in (0, 1))
    return document(f"Monte Carlo tree search: {simulations} simulations", wide + 24, high + 34, parts)
