"""What people see of a game is told in ints, and compiled rules tell the same ones: a page needs no Python for it."""

import random
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import pytest
from games import canaries

import plyground as pg
from plyground.board.look import make_look
from plyground.board.signs import spell
from plyground.compiled.kernel import kernel
from plyground.games import GAMES
from plyground.rules import ONGOING, place_names
from plyground.search.memory import Memory, new_memory

OPTIONS = [
    "hex:3,swap=true",
    "gomoku:exact=true",
    "amazons:8,8",
    "morris:4",
    "dotsandboxes:6,8",
    "nim:1/9,misere=true",
]
GAMES_AT_MOST, PLIES_AT_MOST = 3, 80
"""Of each game."""
ROW: Final = 1 << 40
"""Comes after each row of ints."""

# A state is of any game's kind.
AnyState = Any


def told(game: pg.Game[AnyState], state: AnyState) -> Iterator[int]:
    """What a game tells of a state, in four rows, and of each legal move, in two."""
    for number in game.stands(state):
        yield number
    yield ROW
    for place in game.strokes(state):
        yield place
    yield ROW
    for sign in game.caption(state):
        yield sign
    yield ROW
    for sign in game.state_signs(state):
        yield sign
    yield ROW
    if game.outcome(state) == ONGOING:
        for move in game.moves(state):
            for place in game.path(state, move):
                yield place
            yield ROW
            for sign in game.move_signs(state, move):
                yield sign
            yield ROW


def noted(game: pg.Game[AnyState], out: Memory, state: AnyState) -> int:
    """Write it down, and say how many ints it is."""
    length = 0
    for number in told(game, state):
        out[length] = number
        length += 1
    return length


def in_rows(numbers: Iterable[int]) -> list[list[int]]:
    """The rows, without what comes after each."""
    rows = [list[int]()]
    for number in numbers:
        if number == ROW:
            rows.append([])
        else:
            rows[-1].append(number)
    return rows[:-1]


def positions(game: pg.Game[AnyState]) -> Iterator[pg.Position]:
    """Those of a few random games."""
    chance = random.Random(16)
    for _ in range(GAMES_AT_MOST):
        position = pg.Position.initial(game)
        yield position
        while position.outcome is None and len(position.moves) < PLIES_AT_MOST:
            position = position.play(chance.choice(position.legal_moves))
            yield position


class BareState(NamedTuple):
    """A pile, what was taken of it by each player, and who takes next."""

    pile: int
    taken: tuple[int, int]
    turn: int


class Bare(pg.Game[BareState]):
    """A game that says nothing of how it is shown."""

    def initial(self) -> BareState:
        return BareState(7, (0, 0), 0)

    def to_move(self, state: BareState) -> int:
        return state.turn

    def moves(self, state: BareState) -> Iterator[int]:
        for stones in range(1, min(state.pile, 3) + 1):
            yield stones

    def play(self, state: BareState, move: int) -> BareState:
        x, o = state.taken
        taken = (x, o + move) if state.turn else (x + move, o)
        return BareState(state.pile - move, taken, 1 - state.turn)

    def outcome(self, state: BareState) -> int:
        return ONGOING if state.pile else 1 - 2 * state.turn


@pytest.mark.compiled
@pytest.mark.parametrize("name", canaries([*(game.name for game in GAMES), *OPTIONS, "bare"]))
def test_compiled_rules_tell_what_people_see(name: str) -> None:
    """Put together from compiled ints, every look, text, path and name of a move is what plain Python shows."""
    game: pg.Game[AnyState] = Bare() if name == "bare" else pg.game_named(name)
    run, out = kernel(noted, game), new_memory(1 << 16)
    names = place_names(game), game.marks
    for position in positions(game):
        here = list(out[: run(out, position.state)])
        assert run.why_plain is None
        assert here == list(told(game, position.state))
        (stands, strokes, caption, signs), ways = in_rows(here)[:4], in_rows(here)[4:]
        text = spell(signs, *names)
        assert text == position.text
        beside = spell(caption, names[0], game.names) or ("" if position.board.places else text)
        assert make_look(position.board, stands, strokes, beside) == position.look()
        if position.outcome is None:
            assert list(map(tuple, ways[::2])) == list(position.paths.values())
            words = [game.move_text(position.state, move) for move in position.legal_moves]
            assert [spell(way, *names) for way in ways[1::2]] == words
