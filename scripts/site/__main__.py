#!/usr/bin/env python3
"""Build the site of documentation, without a network; a warning is an error.

python scripts/site           into build/site; open build/site/index.html
python scripts/site FOLDER    somewhere else

It needs the extra `docs`: python -m pip install ".[docs]". The site describes this working copy, also where another
plyground is installed: the copy comes first on Python's path.
"""

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import contents  # noqa: E402
from sphinx.cmd.build import build_main  # noqa: E402


def main() -> int:
    """Lay out the sources, then let Sphinx make the site of them."""
    site = Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[1] / "build" / "site").resolve()
    if site.is_dir() and any(site.iterdir()) and not (site / "searchindex.js").exists():
        print(f"{site} holds something else than a site: name another folder, or empty it.", file=sys.stderr)
        return 2
    shutil.rmtree(site, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        sources, kept = Path(folder, "sources"), Path(folder, "kept")
        contents.lay_out(sources)
        words = ["-W", "--keep-going", "-q", "-b", "html"]
        code = build_main([*words, "-c", str(HERE), "-d", str(kept), str(sources), str(site)])
    if code == 0:
        print(f"The site is built: {site / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
