"""A runner on a ring; pieces go back and forth, and moves are made by nested generators and lists."""

from dataclasses import dataclass
from typing import NamedTuple

import plyground as pg

ROUND = [0, 1, 2, 3, 4, 5]


class ChaseState(NamedTuple):
    hunter: int
    runner: int
    ply: int


def steps(place):
    for other in ROUND:
        if (other - place) % 6 in (1, 5):
            yield other


@dataclass(frozen=True)
class Chase(pg.Game):
    """x catches the runner, or o is free after ten plies."""

    longest: int = 10

    def initial(self):
        return ChaseState(0, 3, 0)

    def to_move(self, state):
        return state.ply % 2

    def moves(self, state):
        yield from steps(state.hunter if state.ply % 2 == 0 else state.runner)

    def play(self, state, move):
        places = [state.hunter, state.runner]
        places[state.ply % 2] = move
        return ChaseState(places[0], places[1], state.ply + 1)

    def outcome(self, state):
        if state.hunter == state.runner:
            return 1
        return -1 if state.ply >= self.longest else pg.ONGOING

    def evaluate(self, state):
        return -min((state.hunter - state.runner) % 6, (state.runner - state.hunter) % 6)


class BackState(NamedTuple):
    place: int
    turn: int


@dataclass(frozen=True)
class Back(pg.Game):
    """A token goes to and fro; who brings it back to where it was has lost."""

    repetition: int = 2

    def initial(self):
        return BackState(2, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        return [step for step in (0, 1) if state.place > 0 or step == 1]

    def play(self, state, move):
        return BackState(state.place + 2 * move - 1, 1 - state.turn)

    def outcome(self, state):
        return 1 if state.place == 5 else pg.ONGOING

    def repetition_value(self, state):
        return 1 if state.turn == 0 else -1
