"""What worker processes cost for each game, those of this machine and Dask's: writes CLUSTER.md.

    python bench/cluster.py [--games 2000] [--out bench/CLUSTER.md]

A task is a game of tic-tac-toe between two built-in players, refereed. First the games are played in one process
without workers, which tells what a game takes; what workers take beyond that, for each processor, is their overhead.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

from distributed import LocalCluster

import plyground as pg
from plyground.workers.cluster import Cluster
from plyground.workers.processes import processors

WORKERS = (1, 2, 4, 8)
OF_DASK = (1, 2)
PLAYER = "alphabeta:depth=2"


class Game:
    """A game of tic-tac-toe; the players are made once in each process."""

    players: tuple[pg.Player, pg.Player] | None = None

    def __call__(self, number: int) -> int:
        self.players = self.players or (pg.player_named(PLAYER), pg.player_named("first"))
        return pg.play_match(pg.Position.initial(pg.MNK()), self.players).utility or 0


def nothing(number: int) -> int:
    """A task that takes no time: what is left is the way."""
    return number


def measured(cluster: Cluster, work: Callable[[int], int], games: int) -> float:
    """Seconds for so many tasks, once every worker has begun and found what it needs."""
    while True:
        list(cluster.map(work, range(games // 4)))
        if cluster.is_here or len(cluster.workers()) == cluster.width:
            break
    started = time.perf_counter()
    done = sum(1 for _ in cluster.map(work, range(games)))
    assert done == games
    return time.perf_counter() - started


def row(words: str, jobs: int, cluster: Cluster, alone: float, games: int) -> str:
    """A row of the table for a cluster that has not begun."""
    began = time.perf_counter()
    with cluster:
        list(cluster.map(nothing, [0]))
        up = time.perf_counter() - began
        each = measured(cluster, Game(), games) / games
        bare = measured(cluster, nothing, 50_000) / 50_000
    over = each * min(jobs, processors()) - alone
    found = f"{up:.1f} | {1e3 * each:.3f} | {alone / each:.2f} | {1e3 * over:+.3f} | {1 / bare:,.0f}"
    print(words, jobs, found, flush=True)
    return f"| {words} | {jobs} | {found} |"


def main() -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("CLUSTER.md"))
    given = parser.parse_args()
    with Cluster(jobs=1) as here:
        alone = measured(here, Game(), given.games) / given.games
    lines = [row("of this machine", jobs, Cluster(jobs, here=False), alone, given.games) for jobs in WORKERS]
    for jobs in OF_DASK:
        with LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as dask:
            lines.append(row("of Dask", jobs, Cluster(scheduler=dask.scheduler_address), alone, given.games))
    system = f"{platform.system()} on {platform.machine()}, {os.cpu_count()} processors"
    text = TEXT.format(
        games=given.games,
        player=PLAYER,
        alone=1e3 * alone,
        rows="\n".join(lines),
        count=processors(),
        machine=f"{system}, Python {platform.python_version()}",
    )
    given.out.write_text(text, encoding="utf-8", newline="\n")


TEXT = """# What worker processes cost

`python bench/cluster.py`: {games:,} games of tic-tac-toe, `{player}` against `first`, each refereed; {machine}. In one
process without workers a game takes {alone:.3f} ms. Read ratios, not milliseconds: these are of one run.

| workers | number | s to the first result | ms a game | times one process | ms of overhead | empty tasks a second |
|---|--:|--:|--:|--:|--:|--:|
{rows}

The overhead is what a game takes on each processor beyond what it takes alone; with more workers than its {count}
processors they share these, and more cannot be faster. It holds the host's own share, and of Dask the scheduler's.
Dask's workers run when the time to the first result begins.
An empty task is one that does nothing, so the last column is as fast as tasks can travel, in batches.
"""

if __name__ == "__main__":
    main()
