"""Patterns of a board: its symmetries as the rules have them, and groups of near places that share weights under them.

A symmetry is looked for among the turns and reflections of the places, and held against the rules: random games are
played with each move and its image, and all that stands must be the image too.
"""

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from plyground.board.look import ATTACKED, WON, Board
from plyground.games import AnyGame
from plyground.rules import ONGOING, board_of

Symmetry = tuple[int, ...]
"""The image of each place."""

_CHECKED_GAMES = 3
"""Random games by which a symmetry is checked."""
_CHECKED_PLIES = 80
"""Plies of each, at most."""
_NEIGHBOUR_DISTANCE = 1.5
"""Distance of neighbours, diagonal ones included."""
_FLAGS = ~(WON | ATTACKED)


def motions(board: Board) -> list[Symmetry]:
    """The turns and reflections that bring the places of a board to places of the same form, the identity first."""
    places = board.places
    if not places:
        return []
    middle_x = sum(place.x for place in places) / len(places)
    middle_y = sum(place.y for place in places) / len(places)
    # Rounded to hundredths: a turn by sines and cosines misses the place by some 1e-16, and no two places are so near.
    at = {_rounded_key(place.x - middle_x, place.y - middle_y, place.shape): n for n, place in enumerate(places)}
    found = dict[Symmetry, None]()
    for reflected in (1, -1):
        for turn in range(12):  # by 30 degrees: squares and hexagons
            cos, sin = math.cos(math.pi * turn / 6), math.sin(math.pi * turn / 6)
            images = []
            for place in places:
                x, y = (place.x - middle_x) * reflected, place.y - middle_y
                images.append(at.get(_rounded_key(x * cos - y * sin, x * sin + y * cos, place.shape), -1))
            # A permutation of the places; -1, where a place has no image, makes it none.
            if sorted(images) == list(range(len(places))):
                found[tuple(images)] = None
    return list(found)


def _rounded_key(x: float, y: float, shape: str) -> tuple[int, int, str]:
    return round(x * 100), round(y * 100), shape


def symmetries(game: AnyGame, seed: int = 0) -> list[Symmetry]:
    """The motions of the board that the rules have, the identity first.

    Each is checked in random games, so it is as good as certain, not proved; and is kept only with all products.
    """
    board = board_of(game)
    identity = tuple(range(len(board.places)))
    kept = [identity]
    for each in motions(board):
        if each != identity and _is_symmetry(game, each, random.Random(f"symmetry {seed}")):
            kept.append(each)
    # Orbits must be closed: with an incomplete set, two groups could share weights with a third and not with each
    # other.
    group = set(kept)
    closed = all(tuple(one[place] for place in other) in group for one in kept for other in kept)
    return kept if closed else [identity]


def _standing(game: AnyGame, state: Any, places: int) -> list[int]:
    return [number & _FLAGS for number, _ in zip(game.stands(state), range(places), strict=False)]


def _image(standing: Sequence[int], motion: Symmetry) -> list[int]:
    moved = [0] * len(standing)
    for place, number in enumerate(standing):
        moved[motion[place]] = number
    return moved


def _is_symmetry(game: AnyGame, motion: Symmetry, chance: random.Random) -> bool:
    """Whether random games and their images have the same positions, turns and outcomes."""
    places = len(motion)
    for _ in range(_CHECKED_GAMES):
        here = there = game.initial()
        # The start must be its own image: else the two games compared below begin in different positions.
        if _image(_standing(game, here, places), motion) != _standing(game, there, places):
            return False
        for _ in range(_CHECKED_PLIES):
            ended = game.outcome(here)
            if ended != game.outcome(there) or game.to_move(here) != game.to_move(there):
                return False
            if ended != ONGOING:
                break
            move = chance.choice(list(game.moves(here)))
            # The path makes the guess that is nearly always right. What counts is the position, as some moves with one
            # path differ, such as promotions.
            path = [motion[place] for place in game.path(here, move)]
            here = game.play(here, move)
            wanted = _image(_standing(game, here, places), motion)
            found = _find_position(game, there, wanted, path)
            if found is None:
                return False
            there = found
    return True


def _find_position(game: AnyGame, state: Any, wanted: list[int], path: list[int]) -> Any | None:
    """The position after a move in which all stands as wanted; the move along a path is tried first."""
    moves = sorted(game.moves(state), key=lambda move: [*game.path(state, move)] != path)
    images = (game.play(state, move) for move in moves)
    return next((image for image in images if _standing(game, image, len(wanted)) == wanted), None)


def orbits(board: Board, group: Sequence[Symmetry], length: int, lookups: int, seed: int = 0) -> list[list[Symmetry]]:
    """Groups of `length` near places, each with its images under a group of symmetries; `lookups` places in all.

    Half of them are straight lines, the others random walks from neighbour to neighbour (Lucas 2008; Thill, Koch and
    Konen 2012).
    """
    chance = random.Random(f"patterns {seed}")
    usable = [number for number, place in enumerate(board.places) if not place.is_beside]
    length = min(length, len(usable))
    straight = list(_straight_runs(board, usable, length))
    chance.shuffle(straight)
    found, seen, count = list[list[Symmetry]](), set[frozenset[int]](), 0
    for attempt in range(50 * lookups):
        # A small board has few different groups, so the number of attempts is bounded and not only that of groups.
        walk = straight.pop() if straight and count < lookups // 2 else _walk(board, usable, length, chance)
        images = list(dict.fromkeys(tuple(each[place] for place in walk) for each in group))
        # The first group is taken with all its images, whatever their number: no network is empty.
        if frozenset(walk) in seen or (found and count + len(images) > lookups):
            if count + 1 > lookups or attempt > 20 * lookups:
                break
            continue
        seen.update(map(frozenset, images))
        found.append(images)
        count += len(images)
    return found


def _distance(board: Board, one: int, other: int) -> float:
    a, b = board.places[one], board.places[other]
    return math.hypot(a.x - b.x, a.y - b.y)


def _straight_runs(board: Board, usable: Sequence[int], length: int) -> Iterator[tuple[int, ...]]:
    """Straight runs of neighbours: whole ones, and of longer ones the two ends."""
    at = {_rounded_key(board.places[n].x, board.places[n].y, ""): n for n in usable}
    for start in usable:
        for near in usable:
            # Each pair of neighbours once: a run is found from its first place, by its first step.
            if near <= start or _distance(board, start, near) > _NEIGHBOUR_DISTANCE:
                continue
            a, b = board.places[start], board.places[near]
            run, step = [start, near], (b.x - a.x, b.y - a.y)
            if _rounded_key(a.x - step[0], a.y - step[1], "") in at:
                continue  # it begins before
            while (key := _rounded_key(board.places[run[-1]].x + step[0], board.places[run[-1]].y + step[1], "")) in at:
                run.append(at[key])
            if len(run) > 2:
                yield tuple(run[:length])
                if len(run) > length:
                    yield tuple(run[-length:])


def _walk(board: Board, usable: Sequence[int], length: int, chance: random.Random) -> tuple[int, ...]:
    walk = [chance.choice(usable)]
    while len(walk) < length:
        rest = [place for place in usable if place not in walk]
        near = [place for place in rest if _distance(board, walk[-1], place) <= _NEIGHBOUR_DISTANCE]
        near = near or [
            place for place in rest if any(_distance(board, each, place) <= _NEIGHBOUR_DISTANCE for each in walk)
        ]
        walk.append(chance.choice(near) if near else min(rest, key=lambda place: _distance(board, walk[-1], place)))
    # Sorted, because an index into a table needs one order: the same places in another order are the same group.
    return tuple(sorted(walk))
