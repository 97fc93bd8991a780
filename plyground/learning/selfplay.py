"""Learning from self-play: TD(λ) with a step size for each weight, as one loop that is compiled like a search.

After Sutton (1988), Tesauro (1995), and Beal and Smith, "Temporal coherence and prediction decay in TD learning"
(1999), whose step for a weight is the sum of its errors divided by the sum of their sizes: weights that are settled
keep still, others move. Games are played with one ply of search and some random moves; at the end of each, from its
last position to the first, the value of a position moves towards that of what follows (the λ-return).

Values are whole numbers, 65,536 for a won game of x. Weights are in `UNIT`s, of which one is a logit.
"""

from array import array
from collections.abc import Sequence
from math import exp, tanh
from typing import Any, Final

from plyground.learning.network import (
    CELLS,
    ELEMENTS,
    HAND,
    LENGTH,
    LOOKUPS,
    SIZE,
    STAGES,
    Network,
    hand_input,
    read_cells,
)
from plyground.rules import ONGOING, Game
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import Observer

UNIT: Final = 1 << 24
"""Weight of a logit."""
VALUE_OF_A_WIN: Final = 1 << 16
"""Value of a game that x has won."""
NUMBERS_EACH: Final = 3
"""Numbers of a weight: itself, the sum of its errors, and that of their sizes."""
LONGEST_LEARNED: Final = 1_000
"""Plies after which a game is broken off, and learned from as far as it went."""
_STEPS: Final = 512
_LOGITS: Final = 8
SQUASHED: Final = tuple(
    round(VALUE_OF_A_WIN * tanh((index - _LOGITS * _STEPS) / _STEPS)) for index in range(2 * _LOGITS * _STEPS + 1)
)
"""Values by the sum of weights."""

COHERENT: Final = tuple(round(1024 * exp(2.7 * (index / 1024 - 1))) for index in range(1025))
"""Part of a step by the coherence of a weight, in 1,024ths, after Bagheri, Thill, Koch and Konen (2015)."""

# Places of the memory that says how to learn, and what has been done.
SEED: Final = 0
STEP: Final = 1
"""Part of its error by which a position's sum moves at first, and λ and the part of random moves, in 1,024ths."""
LAMBDA: Final = 2
RANDOM_MOVES: Final = 3
PLIES_FIELD: Final = 4
"""Plies played so far, and games."""
GAMES_PLAYED: Final = 5
DISCOUNT: Final = 6
"""Part of a value that is left one ply before, in 1,024ths."""
EXPONENTIAL: Final = 7
"""1 where steps follow the slope of the value, and coherence an exponential curve; else 0."""
LEARNING_WORK: Final = 8

# Notes that follow the cells of each ply of a game; the index of each look-up follows them.
STAGE_AND_SIDE: Final = 0
INPUT: Final = 1
BEST_FIELD: Final = 2
RANDOM: Final = 3
NOTES: Final = 4


def squash(total: int) -> int:
    """The value that a sum of weights means."""
    # UNIT / _STEPS is 2 ** 15 a step, and 4,096 steps lie below 0. A table, because compiled code and plain Python must
    # agree to the last bit, and a C library's tanh need not.
    index = (total >> 15) + 4096
    return SQUASHED[max(0, min(8192, index))]


def index_of(numbers: Memory, cells: Memory, at: int, lookup: int) -> int:
    """Place of a group's weight among those of a side and a stage."""
    length = numbers[LENGTH]
    first = ELEMENTS + lookup * length
    index = numbers[ELEMENTS + numbers[LOOKUPS] * length + lookup]
    for place in range(first, first + length):
        element = numbers[place]
        index += cells[at + (element & 65535)] * (element >> 16)
    return index


def total_of(numbers: Memory, weights: Memory, cells: Memory, at: int, part: int, given: int) -> int:
    """Sum of the weights for a position, from x's side.

    Args:
        numbers, weights: the network, and for each weight its `NUMBERS_EACH` numbers.
        cells, at: the cells of the position, and where they begin.
        part: twice its stage, and the side to move.
        given: the game's own evaluation, as an input.
    """
    first = part * numbers[SIZE]
    total = 0
    for lookup in range(numbers[LOOKUPS]):
        total += weights[3 * (first + index_of(numbers, cells, at, lookup))]
    return total + hand_of(numbers, weights, part, given)


def hand_of(numbers: Memory, weights: Memory, part: int, given: int) -> int:
    """Part of a sum by the game's own evaluation."""
    if numbers[HAND] == 0:
        return 0
    return weights[3 * (2 * numbers[STAGES] * numbers[SIZE] + part)] * given >> 10


def move_weight(weights: Memory, index: int, by: int, exponential: int) -> None:
    """Move a weight by a step times its coherence, and add the step to the sums of its errors and their sizes."""
    place = 3 * index
    errors, sizes = weights[place + 1], weights[place + 2]
    # 1 while all errors have one sign, near 0 when they cancel each other (Beal and Smith 1999); a weight without
    # errors takes the whole step.
    coherence = 1024 if sizes == 0 else (abs(errors) << 10) // sizes
    weights[place] += by * (COHERENT[coherence] if exponential else coherence) >> 10
    weights[place + 1] = errors + by
    weights[place + 2] = sizes + abs(by)


def move_weights(
    numbers: Memory, weights: Memory, cells: Memory, at: int, part: int, given: int, by: int, exponential: int
) -> None:
    """Move all weights of a position whose indices are written."""
    first, indices = part * numbers[SIZE], at + numbers[CELLS] + NOTES
    for lookup in range(numbers[LOOKUPS]):
        move_weight(weights, first + cells[indices + lookup], by, exponential)
    if numbers[HAND] > 0:
        move_weight(weights, 2 * numbers[STAGES] * numbers[SIZE] + part, by * given >> 10, exponential)


def next_random(work: Memory) -> int:
    """A random number below 2**43, by xorshift (Marsaglia 2003)."""
    x = work[SEED]
    # Masked to 63 bits: ints of compiled code are signed, and a shift to the right must bring in zeros.
    x ^= (x << 13) & 0x7FFFFFFFFFFFFFFF
    x ^= x >> 7
    x ^= (x << 17) & 0x7FFFFFFFFFFFFFFF
    work[SEED] = x
    return x >> 20


def note_position(game: Game[Any], numbers: Memory, cells: Memory, at: int, state: Any) -> None:
    """Write down a position: its cells, then its stage and side and its evaluation."""
    stage = read_cells(game, numbers, cells, at, state)
    notes = at + numbers[CELLS]
    cells[notes + STAGE_AND_SIDE] = 2 * stage + game.to_move(state)
    cells[notes + INPUT] = hand_input(numbers, game.evaluate(state)) if numbers[HAND] > 0 else 0


def exact_value(utility: int) -> int:
    """Value of a game that has ended."""
    return VALUE_OF_A_WIN if utility > 0 else -VALUE_OF_A_WIN if utility < 0 else 0


def value_of(game: Game[Any], numbers: Memory, weights: Memory, cells: Memory, at: int, state: Any) -> int:
    """Value of a state: exact at its end, else by the weights; it is written down at a place."""
    utility = game.outcome(state)
    if utility != ONGOING:
        return exact_value(utility)
    note_position(game, numbers, cells, at, state)
    notes = at + numbers[CELLS]
    return squash(total_of(numbers, weights, cells, at, cells[notes + STAGE_AND_SIDE], cells[notes + INPUT]))


def width_of(numbers: Sequence[int] | Memory) -> int:
    """Number of ints that are written for a position: its cells, notes and indices."""
    return numbers[CELLS] + NOTES + numbers[LOOKUPS]


def sums_memory(network: Network) -> Memory:
    """Memory for the sums of a position's children.

    After two numbers for each look-up, which are 0 and used for a child, it says, for each cell, where the look-ups
    that read it begin; then come these, each with its stride: `lookup | stride << 16`.
    """
    numbers = network.numbers
    cells, lookups, length = numbers[CELLS], numbers[LOOKUPS], numbers[LENGTH]
    reading: list[list[int]] = [[] for _ in range(cells)]
    for place, element in enumerate(numbers[ELEMENTS : ELEMENTS + lookups * length]):
        if element >> 16:  # else the group is shorter than others
            reading[element & 65535].append(place // length | element >> 16 << 16)
    found, first = list[int](), 2 * lookups + cells + 1
    for each in reading:
        found.append(first)
        first += len(each)
    sums = new_memory(first)
    sums[2 * lookups :] = memoryview(array("q", [*found, first, *(one for each in reading for one in each)]))
    return sums


def index_all(numbers: Memory, cells: Memory, at: int) -> None:
    """Write the index of each look-up of a position that is written down."""
    indices = at + numbers[CELLS] + NOTES
    for lookup in range(numbers[LOOKUPS]):
        cells[indices + lookup] = index_of(numbers, cells, at, lookup)


def update_indices(numbers: Memory, cells: Memory, at: int, sums: Memory) -> None:
    """Write the index of each look-up by those of the ply before; only those change that read a changed cell."""
    lookups, before = numbers[LOOKUPS], at - width_of(numbers)
    indices = at + numbers[CELLS] + NOTES
    for place in range(indices, indices + lookups):
        cells[place] = cells[place - at + before]
    for cell in range(numbers[CELLS]):
        by = cells[at + cell] - cells[before + cell]
        if by != 0:
            for entry in range(sums[2 * lookups + cell], sums[2 * lookups + cell + 1]):
                cells[indices + (sums[entry] & 65535)] += by * (sums[entry] >> 16)


def indexed_total(numbers: Memory, weights: Memory, cells: Memory, at: int, part: int) -> int:
    """Sum of the weights of a position's indices, by those of a stage and a side."""
    first, indices = part * numbers[SIZE], at + numbers[CELLS] + NOTES
    total = 0
    for lookup in range(numbers[LOOKUPS]):
        total += weights[3 * (first + cells[indices + lookup])]
    return total


def change_of_total(numbers: Memory, weights: Memory, cells: Memory, at: int, sums: Memory, part: int) -> int:
    """Difference of the sum of a child, written down at place 0, from the `indexed_total` of its parent.

    Only those look-ups are asked that read a cell in which the two differ. A cell changes an index by more than all
    cells of smaller strides together; so the change of an index that is not 0 does not become 0 again.
    """
    first, lookups, indices = part * numbers[SIZE], numbers[LOOKUPS], at + numbers[CELLS] + NOTES
    changed = lookups
    for cell in range(numbers[CELLS]):
        by = cells[cell] - cells[at + cell]
        if by != 0:
            for entry in range(sums[2 * lookups + cell], sums[2 * lookups + cell + 1]):
                lookup = sums[entry] & 65535
                if sums[lookup] == 0:
                    sums[changed] = lookup
                    changed += 1
                sums[lookup] += by * (sums[entry] >> 16)
    total = 0
    for place in range(lookups, changed):
        lookup = sums[place]
        index = first + cells[indices + lookup]
        total += weights[3 * (index + sums[lookup])] - weights[3 * index]
        sums[lookup] = 0
    return total


def learn_game(numbers: Memory, weights: Memory, cells: Memory, plies: int, work: Memory) -> None:
    """Learn from the positions of a game that are written down, the last one first."""
    width = width_of(numbers)
    inputs = numbers[LOOKUPS] + (1 if numbers[HAND] > 0 else 0)
    following = 0
    for back in range(plies):
        at = width * (plies - back)  # position 0 is where children are written down
        notes = at + numbers[CELLS]
        found = cells[notes + BEST_FIELD] * work[DISCOUNT] >> 10
        # The λ-return backward: of the position after this one, faded by one ply; at the last position the value
        # itself.
        following = following * work[DISCOUNT] >> 10 if back else found
        if cells[notes + RANDOM]:
            following = found  # what followed says nothing of the position, and less of those before
            continue
        target = found + ((following - found) * work[LAMBDA] >> 10)
        part, given = cells[notes + STAGE_AND_SIDE], cells[notes + INPUT]
        value = squash(indexed_total(numbers, weights, cells, at, part) + hand_of(numbers, weights, part, given))
        # Divided among the inputs, so that the whole sum moves by the step. 4: a value has 2 ** 16 for a win, a weight
        # 2 ** 24 for a logit, and the step 2 ** 10 for 1, and 24 - 16 - 10 = -2.
        by = (target - value) * work[STEP] // (4 * inputs)
        if work[EXPONENTIAL]:
            # The slope of tanh is 1 - tanh²: where a value is near a win or a loss, a step changes little.
            by = by * (VALUE_OF_A_WIN - value * value // VALUE_OF_A_WIN) // VALUE_OF_A_WIN
        move_weights(numbers, weights, cells, at, part, given, by, work[EXPONENTIAL])
        following = target


def self_play(
    game: Game[Any],
    observer: Observer,
    numbers: Memory,
    weights: Memory,
    cells: Memory,
    sums: Memory,
    work: Memory,
    start: Any,
    plies: int,
) -> int:
    """Play games with oneself and learn from each, until a number of plies is played.

    Args:
        game, observer: as for a search; the observer is polled at each ply.
        numbers: the network.
        weights: `NUMBERS_EACH` numbers for each of its weights.
        cells: room for the cells, notes and indices of `LONGEST_LEARNED` positions and one more.
        sums: what `sums_memory` makes.
        work: the seed, how to learn, and what has been done.
        start: the game's initial state.
        plies: how many to play, at least.

    Returns:
        Plies played.
    """
    width = width_of(numbers)
    done = 0
    while done < plies:
        state, ply = start, 0
        while ply < LONGEST_LEARNED and game.outcome(state) == ONGOING:
            observer.poll()
            ply += 1
            note_position(game, numbers, cells, width * ply, state)
            if ply == 1:
                index_all(numbers, cells, width)
            else:
                update_indices(numbers, cells, width * ply, sums)
            part, total = -1, 0
            side = game.to_move(state)
            best, choice, picked = -(1 << 60), 0, 0
            for count, move in enumerate(game.moves(state)):
                after = game.play(state, move)
                utility = game.outcome(after)
                if utility != ONGOING:
                    value = exact_value(utility)
                else:
                    note_position(game, numbers, cells, 0, after)
                    if cells[numbers[CELLS] + STAGE_AND_SIDE] != part:  # seldom: children are alike in these
                        part = cells[numbers[CELLS] + STAGE_AND_SIDE]
                        total = indexed_total(numbers, weights, cells, width * ply, part)
                    given = hand_of(numbers, weights, part, cells[numbers[CELLS] + INPUT])
                    value = squash(total + given + change_of_total(numbers, weights, cells, width * ply, sums, part))
                chance = next_random(work)
                # A random move in one pass: the n-th move takes the place of the choice with probability 1 / n
                # (reservoir sampling).
                if chance % (count + 1) == 0:
                    picked = move
                # Twelve random bits below the value choose among equal moves.
                rank = ((value if side == 0 else -value) << 12) + (chance & 4095)
                if rank > best:
                    best, choice = rank, move
            is_random = 1 if next_random(work) % 1024 < work[RANDOM_MOVES] else 0
            notes = width * ply + numbers[CELLS]
            # From x's side, like all values of this module, also where a random move is made in its place.
            cells[notes + BEST_FIELD] = (best >> 12) if side == 0 else -(best >> 12)
            cells[notes + RANDOM] = is_random
            state = game.play(state, picked if is_random else choice)
        learn_game(numbers, weights, cells, ply, work)
        done += ply
        work[GAMES_PLAYED] += 1
    work[PLIES_FIELD] += done
    return done


def add_part(game: Game[Any], observer: Observer, base: Memory, part: Memory, sums: Memory, count: int) -> int:
    """Add to `sums`, four numbers for each weight, the difference of a part's weights from those it began with.

    The numbers are the changes of the weight and of its two sums, and the number of parts that changed it.
    """
    for index in range(count):
        place = 3 * index
        # The sum of sizes never falls, so it says whether a part has met this weight at all.
        if part[place + 2] != base[place + 2]:
            sums[4 * index] += part[place] - base[place]
            sums[4 * index + 1] += part[place + 1] - base[place + 1]
            sums[4 * index + 2] += part[place + 2] - base[place + 2]
            sums[4 * index + 3] += 1
    return count


def merge_parts(game: Game[Any], observer: Observer, base: Memory, sums: Memory, count: int) -> int:
    """Change weights by the mean over the parts that changed them, and clear `sums`."""
    for index in range(count):
        parts = sums[4 * index + 3]
        if parts > 0:
            # The mean of the changes: their sum would be a step that is several times too large. Errors and sizes are
            # sums, as if one process had met them all.
            base[3 * index] += sums[4 * index] // parts
            base[3 * index + 1] += sums[4 * index + 1]
            base[3 * index + 2] += sums[4 * index + 2]
            for place in range(4 * index, 4 * index + 4):
                sums[place] = 0
    return count


def add_to_means(game: Game[Any], observer: Observer, means: Memory, weights: Memory, count: int, rounds: int) -> int:
    """Move means towards weights, by a part that becomes smaller with the rounds: about the last eighth of these count.

    After Shamir and Zhang, "Stochastic gradient descent for non-smooth optimization" (2013).
    """
    for index in range(count):
        means[index] += (weights[3 * index] - means[index]) * 8 // (rounds + 8)
    return count


def initial_weights(network: Network) -> Memory:
    """Numbers of weights before anything is learned: of the game's own evaluation half a logit, of all others 0."""
    weights = new_memory(NUMBERS_EACH * network.weights)
    if network.numbers[HAND]:
        for index in range(network.weights - 2 * network.numbers[STAGES], network.weights):
            weights[NUMBERS_EACH * index] = UNIT // 2
    return weights
