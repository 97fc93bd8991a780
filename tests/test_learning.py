"""Evaluations learned from self-play: patterns, their symmetries, sums, and what is learned."""

import random
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import exp, tanh
from typing import Any

import pytest

from plyground.board.look import Board, Piece, squares
from plyground.compiled.kernel import kernel
from plyground.errors import BadInput
from plyground.games import AnyGame, game_named
from plyground.learning import network as net
from plyground.learning import selfplay
from plyground.learning.geometry import motions, symmetries
from plyground.rules import ONGOING, Game, board_of
from plyground.search.memory import Memory, new_memory
from plyground.search.observer import Counting

SYMMETRIES = {"tictactoe": 8, "connectfour:4,3,3": 2, "hex:3": 2, "reversi:4": 4, "breakthrough:4,5": 2, "kalah:2,2": 1}
"""Symmetries of games, as anybody can count them: mirrored, turned by half, all eight of the square."""


def walked(game: AnyGame, chance: random.Random, plies: int) -> Any:
    """A state after random moves, before the end."""
    state = before = game.initial()
    for _ in range(plies):
        if game.outcome(state) != ONGOING:
            return before
        before, state = state, game.play(state, chance.choice(list(game.moves(state))))
    return state if game.outcome(state) == ONGOING else before


def memory_of(numbers: Sequence[int]) -> Memory:
    """Numbers as compiled code gets them."""
    memory = new_memory(len(numbers))
    memory[: len(numbers)] = memoryview(array("q", numbers))
    return memory


@pytest.mark.parametrize(("spec", "count"), SYMMETRIES.items())
def test_symmetries_are_those_of_the_rules(spec: str, count: int) -> None:
    """A board has as many symmetries as the table says."""
    assert len(symmetries(game_named(spec))) == count


def test_a_motion_of_the_board_that_the_rules_do_not_have_is_none() -> None:
    """The board of Connect Four can be turned upside down, and its rules cannot."""
    game = game_named("connectfour:4,3,3")
    assert len(motions(board_of(game))) == 4 > len(symmetries(game))


def test_the_image_of_a_move_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 25 moves to choose from, a symmetry is not checked by all that follow: for some games that takes minutes."""
    game = game_named("mnk:5,5,5")
    played, rules = list[int](), type(game).play

    def play(self: AnyGame, state: Any, move: int) -> Any:
        played.append(move)
        return rules(self, state, move)

    monkeypatch.setattr(type(game), "play", play)
    assert len(symmetries(game)) == 8
    assert len(played) < 8 * 3 * 2 * 25 + 50


class Slow:
    """The network of a game in plain words: a dictionary of weights, floats, and nothing shared but by name."""

    def __init__(self, game: AnyGame, network: net.Network) -> None:
        self.game, self.numbers, self.weights = game, network.numbers, defaultdict[tuple[Any, ...], int](int)

    def keys(self, state: Any) -> list[tuple[Any, ...]]:
        """Contents of each group, with the table's name, the stage and the side to move."""
        numbers, places = self.numbers, self.numbers[net.BOARD_CELLS]
        cells = [number & 255 for number in self.game.stands(state)][:places]
        taken = sum(cell > 0 for cell in cells)
        stage = min(
            numbers[net.STAGES] - 1, (taken - numbers[net.LOW_FIELD]) * numbers[net.STAGES] // numbers[net.SPREAD]
        )
        found = []
        for lookup in range(numbers[net.LOOKUPS]):
            first = net.ELEMENTS + lookup * numbers[net.LENGTH]
            table = numbers[net.ELEMENTS + numbers[net.LOOKUPS] * numbers[net.LENGTH] + lookup]
            group = tuple(
                cells[element & 0xFFFF] for element in numbers[first : first + numbers[net.LENGTH]] if element >> 16
            )
            found.append((table, stage, self.game.to_move(state), group))
        return found


def test_sums_are_those_of_the_slow_twin_and_the_same_for_images() -> None:
    """Sums of random weights; an image under a symmetry has the same groups, so the same sum."""
    game, chance = game_named("connectfour:4,4,3"), random.Random(1)
    network = net.network_of(game, 12)
    weights = new_memory(3 * network.weights)
    for index in range(network.weights - 2 * network.numbers[net.STAGES]):
        weights[3 * index] = chance.randrange(-1000, 1000)
    numbers, cells = memory_of(network.numbers), new_memory(2 * (network.numbers[net.CELLS] + selfplay.NOTES))
    slow, known = Slow(game, network), dict[tuple[Any, ...], int]()
    for _ in range(40):
        state = walked(game, chance, chance.randrange(12))
        total = 0
        selfplay.note_position(game, numbers, cells, 0, state)
        part = cells[network.numbers[net.CELLS] + selfplay.STAGE_AND_SIDE]
        for lookup, key in enumerate(slow.keys(state)):
            weight = weights[3 * (part * network.numbers[net.SIZE] + selfplay.index_of(numbers, cells, 0, lookup))]
            assert known.setdefault(key, weight) == weight  # a weight for each group and what stands there
            total += weight
        assert selfplay.total_of(numbers, weights, cells, 0, part, 0) == total
        mirrored = game.parse_state("/".join(row[::-1] for row in game.text(state).split(":")[0].split("/")))
        selfplay.note_position(game, numbers, cells, 0, mirrored)
        assert selfplay.total_of(numbers, weights, cells, 0, part, 0) == total


@pytest.mark.parametrize("spec", ["connectfour:4,4,3", "ultimate", "kalah:3,2"])
def test_the_sum_of_a_child_follows_from_its_parents(spec: str) -> None:
    """By the look-ups alone that read a changed cell; child after child, with none left over from the last. The indices
    of the next position follow in the same way."""
    game, chance = game_named(spec), random.Random(2)
    network = net.network_of(game, 12)
    weights = new_memory(3 * network.weights)
    for index in range(network.weights):
        weights[3 * index] = chance.randrange(-1000, 1000)
    numbers, sums = memory_of(network.numbers), selfplay.sums_memory(network)
    width, noted = selfplay.width_of(numbers), network.numbers[net.CELLS]
    cells = new_memory(3 * width)
    for _ in range(20):
        state = walked(game, chance, chance.randrange(12))
        selfplay.note_position(game, numbers, cells, width, state)
        selfplay.index_all(numbers, cells, width)
        for move in game.moves(state):
            selfplay.note_position(game, numbers, cells, 0, game.play(state, move))
            part = cells[noted + selfplay.STAGE_AND_SIDE]
            total = selfplay.indexed_total(numbers, weights, cells, width, part)
            total += selfplay.change_of_total(numbers, weights, cells, width, sums, part)
            assert total == selfplay.total_of(numbers, weights, cells, 0, part, 0)
            selfplay.note_position(game, numbers, cells, 2 * width, game.play(state, move))
            selfplay.update_indices(numbers, cells, 2 * width, sums)
            indices = list(cells[2 * width + noted + selfplay.NOTES :])
            selfplay.index_all(numbers, cells, 2 * width)
            assert list(cells[2 * width + noted + selfplay.NOTES :]) == indices


def test_values_are_the_hyperbolic_tangent_of_sums() -> None:
    """To a thousandth or two."""
    for total in (-3 * selfplay.UNIT, -selfplay.UNIT // 3, 0, 5, selfplay.UNIT, 20 * selfplay.UNIT):
        assert abs(selfplay.squash(total) / selfplay.VALUE_OF_A_WIN - tanh(total / selfplay.UNIT)) < 2e-3


def learned_with(run: Callable[..., int], game: AnyGame, network: net.Network, plies: int) -> list[int]:
    """All numbers of the weights after some plies."""
    weights, work = selfplay.initial_weights(network), new_memory(selfplay.LEARNING_WORK)
    work[selfplay.SEED], work[selfplay.STEP], work[selfplay.LAMBDA], work[selfplay.RANDOM_MOVES] = 77, 1024, 700, 100
    work[selfplay.DISCOUNT], work[selfplay.EXPONENTIAL] = (1000, 1) if network.numbers[net.FILLABLE] else (1024, 0)
    cells = new_memory(selfplay.width_of(network.numbers) * (selfplay.LONGEST_LEARNED + 1))
    sums = selfplay.sums_memory(network)
    run(Counting.fresh(), memory_of(network.numbers), weights, cells, sums, work, game.initial(), plies)
    return list(weights)


@pytest.mark.compiled
@pytest.mark.parametrize(("spec", "large"), [("reversi:4", False), ("connectfour:4,4,3", True)])
def test_compiled_learning_is_that_of_plain_python(spec: str, large: bool) -> None:
    """To the last bit, with the game's own evaluation among the inputs; and in a large network with its settings."""
    game = game_named(spec)
    network = net.network_of(game, 8, large=large)

    def plain(*args: Any) -> int:
        return selfplay.self_play(game, *args)

    fast = kernel(selfplay.self_play, game)
    assert learned_with(plain, game, network, 300) == learned_with(fast, game, network, 300) and fast.why_plain is None


def test_places_that_can_be_filled_are_told_from_other_empty_ones() -> None:
    """In a large network, where the rules have both; a state's stage is that of its marks alone."""
    game = game_named("connectfour:4,3,3")
    numbers = net.network_of(game, 12, large=True).numbers
    assert numbers[net.FILLABLE] == 3 and numbers[net.STAGES] == 1
    cells = new_memory(numbers[net.CELLS])
    state = game.parse_state("..../x.../o..x:o")
    assert net.read_cells(game, numbers, cells, 0, state) == 0
    assert list(cells) == [3, 0, 0, 0, 1, 0, 0, 3, 2, 3, 3, 1]
    for spec in ("mnk:3,3,3", "reversi:4", "ultimate", "breakthrough:4,5"):
        assert net.network_of(game_named(spec), 12, large=True).numbers[net.FILLABLE] == 0
    assert net.network_of(game, 12).numbers[net.FILLABLE] == 0


@pytest.mark.parametrize("exponential", [0, 1])
def test_a_game_is_learned_from_as_td_lambda_says(exponential: int) -> None:
    """The λ-return of floats, on a slow twin of the weights, moves them as the loop of whole numbers does."""
    game, chance = game_named("tictactoe"), random.Random(3)
    network = net.network_of(game, 16)
    numbers, weights, work = (
        memory_of(network.numbers),
        selfplay.initial_weights(network),
        new_memory(selfplay.LEARNING_WORK),
    )
    hand = network.numbers[net.HAND] > 0
    for place in range(0, len(weights), 3):
        weights[place] = 0
    work[selfplay.STEP], work[selfplay.LAMBDA] = 1024, 512
    work[selfplay.DISCOUNT], work[selfplay.EXPONENTIAL] = 960, exponential
    width = selfplay.width_of(network.numbers)
    cells = new_memory(10 * width)
    states, found, is_random = [], [], []
    state = game.initial()
    for ply in range(5):
        selfplay.note_position(game, numbers, cells, width * (ply + 1), state)
        selfplay.index_all(numbers, cells, width * (ply + 1))
        states.append(state)
        found.append(chance.uniform(-1, 1))
        is_random.append(ply == 1)
        notes = width * (ply + 1) + network.numbers[net.CELLS]
        cells[notes + selfplay.BEST_FIELD] = round(found[-1] * selfplay.VALUE_OF_A_WIN)
        cells[notes + selfplay.RANDOM] = is_random[-1]
        cells[notes + selfplay.INPUT] = 0
        state = game.play(state, next(iter(game.moves(state))))
    selfplay.learn_game(numbers, weights, cells, 5, work)

    slow, values = Slow(game, network), defaultdict[tuple[Any, ...], float](float)
    errors, sizes = defaultdict[tuple[Any, ...], float](float), defaultdict[tuple[Any, ...], float](float)
    returned, discount = found[-1], 960 / 1024
    for ply in reversed(range(5)):
        if is_random[ply]:
            returned = found[ply]
            continue
        returned = discount * (0.5 * found[ply] + 0.5 * returned)
        keys = slow.keys(states[ply])
        value = tanh(sum(values[key] for key in keys))
        error = (returned - value) * (1 - value**2 if exponential else 1)
        for key in keys:
            by, coherence = error / (len(keys) + hand), abs(errors[key]) / sizes[key] if sizes[key] else 1
            values[key] += by * (exp(2.7 * (coherence - 1)) if exponential else coherence)
            errors[key] += by
            sizes[key] += abs(by)
    for ply in range(5):
        selfplay.note_position(game, numbers, cells, 0, states[ply])
        part = cells[network.numbers[net.CELLS] + selfplay.STAGE_AND_SIDE]
        total = selfplay.total_of(numbers, weights, cells, 0, part, 0) / selfplay.UNIT
        assert abs(total - sum(values[key] for key in slow.keys(states[ply]))) < 0.05


class Endless(Game[int]):
    """A game without end, on a board of many places and pieces."""

    def __init__(self, side: int = 3, kinds: int = 2) -> None:
        self.side, self.kinds = side, kinds

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state & 1

    def moves(self, state: int) -> Iterator[int]:
        yield 0

    def play(self, state: int, move: int) -> int:
        return 1 - state

    def outcome(self, state: int) -> int:
        return ONGOING

    def board(self) -> Board:
        if not self.side:
            return Board()
        return replace(squares(self.side, self.side), pieces=tuple(Piece(text=str(n)) for n in range(self.kinds)))

    def stands(self, state: int) -> Iterator[int]:
        return iter([0] * self.side**2)


WRONG = {
    "has no board to learn from": Endless(0),
    "has 10,000 places": Endless(100),
    "has 100 kinds of pieces": Endless(3, 100),
    "does not end in 1,000 plies": Endless(),
}


@pytest.mark.parametrize("said", WRONG)
def test_what_cannot_be_learned_is_said(said: str) -> None:
    """In a sentence, before anything is learned."""
    with pytest.raises(BadInput, match=said):
        net.network_of(WRONG[said])
