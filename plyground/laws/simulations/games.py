"""Games for questions to a Monte Carlo search, in which each line of moves is a position of its own.

So the line that a simulation ends in tells the way of the whole simulation through the tree, however the search keeps
its nodes, and that nothing is reported by the search. The game notes each line that is played to its end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from plyground.errors import BadInput
from plyground.rules import MAX, MIN, ONGOING, Game

MOVE_LETTERS: Final = "abcdefgh"
"""Texts of the moves."""
SWAYING_PLIES: Final = 4
"""Plies from the root whose moves make wins of x more or less likely."""
LARGEST_SWAY: Final = 0.7
"""Most that one move changes the chance of x."""
Ends = int | tuple["Ends", ...]
"""Tree of a small game: a utility, or what follows each move."""


@dataclass(frozen=True)
class LineQuestion:
    """One question to a Monte Carlo search: a game, and how many simulations it has."""

    turns: str
    """Player to move at each ply: `xoox`."""
    simulations: int
    seed: int = 0
    """Seed of the search."""
    width: int = 0
    """Moves of each position of a game as long as `turns`, whose outcomes are drawn by lot."""
    lot: int = 0
    """Which lot."""
    draws: float = 0.0
    """Share of draws among these outcomes."""
    ends: Ends = ()
    """Tree of a small game, if it is one."""

    @property
    def moves(self) -> int:
        """Number of moves at the root."""
        return self.width or len(self.ends)  # type: ignore[arg-type]


class Line(NamedTuple):
    """Moves since the root, which is all that a position is."""

    moves: tuple[int, ...]


class PlayedOn(BadInput):
    """A move of a finished game is played."""


class LineGame(Game[Line]):
    """The game of a question; it notes the lines that are played."""

    def __init__(self, asked: LineQuestion) -> None:
        self.asked: LineQuestion = asked
        self.lines: list[str] = []
        """Lines that were played to their ends, in letters, one for each time."""
        self.is_played_on = False
        """Whether a move of a finished game was played."""
        self._outcome = cache(self._find_outcome)

    def __repr__(self) -> str:
        return "the grader's game"

    def initial(self) -> Line:
        return Line(())

    def to_move(self, state: Line) -> int:
        turns = self.asked.turns
        return MAX if turns[min(len(state.moves), len(turns) - 1)] == "x" else MIN

    def moves(self, state: Line) -> Iterator[int]:
        branches = self._branches(state.moves)
        # Also of a finished game, as on a board with free squares: who does not ask for the outcome plays on.
        yield from range((self.asked.width or 2) if isinstance(branches, int) else len(branches))

    def play(self, state: Line, move: int) -> Line:
        if self.outcome(state) != ONGOING:
            self.is_played_on = True
            raise PlayedOn("A move of a finished game is played.")
        if move not in range(len(list(self.moves(state)))):
            raise BadInput(f"Move {move!r} is played, which is not legal: take moves from game.moves(state).")
        after = Line((*state.moves, int(move)))
        # A simulation is recognised by the end of its line; nothing has to be reported by the search.
        if self.outcome(after) != ONGOING:
            self.lines.append("".join(MOVE_LETTERS[each] for each in after.moves))
        return after

    def outcome(self, state: Line) -> int:
        return self._outcome(state.moves)

    def _branches(self, moves: tuple[int, ...]) -> Ends:
        """Moves after a line in a small game; a utility at its end."""
        found: Ends = self.asked.ends
        for move in moves if found else ():
            found = found[move] if isinstance(found, tuple) else found
        return found if self.asked.ends else 0

    def _find_outcome(self, moves: tuple[int, ...]) -> int:
        if self.asked.ends:
            found = self._branches(moves)
            return found if isinstance(found, int) else ONGOING
        return utility_of(self.asked, moves) if len(moves) == len(self.asked.turns) else ONGOING


def utility_of(asked: LineQuestion, moves: tuple[int, ...]) -> int:
    """Draw the outcome of a line in a game by lot: 1, 0 or -1, for x."""
    if draw_number(asked, moves, "draw") < asked.draws:
        return 0
    # Results lean towards the moves near the root, so that means differ and a choice by them can be told from one
    # without.
    sways = (LARGEST_SWAY * (2 * draw_number(asked, moves[:ply], "sway") - 1) for ply in range(1, SWAYING_PLIES + 1))
    return 1 if draw_number(asked, moves, "end") < 0.5 + sum(sways) / 2 else -1


def draw_number(asked: LineQuestion, moves: tuple[int, ...], what: str) -> float:
    """Draw a number from 0 to below 1 for a line, always the same one."""
    # A hash and no generator: the number of a line is the same whenever, and in whichever process, it is asked for.
    digest = blake2b(f"{asked.lot} {what} {moves}".encode(), digest_size=4).digest()
    return int.from_bytes(digest) / (1 << 32)


def moves_of(line: str) -> tuple[int, ...]:
    """Moves of a line in letters."""
    return tuple(map(MOVE_LETTERS.index, line))


def tree_from_lists(text: Any) -> Ends:
    """Convert lists, as JSON has them, to the tree of a small game."""
    return tuple(map(tree_from_lists, text)) if isinstance(text, list | tuple) else int(text)
