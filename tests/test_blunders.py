"""Every move of a game is judged as a slow twin judges it that tries everything; opinions say that they are ones."""

import random
from functools import cache
from typing import Any

import pytest
from games import games, random_position

from plyground.arena.blunders import judge
from plyground.arena.results import Judged
from plyground.errors import BadInput
from plyground.exact.solver import solve
from plyground.games import game_named
from plyground.position import Position, moves_text
from plyground.rules import ONGOING


def utility(spec: str, state: Any) -> int:
    """What a state is worth to x, by trying everything."""
    return _tried(game_named(spec), state)


@cache
def _tried(game: Any, state: Any) -> int:
    if (end := game.outcome(state)) != ONGOING:
        return int(end)
    values = [_tried(game, game.play(state, move)) for move in game.moves(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


def word(value: int, mover: int) -> str:
    """A value as its player sees it."""
    mine = value if mover == 0 else -value
    return "win" if mine > 0 else "loss" if mine < 0 else "draw"


def played(spec: str, seed: int, perfect: int | None = None) -> tuple[list[str], list[Position]]:
    """A game between players at random, one of whom may be perfect instead; and the positions before each move."""
    chance, position, steps = random.Random(f"{spec} {seed}"), Position.initial(game_named(spec)), list[Position]()
    while position.outcome is None:
        steps.append(position)
        moves = list(position.legal_moves)
        if position.to_move == perfect:
            value = utility(spec, position.state)
            moves = [move for move in moves if utility(spec, position.play(move).state) == value]
        position = position.play(chance.choice(moves))
    return moves_text(position.undo(len(position.moves)), position.moves), steps


@pytest.mark.parametrize("spec", games("small"))
def test_every_move_is_judged_as_trying_everything_does(spec: str, seed: int) -> None:
    """What it was worth before and after, and which moves held: as the twin finds; players at random err."""
    blunders = 0
    for game in range(8):
        words, steps = played(spec, seed + game)
        found = judge(spec, "", words)
        assert [each.move for each in found] == words
        for ply, (each, before, move) in enumerate(zip(found, steps, words, strict=True), start=1):
            mover = before.to_move
            here, after = utility(spec, before.state), utility(spec, before.play(move).state)
            assert (each.ply, each.mover, each.exact) == (ply, mover, True)
            assert (each.before, each.after) == (word(here, mover), word(after, mover))
            worths = {each: word(utility(spec, before.play(each).state), mover) for each in before.legal_moves}
            keep = tuple(
                before.game.move_text(before.state, key) for key, worth in worths.items() if worth == each.before
            )
            assert each.held == (keep if each.is_blunder else ())
            blunders += each.is_blunder
    assert blunders, "players at random give something away in eight games"


@pytest.mark.parametrize("spec", ["tictactoe", "connectfour:3,4", "kalah:3,2"])
def test_a_perfect_player_never_blunders(spec: str, seed: int) -> None:
    """Whoever plays only what the twin finds best is never blamed."""
    for game in range(6):
        words, _ = played(spec, seed + game, perfect=game % 2)
        assert not any(each.is_blunder for each in judge(spec, "", words) if each.mover == game % 2)


def test_a_game_that_begins_from_a_position_is_counted_from_there() -> None:
    """Plies are counted after the opening."""
    found = judge("tictactoe", "b2 a2", ["a1", "b1", "c1"])
    assert [(each.ply, each.mover) for each in found] == [(1, 0), (2, 1), (3, 0)]
    assert (found[0].before, found[0].after, found[1].after) == ("win", "win", "loss")


@pytest.mark.compiled
def test_a_move_that_loses_in_sight_is_an_opinion_where_the_game_is_large() -> None:
    """Where the end is out of sight nothing is certain; a win in one is seen, and what would have held."""
    game = [*"dddddc", "g"]  # nobody can see to the end of Connect Four from here with so few nodes
    found = judge("connectfour", "", game, nodes=2_000)
    assert all(not each.exact and not each.is_blunder for each in found)
    lost = judge("connectfour", "a g a g f g", ["b", "g"], nodes=2_000)
    assert (lost[0].before, lost[0].after, lost[0].exact) == ("draw", "loss", False)
    assert lost[0].held == ("g",) and lost[1] == Judged(2, 1, "g", "win", "win", True)


@pytest.mark.compiled
def test_who_is_lost_whatever_he_does_is_not_blamed_when_it_comes_into_sight() -> None:
    """A loss that comes into sight a ply later than it was there is nobody's blunder."""
    start = Position.parse(game_named("connectfour"), "a c g d a e")
    assert start.to_move == 0
    lost = judge("connectfour", "a c g d", ["a", "e"], nodes=2_000)  # o then threatens both ends of its row
    assert (lost[0].before, lost[0].after) == ("draw", "loss") and lost[0].is_blunder
    for move in start.legal_moves:
        text = start.game.move_text(start.state, move)
        (found,) = judge("connectfour", "a c g d a e", [text], nodes=40)
        assert (found.before, found.after) == ("loss", "loss")


@pytest.mark.compiled
def test_the_same_whatever_was_judged_before() -> None:
    """A judgement depends on the game alone, not on what is remembered of others."""
    words = [*"dddddceebaaaaac"]
    alone = judge("connectfour", "", words, nodes=1_500)
    judge("connectfour", "", [*"dddddceebaaa"], nodes=6_000)
    judge("connectfour", "d d d", [*"ddceebaaaaac"], nodes=1_500)
    assert judge("connectfour", "", words, nodes=1_500) == alone


def test_what_came_before_counts_where_states_come_again() -> None:
    """A threefold repetition is a draw, and a judgement knows it."""
    there = ["b1c3", "b8c6", "c3b1", "c6b8"]
    found = judge("chess", "", [*there, *there], nodes=300)
    assert (found[-1].before, found[-1].after) == ("draw", "draw")


def test_a_move_that_is_not_legal_is_told() -> None:
    """It is bad input, in a sentence."""
    with pytest.raises(BadInput, match="b2 is not a legal move"):
        judge("tictactoe", "", ["b2", "b2"])


def test_a_loss_that_comes_into_sight_is_charged_to_no_perfect_player(seed: int) -> None:
    """In a position that is lost, whatever is played loses, so nothing is a blunder, though with so few nodes the loss
    comes into sight only after the move."""
    chance, lost = random.Random(seed), 0
    game = game_named("connectfour:4,3,3")
    while lost < 12:
        here = random_position(game, chance, 3)
        if here.outcome is not None or solve(here).score.winner != 1 - here.to_move:
            continue
        lost += 1
        move = chance.choice(here.legal_texts)
        assert not any(each.is_blunder for each in judge("connectfour:4,3,3", here.history, [move], nodes=60)), (
            here.history
        )
