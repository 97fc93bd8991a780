"""A campaign of random programs, compiled and held to plain Python.

    python bench/differences.py [PROGRAMS] [FIRST]

`PROGRAMS`, 100,000 unless told otherwise, have the seeds from `FIRST` on (`tests/random_programs.py`). A hundred of
them are compiled as one, each second hundred as WebAssembly, each tenth with all of LLVM's optimisation. A thousand run
in a process of their own, which has a quarter of an hour, so that one that crashes or never ends is found, too. Printed
is what the calls came to; it ends with 1 if any differs.
"""

import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from random_programs import hold_programs

from plyground.compiler.backends.backend import Backend

PIECE: Final = 1_000
TOGETHER: Final = 100
PATIENCE: Final = 900
"""Seconds that a piece has."""


def hold_piece(first: int, number: int) -> None:
    """Hold some programs to plain Python; print what they came to, a kind and a number on each line."""
    warnings.simplefilter("ignore")  # Python warns of `~True`
    counts: Counter[str] = Counter()
    for start in range(first, first + number, TOGETHER):
        seeds = range(start, min(start + TOGETHER, first + number))
        try:
            backend = Backend.WASMTIME if start % (2 * TOGETHER) else Backend.LLVM
            counts += hold_programs(seeds, 3 if start % PIECE == 0 else 0, backend)
        except AssertionError as difference:
            counts["hundreds with a difference"] += 1
            print(difference, file=sys.stderr)
    print("\n".join(f"{number} {kind}" for kind, number in counts.items()))


def run_campaign(number: int, first: int) -> bool:
    """Hold programs by the thousand; whether all agreed."""
    counts: Counter[str] = Counter()
    for start in range(first, first + number, PIECE):
        words = [sys.executable, __file__, "piece", str(start), str(min(PIECE, first + number - start))]
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, encoding="utf-8", timeout=PATIENCE, check=True)
            for line in done.stdout.splitlines():
                count, kind = line.split(" ", 1)
                counts[kind] += int(count)
        except subprocess.SubprocessError as failure:
            counts["thousands that crashed or never ended"] += 1
            print(f"from {start} on: {failure}", file=sys.stderr)
        print(f"to {start + PIECE}: {counts['programs']:,} programs", flush=True)
    for kind, total in counts.most_common():
        print(f"{total:>9,} {kind}")
    return not any("hundreds" in kind or "thousands" in kind for kind in counts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["piece"]:
        hold_piece(int(sys.argv[2]), int(sys.argv[3]))
    else:
        given = dict(enumerate(map(int, sys.argv[1:])))
        sys.exit(not run_campaign(given.get(0, 100_000), given.get(1, 2_000_000)))
