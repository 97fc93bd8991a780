"""Rules of a game with an evaluation that was learned: all else is the game's own."""

import hashlib
import sys
from array import array
from functools import lru_cache
from pathlib import Path
from struct import unpack
from typing import Any, Final

from plyground.errors import check_arguments
from plyground.games import AnyGame, as_game
from plyground.learning.network import (
    CELLS,
    ELEMENTS,
    HAND,
    LENGTH,
    LOOKUPS,
    SIZE,
    STAGES,
    hand_input,
    read_cells,
)
from plyground.learning.shipped_weights import LEARNED, OWN, named_weights, shipped_spec
from plyground.learning.weights_file import LearnedWeights
from plyground.rules import Game, State, Weights, own_rules
from plyground.search.memory import Memory, local_memory

LOGIT: Final = 1024
"""Points of a logit in a learned evaluation; the chance of x is 1 / (1 + exp(-2 * logits))."""
EVALUATION_MOST: Final = (1 << 19) - 1
"""Largest estimate, either way: below `score.ESTIMATES`, where proved wins begin."""
_learned_classes: dict[type[AnyGame], type[AnyGame]] = {}
"""The class of each class of games with a learned evaluation."""


class Learned(Game[State]):
    """A game whose static evaluation was learned, with its weights from a file; its class is also one of the game's.

    So it is searched, compiled and played as the game is, and `Position.under` changes between the two.

    Args:
        game: the game, or its spec.
        learned: weights, or their file; by default those that are shipped with the package.

    Raises:
        BadInput: there is no such file, it is damaged, or its weights are for other rules; or none are shipped.
    """

    learned_network: Weights
    """Shape of the network, as `network.py` numbers it."""
    learned_packed: Weights
    """Weights in points, four in an int, the first in its lowest 16 bits."""
    learned_mark: Weights
    """Hash of both: equal for equal evaluations."""
    learned_lookups: int
    learned_length: int
    learned_size: int
    learned_stages: int
    learned_cells: int
    learned_hand: int
    """Whether the game's own evaluation is an input: 1 or 0."""
    local: int
    """Ints of the cells of a state."""

    def __new__(cls, game: AnyGame | str, learned: LearnedWeights | Path | str = LEARNED) -> "Learned[Any]":
        base = type(as_game(game))
        if base not in _learned_classes:
            names = {"hand_written": base.evaluate, "unit": ("logits", LOGIT), "__module__": base.__module__}
            # One class for each base: `__eq__` compares classes, so a second one would make equal games different.
            _learned_classes[base] = type(base.__name__, (Learned, base), names)
        kind: Any = _learned_classes[base]
        made: Learned[Any] = object.__new__(kind)
        return made

    @check_arguments
    def __init__(self, game: AnyGame | str, learned: LearnedWeights | Path | str = LEARNED) -> None:
        game = as_game(game)
        found = learned if isinstance(learned, LearnedWeights) else named_weights(learned, game)
        numbers, packed = found.network.numbers, _pack_weights(found.weights)
        mark = hashlib.sha256(array("q", [*numbers, *packed])).digest()
        vars(self).update(vars(game))
        vars(self).update(  # a frozen class lets no other way
            made_of=(game, LEARNED if learned == LEARNED else found),
            learned_network=Weights(numbers),
            learned_packed=Weights(packed),
            learned_mark=Weights(memoryview(mark).cast("q").tolist()),
            learned_lookups=numbers[LOOKUPS],
            learned_length=numbers[LENGTH],
            learned_size=numbers[SIZE],
            learned_stages=numbers[STAGES],
            learned_cells=numbers[CELLS],
            learned_hand=int(numbers[HAND] > 0),
            local=numbers[CELLS],
            evaluation_memory=3 * numbers[CELLS] + 1 + numbers[LOOKUPS] * (numbers[LENGTH] + 1),
        )

    # Shipped weights are pickled by name: each process has them in its package, and makes the game once.
    def __reduce__(self) -> Any:
        game, made_of = vars(self)["made_of"]
        return (with_shipped, (game,)) if made_of == LEARNED else (Learned, (game, made_of))

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, Learned)
            and self.learned_mark == other.learned_mark
            and vars(self)["made_of"][0] == vars(other)["made_of"][0]
        )

    def __hash__(self) -> int:
        return hash((type(self), self.learned_mark))

    def __repr__(self) -> str:
        return f"Learned({vars(self)['made_of'][0]!r})"

    def hand_written(self, state: State) -> int:
        """The game's own evaluation."""
        return 0

    def evaluate(self, state: State) -> int:
        """Estimate for the first player: the sum of the weights of the patterns, in 1,024ths of a logit."""
        numbers, weights, cells = self.learned_network, self.learned_packed, local_memory(self)
        part = 2 * read_cells(self, numbers, cells, 0, state) + self.to_move(state)
        first, bases = part * self.learned_size, ELEMENTS + self.learned_lookups * self.learned_length
        total = 0
        for lookup in range(self.learned_lookups):
            index = first + numbers[bases + lookup]
            start = ELEMENTS + lookup * self.learned_length
            for place in range(start, start + self.learned_length):
                element = numbers[place]
                index += cells[element & 65535] * (element >> 16)
            total += ((weights[index >> 2] >> 16 * (index & 3) & 65535) ^ 32768) - 32768
        return max(-EVALUATION_MOST, min(EVALUATION_MOST, total + self.hand_part(part, state)))

    def evaluate_again(self, state: State, memory: Memory, at: int) -> int:
        """The sum of `evaluate`, incrementally: only groups with a changed cell get a new index; in a search these are
        few.

        The memory has the cells of the state; of the state before, where its groups are listed cell by cell (one int
        more), the indices of the groups, and these lists: `lookup | stride << 16`.
        """
        # Nothing is undone when a line is left, and any two states may follow each other. The weights are summed anew:
        # to correct the sum at each change was 1.35 times as fast in Hex, this 1.2 times and is shorter
        # (bench/TRIED.md).
        weights, cells, before = self.learned_packed, self.learned_cells, at + self.learned_cells
        users, indices = before + cells, before + 2 * cells + 1
        if memory[users] == 0:
            self.list_users(memory, users, indices)
        part = 2 * read_cells(self, self.learned_network, memory, at, state) + self.to_move(state)
        for cell in range(cells):
            change = memory[at + cell] - memory[before + cell]
            if change:
                memory[before + cell] += change
                for place in range(memory[users + cell], memory[users + cell + 1]):
                    user = memory[place]
                    memory[indices + (user & 65535)] += change * (user >> 16)
        first, total = part * self.learned_size, 0
        for lookup in range(self.learned_lookups):
            index = first + memory[indices + lookup]
            total += ((weights[index >> 2] >> 16 * (index & 3) & 65535) ^ 32768) - 32768
        return max(-EVALUATION_MOST, min(EVALUATION_MOST, total + self.hand_part(part, state)))

    def list_users(self, memory: Memory, users: int, indices: int) -> None:
        """Write the groups of each cell, and the indices of groups whose cells are all 0."""
        numbers, cells, length = self.learned_network, self.learned_cells, self.learned_length
        place = indices + self.learned_lookups
        for lookup in range(self.learned_lookups):
            memory[indices + lookup] = numbers[ELEMENTS + self.learned_lookups * length + lookup]
        for cell in range(cells):
            memory[users + cell] = place
            for number in range(self.learned_lookups * length):
                element = numbers[ELEMENTS + number]
                if element >> 16 and element & 65535 == cell:
                    memory[place] = element >> 16 << 16 | number // length
                    place += 1
        memory[users + cells] = place

    def hand_part(self, part: int, state: State) -> int:
        """The part of the sum by the game's own evaluation; `part` is twice the stage, plus the side to move."""
        if self.learned_hand == 0:
            return 0
        index = 2 * self.learned_stages * self.learned_size + part
        weight = ((self.learned_packed[index >> 2] >> 16 * (index & 3) & 65535) ^ 32768) - 32768
        return weight * hand_input(self.learned_network, self.hand_written(state)) >> 10

    def explain(self, state: State) -> tuple[tuple[str, int], ...]:
        total = self.evaluate(state)
        if not self.learned_hand:
            return (("patterns that were learned", total),)
        stage = read_cells(self, self.learned_network, local_memory(self), 0, state)
        hand = self.hand_part(2 * stage + self.to_move(state), state)
        return (("the game's own evaluation", hand), ("patterns that were learned", total - hand))


@lru_cache(maxsize=256)
def is_shipped(game: AnyGame) -> bool:
    """Whether weights are shipped for a game as it is, with its own evaluation."""
    return shipped_spec(game) is not None


@lru_cache(maxsize=16)
def with_shipped(game: AnyGame) -> Learned[Any]:
    """The game with its shipped weights, made once in a process, since that takes a moment.

    Raises:
        BadInput: there are none.
    """
    return Learned(game, LEARNED)


def with_evaluation(game: AnyGame, evaluation: str = "") -> AnyGame:
    """The game with the evaluation that the engine, or another player, is to search by.

    Args:
        game: the game.
        evaluation: a file of weights; `learned`, the shipped ones; `own`, the game's own evaluation; or empty, the
            engine's choice: the shipped weights where there are some, and else the evaluation that the game has.

    Raises:
        BadInput: there is no such file, it is damaged, or its weights are for other rules; or none are shipped.
    """
    if evaluation == OWN:
        return own_rules(game)
    if evaluation in ("", LEARNED):
        return with_shipped(game) if evaluation or is_shipped(game) else game
    return Learned(game, evaluation)


def _pack_weights(weights: "array[int]") -> tuple[int, ...]:
    """Weights of 16 bits, four in an int."""
    padded = array("h", weights)
    # `evaluate` takes a weight out of its int by `index >> 2` and `index & 3`; the last int must be whole.
    padded.extend([0] * (-len(weights) % 4))
    if sys.byteorder == "big":
        # Files and ints have the first weight lowest, on machines of either byte order.
        padded.byteswap()
    return unpack(f"<{len(padded) // 4}q", padded.tobytes())
