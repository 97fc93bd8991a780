"""Grades held against truth: random moves of small games, graded by search alone and by exact values.

`python bench/grades.py` prints the section of `bench/ANALYSIS.md`; it takes some minutes.
"""

import random
from collections import Counter

import plyground as pg
from plyground.engine.move_grades import grade_move

GAMES = ("connectfour:5,4", "kalah:3,3", "reversi:4", "hex:4", "dotsandboxes:2,2")
POSITIONS = 1_000
DEPTH = 4
"""Plies that the grade by search alone looks ahead, so that most of its scores are estimates."""
BAD = ("inaccuracy", "mistake", "blunder")


def sampled(spec: str, count: int, seed: int) -> list[tuple[pg.Position, int]]:
    """Positions after some random moves, with another random move in each; positions with a choice alone."""
    game, chance = pg.game_named(spec), random.Random(f"{spec} {seed}")
    found: list[tuple[pg.Position, int]] = []
    while len(found) < count:
        here = pg.Position.initial(game)
        for _ in range(chance.randrange(2, 14)):
            if here.outcome is None:
                here = here.play(chance.choice(here.legal_moves))
        if here.outcome is None and len(here.legal_moves) > 1:
            found.append((here, chance.choice(here.legal_moves)))
    return found


def grade(here: pg.Position, move: int, limit: pg.Limit) -> tuple[str, bool]:
    """The grade of a move by a search, and whether it is exact."""
    report = [*pg.think(here, limit, also=(move,))][-1]
    verdict = grade_move(report.score, dict(report.moves)[move], here.to_move)
    return ("bad" if verdict.grade in BAD else "right"), verdict.exact


def main() -> None:
    """Print a row for each game."""
    print(f"| game | moves | proved at depth {DEPTH} | of these wrong | estimates | agree | false alarm | missed |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for spec in GAMES:
        proved, wrong, estimates = 0, 0, Counter[tuple[str, str]]()
        for here, move in sampled(spec, POSITIONS, 1):
            truth, is_exact = grade(here, move, pg.Limit(nodes=3_000_000))
            assert is_exact, (spec, here.history)
            said, sure = grade(here, move, pg.Limit(depth=DEPTH))
            if sure:
                proved, wrong = proved + 1, wrong + (said != truth)
            else:
                estimates[truth, said] += 1
        total = max(sum(estimates.values()), 1)
        shares = [
            estimates["right", "right"] + estimates["bad", "bad"],
            estimates["right", "bad"],
            estimates["bad", "right"],
        ]
        row = [
            f"{POSITIONS:,}",
            f"{proved}",
            f"{wrong}",
            f"{total}",
            *(f"{100 * each / total:.0f} %" for each in shares),
        ]
        print(f"| {spec} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
