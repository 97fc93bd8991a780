"""Ten programs that a researcher writes with a library of games, as short as they are now; `library.py` counts them."""

import inspect
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import plyground as pg

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
ONE = pg.Weights((1,))


def openings() -> Any:
    """Exact value of every reply to an opening of Connect Four."""
    solution = pg.solve(pg.Position.parse("connectfour", "4"))
    return {move: score.text() for move, score in solution.by_move.items()}


def best_move() -> Any:
    """Best move, score and line of a position that a text gives."""
    report = [*pg.think(pg.Position.parse("chess", FEN), pg.Limit(depth=2))][-1]
    return report.notation, str(report.score)


def many(positions: list[pg.Position]) -> Any:
    """Many positions as a DataFrame."""
    return pg.analyse_many(positions, pg.Limit(depth=3)).to_frame()


def in_threads(positions: list[pg.Position]) -> Any:
    """The same by two threads, as a table of Arrow."""
    return pg.analyse_many(positions, pg.Limit(depth=3), jobs=2).to_arrow()


def tuned() -> Any:
    """An evaluation of one's own, and weights tuned by matches."""

    @dataclass(frozen=True)
    class Mine(pg.ConnectFour):
        weights: pg.Weights = ONE

        def evaluate(self, state: Any) -> int:
            return self.weights[0] * super().evaluate(state)

    options: dict[str, Any] = {"steps": 1, "games": 2, "check_games": 2, "random_plies": 2}
    return pg.tune(lambda w: Mine(4, 4, 3, weights=pg.Weights(w)), [1], limit=pg.Limit(nodes=20), **options)


def bot() -> Any:
    """A player of one's own against the engine."""
    return pg.play_match(pg.Position.initial("tictactoe"), (lambda here: here.legal_texts[-1], "engine:depth=2"))


def recorded(path: Path) -> Any:
    """A game written as it is played, and read again."""
    start = pg.Position.initial("tictactoe")
    with closing(pg.GameFile.begin(path, "tictactoe", start, ("perfect", "first"))) as file:
        pg.play_match(start, ("perfect", "first"), file=file)
    return pg.read_game(path)


def by_depth() -> Any:
    """Nodes and time by depth, for each algorithm, as a plot."""
    return pg.compare(pg.Position.initial("tictactoe"), depths=(1, 2, 3)).altair()


def tree() -> Any:
    """A search tree as DOT and JSON."""
    found = pg.search_tree(pg.Position.parse("tictactoe", "xx./.o./...:o"))
    return found.dot, found.json


def monte_carlo() -> Any:
    """Monte Carlo tree search with an exploration of one's own."""
    return pg.simulate(pg.Position.initial("tictactoe"), pg.Limit(nodes=50), algorithm="mcts:exploration=2")


PROGRAMS: list[tuple[Callable[..., Any], int]] = [
    (openings, 3),
    (best_move, 4),
    (many, 8),
    (in_threads, 5),
    (tuned, 22),
    (bot, 3),
    (recorded, 5),
    (by_depth, 2),
    (tree, 2),
    (monte_carlo, 1),
]
"""Each with the lines that it took in version 0.1, as first published."""


def lines(program: Callable[..., Any]) -> int:
    """Lines of a program, without its head, its docstring and blank ones."""
    body = inspect.getsource(program).partition('"""\n')[2]
    return sum(1 for line in body.splitlines() if line.strip())
