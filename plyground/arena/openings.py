"""Openings: all positions after a few plies, some of random games, or those of a file."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyground.compiled.clock import Limit
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.play.record_file import ReadingOptions, Records
from plyground.position import Position
from plyground.rules import ONGOING

MOST_OPENINGS = 100_000
"""Most openings in an arena."""
TRIES_PER_OPENING = 50
"""Most random games for each opening that is wanted."""
USUAL, FOR_A_TEST = 10, 500
"""Random openings without a number of games; and in a sequential test."""
BALANCE_NODES = 100_000
"""Node budget of the search for whether an opening is balanced; nodes, not seconds, make its answer repeatable."""


def random_opening_count(games: int, *, is_test: bool) -> int:
    """The number of random openings for `games` games: one for each pair of games; without a number, the usual one."""
    return max(games // 2, 0) or (FOR_A_TEST if is_test else USUAL)


@dataclass(frozen=True)
class Openings:
    """How the openings are found. The same settings, game and file give the same openings."""

    plies: int = 0
    """All positions after this number of plies, one of those that are the same under symmetry."""
    random_plies: int = 0
    """Instead of all positions, some after this number of plies of random games."""
    count: int = USUAL
    """The number of random openings."""
    seed: int = 0
    file: Path | None = None
    """A file instead: whole games in PGN, PDN or SGF, EPD, or a position in each line; a comment begins with #."""
    balanced: bool = False
    """Whether openings are left out that are solved as a win, or that a deep search takes for one."""

    def __post_init__(self) -> None:
        if sum(map(bool, (self.plies, self.random_plies, self.file))) > 1:
            raise BadInput(
                "Openings are all of --plies, some of --random-plies, or those of --openings: one of the three."
            )
        if min(self.plies, self.random_plies) < 0 or self.count < 1:
            raise BadInput("--plies and --random-plies are 0 or more.")

    @property
    def text(self) -> str:
        """In words; empty for the initial position alone."""
        if self.plies:
            said = f"all positions after {_plies(self.plies)}"
        elif self.random_plies:
            said = f"positions after {_plies(self.random_plies, 'random ')}, seed {self.seed}"
        else:
            said = f"those of {self.file.name}" if self.file else ""
        return said + (", balanced" if said and self.balanced else "")

    def texts_for(self, game: AnyGame) -> tuple[str, ...]:
        """The openings as texts that `Position.starting` reads, numbered as in FEN; empty for the initial position.

        Raises:
            BadInput: there is none, one is over or unreadable, or there are too many.
        """
        if self.file:
            positions = [*_in_file(game, self.file)]
        elif self.random_plies:
            positions = _at_random(game, self.random_plies, self.count, self.seed)
        elif self.plies:
            positions = _all(game, self.plies)
        else:
            return ("",)
        if not positions and self.file:
            raise BadInput(f"{self.file} has no opening: write one a line, moves or a state.")
        if not positions:
            raise BadInput(f"There are no openings: no game goes on after {self.plies or self.random_plies} plies.")
        if self.balanced:
            positions = select_balanced(positions)
            if not positions:
                raise BadInput(
                    "No opening is balanced: in each, one side is found to win. Leave out --balanced, or take others."
                )
        return tuple(position.without_history().start_text for position in positions)


def _plies(count: int, kind: str = "") -> str:
    return f"{count} {kind}{'ply' if count == 1 else 'plies'}"


def _all(game: AnyGame, plies: int) -> list[Position]:
    """All positions after some plies in which the game goes on, one of those that are the same under symmetry."""
    level: dict[Any, Position] = {game.canonical(game.initial()): Position.initial(game)}
    for _ in range(plies):
        after: dict[Any, Position] = {}
        for position in level.values():
            for move in position.legal_moves:
                state = game.play(position.state, move)
                if game.outcome(state) == ONGOING:
                    after.setdefault(game.canonical(state), position.play(move))
            if len(after) > MOST_OPENINGS:
                raise BadInput(
                    f"More than {MOST_OPENINGS:,} positions follow after {plies} plies: take fewer, or --random-plies."
                )
        level = after
    return [*level.values()]


def _at_random(game: AnyGame, plies: int, count: int, seed: int) -> list[Position]:
    """Some positions after random plies, no two the same under symmetry; fewer if there are no more."""
    chance = random.Random(f"openings {seed} {plies}")
    found: dict[Any, Position] = {}
    for _ in range(TRIES_PER_OPENING * count):
        position = Position.initial(game)
        while len(position.moves) < plies and position.outcome is None:
            position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None:
            found.setdefault(game.canonical(position.state), position)
        if len(found) == count:
            break
    return [*found.values()]


def _in_file(game: AnyGame, file: Path) -> Iterator[Position]:
    """The openings of a file: the ends of the main lines of whole games, or a position in each line."""
    for each in Records.of_file(file, options=ReadingOptions(game, by_lines=True)).games():
        if each.number > MOST_OPENINGS:
            raise BadInput(f"{file} has more than {MOST_OPENINGS:,} openings: an arena has no more.")
        try:
            position = each.end(game)
        except BadInput as fault:
            raise BadInput(f"{file}, {fault}") from None
        if position.outcome is not None:
            said = f"this opening is over ({position.result}), so nothing could be played."
            raise BadInput(f"{file}, {each.title}: {said}")
        yield position


def select_balanced(positions: Iterable[Position]) -> list[Position]:
    """Those in which neither side wins. Where a deep search does not solve a position there are only opinions, in units
    that each game has of its own: of those openings the half stays that is thought to be the most even.
    """
    even: dict[Position, int] = {}
    for position in positions:
        score = [*think(position, Limit(nodes=BALANCE_NODES))][-1].score
        if score.points is not None:
            even[position] = abs(score.points)
        elif score.winner is None:
            even[position] = -1  # for certain
    opinions = sorted(points for points in even.values() if points >= 0)
    most = opinions[(len(opinions) - 1) // 2] if opinions else 0
    return [position for position, points in even.items() if points <= most]
