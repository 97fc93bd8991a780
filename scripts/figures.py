"""Draw the figures of the documents anew: `python scripts/figures.py`. A test compares them with what is committed."""

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plyground as pg
from plyground.microscope.picture import svg
from plyground.microscope.tree import record
from plyground.search.algorithm import Algorithm, of_function

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from lesson_pictures import of_lesson, pictures, search_of  # noqa: E402

DOCS = ROOT / "docs"
ROW, BOX, GAP, EDGE, LETTER = 38, 30, 10, 16, 8.5
"""Of the drawn house, in pixels: a row, a box's height, the space between boxes, the edge, and a letter's width."""


def figures() -> dict[Path, str]:
    """Each figure's file and what belongs in it."""
    expert, ending = (pg.Position.parse(pg.MNK(), text) for text in ("xx./.o./...:o", "xo./ox./.xo:x"))
    lessons = DOCS / "lessons"
    return {
        lessons / "board.svg": pg.Position.parse(pg.MNK(), "b2").svg(),
        lessons / "minimax.svg": moving(ending, "minimax", 9, boards=True),
        lessons / "expert.svg": moving(expert, "alphabeta", 2),
        lessons / "expert-ordered.svg": moving(expert, "ordered", 2),
        lessons / "greedy.svg": moving(expert, search_of("8-your-search", "greedy"), 2),
        lessons / "walk.svg": moving(pg.Position.initial(of_lesson("13-repetition", "walk")["Walk"]()), "minimax", 4),
        lessons / "last.svg": moving(pg.Position.initial(of_lesson("7-your-game", "last")["Last"](4)), "minimax", 9),
        lessons / "remembering.svg": moving(ending, search_of("11-table", "remembering"), 9, boards=True),
        lessons / "killers.svg": moving(expert, search_of("14-order", "killers"), 2),
        lessons / "scout.svg": moving(expert, of_function(null_windows(), "scout"), 2),
        **{lessons / f"{name}.svg": drawn for name, drawn in pictures().items()},
        DOCS / "house.svg": house(layers()),
    }


def moving(position: pg.Position, search: str | Algorithm, depth: int, boards: bool = False) -> str:
    """A search's tree whose parts have the steps of the search, so that the page of a lesson shows it move."""
    return svg(record(position, search, depth), boards=boards, stepped=True)


def null_windows() -> Callable[..., tuple[int, int]]:
    """The last of lesson 15's searches alone, from the whole window: a tree with one root."""
    look = of_lesson("15-windows", "scout")["look"]

    def scout(game: Any, observer: Any, state: Any, depth: int, alpha: int, beta: int) -> Any:
        return look(game, observer, state, depth, alpha, beta, 0, {}, {}, {})

    return scout


def layers() -> list[list[str]]:
    """The packages and modules of plyground by layer, the highest first, as lint-imports holds their imports."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = (each for each in contracts if each.get("containers") == ["plyground"])
    return [layer.split(" : ") for layer in contract["layers"]]


def house(rows: list[list[str]]) -> str:
    """A picture of the layers: a row of boxes for each, and an arrow that says which way imports point."""
    inner = max(sum(round(len(name) * LETTER) + 3 * GAP for name in row) for row in rows)
    left = 2 * EDGE + 20
    width, height = left + inner + EDGE, 2 * EDGE + ROW * len(rows) - (ROW - BOX)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="monospace" font-size="14">',
        "<title>The layers of plyground: a package imports only from those below it</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<path d="M{EDGE + 6} {EDGE}V{height - EDGE - 8}" stroke="#666" stroke-width="2"/>',
        f'<path d="M{EDGE} {height - EDGE - 10}h12l-6 10z" fill="#666"/>',
        f'<text transform="translate({EDGE + 26} {height // 2})rotate(-90)" text-anchor="middle" fill="#666" '
        'font-family="sans-serif">imports point down</text>',
    ]
    for line, names in enumerate(rows):
        spare = inner - GAP * (len(names) - 1) - sum(round(len(name) * LETTER) for name in names)
        x, y = float(left), EDGE + line * ROW
        for name in names:
            box = round(len(name) * LETTER) + spare / len(names)
            parts += [
                f'<rect x="{x:.1f}" y="{y}" width="{box:.1f}" height="{BOX}" rx="6" fill="#eef3fb" stroke="#1a56b0"/>',
                f'<text x="{x + box / 2:.1f}" y="{y + BOX // 2 + 5}" text-anchor="middle" fill="#111">{name}</text>',
            ]
            x += box + GAP
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    for file, drawn in figures().items():
        file.write_text(drawn, encoding="utf-8", newline="\n")
        print(file)
