"""Smaller files of weights: those that games hardly ask for are left out.

A network has a weight for whatever may stand on each of its groups of places. Most of what it learned in the first
rounds, from games that were still bad, is hardly asked for again, and takes most of a file. So the positions of some
games are counted for each weight, and those weights stay without which the sums would change most: by the square of the
weight, times its positions. In Kalah a third as many bytes are left, and the sum of a position changes by an eighth of
its spread; coarser weights of the same size would change it by a third.
"""

from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from plyground.compiled.kernel import kernel
from plyground.games import AnyGame
from plyground.learning.learned_rules import LOGIT
from plyground.learning.network import CELLS, LOOKUPS, SIZE, STAGES, USUAL_LOOKUPS
from plyground.learning.selfplay import (
    LONGEST_LEARNED,
    NOTES,
    NUMBERS_EACH,
    STAGE_AND_SIDE,
    UNIT,
    index_of,
    next_random,
    value_of,
)
from plyground.learning.weights_file import LearnedWeights, packed_weights
from plyground.rules import ONGOING, Game
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import Counting, Observer

MOST_PACKED_BYTES: Final = 92_000
"""Bytes of packed weights, at most: a page with them is larger by less than 100 kB."""
MOST_PACKED_BYTES_LARGE: Final = 76_000
"""Most bytes of packed weights of a large network, whose shape takes more of the page."""
_COUNTED_PLIES: Final = 60_000
"""Plies of the games in which positions are counted, at most."""
_COUNTED_SHARE: Final = 8
"""A game that was learned from fewer plies than this many times as many is counted for that part of them."""
_RANDOM_MOVES: Final = 256
"""Part of random moves in them, in 1,024ths: searches meet positions that good players avoid."""
_COUNT_PRECISION: Final = 200
"""The number of weights that stay is found to one part in this many of all."""
_SEED: Final = 0x9E3779B97F4A7C15 >> 1


def count_uses(
    game: Game[Any],
    observer: Observer,
    numbers: Memory,
    weights: Memory,
    cells: Memory,
    counts: Memory,
    work: Memory,
    start: Any,
    plies: int,
) -> int:
    """Play games with oneself; count for each weight the positions after a legal move that ask for it.

    Args:
        game, observer: as for a search; the observer is polled at each ply.
        numbers, weights, cells: as for `self_play`.
        counts: a number for each weight.
        work: the seed of the random moves.
        start: the game's initial state.
        plies: how many to play, at least.

    Returns:
        Plies played.
    """
    done = 0
    while done < plies:
        state, ply = start, 0
        while ply < LONGEST_LEARNED and game.outcome(state) == ONGOING:
            observer.poll()
            ply += 1
            side = game.to_move(state)
            best, choice, picked = -(1 << 60), 0, 0
            for count, move in enumerate(game.moves(state)):
                after = game.play(state, move)
                value = value_of(game, numbers, weights, cells, 0, after)
                # The loop takes every legal move and not only the best one: a search evaluates bad moves too.
                if game.outcome(after) == ONGOING:
                    first = cells[numbers[CELLS] + STAGE_AND_SIDE] * numbers[SIZE]
                    for lookup in range(numbers[LOOKUPS]):
                        counts[first + index_of(numbers, cells, 0, lookup)] += 1
                chance = next_random(work)
                if chance % (count + 1) == 0:
                    picked = move
                rank = ((value if side == 0 else -value) << 12) + (chance & 4095)
                if rank > best:
                    best, choice = rank, move
            state = game.play(state, picked if next_random(work) % 1024 < _RANDOM_MOVES else choice)
        done += ply
    return done


def positions_using(
    weights: LearnedWeights, game: AnyGame, plies: int = _COUNTED_PLIES, play: Callable[..., int] | None = None
) -> Memory:
    """Number of positions in some games whose evaluation uses each weight; the same for each call.

    Args:
        weights, game: the weights and their game.
        plies: how many are played, at least.
        play: what plays, `count_uses` at some speed; by default compiled.
    """
    network = weights.network
    memory, counts, work = new_memory(NUMBERS_EACH * network.weights), new_memory(network.weights), new_memory(1)
    memory[::NUMBERS_EACH] = memoryview(array("q", [each * (UNIT // LOGIT) for each in weights.weights]))
    numbers = new_memory(len(network.numbers))
    numbers[:] = memoryview(array("q", network.numbers))
    work[0] = _SEED
    cells = new_memory(network.numbers[CELLS] + NOTES)
    play = play or kernel(count_uses, game)
    play(Counting.fresh(), numbers, memory, cells, counts, work, game.initial(), plies)
    return counts


def slim(weights: LearnedWeights, game: AnyGame, most: int | None = None) -> LearnedWeights:
    """Weights of `most` bytes at most: those that matter least are set to 0. Returns them unchanged if they fit."""
    if most is None:
        most = MOST_PACKED_BYTES_LARGE if weights.network.numbers[LOOKUPS] > USUAL_LOOKUPS else MOST_PACKED_BYTES
    if len(packed_weights(weights.weights)) <= most:
        return weights
    plies = min(_COUNTED_PLIES, weights.made.get("plies", _COUNTED_PLIES * _COUNTED_SHARE) // _COUNTED_SHARE)
    uses, values = positions_using(weights, game, plies), weights.weights
    own = len(values) - 2 * weights.network.numbers[STAGES]  # the game's own evaluation is an input of every position
    # A weight ranks by the change of the sums' squares that its absence would make: uses times value squared.
    ranked = sorted((-uses[place] * values[place] ** 2, place) for place in range(own) if values[place])

    def best(count: int) -> "array[int]":
        found = array("h", bytes(2 * own)) + values[own:]
        for _, place in ranked[:count]:
            found[place] = values[place]
        return found

    # Bisection: more weights take more bytes. It stops early, for each trial compresses them all.
    low, high = 0, len(ranked)
    while high - low > len(ranked) // _COUNT_PRECISION + 1:
        middle = (low + high) // 2
        low, high = (middle, high) if len(packed_weights(best(middle))) <= most else (low, middle)
    return replace(weights, weights=best(low))
