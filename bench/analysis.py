"""Stability of the engine's values from one depth to the next, and agreement with Stockfish.

`python bench/analysis.py [--positions 200] [names of games]` writes `bench/ANALYSIS.md`; games that are not named keep
their rows. The positions come from games that the engine plays against itself, with random moves among its own; only
quiet ones count, in which the search of noisy moves alone finds nothing better than the static evaluation. Each is
searched with the noisy moves of its game and without any. Agreement needs the program `stockfish` (Debian has it).
"""

import argparse
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from compiled import require_compiled
from sections import FILE, sections, write

import plyground as pg
from plyground.board.bits import Words, common, size
from plyground.compiled.kernel import kernel
from plyground.engine.think import think
from plyground.games import game_named
from plyground.games.reversi import CORNER, Reversi, ReversiState
from plyground.rules import MAX, Game
from plyground.score import INFINITY
from plyground.search.context import STACK, new_search_context
from plyground.search.observer import Counting
from plyground.search.pvs import pvs
from plyground.search.table import new_table

GAMES: Final = {
    "chess": (16, 60),
    "gardner": (6, 24),
    "draughts": (10, 40),
    "breakthrough": (10, 40),
    "reversi": (12, 44),
}
"""The first and the last ply of what counts as the middle of a game."""
DEEPEST: Final = 6
OPENING: Final = 4
"""Random plies at the beginning of each game."""
ERRS: Final = 0.12
"""Share of random moves after them."""
STOCKFISH_DEPTH: Final = 12
CLEAR: Final = 150
"""Hundredths of a pawn from which Stockfish sees a clear advantage."""
PLACES: Final = ("stockfish", "/usr/games/stockfish")
SAID: Final = """\
# Reliability of an analysis

Written by `python bench/analysis.py`: {positions} quiet positions of each game, from the middle of games that the
engine plays against itself with one random move in eight. A position is quiet where noisy moves alone gain nothing.

**Stability.** The mean change of the value from one depth to the next, from depth 1 to {deepest}, in the units of the
game's evaluation: with the depth as the end of each line, and with noisy moves searched on (quiescence search).
Positions whose end is seen on the way are left out. `spread` is the standard deviation of the values at depth
{deepest}: a change that is small beside it moves no verdict. Reversi is measured to the depth alone with the evaluation
that it had at first: one point for each square where a disc can be set, eight for each corner. The evaluation of now
counts hundredths of a disc, so its ratio is that of the changes in spreads; in the other games that of the points.
A third, 0.33, is the goal. Draughts and Reversi miss it: what would reach it was tried, and plays worse or does not
help ([TRIED.md](TRIED.md)).

| game | positions | to the depth alone | noisy moves searched on | ratio | spread |
|---|--:|--:|--:|--:|--:|
"""
AGREED: Final = """\
**Agreement.** Of the same chess positions, those in which Stockfish {version} sees an advantage of {clear} hundredths
of a pawn or more at depth {depth}: how often the engine, at depth {deepest}, judges the same side better.

| search | positions | same side, % |
|---|--:|--:|
"""


@dataclass(frozen=True)
class Values:
    """Values of one position, for the first player, by depth from 1."""

    points: tuple[int | None, ...]
    """The estimates; None from the depth on at which the end is seen."""
    side: int
    """The sign of the last value: who is better, +1 for the first player."""


def silenced(game: Game[Any]) -> Game[Any]:
    """The same rules without noisy moves."""
    kind = type(game)
    quiet: type[Any] = type(f"Silent{kind.__name__}", (kind,), {"is_noisy": Game.is_noisy})
    same: Game[Any] = quiet(**{each.name: getattr(game, each.name) for each in fields(game)})  # type: ignore[arg-type]
    return same


@dataclass(frozen=True)
class Mobility(Reversi):
    """Reversi as it was evaluated at first, without noisy moves."""

    is_noisy = Game.is_noisy

    def worth(self, mine: Words, theirs: Words) -> int:
        """A side's moves to choose from, and its corners."""
        return size(self.open_squares(mine, theirs)) + CORNER * size(common(mine, self.corners))

    def evaluate(self, state: ReversiState) -> int:
        mover = self.worth(state.mine, state.theirs) - self.worth(state.theirs, state.mine)
        return mover * (1 - 2 * state.turn)


AT_FIRST: Final = {"reversi": Mobility()}
"""Former rules of games whose evaluation was replaced."""


def is_quiet(game: Game[Any], state: Any) -> bool:
    """Whether the player to move gains nothing by noisy moves alone, and need not act."""
    if game.is_forced(state):
        return False
    context = new_search_context(game, state, new_table(state, 1 << 10))
    value = kernel(pvs, game)(Counting.fresh(), context, state, 0, -INFINITY, INFINITY, 1, 1, STACK)
    return bool(value == game.evaluate(state) * (1 if game.to_move(state) == MAX else -1))


def positions(name: str, count: int, seed: int = 1) -> Iterator[pg.Position]:
    """Quiet positions from the middle of games."""
    game, chance = game_named(name), random.Random(seed)
    first, last = GAMES[name]
    while count > 0:
        position, stop = pg.Position.initial(game), chance.randint(first, last)
        for ply in range(stop):
            if position.outcome is not None:
                break
            if ply < OPENING or chance.random() < ERRS:
                move = chance.choice(position.legal_moves)
            else:
                move = [*think(position, pg.Limit(depth=3), table=1)][-1].move
            position = position.play(move)
        if position.outcome is None and is_quiet(game, position.state):
            count -= 1
            yield pg.Position.parse(game, position.text)


def values(position: pg.Position) -> Values:
    """Points of the engine at each depth, and its last score."""
    reports = [*think(position, pg.Limit(depth=DEEPEST), table=8)]
    points = [report.score.points for report in reports]
    last = reports[-1].score
    amount = last.utility if last.utility is not None else last.points or 0
    return Values((*points, *[None] * (DEEPEST - len(points))), (amount > 0) - (amount < 0))


def change(found: Sequence[Values]) -> tuple[float, float, int]:
    """Mean change from one depth to the next, the spread of the last values, and the number of positions."""
    rows = [each.points for each in found if None not in each.points]
    steps = [abs(row[at + 1] - row[at]) for row in rows for at in range(DEEPEST - 1)]  # type: ignore[operator]
    last = [row[-1] or 0 for row in rows]
    mean = sum(last) / len(last)
    return sum(steps) / len(steps), (sum((each - mean) ** 2 for each in last) / len(last)) ** 0.5, len(rows)


class Stockfish:
    """The program, spoken to by UCI."""

    def __init__(self, command: str) -> None:
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say("uci")
        self.version = next(line for line in self._heard("uciok") if line.startswith("id name ")).split()[3]

    def _say(self, line: str) -> None:
        assert self._program.stdin
        self._program.stdin.write(f"{line}\n")
        self._program.stdin.flush()

    def _heard(self, last: str) -> list[str]:
        assert self._program.stdout
        lines: list[str] = []
        for line in self._program.stdout:
            lines.append(line.rstrip())
            if line.startswith(last):
                return lines
        raise SystemExit("stockfish ended")

    def centipawns(self, position: pg.Position) -> int:
        """Its value of a position for White, in hundredths of a pawn; a mate is worth 100 pawns."""
        self._say(f"position fen {position.game.fen(position.state)}")
        self._say(f"go depth {STOCKFISH_DEPTH}")
        told = [line.split() for line in self._heard("bestmove") if " score " in line][-1]
        kind, amount = told[told.index("score") + 1 : told.index("score") + 3]
        value = int(amount) if kind == "cp" else 10_000 if int(amount) > 0 else -10_000
        return value if position.to_move == MAX else -value

    def close(self) -> None:
        """End the program."""
        self._say("quit")
        self._program.wait(10)


def agreement(cases: dict[str, list[Values]], chess: list[pg.Position]) -> str:
    """Table of how often each way of searching judges the same side better as Stockfish."""
    command = next((found for place in PLACES if (found := shutil.which(place))), None)
    if command is None:
        return "**Agreement.** Not measured: there is no stockfish here.\n"
    stockfish = Stockfish(command)
    truth = [stockfish.centipawns(position) for position in chess]
    stockfish.close()
    text = AGREED.format(version=stockfish.version, clear=CLEAR, depth=STOCKFISH_DEPTH, deepest=DEEPEST)
    for search, judged in cases.items():
        clear = [(value, each.side) for value, each in zip(truth, judged, strict=True) if abs(value) >= CLEAR]
        same = sum((value > 0) - (value < 0) == side for value, side in clear)
        text += f"| {search} | {len(clear)} | {100 * same / len(clear):.1f} |\n"
    return text


def main() -> None:
    """Measure and write the tables."""
    options = argparse.ArgumentParser(description="Reliability of an analysis.")
    options.add_argument("--positions", type=int, default=200)
    options.add_argument("games", nargs="*", default=[*GAMES])
    asked = options.parse_args()
    require_compiled()
    stability = sections(FILE.read_text(encoding="utf-8"))["Stability."]
    rows = {name: f"{line}\n" for line in stability.splitlines() for name in GAMES if line.startswith(f"| {name} | ")}
    agreed = ""
    for name in asked.games:
        chosen = [*positions(name, asked.positions)]
        bare = AT_FIRST.get(name) or silenced(game_named(name))
        before = [values(pg.Position.parse(bare, position.text)) for position in chosen]
        after = [values(position) for position in chosen] if game_named(name).has_noise else before
        (was, its_spread, _), (now, spread, count) = change(before), change(after)
        ratio = now / was * (its_spread / spread if name in AT_FIRST else 1)
        rows[name] = f"| {name} | {count} | {was:.2f} | {now:.2f} | {ratio:.2f} | {spread:.0f} |\n"
        print(rows[name], end="", flush=True)
        if name == "chess":
            agreed = agreement({"to the depth alone": before, "noisy moves searched on": after}, chosen)
            print(agreed)
    text = SAID.format(positions=asked.positions, deepest=DEEPEST) + "".join(rows[name] for name in GAMES)
    write(f"{text}\n{agreed}")


if __name__ == "__main__":
    main()
