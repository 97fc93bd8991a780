"""Learned evaluations of Connect Four against perfect play: `python bench/perfect.py [--games 60] [FILE…]`.

`pip install -e .[peers]`. The learned evaluation plays first and does not search: it makes the move after which it is
highest. bitbully has the exact value of each move; of the best it makes any, so where it is losing it loses as late as
it can. Such a game is won only if each move of the first player keeps the win of the first position. Without a file
the shipped weights play.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bitbully import BitBully, Board

import plyground as pg
from plyground.learning.shipped_weights import LEARNED

WON: Final = 1 << 30
"""Above every evaluation; a draw counts as an even one."""


def after(position: pg.Position) -> int:
    """Value for the first player of a position that it has moved to."""
    return position.game.evaluate(position.state) if position.outcome is None else position.outcome * WON


def games(learned: pg.Learned[Any], seed: int) -> Iterator[tuple[int, int | None]]:
    """Outcomes of games for the first player, each with the ply of the first move that gives the win away."""
    solver, chance, stride = BitBully(), random.Random(seed), pg.ConnectFour().stride
    while True:
        position, mistake = pg.Position.initial(learned), None
        while position.outcome is None:
            exact = solver.score_all_moves(Board([move // stride for move in position.moves]))
            columns = {move // stride: move for move in position.legal_moves}
            if position.to_move == pg.MAX:
                column = max(columns, key=lambda each: after(position.play(columns[each])))
                if mistake is None and exact[column] <= 0:
                    mistake = len(position.moves)
            else:
                column = chance.choice([each for each in columns if exact[each] == max(exact.values())])
            position = position.play(columns[column])
        yield position.outcome, mistake


def main() -> None:
    """Play the games of each file, and print a line for it."""
    asked = argparse.ArgumentParser(description="Learned evaluations of Connect Four against perfect play.")
    asked.add_argument("files", nargs="*", default=[LEARNED])
    asked.add_argument("--games", type=int, default=60)
    asked.add_argument("--seed", type=int, default=0, help="of the opponent's choices")
    args = asked.parse_args()
    for file in args.files:
        learned: pg.Learned[Any] = pg.Learned("connectfour", file if file == LEARNED else Path(file))
        played = list(islice(games(learned, args.seed), args.games))
        won, drawn, lost = (sum(outcome == each for outcome, _ in played) for each in (1, 0, -1))
        mistakes = sorted(Counter(ply for _, ply in played if ply is not None).items())
        told = ", ".join(f"ply {ply}: {count}" for ply, count in mistakes)
        print(
            f"{file}: {won} of {len(played)} won, {drawn} drawn, {lost} lost; first mistakes: {told or 'none'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
