"""Questions of the grade of a Monte Carlo search: small games with a best move, and long ones drawn by lot."""

import random
from collections.abc import Iterator
from typing import Final

from plyground.laws.simulations.games import Ends, LineQuestion

SMALL: Final[tuple[tuple[str, Ends], ...]] = (
    ("xo", ((-1, -1), 1, (-1, -1), (-1, -1))),
    ("xo", ((-1, -1, 1), (-1, -1, 1), (0, 0))),
    ("xox", ((0, 0), (0, 0), ((1, 1), (1, 1)))),
    ("xo", ((-1, -1), (0, 0), (-1, -1))),
    ("xo", ((0, 0), (0, 0), (1, 1))),
    ("xxx", ((0, 0), (1, 1), (0, 0))),
    ("xox", ((-1, (1, 1), (1, 1)), 1, (-1, (1, 1), (1, 1)))),
    ("xox", (-1, ((0, -1, -1), (0, -1, -1)))),
)
"""Small games for x: a win at once, a reply that wins, a win after two replies, a draw and losses, a win and draws, x
alone to move, a win at once beside what looks good, a loss at once beside what looks bad. The best move is the best on
average, too, and no other seems worse at first, so that it is found with every constant."""
SMALL_SIMULATIONS: Final = 150
TURNED: Final = str.maketrans("xo", "ox")


def small_questions() -> Iterator[LineQuestion]:
    """The small games, for x and for o."""
    for number, (turns, ends) in enumerate(SMALL):
        yield LineQuestion(turns, SMALL_SIMULATIONS, number, ends=ends)
        yield LineQuestion(turns.translate(TURNED), SMALL_SIMULATIONS, number, ends=exchange_sides(ends))


def exchange_sides(ends: Ends) -> Ends:
    """A small game with x and o exchanged."""
    return -ends if isinstance(ends, int) else tuple(map(exchange_sides, ends))


def long_questions(seed: int) -> Iterator[LineQuestion]:
    """The long games: turns that alternate and turns that do not, without draws and with them, x or o to begin.

    No tree reaches their ends, not even one that goes on only where it won.
    """
    chance = random.Random(seed)
    for number in range(34):
        width, simulations = (3, 80 + number) if number < 18 else (4, 12 + number)
        plies = simulations // width + 6
        first = "xo"[number // 2 % 2]
        free = first + "".join(chance.choice("xo") for _ in range(plies - 1))
        # Turns by lot in a third of them: who takes players to alternate is found out there.
        turns = free if number % 3 == 0 else ((first + first.translate(TURNED)) * plies)[:plies]
        # The first games have no draws, so that the rule of choice is known before draws are judged.
        draws = 0.5 if 12 <= number < 18 else 0.0
        yield LineQuestion(turns, simulations, seed + number, width, 100 * seed + number, draws)


def best_of(asked: LineQuestion) -> int:
    """The best move of a small game."""

    def value(ends: Ends, ply: int) -> int:
        if isinstance(ends, int):
            return ends
        return (max if asked.turns[ply] == "x" else min)(value(each, ply + 1) for each in ends)

    assert isinstance(asked.ends, tuple)
    values = [value(each, 1) for each in asked.ends]
    return values.index((max if asked.turns[0] == "x" else min)(values))


def ends_text(asked: LineQuestion) -> str:
    """A small game in a few words."""
    return f"in the game {asked.ends} with {asked.turns[0]} to move".replace(",)", ")")
