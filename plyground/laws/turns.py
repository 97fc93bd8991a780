"""A game whose moves are whole turns, for libraries in which a chain of jumps is several moves."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plyground.board.signs import DASH
from plyground.laws.pairing import AnyGame, AnyState
from plyground.rules import ONGOING, Game

GAMES_FOR_TURNS = 2
"""Random games of each game that show whether a player may move twice in a row."""


@dataclass(frozen=True)
class Turns(Game[Any]):
    """A game whose moves are whole turns: all that a player does until the other is to move."""

    game: AnyGame

    def initial(self) -> AnyState:
        return self.game.initial()

    def to_move(self, state: AnyState) -> int:
        return self.game.to_move(state)

    def _turns(self, state: AnyState) -> list[tuple[tuple[int, ...], AnyState]]:
        """List all turns: the moves of each, and the state after them."""
        open_turns: list[tuple[tuple[int, ...], AnyState]] = [((), state)]
        turns = []
        while open_turns:
            # First in, first out: turns come by their number of moves, and in generation order among equals.
            moves, after = open_turns.pop(0)
            is_open = self.game.outcome(after) == ONGOING and self.game.to_move(after) == self.game.to_move(state)
            # A turn is over when the other player is to move, or the game is over; until then it has one more move.
            if is_open or not moves:
                open_turns += [((*moves, move), self.game.play(after, move)) for move in self.game.moves(after)]
            else:
                turns.append((moves, after))
        return turns

    def moves(self, state: AnyState) -> Iterator[int]:
        yield from range(len(self._turns(state)))

    def play(self, state: AnyState, move: int) -> AnyState:
        return self._turns(state)[move][1]

    def outcome(self, state: AnyState) -> int:
        return self.game.outcome(state)

    def bounds(self, state: AnyState) -> tuple[int, int]:
        return self.game.bounds(state)

    def move_signs(self, state: AnyState, move: int) -> Iterator[int]:
        for place, each in enumerate(self._turns(state)[move][0]):
            if place:
                yield DASH
                yield DASH
            yield from self.game.move_signs(state, each)
            state = self.game.play(state, each)


def moves_again(game: AnyGame, chance: random.Random) -> bool:
    """Whether in some random games a player moves twice in a row."""
    for _ in range(GAMES_FOR_TURNS):
        state = game.initial()
        while game.outcome(state) == ONGOING:
            after = game.play(state, chance.choice(list(game.moves(state))))
            if game.outcome(after) == ONGOING and game.to_move(after) == game.to_move(state):
                return True
            state = after
    return False
