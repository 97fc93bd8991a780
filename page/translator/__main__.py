"""Write the page's modules that are made from Python: `python -m translator`, in `page`."""

import os
from pathlib import Path

from translator.marks import read_marks, sources
from translator.translating import javascript

SRC = Path(__file__).resolve().parent.parent / "src"

for source in sources():
    module = read_marks(source)
    file = SRC / module.path
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = file.with_suffix(f".{os.getpid()}")  # another process may read or write the same file
    whole.write_text(javascript(module), encoding="utf-8")
    whole.replace(file)
