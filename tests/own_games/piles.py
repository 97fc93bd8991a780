"""Two piles of stones; who takes the last stone wins. Several classes, each with a habit that beginners have."""

from dataclasses import dataclass
from typing import NamedTuple

import plyground as pg

STEPS = {0: (1, 2), 1: (1, 3)}
HEAVY = {3, 4}
NO_LINES = ()


class PilesState(NamedTuple):
    left: int
    right: int
    turn: int


@dataclass(frozen=True)
class Piles(pg.Game):
    """Take one or two stones from one of two piles."""

    most: int = 3
    draws = False

    def initial(self):
        return PilesState(self.most, self.most, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        for take in (1, 2):
            if take <= state.left:
                yield take
            if take <= state.right:
                yield 10 + take

    def play(self, state, move):
        if move < 10:
            return PilesState(state.left - move, state.right, 1 - state.turn)
        return PilesState(state.left, state.right - (move - 10), 1 - state.turn)

    def outcome(self, state):
        if state.left + state.right > 0:
            return pg.ONGOING
        return 1 if state.turn == 1 else -1

    def board(self):
        left = [pg.Place(f"l{n + 1}", n, 0, "point") for n in range(self.most)]
        right = [pg.Place(f"r{n + 1}", n, 1, "point") for n in range(self.most)]
        return pg.Board((*left, *right), pieces=(pg.Piece("", "stone"),))

    def stands(self, state):
        for place in range(self.most):
            yield 1 if place < state.left else 0
        for place in range(self.most):
            yield 1 if place < state.right else 0

    def path(self, state, move):
        yield state.left - move if move < 10 else self.most + state.right - (move - 10)


class Listed(Piles):
    """The outcome asks for a list of the moves."""

    def outcome(self, state):
        if not list(self.moves(state)):
            return 1 if state.turn == 1 else -1
        return pg.ONGOING


class Copied(Piles):
    """A move makes a copy by _replace."""

    def play(self, state, move):
        if move < 10:
            state = state._replace(left=state.left - move)
        else:
            state = state._replace(right=state.right - move + 10)
        return state._replace(turn=1 - state.turn)


class Dicts(Piles):
    """Rules from a dict and a set of the module."""

    def moves(self, state):
        for take in STEPS[state.turn]:
            if take <= state.left:
                yield take
            if take <= state.right:
                yield 10 + take

    def evaluate(self, state):
        return 1 if state.left in HEAVY else 0

    def outcome(self, state):
        if any(True for _ in self.moves(state)):
            return pg.ONGOING
        return 1 if state.turn == 1 else -1


class Empty(Piles):
    """A constant in which nothing stands, by an oversight."""

    def outcome(self, state):
        for line in NO_LINES:
            if state.left == line[0]:
                return 0
        if state.left + state.right > 0:
            return pg.ONGOING
        return 1 if state.turn == 1 else -1


class Numbered(Piles):
    """A start by name, and a row as arguments."""

    def moves(self, state):
        for pile, stones in enumerate((state.left, state.right), start=0):
            for take in range(1, min(stones, 2) + 1):
                yield 10 * pile + take

    def play(self, state, move):
        sides = [state.left, state.right]
        sides[move // 10] -= move % 10
        return PilesState(*map(int, sides), turn=1 - state.turn)


class Sifted(Piles):
    """A row as arguments, of as many as a condition leaves."""

    def play(self, state, move):
        sides = [state.left - (move < 10) * move, state.right - (move > 10) * (move - 10)]
        return PilesState(*[side for side in sides if side >= 0], turn=1 - state.turn)
