"""Fit the weights of Reversi's static evaluation (`WEIGHTS` in `plyground/games/reversi.py`) to games of the engine.

`python scripts/reversi_weights.py` plays the games, fits the weights and prints them, with the share of the variance of
margins that they explain in games held back. The same search, weights, number of games and seed give the same result.
The games depend on the weights that stand there, so after a large change a second run says more.

A term has a weight for an empty and one for a full board. The evaluation shall be near the final margin, by least
squares, and agree with itself from one ply to the next (temporal differences: Sutton, 1988), so that a search says much
the same at each depth. The second draws all weights towards 0; a factor makes the points discs again.
"""

import argparse
import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

import plyground as pg
from plyground.board.bits import size
from plyground.games.reversi import DISC, FULL_BOARD, PATTERN_WEIGHTS, Reversi

GAME: Final = Reversi()
OPENINGS: Final = (6, 8, 10, 12)
"""Random plies before a game, so that no two are alike."""
ERRS: Final = 0.04
"""Share of random moves after them, so that boards come up that good players avoid."""
DEPTH: Final = 3
ENDING: Final = 8
"""Free squares from which on moves are searched to the end, as far as `ENDING_NODES` go."""
ENDING_NODES: Final = 5_000
AGREES: Final = 30.0
"""Weight of the agreement from one ply to the next, beside the agreement with the final margin."""
PRIOR: Final = 20.0
"""Weight of 0 for each weight, in positions."""
HELD_BACK: Final = 5
"""One game in `HELD_BACK` is held back from the fit."""


class Sample(NamedTuple):
    """A position of a played game, for the player to move."""

    terms: tuple[int, ...]
    filled: int
    margin: int
    """The final margin, in discs."""


def played(chance: random.Random) -> list[Sample]:
    """The positions of one game after its opening."""
    position, plies, met = pg.Position.initial(GAME), chance.choice(OPENINGS), list[Any]()
    while position.outcome is None:
        state, legal = position.state, position.legal_moves
        free = GAME.size**2 - size(state.mine) - size(state.theirs)
        if len(position.moves) < plies or (free > ENDING and chance.random() < ERRS):
            move = chance.choice(legal)
        else:
            limit = pg.Limit(nodes=ENDING_NODES) if free <= ENDING else pg.Limit(depth=DEPTH)
            move = [*pg.think(position, limit, table=1)][-1].move
        if len(position.moves) >= plies:
            met.append(state)
        position = position.play(move)
    utility = GAME.outcome(position.state)
    return [Sample(GAME.features(each), GAME.fullness(each), utility * (1 - 2 * each.turn)) for each in met]


def columns(game: list[Sample]) -> np.ndarray[Any, Any]:
    """A row for each position: its terms by the empty part of the board, and by the filled part."""
    terms = np.array([each.terms for each in game], float)
    filled = np.array([[each.filled / FULL_BOARD] for each in game])
    return np.hstack([terms * (1 - filled), terms * filled])


def rows(games: list[list[Sample]]) -> Iterator[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """The columns and the margins of each game."""
    for game in games:
        yield columns(game), np.array([each.margin for each in game], float)


def fit(games: list[list[Sample]]) -> np.ndarray[Any, Any]:
    """Weights of the terms on an empty board, then on a full one, in discs; those of moves are no less than 0."""
    number = 2 * len(PATTERN_WEIGHTS)
    matrix, right = PRIOR * np.eye(number), np.zeros(number)
    for found, margins in rows(games):
        steps = found[1:] + found[:-1]  # from the sides of two players: a sum is a difference
        matrix += found.T @ found + AGREES * steps.T @ steps
        right += found.T @ margins
    kept = [*range(number)]
    weights = np.zeros(number)
    weights[kept] = np.linalg.solve(matrix[np.ix_(kept, kept)], right[kept])
    if weights[1] < 0:
        kept.remove(1)
        weights[:] = 0
        weights[kept] = np.linalg.solve(matrix[np.ix_(kept, kept)], right[kept])
    values = np.concatenate([found @ weights for found, _ in rows(games)])
    margins = np.concatenate([margins for _, margins in rows(games)])
    return weights * float(values @ margins / (values @ values))


def explained(weights: np.ndarray[Any, Any], games: list[list[Sample]]) -> float:
    """Share of the variance of the margins that the evaluation explains."""
    left = sum(float(((margins - found @ weights) ** 2).sum()) for found, margins in rows(games))
    return 1 - left / sum(float((margins**2).sum()) for _, margins in rows(games))


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=800, help="games that are played")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    games = [game for _ in range(asked.games) if len(game := played(chance)) > 1]
    fitted = [game for number, game in enumerate(games) if number % HELD_BACK]
    held = [game for number, game in enumerate(games) if not number % HELD_BACK]
    weights = fit(fitted)
    now = np.array(PATTERN_WEIGHTS, float).T.flatten() / DISC
    pairs = [(round(DISC * early), round(DISC * late)) for early, late in weights.reshape(2, -1).T]
    print(f"WEIGHTS: Final = ({', '.join(map(str, pairs))})")
    print(f"{len(games)} games, {sum(map(len, games))} positions; of the variance of margins held back explained:")
    print(f"{explained(weights, held):.3f}, by the weights that stand there {explained(now, held):.3f}")


if __name__ == "__main__":
    main()
