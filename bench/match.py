"""Strength at equal time: our engine and our Monte Carlo tree search against OpenSpiel's C++ MCTS bot.

`pip install -e .[peers]`, then `python bench/match.py [--openings 20] [--ms 100] [--ours engine] [names of games]`. It
prints every game played, and puts each finished row into `bench/MATCH.md`, in place of an earlier one of the same game
and player. It fails if the two programs' rules disagree: on a move, or on who has won.

Each opening of a few random plies is played twice, with both colours. Time is CPU time, since the clock on the wall is
not fair on a busy machine; both sides are told a number of nodes or simulations, by the speed of their last move.
"""

import argparse
import math
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pyspiel
from compiled import require_compiled

import plyground as pg
from plyground.engine.run import prepare, simulate
from plyground.engine.think import think
from plyground.games.ultimate import ANY_BOARD
from plyground.learning.learned_rules import with_evaluation

FILE: Final = Path(__file__).parent / "MATCH.md"
OPENING: Final = 4
"""Random plies before the programs take over, so that no two pairs of games are alike."""
MEBIBYTES: Final = 8
"""Of the engine's table; more than is filled in so little time would only have to be cleared."""
TREE: Final = 64
"""Mebibytes of our tree, of which only those that it needs are touched: 44 in Hex in 100 ms. The bot's may have 200."""
LEAST: Final = 50
"""Nodes or simulations that a side is told at least."""
HEAD: Final = """\
| game | player | ms a move | c | openings | won | drawn | lost | points, % | 95 % | Elo | ms, ours | ms, theirs |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""
SAID: Final = """\
# Against OpenSpiel's Monte Carlo bot

Written by `python bench/match.py`. A player of plyground's against the C++ `MCTSBot` of OpenSpiel {version}, in equal
CPU time, one thread each: {plies} random plies, then each opening is played with both colours. The bot plays one random
game a simulation, with its solver; `c` is its constant of exploration, 2 in OpenSpiel's own examples; that of `mcts` is
1.41, or as its name says. Both begin every move with nothing kept of the last. Points are those of plyground's player,
a draw is half a point; beside them Wilson's interval, and the Elo that they come to. The last columns are the CPU time
that a move took: a search that sees to the end of the game is done sooner, and what is left of its time is not given
back.

"""

SPIEL: Final = {
    "connectfour": "connect_four",
    "ultimate": "ultimate_tic_tac_toe",
    "kalah": "mancala",
    "reversi": "othello",
    "breakthrough": "breakthrough",
    "breakthrough:6,6": "breakthrough(rows=6,columns=6)",
    "hex:7": "hex(board_size=7)",
}
"""OpenSpiel's names of our games."""
GAMES: Final = ("connectfour", "ultimate", "reversi", "breakthrough", "hex:7")

Search = Callable[[pg.Position, int, int], tuple[int, bool]]
"""A move, and whether all that is allowed was used; from a position, so many nodes or simulations, and a seed."""


def spiel_bot(spiel: Any, simulations: int, seed: int, exploration: float) -> Any:
    """OpenSpiel's C++ MCTS bot for one of its games: one random game a simulation, and its solver, as ours has one."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(spiel, evaluator, exploration, simulations, 200, True, seed, False)


def by_engine(position: pg.Position, nodes: int, seed: int) -> tuple[int, bool]:
    """The move of plyground's engine as it plays: by the shipped weights, leaving out what seems to be refuted."""
    seen = position.under(with_evaluation(position.game))
    report = [*think(seen, pg.Limit(nodes=nodes), table=MEBIBYTES, selective=True)][-1]
    return report.move, not report.certain


def by_mcts(algorithm: str, position: pg.Position, nodes: int, seed: int) -> tuple[int, bool]:
    """The move of plyground's Monte Carlo tree search."""
    report = simulate(position, pg.Limit(nodes=nodes), seed=seed, algorithm=algorithm)
    return report.move, report.nodes >= nodes


def ours_named(player: str) -> tuple[Search, float]:
    """A search of ours by its name, with a first guess of its nodes a second.

    Args:
        player: `engine`, or `mcts` with options, as in `mcts:exploration=1`.
    """
    if player == "engine":
        return by_engine, 1e6
    separator = "," if ":" in player else ":"
    return partial(by_mcts, f"{player}{separator}tree={TREE}"), 2e4


OURS: Final = ("engine", "mcts")
"""Our players, if none is named."""


def spiel_actions(position: pg.Position, move: int, theirs: Any) -> list[int]:
    """Our move as the actions of OpenSpiel's state `theirs`. In Ultimate a free choice is two, the board and the cell,
    even where only one board is open. (A bot led past the end of its game looks for the best of no moves, and crashes.)
    """
    game = position.game
    if isinstance(game, pg.ConnectFour):
        return [move // game.stride]
    if isinstance(game, pg.Ultimate):
        return [move >> 4, move & 15] if position.state.fate >> 27 == ANY_BOARD else [move & 15]
    word = game.move_text(position.state, move)
    if isinstance(game, pg.Breakthrough):  # there the first player begins at the top
        start, end = (position.board.places[place].name for place in game.path(position.state, move))
        word = re.sub(r"\d+", lambda row: str(game.rows + 1 - int(row[0])), start + end)
    named = {theirs.action_to_string(action).rstrip("*").lower(): action for action in theirs.legal_actions()}
    return [named[word]]


def spiel_state(position: pg.Position, spiel: Any) -> Any:
    """OpenSpiel's state after the same moves."""
    state, before = spiel.new_initial_state(), pg.Position.initial(position.game)
    for move in position.moves:
        for action in spiel_actions(before, move, state):
            state.apply_action(action)
        before = before.play(move)
    return state


def by_spiel(spiel: Any, exploration: float, position: pg.Position, simulations: int, seed: int) -> tuple[int, bool]:
    """The move of OpenSpiel's bot; where two actions make it, so many simulations for each."""
    state, actions, used = spiel_state(position, spiel), list[int](), True
    legal = {tuple(spiel_actions(position, move, state)): move for move in position.legal_moves}
    while tuple(actions) not in legal:
        root = spiel_bot(spiel, simulations, seed, exploration).mcts_search(state)
        used = used and root.explore_count >= simulations
        actions.append(root.best_child().action)
        state.apply_action(actions[-1])
    return legal[tuple(actions)], used


@dataclass
class Side:
    """A search that is given a moment of CPU time a move."""

    search: Search
    rate: float
    """Nodes or simulations a second, as of late."""
    moment: float
    spent: float = 0.0
    moves: int = 0

    def choose(self, position: pg.Position, seed: int) -> int:
        """A move, and the time it took is noted."""
        nodes, begun = max(LEAST, int(self.rate * self.moment)), time.process_time()
        move, used = self.search(position, nodes, seed)
        spent = time.process_time() - begun
        self.spent += spent
        self.moves += 1
        if used:  # else the time tells nothing of the speed
            self.rate = nodes / spent
        return move

    @property
    def milliseconds(self) -> float:
        """CPU time a move."""
        return 1000 * self.spent / self.moves


def opening(name: str, seed: int) -> pg.Position:
    """A position after random plies."""
    chance, position = random.Random(seed), pg.Position.initial(pg.game_named(name))
    while len(position.moves) < OPENING:
        position = position.play(chance.choice(position.legal_moves))
    return position


def played(name: str, player: str, openings: int, moment: float, exploration: float) -> str:
    """A row of the table: every opening with both colours."""
    spiel = pyspiel.load_game(SPIEL[name])
    start = pg.Position.initial(pg.game_named(name))
    search, rate = ours_named(player)
    prepare(start.under(with_evaluation(start.game)))
    search(start, LEAST, 0)  # compiled before the first move, too
    ours, results = Side(search, rate, moment), list[int]()
    theirs = Side(partial(by_spiel, spiel, exploration), 5e3, moment)
    for number in range(2 * openings):
        seed, seat = number // 2 + 1, number % 2
        position = opening(name, seed)
        while position.outcome is None:
            side = ours if position.to_move == seat else theirs
            position = position.play(side.choose(position, seed))
        end = spiel_state(position, spiel)
        if not end.is_terminal() or sign(end.returns()[0]) != sign(position.outcome):
            raise SystemExit(f"{name}: here the outcome is {position.outcome}, in OpenSpiel {end}, {end.returns()}")
        results.append(sign(position.outcome) * (1 - 2 * seat))
        told = f"{ours.milliseconds:.0f} and {theirs.milliseconds:.0f} ms a move, {len(position.moves)} plies"
        print(
            f"{name}, {player}, game {number + 1}: {sum(results) / 2 + len(results) / 2:g} points, {told}", flush=True
        )
    counts = " | ".join(str(results.count(result)) for result in (1, 0, -1))
    times = f"{ours.milliseconds:.1f} | {theirs.milliseconds:.1f}"
    cells = f"{name} | {player} | {1000 * moment:g} | {exploration:.3g} | {openings} | {counts}"
    return f"| {cells} | {share(results)} | {times} |"


def sign(number: float) -> int:
    """1, 0 or -1."""
    return (number > 0) - (number < 0)


def share(results: list[int]) -> str:
    """The points, Wilson's interval around them (1927), and the Elo that they come to with what the interval makes."""
    number, points = len(results), (sum(results) / len(results) + 1) / 2
    room = 1.96**2 / number
    middle, around = points + room / 2, math.sqrt(room * (points * (1 - points) + room / 4))
    low, high = (middle - around) / (1 + room), (middle + around) / (1 + room)
    told = f"{elo(points)} ({elo(low)} to {elo(high)})"
    return f"{100 * points:.1f} | {100 * low:.1f} to {100 * high:.1f} | {told}"


def elo(score: float) -> str:
    """The difference in Elo of two players, one of whom scores so much."""
    return f"{400 * math.log10(score / (1 - score)):+.0f}" if 0 < score < 1 else "∞" if score >= 1 else "−∞"


def write(row: str) -> None:
    """Put a row into the file."""
    kept = FILE.read_text(encoding="utf-8").partition("--:|\n")[2].splitlines() if FILE.exists() else []
    rows = {tuple(line.split("|")[1:3]): line for line in [*kept, row]}
    order = list(SPIEL)
    lines = sorted(rows.values(), key=lambda line: (order.index(line.split("|")[1].strip()), line.split("|")[2]))
    said = SAID.format(version=version("open_spiel"), plies=OPENING)
    FILE.write_text(said + HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Play what is asked for, and write each row when it is there."""
    asked = argparse.ArgumentParser(description="Strength against OpenSpiel's Monte Carlo bot.")
    asked.add_argument("games", nargs="*", default=list(GAMES), choices=SPIEL, metavar="game")
    asked.add_argument(
        "--ours",
        action="append",
        help="which of our players, as engine, mcts, mcts:exploration=1; by default engine, mcts",
    )
    asked.add_argument("--openings", type=int, default=20, help="each is played with both colours")
    asked.add_argument("--ms", type=float, default=100, help="CPU time a move")
    asked.add_argument("--exploration", type=float, default=2, help="the bot's constant of UCT")
    args = asked.parse_args()
    require_compiled(*args.games)
    for name in args.games:
        for player in args.ours or OURS:
            row = played(name, player, args.openings, args.ms / 1000, args.exploration)
            print(row, flush=True)
            write(row)


if __name__ == "__main__":
    main()
