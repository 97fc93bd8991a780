"""Draws docs/picture.svg: a position with the value of every move, from a game's look and the engine's report alone."""

from pathlib import Path

import plyground as pg

CELL, EDGE = 96, 24
COLOURS = {0: "#bfe3c6", 1: "#f3c1b5", None: "#f2e3b3"}
"""Of a cell whose move lets x win, lets o win, or draws; the words in the cell say the same."""
INKS = ("#1d4ed8", "#b91c1c")


def picture(position: pg.Position) -> str:
    """The board as SVG, each free cell with what playing there is worth."""
    look = position.look()
    assert isinstance(look, pg.Grid)
    report = [*pg.think(position, every_move=True)][-1]
    values = dict(report.moves)
    parts = []
    for index, cell in enumerate(look.cells):
        row, column = divmod(index, look.columns)
        x, y = EDGE + column * CELL, EDGE + row * CELL
        score = values.get(cell.move) if cell.move is not None else None
        fill = COLOURS[score.winner] if score else "#ffffff"
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#475569"/>')
        middle = f'x="{x + CELL // 2}" text-anchor="middle"'
        if cell.mark:
            ink = INKS[position.game.names.index(cell.mark)]
            parts.append(f'<text {middle} y="{y + 66}" font-size="56" fill="{ink}">{cell.mark}</text>')
        elif score:
            who, _, when = score.text(position.game.names).partition(" in ")
            parts.append(f'<text {middle} y="{y + 46}" font-size="15">{who}</text>')
            parts.append(f'<text {middle} y="{y + 66}" font-size="13">{"in " + when if when else ""}</text>')
    width, height = 2 * EDGE + look.columns * CELL, 2 * EDGE + look.rows * CELL
    said = f"{position.text}: {position.result}; each free cell says how the game ends if played there"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">'
    return "\n".join(
        [head, f"<title>{said}</title>", '<rect width="100%" height="100%" fill="#f8fafc"/>', *parts, "</svg>\n"]
    )


if __name__ == "__main__":
    seed_position = pg.Position.parse(pg.game_named("tictactoe"), "xx./.o./...:o")
    file = Path(__file__).resolve().parent.parent / "docs" / "picture.svg"
    file.write_text(picture(seed_position), encoding="utf-8")
