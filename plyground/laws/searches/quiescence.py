"""Slow quiescence: values of the leaves of lesson 17's searches, without a window or a memory.

A move is noisy that wins at once; in one of the two kinds also the only one of several that does not lose at once.
Both are for games in which turns alternate, and who wins wins by 1.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, Final

from plyground.laws.searches.games import cache_rules, replace_rules
from plyground.rules import MAX, ONGOING, Game
from plyground.score import final

QuietValue = Callable[[Game[Any], Any], int]
"""Value of a state of a game, for x, in which noisy moves alone are searched."""


def value_of_wins(game: Game[Any], state: Any) -> int:
    """A win where one is to be had at once, else the static evaluation."""
    return game.evaluate(state) if _wins(game, state) is None else final(_sign_of_mover(game, state), 0)


def value_of_forced_moves(game: Game[Any], state: Any) -> int:
    """Value as in lesson 17: a win at once, a loss where no move is safe, the value of the one safe move of several."""
    if (utility := game.outcome(state)) != ONGOING:
        return final(utility, 0)
    side = _sign_of_mover(game, state)
    if _wins(game, state) is not None:
        return final(side, 0)
    after = [game.play(state, move) for move in game.moves(state)]
    safe = [each for each in after if game.outcome(each) != ONGOING or _wins(game, each) is None]
    if not safe:
        return final(-side, 0)
    return value_of_forced_moves(game, safe[0]) if len(safe) == 1 < len(after) else game.evaluate(state)


QUIESCENCES: Final[tuple[QuietValue, ...]] = (value_of_forced_moves, value_of_wins)
"""The kinds that are known, the lesson's first."""


def _sign_of_mover(game: Game[Any], state: Any) -> int:
    return 1 if game.to_move(state) == MAX else -1


def _wins(game: Game[Any], state: Any) -> int | None:
    """The first move that wins at once; None where there is none."""
    side = _sign_of_mover(game, state)
    return next((move for move in game.moves(state) if game.outcome(game.play(state, move)) == side), None)


@cache
def with_quiet_leaves(game: Game[Any], value: QuietValue) -> Game[Any]:
    """The same game, whose static evaluation is a quiescence's value: minimax of it is the slow truth."""
    rules = {"evaluate": staticmethod(partial(value, game)), "unquiet": game}
    return cache_rules(replace_rules(game, rules))


def plain_game(game: Game[Any]) -> Game[Any]:
    """The game as its rules are written."""
    plain: Game[Any] = getattr(game, "unquiet", game)
    return plain


def kind_of(answers: Iterator[tuple[Game[Any], Any, int]], kinds: Sequence[QuietValue] = QUIESCENCES) -> QuietValue:
    """The kind of quiescence that explains most answers to depth 0: each a game, a state, and the value."""
    known = list(answers)
    return max(kinds, key=lambda kind: sum(kind(game, state) == value for game, state, value in known))
