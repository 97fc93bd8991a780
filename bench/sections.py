"""Sections of `ANALYSIS.md`: several scripts write one or two each, and leave those of the others as they are."""

import re
from pathlib import Path

FILE = Path(__file__).parent / "ANALYSIS.md"


def sections(text: str) -> dict[str, str]:
    """Sections by their titles, `**Title.**` at the beginning of a line; what stands before the first has no title."""
    parts = re.split(r"^(?=\*\*)", text, flags=re.MULTILINE)
    return {part.split("**")[1] if part.startswith("**") else "": f"{part.strip()}\n" for part in parts if part}


def write(text: str) -> None:
    """Write the sections of a text over those with the same titles, new ones at the end."""
    FILE.write_text("\n".join((sections(FILE.read_text(encoding="utf-8")) | sections(text)).values()), encoding="utf-8")
