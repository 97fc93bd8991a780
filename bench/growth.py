"""Write the growth table and chart of `docs/engine.md`: `python bench/growth.py`; about a minute.

For each game, nodes and seconds by depth of principal variation search from the start; and what each of its parts
saves, by leaving it out.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compiled import require_compiled

from plyground.compiled.kernel import kernel
from plyground.games import AnyGame, game_named
from plyground.games.connectfour import ConnectFour, ConnectFourState
from plyground.rules import Game
from plyground.score import INFINITY
from plyground.search.alphabeta import alphabeta
from plyground.search.context import STACK, new_context
from plyground.search.observer import Counting
from plyground.search.pvs import pvs
from plyground.search.table import new_table

DOCS = Path(__file__).resolve().parent.parent / "docs"
DEPTHS = {"connectfour": 18, "kalah": 18, "ultimate": 11, "mnk:5,5,4": 11}
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")


class Unordered(ConnectFour):
    """Without the hint for the order."""

    def order(self, state: ConnectFourState, move: int) -> int:
        return 0


class Silent(ConnectFour):
    """Without noisy moves."""

    is_noisy = Game.is_noisy


class Blindfold(Silent):
    """Without foresight, on which the search of noisy moves rests: a threat would have seven answers, not one."""

    foresight = 0

    def candidates(self, state: ConnectFourState) -> Iterator[int]:
        return self.moves(state)


class Boundless(ConnectFour):
    """Without bounds from open lines."""

    def bounds(self, state: ConnectFourState) -> tuple[int, int]:
        return (-1, 1)


class Unmirrored(ConnectFour):
    """Without symmetry."""

    def canonical(self, state: ConnectFourState) -> ConnectFourState:
        return state


def searched(game: AnyGame, depth: int, entries: int = 1 << 20) -> tuple[int, float]:
    """Nodes and seconds of iterative deepening to a depth."""
    run, observer, state = kernel(pvs, game), Counting.fresh(), game.initial()
    context = new_context(new_table(state, entries))
    args: Any = (-INFINITY, INFINITY, 1, 0, STACK)
    run.prepare(observer, context, state, 1, *args)
    started = time.process_time()
    for plies in range(1, depth + 1):
        run(observer, context, state, plies, *args)
    return observer.nodes, time.process_time() - started


def textbook(game: AnyGame, depth: int) -> tuple[int, float]:
    """Nodes and seconds of the textbook alpha-beta."""
    run, observer = kernel(alphabeta, game), Counting.fresh()
    args = (game.initial(), depth, -INFINITY, INFINITY, 1, 0)
    run.prepare(observer, *args)
    started = time.process_time()
    run(observer, *args)
    return observer.nodes, time.process_time() - started


def growth() -> dict[str, list[tuple[int, int, float]]]:
    """Depth, nodes and seconds for each game."""
    return {
        name: [(depth, *searched(game_named(name), depth)) for depth in range(2, deepest + 1)]
        for name, deepest in DEPTHS.items()
    }


def growth_table(rows: dict[str, list[tuple[int, int, float]]]) -> list[str]:
    """Every third depth."""
    lines = ["| game | depth | nodes | seconds |", "|---|--:|--:|--:|"]
    for name, points in rows.items():
        for depth, nodes, seconds in points[::-1][::3][::-1]:
            lines.append(f"| {name} | {depth} | {nodes:,} | {seconds:.3f} |")
    return lines


def parts_table() -> list[str]:
    """Connect Four to depth 16, with one part left out at a time."""
    depth = 16
    whole = searched(ConnectFour(), depth)
    rows = {
        "all parts": whole,
        "without quiescence": searched(Silent(), depth),
        "without quiescence and foresight": searched(Blindfold(), depth),
        "without the game's order": searched(Unordered(), depth),
        "without bounds from open lines": searched(Boundless(), depth),
        "without symmetry": searched(Unmirrored(), depth),
        "with a table of two entries": searched(ConnectFour(), depth, 2),
    }
    lines = ["| Connect Four, depth 16 | nodes | seconds | nodes / all parts |", "|---|--:|--:|--:|"]
    for name, (nodes, seconds) in rows.items():
        lines.append(f"| {name} | {nodes:,} | {seconds:.2f} | {nodes / whole[0]:.1f} |")
    nodes, seconds = textbook(ConnectFour(), 11)
    engine = searched(ConnectFour(), 11)
    lines.append(f"| textbook alpha-beta, depth 11 | {nodes:,} | {seconds:.2f} | {nodes / engine[0]:.1f} |")
    return lines


def chart(rows: dict[str, list[tuple[int, int, float]]]) -> str:
    """Nodes by depth as an SVG, the nodes on a scale of powers of ten."""
    deepest = max(points[-1][0] for points in rows.values())
    digits = max(len(str(nodes)) for points in rows.values() for _, nodes, _ in points)

    def place(depth: int, nodes: int) -> str:
        power = len(str(nodes)) - 1 + nodes / 10 ** len(str(nodes))
        return f"{60 + 520 * depth / deepest:.0f},{320 - 290 * power / digits:.0f}"

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 370" font-family="sans-serif" font-size="13">']
    parts.append('<rect width="720" height="370" fill="white"/>')
    for power in range(digits + 1):
        height = 320 - 290 * power / digits
        parts.append(f'<line x1="60" x2="590" y1="{height:.0f}" y2="{height:.0f}" stroke="#ddd"/>')
        parts.append(f'<text x="8" y="{height + 4:.0f}">10^{power}</text>')
    for depth in range(0, deepest + 1, 2):
        parts.append(f'<text x="{56 + 520 * depth / deepest:.0f}" y="340">{depth}</text>')
    parts.append('<text x="260" y="362">depth in plies; nodes upward</text>')
    for colour, (name, points) in zip(COLOURS, rows.items(), strict=True):
        path = " ".join(place(depth, nodes) for depth, nodes, _ in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = place(*points[-1][:2]).split(",")
        parts.append(f'<text x="{int(x) + 6}" y="{int(y) + 4}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Put the tables between the marks of the page, and write the chart."""
    require_compiled(*DEPTHS)
    rows = growth()
    (DOCS / "growth.svg").write_text(chart(rows), encoding="utf-8")
    page = (DOCS / "engine.md").read_text(encoding="utf-8")
    before, _, rest = page.partition("<!-- tables by bench/growth.py -->")
    _, _, after = rest.partition("<!-- end of tables -->")
    tables = "\n".join([*growth_table(rows), "", *parts_table()])
    page = f"{before}<!-- tables by bench/growth.py -->\n\n{tables}\n\n<!-- end of tables -->{after}"
    (DOCS / "engine.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
