"""Draw the figures of the documents anew: `python scripts/figures.py`. A test compares them with what is committed."""

from pathlib import Path

import plyground as pg

DOCS = Path(__file__).resolve().parent.parent / "docs"


def figures() -> dict[Path, str]:
    """Each figure's file and what belongs in it."""
    expert = pg.Position.parse(pg.MNK(), "xx./.o./...:o")
    return {
        DOCS / "lessons" / "expert.svg": pg.search_tree(expert, "alphabeta", 2).svg,
        DOCS / "lessons" / "expert-ordered.svg": pg.search_tree(expert, "ordered", 2).svg,
    }


if __name__ == "__main__":
    for file, drawn in figures().items():
        file.write_text(drawn, encoding="utf-8", newline="\n")
        print(file)
