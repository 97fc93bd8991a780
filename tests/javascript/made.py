"""Write the modules of the page's workers that are made from Python, for what reads them as files."""

import os
from pathlib import Path

from plyground.web.javascript.made import MADE, made

FOLDER = Path(__file__).parent / "made"
"""Beside `web/static` for the type checker (`rootDirs` in tsconfig.json)."""

for name in MADE:
    file = FOLDER / name
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = file.with_suffix(f".{os.getpid()}")  # another process may read or write the same file
    whole.write_text(made(name), encoding="utf-8")
    whole.replace(file)
