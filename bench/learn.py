"""Learned evaluations against the games' own: `python bench/learn.py [--minutes M] [--test M] GAME…` adds to LEARN.md.

One process learns one game after the other, each for `--minutes` of CPU time with seed 0, and measures it as
`plyground learn` does; with `--test 0` its file says what was measured. What is learned is kept in a folder, by default
`/tmp/plyground-learned`: with more minutes a game goes on with that.
"""

import argparse
import platform
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from plyground.arena.learning.strength import ELO, measure_strength
from plyground.errors import BadInput
from plyground.games import game_named
from plyground.learning.rounds import Learner
from plyground.learning.slimming import slim
from plyground.learning.weights_file import read_weights, write_weights
from plyground.rules import Game
from plyground.workers.cluster import Cluster

GAMES = (
    "connectfour", "reversi", "ultimate", "breakthrough", "hex:7", "dotsandboxes", "kalah", "domineering", "amazons",
    "pentago", "gardner", "draughts",
)  # fmt: skip
PAGE = Path(__file__).with_name("LEARN.md")
HEAD = """# Learned evaluations

`python bench/learn.py GAME…` learns and measures games, and writes a row for each; earlier rows
stay. All are of
{machine}.
Each game was learned by one process with seed 0, for the CPU time that the row has; then the engine
with the learned evaluation played against itself with the game's own, from random openings of 4
plies, both sides of each, until the SPRT of {low:g} against {high:g} normalised Elo decided or the time of
the test was over. *Move*: the limit of a move. *30 wall* is wall time; else it is CPU time, as many
nodes as each side takes for it, followed by what both took on average, the learned one first; that
is less where the end is seen. *Better* and *not better* are decisions of the test, each wrong in
5 % of cases; a dash: the games did not suffice. *Kept*: how often the first choice, one ply on,
keeps the exact value in positions of random games whose moves are all solved within 200,000 nodes
and not all equal.

| game | games | plies/s | CPU min | bytes | points of | move, ms | Elo, 95 % | decision | kept | own | random |
|---|--:|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|
"""


def row(spec: str, minutes: float, test: float, folder: Path, *, values: bool, large: bool) -> str:
    """A row of the table."""
    network = ", large" if large else ""
    game, file = game_named(spec), folder / f"{spec.rpartition('/')[2].replace(':', '-')}{network[2:]}.weights"
    learner, part = Learner(game, spec, large=large), file.with_suffix(".part")
    if not file.exists() or (learner.resume(part) and learner.seconds < 60 * minutes):
        with Cluster(1) as cluster:
            while learner.seconds < 60 * minutes:
                learner.round(cluster)
        learner.keep(part)
        write_weights(slim(learner.learned_weights(), game), file)
    weights = read_weights(file, game)
    found: dict[str, Any] = dict(weights.strength)
    if test:
        found = measure_strength(weights, game, 60 * test, values=values)
        write_weights(replace(weights, strength=found), file)
    made, kept = weights.made, found.get("kept")
    low, high = ("∞" if each is None else f"{each:+d}" for each in found["interval"])
    elo = "∞" if found["elo"] is None else f"{found['elo']:+d}"
    own = "" if type(game).evaluate is not Game.evaluate else " (no evaluation of its own)"
    shares = (
        [f"{100 * kept[key] / kept['positions']:.0f} %" for key in ("learned", "hand_written", "random")]
        if kept
        else ["", "", ""]
    )
    decision = {"H1": "better", "H0": "not better"}.get(found["decision"], "–")
    cells = [f"{spec}{network}{own}", f"{made['games']:,}", f"{made['plies'] / made['cpu_seconds']:,.0f}"]
    cells += [f"{made['cpu_seconds'] / 60:.1f}", f"{file.stat().st_size:,}"]
    cells += [
        f"{100 * found['points'] / found['games']:.0f} % of {found['games']}",
        f"{1000 * found['seconds_a_move']:.0f} ({' and '.join(f'{1000 * each:.1f}' for each in found['taken'])})",
        f"{elo} ({low} to {high})",
        decision,
    ]
    return f"| {' | '.join([*cells, *shares])} |\n"


def main() -> None:
    """Learn and measure each game, and write the table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--test", type=float, default=2.0)
    parser.add_argument("--large", action="store_true", help="learn a large network")
    parser.add_argument("--no-values", action="store_true", help="leave out how often exact values are kept")
    parser.add_argument("--folder", type=Path, default=Path(gettempdir()) / "plyground-learned")
    parser.add_argument("--out", type=Path, default=PAGE)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    machine = f"a core of {platform.machine()} that is shared with other work, Python {platform.python_version()}"
    low, high = ELO
    text = HEAD.format(machine=machine, low=low, high=high)
    earlier = options.out.read_text("utf-8") if options.out.exists() else ""
    rows = [line for line in earlier.splitlines(True) if line.startswith("| ")][1:]
    for spec in options.games:
        try:
            line = row(
                spec, options.minutes, options.test, options.folder, values=not options.no_values, large=options.large
            )
        except BadInput as fault:  # the other games are measured all the same
            print(f"{spec}: {fault}", file=sys.stderr, flush=True)
            continue
        print(line, end="", flush=True)
        rows = sorted([*rows, line], key=lambda row: row.split("|")[1])
        options.out.write_text(text + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
