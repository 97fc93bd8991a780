"""Openings: all positions after a few plies, some of random games, or those of a file."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyground.compiled.clock import Limit
from plyground.engine.think import think
from plyground.errors import BadInput
from plyground.games import AnyGame
from plyground.play.record_file import FileGame, ReadingOptions, Records
from plyground.position import Position
from plyground.rules import ONGOING
from plyground.text import count_text

MOST_OPENINGS = 100_000
"""Most openings in an arena."""
TRIES_PER_OPENING = 50
"""Most random games for each opening that is wanted."""
USUAL_OPENINGS, TEST_OPENINGS = 10, 500
"""Random openings by default, without a number of games; and in a sequential test, which may need many."""
BALANCE_NODES = 100_000
"""Node budget of the search for whether an opening is balanced; nodes, not seconds, make its answer repeatable."""


MOST_WITHOUT_NUMBER = 1_000
"""Openings of a file that are all played where no number of games is given, at most."""


def opening_count(games: int) -> int:
    """The number of openings for `games` games of two players: one for each pair of games; 0 for no number."""
    return max(games // 2, 0)


@dataclass(frozen=True)
class OpeningTexts:
    """Openings as they were found."""

    texts: tuple[str, ...]
    """Texts that `Position.starting` reads, numbered as in FEN; empty for the initial position."""
    words: str = ""
    """Where they are from; the same however many are taken."""
    notes: tuple[str, ...] = ()
    """Sentences: how many of a file were taken, and which were left out, as unreadable or over."""


@dataclass(frozen=True)
class Openings:
    """Source of the openings. The same settings, game and file give the same openings."""

    plies: int = 0
    """All positions after this number of plies, one of those that are the same under symmetry."""
    random_plies: int = 0
    """Instead of all positions, some after this number of plies of random games."""
    count: int = 0
    """Number of openings that are random or of a file; 0: `USUAL_OPENINGS`, in a test `TEST_OPENINGS`, all of a small
    file."""
    seed: int = 0
    file: Path | None = None
    """A file instead: whole games in PGN, PDN or SGF, EPD, or a position in each line; a comment begins with #."""
    balanced: bool = False
    """Whether openings are left out that are solved as a win, or that a deep search takes for one."""
    shuffled: bool = False
    """Whether those of a file come in an order that the seed decides, not in the file's. The first ones are the same
    for every count."""
    is_test: bool = False
    """Whether they are for a sequential test, which has no number of games."""

    def __post_init__(self) -> None:
        if sum(map(bool, (self.plies, self.random_plies, self.file))) > 1:
            raise BadInput(
                "Openings are all of --plies, some of --random-plies, or those of --openings: one of the three."
            )
        if min(self.plies, self.random_plies, self.count) < 0:
            raise BadInput("--plies and --random-plies are 0 or more.")
        if self.shuffled and not self.file:
            raise BadInput("--shuffle is for the openings of a file: name it with --openings.")

    def read(self, game: AnyGame) -> OpeningTexts:
        """The openings of a game.

        Raises:
            BadInput: there is none, a file cannot be read, or there are too many.
        """
        notes: tuple[str, ...] = ()
        if self.file:
            positions, words, notes = self._of_file(game, self.file)
        elif self.random_plies:
            words = f"positions after {_plies_text(self.random_plies, 'random ')}, seed {self.seed}"
            positions = _random_positions(game, self.random_plies, self.count or self._usual, self.seed)
        elif self.plies:
            words, positions = f"all positions after {_plies_text(self.plies)}", _positions_after(game, self.plies)
        else:
            return OpeningTexts(("",))
        if not positions:
            raise BadInput(f"There are no openings: no game goes on after {self.plies or self.random_plies} plies.")
        if self.balanced:
            positions = select_balanced(positions)
            if not positions:
                raise BadInput(
                    "No opening is balanced: in each, one side is found to win. Leave out --balanced, or take others."
                )
            words += ", balanced"
        return OpeningTexts(tuple(position.without_history().start_text for position in positions), words, notes)

    @property
    def _usual(self) -> int:
        return TEST_OPENINGS if self.is_test else USUAL_OPENINGS

    def _of_file(self, game: AnyGame, file: Path) -> tuple[list[Position], str, tuple[str, ...]]:
        """Openings of a file, where they are from, and remarks: the ends of the main lines of whole games, or a
        position in each line. Only as many are parsed as are taken, for a book may have some 100,000.
        """
        book = [*Records.of_file(file, options=ReadingOptions(game, by_lines=True)).lazy_games()]
        if len(book) > MOST_WITHOUT_NUMBER and not self.count and not self.is_test:
            right = f"say of how many, as in --games {2 * MOST_WITHOUT_NUMBER}, for each pair of players"
            raise BadInput(f"{file} has {len(book):,} openings, and each makes two games: {right}.")
        wanted = self.count or (TEST_OPENINGS if len(book) > MOST_WITHOUT_NUMBER else len(book))
        if self.shuffled:
            random.Random(f"openings of a file {self.seed}").shuffle(book)
        found, faults = list[Position](), list[str]()
        for read in book:
            if len(found) == min(wanted, MOST_OPENINGS):
                break
            try:
                found.append(_opening(game, read()))
            except BadInput as fault:
                faults.append(f"{file}, {fault}")
        if not found:
            raise BadInput(faults[0] if faults else f"{file} has no opening: write one a line, moves or a state.")
        order = f"in an order by seed {self.seed}" if self.shuffled else "in its order"
        words = f"the {count_text(len(book), 'opening')} of {file.name}, {order}"
        taken = [f"{len(found):,} of {words}."] if len(found) < len(book) else []
        return found, words, (*taken, *(f"Left out: {fault}" for fault in faults))


def _opening(game: AnyGame, written: FileGame) -> Position:
    """The position where a game of a file ends.

    Raises:
        BadInput: something is wrong with it, or nothing could be played from there.
    """
    position = written.end(game)
    if position.outcome is not None:
        raise BadInput(f"{written.title}: this opening is over ({position.result}), so nothing could be played.")
    return position


def _plies_text(count: int, kind: str = "") -> str:
    return f"{count} {kind}{'ply' if count == 1 else 'plies'}"


def _positions_after(game: AnyGame, plies: int) -> list[Position]:
    """All positions after some plies in which the game goes on, one of those that are the same under symmetry."""
    level: dict[Any, Position] = {game.canonical(game.initial()): Position.initial(game)}
    for _ in range(plies):
        after: dict[Any, Position] = {}
        for position in level.values():
            for move in position.legal_moves:
                state = game.play(position.state, move)
                if game.outcome(state) == ONGOING:
                    after.setdefault(game.canonical(state), position.play(move))
            # At every level: in chess their number grows thirtyfold with each ply.
            if len(after) > MOST_OPENINGS:
                raise BadInput(
                    f"More than {MOST_OPENINGS:,} positions follow after {plies} plies: take fewer, or --random-plies."
                )
        level = after
    return [*level.values()]


def _random_positions(game: AnyGame, plies: int, count: int, seed: int) -> list[Position]:
    """Some positions after random plies, no two the same under symmetry; fewer if there are no more."""
    # Its own generator: more openings begin with the same ones, so an arena can be made longer.
    chance = random.Random(f"openings {seed} {plies}")
    found: dict[Any, Position] = {}
    for _ in range(TRIES_PER_OPENING * count):
        position = Position.initial(game)
        while len(position.moves) < plies and position.outcome is None:
            position = position.play(chance.choice(position.legal_moves))
        # Games that ended within the plies are no openings; the number of tries is bounded, for there may be no others.
        if position.outcome is None:
            found.setdefault(game.canonical(position.state), position)
        if len(found) == count:
            break
    return [*found.values()]


def select_balanced(positions: Iterable[Position]) -> list[Position]:
    """Select the positions in which neither side is found to win.

    Of those that a search of `BALANCE_NODES` does not solve, the half stays whose estimates, in the game's own units,
    are nearest to 0.
    """
    even: dict[Position, int] = {}
    for position in positions:
        score = [*think(position, Limit(nodes=BALANCE_NODES))][-1].score
        if score.points is not None:
            even[position] = abs(score.points)
        elif score.winner is None:
            even[position] = -1  # for certain
    estimates = sorted(points for points in even.values() if points >= 0)
    # The median: no number of points is even in every game.
    most = estimates[(len(estimates) - 1) // 2] if estimates else 0
    return [position for position, points in even.items() if points <= most]
