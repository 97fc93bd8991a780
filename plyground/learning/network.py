"""N-tuple network: a sum of weights, one for the pieces on each of many small groups of places.

After Bledsoe and Browning (1959), Lucas, "Learning to play Othello with n-tuple systems" (2008), and Buro's patterns.
A position is read from `stands`: a small number for each place and area, its cell. Each group of cells makes an index
into a table; groups that are images of each other under the game's symmetries share theirs. Each side to move and each
stage of the game has weights of its own. The game's own evaluation is one more input, with a weight for each stage.

All of it is whole numbers, so that plain Python and compiled code agree to the last bit.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from plyground.board.look import CLOSED, COUNT, IDLE
from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.learning.geometry import orbits, symmetries
from plyground.rules import ONGOING, Game, board_of
from plyground.search.memory import Memory

# Places of a network's numbers, which the compiled functions get as they are.
BOARD_CELLS: Final = 0
"""Cells of places; after them come those of areas."""
CELLS: Final = 1
KIND_FIELD: Final = 2
"""Factor of a piece's number in its cell, 1 or 0; `EACH` is that of its count."""
EACH_FIELD: Final = 3
MOST_FIELD: Final = 4
"""Largest number of a cell of a place; larger ones count as it."""
LOW_FIELD: Final = 5
"""Occupied places up to which the first stage lasts, and number of places over which all stages are spread."""
SPREAD: Final = 6
STAGES: Final = 7
LOOKUPS: Final = 8
LENGTH: Final = 9
"""Cells of a group."""
SIZE: Final = 10
"""Weights of one side to move in one stage."""
HAND: Final = 11
"""Usual size of the game's own evaluation; 0 where it is no input."""
FILLABLE: Final = 12
"""Cell of an empty place that a move can fill now, where it is told from other empty ones; else 0."""
ELEMENTS: Final = 16
"""For each look-up `LENGTH` numbers, `cell | stride << 16`; then for each look-up where its table begins."""

AREA_MOST: Final = 4
"""Largest number of an area's cell: 0 idle, 1 x has it, 2 o has it, 3 closed, 4 open."""
CELLS_MOST: Final = 512
KINDS_MOST: Final = 40
_PLIES_MOST: Final = 1_000
"""Plies of a random game that counts as endless."""
_TABLE_MOST: Final = 30_000
"""Weights of a table, about."""
_TOTAL_MOST: Final = 4_000_000
_SAMPLED_GAMES: Final = 10
"""Random games from which the stages and the size of the evaluation are taken."""
_USUAL_LENGTH: Final = 8
USUAL_LOOKUPS: Final = 40
LARGE_LOOKUPS: Final = 140
"""Look-ups of a large network: 70 groups and their mirror images (Thill, Koch and Konen 2012)."""


@dataclass(frozen=True)
class Network:
    """Shape of a network for one game."""

    numbers: tuple[int, ...]
    """The numbers at the places that this module names."""

    def __post_init__(self) -> None:
        """Check that no index can lie outside the weights, because compiled code does not.

        Raises:
            BadInput: one can.
        """
        numbers = self.numbers
        wrong = BadInput("The shape of these weights is damaged: learn them anew.")
        if len(numbers) < ELEMENTS or min(numbers) < 0 or max(numbers) >= 1 << 40:
            raise wrong
        lookups, length, size = numbers[LOOKUPS], numbers[LENGTH], numbers[SIZE]
        if len(numbers) != ELEMENTS + lookups * length + lookups or not 0 < numbers[CELLS] <= 2 * CELLS_MOST:
            raise wrong
        if (
            not numbers[BOARD_CELLS] <= numbers[CELLS]
            or numbers[SPREAD] < 1
            or numbers[STAGES] < 1
            or numbers[KIND_FIELD] > 1
            or numbers[FILLABLE] not in (0, numbers[MOST_FIELD] + 1)
        ):
            raise wrong
        if self.weights > _TOTAL_MOST:
            raise wrong
        for lookup in range(lookups):
            most = numbers[ELEMENTS + lookups * length + lookup]
            # The largest index of this group: every cell at its largest number. Below `size`, no read can leave the
            # weights.
            for element in numbers[ELEMENTS + lookup * length : ELEMENTS + (lookup + 1) * length]:
                cell, stride = element & 0xFFFF, element >> 16
                if cell >= numbers[CELLS]:
                    raise wrong
                most += stride * (
                    max(numbers[MOST_FIELD], numbers[FILLABLE]) if cell < numbers[BOARD_CELLS] else AREA_MOST
                )
            if most >= size:
                raise wrong

    @property
    def weights(self) -> int:
        """Number of weights: of all stages and sides, and at the end one for the evaluation in each of these."""
        return 2 * self.numbers[STAGES] * (self.numbers[SIZE] + 1)


def network_of(game: AnyGame, lookups: int | None = None, *, large: bool = False) -> Network:
    """The network for a game, always the same one.

    Args:
        game: the game.
        lookups: number of look-ups, at most.
        large: more look-ups; and where a move sets a mark on an empty place, and not on each of them, those that it can
            be set on have a cell of their own. It has one stage: games are few for so many weights.

    Raises:
        BadInput: the game cannot be learned; the sentence says why.
    """
    board, name = board_of(game), type(game).__name__
    places = len(board.places)
    if not places:
        raise BadInput(f"{name} has no board to learn from: define board(self) and stands(self, state).")
    if places + len(board.areas) > CELLS_MOST:
        raise BadInput(f"{name} has {places:,} places; what is learned has room for {CELLS_MOST}.")
    counts = [piece.count == 0 for piece in board.pieces]
    kind, each = (0, 1) if all(counts) else (1, len(counts) if any(counts) else 0)
    most = 11 if all(counts) else len(counts) * (4 if any(counts) else 1)
    if most >= KINDS_MOST:
        raise BadInput(f"{name} has {len(counts)} kinds of pieces; what is learned has room for {KINDS_MOST - 1}.")
    samples = _sample_cells(game)
    cells = len(list(game.stands(game.initial())))
    if cells < places:
        raise BadInput(f"{name} does not say what stands on its board: define stands(self, state).")
    taken = [sum(_cell(number, kind, each, most) > 0 for number in standing[:places]) for standing, _ in samples]
    low, spread = min(taken), max(taken) - min(taken) + 1
    stages = 1 if large else max(1, min(4, round(spread / 16)))
    free = most + 1 if large and cells == places and _marks_some_places(game) else 0
    groups = _groups(game, cells, max(most, free), lookups or (LARGE_LOOKUPS if large else USUAL_LOOKUPS))
    length = max(len(group) for images, _ in groups for group in images)
    elements, bases, size = list[int](), list[int](), 0
    for images, radices in groups:
        for group in images:
            stride = 1
            # Mixed radix: the stride of a cell is the number of values of all cells before it.
            for cell, radix in zip(group, radices, strict=True):
                elements.append(cell | stride << 16)
                stride *= radix
            # Padding reads cell 0 with stride 0, which counts nothing, so the compiled loop has one length for all
            # groups.
            elements += [0] * (length - len(group))
            # Images of a group have the same base: that is how they share their weights.
            bases.append(size)
        size += math.prod(radices)
    hand = 0
    if type(game).evaluate is not Game.evaluate:
        # The root mean square over random games is the unit of this input, so that its weight means the same in every
        # game.
        squares = [evaluated * evaluated for _, evaluated in samples]
        hand = max(1, math.isqrt(sum(squares) // len(squares)))
    head = [places, cells, kind, each, most, low, spread, stages, len(bases), length, size, hand, free]
    return Network((*head, *[0] * (ELEMENTS - len(head)), *elements, *bases))


def _groups(game: AnyGame, cells: int, most: int, lookups: int) -> list[tuple[list[tuple[int, ...]], tuple[int, ...]]]:
    """Groups of cells with their images, and the radix of each cell of a group."""
    board, group = board_of(game), symmetries(game)
    places, radix = len(board.places), most + 1
    found = list[tuple[list[tuple[int, ...]], tuple[int, ...]]]()
    # Fixed seeds here and below: the network of a game is always the same one, so a file of weights fits anywhere.
    if cells > places:  # areas that are won: each with its places, and all in a row
        for area in board.areas:
            if radix ** len(area.places) <= _TABLE_MOST:
                found.append(([area.places], (radix,) * len(area.places)))
        lookups -= len(found)
        numbers = list(range(places, cells))
        chance = random.Random("areas")
        for _ in range(lookups // 3):
            found.append(
                ([tuple(sorted(chance.sample(numbers, min(5, len(numbers)))))], (AREA_MOST + 1,) * min(5, len(numbers)))
            )
            lookups -= 1
    # The length keeps a table small: radix to the power of the length is its number of weights.
    length = max(1, min(_USUAL_LENGTH, int(math.log(_TABLE_MOST) / math.log(radix))))
    for images in orbits(board, group, length, lookups):
        found.append((images, (radix,) * len(images[0])))
    return found


def _marks_some_places(game: AnyGame) -> bool:
    """Whether in random games each move sets a mark on one empty place and changes no other, but not on any of them."""
    chance, empty, free = random.Random("free"), 0, 0
    for _ in range(_SAMPLED_GAMES):
        state = game.initial()
        while game.outcome(state) == ONGOING:
            here, paths = list(game.stands(state)), [tuple(game.path(state, move)) for move in game.moves(state)]
            if any(len(path) != 1 or here[path[0]] for path in paths):
                return False
            empty, free = empty + here.count(0), free + len(paths)
            move = chance.choice(list(game.moves(state)))
            after = game.play(state, move)
            pairs = enumerate(zip(here, game.stands(after), strict=True))
            changed = [place for place, (one, other) in pairs if one != other]
            if game.outcome(after) == ONGOING and changed != list(game.path(state, move)):
                return False
            state = after
    return free < empty


def _cell(number: int, kind: int, each: int, most: int) -> int:
    return min(most, (number & 255) * kind + number // COUNT * each)


def _sample_cells(game: AnyGame) -> list[tuple[list[int], int]]:
    """Cells of positions of random games, each with the game's own evaluation.

    Raises:
        BadInput: no game ends.
    """
    chance, found, ended = random.Random("samples"), list[tuple[list[int], int]](), 0
    for _ in range(_SAMPLED_GAMES):
        state = game.initial()
        for _ in range(_PLIES_MOST):
            if game.outcome(state) != ONGOING:
                ended += 1
                break
            found.append((list(game.stands(state)), game.evaluate(state)))
            state = game.play(state, chance.choice(list(game.moves(state))))
    if not ended:
        raise BadInput(
            f"{type(game).__name__} does not end in {_PLIES_MOST:,} plies of random play, so nothing can be learned "
            "from its results."
        )
    return found


# -- the functions that run compiled ----------------------------------------------------------------------------------


def read_cells(game: Game[Any], numbers: Sequence[int] | Memory, cells: Memory, at: int, state: Any) -> int:
    """Write the cells of a state into memory from `at` on. Returns the stage of the state."""
    taken = 0
    for place, told in enumerate(game.stands(state)):
        if place < numbers[BOARD_CELLS]:
            cell = (told & 255) * numbers[KIND_FIELD] + (told >> 16) * numbers[EACH_FIELD]
            if cell > numbers[MOST_FIELD]:
                cell = numbers[MOST_FIELD]
            if cell > 0:
                taken += 1
        else:
            cell = told & 3
            if cell == 0:
                cell = 3 if told & CLOSED else 0 if told & IDLE else AREA_MOST
        if place < numbers[CELLS]:
            cells[at + place] = cell
    if numbers[FILLABLE] > 0:
        for move in game.moves(state):
            for place in game.path(state, move):
                cells[at + place] = numbers[FILLABLE]
    stage = (taken - numbers[LOW_FIELD]) * numbers[STAGES] // numbers[SPREAD]
    return max(0, min(numbers[STAGES] - 1, stage))


def hand_input(numbers: Sequence[int] | Memory, evaluated: int) -> int:
    """The game's own evaluation as an input: 1,024 where it is as large as usual, within ±4,096."""
    return max(-4096, min(4096, evaluated * 1024 // numbers[HAND]))
