"""The shipped evaluations beside the games' own in an analysis.

`python bench/evaluations.py [--positions 100] [names of games]` writes a section of `bench/ANALYSIS.md`; games that are
not named keep their rows. It takes two minutes of one core for each game.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from statistics import fmean, pstdev
from typing import Any, Final

from compiled import require_compiled
from sections import FILE, sections, write

import plyground as pg
from plyground.engine.chances import curve_of
from plyground.engine.run import prepare
from plyground.engine.think import think
from plyground.games import game_named
from plyground.learning.learned_rules import with_shipped
from plyground.learning.shipped_weights import SHIPPED_WEIGHTS
from plyground.rules import Game

SECONDS: Final = 0.1
"""Time of an analysis."""
NODES: Final = 1_000
"""Nodes of each move of a game."""
OPENING: Final = 4
"""Random plies at the beginning of a game."""
ERRS: Final = 0.12
"""Share of random moves after them."""
SAID: Final = """\
**Evaluations.** Written by `python bench/evaluations.py`: {positions} positions of games that the engine plays against
itself with one random move in eight, each analysed for {seconds:g} s (the value of every move) with the game's own
evaluation and with the one that was learned. `change`: mean change of the chance from one depth to the next, in
percent; `spread`: standard deviation of the chances at the last depth. `error`: mean square of the difference between
the chance at the last depth and the result of the game when the engine plays it on, once by each evaluation, in
percent; always saying a half has the error in the last column. A dash: estimates have no chances.

| game | change, own | learned | spread, own | learned | error, own | learned | a half |
|---|--:|--:|--:|--:|--:|--:|--:|
"""


@dataclass(frozen=True)
class Seen:
    """Changes of the first player's winning chance over the depths of an analysis."""

    changes: tuple[float, ...]
    """Differences between two depths that follow each other, where both are estimates."""
    last: float
    """The last one, or what is proved; a half where the estimates of a game have no chances."""


def choice(position: pg.Position, rules: Game[Any]) -> int:
    """The move of the engine with the evaluation of some rules."""
    return [*think(position.under(rules), pg.Limit(nodes=NODES), table=1, selective=True)][-1].move


def positions(both: tuple[Game[Any], Game[Any]], count: int, seed: int = 1) -> Iterator[pg.Position]:
    """Positions of games, each at a random ply of one; the two evaluations play by turns."""
    chance, found = random.Random(seed), 0
    while found < count:
        line = [pg.Position.initial(both[0])]
        while line[-1].outcome is None:
            here, rules = line[-1], both[(len(line) + found) % 2]
            is_random = len(line) <= OPENING or chance.random() < ERRS
            line.append(here.play(chance.choice(here.legal_moves) if is_random else choice(here, rules)))
        if len(line) > OPENING + 3:
            found += 1
            yield chance.choice(line[OPENING:-2])


def result(position: pg.Position, rules: Game[Any]) -> float:
    """Result for the first player, 0 to 1, when the engine plays the game to its end."""
    while position.outcome is None:
        position = position.play(choice(position, rules))
    return ((position.outcome > 0) - (position.outcome < 0) + 1) / 2


def seen(position: pg.Position) -> Seen:
    """The chances that an analysis reports, depth by depth."""
    shares = [0.5]
    changes: list[float] = []
    was_estimate = False
    for report in think(position, pg.Limit(time=SECONDS), every_move=True):
        score = report.score
        if score.chance is None and score.utility is None:
            continue
        is_estimate = score.utility is None
        utility = score.utility or 0
        shares.append(score.chance.share if score.chance else ((utility > 0) - (utility < 0) + 1) / 2)
        if is_estimate and was_estimate:
            changes.append(abs(shares[-1] - shares[-2]))
        was_estimate = is_estimate
    return Seen(tuple(changes), shares[-1])


def row(name: str, count: int) -> str:
    """A row of the table."""
    own: Game[Any] = game_named(name)
    both = own, with_shipped(own)
    for rules in both:
        prepare(pg.Position.initial(rules))
    chosen = [*positions(both, count)]
    results = [fmean(result(position, rules) for rules in both) for position in chosen]
    found = [[seen(position.under(rules)) for position in chosen] for rules in both]
    numbers = [
        [
            fmean(change for each in side for change in each.changes),
            pstdev(each.last for each in side),
            fmean((each.last - truth) ** 2 for each, truth in zip(side, results, strict=True)),
        ]
        if curve_of(rules)
        else []
        for rules, side in zip(both, found, strict=True)
    ]
    cells = [f"{100 * each:.1f}" if each is not None else "–" for pair in zip_longest(*numbers) for each in pair]
    half = fmean((0.5 - truth) ** 2 for truth in results)
    return f"| {name} | {' | '.join(cells)} | {100 * half:.1f} |\n"


def main() -> None:
    """Measure and write the section."""
    options = argparse.ArgumentParser(description="The shipped evaluations in an analysis.")
    options.add_argument("--positions", type=int, default=100)
    options.add_argument("games", nargs="*", default=SHIPPED_WEIGHTS)
    asked = options.parse_args()
    require_compiled()
    old = sections(FILE.read_text(encoding="utf-8"))["Evaluations."]
    rows = {line.split("|")[1].strip(): f"{line}\n" for line in old.splitlines() if line.startswith("| ")}
    for name in asked.games:
        rows[name] = row(name, asked.positions)
        print(rows[name], end="", flush=True)
    said = SAID.format(positions=asked.positions, seconds=SECONDS)
    write(said + "".join(rows[name] for name in SHIPPED_WEIGHTS if name in rows))


if __name__ == "__main__":
    main()
