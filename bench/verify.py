"""Find known results again, published and reference values, and write what came out.

`python bench/verify.py seconds` writes `bench/VERIFY.md`; `python bench/verify.py minutes 120` then adds the dearer
results, each in a process of its own that is given `patience` seconds.
"""

import json
import multiprocessing
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from compiled import require_compiled

from plyground.exact.known_values import KNOWN_VALUE_KINDS, KnownValue, compute_result, known_values

PAGE: Final = Path(__file__).with_name("VERIFY.md")
DEAR: Final = "## Those that take minutes"
TABLE: Final = 1024
"""Mebibytes, for those that take minutes."""


def cheap(cost: str) -> list[str]:
    """All results up to a cost, by `plyground verify`."""
    command = [sys.executable, "-m", "plyground", "verify", "--cost", cost, "--json"]
    answer = json.loads(subprocess.run(command, check=False, capture_output=True, encoding="utf-8").stdout)
    lines = ["# Known results, found again", "", f"Written by `python bench/verify.py {cost}`.", ""]
    kinds = [entry["kind"] for entry in answer["entries"]]
    apart = " and ".join(f"{kinds.count(kind)} {kind} values" for kind in KNOWN_VALUE_KINDS)
    lines += [f"Of {apart} tried, {answer['agreed']} agreed, {len(answer['differs'])} differ."]
    lines += [f"{answer['not_tried']} were not tried. A reference value was found by a separate program of ours alone."]
    lines += ["The seconds of the first result of a size include compiling it.", ""]
    lines += [f"- differs: {entry}" for entry in answer["differs"]]
    lines += ["| game | asked | value | seconds |", "|---|---|---|--:|"]
    return lines + [
        f"| {entry['game']} | {entry['ask']} | {entry['kind']} | {entry['seconds']:.2f} |"
        for entry in answer["entries"]
    ]


def judge_value(known: KnownValue, patience: float) -> tuple[str, float]:
    """What came of one result, and the seconds it took: agrees, differs, or was stopped."""
    started = time.perf_counter()
    with multiprocessing.Pool(1) as pool:  # leaving it ends the process
        try:
            answer = pool.apply_async(compute_result, (known,), {"table": TABLE}).get(patience)
            said = "agrees" if answer == known.value else f"differs: {answer}, {known.kind} {known.value}"
        except multiprocessing.TimeoutError:
            said = "not finished"
    return said, time.perf_counter() - started


def dear(patience: float) -> list[str]:
    """The results that take minutes, each for `patience` seconds at most."""
    lines = [DEAR, "", f"Written by `python bench/verify.py minutes {patience:.0f}`: each was given so many seconds."]
    lines += [f"One thread, a table of {TABLE} MiB; the seconds include compiling.", ""]
    lines += ["| game | asked | value | what came of it | seconds |", "|---|---|---|---|--:|"]
    for known in known_values():
        if known.cost == "minutes":
            said, spent = judge_value(known, patience)
            lines.append(f"| {known.game} | {known.ask} | {known.kind} | {said} | {spent:.0f} |")
            print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Make or extend the page."""
    require_compiled()
    cost = sys.argv[1] if len(sys.argv) > 1 else "seconds"
    if cost == "minutes":
        before = PAGE.read_text(encoding="utf-8").partition(DEAR)[0].rstrip()
        lines = [before, "", *dear(float(sys.argv[2]))]
    else:
        lines = cheap(cost)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
