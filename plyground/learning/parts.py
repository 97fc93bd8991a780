"""Parts of a learned evaluation: the points of each group of places in a position, against their average."""

import math
import random
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Final

from plyground.games import AnyGame
from plyground.learning.learned_rules import LOGIT, Learned
from plyground.learning.network import BOARD_CELLS, ELEMENTS, read_cells
from plyground.rules import ONGOING, board_of
from plyground.search.memory import local_memory

_SAMPLE_GAMES: Final = 30
"""Random games from which the average of each group is taken."""
_SAMPLE_PLIES: Final = 200
_FEWEST_POSITIONS: Final = 5
"""Positions of a stage and side below which a mean says little."""


@dataclass(frozen=True)
class Pattern:
    """A group of places with the points that the learned weights give it in one position."""

    places: tuple[int, ...]
    points: float
    """Sum for the first player, in logits, less what the group adds on average."""

    @property
    def chance(self) -> float:
        """The first player's chance in an even position that has this pattern besides."""
        return chance_of(self.points)


def chance_of(logits: float) -> float:
    """The first player's chance that a sum means."""
    # Learning fits tanh(sum) to +1 for a win and -1 for a loss, and (1 + tanh x) / 2 = 1 / (1 + exp(-2x)).
    return 1 / (1 + math.exp(-2 * logits))


class EvaluationParts:
    """The parts of a learned evaluation, each against its average in random games of the same stage and side to move.

    Args:
        learned: the game with its learned evaluation.
        seed: of the random games.
    """

    def __init__(self, learned: Learned[Any], seed: int = 0) -> None:
        self._learned = learned
        numbers = learned.learned_network
        first, length = ELEMENTS, learned.learned_length
        board = board_of(learned)
        self._places = list[tuple[int, ...]]()
        for lookup in range(learned.learned_lookups):
            cells = [each & 65535 for each in numbers[first + lookup * length : first + (lookup + 1) * length] if each]
            places = [cell for cell in cells if cell < numbers[BOARD_CELLS]]
            places += [
                place for cell in cells if cell >= numbers[BOARD_CELLS]
                for place in board.areas[cell - numbers[BOARD_CELLS]].places
            ]  # fmt: skip
            self._places.append(tuple(places))
        self._usual = self._averages(random.Random(f"parts {seed}"))

    def _averages(self, chance: random.Random) -> dict[int, list[float]]:
        sums, counts = defaultdict[int, list[float]](lambda: [0.0] * len(self._places)), defaultdict[int, int](int)
        game: AnyGame = self._learned
        for _ in range(_SAMPLE_GAMES):
            state = game.initial()
            for _ in range(_SAMPLE_PLIES):
                if game.outcome(state) != ONGOING:
                    break
                part, added = self._sum_groups(state)
                counts[part] += 1
                sums[part] = [one + other for one, other in zip(sums[part], added, strict=True)]
                state = game.play(state, chance.choice(list(game.moves(state))))
        # A stage that random games hardly reach has no average: its groups are shown as they are.
        return {
            part: [each / counts[part] for each in sums[part]] for part in sums if counts[part] >= _FEWEST_POSITIONS
        }

    def _sum_groups(self, state: Any) -> tuple[int, list[int]]:
        """Returns the stage and side of a state, as one number, and the weight of each group."""
        learned = self._learned
        numbers, weights, cells = learned.learned_network, learned.learned_packed, local_memory(learned)
        part = 2 * read_cells(learned, numbers, cells, 0, state) + learned.to_move(state)
        bases, added = ELEMENTS + learned.learned_lookups * learned.learned_length, list[int]()
        for lookup in range(learned.learned_lookups):
            index = part * learned.learned_size + numbers[bases + lookup]
            start = ELEMENTS + lookup * learned.learned_length
            for element in numbers[start : start + learned.learned_length]:
                index += cells[element & 65535] * (element >> 16)
            added.append(((weights[index >> 2] >> 16 * (index & 3) & 65535) ^ 32768) - 32768)
        return part, added

    def patterns(self, state: Any) -> list[Pattern]:
        """All groups in a state, the weightiest first; groups of the same places are one."""
        part, added = self._sum_groups(state)
        usual = self._usual.get(part, [0.0] * len(added))
        # Images share weights but are read at other places; two look-ups of the same places are shown as one group.
        found = defaultdict[tuple[int, ...], float](float)
        for places, points, average in zip(self._places, added, usual, strict=True):
            found[tuple(sorted(places))] += (points - average) / LOGIT
        return sorted((Pattern(*each) for each in found.items()), key=lambda each: -abs(each.points))
