"""Wrappers of games: one that caches the answers of its rules, one with moves in another order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from plyground.errors import BadInput
from plyground.rules import ONGOING, Game


class IllegalPlay(BadInput):
    """A move was to be played in a state that has no such move."""

    def __init__(self, move: object, count: int, *, is_over: bool) -> None:
        """Make the sentence: the move, the number of legal moves, and whether the game is over."""
        where = "where the game is over" if is_over else f"which is none of the {count} moves there"
        super().__init__(f"game.play is given move {move}, {where}")
        self.move, self.is_over = move, is_over


def cache_rules(game: Game[Any]) -> Game[Any]:
    """Wrap a game in a cache of its rules' answers: many searches are asked about the same few thousand states.

    It raises `IllegalPlay` before its rules play a move that is not legal.
    """
    listed = cache(lambda state: tuple(game.moves(state)))
    rules: dict[str, Callable[..., Any]] = {
        name: cache(getattr(game, name)) for name in ("to_move", "outcome", "evaluate", "bounds")
    }

    @cache
    def play(state: Any, move: int) -> Any:
        is_over = rules["outcome"](state) != ONGOING
        try:
            legal = listed(state)
        except Exception:  # rules need not know what follows an end
            if not is_over:
                raise
            legal = ()
        if move not in legal:
            raise IllegalPlay(move, len(legal), is_over=is_over)
        return game.play(state, move)

    rules |= {"play": play, "moves": lambda state: iter(listed(state))}
    return replace_rules(game, {name: staticmethod(rule) for name, rule in rules.items()})


def replace_rules(game: Game[Any], rules: Mapping[str, Any]) -> Game[Any]:
    """Make a copy of a game with some of its rules replaced."""
    kind = type(game)
    # A subclass of the same name, made without its constructor: the fields are copied, options and computed tables too.
    made: Game[Any] = object.__new__(type(kind.__name__, (kind,), dict(rules)))
    vars(made).update(vars(game))
    return made


def reorder_moves(game: Game[Any], orders: Mapping[Any, Sequence[int]]) -> Game[Any]:
    """Wrap a game whose moves come in another order in some states: those listed first, then the others."""

    def moves(_: Any, state: Any) -> Iterator[int]:
        legal = list(game.moves(state))
        first = [move for move in orders.get(state, ()) if move in legal]
        yield from first
        yield from (move for move in legal if move not in first)

    return replace_rules(game, {"moves": moves})
